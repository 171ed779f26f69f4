use board::TileIdx;
use expect_test::{Expect, expect};
use loader::Library;
use testkit::mods_folder;

use super::*;
use crate::duplicates::{canonical_form, canonical_mirror_form};
use crate::manifest_edit::{read_tile, tile_ids};
use crate::preview::preview;

fn loaded(id: &str) -> loader::Loaded {
    Library::open(&[mods_folder()]).load(&[id]).0.unwrap()
}

fn draft(tile_set: &TileSet, text: &str) -> TileDraft {
    let text = format!("[tile]\n{text}\n");
    let id = tile_ids(&text).unwrap().remove(0);
    TileDraft::read(tile_set, &id, &read_tile(&text, &id).unwrap().unwrap())
}

/// Applies `change` to the draft of a tile, and checks the resulting text.
fn check(id: &str, text: &str, change: impl FnOnce(&TileSet, &mut TileDraft), expected: Expect) {
    let loaded = loaded(id);
    let tile_set = &loaded.catalogue().tile_set;
    let mut it = draft(tile_set, text);
    change(tile_set, &mut it);
    let found = preview(loaded.catalogue(), id, &[&it]);
    assert!(found.tile_set.is_some(), "{:?}", found.problems);
    expected.assert_eq(&crate::manifest_edit::new_tile_text(&it.id, &it.entries(tile_set)).0);
}

use Edge::{East, North, South, West};

#[test]
fn land_is_drawn_from_edge_to_edge() {
    check("base", "t = {}", |tile_set, it| it.join(tile_set, "city", &[North]), expect![[r#"t = { city = "n" }"#]]);
    check(
        "base",
        "t = { city = \"n\" }",
        |tile_set, it| it.join(tile_set, "city", &[North, East]),
        expect![[r#"t = { city = "n-e" }"#]],
    );
    check(
        "base",
        "t = { city = [\"n\", \"w\"] }",
        |tile_set, it| it.join(tile_set, "city", &[West, North]),
        expect![[r#"t = { city = "n-w" }"#]],
    );
    check(
        "base",
        "t = { city = \"n-w\" }",
        |tile_set, it| it.join(tile_set, "road", &[West, South]),
        expect![[r#"t = { city = "n", road = "s-w" }"#]],
    );
    check(
        "base",
        "t = { road = \"e-w\" }",
        |tile_set, it| it.draw_to_middle(tile_set, "road", East),
        expect![[r#"t = { road = ["w", "e"] }"#]],
    );
    check(
        "base",
        "t = { city = { at = \"n-w\", shield = 1 } }",
        |tile_set, it| it.erase(tile_set, North),
        expect![[r#"t = { city = { at = "w", shield = 1 } }"#]],
    );
    check(
        "base",
        "t = { count = 2, city = { at = \"n-e-w\", shield = 1 } }",
        |tile_set, it| it.split(tile_set, 0),
        expect![[r#"t = { count = 2, city = [{ at = "n", shield = 1 }, "e", "w"] }"#]],
    );
    check(
        "base",
        "t = { road = \"s\" }",
        |tile_set, it| it.toggle_inside(tile_set, "cloister"),
        expect![[r#"t = { road = "s", cloister = true }"#]],
    );
    check(
        "base",
        "t = { road = \"s\", cloister = true }",
        |tile_set, it| it.toggle_inside(tile_set, "cloister"),
        expect![[r#"t = { road = "s" }"#]],
    );
}

#[test]
fn ground_that_is_written_follows_what_is_drawn() {
    let meadows = "t = { river = \"e-s\", meadow = [\"n-e1-s2-w\", { at = \"e2-s1\", mammoth = 1 }] }";
    check(
        "hunters-gatherers",
        meadows,
        |tile_set, it| it.join(tile_set, "forest", &[North, West]),
        expect![[r#"t = { river = "e-s", forest = "n-w", meadow = ["e1-s2", { at = "e2-s1", mammoth = 1 }] }"#]],
    );
    check(
        "hunters-gatherers",
        meadows,
        |tile_set, it| it.erase(tile_set, East),
        expect![[r#"t = { river = "s", meadow = { at = "n-e-s-w", mammoth = 1 } }"#]],
    );
    check(
        "base",
        "t = { city = \"n\", road = \"e\", field = [\"e1\", \"e2-s-w\"] }",
        |tile_set, it| it.erase(tile_set, East),
        expect![[r#"t = { city = "n" }"#]],
    );
    check(
        "hunters-gatherers",
        "t = { river = \"n-s\" }",
        |tile_set, it| it.write_grounds(tile_set),
        expect![[r#"t = { river = "n-s", meadow = ["n1-s2-w", "n2-e-s1"] }"#]],
    );
}

#[test]
fn names_turn_with_what_they_name() {
    let lake = "t = { river = [\"n\", \"e\"], lake = { fish = 1, touches = [\"river@n\", \"river@e\"] } }";
    check(
        "hunters-gatherers",
        lake,
        |tile_set, it| it.turn(tile_set, Facing::from_quarters(1)),
        expect![[r#"t = { river = ["e", "s"], lake = { fish = 1, touches = ["river@e", "river@s"] } }"#]],
    );
    check(
        "hunters-gatherers",
        lake,
        |tile_set, it| it.mirror(tile_set),
        expect![[r#"t = { river = ["n", "w"], lake = { fish = 1, touches = ["river@n", "river@w"] } }"#]],
    );
}

#[test]
fn turning_and_mirroring_any_tile_gives_what_it_says() {
    let library = Library::open(&[mods_folder()]);
    let mut n = 0;
    for id in library.ids() {
        let loaded = library.load(std::slice::from_ref(&id)).0.unwrap();
        let tile_set = &loaded.catalogue().tile_set;
        let own = |tile: &&Tile| tile.over.is_none() && tile.name.starts_with(&format!("{id}/"));
        let mut drafts: Vec<TileDraft> = Vec::new();
        let tiles: Vec<&Tile> = tile_set.tiles.iter().filter(own).collect();
        for (i, tile) in tiles.iter().enumerate() {
            let draft = TileDraft { id: format!("t{i}"), ..TileDraft::of_tile(tile_set, tile) };
            let (mut turned, mut mirrored) = (draft.clone(), draft.clone());
            turned.turn(tile_set, Facing::from_quarters(1));
            turned.id.push('r');
            mirrored.mirror(tile_set);
            mirrored.id.push('m');
            drafts.extend([draft, turned, mirrored]);
        }
        let found = preview(loaded.catalogue(), &id, &drafts.iter().collect::<Vec<_>>());
        let set = found.tile_set.unwrap_or_else(|| panic!("{id}: {:?}", found.problems));
        for (i, tile) in tiles.iter().enumerate() {
            let at = |n: usize| set.tile(TileIdx((3 * i + n) as u16));
            assert_eq!(canonical_form(at(0)), canonical_form(tile), "{}: {:?}", tile.name, drafts[3 * i]);
            assert_eq!(canonical_form(at(1)), canonical_form(tile), "{}: {:?}", tile.name, drafts[3 * i + 1]);
            assert_eq!(canonical_form(at(2)), canonical_mirror_form(tile), "{}: {:?}", tile.name, drafts[3 * i + 2]);
            n += 1;
        }
    }
    assert!(n > 250, "{n}");
}
