#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod connection;
mod guest_socket;
mod link;
mod mods_watch;
mod page;
mod playtest_file;
mod room;
mod running_guest;
mod server;
mod serving;

pub use connection::{Connection, JoinError, catch_panics};
pub use link::{GuestLink, LinkError};
pub use mods_watch::ModsWatch;
pub use playtest_file::{PlaytestFile, PlaytestFileError};
pub use room::{Code, Guests, OpenRoomError, Room, RoomMessage, RoomOptions};
pub use running_guest::{GuestReport, RunningGuest};
pub use server::{Host, serve};
pub use serving::{RunningServer, own_address};
