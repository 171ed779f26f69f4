//! The reasons why a change to a game is impossible.

use board::{PlaceError, Spot};
use thiserror::Error;

use crate::fault::{Failure, Refusal};
use crate::game_limits::{MAX_BYTES_OF_GAME, MAX_PARTS, MAX_ROW};
use crate::turn_order::MAX_TURNS_TO_MISS;

/// A reason why an effect of a mod, or a line of a starting position, is impossible. The text is a
/// sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the texts say what is wrong")]
pub enum EffectError {
    #[error("the notes and points of this game take more than {} MB", MAX_BYTES_OF_GAME >> 20)]
    TooManyBytes,
    #[error("there are {n} {what} in this game now, which is too many")]
    TooLongList { n: usize, what: &'static str },
    #[error("{owner} has no {piece} left in supply")]
    NotInSupply { owner: String, piece: String },
    #[error("this piece is not in play any more")]
    PieceNotInPlay,
    #[error("the player does not have this tile or card")]
    NotInHand,
    #[error("this deck has {n} groups, so there is no group {group}")]
    NoSuchGroup { n: usize, group: i64 },
    #[error("a deck may have at most {} items, and this one would have more", u16::MAX)]
    DeckTooLarge,
    #[error("an open row may have at most {MAX_ROW} items, and this one would have more")]
    RowTooLong,
    #[error("this item is not in the open row of the deck")]
    NotInRow,
    #[error("the order of play must list every player once")]
    IncompleteOrder,
    #[error("a player cannot miss {0} turns; at most {MAX_TURNS_TO_MISS} are allowed")]
    TooManyTurnsToMiss(u32),
    #[error("the game cannot end before its first turn")]
    NoTurnToEnd,
    #[error("the game has ended, so no part can be added")]
    GameHasEnded,
    #[error("there is no turn yet")]
    NoTurn,
    #[error("a turn may have at most {MAX_PARTS} further parts, and this turn has {MAX_PARTS} already")]
    TooManyParts,
    #[error("no part of a turn is running")]
    NoPart,
    #[error("there is no drawn tile to give back")]
    NoDrawnTile,
    #[error("this part has a tile already")]
    HasTile,
    #[error("a link must join two different zones of one kind")]
    UnlikeZones,
    #[error("each link must join two zones of this tile; for other zones use link(zone, other)")]
    LinkLeavesTile,
    #[error("a link across a border must join two zones that reach the border from opposite sides; see `border.zones`")]
    LinkNotAcross,
    #[error("no link joins these two zones")]
    NotLinked,
    #[error("{0} is an overlay, which lies only over another tile; see `overlaid`")]
    Overlay(String),
    #[error("{}", place_error_text(.tile, *.spot, *.error))]
    Place { tile: String, spot: Spot, error: PlaceError },
}

impl From<EffectError> for Refusal {
    fn from(error: EffectError) -> Self {
        Refusal::Because(error.to_string())
    }
}

impl From<EffectError> for Failure {
    fn from(error: EffectError) -> Self {
        Failure::from(error.to_string())
    }
}

fn place_error_text(tile: &str, spot: Spot, error: PlaceError) -> String {
    match error {
        PlaceError::Taken => format!("{spot} already has a tile"),
        PlaceError::Apart => format!("{tile} touches no tile on {spot}"),
        PlaceError::Edge(edge) => {
            format!("the {} edge of {tile} does not fit its neighbour's on {spot}", edge.letter())
        }
    }
}
