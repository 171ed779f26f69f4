//! Balance: bot games with the mods in play. The games run in the background. On platforms with
//! threads, neither frames nor the user's game wait for them.

use std::sync::Arc;

use egui::Context;
use table::{DEFAULT_NAMES, Snapshot, player_named};
use workshop::ConfiguredMods;
use workshop::balance::{BalancePlan, BalanceSnapshot, BotInfo, ComparedRules, GoalTexts, Measure, PLAYERS};

use crate::jobs::{BalanceJob, BalanceResults, JobHandle};
use crate::playtest_bench::PlaytestBench;

/// The numbers of games that the user can choose from.
pub const GAME_COUNTS: [u64; 4] = [200, 1_000, 10_000, 100_000];

/// The results of bot games, and the choices for the next balance run.
#[derive(Default)]
pub struct BalanceBench {
    /// The player chosen for each seat; empty until the panel is first shown or a run starts.
    pub players: Vec<BotInfo>,
    /// The index of the number of games in the next balance run among `GAME_COUNTS`.
    pub count: usize,
    /// The seat whose example games are listed; `None` if no games are listed.
    pub listed: Option<usize>,
    /// The measure that the curve shows. If `None`, the panel chooses a measure, preferably one
    /// with a clear difference between values.
    pub curve_of: Option<Measure>,
    /// True if the curve shows differences: the result for each value minus the result for the
    /// value in play.
    pub curve_is_relative: bool,
    /// The playtests that the panel shows instead of bot games, if the user has chosen any.
    pub playtests: PlaytestBench,
    /// The values of the setting to try in a sweep, as the user typed them.
    pub values: String,
    against: ComparedRules,
    /// The plan of the run in progress or of the last run.
    plan: Option<Arc<BalancePlan>>,
    known: Option<Results>,
    /// The results of the run before, until the run in progress has results.
    earlier: Option<Results>,
    error: Option<String>,
    run: Option<JobHandle<BalanceResults, ()>>,
}

/// The results of a run, with its plan.
type Results = (Arc<BalancePlan>, Arc<BalanceResults>);

impl BalanceBench {
    /// Returns the number of games in the next balance run.
    pub fn n_games(&self) -> u64 {
        GAME_COUNTS[self.count]
    }

    /// Returns the results of the last run so far, with their tables; `None` if there are none yet.
    /// If the last run ended before its first results, returns those of the run before.
    pub fn results(&self) -> Option<&Arc<BalanceResults>> {
        self.known.as_ref().map(|(_, known)| known)
    }

    /// Returns the results of the last run so far, without tables; `None` if there are none yet.
    pub fn snapshot(&self) -> Option<&BalanceSnapshot> {
        self.results().map(|known| &known.seen)
    }

    /// Returns the error that ended the last run, if there is one.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Returns the plan of the [`results`](BalanceBench::results).
    pub fn plan(&self) -> Option<&Arc<BalancePlan>> {
        self.known.as_ref().map(|(plan, _)| plan)
    }

    /// Returns whether a balance run is in progress.
    pub fn is_running(&self) -> bool {
        self.run.is_some()
    }

    /// Returns the baseline that the rules in play are compared with.
    pub fn baseline(&self) -> &ComparedRules {
        &self.against
    }

    /// Returns the goals of the next run; `None` if the next run is not a search for goals.
    pub fn goals_mut(&mut self) -> Option<&mut GoalTexts> {
        if let ComparedRules::Goals(texts) = &mut self.against { Some(texts) } else { None }
    }

    /// Returns whether the next run compares the rules in play with a baseline.
    pub fn compares(&self) -> bool {
        !matches!(self.against, ComparedRules::Nothing)
    }

    /// Returns whether the mods in play differ from the mods of the last run or, before the first
    /// run, from the pinned mods.
    pub fn is_stale(&self, seen: &Snapshot) -> bool {
        let Some(played) = self.last_mods() else { return false };
        let (played, now) = (&played.loaded, seen.loaded());
        !Arc::ptr_eq(played, now) && played.catalogue().mods != now.catalogue().mods
    }

    /// Returns whether the mods in play have the ids, but not the contents, of the mods of the last
    /// run. Before the first run, compares with the pinned mods.
    pub fn has_changed_mods(&self, seen: &Snapshot) -> bool {
        let Some(played) = self.last_mods().filter(|_| self.is_stale(seen)) else { return false };
        let (played, now) = (&played.loaded.catalogue().mods, &seen.loaded().catalogue().mods);
        played.iter().map(|it| &it.id).eq(now.iter().map(|it| &it.id))
    }

    /// Returns the mods of the last run, or the pinned mods if there was no run. Returns `None` if
    /// there are no pinned mods either.
    fn last_mods(&self) -> Option<&ConfiguredMods> {
        let pinned = if let ComparedRules::Pinned(mods) = &self.against { Some(mods) } else { None };
        self.plan.as_ref().map(|plan| &plan.mods).or(pinned)
    }

    /// Sets the baseline for the next runs.
    pub fn set_baseline(&mut self, against: ComparedRules) {
        if let ComparedRules::Sweep(_, Some(values)) = &against {
            values.clone_into(&mut self.values);
        }
        self.against = against;
    }

    /// Stops the run in progress.
    pub fn stop(&mut self) {
        self.run = None;
        self.known = self.known.take().or(self.earlier.take());
    }

    /// Chooses the players for the next run if none are chosen yet. Uses the players of the game on
    /// the board, with a greedy bot in place of each person.
    pub fn choose_players(&mut self, seen: &Snapshot) {
        if self.players.is_empty() {
            self.players = players_of(seen);
        }
    }

    /// Returns the names of the seats of the next run: the players of the game on the board. If the
    /// run has more seats, the other names are colours that no player is called after.
    pub fn seat_names(&self, seen: &Snapshot) -> Vec<String> {
        let own = &seen.setup().players;
        let free = DEFAULT_NAMES.iter().map(|name| (*name).to_owned()).filter(|name| !own.contains(name));
        own.iter().cloned().chain(free).take(self.players.len()).collect()
    }

    /// Starts a run with the mods of `seen`, and stops the run in progress, if any.
    pub fn start(&mut self, ctx: &Context, seen: &Snapshot) {
        self.choose_players(seen);
        let mut players = self.players.clone();
        if matches!(self.against, ComparedRules::Ladder) {
            // The list of players begins with the weakest.
            let strength = |player: &BotInfo| PLAYERS.iter().position(|known| known.name == player.name);
            players.sort_by_key(|player| strength(player).unwrap_or(PLAYERS.len()));
        }
        let (library, mods, against) = (seen.library().clone(), ConfiguredMods::of(seen), self.against.clone());
        let (names, n_games) = (self.seat_names(seen), self.n_games());
        let plan = Arc::new(BalancePlan { library, mods, against, players, names, n_games, seed: 1 });
        self.earlier = self.known.take().or(self.earlier.take());
        (self.error, self.listed) = (None, None);
        self.run = Some(JobHandle::start(ctx, BalanceJob(plan.clone())));
        self.plan = Some(plan);
    }

    /// Collects the results of the run in progress.
    pub fn poll(&mut self) {
        let (Some(run), Some(plan)) = (&self.run, &self.plan) else { return };
        let ended = run.poll(|mut more| {
            let games = self.known.iter().flat_map(|(_, known)| known.seen.games.iter().cloned());
            more.seen.games.splice(..0, games);
            self.known = Some((plan.clone(), Arc::new(more)));
            self.earlier = None;
        });
        if let Some(ended) = ended {
            self.stop();
            self.error = ended.err().map(|error| error.to_string());
        }
    }
}

/// Returns the players of the game on the board. A greedy bot takes the place of people and
/// programs.
fn players_of(session: &Snapshot) -> Vec<BotInfo> {
    let setup = session.setup();
    let bot = |name: &String| setup.bots.iter().find(|(seat, _)| seat == name).map(|(_, bot)| bot.as_str());
    let of = |name: &String| bot(name).and_then(player_named).or_else(|| player_named("greedy"));
    setup.players.iter().filter_map(of).collect()
}
