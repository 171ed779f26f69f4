//! The mods that are on disk, whether in play or not, and what some of them declare together.
#![expect(clippy::indexing_slicing, reason = "owners of settings are indices of the catalogue")]

use std::path::PathBuf;
use std::sync::Arc;

use loader::{Library, Loaded, read_text};
use rules::{Setting, SettingValue, Setup};

/// The most bytes of a page about a mod.
const MOST_README_BYTES: u64 = 256 << 10;

/// What is to be known of a mod on disk before it is played with. Only its manifest and those it requires were read, and its page about itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModOnDisk {
    /// Its id.
    pub id: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Its title for people; the id where its manifest cannot be read.
    pub title: String,
    /// What it is.
    pub about: String,
    /// Its version; empty where its manifest cannot be read.
    pub version: String,
    /// Its page about itself, README.md, if it has one.
    pub readme: Option<Arc<str>>,
    /// Whether it has a script.
    pub has_script: bool,
    /// What is wrong with its manifest or what it requires, a line each, if it cannot be played.
    pub error: Option<String>,
    /// Whether it stands alone.
    pub is_game: bool,
    /// The mods that come with it, itself included, in load order.
    pub with: Vec<String>,
}

impl ModOnDisk {
    /// Returns whether it cannot be played without `id`.
    pub fn needs(&self, id: &str) -> bool {
        self.id != id && self.with.iter().any(|w| w == id)
    }
}

/// Returns all mods on disk: each game, followed by what is played with it.
pub fn mods_on_disk(library: &Library) -> Vec<ModOnDisk> {
    let row = |found: loader::Available| {
        let (with, problems) = (found.load_order, found.problems);
        let lines: Vec<String> = problems.list().iter().map(ToString::to_string).collect();
        ModOnDisk {
            title: found.title.unwrap_or_else(|| found.id.clone()),
            version: found.version.unwrap_or_default(),
            readme: read_text(&found.folder.join("README.md"), Some(&found.folder), MOST_README_BYTES)
                .ok()
                .map(Arc::from),
            has_script: platform::fs::is_file(&found.folder.join("rules.rhai")),
            id: found.id,
            folder: found.folder,
            about: found.about,
            error: (problems.n_errors() > 0).then(|| lines.join("\n")),
            is_game: with.len() == 1,
            with,
        }
    };
    let mut mods: Vec<ModOnDisk> = library.available().into_iter().map(row).collect();
    mods.sort_by_key(|m| (m.with.first().cloned(), !m.is_game, m.title.clone()));
    mods
}

/// A setting of a mod, as people choose it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingView {
    /// Its name with its mod, such as `base.farmers`.
    pub name: String,
    /// What it does.
    pub about: String,
    /// What it is when nobody says otherwise.
    pub default: SettingValue,
    /// The allowed values; empty where any of the type (and range) will do.
    pub choices: Vec<SettingValue>,
    /// Least and greatest allowed number.
    pub range: Option<(i64, i64)>,
}

impl SettingView {
    pub(crate) fn new(setting: &Setting, owner: &str) -> SettingView {
        SettingView {
            name: format!("{owner}.{}", setting.name),
            about: setting.about.clone(),
            default: setting.default.clone(),
            choices: setting.choices.clone(),
            range: setting.range,
        }
    }
}

/// Mods chosen for a new game, and what they declare together.
pub struct ModSelection {
    loaded: Loaded,
}

impl ModSelection {
    /// Loads the mods `ids` with what they require.
    ///
    /// # Errors
    /// Where they cannot be played together: all their problems as text.
    pub fn load(library: &Library, ids: &[String]) -> Result<ModSelection, String> {
        let (loaded, problems) = library.load(ids);
        loaded.map(|loaded| ModSelection { loaded }).ok_or_else(|| problems.render(false))
    }

    /// Returns the least and the greatest number of players.
    pub fn n_players(&self) -> (u8, u8) {
        self.loaded.catalogue().n_players
    }

    /// Returns the settings that may be chosen.
    pub fn settings(&self) -> Vec<SettingView> {
        let catalogue = self.loaded.catalogue();
        catalogue.settings.iter().map(|s| SettingView::new(s, &catalogue.mods[s.owner.idx()].id)).collect()
    }

    /// Returns whether there is a setting of this name that may have this value.
    pub fn accepts(&self, setting: &(String, String)) -> bool {
        self.loaded.settings_from(std::slice::from_ref(setting)).is_ok()
    }

    /// Checks the players of a setup.
    ///
    /// # Errors
    /// A sentence, where there are too few, too many, or two of one name.
    pub fn check_players(&self, setup: &Setup) -> Result<(), String> {
        setup.check_players(self.loaded.catalogue())
    }
}
