//! The page of a guest, simulated without a browser.

use std::time::Duration;

use door::SeatToken;
use futures_util::{SinkExt as _, StreamExt as _};
use host::GuestLink;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Returns the WebSocket address of a table's page.
pub fn page_url(link: &GuestLink) -> String {
    link.socket_url().replace("/socket", "/page")
}

/// The page of a guest, simulated without a browser.
pub struct PageGuest {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The latest game.
    pub game: Value,
    /// The latest seats.
    pub seats: Value,
    /// All messages of the host, as text.
    pub received: Vec<String>,
}

impl PageGuest {
    pub async fn open(link: &GuestLink) -> PageGuest {
        let (socket, _) = connect_async(page_url(link)).await.unwrap();
        let mut page = PageGuest { socket, game: Value::Null, seats: Value::Null, received: Vec::new() };
        page.until(|page, _| !page.game.is_null() && !page.seats.is_null()).await;
        page
    }

    pub async fn send(&mut self, request: &Value) {
        self.socket.send(Message::text(request.to_string())).await.unwrap();
    }

    /// Waits for the next message.
    pub async fn next(&mut self) -> Value {
        let wait = tokio::time::timeout(Duration::from_secs(60), self.socket.next());
        let message = wait.await.expect("the host should answer within a minute").unwrap().unwrap();
        let text = message.into_text().unwrap().to_string();
        let news: Value = serde_json::from_str(&text).unwrap();
        match news["news"].as_str().unwrap() {
            "game" => self.game = news["position"].clone(),
            "seats" => self.seats = news.clone(),
            _ => {}
        }
        self.received.push(text);
        news
    }

    /// Reads messages until `is_true` returns true for one, and returns this message.
    pub async fn until(&mut self, is_true: impl Fn(&PageGuest, &Value) -> bool) -> Value {
        loop {
            let news = self.next().await;
            if is_true(self, &news) {
                return news;
            }
        }
    }

    /// Takes a seat, and returns its token.
    /// With `token`, returns to the seat of this token.
    pub async fn sit(&mut self, seat: Value, name: &str, token: Value) -> String {
        let is_new = token.is_null();
        let token = if is_new { json!(SeatToken::random().unwrap().to_string()) } else { token };
        self.send(&json!({ "do": "sit", "seat": seat, "name": name, "token": token, "isNew": is_new })).await;
        let news = self.until(|_, news| news["news"] == "seated").await;
        news["token"].as_str().unwrap().to_owned()
    }

    /// Returns the answers that the page offers: the places for the tile, and the buttons.
    pub fn answers(&self) -> Vec<String> {
        let question = &self.game["question"];
        let places = question["places"].as_array().into_iter().flatten().map(|place| &place[3]);
        let options = question["options"].as_array().into_iter().flatten().map(|option| &option["answer"]);
        places.chain(options).map(|answer| answer.as_str().unwrap().to_owned()).collect()
    }

    /// Waits for the seed at the end of the game. Returns the hash from the start of the game, and
    /// the record.
    pub async fn revealed(&mut self) -> (String, String) {
        let of = |page: &PageGuest, kind: &str, key: &str| {
            let news = page.received.iter().map(|text| serde_json::from_str::<Value>(text).unwrap());
            news.into_iter().find(|it| it["news"] == kind).map(|it| it[key].as_str().unwrap().to_owned())
        };
        while of(self, "revealed", "record").is_none() {
            self.next().await;
        }
        (of(self, "committed", "hash").unwrap(), of(self, "revealed", "record").unwrap())
    }

    /// Gives random answers until the game is over or a fault of a mod has ended it.
    pub async fn play(mut self, seed: u64) -> PageGuest {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut answered = String::new();
        let mut n_sent = 0;
        loop {
            if self.game["isOver"] == true {
                return self;
            }
            assert_ne!(self.game["waits"]["for"], "mod", "{}", self.game["mods"]);
            let at = self.game["at"].as_str().unwrap().to_owned();
            if !self.game["question"].is_null() && answered != at {
                let answers = self.answers();
                assert!(!answers.is_empty(), "a question without an answer: {}", self.game["question"]);
                let answer = &answers[rng.usize(..answers.len())];
                self.send(&json!({ "do": "answer", "at": at, "answer": answer })).await;
                answered = at;
                n_sent += 1;
                if n_sent > 40 {
                    // The host disconnects guests who send many more than ten requests a second.
                    tokio::time::sleep(Duration::from_millis(105)).await;
                }
            }
            let news = self.next().await;
            // Another guest may have taken a seat at the same time.
            let is_late = news["why"] == "The game has changed in the meantime";
            assert!(news["news"] != "refused" || is_late, "{news}");
        }
    }
}
