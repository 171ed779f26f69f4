//! Makes files in the background: a picture of the current position, an animation of the game up to
//! this position, sheets to print, or a rulebook.

use std::future::Future;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};

use egui::Context;
use platform::time::{Duration, Instant};
use platform::{fs, task};
use table::{STACK_BYTES, StopFlag, shown_path};

use super::App;
use crate::files::deliver_file;
use crate::game_thread::BUSY_MESSAGE_DELAY;
use crate::notifications::Tone;
use crate::remote::{self, PictureKind};
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

impl App {
    /// Asks for the output file of a picture of the current position, or of an animation of the
    /// game up to this position.
    pub(super) fn ask_picture_path(&mut self, drawn: PictureKind) {
        let seen = &self.snapshot;
        let game = seen.save_location().and_then(|kept| Some(kept.path.file_stem()?.to_string_lossy().into_owned()));
        let name = format!("{}-{}.{}", game.as_deref().unwrap_or("game"), seen.turn(), drawn.extension());
        self.dialogs.files.ask_picture(drawn, &name);
    }

    /// Starts to draw the current position, or the game up to this position, into the file `path`.
    /// Stops an earlier drawing.
    pub(super) fn draw_game(&mut self, ctx: &Context, drawn: PictureKind, path: PathBuf) {
        let seen = self.snapshot.clone();
        let palette = self.settings.palette.clone();
        self.draw_into(ctx, "drawing a picture", path, move |progress| async move {
            let each = |percent| progress.tell(percent);
            let drawn = remote::draw_picture(&seen, drawn, palette, || progress.goes_on(), each).await?;
            Ok(drawn.map(|bytes| DrawnFile { bytes, note: String::new() }))
        });
    }

    /// Starts to make the file `path` in the background. `what` is the busy message for the user.
    /// `draw` returns the file; `None` if the work was stopped. Stops an earlier drawing.
    pub(super) fn draw_into<F: Future<Output = Result<Option<DrawnFile>, ShownError>>>(
        &mut self,
        ctx: &Context,
        what: &'static str,
        path: PathBuf,
        draw: impl FnOnce(DrawingProgress) -> F + Send + 'static,
    ) {
        self.stop_drawing();
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
        if task::spawn("picture", STACK_BYTES, work).is_ok() {
            self.tasks.drawing = Some(DrawingTask { what, reports, stop, since: Instant::now(), percent: 0 });
        }
    }

    /// Polls the drawing in progress: shows its progress or, at the end, its result. Waits for the
    /// result if the window waits for all work.
    pub(super) fn receive_drawing(&mut self) {
        while let Some(drawing) = &mut self.tasks.drawing {
            let until = (!self.thread.waits()).then(Instant::now);
            match task::wait_for_message(&drawing.reports, until) {
                Ok(DrawingReport::Percent(percent)) => drawing.percent = percent,
                Ok(DrawingReport::Ended(ended)) => {
                    self.tasks.drawing = None;
                    match ended {
                        Ok(Some((path, note))) => {
                            let saved = deliver_file(&path);
                            let note = if note.is_empty() { note } else { format!(": {note}") };
                            self.notify(Tone::Good, format!("{saved}{note}"));
                        }
                        Ok(None) => {}
                        Err(error) => self.notify(Tone::Bad, error),
                    }
                }
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => {
                    let text = format!("{} failed; report this", drawing.what);
                    self.tasks.drawing = None;
                    self.notify(Tone::Bad, text);
                }
            }
        }
    }

    /// Stops the drawing in progress; returns whether there was one.
    pub(super) fn stop_drawing(&mut self) -> bool {
        let drawing = self.tasks.drawing.take();
        drawing.inspect(|drawing| drawing.stop.request()).is_some()
    }

    /// Returns the busy message of the drawing in progress, and the time since it began. Returns
    /// `None` if there is no drawing, or if it began too recently for a message.
    pub(super) fn drawing_status(&self) -> Option<(String, Duration)> {
        let drawing = self.tasks.drawing.as_ref()?;
        let long = drawing.since.elapsed();
        (long >= BUSY_MESSAGE_DELAY).then(|| (format!("{}, {} %", drawing.what, drawing.percent), long))
    }
}
