//! Reads links and archives in background tasks. On platforms with threads, the game does not wait
//! for these tasks, and a frame waits only a few milliseconds for their results.

use std::sync::mpsc::{RecvTimeoutError, channel};

use platform::task;
use platform::time::Instant;
use table::{STACK_BYTES, catch_panic};

use super::App;
use super::state::ReadTask;
use crate::game_thread::DoneCallback;
use crate::notifications::Tone;

impl App {
    /// Runs `read` in the background, then calls `then` with the result. `what` is the busy
    /// message. Abandons an earlier reading that is still in progress.
    pub(super) fn read_in_background<T: Send + 'static>(
        &mut self,
        what: &'static str,
        read: impl FnOnce() -> T + Send + 'static,
        then: impl FnOnce(&mut App, T) + Send + 'static,
    ) {
        let read = move || -> DoneCallback<App> {
            match catch_panic(read) {
                Ok(found) => Box::new(move |app| then(app, found)),
                Err(panic) => {
                    let text = format!("{what} failed: {panic}; report this");
                    Box::new(move |app| {
                        app.dialogs.link.stop_reading();
                        app.notify(Tone::Bad, text);
                    })
                }
            }
        };
        let (say, done) = channel();
        let ctx = self.frames.ctx.clone();
        let work = move || async move {
            // Sending fails if the reading was abandoned.
            let _ = say.send(read());
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
}
