//! Reloads: changing the rules of a running game by replaying its log.

use std::rc::Rc;

use diagnostic::never;
use rules::{Answer, Game, NotOffered, Rules, Setup, Status, option_texts};

use crate::position_reader::{GivenErrors, start_game};
use crate::position_writer::given_lines;
use crate::replay::n_order_questions;

/// The first difference between the scores under the old and the new rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoreDifference {
    /// The number of the turn in which the difference appears, counted from 1.
    pub turn: u32,
    /// The number of answers before the answer that caused the difference.
    pub answer: usize,
    /// The scores under the old rules after the answer that caused the difference, by seat.
    pub old: Vec<i64>,
    /// The scores under the new rules after the answer that caused the difference, by seat.
    pub new: Vec<i64>,
}

/// The result of replaying a game under new rules.
pub enum Reload {
    /// Under both rules, the scores after each answer, the position and the open decision are
    /// equal.
    Same(Game),
    /// The log fits the new rules, but scores, the position or the open decision differ, or the new
    /// rules ask other questions.
    Changed {
        /// The game under the new rules.
        game: Game,
        /// The first difference in scores; `None` if the scores never differ.
        first: Option<ScoreDifference>,
        /// The current scores under the old rules, by seat.
        old: Vec<i64>,
        /// The current scores under the new rules, by seat.
        new: Vec<i64>,
        /// The number of questions that only the new rules ask, and that the replay has answered
        /// with `pass`.
        n_passed: usize,
        /// The number of `pass` answers that the replay has omitted, because the new rules no
        /// longer ask the questions to which these answers belong.
        n_dropped: usize,
    },
    /// The new rules do not offer an answer of the log.
    Diverged {
        /// The game under the new rules, up to the answer that these rules do not offer.
        game: Game,
        /// The number of answers before the answer that the new rules do not offer.
        answer: usize,
        /// The turn of the answer that the new rules do not offer, counted from 1.
        turn: u32,
        /// The answer, and the options that the new rules offer instead.
        reason: String,
    },
}

impl Reload {
    /// Returns the result as one sentence without a full stop.
    pub fn summary(&self) -> String {
        let join = |scores: &[i64]| scores.iter().map(i64::to_string).collect::<Vec<_>>().join("/");
        match self {
            Reload::Same(_) => "same: the new rules change nothing in this game".to_owned(),
            Reload::Changed { game, first, old, new, n_passed, n_dropped } => {
                let turn = game.state().turn().map_or(0, |t| t.number);
                let mut text = match first {
                    Some(first) if old != new => format!(
                        "changed: turn {turn}: {} became {}, first difference at turn {} ({} became {})",
                        join(old),
                        join(new),
                        first.turn,
                        join(&first.old),
                        join(&first.new)
                    ),
                    Some(first) => format!(
                        "changed: the scores are the same now, but at turn {}, {} became {}",
                        first.turn,
                        join(&first.old),
                        join(&first.new)
                    ),
                    None => "applied: same scores, but other moves or remaining tiles".to_owned(),
                };
                if *n_passed > 0 {
                    text += &format!(
                        ", {n_passed} new question{} answered with `pass`",
                        if *n_passed == 1 { "" } else { "s" }
                    );
                }
                if *n_dropped > 0 {
                    let questions = if *n_dropped == 1 { "question is" } else { "questions are" };
                    text += &format!(", {n_dropped} {questions} no longer asked");
                }
                text
            }
            Reload::Diverged { answer, turn, reason, .. } => {
                format!("diverged: turn {turn}, answer {}: {reason}", answer + 1)
            }
        }
    }

    /// Returns the game under the new rules, as far as the log fits.
    pub fn into_game(self) -> Game {
        match self {
            Reload::Same(game) | Reload::Changed { game, .. } | Reload::Diverged { game, .. } => game,
        }
    }
}

fn scores(game: &Game) -> Vec<i64> {
    let view = game.state().view();
    view.seats().map(|s| view.score(s)).collect()
}

/// An answer of a log, with the scores after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedAnswer {
    /// The text of the answer, as in a record.
    pub text: String,
    /// The scores after the answer, by seat.
    pub scores: Vec<i64>,
}

impl LoggedAnswer {
    /// Replays `game`. Returns each answer of the log with the scores after the answer.
    pub fn replay_all(game: &Game) -> Vec<LoggedAnswer> {
        let mut again = Game::from_position(game.rules().clone(), game.setup().clone(), game.start().clone());
        let logged = |(text, choice): (String, &Answer)| {
            again.repeat(*choice);
            LoggedAnswer { text, scores: scores(&again) }
        };
        game.log_texts().into_iter().zip(game.log()).map(logged).collect()
    }
}

/// Replays `old` under `rules`. Repeats the answers by their texts, because the numbers of tiles,
/// pieces and options can differ between the old and the new rules.
///
/// `setup` is the setup of the new game: the setup of `old`, adapted to the new rules.
///
/// # Errors
/// Returns an error if the position cannot be built.
pub fn reload(old: &Game, rules: Rc<Rules>, setup: Setup) -> Result<Reload, GivenErrors> {
    let outcome = reload_while(old, &LoggedAnswer::replay_all(old), rules, setup, || true)?;
    Ok(outcome.unwrap_or_else(|| {
        never!("a reload stops only if `goes_on` returns false");
        Reload::Same(old.clone())
    }))
}

/// Replays `old` under `rules` as [`reload`] does, but can be stopped. `log` contains the answers
/// of `old`. Calls `goes_on` before each answer, and returns `None` as soon as `goes_on` returns
/// false.
///
/// # Errors
/// Returns an error if the position cannot be built.
pub fn reload_while(
    old: &Game,
    log: &[LoggedAnswer],
    rules: Rc<Rules>,
    setup: Setup,
    goes_on: impl Fn() -> bool,
) -> Result<Option<Reload>, GivenErrors> {
    let game = start_game(rules, setup)?;
    let mut following = ReloadedGame { game, unpassed: None, n_passed: 0, n_dropped: 0 };
    let mut first: Option<ScoreDifference> = None;
    for (n, LoggedAnswer { text, scores: was }) in log.iter().enumerate() {
        if !goes_on() {
            return Ok(None);
        }
        let next = log.get(n + 1).map(|next| next.text.as_str());
        // The answer that ends a turn still belongs to that turn.
        let turn = following.game.state().turn().map_or(0, |t| t.number);
        if let Err(error) = following.replay_answer(text, next) {
            let game = following.game;
            let turn = game.state().turn().map_or(0, |t| t.number);
            return Ok(Some(Reload::Diverged { game, answer: n, turn, reason: error.to_string() }));
        }
        let now = scores(&following.game);
        // If the new rules no longer ask a question, points may be scored earlier in the turn. So
        // this loop then compares scores only before a draw and at the end of the log.
        let is_level = following.n_dropped == 0 || next.is_none_or(|next| next.starts_with("draw "));
        if first.is_none() && is_level && *was != now {
            first = Some(ScoreDifference { turn, answer: n, old: was.clone(), new: now });
        }
    }
    let ReloadedGame { game, n_passed, n_dropped, .. } = following;
    let (was, now) = (scores(old), scores(&game));
    let same = first.is_none() && n_passed + n_dropped == 0 && was.len() == now.len() && looks_same(old, &game);
    let changed = |game| Reload::Changed { game, first, old: was, new: now, n_passed, n_dropped };
    Ok(Some(if same { Reload::Same(game) } else { changed(game) }))
}

/// A game under new rules that repeats the log of a game under old rules. Passes the questions that
/// only the new rules ask. Drops the `pass` answers to questions that only the old rules ask.
struct ReloadedGame {
    game: Game,
    /// The game before the last answer if that answer was `pass`, otherwise `None`. The new rules
    /// may no longer ask the question that the player passed under the old rules.
    unpassed: Option<Game>,
    n_passed: usize,
    n_dropped: usize,
}

impl ReloadedGame {
    /// Gives the answer `text` of the log. `next` is the next answer of the log; `None` if `text`
    /// is the last.
    fn replay_answer(&mut self, text: &str, next: Option<&str>) -> Result<(), NotOffered> {
        for _ in 0..n_order_questions(&self.game, text) {
            self.game.answer_nth(0);
        }
        let before_passing = (text == "pass").then(|| self.game.clone());
        let Err(error) = self.game.answer_text(text) else {
            self.unpassed = before_passing;
            return Ok(());
        };
        // Passes a question that the old rules did not ask, if the answer of the log fits
        // afterwards.
        let mut passing = self.game.clone();
        if passing.answer_text("pass").is_ok() && passing.answer_text(text).is_ok() {
            (self.game, self.unpassed) = (passing, None);
            self.n_passed += 1;
            return Ok(());
        }
        // The new rules may no longer ask a question that the log answers with `pass`. If `text` is
        // this `pass`, omits it. If the previous answer was this `pass`, the replay has given it to
        // another question, so undoes the previous answer.
        let fits = |game: &Game| next.is_none_or(|next| next == "pass" || game.clone().answer_text(next).is_ok());
        let unpassed = self.unpassed.take();
        if text == "pass" {
            let is_asking = matches!(self.game.status(), Status::Decision(_));
            if is_asking && (fits(&self.game) || unpassed.as_ref().is_some_and(fits)) {
                self.unpassed = unpassed;
                self.n_dropped += 1;
                return Ok(());
            }
        } else if let Some(mut game) = unpassed
            && game.answer_text(text).is_ok()
        {
            self.game = game;
            self.n_dropped += 1;
            return Ok(());
        }
        Err(error)
    }
}

/// Returns whether both games have the same position, and the same open decision or fault.
fn looks_same(a: &Game, b: &Game) -> bool {
    let asks = |game: &Game| match game.status() {
        Status::Decision(decision) => {
            let mut options = option_texts(&game.rules().ruleset, game.state());
            options.sort();
            Some((decision.prompt.to_string(), options))
        }
        Status::Fault(fault) => Some((fault.to_string(), Vec::new())),
        Status::Over => None,
    };
    asks(a) == asks(b) && given_lines(&a.rules().ruleset, a.state()) == given_lines(&b.rules().ruleset, b.state())
}

/// Returns a setup that starts at the last settled state of the game, and the later answers. With
/// both, the game can continue under other rules.
///
/// A state is settled at the start of a turn (see [`rules::State::is_settled`]). Only then do
/// `given` lines describe the whole position, so a later state of the turn also needs the later
/// answers.
pub fn resume_point(game: &Game) -> (Setup, Vec<String>) {
    let mut replayed = Game::from_position(game.rules().clone(), game.setup().clone(), game.start().clone());
    let mut settled = replayed.clone();
    for choice in game.log() {
        replayed.repeat(*choice);
        if replayed.state().is_settled() {
            settled = replayed.clone();
        }
    }
    let state = settled.state();
    let position = given_lines(&game.rules().ruleset, state);
    let begins = Some(state.name(state.player()).to_owned());
    let since = game.log_texts().split_off(settled.log().len());
    (Setup { position, begins, ..game.setup().clone() }, since)
}
