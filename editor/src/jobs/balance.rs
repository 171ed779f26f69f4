//! Games of bots for balance.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use table::Library;
use workshop::balance::{
    BalancePlan, BalanceSnapshot, ComparedRules, DEFAULT_LEVEL, ExampleGame, ExamplePosition, FINDINGS, ReportSection,
    ShownRules, ablation_tables, comparison_table, ladder_table, summary, sweep_tables,
};
use workshop::{FileTexts, texts_of_library};

use super::{Job, Reporter};
use crate::shown_error::ShownError;

/// The results of a balance run so far, with their tables.
#[derive(Serialize, Deserialize)]
pub struct BalanceResults {
    /// The results of the games, without tables.
    pub seen: BalanceSnapshot,
    /// The tables of the comparison, the sweep, the effects of rules, or the ladder. Empty if the
    /// run contains only games under the rules in play.
    pub compared: Vec<ReportSection>,
    /// The signs of faults in the games under the rules in play; empty if there are none.
    pub findings: Vec<ReportSection>,
    /// The other tables of the games under the rules in play.
    pub tables: Vec<ReportSection>,
}

impl BalanceResults {
    /// Makes the tables.
    pub fn of(seen: BalanceSnapshot) -> BalanceResults {
        let two = seen.comparison.as_ref().map(comparison_table);
        let values = seen.sweep.iter().flat_map(|sweep| sweep_tables(sweep, DEFAULT_LEVEL));
        let parts = seen.matters.iter().flat_map(ablation_tables);
        let ladder = seen.ladder.iter().map(|ladder| ladder_table(ladder, DEFAULT_LEVEL));
        let (findings, tables) =
            summary(&seen.report, DEFAULT_LEVEL).into_iter().partition(|section| section.title == FINDINGS);
        BalanceResults {
            findings,
            compared: two.into_iter().chain(values).chain(parts).chain(ladder).collect(),
            tables,
            seen,
        }
    }
}

/// Plays the games of a balance run. Each report contains the results so far, but only the games
/// since the last report.
#[derive(Serialize, Deserialize)]
pub struct BalanceJob(pub Arc<BalancePlan>);

/// Replays an example game of a balance run.
#[derive(Serialize, Deserialize)]
pub struct ExampleJob {
    /// The plan of the run.
    pub plan: Arc<BalancePlan>,
    /// The game.
    pub example: ExampleGame,
    /// The rules under which to show the game.
    pub which: ShownRules,
}

impl Job for BalanceJob {
    type Report = BalanceResults;
    type Output = ();

    const NAME: &'static str = "balance";
    const HAS_LOW_PRIORITY: bool = true;

    fn run(self, reporter: &Reporter<'_, BalanceResults>) -> Result<(), ShownError> {
        Ok(self.0.play(|| reporter.is_wanted(), |seen| reporter.send(BalanceResults::of(seen)))?)
    }

    fn files(&self) -> Result<FileTexts, ShownError> {
        Ok(files_of(&self.0))
    }
}

impl Job for ExampleJob {
    type Report = ();
    type Output = ExamplePosition;

    const NAME: &'static str = "example game";

    fn run(self, _: &Reporter<'_, ()>) -> Result<ExamplePosition, ShownError> {
        Ok(self.plan.replay_example(&self.example, self.which)?)
    }

    fn files(&self) -> Result<FileTexts, ShownError> {
        Ok(files_of(&self.plan))
    }
}

/// Returns the files of the mods that are not in play, but that the alternative may need.
fn files_of(plan: &BalancePlan) -> FileTexts {
    let mut files = texts_of_library(&plan.library);
    if let ComparedRules::Folder(folder) = &plan.against {
        files.extend(texts_of_library(&Library::open(std::slice::from_ref(folder))));
    }
    files
}
