//! Reads and changes the looks of the kinds of land of a mod, which the mod's `theme.toml` stores.

use std::collections::BTreeMap;
use std::path::Path;

use loader::{MAX_FILE_BYTES, read_text, shown_path};
use platform::fs;
use theme::{IconCheck, Theme, ThemeFile};
use toml_edit::{Document, DocumentMut, Item, Table};

use crate::EditError;
use crate::manifest_edit::{line_ending, parse, with_line_ending};
use crate::tile_files::write_into;
use crate::toml_value::ManifestValue;

/// The name of the file that contains a theme.
const THEME_FILE: &str = "theme.toml";

/// A change of one key in the look of a kind of land.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LookChange {
    /// The name of the kind.
    pub kind: String,
    /// The key, such as `colour`.
    pub key: &'static str,
    /// The new value; `None` to remove the key.
    pub value: Option<ManifestValue>,
}

/// The looks of the kinds of land that a mod declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LandLooks {
    /// The names of the kinds, in the order of the manifest.
    pub kinds: Vec<String>,
    /// The theme of the mod. Its text is empty if the mod has no theme.
    pub file: ThemeFile,
}

impl LandLooks {
    /// Returns the value of a key in the look of a kind; `None` if the theme does not set the key.
    pub fn value(&self, kind: &str, key: &str) -> Option<ManifestValue> {
        let document = parse(&self.file.text).ok()?;
        let item = document.get("kind")?.as_table_like()?.get(kind)?.as_table_like()?.get(key)?;
        ManifestValue::of_item(item)
    }

    /// Applies a change to the text of the theme. Preserves comments, order and line ends.
    ///
    /// # Errors
    /// Returns an error if the theme is not valid TOML, or if the look of the kind is not written
    /// as a table.
    pub fn apply(&mut self, change: &LookChange) -> Result<(), EditError> {
        self.file.text = changed(&self.file.text, change)?;
        Ok(())
    }

    /// Returns a copy of `theme` in which the kinds of this mod have the looks of this mod's theme.
    pub fn applied_to(&self, theme: &Theme, check_icon: IconCheck) -> Theme {
        let (own, _) = Theme::read(std::slice::from_ref(&self.file), check_icon);
        theme.with_kinds_of(&own, &self.kinds)
    }
}

fn changed(text: &str, change: &LookChange) -> Result<String, EditError> {
    let mut document: DocumentMut = parse(&text.replace("\r\n", "\n")).map(Document::into_mut)?;
    let by_hand = || EditError::LookByHand(change.kind.clone());
    let mut all = Table::new();
    all.set_implicit(true);
    let kinds = document.entry("kind").or_insert(Item::Table(all)).as_table_like_mut().ok_or_else(by_hand)?;
    match &change.value {
        Some(value) => {
            let kind = kinds.entry(&change.kind).or_insert(Item::Table(Table::new()));
            let kind = kind.as_table_like_mut().ok_or_else(by_hand)?;
            match kind.get_mut(change.key) {
                Some(Item::Value(old)) => value.put_into(old),
                _ => {
                    kind.insert(change.key, Item::Value(value.to_value()));
                }
            }
        }
        None => {
            let Some(item) = kinds.get_mut(&change.kind) else { return Ok(text.to_owned()) };
            item.as_table_like_mut().ok_or_else(by_hand)?.remove(change.key);
            let has_comment = |table: &Table| {
                table.decor().prefix().and_then(|prefix| prefix.as_str()).is_some_and(|prefix| prefix.contains('#'))
            };
            // Removes a table that has no keys left, but keeps a table with a comment.
            if item.as_table().is_some_and(|table| table.is_empty() && !has_comment(table)) {
                kinds.remove(&change.kind);
            }
        }
    }
    Ok(with_line_ending(&document.to_string(), line_ending(text)))
}

fn read(folder: &Path, name: &str) -> Result<String, String> {
    let file = folder.join(name);
    read_text(&file, Some(folder), MAX_FILE_BYTES).map_err(|e| format!("{} cannot be read: {e}", shown_path(&file)))
}

/// Reads the looks of the kinds of land that a mod declares. `folder` is the folder of the mod, and
/// `id` is its id.
///
/// # Errors
/// Returns a message if the manifest or the theme cannot be read.
pub fn read_land_looks(folder: &Path, id: &str) -> Result<LandLooks, String> {
    let manifest = folder.join("mod.toml");
    let declared: DocumentMut =
        read(folder, "mod.toml")?.parse().map_err(|e| format!("{}: {e}", shown_path(&manifest)))?;
    let kinds = declared.get("kind").and_then(Item::as_table_like);
    let kinds = kinds.into_iter().flat_map(|kinds| kinds.iter()).map(|(name, _)| name.to_owned()).collect();
    let file = folder.join(THEME_FILE);
    let text = if fs::exists(&file) { read(folder, THEME_FILE)? } else { String::new() };
    let entries = fs::read_dir(folder.join("icons")).into_iter().flatten().flatten();
    let names = entries.map(|entry| format!("icons/{}", entry.file_name().to_string_lossy()));
    let svgs = names.filter(|name| name.ends_with(".svg"));
    let icons: BTreeMap<String, String> =
        svgs.filter_map(|name| Some((name.clone(), read(folder, &name).ok()?))).collect();
    Ok(LandLooks { kinds, file: ThemeFile { owner: id.to_owned(), label: shown_path(&file), text, icons } })
}

/// Applies changes to the theme of the mod in `folder`. Creates the theme if the mod has none.
///
/// # Errors
/// Returns a message if the theme cannot be read, changed or written.
pub fn save_land_looks(folder: &Path, changes: &[LookChange]) -> Result<(), String> {
    let file = folder.join(THEME_FILE);
    let before = if fs::exists(&file) { read(folder, THEME_FILE)? } else { String::new() };
    let mut text = before.clone();
    for change in changes {
        text = changed(&text, change).map_err(|e| format!("{}: {e}", shown_path(&file)))?;
    }
    if text == before { Ok(()) } else { write_into(folder, &file, &text) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "tests/land_looks.rs"]
mod tests;
