//! Sets of players, such as those who may see a tile in hand.

use crate::value::Seat;
use serde::{Deserialize, Serialize};

/// A set of players.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct SeatSet(u8);

impl SeatSet {
    /// All seats that a game can have. This set contains the players of every game.
    pub const ALL: SeatSet = SeatSet(u8::MAX);

    /// No player.
    pub const NONE: SeatSet = SeatSet(0);

    /// Returns whether `seat` is in the set.
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    /// Returns whether all seats in `others` are in the set.
    pub const fn includes(self, others: SeatSet) -> bool {
        self.0 & others.0 == others.0
    }

    /// Iterates over the seats in the set by number; for [`ALL`](SeatSet::ALL), over 8 seats.
    pub fn seats(self) -> impl Iterator<Item = Seat> {
        (0..8).map(Seat).filter(move |seat| self.contains(*seat))
    }

    /// Returns the number of seats in the set; 8 for [`ALL`](SeatSet::ALL).
    pub const fn n_seats(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns the intersection of both sets.
    #[must_use]
    pub const fn intersection(self, others: SeatSet) -> SeatSet {
        SeatSet(self.0 & others.0)
    }

    /// Returns the union of both sets.
    #[must_use]
    pub const fn union(self, others: SeatSet) -> SeatSet {
        SeatSet(self.0 | others.0)
    }

    /// Returns the set without `others`.
    #[must_use]
    pub const fn without(self, others: SeatSet) -> SeatSet {
        SeatSet(self.0 & !others.0)
    }
}

impl Default for SeatSet {
    fn default() -> SeatSet {
        SeatSet::ALL
    }
}

impl From<Seat> for SeatSet {
    fn from(seat: Seat) -> SeatSet {
        SeatSet(1 << seat.0)
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        seats.into_iter().fold(SeatSet::NONE, |set, seat| set.union(seat.into()))
    }
}
