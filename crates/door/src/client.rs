//! The client: rebuilds the game from the events that the table sends.

use std::collections::BTreeMap;
use std::sync::Arc;

use record::{record_of, with_salt};
use rules::{Ruleset, catch_panic};
use table::{Insight, InsightAnswer, Seat, SeatSet, SeenGame, Setup, Spot};
use theme::Theme;

use crate::chat::KEPT_CHAT_LINES;
use crate::clock::ClockView;
use crate::delta::Patch;
use crate::excursion::{Excursion, ExcursionStep, Excursions};
use crate::fair::{Commitment, Reveal};
use crate::protocol::{
    ChatLine, Event, MAX_ASKED, NumberedRequest, PlaytestView, Request, RulesetHash, SeatToken, SeatView, ThemeHash,
    Update,
};
use crate::table::hash;

/// A reason why a client cannot use an event of the table. The caller should open a new connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClientError {
    /// The event refers to a ruleset that the client has not received.
    #[error("the table sent a game without its rules")]
    NoPart,
    /// The bytes do not fit the earlier bytes, or they are not a valid ruleset or game.
    #[error("the table sent a game that cannot be read")]
    Garbled,
}

/// News from the table. The news does not contain the game and the seats; read them from the
/// [`Client`].
#[derive(Clone, PartialEq, Debug)]
pub enum News {
    /// The game has changed.
    Game,
    /// The table has sent the theme that the client requested; see [`Client::theme`].
    Theme,
    /// The client looks at another position; see [`Client::excursion`].
    Excursion,
    /// The players at the table have changed.
    Seats,
    /// The client has taken this seat. With this token, it can return to the seat later.
    Seated(Seat, SeatToken),
    /// The table carried out the request with this number.
    Done(u32),
    /// The table refused the request with this number. The text is the reason.
    Refused(u32, String),
    /// The table's reply to questions of the client.
    Answers(AnsweredQuestions),
    /// The guest at this seat proposes to undo; the value is true if this client must agree or
    /// decline.
    UndoProposed(Seat, bool),
    /// A proposal to undo has ended; for the seat, see `declined_by` of [`Event::UndoEnded`].
    UndoEnded(Option<Seat>),
    /// The player at this seat has paused the game; `None` if the game goes on.
    Paused(Option<Seat>),
    /// A message of the table.
    Notice(String),
    /// The table has sent the hash of its seed; see [`Client::commitment`].
    Committed,
    /// The game is over, and the table has sent its seed. The value is true if the seed matches the
    /// hash that the table sent first.
    Revealed(bool),
    /// The table has replaced all lines of the chat; see [`Client::chat`].
    Chat,
    /// A player has written a line, which is now the last line of the chat.
    Said,
    /// The player at this seat points at a spot.
    Pointed(Seat, Spot),
    /// The clock now runs for another seat; see [`Client::clock`].
    Clock,
    /// The playtest has changed for this client; see [`Client::playtest`].
    Playtest,
}

/// The table's reply to questions about the game that a client has asked with [`Client::ask`].
#[derive(Clone, PartialEq, Debug)]
pub struct AnsweredQuestions {
    /// The version of the game that the questions are about.
    pub at: u64,
    /// The questions with their answers; `None` if the table did not answer.
    pub found: Vec<(Insight, Option<InsightAnswer>)>,
    /// The reason why the table refused to answer, as a sentence without a full stop; `None` if it
    /// has answered.
    pub refusal: Option<String>,
}

/// A client of a table. Stores the latest game and seats, and numbers the requests.
#[derive(Default)]
pub struct Client {
    n_requests: u32,
    parts: BTreeMap<RulesetHash, Arc<Ruleset>>,
    /// The bytes of the last game, to which the next patch applies.
    bytes: Vec<u8>,
    game: Option<SeenGame>,
    excursions: Excursions,
    /// The questions to which the table has not replied yet, by the number of the request. The
    /// version of the game comes first.
    asked: BTreeMap<u32, (u64, Vec<Insight>)>,
    /// The hash of the theme of the latest game.
    theme_hash: Option<ThemeHash>,
    /// The hash of the theme that the client requested last.
    requested_theme: Option<ThemeHash>,
    theme: Option<Arc<Theme>>,
    seats: Vec<SeatView>,
    own: SeatSet,
    n_spectators: u16,
    commitment: Option<Commitment>,
    reveal: Option<Reveal>,
    chat: Vec<ChatLine>,
    clock: Option<ClockView>,
    paused_by: Option<Seat>,
    playtest: Option<PlaytestView>,
}

impl Client {
    /// Makes a client without a game or seats.
    pub fn new() -> Client {
        Client { own: SeatSet::NONE, ..Client::default() }
    }

    /// Prepares for a new connection. Returns the first request, which the caller must send.
    pub fn hello(&mut self) -> NumberedRequest {
        self.bytes.clear();
        self.excursions.end();
        self.asked.clear();
        let parts = self.parts.keys().copied().collect();
        self.number_request(Request::Hello { parts })
    }

    /// Gives a request the next number.
    pub fn number_request(&mut self, request: Request) -> NumberedRequest {
        self.n_requests += 1;
        NumberedRequest { number: self.n_requests, request }
    }

    /// Returns the latest game; `None` before the first game has arrived.
    pub fn game(&self) -> Option<&SeenGame> {
        self.game.as_ref()
    }

    /// Returns the position that the client looks at alone; `None` while it looks at the game. An
    /// undo at the table ends the excursion.
    pub fn excursion(&self) -> Option<&Excursion> {
        self.excursions.open.as_ref()
    }

    /// Carries out a step of an excursion. Returns the request that the caller must send; `None` if
    /// the step needs no reply of the table.
    pub fn explore(&mut self, step: ExcursionStep) -> Option<NumberedRequest> {
        let live = self.game.as_ref().map_or(0, SeenGame::position_index);
        let request = self.excursions.carry_out(step, live, self.n_requests + 1)?;
        Some(self.number_request(request))
    }

    /// Asks questions about the game at the table: the first [`MAX_ASKED`] of `insights`. Returns
    /// the request that the caller must send; `None` if there is no question or no game yet. The
    /// reply is [`News::Answers`].
    pub fn ask(&mut self, insights: impl IntoIterator<Item = Insight>) -> Option<NumberedRequest> {
        let at = self.game.as_ref()?.revision().version();
        let insights: Vec<Insight> = insights.into_iter().take(MAX_ASKED).collect();
        if insights.is_empty() {
            return None;
        }
        let request = self.number_request(Request::Ask { at, insights: insights.clone() });
        self.asked.insert(request.number, (at, insights));
        Some(request)
    }

    /// Returns the last theme that the table has sent; `None` before the client has requested one.
    pub fn theme(&self) -> Option<&Arc<Theme>> {
        self.theme.as_ref()
    }

    /// Returns the request for the theme of the latest game, which the caller must send. Returns
    /// `None` if the client has requested this theme already, or if there is no game yet.
    pub fn theme_request(&mut self) -> Option<NumberedRequest> {
        let hash = self.theme_hash.filter(|hash| self.requested_theme != Some(*hash))?;
        self.requested_theme = Some(hash);
        Some(self.number_request(Request::Theme))
    }

    /// Returns the seats of the table in order.
    pub fn seats(&self) -> &[SeatView] {
        &self.seats
    }

    /// Returns the seats of this client.
    pub fn own_seats(&self) -> SeatSet {
        self.own
    }

    /// Returns the number of spectators.
    pub fn n_spectators(&self) -> u16 {
        self.n_spectators
    }

    /// Returns the remaining times of the seats, as the table last sent them; `None` if the table
    /// has no clock.
    pub fn clock(&self) -> Option<&ClockView> {
        self.clock.as_ref()
    }

    /// Returns the seat that has paused the game; `None` if the game is not paused.
    pub fn paused_by(&self) -> Option<Seat> {
        self.paused_by
    }

    /// Returns the playtest for which the host collects data; `None` if it collects none.
    pub fn playtest(&self) -> Option<&PlaytestView> {
        self.playtest.as_ref()
    }

    /// Returns the latest lines of the chat, oldest first.
    pub fn chat(&self) -> &[ChatLine] {
        &self.chat
    }

    /// Returns the hash of the seed that the table sent first. `None` before the hash arrives, or
    /// if the game has no seed.
    pub fn commitment(&self) -> Option<Commitment> {
        self.commitment
    }

    /// Returns the record of the game with its seed and salt. `None` before the table sends the
    /// seed at the end of the game.
    pub fn record_text(&self) -> Option<String> {
        let (game, Reveal { seed, salt, position }) = (self.game.as_ref()?, self.reveal.as_ref()?);
        let setup = Setup { seed: Some(*seed), position: position.clone(), ..game.setup().clone() };
        let text = record_of(&setup, game.steps().iter().map(|step| &step.text));
        Some(with_salt(&text, &salt.to_string()))
    }

    /// Handles an event of the table, and returns the news in it. Returns `None` for
    /// [`Event::Part`], which only prepares later events, for a position that the client no longer
    /// wants, and for answers to no question of the client.
    ///
    /// # Errors
    /// Returns an error if the event does not fit the earlier events or cannot be read.
    pub fn handle_event(&mut self, event: Event) -> Result<Option<News>, ClientError> {
        Ok(Some(match event {
            Event::Part { id, bytes } => {
                self.store_ruleset(id, &bytes)?;
                return Ok(None);
            }
            Event::Game(update) => {
                self.update(&update)?;
                News::Game
            }
            Event::Excursion { number, position } => {
                let (seen, _) = self.read(&position)?;
                if !self.excursions.receive(number, seen) {
                    return Ok(None);
                }
                News::Excursion
            }
            Event::Theme(bytes) => {
                let theme = postcard::from_bytes(&bytes).map_err(|_| ClientError::Garbled)?;
                self.theme = Some(Arc::new(theme));
                News::Theme
            }
            Event::Seats { seats, own, n_spectators } => {
                (self.seats, self.own, self.n_spectators) = (seats, own, n_spectators);
                News::Seats
            }
            Event::Seated { number: _, seat, token } => News::Seated(seat, token),
            Event::Done { number } => News::Done(number),
            Event::Refused { number, why } => {
                self.excursions.note_refusal(number);
                match self.asked.remove(&number) {
                    Some((at, asked)) => {
                        let found = asked.into_iter().map(|insight| (insight, None)).collect();
                        News::Answers(AnsweredQuestions { at, found, refusal: Some(why) })
                    }
                    None => News::Refused(number, why),
                }
            }
            Event::Answers { number, found } => {
                let Some((at, asked)) = self.asked.remove(&number) else { return Ok(None) };
                let found = asked.into_iter().zip(found).collect();
                News::Answers(AnsweredQuestions { at, found, refusal: None })
            }
            Event::UndoProposed { by, asks } => News::UndoProposed(by, asks),
            Event::UndoEnded { declined_by } => News::UndoEnded(declined_by),
            Event::Paused(by) => {
                self.paused_by = by;
                News::Paused(by)
            }
            Event::Notice(text) => News::Notice(text),
            Event::Committed(commitment) => {
                // Keeps the first hash, so that a host cannot change its seed without being
                // noticed.
                self.commitment.get_or_insert(commitment);
                News::Committed
            }
            Event::Revealed(reveal) => {
                let fits = self.commitment == Some(reveal.commitment());
                self.reveal = Some(reveal);
                News::Revealed(fits)
            }
            Event::Chat(lines) => {
                self.chat = lines;
                News::Chat
            }
            Event::Said(line) => {
                let n_old = (self.chat.len() + 1).saturating_sub(KEPT_CHAT_LINES);
                self.chat.drain(..n_old);
                self.chat.push(line);
                News::Said
            }
            Event::Pointed { by, spot } => News::Pointed(by, spot),
            Event::Clock(clock) => {
                self.clock = Some(clock);
                News::Clock
            }
            Event::Playtest(view) => {
                self.playtest = Some(view);
                News::Playtest
            }
        }))
    }

    fn store_ruleset(&mut self, id: RulesetHash, bytes: &[u8]) -> Result<(), ClientError> {
        if RulesetHash(hash(bytes)) != id {
            return Err(ClientError::Garbled);
        }
        // Contradictory declarations can cause a panic. Catches it, so that the program does not
        // end.
        let read = catch_panic(|| postcard::from_bytes(bytes));
        let Ok(Ok(ruleset)) = read else { return Err(ClientError::Garbled) };
        self.parts.insert(id, Arc::new(ruleset));
        Ok(())
    }

    fn update(&mut self, update: &Update) -> Result<(), ClientError> {
        let (seen, bytes) = self.read(update)?;
        let is_undo = self.game.as_ref().is_some_and(|game| seen.position_index() < game.position_index());
        if is_undo {
            self.excursions.end();
        }
        (self.game, self.bytes) = (Some(seen), bytes);
        self.theme_hash = Some(update.theme);
        Ok(())
    }

    /// Returns the game of an update, and its bytes.
    fn read(&self, update: &Update) -> Result<(SeenGame, Vec<u8>), ClientError> {
        let Update { ruleset, theme: _, patch, hash: expected } = update;
        let ruleset = self.parts.get(ruleset).cloned().ok_or(ClientError::NoPart)?;
        let bytes = Patch::apply(patch, &self.bytes).filter(|bytes| hash(bytes) == *expected);
        let bytes = bytes.ok_or(ClientError::Garbled)?;
        let read = catch_panic(|| postcard::from_bytes::<SeenGame>(&bytes));
        let Ok(Ok(seen)) = read else { return Err(ClientError::Garbled) };
        Ok((seen.with_ruleset(ruleset), bytes))
    }
}
