//! What is to be simulated.

use std::fmt;

use players::PlayerInfo;
use rules::{SettingValue, Setup};

/// Many games of one sort.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Mods and players; a seed in it is not used, each game has its own.
    pub setup: Setup,
    /// One value for each setting.
    pub settings: Vec<SettingValue>,
    /// Who plays each seat of the setup.
    pub players: Vec<PlayerInfo>,
    /// How many games.
    pub n_games: u64,
    /// What the seeds of all games follow from.
    pub seed: u64,
    /// How many threads; the results do not depend on it.
    pub n_threads: usize,
    /// Whether each row carries the record of its game.
    pub with_records: bool,
    /// Whether calls of mods' functions are counted.
    pub counts_calls: bool,
}

/// Why nothing can be simulated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake(pub String);

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Mistake {}
