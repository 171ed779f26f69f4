//! Games of bots for balance.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use table::Library;
use workshop::balance::{BalancePlan, ComparedRules, ExampleGame, ExamplePosition, ShownRules};
use workshop::{FileTexts, texts_of_library};

use super::{Job, Reporter};
use crate::balance_bench::BalanceResults;
use crate::shown_error::ShownError;

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
