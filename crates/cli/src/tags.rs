//! The tags of tiles and zones, as JSON or in words.
#![expect(clippy::indexing_slicing, reason = "the tile set itself returned these indices")]

use board::{Tag, TagOn, Tile, TileSet, Zone};
use serde_json::{Map, Value as Json, json};

/// Returns the value of a tag: a word, a number, or 1 for a tag that is only `true`.
fn tag_value(tag: &Tag, value: i32, word: Option<u8>) -> Json {
    let words = word.map(usize::from).or_else(|| usize::try_from(value).ok().filter(|_| tag.on == TagOn::Tile));
    match words.and_then(|i| tag.values.get(i)) {
        Some(word) => Json::from(word.as_str()),
        None => Json::from(value),
    }
}

/// Returns the values of the tags on the tile as a whole, by name.
pub fn tile_tags(tile_set: &TileSet, tile: &Tile) -> Map<String, Json> {
    tile.tags.iter().map(|(t, v)| (tile_set.tag(*t).name.clone(), tag_value(tile_set.tag(*t), *v, None))).collect()
}

/// Returns the values of a zone's tags, by name. A tag that holds words has a list of them.
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

/// Returns the name and the value of a tag as text, such as `shield 1`.
pub fn tag_words(name: &str, value: &Json) -> String {
    match value.as_str() {
        Some(word) => format!("{name} {word}"),
        None => format!("{name} {value}"),
    }
}
