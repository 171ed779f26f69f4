//! The result of a game.

use serde::{Deserialize, Serialize};

/// The result of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameResult {
    /// The number of the game, counted from 0.
    pub number: u64,
    /// The seed of the game, for chance and bots.
    pub seed: u64,
    /// The number of seats by which players have moved on (see
    /// [`Plan::rotates`](crate::Plan::rotates)).
    pub rotated_by: u8,
    /// The scores by seat.
    pub scores: Vec<i64>,
    /// The winning seats that mods have named; empty if points decide.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named_winners: Vec<usize>,
    /// The number of turns begun.
    pub n_turns: u32,
    /// The number of answers by players.
    pub n_choices: u32,
    /// The number of answers by players and by chance.
    pub n_answers: u32,
    /// Details, if the plan asks for them.
    pub detail: Option<GameDetail>,
    /// The reason why the game did not end; `None` if the game ended.
    pub fault: Option<String>,
    /// The first fault of a mod while a bot was thinking, in a `hint` or in an answer that the bot
    /// tried out. Such a fault does not affect the game.
    pub bot_fault: Option<String>,
    /// The record of the game, if the plan asks for it or the game did not end.
    pub record: Option<String>,
}

impl GameResult {
    /// Returns the best score.
    pub fn best(&self) -> i64 {
        self.scores.iter().copied().max().unwrap_or(0)
    }

    /// Returns the winning seats; empty if the game did not end.
    pub fn winners(&self) -> impl Iterator<Item = usize> + '_ {
        let best = self.best();
        let ended = self.fault.is_none();
        let wins = move |(seat, score): &(usize, &i64)| match self.named_winners.is_empty() {
            true => **score == best,
            false => self.named_winners.contains(seat),
        };
        self.scores.iter().enumerate().filter(move |it| ended && wins(it)).map(|(seat, _)| seat)
    }
}

/// Details of a game beyond its scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameDetail {
    /// The total number of options of all choices of players.
    pub n_options: u64,
    /// The number of choices with a single option.
    pub n_obvious: u32,
    /// The number of changes of sole leader.
    pub n_lead_changes: u32,
    /// Tiles that fitted nowhere and left the game.
    pub n_discards: u32,
    /// Open spots at the end with tiles on three or four sides.
    pub n_holes: u32,
    /// Pieces of players in play at the end.
    pub n_stuck: u32,
}
