//! A few small screenshots: board, tile sheet, panels. Only these tests need a Vulkan or GL driver;
//! Mesa's software driver is sufficient.

use crate::common::*;
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
