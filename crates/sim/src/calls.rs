//! Counts the calls of mods' functions, and measures the time that the calls take.

use std::cell::Cell;
use std::rc::Rc;

use platform::time::{Duration, Instant};
use rules::Rules;
use serde::{Deserialize, Serialize};

/// The calls of one function of a mod.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FunctionCalls {
    /// The id of the mod that declares the function.
    pub owner: String,
    /// The name of the function.
    pub function: String,
    /// The number of calls. If a function asks a question, the engine calls the function again when
    /// it has the answer. This is another call, except if the answer is known immediately.
    pub n: u64,
    /// The total time of all calls, nested calls included. Measuring adds some tens of nanoseconds
    /// to each call.
    pub took: Duration,
}

/// The number of calls and the total time of one function so far.
#[derive(Default)]
pub(crate) struct FunctionCost {
    pub n: Cell<u64>,
    pub took: Cell<Duration>,
}

/// Returns a copy of `rules` that counts and times all calls of functions. Also returns the
/// counters, one for each function of the catalogue.
pub(crate) fn with_counters(rules: &Rules) -> (Rules, Rc<[FunctionCost]>) {
    let costs: Rc<[FunctionCost]> = rules.catalogue().functions.iter().map(|_| FunctionCost::default()).collect();
    let noted = costs.clone();
    let rules = rules.wrap_calls(move |hooks, function, args, call| {
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
