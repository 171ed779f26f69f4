//! The reasons why values of a playtest are not valid.

use thiserror::Error;

use crate::{MAX_CHOICES, MAX_MODS, MAX_QUESTIONS};

/// A reason why a value of a playtest is not valid. The text is a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the texts say what is wrong")]
pub enum InvalidValue {
    #[error("`record` must be the name of a file in the same folder")]
    RecordName,
    #[error("`{list}` has {n} entries; at most {max} are allowed")]
    TooManyEntries { list: &'static str, n: usize, max: usize },
    #[error("at most {MAX_MODS} mods and {MAX_QUESTIONS} questions are allowed")]
    TooManyMods,
    #[error("person {0} is listed twice")]
    PersonTwice(u32),
    #[error("`people` has no person {0}")]
    NoPerson(u32),
    #[error("`rules` has no entry {0}")]
    NoRules(u32),
    #[error("the survey has no question `{0}`")]
    NoQuestion(String),
    #[error("`min` must be less than `max`")]
    EmptyScale,
    #[error("a choice has 2 to {MAX_CHOICES} answers")]
    NumberOfChoices,
    #[error(transparent)]
    Reply(#[from] ReplyError),
    #[error(transparent)]
    TooLong(#[from] TooLong),
    #[error("{entry}: {error}")]
    In { entry: String, error: Box<InvalidValue> },
}

impl InvalidValue {
    /// Returns a function that adds the place of an error, such as `note 3`.
    pub(crate) fn in_entry<E: Into<InvalidValue>>(entry: String) -> impl FnOnce(E) -> InvalidValue {
        |error| InvalidValue::In { entry, error: Box::new(error.into()) }
    }
}

/// A reason why a reply does not answer a question.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReplyError {
    /// The reply is not among the possible answers, which the text describes.
    #[error("answer with {0}")]
    NotAnAnswer(String),
    /// The text is too long.
    #[error(transparent)]
    TooLong(#[from] TooLong),
}

/// A text is longer than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a text has {n} characters; at most {max} are allowed")]
pub struct TooLong {
    /// The length of the text, in characters.
    pub n: usize,
    /// The maximum length, in characters.
    pub max: usize,
}

/// Checks that a text has at most `max` characters.
pub(crate) fn check_length(text: &str, max: usize) -> Result<(), TooLong> {
    match text.chars().count() {
        n if n > max => Err(TooLong { n, max }),
        _ => Ok(()),
    }
}
