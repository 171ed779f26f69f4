//! Templates for new mods, and the recipes of the cookbook. A mod made from a template loads, plays
//! and passes its tests without changes.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use platform::fs;

/// A template for a new mod.
#[derive(PartialEq, Eq, Debug)]
pub struct Template {
    /// The name that selects the template, as in `bastide new my-mod --template lakes`.
    pub name: &'static str,
    /// The title of the template, in a few words.
    pub title: &'static str,
    /// The files of the mod, the manifest first: for each file, its path in the folder of the mod,
    /// and its text.
    files: &'static [(&'static str, &'static str)],
    /// The subject of the mod: a table of its manifest, such as `piece` or `kind`, and the name in
    /// it. `None` for most templates. [`write_with_names`](Template::write_with_names) can give it
    /// another name.
    pub subject: Option<(&'static str, &'static str)>,
}

macro_rules! template {
    ($name:literal, $title:literal, $readme:expr, [$($file:literal),*]) => {
        template!($name, $title, $readme, [$($file),*], None)
    };
    ($name:literal, $title:literal, $readme:expr, [$($file:literal),*], $subject:expr) => {
        Template {
            subject: $subject,
            name: $name,
            title: $title,
            files: &[
                ("mod.toml", include_str!(concat!("../templates/", $name, "/mod.toml"))),
                $(($file, include_str!(concat!("../templates/", $name, "/", $file))),)*
                ("README.md", include_str!(concat!("../templates/", $readme))),
            ],
        }
    };
}

/// The templates: small mods with comments that explain their lines.
pub const TEMPLATES: &[Template] = &[
    template!("tiles", "Tiles alone", "tiles/README.md", ["tiles.toml", "rules.rhai", "tests/first.game"]),
    template!(
        "scoring",
        "Tiles and a scoring rule",
        "scoring/README.md",
        ["tiles.toml", "rules.rhai", "tests/first.game"]
    ),
    template!(
        "piece",
        "A piece",
        "piece/README.md",
        ["tiles.toml", "rules.rhai", "tests/first.game"],
        Some(("piece", "chief"))
    ),
    template!("phase", "A step of the turn", "phase/README.md", ["tiles.toml", "rules.rhai", "tests/first.game"]),
];

/// The recipes of the cookbook. Each recipe is a mod that shows one technique and tests its effect.
pub const RECIPES: &[Template] = &[
    template!(
        "lakes",
        "A new kind of land",
        "recipe.md",
        ["tiles.toml", "tests/complete_lake.game", "tests/open_lake.game"],
        Some(("kind", "lake"))
    ),
    template!(
        "squires",
        "A second piece",
        "recipe.md",
        ["rules.rhai", "tests/needs_its_follower.game", "tests/squire_pays.game"]
    ),
    template!(
        "signposts",
        "Another tile in the same turn",
        "recipe.md",
        ["tiles.toml", "rules.rhai", "tests/once_a_turn.game"]
    ),
    template!(
        "coins",
        "Tokens, and something to buy",
        "recipe.md",
        ["rules.rhai", "tests/buy.game", "tests/earn.game"]
    ),
    template!("wolf", "A neutral figure", "recipe.md", ["tiles.toml", "rules.rhai", "tests/keeps_away.game"]),
    template!(
        "weather",
        "A die",
        "recipe.md",
        ["tiles.toml", "rules.rhai", "tests/fog.game", "tests/rain.game", "tests/sun.game"]
    ),
    template!("errands", "Cards in hand", "recipe.md", ["tiles.toml", "rules.rhai", "tests/feast.game"]),
    template!(
        "fair",
        "Secret bids",
        "recipe.md",
        ["tiles.toml", "rules.rhai", "tests/highest_bid.game", "tests/tie.game"]
    ),
    template!(
        "hermits",
        "Placement restrictions",
        "recipe.md",
        ["tiles.toml", "rules.rhai", "tests/no_city_beside.game"]
    ),
    template!(
        "underdogs",
        "A tie-breaker",
        "recipe.md",
        ["rules.rhai", "tests/equal.game", "tests/the_one_behind.game"]
    ),
    template!("gates", "Deploying elsewhere", "recipe.md", ["tiles.toml", "rules.rhai", "tests/elsewhere.game"]),
    template!("feasts", "Stored data", "recipe.md", ["rules.rhai", "tests/third_city.game"]),
];

/// The placeholder for the id of the mod.
const ID: &str = "{{id}}";
/// The placeholder for the title of the mod.
const TITLE: &str = "{{title}}";

impl Template {
    /// Finds the template or recipe called `name`, if there is one.
    pub fn find(name: &str) -> Option<&'static Template> {
        TEMPLATES.iter().chain(RECIPES).find(|template| template.name == name)
    }

    /// Returns the description in the manifest of the template.
    pub fn about(&self) -> &'static str {
        let manifest = self.files.first().map_or("", |(_, text)| text);
        let about = manifest.lines().find_map(|line| line.strip_prefix("about = \"")?.strip_suffix('"'));
        about.unwrap_or_default()
    }

    /// Writes a mod from this template into the new folder `folder` and returns the paths of the
    /// written files. The name of the folder becomes the id of the mod (see [`is_mod_id`]).
    ///
    /// # Errors
    /// Returns the file or folder that could not be written, and the cause.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
        self.write_with_names(folder, &title_of(&id_of(folder)), None)
    }

    /// Writes a mod as [`write`](Template::write) does, but with the given title, and with another
    /// name for its [`subject`](Template::subject). The title must not contain quotes, backslashes
    /// or line ends. The name of the subject must consist of lowercase letters, digits and `_`.
    ///
    /// # Errors
    /// Returns an error as [`write`](Template::write) does.
    pub fn write_with_names(
        &self,
        folder: &Path,
        title: &str,
        subject: Option<&str>,
    ) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
        let id = id_of(folder);
        let cannot = |e| (folder.to_owned(), e);
        let place = folder.parent().filter(|place| !place.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(place).map_err(cannot)?;
        // The folder gets its final name once all files are written.
        let temp = fs::temp_dir_in(place).map_err(cannot)?;
        let new = temp.path().join(&id);
        let mut written = Vec::new();
        for (name, text) in self.files_of(&id, title, subject) {
            let path = new.join(name);
            let parent = path.parent().unwrap_or(&new);
            let done = fs::create_dir_all(parent).and_then(|()| fs::write(&path, text));
            done.map_err(|e| (folder.join(name), e))?;
            written.push(folder.join(name));
        }
        fs::rename(&new, folder).map_err(cannot)?;
        Ok(written)
    }

    /// Returns the path and the text of each file of a mod with this id and title. If `subject` is
    /// given, it replaces the name of the template's subject.
    fn files_of<'t>(
        &'t self,
        id: &'t str,
        title: &'t str,
        subject: Option<&'t str>,
    ) -> impl Iterator<Item = (&'static str, String)> + 't {
        // The id and the title of the mod stay as they are, even if they contain the name.
        let renamed = move |text: &str| match (self.subject, subject) {
            (Some((_, old)), Some(new)) => {
                text.replace(old, new).replace(&title_of(old), &title_of(new).replace('_', " "))
            }
            _ => text.to_owned(),
        };
        let told = move |text: &str| {
            let text = text.replace("{{about}}", self.about()).replace("{{name}}", self.name);
            renamed(&text).replace(ID, id).replace(TITLE, title)
        };
        self.files.iter().map(move |(name, text)| (*name, told(text)))
    }
}

/// Returns the cookbook as Markdown: every recipe with its files.
pub fn cookbook() -> String {
    let mut text = "# Cookbook\n\nTwelve small mods, each showing one kind of rule. To start from one, run `bastide new my-mod --template <name>` or choose \
        *New mod* in the window. The tests of each mod show how it plays.\n\n"
        .to_owned();
    for recipe in RECIPES {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "- [{}](#{}): {}", recipe.title, recipe.name, recipe.about());
    }
    for recipe in RECIPES {
        let _ = write!(text, "\n## {}\n\n{}: {}\n", recipe.name, recipe.title, recipe.about());
        let title = title_of(recipe.name);
        let files = recipe.files_of(recipe.name, &title, None).filter(|(name, _)| !name.ends_with(".md"));
        for (name, content) in files {
            let language = name.rsplit_once('.').map_or("", |(_, end)| if end == "rhai" { "rust" } else { end });
            let _ = write!(text, "\n`{name}`\n\n```{language}\n{content}```\n");
        }
    }
    text
}

/// Returns whether `id` is a valid mod id: it consists of lowercase letters, digits and `-`, and
/// begins with a letter.
pub fn is_mod_id(id: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_lowercase();
    id.starts_with(is_letter) && id.chars().all(|c| is_letter(c) || c.is_ascii_digit() || c == '-')
}

/// Returns the id of the mod in `folder`.
fn id_of(folder: &Path) -> String {
    folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Returns the default title of a mod: `my-mod` becomes `My mod`.
pub fn title_of(id: &str) -> String {
    let words = id.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
