//! `bastide docs`: prints the modding reference, or the page of a mod. The page about scripts is
//! generated from the table from which the script engine registers its functions.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use diagnostic::did_you_mean;
use loader::{MAX_README_BYTES, ReadError, read_text};

use crate::context::{CliError, CommandResult, Context, finish, problem, usage, write_error};

/// Print the modding reference, or the rules and rulings of a mod
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide docs | less              print the whole reference
  bastide docs howto               print what to write for each task
  bastide docs howto dice          print the tasks with this word
  bastide docs tiles               print the reference of tiles.toml
  bastide docs messages            print the rules of a mod and its rulings
  bastide docs changes             print what changed for mods of earlier versions
  bastide docs --out reference     write one file per topic, and files for text editors

Topics: tutorial, howto, mod, tiles, scripts, theme, game, cookbook, bots, changes.

--out also writes files that let text editors complete and explain what you type. For scripts,
bastide.d.rhai is read by Rhai's language server. For manifests, Taplo and Even Better TOML read
mod.schema.json, tiles.schema.json and theme.schema.json: begin mod.toml with
`#:schema <path of mod.schema.json>`.")]
pub struct Args {
    /// Topic of the reference, or a mod by its id or folder [default: the whole reference]
    #[arg(value_name = "TOPIC|MOD")]
    page: Option<String>,
    /// Print only the entries of `howto` that fit these words best
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// Write files to DIR instead of printing
    #[arg(long, value_name = "DIR", conflicts_with = "page")]
    out: Option<PathBuf>,
}

/// A topic of the modding reference: one page.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Topic {
    /// An expansion in five minutes, step by step
    Tutorial,
    /// Lines to write, by task: "How do I …"
    Howto,
    /// mod.toml: what a mod declares
    Mod,
    /// tiles.toml: tiles
    Tiles,
    /// rules.rhai: hooks, queries, effects and questions
    Scripts,
    /// theme.toml: the look of tiles, pieces and icons
    Theme,
    /// Records: saved games, test cases and positions
    #[value(name = "game")]
    Records,
    /// Twelve small mods, each showing how one kind of rule is written
    Cookbook,
    /// Bots of your own: programs that play a seat
    Bots,
    /// Changes of the modding language, and what stays the same
    Changes,
}

impl Topic {
    /// Returns the text of the page.
    fn text(self) -> String {
        match self {
            Topic::Tutorial => loader::TUTORIAL.to_owned(),
            Topic::Howto => loader::HOWTO.to_owned(),
            Topic::Mod => loader::mod_reference(),
            Topic::Tiles => loader::tiles_reference(),
            Topic::Scripts => script::docs(),
            Topic::Theme => theme::theme_reference(),
            Topic::Records => record::RECORD_REFERENCE.to_owned(),
            Topic::Cookbook => loader::cookbook(),
            Topic::Bots => programs::BOTS_REFERENCE.to_owned(),
            Topic::Changes => script::changes(),
        }
    }

    /// Returns all topics with their names on the command line.
    fn all() -> impl Iterator<Item = (String, Topic)> {
        let named = |topic: &Topic| Some((topic.to_possible_value()?.get_name().to_owned(), *topic));
        Topic::value_variants().iter().filter_map(named)
    }
}

/// Returns the page of a mod: its README, or else its title and description.
fn mod_page(context: &mut Context, named: &str) -> Result<String, CliError> {
    let id = context.resolve_mod(named);
    let library = context.library().clone();
    let Some(folder) = library.folder(&id) else {
        let topics: Vec<String> = Topic::all().map(|(name, _)| name).collect();
        let ids = library.ids();
        let known = topics.iter().chain(&ids).map(String::as_str);
        let message = format!("no topic or mod is called `{named}`");
        let list = || format!("the topics are {}; the mods are {}", topics.join(", "), ids.join(", "));
        let help = did_you_mean(&id, known).unwrap_or_else(list);
        return Err(usage(message).with_help(help));
    };
    let file = folder.join("README.md");
    match read_text(&file, Some(&folder), MAX_README_BYTES) {
        Ok(text) => Ok(text),
        Err(ReadError::System(error)) if error.kind() == io::ErrorKind::NotFound => {
            let loaded = context.load(std::slice::from_ref(&id))?;
            let about = loaded.catalogue().mods.iter().find(|it| it.id == id);
            let about = about.map_or(String::new(), |it| format!("# {}\n\n{}\n", it.title, it.about));
            Ok(format!("{about}\nThe mod has no README.md.\n"))
        }
        Err(error) => Err(problem(format!("cannot read {}: {error}", file.display()))),
    }
}

/// The maximum number of found entries to print whole. The titles of the others follow.
const MAX_WHOLE: usize = 5;

/// Instructions below the found entries. The page itself begins with longer ones.
const HOW_TO_PASTE: &str = "\
Add these lines at the end of the files of your mod: `toml` is `mod.toml`, `toml tiles` is
`tiles.toml`, `toml theme` is `theme.toml`, and `rhai` is `rules.rhai`. `toml mod` belongs below
`[mod]` in `mod.toml`, and `game` is a file `tests/NAME.game`. If a heading or function is there
already, add the lines to it.
";

/// Returns the entries of the page "How do I ..." that fit `words` best, as Markdown.
fn found_in_howto(words: &[String]) -> Result<String, CliError> {
    let found = loader::find_howto(words);
    let unknown: Vec<String> = found.unknown.iter().map(|(word, _)| format!("`{word}`")).collect();
    let unknown = if unknown.is_empty() { "these words".to_owned() } else { unknown.join(" or ") };
    if found.entries.is_empty() {
        let message = format!("no entry of `howto` contains {unknown}");
        return Err(problem(message).with_help("try other words; `bastide docs howto` prints all entries"));
    }
    let (whole, rest) = found.entries.split_at(found.entries.len().min(MAX_WHOLE));
    let mut text = String::new();
    if !found.unknown.is_empty() {
        let similar: Vec<&str> = found.unknown.iter().filter_map(|(_, similar)| similar.as_deref()).collect();
        let searched =
            if similar.is_empty() { String::new() } else { format!("; searched for {}", similar.join(", ")) };
        text.push_str(&format!("(No entry contains {unknown}{searched}.)\n\n"));
    }
    text.extend(whole.iter().map(|entry| format!("## {}\n\n{}\n\n", entry.title, entry.text)));
    if !rest.is_empty() {
        text.push_str("## More entries\n\n");
        text.extend(rest.iter().map(|entry| format!("- {}\n", entry.title)));
        text.push('\n');
    }
    Ok(text + HOW_TO_PASTE)
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let mut out = context.terminal.out();
    let Some(folder) = &args.out else {
        let text = match args.page.as_deref().map(|page| (page, Topic::from_str(page, false))) {
            Some((_, Ok(Topic::Howto))) if !args.words.is_empty() => found_in_howto(&args.words)?,
            Some((page, _)) if !args.words.is_empty() => {
                let message = format!("only `howto` can be searched for words, not `{page}`");
                let help = format!("write `bastide docs howto {}`", args.words.join(" "));
                return Err(usage(message).with_help(help));
            }
            Some((_, Ok(topic))) => topic.text(),
            Some((named, Err(_))) => mod_page(context, named)?,
            None => Topic::all().map(|(_, topic)| topic.text()).collect::<Vec<_>>().join("\n"),
        };
        out.write_all(text.as_bytes())?;
        return finish(out, true);
    };
    let topics = Topic::all().map(|(name, topic)| (format!("{name}.md"), topic.text()));
    let schemas = keys::FILES.map(|file| (file.schema_name(), format!("{:#}\n", file.schema())));
    let definitions = ("bastide.d.rhai".to_owned(), script::definitions());
    for (name, text) in topics.chain(schemas).chain([definitions]) {
        let path = folder.join(name);
        let written = fs::create_dir_all(folder).and_then(|()| platform::fs::write_output(&path, text));
        written.map_err(|error| write_error(&path, &error))?;
        writeln!(out, "wrote {}", path.display())?;
    }
    finish(out, true)
}
