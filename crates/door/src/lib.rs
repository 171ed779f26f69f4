#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod client;
mod delta;
mod protocol;
mod seats;
mod table;
mod wire;

pub use crate::client::{Client, ClientError, News};
pub use crate::delta::Patch;
pub use crate::protocol::{
    Event, Found, Insight, MAX_EVENT_BYTES, MAX_NAME, MAX_REQUEST_BYTES, NumberedRequest, PROTOCOL, PartId, Request,
    SeatView, Token, Update,
};
pub use crate::seats::SavedSeat;
pub use crate::table::{ClientId, Events, Table};
pub use crate::wire::{WireError, decode, encode};
