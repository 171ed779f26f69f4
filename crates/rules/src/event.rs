//! Events: what happened, which hook it is, what handlers are told and which of them hear of it.

use std::ops::Deref;
use std::sync::Arc;

use board::{FeatureRef, LayerIdx, TileRef, ZoneRef};

use crate::catalogue::{DeckIdx, Handler, PieceKindIdx};
use crate::hooks::Hook;
use crate::ruleset::Rules;
use crate::state::{Place, State};
use crate::value::{PieceRef, Seat, Value};

/// Something that happened and that mods have functions for.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    Setup,
    ArrangeDeck(DeckIdx),
    TilePlaced(TileRef),
    PiecePlaced(PieceRef),
    PieceReturned(Home),
    Joined(FeatureRef, Arc<[ZoneRef]>),
    Split(Arc<[ZoneRef]>),
    BeforeScoring(Arc<[FeatureRef]>),
    Completed(FeatureRef),
    Scored(Value),
    PartEnded,
    TurnEnded,
    FinalScoring,
}

/// What a handler is told: two values at most.
#[derive(Default)]
pub(crate) struct Args {
    values: [Value; 2],
    n: usize,
}

impl Args {
    fn one(value: Value) -> Args {
        Args { values: [value, Value::Unit], n: 1 }
    }

    fn two(first: Value, second: Value) -> Args {
        Args { values: [first, second], n: 2 }
    }
}

impl Deref for Args {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.values[..self.n]
    }
}

/// A piece that went home.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    pub kind: PieceKindIdx,
    pub owner: Option<Seat>,
    /// Where it stood.
    pub zones: Arc<[ZoneRef]>,
    pub reason: Arc<str>,
}

impl Home {
    /// What handlers are told.
    fn value(&self, rules: &Rules) -> Value {
        let entries = [
            ("kind", Value::text(&rules.catalogue().piece(self.kind).name)),
            ("owner", self.owner.map_or(Value::Unit, Value::Player)),
            ("zones", Value::list(self.zones.iter().copied().map(Value::Zone))),
            ("reason", Value::Text(self.reason.clone())),
        ];
        Value::Map(Arc::new(entries.map(|(key, value)| (Arc::from(key), value)).into()))
    }
}

impl Event {
    pub fn hook(&self) -> Hook {
        match self {
            Event::Setup => Hook::Setup,
            Event::ArrangeDeck(_) => Hook::ArrangeDeck,
            Event::TilePlaced(_) => Hook::TilePlaced,
            Event::PiecePlaced(_) => Hook::PiecePlaced,
            Event::PieceReturned(..) => Hook::PieceReturned,
            Event::Joined(..) => Hook::FeatureJoined,
            Event::Split(_) => Hook::FeatureSplit,
            Event::BeforeScoring(_) => Hook::BeforeScoring,
            Event::Completed(_) => Hook::FeatureCompleted,
            Event::Scored(_) => Hook::Scored,
            Event::PartEnded => Hook::PartEnded,
            Event::TurnEnded => Hook::TurnEnded,
            Event::FinalScoring => Hook::FinalScoring,
        }
    }

    /// What `handler` is told: of several features those that its filters let through.
    pub fn args(&self, rules: &Rules, state: &State, handler: &Handler) -> Args {
        let land = |anchor: ZoneRef| Value::Feature(FeatureRef { layer: LayerIdx(0), anchor });
        match self {
            Event::ArrangeDeck(deck) => Args::one(Value::Deck(*deck)),
            Event::TilePlaced(tile) => Args::one(Value::Tile(*tile)),
            Event::PiecePlaced(piece) => Args::one(Value::Piece(*piece)),
            Event::PieceReturned(home) => Args::one(home.value(rules)),
            Event::Joined(feature, parts) => {
                Args::two(Value::Feature(*feature), Value::list(parts.iter().map(|z| Value::Zone(*z))))
            }
            Event::Split(parts) => Args::two(Value::list(parts.iter().map(|z| land(*z))), land(parts[0])),
            Event::BeforeScoring(features) => {
                let fitting = features.iter().filter(|f| handler.filter.fits_feature(rules, state, **f));
                Args::one(Value::list(fitting.map(|f| Value::Feature(*f))))
            }
            Event::Completed(feature) => Args::one(Value::Feature(*feature)),
            Event::Scored(scoring) => Args::one(scoring.clone()),
            Event::Setup | Event::PartEnded | Event::TurnEnded | Event::FinalScoring => Args::default(),
        }
    }

    /// Whether the handler's manifest filters let this event through.
    pub fn passes(&self, rules: &Rules, state: &State, handler: &Handler) -> bool {
        let filter = &handler.filter;
        let tagged = filter.tile_tag.is_none_or(|tag| match self {
            Event::TilePlaced(tile) => state.tile_tag(&rules.ruleset, *tile, tag).is_some(),
            _ => part_has_tag(rules, state, tag),
        });
        if !tagged || !filter.fits_turn(rules, state, handler.owner) {
            return false;
        }
        let fits = |feature: &FeatureRef| filter.fits_feature(rules, state, *feature);
        let on_zone = |zone: &ZoneRef| filter.fits_zone(rules, state, *zone);
        match self {
            Event::TilePlaced(tile) => filter.fits_tile(rules, state, *tile),
            Event::PiecePlaced(piece) => state.piece(*piece).is_some_and(|p| {
                filter.fits_piece(p.kind)
                    && match p.place {
                        Place::Zone(zone) => on_zone(&zone),
                        Place::Spot(_) | Place::Space(_) => !filter.is_about_features(),
                    }
            }),
            Event::PieceReturned(Home { kind, zones, .. }) => {
                let on_none = zones.is_empty() && !filter.is_about_features();
                filter.fits_piece(*kind) && (on_none || zones.iter().any(on_zone))
            }
            Event::BeforeScoring(features) => features.iter().any(fits),
            Event::Joined(feature, _) => fits(feature),
            Event::Completed(feature) => fits(feature) && filter.fits_size(rules, state, handler.owner, *feature),
            Event::Split(parts) => parts.iter().any(on_zone),
            Event::PartEnded => filter.fits_part(rules, state),
            _ => true,
        }
    }
}

/// Whether the tile of the running part carries `tag`.
pub(crate) fn part_has_tag(rules: &Rules, state: &State, tag: board::TagIdx) -> bool {
    let Some(part) = state.part() else { return false };
    match (part.tile, part.tile_type) {
        (Some(tile), _) => state.tile_tag(&rules.ruleset, tile, tag).is_some(),
        (None, Some(tile)) => rules.catalogue().land.tile(tile).tag(tag).is_some(),
        (None, None) => false,
    }
}
