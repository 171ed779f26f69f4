//! Mods to begin with: folders that load, play and test at once.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What a new mod begins with.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Template {
    /// Tiles of its own, with a tag that is worth points: no script.
    #[default]
    Tiles,
    /// Points by a script.
    Scoring,
    /// A piece that counts for more.
    Piece,
    /// A step of the turn that asks a question, with a token to win.
    Phase,
}

macro_rules! template {
    ($folder:literal) => {
        &[
            ("mod.toml", include_str!(concat!("../templates/", $folder, "/mod.toml"))),
            ("tiles.toml", include_str!(concat!("../templates/", $folder, "/tiles.toml"))),
            ("rules.rhai", include_str!(concat!("../templates/", $folder, "/rules.rhai"))),
            ("tests/first.game", include_str!(concat!("../templates/", $folder, "/tests/first.game"))),
            ("README.md", include_str!(concat!("../templates/", $folder, "/README.md"))),
        ]
    };
}

/// Stands in templates for the id of the mod.
const ID: &str = "{{id}}";
/// Stands in templates for its title.
const TITLE: &str = "{{title}}";

impl Template {
    /// All templates with their names.
    pub const ALL: [(&'static str, Template); 4] = [
        ("tiles", Template::Tiles),
        ("scoring", Template::Scoring),
        ("piece", Template::Piece),
        ("phase", Template::Phase),
    ];

    fn files(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Template::Tiles => template!("tiles"),
            Template::Scoring => template!("scoring"),
            Template::Piece => template!("piece"),
            Template::Phase => template!("phase"),
        }
    }

    /// Writes a mod into `folder`, whose name is its id (see [`is_mod_id`]), and returns the files written.
    ///
    /// # Errors
    /// The file that could not be written, and why.
    pub fn write(self, folder: &Path) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
        self.write_titled(folder, &title_of(&id_of(folder)))
    }

    /// Does the same as [`write`](Template::write) for a mod with this title, in which no quotes, backslashes or line ends may be.
    ///
    /// # Errors
    /// As [`write`](Template::write).
    pub fn write_titled(self, folder: &Path, title: &str) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
        let id = id_of(folder);
        let mut written = Vec::new();
        for (name, text) in self.files() {
            let path = folder.join(name);
            let text = text.replace(ID, &id).replace(TITLE, title);
            let parent = path.parent().unwrap_or(folder);
            let done = fs::create_dir_all(parent).and_then(|()| fs::write(&path, text));
            done.map_err(|e| (path.clone(), e))?;
            written.push(path);
        }
        Ok(written)
    }
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
