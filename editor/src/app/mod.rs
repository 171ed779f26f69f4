//! The application: one frame after the other.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use egui::Ui;
use egui_tiles::Tree;
use table::{Revision, Seat, Session, Setup, Watcher};

use crate::board::BoardView;
use crate::files::FileWindow;
use crate::insight_cache::InsightCache;
use crate::layout::Pane;
use crate::notifications::Notifications;
use crate::pictures::Pictures;
use crate::settings::Settings;
use crate::view_state::ViewState;
use crate::windows::{NewGame, Palette};

mod act;
mod begin;
mod draw;

/// What the window is opened with.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// Where mods are looked for instead of the folder that comes with the program.
    pub mods: Option<Vec<PathBuf>>,
    /// Further folders of mods.
    pub mods_paths: Vec<PathBuf>,
    /// A record to open instead of beginning a game.
    pub open: Option<PathBuf>,
    /// The game to begin where no record is opened; the one begun last where nothing is said.
    pub setup: Option<Setup>,
    /// Where settings and games are kept; nothing is kept where there is no such place.
    pub data: Option<PathBuf>,
    /// Whether pictures are painted before a frame is shown, as tests and pictures need it.
    pub at_once: bool,
    /// Whether files of mods are watched.
    pub watch: bool,
}

/// The window.
pub struct App {
    session: Session,
    watcher: Option<Watcher>,
    insight: InsightCache,
    pictures: Pictures,
    view_state: ViewState,
    /// What is kept between runs.
    pub settings: Settings,
    kept: Settings,
    notifications: Notifications,
    tree: Tree<Pane>,
    board: BoardView,
    palette: Palette,
    new_game: NewGame,
    files: FileWindow,
    data: Option<PathBuf>,
    started: Instant,
    /// When the last bot answered or the line was played on.
    last_move: Duration,
    /// Whether the line is played, in the past, or bots are let play, at its end.
    is_playing: bool,
    /// By which mods and in which palette the pictures were looked after last.
    painted: (Revision, Option<String>),
    /// Whether the first game is the one that was left last.
    goes_on: bool,
    /// The size of the window in points.
    size: Option<[f32; 2]>,
}

impl App {
    /// The game.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// What is looked at.
    pub fn view_state(&self) -> &ViewState {
        &self.view_state
    }

    /// What has happened to mods and files.
    pub fn notifications(&self) -> &Notifications {
        &self.notifications
    }

    /// The board.
    pub fn board(&self) -> &BoardView {
        &self.board
    }

    /// Shows how the score of a player came about.
    pub fn show_breakdown(&mut self, seat: Seat) {
        self.view_state.windows.breakdown = Some(seat);
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
        let size = ui.ctx().content_rect().size() * ui.ctx().zoom_factor();
        self.size = Some([size.x.round(), size.y.round()]);
    }

    /// The size of the window is kept at the end: it changes with every frame while somebody drags its edge.
    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.settings.size = self.size.or(self.settings.size);
        if let Some(folder) = &self.data {
            // There is nobody left to tell.
            let _ = self.settings.write(folder);
        }
    }
}
