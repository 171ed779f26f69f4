//! Games as tensors: bytes that numpy reads without a copy.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tensors::Encoding as Tensors;

use crate::errors::setup_error;
use crate::game::Game;
use crate::mods::Mods;

/// The encoding of games as tensors, for certain mods and a certain number of players. See
/// `bastide.env`.
#[pyclass(frozen, module = "bastide")]
pub struct Encoding {
    pub(crate) tensors: Tensors,
}

/// Returns numbers as bytes that numpy reads as `float32`.
pub fn bytes_of<'py>(py: Python<'py>, numbers: &[f32]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, numbers.len() * 4, |bytes| {
        let places = bytes.chunks_exact_mut(4);
        places.zip(numbers).for_each(|(place, number)| place.copy_from_slice(&number.to_ne_bytes()));
        Ok(())
    })
}

#[pymethods]
impl Mods {
    /// Makes the encoding of games with `players` seats. The board is encoded as a window of `size`
    /// by `size` spots. `indexed` is the number of actions for options that have no action of their
    /// own.
    #[pyo3(signature = (players = 2, *, size = 25, indexed = 64))]
    fn encoding(&self, py: Python<'_>, players: usize, size: usize, indexed: usize) -> PyResult<Encoding> {
        let made = Tensors::new(self.table.loaded.catalogue().clone(), players, size, indexed);
        made.map(|tensors| Encoding { tensors }).map_err(|error| setup_error(py, error))
    }
}

impl Encoding {
    /// Checks that a game has the mods and the number of seats of this encoding, then calls
    /// `with_game` with the game.
    fn with_game<T>(&self, py: Python<'_>, game: &Game, with_game: impl FnOnce(&rules::Game) -> T) -> PyResult<T> {
        let seen = game.with_game(py, |game| self.tensors.is_for(game).then(|| with_game(game)))?;
        seen.ok_or_else(|| setup_error(py, "this encoding is for other mods or for another number of players"))
    }
}

#[pymethods]
impl Encoding {
    /// The number of actions.
    #[getter]
    fn n_actions(&self) -> usize {
        self.tensors.n_actions()
    }

    /// The shape of the board: the numbers of planes, rows and columns.
    #[getter]
    fn board_shape(&self) -> (usize, usize, usize) {
        (self.tensors.n_planes(), self.tensors.size(), self.tensors.size())
    }

    /// The count of numbers in an observation, besides the planes.
    #[getter]
    fn n_numbers(&self) -> usize {
        self.tensors.n_numbers()
    }

    /// The names of the planes, in order.
    #[getter]
    fn plane_names(&self) -> Vec<String> {
        self.tensors.plane_names()
    }

    /// The names of the numbers, in order.
    #[getter]
    fn number_names(&self) -> Vec<String> {
        self.tensors.number_names()
    }

    /// Returns the name of an action, given by its number.
    fn action_name(&self, py: Python<'_>, action: usize) -> PyResult<String> {
        let n = self.tensors.n_actions();
        self.tensors.action_name(action).ok_or_else(|| setup_error(py, format!("there is no action {action} of {n}")))
    }

    /// Returns a byte for each action: 1 if the game offers the action, else 0.
    fn mask<'py>(&self, py: Python<'py>, game: &Game) -> PyResult<Bound<'py, PyBytes>> {
        let mask = self.with_game(py, game, |game| {
            let mut mask = vec![0; self.tensors.n_actions()];
            self.tensors.write_mask(&game.rules().ruleset, game.state(), &mut mask);
            mask
        })?;
        Ok(PyBytes::new(py, &mask))
    }

    /// Returns the game as a seat sees it: a byte for each cell of each plane, and the numbers
    /// (32-bit floats).
    fn observe<'py>(
        &self,
        py: Python<'py>,
        game: &Game,
        seat: u8,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        if usize::from(seat) >= self.tensors.n_seats() {
            return Err(setup_error(py, format!("there is no seat {seat}; seats are numbered from 0")));
        }
        let (planes, numbers) = self.with_game(py, game, |game| {
            let mut planes = vec![0; self.tensors.n_cells()];
            let mut numbers = vec![0.0; self.tensors.n_numbers()];
            self.tensors.observe(game.rules(), game.state(), rules::Seat(seat), &mut planes, &mut numbers);
            (planes, numbers)
        })?;
        Ok((PyBytes::new(py, &planes), bytes_of(py, &numbers)?))
    }

    /// Returns the number of the option that an action encodes; `None` if the game does not offer
    /// that action.
    fn option(&self, py: Python<'_>, game: &Game, action: usize) -> PyResult<Option<usize>> {
        self.with_game(py, game, |game| self.tensors.option_of(&game.rules().ruleset, game.state(), action))
    }

    /// Returns the action for the option with the number `option`; `None` if the option has no
    /// action.
    fn action(&self, py: Python<'_>, game: &Game, option: usize) -> PyResult<Option<usize>> {
        self.with_game(py, game, |game| self.tensors.action_of(&game.rules().ruleset, game.state(), option))
    }
}
