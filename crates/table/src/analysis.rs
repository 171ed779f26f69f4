//! Analysis for players: the scores if the game ended now, the tiles that fit, and the reason why a
//! placement is illegal.
#![expect(clippy::indexing_slicing, reason = "the list of awards never gets shorter")]

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use board::{Edge, Facing, FeatureRef, PlaceError, Placement, Spot, TileIdx, ZoneRef};
use rules::{Answer, Award, DeckIdx, Game, Location, PieceRef, Seat};

use crate::describe::edge_name;
use crate::prompt::PromptKind;
use crate::view::GameView;

/// The final result if the game ended now, or right after an offered answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Projection {
    /// The final scores of all players, by seat.
    pub scores: Vec<i64>,
    /// The awards of complete features that are not scored yet, followed by the awards of the final
    /// count.
    pub awards: Vec<Arc<Award>>,
}

/// Returns the final result if the game ended now or, if `after` is given, right after that answer.
/// The result includes complete features that are not scored yet, and the final count. `None` if a
/// mod fails or has failed, if a mod asks a question before the end, or if `after` is not an
/// offered answer.
pub fn project(game: &Game, after: Option<Answer>) -> Option<Projection> {
    let mut copy = game.clone();
    if let Some(answer) = after {
        copy.answer(answer).ok()?;
    }
    let n = copy.state().awards().len();
    if !players::run_final_count(&mut copy) {
        return None;
    }
    let view = GameView::of(&copy);
    Some(Projection { scores: view.scores(), awards: view.awards()[n..].to_vec() })
}

/// Returns the projected points of a piece's owner for the features under the piece. `None` if the
/// piece is neutral, not in play, or on no zone.
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

/// A placement of the drawn tile and its value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlaceValue {
    /// The placement.
    pub place: Placement,
    /// The points by which the placement and the deployment `with` increase the player's projected
    /// score.
    pub gain: i64,
    /// The deployment that this gain needs, such as `follower on the city`; empty if no piece is
    /// needed.
    pub with: String,
}

/// Returns the value for `seat` of placing the drawn tile at `place` and then deploying the best
/// piece. `None` if the placement is illegal or the result cannot be projected.
pub(crate) fn place_value(game: &Game, seat: Seat, place: Placement) -> Option<PlaceValue> {
    let mut after = game.clone();
    after.answer(Answer::Place(place)).ok()?;
    let view = GameView::of(&after);
    let score = |projection: Projection| projection.scores.get(seat.idx()).copied();
    let now = score(project(game, None)?)?;
    let gain = |projection: Projection| Some(score(projection)? - now);
    let mut best = PlaceValue { place, gain: gain(project(&after, None)?)?, with: String::new() };
    if view.prompt().is_none_or(|p| p.kind != PromptKind::Deploy || p.seat() != Some(seat)) {
        return Some(best);
    }
    for answer in view.answers() {
        let Answer::Deploy { kind, zone } = answer else { continue };
        let Some(gain) = project(&after, Some(answer)).and_then(gain) else { continue };
        if gain > best.gain {
            best.gain = gain;
            best.with = format!("{} on the {}", view.piece_title(kind), view.zone_kind(zone));
        }
    }
    Some(best)
}

/// The chances that players fill an open spot.
#[derive(Clone, PartialEq, Debug)]
pub struct SpotOdds {
    /// The spot.
    pub spot: Spot,
    /// The number of neighbouring tiles that restrict the spot. A tile does not count if its edge
    /// towards the spot fits every edge.
    pub n_neighbours: usize,
    /// The remaining tile types that fit at any facing, each with the number of copies left.
    pub fits: Vec<(TileIdx, usize)>,
    /// The total number of copies of fitting tiles.
    pub n_fits: usize,
    /// The probability that the player whose turn it is draws a fitting tile during the rest of the
    /// game, from 0 to 1.
    pub chance_own: f64,
    /// The probability that the next drawn tile fits, from 0 to 1.
    pub chance_next: f64,
}

/// Returns the chances of filling each open spot with tiles of the first deck. Considers only
/// edges, not the rules of mods. The numbers of copies include the drawn tile that is not placed
/// yet; the probabilities ignore this tile.
pub fn odds(view: GameView<'_>) -> Vec<SpotOdds> {
    let state = view.state();
    let deck = DeckIdx(0);
    let in_hand = view.unplaced_tile();
    let mut left: Vec<(TileIdx, usize, usize)> = Vec::new();
    for stack in state.deck(deck).groups.iter().flat_map(|g| &g.stacks) {
        if left.iter().all(|(tile, ..)| tile.0 != stack.item) {
            left.push((TileIdx(stack.item), view.n_unseen(deck, stack.item), 0));
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
            n_neighbours: (0..4).filter(|e| open.required_code(*e).is_some()).count(),
            n_fits: fits.iter().map(|(_, n, hand)| n + hand).sum(),
            fits: fits.iter().map(|(tile, n, hand)| (*tile, n + hand)).collect(),
            chance_own: chance_of_one(n_left, n_drawable, n_own),
            chance_next: if n_left == 0 { 0.0 } else { n_drawable as f64 / n_left as f64 },
        });
    }
    found.sort_by_key(|o| (o.spot.y, o.spot.x));
    found
}

/// Returns the probability of drawing at least one of the `n_good` good items in `n_draws` draws
/// without replacement from `n` items.
fn chance_of_one(n: usize, n_good: usize, n_draws: usize) -> f64 {
    let mut none = 1.0;
    for i in 0..n_draws.min(n) {
        none *= (n - i).saturating_sub(n_good) as f64 / (n - i) as f64;
    }
    1.0 - none
}

/// A reason why a placement is illegal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IllegalPlacement {
    /// The spot holds a tile.
    Taken,
    /// No tile lies beside the spot.
    Apart,
    /// An edge does not match the edge of the neighbour.
    Edge {
        /// The edge of the spot.
        edge: Edge,
        /// The kind of land of the tile at this edge.
        mine: String,
        /// The kind of land of the neighbour at this edge.
        theirs: String,
    },
    /// A mod forbids the placement. [`Insight::ForbiddingMods`](crate::Insight::ForbiddingMods)
    /// finds the mod.
    Rule,
}

impl IllegalPlacement {
    /// Returns the reason as a sentence for players, without a full stop.
    pub fn sentence(&self) -> String {
        match self {
            IllegalPlacement::Taken => "a tile lies here".to_owned(),
            IllegalPlacement::Apart => "no tile lies next to this spot".to_owned(),
            IllegalPlacement::Edge { edge, mine, theirs } => {
                format!("{} edge: {mine} meets {theirs}", edge_name(*edge))
            }
            IllegalPlacement::Rule => "a rule does not allow it".to_owned(),
        }
    }
}

/// Returns the reason why placing `tile` at `place` is illegal; `None` if the placement is legal.
/// The open decision must be the placement of this tile.
pub fn illegal_placement_reason(view: GameView<'_>, tile: TileIdx, place: Placement) -> Option<IllegalPlacement> {
    let state = view.state;
    let tile_set = view.tile_set();
    let decision = state.decision()?;
    match state.board.check(tile_set, place.spot, tile, place.facing) {
        Err(PlaceError::Taken) => Some(IllegalPlacement::Taken),
        Err(PlaceError::Apart) => Some(IllegalPlacement::Apart),
        Err(PlaceError::Edge(edge)) => {
            let shape = tile_set.tile(tile);
            let mine = edge_kind_name(tile_set, shape, place.facing, edge);
            let neighbour = state.board.neighbour(place.spot, edge).map(|t| *state.board.tile(t));
            let theirs = neighbour
                .map(|n| edge_kind_name(tile_set, tile_set.tile(n.tile), n.facing, edge.opposite()))
                .unwrap_or_default();
            Some(IllegalPlacement::Edge { edge, mine, theirs })
        }
        Ok(()) if decision.is_legal(view.ruleset, state, Answer::Place(place)) => None,
        Ok(()) => Some(IllegalPlacement::Rule),
    }
}

/// Returns the players with the majority on a feature; empty if the feature is unoccupied or a mod
/// fails.
pub(crate) fn majority_holders(game: &Game, feature: FeatureRef) -> Vec<Seat> {
    let view = GameView::of(game);
    if view.board().occupants(feature).next().is_none() {
        return Vec::new();
    }
    rules::majority_holders(game.rules(), &mut view.state().clone(), view.root(feature)).unwrap_or_default()
}

/// Returns the name of the kind of land in the middle of an edge or, if the middle has no kind, at
/// the first half of the edge.
fn edge_kind_name(tile_set: &board::TileSet, tile: &board::Tile, facing: Facing, edge: Edge) -> String {
    let [first, middle, _] = edge.ports();
    let turned = tile.turned(facing);
    let kind = tile.kind_at(turned, middle).or_else(|| tile.kind_at(turned, first));
    kind.map_or_else(|| "nothing".to_owned(), |kind| tile_set.kind(kind).name.clone())
}
