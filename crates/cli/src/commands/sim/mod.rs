//! `bastide sim`: plays many games and prints their statistics.

mod ablation;
mod against;
mod args;
mod files;
mod goal;
mod json;
mod ladder;
mod merge;
pub(crate) mod progress;
mod sweep;
mod swept_setting;
mod text;

use sim::{GameResult, SequentialTest, Shard};

pub use args::{Args, parse_bot};
pub use text::write_section;

use crate::commands::sim::args::LoadedPlan;
use crate::commands::sim::files::{FailureFolder, RowFile};
use crate::commands::sim::progress::{progress_bar, update_progress};
use crate::context::{CommandResult, Context, finish, problem, write_file};

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    if !args.merge.is_empty() {
        return merge::run(context, args);
    }
    if args.what_matters {
        return ablation::run(context, args);
    }
    if args.ladder {
        return ladder::run(context, args);
    }
    if let Some(max_simulations) = args.strength {
        return ladder::run_strength(context, args, max_simulations);
    }
    if let Some(win_rate) = args.sequential {
        return ladder::run_test(context, args, SequentialTest { win_rate });
    }
    if let Some(patterns) = &args.forbid {
        return ladder::run_options(context, args, patterns);
    }
    if let Some(wanted) = &args.sweep {
        return sweep::run(context, args, wanted);
    }
    if !args.goal.is_empty() {
        return goal::run(context, args);
    }
    if args.against.has_any() {
        return against::run(context, args);
    }
    let LoadedPlan { loaded, mut plan } = args.load_plan(context)?;
    if let Some((shard, n_shards)) = args.shard {
        plan = plan.shard(shard, n_shards);
    }
    let bar = progress_bar(plan.n_games, "games");
    let mut rows = args.out.as_ref().map(|(path, format)| RowFile::create(path, *format, &plan)).transpose()?;
    let mut failures = args.keep_failures.as_ref().map(|folder| FailureFolder::in_folder(folder)).transpose()?;
    let report = {
        let mut each = |game: &GameResult| {
            let is_written = rows.as_mut().is_none_or(|rows| rows.write(&plan, game));
            is_written && failures.as_mut().is_none_or(|failures| failures.write_if_failed(game))
        };
        let is_heard = args.out.is_some() || args.keep_failures.is_some();
        let each: Option<&mut dyn FnMut(&GameResult) -> bool> = if is_heard { Some(&mut each) } else { None };
        match args.until {
            Some(half) => sim::run_until(&*loaded, &plan, half, each, &mut |n, of| update_progress(&bar, n, of)),
            None => sim::run(&*loaded, &plan, each, &mut |n| bar.set_position(n)),
        }
    };
    bar.finish_and_clear();
    let report = report.map_err(problem)?;
    rows.map_or(Ok(()), RowFile::finish)?;
    failures.map_or(Ok(()), FailureFolder::finish)?;
    if let Some(path) = &args.save {
        write_file(path, Shard::new(loaded.catalogue(), &plan, report.clone()).text())?;
    }
    let description = plan.description(loaded.catalogue());
    args.write_page(|| sim::page(&args.mods.join(", "), &description, &report, &[], args.level()))?;
    let interpreted = match args.profile {
        true => loaded.interpreted_functions(&plan.settings).unwrap_or_default(),
        false => Vec::new(),
    };
    let mut out = context.terminal.out_as(args.json);
    if args.json {
        json::write(&mut out, &report, &plan, &description, args.level(), &interpreted)?;
    } else {
        let page = text::PrintedReport { terminal: &context.terminal, report: &report, level: args.level() };
        page.write(&mut out, &text::SimulationFacts::of(&plan, loaded.catalogue(), &interpreted))?;
    }
    finish(out, report.n_faults == 0)
}
