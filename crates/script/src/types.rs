//! Values that have a type of their own in scripts only.

use std::sync::Arc;

use board::{Placement, TileIdx, ZoneRef};
use rules::{OptionValue, PieceKindIdx};

/// A space of the score track.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Space(pub u32);

/// A card of a deck that holds no tiles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Card(pub u16);

/// A sort of tile with a spot and a facing where one may lie.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    pub tile: TileIdx,
    pub at: Placement,
}

/// A piece and the zone where it may be deployed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Deployment {
    pub kind: PieceKindIdx,
    pub zone: ZoneRef,
}

/// An option, offered or chosen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Chosen(pub Arc<OptionValue>);

/// The award that `score_value` is asked about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Score;

/// What `turn` stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TurnView;

/// What `settings` stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct SettingsView;
