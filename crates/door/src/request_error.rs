//! The reasons why a table refuses a request.

use playtest::{Full, ReplyError};
use table::{ExcursionError, NotOffered, list_of_bots};
use thiserror::Error;

use crate::protocol::{MAX_ASKED, MAX_TRIED};

/// A reason why a table refuses a request. The text is a sentence without a full stop, for the
/// guest who sent the request.
#[derive(Debug, Error)]
pub(crate) enum RequestError {
    #[error("the first request must be `hello`")]
    NoHello,
    // Each `hello` can make the table send megabytes, so a connection has only one.
    #[error("the connection has begun already")]
    SecondHello,
    #[error("the game has changed in the meantime")]
    Outdated,
    #[error("only players can {0}: take a seat first")]
    NeedsSeat(&'static str),
    #[error("too many messages: wait a few seconds")]
    TooManyMessages,
    #[error("the message is empty")]
    EmptyMessage,
    #[error("this link no longer belongs to a seat of the game")]
    UnknownToken,
    #[error("another guest has taken this seat")]
    SeatTaken,
    #[error("the game has no such seat")]
    NoSuchSeat,
    #[error("all seats are taken; you are a spectator")]
    NoFreeSeat,
    #[error("this seat is not yours")]
    NotYourSeat,
    #[error("there is no bot `{name}`; available bots: {}", list_of_bots(true))]
    UnknownBot { name: String },
    #[error("this seat has no time left, so a bot has taken over")]
    NoTimeLeft,
    #[error("the game is paused")]
    Paused,
    #[error("the game is over")]
    GameOver,
    #[error("the game waits until the host repairs a mod")]
    BrokenMod,
    #[error("it is not your turn to answer")]
    NotYourTurn,
    #[error(transparent)]
    NotOffered(#[from] NotOffered),
    #[error("at most {MAX_ASKED} questions can be asked at once")]
    TooManyAsked,
    #[error("too many questions in a short time: wait a second")]
    TooManyQuestions,
    #[error("too many positions in a short time: wait a second")]
    TooManyPositions,
    #[error("at most {MAX_TRIED} answers can be tried")]
    TooManyTried,
    #[error("this answer cannot be tried here")]
    CannotTry,
    #[error(transparent)]
    Excursion(#[from] ExcursionError),
    #[error("the game is over, and everything hidden is known")]
    EverythingKnown,
    #[error("another proposal to undo is open")]
    ProposalOpen,
    #[error("you have chosen nothing yet")]
    NothingToUndo,
    #[error("no proposal to undo waits for you")]
    NoProposal,
    #[error("the host does not collect a playtest")]
    NoPlaytest,
    #[error("agree first that the host collects notes, times and replies")]
    NotAgreed,
    #[error("the game has no such moment")]
    NoSuchMoment,
    #[error("the note is empty")]
    EmptyNote,
    #[error("the rule has no name")]
    NamelessRule,
    #[error("the survey has no such question")]
    NoSuchQuestion,
    #[error("a question is answered twice")]
    AnsweredTwice,
    #[error("{question}: {error}")]
    Reply { question: String, error: ReplyError },
    #[error(transparent)]
    PlaytestFull(#[from] Full),
}
