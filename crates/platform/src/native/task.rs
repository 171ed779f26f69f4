//! Background work on threads. Functions of this module block their thread while they wait, so
//! their futures are ready at the first poll.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvError, RecvTimeoutError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, JoinHandle, Scope, ScopedJoinHandle, Thread};
use std::time::{Duration, Instant};

use thread_priority::{ThreadPriority, set_current_thread_priority};

/// A handle to background work.
#[derive(Debug)]
pub struct Task(JoinHandle<()>);

impl Task {
    /// Waits for the work to end.
    pub fn join(self) {
        // If the work panicked, its message has already been printed.
        let _ = self.0.join();
    }
}

/// Starts background work on a thread with a name for debuggers and a stack of `stack` bytes.
///
/// # Errors
/// Returns an error if the system refuses a thread.
pub fn spawn<F: Future<Output = ()>>(
    name: &str,
    stack: usize,
    work: impl FnOnce() -> F + Send + 'static,
) -> io::Result<Task> {
    let run = move || block_on(work());
    thread::Builder::new().name(name.to_owned()).stack_size(stack).spawn(run).map(Task)
}

/// Runs `work` on a thread of `scope` with a stack of `stack` bytes. Returns `None` if the system
/// refuses a thread.
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    stack: usize,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    thread::Builder::new().stack_size(stack).spawn_scoped(scope, work).ok()
}

/// Runs work to its end on this thread, and returns its result. The thread sleeps while the work
/// waits for another thread.
pub(super) fn block_on<T>(work: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(ThreadWaker(thread::current())));
    let mut work = pin!(work);
    loop {
        match work.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(done) => return done,
            Poll::Pending => thread::park(),
        }
    }
}

/// Wakes a thread that waits for work.
struct ThreadWaker(Thread);

impl Wake for ThreadWaker {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Lowers the priority of this thread and of the threads that it starts, so that the window stays
/// responsive.
pub fn lower_priority() {
    // If the system refuses, the work runs at normal priority.
    let _ = set_current_thread_priority(ThreadPriority::Min);
}

/// Returns whether background work runs on separate threads, so that it may block: always true
/// here.
pub const fn has_threads() -> bool {
    true
}

/// Receives the next message sent to background work.
///
/// # Errors
/// Returns an error if all senders are gone.
pub async fn recv<T>(receiver: &Receiver<T>) -> Result<T, RecvError> {
    receiver.recv()
}

/// Receives the next message within `timeout`.
///
/// # Errors
/// Returns an error if no message arrives in time or all senders are gone.
pub async fn recv_timeout<T>(receiver: &Receiver<T>, timeout: Duration) -> Result<T, RecvTimeoutError> {
    receiver.recv_timeout(timeout)
}

/// Yields to other tasks if all tasks share one thread. Does nothing here, where each task has a
/// separate thread.
pub async fn yield_now() {}

/// Waits for a message from background work, but not longer than until `until`. If `until` is
/// `None`, there is no time limit.
///
/// # Errors
/// Returns an error if no message arrives in time or all senders are gone.
pub fn wait_for_message<T>(receiver: &Receiver<T>, until: Option<Instant>) -> Result<T, RecvTimeoutError> {
    match until {
        None => receiver.recv().map_err(RecvTimeoutError::from),
        Some(until) => receiver.recv_timeout(until.saturating_duration_since(Instant::now())),
    }
}
