#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use expect_test::expect_file;

use crate::{FILES, MOD, THEME, TILES, conditional_key, without_marks};

#[test]
fn every_table_is_named_at_the_top_of_its_file() {
    for file in FILES {
        let named: BTreeSet<&str> = file.root.names().collect();
        let first = |name: &'static str| name.split('.').next().unwrap();
        let tables: BTreeSet<&str> = file.sections.iter().map(|section| first(section.name())).collect();
        let written_elsewhere = BTreeSet::from(["zone"]);
        assert_eq!(named, &tables - &written_elsewhere, "{}", file.name);
    }
}

#[test]
fn no_table_has_a_key_twice_or_a_key_without_a_meaning() {
    for section in FILES.into_iter().flat_map(|file| file.sections) {
        let names: BTreeSet<&str> = section.keys.iter().map(|key| key.name).collect();
        assert_eq!(names.len(), section.keys.len(), "{}", section.path);
        for key in section.keys.iter().filter(|key| !key.means.is_empty() || !key.name.starts_with("only_")) {
            assert!(key.means.ends_with('.') && !key.default.is_empty(), "{key:?}");
        }
    }
}

#[test]
fn keys_that_mean_the_same_share_a_row() {
    let table = MOD.table(&["token", "pile"]);
    assert!(table.contains("| `stock` | token, pile | 0 to 100000 | unlimited |"), "{table}");
    let table = MOD.table(&["phase"]);
    assert!(table.contains("| `after`, `before` | phases | none |") && !table.contains("only_kind"), "{table}");
    assert!(table.contains("| `only_...` |"), "{table}");
}

#[test]
fn the_reference_pages_have_the_tables() {
    let page = "before\n<!-- keys: track -->\n| old |\nafter\n";
    let page = MOD.with_tables(page);
    assert!(page.starts_with("before\n<!-- keys: track -->\n| key | takes |"), "{page}");
    assert!(page.ends_with("moves. |\nafter\n") && !page.contains("old"), "{page}");
    assert!(without_marks(&page).starts_with("before\n| key |"), "{page}");
    for (file, path) in
        [(&MOD, "../loader/docs/mod.md"), (&TILES, "../loader/docs/tiles.md"), (&THEME, "../theme/docs/theme.md")]
    {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let page = fs::read_to_string(&path).unwrap();
        expect_file![path].assert_eq(&file.with_tables(&page));
        let n_tables = page.lines().filter(|line| line.starts_with("<!-- keys: ")).count();
        assert!(n_tables > 1, "{} has {n_tables} tables of keys", file.name);
    }
}

#[test]
fn values_that_depend_on_switches_are_marked() {
    assert_eq!(conditional_key("per_player"), Some("per_player"));
    assert_eq!(conditional_key("final"), Some("final"));
    assert_eq!(conditional_key("edge"), None);
    assert_eq!(conditional_key("id"), None);
}

#[test]
fn schemas_say_what_the_tables_say() {
    let schema = MOD.schema();
    let piece = &schema["properties"]["piece"]["additionalProperties"];
    assert_eq!(piece["properties"]["strength"]["anyOf"][0]["maximum"], 1000);
    assert_eq!(piece["additionalProperties"], false);
    assert_eq!(schema["properties"]["mod"]["required"][0], "id");
    assert_eq!(schema["properties"]["phase"]["type"], "array");
    let added = &schema["properties"]["add"]["properties"]["kind"]["additionalProperties"];
    assert_eq!(added["properties"]["points"]["properties"]["final"]["type"], "string");
    assert_eq!(schema["properties"]["track"]["properties"]["dark"]["anyOf"][0]["minimum"], 1);
    let tile = &TILES.schema()["properties"]["tile"]["additionalProperties"];
    assert_eq!(tile["additionalProperties"], true, "tiles have the names of kinds and tags as keys");
    let palette = &THEME.schema()["properties"]["palette"]["additionalProperties"];
    assert_eq!(palette["additionalProperties"]["type"], "string", "the colours");
}
