//! The ghost: the drawn tile as the board shows it before it is placed. The user chooses its facing
//! and its spot with the pointer, keys or taps.

use table::{Answer, Facing, Placement, Snapshot, Spot, TileIdx};

use crate::insight_cache::InsightCache;
use crate::view_state::{ViewMove, ViewState};

/// Returns the tile to place at the current position; `None` if there is no tile to place.
pub fn tile(session: &Snapshot) -> Option<TileIdx> {
    session.view().tile_to_place()
}

/// Returns the facings at which the drawn tile may be placed on `spot`. `places` contains its legal
/// placements.
pub fn facings(places: &[Placement], spot: Spot) -> Vec<Facing> {
    places.iter().filter(|p| p.spot == spot).map(|p| p.facing).collect()
}

/// Returns the facing at which the drawn tile is shown on `spot`. This is the facing that the user
/// chose or, if it is illegal there, the next legal facing clockwise. At the hint level Purist,
/// always returns the facing that the user chose.
pub fn facing_on(view_state: &ViewState, places: &[Placement], spot: Spot) -> Facing {
    if view_state.turns_freely {
        return view_state.facing;
    }
    let fitting = facings(places, spot);
    let turned = |n: u8| Facing::from_quarters(view_state.facing.quarters() + n);
    (0..4).map(turned).find(|f| fitting.contains(f)).unwrap_or(view_state.facing)
}

/// Returns the spot under the pointer, or else the spot chosen by keys or a tap, if any.
pub fn spot(view_state: &ViewState) -> Option<Spot> {
    view_state.hover.or(view_state.chosen)
}

/// Turns the drawn tile clockwise, or counter-clockwise if `clockwise` is false. On a spot where
/// the tile fits, turns it to the next legal facing. Elsewhere, and always at the hint level
/// Purist, turns it by a quarter.
pub fn rotate(session: &Snapshot, insight: &mut InsightCache, view_state: &mut ViewState, clockwise: bool) {
    let places = insight.places(session);
    let step = if clockwise { 1 } else { 3 };
    let now = spot(view_state).map_or(view_state.facing, |s| facing_on(view_state, &places, s));
    let fitting =
        spot(view_state).filter(|_| !view_state.turns_freely).map(|s| facings(&places, s)).unwrap_or_default();
    let turned = |n: u8| Facing::from_quarters(now.quarters() + n * step);
    view_state.facing = (1..=4).map(turned).find(|f| fitting.is_empty() || fitting.contains(f)).unwrap_or(now);
}

/// Chooses the next spot, in reading order, on which the drawn tile fits. If `forward` is false,
/// chooses the previous one.
pub fn choose_next_spot(session: &Snapshot, insight: &mut InsightCache, view_state: &mut ViewState, forward: bool) {
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
    view_state.moves.push(ViewMove::Show(spots[next]));
}

/// Returns the placement that Enter submits. Returns `None` if no spot is chosen or under the
/// pointer, or if the tile does not fit there.
pub fn placement(session: &Snapshot, insight: &mut InsightCache, view_state: &ViewState) -> Option<Answer> {
    let places = insight.places(session);
    let spot = view_state.chosen.or(view_state.hover)?;
    let facing = facing_on(view_state, &places, spot);
    places.iter().find(|p| p.spot == spot && p.facing == facing).map(|p| Answer::Place(*p))
}
