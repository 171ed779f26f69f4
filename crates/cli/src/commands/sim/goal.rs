//! `bastide sim --goal`: searches for values of settings and counts for which games meet goals.
#![expect(clippy::indexing_slicing, reason = "an object takes any key")]

use std::io::{ErrorKind, Write};
use std::path::Path;

use loader::Loaded;
use platform::fs;
use serde_json::json;
use sim::{Goal, GoalProgress, GoalSearch, Plan, PlanError, PlanOf, Varied, goal_json, goal_table, search_goals};

use crate::commands::sim::args::{Args, LoadedPlan};
use crate::commands::sim::json::origin;
use crate::commands::sim::progress::{progress_bar, update_progress};
use crate::commands::sim::text::{write_origin, write_section};
use crate::context::{CliError, CommandResult, Context, finish, option_error, problem, usage, write_file};

/// Continues the search that the file `path` contains, if the file exists.
fn resume(search: &mut GoalSearch, path: &Path) -> Result<(), CliError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(problem(format!("{}: cannot be read: {error}", path.display()))),
    };
    search.resume(&text).map_err(|error| {
        let help = "give the same options as before, or name another file to begin a new search";
        problem(format!("{}: {error}", path.display())).with_help(help)
    })
}

/// Plays the games of the search. After the games of each combination, writes the state of the
/// search to the file `path`.
fn play(search: &mut GoalSearch, loaded: &Loaded, plan_of: &PlanOf<'_>, path: Option<&Path>) -> Result<(), CliError> {
    let bar = progress_bar(0, "combinations");
    let mut written = Ok(());
    let played = search_goals(
        loaded,
        search,
        plan_of,
        &mut |search| {
            let GoalProgress { round, n_played, n } = search.progress();
            bar.set_message(format!("round {round} of 3: "));
            update_progress(&bar, n_played as u64, n as u64);
            if let (Some(path), Ok(())) = (path, &written) {
                written = write_file(path, search.text());
            }
            written.is_ok()
        },
        &|| true,
    );
    bar.finish_and_clear();
    written?;
    played.map_err(problem)
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let LoadedPlan { loaded, plan } = args.load_plan(context)?;
    let goals = args.goal.iter().map(|text| Goal::parse(text, &plan).map_err(|error| option_error("--goal", error)));
    let goals = goals.collect::<Result<Vec<Goal>, CliError>>()?;
    let mut varied: Vec<Varied> = Vec::new();
    for wanted in &args.vary {
        let values = wanted.values_in("--vary", &loaded)?;
        if varied.iter().any(|known| known.name == wanted.setting) {
            return Err(option_error("--vary", format!("`{}` is given twice", wanted.setting)));
        }
        // Checks all values now, not when the search reaches them.
        for value in &values {
            let chosen = [(wanted.setting.clone(), value.clone())];
            loaded.settings_from(&chosen).map_err(usage)?;
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
    let mut search = GoalSearch::new(loaded.catalogue(), &plan, goals, varied).map_err(problem)?;
    args.resume.iter().try_for_each(|path| resume(&mut search, path))?;
    play(&mut search, &loaded, &plan_of, args.resume.as_deref())?;
    let found = search.results();
    let table = goal_table(&found, search.goals());
    let description = plan.description(loaded.catalogue());
    args.write_tables(&description, plan.n_games, "", std::slice::from_ref(&table))?;
    let n_faults: u64 = found.best.iter().map(|it| it.report.n_faults).sum();
    let mut out = context.terminal.out_as(args.json);
    if args.json {
        let mut value = goal_json(&found, search.goals());
        value["seed"] = json!(args.seed);
        value["of"] = origin(&description);
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
    finish(out, n_faults == 0)
}
