//! The answers to a decision: all of them are visible and none overlaps another, in windows of any
//! size.

use crate::common::*;
use editor::StartOptions;
use egui::{Key, Rect};
use egui_kittest::kittest::Queryable as _;
use table::Answer;

/// Opens a game with a tile that has two fields and a road, at the end of a row of `length` tiles.
/// Followers, large followers and other pieces can be deployed on this tile.
fn many_answers(length: i32, width: f32, height: f32, n_players: usize) -> Window {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("many.game");
    let players = ["red", "blue", "green", "yellow", "black", "pink"][..n_players].join(" ");
    let row: String = (1..=length).map(|x| format!("given tile base/U {x},0 0\n")).collect();
    let text = format!(
        "bastide 1\nmods base, inns-cathedrals, builders-traders\nplayers {players}\n\n{row}draw base/U\nplace {},0 0\n",
        length + 1
    );
    std::fs::write(&record, text).unwrap();
    let window = open(StartOptions { open: Some(record), ..game(&["base"], 2, 0) }, width, height);
    assert!(asks_for_piece(session(&window)), "{:?}", app(&window).notifications());
    window
}

fn rect_of(window: &Window, label: &str) -> Rect {
    window.get_by_label(label).rect()
}

#[test]
fn no_answer_is_cut_off() {
    for (width, height, n_players) in [(1366.0, 768.0, 2), (1366.0, 768.0, 6), (1024.0, 600.0, 6), (683.0, 400.0, 6)] {
        let window = many_answers(2, width, height, n_players);
        let pass = rect_of(&window, "No piece");
        let screen = Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, height));
        assert!(screen.contains_rect(pass) && pass.height() > 15.0, "{width}x{height}: {pass:?}");
        let first_card = rect_of(&window, "Player red");
        assert!(pass.bottom() <= first_card.top(), "{width}x{height}: {pass:?} lies on {first_card:?}");
        let last = ["red", "blue", "green", "yellow", "black", "pink"][n_players - 1];
        if height > 500.0 {
            let card = rect_of(&window, &format!("Player {last}"));
            assert!(screen.contains_rect(card), "{width}x{height}: {card:?}");
        }
    }
}

#[test]
fn equal_answers_are_told_apart() {
    let window = many_answers(2, 1366.0, 768.0, 2);
    let mut labels: Vec<String> = session(&window).view().option_views().into_iter().map(|o| o.label).collect();
    assert!(labels.iter().any(|label| label == "Follower on the road"), "{labels:?}");
    assert!(labels.iter().any(|label| label == "Follower on the field, north"), "{labels:?}");
    assert!(labels.iter().any(|label| label == "Follower on the field, south"), "{labels:?}");
    let n = labels.len();
    labels.sort();
    labels.dedup();
    assert_eq!(labels.len(), n, "{labels:?}");
}

/// Zooms out `n` steps.
fn zoom_out(window: &mut Window, n: usize) {
    (0..n).for_each(|_| press(window, Key::Minus));
}

/// Returns the areas of the marks on the board.
fn marks(window: &Window) -> Vec<Rect> {
    window.query_all_by_label_contains("On the board: ").map(|node| node.rect()).collect()
}

#[test]
fn marks_on_small_tiles_do_not_pile_up() {
    for n_steps in [0, 3, 6, 10] {
        let mut window = many_answers(2, 1366.0, 768.0, 2);
        zoom_out(&mut window, n_steps);
        let marks = marks(&window);
        assert!(!marks.is_empty());
        for (i, mark) in marks.iter().enumerate() {
            let hides = |other: &Rect| (other.center() - mark.center()).length() < 0.75 * mark.width();
            assert!(!marks[..i].iter().any(hides), "{n_steps} steps: {marks:?}");
        }
    }
}

#[test]
fn a_small_tile_is_shown_large_by_itself() {
    let mut window = many_answers(2, 1366.0, 768.0, 2);
    zoom_out(&mut window, 6);
    let laid = session(&window).view().tiles().last().unwrap().spot;
    assert!(app(&window).board().screen_rect_of(laid).width() < 64.0);
    window.run_steps(2);
    let large: Vec<Rect> = window.query_all_by_label_contains("Large: ").map(|node| node.rect()).collect();
    let n_deploys = session(&window).view().answers().iter().filter(|a| matches!(a, Answer::Deploy { .. })).count();
    assert_eq!(large.len(), n_deploys);
    assert!(large.iter().all(|rect| rect.width() > 30.0));
    // The first Escape closes the enlarged tile, and the placement stays.
    press(&mut window, Key::Escape);
    assert_eq!(window.query_all_by_label_contains("Large: ").count(), 0);
    assert!(asks_for_piece(session(&window)));
    press(&mut window, Key::E);
    assert!(window.query_all_by_label_contains("Large: ").count() > 0);
    // A click on a spot in the large tile gives the answer.
    window.query_all_by_label_contains("Large: Follower on the road").next().unwrap().click();
    window.run_steps(4);
    assert!(session(&window).steps().iter().any(|s| s.text.starts_with("deploy follower")), "it was put");
}

#[test]
fn a_large_tile_needs_no_window() {
    let window = many_answers(1, 1366.0, 768.0, 2);
    let laid = session(&window).view().tiles().last().unwrap().spot;
    assert!(app(&window).board().screen_rect_of(laid).width() > 64.0);
    assert_eq!(window.query_all_by_label_contains("Large: ").count(), 0);
}

#[test]
fn each_spot_has_one_ghost_that_stays_on_its_land() {
    let mut window = many_answers(1, 1366.0, 768.0, 2);
    let view = session(&window).view();
    let mut zones: Vec<_> = view
        .answers()
        .iter()
        .filter_map(|answer| match answer {
            Answer::Deploy { zone, .. } => Some(*zone),
            _ => None,
        })
        .collect();
    let n_answers = zones.len();
    zones.sort();
    zones.dedup();
    assert!(n_answers >= 5 && zones.len() < n_answers);
    let tile = app(&window).board().screen_rect_of(view.tiles().last().unwrap().spot);
    let marks = marks(&window);
    assert_eq!(marks.len(), zones.len());
    assert!(marks.iter().all(|mark| tile.expand(1.0).contains_rect(*mark)), "{marks:?} leave {tile:?}");
    // A click on a mark opens the choice of pieces, and a key deploys one.
    let first = view.option_views()[0].answer;
    let at = app(&window).board().screen_pos_of_option(first).unwrap();
    click_at(&mut window, at, egui::PointerButton::Primary);
    assert!(window.query_all_by_label_contains("Large").next().is_some());
    press(&mut window, Key::Num1);
    assert!(!asks_for_piece(session(&window)), "the first answer was given");
}
