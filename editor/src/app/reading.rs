//! Reads links and archives in background tasks. On platforms with threads, the game does not wait
//! for these tasks, and a frame waits only a few milliseconds for their results.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};

use platform::task;
use platform::time::{Duration, Instant};
use table::{STACK_BYTES, catch_panic};

use super::App;
use crate::game_thread::{BUSY_MESSAGE_DELAY, DoneCallback};
use crate::notifications::Tone;

/// A link or an archive that a background task is reading.
pub(super) struct ReadTask {
    what: &'static str,
    since: Instant,
    done: Receiver<DoneCallback<App>>,
}

impl App {
    /// Runs `read` in the background, then calls `then` with the result. `what` is the busy
    /// message. Abandons an earlier reading that is still in progress.
    pub(super) fn read_in_background<T: Send + 'static>(
        &mut self,
        what: &'static str,
        read: impl FnOnce() -> T + Send + 'static,
        then: impl FnOnce(&mut App, T) + Send + 'static,
    ) {
        let (say, done) = channel();
        let ctx = self.frames.ctx.clone();
        let work = move || async move {
            let then: DoneCallback<App> = match catch_panic(read) {
                Ok(found) => Box::new(move |app: &mut App| then(app, found)),
                Err(panic) => {
                    let text = format!("{what} failed: {panic}; report this");
                    Box::new(move |app: &mut App| {
                        app.dialogs.link.stop_reading();
                        app.notify(Tone::Bad, text);
                    })
                }
            };
            // Sending fails if the reading was abandoned.
            let _ = say.send(then);
            ctx.request_repaint();
        };
        match task::spawn("reader", STACK_BYTES, work) {
            Ok(_) => self.tasks.reading = Some(ReadTask { what, since: Instant::now(), done }),
            Err(error) => self.notify(Tone::Bad, format!("{what} failed: {error}")),
        }
    }

    /// Handles the result of the reading in progress. Waits for the result until `until`, or
    /// without a limit if the window waits for all work.
    pub(super) fn poll_reading(&mut self, until: Instant) {
        let Some(reading) = &self.tasks.reading else { return };
        let until = Some(until).filter(|_| !self.thread.waits());
        match task::wait_for_message(&reading.done, until) {
            Ok(then) => {
                self.tasks.reading = None;
                then(self);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.tasks.reading = None,
        }
    }

    /// Abandons the reading in progress, and returns whether there was one. The background task
    /// still runs to its end, which takes little time because the size of the input is limited.
    pub(super) fn stop_reading(&mut self) -> bool {
        self.dialogs.link.stop_reading();
        self.tasks.reading.take().is_some()
    }

    /// Returns the busy message of the reading in progress, and the time since it began. Returns
    /// `None` if there is no reading, or if it began too recently for a message.
    pub(super) fn reading_status(&self) -> Option<(&'static str, Duration)> {
        let reading = self.tasks.reading.as_ref()?;
        let long = reading.since.elapsed();
        (long >= BUSY_MESSAGE_DELAY).then_some((reading.what, long))
    }
}
