//! Limits on the operations and the time of scripts. Each call of a script function by the engine
//! has a budget, which its nested calls share. A second, larger budget limits all calls from one
//! answer of a player to the next.

use std::cell::Cell;
use std::time::Duration;

/// The maximum number of operations of one outermost call, including nested calls of other mods'
/// functions.
pub(crate) const MAX_OPERATIONS: u64 = 500_000;

/// The maximum total of operations of all calls from one answer of a player to the next: sixteen
/// times the limit of one call.
pub(crate) const MAX_OPERATIONS_OF_ALL: u64 = 16 * MAX_OPERATIONS;

/// The time limit of one call, in CPU time of its thread. The limit is only an emergency stop.
///
/// The count of operations is the same on every machine, but the time is not. Therefore the
/// operation limit must always stop a call before the time limit does. In an unoptimized build, the
/// slowest 500,000 operations of the test mods in `tests/hostile` take half a second.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(10);

/// The time limit of all calls from one answer of a player to the next, as a multiple of the limit
/// of one call.
const TIME_FACTOR_OF_ALL: u32 = 4;

/// The charge, in operations, for each operation in a script that uses `this`. The interpreter does
/// not report uses of `this`, so the budget cannot charge for the value of `this`.
pub(crate) const THIS_OPERATION_COST: u64 = 32;

/// The charge, in operations, for evaluating one expression of a tree (see [`crate::tree`]). The
/// interpreter needs fewer operations for the same expression. Therefore a call that is within the
/// budget by this estimate is also within the budget in the interpreter.
const TREE_STEP_COST: u64 = 8;

/// The largest estimate of the operations of a call that runs trees. Beyond this limit, the call
/// restarts in the interpreter, which counts exactly. The restart wastes the operations before it,
/// so the limit is only a quarter of the budget.
const MAX_ESTIMATE: u64 = MAX_OPERATIONS / 4;

/// The number of operations after which the budget checks the count and the clock again. The clock
/// of a call starts at the first check, so short calls never read the clock.
const CHECK_INTERVAL: u64 = 1 << 10;

/// The weight (see [`crate::weight`]) of the values that a script may read, copy or make for the
/// price of one operation. One unit of weight is about 16 bytes, so no call can make more than
/// about 150 MB.
const WEIGHT_OF_OPERATION: u64 = 16;

/// A reason why the engine stops a script. Scripts cannot catch this stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HaltReason {
    /// The script asked a question that has no answer yet.
    Asked,
    /// The script ran too many operations.
    Operations,
    /// The script may have run too many operations. Trees ran, so the count is only an estimate.
    Estimate,
    /// The script took too long.
    Deadline,
    /// The calls since the last answer of a player ran too many operations in total.
    OperationsOfAll,
    /// The calls since the last answer of a player took too long in total.
    DeadlineOfAll,
}

/// The budget of a call, which covers everything that the call runs: interpreted functions, trees,
/// callbacks of lists, and functions of other mods.
///
/// The interpreter's own count omits the operations of callbacks, and a script can catch the error
/// that ends a callback. Therefore, once this budget is spent, every later operation fails too.
#[derive(Debug)]
pub(crate) struct Budget {
    n_operations: Cell<u64>,
    /// True if trees ran in this call, so that the count is an estimate.
    is_estimate: Cell<bool>,
    /// True if the script that the interpreter runs uses `this`.
    pub uses_this: Cell<bool>,
    /// The CPU time of the thread when this call first read the clock; `None` if the call has not
    /// read the clock yet.
    began: Cell<Option<Duration>>,
    /// The CPU time that the call had taken when it last read the clock.
    took: Cell<Duration>,
    /// The time limit of a call, including its nested calls.
    pub time_limit: Cell<Duration>,
    halted: Cell<Option<HaltReason>>,
    /// The number of operations of all earlier calls since the last answer of a player.
    n_operations_before: Cell<u64>,
    took_before: Cell<Duration>,
    /// True if the time limit has stopped a call since the last answer of a player, and
    /// [`try_reset_clock`](Self::try_reset_clock) has reset the clock.
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

/// Returns the CPU time of this thread; `None` in a browser, which does not report the CPU time.
#[cfg(not(target_family = "wasm"))]
fn now() -> Option<Duration> {
    cpu_time::ThreadTime::try_now().ok().map(|time| time.as_duration())
}

#[cfg(target_family = "wasm")]
fn now() -> Option<Duration> {
    None
}

impl Budget {
    /// Starts counting the operations and the time of an outermost call. Adds the counts of the
    /// previous call to the sums over all calls.
    pub fn begin(&self) {
        self.n_operations_before.set(self.n_operations_before.get() + self.n_operations.get());
        self.took_before.set(self.took_before.get() + self.took.get());
        self.began.set(None);
        self.took.set(Duration::ZERO);
        self.halted.set(None);
        self.is_estimate.set(false);
        self.n_operations.set(0);
    }

    /// Resets the sums over all calls, before the engine processes a new answer of a player.
    pub(crate) fn reset_sums(&self) {
        self.n_operations.set(0);
        self.took.set(Duration::ZERO);
        self.n_operations_before.set(0);
        self.took_before.set(Duration::ZERO);
        self.was_set_back.set(false);
    }

    /// Returns the share of the operations of all calls that were used since the last reset, from 0
    /// to 1.
    pub(crate) fn used_share(&self) -> f64 {
        let n = self.n_operations_before.get() + self.n_operations.get();
        (n as f64 / MAX_OPERATIONS_OF_ALL as f64).min(1.0)
    }

    /// If the time limit stopped the call, resets the clock and the count of operations, but at
    /// most once per answer of a player. Returns whether it has reset them; the caller then runs
    /// the call again.
    pub(crate) fn try_reset_clock(&self) -> bool {
        let has_struck = matches!(self.halted.get(), Some(HaltReason::Deadline | HaltReason::DeadlineOfAll));
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

    /// Sets the count of operations to 0 for a call that restarts in the interpreter. The clock
    /// continues.
    pub(crate) fn reset_operations(&self) {
        if self.halted.get() == Some(HaltReason::Estimate) {
            self.halted.set(None);
        }
        self.is_estimate.set(false);
        self.n_operations.set(0);
    }

    /// Charges the budget for one operation of the interpreter. Returns the reason to stop the
    /// script, if any.
    #[inline]
    pub(crate) fn spend_operation(&self) -> Option<HaltReason> {
        self.spend(if self.uses_this.get() { THIS_OPERATION_COST } else { 1 })
    }

    /// Charges the budget for one expression of a tree, or one iteration of a loop in a tree.
    /// Returns whether evaluation may continue.
    #[inline]
    pub(crate) fn spend_tree_step(&self) -> bool {
        self.is_estimate.set(true);
        self.spend(TREE_STEP_COST).is_none()
    }

    /// Charges the budget for reading, copying or making a value of weight `weight`. Returns the
    /// reason to stop the script, if any.
    #[inline]
    pub(crate) fn spend_weight(&self, weight: u64) -> Option<HaltReason> {
        self.spend(weight / WEIGHT_OF_OPERATION)
    }

    /// Charges the budget for `n` operations. Returns the reason to stop the script, if any.
    #[inline]
    pub fn spend(&self, n: u64) -> Option<HaltReason> {
        let before = self.n_operations.get();
        self.n_operations.set(before + n);
        if (before + n) / CHECK_INTERVAL != before / CHECK_INTERVAL { self.check() } else { self.halted.get() }
    }

    #[cold]
    fn check(&self) -> Option<HaltReason> {
        if self.halted.get().is_none() {
            let (n, is_estimate) = (self.n_operations.get(), self.is_estimate.get());
            let now = now();
            self.began.set(self.began.get().or(now));
            let took = now.zip(self.began.get()).map_or(Duration::ZERO, |(now, began)| now.saturating_sub(began));
            self.took.set(took);
            let limit = self.time_limit.get();
            if is_estimate && n > MAX_ESTIMATE {
                self.halted.set(Some(HaltReason::Estimate));
            } else if n > MAX_OPERATIONS {
                self.halted.set(Some(HaltReason::Operations));
            } else if self.n_operations_before.get() + n > MAX_OPERATIONS_OF_ALL {
                self.halted.set(Some(HaltReason::OperationsOfAll));
            } else if took >= limit {
                self.halted.set(Some(HaltReason::Deadline));
            } else if self.took_before.get() + took >= limit * TIME_FACTOR_OF_ALL {
                self.halted.set(Some(HaltReason::DeadlineOfAll));
            }
        }
        self.halted.get()
    }

    /// Returns the number of operations that the call has spent. If trees ran, this is an estimate
    /// that is never too low.
    pub fn n_operations(&self) -> u64 {
        self.n_operations.get()
    }

    /// Sets the count to `n` operations. The host calls this method before it runs a nested
    /// function again in the interpreter, in place of its tree.
    pub(crate) fn set_n_operations(&self, n: u64) {
        self.n_operations.set(n);
    }

    /// Returns the reason that stopped the call, if any.
    pub(crate) fn halt_reason(&self) -> Option<HaltReason> {
        self.halted.get()
    }

    /// Returns the time limit of all calls from one answer of a player to the next.
    pub(crate) fn time_limit_of_all(&self) -> Duration {
        self.time_limit.get() * TIME_FACTOR_OF_ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spend_a_call(budget: &Budget, n: u64) -> Option<HaltReason> {
        budget.begin();
        (0..n / 1000).find_map(|_| budget.spend(1000))
    }

    #[test]
    fn calls_of_one_answer_are_added_up() {
        let budget = Budget::default();
        budget.time_limit.set(Duration::from_secs(600));
        assert_eq!(spend_a_call(&budget, MAX_OPERATIONS + 2000), Some(HaltReason::Operations));
        budget.reset_sums();
        let n = MAX_OPERATIONS_OF_ALL / 400_000;
        for _ in 0..n {
            assert_eq!(spend_a_call(&budget, 400_000), None);
        }
        assert_eq!(spend_a_call(&budget, 400_000), Some(HaltReason::OperationsOfAll));
        budget.reset_sums();
        assert_eq!(spend_a_call(&budget, 400_000), None);
    }

    /// Returns a budget whose call has already exceeded its time limit, which is zero.
    fn struck() -> Budget {
        let budget = Budget::default();
        budget.time_limit.set(Duration::ZERO);
        assert_eq!(budget.spend(CHECK_INTERVAL), Some(HaltReason::Deadline));
        budget
    }

    #[test]
    fn the_clock_is_set_back_once_an_answer() {
        let budget = struck();
        assert!(budget.try_reset_clock());
        assert_eq!((budget.halt_reason(), budget.n_operations()), (None, 0));
        assert_eq!(budget.spend(CHECK_INTERVAL), Some(HaltReason::Deadline));
        assert!(!budget.try_reset_clock());
        assert_eq!(budget.halt_reason(), Some(HaltReason::Deadline));
        budget.reset_sums();
        budget.begin();
        budget.spend(CHECK_INTERVAL);
        assert!(budget.try_reset_clock());
    }

    #[test]
    fn operations_are_never_tried_again() {
        let budget = Budget::default();
        assert_eq!(spend_a_call(&budget, MAX_OPERATIONS + 2000), Some(HaltReason::Operations));
        assert!(!budget.try_reset_clock());
        assert_eq!(budget.halt_reason(), Some(HaltReason::Operations));
    }

    #[test]
    fn time_is_added_up_as_well() {
        let budget = Budget::default();
        budget.took_before.set(budget.time_limit_of_all());
        assert_eq!(budget.spend(CHECK_INTERVAL), Some(HaltReason::DeadlineOfAll));
        assert!(budget.try_reset_clock());
        assert_eq!(budget.spend(CHECK_INTERVAL), None);
    }
}
