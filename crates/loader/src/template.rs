//! Mods to begin with: folders that load, play and test at once, and the recipes of the cookbook.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What a new mod begins with.
#[derive(PartialEq, Eq, Debug)]
pub struct Template {
    /// What it is chosen by.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub title: &'static str,
    /// The same in a sentence.
    pub about: &'static str,
    /// Its files: where they are in the folder, and their texts.
    files: &'static [(&'static str, &'static str)],
}

macro_rules! file {
    ($path:expr) => {
        include_str!(concat!("../templates/", $path))
    };
}

macro_rules! beginning {
    ($name:literal, $title:literal, $about:literal) => {
        Template {
            name: $name,
            title: $title,
            about: $about,
            files: &[
                ("mod.toml", file!(concat!($name, "/mod.toml"))),
                ("tiles.toml", file!(concat!($name, "/tiles.toml"))),
                ("rules.rhai", file!(concat!($name, "/rules.rhai"))),
                ("tests/first.game", file!(concat!($name, "/tests/first.game"))),
                ("README.md", file!(concat!($name, "/README.md"))),
            ],
        }
    };
}

macro_rules! recipe {
    ($name:literal, $title:literal, $about:literal, [$($file:literal),*]) => {
        Template {
            name: $name,
            title: $title,
            about: $about,
            files: &[
                ("mod.toml", file!(concat!($name, "/mod.toml"))),
                $(($file, file!(concat!($name, "/", $file))),)*
                ("README.md", file!("recipe.md")),
            ],
        }
    };
}

/// What a mod may begin with: small and explained line by line.
pub const TEMPLATES: &[Template] = &[
    beginning!("tiles", "Tiles alone", "Two kinds of tiles of its own, and no script."),
    beginning!(
        "scoring",
        "Tiles and a scoring rule",
        "Two kinds of tiles with a well, and a rule of three lines that pays for it."
    ),
    beginning!("piece", "A piece", "A piece of its own that counts for more, with tiles to try it on."),
    beginning!("phase", "A step of the turn", "A question in each turn, with a token to win."),
];

/// The cookbook: mods that show how one thing is said, each with a test that shows what comes of it.
pub const RECIPES: &[Template] = &[
    recipe!(
        "lakes",
        "A new kind of land",
        "Lakes that grow from tile to tile and pay by a formula: no script.",
        ["tiles.toml", "tests/complete_lake.game", "tests/open_lake.game"]
    ),
    recipe!(
        "squires",
        "A second piece",
        "A squire joins its own follower and makes what they stand on pay more.",
        ["rules.rhai", "tests/needs_its_follower.game", "tests/squire_pays.game"]
    ),
    recipe!(
        "signposts",
        "Another tile in the same turn",
        "Whoever lays a signpost plays another tile, once a turn.",
        ["tiles.toml", "rules.rhai", "tests/once_a_turn.game"]
    ),
    recipe!(
        "coins",
        "Tokens, and something to buy",
        "Roads earn coins; coins buy points in place of deploying.",
        ["rules.rhai", "tests/buy.game", "tests/earn.game"]
    ),
    recipe!(
        "wolf",
        "A figure that belongs to nobody",
        "A wolf that is moved about and keeps everybody away from where it is.",
        ["tiles.toml", "rules.rhai", "tests/keeps_away.game"]
    ),
    recipe!(
        "weather",
        "A die",
        "A cloud has a die rolled: it pays, takes, or makes a player miss a turn.",
        ["tiles.toml", "rules.rhai", "tests/fog.game", "tests/rain.game", "tests/sun.game"]
    ),
    recipe!(
        "errands",
        "Cards in hand",
        "Cards that only their holder sees, played in place of deploying.",
        ["tiles.toml", "rules.rhai", "tests/feast.game"]
    ),
    recipe!(
        "fair",
        "Secret bids",
        "All bid at once for points, in a step of the turn of its own.",
        ["tiles.toml", "rules.rhai", "tests/highest_bid.game", "tests/tie.game"]
    ),
    recipe!(
        "hermits",
        "Where a tile may not lie",
        "Hermitages keep away from cities, and pay when they are surrounded.",
        ["tiles.toml", "rules.rhai", "tests/no_city_beside.game"]
    ),
    recipe!(
        "underdogs",
        "Who wins a tie",
        "Of several with the majority of a city those score who are behind.",
        ["rules.rhai", "tests/equal.game", "tests/the_one_behind.game"]
    ),
    recipe!(
        "gates",
        "Deploying elsewhere",
        "From a gate a follower may go to any road where nobody stands.",
        ["tiles.toml", "rules.rhai", "tests/elsewhere.game"]
    ),
    recipe!(
        "feasts",
        "Something to remember",
        "Every third completed city pays three points more: `mem` counts them.",
        ["rules.rhai", "tests/third_city.game"]
    ),
];

/// Stands in templates for the id of the mod.
const ID: &str = "{{id}}";
/// Stands in templates for its title.
const TITLE: &str = "{{title}}";

impl Template {
    /// Returns the template or recipe of this name.
    pub fn find(name: &str) -> Option<&'static Template> {
        TEMPLATES.iter().chain(RECIPES).find(|template| template.name == name)
    }

    /// Writes a mod into `folder`, whose name is its id (see [`is_mod_id`]), and returns the files written.
    ///
    /// # Errors
    /// The file that could not be written, and why.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
        self.write_titled(folder, &title_of(&id_of(folder)))
    }

    /// Does the same as [`write`](Template::write) for a mod with this title, in which no quotes, backslashes or line ends may be.
    ///
    /// # Errors
    /// As [`write`](Template::write).
    pub fn write_titled(&self, folder: &Path, title: &str) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
        let id = id_of(folder);
        let mut written = Vec::new();
        for (name, text) in self.files_of(&id, title) {
            let path = folder.join(name);
            let parent = path.parent().unwrap_or(folder);
            let done = fs::create_dir_all(parent).and_then(|()| fs::write(&path, text));
            done.map_err(|e| (path.clone(), e))?;
            written.push(path);
        }
        Ok(written)
    }

    /// Returns the files of a mod with this id and title.
    fn files_of<'t>(&'t self, id: &'t str, title: &'t str) -> impl Iterator<Item = (&'static str, String)> + 't {
        let told = move |text: &str| {
            let text = text.replace(ID, id).replace(TITLE, title);
            text.replace("{{about}}", self.about).replace("{{name}}", self.name)
        };
        self.files.iter().map(move |(name, text)| (*name, told(text)))
    }
}

/// Returns the cookbook as Markdown: every recipe with its files.
pub fn cookbook() -> String {
    let mut text = "# Cookbook\n\nTwelve small mods, each of which shows how one thing is said. `bastide new my-mod --template <name>` makes one to \
        change, and so does `New mod` in the window; its tests show what comes of it.\n\n"
        .to_owned();
    for recipe in RECIPES {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "- [{}](#{}): {}", recipe.title, recipe.name, recipe.about);
    }
    for recipe in RECIPES {
        let _ = write!(text, "\n## {}\n\n{}: {}\n", recipe.name, recipe.title, recipe.about);
        let title = title_of(recipe.name);
        let files = recipe.files_of(recipe.name, &title).filter(|(name, _)| !name.ends_with(".md"));
        for (name, content) in files {
            let language = name.rsplit_once('.').map_or("", |(_, end)| if end == "rhai" { "rust" } else { end });
            let _ = write!(text, "\n`{name}`\n\n```{language}\n{content}```\n");
        }
    }
    text
}

/// Returns whether a mod may be called `id`: small letters, digits and `-`, a letter first.
pub fn is_mod_id(id: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_lowercase();
    id.starts_with(is_letter) && id.chars().all(|c| is_letter(c) || c.is_ascii_digit() || c == '-')
}

/// The id of the mod in `folder`.
fn id_of(folder: &Path) -> String {
    folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Returns the title that a mod has where nothing else is said: `my-mod` becomes `My mod`.
pub fn title_of(id: &str) -> String {
    let words = id.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
