//! Balance runs: bots play games of the mods in play, in batches, so that the window can show
//! intermediate results.

mod against;
mod file;
mod goals;

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use loader::Library;
use platform::time::{Duration, Instant};
use rules::Setup;
use sim::{
    AblationStudy, Arm, Plan, PlanError, compare, merge_into, play_ladder, replay_difference, replay_example, run,
    sweep,
};

pub use against::{ComparedRules, paths_with, values_of, values_to_try};
pub use file::{FORMATS, ResultsFileError};
pub use goals::{GoalTexts, GoalsFound};
pub use players::{BotInfo, PLAYERS};
pub use sim::{
    AblationResults, Comparison, DEFAULT_LEVEL, ExampleGame, ExamplePosition, FINDINGS, GameResult, GoalProgress,
    Histogram, Interval, Ladder, MAX_VALUES, Measure, MeasureStats, Report, ReportCell, ReportRow, ReportSection,
    Standing, Subject, Sweep, Verdict, ablation_tables, comparison_table, goal_names, ladder_table, summary,
    sweep_tables, sweep_values, verdict_text,
};

use against::Arms;

use crate::configured_mods::{ConfiguredMods, search_path};

/// The target duration of a batch of games. The window shows new results after each batch.
const BATCH_DURATION: Duration = Duration::from_millis(120);

/// The number of games in the first batch, because the duration of games is still unknown.
const FIRST_BATCH_SIZE: u64 = 8;

/// A plan of a balance run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BalancePlan {
    /// The library from which to load the mods of the alternative.
    #[serde(with = "search_path")]
    pub library: Library,
    /// The mods in play.
    pub mods: ConfiguredMods,
    /// The alternative that the run compares with the rules in play.
    pub against: ComparedRules,
    /// The players, in the order of seats.
    #[serde(with = "bot_names")]
    pub players: Vec<BotInfo>,
    /// The name of each seat.
    pub names: Vec<String>,
    /// The number of games.
    pub n_games: u64,
    /// The seed from which the seed of each game is derived.
    pub seed: u64,
}

/// The results of a balance run so far, for display.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BalanceSnapshot {
    /// The report on the mods in play.
    pub report: Report,
    /// The comparison of two rule sets; `None` if the run does not compare two rule sets.
    pub comparison: Option<Comparison>,
    /// The sweep over the values of a setting; `None` if the run is not a sweep.
    pub sweep: Option<Sweep>,
    /// The effects of functions and tags; `None` if the run does not measure them.
    pub matters: Option<AblationResults>,
    /// The ladder of bots or the worth of options; `None` if the run measures neither. If the run
    /// measures one of them, `report` is the report on the last pair of bots.
    pub ladder: Option<Ladder>,
    /// The search for values that meet goals; `None` if the run is not such a search. If it is,
    /// `report` is the report on the best combination of values.
    pub goals: Option<GoalsFound>,
    /// The number of finished steps, and the number of all steps. A step is a game. If the run
    /// measures the effects of functions and tags, a step is a function, a tag or a pair of mods.
    /// If it searches for values that meet goals, a step is a combination of values in one round.
    pub progress: (u64, u64),
    /// The results of the games in order, one item per batch. [`BalancePlan::play`] reports only
    /// the games since its last snapshot. Empty unless the alternative of the plan is
    /// [`ComparedRules::Nothing`].
    pub games: Vec<Arc<[GameResult]>>,
}

/// The rules under which to show a game of the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ShownRules {
    /// The rules in play.
    InPlay,
    /// The rules in play, at the first position at which the game differs from the game under the
    /// alternative.
    Different,
    /// The rules with one value of the sweep's setting: the value at this index.
    Value(usize),
}

/// Sends bots by their names.
mod bot_names {
    use players::{BotInfo, player_named};
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bots: &[BotInfo], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(bots.iter().map(|bot| &bot.name))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<BotInfo>, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        let bot = |name: &String| player_named(name).ok_or_else(|| D::Error::custom(format!("no bot is named {name}")));
        names.iter().map(bot).collect()
    }
}

impl BalancePlan {
    /// Plans the games of the chosen players under the rules of `mods`.
    fn plan(&self, mods: &ConfiguredMods) -> Plan {
        let ids: Vec<&str> = mods.loaded.catalogue().mods.iter().map(|it| it.id.as_str()).collect();
        let (settings, players) = (mods.chosen.clone(), self.names.clone());
        let setup = Setup { settings, players, ..Setup::of(&ids, 0) };
        let plan = Plan::new(setup, mods.settings.clone(), self.players.clone(), self.n_games);
        Plan { seed: self.seed, details: true, n_threads: n_threads(), ..plan }
    }

    /// Returns the plan of those games that the report covers.
    fn plan_of_report(&self, arms: &Arms) -> Plan {
        let top_rung = if let Arms::Ladder(rungs) = arms { rungs.last().cloned() } else { None };
        top_rung.unwrap_or_else(|| self.plan(&self.mods))
    }

    fn load_arms(&self) -> Result<Arms, PlanError> {
        self.against.load_arms(&self.library, &self.mods, &self.plan(&self.mods))
    }

    /// Plays the games while `goes_on` returns true. Calls `each` after every batch with the
    /// results so far.
    ///
    /// # Errors
    /// Returns a message if the plan does not fit the mods, or if the alternative cannot be loaded.
    pub fn play(&self, goes_on: impl Fn() -> bool, mut each: impl FnMut(BalanceSnapshot)) -> Result<(), PlanError> {
        if let ComparedRules::Goals(texts) = &self.against {
            return self.play_for_goals(texts, &goes_on, &mut each);
        }
        let arms = self.load_arms()?;
        let plan = self.plan_of_report(&arms);
        let report = Report::new(&plan);
        let mut seen = BalanceSnapshot { report, progress: (0, self.n_games), ..BalanceSnapshot::default() };
        let mut looking = matches!(arms, Arms::Parts).then(|| AblationStudy::new(self.mods.loaded.catalogue(), &plan));
        let (mut n_played, mut n_batch) = (0, FIRST_BATCH_SIZE);
        let mut is_more = self.n_games > 0;
        while is_more && goes_on() {
            let began = Instant::now();
            let n_games = match &mut looking {
                Some(looking) => {
                    is_more = looking.step(&*self.mods.loaded, n_batch)?;
                    looking.report().into_iter().for_each(|report| report.clone_into(&mut seen.report));
                    seen.matters = Some(looking.results().clone());
                    seen.progress = looking.progress();
                    n_batch
                }
                None => {
                    let n_games = n_batch.min(self.n_games - n_played);
                    self.play_batch(&arms, n_played, n_games, &mut seen)?;
                    n_played += n_games;
                    seen.progress = (n_played, self.n_games);
                    is_more = n_played < self.n_games;
                    n_games
                }
            };
            each(seen.clone());
            seen.games.clear();
            let took = began.elapsed().as_secs_f64().max(1e-6);
            let wanted = n_games as f64 * BATCH_DURATION.as_secs_f64() / took;
            n_batch = (wanted as u64).clamp(1, n_batch * 4);
        }
        Ok(())
    }

    fn play_batch(
        &self,
        arms: &Arms,
        first_game: u64,
        n_games: u64,
        seen: &mut BalanceSnapshot,
    ) -> Result<(), PlanError> {
        let plan_of = |mods: &ConfiguredMods| Plan { first_game, n_games, ..self.plan(mods) };
        let plan = plan_of(&self.mods);
        match arms {
            Arms::Alone => {
                let mut games = Vec::new();
                let mut each = |game: &GameResult| {
                    games.push(game.clone());
                    true
                };
                seen.report.merge(run(&*self.mods.loaded, &plan, Some(&mut each), &mut |_| {})?);
                seen.games.push(games.into());
            }
            Arms::Two(others) => {
                let a = plan_of(others);
                let (a, b) = (arm(others, &a), arm(&self.mods, &plan));
                let found = compare(a, b, &mut |_| {})?;
                seen.report.merge(found.b.clone());
                merge_into(&mut seen.comparison, found, Comparison::merge);
            }
            Arms::Parts => {}
            Arms::Ladder(rungs) => {
                let rungs: Vec<Plan> = rungs.iter().map(|rung| Plan { first_game, n_games, ..rung.clone() }).collect();
                let found = play_ladder(&*self.mods.loaded, &rungs, &mut |_| {})?;
                found.rungs.last().into_iter().for_each(|top| seen.report.merge(top.report.clone()));
                merge_into(&mut seen.ladder, found, Ladder::merge);
            }
            Arms::Values(values, base, all) => {
                let ComparedRules::Sweep(setting, _) = &self.against else { return Ok(()) };
                let plans: Vec<Plan> = all.iter().map(plan_of).collect();
                let arms: Vec<Arm<'_>> = all.iter().zip(&plans).map(|(mods, plan)| arm(mods, plan)).collect();
                let found = sweep(&arms, setting, values, *base, &mut |_| {})?;
                found.report(*base).into_iter().for_each(|report| seen.report.merge(report.clone()));
                merge_into(&mut seen.sweep, found, Sweep::merge);
            }
        }
        Ok(())
    }

    /// Plays the game of `example` again. Returns the record of the game, and the position that
    /// illustrates the subject of `example`.
    ///
    /// # Errors
    /// Returns the same errors as [`play`](BalancePlan::play).
    pub fn replay_example(&self, example: &ExampleGame, which: ShownRules) -> Result<ExamplePosition, PlanError> {
        let arms = self.load_arms()?;
        let plan = self.plan_of_report(&arms);
        if which == ShownRules::InPlay {
            return replay_example(&*self.mods.loaded, &plan, example);
        }
        match (arms, which) {
            (Arms::Two(others), _) => {
                let a = self.plan(&others);
                replay_difference(arm(&others, &a), arm(&self.mods, &plan), example.game)
            }
            (Arms::Values(_, _, all), ShownRules::Value(at)) => {
                let mods = all.get(at).unwrap_or(&self.mods);
                replay_example(&*mods.loaded, &self.plan(mods), example)
            }
            _ => replay_example(&*self.mods.loaded, &plan, example),
        }
    }
}

fn arm<'a>(mods: &'a ConfiguredMods, plan: &'a Plan) -> Arm<'a> {
    Arm { factory: &*mods.loaded, plan }
}

/// Returns the number of threads: the number of cores minus one core for the window; at least 1.
fn n_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).saturating_sub(1).max(1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use loader::Library;

    use super::*;

    fn base() -> ConfiguredMods {
        let loaded = Arc::new(Library::builtin().load(&["base"]).0.unwrap());
        let settings = loaded.settings_from(&[]).unwrap();
        ConfiguredMods { loaded, settings, chosen: Vec::new() }
    }

    fn play(plan: &BalancePlan, each: &mut dyn FnMut(BalanceSnapshot), goes_on: bool) {
        plan.play(|| goes_on, each).unwrap();
    }

    #[test]
    fn games_are_played_some_at_a_time_and_can_be_looked_at() {
        let random = PLAYERS[0].clone();
        let (library, against) = (Library::builtin(), ComparedRules::Nothing);
        let names = vec!["Ann".to_owned(), "red".to_owned()];
        let players = vec![random; 2];
        let plan = BalancePlan { library, mods: base(), against, players, names, n_games: 60, seed: 3 };
        let mut seen = Vec::new();
        play(&plan, &mut |it| seen.push(it), true);
        let last = seen.last().unwrap();
        let games: Vec<&GameResult> = seen.iter().flat_map(|it| it.games.iter()).flat_map(|some| some.iter()).collect();
        assert!(seen.len() > 1 && last.report.n_games == 60 && games.len() == 60);
        assert_eq!(last.report.seats()[0].name, "Ann");
        let shown = plan.replay_example(&ExampleGame { game: 17, subject: Subject::End }, ShownRules::InPlay).unwrap();
        assert!(shown.record.starts_with("bastide 1\n") && games[17].number == 17, "{}", shown.record);
        // `goes_on` returns false before the first batch, so the run plays no game.
        let mut n = 0;
        play(&plan, &mut |_| n += 1, false);
        assert_eq!(n, 0);
        // Both players are the same bot, so the run uses the default ladder. The report covers the
        // last pair of bots.
        let skill = BalancePlan { against: ComparedRules::Ladder, n_games: 6, ..plan.clone() };
        play(&skill, &mut |it| seen.push(it), true);
        let last = seen.last().unwrap();
        let ladder = last.ladder.clone().unwrap();
        let named: Vec<(&str, &str)> = ladder.rungs.iter().map(|it| (&*it.weaker, &*it.stronger)).collect();
        assert_eq!(named, [("random", "greedy"), ("greedy", "search:100")]);
        assert!(ladder.rungs[0].win_rate() > 0.9 && ladder.rungs.iter().all(|it| it.report.n_games == 6));
        assert_eq!(last.report.seats()[0].mean(), ladder.rungs[1].report.seats()[0].mean());
        assert_eq!(ladder_table(&ladder, DEFAULT_LEVEL).rows.len(), 2);
        let csv = skill.file_content(last, std::path::Path::new("ladder.csv")).unwrap();
        assert_eq!(String::from_utf8(csv).unwrap().lines().count(), 3);
        let shown = skill.replay_example(&ExampleGame { game: 1, subject: Subject::End }, ShownRules::InPlay).unwrap();
        assert!(shown.record.starts_with("bastide 1\n"), "{}", shown.record);
        // The alternative consists of the same mods, so nothing differs.
        let against = BalancePlan { against: ComparedRules::Pinned(plan.mods.clone()), n_games: 10, ..plan };
        play(&against, &mut |it| seen.push(it), true);
        let found = seen.last().unwrap().comparison.clone().unwrap();
        assert_eq!((found.n_pairs, found.n_changed, found.differs()), (10, 0, false));
    }
}
