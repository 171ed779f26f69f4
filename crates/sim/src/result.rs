//! The result of a game.

use serde::{Deserialize, Serialize};

/// The result of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameResult {
    /// The number of the game, counted from 0.
    pub number: u64,
    /// The seed of the game, for chance and bots.
    pub seed: u64,
    /// The number of seats by which the players are shifted in this game (see
    /// [`Plan::rotates`](crate::Plan::rotates)).
    pub rotated_by: u8,
    /// The scores by seat.
    pub scores: Vec<i64>,
    /// The seats that mods have named as winners, which can be none; `None` if the scores decide
    /// who wins.
    #[serde(default)]
    pub named_winners: Option<Vec<usize>>,
    /// The number of turns that began.
    pub n_turns: u32,
    /// The number of answers by players.
    pub n_choices: u32,
    /// The number of answers by players and by chance.
    pub n_answers: u32,
    /// The details of the game; `None` if the plan does not collect details.
    pub detail: Option<GameDetail>,
    /// The reason why the game did not finish; `None` if the game finished.
    pub fault: Option<String>,
    /// The first fault of a mod while a bot was thinking, in the function `hint` or in an answer
    /// that the bot tried. Such a fault does not affect the game. `None` if there was no such
    /// fault.
    pub bot_fault: Option<String>,
    /// The record of the game. `None` if the game finished and the plan does not collect records.
    pub record: Option<String>,
}

impl GameResult {
    /// Returns the winning seats; empty if there is no winner, or if the game did not finish.
    pub fn winners(&self) -> impl Iterator<Item = usize> + '_ {
        let best = self.scores.iter().copied().max().unwrap_or(0);
        let ended = self.fault.is_none();
        let wins = move |(seat, score): &(usize, &i64)| match &self.named_winners {
            None => **score == best,
            Some(named) => named.contains(seat),
        };
        self.scores.iter().enumerate().filter(move |it| ended && wins(it)).map(|(seat, _)| seat)
    }
}

/// The number of moments of a game at which the leader is compared with the winner. Equal numbers
/// of answers lie between them. The last moment is the end of play, before the final count.
pub const N_MOMENTS: u32 = 20;

/// Details of a game in addition to its scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameDetail {
    /// The number of options, summed over all decisions of players.
    pub n_options: u64,
    /// The number of decisions of players with a single option.
    pub n_obvious: u32,
    /// The number of changes of the sole leader.
    pub n_lead_changes: u32,
    /// The part of the answers, in thousandths, after which the winner led alone until the end;
    /// 1000 in a tie.
    #[serde(default)]
    pub decided_at: u32,
    /// The largest number of points by which a winner was behind the best other player.
    #[serde(default)]
    pub comeback: i64,
    /// The points that players lost in the turns of others. This is the sum of all falls of
    /// projected scores from the beginning of such a turn to the beginning of the next one.
    #[serde(default)]
    pub taken: i64,
    /// A bit for each of [`N_MOMENTS`] moments of the game, the first moment in the lowest bit. The
    /// bit is 1 if the sole leader at this moment was a winner in the end.
    #[serde(default)]
    pub winner_leads: u32,
    /// The number of tiles that fitted nowhere and left the game.
    pub n_discards: u32,
    /// The number of open spots with neighbouring tiles on three or four sides at the end of the
    /// game.
    pub n_holes: u32,
    /// The number of players' pieces in play at the end of the game.
    pub n_stuck: u32,
}
