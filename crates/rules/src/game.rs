//! A game: rules, a first state and the log of answers. Everything else follows from these three.

use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use board::{PlaceError, Placement};
use diagnostic::{nearest, never};

use crate::agenda;
use crate::call::Rules;
use crate::catalogue::ItemType;
use crate::chance::Dealer;
use crate::ending;
use crate::fault::Fault;
use crate::legal_options::forbidding_mods;
use crate::panics::{Panic, catch_panic};
use crate::setup::{Seal, Setup};
use crate::state::{Actor, Answer, Decision, Question, State};
use crate::texts::{
    SEALED, actor_text, is_header_keyword, option_text, option_texts, option_with_text, parse_facing, parse_spot,
};

/// The status of a game.
#[derive(Clone, Copy, Debug)]
pub enum Status<'g> {
    /// The game waits for an answer to this decision.
    Decision(&'g Decision),
    /// A function of a mod or the engine failed. The game accepts no answers until the caller
    /// replays or undoes answers.
    Fault(&'g Fault),
    /// The game is over.
    Over,
}

/// The reason why an existing item is not offered for a draw.
const NONE_LEFT: &str = "it cannot be drawn now, or none is left";

/// An answer that is not among the options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotOffered {
    /// The rejected answer, as text.
    pub answer: String,
    /// The record's word for the player who must answer, or `chance`. `None` if the game is over or
    /// has a fault.
    pub who: Option<String>,
    /// The text of the question; if `who` is `None`, the reason why the game accepts no answer.
    pub question: String,
    /// The texts of the options of the open decision; empty if none is open.
    pub options: Box<[String]>,
    /// The id of the mod that asked; `None` if the core asked or no decision is open.
    pub asked_by: Option<Box<str>>,
    /// The reason why the answer is not offered; `None` if unknown.
    pub reason: Option<Box<str>>,
}

impl fmt::Display for NotOffered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(who) = &self.who else {
            return write!(f, "`{}` was answered, but {}", self.answer, self.question);
        };
        let first = first_word(&self.answer);
        let firsts = || self.options.iter().map(|option| first_word(option));
        let near = || nearest(first, firsts()).filter(|_| firsts().all(|word| word != first));
        let same_name = self.options.iter().find(|option| differs_in_mod(option, &self.answer)).map(String::as_str);
        let same_name = same_name.filter(|_| self.reason.as_deref() != Some(NONE_LEFT));
        let near = same_name.or_else(|| near().filter(|_| self.reason.is_none()));
        let reason = match (&self.reason, near) {
            (Some(reason), Some(near)) => format!(": {reason}; did you mean `{near}`?"),
            (Some(reason), None) => format!(": {reason}."),
            (None, Some(near)) => format!("; did you mean `{near}`?"),
            (None, None) => ".".to_owned(),
        };
        write!(f, "`{}` is not offered{reason} {who} is asked: {}", self.answer, self.question)?;
        if let Some(owner) = &self.asked_by {
            write!(f, " (mod {owner})")?;
        }
        let (like, rest): (Vec<_>, Vec<_>) = self.options.iter().partition(|option| first_word(option) == first);
        let shown: Vec<&str> = like.into_iter().chain(rest).take(12).map(String::as_str).collect();
        let stop = if self.asked_by.is_none() && self.question.ends_with(['?', '.', '!']) { "" } else { "." };
        write!(f, "{stop} Offered: {}", shown.join(", "))?;
        if self.options.len() > shown.len() {
            write!(f, " and {} more", self.options.len() - shown.len())?;
        }
        Ok(())
    }
}

impl std::error::Error for NotOffered {}

fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

/// Returns whether two texts differ only in the mod of one word: `draw base/U` and `draw U`.
fn differs_in_mod(one: &str, other: &str) -> bool {
    let (ones, others): (Vec<&str>, Vec<&str>) = (one.split(' ').collect(), other.split(' ').collect());
    let n_different = ones.iter().zip(&others).filter(|(one, other)| one != other).count();
    n_different == 1 && ones.iter().map(|word| without_mod(word)).eq(others.iter().map(|word| without_mod(word)))
}

/// Returns the name of a thing without its mod: `U` for `base/U`.
fn without_mod(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, own)| own)
}

/// A game that can be answered, undone and replayed.
#[derive(Clone)]
pub struct Game {
    rules: Rc<Rules>,
    setup: Setup,
    start: Arc<State>,
    state: State,
    log: Vec<Answer>,
    fault: Option<Box<Fault>>,
}

/// A game without its rules: plain data that any thread with the same rules can resume.
#[derive(Clone)]
pub struct ParkedGame {
    setup: Setup,
    start: Arc<State>,
    state: State,
    log: Vec<Answer>,
    fault: Option<Box<Fault>>,
}

impl ParkedGame {
    /// Resumes the game with `rules`, made from the same mods and settings as before.
    pub fn resume(self, rules: Rc<Rules>) -> Game {
        let ParkedGame { setup, start, state, log, fault } = self;
        Game { rules, setup, start, state, log, fault }
    }
}

impl Game {
    /// Returns the game without its rules, because rules belong to one thread.
    pub fn park(self) -> ParkedGame {
        let Game { rules: _, setup, start, state, log, fault } = self;
        ParkedGame { setup, start, state, log, fault }
    }

    /// Begins a game at `start`, which a [`PositionBuilder`](crate::PositionBuilder) made for
    /// `setup`, and runs the game to its first decision.
    pub fn from_position(rules: Rc<Rules>, setup: Setup, start: Arc<State>) -> Game {
        let state = State::clone(&start);
        let mut game = Game { rules, setup, start, state, log: Vec::new(), fault: None };
        game.begin();
        game
    }

    /// Reserves memory for a whole game. A copied game has no spare memory. Without this call, a
    /// random game spends 5% of its time on growing its lists step by step (benchmark
    /// `random_game`).
    pub fn reserve(&mut self) {
        let decks = self.rules.catalogue().decks.iter().zip(self.state.decks.iter());
        let n_tiles: usize = decks.filter(|(d, _)| d.holds == ItemType::Tiles).map(|(_, deck)| deck.len()).sum();
        self.log.reserve(3 * n_tiles);
        let state = &mut self.state;
        let n_laid = state.board.n_laid();
        state.board.reserve(n_laid + n_tiles.min(200));
        state.touched.reserve(32);
        state.awards.reserve(32);
    }

    /// Runs the game to its first decision.
    fn begin(&mut self) {
        self.run(agenda::advance);
    }

    /// Calls `work`, which runs the engine. Stores the fault if a mod or the engine fails.
    fn run(&mut self, work: impl FnOnce(&Rules, &mut State) -> Result<(), Box<Fault>>) {
        self.rules.hooks.reset_budget();
        match catch_panic(|| work(&self.rules, &mut self.state)) {
            Ok(Ok(())) => {}
            Ok(Err(fault)) => self.fault = Some(fault),
            Err(panic) => self.record_panic(panic),
        }
    }

    /// Turns a panic into a fault. Restores the state before the last answer, so that no answer is
    /// applied in part. The log keeps the last answer.
    #[cold]
    fn record_panic(&mut self, panic: Panic) {
        let fault = agenda::panic_fault(&self.rules, &self.state, panic);
        let last = self.log.pop();
        match last {
            Some(_) => self.go_to(self.log.len()),
            None => self.state = State::clone(&self.start),
        }
        self.log.extend(last);
        self.state.machine.is_waiting = false;
        self.fault = Some(fault);
    }

    /// Returns the status of the game.
    pub fn status(&self) -> Status<'_> {
        match (&self.fault, self.state.decision()) {
            (Some(fault), _) => Status::Fault(fault),
            (None, Some(decision)) => Status::Decision(decision),
            (None, None) => Status::Over,
        }
    }

    /// Returns the fault that stopped the game; `None` if no mod has failed.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_deref()
    }

    /// Returns the state. If a function of a mod waits for an answer, [`State::view`] contains the
    /// effects of that function so far.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the state with which the game began, before the engine ran to the first decision.
    pub fn start(&self) -> &Arc<State> {
        &self.start
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rc<Rules> {
        &self.rules
    }

    /// Returns the players, mods and settings.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the answers so far.
    pub fn log(&self) -> &[Answer] {
        &self.log
    }

    /// Answers the open decision.
    ///
    /// # Errors
    /// Returns an error that lists the options if `choice` is not one of them, or after a fault.
    pub fn answer(&mut self, choice: Answer) -> Result<(), NotOffered> {
        let offered = self.fault.is_none()
            && self.state.decision().is_some_and(|d| d.is_legal(&self.rules.ruleset, &self.state, choice));
        if !offered {
            return Err(self.not_offered(&format!("{choice:?}")));
        }
        self.apply(choice);
        Ok(())
    }

    /// Answers the open decision with option number `n`, counted from 0 in the order of
    /// [`Decision::options`].
    ///
    /// # Panics
    /// Panics if the open decision has no option `n`, or no decision is open.
    pub fn answer_nth(&mut self, n: usize) {
        let decision = self.state.decision().expect("a decision is open");
        let choice =
            decision.nth(&self.rules.ruleset, &self.state, n).expect("the decision has an option with this number");
        self.apply(choice);
    }

    /// Returns the answer to the open decision that a record writes as `text`: the option with this
    /// text or, in a round, a sealed answer. Returns `None` if there is no such answer, or after a
    /// fault.
    pub fn answer_with_text(&self, text: &str) -> Option<Answer> {
        let Status::Decision(decision) = self.status() else { return None };
        let (ruleset, state) = (&self.rules.ruleset, &self.state);
        let sealed = || (text == SEALED && decision.is_legal(ruleset, state, Answer::Sealed)).then_some(Answer::Sealed);
        option_with_text(ruleset, state, text).or_else(sealed)
    }

    /// Answers the open decision with the answer that a record writes as `text`. Returns that
    /// answer.
    ///
    /// # Errors
    /// Returns an error that lists the options if there is no such answer, or after a fault.
    pub fn answer_text(&mut self, text: &str) -> Result<Answer, NotOffered> {
        let choice = self.answer_with_text(text).ok_or_else(|| self.not_offered(text))?;
        self.apply(choice);
        Ok(choice)
    }

    /// Applies an answer that is among the options.
    fn apply(&mut self, choice: Answer) {
        self.log.push(choice);
        self.run(|rules, state| agenda::answer(rules, state, choice));
    }

    /// Returns the error for `answer`, which is not among the options, with its reason if that is
    /// known.
    pub fn not_offered(&self, answer: &str) -> NotOffered {
        let (who, question, asked_by) = match self.status() {
            Status::Fault(fault) => (None, format!("the game has stopped: {fault}"), None),
            Status::Over => (None, "the game is over".to_owned(), None),
            Status::Decision(decision) => {
                let who = actor_text(&self.state, decision.who).to_owned();
                let asked_by = match decision.question {
                    Question::Ask(function) => {
                        let catalogue = self.rules.catalogue();
                        Some(catalogue.mods[catalogue.functions[function.idx()].owner.idx()].id.as_str().into())
                    }
                    _ => None,
                };
                (Some(who), decision.prompt.to_string(), asked_by)
            }
        };
        let options = option_texts(&self.rules.ruleset, &self.state).into();
        NotOffered {
            answer: answer.to_owned(),
            who,
            question,
            options,
            asked_by,
            reason: self.refusal_reason(answer).map(Into::into),
        }
    }

    /// Returns the reason why `answer` is not offered; `None` if unknown.
    fn refusal_reason(&self, answer: &str) -> Option<String> {
        let Status::Decision(decision) = self.status() else { return None };
        let catalogue = self.rules.catalogue();
        let words: Vec<&str> = answer.split(' ').collect();
        match (decision.question, words.as_slice()) {
            (Question::Draw(deck), ["draw", item]) => match item.split_once('/') {
                Some((owner, _)) if catalogue.mod_named(owner).is_none() => {
                    Some(format!("the mod {owner} is not in this game"))
                }
                _ => match catalogue.item_named(deck, item) {
                    Some(_) => Some(NONE_LEFT.to_owned()),
                    None => Some(format!("the deck {} has no {item}", catalogue.decks[deck.idx()].name)),
                },
            },
            (Question::Place(tile), ["place", spot, facing]) => {
                let place = Placement { spot: parse_spot(spot).ok()?, facing: parse_facing(facing).ok()? };
                match self.state.board.check(&catalogue.tile_set, place.spot, tile, place.facing) {
                    Ok(()) => {
                        let mods = forbidding_mods(&self.rules, &self.state, tile, place);
                        (!mods.is_empty()).then(|| format!("{} does not allow it there", mods.join(" and ")))
                    }
                    Err(PlaceError::Taken) => Some("a tile lies there".to_owned()),
                    Err(PlaceError::Apart) => Some("no tile lies beside it".to_owned()),
                    Err(PlaceError::Edge(edge)) => {
                        Some(format!("its {} edge does not fit the neighbour", edge.letter()))
                    }
                }
            }
            (_, [word, ..]) if is_header_keyword(word) => {
                Some("this line belongs to the header, before the first answer".to_owned())
            }
            _ => None,
        }
    }

    /// Repeats an answer from the log of another game with the same rules and start. Does nothing
    /// after a fault, because the other game had the same fault and applied no more answers either.
    pub fn repeat(&mut self, choice: Answer) {
        if self.fault.is_none() && self.answer(choice).is_err() {
            never!("the game refused {choice:?}, an answer from a log under the same rules");
        }
    }

    /// Answers chance decisions until a player must answer, the game is over or a fault occurs.
    /// Returns the number of these answers.
    pub fn deal(&mut self, dealer: &mut Dealer) -> usize {
        let mut n = 0;
        while self.fault.is_none() {
            let Some(choice) = dealer.answer(&self.rules.ruleset, &self.state) else { break };
            self.apply(choice);
            n += 1;
        }
        n
    }

    /// Returns to the state after the first `n` answers and discards the later answers.
    pub fn go_to(&mut self, n: usize) {
        let mut log = std::mem::take(&mut self.log);
        log.truncate(n);
        self.state = State::clone(&self.start);
        self.fault = None;
        self.begin();
        for answer in log {
            if self.fault.is_some() {
                self.log.push(answer);
                continue;
            }
            self.apply(answer);
        }
    }

    /// Returns a copy of the game after its first `n` answers.
    pub fn after(&self, n: usize) -> Game {
        let mut game = self.clone();
        game.go_to(n);
        game
    }

    /// Replays the log, for example after the cause of a fault was fixed.
    pub fn retry(&mut self) {
        self.go_to(self.log.len());
    }

    /// Undoes the last `n` answers, or all answers if there are fewer.
    pub fn undo(&mut self, n: usize) {
        if n > 0 {
            self.go_to(self.log.len().saturating_sub(n));
        }
    }

    /// Sets the bots of the setup: pairs of a player and the name of a bot. Bots do not affect the
    /// state of the game.
    pub fn change_bots(&mut self, bots: Vec<(String, String)>) {
        self.setup.bots = bots;
    }

    /// Sets the seals of the setup. Seals do not affect the state of the game.
    pub fn change_seals(&mut self, seals: Vec<Seal>) {
        self.setup.seals = seals;
    }

    /// Returns the texts of the answers so far, as in a record.
    pub fn log_texts(&self) -> Vec<String> {
        let mut replay = Game::from_position(self.rules.clone(), self.setup.clone(), self.start.clone());
        let mut texts = Vec::with_capacity(self.log.len());
        for choice in &self.log {
            if let Some(decision) = replay.state.decision() {
                texts.push(option_text(&self.rules.ruleset, &replay.state, decision, *choice));
            }
            replay.apply(*choice);
        }
        texts
    }

    /// Goes to the final count at once, even in the middle of a turn. Features that are complete
    /// but not scored yet also pay. Tests use this method to check final scores.
    pub fn end_now(&mut self) {
        self.run(|rules, state| {
            ending::end_now(rules, state);
            agenda::advance(rules, state)
        });
    }

    /// Returns whether chance must answer the open decision.
    pub fn waits_for_chance(&self) -> bool {
        self.state.decision().is_some_and(|d| d.who == Actor::Chance)
    }
}
