//! Filters of manifests: for which moments a mod's function is called at all, tested before any script runs.

use std::sync::Arc;

use board::{Board, Closes, FeatureRef, KindSet, LayerIdx, Occupants, Spot, TagIdx, TagOn, TileRef, ZoneRef};

use crate::catalogue::{ModIdx, PieceKindIdx, PileIdx};
use crate::ruleset::Rules;
use crate::state::{Scope, State};
use crate::value::Value;

/// What a manifest writes in `[hook.*]` and `[[phase]]` to have a function called less often. Everything that is said must hold; the default
/// lets everything through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Only for tiles that carry this tag (hooks about a tile: the tile; others: the tile of the part).
    pub tile_tag: Option<TagIdx>,
    /// Only for features, zones or pieces on these kinds.
    pub kinds: KindSet,
    /// Only for these sorts of pieces.
    pub pieces: Occupants,
    /// Only for features that carry one of these tags of zones; empty for all.
    pub tags: Vec<TagIdx>,
    /// Only for features on which a piece of one of these sorts stands; empty for all.
    pub with: Occupants,
    /// Only for features with something of this pile on one of their spots.
    pub pile: Option<PileIdx>,
    /// Only in parts in which something was completed; features are then those completed.
    pub completed: bool,
    /// Only for a player who holds a tile with this tag.
    pub hand: Option<TagIdx>,
    /// Only where the mod remembers something under this name.
    pub memory: Option<Arc<str>>,
    /// Only for features of more tiles than the number that the mod remembers for the game under the name of their kind, if it does.
    pub larger: bool,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            tile_tag: None,
            kinds: KindSet::ALL,
            pieces: Occupants(u32::MAX),
            tags: Vec::new(),
            with: Occupants::default(),
            pile: None,
            completed: false,
            hand: None,
            memory: None,
            larger: false,
        }
    }
}

/// A filter as the modding reference shows it.
#[derive(Clone, Copy, Debug)]
pub struct FilterInfo {
    /// The key in the manifest.
    pub name: &'static str,
    /// What is written there.
    pub takes: &'static str,
    /// What it lets through.
    pub about: &'static str,
}

/// All filters, in the order of the reference.
pub const FILTERS: &[FilterInfo] = &[
    FilterInfo {
        name: "only_tile_tag",
        takes: "a tag of tiles",
        about: "The tile carries the tag: the one that the hook is about, else the tile of the part.",
    },
    FilterInfo {
        name: "only_kind",
        takes: "kinds of land",
        about: "The feature, zone or piece is, or is on, land of these kinds; of a tile, the zone that the other filters are about.",
    },
    FilterInfo { name: "only_piece", takes: "pieces", about: "The piece is, or counts as, one of these." },
    FilterInfo {
        name: "only_tag",
        takes: "tags of zones",
        about: "The feature carries one of these tags, as it is merged.",
    },
    FilterInfo {
        name: "only_with",
        takes: "pieces",
        about: "On the feature stands a piece that is, or counts as, one of these, whoever it belongs to.",
    },
    FilterInfo {
        name: "only_pile",
        takes: "a pile",
        about: "Something of the pile lies on a spot that counts for the feature.",
    },
    FilterInfo {
        name: "only_completed",
        takes: "true",
        about: "Something was completed in this part; what is said of features is then said of those completed.",
    },
    FilterInfo {
        name: "only_hand",
        takes: "a tag of tiles",
        about: "The player whose turn it is holds a tile with the tag in hand.",
    },
    FilterInfo {
        name: "only_mem",
        takes: "a name",
        about: "The mod remembers something under this name, in `mem.part`, `mem.turn` or `mem.game`.",
    },
    FilterInfo {
        name: "only_larger",
        takes: "true",
        about: "The feature has more tiles than the number that the mod remembers in `mem.game` under the name of its kind: a record is \
                broken. While nothing is remembered there, every feature passes.",
    },
];

impl Filter {
    /// Whether the part, the player and what `owner` remembers let the function be called. The tag of the tile is the caller's to test.
    #[inline]
    pub(crate) fn fits_turn(&self, rules: &Rules, state: &State, owner: ModIdx) -> bool {
        (!self.completed || state.part().is_some_and(|part| !part.completed.is_empty()))
            && self.hand.is_none_or(|tag| holds(rules, state, tag))
            && self.memory.as_ref().is_none_or(|name| remembers(state, owner, name))
    }

    /// Whether the filter lets a feature through.
    #[inline]
    pub(crate) fn fits_feature(&self, rules: &Rules, state: &State, feature: FeatureRef) -> bool {
        self.kinds.contains(state.board.kind(feature.anchor))
            && (self.with.0 == 0 || state.board.occupants(feature).meets(self.with))
            && (self.tags.is_empty() || self.tags.iter().any(|tag| carries(rules, &state.board, feature, *tag)))
            && self.pile.is_none_or(|pile| lies_on(rules, state, feature, pile))
    }

    /// Whether the filter lets a completed feature through by how large it is.
    #[inline]
    pub(crate) fn fits_size(&self, rules: &Rules, state: &State, owner: ModIdx, feature: FeatureRef) -> bool {
        if !self.larger {
            return true;
        }
        let kind = &rules.catalogue().land.kind(state.board.kind(feature.anchor)).name;
        let record = state.memory(owner, Scope::Game).and_then(|memory| memory.get(kind.as_str()));
        !matches!(record, Some(Value::Int(n)) if i64::from(state.board.n_tiles(feature)) <= *n)
    }

    /// Whether any feature at all can be let through: not where pieces are asked for of which none stands on the board.
    #[inline]
    pub(crate) fn may_hear(&self, state: &State) -> bool {
        self.with.0 == 0 || state.board.all_occupants().meets(self.with)
    }

    /// Whether something is said about features besides their kind.
    #[inline]
    pub(crate) fn is_about_features(&self) -> bool {
        self.with.0 != 0 || !self.tags.is_empty() || self.pile.is_some()
    }

    /// Whether the filter lets a tile through by the features that lie on it.
    pub(crate) fn fits_tile(&self, rules: &Rules, state: &State, tile: TileRef) -> bool {
        if !self.may_hear(state) {
            return false;
        }
        let mut zones = state.board.zones_of(&rules.catalogue().land, tile);
        !self.is_about_features() && self.kinds == KindSet::ALL || zones.any(|zone| self.fits_zone(rules, state, zone))
    }

    /// Whether the filter lets a zone through by one of the features that it is a part of.
    #[inline]
    pub(crate) fn fits_zone(&self, rules: &Rules, state: &State, zone: ZoneRef) -> bool {
        // It is of one kind in all layers.
        if !self.kinds.contains(state.board.kind(zone)) {
            return false;
        }
        // Every zone takes part in layer 0.
        let layers = (0..state.board.n_layers() as u8).map(LayerIdx);
        let mut layers = layers.filter(|layer| layer.0 == 0 || state.board.takes_part(*layer, zone));
        layers.any(|layer| self.fits_feature(rules, state, FeatureRef { layer, anchor: zone }))
    }

    /// Whether the filter lets the running part through: by what was completed in it where it asks for that, else by its tile.
    pub(crate) fn fits_part(&self, rules: &Rules, state: &State) -> bool {
        let Some(part) = state.part() else { return false };
        match part.tile {
            _ if self.completed => part.completed.iter().any(|c| self.fits_feature(rules, state, c.feature)),
            Some(tile) => self.fits_tile(rules, state, tile),
            None => !self.is_about_features() && self.kinds == KindSet::ALL,
        }
    }

    /// Whether it lets a sort of piece through.
    #[inline]
    pub(crate) fn fits_piece(&self, kind: PieceKindIdx) -> bool {
        self.pieces.0 >> kind.0 & 1 == 1
    }
}

/// Whether the player whose turn it is holds a tile with `tag`.
fn holds(rules: &Rules, state: &State, tag: TagIdx) -> bool {
    let player = state.player();
    state.hand(player).any(|tile| rules.catalogue().land.tile(tile).tag(tag).is_some())
}

fn remembers(state: &State, owner: ModIdx, name: &str) -> bool {
    let scopes = [Scope::Part, Scope::Turn, Scope::Game];
    scopes.into_iter().any(|scope| state.memory(owner, scope).is_some_and(|memory| memory.contains_key(name)))
}

fn carries(rules: &Rules, board: &Board, feature: FeatureRef, tag: TagIdx) -> bool {
    let catalogue = rules.catalogue();
    catalogue.land.tag(tag).on == TagOn::Zone
        && catalogue.tag_number(tag, board.columns(feature), board.n_zones_in(feature)) != 0
}

/// Whether something of `pile` lies on a spot that counts for `feature` (see [`board::Laid::n_spots`]).
fn lies_on(rules: &Rules, state: &State, feature: FeatureRef, pile: PileIdx) -> bool {
    let (board, land) = (&state.board, &rules.catalogue().land);
    let own = board.tile_at_zone(feature.anchor).spot;
    let is_near = |spot: Spot| spot.x.abs_diff(own.x) <= 1 && spot.y.abs_diff(own.y) <= 1;
    match land.kind(board.kind(feature.anchor)).closes {
        _ if state.piles().is_empty() => false,
        Closes::Surrounded => state.piles().iter().any(|(spot, p, _)| *p == pile && is_near(*spot)),
        Closes::Ports => board.zones(feature).any(|zone| state.pile(board.tile_at_zone(zone).spot, pile) > 0),
    }
}
