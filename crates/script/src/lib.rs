#![doc = include_str!("../README.md")]

mod api;
mod compile;
mod convert;
mod core;
mod direct;
mod docs;
mod engine;
mod entry;
mod handles;
mod held;
mod host;
mod lint;
mod memory;
mod near;
mod params;
mod register;
mod replies;
mod scan;
mod types;
mod words;

pub use compile::ScriptSource;
pub use docs::{definitions, docs};
pub use host::Host;
pub use lint::{FunctionInfo, Inspection, ScriptProblem, Vocabulary, inspect};
