//! The tiles of every available mod, in play or not.

use std::path::PathBuf;
use std::sync::Arc;

use board::{TileIdx, TileSet};
use loader::{Library, Loaded};
use rules::{Catalogue, ItemType};
use theme::Theme;

use crate::tile_files::is_writable;

/// The tiles of a mod, with the catalogue and theme needed to draw them.
#[derive(Clone, Debug)]
pub struct ModTiles {
    /// The id of the mod.
    pub id: String,
    /// The title of the mod.
    pub title: String,
    /// The folder of the mod.
    pub folder: PathBuf,
    /// True if the files of the mod can be written.
    pub is_writable: bool,
    /// True if the mod is in play.
    pub is_played: bool,
    /// The catalogue of the mod and its requirements or, for a mod in play, of all mods in play.
    /// `None` if these mods cannot be loaded.
    pub catalogue: Option<Arc<Catalogue>>,
    /// The theme of the mods in `catalogue`; the default theme if these mods cannot be loaded.
    pub theme: Arc<Theme>,
    /// The tiles that this mod declares, as indices in `catalogue`, without combinations of a tile
    /// and an overlay.
    pub tiles: Vec<TileIdx>,
    /// All problems of the mod, each on its own line, if the mod cannot be loaded; otherwise
    /// `None`.
    pub error: Option<String>,
}

impl ModTiles {
    /// Returns the tile set of `catalogue`, which declares the kinds and tags of the mod's tiles;
    /// `None` without a catalogue.
    pub fn tile_set(&self) -> Option<&TileSet> {
        self.catalogue.as_ref().map(|catalogue| &catalogue.tile_set)
    }

    /// Returns the number of copies of a tile in all decks and on the board at the start of a game.
    pub fn n_copies(&self, tile: TileIdx) -> usize {
        self.catalogue.as_ref().map_or(0, |catalogue| n_copies(catalogue, tile))
    }

    /// Returns the tiles of `catalogue`, each with its number of copies. Omits tiles without
    /// copies.
    pub fn all_tiles(&self) -> Vec<(TileIdx, usize)> {
        let Some(catalogue) = &self.catalogue else { return Vec::new() };
        let tiles = (0..catalogue.tile_set.tiles.len() as u16).map(TileIdx);
        tiles.map(|tile| (tile, n_copies(catalogue, tile))).filter(|(_, n)| *n > 0).collect()
    }
}

/// Returns the number of copies of a tile in all decks and on the board at the start of a game.
pub(crate) fn n_copies(catalogue: &Catalogue, tile: TileIdx) -> usize {
    let decks = catalogue.decks.iter().filter(|deck| deck.holds == ItemType::Tiles);
    let at_start = usize::from(catalogue.start.is_some_and(|start| start.tile == tile));
    at_start
        + decks
            .flat_map(|deck| &deck.items)
            .filter(|(item, _)| *item == tile.0)
            .map(|(_, n)| usize::from(*n))
            .sum::<usize>()
}

/// Returns the tiles of all mods: first the mods in play, in load order, then the other mods, each
/// loaded with its requirements.
pub fn tiles_by_mod(library: &Library, played: &Loaded) -> Vec<ModTiles> {
    let catalogue = played.catalogue();
    let mut all: Vec<ModTiles> = Vec::new();
    for (info, folder) in catalogue.mods.iter().zip(played.folders()) {
        all.push(ModTiles {
            id: info.id.clone(),
            title: info.title.clone(),
            folder: folder.clone(),
            is_writable: is_writable(folder),
            is_played: true,
            catalogue: Some(catalogue.clone()),
            theme: played.theme().clone(),
            tiles: catalogue.own_tiles(&info.id),
            error: None,
        });
    }
    let is_new = |id: &str| !catalogue.mods.iter().any(|info| info.id == id);
    for found in library.available_mods().into_iter().filter(|found| is_new(&found.id)) {
        let (loaded, problems) = library.load(std::slice::from_ref(&found.id));
        let catalogue = loaded.as_ref().map(|loaded| loaded.catalogue().clone());
        let error = || problems.list().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        all.push(ModTiles {
            title: found.title.clone().unwrap_or_else(|| found.id.clone()),
            is_writable: is_writable(&found.folder),
            folder: found.folder,
            is_played: false,
            theme: loaded.as_ref().map(|loaded| loaded.theme().clone()).unwrap_or_default(),
            tiles: catalogue.as_ref().map(|catalogue| catalogue.own_tiles(&found.id)).unwrap_or_default(),
            error: catalogue.is_none().then(error),
            catalogue,
            id: found.id,
        });
    }
    all
}
