use loader::Library;
use testkit::mods_folder;

use super::*;

#[test]
fn facings_duplicates_and_mirror_images_of_the_base_game() {
    let loaded = Library::open(&[mods_folder()]).load(&["base"]).0.unwrap();
    let set = &loaded.catalogue().tile_set;
    let tile = |id: &str| set.tile_named(&format!("base/{id}")).unwrap();
    let facings = |id: &str| n_distinct_facings(set.tile(tile(id)));
    assert_eq!(["B", "C", "X", "G", "U", "E", "K", "V"].map(facings), [1, 1, 1, 2, 2, 4, 4, 4]);
    assert_eq!(
        find_duplicates(set, tile("J")),
        Duplicates { same: vec![], mirrored: vec![tile("K")], is_own_mirror: false }
    );
    assert_eq!(find_duplicates(set, tile("D")), Duplicates { same: vec![], mirrored: vec![], is_own_mirror: true });
    // Only the shield distinguishes the two tiles.
    assert_eq!(find_duplicates(set, tile("M")).same, []);
}
