//! Awards: booked points and their derivation.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use board::FeatureRef;

use crate::indices::{FnIdx, ModIdx};
use crate::value::Seat;

/// The maximum number of points of one award, and of one score marker in a position from a record.
/// Sums of points within this limit cannot overflow.
pub(crate) const MAX_POINTS: u64 = 1 << 40;

/// The effect of a term on the points of an award. A term is a line in the derivation of the award.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum TermKind {
    /// The value that the formula of the manifest gives.
    Formula,
    /// A value that replaces the value of the formula.
    Replace,
    /// The value 0, which replaces the value of the formula and any other replacement.
    Zero,
    /// An addition of points, which may be negative.
    Add,
    /// Doubling of the points.
    Double,
    /// Halving of the points, rounded up.
    Halve,
}

/// A line in the derivation of an award.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AwardLine {
    /// The effect of the line on the award.
    pub kind: TermKind,
    /// The number of points that the line gives or adds; 0 if its effect needs no number.
    pub amount: i64,
    /// The mod that added the line; `None` for the manifest's formula.
    pub owner: Option<ModIdx>,
    /// The function that added the line; `None` for the manifest's formula.
    pub function: Option<FnIdx>,
    /// The reason in the mod's words; for the manifest's formula, the name of the kind of land.
    pub reason: Arc<str>,
}

impl AwardLine {
    /// Returns the total of an award after this line. `total` is the total before this line.
    pub fn apply_to(&self, total: i64) -> i64 {
        match self.kind {
            TermKind::Formula | TermKind::Replace => self.amount,
            TermKind::Zero => 0,
            TermKind::Add => total.saturating_add(self.amount),
            TermKind::Double => total.saturating_mul(2),
            TermKind::Halve => total.div_euclid(2) + total.rem_euclid(2),
        }
    }
}

/// Points for a player that the engine has booked or is about to book.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Award {
    /// The player who receives the points.
    pub player: Seat,
    /// The number of points.
    pub points: i64,
    /// The feature that pays the points; `None` if the points come from a mod.
    pub feature: Option<FeatureRef>,
    /// The reason: the name of the feature's kind of land or further layer, or the mod's words.
    pub reason: Arc<str>,
    /// The derivation of the points: one line for each term.
    pub lines: Vec<AwardLine>,
    /// True if the award belongs to the final count.
    pub is_final: bool,
    /// True for loot: points that a player gets because of another player's move. The other player
    /// loses no points.
    pub is_loot: bool,
    /// The number of the score marker that moves, counted from 0.
    pub marker: u8,
    /// The number of answers in the log when the award was computed.
    pub decision: u32,
}
