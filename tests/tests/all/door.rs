//! Tests of the door: several clients of one table, which send valid and malicious requests in any
//! order.
//!
//! The file is long because all tests use the same table, clients and wires.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use door::{
    AnsweredQuestions, Client, ClientId, Commitment, Event, ExcursionStep, KEPT_CHAT_LINES, MAX_ASKED, MAX_CHAT_TEXT,
    MAX_EVENT_BYTES, MAX_REQUEST_BYTES, News, NumberedRequest, Request, SavedClock, SavedTable, SeatClaim, SeatToken,
    Table, decode, encode,
};
use loader::Library;
use playtest::{Playtest, Reply};
use record::{Record, replay};
use rules::{Actor, Answer, Setup};
use table::{
    AwaitedActor, GameView, Insight, InsightAnswer, PieceRef, Placement, Seat, SeatSet, Session, Spot, ZoneRef,
    begin_game,
};
use testkit::{CopiedMod, mods_folder};
use tests::load_any;
use tests::mutate::Choices;

/// A seed that cannot occur in a game by accident.
const SEED: u64 = 0x5eed_0bad_cafe_f00d;

/// Returns the folder of the small mods of the tests.
fn own_mods() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("mods")
}

fn begin(mods: &[&str], n_players: usize) -> Session {
    let library = Library::open(&[mods_folder(), own_mods()]);
    begin_game(&library, Setup { seed: Some(SEED), ..Setup::of(mods, n_players) }).unwrap()
}

/// Returns questions of all kinds about a position, at most [`MAX_ASKED`].
fn questions(view: GameView<'_>) -> Vec<Insight> {
    let mut found = vec![Insight::Projection(None)];
    for answer in view.answers().into_iter().take(3) {
        found.extend([Insight::Projection(Some(answer)), Insight::AboutAnswer(answer)]);
        if let (Answer::Place(place), Some(tile)) = (answer, view.unplaced_tile()) {
            found.extend([Insight::PlaceValue(view.player(), place), Insight::ForbiddingMods(tile, place)]);
        }
    }
    found.extend(view.pieces().take(2).map(|piece| Insight::AboutPiece(piece.piece)));
    let zones = (0..).map(ZoneRef).take_while(|zone| view.has_zone(*zone)).take(4);
    found.extend(
        zones.flat_map(|zone| view.features_of(zone).take(1).map(Insight::Majority).chain([Insight::AboutZone(zone)])),
    );
    found.truncate(MAX_ASKED);
    found
}

/// A client, and the bytes that it has received.
#[derive(Default)]
struct RecordingClient {
    client: Client,
    token: Option<SeatToken>,
    news: Vec<News>,
    /// The bytes of all events.
    received: Vec<u8>,
    /// The length of each event with a game.
    sizes: Vec<usize>,
}

/// A table, and clients that receive its events as bytes.
struct Wires {
    table: Table,
    guests: BTreeMap<ClientId, RecordingClient>,
}

impl Wires {
    fn new(session: Session, n_guests: u64) -> Wires {
        let mut wires = Wires { table: Table::new(session, SavedTable::default()), guests: BTreeMap::new() };
        (0..n_guests).for_each(|n| wires.connect(n));
        wires
    }

    fn connect(&mut self, n: u64) {
        let guest = self
            .guests
            .entry(ClientId(n))
            .or_insert_with(|| RecordingClient { client: Client::new(), ..RecordingClient::default() });
        let hello = guest.client.hello();
        self.table.connect(ClientId(n));
        self.send(n, &hello);
    }

    fn send(&mut self, n: u64, request: &NumberedRequest) {
        let request = decode(&encode(request), MAX_REQUEST_BYTES).unwrap();
        self.table.handle(ClientId(n), request);
        self.deliver();
    }

    fn request(&mut self, n: u64, request: Request) -> u32 {
        let request = self.guests.get_mut(&ClientId(n)).unwrap().client.number_request(request);
        self.send(n, &request);
        request.number
    }

    fn sit(&mut self, n: u64, seat: u8) {
        let name = format!("guest {n}");
        self.request(n, Request::Sit { seat: Some(Seat(seat)), name, claim: SeatClaim::of(None).unwrap() });
    }

    /// Lets chance and bots answer, and delivers the events.
    fn run(&mut self) {
        while self.table.advance() {}
        self.deliver();
    }

    fn deliver(&mut self) {
        for (id, event) in self.table.take_events() {
            let Some(guest) = self.guests.get_mut(&id) else { continue };
            let bytes = encode(&event);
            guest.received.extend_from_slice(&bytes);
            if let Event::Game(_) = event {
                guest.sizes.push(bytes.len());
            }
            let news = guest.client.handle_event(decode(&bytes, MAX_EVENT_BYTES).unwrap()).unwrap();
            if let Some(News::Seated(_, token)) = &news {
                guest.token = Some(*token);
            }
            guest.news.extend(news);
        }
    }

    /// Sends the answer with this text from the client that must answer.
    fn answer(&mut self, answer: &str) {
        let AwaitedActor::Person(seat) = self.table.session().awaited_actor() else { panic!("no person is asked") };
        let asked = self.guests.iter().find(|(_, guest)| guest.client.own_seats().contains(seat)).map(|(id, _)| id.0);
        let at = self.table.session().revision().version();
        let asked = asked.unwrap();
        let number = self.request(asked, Request::Answer { at, answer: answer.to_owned() });
        let news = &self.guests[&ClientId(asked)].news;
        assert!(news.contains(&News::Done(number)), "{answer}: {:?}", news.last());
        self.run();
    }

    /// Returns the options of the open question, as the client that must answer sees them.
    fn options(&self) -> Vec<String> {
        let AwaitedActor::Person(seat) = self.table.session().awaited_actor() else { return Vec::new() };
        let asked = self.guests.values().find(|guest| guest.client.own_seats().contains(seat));
        let view = asked.map_or_else(|| self.table.session().view(), |guest| guest.client.game().unwrap().view());
        view.answers().into_iter().filter_map(|answer| view.answer_text(answer)).collect()
    }

    /// Sends the request for a step of an excursion, and returns its number.
    fn explore(&mut self, n: u64, step: ExcursionStep) -> u32 {
        let request = self.guests.get_mut(&ClientId(n)).unwrap().client.explore(step).unwrap();
        self.send(n, &request);
        request.number
    }

    /// Asks questions about the game, and returns the reply.
    fn ask(&mut self, n: u64, insights: impl IntoIterator<Item = Insight>) -> AnsweredQuestions {
        let request = self.guests.get_mut(&ClientId(n)).unwrap().client.ask(insights).unwrap();
        self.send(n, &request);
        let reply = self.guests[&ClientId(n)].news.iter().rev().find_map(|news| match news {
            News::Answers(reply) => Some(reply.clone()),
            _ => None,
        });
        reply.unwrap()
    }

    /// Lets each client ask questions of all kinds, look at all positions of the game, and try an
    /// answer at each.
    fn look_everywhere(&mut self) {
        for n in self.guests.keys().map(|id| id.0).collect::<Vec<_>>() {
            let asked = questions(self.guests[&ClientId(n)].client.game().unwrap().view());
            let reply = self.ask(n, asked);
            assert!(reply.refusal.is_none() && reply.found.iter().all(|(_, found)| found.is_some()), "{reply:?}");
            for at in 0..=self.table.session().position_index() {
                // The table limits the rate of excursions.
                self.table.set_time(Instant::now() + Duration::from_secs(1000 + 10 * at as u64));
                self.explore(n, ExcursionStep::LookAt(at));
                let Some(excursion) = self.guests[&ClientId(n)].client.excursion() else { panic!("no position {at}") };
                let view = excursion.game().view();
                let answer = view.answers().into_iter().find_map(|answer| view.answer_text(answer));
                if let Some(answer) = answer {
                    self.explore(n, ExcursionStep::Try(answer));
                }
            }
        }
    }

    /// Checks that every greeted client sees what its seats may see, and nothing else.
    fn check(&self) {
        for guest in self.guests.values() {
            let seen = guest.client.game().unwrap();
            let expected = self.table.session().game_for_client(guest.client.own_seats());
            assert!(postcard::to_stdvec(seen).unwrap() == postcard::to_stdvec(&expected).unwrap());
            assert_eq!(seen.setup().seed, None);
            assert_eq!(seen.steps().len(), seen.position_index());
        }
    }

    /// Checks that the game replays to the same state.
    fn check_replay(&self, mods: &[&str]) {
        let session = self.table.session();
        let (mut record, problems) = Record::parse(&session.record_text());
        assert!(problems.is_empty(), "{problems:?}");
        // Removes the seed. Otherwise the replay would deal the next chance, for which the session
        // still waits.
        record.setup.seed = None;
        let rules = tests::rules(&load_any(mods), session.setup());
        let replayed = replay(rules, &record, |_| {}).unwrap();
        assert!(replayed.failures.is_empty(), "{:?}\n{}", replayed.failures, session.record_text());
        assert_eq!(replayed.game.state(), session.game().state());
    }
}

#[test]
fn every_client_sees_its_own_game() {
    let mods = ["base", "inns-cathedrals", "builders-traders"];
    let mut wires = Wires::new(begin(&mods, 2), 3);
    wires.sit(0, 0);
    wires.sit(1, 1);
    wires.run();
    let mut rng = fastrand::Rng::with_seed(1);
    while let AwaitedActor::Person(_) = wires.table.session().awaited_actor() {
        wires.check();
        let options = wires.options();
        wires.answer(&options[rng.usize(..options.len())]);
    }
    wires.check();
    assert_eq!(wires.table.session().awaited_actor(), AwaitedActor::Nobody);
    let spectator = &wires.guests[&ClientId(2)].client;
    assert_eq!(spectator.game().unwrap().view().scores(), wires.table.session().view().scores());
    assert_eq!(spectator.n_spectators(), 1);
    wires.check_replay(&mods);
}

/// Lets a client act at random: sit, stand, answer, repeat, undo, ask, leave or return. Its
/// requests are valid, outdated, foreign or meaningless.
fn act(wires: &mut Wires, choices: &mut Choices<'_>) {
    // In most cases, chooses the client that must answer.
    let asked = match wires.table.session().awaited_actor() {
        AwaitedActor::Person(seat) => wires.guests.iter().find(|(_, guest)| guest.client.own_seats().contains(seat)),
        _ => None,
    };
    let asked = asked.map(|(id, _)| id.0);
    let n = asked.filter(|_| choices.below(3) > 0).unwrap_or(choices.below(4) as u64);
    let stale = wires.guests[&ClientId(n)].client.game().map(|game| game.revision().version());
    let now = wires.table.session().revision().version();
    let at = if choices.below(5) == 0 { stale.unwrap_or(now) } else { now };
    let seat = Seat(choices.below(4) as u8);
    let text = |choices: &mut Choices<'_>, wires: &Wires| match choices.below(6) {
        0 => "place 99,99 0".to_owned(),
        1 => "\u{202e}pass".repeat(choices.below(100)),
        _ => {
            // Reads the options as this client sees them, because secret questions are hidden from
            // other clients.
            let view = wires.guests[&ClientId(n)].client.game().unwrap().view();
            let options: Vec<String> = view.answers().into_iter().filter_map(|it| view.answer_text(it)).collect();
            options.get(choices.below(options.len().max(1))).cloned().unwrap_or_else(|| "pass".to_owned())
        }
    };
    match choices.below(33) {
        0 => {
            let token = if choices.below(2) == 0 { Some(SeatToken([7; 16])) } else { None };
            let name = text(choices, wires);
            wires.request(n, Request::Sit { seat: Some(seat), name, claim: SeatClaim::of(token).unwrap() });
        }
        1 => {
            let claim = SeatClaim::Take(SeatToken([n as u8; 16]));
            wires.request(n, Request::Sit { seat: None, name: String::new(), claim });
        }
        2 => drop(wires.request(n, Request::Stand)),
        3 => {
            let bot = ["random", "greedy", "nonsense"].get(choices.below(4)).map(|it| (*it).to_owned());
            wires.request(n, Request::SetBot { seat, bot });
        }
        4 => drop(wires.request(n, Request::ProposeUndo { at })),
        5 => {
            let agrees = choices.below(4) > 0;
            wires.request(n, Request::AnswerUndo { agrees });
        }
        6 => {
            let answer =
                *choices.choose(&[Answer::Pass, Answer::ModOption(60_000), Answer::Marker(255), Answer::Draw(9)]);
            let place = Placement { spot: Spot::new(1, 0), facing: Default::default() };
            let insights = vec![
                *choices.choose(&[Insight::AboutAnswer(answer), Insight::Projection(Some(answer))]),
                *choices.choose(&[Insight::AboutZone(ZoneRef(9_999)), Insight::AboutPiece(PieceRef(77))]),
                Insight::PlaceValue(Seat(200), place),
            ];
            wires.request(n, Request::Ask { at, insights });
        }
        7 => {
            wires.table.disconnect(ClientId(n));
            wires.deliver();
            wires.connect(n);
            if let Some(token) = wires.guests[&ClientId(n)].token {
                wires.request(n, Request::Sit { seat: None, name: String::new(), claim: SeatClaim::Return(token) });
            }
        }
        8..12 => wires.run(),
        12 => {
            let text = text(choices, wires);
            wires.request(n, Request::Chat { text });
        }
        13 => drop(wires.request(n, Request::Point { spot: Spot::new(choices.below(9) as i16, 0) })),
        14 => {
            let agrees = choices.below(3) > 0;
            wires.request(n, Request::Consent { agrees });
        }
        15 => {
            let (text, about) = (text(choices, wires), Some(text(choices, wires)));
            wires.request(n, Request::Note { n: choices.below(30) as u32, about, text });
        }
        16 => {
            let replies = vec![("base/fun".to_owned(), text(choices, wires))];
            wires.request(n, Request::Reply { replies });
        }
        20 => {
            let is_paused = choices.below(3) == 0;
            wires.request(n, Request::Pause { is_paused });
        }
        17 => {
            let at = choices.below(30);
            wires.explore(n, ExcursionStep::LookAt(at));
        }
        18 => {
            let answer = text(choices, wires);
            wires.explore(n, ExcursionStep::Try(answer));
        }
        19 => {
            let tried = vec!["pass".to_owned(); choices.below(300)];
            wires.request(n, Request::Excursion { n: u32::MAX - choices.below(2) as u32, tried });
        }
        _ => {
            let answer = text(choices, wires);
            wires.request(n, Request::Answer { at, answer });
        }
    }
}

#[test]
fn any_requests_leave_a_game_that_replays() {
    for (seed, mods) in [(1, "base"), (2, "secret-bids"), (3, "secret-hands"), (4, "secret-tiles"), (5, "messages")] {
        let mut wires = Wires::new(begin(&[mods], 3), 4);
        wires.table.collect_playtest(Playtest::new("a.game".to_owned()));
        (0..3).for_each(|n| wires.sit(n, n as u8));
        wires.run();
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut n_answers = 0;
        for n in 0..500 {
            let bytes: Vec<u8> = (0..12).map(|_| rng.u8(..)).collect();
            act(&mut wires, &mut Choices::new(&bytes));
            n_answers = n_answers.max(wires.table.session().position_index());
            if n % 10 == 0 {
                wires.check();
            }
        }
        wires.check();
        let all: Vec<&News> = wires.guests.values().flat_map(|guest| &guest.news).collect();
        let n_done = all.iter().filter(|news| matches!(news, News::Done(_))).count();
        let n_refused = all.iter().filter(|news| matches!(news, News::Refused(..))).count();
        assert!(n_done > 60 && n_refused > 30, "{mods}: {n_done} done, {n_refused} refused");
        assert!(n_answers > 5, "{mods}: {n_answers} answers at most");
        wires.check_replay(&[mods]);
        let collected = wires.table.unsaved_playtest().unwrap();
        assert_eq!(Playtest::read(&collected.text()).unwrap(), *collected);
    }
}

/// The table carries out or refuses every request that arbitrary bytes decode to.
#[test]
fn bytes_at_the_door() {
    let table = std::sync::Mutex::new(None);
    bolero::check!().with_test_time(Duration::from_secs(2)).with_max_len(512).for_each(|bytes: &[u8]| {
        let mut table = table.lock().unwrap();
        let table: &mut Table = table.get_or_insert_with(|| Table::new(begin(&["base"], 2), SavedTable::default()));
        table.connect(ClientId(1));
        let (mut rest, mut framed) = (bytes, door::PROTOCOL_VERSION.to_le_bytes().to_vec());
        while let Some((n, more)) = rest.split_first() {
            let (message, more) = more.split_at(usize::from(*n).min(more.len()));
            rest = more;
            framed.truncate(2);
            framed.extend_from_slice(message);
            if let Ok(request) = decode::<NumberedRequest>(&framed, MAX_REQUEST_BYTES) {
                table.handle(ClientId(1), request);
            }
            // Also gives the bytes to a client, which decodes them as an event of its host.
            if let Ok(event) = decode::<Event>(&framed, MAX_EVENT_BYTES) {
                let _ = Client::new().handle_event(event);
            }
        }
        table.disconnect(ClientId(1));
        table.take_events();
    });
}

/// A client accepts or refuses a game whose bytes were changed during transfer, and never panics.
#[test]
fn changed_bytes_of_a_host_do_not_end_a_client() {
    let mut wires = Wires::new(begin(&["base", "messages"], 2), 0);
    wires.run();
    wires.table.connect(ClientId(9));
    wires.table.handle(ClientId(9), Client::new().hello());
    let events: Vec<Vec<u8>> = wires.table.take_events().iter().map(|(_, event)| encode(event)).collect();
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..2_000 {
        let mut client = Client::new();
        for bytes in &events {
            let mut bytes = bytes.clone();
            for _ in 0..rng.usize(..3) {
                let at = rng.usize(..bytes.len());
                bytes[at] = rng.u8(..);
            }
            let Ok(event) = decode(&bytes, MAX_EVENT_BYTES) else { continue };
            if client.handle_event(event).is_err() {
                break;
            }
        }
    }
}

#[test]
fn an_outdated_or_foreign_answer_is_refused() {
    let mut wires = Wires::new(begin(&["base"], 2), 2);
    let refusal = |wires: &mut Wires, n: u64, at, answer: &str| {
        let before = wires.table.session().record_text();
        let number = wires.request(n, Request::Answer { at, answer: answer.to_owned() });
        assert_eq!(wires.table.session().record_text(), before, "{answer}");
        let news = wires.guests[&ClientId(n)].news.iter().rev();
        news.filter_map(|it| if let News::Refused(it, why) = it { (*it == number).then(|| why.clone()) } else { None })
            .next()
            .unwrap_or_default()
    };
    wires.sit(0, 0);
    wires.sit(1, 1);
    wires.run();
    let old = wires.table.session().revision().version();
    let place = wires.options()[0].clone();
    assert_eq!(refusal(&mut wires, 1, old, &place), "it is not your turn to answer");
    assert!(refusal(&mut wires, 0, old, "place 9,9 0").starts_with("`place 9,9 0` is not offered"));
    wires.answer(&place);
    assert_eq!(refusal(&mut wires, 0, old, "pass"), "the game has changed in the meantime");
}

/// If two games differ only in a secret of one player, the clients of the other players receive the
/// same bytes.
#[test]
fn no_byte_depends_on_anything_hidden() {
    let received = |bid: &str| {
        let mut session = begin(&["secret-bids"], 3);
        session.replace_draw("base/U").unwrap();
        let mut wires = Wires::new(session, 4);
        (0..3).for_each(|n| wires.sit(n, n as u8));
        wires.guests.values_mut().for_each(|guest| guest.received.clear());
        wires.run();
        wires.answer("place 1,0 0");
        let n_before = wires.guests[&ClientId(0)].received.len();
        wires.answer(bid);
        assert!(wires.guests[&ClientId(0)].received.len() > n_before);
        wires.look_everywhere();
        wires.guests.into_values().map(|guest| guest.received).collect::<Vec<_>>()
    };
    let (none, all) = (received("bid 0"), received("bid 3"));
    assert_ne!(none[0], all[0], "red sees its own bid");
    for n in 1..4 {
        assert!(none[n] == all[n], "client {n} learns the bid of another player");
    }
}

/// If two games have other seeds but the same draws so far, all clients receive the same bytes. So
/// no byte depends on the order of undrawn tiles and cards.
#[test]
fn no_byte_depends_on_undrawn_tiles() {
    for mods in [&["base"][..], &["secret-hands"], &["secret-tiles"]] {
        let mut played = begin(mods, 2);
        (0..2).for_each(|seat| played.set_bot(Seat(seat), Some("random")));
        while played.position_index() < 40 && played.advance() {}
        let line: Vec<(Actor, String)> = played.steps().iter().map(|step| (step.who, step.text.clone())).collect();
        let received = |seed: u64| {
            let library = Library::open(&[mods_folder(), own_mods()]);
            let setup = Setup { seed: Some(seed), ..Setup::of(mods, 2) };
            let mut session = begin_game(&library, setup).unwrap();
            // The first draw has been dealt already, from this seed.
            session.go_to(0);
            session.delete_later_answers();
            let mut wires = Wires::new(session, 3);
            (0..2).for_each(|n| wires.sit(n, n as u8));
            // Ignores the hash of the seed, and the tokens, which are random.
            wires.guests.values_mut().for_each(|guest| guest.received.clear());
            for (who, text) in &line {
                let before = wires.table.session().revision();
                if let Actor::Player(seat) = who {
                    let at = before.version();
                    let n = u64::from(seat.0);
                    let number = wires.request(n, Request::Answer { at, answer: text.clone() });
                    let news = &wires.guests[&ClientId(n)].news;
                    assert!(news.contains(&News::Done(number)), "{text}: {:?}", news.last());
                } else {
                    wires.table.session_mut().answer_text(text).unwrap();
                    wires.table.send_changes(before);
                    wires.deliver();
                }
            }
            assert_eq!(wires.table.session().position_index(), line.len());
            wires.look_everywhere();
            wires.guests.into_values().map(|guest| guest.received).collect::<Vec<_>>()
        };
        let (one, other) = (received(SEED), received(7));
        assert!(one.iter().all(|bytes| bytes.len() > 1000) && one == other, "{mods:?}");
    }
}

/// A connection has only one `hello`, because each can make the table send megabytes.
#[test]
fn a_second_hello_is_refused() {
    let mut wires = Wires::new(begin(&["base"], 2), 1);
    let before = wires.guests[&ClientId(0)].received.len();
    let number = wires.request(0, Request::Hello { parts: Vec::new() });
    let guest = &wires.guests[&ClientId(0)];
    assert!(guest.news.contains(&News::Refused(number, "the connection has begun already".to_owned())));
    assert!(guest.received.len() < before + 100);
}

#[test]
fn the_seed_is_in_no_byte() {
    let mut wires = Wires::new(begin(&["base"], 2), 2);
    wires.sit(0, 0);
    wires.run();
    wires.request(0, Request::SetBot { seat: Seat(0), bot: Some("greedy".to_owned()) });
    for _ in 0..40 {
        wires.table.advance();
    }
    wires.deliver();
    wires.look_everywhere();
    let seed = postcard::to_stdvec(&SEED).unwrap();
    let texts = [SEED.to_le_bytes().to_vec(), SEED.to_be_bytes().to_vec(), SEED.to_string().into_bytes(), seed];
    for guest in wires.guests.values() {
        assert!(guest.received.len() > 1000);
        for text in &texts {
            assert!(!guest.received.windows(text.len()).any(|bytes| bytes == text));
        }
    }
}

/// The clock runs for the guest who must choose. When this guest has no time left, a bot plays on.
#[test]
fn a_clock_runs_for_the_player_to_move() {
    let clock = Some(SavedClock::new("60s+5s".parse().unwrap(), 2));
    let table = Table::new(begin(&["base"], 2), SavedTable { clock, ..SavedTable::default() });
    let mut wires = Wires { table, guests: BTreeMap::new() };
    (0..3).for_each(|n| wires.connect(n));
    let start = Instant::now();
    let pass = |wires: &mut Wires, seconds| {
        wires.table.set_time(start + Duration::from_secs(seconds));
        wires.deliver();
    };
    pass(&mut wires, 0);
    wires.run();
    pass(&mut wires, 500);
    let left = |wires: &Wires| wires.guests[&ClientId(2)].client.clock().unwrap().clone();
    assert_eq!((left(&wires).runs, left(&wires).left), (None, vec![60_000; 2]), "nobody has the seat");
    wires.sit(0, 0);
    wires.sit(1, 1);
    assert_eq!(left(&wires).runs, Some(Seat(0)));
    pass(&mut wires, 510);
    // An open proposal to undo stops the clock.
    let place = wires.options()[0].clone();
    wires.answer(&place);
    let at = wires.table.session().revision().version();
    wires.request(0, Request::ProposeUndo { at });
    assert_eq!((left(&wires).runs, left(&wires).left[0]), (None, 50_000));
    pass(&mut wires, 900);
    wires.request(1, Request::AnswerUndo { agrees: false });
    pass(&mut wires, 910);
    // The host stops and starts again: only the time of the current choice is forgotten.
    let saved = wires.table.saved();
    assert_eq!(SavedTable::default().clock, None);
    assert_eq!(Table::new(begin(&["base"], 2), saved.clone()).saved(), saved);
    wires.answer("pass");
    let turn_of_blue = left(&wires);
    assert_eq!((turn_of_blue.runs, turn_of_blue.left), (Some(Seat(1)), vec![40_000, 60_000]));
    pass(&mut wires, 969);
    assert!(!wires.table.session().is_bot(Seat(1)));
    pass(&mut wires, 970);
    assert!(wires.table.session().is_bot(Seat(1)));
    let notice = News::Notice("guest 1 has no time left: a bot takes over".to_owned());
    assert!(wires.guests[&ClientId(2)].news.contains(&notice));
    let number = wires.request(1, Request::SetBot { seat: Seat(1), bot: None });
    let refused = |news: &News| matches!(news, News::Refused(it, why) if *it == number && why.contains("time"));
    assert!(wires.guests[&ClientId(1)].news.iter().any(refused));
    // The bot plays until it is the turn of red, who then gains the increment.
    wires.run();
    assert_eq!((left(&wires).runs, left(&wires).left), (Some(Seat(0)), vec![45_000, 0]));
    wires.check();
}

/// Chat lines reach all clients as plain text, including clients that join later.
#[test]
fn players_write_and_point_at_a_limited_rate() {
    let mut wires = Wires::new(begin(&["base"], 2), 3);
    wires.sit(0, 0);
    let say = |wires: &mut Wires, n, text: &str| {
        let number = wires.request(n, Request::Chat { text: text.to_owned() });
        let refused = |news: &News| if let News::Refused(it, why) = news { Some((*it, why.clone())) } else { None };
        let last = wires.guests[&ClientId(n)].news.iter().rev().find_map(refused);
        last.filter(|(it, _)| *it == number).map(|(_, why)| why)
    };
    let start = Instant::now();
    wires.table.set_time(start);
    assert_eq!(say(&mut wires, 1, "hello").unwrap(), "only players can write: take a seat first");
    assert_eq!(say(&mut wires, 0, " \u{200b}\n ").unwrap(), "the message is empty");
    assert_eq!(say(&mut wires, 0, "<b>hello</b>\u{1b}[31m \u{202e}\n you"), None);
    let long = "x".repeat(300);
    assert_eq!(say(&mut wires, 0, &long), None);
    let spot = Spot::new(-3, i16::MAX);
    wires.request(0, Request::Point { spot });
    wires.connect(7);
    for n in [0, 1, 2, 7] {
        let guest = &wires.guests[&ClientId(n)];
        let lines: Vec<_> = guest.client.chat().iter().map(|it| (it.name.as_str(), it.text.as_str())).collect();
        assert_eq!(lines, [("guest 0", "<b>hello</b>[31m you"), ("guest 0", &long[..MAX_CHAT_TEXT])]);
        assert_eq!(guest.news.contains(&News::Pointed(Seat(0), spot)), n != 7);
    }
    let refused = (0..20).filter_map(|_| say(&mut wires, 0, "again")).collect::<Vec<_>>();
    assert!(refused.len() > 15 && refused[0].starts_with("too many messages"), "{refused:?}");
    wires.table.set_time(start + Duration::from_secs(3));
    assert_eq!(say(&mut wires, 0, "later"), None);
    for n in 0..200 {
        wires.table.set_time(start + Duration::from_secs(60 + 3 * n));
        assert_eq!(say(&mut wires, 0, &format!("line {n}")), None);
    }
    wires.connect(8);
    for n in [0, 8] {
        let chat = wires.guests[&ClientId(n)].client.chat();
        assert_eq!((chat.len(), chat[KEPT_CHAT_LINES - 1].text.as_str()), (KEPT_CHAT_LINES, "line 199"));
    }
    wires.check();
}

/// A player pauses the game. No player, bot or chance answers before another player continues it,
/// also after a restart of the host.
#[test]
fn players_pause_the_game_and_continue_it() {
    let mut wires = Wires::new(begin(&["base"], 3), 3);
    wires.sit(0, 0);
    wires.sit(1, 1);
    wires.run();
    let number = wires.request(2, Request::Pause { is_paused: true });
    let why = "only players can pause the game: take a seat first".to_owned();
    assert!(wires.guests[&ClientId(2)].news.contains(&News::Refused(number, why)));
    wires.request(1, Request::Pause { is_paused: true });
    assert!(wires.guests.values().all(|guest| guest.client.paused_by() == Some(Seat(1))));
    let refuse = |wires: &mut Wires| {
        let (at, answer) = (wires.table.session().revision().version(), wires.options()[0].clone());
        let number = wires.request(0, Request::Answer { at, answer });
        let why = "the game is paused".to_owned();
        assert!(wires.guests[&ClientId(0)].news.contains(&News::Refused(number, why)));
    };
    refuse(&mut wires);
    // A paused bot does not move, and a guest still looks at other positions.
    wires.request(0, Request::SetBot { seat: Seat(0), bot: Some("greedy".to_owned()) });
    assert!(!wires.table.can_advance() && !wires.table.advance());
    wires.request(0, Request::SetBot { seat: Seat(0), bot: None });
    wires.explore(2, ExcursionStep::LookAt(0));
    assert!(wires.guests[&ClientId(2)].client.excursion().is_some());

    let tokens = [0, 1].map(|n| wires.guests[&ClientId(n)].token.unwrap());
    let mut session = begin(&["base"], 3);
    session.go_to(0);
    session.delete_later_answers();
    wires.table = Table::new(session, wires.table.saved());
    (0..3).for_each(|n| wires.connect(n));
    for (n, token) in (0..).zip(tokens) {
        wires.request(n, Request::Sit { seat: None, name: String::new(), claim: SeatClaim::Return(token) });
    }
    wires.run();
    assert!(wires.guests.values().all(|guest| guest.client.paused_by() == Some(Seat(1))));
    assert_eq!(wires.table.session().position_index(), 0);
    wires.request(0, Request::Pause { is_paused: false });
    assert!(wires.guests.values().all(|guest| guest.client.paused_by().is_none()));
    wires.run();
    let answer = wires.options()[0].clone();
    wires.answer(&answer);
    wires.check();
}

/// When the game is over, every client receives the seed, and its record replays to the same state.
/// The seed matches the hash that was sent before the first draw.
#[test]
fn the_seed_is_revealed_at_the_end() {
    for mods in [&["base"][..], &["base", "secret-bids"], &["base", "secret-hands"]] {
        let mut wires = Wires::new(begin(mods, 2), 3);
        let hash = |wires: &Wires, n| wires.guests[&ClientId(n)].client.commitment().unwrap();
        let first = hash(&wires, 0);
        // The host stops and starts again, and still has the same salt.
        wires.table = Table::new(begin(mods, 2), wires.table.saved());
        (0..3).for_each(|n| wires.connect(n));
        wires.sit(0, 0);
        wires.sit(1, 1);
        wires.run();
        let mut rng = fastrand::Rng::with_seed(1);
        while let AwaitedActor::Person(_) = wires.table.session().awaited_actor() {
            assert!(wires.guests.values().all(|guest| guest.client.record_text().is_none()));
            let options = wires.options();
            wires.answer(&options[rng.usize(..options.len())]);
        }
        wires.connect(7);
        for (id, guest) in &wires.guests {
            assert_eq!(hash(&wires, id.0), first);
            let n_revealed = guest.news.iter().filter(|news| **news == News::Revealed(true)).count();
            assert_eq!(n_revealed, 1, "{mods:?}: {id:?}");
            let (record, problems) = Record::parse(&guest.client.record_text().unwrap());
            assert!(problems.is_empty(), "{problems:?}");
            assert_eq!(record.setup.seed, Some(SEED));
            assert_eq!(Commitment::of(SEED, record.salt.as_deref().unwrap()), first);
            let replayed = replay(tests::rules(&load_any(mods), &record.setup), &record, |_| {}).unwrap();
            assert!(replayed.failures.is_empty(), "{:?}", replayed.failures);
            assert_eq!(replayed.game.state(), wires.table.session().game().state());
        }
        // The seed reveals everything hidden, so the table refuses an undo.
        let at = wires.table.session().revision().version();
        let number = wires.request(0, Request::ProposeUndo { at });
        let why = "the game is over, and everything hidden is known".to_owned();
        assert!(wires.guests[&ClientId(0)].news.contains(&News::Refused(number, why)));
    }
}

/// The client notices if the host later sends another hash, or a seed that does not match the hash.
#[test]
fn another_seed_is_found_out() {
    let events = |wires: &mut Wires| {
        wires.table.connect(ClientId(9));
        wires.table.handle(ClientId(9), Client::new().hello());
        let of_nine = |(id, event): (ClientId, Event)| (id == ClientId(9)).then_some(event);
        wires.table.take_events().into_iter().filter_map(of_nine).collect::<Vec<_>>()
    };
    let [one, other] = [(); 2].map(|()| {
        let mut session = begin(&["base"], 2);
        (0..2).for_each(|seat| session.set_bot(Seat(seat), Some("random")));
        while session.advance() {}
        events(&mut Wires::new(session, 0))
    });
    let committed = one.iter().find(|event| matches!(event, Event::Committed(_))).unwrap();
    let take = |client: &mut Client, events: &[Event]| {
        let news = events.iter().filter_map(|event| client.handle_event(event.clone()).unwrap());
        news.filter(|news| matches!(news, News::Revealed(_))).collect::<Vec<_>>()
    };
    assert_eq!(take(&mut Client::new(), &one), [News::Revealed(true)]);
    let mut client = Client::new();
    client.handle_event(committed.clone()).unwrap();
    assert_eq!(take(&mut client, &other), [News::Revealed(false)]);
}

/// A change of a game with 300 tiles sends less than 10 kB to a client.
#[test]
fn changes_of_large_games_are_small() {
    // Makes a deck with ten more copies of each tile.
    let base = CopiedMod::of("base");
    let tiles = base.read("tiles.toml").replace("count = ", "count = 1");
    base.write("tiles.toml", &tiles);
    let others = ["inns-cathedrals", "builders-traders", "king-baron", "messages", "gold-mines", "ferries"];
    let paths: Vec<_> = others.iter().map(|id| mods_folder().join(id)).chain([base.file("")]).collect();
    let mods: Vec<&str> = ["base"].into_iter().chain(others).collect();
    let mut setup = Setup { seed: Some(SEED), ..Setup::of(&mods, 4) };
    setup.bots = setup.players.iter().map(|player| (player.clone(), "random".to_owned())).collect();
    let mut wires = Wires::new(begin_game(&Library::open(&paths), setup).unwrap(), 1);
    let n_tiles = |wires: &Wires| wires.table.session().view().tiles().len();
    while n_tiles(&wires) < 300 && wires.table.advance() {
        wires.deliver();
    }
    assert_eq!(n_tiles(&wires), 300);
    wires.guests.values_mut().for_each(|guest| guest.sizes.clear());
    for _ in 0..100 {
        wires.table.advance();
        wires.deliver();
    }
    wires.check();
    let sizes = &wires.guests[&ClientId(0)].sizes;
    let (mean, most) = (sizes.iter().sum::<usize>() / sizes.len(), sizes.iter().max().unwrap());
    println!("{} tiles, {} changes: {mean} bytes on average, {most} at most", n_tiles(&wires), sizes.len());
    assert!(sizes.len() > 90 && *most < 10_000, "{mean} bytes on average, {most} at most");
}

#[test]
fn a_guest_comes_back_to_its_seat() {
    let mut wires = Wires::new(begin(&["base"], 2), 3);
    wires.sit(0, 1);
    let token = wires.guests[&ClientId(0)].token.unwrap();
    wires.table.disconnect(ClientId(0));
    wires.deliver();
    let names = |wires: &Wires| wires.guests[&ClientId(1)].client.seats()[1].clone();
    assert_eq!((names(&wires).name.as_deref(), names(&wires).is_here), (Some("guest 0"), false));
    // The seat stays taken, and another token does not give access to it.
    wires.request(
        1,
        Request::Sit { seat: Some(Seat(1)), name: "thief".to_owned(), claim: SeatClaim::of(None).unwrap() },
    );
    let claim = SeatClaim::Return(SeatToken([1; 16]));
    wires.request(1, Request::Sit { seat: Some(Seat(1)), name: "thief".to_owned(), claim });
    assert_eq!(wires.guests[&ClientId(1)].client.own_seats(), SeatSet::NONE);
    // The guest comes back with another client, also after the table was stored and opened again.
    wires.request(2, Request::Sit { seat: None, name: String::new(), claim: SeatClaim::Return(token) });
    assert!(wires.guests[&ClientId(2)].client.own_seats().contains(Seat(1)));
    let saved = wires.table.saved();
    let mut again = Wires { table: Table::new(begin(&["base"], 2), saved), guests: BTreeMap::new() };
    again.connect(5);
    again.request(5, Request::Sit { seat: None, name: String::new(), claim: SeatClaim::Return(token) });
    assert!(again.guests[&ClientId(5)].client.own_seats().contains(Seat(1)));
    assert!(names(&wires).is_here);
    wires.request(2, Request::Stand);
    assert_eq!(names(&wires).name, None);
}

/// A guest whose connection breaks before the table's reply arrives gets the same seat again.
#[test]
fn a_request_for_a_seat_can_be_repeated() {
    let mut wires = Wires::new(begin(&["base"], 3), 2);
    let claim = SeatClaim::Take(SeatToken([7; 16]));
    let sit = |seat: Option<u8>| Request::Sit { seat: seat.map(Seat), name: "Anna".to_owned(), claim };
    // The reply to this request is lost.
    wires.table.handle(ClientId(0), NumberedRequest { number: 9, request: sit(None) });
    wires.table.take_events();
    wires.table.disconnect(ClientId(0));
    wires.connect(0);
    wires.request(0, sit(None));
    let guest = &wires.guests[&ClientId(0)];
    assert_eq!((guest.token, guest.client.own_seats()), (Some(claim.token()), SeatSet::from(Seat(0))));
    let names: Vec<_> = guest.client.seats().iter().map(|seat| seat.name.as_deref()).collect();
    assert_eq!(names, [Some("Anna"), None, None]);
    // With the same token, a guest cannot take a second seat.
    let number = wires.request(0, sit(Some(1)));
    let guest = &wires.guests[&ClientId(0)];
    assert!(guest.news.contains(&News::Done(number)) && guest.client.own_seats() == SeatSet::from(Seat(0)));
}

#[test]
fn undo_needs_the_consent_of_the_other_players() {
    let mut wires = Wires::new(begin(&["base"], 2), 3);
    wires.sit(0, 0);
    wires.sit(1, 1);
    wires.run();
    let place = wires.options()[0].clone();
    let before = wires.table.session().position_index();
    wires.answer(&place);
    let propose = |wires: &mut Wires, n| {
        let at = wires.table.session().revision().version();
        wires.request(n, Request::ProposeUndo { at })
    };
    let number = propose(&mut wires, 2);
    let why = "only players can undo: take a seat first".to_owned();
    assert!(wires.guests[&ClientId(2)].news.contains(&News::Refused(number, why)));
    propose(&mut wires, 0);
    assert!(wires.guests[&ClientId(1)].news.contains(&News::UndoProposed(Seat(0), true)));
    assert!(wires.guests[&ClientId(2)].news.contains(&News::UndoProposed(Seat(0), false)));
    wires.request(1, Request::AnswerUndo { agrees: false });
    assert!(wires.guests[&ClientId(0)].news.contains(&News::UndoEnded(Some(Seat(1)))));
    assert!(wires.table.session().position_index() > before);
    propose(&mut wires, 0);
    wires.request(1, Request::AnswerUndo { agrees: true });
    assert!(wires.guests[&ClientId(0)].news.contains(&News::UndoEnded(None)));
    assert_eq!(wires.table.session().position_index(), before);
    wires.check();
    // A player who disappears does not block the other players.
    wires.answer(&place);
    propose(&mut wires, 0);
    wires.table.disconnect(ClientId(1));
    wires.deliver();
    assert_eq!(wires.table.session().position_index(), before);
}

#[test]
fn questions_are_answered_from_what_the_client_sees() {
    let mut wires = Wires::new(begin(&["base"], 2), 1);
    wires.sit(0, 0);
    wires.run();
    let at = wires.table.session().revision().version();
    let asked = questions(wires.table.session().view());
    let reply = wires.ask(0, asked.clone());
    assert_eq!((reply.at, reply.refusal), (at, None));
    let game = wires.table.session().game_to_try();
    assert_eq!(reply.found, asked.iter().map(|it| (*it, Some(it.find(&game)))).collect::<Vec<_>>());
    let (_, Some(InsightAnswer::Projection(Some(projection)))) = &reply.found[0] else { panic!("{:?}", reply.found) };
    assert_eq!(projection.scores, [0, 0]);
    // A question that names something unknown has no answer; the others have.
    let reply = wires.ask(0, [Insight::AboutZone(ZoneRef(9_999)), Insight::Projection(None)]);
    assert!(reply.found[0].1.is_none() && reply.found[1].1.is_some(), "{:?}", reply.found);
}

/// A client that asks too much gets no answers for a while. The other clients do.
#[test]
fn the_rate_of_questions_is_limited() {
    let mut wires = Wires::new(begin(&["base"], 2), 2);
    wires.run();
    let many = [Insight::Projection(None); MAX_ASKED];
    let is_answered = |wires: &mut Wires, n: u64| wires.ask(n, many).refusal.is_none();
    let n_answered = (0..100).take_while(|_| is_answered(&mut wires, 0)).count();
    assert!((1..50).contains(&n_answered), "{n_answered}");
    assert_eq!(wires.ask(0, many).refusal.unwrap(), "too many questions in a short time: wait a second");
    assert!(is_answered(&mut wires, 1));
    wires.table.set_time(Instant::now() + Duration::from_secs(60));
    assert!(is_answered(&mut wires, 0));
    let at = wires.table.session().revision().version();
    let number = wires.request(0, Request::Ask { at, insights: vec![Insight::Projection(None); MAX_ASKED + 1] });
    let refused = News::Refused(number, "at most 20 questions can be asked at once".to_owned());
    assert!(wires.guests[&ClientId(0)].news.contains(&refused));
}

/// A client looks at earlier positions and tries answers there. The game, and what the other
/// clients receive, do not change.
#[test]
fn a_client_looks_at_other_positions_alone() {
    let mut wires = Wires::new(begin(&["base"], 2), 3);
    wires.sit(0, 0);
    wires.sit(1, 1);
    wires.run();
    for _ in 0..6 {
        let answer = wires.options()[0].clone();
        wires.answer(&answer);
    }
    let (version, at) = (wires.table.session().revision(), wires.table.session().position_index());
    let of_others = |wires: &Wires| [1, 2].map(|n| wires.guests[&ClientId(n)].received.len());
    let before = of_others(&wires);
    let mut again = begin(&["base"], 2);
    for n in 0..=at {
        again.go_to(0);
        for step in wires.table.session().steps().iter().take(n) {
            again.answer_text(&step.text).unwrap();
        }
        again.delete_later_answers();
        wires.explore(0, ExcursionStep::LookAt(n));
        let excursion = wires.guests[&ClientId(0)].client.excursion().unwrap();
        let expected = again.game_for_client(Seat(0).into());
        assert!(excursion.game().view().answers() == expected.view().answers(), "position {n}");
        assert!(excursion.game().view().tiles() == expected.view().tiles(), "position {n}");
        assert_eq!(excursion.game().steps(), expected.steps());
    }
    // The client answers for both players, and draws go on without the seed of the game.
    for n_tried in 1..8 {
        let view = wires.guests[&ClientId(0)].client.excursion().unwrap().game().view();
        let answer = view.answer_text(view.answers()[0]).unwrap();
        wires.explore(0, ExcursionStep::Try(answer));
        let excursion = wires.guests[&ClientId(0)].client.excursion().unwrap();
        assert_eq!((excursion.n_played(), excursion.tried().len()), (at, n_tried));
        assert!(matches!(excursion.game().awaited_actor(), AwaitedActor::Person(_)));
        assert!(excursion.game().position_index() >= at + n_tried);
    }
    wires.explore(0, ExcursionStep::TakeBack);
    assert_eq!(wires.guests[&ClientId(0)].client.excursion().unwrap().tried().len(), 6);
    assert_eq!((wires.table.session().revision(), of_others(&wires)), (version, before));
    wires.check();
    // The game goes on, and the client still looks at its position.
    let answer = wires.options()[0].clone();
    wires.answer(&answer);
    assert!(wires.guests[&ClientId(0)].client.excursion().is_some());
    wires.check();
    // An undo may remove the position, so it ends the excursion.
    let proposed = wires.table.session().revision().version();
    let by = wires.table.session().steps().iter().rev().find_map(|step| match step.who {
        Actor::Player(seat) => Some(u64::from(seat.0)),
        Actor::Chance => None,
    });
    wires.request(by.unwrap(), Request::ProposeUndo { at: proposed });
    wires.request(1 - by.unwrap(), Request::AnswerUndo { agrees: true });
    assert!(wires.guests[&ClientId(0)].client.excursion().is_none());
    wires.check();
}

/// All answers of an excursion share the budget of one answer, and an excursion that uses much of
/// it counts as many, so that a client cannot keep a table with slow rules busy.
#[test]
fn slow_excursions_are_limited() {
    let folder = tempfile::tempdir().unwrap();
    let slow = folder.path().join("slow");
    std::fs::create_dir(&slow).unwrap();
    let manifest = "[mod]\nid = \"slow\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n\n\
                    [[phase]]\nid = \"wait\"\nslot = \"place\"\nbefore = \"place\"\n";
    let script = "fn phase_wait() {\n    ask(turn.player, \"Stay?\", [\"stay\", \"leap\"]);\n    let n = 0;\n    \
                  for i in 0..90000 { n += 1; }\n    again();\n}\n";
    std::fs::write(slow.join("mod.toml"), manifest).unwrap();
    std::fs::write(slow.join("rules.rhai"), script).unwrap();
    let library = Library::open(&[mods_folder(), folder.path().to_owned()]);
    let setup = Setup { seed: Some(SEED), ..Setup::of(&["base", "slow"], 2) };
    let mut wires = Wires::new(begin_game(&library, setup).unwrap(), 2);
    wires.run();
    let n = wires.table.session().position_index() as u32;
    let refusal = |wires: &mut Wires, guest: u64, n_tried: usize| {
        let number = wires.request(guest, Request::Excursion { n, tried: vec!["stay".to_owned(); n_tried] });
        wires.guests[&ClientId(guest)].news.iter().find_map(|news| match news {
            News::Refused(of, why) if *of == number => Some(why.clone()),
            _ => None,
        })
    };
    assert_eq!(refusal(&mut wires, 0, 2), None);
    let why = refusal(&mut wires, 0, 200).unwrap();
    assert!(why.starts_with("a rule fails at this position: ") && why.contains("operations"), "{why}");
    let why = refusal(&mut wires, 0, 0).unwrap();
    assert_eq!(why, "too many positions in a short time: wait a second");
    assert_eq!(refusal(&mut wires, 1, 2), None, "other clients go on");
}

#[test]
fn impossible_positions_are_refused() {
    let mut wires = Wires::new(begin(&["secret-bids"], 3), 3);
    (0..3).for_each(|n| wires.sit(n, n as u8));
    wires.run();
    let refused = |wires: &Wires, n: u64, number: u32| {
        let news = &wires.guests[&ClientId(n)].news;
        let why = news
            .iter()
            .find_map(|it| if let News::Refused(of, why) = it { (*of == number).then_some(why) } else { None });
        why.cloned().unwrap_or_default()
    };
    let at = wires.table.session().position_index();
    let number = wires.explore(0, ExcursionStep::LookAt(at + 1));
    assert_eq!(refused(&wires, 0, number), "the game has no such position");
    let number = wires.explore(0, ExcursionStep::Try("place 99,99 0".to_owned()));
    assert_eq!(refused(&wires, 0, number), "`place 99,99 0` is not possible at this position");
    let many = vec!["pass".to_owned(); 201];
    let number = wires.request(0, Request::Excursion { n: 0, tried: many });
    assert_eq!(refused(&wires, 0, number), "at most 200 answers can be tried");
    assert!(wires.guests[&ClientId(0)].client.excursion().is_none());
    // A guest tries its own secret answer, but not the one of another guest.
    let place = wires.options()[0].clone();
    wires.answer(&place);
    let bid = wires.options().into_iter().find(|it| it.starts_with("bid")).unwrap();
    let number = wires.explore(1, ExcursionStep::Try(bid.clone()));
    assert_eq!(refused(&wires, 1, number), "the next question is hidden from you, so you cannot try an answer to it");
    wires.explore(0, ExcursionStep::Try(bid));
    assert!(wires.guests[&ClientId(0)].client.excursion().is_some());
    // The table limits the rate.
    let numbers: Vec<u32> = (0..50).map(|_| wires.explore(2, ExcursionStep::LookAt(0))).collect();
    let n_refused = numbers.iter().filter(|number| !refused(&wires, 2, **number).is_empty()).count();
    assert!((5..=15).contains(&n_refused), "{n_refused}");
}

/// A copy of the base game with a survey.
fn surveyed() -> CopiedMod {
    let base = CopiedMod::of("base");
    base.write("mod.toml", &(base.read("mod.toml") + "\n[playtest.fun]\nabout = \"Fun?\"\ntype = \"scale\"\n"));
    base
}

/// The table stores times, notes and replies of the guests who agree, and nothing of the others.
#[test]
fn a_playtest_has_only_what_guests_agreed_to() {
    let base = surveyed();
    let library = Library::open(&[base.library().to_owned()]);
    let session = begin_game(&library, Setup { seed: Some(SEED), ..Setup::of(&["base"], 2) }).unwrap();
    let mut wires = Wires::new(session, 0);
    wires.table.collect_playtest(Playtest::new("a.game".to_owned()));
    (0..3).for_each(|n| wires.connect(n));
    let start = Instant::now();
    wires.table.set_time(start);
    wires.sit(0, 0);
    wires.sit(1, 1);
    wires.run();
    let refusal = |wires: &mut Wires, n: u64, request: Request| -> Option<String> {
        let number = wires.request(n, request);
        let news = wires.guests[&ClientId(n)].news.iter().rev();
        let reply = |it: &News| match it {
            News::Refused(of, why) if *of == number => Some(Some(why.clone())),
            News::Done(of) if *of == number => Some(None),
            _ => None,
        };
        news.filter_map(reply).next().expect("a reply")
    };
    let note = |n: u32, text: &str| Request::Note { n, about: None, text: text.to_owned() };
    let fun = |text: &str| Request::Reply { replies: vec![("base/fun".to_owned(), text.to_owned())] };
    let first = "agree first that the host collects notes, times and replies";
    assert_eq!(refusal(&mut wires, 0, note(0, "too early")).unwrap(), first);
    assert_eq!(refusal(&mut wires, 0, Request::Consent { agrees: true }), None);
    assert_eq!(refusal(&mut wires, 1, Request::Consent { agrees: false }), None);
    assert_eq!(refusal(&mut wires, 2, Request::Consent { agrees: true }), None);
    assert_eq!(wires.guests[&ClientId(0)].client.playtest().unwrap().agrees, Some(true));
    assert_eq!(refusal(&mut wires, 1, note(0, "declined")).unwrap(), first);
    assert_eq!(refusal(&mut wires, 1, fun("1")).unwrap(), first);

    // The first player takes 4.2 s for each answer, the second one 9 s.
    let mut now = start;
    while wires.table.session().view().turn() < 3 {
        let AwaitedActor::Person(seat) = wires.table.session().awaited_actor() else { panic!() };
        now += Duration::from_millis(if seat == Seat(0) { 4200 } else { 9000 });
        wires.table.set_time(now);
        let options = wires.options();
        wires.answer(&options[0]);
    }
    assert_eq!(refusal(&mut wires, 2, note(1, " \u{1b}why\u{202e}?\n ")), None);
    assert_eq!(refusal(&mut wires, 2, note(900, "later")).unwrap(), "the game has no such moment");
    assert_eq!(refusal(&mut wires, 0, note(2, "")).unwrap(), "the note is empty");
    assert_eq!(refusal(&mut wires, 0, fun("6")).unwrap(), "Fun?: answer with a number from 1 to 5");
    assert_eq!(refusal(&mut wires, 0, fun("4")), None);
    assert_eq!(refusal(&mut wires, 0, fun("5")), None);
    assert!(wires.guests[&ClientId(0)].client.playtest().unwrap().has_replied);

    let playtest = wires.table.unsaved_playtest().unwrap().clone();
    assert!(playtest.answers.len() >= 2 && playtest.answers.iter().all(|it| it.person == 1 && it.ms == 4200));
    let steps = wires.table.session().steps();
    assert!(playtest.answers.iter().all(|it| steps[it.n as usize].text == it.answer), "{:?}", playtest.answers);
    let notes: Vec<_> = playtest.notes.iter().map(|it| (it.person, it.n, it.text.as_str())).collect();
    assert_eq!(notes, [(2, 1, "why?")]);
    let replies: Vec<_> = playtest.replies.iter().map(|it| (it.person, it.reply.clone())).collect();
    assert_eq!(replies, [(1, Reply::Number(5))]);
    let seats: Vec<_> = playtest.people.iter().map(|it| it.seat.as_deref()).collect();
    assert_eq!(seats, [Some("red"), None]);
    // No other guest receives a note.
    for n in [0, 1] {
        let received = &wires.guests[&ClientId(n)].received;
        assert!(!received.windows(4).any(|part| part == b"why?"));
    }

    // The answers that are undone are marked.
    let at = wires.table.session().revision().version();
    wires.request(0, Request::ProposeUndo { at });
    wires.request(1, Request::AnswerUndo { agrees: true });
    let undone = wires.table.unsaved_playtest().unwrap();
    assert!(undone.answers.last().unwrap().undone && !undone.answers[0].undone);

    // A guest who declines later is forgotten.
    wires.table.set_time(now + Duration::from_secs(60));
    assert_eq!(refusal(&mut wires, 0, Request::Consent { agrees: false }), None);
    let rest = wires.table.unsaved_playtest().unwrap();
    assert!(rest.answers.is_empty() && rest.replies.is_empty() && rest.people.len() == 1);
    let flood = (0..20).filter_map(|_| refusal(&mut wires, 2, note(1, "again"))).count();
    assert!(flood > 12, "{flood} of 20 notes were refused");
}

/// The program that runs the table takes part: the table times the answers that it gives in the
/// session, and marks the answers that it undoes.
#[test]
fn the_host_takes_part_in_its_own_playtest() {
    let mut table = Table::new(begin(&["base"], 2), SavedTable::default());
    table.connect_local(Some(Seat(0)), "host");
    table.collect_playtest(Playtest::new("a.game".to_owned()));
    let mut now = Instant::now();
    let mut n_requests = 0;
    let mut request = |table: &mut Table, request: Request| {
        n_requests += 1;
        table.handle(ClientId::LOCAL, NumberedRequest { number: n_requests, request });
    };
    let change = |table: &mut Table, change: &dyn Fn(&mut Session)| {
        for change in [change, &|session: &mut Session| session.deal()] {
            let before = table.session().revision();
            change(table.session_mut());
            table.send_changes(before);
        }
    };
    let answer = |i: usize| {
        move |session: &mut Session| {
            let answers = session.view().answers();
            session.answer(answers[i.min(answers.len() - 1)]).unwrap();
        }
    };
    table.set_time(now);
    change(&mut table, &|_| {});
    request(&mut table, Request::Thumb { rule: "city".to_owned(), up: true });
    assert!(table.playtest().unwrap().is_empty(), "the host has not agreed");
    request(&mut table, Request::Consent { agrees: true });
    assert_eq!((table.agreements().seats, table.agreements().n_spectators), (vec![Some(true), None], 0));
    let n = table.session().position_index();
    now += Duration::from_secs(3);
    table.set_time(now);
    change(&mut table, &answer(0));
    let first = table.playtest().unwrap().answers.clone();
    assert_eq!(
        first.iter().map(|it| (it.person, it.n as usize, it.ms, it.undone)).collect::<Vec<_>>(),
        [(1, n, 3000, false)]
    );
    assert_eq!(table.session().steps()[n].text, first[0].answer);
    // At the past position, nothing is timed. Another answer there replaces the first one.
    change(&mut table, &|session| session.go_to(n));
    assert_eq!(table.playtest().unwrap().answers, first);
    now += Duration::from_secs(100);
    table.set_time(now);
    change(&mut table, &answer(1));
    let answers = &table.playtest().unwrap().answers;
    assert!(answers.len() == 1 && answers[0].undone, "{answers:?}");
    // The free seat is not the host's, so its answers are not collected.
    now += Duration::from_secs(7);
    table.set_time(now);
    let mut n_own = 0;
    while table.session().view().turn() < 4 {
        let own = table.session().awaited_actor() == AwaitedActor::Person(Seat(0));
        n_own += usize::from(own);
        change(&mut table, &answer(0));
    }
    let playtest = table.playtest().unwrap();
    assert_eq!(playtest.answers.iter().filter(|it| !it.undone).count(), n_own);
    request(&mut table, Request::Thumb { rule: "city".to_owned(), up: true });
    request(&mut table, Request::Thumb { rule: "city".to_owned(), up: false });
    assert_eq!(table.local_playtest().unwrap().thumbs, [("city".to_owned(), false)]);
    let playtest = table.playtest().unwrap();
    assert_eq!(Playtest::read(&playtest.text()).as_ref(), Ok(playtest));
    assert!(playtest.thumbs.len() == 1 && playtest.thumbs[0].turn > 0);
}

/// A table that collects no playtest refuses everything about it.
#[test]
fn without_a_playtest_nothing_is_collected() {
    let mut wires = Wires::new(begin(&["base"], 2), 1);
    wires.sit(0, 0);
    let number = wires.request(0, Request::Consent { agrees: true });
    let refused = News::Refused(number, "the host does not collect a playtest".to_owned());
    assert!(wires.guests[&ClientId(0)].news.contains(&refused));
    assert!(wires.table.unsaved_playtest().is_none() && wires.guests[&ClientId(0)].client.playtest().is_none());
}
