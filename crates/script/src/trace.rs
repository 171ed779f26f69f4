//! Records function calls while tracing is on.
#![expect(clippy::indexing_slicing, reason = "the indices of calls come from this list")]

use std::cell::{Cell, RefCell};

use rules::{Call, CallEnd, FnIdx, Halt, TracedCall, Value, debug_text};
use web_time::{Duration, Instant};

use crate::script_value::ScriptValue;

/// The maximum number of calls to record, and of actions to record for each call. An action is a
/// call of a native function that does more than read.
const MAX_NOTED: usize = 10_000;

/// The recorded calls. While tracing is off, the trace records nothing and costs almost no time.
#[derive(Default)]
pub(crate) struct Trace {
    is_on: Cell<bool>,
    calls: RefCell<Vec<TracedCall>>,
    /// The index in `calls` of the running call, if it is recorded.
    running: Cell<Option<usize>>,
}

/// A call that is being recorded.
pub(crate) struct OpenRecord {
    /// The index of the record in the list; `None` if the list is full.
    number: Option<usize>,
    /// The index of the record of the call around this call, if it is recorded.
    outer: Option<usize>,
    began: Instant,
}

impl Trace {
    /// Switches tracing on or off. Removes and returns the calls recorded so far.
    pub(crate) fn set_enabled(&self, is_on: bool) -> Vec<TracedCall> {
        self.is_on.set(is_on);
        self.running.set(None);
        self.calls.take()
    }

    /// Returns whether tracing is on.
    #[inline]
    pub fn is_enabled(&self) -> bool {
        self.is_on.get()
    }

    /// Records the start of a call, unless the list is full. Returns `None` if tracing is off.
    #[inline]
    pub fn begin(&self, function: FnIdx, args: &[Value], call: &Call, depth: u32) -> Option<OpenRecord> {
        if !self.is_on.get() {
            return None;
        }
        let mut calls = self.calls.borrow_mut();
        let number = calls.len();
        if number >= MAX_NOTED {
            // The actions of a call without a record must not go into the record of the outer call.
            return Some(OpenRecord { number: None, outer: self.running.replace(None), began: Instant::now() });
        }
        let args = args.iter().map(|arg| debug_text(call.ruleset(), call.state(), arg)).collect();
        let (did, end) = (Vec::new(), CallEnd::Returned(String::new()));
        calls.push(TracedCall { function, depth, args, did, end, took: Duration::ZERO });
        Some(OpenRecord { number: Some(number), outer: self.running.replace(Some(number)), began: Instant::now() })
    }

    /// Records the end of a call.
    pub fn end(&self, noting: Option<OpenRecord>, result: &Result<Value, Halt>, call: &Call) {
        let Some(OpenRecord { number, outer, began }) = noting else { return };
        self.running.set(outer);
        let Some(number) = number else { return };
        let noted = &mut self.calls.borrow_mut()[number];
        noted.took = began.elapsed();
        noted.end = match result {
            Ok(Value::Unit) => CallEnd::Returned(String::new()),
            Ok(value) => CallEnd::Returned(debug_text(call.ruleset(), call.state(), value)),
            Err(Halt::Asked) => CallEnd::Asked,
            Err(Halt::Failed(failure)) => CallEnd::Failed(failure.message.clone()),
        };
    }

    /// Discards the actions recorded for the running call, and the records of its nested calls,
    /// because the call starts again.
    pub(crate) fn discard_running_call(&self) {
        let Some(number) = self.running.get() else { return };
        let mut calls = self.calls.borrow_mut();
        calls.truncate(number + 1);
        calls[number].did.clear();
    }

    /// Records an action of the running call: a call of the native function `name`.
    #[inline]
    pub(crate) fn record_call(&self, name: &str, args: &[&ScriptValue], call: &Call) {
        if !self.is_on.get() {
            return;
        }
        let Some(number) = self.running.get() else { return };
        let did = &mut self.calls.borrow_mut()[number].did;
        if did.len() < MAX_NOTED {
            let shown = |arg: &&ScriptValue| match (*arg).clone().into_plain() {
                Ok(value) => debug_text(call.ruleset(), call.state(), &value),
                Err(what) => what.to_owned(),
            };
            did.push(format!("{name}({})", args.iter().map(shown).collect::<Vec<_>>().join(", ")));
        }
    }
}
