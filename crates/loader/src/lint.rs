//! What is probably not meant, seen over all tiles of a set of mods.

use board::{Edge, TileIdx};
use rules::{Catalogue, Holds, ModIdx};

use crate::problem::Problems;
use crate::tiles::TileDecl;

/// Warns of tiles with an edge that no edge of any tile meets: no tile can ever lie there.
pub(crate) fn unmet_edges(p: &mut Problems, all: &Catalogue, tiles: &[(ModIdx, &TileDecl)]) {
    let mut in_play = vec![false; all.tile_set.tiles.len()];
    for deck in all.decks.iter().filter(|d| d.holds == Holds::Tiles) {
        deck.items.iter().for_each(|(tile, _)| in_play[*tile as usize] = true);
    }
    if let Some(start) = all.start {
        in_play[start.tile.0 as usize] = true;
    }
    let codes = |tile: usize| all.tile_set.tile(TileIdx(tile as u16)).turned(board::Facing::default()).edges;
    let mut is_there = vec![false; all.tile_set.n_edge_codes()];
    for tile in (0..in_play.len()).filter(|t| in_play[*t]) {
        codes(tile).iter().for_each(|code| is_there[*code as usize] = true);
    }
    for tile in (0..in_play.len()).filter(|t| in_play[*t]) {
        let unmet = |edge: &Edge| !is_there[all.tile_set.mirror(codes(tile)[*edge as usize]) as usize];
        if let Some(edge) = Edge::ALL.into_iter().find(unmet) {
            let name = all.tile_set.edge_name(codes(tile)[edge as usize]);
            let id = &tiles[tile].1.id;
            let message = format!("no tile in any deck fits edge `{}` ({name}) of tile `{}`", edge.letter(), id.value);
            p.warning(id.range, message);
        }
    }
}
