//! Making a mod in the window, and the order in which windows close.

use crate::common::*;
use editor::{Command, StartOptions};
use egui::Key;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use testkit::CopiedMod;

fn command(window: &mut Window, command: Command) {
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), command);
    window.run_steps(4);
}

#[test]
fn a_mod_is_made_shown_and_its_tile_drawn() {
    let base = CopiedMod::of("base");
    let start = StartOptions { mods: Some(vec![base.library().to_owned()]), ..game(&["base"], 2, 0) };
    let mut window = open(start, 1400.0, 900.0);
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    command(&mut window, Command::NewMod);
    for label in ["Id", "Title", "Template", "Folder"] {
        assert!(window.query_all_by_label(label).next().is_some(), "{label}");
    }
    click(&mut window, "Make it");
    window.run_steps(4);
    assert!(base.library().join("my-mod/mod.toml").exists(), "the folder of the project comes first");
    assert_eq!(session(&window).view().mods().len(), 2);
    assert!(window.query_all_by_label_contains("1 of 6 done").next().is_some(), "the list of steps is shown");
    let steps = window.get_by_label("Show its tiles").rect();
    for place in session(&window).view().places() {
        let spot = app(&window).board().screen_rect_of(place.spot);
        assert!(!spot.intersects(steps), "the steps do not cover the place {}", place.spot);
    }
    click(&mut window, "Show its tiles");
    window.query_all_by_label_contains("my-mod/well: ").next().expect("the tile is in the list").click();
    window.run_steps(4);
    click(&mut window, "Draw my-mod/well now");
    let drawn = session(&window).view().tile_to_place().expect("the new tile is the tile to place");
    assert_eq!(session(&window).view().tiles_declared().name(drawn), "my-mod/well");
    assert!(
        session(&window).is_live() && session(&window).turn() == 1,
        "the game is at its latest position, in the same turn"
    );
    assert!(window.query_all_by_label_contains("2 of 6 done").next().is_some());
}

#[test]
fn the_title_of_a_new_mod_has_the_focus() {
    let base = CopiedMod::of("base");
    let start = StartOptions { mods: Some(vec![base.library().to_owned()]), ..game(&["base"], 2, 0) };
    let mut window = open(start, 1400.0, 900.0);
    command(&mut window, Command::NewMod);
    let title = window.get_by_role_and_label(egui::Role::TextInput, "Title");
    assert!(title.accesskit_node().is_focused());
    press_with(&mut window, egui::Modifiers::COMMAND, Key::A);
    window.event(egui::Event::Text("The Old Mill".to_owned()));
    window.run_steps(4);
    click(&mut window, "Make it");
    window.run_steps(4);
    assert!(base.library().join("the-old-mill/mod.toml").exists());
}

#[test]
fn the_editor_has_the_focus_after_the_help() {
    let base = CopiedMod::of("base");
    let start = StartOptions { mods: Some(vec![base.library().to_owned()]), ..game(&["base"], 2, 0) };
    let mut window = open(start, 1400.0, 900.0);
    let action = editor::Action::OpenFile(base.file("rules.rhai"), 1);
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
    window.run_steps(4);
    press(&mut window, Key::F1);
    assert!(app(&window).view_state().windows.help);
    press(&mut window, Key::Escape);
    assert!(!app(&window).view_state().windows.help);
    assert!(window.get_by_role(egui::Role::MultilineTextInput).accesskit_node().is_focused());
}

#[test]
fn new_mods_go_into_the_folder_that_the_user_chose_last() {
    let base = CopiedMod::of("base");
    let data = tempfile::tempdir().unwrap();
    let start = StartOptions {
        mods: Some(vec![base.library().to_owned()]),
        data: Some(data.path().to_owned()),
        ..game(&["base"], 2, 0)
    };
    let mut window = open(start.clone(), 1400.0, 900.0);
    command(&mut window, Command::NewMod);
    window.get_by_role_and_label(egui::accesskit::Role::ComboBox, "Folder").click();
    window.run_steps(4);
    let own = data.path().join("mods");
    click(&mut window, &table::shown_path(&own));
    click(&mut window, "Make it");
    window.run_steps(4);
    assert!(own.join("my-mod/mod.toml").exists());
    command(&mut window, Command::NewMod);
    click(&mut window, "Make it");
    window.run_steps(4);
    assert!(own.join("my-mod-2/mod.toml").exists());
    drop(window);
    let window = open(StartOptions { setup: None, ..start }, 1400.0, 900.0);
    let known = session(&window).library().ids();
    assert!(["my-mod", "my-mod-2"].iter().all(|id| known.iter().any(|it| it == id)), "the next start finds them");
}

#[test]
fn keys_stay_in_the_help_after_a_click_on_its_title() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    command(&mut window, Command::Help);
    let field = window.get_by_label("Search the help").rect();
    click_at(&mut window, egui::pos2(field.center().x, field.top() - 22.0), egui::PointerButton::Primary);
    press(&mut window, Key::T);
    assert!(!app(&window).view_state().windows.remaining, "the key does not act on the board behind the help");
    let board = app(&window).board().screen_rect();
    let beside = board.left_bottom() + egui::vec2(12.0, -12.0);
    click_at(&mut window, beside, egui::PointerButton::Primary);
    press(&mut window, Key::T);
    assert!(app(&window).view_state().windows.remaining, "after a click on the board, keys act on it");
}

#[test]
fn make_begins_with_the_first_steps_to_an_own_expansion() {
    let base = CopiedMod::of("base");
    let start = StartOptions { mods: Some(vec![base.library().to_owned()]), ..game(&["base"], 2, 0) };
    let mut window = open_in(editor::Workspace::Make, start, 1366.0, 768.0);
    window.state_mut().as_mut().unwrap().settings.first_steps = true;
    window.run_steps(4);
    let says = |window: &Window, text: &str| window.query_all_by_label_contains(text).next().is_some();
    assert!(says(&window, "Make your own expansion") && says(&window, "Test it"));
    press(&mut window, Key::F2);
    assert!(!says(&window, "Make your own expansion"), "players see no steps");
    press(&mut window, Key::F2);
    click(&mut window, "New mod…");
    click(&mut window, "Make it");
    window.run_steps(4);
    assert!(says(&window, "1 of 6 done"));
    click(&mut window, "Looks…");
    assert!(says(&window, "Name of the new piece"), "the button shows the looks");
    crate::tiles::type_into(&mut window, "Name of the new piece", "scout");
    click(&mut window, "Add the piece");
    wait_until(&mut window, "the piece", |app| !app.snapshot().view().pieces_of_mod("my-mod").is_empty());
    command(&mut window, Command::FirstSteps);
    // The new piece has also changed the mod.
    assert!(says(&window, "3 of 6 done"));
    // The window stays closed until the user asks for it.
    let first = window.state_mut().as_mut().unwrap();
    first.settings.first_steps = false;
    window.run_steps(4);
    assert!(!says(&window, "of 6 done"));
    command(&mut window, Command::FirstSteps);
    assert!(says(&window, "3 of 6 done"));
}

#[test]
fn the_first_steps_go_on_with_an_own_mod_of_an_earlier_run() {
    let base = CopiedMod::of("base");
    let folder = base.library().join("wine");
    std::fs::create_dir(&folder).unwrap();
    let manifest = "[mod]\nid = \"wine\"\nversion = \"1.0.0\"\napi = 1\nrequires = [\"base\"]\n";
    std::fs::write(folder.join("mod.toml"), manifest).unwrap();
    let start = StartOptions { mods: Some(vec![base.library().to_owned()]), ..game(&["base", "wine"], 2, 0) };
    let mut window = open_in(editor::Workspace::Make, start, 1024.0, 600.0);
    let settings = &mut window.state_mut().as_mut().unwrap().settings;
    (settings.own_mods, settings.first_steps) = (vec![folder], true);
    window.run_steps(4);
    for text in ["1 of 6 done", "Make a tile for it", "Add a piece, or choose looks", "Run its tests"] {
        assert!(window.query_all_by_label_contains(text).next().is_some(), "{text}");
    }
    click(&mut window, "New rules.rhai");
    wait_until(&mut window, "the script", |app| {
        app.shown_text().is_some_and(|file| file.ends_with("wine/rules.rhai") && file.exists())
    });
}

/// Writes a mod whose tiles are the only ones of its deck apart from those of the base game.
fn with_own_mod(base: &CopiedMod, ids: &[&str], data: Option<&std::path::Path>) -> StartOptions {
    let folder = base.library().join("wine");
    if !folder.exists() {
        std::fs::create_dir(&folder).unwrap();
        let manifest = "[mod]\nid = \"wine\"\nversion = \"1.0.0\"\napi = 1\nrequires = [\"base\"]\n";
        std::fs::write(folder.join("mod.toml"), manifest).unwrap();
        std::fs::write(folder.join("tiles.toml"), "[tile]\nbend = { count = 80, road = \"e-s\" }\n").unwrap();
    }
    let data = data.map(std::path::Path::to_owned);
    StartOptions { mods: Some(vec![base.library().to_owned()]), data, ..game(ids, 2, 1) }
}

#[test]
fn moves_of_bots_finish_no_first_step() {
    let base = CopiedMod::of("base");
    let mut start = with_own_mod(&base, &["base", "wine"], None);
    start
        .setup
        .iter_mut()
        .for_each(|setup| setup.bots = setup.players.iter().map(|it| (it.clone(), "random".to_owned())).collect());
    let mut window = open_in(editor::Workspace::Make, start, 1366.0, 768.0);
    let settings = &mut window.state_mut().as_mut().unwrap().settings;
    (settings.own_mods, settings.first_steps) = (vec![base.library().join("wine")], true);
    wait_until(&mut window, "a tile of the mod", |app| {
        let view = app.snapshot().view();
        view.tiles().iter().any(|placed| view.tiles_declared().name(placed.tile) == "wine/bend")
    });
    assert!(window.query_all_by_label_contains("1 of 6 done").next().is_some());
}

#[test]
fn the_first_steps_outlive_the_window_and_lead_back_to_the_mod() {
    let (base, data) = (CopiedMod::of("base"), tempfile::tempdir().unwrap());
    let says = |window: &Window, text: &str| window.query_all_by_label_contains(text).next().is_some();
    let start = with_own_mod(&base, &["base", "wine"], Some(data.path()));
    let mut window = open_in(editor::Workspace::Make, start, 1366.0, 768.0);
    let settings = &mut window.state_mut().as_mut().unwrap().settings;
    (settings.own_mods, settings.first_steps) = (vec![base.library().join("wine")], true);
    window.run_steps(4);
    std::fs::write(base.library().join("wine/theme.toml"), "").unwrap();
    command(&mut window, Command::Reload);
    assert!(says(&window, "2 of 6 done") || says(&window, "3 of 6 done"));
    let done = app(&window).settings.guide.clone().unwrap();
    wait_until(&mut window, "the settings", |_| {
        std::fs::read_to_string(data.path().join("settings.json")).is_ok_and(|text| text.contains("guide"))
    });
    drop(window);
    // The next game is without the mod, but its steps are not forgotten.
    let start = with_own_mod(&base, &["base"], Some(data.path()));
    let mut window = open_in(editor::Workspace::Make, start, 1366.0, 768.0);
    window.state_mut().as_mut().unwrap().settings.first_steps = true;
    window.run_steps(4);
    assert!(says(&window, "Your mod in six steps"));
    let now = app(&window).settings.guide.clone().unwrap();
    assert_eq!((now.id.as_str(), &now.done[1..]), ("wine", &done.done[1..]));
    assert!(!now.done[0] && now.done[3], "the theme is a look");
    click(&mut window, "Play with it");
    wait_until(&mut window, "the mod", |app| app.snapshot().view().mods().iter().any(|info| info.id == "wine"));
    window.run_steps(2);
    assert!(app(&window).settings.guide.as_ref().unwrap().done[0]);
    // Players who do not make mods see no steps of a mod that is not in the game.
    press(&mut window, Key::F2);
    assert!(says(&window, "Your mod in six steps"), "the mod is in this game");
}

/// On a screen of 1024×600 pixels with text of 150%, the list of steps does not fit on the board.
#[test]
fn in_a_low_window_the_first_steps_scroll() {
    let base = CopiedMod::of("base");
    let start = with_own_mod(&base, &["base", "wine"], None);
    let mut window = open_in(editor::Workspace::Make, start, 683.0, 400.0);
    let settings = &mut window.state_mut().as_mut().unwrap().settings;
    (settings.own_mods, settings.first_steps) = (vec![base.library().join("wine")], true);
    window.run_steps(4);
    let (first, last) = ("It is part of this game", "Run its tests, or freeze");
    // The board is so low that only the title is shown at first. The triangle in front of it opens
    // the window.
    let title = app(&window).view_state().first_steps_rect.expect("the title is shown");
    click_at(&mut window, title.left_center() + egui::vec2(16.0, 0.0), egui::PointerButton::Primary);
    window.run_steps(30);
    let rect = app(&window).view_state().first_steps_rect.expect("the steps are shown");
    let board = app(&window).board().free_rect();
    assert!(rect.height() > 100.0 && board.contains_rect(rect), "{rect} is on the board {board}");
    let is_seen = |window: &Window, text: &str| {
        let step = window.query_all_by_label_contains(text).next().expect("the step").rect();
        rect.contains_rect(step)
    };
    assert!(is_seen(&window, first) && !is_seen(&window, last));
    window.hover_at(rect.center());
    window.run_steps(2);
    window.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, -2000.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: egui::Modifiers::NONE,
    });
    window.run_steps(60);
    assert!(is_seen(&window, last));
}

#[test]
fn escape_closes_what_is_open_before_it_takes_anything_back() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    let n_tiles = session(&window).view().tiles().len();
    click(&mut window, "View");
    assert!(window.query_all_by_label_contains("Zoom in").next().is_some());
    press(&mut window, Key::Escape);
    assert!(window.query_all_by_label_contains("Zoom in").next().is_none(), "the menu is closed");
    assert_eq!(session(&window).view().tiles().len(), n_tiles);
    command(&mut window, Command::NewMod);
    press(&mut window, Key::Escape);
    assert!(!app(&window).view_state().windows.new_mod);
    assert_eq!(session(&window).view().tiles().len(), n_tiles);
    press(&mut window, Key::Escape);
    assert_eq!(session(&window).view().tiles().len(), n_tiles - 1, "no window is open, so Escape picks up the tile");
}

#[test]
fn keys_do_not_reach_the_game_behind_a_dialog() {
    for dialog in [Command::Keys, Command::About, Command::GameSetup, Command::Puzzles, Command::ReplayRecords] {
        let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
        command(&mut window, dialog);
        let n_steps = session(&window).steps().len();
        for key in [Key::PageDown, Key::Enter, Key::Space, Key::T] {
            press(&mut window, key);
        }
        assert_eq!(session(&window).steps().len(), n_steps, "{dialog:?}");
        assert!(app(&window).view_state().chosen.is_none() && !app(&window).view_state().windows.remaining);
        press(&mut window, Key::Escape);
        press(&mut window, Key::T);
        assert!(app(&window).view_state().windows.remaining, "{dialog:?}");
        press(&mut window, Key::PageDown);
        assert!(app(&window).view_state().chosen.is_some(), "the remaining tiles leave the keys to the game");
    }
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    for is_open in [true, false] {
        press(&mut window, Key::Questionmark);
        assert_eq!(app(&window).view_state().windows.keys, is_open);
    }
}

#[test]
fn a_mod_says_what_it_brings_and_its_settings_are_tried_in_the_running_game() {
    let mut start = game(&["base"], 2, 2);
    start.setup.iter_mut().flat_map(|s| &mut s.bots).for_each(|(_, bot)| *bot = "greedy".to_owned());
    let mut window = open(start, 1400.0, 900.0);
    wait_until(&mut window, "a finished game", |app| app.snapshot().view().is_over());
    let scores = |window: &Window| session(window).view().scores();
    let before = scores(&window);
    command(&mut window, Command::ModsPanel);
    window.run_steps(6);
    for text in ["In this game", "Not in this game", "Needed by", "Farmers", "24 kinds", "If switched off"] {
        assert!(window.query_all_by_label_contains(text).next().is_some(), "{text}");
    }
    let choose = |window: &mut Window, value: &str| {
        click(window, "Small city");
        window.get_by_role_and_label(egui::accesskit::Role::Button, value).click();
        window.run_steps(4);
    };
    choose(&mut window, "4");
    wait_until(&mut window, "dear small cities", |app| app.snapshot().setup().settings.len() == 1);
    assert!(window.query_all_by_label_contains("default: 2").next().is_some());
    assert_ne!(scores(&window), before);
    choose(&mut window, "2");
    wait_until(&mut window, "the game with the default setting", |app| app.snapshot().setup().settings.is_empty());
    assert_eq!(scores(&window), before);
    // The checkbox has the same name as this button.
    window.get_by_role_and_label(egui::accesskit::Role::Button, "Inns & Cathedrals").click();
    window.run_steps(6);
    assert!(window.query_all_by_label_contains("If switched on").next().is_some());
}
