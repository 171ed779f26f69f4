//! Background work in slices between frames, because a page has one thread.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::future::{Future, poll_fn};
use std::io;
use std::pin::Pin;
use std::sync::mpsc::{Receiver, RecvError, RecvTimeoutError, TryRecvError};
use std::task::{Context, Poll, Waker};
use std::thread::{Scope, ScopedJoinHandle};

use web_time::{Duration, Instant};

type TaskFuture = Pin<Box<dyn Future<Output = ()>>>;

thread_local! {
    static TASKS: RefCell<VecDeque<TaskFuture>> = const { RefCell::new(VecDeque::new()) };
    /// The earliest time at which a task can continue; a past time means immediately. `None` if all
    /// tasks wait for messages.
    static NEXT_WAKE: Cell<Option<Instant>> = const { Cell::new(None) };
    /// True while a task runs. If the task calls [`run_until`], no other task runs inside it.
    static IS_RUNNING: Cell<bool> = const { Cell::new(false) };
}

/// Returns `None`, because a page has no further threads.
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    _scope: &'scope Scope<'scope, '_>,
    _stack: usize,
    _work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    None
}

/// Receives the messages of a worker: bytes, or the reason why the worker failed.
pub type WorkerListener = Box<dyn FnMut(Result<Vec<u8>, String>)>;

/// A function that starts a job in a worker of the page. Dropping the returned value ends the
/// worker.
type WorkerStarter = Box<dyn Fn(&str, WorkerListener) -> Result<Box<dyn Any>, String>>;

thread_local! {
    static WORKER_STARTER: RefCell<Option<WorkerStarter>> = const { RefCell::new(None) };
    /// The running workers. They stay here, because values of the browser belong to its thread.
    static WORKERS: RefCell<BTreeMap<u64, Box<dyn Any>>> = const { RefCell::new(BTreeMap::new()) };
    static N_STARTED: Cell<u64> = const { Cell::new(0) };
}

/// A worker of the page with a job: a second copy of the program with only the data sent to it.
/// Dropping this value ends the worker.
#[derive(Debug)]
pub struct Worker(u64);

impl Drop for Worker {
    fn drop(&mut self) {
        let worker = WORKERS.with_borrow_mut(|workers| workers.remove(&self.0));
        drop(worker);
    }
}

/// Sets the function that starts workers.
pub fn set_worker_starter(start: impl Fn(&str, WorkerListener) -> Result<Box<dyn Any>, String> + 'static) {
    WORKER_STARTER.set(Some(Box::new(start)));
}

/// Sends `job` to a worker of the page.
///
/// # Errors
/// Returns a sentence if the browser does not start a worker.
pub fn start_worker(job: &str, listener: WorkerListener) -> Result<Worker, String> {
    let worker = WORKER_STARTER.with_borrow(|start| match start {
        Some(start) => start(job, listener),
        None => Err("this page starts no workers".to_owned()),
    })?;
    let id = N_STARTED.get();
    N_STARTED.set(id + 1);
    WORKERS.with_borrow_mut(|workers| workers.insert(id, worker));
    Ok(Worker(id))
}

/// A handle to background work.
#[derive(Debug)]
pub struct Task(());

impl Task {
    /// Does nothing: waiting would block the only thread.
    pub fn join(self) {}
}

/// Starts background work.
///
/// # Errors
/// Never fails in a browser.
pub fn spawn<F: Future<Output = ()> + 'static>(
    _name: &str,
    _stack: usize,
    work: impl FnOnce() -> F + Send + 'static,
) -> io::Result<Task> {
    let work: TaskFuture = Box::pin(async move { work().await });
    TASKS.with_borrow_mut(|tasks| tasks.push_back(work));
    wake_at(Instant::now());
    Ok(Task(()))
}

/// Returns whether background work runs on separate threads, so that it may block: always false in
/// a browser.
pub const fn has_threads() -> bool {
    false
}

fn wake_at(then: Instant) {
    NEXT_WAKE.set(Some(NEXT_WAKE.get().map_or(then, |next| next.min(then))));
}

/// Runs the tasks in rounds. In each round, every task runs one slice. Stops after a round if
/// `until` has passed or no task can continue yet. Returns the delay until the next task can
/// continue, or `None` if all tasks wait for messages.
///
/// Runs nothing and returns `None` if a task calls this function.
pub fn run_until(until: Instant) -> Option<Duration> {
    if IS_RUNNING.replace(true) {
        return None;
    }
    loop {
        NEXT_WAKE.set(None);
        // Tasks that start during this round run in the next round.
        for _ in 0..TASKS.with_borrow(VecDeque::len) {
            let Some(mut work) = TASKS.with_borrow_mut(VecDeque::pop_front) else { break };
            if work.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
                TASKS.with_borrow_mut(|tasks| tasks.push_back(work));
            }
        }
        let now = Instant::now();
        if now >= until || NEXT_WAKE.get().is_none_or(|next| next > now) {
            IS_RUNNING.set(false);
            return NEXT_WAKE.get().map(|next| next.saturating_duration_since(now));
        }
    }
}

/// Receives the next message sent to background work.
///
/// # Errors
/// Returns an error if all senders are gone.
pub async fn recv<T>(receiver: &Receiver<T>) -> Result<T, RecvError> {
    poll_fn(|_| match receiver.try_recv() {
        Ok(sent) => {
            wake_at(Instant::now());
            Poll::Ready(Ok(sent))
        }
        Err(TryRecvError::Disconnected) => Poll::Ready(Err(RecvError)),
        Err(TryRecvError::Empty) => Poll::Pending,
    })
    .await
}

/// Receives the next message within `timeout`.
///
/// # Errors
/// Returns an error if no message arrives in time or all senders are gone.
pub async fn recv_timeout<T>(receiver: &Receiver<T>, timeout: Duration) -> Result<T, RecvTimeoutError> {
    let until = Instant::now() + timeout;
    poll_fn(|_| match receiver.try_recv() {
        Ok(sent) => Poll::Ready(Ok(sent)),
        Err(TryRecvError::Disconnected) => Poll::Ready(Err(RecvTimeoutError::Disconnected)),
        Err(TryRecvError::Empty) if Instant::now() >= until => Poll::Ready(Err(RecvTimeoutError::Timeout)),
        Err(TryRecvError::Empty) => {
            wake_at(until);
            Poll::Pending
        }
    })
    .await
}

/// Yields to other tasks and to the next frame.
pub async fn yield_now() {
    let mut has_waited = false;
    poll_fn(|_| {
        if std::mem::replace(&mut has_waited, true) {
            return Poll::Ready(());
        }
        wake_at(Instant::now());
        Poll::Pending
    })
    .await;
}

/// Runs background work until a message arrives, but not longer than until `until`. If `until` is
/// `None`, there is no time limit.
///
/// # Errors
/// Returns an error if no message arrives in time, if no task can continue now, or if all senders
/// are gone.
pub fn wait_for_message<T>(receiver: &Receiver<T>, until: Option<Instant>) -> Result<T, RecvTimeoutError> {
    loop {
        match receiver.try_recv() {
            Ok(sent) => return Ok(sent),
            Err(TryRecvError::Disconnected) => return Err(RecvTimeoutError::Disconnected),
            Err(TryRecvError::Empty) => {}
        }
        // Runs one round at a time, because a task may send the message in any round.
        let goes_on = run_until(Instant::now()).is_some_and(|pause| pause.is_zero());
        if !goes_on || until.is_some_and(|until| Instant::now() >= until) {
            return receiver.try_recv().map_err(|_| RecvTimeoutError::Timeout);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn work_is_done_while_the_window_waits_for_it() {
        let (ask, asked) = channel();
        let (say, said) = channel();
        let double = move || async move {
            while let Ok(n) = recv(&asked).await {
                yield_now().await;
                let _ = say.send(2 * n);
            }
        };
        assert!(spawn("double", 0, double).is_ok());
        let soon = || Some(Instant::now() + Duration::from_secs(20));
        assert_eq!(wait_for_message(&said, soon()), Err(RecvTimeoutError::Timeout), "nothing was asked");
        let _ = ask.send(4);
        assert_eq!(wait_for_message(&said, soon()), Ok(8));
        drop(ask);
        assert_eq!(run_until(Instant::now()), None);
        assert_eq!(wait_for_message(&said, soon()), Err(RecvTimeoutError::Disconnected), "it has ended");
    }

    #[test]
    fn a_worker_is_told_its_job_and_ends_when_nobody_wants_to_know() {
        assert!(start_worker("job", Box::new(|_| unreachable!("nobody does it"))).is_err());
        let lives = std::rc::Rc::new(());
        let worker = lives.clone();
        set_worker_starter(move |job, mut listener| {
            listener(Ok(job.to_uppercase().into_bytes()));
            Ok(Box::new(worker.clone()))
        });
        let (say, said) = channel();
        let work = start_worker("job", Box::new(move |message| say.send(message).unwrap_or_default()));
        assert!(work.is_ok());
        assert_eq!(said.try_recv(), Ok(Ok(b"JOB".to_vec())));
        assert_eq!(std::rc::Rc::strong_count(&lives), 3);
        drop(work);
        assert_eq!(std::rc::Rc::strong_count(&lives), 2);
    }

    #[test]
    fn who_waits_for_a_time_wants_to_go_on_then() {
        let (_ask, asked) = channel::<()>();
        let (say, said) = channel();
        let timer = move || async move {
            let _ = say.send(recv_timeout(&asked, Duration::from_millis(20)).await);
        };
        assert!(spawn("timer", 0, timer).is_ok());
        let pause = run_until(Instant::now()).unwrap_or_default();
        assert!(pause > Duration::ZERO && pause <= Duration::from_millis(20), "{pause:?}");
        std::thread::sleep(pause);
        assert_eq!(wait_for_message(&said, None), Ok(Err(RecvTimeoutError::Timeout)));
    }
}
