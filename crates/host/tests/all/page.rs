//! Tests of guests in a browser: the files that the host serves, and whole games through the
//! messages of the page.

use std::time::Duration;

use host::{GuestLink, Room, RoomOptions};
use playtest::Playtest;
use serde_json::{Value, json};
use table::{Library, Setup};
use testkit::{CopiedMod, mods_folder};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::page_guest::{PageGuest, page_url};
use crate::served::{SEED, Served, begin, library, reason_for_closing};

/// Requests a path of the host. Returns the head and the body of the response.
async fn get(link: &GuestLink, path: &str) -> (String, String) {
    let mut stream = TcpStream::connect(link.host.strip_prefix("http://").unwrap()).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: bastide\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_ascii_lowercase(), body.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_and_its_pictures_are_served() {
    let temp = tempfile::tempdir().unwrap();
    let served = Served::start(vec![begin(temp.path(), &["base"], 2)]).await;
    let link = &served.links[0];
    let (head, body) = get(link, &format!("/{}", link.code)).await;
    assert!(head.starts_with("http/1.1 200") && head.contains("text/html"), "{head}");
    assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{head}");
    assert!(head.contains("x-content-type-options: nosniff"), "{head}");
    assert!(!body.contains("style=") && !body.contains("http://"), "the page asks nobody else");
    for path in ["/table.css", "/table.js"] {
        assert!(get(link, path).await.0.starts_with("http/1.1 200"), "{path}");
    }
    let page = PageGuest::open(link).await;
    let key = page.game["pictures"].as_str().unwrap();
    let (head, body) = get(link, &format!("/{}/pictures/{key}/tile-0-90.svg", link.code)).await;
    assert!(head.contains("image/svg+xml") && head.contains("immutable") && body.contains("<svg"), "{head}");
    let (head, _) = get(link, &format!("/{}/pictures/old/tile-0-90.svg", link.code)).await;
    assert!(head.contains("no-store"), "{head}");
    for name in ["tile-9999-0.svg", "tile-0-45.svg", "tile--1-0.svg", "tile-0-0.png", "..%2f..%2fCargo.toml", "tile"] {
        let (head, _) = get(link, &format!("/{}/pictures/{key}/{name}", link.code)).await;
        assert!(head.starts_with("http/1.1 404"), "{name}: {head}");
    }
    assert!(get(link, "/AAAAAA").await.0.starts_with("http/1.1 404"));
    assert!(get(link, "/AAAAAA/pictures/x/back.svg").await.0.starts_with("http/1.1 404"));
    served.stop().await;
}

/// The page can answer every question of every bundled mod.
#[tokio::test(flavor = "multi_thread")]
async fn all_mods_can_be_played_on_the_page() {
    let temp = tempfile::tempdir().unwrap();
    let ids = Library::open(&[mods_folder()]).ids();
    let small = ["secret-hands", "secret-bids", "tiles-in-hand", "open-market", "track-pieces", "score-markers"];
    let all = ids.iter().map(String::as_str).chain(small);
    let rooms: Vec<_> = all.map(|id| begin(temp.path(), &[id], 2)).collect();
    let served = Served::start(rooms).await;
    let games: Vec<_> = served.links.iter().map(|link| tokio::spawn(play_one(link.clone()))).collect();
    for game in games {
        game.await.unwrap();
    }
    served.stop().await;
}

/// Lets two pages play the game of a table to its end.
async fn play_one(link: GuestLink) {
    let (mut red, mut blue) = (PageGuest::open(&link).await, PageGuest::open(&link).await);
    red.sit(json!(0), "Anna", Value::Null).await;
    blue.sit(json!(1), "<b>Bob</b>", Value::Null).await;
    let red = tokio::spawn(red.play(1));
    let (mut blue, mut red) = (blue.play(2).await, red.await.unwrap());
    let scores = |page: &PageGuest| -> Vec<Value> {
        page.game["players"].as_array().unwrap().iter().map(|player| player["score"].clone()).collect()
    };
    assert_eq!(scores(&red), scores(&blue));
    assert!(red.game["players"].as_array().unwrap().iter().any(|player| player["hasWon"] == true));
    let (red, blue) = (red.revealed().await, blue.revealed().await);
    assert_eq!(red, blue, "both save the same record");
    assert!(red.1.contains(&format!("\nseed {SEED} ")), "{}", red.1);
}

/// The page of a guest receives no information that only another guest may see.
#[tokio::test(flavor = "multi_thread")]
async fn a_hidden_hand_does_not_reach_another_page() {
    let temp = tempfile::tempdir().unwrap();
    let served = Served::start(vec![begin(temp.path(), &["base", "secret-hands"], 2)]).await;
    let link = &served.links[0];
    let mut pages = [PageGuest::open(link).await, PageGuest::open(link).await];
    for (seat, page) in pages.iter_mut().enumerate() {
        page.sit(json!(seat), "guest", Value::Null).await;
        page.until(|page, _| !page.game["players"][seat]["cards"].as_array().unwrap().is_empty()).await;
    }
    let cards = pages.each_ref().map(|page| {
        let own = page.seats["own"][0].as_u64().unwrap() as usize;
        page.game["players"][own]["cards"][0].as_str().unwrap().to_owned()
    });
    assert_ne!(cards[0], cards[1], "each has another goal");
    for (page, hidden) in pages.iter().zip([&cards[1], &cards[0]]) {
        let own = page.seats["own"][0].as_u64().unwrap() as usize;
        assert_eq!(page.game["players"][1 - own]["nHidden"], 1);
        for text in &page.received {
            assert!(!text.contains(hidden.as_str()), "{text}");
        }
    }
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_returns_to_its_seat_and_only_the_right_guest_answers() {
    let temp = tempfile::tempdir().unwrap();
    let served = Served::start(vec![begin(temp.path(), &["base"], 2)]).await;
    let link = &served.links[0];
    let (mut red, mut blue) = (PageGuest::open(link).await, PageGuest::open(link).await);
    let token = red.sit(json!(0), "<img src=x onerror=alert(1)>", Value::Null).await;
    blue.sit(json!(1), "Bob", Value::Null).await;
    blue.until(|page, news| page.seats["own"] == json!([1]) && news["news"] == "game").await;
    let at = blue.game["at"].clone();
    red.until(|page, _| !page.game["question"].is_null() && page.game["at"] == at).await;
    let answers = red.answers();
    blue.send(&json!({ "do": "answer", "at": at, "answer": answers[0] })).await;
    let refused = blue.until(|_, news| news["news"] == "refused").await;
    assert_eq!(refused["why"], "It is not your turn to answer");
    red.send(&json!({ "do": "answer", "at": "1", "answer": answers[0] })).await;
    assert_eq!(red.until(|_, news| news["news"] == "refused").await["why"], "The game has changed in the meantime");

    drop(red);
    blue.until(|page, _| page.seats["seats"][0]["isHere"] == false).await;
    let mut red = PageGuest::open(link).await;
    assert_eq!(red.sit(Value::Null, "", json!(token)).await, token);
    red.until(|page, _| page.seats["own"] == json!([0])).await;
    assert_eq!(red.seats["seats"][0]["name"].as_str().unwrap().chars().next(), Some('<'));
    red.send(&json!({ "do": "bot", "seat": 0, "bot": "greedy" })).await;
    blue.until(|page, _| page.seats["seats"][0]["isBot"] == true).await;
    blue.until(|page, _| !page.game["question"].is_null()).await;
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_chat_and_point() {
    let temp = tempfile::tempdir().unwrap();
    let served = Served::start(vec![begin(temp.path(), &["base"], 2)]).await;
    let link = &served.links[0];
    let (mut red, mut watcher) = (PageGuest::open(link).await, PageGuest::open(link).await);
    red.sit(json!(0), "Anna", Value::Null).await;
    red.send(&json!({ "do": "chat", "text": "<b>hello</b>" })).await;
    red.send(&json!({ "do": "point", "spot": [0, -1] })).await;
    let line = json!({ "seat": 0, "name": "Anna", "text": "<b>hello</b>" });
    assert_eq!(watcher.until(|_, news| news["news"] == "said").await["line"], line);
    let pointed = watcher.until(|_, news| news["news"] == "pointed").await;
    assert_eq!((&pointed["seat"], &pointed["spot"]), (&json!(0), &json!([0, -1])));
    let late = PageGuest::open(link).await;
    let chats = late.received.iter().map(|text| serde_json::from_str::<Value>(text).unwrap());
    assert!(chats.into_iter().any(|news| news["news"] == "chat" && news["lines"] == json!([line])));
    served.stop().await;
}

/// A page looks at an earlier position and tries choices there. The other pages receive nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_explores_alone() {
    let temp = tempfile::tempdir().unwrap();
    let served = Served::start(vec![begin(temp.path(), &["base"], 2)]).await;
    let link = &served.links[0];
    let (mut red, mut blue) = (PageGuest::open(link).await, PageGuest::open(link).await);
    red.sit(json!(0), "Anna", Value::Null).await;
    blue.sit(json!(1), "Bob", Value::Null).await;
    blue.until(|page, news| page.seats["own"] == json!([1]) && news["news"] == "game").await;
    let at = blue.game["at"].clone();
    red.until(|page, _| !page.answers().is_empty() && page.game["at"] == at).await;
    let place = red.answers()[0].clone();
    red.send(&json!({ "do": "answer", "at": at, "answer": place })).await;
    red.until(|page, _| page.game["tiles"].as_array().unwrap().len() == 2 && !page.answers().is_empty()).await;
    blue.until(|page, _| page.game["at"] == red.game["at"]).await;
    let (n, n_received) = (red.game["n"].as_u64().unwrap(), blue.received.len());
    let tiles = red.game["tiles"].as_array().unwrap().len();

    red.send(&json!({ "do": "look", "n": n - 1 })).await;
    let seen = red.until(|_, news| news["news"] == "excursion").await;
    assert_eq!((&seen["n"], &seen["nTried"]), (&json!(n - 1), &json!(0)));
    assert_eq!(seen["position"]["tiles"].as_array().unwrap().len(), tiles - 1);
    assert_eq!(seen["position"]["question"]["places"][0][3], json!(place));
    // The guest moves for both players.
    red.send(&json!({ "do": "try", "answer": place })).await;
    red.send(&json!({ "do": "try", "answer": "pass" })).await;
    let tried = red.until(|_, news| news["nTried"] == 2).await;
    assert_eq!(tried["position"]["question"]["seat"], 1);
    red.send(&json!({ "do": "untry" })).await;
    let untried = red.until(|_, news| news["news"] == "excursion").await;
    assert_eq!((&untried["nTried"], &untried["position"]["question"]["seat"]), (&json!(1), &json!(0)));
    red.send(&json!({ "do": "try", "answer": "place 99,99 0" })).await;
    red.until(|_, news| news["news"] == "refused").await;

    red.send(&json!({ "do": "return" })).await;
    let at = red.game["at"].clone();
    red.send(&json!({ "do": "answer", "at": at, "answer": "pass" })).await;
    let game = red.until(|page, news| news["news"] == "game" && page.game["at"] != at).await;
    assert_eq!(game["isInExcursion"], false);
    blue.until(|page, _| page.game["at"] == red.game["at"]).await;
    let new = &blue.received[n_received..];
    assert!(new.iter().all(|text| text.contains(r#""news":"game""#)), "{new:?}");
    served.stop().await;
}

/// The page receives the descriptions of options, even if only a function of a mod gives them.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_shows_what_mods_say_about_options() {
    let temp = tempfile::tempdir().unwrap();
    let mut setup = Setup { seed: Some(SEED), ..Setup::of(&["base", "hints-and-memory"], 2) };
    setup.bots.push((setup.players[1].clone(), "random".to_owned()));
    let room = Room::begin(temp.path(), library(), setup, &RoomOptions::default()).unwrap();
    let served = Served::start(vec![room]).await;
    let mut page = PageGuest::open(&served.links[0]).await;
    page.sit(json!(0), "Anna", Value::Null).await;
    page.until(|page, _| !page.answers().is_empty()).await;
    page.send(&json!({ "do": "answer", "at": page.game["at"], "answer": page.answers()[0] })).await;
    let about = page.until(|_, news| news["news"] == "about").await;
    assert_eq!(about["at"], page.game["at"]);
    let lines = about["lines"].as_object().unwrap();
    assert!(lines.iter().all(|(answer, _)| page.answers().contains(answer)), "{about}");
    assert!(lines.values().any(|lines| *lines == json!(["Takes a sheet"])), "{about}");
    // The host refuses no request that the page makes automatically, even if the game continues.
    for _ in 0..8 {
        while page.answers().is_empty() {
            page.next().await;
        }
        let at = page.game["at"].clone();
        page.send(&json!({ "do": "answer", "at": at, "answer": page.answers()[0] })).await;
        page.until(|page, news| page.game["at"] != at || news["news"] == "refused").await;
    }
    assert!(page.received.iter().all(|text| !text.contains("refused")), "{:?}", page.received.last());
    served.stop().await;
}

/// Consent, notes and replies reach the file beside the record, and a restart continues it.
#[tokio::test(flavor = "multi_thread")]
async fn a_playtest_is_stored_beside_the_record() {
    let temp = tempfile::tempdir().unwrap();
    let base = CopiedMod::of("base");
    base.write("mod.toml", &(base.read("mod.toml") + "\n[playtest.fun]\nabout = \"Fun?\"\ntype = \"scale\"\n"));
    let library = Library::open(&[base.library().to_owned()]);
    let options = RoomOptions { collects_playtest: true, ..RoomOptions::default() };
    let setup = Setup { seed: Some(SEED), ..Setup::of(&["base"], 2) };
    let room = Room::begin(temp.path(), library.clone(), setup, &options).unwrap();
    let code = room.code();
    let served = Served::start(vec![room]).await;
    let mut pages = [PageGuest::open(&served.links[0]).await, PageGuest::open(&served.links[0]).await];
    let is_playtest = |_: &PageGuest, news: &Value| news["news"] == "playtest";
    let token = pages[0].sit(json!(0), "Anna", Value::Null).await;
    let asked = pages[0].until(is_playtest).await;
    assert_eq!(asked["agrees"], Value::Null);
    let question = json!({ "id": "base/fun", "text": "Fun?", "type": "scale", "possible": [1, 5] });
    assert_eq!(asked["survey"], json!([question]));
    pages[0].send(&json!({ "do": "consent", "agrees": true })).await;
    assert_eq!(pages[0].until(is_playtest).await["agrees"], true);
    pages[1].sit(json!(1), "Bob", Value::Null).await;
    pages[1].until(is_playtest).await;
    pages[1].send(&json!({ "do": "consent", "agrees": false })).await;
    assert_eq!(pages[1].until(is_playtest).await["agrees"], false);
    pages[1].send(&json!({ "do": "note", "n": 0, "about": null, "text": "a note of Bob" })).await;
    let refused = pages[1].until(|_, news| news["news"] == "refused").await;
    assert!(refused["why"].as_str().unwrap().starts_with("Agree first"), "{refused}");
    // When Bob sits down, the page receives the game once more, with another version.
    pages[0].until(|page, news| news["news"] == "game" && page.seats["seats"][1]["name"] == "Bob").await;
    let (at, n) = (pages[0].game["at"].clone(), pages[0].game["n"].clone());
    tokio::time::sleep(Duration::from_millis(60)).await;
    pages[0].send(&json!({ "do": "note", "n": n, "about": "Place", "text": "a note of Anna" })).await;
    let answer = pages[0].answers()[0].clone();
    pages[0].send(&json!({ "do": "answer", "at": at, "answer": answer })).await;
    pages[0].send(&json!({ "do": "reply", "replies": [["base/fun", "3"]] })).await;
    assert_eq!(pages[0].until(is_playtest).await["hasReplied"], true);
    pages[1].send(&json!({ "do": "thumb", "rule": "a rule of Bob", "up": true })).await;
    let refused = pages[1].until(|_, news| news["news"] == "refused").await;
    assert!(refused["why"].as_str().unwrap().starts_with("Agree first"), "{refused}");
    pages[0].send(&json!({ "do": "thumb", "rule": "a rule of Anna", "up": false })).await;
    assert_eq!(pages[0].until(is_playtest).await["thumbs"], json!([["a rule of Anna", false]]));
    let is_of_anna = |text: &&String| text.contains("a note of Anna") || text.contains("a rule of Anna");
    assert!(!pages[1].received.iter().any(|text| is_of_anna(&text)));
    served.stop().await;

    let file = temp.path().join(format!("{code}.playtest.json"));
    let stored = Playtest::read(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!((stored.answers.len(), stored.notes.len(), stored.replies.len()), (1, 1, 1));
    assert_eq!((&stored.answers[0].answer, stored.record), (&answer, format!("{code}.game")));
    assert!((60..60_000).contains(&stored.answers[0].ms), "{} ms", stored.answers[0].ms);
    assert_eq!(stored.notes[0].about.as_deref(), Some("Place"));
    assert_eq!(stored.thumbs.iter().map(|it| (&*it.rule, it.up)).collect::<Vec<_>>(), [("a rule of Anna", false)]);

    let room = Room::open(temp.path(), code, library.clone(), &options).unwrap();
    let served = Served::start(vec![room]).await;
    let mut anna = PageGuest::open(&served.links[0]).await;
    anna.sit(Value::Null, "", json!(token)).await;
    let known = anna.until(|_, news| news["news"] == "playtest" && !news["agrees"].is_null()).await;
    assert_eq!((&known["agrees"], &known["hasReplied"]), (&json!(true), &json!(true)));
    served.stop().await;

    std::fs::write(&file, "{").unwrap();
    let refused = Room::open(temp.path(), code, library, &options).err().unwrap().to_string();
    assert!(refused.contains(".playtest.json: line 1: EOF"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_plays_on_when_time_is_over() {
    let temp = tempfile::tempdir().unwrap();
    let setup = Setup { seed: Some(SEED), ..Setup::of(&["base"], 2) };
    let options = RoomOptions { clock: Some("1s".parse().unwrap()), ..RoomOptions::default() };
    let room = Room::begin(temp.path(), library(), setup, &options).unwrap();
    let served = Served::start(vec![room]).await;
    let (mut red, mut blue) = (PageGuest::open(&served.links[0]).await, PageGuest::open(&served.links[0]).await);
    red.sit(json!(0), "Anna", Value::Null).await;
    let running = red.until(|_, news| news["news"] == "clock" && news["runs"] == 0).await;
    assert_eq!(running["left"][1], 1000);
    let notice = red.until(|_, news| news["news"] == "notice").await;
    assert_eq!(notice["text"], "Anna has no time left: a bot takes over");
    // The bot answers, so the game continues to the other player.
    blue.sit(json!(1), "Bob", Value::Null).await;
    blue.until(|page, _| !page.answers().is_empty()).await;
    assert_eq!(blue.seats["seats"][0]["isBot"], true);
    red.send(&json!({ "do": "bot", "seat": 0, "bot": null })).await;
    let refused = red.until(|_, news| news["news"] == "refused").await;
    assert_eq!(refused["why"], "This seat has no time left, so a bot has taken over");
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn attacks_through_the_page_end_only_their_connection() {
    let temp = tempfile::tempdir().unwrap();
    let served = Served::start(vec![begin(temp.path(), &["base"], 2)]).await;
    let link = &served.links[0];
    let mut guest = PageGuest::open(link).await;
    let url = page_url(link);
    let closed = |messages| reason_for_closing(&url, messages);
    for nonsense in [
        "",
        "{}",
        "[]",
        "hello",
        r#"{"do":"rule"}"#,
        r#"{"do":"sit","seat":300,"name":"a","token":"00","isNew":true}"#,
        r#"{"do":"point","spot":[0,99999]}"#,
    ] {
        assert_eq!(closed(vec![Message::text(nonsense)]).await, "the page sent an unknown request", "{nonsense}");
    }
    let token = json!({ "do": "sit", "seat": null, "name": "a", "token": "12", "isNew": false }).to_string();
    assert_eq!(closed(vec![Message::text(token)]).await, "the token is incomplete");
    let deep = "[".repeat(60_000);
    assert_eq!(closed(vec![Message::text(deep)]).await, "the page sent an unknown request");
    closed(vec![Message::binary(vec![1, 0, 200])]).await;
    closed(vec![Message::text("x".repeat(10 << 20))]).await;
    let flood = (0..500).map(|_| Message::text(r#"{"do":"stand"}"#)).collect();
    assert_eq!(closed(flood).await, "too many requests in a short time");
    let pings = (0..500).map(|_| Message::Ping(vec![1; 100].into())).collect();
    assert_eq!(closed(pings).await, "too many requests in a short time");
    guest.sit(Value::Null, "Anna", Value::Null).await;
    served.stop().await;
}
