//! The server: passes messages between the tables and their guests, with one WebSocket for each
//! guest.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use door::{ClientId, MAX_EVENT_BYTES, MAX_REQUEST_BYTES, NumberedRequest, decode};
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::guest_socket::{SEND_TIMEOUT, close, request_limit, send};
use crate::page;
use crate::room::{Code, Room};

/// The time after which the host ends a connection that is no WebSocket, so that connections
/// without requests do not use up the sockets of the system. Browsers open a new one if necessary.
const HTTP_TIMEOUT: Duration = Duration::from_secs(60);

/// The time between two messages that tell a table that time has passed.
const TICK: Duration = Duration::from_millis(500);

/// The number of bytes that the host reads from a connection at once. Requests are short, and each
/// connection keeps such a buffer.
const READ_BUFFER: usize = 4 << 10;

/// The maximum number of bytes that wait to be sent to a guest: the longest event, and answers to
/// pings. The connection of a guest who does not read ends at this limit.
const MAX_UNSENT_BYTES: usize = MAX_EVENT_BYTES + (1 << 20);

/// The maximum number of WebSockets of a host.
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

    /// Tells all tables every [`TICK`] that some time has passed. Rooms with their own threads do
    /// not need this.
    pub(crate) async fn tick(self: Arc<Host>) {
        let mut ticks = tokio::time::interval(TICK);
        loop {
            ticks.tick().await;
            self.rooms.values().for_each(|room| room.tick());
        }
    }

    fn room(&self, code: &str) -> Option<&Arc<Room>> {
        self.rooms.get(&code.parse().ok()?)
    }
}

/// Serves the tables of `host` until the future `stop` completes. Then ends the tables. If the
/// socket fails, for example because the system has no sockets left, tries again after a pause.
pub async fn serve(host: Arc<Host>, listener: TcpListener, stop: impl Future<Output = ()> + Send + 'static) {
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
    tokio::select! {
        () = accept(listener, routes) => {}
        () = stop => {}
    }
    tables.rooms.values().for_each(|room| room.end());
}

/// Accepts connections.
async fn accept(mut listener: TcpListener, routes: Router) {
    loop {
        let (stream, _) = axum::serve::Listener::accept(&mut listener).await;
        tokio::spawn(serve_connection(stream, routes.clone()));
    }
}

/// Answers the requests of a connection until it is a WebSocket, or until [`HTTP_TIMEOUT`].
async fn serve_connection(stream: TcpStream, routes: Router) {
    // Short messages do not wait until the guest has acknowledged earlier ones. If the system
    // refuses this, they only arrive later.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(routes);
    let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut connection = std::pin::pin!(connection);
    if timeout(HTTP_TIMEOUT, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        // An error or a further timeout has the same effect: the connection ends.
        let _ = timeout(SEND_TIMEOUT, connection).await;
    }
}

/// Returns the page on which a guest plays in a browser.
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
    // limits of the host and of the table.
    let permits = host.connections.clone().try_acquire_owned().ok().zip(room.take_connection());
    let Some(permits) = permits else {
        return (StatusCode::SERVICE_UNAVAILABLE, "The table has too many guests.\n").into_response();
    };
    let client = ClientId(host.n_clients.fetch_add(1, Ordering::Relaxed));
    let upgrade = upgrade.max_message_size(MAX_REQUEST_BYTES).max_frame_size(MAX_REQUEST_BYTES);
    let upgrade = upgrade.max_write_buffer_size(MAX_UNSENT_BYTES);
    upgrade.read_buffer_size(READ_BUFFER).on_upgrade(async move |socket| {
        serve(room, client, socket).await;
        drop(permits);
    })
}

/// Passes requests of a guest to the room, and events of the room to the guest. Returns when one
/// side has ended the connection.
async fn serve_guest(room: Arc<Room>, client: ClientId, mut socket: WebSocket) {
    let mut events = room.connect(client);
    let mut requests = room.requests_of(client);
    let mut limit = request_limit();
    loop {
        let said = tokio::select! {
            event = events.recv() => {
                let Some(bytes) = event else {
                    return close(socket, "the table has ended this connection").await;
                };
                if send(&mut socket, Message::Binary(bytes.into())).await { continue } else { break }
            }
            said = socket.recv() => said,
        };
        let message = match said {
            Some(Ok(Message::Text(_) | Message::Close(_)) | Err(_)) | None => break,
            Some(Ok(message)) => message,
        };
        // Pings count too, because the host answers each of them.
        if !limit.try_take(Instant::now()) {
            room.disconnect(client);
            return close(socket, "too many requests in a short time").await;
        }
        let Message::Binary(bytes) = message else { continue };
        // Sends the reason in a close frame, because programs of other versions can also read it.
        if let Err(error) = decode::<NumberedRequest>(&bytes, MAX_REQUEST_BYTES) {
            room.disconnect(client);
            return close(socket, &error.to_string()).await;
        }
        requests.send(bytes.into()).await;
    }
    room.disconnect(client);
}
