//! A background task that draws a file, and its connection to the window.

use std::future::Future;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};

use egui::Context;
use platform::time::{Duration, Instant};
use platform::{fs, task};
use table::{STACK_BYTES, StopFlag, shown_path};

use crate::game_thread::BUSY_MESSAGE_DELAY;
use crate::shown_error::ShownError;

/// The file that a background task is drawing.
pub(super) struct DrawingTask {
    what: &'static str,
    reports: Receiver<DrawingReport>,
    stop: StopFlag,
    since: Instant,
    percent: u8,
}

enum DrawingReport {
    Percent(u8),
    /// The path of the file and a note for the user, or the reason why the file cannot be made or
    /// written; `None` if the work was stopped.
    Ended(Result<Option<(PathBuf, String)>, ShownError>),
}

/// The file that a background task made.
pub(super) struct DrawnFile {
    pub bytes: Vec<u8>,
    /// A note for the user about the content; may be empty.
    pub note: String,
}

/// A background task's connection to the window while the task draws.
pub(super) struct DrawingProgress {
    say: Sender<DrawingReport>,
    stop: StopFlag,
    ctx: Context,
}

impl DrawingProgress {
    /// Returns whether the window still needs the result.
    pub fn goes_on(&self) -> bool {
        !self.stop.is_requested()
    }

    /// Sends the progress, in percent, to the window.
    pub fn tell(&self, percent: u8) {
        // Sending fails if the drawing was stopped or the window was closed.
        let _ = self.say.send(DrawingReport::Percent(percent));
        self.ctx.request_repaint();
    }
}

impl DrawingTask {
    /// Starts to make the file `path` in the background. `what` is the busy message for the user.
    /// `draw` returns the file; `None` if the work was stopped. Returns `None` if the system cannot
    /// start the task.
    pub fn start<F: Future<Output = Result<Option<DrawnFile>, ShownError>>>(
        ctx: &Context,
        what: &'static str,
        path: PathBuf,
        draw: impl FnOnce(DrawingProgress) -> F + Send + 'static,
    ) -> Option<DrawingTask> {
        let (say, reports) = channel();
        let stop = StopFlag::default();
        let progress = DrawingProgress { say: say.clone(), stop: stop.clone(), ctx: ctx.clone() };
        let ctx = ctx.clone();
        let work = move || async move {
            let cannot = |error| ShownError::new(format!("{} cannot be written: {error}", shown_path(&path)));
            let written = draw(progress).await.and_then(|drawn| {
                let Some(DrawnFile { bytes, note }) = drawn else { return Ok(None) };
                fs::write_output(&path, bytes).map_err(cannot)?;
                Ok(Some((path.clone(), note)))
            });
            // Sending fails if the drawing was stopped or the window was closed.
            let _ = say.send(DrawingReport::Ended(written));
            ctx.request_repaint();
        };
        let task = DrawingTask { what, reports, stop, since: Instant::now(), percent: 0 };
        task::spawn("picture", STACK_BYTES, work).ok().map(|_| task)
    }

    /// Returns the result when the drawing has ended: the path of the file and a note for the user,
    /// or `None` if the work was stopped. If `waits` is true, waits for the end.
    pub fn poll(&mut self, waits: bool) -> Option<Result<Option<(PathBuf, String)>, ShownError>> {
        loop {
            match task::wait_for_message(&self.reports, (!waits).then(Instant::now)) {
                Ok(DrawingReport::Percent(percent)) => self.percent = percent,
                Ok(DrawingReport::Ended(ended)) => return Some(ended),
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => {
                    return Some(Err(ShownError::new(format!("{} failed; report this", self.what))));
                }
            }
        }
    }

    /// Asks the task to stop.
    pub fn stop(&self) {
        self.stop.request();
    }

    /// Returns the busy message and the time since the drawing began. Returns `None` if the drawing
    /// began too recently for a message.
    pub fn status(&self) -> Option<(String, Duration)> {
        let long = self.since.elapsed();
        (long >= BUSY_MESSAGE_DELAY).then(|| (format!("{}, {} %", self.what, self.percent), long))
    }
}
