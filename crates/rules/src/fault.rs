//! Refusals, failures and faults: the reasons why the engine did not carry out an action of a mod.

use serde::{Deserialize, Serialize};
use std::fmt;

use crate::panics::Panic;

/// A reason why a query, an effect or a question returns no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The question has no answer yet. The function must end here; the engine runs the function
    /// again when it has the answer.
    Asked,
    /// The action is impossible. The reason is a sentence without a full stop.
    Because(String),
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Refusal::Because(message)
    }
}

impl From<&str> for Refusal {
    fn from(message: &str) -> Self {
        Refusal::Because(message.to_owned())
    }
}

/// A reason why a function did not return a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The function waits for an answer; the call contains the question.
    Asked,
    /// The function failed for this reason.
    Failed(Failure),
}

/// The failure of a function, with the place in its source.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Failure {
    /// The problem, as a sentence without a full stop.
    pub message: String,
    /// The path of the source file, as loaded; empty if unknown.
    pub file: String,
    /// The line in the file, counted from 1; 0 if unknown.
    pub line: u32,
    /// The column in the line, counted from 1; 0 if unknown.
    pub column: u32,
    /// True for a panic: a bug of this program, not of a mod.
    pub is_panic: bool,
}

/// A failure with the mods and the function in which it occurred. The failed call has no effect on
/// the game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Fault {
    /// The failure.
    pub failure: Failure,
    /// The id of the function's mod, or the ids of several mods that together cause the fault.
    /// Empty if the engine itself failed.
    pub mods: Vec<String>,
    /// The name of the function; empty if the engine itself failed.
    pub function: String,
    /// The number of answers in the log when the function failed.
    pub decision: usize,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { message, file, line, column, .. } = &self.failure;
        if !file.is_empty() {
            write!(f, "{file}:{line}:{column}: ")?;
        }
        match &self.mods[..] {
            [] => write!(f, "{message} (decision {})", self.decision),
            mods => write!(f, "{message} (mod {}, {}, decision {})", mods.join(" and "), self.function, self.decision),
        }
    }
}

impl std::error::Error for Fault {}

/// Makes a failure from a message. The engine later adds the place of the function.
impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure { message, ..Failure::default() }
    }
}

impl From<Panic> for Failure {
    fn from(panic: Panic) -> Self {
        let message = format!("{panic}; report it with the mods and the record");
        Failure { message, is_panic: true, ..Failure::default() }
    }
}
