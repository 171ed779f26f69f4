//! Objects besides tiles: ferries, pieces at corners, bridges, markers and robbers on the track,
//! cards.

use std::fs;
use std::path::Path;

use crate::common::*;
use editor::{Command, HintLevel, StartOptions, Workspace};
use egui::epaint::Shape;
use egui::{Color32, Key, PointerButton, Pos2};
use egui_kittest::kittest::Queryable as _;
use table::{Corner, Location, Spot};
use tempfile::TempDir;

/// Opens a window with the game of a record whose text is `text`.
fn open_text(folder: &TempDir, text: &str) -> Window {
    let record = folder.path().join("a.game");
    fs::write(&record, text).unwrap();
    let mut start = StartOptions { open: Some(record), ..game(&["base"], 2, 0) };
    let small_mods = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/mods");
    start.mods.as_mut().unwrap().push(small_mods);
    open(start, 1400.0, 900.0)
}

/// A game just before a ferry is placed on the tile at 1,0.
const LAKE: &str = "bastide 1\nmods messages, ferries, robbers\nplayers red blue\n\ngiven score red 2 7\ngiven tile base/W -1,0 0\n\
    given piece red follower 0,0 road@e\ngiven piece blue robber space 7\ndraw ferries/FE-2\nplace 1,0 0\npass\n";

/// Tests a game with two markers for each player, a robber, a ferry and a pending message. Checks
/// the labels of the decisions, of the board and of the score track.
#[test]
fn markers_robbers_and_messages_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{LAKE}ferry 1,0 road@e road@s\n");
    let mut window = open_text(&folder, &text);
    window.get_by_label("Which score marker gets 3 points (road)?");
    assert!(window.query_by_label("Marker 1: from 2 to 5, dark").is_some());
    press(&mut window, Key::K);
    for label in ["red, marker 1: 2", "red, marker 2: 7", "robber space 7 of blue", "space 5, dark", "space 45, dark"] {
        assert!(window.query_by_label(label).is_some(), "{label}");
    }
    assert!(window.query_by_label("space 7, dark").is_none());
    // The message is drawn after the answer. The record contains this draw too.
    let window = open_text(&folder, &format!("{text}marker 1\ndraw messages/shields\n"));
    assert!(window.query_by_label("You have no shield in a city: 2 points.").is_some());
    assert!(window.query_by_label("Card messages/shields").is_some(), "the picture of the card is beside the question");
}

#[test]
fn words_of_a_question_and_cards_say_what_they_mean() {
    let folder = tempfile::tempdir().unwrap();
    let text = "bastide 1\nmods score-markers\nplayers red blue\n\ngiven score red 1 2\ngiven tile base/W -1,0 0\n\
        given piece red follower 0,0 road@e\ndraw base/W\nplace 1,0 0\npass\nmarker 2\ndraw score-markers/walk\n";
    let window = open_text(&folder, text);
    let said = ["Letter card", "Draw a letter and do what it says", "Letter points", "Take two points and leave it"];
    for label in said.into_iter().chain(["Card score-markers/walk"]) {
        assert!(window.query_by_label(label).is_some(), "{label}");
    }
    let view = session(&window).view();
    let letters = view.decks().iter().position(|deck| deck.name == "letters").unwrap();
    let about: Vec<&str> = view.cards_of_deck(letters).iter().map(|card| card.about).collect();
    assert!(about.contains(&"Five points.") && about.contains(&"Another tile."), "{about:?}");
}

/// Counts the white dots drawn within the rectangle of a spot.
fn dots(window: &Window, spot: Spot) -> usize {
    fn count(shape: &Shape, is_there: &dyn Fn(Pos2) -> bool) -> usize {
        match shape {
            Shape::Circle(it) => usize::from(it.fill == Color32::WHITE && is_there(it.center)),
            Shape::Vec(shapes) => shapes.iter().map(|shape| count(shape, is_there)).sum(),
            _ => 0,
        }
    }
    let rect = app(window).board().screen_rect_of(spot);
    window.output().shapes.iter().map(|clipped| count(&clipped.shape, &|at| rect.contains(at))).sum()
}

#[test]
fn a_ferry_is_drawn_from_end_to_end() {
    let folder = tempfile::tempdir().unwrap();
    let window = open_text(&folder, LAKE);
    assert_eq!(dots(&window, Spot::new(1, 0)), 0);
    let labels: Vec<String> = session(&window).view().option_views().into_iter().map(|it| it.label).collect();
    assert!(labels.contains(&"Ferry road, east and south".to_owned()), "{labels:?}");
    let window = open_text(&folder, &format!("{LAKE}ferry 1,0 road@e road@s\n"));
    assert_eq!(dots(&window, Spot::new(1, 0)), 12);
    assert_eq!(dots(&window, Spot::new(0, 0)), 0);
}

#[test]
fn a_piece_is_put_at_a_corner_by_a_click_on_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = "bastide 1\nmods corners\nplayers red blue\n\ndraw base/U\nplace 1,0 0\n";
    let mut window = open_text(&folder, text);
    let view = session(&window).view();
    let option = view.option_views().into_iter().find(|shown| shown.text == "signpost corner 1,0").unwrap();
    assert_eq!(option.label, "Signpost at the north-west corner of the last tile");
    let at = app(&window).board().screen_pos_of_option(option.answer).unwrap();
    assert_eq!(at, app(&window).board().screen_rect_of(Spot::new(1, 0)).min, "the mark is at the corner");
    click_at(&mut window, at, PointerButton::Primary);
    let place = session(&window).view().pieces().next().map(|piece| piece.place);
    assert_eq!(place, Some(Location::Corner(Corner { x: 1, y: 0 })));
}

#[test]
fn a_bridge_is_built_over_a_tile_and_lies_there() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "bastide 1\nmods bridges\nplayers red blue\n\ngiven tile base/E 0,-1 180\ndraw base/B\npass\nplace 0,-2 0\n";
    let mut window = open_text(&folder, text);
    click(&mut window, "Span 0,-1 e-w");
    let view = session(&window).view();
    let laid = view.tile_at(Spot::new(0, -1)).unwrap();
    assert_eq!(view.tiles_declared().name(laid.tile), "base/E+bridges/bridge");
    assert!(view.zone_named(Spot::new(0, -1), "road@e").is_some());
}

#[test]
fn overlays_that_are_on_have_a_legend_that_turns_them_off() {
    let mut window = open(game(&["base"], 2, 0), 1024.0, 700.0);
    press(&mut window, Key::H);
    press(&mut window, Key::G);
    let odds = "Odds: remaining tiles that fit; a cross if none  ×";
    let grid = "Grid: the bright lines cross at 0,0  ×";
    assert!(window.query_by_label(odds).is_some() && window.query_by_label(grid).is_some());
    click(&mut window, odds);
    assert!(window.query_by_label(odds).is_none() && window.query_by_label(grid).is_some());
    // The hint level Purist shows neither odds nor their legend.
    press(&mut window, Key::H);
    window.state_mut().as_mut().unwrap().settings.hints = HintLevel::Purist;
    window.run_steps(3);
    assert!(window.query_by_label(odds).is_none() && window.query_by_label(grid).is_some());
}

/// Returns the legal spots of the drawn tile, in points of the screen.
fn places_on_screen(window: &Window) -> Vec<egui::Rect> {
    let view = session(window).view();
    view.places().iter().map(|place| app(window).board().screen_rect_of(place.spot)).collect()
}

#[test]
fn legends_of_overlays_lie_over_no_place_of_the_tile() {
    for (width, height) in [(1024.0, 600.0), (390.0, 844.0)] {
        let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), width, height);
        for _ in 0..10 {
            let key = if asks_for_piece(session(&window)) { Key::Space } else { Key::Enter };
            press(&mut window, key);
        }
        let before = places_on_screen(&window);
        let overlays = [Command::OverlayFields, Command::OverlayOwners, Command::OverlayOdds, Command::OverlayNames];
        for command in overlays {
            window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), command);
        }
        window.run_steps(6);
        let legends = ["Ground:", "Owners:", "Odds:", "Names of"];
        let legends = legends.map(|text| window.get_by_label_contains(text).rect());
        let meets = |places: &[egui::Rect]| places.iter().any(|place| legends.iter().any(|it| it.intersects(*place)));
        assert!(meets(&before), "without more room, a legend would cover a place");
        assert!(!meets(&places_on_screen(&window)), "{width} × {height}: {legends:?}");
    }
}

#[test]
fn the_card_of_the_drawn_tile_does_not_repeat_a_tile_that_is_shown_large() {
    let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), 390.0, 844.0);
    let is_shown = |window: &Window, label: &str| window.query_all_by_label_contains(label).next().is_some();
    for _ in 0..60 {
        if asks_for_piece(session(&window)) && is_shown(&window, "Where?") {
            break;
        }
        let key = if asks_for_piece(session(&window)) { Key::Space } else { Key::Enter };
        press(&mut window, key);
    }
    assert!(is_shown(&window, "Where?") && is_shown(&window, ", large"));
    assert!(is_shown(&window, "Back of a tile") && !is_shown(&window, "Last tile"));
    press(&mut window, Key::Escape);
    window.run_steps(3);
}

#[test]
fn on_a_phone_the_card_of_the_question_fits_its_content() {
    let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), 390.0, 844.0);
    let bottom = |window: &Window, label: &str| window.get_by_label(label).rect().bottom();
    let floor = window.get_by_role_and_label(egui::Role::Canvas, "Board").rect().bottom();
    // The last line of the card lies at its lower edge, near the lower edge of the board.
    assert!((floor - bottom(&window, "Next place")).abs() < 26.0, "{floor} {}", bottom(&window, "Next place"));
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    assert!(asks_for_piece(session(&window)));
    assert!((floor - bottom(&window, "No piece")).abs() < 26.0, "{floor} {}", bottom(&window, "No piece"));
    // All choices are visible at once.
    let places: Vec<egui::Rect> = session(&window)
        .view()
        .option_views()
        .iter()
        .filter_map(|shown| window.query_by_label(&shown.label).map(|node| node.rect()))
        .collect();
    assert!(places.len() > 2 && places.iter().all(|rect| rect.bottom() < floor), "{places:?}");
}
