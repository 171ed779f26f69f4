//! The lowered functions of a script.

use rules::{ModIdx, State};

use super::Block;
use super::guard::Guard;

/// The lowered functions of a script.
#[derive(Default)]
pub(crate) struct Program {
    pub(super) functions: Vec<LoweredFunction>,
}

/// A lowered function.
pub(crate) struct LoweredFunction {
    /// The number of slots for the variables of the function. The parameters have the first slots.
    pub(super) n_slots: usize,
    /// The body; `None` while it is being lowered, or if it cannot be lowered. If a tree calls a
    /// function without a body, the interpreter takes over.
    pub(super) body: Option<Block>,
    /// The test of `mem` with which the body begins, if any.
    pub(super) guard: Option<Guard>,
}

impl Program {
    /// Returns whether function number `function` of mod `owner` returns at once in this state.
    pub(crate) fn returns_at_once(&self, function: usize, state: &State, owner: ModIdx) -> bool {
        self.functions[function].guard.as_ref().is_some_and(|guard| guard.is_true(state, owner))
    }
}
