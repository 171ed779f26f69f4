//! Stopping what takes long.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rules::{Failure, Halt, Rules};

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

/// Returns the same rules for copies of a game on which something is tried: what is tried comes to an end once `stop` is asked for, and means
/// nothing then.
pub(crate) fn stoppable(rules: &Rules, stop: &Stop) -> Rc<Rules> {
    let stop = stop.clone();
    Rc::new(rules.around_calls(move |hooks, function, args, call| {
        if stop.is_asked() {
            return Err(Halt::Failed(Failure::from("it was stopped".to_owned())));
        }
        hooks.call(function, args, call)
    }))
}
