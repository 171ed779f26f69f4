//! `bastide sim --merge`: combines the parts of a simulation.
#![expect(clippy::indexing_slicing, reason = "an object takes any key")]

use std::error::Error;
use std::io::Write;

use sim::{DEFAULT_LEVEL, Shard, report_json};

use crate::commands::sim::args::Args;
use crate::commands::sim::json::origin;
use crate::commands::sim::text::PrintedReport;
use crate::context::{CommandOutcome, CommandResult, Context, problem, write_file};

/// The maximum size of a file of statistics, in bytes. Even with all tiles of all mods, a file
/// takes less than a hundredth of this size.
const MAX_BYTES: u64 = 64 << 20;

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let mut merged: Option<Shard> = None;
    for path in &args.merge {
        let wrong = |error: &dyn Error| problem(format!("{}: {error}", path.display()));
        let text = loader::read_text(path, None, MAX_BYTES).map_err(|error| wrong(&error))?;
        let part = Shard::parse(&text).map_err(|error| wrong(&error))?;
        merged = Some(match merged {
            Some(merged) => merged.merge(part).map_err(|error| wrong(&error))?,
            None => part,
        });
    }
    let Some(merged) = merged else { return Ok(CommandOutcome::Fine) };
    if let Some(path) = &args.save {
        write_file(path, merged.text())?;
    }
    let report = &merged.report;
    let mut out = context.terminal.out_as(args.json);
    if args.json {
        let mut value = report_json(report, DEFAULT_LEVEL);
        value["of"] = origin(merged.description());
        value["missing"] = serde_json::json!(merged.missing());
        writeln!(out, "{value}")?;
    } else {
        let page = PrintedReport { terminal: &context.terminal, report, level: DEFAULT_LEVEL };
        if !page.has_only_faults() {
            page.write_sections(&mut out)?;
            writeln!(out, "{} games, {} ties", report.n_games, report.n_shared)?;
        }
        for (what, it) in merged.description().iter().filter(|(_, it)| !it.is_empty()) {
            writeln!(out, "{what}: {it}")?;
        }
        page.write_fairness(&mut out)?;
        page.write_faults(&mut out)?;
    }
    out.flush()?;
    for (from, to) in merged.missing() {
        context.terminal.warn(format!("games {from} to {to} are in none of the files"));
    }
    Ok(CommandOutcome::fine_if(report.n_faults == 0))
}
