//! The layout of tensors. The layout follows from the mods, the number of seats, the size of the
//! board window and the number of indexed actions.

use std::sync::Arc;

use board::Spot;
use rules::{Catalogue, Game, SettingValue};

/// The number of places of a zone on a tile: twelve ports, and one place for zones without ports.
pub(crate) const N_PLACES: usize = 13;

/// The number of zones without ports on one tile that have their own actions for deployments.
const N_INNER: usize = 4;

/// The number of places on a tile for which deployments have their own actions.
pub(crate) const N_DEPLOYS: usize = 12 + N_INNER;

/// The number of facings of a tile.
pub(crate) const N_FACINGS: usize = 4;

/// The number of cases that the encoding distinguishes for the owner of a piece: the observing
/// seat, another seat, or no seat.
pub(crate) const N_OWNERS: usize = 3;

/// The number of question kinds that the encoding distinguishes.
pub(crate) const N_QUESTIONS: usize = 7;

/// The encoding of games as tensors: a window of the board centred on spot 0,0, further numbers,
/// and actions with fixed numbers.
///
/// Tiles outside the window are not encoded. Options outside the window can still be chosen, as
/// indexed actions.
#[derive(Clone, Debug)]
pub struct Encoding {
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) n_seats: usize,
    pub(crate) size: usize,
    pub(crate) n_indexed: usize,
}

/// A size of an encoding that is not permitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SizeError {
    /// The width of the window.
    #[error("the window cannot be {0} spots wide; choose an odd number from 3 to 99")]
    Window(usize),
    /// The number of indexed actions.
    #[error("there cannot be {0} indexed actions; choose 1 to 10000")]
    IndexedActions(usize),
}

impl Encoding {
    /// Makes the encoding of games with `n_seats` seats. The window has `size` by `size` spots (an
    /// odd number from 3 to 99). `n_indexed` actions (1 to 10,000) are for options without their
    /// own action number.
    ///
    /// # Errors
    /// Returns an error with the permitted range if `size` or `n_indexed` is not permitted.
    pub fn new(
        catalogue: Arc<Catalogue>,
        n_seats: usize,
        size: usize,
        n_indexed: usize,
    ) -> Result<Encoding, SizeError> {
        if size.is_multiple_of(2) || !(3..=99).contains(&size) {
            return Err(SizeError::Window(size));
        }
        if !(1..=10_000).contains(&n_indexed) {
            return Err(SizeError::IndexedActions(n_indexed));
        }
        Ok(Encoding { catalogue, n_seats, size, n_indexed })
    }

    /// Returns the default settings of the mods, which [`rules::RulesFactory::rules`] takes.
    pub fn default_settings(&self) -> Vec<SettingValue> {
        rules::Rules::default_settings(&self.catalogue)
    }

    /// Returns whether a game has the mods and the number of seats of this encoding.
    pub fn is_for(&self, game: &Game) -> bool {
        game.rules().catalogue().mods == self.catalogue.mods && game.setup().players.len() == self.n_seats
    }

    /// Returns the number of seats.
    pub fn n_seats(&self) -> usize {
        self.n_seats
    }

    /// Returns the width and height of the window in spots.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the index of a spot in the window, row by row; `None` for a spot outside the window.
    pub(crate) fn cell(&self, spot: Spot) -> Option<usize> {
        let half = (self.size / 2) as i16;
        let at = |n: i16| usize::try_from(n + half).ok().filter(|n| *n < self.size);
        Some(at(spot.y)? * self.size + at(spot.x)?)
    }

    fn n_kinds(&self) -> usize {
        self.catalogue.tile_set.kinds.len()
    }

    fn n_tags(&self) -> usize {
        self.catalogue.tile_set.tags.len()
    }

    fn n_pieces(&self) -> usize {
        self.catalogue.pieces.len()
    }
}

/// The numbering of actions: 0 passes; then come placements by spot and facing, deployments by
/// piece kind and place, and all other options by index.
impl Encoding {
    /// Returns the number of actions.
    pub fn n_actions(&self) -> usize {
        self.first_indexed() + self.n_indexed
    }

    /// Returns the number of the action that places the drawn tile in a cell of the window, at a
    /// facing.
    pub(crate) fn place_action(&self, cell: usize, facing: usize) -> usize {
        1 + cell * N_FACINGS + facing
    }

    /// Returns the number of the action that deploys a piece of a kind to a place on the tile just
    /// laid.
    pub(crate) fn deploy_action(&self, kind: usize, place: usize) -> usize {
        1 + self.size * self.size * N_FACINGS + kind * N_DEPLOYS + place
    }

    /// Returns the number of the first indexed action.
    pub(crate) fn first_indexed(&self) -> usize {
        self.deploy_action(self.n_pieces(), 0)
    }

    /// Returns the name of an action, such as `place 1,0 90`; `None` if there is no such action.
    pub fn action_name(&self, action: usize) -> Option<String> {
        let (places, deploys, indexed) = (1, self.deploy_action(0, 0), self.first_indexed());
        let half = (self.size / 2) as i64;
        Some(match action {
            0 => "pass".to_owned(),
            n if n < deploys => {
                let (cell, facing) = ((n - places) / N_FACINGS, (n - places) % N_FACINGS);
                let (x, y) = ((cell % self.size) as i64 - half, (cell / self.size) as i64 - half);
                format!("place {x},{y} {}", facing * 90)
            }
            n if n < indexed => {
                let (kind, place) = ((n - deploys) / N_DEPLOYS, (n - deploys) % N_DEPLOYS);
                format!("deploy {} {}", self.catalogue.pieces.get(kind)?.name, place_name(place))
            }
            n if n < self.n_actions() => format!("option {}", n - indexed),
            _ => return None,
        })
    }
}

/// Returns the name of a place on a tile: a port, or `inside` with a number counted from 1.
fn place_name(place: usize) -> String {
    match board::Port::NAMES.get(place) {
        Some(name) => (*name).to_owned(),
        None => format!("inside {}", place - board::Port::NAMES.len() + 1),
    }
}

/// Planes: one byte for each spot of the window. The planes follow each other in memory.
impl Encoding {
    /// Returns the number of planes of an observation.
    pub fn n_planes(&self) -> usize {
        self.first_fit_plane() + N_FACINGS
    }

    /// Returns the number of values in all planes.
    pub fn n_cells(&self) -> usize {
        self.n_planes() * self.size * self.size
    }

    pub(crate) fn land_plane(&self, kind: usize, place: usize) -> usize {
        2 + kind * N_PLACES + place
    }

    pub(crate) fn tag_plane(&self, tag: usize) -> usize {
        self.land_plane(self.n_kinds(), 0) + tag
    }

    pub(crate) fn owner_plane(&self, owner: usize, place: usize) -> usize {
        self.tag_plane(self.n_tags()) + owner * N_PLACES + place
    }

    pub(crate) fn piece_plane(&self, owner: usize, kind: usize) -> usize {
        self.owner_plane(N_OWNERS, 0) + owner * self.n_pieces() + kind
    }

    pub(crate) fn first_fit_plane(&self) -> usize {
        self.piece_plane(N_OWNERS, 0)
    }

    /// Returns the names of the planes, in order.
    pub fn plane_names(&self) -> Vec<String> {
        const OWNERS: [&str; N_OWNERS] = ["own", "other", "neutral"];
        let places: Vec<&str> = board::Port::NAMES.into_iter().chain(["inside"]).collect();
        let catalogue = &self.catalogue;
        let mut names = vec!["tile".to_owned(), "open".to_owned()];
        let by_place = |name: &str| places.iter().map(|place| format!("{name} {place}")).collect::<Vec<_>>();
        names.extend(catalogue.tile_set.kinds.iter().flat_map(|kind| by_place(&kind.name)));
        names.extend(catalogue.tile_set.tags.iter().map(|tag| format!("tag {}", tag.name)));
        names.extend(OWNERS.iter().flat_map(|owner| by_place(&format!("{owner} piece"))));
        let kinds =
            |owner: &&str| catalogue.pieces.iter().map(|kind| format!("{owner} {}", kind.name)).collect::<Vec<_>>();
        names.extend(OWNERS.iter().flat_map(kinds));
        names.extend((0..N_FACINGS).map(|facing| format!("fits {}", facing * 90)));
        names
    }
}

/// The numbers of an observation besides the planes, such as scores and the drawn tile.
impl Encoding {
    /// Returns the count of numbers in an observation, besides the planes.
    pub fn n_numbers(&self) -> usize {
        self.seat_offset(self.n_seats)
    }

    pub(crate) fn drawn_number(&self, kind: usize, place: usize) -> usize {
        2 + N_QUESTIONS + kind * N_PLACES + place
    }

    pub(crate) fn drawn_tag_number(&self, tag: usize) -> usize {
        self.drawn_number(self.n_kinds(), 0) + tag
    }

    /// Returns the index of the first number of a seat. Seat 0 is the observing seat; the others
    /// follow in the order of play.
    pub(crate) fn seat_offset(&self, seat: usize) -> usize {
        let a_seat = 2 + self.n_pieces() + self.catalogue.tokens.len();
        self.drawn_tag_number(self.n_tags()) + seat * a_seat
    }

    /// Returns the names of the numbers, in order.
    pub fn number_names(&self) -> Vec<String> {
        const QUESTIONS: [&str; N_QUESTIONS] = ["draw", "roll", "source", "place", "deploy", "marker", "ask"];
        let places: Vec<&str> = board::Port::NAMES.into_iter().chain(["inside"]).collect();
        let catalogue = &self.catalogue;
        let mut names = vec!["turn".to_owned(), "tiles left".to_owned()];
        names.extend(QUESTIONS.iter().map(|question| format!("asked {question}")));
        let kinds = catalogue.tile_set.kinds.iter();
        names.extend(kinds.flat_map(|kind| places.iter().map(|place| format!("drawn {} {place}", kind.name))));
        names.extend(catalogue.tile_set.tags.iter().map(|tag| format!("drawn tag {}", tag.name)));
        for seat in 0..self.n_seats {
            names.extend([format!("seat {seat} asked"), format!("seat {seat} score")]);
            names.extend(catalogue.pieces.iter().map(|kind| format!("seat {seat} {}", kind.name)));
            names.extend(catalogue.tokens.iter().map(|token| format!("seat {seat} token {}", token.name)));
        }
        names
    }
}
