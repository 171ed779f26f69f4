//! What people make mods with, without anything that draws: drafts of tiles, manifests that are edited with everything else in them kept, what an
//! author wants to know while writing rules, tests written from a moment of play, mods packed and installed.

pub mod checker;
pub mod document;
pub mod rule_text;

pub use script::{ReferenceEntry, ReferenceKind, Vocabulary, reference};
