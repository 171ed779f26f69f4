//! Plays games until the results are precise enough.

use rules::RulesFactory;

use crate::compare::{Arm, Comparison, compare};
use crate::interval::{DEFAULT_LEVEL, normal_critical_value};
use crate::plan::{Plan, PlanError};
use crate::result::GameResult;
use crate::run::run;
use crate::stats::{Report, merge_into};

/// The number of times that a run checks its confidence intervals.
const N_CHECKS: u64 = 3;

/// The confidence level of each check. It is higher than [`DEFAULT_LEVEL`], so that all checks of a
/// run together are correct with that confidence.
pub const CHECK_LEVEL: f64 = 1.0 - (1.0 - DEFAULT_LEVEL) / N_CHECKS as f64;

/// Returns the numbers of games after which a run checks its confidence intervals. After the last
/// number, every win rate is known to within ± `half` (0.01 is one percentage point). The first two
/// numbers are a quarter and a half of the last number.
pub fn schedule_of_checks(half: f64) -> [u64; N_CHECKS as usize] {
    schedule_of_checks_for(half, 0.5, CHECK_LEVEL)
}

/// Returns the numbers of games as [`schedule_of_checks`] does, but for any kind of value.
/// `deviation` is the maximum standard deviation of the values, and `level` is the confidence level
/// of the intervals.
fn schedule_of_checks_for(half: f64, deviation: f64, level: f64) -> [u64; N_CHECKS as usize] {
    let most = (normal_critical_value(level) * deviation / half.max(1e-6)).powi(2).ceil() as u64;
    [most.div_ceil(4), most.div_ceil(2), most]
}

/// Plays games until the win rate of each seat and player is known to within ± `half`, at the
/// confidence level [`CHECK_LEVEL`]. Ignores the number of games in the plan.
///
/// `each` and `progress` work as in [`run`]. In addition, `progress` receives the number of games
/// at the next check.
///
/// # Errors
/// Returns the same errors as [`run`].
pub fn run_until(
    factory: &dyn RulesFactory,
    plan: &Plan,
    half: f64,
    mut each: Option<&mut dyn FnMut(&GameResult) -> bool>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Report, PlanError> {
    let looks = schedule_of_checks(half);
    let mut report = Report::new(plan);
    for look in looks {
        let n_before = report.n_games;
        let next = Plan { first_game: plan.first_game + n_before, n_games: look - n_before, ..plan.clone() };
        // Becomes false when `each` returns false.
        let mut goes_on = true;
        let mut of_look = |game: &GameResult| {
            goes_on = each.as_mut().is_none_or(|each| each(game));
            goes_on
        };
        report.merge(run(factory, &next, Some(&mut of_look), &mut |n| progress(n_before + n, look))?);
        if !goes_on || report.widest_half_width(CHECK_LEVEL) <= half {
            break;
        }
    }
    Ok(report)
}

/// Plays pairs of games until the difference between the win rates of A and B is known to within ±
/// `half`, for each seat and player. `progress` receives the number of pairs played, and the number
/// of pairs at the next check.
///
/// This may take many times more games than [`run_until`]. Differences vary up to twice as much as
/// wins. The confidence level is also higher, because a comparison has an interval for each
/// measure.
///
/// # Errors
/// Returns the same errors as [`compare`].
pub fn compare_until(
    a: Arm<'_>,
    b: Arm<'_>,
    half: f64,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Comparison, PlanError> {
    let mut found: Option<Comparison> = None;
    let n_measures = crate::measure::Measure::of_plan(a.plan).len() as f64;
    for look in schedule_of_checks_for(half, 1.0, 1.0 - (1.0 - CHECK_LEVEL) / n_measures) {
        let n_before = found.as_ref().map_or(0, |found| found.a.n_games);
        let next = Plan { first_game: a.plan.first_game + n_before, n_games: look - n_before, ..a.plan.clone() };
        let more = compare(Arm { plan: &next, ..a }, b, &mut |n| progress(n_before + n, look))?;
        merge_into(&mut found, more, Comparison::merge);
        if found.as_ref().is_some_and(|found| found.widest_half_width(CHECK_LEVEL) <= half) {
            break;
        }
    }
    found.ok_or_else(|| PlanError("no games were played".to_owned()))
}
