use expect_test::{Expect, expect};
use loader::Library;
use testkit::mods_folder;

use super::*;
use crate::preview::preview;

fn loaded(ids: &[&str]) -> loader::Loaded {
    Library::open(&[mods_folder()]).load(ids).0.unwrap()
}

fn check(mods: &[&str], sketch: &str, expected: Expect) {
    let loaded = loaded(mods);
    let tile_set = &loaded.catalogue().tile_set;
    let sketch = read_sketch(tile_set, sketch).unwrap();
    let all = layouts(tile_set, sketch, None);
    let lines: Vec<String> = all.iter().map(|layout| layout.words.clone()).collect();
    expected.assert_eq(&lines.join("\n"));
    // Each layout is a tile with the edges of the sketch.
    for layout in &all {
        let draft = TileDraft { id: "t".to_owned(), ..layout.draft.clone() };
        let found = preview(loaded.catalogue(), "base", &[&draft]);
        let set = found.tile_set.unwrap_or_else(|| panic!("{:?}", found.problems));
        let edges = set.tiles[0].turned(board::Facing::default()).edges;
        for (code, kind) in edges.into_iter().zip(sketch) {
            let [first, middle, _] = set.edge_kinds(code);
            assert_eq!(middle.or(first), Some(kind), "{}", layout.words);
        }
    }
}

#[test]
fn each_layout_is_there_once() {
    check(
        &["base"],
        "CFRR",
        expect![[r#"
            one city n · one road s-w
            one city n · two roads s, w"#]],
    );
    check(
        &["base"],
        "cccc",
        expect![[r#"
            one city n-e-s-w
            two cities n-e-s, w
            two cities n-e, s-w
            three cities n-e, s, w
            three cities n-s, e, w
            four cities n, e, s, w"#]],
    );
    check(
        &["base"],
        "RRRR",
        expect![[r#"
            two roads n-e, s-w
            three roads n-e, s, w
            four roads n, e, s, w
            two roads n-e-s, w
            one road n-e-s-w"#]],
    );
    check(&["base"], "FFFF", expect!["field all over"]);
    check(
        &["base", "river"],
        "RiRRiC",
        expect![[r#"
            one city w · one road e · one river n-s
            one city w · one road e · two rivers n, s"#]],
    );
    check(
        &["hunters-gatherers"],
        "FRMF",
        expect![[r#"
            one forest n-w · one river e
            two forests n, w · one river e"#]],
    );
}

#[test]
fn every_tile_of_the_base_game_is_a_layout_of_its_edges() {
    let loaded = loaded(&["base"]);
    let tile_set = &loaded.catalogue().tile_set;
    for tile in &tile_set.tiles {
        let draft = TileDraft::of_tile(tile_set, tile);
        let kind = |edge: Edge| {
            let [first, middle, _] = tile_set.edge_kinds(tile.turned(board::Facing::default()).edges[edge as usize]);
            middle.or(first).unwrap()
        };
        let inside =
            tile.zones.iter().map(|zone| zone.kind).find(|kind| tile_set.kind(*kind).edge == EdgeStyle::Inside);
        let found = layouts(tile_set, Edge::ALL.map(kind), inside);
        let shapes: Vec<_> = found.iter().map(|layout| canonical_draft_form(tile_set, &layout.draft)).collect();
        assert!(shapes.contains(&canonical_draft_form(tile_set, &draft)), "{}", tile.name);
    }
}

#[test]
fn a_sketch_that_is_none_says_why() {
    let loaded = loaded(&["base"]);
    let tile_set = &loaded.catalogue().tile_set;
    let errors: Vec<String> = ["", "CF", "CFXR", "CFRRF", "Cl"]
        .iter()
        .map(|text| read_sketch(tile_set, text).unwrap_err().to_string())
        .collect();
    expect![[r#"
        four edges are needed, clockwise from the north: 0 so far
        four edges are needed, clockwise from the north: 2 so far
        no land has the letter `X`; the letters are C city, R road, F field
        a tile has four edges
        no land has the letter `l`; the letters are C city, R road, F field"#]]
    .assert_eq(&errors.join("\n"));
}
