//! `bastide sim --ladder` plays each bot against the next weaker one.
//!
//! `bastide sim --strength` plays each search against one with half as many simulations.
//!
//! `bastide sim --sequential` tests whether a bot is stronger than another one.
//!
//! `bastide sim --forbid` plays a bot against a copy of the bot that may not choose certain
//! options.
#![expect(clippy::indexing_slicing, reason = "an object takes any key")]

use std::io::{self, StdoutLock, Write};
use std::sync::Arc;

use loader::Loaded;
use serde_json::{Value, json};
use sim::{
    DEFAULT_LEVEL, Ladder, LadderPair, Plan, SequentialRun, SequentialTest, TestVerdict, ladder_plans, ladder_table,
    option_patterns, option_plans, play_ladder, run_sequential, strength_plans,
};

use crate::commands::sim::args::{Args, LoadedPlan};
use crate::commands::sim::json::origin;
use crate::commands::sim::progress::progress_bar;
use crate::commands::sim::text::{PrintedReport, write_origin, write_section};
use crate::context::{CliError, CommandResult, Context, finish, problem};
use crate::terminal::{Output, Terminal};

/// Plays the pairs of a ladder of bots.
pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let LoadedPlan { loaded, plan } = args.load_plan(context)?;
    let plans = ladder_plans(loaded.catalogue(), &Plan { details: false, ..plan.clone() });
    let played = PlayedPairs::play(loaded, plans)?;
    let found = &played.found;
    let level = found.pair_level(DEFAULT_LEVEL);
    let json = |of: &[(String, String)]| pairs_json(found, &plan, of);
    played.write(context.terminal, args, "", json, |terminal, out| {
        found.rungs.iter().try_for_each(|rung| {
            let name = format!("{} against {}", rung.stronger, rung.weaker);
            let (share, half) = (100.0 * rung.win_rate(), 100.0 * rung.interval(level).half_width());
            let verdict = rung.verdict(level);
            writeln!(out, "{}  wins {share:.1}% ±{half:.1}: {verdict}", terminal.bold(name))
        })
    })
}

/// Plays the pairs of a curve of strength, up to a search with `max_simulations`.
pub fn run_strength(context: &mut Context, args: &Args, max_simulations: u32) -> CommandResult {
    let LoadedPlan { loaded, plan } = args.load_plan(context)?;
    let plans = strength_plans(loaded.catalogue(), &Plan { details: false, ..plan.clone() }, max_simulations);
    let played = PlayedPairs::play(loaded, plans)?;
    let found = &played.found;
    let depth = found.depth_text(DEFAULT_LEVEL);
    let json = |of: &[(String, String)]| {
        let mut value = pairs_json(found, &plan, of);
        value["depth"] = json!(depth);
        value
    };
    played.write(context.terminal, args, &depth, json, |terminal, out| {
        write_section(terminal, out, &ladder_table(found, DEFAULT_LEVEL), true)?;
        writeln!(out, "{}", terminal.bold(&depth))
    })
}

/// Returns the results of pairs of bots as an object.
fn pairs_json(found: &Ladder, plan: &Plan, description: &[(String, String)]) -> Value {
    let level = found.pair_level(DEFAULT_LEVEL);
    let rungs = found.rungs.iter().map(|rung| {
        let interval = rung.interval(level);
        json!({
            "stronger": rung.stronger, "weaker": rung.weaker, "share": rung.win_rate(),
            "share_interval": [interval.low, interval.high], "lead": rung.lead(), "verdict": rung.verdict(level),
            "faults": rung.report.n_faults,
        })
    });
    let rungs = rungs.collect::<Vec<_>>();
    json!({ "games": plan.n_games, "level": level, "rungs": rungs, "of": origin(description) })
}

/// The games of pairs of bots.
struct PlayedPairs {
    loaded: Arc<Loaded>,
    /// The plans of the games, one for each pair.
    plans: Vec<Plan>,
    found: Ladder,
}

impl PlayedPairs {
    /// Plays the games of all `plans`, and shows the progress.
    fn play(loaded: Arc<Loaded>, plans: Vec<Plan>) -> Result<PlayedPairs, CliError> {
        let n_games: u64 = plans.iter().map(|plan| plan.n_games).sum();
        let bar = progress_bar(n_games, "games");
        let found = play_ladder(&*loaded, &plans, &mut |n| bar.set_position(n));
        bar.finish_and_clear();
        Ok(PlayedPairs { found: found.map_err(problem)?, loaded, plans })
    }

    /// Returns the description of the games, with all bots as players.
    fn description(&self) -> Vec<(String, String)> {
        let mut description =
            self.plans.first().map_or_else(Vec::new, |plan| plan.description(self.loaded.catalogue()));
        let mut bots: Vec<&str> = self.found.rungs.iter().flat_map(|rung| [&*rung.weaker, &*rung.stronger]).collect();
        bots.dedup();
        if let Some((_, players)) = description.iter_mut().find(|(what, _)| what == "players") {
            *players = bots.join(", ");
        }
        description
    }

    /// Writes the table of results to the files that the user wants, and prints the results. For
    /// JSON output, `json` makes an object from the description of the games; otherwise `text`
    /// writes the results.
    fn write(
        &self,
        terminal: Terminal,
        args: &Args,
        verdict: &str,
        json: impl FnOnce(&[(String, String)]) -> Value,
        text: impl FnOnce(&Terminal, &mut Output<StdoutLock<'static>>) -> io::Result<()>,
    ) -> CommandResult {
        let PlayedPairs { plans, found, .. } = self;
        let description = self.description();
        let n_games = plans.first().map_or(0, |plan| plan.n_games);
        args.write_tables(&description, n_games, verdict, &[ladder_table(found, DEFAULT_LEVEL)])?;
        let mut out = terminal.out_as(args.json);
        if args.json {
            writeln!(out, "{}", json(&description))?;
        } else {
            text(&terminal, &mut out)?;
            writeln!(out, "{}", foot(plans))?;
            write_origin(&terminal, &mut out, &description)?;
            write_faults(terminal, &mut out, &found.rungs)?;
        }
        finish(out, found.rungs.iter().all(|rung| rung.report.n_faults == 0))
    }
}

/// Tests whether the second bot is stronger than the first.
pub fn run_test(context: &mut Context, args: &Args, test: SequentialTest) -> CommandResult {
    let LoadedPlan { loaded, plan } = args.load_plan(context)?;
    let bar = progress_bar(plan.n_games, "games at most");
    let found = run_sequential(&*loaded, &plan, test, &mut |n| bar.set_position(n));
    bar.finish_and_clear();
    let SequentialRun { players, pairs, verdict } = found.map_err(problem)?;
    let (n_games, interval) = (players.report.n_games, players.interval(DEFAULT_LEVEL));
    let verdict_word = match verdict {
        TestVerdict::Stronger => "stronger",
        TestVerdict::NotStronger => "not stronger",
        TestVerdict::Open => "open",
    };
    let mut out = context.terminal.out_as(args.json);
    if args.json {
        let result = json!({
            "stronger": players.stronger, "weaker": players.weaker, "verdict": verdict_word, "games": n_games,
            "pairs": pairs.n_pairs(), "share": players.win_rate(), "share_interval": [interval.low, interval.high],
            "win_rate": test.win_rate, "seed": plan.seed, "faults": players.report.n_faults,
            "of": origin(&plan.description(loaded.catalogue())),
        });
        writeln!(out, "{result}")?;
    } else {
        let (stronger, weaker) = (context.terminal.bold(&players.stronger), &players.weaker);
        let (share, half) = (100.0 * players.win_rate(), 100.0 * interval.half_width());
        let n_finished = n_games - players.report.n_faults;
        writeln!(out, "{stronger} wins {share:.1}% ±{half:.1} of {n_finished} games against {weaker}")?;
        let percent = 100.0 * test.win_rate;
        writeln!(
            out,
            "{}",
            match verdict {
                TestVerdict::Stronger => "It is stronger: it wins more than half of the games.".to_owned(),
                TestVerdict::NotStronger => format!("It is not stronger: it wins less than {percent}% of the games."),
                TestVerdict::Open => "This is not clear yet; allow more games with --games.".to_owned(),
            }
        )?;
        writeln!(out, "Pairs of games with the same draws and swapped seats (seed {})", plan.seed)?;
        write_origin(&context.terminal, &mut out, &plan.description(loaded.catalogue()))?;
        write_faults(context.terminal, &mut out, std::slice::from_ref(&players))?;
    }
    finish(out, players.report.n_faults == 0)
}

/// Measures what each option that matches `patterns` is worth. If all patterns are empty, measures
/// each kind of option.
pub fn run_options(context: &mut Context, args: &Args, patterns: &[String]) -> CommandResult {
    let LoadedPlan { loaded, plan } = args.load_plan(context)?;
    let plan = Plan { details: false, ..plan };
    let is_all = patterns.iter().all(String::is_empty);
    let patterns = if is_all { option_patterns(&*loaded, &plan).map_err(problem)? } else { patterns.to_vec() };
    let plans = option_plans(loaded.catalogue(), &plan, &patterns).map_err(problem)?;
    let played = PlayedPairs::play(loaded, plans)?;
    let found = &played.found;
    let level = found.pair_level(DEFAULT_LEVEL);
    let json = |of: &[(String, String)]| {
        let options = found.rungs.iter().map(|rung| {
            let interval = rung.interval(level);
            json!({
                "option": rung.forbidden(), "share": rung.win_rate(), "share_interval": [interval.low, interval.high],
                "lead": rung.lead(), "taken": rung.taken(level).map(|(rate, _)| rate),
                "taken_interval": rung.taken(level).map(|(_, it)| [it.low, it.high]), "verdict": rung.verdict(level), "faults": rung.report.n_faults,
            })
        });
        let options = options.collect::<Vec<_>>();
        let bot = found.rungs.first().map(|rung| &rung.stronger);
        json!({ "games": plan.n_games, "bot": bot, "level": level, "options": options, "of": origin(of) })
    };
    played.write(context.terminal, args, "", json, |terminal, out| {
        write_section(terminal, out, &ladder_table(found, DEFAULT_LEVEL), true)
    })
}

/// Reports the games of each pair of bots that did not finish.
fn write_faults(terminal: Terminal, out: &mut impl Write, pairs: &[LadderPair]) -> io::Result<()> {
    for pair in pairs.iter().filter(|it| it.report.n_faults + it.report.n_bot_faults > 0) {
        writeln!(out, "\n{} against {}:", pair.stronger, pair.weaker)?;
        PrintedReport { terminal: &terminal, report: &pair.report, level: DEFAULT_LEVEL }.write_faults(out)?;
    }
    Ok(())
}

/// Returns the line below the results: the numbers of games and seats, and the seed.
fn foot(plans: &[Plan]) -> String {
    let Some(plan) = plans.first() else { return "There are no options to forbid.".to_owned() };
    let n_seats = plan.players.len();
    format!("{} games each (seed {}), {n_seats} seats; players rotate from game to game", plan.n_games, plan.seed)
}
