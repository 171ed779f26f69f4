//! Lines of play that were left for another one.

use std::sync::Arc;

use rules::SeatSet;

use crate::step::Step;

/// A line of play that may be gone back to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// What it is called: a number from 1 on, in the order in which lines began.
    pub name: String,
    /// Its answers from the start of the game.
    pub line: Vec<Arc<Step>>,
    /// How many of them are the same in the line it was left for.
    pub forks_at: usize,
}

impl Branch {
    /// Returns the branch as it is for `viewers`.
    pub(crate) fn seen(self: &Arc<Branch>, viewers: SeatSet) -> Arc<Branch> {
        if self.line.iter().all(|step| step.seen_by.includes(viewers)) {
            return self.clone();
        }
        let line = self.line.iter().map(|step| step.seen(viewers)).collect();
        Arc::new(Branch { name: self.name.clone(), line, forks_at: self.forks_at })
    }

    /// The turn it had come to.
    pub fn last_turn(&self) -> u32 {
        self.line.last().map_or(0, |s| s.turn)
    }

    /// The scores it had come to.
    pub fn scores(&self) -> &[i64] {
        self.line.last().map_or(&[], |s| &s.scores)
    }
}
