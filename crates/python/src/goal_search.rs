//! Searches for values of settings and counts for which games meet goals.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use serde_json::json;
use sim::{Goal, GoalTask, Varied, goal_json};

use crate::arguments::{SettingArgument, SettingArguments};
use crate::errors::setup_error;
use crate::mods::Mods;
use crate::plain::to_python;
use crate::simulation::Simulation;

/// A search for values of settings and counts for which games meet goals. It names games to play,
/// and receives their statistics.
#[pyclass(module = "bastide")]
pub struct GoalSearch {
    search: sim::GoalSearch,
}

#[pymethods]
impl Mods {
    /// Begins a search for values for which games meet goals, as `bastide sim --goal` does.
    /// `bastide.cluster.search_goals` plays its games.
    ///
    /// `goals` are texts such as `"red=49%..51%"` or `"points=60..75"`. `vary` names settings and
    /// counts, each with the values to try. The best combinations play `games` games that the
    /// search has not played before. The other arguments are those of `simulate`.
    ///
    /// Raises `SetupError` if goals, values, players or settings do not fit the mods.
    #[pyo3(signature = (
        goals, vary, games = 1000, players = vec!["greedy".to_owned(), "greedy".to_owned()], *, seed = 1, settings = None, rotate = false
    ))]
    #[pyo3(
        text_signature = "($self, goals, vary, games=1000, players=('greedy', 'greedy'), *, seed=1, settings=None, rotate=False)"
    )]
    #[expect(clippy::too_many_arguments, reason = "callers in Python pass these arguments by name")]
    fn goal_search(
        &self,
        py: Python<'_>,
        goals: Vec<String>,
        vary: BTreeMap<String, Vec<SettingArgument>>,
        games: u64,
        players: Vec<String>,
        seed: u64,
        settings: Option<SettingArguments>,
        rotate: bool,
    ) -> PyResult<GoalSearch> {
        let (plan, basis) = self.plan(py, games, &players, seed, settings, rotate)?;
        let goals = goals.iter().map(|text| Goal::parse(text, &plan)).collect::<Result<Vec<Goal>, _>>();
        let goals = goals.map_err(|error| setup_error(py, error))?;
        let mut varied: Vec<Varied> = Vec::new();
        for (name, values) in vary {
            let values: Vec<String> = values.into_iter().map(SettingArgument::text).collect();
            for value in &values {
                let chosen = [(name.clone(), value.clone())];
                basis.loaded.settings_from(&chosen).map_err(|error| setup_error(py, error))?;
            }
            varied.push(Varied { name, values });
        }
        let search = sim::GoalSearch::new(basis.loaded.catalogue(), &plan, goals, varied);
        Ok(GoalSearch { search: search.map_err(|error| setup_error(py, error))? })
    }
}

#[pymethods]
impl GoalSearch {
    /// The games to play next, in any order or at the same time; empty after the last round. Each
    /// task is a dictionary with `number`, `settings`, `first` and `games`.
    #[getter]
    fn tasks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let tasks = self.search.tasks().into_iter().map(|GoalTask { number, values, first_game, n_games }| {
            let settings: BTreeMap<_, _> = values.into_iter().collect();
            json!({ "number": number, "settings": settings, "first": first_game, "games": n_games })
        });
        to_python(py, &tasks.collect())
    }

    /// Adds the statistics of the games of a task. Ignores a task that is done already.
    fn add(&mut self, number: usize, simulation: &Simulation) {
        self.search.add(number, simulation.part.report.clone());
    }

    /// The number of the round, from 1 to 3, the number of combinations played in it, and the
    /// number of combinations to play in it, as far as known.
    #[getter]
    fn progress(&self) -> (usize, usize, usize) {
        let progress = self.search.progress();
        (progress.round, progress.n_played, progress.n)
    }

    /// The results so far, as `bastide sim --goal --json` prints them: `best`, `rows`, `tried`,
    /// `possible` and `games`. `best` is empty before the end of the last round.
    #[getter]
    fn results<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &goal_json(&self.search.results(), self.search.goals()))
    }

    /// The state of the search as text, for `resume`.
    #[getter]
    fn text(&self) -> String {
        self.search.text()
    }

    /// Restores the state that `text` returned earlier for the same search.
    ///
    /// Raises `SetupError` if the text belongs to another search.
    fn resume(&mut self, py: Python<'_>, text: &str) -> PyResult<()> {
        self.search.resume(text).map_err(|error| setup_error(py, error))
    }
}
