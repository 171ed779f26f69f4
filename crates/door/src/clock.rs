//! The clock of a table, which limits the time of each seat.

use std::fmt;
use std::str::FromStr;

use platform::time::{Duration, Instant};
use serde::{Deserialize, Serialize};
use table::Seat;

/// The time that each seat has for its choices, such as `10m+5s`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TimeControl {
    /// The time at the start.
    pub start: Duration,
    /// The time that a seat gains with its first choice in each later turn.
    pub increment: Duration,
}

impl FromStr for TimeControl {
    type Err = &'static str;

    /// Parses a time such as `10m`, `90s` or `1h`, optionally followed by `+` and an increment.
    fn from_str(text: &str) -> Result<TimeControl, &'static str> {
        let (start, increment) = text.split_once('+').unwrap_or((text, "0s"));
        let (start, increment) = (parse(start), parse(increment));
        match start.zip(increment).filter(|(start, _)| !start.is_zero()) {
            Some((start, increment)) => Ok(TimeControl { start, increment }),
            None => Err("write a time such as 10m, 90s or 1h, and after + the increment: 10m+5s"),
        }
    }
}

/// Parses a number of seconds, minutes or hours, such as `90s`. Returns `None` if the text is
/// invalid or means more than one day.
fn parse(text: &str) -> Option<Duration> {
    let unit = text.chars().last()?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        _ => return None,
    };
    let n: u64 = text.strip_suffix(unit)?.parse().ok()?;
    let total = n.checked_mul(seconds).filter(|total| *total <= 24 * 3600)?;
    Some(Duration::from_secs(total))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.start.as_secs())?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}s", self.increment.as_secs()) }
    }
}

/// The clock as the host stores it. Does not include the time of the current choice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedClock {
    control: TimeControl,
    /// The remaining time of each seat.
    left: Vec<Duration>,
}

impl SavedClock {
    /// Returns the clock before a game of `n_seats` players.
    pub fn new(control: TimeControl, n_seats: usize) -> SavedClock {
        SavedClock { control, left: vec![control.start; n_seats] }
    }
}

/// The clock at one moment, as clients see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClockView {
    /// The remaining time of each seat, in milliseconds.
    pub left: Vec<u32>,
    /// The seat whose time runs; `None` if no time runs.
    pub runs: Option<Seat>,
}

/// The running clock of a table.
pub(crate) struct Clock {
    saved: SavedClock,
    /// The seat whose time runs, and the time at which it began to run.
    running: Option<(Seat, Instant)>,
    /// The turn in which each seat last chose; `None` if it has not chosen yet.
    turns: Vec<Option<u32>>,
}

impl Clock {
    pub fn new(saved: SavedClock) -> Clock {
        Clock { turns: vec![None; saved.left.len()], saved, running: None }
    }

    /// Returns the stored form of the clock.
    pub fn saved(&self) -> SavedClock {
        self.saved.clone()
    }

    /// Starts the time of `seat` at `now`. `turn` is the number of the current turn. If `seat` is
    /// `None`, stops the clock. Returns whether the running seat has changed.
    pub fn run(&mut self, seat: Option<Seat>, turn: u32, now: Instant) -> bool {
        if self.running.map(|(seat, _)| seat) == seat {
            return false;
        }
        if let Some((stopped, _)) = self.running {
            let rest = self.left(stopped, now);
            self.saved.left.iter_mut().skip(stopped.idx()).take(1).for_each(|left| *left = rest);
        }
        self.running = seat.map(|seat| (seat, now));
        if let Some(seat) = seat {
            self.add_increment(seat, turn);
        }
        true
    }

    /// Returns the time at which the running time is over; `None` if no time runs.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let (seat, since) = self.running?;
        Some(since + *self.saved.left.get(seat.idx())?)
    }

    /// Adds the increment if the seat has already chosen in an earlier turn and still has time.
    fn add_increment(&mut self, seat: Seat, turn: u32) {
        let (left, last) = (self.saved.left.get_mut(seat.idx()), self.turns.get_mut(seat.idx()));
        if let (Some(left), Some(last)) = (left, last)
            && last.replace(turn).is_some_and(|last| last != turn)
            && !left.is_zero()
        {
            *left += self.saved.control.increment;
        }
    }

    /// Returns the remaining time of a seat at `now`.
    pub fn left(&self, seat: Seat, now: Instant) -> Duration {
        let left = self.saved.left.get(seat.idx()).copied().unwrap_or_default();
        match self.running {
            Some((running, since)) if running == seat => left.saturating_sub(now.saturating_duration_since(since)),
            _ => left,
        }
    }

    /// Returns the clock as clients see it at `now`.
    pub fn view(&self, now: Instant) -> ClockView {
        let left = (0..self.saved.left.len()).map(|i| self.left(Seat(i as u8), now).as_millis() as u32);
        ClockView { left: left.collect(), runs: self.running.map(|(seat, _)| seat) }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        let read = |text: &str| text.parse::<TimeControl>().map(|it| it.to_string()).unwrap_or_default();
        for (text, expected) in [("10m", "600s"), ("90s", "90s"), ("1h+30s", "3600s+30s"), ("24h", "86400s")] {
            assert_eq!(read(text), expected, "{text}");
        }
        for text in ["", "10", "m", "-1m", "0s", "25h", "10m+", "10m+5", "10m5s", "99999999999999999999h", "1é"] {
            assert_eq!(read(text), "", "{text}");
        }
    }

    #[test]
    fn time_runs_for_one_seat_and_each_further_turn_adds_to_it() {
        let mut clock = Clock::new(SavedClock::new("10s+3s".parse().unwrap(), 2));
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let (red, blue) = (Some(Seat(0)), Some(Seat(1)));
        let left = |clock: &Clock, seconds| clock.view(at(seconds)).left.iter().map(|ms| ms / 1000).collect::<Vec<_>>();
        assert!(clock.run(red, 1, at(0)) && !clock.run(red, 1, at(1)));
        assert_eq!(left(&clock, 4), [6, 10]);
        assert_eq!(clock.deadline(), Some(at(10)));
        // The clock may stop between two choices of a turn.
        assert!(clock.run(None, 1, at(4)) && clock.deadline().is_none() && clock.run(red, 1, at(100)));
        assert_eq!(left(&clock, 101), [5, 10]);
        assert!(clock.run(blue, 2, at(101)) && clock.run(red, 3, at(103)));
        assert_eq!(left(&clock, 103), [8, 8]);
        assert_eq!(left(&clock, 1000), [0, 8]);
        assert!(clock.run(blue, 4, at(1000)) && clock.run(red, 5, at(1000)));
        assert_eq!(left(&clock, 1000), [0, 11], "time that is over does not come back");
        // After a restart of the host, only the time of the current choice is lost.
        let again = Clock::new(clock.saved());
        assert_eq!(left(&again, 2000), [0, 11]);
    }
}
