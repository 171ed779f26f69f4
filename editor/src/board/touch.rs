//! Fingers: a tap puts the drawn tile on a place, another one turns it, and a button beside it lays it. Nobody sees what lies under a finger, so that
//! nothing is laid by the first tap.

use egui::{Align2, Button, Event, Pos2, Rect, RichText, Sense, Ui, vec2};
use table::Spot;

use super::board_cache::BoardCache;
use super::open_spots::Ghost;
use super::scene::Scene;
use crate::ghost;
use crate::ui_context::{Action, UiContext};

/// How high a button for a finger is, in points of the screen, whatever the zoom of the window.
const HEIGHT: f32 = 44.0;

/// Returns whether what the pointer does in this frame is done by a finger.
pub fn is_finger(ui: &Ui) -> bool {
    ui.input(|input| input.any_touches() || input.events.iter().any(|event| matches!(event, Event::Touch { .. })))
}

/// Puts the drawn tile where a finger has tapped; turns it, where it is there already.
pub fn tap(cx: &mut UiContext<'_>, spot: Spot) {
    if cx.view_state.chosen == Some(spot) {
        cx.view_state.hover = None;
        ghost::rotate(cx.session, cx.insight, cx.view_state, true);
    } else {
        cx.view_state.chosen = Some(spot);
    }
    cx.view_state.by_finger = true;
}

/// Draws the buttons beside a tile that a finger has put down: they turn it and lay it. Returns where the one that lays it is.
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
    let room = scene.camera.view.shrink(6.0);
    let mut place =
        Align2::CENTER_TOP.anchor_size(tile.center_bottom() + vec2(0.0, 6.0), vec2(2.0 * size.x + 6.0, size.y));
    if place.bottom() > room.bottom() {
        place = Align2::CENTER_BOTTOM.anchor_size(tile.center_top() - vec2(0.0, 6.0), place.size());
    }
    let aside = |low: f32, high: f32, from: f32, to: f32| (from - low).max(0.0) - (high - to).max(0.0);
    let by = vec2(
        aside(place.left(), place.right(), room.left(), room.right()),
        aside(place.top(), place.bottom(), room.top(), room.bottom()),
    );
    let place = place.translate(by);
    let text = |words: &str| RichText::new(words).size(0.36 * height);
    let turn = Rect::from_min_size(place.min, size);
    let lay = Rect::from_min_size(turn.right_top() + vec2(6.0, 0.0), size);
    let turns = ghost.fits.count_ones() > 1 || cx.view_state.turns_freely;
    let turned = ui.put(turn, Button::new(text("Turn")).sense(if turns { Sense::CLICK } else { Sense::empty() }));
    if turned.clicked() {
        tap(cx, spot);
    }
    let laid = ui.put(lay, Button::new(text("Lay it").strong()).selected(true));
    if let (true, Some(choice)) = (laid.clicked(), cache.place(spot, ghost.facing)) {
        cx.act(Action::Answer(choice));
    }
    Some(lay.center())
}
