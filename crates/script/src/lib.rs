#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod api;
mod budget;
mod changes;
mod compile;
mod conditions;
mod convert;
mod copied_roots;
mod core;
mod docs;
mod engine;
mod entry;
mod error_text;
mod handles;
mod host;
mod lex;
mod library;
mod limits;
mod lint;
mod memory;
mod named_options;
mod natives;
mod params;
mod reference;
mod register;
mod replies;
mod scan;
mod script_value;
mod trace;
mod tree;
mod type_names;
mod types;
mod weight;

pub use changes::{API_VERSION, MigratedPlace, Migration, advice_on_late_filters, changes, help_for_key, migrate};
pub use compile::ScriptSource;
pub use conditions::{NewCondition, OldFilter};
pub use docs::{definitions, docs};
pub use host::ScriptHost;
pub use lex::{ScriptToken, ScriptTokenKind, is_reserved_word, lex};
pub use lint::{FunctionInfo, Inspection, Vocabulary, inspect};
pub use reference::{ReferenceEntry, ReferenceKind, reference};
