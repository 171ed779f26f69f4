//! A fuzz test of the bytes between a host and its guests, in both directions.

use std::hash::Hasher as _;
use std::path::Path;

use door::{
    Client, ClientId, Event, MAX_REQUEST_BYTES, NumberedRequest, Patch, Request, RulesetHash, SavedTable, SeatClaim,
    SeatToken, Table, ThemeHash, Update, decode, encode,
};
use fnv::FnvHasher;
use loader::Library;
use table::{
    Answer, FeatureRef, Insight, LayerIdx, PieceRef, Placement, Seat, SeenGame, Spot, TileIdx, ZoneRef, catch_panic,
};
use testkit::mods_folder;
use tests::mutate::Choices;
use tests::sitting;

use super::{Act, MAX_LEN, a_while, begin};

/// Changes bytes of the requests of a guest without a seat, and of the games that a host sends. The
/// table must refuse or carry out each request without a change of the game. The client must refuse
/// each game, or show it. A panic while it shows the game is permitted, because `bastide join` then
/// ends the connection.
#[test]
fn changed_bytes_between_host_and_guest() {
    let temp = tempfile::tempdir().unwrap();
    let library = Library::open(&[mods_folder(), Path::new(env!("CARGO_MANIFEST_DIR")).join("mods")]);
    let mut games = Vec::new();
    for (mods, n) in [(&["base", "messages"][..], 30), (&["secret-hands"], 15), (&["gold-mines", "king-baron"], 60)] {
        let mut session = begin(&library, mods);
        sitting::advance(&mut session, n);
        let seen = session.game_for_client(Seat(1).into());
        games.push((postcard::to_stdvec(session.ruleset()).unwrap(), postcard::to_stdvec(&seen).unwrap()));
    }
    let mut session = begin(&library, &["base"]);
    sitting::save_into(&mut session, &temp.path().join("a.game"));
    sitting::advance(&mut session, 20);
    let mut table = Table::new(session, SavedTable::default());
    let taken = (0..2).map(|seat| SeatClaim::Take(SeatToken([seat + 1; 16])));
    for (seat, claim) in taken.enumerate() {
        table.connect(ClientId(seat as u64));
        let sit = Request::Sit { seat: Some(Seat(seat as u8)), name: "guest".to_owned(), claim };
        table.handle(ClientId(seat as u64), Client::new().hello());
        table.handle(ClientId(seat as u64), NumberedRequest { number: 2, request: sit });
    }
    let theme = postcard::to_stdvec(&**table.session().loaded().theme()).unwrap();
    let requests = requests_without_a_seat(table.session().revision().version());
    let (before, seats) = (table.session().record_text(), table.saved());
    fuzz!(move |choices: &mut Choices<'_>| {
        if choices.below(2) == 0 {
            table.connect(ClientId(9));
            table.handle(ClientId(9), Client::new().hello());
            for _ in 0..4 {
                let request = choices.choose(&requests).clone();
                let bytes = changed_bytes(choices, &request);
                if let Ok(request) = decode::<NumberedRequest>(&bytes, MAX_REQUEST_BYTES) {
                    table.handle(ClientId(9), request);
                }
            }
            table.disconnect(ClientId(9));
            table.take_events();
            assert_eq!(table.session().record_text(), before);
            assert!(table.saved() == seats);
            return;
        }
        let (ruleset, game) = choices.choose(&games);
        let ruleset = if choices.below(4) == 0 { changed_bytes(choices, ruleset) } else { ruleset.clone() };
        let game = changed_bytes(choices, game);
        let mut client = Client::new();
        let id = RulesetHash(hash_of(&ruleset));
        let patch = Patch::between(&[], &game);
        let update = Update { ruleset: id, theme: ThemeHash(1), patch, hash: hash_of(&game) };
        let theme = if choices.below(2) == 0 { changed_bytes(choices, &theme) } else { theme.clone() };
        let is_theme = client.handle_event(Event::Theme(theme)).is_ok();
        assert_eq!(client.theme().is_some(), is_theme);
        let read = client.handle_event(Event::Part { id, bytes: ruleset });
        if read.is_ok() && client.handle_event(Event::Game(update)).is_ok() {
            let _ = catch_panic(|| show_game(client.game().unwrap()));
        }
    });
}

/// Returns the bytes of requests that change no game and no seat, because their guest has no seat.
fn requests_without_a_seat(at: u64) -> Vec<Vec<u8>> {
    let token = SeatToken([9; 16]);
    let place = Placement { spot: Spot::new(1, 0), facing: Default::default() };
    let requests = [
        Request::Hello { parts: vec![RulesetHash(1)] },
        Request::Sit { seat: Some(Seat(0)), name: "thief".to_owned(), claim: SeatClaim::Take(token) },
        Request::Sit { seat: None, name: "thief".to_owned(), claim: SeatClaim::Return(token) },
        Request::Theme,
        Request::Stand,
        Request::Answer { at, answer: "pass".to_owned() },
        Request::SetBot { seat: Seat(0), bot: Some("greedy".to_owned()) },
        Request::ProposeUndo { at },
        Request::AnswerUndo { agrees: true },
        Request::Ask { at, insights: vec![Insight::Projection(Some(Answer::Pass)); 3] },
        Request::Ask {
            at,
            insights: vec![
                Insight::AboutAnswer(Answer::ModOption(3)),
                Insight::AboutZone(ZoneRef(2)),
                Insight::AboutPiece(PieceRef(1)),
                Insight::Majority(FeatureRef { layer: LayerIdx(0), anchor: ZoneRef(3) }),
                Insight::PlaceValue(Seat(1), place),
                Insight::ForbiddingMods(TileIdx(4), place),
            ],
        },
        Request::Excursion { n: 5, tried: vec!["pass".to_owned(), "draw base/A".to_owned()] },
        Request::Excursion { n: 20, tried: Vec::new() },
        Request::Pause { is_paused: true },
        Request::Thumb { rule: "road".to_owned(), up: true },
        Request::Chat { text: "hello".to_owned() },
        Request::Point { spot: Spot::new(1, -1) },
        Request::Consent { agrees: true },
        Request::Note { n: 1, about: None, text: "a note".to_owned() },
        Request::Reply { replies: vec![("base/fun".to_owned(), "3".to_owned())] },
    ];
    requests.into_iter().map(|request| encode(&NumberedRequest { number: 5, request })).collect()
}

/// Changes, removes and adds some bytes.
fn changed_bytes(choices: &mut Choices<'_>, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..choices.below(4) {
        let at = choices.below(bytes.len().max(1));
        let byte = choices.below(256) as u8;
        match choices.below(8) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, byte),
            2 => drop((at < bytes.len()).then(|| bytes.remove(at))),
            _ => bytes.get_mut(at).into_iter().for_each(|it| *it = byte),
        }
    }
    bytes
}

/// Returns the hash with which a host names these bytes.
fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// Reads the parts of a game that guests see.
fn show_game(game: &SeenGame) {
    let view = game.view();
    let _ = (view.scores(), view.tiles(), view.rows(), view.option_views(), view.prompt(), view.winners());
    view.answers().into_iter().for_each(|answer| drop(view.answer_text(answer)));
    view.seats().for_each(|seat| drop((view.name(seat).to_owned(), view.supply(seat))));
    game.steps().iter().for_each(|step| drop(step.text.clone()));
}
