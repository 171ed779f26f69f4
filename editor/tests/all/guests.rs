//! Guests at the game of a window: a real client joins by the link over the network.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use crate::common::*;
use crate::play::small_game;
use door::{Client, News, Request, SeatClaim, SeatToken};
use editor::{Action, App, CollectedPlaytest, Command, GuestRequest, StartOptions};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use host::{Connection, GuestLink};
use playtest::{Playtest, Reply};
use table::{AwaitedActor, Seat, Spot};
use testkit::CopiedMod;
use tokio::runtime::{Builder, Runtime};

/// A guest with a connection of its own.
pub struct RemoteGuest {
    runtime: Runtime,
    pub connection: Connection,
    token: Option<SeatToken>,
}

impl RemoteGuest {
    pub fn join(link: &GuestLink) -> RemoteGuest {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let connection = runtime.block_on(Connection::open(link, Client::new())).unwrap();
        let mut guest = RemoteGuest { runtime, connection, token: None };
        guest.request(Request::Sit { seat: None, name: "Anna".to_owned(), claim: SeatClaim::of(link.token).unwrap() });
        let mut token = None;
        guest.until(|_, news| {
            token = if let News::Seated(_, token) = news { Some(*token) } else { None };
            token.is_some()
        });
        guest.token = token;
        guest
    }

    pub fn request(&mut self, request: Request) {
        self.runtime.block_on(self.connection.request(request)).unwrap();
    }

    /// Waits for news after which `is_true` returns true.
    pub fn until(&mut self, mut is_true: impl FnMut(&Client, &News) -> bool) {
        let wait = async {
            loop {
                let news = self.connection.next().await.unwrap();
                if is_true(&self.connection.client, &news) {
                    return;
                }
            }
        };
        let wait = async { tokio::time::timeout(Duration::from_secs(10), wait).await };
        self.runtime.block_on(wait).unwrap();
    }

    pub fn at(&self) -> u64 {
        self.connection.client.game().unwrap().revision().version()
    }
}

pub fn act(window: &mut Window, action: Action) {
    let ctx = window.ctx.clone();
    window.state_mut().as_mut().unwrap().act(&ctx, action);
    window.run_steps(3);
}

/// Invites guests on this computer, and returns the link.
fn invite(window: &mut Window) -> GuestLink {
    act(window, Action::Invite(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))));
    app(window).invitation().unwrap().link.parse().unwrap()
}

fn proposal(app: &App) -> Option<(Seat, bool)> {
    app.invitation().and_then(|invitation| invitation.proposal)
}

fn first_answer(window: &Window) -> Action {
    Action::Answer(session(window).view().answers()[0])
}

/// Plays in the window until the guest is to move.
fn play_until_guest(window: &mut Window) {
    while session(window).guest_to_move().is_none() {
        let answer = first_answer(window);
        act(window, answer);
    }
}

#[test]
fn a_guest_joins_plays_and_leaves() {
    let mut window = open(game(&["base"], 2, 0), 1366.0, 768.0);
    let link = invite(&mut window);
    let mut guest = RemoteGuest::join(&link);
    wait_until(&mut window, "the guest", |app| app.invitation().unwrap().n_guests() == 1);
    let name = session(&window).view().name(Seat(1)).to_owned();
    assert_eq!(app(&window).notifications().last().unwrap().text, format!("Anna plays {name}"));
    play_until_guest(&mut window);
    assert!(window.query_all_by_label_contains("Anna (").next().is_some());
    // The window can neither answer for the guest nor undo without a proposal.
    let at = session(&window).position_index();
    let answer = first_answer(&window);
    act(&mut window, answer);
    act(&mut window, Action::GoTo(0));
    act(&mut window, Action::SetBot(Seat(1), Some("greedy".to_owned())));
    assert_eq!((session(&window).position_index(), session(&window).guest_to_move()), (at, Some(Seat(1))));
    guest.until(|client, _| client.game().is_some_and(|game| game.awaited_actor() == AwaitedActor::Person(Seat(1))));
    let game = guest.connection.client.game().unwrap();
    let answer = game.view().answer_text(game.view().answers()[0]).unwrap();
    let at_guest = guest.at();
    guest.request(Request::Answer { at: at_guest, answer });
    wait_until(&mut window, "the answer", |app| app.snapshot().position_index() > at);
    assert!(window.query_by_label_contains("No piece").is_none(), "the window offers no options of the guest");
    // The guest proposes to undo, and the player at the window agrees.
    let after = session(&window).position_index();
    guest.until(|client, _| client.game().unwrap().position_index() == after);
    let at_guest = guest.at();
    guest.request(Request::ProposeUndo { at: at_guest });
    wait_until(&mut window, "the proposal", |app| proposal(app) == Some((Seat(1), true)));
    assert!(window.query_all_by_label_contains("Anna proposes to undo").next().is_some());
    click(&mut window, "Agree");
    wait_until(&mut window, "the undo", |app| app.snapshot().position_index() == at && proposal(app).is_none());
    // An undo in the window is a proposal too.
    act(&mut window, Action::Command(Command::Undo));
    wait_until(&mut window, "the window's proposal", |app| proposal(app) == Some((Seat(0), false)));
    assert_eq!(session(&window).position_index(), at);
    guest.until(|_, news| matches!(news, News::UndoProposed(Seat(0), true)));
    guest.request(Request::AnswerUndo { agrees: false });
    wait_until(&mut window, "the refusal", |app| proposal(app).is_none());
    assert_eq!(session(&window).position_index(), at);
    // The guest leaves, and returns with the token.
    let token = guest.token;
    drop(guest);
    wait_until(&mut window, "an away guest", |app| app.invitation().unwrap().guest(Seat(1)) == Some(("Anna", false)));
    assert!(window.query_all_by_label_contains("is away").next().is_some());
    let mut guest = RemoteGuest::join(&GuestLink { token, ..link });
    wait_until(&mut window, "the return", |app| app.invitation().unwrap().guest(Seat(1)) == Some(("Anna", true)));
    // Stopping ends the connection, and the window plays the seat again.
    act(&mut window, Action::Guests(GuestRequest::Stop));
    wait_until(&mut window, "the end", |app| app.snapshot().guest_to_move().is_none());
    let end = async { while guest.connection.next().await.is_ok() {} };
    let end = async { tokio::time::timeout(Duration::from_secs(10), end).await };
    guest.runtime.block_on(end).unwrap();
    let answer = first_answer(&window);
    act(&mut window, answer);
    assert!(session(&window).position_index() > at);
}

#[test]
fn the_window_and_a_guest_chat_and_point() {
    let mut window = open(game(&["base"], 2, 0), 1366.0, 768.0);
    let link = invite(&mut window);
    let mut guest = RemoteGuest::join(&link);
    wait_until(&mut window, "the guest", |app| app.invitation().unwrap().n_guests() == 1);
    guest.request(Request::Chat { text: "Where to?".to_owned() });
    let line = ("Anna".to_owned(), "Where to?".to_owned());
    let has_line = |app: &App| app.invitation().unwrap().chat.contains(&line);
    wait_until(&mut window, "the line", has_line);
    assert!(window.query_by_label("Where to?").is_some());
    assert_eq!(app(&window).notifications().last().unwrap().text, "Anna: Where to?");
    guest.request(Request::Point { spot: Spot::new(0, 1) });
    wait_until(&mut window, "the frame", |app| app.invitation().unwrap().points().next().is_some());
    let pointed: Vec<_> = app(&window).invitation().unwrap().points().map(|(seat, _, spot)| (seat, spot)).collect();
    assert_eq!(pointed, [(Seat(1), Spot::new(0, 1))]);
    // The player at the window writes a chat line, and points at a spot.
    window.get_by_role_and_label(Role::TextInput, "Chat").focus();
    window.run_steps(2);
    window.event(egui::Event::Text("Here".to_owned()));
    window.run_steps(2);
    click(&mut window, "Send");
    guest.until(|client, news| *news == News::Said && client.chat().last().unwrap().text == "Here");
    let at = app(&window).board().screen_rect_of(Spot::new(-1, 0)).center();
    let at_before = session(&window).position_index();
    let modifiers = egui::Modifiers::SHIFT;
    window.hover_at(at);
    window.run_steps(2);
    for pressed in [true, false] {
        let button = egui::PointerButton::Primary;
        window.event_modifiers(egui::Event::PointerButton { pos: at, button, pressed, modifiers }, modifiers);
    }
    window.run_steps(3);
    guest.until(|_, news| *news == News::Pointed(Seat(0), Spot::new(-1, 0)));
    assert_eq!(session(&window).position_index(), at_before, "pointing places no tile");
}

/// Opens a game of a copy of the base game with a survey, whose record is in `data`.
fn surveyed(base: &CopiedMod, data: &Path, width: f32, height: f32) -> Window {
    base.write("mod.toml", &(base.read("mod.toml") + "\n[playtest.fun]\nabout = \"Fun?\"\ntype = \"scale\"\n"));
    let mods = Some(vec![base.library().to_owned()]);
    open(StartOptions { mods, data: Some(data.to_owned()), ..game(&["base"], 2, 0) }, width, height)
}

fn playtest(app: &App) -> &CollectedPlaytest {
    app.invitation().unwrap().playtest.as_ref().unwrap()
}

/// The window collects a playtest from the guest and from its own player, tells who agreed, and
/// names the file at the end.
#[test]
fn a_playtest_of_the_window_is_collected() {
    let (base, data) = (CopiedMod::of("base"), tempfile::tempdir().unwrap());
    let mut window = surveyed(&base, data.path(), 1366.0, 768.0);
    let link = invite(&mut window);
    act(&mut window, Action::Command(Command::Invite));
    click(&mut window, "Collect a playtest");
    wait_until(&mut window, "the playtest", |app| app.invitation().unwrap().playtest.is_some());
    assert!(window.query_by_label_contains("no person has agreed").is_some());
    let file = playtest(app(&window)).file.clone();
    let mut guest = RemoteGuest::join(&link);
    wait_until(&mut window, "the guest", |app| app.invitation().unwrap().n_guests() == 1);
    assert!(window.query_by_label_contains("has not agreed yet").is_some());
    assert!(!file.exists(), "no file is written before a person has agreed");
    guest.request(Request::Consent { agrees: true });
    wait_until(&mut window, "the consent", |app| playtest(app).consents == [None, Some(true)]);
    assert_eq!(app(&window).notifications().last().unwrap().text, "Anna takes part in the playtest");
    assert!(window.query_by_label_contains("Anna, takes part").is_some());
    click(&mut window, "I take part");
    wait_until(&mut window, "the host's consent", |app| playtest(app).own.takes_part());
    act(&mut window, Action::Command(Command::Invite));
    // The key N opens the note instead of the overlay.
    press(&mut window, egui::Key::N);
    assert!(window.query_by_label("A note about the game").is_some());
    window.event(egui::Event::Text("Which edges must fit?".to_owned()));
    window.run_steps(2);
    click(&mut window, "Save note");
    wait_until(&mut window, "the note", |app| playtest(app).counts.1 == 1);
    play_until_guest(&mut window);
    wait_until(&mut window, "the choices", |app| playtest(app).counts.0 > 0);
    guest.request(Request::Note { n: 0, about: None, text: "At the start".to_owned() });
    wait_until(&mut window, "the guest's note", |app| playtest(app).counts.1 == 2);
    act(&mut window, Action::Guests(GuestRequest::Stop));
    wait_until(&mut window, "the end", |app| app.invitation().is_none());
    let told = |text: &str| app(&window).notifications().items().iter().any(|it| it.text.contains(text));
    assert!(told("the playtest is saved in") && told(&file.file_name().unwrap().to_string_lossy()));
    let read = Playtest::read(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(read.people.iter().map(|it| it.seat.as_deref()).collect::<Vec<_>>(), [Some("blue"), Some("red")]);
    assert_eq!(
        read.notes.iter().map(|it| (it.person, &*it.text)).collect::<Vec<_>>(),
        [(2, "Which edges must fit?"), (1, "At the start")]
    );
    assert!(!read.answers.is_empty() && read.answers.iter().all(|it| it.person == 2 && !it.undone));
    assert!(file.with_file_name(&read.record).exists(), "the record is in the same folder");
    act(&mut window, Action::Command(Command::Invite));
    assert!(window.query_by_label_contains("Last playtest: ").is_some());
}

/// On a screen of 1024×600 pixels with text of 150%, the buttons of all windows are on the screen,
/// or can be scrolled to.
#[test]
fn the_windows_of_a_playtest_fit_a_small_screen() {
    let (base, data) = (CopiedMod::of("base"), tempfile::tempdir().unwrap());
    let (width, height) = (1024.0 / 1.5, 600.0 / 1.5);
    let mut window = surveyed(&base, data.path(), width, height);
    invite(&mut window);
    act(&mut window, Action::Guests(GuestRequest::CollectPlaytest));
    act(&mut window, Action::Guests(GuestRequest::Send(Request::Consent { agrees: true })));
    wait_until(&mut window, "the consent", |app| app.invitation().unwrap().takes_part());
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, height));
    let check = |window: &Window, labels: &[&str]| {
        for label in labels {
            let rect = window.get_by_label(label).rect();
            assert!(screen.contains_rect(rect), "{label}: {rect}");
        }
    };
    act(&mut window, Action::Command(Command::Invite));
    check(&window, &["Copy link", "I take part", "Write a note…"]);
    picture(&mut window, "invite");
    // The last button may be below the others.
    window.get_by_label("Stop inviting").scroll_to_me();
    window.run_steps(20);
    check(&window, &["Show in Balance", "Open folder", "Stop inviting"]);
    picture(&mut window, "invite-end");
    act(&mut window, Action::Command(Command::Invite));
    press(&mut window, egui::Key::N);
    check(&window, &["A note about the game", "Save note"]);
    picture(&mut window, "note");
    press(&mut window, egui::Key::Escape);
    act(&mut window, Action::Command(Command::Invite));
    click(&mut window, "Answer the survey…");
    act(&mut window, Action::Command(Command::Invite));
    check(&window, &["Questions about the game", "5", "Save answers"]);
    picture(&mut window, "survey");
}

#[test]
fn the_window_for_guests_grows_with_its_content() {
    let mut window = open(game(&["base"], 5, 0), 1366.0, 768.0);
    act(&mut window, Action::Command(Command::Invite));
    invite(&mut window);
    window.run_steps(8);
    let stop = window.get_by_label("Stop inviting").rect().center();
    click_at(&mut window, stop, egui::PointerButton::Primary);
    assert!(app(&window).invitation().is_none(), "the button is visible without scrolling");
}

/// Saves a picture in the folder of the variable `PICTURES`, if it is set.
fn picture(window: &mut Window, name: &str) {
    if let Some(dir) = std::env::var_os("PICTURES") {
        window.render().unwrap().save(Path::new(&dir).join(format!("{name}.png"))).unwrap();
    }
}

/// After the explanation of points, the player at the window says whether it is clear, and answers
/// the survey at the end of the game.
#[test]
fn the_player_at_the_window_rates_an_explanation_and_answers_the_survey() {
    let (base, data) = (CopiedMod::of("base"), tempfile::tempdir().unwrap());
    let mut window = surveyed(&base, data.path(), 1366.0, 768.0);
    invite(&mut window);
    act(&mut window, Action::Guests(GuestRequest::CollectPlaytest));
    act(&mut window, Action::Guests(GuestRequest::Send(Request::Consent { agrees: true })));
    wait_until(&mut window, "the consent", |app| app.invitation().unwrap().takes_part());
    while session(&window).view().awards().is_empty() {
        let answer = first_answer(&window);
        act(&mut window, answer);
    }
    window.state_mut().as_mut().unwrap().explain_largest_award();
    window.run_steps(3);
    picture(&mut window, "thumbs");
    click(&mut window, "Unclear");
    wait_until(&mut window, "the thumb", |app| playtest(app).own.thumbs.len() == 1);
    let rule = session(&window).view().awards().iter().max_by_key(|it| it.points).unwrap().reason.to_string();
    assert_eq!(playtest(app(&window)).own.thumbs, [(rule, false)]);
    while !session(&window).view().is_over() {
        let answer = first_answer(&window);
        act(&mut window, answer);
    }
    wait_until(&mut window, "the survey", |app| app.invitation().unwrap().playtest.as_ref().unwrap().own.has_survey());
    assert!(window.query_by_label("Questions about the game").is_some());
    click(&mut window, "4");
    click(&mut window, "Save answers");
    wait_until(&mut window, "the reply", |app| playtest(app).own.has_replied);
    let read = Playtest::read(&fs::read_to_string(&playtest(app(&window)).file).unwrap()).unwrap();
    assert_eq!(read.replies[0].reply, Reply::Number(4));
}

#[test]
fn a_clock_runs_for_the_window_and_its_guest() {
    let mut window = open(game(&["base"], 2, 0), 1366.0, 768.0);
    let mut guest = RemoteGuest::join(&invite(&mut window));
    act(&mut window, Action::Command(Command::Invite));
    click(&mut window, "Start a clock");
    wait_until(&mut window, "the clock", |app| {
        app.invitation().unwrap().time_left(Seat(1)).as_deref() == Some("10:00")
    });
    assert!(window.query_by_label("Start a clock").is_none());
    guest.until(|client, news| *news == News::Clock && client.clock().unwrap().runs == Some(Seat(0)));
    // The window pauses the game, and the guest continues it.
    let click_button = |window: &mut Window, label: &str| {
        let at = window.get_by_label(label).rect().center();
        click_at(window, at, egui::PointerButton::Primary);
    };
    click_button(&mut window, "Pause the game");
    guest.until(|client, _| client.paused_by() == Some(Seat(0)));
    guest.until(|client, _| client.clock().is_some_and(|clock| clock.runs.is_none()));
    wait_until(&mut window, "the pause", |app| app.invitation().unwrap().paused_by == Some(Seat(0)));
    let left = app(&window).invitation().unwrap().time_left(Seat(0));
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(app(&window).invitation().unwrap().time_left(Seat(0)), left);
    guest.request(Request::Pause { is_paused: false });
    guest.until(|client, _| client.clock().is_some_and(|clock| clock.runs == Some(Seat(0))));
    wait_until(&mut window, "the end of the pause", |app| app.invitation().unwrap().paused_by.is_none());
    assert!(window.query_by_label("Continue the game").is_none());
    assert_eq!(app(&window).invitation().unwrap().n_guests(), 1);

    // With another invitation, the time of the window is over after a second.
    act(&mut window, Action::Guests(GuestRequest::Stop));
    let mut guest = RemoteGuest::join(&invite(&mut window));
    wait_until(&mut window, "the guest", |app| app.invitation().unwrap().n_guests() == 1);
    act(&mut window, Action::Guests(GuestRequest::StartClock(1, 0)));
    wait_until(&mut window, "a bot", |app| app.snapshot().is_bot(Seat(0)));
    assert_eq!(app(&window).invitation().unwrap().time_left(Seat(0)).unwrap(), "0:00");
    let name = session(&window).view().name(Seat(0)).to_owned();
    let told = format!("{name} has no time left: a bot takes over");
    assert!(app(&window).notifications().items().iter().any(|it| it.text == told));
    // The bot moves, so the time of the guest runs.
    guest.until(|client, news| *news == News::Clock && client.clock().unwrap().runs == Some(Seat(1)));
}

#[test]
fn rules_change_while_a_guest_plays() {
    let base = CopiedMod::of("base");
    let start = StartOptions { mods: Some(vec![base.library().to_owned()]), watch: true, ..game(&["base"], 2, 0) };
    let mut window = open(start, 1366.0, 768.0);
    let mut guest = RemoteGuest::join(&invite(&mut window));
    wait_until(&mut window, "the guest", |app| app.invitation().unwrap().n_guests() == 1);
    let rules = guest.connection.client.game().unwrap().ruleset().clone();
    let manifest = base.file("mod.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("complete = \"tiles\"", "complete = \"5 * tiles\"")).unwrap();
    let (mut has_notice, mut has_rules) = (false, false);
    guest.until(|client, news| {
        has_notice |= matches!(news, News::Notice(text) if text.contains("changed the rules"));
        has_rules |= client.game().is_some_and(|game| !std::sync::Arc::ptr_eq(game.ruleset(), &rules));
        has_notice && has_rules
    });
}

#[test]
fn another_game_ends_the_invitation() {
    let mut window = open(game(&["base"], 2, 0), 1366.0, 768.0);
    let guest = RemoteGuest::join(&invite(&mut window));
    wait_until(&mut window, "the guest", |app| app.invitation().unwrap().n_guests() == 1);
    let id = session(&window).id();
    act(&mut window, Action::Command(Command::PlayAgain));
    assert!(window.query_all_by_label_contains("A guest is at this table").next().is_some());
    click(&mut window, "Keep this game");
    assert!(session(&window).id() == id && app(&window).invitation().unwrap().n_guests() == 1);
    assert!(window.query_all_by_label_contains("A guest is at this table").next().is_none());
    act(&mut window, Action::Command(Command::PlayAgain));
    click(&mut window, "Open the other game");
    wait_until(&mut window, "the other game", |app| app.invitation().is_none());
    assert_ne!(session(&window).id(), id);
    assert!(session(&window).guests().seats().next().is_none());
    drop(guest);
}

#[test]
fn the_hand_of_a_guest_is_hidden_from_the_window() {
    let mut window = open(small_game(&["secret-hands"]), 1366.0, 768.0);
    let cards = |window: &Window, seat| session(window).view().cards_in_hand(seat).count();
    assert_eq!(
        (cards(&window, Seat(0)), cards(&window, Seat(1))),
        (0, 0),
        "the hands are hidden, because two people play at this window"
    );
    let link = invite(&mut window);
    let mut guest = RemoteGuest::join(&link);
    wait_until(&mut window, "the guest", |app| app.snapshot().guests().contains(Seat(1)));
    window.run_steps(3);
    assert_eq!((cards(&window, Seat(0)), cards(&window, Seat(1))), (1, 0));
    play_until_guest(&mut window);
    act(&mut window, Action::HandOver(Some(Seat(1))));
    assert_eq!((cards(&window, Seat(0)), cards(&window, Seat(1))), (1, 0));
    assert_eq!(session(&window).hand_over_to(), None);
    assert!(window.query_by_label_contains("show it").is_none());
    // The guest sees their own hand once the game for their seat has arrived.
    guest.until(|client, _| {
        let cards = |seat| client.game().map(|game| game.view().cards_in_hand(seat).count());
        (cards(Seat(0)), cards(Seat(1))) == (Some(0), Some(1))
    });
}
