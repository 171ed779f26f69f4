//! Answers given at once, in the middle of a mod's function.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use crate::decision::{Answer, Decision};
use crate::ruleset::Ruleset;
use crate::state::State;

/// Somebody who can answer some questions of mods the moment they are asked, so that the function goes on instead of ending and being resumed
/// later. Games are the same in both ways.
pub trait Answerer {
    /// The answer to `decision`, which is not yet published and has no words yet. `state` is the game as the asking function sees it. Nothing where the function has to
    /// wait: for a person, or for a bot that wants to look at more than this.
    fn answer(&mut self, ruleset: &Ruleset, state: &State, decision: &Decision) -> Option<Answer>;

    /// Whether it answers every question that it is asked. Functions of mods then change the state with no copy of it to go back to; where one fails
    /// after all, the game plays its log again.
    fn answers_all(&self) -> bool {
        false
    }
}

/// Who answers at once, if anybody does. A copy has nobody: players who try something out on a copy of a game ask nobody else.
#[derive(Default)]
pub(crate) struct AtOnce {
    pub answerer: Option<Rc<RefCell<dyn Answerer>>>,
    /// Whether calls copy no state to go back to.
    pub no_way_back: bool,
}

impl Clone for AtOnce {
    fn clone(&self) -> AtOnce {
        AtOnce::default()
    }
}

impl AtOnce {
    pub fn new(answerer: Rc<RefCell<dyn Answerer>>) -> AtOnce {
        let no_way_back = answerer.borrow().answers_all();
        AtOnce { answerer: Some(answerer), no_way_back }
    }

    /// The same answerer for another holder, for as long as it needs one.
    pub fn lent(&self) -> AtOnce {
        AtOnce { answerer: self.answerer.clone(), no_way_back: self.no_way_back }
    }
}

impl fmt::Debug for AtOnce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AtOnce").field(&self.answerer.is_some()).finish()
    }
}
