//! The connection of a page. The host sends news of the table as JSON, and the page sends requests
//! of the guest as JSON.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::ws::{Message, WebSocket};
use door::{
    AnsweredQuestions, Client, ClientId, ExcursionStep, MAX_EVENT_BYTES, News, NumberedRequest, Request, SeatClaim,
    decode, encode,
};
use serde::Deserialize;
use serde_json::{Value, json};
use table::{Answer, AwaitedActor, Insight, InsightAnswer, OptionView, Seat, Spot};

use super::show;
use crate::guest_socket::{close, request_limit, send};
use crate::room::Room;

/// A request that the page sends as JSON, with the name of the variant under the key `do`.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
enum PageRequest {
    Sit {
        seat: Option<u8>,
        name: String,
        token: String,
        #[serde(rename = "isNew")]
        is_new: bool,
    },
    Stand,
    Answer {
        at: String,
        answer: String,
    },
    Bot {
        seat: u8,
        bot: Option<String>,
    },
    Undo {
        at: String,
    },
    Agree {
        agrees: bool,
    },
    Pause {
        #[serde(rename = "isPaused")]
        is_paused: bool,
    },
    Chat {
        text: String,
    },
    Point {
        spot: [i16; 2],
    },
    Consent {
        agrees: bool,
    },
    Note {
        n: u32,
        about: Option<String>,
        text: String,
    },
    Reply {
        replies: Vec<(String, String)>,
    },
    Thumb {
        rule: String,
        up: bool,
    },
    /// Looks at the position after the first `n` answers.
    Look {
        n: u32,
    },
    /// Tries a choice at the position that the page shows.
    Try {
        answer: String,
    },
    /// Takes back the last tried choice.
    Untry,
    /// Returns from an excursion to the game.
    Return,
}

impl PageRequest {
    /// Returns the request for the table; `None` if the request concerns only `client`, which has
    /// carried it out.
    ///
    /// # Errors
    /// Returns a message if this is not a valid request.
    fn into_request(self, client: &mut Client) -> Result<Option<NumberedRequest>, &'static str> {
        // JavaScript rounds large numbers, so the page receives and sends versions as text.
        let version = |at: &str| at.parse().map_err(|_| "the version of the game is not a number");
        let request = match self {
            PageRequest::Look { n } => return Ok(client.explore(ExcursionStep::LookAt(n as usize))),
            PageRequest::Try { answer } => return Ok(client.explore(ExcursionStep::Try(answer))),
            PageRequest::Untry => return Ok(client.explore(ExcursionStep::TakeBack)),
            PageRequest::Return => return Ok(client.explore(ExcursionStep::End)),
            PageRequest::Sit { seat, name, token, is_new } => {
                let token = token.parse()?;
                let claim = if is_new { SeatClaim::Take(token) } else { SeatClaim::Return(token) };
                Request::Sit { seat: seat.map(Seat), name, claim }
            }
            PageRequest::Stand => Request::Stand,
            PageRequest::Answer { at, answer } => Request::Answer { at: version(&at)?, answer },
            PageRequest::Bot { seat, bot } => Request::SetBot { seat: Seat(seat), bot },
            PageRequest::Undo { at } => Request::ProposeUndo { at: version(&at)? },
            PageRequest::Agree { agrees } => Request::AnswerUndo { agrees },
            PageRequest::Pause { is_paused } => Request::Pause { is_paused },
            PageRequest::Chat { text } => Request::Chat { text },
            PageRequest::Point { spot: [x, y] } => Request::Point { spot: Spot::new(x, y) },
            PageRequest::Consent { agrees } => Request::Consent { agrees },
            PageRequest::Note { n, about, text } => Request::Note { n, about, text },
            PageRequest::Reply { replies } => Request::Reply { replies },
            PageRequest::Thumb { rule, up } => Request::Thumb { rule, up },
        };
        Ok(Some(client.number_request(request)))
    }
}

/// If the guest must answer a question at another version of the game than `asked_at`, returns the
/// request for descriptions of those options that only mods can describe.
fn ask_about_options(client: &mut Client, asked_at: &mut Option<u64>) -> Option<NumberedRequest> {
    let (game, own) = (client.game()?, client.own_seats());
    let at = game.revision().version();
    let is_asked = matches!(game.awaited_actor(), AwaitedActor::Person(seat) if own.contains(seat));
    if !is_asked || asked_at.replace(at) == Some(at) {
        return None;
    }
    let is_of_mod = |it: &&OptionView| matches!(it.answer, Answer::ModOption(_));
    let of_mods = game.view().option_views().iter().filter(is_of_mod).map(|it| it.answer).collect::<Vec<_>>();
    client.ask(of_mods.into_iter().map(Insight::AboutAnswer))
}

/// Returns the message with the mods' descriptions of options; `None` if the page has another
/// version of the game, or if the mods describe nothing.
fn descriptions(client: &Client, AnsweredQuestions { at, found, .. }: &AnsweredQuestions) -> Option<Value> {
    let game = client.game().filter(|game| game.revision().version() == *at)?;
    let mut lines_of_option = serde_json::Map::new();
    for (insight, found) in found {
        if let (Insight::AboutAnswer(answer), Some(InsightAnswer::Lines(lines))) = (insight, found)
            && !lines.is_empty()
        {
            lines_of_option.insert(game.view().answer_text(*answer)?, json!(lines));
        }
    }
    (!lines_of_option.is_empty()).then(|| json!({ "news": "about", "at": at.to_string(), "lines": lines_of_option }))
}

/// Returns the message that tells the page about `news`; `None` if the page shows nothing for it.
fn message(room: &Room, client: &Client, news: News) -> Option<Value> {
    match news {
        News::Answers(answers) => descriptions(client, &answers),
        news => show::news(room, client, news),
    }
}

/// Serves a page as a client of the table. Returns when the page or the table has ended the
/// connection.
pub(crate) async fn serve_page(room: Arc<Room>, id: ClientId, mut socket: WebSocket) {
    let mut events = room.connect(id);
    let mut requests = room.requests_of(id);
    let mut client = Client::new();
    requests.send(encode(&client.hello())).await;
    let mut limit = request_limit();
    let mut asked_at = None;
    let why = loop {
        let message = tokio::select! {
            event = events.recv() => {
                let Some(bytes) = event else { break Some("the table has ended this connection") };
                let news = decode(&bytes, MAX_EVENT_BYTES).ok().and_then(|event| client.handle_event(event).ok());
                let Some(news) = news else { break Some("the table sent a game that cannot be read") };
                let is_game = news == Some(News::Game);
                if let Some(shown) = news.and_then(|news| message(&room, &client, news))
                    && !send(&mut socket, Message::Text(shown.to_string().into())).await
                {
                    break None;
                }
                if is_game && let Some(request) = ask_about_options(&mut client, &mut asked_at) {
                    requests.send(encode(&request)).await;
                }
                continue;
            }
            message = socket.recv() => message,
        };
        let message = match message {
            Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => break None,
            Some(Ok(message)) => message,
        };
        // Pings count too, because the host answers each of them.
        if !limit.try_take(Instant::now()) {
            break Some("too many requests in a short time");
        }
        let Message::Text(text) = message else { continue };
        let request = serde_json::from_str::<PageRequest>(&text).map_err(|_| "the page sent an unknown request");
        match request.and_then(|request| request.into_request(&mut client)) {
            Ok(Some(request)) => requests.send(encode(&request)).await,
            Ok(None) => {}
            Err(why) => break Some(why),
        }
    };
    room.disconnect(id);
    if let Some(why) = why {
        close(socket, why).await;
    }
}
