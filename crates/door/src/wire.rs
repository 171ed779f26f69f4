//! Encodes requests and events as bytes: the version of the protocol, followed by postcard data.

use serde::Serialize;
use serde::de::DeserializeOwned;
use table::ExpectOrDefault;

use crate::protocol::PROTOCOL_VERSION;

/// The reason why bytes cannot be read as a message.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WireError {
    /// The sender uses this other version of the protocol.
    #[error(
        "the other side uses version {0} of the protocol, but this program uses version {PROTOCOL_VERSION}: use the same release on both sides"
    )]
    Version(u16),
    /// The message exceeds the maximum length. The number is its length in bytes.
    #[error("a message of {0} bytes is too long")]
    TooLong(usize),
    /// The bytes are not a message.
    #[error("a message could not be read")]
    Malformed,
}

/// Returns the bytes of a message.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    let start = PROTOCOL_VERSION.to_le_bytes().to_vec();
    postcard::to_extend(message, start).expect_or_default("a message can be written")
}

/// Decodes a message of at most `max_bytes` bytes.
///
/// # Errors
/// Returns an error if the message is too long, if it has another version, or if the bytes are not
/// a message.
pub fn decode<T: DeserializeOwned>(bytes: &[u8], max_bytes: usize) -> Result<T, WireError> {
    if bytes.len() > max_bytes {
        return Err(WireError::TooLong(bytes.len()));
    }
    let (version, message) = bytes.split_first_chunk().ok_or(WireError::Malformed)?;
    let version = u16::from_le_bytes(*version);
    if version != PROTOCOL_VERSION {
        return Err(WireError::Version(version));
    }
    match postcard::take_from_bytes(message) {
        Ok((message, [])) => Ok(message),
        _ => Err(WireError::Malformed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Request;

    #[test]
    fn messages_are_read_as_written() {
        let request = Request::Stand;
        let mut bytes = encode(&request);
        assert_eq!(decode(&bytes, 100), Ok(request));
        assert_eq!(decode::<Request>(&bytes, 2), Err(WireError::TooLong(bytes.len())));
        bytes.push(0);
        assert_eq!(decode::<Request>(&bytes, 100), Err(WireError::Malformed));
        let [low, high] = PROTOCOL_VERSION.to_le_bytes();
        for short in [&[][..], &[low], &[low, high], &[low, high, 99]] {
            assert_eq!(decode::<Request>(short, 100), Err(WireError::Malformed));
        }
        let other = decode::<Request>(&[250, 0, 2], 100);
        assert_eq!(other, Err(WireError::Version(250)));
        let text = other.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(text.contains("version 250") && text.contains("same release"), "{text}");
    }
}
