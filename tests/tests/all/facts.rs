//! Compares every tile of the mods, derived ground included, with the files of tile facts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use board::{EdgeStyle, Facing, Port, TileIdx, TileSet};
use serde_json::Value;
use tests::load;

/// The names of the marks of zones in the facts, with the tag for each mark.
const MARKS: [(&str, &str); 7] = [
    ("shields", "shield"),
    ("inn", "inn"),
    ("cathedral", "cathedral"),
    ("pigs", "pigs"),
    ("gold", "gold"),
    ("mushrooms", "mushrooms"),
    ("fish", "fish"),
];
/// Tags that the facts list under animals.
const ANIMALS: [&str; 5] = ["deer", "mammoth", "aurochs", "tiger", "bear"];
/// Tags that the facts write as properties of the tile, with the number of the zone.
const SPECIAL: [&str; 3] = ["fire", "shrine", "site"];

/// Returns the text of zone `at` of a tile in the facts: its kind, its ports and its marks.
fn fact_zone(tile: &Value, at: usize) -> String {
    let segment = &tile["segments"][at];
    let list = |key: &str| -> Vec<String> {
        let list = segment[key].as_array().cloned().unwrap_or_default();
        list.iter().map(|v| v.as_str().unwrap().to_lowercase()).collect()
    };
    let ports: BTreeSet<usize> =
        list("edges").iter().chain(&list("halves")).map(|p| Port::from_name(p).unwrap().index()).collect();
    let mut marks: BTreeMap<String, i64> = BTreeMap::new();
    for (key, tag) in MARKS {
        let n = segment[key].as_i64().unwrap_or(i64::from(segment[key].as_bool().unwrap_or(false)));
        if n != 0 {
            marks.insert(tag.to_owned(), n);
        }
    }
    for animal in list("animals") {
        *marks.entry(animal).or_default() += 1;
    }
    let numbers = |key: &str| -> Vec<u64> {
        let one = tile[key].as_u64().into_iter();
        one.chain(tile[key].as_array().into_iter().flatten().filter_map(Value::as_u64)).collect()
    };
    if [numbers("special_segment"), numbers("special_joins")].concat().contains(&(at as u64)) {
        // The zone of a special piece has the tag `site`. A fire or a shrine has its own tag
        // instead.
        let special = tile["special"].as_str().unwrap();
        let tag = if SPECIAL.contains(&special) { special } else { "site" };
        marks.insert(tag.to_owned(), 1);
    }
    format!("{} {ports:?} {marks:?}", segment["kind"].as_str().unwrap())
}

fn zone(tile_set: &TileSet, tile: TileIdx, z: usize) -> String {
    let it = &tile_set.tile(tile).zones[z];
    let ports: BTreeSet<usize> = it.ports.iter().map(Port::index).collect();
    let mut marks: BTreeMap<String, i64> = BTreeMap::new();
    for tag in &it.tags {
        let name = &tile_set.tag(tile_set.columns[tag.column.0 as usize].tag).name;
        let is_known = MARKS.iter().any(|(_, tag)| tag == name);
        if tag.value != 0 && (is_known || ANIMALS.iter().chain(&SPECIAL).any(|tag| tag == name)) {
            marks.insert(name.clone(), i64::from(tag.value));
        }
    }
    format!("{} {ports:?} {marks:?}", tile_set.kind(it.kind).name)
}

/// Returns the zones that the ground or lake `at` borders according to the facts; `None` if the
/// facts do not list the borders of the zone.
fn fact_borders(tile: &Value, at: usize) -> Option<Vec<String>> {
    let segment = &tile["segments"][at];
    let list = segment["touches"].as_array().or(segment["joins"].as_array())?;
    let mut near: Vec<String> = list.iter().map(|t| fact_zone(tile, t.as_u64().unwrap() as usize)).collect();
    near.sort();
    Some(near)
}

fn borders(tile_set: &TileSet, tile: TileIdx, z: usize) -> Vec<String> {
    let it = &tile_set.tile(tile).zones[z];
    let others = (0..tile_set.tile(tile).zones.len()).filter(|o| it.touches >> o & 1 == 1);
    // For a lake, the facts list only the rivers that it borders.
    let is_meant = |o: &usize| {
        let style = tile_set.kind(tile_set.tile(tile).zones[*o].kind).edge;
        tile_set.kind(it.kind).edge == EdgeStyle::Ground || style == EdgeStyle::Line
    };
    let mut near: Vec<String> = others.filter(is_meant).map(|o| zone(tile_set, tile, o)).collect();
    near.sort();
    near
}

/// Compares the tiles of the mod `id` with a file of facts. The id of a tile is `prefix` followed
/// by its id in the facts. Returns the number of tiles in the file.
fn check_tiles_against_facts(id: &str, file: &str, prefix: &str) -> u64 {
    let loaded = load(&[id]);
    let catalogue = loaded.catalogue();
    let tile_set = &catalogue.tile_set;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("facts").join(file);
    let facts: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut total = 0;
    for fact in facts["tiles"].as_array().unwrap() {
        let name = format!("{id}/{prefix}{}", fact["id"].as_str().unwrap());
        let tile = tile_set.tile_named(&name).unwrap_or_else(|| panic!("{name} is missing"));
        // The facts give no layout for a tile that is not placed, such as the shaman of the scout.
        if fact["land"].as_bool().unwrap_or(true) {
            let n = fact["segments"].as_array().unwrap().len();
            // Compares a zone without its borders if the facts do not list them.
            let silent: BTreeSet<String> =
                (0..n).filter(|at| fact_borders(fact, *at).is_none()).map(|at| fact_zone(fact, at)).collect();
            let mut expected: Vec<(String, Vec<String>)> =
                (0..n).map(|at| (fact_zone(fact, at), fact_borders(fact, at).unwrap_or_default())).collect();
            let near =
                |z| if silent.contains(&zone(tile_set, tile, z)) { Vec::new() } else { borders(tile_set, tile, z) };
            let mut derived: Vec<(String, Vec<String>)> =
                (0..tile_set.tile(tile).zones.len()).map(|z| (zone(tile_set, tile, z), near(z))).collect();
            expected.sort();
            derived.sort();
            assert_eq!(derived, expected, "{name}");
        }
        let count = fact["count"].as_u64().unwrap();
        total += count;
        let items = catalogue.decks.iter().flat_map(|deck| &deck.items);
        let in_deck: u16 = items.filter(|(i, _)| *i == tile.0).map(|(_, n)| *n).sum();
        let starts = catalogue.start.is_some_and(|s| s.tile == tile && s.facing == Facing::default());
        assert_eq!(u64::from(in_deck) + u64::from(starts), count, "{name}");
        let is_source = fact["features"]["river_role"] == "source";
        assert_eq!(starts, fact["start"].as_bool().unwrap_or(is_source), "{name}");
    }
    let n_tiles = facts["total"].as_u64().unwrap_or(total);
    assert_eq!(total, n_tiles);
    total
}

#[test]
fn base_tiles_are_the_facts() {
    assert_eq!(check_tiles_against_facts("base", "base.json", ""), 72);
}

#[test]
fn winter_tiles_are_the_facts() {
    assert_eq!(
        check_tiles_against_facts("winter", "base.json", "Win")
            + check_tiles_against_facts("winter", "winter.json", ""),
        84
    );
}

#[test]
fn tiles_of_expansions_are_the_facts() {
    let sets = [
        ("inns-cathedrals", "inns.json", 18),
        ("king-baron", "king-baron.json", 5),
        ("gold-mines", "gold-mines.json", 8),
        ("builders-traders", "traders.json", 24),
        ("flying-machines", "flying-machines.json", 8),
        ("ferries", "ferries.json", 8),
        ("robbers", "robbers.json", 8),
        ("mage-witch", "mage-witch.json", 8),
        ("crop-circles", "crop-circles.json", 6),
        ("river", "river.json", 12),
        ("river2", "river2.json", 12),
    ];
    for (id, file, n_tiles) in sets {
        assert_eq!(check_tiles_against_facts(id, file, ""), n_tiles, "{id}");
    }
}

#[test]
fn tiles_without_cities_are_the_facts() {
    assert_eq!(check_tiles_against_facts("hunters-gatherers", "hunters-gatherers.json", ""), 79);
    assert_eq!(check_tiles_against_facts("hunters-gatherers", "hunters-gatherers-bonus.json", ""), 12);
    assert_eq!(check_tiles_against_facts("scout", "scout.json", ""), 5);
}
