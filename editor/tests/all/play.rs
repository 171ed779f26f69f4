//! Tests of play in the window: clicks, keys, and going back to earlier turns.

use crate::common::*;
use editor::{COMMANDS, Command, HintLevel, StartOptions};
use egui::{Key, Modifiers, PointerButton};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use table::{Actor, Answer, AwaitedActor, Seat, Setup, zone_label};
use testkit::{mods_folder, small_mods_folder};

#[test]
fn three_turns_are_played_by_clicking() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    for turn in 1..=3 {
        assert_eq!(session(&window).turn(), turn);
        let n_tiles = session(&window).view().tiles().len();
        let spot = first_place(session(&window));
        let at = app(&window).board().screen_rect_of(spot).center();
        click_at(&mut window, at, PointerButton::Primary);
        assert_eq!(session(&window).view().tiles().len(), n_tiles + 1, "the click lays the tile");
        if turn == 1 {
            assert!(asks_for_piece(session(&window)));
            press(&mut window, Key::Num1);
            let step = session(&window).steps().iter().rfind(|s| s.who != Actor::Chance).unwrap();
            assert!(step.text.starts_with("deploy "), "{}", step.text);
        } else if asks_for_piece(session(&window)) {
            press(&mut window, Key::Space);
        }
    }
    assert_eq!(session(&window).turn(), 4);
}

/// Returns the options to open a game with these small mods, which exist only for tests.
pub fn small_game(ids: &[&str]) -> StartOptions {
    StartOptions { mods: Some(vec![mods_folder(), small_mods_folder()]), ..game(ids, 2, 0) }
}

/// Returns whether a text on the screen contains `what`.
pub fn is_read(window: &Window, what: &str) -> bool {
    window.query_all_by_label_contains(what).next().is_some()
}

#[test]
fn players_who_cannot_pass_are_not_told_to_pass() {
    let mut window = open(small_game(&["secret-bids"]), 1400.0, 900.0);
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    click(&mut window, "I am red");
    press(&mut window, Key::Enter);
    let told = app(&window).notifications().last().unwrap();
    assert_eq!(told.text, "nothing is selected: press a number or click a choice");
}

#[test]
fn secret_questions_are_asked_after_handing_over() {
    let mut window = open(small_game(&["secret-bids"]), 1400.0, 900.0);
    let last = |window: &Window| session(window).steps().last().unwrap().text.clone();
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    for (seat, name) in [(Seat(0), "red"), (Seat(1), "blue")] {
        assert_eq!(session(&window).hand_over_to(), Some(seat));
        assert!(is_read(&window, &format!("Hand over to {name}")));
        assert!(!is_read(&window, "Bid 2") && !is_read(&window, "bid 2") && !is_read(&window, "What do you bid"));
        // Keys have no effect while the answers are hidden.
        press(&mut window, Key::Num3);
        press(&mut window, Key::Enter);
        assert_eq!(session(&window).hand_over_to(), Some(seat));
        click(&mut window, &format!("I am {name}"));
        assert!(is_read(&window, "Bid 2") && is_read(&window, "What do you bid"));
        press(&mut window, Key::Num3);
        if seat == Seat(0) {
            assert_eq!(last(&window), "(hidden)");
        }
    }
    assert_eq!(last(&window), "bid 2", "both bids are revealed together");
    assert!(session(&window).record_text().contains("\nbid 2\nbid 2\n"));
    // After going back to the middle of the round, the first bid is known, and the second player
    // has to bid again.
    press_with(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(session(&window).hand_over_to(), Some(Seat(1)));
    assert!(is_read(&window, "Hand over to blue"));
}

#[test]
fn a_hidden_hand_is_looked_at_alone() {
    let mut window = open(small_game(&["secret-hands"]), 1400.0, 900.0);
    let cards = |window: &Window| session(window).view().cards_in_hand(Seat(0)).count();
    assert!(is_read(&window, "1 hidden") && cards(&window) == 0);
    click(&mut window, "I am red, show it");
    assert_eq!((session(&window).only_viewer(), cards(&window)), (Some(Seat(0)), 1));
    click(&mut window, "Hide again");
    assert_eq!((session(&window).only_viewer(), cards(&window)), (None, 0));
    // Continuing the game hides the hand again.
    click(&mut window, "I am red, show it");
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    assert_eq!((session(&window).only_viewer(), cards(&window)), (None, 0));
}

#[test]
fn a_piece_is_put_where_its_mark_is_clicked() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    assert!(asks_for_piece(session(&window)));
    let answers = session(&window).view().answers();
    let zone = answers.iter().find_map(|a| if let Answer::Deploy { zone, .. } = a { Some(*zone) } else { None });
    let at = app(&window).board().screen_pos_of_zone(zone.unwrap()).unwrap();
    click_at(&mut window, at, PointerButton::Primary);
    let step = session(&window).steps().iter().rfind(|s| s.who != Actor::Chance).unwrap();
    let words = zone_label(session(&window).view(), zone.unwrap());
    assert!(step.text.starts_with("deploy ") && step.text.ends_with(&words), "{} is not on {words}", step.text);
}

#[test]
fn the_tile_turns_with_r_and_right_click_and_lies_as_shown() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    press(&mut window, Key::Enter);
    let turnable = |window: &Window| {
        let chosen = app(window).view_state().chosen.unwrap();
        session(window).view().places().iter().filter(|p| p.spot == chosen).count()
    };
    // The test needs a spot where the tile can be turned.
    for _ in 0..20 {
        if turnable(&window) > 1 {
            break;
        }
        press(&mut window, Key::PageDown);
    }
    assert!(turnable(&window) > 1);
    let before = app(&window).view_state().facing;
    press(&mut window, Key::R);
    let turned = app(&window).view_state().facing;
    assert_ne!(before, turned);
    let spot = app(&window).view_state().chosen.unwrap();
    let at = app(&window).board().screen_rect_of(spot).center();
    click_at(&mut window, at, PointerButton::Secondary);
    assert_ne!(app(&window).view_state().facing, turned, "a right click turns the tile further");
    press_with(&mut window, Modifiers::SHIFT, Key::R);
    assert_eq!(app(&window).view_state().facing, turned);
    click_at(&mut window, at, PointerButton::Primary);
    assert_eq!(session(&window).view().tile_at(spot).unwrap().facing, turned);
}

#[test]
fn a_laid_tile_is_taken_up_by_escape() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    assert_eq!(session(&window).view().tiles().len(), 2);
    press(&mut window, Key::Escape);
    assert_eq!(session(&window).view().tiles().len(), 1);
    assert!(session(&window).branches().is_empty());
}

/// Plays `n` turns by keys.
fn play_turns(window: &mut Window, n: u32) {
    let until = session(window).turn() + n;
    for _ in 0..20 * n {
        if session(window).turn() >= until {
            return;
        }
        press(window, if asks_for_piece(session(window)) { Key::Space } else { Key::Enter });
    }
    panic!("the keys do not continue the game");
}

#[test]
fn time_goes_back_and_forth_and_branches() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    play_turns(&mut window, 6);
    let (len, turn) = (session(&window).steps().len(), session(&window).turn());
    press(&mut window, Key::Home);
    assert_eq!((session(&window).position_index(), session(&window).steps().len()), (0, len));
    press(&mut window, Key::End);
    assert_eq!(session(&window).turn(), turn);
    press_with(&mut window, Modifiers::COMMAND, Key::Z);
    assert!(!session(&window).is_live());
    press_with(&mut window, Modifiers::COMMAND, Key::Y);
    assert!(session(&window).is_live());
    for _ in 0..3 {
        press(&mut window, Key::ArrowLeft);
    }
    let past = session(&window).turn();
    assert!(past < turn);
    // Goes forward until the tile is drawn, then places it on another spot than before.
    while !matches!(session(&window).awaited_actor(), AwaitedActor::Person(_)) {
        press_with(&mut window, Modifiers::COMMAND, Key::ArrowRight);
    }
    press(&mut window, Key::PageUp);
    press(&mut window, Key::Enter);
    assert_eq!(session(&window).branches().len(), 1, "the later moves are stored as a branch");
    assert!(session(&window).is_live());
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), editor::Action::SwitchTo(0));
    window.run_steps(3);
    assert_eq!((session(&window).steps().len(), session(&window).turn()), (len, turn), "the branch can be restored");
}

#[test]
fn the_time_bar_is_scrubbed_by_buttons() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    play_turns(&mut window, 3);
    click(&mut window, "To the start");
    assert_eq!(session(&window).position_index(), 0);
    click(&mut window, "To the end");
    assert!(session(&window).is_live());
}

#[test]
fn a_whole_game_is_played_by_keys_alone() {
    let mut window = open(game(&["base"], 2, 1), 1100.0, 700.0);
    for n in 0.. {
        assert!(n < 1500, "the game does not end: {:?}", session(&window).awaited_actor());
        match session(&window).awaited_actor() {
            AwaitedActor::Nobody => break,
            AwaitedActor::Person(_) if asks_for_piece(session(&window)) => {
                // A piece is deployed every third time, so that some are returned to supply.
                press(&mut window, if n % 3 == 0 { Key::Num1 } else { Key::Space });
            }
            _ => press(&mut window, Key::Enter),
        }
    }
    assert!(session(&window).view().is_over());
    assert!(session(&window).steps().last().unwrap().scores.iter().any(|s| *s > 0));
    assert!(window.query_by_label("Play again").is_some(), "the end of the game offers a new game");
}

#[test]
fn the_palette_gives_commands_by_name() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    press_with(&mut window, Modifiers::COMMAND, Key::P);
    window.get_by_label("What do you want to do?");
    for info in COMMANDS {
        // The palette lists all commands before a search.
        assert!(window.query_all_by_label_contains(info.name).next().is_some(), "{}", info.name);
    }
    window.event(egui::Event::Text("score track".to_owned()));
    window.run_steps(3);
    press(&mut window, Key::Enter);
    assert!(app(&window).view_state().windows.track);
    press(&mut window, Key::Escape);
    assert!(!app(&window).view_state().windows.track);
}

/// On a screen of 1024×600 pixels with text of 150%, the palette ends above the lower edge.
#[test]
fn in_a_low_window_the_palette_shows_the_chosen_command() {
    let mut window = open(game(&["base"], 2, 0), 683.0, 400.0);
    press_with(&mut window, Modifiers::COMMAND, Key::P);
    let last = COMMANDS.last().unwrap().name;
    let lower_edge = |window: &Window| window.query_all_by_label_contains(last).next().unwrap().rect().bottom();
    assert!(lower_edge(&window) > 400.0, "the list is longer than the window");
    press(&mut window, Key::ArrowUp);
    window.run_steps(60);
    assert!(lower_edge(&window) < 400.0, "{}", lower_edge(&window));
}

/// Runs the first command that the palette finds for `words`.
fn run_from_palette(window: &mut Window, words: &str) {
    press_with(window, Modifiers::COMMAND, Key::P);
    window.event(egui::Event::Text(words.to_owned()));
    window.run_steps(3);
    press(window, Key::Enter);
    window.run_steps(3);
}

#[test]
fn the_palette_finds_the_rules_of_the_game_and_the_tutorials() {
    let mut window = open(game(&["hunters-gatherers"], 2, 0), 1400.0, 900.0);
    for (words, on_page) in [("rules of this game", "This game"), ("modding tutorial", "Modding tutorial")] {
        run_from_palette(&mut window, words);
        assert!(app(&window).view_state().windows.help);
        let chosen =
            |node: &egui_kittest::Node<'_>| node.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True);
        assert!(window.query_all_by_label(on_page).any(|node| chosen(&node)), "{words}");
    }
    for words in ["how to play", "learn"] {
        run_from_palette(&mut window, words);
        assert!(app(&window).lesson().is_some(), "{words}");
        click(&mut window, "Leave");
        assert!(app(&window).lesson().is_none());
    }
}

#[test]
fn letters_typed_into_a_field_are_no_commands() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    press_with(&mut window, Modifiers::COMMAND, Key::P);
    let (overlays, facing) = (app(&window).view_state().overlays, app(&window).view_state().facing);
    for key in [Key::F, Key::R, Key::O, Key::T] {
        press(&mut window, key);
    }
    assert_eq!((app(&window).view_state().overlays, app(&window).view_state().facing), (overlays, facing));
    assert!(!app(&window).view_state().windows.remaining);
}

#[test]
fn purists_see_no_projection_and_no_overlay() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    press(&mut window, Key::F);
    assert!(app(&window).view_state().overlays.fields);
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), Command::HintsPurist);
    window.run_steps(3);
    assert_eq!(app(&window).settings.hints, HintLevel::Purist);
    press(&mut window, Key::F);
    assert!(!app(&window).view_state().overlays.fields);
}

#[test]
fn an_idle_window_draws_nothing() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    window.run();
    let output = &window.output().viewport_output[&egui::ViewportId::ROOT];
    assert!(output.repaint_delay.as_secs() > 60, "the window requests the next frame in {:?}", output.repaint_delay);
}

#[test]
fn settings_layout_and_the_game_are_found_again() {
    let data = tempfile::tempdir().unwrap();
    let start = || StartOptions { data: Some(data.path().to_owned()), ..game(&["base"], 2, 0) };
    let mut window = open(start(), 1400.0, 900.0);
    window.state_mut().as_mut().unwrap().settings.play_speed = 7.0;
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    let line: Vec<String> = session(&window).steps().iter().map(|s| s.text.clone()).collect();
    let record = session(&window).save_location().unwrap().path.clone();
    drop(window);
    let mut window = open(StartOptions { open: Some(record), ..start() }, 1400.0, 900.0);
    assert_eq!(app(&window).settings.play_speed, 7.0);
    assert_eq!(session(&window).steps().iter().map(|s| s.text.clone()).collect::<Vec<_>>(), line);
    // By default the window continues the latest game.
    while session(&window).turn() < 3 {
        let key = if asks_for_piece(session(&window)) { Key::Space } else { Key::Enter };
        press(&mut window, key);
    }
    let line: Vec<String> = session(&window).steps().iter().map(|s| s.text.clone()).collect();
    drop(window);
    window = open(StartOptions { setup: None, ..start() }, 1400.0, 900.0);
    assert_eq!(session(&window).steps().iter().map(|s| s.text.clone()).collect::<Vec<_>>(), line);
    // A hidden panel stays hidden.
    press_with(&mut window, Modifiers::COMMAND, Key::Backtick);
    assert!(window.query_by_label("Search the event log").is_none());
    drop(window);
    window = open_in(editor::Workspace::Make, start(), 1400.0, 900.0);
    assert!(window.query_by_label("Search the event log").is_none());
    press_with(&mut window, Modifiers::COMMAND, Key::Backtick);
    drop(window);
    window = open_in(editor::Workspace::Make, start(), 1400.0, 900.0);
    assert!(window.query_by_label("Search the event log").is_some(), "a shown panel stays shown");
    // A settings file that cannot be read is renamed.
    drop(window);
    std::fs::write(data.path().join("settings.json"), "{ not json").unwrap();
    window = open(start(), 1400.0, 900.0);
    assert_eq!(app(&window).settings.play_speed, editor::Settings::default().play_speed);
    assert!(data.path().join("settings.broken.json").exists());
}

#[test]
fn a_record_that_cannot_be_read_is_told_and_a_game_begins_all_the_same() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("odd.game");
    std::fs::write(&file, "bastide 1\nmods base\nplayers red blue\nseed x\n").unwrap();
    let window = open(StartOptions { open: Some(file), ..game(&["base"], 2, 0) }, 1400.0, 900.0);
    assert!(
        app(&window).notifications().items().iter().any(|n| n.text.contains("odd.game:4:")),
        "{:?}",
        app(&window).notifications()
    );
    assert_eq!(session(&window).turn(), 1);
}

/// Lists the labels of the places drawn for the tile.
fn drawn_places(window: &Window) -> Vec<String> {
    let mut labels: Vec<String> = window
        .query_all_by_label_contains("Place the tile at ")
        .filter_map(|node| node.accesskit_node().label())
        .collect();
    labels.sort();
    labels
}

#[test]
fn the_board_of_an_old_game_is_never_drawn_in_a_new_one() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    let mut drawn = vec![drawn_places(&window)];
    // All of these games have the same number of changes, because each game begins with a draw.
    for seed in 5..12 {
        let setup = Setup { seed: Some(seed), ..game(&["base"], 2, 0).setup.unwrap() };
        let app = window.state_mut().as_mut().unwrap();
        app.act(&egui::Context::default(), editor::Action::Begin(Box::new(setup)));
        window.run_steps(4);
        let places = drawn_places(&window);
        assert_eq!(places, offered_places(session(&window)), "seed {seed}");
        drawn.push(places);
    }
    drawn.dedup();
    assert!(drawn.len() > 1, "these games offer different placements");
    let n_tiles = session(&window).view().tiles().len();
    let at = app(&window).board().screen_rect_of(first_place(session(&window))).center();
    click_at(&mut window, at, PointerButton::Primary);
    assert_eq!(session(&window).view().tiles().len(), n_tiles + 1, "the click places a tile in the new game");
}

#[test]
fn enter_with_nothing_marked_passes_for_nobody() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    for _ in 0..4 {
        press(&mut window, Key::Enter);
    }
    assert!(asks_for_piece(session(&window)), "a further Enter forfeits no follower");
    let told = app(&window).notifications().last().unwrap();
    assert!(told.text.contains("nothing is selected"), "{told:?}");
    // The answer under the pointer is marked.
    let at = window.get_by_label("No piece").rect().center();
    window.hover_at(at);
    window.run_steps(3);
    press(&mut window, Key::Enter);
    assert!(!asks_for_piece(session(&window)));
}

#[test]
fn the_first_opponent_is_no_fool() {
    let window = open(StartOptions { setup: None, ..game(&["base"], 2, 0) }, 1400.0, 900.0);
    assert_eq!(session(&window).setup().bots, [("blue".to_owned(), "greedy".to_owned())]);
}

#[test]
fn menus_say_what_is_on_and_what_can_be_done() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    press(&mut window, Key::F);
    click(&mut window, "View");
    for (label, is_on) in [("Overlay: ground", true), ("Overlay: grid", false), ("Hints: Normal", true)] {
        let toggled = window.get_by_label(label).accesskit_node().toggled();
        assert_eq!(toggled == Some(egui::accesskit::Toggled::True), is_on, "{label}");
    }
    press(&mut window, Key::Escape);
    // The menu is above the panel of the same name.
    window.query_all_by_label("Mods").min_by(|a, b| a.rect().top().total_cmp(&b.rect().top())).unwrap().click();
    window.run_steps(4);
    let is_grey =
        |label: &str| window.query_all_by_label_contains(label).any(|node| node.accesskit_node().is_disabled());
    assert!(is_grey("Keep the old rules in this game") && is_grey("Accept the new rules") && !is_grey("New mod"));
}

#[test]
fn the_dock_below_the_board_can_be_hidden() {
    let mut window = open(game(&["base"], 2, 0), 1024.0, 600.0);
    let before = app(&window).board().screen_rect().height();
    press_with(&mut window, Modifiers::COMMAND, Key::Backtick);
    assert!(app(&window).board().screen_rect().height() > before + 80.0);
    assert!(window.query_by_label("Search the event log").is_none());
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), Command::ModsPanel);
    window.run_steps(4);
    assert!(window.query_all_by_label_contains("New mod").next().is_some(), "a requested panel is shown");
}

#[test]
fn letters_typed_at_an_open_menu_do_nothing_to_the_board() {
    let mut window = open(game(&["base"], 2, 0), 1024.0, 700.0);
    click(&mut window, "View");
    press(&mut window, Key::T);
    assert!(!app(&window).view_state().windows.remaining);
    press(&mut window, Key::Escape);
    press(&mut window, Key::T);
    assert!(app(&window).view_state().windows.remaining);
}

#[test]
fn remaining_tiles_are_found_by_their_edges() {
    let mut window = open(game(&["base"], 2, 0), 1024.0, 700.0);
    let n_shown = |window: &Window| window.query_all_by_label_contains(" left").filter(is_tile).count();
    fn is_tile(node: &egui_kittest::Node<'_>) -> bool {
        node.accesskit_node().label().is_some_and(|label| label.starts_with("base/"))
    }
    press(&mut window, Key::T);
    let n_all = n_shown(&window);
    let search = |window: &mut Window, text: &str| {
        window.get_by_label("Find a tile").focus();
        window.run_steps(2);
        press_with(window, Modifiers::COMMAND, Key::A);
        window.event(egui::Event::Text(text.to_owned()));
        window.run_steps(4);
    };
    search(&mut window, "fcff");
    let n_found = n_shown(&window);
    assert!((1..n_all).contains(&n_found), "{n_found} of {n_all}");
    assert!(window.query_all_by_label_contains("base/E: ").next().is_some());
    search(&mut window, "nothing like it");
    assert_eq!(n_shown(&window), 0);
    assert!(window.query_all_by_label_contains("No matching tiles.").next().is_some());
    // Closing the window resets the search.
    press(&mut window, Key::Escape);
    press(&mut window, Key::T);
    assert_eq!(n_shown(&window), n_all);
}

#[test]
fn levels_of_bots_are_chosen_by_name() {
    let mut window = open(game(&["base"], 2, 1), 1400.0, 900.0);
    window
        .state_mut()
        .as_mut()
        .unwrap()
        .act(&egui::Context::default(), editor::Action::SetBot(Seat(1), Some("search".to_owned())));
    window.run_steps(4);
    assert!(window.query_by_label("Who plays blue: Expert").is_some());
    click(&mut window, "Who plays blue: Expert");
    click(&mut window, "Hard");
    assert_eq!(session(&window).setup().bots, [("blue".to_owned(), "search:20".to_owned())]);
    assert!(window.query_by_label("Who plays blue: Hard").is_some());
}

/// The piece `large` has a title, which choices and the log use.
#[test]
fn pieces_are_named_by_their_titles() {
    let mut window = open(game(&["base", "inns-cathedrals"], 2, 0), 1400.0, 900.0);
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    assert!(asks_for_piece(session(&window)));
    let large = session(&window).view().option_views().into_iter().find(|it| it.text.starts_with("deploy large "));
    let large = large.expect("a choice");
    assert!(large.label.starts_with("Large follower on the "), "{}", large.label);
    assert!(window.query_all_by_label_contains(&large.label).next().is_some());
    let answer = editor::Action::Answer(large.answer);
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), answer);
    window.run_steps(4);
    assert!(window.query_all_by_label_contains("puts a large follower on the").next().is_some());
}

/// Records write `_` for a space in a name.
#[test]
fn a_player_with_a_space_in_the_name_is_shown_as_a_bot() {
    let mut start = game(&["base"], 2, 0);
    let setup = start.setup.as_mut().unwrap();
    setup.players[1] = "Anna_Maria".to_owned();
    setup.bots = vec![("Anna_Maria".to_owned(), "random".to_owned())];
    let window = open(start, 1400.0, 900.0);
    assert!(window.query_by_label("Who plays Anna Maria: random").is_some());
}
