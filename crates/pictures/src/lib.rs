#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod board;
mod film;
mod frame_painter;
mod moment;

pub use board::{board, colour_and_symbol, complete_zones, covered_circles, laid_tiles, objects, place_of_zone};
pub use film::{FilmError, film};
pub use frame_painter::FramePainter;
pub use moment::{SizeLimits, position_picture};
