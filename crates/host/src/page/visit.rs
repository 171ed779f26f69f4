//! The connection of a page: news of the table as JSON, and requests of the guest as JSON.

use std::sync::Arc;

use axum::extract::ws::{Message, WebSocket};
use door::{Client, ClientId, MAX_EVENT_BYTES, Request, decode, encode};
use serde::Deserialize;
use table::Seat;

use super::show;
use crate::link::parse_token;
use crate::room::Room;
use crate::server::{RateLimit, close};

/// A request of the page. The page sends it as JSON, with the name of the variant under `do`.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
enum PageRequest {
    Sit { seat: Option<u8>, name: String, token: Option<String> },
    Stand,
    Answer { at: String, answer: String },
    Bot { seat: u8, bot: Option<String> },
    Undo { at: String },
    Agree { agrees: bool },
}

impl PageRequest {
    /// Returns the request to the table, or the reason why it is none.
    fn into_request(self) -> Result<Request, &'static str> {
        // Browsers round large numbers, so the page receives and sends versions as text.
        let version = |at: &str| at.parse().map_err(|_| "the version of the game is not a number");
        Ok(match self {
            PageRequest::Sit { seat, name, token } => {
                let token = token.map(|token| parse_token(&token).ok_or("the token is incomplete")).transpose()?;
                Request::Sit { seat: seat.map(Seat), name, token }
            }
            PageRequest::Stand => Request::Stand,
            PageRequest::Answer { at, answer } => Request::Answer { at: version(&at)?, answer },
            PageRequest::Bot { seat, bot } => Request::SetBot { seat: Seat(seat), bot },
            PageRequest::Undo { at } => Request::ProposeUndo { at: version(&at)? },
            PageRequest::Agree { agrees } => Request::AnswerUndo { agrees },
        })
    }
}

/// Keeps a client of the table for a page, until the page or the table ends the connection.
pub(crate) async fn visit(room: Arc<Room>, id: ClientId, mut socket: WebSocket) {
    let mut events = room.connect(id);
    let mut client = Client::new();
    room.request(id, encode(&client.hello()));
    let mut limit = RateLimit::new();
    let why = loop {
        let message = tokio::select! {
            event = events.recv() => {
                let Some(bytes) = event else { break Some("the table has ended this connection") };
                let news = decode(&bytes, MAX_EVENT_BYTES).ok().and_then(|event| client.take(event).ok());
                let Some(news) = news else { break Some("the table sent a game that cannot be read") };
                if let Some(news) = news.and_then(|news| show::news(&room, &client, news))
                    && socket.send(Message::Text(news.to_string().into())).await.is_err()
                {
                    break None;
                }
                continue;
            }
            message = socket.recv() => message,
        };
        let text = match message {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => break None,
        };
        if !limit.try_take() {
            break Some("too many requests in a short time");
        }
        let request = serde_json::from_str::<PageRequest>(&text).map_err(|_| "the page sent an unknown request");
        match request.and_then(PageRequest::into_request) {
            Ok(request) => room.request(id, encode(&client.request(request))),
            Err(why) => break Some(why),
        }
    };
    room.disconnect(id);
    if let Some(why) = why {
        close(socket, why).await;
    }
}
