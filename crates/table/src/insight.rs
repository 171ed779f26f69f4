//! Questions about a position that need the rules of mods, as data, so that a thread or another
//! computer can answer them.

use std::sync::Arc;

use board::{FeatureRef, Placement, TileIdx, ZoneRef};
use rules::{Answer, Game, PieceRef, Seat};
use serde::{Deserialize, Serialize};

use crate::analysis::{PlaceValue, Projection, majority_holders, place_value, project};
use crate::describe::{mod_lines_about_answer, mod_lines_about_piece, mod_lines_about_zone};

/// A question about a position that needs the rules of mods.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Insight {
    /// The final result if the game ended after this answer or, if it is `None`, if the game ended
    /// now; see [`project`].
    Projection(Option<Answer>),
    /// The value for a seat of placing the drawn tile there.
    PlaceValue(Seat, Placement),
    /// The seats with the majority on a feature.
    Majority(FeatureRef),
    /// The mods' descriptions of an offered answer.
    AboutAnswer(Answer),
    /// The lines that mods add to the description of a zone.
    AboutZone(ZoneRef),
    /// The lines that mods add to the description of a piece.
    AboutPiece(PieceRef),
    /// The titles of the mods that forbid placing the tile there, and of mods whose functions fail.
    /// The edges of the tile must fit there.
    ForbiddingMods(TileIdx, Placement),
}

/// The answer to an [`Insight`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum InsightAnswer {
    /// A final result; `None` in the same cases as for [`project`].
    Projection(Option<Arc<Projection>>),
    /// The value of a placement; `None` if the placement is illegal or the result cannot be
    /// projected.
    PlaceValue(Option<PlaceValue>),
    /// The seats, in order; empty if the feature is unoccupied or a mod fails.
    Seats(Arc<[Seat]>),
    /// The descriptions or titles, one line each.
    Lines(Vec<String>),
}

impl Insight {
    /// Answers the question about the current position of `game`. Tries answers in copies of
    /// `game`.
    ///
    /// # Panics
    /// Can panic if the question names something that the game does not contain.
    pub fn find(self, game: &Game) -> InsightAnswer {
        match self {
            Insight::Projection(after) => InsightAnswer::Projection(project(game, after).map(Arc::new)),
            Insight::PlaceValue(seat, place) => InsightAnswer::PlaceValue(place_value(game, seat, place)),
            Insight::Majority(feature) => InsightAnswer::Seats(majority_holders(game, feature).into()),
            Insight::AboutAnswer(answer) => InsightAnswer::Lines(mod_lines_about_answer(game, answer)),
            Insight::AboutZone(zone) => InsightAnswer::Lines(mod_lines_about_zone(game, zone)),
            Insight::AboutPiece(piece) => InsightAnswer::Lines(mod_lines_about_piece(game, piece)),
            Insight::ForbiddingMods(tile, place) => {
                InsightAnswer::Lines(rules::forbidding_mods(game.rules(), game.state(), tile, place))
            }
        }
    }
}
