//! Simulations: many games as a table and as statistics.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use players::BotInfo;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use rules::{DEFAULT_NAMES, Setup};
use sim::{DEFAULT_LEVEL, GameResult, Plan, Shard, report_json};

use crate::arguments::{SettingArguments, bot, setting_texts};
use crate::arrow::{TableBuilder, stream};
use crate::errors::setup_error;
use crate::mods::Mods;
use crate::plain::to_python;
use crate::rules_of_thread::Basis;

/// The result of many games: statistics and, if requested, a table with a row for each game
/// (`pyarrow.table(simulation)`, `polars.DataFrame(simulation)`).
#[pyclass(frozen, module = "bastide")]
pub struct Simulation {
    /// The statistics.
    pub(crate) part: Shard,
    rows: Option<RecordBatch>,
}

/// The minimum time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// A watcher that reports progress to Python, and stops the simulation if the user interrupts
/// Python or the report raises an exception.
struct ProgressWatcher<'p> {
    progress: Option<&'p Py<PyAny>>,
    told: Instant,
    stopped: Option<PyErr>,
}

impl ProgressWatcher<'_> {
    fn report_progress(&mut self, n: u64) -> ControlFlow<()> {
        if self.stopped.is_none() && self.told.elapsed() >= REPORT_INTERVAL {
            self.told = Instant::now();
            self.stopped = Python::attach(|py| {
                py.check_signals()?;
                self.progress.map_or(Ok(()), |progress| progress.call1(py, (n,)).map(|_| ()))
            })
            .err();
        }
        if self.stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[pymethods]
impl Mods {
    /// Plays many games with bots, by default on all cores. The same seed gives the same games as
    /// in `bastide sim`.
    ///
    /// `players` are the bots in the order of seats (see `bastide.bots()`); with `rotate`, each bot
    /// moves on by one seat from game to game. `shard` restricts the games to one part: the number
    /// of the part, counted from 1, and the number of parts, such as `(1, 4)`. `first` is the
    /// number of the first game. `rows` adds a table with a row for each game, and `records` adds
    /// the record of each game to this table. `details` fills the columns from `options` to `stuck`
    /// of the table, and adds statistics of tiles and of sources of points. `progress` is called
    /// from time to time with the number of games played.
    ///
    /// Raises `SetupError` if players or settings do not fit the mods. A game in which a mod fails
    /// counts as a fault; the other games continue.
    #[pyo3(signature = (
        games = 1000, players = vec!["random".to_owned(), "random".to_owned()], *, seed = 1, settings = None, rotate = false, threads = None,
        shard = None, first = 0, rows = true, records = false, details = true, progress = None
    ))]
    #[pyo3(
        text_signature = "($self, games=1000, players=('random', 'random'), *, seed=1, settings=None, rotate=False, threads=None, \
                             shard=None, first=0, rows=True, records=False, details=True, progress=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "callers in Python pass these arguments by name")]
    fn simulate(
        &self,
        py: Python<'_>,
        games: u64,
        players: Vec<String>,
        seed: u64,
        settings: Option<SettingArguments>,
        rotate: bool,
        threads: Option<usize>,
        shard: Option<(u64, u64)>,
        first: u64,
        rows: bool,
        records: bool,
        details: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Simulation> {
        let (plan, basis) = self.plan(py, games, &players, seed, settings, rotate)?;
        let mut plan = Plan {
            first_game: first,
            n_threads: threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from)).max(1),
            with_records: records,
            details,
            ..plan
        };
        if let Some((shard, n_shards)) = shard {
            if shard == 0 || shard > n_shards {
                return Err(setup_error(
                    py,
                    format!("there is no part {shard} of {n_shards}; parts are numbered from 1"),
                ));
            }
            plan = plan.shard(shard, n_shards);
        }
        let mut watching = ProgressWatcher { progress: progress.as_ref(), told: Instant::now(), stopped: None };
        let mut table = rows.then(|| TableBuilder::new(&sim::columns(&plan)));
        let report = py.detach(|| {
            let stops = std::cell::Cell::new(false);
            let mut each = |game: &GameResult| {
                if let Some(table) = &mut table {
                    table.add(sim::values(&plan, game));
                }
                !stops.get()
            };
            sim::run(&*basis.loaded, &plan, Some(&mut each), &mut |n| stops.set(watching.report_progress(n).is_break()))
        });
        if let Some(stopped) = watching.stopped {
            return Err(stopped);
        }
        let report = report.map_err(|error| setup_error(py, error))?;
        let rows = table.map(TableBuilder::finish).transpose().map_err(|error| setup_error(py, error))?;
        Ok(Simulation { part: Shard::new(basis.loaded.catalogue(), &plan, report), rows })
    }
}

impl Mods {
    /// Plans games with bots, and returns the basis of their rules.
    pub(crate) fn plan(
        &self,
        py: Python<'_>,
        games: u64,
        players: &[String],
        seed: u64,
        settings: Option<SettingArguments>,
        rotates: bool,
    ) -> PyResult<(Plan, Arc<Basis>)> {
        let players: Vec<BotInfo> = players.iter().map(|name| bot(py, name)).collect::<PyResult<_>>()?;
        if let Some(timed) = players.iter().find(|it| it.is_timed()) {
            let message = "the moves of this bot depend on the speed of the machine; give a number of simulations, such as search:250";
            return Err(setup_error(py, format!("{}: {message}", timed.name)));
        }
        let names = DEFAULT_NAMES.iter().take(players.len()).map(|name| (*name).to_owned()).collect();
        let setup = Setup { settings: setting_texts(settings), ..self.table.setup(names) };
        let basis = self.basis(py, &setup)?;
        Ok((Plan { rotates, seed, ..Plan::new(setup, basis.settings.clone(), players, games) }, basis))
    }
}

/// Merges the statistics of several parts, each as returned by `Simulation.part`.
#[pyfunction]
pub fn merge(py: Python<'_>, parts: Vec<String>) -> PyResult<Simulation> {
    let mut read = parts.iter().map(|text| Shard::parse(text));
    let Some(first) = read.next() else { return Err(setup_error(py, "there are no parts")) };
    let merged = read.fold(first, |whole, part| whole?.merge(part?));
    merged.map(|part| Simulation { part, rows: None }).map_err(|error| setup_error(py, error))
}

#[pymethods]
impl Simulation {
    /// The number of games played, including those that did not end.
    #[getter]
    fn n_games(&self) -> u64 {
        self.part.report.n_games
    }

    /// The number of games that did not end, for example because a mod failed.
    #[getter]
    fn n_faults(&self) -> u64 {
        self.part.report.n_faults
    }

    /// The number of games played per second.
    #[getter]
    fn games_per_second(&self) -> f64 {
        self.part.report.games_per_second()
    }

    /// The statistics, as `bastide sim --json` prints them: `seats`, `players`, `tables`,
    /// `first_faults` with their records, and sums.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &report_json(&self.part.report, DEFAULT_LEVEL))
    }

    /// The statistics as text, which `bastide.merge` and `bastide sim --merge` read.
    #[getter]
    fn part(&self) -> String {
        self.part.text()
    }

    /// Exports the table by Arrow's C stream interface: `pyarrow.table(simulation)`,
    /// `polars.DataFrame(simulation)`.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let rows = self.rows.as_ref().ok_or_else(|| setup_error(py, "there is no table: simulate with `rows=True`"))?;
        stream(py, rows)
    }

    fn __len__(&self) -> usize {
        self.part.report.n_games as usize
    }

    fn __repr__(&self) -> String {
        let report = &self.part.report;
        let seat = |it: &sim::Standing<'_>| format!("{} {:.1}%", it.name, it.win_rate() * 100.0);
        let seats: Vec<String> = report.seats().iter().map(seat).collect();
        format!("<bastide.Simulation {} games: {} won>", report.n_games, seats.join(", "))
    }
}
