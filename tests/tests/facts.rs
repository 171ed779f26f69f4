//! Every tile of the mods, derived ground and all, against the tile facts.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use board::{EdgeStyle, Facing, Land, Port, TileIdx};
use serde_json::Value;
use tests::load;

/// A zone in words: its kind, its ports, its shields, and the zones it borders by the same words without borders.
fn fact_zone(segment: &Value) -> String {
    let list = |key: &str| -> Vec<String> {
        let list = segment[key].as_array().cloned().unwrap_or_default();
        list.iter().map(|v| v.as_str().unwrap().to_lowercase()).collect()
    };
    let ports: BTreeSet<usize> =
        list("edges").iter().chain(&list("halves")).map(|p| Port::from_name(p).unwrap().index()).collect();
    let tags = ["shields"].map(|k| segment[k].as_i64().unwrap_or(0));
    format!("{} {ports:?} {tags:?}", segment["kind"].as_str().unwrap())
}

fn zone(land: &Land, tile: TileIdx, z: usize) -> String {
    let it = &land.tile(tile).zones[z];
    let ports: BTreeSet<usize> = it.ports.iter().map(Port::index).collect();
    let shield = land.tag_named("shield").unwrap();
    let column = land.tag(shield).first_column;
    let shields: i32 = it.tags.iter().filter(|t| t.column == column).map(|t| t.value).sum();
    format!("{} {ports:?} {:?}", land.kind(it.kind).name, [shields])
}

/// Holds the tiles of mod `id` against a file of facts, whose ids have `prefix` put before them. Returns how many tiles the file has.
fn hold_against(id: &str, file: &str, prefix: &str) -> u64 {
    let loaded = load(&[id]);
    let catalogue = loaded.catalogue();
    let land = &catalogue.land;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("facts").join(file);
    let facts: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut total = 0;
    for fact in facts["tiles"].as_array().unwrap() {
        let name = format!("{id}/{prefix}{}", fact["id"].as_str().unwrap());
        let tile = land.tile_named(&name).unwrap_or_else(|| panic!("{name} is missing"));
        let segments = fact["segments"].as_array().unwrap();
        let mut expected: Vec<String> = Vec::new();
        for segment in segments {
            let touches = segment["touches"].as_array().cloned().unwrap_or_default();
            let mut near: Vec<String> =
                touches.iter().map(|t| fact_zone(&segments[t.as_u64().unwrap() as usize])).collect();
            near.sort();
            expected.push(format!("{} borders {near:?}", fact_zone(segment)));
        }
        let mut derived: Vec<String> = Vec::new();
        for (z, it) in land.tile(tile).zones.iter().enumerate() {
            let is_ground = land.kind(it.kind).edge == EdgeStyle::Ground;
            let others = (0..land.tile(tile).zones.len()).filter(|o| is_ground && it.touches >> o & 1 == 1);
            let mut near: Vec<String> = others.map(|o| zone(land, tile, o)).collect();
            near.sort();
            derived.push(format!("{} borders {near:?}", zone(land, tile, z)));
        }
        expected.sort();
        derived.sort();
        assert_eq!(derived, expected, "{name}");
        let count = fact["count"].as_u64().unwrap();
        total += count;
        let in_deck = catalogue.decks[0].items.iter().find(|(i, _)| *i == tile.0).map_or(0, |(_, n)| *n);
        let starts = catalogue.start.is_some_and(|s| s.tile == tile && s.facing == Facing::default());
        assert_eq!(u64::from(in_deck) + u64::from(starts), count, "{name}");
        assert_eq!(starts, fact["start"].as_bool().unwrap_or(false), "{name}");
    }
    assert_eq!(total, facts["total"].as_u64().unwrap());
    total
}

#[test]
fn base_tiles_are_the_facts() {
    assert_eq!(hold_against("base", "base.json", ""), 72);
}

#[test]
fn winter_tiles_are_the_facts() {
    assert_eq!(hold_against("winter", "base.json", "Win") + hold_against("winter", "winter.json", ""), 84);
}

#[test]
fn tiles_of_expansions_are_the_facts() {
    let sets = [
        ("inns-cathedrals", "inns.json", 18),
        ("king-baron", "king-baron.json", 5),
        ("gold-mines", "gold-mines.json", 8),
        ("builders-traders", "traders.json", 24),
        ("flying-machines", "flying-machines.json", 8),
        ("mage-witch", "mage-witch.json", 8),
        ("crop-circles", "crop-circles.json", 6),
    ];
    for (id, file, n_tiles) in sets {
        assert_eq!(hold_against(id, file, ""), n_tiles, "{id}");
    }
}
