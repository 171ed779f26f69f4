//! The declarations of mods, and the settings of one game.

use std::hash::Hasher;
use std::sync::Arc;

use board::{KindIdx, KindSet, LayerIdx, Tile};
use fnv::FnvHasher;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::catalogue::{Catalogue, PhaseAction, PointFormulas, SettingValue};
use crate::filter::Filter;
use crate::hooks::Hook;
use crate::indices::{PieceKindIdx, SettingIdx};

/// The declarations of mods, and the settings of one game.
#[derive(Debug, Default)]
pub struct Ruleset {
    /// The declarations of mods.
    pub catalogue: Arc<Catalogue>,
    /// The value of each setting, followed by the counts that players chose.
    pub settings: Vec<SettingValue>,
    /// The kinds of pieces that players can deploy, because each player has some at the start. In
    /// the order of the catalogue.
    pub(crate) deployable: Vec<PieceKindIdx>,
    /// The kinds of land whose features in layer 0 are scored on completion.
    pub(crate) completes: KindSet,
    /// The text `turn`, which is the reason of each ordinary part of a turn. Ordinary parts share
    /// this allocation.
    pub(crate) turn_reason: Arc<str>,
    /// The name of each kind of land, as the reason of awards.
    pub(crate) kind_names: Vec<Arc<str>>,
    /// The name of each layer, as the reason of awards.
    pub(crate) layer_names: Vec<Arc<str>>,
    /// For each tile type, the indices of those handlers of `tile_placed` whose filters can pass
    /// for a tile of this type.
    pub(crate) tile_handlers: Vec<Vec<u16>>,
    /// For each tile type, true if a placement must meet constraints of kinds of land besides
    /// matching edges.
    pub(crate) constrained_tiles: Vec<bool>,
    /// The index of the core's scoring phase in the catalogue's list of phases; 0 if there is none.
    pub(crate) score_phase: u16,
    /// True if a final count may reuse the points of unchanged features. False if a handler that
    /// affects the count has the filter `only_tile_tag`, because its result can then depend on the
    /// tile of the running part of the turn.
    pub(crate) can_reuse_counts: bool,
    /// The hash of each tile name. The order of draws depends on these hashes.
    pub(crate) tile_hashes: Vec<u64>,
    /// The hash of each card name. The order of draws depends on these hashes.
    pub(crate) card_hashes: Vec<u64>,
}

/// Serializes only the declarations and settings, because the other fields follow from them.
impl Serialize for Ruleset {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.catalogue, &self.settings).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Ruleset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (catalogue, settings) = Deserialize::deserialize(deserializer)?;
        Ok(Ruleset::new(catalogue, settings))
    }
}

impl Ruleset {
    /// Makes a ruleset. `settings` contains the value of each setting, followed by the counts that
    /// players chose.
    pub(crate) fn new(catalogue: Arc<Catalogue>, settings: Vec<SettingValue>) -> Ruleset {
        let deployable = (0..catalogue.pieces.len()).filter(|i| catalogue.pieces[*i].per_player > 0);
        let deployable = deployable.map(|i| PieceKindIdx(i as u8)).collect();
        let kind_names = catalogue.tile_set.kinds.iter().map(|k| Arc::from(k.name.as_str())).collect();
        let layer_names = catalogue.tile_set.layers.iter().map(|l| Arc::from(l.name.as_str())).collect();
        let turn_reason = Arc::from("turn");
        let scored = catalogue.points.iter().enumerate().filter(|(_, p)| p.complete.is_some());
        let completes = scored.map(|(k, _)| KindIdx(k as u8)).collect();
        let placed = || (0..).zip(catalogue.handlers(Hook::TilePlaced));
        let hears = |tile: &Tile, filter: &Filter| {
            let has_kind =
                filter.kinds == KindSet::ALL || tile.zones.iter().any(|zone| filter.kinds.contains(zone.kind));
            has_kind && filter.tile_tag.is_none_or(|tag| tile.tag(tag).is_some())
        };
        let handlers_of = |tile| placed().filter(|(_, h)| hears(tile, &h.filter)).map(|(i, _)| i).collect();
        let tile_handlers = catalogue.tile_set.tiles.iter().map(handlers_of).collect();
        let constrained_tiles =
            catalogue.tile_set.tiles.iter().map(|tile| catalogue.joining.iter().any(|j| j.concerns(tile))).collect();
        let tile_hashes = catalogue.tile_set.tiles.iter().map(|t| hash_text(&t.name)).collect();
        let card_hashes = catalogue.cards.iter().map(|c| hash_text(&c.name)).collect();
        let score_phase =
            catalogue.phases.iter().position(|phase| phase.runs == PhaseAction::Score).unwrap_or(0) as u16;
        const COUNTING_HOOKS: [Hook; 6] =
            [Hook::IsComplete, Hook::Strength, Hook::BreakTie, Hook::ScoreValue, Hook::ScoreTotal, Hook::FinalScoring];
        let mut counting = COUNTING_HOOKS.iter().flat_map(|hook| catalogue.handlers(*hook));
        let can_reuse_counts = counting.all(|handler| handler.filter.tile_tag.is_none());
        Ruleset {
            catalogue,
            settings,
            deployable,
            completes,
            turn_reason,
            kind_names,
            layer_names,
            tile_handlers,
            constrained_tiles,
            score_phase,
            can_reuse_counts,
            tile_hashes,
            card_hashes,
        }
    }

    /// Returns the setting as a number: 0 or 1 for a switch, 0 for a word.
    pub fn setting_number(&self, setting: SettingIdx) -> i64 {
        match &self.settings[setting.idx()] {
            SettingValue::Bool(on) => i64::from(*on),
            SettingValue::Int(n) => *n,
            SettingValue::Text(_) | SettingValue::Count(..) => 0,
        }
    }

    /// Returns the formulas for features of `layer` whose anchor has kind `kind`; `None` if the
    /// catalogue has no entry.
    pub(crate) fn points(&self, layer: LayerIdx, kind: KindIdx) -> Option<&PointFormulas> {
        match layer.0 {
            0 => self.catalogue.points.get(kind.0 as usize),
            l => self.catalogue.layer_points.get(l as usize),
        }
    }
}

/// Returns a hash of a text (FNV-1a), the same on every machine.
pub fn hash_text(text: &str) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}
