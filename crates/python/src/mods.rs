//! Loaded mods, and the games started with them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use diagnostic::{Diagnostic, Severity, Span};
use loader::Library;
use players::PLAYERS;
use pyo3::prelude::*;
use record::{Record, check_mods, saved_setup};
use rules::{Dealer, Setup};
use serde_json::json;

use crate::arguments::{Folders, OneOrMore, SeatsArgument, SettingArguments, setting_texts};
use crate::errors::{failure_error, mod_error, record_error, setup_error};
use crate::game::Game;
use crate::loaded_mods::LoadedMods;
use crate::plain::to_python;
use crate::rules_of_thread::Basis;

/// Mods loaded together, from which games are started.
#[pyclass(frozen, module = "bastide")]
pub struct Mods {
    pub(crate) table: Arc<LoadedMods>,
}

/// Loads mods and all mods that they require.
#[pyfunction]
pub fn load(py: Python<'_>, mods: OneOrMore<String>, path: Folders, builtin: PathBuf) -> PyResult<Mods> {
    load_from(py, mods.list(), folders(py, path, builtin)?)
}

/// Returns the folders to search: those in `path`, then the folder of the bundled mods.
fn folders(py: Python<'_>, path: Folders, builtin: PathBuf) -> PyResult<Vec<PathBuf>> {
    let said = path.map(OneOrMore::list).unwrap_or_default();
    if let Some(missing) = said.iter().find(|folder| !folder.is_dir()) {
        return Err(setup_error(py, format!("{} is not a folder, so it contains no mods", missing.display())));
    }
    Ok(said.into_iter().chain([builtin]).collect())
}

fn load_from(py: Python<'_>, ids: Vec<String>, mut folders: Vec<PathBuf>) -> PyResult<Mods> {
    // As on the command line, the caller may give the folder of a mod instead of its id.
    let mut ids = ids;
    for id in &mut ids {
        let path = Path::new(id.as_str());
        let name = path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        if let (true, Some(name)) = (path.join("mod.toml").is_file(), name) {
            folders.insert(0, path.to_owned());
            *id = name;
        }
    }
    let library = Library::open(&folders).with_icon_check(art::check_icon);
    let (loaded, problems) = py.detach(|| library.load(&ids));
    let loaded = loaded.ok_or_else(|| mod_error(py, &problems))?;
    Ok(Mods { table: Arc::new(LoadedMods::new(Arc::new(loaded), folders, ids)) })
}

fn parse_record(py: Python<'_>, text: &str) -> PyResult<Record> {
    let (record, problems) = Record::parse(text);
    let is_valid = problems.iter().all(|it| it.severity != Severity::Error);
    if is_valid { Ok(record) } else { Err(record_error(py, &problems)) }
}

/// Starts the game of a record and replays the record to its end.
#[pyfunction]
pub fn replay(py: Python<'_>, text: &str, path: Folders, builtin: PathBuf, asks_chance: bool) -> PyResult<Game> {
    let record = parse_record(py, text)?;
    let ids = record.setup.mods.iter().map(|it| it.id.clone()).collect();
    let mods = load_from(py, ids, folders(py, path, builtin)?)?;
    mods.replay_record(py, &record, asks_chance)
}

/// Returns the names of the bots with their descriptions, the weakest first.
#[pyfunction]
pub fn bots() -> Vec<(String, String)> {
    PLAYERS.iter().map(|it| (it.name.to_string(), it.about.to_string())).collect()
}

impl Mods {
    fn replay_record(&self, py: Python<'_>, record: &Record, asks_chance: bool) -> PyResult<Game> {
        let loaded = &self.table.loaded;
        let settings = loaded.settings_from(&record.setup.settings).map_err(|it| setup_error(py, it))?;
        let basis = self.table.basis(settings);
        let rules = basis.rules().map_err(|failure| failure_error(py, &failure))?;
        let warnings = check_mods(rules.catalogue(), &record.setup);
        let run = record::replay(rules, record, |_| {}).map_err(|problems| record_error(py, &problems))?;
        if !run.failures.is_empty() {
            let wrong = |it: &record::FailedEntry| {
                let what = if it.is_expectation { format!("`{}` does not hold: ", it.text) } else { String::new() };
                Diagnostic::error(Span::of_line(it.line), format!("{what}{}", it.actual))
            };
            let problems: Vec<_> = warnings.into_iter().chain(run.failures.iter().map(wrong)).collect();
            return Err(record_error(py, &problems));
        }
        let dealer = Dealer::new(record.setup.seed.unwrap_or_else(table::random_seed));
        Game::new(py, &self.table, basis, run.game, dealer, asks_chance)
    }
}

#[pymethods]
impl Mods {
    /// The ids of the mods in load order, including required ones.
    #[getter]
    fn ids(&self) -> Vec<String> {
        self.table.loaded.catalogue().mods.iter().map(|it| it.id.clone()).collect()
    }

    /// The mods in load order, as dictionaries: `id`, `version`, `title`, `about`, `hash` (a hash
    /// of the mod's files, in hexadecimal digits).
    #[getter]
    fn about<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let about = self.table.loaded.catalogue().mods.iter().map(|it| {
            json!({
                "id": it.id, "version": it.version, "title": it.title, "about": it.about, "hash": format!("{:016x}", it.hash),
            })
        });
        to_python(py, &about.collect())
    }

    /// The folders of the mods, in load order.
    #[getter]
    fn folders(&self) -> Vec<PathBuf> {
        self.table.loaded.folders().to_vec()
    }

    /// The files that affect games, as pairs of path and text: all loaded files of the mods, except
    /// `theme.toml`. Each path begins with the id of the mod. Each text is the content of the file
    /// when the mod was loaded.
    #[getter]
    fn files(&self) -> Vec<(String, String)> {
        let loaded = &self.table.loaded;
        let decides = |path: &Path| path.file_name().is_some_and(|name| name != "theme.toml");
        let mut files = Vec::new();
        for (info, folder) in loaded.catalogue().mods.iter().zip(loaded.folders()) {
            for source in loaded.sources().iter().filter(|source| decides(&source.path)) {
                let Ok(inner) = source.path.strip_prefix(folder) else { continue };
                let parts = inner.iter().map(|part| part.to_string_lossy().into_owned());
                let name = std::iter::once(info.id.clone()).chain(parts).collect::<Vec<_>>().join("/");
                files.push((name, source.text.to_string()));
            }
        }
        files.sort();
        files.dedup();
        files
    }

    /// The settings of the mods, as dictionaries: `name` (qualified by its mod), `about`,
    /// `default`, `choices`, `range`.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &table::json::settings(self.table.loaded.catalogue()))
    }

    /// The minimum and the maximum number of players.
    #[getter]
    fn n_players(&self) -> (u8, u8) {
        self.table.loaded.catalogue().n_players
    }

    /// Starts a game.
    ///
    /// `players` is the number of players, or their names. The same `seed` gives the same draws;
    /// without a seed, every game is different. `position` contains `given` lines of a record,
    /// without the word `given`. If `asks_chance` is true, draws and rolls are decisions of
    /// `"chance"`, which the caller answers.
    ///
    /// Raises `SetupError` if players, settings or position do not fit the mods.
    #[pyo3(signature = (players = SeatsArgument::Number(2), *, settings = None, seed = None, position = Vec::new(), asks_chance = false))]
    #[pyo3(text_signature = "($self, players=2, *, settings=None, seed=None, position=(), asks_chance=False)")]
    fn game(
        &self,
        py: Python<'_>,
        players: SeatsArgument,
        settings: Option<SettingArguments>,
        seed: Option<u64>,
        position: Vec<String>,
        asks_chance: bool,
    ) -> PyResult<Game> {
        let settings = setting_texts(settings);
        let seed = seed.unwrap_or_else(table::random_seed);
        let setup = Setup { settings, seed: Some(seed), position, ..self.table.setup(players.names(py)?) };
        let basis = self.basis(py, &setup)?;
        let rules = basis.rules().map_err(|failure| failure_error(py, &failure))?;
        let setup = saved_setup(rules.catalogue(), &setup);
        let game = record::start_game(rules, setup).map_err(|error| setup_error(py, error))?;
        Game::new(py, &self.table, basis, game, Dealer::new(seed), asks_chance)
    }

    /// Starts the game of a record with these mods, and replays the record to its end. See
    /// `bastide.replay`, which loads the mods that the record names.
    #[pyo3(signature = (record, *, asks_chance = false))]
    fn replay(&self, py: Python<'_>, record: &str, asks_chance: bool) -> PyResult<Game> {
        self.replay_record(py, &parse_record(py, record)?, asks_chance)
    }

    fn __repr__(&self) -> String {
        format!("<bastide.Mods {}>", self.ids().join(", "))
    }
}

impl Mods {
    /// Checks a setup, and returns the [`Basis`] of the mods with its settings.
    pub(crate) fn basis(&self, py: Python<'_>, setup: &Setup) -> PyResult<Arc<Basis>> {
        let loaded = &self.table.loaded;
        setup.check_players(loaded.catalogue()).map_err(|error| setup_error(py, error))?;
        let settings = loaded.settings_from(&setup.settings).map_err(|it| setup_error(py, it))?;
        Ok(self.table.basis(settings))
    }
}
