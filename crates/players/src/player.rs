//! What a bot is: something that answers decisions, whatever mod asks them.

use std::rc::Rc;

use rules::{Decision, Fault, Rules, State};

/// Answers the decisions of one seat.
pub trait Player {
    /// A new game begins. Whatever the player leaves to chance follows from `seed`, which says nothing about what will be drawn.
    fn begin(&mut self, seed: u64) {
        let _ = seed;
    }

    /// The number of the chosen option: a position in [`Decision::options`], of which there is at least one.
    fn choose(&mut self, view: &View<'_>) -> usize;

    /// Takes what went wrong while it chose, without harm to the game: a mod's `hint` that failed, of which it then thought nothing.
    fn take_fault(&mut self) -> Option<Box<Fault>> {
        None
    }
}

/// What a player sees: all that its seat may know, and the rules. Neither the seed nor the order of any deck, nor, where the state is what
/// [`rules::seen_by`] makes of it for the seat, what others keep secret.
pub struct View<'g> {
    /// The rules of the table, to try things out by.
    pub rules: &'g Rc<Rules>,
    /// The state that holds the decision. [`State::view`] is the game as it looks at the moment.
    pub state: &'g State,
    /// The question with its options.
    pub decision: &'g Decision,
}
