use std::fs;

use loader::Library;
use testkit::CopiedMod;

use super::*;

fn load(base: &CopiedMod) -> loader::Loaded {
    Library::open(&[base.library().to_owned()]).load(&["base"]).0.unwrap()
}

fn to_save(tile_set: &TileSet, folder: &Path, id: &str, count: i64) -> TileToSave {
    let opened = open_tile(folder, id).unwrap();
    let mut draft = TileDraft::read(tile_set, id, &opened.entries);
    draft.set_count(count);
    TileToSave { before: Some((id.to_owned(), opened.entries)), draft, after: None, overwrites: false }
}

#[test]
fn a_tile_is_saved_where_it_is_and_nowhere_else() {
    let base = CopiedMod::of("base");
    let loaded = load(&base);
    let tile_set = &loaded.catalogue().tile_set;
    let folder = base.library().join("base");
    fs::create_dir(folder.join("tiles")).unwrap();
    base.write("tiles/more.toml", "[tile.more]\r\nroad = \"n\" # mine\r\n");
    let mut tile = to_save(tile_set, &folder, "more", 3);
    tile.draft.id = "most".to_owned();
    assert!(matches!(save_tile(tile_set, &folder, &tile), Ok(SaveResult::Written(_))));
    assert_eq!(base.read("tiles/more.toml"), "[tile.most]\r\ncount = 3\r\nroad = \"n\" # mine\r\n");
    tile.before = None;
    assert!(save_tile(tile_set, &folder, &tile).unwrap_err().to_string().contains("already has a tile `most`"));
    tile.draft.id = "another".to_owned();
    tile.after = Some("K".to_owned());
    assert!(matches!(save_tile(tile_set, &folder, &tile), Ok(SaveResult::Written(_))));
    assert!(base.read("tiles.toml").contains("\nanother = { count = 3, road = \"n\" }\nL = "));
    let with_tile = base.read("tiles.toml");
    let entries = open_tile(&folder, "another").unwrap().entries;
    let deleted = delete_tile(&folder, "another", &entries).unwrap();
    assert_eq!(base.read("tiles.toml"), CopiedMod::of("base").read("tiles.toml"));
    deleted.restore().unwrap();
    assert_eq!(base.read("tiles.toml"), with_tile);
    assert!(deleted.restore().unwrap_err().to_string().contains("has changed since the tile was deleted"));
}

#[test]
fn what_somebody_else_has_changed_is_told_and_not_overwritten() {
    let base = CopiedMod::of("base");
    let loaded = load(&base);
    let tile_set = &loaded.catalogue().tile_set;
    let folder = base.library().join("base");
    let mut tile = to_save(tile_set, &folder, "K", 5);
    base.edit("tiles.toml", "K = { count = 3", "K = { count = 4");
    let theirs = open_tile(&folder, "K").unwrap();
    assert_eq!(save_tile(tile_set, &folder, &tile).unwrap(), SaveResult::Conflict(Some(theirs)));
    assert!(delete_tile(&folder, "K", &tile.before.as_ref().unwrap().1).is_err());
    base.edit("tiles.toml", "K = { count = 4, city = \"n\", road = \"s-w\" }\n", "");
    assert_eq!(save_tile(tile_set, &folder, &tile).unwrap(), SaveResult::Conflict(None));
    tile.overwrites = true;
    assert!(matches!(save_tile(tile_set, &folder, &tile), Ok(SaveResult::Written(_))));
    assert!(base.read("tiles.toml").ends_with("K = { count = 5, city = \"n\", road = \"s-w\" }\n"));
}

#[cfg(unix)]
#[test]
fn nothing_is_written_outside_of_the_folder_of_the_mod() {
    let base = CopiedMod::of("base");
    let loaded = load(&base);
    let tile_set = &loaded.catalogue().tile_set;
    let folder = base.library().join("base");
    let tile = to_save(tile_set, &folder, "K", 5);
    let elsewhere = base.library().join("elsewhere.toml");
    fs::rename(folder.join("tiles.toml"), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, folder.join("tiles.toml")).unwrap();
    let before = fs::read_to_string(&elsewhere).unwrap();
    let error = save_tile(tile_set, &folder, &tile).unwrap_err();
    assert!(error.to_string().contains("a link that leads out of"), "{error}");
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), before);
}

#[test]
fn new_land_of_every_edge_style_is_valid_and_can_be_occupied() {
    let base = CopiedMod::of("base");
    let styles = [EdgeStyle::Full, EdgeStyle::Line, EdgeStyle::Ground, EdgeStyle::Inside];
    for (i, style) in styles.into_iter().enumerate() {
        declare_kind(&base.library().join("base"), &format!("land_{i}"), style, Some("follower")).unwrap();
    }
    let loaded = load(&base);
    let all = loaded.catalogue();
    for (i, style) in styles.into_iter().enumerate() {
        let kind = all.tile_set.kind_named(&format!("land_{i}")).unwrap();
        assert_eq!(all.tile_set.kind(kind).edge, style);
        assert!(all.pieces[0].stands_on.contains(kind), "{style:?}");
        assert!(all.points[usize::from(kind.0)].at_end.is_some(), "{style:?}");
    }
}
