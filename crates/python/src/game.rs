//! A game played from Python.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use players::{Rng, View};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{IntoPyDict, PyBytes, PyDict};
use rules::{
    Actor, Dealer, Decision, Fault, ParkedGame, Seat, SeatSet, State, Status, actor_text, option_text, redacted_for,
};
use table::{GameView, catch_panic, json};

use crate::arguments::bot;
use crate::errors::{failure_error, fault_error, internal_error, not_offered, setup_error};
use crate::loaded_mods::LoadedMods;
use crate::plain::to_python;
use crate::rules_of_thread::Basis;

/// A game: its setup and the answers so far, which determine everything else.
///
/// Unless `asks_chance` is set, the engine answers for chance, from the seed. If a function of a
/// mod fails, the game raises `FaultError`. The game is then in the state before that function ran,
/// and `undo` removes the answer that led to the failure.
#[pyclass(frozen, module = "bastide")]
pub struct Game {
    table: Arc<LoadedMods>,
    basis: Arc<Basis>,
    asks_chance: bool,
    /// The game without its rules; `None` only while a call of a method uses the game.
    held: Mutex<Option<GameParts>>,
}

/// A game and its dealer, without the rules. Rules are bound to one thread, but a game of Python
/// may move between threads.
#[derive(Clone)]
struct GameParts {
    game: ParkedGame,
    dealer: Dealer,
}

/// The game with its rules, while this thread uses it.
struct ActiveGame<'d> {
    game: rules::Game,
    dealer: &'d mut Dealer,
    asks_chance: bool,
}

/// A reason why an operation failed.
enum OperationError {
    NotOffered(rules::NotOffered),
    Fault(Box<Fault>),
    Setup(String),
    /// A bug in Bastide. The engine has undone the operation.
    Bug(String),
}

impl OperationError {
    fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            OperationError::NotOffered(error) => not_offered(py, &error),
            OperationError::Fault(fault) => fault_error(py, &fault),
            OperationError::Setup(message) => setup_error(py, message),
            OperationError::Bug(message) => internal_error(py, message),
        }
    }
}

impl ActiveGame<'_> {
    /// Answers all decisions of chance up to the next decision of a player, unless `asks_chance` is
    /// set. Returns an error if the game has a fault.
    fn deal(&mut self) -> Result<(), OperationError> {
        if !self.asks_chance {
            self.game.deal(self.dealer);
        }
        self.open_decision().map(|_| ())
    }

    /// Returns the open decision and the number of its options; `None` if the game is over.
    fn open_decision(&self) -> Result<Option<(&Decision, usize)>, OperationError> {
        match self.game.status() {
            Status::Fault(fault) => Err(OperationError::Fault(Box::new(fault.clone()))),
            Status::Over => Ok(None),
            Status::Decision(decision) => Ok(Some((decision, decision.n_options(self.game.state())))),
        }
    }

    fn answer_nth(&mut self, n: usize) -> Result<(), OperationError> {
        match self.open_decision()? {
            Some((_, n_options)) if n < n_options => self.game.answer_nth(n),
            // Raises the engine's error, which lists the options.
            _ => {
                self.game.answer_text(&format!("option number {n}")).map(|_| ()).map_err(OperationError::NotOffered)?
            }
        }
        self.deal()
    }

    fn answer_text(&mut self, text: &str) -> Result<(), OperationError> {
        self.game.answer_text(text).map_err(OperationError::NotOffered)?;
        self.deal()
    }

    /// Undoes the last answer of a player and the answers of chance after it. If `asks_chance` is
    /// set, undoes only the last answer. Returns false if there is no such answer.
    fn undo(&mut self) -> bool {
        let mut n = self.game.log().len();
        while n > 0 {
            n -= 1;
            self.game.go_to(n);
            if self.asks_chance || !self.game.waits_for_chance() {
                return true;
            }
        }
        // All answers were answers of chance, and are now undone. Deals them again.
        let _ = self.deal();
        false
    }

    /// Calls `with_game` with the game as the player to move sees it, the player's seat and the
    /// number of options.
    fn with_view<T>(&self, with_game: impl FnOnce(&View<'_>, Seat, usize) -> T) -> Result<T, OperationError> {
        let Some((decision, n_options)) = self.open_decision()? else {
            return Err(OperationError::Setup("the game is over, so a bot has nothing to answer".to_owned()));
        };
        let Actor::Player(seat) = decision.who else {
            return Err(OperationError::Setup(
                "the open decision is one of chance, and bots do not answer for chance".to_owned(),
            ));
        };
        let rules = self.game.rules();
        let state = &*redacted_for(rules, self.game.state(), seat.into());
        Ok(with_game(&View { rules, state, decision }, seat, n_options))
    }

    /// Returns the number of the option that a bot chooses. The choice depends only on the position
    /// and `seed`.
    fn bot_choice(&self, bot: &players::BotInfo, seed: u64) -> Result<usize, OperationError> {
        self.with_view(|view, seat, n_options| {
            let mut player = bot.make(0);
            player.reset(Rng::derived_seed(Rng::seat_seed(seed, seat.idx()), self.game.log().len() as u64));
            player.choose(view).min(n_options.saturating_sub(1))
        })
    }

    /// Returns the lead in points of the player to move after each option.
    fn prospects(&self) -> Result<Vec<f64>, OperationError> {
        self.with_view(|view, _, n_options| {
            let mut leads = vec![0.0; n_options];
            for assessed in players::rank_options(view) {
                if let Some(lead) = leads.get_mut(assessed.option) {
                    *lead = assessed.lead;
                }
            }
            leads
        })
    }

    fn state(&self) -> &State {
        self.game.state()
    }
}

impl Game {
    /// Wraps `game`. Answers for chance first, unless `asks_chance` is set.
    pub fn new(
        py: Python<'_>,
        table: &Arc<LoadedMods>,
        basis: Arc<Basis>,
        game: rules::Game,
        mut dealer: Dealer,
        asks_chance: bool,
    ) -> PyResult<Game> {
        let mut playing = ActiveGame { game, dealer: &mut dealer, asks_chance };
        playing.deal().map_err(|refused| refused.raise(py))?;
        let held = GameParts { game: playing.game.park(), dealer };
        Ok(Game { table: table.clone(), basis, asks_chance, held: Mutex::new(Some(held)) })
    }

    /// Calls `work` with the game, which uses the rules of this thread.
    fn with_active_game<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut ActiveGame<'_>) -> Result<T, OperationError>,
    ) -> PyResult<T> {
        let mut held = self.held.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        self.with_resumed(&mut held, work)?.map_err(|refused| refused.raise(py))
    }

    /// Calls `with_game` with the engine's game.
    pub fn with_game<T>(&self, py: Python<'_>, with_game: impl FnOnce(&rules::Game) -> T) -> PyResult<T> {
        self.with_active_game(py, |it| Ok(with_game(&it.game)))
    }

    /// Calls `work` as [`Game::with_active_game`] does, but releases the interpreter lock.
    fn with_detached<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut ActiveGame<'_>) -> Result<T, OperationError> + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            self.with_resumed(&mut held, work)
        });
        done?.map_err(|refused| refused.raise(py))
    }

    fn with_resumed<T>(
        &self,
        held: &mut Option<GameParts>,
        work: impl FnOnce(&mut ActiveGame<'_>) -> Result<T, OperationError>,
    ) -> PyResult<Result<T, OperationError>> {
        let rules = self.basis.rules().map_err(|failure| Python::attach(|py| failure_error(py, &failure)))?;
        let Some(GameParts { game, mut dealer }) = held.take() else {
            return Ok(Err(OperationError::Bug("an internal error has destroyed this game; report it".to_owned())));
        };
        let mut playing = ActiveGame { game: game.resume(rules), dealer: &mut dealer, asks_chance: self.asks_chance };
        let done = catch_panic(|| work(&mut playing));
        let game = playing.game.park();
        *held = Some(GameParts { game, dealer });
        Ok(done.unwrap_or_else(|panic| Err(OperationError::Bug(format!("{panic}; report it with the record")))))
    }

    fn seat(&self, state: &State, name: &str) -> Result<Seat, OperationError> {
        state.seat_named(name).ok_or_else(|| {
            let names: Vec<&str> = state.seats().map(|seat| state.name(seat)).collect();
            OperationError::Setup(format!("there is no player {name}; players are {}", names.join(", ")))
        })
    }

    fn draw<T: Send>(&self, py: Python<'_>, width: u32, as_file: fn(&art::Picture, u32) -> T) -> PyResult<T> {
        // The clone keeps the painter reachable while other threads run during the painting.
        let painter = self.table.clone();
        self.with_detached(py, move |playing| {
            let picture = pictures::board(painter.painter(), GameView::of(&playing.game), width)
                .map_err(|error| OperationError::Setup(error.to_string()))?;
            let [across, _] = picture.size();
            Ok(as_file(&picture, (across * f64::from(width)).round() as u32))
        })
    }
}

#[pymethods]
impl Game {
    /// The names of the players, in the initial order of play.
    #[getter]
    fn players(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with_active_game(py, |it| Ok(it.game.setup().players.clone()))
    }

    /// The seed of draws and rolls.
    #[getter]
    fn seed(&self, py: Python<'_>) -> PyResult<u64> {
        self.with_active_game(py, |it| Ok(it.dealer.seed()))
    }

    /// The player to move; `"chance"` for a decision of chance, `None` if the game is over.
    #[getter]
    fn who(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.with_active_game(py, |it| {
            Ok(it.open_decision()?.map(|(decision, _)| actor_text(it.state(), decision.who).to_owned()))
        })
    }

    /// The number of options; 0 if the game is over.
    #[getter]
    fn n_options(&self, py: Python<'_>) -> PyResult<usize> {
        self.with_active_game(py, |it| Ok(it.open_decision()?.map_or(0, |(_, n_options)| n_options)))
    }

    /// The stable texts of the options, in the order of their numbers.
    #[getter]
    fn options(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with_active_game(py, |it| {
            let (ruleset, state) = (&it.game.rules().ruleset, it.state());
            let texts = |(decision, _): (&Decision, usize)| {
                let options = decision.options(ruleset, state);
                options.iter().map(|answer| option_text(ruleset, state, decision, *answer)).collect()
            };
            Ok(it.open_decision()?.map_or_else(Vec::new, texts))
        })
    }

    /// The open decision as a dictionary, `None` if the game is over: `who`, `kind` (`"place"`,
    /// `"deploy"`, `"marker"`, `"order"`, `"source"`, `"mod"`, `"draw"`, `"roll"`), `prompt`, `mod`
    /// (the mod that asks, if any), and `options`, each with its number `n`, its stable `text`, a
    /// `label` for people and a note `about` it.
    #[getter]
    fn decision<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let decision =
            self.with_active_game(py, |it| it.open_decision().map(|_| json::decision(GameView::of(&it.game))))?;
        decision.map(|it| to_python(py, &it)).transpose()
    }

    /// Answers with an option, given by its number or its text.
    ///
    /// Raises `NotOfferedError` for any other text or number, without changing the game. Raises
    /// `FaultError` if a function of a mod fails.
    fn answer(&self, py: Python<'_>, option: OptionArgument) -> PyResult<()> {
        match option {
            OptionArgument::Number(n) => self.with_active_game(py, |it| it.answer_nth(n)),
            OptionArgument::Text(text) => self.with_active_game(py, |it| it.answer_text(&text)),
        }
    }

    /// Undoes the last `n` answers of players, and the answers of chance after each of them.
    /// Returns false if there were fewer than `n` answers of players. With `asks_chance`, answers
    /// of chance count like those of players.
    #[pyo3(signature = (n = 1))]
    fn undo(&self, py: Python<'_>, n: usize) -> PyResult<bool> {
        self.with_active_game(py, |it| Ok((0..n).all(|_| it.undo())))
    }

    /// Returns a copy of the game.
    fn copy(&self, py: Python<'_>) -> PyResult<Game> {
        let held = self.held.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let (table, basis) = (self.table.clone(), self.basis.clone());
        Ok(Game { table, basis, asks_chance: self.asks_chance, held: Mutex::new(held.clone()) })
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Game> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Game> {
        self.copy(py)
    }

    /// A hash that is equal for equal positions, on every machine.
    #[getter]
    fn hash(&self, py: Python<'_>) -> PyResult<u64> {
        self.with_active_game(py, |it| Ok(record::state_hash(&it.game.rules().ruleset, it.state())))
    }

    /// The points of the players, by name.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let scores: Vec<(String, i64)> = self.with_active_game(py, |it| {
            let state = it.state().view();
            Ok(state.seats().map(|seat| (state.name(seat).to_owned(), state.score(seat))).collect())
        })?;
        scores.into_py_dict(py)
    }

    /// The points of the players if the game ended now.
    ///
    /// Raises `SetupError` if a function of a mod fails.
    #[getter]
    fn projected_scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let scores: Vec<(String, i64)> = self.with_active_game(py, |it| {
            let failed = || OperationError::Setup("a function of a mod fails in the final count".to_owned());
            let projection = table::project(&it.game, None).ok_or_else(failed)?;
            Ok(it.game.setup().players.iter().cloned().zip(projection.scores).collect())
        })?;
        scores.into_py_dict(py)
    }

    /// The names of the winners; empty before the end.
    #[getter]
    fn winners(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with_active_game(py, |it| {
            let state = it.state();
            let winners = if state.is_over() { state.winners() } else { SeatSet::NONE };
            Ok(winners.seats().map(|seat| state.name(seat).to_owned()).collect())
        })
    }

    /// True if the game is over.
    #[getter]
    fn is_over(&self, py: Python<'_>) -> PyResult<bool> {
        self.with_active_game(py, |it| Ok(it.state().is_over()))
    }

    /// The number of the turn, counted from 1; 0 before the first turn.
    #[getter]
    fn turn(&self, py: Python<'_>) -> PyResult<u32> {
        self.with_active_game(py, |it| Ok(it.state().turn().map_or(0, |turn| turn.number)))
    }

    /// The number of answers so far, including answers of chance.
    #[getter]
    fn n_answers(&self, py: Python<'_>) -> PyResult<usize> {
        self.with_active_game(py, |it| Ok(it.game.log().len()))
    }

    /// The fault that stopped the game, as a `FaultError`; `None` if there is none.
    #[getter]
    fn fault(&self, py: Python<'_>) -> PyResult<Option<PyErr>> {
        let fault = self.with_active_game(py, |it| Ok(it.game.fault().cloned()))?;
        Ok(fault.map(|fault| fault_error(py, &fault)))
    }

    /// Returns the state of the game as a dictionary. If `player` is given, omits everything that
    /// is hidden from that player.
    #[pyo3(signature = (player = None))]
    fn state<'py>(&self, py: Python<'py>, player: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let state = self.with_active_game(py, |it| {
            let viewers = match player {
                Some(name) => SeatSet::from(self.seat(it.state(), name)?),
                None => SeatSet::NONE,
            };
            let seen = redacted_for(it.game.rules(), it.state(), viewers);
            Ok(json::state(GameView::for_viewers(&it.game, &seen, viewers)))
        })?;
        to_python(py, &state)
    }

    /// Returns the number of the option that a bot chooses. The choice depends only on the position
    /// and `seed`.
    #[pyo3(signature = (name = "greedy", *, seed = 1))]
    fn bot(&self, py: Python<'_>, name: &str, seed: u64) -> PyResult<usize> {
        let bot = bot(py, name)?;
        self.with_detached(py, |it| it.bot_choice(&bot, seed))
    }

    /// Returns a number for each option: the lead in points of the player to move if the game ended
    /// after that option. If the same player also answers the next decision, the numbers include
    /// the best answer to that decision. All numbers include a small value for pieces in supply.
    fn prospects(&self, py: Python<'_>) -> PyResult<Vec<f64>> {
        self.with_detached(py, |it| it.prospects())
    }

    /// Lets bots answer until the game is over, or until a decision is open that no bot answers.
    /// `bots` is the name of one bot for all players, or a dictionary of bots by player.
    #[pyo3(signature = (bots = BotsArgument::All("random".to_owned()), *, seed = 1))]
    #[pyo3(text_signature = "($self, bots='random', *, seed=1)")]
    fn play(&self, py: Python<'_>, bots: BotsArgument, seed: u64) -> PyResult<()> {
        let names = match bots {
            BotsArgument::All(name) => self.players(py)?.into_iter().map(|player| (player, name.clone())).collect(),
            BotsArgument::Each(names) => names,
        };
        let bots = names.into_iter().map(|(player, name)| Ok((player, bot(py, &name)?)));
        let bots: Vec<(String, players::BotInfo)> = bots.collect::<PyResult<_>>()?;
        self.with_active_game(py, |it| {
            bots.iter().try_for_each(|(player, _)| self.seat(it.state(), player).map(|_| ()))
        })?;
        loop {
            py.check_signals()?;
            let goes_on = self.with_detached(py, |it| {
                let Some((decision, _)) = it.open_decision()? else { return Ok(false) };
                let asked = actor_text(it.state(), decision.who);
                let Some((_, bot)) = bots.iter().find(|(player, _)| player == asked) else { return Ok(false) };
                let n = it.bot_choice(bot, seed)?;
                it.answer_nth(n).map(|()| true)
            })?;
            if !goes_on {
                return Ok(());
            }
        }
    }

    /// Returns the game as a record, which `bastide.replay`, the command and the window can read.
    fn record(&self, py: Python<'_>) -> PyResult<String> {
        self.with_active_game(py, |it| Ok(record::record_of(it.game.setup(), it.game.log_texts())))
    }

    /// Returns the board as SVG, its tiles `width` pixels wide.
    #[pyo3(signature = (width = 64))]
    fn svg(&self, py: Python<'_>, width: u32) -> PyResult<String> {
        self.draw(py, width, |picture, across| picture.to_svg(across))
    }

    /// Returns the board as PNG, its tiles `width` pixels wide.
    #[pyo3(signature = (width = 64))]
    fn png<'py>(&self, py: Python<'py>, width: u32) -> PyResult<Bound<'py, PyBytes>> {
        let png = self.draw(py, width, |picture, across| picture.to_pixels(across).and_then(art::Pixels::to_png))?;
        png.map(|png| PyBytes::new(py, &png)).map_err(|error| setup_error(py, error))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, 64)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.with_active_game(py, |it| {
            let state = it.state();
            let score = |seat: Seat| format!("{} {}", state.name(seat), state.score(seat));
            let scores: Vec<String> = state.seats().map(score).collect();
            let turn = state.turn().map_or(0, |turn| turn.number);
            let at = if state.is_over() { "over".to_owned() } else { format!("turn {turn}") };
            Ok(format!("<bastide.Game {at}: {}>", scores.join(", ")))
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let replay = py.import("bastide")?.getattr("replay")?;
        Ok((replay, (self.record(py)?, self.table.folders.clone(), self.asks_chance)))
    }
}

/// A function and its arguments, as Python's `pickle` expects them.
type Pickled<'py> = (Bound<'py, PyAny>, (String, Vec<PathBuf>, bool));

/// An option, by its number or its text.
#[derive(FromPyObject)]
enum OptionArgument {
    Number(usize),
    Text(String),
}

/// The bots that answer for the players.
#[derive(FromPyObject)]
enum BotsArgument {
    /// The same bot for all players.
    All(String),
    /// The bot of each player, by the player's name.
    Each(BTreeMap<String, String>),
}
