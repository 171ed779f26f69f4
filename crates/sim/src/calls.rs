//! Counting how often mods' functions are called.

use std::cell::Cell;
use std::rc::Rc;

use rules::{Call, FnIdx, Halt, Hooks, Rules, Value};

/// How often a function of a mod was called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionCalls {
    /// The mod.
    pub owner: String,
    /// The function.
    pub function: String,
    /// How often; a call that asks runs once for each answer and once more.
    pub n: u64,
}

/// Hooks that count what passes through them.
struct Counting {
    inner: Rc<dyn Hooks>,
    counts: Rc<Vec<Cell<u64>>>,
}

impl Hooks for Counting {
    fn call(&self, function: FnIdx, args: &[Value], call: Call) -> (Call, Result<Value, Halt>) {
        if let Some(count) = self.counts.get(function.idx()) {
            count.set(count.get() + 1);
        }
        self.inner.call(function, args, call)
    }
}

/// The same rules, and the counts of their functions' calls.
pub(crate) fn counted(rules: Rules) -> (Rules, Rc<Vec<Cell<u64>>>) {
    let counts = Rc::new(vec![Cell::new(0); rules.catalogue().functions.len()]);
    let hooks = Rc::new(Counting { inner: rules.hooks, counts: counts.clone() });
    (Rules { ruleset: rules.ruleset, hooks }, counts)
}
