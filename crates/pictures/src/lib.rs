#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod board;
mod film;
mod moment;
mod stage;

pub use board::board;
pub use film::film;
pub use moment::{Size, moment};
pub use stage::Stage;
