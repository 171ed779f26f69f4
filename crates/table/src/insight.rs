//! What players like to know: what the game would pay if it ended now, what fits where, and why something may not lie there.

use std::sync::Arc;

use board::{Edge, Facing, PlaceError, Placement, Spot, TileIdx};
use rules::{Answer, Award, DeckIdx, Game, State, Status};

use crate::step::scores;

/// The final count, were the game over now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Projection {
    /// The scores of all players then.
    pub scores: Vec<i64>,
    /// What the final count would book, in order.
    pub awards: Vec<Arc<Award>>,
}

/// What the final count would pay if the game were over now; `after` is answered before, if given. `None` where a mod has failed or fails
/// doing so, or `after` is not offered.
pub fn project(game: &Game, after: Option<Answer>) -> Option<Projection> {
    let mut copy = game.clone();
    if let Some(choice) = after {
        copy.answer(choice).ok()?;
    }
    let n = copy.state().awards().len();
    match copy.status() {
        Status::Fault(_) => return None,
        Status::Over => {}
        Status::Decision(_) => copy.end_now(),
    }
    if !matches!(copy.status(), Status::Over) {
        return None;
    }
    let state = copy.state();
    Some(Projection { scores: scores(state), awards: state.awards()[n..].to_vec() })
}

/// What may still come to an open spot.
#[derive(Clone, PartialEq, Debug)]
pub struct SpotOdds {
    /// The spot.
    pub spot: Spot,
    /// How many tiles lie beside it.
    pub n_neighbours: usize,
    /// The tiles left that fit in some facing, with how many there are of each.
    pub fits: Vec<(TileIdx, usize)>,
    /// How many tiles that is.
    pub n_fits: usize,
    /// How likely the player whose turn it is draws one of them in what is left of the game, from 0 to 1.
    pub chance_own: f64,
    /// How likely the next tile drawn is one of them.
    pub chance_next: f64,
}

/// For every open spot what may still come there. Only edges are looked at, not what mods say besides. The tile in hand counts as left.
pub fn odds(state: &State, ruleset: &rules::Ruleset) -> Vec<SpotOdds> {
    let tile_set = &ruleset.catalogue.tile_set;
    let deck = DeckIdx(0);
    let in_hand = state.part().filter(|p| p.tile.is_none()).and_then(|p| p.tile_type);
    let mut left: Vec<(TileIdx, usize, usize)> = Vec::new();
    for stack in state.deck(deck).groups.iter().flat_map(|g| &g.stacks) {
        match left.iter_mut().find(|(tile, ..)| tile.0 == stack.item) {
            Some((_, n, _)) => *n += usize::from(stack.left),
            None => left.push((TileIdx(stack.item), usize::from(stack.left), 0)),
        }
    }
    if let Some(tile) = in_hand {
        match left.iter_mut().find(|(t, ..)| *t == tile) {
            Some((.., hand)) => *hand += 1,
            None => left.push((tile, 0, 1)),
        }
    }
    left.sort_unstable_by_key(|(tile, ..)| *tile);
    let n_left: usize = left.iter().map(|(_, n, _)| n).sum();
    let n_own = n_left / usize::from(state.n_seats.max(1));
    let mut found: Vec<SpotOdds> = Vec::new();
    for open in state.board.open_spots() {
        let fits_here =
            |tile: TileIdx| Facing::ALL.iter().any(|f| state.board.check(tile_set, open.spot, tile, *f).is_ok());
        let fits: Vec<&(TileIdx, usize, usize)> = left.iter().filter(|(tile, ..)| fits_here(*tile)).collect();
        let n_drawable: usize = fits.iter().map(|(_, n, _)| n).sum();
        found.push(SpotOdds {
            spot: open.spot,
            n_neighbours: (0..4).filter(|e| open.needed(*e).is_some()).count(),
            n_fits: fits.iter().map(|(_, n, hand)| n + hand).sum(),
            fits: fits.iter().map(|(tile, n, hand)| (*tile, n + hand)).collect(),
            chance_own: chance_of_one(n_left, n_drawable, n_own),
            chance_next: if n_left == 0 { 0.0 } else { n_drawable as f64 / n_left as f64 },
        });
    }
    found.sort_by_key(|o| (o.spot.y, o.spot.x));
    found
}

/// How likely at least one of `n_good` among `n` comes in `n_draws` draws without putting back.
fn chance_of_one(n: usize, n_good: usize, n_draws: usize) -> f64 {
    let mut none = 1.0;
    for i in 0..n_draws.min(n) {
        none *= (n - i).saturating_sub(n_good) as f64 / (n - i) as f64;
    }
    1.0 - none
}

/// Why a tile may not lie somewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WhyNot {
    /// A tile lies there.
    Taken,
    /// It would touch no tile.
    Apart,
    /// An edge does not agree with its neighbour.
    Edge {
        /// Which edge of the tile.
        edge: Edge,
        /// The kind of land at its middle.
        mine: String,
        /// The kind of land of the neighbour there.
        theirs: String,
    },
    /// A rule of these mods forbids it.
    Mods(Vec<String>),
}

impl WhyNot {
    /// One sentence for people, without a full stop.
    pub fn sentence(&self) -> String {
        match self {
            WhyNot::Taken => "a tile lies here".to_owned(),
            WhyNot::Apart => "it would touch no tile".to_owned(),
            WhyNot::Edge { edge, mine, theirs } => {
                let name = match edge {
                    Edge::North => "north",
                    Edge::East => "east",
                    Edge::South => "south",
                    Edge::West => "west",
                };
                format!("{name} edge: {mine} meets {theirs}")
            }
            WhyNot::Mods(mods) => format!("a rule of {} does not allow it", mods.join(" and ")),
        }
    }
}

/// Why `tile` may not lie at `place`; `None` where it may. `game` is asking where that tile goes.
pub fn why_not(game: &Game, tile: TileIdx, place: Placement) -> Option<WhyNot> {
    let state = game.state();
    let rules = game.rules();
    let tile_set = &rules.catalogue().tile_set;
    let decision = state.decision()?;
    match state.board.check(tile_set, place.spot, tile, place.facing) {
        Err(PlaceError::Taken) => Some(WhyNot::Taken),
        Err(PlaceError::Apart) => Some(WhyNot::Apart),
        Err(PlaceError::Edge(edge)) => {
            let shape = tile_set.tile(tile);
            let mine = edge_word(tile_set, shape, place.facing, edge);
            let neighbour = state.board.neighbour(place.spot, edge).map(|t| *state.board.tile(t));
            let theirs = neighbour
                .map(|n| edge_word(tile_set, tile_set.tile(n.tile), n.facing, edge.opposite()))
                .unwrap_or_default();
            Some(WhyNot::Edge { edge, mine, theirs })
        }
        Ok(()) if decision.is_legal(&rules.ruleset, state, Answer::Place(place)) => None,
        Ok(()) => Some(WhyNot::Mods(rules::who_forbids(rules, state, tile, place))),
    }
}

/// The land at an edge in a word: the kind at its middle, else that of its first half.
fn edge_word(tile_set: &board::TileSet, tile: &board::Tile, facing: Facing, edge: Edge) -> String {
    let [first, middle, _] = edge.ports();
    let turned = tile.turned(facing);
    let kind = tile.kind_at(turned, middle).or_else(|| tile.kind_at(turned, first));
    kind.map_or_else(|| "nothing".to_owned(), |kind| tile_set.kind(kind).name.clone())
}
