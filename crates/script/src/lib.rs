#![doc = include_str!("../README.md")]

mod api;
mod compile;
mod convert;
mod core;
mod direct;
mod docs;
mod engine;
mod handles;
mod held;
mod host;
mod lint;
mod memory;
mod params;
mod register;
mod replies;
mod words;

pub use docs::{definitions, docs};
pub use host::{Host, ScriptSource};
pub use lint::{FunctionInfo, Inspection, ScriptProblem, Vocabulary, inspect};
