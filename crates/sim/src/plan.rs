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
    /// Whether players move on by a seat from game to game, so that each of them sits everywhere equally often.
    pub rotates: bool,
    /// The number of the first game.
    pub first_game: u64,
    /// How many games.
    pub n_games: u64,
    /// What the seeds of all games follow from.
    pub seed: u64,
    /// How many threads; the results do not depend on it.
    pub n_threads: usize,
    /// Whether each row carries the record of its game.
    pub with_records: bool,
    /// Whether more is looked at than who won: options, tiles, where points come from. That takes a little time.
    pub details: bool,
    /// Whether calls of mods' functions are counted.
    pub counts_calls: bool,
}

impl Plan {
    /// Plans `n_games` on one thread, with seed 1 and nothing besides.
    pub fn new(setup: Setup, settings: Vec<SettingValue>, players: Vec<PlayerInfo>, n_games: u64) -> Plan {
        Plan {
            setup,
            settings,
            players,
            rotates: false,
            first_game: 0,
            n_games,
            seed: 1,
            n_threads: 1,
            with_records: false,
            details: false,
            counts_calls: false,
        }
    }

    /// Returns by how many seats the players have moved on in game `number`.
    pub fn rotated_by(&self, number: u64) -> usize {
        if self.rotates { (number % self.players.len().max(1) as u64) as usize } else { 0 }
    }

    /// Returns what the player with this number is called: its name, with a number where several have it.
    pub fn player_label(&self, number: usize) -> String {
        let Some(player) = self.players.get(number) else { return String::new() };
        match self.players.iter().filter(|p| p.name == player.name).count() {
            1 => player.name.to_string(),
            _ => {
                let before = self.players.iter().take(number).filter(|p| p.name == player.name).count();
                format!("{} {}", player.name, before + 1)
            }
        }
    }

    /// Returns the part of this plan that is number `shard` of `n_shards`, from 1: games that follow each other.
    pub fn shard(&self, shard: u64, n_shards: u64) -> Plan {
        let at = |n: u64| (u128::from(self.n_games) * u128::from(n) / u128::from(n_shards.max(1))) as u64;
        let (from, to) = (at(shard.saturating_sub(1)), at(shard));
        Plan { first_game: self.first_game + from, n_games: to.saturating_sub(from), ..self.clone() }
    }
}

/// Nothing can be simulated; the sentence says why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct PlanError(pub String);
