//! `bastide completions`: prints a script that lets a shell complete commands and options.

use std::io::Write;

use clap_complete::Shell;

use crate::context::{CommandResult, Context, finish};

/// Print a shell script that completes commands and options
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide completions bash > ~/.local/share/bash-completion/completions/bastide
  bastide completions zsh > ~/.zfunc/_bastide
  bastide completions fish > ~/.config/fish/completions/bastide.fish")]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub fn run(context: &Context, args: &Args, command: &mut clap::Command) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "bastide", &mut script);
    let mut out = context.terminal.out();
    out.write_all(&script)?;
    finish(out, true)
}
