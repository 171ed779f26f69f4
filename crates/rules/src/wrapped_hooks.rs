//! Rules whose functions are recorded, timed or skipped.

use std::rc::Rc;

use crate::call::{Call, Hooks, Rules};
use crate::fault::Halt;
use crate::indices::FnIdx;
use crate::state::State;
use crate::traced_call::TracedCall;
use crate::value::Value;

/// Hooks that call `around` in place of each function.
struct WrappedHooks<F> {
    hooks: Rc<dyn Hooks>,
    around: F,
}

impl<F: Fn(&dyn Hooks, FnIdx, &[Value], &mut Call) -> Result<Value, Halt>> Hooks for WrappedHooks<F> {
    fn call(&self, function: FnIdx, args: &[Value], call: &mut Call) -> Result<Value, Halt> {
        (self.around)(&*self.hooks, function, args, call)
    }

    fn returns_at_once(&self, function: FnIdx, state: &State) -> bool {
        self.hooks.returns_at_once(function, state)
    }

    fn reset_budget(&self) {
        self.hooks.reset_budget();
    }

    fn print(&self, line: &str) {
        self.hooks.print(line);
    }

    fn take_lines(&self) -> Vec<String> {
        self.hooks.take_lines()
    }

    fn set_tracing(&self, is_on: bool) -> Vec<TracedCall> {
        self.hooks.set_tracing(is_on)
    }

    fn evaluate(&self, text: &str, call: &mut Call) -> Result<String, Halt> {
        self.hooks.evaluate(text, call)
    }
}

impl Rules {
    /// Returns the same rules, except that they call `around` instead of each function. `around`
    /// receives the original hooks and the arguments of the call; it may record, time or skip the
    /// call.
    #[must_use]
    pub fn wrap_calls(
        &self,
        around: impl Fn(&dyn Hooks, FnIdx, &[Value], &mut Call) -> Result<Value, Halt> + 'static,
    ) -> Rules {
        let hooks = Rc::new(WrappedHooks { hooks: self.hooks.clone(), around });
        Rules { ruleset: self.ruleset.clone(), hooks, reads: Rc::default() }
    }
}
