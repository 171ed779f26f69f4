//! Measures of a game, such as scores and the number of turns. All values are stored as integers,
//! so that means, intervals and differences are computed in the same way.

use serde::{Deserialize, Serialize};

use crate::plan::Plan;
use crate::result::{GameResult, N_MOMENTS};

/// The stored value of a win. A tie between `n` players counts as `WIN_VALUE / n` for each of them.
/// 840 is divisible by every possible number of players.
const WIN_VALUE: i64 = 840;

/// A measure of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Measure {
    /// A win of the seat with this number; a tie between two seats counts as half a win.
    Win(u8),
    /// The score of the seat with this number.
    Score(u8),
    /// A win of the player with this number in the plan, at any of its seats.
    PlayerWin(u8),
    /// The score of the player with this number in the plan, at any of its seats.
    PlayerScore(u8),
    /// The points of all seats together.
    Points,
    /// The best score minus the second-best score.
    Margin,
    /// The number of times that the sole leader changed.
    LeadChanges,
    /// The part of the game after which the winner led alone until the end.
    Decided,
    /// The largest number of points by which the winner was behind the best other player.
    Comeback,
    /// The part of the game during which the winner is not the sole leader.
    Uncertain,
    /// The points that players lost in the turns of others, by projected scores.
    Taken,
    /// The number of turns.
    Turns,
    /// The number of answers by players per turn.
    Choices,
    /// The number of options per choice of a player.
    Options,
    /// The fraction of players' decisions with a single option, such as a tile that fits in only
    /// one way.
    Obvious,
    /// The number of tiles that fitted nowhere and left the game.
    Discards,
    /// The number of open spots with neighbouring tiles on three or four sides at the end of the
    /// game.
    Holes,
    /// The number of players' pieces in play at the end of the game.
    Stuck,
}

impl Measure {
    /// Returns the measures that apply to the games of `plan`. The measures of single seats come
    /// first.
    pub fn of_plan(plan: &Plan) -> Vec<Measure> {
        let n = plan.players.len() as u8;
        let mut all: Vec<Measure> = (0..n).map(Measure::Win).chain((0..n).map(Measure::Score)).collect();
        if plan.rotates {
            all.extend((0..n).map(Measure::PlayerWin).chain((0..n).map(Measure::PlayerScore)));
        }
        all.extend([Measure::Points, Measure::Margin, Measure::Turns, Measure::Choices]);
        if plan.details {
            all.extend([
                Measure::LeadChanges,
                Measure::Decided,
                Measure::Comeback,
                Measure::Uncertain,
                Measure::Taken,
                Measure::Options,
            ]);
            all.extend([Measure::Obvious, Measure::Discards, Measure::Holes, Measure::Stuck]);
        }
        all
    }

    /// Returns the name of the measure. `seat` and `player` return the names of seats and players.
    pub(crate) fn name(self, seat: impl Fn(u8) -> String, player: impl Fn(u8) -> String) -> String {
        match self {
            Measure::Win(n) => format!("{} wins", seat(n)),
            Measure::Score(n) => format!("score of {}", seat(n)),
            Measure::PlayerWin(n) => format!("{} wins", player(n)),
            Measure::PlayerScore(n) => format!("score of {}", player(n)),
            Measure::Points => "points of all".to_owned(),
            Measure::Margin => "margin of the winner".to_owned(),
            Measure::LeadChanges => "changes of the lead".to_owned(),
            Measure::Decided => "decided after".to_owned(),
            Measure::Comeback => "comeback of the winner".to_owned(),
            Measure::Uncertain => "winner not in the lead".to_owned(),
            Measure::Taken => "points taken from others".to_owned(),
            Measure::Turns => "turns".to_owned(),
            Measure::Choices => "choices a turn".to_owned(),
            Measure::Options => "options a choice".to_owned(),
            Measure::Obvious => "choices with one option".to_owned(),
            Measure::Discards => "tiles discarded".to_owned(),
            Measure::Holes => "holes never filled".to_owned(),
            Measure::Stuck => "pieces in play at the end".to_owned(),
        }
    }

    /// Returns a sentence that explains the measure.
    pub fn about(self) -> &'static str {
        match self {
            Measure::Win(_) => "Win rate of the seat; a tie of two counts as half a win each.",
            Measure::Score(_) => "Final score of the seat.",
            Measure::PlayerWin(_) => "Win rate of the player in any seat; a tie of two counts as half a win each.",
            Measure::PlayerScore(_) => "Final score of the player, in any seat.",
            Measure::Points => "Sum of the final scores of all seats.",
            Measure::Margin => "Lead of the best score over the next one.",
            Measure::LeadChanges => "The number of changes of the sole leader.",
            Measure::Decided => {
                "The part of the game after which the winner leads alone until the end. 100% means that the final count, or a tie, decides."
            }
            Measure::Comeback => "The most points by which the winner was behind during the game.",
            Measure::Uncertain => {
                "The part of the game during which the winner does not lead alone. With a high percentage, the scores do not tell early who wins."
            }
            Measure::Taken => {
                "The points that players lose in the turns of others, if the game ended then. With a small number, players hardly meet."
            }
            Measure::Turns => "Turns per game.",
            Measure::Choices => "Choices that players make in a turn.",
            Measure::Options => "Options per choice of a player.",
            Measure::Obvious => "Choices with a single option, such as a tile that fits in only one way.",
            Measure::Discards => "Drawn tiles that fit nowhere and leave the game.",
            Measure::Holes => "Empty spots at the end with tiles on three or four sides.",
            Measure::Stuck => "Pieces of players still in play at the end.",
        }
    }

    /// Returns whether the measure is a fraction, which is shown as a percentage.
    pub fn is_share(self) -> bool {
        matches!(
            self,
            Measure::Win(_) | Measure::PlayerWin(_) | Measure::Obvious | Measure::Decided | Measure::Uncertain
        )
    }

    /// Returns whether the measure counts wins. The mean of such a measure has a Wilson interval.
    pub(crate) fn is_win(self) -> bool {
        matches!(self, Measure::Win(_) | Measure::PlayerWin(_))
    }

    /// Returns the factor by which the values of the measure are multiplied to make them integers.
    pub fn scale(self) -> f64 {
        match self {
            Measure::Win(_) | Measure::PlayerWin(_) => WIN_VALUE as f64,
            Measure::Choices | Measure::Options | Measure::Obvious | Measure::Decided | Measure::Uncertain => 1000.0,
            _ => 1.0,
        }
    }

    /// Returns the value of the measure in a finished game, multiplied by
    /// [`scale`](Measure::scale); 0 if the measure needs details that the game does not have.
    pub(crate) fn value_in(self, game: &GameResult) -> i64 {
        let detail = game.detail.unwrap_or_default();
        let n = game.scores.len().max(1);
        let seat_of = |player: u8| (usize::from(player) + n - usize::from(game.rotated_by) % n) % n;
        let score = |seat: usize| game.scores.get(seat).copied().unwrap_or(0);
        let per = |sum: u64, n: u32| (sum.saturating_mul(1000) / u64::from(n.max(1))) as i64;
        match self {
            Measure::Win(seat) => win_of(game, usize::from(seat)),
            Measure::PlayerWin(player) => win_of(game, seat_of(player)),
            Measure::Score(seat) => score(usize::from(seat)),
            Measure::PlayerScore(player) => score(seat_of(player)),
            Measure::Points => game.scores.iter().sum(),
            Measure::Margin => margin(&game.scores),
            Measure::Turns => i64::from(game.n_turns),
            Measure::Choices => per(u64::from(game.n_choices), game.n_turns),
            Measure::LeadChanges => i64::from(detail.n_lead_changes),
            Measure::Decided => i64::from(detail.decided_at),
            Measure::Comeback => detail.comeback,
            Measure::Taken => detail.taken,
            Measure::Uncertain => i64::from(N_MOMENTS - detail.winner_leads.count_ones()) * 1000 / i64::from(N_MOMENTS),
            Measure::Options => per(detail.n_options, game.n_choices),
            Measure::Obvious => per(u64::from(detail.n_obvious), game.n_choices),
            Measure::Discards => i64::from(detail.n_discards),
            Measure::Holes => i64::from(detail.n_holes),
            Measure::Stuck => i64::from(detail.n_stuck),
        }
    }
}

/// Returns the seat's share of the win: [`WIN_VALUE`] for a sole win, `WIN_VALUE / n` for a tie
/// between `n` seats, and 0 for no win.
pub(crate) fn win_of(game: &GameResult, seat: usize) -> i64 {
    let has_won = game.winners().any(|winner| winner == seat);
    if has_won { WIN_VALUE / game.winners().count() as i64 } else { 0 }
}

/// Converts a sum of shares from [`win_of`] into a number of wins.
pub(crate) fn wins(parts: i128) -> f64 {
    parts as f64 / WIN_VALUE as f64
}

fn margin(scores: &[i64]) -> i64 {
    let (mut best, mut next) = (i64::MIN, i64::MIN);
    for score in scores {
        if *score > best {
            (best, next) = (*score, best);
        } else {
            next = next.max(*score);
        }
    }
    if next == i64::MIN { 0 } else { best - next }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_seats_and_players() {
        let game =
            GameResult { scores: vec![5, 9, 9], rotated_by: 1, n_turns: 2, n_choices: 5, ..GameResult::default() };
        let of = |measure: Measure| measure.value_in(&game);
        assert_eq!([0, 1, 2].map(|n| of(Measure::Win(n))), [0, WIN_VALUE / 2, WIN_VALUE / 2]);
        // All players have moved by one seat, so player 0 has the last seat.
        assert_eq!([0, 1, 2].map(|n| of(Measure::PlayerScore(n))), [9, 5, 9]);
        assert_eq!((of(Measure::Margin), of(Measure::Points), of(Measure::Choices)), (0, 23, 2500));
        assert_eq!(margin(&[3]), 0);
        assert_eq!(margin(&[3, -4, 1]), 2);
    }
}
