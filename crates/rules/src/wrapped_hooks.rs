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
    /// False if all actions share the current budget of operations.
    resets_budget: bool,
}

impl<F: Fn(&dyn Hooks, FnIdx, &[Value], &mut Call) -> Result<Value, Halt>> Hooks for WrappedHooks<F> {
    fn call(&self, function: FnIdx, args: &[Value], call: &mut Call) -> Result<Value, Halt> {
        (self.around)(&*self.hooks, function, args, call)
    }

    fn returns_at_once(&self, function: FnIdx, state: &State) -> bool {
        self.hooks.returns_at_once(function, state)
    }

    fn reset_budget(&self) {
        if self.resets_budget {
            self.hooks.reset_budget();
        }
    }

    fn used_budget(&self) -> f64 {
        self.hooks.used_budget()
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
        self.wrap(around, true)
    }

    /// Returns the same rules with a new budget of operations, which all further actions share. So
    /// the cost of many actions has the limit of one action.
    #[must_use]
    pub fn with_one_budget(&self) -> Rules {
        self.hooks.reset_budget();
        self.wrap(|hooks, function, args, call| hooks.call(function, args, call), false)
    }

    fn wrap(
        &self,
        around: impl Fn(&dyn Hooks, FnIdx, &[Value], &mut Call) -> Result<Value, Halt> + 'static,
        resets_budget: bool,
    ) -> Rules {
        let hooks = Rc::new(WrappedHooks { hooks: self.hooks.clone(), around, resets_budget });
        Rules { ruleset: self.ruleset.clone(), hooks, reads: Rc::default() }
    }
}
