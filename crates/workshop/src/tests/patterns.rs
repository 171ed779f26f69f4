use loader::Library;
use testkit::mods_folder;

use super::*;
use crate::available_tiles::tiles_by_mod;

#[test]
fn the_base_game_has_17_of_24_patterns() {
    let library = Library::open(&[mods_folder()]);
    let loaded = library.load(&["base"]).0.unwrap();
    let all = tiles_by_mod(&library, &loaded);
    let found = patterns(all[0].tile_set().unwrap(), &all[0].all_tiles());
    assert_eq!(found.len(), 24);
    let missing: Vec<&str> = found.iter().filter(|it| it.n_copies == 0).map(|it| it.name.as_str()).collect();
    assert_eq!(missing, ["CCFR", "CCRF", "CFCR", "CFFR", "CFRF", "CRCR", "CRFF"]);
    assert_eq!(found.iter().map(|it| it.n_copies).sum::<usize>(), 72);
    let roads = found.iter().find(|it| it.name == "FFRR").unwrap();
    assert_eq!((roads.tiles.len(), roads.n_copies), (1, 9));
}

#[test]
fn the_chance_to_fill_a_hole_is_that_not_all_were_drawn() {
    let chance = |n_all, n_drawn, n_fitting| (chance_to_fill(n_all, n_drawn, n_fitting) * 1000.0).round();
    assert_eq!(chance(72, 36, 0), 0.0);
    assert_eq!(chance(72, 36, 1), 500.0);
    // The probability that both tiles were drawn is slightly below 1/4, because drawing is without
    // replacement.
    assert_eq!(chance(72, 36, 2), 754.0);
    assert_eq!([chance(72, 0, 3), chance(72, 72, 3), chance(72, 2, 3)], [1000.0, 0.0, 1000.0]);
}
