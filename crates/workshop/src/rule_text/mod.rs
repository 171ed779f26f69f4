//! What an author wants to know about a text while writing it, be it a script or a manifest.

mod lines;
mod spans;

use std::path::Path;

pub use lines::{commented, indented};
pub use spans::{Span, SpanKind, spans};

/// The language that a file is written in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// A script.
    Rhai,
    /// A manifest, tiles, a theme.
    Toml,
    /// Anything else: shown as it is.
    Plain,
}

impl Language {
    /// Returns the language of a file, which its name tells.
    pub fn of(path: &Path) -> Language {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("rhai") => Language::Rhai,
            Some("toml") => Language::Toml,
            _ => Language::Plain,
        }
    }

    /// Returns what a comment to the end of the line begins with, where there are such.
    pub fn comment(self) -> Option<&'static str> {
        match self {
            Language::Rhai => Some("//"),
            Language::Toml | Language::Plain => Some("#"),
        }
    }
}
