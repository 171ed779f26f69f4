//! Many games that go on together, a step of each at a time.

use std::rc::Rc;
use std::sync::Arc;

use rules::{Dealer, Game, Rules, Seat, Setup, Status, Who};

/// A game that has come to its end, or could not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Which of the games that go on together.
    pub slot: usize,
    /// Its number, as in a simulation with the same base seed.
    pub number: u64,
    /// The scores by seat.
    pub scores: Vec<i64>,
    /// Why it did not come to its end, if so.
    pub fault: Option<String>,
}

/// Games that go on together; where one ends, the next begins in its place. Chance answers by itself.
pub struct Stepper {
    opening: Game,
    seed: u64,
    /// Which slots these are, of all that there are on other threads too.
    first_slot: usize,
    n_slots: u64,
    slots: Vec<Slot>,
    ended: Vec<Ended>,
}

struct Slot {
    game: Game,
    dealer: Dealer,
    number: u64,
}

impl Stepper {
    /// Begins slots number `first_slot` and on, `n_here` of `n_slots`: slot i plays the games number i, i + `n_slots` and so on of the simulation with
    /// base seed `seed`.
    ///
    /// # Errors
    /// Where the position of the setup cannot be built, or a function of a mod fails before anybody is asked.
    pub fn new(
        rules: &Rc<Rules>,
        setup: &Setup,
        seed: u64,
        first_slot: usize,
        n_here: usize,
        n_slots: usize,
    ) -> Result<Stepper, String> {
        let start = record::position(rules, setup).map_err(|error| error.to_string())?;
        let opening = Game::from_position(rules.clone(), setup.clone(), Arc::new(start));
        let mut stepper =
            Stepper { opening, seed, first_slot, n_slots: n_slots as u64, slots: Vec::new(), ended: Vec::new() };
        for slot in first_slot..first_slot + n_here {
            let slot = stepper.begin(slot as u64);
            if let Status::Fault(fault) = slot.game.status() {
                return Err(fault.to_string());
            }
            stepper.slots.push(slot);
        }
        Ok(stepper)
    }

    fn begin(&self, number: u64) -> Slot {
        let mut game = self.opening.clone();
        game.reserve();
        let mut dealer = Dealer::new(sim::seed_of_game(self.seed, number));
        game.deal(&mut dealer);
        Slot { game, dealer, number }
    }

    /// Returns how many games go on.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the games, in order.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &Game> {
        self.slots.iter().map(|slot| &slot.game)
    }

    /// Returns who is asked in a game.
    pub fn asked(game: &Game) -> Option<Seat> {
        match game.state().decision()?.who {
            Who::Player(seat) => Some(seat),
            Who::Chance => None,
        }
    }

    /// Answers in every game with the option that `choose` gives for it, then begins anew those that have ended. Returns the first slot of which
    /// the option was not offered; in the slots from there on nothing is answered.
    pub fn answer(&mut self, mut choose: impl FnMut(usize, &Game) -> Option<usize>) -> Option<usize> {
        for i in 0..self.slots.len() {
            let Some(slot) = self.slots.get_mut(i) else { break };
            let n_options = slot.game.state().decision().map_or(0, |decision| decision.n_options(slot.game.state()));
            let Some(option) = choose(i, &slot.game).filter(|option| *option < n_options) else {
                return Some(self.first_slot + i);
            };
            slot.game.answer_nth(option);
            slot.game.deal(&mut slot.dealer);
            self.renew(i);
        }
        None
    }

    /// Begins the next game in a slot whose game has come to its end, or cannot go on.
    fn renew(&mut self, i: usize) {
        loop {
            let Some(slot) = self.slots.get(i) else { return };
            let fault = match slot.game.status() {
                Status::Decision(_) if slot.game.log().len() < sim::MAX_ANSWERS => return,
                Status::Decision(_) => Some(format!("the game went on after {} answers", sim::MAX_ANSWERS)),
                Status::Fault(fault) => Some(fault.to_string()),
                Status::Over => None,
            };
            let state = slot.game.state();
            let scores = state.seats().map(|seat| state.score(seat)).collect();
            let is_stuck = slot.game.log().is_empty();
            self.ended.push(Ended { slot: self.first_slot + i, number: slot.number, scores, fault });
            let next = self.begin(slot.number + self.n_slots);
            if let Some(slot) = self.slots.get_mut(i) {
                *slot = next;
            }
            // Mods that let no game begin would end one after the other for ever.
            if is_stuck {
                return;
            }
        }
    }

    /// Takes the games that have ended since the last time.
    pub fn take_ended(&mut self) -> Vec<Ended> {
        std::mem::take(&mut self.ended)
    }
}
