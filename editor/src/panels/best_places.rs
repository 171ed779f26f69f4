//! The list of the best placements for the drawn tile. The hint level Learn shows it.

use egui::Ui;
use table::{Answer, PlaceValue, Seat, Target};

use super::widgets::signed;
use crate::command::Command;
use crate::ui_context::UiContext;
use crate::view_state::ViewMove;

/// Returns the three best placements of `found`, the best first. Returns at most one placement for
/// each spot.
pub fn three_best(found: &[PlaceValue]) -> Vec<PlaceValue> {
    let mut order: Vec<&PlaceValue> = found.iter().collect();
    order.sort_by_key(|b| (std::cmp::Reverse(b.gain), b.place.spot.y, b.place.spot.x, b.place.facing.quarters()));
    let mut best: Vec<PlaceValue> = Vec::new();
    for candidate in order {
        if best.len() < 3 && best.iter().all(|b| b.place.spot != candidate.place.spot) {
            best.push(candidate.clone());
        }
    }
    best
}

/// Draws the best placements, at most three. If the user hovers over a placement, highlights it and
/// returns it. A click selects it.
pub fn best_places(ui: &mut Ui, cx: &mut UiContext<'_>, seat: Seat) -> Option<Answer> {
    let places = cx.insight.places(cx.session);
    let values: Vec<Option<Option<PlaceValue>>> =
        places.iter().map(|place| cx.insight.place_value(cx.session, seat, *place)).collect();
    let is_done = values.iter().all(Option::is_some);
    let found: Vec<PlaceValue> = values.into_iter().flatten().flatten().collect();
    let best = three_best(&found);
    if best.is_empty() {
        return None;
    }
    let title = if is_done { "Best places" } else { "Best places so far" };
    ui.weak(title).on_hover_text("Points gained if the game ended after this move, with the best piece.");
    let mut pointed = None;
    for best in best {
        let spot = best.place.spot;
        let with = if best.with.is_empty() { String::new() } else { format!(", {}", best.with) };
        let response = ui.button(format!("{}  at {spot}{with}", signed(best.gain)));
        if response.hovered() {
            cx.view_state.highlight(Target::Spot(spot));
            pointed = Some(Answer::Place(best.place));
        }
        if response.clicked() {
            cx.view_state.chosen = Some(spot);
            cx.view_state.facing = best.place.facing;
            cx.view_state.moves.push(ViewMove::Show(spot));
        }
        let key = Command::Confirm.key_text(ui.ctx());
        response.on_hover_text(format!("Click to select this place; {key} lays the tile."));
    }
    pointed
}

#[cfg(test)]
mod tests {
    use table::{Facing, Placement, Spot};

    use super::*;

    fn best(x: i16, quarters: u8, gain: i64) -> PlaceValue {
        let place = Placement { spot: Spot::new(x, 0), facing: Facing::from_quarters(quarters) };
        PlaceValue { place, gain, with: String::new() }
    }

    #[test]
    fn three_best_places_are_on_three_spots() {
        let found = [best(1, 0, 2), best(1, 1, 5), best(2, 0, 5), best(3, 0, 1), best(4, 0, 3)];
        let spots: Vec<(i16, i64)> = three_best(&found).iter().map(|b| (b.place.spot.x, b.gain)).collect();
        assert_eq!(spots, [(1, 5), (2, 5), (4, 3)]);
        assert!(three_best(&[]).is_empty());
    }
}
