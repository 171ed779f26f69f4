use testkit::mods_folder;

use super::*;

#[test]
fn the_tiles_of_a_cover_fit_and_are_those_of_the_mod() {
    let library = Library::open(&[mods_folder()]);
    for id in library.ids() {
        let cover = ModCover::load(&library, &id).unwrap();
        let set = &cover.catalogue.tile_set;
        let placed: Vec<(TileIdx, Facing)> = cover.tiles.iter().flatten().copied().collect();
        assert_eq!(placed.len(), 4, "{id}");
        for (place, it) in placed.iter().enumerate() {
            assert!(fits(set, &cover.tiles, place, *it), "{id} {place}");
            assert!(placed.iter().filter(|(tile, _)| *tile == it.0).count() == 1, "{id}");
        }
        let own = cover.catalogue.own_tiles(&id);
        assert!(own.is_empty() || own.contains(&placed[0].0), "{id}");
    }
    let base = ModCover::load(&library, "base").unwrap();
    assert_eq!((base.n_tiles, base.piece.as_deref()), (72, Some("follower")));
    let messages = ModCover::load(&library, "messages").unwrap();
    assert_eq!(messages.n_tiles, 0);
    assert!(ModCover::load(&library, "no-such-mod").is_none());
}
