//! The names that the linter knows, and the problems that it collects.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Diagnostic, LineIndex, Severity, Span};
use rhai::Position;
use serde::{Deserialize, Serialize};

use crate::compile::ScriptSource;
use crate::params::NameCategory;
use crate::type_names::counted;

/// The names that a mod and the mods on which it builds declare. If `kinds` is empty, the
/// declarations of the other mods are unknown. The linter then does not check names that mods
/// share, such as kinds, tags and pieces.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Vocabulary {
    /// Ids of the phases that the mod declares.
    pub phases: Vec<String>,
    /// Words of the options that the mod declares.
    pub options: Vec<String>,
    /// Names of the settings that the mod declares.
    pub settings: Vec<String>,
    /// Ids of the phases of all known mods. The function `skip` accepts these ids.
    pub all_phases: Vec<String>,
    /// Names of the kinds of land.
    pub kinds: Vec<String>,
    /// Names of the tags.
    pub tags: Vec<String>,
    /// Names of the tags of zones. All other tags are tags of tiles.
    pub zone_tags: Vec<String>,
    /// Names of the layers.
    pub layers: Vec<String>,
    /// Names of the kinds of pieces.
    pub pieces: Vec<String>,
    /// Names of the tokens.
    pub tokens: Vec<String>,
    /// Names of the piles.
    pub piles: Vec<String>,
    /// Names of the decks.
    pub decks: Vec<String>,
    /// Ids of the mods on this disk, and of the mods that the manifest names.
    pub mods: Vec<String>,
    /// Names of the settings of each known mod, by the id of the mod.
    pub settings_of: BTreeMap<String, Vec<String>>,
    /// Ids of the tiles of known mods, prefixed with the id of the mod, such as `base/K`. The list
    /// contains no tiles of a mod whose tiles depend on settings.
    pub tiles: Vec<String>,
    /// True if the mod itself has no tiles, whatever the settings are.
    pub has_no_tiles: bool,
}

/// The eight directions.
const DIRECTIONS: [&str; 8] = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];

impl Vocabulary {
    /// Returns the names of the category `declared`, against which the linter checks `text`; `None`
    /// if these names are unknown. `own` is the id of the mod that owns the script.
    pub(super) fn valid_names(&self, declared: NameCategory, text: &str, own: &str) -> Option<Vec<&str>> {
        let list = match declared {
            NameCategory::Kind => &self.kinds,
            NameCategory::Tag => &self.tags,
            NameCategory::Piece => &self.pieces,
            NameCategory::Token => &self.tokens,
            NameCategory::Pile => &self.piles,
            NameCategory::Deck => &self.decks,
            NameCategory::Layer => &self.layers,
            NameCategory::Phase => &self.all_phases,
            NameCategory::Mod => {
                return (!self.mods.is_empty()).then(|| self.mods.iter().map(String::as_str).collect());
            }
            NameCategory::Tile => return self.tiles_like(text, own),
            NameCategory::Direction => return Some(DIRECTIONS.to_vec()),
            NameCategory::Edge => return Some(board::Edge::ALL.map(board::Edge::letter).to_vec()),
            NameCategory::EdgeOrHalf => return Some(board::Port::NAMES.to_vec()),
            NameCategory::When => return Some(vec!["now", "after"]),
            NameCategory::Setting | NameCategory::PartReason | NameCategory::PieceReason => return None,
        };
        (!self.kinds.is_empty()).then(|| list.iter().map(String::as_str).collect())
    }

    /// Returns whether a mod declares a kind, tag, piece, token, pile, deck or layer called `name`.
    pub(super) fn declares(&self, name: &str) -> bool {
        let lists = [&self.kinds, &self.tags, &self.pieces, &self.tokens, &self.piles, &self.decks, &self.layers];
        lists.into_iter().flatten().any(|declared| declared == name)
    }

    /// Returns the ids of the tiles that the id `text` may mean: all known tiles if `text` has a
    /// prefix, otherwise the tiles of the mod `own`. Returns `None` if no tile of the mod that
    /// `text` means is known, unless the mod `own` has no tiles.
    fn tiles_like(&self, text: &str, own: &str) -> Option<Vec<&str>> {
        let (prefix, is_own) = match text.split_once('/') {
            Some((prefix, _)) => (prefix, false),
            None => (own, true),
        };
        let of_mod = |id: &str| id.split_once('/').is_some_and(|(owner, _)| owner == prefix);
        let is_known = self.tiles.iter().any(|id| of_mod(id)) || is_own && self.has_no_tiles;
        if !is_known {
            return None;
        }
        let ids = self.tiles.iter().map(String::as_str);
        Some(match is_own {
            true => ids.filter(|id| of_mod(id)).filter_map(|id| id.split_once('/').map(|(_, id)| id)).collect(),
            false => ids.collect(),
        })
    }
}

/// The problems that the linter has found so far in a script.
pub(super) struct Findings<'s> {
    source: &'s ScriptSource,
    lines: LineIndex,
    problems: BTreeSet<Diagnostic>,
    /// The number of further problems, which are only counted.
    n_more: usize,
}

/// The maximum number of problems reported for one script.
const MAX_PROBLEMS: usize = 200;

impl<'s> Findings<'s> {
    pub(super) fn new(source: &'s ScriptSource) -> Findings<'s> {
        Findings { source, lines: LineIndex::new(&source.text), problems: BTreeSet::new(), n_more: 0 }
    }

    /// Returns the problems in the order of the text.
    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        let file = Span { file: self.source.file.clone(), ..Span::default() };
        let more = || Diagnostic::error(file, format!("this script has {}", counted(self.n_more, "more problem")));
        self.problems.into_iter().chain((self.n_more > 0).then(more)).collect()
    }

    /// Returns whether the list of problems is full. If so, counts one more problem, and the caller
    /// need not describe the problem.
    pub(super) fn count_if_full(&mut self) -> bool {
        let is_full = self.problems.len() >= MAX_PROBLEMS;
        self.n_more += usize::from(is_full);
        is_full
    }

    /// Adds an error.
    pub(super) fn error(&mut self, at: Position, message: String, help: Option<String>) {
        self.add(Severity::Error, at, message, help);
    }

    /// Adds a warning.
    pub(super) fn warn(&mut self, at: Position, message: String, help: Option<String>) {
        self.add(Severity::Warning, at, message, help);
    }

    /// Returns the id of the mod that owns the script.
    pub(super) fn owner(&self) -> &str {
        &self.source.owner
    }

    /// Adds a problem.
    pub(super) fn add(&mut self, severity: Severity, at: Position, message: String, help: Option<String>) {
        let (line, column) = (at.line().unwrap_or(1) as u32, at.position().unwrap_or(1).max(1) as u32);
        let span = self.lines.word_span(&self.source.file, &self.source.text, line, column);
        let mut problem = Diagnostic { severity, ..Diagnostic::error(span, message) };
        if let Some(help) = help {
            problem.help(help);
        }
        if self.problems.len() < MAX_PROBLEMS || self.problems.contains(&problem) {
            self.problems.insert(problem);
        } else {
            self.n_more += 1;
        }
    }
}
