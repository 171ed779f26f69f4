//! `bastide manual`: writes the manual pages. Packagers use this command.

use std::path::PathBuf;

use crate::context::{CommandOutcome, CommandResult, problem};

/// Write a manual page for each command
#[derive(clap::Args)]
pub struct Args {
    /// Existing folder for the pages
    folder: PathBuf,
}

pub fn run(args: &Args, command: clap::Command) -> CommandResult {
    let folder = args.folder.display();
    clap_mangen::generate_to(command, &args.folder)
        .map_err(|error| problem(format!("the manual pages cannot be written into {folder}: {error}")))?;
    Ok(CommandOutcome::Fine)
}
