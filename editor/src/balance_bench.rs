//! Balance: games of bots with the mods in play, on threads of their own, so that neither frames nor the game wait for them.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use egui::Context;
use platform::task;
use platform::time::Duration;
use table::{Snapshot, Stop};
use workshop::balance::{
    Against, BalancePlan, BalanceSeen, LEVEL, Measure, ModsAsRead, PLAYERS, PlayerInfo, Section, compared,
    ladder_table, matters_tables, summary, swept,
};

use crate::remote;

/// After how long the window looks again what has come of games.
const LOOKS_AGAIN: Duration = Duration::from_millis(100);

/// How many games may be chosen.
pub const GAMES: [u64; 4] = [200, 1_000, 10_000, 100_000];

/// What has come of games of bots, and how they are played.
pub struct BalanceBench {
    /// Who plays each seat, by position among all players; empty until somebody looks at it.
    pub players: Vec<usize>,
    /// How many games.
    pub n_games: u64,
    /// The seat whose games are listed.
    pub listed: Option<usize>,
    /// What a curve is drawn of; what differs first where nobody has chosen.
    pub curve_of: Option<Measure>,
    /// Whether a curve is drawn as the difference from the value in play.
    pub curve_is_relative: bool,
    /// The values of the setting that is swept, as they are being written.
    pub values: String,
    against: Against,
    plan: Option<Arc<BalancePlan>>,
    known: Option<Arc<Known>>,
    error: Option<String>,
    run: Option<Run>,
}

impl Default for BalanceBench {
    fn default() -> BalanceBench {
        BalanceBench {
            players: Vec::new(),
            n_games: GAMES[0],
            listed: None,
            curve_of: None,
            curve_is_relative: false,
            values: String::new(),
            against: Against::Nothing,
            plan: None,
            known: None,
            error: None,
            run: None,
        }
    }
}

/// What is known so far, with its tables.
pub struct Known {
    /// What it is.
    pub seen: BalanceSeen,
    /// What is compared.
    pub compared: Vec<Section>,
    /// What has come of the rules in play.
    pub tables: Vec<Section>,
}

impl Known {
    fn of(seen: BalanceSeen) -> Known {
        let two = seen.comparison.as_ref().map(compared);
        let values = seen.sweep.iter().flat_map(|sweep| swept(sweep, LEVEL));
        let parts = seen.matters.iter().flat_map(matters_tables);
        let ladder = seen.ladder.iter().map(|ladder| ladder_table(ladder, LEVEL));
        Known {
            compared: two.into_iter().chain(values).chain(parts).chain(ladder).collect(),
            tables: summary(&seen.report, LEVEL),
            seen,
        }
    }
}

/// A run that goes on.
struct Run {
    reports: Receiver<Result<Arc<Known>, String>>,
    stop: Stop,
}

impl BalanceBench {
    /// What is known so far.
    pub fn known(&self) -> Option<&Arc<Known>> {
        self.known.as_ref()
    }

    /// The same without its tables.
    pub fn seen(&self) -> Option<&BalanceSeen> {
        self.known.as_ref().map(|known| &known.seen)
    }

    /// Why nothing could be played, if so.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// What was played last.
    pub fn plan(&self) -> Option<&Arc<BalancePlan>> {
        self.plan.as_ref()
    }

    /// Whether games are being played.
    pub fn is_running(&self) -> bool {
        self.run.is_some()
    }

    /// What the rules in play are compared with.
    pub fn against(&self) -> &Against {
        &self.against
    }

    /// Whether there is something to compare with.
    pub fn compares(&self) -> bool {
        !matches!(self.against, Against::Nothing)
    }

    /// Whether the mods in play are others than those that were played with.
    pub fn is_stale(&self, seen: &Snapshot) -> bool {
        let Some(played) = self.played() else { return false };
        let (played, now) = (&played.loaded, seen.loaded());
        !Arc::ptr_eq(played, now) && played.catalogue().mods != now.catalogue().mods
    }

    /// Whether the mods in play are the same, and some of them were changed since.
    pub fn is_changed(&self, seen: &Snapshot) -> bool {
        let Some(played) = self.played().filter(|_| self.is_stale(seen)) else { return false };
        let (played, now) = (&played.loaded.catalogue().mods, &seen.loaded().catalogue().mods);
        played.iter().map(|it| &it.id).eq(now.iter().map(|it| &it.id))
    }

    /// The mods that were played with last, or pinned without having been played with.
    fn played(&self) -> Option<&ModsAsRead> {
        let pinned = if let Against::Pinned(mods) = &self.against { Some(mods) } else { None };
        self.plan.as_ref().map(|plan| &plan.mods).or(pinned)
    }

    /// Compares with this from the next run on.
    pub fn compare(&mut self, against: Against) {
        if let Against::Sweep(_, Some(values)) = &against {
            values.clone_into(&mut self.values);
        }
        self.against = against;
    }

    /// Stops the run that goes on.
    pub fn stop(&mut self) {
        if let Some(run) = self.run.take() {
            run.stop.ask();
        }
    }

    /// Lets those play who play the game on the board, where nobody has chosen others; a bot that is no fool stands for persons.
    pub fn choose_players(&mut self, seen: &Snapshot) {
        if self.players.is_empty() {
            self.players = players_of(seen);
        }
    }

    /// Begins to play with the mods of `seen`; what was being played is stopped.
    pub fn start(&mut self, seen: &Snapshot) {
        self.stop();
        self.choose_players(seen);
        let mut players = self.players.clone();
        if matches!(self.against, Against::Ladder) {
            players.sort_unstable();
        }
        let players: Vec<PlayerInfo> = players.iter().filter_map(|at| PLAYERS.get(*at)).cloned().collect();
        let (library, mods, against) = (seen.library().clone(), mods_of(seen), self.against.clone());
        let plan = Arc::new(BalancePlan { library, mods, against, players, n_games: self.n_games, seed: 1 });
        let (say, reports) = channel();
        let stop = Stop::default();
        let (asked, played) = (stop.clone(), plan.clone());
        let work = move || async move {
            task::give_way();
            // Nobody hears of a run that another one has replaced.
            let tell = |report| drop(say.send(report));
            let ended = remote::play(&played, || !asked.is_asked(), |seen| tell(Ok(Arc::new(Known::of(seen))))).await;
            if let Err(error) = ended {
                tell(Err(error));
            }
        };
        (self.known, self.error, self.listed) = (None, None, None);
        if task::spawn("balance", table::STACK, work).is_ok() {
            (self.plan, self.run) = (Some(plan), Some(Run { reports, stop }));
        }
    }

    /// Hears what the run that goes on has found out. The window looks now and then: work that gives way to all else had better not hold what a frame
    /// waits for.
    pub fn hear(&mut self, ctx: &Context) {
        if self.run.is_some() {
            ctx.request_repaint_after(LOOKS_AGAIN);
        }
        while let Some(run) = &self.run {
            match run.reports.try_recv() {
                Ok(Ok(known)) => self.known = Some(known),
                Ok(Err(error)) => self.error = Some(error),
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => self.run = None,
            }
        }
    }
}

impl Drop for BalanceBench {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The mods in play, with their settings.
pub fn mods_of(seen: &Snapshot) -> ModsAsRead {
    ModsAsRead {
        loaded: seen.loaded().clone(),
        settings: seen.settings().into_iter().map(|(_, value)| value).collect(),
        chosen: seen.setup().settings.clone(),
    }
}

/// The players of the game on the board, by position among all players.
fn players_of(session: &Snapshot) -> Vec<usize> {
    let setup = session.setup();
    let bot =
        |name: &String| setup.bots.iter().find(|(seat, _)| seat == name).map_or("greedy", |(_, bot)| bot.as_str());
    let of = |name: &String| PLAYERS.iter().position(|player| player.name == bot(name)).unwrap_or_default();
    setup.players.iter().map(of).collect()
}
