//! The window with the score track: its spaces along the rim of a rectangle, with the markers of
//! all players, or a chart of the scores.

use std::sync::Arc;

use egui::{Align2, Color32, Context, FontId, Id, Pos2, Rect, Role, Sense, Ui, Vec2, WidgetInfo, Window, pos2, vec2};
use table::{Actor, Location, PieceView, PromptKind, Seat, piece_label};

use super::chart::chart;
use super::place;
use super::score_track::{space_of, track_cells};
use crate::panels::series::{ScoreSeries, series};
use crate::panels::widgets::{
    cached, paint_picture, paint_seat_mark, piece_subject, points_text, remember, remembered,
};
use crate::ui_context::UiContext;

/// Draws the window, if it is open.
pub fn track(ctx: &Context, cx: &mut UiContext<'_>) {
    if !cx.view_state.windows.track {
        return;
    }
    let mut is_open = true;
    let id = Id::unique("score track");
    let mut shows_lines: bool = remembered(ctx, id);
    let window = Window::new("Score track").open(&mut is_open).min_size([320.0, 200.0]);
    window.default_rect(place::beside_middle(ctx, vec2(660.0, 420.0))).show(ctx, |ui| {
        ui.horizontal(|ui| {
            ui.selectable_value(&mut shows_lines, false, "Track").on_hover_text("The marker of each player.");
            ui.selectable_value(&mut shows_lines, true, "Turn by turn").on_hover_text("Scores after each turn.");
        });
        if shows_lines {
            let n = cx.session.view().n_seats();
            let session = cx.session;
            let series: Arc<ScoreSeries> =
                cached(ui.ctx(), Id::unique("series of scores"), session, || series(session.steps(), n));
            chart(ui, cx, &series);
        } else {
            spaces(ui, cx);
        }
    });
    remember(ctx, id, shows_lines);
    cx.view_state.windows.track &= is_open;
}

/// The colour of a dark space of the track.
const DARK_SPACE_COLOUR: Color32 = Color32::from_rgb(0x5a, 0x47, 0x3a);

/// The cells of the spaces, and the rectangle in which they are drawn.
struct TrackSpaces {
    cells: Vec<(usize, usize)>,
    origin: Pos2,
    side: Vec2,
}

impl TrackSpaces {
    fn rect(&self, space: usize) -> Option<Rect> {
        let (x, y) = self.cells.get(space)?;
        let min = self.origin + vec2(*x as f32 * self.side.x, *y as f32 * self.side.y);
        Some(Rect::from_min_size(min, self.side).shrink(1.5))
    }
}

fn spaces(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let length = cx.session.view().track_length();
    let (cells, columns, rows) = track_cells(length as usize);
    let size = ui.available_size().max(vec2(300.0, 150.0));
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let side = vec2(area.width() / columns as f32, area.height() / rows as f32).min(Vec2::splat(52.0));
    let whole = vec2(side.x * columns as f32, side.y * rows as f32);
    let spaces = TrackSpaces { cells, origin: area.center() - whole / 2.0, side };
    let (view, visuals) = (cx.session.view(), ui.visuals());
    for space in 0..spaces.cells.len() {
        let Some(rect) = spaces.rect(space) else { continue };
        let is_fifth = space % 5 == 0;
        let (fill, colour) = match (view.is_dark(space as u32), is_fifth) {
            (true, _) => (DARK_SPACE_COLOUR, Color32::WHITE),
            (false, true) => (visuals.widgets.inactive.weak_bg_fill, visuals.text_color()),
            (false, false) => (visuals.faint_bg_color, visuals.weak_text_color()),
        };
        let stroke = visuals.widgets.noninteractive.bg_stroke;
        ui.painter().rect(rect, 3.0, fill, stroke, egui::StrokeKind::Inside);
        let at = rect.left_top() + vec2(3.0, 1.0);
        ui.painter().text(at, Align2::LEFT_TOP, space, FontId::proportional(10.0), colour);
        if view.is_dark(space as u32) {
            let response = ui.interact(rect, ui.scope_id().with(("dark", space)), Sense::hover());
            let label = format!("space {space}, dark");
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
            response.on_hover_text(label);
        }
    }
    landings(ui, cx, &spaces);
    pieces(ui, cx, &spaces);
    markers(ui, cx, &spaces, length);
    legend(ui, cx, Rect::from_min_size(spaces.origin, whole).shrink2(side + vec2(8.0, 4.0)), length);
}

/// Draws the markers, side by side if they share a space.
fn markers(ui: &mut Ui, cx: &UiContext<'_>, spaces: &TrackSpaces, length: u32) {
    let view = cx.session.view();
    let mut there: Vec<(usize, Seat, usize, i64)> = Vec::new();
    for seat in view.seats() {
        for (marker, score) in view.markers(seat).iter().enumerate() {
            there.push((space_of(*score, length).0, seat, marker, *score));
        }
    }
    for (i, (space, seat, marker, score)) in there.iter().enumerate() {
        let Some(rect) = spaces.rect(*space) else { continue };
        let n = there.iter().filter(|t| t.0 == *space).count();
        let k = there[..i].iter().filter(|t| t.0 == *space).count();
        let radius = (rect.height() * 0.28).min(rect.width() * 0.28).clamp(5.0, 11.0);
        let step = if n > 1 { ((rect.width() - 2.0 * radius) / (n - 1) as f32).min(radius * 1.5) } else { 0.0 };
        let x = rect.center().x + step * (k as f32 - (n - 1) as f32 / 2.0);
        let centre = pos2(x, rect.bottom() - radius - 2.0);
        paint_seat_mark(ui.painter(), centre, radius, cx.colour(*seat), *seat);
        let laps = space_of(*score, length).1;
        if laps != 0 {
            let text = format!("{:+}", laps * i64::from(length));
            let colour = ui.visuals().strong_text_color();
            // Draws the points of the completed laps beside the number of the space. If several
            // markers share a space, draws their points one below the other.
            let at = rect.right_top() + vec2(-2.0, 1.0 + 9.0 * k as f32);
            ui.painter().text(at, Align2::RIGHT_TOP, text, FontId::proportional(9.5), colour);
        }
        let n_markers = view.markers(*seat).len();
        if n_markers > 1 {
            let at = centre + vec2(radius * 0.8, radius * 0.8);
            ui.painter().circle_filled(at, radius * 0.55, Color32::from_black_alpha(200));
            let font = FontId::proportional(radius);
            ui.painter().text(at, Align2::CENTER_CENTER, marker + 1, font, Color32::WHITE);
        }
        let hit = Rect::from_center_size(centre, Vec2::splat(radius * 2.0));
        let response = ui.interact(hit, ui.scope_id().with(("marker", seat.0, *marker)), Sense::hover());
        let which = if n_markers > 1 { format!(", marker {}", marker + 1) } else { String::new() };
        let label = format!("{}{which}: {score}", view.name(*seat));
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
        response.on_hover_text(label);
    }
}

/// Draws frames around the spaces on which a player's markers would land, while the player chooses
/// a marker.
fn landings(ui: &Ui, cx: &UiContext<'_>, spaces: &TrackSpaces) {
    let view = cx.session.view();
    let Some(prompt) = view.prompt() else { return };
    let (Actor::Player(seat), PromptKind::Marker { points, .. }) = (prompt.who, prompt.kind) else { return };
    for score in view.markers(seat) {
        let Some(rect) = spaces.rect(view.space_of(score + points) as usize) else { continue };
        let stroke = egui::Stroke::new(2.5, cx.colour(seat));
        ui.painter().rect_stroke(rect, 3.0, stroke, egui::StrokeKind::Outside);
    }
}

/// Draws pieces on spaces of the track, side by side if they share a space.
fn pieces(ui: &mut Ui, cx: &mut UiContext<'_>, spaces: &TrackSpaces) {
    let view = cx.session.view();
    let on_track = |piece: PieceView<'_>| match piece.place {
        Location::Space(space) => Some((space as usize, piece.piece, piece.kind, piece.owner)),
        _ => None,
    };
    let there: Vec<_> = view.pieces().filter_map(on_track).collect();
    for (i, (space, piece, kind, owner)) in there.iter().enumerate() {
        let Some(rect) = spaces.rect(*space) else { continue };
        let what = piece_subject(cx, *kind, *owner);
        let side = (rect.height() * 0.5).min(20.0);
        let texture = cx.pictures.get(ui.ctx(), what, side);
        let n = there.iter().filter(|t| t.0 == *space).count();
        let k = there[..i].iter().filter(|t| t.0 == *space).count();
        let step = if n > 1 { ((rect.width() - side - 2.0) / (n - 1) as f32).min(side * 0.8) } else { 0.0 };
        let at = pos2(rect.right() - side - 1.0 - step * k as f32, rect.top() + 1.0);
        let at = Rect::from_min_size(at, Vec2::splat(side));
        paint_picture(ui.painter(), texture, at, Color32::WHITE);
        let response = ui.interact(at, ui.scope_id().with(("piece", piece.0)), Sense::hover());
        let label = piece_label(view, *piece);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
        response.on_hover_text(label);
    }
}

/// Draws the players with their scores in the middle of the track, the highest score first.
fn legend(ui: &mut Ui, cx: &mut UiContext<'_>, rect: Rect, length: u32) {
    let view = cx.session.view();
    let mut scores: Vec<(Seat, i64)> = view.seats().map(|s| (s, view.score(s))).collect();
    scores.sort_by_key(|(seat, score)| (std::cmp::Reverse(*score), *seat));
    let rows = ((rect.height() / 22.0).floor() as usize).max(1);
    let columns = scores.len().div_ceil(rows).max(1);
    let rows = scores.len().div_ceil(columns);
    let size = vec2((rect.width() / columns as f32).min(190.0), 22.0);
    let origin = rect.center() - vec2(size.x * columns as f32, size.y * rows as f32) / 2.0;
    for (i, (seat, score)) in scores.into_iter().enumerate() {
        let min = origin + vec2(size.x * (i / rows) as f32, size.y * (i % rows) as f32);
        let cell = Rect::from_min_size(min, size).shrink2(vec2(4.0, 1.0));
        let response = ui.interact(cell, ui.scope_id().with(("legend", seat.0)), Sense::click());
        let name = view.name(seat);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{name}: {score}")));
        if response.hovered() {
            ui.painter().rect_filled(cell, 4.0, ui.visuals().widgets.hovered.weak_bg_fill);
        }
        paint_seat_mark(ui.painter(), pos2(cell.left() + 9.0, cell.center().y), 8.0, cx.colour(seat), seat);
        let colour = ui.visuals().text_color();
        let right = pos2(cell.right() - 3.0, cell.center().y);
        let font = FontId::proportional(15.0);
        let used = ui.painter().text(right, Align2::RIGHT_CENTER, score, font, colour).width();
        let at = pos2(cell.left() + 22.0, cell.center().y);
        let width = cell.width() - used - 32.0;
        let small = FontId::proportional(13.0);
        crate::panels::widgets::paint_truncated(ui.painter(), at, Align2::LEFT_CENTER, name, small, colour, width);
        if response.clicked() {
            cx.view_state.windows.breakdown = Some(seat);
        }
        let laps = space_of(score, length).1;
        let round = match laps {
            ..=0 => String::new(),
            1 => ", 1 lap".to_owned(),
            _ => format!(", {laps} laps"),
        };
        response.on_hover_text(format!("{name}: {}{round}. Click for the score sheet.", points_text(score)));
    }
}
