//! Plays the games of a plan on several threads.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use platform::time::{Duration, Instant};
use rules::RulesFactory;

use crate::plan::{Plan, PlanError};
use crate::result::GameResult;
use crate::stats::Report;
use crate::table::SimThread;

/// The maximum number of games that a thread takes from the queue at once (a chunk). With large
/// chunks, threads rarely wait for each other.
const MAX_CHUNK: u64 = 64;

/// The maximum number of unread messages of all threads together. A thread waits before it sends
/// more messages, so that unwritten results do not fill the memory.
const MAX_UNREAD_MESSAGES: usize = 16;

/// Plays the games of `plan` on several threads. Each thread makes its own rules with `factory`.
///
/// `each` receives the results of the games in the order of their numbers, and returns false to
/// stop. If `each` is `None`, threads send only statistics, which saves memory. `progress` receives
/// the number of games played so far.
///
/// # Errors
/// Returns an error if the plan does not fit the mods, or if the rules or the position of the setup
/// cannot be made. Also returns an error if a thread cannot be started.
pub fn run(
    factory: &dyn RulesFactory,
    plan: &Plan,
    mut each: Option<&mut dyn FnMut(&GameResult) -> bool>,
    progress: &mut dyn FnMut(u64),
) -> Result<Report, PlanError> {
    check(factory, plan)?;
    let keeps = each.is_some();
    let queue = Queue::new(plan);
    let work = |say: &dyn Fn(FinishedChunk)| {
        let mut table = SimThread::new(factory, plan)?;
        let began = Instant::now();
        while let Some((chunk, numbers)) = queue.take() {
            let n_games = numbers.end - numbers.start;
            let mut games = Vec::new();
            for number in numbers {
                let result = table.play(number);
                if keeps {
                    games.push(result);
                }
            }
            say(FinishedChunk { chunk, n_games, games });
        }
        Ok((table.into_report(), began..Instant::now()))
    };
    let (mut n_played, mut next, mut waiting) = (0, 0, BTreeMap::new());
    let worked = run_on_threads(queue.n_threads, work, |done| {
        n_played += done.n_games;
        progress(n_played);
        waiting.insert(done.chunk, done.games);
        while let Some(games) = waiting.remove(&next) {
            next += 1;
            if let Some(takes_more) = &mut each
                && !games.iter().all(&mut **takes_more)
            {
                queue.stops.store(true, Ordering::Relaxed);
                // Other threads still finish their chunks, but `each` receives no more results.
                each = None;
            }
        }
    })?;
    let mut report = Report::new(plan);
    let took = whole_time(worked.iter().map(|(_, time)| time));
    worked.into_iter().for_each(|(part, _)| report.merge(part));
    (report.took, report.n_threads) = (took, queue.n_threads);
    Ok(report)
}

/// Checks that a plan can be played.
///
/// # Errors
/// Returns the reason if the plan cannot be played.
pub(crate) fn check(factory: &dyn RulesFactory, plan: &Plan) -> Result<(), PlanError> {
    plan.setup.check_players(factory.catalogue()).map_err(|error| PlanError(error.to_string()))?;
    if plan.players.len() != plan.setup.players.len() {
        let (n, m) = (plan.players.len(), plan.setup.players.len());
        return Err(PlanError(format!("{n} players for {m} seats")));
    }
    Ok(())
}

/// A finished chunk of games.
struct FinishedChunk {
    chunk: u64,
    n_games: u64,
    /// The results of the games in order; empty if the caller needs only the statistics.
    games: Vec<GameResult>,
}

/// A queue of game numbers, from which threads take chunks.
pub(crate) struct Queue {
    first_game: u64,
    n_games: u64,
    chunk: u64,
    next: AtomicU64,
    pub n_threads: usize,
    pub stops: AtomicBool,
}

impl Queue {
    pub fn new(plan: &Plan) -> Queue {
        let n_threads = plan.n_threads.clamp(1, plan.n_games.max(1) as usize);
        // Aims at eight or more chunks per thread, so that all threads finish at nearly the same
        // time.
        let chunk = (plan.n_games / (n_threads as u64 * 8)).clamp(1, MAX_CHUNK);
        let (next, stops) = (AtomicU64::new(0), AtomicBool::new(false));
        Queue { first_game: plan.first_game, n_games: plan.n_games, chunk, next, n_threads, stops }
    }

    /// Returns the index of the next chunk and the numbers of its games; `None` if no games are
    /// left or the run has been stopped.
    pub fn take(&self) -> Option<(u64, Range<u64>)> {
        if self.stops.load(Ordering::Relaxed) {
            return None;
        }
        let chunk = self.next.fetch_add(1, Ordering::Relaxed);
        let from = chunk.saturating_mul(self.chunk);
        let to = (from + self.chunk).min(self.n_games);
        (from < to).then(|| (chunk, self.first_game + from..self.first_game + to))
    }
}

/// Runs `work` on each of several threads. Calls `on_message` on the calling thread with each
/// message from these threads. Returns the result of each thread. If the platform has no
/// threads, runs `work` once on the calling thread.
pub(crate) fn run_on_threads<W: Send, M: Send>(
    n_threads: usize,
    work: impl Fn(&dyn Fn(M)) -> Result<W, PlanError> + Sync,
    mut on_message: impl FnMut(M),
) -> Result<Vec<W>, PlanError> {
    if !platform::task::has_threads() {
        let on_message = RefCell::new(on_message);
        return Ok(vec![work(&|message| (on_message.borrow_mut())(message))?]);
    }
    let (sender, messages) = sync_channel(MAX_UNREAD_MESSAGES);
    thread::scope(|scope| {
        let thread = |_| {
            let (sender, work) = (sender.clone(), &work);
            thread::Builder::new().stack_size(rules::STACK_BYTES).spawn_scoped(scope, move || {
                // Ignores a failure to send: it means that the caller no longer reads messages, and
                // this thread will stop soon.
                work(&|message| drop(sender.send(message)))
            })
        };
        let handles: Result<Vec<_>, _> = (0..n_threads).map(thread).collect();
        drop(sender);
        // Reads all messages, even after an error. Otherwise, threads would wait for ever to send.
        messages.iter().for_each(&mut on_message);
        let handles = handles.map_err(|error| PlanError(format!("a thread cannot be started: {error}")))?;
        handles.into_iter().map(|handle| handle.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// Returns the time from the first start to the last end of `times`.
pub(crate) fn whole_time<'t>(times: impl Iterator<Item = &'t Range<Instant>> + Clone) -> Duration {
    let began = times.clone().map(|time| time.start).min();
    let ended = times.map(|time| time.end).max();
    began.zip(ended).map_or(Duration::ZERO, |(began, ended)| ended.saturating_duration_since(began))
}
