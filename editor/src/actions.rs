//! The actions that panels request. The window performs them after the frame is drawn.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use table::{Answer, RulesChoice, Seat, Setup, StoredFile, Template};
use workshop::balance::{ComparedRules, ExampleGame, ShownRules};
use workshop::link::Link;
use workshop::mod_files::FileKind;
use workshop::{EdgeStyle, LookChange, ModTest, ModTiles, Package, TagCarrier, TileToSave};

use crate::command::Command;
use crate::file_choice::FilePurpose;
use crate::jobs::PictureKind;
use crate::notifications::{Removal, Tone};
use crate::table_view::GuestRequest;

/// An action that a panel requests. The window performs it after the frame is drawn.
#[derive(Clone, Debug)]
pub enum Action {
    /// Submit this answer.
    Answer(Answer),
    /// Run a command.
    Command(Command),
    /// Go to the position after this number of answers.
    GoTo(usize),
    /// Go to the end of the branch with this number.
    SwitchTo(usize),
    /// Hand the device to this player, who is then the only viewer. If `None`, all human players
    /// become viewers again.
    HandOver(Option<Seat>),
    /// Let this bot play for a seat; if `None`, a person.
    SetBot(Seat, Option<String>),
    /// Let guests join this game, at this address of the computer.
    Invite(SocketAddr),
    /// Send the game thread, or the table of another computer, a request about the people at the
    /// table.
    Guests(GuestRequest),
    /// Join the table of this link as a guest.
    Join(String),
    /// Replace the game although guests must leave (true), or continue the current game (false).
    ReplaceGame(bool),
    /// Start a game.
    Begin(Box<Setup>),
    /// Open a record.
    Open(PathBuf),
    /// Let the user change the bundled mod in this folder.
    AllowChanges(PathBuf),
    /// Ask for a file or a folder to read.
    AskInput(FilePurpose),
    /// Ask for a file to write. The text is its default name.
    AskOutput(FilePurpose, String),
    /// Add a folder of mods, or a mod, to the library.
    AddMods(PathBuf),
    /// Continue the game with these mods and settings, and replay its answers under the new rules.
    PlayBy(RulesChoice),
    /// Open a file of a mod at a line in the rule editor, or a folder in the system's program for
    /// folders.
    OpenFile(PathBuf, u32),
    /// Open a file at a line in the system's program for it.
    OpenOutside(PathBuf, u32),
    /// Insert an example into the file open in the rule editor.
    InsertExample(String),
    /// Apply changes to mods that were just saved in this window.
    Saved,
    /// Show a notification with this tone and text.
    Tell(Tone, String),
    /// Write a file to disk, or remove it from disk.
    Keep(StoredFile),
    /// Make an expansion from a template and play with it.
    MakeMod(Box<NewModRequest>),
    /// Draw the tile with this name instead of the tile drawn in this turn.
    DrawTile(String),
    /// Read the list of mods on disk, unless it has already been read.
    LookAtDisk,
    /// Perform an action on tiles.
    Tiles(TilesAction),
    /// Draw a picture of the current position, or of the game up to it, into this file.
    Draw(PictureKind, PathBuf),
    /// Stop the first of these jobs that is in progress: reading a link or an archive, a bot in a
    /// worker, drawing a picture, the work of the game thread.
    Stop,
    /// Perform an action on mods in archives.
    Package(PackageAction),
    /// Write the sheets to print to this file, with the choices of the window.
    Print(PathBuf),
    /// Make the rulebook of the mods with these ids, and save it in this file.
    MakeBook(Vec<String>, PathBuf),
    /// Perform an action on links.
    Link(LinkAction),
    /// Perform an action on files of mods.
    Files(FileAction),
    /// Perform an action on bundled mods.
    Restore(RestoreAction),
    /// Perform an action on puzzles.
    Puzzle(PuzzleAction),
    /// Perform an action on lessons.
    Lesson(LessonAction),
    /// Perform an action on tests.
    Tests(TestAction),
    /// Perform an action on the records of a folder.
    Corpus(CorpusAction),
    /// Perform an action of the balance panel.
    Balance(BalanceAction),
}

/// An action on tiles. The game thread performs the actions that read or write files.
#[derive(Clone, Debug)]
pub enum TilesAction {
    /// Read the tiles of all mods.
    ReadShelves,
    /// Open a tile of a mod in the designer.
    Open {
        /// The id of the mod.
        mod_id: String,
        /// The folder of the mod.
        folder: PathBuf,
        /// The id of the tile.
        id: String,
    },
    /// Read an open tile from its file again, because the file may have changed.
    LookAgain {
        /// The number of the document with the tile.
        number: u64,
        /// The folder of its mod.
        folder: PathBuf,
        /// The id of the tile.
        id: String,
    },
    /// Save a tile to its file.
    Save(Box<TileSaveRequest>),
    /// Remove a tile from its file.
    Delete {
        /// The number of the document with the tile.
        number: u64,
        /// The folder of its mod.
        folder: PathBuf,
        /// The id and the entries of the tile in its file, when it was last read or saved.
        opened: Box<(String, workshop::Entries)>,
    },
    /// Bring back a deleted tile.
    Restore(Box<workshop::DeletedTile>),
    /// Declare a tag, land or piece of this name in the manifest of the mod in this folder.
    Declare(PathBuf, String, Declaration),
    /// Show the looks of the mod in this folder.
    ShowLooks(PathBuf),
    /// Read the looks of a mod.
    ReadLooks {
        /// The id of the mod.
        mod_id: String,
        /// The folder of the mod.
        folder: PathBuf,
    },
    /// Save changes to the looks of a mod.
    SaveLooks {
        /// The id of the mod.
        mod_id: String,
        /// The folder of the mod.
        folder: PathBuf,
        /// The changes, in order.
        changes: Vec<LookChange>,
    },
    /// Bring the board to the front.
    ShowBoard,
}

/// A part of a game to declare in the manifest of a mod.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// A tag of this kind of object: of tiles or of zones.
    Tag(TagCarrier),
    /// A kind of land that meets an edge of its tile in this way. Contains the piece that players
    /// may deploy on the land, if any.
    Kind(EdgeStyle, Option<String>),
    /// A piece. Contains the piece as which it counts, if any.
    Piece(Option<String>),
}

/// A tile to save, and its mod.
#[derive(Clone, Debug)]
pub struct TileSaveRequest {
    /// The number of the document with the tile.
    pub number: u64,
    /// The mod and its tiles.
    pub shelf: ModTiles,
    /// The tile in the form in which it is written.
    pub tile: TileToSave,
}

/// An action on mods in archives.
#[derive(Clone, Debug)]
pub enum PackageAction {
    /// Show the contents of a mod in an archive or a folder.
    LookAt(PathBuf),
    /// Install a mod into a folder of mods. If the boolean is true, the mod may replace an
    /// installed mod with the same id.
    Install(Box<Package>, PathBuf, bool),
    /// Pack the mod in a folder, the first path, into an archive, the second path.
    Export(PathBuf, PathBuf),
}

/// An action on links, which a panel or a window requests.
#[derive(Clone, Debug)]
pub enum LinkAction {
    /// Copy the game, up to the current position, as a link.
    Copy,
    /// Copy the game as a link for the next player, who continues it on another computer.
    CopyMove,
    /// Copy the HTML that shows the board on another website.
    Embed,
    /// Show the contents of the link with this text.
    LookAt(String),
    /// Open the game or puzzle in a link.
    Open(Box<Link>),
    /// Write the link of the game to this file.
    Write(PathBuf),
}

/// An action on files of a mod, or on a whole mod.
#[derive(Clone, Debug)]
pub enum FileAction {
    /// Create a file of this kind in the mod in this folder. The text is the file's name without
    /// the extension, if the kind has no fixed name.
    Create(PathBuf, FileKind, String),
    /// Create an icon in the mod in this folder.
    CreateIcon(PathBuf, NewIcon),
    /// Rename a file (the second path) of the mod in a folder (the first path). The text is the new
    /// name without the extension.
    Rename(PathBuf, PathBuf, String),
    /// Remove a file (the second path) of the mod in a folder (the first path).
    Remove(PathBuf, PathBuf),
    /// Remove the mod in this folder. If the game uses the mod, first continue the game under these
    /// rules.
    RemoveMod(PathBuf, Option<RulesChoice>),
    /// Bring back a removed file or mod.
    Restore(Box<Removal>),
}

/// An icon to create.
#[derive(Clone, Debug)]
pub struct NewIcon {
    /// The name of the file, without the extension.
    pub name: String,
    /// The drawing; `None` for a disc, in which the user begins to draw.
    pub svg: Option<Arc<str>>,
    /// True to open the text of the drawing.
    pub opens_text: bool,
}

/// An action on the window that restores mods.
#[derive(Clone, Debug)]
pub enum RestoreAction {
    /// Show the window with the user's changes to bundled mods, and with removed mods and files.
    LookAt,
    /// Restore the original content of these files, and remove files that are not bundled.
    Files(Vec<PathBuf>),
    /// Undo the last restore.
    PutBack,
}

/// An action on puzzles, which a panel requests.
#[derive(Clone, Debug)]
pub enum PuzzleAction {
    /// Copy a link that opens the position after this number of answers as a puzzle for this seat.
    /// The texts are the answers of the seat's best move in this position, in order.
    Copy(usize, Seat, Vec<String>),
    /// Go back to the position of the puzzle, so that the user can try again.
    Again,
    /// Play the best move on the board.
    PlayBestMove,
    /// Return to the game that the user left for the puzzle, or start a new game.
    Leave,
}

/// An action on lessons, which a panel requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LessonAction {
    /// Open the lesson with this number, counted from 0.
    Open(usize),
    /// Go back to the position of the lesson.
    Again,
    /// Return to the game that the user left for the lessons, or start a new game.
    Leave,
    /// Start a base game against a bot.
    Play,
}

/// An action on tests of mods, which a panel requests.
#[derive(Clone, Debug)]
pub enum TestAction {
    /// List the tests without running them.
    List,
    /// Run one test.
    Run(Box<ModTest>),
    /// Stop the run.
    Stop,
    /// Write the actual values into a test as its expectations.
    Accept(Box<ModTest>),
    /// Open a test as a game, at the position after this number of answers.
    OpenAt(Box<ModTest>, usize),
    /// Write a new test.
    Write(Box<NewTest>),
    /// Open the window that makes a test of the position after this number of answers.
    FreezeAt(usize),
}

/// A test of a mod to write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewTest {
    /// The folder of the mod.
    pub folder: PathBuf,
    /// The name of the test's file, without the extension.
    pub name: String,
    /// The content of the file.
    pub text: String,
}

/// An action on the records of a folder.
#[derive(Clone, Debug)]
pub enum CorpusAction {
    /// Replay the records in this folder, in the background.
    Replay(PathBuf),
    /// Open this record at the position after this number of answers.
    Open(PathBuf, usize),
}

/// An action that the balance panel requests.
#[derive(Clone, Debug)]
pub enum BalanceAction {
    /// Start a run.
    Run,
    /// Pin the current mods as the baseline. From now on, each save starts a run that compares the
    /// new rules with this baseline.
    Pin,
    /// Compare with this baseline, in a run that starts immediately and in a new run after each
    /// save. [`ComparedRules::Nothing`] removes the baseline and starts no run.
    Compare(ComparedRules),
    /// Write the results to this file.
    Write(PathBuf),
    /// Show this playtest, or the playtests of this folder, beside those that are shown already.
    AddPlaytests(PathBuf),
    /// Read the shown playtests again.
    ReadPlaytests,
    /// Show bot games instead of playtests.
    ClosePlaytests,
    /// Replay an example game under these rules. Open it at the position that the example shows or,
    /// for [`ShownRules::Different`], at the first difference from the game under the baseline's
    /// rules.
    Open(ExampleGame, ShownRules),
}

/// A small expansion to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewModRequest {
    /// The id of the mod, which is also the name of its folder.
    pub id: String,
    /// The title of the mod.
    pub title: String,
    /// The template of the mod's files.
    pub template: &'static Template,
    /// The name of the mod's piece or land, if it differs from the name in the template.
    pub subject: Option<String>,
    /// The folder in which the folder of the mod is created.
    pub place: PathBuf,
}
