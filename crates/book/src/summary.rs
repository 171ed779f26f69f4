//! A short summary of the rules of mods: the order of a turn, the points, and the words.

use loader::Loaded;
use rules::{Catalogue, Slot};
use table::capitalize;

use crate::chapter::{DeclaredNames, points, words};
use crate::names::spaced_name;

/// A short summary of the rules of loaded mods.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RulesSummary {
    /// The titles of the mods.
    pub titles: Vec<String>,
    /// The steps of a turn, in order.
    pub turn: Vec<String>,
    /// A row for each kind of land or layer that scores: its name, the points for completion, and
    /// the points in the final count. A dash stands for no points.
    pub points: Vec<[String; 3]>,
    /// The names that the mods declare, with their descriptions.
    pub words: Vec<[String; 2]>,
}

impl RulesSummary {
    /// Makes the summary of all loaded mods. `catalogue` contains the declarations of the mods
    /// under the settings of the game.
    pub fn new(loaded: &Loaded, catalogue: &Catalogue) -> RulesSummary {
        RulesSummary {
            titles: catalogue.mods.iter().map(|info| info.title.clone()).collect(),
            turn: steps_of_turn(loaded, catalogue),
            points: points(catalogue, |_, _| true),
            words: (0..catalogue.mods.len()).flat_map(|owner| words(loaded, owner)).collect(),
        }
    }
}

/// Returns the steps of a turn: a sentence for each phase, with the description of the mod that
/// adds it. Omits the phases of the core in which no player can do anything.
pub(crate) fn steps_of_turn(loaded: &Loaded, catalogue: &Catalogue) -> Vec<String> {
    let described: Vec<[String; 2]> =
        (0..catalogue.mods.len()).flat_map(|owner| DeclaredNames::of(loaded, owner).phases()).collect();
    let can_deploy = catalogue.pieces.iter().any(|piece| piece.stands_on.0 != 0);
    let can_complete = catalogue.points.iter().chain(&catalogue.layer_points).any(|points| points.complete.is_some());
    let step = |phase: &rules::Phase| match phase.slot {
        Slot::Draw if phase.id == "draw" => Some("Draw a tile".to_owned()),
        Slot::Place if phase.id == "place" => Some("Place the tile".to_owned()),
        Slot::Piece if phase.id == "piece" => can_deploy.then(|| "Deploy a piece on the tile, if you want".to_owned()),
        Slot::Score if phase.id == "score" => can_complete.then(|| "Score what was completed".to_owned()),
        _ => {
            let name = capitalize(&spaced_name(&phase.id).replace('-', " "));
            let found = described.iter().find(|[id, about]| *id == phase.id && !about.is_empty());
            Some(found.map_or(name.clone(), |[_, about]| format!("{name}: {about}")))
        }
    };
    catalogue.phases.iter().filter_map(step).collect()
}
