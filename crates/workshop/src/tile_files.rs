//! Opens and saves tiles in the files of a mod. Never overwrites changes by other programs unless
//! the caller requests it, and never writes outside the mod's folder.

use std::path::{Path, PathBuf};

use board::{EdgeStyle, TagCarrier, TileSet};
use loader::{MAX_FILE_BYTES, read_text};
use platform::fs;
use table::write_whole;

use crate::file_error::FileError;
use crate::manifest_edit::{self, EditError, change_tile, insert_tile, read_tile, remove_tile, rename_tile, tile_text};
use crate::tile_draft::TileDraft;
use crate::toml_value::Entries;

/// A tile as its file contains it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenedTile {
    /// The path of the file.
    pub file: PathBuf,
    /// The entries of the tile.
    pub entries: Entries,
    /// The text of the tile in the file; empty if the tile is written in a form that the program
    /// cannot change.
    pub text: String,
}

/// The result of saving a tile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SaveResult {
    /// The file contains the saved tile.
    Written(OpenedTile),
    /// Another program has changed the tile since it was opened, so the tile was not saved.
    /// Contains the tile as it is now in the file; `None` if the other program has removed the
    /// tile.
    Conflict(Option<OpenedTile>),
}

/// Returns the files of tiles of a mod, in the order in which the loader reads them.
pub fn tile_files(folder: &Path) -> Vec<PathBuf> {
    let single = folder.join("tiles.toml");
    let many = fs::paths_in(folder.join("tiles"))
        .filter(|path| path.extension().is_some_and(|it| it == "toml"))
        .filter(|path| path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.')));
    Some(single).filter(|path| fs::exists(path)).into_iter().chain(many).collect()
}

/// Returns whether the program can write files in `folder`, the folder of a mod.
pub fn is_writable(folder: &Path) -> bool {
    fs::check_writable(&folder.join("tiles.toml")).is_ok()
}

/// Reads a file of the mod in `folder`.
pub(crate) fn read(folder: &Path, file: &Path) -> Result<String, FileError> {
    read_text(file, Some(folder), MAX_FILE_BYTES).map_err(FileError::not_read(file))
}

/// Returns the file that contains a tile, with the text of the file. Returns `None` if no file
/// contains the tile.
///
/// # Errors
/// Returns an error if no file contains the tile and a file is unreadable or invalid.
fn file_with(folder: &Path, id: &str) -> Result<Option<(PathBuf, String)>, FileError> {
    let mut wrong = None;
    for file in tile_files(folder) {
        let found = read(folder, &file).and_then(|text| {
            let tile = read_tile(&text, id).map_err(FileError::not_edited(&file))?;
            Ok(tile.map(|_| text))
        });
        match found {
            Ok(Some(text)) => return Ok(Some((file, text))),
            Ok(None) => {}
            Err(error) => wrong = wrong.or(Some(error)),
        }
    }
    wrong.map_or(Ok(None), Err)
}

fn parse_opened(file: PathBuf, text: &str, id: &str) -> Result<OpenedTile, FileError> {
    let entries = read_tile(text, id).and_then(|tile| tile.ok_or_else(|| EditError::NoSuchTile(id.to_owned())));
    let entries = entries.map_err(FileError::not_edited(&file))?;
    // If the program cannot change the form of the tile, the text stays empty. The tile can still
    // be shown.
    let text = tile_text(text, id).unwrap_or_default();
    Ok(OpenedTile { file, entries, text })
}

fn no_tile(folder: &Path, id: &str) -> FileError {
    FileError::NoTile { id: id.to_owned(), folder: folder.to_owned() }
}

/// Opens a tile of the mod in `folder`.
///
/// # Errors
/// Returns an error if the tile does not exist or its file cannot be read.
pub fn open_tile(folder: &Path, id: &str) -> Result<OpenedTile, FileError> {
    let (file, text) = file_with(folder, id)?.ok_or_else(|| no_tile(folder, id))?;
    parse_opened(file, &text, id)
}

/// A tile to save.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TileToSave {
    /// The id and the entries that the tile had when it was opened; `None` for a new tile.
    pub before: Option<(String, Entries)>,
    /// The new content.
    pub draft: TileDraft,
    /// The id of the tile below which to insert a new tile; `None` to insert it at the end.
    pub after: Option<String>,
    /// True to overwrite changes that other programs have made since the user opened the tile.
    pub overwrites: bool,
}

/// Saves a tile of the mod in `folder`. Changes only those keys of the tile that differ; the file
/// stays otherwise unchanged.
///
/// # Errors
/// Returns an error if another tile has the new id, or if the file cannot be read, changed or
/// written.
pub fn save_tile(tile_set: &TileSet, folder: &Path, tile: &TileToSave) -> Result<SaveResult, FileError> {
    let draft = &tile.draft;
    let id = draft.id.as_str();
    let new_id_is_free = || -> Result<(), FileError> {
        match file_with(folder, id)? {
            Some(_) => Err(FileError::TileExists(id.to_owned())),
            None => Ok(()),
        }
    };
    let there = match &tile.before {
        Some((old, _)) => file_with(folder, old)?.map(|(file, text)| (old, file, text)),
        None => None,
    };
    if let Some((old, file, text)) = there {
        let now = parse_opened(file.clone(), &text, old)?;
        let is_as_read = tile.before.as_ref().is_some_and(|(_, entries)| *entries == now.entries);
        if !is_as_read && !tile.overwrites {
            return Ok(SaveResult::Conflict(Some(now)));
        }
        let changes = draft.changes_since(tile_set, &TileDraft::read(tile_set, old, &now.entries));
        let mut changed = change_tile(&text, old, &changes).map_err(FileError::not_edited(&file))?;
        if *old != id {
            new_id_is_free()?;
            changed = rename_tile(&changed, old, id).map_err(FileError::not_edited(&file))?;
        }
        return write(tile_set, folder, file, &text, &changed, draft);
    }
    if tile.before.is_some() && !tile.overwrites {
        return Ok(SaveResult::Conflict(None));
    }
    new_id_is_free()?;
    let files = tile_files(folder);
    let with_after = tile.after.as_deref().and_then(|after| file_with(folder, after).ok().flatten());
    let file = with_after.map(|(file, _)| file).or_else(|| files.first().cloned());
    let file = file.unwrap_or_else(|| folder.join("tiles.toml"));
    let text = if fs::exists(&file) { read(folder, &file)? } else { String::new() };
    let changed = insert_tile(&text, id, &draft.entries(tile_set), tile.after.as_deref());
    let changed = changed.map_err(FileError::not_edited(&file))?;
    write(tile_set, folder, file, &text, &changed, draft)
}

fn write(
    tile_set: &TileSet,
    folder: &Path,
    file: PathBuf,
    before: &str,
    changed: &str,
    draft: &TileDraft,
) -> Result<SaveResult, FileError> {
    let saved = parse_opened(file.clone(), changed, &draft.id)?;
    // Does not write a change if the loader would read the new text as a tile that differs from the
    // draft.
    if TileDraft::read(tile_set, &draft.id, &saved.entries).entries(tile_set) != draft.entries(tile_set) {
        return Err(FileError::not_edited(&file)(EditError::ByHand(draft.id.clone())));
    }
    if before != changed {
        write_into(folder, &file, changed)?;
    }
    Ok(SaveResult::Written(saved))
}

/// The reason why a file is not written that lies outside the folder of its mod.
pub(crate) const LEADS_OUT: &str = "it leads out of the folder of its mod";

/// Writes a file of a mod. Follows symbolic links, but refuses a file outside the mod's folder.
pub(crate) fn write_into(folder: &Path, file: &Path, text: &str) -> Result<(), FileError> {
    let cannot = |error| FileError::failed(file, "written")(error);
    let true_folder = fs::canonicalize(folder).map_err(cannot)?;
    let path = match fs::canonicalize(file) {
        Ok(path) => path,
        Err(_) => true_folder.join(file.strip_prefix(folder).unwrap_or(Path::new("tiles.toml"))),
    };
    if !path.starts_with(&true_folder) {
        return Err(FileError::refused(file, "written", LEADS_OUT));
    }
    write_whole(&path, text).map_err(cannot)
}

/// A tile that was deleted from a file of a mod.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeletedTile {
    /// The id of the tile, without the id of its mod.
    pub id: String,
    folder: PathBuf,
    file: PathBuf,
    /// The text of the file before and after the deletion.
    before: String,
    after: String,
}

impl DeletedTile {
    /// Writes the tile into its file again.
    ///
    /// # Errors
    /// Returns an error if the file has changed since the deletion, or cannot be read or written.
    pub fn restore(&self) -> Result<(), FileError> {
        if read(&self.folder, &self.file)? != self.after {
            return Err(FileError::refused(&self.file, "restored", "it has changed since the tile was deleted"));
        }
        write_into(&self.folder, &self.file, &self.before)
    }
}

/// Removes a tile from the files of the mod in `folder`. `as_opened` contains the entries that the
/// tile had when the user opened it. Returns the tile, which can be restored.
///
/// # Errors
/// Returns an error if another program has changed or removed the tile, or if its file cannot be
/// changed or written.
pub fn delete_tile(folder: &Path, id: &str, as_opened: &Entries) -> Result<DeletedTile, FileError> {
    let (file, text) = file_with(folder, id)?.ok_or_else(|| no_tile(folder, id))?;
    if parse_opened(file.clone(), &text, id)?.entries != *as_opened {
        return Err(FileError::TileChanged(id.to_owned()));
    }
    let after = remove_tile(&text, id).map_err(FileError::not_edited(&file))?;
    write_into(folder, &file, &after)?;
    Ok(DeletedTile { id: id.to_owned(), folder: folder.to_owned(), file, before: text, after })
}

/// Adds the declaration of a tag at the end of the manifest of the mod in `folder`, unless the
/// manifest already declares the tag.
///
/// # Errors
/// Returns an error if the manifest cannot be read or written.
pub fn declare_tag(folder: &Path, name: &str, on: TagCarrier) -> Result<(), FileError> {
    match on {
        TagCarrier::Tile => declare(folder, "tag", name, "on = \"tile\"\n"),
        TagCarrier::Zone => declare(folder, "tag", name, "on = \"zone\"\nmerge = \"any\"\n"),
    }
}

/// Adds the declaration of a piece at the end of the manifest of the mod in `folder`, unless the
/// manifest already declares the piece. Each player has one. If `like` is given, the piece counts
/// as the piece `like` of another mod.
///
/// # Errors
/// Returns an error if the manifest cannot be read or written.
pub fn declare_piece(folder: &Path, name: &str, like: Option<&str>) -> Result<(), FileError> {
    let is = like.map(|like| format!("is = \"{like}\"\n")).unwrap_or_default();
    declare(folder, "piece", name, &format!("{is}per_player = 1\n"))
}

/// Adds the declaration of a kind of land at the end of the manifest of the mod in `folder`, unless
/// the manifest already declares the kind. The kind scores like land with this edge style in the
/// base game. If `holder` is given, players may deploy this piece on the land.
///
/// # Errors
/// Returns an error if the manifest cannot be read or written.
pub fn declare_kind(folder: &Path, name: &str, edge: EdgeStyle, holder: Option<&str>) -> Result<(), FileError> {
    let lines = match edge {
        EdgeStyle::Full => "edge = \"full\"\npoints = { complete = \"2 * tiles\", final = \"tiles\" }\n",
        EdgeStyle::Line => "edge = \"line\"\npoints = { complete = \"tiles\", final = \"tiles\" }\n",
        EdgeStyle::Ground => "edge = \"ground\"\npoints = { final = \"tiles\" }\n",
        EdgeStyle::Inside => {
            "edge = \"inside\"\ncloses = \"when surrounded\"\npoints = { complete = \"spots\", final = \"spots\" }\n"
        }
    };
    let holds = holder.map_or_else(String::new, |piece| format!("holds = [\"{piece}\"]\n"));
    declare(folder, "kind", name, &format!("{lines}{holds}"))
}

/// Adds a table at the end of a manifest, unless the manifest has this table. `lines` are the lines
/// below the header.
fn declare(folder: &Path, section: &str, name: &str, lines: &str) -> Result<(), FileError> {
    let file = folder.join("mod.toml");
    let text = read(folder, &file)?;
    let manifest = manifest_edit::parse(&text).map_err(FileError::not_edited(&file))?;
    if manifest.get(section).and_then(|names| names.get(name)).is_some() {
        return Ok(());
    }
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let lines = format!("{gap}\n[{section}.{name}]\n{lines}");
    let lines = if text.contains("\r\n") { lines.replace('\n', "\r\n") } else { lines };
    write_into(folder, &file, &format!("{text}{lines}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "tests/tile_files.rs"]
mod tests;
