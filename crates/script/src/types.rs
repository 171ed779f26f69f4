//! Rust types of values that only scripts use.

use std::sync::Arc;

use board::{Placement, TileIdx, ZoneRef};
use rules::{OptionValue, PieceKindIdx};

/// A space of the score track, by its number, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TrackSpace(pub u32);

/// A card, by its number in the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct CardRef(pub u16);

/// A placement of a tile type: a spot and a facing in which the tile type fits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TilePlacement {
    pub tile: TileIdx,
    pub at: Placement,
}

/// A kind of piece, and a zone to which it may be deployed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Deployment {
    pub kind: PieceKindIdx,
    pub zone: ZoneRef,
}

/// An option, offered or chosen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ScriptOption(pub Arc<OptionValue>);

/// The award that `score_value` and `score_total` receive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Score;

/// The variable `turn`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TurnView;

/// The value of the variable `settings` in scripts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct SettingsView;
