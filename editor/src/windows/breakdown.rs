//! The score sheet: a table of the points of all players, and the awards behind them with their
//! mods and rules.

use std::sync::Arc;

use egui::{
    Align, Context, FontId, Id, Layout, Rect, Response, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, Window,
    pos2, vec2,
};
use table::{Award, AwardLine, Seat};

use super::awards::{
    AwardEntry, AwardGroup, booked_entries, grouped, line_text, projected_entries, rows, rule_place, sheet_text, sum,
};
use crate::actions::Action;
use crate::panels::log::target;
use crate::panels::log_rows::RowSubject;
use crate::panels::widgets::{
    cached, paint_seat_mark, paint_truncated, pluralized, points_text, request_on_click, signed,
};
use crate::panels::{open_on_click, remember, remembered};
use crate::settings::HintLevel;
use crate::ui_context::UiContext;

/// The part of a game in which players receive awards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum SheetPart {
    /// The game before the final count.
    Play,
    /// The final count.
    Last,
    /// The final count that would follow if the game ended now.
    Projected,
}

impl SheetPart {
    /// Returns the title of the row with the sum of this part.
    fn title(self) -> &'static str {
        match self {
            SheetPart::Play => "During play",
            SheetPart::Last => "Final count",
            SheetPart::Projected => "If the game ended now",
        }
    }
}

/// The awards of all players, by part and by seat.
#[derive(Clone, Default)]
struct ScoreSheet {
    parts: Vec<(SheetPart, Vec<Vec<AwardGroup>>)>,
}

impl ScoreSheet {
    /// Returns the groups of a player's awards in a part of the game.
    fn groups(&self, part: SheetPart, seat: Seat) -> &[AwardGroup] {
        let groups = self.parts.iter().find(|(other, _)| *other == part).and_then(|(_, all)| all.get(seat.idx()));
        groups.map_or(&[], Vec::as_slice)
    }

    /// Returns the awards whose points a cell adds up.
    fn awards(&self, cell: &SheetCell) -> Vec<Arc<Award>> {
        let groups = self.groups(cell.part, cell.seat).iter().filter(|it| it.reason == cell.reason);
        groups.flat_map(|it| &it.entries).map(|entry| entry.award.clone()).collect()
    }
}

/// A cell of the table that the user has clicked.
#[derive(Clone, PartialEq, Eq, Debug)]
struct SheetCell {
    part: SheetPart,
    seat: Seat,
    reason: Arc<str>,
}

/// The width of a player's column, in points.
const COLUMN_WIDTH: f32 = 58.0;

/// The smallest width of the column of reasons, in points.
const MIN_REASONS_WIDTH: f32 = 118.0;

/// Draws the window, if it is open.
pub fn breakdown(ctx: &Context, cx: &mut UiContext<'_>) {
    let Some(seat) = cx.view_state.windows.breakdown else { return };
    let seats: Vec<Seat> = cx.session.view().seats().collect();
    if !seats.contains(&seat) {
        cx.view_state.windows.breakdown = None;
        return;
    }
    let mut is_open = true;
    let window = Window::new("Score sheet").id(Id::unique("breakdown")).open(&mut is_open);
    window.default_rect(window_rect(ctx, seats.len())).min_size([280.0, 200.0]).show(ctx, |ui| {
        let sheet = sheet(ui.ctx(), cx, &seats);
        let id = Id::unique("cell of the score sheet");
        let mut cell: Option<SheetCell> = remembered(ui.ctx(), id);
        // When the user closes the explanation on the board, the cell is no longer chosen.
        cell = cell.filter(|cell| cell.seat == seat && !cx.view_state.explained.is_empty());
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            if let Some(clicked) = table(ui, cx, &sheet, &seats, cell.as_ref()) {
                cx.view_state.windows.breakdown = Some(clicked.0);
                cell = clicked.1.filter(|it| cell.as_ref() != Some(it));
                let awards = cell.as_ref().map_or_else(Vec::new, |cell| sheet.awards(cell));
                cx.view_state.explain(cx.session.view(), awards);
            }
            ui.separator();
            details(ui, cx, &sheet, seat, cell.as_ref());
        });
        remember(ui.ctx(), id, cell);
    });
    if !is_open {
        cx.view_state.windows.breakdown = None;
    }
}

/// Returns the rectangle of the window. The window covers the panels on the right, so that the
/// board stays visible.
fn window_rect(ctx: &Context, n_seats: usize) -> Rect {
    let screen = ctx.content_rect();
    let columns = MIN_REASONS_WIDTH + n_seats as f32 * COLUMN_WIDTH + 40.0;
    let width = (screen.width() * 0.23).max(320.0).max(columns).min(screen.width() - 32.0);
    Rect::from_min_max(pos2(screen.right() - width, screen.top() + 26.0), screen.max - vec2(16.0, 110.0))
}

/// Collects the awards of all players. Omits the projected final count if it is hidden or not known
/// yet, or if the game is over.
fn sheet(ctx: &Context, cx: &mut UiContext<'_>, seats: &[Seat]) -> ScoreSheet {
    let session = cx.session;
    let booked = cached(ctx, Id::unique("score sheet"), session, || {
        let line = session.steps().get(..session.position_index()).unwrap_or_default();
        let part = |is_final: bool| -> Vec<Vec<AwardGroup>> {
            let own = |seat: &Seat| booked_entries(line, *seat).into_iter();
            let of_part = |seat: &Seat| grouped(own(seat).filter(|it| it.award.is_final == is_final).collect());
            seats.iter().map(of_part).collect()
        };
        ScoreSheet { parts: vec![(SheetPart::Play, part(false)), (SheetPart::Last, part(true))] }
    });
    let mut sheet = (*booked).clone();
    if cx.hints() != HintLevel::Purist
        && !session.view().is_over()
        && let Some(projection) = cx.insight.projection(session)
    {
        let coming = seats.iter().map(|seat| grouped(projected_entries(&projection.awards, *seat))).collect();
        sheet.parts.push((SheetPart::Projected, coming));
    }
    sheet
}

/// Draws the table: a row for each reason, a column for each player. Returns the player whose
/// column the user clicked. If the user clicked the points for a reason, also returns this cell.
fn table(
    ui: &mut Ui,
    cx: &UiContext<'_>,
    sheet: &ScoreSheet,
    seats: &[Seat],
    chosen: Option<&SheetCell>,
) -> Option<(Seat, Option<SheetCell>)> {
    let mut clicked = None;
    let view = cx.session.view();
    let column = COLUMN_WIDTH.min((ui.available_width() - MIN_REASONS_WIDTH) / seats.len() as f32).max(34.0);
    let reasons = (ui.available_width() - column * seats.len() as f32).max(MIN_REASONS_WIDTH);
    ui.spacing_mut().item_spacing = vec2(0.0, 2.0);
    row(ui, reasons, "", false, |ui| {
        for seat in seats {
            let is_shown = cx.view_state.windows.breakdown == Some(*seat);
            if player(ui, cx, *seat, column, is_shown).clicked() {
                clicked = Some((*seat, None));
            }
        }
    });
    let mut total: Vec<i64> = seats.iter().map(|seat| view.score(*seat)).collect();
    let booked = |seat: Seat| sum(sheet.groups(SheetPart::Play, seat)) + sum(sheet.groups(SheetPart::Last, seat));
    let rest: Vec<i64> = seats.iter().map(|seat| view.score(*seat) - booked(*seat)).collect();
    if rest.iter().any(|points| *points != 0) {
        row(ui, reasons, "at the start of the record", false, |ui| sums(ui, column, &rest, false));
    }
    for (part, groups) in &sheet.parts {
        let rows = rows(groups);
        if rows.is_empty() && *part != SheetPart::Play {
            continue;
        }
        if *part == SheetPart::Projected {
            ui.separator();
            row(ui, reasons, "Score", true, |ui| sums(ui, column, &total, true));
        }
        ui.separator();
        for it in &rows {
            row(ui, reasons, &it.reason, false, |ui| {
                for (seat, points) in seats.iter().zip(&it.points) {
                    let cell = SheetCell { part: *part, seat: *seat, reason: it.reason.clone() };
                    if points_cell(ui, cx, &cell, *points, column, chosen == Some(&cell)) {
                        clicked = Some((*seat, Some(cell)));
                    }
                }
            });
        }
        let own: Vec<i64> = groups.iter().map(|groups| sum(groups)).collect();
        row(ui, reasons, part.title(), true, |ui| sums(ui, column, &own, false));
        if *part == SheetPart::Projected {
            total.iter_mut().zip(&own).for_each(|(total, more)| *total += more);
        }
    }
    ui.separator();
    let is_projected = sheet.parts.iter().any(|(part, all)| *part == SheetPart::Projected && !rows(all).is_empty());
    row(ui, reasons, if is_projected { "Score then" } else { "Score" }, true, |ui| sums(ui, column, &total, true));
    clicked
}

/// Draws a row of the table: its title, which may wrap, and its cells.
fn row(ui: &mut Ui, width: f32, title: &str, is_sum: bool, cells: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let text = if is_sum { RichText::new(title).strong() } else { RichText::new(title) };
        ui.allocate_ui_with_layout(vec2(width, 18.0), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(width);
            ui.set_max_width(width);
            ui.add(egui::Label::new(text).wrap());
        });
        cells(ui);
    });
}

/// Draws the sums of all players.
fn sums(ui: &mut Ui, width: f32, points: &[i64], is_large: bool) {
    for points in points {
        let (rect, response) = ui.allocate_exact_size(vec2(width, 20.0), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, points.to_string()));
        let font = FontId::proportional(if is_large { 17.0 } else { 14.0 });
        let at = rect.right_center() - vec2(8.0, 0.0);
        let colour = ui.visuals().strong_text_color();
        ui.painter().text(at, egui::Align2::RIGHT_CENTER, points.to_string(), font, colour);
    }
}

/// Draws the mark of a player at the top of a column. If the column is narrow, cuts the name; the
/// tooltip shows the whole name.
fn player(ui: &mut Ui, cx: &UiContext<'_>, seat: Seat, width: f32, is_shown: bool) -> Response {
    let name = cx.session.view().name(seat);
    let score = cx.session.view().score(seat);
    let (rect, response) = ui.allocate_exact_size(vec2(width, 40.0), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_shown, format!("{name} {score}")));
    let look = ui.style().interact_selectable(&response, is_shown);
    if is_shown || response.hovered() || response.has_focus() {
        let stroke = look.bg_stroke;
        ui.painter().rect(rect.shrink(1.0), 4.0, look.weak_bg_fill, stroke, egui::StrokeKind::Inside);
    }
    paint_seat_mark(ui.painter(), rect.center_top() + vec2(0.0, 13.0), 8.5, cx.colour(seat), seat);
    let (at, font) = (rect.center_bottom() - vec2(0.0, 18.0), FontId::proportional(12.0));
    paint_truncated(ui.painter(), at, egui::Align2::CENTER_TOP, name, font, look.text_color(), width - 6.0);
    response.on_hover_text(format!("{name}: {}. Click to list all awards.", points_text(score)))
}

/// Draws the points of a player for a reason. Returns whether the user clicked the points.
fn points_cell(
    ui: &mut Ui,
    cx: &UiContext<'_>,
    cell: &SheetCell,
    points: Option<i64>,
    width: f32,
    is_chosen: bool,
) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(width, 20.0), Sense::click());
    let Some(points) = points else { return false };
    let name = cx.session.view().name(cell.seat);
    let label = format!("{name}, {}: {}", cell.reason, points_text(points));
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, &label));
    let look = ui.style().interact_selectable(&response, is_chosen);
    if is_chosen || response.hovered() || response.has_focus() {
        let fill = rect.shrink2(vec2(2.0, 0.0));
        ui.painter().rect(fill, 4.0, look.weak_bg_fill, look.bg_stroke, egui::StrokeKind::Inside);
    }
    let at = rect.right_center() - vec2(8.0, 0.0);
    let font = FontId::proportional(14.0);
    ui.painter().text(at, egui::Align2::RIGHT_CENTER, points.to_string(), font, look.text_color());
    response.on_hover_text("Click to show these awards, and on the board what was counted.").clicked()
}

/// Draws the awards behind a cell. If `cell` is `None`, draws all awards of the player.
fn details(ui: &mut Ui, cx: &mut UiContext<'_>, sheet: &ScoreSheet, seat: Seat, cell: Option<&SheetCell>) {
    let booked: Vec<AwardGroup> =
        [SheetPart::Play, SheetPart::Last].iter().flat_map(|part| sheet.groups(*part, seat).to_vec()).collect();
    let coming = sheet.groups(SheetPart::Projected, seat);
    head(ui, cx, seat, &booked, coming);
    if let Some(cell) = cell {
        for it in sheet.groups(cell.part, seat).iter().filter(|it| it.reason == cell.reason) {
            group(ui, cx, it, cell.part);
        }
        return;
    }
    if booked.is_empty() && coming.is_empty() {
        ui.weak("No points yet. Scores appear here with their reasons.");
    }
    for (part, _) in &sheet.parts {
        let groups = sheet.groups(*part, seat);
        if *part == SheetPart::Projected && !groups.is_empty() {
            ui.separator();
            ui.weak("If the game ended now:");
        }
        groups.iter().for_each(|it| group(ui, cx, it, *part));
    }
}

fn head(ui: &mut Ui, cx: &UiContext<'_>, seat: Seat, groups: &[AwardGroup], coming: &[AwardGroup]) {
    let view = cx.session.view();
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(format!("Awards of {}", view.name(seat))).size(15.0).strong());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("Copy as text").on_hover_text("Copy the awards of this player as text.").clicked() {
                ui.ctx().copy_text(sheet_text(cx.session, seat, groups, coming));
            }
        });
    });
}

fn group(ui: &mut Ui, cx: &mut UiContext<'_>, group: &AwardGroup, part: SheetPart) {
    let n = pluralized(group.entries.len(), "award", "awards");
    let title = format!("{}  {}  ·  {n}", signed(group.points), group.reason);
    let header = egui::CollapsingHeader::new(RichText::new(title).strong()).id_salt((part, &group.reason));
    header.default_open(true).show(ui, |ui| {
        group.entries.iter().enumerate().for_each(|(i, e)| entry(ui, cx, e, i));
    });
}

/// Draws an award: its time, its points, and the mods that contributed.
fn entry(ui: &mut Ui, cx: &mut UiContext<'_>, entry: &AwardEntry, i: usize) {
    let award = &entry.award;
    let row = ui.push_id(i, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            if let Some((turn, step)) = entry.when {
                let link = ui.link(format!("turn {turn}")).on_hover_text("Show this position.");
                request_on_click(cx, &link, Action::GoTo(step + 1));
            }
            let is_here = award.feature.is_some_and(|feature| cx.session.view().has_feature(feature));
            if is_here {
                let link = ui.link(RichText::new(signed(award.points)).strong());
                if link.on_hover_text("Show on the board what was counted.").clicked() {
                    cx.view_state.explain(cx.session.view(), vec![award.clone()]);
                }
            } else {
                ui.strong(signed(award.points));
            }
            if award.is_final && entry.when.is_some() {
                ui.weak("final count");
            }
            if award.is_loot {
                ui.weak("from another player's move");
            }
            if let Some(place) = place_text(cx, award) {
                ui.weak(place);
            }
            if let Some(sum) = table::formula_words(cx.session.view(), award) {
                ui.label(sum);
            }
            for (n, line) in award.lines.iter().enumerate() {
                if n > 0 {
                    ui.weak("|");
                }
                award_line_label(ui, cx, award, line);
            }
        });
    });
    if ui.rect_contains_pointer(row.response.rect)
        && let Some(feature) = award.feature
        && let Some(target) = target(cx.session, &RowSubject::Feature(feature))
    {
        cx.view_state.highlight(target);
    }
}

/// Returns the place of an award's feature as text. Returns `None` if the feature is not on the
/// board at the current position.
fn place_text(cx: &UiContext<'_>, award: &Award) -> Option<String> {
    let feature = award.feature?;
    target(cx.session, &RowSubject::Feature(feature))?;
    Some(format!("at {}", cx.session.view().tile_of_zone(feature.anchor).spot))
}

/// Draws the text of a line of an award. If the rule of the line is in a file, the text is a link
/// to the rule.
fn award_line_label(ui: &mut Ui, cx: &mut UiContext<'_>, award: &Award, line: &AwardLine) {
    let words = line_text(cx.session, award, line);
    match rule_place(cx.session, award, line) {
        Some((path, at)) => {
            let link = ui.link(words).on_hover_text(format!("Opens the rule: {}, line {at}", table::shown_path(&path)));
            open_on_click(&link, cx, &path, at);
        }
        None => drop(ui.label(words)),
    }
}
