//! Copying a game as a link, and opening it from the link.

use std::fs;
use std::path::Path;

use crate::common::*;
use crate::play::small_game;
use editor::{Action, LinkAction, StartOptions, action_to_open};
use egui::{Key, OutputCommand};
use egui_kittest::kittest::Queryable as _;
use testkit::{CopiedMod, mods_folder};
use workshop::link::Link;

fn act(window: &mut Window, action: Action) {
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
    window.run_steps(5);
}

fn is_shown(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

fn start(base: &CopiedMod, data: &Path) -> StartOptions {
    StartOptions { mods: Some(vec![base.library().to_owned()]), data: Some(data.to_owned()), ..game(&["base"], 2, 0) }
}

#[test]
fn a_game_of_a_changed_mod_goes_on_elsewhere_and_no_mod_there_is_touched() {
    let (theirs, mine) = (CopiedMod::of("base"), CopiedMod::of("base"));
    let temp = tempfile::tempdir().unwrap();
    let (their_data, my_data) = (temp.path().join("theirs"), temp.path().join("mine"));
    theirs.edit("mod.toml", "title = \"Base game\"", "title = \"Their game\"");
    let mut window = open(start(&theirs, &their_data), 1024.0, 700.0);
    press(&mut window, Key::PageDown);
    press(&mut window, Key::Enter);
    let laid = session(&window).position_index();
    assert!(laid > 1);
    let file = temp.path().join("their.link");
    act(&mut window, Action::Link(LinkAction::Write(file.clone())));
    let record = session(&window).record_text();
    drop(window);

    let rules_before = fs::read_to_string(mine.file("mod.toml")).unwrap();
    let mut window = open(start(&mine, &my_data), 1024.0, 700.0);
    act(&mut window, Action::Open(file));
    for text in ["A game with base", "2 players", "Their game", "mod.toml", "use the network"] {
        assert!(is_shown(&window, text), "{text}");
    }
    assert!(!my_data.join("links").exists(), "nothing is written before the user agrees");
    assert_eq!(session(&window).position_index(), 1);
    click(&mut window, "Open it");
    window.run_steps(5);
    assert_eq!(session(&window).view().mods()[0].title, "Their game");
    assert_eq!(session(&window).record_text(), record);
    assert_eq!(fs::read_to_string(mine.file("mod.toml")).unwrap(), rules_before);
    assert!(session(&window).mod_folder(0).unwrap().starts_with(my_data.join("links")));
    // After another move this is the latest game, so the next start opens it with the mods of the
    // link.
    press(&mut window, Key::Space);
    let played = session(&window).record_text();
    assert_ne!(played, record);
    drop(window);
    let left = StartOptions { setup: None, ..start(&mine, &my_data) };
    let mut window = open(left, 1024.0, 700.0);
    assert_eq!(session(&window).view().mods()[0].title, "Their game");
    assert!(session(&window).record_text().starts_with(&played));
    // A record from elsewhere uses the user's own mods again.
    let own = temp.path().join("own.game");
    fs::write(&own, "bastide 1\nmods base\nplayers red blue\nseed 1\n").unwrap();
    act(&mut window, Action::Open(own));
    assert_eq!(session(&window).view().mods()[0].title, "Base game");
}

#[test]
fn a_link_that_is_none_is_refused_in_the_window() {
    let mut window = open(game(&["base"], 2, 0), 1024.0, 700.0);
    act(&mut window, Action::Link(LinkAction::LookAt("https://somewhere/#b1.nonsense".to_owned())));
    assert!(is_shown(&window, "the link is damaged"));
    act(&mut window, Action::Link(LinkAction::LookAt("hello".to_owned())));
    assert!(is_shown(&window, "this is not a link of Bastide"));
}

#[test]
fn an_address_of_the_desktop_is_shown_before_it_is_opened() {
    let base = CopiedMod::of("base");
    let temp = tempfile::tempdir().unwrap();
    let data = temp.path().join("data");
    let window = open(start(&base, &data), 1024.0, 700.0);
    let link = Link::of_game(session(&window).loaded(), session(&window).record_text()).unwrap().text();
    drop(window);
    for address in [
        format!("bastide:{link}"),
        format!("BASTIDE:#{link}"),
        format!("bastide://{link}"),
        format!("https://games.example/bastide/#{link}"),
    ] {
        let first_action = Some(action_to_open(address.as_ref()));
        let mut window = open(StartOptions { first_action, ..start(&base, &data) }, 1024.0, 700.0);
        window.run_steps(5);
        assert!(is_shown(&window, "A game with base"), "{address}");
        assert!(!data.join("links").exists(), "nothing is written before the user agrees");
    }
}

#[test]
fn a_hostile_address_is_refused_in_the_window() {
    let long = format!("bastide:b1.{}", "A".repeat(3 << 20));
    for (address, message) in [
        ("bastide:", "this is not a link of Bastide"),
        ("bastide:/etc/passwd", "this is not a link of Bastide"),
        ("bastide:--open=/etc/passwd", "this is not a link of Bastide"),
        ("bastide:\u{1b}]0;title\u{7}\u{202e}", "this is not a link of Bastide"),
        ("bastide:bastide:bastide:", "this is not a link of Bastide"),
        ("bastide:b1.nonsense", "the link is damaged"),
        ("bastide:b2.AAAA", "later version"),
        (&*long, "more than the limit"),
    ] {
        let action = action_to_open(address.as_ref());
        assert!(matches!(action, Action::Link(LinkAction::LookAt(_))), "{action:?}");
        let window = open(StartOptions { first_action: Some(action), ..game(&["base"], 2, 0) }, 1024.0, 700.0);
        assert!(is_shown(&window, message), "{address:.80}");
    }
}

#[test]
fn a_file_is_opened_by_its_ending() {
    for (file, expected) in [
        ("my.game", "Open(\"my.game\")"),
        ("/tmp/my.link", "Open(\"/tmp/my.link\")"),
        ("bastide.zip", "Package(LookAt(\"bastide.zip\"))"),
        ("bastid\u{e9}:x.zip", "Package(LookAt(\"bastid\u{e9}:x.zip\"))"),
        ("./bastide:x.game", "Open(\"./bastide:x.game\")"),
    ] {
        assert_eq!(format!("{:?}", action_to_open(file.as_ref())), expected);
    }
}

#[test]
fn reading_a_link_can_be_stopped() {
    let start = StartOptions { at_once: false, ..game(&["base"], 2, 0) };
    let mut window = open(start, 1024.0, 700.0);
    let app = window.state_mut().as_mut().unwrap();
    let ctx = egui::Context::default();
    app.act(&ctx, Action::Link(LinkAction::LookAt("https://somewhere/#b1.nonsense".to_owned())));
    app.act(&ctx, Action::Stop);
    window.run_steps(20);
    assert!(is_shown(&window, "Paste a link") && !is_shown(&window, "the link is damaged"));
}

#[test]
fn what_is_copied_begins_with_an_address_that_opens_and_can_be_set() {
    let mut window = open(game(&["base"], 2, 0), 1024.0, 700.0);
    let mut copied = |action: LinkAction, address: &str| {
        let (ctx, app) = (egui::Context::default(), window.state_mut().as_mut().unwrap());
        app.settings.link_address = address.to_owned();
        app.act(&ctx, Action::Link(action));
        let told = app.notifications().items().last().unwrap().text.clone();
        let commands = ctx.output(|output| output.commands.clone());
        let [OutputCommand::CopyText(text)] = &commands[..] else { panic!("{commands:?}") };
        (text.clone(), told)
    };
    let usual = editor::Settings::default().link_address;
    for address in [&*usual, "https://games.example/bastide/"] {
        let (link, told) = copied(LinkAction::Copy, address);
        assert!(link.starts_with(&format!("{address}#b1.")), "{link}");
        // A link can be read with any address before the `#`.
        assert!(Link::read(&link).unwrap().record.contains("mods base"));
        assert!(told.contains("Open link") && told.contains(address), "{told}");
        let (code, told) = copied(LinkAction::Embed, address);
        assert!(code.contains(&format!("src=\"{address}board.html#b1.")), "{code}");
        assert!(told.contains(&format!("{address}board.html")), "{told}");
    }
    assert_eq!(usual, "http://localhost:8080/");
}

/// Returns the text that the window copies in one of the next frames.
fn next_copied(window: &mut Window) -> String {
    for _ in 0..50 {
        window.step();
        for command in &window.output().platform_output.commands {
            if let OutputCommand::CopyText(text) = command {
                return text.clone();
            }
        }
    }
    panic!("nothing was copied: {:?}", app(window).notifications().items());
}

fn copy_move(window: &mut Window) -> String {
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), Action::Link(LinkAction::CopyMove));
    next_copied(window)
}

fn told(window: &Window, words: &str) -> bool {
    app(window).notifications().items().iter().any(|item| item.text.contains(words))
}

/// Opens a link in another window, after the window has shown whom the user plays.
fn open_move(base: &CopiedMod, data: &Path, link: &str, player: &str) -> Window {
    let mut window = open(start(base, data), 1024.0, 700.0);
    act(&mut window, Action::Link(LinkAction::LookAt(link.to_owned())));
    assert!(is_shown(&window, &format!("It is {player}'s turn: you play {player}.")));
    click(&mut window, "Open it");
    window.run_steps(8);
    assert!(told(&window, &format!("you play {player}: after your move, choose Copy my move")));
    window
}

/// Makes the moves of the person at the window until another person is to move.
fn play_turn(window: &mut Window) {
    let before = session(window).position_index();
    for _ in 0..8 {
        if session(window).guest_to_move().is_some() {
            break;
        }
        press(window, if asks_for_piece(session(window)) { Key::Space } else { Key::Enter });
        window.run_steps(4);
    }
    assert!(session(window).position_index() > before);
}

#[test]
fn two_windows_play_by_links() {
    let base = CopiedMod::of("base");
    let temp = tempfile::tempdir().unwrap();
    let (red_data, blue_data) = (temp.path().join("red"), temp.path().join("blue"));
    let mut red = open(start(&base, &red_data), 1024.0, 700.0);
    act(&mut red, Action::Link(LinkAction::CopyMove));
    assert!(told(&red, "make your move first"));
    press(&mut red, Key::PageDown);
    press(&mut red, Key::Enter);
    act(&mut red, Action::Link(LinkAction::CopyMove));
    assert!(told(&red, "it is still your turn"), "the piece is not placed yet");
    press(&mut red, Key::Space);
    assert_eq!(session(&red).guest_to_move(), None);
    let link = copy_move(&mut red);
    assert!(told(&red, "copied your move as a link") && told(&red, "send it to blue"));
    assert_eq!(Link::read(&link).unwrap().plays.as_deref(), Some("blue"));
    // From now on, this window does not move for the other player.
    red.run_steps(4);
    let waits = session(&red).record_text();
    press(&mut red, Key::Enter);
    press(&mut red, Key::Enter);
    assert_eq!(session(&red).record_text(), waits);
    assert!(is_shown(&red, "blue is to move. Copy your move and send it to them."));
    drop(red);

    let mut blue = open_move(&base, &blue_data, &link, "blue");
    assert_eq!(session(&blue).record_text(), waits);
    act(&mut blue, Action::Link(LinkAction::CopyMove));
    assert!(told(&blue, "it is still your turn"));
    play_turn(&mut blue);
    let played = session(&blue).record_text();
    let link = copy_move(&mut blue);
    drop(blue);
    let red = open_move(&base, &red_data, &link, "red");
    assert_eq!(session(&red).record_text(), played);
}

#[test]
fn a_move_is_copied_after_the_bots_have_moved() {
    let mut window = open(game(&["base"], 2, 2), 1024.0, 700.0);
    press(&mut window, Key::P);
    act(&mut window, Action::Link(LinkAction::CopyMove));
    assert!(told(&window, "the bots are paused: press P so that they move"));
}

#[test]
fn a_game_with_something_hidden_is_not_played_by_links() {
    let small = mods_folder().join("../tests/mods");
    let start = StartOptions { mods: Some(vec![mods_folder(), small]), ..game(&["base", "secret-hands"], 2, 0) };
    let mut window = open(start, 1024.0, 700.0);
    press(&mut window, Key::Enter);
    act(&mut window, Action::Link(LinkAction::CopyMove));
    assert!(told(&window, "this game hides something from its players"));
    assert!(session(&window).guests() == table::SeatSet::NONE);
}

/// Opens a link in another window with the small mods.
fn open_sealed(data: &Path, link: &str) -> Window {
    let start = StartOptions { data: Some(data.to_owned()), ..small_game(&["secret-bids"]) };
    let mut window = open(start, 1024.0, 700.0);
    act(&mut window, Action::Link(LinkAction::LookAt(link.to_owned())));
    click(&mut window, "Open it");
    window.run_steps(8);
    window
}

#[test]
fn secret_answers_are_sealed_in_links_and_opened_after_all_have_answered() {
    let temp = tempfile::tempdir().unwrap();
    let [red_data, blue_data] = ["red", "blue"].map(|name| temp.path().join(name));
    let start = StartOptions { data: Some(red_data.clone()), ..small_game(&["secret-bids"]) };
    let mut red = open(start, 1024.0, 700.0);
    press(&mut red, Key::PageDown);
    press(&mut red, Key::Enter);
    click(&mut red, "I am red");
    press(&mut red, Key::Num4);
    let link = copy_move(&mut red);
    let record = Link::read(&link).unwrap().record;
    assert!(record.ends_with("sealed\n") && !record.contains("\nbid"), "{record}");
    assert!(red_data.join("seal-secret").exists());
    red.run_steps(4);
    assert!(is_shown(&red, "blue is to move. Copy your move and send it to them."));
    assert!(is_shown(&red, "seals an answer"));
    drop(red);

    let mut blue = open_sealed(&blue_data, &link);
    press(&mut blue, Key::Num3);
    blue.run_steps(4);
    assert!(is_shown(&blue, "red has sealed an answer and opens it next."));
    let link = copy_move(&mut blue);
    drop(blue);

    // On another computer, red cannot open the answer.
    let elsewhere = open_sealed(&temp.path().join("elsewhere"), &link);
    assert!(told(&elsewhere, "your sealed answer cannot be opened: it was sealed on another computer"));
    drop(elsewhere);
    let red = open_sealed(&red_data, &link);
    assert!(is_shown(&red, "Thank the others?"), "red has bidden more: {}", session(&red).record_text());
    assert!(!told(&red, "sealed"));
}
