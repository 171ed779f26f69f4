//! Goals of a balance: ranges in which quantities of games should be, such as a win rate of the
//! first seat near 50% and 60 to 75 points per game.

use crate::interval::{DEFAULT_LEVEL, Interval, level_of_each, normal_critical_value};
use crate::measure::Measure;
use crate::plan::Plan;
use crate::stats::Report;
use serde::{Deserialize, Serialize};

/// The tolerance of a goal without a range of its own, relative to its bound.
const DEFAULT_TOLERANCE: f64 = 0.02;

/// The quantity that a goal constrains.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GoalSubject {
    /// The mean of a measure.
    Measure(Measure),
    /// The points for a reason, such as `field`, as a fraction of all points.
    ShareOfPoints(String),
}

/// A quantity, and the range in which it should be.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
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
                let known: Vec<&str> = goal_names(&plan.setup.players).map(|(known, _)| known).collect();
                return Err(GoalError::UnknownName { name: name.to_owned(), known: known.join(", ") });
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
    pub(crate) fn loss(&self, value: f64) -> f64 {
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

/// Returns the names of the quantities that a goal for games of these players can have, and whether
/// the quantity is a fraction. In addition, a goal can have the points for a reason.
pub fn goal_names(players: &[String]) -> impl Iterator<Item = (&str, bool)> {
    let seats = players.iter().map(|seat| (seat.as_str(), true));
    seats.chain(MEASURES.map(|(name, measure)| (name, measure.is_share())))
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
/// independent, which makes it a little too wide. Returns `None` if there are no details, fewer
/// than two games or no points.
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

/// Returns the confidence level of the intervals of `n_goals` goals, so that all of them together
/// are correct with confidence [`DEFAULT_LEVEL`] (Bonferroni correction).
pub(crate) fn goal_level(n_goals: usize) -> f64 {
    level_of_each(DEFAULT_LEVEL, n_goals)
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
