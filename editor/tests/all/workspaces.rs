//! Tests of the two workspaces of the window: the board with cards, and the panels.

use crate::common::*;
use editor::{Action, COMMANDS, Command, Workspace};
use egui::{Key, Modifiers, PointerButton, pos2, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use testkit::CopiedMod;

fn playing(width: f32, height: f32) -> Window {
    open_in(Workspace::Play, game(&["base", "inns-cathedrals"], 4, 0), width, height)
}

fn command(window: &mut Window, command: Command) {
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), command);
    window.run_steps(4);
}

/// Returns the rectangle of the board.
fn board(window: &Window) -> egui::Rect {
    window.get_by_role_and_label(egui::Role::Canvas, "Board").rect()
}

fn shows(window: &Window, label: &str) -> bool {
    window.query_by_label(label).is_some()
}

#[test]
fn turns_are_played_on_a_board_that_fills_the_window() {
    let mut window = open_in(Workspace::Play, game(&["base"], 4, 0), 1366.0, 768.0);
    let board = board(&window);
    assert!(board.width() > 1345.0 && board.area() > 0.9 * 1366.0 * 768.0, "{board}");
    for _ in 0..6 {
        let n_tiles = session(&window).view().tiles().len();
        let spot = app(&window).board().screen_rect_of(first_place(session(&window)));
        assert!(app(&window).board().screen_rect().contains_rect(spot), "no card covers a place");
        click_at(&mut window, spot.center(), PointerButton::Primary);
        assert_eq!(session(&window).view().tiles().len(), n_tiles + 1);
        if asks_for_piece(session(&window)) {
            let option = session(&window).view().option_views()[0].answer;
            let mark = app(&window).board().screen_pos_of_option(option).unwrap();
            click_at(&mut window, mark, PointerButton::Primary);
        }
    }
    assert_eq!(session(&window).turn(), 7);
}

#[test]
fn clicks_and_the_wheel_on_cards_do_not_reach_the_board() {
    let mut window = playing(1366.0, 768.0);
    let card = window.get_by_label("Player red").rect();
    let before = app(&window).board().screen_rect_of(table::Spot::new(0, 0));
    window.hover_at(card.center());
    window.run_steps(2);
    window.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, 80.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    });
    window.run_steps(6);
    assert_eq!(app(&window).board().screen_rect_of(table::Spot::new(0, 0)), before);
    let n_steps = session(&window).steps().len();
    click_at(&mut window, pos2(card.right() + 3.0, card.top() - 4.0), PointerButton::Primary);
    assert_eq!(session(&window).steps().len(), n_steps);
    assert!(app(&window).board().facing_of_ghost().is_none());
}

#[test]
fn log_and_time_bar_come_on_demand_and_in_the_past() {
    let mut window = playing(1366.0, 768.0);
    assert!(!shows(&window, "Search the event log") && !shows(&window, "Previous turn"));
    press_with(&mut window, Modifiers::COMMAND, Key::Backtick);
    assert!(shows(&window, "Search the event log") && shows(&window, "Previous turn"));
    let log = window.get_by_label("Search the event log").rect();
    assert!(app(&window).board().screen_rect().bottom() <= log.top(), "the log covers no tile");
    click(&mut window, "Log");
    assert!(!shows(&window, "Search the event log") && !shows(&window, "Previous turn"));
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    press_with(&mut window, Modifiers::COMMAND, Key::ArrowLeft);
    assert!(!session(&window).is_live());
    assert!(shows(&window, "Previous turn"), "the time bar shows that the position is in the past");
    press(&mut window, Key::End);
    assert!(!shows(&window, "Previous turn"));
    command(&mut window, Command::EventLog);
    assert!(shows(&window, "Search the event log"));
}

#[test]
fn cards_name_the_bots_only() {
    let window = open_in(Workspace::Play, game(&["base"], 2, 1), 1366.0, 768.0);
    assert!(shows(&window, "Who plays red: Human") && shows(&window, "Who plays blue: random"));
    let badge = |name: &str| window.get_by_label(name).rect().width();
    assert!(badge("Who plays red: Human") < badge("Who plays blue: random"), "people have no word on their cards");
}

#[test]
fn log_and_time_bar_are_folded_in_make_until_the_user_opens_them() {
    for (width, height) in [(1366.0, 768.0), (1024.0, 600.0)] {
        let mut window = open_in(Workspace::Make, game(&["base"], 2, 0), width, height);
        assert!(!shows(&window, "Search the event log") && !shows(&window, "Previous turn"));
        let board = app(&window).board().screen_rect().height();
        assert!(board > height - 120.0, "{board}");
        click(&mut window, "Log");
        assert!(shows(&window, "Search the event log") && shows(&window, "Previous turn"));
        assert!(!app(&window).settings.shows_log, "the log in Play is another");
        assert!(app(&window).settings.layout.is_some(), "the next run of the window shows the log again");
        press(&mut window, Key::F2);
        assert!(!shows(&window, "Search the event log"));
        press(&mut window, Key::F2);
        assert!(shows(&window, "Search the event log"));
        click(&mut window, "Log");
        assert!(!shows(&window, "Previous turn") && shows(&window, "Undo"));
    }
}

#[test]
fn a_low_window_shows_the_workspaces_and_all_entries_of_menus() {
    let mut window = playing(683.0, 400.0);
    for label in ["Play", "Make"] {
        assert!(window.get_by_label(label).rect().right() < 683.0, "{label}");
    }
    // The label of an entry also contains its key.
    let bottom = |window: &Window, label: &str| {
        window.query_all_by_label_contains(label).next().expect("the entry").rect().bottom()
    };
    for (menu, last) in [("Game", "Quit"), ("View", "Full screen"), ("Mods", "Keep the board, apply the new rules")] {
        click(&mut window, menu);
        assert!(bottom(&window, last) > 400.0, "{menu}: the last entries are below the window");
        window.hover_at(pos2(window.get_by_label(menu).rect().center().x + 40.0, 200.0));
        window.run_steps(2);
        window.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, -2000.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Unknown,
            modifiers: Modifiers::NONE,
        });
        window.run_steps(60);
        assert!(bottom(&window, last) < 400.0, "{menu}: {last}");
        press(&mut window, Key::Escape);
    }
}

#[test]
fn one_key_changes_between_playing_and_making_and_the_game_stays() {
    let mut window = playing(1366.0, 768.0);
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    let record = session(&window).record_text();
    assert!(!shows(&window, "Balance"));
    press(&mut window, Key::F2);
    assert!(shows(&window, "Balance") && shows(&window, "Rules") && shows(&window, "Player red"));
    command(&mut window, Command::Balance);
    assert!(!shows(&window, "Player red"), "the cards of the players are hidden");
    press(&mut window, Key::F2);
    assert!(!shows(&window, "Balance") && shows(&window, "Player red"));
    assert_eq!(session(&window).record_text(), record);
    // In Play, keys act on the game, although another tab is in front in Make.
    let n_steps = session(&window).steps().len();
    press(&mut window, Key::Space);
    assert!(session(&window).steps().len() > n_steps);
    assert_eq!(app(&window).settings.workspace, Workspace::Play);
    // The key also works while the user types rules.
    command(&mut window, Command::Rules);
    assert!(window.get_by_role(egui::Role::MultilineTextInput).accesskit_node().is_focused());
    press(&mut window, Key::F2);
    assert_eq!(app(&window).settings.workspace, Workspace::Play);
    press(&mut window, Key::F2);
    assert!(window.query_by_role(egui::Role::MultilineTextInput).is_some());
}

#[test]
fn in_a_tall_window_other_tabs_have_the_room_of_the_game() {
    let mut window = open_in(Workspace::Make, game(&["base"], 2, 0), 390.0, 844.0);
    assert!(shows(&window, "Player red"));
    for tab in [Command::Tests, Command::Tiles, Command::Balance] {
        command(&mut window, tab);
        assert!(!shows(&window, "Player red"), "{tab:?}");
    }
    command(&mut window, Command::Tests);
    window.set_size(vec2(1366.0, 768.0));
    window.run_steps(4);
    assert!(!shows(&window, "Player red"));
    command(&mut window, Command::ResetLayout);
    assert!(shows(&window, "Player red"));
}

#[test]
fn commands_of_other_panels_change_to_make() {
    for pane in [Command::Rules, Command::Tiles, Command::ModsPanel, Command::Tests, Command::Console, Command::Trace] {
        let mut window = playing(1366.0, 768.0);
        command(&mut window, pane);
        assert_eq!(app(&window).settings.workspace, Workspace::Make, "{pane:?}");
        assert!(shows(&window, "Balance"));
    }
    let base = CopiedMod::of("base");
    let start = editor::StartOptions { mods: Some(vec![base.library().to_owned()]), ..game(&["base"], 2, 0) };
    let mut window = open_in(Workspace::Play, start, 1366.0, 768.0);
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), Action::OpenFile(base.file("mod.toml"), 1));
    window.run_steps(4);
    assert_eq!(app(&window).shown_text(), Some(&*base.file("mod.toml")));
    assert_eq!(app(&window).settings.workspace, Workspace::Make);
}

#[test]
fn a_very_narrow_window_has_panels_instead_of_cards() {
    let window = playing(330.0, 700.0);
    let below = board(&window);
    for label in ["Player red", "Player yellow"] {
        let card = window.get_by_label(label);
        assert!(!below.intersects(card.rect().shrink(1.0)), "{label}");
        assert!(!card.accesskit_node().is_hidden());
    }
    for (width, height) in [(683.0, 400.0), (1024.0, 600.0)] {
        let window = playing(width, height);
        assert!(board(&window).contains_rect(window.get_by_label("Player yellow").rect()), "{width}");
        let place = app(&window).board().screen_rect_of(first_place(session(&window)));
        assert!(place.right() < window.get_by_label("Player red").rect().left(), "{width}: no card covers a place");
    }
}

/// Clicks with the mouse reach the widgets of cards, and clicks between them do not reach the
/// board.
#[test]
fn cards_react_to_the_mouse() {
    for (width, height) in [(1366.0, 768.0), (390.0, 844.0)] {
        let mut window = playing(width, height);
        let click_on = |window: &mut Window, label: &str| {
            let centre = window.query_all_by_label_contains(label).next().unwrap().rect().center();
            click_at(window, centre, PointerButton::Primary);
        };
        click_on(&mut window, "Next place");
        assert!(app(&window).view_state().chosen.is_some(), "{width}x{height}");
        let camera = app(&window).board().screen_rect_of(first_place(session(&window)));
        let uncovered_corner = window.get_by_label("Player yellow").rect().right_top() + vec2(3.0, 0.0);
        click_on(&mut window, "Player yellow");
        assert!(app(&window).view_state().lit_player.is_some());
        // Between the cards' widgets, a click does nothing.
        click_at(&mut window, uncovered_corner, PointerButton::Primary);
        assert_eq!(app(&window).board().screen_rect_of(first_place(session(&window))), camera);
    }
}

/// On a phone, the cards are below the board, the question is as wide as the window, and a bar
/// below the menus has the buttons for which the menu bar has no room.
#[test]
fn a_phone_has_cards_below_the_board() {
    let mut window = playing(390.0, 844.0);
    let rect = |window: &Window, label: &str| window.query_all_by_label_contains(label).next().unwrap().rect();
    let question = rect(&window, "Next place");
    assert!(question.width() > 330.0, "{question}");
    for player in ["Player red", "Player yellow"] {
        let card = rect(&window, player);
        assert!(card.width() > 200.0 && card.bottom() < question.top(), "{player}: {card}");
    }
    let uncovered = app(&window).view_state().uncovered.unwrap();
    assert!(uncovered.height() > 0.45 * 844.0 && uncovered.bottom() <= rect(&window, "Player red").top());
    assert!(shows(&window, "Turn") && shows(&window, "Turn back"));
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    let n_steps = session(&window).position_index();
    click(&mut window, "Undo");
    assert!(session(&window).position_index() < n_steps);
    click(&mut window, "Make");
    assert_eq!(app(&window).settings.workspace, Workspace::Make);
    click(&mut window, "Play");
    assert_eq!(app(&window).settings.workspace, Workspace::Play);
}

/// Lays the drawn tile on the first place, and runs two frames.
fn lay(window: &mut Window) {
    let spot = app(window).board().screen_rect_of(first_place(session(window)));
    window.hover_at(spot.center());
    window.run_steps(2);
    for pressed in [true, false] {
        let button = PointerButton::Primary;
        window.event(egui::Event::PointerButton { pos: spot.center(), button, pressed, modifiers: Modifiers::NONE });
        window.run_steps(1);
    }
    window.run_steps(1);
}

#[test]
fn a_laid_tile_drops_and_then_the_board_is_still() {
    let mut window = open_moving(game(&["base"], 2, 0), 1366.0, 768.0, 0.05);
    lay(&mut window);
    assert_eq!(session(&window).view().tiles().len(), 2);
    assert!(!app(&window).board().is_still(), "the tile drops");
    window.run_steps(8);
    assert!(app(&window).board().is_still());
    // Going back shows the earlier position immediately.
    press_with(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(session(&window).view().tiles().len(), 1);
    assert!(app(&window).board().is_still());
}

#[test]
fn any_key_ends_a_movement() {
    let mut window = open_moving(game(&["base"], 2, 0), 1366.0, 768.0, 0.02);
    lay(&mut window);
    assert!(!app(&window).board().is_still());
    window.key_press(Key::G);
    window.run_steps(4);
    assert!(app(&window).board().is_still());
}

#[test]
fn a_placed_piece_lands_unless_less_motion_is_set() {
    for less in [false, true] {
        let mut window = open_moving(game(&["base"], 2, 0), 1366.0, 768.0, 0.02);
        window.state_mut().as_mut().unwrap().settings.motion = !less;
        lay(&mut window);
        window.run_steps(20);
        assert!(asks_for_piece(session(&window)));
        // Chooses the second option, because a follower on the city would score and return
        // immediately.
        window.key_press(Key::Num2);
        window.run_steps(4);
        assert_eq!(session(&window).view().pieces().count(), 1);
        assert_eq!(app(&window).board().is_still(), less);
    }
}

#[test]
fn every_command_is_carried_out() {
    // A command that no code carries out is an internal error, on which this test fails.
    let is_long = |command| matches!(command, Command::RunTests | Command::RunBalance | Command::FindPuzzles);
    for workspace in [Workspace::Play, Workspace::Make] {
        let mut window = open_in(workspace, game(&["base"], 2, 1), 1366.0, 768.0);
        for info in COMMANDS.iter().filter(|info| !is_long(info.command)) {
            window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), info.command);
            window.step();
            // Closes what the command has opened.
            window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), Command::TakeBack);
            window.step();
        }
    }
}

/// The status line says what the turn before brought. A click on it shows the log.
#[test]
fn players_see_what_the_turn_before_brought() {
    let mut window = playing(1366.0, 768.0);
    while session(&window).turn() < 2 {
        let key = if asks_for_piece(session(&window)) { Key::Space } else { Key::Enter };
        press(&mut window, key);
    }
    window.run_steps(30);
    assert!(!app(&window).settings.shows_log);
    let line = window.query_all_by_label_contains("red lays ").next().expect("the line").rect().center();
    click_at(&mut window, line, PointerButton::Primary);
    window.run_steps(4);
    assert!(app(&window).settings.shows_log);
}
