//! The reasons why a `given` or `expect` line is invalid.

use diagnostic::hint;
use rules::{EffectError, PositionError, State, TextError};
use thiserror::Error;

/// A reason why a `given` or `expect` line is invalid. The text is a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the texts say what is wrong")]
pub enum LineError {
    #[error("write {0}")]
    Form(&'static str),
    #[error("write `expect {}`", format!("{expected} {form}").trim_end())]
    ExpectForm { expected: &'static str, form: &'static str },
    #[error(
        "unknown word `{0}` after `given`; there are setup, answer, tile, piece, score, supply, token, pile, link, deck, row, hand, tag, open, turn, order, next, misses and mem"
    )]
    UnknownWord(String),
    #[error("unknown expectation{help}; there are {}", known.join(", "))]
    UnknownExpectation { help: String, known: Vec<&'static str> },
    /// `help` suggests a similar name, if there is one.
    #[error("there is no {what} {name}{help}")]
    Unknown { what: &'static str, name: String, help: String },
    #[error("there is no player {name}; players are {}", players.join(", "))]
    UnknownPlayer { name: String, players: Vec<String> },
    #[error("{0} is not a player")]
    NotAPlayer(String),
    #[error("`{0}` is not a number, or out of range")]
    NotANumber(String),
    #[error("`setup` asks \"{question}\"; answer it in the next line: `given answer <option>`")]
    Unanswered { question: String },
    #[error("only the start tile can be removed: `given no tile 0,0`")]
    OnlyStartTile,
    #[error("{0} is an overlay: write `<tile>+{0}`")]
    Overlay(String),
    #[error("a {0} has no owner; write `given piece neutral {0} …`")]
    HasNoOwner(String),
    #[error("a {0} belongs to a player; name the player")]
    HasOwner(String),
    #[error("{}", match .0 {
        1 => "a player has one score marker: write one number".to_owned(),
        n => format!("a player has {n} score markers: write 1 to {n} numbers"),
    })]
    ScoreMarkers(usize),
    #[error("only {n} {what} are left in stock")]
    NotInStock { what: &'static str, n: u32 },
    #[error("deck {deck} cannot contain {item}")]
    NotInDeck { deck: String, item: String },
    #[error("a deck cannot contain so many copies of {0}")]
    TooManyCopies(String),
    #[error("{tag} is a tag of {carrier}; write `{form}`")]
    OtherCarrier { tag: String, carrier: &'static str, form: String },
    #[error("write `{tag}=<word> <n>`; the words of {tag} are {}", words.join(", "))]
    NeedsWord { tag: String, words: Vec<String> },
    #[error("{0} has no words; write `{0} <n>`")]
    HasNoWords(String),
    #[error("{0} is not part of that layer")]
    NotInLayer(String),
    #[error("the mod {0} is not in this game")]
    ModNotInGame(String),
    #[error("the stored data is not valid JSON: {0}")]
    NotJson(String),
    #[error("the stored data must be a map")]
    NotAMap,
    #[error("numbers must be whole")]
    NotWhole,
    #[error("there is no piece number {n} with the text `{text}`")]
    NoSuchPiece { n: usize, text: String },
    #[error("`@{0}` is not a handle")]
    NotAHandle(String),
    #[error(transparent)]
    Text(#[from] TextError),
    #[error(transparent)]
    Effect(#[from] EffectError),
    #[error(transparent)]
    Position(#[from] PositionError),
}

impl LineError {
    /// Returns the error for an unknown `name` of a thing, such as a `deck`, of which there are
    /// `known`.
    pub(crate) fn unknown<'k>(what: &'static str, name: &str, known: impl IntoIterator<Item = &'k str>) -> LineError {
        LineError::Unknown { what, name: name.to_owned(), help: hint(name, known) }
    }

    /// Returns the error for an unknown name of a player.
    pub(crate) fn unknown_player(state: &State, name: &str) -> LineError {
        let players = state.seats().map(|seat| state.name(seat).to_owned()).collect();
        LineError::UnknownPlayer { name: name.to_owned(), players }
    }
}
