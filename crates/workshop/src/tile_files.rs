//! Opens and saves tiles in the files of a mod. Never overwrites changes by other programs unless
//! the caller requests it, and never writes outside the mod's folder.

use std::path::{Path, PathBuf};

use board::{EdgeStyle, TagCarrier, TileSet};
use loader::{MAX_FILE_BYTES, read_text, shown_path};
use platform::fs;
use table::write_whole;
use toml_edit::DocumentMut;

use crate::manifest_edit::{change_tile, insert_tile, read_tile, remove_tile, rename_tile, tile_text};
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
    let mut many: Vec<PathBuf> = fs::read_dir(folder.join("tiles"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|it| it == "toml"))
        .filter(|path| path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.')))
        .collect();
    many.sort();
    Some(single).filter(|path| fs::exists(path)).into_iter().chain(many).collect()
}

/// Returns whether the program can write files in `folder`, the folder of a mod.
pub fn is_writable(folder: &Path) -> bool {
    fs::check_writable(&folder.join("tiles.toml")).is_ok()
}

fn read(folder: &Path, file: &Path) -> Result<String, String> {
    read_text(file, Some(folder), MAX_FILE_BYTES).map_err(|e| format!("{} cannot be read: {e}", shown_path(file)))
}

fn with_file_name<T>(file: &Path, done: Result<T, crate::EditError>) -> Result<T, String> {
    done.map_err(|e| format!("{}: {e}", shown_path(file)))
}

/// Returns the file that contains a tile, with the text of the file. Returns `None` if no file
/// contains the tile.
///
/// # Errors
/// Returns a message if no file contains the tile and a file is unreadable or invalid.
fn file_with(folder: &Path, id: &str) -> Result<Option<(PathBuf, String)>, String> {
    let mut wrong = None;
    for file in tile_files(folder) {
        let found =
            read(folder, &file).and_then(|text| Ok((with_file_name(&file, read_tile(&text, id))?.is_some(), text)));
        match found {
            Ok((true, text)) => return Ok(Some((file, text))),
            Ok((false, _)) => {}
            Err(error) => wrong = wrong.or(Some(error)),
        }
    }
    wrong.map_or(Ok(None), Err)
}

fn parse_opened(file: PathBuf, text: &str, id: &str) -> Result<OpenedTile, String> {
    let entries = with_file_name(&file, read_tile(text, id))?.ok_or_else(|| format!("there is no tile `{id}`"))?;
    // If the program cannot change the form of the tile, the text stays empty. The tile can still
    // be shown.
    let text = tile_text(text, id).unwrap_or_default();
    Ok(OpenedTile { file, entries, text })
}

/// Opens a tile of the mod in `folder`.
///
/// # Errors
/// Returns a message if the tile does not exist or its file cannot be read.
pub fn open_tile(folder: &Path, id: &str) -> Result<OpenedTile, String> {
    let (file, text) =
        file_with(folder, id)?.ok_or_else(|| format!("there is no tile `{id}` in {} any more", shown_path(folder)))?;
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
/// Returns a message if another tile has the new id, or if the file cannot be read, changed or
/// written.
pub fn save_tile(tile_set: &TileSet, folder: &Path, tile: &TileToSave) -> Result<SaveResult, String> {
    let draft = &tile.draft;
    let id = draft.id.as_str();
    let new_id_is_free = || -> Result<(), String> {
        match file_with(folder, id)? {
            Some(_) => Err(format!("this mod already has a tile `{id}`: choose another id")),
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
        let mut changed = with_file_name(&file, change_tile(&text, old, &changes))?;
        if *old != id {
            new_id_is_free()?;
            changed = with_file_name(&file, rename_tile(&changed, old, id))?;
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
    let changed = with_file_name(&file, insert_tile(&text, id, &draft.entries(tile_set), tile.after.as_deref()))?;
    write(tile_set, folder, file, &text, &changed, draft)
}

fn write(
    tile_set: &TileSet,
    folder: &Path,
    file: PathBuf,
    before: &str,
    changed: &str,
    draft: &TileDraft,
) -> Result<SaveResult, String> {
    let saved = parse_opened(file.clone(), changed, &draft.id)?;
    // Does not write a change if the loader would read the new text as a tile that differs from the
    // draft.
    if TileDraft::read(tile_set, &draft.id, &saved.entries).entries(tile_set) != draft.entries(tile_set) {
        return Err(format!("{}: tile `{}` can only be changed by hand", shown_path(&file), draft.id));
    }
    if before != changed {
        write_into(folder, &file, changed)?;
    }
    Ok(SaveResult::Written(saved))
}

/// Writes a file of a mod. Follows symbolic links, but refuses a file outside the mod's folder.
pub(crate) fn write_into(folder: &Path, file: &Path, text: &str) -> Result<(), String> {
    let cannot = |e: std::io::Error| format!("{} cannot be written: {e}", shown_path(file));
    let true_folder = fs::canonicalize(folder).map_err(cannot)?;
    let path = match fs::canonicalize(file) {
        Ok(path) => path,
        Err(_) => true_folder.join(file.strip_prefix(folder).unwrap_or(Path::new("tiles.toml"))),
    };
    if !path.starts_with(&true_folder) {
        return Err(format!("{} is not written: it leads out of the folder of its mod", shown_path(file)));
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
    /// Returns a message if the file has changed since the deletion, or cannot be read or written.
    pub fn restore(&self) -> Result<(), String> {
        let name = shown_path(&self.file);
        let text = fs::read_to_string(&self.file).map_err(|error| format!("{name} cannot be read: {error}"))?;
        if text != self.after {
            return Err(format!("tile `{}` is not restored: {name} has changed since its deletion", self.id));
        }
        write_into(&self.folder, &self.file, &self.before)
    }
}

/// Removes a tile from the files of the mod in `folder`. `as_opened` contains the entries that the
/// tile had when the user opened it. Returns the tile, which can be restored.
///
/// # Errors
/// Returns a message if another program has changed or removed the tile, or if its file cannot be
/// changed or written.
pub fn delete_tile(folder: &Path, id: &str, as_opened: &Entries) -> Result<DeletedTile, String> {
    let (file, text) = file_with(folder, id)?.ok_or_else(|| format!("there is no tile `{id}` any more"))?;
    if parse_opened(file.clone(), &text, id)?.entries != *as_opened {
        return Err(format!("another program has changed tile `{id}`: open it again before you delete it"));
    }
    let after = with_file_name(&file, remove_tile(&text, id))?;
    write_into(folder, &file, &after)?;
    Ok(DeletedTile { id: id.to_owned(), folder: folder.to_owned(), file, before: text, after })
}

/// Adds the declaration of a tag at the end of the manifest of the mod in `folder`, unless the
/// manifest already declares the tag.
///
/// # Errors
/// Returns a message if the manifest cannot be read or written.
pub fn declare_tag(folder: &Path, name: &str, on: TagCarrier) -> Result<(), String> {
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
/// Returns a message if the manifest cannot be read or written.
pub fn declare_piece(folder: &Path, name: &str, like: Option<&str>) -> Result<(), String> {
    let is = like.map(|like| format!("is = \"{like}\"\n")).unwrap_or_default();
    declare(folder, "piece", name, &format!("{is}per_player = 1\n"))
}

/// Adds the declaration of a kind of land at the end of the manifest of the mod in `folder`, unless
/// the manifest already declares the kind. The kind scores like land with this edge style in the
/// base game. If `holder` is given, players may deploy this piece on the land.
///
/// # Errors
/// Returns a message if the manifest cannot be read or written.
pub fn declare_kind(folder: &Path, name: &str, edge: EdgeStyle, holder: Option<&str>) -> Result<(), String> {
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
fn declare(folder: &Path, section: &str, name: &str, lines: &str) -> Result<(), String> {
    let file = folder.join("mod.toml");
    let text =
        read_text(&file, Some(folder), MAX_FILE_BYTES).map_err(|error| format!("{}: {error}", shown_path(&file)))?;
    let manifest: DocumentMut = text.parse().map_err(|error| format!("{}: {error}", shown_path(&file)))?;
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
