//! Tests of guests at a table over a network: whole games, lost connections, restarts of the host,
//! and attacks.

use std::time::Duration;

use door::{Client, News, PROTOCOL_VERSION, Request, SeatClaim, encode};
use futures_util::SinkExt as _;
use host::{Connection, GuestLink, GuestReport, JoinError, ModsWatch, Room, RoomOptions, RunningGuest};
use table::{AwaitedActor, Library, Seat, SeatSet, Setup};
use testkit::{CopiedMod, mods_folder};
use tokio::net::TcpListener;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

use crate::served::{Served, begin, reason_for_closing};

async fn join(link: &GuestLink, name: &str) -> Connection {
    let mut connection = Connection::open(link, Client::new()).await.unwrap();
    let request = Request::Sit { seat: None, name: name.to_owned(), claim: SeatClaim::of(link.token).unwrap() };
    connection.request(request).await.unwrap();
    connection
}

/// Reads news until `is_true` returns true for one.
async fn until(connection: &mut Connection, mut is_true: impl FnMut(&Client, &News) -> bool) {
    let wait = async {
        loop {
            let news = connection.next().await.unwrap();
            if is_true(&connection.client, &news) {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(60), wait).await.expect("the table should answer within a minute");
}

/// Gives random answers until the game is over or has `n` answers.
async fn play(mut connection: Connection, seed: u64, n: usize) -> Connection {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut answered = None;
    loop {
        let game = connection.client.game();
        if game.is_some_and(|game| game.awaited_actor() == AwaitedActor::Nobody || game.position_index() >= n) {
            return connection;
        }
        let own = connection.client.own_seats();
        let asked =
            game.filter(|game| matches!(game.awaited_actor(), AwaitedActor::Person(seat) if own.contains(seat)));
        if let Some(game) = asked.filter(|game| answered != Some(game.revision().version())) {
            let view = game.view();
            let options: Vec<String> = view.answers().into_iter().filter_map(|it| view.answer_text(it)).collect();
            let at = game.revision().version();
            answered = Some(at);
            let answer = options[rng.usize(..options.len())].clone();
            connection.request(Request::Answer { at, answer }).await.unwrap();
        }
        until(&mut connection, |_, _| true).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_play_a_whole_game() {
    let temp = tempfile::tempdir().unwrap();
    let served = Served::start(vec![begin(temp.path(), &["base", "messages"], 2)]).await;
    let link = &served.links[0];
    let mut spectator = Connection::open(link, Client::new()).await.unwrap();
    until(&mut spectator, |client, _| client.game().is_some()).await;
    let (red, blue) = (join(link, "Anna").await, join(link, "Bob").await);
    let red = tokio::spawn(play(red, 1, usize::MAX));
    let (red, blue) = (play(blue, 2, usize::MAX).await, red.await.unwrap());
    until(&mut spectator, |client, _| client.game().is_some_and(|game| game.awaited_actor() == AwaitedActor::Nobody))
        .await;
    let scores = |connection: &Connection| connection.client.game().unwrap().view().scores();
    assert_eq!(scores(&red), scores(&blue));
    assert_eq!(scores(&red), scores(&spectator));
    assert_eq!(spectator.client.own_seats(), SeatSet::NONE);
    let names: Vec<_> = spectator.client.seats().iter().map(|seat| seat.name.clone().unwrap()).collect();
    assert_eq!(names, ["Anna", "Bob"]);
    served.stop().await;
}

/// In the middle of a game, guests disappear and return, and the host stops and starts again.
#[tokio::test(flavor = "multi_thread")]
async fn guests_and_hosts_come_back() {
    let temp = tempfile::tempdir().unwrap();
    let room = begin(temp.path(), &["base"], 2);
    let code = room.code();
    let mut served = Served::start(vec![room]).await;
    let mut tokens = Vec::new();
    for name in ["Anna", "Bob"] {
        let mut guest = join(&served.links[0], name).await;
        until(&mut guest, |_, news| {
            if let News::Seated(_, token) = news {
                tokens.push(*token);
            }
            matches!(news, News::Seated(..))
        })
        .await;
    }
    let mut n_answers = 0;
    for round in 0..12 {
        let link = |n: usize| GuestLink { token: Some(tokens[n]), ..served.links[0].clone() };
        let (red, blue) = (join(&link(0), "").await, join(&link(1), "").await);
        // The guests give some answers and disappear without closing the connection.
        let red = tokio::spawn(play(red, round, n_answers + 6));
        let blue = play(blue, round + 100, n_answers + 6).await;
        drop(red.await.unwrap());
        let game = blue.client.game().unwrap();
        n_answers = game.position_index();
        assert_eq!(blue.client.own_seats(), Seat(1).into());
        if round % 3 == 0 {
            served.stop().await;
            let room = Room::open(temp.path(), code, Library::open(&[mods_folder()]), &RoomOptions::default()).unwrap();
            served = Served::start(vec![room]).await;
        }
    }
    assert!(n_answers > 40, "{n_answers}");
    served.stop().await;
}

#[test]
fn a_record_that_does_not_fit_the_rules_is_left_alone() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("KOMBLU.game");
    let record = "bastide 1\nmods base\nplayers red blue\nseed 7\ndraw base/K\nplace 99,99 0\n";
    std::fs::write(&file, record).unwrap();
    let options = RoomOptions::default();
    let error = Room::open(temp.path(), "KOMBLU".parse().unwrap(), Library::open(&[mods_folder()]), &options).err();
    let error = error.unwrap().to_string();
    assert!(error.contains("KOMBLU.game:6") && error.contains("the record is unchanged"), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), record);
}

#[tokio::test(flavor = "multi_thread")]
async fn attackers_are_dropped_and_the_game_goes_on() {
    let temp = tempfile::tempdir().unwrap();
    let served = Served::start(vec![begin(temp.path(), &["base"], 2)]).await;
    let link = &served.links[0];
    let mut guest = join(link, "Anna").await;
    until(&mut guest, |_, news| matches!(news, News::Seated(..))).await;

    let url = link.socket_url();
    let closed = |messages| reason_for_closing(&url, messages);
    let garbled = [&PROTOCOL_VERSION.to_le_bytes()[..], &[200]].concat();
    assert_eq!(closed(vec![Message::binary(garbled)]).await, "a message could not be read");
    let other = closed(vec![Message::binary(vec![99, 0, 1])]).await;
    assert!(other.contains("version 99") && other.contains("same release"), "{other}");
    closed(vec![Message::binary(vec![0; 10 << 20])]).await;
    closed(vec![Message::text("hello")]).await;
    let hello = Client::new().number_request(Request::Stand);
    let flood = (0..500).map(|_| Message::binary(encode(&hello))).collect();
    assert_eq!(closed(flood).await, "too many requests in a short time");
    let pings = (0..500).map(|_| Message::Ping(vec![1; 100].into())).collect();
    assert_eq!(closed(pings).await, "too many requests in a short time");

    assert!(matches!(
        Connection::open(&GuestLink { code: "AAAAAA".parse().unwrap(), ..link.clone() }, Client::new()).await,
        Err(JoinError::NoTable)
    ));
    let guest = play(guest, 1, 2).await;
    assert_eq!(guest.client.own_seats(), Seat(0).into());
    served.stop().await;
}

/// All tables of a host share a watch, and read changed mods again.
#[tokio::test(flavor = "multi_thread")]
async fn a_changed_mod_reaches_all_tables() {
    let temp = tempfile::tempdir().unwrap();
    let base = CopiedMod::of("base");
    let library = Library::open(&[base.library().to_owned()]);
    let options = RoomOptions { mods_watch: ModsWatch::new(&library).ok(), ..RoomOptions::default() };
    assert!(options.mods_watch.is_some());
    let room = |_| Room::begin(temp.path(), library.clone(), Setup::of(&["base"], 2), &options).unwrap();
    let served = Served::start((0..3).map(room).collect()).await;
    let mut guests = Vec::new();
    for link in &served.links {
        let mut guest = join(link, "guest").await;
        until(&mut guest, |_, news| *news == News::Game).await;
        guests.push(guest);
    }
    base.edit("mod.toml", "2 * tiles", "3 * tiles");
    let is_notice = |news: &News| matches!(news, News::Notice(text) if text.contains("rules have changed"));
    for guest in &mut guests {
        until(guest, |_, news| is_notice(news)).await;
    }
    served.stop().await;
}

/// Returns how often the thread of a table has slept.
#[cfg(target_os = "linux")]
fn n_sleeps(room: &Room) -> u64 {
    let name = format!("table {}\n", room.code());
    let mut tasks = std::fs::read_dir("/proc/self/task").unwrap().map(|task| task.unwrap().path());
    let is_it = |task: &std::path::PathBuf| std::fs::read_to_string(task.join("comm")).is_ok_and(|comm| comm == name);
    let status = std::fs::read_to_string(tasks.find(is_it).unwrap().join("status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
    line.unwrap().trim().parse().unwrap()
}

/// A table that waits for a person sleeps until something happens: a file of a mod changes, a guest
/// comes, or the time of a player is over.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_waiting_table_sleeps() {
    let (temp, base) = (tempfile::tempdir().unwrap(), CopiedMod::of("base"));
    let library = Library::open(&[base.library().to_owned()]);
    let options = RoomOptions {
        clock: Some("2s".parse().unwrap()),
        mods_watch: Some(ModsWatch::new(&library).unwrap()),
        ..RoomOptions::default()
    };
    let setup = Setup { seed: Some(4), ..Setup::of(&["base"], 2) };
    let room = Room::begin(temp.path(), library, setup, &options).unwrap();
    // The first tile is drawn.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let before = n_sleeps(&room);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(n_sleeps(&room), before, "nothing happens, so the table does not wake");
    let served = Served::start(vec![room]).await;
    let mut guest = join(&served.links[0], "Anna").await;
    until(&mut guest, |_, news| matches!(news, News::Seated(..))).await;
    let manifest = base.read("mod.toml").replace("complete = \"tiles\"", "complete = \"5 * tiles\"");
    base.write("mod.toml", &manifest);
    until(&mut guest, |_, news| matches!(news, News::Notice(text) if text.contains("rules have changed"))).await;
    // A bot takes over after two seconds, although no message wakes the table.
    until(&mut guest, |_, news| matches!(news, News::Notice(text) if text.contains("no time left"))).await;
    until(&mut guest, |client, _| client.game().unwrap().awaited_actor() == AwaitedActor::Person(Seat(1))).await;
    served.stop().await;
}

/// A host of another version sends a game that this program cannot read, or ends the connection
/// with the reason. The guest's program learns the reason as a sentence.
#[tokio::test(flavor = "multi_thread")]
async fn a_guest_learns_that_the_host_has_another_version() {
    let reason = "the other side uses version 5 of the protocol, but this program uses version 8";
    let bytes = Message::binary(vec![250, 0, 2]);
    let frame = CloseFrame { code: 1008.into(), reason: reason.into() };
    for (sent, expected) in [(bytes, "uses version 250 of the protocol"), (Message::Close(Some(frame)), reason)] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let link = format!("http://{}/KOMBLU", listener.local_addr().unwrap()).parse::<GuestLink>().unwrap();
        let (say, heard) = std::sync::mpsc::channel();
        let report = move |report: GuestReport<'_>| {
            let GuestReport::Ended(error) = report else { panic!("the guest does not connect again") };
            say.send(error.to_string()).unwrap();
        };
        let guest = RunningGuest::start(link, report).unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let mut socket = tokio_tungstenite::accept_async(stream).await.unwrap();
        socket.send(sent).await.unwrap();
        let told = tokio::task::spawn_blocking(move || heard.recv_timeout(Duration::from_secs(20))).await.unwrap();
        assert!(told.as_ref().is_ok_and(|told| told.contains(expected)), "{told:?}");
        drop(guest);
    }
}
