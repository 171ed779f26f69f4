//! Helpers for the WebSockets of guests: sending, closing, and the limit for requests.

use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use door::RateLimit;
use tokio::time::timeout;

/// The number of requests that a guest may send without a pause. The host disconnects a guest who
/// exceeds this limit or [`REQUESTS_PER_SECOND`].
const REQUEST_BURST: u32 = 60;
/// The number of requests per second that a guest may send after [`REQUEST_BURST`] requests.
const REQUESTS_PER_SECOND: f64 = 10.0;

/// The maximum time for which the host reads and ignores messages of a guest whom it disconnects.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// The maximum time for sending one message. The host disconnects a guest who does not read it in
/// this time.
pub(crate) const SEND_TIMEOUT: Duration = Duration::from_secs(30);

/// Sends a message. Returns false if the connection has ended, or if the guest does not read.
pub(crate) async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(timeout(SEND_TIMEOUT, socket.send(message)).await, Ok(Ok(())))
}

/// Returns the rate limit for a guest's requests.
pub(crate) fn request_limit() -> RateLimit {
    RateLimit::new(REQUEST_BURST, REQUESTS_PER_SECOND, Instant::now())
}

/// Closes a connection with the reason `why`, cut to the maximum length in a close frame.
pub(crate) async fn close(mut socket: WebSocket, why: &str) {
    let end = why.char_indices().map(|(i, c)| i + c.len_utf8()).take_while(|end| *end <= 120).last().unwrap_or(0);
    let reason = why.get(..end).unwrap_or_default().to_owned();
    let frame = Message::Close(Some(CloseFrame { code: 1008, reason: reason.into() }));
    // If unread messages of the guest remained, the system would reset the connection, and the
    // guest would not receive the reason. So this reads and ignores them until the guest closes the
    // connection or the time is over.
    let rest = async {
        if socket.send(frame).await.is_ok() {
            while let Some(Ok(_)) = socket.recv().await {}
        }
    };
    // The timeout also covers guests who read nothing.
    let _ = timeout(DRAIN_TIMEOUT, rest).await;
}
