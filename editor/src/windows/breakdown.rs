//! The derivation of a player's score: every award, with its mods and rules.

use egui::{
    Align, Button, Context, FontId, Id, Layout, Rect, Response, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo,
    Window, pos2, vec2,
};
use table::{Award, AwardLine, Seat};

use super::awards::{AwardEntry, AwardGroup, as_text, booked, grouped, line_words, projected, rule_place, sum};
use crate::panels::log::target;
use crate::panels::log_rows::RowSubject;
use crate::panels::open_on_click;
use crate::panels::widgets::{cached, many, paint_seat_mark, signed};
use crate::settings::Hints;
use crate::ui_context::{Action, UiContext};

/// Draws the window, if it is open.
pub fn breakdown(ctx: &Context, cx: &mut UiContext<'_>) {
    let Some(seat) = cx.view_state.windows.breakdown else { return };
    if !cx.session.view().seats().any(|s| s == seat) {
        cx.view_state.windows.breakdown = None;
        return;
    }
    let mut is_open = true;
    let window = Window::new("Score sheet").id(Id::unique("breakdown")).open(&mut is_open);
    window.default_rect(over_panels(ctx)).min_size([280.0, 200.0]).show(ctx, |ui| {
        seats(ui, cx, seat);
        let (session, at) = (cx.session, cx.session.at());
        let id = Id::unique("awards").with(seat.0);
        let groups = cached(ui.ctx(), id, session, || grouped(booked(&session.line()[..at], seat)));
        let coming = coming(cx, seat);
        head(ui, cx, seat, &groups, &coming);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            if groups.is_empty() && coming.is_empty() {
                ui.weak("No points yet. Scores appear here with their reasons.");
            }
            groups.iter().for_each(|g| group(ui, cx, g, "so far"));
            if !coming.is_empty() {
                ui.separator();
                ui.weak("If the game ended now:");
                coming.iter().for_each(|g| group(ui, cx, g, "then"));
            }
        });
    });
    if !is_open {
        cx.view_state.windows.breakdown = None;
    }
}

/// Returns the place of the window: over the panels on the right, so that the board stays visible.
fn over_panels(ctx: &Context) -> Rect {
    let screen = ctx.content_rect();
    let width = (screen.width() * 0.23).max(320.0);
    Rect::from_min_max(pos2(screen.right() - width, screen.top() + 26.0), screen.max - vec2(16.0, 110.0))
}

/// Returns the awards of `seat` in the projected final count. Empty if the projection is hidden or
/// not known yet, or if the game is over.
fn coming(cx: &mut UiContext<'_>, seat: Seat) -> Vec<AwardGroup> {
    if cx.hints() == Hints::Purist || cx.session.view().is_over() {
        return Vec::new();
    }
    let projection = cx.insight.projection(cx.session);
    projection.map_or_else(Vec::new, |p| grouped(projected(&p.awards, seat)))
}

/// Draws buttons to switch between players.
fn seats(ui: &mut Ui, cx: &mut UiContext<'_>, chosen: Seat) {
    ui.horizontal_wrapped(|ui| {
        for seat in cx.session.view().seats() {
            if seat_tab(ui, cx, seat, seat == chosen).clicked() {
                cx.view_state.windows.breakdown = Some(seat);
            }
        }
    });
    ui.separator();
}

/// Draws the mark, name and score of a player as a button.
fn seat_tab(ui: &mut Ui, cx: &UiContext<'_>, seat: Seat, is_chosen: bool) -> Response {
    let view = cx.session.view();
    let text = format!("{} {}", view.name(seat), view.score(seat));
    let galley = ui.painter().layout_no_wrap(text.clone(), FontId::proportional(13.5), ui.visuals().text_color());
    let size = vec2(galley.size().x + 34.0, 24.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, &text));
    let look = ui.style().interact_selectable(&response, is_chosen);
    if is_chosen || response.hovered() || response.has_focus() {
        ui.painter().rect(rect, 4.0, look.weak_bg_fill, look.bg_stroke, egui::StrokeKind::Inside);
    }
    paint_seat_mark(ui.painter(), rect.left_center() + vec2(14.0, 0.0), 8.5, cx.colour(seat), seat);
    ui.painter().galley(rect.left_center() + vec2(28.0, -galley.size().y / 2.0), galley, look.text_color());
    response
}

fn head(ui: &mut Ui, cx: &UiContext<'_>, seat: Seat, groups: &[AwardGroup], coming: &[AwardGroup]) {
    let view = cx.session.view();
    ui.horizontal_wrapped(|ui| {
        let score = view.score(seat);
        ui.label(RichText::new(format!("{}: {score} points", view.name(seat))).size(16.0).strong());
        if !coming.is_empty() {
            ui.label(format!("({} if the game ended now)", score + sum(coming)));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("Copy as text").on_hover_text("Copies the score sheet as text.").clicked() {
                ui.ctx().copy_text(as_text(cx.session, seat, groups, coming));
            }
        });
    });
    let rest = view.score(seat) - sum(groups);
    if rest != 0 {
        ui.weak(format!("{} points from before the start of this record.", signed(rest)));
    }
}

fn group(ui: &mut Ui, cx: &mut UiContext<'_>, group: &AwardGroup, when: &str) {
    let title =
        format!("{}  {}  ·  {}", signed(group.points), group.reason, many(group.entries.len(), "award", "awards"));
    let header = egui::CollapsingHeader::new(RichText::new(title).strong()).id_salt((when, &group.reason));
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
                let link = ui.link(format!("turn {turn}")).on_hover_text("Shows this position.");
                if link.clicked() {
                    cx.act(Action::GoTo(step + 1));
                }
            }
            ui.strong(signed(award.points));
            if award.is_final && entry.when.is_some() {
                ui.weak("final count");
            }
            if award.is_loot {
                ui.weak("from another player's move");
            }
            if let Some(place) = place_words(cx, award) {
                ui.weak(place);
            }
            if let Some(sum) = table::formula_words(cx.session.view(), award) {
                ui.label(sum);
            }
            for line in &award.lines {
                ui.label(line_words(cx.session, award, line));
                rule_link(ui, cx, entry, line);
            }
        });
    });
    if ui.rect_contains_pointer(row.response.rect)
        && let Some(feature) = award.feature
        && let Some(target) = target(cx.session, &RowSubject::Feature(feature))
    {
        cx.view_state.light(target);
    }
}

/// Returns the place of an award's feature as text; `None` if the feature is not on the board at
/// the current position.
fn place_words(cx: &UiContext<'_>, award: &Award) -> Option<String> {
    let feature = award.feature?;
    target(cx.session, &RowSubject::Feature(feature))?;
    Some(format!("at {}", cx.session.view().tile_of_zone(feature.anchor).spot))
}

fn rule_link(ui: &mut Ui, cx: &mut UiContext<'_>, entry: &AwardEntry, line: &AwardLine) {
    let Some((path, at)) = rule_place(cx.session, &entry.award, line) else { return };
    let button = ui.add(Button::new(RichText::new("open rule").small()).small());
    open_on_click(&button.on_hover_text(format!("{}, line {at}", table::shown_path(&path))), cx, &path, at);
}
