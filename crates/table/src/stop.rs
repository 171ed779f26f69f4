//! Stopping what takes long.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rules::{Call, Failure, FnIdx, Halt, Hooks, Rules, TracedCall, Value};

/// Asks work on another thread to stop at the next chance. Copies are the same.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks for it.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Takes that back: for the next piece of work.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Returns whether it was asked for.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs the functions of mods until it is to stop; from then on each of them fails.
struct Stoppable {
    hooks: Rc<dyn Hooks>,
    stop: Stop,
}

impl Hooks for Stoppable {
    fn call(&self, function: FnIdx, args: &[Value], call: &mut Call) -> Result<Value, Halt> {
        if self.stop.is_asked() {
            return Err(Halt::Failed(Failure::from("it was stopped".to_owned())));
        }
        self.hooks.call(function, args, call)
    }

    fn begin(&self) {
        self.hooks.begin();
    }

    fn print(&self, line: &str) {
        self.hooks.print(line);
    }

    fn take_lines(&self) -> Vec<String> {
        self.hooks.take_lines()
    }

    fn trace(&self, is_on: bool) -> Vec<TracedCall> {
        self.hooks.trace(is_on)
    }

    fn evaluate(&self, text: &str, call: &mut Call) -> Result<String, Halt> {
        self.hooks.evaluate(text, call)
    }
}

/// Returns the same rules for copies of a game on which something is tried: what is tried comes to an end once `stop` is asked for, and means
/// nothing then.
pub(crate) fn stoppable(rules: &Rules, stop: &Stop) -> Rc<Rules> {
    let hooks = Rc::new(Stoppable { hooks: rules.hooks.clone(), stop: stop.clone() });
    Rc::new(rules.with_hooks(hooks))
}
