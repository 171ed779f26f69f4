//! The parts of the game that a mod's function reads besides its arguments. While these parts are
//! unchanged, the result of the function is unchanged.

use crate::indices::TokenIdx;

/// A set of parts of a game that functions of mods have read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reads(u64);

/// The bit of the first token. Each token has a bit; if there are too many tokens, the last ones
/// share one bit.
const FIRST_TOKEN: u32 = 8;

impl Reads {
    /// No part besides the arguments and the constants of the game. The properties and pieces of a
    /// feature belong to the argument.
    pub const NOTHING: Reads = Reads(0);
    /// Features adjacent to a feature that is an argument.
    pub const NEAR: Reads = Reads(1);
    /// Piles, on the board and in stock.
    pub const PILES: Reads = Reads(2);
    /// The number of complete features of each kind.
    pub const COMPLETE: Reads = Reads(4);
    /// Parts without a bit of their own, which never count as unchanged.
    pub(crate) const UNKNOWN: Reads = Reads(128);
    /// All parts.
    pub const ANYTHING: Reads = Reads(u64::MAX);

    /// Returns the part of the game that contains the counts of a token: those of all players and
    /// of the stock.
    pub fn token(token: TokenIdx) -> Reads {
        Reads(1 << (FIRST_TOKEN + token.idx() as u32).min(u64::BITS - 1))
    }

    /// Returns the union.
    #[must_use]
    pub const fn with(self, other: Reads) -> Reads {
        Reads(self.0 | other.0)
    }

    /// Returns whether the set contains all of `other`.
    pub const fn includes(self, other: Reads) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns whether the set contains some of `other`.
    pub const fn meets(self, other: Reads) -> bool {
        self.0 & other.0 != 0
    }
}
