//! Counting how often mods' functions are called, and how long they take.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rules::{Call, FnIdx, Halt, Hooks, Rules, Value};
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

/// Hooks that count what passes through them.
struct Counting {
    inner: Rc<dyn Hooks>,
    costs: Rc<[Cost]>,
}

impl Hooks for Counting {
    fn call(&self, function: FnIdx, args: &[Value], call: &mut Call) -> Result<Value, Halt> {
        let began = Instant::now();
        let result = self.inner.call(function, args, call);
        if let Some(cost) = self.costs.get(function.idx()) {
            cost.n.set(cost.n.get() + 1);
            cost.took.set(cost.took.get() + began.elapsed());
        }
        result
    }

    fn begin(&self) {
        self.inner.begin();
    }

    fn print(&self, line: &str) {
        self.inner.print(line);
    }

    fn take_lines(&self) -> Vec<String> {
        self.inner.take_lines()
    }
}

/// The same rules, and what their functions cost.
pub(crate) fn counted(rules: Rules) -> (Rules, Rc<[Cost]>) {
    let costs: Rc<[Cost]> = rules.catalogue().functions.iter().map(|_| Cost::default()).collect();
    let hooks = Rc::new(Counting { inner: rules.hooks.clone(), costs: costs.clone() });
    (rules.with_hooks(hooks), costs)
}
