//! A server on a separate thread, for programs that do other work at the same time.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::oneshot;

use crate::link::GuestLink;
use crate::room::Room;
use crate::server::{Host, serve};

/// The maximum time for closing the connections when the server stops.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(200);

/// A running server for one room. Dropping this value ends the room and the server.
pub struct RunningServer {
    /// The link to the table, with the address of this computer in the local network.
    pub link: GuestLink,
    /// A sender that ends the server when it is dropped.
    _stop: oneshot::Sender<()>,
}

impl RunningServer {
    /// Serves `room` at `address` on a new thread. With port 0, the system chooses a port.
    ///
    /// # Errors
    /// Returns an error if the port is in use, or if the system cannot start a thread.
    pub fn start(room: Room, address: SocketAddr) -> std::io::Result<RunningServer> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind(address))?;
        let bound = listener.local_addr()?;
        let host = SocketAddr::new(own_address(bound.ip()), bound.port());
        let link = GuestLink { host: format!("http://{host}"), code: room.code(), token: None };
        let (stop, stopped) = oneshot::channel::<()>();
        std::thread::Builder::new().name("server".to_owned()).spawn(move || {
            // Completes when the sender is dropped, which ends the server.
            let ended = async { drop(stopped.await) };
            let host = Host::new(vec![room]);
            runtime.spawn(host.clone().tick());
            runtime.block_on(serve(host, listener, ended));
            runtime.shutdown_timeout(CLOSE_TIMEOUT);
        })?;
        Ok(RunningServer { link, _stop: stop })
    }
}

/// Returns the address at which other computers in the network reach this computer. If the server
/// listens on all addresses, asks the system which address it would use to send to the network.
/// Does not send anything.
pub fn own_address(listens_on: IpAddr) -> IpAddr {
    let outward = || {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
        // This address is reserved for documentation (RFC 5737), so it belongs to no computer.
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
        Some(socket.local_addr().ok()?.ip())
    };
    if listens_on.is_unspecified() { outward().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)) } else { listens_on }
}
