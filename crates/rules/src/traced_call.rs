//! Traced calls of mods' functions, for debugging.

use std::time::Duration;

use crate::indices::FnIdx;

/// A traced call of a function of a mod.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TracedCall {
    /// The called function.
    pub function: FnIdx,
    /// The number of calls that enclose this call; 0 if the engine made the call.
    pub depth: u32,
    /// The texts of the arguments.
    pub args: Vec<String>,
    /// The effects, award terms and questions of the call in order, each written as a call in a
    /// script.
    pub did: Vec<String>,
    /// The way in which the call ended.
    pub end: CallEnd,
    /// The duration of the call, including nested calls.
    pub took: Duration,
}

/// The way in which a call ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallEnd {
    /// The function returned a value, given as text. Empty if the function returned nothing.
    Returned(String),
    /// The function asked a question. After the answer, it runs again from the beginning.
    Asked,
    /// The function failed with this message.
    Failed(String),
}
