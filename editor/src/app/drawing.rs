//! Draws pictures in the background: one picture of the current position, or an animation of the
//! game up to this position.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use egui::Context;
use platform::time::{Duration, Instant};
use platform::{fs, outside, task};
use table::{STACK_BYTES, Stop, shown_path};

use super::App;
use crate::game_thread::UNNOTICED;
use crate::notifications::Tone;
use crate::remote::{self, PictureKind};

/// The picture of the game that a background task is drawing.
pub(super) struct Drawing {
    reports: Receiver<DrawingReport>,
    stop: Stop,
    since: Instant,
    percent: u8,
}

enum DrawingReport {
    Percent(u8),
    /// The path of the picture, or the reason why it cannot be drawn or written; `None` if the
    /// drawing was stopped.
    Ended(Result<Option<PathBuf>, String>),
}

impl App {
    /// Asks for the output file of a picture of the current position, or of an animation of the
    /// game up to this position.
    pub(super) fn ask_picture(&mut self, drawn: PictureKind) {
        let seen = &self.snapshot;
        let game = seen.kept_in().and_then(|kept| Some(kept.path.file_stem()?.to_string_lossy().into_owned()));
        let name = format!("{}-{}.{}", game.as_deref().unwrap_or("game"), seen.turn(), drawn.ending());
        self.files.ask_picture(drawn, &name);
    }

    /// Starts to draw the current position, or the game up to this position, into the file `path`.
    /// Stops an earlier drawing.
    pub(super) fn draw_game(&mut self, ctx: &Context, drawn: PictureKind, path: PathBuf) {
        self.stop_drawing();
        let seen = self.snapshot.clone();
        let (say, reports) = channel();
        let (stop, ctx, palette) = (Stop::default(), ctx.clone(), self.settings.palette.clone());
        let stopped = stop.clone();
        let work = move || async move {
            let tell = |report| {
                // The receiver is gone if the drawing was stopped or the window was closed.
                let _ = say.send(report);
                ctx.request_repaint();
            };
            let each = |percent| tell(DrawingReport::Percent(percent));
            let bytes = remote::picture(&seen, drawn, palette, || !stopped.is_requested(), each).await;
            let cannot = |error| format!("{} cannot be written: {error}", shown_path(&path));
            let written = bytes.and_then(|bytes| {
                let Some(bytes) = bytes else { return Ok(None) };
                fs::write_output(&path, bytes).map_err(cannot)?;
                Ok(Some(path.clone()))
            });
            tell(DrawingReport::Ended(written));
        };
        if task::spawn("picture", STACK_BYTES, work).is_ok() {
            self.drawing = Some(Drawing { reports, stop, since: Instant::now(), percent: 0 });
        }
    }

    /// Polls the picture in progress: shows its progress or, at the end, its result.
    pub(super) fn receive_drawing(&mut self) {
        while let Some(drawing) = &mut self.drawing {
            match drawing.reports.try_recv() {
                Ok(DrawingReport::Percent(percent)) => drawing.percent = percent,
                Ok(DrawingReport::Ended(ended)) => {
                    self.drawing = None;
                    match ended {
                        Ok(Some(path)) => {
                            outside::offer_download(&path);
                            self.notify(Tone::Good, format!("saved {}", path.display()));
                        }
                        Ok(None) => {}
                        Err(error) => self.notify(Tone::Bad, error),
                    }
                }
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => self.drawing = None,
            }
        }
    }

    /// Stops the picture in progress; returns whether there was one.
    pub(super) fn stop_drawing(&mut self) -> bool {
        let drawing = self.drawing.take();
        drawing.inspect(|drawing| drawing.stop.request()).is_some()
    }

    /// Returns the busy message of the picture in progress and its drawing time so far. `None` if
    /// there is no such picture, or if that time is too short for a message.
    pub(super) fn drawn_for(&self) -> Option<(String, Duration)> {
        let drawing = self.drawing.as_ref()?;
        let long = drawing.since.elapsed();
        (long >= UNNOTICED).then(|| (format!("drawing a picture, {} %", drawing.percent), long))
    }
}
