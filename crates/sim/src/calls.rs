//! Counting how often mods' functions are called, and how long they take.

use std::cell::Cell;
use std::rc::Rc;

use platform::time::{Duration, Instant};
use rules::Rules;
use serde::{Deserialize, Serialize};

/// How often a function of a mod was called.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FunctionCalls {
    /// The mod.
    pub owner: String,
    /// The function.
    pub function: String,
    /// How often; a call that asks runs once more for each answer that is not given at once.
    pub n: u64,
    /// How long all of them together took, functions that they lead to included. The clock itself costs some tens of nanoseconds a call.
    pub took: Duration,
}

/// What one function has cost so far.
#[derive(Default)]
pub(crate) struct Cost {
    pub n: Cell<u64>,
    pub took: Cell<Duration>,
}

/// The same rules, and what their functions cost.
pub(crate) fn counted(rules: &Rules) -> (Rules, Rc<[Cost]>) {
    let costs: Rc<[Cost]> = rules.catalogue().functions.iter().map(|_| Cost::default()).collect();
    let noted = costs.clone();
    let rules = rules.around_calls(move |hooks, function, args, call| {
        let began = Instant::now();
        let result = hooks.call(function, args, call);
        if let Some(cost) = noted.get(function.idx()) {
            cost.n.set(cost.n.get() + 1);
            cost.took.set(cost.took.get() + began.elapsed());
        }
        result
    });
    (rules, costs)
}
