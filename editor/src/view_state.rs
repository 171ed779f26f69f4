//! What is looked at: pointer, ghost, highlights, overlays, open windows. Nothing of it is kept between runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use egui::Rect;
use table::{Answer, Facing, FeatureRef, PieceRef, Revision, Seat, Spot, Target, ZoneRef};
use workshop::originals::Originals;

/// What is drawn over the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overlays {
    /// Who holds which ground.
    pub fields: bool,
    /// Who holds which feature.
    pub owners: bool,
    /// How many tiles left fit on open spots.
    pub odds: bool,
    /// Names of tiles and spots.
    pub names: bool,
    /// What each piece would score now.
    pub values: bool,
    /// Where the last ten turns were played.
    pub recent: bool,
    /// The grid.
    pub grid: bool,
}

/// Which windows are open.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Windows {
    /// The tiles that are left.
    pub remaining: bool,
    /// The score track.
    pub track: bool,
    /// How the score of this player came about.
    pub breakdown: Option<Seat>,
    /// All keys.
    pub keys: bool,
    /// What scripts and manifests can say.
    pub help: bool,
    /// Theme, colours, speed.
    pub settings: bool,
    /// Choosing a new game.
    pub new_game: bool,
    /// Making a mod.
    pub new_mod: bool,
    /// A mod that may be installed.
    pub install: bool,
    /// A game in a link.
    pub link: bool,
    /// What was changed of a mod that came with the program.
    pub restore: bool,
    /// Puzzles of this game.
    pub puzzles: bool,
    /// Making a test of the moment looked at.
    pub freeze: bool,
    /// Mods, versions, settings and seed of this game.
    pub game_setup: bool,
    /// The last tile, large.
    pub big_tile: bool,
    /// What this program is.
    pub about: bool,
}

/// A movement of the view asked for by a command; the board makes it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Move {
    /// Show the whole board.
    Fit,
    /// Tiles of 128 points.
    Zoom100,
    /// Larger or smaller by this factor, around the middle.
    Zoom(f32),
    /// By so many points.
    Pan(f32, f32),
    /// Bring this spot into view, if it is not.
    Show(Spot),
}

/// A tile on the board that is too small for the answers about it, in points of the screen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SmallTile {
    /// Where the tile is.
    pub tile: Rect,
    /// Where the board is.
    pub board: Rect,
}

/// A mod that was made here, with what can be done first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guide {
    /// Its id.
    pub id: String,
    /// Its folder.
    pub folder: PathBuf,
    /// What its files were when it was made.
    pub hash: Option<u64>,
    /// Whether its script was opened by itself once.
    pub is_read: bool,
    /// Whether its tests were run, or a new one was begun.
    pub is_tested: bool,
    /// Whether its steps were closed; a command opens them again.
    pub is_closed: bool,
}

/// What is looked at.
#[derive(Clone, Debug, Default)]
pub struct ViewState {
    /// The folders of bundled mods that may be changed until the window closes.
    pub unlocked: BTreeSet<PathBuf>,
    /// How the ghost of the drawn tile is turned.
    pub facing: Facing,
    /// Whether the ghost turns a quarter at a time, whether it fits so or not: for those who want no hints.
    pub turns_freely: bool,
    /// The open spot that keys have chosen, where the tile would be laid by Enter.
    pub chosen: Option<Spot>,
    /// Whether a finger has chosen it: it is laid by a button on the board.
    pub by_finger: bool,
    /// What the pointer is over on the board, found by the board in this frame.
    pub hover: Option<Spot>,
    /// The zone under the pointer, found by the board in this frame.
    pub hover_zone: Option<ZoneRef>,
    /// What panels want to be highlighted, set anew in each frame.
    pub lit: Vec<Target>,
    /// What the board highlights because panels asked for it in the last frame.
    pub shown: Vec<Target>,
    /// The player whose pieces stay highlighted until the card is clicked again.
    pub lit_player: Option<Seat>,
    /// A feature whose tooltip stays.
    pub pinned: Option<FeatureRef>,
    /// A piece that was clicked: what it would score now is told.
    pub piece: Option<PieceRef>,
    /// The answer the pointer is over in a panel or on the board.
    pub preview: Option<Answer>,
    /// What is drawn over the board.
    pub overlays: Overlays,
    /// Which windows are open.
    pub windows: Windows,
    /// What help is to be found about.
    pub find_help: Option<String>,
    /// Movements that commands asked for.
    pub moves: Vec<Move>,
    /// Where the board was drawn, and on it a tile that is too small for the answers about it; found by the board in this frame.
    pub small_tile: Option<SmallTile>,
    /// When the window was closed that shows such a tile large: it stays closed until something else is asked.
    pub closed_at: Option<Revision>,
    /// The mod that was made last, until its list of first steps is closed.
    pub guide: Option<Guide>,
    /// What the window of remaining tiles is to look for when it opens.
    pub find_tile: Option<String>,
    /// Only tiles that fit on this spot, in the window of remaining tiles.
    pub only_fitting: Option<Spot>,
}

impl ViewState {
    /// Returns whether the mod in `folder` is a bundled one that is read-only.
    pub fn is_locked(&self, originals: Option<&Originals>, folder: &Path) -> bool {
        originals.is_some_and(|it| it.holds(folder)) && !self.unlocked.contains(folder)
    }

    /// Asks the board to highlight something in the next frame.
    pub fn light(&mut self, target: Target) {
        if !self.lit.contains(&target) {
            self.lit.push(target);
        }
    }
}
