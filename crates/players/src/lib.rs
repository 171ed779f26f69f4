#![doc = include_str!("../README.md")]

mod greedy;
mod player;
mod projection;
mod random;
mod table;
mod twins;

pub use greedy::Greedy;
pub use player::{Player, View};
pub use projection::{finish, settle_markers};
pub use random::{Random, Rng};
pub use table::{HUMAN, PLAYERS, PlayerInfo, player_named};
