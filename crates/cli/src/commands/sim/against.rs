//! `bastide sim --against-…`: compares a variant B of the game with the game A.

use std::io::{self, Write};

use serde_json::json;
use sim::{Arm, Comparison, compare, compare_until, compared_page, comparison_table, report_json, section_json};
use workshop::RulesCache;
use workshop::balance::paths_with;

use crate::commands::sim::args::{AgainstArgs, Args, LoadedPlan};
use crate::commands::sim::json::origin;
use crate::commands::sim::progress::{progress_bar, update_progress};
use crate::commands::sim::text::{PrintedReport, write_origin, write_section};
use crate::context::{CliError, CommandResult, Context, finish, problem, usage};
use crate::terminal::Terminal;

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let a = args.load_plan(context)?;
    let b = load_other_plan(context, args)?;
    let bar = progress_bar(a.plan.n_games, "pairs of games");
    let arms = [&a, &b].map(|table| Arm { factory: &*table.loaded, plan: &table.plan });
    let [arm_a, arm_b] = arms;
    let found = match args.until {
        Some(half) => compare_until(arm_a, arm_b, half, &mut |n, of| update_progress(&bar, n, of)),
        None => compare(arm_a, arm_b, &mut |n| bar.set_position(n)),
    };
    bar.finish_and_clear();
    let found = found.map_err(problem)?;
    let [of_a, of_b] = [&a, &b].map(|table| table.plan.description(table.loaded.catalogue()));
    let changed = of_a.iter().zip(&of_b).filter(|(in_a, in_b)| in_a != in_b);
    let changed = changed.map(|(_, (what, it))| (format!("{what} of B"), it.clone()));
    let both: Vec<(String, String)> = of_a.iter().cloned().chain(changed).collect();
    let title = format!("{} against {}", args.mods.join(", "), args.against.describe());
    args.write_page(|| compared_page(&title, &both, &found))?;
    args.write_table(&comparison_table(&found))?;
    let mut out = context.terminal.out_as(args.json);
    if args.json {
        let value = json!({
            "a": report_json(&found.a, args.level()),
            "b": report_json(&found.b, args.level()),
            "of": { "a": origin(&of_a), "b": origin(&of_b) },
            "pairs": found.n_pairs,
            "changed": found.n_changed,
            "other_winners": found.n_other_winners,
            "first_change": found.first_change,
            "differs": found.differs(),
            "differences": section_json(&comparison_table(&found)),
        });
        writeln!(out, "{value}")?;
    } else {
        write(&context.terminal, &mut out, &found, args)?;
        write_origin(&context.terminal, &mut out, &both)?;
    }
    finish(out, found.a.n_faults + found.b.n_faults == 0)
}

/// Loads game B: game A with the changes that the options `--against-...` request.
fn load_other_plan(context: &mut Context, args: &Args) -> Result<LoadedPlan, CliError> {
    let AgainstArgs { against_mods, against_settings, against_path, against_players } = &args.against;
    let mods = against_mods.as_ref().unwrap_or(&args.mods);
    let players = against_players.as_ref().unwrap_or(&args.players);
    let is_changed = |name: &String| against_settings.iter().any(|(other, _)| other == name);
    let kept = args.settings.iter().filter(|(name, _)| !is_changed(name));
    // Drops the settings of mods that B does not have.
    let kept = kept.filter(|(name, _)| against_mods.is_none() || belongs_to_mods(context, mods, name));
    let settings: Vec<(String, String)> = kept.chain(against_settings).cloned().collect();
    let Some(folder) = against_path else { return args.load_plan_with(context, mods, players, &settings) };
    let paths = paths_with(context.library(), folder);
    let paths = paths.map_err(|error| usage(format!("--against-path {error}")))?;
    let library = context.library().with_paths(paths);
    let mut other = Context { terminal: context.terminal, mods: RulesCache::new(library) };
    args.load_plan_with(&mut other, mods, players, &settings)
}

/// Returns whether the setting belongs to one of `mods` or to a mod that they require.
fn belongs_to_mods(context: &Context, mods: &[String], setting: &str) -> bool {
    let owner = setting.split('.').next().unwrap_or_default();
    let available = context.library().available_mods();
    let loads = |id: &String| available.iter().any(|it| it.id == *id && it.load_order.iter().any(|one| one == owner));
    mods.iter().any(loads)
}

fn write(terminal: &Terminal, out: &mut impl Write, found: &Comparison, args: &Args) -> io::Result<()> {
    write_section(terminal, out, &comparison_table(found), false)?;
    let n = found.n_pairs.max(1) as f64;
    let share = |n_games: u64| 100.0 * n_games as f64 / n;
    writeln!(
        out,
        "\n{} pairs of games (seed {}): different scores in {:.1}%, different winners in {:.1}%; {:.1} s",
        found.n_pairs,
        args.seed,
        share(found.n_changed),
        share(found.n_other_winners),
        found.a.took.as_secs_f64()
    )?;
    let verdict = match (found.n_changed, found.differs()) {
        (0, false) => "No difference: in each pair, both games have the same scores.".to_owned(),
        (_, true) => "B differs from A. With 95% confidence, all intervals above contain the true values.".to_owned(),
        (_, false) => "No significant difference in this many games.".to_owned(),
    };
    writeln!(out, "{}", terminal.bold(verdict))?;
    let reports = [("A", &found.a), ("B", &found.b)].into_iter();
    for (name, report) in reports.filter(|(_, report)| report.n_faults + report.n_bot_faults > 0) {
        writeln!(out, "\nFaults in {name}, counted separately:")?;
        PrintedReport { terminal, report, level: sim::DEFAULT_LEVEL }.write_faults(out)?;
    }
    Ok(())
}
