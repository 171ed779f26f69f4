//! What a function of a mod has looked at, besides what it was handed: as long as that is the same, so is what it says.

use crate::indices::TokenIdx;

/// Parts of a game that functions of mods have looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reads(u64);

/// Where the tokens begin, a bit for each; those that find none left share the last one.
const FIRST_TOKEN: u32 = 8;

impl Reads {
    /// Nothing but what it was handed: of a feature what it is and who stands there, and what never changes in a game.
    pub const NOTHING: Reads = Reads(0);
    /// Features beside the one that it was handed.
    pub const NEAR: Reads = Reads(1);
    /// Piles, on the board and in stock.
    pub const PILES: Reads = Reads(2);
    /// How many features of each kind are complete.
    pub const COMPLETE: Reads = Reads(4);
    /// What is not told apart here, and so never known to be the same.
    pub(crate) const UNKNOWN: Reads = Reads(128);
    /// Anything.
    pub const ANYTHING: Reads = Reads(u64::MAX);

    /// Returns a token, whoever holds it, and its stock.
    pub fn token(token: TokenIdx) -> Reads {
        Reads(1 << (FIRST_TOKEN + token.idx() as u32).min(u64::BITS - 1))
    }

    /// Returns what is in one of both.
    #[must_use]
    pub const fn with(self, other: Reads) -> Reads {
        Reads(self.0 | other.0)
    }

    /// Returns whether all of `other` is in it.
    pub const fn includes(self, other: Reads) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns whether part of `other` is in it.
    pub const fn meets(self, other: Reads) -> bool {
        self.0 & other.0 != 0
    }
}
