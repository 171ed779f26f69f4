//! Five guests play whole games over WebSockets: two as the page does, one as `bastide join` does,
//! one as the window does, and one whose bytes are captured. In games for at most four players, one
//! plays as the page does. After every change, each guest must see the game as the host's game is
//! redacted for its seat, and nothing of the seed.
//!
//! `tests/README.md` has the result of a long run.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use door::{Client, Commitment, MAX_EVENT_BYTES, News, Request, SavedTable, SeatClaim, Table, decode, encode};
use futures_util::{SinkExt as _, StreamExt as _};
use host::{Connection, GuestLink, GuestReport, Guests, Room, RoomMessage, RunningGuest};
use record::{Record, replay};
use rules::{Dealer, RulesFactory as _, option_text};
use serde_json::{Value, json};
use table::{AwaitedActor, Library, Seat, SeatSet, SeenGame, Setup, begin_game};
use testkit::mods_folder;
use tokio::sync::mpsc::unbounded_channel;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use crate::page_guest::PageGuest;
use crate::served::{Served, library};

/// Small mods with hidden hands, bids and tiles.
const SECRET_MODS: [&str; 3] = ["secret-hands", "secret-bids", "secret-tiles"];

/// The number of games that are played at the same time.
const N_AT_ONCE: usize = 8;

/// The host's game at each version, redacted for each set of seats.
type Views = Arc<Mutex<BTreeMap<(u64, SeatSet), SeenGame>>>;

/// The versions at which a guest has compared its game with that of the host.
type Compared = BTreeSet<u64>;

/// The hash from the start of a game, and the record from its end, as a guest keeps them.
type Kept = (String, String);

/// Runs the table as the window does, and stores each view before any guest receives it.
fn run_table(mut table: Table, n_guests: usize, messages: &Receiver<RoomMessage>, views: &Views) {
    let mut guests = Guests::default();
    let store = |table: &Table| {
        let (session, mut views) = (table.session(), views.lock().unwrap());
        let of_seats = (0..n_guests).map(|seat| SeatSet::from(Seat(seat as u8)));
        for seats in of_seats.chain([SeatSet::NONE]) {
            views.entry((session.revision().version(), seats)).or_insert_with(|| session.game_for_client(seats));
        }
    };
    loop {
        match messages.recv_timeout(Duration::from_millis(200)) {
            Ok(message) => {
                if !guests.handle(&mut table, message) {
                    return;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        store(&table);
        // The guests must sit before the first draw, so that each of them sees the whole game.
        let is_full = table.saved().seats.iter().flatten().count() == n_guests;
        while is_full && table.advance() {
            store(&table);
        }
        guests.deliver(&mut table);
    }
}

/// Checks that a guest sees the game as the host's game is redacted for its seats.
fn compare(seen: &SeenGame, own: SeatSet, views: &Views, compared: &mut Compared) {
    let views = views.lock().unwrap();
    let expected = &views[&(seen.revision().version(), own)];
    assert!(postcard::to_stdvec(seen).unwrap() == postcard::to_stdvec(expected).unwrap(), "seats {own:?}");
    compared.insert(seen.revision().version());
}

/// Returns the parts of a game that a page shows, as the page receives them.
fn parts_of_page(seen: &SeenGame, own: SeatSet) -> Value {
    let view = seen.view();
    let is_asked = matches!(seen.awaited_actor(), AwaitedActor::Person(seat) if own.contains(seat));
    let mut answers = if is_asked { view.answer_texts() } else { Vec::new() };
    answers.sort();
    let player = |seat| {
        let tiles: Vec<u16> = view.tiles_in_hand(seat).map(|tile| tile.0).collect();
        let cards: Vec<&str> = view.cards_in_hand(seat).collect();
        let has_won = view.is_over() && view.winners().contains(seat);
        json!([view.name(seat), view.score(seat), tiles, cards, view.n_hidden_in_hand(seat), has_won])
    };
    let tiles: Vec<Value> =
        view.tiles().iter().map(|it| json!([it.tile.0, it.spot.x, it.spot.y, it.facing.degrees()])).collect();
    json!({
        "n": seen.position_index(),
        "turn": view.turn(),
        "isOver": view.is_over(),
        "nLeft": view.n_tiles_left(),
        "hand": view.unplaced_tile().map(|tile| tile.0),
        "tiles": tiles,
        "players": view.seats().map(player).collect::<Vec<_>>(),
        "question": view.prompt().filter(|_| is_asked).map(|prompt| prompt.text),
        "answers": answers,
        "notes": view.notes().skip(view.notes().len().saturating_sub(12)).collect::<Vec<_>>(),
    })
}

/// Returns the same parts of a position that a page has received.
fn parts_of_position(position: &Value) -> Value {
    let player = |it: &Value| ["name", "score", "tiles", "cards", "nHidden", "hasWon"].map(|key| it[key].clone());
    let players: Vec<_> = position["players"].as_array().unwrap().iter().map(player).collect();
    let question = &position["question"];
    let places = question["places"].as_array().into_iter().flatten().map(|place| &place[3]);
    let options = question["options"].as_array().into_iter().flatten().map(|option| &option["answer"]);
    let mut answers: Vec<&str> = places.chain(options).map(|answer| answer.as_str().unwrap()).collect();
    answers.sort_unstable();
    let mut parts = json!({ "players": players, "question": question["text"], "answers": answers });
    for key in ["n", "turn", "isOver", "nLeft", "hand", "tiles", "notes"] {
        parts[key] = position[key].clone();
    }
    parts
}

/// Checks that no bytes contain the seed in any usual form.
fn check_no_seed(bytes: &[u8], seed: u64) {
    let forms = [
        seed.to_le_bytes().to_vec(),
        seed.to_be_bytes().to_vec(),
        seed.to_string().into_bytes(),
        format!("{seed:x}").into_bytes(),
        postcard::to_stdvec(&seed).unwrap(),
    ];
    for form in forms {
        assert!(!bytes.windows(form.len()).any(|part| part == form), "the seed as {form:?}");
    }
}

/// Plays as the page does. Compares each received game with the view of the host.
async fn play_as_page(link: GuestLink, seat: usize, seed: u64, views: Views) -> (Compared, Kept) {
    let mut page = PageGuest::open(&link).await;
    page.sit(json!(seat), &format!("page {seat}"), Value::Null).await;
    let is_full = |page: &PageGuest| page.seats["seats"].as_array().unwrap().iter().all(|it| !it["name"].is_null());
    page.until(|page, _| is_full(page)).await;
    let mut page = page.play(seed).await;
    let kept = page.revealed().await;
    let (mut own, mut compared) = (SeatSet::NONE, Compared::new());
    for text in &page.received {
        let news: Value = serde_json::from_str(text).unwrap();
        match news["news"].as_str().unwrap() {
            "seats" => {
                own = news["own"].as_array().unwrap().iter().map(|it| Seat(it.as_u64().unwrap() as u8)).collect()
            }
            "game" => {
                let views = views.lock().unwrap();
                let game = &news["position"];
                let expected = &views[&(game["at"].as_str().unwrap().parse().unwrap(), own)];
                assert_eq!(parts_of_position(game), parts_of_page(expected, own));
                compared.insert(expected.revision().version());
            }
            "revealed" => continue,
            _ => {}
        }
        assert!(!text.contains(&seed.to_string()) && !text.contains(&format!("{seed:x}")), "{text}");
    }
    (compared, kept)
}

/// Gives scripted answers, at most ten in a second after the first forty.
struct Script {
    rng: fastrand::Rng,
    answered: Option<u64>,
    n_sent: usize,
}

impl Script {
    fn new(seed: u64) -> Script {
        Script { rng: fastrand::Rng::with_seed(seed), answered: None, n_sent: 0 }
    }

    /// Returns the answer of a client, if it must answer.
    async fn answer(&mut self, client: &Client) -> Option<Request> {
        let (own, game) = (client.own_seats(), client.game()?);
        let at = game.revision().version();
        assert_ne!(game.awaited_actor(), AwaitedActor::Mod, "{:?}", game.view().fault());
        let is_asked = matches!(game.awaited_actor(), AwaitedActor::Person(seat) if own.contains(seat));
        // The guests wait for each other, so that all of them see the whole game.
        let is_full = client.seats().iter().all(|seat| seat.name.is_some());
        if !is_asked || !is_full {
            return None;
        }
        self.choose(at, &game.view().answer_texts()).await
    }

    /// Chooses one of `answers` at a version of the game. Returns `None` if there are none, or if
    /// the script has answered at this version already.
    async fn choose(&mut self, at: u64, answers: &[String]) -> Option<Request> {
        if answers.is_empty() || self.answered.replace(at) == Some(at) {
            return None;
        }
        self.n_sent += 1;
        if self.n_sent > 40 {
            tokio::time::sleep(Duration::from_millis(105)).await;
        }
        Some(Request::Answer { at, answer: answers[self.rng.usize(..answers.len())].clone() })
    }
}

fn sit(seat: usize) -> Request {
    Request::Sit { seat: Some(Seat(seat as u8)), name: format!("guest {seat}"), claim: SeatClaim::of(None).unwrap() }
}

/// Returns the hash and the record that a client has when the game is over.
fn kept(client: &Client) -> Kept {
    (client.commitment().unwrap().to_string(), client.record_text().unwrap())
}

/// Plays as `bastide join` does.
async fn play_as_join(link: GuestLink, seat: usize, seed: u64, views: Views) -> (Compared, Kept) {
    let mut connection = Connection::open(&link, Client::new()).await.unwrap();
    connection.request(sit(seat)).await.unwrap();
    let (mut script, mut compared) = (Script::new(seed), Compared::new());
    loop {
        let news = connection.next().await.unwrap();
        assert!(!matches!(news, News::Refused(..) | News::Revealed(false)), "{news:?}");
        if news == News::Revealed(true) {
            return (compared, kept(&connection.client));
        }
        if news != News::Game {
            continue;
        }
        compare(connection.client.game().unwrap(), connection.client.own_seats(), &views, &mut compared);
        if let Some(answer) = script.answer(&connection.client).await {
            connection.request(answer).await.unwrap();
        }
    }
}

/// Plays as the window does, on a thread of its own.
async fn play_as_window(link: GuestLink, seat: usize, seed: u64, views: Views) -> (Compared, Kept) {
    let (send, mut received) = unbounded_channel();
    let mut compared = Compared::new();
    // The client stays on the thread of the guest, so a copy of its state is sent for each game.
    let report = move |report: GuestReport<'_>| {
        let GuestReport::News(client, news) = report else { panic!("the guest has lost the connection") };
        assert!(!matches!(news, News::Refused(..) | News::Revealed(false)), "{news:?}");
        let asked = client.game().filter(|_| news == News::Game).map(|game| {
            compare(game, client.own_seats(), &views, &mut compared);
            let is_asked = matches!(game.awaited_actor(), AwaitedActor::Person(it) if client.own_seats().contains(it));
            let is_full = client.seats().iter().all(|seat| seat.name.is_some());
            let answers = if is_asked && is_full { game.view().answer_texts() } else { Vec::new() };
            (game.revision().version(), answers)
        });
        if news == News::Theme {
            assert!(client.theme().unwrap().palettes().iter().any(|(name, _)| !name.is_empty()));
        }
        let end = (news == News::Revealed(true)).then(|| (std::mem::take(&mut compared), kept(client)));
        // The task ends with the game.
        let _ = send.send((asked, end));
    };
    let guest = RunningGuest::start(link, report).unwrap();
    guest.request(sit(seat));
    let mut script = Script::new(seed);
    loop {
        let (asked, end) = received.recv().await.unwrap();
        if let Some(end) = end {
            return end;
        }
        if let Some((at, answers)) = asked
            && let Some(answer) = script.choose(at, &answers).await
        {
            guest.request(answer);
        }
    }
}

/// Plays with a client of its own, and searches all received bytes and all games for the seed.
async fn play_with_capture(link: GuestLink, seat: usize, seed: u64, views: Views) -> (Compared, Kept) {
    let (mut socket, _) = connect_async(link.socket_url()).await.unwrap();
    let mut client = Client::new();
    let (mut script, mut compared) = (Script::new(seed), Compared::new());
    let hello = client.hello();
    let sit = client.number_request(sit(seat));
    for request in [hello, sit] {
        socket.send(Message::binary(encode(&request))).await.unwrap();
    }
    loop {
        let Message::Binary(bytes) = socket.next().await.unwrap().unwrap() else { continue };
        let news = client.handle_event(decode(&bytes, MAX_EVENT_BYTES).unwrap()).unwrap();
        assert!(!matches!(news, Some(News::Refused(..) | News::Revealed(false))), "{news:?}");
        if news == Some(News::Revealed(true)) {
            // A patch may split the seed, but not the game that all patches make.
            check_no_seed(&postcard::to_stdvec(client.game().unwrap()).unwrap(), seed);
            return (compared, kept(&client));
        }
        check_no_seed(&bytes, seed);
        if news != Some(News::Game) {
            continue;
        }
        compare(client.game().unwrap(), client.own_seats(), &views, &mut compared);
        if let Some(answer) = script.answer(&client).await {
            let request = client.number_request(answer);
            socket.send(Message::binary(encode(&request))).await.unwrap();
        }
    }
}

/// Checks that all draws and rolls of a guest's record follow from its seed, and that the seed has
/// the hash from the start of the game.
fn check_fairness((hash, text): &Kept, seed: u64) {
    let (record, problems) = Record::parse(text);
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(record.setup.seed, Some(seed));
    let hash: Commitment = hash.parse().unwrap();
    assert_eq!(Commitment::of(seed, record.salt.as_deref().unwrap()), hash);
    let ids: Vec<String> = record.setup.mods.iter().map(|it| it.id.clone()).collect();
    let loaded = library().load(&ids).0.unwrap();
    let rules = loaded.rules(loaded.settings_from(&record.setup.settings).unwrap()).unwrap();
    let mut dealer = Dealer::new(seed);
    let replayed = replay(Rc::new(rules), &record, |moment| {
        let (ruleset, state) = (&moment.game.rules().ruleset, moment.game.state());
        if let Some(expected) = dealer.answer(ruleset, state) {
            assert_eq!(moment.answer, option_text(ruleset, state, moment.decision, expected));
        }
    });
    assert!(replayed.unwrap().failures.is_empty());
}

/// Plays one game of a mod. Returns the number of compared views.
async fn play_one(id: String, seed: u64) -> usize {
    let views = Views::default();
    let (send, messages) = channel();
    let (of_table, own_views) = (id.clone(), views.clone());
    let setup = move |n: usize| Setup { seed: Some(seed), ..Setup::of(&[&of_table], n) };
    let n_guests = if begin_game(&library(), setup(5)).is_ok() { 5 } else { 4 };
    let table = std::thread::spawn(move || {
        let table = Table::new(begin_game(&library(), setup(n_guests)).unwrap(), SavedTable::default());
        run_table(table, n_guests, &messages, &own_views);
    });
    let served = Served::start(vec![Room::of_thread(move |message| drop(send.send(message)))]).await;
    let link = || served.links[0].clone();
    let mut guests = vec![
        tokio::spawn(play_as_page(link(), 0, seed, views.clone())),
        tokio::spawn(play_as_window(link(), 1, seed, views.clone())),
        tokio::spawn(play_as_join(link(), 2, seed, views.clone())),
        tokio::spawn(play_with_capture(link(), 3, seed, views.clone())),
    ];
    if n_guests == 5 {
        guests.push(tokio::spawn(play_as_page(link(), 4, seed, views.clone())));
    }
    let mut kept: Option<Kept> = None;
    let mut all = Vec::new();
    for guest in guests {
        let (compared, own) = guest.await.unwrap();
        assert_eq!(*kept.get_or_insert_with(|| own.clone()), own, "{id}: the guests keep the same record");
        all.push(compared);
    }
    served.stop().await;
    table.join().unwrap();
    for (seat, compared) in all.iter().enumerate() {
        let (views, seats) = (views.lock().unwrap(), SeatSet::from(Seat(seat as u8)));
        let seated = |version: &u64| Some(version) >= compared.first();
        let expected = views.keys().filter(|(_, of)| *of == seats).map(|(version, _)| *version).filter(seated);
        let missing: Vec<u64> = expected.filter(|version| !compared.contains(version)).collect();
        assert!(missing.is_empty() && compared.len() > 10, "{id}: seat {seat} has not seen the versions {missing:?}");
    }
    tokio::task::spawn_blocking(move || check_fairness(&kept.unwrap(), seed)).await.unwrap();
    all.iter().map(BTreeSet::len).sum()
}

/// Plays `n` games, one mod after another.
async fn play_games(n: usize) {
    let bundled = Library::open(&[mods_folder()]).ids();
    let ids: Vec<String> = SECRET_MODS.map(str::to_owned).into_iter().chain(bundled).collect();
    let n = if n == 0 { ids.len() } else { n };
    let (mut waiting, mut n_compared) = ((0..n).rev().collect::<Vec<_>>(), 0);
    let mut running = tokio::task::JoinSet::new();
    while !waiting.is_empty() || !running.is_empty() {
        while running.len() < N_AT_ONCE
            && let Some(i) = waiting.pop()
        {
            running.spawn(play_one(ids[i % ids.len()].clone(), 0x5eed_0bad_cafe_0000 + i as u64));
        }
        n_compared += running.join_next().await.unwrap().unwrap();
    }
    println!("{n} games of {} mods, {n_compared} views equal", ids.len());
}

/// Plays one game of each mod. The variable `GAMES` chooses another number of games.
#[tokio::test(flavor = "multi_thread")]
async fn all_guests_see_what_their_seats_may_see() {
    play_games(std::env::var("GAMES").map_or(0, |n| n.parse().unwrap())).await;
}
