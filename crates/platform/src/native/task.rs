//! Work beside the window: each on a thread of its own. Functions that wait here wait as threads do, so that no future is ever pending.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::mpsc::{Receiver, RecvError, RecvTimeoutError};
use std::task::{Context, Poll, Waker};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use thread_priority::{ThreadPriority, set_current_thread_priority};

/// Work that was begun.
#[derive(Debug)]
pub struct Task(JoinHandle<()>);

impl Task {
    /// Waits until it has ended.
    pub fn join(self) {
        // That it panicked was told by itself.
        let _ = self.0.join();
    }
}

/// Begins work beside the window, by a name for debuggers and with so many bytes of stack.
///
/// # Errors
/// Where the system gives no thread.
pub fn spawn<F: Future<Output = ()>>(
    name: &str,
    stack: usize,
    work: impl FnOnce() -> F + Send + 'static,
) -> io::Result<Task> {
    let run = move || finish(work());
    thread::Builder::new().name(name.to_owned()).stack_size(stack).spawn(run).map(Task)
}

/// Work that another copy of the program does: here there is none, since threads do it.
#[derive(Debug)]
pub enum Elsewhere {}

impl Elsewhere {
    /// Returns what is said.
    pub fn said(&self) -> &Receiver<String> {
        match *self {}
    }
}

/// Has a job done by another copy of the program: never, it is to be done here.
pub fn elsewhere(_job: impl FnOnce() -> String) -> Option<Elsewhere> {
    None
}

/// Does work here and now, to its end.
pub fn finish<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    loop {
        match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(done) => return done,
            Poll::Pending => thread::yield_now(),
        }
    }
}

/// Has all else go first from now on, the window before anything: this thread, and those that it begins, get what is left of the processor.
pub fn give_way() {
    // Where the system does not allow it, work is done as it would be.
    let _ = set_current_thread_priority(ThreadPriority::Min);
}

/// Returns whether there are threads: whether work may take its time.
pub const fn has_threads() -> bool {
    true
}

/// Returns the next thing that is sent to work beside the window.
///
/// # Errors
/// Where nobody sends any more.
pub async fn recv<T>(receiver: &Receiver<T>) -> Result<T, RecvError> {
    receiver.recv()
}

/// Returns the next thing that is sent within this time.
///
/// # Errors
/// Where nothing is, or nobody sends any more.
pub async fn recv_timeout<T>(receiver: &Receiver<T>, timeout: Duration) -> Result<T, RecvTimeoutError> {
    receiver.recv_timeout(timeout)
}

/// Lets others work, where there is but one thread for all.
pub async fn breathe() {}

/// Waits in the window for what work beside it sends, until then; for ever where no time is given.
///
/// # Errors
/// Where nothing is sent by then, or nobody sends any more.
pub fn wait<T>(receiver: &Receiver<T>, until: Option<Instant>) -> Result<T, RecvTimeoutError> {
    match until {
        None => receiver.recv().map_err(RecvTimeoutError::from),
        Some(until) => receiver.recv_timeout(until.saturating_duration_since(Instant::now())),
    }
}
