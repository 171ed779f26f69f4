//! The budget of one call of the engine, with all calls that it leads to, and of all calls that
//! follow from one answer: operations and time.

use std::cell::Cell;
use std::time::Duration;

/// The most operations of one call of the engine, including those of other mods' functions that it
/// leads to.
pub(crate) const MAX_OPERATIONS: u64 = 500_000;

/// The most operations of all calls that one answer leads to: as many as of sixteen calls.
pub(crate) const MAX_OPERATIONS_OF_ALL: u64 = 16 * MAX_OPERATIONS;

/// The time limit of one call: an emergency stop, in time of this thread on a processor.
///
/// Operations decide games, on every machine in the same way, so the clock must never strike first.
/// The slowest 500,000 operations of the hostile mods take half a second without optimization.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(10);

/// The time limit of all calls that one answer leads to, in time limits of one call.
const TIMES_OF_ALL: u32 = 4;

/// The weight of an operation in a script that uses `this`: the interpreter does not report `this`,
/// so its value is copied and compared without being weighed.
pub(crate) const OPERATION_WITH_THIS: u64 = 32;

/// The charge for a step of a tree: more operations than the interpreter would need for it. So a
/// call that stays within the budget by this estimate would do so in the interpreter as well.
const TREE_STEP: u64 = 8;

/// The largest estimate that is trusted. Beyond it the call begins again in the interpreter, whose
/// count is exact. The operations spent until then are lost, and must be few beside the whole
/// budget.
const MAX_ESTIMATE: u64 = MAX_OPERATIONS / 4;

/// The clock is read, and the count compared, once in so many operations; the clock of a call
/// begins at the first time, so short calls never read it.
const INTERVAL: u64 = 1 << 10;

/// The weight (see [`crate::weight`]) that a value may have for one operation when it is read,
/// copied or made. So no call can hold more than some 150 MB: sixteen bytes a thing, sixteen things
/// an operation.
const WEIGHT_OF_OPERATION: u64 = 16;

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
    /// All calls that the answer has led to ran too many operations together.
    OperationsOfAll,
    /// All calls together took too long.
    DeadlineOfAll,
}

/// One budget for everything a call leads to: functions that the interpreter runs, trees, callbacks
/// of lists, and functions of other mods that queries ask.
///
/// The interpreter's own count does not include what callbacks run, and errors of callbacks can be
/// swallowed; once this one is spent, every later operation ends too.
#[derive(Debug)]
pub(crate) struct Budget {
    n_operations: Cell<u64>,
    /// True if trees have spent of it, so that the count is an estimate.
    is_estimate: Cell<bool>,
    /// True if the script that the interpreter runs uses `this`.
    pub uses_this: Cell<bool>,
    /// The first reading of the clock, if there was one.
    began: Cell<Option<Duration>>,
    /// The time that the call had taken at the last reading of the clock.
    took: Cell<Duration>,
    /// The time limit of a call with all that it leads to.
    pub time_limit: Cell<Duration>,
    halted: Cell<Option<Halting>>,
    /// The operations of the calls before this one since the last answer.
    n_operations_before: Cell<u64>,
    took_before: Cell<Duration>,
    /// True if the clock has stopped a call since the last answer and was set back.
    was_set_back: Cell<bool>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            n_operations: Cell::new(0),
            is_estimate: Cell::new(false),
            uses_this: Cell::new(false),
            began: Cell::new(None),
            took: Cell::default(),
            time_limit: Cell::new(TIME_LIMIT),
            halted: Cell::new(None),
            n_operations_before: Cell::new(0),
            took_before: Cell::default(),
            was_set_back: Cell::new(false),
        }
    }
}

/// Returns how long this thread has been at work, where that can be known: a browser does not say
/// it.
#[cfg(not(target_family = "wasm"))]
fn now() -> Option<Duration> {
    cpu_time::ThreadTime::try_now().ok().map(|time| time.as_duration())
}

#[cfg(target_family = "wasm")]
fn now() -> Option<Duration> {
    None
}

impl Budget {
    /// Begins anew, for a call that nothing else has led to.
    pub fn begin(&self) {
        self.n_operations_before.set(self.n_operations_before.get() + self.n_operations.get());
        self.took_before.set(self.took_before.get() + self.took.get());
        self.began.set(None);
        self.took.set(Duration::ZERO);
        self.halted.set(None);
        self.is_estimate.set(false);
        self.n_operations.set(0);
    }

    /// Begins the sum over all calls anew: an answer was given.
    pub fn begin_all(&self) {
        self.n_operations.set(0);
        self.took.set(Duration::ZERO);
        self.n_operations_before.set(0);
        self.took_before.set(Duration::ZERO);
        self.was_set_back.set(false);
    }

    /// Sets the clock back if it has stopped the call, once an answer. Returns whether it did: the
    /// call is to be tried again.
    pub fn set_clock_back(&self) -> bool {
        let has_struck = matches!(self.halted.get(), Some(Halting::Deadline | Halting::DeadlineOfAll));
        if !has_struck || self.was_set_back.replace(true) {
            return false;
        }
        self.halted.set(None);
        self.is_estimate.set(false);
        self.n_operations.set(0);
        self.began.set(None);
        self.took.set(Duration::ZERO);
        self.took_before.set(Duration::ZERO);
        true
    }

    /// Begins to count anew, exactly, for a call that begins again in the interpreter. The clock
    /// runs on.
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
        self.spend(if self.uses_this.get() { OPERATION_WITH_THIS } else { 1 })
    }

    /// Spends a step of a tree. Returns whether the tree may go on.
    #[inline]
    pub fn spend_tree_step(&self) -> bool {
        self.is_estimate.set(true);
        self.spend(TREE_STEP).is_none()
    }

    /// Spends what it costs to look at, copy or make something of this weight. Returns why the
    /// script must end, if it must.
    #[inline]
    pub fn spend_weight(&self, weight: u64) -> Option<Halting> {
        self.spend(weight / WEIGHT_OF_OPERATION)
    }

    /// Spends `n` operations. Returns why the script must end, if it must.
    #[inline]
    pub fn spend(&self, n: u64) -> Option<Halting> {
        let before = self.n_operations.get();
        self.n_operations.set(before + n);
        if (before + n) / INTERVAL != before / INTERVAL { self.check() } else { self.halted.get() }
    }

    #[cold]
    fn check(&self) -> Option<Halting> {
        if self.halted.get().is_none() {
            let (n, is_estimate) = (self.n_operations.get(), self.is_estimate.get());
            let now = now();
            self.began.set(self.began.get().or(now));
            let took = now.zip(self.began.get()).map_or(Duration::ZERO, |(now, began)| now.saturating_sub(began));
            self.took.set(took);
            let limit = self.time_limit.get();
            if is_estimate && n > MAX_ESTIMATE {
                self.halted.set(Some(Halting::Estimate));
            } else if n > MAX_OPERATIONS {
                self.halted.set(Some(Halting::Operations));
            } else if self.n_operations_before.get() + n > MAX_OPERATIONS_OF_ALL {
                self.halted.set(Some(Halting::OperationsOfAll));
            } else if took >= limit {
                self.halted.set(Some(Halting::Deadline));
            } else if self.took_before.get() + took >= limit * TIMES_OF_ALL {
                self.halted.set(Some(Halting::DeadlineOfAll));
            }
        }
        self.halted.get()
    }

    /// Returns how many operations were spent; of trees an estimate that is never too low.
    pub fn n_operations(&self) -> u64 {
        self.n_operations.get()
    }

    /// Forgets what was spent since there were `n` operations, by a tree in whose place the
    /// interpreter runs.
    pub fn go_back_to(&self, n: u64) {
        self.n_operations.set(n);
    }

    /// Returns why everything that the call leads to ends, if it does.
    pub fn halted(&self) -> Option<Halting> {
        self.halted.get()
    }

    /// Returns how long all calls may take that one answer leads to.
    pub fn time_limit_of_all(&self) -> Duration {
        self.time_limit.get() * TIMES_OF_ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spend_a_call(budget: &Budget, n: u64) -> Option<Halting> {
        budget.begin();
        (0..n / 1000).find_map(|_| budget.spend(1000))
    }

    #[test]
    fn calls_of_one_answer_are_added_up() {
        let budget = Budget::default();
        budget.time_limit.set(Duration::from_secs(600));
        assert_eq!(spend_a_call(&budget, MAX_OPERATIONS + 2000), Some(Halting::Operations));
        budget.begin_all();
        let n = MAX_OPERATIONS_OF_ALL / 400_000;
        for _ in 0..n {
            assert_eq!(spend_a_call(&budget, 400_000), None);
        }
        assert_eq!(spend_a_call(&budget, 400_000), Some(Halting::OperationsOfAll));
        budget.begin_all();
        assert_eq!(spend_a_call(&budget, 400_000), None);
    }

    /// A clock that has struck by the first time it is read: with no time at all, whatever the
    /// machine does.
    fn struck() -> Budget {
        let budget = Budget::default();
        budget.time_limit.set(Duration::ZERO);
        assert_eq!(budget.spend(INTERVAL), Some(Halting::Deadline));
        budget
    }

    #[test]
    fn the_clock_is_set_back_once_an_answer() {
        let budget = struck();
        assert!(budget.set_clock_back());
        assert_eq!((budget.halted(), budget.n_operations()), (None, 0));
        assert_eq!(budget.spend(INTERVAL), Some(Halting::Deadline));
        assert!(!budget.set_clock_back());
        assert_eq!(budget.halted(), Some(Halting::Deadline));
        budget.begin_all();
        budget.begin();
        budget.spend(INTERVAL);
        assert!(budget.set_clock_back());
    }

    #[test]
    fn operations_are_never_tried_again() {
        let budget = Budget::default();
        assert_eq!(spend_a_call(&budget, MAX_OPERATIONS + 2000), Some(Halting::Operations));
        assert!(!budget.set_clock_back());
        assert_eq!(budget.halted(), Some(Halting::Operations));
    }

    #[test]
    fn time_is_added_up_as_well() {
        let budget = Budget::default();
        budget.took_before.set(budget.time_limit_of_all());
        assert_eq!(budget.spend(INTERVAL), Some(Halting::DeadlineOfAll));
        assert!(budget.set_clock_back());
        assert_eq!(budget.spend(INTERVAL), None);
    }
}
