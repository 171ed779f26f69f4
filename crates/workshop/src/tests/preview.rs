use expect_test::expect;
use loader::Library;
use testkit::mods_folder;

use super::*;
use crate::manifest_edit::read_tile;

#[test]
fn problems_of_a_draft_are_those_of_the_loader() {
    let loaded = Library::open(&[mods_folder()]).load(&["base"]).0.unwrap();
    let catalogue = loaded.catalogue();
    let mut told = Vec::new();
    for text in [
        "t = { rode = \"n\" }",
        "t = { city = { at = \"n\", sheild = 1 } }",
        "t = { city = \"n\", road = \"n\" }",
        "t = { city = \"n\", road = \"e\", field = \"e1\" }",
        "t = { count = 2000 }",
        "t = { field = [{ inner = true, touches = \"city@n\" }] }",
    ] {
        let entries = read_tile(&format!("[tile]\n{text}\n"), "t").unwrap().unwrap();
        let draft = TileDraft::read(&catalogue.tile_set, "t", &entries);
        let found = preview(catalogue, "base", &[&draft]);
        assert!(found.tile_set.is_none());
        told.extend(found.problems.iter().map(|p| format!("{} ({})", p.message, p.help.clone().unwrap_or_default())));
    }
    expect![[r#"
        unknown kind or tag `rode` on tile `t` (there are `city`, `road`, `cloister`, `field`, `count`, `start`, `deck`, `edges`, `overlay` and `about`)
        unknown tag `sheild` on `city` (did you mean `shield`?)
        `road` covers `n`, which `city` already covers ()
        nothing lies on `e2`, `s1`, `s2`, `w1` and `w2` of tile `t` (a tile that names halves of its ground must name all of them)
        expected a number from 0 to 1000, found 2000 ()
        there is no zone `city@n` to touch (there is `field@n1`)"#]].assert_eq(&told.join("\n"));
}
