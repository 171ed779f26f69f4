//! `cargo installers`: makes the Debian package and the portable archive of Bastide.
//!
//! The same input gives the same bytes: entries are sorted, belong to root, and have one date.

mod archive;
mod debian;
mod icon;
mod payload;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use anyhow::{Context as _, Result, anyhow, ensure};
use clap::Parser;

use crate::payload::Payload;

/// Make the Debian package and the portable archive of Bastide
#[derive(Parser)]
#[command(
    name = "installers",
    after_help = "\
The date of all files is SOURCE_DATE_EPOCH, or else the date of the last commit."
)]
struct InstallerArgs {
    /// Use the programs in DIR instead of building them
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    /// Output folder
    #[arg(long, value_name = "DIR", default_value = "target/installers")]
    out: PathBuf,
    /// Also build the page, into the folder `page`; takes minutes
    #[arg(long)]
    page: bool,
}

fn main() -> ExitCode {
    match run(&InstallerArgs::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &InstallerArgs) -> Result<()> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let programs = match &args.programs {
        Some(folder) => folder.clone(),
        None => build(root)?,
    };
    let payload = Payload::read(root, &programs)?;
    let files = installers_of(&payload, date(root)?)?;
    fs::create_dir_all(&args.out).with_context(|| format!("{} cannot be created", args.out.display()))?;
    for (name, bytes) in files {
        let file = args.out.join(name);
        fs::write(&file, bytes).with_context(|| format!("{} cannot be written", file.display()))?;
        println!("{}", file.display());
    }
    if args.page {
        let page = args.out.join("page");
        let out = std::path::absolute(&page).with_context(|| page.display().to_string())?;
        output(cargo(root).args(["web", "build", "--out"]).arg(out))?;
        println!("{}", page.display());
    }
    Ok(())
}

/// Returns the names and contents of all installers.
fn installers_of(payload: &Payload, date: u64) -> Result<[(String, Vec<u8>); 2]> {
    Ok([
        (debian::file_name(payload)?, debian::package(payload, date)?),
        (format!("{}.tar.gz", archive::name(payload)), archive::portable(payload, date)?),
    ])
}

fn cargo(root: &Path) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root);
    cargo
}

/// Builds the programs for release; returns their folder.
fn build(root: &Path) -> Result<PathBuf> {
    let mut cargo = cargo(root);
    cargo.args(["build", "--release", "--package", "cli", "--package", "editor"]);
    let status = cargo.status().context("cargo cannot be run")?;
    ensure!(status.success(), "the programs cannot be built: {status}");
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release"))
}

/// Returns the date of all files, in seconds since 1970.
fn date(root: &Path) -> Result<u64> {
    let text = match env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => text,
        Err(_) => {
            let said = output(Command::new("git").arg("-C").arg(root).args(["log", "-1", "--format=%ct"]));
            let help = "set SOURCE_DATE_EPOCH to the date of the files, in seconds since 1970";
            String::from_utf8_lossy(&said.map_err(|error| anyhow!("{error:#}; {help}"))?).into_owned()
        }
    };
    text.trim().parse().with_context(|| format!("SOURCE_DATE_EPOCH is `{text}`, but must be a number of seconds"))
}

/// Runs a program; returns its standard output.
///
/// # Errors
/// Returns an error if the program cannot be run or fails.
fn output(command: &mut Command) -> Result<Vec<u8>> {
    let program = command.get_program().to_string_lossy().into_owned();
    let said = command.output().with_context(|| format!("{program} cannot be run"))?;
    let complaint = String::from_utf8_lossy(&said.stderr);
    ensure!(said.status.success(), "{program} failed ({}): {}", said.status, complaint.trim());
    Ok(said.stdout)
}
