//! `bastide install`: installs a mod from a zip archive or a folder.

use std::io::Write;
use std::path::PathBuf;

use diagnostic::Diagnostic;
use loader::shown_path;
use workshop::Package;

use crate::context::{CommandOutcome, CommandResult, Context, counted, finish, problem};

/// Install a mod from a zip archive or a folder
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide install wells-1.0.0.zip --dry-run    show its contents, write nothing
  bastide install wells-1.0.0.zip              install it into the first folder for mods
  bastide install wells-1.1.0.zip --replace    replace the installed version

The command writes only into the mod's own folder, and only files that can be part of a mod: no
programs. Scripts of mods have no access to files or the network; see SECURITY.md.")]
pub struct Args {
    /// Zip archive, or folder of a mod
    #[arg(value_name = "ZIP|DIR")]
    from: PathBuf,
    /// Install into this folder of mods [default: the first one found]
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Replace the installed version of the mod, and move it to the folder .replaced
    #[arg(long)]
    replace: bool,
    /// Show the contents without installing
    #[arg(long, alias = "look")]
    dry_run: bool,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let package = Package::read(&args.from)?;
    let library = context.library();
    let contents = package.inspect(library)?;
    let mut out = context.terminal.out();
    let about = if package.about.is_empty() { String::new() } else { format!(": {}", package.about) };
    writeln!(out, "{} {} ({}){about}", package.title, package.version, package.id)?;
    let (files, kb) = (counted(package.files().count(), "file"), contents.n_bytes.div_ceil(1000));
    let (tiles, tests) = (counted(contents.n_tiles, "tile type"), counted(contents.n_tests, "test"));
    writeln!(out, "  {files}, {kb} kB; {tiles}, {tests}")?;
    if !contents.functions.is_empty() {
        writeln!(out, "  hooks: {}", contents.functions.join(", "))?;
    }
    for name in &package.left_out {
        writeln!(out, "  skipped, not part of a mod: {name}")?;
    }
    out.flush()?;
    contents.problems.iter().for_each(|problem| context.terminal.warn(problem));
    if args.dry_run {
        return Ok(CommandOutcome::fine_if(contents.problems.is_empty()));
    }
    let is_place = |path: &&PathBuf| path.is_dir() && !path.join("mod.toml").exists();
    let beside = contents.installed.as_ref().and_then(|(_, folder)| folder.parent().map(PathBuf::from));
    let place = args.into.clone().or(beside).or_else(|| library.paths().iter().find(is_place).cloned());
    let place = place.ok_or_else(|| problem("no folder of mods was found").with_help("name one with --into DIR"))?;
    let is_there_already = |problem: Diagnostic| match &contents.installed {
        Some(_) if !args.replace => {
            problem.with_help("nothing was written; add --replace to install this one and keep the other as a backup")
        }
        _ => problem,
    };
    if let Some((version, folder)) =
        contents.installed.as_ref().filter(|(_, folder)| folder.parent() != Some(place.as_path()))
    {
        let message = format!("{} {version} is already installed in {}", package.id, shown_path(folder));
        let help = "two mods cannot have the same id: move that one away, or omit --into";
        return Err(problem(message).with_help(help));
    }
    let installed = package.install(&place, args.replace).map_err(is_there_already)?;
    writeln!(out, "installed in {}", installed.folder.display())?;
    if let Some(backup) = installed.backup {
        writeln!(out, "  the replaced version is in {}", backup.display())?;
    }
    finish(out, true)
}
