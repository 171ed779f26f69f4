#![doc = include_str!("../README.md")]

mod greedy;
mod judge;
mod player;
mod projection;
mod random;
mod restriction;
mod search;
mod table;
mod twins;

pub use greedy::{Greedy, consider};
pub use player::{Course, OptionAssessment, Player, View};
pub use projection::{finish, settle_booking};
pub use random::{Random, Rng, draw_option};
pub use restriction::Restriction;
pub use search::{Limits, Search};
pub use table::{BotInfo, HUMAN, PLAYERS, list_of_bots, player_named};
