//! Links that guests open: the address of the host, the code of the table, and a token.

use std::fmt;
use std::str::FromStr;

use door::SeatToken;

use crate::room::Code;

/// A link to a table, such as `http://192.168.1.5:7878/KOMBLU`. If the guest has a seat, the link
/// ends with `#` and the token of the seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuestLink {
    /// The address of the host without a slash at the end, such as `http://192.168.1.5:7878`. If it
    /// begins with `https://`, the connection is encrypted.
    pub host: String,
    /// The code of the table.
    pub code: Code,
    /// The token of the guest's seat; `None` if the guest has no seat yet.
    pub token: Option<SeatToken>,
}

/// The reason why a text is not a link to a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LinkError {
    /// The text is not the address of a host followed by the code of a table.
    #[error(
        "a link to a table begins with http:// or https:// and ends in a code of six letters, such as http://192.168.1.5:7878/KOMBLU"
    )]
    NoLink,
    /// The token does not consist of 32 hexadecimal digits.
    #[error("the part of the link after `#` is incomplete: copy the whole link")]
    Token,
}

impl GuestLink {
    /// Returns the address of the table's WebSocket.
    pub fn socket_url(&self) -> String {
        format!("ws{}/{}/socket", self.host.strip_prefix("http").unwrap_or_default(), self.code)
    }
}

impl fmt::Display for GuestLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.host, self.code)?;
        self.token.map_or(Ok(()), |token| write!(f, "#{token}"))
    }
}

impl FromStr for GuestLink {
    type Err = LinkError;

    fn from_str(text: &str) -> Result<GuestLink, LinkError> {
        let (address, token) = text.trim().split_once('#').map_or((text.trim(), None), |(a, t)| (a, Some(t)));
        let (host, code) = address.rsplit_once('/').ok_or(LinkError::NoLink)?;
        let code = code.parse().map_err(|()| LinkError::NoLink)?;
        let name = host.strip_prefix("http://").or_else(|| host.strip_prefix("https://"));
        if name.is_none_or(str::is_empty) {
            return Err(LinkError::NoLink);
        }
        let token = token.map(|token| token.parse().map_err(|_| LinkError::Token)).transpose()?;
        Ok(GuestLink { host: host.to_owned(), code, token })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn links_are_read_as_written() {
        for text in [
            "http://a:1/KOMBLU",
            "https://a.org/b/KOMBLU",
            "http://192.168.1.5:7878/KOMBLU#000102030405060708090a0b0c0d0eff",
        ] {
            assert_eq!(text.parse::<GuestLink>().unwrap().to_string(), text);
        }
        let link: GuestLink = " http://host:7/komblu ".parse().unwrap();
        assert_eq!(
            (link.to_string().as_str(), link.socket_url().as_str()),
            ("http://host:7/KOMBLU", "ws://host:7/KOMBLU/socket")
        );
        let link: GuestLink = "https://host/KOMBLU".parse().unwrap();
        assert_eq!(link.socket_url(), "wss://host/KOMBLU/socket");
        for (text, error) in [
            ("KOMBLU", LinkError::NoLink),
            ("http://a/short", LinkError::NoLink),
            ("http:///KOMBLU", LinkError::NoLink),
            ("ftp://a/KOMBLU", LinkError::NoLink),
            ("https:///KOMBLU", LinkError::NoLink),
            ("wss://a/KOMBLU", LinkError::NoLink),
            ("http://a/KOMBLU#12", LinkError::Token),
            ("http://a/KOMBLU#é00102030405060708090a0b0c0d0e0", LinkError::Token),
        ] {
            assert_eq!(text.parse::<GuestLink>(), Err(error), "{text}");
        }
    }
}
