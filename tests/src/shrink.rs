//! Shrinks a failing game to a short record that fails in the same way. Uses delta debugging:
//! removes answers as long as the game still fails.

use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use record::{record_text, start_game};
use rules::{Answer, Dealer, Game, Rules, Setup, Status, option_text, option_texts, option_with_text};

/// The maximum number of shorter games to try.
const MAX_TRIES: usize = 3000;

/// A check of a game. Returns an error that describes the problem if the game has one.
pub type Check<'c> = &'c dyn Fn(&Game) -> Result<(), String>;

/// The kind of failure.
#[derive(Clone, Copy)]
pub enum FailureKind<'c> {
    /// A check fails.
    Check(Check<'c>),
    /// An offered answer makes the engine panic.
    Panic,
}

/// A game that fails with few answers.
pub struct ShrunkGame {
    /// The game at the position in which the check fails; for a panic, before the answer that
    /// causes it.
    pub game: Game,
    /// The message of the failure.
    pub message: String,
    /// True if the game jumps to the final count with tiles left to draw.
    pub ends: bool,
}

impl ShrunkGame {
    /// Returns the game as a record that can become a test case. The record contains the failure
    /// and the command that runs the test again.
    pub fn record(&self, seed: u64) -> String {
        let test = std::thread::current().name().unwrap_or_default().to_owned();
        let message: String = self.message.lines().map(|line| format!("# {line}\n")).collect();
        let command = format!("# Seed {seed}. Again: cargo test -p tests --test all -- --exact {test}\n");
        let end = if self.ends { "end\n" } else { "" };
        format!("{message}{command}{}{end}# expect (what should hold here)\n", record_text(&self.game))
    }
}

/// Gives an answer.
///
/// # Errors
/// Returns a message if the engine refuses the answer or panics. After a panic, the game cannot be
/// used.
pub fn answer(game: &mut Game, choice: Answer) -> Result<(), String> {
    match catch_unwind(AssertUnwindSafe(|| game.answer(choice))) {
        Ok(taken) => taken.map_err(|e| e.to_string()),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(format!("a panic: {}", text.unwrap_or_default()))
        }
    }
}

/// A game that follows a list of answers, and the answers given in it.
struct AnswerRun<'r> {
    game: Game,
    rules: &'r Rc<Rules>,
    dealer: Dealer,
    /// The answers given so far, and their texts.
    given: Vec<(Answer, String)>,
}

impl<'r> AnswerRun<'r> {
    fn new(rules: &'r Rc<Rules>, setup: &Setup, seed: u64) -> Option<AnswerRun<'r>> {
        let game = start_game(rules.clone(), setup.clone()).ok()?;
        Some(AnswerRun { game, rules, dealer: Dealer::new(seed), given: Vec::new() })
    }

    /// Plays `answers` until the game fails; returns `None` if the game does not fail. If an answer
    /// no longer fits, drops the answer or gives another answer first. This other answer follows
    /// the seed for chance; players pass or take the first option. If `may_end` is true, also
    /// checks the final count after the last answer.
    fn play(
        mut self,
        answers: &[String],
        failing: FailureKind<'_>,
        may_end: bool,
    ) -> Option<(ShrunkGame, Vec<String>)> {
        let mut answers = answers.iter().peekable();
        let mut n_filled = 0;
        loop {
            let ends = may_end && answers.peek().is_none() && !self.game.state().is_over();
            if ends {
                self.game.end_now();
            }
            if let FailureKind::Check(check) = failing
                && let Err(message) = check(&self.game)
            {
                let texts = self.given.into_iter().map(|(_, text)| text).collect();
                return Some((ShrunkGame { game: self.game, message, ends }, texts));
            }
            let wanted = answers.peek()?.as_str();
            let (state, ruleset) = (self.game.state(), &self.rules.ruleset);
            let Status::Decision(decision) = self.game.status() else { return None };
            let choice = match option_with_text(ruleset, state, wanted) {
                Some(choice) => {
                    n_filled = 0;
                    answers.next();
                    choice
                }
                None => {
                    // The answer from the list does not fit: the question is new, expects another
                    // kind of answer, or no longer offers this option.
                    n_filled += 1;
                    let word = wanted.split(' ').next();
                    let is_like = |text: &String| text.split(' ').next() == word;
                    if n_filled > 3 || option_texts(ruleset, state).iter().any(is_like) {
                        answers.next();
                    }
                    let usual = self.dealer.answer(ruleset, state).unwrap_or(Answer::Pass);
                    if decision.is_legal(ruleset, state, usual) { usual } else { decision.nth(ruleset, state, 0)? }
                }
            };
            self.given.push((choice, option_text(ruleset, state, decision, choice)));
            if let Err(message) = answer(&mut self.game, choice) {
                return matches!(failing, FailureKind::Panic).then(|| self.replay_before_panic(message));
            }
        }
    }

    /// Replays the game up to the answer before the panic.
    fn replay_before_panic(self, message: String) -> (ShrunkGame, Vec<String>) {
        let mut game = Game::from_position(self.rules.clone(), self.game.setup().clone(), self.game.start().clone());
        let (last, before) = self.given.split_last().expect("an answer caused the panic");
        before.iter().for_each(|(choice, _)| game.answer(*choice).expect("the answer was offered"));
        let message = format!("`{}` leads to {message}", last.1);
        (ShrunkGame { game, message, ends: false }, self.given.into_iter().map(|(_, text)| text).collect())
    }
}

/// Shrinks a failing game of `answers`. Returns `None` if the game does not fail when the answers
/// are replayed.
///
/// Each try removes consecutive answers, many at first. A shorter game that fails becomes the new
/// start.
pub fn shrink(
    rules: &Rc<Rules>,
    setup: &Setup,
    seed: u64,
    answers: &[String],
    failing: FailureKind<'_>,
) -> Option<ShrunkGame> {
    let play = |answers: &[String], may_end| AnswerRun::new(rules, setup, seed)?.play(answers, failing, may_end);
    let (mut best, mut texts) = play(answers, false)?;
    // A failure may appear only at the end of a game. Then shorter games must reach the end too:
    // with all tiles, or by a jump to the final count. The jump is not allowed if the check also
    // fails in the final count of an empty game, because then every game would shrink to no
    // answers.
    let may_end = best.game.state().is_over() && play(&[], true).is_none();
    // Silences the expected panics, which would otherwise be printed thousands of times.
    let told = matches!(failing, FailureKind::Panic).then(panic::take_hook);
    if told.is_some() {
        panic::set_hook(Box::new(|_| {}));
    }
    let (mut n_tries, mut chunk) = (0, texts.len().div_ceil(2).max(1));
    while n_tries < MAX_TRIES {
        let mut at = 0;
        let before = texts.len();
        while at < texts.len() && n_tries < MAX_TRIES {
            n_tries += 1;
            let rest = [&texts[..at], &texts[(at + chunk).min(texts.len())..]].concat();
            match play(&rest, may_end).filter(|(_, shorter)| shorter.len() < texts.len()) {
                Some(shorter) => (best, texts) = shorter,
                None => at += chunk,
            }
        }
        match chunk {
            1 if texts.len() == before => break,
            1 => {}
            _ => chunk = chunk.div_ceil(2),
        }
    }
    if let Some(hook) = told {
        panic::set_hook(hook);
    }
    Some(best)
}

/// Shrinks `game`, which fails, and panics with the failure and the short record.
///
/// # Panics
/// Always panics.
pub fn fail(game: &Game, seed: u64, message: &str, failing: FailureKind<'_>) -> ! {
    let (rules, setup) = (game.rules(), game.setup());
    match shrink(rules, setup, seed, &game.log_texts(), failing) {
        Some(shrunk) => panic!("seed {seed}: {message}\n{}", shrunk.record(seed)),
        None => panic!("seed {seed}: {message}\nIt does not fail when it is played again:\n{}", record_text(game)),
    }
}
