//! The panels around the board, one module each.

mod best_places;
pub mod choices;
pub mod log_rows;
pub mod series;
pub mod tags;
pub mod widgets;

pub mod log;
mod mods;
mod next_tile;
mod players;
mod podium;
mod problems;
mod prompt;
mod prompt_cards;
mod supply;
mod time_bar;
mod time_track;

pub use log::log;
pub use mods::mods;
pub use next_tile::next_tile;
pub use players::players;
pub use problems::problems;
pub use prompt::prompt;
pub use time_bar::time_bar;
