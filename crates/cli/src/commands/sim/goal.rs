//! `bastide sim --goal`: searches for values of settings and counts with which games meet goals.

use std::collections::BTreeMap;
use std::io::Write;

use diagnostic::Diagnostic;
use serde_json::json;
use sim::{Goal, Plan, PlanError, Varied, goal_table, search_goals, section_json, table_file, tables_page};

use crate::commands::sim::args::{Args, LoadedPlan};
use crate::commands::sim::files::{write_bytes, write_text};
use crate::commands::sim::json::origin;
use crate::commands::sim::progress::{progress_bar, update_progress};
use crate::commands::sim::text::{write_origin, write_section};
use crate::context::{CliError, CommandOutcome, CommandResult, Context, option_error, settings_error};

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let LoadedPlan { loaded, plan } = args.load_plan(context)?;
    let goals =
        args.goal.iter().map(|text| Goal::parse(text, &plan).map_err(|e| option_error("--goal", &e.to_string())));
    let goals = goals.collect::<Result<Vec<Goal>, CliError>>()?;
    let mut varied: Vec<Varied> = Vec::new();
    for wanted in &args.vary {
        let values = wanted.values_in("--vary", &loaded)?;
        if varied.iter().any(|known| known.name == wanted.setting) {
            return Err(option_error("--vary", &format!("`{}` is given twice", wanted.setting)));
        }
        // Checks all values now, not when the search reaches them.
        for value in &values {
            let chosen = [(wanted.setting.clone(), value.clone())];
            loaded.settings_from(&chosen).map_err(|m| settings_error(&m))?;
        }
        varied.push(Varied { name: wanted.setting.clone(), values });
    }
    let is_varied = |name: &str| varied.iter().any(|it| it.name == name);
    let fixed: Vec<(String, String)> = args.settings.iter().filter(|(name, _)| !is_varied(name)).cloned().collect();
    let plan_of = |values: &[(String, String)]| {
        let chosen: Vec<(String, String)> = fixed.iter().chain(values).cloned().collect();
        let settings = loaded.settings_from(&chosen).map_err(|errors| PlanError(errors.to_string()))?;
        let setup = rules::Setup { settings: chosen, ..plan.setup.clone() };
        Ok(Plan { setup, settings, ..plan.clone() })
    };
    let bar = progress_bar(0, "combinations");
    let found = search_goals(&*loaded, &plan, &goals, &varied, &plan_of, &mut |it| {
        bar.set_message(format!("round {} of 3: ", it.round));
        update_progress(&bar, it.n_played as u64, it.n as u64);
    });
    bar.finish_and_clear();
    let found = found.map_err(|m| Diagnostic::without_place(m.to_string()))?;
    let table = goal_table(&found, &goals);
    let description = plan.description(loaded.catalogue());
    if let Some(path) = &args.html {
        let page = tables_page(&args.mods.join(", "), &description, plan.n_games, "", std::slice::from_ref(&table));
        write_text(path, &page)?;
    }
    if let Some((path, format)) = &args.out {
        write_bytes(path, table_file(&table, *format))?;
    }
    let n_faults: u64 = found.best.iter().map(|it| it.report.n_faults).sum();
    let mut out = context.terminal.out_as(args.json);
    if args.json {
        let best = found.best.iter().map(|it| it.values.iter().cloned().collect::<BTreeMap<_, _>>());
        let value = json!({
            "best": best.collect::<Vec<_>>(), "rows": section_json(&table).get("rows"), "tried": found.n_tried,
            "possible": found.n_possible, "games": found.n_games, "seed": args.seed, "of": origin(&description),
        });
        writeln!(out, "{value}")?;
    } else {
        write_section(&context.terminal, &mut out, &table, true)?;
        writeln!(
            out,
            "\n{} of {} combinations tried, {} games (seed {}); the intervals of a row hold together with 95% \
             confidence{}",
            found.n_tried,
            found.n_possible,
            found.n_games,
            args.seed,
            if n_faults > 0 { format!("; {n_faults} games did not finish") } else { String::new() }
        )?;
        write_origin(&context.terminal, &mut out, &description)?;
    }
    out.flush()?;
    Ok(CommandOutcome::fine_if(n_faults == 0))
}
