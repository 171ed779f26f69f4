//! Searches for values of settings and counts with which the games meet goals, such as a win rate
//! of the first seat near 50 % and 60 to 75 points per game.

use std::collections::HashMap;

use diagnostic::ExpectOrDefault;
use players::Rng;
use rules::RulesFactory;

use crate::interval::{DEFAULT_LEVEL, Interval, level_of_each, normal_critical_value};
use crate::measure::Measure;
use crate::plan::{Plan, PlanError};
use crate::run::run;
use crate::stats::Report;

/// The number of combinations of values that the first round plays at most. If there are more, it
/// plays random ones.
const N_FIRST: usize = 128;
/// The number of combinations that the first round and the search around its best ones play at
/// most.
const N_TRIED: usize = 512;
/// The number of best combinations whose neighbours are played too.
const N_CLIMBING: usize = 6;
/// The number of combinations in the second round.
const N_SECOND: usize = 16;
/// The number of combinations in the third round, and of results.
const N_THIRD: usize = 5;
/// The minimum number of games of a combination in each round.
const MIN_GAMES: u64 = 20;
/// The tolerance of a goal without a range of its own, relative to its bound.
const DEFAULT_TOLERANCE: f64 = 0.02;

/// The quantity that a goal constrains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoalSubject {
    /// The mean of a measure.
    Measure(Measure),
    /// The points for a reason, such as `field`, as a fraction of all points.
    ShareOfPoints(String),
}

/// A quantity, and the range in which it should be.
#[derive(Clone, PartialEq, Debug)]
pub struct Goal {
    /// The quantity.
    pub subject: GoalSubject,
    /// The name of the quantity in [`Goal::parse`].
    pub name: String,
    /// The smallest wanted value; `-inf` if there is none.
    pub low: f64,
    /// The largest wanted value; `inf` if there is none.
    pub high: f64,
}

/// The names of measures in goals.
const MEASURES: [(&str, Measure); 14] = [
    ("points", Measure::Points),
    ("margin", Measure::Margin),
    ("turns", Measure::Turns),
    ("choices", Measure::Choices),
    ("options", Measure::Options),
    ("obvious", Measure::Obvious),
    ("lead_changes", Measure::LeadChanges),
    ("decided_at", Measure::Decided),
    ("comeback", Measure::Comeback),
    ("uncertain", Measure::Uncertain),
    ("taken", Measure::Taken),
    ("discards", Measure::Discards),
    ("holes", Measure::Holes),
    ("stuck", Measure::Stuck),
];

/// A text that is not a goal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GoalError {
    /// The text has no `=`.
    #[error("`{0}` is not a goal: write a name and a range, such as red=49%..51% or points=60..75")]
    NoRange(String),
    /// No quantity has this name.
    #[error("there is no quantity `{name}`: use {known}, or points:REASON, such as points:field")]
    UnknownName {
        /// The name.
        name: String,
        /// The names of all quantities.
        known: String,
    },
    /// The range of a fraction is not in percent.
    #[error("`{0}` is a percentage: write {0}=49%..51%")]
    IsPercentage(String),
    /// The range of a quantity that is not a fraction is in percent.
    #[error("`{0}` is not a percentage: write {0}=60..75")]
    IsNoPercentage(String),
    /// The text after `=` is not a range.
    #[error("`{0}` is not a range: write 60..75, 60.., ..75 or 68; percentages such as 49%..51%")]
    BadRange(String),
}

impl Goal {
    /// Parses a goal for the games of `plan`: a name and a range, such as `red=49%..51%`,
    /// `points=60..75`, `holes=..2` or `points:field=15%..25%`. The name of a seat means its win
    /// rate. `points:REASON` means the points for a reason as a fraction of all points. A range
    /// without `..` is a single value.
    ///
    /// # Errors
    /// Returns an error if `text` is not a goal.
    pub fn parse(text: &str, plan: &Plan) -> Result<Goal, GoalError> {
        let (name, range) = text.split_once('=').ok_or_else(|| GoalError::NoRange(text.to_owned()))?;
        let name = name.trim();
        let seat = plan.setup.players.iter().position(|seat| seat == name);
        let measure = MEASURES.iter().find(|(known, _)| *known == name).map(|(_, measure)| *measure);
        let subject = match (name.split_once(':'), seat, measure) {
            (Some(("points", reason)), ..) => GoalSubject::ShareOfPoints(reason.trim().to_owned()),
            (_, Some(seat), _) => GoalSubject::Measure(Measure::Win(seat as u8)),
            (.., Some(measure)) => GoalSubject::Measure(measure),
            _ => {
                let known = plan.setup.players.iter().map(String::as_str).chain(MEASURES.map(|(known, _)| known));
                return Err(GoalError::UnknownName {
                    name: name.to_owned(),
                    known: known.collect::<Vec<_>>().join(", "),
                });
            }
        };
        let bad_range = || GoalError::BadRange(range.to_owned());
        let number = |text: &str, default: f64| -> Result<f64, GoalError> {
            let text = text.trim();
            let number = match text.strip_suffix('%') {
                _ if text.is_empty() => Some(default),
                Some(percent) => percent.trim().parse().ok().map(|percent: f64| percent / 100.0),
                None => text.parse().ok(),
            };
            number.filter(|number: &f64| text.is_empty() || number.is_finite()).ok_or_else(bad_range)
        };
        let (low, high) = match range.split_once("..") {
            Some((low, high)) => (number(low, f64::NEG_INFINITY)?, number(high, f64::INFINITY)?),
            None if range.trim().is_empty() => return Err(bad_range()),
            None => (number(range, 0.0)?, number(range, 0.0)?),
        };
        if low > high || low.is_infinite() && high.is_infinite() {
            return Err(bad_range());
        }
        let goal = Goal { subject, name: name.to_owned(), low, high };
        match (goal.is_share(), range.contains('%')) {
            (true, false) => Err(GoalError::IsPercentage(goal.name)),
            (false, true) => Err(GoalError::IsNoPercentage(goal.name)),
            _ => Ok(goal),
        }
    }

    /// Returns whether the quantity is a fraction, which is shown as a percentage.
    pub fn is_share(&self) -> bool {
        match &self.subject {
            GoalSubject::Measure(measure) => measure.is_share(),
            GoalSubject::ShareOfPoints(_) => true,
        }
    }

    /// Returns the value of the quantity in the games of a report, with its interval at confidence
    /// `level`. `None` if too few games finished.
    pub(crate) fn value_in(&self, report: &Report, level: f64) -> Option<(f64, Interval)> {
        match &self.subject {
            GoalSubject::Measure(measure) => {
                let stats = report.stats_of(*measure)?;
                Some((stats.mean(), stats.interval(level)?))
            }
            GoalSubject::ShareOfPoints(reason) => share_of_points(report, reason, level),
        }
    }

    /// Returns the width of one unit of error: half the wanted range, or a small fraction of the
    /// bound if the goal is a single value or has one bound.
    fn tolerance(&self) -> f64 {
        let half = (self.high - self.low) / 2.0;
        if half.is_finite() && half > 0.0 {
            return half;
        }
        let bound = if self.low.is_finite() { self.low } else { self.high };
        (bound.abs() * DEFAULT_TOLERANCE).max(0.01)
    }

    /// Returns how far `value` is outside the wanted range, in units of the tolerance, squared.
    /// Within the range, returns a small number that grows towards the bounds, so that of two
    /// values in the range the one further inside is better.
    fn loss(&self, value: f64) -> f64 {
        let outside = (self.low - value).max(value - self.high).max(0.0) / self.tolerance();
        let middle = (self.low + self.high) / 2.0;
        let off_middle = if middle.is_finite() { (value - middle) / self.tolerance() } else { 0.0 };
        outside * outside + 0.01 * (off_middle * off_middle).min(1.0)
    }

    /// Returns whether games with this interval of the quantity meet the goal.
    pub fn verdict(&self, interval: Interval) -> GoalVerdict {
        if self.low <= interval.low && interval.high <= self.high {
            GoalVerdict::Met
        } else if interval.high < self.low || self.high < interval.low {
            GoalVerdict::Missed
        } else {
            GoalVerdict::Open
        }
    }
}

/// The relation of a quantity to its goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoalVerdict {
    /// The whole interval of the quantity is in the wanted range.
    Met,
    /// The interval of the quantity contains a bound of the wanted range: more games would decide.
    Open,
    /// The whole interval of the quantity is outside the wanted range.
    Missed,
}

/// Returns the points for a reason as a fraction of all points. The interval treats both sums as
/// independent, which makes it a little too wide.
fn share_of_points(report: &Report, reason: &str, level: f64) -> Option<(f64, Interval)> {
    let details = report.details.as_ref()?;
    let all = report.stats_of(Measure::Points)?;
    let n = details.n_games as f64;
    let (mut sum, mut squares) = (0.0, 0.0);
    for points in [&details.playing, &details.at_end].into_iter().filter_map(|totals| totals.points(reason)) {
        sum += points.sum() as f64;
        squares += points.n() as f64 * (points.standard_deviation().powi(2) + points.mean().powi(2));
    }
    let (mean, mean_of_all) = (sum / n, all.mean());
    if n < 2.0 || mean_of_all <= 0.0 {
        return None;
    }
    let error = ((squares / n - mean * mean).max(0.0) / n).sqrt();
    let error_of_all = all.moments.standard_deviation() / n.sqrt();
    let share = mean / mean_of_all;
    let half = normal_critical_value(level) * (error / mean_of_all).hypot(share * error_of_all / mean_of_all);
    Some((share, Interval::around(share, half)))
}

/// A setting or a count, and the values to try.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Varied {
    /// The name, such as `base.small_city` or `base/K`.
    pub name: String,
    /// The values, in an order in which neighbours give similar games.
    pub values: Vec<String>,
}

/// A function that returns the plan with these names and values of settings and counts.
pub type PlanOf<'p> = dyn Fn(&[(String, String)]) -> Result<Plan, PlanError> + 'p;

/// A combination of values, and the games played with it.
#[derive(Clone, PartialEq, Debug)]
pub struct Compromise {
    /// The name and value of each varied setting and count.
    pub values: Vec<(String, String)>,
    /// The games of the third round. No earlier round has played them, so the means are not better
    /// by selection.
    pub report: Report,
}

/// The results of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct GoalResults {
    /// The best combinations, the best first.
    pub best: Vec<Compromise>,
    /// The number of combinations that were played.
    pub n_tried: usize,
    /// The number of possible combinations.
    pub n_possible: usize,
    /// The number of games in all rounds.
    pub n_games: u64,
}

/// The progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoalProgress {
    /// The number of the round, from 1 to 3.
    pub round: usize,
    /// The number of combinations played in this round.
    pub n_played: usize,
    /// The number of combinations to play in this round, as far as known.
    pub n: usize,
}

/// Returns the confidence level of the intervals of `n_goals` goals, so that all of them together
/// are correct with confidence [`DEFAULT_LEVEL`] (Bonferroni correction).
pub(crate) fn goal_level(n_goals: usize) -> f64 {
    level_of_each(DEFAULT_LEVEL, n_goals)
}

/// Searches for the values of `varied` with which the games of `plan` meet `goals` best.
///
/// The first round plays a sixteenth of the games of the plan with each combination of values. If
/// there are more than 128 combinations, it plays 128 random ones, and then follows neighbouring
/// values of the best ones. The second round plays a quarter of the games with the best 16, and the
/// third round all games of the plan with the best 5. All combinations of a round play with the
/// same seeds. `plan_of` returns the plan with these values.
///
/// # Errors
/// Returns an error if there is nothing to vary, no goal, or a plan that cannot be played.
pub fn search_goals(
    factory: &dyn RulesFactory,
    plan: &Plan,
    goals: &[Goal],
    varied: &[Varied],
    plan_of: &PlanOf<'_>,
    progress: &mut dyn FnMut(GoalProgress),
) -> Result<GoalResults, PlanError> {
    if goals.is_empty() || varied.is_empty() || varied.iter().any(|it| it.values.is_empty()) {
        return Err(PlanError("a search needs a goal, and a setting or count with values to try".to_owned()));
    }
    let mut search = Search { factory, goals, varied, plan_of, first_game: plan.first_game, n_games: 0 };
    let n_possible = varied.iter().fold(1_usize, |n, it| n.saturating_mul(it.values.len()));

    let n_first = (plan.n_games / 16).max(MIN_GAMES);
    let mut tried: HashMap<Vec<usize>, f64> = HashMap::new();
    let mut next = search.first_combinations(n_possible, plan.seed);
    while !next.is_empty() {
        let n = tried.len() + next.len();
        for combination in next {
            progress(GoalProgress { round: 1, n_played: tried.len(), n });
            let (loss, _) = search.play(&combination, n_first)?;
            tried.insert(combination, loss);
        }
        let best = best(&tried, N_CLIMBING);
        let neighbours = best.iter().flat_map(|it| search.neighbours(it));
        next = Vec::new();
        for neighbour in neighbours {
            if !tried.contains_key(&neighbour) && !next.contains(&neighbour) && tried.len() + next.len() < N_TRIED {
                next.push(neighbour);
            }
        }
    }
    search.first_game += n_first;

    let n_second = (plan.n_games / 4).max(MIN_GAMES);
    let second = best(&tried, N_SECOND);
    let mut played: HashMap<Vec<usize>, f64> = HashMap::new();
    for (n_played, combination) in second.iter().enumerate() {
        progress(GoalProgress { round: 2, n_played, n: second.len() });
        let (loss, _) = search.play(combination, n_second)?;
        played.insert(combination.clone(), loss);
    }
    search.first_game += n_second;

    let third = best(&played, N_THIRD);
    let mut found: Vec<(f64, Compromise)> = Vec::new();
    for (n_played, combination) in third.iter().enumerate() {
        progress(GoalProgress { round: 3, n_played, n: third.len() });
        let (loss, report) = search.play(combination, plan.n_games.max(MIN_GAMES))?;
        found.push((loss, Compromise { values: search.values(combination), report }));
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let best = found.into_iter().map(|(_, it)| it).collect();
    Ok(GoalResults { best, n_tried: tried.len(), n_possible, n_games: search.n_games })
}

/// Returns the `n` combinations with the smallest losses, the smallest first.
fn best(losses: &HashMap<Vec<usize>, f64>, n: usize) -> Vec<Vec<usize>> {
    let mut sorted: Vec<(&Vec<usize>, &f64)> = losses.iter().collect();
    sorted.sort_by(|a, b| a.1.total_cmp(b.1).then_with(|| a.0.cmp(b.0)));
    sorted.into_iter().take(n).map(|(combination, _)| combination.clone()).collect()
}

/// The parts of a search that stay the same, and the games played so far. A combination is the
/// index of a value for each of `varied`.
struct Search<'s> {
    factory: &'s dyn RulesFactory,
    goals: &'s [Goal],
    varied: &'s [Varied],
    plan_of: &'s PlanOf<'s>,
    /// The number of the first game of this round.
    first_game: u64,
    n_games: u64,
}

impl Search<'_> {
    /// Returns all combinations, or random ones if there are too many.
    fn first_combinations(&self, n_possible: usize, seed: u64) -> Vec<Vec<usize>> {
        let combination = |mut number: usize| -> Vec<usize> {
            let digit = |it: &Varied| {
                let digit = number % it.values.len();
                number /= it.values.len();
                digit
            };
            self.varied.iter().map(digit).collect()
        };
        if n_possible <= N_FIRST {
            return (0..n_possible).map(combination).collect();
        }
        let mut rng = Rng::new(seed);
        let mut found: Vec<Vec<usize>> = Vec::new();
        while found.len() < N_FIRST {
            let random = combination(rng.below(n_possible));
            if !found.contains(&random) {
                found.push(random);
            }
        }
        found
    }

    /// Returns the combinations in which one value is the next or the previous one.
    fn neighbours(&self, of: &[usize]) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        for (i, (at, varied)) in of.iter().zip(self.varied).enumerate() {
            for next in [at.checked_sub(1), at.checked_add(1)].into_iter().flatten() {
                if next < varied.values.len() {
                    found.push(of.iter().enumerate().map(|(j, at)| if j == i { next } else { *at }).collect());
                }
            }
        }
        found
    }

    fn values(&self, combination: &[usize]) -> Vec<(String, String)> {
        let value = |(at, it): (&usize, &Varied)| {
            let value = it.values.get(*at).cloned();
            (it.name.clone(), value.expect_or_default("a combination has the index of a value"))
        };
        combination.iter().zip(self.varied).map(value).collect()
    }

    /// Plays `n_games` games of this round with a combination. Returns the sum of the losses of all
    /// goals, and the report.
    fn play(&mut self, combination: &[usize], n_games: u64) -> Result<(f64, Report), PlanError> {
        let plan = (self.plan_of)(&self.values(combination))?;
        let plan = Plan { first_game: self.first_game, n_games, details: true, ..plan };
        let report = run(self.factory, &plan, None, &mut |_| {})?;
        self.n_games += report.n_games;
        // Games that do not finish are worse than any finished game.
        let loss =
            |goal: &Goal| goal.value_in(&report, DEFAULT_LEVEL).map_or(f64::INFINITY, |(value, _)| goal.loss(value));
        let faults = report.n_faults as f64 / report.n_games.max(1) as f64;
        Ok((self.goals.iter().map(loss).sum::<f64>() + 1e6 * faults, report))
    }
}

#[cfg(test)]
mod tests {
    use rules::Setup;

    use super::*;

    fn plan() -> Plan {
        Plan::new(Setup::of(&[], 2), Vec::new(), vec![players::PLAYERS[0].clone(); 2], 100)
    }

    #[test]
    fn goals_are_read() {
        let goal = |text: &str| Goal::parse(text, &plan()).unwrap();
        let red = goal("red = 49% .. 51%");
        assert_eq!((red.subject, red.low, red.high), (GoalSubject::Measure(Measure::Win(0)), 0.49, 0.51));
        let points = goal("points=60..75");
        assert_eq!((points.subject, points.low, points.high), (GoalSubject::Measure(Measure::Points), 60.0, 75.0));
        assert_eq!((goal("holes=..2").low, goal("turns=70").high), (f64::NEG_INFINITY, 70.0));
        let share = goal("points:a toll=10%..");
        assert_eq!((share.subject, share.high), (GoalSubject::ShareOfPoints("a toll".to_owned()), f64::INFINITY));
        for (text, says) in [
            ("points", "is not a goal"),
            ("purple=50%", "there is no quantity `purple`: use red, blue, points"),
            ("points=75..60", "is not a range"),
            ("points=..", "is not a range"),
            ("points=", "is not a range"),
            ("points=many", "is not a range"),
            ("points=nan..3", "is not a range"),
            ("red=50", "`red` is a percentage: write red=49%..51%"),
            ("points=60%", "`points` is not a percentage: write points=60..75"),
        ] {
            let error = Goal::parse(text, &plan()).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn values_further_outside_are_worse() {
        let goal = Goal::parse("points=60..80", &plan()).unwrap();
        let losses = [70.0, 79.0, 81.0, 95.0].map(|value| goal.loss(value));
        assert!(losses.is_sorted_by(|a, b| a < b), "{losses:?}");
        let verdicts =
            [(61.0, 79.0), (59.0, 65.0), (81.0, 85.0)].map(|(low, high)| goal.verdict(Interval { low, high }));
        assert_eq!(verdicts, [GoalVerdict::Met, GoalVerdict::Open, GoalVerdict::Missed]);
    }
}
