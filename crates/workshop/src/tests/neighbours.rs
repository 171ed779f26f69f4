use loader::Library;
use testkit::mods_folder;

use super::*;

#[test]
fn what_lies_around_a_tile_fits_on_all_sides() {
    let loaded = Library::open(&[mods_folder()]).load(&["base"]).0.unwrap();
    let set = &loaded.catalogue().tile_set;
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let centre = TileIdx((seed % set.tiles.len() as u64) as u16);
        let around = neighbours(set, centre, seed);
        assert_eq!(around, neighbours(set, centre, seed));
        assert_eq!(around[4], Some((centre, Facing::default())));
        for (i, placed) in around.iter().enumerate() {
            if let Some(placed) = placed {
                assert!(fits(set, &around, i, *placed), "{seed} {i}");
            }
        }
        // The base game has tiles for most corners, so few spots stay empty.
        assert!(around.iter().flatten().count() >= 7, "{seed}");
        seen.extend(around.iter().flatten().map(|(tile, _)| tile.0));
    }
    assert!(seen.len() > 15, "{seen:?}");
}
