//! Makes files in the background: a picture of the current position, an animation of the game up to
//! this position, sheets to print, or a rulebook.

use std::path::PathBuf;

use egui::Context;
use platform::time::Duration;

use super::App;
use super::drawing_task::{DrawingTask, DrawnFile};
use crate::file_choice::FilePurpose;
use crate::files::deliver_file;
use crate::jobs::{Job, PictureJob, PictureKind, RecordedGame};
use crate::notifications::Tone;

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
        self.tasks.drawing = Some(DrawingTask::start(ctx, what, path, job, file_of));
    }

    /// Polls the drawing in progress: shows its progress or, at the end, its result. Waits for the
    /// result if the window waits for all work.
    pub(super) fn receive_drawing(&mut self) {
        let waits = self.thread.waits();
        let Some(ended) = self.tasks.drawing.as_mut().and_then(|drawing| drawing.poll(waits)) else { return };
        self.tasks.drawing = None;
        match ended {
            Ok((path, note)) => {
                let saved = deliver_file(&path);
                let note = if note.is_empty() { note } else { format!(": {note}") };
                self.notify(Tone::Good, format!("{saved}{note}"));
            }
            Err(error) => self.notify(Tone::Bad, error),
        }
    }

    /// Stops the drawing in progress; returns whether there was one.
    pub(super) fn stop_drawing(&mut self) -> bool {
        self.tasks.drawing.take().is_some()
    }

    /// Returns the busy message of the drawing in progress, and the time since it began. Returns
    /// `None` if there is no drawing, or if it began too recently for a message.
    pub(super) fn drawing_status(&self) -> Option<(String, Duration)> {
        self.tasks.drawing.as_ref()?.status()
    }
}
