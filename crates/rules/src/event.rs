//! Events: what happened, which hook it is, what handlers are told and which of them hear of it.

use std::sync::Arc;

use board::{FeatureRef, TileRef, ZoneRef};

use crate::hooks::Hook;
use crate::indices::{DeckIdx, PieceKindIdx};
use crate::value::{PieceRef, Seat, Value};

/// Something that happened and that mods have functions for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    Setup,
    ArrangeDeck(DeckIdx),
    TilePlaced(TileRef),
    PiecePlaced(PieceRef),
    PieceReturned(ReturnedPiece),
    Joined(FeatureRef, Arc<[ZoneRef]>),
    Split(Arc<[ZoneRef]>),
    BeforeScoring(Arc<[FeatureRef]>),
    Completed(FeatureRef),
    Scored(Value),
    PartEnded,
    TurnEnded,
    FinalScoring,
}

/// A piece that went home.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ReturnedPiece {
    pub kind: PieceKindIdx,
    pub owner: Option<Seat>,
    /// Where it stood.
    pub zones: Arc<[ZoneRef]>,
    pub reason: Arc<str>,
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
}
