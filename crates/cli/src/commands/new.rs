//! `bastide new`: makes the folder of a new mod that loads, plays and passes its test.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use loader::{RECIPES, TEMPLATES, Template};

use crate::context::{CliError, CommandResult, Context, finish, problem, usage};

/// Make the folder of a new mod that loads, plays and passes its test
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide new wells                            a mod with two tiles
  bastide new wells --template scoring         a script that awards points
  bastide new wells --template piece           a new piece
  bastide new wells --template phase           a new step of the turn that asks a question
  bastide new wells --template weather         a recipe from the cookbook

Then:
  bastide check wells
  bastide test wells
  bastide play --mods wells")]
pub struct Args {
    /// Folder to make; its name becomes the id of the mod
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Template to start from, or a recipe of `bastide docs cookbook`
    #[arg(long, value_name = "NAME", value_parser = template_parser(), default_value = "tiles")]
    template: &'static Template,
}

/// Returns a parser for the names of templates and recipes.
fn template_parser() -> impl TypedValueParser<Value = &'static Template> {
    let all = TEMPLATES.iter().chain(RECIPES);
    let names = all.map(|template| PossibleValue::new(template.name).help(template.about()));
    PossibleValuesParser::new(names)
        .try_map(|name| Template::find(&name).ok_or_else(|| format!("there is no template `{name}`")))
}

pub fn run(context: &Context, args: &Args) -> CommandResult {
    check_id(&args.folder)?;
    let is_used = fs::read_dir(&args.folder).is_ok_and(|mut files| files.next().is_some()) || args.folder.is_file();
    if is_used {
        let message = format!("{} already exists and is not empty; nothing was written", args.folder.display());
        return Err(problem(message).with_help("choose another name, or delete the folder first"));
    }
    let id = args.folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if context.library().ids().iter().any(|known| known == id) {
        let message = format!("a mod `{id}` already exists; nothing was written");
        return Err(problem(message).with_help("choose another name: two mods cannot have the same id"));
    }
    let mut out = context.terminal.out();
    let written = args.template.write(&args.folder);
    let written = written.map_err(|(path, e)| problem(format!("cannot write {}: {e}", path.display())))?;
    for path in written {
        writeln!(out, "wrote {}", path.display())?;
    }
    let folder = args.folder.display();
    writeln!(out, "\nNext:\n  bastide check {folder}\n  bastide test {folder}\n  bastide play --mods {folder}")?;
    finish(out, true)
}

/// Checks that the name of the folder is a valid id.
fn check_id(folder: &Path) -> Result<(), CliError> {
    let name = folder.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    if loader::is_mod_id(name) {
        return Ok(());
    }
    let message = format!("`{name}` is not a valid mod id");
    Err(usage(message).with_help("use lower-case letters, digits and -, and begin with a letter: `my-mod`"))
}
