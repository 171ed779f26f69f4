//! The window in a system or a browser: it shows that a game is being opened, then the game.

use std::sync::{Arc, Mutex};

use egui::{Context, Ui, ViewportCommand};
use platform::time::{Duration, Instant};

use crate::app::App;
use crate::app::opening::Opening;
use crate::app::start::Start;

/// The time that the window waits for its first game before it shows a waiting screen.
const PATIENCE: Duration = Duration::from_millis(250);

/// The window, with or without its first game.
pub struct Window {
    stage: Option<Stage>,
    outcome: Arc<Mutex<Option<String>>>,
}

enum Stage {
    Opening(Box<Opening>),
    Open(Box<App>),
}

impl Window {
    /// Opens the window. If not even the bundled mods can be played, the message is stored in
    /// `outcome` at the end.
    ///
    /// # Errors
    /// Returns an error if the system cannot start a thread, or if opening fails immediately.
    pub fn open(ctx: &Context, start: Start, outcome: Arc<Mutex<Option<String>>>) -> Result<Window, String> {
        let opening = Opening::begin(ctx, start).map_err(|error| error.to_string())?;
        let stage = Stage::of(opening.wait(ctx, Instant::now() + PATIENCE)?);
        Ok(Window { stage: Some(stage), outcome })
    }

    /// Returns the application once the first game is open.
    pub fn app(&mut self) -> Option<&mut App> {
        match &mut self.stage {
            Some(Stage::Open(app)) => Some(app),
            _ => None,
        }
    }
}

impl Stage {
    fn of(opened: Result<App, Opening>) -> Stage {
        match opened {
            Ok(app) => Stage::Open(Box::new(app)),
            Err(opening) => Stage::Opening(Box::new(opening)),
        }
    }
}

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut Ui, frame: &mut eframe::Frame) {
        match self.stage.take() {
            Some(Stage::Open(mut app)) => {
                app.ui(ui, frame);
                self.stage = Some(Stage::Open(app));
            }
            Some(Stage::Opening(opening)) => match opening.wait(ui.ctx(), Instant::now()) {
                Ok(opened) => {
                    let stage = Stage::of(opened);
                    if let Stage::Opening(opening) = &stage {
                        opening.show(ui);
                    }
                    self.stage = Some(stage);
                    ui.ctx().request_repaint_after(PATIENCE);
                }
                Err(error) => {
                    if let Ok(mut outcome) = self.outcome.lock() {
                        *outcome = Some(error);
                    }
                    ui.ctx().send_viewport_cmd(ViewportCommand::Close);
                }
            },
            None => {}
        }
    }

    fn on_exit(&mut self, gl: Option<&eframe::glow::Context>) {
        if let Some(Stage::Open(app)) = &mut self.stage {
            app.on_exit(gl);
        }
    }
}
