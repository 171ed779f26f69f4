#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod line_index;
mod look_alikes;
mod never;
mod span;
mod suggest;
mod visible;

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

pub use line_index::LineIndex;
pub use look_alikes::{find_look_alike, odd_letters_clause};
pub use never::{ExpectOrDefault, report_bug};
pub use span::Span;
pub use suggest::{did_you_mean, hint, join_names, nearest, there_are};
pub use visible::{is_hidden, visible, visible_json, visible_lines};

/// The severity of a problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Severity {
    /// The text cannot be used.
    Error,
    /// The text can be used but is probably a mistake.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

/// A problem in a text written by a person.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The place of the mistake.
    pub span: Span,
    /// The severity of the problem.
    pub severity: Severity,
    /// The problem, as a sentence without a full stop.
    pub message: String,
    /// The remedy, such as "did you mean `x`?"; `None` if the program knows none.
    pub help: Option<String>,
    /// Further places that explain the problem.
    pub notes: Vec<Note>,
}

/// A further place related to a problem.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Note {
    /// The place.
    pub span: Span,
    /// An explanation of the place.
    pub message: String,
}

impl Note {
    /// Makes a note. Makes hidden characters in the message visible, and cuts a very long message.
    pub fn new(span: Span, message: impl Into<String>) -> Note {
        Note { span, message: clean_sentence(message) }
    }
}

impl Diagnostic {
    /// Makes an error without help. Makes hidden characters visible and cuts very long texts, both
    /// in `message` and in help that the caller adds later.
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { span, severity: Severity::Error, message: clean_sentence(message), help: None, notes: Vec::new() }
    }

    /// Makes a warning without help.
    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(span, message) }
    }

    /// Makes an error without a place and without help.
    pub fn without_place(message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Span::default(), message)
    }

    /// Makes an error about a line of `file`, without help. Lines count from 1; 0 means the whole
    /// file.
    pub fn in_file(file: &str, line: usize, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Span { file: file.to_owned(), ..Span::of_line(line) }, message)
    }

    /// Returns the diagnostic as a warning.
    pub fn as_warning(self) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..self }
    }

    /// Returns the diagnostic with `help`.
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(clean_sentence(help));
        self
    }

    /// Sets the help.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(clean_sentence(help));
        self
    }

    /// Sets the help to "did you mean `x`?" if a name in `known` is close to `word`. Otherwise, if
    /// `known` has 1 to 12 names, sets the help to a list of these names.
    pub fn suggest<'a>(&mut self, word: &str, known: impl IntoIterator<Item = &'a str>) -> &mut Self {
        let known: Vec<&str> = known.into_iter().collect();
        if let Some(help) = did_you_mean(word, known.iter().copied()) {
            self.help(help);
        } else if (1..=12).contains(&known.len()) {
            self.help(there_are(&known));
        }
        self
    }
}

/// The maximum length of a sentence, in characters. A sentence may quote a name, and a name may be
/// as long as a whole file.
const MAX_SENTENCE_LENGTH: usize = 2000;

/// Makes the hidden characters of a sentence visible, and cuts the sentence after
/// [`MAX_SENTENCE_LENGTH`] characters.
fn clean_sentence(text: impl Into<String>) -> String {
    let text = text.into();
    visible(&shortened(&text)).into_owned()
}

/// Cuts a text after 2,000 characters.
pub fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_SENTENCE_LENGTH) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()).into(),
        None => text.into(),
    }
}

/// Writes one line in the style of compilers: `file:line:column: error: message`, then the help in
/// brackets.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.span.is_known() {
            write!(f, "{}: ", self.span)?;
        }
        write!(f, "{}: {}", self.severity, self.message)?;
        if let Some(help) = &self.help {
            write!(f, " ({help})")?;
        }
        Ok(())
    }
}
