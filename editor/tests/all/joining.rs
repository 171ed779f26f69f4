//! The window as a guest: it joins a real host in this process by its link.

use std::ffi::OsStr;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use crate::common::*;
use crate::guests::{RemoteGuest, act};
use door::{Client, News, Request};
use editor::{Action, App, Command, GuestTable, HintLevel, Workspace, action_to_open};
use egui::PointerButton;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use host::{GuestLink, Room, RoomOptions, RunningServer};
use table::{AwaitedActor, Library, Seat, SeenGame, Setup, Snapshot};
use testkit::mods_folder;

/// Hosts a new game of the base game for two guests, whose record is in `folder`.
fn hosted(folder: &Path, options: &RoomOptions) -> RunningServer {
    let setup = Setup { seed: Some(4), ..Setup::of(&["base"], 2) };
    let room = Room::begin(folder, Library::open(&[mods_folder()]), setup, options).unwrap();
    RunningServer::start(room, SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).unwrap()
}

/// Hosts the game of a link again, at the same address.
fn hosted_again(folder: &Path, link: &GuestLink) -> RunningServer {
    let address: SocketAddr = link.host.strip_prefix("http://").unwrap().parse().unwrap();
    let library = Library::open(&[mods_folder()]);
    let room = Room::open(folder, link.code, library, &RoomOptions::default()).unwrap();
    RunningServer::start(room, address).unwrap()
}

fn guest(app: &App) -> &GuestTable {
    app.guest().expect("the window is a guest")
}

fn seen(app: &App) -> &Snapshot {
    guest(app).snapshot().expect("the game has arrived")
}

/// Clicks the middle of a button with the pointer.
fn click_button(window: &mut Window, label: &str) {
    let at = window.get_by_label(label).rect().center();
    click_at(window, at, PointerButton::Primary);
}

fn type_text(window: &mut Window, field: &str, text: &str) {
    let at = window.get_by_role_and_label(Role::TextInput, field).rect().center();
    click_at(window, at, PointerButton::Primary);
    window.event(egui::Event::Text(text.to_owned()));
    window.run_steps(2);
}

fn join(window: &mut Window, link: &str) {
    act(window, Action::Join(link.to_owned()));
    wait_until(window, "the game", |app| app.guest().is_some_and(|guest| guest.snapshot().is_some()));
}

/// Takes the first free seat in the lobby.
fn sit(window: &mut Window, name: &str) {
    type_text(window, "Your name", name);
    click_button(window, "Sit down");
    wait_until(window, "the seat", |app| guest(app).table().is_player());
}

/// Hosts a new game, and seats the window and a remote guest.
fn seated(folder: &Path) -> (RunningServer, Window, RemoteGuest) {
    let server = hosted(folder, &RoomOptions::default());
    let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), 1366.0, 768.0);
    join(&mut window, &server.link.to_string());
    sit(&mut window, "Anna");
    let remote = RemoteGuest::join(&server.link);
    (server, window, remote)
}

fn is_asked(app: &App) -> bool {
    let game = seen(app);
    matches!(game.awaited_actor(), AwaitedActor::Person(seat) if !game.guests().contains(seat))
}

/// Answers the question of the window with a click on the board, or on a button if the choice has
/// no place there.
fn answer_by_click(window: &mut Window) {
    // The board must be still, so that the places on the screen are those of the next frame.
    window.run_steps(20);
    let game = seen(app(window));
    let n = game.position_index();
    let board = guest(app(window)).board();
    let at = if game.view().tile_to_place().is_some() {
        board.screen_rect_of(first_place(game)).center()
    } else {
        let marks = game.view().answers().into_iter().find_map(|choice| board.screen_pos_of_option(choice));
        marks.unwrap_or_else(|| window.get_by_label_contains("Pass").rect().center())
    };
    click_at(window, at, PointerButton::Primary);
    wait_until(window, "the guest's answer", |app| seen(app).position_index() > n);
}

/// Waits until the remote guest has received the game after `n` answers.
fn receive(remote: &mut RemoteGuest, n: usize) {
    let has_it = |client: &Client| client.game().is_some_and(|game| game.position_index() == n);
    if !has_it(&remote.connection.client) {
        remote.until(|client, _| has_it(client));
    }
}

/// Lets the remote guest answer the question after `n` answers.
fn answer_remotely(remote: &mut RemoteGuest, n: usize) {
    receive(remote, n);
    let game = remote.connection.client.game().unwrap();
    let answer = game.view().answer_text(game.view().answers()[0]).unwrap();
    let at = remote.at();
    remote.request(Request::Answer { at, answer });
}

fn tiles(game: &SeenGame) -> Vec<String> {
    game.view().tiles().iter().map(|it| format!("{} {:?} {:?}", it.tile.0, it.spot, it.facing)).collect()
}

/// Saves a picture in the folder of the variable `PICTURES`, if it is set.
fn picture(window: &mut Window, name: &str) {
    if let Some(dir) = std::env::var_os("PICTURES") {
        window.render().unwrap().save(Path::new(&dir).join(format!("{name}.png"))).unwrap();
    }
}

#[test]
fn a_window_takes_a_seat_plays_and_leaves() {
    let temp = tempfile::tempdir().unwrap();
    let server = hosted(temp.path(), &RoomOptions::default());
    let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), 1366.0, 768.0);
    let own = (session(&window).id(), session(&window).position_index(), tiles(session(&window)));
    // The link is entered in the window of the command.
    act(&mut window, Action::Command(Command::Join));
    type_text(&mut window, "Link of the table", &server.link.to_string());
    picture(&mut window, "join");
    click_button(&mut window, "Join");
    wait_until(&mut window, "the game", |app| app.guest().is_some_and(|guest| guest.snapshot().is_some()));
    window.run_steps(3);
    assert!(window.query_by_label_contains("red: free").is_some() && window.query_by_label("Watch only").is_some());
    picture(&mut window, "lobby");
    sit(&mut window, "Anna");
    assert_eq!(app(&window).settings.guest_name, "Anna");
    let mut remote = RemoteGuest::join(&server.link);
    wait_until(&mut window, "the other guest", |app| guest(app).table().guest(Seat(1)) == Some(("Anna", true)));
    // Both guests play: the window with clicks on the board.
    for _ in 0..4 {
        while is_asked(app(&window)) {
            answer_by_click(&mut window);
        }
        wait_until(&mut window, "a person", |app| matches!(seen(app).awaited_actor(), AwaitedActor::Person(_)));
        while !is_asked(app(&window)) {
            let n = seen(app(&window)).position_index();
            answer_remotely(&mut remote, n);
            wait_until(&mut window, "the other's answer", |app| seen(app).position_index() > n);
            wait_until(&mut window, "a person", |app| matches!(seen(app).awaited_actor(), AwaitedActor::Person(_)));
        }
    }
    let n = seen(app(&window)).position_index();
    receive(&mut remote, n);
    let game = remote.connection.client.game().unwrap();
    assert_eq!(tiles(seen(app(&window))), tiles(game));
    assert_eq!(seen(app(&window)).view().scores(), game.view().scores());
    assert!(tiles(game).len() > 8);
    picture(&mut window, "playing");
    // The window writes to the other guest, and points at a spot.
    type_text(&mut window, "Chat", "Well played");
    click_button(&mut window, "Send");
    remote.until(|client, news| *news == News::Said && client.chat().last().unwrap().text == "Well played");
    // A click in the menu leaves. The user's game is as it was, and the seat stays taken.
    click_button(&mut window, "Table");
    click_button(&mut window, "Leave the table");
    wait_until(&mut window, "the user's game", |app| app.guest().is_none());
    assert_eq!((session(&window).id(), session(&window).position_index(), tiles(session(&window))), own);
    remote.until(|client, _| client.seats()[0].name.as_deref() == Some("Anna") && !client.seats()[0].is_here);
    // The link that the window keeps has the key to the seat.
    act(&mut window, Action::Command(Command::Join));
    click_button(&mut window, "Join");
    wait_until(&mut window, "the return", |app| app.guest().is_some_and(|guest| guest.table().is_player()));
    remote.until(|client, _| client.seats()[0].is_here);
}

#[test]
fn a_window_proposes_to_undo_and_agrees() {
    let temp = tempfile::tempdir().unwrap();
    let (_server, mut window, mut remote) = seated(temp.path());
    let before = seen(app(&window)).position_index();
    answer_by_click(&mut window);
    act_as_guest(&mut window, Action::Command(Command::Undo));
    remote.until(|_, news| matches!(news, News::UndoProposed(Seat(0), true)));
    wait_until(&mut window, "the proposal", |app| guest(app).table().proposal == Some((Seat(0), false)));
    remote.request(Request::AnswerUndo { agrees: true });
    wait_until(&mut window, "the undo", |app| seen(app).position_index() == before);
    // The other guest proposes, and the window agrees with a click.
    while is_asked(app(&window)) {
        answer_by_click(&mut window);
    }
    // Chance draws the tile of the other guest first.
    let is_others_turn = |app: &App| seen(app).awaited_actor() == AwaitedActor::Person(Seat(1));
    wait_until(&mut window, "the other's turn", is_others_turn);
    let n = seen(app(&window)).position_index();
    answer_remotely(&mut remote, n);
    wait_until(&mut window, "the other's answer", |app| seen(app).position_index() > n);
    let after = seen(app(&window)).position_index();
    receive(&mut remote, after);
    let at = remote.at();
    remote.request(Request::ProposeUndo { at });
    wait_until(&mut window, "the question", |app| guest(app).table().proposal == Some((Seat(1), true)));
    click_button(&mut window, "Agree");
    wait_until(&mut window, "the undo", |app| seen(app).position_index() == n);
}

/// The guest looks at an earlier position with a key, tries a move with a click, takes it back, and
/// returns with a click. The other guest notices nothing.
/// The host runs the rules, so the table answers the window's questions that need them.
#[test]
fn the_table_answers_what_the_window_asks_about_the_position() {
    let temp = tempfile::tempdir().unwrap();
    let (_server, mut window, _remote) = seated(temp.path());
    wait_for_label(&mut window, "(0)");
    window.state_mut().as_mut().unwrap().settings.hints = HintLevel::Learn;
    // The title says "so far" until the values of all places have arrived.
    wait_for_label(&mut window, "Best places");
}

#[test]
fn a_window_explores_alone() {
    let temp = tempfile::tempdir().unwrap();
    let (_server, mut window, mut remote) = seated(temp.path());
    let first = seen(app(&window)).position_index();
    while is_asked(app(&window)) {
        answer_by_click(&mut window);
    }
    wait_until(&mut window, "a person", |app| matches!(seen(app).awaited_actor(), AwaitedActor::Person(_)));
    let n = seen(app(&window)).position_index();
    receive(&mut remote, n);
    let version = remote.at();
    act_as_guest(&mut window, Action::GoTo(first));
    wait_until(&mut window, "the position", |app| seen(app).position_index() == first);
    assert!(window.query_by_label("Only you see this position. Try any move here.").is_some());
    assert_eq!((seen(app(&window)).steps().len(), tiles(seen(app(&window))).len()), (n, 1));
    picture(&mut window, "exploring");
    answer_by_click(&mut window);
    assert_eq!(guest(app(&window)).excursion().map(|it| it.n_tried), Some(1));
    assert!(window.query_by_label_contains("this tried move").is_some());
    picture(&mut window, "trying");
    click_button(&mut window, "Take back");
    wait_until(&mut window, "the position before", |app| seen(app).position_index() == first);
    window.key_press(egui::Key::ArrowRight);
    wait_until(&mut window, "the next turn", |app| seen(app).position_index() > first);
    window.key_press(egui::Key::End);
    wait_until(&mut window, "the game", |app| guest(app).excursion().is_none());
    assert_eq!(seen(app(&window)).position_index(), n);
    click_button(&mut window, "Explore");
    wait_until(&mut window, "the excursion", |app| guest(app).excursion().is_some());
    // The guest moves for the other player.
    assert!(is_asked(app(&window)));
    answer_by_click(&mut window);
    click_button(&mut window, "Return to the game");
    wait_until(&mut window, "the game", |app| guest(app).excursion().is_none());
    assert_eq!(seen(app(&window)).position_index(), n);
    assert_eq!(remote.at(), version);
}

fn act_as_guest(window: &mut Window, action: Action) {
    let ctx = window.ctx.clone();
    window.state_mut().as_mut().unwrap().act_as_guest(&ctx, action);
    window.run_steps(3);
}

/// The host ends and starts again: the window says that the connection is lost, and returns to its
/// seat by itself.
#[test]
fn a_window_returns_to_its_seat_after_a_lost_connection() {
    let temp = tempfile::tempdir().unwrap();
    let server = hosted(temp.path(), &RoomOptions::default());
    let link = server.link.clone();
    let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), 1366.0, 768.0);
    join(&mut window, &link.to_string());
    sit(&mut window, "Anna");
    answer_by_click(&mut window);
    let n = seen(app(&window)).position_index();
    drop(server);
    wait_until(&mut window, "the end of the connection", |app| guest(app).lost().is_some());
    assert!(window.query_all_by_label_contains("Connecting again").next().is_some());
    picture(&mut window, "lost");
    let server = hosted_again(temp.path(), &link);
    wait_long_until(&mut window, "the return", Duration::from_secs(20), |app| {
        guest(app).lost().is_none() && guest(app).table().is_player() && is_asked(app)
    });
    assert_eq!(seen(app(&window)).position_index(), n);
    answer_by_click(&mut window);
    drop(server);
}

#[test]
fn refusals_are_told_in_a_sentence() {
    let temp = tempfile::tempdir().unwrap();
    let server = hosted(temp.path(), &RoomOptions::default());
    let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), 1366.0, 768.0);
    let told = |window: &Window, text: &str| window.query_all_by_label_contains(text).next().is_some();
    act(&mut window, Action::Join("KOMBLU".to_owned()));
    assert!(told(&window, "A link to a table begins with http://") && app(&window).guest().is_none());
    // The host has no such table.
    let unknown = format!("{}/AAAAAA", server.link.host);
    act(&mut window, Action::Join(unknown));
    wait_until(&mut window, "the refusal", |app| app.guest().is_none());
    assert!(told(&window, "The host has no table with the code of this link"));
    picture(&mut window, "refused");
    // There is no host.
    let nobody = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
    act(&mut window, Action::Join(format!("http://{nobody}/KOMBLU")));
    wait_until(&mut window, "the refusal", |app| app.guest().is_none());
    assert!(told(&window, "There is no host at"));
    // The token belongs to no seat: the window watches, and the lobby opens.
    act(&mut window, Action::Join(format!("{}#{}", server.link, "7".repeat(32))));
    wait_until(&mut window, "the refusal", |app| {
        app.guest().is_some_and(|guest| guest.notifications().last().is_some_and(|it| it.text.contains("no longer")))
    });
    assert!(told(&window, "Sit down") && !guest(app(&window)).table().is_player());
    // A host cannot be a guest.
    click_button(&mut window, "Watch only");
    click_button(&mut window, "Table");
    click_button(&mut window, "Leave the table");
    act(&mut window, Action::Invite(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))));
    let notifications = app(&window).notifications();
    let (news, _) = notifications.current(notifications.last().unwrap().at).unwrap();
    assert!(news.text.starts_with("guests can join at"), "the refusals are replaced: {news:?}");
    act(&mut window, Action::Join(server.link.to_string()));
    assert!(told(&window, "First stop inviting guests") && app(&window).guest().is_none());
}

#[test]
fn the_link_of_a_table_is_joined_as_an_argument_of_the_program() {
    let temp = tempfile::tempdir().unwrap();
    let server = hosted(temp.path(), &RoomOptions::default());
    for argument in [server.link.to_string(), format!("bastide:{}", server.link)] {
        let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), 390.0, 844.0);
        act(&mut window, action_to_open(OsStr::new(&argument)));
        assert!(app(&window).guest().is_none(), "any page can open an address, so the user confirms it");
        click_button(&mut window, "Join");
        wait_until(&mut window, "the game", |app| app.guest().is_some_and(|guest| guest.snapshot().is_some()));
        picture(&mut window, "lobby-tall");
        click_button(&mut window, "Watch only");
        picture(&mut window, "watching-tall");
    }
    // The link of a game is no link of a table.
    assert!(!matches!(action_to_open(OsStr::new("https://a.org/tables#x")), Action::Join(_)));
}

/// The window takes part in a playtest of the host, and rates an explanation.
#[test]
fn a_window_takes_part_in_the_playtest_of_a_host() {
    let temp = tempfile::tempdir().unwrap();
    let server = hosted(temp.path(), &RoomOptions { collects_playtest: true, ..RoomOptions::default() });
    let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), 1366.0, 768.0);
    join(&mut window, &server.link.to_string());
    assert!(window.query_by_label("I agree").is_none(), "the guest first takes a seat or watches");
    sit(&mut window, "Anna");
    click_button(&mut window, "I agree");
    wait_until(&mut window, "the consent", |app| guest(app).playtest().unwrap().takes_part());
    press(&mut window, egui::Key::N);
    window.event(egui::Event::Text("Which edges must fit?".to_owned()));
    window.run_steps(2);
    click_button(&mut window, "Save note");
    let file = temp.path().join(format!("{}.playtest.json", server.link.code));
    wait_until(&mut window, "the note", |_| {
        std::fs::read_to_string(&file).is_ok_and(|text| text.contains("Which edges must fit?"))
    });
}
