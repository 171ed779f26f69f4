//! Reads and changes the looks of the kinds of land, pieces and tags of a mod, which the mod's
//! `theme.toml` stores.

use std::collections::BTreeMap;
use std::path::Path;

use loader::shown_path;
use platform::fs;
use theme::{IconCheck, Theme, ThemeFile};
use toml_edit::{Document, DocumentMut, Item, Table, TableLike};

use crate::EditError;
use crate::file_error::FileError;
use crate::manifest_edit::{line_ending, parse, with_line_ending};
use crate::tile_files::{read, write_into};
use crate::toml_value::ManifestValue;

/// The name of the file that contains a theme.
const THEME_FILE: &str = "theme.toml";

/// A section of manifests and themes whose entries have a look.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LookSection {
    /// The kinds of land.
    Kind,
    /// The pieces.
    Piece,
    /// The tags.
    Tag,
}

impl LookSection {
    /// All sections, in the order in which the window lists them.
    pub const ALL: [LookSection; 3] = [LookSection::Kind, LookSection::Piece, LookSection::Tag];

    /// Returns the name of the section in manifests and themes.
    pub const fn name(self) -> &'static str {
        match self {
            LookSection::Kind => "kind",
            LookSection::Piece => "piece",
            LookSection::Tag => "tag",
        }
    }
}

/// A kind of land, a piece or a tag.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LookSubject {
    /// The section that declares it.
    pub section: LookSection,
    /// Its name.
    pub name: String,
}

impl LookSubject {
    /// Makes the subject called `name` of a section.
    pub fn new(section: LookSection, name: impl Into<String>) -> LookSubject {
        LookSubject { section, name: name.into() }
    }
}

/// A change of one key in a look.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LookChange {
    /// The changed kind of land, piece or tag.
    pub subject: LookSubject,
    /// The key, such as `colour`. The key for the icon of a word of a tag is, for example,
    /// `icon.wine`.
    pub key: String,
    /// The new value; `None` to remove the key.
    pub value: Option<ManifestValue>,
}

/// The looks of the kinds of land, pieces and tags that a mod declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModLooks {
    /// The declared kinds of land, pieces and tags: section by section, in the order of the
    /// manifest.
    pub subjects: Vec<LookSubject>,
    /// The theme of the mod. Its text is empty if the mod has no theme.
    pub file: ThemeFile,
}

impl ModLooks {
    /// Returns the value of a key in a look; `None` if the theme does not set the key.
    pub fn value(&self, subject: &LookSubject, key: &str) -> Option<ManifestValue> {
        let document = parse(&self.file.text).ok()?;
        let section = document.get(subject.section.name())?.as_table_like()?;
        let (outer, word) = split_key(key);
        let item = section.get(&subject.name)?.as_table_like()?.get(outer)?;
        ManifestValue::of_item(match word {
            Some(word) => item.as_table_like()?.get(word)?,
            None => item,
        })
    }

    /// Applies a change to the text of the theme. Preserves comments, order and line ends.
    ///
    /// # Errors
    /// Returns an error if the theme is not valid TOML, or if the look is not written as a table.
    pub fn apply(&mut self, change: &LookChange) -> Result<(), EditError> {
        self.file.text = changed(&self.file.text, change)?;
        Ok(())
    }

    /// Returns a copy of `theme` in which the kinds of land, pieces and tags of this mod have the
    /// looks of this mod's theme.
    pub fn applied_to(&self, theme: &Theme, check_icon: IconCheck) -> Theme {
        let (own, _) = Theme::read(std::slice::from_ref(&self.file), check_icon);
        let is_own = |section: &str, name: &str| {
            self.subjects.iter().any(|subject| subject.section.name() == section && subject.name == name)
        };
        theme.with_looks_of(&own, is_own)
    }
}

/// Splits the key `icon.wine` into `icon` and the word `wine`. Other keys have no word.
fn split_key(key: &str) -> (&str, Option<&str>) {
    key.split_once('.').map_or((key, None), |(outer, word)| (outer, Some(word)))
}

fn changed(text: &str, change: &LookChange) -> Result<String, EditError> {
    let mut document: DocumentMut = parse(&text.replace("\r\n", "\n")).map(Document::into_mut)?;
    let LookChange { subject, key, value } = change;
    let section = subject.section.name();
    let by_hand = || EditError::LookByHand(section, subject.name.clone());
    let (outer, word) = split_key(key);
    let mut all = Table::new();
    all.set_implicit(true);
    let looks = document.entry(section).or_insert(Item::Table(all)).as_table_like_mut().ok_or_else(by_hand)?;
    match value {
        Some(value) => {
            let look = looks.entry(&subject.name).or_insert(Item::Table(Table::new()));
            let look = look.as_table_like_mut().ok_or_else(by_hand)?;
            let Some(word) = word else {
                set(look, outer, value);
                return Ok(with_line_ending(&document.to_string(), line_ending(text)));
            };
            let mut words = Table::new();
            words.set_dotted(true);
            let words = look.entry(outer).or_insert(Item::Table(words));
            set(words.as_table_like_mut().ok_or_else(by_hand)?, word, value);
        }
        None => {
            let Some(item) = looks.get_mut(&subject.name) else { return Ok(text.to_owned()) };
            let look = item.as_table_like_mut().ok_or_else(by_hand)?;
            match (word, look.get_mut(outer).and_then(Item::as_table_like_mut)) {
                (Some(word), Some(words)) => {
                    words.remove(word);
                    if words.is_empty() {
                        look.remove(outer);
                    }
                }
                (Some(_), None) => return Ok(text.to_owned()),
                (None, _) => {
                    look.remove(outer);
                }
            }
            let has_comment = |table: &Table| {
                table.decor().prefix().and_then(|prefix| prefix.as_str()).is_some_and(|prefix| prefix.contains('#'))
            };
            // Removes a table that has no keys left, but keeps a table with a comment.
            if item.as_table().is_some_and(|table| table.is_empty() && !has_comment(table)) {
                looks.remove(&subject.name);
            }
        }
    }
    Ok(with_line_ending(&document.to_string(), line_ending(text)))
}

/// Sets a key of a table. Preserves the comment beside an old value.
fn set(table: &mut dyn TableLike, key: &str, value: &ManifestValue) {
    match table.get_mut(key) {
        Some(Item::Value(old)) => value.put_into(old),
        _ => {
            table.insert(key, Item::Value(value.to_value()));
        }
    }
}

/// Reads the looks of the kinds of land, pieces and tags that a mod declares. `folder` is the
/// folder of the mod, and `id` is its id.
///
/// # Errors
/// Returns an error if the manifest or the theme cannot be read.
pub fn read_looks(folder: &Path, id: &str) -> Result<ModLooks, FileError> {
    let manifest = folder.join("mod.toml");
    let declared = parse(&read(folder, &manifest)?).map_err(FileError::not_edited(&manifest))?;
    let subjects_of = |section: LookSection| {
        let names = declared.get(section.name()).and_then(Item::as_table_like);
        names.into_iter().flat_map(|names| names.iter()).map(move |(name, _)| LookSubject::new(section, name))
    };
    let subjects = LookSection::ALL.into_iter().flat_map(subjects_of).collect();
    let file = folder.join(THEME_FILE);
    let text = if fs::exists(&file) { read(folder, &file)? } else { String::new() };
    let paths = fs::paths_in(folder.join("icons"));
    let names = paths.filter_map(|path| Some(format!("icons/{}", path.file_name()?.to_string_lossy())));
    let svgs = names.filter(|name| name.ends_with(".svg"));
    let icons: BTreeMap<String, String> =
        svgs.filter_map(|name| Some((name.clone(), read(folder, &folder.join(&name)).ok()?))).collect();
    Ok(ModLooks { subjects, file: ThemeFile { owner: id.to_owned(), label: shown_path(&file), text, icons } })
}

/// Applies changes to the theme of the mod in `folder`. Creates the theme if the mod has none.
///
/// # Errors
/// Returns an error if the theme cannot be read, changed or written.
pub fn save_looks(folder: &Path, changes: &[LookChange]) -> Result<(), FileError> {
    let file = folder.join(THEME_FILE);
    let before = if fs::exists(&file) { read(folder, &file)? } else { String::new() };
    let mut text = before.clone();
    for change in changes {
        text = changed(&text, change).map_err(FileError::not_edited(&file))?;
    }
    if text == before { Ok(()) } else { write_into(folder, &file, &text) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "tests/looks.rs"]
mod tests;
