//! The server: addresses of tables, and one WebSocket for each guest.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use door::{ClientId, MAX_REQUEST_BYTES, NumberedRequest, decode};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::room::{Code, Room};

/// The number of requests that a guest may make at once. A guest who exceeds this limit or
/// [`PER_SECOND`] is disconnected.
const BURST: u32 = 60;
/// The number of further requests per second that a guest may make.
const PER_SECOND: u32 = 10;

/// The maximum number of connections to a host.
const MAX_CONNECTIONS: usize = 4096;

/// The tables of one process. The numbers of clients begin at 0, far below
/// [`ClientId::LOCAL`].
pub struct Host {
    rooms: BTreeMap<Code, Room>,
    n_clients: AtomicU64,
    connections: Arc<Semaphore>,
}

impl Host {
    /// Makes a host that serves the tables in `rooms`.
    pub fn new(rooms: Vec<Room>) -> Arc<Host> {
        let rooms = rooms.into_iter().map(|room| (room.code(), room)).collect();
        Arc::new(Host { rooms, n_clients: AtomicU64::new(0), connections: Arc::new(Semaphore::new(MAX_CONNECTIONS)) })
    }
}

/// Serves the tables of `host` until `stop` is ready, then ends the tables.
///
/// # Errors
/// Returns an error if the socket fails.
pub async fn serve(
    host: Arc<Host>,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let tables = host.clone();
    let routes = Router::new().route("/{code}", get(about)).route("/{code}/socket", get(socket)).with_state(host);
    // A graceful shutdown would wait for the guests, who keep their connections open.
    let served = tokio::select! {
        served = async { axum::serve(listener, routes).await } => served,
        () = stop => Ok(()),
    };
    tables.rooms.values().for_each(Room::end);
    served
}

/// Returns a text that tells the user of a browser how to join the table.
async fn about(State(host): State<Arc<Host>>, Path(code): Path<String>) -> Response {
    match code.parse::<Code>().ok().filter(|code| host.rooms.contains_key(code)) {
        Some(code) => format!(
            "This is a game of Bastide, at the table {code}.\n\nTo join it, run: bastide join LINK\nLINK is the address of this page.\n"
        )
        .into_response(),
        None => no_table(),
    }
}

fn no_table() -> Response {
    (StatusCode::NOT_FOUND, "There is no such table. Ask the host for a new link.\n").into_response()
}

async fn socket(State(host): State<Arc<Host>>, Path(code): Path<String>, upgrade: WebSocketUpgrade) -> Response {
    let Some(code) = code.parse::<Code>().ok().filter(|code| host.rooms.contains_key(code)) else { return no_table() };
    // Counts the connection before the upgrade, so that simultaneous connections cannot exceed the
    // limit.
    let Ok(connection) = host.connections.clone().try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "The host has too many guests.\n").into_response();
    };
    upgrade.max_message_size(MAX_REQUEST_BYTES).max_frame_size(MAX_REQUEST_BYTES).on_upgrade(async move |socket| {
        if let Some(room) = host.rooms.get(&code) {
            attend(room, ClientId(host.n_clients.fetch_add(1, Ordering::Relaxed)), socket).await;
        }
        drop(connection);
    })
}

/// Passes requests of a guest to the room, and events of the room to the guest, until either side
/// ends the connection.
async fn attend(room: &Room, client: ClientId, mut socket: WebSocket) {
    let mut events = room.connect(client);
    let mut limit = RateLimit::new();
    loop {
        let said = tokio::select! {
            event = events.recv() => match event {
                Some(bytes) => match socket.send(Message::Binary(bytes.into())).await {
                    Ok(()) => continue,
                    Err(_) => break,
                },
                None => return close(socket, "the table has ended this connection").await,
            },
            said = socket.recv() => said,
        };
        let bytes = match said {
            Some(Ok(Message::Binary(bytes))) => bytes,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            Some(Ok(Message::Text(_) | Message::Close(_)) | Err(_)) | None => break,
        };
        if !limit.try_take() {
            room.disconnect(client);
            return close(socket, "too many requests in a short time").await;
        }
        // Sends the reason in a close frame, which programs of other versions can read too.
        if let Err(error) = decode::<NumberedRequest>(&bytes, MAX_REQUEST_BYTES) {
            room.disconnect(client);
            return close(socket, &error.to_string()).await;
        }
        room.request(client, bytes.into());
    }
    room.disconnect(client);
}

/// Closes a connection with the reason, cut to the length that a close frame can have.
async fn close(mut socket: WebSocket, why: &str) {
    let end = why.char_indices().map(|(i, c)| i + c.len_utf8()).take_while(|end| *end <= 120).last().unwrap_or(0);
    let reason = why.get(..end).unwrap_or_default().to_owned();
    // Sending fails if the guest is gone.
    let _ = socket.send(Message::Close(Some(CloseFrame { code: 1008, reason: reason.into() }))).await;
}

/// Limits the rate of a guest's requests, as a token bucket.
struct RateLimit {
    left: f64,
    since: Instant,
}

impl RateLimit {
    fn new() -> RateLimit {
        RateLimit { left: f64::from(BURST), since: Instant::now() }
    }

    fn try_take(&mut self) -> bool {
        let passed: Duration = self.since.elapsed();
        self.since = Instant::now();
        self.left = (self.left + passed.as_secs_f64() * f64::from(PER_SECOND)).min(f64::from(BURST));
        let allows = self.left >= 1.0;
        self.left -= if allows { 1.0 } else { 0.0 };
        allows
    }
}
