//! What people choose once and expect to find again: kept between runs.

use std::path::{Path, PathBuf};

use platform::{fs, outside};
use serde::{Deserialize, Serialize};
use table::{KeptFile, Setup};

/// How much the window helps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hints {
    /// Only what lies on the table.
    Purist,
    /// Where a tile fits and what would be scored; the rest on demand.
    #[default]
    Normal,
    /// Everything that helps.
    Learn,
}

impl Hints {
    /// All levels, the most helpful first.
    pub const ALL: [Hints; 3] = [Hints::Learn, Hints::Normal, Hints::Purist];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Hints::Purist => "Purist",
            Hints::Normal => "Normal",
            Hints::Learn => "Learn",
        }
    }

    /// What it shows, in a sentence.
    pub const fn about(self) -> &'static str {
        match self {
            Hints::Purist => {
                "Only what lies on the table: no legal places, no projection, no overlays, no list of tiles."
            }
            Hints::Normal => "Where a tile fits and what would be scored; odds and overlays when asked for.",
            Hints::Learn => "Everything: reasons, dead places, odds, what each answer is worth.",
        }
    }
}

/// Which seat colours are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seats {
    /// Colours that everybody can tell apart.
    #[default]
    Safe,
    /// Red, blue, yellow, green, black.
    Traditional,
}

/// What is kept between runs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// How much the window helps.
    pub hints: Hints,
    /// The palette of the pictures; what the mods suggest where nothing is said.
    pub palette: Option<String>,
    /// Which seat colours are used.
    pub seats: Seats,
    /// Seconds between two answers of bots at the usual speed.
    pub bot_pause: f32,
    /// How many answers a second a line is played with; bots are as much faster or slower than usual.
    pub play_speed: f32,
    /// Whether the window is dark; what the system says where nothing is said.
    pub dark: Option<bool>,
    /// How large texts and buttons are; 1 is usual.
    pub scale: f32,
    /// Whether the wheel turns the tile and Shift+wheel zooms, instead of the other way round.
    pub wheel_turns: bool,
    /// Whether things move; people who do not like that switch it off.
    pub motion: bool,
    /// Whether the welcome strip is shown.
    pub welcome: bool,
    /// Games played or opened last, the newest first.
    pub games: Vec<KnownGame>,
    /// The address of a page of Bastide, with which copied links begin.
    pub link_address: String,
    /// The folder in which a record was chosen last.
    pub folder: Option<PathBuf>,
    /// The folders of mods that were made here.
    pub own_mods: Vec<PathBuf>,
    /// The mods, players and bots of the game begun last.
    pub last_game: Option<LastGame>,
    /// The size of the window in points, width and height.
    pub size: Option<[f32; 2]>,
    /// The layout of the panels.
    pub layout: Option<serde_json::Value>,
    /// Whether somebody has moved a divider between panels: then no panel changes its height by itself.
    pub is_resized: bool,
    /// Whether the panels stand below the board, since the window is so much higher than wide.
    pub is_tall: bool,
}

/// A game that is kept or was opened, as people know it again.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct KnownGame {
    /// Its record.
    pub path: PathBuf,
    /// What is played, by whom, and how far it has come.
    pub about: String,
}

/// What a game was begun with.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LastGame {
    /// Its mods.
    pub mods: Vec<String>,
    /// Its players: the name and the bot, if any.
    pub players: Vec<(String, Option<String>)>,
    /// Its settings.
    pub settings: Vec<(String, String)>,
}

impl LastGame {
    /// The setup of another game of this kind.
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

    pub(crate) fn of(setup: &Setup) -> LastGame {
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
            hints: Hints::Normal,
            palette: None,
            seats: Seats::Safe,
            bot_pause: 0.4,
            play_speed: USUAL_SPEED,
            dark: None,
            scale: 1.0,
            wheel_turns: false,
            motion: true,
            welcome: true,
            games: Vec::new(),
            link_address: LINK_ADDRESS.to_owned(),
            folder: None,
            own_mods: Vec::new(),
            last_game: None,
            size: None,
            layout: None,
            is_resized: false,
            is_tall: false,
        }
    }
}

/// Where the program keeps settings and games; `None` where the system has no such place or it cannot be made.
pub fn data_folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("BASTIDE_DATA").filter(|f| !f.is_empty()) {
        Some(folder) => PathBuf::from(folder),
        None => fs::data_dir()?.join("bastide"),
    };
    fs::create_dir_all(&folder).ok().map(|()| folder)
}

/// The address at which `cargo web serve` shows the page.
const LINK_ADDRESS: &str = "http://localhost:8080/";

/// How many answers a second a line is played with where nothing else is said.
const USUAL_SPEED: f32 = 3.0;

impl Settings {
    /// How long bots wait before they answer, in seconds.
    pub fn pause_of_bots(&self) -> f32 {
        self.bot_pause.max(0.0) * USUAL_SPEED / self.play_speed.max(0.1)
    }

    /// Returns the address with which links begin: that of this page in a browser, else the
    /// setting.
    pub fn address_of_links(&self) -> String {
        let own = outside::address();
        let set = self.link_address.split('#').next().unwrap_or_default().trim();
        [own.as_str(), set].into_iter().find(|address| !address.is_empty()).unwrap_or(LINK_ADDRESS).to_owned()
    }

    /// Returns the address of the page that shows one board, which lies beside that page.
    pub fn address_of_board(&self) -> String {
        let address = self.address_of_links();
        let begin = address.find("://").map_or(0, |at| at + 3);
        let folder = address.get(begin..).and_then(|rest| rest.rfind('/')).map_or(address.len(), |at| begin + at);
        format!("{}/board.html", address.get(..folder).unwrap_or_default())
    }

    /// The settings kept in `folder`. What cannot be read there is as it is at first; the file is put aside, not lost.
    pub fn read(folder: &Path) -> Settings {
        let file = folder.join("settings.json");
        let Ok(text) = fs::read_to_string(&file) else { return Settings::default() };
        serde_json::from_str(&text).unwrap_or_else(|_| {
            // Whoever edited it by hand will want it back.
            let _ = fs::rename(&file, folder.join("settings.broken.json"));
            Settings::default()
        })
    }

    /// Returns the file in `folder` that keeps the settings.
    pub fn file(&self, folder: &Path) -> Option<KeptFile> {
        let text = serde_json::to_string_pretty(self).ok()?;
        Some(KeptFile { path: folder.join("settings.json"), text: Some(text) })
    }

    /// Remembers a game as the one that is being played.
    pub fn remember(&mut self, game: KnownGame) {
        if self.games.first() != Some(&game) {
            self.games.retain(|known| known.path != game.path);
            self.games.insert(0, game);
            self.games.truncate(12);
        }
    }
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
        assert_eq!(of(LINK_ADDRESS), own);
        assert_eq!(of("  "), own);
        assert_eq!(of("https://a.org"), pair("https://a.org", "https://a.org/board.html"));
        assert_eq!(of("https://a.org/b/?c#d"), pair("https://a.org/b/?c", "https://a.org/b/board.html"));
    }

    #[test]
    fn the_speed_of_lines_is_that_of_bots() {
        let at = |play_speed: f32| Settings { play_speed, ..Settings::default() }.pause_of_bots();
        assert!((at(USUAL_SPEED) - 0.4).abs() < 1e-6);
        assert!(at(20.0) < 0.1 && at(0.5) > 2.0);
    }
}
