//! The pointer: the spot, zone and piece under it, and the effects of the mouse buttons.

use door::Request;
use egui::{Id, Pos2, Role, Sense, Ui, WidgetInfo};
use table::{Facing, FeatureRef, PieceRef, Spot, ZoneRef};

use super::board_cache::BoardCache;
use super::camera::square;
use super::paint::figure_rect;
use super::scene::{Scene, same_feature};
use super::touch;
use crate::actions::Action;
use crate::command::Command;
use crate::ghost_tile;
use crate::settings::HintLevel;
use crate::ui_context::UiContext;

/// The spot, zone and piece under the pointer. Each of them is `None` if there is none.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PointerTargets {
    /// The spot, with or without a tile.
    pub spot: Option<Spot>,
    /// The zone or, if a piece is under the pointer, a zone of the feature for which the piece
    /// counts.
    pub zone: Option<ZoneRef>,
    /// The piece, as an index into [`BoardCache::figures`].
    pub figure: Option<usize>,
    /// The piece in `figure`, as a reference.
    pub piece: Option<PieceRef>,
}

/// Finds the spot, zone and piece under `place`, a point of the screen.
pub fn find(scene: &Scene<'_>, cache: &BoardCache, place: Pos2) -> PointerTargets {
    let spot = scene.camera.spot_at(place);
    // Searches from the end, because later pieces cover earlier pieces.
    let is_hit = |figure: &super::board_cache::Figure| {
        let rect = figure_rect(scene, figure);
        (rect.center() - place).length() < rect.width() * 0.45
    };
    let figure = cache.figures.iter().rposition(is_hit);
    let under = |spot: Spot| {
        let placed = scene.view.tile_at(spot)?;
        let point = scene.camera.to_board(place) - square(spot).min;
        let zone = scene.art.zone_at(placed.tile, placed.facing, [point.x, point.y])?;
        Some(placed.zone(zone))
    };
    let of_piece = figure.and_then(|i| cache.figures[i].feature).map(|feature| feature.anchor);
    let piece = figure.map(|i| cache.figures[i].piece);
    PointerTargets { spot, zone: of_piece.or_else(|| under(spot?)), figure, piece }
}

/// Makes the legal spots clickable, except at the hint level Purist. A left click lays the tile on
/// the spot, and a tap chooses the spot. Returns whether the user clicked a legal spot with the
/// right button.
pub fn handle_place_clicks(ui: &Ui, cx: &mut UiContext<'_>, scene: &Scene<'_>, cache: &BoardCache, id: Id) -> bool {
    if !cache.may_answer || cx.hints() == HintLevel::Purist {
        return false;
    }
    let mut is_right_clicked = false;
    for (spot, _) in cache.legal.iter().filter(|(spot, _)| scene.camera.is_visible(*spot)) {
        let rect = scene.camera.spot_rect(*spot);
        // The user cannot focus the spots with Tab, but can choose them with other keys.
        let response = ui.interact(rect, id.with(("place", spot.x, spot.y)), Sense::CLICK);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Place the tile at {spot}")));
        if response.secondary_clicked() {
            is_right_clicked = true;
        } else if response.clicked() && touch::is_finger(ui) {
            touch::handle_tap(cx, *spot);
        } else if response.clicked() {
            let facing = ghost_tile::facing_on(cx.view_state, &cx.insight.places(cx.session), *spot);
            if let Some(choice) = cache.placement_at(*spot, facing) {
                cx.request_action(Action::Answer(choice));
            }
        }
    }
    is_right_clicked
}

/// Shows the spot under the pointer to the others at the table, if there is a table and the user
/// clicks with Shift. Returns true if this happened.
pub fn point_for_others(ui: &Ui, cx: &mut UiContext<'_>, scene: &Scene<'_>, pointer: Option<Pos2>) -> bool {
    let clicks = ui.input(|i| i.modifiers.shift && i.pointer.primary_clicked());
    let Some(place) = pointer.filter(|_| clicks && cx.table.is_some()) else { return false };
    if let Some(spot) = scene.camera.spot_at(place) {
        cx.ask_table(Request::Point { spot });
    }
    true
}

/// Handles the right button, which turns the drawn tile or picks up an unconfirmed tile.
pub fn handle_right_click(cx: &mut UiContext<'_>, cache: &BoardCache) {
    if ghost_tile::tile(cx.session).is_some() && cache.may_answer {
        if cx.hints() == HintLevel::Purist {
            cx.view_state.facing = Facing::from_quarters(cx.view_state.facing.quarters() + 1);
        } else {
            ghost_tile::rotate(cx.session, cx.insight, cx.view_state, true);
        }
    } else if cache.proposal.is_some() && cache.may_answer {
        cx.request_command(Command::TakeBack);
    }
}

/// Handles a left click that [`handle_place_clicks`] has not handled. A click with Ctrl pins or
/// unpins a feature. Any other click shows the details of the clicked piece, or closes the details.
///
/// At the hint level Purist, a click also places the tile, and a tap chooses the spot, because
/// legal spots are not clickable there.
pub fn handle_left_click(ui: &Ui, cx: &mut UiContext<'_>, cache: &BoardCache, pointed: &PointerTargets) {
    if ui.input(|i| i.modifiers.command) {
        toggle_pin(cx, pointed);
        return;
    }
    let is_free = |spot: &Spot| cx.session.view().tile_at(*spot).is_none();
    if let Some(spot) = pointed.spot.filter(is_free)
        && cache.may_answer
        && cx.hints() == HintLevel::Purist
        && touch::is_finger(ui)
        && ghost_tile::tile(cx.session).is_some()
    {
        touch::handle_tap(cx, spot);
        return;
    }
    let choice =
        pointed.spot.filter(|_| cache.may_answer).and_then(|spot| cache.placement_at(spot, cx.view_state.facing));
    if let Some(choice) = choice {
        // This happens only at the hint level Purist. At other levels, `handle_place_clicks`
        // handles the click.
        cx.request_action(Action::Answer(choice));
    }
    cx.view_state.piece = pointed.piece.filter(|piece| cx.view_state.piece != Some(*piece));
}

fn toggle_pin(cx: &mut UiContext<'_>, pointed: &PointerTargets) {
    let view = cx.session.view();
    let feature = pointed.zone.and_then(|zone| view.feature_of(zone));
    let is_same = |other: FeatureRef| feature.is_some_and(|it| same_feature(view, other, it));
    cx.view_state.pinned = if cx.view_state.pinned.is_some_and(is_same) { None } else { feature };
}
