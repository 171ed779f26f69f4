//! The panels around the board, one module each.

mod balance;
mod best_places;
mod changes;
pub mod choices;
mod coach;
mod console;
pub mod icon_list;
pub mod log_rows;
pub mod series;
pub mod tags;
pub mod widgets;

mod lesson;
pub mod log;
mod mods;
mod next_tile;
mod page;
mod players;
mod podium;
mod problems;
mod prompt;
mod prompt_cards;
mod puzzle;
mod setting;
mod supply;
mod tests;
mod time_bar;
mod time_track;
mod trace;

pub use balance::balance;
pub use changes::changes;
pub use console::console;
pub use lesson::lesson;
pub use log::{last_laid_before, last_turn, log};
pub use mods::{mods, rules_after_toggle};
pub use next_tile::next_tile;
pub use page::page;
pub use players::{MAX_HEIGHT, players, players_heights};
pub use problems::problems;
pub use prompt::prompt;
pub use puzzle::{lead_text, move_text, puzzle};
pub use setting::setting;
pub use tests::tests;
pub use time_bar::time_bar;
pub use trace::trace;
pub use widgets::{ButtonIcon, icon_button, open_on_click, pluralized, remember, remembered};
