#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod chat;
mod client;
mod client_id;
mod clock;
mod collector;
mod delta;
mod excursion;
mod fair;
mod protocol;
mod rate;
mod request_error;
mod seats;
mod table;
mod wire;

pub use crate::chat::{KEPT_CHAT_LINES, MAX_CHAT_TEXT};
pub use crate::client::{AnsweredQuestions, Client, ClientError, News};
pub use crate::client_id::ClientId;
pub use crate::clock::{ClockView, SavedClock, TimeControl};
pub use crate::collector::{Agreements, Consent};
pub use crate::delta::Patch;
pub use crate::excursion::{Excursion, ExcursionStep};
pub use crate::fair::{Commitment, Reveal, Salt};
pub use crate::protocol::{
    ChatLine, Event, MAX_ASKED, MAX_EVENT_BYTES, MAX_NAME, MAX_REQUEST_BYTES, MAX_TRIED, NoRandomNumbers,
    NumberedRequest, PROTOCOL_VERSION, PlaytestView, Request, RulesetHash, SeatClaim, SeatToken, SeatView, ThemeHash,
    Update,
};
pub use crate::rate::RateLimit;
pub use crate::seats::SavedSeat;
pub use crate::table::{Events, SavedTable, Table};
pub use crate::wire::{WireError, decode, encode};
