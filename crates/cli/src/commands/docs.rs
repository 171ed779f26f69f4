//! `bastide docs`: the modding reference, made of the table that registers what scripts can call.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use crate::context::{Context, Done, Outcome};
use crate::terminal::Complaint;

/// Prints the modding reference: hooks, queries and effects for scripts
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide docs | less
  bastide docs --out reference     writes reference/modding.md and reference/bastide.d.rhai

The second file is for Rhai's language server: with it, editors complete and explain what scripts can call.")]
pub struct Args {
    /// Writes files into this folder instead of printing
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(context: &Context, args: &Args) -> Done {
    let mut out = context.terminal.out();
    let Some(folder) = &args.out else {
        out.write_all(script::docs().as_bytes())?;
        out.flush()?;
        return Ok(Outcome::Fine);
    };
    for (name, text) in [("modding.md", script::docs()), ("bastide.d.rhai", script::definitions())] {
        let path = folder.join(name);
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, text));
        written.map_err(|e| Complaint::new(format!("cannot write {}: {e}", path.display())))?;
        writeln!(out, "wrote {}", path.display())?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}
