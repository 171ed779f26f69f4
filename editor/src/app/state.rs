//! The state of the window, in groups: a feature uses the group that it belongs to.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use egui::{Context, Ui};
use egui_tiles::Tree;
use platform::time::{Duration, Instant};
use table::{FileStore, Library, Revision, Watcher};
use workshop::bundled_mods::Originals;

use super::start::StartOptions;
use crate::balance_bench::BalanceBench;
use crate::board::BoardView;
use crate::board_previews::PreviewWriter;
use crate::cards;
use crate::game_thread::DoneCallback;
use crate::guest::GuestTable;
use crate::invitation::Invitation;
use crate::jobs::{BotAnswer, JobHandle};
use crate::layout::{self, DockBehavior};
use crate::lessons::OpenLesson;
use crate::panels::Pane;
use crate::puzzle::Puzzle;
use crate::rules::RulesView;
use crate::settings::Settings;
use crate::test_bench::TestBench;
use crate::tiles::TilesPane;
use crate::ui_context::UiContext;

/// The panels and their layout.
pub(super) struct Panes {
    pub tree: Tree<Pane>,
    pub board: BoardView,
    pub rules: RulesView,
    pub tiles: TilesPane,
}

impl Panes {
    pub fn new(start: &StartOptions, settings: &Settings) -> Panes {
        let data = start.data.as_deref();
        Panes {
            tree: layout::tree_from(settings.layout.as_ref()),
            board: BoardView::default(),
            rules: RulesView::new(data, start.at_once),
            tiles: TilesPane::new(data),
        }
    }

    /// Draws the panels, or only the board with its cards. Returns true if the user has moved or
    /// resized panels.
    pub fn show(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) -> bool {
        let ctx = ui.ctx().clone();
        let is_tall = layout::is_tall(ctx.content_rect().size());
        if is_tall != cx.settings.is_tall {
            layout::set_tall(&mut self.tree, is_tall);
            cx.settings.is_tall = is_tall;
        }
        let n_seats = cx.session.view().n_seats();
        if !cx.settings.is_resized {
            layout::fit_column(&mut self.tree, n_seats);
        }
        self.tiles.begin_frame();
        let room = egui::CentralPanel::default().frame(egui::Frame::new().fill(ui.visuals().panel_fill));
        let is_edited = if cx.has_cards {
            let rect = ui.available_rect_before_wrap();
            cx.view_state.uncovered = Some(cards::uncovered_rect(rect, cx));
            room.show(ui, |ui| self.board.show(ui, cx));
            cards::show(&ctx, cx, rect);
            false
        } else {
            cx.view_state.uncovered = None;
            layout::fold_column(&mut self.tree);
            let (board, rules, tiles) = (&mut self.board, &mut self.rules, &mut self.tiles);
            let mut docked = DockBehavior { cx, board, rules, tiles, is_edited: false, is_resized: false };
            room.show(ui, |ui| self.tree.ui(&mut docked, ui));
            let (is_edited, is_resized) = (docked.is_edited, docked.is_resized);
            cx.settings.is_resized |= is_resized;
            is_edited
        };
        self.rules.store_drafts(&ctx, cx);
        self.tiles.store_drafts(cx);
        is_edited
    }
}

/// The tests and bot games of the mods in play.
#[derive(Default)]
pub(super) struct Benches {
    pub tests: TestBench,
    pub balance: BalanceBench,
}

/// The state of play: who plays, and what is on the board for practice.
#[derive(Default)]
pub(super) struct PlayState {
    /// The time of the last answer or of the last change of the current position, since the window
    /// opened.
    pub last_move: Duration,
    /// True if the user has paused play: the replay at a past position, or the bots at the end of
    /// the branch.
    pub is_paused: bool,
    /// A bot that thinks in a worker.
    pub thinker: Option<ThinkingBot>,
    /// The running invitation of guests.
    pub invitation: Option<Invitation>,
    /// The table of another computer at which this window is a guest. Meanwhile, the user's game
    /// waits.
    pub guest: Option<Box<GuestTable>>,
    /// The file of the last playtest, after its invitation has ended.
    pub last_playtest: Option<PathBuf>,
    /// The puzzle that the user opened last. Another game may be on the board now.
    pub puzzle: Option<Puzzle>,
    /// The lesson that the user opened last. Another game may be on the board now.
    pub lesson: Option<OpenLesson>,
    /// The record of the game that the user left for a test, a balance game, a puzzle or a lesson.
    pub left_game: Option<PathBuf>,
}

/// A function that replaces the game of the window `W`.
type Replacement<W> = Box<dyn FnOnce(&mut W)>;

/// The work of the window `W` that is in progress or waits.
pub(super) struct Tasks<W: 'static> {
    /// The file that is being drawn.
    pub drawing: Option<DrawingTask>,
    /// A link or an archive that is being read.
    pub reading: Option<ReadTask<W>>,
    /// Replaces the game by another game when the user has agreed that the guests must leave.
    pub replacement: Option<Replacement<W>>,
    /// Draws small pictures of boards for the list of recent games.
    pub previews: PreviewWriter,
    /// The job that replays an example game. The result is the path of its record, and the number
    /// of answers before the position to show.
    pub replayed: Option<JobHandle<(), (PathBuf, usize)>>,
}

impl<W: 'static> Default for Tasks<W> {
    fn default() -> Self {
        Tasks { drawing: None, reading: None, replacement: None, previews: PreviewWriter::default(), replayed: None }
    }
}

/// The files that the window stores, and the folder for them.
pub(super) struct Store {
    /// The folder for settings and games. If `None`, nothing is stored.
    pub data: Option<PathBuf>,
    /// The thread that writes settings and drafts.
    pub keeper: Option<FileStore>,
    /// The settings as they were last stored.
    pub saved_settings: Settings,
    /// The state of the game when the list of recent games was last updated: the number of the
    /// session, the turn, and true if the game was over.
    pub remembered_turn: (u64, u32, bool),
}

/// The mods on disk.
pub(super) struct InstalledMods {
    /// The mods on disk and the bundled mods, without mods that came in a link.
    pub home: Library,
    /// The original content of the bundled mods, if known.
    pub originals: Option<Arc<Originals>>,
    /// Watches the folders of mods.
    pub watcher: Option<Watcher>,
    /// The files of mods and tests that were saved since the last start of the tests.
    pub touched: Vec<PathBuf>,
}

/// Facts about the frames and the device.
pub(super) struct Frames {
    /// The context, used to wake the window from other threads.
    pub ctx: Context,
    /// The time when the window opened.
    pub started: Instant,
    /// The number of frames drawn.
    pub n_frames: u64,
    /// True on a touch screen without a mouse.
    pub has_fingers: bool,
    /// True once the user has pressed a key or a button. Browsers play no sound before.
    pub has_input: bool,
    /// The size of the window, in points at a scale of 1; `None` before the first frame.
    pub size: Option<[f32; 2]>,
    /// True once the game thread has ended and the user was notified.
    pub has_ended: bool,
}

impl Frames {
    pub fn new(ctx: &Context) -> Frames {
        Frames {
            ctx: ctx.clone(),
            started: Instant::now(),
            has_input: false,
            n_frames: 0,
            has_fingers: false,
            size: None,
            has_ended: false,
        }
    }
}

/// A file that a job is making. Dropping this value stops the job.
pub(super) struct DrawingTask {
    /// The busy message for the user.
    pub what: &'static str,
    pub since: Instant,
    pub percent: u8,
    /// The result of this job is the path of the file, and a note for the user.
    pub job: JobHandle<u8, (PathBuf, String)>,
}

/// A bot that is thinking in a worker. Dropping this value stops the bot.
pub(super) struct ThinkingBot {
    /// The revision of the position that the bot thinks about.
    pub revision: Revision,
    pub since: Instant,
    pub job: JobHandle<(), BotAnswer>,
}

/// A link or an archive that a background task is reading for the window `W`.
pub(super) struct ReadTask<W> {
    /// The busy message.
    pub what: &'static str,
    pub since: Instant,
    /// The channel for the function that handles the result.
    pub done: Receiver<DoneCallback<W>>,
}
