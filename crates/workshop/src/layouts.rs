//! Makes all possible tiles for a sketch of four edges, such as `CFRR`: every layout without
//! crossings.

use board::{Edge, EdgeStyle, KindIdx, PortSet, TileSet};
use table::kind_letters;

use crate::duplicates::{CanonicalTile, canonical_draft_form};
use crate::tile_draft::{TileDraft, ZoneDraft, first_ground};

/// A sketch: the kind of land at each edge, clockwise from the north.
pub type Sketch = [KindIdx; 4];

/// A way to connect the edges of a sketch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SketchLayout {
    /// The draft of the tile, without an id.
    pub draft: TileDraft,
    /// The connections in words, such as `one city n-w · two roads e, s`.
    pub words: String,
}

/// A reason why a text is not a sketch.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SketchError {
    /// No kind of land has this letter. `known` lists each letter with its kind.
    #[error("no land has the letter `{letter}`; the letters are {}", known.join(", "))]
    #[expect(missing_docs, reason = "the sentence above names both")]
    UnknownLetter { letter: String, known: Vec<String> },
    /// The text has this number of letters, which is less than four.
    #[error("four edges are needed, clockwise from the north: {0} so far")]
    TooFewEdges(usize),
    /// The text has more than four letters.
    #[error("a tile has four edges")]
    TooManyEdges,
}

/// Parses a sketch: the letters of four kinds, such as `CFRR`. If the text has no upper-case
/// letter, converts it to upper case. Ignores spaces and `-`.
///
/// # Errors
/// Returns an error if the text is not a sketch.
pub fn read_sketch(tile_set: &TileSet, text: &str) -> Result<Sketch, SketchError> {
    let letters = kind_letters(tile_set);
    let reaches = |i: &usize| tile_set.kinds.get(*i).is_some_and(|kind| kind.edge != EdgeStyle::Inside);
    let text: String = text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    let is_small = !text.chars().any(char::is_uppercase);
    let mut rest = if is_small { text.to_uppercase() } else { text };
    let mut kinds = Vec::new();
    while !rest.is_empty() {
        let fits = |i: &usize| letters.get(*i).is_some_and(|it| rest.starts_with(it.as_str()));
        let longest = |i: &usize| letters.get(*i).map_or(0, String::len);
        let Some(kind) = (0..letters.len()).filter(reaches).filter(fits).max_by_key(longest) else {
            let known: Vec<String> = (0..letters.len())
                .filter(reaches)
                .filter_map(|i| Some(format!("{} {}", letters.get(i)?, tile_set.kinds.get(i)?.name)))
                .collect();
            return Err(SketchError::UnknownLetter { letter: rest.chars().take(1).collect(), known });
        };
        rest = rest.split_off(longest(&kind));
        kinds.push(KindIdx(kind as u8));
    }
    let n = kinds.len();
    kinds.try_into().map_err(|_| if n > 4 { SketchError::TooManyEdges } else { SketchError::TooFewEdges(n) })
}

/// Returns the letters of a sketch.
pub fn sketch_text(tile_set: &TileSet, sketch: Sketch) -> String {
    let letters = kind_letters(tile_set);
    sketch.iter().filter_map(|kind| letters.get(usize::from(kind.0))).map(String::as_str).collect()
}

/// Returns every layout of a sketch once; rotations of a layout count as the same. Layouts with few
/// zones come first, and layouts with junctions last. If `inside` is given, adds a zone of this
/// kind inside each tile.
pub fn layouts(tile_set: &TileSet, sketch: Sketch, inside: Option<KindIdx>) -> Vec<SketchLayout> {
    let style = |edge: usize| sketch.get(edge).map(|kind| tile_set.kind(*kind).edge);
    let drawn: Vec<usize> =
        (0..4).filter(|edge| matches!(style(*edge), Some(EdgeStyle::Full | EdgeStyle::Line))).collect();
    let mut found: Vec<(usize, SketchLayout, CanonicalTile)> = Vec::new();
    for blocks in partitions(&drawn) {
        let is_one_kind = |block: &Vec<usize>| {
            let kinds: Vec<_> = block.iter().filter_map(|edge| sketch.get(*edge)).collect();
            kinds.windows(2).all(|pair| pair.first() == pair.last())
        };
        let is_line = |block: &Vec<usize>| block.first().and_then(|edge| style(*edge)) == Some(EdgeStyle::Line);
        // Roads and other lines with one edge meet in the middle of the tile. Together they divide
        // the tile like a single zone.
        let arms: Vec<usize> = blocks.iter().filter(|b| b.len() == 1 && is_line(b)).flatten().copied().collect();
        let walls: Vec<&Vec<usize>> = blocks.iter().filter(|block| block.len() > 1).chain([&arms]).collect();
        let crosses = |a: &Vec<usize>, b: &Vec<usize>| a.iter().any(|x| a.iter().any(|y| separates(*x, *y, b)));
        let any_cross = walls.iter().enumerate().any(|(i, a)| walls.iter().skip(i + 1).any(|b| crosses(a, b)));
        if !blocks.iter().all(is_one_kind) || any_cross {
            continue;
        }
        let layout = layout(tile_set, sketch, &blocks, inside);
        let shape = canonical_draft_form(tile_set, &layout.draft);
        if found.iter().any(|(_, _, other)| *other == shape) {
            continue;
        }
        let ends: usize = blocks.iter().filter(|block| is_line(block)).map(|b| b.len().saturating_sub(2)).sum();
        found.push((ends * 10 + blocks.len(), layout, shape));
    }
    found.sort_by_key(|(rank, ..)| *rank);
    found.into_iter().map(|(_, layout, _)| layout).collect()
}

/// Returns whether a path from edge `a` to edge `b` would divide `edges` into two groups. Edges are
/// numbered from 0, clockwise.
fn separates(a: usize, b: usize, edges: &[usize]) -> bool {
    let is_between = |edge: &usize| (a.min(b) + 1..a.max(b)).contains(edge);
    let is_outside = |edge: &usize| !(a.min(b)..=a.max(b)).contains(edge);
    a != b && edges.iter().any(is_between) && edges.iter().any(is_outside)
}

/// Returns all ways to divide edges into groups. Each group has the edges in the order of `edges`.
fn partitions(edges: &[usize]) -> Vec<Vec<Vec<usize>>> {
    let mut all: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
    for edge in edges {
        let mut next = Vec::new();
        for groups in all {
            for i in 0..groups.len() {
                let mut with = groups.clone();
                if let Some(group) = with.get_mut(i) {
                    group.push(*edge);
                }
                next.push(with);
            }
            let mut alone = groups;
            alone.push(vec![*edge]);
            next.push(alone);
        }
        all = next;
    }
    all
}

fn layout(tile_set: &TileSet, sketch: Sketch, blocks: &[Vec<usize>], inside: Option<KindIdx>) -> SketchLayout {
    let mut draft = TileDraft::default();
    let mut words: Vec<String> = Vec::new();
    // Sorts the zones by the order in which their kinds are declared, as in most files of tiles.
    let mut blocks: Vec<(KindIdx, &Vec<usize>)> =
        blocks.iter().filter_map(|block| Some((*sketch.get(*block.first()?)?, block))).collect();
    blocks.sort();
    let name = |kind: KindIdx| tile_set.kind(kind).name.as_str();
    if let Some(inside) = inside {
        draft.zones.push(ZoneDraft::new(tile_set, name(inside), PortSet::EMPTY));
        words.push(spaced(name(inside)));
    }
    for of_kind in blocks.chunk_by(|(a, _), (b, _)| a == b) {
        let mut edges: Vec<String> = Vec::new();
        for (kind, block) in of_kind {
            let ports: PortSet = block.iter().map(|edge| Edge::from_index(*edge).ports()[1]).collect();
            draft.zones.push(ZoneDraft::new(tile_set, name(*kind), ports));
            let letters: Vec<&str> = block.iter().map(|edge| Edge::from_index(*edge).letter()).collect();
            edges.push(letters.join("-"));
        }
        let kind = of_kind.first().map_or_else(String::new, |(kind, _)| spaced(name(*kind)));
        words.push(format!("{} {}", counted(&kind, edges.len()), edges.join(", ")));
    }
    write_other_grounds(tile_set, sketch, &mut draft);
    if words.is_empty() {
        words.push(format!("{} all over", spaced(first_ground(tile_set).unwrap_or("land"))));
    }
    SketchLayout { draft, words: words.join(" · ") }
}

/// Returns a name with spaces instead of `_`.
fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// Returns a number from 1 to 4 and a noun in words, such as `two cities`.
fn counted(noun: &str, n: usize) -> String {
    let number = ["one", "two", "three", "four"].get(n.saturating_sub(1)).copied().unwrap_or("many");
    let is_vowel = |letter: char| "aeiou".contains(letter);
    match noun.strip_suffix('y') {
        _ if n == 1 => format!("{number} {noun}"),
        Some(stem) if !stem.ends_with(is_vowel) => format!("{number} {stem}ies"),
        _ if noun.ends_with(['s', 'x']) || noun.ends_with("ch") || noun.ends_with("sh") => format!("{number} {noun}es"),
        _ => format!("{number} {noun}s"),
    }
}

/// Writes the zones of ground into `draft` if an edge of the sketch has a kind of ground other than
/// the first declared kind. The loader would derive only the first kind.
fn write_other_grounds(tile_set: &TileSet, sketch: Sketch, draft: &mut TileDraft) {
    let Some(first) = first_ground(tile_set).and_then(|name| tile_set.kind_named(name)) else { return };
    let is_ground = |kind: &KindIdx| tile_set.kind(*kind).edge == EdgeStyle::Ground;
    if !sketch.iter().any(|kind| is_ground(kind) && *kind != first) {
        return;
    }
    draft.write_grounds(tile_set);
    let is_written = |zone: &ZoneDraft| tile_set.kind_named(&zone.kind) == Some(first);
    let (grounds, mut zones): (Vec<ZoneDraft>, Vec<ZoneDraft>) = draft.zones.drain(..).partition(is_written);
    for ground in grounds {
        let ports = ground.ports(tile_set);
        let asked = |edge: Edge| sketch.get(edge as usize).copied().filter(is_ground);
        // A zone of ground may also reach edges for which the sketch names no ground. At such an
        // edge, the ground has the kind of the zone's first edge for which the sketch names a
        // ground.
        let usual = ports.iter().find_map(|port| asked(port.edge())).unwrap_or(first);
        let mut kinds: Vec<KindIdx> = Vec::new();
        for port in ports.iter() {
            let kind = asked(port.edge()).unwrap_or(usual);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        for kind in kinds {
            let own = ports.iter().filter(|port| asked(port.edge()).unwrap_or(usual) == kind).collect();
            zones.push(ZoneDraft::new(tile_set, &tile_set.kind(kind).name, own));
        }
    }
    draft.zones = zones;
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "tests/layouts.rs"]
mod tests;
