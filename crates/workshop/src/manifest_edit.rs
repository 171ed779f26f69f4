//! Reads, changes, inserts and removes tiles in the text of a file of tiles. Preserves every
//! unrelated byte.
//!
//! A change replaces only the lines of one tile, so comments, order and line ends of other lines
//! cannot change.

use std::ops::Range;

use toml_edit::{Document, DocumentMut, Item, Key, Table, TableLike, Value};

use crate::toml_value::{Entries, ManifestValue};

/// The maximum length of the line of a tile, in bytes. The program writes a longer tile as a table
/// with one line per key.
const MAX_LINE_BYTES: usize = 120;

/// A reason why the text of a file of tiles cannot be changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditError {
    /// The text is not valid TOML.
    #[error("the file is not valid TOML (line {line}: {message}); fix it in the rule editor or a text editor first")]
    NotToml {
        /// The number of the line, counted from 1.
        line: usize,
        /// The message of the parser.
        message: String,
    },
    /// The file has no such tile.
    #[error("there is no tile `{0}` in the file any more")]
    NoSuchTile(String),
    /// The tile exists already.
    #[error("a tile `{0}` already exists")]
    IsThere(String),
    /// The tile is written in a TOML form that the program cannot change.
    #[error(
        "tile `{0}` is written in a form that only you can change: write it as `{0} = {{ ... }}` or as `[tile.{0}]`"
    )]
    ByHand(String),
    /// A look is written in a TOML form that the program cannot change. Contains the section of the
    /// look, such as `kind`, and the name in it.
    #[error("the look of `{1}` is written in a form that only you can change: write it as `[{0}.{1}]`")]
    LookByHand(&'static str, String),
}

/// The keys that come first in a tile, in this order.
const FIRST_KEYS: [&str; 2] = ["count", "start"];

pub(crate) fn parse(text: &str) -> Result<Document<String>, EditError> {
    Document::parse(text.to_owned()).map_err(|e| {
        let before = text.get(..e.span().map_or(0, |span| span.start)).unwrap_or_default();
        EditError::NotToml { line: before.matches('\n').count() + 1, message: e.message().to_owned() }
    })
}

/// Returns the ids of the tiles of a file, in order.
///
/// # Errors
/// Returns an error if the file is not valid TOML.
pub fn tile_ids(text: &str) -> Result<Vec<String>, EditError> {
    let document = parse(text)?;
    let tiles = document.as_table().get("tile").and_then(Item::as_table_like);
    let mut ids: Vec<(usize, String)> = Vec::new();
    for (id, item) in tiles.into_iter().flat_map(|tiles| tiles.iter()) {
        let at = tiles.and_then(|tiles| tiles.key(id)).and_then(Key::span).or_else(|| item.span());
        ids.push((at.map_or(usize::MAX, |span| span.start), id.to_owned()));
    }
    ids.sort();
    Ok(ids.into_iter().map(|(_, id)| id).collect())
}

/// Returns the keys and values of a tile; `None` if the file has no such tile.
///
/// # Errors
/// Returns an error if the file is not valid TOML.
pub fn read_tile(text: &str, id: &str) -> Result<Option<Entries>, EditError> {
    let document = parse(text)?;
    let item = document.as_table().get("tile").and_then(|tiles| tiles.as_table_like()?.get(id));
    Ok(match item.and_then(ManifestValue::of_item) {
        Some(ManifestValue::Table(entries)) => Some(entries),
        _ => None,
    })
}

/// Returns the text of a tile as the file contains it.
///
/// # Errors
/// Returns the same errors as [`change_tile`].
pub fn tile_text(text: &str, id: &str) -> Result<String, EditError> {
    let place = tile_range(text, id)?;
    Ok(text.get(place.range).unwrap_or_default().to_owned())
}

/// The place of a tile in the text. Ranges are in bytes.
struct TileRange {
    /// The range from the tile's key to the end of its value. For a table, the range from the
    /// header to the end of the last line, without the line break.
    range: Range<usize>,
    key: Range<usize>,
    is_table: bool,
}

fn tile_range(text: &str, id: &str) -> Result<TileRange, EditError> {
    let document = parse(text)?;
    let tiles = document.as_table().get("tile").and_then(Item::as_table_like);
    let missing = || EditError::NoSuchTile(id.to_owned());
    let by_hand = || EditError::ByHand(id.to_owned());
    let tiles = tiles.ok_or_else(missing)?;
    let item = tiles.get(id).ok_or_else(missing)?;
    let key = tiles.key(id).and_then(Key::span).ok_or_else(by_hand)?;
    match item {
        Item::Value(value @ Value::InlineTable(table)) if !table.is_dotted() => {
            let span = value.span().ok_or_else(by_hand)?;
            Ok(TileRange { range: key.start..span.end, key, is_table: false })
        }
        Item::Table(table) if !table.is_dotted() && !table.is_implicit() => {
            let start = line_start(text, key.start);
            let end = line_end(text, end_of(table).max(key.end));
            Ok(TileRange { range: start..end, key, is_table: true })
        }
        _ => Err(by_hand()),
    }
}

/// Returns the byte offset of the end of the last value in a table.
fn end_of(table: &Table) -> usize {
    let ends = table.iter().map(|(_, item)| match item {
        Item::Table(inner) => end_of(inner).max(inner.span().map_or(0, |span| span.end)),
        Item::ArrayOfTables(list) => {
            list.iter().map(|inner| end_of(inner).max(inner.span().map_or(0, |span| span.end))).max().unwrap_or(0)
        }
        item => item.span().map_or(0, |span| span.end),
    });
    ends.max().unwrap_or(0)
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |i| i + 1)
}

/// Returns the byte offset of the end of the line that contains offset `at`, before its line break.
fn line_end(text: &str, at: usize) -> usize {
    let end = text.get(at..).and_then(|after| after.find('\n')).map_or(text.len(), |i| at + i);
    if text.get(..end).is_some_and(|before| before.ends_with('\r')) { end - 1 } else { end }
}

/// Returns the byte offset of the start of the line after the line that ends at `end`.
fn next_line(text: &str, end: usize) -> usize {
    text.get(end..).and_then(|after| after.find('\n')).map_or(text.len(), |i| end + i + 1)
}

/// Returns the line break that a text uses: `\r\n` or `\n`.
pub(crate) fn line_ending(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

pub(crate) fn with_line_ending(lines: &str, ending: &str) -> String {
    if ending == "\n" { lines.to_owned() } else { lines.replace('\n', ending) }
}

/// Returns the text with `range` replaced by `new`.
fn spliced(text: &str, range: Range<usize>, new: &str) -> String {
    let (before, after) = (text.get(..range.start).unwrap_or_default(), text.get(range.end..).unwrap_or_default());
    [before, new, after].concat()
}

/// Sets keys of a tile to the values in `changes`; `None` removes the key. Unchanged entries stay
/// as they are written. Only the spacing of an inline table may change when a key is added or
/// removed.
///
/// # Errors
/// Returns an error if the file is not valid TOML, or if the tile does not exist. Also returns an
/// error if the tile is written in a form that the program cannot change.
pub fn change_tile(text: &str, id: &str, changes: &[(String, Option<ManifestValue>)]) -> Result<String, EditError> {
    if changes.is_empty() {
        return Ok(text.to_owned());
    }
    let place = tile_range(text, id)?;
    let own = text.get(place.range.clone()).unwrap_or_default();
    let mut document: DocumentMut = parse(&own.replace("\r\n", "\n"))?.into_mut();
    let by_hand = || EditError::ByHand(id.to_owned());
    let at = |keys: &[String], key: &Key| keys.iter().position(|it| it == key.get());
    let item = match place.is_table {
        true => document.get_mut("tile").and_then(|tiles| tiles.get_mut(id)),
        false => document.get_mut(id),
    };
    match item.ok_or_else(by_hand)? {
        Item::Value(Value::InlineTable(table)) => {
            if let Some(keys) = change_entries(table, changes, |_, plain| plain.to_value()) {
                table.sort_values_by(|a, _, b, _| at(&keys, a).cmp(&at(&keys, b)));
                table.fmt();
            }
        }
        Item::Table(table) => {
            if let Some(keys) = change_entries(table, changes, formatted_value) {
                table.sort_values_by(|a, _, b, _| at(&keys, a).cmp(&at(&keys, b)));
            }
        }
        _ => return Err(by_hand()),
    }
    let changed = document.to_string();
    // The new text may end with a line break. Removes it if the old text of the tile has none.
    let changed = if own.ends_with('\n') { &changed } else { changed.trim_end_matches('\n') };
    Ok(spliced(text, place.range, &with_line_ending(changed, line_ending(own))))
}

/// Returns the rank of a key: its index in [`FIRST_KEYS`] or, for any other key, the length of
/// [`FIRST_KEYS`].
pub(crate) fn rank(key: &str) -> usize {
    FIRST_KEYS.iter().position(|it| *it == key).unwrap_or(FIRST_KEYS.len())
}

/// Sets or removes keys of a table. `new_value` makes the value of a new key. Returns the keys in
/// the order that they should have; `None` if the keys stay the same.
fn change_entries(
    table: &mut dyn TableLike,
    changes: &[(String, Option<ManifestValue>)],
    new_value: fn(&str, &ManifestValue) -> Value,
) -> Option<Vec<String>> {
    let mut keys: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).collect();
    let before = keys.clone();
    for (key, plain) in changes {
        match (plain, table.get_mut(key)) {
            (Some(plain), Some(Item::Value(value))) => plain.put_into(value),
            (Some(plain), Some(item)) => *item = Item::Value(plain.to_value()),
            (Some(plain), None) => {
                table.insert(key, Item::Value(new_value(key, plain)));
                let at = keys.iter().position(|it| rank(it) > rank(key)).unwrap_or(keys.len());
                keys.insert(at, key.clone());
            }
            (None, _) => {
                table.remove(key);
                keys.retain(|it| it != key);
            }
        }
    }
    (keys != before).then_some(keys)
}

/// Formats a value for the text after `key = `. Puts each item of a long list on a separate line.
fn formatted_value(key: &str, plain: &ManifestValue) -> Value {
    let mut value = plain.to_value();
    let length = key.len() + 3 + value.to_string().len();
    if let Value::Array(list) = &mut value
        && length > MAX_LINE_BYTES
        && list.len() > 1
    {
        list.iter_mut().for_each(|item| item.decor_mut().set_prefix("\n    "));
        list.set_trailing("\n");
        list.set_trailing_comma(true);
    }
    value
}

/// Returns the text of a new tile: one line of the table `[tile]`. If this line would be too long,
/// returns a separate table, and true as the second value.
pub fn new_tile_text(id: &str, entries: &[(String, ManifestValue)]) -> (String, bool) {
    let line = format!("{id} = {}", ManifestValue::Table(entries.to_vec()).to_value());
    // Without entries, the line is `id = {}`, which is a tile that has only ground.
    if line.len() <= MAX_LINE_BYTES { (line, false) } else { (new_table_text(id, entries), true) }
}

pub(crate) fn new_table_text(id: &str, entries: &[(String, ManifestValue)]) -> String {
    let line =
        |(key, plain): &(String, ManifestValue)| format!("{key} = {}", formatted_value(key, plain).to_string().trim());
    let lines: Vec<String> = entries.iter().map(line).collect();
    [&[format!("[tile.{id}]")], &lines[..]].concat().join("\n")
}

/// Inserts a tile. A short tile becomes a line of the table `[tile]`, below the line of the tile
/// `after`. If there is no such line, it becomes the last line of this table. A long tile becomes a
/// separate table at the end of the file. If the file has no table `[tile]`, the tile also goes to
/// the end.
///
/// # Errors
/// Returns an error if the file is not valid TOML or the id exists.
pub fn insert_tile(
    text: &str,
    id: &str,
    entries: &[(String, ManifestValue)],
    after: Option<&str>,
) -> Result<String, EditError> {
    if read_tile(text, id)?.is_some() {
        return Err(EditError::IsThere(id.to_owned()));
    }
    let ending = line_ending(text);
    let (line, is_long) = new_tile_text(id, entries);
    let document = parse(text)?;
    let tiles = document.as_table().get("tile").and_then(Item::as_table);
    let section = tiles.filter(|table| !table.is_implicit() && !table.is_dotted());
    if let Some(section) = section.filter(|_| !is_long) {
        let is_line = |item: &Item| matches!(item, Item::Value(Value::InlineTable(_)));
        let end = |item: &Item| item.span().map_or(0, |span| span.end);
        let chosen = after.and_then(|id| section.get(id)).filter(|item| is_line(item)).map(end);
        let last = || section.iter().filter(|(_, item)| is_line(item)).map(|(_, item)| end(item)).max();
        let header = || section.span().map_or(0, |span| span.end);
        let end = line_end(text, chosen.or_else(last).unwrap_or_else(header));
        return Ok(spliced(text, end..end, &with_line_ending(&format!("\n{line}"), ending)));
    }
    let has_tables = tiles.is_some_and(|table| !table.is_empty());
    let mut new = text.to_owned();
    if !new.is_empty() && !new.ends_with('\n') {
        new.push_str(ending);
    }
    if !new.is_empty() {
        new.push_str(ending);
    }
    let lines = if is_long || has_tables || section.is_some() {
        format!("{}\n", new_table_text(id, entries))
    } else {
        format!("[tile]\n{line}\n")
    };
    new.push_str(&with_line_ending(&lines, ending));
    Ok(new)
}

/// Removes a tile. If the tile is a separate table, also removes the comment directly above it.
///
/// # Errors
/// Returns the same errors as [`change_tile`].
pub fn remove_tile(text: &str, id: &str) -> Result<String, EditError> {
    let place = tile_range(text, id)?;
    let mut start = line_start(text, place.range.start);
    let end = next_line(text, line_end(text, place.range.end));
    if !place.is_table && text.get(start..place.key.start).is_some_and(|before| !before.trim().is_empty()) {
        return Err(EditError::ByHand(id.to_owned()));
    }
    if place.is_table {
        let line_before = |start: usize| {
            let begin = line_start(text, start.checked_sub(1)?);
            text.get(begin..start).map(|line| (begin, line.trim()))
        };
        while let Some((begin, line)) = line_before(start).filter(|(_, line)| line.starts_with('#')) {
            debug_assert!(!line.is_empty());
            start = begin;
        }
        // Also removes an empty line above the table.
        if let Some((begin, "")) = line_before(start) {
            start = begin;
        }
    }
    Ok(spliced(text, start..end, ""))
}

/// Renames a tile.
///
/// # Errors
/// Returns the same errors as [`change_tile`], and an error if the new id exists.
pub fn rename_tile(text: &str, id: &str, new: &str) -> Result<String, EditError> {
    if read_tile(text, new)?.is_some() {
        return Err(EditError::IsThere(new.to_owned()));
    }
    let place = tile_range(text, id)?;
    Ok(spliced(text, place.key, new))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "tests/manifest_edit.rs"]
mod tests;
