//! The opposite role in the protocol: a bot of Bastide plays for another program.

use std::io::{self, BufRead, Write};
use std::rc::Rc;
use std::sync::Arc;

use loader::{Library, Problems, SettingErrors};
use players::{BotInfo, Player, View};
use record::GivenErrors;
use rules::{
    Actor, Failure, Fault, Game, NotOffered, Panic, Rules, RulesFactory, Setup, SetupError, State, Status, catch_panic,
    option_text, redacted_for,
};
use serde_json::Value;
use thiserror::Error;

use crate::message::{BotMessage, BotReply, ModVersion, PROTOCOL_VERSION};
use crate::player::json_line;

/// The maximum length of a message, in bytes.
const MAX_MESSAGE_BYTES: u64 = 64 << 20;

/// Answers messages from `input` with `bot` until the input ends. If a message cannot be answered,
/// sends an `error` reply and continues.
///
/// # Errors
/// Returns an error if the input cannot be read or the output cannot be written.
pub fn serve(library: &Library, bot: &BotInfo, input: &mut impl BufRead, output: &mut impl Write) -> io::Result<()> {
    let mut server = Server { library, bot: bot.make(0), name: bot.name.to_string(), table: None };
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if io::Read::take(&mut *input, MAX_MESSAGE_BYTES).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(());
        }
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        // A panic of the engine affects only the reply to this message, not the whole program.
        let reply = catch_panic(|| server.reply(&bytes)).unwrap_or_else(|panic| Err(panic.into()));
        let reply = reply.unwrap_or_else(|error| Some(BotReply::Error { message: error.to_string() }));
        if let Some(reply) = reply {
            output.write_all(json_line(&reply).as_bytes())?;
            output.flush()?;
        }
    }
}

/// A reason why a message cannot be read or answered. The text is a sentence without a full stop.
#[derive(Debug, Error)]
enum ServeError {
    #[error("this is not a message: {0}")]
    NotAMessage(#[from] serde_json::Error),
    #[error("this bot speaks version {PROTOCOL_VERSION} of the protocol, not version {0}")]
    Version(u32),
    #[error("a `decide` message came before `begin`")]
    NoGame,
    #[error("this bot needs `answers`, all answers since the beginning of the game")]
    NoAnswers,
    #[error("{}", .0.list().iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Mods(Problems),
    #[error("the mod {id} has another version here than {version}")]
    OtherVersion { id: String, version: String },
    #[error(transparent)]
    Settings(#[from] SettingErrors),
    #[error("{}", .0.message)]
    Rules(Failure),
    #[error(transparent)]
    Players(#[from] SetupError),
    #[error("`{0}` is not among the players")]
    NotAPlayer(String),
    #[error(transparent)]
    Position(#[from] GivenErrors),
    #[error("answer {0} is hidden, and this bot needs all answers")]
    Hidden(usize),
    #[error("answer {n}: {error}")]
    NotOffered { n: usize, error: Box<NotOffered> },
    #[error("answer {n}: {fault}")]
    Fault { n: usize, fault: Box<Fault> },
    #[error("no decision is open in this position")]
    NoDecision,
    #[error("the open decision is for chance: add its answer")]
    ForChance,
    #[error("the open decision is for {asked}, not for {seat}")]
    ForOther { asked: String, seat: String },
    #[error("the open decision has no options")]
    NoOptions,
    #[error("{0}")]
    Bot(String),
    #[error(transparent)]
    Panic(#[from] Panic),
}

/// A bot with the game that it plays.
struct Server<'l> {
    library: &'l Library,
    bot: Box<dyn Player>,
    name: String,
    table: Option<ServedGame>,
}

/// The game that the bot plays.
struct ServedGame {
    rules: Rc<Rules>,
    seat: String,
    setup: Setup,
    /// The game at the last choice, and the answers before that choice; `None` before the first
    /// choice.
    game: Option<(Game, Vec<Option<String>>)>,
}

impl Server<'_> {
    /// Returns the reply to a message; `None` if the message needs no reply.
    ///
    /// # Errors
    /// Returns an error if the message cannot be read or answered.
    fn reply(&mut self, bytes: &[u8]) -> Result<Option<BotReply>, ServeError> {
        match serde_json::from_slice(bytes)? {
            BotMessage::Hello { protocol: PROTOCOL_VERSION, .. } => {
                Ok(Some(BotReply::Ready { protocol: PROTOCOL_VERSION, name: Some(self.name.clone()) }))
            }
            BotMessage::Hello { protocol, .. } => Err(ServeError::Version(protocol)),
            BotMessage::Begin { seat, players, begins, seed, mods, settings, tiles: _ } => {
                self.table = None;
                let settings = settings.into_iter().map(|(name, value)| (name, setting_text(&value))).collect();
                let setup = Setup { players, begins, settings, ..Setup::default() };
                self.table = Some(ServedGame::new(self.library, seat, &mods, setup)?);
                self.bot.reset(seed);
                Ok(None)
            }
            BotMessage::Decide { answers, .. } => {
                let table = self.table.as_mut().ok_or(ServeError::NoGame)?;
                let answers = answers.ok_or(ServeError::NoAnswers)?;
                let state = table.state_after(answers)?;
                table.choose(&mut *self.bot, &state).map(Some)
            }
            BotMessage::End { .. } => Ok(None),
        }
    }
}

impl ServedGame {
    fn new(library: &Library, seat: String, mods: &[ModVersion], setup: Setup) -> Result<ServedGame, ServeError> {
        let ids: Vec<&str> = mods.iter().map(|it| it.id.as_str()).collect();
        let (loaded, problems) = library.load(&ids);
        let loaded = loaded.map(Arc::new).ok_or(ServeError::Mods(problems))?;
        let differs = |it: &&ModVersion| {
            let here = loaded.catalogue().mods.iter().find(|here| here.id == it.id);
            !it.version.is_empty() && here.is_some_and(|here| here.version != it.version)
        };
        if let Some(other) = mods.iter().find(differs) {
            return Err(ServeError::OtherVersion { id: other.id.clone(), version: other.version.clone() });
        }
        let values = loaded.settings_from(&setup.settings)?;
        let rules = loaded.rules(values).map_err(ServeError::Rules)?;
        let setup = Setup { mods: Setup::of(&ids, 0).mods, ..setup };
        setup.check_players(rules.catalogue())?;
        if !setup.players.contains(&seat) {
            return Err(ServeError::NotAPlayer(seat));
        }
        Ok(ServedGame { rules: Rc::new(rules), seat, setup, game: None })
    }

    /// Returns the state after `answers`, as the bot's seat sees it. If `answers` begins with the
    /// answers of the last call, gives only the new answers.
    fn state_after(&mut self, answers: Vec<Option<String>>) -> Result<State, ServeError> {
        let known = self.game.take().filter(|(_, known)| answers.starts_with(known));
        let (mut game, known) = match known {
            Some(known) => known,
            None => (record::start_game(self.rules.clone(), self.setup.clone())?, Vec::new()),
        };
        for (n, answer) in (1..).zip(&answers).skip(known.len()) {
            let answer = answer.as_ref().ok_or(ServeError::Hidden(n))?;
            game.answer_text(answer).map_err(|error| ServeError::NotOffered { n, error: error.into() })?;
            if let Status::Fault(fault) = game.status() {
                return Err(ServeError::Fault { n, fault: fault.clone().into() });
            }
        }
        let seat = game.state().seats().find(|seat| game.state().name(*seat) == self.seat);
        let viewer = seat.ok_or_else(|| ServeError::NotAPlayer(self.seat.clone()))?;
        let state = redacted_for(&self.rules, game.state(), viewer.into()).into_owned();
        self.game = Some((game, answers));
        Ok(state)
    }

    fn choose(&self, bot: &mut dyn Player, state: &State) -> Result<BotReply, ServeError> {
        let decision = state.decision().ok_or(ServeError::NoDecision)?;
        let Actor::Player(asked) = decision.who else { return Err(ServeError::ForChance) };
        if state.name(asked) != self.seat {
            let asked = state.name(asked).to_owned();
            return Err(ServeError::ForOther { asked, seat: self.seat.clone() });
        }
        let options = decision.options(&self.rules.ruleset, state);
        let chosen = bot.choose(&View { rules: &self.rules, state, decision });
        if let Some(failure) = bot.take_failure() {
            return Err(ServeError::Bot(failure));
        }
        let n = chosen.min(options.len().saturating_sub(1));
        let text = options.get(n).map(|answer| option_text(&self.rules.ruleset, state, decision, *answer));
        let text = text.ok_or(ServeError::NoOptions)?;
        Ok(BotReply::Choose { n: Some(n), text: Some(text) })
    }
}

/// Returns the value of a setting as text, such as `true`, `5` or `rich`.
fn setting_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}
