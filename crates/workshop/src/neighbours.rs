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
    let is_laid_alone = |tile: &TileIdx| {
        let it = tile_set.tile(*tile);
        it.over.is_none() && !it.is_overlay && !it.zones.is_empty()
    };
    let others: Vec<TileIdx> = (0..tile_set.tiles.len() as u16).map(TileIdx).filter(is_laid_alone).collect();
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

/// Returns whether a tile fits at index `spot` of `around`, beside the tiles that `around` already
/// contains.
fn fits(tile_set: &TileSet, around: &TileNeighbourhood, spot: usize, (tile, facing): (TileIdx, Facing)) -> bool {
    let edges = tile_set.tile(tile).turned(facing).edges;
    Edge::ALL.into_iter().zip(edges).all(|(edge, own)| {
        let (x, y) = (spot as i16 % 3, spot as i16 / 3);
        let (dx, dy) = edge.step();
        let (x, y) = (x + dx, y + dy);
        if !(0..3).contains(&x) || !(0..3).contains(&y) {
            return true;
        }
        let Some(Some((other, turned))) = around.get((y * 3 + x) as usize) else { return true };
        let met = tile_set.tile(*other).turned(*turned).edges.get(edge.opposite() as usize).copied();
        own == ANY_EDGE || met.is_none_or(|met| met == ANY_EDGE || tile_set.mirror(own) == met)
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "tests/neighbours.rs"]
mod tests;
