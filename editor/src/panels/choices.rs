//! The choices as buttons with a key, a label and a value.

use std::sync::Arc;

use art::TileVariant;
use egui::{
    Align2, Color32, Context, FontId, Id, Rect, Response, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use table::{Answer, Facing, OptionView, Seat};

use super::widgets::{
    cached, paint_picture, paint_truncated, remember, remembered, request_on_click, search_field, signed,
};
use crate::actions::Action;
use crate::pictures::PictureSubject;
use crate::settings::HintLevel;
use crate::ui_context::UiContext;

/// The largest number of choices for which the panel shows values.
const MAX_CHOICES_WITH_GAINS: usize = 30;

/// The largest number of choices without a search field.
const MAX_WITHOUT_SEARCH: usize = 12;

/// The largest number of choices with high rows. With more choices, rows are lower to save room.
const MAX_TALL_ROWS: usize = 6;

/// Returns the options of the open decision, computed once per revision.
pub fn open_options(ctx: &Context, cx: &UiContext<'_>) -> Arc<Vec<OptionView>> {
    let session = cx.session;
    cached(ctx, Id::unique("offered choices"), session, || session.view().option_views())
}

/// Returns the points that each choice would gain for `seat`; `None` for a choice whose value is
/// not known yet. Returns an empty list if the hint level hides values or there are too many
/// choices.
fn gains(cx: &mut UiContext<'_>, seat: Seat, offered: &[OptionView]) -> Vec<Option<i64>> {
    if cx.hints() == HintLevel::Purist || offered.len() > MAX_CHOICES_WITH_GAINS {
        return Vec::new();
    }
    offered.iter().map(|shown| cx.insight.gain(cx.session, seat, shown.answer)).collect()
}

/// Draws the choices of `seat`, except passing. If `seat` is `None`, draws the possible results of
/// chance. Returns the hovered or focused choice.
pub fn choices(ui: &mut Ui, cx: &mut UiContext<'_>, seat: Option<Seat>) -> Option<Answer> {
    let offered = open_options(ui.ctx(), cx);
    let gains = seat.map(|seat| gains(cx, seat, &offered)).unwrap_or_default();
    let needle = if offered.len() > MAX_WITHOUT_SEARCH { search(ui, offered.len()) } else { String::new() };
    let played = cx.session.steps().get(cx.session.position_index()).map(|s| s.text.clone());
    let with_words = offered.len() <= 4;
    let height = if offered.len() > MAX_TALL_ROWS { 23.0 } else { 26.0 };
    let is_short = gives_short_labels(ui, cx, &offered, &gains);
    let mut pointed = None;
    let mut is_any = false;
    for (i, shown) in offered.iter().enumerate().filter(|(_, shown)| seat.is_none() || shown.answer != Answer::Pass) {
        let text = format!("{} {}", shown.label, shown.about).to_lowercase();
        if !text.contains(&needle) {
            continue;
        }
        is_any = true;
        let gain = gains.get(i).copied().flatten();
        let is_played = played.as_ref() == Some(&shown.text);
        let label = if is_short { land_of(shown) } else { None };
        let row = OptionRow { key: &key_of(i, shown), label, gain, is_played, height };
        let response = option_row(ui, cx, shown, &row);
        if response.hovered() || response.has_focus() {
            shown.targets.iter().for_each(|t| cx.view_state.highlight(t.clone()));
            pointed = Some(shown.answer);
        }
        request_on_click(cx, &response, Action::Answer(shown.answer));
        if with_words && !shown.about.is_empty() {
            ui.indent(("about", i), |ui| ui.small(&shown.about));
        } else if !shown.about.is_empty() {
            response.on_hover_text(&shown.about);
        }
    }
    if !is_any && !needle.is_empty() {
        ui.weak("No matching choices.");
    }
    pointed
}

/// Draws the choice to pass, if there is one. Call this outside the scrolled area of the other
/// choices, so that it is always visible. Returns the choice to pass if it is hovered or focused.
pub fn pass_choice(ui: &mut Ui, cx: &mut UiContext<'_>) -> Option<Answer> {
    let offered = open_options(ui.ctx(), cx);
    let (i, shown) = offered.iter().enumerate().find(|(_, shown)| shown.answer == Answer::Pass)?;
    let is_played = cx.session.steps().get(cx.session.position_index()).is_some_and(|step| step.text == shown.text);
    let row = OptionRow { key: &key_of(i, shown), label: None, gain: None, is_played, height: 26.0 };
    let response = option_row(ui, cx, shown, &row);
    request_on_click(cx, &response, Action::Answer(shown.answer));
    (response.hovered() || response.has_focus()).then_some(shown.answer)
}

/// Returns the name of the key that selects the choice with index `i`; empty if the choice has no
/// key.
fn key_of(i: usize, shown: &OptionView) -> String {
    match (shown.answer, i) {
        (Answer::Pass, _) => "Space".to_owned(),
        (_, 0..=8) => (i + 1).to_string(),
        _ => String::new(),
    }
}

/// Draws a search field for `n` choices, and returns its text in lower case.
fn search(ui: &mut Ui, n: usize) -> String {
    let id = Id::unique("search of choices");
    let mut text: String = remembered(ui.ctx(), id);
    let field = search_field(&mut text, format!("Find among {n}")).desired_width(f32::INFINITY);
    ui.add(field).accessible_name("Find a choice").on_hover_text("Type part of a choice's name or description.");
    remember(ui.ctx(), id, text.clone());
    text.trim().to_lowercase()
}

/// The contents of a choice's row.
struct OptionRow<'a> {
    /// The name of the key that selects the choice; empty if it has none.
    key: &'a str,
    /// A shorter label than that of the choice; `None` for the label of the choice.
    label: Option<String>,
    /// The points that the choice gains; `None` if they are unknown or hidden.
    gain: Option<i64>,
    /// True if the timeline continues with the choice.
    is_played: bool,
    /// The height of the row, in points.
    height: f32,
}

/// The size of the labels' font, in points.
const LABEL_SIZE: f32 = 13.5;

/// The width of a row without its label, in points: the key, the picture of the piece, and the
/// points that the choice gains.
const ROW_WITHOUT_LABEL: f32 = 100.0;

/// Returns whether all choices deploy the same kind of piece, and the label of one of them does not
/// fit. Then all labels name only the land, because the pictures show the piece.
fn gives_short_labels(ui: &Ui, cx: &UiContext<'_>, offered: &[OptionView], gains: &[Option<i64>]) -> bool {
    let piece = |shown: &OptionView| match shown.answer {
        Answer::Deploy { kind, .. } => Some(kind),
        _ => None,
    };
    let mut pieces = offered.iter().filter(|shown| shown.answer != Answer::Pass).map(piece);
    let Some(Some(first)) = pieces.next() else { return false };
    let has_gain = gains.iter().flatten().any(|gain| *gain != 0) && cx.hints() != HintLevel::Purist;
    let room = ui.available_width() - ROW_WITHOUT_LABEL + if has_gain { 0.0 } else { 30.0 };
    let font = FontId::proportional(LABEL_SIZE);
    let width = |label: &str| ui.painter().layout_no_wrap(label.to_owned(), font.clone(), Color32::WHITE).size().x;
    pieces.all(|piece| piece == Some(first)) && offered.iter().any(|shown| width(&shown.label) > room)
}

/// Returns the land in the label of a deployment, such as `Road, east` for
/// `Follower on the road, east`. Returns `None` for other choices.
fn land_of(shown: &OptionView) -> Option<String> {
    let (_, land) = shown.label.split_once(" on the ").filter(|_| matches!(shown.answer, Answer::Deploy { .. }))?;
    Some(table::capitalize(land))
}

fn option_row(ui: &mut Ui, cx: &mut UiContext<'_>, shown: &OptionView, row: &OptionRow<'_>) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), row.height), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &shown.label));
    let look = *ui.style().interact(&response);
    let is_marked = cx.view_state.preview == Some(shown.answer);
    let stroke = if is_marked { ui.visuals().selection.stroke } else { look.bg_stroke };
    let painter = ui.painter().clone();
    painter.rect(rect, look.corner_radius, look.weak_bg_fill, stroke, egui::StrokeKind::Inside);
    let text = ui.visuals().text_color();
    let mut x = rect.left() + 5.0;
    x += key_cap(ui, pos2(x, rect.center().y), row.key) + 6.0;
    if let Some(what) = picture_of(cx, shown) {
        let at = Rect::from_min_size(pos2(x, rect.center().y - 10.0), Vec2::splat(20.0));
        let texture = cx.pictures.get(ui.ctx(), what, 20.0);
        paint_picture(&painter, texture, at, Color32::WHITE);
        x += 25.0;
    }
    let mut right = rect.right() - 7.0;
    if let Some(gain) = row.gain.filter(|g| *g != 0) {
        let font = FontId::proportional(12.5);
        let at = pos2(right, rect.center().y);
        let strong = ui.visuals().strong_text_color();
        right -= painter.text(at, Align2::RIGHT_CENTER, signed(gain), font, strong).width() + 6.0;
    }
    if row.is_played {
        let at = pos2(right, rect.center().y);
        let weak = ui.visuals().weak_text_color();
        right -= painter.text(at, Align2::RIGHT_CENTER, "played", FontId::proportional(11.0), weak).width() + 6.0;
    }
    let font = FontId::proportional(LABEL_SIZE);
    let label = row.label.as_deref().unwrap_or(&shown.label);
    let whole = painter.layout_no_wrap(label.to_owned(), font.clone(), text).size().x;
    paint_truncated(&painter, pos2(x, rect.center().y), Align2::LEFT_CENTER, label, font, text, right - x);
    if whole > right - x || row.label.is_some() { response.on_hover_text(&shown.label) } else { response }
}

/// Returns the picture for a choice: the tile that chance would draw, or the piece to deploy.
/// Returns `None` for any other choice.
fn picture_of(cx: &UiContext<'_>, shown: &OptionView) -> Option<PictureSubject> {
    if let Some(tile) = shown.tile {
        return Some(PictureSubject::Tile(tile, Facing::default(), TileVariant::default()));
    }
    let Answer::Deploy { kind, .. } = shown.answer else { return None };
    Some(super::widgets::piece_subject(cx, kind, cx.session.view().asked_seat()))
}

/// Paints a key cap, and returns its width in points. `at` is the middle of its left side. If `key`
/// is empty, paints nothing and returns the width of an empty key cap.
pub fn key_cap(ui: &Ui, at: egui::Pos2, key: &str) -> f32 {
    let colour = ui.visuals().text_color();
    let galley = ui.painter().layout_no_wrap(key.to_owned(), FontId::proportional(11.0), colour);
    if key.is_empty() {
        return 16.0;
    }
    let size = vec2((galley.size().x + 8.0).max(16.0), 16.0);
    let rect = Rect::from_min_size(pos2(at.x, at.y - 8.0), size);
    let rim = Stroke::new(1.0, ui.visuals().weak_text_color());
    ui.painter().rect(rect, 3.0, ui.visuals().extreme_bg_color, rim, egui::StrokeKind::Inside);
    ui.painter().galley(rect.center() - galley.size() / 2.0, galley, colour);
    size.x
}
