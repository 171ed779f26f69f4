//! Bots: players that answer decisions, whatever mod asks them.

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

    /// Returns the thoughts about its last choice, the chosen option first, then the most important
    /// ones; empty if it considers nothing.
    fn thoughts(&self) -> &[Thought] {
        &[]
    }

    /// Ends its thinking early, with the best choice so far, whenever `stops` says so.
    fn obey(&mut self, stops: Rc<dyn Fn() -> bool>) {
        let _ = stops;
    }
}

/// A player's judgement of an option.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Thought {
    /// The option, as [`Player::choose`] numbers them.
    pub option: usize,
    /// The number of lines of play that were tried after it; 0 for a player that only compares what
    /// is paid at once.
    pub n_lines: u32,
    /// The player's lead over the others in points, on an average of these lines or at once.
    pub lead: f64,
    /// The average result of these lines, from 0 for lost to 1 for won.
    pub chance: Option<f64>,
}

/// The view of a player: all that its seat may know, and the rules. It holds neither the seed nor
/// the order of any deck. If the state comes from [`rules::seen_by`] for the seat, it does not hold
/// the secrets of others either.
pub struct View<'g> {
    /// The rules of the table, to try things out by.
    pub rules: &'g Rc<Rules>,
    /// The state that holds the decision. [`State::view`] is the game as it looks at the moment.
    pub state: &'g State,
    /// The question with its options.
    pub decision: &'g Decision,
}
