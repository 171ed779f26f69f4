//! A flag that stops long operations.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rules::{Failure, Halt, Rules};

/// A flag by which one thread asks another thread to stop its work. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Sets the flag.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Clears the flag, so that the next operation can run.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Returns whether the flag is set.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Returns a copy of `rules` for trial calls on copies of a game. After `stop` is set, each call of
/// a mod's function fails, so the results of the trials are meaningless.
pub(crate) fn stoppable(rules: &Rules, stop: &StopFlag) -> Rc<Rules> {
    let stop = stop.clone();
    Rc::new(rules.wrap_calls(move |hooks, function, args, call| {
        if stop.is_requested() {
            return Err(Halt::Failed(Failure::from("the call was stopped".to_owned())));
        }
        hooks.call(function, args, call)
    }))
}
