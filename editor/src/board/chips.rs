//! Notices at the edge of the board (past position, empty table, visible overlays), and the
//! minimap.

use egui::epaint::Mesh;
use egui::{
    Align, Align2, Button, Color32, CursorIcon, FontId, Layout, Pos2, Rect, RichText, Role, Sense, Shape, Stroke,
    StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use super::board_cache::BoardCache;
use super::camera::square;
use super::scene::{CHIP_COLOUR, Scene, add_frame, colour};
use crate::actions::Action;
use crate::command::Command;
use crate::panels::widgets::{request_on_click, signed};
use crate::settings::HintLevel;
use crate::ui_context::UiContext;
use crate::windows;

/// The number of tiles on the board above which the minimap is shown.
const MINIMAP_MIN_TILES: usize = 60;

/// The colour of the legal spots of the next tile on the map of the board.
const MAP_PLACE: Color32 = Color32::from_rgb(245, 214, 120);

/// The colour of the frame around the board, and of the border of the notice, at past positions.
const SEPIA: Color32 = Color32::from_rgb(150, 104, 58);

/// Draws the notices about the position and the legends of overlays in `room`, a part of the board.
/// If `has_bubble` is true, a bubble explains the points, so that they need no legend. Returns the
/// height of the upper part of `room` that legends of overlays cover.
pub fn show(ui: &mut Ui, scene: &Scene<'_>, cx: &mut UiContext<'_>, room: Rect, has_bubble: bool) -> f32 {
    if !scene.session.is_live() {
        draw_past_notice(ui, scene, cx, room);
    }
    let covered = draw_legends(ui, scene, cx, room, has_bubble);
    if scene.view.tiles().is_empty() {
        let text = "No tiles yet.\nThe first one goes in the middle.";
        let at = scene.camera.view.center_top() + vec2(0.0, 40.0);
        draw_chip(scene, at, text, 15.0, CHIP_COLOUR);
    }
    covered
}

/// Draws a button with a legend for the explained awards, unless `has_bubble` is true, and a button
/// for each visible overlay. A click closes the explanation or hides the overlay. Returns the
/// height from the upper edge of `view` to the lower edge of the legends of overlays, or 0 if no
/// overlay is visible.
fn draw_legends(ui: &mut Ui, scene: &Scene<'_>, cx: &mut UiContext<'_>, view: Rect, has_bubble: bool) -> f32 {
    let on = cx.view_state.overlays;
    let helps = cx.hints() != HintLevel::Purist;
    let all = [
        (on.fields && helps, Command::OverlayFields, "Ground: coloured by owner, striped if shared"),
        (on.owners && helps, Command::OverlayOwners, "Owners: coloured by owner, striped if shared"),
        (on.odds && helps, Command::OverlayOdds, "Odds: remaining tiles that fit; a cross if none"),
        (on.values && helps, Command::OverlayValues, "Values: points of each piece now"),
        (on.names, Command::OverlayNames, "Names of tiles and places"),
        (on.recent, Command::OverlayRecent, "Last ten turns: -1 is one turn ago"),
        (on.grid, Command::OverlayGrid, "Grid: the bright lines cross at 0,0"),
    ];
    let room = vec2((view.width() - 24.0).min(560.0), view.height());
    // Leaves room for the notice about a past position.
    let down = if scene.session.is_live() { 12.0 } else { 48.0 };
    let top = view.center_top() + vec2(0.0, down);
    let rect = Align2::CENTER_TOP.anchor_size(top, room);
    let mut column = ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::top_down(Align::Center)));
    let button = |legend: &str| {
        let text = RichText::new(format!("{legend}  ×")).color(Color32::WHITE);
        let stroke = Stroke::new(1.0, Color32::from_white_alpha(70));
        Button::new(text).fill(CHIP_COLOUR).stroke(stroke).corner_radius(12.0).truncate()
    };
    let award = cx.view_state.explained.first().filter(|_| !has_bubble).cloned();
    if let Some((award, legend)) = award.zip(explained(cx)) {
        if column.add(button(&legend)).on_hover_text("Close the explanation (Esc).").clicked() {
            cx.view_state.explained.clear();
        }
        windows::thumbs(&mut column, cx, &award.reason);
    }
    let mut bottom = view.top();
    for (_, command, legend) in all.into_iter().filter(|(is_on, ..)| *is_on) {
        let about = format!("Turns the overlay off ({}).", command.key_text(column.ctx()));
        let response = column.add(button(legend)).on_hover_text(about);
        bottom = response.rect.bottom();
        request_on_click(cx, &response, Action::Command(command));
    }
    bottom - view.top()
}

/// Returns the legend for the explained awards, such as `red: +7 for road in 2 awards`. Returns
/// `None` if no awards are explained.
fn explained(cx: &UiContext<'_>) -> Option<String> {
    let awards = &cx.view_state.explained;
    let first = awards.first()?;
    let points: i64 = awards.iter().map(|award| award.points).sum();
    let n = if awards.len() > 1 { format!(" in {} awards", awards.len()) } else { String::new() };
    Some(format!("{}: {} for {}{n}", cx.session.view().name(first.player), signed(points), first.reason))
}

/// Draws lines of text on a chip whose upper centre is `at`.
fn draw_chip(scene: &Scene<'_>, at: Pos2, text: &str, size: f32, fill: Color32) {
    let width = (scene.camera.view.width() - 40.0).max(80.0);
    let galley = scene.screen.layout(text.to_owned(), FontId::proportional(size), Color32::WHITE, width);
    let rect = Align2::CENTER_TOP.anchor_size(at, galley.size() + vec2(24.0, 14.0));
    scene.screen.rect(rect, 8.0, fill, Stroke::new(1.0, Color32::from_white_alpha(70)), StrokeKind::Inside);
    scene.screen.galley(rect.min + vec2(12.0, 7.0), galley, Color32::WHITE);
}

/// Draws the frame around the board at a past position, and the button that returns to the end of
/// the branch.
fn draw_past_notice(ui: &mut Ui, scene: &Scene<'_>, cx: &mut UiContext<'_>, view: Rect) {
    let drawn = scene.camera.drawn;
    scene.screen.rect_filled(drawn, 0.0, SEPIA.gamma_multiply(0.1));
    for (inset, strength) in [(0.0, 0.95), (5.0, 0.45), (10.0, 0.2)] {
        let stroke = Stroke::new(5.0, SEPIA.gamma_multiply(strength));
        scene.screen.rect_stroke(drawn.shrink(inset), 0.0, stroke, StrokeKind::Inside);
    }
    let last = scene.session.steps().last().map_or(0, |step| step.turn);
    let text = format!("Turn {} of {last} – press End to return", scene.session.turn());
    let size = vec2(270.0_f32.min(view.width() - 30.0), 26.0);
    let rect = Align2::CENTER_TOP.anchor_size(view.center_top() + vec2(0.0, 12.0), size);
    let mut bar = ui.new_child(UiBuilder::new().max_rect(rect));
    let dark = Color32::from_rgb(72, 46, 20);
    let button = Button::new(RichText::new(text).color(Color32::WHITE)).fill(dark).stroke(Stroke::new(1.0, SEPIA));
    let answer = bar.put(rect, button.corner_radius(13.0).truncate());
    let answer = answer.on_hover_text("Return to the end of this branch. A move from here starts a new branch.");
    request_on_click(cx, &answer, Action::Command(Command::GoToEnd));
}

/// Draws the minimap if the board is large and not completely in view. Returns the point of the
/// board that the user clicked or dragged to on the minimap.
pub fn draw_minimap(ui: &mut Ui, scene: &Scene<'_>, cx: &UiContext<'_>, cache: &BoardCache) -> Option<Pos2> {
    let tiles = scene.view.tiles();
    let bounds = cache.bounds.filter(|_| tiles.len() > MINIMAP_MIN_TILES)?.expand(1.0);
    let view = scene.camera.view;
    let is_all_seen = scene.camera.visible_rect().contains_rect(bounds.shrink(1.0));
    if is_all_seen || view.width() < 360.0 || view.height() < 260.0 {
        return None;
    }
    let scale = (170.0 / bounds.width()).min(130.0 / bounds.height()).min(9.0);
    let room = bounds.size() * scale;
    let rect = Align2::RIGHT_BOTTOM.anchor_size(view.max - vec2(12.0, 12.0), room);
    let response = ui.interact(rect, ui.scope_id().with("map"), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Map of the board"));
    let response = response.on_hover_cursor(CursorIcon::Crosshair);
    let point_on_map = |point: Pos2| rect.min + (point - bounds.min) * scale;
    let to_map = |part: Rect| Rect::from_min_max(point_on_map(part.min), point_on_map(part.max));
    let mut mesh = Mesh::default();
    mesh.add_colored_rect(rect, Color32::from_rgba_unmultiplied(20, 24, 24, 225));
    let ground = colour(scene.art.palette().ground);
    for placed in tiles {
        mesh.add_colored_rect(to_map(square(placed.spot)).shrink(0.4), ground);
    }
    for (spot, _) in &cache.legal {
        mesh.add_colored_rect(to_map(square(*spot)).shrink(scale * 0.2), MAP_PLACE);
    }
    for (seat, spot) in &cache.last_laid {
        mesh.add_colored_rect(to_map(square(*spot)), cx.colour(*seat));
    }
    let seen = to_map(scene.camera.visible_rect()).intersect(rect);
    add_frame(&mut mesh, rect, 1.0, Color32::from_white_alpha(120));
    if seen.is_positive() {
        add_frame(&mut mesh, seen, 1.5, Color32::WHITE);
    }
    scene.screen.add(Shape::mesh(mesh));
    let is_used = response.clicked() || response.dragged();
    let at = response.interact_pointer_pos().filter(|_| is_used)?;
    let point = bounds.min + (at - rect.min) / scale;
    Some(pos2(point.x.clamp(bounds.min.x, bounds.max.x), point.y.clamp(bounds.min.y, bounds.max.y)))
}
