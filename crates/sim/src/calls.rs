//! Counts the calls of mods' functions, and measures the duration of the calls.

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
    /// The number of calls. If a function asks a question, the engine calls the function again
    /// after the answer, which counts as another call. If the answer is known immediately, there is
    /// only one call. If the first line of the function only tests `mem` and would return, the
    /// engine omits the call, so it is not counted.
    pub n: u64,
    /// The total duration of all calls, including nested calls. Measuring adds some tens of
    /// nanoseconds to each call.
    pub took: Duration,
    /// The number of calls that began as trees and ran again in the interpreter.
    #[serde(default)]
    pub n_restarted: u64,
}

/// The number of calls of one function so far, their total duration, and the number of calls that
/// ran again.
#[derive(Default)]
pub(crate) struct FunctionCost {
    pub n: Cell<u64>,
    pub took: Cell<Duration>,
    pub n_restarted: Cell<u64>,
}

/// Returns a copy of `rules` that counts and times all calls of functions, and one counter for each
/// function of the catalogue.
pub(crate) fn with_counters(rules: &Rules) -> (Rules, Rc<[FunctionCost]>) {
    let costs: Rc<[FunctionCost]> = rules.catalogue().functions.iter().map(|_| FunctionCost::default()).collect();
    let noted = costs.clone();
    let rules = rules.wrap_calls(move |hooks, function, args, call| {
        let began = Instant::now();
        let result = hooks.call(function, args, call);
        if let Some(cost) = noted.get(function.idx()) {
            cost.n.set(cost.n.get() + 1);
            cost.took.set(cost.took.get() + began.elapsed());
            cost.n_restarted.set(cost.n_restarted.get() + u64::from(call.n_restarts > 0));
        }
        result
    });
    (rules, costs)
}
