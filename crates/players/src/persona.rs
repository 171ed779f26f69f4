//! Personas: greedy players with a one-sided taste, or with the oversights of a beginner.
//! Simulations with them show whether a mod rewards one way of playing.

use rules::{Answer, PieceKindIdx, Seat, Trial};

use crate::judge::POINT_WORTH;
use crate::restriction::Restriction;

/// The way in which a greedy player differs from a plain greedy player.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum Persona {
    /// Judges options as a plain greedy player.
    #[default]
    Plain,
    /// Likes options whose texts contain certain words, such as `deploy:city`.
    Likes(Restriction),
    /// Likes to hold pieces in supply.
    Hoards,
    /// Likes to keep down the points of the other players.
    Blocks,
    /// Overlooks options: considers only this number of random options of each decision.
    Notices(u32),
}

/// The additional worth of an option that a player likes, in points.
const LIKED_OPTION: i64 = 8;
/// The additional worth of each piece in supply, in points.
const HOARDED_PIECE: i64 = 6;
/// The additional cost of each point of another player, in points.
const POINT_OF_OTHERS: i64 = 2;

impl Persona {
    /// Returns the additional worth of the option `choice` to the player `me`, in tenths of a
    /// point. `trial` begins at the decision, and `text` is the text of the option.
    pub fn bonus(&self, trial: &mut Trial, me: Seat, choice: Answer, text: &str) -> i64 {
        if let Persona::Likes(liked) = self {
            return if liked.matches(text) { POINT_WORTH * LIKED_OPTION } else { 0 };
        }
        trial.reset();
        trial.answer_with(choice);
        let points = match self {
            Persona::Plain | Persona::Notices(_) | Persona::Likes(_) => 0,
            Persona::Hoards => {
                let kinds = 0..trial.rules().catalogue().pieces.len();
                let view = trial.state().view();
                HOARDED_PIECE
                    * kinds.map(|kind| i64::from(view.supply(Some(me), PieceKindIdx(kind as u8)))).sum::<i64>()
            }
            Persona::Blocks => {
                let scores = trial.scores();
                let own = scores.get(me.idx()).copied().unwrap_or(0);
                let n_others = (scores.len() as i64).max(2) - 1;
                -POINT_OF_OTHERS * (scores.iter().sum::<i64>() - own) / n_others
            }
        };
        POINT_WORTH * points
    }
}
