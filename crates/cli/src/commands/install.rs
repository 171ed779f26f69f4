//! `bastide install`: a mod from a zip archive or a folder, put among the mods.

use std::io::Write;
use std::path::PathBuf;

use diagnostic::Diagnostic;
use loader::shown_path;
use workshop::Package;

use crate::context::{CliError, Context, Done, Outcome};

/// Installs a mod from a zip archive or a folder
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide install wells-1.0.0.zip --look       shows what is in it, and writes nothing
  bastide install wells-1.0.0.zip              puts it into the first folder of mods
  bastide install wells-1.1.0.zip --replace    the mod that is there goes into .replaced beside it

Nothing is written outside of the folder of the mod, and no program or other file is taken over that is no part of a mod. What a mod's script \
can do is said in SECURITY.md: no files, no network.")]
pub struct Args {
    /// The archive, or the folder of a mod
    #[arg(value_name = "ZIP|DIR")]
    from: PathBuf,
    /// The folder of mods into which it is put
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Puts it in the place of a mod of the same id, which is kept
    #[arg(long)]
    replace: bool,
    /// Only shows what is in it
    #[arg(long)]
    look: bool,
}

pub fn run(context: &mut Context, args: &Args) -> Done {
    let package = Package::read(&args.from)?;
    let library = context.library();
    let contents = package.contents(&library)?;
    let mut out = context.terminal.out();
    writeln!(out, "{} {} ({}): {}", package.title, package.version, package.id, package.about)?;
    let (n_files, kb) = (package.files().count(), contents.n_bytes.div_ceil(1024));
    writeln!(out, "  {n_files} files, {kb} kB; {} kinds of tiles, {} tests", contents.n_tiles, contents.n_tests)?;
    if !contents.functions.is_empty() {
        writeln!(out, "  its script is called for {}", contents.functions.join(", "))?;
    }
    for name in &package.left_out {
        writeln!(out, "  left out, as no part of a mod: {name}")?;
    }
    out.flush()?;
    contents.problems.iter().for_each(|p| context.terminal.say(&Diagnostic::without_place(p).as_warning()));
    if args.look {
        return Ok(Outcome::fine_if(contents.problems.is_empty()));
    }
    let is_place = |path: &&PathBuf| path.is_dir() && !path.join("mod.toml").exists();
    let beside = contents.installed.as_ref().and_then(|(_, folder)| folder.parent().map(PathBuf::from));
    let place = args.into.clone().or(beside).or_else(|| library.paths().iter().find(is_place).cloned());
    let place = place.ok_or_else(|| {
        CliError::Because(Diagnostic::without_place("there is no folder of mods").with_help("name one with --into DIR"))
    })?;
    let is_there_already = |problem: Diagnostic| match &contents.installed {
        Some(_) if !args.replace => {
            problem.with_help("nothing was written; --replace puts this one there and keeps the other as a backup")
        }
        _ => problem,
    };
    if let Some((version, folder)) =
        contents.installed.as_ref().filter(|(_, folder)| folder.parent() != Some(place.as_path()))
    {
        let message = format!("{} {version} is there already, in {}", package.id, shown_path(folder));
        let help = "two mods of one id cannot be told apart: move that one away, or leave --into out";
        return Err(Diagnostic::without_place(message).with_help(help).into());
    }
    let installed = package.install(&place, args.replace).map_err(is_there_already)?;
    writeln!(out, "installed in {}", installed.folder.display())?;
    if let Some(backup) = installed.backup {
        writeln!(out, "  what was there is in {}", backup.display())?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}
