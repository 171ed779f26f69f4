//! `bastide sim --sweep`: plays the same games with several values of a setting or count.

use std::io::Write;

use serde_json::json;
use sim::{Arm, DEFAULT_LEVEL, Plan, report_json, section_json, sweep_tables, swept_rows};

use crate::commands::sim::args::{Args, LoadedPlan};
use crate::commands::sim::json::origin;
use crate::commands::sim::progress::progress_bar;
use crate::commands::sim::swept_setting::SweptSetting;
use crate::commands::sim::text::{write_origin, write_section};
use crate::context::{CommandResult, Context, finish, problem, usage};

pub fn run(context: &mut Context, args: &Args, wanted: &SweptSetting) -> CommandResult {
    let LoadedPlan { loaded, plan } = args.load_plan(context)?;
    let name = &wanted.setting;
    // The other settings stay the same for every value.
    let chosen: Vec<(String, String)> = args.settings.iter().filter(|(other, _)| other != name).cloned().collect();
    let values = wanted.values_in("--sweep", &loaded)?;
    let played = loaded.setting_index(name).ok().and_then(|at| plan.settings.get(at)).map(ToString::to_string);
    let base = values.iter().position(|value| played.as_ref() == Some(value)).unwrap_or(0);
    let mut plans = Vec::new();
    for value in &values {
        let chosen: Vec<(String, String)> = chosen.iter().cloned().chain([(name.clone(), value.clone())]).collect();
        let settings = loaded.settings_from(&chosen).map_err(usage)?;
        let setup = rules::Setup { settings: chosen, ..plan.setup.clone() };
        plans.push(Plan { setup, settings, details: true, ..plan.clone() });
    }
    let arms: Vec<Arm<'_>> = plans.iter().map(|plan| Arm { factory: &*loaded, plan }).collect();
    let bar = progress_bar(plan.n_games, "games with each value");
    let found = sim::sweep(&arms, name, &values, base, &mut |n| bar.set_position(n));
    bar.finish_and_clear();
    let found = found.map_err(problem)?;
    let description = plan.description(loaded.catalogue());
    args.write_table(&swept_rows(&found, DEFAULT_LEVEL))?;
    let title = format!("{}: {name} at {}", args.mods.join(", "), values.join(", "));
    args.write_page(|| sim::swept_page(&title, &description, &found, DEFAULT_LEVEL))?;
    let reports = || (0..values.len()).filter_map(|at| found.report(at));
    let n_faults: u64 = reports().map(|report| report.n_faults).sum();
    let mut out = context.terminal.out_as(args.json);
    if args.json {
        let reports = values.iter().zip(reports());
        let values =
            reports.map(|(value, report)| json!({ "value": value, "report": report_json(report, DEFAULT_LEVEL) }));
        let value = json!({
            "setting": name, "base": found.base_value(), "games": found.n_games(), "differs": found.differs(),
            "of": origin(&description),
            "values": values.collect::<Vec<_>>(), "rows": section_json(&swept_rows(&found, DEFAULT_LEVEL)).get("rows"),
        });
        writeln!(out, "{value}")?;
    } else {
        for section in sweep_tables(&found, DEFAULT_LEVEL) {
            write_section(&context.terminal, &mut out, &section, true)?;
            writeln!(out)?;
        }
        let base = found.base_value();
        let verdict = match found.differs() {
            true => {
                format!("{name} makes a difference. With 95% confidence, all intervals above contain the true values.")
            }
            false => format!("No value of {name} differs significantly from {base} in this many games."),
        };
        writeln!(out, "{}", context.terminal.bold(verdict))?;
        let took = reports().next().map_or(0.0, |report| report.took.as_secs_f64());
        writeln!(
            out,
            "{} games with each of {} values (seed {}); {took:.1} s{}",
            found.n_games(),
            values.len(),
            args.seed,
            if n_faults > 0 { format!("; {n_faults} did not finish") } else { String::new() }
        )?;
        write_origin(&context.terminal, &mut out, &description)?;
    }
    finish(out, n_faults == 0)
}
