//! What one call of the engine may spend, with all that it leads to: operations and time.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// How many operations one call of the engine may run, those of other mods' functions that it leads to included.
pub(crate) const MAX_OPERATIONS: u64 = 500_000;

/// What a step of a tree is charged: more operations than the interpreter would need for it. So a call that stays within the budget by this
/// estimate would do so in the interpreter as well.
const TREE_STEP: u64 = 8;

/// How far the estimate is trusted. Where it runs out, the call begins again in the interpreter, whose count is exact; what was spent until
/// then is lost, and must be little beside the whole budget.
const MAX_ESTIMATE: u64 = MAX_OPERATIONS / 4;

/// The clock is read, and the count compared, once in so many operations. Short calls never read it.
const INTERVAL: u64 = 1 << 10;

/// Why a script is ended from outside. Scripts cannot catch it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halting {
    /// It asked, and has no answer yet.
    Asked,
    /// It ran too many operations.
    Operations,
    /// Perhaps it ran too many: trees have taken part, of which only an estimate is known.
    Estimate,
    /// It took too long.
    Deadline,
}

/// One budget for everything a call leads to: functions that the interpreter runs, trees, callbacks of lists, and functions of other mods that
/// queries ask.
///
/// The interpreter's own count does not include what callbacks run, and errors of callbacks can be swallowed; once this one is spent, every
/// later operation ends too.
#[derive(Debug)]
pub(crate) struct Budget {
    n_operations: Cell<u64>,
    /// Whether trees have spent of it, so that the count is an estimate.
    is_estimate: Cell<bool>,
    until: Cell<Option<Instant>>,
    /// How long a call may take, all that it leads to included.
    pub time_limit: Cell<Duration>,
    halted: Cell<Option<Halting>>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            n_operations: Cell::new(0),
            is_estimate: Cell::new(false),
            until: Cell::new(None),
            time_limit: Cell::new(Duration::from_secs(2)),
            halted: Cell::new(None),
        }
    }
}

impl Budget {
    /// Begins anew, for a call that nothing else has led to.
    pub fn begin(&self) {
        self.until.set(None);
        self.halted.set(None);
        self.is_estimate.set(false);
        self.n_operations.set(0);
    }

    /// Begins to count anew, exactly, for a call that begins again in the interpreter. The clock runs on.
    pub fn begin_again(&self) {
        if self.halted.get() == Some(Halting::Estimate) {
            self.halted.set(None);
        }
        self.is_estimate.set(false);
        self.n_operations.set(0);
    }

    /// Spends an operation of the interpreter. Returns why it must end, if it must.
    #[inline]
    pub fn spend_operation(&self) -> Option<Halting> {
        self.spend(1)
    }

    /// Spends a step of a tree. Returns whether the tree may go on.
    #[inline]
    pub fn spend_tree_step(&self) -> bool {
        self.is_estimate.set(true);
        self.spend(TREE_STEP).is_none()
    }

    #[inline]
    fn spend(&self, n: u64) -> Option<Halting> {
        let before = self.n_operations.get();
        self.n_operations.set(before + n);
        if (before + n) / INTERVAL != before / INTERVAL { self.check() } else { self.halted.get() }
    }

    #[cold]
    fn check(&self) -> Option<Halting> {
        if self.halted.get().is_none() {
            let (n, is_estimate) = (self.n_operations.get(), self.is_estimate.get());
            let now = Instant::now();
            let until = self.until.get().unwrap_or_else(|| {
                let until = now + self.time_limit.get();
                self.until.set(Some(until));
                until
            });
            if is_estimate && n > MAX_ESTIMATE {
                self.halted.set(Some(Halting::Estimate));
            } else if n > MAX_OPERATIONS {
                self.halted.set(Some(Halting::Operations));
            } else if now >= until {
                self.halted.set(Some(Halting::Deadline));
            }
        }
        self.halted.get()
    }

    /// Returns how many operations were spent; of trees an estimate that is never too low.
    pub fn n_operations(&self) -> u64 {
        self.n_operations.get()
    }

    /// Forgets what was spent since there were `n` operations, by a tree in whose place the interpreter runs.
    pub fn go_back_to(&self, n: u64) {
        self.n_operations.set(n);
    }

    /// Returns why everything that the call leads to ends, if it does.
    pub fn halted(&self) -> Option<Halting> {
        self.halted.get()
    }
}
