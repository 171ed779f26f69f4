//! The server: passes messages between the tables and their guests, with one WebSocket for each
//! guest.

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
use door::{ClientId, MAX_REQUEST_BYTES, NumberedRequest, RateLimit, decode};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::page;
use crate::room::{Code, Room};

/// The number of requests that a guest may send without a pause. The host disconnects a guest who
/// exceeds this limit or [`REQUESTS_PER_SECOND`].
const REQUEST_BURST: u32 = 60;
/// The number of requests per second that a guest may send after [`REQUEST_BURST`] requests.
const REQUESTS_PER_SECOND: f64 = 10.0;

/// The maximum time for which the host reads and ignores messages of a guest whom it disconnects.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// The maximum number of connections to a host.
const MAX_CONNECTIONS: usize = 4096;

/// The tables of one process. The host numbers its clients from 0, so the numbers never reach
/// [`ClientId::LOCAL`].
pub struct Host {
    rooms: BTreeMap<Code, Arc<Room>>,
    n_clients: AtomicU64,
    connections: Arc<Semaphore>,
}

impl Host {
    /// Makes a host that serves the tables in `rooms`.
    pub fn new(rooms: Vec<Room>) -> Arc<Host> {
        let rooms = rooms.into_iter().map(|room| (room.code(), Arc::new(room))).collect();
        Arc::new(Host { rooms, n_clients: AtomicU64::new(0), connections: Arc::new(Semaphore::new(MAX_CONNECTIONS)) })
    }

    fn room(&self, code: &str) -> Option<&Arc<Room>> {
        self.rooms.get(&code.parse().ok()?)
    }
}

/// Serves the tables of `host` until the future `stop` completes. Then ends the tables.
///
/// # Errors
/// Returns an error if the socket fails.
pub async fn serve(
    host: Arc<Host>,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let tables = host.clone();
    let routes = Router::new()
        .route("/table.css", get(page::style))
        .route("/table.js", get(page::script))
        .route("/{code}", get(html))
        .route("/{code}/socket", get(socket))
        .route("/{code}/page", get(page_socket))
        .route("/{code}/pictures/{key}/{name}", get(picture))
        .with_state(host);
    // A graceful shutdown would wait until the guests close their connections.
    let served = tokio::select! {
        served = async { axum::serve(listener, routes).await } => served,
        () = stop => Ok(()),
    };
    tables.rooms.values().for_each(|room| room.end());
    served
}

/// Returns the page with which a guest plays in a browser.
async fn html(State(host): State<Arc<Host>>, Path(code): Path<String>) -> Response {
    match host.room(&code) {
        Some(_) => page::html().into_response(),
        None => table_not_found(),
    }
}

/// Returns a picture for the page.
async fn picture(State(host): State<Arc<Host>>, Path((code, key, name)): Path<(String, String, String)>) -> Response {
    host.room(&code).map_or_else(table_not_found, |room| room.picture(&key, &name))
}

fn table_not_found() -> Response {
    (StatusCode::NOT_FOUND, "There is no such table. Ask the host for a new link.\n").into_response()
}

async fn socket(State(host): State<Arc<Host>>, Path(code): Path<String>, upgrade: WebSocketUpgrade) -> Response {
    connect(&host, &code, upgrade, serve_guest)
}

async fn page_socket(State(host): State<Arc<Host>>, Path(code): Path<String>, upgrade: WebSocketUpgrade) -> Response {
    connect(&host, &code, upgrade, page::serve_page)
}

/// Opens a WebSocket to a table. `serve` passes messages until one side ends the connection.
fn connect<Served: Future<Output = ()> + Send>(
    host: &Arc<Host>,
    code: &str,
    upgrade: WebSocketUpgrade,
    serve: impl FnOnce(Arc<Room>, ClientId, WebSocket) -> Served + Send + 'static,
) -> Response {
    let Some(room) = host.room(code).cloned() else { return table_not_found() };
    // Counts the connection before the upgrade, so that simultaneous connections cannot exceed the
    // limit.
    let Ok(connection) = host.connections.clone().try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "The host has too many guests.\n").into_response();
    };
    let client = ClientId(host.n_clients.fetch_add(1, Ordering::Relaxed));
    upgrade.max_message_size(MAX_REQUEST_BYTES).max_frame_size(MAX_REQUEST_BYTES).on_upgrade(async move |socket| {
        serve(room, client, socket).await;
        drop(connection);
    })
}

/// Passes requests of a guest to the room, and events of the room to the guest. Returns when one
/// side has ended the connection.
async fn serve_guest(room: Arc<Room>, client: ClientId, mut socket: WebSocket) {
    let mut events = room.connect(client);
    let mut limit = request_limit();
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
        if !limit.try_take(Instant::now()) {
            room.disconnect(client);
            return close(socket, "too many requests in a short time").await;
        }
        // Sends the reason in a close frame, because programs of other versions can also read it.
        if let Err(error) = decode::<NumberedRequest>(&bytes, MAX_REQUEST_BYTES) {
            room.disconnect(client);
            return close(socket, &error.to_string()).await;
        }
        room.request(client, bytes.into());
    }
    room.disconnect(client);
}

/// Returns the rate limit for a guest's requests.
pub(crate) fn request_limit() -> RateLimit {
    RateLimit::new(REQUEST_BURST, REQUESTS_PER_SECOND, Instant::now())
}

/// Closes a connection with the reason `why`, cut to the maximum length in a close frame.
pub(crate) async fn close(mut socket: WebSocket, why: &str) {
    let end = why.char_indices().map(|(i, c)| i + c.len_utf8()).take_while(|end| *end <= 120).last().unwrap_or(0);
    let reason = why.get(..end).unwrap_or_default().to_owned();
    // Sending fails if the guest is no longer connected.
    let _ = socket.send(Message::Close(Some(CloseFrame { code: 1008, reason: reason.into() }))).await;
    // If unread messages of the guest remained, the system would reset the connection, and the
    // guest would not receive the reason. So this reads and ignores them until the guest closes the
    // connection or the time is over.
    let rest = async { while let Some(Ok(_)) = socket.recv().await {} };
    let _ = tokio::time::timeout(DRAIN_TIMEOUT, rest).await;
}
