//! Parts of the rules that can be disabled to measure their effect.

use std::fmt;

use board::TagIdx;
use diagnostic::ExpectOrDefault;
use rules::{Catalogue, FnIdx, Hook, PhaseAction};
use serde::{Deserialize, Serialize};

use crate::changed_rules::RuleEdit;

/// A part of the rules that is disabled to measure its effect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum RulePart {
    /// A function of a mod.
    Function {
        /// The id of the mod.
        owner: String,
        /// The name of the function.
        name: String,
    },
    /// A tag of tiles or zones.
    Tag(String),
}

impl fmt::Display for RulePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulePart::Function { owner, name } => write!(f, "{owner}: {name}"),
            RulePart::Tag(tag) => write!(f, "tag {tag}"),
        }
    }
}

/// Lists the parts of the rules that may affect a game, each with the edit that disables it.
pub(crate) fn parts(catalogue: &Catalogue) -> Vec<(RuleEdit, RulePart)> {
    let functions = functions(catalogue).into_iter().filter_map(|function| {
        let it = catalogue.functions.get(function.idx())?;
        let owner =
            catalogue.mods.get(it.owner.idx()).map(|m| m.id.clone()).expect_or_default("each function has a mod");
        Some((RuleEdit::WithoutFunction(function), RulePart::Function { owner, name: it.name.clone() }))
    });
    let tags = tags(catalogue).into_iter();
    let tags = tags.map(|tag| (RuleEdit::WithoutTag(tag), RulePart::Tag(catalogue.tile_set.tag(tag).name.clone())));
    functions.chain(tags).collect()
}

/// Returns the edit that disables a part; `None` if the rules have no such part.
pub(crate) fn edit_of(catalogue: &Catalogue, part: &RulePart) -> Option<RuleEdit> {
    parts(catalogue).into_iter().find(|(_, other)| other == part).map(|(edit, _)| edit)
}

/// Lists the functions that may affect a game: the functions of hooks and phases, except hints,
/// descriptions and migrations.
fn functions(catalogue: &Catalogue) -> Vec<FnIdx> {
    let hooks = Hook::ALL.iter().filter(|hook| !matches!(hook, Hook::Hint | Hook::Describe | Hook::Migrate));
    let handlers = hooks.flat_map(|hook| catalogue.handlers(*hook)).map(|handler| handler.function);
    let phases = catalogue.phases.iter().filter_map(|phase| match phase.runs {
        PhaseAction::Function { function } => Some(function),
        _ => None,
    });
    let mut all: Vec<FnIdx> = handlers.chain(phases).collect();
    all.sort_by_key(|function| function.idx());
    all.dedup();
    all
}

/// Lists the tags that at least one tile or zone has.
fn tags(catalogue: &Catalogue) -> Vec<TagIdx> {
    let tile_set = &catalogue.tile_set;
    let is_used = |at: usize| {
        let Some(tag) = tile_set.tags.get(at) else { return false };
        let first = tag.first_column.0;
        let columns = first..first.saturating_add(tag.values.len().max(1) as u8);
        tile_set.tiles.iter().any(|tile| {
            let on_zone = tag.on != board::TagCarrier::Tile;
            let in_zone = |zone: &board::Zone| zone.tags.iter().any(|it| columns.contains(&it.column.0));
            tile.tags.iter().any(|(other, _)| usize::from(other.0) == at) || on_zone && tile.zones.iter().any(in_zone)
        })
    };
    (0..tile_set.tags.len()).filter(|at| is_used(*at)).map(|at| TagIdx(at as u8)).collect()
}
