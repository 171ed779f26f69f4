//! `bastide sim --ladder`: better players against simpler ones.

use std::io::Write;

use diagnostic::Diagnostic;
use players::{PLAYERS, PlayerInfo};
use rules::Setup;
use serde_json::json;
use sim::{LEVEL, Plan, ladder};

use crate::commands::sim::{Args, Table, progress_bar};
use crate::context::{Context, Done, Outcome};

/// Who climbs where nobody is named.
const LADDER: [&str; 3] = ["random", "greedy", "search:100"];

pub fn run(context: &mut Context, args: &Args) -> Done {
    let Table { loaded, plan } = args.table(context)?;
    let mut rungs: Vec<PlayerInfo> = plan.players.clone();
    rungs.dedup_by_key(|player| player.name);
    if rungs.len() < 2 {
        // More lines than these would take hours.
        rungs = PLAYERS.iter().filter(|info| LADDER.contains(&info.name)).copied().collect();
    }
    // As few seats as may be, of which each player has as many.
    let n_seats = usize::from(loaded.catalogue().n_players.0).max(2).next_multiple_of(2);
    let ids: Vec<&str> = plan.setup.mods.iter().map(|it| it.id.as_str()).collect();
    let setup = Setup { settings: plan.setup.settings.clone(), ..Setup::of(&ids, n_seats) };
    let bar = progress_bar(plan.n_games * (rungs.len() as u64 - 1), "games");
    let plan = Plan { setup, players: rungs, details: false, ..plan };
    let found = ladder(&*loaded, &plan, LEVEL, &mut |n| bar.set_position(n));
    bar.finish_and_clear();
    let found = found.map_err(|m| Diagnostic::without_place(m.to_string()))?;
    let mut out = context.terminal.out_as(args.json);
    if args.json {
        let rungs = found.iter().map(|rung| {
            json!({
                "stronger": rung.stronger, "weaker": rung.weaker, "share": rung.share,
                "share_interval": [rung.interval.low, rung.interval.high], "verdict": rung.verdict(),
                "faults": rung.report.n_faults,
            })
        });
        writeln!(out, "{}", json!({ "games": plan.n_games, "rungs": rungs.collect::<Vec<_>>() }))?;
    } else {
        for rung in &found {
            let name = format!("{} against {}", rung.stronger, rung.weaker);
            let (share, half) = (100.0 * rung.share, 100.0 * rung.interval.half());
            writeln!(out, "{}  wins {share:.1}% ±{half:.1}: {}", context.terminal.bold(name), rung.verdict())?;
        }
        writeln!(
            out,
            "{} games each with seed {}, on {n_seats} seats; players move on from game to game",
            plan.n_games, plan.seed
        )?;
    }
    out.flush()?;
    Ok(Outcome::fine_if(found.iter().all(|rung| rung.report.n_faults == 0)))
}
