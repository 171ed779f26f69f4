//! `bastide migrate`: rewrites mods of an earlier version of the modding language in the current
//! one.

use std::io::Write;

use workshop::{MigrationLine, ModMigration};

use crate::context::{CliError, CommandOutcome, CommandResult, Context, problem};

/// Rewrite a mod written in an earlier version of the modding language
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide migrate my-mod --dry-run       show what would change
  bastide migrate my-mod                 rewrite mod.toml and rules.rhai in place

Comments, order and spaces are preserved. `bastide docs changes` lists every change of the language.
The exit code is 1 if the author must change some places by hand; the command lists them.")]
pub struct Args {
    /// Mods, by id or folder
    #[arg(value_name = "MOD", required = true)]
    named: Vec<String>,
    /// Show the changes without writing them
    #[arg(long)]
    dry_run: bool,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let mut is_decided = true;
    for named in &args.named {
        is_decided &= migrate(context, named, args.dry_run)?;
    }
    Ok(CommandOutcome::fine_if(is_decided))
}

/// Rewrites one mod. Returns false if the author must decide about some places.
fn migrate(context: &mut Context, named: &str, is_dry: bool) -> Result<bool, CliError> {
    let id = context.resolve_mod(named);
    let folder = context.library().folder(&id).ok_or_else(|| context.unknown_mod(named))?;
    let cannot = |error: std::io::Error| problem(format!("{id}: {error}"));
    let migration = ModMigration::new(&folder).map_err(cannot)?;
    if !is_dry {
        migration.write().map_err(cannot)?;
    }
    let mut out = context.terminal.out();
    let place = |line: &MigrationLine| format!("{}:{}", loader::shown_path(&line.file), line.line);
    for line in &migration.rewritten {
        match (line.before.as_str(), line.now.as_str()) {
            ("", now) => writeln!(out, "{}: added `{now}`", place(line))?,
            (before, "") => writeln!(out, "{}: removed `{before}`, which other filters imply", place(line))?,
            (before, now) => writeln!(out, "{}: `{before}` became `{now}`", place(line))?,
        }
    }
    for line in &migration.undecided {
        let warning = context.terminal.red("decide");
        writeln!(out, "{}: {warning} about `{}`: {}", place(line), line.before, line.now)?;
    }
    let (n, n_left) = (migration.rewritten.len(), migration.undecided.len());
    let changes = format!("{n} change{}", if n == 1 { "" } else { "s" });
    let left = if n_left == 0 { String::new() } else { format!(", {n_left} to decide by hand") };
    match (migration.files.is_empty(), is_dry) {
        (true, _) => writeln!(out, "{id}: nothing to rewrite{left}")?,
        (false, true) => writeln!(out, "{id}: {changes} to make{left}; nothing was written")?,
        (false, false) => {
            writeln!(out, "{id}: {changes} made{left}; run `bastide check {named}` and `bastide test {named}`")?;
        }
    }
    out.flush()?;
    Ok(migration.undecided.is_empty())
}
