//! The panels around the board, one module each, and the table of all panels.

mod balance;
mod best_places;
mod changes;
pub mod choices;
mod coach;
mod console;
pub mod icon_list;
pub mod log_rows;
pub mod series;
pub mod tags;
pub mod widgets;

mod lesson;
pub mod log;
mod mods;
mod next_tile;
mod page;
mod players;
mod podium;
mod problems;
mod prompt;
mod prompt_cards;
mod puzzle;
mod setting;
mod supply;
mod tests;
mod time_bar;
mod time_track;
mod trace;

use egui::Ui;
use serde::{Deserialize, Serialize};

use crate::command::Command;
use crate::ui_context::UiContext;

pub use lesson::lesson;
pub use log::{last_laid_before, last_turn, log};
pub use mods::rules_after_toggle;
pub use next_tile::next_tile;
pub use page::{label_with_code, page, text_with_code};
pub use players::{MAX_HEIGHT, players, players_heights};
pub use prompt::prompt;
pub use puzzle::{lead_text, move_text, puzzle};
pub use setting::setting;
pub use time_bar::time_bar;
pub use widgets::{ButtonIcon, icon_button, open_on_click, pluralized, remember, remembered};

/// The place of a panel in the default layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PanePlace {
    /// A tab in the middle.
    Centre,
    /// A tab in the dock below the middle.
    Dock,
    /// In the column beside the middle.
    Column,
}

/// A function that draws a panel.
type DrawPanel = fn(&mut Ui, &mut UiContext<'_>);

/// A row of the table of panels.
pub struct PaneInfo {
    /// The panel that the row describes.
    pub pane: Pane,
    title: &'static str,
    /// The place of the panel in the default layout.
    pub place: PanePlace,
    /// The command that only shows the panel, if there is one.
    command: Option<Command>,
    /// The function that draws the panel; `None` if the panel has state of its own.
    draw: Option<DrawPanel>,
}

macro_rules! panes {
    ($($place:ident { $($name:ident $title:literal $about:literal [$($command:ident)?] $draw:expr),* $(,)? })*) => {
        /// A panel of the window.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Pane {
            $($(#[doc = $about] $name,)*)*
        }

        /// All panels, place by place. The default layout has them in this order, with the first
        /// panel of each place in front.
        pub const PANES: &[PaneInfo] = &[
            $($(PaneInfo {
                pane: Pane::$name,
                title: $title,
                place: PanePlace::$place,
                command: [$(Some(Command::$command),)? None][0],
                draw: $draw,
            },)*)*
        ];
    };
}

panes! {
    Centre {
        Board "Board" "The board." [] None,
        Mods "Mods" "The mods on disk." [ModsPanel] Some(mods::mods),
        Tiles "Tiles" "The tiles of all mods, and the designer of tiles." [] None,
        Rules "Rules" "The rule editor." [] None,
        Tests "Tests" "The tests of the mods in play." [Tests] Some(tests::tests),
        Balance "Balance" "Bot games: winners and statistics." [Balance] Some(balance::balance),
    }
    Dock {
        Log "Event log" "The event log of the game." [] Some(log),
        Problems "Problems" "The problems of mods." [NextProblem] Some(problems::problems),
        Changes "Changes" "The effects of the last rule change." [Changes] Some(changes::changes),
        Console "Console" "The output of scripts." [Console] Some(console::console),
        Trace "Trace" "The trace of mod functions." [Trace] Some(trace::trace),
    }
    Column {
        Next "Next tile" "The drawn tile and the bag." [] Some(next_tile),
        Prompt "Question" "The open decision." [] Some(prompt),
        Players "Players" "The players." [] Some(players),
    }
}

impl Pane {
    fn info(self) -> &'static PaneInfo {
        PANES.iter().find(|info| info.pane == self).unwrap_or(&PANES[0])
    }

    /// Returns the title on the panel's tab.
    pub fn title(self) -> &'static str {
        self.info().title
    }

    /// Returns the function that draws the panel. Returns `None` for the board, the rule editor and
    /// the tiles, which have state of their own.
    pub fn draw(self) -> Option<DrawPanel> {
        self.info().draw
    }

    /// Returns the panel that a command only shows; `None` for other commands.
    pub fn shown_by(command: Command) -> Option<Pane> {
        PANES.iter().find(|info| info.command == Some(command)).map(|info| info.pane)
    }
}
