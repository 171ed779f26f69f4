//! Why something that a mod wanted did not come about.

use std::fmt;

use crate::panics::Panic;

/// Why a query, an effect or a question gives no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The question has no answer yet: the function must end here and is run again once it has.
    Asked,
    /// It is not possible; a sentence without a full stop.
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

/// Why a function did not return a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// It waits for an answer; the call holds the question.
    Asked,
    /// It failed.
    Failed(Failure),
}

/// What went wrong in a function, and where.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Failure {
    /// What is wrong, a sentence without a full stop.
    pub message: String,
    /// The file, as the mod was loaded from.
    pub file: String,
    /// The line, from 1; 0 where unknown.
    pub line: u32,
    /// The column, from 1; 0 where unknown.
    pub column: u32,
    /// Whether it comes of a panic: the program is to blame, and no mod.
    pub is_panic: bool,
}

/// A failure in its surroundings: the game stands as it was before the function was called.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fault {
    /// What went wrong.
    pub failure: Failure,
    /// The mod, or several where they contradict each other.
    pub mods: Vec<String>,
    /// The function.
    pub function: String,
    /// How many answers the log held.
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

/// What a fault is made of before the engine adds the surroundings.
impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure { message, ..Failure::default() }
    }
}

impl From<Panic> for Failure {
    fn from(panic: Panic) -> Self {
        let message = format!("{panic}; please report it with the mods and the record");
        Failure { message, is_panic: true, ..Failure::default() }
    }
}
