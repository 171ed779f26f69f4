//! Many games in lockstep on their own threads: Python chooses one option for each game per step.

use std::error::Error;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use diagnostic::ExpectOrDefault as _;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rules::{Rules, Setup};
use tensors::{Encoding as Tensors, EndedGame};

use crate::arguments::{SeatsArgument, SettingArguments, setting_texts};
use crate::encoding::{Encoding, bytes_of};
use crate::errors::setup_error;
use crate::mods::Mods;

/// Many games in lockstep, each in a numbered slot. When a game ends, the next game starts in its
/// slot. `bastide.vector.Games` converts the bytes that the methods return to arrays.
#[pyclass(frozen, module = "bastide")]
pub struct Stepper {
    workers: Mutex<Vec<Sender<StepperJob>>>,
    encoding: Tensors,
    n_games: usize,
}

/// A game that ended or failed: slot, number, scores by seat, fault.
type EndedGameTuple = (usize, u64, Vec<i64>, Option<String>);

/// A job for one of the threads.
type StepperJob = Box<dyn FnOnce(&mut Worker) + Send>;

/// The state of one of the threads.
struct Worker {
    rules: Rc<Rules>,
    games: tensors::Stepper,
    /// The slot of the thread's first game.
    first: usize,
    encoding: Tensors,
}

/// A reason why the games cannot begin, from any of the crates.
type BoxedError = Box<dyn Error + Send + Sync>;

/// Begins the games of a thread, tells whether they have begun, and then does the jobs.
fn run_worker(
    begin: impl FnOnce() -> Result<Worker, BoxedError>,
    jobs: &Receiver<StepperJob>,
    begun: &Sender<Result<(), BoxedError>>,
) {
    let mut worker = match begin() {
        Ok(worker) => worker,
        Err(error) => return drop(begun.send(Err(error))),
    };
    drop(begun.send(Ok(())));
    jobs.iter().for_each(|job| job(&mut worker));
}

#[pymethods]
impl Mods {
    /// Starts `n` games in lockstep, numbered from 0. Game `i` has the same draws as game `i` of
    /// `simulate` with the same seed.
    #[pyo3(signature = (n, players = SeatsArgument::Number(2), *, seed = 1, settings = None, threads = 1, size = 25, indexed = 64))]
    #[pyo3(text_signature = "($self, n, players=2, *, seed=1, settings=None, threads=1, size=25, indexed=64)")]
    #[expect(clippy::too_many_arguments, reason = "callers in Python pass these arguments by name")]
    fn stepper(
        &self,
        py: Python<'_>,
        n: usize,
        players: SeatsArgument,
        seed: u64,
        settings: Option<SettingArguments>,
        threads: usize,
        size: usize,
        indexed: usize,
    ) -> PyResult<Stepper> {
        let setup = Setup { settings: setting_texts(settings), ..self.table.setup(players.names(py)?) };
        let basis = self.basis(py, &setup)?;
        let encoding = Tensors::new(self.table.loaded.catalogue().clone(), setup.players.len(), size, indexed);
        let encoding = encoding.map_err(|error| setup_error(py, error))?;
        let n_threads = threads.clamp(1, n.max(1));
        let begun: Result<Vec<Sender<StepperJob>>, BoxedError> = py.detach(|| {
            let (tell, told) = channel();
            let mut workers = Vec::new();
            for i in 0..n_threads {
                let (first, end) = (n * i / n_threads, n * (i + 1) / n_threads);
                let (sender, jobs) = channel();
                let (setup, basis, encoding, tell) = (setup.clone(), basis.clone(), encoding.clone(), tell.clone());
                let begin = move || -> Result<Worker, BoxedError> {
                    let rules = basis.rules().map_err(|failure| failure.message)?;
                    let games = tensors::Stepper::new(&rules, &setup, seed, first, end - first, n)?;
                    Ok(Worker { rules, games, first, encoding })
                };
                let thread = thread::Builder::new().stack_size(rules::STACK_BYTES);
                let started = thread.spawn(move || run_worker(begin, &jobs, &tell));
                started.map_err(|error| format!("a thread cannot be started: {error}"))?;
                workers.push(sender);
            }
            told.iter().take(n_threads).collect::<Result<Vec<()>, BoxedError>>()?;
            Ok(workers)
        });
        let workers = Mutex::new(begun.map_err(|error| setup_error(py, error))?);
        Ok(Stepper { workers, encoding, n_games: n })
    }
}

impl Stepper {
    /// Runs a job on every thread. Returns the results of the threads in the order of their games.
    fn run_on_all<T: Send + 'static>(
        &self,
        py: Python<'_>,
        job: impl Fn(&mut Worker) -> T + Clone + Send + Sync + 'static,
    ) -> PyResult<Vec<T>> {
        let done: Option<Vec<T>> = py.detach(|| {
            let workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
            let send = |worker: &Sender<StepperJob>| {
                let (tell, told) = channel();
                let job = job.clone();
                let sent = worker.send(Box::new(move |worker| {
                    let _ = tell.send(job(worker));
                }));
                sent.ok().map(|()| told)
            };
            let waiting: Vec<Receiver<T>> = workers.iter().map(send).collect::<Option<_>>()?;
            waiting.into_iter().map(|told| told.recv().ok()).collect()
        });
        done.ok_or_else(|| setup_error(py, "an internal error has destroyed these games; report it"))
    }

    /// Answers in every game. `numbers` contains a 32-bit number for each game: an action if
    /// `are_actions` is true, otherwise the number of an option.
    fn answer(&self, py: Python<'_>, numbers: &[u8], are_actions: bool) -> PyResult<()> {
        let number = |bytes: &[u8]| bytes.try_into().map(i32::from_ne_bytes).unwrap_or(-1);
        let numbers: Arc<[i32]> = numbers.chunks(4).map(number).collect();
        if numbers.len() != self.n_games {
            return Err(setup_error(py, format!("{} numbers for {} games", numbers.len(), self.n_games)));
        }
        let refused = self.run_on_all(py, {
            let numbers = numbers.clone();
            move |worker| {
                let Worker { rules, games, first, encoding } = worker;
                games.answer(|i, game| {
                    let number = usize::try_from(*numbers.get(*first + i)?).ok()?;
                    match are_actions {
                        true => encoding.option_of(&rules.ruleset, game.state(), number),
                        false => Some(number),
                    }
                })
            }
        })?;
        let Some(slot) = refused.into_iter().flatten().next() else { return Ok(()) };
        let word = if are_actions { "action" } else { "option" };
        let number = numbers.get(slot).copied().expect_or_default("there is a number for each game");
        let message = format!("{word} {number} is not offered in game {slot}; later games were not answered");
        Err(setup_error(py, message))
    }
}

#[pymethods]
impl Stepper {
    /// The number of games.
    fn __len__(&self) -> usize {
        self.n_games
    }

    /// The encoding of the games as tensors.
    #[getter]
    fn encoding(&self) -> Encoding {
        Encoding { tensors: self.encoding.clone() }
    }

    /// Answers the open decision of every game. For each game, `options` contains the number of the
    /// chosen option, counted from 0, as a 32-bit number in bytes. Returns the count of options
    /// that each game offers next, in the same form.
    fn step<'py>(&self, py: Python<'py>, options: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        self.answer(py, options, false)?;
        self.n_options(py)
    }

    /// Answers in every game with an action of the encoding. `actions` contains a 32-bit number for
    /// each game, as bytes.
    fn act(&self, py: Python<'_>, actions: &[u8]) -> PyResult<()> {
        self.answer(py, actions, true)
    }

    /// Returns the count of options in each game: a 32-bit number for each game, as bytes.
    fn n_options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.run_on_all(py, |worker| {
            let n_options = |game: &rules::Game| game.state().decision().map_or(0, |it| it.n_options(game.state()));
            worker.games.games().flat_map(|game| (n_options(game) as i32).to_ne_bytes()).collect::<Vec<u8>>()
        })?;
        Ok(PyBytes::new(py, &bytes.concat()))
    }

    /// Returns the seat to move in each game: a byte for each game; 255 if no player must decide.
    fn seats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let seats = self.run_on_all(py, |worker| {
            let seat = |game| tensors::Stepper::seat_to_move(game).map_or(u8::MAX, |seat| seat.0);
            worker.games.games().map(seat).collect::<Vec<u8>>()
        })?;
        Ok(PyBytes::new(py, &seats.concat()))
    }

    /// Returns a byte for each action of each game: 1 if the game offers the action, else 0.
    fn masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let masks = self.run_on_all(py, |worker| {
            let Worker { rules, games, encoding, .. } = worker;
            let n_actions = encoding.n_actions();
            let mut masks = vec![0; games.len() * n_actions];
            for (game, mask) in games.games().zip(masks.chunks_exact_mut(n_actions)) {
                encoding.write_mask(&rules.ruleset, game.state(), mask);
            }
            masks
        })?;
        Ok(PyBytes::new(py, &masks.concat()))
    }

    /// Encodes each game as the seat to move sees it, or as seat 0 sees it if no player must
    /// decide. The first result contains the planes, one byte for each cell. The second contains
    /// the other numbers of each observation, such as scores, as 32-bit floats.
    fn observe<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let seen = self.run_on_all(py, |worker| {
            let Worker { rules, games, encoding, .. } = worker;
            let (n_cells, n_numbers) = (encoding.n_cells(), encoding.n_numbers());
            let (mut cells, mut numbers) = (vec![0; games.len() * n_cells], vec![0.0; games.len() * n_numbers]);
            let places = cells.chunks_exact_mut(n_cells).zip(numbers.chunks_exact_mut(n_numbers));
            for (game, (cells, numbers)) in games.games().zip(places) {
                let seat = tensors::Stepper::seat_to_move(game).unwrap_or(rules::Seat(0));
                encoding.observe(rules, game.state(), seat, cells, numbers);
            }
            (cells, numbers)
        })?;
        let (cells, numbers): (Vec<Vec<u8>>, Vec<Vec<f32>>) = seen.into_iter().unzip();
        Ok((PyBytes::new(py, &cells.concat()), bytes_of(py, &numbers.concat())?))
    }

    /// Removes and returns the games that ended since the last call. Each game is given by its
    /// slot, its number, its scores by seat, and the fault that stopped it (or `None`).
    fn ended(&self, py: Python<'_>) -> PyResult<Vec<EndedGameTuple>> {
        let ended = self.run_on_all(py, |worker| worker.games.take_ended())?;
        let as_tuple = |EndedGame { slot, number, scores, fault }| (slot, number, scores, fault);
        Ok(ended.into_iter().flatten().map(as_tuple).collect())
    }
}
