//! Events: their hooks and the data that handlers receive.

use std::sync::Arc;

use board::{FeatureRef, TileIdx, TileRef, ZoneRef};

use crate::hooks::Hook;
use crate::indices::{DeckIdx, PieceKindIdx};
use crate::position::Location;
use crate::value::{PieceRef, Seat};

/// An event for which mods can define handlers. Handlers are functions of mods.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RuleEvent {
    Setup,
    ArrangeDeck(DeckIdx),
    FitsNowhere(TileIdx),
    TilePlaced(TileRef),
    PiecePlaced(PieceRef),
    PieceLeft(DepartedPiece),
    PieceReturned(DepartedPiece),
    Joined(FeatureRef, Arc<[ZoneRef]>),
    Split(Arc<[ZoneRef]>),
    BeforeScoring(Arc<[FeatureRef]>),
    Completed(FeatureRef),
    Scored(Arc<Scoring>),
    PartEnded,
    TurnEnded,
    BeforeFinalScoring,
    FinalScoring,
}

/// The way in which a piece left its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Departure {
    /// The piece moved to another place.
    Moved,
    /// The piece moved to a player who keeps it.
    Taken,
    /// The piece returned to supply.
    Returned,
}

impl Departure {
    /// Returns the word for this departure, which handlers receive.
    pub const fn name(self) -> &'static str {
        match self {
            Departure::Moved => "moved",
            Departure::Taken => "taken",
            Departure::Returned => "returned",
        }
    }
}

/// A piece that left its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DepartedPiece {
    /// The piece; `None` if it returned to supply.
    pub piece: Option<PieceRef>,
    pub kind: PieceKindIdx,
    pub owner: Option<Seat>,
    /// The previous place of the piece.
    pub from: Location,
    /// The zones that the piece occupied; empty if it stood on no zone.
    pub zones: Arc<[ZoneRef]>,
    pub how: Departure,
    pub reason: Arc<str>,
}

/// Points that the engine booked together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Scoring {
    /// The moves of score markers, in order.
    pub moves: Vec<MarkerMove>,
    /// The features that were scored.
    pub features: Vec<FeatureRef>,
    pub is_final: bool,
    pub is_loot: bool,
}

/// A move of a score marker. `from` and `to` are the points of the marker before and after the
/// move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MarkerMove {
    pub player: Seat,
    pub marker: u8,
    pub from: i64,
    pub to: i64,
    /// The feature that pays the points; `None` if the points come from a mod.
    pub feature: Option<FeatureRef>,
    pub reason: Arc<str>,
}

impl RuleEvent {
    pub fn hook(&self) -> Hook {
        match self {
            RuleEvent::Setup => Hook::Setup,
            RuleEvent::ArrangeDeck(_) => Hook::ArrangeDeck,
            RuleEvent::FitsNowhere(_) => Hook::TileFitsNowhere,
            RuleEvent::TilePlaced(_) => Hook::TilePlaced,
            RuleEvent::PiecePlaced(_) => Hook::PiecePlaced,
            RuleEvent::PieceLeft(..) => Hook::PieceLeft,
            RuleEvent::PieceReturned(..) => Hook::PieceReturned,
            RuleEvent::Joined(..) => Hook::FeatureJoined,
            RuleEvent::Split(_) => Hook::FeatureSplit,
            RuleEvent::BeforeScoring(_) => Hook::BeforeScoring,
            RuleEvent::Completed(_) => Hook::FeatureCompleted,
            RuleEvent::Scored(_) => Hook::Scored,
            RuleEvent::PartEnded => Hook::PartEnded,
            RuleEvent::TurnEnded => Hook::TurnEnded,
            RuleEvent::BeforeFinalScoring => Hook::BeforeFinalScoring,
            RuleEvent::FinalScoring => Hook::FinalScoring,
        }
    }
}
