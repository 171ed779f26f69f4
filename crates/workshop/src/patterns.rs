//! Edge patterns of a set of tiles: the number of tiles with each pattern, and the patterns that no
//! tile has.

use std::collections::BTreeMap;

use board::{Facing, TileIdx, TileSet};
use table::TilesView;

/// A pattern of four edges in clockwise order, with the tiles that have these edges. The rotation
/// of a pattern does not matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgePattern {
    /// The letters of the kinds at the four edges, such as `CFRR`. Of the four rotations, the one
    /// that comes first alphabetically.
    pub name: String,
    /// The codes of the four edges, as the tile set numbers them: the first of the four rotations
    /// in numerical order.
    pub edges: [u8; 4],
    /// The tiles with these edges, each with its number of copies.
    pub tiles: Vec<(TileIdx, usize)>,
    /// The total number of copies of these tiles.
    pub n_copies: usize,
    /// The number of copies of tiles that fit into a hole on the board with these edges. Includes
    /// copies of tiles whose edges fit any edge.
    pub n_fitting: usize,
}

/// Returns all patterns that the edges of these tiles can form, sorted by name, including patterns
/// that no tile has. If there are more than 8 different edges, omits patterns that no tile has.
/// `tiles` contains tiles, each with its number of copies.
pub fn patterns(tile_set: &TileSet, tiles: &[(TileIdx, usize)]) -> Vec<EdgePattern> {
    let mut by_edges: BTreeMap<[u8; 4], Vec<(TileIdx, usize)>> = BTreeMap::new();
    let mut codes: Vec<u8> = Vec::new();
    for (tile, n) in tiles {
        let edges = tile_set.tile(*tile).turned(Facing::default()).edges;
        if edges.contains(&board::ANY_EDGE) {
            continue;
        }
        codes.extend(edges);
        by_edges.entry(smallest_rotation(edges)).or_default().push((*tile, *n));
    }
    codes.sort_unstable();
    codes.dedup();
    // With more than 8 different edges, there would be too many patterns.
    let all: Vec<[u8; 4]> = if codes.len() <= 8 { necklaces(&codes) } else { by_edges.keys().copied().collect() };
    let joker = |edges: [u8; 4], tile: TileIdx| {
        let fits = |facing: Facing| {
            let own = tile_set.tile(tile).turned(facing).edges;
            own.iter().zip(edges).all(|(own, edge)| *own == board::ANY_EDGE || *own == edge)
        };
        tile_set.tile(tile).any_edges && Facing::ALL.into_iter().any(fits)
    };
    let mut found: Vec<EdgePattern> = Vec::new();
    for edges in all {
        let of_it = by_edges.remove(&edges).unwrap_or_default();
        let n_copies = of_it.iter().map(|(_, n)| n).sum();
        let jokers: usize = tiles.iter().filter(|(tile, _)| joker(edges, *tile)).map(|(_, n)| n).sum();
        found.push(EdgePattern {
            name: TilesView::of(tile_set).pattern_of_edges(edges),
            edges,
            tiles: of_it,
            n_copies,
            n_fitting: n_copies + jokers,
        });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// Returns the rotation of `edges` that comes first in numerical order.
fn smallest_rotation(edges: [u8; 4]) -> [u8; 4] {
    let [a, b, c, d] = edges;
    [[a, b, c, d], [b, c, d, a], [c, d, a, b], [d, a, b, c]].into_iter().min().unwrap_or(edges)
}

/// Returns all ways to arrange four of `codes` around a tile. Of several rotations of an
/// arrangement, returns only one.
fn necklaces(codes: &[u8]) -> Vec<[u8; 4]> {
    let mut all = Vec::new();
    for a in codes {
        for b in codes {
            for c in codes {
                all.extend(codes.iter().map(|d| [*a, *b, *c, *d]).filter(|edges| smallest_rotation(*edges) == *edges));
            }
        }
    }
    all
}

/// Returns the probability, from 0 to 1, that players can fill a hole on the board. `n_fitting` of
/// all `n_all` tiles fit into the hole, and `n_drawn` tiles were drawn before the hole appeared.
/// Players can fill the hole if at least one fitting tile was not drawn.
pub fn chance_to_fill(n_all: usize, n_drawn: usize, n_fitting: usize) -> f64 {
    if n_fitting == 0 {
        return 0.0;
    }
    // Factor `i` is the probability that fitting tile `i` was drawn, given that all fitting tiles
    // with lower numbers were drawn.
    let gone = (0..n_fitting).map(|i| match n_drawn.checked_sub(i) {
        Some(left) if n_all > i => left as f64 / (n_all - i) as f64,
        _ => 0.0,
    });
    1.0 - gone.product::<f64>()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "tests/patterns.rs"]
mod tests;
