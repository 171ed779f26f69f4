//! A running host for tests.

use std::net::Ipv4Addr;
use std::path::Path;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use host::{GuestLink, Host, Room, RoomOptions, serve};
use table::{Library, Setup};
use testkit::mods_folder;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

/// The seed of all games.
pub const SEED: u64 = 7;

/// A running host, with a link to each of its tables.
pub struct Served {
    pub links: Vec<GuestLink>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    server: JoinHandle<()>,
}

impl Served {
    pub async fn start(rooms: Vec<Room>) -> Served {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let host = format!("http://{}", listener.local_addr().unwrap());
        let link = |room: &Room| GuestLink { host: host.clone(), code: room.code(), token: None };
        let links = rooms.iter().map(link).collect();
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let server = tokio::spawn(async move {
            let stopped = async { drop(stopped.await) };
            serve(Host::new(rooms), listener, stopped).await;
        });
        Served { links, stop: Some(stop), server }
    }

    /// Stops the host. Its tables save their games and end.
    pub async fn stop(mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        self.server.await.unwrap();
    }
}

/// Begins a game of these mods in `folder`. The mods may include the small mods of the tests.
pub fn begin(folder: &Path, mods: &[&str], n_players: usize) -> Room {
    let setup = Setup { seed: Some(SEED), ..Setup::of(mods, n_players) };
    Room::begin(folder, library(), setup, &RoomOptions::default()).unwrap()
}

/// Returns the bundled mods and the small mods of the tests.
pub fn library() -> Library {
    Library::open(&[mods_folder(), mods_folder().join("../tests/mods")])
}

/// Sends messages to a WebSocket of the host. Returns the reason with which the host closes it;
/// empty if the host gives no reason.
pub async fn reason_for_closing(url: &str, messages: Vec<Message>) -> String {
    let (mut socket, _) = connect_async(url).await.unwrap();
    for message in messages {
        if socket.send(message).await.is_err() {
            break;
        }
    }
    let read = async {
        while let Some(Ok(message)) = socket.next().await {
            if let Message::Close(Some(frame)) = message {
                return frame.reason.to_string();
            }
        }
        String::new()
    };
    tokio::time::timeout(Duration::from_secs(30), read).await.expect("the host closes the connection")
}
