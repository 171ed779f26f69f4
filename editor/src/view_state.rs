//! The state of the view: pointer, drawn tile, highlights, overlays and open windows. The state is
//! not stored between runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::Rect;
use table::{Answer, Award, Facing, FeatureRef, GameView, PieceRef, Revision, Seat, Spot, Target};
use workshop::bundled_mods::Originals;
use workshop::mod_files::FileKind;

use crate::command::Command;
use crate::sounds::Sound;

/// The overlays of the board: a flag is true if its overlay is visible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overlays {
    /// The owners of grounds, such as farmland.
    pub fields: bool,
    /// The owners of features.
    pub owners: bool,
    /// The number of remaining tiles that fit on each open spot.
    pub odds: bool,
    /// Names of tiles and spots.
    pub names: bool,
    /// The points that each piece would score now.
    pub values: bool,
    /// The tiles of the last ten turns.
    pub recent: bool,
    /// The grid of the board's spots.
    pub grid: bool,
}

impl Overlays {
    /// Returns the flag of the overlay that a command shows or hides; `None` for other commands.
    pub fn toggled_by(&mut self, command: Command) -> Option<&mut bool> {
        Some(match command {
            Command::OverlayFields => &mut self.fields,
            Command::OverlayOwners => &mut self.owners,
            Command::OverlayOdds => &mut self.odds,
            Command::OverlayNames => &mut self.names,
            Command::OverlayValues => &mut self.values,
            Command::OverlayRecent => &mut self.recent,
            Command::OverlayGrid => &mut self.grid,
            _ => return None,
        })
    }
}

/// The link that the user is entering.
#[derive(Clone, Debug, Default)]
pub struct JoinDraft {
    /// The text of the link.
    pub link: String,
    /// The reason why the last link was refused; `None` if no link was refused.
    pub refused: Option<String>,
    /// True if the window was opened since the last frame.
    pub is_new: bool,
}

/// The texts about a playtest that the user is writing, and the choice to collect one.
#[derive(Clone, Debug, Default)]
pub struct PlaytestDrafts {
    /// True if the next invitation collects a playtest.
    pub collects: bool,
    /// The number of answers before the moment of the note.
    pub note_at: u32,
    /// The subject of the note; `None` for the moment.
    pub note_about: Option<String>,
    /// The text of the note.
    pub note: String,
    /// The replies to the survey, by the id of the question.
    pub replies: BTreeMap<String, String>,
}

impl PlaytestDrafts {
    /// Begins a note about the moment after `n` answers. Keeps the text of an unsent note.
    pub fn begin_note(&mut self, n: u32) {
        (self.note_at, self.note_about) = (n, None);
    }
}

/// The open windows, by their contents: a flag is true if its window is open.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Windows {
    /// The remaining tiles.
    pub remaining: bool,
    /// The score track.
    pub track: bool,
    /// The breakdown of this player's score; `None` if the window is closed.
    pub breakdown: Option<Seat>,
    /// All keys.
    pub keys: bool,
    /// The help: the tutorial, the reference for scripts and manifests, and the rules of mods.
    pub help: bool,
    /// The settings.
    pub settings: bool,
    /// The choices for a new game.
    pub new_game: bool,
    /// The choices for a new mod.
    pub new_mod: bool,
    /// A mod to install.
    pub install: bool,
    /// The sheets to print.
    pub print: bool,
    /// A link to open.
    pub link: bool,
    /// The changes to bundled mods, which can be undone.
    pub restore: bool,
    /// The puzzles found in this game.
    pub puzzles: bool,
    /// The records of a folder, replayed under the current rules.
    pub corpus: bool,
    /// A new test, made from the current position.
    pub freeze: bool,
    /// Mods, versions, settings and seed of this game.
    pub game_setup: bool,
    /// A large view of the drawn tile or, if there is none, of the last placed tile.
    pub big_tile: bool,
    /// Information about the program.
    pub about: bool,
    /// The invitation of guests.
    pub invite: bool,
    /// The link of a table to join.
    pub join: bool,
    /// A note for the playtest.
    pub note: bool,
    /// The survey of the playtest.
    pub survey: bool,
    /// The mod in this folder, which the user may remove; `None` if the window is closed.
    pub remove_mod: Option<PathBuf>,
    /// The file for which the user chooses a name; `None` if the window is closed.
    pub name_file: Option<FileNaming>,
}

impl Windows {
    /// Returns the flag of the window that a command opens or closes; `None` for other commands.
    pub fn toggled_by(&mut self, command: Command) -> Option<&mut bool> {
        Some(match command {
            Command::NewGame => &mut self.new_game,
            Command::Invite => &mut self.invite,
            Command::Puzzles => &mut self.puzzles,
            Command::ReplayRecords => &mut self.corpus,
            Command::GameSetup => &mut self.game_setup,
            Command::Settings => &mut self.settings,
            Command::BigTile => &mut self.big_tile,
            Command::Remaining => &mut self.remaining,
            Command::ScoreTrack => &mut self.track,
            Command::NewMod => &mut self.new_mod,
            Command::Print => &mut self.print,
            Command::Help => &mut self.help,
            Command::Keys => &mut self.keys,
            Command::About => &mut self.about,
            _ => return None,
        })
    }

    /// Returns whether a dialog is open. A dialog takes all keys that would otherwise act on the
    /// board behind it. The windows with information for the next move are no dialogs, nor is the
    /// help, which takes the keys after a click.
    pub fn needs_keys(&self) -> bool {
        let Windows { remaining, track, breakdown, big_tile, help, .. } = *self;
        *self != Windows { remaining, track, breakdown, big_tile, help, ..Windows::default() }
    }
}

/// A file of a mod for which the user chooses a name. The first path is the mod's folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileNaming {
    /// A new file of this kind, in the mod's folder.
    New(PathBuf, FileKind),
    /// The existing file at the second path.
    Rename(PathBuf, PathBuf),
}

/// A movement of the camera that a command requests and the board performs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ViewMove {
    /// Show the whole board.
    Fit,
    /// Show tiles with a width of 128 points.
    Zoom100,
    /// Zoom by this factor around the centre.
    Zoom(f32),
    /// Pan by this number of points, horizontally and vertically.
    Pan(f32, f32),
    /// Bring this spot into view, if it is not visible.
    Show(Spot),
}

impl ViewMove {
    /// Returns the movement of the camera that a command requests; `None` for other commands.
    pub fn requested_by(command: Command) -> Option<ViewMove> {
        Some(match command {
            Command::ZoomIn => ViewMove::Zoom(1.2),
            Command::ZoomOut => ViewMove::Zoom(1.0 / 1.2),
            Command::Fit => ViewMove::Fit,
            Command::Zoom100 => ViewMove::Zoom100,
            Command::PanLeft => ViewMove::Pan(96.0, 0.0),
            Command::PanRight => ViewMove::Pan(-96.0, 0.0),
            Command::PanUp => ViewMove::Pan(0.0, 96.0),
            Command::PanDown => ViewMove::Pan(0.0, -96.0),
            _ => return None,
        })
    }
}

/// A tile on the board that is too small on the screen to show the choices on it. Rectangles are in
/// points of the screen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SmallTile {
    /// The spot of the tile.
    pub spot: Spot,
    /// The rectangle of the tile.
    pub tile: Rect,
    /// The rectangle of the board.
    pub board: Rect,
}

/// A topic that the help shows when another part of the window asks for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HelpTopic {
    /// A word of the scripting language.
    ScriptWord(String),
    /// A key or another word of a manifest or theme.
    ManifestWord(String),
    /// The tutorial for authors of mods.
    Tutorial,
    /// The rules of the mods in play.
    RulesOfGame,
}

/// The state of the view, which panels and the board read and change.
#[derive(Clone, Debug, Default)]
pub struct ViewState {
    /// The port at which guests join. With 0, the system chooses a free port. If `None`, the
    /// default port is used.
    pub guest_port: Option<u16>,
    /// The texts about a playtest that the user is writing.
    pub playtest: PlaytestDrafts,
    /// The time of each player in minutes, and the seconds that a player gains in each further
    /// turn, for a game with a clock. If `None`, the window proposes a time.
    pub guest_clock: Option<[u32; 2]>,
    /// The link of a table that the user is entering.
    pub join: JoinDraft,
    /// The chat line that the user is writing.
    pub chat_line: String,
    /// The folders of bundled mods that the user may change until the window closes.
    pub unlocked: BTreeSet<PathBuf>,
    /// The facing that the user has chosen for the drawn tile.
    pub facing: Facing,
    /// True at the hint level Purist: the drawn tile then always turns by a quarter, even to a
    /// facing at which it does not fit.
    pub turns_freely: bool,
    /// The open spot that the user chose with keys or a tap, on which Enter places the tile.
    pub chosen: Option<Spot>,
    /// True if the user chose the spot in `chosen` with a tap. A button on the board then places
    /// the tile.
    pub by_finger: bool,
    /// The spot under the pointer, which the board updates in each frame. `None` while a spot is
    /// chosen with keys or a tap.
    pub hover: Option<Spot>,
    /// The targets that panels ask to highlight in this frame.
    pub next_highlighted: Vec<Target>,
    /// The targets that panels asked to highlight in the last frame. The board highlights them in
    /// this frame.
    pub highlighted: Vec<Target>,
    /// The player whose pieces stay highlighted until the user clicks that player's card again.
    pub lit_player: Option<Seat>,
    /// The feature whose tooltip stays until the user unpins it.
    pub pinned: Option<FeatureRef>,
    /// The piece that the user clicked, if any. The board shows the details of the piece beside it.
    pub piece: Option<PieceRef>,
    /// The awards that the board explains until the user closes the explanation or moves.
    pub explained: Vec<Arc<Award>>,
    /// The answer under the pointer in a panel or on the board.
    pub preview: Option<Answer>,
    /// The overlays of the board.
    pub overlays: Overlays,
    /// The part of the board, in points of the screen, that no card covers; `None` if there are no
    /// cards.
    pub uncovered: Option<Rect>,
    /// The height that the panel of the question needs to show everything, in points; `None` before
    /// it was drawn.
    pub question_height: Option<f32>,
    /// The sounds of the changes in this frame, each with its delay in seconds.
    pub sounds: Vec<(Sound, f32)>,
    /// The rectangle of the window with the first steps in a new mod, if it is shown.
    pub first_steps_rect: Option<Rect>,
    /// The rectangles of the players' cards that were drawn since the last drawing of the board, in
    /// points of the screen. Flying pieces and scores end at these cards.
    pub player_cards: Vec<(Seat, Rect)>,
    /// The open windows.
    pub windows: Windows,
    /// True if the user clicked into the help last. The help then takes the keys.
    pub help_has_keys: bool,
    /// The topic that the help opens next.
    pub help_topic: Option<HelpTopic>,
    /// The movements of the camera that commands requested and the board has not performed yet.
    pub moves: Vec<ViewMove>,
    /// The tile that is too small on the screen to show the choices on it; `None` if there is no
    /// such tile. The board updates this value in each frame.
    pub small_tile: Option<SmallTile>,
    /// The revision at which the user closed the enlarged view of the tile in `small_tile`. The
    /// view stays closed until the revision changes.
    pub closed_at: Option<Revision>,
    /// The text to search for when the window of remaining tiles opens, if any.
    pub find_tile: Option<String>,
}

impl ViewState {
    /// Returns whether the mod in `folder` is a bundled mod that the user may not change now.
    pub fn is_locked(&self, originals: Option<&Originals>, folder: &Path) -> bool {
        originals.is_some_and(|it| it.contains_mod(folder)) && !self.unlocked.contains(folder)
    }

    /// Explains awards on the board. The camera shows the feature of the first award.
    pub fn explain(&mut self, view: GameView<'_>, awards: Vec<Arc<Award>>) {
        let features = awards.iter().filter_map(|award| award.feature).filter(|feature| view.has_feature(*feature));
        let zones = features.take(1).flat_map(|feature| view.zones(feature));
        self.moves.extend(zones.map(|zone| ViewMove::Show(view.tile_of_zone(zone).spot)));
        self.explained = awards;
    }

    /// Highlights a target on the board in the next frame.
    pub fn highlight(&mut self, target: Target) {
        if !self.next_highlighted.contains(&target) {
            self.next_highlighted.push(target);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_take_the_keys_except_those_for_the_next_move() {
        let beside_the_board = [Command::Remaining, Command::ScoreTrack, Command::BigTile, Command::Help];
        for info in crate::command::COMMANDS {
            let mut windows = Windows::default();
            if let Some(is_open) = windows.toggled_by(info.command) {
                *is_open = true;
                assert_eq!(windows.needs_keys(), !beside_the_board.contains(&info.command), "{}", info.name);
            }
        }
        assert!(!Windows { breakdown: Some(Seat(0)), ..Windows::default() }.needs_keys());
        assert!(Windows { remove_mod: Some(PathBuf::new()), ..Windows::default() }.needs_keys());
        assert!(!Windows::default().needs_keys());
    }
}
