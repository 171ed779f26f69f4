//! The survey: questions that the author of a mod asks the people who tried it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::invalid_value::{InvalidValue, ReplyError, check_length};
use crate::{MAX_CHOICES, MAX_NOTE, MAX_TEXT};

/// A question of a survey.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurveyQuestion {
    /// The id, such as `ferries/fun`. It stays the same in all versions of the mod.
    pub id: String,
    /// The text of the question.
    pub text: String,
    /// The possible answers.
    pub answers: SurveyAnswers,
}

/// The possible answers to a question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum SurveyAnswers {
    /// A whole number between two bounds, both included.
    Scale {
        /// The smallest number.
        min: i64,
        /// The largest number.
        max: i64,
    },
    /// One of these texts.
    Choice(Vec<String>),
    /// Any text of at most [`MAX_NOTE`] characters.
    Text,
}

/// A reply to a question: a number for a scale, and a text otherwise.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reply {
    /// A number of a scale.
    Number(i64),
    /// A choice, or any text.
    Text(String),
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Number(n) => write!(f, "{n}"),
            Reply::Text(text) => f.write_str(text),
        }
    }
}

impl SurveyQuestion {
    /// Reads a reply that a person typed.
    ///
    /// # Errors
    /// Returns an error if the text is not among the possible answers.
    pub fn parse(&self, text: &str) -> Result<Reply, ReplyError> {
        let reply = match &self.answers {
            SurveyAnswers::Scale { .. } => match text.trim().parse() {
                Ok(n) => Reply::Number(n),
                Err(_) => return Err(ReplyError::NotAnAnswer(self.hint())),
            },
            SurveyAnswers::Choice(_) | SurveyAnswers::Text => Reply::Text(text.trim().to_owned()),
        };
        self.check(&reply).map(|()| reply)
    }

    /// Checks that a reply is among the possible answers.
    ///
    /// # Errors
    /// Returns an error with the possible answers if it is not.
    pub fn check(&self, reply: &Reply) -> Result<(), ReplyError> {
        let fits = match (&self.answers, reply) {
            (SurveyAnswers::Scale { min, max }, Reply::Number(n)) => (min..=max).contains(&n),
            (SurveyAnswers::Choice(choices), Reply::Text(text)) => choices.contains(text),
            (SurveyAnswers::Text, Reply::Text(text)) => return Ok(check_length(text, MAX_NOTE)?),
            _ => false,
        };
        if fits { Ok(()) } else { Err(ReplyError::NotAnAnswer(self.hint())) }
    }

    /// Returns the possible answers in words, such as `a number from 1 to 5`.
    pub fn hint(&self) -> String {
        match &self.answers {
            SurveyAnswers::Scale { min, max } => format!("a number from {min} to {max}"),
            SurveyAnswers::Choice(choices) => format!("one of: {}", choices.join(", ")),
            SurveyAnswers::Text => format!("a text of at most {MAX_NOTE} characters"),
        }
    }

    pub(crate) fn check_declaration(&self) -> Result<(), InvalidValue> {
        [&self.id, &self.text].into_iter().try_for_each(|text| check_length(text, MAX_TEXT))?;
        match &self.answers {
            SurveyAnswers::Scale { min, max } if min >= max => Err(InvalidValue::EmptyScale),
            SurveyAnswers::Choice(choices) if !(2..=MAX_CHOICES).contains(&choices.len()) => {
                Err(InvalidValue::NumberOfChoices)
            }
            SurveyAnswers::Choice(choices) => Ok(choices.iter().try_for_each(|text| check_length(text, MAX_TEXT))?),
            SurveyAnswers::Scale { .. } | SurveyAnswers::Text => Ok(()),
        }
    }
}
