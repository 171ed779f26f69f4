//! Improves the learned value of `search` for a set of mods: trains it on their games, and tests
//! whether `search` plays better with it.

use std::sync::Arc;

use players::{BotInfo, LearnedValue, Rng, player_named};
use rules::RulesFactory;

use crate::plan::{Plan, PlanError};
use crate::sequential::{SequentialRun, SequentialTest, run_sequential};
use crate::training::{TrainingReport, TrainingStart, record_positions, train};

/// The number of times that the training reads all positions.
const N_ROUNDS: usize = 8;
/// The bot that tests the trained value.
const TESTED: &str = "search:50";
/// The win rate that the sequential test compares with 50%.
const CLEARLY_STRONGER: f64 = 0.6;

/// A training of a learned value on the games of a set of mods.
#[derive(Clone, Debug)]
pub struct Improvement {
    /// The number of recorded positions.
    pub n_positions: usize,
    /// The errors of the trained value.
    pub report: TrainingReport,
    /// The trained value.
    pub value: LearnedValue,
    /// The games of `search` with the trained value against `search` with the value that these mods
    /// had before.
    pub test: SequentialRun,
}

/// The progress of an improvement.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ImproveProgress {
    /// This number of games is played and recorded.
    Recorded(u64),
    /// The value is trained, with these errors.
    Trained(TrainingReport),
    /// This number of games of the test is played.
    Tested(u64),
}

/// Plays the games of `plan`, trains a value on them, and tests it in at most `n_test_games` games.
/// The training starts from the value that the mods have, or from random weights if `is_fresh` is
/// true. The result depends only on the plan and on `is_fresh`.
///
/// # Errors
/// Returns the same errors as [`run`](crate::run()), and an error if no game could be finished.
pub fn improve(
    factory: &dyn RulesFactory,
    plan: &Plan,
    is_fresh: bool,
    n_test_games: u64,
    progress: &mut dyn FnMut(ImproveProgress),
) -> Result<Improvement, PlanError> {
    // A value that is not valid is not used, so the training replaces it.
    let old = LearnedValue::for_mods(factory.catalogue()).unwrap_or_else(|_| LearnedValue::builtin());
    let start = if is_fresh { TrainingStart::Random } else { TrainingStart::Value(&old) };
    let games = record_positions(factory, plan, &mut |n| progress(ImproveProgress::Recorded(n)))?;
    if games.positions.is_empty() {
        return Err(PlanError("no game could be played to its end".to_owned()));
    }
    let mut report = TrainingReport::default();
    let value = train(start, &games, N_ROUNDS, plan.seed, &mut |it| report = it);
    progress(ImproveProgress::Trained(report));
    let tested = player_named(TESTED).ok_or_else(|| PlanError(format!("no bot {TESTED}")))?;
    let named = |name: &str, value| tested.clone().with_value(format!("{TESTED} with the {name}"), value);
    let pair: Vec<BotInfo> =
        vec![named("value of before", old.clone()), named("trained value", Arc::new(value.clone()))];
    // The test has other draws than the training.
    let seed = Rng::derived_seed(plan.seed, 1);
    let plan = Plan { players: pair, n_games: n_test_games, seed, ..plan.clone() };
    let test = SequentialTest { win_rate: CLEARLY_STRONGER };
    let test = run_sequential(factory, &plan, test, &mut |n| progress(ImproveProgress::Tested(n)))?;
    Ok(Improvement { n_positions: games.positions.len(), report, value, test })
}
