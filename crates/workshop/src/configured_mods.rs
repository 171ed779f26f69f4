//! Loaded mods with their settings. They can be sent to another copy of the program that has no
//! files, such as a worker of a page.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use diagnostic::{Diagnostic, Severity};
use loader::{Library, Loaded, read_text};
use platform::fs;
use record::{Record, replay};
use rules::{RulesFactory as _, SettingValue};
use serde::{Deserialize, Serialize};
use sim::PlanError;
use table::{Session, Snapshot};

/// The maximum size of a mod's file that is sent, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// Loaded mods with the values of their settings. Later changes to the files of the mods do not
/// affect this value.
///
/// Serialization writes the texts of all files, and deserialization loads the mods from them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "ModTexts", try_from = "ModTexts")]
pub struct ConfiguredMods {
    /// The mods.
    pub loaded: Arc<Loaded>,
    /// The value of each setting of the mods, in the order of their declaration.
    pub settings: Vec<SettingValue>,
    /// The names and values of the chosen settings, as text. All other settings have their default
    /// values.
    pub chosen: Vec<(String, String)>,
}

/// The texts of files, by path.
pub type FileTexts = BTreeMap<PathBuf, Arc<str>>;

/// The serialized form of [`ConfiguredMods`].
#[derive(Serialize, Deserialize)]
struct ModTexts {
    ids: Vec<String>,
    settings: Vec<SettingValue>,
    chosen: Vec<(String, String)>,
    files: FileTexts,
}

impl From<ConfiguredMods> for ModTexts {
    fn from(mods: ConfiguredMods) -> ModTexts {
        let loaded = &mods.loaded;
        // Uses the texts as they were read, because the files on disk may have changed since.
        let read = loaded.sources().iter().map(|source| (source.path.clone(), source.text.clone()));
        let files = loaded.folders().iter().flat_map(|folder| texts_in(folder)).chain(read).collect();
        ModTexts { ids: mods.ids(), settings: mods.settings, chosen: mods.chosen, files }
    }
}

impl TryFrom<ModTexts> for ConfiguredMods {
    type Error = PlanError;

    fn try_from(ModTexts { ids, settings, chosen, files }: ModTexts) -> Result<ConfiguredMods, PlanError> {
        let library = Library::open(&[]).with_bundled_override(Arc::new(files));
        Ok(ConfiguredMods { loaded: load(&library, &ids)?, settings, chosen })
    }
}

impl ConfiguredMods {
    /// Returns the mods in play with their settings.
    pub fn of(seen: &Snapshot) -> ConfiguredMods {
        ConfiguredMods {
            loaded: seen.loaded().clone(),
            settings: seen.settings().into_iter().map(|(_, value)| value).collect(),
            chosen: seen.setup().settings.clone(),
        }
    }

    /// Loads mods. Omits the settings in `chosen` that these mods do not have.
    ///
    /// # Errors
    /// Returns an error if the mods cannot be loaded or a value does not fit a setting.
    pub fn load(library: &Library, ids: &[String], chosen: &[(String, String)]) -> Result<ConfiguredMods, PlanError> {
        let loaded = load(library, ids)?;
        let is_known = |(name, _): &&(String, String)| loaded.setting_index(name).is_ok();
        let chosen = chosen.iter().filter(is_known).cloned().collect();
        ConfiguredMods { loaded, settings: Vec::new(), chosen: Vec::new() }.with_settings(chosen)
    }

    /// Returns the ids of the mods.
    pub fn ids(&self) -> Vec<String> {
        self.loaded.catalogue().mods.iter().map(|it| it.id.clone()).collect()
    }

    /// Returns the same mods with other settings.
    ///
    /// # Errors
    /// Returns an error if the mods do not have such a setting, or if a value does not fit.
    pub fn with_settings(&self, chosen: Vec<(String, String)>) -> Result<ConfiguredMods, PlanError> {
        let settings = self.loaded.settings_from(&chosen).map_err(|errors| PlanError(errors.to_string()))?;
        Ok(ConfiguredMods { loaded: self.loaded.clone(), settings, chosen })
    }

    /// Returns the same mods with these values of settings; the other settings stay as they are.
    ///
    /// # Errors
    /// Returns the same errors as [`with_settings`](ConfiguredMods::with_settings).
    pub fn with_values(&self, values: &[(String, String)]) -> Result<ConfiguredMods, PlanError> {
        let is_replaced = |name: &String| values.iter().any(|(other, _)| other == name);
        let others = self.chosen.iter().filter(|(name, _)| !is_replaced(name));
        self.with_settings(others.chain(values).cloned().collect())
    }

    /// Opens the record of a game of these mods. Ignores answers that do not fit, and all later
    /// answers.
    ///
    /// # Errors
    /// Returns an error if the text is not a record or the mods fail.
    pub fn open_record(&self, text: &str) -> Result<Session, PlanError> {
        let refused = |problems: Vec<Diagnostic>| {
            let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
            PlanError(texts.join("; "))
        };
        let (record, mut problems) = Record::parse(text);
        problems.retain(|problem| problem.severity == Severity::Error);
        if !problems.is_empty() {
            return Err(refused(problems));
        }
        let rules = self.loaded.rules(self.settings.clone()).map_err(|failure| PlanError(failure.message))?;
        let replayed = replay(rules.into(), &record, |_| {}).map_err(refused)?;
        let mut session = Session::new(Library::open(&[]), self.loaded.clone(), replayed.game);
        session.deal();
        Ok(session)
    }
}

fn load(library: &Library, ids: &[String]) -> Result<Arc<Loaded>, PlanError> {
    let (loaded, problems) = library.load(ids);
    loaded.map(Arc::new).ok_or_else(|| PlanError(problems.to_string()))
}

/// Returns the texts of all files from which the mods of a library are loaded.
pub fn texts_of_library(library: &Library) -> FileTexts {
    library.ids().iter().filter_map(|id| library.folder(id)).flat_map(|folder| texts_in(&folder)).collect()
}

/// Returns the files from which the mod in `folder` is loaded.
pub(crate) fn loaded_files(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let paths = ["", "tiles", "icons"].map(|below| fs::paths_in(folder.join(below))).into_iter().flatten();
    paths.filter(|path| path.extension().is_some_and(|end| end == "toml" || end == "rhai" || end == "svg"))
}

/// Returns the files from which the mod in `folder` is loaded, with their texts.
fn texts_in(folder: &Path) -> Vec<(PathBuf, Arc<str>)> {
    // Skips a file that cannot be read; loading the mod then reports the error.
    let text = |path: PathBuf| Some((read_text(&path, Some(folder), MAX_BYTES).ok()?.into(), path));
    loaded_files(folder).filter_map(text).map(|(text, path)| (path, text)).collect()
}

/// Serializes a library as its search path. The receiver needs the same files, for example those of
/// [`texts_of_library`].
pub mod search_path {
    use std::path::PathBuf;

    use loader::Library;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    /// Writes the search path.
    ///
    /// # Errors
    /// Returns an error as the serializer does.
    pub fn serialize<S: Serializer>(library: &Library, serializer: S) -> Result<S::Ok, S::Error> {
        library.paths().serialize(serializer)
    }

    /// Opens the mods in a search path.
    ///
    /// # Errors
    /// Returns an error as the deserializer does.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Library, D::Error> {
        Ok(Library::open(&Vec::<PathBuf>::deserialize(deserializer)?))
    }
}
