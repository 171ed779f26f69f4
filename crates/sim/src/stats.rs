//! Statistics, kept in whole numbers so that the order in which games end does not matter.

use std::time::Duration;

use crate::calls::FunctionCalls;
use crate::game::GameResult;

/// A win shared by `n` counts as `WIN / n`; every number of players divides it.
const WIN: u64 = 840;

/// How many faults a report keeps with their records.
const N_FAULTS_KEPT: usize = 20;

/// How one seat did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeatStats {
    /// Its name.
    pub name: String,
    /// Who played it.
    pub player: String,
    n_games: u64,
    wins: u64,
    sum: i128,
    sum_of_squares: i128,
    least: Option<i64>,
    most: Option<i64>,
}

impl SeatStats {
    fn add(&mut self, score: i64) {
        self.n_games += 1;
        self.sum += i128::from(score);
        self.sum_of_squares += i128::from(score) * i128::from(score);
        self.least = Some(self.least.map_or(score, |l| l.min(score)));
        self.most = Some(self.most.map_or(score, |m| m.max(score)));
    }

    fn merge(&mut self, other: &SeatStats) {
        self.n_games += other.n_games;
        self.wins += other.wins;
        self.sum += other.sum;
        self.sum_of_squares += other.sum_of_squares;
        self.least = [self.least, other.least].into_iter().flatten().min();
        self.most = self.most.max(other.most);
    }

    /// Games that came to their end.
    pub fn n_games(&self) -> u64 {
        self.n_games
    }

    /// Games won; one that is shared by two counts half.
    pub fn wins(&self) -> f64 {
        self.wins as f64 / WIN as f64
    }

    /// The mean score.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.n_games.max(1) as f64
    }

    /// The standard deviation of the score within these games.
    pub fn deviation(&self) -> f64 {
        let n = i128::from(self.n_games.max(1));
        // Whole numbers to the end: large sums would lose the difference.
        ((n * self.sum_of_squares - self.sum * self.sum) as f64).max(0.0).sqrt() / n as f64
    }

    /// The least score; 0 without games.
    pub fn least(&self) -> i64 {
        self.least.unwrap_or(0)
    }

    /// The greatest score; 0 without games.
    pub fn most(&self) -> i64 {
        self.most.unwrap_or(0)
    }
}

/// A game that did not come to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultSeen {
    /// Its number, from 0.
    pub number: u64,
    /// Its seed.
    pub seed: u64,
    /// What happened.
    pub message: String,
    /// Its record up to there.
    pub record: String,
}

/// What has come out of a simulation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// By seat.
    pub seats: Vec<SeatStats>,
    /// Games played, those with faults included.
    pub n_games: u64,
    /// Games that were shared by several winners.
    pub n_shared: u64,
    /// Answers by players.
    pub n_choices: u64,
    /// Answers, those of chance included.
    pub n_answers: u64,
    /// Turns.
    pub n_turns: u64,
    /// Games that did not come to their end.
    pub n_faults: u64,
    /// The first of them.
    pub faults: Vec<FaultSeen>,
    /// Games in which a mod's `hint` failed, which players do without.
    pub n_failed_hints: u64,
    /// How it failed in the first of them: the number of the game, and what happened.
    pub failed_hint: Option<(u64, String)>,
    /// Calls of mods' functions, the most frequent first; empty unless they were counted.
    pub calls: Vec<FunctionCalls>,
    /// How many threads played.
    pub n_threads: usize,
    /// How long playing took, without loading.
    pub took: Duration,
}

impl Report {
    pub(crate) fn of_seats(seats: impl Iterator<Item = (String, String)>) -> Report {
        let seats = seats.map(|(name, player)| SeatStats { name, player, ..SeatStats::default() });
        Report { seats: seats.collect(), ..Report::default() }
    }

    pub(crate) fn add(&mut self, result: &GameResult) {
        self.n_games += 1;
        self.n_choices += u64::from(result.n_choices);
        self.n_answers += u64::from(result.n_answers);
        self.n_turns += u64::from(result.n_turns);
        if let Some(message) = &result.failed_hint {
            self.n_failed_hints += 1;
            self.keep_failed_hint(Some((result.number, message.clone())));
        }
        if let Some(message) = &result.fault {
            self.n_faults += 1;
            self.keep_fault(FaultSeen {
                number: result.number,
                seed: result.seed,
                message: message.clone(),
                record: result.record.clone().unwrap_or_default(),
            });
            return;
        }
        let n_winners = result.winners().count() as u64;
        self.n_shared += u64::from(n_winners > 1);
        result.winners().for_each(|seat| self.seats[seat].wins += WIN / n_winners.max(1));
        self.seats.iter_mut().zip(&result.scores).for_each(|(seat, score)| seat.add(*score));
    }

    pub(crate) fn merge(&mut self, other: Report) {
        self.seats.iter_mut().zip(&other.seats).for_each(|(seat, more)| seat.merge(more));
        self.n_games += other.n_games;
        self.n_shared += other.n_shared;
        self.n_choices += other.n_choices;
        self.n_answers += other.n_answers;
        self.n_turns += other.n_turns;
        self.n_faults += other.n_faults;
        self.n_failed_hints += other.n_failed_hints;
        self.keep_failed_hint(other.failed_hint);
        other.faults.into_iter().for_each(|fault| self.keep_fault(fault));
        for more in other.calls {
            match self.calls.iter_mut().find(|c| (&c.owner, &c.function) == (&more.owner, &more.function)) {
                Some(calls) => {
                    calls.n += more.n;
                    calls.took += more.took;
                }
                None => self.calls.push(more),
            }
        }
    }

    /// Keeps the faults of the games with the lowest numbers, whoever reports first.
    fn keep_fault(&mut self, fault: FaultSeen) {
        let at = self.faults.partition_point(|f| f.number < fault.number);
        self.faults.insert(at, fault);
        self.faults.truncate(N_FAULTS_KEPT);
    }

    /// Keeps that of the game with the lowest number.
    fn keep_failed_hint(&mut self, other: Option<(u64, String)>) {
        self.failed_hint = [self.failed_hint.take(), other].into_iter().flatten().min();
    }

    /// Games a second.
    pub fn games_per_second(&self) -> f64 {
        self.n_games as f64 / self.took.as_secs_f64().max(1e-9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: u64, scores: &[i64]) -> GameResult {
        GameResult { number, scores: scores.to_vec(), ..GameResult::default() }
    }

    #[test]
    fn shares_and_moments() {
        let seats = || Report::of_seats([("red", "a"), ("blue", "b")].map(|(n, p)| (n.into(), p.into())).into_iter());
        let (mut all, mut one, mut other) = (seats(), seats(), seats());
        for (i, scores) in [[2, 4], [4, 4], [9, -1], [1, 1]].iter().enumerate() {
            all.add(&game(i as u64, scores));
            if i % 2 == 0 { &mut one } else { &mut other }.add(&game(i as u64, scores));
        }
        other.merge(one);
        assert_eq!(other, all);
        assert_eq!((all.seats[0].wins(), all.seats[1].wins(), all.n_shared), (2.0, 2.0, 2));
        assert_eq!((all.seats[0].mean(), all.seats[1].least(), all.seats[0].most()), (4.0, -1, 9));
        assert!((all.seats[0].deviation() - 9.5f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn games_with_faults_count_apart() {
        let mut report = Report::of_seats([("red".to_owned(), "a".to_owned())].into_iter());
        for number in (0..50).rev() {
            report.add(&GameResult { fault: Some("broke".into()), ..game(number, &[3]) });
        }
        assert_eq!((report.n_faults, report.faults.len(), report.seats[0].n_games()), (50, 20, 0));
        assert_eq!(report.faults[19].number, 19);
    }
}
