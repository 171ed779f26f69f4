//! `bastide new`: the folder of a mod that loads, plays and tests at once.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::context::{Context, Done, Outcome, Stop};
use crate::terminal::Complaint;

/// Makes the folder of a new mod, which loads, plays and tests at once
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide new wells                            two tiles of its own
  bastide new wells --template scoring         points by a script
  bastide new wells --template piece           a new piece
  bastide new wells --template phase           a step of the turn that asks a question

Then:
  bastide check wells
  bastide test wells
  bastide play --mods wells")]
pub struct Args {
    /// The folder to make; its name is the id of the mod
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// What it shows
    #[arg(long, value_enum, default_value_t)]
    template: Template,
}

/// What a new mod begins with.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
enum Template {
    /// Tiles of its own, with a tag that is worth points: no script
    #[default]
    Tiles,
    /// Points by a script
    Scoring,
    /// A piece that counts for more
    Piece,
    /// A step of the turn that asks a question, with a token to win
    Phase,
}

macro_rules! template {
    ($folder:literal) => {
        &[
            ("mod.toml", include_str!(concat!("../../templates/", $folder, "/mod.toml"))),
            ("tiles.toml", include_str!(concat!("../../templates/", $folder, "/tiles.toml"))),
            ("rules.rhai", include_str!(concat!("../../templates/", $folder, "/rules.rhai"))),
            ("tests/first.game", include_str!(concat!("../../templates/", $folder, "/tests/first.game"))),
            ("README.md", include_str!(concat!("../../templates/", $folder, "/README.md"))),
        ]
    };
}

impl Template {
    /// The files with their paths in the folder.
    fn files(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Template::Tiles => template!("tiles"),
            Template::Scoring => template!("scoring"),
            Template::Piece => template!("piece"),
            Template::Phase => template!("phase"),
        }
    }
}

/// Stands in templates for the id of the mod.
const ID: &str = "{{id}}";
/// Stands in templates for its title.
const TITLE: &str = "{{title}}";

pub fn run(context: &Context, args: &Args) -> Done {
    let id = id_of(&args.folder)?;
    let is_used = fs::read_dir(&args.folder).is_ok_and(|mut files| files.next().is_some()) || args.folder.is_file();
    if is_used {
        let message = format!("{} is there already and not empty; nothing was written", args.folder.display());
        return Err(Complaint::new(message).help("choose another name, or delete the folder first").into());
    }
    let mut out = context.terminal.out();
    for (name, text) in args.template.files() {
        let path = args.folder.join(name);
        let text = text.replace(ID, &id).replace(TITLE, &title_of(&id));
        let folder = path.parent().unwrap_or(&args.folder);
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, text));
        written.map_err(|e| Complaint::new(format!("cannot write {}: {e}", path.display())))?;
        writeln!(out, "wrote {}", path.display())?;
    }
    let folder = args.folder.display();
    writeln!(out, "\nNext:\n  bastide check {folder}\n  bastide test {folder}\n  bastide play --mods {folder}")?;
    out.flush()?;
    Ok(Outcome::Fine)
}

/// The name of the folder, which must do as an id.
fn id_of(folder: &Path) -> Result<String, Stop> {
    let name = folder.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    let is_letter = |c: char| c.is_ascii_lowercase();
    let is_good = name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit() || c == '-');
    if is_good {
        return Ok(name.to_owned());
    }
    let message = format!("`{name}` cannot be the id of a mod");
    Err(Stop::Usage(Complaint::new(message).help("use small letters, digits and -, and begin with a letter: `my-mod`")))
}

/// `my-mod` becomes `My mod`.
fn title_of(id: &str) -> String {
    let words = id.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
