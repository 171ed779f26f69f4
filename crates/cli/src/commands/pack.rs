//! `bastide pack`: packs a mod into a zip archive.

use std::io::Write;
use std::path::PathBuf;

use workshop::Package;

use crate::context::{CommandResult, Context, counted, finish, problem, write_file};

/// Pack a mod into a zip archive to share it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide pack wells                           write wells-1.0.0.zip
  bastide pack wells --out /tmp/wells.zip

The archive contains mod.toml, tiles, rules.rhai, theme.toml, icons, tests, *.md, *.txt and
licences; other files are skipped. Packing the same mod again gives the same bytes.")]
pub struct Args {
    /// Mod, by id or folder
    #[arg(value_name = "MOD")]
    named: String,
    /// Archive to write [default: ID-VERSION.zip]
    #[arg(long, short, alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let id = context.resolve_mod(&args.named);
    // If the user names a folder, packs this folder, even if an installed mod has the same id. A
    // name that equals the id of a mod never means a folder.
    let named = PathBuf::from(&args.named);
    let folder =
        if args.named != id && named.join("mod.toml").is_file() { Some(named) } else { context.library().folder(&id) };
    let folder = folder.ok_or_else(|| context.unknown_mod(&args.named))?;
    let package = Package::from_folder(&folder)?;
    let bytes = package.to_zip()?;
    let usual = || PathBuf::from(format!("{}-{}.zip", package.id, package.version).replace(['/', '\\'], "_"));
    let output = args.out.clone().unwrap_or_else(usual);
    if output.exists() && !args.force {
        let message = format!("{} already exists; nothing was written", output.display());
        return Err(problem(message).with_help("add --force to overwrite it, or name another file with --out"));
    }
    write_file(&output, &bytes)?;
    let mut out = context.terminal.out();
    let (id, version) = (&package.id, &package.version);
    let (files, kb) = (counted(package.files().count(), "file"), bytes.len().div_ceil(1000));
    writeln!(out, "wrote {}: {id} {version}, {files}, {kb} kB", output.display())?;
    for name in &package.left_out {
        writeln!(out, "  skipped, not part of a mod: {name}")?;
    }
    finish(out, true)
}
