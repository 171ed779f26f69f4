//! Many games played in lockstep: each step answers one decision in every game.

use std::rc::Rc;
use std::sync::Arc;

use record::GivenErrors;
use rules::{Actor, Dealer, Fault, Game, Rules, Seat, Setup, Status};

/// A game that ended or failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndedGame {
    /// The slot in which the game was played.
    pub slot: usize,
    /// The number of the game, as in a simulation with the same base seed.
    pub number: u64,
    /// The scores by seat.
    pub scores: Vec<i64>,
    /// The fault that stopped the game; `None` if the game ended normally.
    pub fault: Option<String>,
}

/// Games played in lockstep. When a game ends, the next game starts in its slot. The stepper
/// answers the decisions of chance.
pub struct Stepper {
    opening: Game,
    seed: u64,
    /// The index of this stepper's first slot. Slots are numbered across all steppers, which may
    /// run on other threads.
    first_slot: usize,
    n_slots: u64,
    slots: Vec<GameSlot>,
    ended: Vec<EndedGame>,
}

/// A reason why the games cannot begin.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BeginError {
    /// The position of the setup cannot be built.
    #[error(transparent)]
    Position(#[from] GivenErrors),
    /// A function of a mod fails before the first decision.
    #[error(transparent)]
    Fault(Box<Fault>),
}

struct GameSlot {
    game: Game,
    dealer: Dealer,
    number: u64,
}

impl Stepper {
    /// Starts `n_here` slots, numbered from `first_slot` on. All steppers together have `n_slots`
    /// slots. Slot i plays the games with the numbers i, i + `n_slots`, i + 2 × `n_slots` and so on
    /// of the simulation with base seed `seed`.
    ///
    /// # Errors
    /// Returns an error if the position of the setup cannot be built, or if a function of a mod
    /// fails before the first decision.
    pub fn new(
        rules: &Rc<Rules>,
        setup: &Setup,
        seed: u64,
        first_slot: usize,
        n_here: usize,
        n_slots: usize,
    ) -> Result<Stepper, BeginError> {
        let start = record::position(rules, setup)?;
        let opening = Game::from_position(rules.clone(), setup.clone(), Arc::new(start));
        let mut stepper =
            Stepper { opening, seed, first_slot, n_slots: n_slots as u64, slots: Vec::new(), ended: Vec::new() };
        for slot in first_slot..first_slot + n_here {
            let slot = stepper.begin(slot as u64);
            if let Status::Fault(fault) = slot.game.status() {
                return Err(BeginError::Fault(fault.clone().into()));
            }
            stepper.slots.push(slot);
        }
        Ok(stepper)
    }

    fn begin(&self, number: u64) -> GameSlot {
        let mut game = self.opening.clone();
        game.reserve();
        let mut dealer = Dealer::new(sim::seed_of_game(self.seed, number));
        game.deal(&mut dealer);
        GameSlot { game, dealer, number }
    }

    /// Returns the number of running games.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns whether no games are running.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the games, in the order of their slots.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &Game> {
        self.slots.iter().map(|slot| &slot.game)
    }

    /// Returns the seat to move in a game; `None` if no player must decide.
    pub fn seat_to_move(game: &Game) -> Option<Seat> {
        match game.state().decision()?.who {
            Actor::Player(seat) => Some(seat),
            Actor::Chance => None,
        }
    }

    /// Answers in every game with the option whose number `choose` returns, then replaces the games
    /// that ended. `choose` receives the index of the game in this stepper, and the game.
    ///
    /// If `choose` returns `None` or an invalid number for a game, stops and returns the slot of
    /// that game. The games in that slot and in later slots then stay unchanged.
    pub fn answer(&mut self, mut choose: impl FnMut(usize, &Game) -> Option<usize>) -> Option<usize> {
        for i in 0..self.slots.len() {
            let Some(slot) = self.slots.get_mut(i) else { break };
            let n_options = slot.game.state().decision().map_or(0, |decision| decision.n_options(slot.game.state()));
            let Some(option) = choose(i, &slot.game).filter(|option| *option < n_options) else {
                return Some(self.first_slot + i);
            };
            slot.game.answer_nth(option);
            slot.game.deal(&mut slot.dealer);
            self.replace_if_ended(i);
        }
        None
    }

    /// If the game in a slot has ended or failed, starts the next game in this slot.
    fn replace_if_ended(&mut self, i: usize) {
        loop {
            let Some(slot) = self.slots.get(i) else { return };
            let fault = match slot.game.status() {
                Status::Decision(_) if slot.game.log().len() < sim::MAX_ANSWERS => return,
                Status::Decision(_) => Some(format!("the game did not end within {} answers", sim::MAX_ANSWERS)),
                Status::Fault(fault) => Some(fault.to_string()),
                Status::Over => None,
            };
            let state = slot.game.state();
            let scores = state.seats().map(|seat| state.score(seat)).collect();
            let is_stuck = slot.game.log().is_empty();
            self.ended.push(EndedGame { slot: self.first_slot + i, number: slot.number, scores, fault });
            let next = self.begin(slot.number + self.n_slots);
            if let Some(slot) = self.slots.get_mut(i) {
                *slot = next;
            }
            // Stops after a game that fails before its first answer. If every game fails in this
            // way, the loop would otherwise not end.
            if is_stuck {
                return;
            }
        }
    }

    /// Removes and returns the games that ended since the last call.
    pub fn take_ended(&mut self) -> Vec<EndedGame> {
        std::mem::take(&mut self.ended)
    }
}
