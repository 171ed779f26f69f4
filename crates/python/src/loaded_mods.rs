//! Loaded mods with values made from them, which the games of these mods share.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use art::Painter;
use loader::Loaded;
use rules::{SettingValue, Setup};

use crate::rules_of_thread::Basis;

/// Loaded mods, the searched folders, and cached values made from the mods.
pub struct LoadedMods {
    pub loaded: Arc<Loaded>,
    /// The folders that were searched for mods.
    pub folders: Vec<PathBuf>,
    /// The ids of the requested mods, without the mods that these require.
    pub ids: Vec<String>,
    made: Mutex<Vec<Arc<Basis>>>,
    painter: OnceLock<Painter>,
}

impl LoadedMods {
    /// Stores loaded mods. `folders` are the searched folders, and `ids` the requested mods.
    pub fn new(loaded: Arc<Loaded>, folders: Vec<PathBuf>, ids: Vec<String>) -> LoadedMods {
        LoadedMods { loaded, folders, ids, made: Mutex::default(), painter: OnceLock::new() }
    }

    /// Returns the [`Basis`] of these mods with these settings. Calls with equal settings return
    /// the same [`Basis`].
    pub fn basis(&self, settings: Vec<SettingValue>) -> Arc<Basis> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(basis) = made.iter().find(|basis| basis.settings == settings) {
            return basis.clone();
        }
        let basis = Arc::new(Basis { loaded: self.loaded.clone(), settings });
        made.push(basis.clone());
        basis
    }

    /// Returns the setup of a game between these players.
    pub fn setup(&self, players: Vec<String>) -> Setup {
        let ids: Vec<&str> = self.ids.iter().map(String::as_str).collect();
        Setup { players, ..Setup::of(&ids, 0) }
    }

    /// Returns the painter of the mods' tiles and pieces. Makes the painter on first use.
    pub fn painter(&self) -> &Painter {
        self.painter.get_or_init(|| {
            let theme = self.loaded.theme();
            Painter::new(&self.loaded.catalogue().tile_set, theme, theme.suggested_palette())
        })
    }
}
