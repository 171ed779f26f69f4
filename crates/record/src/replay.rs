//! Replays: gives the answers of a record in a game, and checks the expectations of the record.

use std::rc::Rc;

use diagnostic::{Diagnostic, Span, nearest, never};
use rules::{
    Catalogue, Dealer, Decision, Game, ModUse, Question, Rules, Setup, Status, TextError, find_zone, option_text,
    option_with_text, parse_spot,
};

use crate::expect::check;
use crate::position_reader::start_game;
use crate::record::{self, LogEntry, LogLine, Record};
use crate::seal::broken_seals;
use crate::suggest::suggest;

/// A failed line of a record: an answer that the rules do not offer, or an expectation that does
/// not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailedEntry {
    /// The line of the record, counted from 1.
    pub line: usize,
    /// The text of the line.
    pub text: String,
    /// For an expectation, the actual value. For an answer, the reason why the answer does not fit.
    pub actual: String,
    /// True for an expectation, false for an answer.
    pub is_expectation: bool,
    /// An expectation that holds and has the same subject, without the word `expect`. `None` for an
    /// answer, or if no line can state such an expectation.
    pub replacement: Option<String>,
}

/// The result of running a record.
pub struct Replay {
    /// The game at the end of the record, or at the first answer that does not fit.
    pub game: Game,
    /// The failed expectations, and the first answer that does not fit.
    pub failures: Vec<FailedEntry>,
    /// Warnings about the record.
    pub warnings: Vec<Diagnostic>,
    /// The number of expectations that were checked.
    pub n_expectations: usize,
    /// If the game has a fault, the line after which the game had it; 0 if the game began with it.
    pub fault_line: usize,
}

/// A decision during a replay, and the answer that the record gives.
pub struct ReplayedDecision<'r> {
    /// The game with the decision open.
    pub game: &'r Game,
    /// The number of answers given before this decision.
    pub n: usize,
    /// The decision.
    pub decision: &'r Decision,
    /// The text of the answer.
    pub answer: &'r str,
}

/// Runs a record. Before giving an answer, calls `each` with the decision and the answer.
///
/// # Errors
/// Returns an error if the players are invalid or the position cannot be built.
pub fn replay(
    rules: Rc<Rules>,
    record: &Record,
    each: impl FnMut(ReplayedDecision<'_>),
) -> Result<Replay, Vec<Diagnostic>> {
    replay_while(rules, record, each, || true)?.ok_or_else(|| vec![record::error(0, "it was stopped")])
}

/// Runs a record as [`replay`] does, but can be stopped: calls `goes_on` before each line, and
/// returns `None` as soon as `goes_on` returns false.
///
/// # Errors
/// Returns an error if the players are invalid or the position cannot be built.
pub fn replay_while(
    rules: Rc<Rules>,
    record: &Record,
    mut each: impl FnMut(ReplayedDecision<'_>),
    goes_on: impl Fn() -> bool,
) -> Result<Option<Replay>, Vec<Diagnostic>> {
    if let Err(error) = record.setup.check_players(rules.catalogue()) {
        return Err(vec![record::error(0, error.to_string())]);
    }
    let game = start_game(rules, record.setup.clone()).map_err(|errors| {
        let line = |i: usize| record.given_at.get(i).copied().unwrap_or(0);
        errors.0.into_iter().map(|(i, error)| record::error(line(i), error.to_string())).collect::<Vec<_>>()
    })?;
    let mut run = Replay { game, failures: Vec::new(), warnings: Vec::new(), n_expectations: 0, fault_line: 0 };
    let mut dealer = record.setup.seed.map(Dealer::new);
    let last_answer = record.lines.iter().rposition(|l| !matches!(l.entry, LogEntry::Expect(_)));
    let mut window = 0;
    if last_answer.is_none() {
        run.deal(&mut dealer, &mut each);
    }
    for (i, line) in record.lines.iter().enumerate() {
        if !goes_on() {
            return Ok(None);
        }
        let had_fault = run.game.fault().is_some();
        match &line.entry {
            LogEntry::Answer(text) => {
                window = run.game.state().awards().len();
                if !run.answer(line, text, &mut each) {
                    if line.may_be_torn && run.failures.is_empty() {
                        run.deal(&mut dealer, &mut each);
                    }
                    return Ok(Some(run));
                }
            }
            LogEntry::Back(n) => run.game.undo(*n),
            LogEntry::End => {
                window = run.game.state().awards().len();
                run.game.end_now();
            }
            LogEntry::Expect(what) => {
                run.n_expectations += 1;
                if let Some(error) = unknown_zone(&run.game, what) {
                    let warning = record::error(line.number, format!("this always holds: {error}")).as_warning();
                    run.warnings.push(warning);
                }
                if let Err(unmet) = check(&run.game, what, window) {
                    let text = format!("expect {what}");
                    let replacement = suggest(&run.game, what, window);
                    run.failures.push(FailedEntry {
                        line: line.number,
                        text,
                        actual: unmet.to_string(),
                        is_expectation: true,
                        replacement,
                    });
                }
            }
        }
        if Some(i) == last_answer {
            run.deal(&mut dealer, &mut each);
        }
        if !had_fault {
            run.fault_line = line.number;
        }
    }
    run.check_seals();
    Ok(Some(run))
}

/// Returns the error for a zone of an expectation `no option`, if its tile does not have this zone.
fn unknown_zone(game: &Game, what: &str) -> Option<TextError> {
    let words = what.strip_prefix("no option ")?.split_whitespace();
    let mut spot = None;
    for word in words {
        match (parse_spot(word), spot) {
            (Ok(_), _) => spot = Some(word),
            (Err(_), Some(spot)) if word.contains('@') => {
                let found = find_zone(&game.rules().ruleset, game.state(), spot, word);
                if let Err(error @ TextError::NoZone { .. }) = found {
                    return Some(error);
                }
            }
            _ => {}
        }
    }
    None
}

impl Replay {
    /// Returns whether the game already had its fault before the line of `failed`. Such a line
    /// fails because of the fault, so a report of the fault is enough.
    pub fn follows_fault(&self, failed: &FailedEntry) -> bool {
        self.game.fault().is_some() && failed.line > self.fault_line
    }

    fn answer(&mut self, line: &LogLine, text: &str, each: &mut impl FnMut(ReplayedDecision<'_>)) -> bool {
        for _ in 0..n_order_questions(&self.game, text) {
            self.answer_order_question(line, each);
        }
        if let (Some(_), Status::Decision(decision)) = (self.game.answer_with_text(text), self.game.status()) {
            each(ReplayedDecision { game: &self.game, n: self.game.log().len(), decision, answer: text });
        }
        match self.game.answer_text(text) {
            Ok(_) => true,
            Err(error) if line.may_be_torn && begins_an_answer(text, &error.options) => {
                self.warn_incomplete_line(line);
                false
            }
            Err(error) => {
                let word = text.split(' ').next().unwrap_or_default();
                let is_option = error.options.iter().any(|option| option.split(' ').next() == Some(word));
                let near = nearest(word, ["expect", "given"]).filter(|_| !is_option);
                let mut actual = match near {
                    Some(near) => format!("unknown word `{word}`; did you mean `{near}`?"),
                    None => error.to_string(),
                };
                if near.is_none()
                    && self.game.waits_for_chance()
                    && !text.starts_with("draw ")
                    && !text.starts_with("roll ")
                {
                    actual += "; a record lists every draw and roll itself; the seed is used only after its last line";
                }
                let text = text.to_owned();
                self.failures.push(FailedEntry {
                    line: line.number,
                    text,
                    actual,
                    is_expectation: false,
                    replacement: None,
                });
                false
            }
        }
    }

    /// Answers a question about the order in which features are scored: chooses the first option
    /// and adds a warning. The record is from an older version of the engine, which did not ask
    /// this question.
    fn answer_order_question(&mut self, line: &LogLine, each: &mut impl FnMut(ReplayedDecision<'_>)) {
        let Status::Decision(decision) = self.game.status() else { return };
        let (ruleset, state) = (&self.game.rules().ruleset, self.game.state());
        let Some(choice) = decision.nth(ruleset, state, 0) else { return };
        let text = option_text(ruleset, state, decision, choice);
        each(ReplayedDecision { game: &self.game, n: self.game.log().len(), decision, answer: &text });
        let message = format!("the record does not say which feature is scored first; `{text}` was used");
        let older = Diagnostic::warning(Span::of_line(line.number), message);
        self.warnings
            .push(older.with_help("older versions did not record this choice: insert that line before this one"));
        self.game.answer_nth(0);
    }

    /// Adds a warning for each answer of a game by correspondence that is not the sealed one.
    fn check_seals(&mut self) {
        for (n, seat) in broken_seals(&self.game) {
            let message =
                format!("answer {}: {} did not give the answer that was sealed", n + 1, self.game.state().label(seat));
            let help = "the others cannot know whether this player chose the answer after seeing theirs";
            self.warnings.push(Diagnostic::warning(Span::default(), message).with_help(help));
        }
    }

    fn warn_incomplete_line(&mut self, line: &LogLine) {
        let torn = Diagnostic::warning(Span::of_line(line.number), "the last line is incomplete and was dropped");
        self.warnings.push(torn.with_help("the rest of the record is complete; play continues from there"));
    }

    fn deal(&mut self, dealer: &mut Option<Dealer>, each: &mut impl FnMut(ReplayedDecision<'_>)) {
        let Some(dealer) = dealer else { return };
        while let Status::Decision(decision) = self.game.status() {
            let state = self.game.state();
            let Some(choice) = dealer.answer(&self.game.rules().ruleset, state) else { break };
            let text = option_text(&self.game.rules().ruleset, state, decision, choice);
            each(ReplayedDecision { game: &self.game, n: self.game.log().len(), decision, answer: &text });
            if let Err(refused) = self.game.answer(choice) {
                never!("the game refused an answer of the dealer: {refused}");
                break;
            }
        }
    }
}

/// Returns the number of questions about the order in which features are scored that must be
/// answered before the answer `text` fits. Returns 0 if `text` fits now, or does not fit after
/// these questions either. Older versions of the engine did not ask these questions, so their
/// records do not answer them.
pub(crate) fn n_order_questions(game: &Game, text: &str) -> usize {
    let asks = |game: &Game| matches!(game.status(), Status::Decision(it) if it.question == Question::Order);
    if !asks(game) || option_with_text(&game.rules().ruleset, game.state(), text).is_some() {
        return 0;
    }
    let mut later = game.clone();
    let mut n = 0;
    while asks(&later) {
        later.answer_nth(0);
        n += 1;
    }
    if later.answer_text(text).is_ok() { n } else { 0 }
}

/// Returns whether `text` is the beginning of a valid line: of one of the `options`, or of `back`.
fn begins_an_answer(text: &str, options: &[String]) -> bool {
    options.iter().map(String::as_str).chain(["back "]).any(|whole| whole.starts_with(text))
}

/// Compares the mods of a record with the loaded mods. Returns a warning for each mod whose version
/// or files differ.
pub fn check_mods(catalogue: &Catalogue, setup: &Setup) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for used in &setup.mods {
        let Some(here) = catalogue.mods.iter().find(|m| m.id == used.id) else { continue };
        let other_version = used.version.as_ref().is_some_and(|v| *v != here.version);
        let other_hash = used.hash.as_ref().is_some_and(|h| *h != format!("{:016x}", here.hash));
        if other_version || other_hash {
            let message = match &used.version {
                Some(was) if *was != here.version => {
                    format!("the record was played with {} {was}; the installed version is {}", used.id, here.version)
                }
                _ => format!("the files of {} {} have changed since the record was played", used.id, here.version),
            };
            let help = "the record is replayed with the installed version, up to the first answer that does not fit";
            problems.push(Diagnostic::warning(Span::default(), message).with_help(help));
        }
    }
    problems
}

/// Returns `setup` as saved in a record: with all loaded mods in load order, their versions and
/// their hashes. This includes mods that the setup does not name but its mods require, so that a
/// replay notices changes of them.
pub fn saved_setup(catalogue: &Catalogue, setup: &Setup) -> Setup {
    let mods = catalogue.mods.iter().map(|it| ModUse {
        id: it.id.clone(),
        version: Some(it.version.clone()),
        hash: Some(format!("{:016x}", it.hash)),
    });
    Setup { mods: mods.collect(), ..setup.clone() }
}
