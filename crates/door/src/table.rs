//! The table: an actor that owns a game, handles requests of clients, and sends each client only
//! information that its seats may see.
//!
//! The file is long because every request must keep the game, the seats, the clients and the
//! collected playtest consistent.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hasher as _;
use std::sync::Arc;

use fnv::FnvHasher;
use platform::time::Instant;
use playtest::Playtest;
use rules::{Actor, Ruleset, catch_panic};
use serde::{Deserialize, Serialize};
use table::{
    AwaitedActor, ExpectOrDefault, GameView, Insight, InsightAnswer, ReloadOutcome, Revision, Seat, SeatSet, Session,
    Setup, Spot, player_named,
};
use theme::Theme;

use crate::chat::Chat;
use crate::client_id::ClientId;
use crate::clock::{Clock, SavedClock, TimeControl};
use crate::collector::{Agreements, Collector, Consent};
use crate::delta::Patch;
use crate::fair::{Reveal, Salt};
use crate::protocol::{
    Event, MAX_ASKED, MAX_TRIED, NumberedRequest, PlaytestView, Request, RulesetHash, SeatClaim, SeatToken, ThemeHash,
    Update,
};
use crate::rate::RateLimit;
use crate::request_error::RequestError;
use crate::seats::{SavedSeat, Seats};

/// Events in order. Each event comes with the client that must receive it.
pub type Events = Vec<(ClientId, Event)>;

/// A connected client.
#[derive(Default)]
struct ConnectedClient {
    /// True after the client has sent [`Request::Hello`].
    is_greeted: bool,
    /// The hashes of the rulesets that the client has.
    parts: BTreeSet<RulesetHash>,
    /// The revision of the last game sent to the client, and the seats for which this game was
    /// redacted; `None` before the first game.
    shown: Option<(Revision, SeatSet)>,
    /// The bytes of the last game sent to the client.
    bytes: Arc<[u8]>,
    /// True after the table has sent the seed.
    knows_seed: bool,
    /// The consent of the guest to a playtest.
    consent: Option<Consent>,
    /// Limits the excursions of the client; `None` before the first one.
    excursions: Option<RateLimit>,
    /// Limits the questions of the client; `None` before the first one.
    questions: Option<RateLimit>,
}

/// The data of a table that the host stores beside the record of the game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SavedTable {
    /// The seats in order; `None` for a free seat.
    pub seats: Vec<Option<SavedSeat>>,
    /// The salt of the seed's hash; `None` before the table has chosen one.
    pub salt: Option<Salt>,
    /// The times of the seats; `None` if the table has no clock.
    pub clock: Option<SavedClock>,
    /// The seat that has paused the game; `None` if the game is not paused.
    #[serde(default)]
    pub paused_by: Option<Seat>,
}

/// The bot that takes over a seat that has no time left.
const BOT_AFTER_TIME: &str = "greedy";

/// The number of excursions that a client can request at once, and then per second. An excursion
/// replays the game, so it costs more than other requests.
const EXCURSION_LIMIT: (u32, f64) = (40, 8.0);

/// The number of excursions that all clients together can request at once, and then per second, so
/// that many clients cannot delay the game.
const EXCURSIONS_OF_ALL: (u32, f64) = (120, 24.0);

/// The number of questions that a client can ask at once, and then per second. Each question can
/// play the game to its end.
const QUESTION_LIMIT: (u32, f64) = (160, 40.0);

/// The number of questions that all clients together can ask at once, and then per second.
const QUESTIONS_OF_ALL: (u32, f64) = (480, 80.0);

/// A proposal to undo.
struct UndoProposal {
    by: Seat,
    /// The number of the game's answers that remain after the undo.
    to: usize,
    /// The clients that have not agreed yet.
    missing: BTreeSet<ClientId>,
}

/// A game with its clients. The table owns the session, the seed and the rules. A client receives
/// only information that its seats may see.
pub struct Table {
    session: Session,
    /// The number of the session that the connected clients joined.
    session_id: u64,
    seats: Seats,
    /// The bots of the setup, by seat; `None` for the seat of a person. A bot plays its seat until
    /// a guest takes the seat.
    own_bots: Vec<Option<String>>,
    clients: BTreeMap<ClientId, ConnectedClient>,
    proposal: Option<UndoProposal>,
    /// The seat that has paused the game; `None` if the game is not paused.
    paused_by: Option<Seat>,
    chat: Chat,
    clock: Option<Clock>,
    /// Limits the excursions of all clients together.
    excursions: RateLimit,
    /// Limits the questions of all clients together.
    questions: RateLimit,
    /// Collects a playtest; `None` if the host does not want one.
    collector: Option<Collector>,
    now: Instant,
    /// The salt of the seed's hash; `None` if the system has no random numbers.
    salt: Option<Salt>,
    /// The ruleset in play, with its hash and its encoded bytes; `None` before the table first
    /// sends the game.
    part: Option<(Arc<Ruleset>, RulesetHash, Arc<[u8]>)>,
    /// The theme of the mods in play, with its hash and its encoded bytes; `None` before the table
    /// first sends the game.
    theme: Option<(Arc<Theme>, ThemeHash, Arc<[u8]>)>,
    events: Events,
}

impl Table {
    /// Makes a table from a session, and from the data that an earlier table of the same game
    /// stored.
    pub fn new(session: Session, saved: SavedTable) -> Table {
        let (own_bots, now) = (own_bots(session.setup()), Instant::now());
        Table {
            seats: Seats::new(own_bots.len(), saved.seats),
            salt: saved.salt.or_else(Salt::new),
            own_bots,
            clients: BTreeMap::new(),
            proposal: None,
            paused_by: saved.paused_by,
            chat: Chat::default(),
            clock: saved.clock.map(Clock::new),
            excursions: RateLimit::new(EXCURSIONS_OF_ALL.0, EXCURSIONS_OF_ALL.1, now),
            questions: RateLimit::new(QUESTIONS_OF_ALL.0, QUESTIONS_OF_ALL.1, now),
            collector: None,
            now,
            part: None,
            theme: None,
            events: Events::new(),
            session_id: session.id(),
            session,
        }
    }

    /// Returns the session, including information that is hidden from clients.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the session, so that the program that runs the table can change it. After the
    /// change, the program must call [`send_changes`](Table::send_changes).
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Sends clients the game after a change of the session. `before` is the revision before the
    /// change. If the game has changed, an open proposal to undo ends.
    pub fn send_changes(&mut self, before: Revision) {
        if before != self.session.revision() {
            self.end_proposal(None);
            self.collect_local_answer();
            self.test_rules_in_play();
            self.send_seats();
        }
        self.send_game();
    }

    /// Ends all connections and frees all seats, for example because the session contains another
    /// game now.
    pub fn close(&mut self) {
        self.clients.clear();
        (self.proposal, self.chat, self.clock, self.collector) = (None, Chat::default(), None, None);
        self.paused_by = None;
        self.events.clear();
        // Bots get their seats back only in the same game. Another game has the bots of its own
        // setup.
        if self.session.id() == self.session_id {
            for seat in self.seats.taken_by_others().seats() {
                self.restore_bot(seat);
            }
        }
        self.session_id = self.session.id();
        self.own_bots = own_bots(self.session.setup());
        self.seats = Seats::new(self.own_bots.len(), Vec::new());
        (self.part, self.theme) = (None, None);
        self.salt = Salt::new();
        self.session.set_guests(SeatSet::NONE);
    }

    /// Connects the program that runs the table as [`ClientId::LOCAL`]. This client receives
    /// events, but no games, because the program reads the session. If `seat` is given, the client
    /// takes it under the name `name`.
    pub fn connect_local(&mut self, seat: Option<Seat>, name: &str) {
        let connection = ConnectedClient { is_greeted: true, ..ConnectedClient::default() };
        self.clients.insert(ClientId::LOCAL, connection);
        if let Some(seat) = seat
            && let Ok(token) = SeatToken::random()
            && self.seats.sit(ClientId::LOCAL, Some(seat), name, SeatClaim::Take(token)).is_err()
        {
            table::never!("the seat of a table without guests is taken");
        }
        self.send_seats();
    }

    /// Frees a seat, so that another guest can take it. The guest of the seat becomes a spectator.
    pub fn free(&mut self, seat: Seat) {
        self.seats.free(seat);
        self.restore_bot(seat);
        self.send_seats();
        self.send_game();
    }

    /// Gives a freed seat back to the bot of the setup, if it had one.
    fn restore_bot(&mut self, seat: Seat) {
        let bot = self.own_bots.get(seat.idx()).cloned().flatten();
        self.session.set_bot(seat, bot.as_deref());
    }

    /// Returns the data that the host stores beside the record.
    pub fn saved(&self) -> SavedTable {
        SavedTable {
            seats: self.seats.saved_seats(),
            salt: self.salt,
            clock: self.clock.as_ref().map(Clock::saved),
            paused_by: self.paused_by,
        }
    }

    /// Removes and returns the events since the last call.
    pub fn take_events(&mut self) -> Events {
        std::mem::take(&mut self.events)
    }

    /// Connects a client. The client receives no game before it sends [`Request::Hello`].
    pub fn connect(&mut self, client: ClientId) {
        self.clients.insert(client, ConnectedClient::default());
    }

    /// Disconnects a client. Its seats stay taken, and its guest can return to them with their
    /// tokens.
    pub fn disconnect(&mut self, client: ClientId) {
        let consent = self.clients.remove(&client).and_then(|connection| connection.consent);
        let has_seat = self.seats.seats_of(client) != SeatSet::NONE;
        if let Some(collector) = &mut self.collector {
            let person = if let Some(Consent::Agreed(person)) = consent { Some(person) } else { None };
            collector.disconnect(client, person.filter(|_| !has_seat));
        }
        self.seats.mark_disconnected(client);
        if let Some(proposal) = &mut self.proposal {
            proposal.missing.remove(&client);
        }
        self.carry_out_undo();
        self.send_seats();
        self.send_game();
    }

    /// Sets the current time, from which the table computes clocks and limits the writing of
    /// players. If a player has no time left, a bot takes over. Call this function before
    /// [`handle`](Table::handle), and at [`next_deadline`](Table::next_deadline).
    pub fn set_time(&mut self, now: Instant) {
        self.now = now;
        if self.run_clock() {
            self.send_game();
        }
    }

    /// Carries out a request of a connected client.
    pub fn handle(&mut self, client: ClientId, NumberedRequest { number, request }: NumberedRequest) {
        let Some(connection) = self.clients.get(&client) else { return };
        if !connection.is_greeted && !matches!(request, Request::Hello { .. }) {
            return self.refuse(client, number, &RequestError::NoHello);
        }
        if connection.is_greeted && matches!(request, Request::Hello { .. }) {
            return self.refuse(client, number, &RequestError::SecondHello);
        }
        let done = match request {
            Request::Hello { parts } => {
                let greeted = ConnectedClient {
                    is_greeted: true,
                    parts: parts.into_iter().collect(),
                    consent: connection.consent,
                    ..ConnectedClient::default()
                };
                self.clients.insert(client, greeted);
                let seed = self.secrets().map(|secrets| Event::Committed(secrets.commitment()));
                self.events.extend(seed.map(|event| (client, event)));
                self.events.push((client, Event::Chat(self.chat.lines())));
                let clock = self.clock.as_ref().map(|clock| Event::Clock(clock.view(self.now)));
                self.events.extend(clock.map(|event| (client, event)));
                self.events.push((client, Event::Paused(self.paused_by)));
                self.send_playtest(client);
                self.send_seats();
                Ok(())
            }
            Request::Theme => {
                let (_, bytes) = self.encoded_theme();
                self.events.push((client, Event::Theme(bytes.to_vec())));
                Ok(())
            }
            Request::Sit { seat, name, claim } => self.sit(client, number, seat, &name, claim),
            Request::Stand => {
                self.stand(client);
                Ok(())
            }
            Request::Answer { at, answer } => self.answer(client, at, &answer),
            Request::SetBot { seat, bot } => self.set_bot(client, seat, bot.as_deref()),
            Request::ProposeUndo { at } => self.propose_undo(client, at),
            Request::AnswerUndo { agrees } => self.answer_undo(client, agrees),
            Request::Pause { is_paused } => self.pause(client, is_paused),
            Request::Chat { text } => self.say(client, &text),
            Request::Point { spot } => self.point(client, spot),
            Request::Consent { agrees } => self.consent(client, agrees),
            Request::Note { n, about, text } => self.add_note(client, n, about.as_deref(), &text),
            Request::Reply { replies } => self.reply(client, &replies),
            Request::Thumb { rule, up } => self.set_thumb(client, &rule, up),
            Request::Excursion { n, tried } => self.show_excursion(client, number, n as usize, &tried),
            Request::Ask { at, insights } => self.ask(client, at, &insights).map(|found| {
                self.events.push((client, Event::Answers { number, found }));
            }),
        };
        match done {
            Ok(()) => self.events.push((client, Event::Done { number })),
            Err(error) => self.refuse(client, number, &error),
        }
        self.send_game();
    }

    /// Returns whether [`advance`](Table::advance) can give an answer: chance or a bot is to move,
    /// no proposal to undo is open, and the game is not paused.
    pub fn can_advance(&self) -> bool {
        let actor = self.session.awaited_actor();
        self.proposal.is_none()
            && self.paused_by.is_none()
            && matches!(actor, AwaitedActor::Chance | AwaitedActor::Bot(_))
    }

    /// Gives one answer for chance or for the bot to move, if [`can_advance`](Table::can_advance)
    /// allows it. Returns whether it gave an answer.
    pub fn advance(&mut self) -> bool {
        let has_answered = self.can_advance() && self.session.advance();
        if let Some(failure) = self.session.take_bot_failure() {
            self.notify(format!("{failure}; a person plays its seat from now on"));
            self.send_seats();
            self.send_game();
        }
        if has_answered {
            self.send_game();
        }
        has_answered
    }

    /// Reads the mods again, and continues the game under the new rules. If the mods cannot be
    /// loaded or do not fit the game, the old rules stay. Sends all clients a notice, unless the
    /// rules are unchanged or the reload was stopped.
    pub fn reload(&mut self) -> ReloadOutcome {
        let outcome = self.session.reload_mods();
        if !matches!(outcome, ReloadOutcome::Untouched | ReloadOutcome::Stopped) {
            self.end_proposal(None);
        }
        let notice = match &outcome {
            ReloadOutcome::Untouched | ReloadOutcome::Stopped => None,
            ReloadOutcome::Same => Some("the rules have changed; this game stays the same".to_owned()),
            ReloadOutcome::Changed(what) => Some(format!("the rules have changed: {what}")),
            ReloadOutcome::Diverged(why) => {
                self.session.keep_old_rules();
                Some(format!("the rules have changed, but this game does not fit them: {why}; the old rules stay"))
            }
            ReloadOutcome::Failed(problems) => {
                let first = problems.list().first().map(ToString::to_string).unwrap_or_default();
                Some(format!("the rules have changed but cannot be loaded: {first}; the old rules stay"))
            }
        };
        self.session.accept_changes();
        notice.into_iter().for_each(|notice| self.notify(notice));
        self.test_rules_in_play();
        self.send_game();
        outcome
    }

    /// Saves the game; see [`Session::save`]. Call this function before you send events, so that
    /// the record contains everything that clients have seen.
    pub fn save(&mut self) {
        let failed_before = self.session.save_error().is_some();
        self.session.save();
        match self.session.save_error() {
            Some(error) if !failed_before => self.notify(format!("the host cannot save the game: {error}")),
            None if failed_before => self.notify("the host saves the game again".to_owned()),
            _ => {}
        }
    }

    /// Sends a message to all clients that have sent [`Request::Hello`].
    pub fn notify(&mut self, text: String) {
        self.send_all(&Event::Notice(text));
    }

    /// Returns the clients that have sent [`Request::Hello`].
    fn greeted(&self) -> impl Iterator<Item = ClientId> + '_ {
        self.clients.iter().filter(|(_, client)| client.is_greeted).map(|(id, _)| *id)
    }

    /// Sends an event to all clients that have sent [`Request::Hello`].
    fn send_all(&mut self, event: &Event) {
        let sent: Events = self.greeted().map(|id| (id, event.clone())).collect();
        self.events.extend(sent);
    }

    fn refuse(&mut self, client: ClientId, number: u32, error: &RequestError) {
        self.events.push((client, Event::Refused { number, why: error.to_string() }));
    }

    fn check_version(&self, at: u64) -> Result<(), RequestError> {
        let is_current = at == self.session.revision().version();
        is_current.then_some(()).ok_or(RequestError::Outdated)
    }
}

/// Requests that do not change the game.
impl Table {
    fn say(&mut self, client: ClientId, text: &str) -> Result<(), RequestError> {
        let (seat, name) = self.seats.player(client).ok_or(RequestError::NeedsSeat("write"))?;
        let line = self.chat.add(seat, name.to_owned(), text, self.now)?;
        self.send_all(&Event::Said(line));
        Ok(())
    }

    fn point(&mut self, client: ClientId, spot: Spot) -> Result<(), RequestError> {
        let (seat, _) = self.seats.player(client).ok_or(RequestError::NeedsSeat("point"))?;
        self.chat.count(seat, self.now)?;
        self.send_all(&Event::Pointed { by: seat, spot });
        Ok(())
    }
}

/// Requests about seats.
impl Table {
    fn sit(
        &mut self,
        client: ClientId,
        number: u32,
        seat: Option<Seat>,
        name: &str,
        claim: SeatClaim,
    ) -> Result<(), RequestError> {
        let (seat, is_back) = self.seats.sit(client, seat, name, claim)?;
        if !is_back {
            // The guest replaces the bot that played this free seat.
            self.session.set_bot(seat, None);
        }
        self.events.push((client, Event::Seated { number, seat, token: claim.token() }));
        self.join_consents(client, seat);
        self.send_seats();
        Ok(())
    }

    fn stand(&mut self, client: ClientId) {
        for seat in self.seats.stand(client).seats() {
            self.restore_bot(seat);
        }
        self.send_seats();
    }

    fn set_bot(&mut self, client: ClientId, seat: Seat, bot: Option<&str>) -> Result<(), RequestError> {
        if !self.has_seat(client, seat) {
            return Err(RequestError::NotYourSeat);
        }
        if let Some(unknown) = bot.filter(|bot| player_named(bot).is_none()) {
            return Err(RequestError::UnknownBot { name: unknown.to_owned() });
        }
        if bot.is_none() && self.is_time_over(seat) {
            return Err(RequestError::NoTimeLeft);
        }
        self.session.set_bot(seat, bot);
        self.send_seats();
        Ok(())
    }

    fn has_seat(&self, client: ClientId, seat: Seat) -> bool {
        self.seats.seats_of(client).seats().any(|own| own == seat)
    }

    /// Sends the seats to all clients that have sent [`Request::Hello`].
    fn send_seats(&mut self) {
        if self.clients.contains_key(&ClientId::LOCAL) {
            self.session.set_guests(self.seats.taken_by_others());
        }
        let seats = self.seats.views(|seat| self.session.is_bot(seat));
        let n_spectators = self.greeted().filter(|id| self.seats.seats_of(*id) == SeatSet::NONE).count() as u16;
        let told = self.greeted().map(|id| {
            let own = self.seats.seats_of(id);
            (id, Event::Seats { seats: seats.clone(), own, n_spectators })
        });
        self.events.extend(told.collect::<Events>());
    }
}

/// Requests about the game.
impl Table {
    fn answer(&mut self, client: ClientId, at: u64, answer: &str) -> Result<(), RequestError> {
        self.check_version(at)?;
        if self.paused_by.is_some() {
            return Err(RequestError::Paused);
        }
        match self.session.awaited_actor() {
            AwaitedActor::Person(seat) if self.has_seat(client, seat) => {}
            AwaitedActor::Nobody => return Err(RequestError::GameOver),
            AwaitedActor::Mod => return Err(RequestError::BrokenMod),
            AwaitedActor::Person(_) | AwaitedActor::Bot(_) | AwaitedActor::Chance => {
                return Err(RequestError::NotYourTurn);
            }
        }
        self.session.answer_text(answer)?;
        let consent = self.consent_of(client);
        if let Some(collector) = &mut self.collector {
            collector.add_answer(client, consent, answer, self.now);
        }
        // A player who answers the open decision declines to undo.
        self.end_proposal(self.seats.seats_of(client).seats().next());
        Ok(())
    }

    fn ask(
        &mut self,
        client: ClientId,
        at: u64,
        insights: &[Insight],
    ) -> Result<Vec<Option<InsightAnswer>>, RequestError> {
        self.check_version(at)?;
        if insights.len() > MAX_ASKED {
            return Err(RequestError::TooManyAsked);
        }
        let now = self.now;
        let Some(connection) = self.clients.get_mut(&client) else { return Ok(Vec::new()) };
        let (burst, per_second) = QUESTION_LIMIT;
        let limit = connection.questions.get_or_insert_with(|| RateLimit::new(burst, per_second, now));
        if insights.iter().any(|_| !limit.try_take(now) || !self.questions.try_take(now)) {
            return Err(RequestError::TooManyQuestions);
        }
        let game = self.session.game_to_try_by(self.seats.seats_of(client));
        // A question that does not fit the game can cause a panic.
        Ok(insights.iter().map(|insight| catch_panic(|| insight.find(&game)).ok()).collect())
    }

    fn pause(&mut self, client: ClientId, is_paused: bool) -> Result<(), RequestError> {
        let (seat, _) = self.seats.player(client).ok_or(RequestError::NeedsSeat("pause the game"))?;
        if self.paused_by.is_some() == is_paused {
            return Ok(());
        }
        if is_paused {
            self.chat.count(seat, self.now)?;
        }
        self.paused_by = is_paused.then_some(seat);
        self.send_all(&Event::Paused(self.paused_by));
        Ok(())
    }

    fn show_excursion(
        &mut self,
        client: ClientId,
        number: u32,
        n: usize,
        tried: &[String],
    ) -> Result<(), RequestError> {
        let ((ruleset, _), (theme, _)) = (self.encoded_ruleset(), self.encoded_theme());
        let now = self.now;
        let Some(connection) = self.clients.get_mut(&client) else { return Ok(()) };
        let (burst, per_second) = EXCURSION_LIMIT;
        let limit = connection.excursions.get_or_insert_with(|| RateLimit::new(burst, per_second, now));
        if !limit.try_take(now) || !self.excursions.try_take(now) {
            return Err(RequestError::TooManyPositions);
        }
        if tried.len() > MAX_TRIED {
            return Err(RequestError::TooManyTried);
        }
        let seats = self.seats.seats_of(client);
        // Rules can panic if they need hidden information.
        let seen = catch_panic(|| self.session.excursion_for_client(seats, n, tried));
        // An excursion that uses its whole budget of operations counts as a whole burst, so that a
        // client with slow rules cannot keep the table busy.
        let more = f64::from(burst) * self.session.game().rules().hooks.used_budget();
        limit.take(more);
        self.excursions.take(more);
        let seen = seen.map_err(|_| RequestError::CannotTry)??;
        let bytes = bytes_of(&seen);
        let patch = Patch::between(&connection.bytes, &bytes);
        let position = Update { ruleset, theme, patch, hash: hash(&bytes) };
        self.events.push((client, Event::Excursion { number, position }));
        Ok(())
    }

    fn propose_undo(&mut self, client: ClientId, at: u64) -> Result<(), RequestError> {
        self.check_version(at)?;
        let by = self.seats.seats_of(client).seats().next().ok_or(RequestError::NeedsSeat("undo"))?;
        if self.session.awaited_actor() == AwaitedActor::Nobody {
            return Err(RequestError::EverythingKnown);
        }
        if self.proposal.is_some() {
            return Err(RequestError::ProposalOpen);
        }
        // The position is never after the last step, so the part before it always exists.
        let line = self.session.steps().get(..self.session.position_index()).unwrap_or_default();
        let to = line.iter().rposition(|step| step.who == Actor::Player(by)).ok_or(RequestError::NothingToUndo)?;
        let others = self.clients.keys().copied().filter(|it| *it != client);
        let missing = others.filter(|it| self.seats.seats_of(*it) != SeatSet::NONE).collect();
        self.proposal = Some(UndoProposal { by, to, missing });
        self.send_proposal();
        self.carry_out_undo();
        Ok(())
    }

    fn answer_undo(&mut self, client: ClientId, agrees: bool) -> Result<(), RequestError> {
        let proposal = self.proposal.as_mut().filter(|proposal| proposal.missing.contains(&client));
        let proposal = proposal.ok_or(RequestError::NoProposal)?;
        if agrees {
            proposal.missing.remove(&client);
            self.carry_out_undo();
        } else {
            let declined_by = self.seats.seats_of(client).seats().next();
            self.end_proposal(declined_by);
        }
        Ok(())
    }

    fn send_proposal(&mut self) {
        let Some(UndoProposal { by, missing, .. }) = &self.proposal else { return };
        let told = self.greeted().map(|id| (id, Event::UndoProposed { by: *by, asks: missing.contains(&id) }));
        self.events.extend(told.collect::<Events>());
    }

    /// Carries out the open proposal if all guests have agreed.
    fn carry_out_undo(&mut self) {
        if let Some(proposal) = self.proposal.take_if(|proposal| proposal.missing.is_empty()) {
            self.session.go_to(proposal.to);
            self.session.delete_later_answers();
            if let Some(collector) = &mut self.collector {
                collector.undo_to(proposal.to);
            }
            self.send_all(&Event::UndoEnded { declined_by: None });
        }
    }

    /// Ends the open proposal, if there is one, without undoing.
    fn end_proposal(&mut self, declined_by: Option<Seat>) {
        if self.proposal.take().is_some() {
            self.send_all(&Event::UndoEnded { declined_by });
        }
    }
}

/// The playtest.
impl Table {
    /// Asks guests to agree that the host collects their notes, times and replies to a survey, and
    /// continues `playtest` with those of the guests who agree.
    pub fn collect_playtest(&mut self, playtest: Playtest) {
        for (_, consent) in self.seats.consents_mut() {
            // The file of an earlier playtest may be gone, and its people with it.
            consent.take_if(
                |it| matches!(it, Consent::Agreed(person) if playtest.people.iter().all(|known| known.id != *person)),
            );
        }
        self.collector = Some(Collector::new(playtest, self.session.loaded().tested_rules()));
        self.send_playtest_to_all();
    }

    /// Returns the playtest, if it has changed since the last call of
    /// [`mark_playtest_saved`](Table::mark_playtest_saved).
    pub fn unsaved_playtest(&self) -> Option<&Playtest> {
        Some(&self.collector.as_ref().filter(|collector| collector.is_unsaved)?.playtest)
    }

    /// Notes that the host has stored the playtest.
    pub fn mark_playtest_saved(&mut self) {
        if let Some(collector) = &mut self.collector {
            collector.is_unsaved = false;
        }
    }

    /// Returns the playtest so far; `None` if the table collects none.
    pub fn playtest(&self) -> Option<&Playtest> {
        Some(&self.collector.as_ref()?.playtest)
    }

    /// Returns the playtest as the program that runs the table sees it, as [`ClientId::LOCAL`];
    /// `None` if the table collects none.
    pub fn local_playtest(&self) -> Option<PlaytestView> {
        Some(self.collector.as_ref()?.view(self.consent_of(ClientId::LOCAL)))
    }

    /// Returns the consent of each seat to the playtest, and the number of spectators who take
    /// part.
    pub fn agreements(&self) -> Agreements {
        let agrees = |consent: Option<Consent>| consent.map(|consent| consent != Consent::Declined);
        let is_guest = |id: &ClientId| *id != ClientId::LOCAL && self.seats.seats_of(*id) == SeatSet::NONE;
        let watching = self.clients.iter().filter(|(id, _)| is_guest(id));
        Agreements {
            seats: self.seats.consents().into_iter().map(agrees).collect(),
            n_spectators: watching.filter(|(_, client)| agrees(client.consent) == Some(true)).count(),
        }
    }

    /// Adds the answer that the player at [`ClientId::LOCAL`] has given in the session, if there is
    /// one, and marks answers that are no longer in the game as undone.
    fn collect_local_answer(&mut self) {
        let consent = self.consent_of(ClientId::LOCAL);
        let Some(collector) = &mut self.collector else { return };
        collector.undo_others_than(|n| self.session.answer_text_at(n));
        let Some(n) = collector.open_question(ClientId::LOCAL) else { return };
        match self.session.answer_text_at(n as usize) {
            Some(text) => collector.add_answer(ClientId::LOCAL, consent, text, self.now),
            None if (self.session.position_index() as u32) < n => collector.forget_question(),
            None => {}
        }
    }

    fn consent_of(&self, client: ClientId) -> Option<Consent> {
        self.clients.get(&client)?.consent
    }

    /// Gives a client that has taken a seat the consent of the seat, if its guest has returned, or
    /// else the seat the consent of the client.
    fn join_consents(&mut self, client: ClientId, seat: Seat) {
        let of_seat = self.seats.consents_mut().find_map(|(owner, it)| (*it).filter(|_| owner == Some(client)));
        let consent = of_seat.or(self.consent_of(client));
        self.set_consent(client, consent);
        let name = self.session.view().record_name(seat).to_owned();
        if let (Some(collector), Some(Consent::Agreed(person))) = (&mut self.collector, consent) {
            collector.playtest.set_seat(person, name);
            collector.is_unsaved = true;
        }
        self.send_playtest(client);
    }

    fn set_consent(&mut self, client: ClientId, consent: Option<Consent>) {
        if let Some(connection) = self.clients.get_mut(&client) {
            connection.consent = consent;
        }
        self.seats.consents_mut().filter(|(owner, _)| *owner == Some(client)).for_each(|(_, it)| *it = consent);
    }

    /// Counts a request of a client about the playtest, and returns the collector.
    fn counted_collector(&mut self, client: ClientId) -> Result<&mut Collector, RequestError> {
        let collector = self.collector.as_mut().ok_or(RequestError::NoPlaytest)?;
        collector.count(client, self.now)?;
        Ok(collector)
    }

    fn consent(&mut self, client: ClientId, agrees: bool) -> Result<(), RequestError> {
        let before = self.consent_of(client);
        let seat = self.seats.player(client).map(|(seat, _)| self.session.view().record_name(seat).to_owned());
        let now = self.now;
        let collector = self.counted_collector(client)?;
        let consent = collector.consent(before, agrees, seat)?;
        collector.restart_time(client, now);
        self.set_consent(client, Some(consent));
        self.send_playtest(client);
        Ok(())
    }

    /// Returns the person whom a client is in the playtest.
    fn person(&self, client: ClientId) -> Result<u32, RequestError> {
        match self.consent_of(client) {
            Some(Consent::Agreed(person)) => Ok(person),
            _ => Err(RequestError::NotAgreed),
        }
    }

    /// Returns the turn of the moment after `n` answers; `None` if the game has no such moment.
    fn turn_after(&self, n: u32) -> Option<u32> {
        // The position is never after the last step, so the part before it always exists.
        let steps = self.session.steps().get(..self.session.position_index()).unwrap_or_default();
        Some(steps.get(..n as usize)?.last().map_or(0, |step| step.turn))
    }

    fn set_thumb(&mut self, client: ClientId, rule: &str, up: bool) -> Result<(), RequestError> {
        let (person, n) = (self.person(client), self.session.position_index() as u32);
        let turn = self.turn_after(n).expect_or_default("the position is a moment of the game");
        self.counted_collector(client)?.set_thumb(person?, n, turn, rule, up)?;
        self.send_playtest(client);
        Ok(())
    }

    fn add_note(&mut self, client: ClientId, n: u32, about: Option<&str>, text: &str) -> Result<(), RequestError> {
        let person = self.person(client);
        let turn = self.turn_after(n).ok_or(RequestError::NoSuchMoment)?;
        self.counted_collector(client)?.add_note(person?, n, turn, about, text)
    }

    fn reply(&mut self, client: ClientId, replies: &[(String, String)]) -> Result<(), RequestError> {
        let person = self.person(client);
        self.counted_collector(client)?.set_replies(person?, replies)?;
        self.send_playtest(client);
        Ok(())
    }

    fn send_playtest(&mut self, client: ClientId) {
        let view = self.collector.as_ref().map(|collector| collector.view(self.consent_of(client)));
        self.events.extend(view.map(|view| (client, Event::Playtest(view))));
    }

    fn send_playtest_to_all(&mut self) {
        self.greeted().collect::<Vec<_>>().into_iter().for_each(|client| self.send_playtest(client));
    }

    /// Collects the next data under the rules in play, and sends their survey if it has changed.
    fn test_rules_in_play(&mut self) {
        let rules = self.session.loaded().tested_rules();
        let Some(collector) = self.collector.as_mut().filter(|collector| collector.rules != rules) else { return };
        let has_survey_changed = collector.rules.survey != rules.survey;
        collector.rules = rules;
        collector.forget_question();
        if has_survey_changed {
            self.send_playtest_to_all();
        }
    }

    /// Starts to measure the time of the open question, if it has just been sent to the guest who
    /// must answer.
    fn time_question(&mut self) {
        let Some(collector) = &mut self.collector else { return };
        // At a past position, which only the host can show, no answer is timed.
        let client = match self.session.awaited_actor() {
            AwaitedActor::Person(seat) if self.session.is_live() => self.seats.client(seat),
            _ => None,
        };
        let client = client.filter(|client| self.clients.get(client).is_some_and(|it| it.is_greeted));
        let n = self.session.position_index() as u32;
        // The view of the session hides secret questions, which their player sees.
        let prompt = GameView::of(self.session.game()).prompt();
        let asked = client.zip(prompt).map(|(client, prompt)| (client, n, prompt));
        collector.show(asked, self.now);
    }
}

/// The clock.
impl Table {
    /// Gives each seat the time of `control` from now on. The new clock replaces an earlier one.
    pub fn start_clock(&mut self, control: TimeControl) {
        let clock = Clock::new(SavedClock::new(control, self.own_bots.len()));
        let view = clock.view(self.now);
        self.clock = Some(clock);
        self.send_all(&Event::Clock(view));
        self.send_game();
    }

    /// Returns the time at which the player to move has no time left; `None` if no time runs. At
    /// this time, the program that runs the table must call [`set_time`](Table::set_time).
    pub fn next_deadline(&self) -> Option<Instant> {
        self.clock.as_ref()?.deadline()
    }

    /// Lets the time of the player to move run if a guest has this seat, no proposal to undo is
    /// open, and the game is not paused. If the player has no time left, lets a bot play on, so
    /// that the game does not wait for an absent guest. Returns whether a bot took over.
    fn run_clock(&mut self) -> bool {
        let Some(clock) = &mut self.clock else { return false };
        let seat = match self.session.awaited_actor() {
            AwaitedActor::Person(seat)
                if self.proposal.is_none() && self.paused_by.is_none() && self.seats.name(seat).is_some() =>
            {
                Some(seat)
            }
            _ => None,
        };
        let late = seat.filter(|seat| clock.left(*seat, self.now).is_zero());
        let runs = if late.is_some() { None } else { seat };
        if clock.run(runs, self.session.view().turn(), self.now) {
            let view = clock.view(self.now);
            self.send_all(&Event::Clock(view));
        }
        let Some(late) = late else { return false };
        self.session.set_bot(late, Some(BOT_AFTER_TIME));
        let notice = format!("{} has no time left: a bot takes over", self.seats.name(late).unwrap_or_default());
        self.notify(notice);
        self.send_seats();
        true
    }

    fn is_time_over(&self, seat: Seat) -> bool {
        self.clock.as_ref().is_some_and(|clock| clock.left(seat, self.now).is_zero())
    }
}

/// Updates of the game that clients see.
impl Table {
    /// Sends the game to each client that has not yet received the current revision for its seats.
    fn send_game(&mut self) {
        self.run_clock();
        self.time_question();
        let revision = self.session.revision();
        let mut seen_by: BTreeMap<SeatSet, Arc<[u8]>> = BTreeMap::new();
        let receives = |(id, client): &(&ClientId, &mut ConnectedClient)| client.is_greeted && **id != ClientId::LOCAL;
        if !self.clients.iter_mut().any(|client| receives(&client)) {
            return;
        }
        let ((part, ruleset), (theme, _)) = (self.encoded_ruleset(), self.encoded_theme());
        for (id, client) in self.clients.iter_mut().filter(receives) {
            let own = self.seats.seats_of(*id);
            if client.shown.replace((revision, own)) == Some((revision, own)) {
                continue;
            }
            let bytes = seen_by.entry(own).or_insert_with(|| bytes_of(&self.session.game_for_client(own)));
            if client.parts.insert(part) {
                self.events.push((*id, Event::Part { id: part, bytes: ruleset.to_vec() }));
            }
            let patch = Patch::between(&client.bytes, bytes);
            client.bytes = bytes.clone();
            self.events.push((*id, Event::Game(Update { ruleset: part, theme, patch, hash: hash(bytes) })));
        }
        self.reveal();
    }

    /// If the game is over, sends the seed to each client that does not have it yet.
    fn reveal(&mut self) {
        if self.session.awaited_actor() != AwaitedActor::Nobody {
            return;
        }
        let Some(secrets) = self.secrets() else { return };
        for (id, client) in self.clients.iter_mut().filter(|(_, client)| client.is_greeted) {
            if !std::mem::replace(&mut client.knows_seed, true) {
                self.events.push((*id, Event::Revealed(secrets.clone())));
            }
        }
    }

    /// Returns the seed and the data with which guests check it; `None` if the game has no seed.
    fn secrets(&self) -> Option<Reveal> {
        let setup = self.session.setup();
        Some(Reveal { seed: setup.seed?, salt: self.salt?, position: setup.position.clone() })
    }

    /// Returns the hash and the bytes of the ruleset in play.
    fn encoded_ruleset(&mut self) -> (RulesetHash, Arc<[u8]>) {
        let ruleset = self.session.ruleset();
        if let Some((_, id, bytes)) = self.part.as_ref().filter(|(known, ..)| Arc::ptr_eq(known, ruleset)) {
            return (*id, bytes.clone());
        }
        let bytes = bytes_of(ruleset);
        let id = RulesetHash(hash(&bytes));
        self.part = Some((ruleset.clone(), id, bytes.clone()));
        (id, bytes)
    }

    /// Returns the hash and the bytes of the theme of the mods in play.
    fn encoded_theme(&mut self) -> (ThemeHash, Arc<[u8]>) {
        let theme = self.session.loaded().theme();
        if let Some((_, id, bytes)) = self.theme.as_ref().filter(|(known, ..)| Arc::ptr_eq(known, theme)) {
            return (*id, bytes.clone());
        }
        let bytes = bytes_of(&**theme);
        let id = ThemeHash(hash(&bytes));
        self.theme = Some((theme.clone(), id, bytes.clone()));
        (id, bytes)
    }
}

/// Returns the bots of a setup, by seat; `None` for a person.
fn own_bots(setup: &Setup) -> Vec<Option<String>> {
    let bot = |name: &String| setup.bots.iter().find(|(player, _)| player == name).map(|(_, bot)| bot.clone());
    setup.players.iter().map(bot).collect()
}

/// Encodes a ruleset or a game as bytes.
fn bytes_of<T: Serialize>(value: &T) -> Arc<[u8]> {
    postcard::to_stdvec(value).expect_or_default("a game can be written").into()
}

/// Returns a hash of `bytes` that is the same on every machine.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
}
