//! The tiles that mods declare, as JSON.
#![expect(clippy::indexing_slicing, reason = "the tile set itself returned these indices")]

use board::{
    Edge, EdgeStyle, Facing, KindIdx, NonGroundZone, PortSet, Tag, TagCarrier, Tile, TileIdx, TileSet, Zone,
    derive_ground,
};
use rules::{Catalogue, Deck, ItemType};
use serde_json::{Map, Value as Json, json};

/// Returns the value of a tag as JSON: a word or a number. Returns `true` as the number 1.
fn tag_value(tag: &Tag, value: i32, word: Option<u8>) -> Json {
    let words = word.map(usize::from).or_else(|| usize::try_from(value).ok().filter(|_| tag.on == TagCarrier::Tile));
    match words.and_then(|i| tag.values.get(i)) {
        Some(word) => Json::from(word.as_str()),
        None => Json::from(value),
    }
}

/// Returns the values of the tags that belong to the whole tile, by tag name.
pub fn tile_tags(tile_set: &TileSet, tile: &Tile) -> Map<String, Json> {
    tile.tags.iter().map(|(t, v)| (tile_set.tag(*t).name.clone(), tag_value(tile_set.tag(*t), *v, None))).collect()
}

/// Returns the values of a zone's tags, by tag name. The value of a tag with words is a list of
/// words.
pub fn zone_tags(tile_set: &TileSet, zone: &Zone) -> Map<String, Json> {
    let mut tags = Map::new();
    for tag in &zone.tags {
        let column = tile_set.columns[tag.column.0 as usize];
        let declared = tile_set.tag(column.tag);
        let value = tag_value(declared, tag.value, column.value);
        match (tags.get_mut(&declared.name), column.value) {
            (Some(Json::Array(words)), _) => words.push(value),
            (None, Some(_)) => {
                tags.insert(declared.name.clone(), json!([value]));
            }
            _ => {
                tags.insert(declared.name.clone(), value);
            }
        }
    }
    tags
}

/// Returns the names of the decks that contain the tile, each with the number of copies of the
/// tile.
pub fn deck_counts(catalogue: &Catalogue, tile: TileIdx) -> Vec<(&str, u16)> {
    let decks = catalogue.decks.iter().filter(|d| d.holds == ItemType::Tiles);
    let count = |deck: &Deck| deck.items.iter().find(|(item, _)| *item == tile.0).map_or(0, |(_, n)| *n);
    decks.map(|d| (d.name.as_str(), count(d))).filter(|(_, n)| *n > 0).collect()
}

/// The origin of the ground zones of a tile. Ground is land such as fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ground {
    /// The tile has no ground.
    None,
    /// The ground is derived from the other zones.
    Derived,
    /// The tile declares its ground, and this ground differs from the ground that the loader would
    /// derive.
    Written,
}

impl Ground {
    /// Finds the origin of the ground of `tile`.
    pub fn of(tile_set: &TileSet, tile: &Tile) -> Ground {
        let style = |kind: KindIdx| tile_set.kind(kind).edge;
        let drawn: Vec<usize> =
            (0..tile.zones.len()).filter(|z| style(tile.zones[*z].kind) != EdgeStyle::Ground).collect();
        let partitions: Vec<NonGroundZone> = drawn
            .iter()
            .map(|z| NonGroundZone { edge: style(tile.zones[*z].kind), ports: tile.zones[*z].ports })
            .collect();
        let derived = derive_ground(&partitions).unwrap_or_default();
        let bits = |touches: &[usize]| touches.iter().fold(0u32, |set, i| set | 1 << drawn[*i]);
        let mut expected: Vec<(PortSet, u32)> = derived.iter().map(|g| (g.ports, bits(&g.touches))).collect();
        let grounds = tile.zones.iter().filter(|z| style(z.kind) == EdgeStyle::Ground);
        let mut actual: Vec<(PortSet, u32)> = grounds.map(|z| (z.ports, z.touches)).collect();
        let first = |(ports, _): &(PortSet, u32)| ports.first().map_or(12, |p| p.index());
        expected.sort_by_key(first);
        actual.sort_by_key(first);
        match actual.is_empty() {
            true => Ground::None,
            false if actual == expected => Ground::Derived,
            false => Ground::Written,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Ground::None => "none",
            Ground::Derived => "derived",
            Ground::Written => "written",
        }
    }
}

/// Returns all tile types as JSON, without the variants that overlays make.
pub fn tiles(catalogue: &Catalogue) -> Vec<Json> {
    let declared = (0..).map(TileIdx).zip(&catalogue.tile_set.tiles);
    declared.filter(|(_, declared)| declared.over.is_none()).map(|(idx, _)| tile(catalogue, idx)).collect()
}

/// Returns a tile type as JSON, as `bastide tiles --json` prints it.
pub fn tile(catalogue: &Catalogue, idx: TileIdx) -> Json {
    let tile_set = &catalogue.tile_set;
    let tile = tile_set.tile(idx);
    let turned = tile.turned(Facing::default());
    let edges: Map<String, Json> = Edge::ALL
        .iter()
        .zip(turned.edges)
        .map(|(edge, code)| (edge.letter().to_string(), Json::from(tile_set.edge_name(code))))
        .collect();
    let name = |z: usize| tile_set.zone_name(idx, Facing::default(), z);
    let zones: Vec<Json> = tile
        .zones
        .iter()
        .enumerate()
        .map(|(z, zone)| {
            json!({
                "name": name(z),
                "kind": tile_set.kind(zone.kind).name,
                "ports": zone.ports.iter().map(|p| p.name()).collect::<Vec<_>>(),
                "touches": touched(tile, z).map(name).collect::<Vec<_>>(),
                "tags": zone_tags(tile_set, zone),
            })
        })
        .collect();
    let in_decks: Map<String, Json> =
        deck_counts(catalogue, idx).iter().map(|(d, n)| ((*d).to_owned(), Json::from(*n))).collect();
    json!({
        "tile": tile.name,
        "decks": in_decks,
        "start": catalogue.start.is_some_and(|s| s.tile == idx),
        "edges": edges,
        "zones": zones,
        "tags": tile_tags(tile_set, tile),
        "ground": Ground::of(tile_set, tile).word(),
    })
}

/// Returns the zones that zone `z` of `tile` touches.
pub fn touched(tile: &Tile, z: usize) -> impl Iterator<Item = usize> + use<> {
    let set = tile.zones[z].touches;
    (0..tile.zones.len()).filter(move |i| set >> i & 1 == 1)
}
