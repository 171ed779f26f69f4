//! Who plays after whom: the order of play, turns that are missed, and the next turn where a mod has said whose it is.

use crate::shared::{Shared, clone_by_field};
use crate::value::Seat;

/// How many turns a player can be made to miss.
pub const MOST_MISSED: u32 = 1000;

/// What mods have changed about who plays after whom. The default is the order of the seats.
#[derive(PartialEq, Eq, Debug, Default)]
pub(crate) struct TurnOrder {
    /// All players in the order of play; empty where that is the order of the seats.
    order: Shared<Seat>,
    /// Who has the next turn, where a mod has said so.
    pub next: Option<Seat>,
    /// Who misses how many turns, sorted, none of them zero.
    missed: Shared<(Seat, u32)>,
}

clone_by_field!(TurnOrder { order, next, missed });

impl TurnOrder {
    /// Iterates over `n_seats` players in the order of play.
    pub fn seats(&self, n_seats: u8) -> impl Iterator<Item = Seat> + Clone + use<> {
        let order = self.order.clone();
        (0..n_seats).map(move |i| order.get(usize::from(i)).copied().unwrap_or(Seat(i)))
    }

    /// Iterates over `n_seats` players from the one after `seat` on; `seat` comes last.
    pub fn seats_after(&self, seat: Seat, n_seats: u8) -> impl Iterator<Item = Seat> + Clone + use<> {
        let seats = self.seats(n_seats).cycle();
        seats.skip(usize::from(self.place(seat)) + 1).take(usize::from(n_seats))
    }

    /// Returns the place of a player in the order of play, from 0.
    pub fn place(&self, seat: Seat) -> u8 {
        self.order.iter().position(|it| *it == seat).map_or(seat.0, |at| at as u8)
    }

    /// Makes `seats`, which are all players, the order of play.
    pub fn set(&mut self, seats: &[Seat]) {
        self.order = if seats.is_sorted() { Shared::default() } else { seats.to_vec().into() };
    }

    /// Returns how many turns a player misses.
    pub fn missed(&self, seat: Seat) -> u32 {
        self.missed.iter().find(|(it, _)| *it == seat).map_or(0, |(_, n)| *n)
    }

    /// Sets how many turns a player misses.
    pub fn set_missed(&mut self, seat: Seat, n: u32) {
        self.missed.retain(|(it, _)| *it != seat);
        if n > 0 {
            self.missed.push((seat, n));
            self.missed.sort_unstable();
        }
    }

    /// Takes who has the first turn, where `first` would begin.
    pub fn take_first(&mut self, first: Seat, n_seats: u8) -> Seat {
        let from_first = std::iter::once(first).chain(self.seats_after(first, n_seats)).take(usize::from(n_seats));
        self.take(from_first).unwrap_or(first)
    }

    /// Takes who has the turn after that of `seat`.
    #[inline]
    pub fn take_after(&mut self, seat: Seat, n_seats: u8) -> Seat {
        if *self == TurnOrder::default() {
            return Seat((seat.0 + 1) % n_seats);
        }
        self.take(self.seats_after(seat, n_seats)).unwrap_or(seat)
    }

    /// Takes who has the next turn: whom a mod has named, else the first of `seats`, which go round, who misses none. Those before have missed
    /// theirs.
    fn take(&mut self, seats: impl Iterator<Item = Seat> + Clone) -> Option<Seat> {
        let named = self.next.take();
        named.or_else(|| {
            seats.cycle().find(|seat| {
                let n = self.missed(*seat);
                self.set_missed(*seat, n.saturating_sub(1));
                n == 0
            })
        })
    }
}
