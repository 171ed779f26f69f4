//! Edge patterns: what the four edges of a tile are, in letters, whatever way it is turned.

use board::{Facing, TileIdx, TileSet};

/// For each kind of land the letters that stand for it: the first of its name, or as many as tell it from the kinds before it.
pub fn kind_letters(tile_set: &TileSet) -> Vec<String> {
    let mut letters: Vec<String> = Vec::new();
    for kind in &tile_set.kinds {
        let name: Vec<char> = kind.name.chars().collect();
        let short = |n: usize| -> String {
            let first = name.iter().take(1).flat_map(|c| c.to_uppercase());
            first.chain(name.iter().skip(1).take(n.saturating_sub(1)).copied()).collect()
        };
        let free = (1..=name.len().max(1)).map(short).find(|s| !letters.contains(s));
        letters.push(free.unwrap_or_else(|| short(name.len())));
    }
    letters
}

/// The letters of an edge: the kind at its middle, else that of its halves.
fn edge_letters(tile_set: &TileSet, letters: &[String], code: u8) -> String {
    let [first, middle, last] = tile_set.edge_kinds(code);
    let letter = |kind: board::KindIdx| letters.get(kind.0 as usize).cloned().unwrap_or_default();
    match (first, middle, last) {
        (_, Some(middle), _) => letter(middle),
        (Some(first), None, Some(last)) if first != last => format!("{}/{}", letter(first), letter(last)),
        (first, None, last) => first.or(last).map_or_else(|| "-".to_owned(), letter),
    }
}

/// The four edges from the north clockwise, turned so that equal patterns have equal texts.
pub fn pattern(tile_set: &TileSet, letters: &[String], tile: TileIdx) -> String {
    let edges = tile_set.tile(tile).turned(Facing::default()).edges.map(|code| edge_letters(tile_set, letters, code));
    turned_first(&edges).concat()
}

/// The rotation of `edges` that is first in the order of letters.
fn turned_first(edges: &[String; 4]) -> Vec<String> {
    let turned = |by: usize| -> Vec<String> { (0..4).map(|i| edges[(i + by) % 4].clone()).collect() };
    (0..4).map(turned).min().unwrap_or_default()
}

/// How many edges of each kind there are on `tiles`, given with how many there are of each. Kinds without edges are left out.
pub fn edge_counts(tile_set: &TileSet, tiles: &[(TileIdx, usize)]) -> Vec<(String, usize)> {
    let mut counts = vec![0; tile_set.kinds.len()];
    for (tile, n) in tiles {
        for code in tile_set.tile(*tile).turned(Facing::default()).edges {
            let [first, middle, last] = tile_set.edge_kinds(code);
            if let Some(kind) = middle.or(first).or(last) {
                counts[kind.0 as usize] += n;
            }
        }
    }
    let named = tile_set.kinds.iter().map(|k| k.name.clone()).zip(counts);
    named.filter(|(_, n)| *n > 0).collect()
}

#[cfg(test)]
mod tests {
    use board::{Closes, EdgeStyle, Kind, KindIdx, KindSet, Layer, Port, Tile, Zone};

    use super::*;

    fn tile_set(names: &[&str], tiles: Vec<Tile>) -> TileSet {
        let kind = |name: &&str| Kind { name: (*name).to_owned(), edge: EdgeStyle::Full, closes: Closes::Ports };
        let layer = Layer { name: "land".to_owned(), kinds: KindSet::ALL, joins_touching: false };
        TileSet::new(names.iter().map(kind).collect(), Vec::new(), vec![layer], tiles).expect("a small land")
    }

    fn tile(kinds: [u8; 4]) -> Tile {
        let zone = |(edge, kind): (usize, &u8)| {
            Zone::new(KindIdx(*kind), [Port::from_index(edge * 3 + 1)].into_iter().collect())
        };
        Tile { name: "t/A".to_owned(), zones: kinds.iter().enumerate().map(zone).collect(), ..Tile::default() }
    }

    #[test]
    fn letters_tell_kinds_apart() {
        assert_eq!(kind_letters(&tile_set(&["field", "fort", "lake", "f"], Vec::new())), ["F", "Fo", "L", "F"]);
    }

    #[test]
    fn turned_tiles_have_one_pattern() {
        let tile_set = tile_set(&["road", "lake"], vec![tile([0, 1, 1, 0]), tile([1, 0, 0, 1]), tile([0, 1, 0, 1])]);
        let letters = kind_letters(&tile_set);
        let patterns: Vec<String> = (0..3).map(|i| pattern(&tile_set, &letters, TileIdx(i))).collect();
        assert_eq!(patterns, ["LLRR", "LLRR", "LRLR"]);
        let counts = edge_counts(&tile_set, &[(TileIdx(0), 2), (TileIdx(2), 1)]);
        assert_eq!(counts, [("road".to_owned(), 6), ("lake".to_owned(), 6)]);
    }
}
