//! A few small screenshots: board, tile sheet, panels. Only these tests need a Vulkan or GL driver;
//! Mesa's software driver is sufficient.

use crate::common::*;
use editor::{Command, StartOptions};
use egui::Key;
use egui_kittest::SnapshotOptions;

/// Returns options that tolerate small differences, because versions of software drivers draw edges
/// a little differently.
fn tolerant() -> SnapshotOptions {
    SnapshotOptions::new().threshold(2.0).max_failed_pixels(1500)
}

#[test]
fn a_board_in_the_middle_of_a_game() {
    let mut window = open(game(&["base"], 2, 0), 560.0, 420.0);
    for _ in 0..12 {
        let key = if asks_for_piece(session(&window)) { Key::Num1 } else { Key::Enter };
        press(&mut window, key);
    }
    window.remove_cursor();
    window.run_steps(4);
    window.snapshot_options("board", &tolerant());
}

#[test]
fn the_tiles_that_are_left() {
    let mut window = open(game(&["base"], 2, 0), 700.0, 480.0);
    press(&mut window, Key::T);
    window.remove_cursor();
    window.run_steps(4);
    window.snapshot_options("remaining", &tolerant());
}

#[test]
fn six_players_in_little_room() {
    let mut window = open(game(&["base"], 6, 0), 640.0, 480.0);
    window.remove_cursor();
    window.run_steps(4);
    window.snapshot_options("six_players", &tolerant());
}

/// Four kinds of land of a mod without a theme, on the tiles of one mod.
#[test]
fn four_new_kinds_of_land() {
    let base = testkit::CopiedMod::of("base");
    let folder = base.library().join("lands");
    std::fs::create_dir(&folder).unwrap();
    let kinds = "[kind.vineyard]\nedge = \"full\"\n[kind.lake]\nedge = \"full\"\n[kind.canal]\nedge = \"line\"\n\
                 [kind.shrine]\nedge = \"inside\"\n";
    let manifest = "[mod]\nid = \"lands\"\nversion = \"1.0.0\"\napi = 1\nrequires = [\"base\"]\n";
    std::fs::write(folder.join("mod.toml"), format!("{manifest}{kinds}")).unwrap();
    let tiles = "[tile]\nv1 = { count = 2, vineyard = \"n\", road = \"e-w\" }\nv2 = { count = 1, vineyard = \"n-w\", lake = \"s\" }\n\
                 l1 = { count = 2, lake = \"n-e\", canal = \"s-w\" }\nc1 = { count = 2, canal = \"n-s\" }\n\
                 c2 = { count = 1, canal = \"n-e\", city = \"w\" }\nm1 = { count = 1, city = \"n\", lake = \"e-s-w\" }\n\
                 s1 = { count = 1, shrine = true, road = \"s\" }\n";
    std::fs::write(folder.join("tiles.toml"), tiles).unwrap();
    let start = StartOptions { mods: Some(vec![base.library().to_owned()]), ..game(&["base", "lands"], 2, 0) };
    let mut window = open(start, 1000.0, 900.0);
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), Command::Tiles);
    window.run_steps(6);
    crate::tiles::type_into(&mut window, "Find tiles", "lands/");
    window.remove_cursor();
    window.run_steps(4);
    window.snapshot_options("new_land", &tolerant());
    // The designer offers to change the look of these lands.
    click(&mut window, "Tile lands/v2");
    click(&mut window, "Open in the designer");
    window.run_steps(6);
    click(&mut window, "none…");
    window.remove_cursor();
    window.run_steps(4);
    window.snapshot_options("look", &tolerant());
}
