//! What the linter goes by, and what it collects.

use diagnostic::{Diagnostic, Span};
use rhai::Position;

use crate::compile::ScriptSource;
use crate::params::Declared;

/// Names that a mod, or the mods it knows of, declare. An empty list is not checked, but for those of the mod itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Vocabulary {
    /// Ids of the phases that the mod declares.
    pub phases: Vec<String>,
    /// Words of the options that the mod declares.
    pub options: Vec<String>,
    /// Names of the settings that the mod declares.
    pub settings: Vec<String>,
    /// Ids of all phases of the mods that are known, for `skip`.
    pub all_phases: Vec<String>,
    /// Kinds of land.
    pub kinds: Vec<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// Layers.
    pub layers: Vec<String>,
    /// Kinds of pieces.
    pub pieces: Vec<String>,
    /// Tokens.
    pub tokens: Vec<String>,
    /// Piles.
    pub piles: Vec<String>,
    /// Decks.
    pub decks: Vec<String>,
}

impl Vocabulary {
    pub(super) fn names(&self, declared: Declared) -> &[String] {
        match declared {
            Declared::Kind => &self.kinds,
            Declared::Tag => &self.tags,
            Declared::Piece => &self.pieces,
            Declared::Token => &self.tokens,
            Declared::Pile => &self.piles,
            Declared::Deck => &self.decks,
            Declared::Layer => &self.layers,
            Declared::Phase => &self.all_phases,
        }
    }
}

/// Problems while they are collected.
pub(super) struct Found<'s> {
    source: &'s ScriptSource,
    problems: Vec<Diagnostic>,
}

impl<'s> Found<'s> {
    pub(super) fn new(source: &'s ScriptSource) -> Found<'s> {
        Found { source, problems: Vec::new() }
    }

    /// Returns everything in the order of the text.
    pub(super) fn sorted(mut self) -> Vec<Diagnostic> {
        self.problems.sort();
        self.problems
    }

    pub(super) fn at(&mut self, at: Position, message: String, help: Option<String>) {
        let (line, column) = (at.line().unwrap_or(1) as u32, at.position().unwrap_or(1).max(1) as u32);
        let span = Span::of_word(&self.source.file, &self.source.text, line, column);
        let problem = Diagnostic { help, ..Diagnostic::error(span, message) };
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}
