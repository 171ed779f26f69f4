//! Links and archives of strangers are read on a thread of their own: neither a frame nor the game
//! waits for them.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};

use platform::task;
use platform::time::{Duration, Instant};
use table::{STACK, caught};

use super::App;
use crate::game_thread::{Then, UNNOTICED};
use crate::notifications::Tone;

/// Something that is being read.
pub(super) struct Reading {
    what: &'static str,
    since: Instant,
    done: Receiver<Then<App>>,
}

impl App {
    /// Reads something beside the window and then does `then` with it. `what` tells the user what
    /// is being done. An earlier reading that is under way is given up.
    pub(super) fn read_aside<T: Send + 'static>(
        &mut self,
        what: &'static str,
        read: impl FnOnce() -> T + Send + 'static,
        then: impl FnOnce(&mut App, T) + Send + 'static,
    ) {
        let (say, done) = channel();
        let ctx = self.ctx.clone();
        let work = move || async move {
            let then: Then<App> = match caught(read) {
                Ok(found) => Box::new(move |app: &mut App| then(app, found)),
                Err(panic) => {
                    let text = format!("{what} failed: {panic}; report this");
                    Box::new(move |app: &mut App| {
                        app.link.stop_reading();
                        app.tell(Tone::Bad, text);
                    })
                }
            };
            // The user may have stopped it: then nobody listens.
            let _ = say.send(then);
            ctx.request_repaint();
        };
        match task::spawn("reader", STACK, work) {
            Ok(_) => self.reading = Some(Reading { what, since: Instant::now(), done }),
            Err(error) => self.tell(Tone::Bad, format!("{what} failed: {error}")),
        }
    }

    /// Takes what was read, waiting for it until then.
    pub(super) fn poll_reading(&mut self, until: Instant) {
        let Some(reading) = &self.reading else { return };
        let until = Some(until).filter(|_| !self.thread.waits());
        match task::wait(&reading.done, until) {
            Ok(then) => {
                self.reading = None;
                then(self);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.reading = None,
        }
    }

    /// Gives up what is being read; returns whether there was anything. Its thread ends by itself:
    /// what is read is limited in size.
    pub(super) fn stop_reading(&mut self) -> bool {
        self.link.stop_reading();
        self.reading.take().is_some()
    }

    /// Returns what is being read and for how long, if it takes long enough to be told.
    pub(super) fn read_for(&self) -> Option<(&'static str, Duration)> {
        let reading = self.reading.as_ref()?;
        let long = reading.since.elapsed();
        (long >= UNNOTICED).then_some((reading.what, long))
    }
}
