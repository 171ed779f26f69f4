//! Makes files in the background: a picture of the current position, an animation of the game up to
//! this position, sheets to print, or a rulebook.

use std::path::PathBuf;

use egui::Context;
use platform::fs;
use platform::time::Instant;
use table::shown_path;

use super::App;
use super::state::DrawingTask;
use crate::file_choice::FilePurpose;
use crate::files::deliver_file;
use crate::jobs::{Job, JobHandle, PictureJob, PictureKind, RecordedGame};
use crate::notifications::Tone;
use crate::shown_error::ShownError;

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

impl App {
    /// Asks for the output file of a picture of the current position, or of an animation of the
    /// game up to this position.
    pub(super) fn ask_picture_path(&mut self, drawn: PictureKind) {
        let seen = &self.snapshot;
        let game = seen.save_location().and_then(|kept| Some(kept.path.file_stem()?.to_string_lossy().into_owned()));
        let name = format!("{}-{}.{}", game.as_deref().unwrap_or("game"), seen.turn(), drawn.extension());
        self.dialogs.files.ask_output(FilePurpose::SavePicture(drawn), &name);
    }

    /// Starts to draw the current position, or the game up to this position, into the file `path`.
    /// Stops an earlier drawing.
    pub(super) fn draw_game(&mut self, ctx: &Context, drawn: PictureKind, path: PathBuf) {
        let (game, palette) = (RecordedGame::of(&self.snapshot), self.settings.palette.clone());
        self.draw_into(ctx, "drawing a picture", path, PictureJob { game, kind: drawn, palette }, DrawnFile::of);
    }

    /// Starts to make the file `path` in the background. `what` is the busy message for the user.
    /// `file_of` returns the file from the result of the job. Stops an earlier drawing.
    pub(super) fn draw_into<J: Job<Report = u8>>(
        &mut self,
        ctx: &Context,
        what: &'static str,
        path: PathBuf,
        job: J,
        file_of: impl FnOnce(J::Output) -> DrawnFile + Send + 'static,
    ) {
        let write = move |made| {
            let DrawnFile { bytes, note } = file_of(made);
            let cannot = |error| ShownError::new(format!("{} cannot be written: {error}", shown_path(&path)));
            fs::write_output(&path, bytes).map_err(cannot)?;
            Ok((path, note))
        };
        let job = JobHandle::start_then(ctx, job, write);
        self.tasks.drawing = Some(DrawingTask { what, since: Instant::now(), percent: 0, job });
    }

    /// Polls the drawing in progress: shows its progress or, at the end, its result. Waits for the
    /// result if the window waits for all work.
    pub(super) fn receive_drawing(&mut self) {
        let Some(DrawingTask { job, percent, .. }) = &mut self.tasks.drawing else { return };
        let each = |now| *percent = now;
        let ended = if self.thread.waits() { job.wait(each) } else { job.poll(each) };
        let Some(ended) = ended else { return };
        self.tasks.drawing = None;
        let Some((path, note)) = self.ok_or_notify(ended) else { return };
        let saved = deliver_file(&path);
        let note = if note.is_empty() { note } else { format!(": {note}") };
        self.notify(Tone::Good, format!("{saved}{note}"));
    }

    /// Stops the drawing in progress; returns whether there was one.
    pub(super) fn stop_drawing(&mut self) -> bool {
        self.tasks.drawing.take().is_some()
    }
}
