//! A job that makes a file, and its progress.

use std::path::PathBuf;

use egui::Context;
use platform::fs;
use platform::time::{Duration, Instant};
use table::shown_path;

use crate::game_thread::BUSY_MESSAGE_DELAY;
use crate::jobs::{Job, JobHandle};
use crate::shown_error::ShownError;

/// The file that a job is making. Dropping this value stops the job.
pub(super) struct DrawingTask {
    what: &'static str,
    job: JobHandle<u8, (PathBuf, String)>,
    since: Instant,
    percent: u8,
}

/// The file that a job made.
pub(super) struct DrawnFile {
    pub bytes: Vec<u8>,
    /// A note for the user about the content; may be empty.
    pub note: String,
}

impl DrawnFile {
    /// Makes a file without a note.
    pub fn of(bytes: Vec<u8>) -> DrawnFile {
        DrawnFile { bytes, note: String::new() }
    }
}

impl DrawingTask {
    /// Starts to make the file `path`. `what` is the busy message for the user. `file_of` returns
    /// the file from the result of the job.
    pub fn start<J: Job<Report = u8>>(
        ctx: &Context,
        what: &'static str,
        path: PathBuf,
        job: J,
        file_of: impl FnOnce(J::Output) -> DrawnFile + Send + 'static,
    ) -> DrawingTask {
        let write = move |made| {
            let DrawnFile { bytes, note } = file_of(made);
            let cannot = |error| ShownError::new(format!("{} cannot be written: {error}", shown_path(&path)));
            fs::write_output(&path, bytes).map_err(cannot)?;
            Ok((path, note))
        };
        DrawingTask { what, job: JobHandle::start_then(ctx, job, write), since: Instant::now(), percent: 0 }
    }

    /// Returns the result when the job has ended: the path of the file and a note for the user. If
    /// `waits` is true, waits for the end.
    pub fn poll(&mut self, waits: bool) -> Option<Result<(PathBuf, String), ShownError>> {
        let each = |percent| self.percent = percent;
        if waits { self.job.wait(each) } else { self.job.poll(each) }
    }

    /// Returns the busy message and the time since the job began. Returns `None` if the job began
    /// too recently for a message.
    pub fn status(&self) -> Option<(String, Duration)> {
        let long = self.since.elapsed();
        (long >= BUSY_MESSAGE_DELAY).then(|| (format!("{}, {} %", self.what, self.percent), long))
    }
}
