//! The drawn tile before it is laid: how it is turned, and the place that keys have chosen.

use table::{Answer, Facing, Placement, Snapshot, Spot, TileIdx};

use crate::insight_cache::InsightCache;
use crate::view_state::{Move, ViewState};

/// The tile that is to be laid at the moment looked at.
pub fn tile(session: &Snapshot) -> Option<TileIdx> {
    session.view().tile_to_place()
}

/// The facings at which the tile may lie on `spot`.
pub fn facings(places: &[Placement], spot: Spot) -> Vec<Facing> {
    places.iter().filter(|p| p.spot == spot).map(|p| p.facing).collect()
}

/// How the ghost lies on `spot`: as it is turned, or turned on to the next way it fits, unless that would tell too much.
pub fn facing_on(view_state: &ViewState, places: &[Placement], spot: Spot) -> Facing {
    if view_state.turns_freely {
        return view_state.facing;
    }
    let fitting = facings(places, spot);
    let turned = |n: u8| Facing::from_quarters(view_state.facing.quarters() + n);
    (0..4).map(turned).find(|f| fitting.contains(f)).unwrap_or(view_state.facing)
}

/// Where the tile would be laid: under the pointer, else where keys have chosen.
pub fn spot(view_state: &ViewState) -> Option<Spot> {
    view_state.hover.or(view_state.chosen)
}

/// Turns the ghost, to the next way it fits where it lies on a place.
pub fn rotate(session: &Snapshot, insight: &mut InsightCache, view_state: &mut ViewState, clockwise: bool) {
    let places = insight.places(session);
    let step = if clockwise { 1 } else { 3 };
    let now = spot(view_state).map_or(view_state.facing, |s| facing_on(view_state, &places, s));
    let fitting =
        spot(view_state).filter(|_| !view_state.turns_freely).map(|s| facings(&places, s)).unwrap_or_default();
    let turned = |n: u8| Facing::from_quarters(now.quarters() + n * step);
    view_state.facing = (1..=4).map(turned).find(|f| fitting.is_empty() || fitting.contains(f)).unwrap_or(now);
}

/// Goes to the next place (or the one before) where the tile fits, in reading order.
pub fn next_spot(session: &Snapshot, insight: &mut InsightCache, view_state: &mut ViewState, forward: bool) {
    let places = insight.places(session);
    let mut spots: Vec<Spot> = places.iter().map(|p| p.spot).collect();
    spots.dedup();
    if spots.is_empty() {
        return;
    }
    let now = view_state.chosen.and_then(|s| spots.iter().position(|other| *other == s));
    let n = spots.len();
    let next = match (now, forward) {
        (None, true) => 0,
        (None, false) => n - 1,
        (Some(i), true) => (i + 1) % n,
        (Some(i), false) => (i + n - 1) % n,
    };
    view_state.by_finger = false;
    view_state.chosen = Some(spots[next]);
    view_state.hover = None;
    view_state.moves.push(Move::Show(spots[next]));
}

/// The place that Enter stands for; `None` where the tile does not fit there.
pub fn placement(session: &Snapshot, insight: &mut InsightCache, view_state: &ViewState) -> Option<Answer> {
    let places = insight.places(session);
    let spot = view_state.chosen.or(view_state.hover)?;
    let facing = facing_on(view_state, &places, spot);
    places.iter().find(|p| p.spot == spot && p.facing == facing).map(|p| Answer::Place(*p))
}
