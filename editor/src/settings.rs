//! The settings, stored between runs.

use std::path::{Path, PathBuf};

use platform::{fs, outside};
use serde::{Deserialize, Serialize};
use table::{Setup, StoredFile};
use workshop::link::{DEFAULT_ADDRESS, SCHEME};

/// The hint level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HintLevel {
    /// No help: neither legal places nor points are shown.
    Purist,
    /// The legal places of the tile and the points that the tile would score there; other hints
    /// only on request.
    #[default]
    Normal,
    /// All hints, without request.
    Learn,
}

impl HintLevel {
    /// All levels, the most helpful first.
    pub const ALL: [HintLevel; 3] = [HintLevel::Learn, HintLevel::Normal, HintLevel::Purist];

    /// Returns the name of the level.
    pub const fn name(self) -> &'static str {
        match self {
            HintLevel::Purist => "Purist",
            HintLevel::Normal => "Normal",
            HintLevel::Learn => "Learn",
        }
    }

    /// Returns the description of the level.
    pub const fn about(self) -> &'static str {
        match self {
            HintLevel::Purist => "No help: no legal places, projections, owners, odds or tile list.",
            HintLevel::Normal => "Legal places and the points they would score; odds and overlays on request.",
            HintLevel::Learn => "Everything: reasons, places where no tile fits, odds, and the value of each move.",
        }
    }
}

/// A workspace: an arrangement of the whole window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Workspace {
    /// The board fills the window. The drawn tile, the question and the players are cards on it.
    #[default]
    Play,
    /// The board is one of the panels for making rules, tiles, tests and balance.
    Make,
}

/// A palette for the colours of seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeatColours {
    /// Colour-blind safe colours.
    #[default]
    Safe,
    /// Red, blue, yellow, green, black.
    Traditional,
}

/// The settings, stored between runs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The hint level.
    pub hints: HintLevel,
    /// True if the window comments on the moves of human players after each turn.
    pub coach: bool,
    /// The palette of tile pictures; if `None`, the palette that the mods suggest.
    pub palette: Option<String>,
    /// The palette for the colours of seats.
    pub seats: SeatColours,
    /// The pause before each answer of a bot, in seconds, at the default speed.
    pub bot_pause: f32,
    /// The number of answers replayed per second. A higher speed shortens the pause of bots in
    /// proportion.
    pub play_speed: f32,
    /// True for the dark theme, false for the light theme; if `None`, the system decides.
    pub dark: Option<bool>,
    /// The scale of text and buttons; 1 is the default.
    pub scale: f32,
    /// True if the wheel turns the tile while the pointer is over a legal place, and Shift with the
    /// wheel zooms. False for the reverse.
    pub wheel_turns: bool,
    /// True if tiles and pieces move and the window is animated; false for *Less motion*.
    pub motion: bool,
    /// True if moves can be heard.
    pub sounds: bool,
    /// The volume of sounds, from 0 to 1.
    pub volume: f32,
    /// True if the system asks for less motion. The settings do not store this value, so that the
    /// user's own choice stays.
    #[serde(skip)]
    pub system_wants_less_motion: bool,
    /// True if the welcome strip is shown.
    pub welcome: bool,
    /// True unless the user has closed the window with the first steps towards an expansion.
    pub first_steps: bool,
    /// The names of the lessons whose goals the user has reached.
    pub lessons_done: Vec<String>,
    /// The workspace that the window shows.
    pub workspace: Workspace,
    /// True if the log and the time bar are shown in [`Workspace::Play`].
    pub shows_log: bool,
    /// The games played or opened last, the newest first.
    pub games: Vec<RecentGame>,
    /// The address of a page that runs Bastide. Copied links begin with this address.
    pub link_address: String,
    /// True if file dialogs open inside the window, even if the desktop offers file dialogs.
    pub own_dialogs: bool,
    /// The folder of the file that was chosen last; `None` if no file was chosen yet.
    pub folder: Option<PathBuf>,
    /// The folder in which the user made a mod last; `None` if the user has made none.
    pub new_mods: Option<PathBuf>,
    /// The folders of mods that the user made in this or an earlier run of the window.
    pub own_mods: Vec<PathBuf>,
    /// The first steps with the user's mod that was in play last, if any.
    pub guide: Option<FirstStepsState>,
    /// The mods, players, bots and settings of the game started last, if any.
    pub last_game: Option<LastGame>,
    /// True if the user had paused the bots when the window closed.
    pub are_bots_paused: bool,
    /// The name of the user at tables of other computers.
    pub guest_name: String,
    /// The link of the last table that the user joined, with the token of the seat.
    pub table_link: String,
    /// The width and height of the window, in points; `None` for the default size.
    pub size: Option<[f32; 2]>,
    /// The layout of the panels; `None` for the default layout.
    pub layout: Option<serde_json::Value>,
    /// True if the user has moved a divider between panels. Panels then keep their heights.
    pub is_resized: bool,
    /// True if the panels are below the board, because the window is tall and narrow.
    pub is_tall: bool,
}

/// The number of first steps with a mod of the user.
pub const N_FIRST_STEPS: usize = 6;

/// The index of the first step in which the user tests the mod.
pub const TESTED: usize = N_FIRST_STEPS - 1;

/// The state of the list of first steps, which guides the user through the making of a mod.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FirstStepsState {
    /// The id of the mod.
    pub id: String,
    /// The folder of the mod.
    pub folder: PathBuf,
    /// The hash of the mod's files when the list began; `None` if the mod was not in play at that
    /// time.
    pub hash: Option<u64>,
    /// True if the window has opened the mod's script.
    pub is_read: bool,
    /// True for each step that the user has finished in any game.
    pub done: [bool; N_FIRST_STEPS],
}

/// An entry in the list of recent games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RecentGame {
    /// The path of the record.
    pub path: PathBuf,
    /// The mods, the players, the scores and the turn as text.
    pub about: String,
    /// The file with a small picture of the board; `None` for a record that is not a stored game.
    pub preview: Option<PathBuf>,
}

/// The setup of the game started last.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LastGame {
    /// The ids of the mods.
    pub mods: Vec<String>,
    /// The name of each player, and the name of the bot if a bot plays.
    pub players: Vec<(String, Option<String>)>,
    /// The chosen settings: the name and the value of each.
    pub settings: Vec<(String, String)>,
}

impl LastGame {
    /// Returns the setup of a new game with the same mods, players and settings.
    pub(crate) fn setup(&self) -> Setup {
        let mods: Vec<&str> = self.mods.iter().map(String::as_str).collect();
        let bot = |(name, bot): &(String, Option<String>)| Some((name.clone(), bot.clone()?));
        Setup {
            players: self.players.iter().map(|(name, _)| name.clone()).collect(),
            bots: self.players.iter().filter_map(bot).collect(),
            settings: self.settings.clone(),
            ..Setup::of(&mods, 0)
        }
    }

    pub(crate) fn from_setup(setup: &Setup) -> LastGame {
        let bot = |name: &String| setup.bots.iter().find(|(player, _)| player == name).map(|(_, bot)| bot.clone());
        LastGame {
            mods: setup.mods.iter().map(|m| m.id.clone()).collect(),
            players: setup.players.iter().map(|name| (name.clone(), bot(name))).collect(),
            settings: setup.settings.clone(),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            hints: HintLevel::Normal,
            coach: false,
            palette: None,
            seats: SeatColours::Safe,
            bot_pause: 0.4,
            play_speed: DEFAULT_SPEED,
            dark: None,
            scale: 1.0,
            wheel_turns: false,
            motion: true,
            sounds: true,
            volume: 0.5,
            system_wants_less_motion: false,
            welcome: true,
            first_steps: true,
            lessons_done: Vec::new(),
            workspace: Workspace::Play,
            shows_log: false,
            games: Vec::new(),
            link_address: DEFAULT_ADDRESS.to_owned(),
            own_dialogs: false,
            folder: None,
            new_mods: None,
            own_mods: Vec::new(),
            guide: None,
            last_game: None,
            are_bots_paused: false,
            guest_name: String::new(),
            table_link: String::new(),
            size: None,
            layout: None,
            is_resized: false,
            is_tall: false,
        }
    }
}

/// Returns the folder for settings and games: the value of the variable `BASTIDE_DATA`, or else
/// `bastide` in the user's data folder. Returns `None` if the user has no data folder or the folder
/// cannot be created.
pub fn data_folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("BASTIDE_DATA").filter(|f| !f.is_empty()) {
        Some(folder) => PathBuf::from(folder),
        None => fs::data_dir()?.join("bastide"),
    };
    fs::create_dir_all(&folder).ok().map(|()| folder)
}

/// Returns the folder of the user's own mods; `data` is the data folder.
pub(crate) fn own_mods_folder(data: &Path) -> PathBuf {
    data.join("mods")
}

/// The default number of answers replayed per second.
const DEFAULT_SPEED: f32 = 3.0;

impl Settings {
    /// Returns whether the window animates moves of tiles and pieces and its own changes.
    pub fn is_animated(&self) -> bool {
        self.motion && !self.system_wants_less_motion
    }

    /// Returns the time in seconds that bots wait before they answer.
    pub fn pause_of_bots(&self) -> f32 {
        self.bot_pause.max(0.0) * DEFAULT_SPEED / self.play_speed.max(0.1)
    }

    /// Returns the setup of the game started last; if there is none, the setup of a first game.
    pub(crate) fn setup_of_last_game(&self) -> Setup {
        self.last_game.as_ref().map_or_else(first_setup, LastGame::setup)
    }

    /// Returns the address with which links begin: in a browser the address of this page, otherwise
    /// the address in the settings.
    pub fn address_of_links(&self) -> String {
        let own = outside::address();
        let set = self.link_address.split('#').next().unwrap_or_default().trim();
        [own.as_str(), set].into_iter().find(|address| !address.is_empty()).unwrap_or(DEFAULT_ADDRESS).to_owned()
    }

    /// Returns the beginning of the links in rulebooks. This is the address of links if readers can
    /// open it as a page, otherwise the scheme that opens the installed program.
    pub fn address_of_books(&self) -> String {
        let address = self.address_of_links();
        if address == DEFAULT_ADDRESS { SCHEME.to_owned() } else { address }
    }

    /// Returns the address of the page that shows a single board. This page is in the same folder
    /// as the page that opens links.
    pub fn address_of_board(&self) -> String {
        let address = self.address_of_links();
        let begin = address.find("://").map_or(0, |at| at + 3);
        let folder = address.get(begin..).and_then(|rest| rest.rfind('/')).map_or(address.len(), |at| begin + at);
        format!("{}/board.html", address.get(..folder).unwrap_or_default())
    }

    /// Reads the settings stored in `folder`. Returns the default settings if there is no file, or
    /// if the file is not valid. Renames an invalid file.
    pub fn read(folder: &Path) -> Settings {
        let file = folder.join("settings.json");
        let Ok(text) = fs::read_to_string(&file) else { return Settings::default() };
        serde_json::from_str(&text).unwrap_or_else(|_| {
            // The user may have edited the file by hand, so keeps it under another name.
            let _ = fs::rename(&file, folder.join("settings.broken.json"));
            Settings::default()
        })
    }

    /// Returns these settings as a file to write into `folder`. Returns `None` if they cannot be
    /// serialized.
    pub fn file(&self, folder: &Path) -> Option<StoredFile> {
        let text = serde_json::to_string_pretty(self).ok()?;
        Some(StoredFile { path: folder.join("settings.json"), text: Some(text) })
    }

    /// Adds a game to the front of the list of recent games, or moves it there if the list contains
    /// it.
    pub fn add_recent_game(&mut self, game: RecentGame) {
        if self.games.first() != Some(&game) {
            self.games.retain(|known| known.path != game.path);
            self.games.insert(0, game);
            self.games.truncate(12);
        }
    }
}

/// Returns the setup of a base game without expansions, for a person and a greedy bot.
pub(crate) fn first_setup() -> Setup {
    let mut setup = Setup::of(&["base"], 2);
    setup.bots.push((setup.players[1].clone(), "greedy".to_owned()));
    setup
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_begin_with_an_address_that_opens() {
        let at = |address: &str| Settings { link_address: address.to_owned(), ..Settings::default() };
        let of = |address: &str| (at(address).address_of_links(), at(address).address_of_board());
        let pair = |page: &str, board: &str| (page.to_owned(), board.to_owned());
        let own = pair("http://localhost:8080/", "http://localhost:8080/board.html");
        assert_eq!(of(DEFAULT_ADDRESS), own);
        assert_eq!(of("  "), own);
        assert_eq!(at(DEFAULT_ADDRESS).address_of_books(), "bastide:");
        assert_eq!(at("https://a.org").address_of_books(), "https://a.org");
        assert_eq!(of("https://a.org"), pair("https://a.org", "https://a.org/board.html"));
        assert_eq!(of("https://a.org/b/?c#d"), pair("https://a.org/b/?c", "https://a.org/b/board.html"));
    }

    #[test]
    fn bots_pause_less_at_a_higher_play_speed() {
        let at = |play_speed: f32| Settings { play_speed, ..Settings::default() }.pause_of_bots();
        assert!((at(DEFAULT_SPEED) - 0.4).abs() < 1e-6);
        assert!(at(20.0) < 0.1 && at(0.5) > 2.0);
    }
}
