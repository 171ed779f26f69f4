use std::fs;

use expect_test::{Expect, expect};
use loader::Library;
use testkit::mods_folder;

use super::*;
use crate::tile_draft::TileDraft;
use crate::tile_files::tile_files;

/// Returns all files of tiles of the bundled mods: the id of the mod, the text of the file, and the
/// loaded mod.
fn all_files() -> Vec<(String, String, loader::Loaded)> {
    let library = Library::open(&[mods_folder()]);
    let mut all = Vec::new();
    for id in library.ids() {
        let Some(loaded) = library.load(std::slice::from_ref(&id)).0 else { continue };
        for file in tile_files(&library.folder(&id).unwrap()) {
            all.push((id.clone(), fs::read_to_string(file).unwrap(), loaded.clone()));
        }
    }
    assert!(all.len() >= 13, "{}", all.len());
    all
}

/// Returns the lines of `new` that differ from the lines of `old`. Both texts must have the same
/// number of lines.
fn other_lines<'n>(old: &str, new: &'n str) -> Vec<&'n str> {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
    assert_eq!(a.len(), b.len(), "no line comes or goes");
    a.iter().zip(b).filter(|(a, b)| *a != b).map(|(_, b)| b).collect()
}

#[test]
fn opening_and_saving_changes_no_byte_of_any_mod() {
    let mut n = 0;
    for (id, text, loaded) in all_files() {
        let tile_set = &loaded.catalogue().tile_set;
        for text in [text.clone(), text.replace('\n', "\r\n"), text.trim_end().to_owned(), format!("\u{feff}{text}")] {
            for tile in tile_ids(&text).unwrap() {
                let entries = read_tile(&text, &tile).unwrap().unwrap();
                let draft = TileDraft::read(tile_set, &tile, &entries);
                let changes = draft.changes_since(tile_set, &TileDraft::read(tile_set, &tile, &entries));
                assert_eq!(changes, [], "{id}/{tile}");
                assert_eq!(change_tile(&text, &tile, &changes).unwrap(), text);
                // Writing the same value again does not change its form.
                let again: Vec<_> = entries.iter().map(|(key, plain)| (key.clone(), Some(plain.clone()))).collect();
                assert_eq!(change_tile(&text, &tile, &again).unwrap(), text, "{id}/{tile}");
                n += 1;
            }
        }
    }
    assert!(n > 1000, "{n}");
}

#[test]
fn another_count_changes_one_line_of_any_tile() {
    for (id, text, loaded) in all_files() {
        let tile_set = &loaded.catalogue().tile_set;
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            for tile in tile_ids(&text).unwrap() {
                let before = TileDraft::read(tile_set, &tile, &read_tile(&text, &tile).unwrap().unwrap());
                let Some(n) = before.count().filter(|_| before.key("count").is_some()) else { continue };
                let mut draft = before.clone();
                draft.set_count(n + 1);
                let changed = change_tile(&text, &tile, &draft.changes_since(tile_set, &before)).unwrap();
                let lines = other_lines(&text, &changed);
                assert_eq!(lines.len(), 1, "{id}/{tile}: {lines:?}");
                assert!(lines[0].contains(&format!("count = {}", n + 1)));
                assert_eq!(lines[0].ends_with('\r'), text.contains('\r'));
            }
        }
    }
}

#[test]
fn every_tile_comes_and_goes_without_a_trace() {
    for (id, text, _) in all_files() {
        for tile in tile_ids(&text).unwrap() {
            let entries = read_tile(&text, &tile).unwrap().unwrap();
            let with = insert_tile(&text, "brand-new", &entries, Some(&tile)).unwrap();
            assert_eq!(read_tile(&with, "brand-new").unwrap().as_ref(), Some(&entries), "{id}/{tile}");
            assert_eq!(remove_tile(&with, "brand-new").unwrap(), text, "{id}/{tile}");
            let renamed = rename_tile(&text, &tile, "brand-new").unwrap();
            assert_eq!(rename_tile(&renamed, "brand-new", &tile).unwrap(), text, "{id}/{tile}");
            let without = remove_tile(&text, &tile).unwrap();
            assert_eq!(tile_ids(&without).unwrap().len() + 1, tile_ids(&text).unwrap().len());
        }
    }
}

const TEXT: &str = r#"# Mine.
[tile]   # short ones
A   = { count = 2, road = "s" }      # a road

B = { city = ["n", { at = "s", shield = 1 }] }

# The city reaches the corner.
# It has two lines of comment.
[tile.EG] # long
city = "n" # the north
field = [
    { at = "e", touches = "all" }, # east
    { at = "s-w", touches = "all" },
]
"#;

fn changed(id: &str, changes: &[(&str, Option<ManifestValue>)]) -> String {
    let changes: Vec<_> = changes.iter().map(|(key, plain)| ((*key).to_owned(), plain.clone())).collect();
    change_tile(TEXT, id, &changes).unwrap()
}

fn check(actual: &str, expected: Expect) {
    expected.assert_eq(actual);
}

#[test]
fn only_what_is_different_is_written() {
    let both = changed("A", &[("start", Some(ManifestValue::Bool(true))), ("road", Some(ManifestValue::text("s-w")))]);
    assert_eq!(other_lines(TEXT, &both), [r#"A   = { count = 2, start = true, road = "s-w" }      # a road"#]);
    let tagged = ManifestValue::List(vec![
        ManifestValue::text("n"),
        ManifestValue::Table(vec![("at".into(), ManifestValue::text("s")), ("shield".into(), ManifestValue::Int(2))]),
    ]);
    assert_eq!(
        other_lines(TEXT, &changed("B", &[("city", Some(tagged))])),
        [r#"B = { city = ["n", { at = "s", shield = 2 }] }"#]
    );
    assert_eq!(
        other_lines(TEXT, &changed("B", &[("count", Some(ManifestValue::Int(3)))])),
        [r#"B = { count = 3, city = ["n", { at = "s", shield = 1 }] }"#]
    );
    let long = changed("EG", &[("count", Some(ManifestValue::Int(3))), ("city", Some(ManifestValue::text("n-e")))]);
    check(
        &long,
        expect![[r#"
        # Mine.
        [tile]   # short ones
        A   = { count = 2, road = "s" }      # a road

        B = { city = ["n", { at = "s", shield = 1 }] }

        # The city reaches the corner.
        # It has two lines of comment.
        [tile.EG] # long
        count = 3
        city = "n-e" # the north
        field = [
            { at = "e", touches = "all" }, # east
            { at = "s-w", touches = "all" },
        ]
    "#]],
    );
}

#[test]
fn tiles_are_put_where_their_like_are() {
    let entries = vec![("cloister".to_owned(), ManifestValue::Bool(true))];
    check(
        &insert_tile(TEXT, "C", &entries, Some("A")).unwrap(),
        expect![[r#"
        # Mine.
        [tile]   # short ones
        A   = { count = 2, road = "s" }      # a road
        C = { cloister = true }

        B = { city = ["n", { at = "s", shield = 1 }] }

        # The city reaches the corner.
        # It has two lines of comment.
        [tile.EG] # long
        city = "n" # the north
        field = [
            { at = "e", touches = "all" }, # east
            { at = "s-w", touches = "all" },
        ]
    "#]],
    );
    check(
        &insert_tile("", "C", &entries, None).unwrap(),
        expect![[r#"
        [tile]
        C = { cloister = true }
    "#]],
    );
    let windows = insert_tile("[tile.A]\r\nroad = \"n\"", "C", &entries, None).unwrap();
    assert_eq!(windows, "[tile.A]\r\nroad = \"n\"\r\n\r\n[tile.C]\r\ncloister = true\r\n");
    check(
        &remove_tile(TEXT, "EG").unwrap(),
        expect![[r#"
        # Mine.
        [tile]   # short ones
        A   = { count = 2, road = "s" }      # a road

        B = { city = ["n", { at = "s", shield = 1 }] }
    "#]],
    );
}

#[test]
fn what_cannot_be_changed_says_why() {
    let error = |done: Result<String, EditError>| done.unwrap_err().to_string();
    check(
        &error(change_tile("[tile]\nA = {\n", "A", &[("count".into(), None)])),
        expect![
            "the file is not valid TOML (line 2: unclosed inline table, expected `}`); fix it in the rule editor or a text editor first"
        ],
    );
    check(
        &error(change_tile("[tile]\nA.count = 2\n", "A", &[("count".into(), None)])),
        expect!["tile `A` is written in a form that only you can change: write it as `A = { ... }` or as `[tile.A]`"],
    );
    check(&error(insert_tile(TEXT, "A", &[], None)), expect!["a tile `A` already exists"]);
    check(&error(rename_tile(TEXT, "A", "B")), expect!["a tile `B` already exists"]);
    check(&error(remove_tile(TEXT, "Z")), expect!["there is no tile `Z` in the file any more"]);
}
