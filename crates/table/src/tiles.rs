//! The tiles that mods declare, for display: names, tags, zones and edge patterns.
#![expect(clippy::indexing_slicing, reason = "indices come from the tile set")]

use board::{Direction, EdgeStyle, Facing, KindIdx, Tag, TileIdx, TileSet, Zone};

use crate::capitalize::capitalize;

/// A view of the tiles that the mods in play declare.
#[derive(Clone, Copy)]
pub struct TilesView<'t> {
    tile_set: &'t TileSet,
}

/// A tag of a tile or a zone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TagView {
    /// The name of the tag.
    pub tag: String,
    /// The word that is the value of the tag; `None` for a tag without words.
    pub word: Option<String>,
    /// The number that is the value of the tag; 1 for a tag without a number.
    pub number: i32,
}

impl TagView {
    /// Returns the tag in words, such as `shield`, `shield × 2` or `wine`.
    pub fn label(&self) -> String {
        let name = self.word.as_ref().unwrap_or(&self.tag).replace('_', " ");
        if self.number == 1 { name } else { format!("{name} × {}", self.number) }
    }
}

/// A zone of a tile that lies at a given facing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ZoneView {
    /// The name of the zone, such as `city@n`.
    pub name: String,
    /// The tags of the zone.
    pub tags: Vec<TagView>,
    /// The names of the other zones of the tile that this zone touches.
    pub touches: Vec<String>,
}

/// A tag as its declaration, its word and its number. The number of a tag of a whole tile with a
/// word is 1.
type TagValue<'t> = (&'t Tag, Option<&'t String>, i32);

impl<'t> TilesView<'t> {
    /// Makes a view of `tile_set`.
    pub fn of(tile_set: &'t TileSet) -> TilesView<'t> {
        TilesView { tile_set }
    }

    /// Returns the qualified name of a tile, such as `base/K`.
    pub fn name(self, tile: TileIdx) -> &'t str {
        &self.tile_set.tile(tile).name
    }

    /// Returns a readable name of a tile: the last part of its id if it contains a word, such as
    /// `Old mill` for `wine/old_mill`; otherwise its land, such as `City, road × 2`.
    pub fn title(self, tile: TileIdx) -> String {
        let id = self.name(tile).rsplit('/').next().unwrap_or_default();
        let is_word = |part: &str| part.len() > 2 && part.chars().all(|c| c.is_ascii_lowercase());
        if id.split(['_', '-']).any(is_word) {
            return capitalize(&id.replace(['_', '-'], " "));
        }
        let kinds = || self.tile_set.tile(tile).zones.iter().map(|zone| self.tile_set.kind(zone.kind));
        let is_all_ground = kinds().all(|kind| kind.edge == EdgeStyle::Ground);
        let mut land: Vec<(&str, usize)> = Vec::new();
        for kind in kinds().filter(|kind| is_all_ground || kind.edge != EdgeStyle::Ground) {
            match land.iter_mut().find(|(name, _)| *name == kind.name) {
                // Fields of a tile without other land are one piece of land.
                Some((_, n)) => *n += usize::from(!is_all_ground),
                None => land.push((&kind.name, 1)),
            }
        }
        let times = |(name, n): &(&str, usize)| if *n == 1 { (*name).to_owned() } else { format!("{name} × {n}") };
        capitalize(&land.iter().map(times).collect::<Vec<_>>().join(", ").replace('_', " "))
    }

    /// Iterates over the tiles that a mod declares.
    pub fn of_mod(self, mod_id: &str) -> impl Iterator<Item = TileIdx> + use<'t> {
        let mod_id = mod_id.to_owned();
        let is_own = move |name: &str| name.strip_prefix(&*mod_id).is_some_and(|rest| rest.starts_with('/'));
        let tiles = (0..).map(TileIdx).zip(&self.tile_set.tiles);
        tiles.filter(move |(_, tile)| is_own(&tile.name)).map(|(idx, _)| idx)
    }

    /// Returns the name of zone number `zone` of a tile that lies at `facing`.
    pub fn zone_name(self, tile: TileIdx, facing: Facing, zone: usize) -> String {
        self.tile_set.zone_name(tile, facing, zone)
    }

    /// Returns the zones of a tile that lies at `facing`.
    pub fn zones(self, tile: TileIdx, facing: Facing) -> Vec<ZoneView> {
        let zones = &self.tile_set.tile(tile).zones;
        let name = |zone: usize| self.zone_name(tile, facing, zone);
        let view = |z: usize| ZoneView {
            name: name(z),
            tags: tag_views(self.tags_of_zone(&zones[z])),
            touches: (0..zones.len()).filter(|other| zones[z].touches >> other & 1 == 1).map(name).collect(),
        };
        (0..zones.len()).map(view).collect()
    }

    /// Iterates over the tags of a tile as a whole.
    fn tags_of_tile(self, tile: TileIdx) -> impl Iterator<Item = TagValue<'t>> {
        self.tile_set.tile(tile).tags.iter().map(move |(tag, value)| {
            let declared = self.tile_set.tag(*tag);
            let word = usize::try_from(*value).ok().and_then(|word| declared.values.get(word));
            (declared, word, if word.is_some() { 1 } else { *value })
        })
    }

    /// Iterates over the tags of a zone of a tile.
    fn tags_of_zone(self, zone: &'t Zone) -> impl Iterator<Item = TagValue<'t>> {
        zone.tags.iter().filter_map(move |tag| {
            let column = self.tile_set.columns.get(tag.column.0 as usize)?;
            let declared = self.tile_set.tag(column.tag);
            let word = column.value.and_then(|word| declared.values.get(usize::from(word)));
            Some((declared, word, tag.value))
        })
    }

    /// Returns the tags of a tile and of all its zones. The tags of the whole tile come first. If a
    /// tag occurs several times, adds up its numbers.
    pub fn tags(self, tile: TileIdx) -> Vec<TagView> {
        let on_zones = self.tile_set.tile(tile).zones.iter().flat_map(move |zone| self.tags_of_zone(zone));
        tag_views(self.tags_of_tile(tile).chain(on_zones))
    }

    /// Returns a line of text for each tag of an unturned tile and of its zones. Each line includes
    /// the meaning of the tag, such as `shield on city@n: Worth as much as ...`.
    pub fn tag_lines(self, tile: TileIdx) -> Vec<String> {
        let on_tile = self.tags_of_tile(tile).map(|tag| (tag, String::new()));
        let on_zones = self.tile_set.tile(tile).zones.iter().enumerate().flat_map(|(z, zone)| {
            let place = format!(" on {}", self.zone_name(tile, Facing::default(), z));
            self.tags_of_zone(zone).map(move |tag| (tag, place.clone()))
        });
        let line = |((tag, word, number), place): (TagValue<'t>, String)| {
            let word = match (word, word.and_then(|word| direction(tag, word))) {
                (_, Some(direction)) => format!(" {}", direction.long_name()),
                (Some(word), None) => format!(" {word}"),
                (None, None) => String::new(),
            };
            let times = if number == 1 { String::new() } else { format!(" × {number}") };
            let about = if tag.about.is_empty() { String::new() } else { format!(": {}", tag.about) };
            format!("{}{word}{times}{place}{about}", tag.name.replace('_', " "))
        };
        on_tile.chain(on_zones).filter(|((.., number), _)| *number != 0).map(line).collect()
    }

    /// Returns the directions that the tags of a tile name, turned with the tile to `facing`, such
    /// as `flier north-east`.
    pub fn directions(self, tile: TileIdx, facing: Facing) -> Vec<String> {
        let pointing = |(declared, word, _): TagValue<'t>| {
            let direction = direction(declared, word?)?.turned(facing);
            Some(format!("{} {}", declared.name.replace('_', " "), direction.long_name()))
        };
        self.tags_of_tile(tile).filter_map(pointing).collect()
    }

    /// Returns the four edges of a tile as letters, clockwise, such as `CFRR`. Starts with the edge
    /// for which the letters come first in alphabetical order.
    pub fn edge_pattern(self, tile: TileIdx) -> String {
        self.pattern_of_edges(self.tile_set.tile(tile).turned(Facing::default()).edges)
    }

    /// Returns four edges, given by their codes, as letters; see
    /// [`edge_pattern`](Self::edge_pattern).
    pub fn pattern_of_edges(self, edges: [u8; 4]) -> String {
        let letters = kind_letters(self.tile_set);
        smallest_rotation(&edges.map(|code| self.edge_letters(&letters, code))).concat()
    }

    /// Returns whether a tile has adjacent edges with the letters in `code`, clockwise from any
    /// edge. The case of the letters does not matter.
    pub fn has_edges(self, tile: TileIdx, code: &str) -> bool {
        is_part_of_pattern(&self.edge_pattern(tile), code)
    }

    /// Counts the edges of each kind of land on `tiles`, a list of tile types with their numbers of
    /// copies. Omits kinds that no edge has.
    pub fn edge_counts(self, tiles: &[(TileIdx, usize)]) -> Vec<(&'t str, usize)> {
        let mut counts = vec![0; self.tile_set.kinds.len()];
        for (tile, n) in tiles {
            for code in self.tile_set.tile(*tile).turned(Facing::default()).edges {
                let [first, middle, last] = self.tile_set.edge_kinds(code);
                if let Some(kind) = middle.or(first).or(last) {
                    counts[kind.0 as usize] += n;
                }
            }
        }
        let named = self.tile_set.kinds.iter().map(|k| k.name.as_str()).zip(counts);
        named.filter(|(_, n)| *n > 0).collect()
    }

    /// Returns the letters of the kind of land in the middle of an edge. If the middle has no kind,
    /// returns the letters of the kinds at the two halves of the edge.
    fn edge_letters(self, letters: &[String], code: u8) -> String {
        let [first, middle, last] = self.tile_set.edge_kinds(code);
        let letter = |kind: KindIdx| letters.get(kind.0 as usize).cloned().unwrap_or_default();
        match (first, middle, last) {
            (_, Some(middle), _) => letter(middle),
            (Some(first), None, Some(last)) if first != last => format!("{}/{}", letter(first), letter(last)),
            (first, None, last) => first.or(last).map_or_else(|| "-".to_owned(), letter),
        }
    }
}

/// Returns the direction that a word of a tag names; `None` if any word of the tag is not a
/// direction.
fn direction(tag: &Tag, word: &str) -> Option<Direction> {
    let are_directions = tag.values.iter().all(|value| Direction::from_name(value).is_some());
    Direction::from_name(word).filter(|_| are_directions)
}

/// Returns an abbreviation for each kind of land, with a capital first letter. The abbreviation is
/// the shortest prefix of the kind's name that is not yet the abbreviation of an earlier kind.
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

/// Returns whether a rotation of the edge pattern `pattern` contains `code`. Ignores case.
pub fn is_part_of_pattern(pattern: &str, code: &str) -> bool {
    pattern.repeat(2).to_lowercase().contains(&code.to_lowercase())
}

/// Makes views of tags. If a tag occurs several times, adds up its numbers.
fn tag_views<'t>(tags: impl Iterator<Item = TagValue<'t>>) -> Vec<TagView> {
    let mut views: Vec<TagView> = Vec::new();
    for (declared, word, number) in tags.filter(|(.., number)| *number != 0) {
        match views.iter_mut().find(|view| view.tag == declared.name && view.word.as_ref() == word) {
            Some(view) => view.number += number,
            None => views.push(TagView { tag: declared.name.clone(), word: word.cloned(), number }),
        }
    }
    views
}

/// Returns the alphabetically first rotation of `edges`.
fn smallest_rotation(edges: &[String; 4]) -> Vec<String> {
    let turned = |by: usize| -> Vec<String> { (0..4).map(|i| edges[(i + by) % 4].clone()).collect() };
    (0..4).map(turned).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use board::{CompletionRule, Kind, KindSet, Layer, Port, Tile, Zone};

    use super::*;

    fn tile_set(names: &[&str], tiles: Vec<Tile>) -> TileSet {
        let kind =
            |name: &&str| Kind { name: (*name).to_owned(), edge: EdgeStyle::Full, closes: CompletionRule::Ports };
        let layer = Layer { name: "land".to_owned(), kinds: KindSet::ALL, joins_touching: false };
        TileSet::new(names.iter().map(kind).collect(), Vec::new(), vec![layer], tiles).expect("a small set of tiles")
    }

    fn tile(kinds: [u8; 4]) -> Tile {
        let zone = |(edge, kind): (usize, &u8)| {
            Zone::new(KindIdx(*kind), [Port::from_index(edge * 3 + 1)].into_iter().collect())
        };
        Tile { name: "t/A".to_owned(), zones: kinds.iter().enumerate().map(zone).collect(), ..Tile::default() }
    }

    #[test]
    fn tiles_have_readable_titles() {
        let named = |name: &str, kinds| Tile { name: name.to_owned(), ..tile(kinds) };
        let tiles = vec![tile([0, 1, 1, 0]), named("t/old_mill-2", [0; 4]), named("t/GM-A", [1; 4])];
        let tile_set = tile_set(&["road", "wild_land"], tiles);
        let titles: Vec<String> = (0..3).map(|i| TilesView::of(&tile_set).title(TileIdx(i))).collect();
        assert_eq!(titles, ["Road × 2, wild land × 2", "Old mill 2", "Wild land × 4"]);
    }

    #[test]
    fn letters_tell_kinds_apart() {
        let tile_set = tile_set(&["field", "fort", "lake", "f"], Vec::new());
        assert_eq!(kind_letters(&tile_set), ["F", "Fo", "L", "F"]);
    }

    #[test]
    fn turned_tiles_have_one_pattern() {
        let tile_set = tile_set(&["road", "lake"], vec![tile([0, 1, 1, 0]), tile([1, 0, 0, 1]), tile([0, 1, 0, 1])]);
        let tiles = TilesView::of(&tile_set);
        let patterns: Vec<String> = (0..3).map(|i| tiles.edge_pattern(TileIdx(i))).collect();
        assert_eq!(patterns, ["LLRR", "LLRR", "LRLR"]);
        for (tile, code, is_found) in
            [(0, "LLRR", true), (0, "rllr", true), (0, "LRLR", false), (2, "rlrl", true), (2, "rr", false)]
        {
            assert_eq!(tiles.has_edges(TileIdx(tile), code), is_found, "{code}");
        }
        assert_eq!(tiles.edge_counts(&[(TileIdx(0), 2), (TileIdx(2), 1)]), [("road", 6), ("lake", 6)]);
    }
}
