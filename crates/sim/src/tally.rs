//! Totals over the games of a plan that collects details: points by reason, points by rule, and
//! results by tile type.

use std::collections::BTreeMap;

use rules::{Catalogue, hash_text};
use serde::{Deserialize, Serialize};

use crate::interval::{DEFAULT_LEVEL, Interval, normal_critical_value, win_rate_interval};
use crate::moments::Moments;
use crate::result::N_MOMENTS;

/// The maximum number of reasons that are counted separately. There is a limit because mods may
/// give any number of reasons.
const MAX_REASONS: usize = 128;

/// The points for each reason that a mod or the engine gives.
///
/// If there are more than 128 reasons, only the reasons with the smallest hashes are counted
/// separately. The points of all other reasons are added up. So the result does not depend on the
/// order of games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ReasonTotals {
    kept: BTreeMap<u64, ReasonPoints>,
    /// The sum of the points for all other reasons.
    rest: i128,
}

/// Points for one reason.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ReasonPoints {
    /// The text of the reason.
    pub name: String,
    /// Statistics of the points per game, over the games in which the reason occurs.
    pub points: Moments,
}

impl ReasonTotals {
    /// Adds the points for the reason `name` in game number `game`.
    pub(crate) fn add(&mut self, name: &str, points: i64, game: u64) {
        let mut of_game = Moments::default();
        of_game.add(points, game);
        self.add_reason(hash_text(name), ReasonPoints { name: name.to_owned(), points: of_game });
    }

    pub(crate) fn merge(&mut self, other: ReasonTotals) {
        self.rest += other.rest;
        other.kept.into_iter().for_each(|(hash, reason)| self.add_reason(hash, reason));
    }

    /// Adds points for a reason. If there are too many reasons, adds up the points of the one with
    /// the largest hash with those of all other reasons.
    fn add_reason(&mut self, hash: u64, reason: ReasonPoints) {
        self.kept.entry(hash).and_modify(|own| own.points.merge(&reason.points)).or_insert(reason);
        if self.kept.len() > MAX_REASONS {
            let last = self.kept.pop_last();
            self.rest += last.map_or(0, |(_, reason)| reason.points.sum());
        }
    }

    /// Returns the reasons, sorted by falling points.
    pub fn list(&self) -> Vec<&ReasonPoints> {
        let mut list: Vec<&ReasonPoints> = self.kept.values().collect();
        list.sort_by(|a, b| (b.points.sum(), &a.name).cmp(&(a.points.sum(), &b.name)));
        list
    }

    /// Returns statistics of the points for the reason `name` per game, without games in which the
    /// reason does not occur. `None` if the reason is not in the list.
    pub fn points(&self, name: &str) -> Option<&Moments> {
        self.kept.get(&hash_text(name)).map(|reason| &reason.points)
    }

    /// Returns the points for reasons that are not in the list.
    pub fn rest(&self) -> i128 {
        self.rest
    }
}

/// The use of some options by a player. Counts only decisions in which the player could choose
/// between these options and others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct OptionUse {
    /// The number of such decisions.
    pub n_offered: u64,
    /// The number of such decisions in which the player chose one of these options.
    pub n_taken: u64,
}

impl OptionUse {
    pub(crate) fn merge(&mut self, other: OptionUse) {
        self.n_offered += other.n_offered;
        self.n_taken += other.n_taken;
    }
}

/// The results of one tile type.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TileTally {
    /// The qualified name of the tile type.
    pub name: String,
    /// The number of draws in which the tile fitted nowhere.
    pub n_discarded: u64,
    /// The number of legal placements, counted each time a player placed the tile.
    pub places: Moments,
    /// The points that the player who placed the tile got, in the turn of the placement and in the
    /// next two turns.
    pub points: Moments,
    /// For each seat, two values about its placements of the tile: the number of placements, and
    /// the sum of the seat's shares of the win ([`win_of`](crate::measure::win_of)).
    by_seat: Vec<(u64, u64)>,
}

impl TileTally {
    pub(crate) fn add(&mut self, seat: usize, n_places: usize, points: i64, win: i64, game: u64) {
        self.places.add(n_places as i64, game);
        self.points.add(points, game);
        if let Some((n, wins)) = self.by_seat.get_mut(seat) {
            *n += 1;
            *wins += win as u64;
        }
    }

    fn merge(&mut self, other: &TileTally) {
        self.n_discarded += other.n_discarded;
        self.places.merge(&other.places);
        self.points.merge(&other.points);
        for (own, more) in self.by_seat.iter_mut().zip(&other.by_seat) {
            (own.0, own.1) = (own.0 + more.0, own.1 + more.1);
        }
    }

    /// Returns the number of times that players placed the tile.
    pub fn n_laid(&self) -> u64 {
        self.places.n()
    }

    /// Returns the fraction of draws in which the tile fitted somewhere, and its interval at
    /// confidence `level`; `None` if the tile was never drawn.
    pub(crate) fn fit_rate(&self, level: f64) -> Option<(f64, Interval)> {
        let (n_laid, n) = (self.n_laid() as f64, self.n_laid() + self.n_discarded);
        (n > 0).then(|| (n_laid / n as f64, win_rate_interval(n_laid, n, level)))
    }

    /// Returns the number of times that seat `seat` placed the tile, and the sum of the seat's wins
    /// over these placements.
    pub(crate) fn of_seat(&self, seat: usize) -> (u64, f64) {
        let (n, wins) = self.by_seat.get(seat).copied().unwrap_or_default();
        (n, crate::measure::wins(i128::from(wins)))
    }
}

/// The sums of the details of all finished games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Details {
    /// The number of finished games.
    pub n_games: u64,
    /// Points scored during play, by reason: the kind of a feature, or a text of a mod.
    pub playing: ReasonTotals,
    /// Points of the final count, by reason.
    pub at_end: ReasonTotals,
    /// Points by scoring rule: mod, function and reason.
    pub by_rule: ReasonTotals,
    /// The results of all tile types, in the order of the catalogue.
    pub tiles: Vec<TileTally>,
    /// For each kind of piece: its name, and statistics of the number of players' pieces in play at
    /// the end of a game.
    pub stuck: Vec<(String, Moments)>,
    /// For each seat: the sum of the seat's shares of the win ([`win_of`](crate::measure::win_of)).
    pub(crate) wins_of_seats: Vec<u64>,
    /// For each moment of the game: the number of games in which the sole leader at this moment was
    /// a winner in the end.
    #[serde(default)]
    pub(crate) n_winner_leads: [u64; N_MOMENTS as usize],
}

impl Details {
    pub(crate) fn of(catalogue: &Catalogue, n_seats: usize) -> Details {
        let tile =
            |name: &String| TileTally { name: name.clone(), by_seat: vec![(0, 0); n_seats], ..TileTally::default() };
        Details {
            tiles: catalogue.tile_set.tiles.iter().map(|t| tile(&t.name)).collect(),
            stuck: catalogue.pieces.iter().map(|p| (p.name.clone(), Moments::default())).collect(),
            wins_of_seats: vec![0; n_seats],
            ..Details::default()
        }
    }

    pub(crate) fn merge(&mut self, other: Details) {
        if self.tiles.is_empty() {
            *self = other;
            return;
        }
        self.n_games += other.n_games;
        self.playing.merge(other.playing);
        self.at_end.merge(other.at_end);
        self.by_rule.merge(other.by_rule);
        self.tiles.iter_mut().zip(&other.tiles).for_each(|(own, more)| own.merge(more));
        self.stuck.iter_mut().zip(&other.stuck).for_each(|(own, more)| own.1.merge(&more.1));
        self.wins_of_seats.iter_mut().zip(other.wins_of_seats).for_each(|(own, more)| *own += more);
        self.n_winner_leads.iter_mut().zip(other.n_winner_leads).for_each(|(own, more)| *own += more);
    }

    /// Returns the fraction of games in which the sole leader at a moment of the game wins, and its
    /// interval at confidence `level`. The moments are counted from 1; the last one is
    /// [`N_MOMENTS`], the end of play. A game without a sole leader at that moment counts as a game
    /// in which the leader does not win.
    pub fn leader_wins(&self, moment: u32, level: f64) -> (f64, Interval) {
        let n = self.n_winner_leads.get(moment.saturating_sub(1) as usize).copied().unwrap_or(0) as f64;
        (n / self.n_games.max(1) as f64, win_rate_interval(n, self.n_games, level))
    }

    /// Returns the first moment from which on the leader wins in at least the fraction `share` of
    /// the games; `None` if there is no such moment before the final count.
    pub(crate) fn known_from(&self, share: f64) -> Option<u32> {
        let moments = (1..=N_MOMENTS).rev();
        moments.take_while(|moment| self.leader_wins(*moment, DEFAULT_LEVEL).0 >= share).last()
    }

    /// Returns the win rate over all placements of the tile minus the overall win rate of the same
    /// seats, from -1 to 1. The interval treats each placement as a separate game. `None` if no
    /// player placed the tile.
    pub(crate) fn win_difference(&self, tile: &TileTally, level: f64) -> Option<(f64, Interval)> {
        let (n_games, n_laid) = (self.n_games.max(1) as f64, tile.n_laid() as f64);
        let (mut more, mut usual) = (0.0, 0.0);
        for (seat, wins) in self.wins_of_seats.iter().enumerate() {
            let (n, won) = tile.of_seat(seat);
            let expected = n as f64 * crate::measure::wins(i128::from(*wins)) / n_games;
            usual += expected;
            more += won - expected;
        }
        let (mean, share) = (more / n_laid, usual / n_laid);
        let half = normal_critical_value(level) * (share * (1.0 - share) / n_laid).sqrt();
        (n_laid > 0.0).then(|| (mean, Interval::around(mean, half)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_reasons_are_added_up_the_same_in_any_order() {
        let mut all = ReasonTotals::default();
        let mut parts = vec![ReasonTotals::default(); 3];
        for i in 0..1000_i64 {
            let name = format!("reason {}", i * 31 % 300);
            all.add(&name, i, i as u64);
            parts[(i % 3) as usize].add(&name, i, i as u64);
        }
        let mut merged = ReasonTotals::default();
        parts.into_iter().rev().for_each(|part| merged.merge(part));
        assert_eq!(merged, all);
        assert_eq!(all.list().len(), MAX_REASONS);
        let kept: i128 = all.list().iter().map(|reason| reason.points.sum()).sum();
        assert_eq!(kept + all.rest(), 999 * 500);
    }
}
