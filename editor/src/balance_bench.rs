//! Balance: games of bots with the mods in play, on threads of their own, so that neither frames nor the game wait for them.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use egui::Context;
use platform::task;
use table::{Revision, Snapshot, Stop};
use workshop::balance::{BalancePlan, BalanceSeen, ModsAsRead, PLAYERS, PlayerInfo};

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
    baseline: Option<ModsAsRead>,
    plan: Option<Arc<BalancePlan>>,
    seen: Option<Box<BalanceSeen>>,
    error: Option<String>,
    run: Option<Run>,
    /// The mods that were played with last.
    played: Option<Revision>,
}

impl Default for BalanceBench {
    fn default() -> BalanceBench {
        BalanceBench {
            players: Vec::new(),
            n_games: GAMES[0],
            listed: None,
            baseline: None,
            plan: None,
            seen: None,
            error: None,
            run: None,
            played: None,
        }
    }
}

/// A run that goes on.
struct Run {
    reports: Receiver<Result<Box<BalanceSeen>, String>>,
    stop: Stop,
}

impl BalanceBench {
    /// What is known so far.
    pub fn seen(&self) -> Option<&BalanceSeen> {
        self.seen.as_deref()
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

    /// Whether there is something to compare with.
    pub fn has_baseline(&self) -> bool {
        self.baseline.is_some()
    }

    /// Whether the mods in play are others than those that were played with.
    pub fn is_stale(&self, seen: &Snapshot) -> bool {
        self.played.is_some_and(|played| played != seen.mods_revision())
    }

    /// Keeps the mods as they are, to be compared with whatever becomes of them; or compares no more.
    pub fn pin(&mut self, mods: Option<ModsAsRead>) {
        self.baseline = mods;
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
    pub fn start(&mut self, ctx: &Context, seen: &Snapshot) {
        self.stop();
        self.choose_players(seen);
        let players: Vec<PlayerInfo> = self.players.iter().filter_map(|at| PLAYERS.get(*at)).copied().collect();
        let (mods, baseline) = (mods_of(seen), self.baseline.clone());
        let plan = Arc::new(BalancePlan { mods, baseline, players, n_games: self.n_games, seed: 1 });
        let (say, reports) = channel();
        let stop = Stop::default();
        let (asked, ctx, played) = (stop.clone(), ctx.clone(), plan.clone());
        let work = move || async move {
            let wake = |report| {
                // Nobody hears of a run that another one has replaced.
                let _ = say.send(report);
                ctx.request_repaint();
            };
            let ended = played.play(|| !asked.is_asked(), |seen| wake(Ok(Box::new(seen)))).await;
            if let Err(error) = ended {
                wake(Err(error.to_string()));
            }
            drop(say);
            ctx.request_repaint();
        };
        (self.seen, self.error, self.listed) = (None, None, None);
        self.played = Some(seen.mods_revision());
        if task::spawn("balance", table::STACK, work).is_ok() {
            (self.plan, self.run) = (Some(plan), Some(Run { reports, stop }));
        }
    }

    /// Hears what the run that goes on has found out.
    pub fn hear(&mut self) {
        while let Some(run) = &self.run {
            match run.reports.try_recv() {
                Ok(Ok(seen)) => self.seen = Some(seen),
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
