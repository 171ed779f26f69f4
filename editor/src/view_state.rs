//! The state of the view: pointer, ghost, highlights, overlays, open windows. None of it is stored
//! between runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use egui::Rect;
use table::{Answer, Facing, FeatureRef, PieceRef, Revision, Seat, Spot, Target, ZoneRef};
use workshop::bundled_mods::Originals;

/// The overlays of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overlays {
    /// The owners of ground features.
    pub fields: bool,
    /// The owners of features.
    pub owners: bool,
    /// The number of remaining tiles that fit on open spots.
    pub odds: bool,
    /// Names of tiles and spots.
    pub names: bool,
    /// The current score of each piece.
    pub values: bool,
    /// The places of the last ten turns.
    pub recent: bool,
    /// The grid.
    pub grid: bool,
}

/// The open windows.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Windows {
    /// The tiles that are left.
    pub remaining: bool,
    /// The score track.
    pub track: bool,
    /// The breakdown of this player's score.
    pub breakdown: Option<Seat>,
    /// All keys.
    pub keys: bool,
    /// The reference of scripts and manifests.
    pub help: bool,
    /// Theme, colours, speed.
    pub settings: bool,
    /// Choosing a new game.
    pub new_game: bool,
    /// Making a mod.
    pub new_mod: bool,
    /// A mod to install.
    pub install: bool,
    /// A game in a link.
    pub link: bool,
    /// The changes to bundled mods.
    pub restore: bool,
    /// Puzzles of this game.
    pub puzzles: bool,
    /// Making a test of the current position.
    pub freeze: bool,
    /// Mods, versions, settings and seed of this game.
    pub game_setup: bool,
    /// The last tile, large.
    pub big_tile: bool,
    /// Information about the program.
    pub about: bool,
}

/// A movement of the view that a command requests; the board performs it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ViewMove {
    /// Show the whole board.
    Fit,
    /// Tiles of 128 points.
    Zoom100,
    /// Scale by this factor around the middle.
    Zoom(f32),
    /// Move by so many points.
    Pan(f32, f32),
    /// Bring this spot into view, if it is not visible.
    Show(Spot),
}

/// A tile on the board that is too small for its answers, in points of the screen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SmallTile {
    /// The place of the tile.
    pub tile: Rect,
    /// The place of the board.
    pub board: Rect,
}

/// A mod that was made here, with its first steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guide {
    /// Its id.
    pub id: String,
    /// Its folder.
    pub folder: PathBuf,
    /// The hash of its files when it was made.
    pub hash: Option<u64>,
    /// True once its script was opened automatically.
    pub is_read: bool,
    /// True if its tests were run, or a new one was begun.
    pub is_tested: bool,
    /// True if the user closed its steps; a command opens them again.
    pub is_closed: bool,
}

/// A topic that another part of the window opens in the help.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HelpTopic {
    /// A word of scripts.
    ScriptWord(String),
    /// The tutorial for authors of mods.
    Tutorial,
    /// The rules of the mod in this folder.
    RulesOf(PathBuf),
}

/// The state of the view.
#[derive(Clone, Debug, Default)]
pub struct ViewState {
    /// The folders of bundled mods that may be changed until the window closes.
    pub unlocked: BTreeSet<PathBuf>,
    /// The facing of the ghost of the drawn tile.
    pub facing: Facing,
    /// True if the ghost turns a quarter at a time even if it does not fit then, as without hints.
    pub turns_freely: bool,
    /// The open spot chosen by keys, on which Enter places the tile.
    pub chosen: Option<Spot>,
    /// True if a finger chose it, so that a button on the board places the tile.
    pub by_finger: bool,
    /// The spot under the pointer, set by the board in this frame.
    pub hover: Option<Spot>,
    /// The zone under the pointer, set by the board in this frame.
    pub hover_zone: Option<ZoneRef>,
    /// The targets that panels highlight, set anew in each frame.
    pub lit: Vec<Target>,
    /// The targets that the board highlights, as panels requested in the last frame.
    pub shown: Vec<Target>,
    /// The player whose pieces stay highlighted until the card is clicked again.
    pub lit_player: Option<Seat>,
    /// The feature whose tooltip stays.
    pub pinned: Option<FeatureRef>,
    /// The clicked piece, whose current score is shown.
    pub piece: Option<PieceRef>,
    /// The answer under the pointer in a panel or on the board.
    pub preview: Option<Answer>,
    /// The overlays of the board.
    pub overlays: Overlays,
    /// The open windows.
    pub windows: Windows,
    /// The topic that the help opens next.
    pub help_topic: Option<HelpTopic>,
    /// The movements that commands requested.
    pub moves: Vec<ViewMove>,
    /// The place of the board, and a tile on it that is too small for its answers; set by the board
    /// in this frame.
    pub small_tile: Option<SmallTile>,
    /// The revision at which the user closed the window with such a tile. It stays closed until the
    /// next decision.
    pub closed_at: Option<Revision>,
    /// The mod that was made last, until its list of first steps is closed.
    pub guide: Option<Guide>,
    /// The text to search for in the window of remaining tiles when it opens.
    pub find_tile: Option<String>,
    /// The spot that limits the window of remaining tiles to tiles that fit there.
    pub only_fitting: Option<Spot>,
}

impl ViewState {
    /// Returns whether the mod in `folder` is a bundled one that is read-only.
    pub fn is_locked(&self, originals: Option<&Originals>, folder: &Path) -> bool {
        originals.is_some_and(|it| it.holds(folder)) && !self.unlocked.contains(folder)
    }

    /// Highlights a target on the board in the next frame.
    pub fn light(&mut self, target: Target) {
        if !self.lit.contains(&target) {
            self.lit.push(target);
        }
    }
}
