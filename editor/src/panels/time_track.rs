//! The track of the time bar: a tick for each turn, the text of its tooltip, and the conversion
//! between numbers of answers and positions on the track.

use std::sync::Arc;

use table::{Actor, GameView, Seat, Step};

use super::log_rows::{answer_label, last_laid};
use super::widgets::signed;

/// A turn, and its tick on the track.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tick {
    /// The number of the turn.
    pub turn: u32,
    /// The number of answers before the turn.
    pub begins: usize,
    /// The number of answers up to the end of the turn.
    pub ends: usize,
    /// The player whose turn it was.
    pub player: Seat,
    /// The sum of the absolute values of all points scored in the turn.
    pub points: i64,
    /// The player who scored the most points in the turn; `None` if no player scored.
    pub best: Option<Seat>,
}

/// Returns a tick for each turn of a branch.
pub fn ticks(steps: &[Arc<Step>]) -> Vec<Tick> {
    let mut ticks: Vec<Tick> = Vec::new();
    let mut by_seat: Vec<i64> = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        if ticks.last().is_none_or(|t| t.turn != step.turn) {
            by_seat = vec![0; step.scores.len()];
            let (turn, player) = (step.turn, step.player);
            ticks.push(Tick { turn, begins: i, ends: i, player, points: 0, best: None });
        }
        let Some(tick) = ticks.last_mut() else { continue };
        tick.ends = i + 1;
        for award in &step.awards {
            tick.points += award.points.abs();
            if let Some(of_it) = by_seat.get_mut(award.player.idx()) {
                *of_it += award.points;
            }
        }
        let most = by_seat.iter().enumerate().max_by_key(|(seat, n)| (**n, std::cmp::Reverse(*seat)));
        tick.best = most.filter(|(_, n)| **n > 0).map(|(seat, _)| Seat(seat as u8));
    }
    ticks
}

/// Returns the height of a tick as a fraction of the track's height. More points make a higher
/// tick.
pub fn tick_height(points: i64) -> f32 {
    if points <= 0 { 0.22 } else { (0.40 + points as f32 / 30.0).min(1.0) }
}

/// Returns the position on the track after the first `at` of `n` answers, from 0 to 1.
pub fn track_position(at: usize, n: usize) -> f32 {
    if n == 0 { 1.0 } else { at as f32 / n as f32 }
}

/// Returns the number of answers at the fraction `place` of the track, from 0 to 1. `n` is the
/// number of answers of the whole track.
pub fn answers_at_position(place: f32, n: usize) -> usize {
    (place.clamp(0.0, 1.0) * n as f32).round() as usize
}

/// Returns the tick of the turn that contains answer number `at`, counted from 0. Returns the last
/// tick if there is no such answer.
pub fn tick_at(ticks: &[Tick], at: usize) -> Option<&Tick> {
    ticks.iter().find(|t| (t.begins..t.ends).contains(&at)).or_else(|| ticks.last())
}

/// Returns the moves of players and the awards of a turn, one per line, without passes. If there
/// are more than 12 lines, the last one tells how many lines are omitted. `name` returns the name
/// of a player, and `view` is as in [`answer_label`].
pub fn turn_lines(
    view: Option<GameView<'_>>,
    steps: &[Arc<Step>],
    tick: &Tick,
    name: impl Fn(Seat) -> String,
) -> Vec<String> {
    let mut lines = Vec::new();
    let mut tile: Option<&str> = None;
    let mut last = last_laid(steps.get(..tick.begins).unwrap_or_default());
    for step in steps.get(tick.begins..tick.ends).unwrap_or_default() {
        if step.laid.is_none() {
            tile = step.text.split(' ').rev().find(|w| w.contains('/')).or(tile);
        }
        if let Actor::Player(seat) = step.who
            && step.text != "pass"
        {
            lines.push(format!("{} {}", name(seat), answer_label(view, &step.text, tile, last)));
        }
        last = step.laid.unwrap_or(last);
        let told = |a: &Arc<table::Award>| format!("{} {} {}", name(a.player), signed(a.points), a.reason);
        lines.extend(step.awards.iter().map(told));
    }
    if lines.len() > 12 {
        let more = lines.len() - 11;
        lines.truncate(11);
        lines.push(format!("and {more} more"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panels::log_rows::tests::{award, line_of, step};

    fn line() -> Vec<Arc<Step>> {
        let mut steps = vec![step(1, "draw base/K"), step(1, "place 0,1 90"), step(1, "pass"), step(2, "draw base/L")];
        steps[2].awards = vec![award(0, 4, "road"), award(1, 6, "city")];
        line_of(steps)
    }

    #[test]
    fn every_turn_has_a_tick() {
        let ticks = ticks(&line());
        assert_eq!(ticks.len(), 2);
        assert_eq!((ticks[0].begins, ticks[0].ends, ticks[0].points, ticks[0].best), (0, 3, 10, Some(Seat(1))));
        assert_eq!((ticks[1].begins, ticks[1].ends, ticks[1].points, ticks[1].best), (3, 4, 0, None));
        assert_eq!(tick_at(&ticks, 2).map(|t| t.turn), Some(1));
        assert_eq!(tick_at(&ticks, 9).map(|t| t.turn), Some(2));
        assert!(tick_at(&[], 0).is_none());
    }

    #[test]
    fn places_and_moments_agree() {
        for at in 0..=7 {
            assert_eq!(answers_at_position(track_position(at, 7), 7), at);
        }
        assert_eq!((answers_at_position(0.4, 0), answers_at_position(-2.0, 5), answers_at_position(9.0, 5)), (0, 0, 5));
        assert!(tick_height(0) < tick_height(1) && tick_height(500) <= 1.0);
    }

    #[test]
    fn a_turn_is_told_in_lines() {
        let steps = line();
        let told = turn_lines(None, &steps, &ticks(&steps)[0], |s| ["red", "blue"][s.idx()].to_owned());
        assert_eq!(told, ["red lays base/K south of the last tile, turned 90°", "red +4 road", "blue +6 city"]);
    }
}
