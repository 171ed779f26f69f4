//! A guest's connection to a table on another computer.

use door::{Client, ClientError, MAX_EVENT_BYTES, News, NumberedRequest, Request, WireError, decode, encode};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use crate::link::GuestLink;

/// The reason why a guest cannot join a table, or has lost the connection.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// No host answers at this address. The texts are the address and the reason.
    #[error("there is no host at {0}: {1}")]
    NoHost(String, String),
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

/// A connection to a table.
pub struct Connection {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The game and the seats.
    pub client: Client,
}

impl Connection {
    /// Connects to the table of a link, and sends [`Request::Hello`].
    ///
    /// # Errors
    /// Returns an error if there is no such host or table, or if the connection ends.
    pub async fn open(link: &GuestLink, client: Client) -> Result<Connection, JoinError> {
        let limits =
            WebSocketConfig::default().max_message_size(Some(MAX_EVENT_BYTES)).max_frame_size(Some(MAX_EVENT_BYTES));
        let (socket, _) = match connect_async_with_config(link.socket_url(), Some(limits), true).await {
            Ok(connected) => connected,
            Err(Error::Http(answer)) if answer.status() == 404 => return Err(JoinError::NoTable),
            Err(error) => return Err(JoinError::NoHost(link.host.clone(), error.to_string())),
        };
        let mut connection = Connection { socket, client };
        let hello = connection.client.hello();
        connection.send(&hello).await?;
        Ok(connection)
    }

    async fn send(&mut self, request: &NumberedRequest) -> Result<(), JoinError> {
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
            let bytes = match self.socket.next().await {
                Some(Ok(Message::Binary(bytes))) => bytes,
                Some(Ok(Message::Close(Some(frame)))) if !frame.reason.is_empty() => {
                    return Err(JoinError::Closed(frame.reason.to_string()));
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Text(_) | Message::Frame(_))) => continue,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(JoinError::Ended),
            };
            if let Some(news) = self.client.handle_event(decode(&bytes, MAX_EVENT_BYTES)?)? {
                return Ok(news);
            }
        }
    }
}
