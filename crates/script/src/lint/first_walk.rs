//! The results of the first walk through a script.

use std::collections::{BTreeMap, BTreeSet};

use rhai::Position;
use rules::{Hook, HookInfo};

use super::syntax::enclosing_function;
use super::variables::{Content, LiteralVariables};
use super::vocabulary::Vocabulary;
use crate::params::NameCategory;
use crate::scan::ScriptScan;

/// The results of the first walk through a script. The second walk uses these results to avoid
/// false alarms.
pub(super) struct FirstWalk<'a> {
    pub(super) scanned: &'a ScriptScan,
    pub(super) vocabulary: &'a Vocabulary,
    /// The id of the mod that owns the script.
    pub(super) owner: String,
    /// The reasons that the engine gives for parts of turns, and that the script gives for its
    /// extra parts.
    pub(super) part_reasons: BTreeSet<String>,
    /// The reasons that the script and the engine give when they move or return a piece.
    pub(super) piece_reasons: BTreeSet<String>,
    /// The variables that contain literals, and their uses as names.
    pub(super) literals: LiteralVariables<'a>,
    pub(super) keys: BTreeSet<String>,
    /// The positions of the properties right after `mem` and `settings`, which the first walk has
    /// already checked.
    pub(super) seen: BTreeSet<Position>,
    /// The types of the receivers of properties, by the position of the property. Contains only the
    /// types that the linter can infer from the name of a variable, such as `feature`.
    pub(super) receivers: BTreeMap<Position, &'static str>,
    /// The properties whose receivers certainly have these types, by the position of the property.
    pub(super) certain_receivers: BTreeMap<Position, &'static str>,
    /// The methods whose receivers are certainly lists of these types, by the position of the
    /// method.
    pub(super) list_receivers: BTreeMap<Position, &'static str>,
}

impl FirstWalk<'_> {
    /// Returns the names of the category `declared`, against which the linter checks `text`; `None`
    /// if these names are unknown.
    pub(super) fn valid_names(&self, declared: NameCategory, text: &str) -> Option<Vec<&str>> {
        match declared {
            NameCategory::PartReason => Some(self.part_reasons.iter().map(String::as_str).collect()),
            NameCategory::PieceReason => Some(self.piece_reasons.iter().map(String::as_str).collect()),
            other => self.vocabulary.valid_names(other, text, &self.owner),
        }
    }

    /// Returns the hook in whose function the position `at` lies, if any.
    pub(super) fn enclosing_hook(&self, at: Position) -> Option<HookInfo> {
        let around = enclosing_function(at, self.scanned).and_then(|i| self.scanned.functions.get(i));
        around.and_then(|f| Hook::named(&f.name)).map(Hook::info)
    }

    /// Returns the name that the reference gives to the variable `name` at the position `at`, if it
    /// is a parameter of a hook and the function never changes it.
    pub(super) fn hook_param(&self, name: &str, at: Position) -> Option<&'static str> {
        let ((function, _), Content::Argument(n)) = self.literals.content(name, at)? else { return None };
        let function = self.scanned.functions.get(function?)?;
        Hook::named(&function.name)?.info().params.get(*n).copied()
    }
}
