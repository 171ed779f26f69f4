#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod mod_toml;
mod page;
mod schema;
mod theme_toml;
mod tiles_toml;

#[cfg(test)]
mod tests;

pub use mod_toml::*;
pub use page::without_marks;
pub use theme_toml::*;
pub use tiles_toml::*;

use std::fmt;
use std::hash::{Hash, Hasher};

/// A type of file in a mod, with the tables that it may have.
#[derive(Debug)]
pub struct ManifestFile {
    /// The name of the file, such as `mod.toml`.
    pub name: &'static str,
    /// A sentence about the file.
    pub about: &'static str,
    /// The top level of the file: a section whose keys are the names of the tables.
    pub root: &'static Section,
    /// The tables of the file.
    pub sections: &'static [&'static Section],
}

impl PartialEq for ManifestFile {
    fn eq(&self, other: &ManifestFile) -> bool {
        self.name == other.name
    }
}

impl Eq for ManifestFile {}

impl Hash for ManifestFile {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.name.hash(hasher);
    }
}

/// A table of a file, or a table that is the value of a key, with the keys that the table may have.
#[derive(Debug)]
pub struct Section {
    /// The path of the table in its file, such as `mod` or `piece.<name>`; `[phase]` for a list of
    /// tables. For a table that is the value of a key, only a name, such as `points` or `zone`.
    /// Empty for [`ManifestFile::root`].
    pub path: &'static str,
    /// The keys, in the order of the reference.
    pub keys: &'static [Key],
    /// True if the table may also have `about`, a text for players.
    pub has_about: bool,
}

/// A key of a table.
#[derive(Debug)]
pub struct Key {
    /// The name of the key. A name such as `<kind>` or `only_...` stands for several keys.
    pub name: &'static str,
    /// The values that the key takes.
    pub takes: Takes,
    /// The default in words; `required` if the key must be there, `–` if there is no default.
    pub default: &'static str,
    /// The meaning of the key, in a few sentences; empty if the reference has no row for the key.
    pub means: &'static str,
    /// True if the value may depend on a switch (a setting that is true or false), such as
    /// `"2 if rich else 1"`.
    pub is_conditional: bool,
}

/// The values that a key takes.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// A text, described in a few words, such as `a text` or `a layer`.
    Text(&'static str),
    /// A text or a list of texts, described in a few words, such as `kinds`.
    Texts(&'static str),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A whole number between these bounds, both included.
    Number(i64, i64),
    /// True or false.
    Flag,
    /// A table with the keys of a section.
    Table(&'static Section),
    /// Any other value, described in words.
    Value(&'static str),
    /// The name of a built-in icon, or the path of an SVG file.
    Icon,
    /// An icon, or false. For a tag, also a table with an icon or false for each word of the tag.
    IconOrFalse,
    /// A colour, such as `#rrggbb`.
    Colour,
    /// A fraction of the width of a tile, from 0.05 to 1.0.
    Fraction,
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Takes::Text(words) | Takes::Texts(words) | Takes::Value(words) => f.write_str(words),
            Takes::OneOf(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
                f.write_str(&words.join(", "))
            }
            Takes::Number(i64::MIN, i64::MAX) => f.write_str("a number"),
            Takes::Number(least, i64::MAX) => write!(f, "a number from {least}"),
            Takes::Number(least, most) => write!(f, "{least} to {most}"),
            Takes::Flag => f.write_str("true or false"),
            Takes::Table(_) => f.write_str("a table"),
            Takes::Icon => f.write_str("an icon"),
            Takes::IconOrFalse => f.write_str("an icon, or false"),
            Takes::Colour => f.write_str("`\"#rrggbb\"`, `\"#rgb\"` or `\"#rrggbbaa\"`"),
            Takes::Fraction => f.write_str("0.05 to 1.0"),
        }
    }
}

impl Key {
    const fn new(name: &'static str, takes: Takes, default: &'static str, means: &'static str) -> Key {
        Key { name, takes, default, means, is_conditional: false }
    }

    /// Makes a key for each of the names. The value of each key is a table, or a table of tables. A
    /// section of its own describes these tables.
    #[expect(clippy::indexing_slicing, reason = "both lists have `N` items")]
    const fn tables<const N: usize>(names: [&'static str; N]) -> [Key; N] {
        let mut keys = [const { Key::new("", Takes::Value("a table"), "none", "") }; N];
        let mut i = 0;
        while i < N {
            keys[i].name = names[i];
            i += 1;
        }
        keys
    }

    /// Makes a key whose value may depend on a switch.
    const fn conditional(name: &'static str, takes: Takes, default: &'static str, means: &'static str) -> Key {
        Key { name, takes, default, means, is_conditional: true }
    }

    /// Returns whether the table must contain the key.
    pub fn is_required(&self) -> bool {
        self.default == "required"
    }

    /// Returns whether the key is a single name, not a pattern such as `<kind>`.
    pub fn is_name(&self) -> bool {
        !self.name.contains(['<', '.'])
    }
}

impl Section {
    const fn new(path: &'static str, keys: &'static [Key]) -> Section {
        Section { path, keys, has_about: false }
    }

    /// Makes a table that may also have the key `about`.
    const fn with_about(path: &'static str, keys: &'static [Key]) -> Section {
        Section { path, keys, has_about: true }
    }

    /// Returns the name of the table without the part that authors choose, such as `piece` for
    /// `piece.<name>` and `phase` for `[phase]`.
    pub fn name(&self) -> &'static str {
        let path = self.path.trim_matches(['[', ']']);
        path.split_once(".<").map_or(path, |(name, _)| name)
    }

    /// Returns the key called `name`; `None` for a pattern such as `<kind>`, and for the `about` of
    /// [`has_about`](Section::has_about).
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.is_name() && key.name == name)
    }

    /// Returns the names of the keys, except patterns such as `<kind>`. Includes `about` if the
    /// table may have it.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        let about = self.has_about.then_some("about");
        self.keys.iter().filter(|key| key.is_name()).map(|key| key.name).chain(about)
    }
}

impl ManifestFile {
    /// Returns the table called `name`, such as `piece` or `add.kind`, if there is one.
    pub fn section(&self, name: &str) -> Option<&'static Section> {
        self.sections.iter().copied().find(|section| section.name() == name)
    }
}

/// The files of a mod that are written in TOML.
pub const FILES: [&ManifestFile; 3] = [&MOD, &TILES, &THEME];

/// Returns `name` as a static text if a key of this name may depend on a switch in any table.
/// Otherwise, returns `None`.
pub fn conditional_key(name: &str) -> Option<&'static str> {
    fn find(section: &'static Section, name: &str) -> Option<&'static str> {
        section.keys.iter().find_map(|key| match key.takes {
            _ if key.is_conditional && key.name == name => Some(key.name),
            Takes::Table(inner) => find(inner, name),
            _ => None,
        })
    }
    FILES.into_iter().flat_map(|file| file.sections).find_map(|section| find(section, name))
}
