//! `bastide sim --ladder`: plays each bot against the next weaker one.

use std::io::Write;

use diagnostic::Diagnostic;
use serde_json::json;
use sim::{LEVEL, Plan, ladder, rungs};

use crate::commands::sim::{Args, LoadedPlan, progress_bar};
use crate::context::{CommandOutcome, CommandResult, Context};

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let LoadedPlan { loaded, plan } = args.load_plan(context)?;
    let plans = rungs(loaded.catalogue(), &Plan { details: false, ..plan.clone() });
    let n_seats = plans.first().map_or(0, |plan| plan.players.len());
    let bar = progress_bar(plan.n_games * plans.len() as u64, "games");
    let found = ladder(&*loaded, &plans, &mut |n| bar.set_position(n));
    bar.finish_and_clear();
    let found = found.map_err(|m| Diagnostic::without_place(m.to_string()))?.rungs;
    let mut out = context.terminal.out_as(args.json);
    if args.json {
        let rungs = found.iter().map(|rung| {
            let interval = rung.interval(LEVEL);
            json!({
                "stronger": rung.stronger, "weaker": rung.weaker, "share": rung.share(),
                "share_interval": [interval.low, interval.high], "verdict": rung.verdict(LEVEL),
                "faults": rung.report.n_faults,
            })
        });
        writeln!(out, "{}", json!({ "games": plan.n_games, "rungs": rungs.collect::<Vec<_>>() }))?;
    } else {
        for rung in &found {
            let name = format!("{} against {}", rung.stronger, rung.weaker);
            let (share, half) = (100.0 * rung.share(), 100.0 * rung.interval(LEVEL).half());
            let verdict = rung.verdict(LEVEL);
            writeln!(out, "{}  wins {share:.1}% ±{half:.1}: {verdict}", context.terminal.bold(name))?;
        }
        writeln!(
            out,
            "{} games each (seed {}), {n_seats} seats; players rotate from game to game",
            plan.n_games, plan.seed
        )?;
    }
    out.flush()?;
    Ok(CommandOutcome::fine_if(found.iter().all(|rung| rung.report.n_faults == 0)))
}
