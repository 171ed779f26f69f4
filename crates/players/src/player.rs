//! What a bot is: something that answers decisions, whatever mod asks them.

use std::rc::Rc;

use rules::{Decision, Fault, Rules, State};

/// Answers the decisions of one seat.
pub trait Player {
    /// A new game begins. Whatever the player leaves to chance follows from `seed`, which says
    /// nothing about what will be drawn.
    fn begin(&mut self, seed: u64) {
        let _ = seed;
    }

    /// The number of the chosen option: a position in [`Decision::options`], of which there is at
    /// least one.
    fn choose(&mut self, view: &View<'_>) -> usize;

    /// Takes the first fault of a mod while it chose, which does no harm to the game: in a `hint`,
    /// or in an answer that it only tried out.
    fn take_fault(&mut self) -> Option<Box<Fault>> {
        None
    }

    /// What it has considered for its last choice, the chosen option first, then the most important
    /// ones; nothing where it considers nothing.
    fn thoughts(&self) -> &[Thought] {
        &[]
    }

    /// Ends its thinking early, with the best choice so far, whenever `stops` says so.
    fn obey(&mut self, stops: Rc<dyn Fn() -> bool>) {
        let _ = stops;
    }
}

/// What a player thinks of an option.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Thought {
    /// The option, as [`Player::choose`] numbers them.
    pub option: usize,
    /// How many lines of play were tried after it; none by a player that only looks at what would
    /// be paid at once.
    pub n_lines: u32,
    /// How many points the player would be ahead of the others, on an average of these lines or at
    /// once.
    pub lead: f64,
    /// How well these lines have come out, from 0 for lost to 1 for won.
    pub chance: Option<f64>,
}

/// What a player sees: all that its seat may know, and the rules. Neither the seed nor the order of
/// any deck, nor, where the state is what [`rules::seen_by`] makes of it for the seat, what others
/// keep secret.
pub struct View<'g> {
    /// The rules of the table, to try things out by.
    pub rules: &'g Rc<Rules>,
    /// The state that holds the decision. [`State::view`] is the game as it looks at the moment.
    pub state: &'g State,
    /// The question with its options.
    pub decision: &'g Decision,
}
