//! `bastide sim --what-matters`: measures the effect of each part of the rules.

use std::io::{self, Write};

use serde_json::json;
use sim::{AblationResults, OrderDependence, ablation_tables, measure_ablation};

use crate::commands::sim::args::{Args, LoadedPlan};
use crate::commands::sim::json::origin;
use crate::commands::sim::progress::{progress_bar, update_progress};
use crate::commands::sim::text::{write_origin, write_section};
use crate::context::{CommandResult, Context, finish, problem};
use crate::terminal::Terminal;

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let LoadedPlan { loaded, plan } = args.load_plan(context)?;
    let bar = progress_bar(1, "parts");
    let found = measure_ablation(&*loaded, &plan, &mut |n, of| update_progress(&bar, n, of));
    bar.finish_and_clear();
    let found = found.map_err(problem)?;
    let description = plan.description(loaded.catalogue());
    args.write_tables(&description, found.n_games, "", &ablation_tables(&found))?;
    let mut out = context.terminal.out_as(args.json);
    if args.json {
        let effects = found.effects.iter().map(|it| {
            json!({
                "part": it.part.to_string(), "games": it.n_pairs, "other_scores": it.n_changed, "other_winners": it.n_other_winners,
                "points": it.points, "calls": it.calls, "faults": it.n_faults, "matters": it.matters(),
            })
        });
        let clashes = found
            .clashes
            .iter()
            .map(|it| json!({ "mods": it.mods, "game": it.game, "at": it.at, "what": it.what, "record": it.record }));
        let value = json!({
            "games": found.n_games, "parts": effects.collect::<Vec<_>>(), "unlaid": found.unlaid,
            "clashes": clashes.collect::<Vec<_>>(), "of": origin(&description),
        });
        writeln!(out, "{value}")?;
    } else {
        write(&context.terminal, &mut out, &found)?;
        write_origin(&context.terminal, &mut out, &description)?;
    }
    finish(out, true)
}

fn write(terminal: &Terminal, out: &mut impl Write, found: &AblationResults) -> io::Result<()> {
    for section in ablation_tables(found) {
        write_section(terminal, out, &section, true)?;
        writeln!(out)?;
    }
    let idle: Vec<String> = found.effects.iter().filter(|it| !it.matters()).map(|it| it.part.to_string()).collect();
    let unlaid = found.unlaid.iter().map(|tile| format!("tile {tile}"));
    let idle: Vec<String> = idle.into_iter().chain(unlaid).collect();
    match idle.is_empty() {
        true => writeln!(out, "In {} games, every part of the rules changed at least one result.", found.n_games)?,
        false => {
            let never = format!("Never changed a result in {} games:", found.n_games);
            writeln!(out, "{} {}", terminal.bold(never), idle.join(", "))?;
        }
    }
    for clash in &found.clashes {
        let [first, second] = &clash.mods;
        let heading = format!("The order of {first} and {second} matters");
        let OrderDependence { game, at, what, .. } = clash;
        writeln!(out, "\n{}: game {game} differs from decision {at} on; {what}.", terminal.red(heading))?;
        writeln!(out, "Record:\n\n{}", clash.record)?;
    }
    Ok(())
}
