//! The mods on disk, in play or not, and the settings and counts of a selection of mods.
#![expect(clippy::indexing_slicing, reason = "owners of settings are indices of the catalogue")]

use std::path::PathBuf;
use std::sync::Arc;

use loader::{Library, Loaded, MAX_README_BYTES, Problems, read_text};
use rules::{CountSubject, DeckIdx, ModIdx, PieceKindIdx, Setting, SettingValue, Setup, SetupError};

/// A mod on disk, as its manifest and its README describe it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModOnDisk {
    /// The id of the mod.
    pub id: String,
    /// The folder of the mod.
    pub folder: PathBuf,
    /// The title of the mod, or its id if the manifest cannot be read.
    pub title: String,
    /// The description of the mod.
    pub about: String,
    /// The version of the mod; empty if the manifest cannot be read.
    pub version: String,
    /// The text of the mod's README.md; `None` if the file does not exist or cannot be read.
    pub readme: Option<Arc<str>>,
    /// True if the mod has a script.
    pub has_script: bool,
    /// The problems in the manifests of the mod and its requirements, one per line; `None` if these
    /// manifests have no errors. Does not include problems in tiles and scripts.
    pub error: Option<String>,
    /// True for a game, which needs no other mod.
    pub is_game: bool,
    /// The mod and its requirements, in load order.
    pub with: Vec<String>,
}

impl ModOnDisk {
    /// Returns whether this mod requires the mod `id`, directly or through another mod.
    pub fn needs(&self, id: &str) -> bool {
        self.id != id && self.with.iter().any(|w| w == id)
    }
}

/// Returns all mods on disk: each game, followed by its expansions. Mods whose manifest cannot be
/// read come last.
pub fn mods_on_disk(library: &Library) -> Vec<ModOnDisk> {
    let row = |found: loader::AvailableMod| {
        let (with, problems) = (found.load_order, found.problems);
        let lines: Vec<String> = problems.list().iter().map(ToString::to_string).collect();
        ModOnDisk {
            title: found.title.unwrap_or_else(|| found.id.clone()),
            version: found.version.unwrap_or_default(),
            readme: read_text(&found.folder.join("README.md"), Some(&found.folder), MAX_README_BYTES)
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
    let mut mods: Vec<ModOnDisk> = library.available_mods().into_iter().map(row).collect();
    mods.sort_by_key(|m| (m.with.is_empty(), m.with.first().cloned(), !m.is_game, m.title.clone()));
    mods
}

/// A setting of a mod, or a number of tiles, cards or pieces, that players can choose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingView {
    /// The name, such as `base.farmers` for a setting or `base/*` for a number of tiles and cards.
    pub name: String,
    /// The description of the setting.
    pub about: String,
    /// The default value.
    pub default: SettingValue,
    /// The allowed values; empty if every value of the same type and in `range` is allowed.
    pub choices: Vec<SettingValue>,
    /// The smallest and largest allowed number; `None` if there is no limit.
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

/// Mods selected for a new game, loaded together.
pub struct ModSelection {
    loaded: Arc<Loaded>,
}

impl ModSelection {
    /// Loads the mods `ids` with their requirements.
    ///
    /// # Errors
    /// Returns the problems if the mods cannot be played together.
    pub fn load(library: &Library, ids: &[String]) -> Result<ModSelection, Problems> {
        let (loaded, problems) = library.load(ids);
        loaded.map(|loaded| ModSelection { loaded: Arc::new(loaded) }).ok_or(problems)
    }

    /// Returns the loaded mods `loaded` as a selection.
    pub fn of(loaded: Arc<Loaded>) -> ModSelection {
        ModSelection { loaded }
    }

    /// Returns the smallest and the largest number of players.
    pub fn n_players(&self) -> (u8, u8) {
        self.loaded.catalogue().n_players
    }

    /// Returns the settings of the selected mods.
    pub fn settings(&self) -> Vec<SettingView> {
        let catalogue = self.loaded.catalogue();
        catalogue.settings.iter().map(|s| SettingView::new(s, &catalogue.mods[s.owner.idx()].id)).collect()
    }

    /// Returns the counts that players can choose: a factor for the tiles and cards of each mod,
    /// and the number of each kind of piece.
    pub fn counts(&self) -> Vec<SettingView> {
        let catalogue = self.loaded.catalogue();
        let decks = catalogue.decks.iter().enumerate().map(|(i, deck)| (DeckIdx(i as u8), deck));
        let names = decks.flat_map(|(idx, deck)| deck.items.iter().map(move |(item, _)| (idx, *item)));
        let names: Vec<&str> = names.map(|(deck, item)| catalogue.item_name(deck, item)).collect();
        let has_items = |id: &str| names.iter().any(|name| name.split_once('/').is_some_and(|(owner, _)| owner == id));
        let mods = catalogue.mods.iter().enumerate().filter(|(_, it)| has_items(&it.id));
        let about = "Multiplies the tiles and cards of this mod.";
        let mods =
            mods.map(|(i, it)| count_setting(format!("{}/*", it.id), about, CountSubject::Mod(ModIdx(i as u8)), 1, 10));
        let pieces = catalogue.pieces.iter().enumerate().filter(|(_, it)| it.per_player + it.neutral > 0);
        let pieces = pieces.map(|(i, it)| {
            let (n, about) = match it.per_player {
                0 => (it.neutral, "The number of neutral pieces."),
                n => (n, "The number for each player."),
            };
            count_setting(it.name.clone(), about, CountSubject::Piece(PieceKindIdx(i as u8)), n, 1000)
        });
        mods.chain(pieces).collect()
    }

    /// Returns the numbers of copies that players can choose for single tiles and cards. Each list
    /// belongs to one mod and comes with the title of the mod.
    pub fn item_counts(&self) -> Vec<(String, Vec<SettingView>)> {
        let catalogue = self.loaded.catalogue();
        let decks = catalogue.decks.iter().enumerate().map(|(i, deck)| (DeckIdx(i as u8), deck));
        let items = decks.flat_map(|(idx, deck)| deck.items.iter().map(move |(item, n)| (idx, deck, *item, *n)));
        let counts: Vec<SettingView> = items
            .map(|(idx, deck, item, n)| {
                let about = format!("The number of copies in the deck `{}`.", deck.name);
                count_setting(catalogue.item_name(idx, item).to_owned(), &about, CountSubject::Item(idx, item), n, 1000)
            })
            .collect();
        let of_mod = |id: &str| -> Vec<SettingView> {
            counts.iter().filter(|it| it.name.split_once('/').is_some_and(|(owner, _)| owner == id)).cloned().collect()
        };
        let by_mod = catalogue.mods.iter().map(|it| (it.title.clone(), of_mod(&it.id)));
        by_mod.filter(|(_, counts)| !counts.is_empty()).collect()
    }

    /// Returns whether the mods have a setting with this name that accepts this value.
    pub fn accepts(&self, setting: &(String, String)) -> bool {
        self.loaded.settings_from(std::slice::from_ref(setting)).is_ok()
    }

    /// Checks that the selected mods permit the players of a setup.
    ///
    /// # Errors
    /// Returns an error if the number or the names of the players are invalid. Also returns an
    /// error if the setup gives a bot, a colour or the first turn to an unknown player.
    pub fn check_players(&self, setup: &Setup) -> Result<(), SetupError> {
        setup.check_players(self.loaded.catalogue())
    }
}

fn count_setting(name: String, about: &str, of: CountSubject, n: u16, most: i64) -> SettingView {
    SettingView {
        name,
        about: about.to_owned(),
        default: SettingValue::Count(of, n),
        choices: Vec::new(),
        range: Some((0, most)),
    }
}
