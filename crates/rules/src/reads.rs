//! The inputs of a mod's function besides its arguments: while they are unchanged, so is its
//! result.

use crate::indices::TokenIdx;

/// Parts of a game that functions of mods have read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reads(u64);

/// The position of the first token, with a bit for each; tokens without a bit share the last one.
const FIRST_TOKEN: u32 = 8;

impl Reads {
    /// Only its arguments: of a feature its properties and pieces, and constants of the game.
    pub const NOTHING: Reads = Reads(0);
    /// Features adjacent to its argument.
    pub const NEAR: Reads = Reads(1);
    /// Piles, on the board and in stock.
    pub const PILES: Reads = Reads(2);
    /// The number of complete features of each kind.
    pub const COMPLETE: Reads = Reads(4);
    /// Anything not distinguished here, which is never known to be unchanged.
    pub(crate) const UNKNOWN: Reads = Reads(128);
    /// Anything.
    pub const ANYTHING: Reads = Reads(u64::MAX);

    /// Returns the part for a token, in every player's hands and in stock.
    pub fn token(token: TokenIdx) -> Reads {
        Reads(1 << (FIRST_TOKEN + token.idx() as u32).min(u64::BITS - 1))
    }

    /// Returns the union.
    #[must_use]
    pub const fn with(self, other: Reads) -> Reads {
        Reads(self.0 | other.0)
    }

    /// Returns whether it contains all of `other`.
    pub const fn includes(self, other: Reads) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns whether it contains some of `other`.
    pub const fn meets(self, other: Reads) -> bool {
        self.0 & other.0 != 0
    }
}
