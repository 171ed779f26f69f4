//! A card for each player: mark, name, score, supply, and a chart of the score.

use std::sync::Arc;

use egui::containers::menu::MenuButton;
use egui::{
    Align, Button, Color32, CornerRadius, FontId, Id, Label, Layout, Painter, Pos2, Rect, Response, RichText, Role,
    ScrollArea, Sense, Ui, UiBuilder, Vec2, WidgetInfo, pos2, vec2,
};
use platform::time::Duration;
use table::{Actor, Seat, Target, describe_player};

use super::log::{explain_choice, last_laid_before};
use super::podium::ranking;
use super::series::{ScoreSeries, last_points, paint_sparkline, series};
use super::supply;
use super::widgets::{ButtonIcon, cached, paint_icon, paint_seat_mark, pane, points_text, signed};
use crate::actions::Action;
use crate::bot_levels;
use crate::settings::HintLevel;
use crate::ui_context::UiContext;

/// The smallest height of a player's card, in points. A card of this height has one line.
const MIN_HEIGHT: f32 = 21.0;

/// The height of a card, in points, from which it has two lines. Lower cards have one line.
const TWO_LINES_FROM: f32 = 41.0;

/// The width, in points, that a name and the recent points beside it need. In a narrower card, the
/// recent points are hidden.
const NAME_AND_POINTS_WIDTH: f32 = 86.0;

/// The gap between two cards, in points.
const GAP: f32 = 2.0;

/// The largest height of a card, in points.
pub const MAX_HEIGHT: f32 = 74.0;

/// Returns two heights of the panel, in points: with the lowest cards, and with cards of height
/// `most`.
pub fn players_heights(n_seats: usize, most: f32) -> (f32, f32) {
    let of = |card: f32| n_seats as f32 * (card + GAP) + 14.0;
    (of(MIN_HEIGHT), of(most))
}

/// Draws the panel.
pub fn players(ui: &mut Ui, cx: &mut UiContext<'_>) {
    pane(ui, |ui| {
        let seats: Vec<Seat> = cx.session.view().order().collect();
        cx.view_state.player_cards.clear();
        ui.spacing_mut().item_spacing.y = GAP;
        let room = ui.available_height() / seats.len().max(1) as f32 - GAP;
        let height = room.clamp(MIN_HEIGHT, MAX_HEIGHT).floor();
        let n = seats.len();
        let series = cached(ui.ctx(), Id::unique("series of scores"), cx.session, || series(cx.session.steps(), n));
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            seats.into_iter().for_each(|seat| card(ui, cx, seat, height, &series));
        });
        if let Some(seat) = cx.view_state.lit_player {
            cx.view_state.highlight(Target::Player(seat));
        }
    });
}

fn card(ui: &mut Ui, cx: &mut UiContext<'_>, seat: Seat, height: f32, series: &Arc<ScoreSeries>) {
    let name = cx.session.view().name(seat).to_owned();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Player {name}")));
    cx.view_state.player_cards.push((seat, rect));
    background(ui, cx, seat, rect, &response);
    if response.hovered() {
        cx.view_state.highlight(Target::Player(seat));
    }
    if response.clicked() {
        cx.view_state.lit_player = if cx.view_state.lit_player == Some(seat) { None } else { Some(seat) };
    }
    let shown = match cx.table.and_then(|table| table.guest(seat)) {
        Some((guest, true)) => format!("{name} · {guest}"),
        Some((guest, false)) => format!("{name} · {guest}, away"),
        None if cx.is_guest && cx.table.is_some_and(|table| table.is_own(seat)) => format!("{name} · you"),
        None => name.clone(),
    };
    let shown = match cx.table.and_then(|table| table.time_left(seat)) {
        Some(time) => {
            ui.ctx().request_repaint_after(Duration::from_millis(250));
            format!("{shown} · {time}")
        }
        None => shown,
    };
    let is_tight = height < 48.0;
    let inner = rect.shrink2(vec2(9.0, if is_tight { 2.0 } else { 4.0 }));
    if height < TWO_LINES_FROM {
        row(ui, ("top", seat.0), inner, |ui| only_row(ui, cx, seat, (&name, &shown)));
    } else {
        let (top, below) = inner.split_top_bottom_at_y(inner.top() + if is_tight { 21.0 } else { 23.0 });
        row(ui, ("top", seat.0), top, |ui| top_row(ui, cx, seat, (&name, &shown)));
        row(ui, ("below", seat.0), below, |ui| below_row(ui, cx, seat, &name, below, series));
    }
    response.on_hover_ui_at_pointer(|ui| explain(ui, cx, seat));
}

fn row(ui: &mut Ui, salt: (&str, u8), rect: Rect, add: impl FnOnce(&mut Ui)) {
    let layout = Layout::left_to_right(Align::Center);
    let mut child = ui.new_child(UiBuilder::new().id_salt(salt).max_rect(rect).layout(layout));
    child.spacing_mut().item_spacing.x = 5.0;
    add(&mut child);
}

fn is_asked(cx: &UiContext<'_>, seat: Seat) -> bool {
    cx.session.view().asked_seat() == Some(seat)
}

fn background(ui: &Ui, cx: &UiContext<'_>, seat: Seat, rect: Rect, response: &Response) {
    let visuals = ui.visuals();
    let is_lit = cx.view_state.lit_player == Some(seat);
    let has_turn = cx.session.view().player() == seat && !cx.session.view().is_over();
    let fill = match response.hovered() || is_lit {
        true => visuals.widgets.hovered.weak_bg_fill,
        false if has_turn => visuals.faint_bg_color.lerp_to_gamma(cx.colour(seat), 0.14),
        false => visuals.faint_bg_color,
    };
    let stroke = match (is_lit, has_turn) {
        (true, _) => egui::Stroke::new(2.0, visuals.selection.stroke.color),
        (false, true) => egui::Stroke::new(1.5, cx.text_colour(ui.ctx(), seat)),
        _ => visuals.widgets.noninteractive.bg_stroke,
    };
    let painter = ui.painter();
    painter.rect(rect, 5.0, fill, stroke, egui::StrokeKind::Inside);
    let stripe = Rect::from_min_size(rect.min + vec2(2.0, 4.0), vec2(3.0, rect.height() - 8.0));
    painter.rect_filled(stripe, 1.5, cx.colour(seat));
    if has_turn {
        // Marks the player of the turn by a shape, so that the mark can be recognised without
        // colours.
        let mark = Rect::from_center_size(pos2(rect.left() + 1.0, rect.center().y), Vec2::splat(10.0));
        paint_icon(painter, ButtonIcon::Play, mark, visuals.strong_text_color());
    }
}

/// Draws the top row of a player's card: on the left the mark and the name, on the right the recent
/// points, the score and the projected score.
fn top_row(ui: &mut Ui, cx: &mut UiContext<'_>, seat: Seat, (name, shown): (&str, &str)) {
    let (mark, _) = ui.allocate_exact_size(Vec2::splat(20.0), Sense::hover());
    paint_seat_mark(ui.painter(), mark.center(), 9.5, cx.colour(seat), seat);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        projected(ui, cx, seat);
        score_button(ui, cx, seat, name);
        let view = cx.session.view();
        if ui.available_width() >= NAME_AND_POINTS_WIDTH
            && let Some(points) = last_points(cx.session.steps(), cx.session.position_index(), seat, view.n_seats())
        {
            let text = RichText::new(signed(points)).size(12.0).color(cx.text_colour(ui.ctx(), seat));
            ui.label(text).on_hover_text("Points that this player scored within the last round.");
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| name_label(ui, cx, seat, shown, 14.0));
    });
}

/// Draws the only line of a low card: mark, name, supply, score and projected score.
fn only_row(ui: &mut Ui, cx: &mut UiContext<'_>, seat: Seat, (name, shown): (&str, &str)) {
    let side = ui.available_height().min(18.0);
    let (mark, _) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    paint_seat_mark(ui.painter(), mark.center(), side / 2.0, cx.colour(seat), seat);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        projected(ui, cx, seat);
        score_button(ui, cx, seat, name);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            name_label(ui, cx, seat, shown, 13.0);
            let items = cx.session.view().supply(seat);
            let home = ui.available_rect_before_wrap().shrink2(vec2(1.0, 1.0));
            // If there is little room, hides the supply, because the name is more important. The
            // tooltip still shows the supply.
            if home.width() > 50.0 {
                supply::paint(ui, cx, home, &items, seat);
            }
        });
    });
}

fn name_label(ui: &mut Ui, cx: &UiContext<'_>, seat: Seat, shown: &str, size: f32) {
    let text = RichText::new(shown).size(size);
    let text = if is_asked(cx, seat) { text.strong() } else { text };
    ui.add(Label::new(text).truncate().selectable(false));
}

fn score_button(ui: &mut Ui, cx: &mut UiContext<'_>, seat: Seat, name: &str) {
    let score = cx.session.view().score(seat);
    // A low card has room for smaller digits only.
    let size = ui.available_height().clamp(16.0, 24.0);
    let text = RichText::new(score.to_string()).size(size).strong();
    let button = ui.add(Button::new(text).frame(false)).accessible_name(format!("Score of {name}: {score}"));
    if button.clicked() {
        let open = &mut cx.view_state.windows.breakdown;
        *open = if *open == Some(seat) { None } else { Some(seat) };
    }
    button.on_hover_ui(|ui| {
        ui.label(format!("{name} has {}. Click for the score sheet.", points_text(score)));
        let markers = cx.session.view().markers(seat);
        if markers.len() > 1 {
            let all: Vec<String> = markers.iter().map(i64::to_string).collect();
            ui.label(format!("Markers at {}", all.join(" and ")));
        }
    });
}

/// Returns the score of a player if the game ended now, and the difference from the current score.
/// Returns `None` if the score is hidden or not known yet, or if the game is over.
fn projected_score(cx: &mut UiContext<'_>, seat: Seat) -> Option<(i64, i64)> {
    if cx.hints() == HintLevel::Purist || cx.session.view().is_over() {
        return None;
    }
    let then = *cx.insight.projection(cx.session)?.scores.get(seat.idx())?;
    Some((then, then - cx.session.view().score(seat)))
}

fn projected(ui: &mut Ui, cx: &mut UiContext<'_>, seat: Seat) {
    let Some((then, more)) = projected_score(cx, seat) else { return };
    let about = format!("{then} if the game ended now: {} for pieces and features on the board.", signed(more));
    ui.label(RichText::new(format!("({then})")).size(12.5)).on_hover_text(about);
}

/// Draws the second line of a card: the supply, the badge with the player (human or bot) and, if
/// there is room, the chart of the score.
fn below_row(ui: &mut Ui, cx: &mut UiContext<'_>, seat: Seat, name: &str, rect: Rect, series: &ScoreSeries) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let items = cx.session.view().supply(seat);
        // The chart leaves room for the supply.
        if rect.width() - supply::width(&items, rect.height()) > 150.0 {
            let width = if rect.width() > 260.0 { 84.0 } else { 46.0 };
            let (spark, _) = ui.allocate_exact_size(vec2(width, rect.height().min(34.0)), Sense::hover());
            let (at, colour) = (cx.session.position_index(), cx.text_colour(ui.ctx(), seat));
            paint_sparkline(ui.painter(), spark, series, seat, at, colour);
        }
        player_badge(ui, cx, seat, name);
        let home = ui.available_rect_before_wrap();
        supply::paint(ui, cx, home.shrink2(vec2(1.0, 0.0)), &items, seat);
    });
}

/// Draws a badge with the level or name of the bot of a seat; for a human, a badge with a person.
/// A click opens a menu that gives the seat to a human or another bot.
fn player_badge(ui: &mut Ui, cx: &mut UiContext<'_>, seat: Seat, name: &str) {
    let bot = bot_levels::bot_of(cx.session, seat);
    // The spaces leave room for the painted person.
    let text = bot.map_or("   ".to_owned(), |bot| bot_levels::title(Some(bot)).to_string());
    let text = RichText::new(text).size(11.0);
    let button = Button::new(text).small().corner_radius(7);
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        ui.set_min_width(150.0);
        ui.weak(format!("Who plays {name}?"));
        if let Some(chosen) = bot_levels::choices(ui, bot) {
            cx.request_action(Action::SetBot(seat, chosen));
        }
    });
    if bot.is_none() {
        paint_person(ui.painter(), response.rect.center(), ui.style().interact(&response).text_color());
    }
    let about = match bot.and_then(bot_levels::description) {
        Some(about) => format!("A bot plays {name}. {about} Click to change."),
        None => format!("A human plays {name}. Click to change."),
    };
    let named = response.accessible_name(format!("Who plays {name}: {}", bot_levels::title(bot)));
    named.on_hover_ui(|ui| {
        ui.set_max_width(420.0);
        ui.label(about);
        let session = cx.session;
        let is_own = |step: &usize| session.steps().get(*step).is_some_and(|it| it.who == Actor::Player(seat));
        let last =
            (0..session.position_index()).rev().filter(is_own).find_map(|step| Some((session.reasoning(step)?, step)));
        if let Some((reasoning, step)) = last {
            explain_choice(ui, session.view(), reasoning, last_laid_before(session, step));
        }
    });
}

/// Paints a person: a head above shoulders, 10 points wide and high.
fn paint_person(painter: &Painter, centre: Pos2, colour: Color32) {
    painter.circle_filled(centre - vec2(0.0, 2.5), 2.5, colour);
    let shoulders = Rect::from_center_size(centre + vec2(0.0, 3.0), vec2(9.0, 4.0));
    painter.rect_filled(shoulders, CornerRadius { nw: 3, ne: 3, sw: 0, se: 0 }, colour);
}

/// Draws the contents of a player's tooltip, such as the score, the rank and the supply.
fn explain(ui: &mut Ui, cx: &mut UiContext<'_>, seat: Seat) {
    ui.set_max_width(300.0);
    let session = cx.session;
    let view = session.view();
    ui.horizontal(|ui| {
        let (mark, _) = ui.allocate_exact_size(Vec2::splat(16.0), Sense::hover());
        paint_seat_mark(ui.painter(), mark.center(), 8.0, cx.colour(seat), seat);
        ui.strong(view.name(seat));
        if is_asked(cx, seat) {
            ui.label("to move");
        } else if view.player() == seat && !view.is_over() {
            ui.label("player of this turn");
        }
    });
    let scores = view.scores();
    let place = ranking(&scores).into_iter().find(|(_, s, _)| *s == seat).map_or(0, |(place, ..)| place);
    ui.label(format!("{}, place {place} of {}", points_text(view.score(seat)), scores.len()));
    if let Some((then, more)) = projected_score(cx, seat) {
        ui.label(format!("{then} if the game ended now: {}", signed(more)));
    }
    for line in supply::supply_lines(&view.supply(seat)).into_iter().chain(describe_player(view, seat)) {
        ui.label(line);
    }
    let hint = "Click the card to highlight this player's pieces, or the score for the score sheet.";
    ui.label(RichText::new(hint).font(FontId::proportional(11.0)).color(ui.visuals().weak_text_color()));
}
