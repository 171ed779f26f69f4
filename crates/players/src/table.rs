//! The players that can be had by name.

use crate::greedy::Greedy;
use crate::player::Player;
use crate::random::Random;
use crate::search::{Limits, Search};

/// A player as lists and help texts show it.
#[derive(Clone, Copy)]
pub struct PlayerInfo {
    /// What it is called in commands and records.
    pub name: &'static str,
    /// How it plays, in a sentence.
    pub about: &'static str,
    /// Makes one.
    pub make: fn(seed: u64) -> Box<dyn Player>,
}

/// What a player is called that is no bot: somebody who sits at the table.
pub const HUMAN: &str = "human";

/// All players, the weakest first.
pub const PLAYERS: &[PlayerInfo] = &[
    PlayerInfo {
        name: "random",
        about: "takes any option, each as likely as the others",
        make: |seed| Box::new(Random::new(seed)),
    },
    PlayerInfo {
        name: "greedy",
        about: "tries every option and takes what would pay most if the game were over",
        make: |seed| Box::new(Greedy::new(seed)),
    },
    PlayerInfo {
        name: "search:100",
        about: "tries a hundred lines of play for each choice, at once",
        make: |seed| Box::new(Search::new(seed, Limits { n_lines: 100, time: None })),
    },
    PlayerInfo {
        name: "search",
        about: "tries a thousand lines of play for each choice, in a moment",
        make: |seed| Box::new(Search::new(seed, Limits { n_lines: 1000, time: None })),
    },
    PlayerInfo {
        name: "search:10000",
        about: "tries ten thousand lines of play for each choice, which takes seconds",
        make: |seed| Box::new(Search::new(seed, Limits { n_lines: 10_000, time: None })),
    },
];

/// The player called `name`.
pub fn player_named(name: &str) -> Option<&'static PlayerInfo> {
    PLAYERS.iter().find(|p| p.name == name)
}

impl std::fmt::Debug for PlayerInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PlayerInfo").field("name", &self.name).finish()
    }
}
