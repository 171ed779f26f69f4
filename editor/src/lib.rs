#![doc = include_str!("../README.md")]

mod actions;
mod app;
mod balance_bench;
mod board;
mod board_previews;
mod bot_levels;
mod cached;
mod cards;
#[cfg(not(target_family = "wasm"))]
mod chooser;
#[cfg(target_family = "wasm")]
#[path = "chooser_page.rs"]
mod chooser;
mod chrome;
mod command;
mod covers;
mod file_choice;
mod files;
pub mod frame_cost;
mod game_thread;
mod games;
mod ghost_tile;
#[cfg(not(target_family = "wasm"))]
mod guest;
#[cfg(target_family = "wasm")]
#[path = "guest_page.rs"]
mod guest;
#[cfg(not(target_family = "wasm"))]
mod hosted;
#[cfg(target_family = "wasm")]
#[path = "hosted_page.rs"]
mod hosted;
mod insight_cache;
mod invitation;
pub mod jobs;
mod layout;
mod lessons;
mod notifications;
mod panels;
mod pictures;
mod playtest_bench;
mod png_texture;
mod puzzle;
mod questions;
mod rules;
mod seal_secret;
mod settings;
mod shown_error;
mod sounds;
mod style;
#[cfg(target_os = "linux")]
mod system_dialog;
mod table_view;
mod test_bench;
mod tiles;
mod ui_context;
mod view_state;
mod window;
mod windows;

pub use actions::{
    Action, BalanceAction, CorpusAction, Declaration, FileAction, LessonAction, LinkAction, NewModRequest, NewTest,
    PackageAction, PuzzleAction, RestoreAction, TestAction, TilesAction,
};
pub use app::opening::OpeningWindow;
pub use app::start::StartOptions;
pub use app::{App, action_to_open};
pub use balance_bench::BalanceBench;
pub use board::BoardView;
pub use command::{COMMANDS, Command, CommandInfo, CommandMenu};
pub use guest::GuestTable;
pub use invitation::Invitation;
pub use lessons::{Lesson, LessonStage, OpenLesson, lessons};
pub use notifications::{Notification, Notifications, Removal, Tone};
pub use panels::Pane;
pub use playtest_bench::PlaytestBench;
pub use puzzle::{Puzzle, PuzzleStage};
pub use settings::{HintLevel, LastGame, RecentGame, SeatColours, Settings, Workspace, data_folder};
pub use shown_error::ShownError;
pub use table_view::{CollectedPlaytest, GuestRequest, RemainingTimes, TableNews, TableSeat, TableView};
pub use test_bench::{TestBench, TestState, TestView};
pub use tiles::TilesPane;
pub use view_state::{FileNaming, Overlays, ViewState, Windows};
pub use window::Window;
