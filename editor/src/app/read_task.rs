//! A background task that reads a link or an archive.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};

use egui::Context;
use platform::task;
use platform::time::{Duration, Instant};
use table::STACK_BYTES;

use crate::game_thread::{BUSY_MESSAGE_DELAY, DoneCallback};

/// A link or an archive that a background task is reading for the window `W`.
pub(super) struct ReadTask<W> {
    what: &'static str,
    since: Instant,
    done: Receiver<DoneCallback<W>>,
}

impl<W: 'static> ReadTask<W> {
    /// Starts a task that calls `read`, which returns a function that handles the result. `what` is
    /// the busy message.
    ///
    /// # Errors
    /// Returns an error if the system cannot start the task.
    pub fn start(
        ctx: &Context,
        what: &'static str,
        read: impl FnOnce() -> DoneCallback<W> + Send + 'static,
    ) -> io::Result<ReadTask<W>> {
        let (say, done) = channel();
        let ctx = ctx.clone();
        let work = move || async move {
            // Sending fails if the reading was abandoned.
            let _ = say.send(read());
            ctx.request_repaint();
        };
        task::spawn("reader", STACK_BYTES, work)?;
        Ok(ReadTask { what, since: Instant::now(), done })
    }

    /// Returns the function that handles the result. Waits for it until `until`, or without a limit
    /// if `until` is `None`.
    ///
    /// # Errors
    /// Returns an error if the reading has not ended in time, or if the task is gone.
    pub fn wait(&self, until: Option<Instant>) -> Result<DoneCallback<W>, RecvTimeoutError> {
        task::wait_for_message(&self.done, until)
    }

    /// Returns the busy message and the time since the reading began. Returns `None` if the reading
    /// began too recently for a message.
    pub fn status(&self) -> Option<(&'static str, Duration)> {
        let long = self.since.elapsed();
        (long >= BUSY_MESSAGE_DELAY).then_some((self.what, long))
    }
}
