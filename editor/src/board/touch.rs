//! Touch: a tap puts the drawn tile on a spot, and another tap turns the tile. A button beside the
//! tile confirms the placement. A tap on the tile does not confirm, because the finger hides the
//! tile.

use egui::{Align2, Button, Event, Pos2, Rect, RichText, Sense, Ui, pos2, vec2};
use table::Spot;

use super::board_cache::BoardCache;
use super::open_spots::Ghost;
use super::scene::Scene;
use crate::actions::Action;
use crate::ghost_tile;
use crate::ui_context::UiContext;

/// The height of a touch button, in points. If the user makes the window's text smaller, the button
/// keeps its size on the screen.
const HEIGHT: f32 = 44.0;

/// The gap between buttons, in points.
const GAP: f32 = 6.0;

/// Returns whether the pointer in this frame is a finger.
pub fn is_finger(ui: &Ui) -> bool {
    ui.input(|input| input.any_touches() || input.events.iter().any(|event| matches!(event, Event::Touch { .. })))
}

/// Puts the drawn tile on the tapped spot. If the tile is already on this spot, turns it.
pub fn handle_tap(cx: &mut UiContext<'_>, spot: Spot) {
    if cx.view_state.chosen == Some(spot) {
        cx.view_state.hover = None;
        ghost_tile::rotate(cx.session, cx.insight, cx.view_state, true);
    } else {
        cx.view_state.chosen = Some(spot);
    }
    cx.view_state.by_finger = true;
}

/// Draws the buttons that turn and confirm a tile placed by touch. Returns the position of the
/// button that confirms, in points of the screen. Returns `None` if no tile is placed by touch.
pub fn buttons(
    ui: &mut Ui,
    scene: &Scene<'_>,
    cx: &mut UiContext<'_>,
    cache: &BoardCache,
    ghost: Option<&Ghost>,
) -> Option<Pos2> {
    let (spot, ghost) = cx.view_state.chosen.zip(ghost).filter(|_| cx.view_state.by_finger)?;
    if !cache.may_answer {
        return None;
    }
    let height = HEIGHT / ui.ctx().zoom_factor().min(1.0);
    let size = vec2(2.0 * height, height);
    let tile = scene.camera.spot_rect(spot);
    let room = scene.camera.view.shrink(GAP);
    let both = vec2(2.0 * size.x + GAP, size.y);
    let places = [
        Align2::CENTER_TOP.anchor_size(tile.center_bottom() + vec2(0.0, GAP), both),
        Align2::CENTER_BOTTOM.anchor_size(tile.center_top() - vec2(0.0, GAP), both),
        Align2::LEFT_CENTER.anchor_size(tile.right_center() + vec2(GAP, 0.0), both),
        Align2::RIGHT_CENTER.anchor_size(tile.left_center() - vec2(GAP, 0.0), both),
    ];
    let moved = |place: &Rect| {
        let x = place.left().clamp(room.left(), (room.right() - both.x).max(room.left()));
        let y = place.top().clamp(room.top(), (room.bottom() - both.y).max(room.top()));
        Rect::from_min_size(pos2(x, y), both)
    };
    let has_room = |place: &Rect| !place.intersects(tile) && room.contains_rect(*place);
    // If there is no room beside the tile, puts the buttons in a corner of the board.
    let corner = || Align2::RIGHT_BOTTOM.align_size_within_rect(both, room);
    let place = places.iter().map(moved).find(has_room).unwrap_or_else(corner);
    let text = |words: &str| RichText::new(words).size(0.36 * height);
    let turn = Rect::from_min_size(place.min, size);
    let lay = Rect::from_min_size(turn.right_top() + vec2(GAP, 0.0), size);
    let turns = ghost.fits.count_ones() > 1 || cx.view_state.turns_freely;
    let turned = ui.put(turn, Button::new(text("Turn")).sense(if turns { Sense::CLICK } else { Sense::empty() }));
    if turned.clicked() {
        handle_tap(cx, spot);
    }
    let laid = ui.put(lay, Button::new(text("Lay it").strong()).selected(true));
    if let (true, Some(choice)) = (laid.clicked(), cache.placement_at(spot, ghost.facing)) {
        cx.request_action(Action::Answer(choice));
    }
    Some(lay.center())
}
