//! The window, on the desktop or in a browser. The window shows a waiting screen until the first
//! game is open, and then the game.

use std::sync::{Arc, Mutex};

use egui::{Context, Ui, ViewportCommand};
use platform::time::{Duration, Instant};

use crate::app::App;
use crate::app::opening::OpeningWindow;
use crate::app::start::StartOptions;
use crate::shown_error::ShownError;

/// The time after which the window shows a waiting screen if its first game is not open yet.
const WAITING_SCREEN_DELAY: Duration = Duration::from_millis(250);

/// The window, with or without its first game.
pub struct Window {
    stage: Option<WindowStage>,
    outcome: Arc<Mutex<Option<String>>>,
}

enum WindowStage {
    Opening(Box<OpeningWindow>),
    Open(Box<App>),
}

impl Window {
    /// Opens the window. If opening the first game fails later, the window stores the message in
    /// `outcome` and closes.
    ///
    /// # Errors
    /// Returns an error if the system cannot start a thread, or if opening fails immediately.
    pub fn open(ctx: &Context, start: StartOptions, outcome: Arc<Mutex<Option<String>>>) -> Result<Window, ShownError> {
        let opening = OpeningWindow::begin(ctx, start)?;
        let stage = WindowStage::of(opening.wait(ctx, Instant::now() + WAITING_SCREEN_DELAY)?);
        Ok(Window { stage: Some(stage), outcome })
    }

    /// Returns the application once the first game is open.
    pub fn app(&mut self) -> Option<&mut App> {
        match &mut self.stage {
            Some(WindowStage::Open(app)) => Some(app),
            _ => None,
        }
    }
}

impl WindowStage {
    fn of(opened: Result<App, OpeningWindow>) -> WindowStage {
        match opened {
            Ok(app) => WindowStage::Open(Box::new(app)),
            Err(opening) => WindowStage::Opening(Box::new(opening)),
        }
    }
}

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut Ui, frame: &mut eframe::Frame) {
        match self.stage.take() {
            Some(WindowStage::Open(mut app)) => {
                app.ui(ui, frame);
                self.stage = Some(WindowStage::Open(app));
            }
            Some(WindowStage::Opening(opening)) => match opening.wait(ui.ctx(), Instant::now()) {
                Ok(opened) => {
                    let stage = WindowStage::of(opened);
                    if let WindowStage::Opening(opening) = &stage {
                        opening.show(ui);
                    }
                    self.stage = Some(stage);
                    ui.ctx().request_repaint_after(WAITING_SCREEN_DELAY);
                }
                Err(error) => {
                    if let Ok(mut outcome) = self.outcome.lock() {
                        *outcome = Some(error.to_string());
                    }
                    ui.ctx().send_viewport_cmd(ViewportCommand::Close);
                }
            },
            None => {}
        }
    }

    fn on_exit(&mut self, gl: Option<&eframe::glow::Context>) {
        if let Some(WindowStage::Open(app)) = &mut self.stage {
            app.on_exit(gl);
        }
    }
}
