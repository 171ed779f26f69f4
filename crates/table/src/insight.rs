//! What players like to know: what the game would pay if it ended now, what fits where, and why something may not lie there.
#![expect(clippy::indexing_slicing, reason = "awards are only ever added")]

use std::sync::Arc;

use board::{Edge, Facing, FeatureRef, PlaceError, Placement, Spot, TileIdx, ZoneRef};
use rules::{Answer, Award, DeckIdx, Game, Location, PieceRef, Seat};

use crate::prompt::PromptKind;
use crate::view::GameView;

/// The final count, were the game over now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Projection {
    /// The scores of all players then.
    pub scores: Vec<i64>,
    /// What the final count would book, in order.
    pub awards: Vec<Arc<Award>>,
}

/// Returns what the final count would pay if the game were over now; `after` is answered before, if given. `None` where a mod has failed or
/// fails doing so, or `after` is not offered.
pub fn project(game: &Game, after: Option<Answer>) -> Option<Projection> {
    let mut copy = game.clone();
    if let Some(answer) = after {
        copy.answer(answer).ok()?;
    }
    let n = copy.state().awards().len();
    if !players::finish(&mut copy) {
        return None;
    }
    let view = GameView::of(&copy);
    Some(Projection { scores: view.scores(), awards: view.awards()[n..].to_vec() })
}

/// Returns what a piece would score in the final count that was projected; `None` where it is nobody's, or stands on no zone.
pub fn piece_value(view: GameView<'_>, projection: &Projection, piece: PieceRef) -> Option<i64> {
    let it = view.piece(piece)?;
    let (owner, Location::Zone(_)) = (it.owner?, it.place) else { return None };
    let zones: Vec<ZoneRef> = view.zones_of_piece(piece).collect();
    let stands_on = |feature: FeatureRef| {
        let of_zone = |zone: ZoneRef| view.features_of(zone).find(|f| f.layer == feature.layer);
        zones.iter().filter_map(|zone| of_zone(*zone)).any(|f| view.root(f) == view.root(feature))
    };
    let of_it = projection.awards.iter().filter(|a| a.player == owner && a.feature.is_some_and(stands_on));
    Some(of_it.map(|award| award.points).sum())
}

/// A place for the drawn tile with what it would bring.
#[derive(Clone, PartialEq, Debug)]
pub struct PlaceValue {
    /// The place.
    pub place: Placement,
    /// Points more than now, were the game over after it.
    pub gain: i64,
    /// The piece that has to be put for that, in words; nothing where none has.
    pub with: String,
}

/// Returns what laying the drawn tile at `place` would bring `seat`, who has `now` points in the final count as it is, with the piece that
/// fits best. `None` where the tile may not lie there or a mod fails.
pub fn place_value(game: &Game, seat: Seat, place: Placement, now: i64) -> Option<PlaceValue> {
    let mut after = game.clone();
    after.answer(Answer::Place(place)).ok()?;
    let view = GameView::of(&after);
    let score = |projection: Projection| projection.scores.get(seat.idx()).map(|score| score - now);
    let mut best = PlaceValue { place, gain: score(project(&after, None)?)?, with: String::new() };
    if view.prompt().is_none_or(|p| p.kind != PromptKind::Deploy || p.seat() != Some(seat)) {
        return Some(best);
    }
    for answer in view.answers() {
        let Answer::Deploy { kind, zone } = answer else { continue };
        let Some(gain) = project(&after, Some(answer)).and_then(score) else { continue };
        if gain > best.gain {
            best.gain = gain;
            best.with = format!("{} on the {}", view.piece_name(kind), view.zone_kind(zone));
        }
    }
    Some(best)
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

/// Returns for every open spot what may still come there. Only edges are looked at, not what mods say besides. The tile in hand counts as
/// left.
pub fn odds(view: GameView<'_>) -> Vec<SpotOdds> {
    let state = view.state();
    let deck = DeckIdx(0);
    let in_hand = view.tile_in_hand();
    let mut left: Vec<(TileIdx, usize, usize)> = Vec::new();
    for stack in state.deck(deck).groups.iter().flat_map(|g| &g.stacks) {
        match left.iter_mut().find(|(tile, ..)| tile.0 == stack.item) {
            Some(_) => {}
            None => left.push((TileIdx(stack.item), view.n_unseen(deck, stack.item), 0)),
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
    for open in view.board().open_spots() {
        let fits: Vec<&(TileIdx, usize, usize)> =
            left.iter().filter(|(tile, ..)| view.fits(*tile, open.spot)).collect();
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
    /// A rule forbids it; [`who_forbids`] knows of which mods.
    Rule,
}

impl WhyNot {
    /// Returns one sentence for people, without a full stop.
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
            WhyNot::Rule => "a rule does not allow it".to_owned(),
        }
    }
}

/// Returns why `tile` may not lie at `place`; `None` where it may. The game is asking where that tile goes.
pub fn why_not(view: GameView<'_>, tile: TileIdx, place: Placement) -> Option<WhyNot> {
    let state = view.state;
    let tile_set = view.tile_set();
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
        Ok(()) if decision.is_legal(view.ruleset, state, Answer::Place(place)) => None,
        Ok(()) => Some(WhyNot::Rule),
    }
}

/// Returns the mods whose rules forbid `tile` to lie at `place`, where its edges fit.
pub fn who_forbids(game: &Game, tile: TileIdx, place: Placement) -> Vec<String> {
    rules::who_forbids(game.rules(), game.state(), tile, place)
}

/// Returns who has the majority on a feature; nobody where no piece stands on it, or a mod fails.
pub fn owners(game: &Game, feature: FeatureRef) -> Vec<Seat> {
    let view = GameView::of(game);
    if view.board().occupants(feature).next().is_none() {
        return Vec::new();
    }
    rules::winners(game.rules(), &mut view.state().clone(), view.root(feature)).unwrap_or_default()
}

/// The land at an edge in a word: the kind at its middle, else that of its first half.
fn edge_word(tile_set: &board::TileSet, tile: &board::Tile, facing: Facing, edge: Edge) -> String {
    let [first, middle, _] = edge.ports();
    let turned = tile.turned(facing);
    let kind = tile.kind_at(turned, middle).or_else(|| tile.kind_at(turned, first));
    kind.map_or_else(|| "nothing".to_owned(), |kind| tile_set.kind(kind).name.clone())
}
