//! Tiles: mistakes in declarations, and derived ground.

use board::{Facing, TileIdx};

use super::{check_mod, load_mod};
use crate::Loaded;

/// Returns a tile as text: its zones in order, each with its ports, the zones that it touches, and
/// its tag values by column.
fn show(loaded: &Loaded, name: &str) -> String {
    let tile_set = &loaded.catalogue().tile_set;
    let tile = tile_set.tile_named(name).unwrap();
    let zones = tile_set.tile(tile).zones.iter().map(|zone| {
        let ports: Vec<&str> = zone.ports.iter().map(|p| p.name()).collect();
        let touched = (0..32).filter(|z| zone.touches >> z & 1 == 1);
        let touched: Vec<String> = touched.map(|z| tile_set.zone_name(tile, Facing::default(), z)).collect();
        let tags: Vec<String> = zone.tags.iter().map(|t| format!("{}={}", t.column.0, t.value)).collect();
        let parts = [
            vec![tile_set.kind(zone.kind).name.clone()],
            ports.iter().map(ToString::to_string).collect(),
            touched.iter().map(|t| format!(">{t}")).collect(),
            tags,
        ];
        parts.concat().join(" ")
    });
    zones.collect::<Vec<_>>().join(" | ")
}

#[track_caller]
fn check_tile(tile: &str, expected: &str) {
    let loaded = load_mod("", &format!("[tile]\nX = {{ {tile} }}"));
    assert_eq!(show(&loaded, "x/X"), expected);
}

#[test]
fn ground_is_derived() {
    check_tile("city = \"n\", road = \"e-w\"", "road e w | city n >field@e1 | field e1 w2 >city@n | field e2 s1 s2 w1");
    check_tile("cloister = true", "cloister | field n1 n2 e1 e2 s1 s2 w1 w2");
    check_tile("city = [\"n\", \"e\"]", "city n >field@s1 | city e >field@s1 | field s1 s2 w1 w2 >city@n >city@e");
    check_tile("city = \"n-e-s-w\"", "city n e s w");
    check_tile(
        "road = [\"e\", \"s\", \"w\"], city = { at = \"n\", shield = 2 }",
        "road e | road s | road w | city n >field@e1 0=2 | field e1 w2 >city@n | field e2 s1 | field s2 w1",
    );
}

#[test]
fn edges_that_fit_anything_have_no_ground() {
    check_tile("edges = \"any\", cloister = true", "cloister");
    check_tile("edges = \"any\", road = \"n\", field = \"n\"", "road n | field n1 n2");
    check_mod(
        "",
        "[tile]\nX = { edges = \"all\" }",
        "tiles.toml:2:15: error: `edges` cannot be \"all\" (write `edges = \"any\"`, or leave it out)",
    );
    check_mod(
        "",
        "[tile]\nX = { edges = \"any\", road = \"n\" }",
        "tiles.toml:2:1: error: nothing lies on `n1` and `n2` of tile `X` (a tile that names halves of its ground must name all of them)",
    );
}

#[test]
fn lines_that_end_in_the_same_place_meet() {
    let meets = |tile: &str| {
        let loaded = load_mod("", &format!("[tile]\nX = {{ {tile} }}"));
        let tile_set = &loaded.catalogue().tile_set;
        let tile = tile_set.tile_named("x/X").unwrap();
        let name = |z: usize| tile_set.zone_name(tile, Facing::default(), z);
        let zones = tile_set.tile(tile).zones.iter().enumerate().filter(|(_, zone)| zone.meets != 0);
        let said = zones.map(|(z, zone)| {
            let met: Vec<String> = (0..32).filter(|o| zone.meets >> o & 1 == 1).map(name).collect();
            format!("{} {}", name(z), met.join(" "))
        });
        said.collect::<Vec<_>>().join(" | ")
    };
    assert_eq!(meets("road = [\"e\", \"s\"]"), "road@e road@s | road@s road@e");
    assert_eq!(meets("road = [\"e-w\", \"s\"]"), "");
    assert_eq!(meets("road = [\"n\", \"e\", { at = \"s\", meets = [] }]"), "road@n road@e | road@e road@n");
    assert_eq!(meets("road = [\"e-w\", { at = \"s\", meets = [\"road@e\"] }]"), "road@e road@s | road@s road@e");
    check_mod(
        "",
        "[tile]\nX = { city = { at = \"n\", meets = \"all\" } }",
        "tiles.toml:2:26: error: `city` cannot have `meets` (only kinds with `edge = \"line\"` can end on a tile)",
    );
}

#[test]
fn ground_is_written() {
    check_tile(
        "city = [\"n\", \"e\", \"s\", \"w\"], field = [{ inner = true, touches = \"all\" }]",
        "city n >field | city e >field | city s >field | city w >field | field >city@n >city@e >city@s >city@w",
    );
    check_tile(
        "city = \"n\", field = [{ at = \"s-w\", touches = [] }, \"e\", { inner = true, touches = [\"city@n\"] }]",
        "city n >field@e1 >field | field e1 e2 >city@n | field s1 s2 w1 w2 | field >city@n",
    );
    check_tile(
        "road = \"n-s\", cloister = { touches = [\"road@n\"] }, field = [\"e s1-n2\", \"n1 w s2\"]",
        "road n s >cloister | cloister >road@n | field n1 s2 w1 w2 | field n2 e1 e2 s1",
    );
}

#[test]
fn places_on_tiles() {
    check_mod(
        "",
        "[tile]\nX = { ctiy = \"n\" }",
        "tiles.toml:2:7: error: unknown kind or tag `ctiy` on tile `X` (did you mean `city`?)",
    );
    check_mod(
        "",
        "[tile]\nX = { city = \"n-q\" }",
        "tiles.toml:2:17: error: `q` is not an edge (there are `n`, `e`, `s` and `w`)",
    );
    check_mod(
        "",
        "[tile]\nX = { city = \"n1\" }",
        "tiles.toml:2:15: error: `city` cannot lie on half an edge (write `n` instead of `n1`)",
    );
    check_mod("", "[tile]\nX = { city = \"n-n\" }", "tiles.toml:2:17: error: `n` is listed twice");
    check_mod(
        "",
        "[tile]\nX = { city = true }",
        "tiles.toml:2:14: error: no edge is given for `city` (write its edges, such as `city = \"n-w\"`)",
    );
    check_mod(
        "",
        "[tile]\nX = { city = { shield = 1 } }",
        "tiles.toml:2:14: error: no edge is given for `city` (write `at = \"...\"` or `inner = true`)",
    );
    check_mod(
        "",
        "[tile]\nX = { city = 1 }",
        "tiles.toml:2:14: error: expected edges as a text, or a table, found a number (write it in quotes: `\"1\"`)",
    );
    check_mod(
        "",
        "[tile]\nX = { cloister = \"n\" }",
        "tiles.toml:2:18: error: `cloister` never reaches an edge (write `cloister = true`)",
    );
    check_mod(
        "",
        "[tile]\nX = { cloister = false }",
        "tiles.toml:2:18: error: `cloister` cannot be false (remove the key)",
    );
    check_mod(
        "",
        "[tile]\nX = { city = \"n\", road = \"n-s\" }",
        "tiles.toml:2:14: error: `city` covers `n`, which `road` already covers",
    );
    check_mod(
        "",
        "[tile]\nX = { city = \"n\", field = \"n-e-s-w\" }",
        "tiles.toml:2:27: error: `field` covers `n1`, which `city` already covers",
    );
    check_mod(
        "",
        "[tile]\nX = { city = \"n\", field = [\"e-s\", \"s1-w\"] }",
        "tiles.toml:2:35: error: `field` covers `s1`, which `field` already covers",
    );
    check_mod(
        "",
        "[tile]\nX = { city = \"n\", field = \"e-s\" }",
        "tiles.toml:2:1: error: nothing lies on `w1` and `w2` of tile `X` (a tile that names halves of its ground must name all of them)",
    );
    check_mod(
        "",
        "[tile]\nX = { city = { at = \"n\", touches = \"field@w1\" } }",
        "tiles.toml:2:36: error: there is no zone `field@w1` to touch (did you mean `field@e1`?)",
    );
    check_mod(
        "",
        "[tile]\nX = { city = { at = \"n\", inner = true } }",
        "tiles.toml:2:34: error: a zone with `inner` reaches no edge, so it cannot have `at`",
    );
}

#[test]
fn tags_on_tiles() {
    let tags = "[tag.gold]\non = \"tile\"\n[tag.circle]\non = \"tile\"\nvalues = [\"fork\", \"club\"]\n[tag.goods]\non = \"zone\"\nmerge = \"multiset\"\nvalues = [\"wine\", \"grain\"]\n[tag.gem]\non = \"zone\"";
    check_mod(
        tags,
        "[tile]\nX = { city = \"n\", shield = 1 }",
        "tiles.toml:2:19: error: tag `shield` is on zones, not on tiles (write it in the table of a zone, such as `{ at = \"n\", shield = ... }`)",
    );
    check_mod(
        tags,
        "[tile]\nX = { city = { at = \"n\", gold = true } }",
        "tiles.toml:2:26: error: tag `gold` is on tiles, not on zones (write it beside the kinds of the tile)",
    );
    check_mod(
        tags,
        "[tile]\nX = { city = { at = \"n\", sheild = 1 } }",
        "tiles.toml:2:26: error: unknown tag `sheild` on `city` (did you mean `shield`?)",
    );
    check_mod(
        tags,
        "[tile]\nX = { city = { at = \"n\", goods = \"whine\" } }",
        "tiles.toml:2:34: error: tag `goods` has no word `whine` (did you mean `wine`?)",
    );
    check_mod(
        tags,
        "[tile]\nX = { city = { at = \"n\", gem = 1 } }",
        "tiles.toml:2:32: error: expected true, found a number (to add numbers up, write `merge = \"sum\"` in `[tag.gem]`)",
    );
    check_mod(
        tags,
        "[tile]\nX = { city = \"n\", circle = true }",
        "tiles.toml:2:28: error: expected one of `fork` and `club`, found true or false",
    );
    let loaded = load_mod(
        tags,
        "[tile]\nX = { city = { at = \"n\", goods = [\"grain\", \"wine\", \"grain\"] }, road = { at = \"s\", gem = true }, gold = 3, circle = \"club\" }",
    );
    assert!(show(&loaded, "x/X").contains("city n >field@e1 2=2 1=1 |"), "{}", show(&loaded, "x/X"));
    let tile_set = &loaded.catalogue().tile_set;
    let tile = tile_set.tile(tile_set.tile_named("x/X").unwrap());
    let tag = |name| tile.tag(tile_set.tag_named(name).unwrap());
    assert_eq!((tag("gold"), tag("circle"), tag("gem")), (Some(3), Some(1), None));
}

#[test]
fn counts_decks_and_starts() {
    check_mod("", "[tile]\nX = { count = 0 }", "tiles.toml:2:15: warning: tile `X` is in no deck: its count is 0");
    check_mod("", "[tile]\nX = { count = -1 }", "tiles.toml:2:15: error: expected a number from 0 to 1000, found -1");
    check_mod(
        "",
        "[tile]\nX = { deck = \"lnad\" }",
        "tiles.toml:2:14: error: unknown deck `lnad` (did you mean `land`?)",
    );
    check_mod(
        "[deck.news]\ncards = { A = 1 }",
        "[tile]\nX = { deck = \"news\" }",
        "tiles.toml:2:14: error: deck `news` holds cards, not tiles (there is `land`)",
    );
    check_mod(
        "",
        "[tile]\nX = { city = \"n\" }\nX = { city = \"s\" }",
        "tiles.toml:3:1: error: not TOML: duplicate key (the key is already used above: rename or remove one of the two)",
    );
    check_mod(
        "",
        "[tile]\nX = { city = \"n\" }\n\n[tile]\nY = { city = \"s\" }",
        "tiles.toml:4:2: error: not TOML: duplicate key (the heading stands above already: remove this one, and move its lines below the first)",
    );
    check_mod(
        "",
        "[tile]\nX = { city = \"n\" }\n-- x/tiles/more.toml\n[tile]\nX = { city = \"s\" }",
        "more.toml:2:1: error: tile `X` is declared twice",
    );
    check_mod(
        "",
        "[tile]\n\"X Y\" = { city = \"n\" }",
        "tiles.toml:2:1: error: `X Y` cannot be the id of a tile (ids of tiles are made of letters, digits, `-` and `_`)",
    );
    check_mod(
        "",
        "[tile]\nX = { start = true }",
        "tiles.toml:2:15: error: `base/D` and `x/X` are both start tiles (write `start = { instead_of = \"base/D\" }` here if this tile replaces `base/D`, or `start = { instead_of = \"x/X\" }` on `base/D` for the reverse)",
    );
    check_mod(
        "",
        "[tile]\nX = { start = { instead_of = \"base/M\" } }",
        "tiles.toml:2:15: error: `base/D` and `x/X` are both start tiles (write `start = { instead_of = \"base/D\" }` here if this tile replaces `base/D`, or `start = { instead_of = \"x/X\" }` on `base/D` for the reverse)\ntiles.toml:2:30: error: `base/M` is not a start tile (did you mean `base/D`?)",
    );
    check_mod(
        "",
        "[tile]\nX = { start = 1 }",
        "tiles.toml:2:15: error: expected true, or a table such as `{ instead_of = \"base/D\" }`, found a number",
    );
    check_mod(
        "",
        "[tiles]\nX = { city = \"n\" }",
        "tiles.toml:1:2: error: unknown key `tiles` in a file of tiles (did you mean `tile`?)",
    );
}

#[test]
fn edges_that_nothing_meets() {
    check_mod("[kind.sea]\nedge = \"full\"", "[tile]\nX = { count = 2, sea = \"e\" }", "");
    check_mod(
        "[kind.sea]\nedge = \"ground\"",
        "[tile]\nX = { field = \"n-e-s1\", sea = \"s2-w\" }",
        "tiles.toml:2:1: warning: no tile in any deck fits edge `s` (field-sea) of tile `X`",
    );
}

#[test]
fn another_start_tile_puts_the_first_one_back() {
    let loaded = load_mod("", "[tile]\nX = { start = { instead_of = [\"base/D\", \"frosty/S\"] }, city = \"n\" }");
    let catalogue = loaded.catalogue();
    let start = catalogue.start.unwrap().tile;
    assert_eq!(catalogue.tile_set.tile(start).name, "x/X");
    let items = |name: &str| {
        let TileIdx(tile) = catalogue.tile_set.tile_named(name).unwrap();
        catalogue.decks[0].items.iter().find(|(t, _)| *t == tile).map(|(_, n)| *n)
    };
    assert_eq!(
        (items("base/D"), items("x/X"), items("base/M")),
        (Some(3), None, Some(2)),
        "a start tile that is not used stays in the box"
    );
}

#[test]
fn a_start_tile_instead_of_any() {
    let start = |tiles: &str| {
        let loaded = load_mod("", tiles);
        let catalogue = loaded.catalogue();
        catalogue.tile_set.tile(catalogue.start.unwrap().tile).name.clone()
    };
    assert_eq!(start("[tile]\nX = { start = { instead_of = \"any\" }, city = \"n\" }"), "x/X");
    // Both `W` and `X` replace `base/D`, but `X` has `any`, so it also replaces `W`.
    let both = "[tile]\nW = { start = { instead_of = \"base/D\" }, city = \"n\" }\nX = { start = { instead_of = \"any\" }, city = \"n\" }";
    assert_eq!(start(both), "x/X");
    // `any` does not replace a start tile that names the tile with `any`. Two start tiles with
    // `any` conflict.
    let named = "[tile]\nW = { start = { instead_of = [\"base/D\", \"x/X\"] }, city = \"n\" }\nX = { start = { instead_of = \"any\" }, city = \"n\" }";
    assert_eq!(start(named), "x/W");
    let two = "[tile]\nW = { start = { instead_of = [\"any\", \"x/X\"] }, city = \"n\" }\nX = { start = { instead_of = \"any\" }, city = \"n\" }";
    assert_eq!(start(two), "x/W");
    check_mod(
        "",
        "[tile]\nW = { start = { instead_of = \"any\" } }\nX = { start = { instead_of = \"any\" } }",
        "tiles.toml:3:15: error: `x/W` and `x/X` are both start tiles (write `start = { instead_of = [\"any\", \"x/W\"] }` here if this tile replaces `x/W`, or `start = { instead_of = [\"any\", \"x/X\"] }` on `x/W` for the reverse)",
    );
}
