//! Tests of the explanation of points: the score sheet, the event log and the numbers on the board.

use crate::common::*;
use crate::play::is_read;
use editor::StartOptions;
use egui::{Key, PointerButton};
use egui_kittest::kittest::Queryable as _;
use table::Seat;

/// Opens a game in which red has just completed a city of two tiles. The folder holds the record.
fn city_of_two_tiles() -> (Window, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("city.game");
    let text = "bastide 1\nmods base\nplayers red blue\n\ngiven piece red follower 0,0 city@n\n\
        draw base/E\nplace 0,-1 180\npass\n";
    std::fs::write(&record, text).unwrap();
    (open(StartOptions { open: Some(record), ..game(&["base"], 2, 0) }, 1400.0, 900.0), folder)
}

#[test]
fn a_click_on_points_shows_on_the_board_what_was_counted() {
    let (mut window, _folder) = city_of_two_tiles();
    let numbers = |window: &Window| app(window).board().screen_pos_of_counts();
    let is_counted = |window: &Window, n: usize, y: i16| {
        let tile = app(window).board().screen_rect_of(table::Spot::new(0, y));
        numbers(window).iter().any(|(number, at)| *number == n && tile.contains(*at))
    };
    window.state_mut().as_mut().unwrap().show_breakdown(Seat(0));
    window.run_steps(4);
    assert!(numbers(&window).is_empty());
    click(&mut window, "red, city: 2 points");
    assert_eq!(numbers(&window).len(), 2, "both tiles of the city are counted");
    assert!(is_counted(&window, 1, -1) && is_counted(&window, 2, 0));
    assert!(is_read(&window, "red +2: city") && is_read(&window, "2 tiles × 2"));
    assert!(!is_read(&window, "red: +2 for city"), "the bubble needs no legend");
    // Esc closes the explanation first, and then the score sheet.
    press(&mut window, Key::Escape);
    assert!(numbers(&window).is_empty() && !is_read(&window, "red +2: city"));
    assert_eq!(app(&window).view_state().windows.breakdown, Some(Seat(0)));
    press(&mut window, Key::Escape);
    assert_eq!(app(&window).view_state().windows.breakdown, None);
    // A click on an award in the event log also shows the explanation. Its button closes it.
    let row = window.query_all_by_label_contains("+2 city").next().unwrap().rect().center();
    click_at(&mut window, row, PointerButton::Primary);
    assert_eq!(numbers(&window).len(), 2);
    click(&mut window, "Close");
    assert!(numbers(&window).is_empty());
    // A move closes the explanation.
    click_at(&mut window, row, PointerButton::Primary);
    assert_eq!(numbers(&window).len(), 2);
    press(&mut window, Key::End);
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    assert!(numbers(&window).is_empty());
}

/// Tests the texts that explain the points of a complete city of two tiles, and the texts for the
/// field with a farmer beside it.
#[test]
fn sums_and_fields_are_said_as_people_do() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("city.game");
    let text = "bastide 1\nmods base\nplayers red blue\n\ngiven piece red follower 0,0 city@n\n\
        given piece blue follower 0,0 field@e1\ndraw base/E\nplace 0,-1 180\npass\n";
    std::fs::write(&record, text).unwrap();
    let start = StartOptions { open: Some(record), ..game(&["base"], 2, 0) };
    let mut window = open(start, 1400.0, 900.0);
    let view = session(&window).view();
    assert_eq!(view.scores(), [2, 0], "{:?}", app(&window).notifications());
    let award = view.awards()[0].clone();
    assert_eq!(table::formula_words(view, &award).as_deref(), Some("2 tiles × 2"));
    let field = view.pieces().find_map(|piece| piece.feature).unwrap();
    let words = table::describe_feature(view, field);
    assert!(words.starts_with("field · 1 complete city · ") && !words.contains("open side"), "{words}");
    // The breakdown is beside the board and does not cover the city.
    window.state_mut().as_mut().unwrap().show_breakdown(Seat(0));
    window.run_steps(4);
    let sum = window.get_by_label("2 tiles × 2").rect();
    let spot = app(&window).board().screen_rect_of(table::Spot::new(0, 0));
    assert!(sum.left() > app(&window).board().screen_rect().center().x && !sum.intersects(spot), "{sum:?} {spot:?}");
}
