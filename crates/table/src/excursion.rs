//! Excursions: positions that a client looks at alone, beside the game. They are earlier positions,
//! and positions after answers that the client tries.

use std::sync::Arc;

use rules::{Actor, Answer, Dealer, Game, SeatSet, Setup, Status, option_with_text, redacted_for};

use crate::step::{PendingStep, Step};
use crate::stop_flag::{StopFlag, stoppable};

/// The seed of the draws in excursions. It has nothing to do with the seed of a game.
const SEED: u64 = 0x6a09_e667_f3bc_c908;

/// The maximum number of draws and rolls between two questions to players. A mod that draws without
/// end would otherwise block the table.
const MAX_DEALT: usize = 1_000;

/// A reason why an excursion is not possible.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExcursionError {
    /// The game does not have this many answers.
    #[error("the game has no such position")]
    NoPosition,
    /// The open question is hidden from the client.
    #[error("the next question is hidden from you, so you cannot try an answer to it")]
    Hidden,
    /// The game is over at this position.
    #[error("the game is over at this position")]
    Over,
    /// This answer is not offered.
    #[error("`{0}` is not possible at this position")]
    NotOffered(String),
    /// A function of a mod fails, for example because it needs hidden information.
    #[error("a rule fails at this position: {0}")]
    Fault(String),
}

/// A position beside the game, with only the information that its viewers may see.
pub(crate) struct Excursion {
    /// The game, whose log begins at the position where the excursion left the real game.
    pub game: Game,
    /// All answers before the position.
    pub line: Vec<Arc<Step>>,
    viewers: SeatSet,
    dealer: Dealer,
}

impl Excursion {
    /// Goes to the position after the answers of `line`, which are the first answers of `live`. If
    /// `hurry` is set, calls of mods fail. All answers share the budget of operations of one
    /// answer, so that a client cannot keep the table busy.
    pub fn new(live: &Game, line: &[Arc<Step>], viewers: SeatSet, hurry: &StopFlag) -> Excursion {
        let mut past = live.clone();
        if line.len() < past.log().len() {
            past.go_to(line.len());
        }
        let state = redacted_for(past.rules(), past.state(), viewers).into_owned();
        Excursion {
            game: Game::from_position(
                stoppable(&past.rules().with_one_budget(), hurry),
                Setup::default(),
                Arc::new(state),
            ),
            line: line.iter().map(|step| step.redacted_for(viewers)).collect(),
            viewers,
            // The draws depend only on the position, so that all answers there have the same luck.
            dealer: Dealer::new(SEED.wrapping_add(line.len() as u64)),
        }
    }

    /// Gives the answers with the texts `tried`. Deals chance before and after each answer, unless
    /// the answer is a draw or roll itself.
    pub(crate) fn try_answers(&mut self, tried: &[String]) -> Result<(), ExcursionError> {
        for text in tried {
            let option = |game: &Game| option_with_text(&game.rules().ruleset, game.state(), text);
            if self.is_chance_asked() && option(&self.game).is_none() {
                self.deal()?;
            }
            if !self.game.state().shows_decision(self.viewers) {
                return Err(ExcursionError::Hidden);
            }
            let answer = option(&self.game).ok_or_else(|| match self.game.state().decision() {
                None => ExcursionError::Over,
                Some(_) => ExcursionError::NotOffered(text.clone()),
            })?;
            self.answer(answer)?;
        }
        if tried.is_empty() { Ok(()) } else { self.deal() }
    }

    fn is_chance_asked(&self) -> bool {
        self.game.state().decision().is_some_and(|decision| decision.who == Actor::Chance)
    }

    /// Answers for chance up to the next question to a player.
    fn deal(&mut self) -> Result<(), ExcursionError> {
        for _ in 0..MAX_DEALT {
            if !self.is_chance_asked() {
                break;
            }
            let drawn = self.dealer.answer(&self.game.rules().ruleset, self.game.state());
            self.answer(drawn.ok_or(ExcursionError::Over)?)?;
        }
        Ok(())
    }

    fn answer(&mut self, answer: Answer) -> Result<(), ExcursionError> {
        let pending = PendingStep::new(&self.game, answer).ok_or(ExcursionError::Over)?;
        let text = pending.text().to_owned();
        self.game.answer(answer).map_err(|_| ExcursionError::NotOffered(text))?;
        if let Status::Fault(fault) = self.game.status() {
            return Err(ExcursionError::Fault(fault.to_string()));
        }
        self.line.push(Arc::new(pending.complete(&self.game)).redacted_for(self.viewers));
        Ok(())
    }
}
