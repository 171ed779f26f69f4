//! A game with who plays it, what can be taken back, and the file in which it is kept.

use std::path::Path;

use players::{Player, View};
use rules::{Choice, Dealer, Game, Seat, Status, Who, option_text};
use sim::Seeds;
use table::{CannotKeep, RecordFile, any_seed};

use super::SeatKind;
use crate::context::Stop;
use crate::terminal::Complaint;

/// An answer with its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Who gave it.
    pub who: Who,
    /// What it says.
    pub text: String,
}

/// A game that is being played.
pub struct Session {
    pub game: Game,
    /// The answers of the log, and after them those that were taken back.
    steps: Vec<Step>,
    dealer: Dealer,
    /// The bot at each seat; people have none.
    bots: Vec<Option<Box<dyn Player>>>,
    record: Option<RecordFile>,
    /// How many answers, and how many awards, were shown.
    pub n_shown: usize,
    pub n_awards_shown: usize,
    /// Whether the question was not shown yet.
    pub is_question_new: bool,
}

impl Session {
    pub fn new(game: Game, seats: &[SeatKind], record: Option<RecordFile>) -> Session {
        let seeds = Seeds { chance: game.setup().seed.unwrap_or_else(any_seed) };
        let bot = |(i, seat): (usize, &SeatKind)| match seat {
            SeatKind::Human => None,
            SeatKind::Bot(bot) => Some((bot.make)(seeds.of_player(i))),
        };
        let bots = seats.iter().enumerate().map(bot).collect();
        let steps = steps_of(&game);
        let n_awards_shown = game.state().awards().len();
        let n_shown = steps.len();
        let dealer = Dealer::new(seeds.chance);
        Session { game, steps, dealer, bots, record, n_shown, n_awards_shown, is_question_new: true }
    }

    /// Where the game is kept.
    pub fn record_path(&self) -> Option<&Path> {
        self.record.as_ref().map(RecordFile::path)
    }

    pub fn is_bot(&self, seat: Seat) -> bool {
        self.bots.get(seat.idx()).is_some_and(Option::is_some)
    }

    /// The answers so far.
    pub fn steps(&self) -> &[Step] {
        &self.steps[..self.game.log().len()]
    }

    /// Gives an answer that is offered.
    pub fn answer(&mut self, choice: Choice) -> Result<(), Stop> {
        let state = self.game.state();
        let Some(decision) = state.decision() else { return Ok(()) };
        let step = Step { who: decision.who, text: option_text(&self.game.rules().ruleset, state, decision, choice) };
        let before = self.game.log().len();
        if let Err(error) = self.game.answer(choice) {
            return Err(Complaint::new(error.to_string()).into());
        }
        self.keep(&step.text)?;
        self.steps.truncate(before);
        self.steps.push(step);
        self.is_question_new = true;
        Ok(())
    }

    /// Answers for chance.
    pub fn deal(&mut self) -> Result<(), Stop> {
        match self.dealer.answer(&self.game.rules().ruleset, self.game.state()) {
            Some(choice) => self.answer(choice),
            None => Err(Complaint::new("chance was asked and had nothing to answer").into()),
        }
    }

    /// Lets the bot at `seat` answer.
    pub fn let_bot_move(&mut self, seat: Seat) -> Result<(), Stop> {
        let Status::Decision(decision) = self.game.status() else { return Ok(()) };
        let Some(Some(bot)) = self.bots.get_mut(seat.idx()) else { return Ok(()) };
        let view = View { rules: self.game.rules(), state: self.game.state(), decision };
        let state = self.game.state();
        let n = bot.choose(&view).min(decision.n_options(state).saturating_sub(1));
        match decision.nth(&self.game.rules().ruleset, state, n) {
            Some(choice) => self.answer(choice),
            None => {
                Err(Complaint::new(format!("{} was asked and nothing was offered", self.game.state().name(seat)))
                    .into())
            }
        }
    }

    /// Takes back to the last answer of a person. Returns whether there was one.
    pub fn undo(&mut self) -> Result<bool, Stop> {
        let by_person = |step: &Step| matches!(step.who, Who::Player(seat) if !self.is_bot(seat));
        let n = self.game.log().len();
        let Some(to) = self.steps().iter().rposition(by_person) else { return Ok(false) };
        self.game.go_to(to);
        self.keep(&format!("back {}", n - to))?;
        self.is_question_new = true;
        self.n_shown = self.n_shown.min(to);
        self.n_awards_shown = self.n_awards_shown.min(self.game.state().awards().len());
        Ok(true)
    }

    /// Gives the answers again that were taken back, up to the next question to a person. Returns whether there was one.
    pub fn redo(&mut self) -> Result<bool, Stop> {
        let mut any = false;
        while self.game.redo() {
            any = true;
            self.is_question_new = true;
            let text = self.steps.get(self.game.log().len() - 1).map(|s| s.text.clone()).unwrap_or_default();
            self.keep(&text)?;
            match self.game.status() {
                Status::Decision(decision) => match decision.who {
                    Who::Player(seat) if !self.is_bot(seat) => break,
                    _ => {}
                },
                _ => break,
            }
        }
        Ok(any)
    }

    /// Goes on with the same game under other rules.
    pub fn replace(&mut self, game: Game) -> Result<(), Stop> {
        let steps = steps_of(&game);
        let before = self.steps().to_vec();
        self.game = game;
        self.steps = steps;
        self.is_question_new = true;
        self.n_shown = self.n_shown.min(self.steps.len());
        self.n_awards_shown = self.game.state().awards().len();
        if before != self.steps {
            self.keep(&format!("back {}", before.len()))?;
            self.write_from(0)?;
        }
        Ok(())
    }

    /// Adds the answers from number `n` on to the record.
    pub fn write_from(&mut self, n: usize) -> Result<(), Stop> {
        let texts: Vec<String> = self.steps().iter().skip(n).map(|s| s.text.clone()).collect();
        texts.iter().try_for_each(|text| self.keep(text))
    }

    fn keep(&mut self, line: &str) -> Result<(), Stop> {
        self.record.as_mut().map_or(Ok(()), |record| record.append(line)).map_err(|e| cannot_keep(&e))
    }
}

/// The answers of a game with who gave them.
fn steps_of(game: &Game) -> Vec<Step> {
    let mut again = Game::from_position(game.rules().clone(), game.setup().clone(), game.start().clone());
    let mut steps = Vec::new();
    for choice in game.log() {
        let state = again.state();
        let Some(decision) = state.decision() else { break };
        let text = option_text(&game.rules().ruleset, state, decision, *choice);
        steps.push(Step { who: decision.who, text });
        if again.answer(*choice).is_err() {
            break;
        }
    }
    steps
}

/// What is told where the record cannot be written.
pub fn cannot_keep(error: &CannotKeep) -> Stop {
    Complaint::new(error.to_string()).help("name a file in a folder where you may write").into()
}
