//! A balance run: games of the mods in play, some at a time, so that what is known so far can be seen while more are played.

use std::sync::Arc;

use loader::Loaded;
use platform::task;
use platform::time::{Duration, Instant};
use rules::{SettingValue, Setup};
use sim::{Arm, Comparison, GameResult, Plan, PlanError, Report, compare, run};

pub use players::{PLAYERS, PlayerInfo};
pub use sim::{Cell, LEVEL, Measure, Section, Standing, Verdict, compared, compared_page, page, summary};

/// How long a batch of games should take: what is seen is never older. Where the window waits for it, a frame has to be drawn after it.
const BATCH: Duration = Duration::from_millis(if task::has_threads() { 120 } else { 8 });

/// How many games the first batch has, of which nobody knows how long they take.
const FIRST_BATCH: u64 = if task::has_threads() { 8 } else { 1 };

/// How many games are kept to be looked at.
const MOST_KEPT: usize = 400;

/// Mods with their settings, as they were when they were read.
#[derive(Clone, Debug)]
pub struct ModsAsRead {
    /// The mods.
    pub loaded: Arc<Loaded>,
    /// One value for each setting.
    pub settings: Vec<SettingValue>,
    /// The same for people and records, as far as it is not the default.
    pub chosen: Vec<(String, String)>,
}

/// What is to be played.
#[derive(Clone, Debug)]
pub struct BalancePlan {
    /// By which mods.
    pub mods: ModsAsRead,
    /// What these are compared with, in pairs of games with the same seeds.
    pub baseline: Option<ModsAsRead>,
    /// Who plays, in the order of seats.
    pub players: Vec<PlayerInfo>,
    /// How many games.
    pub n_games: u64,
    /// What all chance follows from.
    pub seed: u64,
}

/// A game that can be looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptGame {
    /// Its number.
    pub number: u64,
    /// The scores by seat; as they stood where it did not come to its end.
    pub scores: Vec<i64>,
    /// The seats that won; nobody where it did not come to its end.
    pub winners: Vec<usize>,
}

/// What is known so far.
#[derive(Clone, Debug)]
pub struct BalanceSeen {
    /// Of the mods as they are.
    pub report: Report,
    /// Against the baseline, where there is one.
    pub comparison: Option<Comparison>,
    /// The first games, and those that failed, as far as they are kept.
    pub games: Vec<KeptGame>,
}

impl BalancePlan {
    fn plan(&self, mods: &ModsAsRead) -> Plan {
        let ids: Vec<&str> = mods.loaded.catalogue().mods.iter().map(|it| it.id.as_str()).collect();
        let setup = Setup { settings: mods.chosen.clone(), ..Setup::of(&ids, self.players.len()) };
        let plan = Plan::new(setup, mods.settings.clone(), self.players.clone(), self.n_games);
        Plan { seed: self.seed, details: true, n_threads: n_threads(), ..plan }
    }

    /// Plays as long as `goes_on` says so; `each` gets what is known whenever some games more were played.
    ///
    /// # Errors
    /// Where these mods cannot be played so: a sentence.
    pub async fn play(&self, goes_on: impl Fn() -> bool, mut each: impl FnMut(BalanceSeen)) -> Result<(), PlanError> {
        let plan = self.plan(&self.mods);
        let mut seen = BalanceSeen { report: Report::of(&plan), comparison: None, games: Vec::new() };
        let (mut n_played, mut n_batch) = (0, FIRST_BATCH);
        while n_played < self.n_games && goes_on() {
            let next = Plan { first_game: n_played, n_games: n_batch.min(self.n_games - n_played), ..plan.clone() };
            let began = Instant::now();
            self.play_batch(&next, &mut seen)?;
            n_played += next.n_games;
            each(seen.clone());
            let took = began.elapsed().as_secs_f64().max(1e-6);
            let wanted = next.n_games as f64 * BATCH.as_secs_f64() / took;
            n_batch = (wanted as u64).clamp(1, n_batch * 4);
            task::breathe().await;
        }
        Ok(())
    }

    fn play_batch(&self, plan: &Plan, seen: &mut BalanceSeen) -> Result<(), PlanError> {
        if let Some(baseline) = &self.baseline {
            let before = Plan { first_game: plan.first_game, n_games: plan.n_games, ..self.plan(baseline) };
            let a = Arm { factory: &*baseline.loaded, plan: &before };
            let found = compare(a, Arm { factory: &*self.mods.loaded, plan }, &mut |_| {})?;
            seen.report.merge(found.b.clone());
            match &mut seen.comparison {
                Some(comparison) => comparison.merge(found),
                None => seen.comparison = Some(found),
            }
            return Ok(());
        }
        let games = &mut seen.games;
        let mut each = |game: &GameResult| {
            if games.len() < MOST_KEPT {
                let (scores, winners) = (game.scores.clone(), game.winners().collect());
                games.push(KeptGame { number: game.number, scores, winners });
            }
            true
        };
        seen.report.merge(run(&*self.mods.loaded, plan, Some(&mut each), &mut |_| {})?);
        Ok(())
    }

    /// Plays one of the games again and returns its record.
    ///
    /// # Errors
    /// As for [`play`](BalancePlan::play).
    pub fn record_of(&self, number: u64) -> Result<String, PlanError> {
        let plan = Plan { first_game: number, n_games: 1, n_threads: 1, with_records: true, ..self.plan(&self.mods) };
        let mut record = String::new();
        let mut each = |game: &GameResult| {
            record = game.record.clone().unwrap_or_default();
            true
        };
        run(&*self.mods.loaded, &plan, Some(&mut each), &mut |_| {})?;
        Ok(record)
    }
}

/// All cores but one, which the window has for itself.
fn n_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).saturating_sub(1).max(1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use loader::Library;

    use super::*;

    fn base() -> ModsAsRead {
        let loaded = Arc::new(Library::builtin().load(&["base"]).0.unwrap());
        let settings = loaded.settings_from(&[]).unwrap();
        ModsAsRead { loaded, settings, chosen: Vec::new() }
    }

    fn play(plan: &BalancePlan, each: &mut dyn FnMut(BalanceSeen), goes_on: bool) {
        task::finish(plan.play(|| goes_on, each)).unwrap();
    }

    #[test]
    fn games_are_played_some_at_a_time_and_can_be_looked_at() {
        let random = PLAYERS[0];
        let plan = BalancePlan { mods: base(), baseline: None, players: vec![random; 2], n_games: 60, seed: 3 };
        let mut seen = Vec::new();
        play(&plan, &mut |it| seen.push(it), true);
        let last = seen.last().unwrap();
        assert!(seen.len() > 1 && last.report.n_games == 60 && last.games.len() == 60);
        let record = plan.record_of(17).unwrap();
        assert!(record.starts_with("bastide 1\n") && last.games[17].number == 17, "{record}");
        // It is asked before each batch whether to go on.
        let mut n = 0;
        play(&plan, &mut |_| n += 1, false);
        assert_eq!(n, 0);
        // The same mods as a baseline: nothing differs.
        let against = BalancePlan { baseline: Some(plan.mods.clone()), n_games: 10, ..plan };
        play(&against, &mut |it| seen.push(it), true);
        let found = seen.last().unwrap().comparison.clone().unwrap();
        assert_eq!((found.n_pairs, found.n_changed, found.differs()), (10, 0, false));
    }
}
