#![doc = include_str!("../README.md")]

mod app;
mod board;
mod command;
mod cx;
mod files;
mod frame;
mod ghost;
mod insight;
mod layout;
mod look;
mod news;
mod options;
mod panels;
mod pictures;
mod settings;
mod style;
mod windows;

pub use app::{App, Start};
pub use board::BoardView;
pub use command::{COMMANDS, Command, CommandInfo, Group};
pub use cx::Action;
pub use layout::Pane;
pub use look::{Look, Overlays, Target, Windows};
pub use news::{Item, News, Tone};
pub use settings::{Hints, LastGame, Seats, Settings, data_folder};
