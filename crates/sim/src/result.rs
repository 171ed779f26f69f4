//! How a game went.

use serde::{Deserialize, Serialize};

/// How a game went.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameResult {
    /// Its number, from 0.
    pub number: u64,
    /// What chance was answered from.
    pub seed: u64,
    /// By how many seats the players have moved on (see [`Plan::rotates`](crate::Plan::rotates)).
    pub rotated_by: u8,
    /// The scores by seat.
    pub scores: Vec<i64>,
    /// Turns begun.
    pub n_turns: u32,
    /// Answers given by players.
    pub n_choices: u32,
    /// Answers given, those of chance included.
    pub n_answers: u32,
    /// More, where the plan wants to know it.
    pub detail: Option<GameDetail>,
    /// Why it did not come to its end, if so.
    pub fault: Option<String>,
    /// What went wrong while players chose, without harm to the game: the first mod's `hint` that failed.
    pub failed_hint: Option<String>,
    /// Its record, where asked for or where it did not come to its end.
    pub record: Option<String>,
}

impl GameResult {
    /// The best score.
    pub fn best(&self) -> i64 {
        self.scores.iter().copied().max().unwrap_or(0)
    }

    /// The seats that share the win; nobody where the game did not come to its end.
    pub fn winners(&self) -> impl Iterator<Item = usize> + '_ {
        let best = self.best();
        let ended = self.fault.is_none();
        self.scores.iter().enumerate().filter(move |(_, s)| ended && **s == best).map(|(seat, _)| seat)
    }
}

/// More of a game than its scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameDetail {
    /// The options of all choices of players, added up.
    pub n_options: u64,
    /// How many of the choices offered one option only.
    pub n_obvious: u32,
    /// How often another seat came to lead alone.
    pub n_lead_changes: u32,
    /// Tiles that fitted nowhere and left the game.
    pub n_discards: u32,
    /// Open spots at the end with tiles on three sides or four.
    pub n_holes: u32,
    /// Pieces of players in play at the end.
    pub n_stuck: u32,
}
