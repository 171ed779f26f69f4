//! The protocol: requests of clients, and events of the table.

use std::fmt;
use std::str::FromStr;

use playtest::SurveyQuestion;
use serde::{Deserialize, Serialize};
use table::{Insight, InsightAnswer, Seat, SeatSet, Spot};

use crate::clock::ClockView;
use crate::delta::Patch;
use crate::fair::{Commitment, Reveal};
use record::hex;

/// The version of the protocol. [`decode`](crate::decode) refuses messages of other versions, with
/// an error that names both versions.
pub const PROTOCOL_VERSION: u16 = 9;

/// The maximum size of a request, in bytes. No regular request is longer.
pub const MAX_REQUEST_BYTES: usize = 64 << 10;

/// The maximum size of an event, in bytes.
pub const MAX_EVENT_BYTES: usize = crate::delta::MAX_BYTES;

/// The maximum length of a guest's name, in characters.
pub const MAX_NAME: usize = 24;

/// The maximum number of answers that a client can try in an excursion.
pub const MAX_TRIED: usize = 200;

/// The maximum number of questions in one [`Request::Ask`].
pub const MAX_ASKED: usize = 20;

/// 128 random bits with which guests prove that a seat is theirs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatToken(pub [u8; 16]);

/// The system has no random numbers for a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this computer has no random numbers for a token: {0}")]
pub struct NoRandomNumbers(getrandom::Error);

impl fmt::Display for SeatToken {
    /// Writes 32 hexadecimal digits, as in links.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::text(&self.0))
    }
}

impl FromStr for SeatToken {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<SeatToken, &'static str> {
        hex::bytes(text).map(SeatToken).ok_or("the token is incomplete")
    }
}

impl SeatToken {
    /// Returns a new token, from the random numbers of the system.
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers.
    pub fn random() -> Result<SeatToken, NoRandomNumbers> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(NoRandomNumbers)?;
        Ok(SeatToken(bytes))
    }
}

/// The token with which a client requests a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SeatClaim {
    /// Takes a free seat, and gives it this token, which the client has chosen. If a seat has this
    /// token already, returns to that seat. So a client whose connection broke before the table's
    /// reply arrived can repeat the request.
    Take(SeatToken),
    /// Returns to the seat with this token.
    Return(SeatToken),
}

impl SeatClaim {
    /// Returns to the seat with `token`, or takes a seat with a new token if `token` is `None`.
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers for a new token.
    pub fn of(token: Option<SeatToken>) -> Result<SeatClaim, NoRandomNumbers> {
        token.map_or_else(|| SeatToken::random().map(SeatClaim::Take), |token| Ok(SeatClaim::Return(token)))
    }

    /// Returns the token.
    pub fn token(self) -> SeatToken {
        let (SeatClaim::Take(token) | SeatClaim::Return(token)) = self;
        token
    }
}

/// The hash of a ruleset, which is a part of the game. The table sends a ruleset once to each
/// client; later updates contain only its hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct RulesetHash(pub u64);

/// The hash of a theme. The table sends a theme only to clients that request it; updates contain
/// its hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ThemeHash(pub u64);

/// A request with its number, which the table's reply repeats. A client numbers its requests from
/// 1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NumberedRequest {
    /// The number of the request.
    pub number: u32,
    /// The request.
    pub request: Request,
}

/// A request of a client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Request {
    /// Begins a connection: the table replies with the game and the seats. The table refuses
    /// further requests of this kind in the same connection.
    Hello {
        /// The hashes of the rulesets that the client already has from an earlier connection.
        parts: Vec<RulesetHash>,
    },
    /// Requests the theme of the mods in play, with which a client can draw the game.
    Theme,
    /// Takes a seat, or returns to one. The client then sees the game as the player of this seat,
    /// and answers for this player.
    Sit {
        /// The seat. `None` takes the first free seat or, for a return, the seat of the token.
        seat: Option<Seat>,
        /// The name that all guests see. A taken seat keeps its earlier name.
        name: String,
        /// The token of the seat.
        claim: SeatClaim,
    },
    /// Gives up all seats of the client, so that others can take them.
    Stand,
    /// Answers the open decision for a seat of the client.
    Answer {
        /// The version of the game that the client has seen. The table refuses the answer if the
        /// game has changed since.
        at: u64,
        /// The text of the answer.
        answer: String,
    },
    /// Lets a bot play a seat of the client. If `bot` is `None`, the client plays the seat again.
    SetBot {
        /// The seat.
        seat: Seat,
        /// The name of the bot, such as `greedy`.
        bot: Option<String>,
    },
    /// Proposes to undo the last choice of the client's first seat, and all later answers. The
    /// table carries out the undo after every other connected guest with a seat has agreed.
    ProposeUndo {
        /// The version of the game that the client has seen. The table refuses the proposal if the
        /// game has changed since.
        at: u64,
    },
    /// Answers a proposal to undo.
    AnswerUndo {
        /// True to agree, false to decline.
        agrees: bool,
    },
    /// Pauses the game, or lets it go on. While the game is paused, no player, bot or chance
    /// answers, and no time runs. Only players can do this.
    Pause {
        /// True to pause.
        is_paused: bool,
    },
    /// Asks questions about the game that need the rules of mods. The table uses only information
    /// that the client may see. Tables limit the rate of questions.
    Ask {
        /// The version of the game that the client has seen. The table refuses the questions if the
        /// game has changed since.
        at: u64,
        /// The questions, at most [`MAX_ASKED`].
        insights: Vec<Insight>,
    },
    /// Requests another position, which only this client receives; the game does not change. The
    /// client sees there what its seats may see, and answers for all players. Tables limit the rate
    /// of these requests.
    Excursion {
        /// The number of answers of the game before the position.
        n: u32,
        /// The texts of answers that the client tries after this position, at most [`MAX_TRIED`].
        tried: Vec<String>,
    },
    /// Writes a line in the chat. Only players can write.
    Chat {
        /// The text. The table cuts it to [`MAX_CHAT_TEXT`](crate::MAX_CHAT_TEXT) characters.
        text: String,
    },
    /// Points at a spot. The other clients see this for a few seconds. Only players can point.
    Point {
        /// The spot.
        spot: Spot,
    },
    /// Agrees or declines that the host collects the client's notes, times and replies. Spectators
    /// can agree, too. If the client declines later, the table removes what it has collected.
    Consent {
        /// True to agree.
        agrees: bool,
    },
    /// Writes a note for the host's playtest, pinned to a moment of the game. Only a client that
    /// agrees can write notes; no other client receives them.
    Note {
        /// The number of answers before the moment.
        n: u32,
        /// The subject, such as the open question; `None` if the note is about the moment.
        about: Option<String>,
        /// The text, which is cut to [`playtest::MAX_NOTE`] characters.
        text: String,
    },
    /// Replies to the survey of the host's playtest. Only a client that agrees can reply.
    Reply {
        /// The ids of questions, and the replies as text. They replace earlier replies to the same
        /// questions.
        replies: Vec<(String, String)>,
    },
    /// Says for the host's playtest whether the explanation of a rule is clear. Replaces the
    /// client's earlier opinion about the rule. Only a client that agrees can do this; no other
    /// client receives it.
    Thumb {
        /// The name of the rule, which is the reason of points.
        rule: String,
        /// True if the explanation is clear.
        up: bool,
    },
}

/// An event that the table sends to one client.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Event {
    /// A ruleset. Updates of the game refer to it by its hash.
    Part {
        /// The hash of `bytes`.
        id: RulesetHash,
        /// The ruleset, encoded with postcard.
        bytes: Vec<u8>,
    },
    /// The theme of the mods in play, encoded with postcard.
    Theme(Vec<u8>),
    /// The game has changed.
    Game(Update),
    /// The position that the client has requested as [`Request::Excursion`], as a difference from
    /// the last game that this client received.
    Excursion {
        /// The number of the request.
        number: u32,
        /// The position.
        position: Update,
    },
    /// The players at the table have changed.
    Seats {
        /// The seats in order.
        seats: Vec<SeatView>,
        /// The seats of this client.
        own: SeatSet,
        /// The number of spectators.
        n_spectators: u16,
    },
    /// The client has taken a seat, and can return to it with the token.
    Seated {
        /// The number of the request.
        number: u32,
        /// The seat.
        seat: Seat,
        /// The token of the seat.
        token: SeatToken,
    },
    /// The table carried out a request.
    Done {
        /// The number of the request.
        number: u32,
    },
    /// The table refused a request and changed nothing.
    Refused {
        /// The number of the request.
        number: u32,
        /// The reason, as a sentence without a full stop.
        why: String,
    },
    /// The answers to the questions of a [`Request::Ask`].
    Answers {
        /// The number of the request.
        number: u32,
        /// The answers, in the order of the questions; `None` if a question does not fit the game.
        found: Vec<Option<InsightAnswer>>,
    },
    /// A guest proposes to undo.
    UndoProposed {
        /// The seat of the guest who proposes to undo.
        by: Seat,
        /// True if this client must agree or decline.
        asks: bool,
    },
    /// A proposal to undo has ended.
    UndoEnded {
        /// The seat of the guest who declined, or who answered in the game instead. `None` if the
        /// undo was carried out, or if the proposal ended for another reason, such as a reload of
        /// the mods.
        declined_by: Option<Seat>,
    },
    /// The player at this seat has paused the game; `None` if the game goes on. The table sends it
    /// when a player pauses the game or lets it go on, and when a connection begins.
    Paused(Option<Seat>),
    /// A message for all clients, such as the effect of changed rules.
    Notice(String),
    /// The hash of the seed. The table sends it when a connection begins.
    Committed(Commitment),
    /// The game is over. Contains the seed, whose hash the client received as [`Event::Committed`].
    Revealed(Reveal),
    /// The stored lines of the chat, which replace all earlier lines. The table sends them when a
    /// connection begins.
    Chat(Vec<ChatLine>),
    /// A player has written a line in the chat.
    Said(ChatLine),
    /// A player points at a spot.
    Pointed {
        /// The seat of the player.
        by: Seat,
        /// The spot.
        spot: Spot,
    },
    /// The remaining times of the seats. The table sends them when a connection begins, and when
    /// the running seat changes. A table without a clock never sends
    /// them.
    Clock(ClockView),
    /// The playtest. The table sends it when a connection begins, when the client has agreed,
    /// declined, replied or sent a thumb, and when the survey has changed. A table that collects no
    /// playtest sends none.
    Playtest(PlaytestView),
}

/// The change of the game since the last update for this client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Update {
    /// The hash of the ruleset. The table has sent the ruleset as [`Event::Part`].
    pub ruleset: RulesetHash,
    /// The hash of the theme of the mods in play.
    pub theme: ThemeHash,
    /// The difference between the encoded game that this client received last and the new encoded
    /// game.
    pub patch: Patch,
    /// The hash of the new encoded game, with which the client detects a patch that does not fit.
    pub hash: u64,
}

/// A seat, as all clients see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatView {
    /// The name of the guest who has taken the seat; `None` if the seat is free.
    pub name: Option<String>,
    /// True if the guest is connected.
    pub is_here: bool,
    /// True if a bot plays the seat.
    pub is_bot: bool,
}

/// A line of the chat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChatLine {
    /// The seat of the player who wrote the line.
    pub seat: Seat,
    /// The name of the player when the player wrote the line.
    pub name: String,
    /// The text, without control characters and other invisible characters.
    pub text: String,
}

/// The playtest as a client sees it: nothing of other guests.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlaytestView {
    /// The questions of the survey.
    pub survey: Vec<SurveyQuestion>,
    /// True if the guest agrees, false if it declines; `None` before the guest has said so.
    pub agrees: Option<bool>,
    /// True if the guest has replied to the survey.
    pub has_replied: bool,
    /// The guest's opinions about explanations of rules: the name of the rule, and true if its
    /// explanation is clear.
    pub thumbs: Vec<(String, bool)>,
}

impl PlaytestView {
    /// Returns whether the guest takes part.
    pub fn takes_part(&self) -> bool {
        self.agrees == Some(true)
    }

    /// Returns whether the guest can reply to the survey.
    pub fn has_survey(&self) -> bool {
        self.takes_part() && !self.has_replied && !self.survey.is_empty()
    }
}
