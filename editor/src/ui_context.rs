//! What every panel works with: it reads the session, draws, and says what is to happen.

use std::path::{Path, PathBuf};
use std::time::Duration;

use egui::{Color32, Context};
use table::{Answer, KeptFile, RulesChoice, Seat, Setup, Snapshot, Template};

use workshop::originals::Originals;

use crate::app::{BalanceAction, LinkAction, PackageAction, PuzzleAction, RestoreAction, TestAction};
use crate::balance_bench::BalanceBench;
use crate::command::Command;
use crate::insight_cache::InsightCache;
use crate::notifications::{Notifications, Tone};
use crate::pictures::Pictures;
use crate::remote::Drawn;
use crate::settings::{Hints, Settings};
use crate::test_bench::TestBench;
use crate::tiles::TilesAction;
use crate::view_state::ViewState;

/// Something that is to happen when the frame is drawn.
#[derive(Clone, Debug)]
pub enum Action {
    /// Give this answer.
    Answer(Answer),
    /// Give a command.
    Command(Command),
    /// Look at the moment after so many answers.
    GoTo(usize),
    /// Go to the end of the branch with this number.
    SwitchTo(usize),
    /// Let this player look alone, or all persons again.
    HandOver(Option<Seat>),
    /// Let a bot, or a person, play a seat.
    SetBot(Seat, Option<String>),
    /// Begin a game.
    Begin(Box<Setup>),
    /// Open a record.
    Open(PathBuf),
    /// Let the bundled mod in this folder be changed.
    ChangeAnyway(PathBuf),
    /// Let a folder of mods be chosen.
    AskForMods,
    /// Open a folder of mods, or a mod, as well.
    AddMods(PathBuf),
    /// Play on by these mods and settings: the game is replayed under them.
    PlayBy(RulesChoice),
    /// Open a file at a line: a text of a mod here, anything else in the program that the system has for it.
    OpenFile(PathBuf, u32),
    /// Open a file, at a line, in the program that the system has for it.
    OpenOutside(PathBuf, u32),
    /// Put an example into the text that is open.
    InsertExample(String),
    /// Take over what was saved here.
    Saved,
    /// Tell something.
    Tell(Tone, String),
    /// Keep a file on disk.
    Keep(KeptFile),
    /// Make an expansion from a template and play with it.
    MakeMod(Box<NewModWanted>),
    /// Draw the tile with this name instead of the one drawn in this turn.
    DrawTile(String),
    /// Look at what mods are on disk.
    LookAtDisk,
    /// Do something with tiles that are being made.
    Tiles(TilesAction),
    /// Draw the game up to the current position into this file.
    Draw(Drawn, PathBuf),
    /// Stop what the game thread is doing.
    Stop,
    /// Something with mods in archives.
    Package(PackageAction),
    /// Something with games in links.
    Link(LinkAction),
    /// Something with mods that came with the program.
    Restore(RestoreAction),
    /// Something with puzzles.
    Puzzle(PuzzleAction),
    /// Something with tests.
    Tests(TestAction),
    /// Something with games of bots.
    Balance(BalanceAction),
}

/// A test that is to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewTest {
    /// The folder of the mod.
    pub folder: PathBuf,
    /// The name of its file, without its ending.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// An expansion that is to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewModWanted {
    /// Its id, which names its folder.
    pub id: String,
    /// Its title for people.
    pub title: String,
    /// What it begins with.
    pub template: &'static Template,
    /// What its piece is called, where it begins with one.
    pub piece: Option<String>,
    /// The folder in which its own is made.
    pub place: PathBuf,
}

/// What a panel works with.
pub struct UiContext<'a> {
    /// The game; panels only read it.
    pub session: &'a Snapshot,
    /// What is known about the moment looked at, found when asked for.
    pub insight: &'a mut InsightCache,
    /// Pictures of tiles, pieces and icons.
    pub pictures: &'a mut Pictures,
    /// What is looked at.
    pub view_state: &'a mut ViewState,
    /// What is kept between runs.
    pub settings: &'a mut Settings,
    /// The tests of the mods in play.
    pub tests: &'a mut TestBench,
    /// Games of bots with the mods in play.
    pub balance: &'a mut BalanceBench,
    /// What has happened to mods and files.
    pub notifications: &'a Notifications,
    /// The mods as they came with the program, where that is known.
    pub originals: Option<&'a Originals>,
    /// What is to happen when the frame is drawn, in order.
    pub actions: &'a mut Vec<Action>,
    /// The colour of each seat.
    pub colours: Vec<[u8; 3]>,
    /// Whether a line is being played, or bots are playing.
    pub is_playing: bool,
    /// Whether people have fingers here, and no mouse.
    pub has_fingers: bool,
    /// Whether a puzzle is on the board that was answered: nothing goes on then.
    pub is_answered: bool,
    /// Whether the panels below the board are shown.
    pub has_dock: bool,
    /// Whether a game was left to look into another.
    pub has_left_game: bool,
    /// The time of this frame since the start.
    pub time: Duration,
    /// What takes long on the game thread, and for how long it has.
    pub busy: Option<(String, Duration)>,
}

impl UiContext<'_> {
    /// Lets something happen when the frame is drawn.
    pub fn act(&mut self, action: Action) {
        self.actions.push(action);
    }

    /// Gives a command when the frame is drawn.
    pub fn command(&mut self, command: Command) {
        self.actions.push(Action::Command(command));
    }

    /// Returns whether the mod in `folder` is a bundled one that is read-only.
    pub fn is_locked(&self, folder: &Path) -> bool {
        self.view_state.is_locked(self.originals, folder)
    }

    /// How much the window helps.
    pub fn hints(&self) -> Hints {
        self.settings.hints
    }

    /// The colour of a seat.
    pub fn colour(&self, seat: Seat) -> Color32 {
        let [r, g, b] = self.rgb(seat);
        Color32::from_rgb(r, g, b)
    }

    /// The colour of a seat as red, green and blue, as pictures want it.
    pub fn rgb(&self, seat: Seat) -> [u8; 3] {
        self.colours.get(seat.idx()).copied().unwrap_or([128; 3])
    }

    /// The colour of a seat that texts on `ctx`'s background can have: some seat colours are too near to it.
    pub fn text_colour(&self, ctx: &Context, seat: Seat) -> Color32 {
        let colour = self.colour(seat);
        let brightness = (2 * u32::from(colour.r()) + 5 * u32::from(colour.g()) + u32::from(colour.b())) / 8;
        let is_dark = ctx.global_style().visuals.dark_mode;
        match (is_dark, brightness) {
            // As little white as makes it legible: red stays red.
            (true, ..110) => {
                colour.lerp_to_gamma(Color32::WHITE, (130 - brightness) as f32 / (255 - brightness) as f32)
            }
            (false, 105..) => colour.lerp_to_gamma(Color32::BLACK, if brightness > 150 { 0.5 } else { 0.25 }),
            _ => colour,
        }
    }
}
