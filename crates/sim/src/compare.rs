//! Compares two sides A and B (arms), such as two rule sets. Plays the same games on both sides and
//! reports the differences.

use platform::time::Instant;

use rules::RulesFactory;
use serde::{Deserialize, Serialize};

use crate::interval::{DEFAULT_LEVEL, Interval, level_of_each};
use crate::measure::Measure;
use crate::moments::Moments;
use crate::plan::{Plan, PlanError};
use crate::result::GameResult;
use crate::run::{Queue, check, run_on_threads, whole_time};
use crate::stats::Report;
use crate::table::SimThread;

/// One side of a comparison: the source of rules, and a plan of games under these rules.
#[derive(Clone, Copy)]
pub struct Arm<'a> {
    /// The source of the rules.
    pub factory: &'a dyn RulesFactory,
    /// The plan of the games.
    pub plan: &'a Plan,
}

/// The difference of a measure between A and B.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Difference {
    /// The measure.
    pub measure: Measure,
    /// Statistics of the value in B minus the value in A, over all pairs of games. All values are
    /// multiplied by [`Measure::scale`].
    pub moments: Moments,
}

/// The conclusion from a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The measure is equal in every pair of games.
    Same,
    /// The difference between A and B is statistically significant.
    Differs,
    /// The difference may be due to chance. If the difference is real, about `n_to_tell` pairs of
    /// games would show it.
    Noise {
        /// The estimated number of pairs of games; `u64::MAX` if there is no estimate.
        n_to_tell: u64,
    },
}

/// The results of the games of A and B.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// The report on A.
    pub a: Report,
    /// The report on B.
    pub b: Report,
    /// The differences, in the order of [`Measure::of_plan`].
    pub differences: Vec<Difference>,
    /// The number of pairs in which both games finished.
    pub n_pairs: u64,
    /// The number of pairs with different scores.
    pub n_changed: u64,
    /// The number of pairs with different winners.
    pub n_other_winners: u64,
    /// The number of the first game with different scores; `None` if there is no such game.
    pub first_change: Option<u64>,
    /// The number of arms that are compared with A, including B.
    n_compared: usize,
}

impl Comparison {
    fn of(a: &Plan, b: &Plan, n_compared: usize) -> Comparison {
        let of_b = Measure::of_plan(b);
        let measures = Measure::of_plan(a).into_iter().filter(|measure| of_b.contains(measure));
        Comparison {
            a: Report::new(a),
            b: Report::new(b),
            differences: measures.map(|measure| Difference { measure, moments: Moments::default() }).collect(),
            n_pairs: 0,
            n_changed: 0,
            n_other_winners: 0,
            first_change: None,
            n_compared,
        }
    }

    /// Adds the results of other games of the same two plans.
    pub fn merge(&mut self, other: Comparison) {
        self.a.merge(other.a);
        self.b.merge(other.b);
        for (own, more) in self.differences.iter_mut().zip(&other.differences) {
            own.moments.merge(&more.moments);
        }
        self.n_pairs += other.n_pairs;
        self.n_changed += other.n_changed;
        self.n_other_winners += other.n_other_winners;
        self.first_change = [self.first_change, other.first_change].into_iter().flatten().min();
    }

    /// Returns the confidence level for a single interval, which is higher than `level` (Bonferroni
    /// correction). So all intervals of all compared arms together are correct with confidence
    /// `level`.
    fn level_of_each(&self, level: f64) -> f64 {
        level_of_each(level, self.differences.len() * self.n_compared)
    }

    /// Returns Student's interval of a difference; `None` for fewer than two pairs of games. All
    /// intervals of a comparison together are correct with confidence [`DEFAULT_LEVEL`].
    pub fn interval(&self, difference: &Difference) -> Option<Interval> {
        self.interval_at(difference, DEFAULT_LEVEL)
    }

    fn interval_at(&self, difference: &Difference, level: f64) -> Option<Interval> {
        let interval = difference.moments.interval(self.level_of_each(level))?;
        Some(interval.scale(1.0 / difference.measure.scale()))
    }

    /// Returns the conclusion from a difference.
    pub fn verdict(&self, difference: &Difference) -> Verdict {
        let moments = &difference.moments;
        let mean = difference.mean();
        match self.interval(difference) {
            _ if moments.min() == 0 && moments.max() == 0 && moments.n() > 0 => Verdict::Same,
            Some(interval) if !interval.contains(0.0) => Verdict::Differs,
            Some(interval) if mean != 0.0 => {
                let more = (interval.half_width() / mean).powi(2) * moments.n() as f64;
                Verdict::Noise { n_to_tell: more.min(1e15) as u64 }
            }
            _ => Verdict::Noise { n_to_tell: u64::MAX },
        }
    }

    /// Returns whether any measure differs significantly. If A and B are equal in truth, at most
    /// one comparison in twenty reports a difference on average.
    pub fn differs(&self) -> bool {
        self.differences.iter().any(|difference| self.verdict(difference) == Verdict::Differs)
    }

    /// Returns half the width of the widest interval of a difference between win rates. 0.01 means
    /// one percentage point.
    pub fn widest_half_width(&self, level: f64) -> f64 {
        let wins = self.differences.iter().filter(|it| it.measure.is_win());
        wins.filter_map(|it| self.interval_at(it, level)).map(Interval::half_width).fold(0.0, f64::max)
    }
}

impl Difference {
    /// Returns the number of the game with the greatest difference in the direction of the mean
    /// difference. Of several games with this difference, returns the first. `None` if no games
    /// were compared.
    pub(crate) fn game_with_greatest(&self) -> Option<u64> {
        let moments = &self.moments;
        if moments.sum() < 0 { moments.game_with_min() } else { moments.game_with_max() }
    }

    /// Returns the mean difference, B minus A.
    pub fn mean(&self) -> f64 {
        self.moments.mean() / self.measure.scale()
    }
}

/// Plays the games of `a` and `b` in pairs. Both games of a pair have the same number. If the plans
/// have the same base seed, both games also have the same seed for chance and bots.
///
/// The plan of `a` determines the number of games and of threads. `progress` receives the number of
/// pairs played so far.
///
/// # Errors
/// Returns the same errors as [`run`](crate::run). Also returns an error if the numbers of players
/// differ.
pub fn compare(a: Arm<'_>, b: Arm<'_>, progress: &mut dyn FnMut(u64)) -> Result<Comparison, PlanError> {
    let found = compare_all(&[a, b], 0, progress)?;
    found.into_iter().next().ok_or_else(|| PlanError("nothing was compared".to_owned()))
}

/// Plays games with the same numbers in all `arms`. If the plans have the same base seed, games
/// with the same number also have the same seed.
///
/// Compares each other arm with arm number `base`, whose games are played only once. Returns the
/// comparisons in the order of the arms. All intervals of all comparisons together are correct with
/// confidence [`DEFAULT_LEVEL`] (Bonferroni correction).
///
/// # Errors
/// Returns the same errors as [`compare`].
pub(crate) fn compare_all(
    arms: &[Arm<'_>],
    base: usize,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<Comparison>, PlanError> {
    let Some(a) = arms.get(base) else { return Err(PlanError("nothing to compare with".to_owned())) };
    for arm in arms {
        check(arm.factory, arm.plan)?;
        let (n, m) = (a.plan.players.len(), arm.plan.players.len());
        if n != m {
            return Err(PlanError(format!("{n} players against {m}: both games need the same number of players")));
        }
    }
    let nothing = || -> Vec<Comparison> {
        let others = arms.iter().enumerate().filter(|(at, _)| *at != base);
        others.map(|(_, b)| Comparison::of(a.plan, b.plan, arms.len() - 1)).collect()
    };
    let queue = Queue::new(a.plan);
    let work = |say: &dyn Fn(u64)| {
        let tables: Result<Vec<SimThread<'_>>, PlanError> =
            arms.iter().map(|arm| SimThread::new(arm.factory, arm.plan)).collect();
        let (mut tables, mut found) = (tables?, nothing());
        let began = Instant::now();
        while let Some((_, numbers)) = queue.take() {
            let n_games = numbers.end - numbers.start;
            for number in numbers {
                let mut games: Vec<GameResult> = tables.iter_mut().map(|table| table.play(number)).collect();
                let of_base = games.remove(base);
                found.iter_mut().zip(&games).for_each(|(found, game)| found.add(&of_base, game));
            }
            say(n_games);
        }
        let mut reports: Vec<Report> = tables.into_iter().map(SimThread::into_report).collect();
        let of_base = reports.remove(base);
        found.iter_mut().zip(reports).for_each(|(found, report)| (found.a, found.b) = (of_base.clone(), report));
        Ok((found, began..Instant::now()))
    };
    let mut n_played = 0;
    let worked = run_on_threads(queue.n_threads, work, |n: u64| {
        n_played += n;
        progress(n_played);
    })?;
    let took = whole_time(worked.iter().map(|(_, time)| time));
    let mut all = nothing();
    for (part, _) in worked {
        all.iter_mut().zip(part).for_each(|(own, more)| own.merge(more));
    }
    for report in all.iter_mut().flat_map(|found| [&mut found.a, &mut found.b]) {
        (report.took, report.n_threads) = (took, queue.n_threads);
    }
    Ok(all)
}

impl Comparison {
    /// Adds a pair of games with the same number.
    fn add(&mut self, a: &GameResult, b: &GameResult) {
        // A game that did not finish has no result, so its pair does not count.
        if a.fault.is_some() || b.fault.is_some() {
            return;
        }
        self.n_pairs += 1;
        for difference in &mut self.differences {
            difference.moments.add(difference.measure.value_in(b) - difference.measure.value_in(a), a.number);
        }
        if a.scores != b.scores {
            self.n_changed += 1;
            self.first_change = Some(self.first_change.map_or(a.number, |first| first.min(a.number)));
            self.n_other_winners += u64::from(!a.winners().eq(b.winners()));
        }
    }
}
