//! What is to be simulated.

use players::PlayerInfo;
use rules::{SettingValue, Setup};

/// Many games of one kind.
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

/// Nothing can be simulated; the sentence says why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct PlanError(pub String);
