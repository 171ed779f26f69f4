//! The context of every panel. A panel reads the session, draws itself, and requests actions.

use std::path::Path;
use std::time::Duration;

use door::{PlaytestView, Request};
use egui::{Color32, Context};
use table::{Seat, Snapshot};

use workshop::bundled_mods::Originals;

use crate::actions::Action;
use crate::balance_bench::BalanceBench;
use crate::command::Command;
use crate::insight_cache::InsightCache;
use crate::invitation::Invitation;
use crate::notifications::Notifications;
use crate::pictures::Pictures;
use crate::settings::{HintLevel, Settings};
use crate::table_view::{ExcursionView, GuestRequest, TableView};
use crate::test_bench::TestBench;
use crate::view_state::ViewState;

/// The context of a panel.
pub struct UiContext<'a> {
    /// The game; panels only read it.
    pub session: &'a Snapshot,
    /// Facts about the current position, computed on request.
    pub insight: &'a mut InsightCache,
    /// Pictures of tiles, pieces and icons.
    pub pictures: &'a mut Pictures,
    /// The state of the view, such as overlays and open windows.
    pub view_state: &'a mut ViewState,
    /// The settings, stored between runs.
    pub settings: &'a mut Settings,
    /// The tests of the mods in play.
    pub tests: &'a mut TestBench,
    /// The bot games with the mods in play, and their results.
    pub balance: &'a mut BalanceBench,
    /// The notifications to the user.
    pub notifications: &'a Notifications,
    /// The original content of the bundled mods, if known.
    pub originals: Option<&'a Originals>,
    /// The actions requested in this frame, in the order in which they are performed after the
    /// frame is drawn.
    pub actions: &'a mut Vec<Action>,
    /// The colour of each seat.
    pub colours: Vec<[u8; 3]>,
    /// True if play is not paused. At a past position, the window then replays the branch; at the
    /// end of the branch, bots move.
    pub is_playing: bool,
    /// True on a touch screen without a mouse.
    pub has_fingers: bool,
    /// True if a puzzle or a lesson is on the board.
    pub is_exercise: bool,
    /// The note that the window shows in place of the question, for example if a guest is to move
    /// or if the user's moves in a puzzle or lesson are over. `None` if there is no note.
    pub answered: Option<&'a str>,
    /// True if the game is at another computer, and this window is a guest there.
    pub is_guest: bool,
    /// The people at the table; `None` if the window neither hosts a game nor is a guest.
    pub table: Option<&'a TableView>,
    /// The position that a guest looks at alone; `None` while the window shows the game.
    pub excursion: Option<ExcursionView>,
    /// The playtest that the table collects, if it collects one.
    pub playtest: Option<&'a PlaytestView>,
    /// The running invitation of guests, if there is one.
    pub invitation: Option<&'a Invitation>,
    /// True if the user must say whether another game replaces the game with guests.
    pub has_replacement: bool,
    /// The file of the last playtest, after its invitation has ended.
    pub last_playtest: Option<&'a Path>,
    /// True if the board fills the window, with cards on it.
    pub has_cards: bool,
    /// True if the log is shown: in Play as a card, in Make with the other panels below the board.
    pub shows_log: bool,
    /// True if the user can return to a game that they left for another game, a test, a puzzle or a
    /// lesson.
    pub has_left_game: bool,
    /// The time of this frame, since the start of the program.
    pub time: Duration,
    /// The busy message of the work in progress, and the time since the work began. `None` if there
    /// is no work, or if the work began too recently for a message.
    pub busy: Option<(String, Duration)>,
}

impl UiContext<'_> {
    /// Requests an action after the frame is drawn.
    pub fn request_action(&mut self, action: Action) {
        self.actions.push(action);
    }

    /// Requests a command after the frame is drawn.
    pub fn request_command(&mut self, command: Command) {
        self.actions.push(Action::Command(command));
    }

    /// Sends a request to the table of the game after the frame is drawn.
    pub fn ask_table(&mut self, request: Request) {
        self.actions.push(Action::Guests(GuestRequest::Send(request)));
    }

    /// Returns whether the mod in `folder` is a bundled mod that the user may not change now.
    pub fn is_locked(&self, folder: &Path) -> bool {
        self.view_state.is_locked(self.originals, folder)
    }

    /// Returns the hint level.
    pub fn hints(&self) -> HintLevel {
        self.settings.hints
    }

    /// Returns the colour of a seat.
    pub fn colour(&self, seat: Seat) -> Color32 {
        let [r, g, b] = self.rgb(seat);
        Color32::from_rgb(r, g, b)
    }

    /// Returns the colour of a seat as red, green and blue, for pictures.
    pub fn rgb(&self, seat: Seat) -> [u8; 3] {
        self.colours.get(seat.idx()).copied().unwrap_or([128; 3])
    }

    /// Returns the colour of a seat for text. Adjusts the colour if its contrast with the
    /// background of `ctx` is too low.
    pub fn text_colour(&self, ctx: &Context, seat: Seat) -> Color32 {
        let colour = self.colour(seat);
        let brightness = (2 * u32::from(colour.r()) + 5 * u32::from(colour.g()) + u32::from(colour.b())) / 8;
        let is_dark = ctx.global_style().visuals.dark_mode;
        match (is_dark, brightness) {
            // Adds only the white that makes the text legible, so that red does not become pink.
            (true, ..110) => {
                colour.lerp_to_gamma(Color32::WHITE, (130 - brightness) as f32 / (255 - brightness) as f32)
            }
            (false, 105..) => colour.lerp_to_gamma(Color32::BLACK, if brightness > 150 { 0.5 } else { 0.25 }),
            _ => colour,
        }
    }
}
