//! The names that the linter knows, and the problems that it collects.

use std::collections::BTreeSet;

use diagnostic::{Diagnostic, LineIndex, Span};
use rhai::Position;

use crate::compile::ScriptSource;
use crate::params::Declared;

/// The names that a mod and the mods on which it builds declare. If there are no kinds of land, the
/// declarations of the other mods are unknown; the linter then checks only names of the mod itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Vocabulary {
    /// Ids of the phases that the mod declares.
    pub phases: Vec<String>,
    /// Words of the options that the mod declares.
    pub options: Vec<String>,
    /// Names of the settings that the mod declares.
    pub settings: Vec<String>,
    /// Ids of all phases of the known mods, which `skip` accepts.
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

/// The problems found so far.
pub(super) struct Findings<'s> {
    source: &'s ScriptSource,
    lines: LineIndex,
    problems: BTreeSet<Diagnostic>,
    /// The number of further problems, which are not listed.
    n_more: usize,
}

/// The most problems reported for one script.
const MOST: usize = 200;

impl<'s> Findings<'s> {
    pub(super) fn new(source: &'s ScriptSource) -> Findings<'s> {
        Findings { source, lines: LineIndex::new(&source.text), problems: BTreeSet::new(), n_more: 0 }
    }

    /// Returns the problems in the order of the text.
    pub(super) fn sorted(self) -> Vec<Diagnostic> {
        let file = Span { file: self.source.file.clone(), ..Span::default() };
        let more = || Diagnostic::error(file, format!("this script has {} more problems", self.n_more));
        self.problems.into_iter().chain((self.n_more > 0).then(more)).collect()
    }

    /// Returns whether the list is full. If it is, counts the problem, which the caller then need
    /// not describe.
    pub(super) fn counts_only(&mut self) -> bool {
        let is_full = self.problems.len() >= MOST;
        self.n_more += usize::from(is_full);
        is_full
    }

    pub(super) fn at(&mut self, at: Position, message: String, help: Option<String>) {
        let (line, column) = (at.line().unwrap_or(1) as u32, at.position().unwrap_or(1).max(1) as u32);
        let span = self.lines.word(&self.source.file, &self.source.text, line, column);
        let mut problem = Diagnostic::error(span, message);
        if let Some(help) = help {
            problem.help(help);
        }
        if self.problems.len() < MOST || self.problems.contains(&problem) {
            self.problems.insert(problem);
        } else {
            self.n_more += 1;
        }
    }
}
