//! A guest's connection to a table on another computer.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use door::{Client, ClientError, MAX_EVENT_BYTES, News, NumberedRequest, Request, WireError, decode, encode};
use futures_util::{SinkExt as _, StreamExt as _};
use rustls::CertificateError;
use table::catch_panic;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use crate::link::GuestLink;

/// The maximum time for opening a connection, and for the first message of the host.
const OPEN_TIMEOUT: Duration = Duration::from_secs(60);

/// The maximum number of bytes that wait to be sent to the host: the longest request, and answers
/// to pings. The connection ends at this limit.
const MAX_UNSENT_BYTES: usize = 1 << 20;

/// The reason why a guest cannot join a table, or has lost the connection.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// No host answers at this address. The texts are the address and the reason.
    #[error("there is no host at {0}: {1}")]
    NoHost(String, String),
    /// The host at this address does not answer in time. The text is the address.
    #[error("{0} does not answer like a host of Bastide")]
    Silent(String),
    /// This computer does not trust the certificate of the host. The texts are the address and the
    /// reason.
    #[error("the certificate of {0} is not valid: {1}")]
    Certificate(String, String),
    /// The link begins with `https://`, but the host does not encrypt. The text is the address.
    #[error("{0} does not encrypt: ask for a link that begins with http://")]
    NotEncrypted(String),
    /// The table or the host has its maximum number of guests.
    #[error("the table has too many guests; try again later")]
    Full,
    /// The host has no such table.
    #[error("the host has no table with the code of this link; ask for a new link")]
    NoTable,
    /// The connection has ended.
    #[error("the connection has ended")]
    Ended,
    /// The host has ended the connection. The text is the reason.
    #[error("the host has ended the connection: {0}")]
    Closed(String),
    /// The host sent bytes that are not a message.
    #[error("{0}")]
    Wire(#[from] WireError),
    /// The host sent an event that does not fit the earlier events.
    #[error("{0}")]
    Client(#[from] ClientError),
}

impl JoinError {
    /// Returns a sentence about what the guest can do.
    pub fn help(&self) -> &'static str {
        match self {
            JoinError::Certificate(..) => {
                "if you trust the host, save its certificate as FILE, and set the variable SSL_CERT_FILE=FILE"
            }
            _ => "check the link, and ask whether the host is still running",
        }
    }

    /// Returns the reason why a connection to `host` cannot be opened.
    fn of_opening(host: &str, error: &Error) -> JoinError {
        let host = host.to_owned();
        match error {
            Error::Http(answer) if answer.status() == 404 => JoinError::NoTable,
            Error::Http(answer) if answer.status() == 503 => JoinError::Full,
            Error::Io(error) => match error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
                Some(rustls::Error::InvalidCertificate(why)) => JoinError::Certificate(host, certificate_problem(why)),
                Some(rustls::Error::InvalidMessage(_)) => JoinError::NotEncrypted(host),
                _ => JoinError::NoHost(host, error.to_string()),
            },
            _ => JoinError::NoHost(host, error.to_string()),
        }
    }
}

/// Says why a certificate is not valid.
fn certificate_problem(why: &CertificateError) -> String {
    match why {
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "no issuer that this computer trusts has signed it".to_owned()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "it has expired".to_owned(),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "it belongs to another address".to_owned()
        }
        other => other.to_string(),
    }
}

/// A connection to a table.
pub struct Connection {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The game and the seats.
    pub client: Client,
    /// Until the first message of the host: the time by which it must arrive, and the address.
    awaits_first: Option<(Instant, String)>,
}

impl Connection {
    /// Connects to the table of a link, and sends [`Request::Hello`]. If the link begins with
    /// `https://`, the connection is encrypted, and the host needs a certificate that the system
    /// trusts. If the variable `SSL_CERT_FILE` names a file, its certificates are trusted instead.
    ///
    /// # Errors
    /// Returns an error if there is no such host or table, or if the connection ends.
    pub async fn open(link: &GuestLink, client: Client) -> Result<Connection, JoinError> {
        let limits = WebSocketConfig::default()
            .max_message_size(Some(MAX_EVENT_BYTES))
            .max_frame_size(Some(MAX_EVENT_BYTES))
            .max_write_buffer_size(MAX_UNSENT_BYTES);
        // Fails if the program has chosen already, which has the same effect.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let connecting = connect_async_with_config(link.socket_url(), Some(limits), true);
        let connected = timeout(OPEN_TIMEOUT, connecting).await.map_err(|_| JoinError::Silent(link.host.clone()))?;
        let (socket, _) = connected.map_err(|error| JoinError::of_opening(&link.host, &error))?;
        let awaits_first = Some((Instant::now() + OPEN_TIMEOUT, link.host.clone()));
        let mut connection = Connection { socket, client, awaits_first };
        let hello = connection.client.hello();
        connection.send(&hello).await?;
        Ok(connection)
    }

    /// Sends a numbered request.
    ///
    /// # Errors
    /// Returns an error if the connection has ended.
    pub async fn send(&mut self, request: &NumberedRequest) -> Result<(), JoinError> {
        self.socket.send(Message::Binary(encode(request).into())).await.map_err(|_| JoinError::Ended)
    }

    /// Sends a request, and returns its number.
    ///
    /// # Errors
    /// Returns an error if the connection has ended.
    pub async fn request(&mut self, request: Request) -> Result<u32, JoinError> {
        let request = self.client.number_request(request);
        self.send(&request).await?;
        Ok(request.number)
    }

    /// Waits for the next news. The caller may drop the future early without losing news.
    ///
    /// # Errors
    /// Returns an error if the connection has ended, or the host sends an invalid message.
    pub async fn next(&mut self) -> Result<News, JoinError> {
        loop {
            let message = match &self.awaits_first {
                Some((until, host)) => match timeout_at(*until, self.socket.next()).await {
                    Ok(message) => message,
                    Err(_) => return Err(JoinError::Silent(host.clone())),
                },
                None => self.socket.next().await,
            };
            let bytes = match message {
                Some(Ok(Message::Binary(bytes))) => bytes,
                Some(Ok(Message::Close(Some(frame)))) if !frame.reason.is_empty() => {
                    return Err(JoinError::Closed(frame.reason.to_string()));
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Text(_) | Message::Frame(_))) => continue,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(JoinError::Ended),
            };
            self.awaits_first = None;
            if let Some(news) = self.client.handle_event(decode(&bytes, MAX_EVENT_BYTES)?)? {
                return Ok(news);
            }
        }
    }
}

/// Runs the program of a guest, which shows the game of a host. Contradictory data of a host can
/// cause a panic there, which this function catches.
///
/// # Errors
/// Returns [`ClientError::Garbled`] if `work` panics.
pub async fn catch_panics<T>(work: impl Future<Output = T>) -> Result<T, JoinError> {
    let mut work = pin!(work);
    poll_fn(|context| match catch_panic(|| work.as_mut().poll(context)) {
        Ok(poll) => poll.map(Ok),
        Err(_) => Poll::Ready(Err(ClientError::Garbled.into())),
    })
    .await
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_ends_only_the_connection() {
        assert_eq!(catch_panics(async { 7 }).await.unwrap(), 7);
        let empty: [u8; 0] = [];
        let panics = async {
            tokio::task::yield_now().await;
            empty.first().copied().unwrap()
        };
        assert!(matches!(catch_panics(panics).await, Err(JoinError::Client(ClientError::Garbled))));
    }
}
