//! The error of the window's own work.

use std::error::Error;
use std::fmt;

use serde::{Deserialize, Serialize};
use table::Diagnostic;

/// An error that the window shows to the user. Errors of many crates meet here, and errors of
/// workers arrive as text, so only the text is left.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ShownError(String);

impl ShownError {
    /// Makes an error with a text, which is a sentence without a full stop.
    pub fn new(text: impl Into<String>) -> ShownError {
        ShownError(text.into())
    }

    /// Makes an error with the message of a problem and its help, but without its place.
    pub fn without_place(problem: &Diagnostic) -> ShownError {
        let help = problem.help.as_ref().map(|help| format!(": {help}")).unwrap_or_default();
        ShownError(format!("{}{help}", problem.message))
    }
}

impl fmt::Display for ShownError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Takes the text of an error. This conversion is the reason why `ShownError` is not itself an
/// [`Error`].
impl<E: Error> From<E> for ShownError {
    fn from(error: E) -> ShownError {
        ShownError(error.to_string())
    }
}

/// Makes an error for libraries that accept any error, such as eframe.
impl From<ShownError> for Box<dyn Error + Send + Sync> {
    fn from(error: ShownError) -> Self {
        error.0.into()
    }
}
