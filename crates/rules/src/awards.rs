//! Points that were booked, and how they came about.

use std::sync::Arc;

use board::FeatureRef;

use crate::indices::{FnIdx, ModIdx};
use crate::value::Seat;

/// The most points of one award, and the most that a score marker begins with: sums of such numbers fit everywhere.
pub const MOST_POINTS: u64 = 1 << 40;

/// How a line changes an award.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TermKind {
    /// The value by the manifest's formula.
    Formula,
    /// A value instead of the formula's.
    Replace,
    /// Nothing instead of the formula's value.
    Zero,
    /// More, or less.
    Add,
    /// Twice.
    Double,
    /// Half, rounded up.
    Halve,
}

/// One line of how an award came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AwardLine {
    /// What it does.
    pub kind: TermKind,
    /// The number, where it has one.
    pub amount: i64,
    /// The mod that says so; `None` for the manifest's formula.
    pub owner: Option<ModIdx>,
    /// Its function; `None` for the manifest's formula.
    pub function: Option<FnIdx>,
    /// Why, in the mod's words.
    pub reason: Arc<str>,
}

/// Points that were booked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Award {
    /// Who got them.
    pub player: Seat,
    /// How many.
    pub points: i64,
    /// The feature they came from, if any.
    pub feature: Option<FeatureRef>,
    /// What for: the kind of the feature (or its layer), or what the mod said.
    pub reason: Arc<str>,
    /// How they came about.
    pub lines: Vec<AwardLine>,
    /// Whether it is part of the final count.
    pub is_final: bool,
    /// Whether it was taken from another player's move.
    pub is_loot: bool,
    /// Which marker moved, from 0.
    pub marker: u8,
    /// How many answers the log held.
    pub decision: u32,
}
