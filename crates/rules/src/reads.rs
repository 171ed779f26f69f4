//! The parts of the game that a mod's function reads besides its arguments. While these parts are
//! unchanged, the function returns the same result.

use crate::indices::TokenIdx;

/// A set of those parts of the game that functions of mods read or change, such as the piles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadSet(u64);

/// The bit of the first kind of token. Each kind has a bit; if there are too many kinds, the last
/// ones share one bit.
const FIRST_TOKEN: u32 = 8;

impl ReadSet {
    /// No part of the game. With this set, a function may still read its arguments and values that
    /// never change during a game. If an argument is a feature, the properties and pieces of the
    /// feature count as part of the argument.
    pub const NOTHING: ReadSet = ReadSet(0);
    /// Features adjacent to a feature that is an argument.
    pub const ADJACENT: ReadSet = ReadSet(1);
    /// Piles, on the board and in stock.
    pub const PILES: ReadSet = ReadSet(2);
    /// The number of complete features of each kind of land.
    pub const COMPLETE: ReadSet = ReadSet(4);
    /// The parts of the game that have no bit of their own. The engine treats these parts as always
    /// changed.
    pub(crate) const OTHER: ReadSet = ReadSet(128);
    /// All parts of the game.
    pub const ANYTHING: ReadSet = ReadSet(u64::MAX);

    /// Returns the part of the game that contains the counts of a kind of token: those of all
    /// players and that of the stock.
    pub fn token(token: TokenIdx) -> ReadSet {
        ReadSet(1 << (FIRST_TOKEN + token.idx() as u32).min(u64::BITS - 1))
    }

    /// Returns the union of both sets.
    #[must_use]
    pub const fn union(self, other: ReadSet) -> ReadSet {
        ReadSet(self.0 | other.0)
    }

    /// Returns whether the set contains all parts in `other`.
    pub const fn includes(self, other: ReadSet) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns whether the set contains at least one part in `other`.
    pub const fn meets(self, other: ReadSet) -> bool {
        self.0 & other.0 != 0
    }
}
