//! The cover of a mod: four of its tiles that fit together, and one of its pieces.

use std::cmp::Reverse;
use std::sync::Arc;

use board::{Facing, TileIdx, TileSet};
use loader::Library;
use rules::Catalogue;
use theme::Theme;

use crate::available_tiles::n_copies;
use crate::neighbours::{fits, tiles_laid_alone};

/// The content of a mod's cover, with the catalogue and theme needed to draw it.
#[derive(Clone, Debug)]
pub struct ModCover {
    /// The catalogue of the mod and its requirements.
    pub catalogue: Arc<Catalogue>,
    /// The theme of these mods.
    pub theme: Arc<Theme>,
    /// Two rows of two tiles whose edges match. `None` for a place that no tile fits.
    pub tiles: [Option<(TileIdx, Facing)>; 4],
    /// The name of the last kind of piece that the mod declares, if any.
    pub piece: Option<String>,
    /// The number of tiles that the mod adds to the game.
    pub n_tiles: usize,
}

impl ModCover {
    /// Loads a mod with its requirements, and chooses the tiles and the piece of its cover. Returns
    /// `None` if these mods cannot be loaded.
    pub fn load(library: &Library, id: &str) -> Option<ModCover> {
        let (loaded, _) = library.load(&[id]);
        let loaded = loaded?;
        let catalogue = loaded.catalogue().clone();
        let own = catalogue.own_tiles(id);
        let is_own = |piece: &&rules::PieceKind| catalogue.mods.get(piece.owner.idx()).is_some_and(|it| it.id == id);
        Some(ModCover {
            tiles: matching_tiles(&catalogue.tile_set, &own),
            piece: catalogue.pieces.iter().rfind(is_own).map(|piece| piece.name.clone()),
            n_tiles: own.iter().map(|tile| n_copies(&catalogue, *tile)).sum(),
            theme: loaded.theme().clone(),
            catalogue,
        })
    }
}

/// Chooses two rows of two different tiles whose edges match: tiles of `own` if possible, otherwise
/// any tiles. Prefers tiles with many tags and kinds of land.
fn matching_tiles(tile_set: &TileSet, own: &[TileIdx]) -> [Option<(TileIdx, Facing)>; 4] {
    let mut candidates = tiles_laid_alone(tile_set);
    candidates.sort_by_key(|tile| (!own.contains(tile), Reverse(n_features(tile_set, *tile)), tile.0));
    let mut chosen = [None; 4];
    for place in 0..chosen.len() {
        let is_new = |tile: &&TileIdx| chosen.iter().flatten().all(|(other, _)| other != *tile);
        let turned = candidates.iter().filter(is_new).flat_map(|tile| Facing::ALL.map(|facing| (*tile, facing)));
        let fitting = turned.into_iter().find(|placed| fits(tile_set, &chosen, place, *placed));
        if let Some(it) = chosen.get_mut(place) {
            *it = fitting;
        }
    }
    chosen
}

/// Returns the number of tags and different kinds of land on a tile.
fn n_features(tile_set: &TileSet, tile: TileIdx) -> usize {
    let tile = tile_set.tile(tile);
    let mut kinds: Vec<_> = tile.zones.iter().map(|zone| zone.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.len() + tile.tags.len() + tile.zones.iter().map(|zone| zone.tags.len()).sum::<usize>()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "tests/cover.rs"]
mod tests;
