//! Playing a plan on several threads.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

use record::{position, record_of, saved_setup};
use rules::{Game, RulesFactory, Setup};

use crate::calls::{FunctionCalls, counted};
use crate::game::{Bots, GameResult, play, seed_of_game};
use crate::plan::{Plan, PlanError};
use crate::stats::Report;

/// The most games that a thread takes at a time: enough that threads seldom meet.
const MAX_CHUNK: u64 = 64;

/// How many bytes of stack a thread has: enough for any function of a mod, so that none has to make room for itself at each call.
const STACK: usize = 16 << 20;

/// What a thread sends when it is done with a chunk.
struct Done {
    chunk: u64,
    n_games: u64,
    /// The games in order; empty unless somebody wants them.
    games: Vec<GameResult>,
}

/// Plays the games of `plan`, each thread by its own rules from `factory`.
///
/// `each` gets the games in order, whatever thread played them; `None` where only the statistics are wanted, which saves keeping them. It
/// returns whether to go on. `progress` gets the number of games played so far.
///
/// # Errors
/// Before anything is played, where the rules cannot be made or the position of the setup cannot be built.
pub fn run(
    factory: &dyn RulesFactory,
    plan: &Plan,
    mut each: Option<&mut dyn FnMut(&GameResult) -> bool>,
    progress: &mut dyn FnMut(u64),
) -> Result<Report, PlanError> {
    plan.setup.check_players(factory.catalogue()).map_err(PlanError)?;
    if plan.players.len() != plan.setup.players.len() {
        let (n, m) = (plan.players.len(), plan.setup.players.len());
        return Err(PlanError(format!("{n} players for {m} seats")));
    }
    let mut report = empty_report(plan);
    report.n_threads = plan.n_threads.clamp(1, plan.n_games.max(1) as usize);
    // Few enough that threads end together, also where games are slow.
    let chunk = (plan.n_games / (report.n_threads as u64 * 8)).clamp(1, MAX_CHUNK);
    let shared = Shared { chunk, next: AtomicU64::new(0), stops: AtomicBool::new(false), keeps: each.is_some() };
    let (sender, done) = channel();
    thread::scope(|scope| {
        let thread = |_| {
            let (sender, shared) = (sender.clone(), &shared);
            let begin = move || work(factory, plan, shared, &sender);
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, begin)
        };
        let handles: Result<Vec<_>, _> = (0..report.n_threads).map(thread).collect();
        let handles = handles.map_err(|error| PlanError(format!("a thread cannot be started: {error}")))?;
        drop(sender);
        let mut n_played = 0;
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for chunk in done {
            n_played += chunk.n_games;
            progress(n_played);
            waiting.insert(chunk.chunk, chunk.games);
            while let Some(games) = waiting.remove(&next) {
                next += 1;
                if let Some(each) = &mut each
                    && !games.iter().all(&mut **each)
                {
                    shared.stops.store(true, Ordering::Relaxed);
                    break;
                }
            }
        }
        let mut began: Option<Instant> = None;
        let mut ended: Option<Instant> = None;
        for handle in handles {
            let worked = handle.join().unwrap_or_else(|panic| resume_unwind(panic))?;
            began = Some(began.map_or(worked.began, |b| b.min(worked.began)));
            ended = ended.max(Some(worked.ended));
            report.merge(worked.report);
        }
        if let (Some(began), Some(ended)) = (began, ended) {
            report.took = ended - began;
        }
        Ok(())
    })?;
    report.calls.sort_by(|a, b| (b.n, &a.owner, &a.function).cmp(&(a.n, &b.owner, &b.function)));
    Ok(report)
}

struct Shared {
    /// Games that a thread takes at a time.
    chunk: u64,
    /// The next chunk to be taken.
    next: AtomicU64,
    stops: AtomicBool,
    keeps: bool,
}

struct Worked {
    report: Report,
    began: Instant,
    ended: Instant,
}

fn empty_report(plan: &Plan) -> Report {
    let names = plan.setup.players.iter().cloned();
    Report::of_seats(names.zip(plan.players.iter().map(|p| p.name.to_owned())))
}

/// One thread: its own rules, one game that is played again and again.
fn work(factory: &dyn RulesFactory, plan: &Plan, shared: &Shared, sender: &Sender<Done>) -> Result<Worked, PlanError> {
    let made = factory.rules(plan.settings.clone());
    let mut rules = made.map_err(|f| PlanError(format!("{}:{}:{}: {}", f.file, f.line, f.column, f.message)))?;
    let mut costs = None;
    if plan.counts_calls {
        let (counting, cells) = counted(rules);
        (rules, costs) = (counting, Some(cells));
    }
    let rules = Rc::new(rules);
    let start = position(&rules, &plan.setup).map_err(|e| PlanError(e.to_string()))?;
    let mut bots = Bots::new(plan.players.iter().map(|p| (p.make)(0)).collect());
    let mut report = empty_report(plan);
    let began = Instant::now();
    // What leads to the first decision is the same in every game.
    let opening = Game::from_position(rules.clone(), plan.setup.clone(), Rc::new(start));
    while !shared.stops.load(Ordering::Relaxed) {
        let chunk = shared.next.fetch_add(1, Ordering::Relaxed);
        let first = chunk * shared.chunk;
        if first >= plan.n_games {
            break;
        }
        let last = (first + shared.chunk).min(plan.n_games);
        let mut games = Vec::new();
        for number in first..last {
            let mut game = opening.clone();
            game.reserve();
            let seed = seed_of_game(plan.seed, number);
            let mut result = play(&mut game, &mut bots, number, seed);
            if plan.with_records || result.fault.is_some() {
                // Writing the record plays the game once more; those calls do not count.
                let costs = || costs.iter().flat_map(|c| c.iter());
                let before: Vec<_> = costs().map(|c| (c.n.get(), c.took.get())).collect();
                let setup = Setup { seed: Some(seed), ..saved_setup(game.rules().catalogue(), &plan.setup) };
                result.record = Some(record_of(&setup, game.log_texts()));
                for (cost, (n, took)) in costs().zip(before) {
                    cost.n.set(n);
                    cost.took.set(took);
                }
            }
            report.add(&result);
            if shared.keeps {
                games.push(result);
            }
        }
        // Nobody listens any more where writing failed; then this thread is told to stop as well.
        let _ = sender.send(Done { chunk, n_games: last - first, games });
    }
    let ended = Instant::now();
    if let Some(costs) = costs {
        let catalogue = rules.catalogue();
        let named = catalogue.functions.iter().zip(costs.iter()).filter(|(_, cost)| cost.n.get() > 0);
        report.calls = named
            .map(|(function, cost)| FunctionCalls {
                owner: catalogue.mods[function.owner.idx()].id.clone(),
                function: function.name.clone(),
                n: cost.n.get(),
                took: cost.took.get(),
            })
            .collect();
    }
    Ok(Worked { report, began, ended })
}
