//! A player whose choices are made by an external program.

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use diagnostic::{ExpectOrDefault, shortened};
use players::{AnswerHistory, BotInfo, Player, View};
use rules::{Actor, Seat, State};
use table::{GameView, json};

use crate::message::{BotMessage, BotReply, ModVersion, PROTOCOL_VERSION};
use crate::process::Process;
use crate::program_error::ProgramError;
use crate::program_name::{MAX_SECONDS, fractional_limit, split_name};

/// The maximum time for the start of a program, in seconds.
const START_SECONDS: u32 = 30;

/// The interval at which the player checks whether to stop while it waits for the program.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Returns the player called `exec:COMMAND`, or `exec:5s:COMMAND` with a time limit per choice;
/// `None` if `name` does not begin with `exec:`. Spaces separate the words of the command.
///
/// # Errors
/// Returns an error if `name` contains no command or an invalid limit.
pub fn program_named(name: &str) -> Option<Result<BotInfo, ProgramError>> {
    let (seconds, command) = split_name(name)?;
    if let Some(limit) = fractional_limit(name) {
        return Some(Err(ProgramError::NotWholeSeconds(limit.to_owned())));
    }
    if !(1..=MAX_SECONDS).contains(&seconds) {
        return Some(Err(ProgramError::LimitOutOfRange(seconds)));
    }
    if name.chars().any(char::is_control) {
        return Some(Err(ProgramError::ControlCharacters));
    }
    if command.trim().is_empty() {
        return Some(Err(ProgramError::NoCommand));
    }
    let about = format!("asks the program `{command}`, which has {seconds} s for each choice");
    let (shared_name, command): (Arc<str>, Arc<str>) = (name.into(), command.into());
    let limit = Duration::from_secs(seconds.into());
    let make =
        move |seed| Box::new(ExternalPlayer::new(shared_name.clone(), command.clone(), limit, seed)) as Box<dyn Player>;
    Some(Ok(BotInfo::new(name.to_owned(), about, make)))
}

/// A player whose choices are made by an external program.
struct ExternalPlayer {
    name: Arc<str>,
    command: Arc<str>,
    limit: Duration,
    seed: u64,
    /// The running program; `None` before the first choice and after a failure.
    process: Option<Process>,
    /// The number of questions that the program has not answered yet. If the player is stopped
    /// during a choice, the program may answer that question later.
    n_owed: usize,
    has_begun: bool,
    /// The history of the game's answers for the next choice; `None` if the caller has not passed
    /// it.
    course: Option<AnswerHistory>,
    failure: Option<String>,
    stops: Rc<dyn Fn() -> bool>,
}

impl ExternalPlayer {
    fn new(name: Arc<str>, command: Arc<str>, limit: Duration, seed: u64) -> ExternalPlayer {
        let stops = Rc::new(|| false);
        ExternalPlayer {
            name,
            command,
            limit,
            seed,
            process: None,
            n_owed: 0,
            has_begun: false,
            course: None,
            failure: None,
            stops,
        }
    }

    /// Returns the number of the option that the program chooses; `None` if the player was stopped.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started, or if it gives no valid answer in time.
    fn ask(&mut self, view: &View<'_>) -> Result<Option<usize>, ProgramError> {
        let Actor::Player(seat) = view.decision.who else { return Ok(None) };
        let limit = self.limit;
        let course = self.course.take();
        let begin = (!self.has_begun).then(|| begin_message(view, seat, course.as_ref(), self.seed));
        let (decide, texts) = decide_message(view, seat, course, limit);
        let process = match &mut self.process {
            Some(process) => process,
            None => {
                self.n_owed = 0;
                self.process.insert(start(&self.command)?)
            }
        };
        if self.n_owed == 0
            && let Some(text) = process.receive(Instant::now())?
        {
            return Err(ProgramError::Unasked(shortened(text.trim_end()).into_owned()));
        }
        if let Some(begin) = begin {
            process.send(json_line(&begin));
            self.has_begun = true;
        }
        process.send(json_line(&decide));
        self.n_owed += 1;
        let deadline = Instant::now() + limit;
        loop {
            let text = match process.receive(deadline.min(Instant::now() + POLL_INTERVAL)) {
                Ok(Some(text)) => text,
                Ok(None) if (self.stops)() => return Ok(None),
                Ok(None) if Instant::now() < deadline => continue,
                Ok(None) => return Err(ProgramError::Silent { to: None, seconds: limit.as_secs() }),
                Err(error) => return Err(error),
            };
            self.n_owed -= 1;
            let chosen = match parse_reply(&text)? {
                BotReply::Choose { n: Some(n), .. } => Ok(n),
                BotReply::Choose { n: None, text: Some(text) } => Err(text),
                BotReply::Choose { n: None, text: None } => return Err(ProgramError::EmptyChoice),
                BotReply::Error { message } => return Err(ProgramError::Says(shortened(&message).into_owned())),
                BotReply::Ready { .. } => return Err(ProgramError::OutOfTurn { sent: "ready", due: "choose" }),
            };
            // Skips a late reply to an earlier question.
            if self.n_owed > 0 {
                continue;
            }
            let n = match &chosen {
                Ok(n) => Some(*n).filter(|n| *n < texts.len()),
                Err(text) => texts.iter().position(|it| it == text),
            };
            return n.map(Some).ok_or_else(|| match chosen {
                Ok(n) => ProgramError::NoSuchOption { n, last: texts.len() - 1 },
                Err(text) => ProgramError::NotAnOption(shortened(&text).into_owned()),
            });
        }
    }
}

impl Player for ExternalPlayer {
    fn reset(&mut self, seed: u64) {
        (self.seed, self.has_begun, self.failure) = (seed, false, None);
    }

    fn choose(&mut self, view: &View<'_>) -> usize {
        self.ask(view).map(Option::unwrap_or_default).unwrap_or_else(|reason| {
            // The next choice starts the program again.
            self.process = None;
            self.has_begun = false;
            self.failure = Some(format!("the bot `{}` failed: {reason}", self.name));
            0
        })
    }

    fn observe_history(&mut self, course: &dyn Fn() -> AnswerHistory) {
        self.course = Some(course());
    }

    fn take_failure(&mut self) -> Option<String> {
        self.failure.take()
    }

    fn notify_game_over(&mut self, state: &State) {
        let course = self.course.take();
        let Some(process) = self.process.as_mut().filter(|_| self.has_begun) else { return };
        let word = |seat: Seat| state.name(seat).to_owned();
        let end = BotMessage::End {
            scores: state.seats().map(|seat| (word(seat), state.score(seat).into())).collect(),
            winners: state.winners().seats().map(word).collect(),
            answers: answers_in(course),
        };
        process.send(json_line(&end));
    }

    fn set_stop(&mut self, stops: Rc<dyn Fn() -> bool>) {
        self.stops = stops;
    }
}

/// Starts a program, sends [`BotMessage::Hello`] and waits for [`BotReply::Ready`].
fn start(command: &str) -> Result<Process, ProgramError> {
    let mut process = Process::start(command)?;
    process.send(json_line(&BotMessage::Hello {
        protocol: PROTOCOL_VERSION,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }));
    let deadline = Instant::now() + Duration::from_secs(START_SECONDS.into());
    let text = process.receive(deadline)?;
    let text = text.ok_or(ProgramError::Silent { to: Some("hello"), seconds: START_SECONDS.into() })?;
    match parse_reply(&text)? {
        BotReply::Ready { protocol: PROTOCOL_VERSION, .. } => Ok(process),
        BotReply::Ready { protocol, .. } => Err(ProgramError::Version(protocol)),
        BotReply::Error { message } => Err(ProgramError::Says(message)),
        BotReply::Choose { .. } => Err(ProgramError::OutOfTurn { sent: "choose", due: "ready" }),
    }
}

/// Returns the answers of a game; `None` if the game began at a given position.
fn answers_in(course: Option<AnswerHistory>) -> Option<Vec<Option<String>>> {
    course.filter(|it| !it.has_position).map(|it| it.answers)
}

/// Returns the message that begins a game.
fn begin_message(view: &View<'_>, seat: Seat, course: Option<&AnswerHistory>, seed: u64) -> BotMessage {
    let (ruleset, state) = (&view.rules.ruleset, view.state);
    let catalogue = &ruleset.catalogue;
    let version = |it: &rules::ModInfo| ModVersion { id: it.id.clone(), version: it.version.clone() };
    BotMessage::Begin {
        seat: state.name(seat).to_owned(),
        players: state.seats().map(|seat| state.name(seat).to_owned()).collect(),
        begins: course.and_then(|it| it.begins.clone()),
        seed,
        mods: catalogue.mods.iter().map(version).collect(),
        settings: json::settings_in_play(ruleset),
        tiles: json::tiles(catalogue),
    }
}

/// Returns the message that requests a choice, and the texts of the options.
fn decide_message(
    view: &View<'_>,
    seat: Seat,
    course: Option<AnswerHistory>,
    limit: Duration,
) -> (BotMessage, Vec<String>) {
    let (ruleset, state) = (&view.rules.ruleset, view.state);
    let seen = GameView::of_state(ruleset, state, seat.into());
    let message = BotMessage::Decide {
        seconds: Some(limit.as_secs_f64()),
        state: json::state(seen),
        // A decision is open, so the value is not `null`.
        decision: json::decision(seen).into(),
        answers: answers_in(course),
    };
    let options = view.decision.options(ruleset, state);
    (message, options.iter().map(|it| rules::option_text(ruleset, state, view.decision, *it)).collect())
}

/// Returns a message as a line of JSON, including the line feed.
pub(crate) fn json_line(message: &impl serde::Serialize) -> String {
    serde_json::to_string(message).expect_or_default("a message can be written") + "\n"
}

fn parse_reply(text: &str) -> Result<BotReply, ProgramError> {
    let line = || text.trim_end().chars().take(80).collect();
    serde_json::from_str(text).map_err(|error| ProgramError::NotAMessage { line: line(), error })
}
