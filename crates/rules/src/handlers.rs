//! Event dispatch: tests the filters of manifests against the state, and builds the arguments of
//! handlers.

use std::ops::Deref;

use board::{Board, CompletionRule, FeatureRef, KindSet, LayerIdx, Spot, TagCarrier, TagIdx, TileRef, ZoneRef};

use crate::call::Rules;
use crate::catalogue::Handler;
use crate::event::{DepartedPiece, MarkerMove, RuleEvent, Scoring};
use crate::filter::Filter;
use crate::indices::{PieceKindIdx, PileIdx};
use crate::position::{Location, PilePlace};
use crate::reads::ReadSet;
use crate::state::State;
use crate::value::{Seat, Value};

impl Filter {
    /// Returns whether a feature passes the filter.
    #[inline]
    pub(crate) fn fits_feature(&self, rules: &Rules, state: &State, feature: FeatureRef) -> bool {
        self.kinds.contains(state.board.kind(feature.anchor))
            && (self.with.0 == 0 || state.board.piece_kinds(feature).intersects(self.with))
            && (self.tags.is_empty() || self.tags.iter().any(|tag| carries(rules, &state.board, feature, *tag)))
            && self.pile.is_none_or(|pile| lies_on(rules, state, feature, pile))
    }

    /// Returns whether any feature can pass the filter. Returns false if the filter needs certain
    /// kinds of pieces and none of these pieces is on the board.
    #[inline]
    pub(crate) fn may_match(&self, state: &State) -> bool {
        self.with.0 == 0 || state.board.all_piece_kinds().intersects(self.with)
    }

    /// Returns whether the filter has conditions on features besides their kind.
    #[inline]
    pub(crate) fn is_about_features(&self) -> bool {
        self.with.0 != 0 || !self.tags.is_empty() || self.pile.is_some()
    }

    /// Returns whether at least one feature on the tile passes the filter.
    pub(crate) fn fits_tile(&self, rules: &Rules, state: &State, tile: TileRef) -> bool {
        if !self.may_match(state) {
            return false;
        }
        let mut zones = state.board.zones_of(&rules.catalogue().tile_set, tile);
        !self.is_about_features() && self.kinds == KindSet::ALL || zones.any(|zone| self.fits_zone(rules, state, zone))
    }

    /// Returns whether the feature that contains the zone passes the filter in at least one layer.
    #[inline]
    pub(crate) fn fits_zone(&self, rules: &Rules, state: &State, zone: ZoneRef) -> bool {
        // A zone has the same kind in all layers.
        if !self.kinds.contains(state.board.kind(zone)) {
            return false;
        }
        // Every zone takes part in layer 0.
        let layers = (0..state.board.n_layers() as u8).map(LayerIdx);
        let mut layers = layers.filter(|layer| layer.0 == 0 || state.board.layer_includes(*layer, zone));
        layers.any(|layer| self.fits_feature(rules, state, FeatureRef { layer, anchor: zone }))
    }

    /// Returns whether the running part of the turn passes the filter. Tests the features completed
    /// in this part if `is_scored` is true, and otherwise the features on the part's laid tile.
    pub(crate) fn fits_part(&self, rules: &Rules, state: &State, is_scored: bool) -> bool {
        let Some(part) = state.part() else { return false };
        if !self.is_about_features() && self.kinds == KindSet::ALL {
            return true;
        }
        match part.tile {
            _ if is_scored => part.completed.iter().any(|c| self.fits_feature(rules, state, c.feature)),
            Some(tile) => self.fits_tile(rules, state, tile),
            None => false,
        }
    }

    /// Returns whether the filter has conditions on moves of score markers.
    pub(crate) fn is_about_moves(&self) -> bool {
        self.only_dark || self.beside.0 != 0
    }

    /// Returns whether a move of a score marker of `player`, from `from` points to `to` points,
    /// passes the filter.
    pub(crate) fn fits_move(&self, rules: &Rules, state: &State, player: Seat, from: i64, to: i64) -> bool {
        let track = &rules.catalogue().track;
        let is_beside = |space: u32| {
            let stands = |kind: PieceKindIdx| self.beside.0 >> kind.0 & 1 == 1;
            let mut pieces = state.pieces().map(|(_, piece)| piece);
            pieces.any(|it| it.place == Location::Space(space) && it.owner != Some(player) && stands(it.kind))
        };
        (!self.only_dark || player == state.player() && track.is_dark(track.space(to)))
            && (self.beside.0 == 0 || is_beside(track.space(from)))
    }

    /// Returns whether a kind of piece passes the filter.
    #[inline]
    pub(crate) fn fits_piece(&self, kind: PieceKindIdx) -> bool {
        self.pieces.0 >> kind.0 & 1 == 1
    }
}

fn carries(rules: &Rules, board: &Board, feature: FeatureRef, tag: TagIdx) -> bool {
    let catalogue = rules.catalogue();
    catalogue.tile_set.tag(tag).on == TagCarrier::Zone
        && catalogue.tag_number(tag, board.columns(feature), board.n_zones_in(feature)) != 0
}

/// Returns whether an item of `pile` lies on a spot that counts for `feature` (see
/// [`board::Layout::n_spots`]).
fn lies_on(rules: &Rules, state: &State, feature: FeatureRef, pile: PileIdx) -> bool {
    let (board, tile_set) = (&state.board, &rules.catalogue().tile_set);
    let own = board.tile_at_zone(feature.anchor).spot;
    rules.reads.add(ReadSet::PILES);
    let is_near =
        |spot: Spot| spot.x.abs_diff(own.x) <= 1 && spot.y.abs_diff(own.y) <= 1 && board.tile_at(spot).is_some();
    match tile_set.kind(board.kind(feature.anchor)).closes {
        _ if state.piles().is_empty() => false,
        CompletionRule::Surrounded => state
            .piles()
            .iter()
            .any(|(place, p, _)| matches!(place, PilePlace::Spot(spot) if is_near(*spot)) && *p == pile),
        CompletionRule::Ports => board.zones(feature).any(|zone| state.pile(board.tile_at_zone(zone).spot, pile) > 0),
    }
}

/// The arguments of a handler: two values at most.
#[derive(Default)]
pub(crate) struct HandlerArgs {
    values: [Value; 2],
    n: usize,
}

impl HandlerArgs {
    fn one(value: Value) -> HandlerArgs {
        HandlerArgs { values: [value, Value::Unit], n: 1 }
    }

    fn two(first: Value, second: Value) -> HandlerArgs {
        HandlerArgs { values: [first, second], n: 2 }
    }
}

impl Deref for HandlerArgs {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.values[..self.n]
    }
}

impl DepartedPiece {
    /// Returns the map that describes the departed piece to handlers.
    fn value(&self, rules: &Rules, state: &State) -> Value {
        let from = match self.from {
            Location::Zone(zone) if !state.board.has_zone(zone) => Value::Unit,
            Location::Zone(zone) => Value::Zone(zone),
            Location::Spot(spot) => Value::Spot(spot),
            Location::Corner(corner) => Value::Corner(corner),
            Location::Border(border) => Value::Border(border),
            Location::Space(space) => Value::Space(space),
            Location::Kept(seat) => Value::Player(seat),
        };
        Value::map([
            ("piece", self.piece.map_or(Value::Unit, Value::Piece)),
            ("from", from),
            ("how", Value::text(self.how.name())),
            ("kind", Value::text(&rules.catalogue().piece(self.kind).name)),
            ("owner", self.owner.map_or(Value::Unit, Value::Player)),
            (
                "zones",
                Value::list(self.zones.iter().copied().filter(|zone| state.board.has_zone(*zone)).map(Value::Zone)),
            ),
            ("reason", Value::Text(self.reason.clone())),
        ])
    }
}

impl Scoring {
    /// Returns the map that `scored(scoring)` receives.
    fn value(&self) -> Value {
        let moves = self.moves.iter().map(|it| {
            Value::map([
                ("player", Value::Player(it.player)),
                ("marker", Value::Int(i64::from(it.marker))),
                ("from", Value::Int(it.from)),
                ("to", Value::Int(it.to)),
                ("points", Value::Int(it.to - it.from)),
                ("feature", it.feature.map_or(Value::Unit, Value::Feature)),
                ("reason", Value::Text(it.reason.clone())),
                ("is_loot", Value::Bool(self.is_loot)),
            ])
        });
        Value::map([
            ("moves", Value::list(moves)),
            ("features", Value::list(self.features.iter().map(|it| Value::Feature(*it)))),
            ("is_final", Value::Bool(self.is_final)),
            ("is_loot", Value::Bool(self.is_loot)),
        ])
    }
}

impl RuleEvent {
    /// Returns the arguments with which the engine calls `handler` for the event. For
    /// `before_scoring`, the arguments contain only the features that pass the handler's filter.
    pub fn args(&self, rules: &Rules, state: &State, handler: &Handler) -> HandlerArgs {
        let feature_at = |anchor: ZoneRef| Value::Feature(FeatureRef { layer: LayerIdx(0), anchor });
        match self {
            RuleEvent::ArrangeDeck(deck) => HandlerArgs::one(Value::Deck(*deck)),
            RuleEvent::FitsNowhere(tile) => HandlerArgs::one(Value::TileType(*tile)),
            RuleEvent::TilePlaced(tile) => HandlerArgs::one(Value::Tile(*tile)),
            RuleEvent::PiecePlaced(piece) => HandlerArgs::one(Value::Piece(*piece)),
            RuleEvent::PieceLeft(departed) | RuleEvent::PieceReturned(departed) => {
                HandlerArgs::one(departed.value(rules, state))
            }
            RuleEvent::Joined(feature, parts) => {
                HandlerArgs::two(Value::Feature(*feature), Value::list(parts.iter().map(|z| Value::Zone(*z))))
            }
            RuleEvent::Split(parts) => {
                HandlerArgs::two(Value::list(parts.iter().map(|z| feature_at(*z))), feature_at(parts[0]))
            }
            RuleEvent::BeforeScoring(features) => {
                let fitting = features.iter().filter(|f| handler.filter.fits_feature(rules, state, **f));
                HandlerArgs::one(Value::list(fitting.map(|f| Value::Feature(*f))))
            }
            RuleEvent::Completed(feature) => HandlerArgs::one(Value::Feature(*feature)),
            RuleEvent::Scored(scoring) => HandlerArgs::one(scoring.value()),
            RuleEvent::Setup
            | RuleEvent::PartEnded
            | RuleEvent::TurnEnded
            | RuleEvent::BeforeFinalScoring
            | RuleEvent::FinalScoring => HandlerArgs::default(),
        }
    }

    /// Returns whether the subject of the event has left the board, because a mod removed a tile
    /// before the handlers of the event ran.
    #[cold]
    fn is_stale(&self, board: &Board) -> bool {
        match self {
            RuleEvent::TilePlaced(tile) => !board.is_laid(*tile),
            RuleEvent::Joined(feature, parts) => {
                !board.has_zone(feature.anchor) || !parts.iter().all(|zone| board.has_zone(*zone))
            }
            RuleEvent::Split(parts) => !parts.iter().all(|zone| board.has_zone(*zone)),
            RuleEvent::BeforeScoring(features) => !features.iter().all(|feature| board.has_zone(feature.anchor)),
            RuleEvent::Completed(feature) => !board.has_zone(feature.anchor),
            _ => false,
        }
    }

    /// Returns whether the event passes the handler's filter from the manifest.
    pub fn passes(&self, rules: &Rules, state: &State, handler: &Handler) -> bool {
        if state.board.has_removed_tiles() && self.is_stale(&state.board) {
            return false;
        }
        let filter = &handler.filter;
        let tagged = filter.tile_tag.is_none_or(|tag| match self {
            RuleEvent::TilePlaced(tile) => state.tile_tag(&rules.ruleset, *tile, tag).is_some(),
            _ => part_has_tag(rules, state, tag),
        });
        if !tagged {
            return false;
        }
        let fits = |feature: &FeatureRef| filter.fits_feature(rules, state, *feature);
        let on_zone = |zone: &ZoneRef| filter.fits_zone(rules, state, *zone);
        match self {
            RuleEvent::TilePlaced(tile) => filter.fits_tile(rules, state, *tile),
            RuleEvent::PiecePlaced(piece) => state.piece(*piece).is_some_and(|p| {
                filter.fits_piece(p.kind)
                    && match p.place {
                        Location::Zone(zone) => on_zone(&zone),
                        Location::Spot(_)
                        | Location::Corner(_)
                        | Location::Border(_)
                        | Location::Space(_)
                        | Location::Kept(_) => !filter.is_about_features(),
                    }
            }),
            RuleEvent::PieceLeft(DepartedPiece { kind, zones, .. })
            | RuleEvent::PieceReturned(DepartedPiece { kind, zones, .. }) => {
                let on_none = zones.is_empty() && !filter.is_about_features();
                filter.fits_piece(*kind) && (on_none || zones.iter().any(on_zone))
            }
            RuleEvent::BeforeScoring(features) => features.iter().any(fits),
            RuleEvent::Joined(feature, _) | RuleEvent::Completed(feature) => fits(feature),
            RuleEvent::Split(parts) => parts.iter().any(on_zone),
            RuleEvent::PartEnded => filter.fits_part(rules, state, true),
            RuleEvent::Scored(scoring) => {
                let fits = |it: &MarkerMove| filter.fits_move(rules, state, it.player, it.from, it.to);
                let is_heard = !filter.is_about_moves() || scoring.moves.iter().any(fits);
                is_heard && !(filter.only_playing && state.is_final())
            }
            _ => true,
        }
    }
}

/// Returns whether the tile of the running part of the turn carries `tag`.
pub(crate) fn part_has_tag(rules: &Rules, state: &State, tag: TagIdx) -> bool {
    let Some(part) = state.part() else { return false };
    match (part.tile, part.tile_type) {
        (Some(tile), _) => state.tile_tag(&rules.ruleset, tile, tag).is_some(),
        (None, Some(tile)) => rules.catalogue().tile_set.tile(tile).tag(tag).is_some(),
        (None, None) => false,
    }
}
