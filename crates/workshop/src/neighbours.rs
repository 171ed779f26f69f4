//! Surrounds a tile with eight random neighbours that fit, for a preview.

use board::{ANY_EDGE, Edge, Facing, TileIdx, TileSet};

/// A tile and its eight neighbours, row by row, with the tile in the middle. `None` for a spot on
/// which no tile fits.
pub type TileNeighbourhood = [Option<(TileIdx, Facing)>; 9];

/// Surrounds the tile `centre` with random tiles that fit. The result depends only on the
/// arguments, including `seed`.
pub fn neighbours(tile_set: &TileSet, centre: TileIdx, seed: u64) -> TileNeighbourhood {
    let mut around: TileNeighbourhood = [None; 9];
    around[4] = Some((centre, Facing::default()));
    let others = tiles_laid_alone(tile_set);
    let mut rng = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move |n: usize| -> usize {
        // An Xorshift generator. The quality of the random numbers does not matter here.
        rng ^= rng << 13;
        rng ^= rng >> 7;
        rng ^= rng << 17;
        (rng >> 16) as usize % n.max(1)
    };
    for spot in [1, 5, 7, 3, 0, 2, 8, 6] {
        let fitting: Vec<(TileIdx, Facing)> = others
            .iter()
            .flat_map(|tile| Facing::ALL.map(|facing| (*tile, facing)))
            .filter(|placed| fits(tile_set, &around, spot, *placed))
            .collect();
        let chosen = fitting.get(random(fitting.len())).copied();
        if let Some(place) = around.get_mut(spot) {
            *place = chosen;
        }
    }
    around
}

/// Returns the tiles that players lay on empty spots: no overlays and no tiles without zones.
pub(crate) fn tiles_laid_alone(tile_set: &TileSet) -> Vec<TileIdx> {
    let is_laid_alone = |tile: &TileIdx| {
        let it = tile_set.tile(*tile);
        it.over.is_none() && !it.is_overlay && !it.zones.is_empty()
    };
    (0..tile_set.tiles.len() as u16).map(TileIdx).filter(is_laid_alone).collect()
}

/// Returns whether a tile fits at index `spot` of `square`, beside the tiles that `square` already
/// contains. `square` has as many rows as a row has spots.
pub(crate) fn fits(
    tile_set: &TileSet,
    square: &[Option<(TileIdx, Facing)>],
    spot: usize,
    (tile, facing): (TileIdx, Facing),
) -> bool {
    let edges = tile_set.tile(tile).turned(facing).edges;
    let width = square.len().isqrt() as i16;
    Edge::ALL.into_iter().zip(edges).all(|(edge, own)| {
        let (dx, dy) = edge.step();
        let (x, y) = (spot as i16 % width + dx, spot as i16 / width + dy);
        if !(0..width).contains(&x) || !(0..width).contains(&y) {
            return true;
        }
        let Some(Some((other, turned))) = square.get((y * width + x) as usize) else { return true };
        let met = tile_set.tile(*other).turned(*turned).edges.get(edge.opposite() as usize).copied();
        own == ANY_EDGE || met.is_none_or(|met| met == ANY_EDGE || tile_set.mirror(own) == met)
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "tests/neighbours.rs"]
mod tests;
