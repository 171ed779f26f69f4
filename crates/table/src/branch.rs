//! Branches: earlier continuations of a game, which other answers have replaced. The user can
//! return to a branch.

use std::sync::Arc;

use rules::SeatSet;

use crate::step::Step;

/// A sequence of answers from the start of the game that another sequence of answers has replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The name of the branch: a number, counted from 1 in the order in which the players began the
    /// sequences of answers.
    pub name: String,
    /// The answers of the branch, from the start of the game.
    pub line: Vec<Arc<Step>>,
    /// The number of answers at the start of the branch that it shares with the sequence that
    /// replaced it.
    pub forks_at: usize,
}

impl Branch {
    /// Returns the branch as `viewers` see it. Redacts answers that are hidden from any viewer.
    pub(crate) fn redacted_for(self: &Arc<Branch>, viewers: SeatSet) -> Arc<Branch> {
        if self.line.iter().all(|step| step.seen_by.includes(viewers)) {
            return self.clone();
        }
        let line = self.line.iter().map(|step| step.redacted_for(viewers)).collect();
        Arc::new(Branch { name: self.name.clone(), line, forks_at: self.forks_at })
    }

    /// Returns the number of the last turn of the branch; 0 if no turn has begun.
    pub fn last_turn(&self) -> u32 {
        self.line.last().map_or(0, |s| s.turn)
    }

    /// Returns the scores at the end of the branch.
    pub fn scores(&self) -> &[i64] {
        self.line.last().map_or(&[], |s| &s.scores)
    }
}
