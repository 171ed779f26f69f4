//! Turn order: the order of play, missed turns, and the next player if a mod has set one.

use crate::shared_list::{SharedList, clone_by_field};
use crate::value::Seat;
use serde::{Deserialize, Serialize};

/// The maximum number of turns that a mod can make a player miss.
pub(crate) const MAX_TURNS_TO_MISS: u32 = 1000;

clone_by_field! {
    /// The turn order, which mods can change. The default is the order of seats.
    #[derive(PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
    pub(crate) struct TurnOrder {
        /// All players in the order of play. If empty, players take turns in the order of seats.
        order: SharedList<Seat>,
        /// The player to whom a mod has given the next turn, if any.
        pub next: Option<Seat>,
        /// The players who miss turns, sorted, each with the number of turns, which is never 0.
        missed: SharedList<(Seat, u32)>,
    }
}

impl TurnOrder {
    /// Iterates over `n_seats` players in the order of play.
    pub fn seats(&self, n_seats: u8) -> impl Iterator<Item = Seat> + Clone + use<> {
        let order = self.order.clone();
        (0..n_seats).map(move |i| order.get(usize::from(i)).copied().unwrap_or(Seat(i)))
    }

    /// Iterates over `n_seats` players in the order of play, starting after `seat`, which comes
    /// last.
    pub fn seats_after(&self, seat: Seat, n_seats: u8) -> impl Iterator<Item = Seat> + Clone + use<> {
        let seats = self.seats(n_seats).cycle();
        seats.skip(usize::from(self.place(seat)) + 1).take(usize::from(n_seats))
    }

    /// Returns the place of a player in the order of play, counted from 0.
    pub fn place(&self, seat: Seat) -> u8 {
        self.order.iter().position(|it| *it == seat).map_or(seat.0, |at| at as u8)
    }

    /// Sets the order of play to `seats`, which contains every player once.
    pub fn set(&mut self, seats: &[Seat]) {
        self.order = if seats.is_sorted() { SharedList::default() } else { seats.to_vec().into() };
    }

    /// Returns the number of turns that a player will miss.
    pub fn turns_to_miss(&self, seat: Seat) -> u32 {
        self.missed.iter().find(|(it, _)| *it == seat).map_or(0, |(_, n)| *n)
    }

    /// Sets the number of turns that a player will miss.
    pub fn set_turns_to_miss(&mut self, seat: Seat, n: u32) {
        self.missed.retain(|(it, _)| *it != seat);
        if n > 0 {
            self.missed.push((seat, n));
            self.missed.sort_unstable();
        }
    }

    /// Returns the player of the first turn: the player whom a mod has set, or else the first
    /// player from `first` on who misses no turn. Each skipped player uses up one missed turn.
    pub(crate) fn advance_to_first(&mut self, first: Seat, n_seats: u8) -> Seat {
        let from_first = std::iter::once(first).chain(self.seats_after(first, n_seats)).take(usize::from(n_seats));
        self.advance(from_first).unwrap_or(first)
    }

    /// Returns the player of the turn after that of `seat`: the player whom a mod has set, or else
    /// the next player who misses no turn. Each skipped player uses up one missed turn.
    #[inline]
    pub(crate) fn advance_after(&mut self, seat: Seat, n_seats: u8) -> Seat {
        if *self == TurnOrder::default() {
            return Seat((seat.0 + 1) % n_seats);
        }
        self.advance(self.seats_after(seat, n_seats)).unwrap_or(seat)
    }

    /// Returns the next player: the player whom a mod has set, or else the first player in the
    /// endlessly repeated `seats` who misses no turn. Each skipped player uses up one missed turn.
    /// Returns `None` if `seats` is empty.
    fn advance(&mut self, seats: impl Iterator<Item = Seat> + Clone) -> Option<Seat> {
        let named = self.next.take();
        named.or_else(|| {
            seats.cycle().find(|seat| {
                let n = self.turns_to_miss(*seat);
                self.set_turns_to_miss(*seat, n.saturating_sub(1));
                n == 0
            })
        })
    }
}
