//! `bastide docs`: the reference of scripts, made of the table that registers what they can call, and of the files of mods and games.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use crate::context::{Context, Done, Outcome};
use diagnostic::Diagnostic;

/// Prints the modding reference: what scripts can say, and every key of the files
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide docs | less              everything
  bastide docs tiles               how tiles are written
  bastide docs --out reference     writes a file for each topic, and reference/bastide.d.rhai

The last file is for Rhai's language server: with it, editors complete and explain what scripts can call.")]
pub struct Args {
    /// What to print; everything where nothing is said
    #[arg(value_enum)]
    topic: Option<Topic>,
    /// Writes files into this folder instead of printing
    #[arg(long, value_name = "DIR", conflicts_with = "topic")]
    out: Option<PathBuf>,
}

/// A part of the reference.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Topic {
    /// An expansion in five minutes, step by step
    Tutorial,
    /// mod.toml: what a mod is and declares
    Mod,
    /// tiles.toml: tiles
    Tiles,
    /// rules.rhai: hooks, queries, effects and questions
    Scripts,
    /// theme.toml: looks
    Theme,
    /// Records: saved games, test cases, positions
    Game,
    /// Twelve small mods, each of which shows how one thing is said
    Cookbook,
}

impl Topic {
    const ALL: [Topic; 7] =
        [Topic::Tutorial, Topic::Mod, Topic::Tiles, Topic::Scripts, Topic::Theme, Topic::Game, Topic::Cookbook];

    fn text(self) -> String {
        match self {
            Topic::Tutorial => loader::TUTORIAL.to_owned(),
            Topic::Mod => loader::MOD_REFERENCE.to_owned(),
            Topic::Tiles => loader::TILES_REFERENCE.to_owned(),
            Topic::Scripts => script::docs(),
            Topic::Theme => theme::THEME_REFERENCE.to_owned(),
            Topic::Game => record::RECORD_REFERENCE.to_owned(),
            Topic::Cookbook => loader::cookbook(),
        }
    }

    /// The file that it is written into.
    fn file(self) -> &'static str {
        match self {
            Topic::Tutorial => "tutorial.md",
            Topic::Mod => "mod.md",
            Topic::Tiles => "tiles.md",
            Topic::Scripts => "scripts.md",
            Topic::Theme => "theme.md",
            Topic::Game => "game.md",
            Topic::Cookbook => "cookbook.md",
        }
    }
}

pub fn run(context: &Context, args: &Args) -> Done {
    let mut out = context.terminal.out();
    let Some(folder) = &args.out else {
        let texts: Vec<String> = match args.topic {
            Some(topic) => vec![topic.text()],
            None => Topic::ALL.map(Topic::text).to_vec(),
        };
        out.write_all(texts.join("\n").as_bytes())?;
        out.flush()?;
        return Ok(Outcome::Fine);
    };
    let topics = Topic::ALL.map(|topic| (topic.file(), topic.text()));
    for (name, text) in topics.into_iter().chain([("bastide.d.rhai", script::definitions())]) {
        let path = folder.join(name);
        let written = fs::create_dir_all(folder).and_then(|()| platform::fs::write_output(&path, text));
        written.map_err(|e| Diagnostic::without_place(format!("cannot write {}: {e}", path.display())))?;
        writeln!(out, "wrote {}", path.display())?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}
