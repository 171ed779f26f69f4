//! The time bar: buttons for undo and replay, the track of the game's turns, and the menu of
//! branches.

use std::sync::Arc;

use egui::containers::menu::MenuButton;
use egui::{
    Align, Align2, Button, FontId, Id, Label, Layout, Pos2, Rect, Response, RichText, Sense, Stroke, Ui, WidgetInfo,
    pos2, vec2,
};
use table::{AwaitedActor, Branch};

use super::time_track::{Tick, answers_at_position, tick_at, tick_height, ticks, track_position, turn_lines};
use super::widgets::{ButtonIcon, cached, icon_button, pluralized, request_on_click, seat_mark_ui, signed};
use crate::actions::Action;
use crate::command::Command;
use crate::notifications::Tone;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// The side of a button, in points.
const SIDE: f32 = 24.0;

/// Replay speeds, in moves per second.
const SPEEDS: [f32; 7] = [0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0];

/// Draws the panel.
pub fn time_bar(ui: &mut Ui, cx: &mut UiContext<'_>) {
    ui.horizontal(|ui| {
        ui.set_height(34.0);
        ui.spacing_mut().item_spacing.x = 3.0;
        buttons(ui, cx);
        turn_label(ui, cx);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            if !cx.is_guest {
                speed(ui, cx);
                branches_menu(ui, cx);
                undo_buttons(ui, cx);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| track(ui, cx));
        });
    });
}

fn button(ui: &mut Ui, cx: &mut UiContext<'_>, icon: ButtonIcon, command: Command, is_enabled: bool) {
    let info = command.info();
    let about = format!("{} ({})", info.about, command.key_text(ui.ctx()));
    let button = icon_button(ui, icon, info.name, &about, is_enabled, SIDE);
    request_on_click(cx, &button, Action::Command(command));
}

fn buttons(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let is_last = cx.session.is_live() && cx.excursion.is_none();
    let is_first = cx.session.position_index() == 0;
    // At the end of the branch, the play button lets bots play. At a past position, it replays the
    // branch.
    let plays = cx.is_playing && (!is_last || matches!(cx.session.awaited_actor(), AwaitedActor::Bot(_)));
    button(ui, cx, ButtonIcon::ToStart, Command::GoToStart, !is_first);
    button(ui, cx, ButtonIcon::Back, Command::PreviousTurn, !is_first);
    if !cx.is_guest {
        button(ui, cx, if plays { ButtonIcon::Pause } else { ButtonIcon::Play }, Command::PlayPause, true);
    }
    button(ui, cx, ButtonIcon::Forward, Command::NextTurn, !is_last);
    button(ui, cx, ButtonIcon::ToEnd, Command::GoToEnd, !is_last);
}

fn undo_buttons(ui: &mut Ui, cx: &mut UiContext<'_>) {
    // The layout places the buttons from right to left.
    button(ui, cx, ButtonIcon::Redo, Command::Redo, cx.session.redo_target().is_some());
    button(ui, cx, ButtonIcon::Undo, Command::Undo, cx.session.undo_target().is_some());
}

fn turn_label(ui: &mut Ui, cx: &UiContext<'_>) {
    let last = cx.session.steps().last().map_or(0, |s| s.turn);
    let now = if cx.session.is_live() { last.max(cx.session.turn()) } else { cx.session.turn() };
    let text = format!("turn {now}/{}", last.max(now));
    let (at, n) = (cx.session.position_index(), cx.session.steps().len());
    let text = RichText::new(text).size(13.0);
    let text = if cx.session.is_live() { text } else { text.strong() };
    ui.add_space(4.0);
    let about = if cx.session.is_live() {
        format!("End of the branch, after {}.", pluralized(n, "move", "moves"))
    } else {
        format!("Viewing move {at} of {n}.")
    };
    ui.add(Label::new(text).extend()).on_hover_text(about);
}

fn speed(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let now = cx.settings.play_speed;
    let button = Button::new(RichText::new(format!("{now} ×")).size(12.0)).min_size(vec2(40.0, SIDE));
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        ui.set_min_width(120.0);
        ui.weak("Moves per second, for replays and bots");
        for speed in SPEEDS {
            if ui.selectable_label((speed - now).abs() < 0.01, format!("{speed} ×")).clicked() {
                cx.settings.play_speed = speed;
            }
        }
    });
    let about = format!("Replays {now} moves per second; bots speed up in proportion.");
    response.accessible_name(format!("Speed: {now}")).on_hover_text(about);
}

/// Draws the menu of branches, if there is more than one branch.
fn branches_menu(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let session = cx.session;
    if session.branches().is_empty() {
        return;
    }
    let name = session.current_branch_name();
    let text = RichText::new(format!("branch {name}")).size(12.0);
    let button = Button::new(text).min_size(vec2(48.0, SIDE));
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        ui.set_min_width(230.0);
        let turns = session.steps().last().map_or(0, |s| s.turn);
        let scores = session.steps().last().map_or(&[][..], |s| &s.scores);
        let now = format!("branch {name} · {} · {}", pluralized(turns as usize, "turn", "turns"), scores_text(scores));
        let _ = ui.selectable_label(true, now).on_hover_text("Current branch.");
        for (i, branch) in session.branches().iter().enumerate() {
            if ui.selectable_label(false, branch_text(branch)).on_hover_text("Go to the end of this branch.").clicked()
            {
                cx.request_action(Action::SwitchTo(i));
            }
        }
    });
    response
        .accessible_name(format!("Branches: {name} of {}", session.branches().len() + 1))
        .on_hover_text("Playing from the past starts a new branch; no branch is lost. Choose one to go to its end.");
}

fn branch_text(branch: &Branch) -> String {
    let turns = pluralized(branch.last_turn() as usize, "turn", "turns");
    format!("branch {} · {turns} · {}", branch.name, scores_text(branch.scores()))
}

fn scores_text(scores: &[i64]) -> String {
    scores.iter().map(i64::to_string).collect::<Vec<_>>().join(" : ")
}

/// Draws the track with ticks, forks and the current position. Clicking and dragging go to a
/// position.
fn track(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let session = cx.session;
    let size = vec2((ui.available_width() - 6.0).max(40.0), 30.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::slider(true, session.position_index() as f64, "Time"));
    let n = session.steps().len();
    let all = cached(ui.ctx(), Id::unique("ticks"), session, || ticks(session.steps()));
    let inner = rect.shrink2(vec2(6.0, 3.0));
    paint(ui, cx, inner, &all);
    let moment_at = |p: Pos2| answers_at_position((p.x - inner.left()) / inner.width().max(1.0), n);
    if (response.dragged() || response.clicked())
        && let Some(at) = response.interact_pointer_pos().map(moment_at)
        && at != session.position_index()
    {
        cx.request_action(Action::GoTo(at));
    }
    if let Some(pointer) = response.hover_pos() {
        let at = moment_at(pointer);
        let x = inner.left() + inner.width() * track_position(at, n);
        let weak = ui.visuals().weak_text_color();
        ui.painter().vline(x, inner.y_range(), Stroke::new(1.0, weak));
        explain(response, cx, &all, at);
    }
}

fn paint(ui: &Ui, cx: &UiContext<'_>, rect: Rect, all: &Arc<Vec<Tick>>) {
    let session = cx.session;
    let (n, at) = (session.steps().len(), session.position_index());
    let x_of = |at: usize| rect.left() + rect.width() * track_position(at, n);
    let visuals = ui.visuals();
    let painter = ui.painter();
    let now = x_of(at);
    let base = rect.bottom() - 3.0;
    let rail = Rect::from_min_max(pos2(rect.left(), base - 2.0), pos2(rect.right(), base + 2.0));
    painter.rect_filled(rail, 2.0, visuals.extreme_bg_color);
    painter.rect_filled(rail.with_max_x(now), 2.0, visuals.selection.bg_fill);
    let room = rect.height() - 8.0;
    let each = rect.width() / all.len().max(1) as f32;
    let width = (each * 0.35).clamp(1.0, 4.0);
    for tick in all.iter().skip(1).chain(all.first().filter(|t| t.points > 0)) {
        let is_later = tick.begins >= at && !session.is_live();
        let colour = tick.best.map_or(visuals.weak_text_color(), |seat| cx.text_colour(ui.ctx(), seat));
        let colour = if is_later { colour.gamma_multiply(0.45) } else { colour };
        // A turn with points has its tick at the end of the turn, where it scores. A turn without
        // points has its tick at the beginning of the turn.
        let x = if tick.points > 0 { x_of(tick.ends) } else { x_of(tick.begins) };
        let top = base - 3.0 - room * tick_height(tick.points);
        painter.line_segment([pos2(x, base - 3.0), pos2(x, top)], Stroke::new(width, colour));
    }
    // Marks the turns whose scores changed with a rule change.
    for change in session.changes().iter().flat_map(|changes| &changes.list) {
        let (middle, amber) = (pos2(x_of(change.step + 1), rect.top() + 5.0), tone_colour(ui, Tone::Changed));
        let corners = [vec2(0.0, -5.0), vec2(4.5, 0.0), vec2(0.0, 5.0), vec2(-4.5, 0.0)].map(|way| middle + way);
        painter.add(egui::Shape::convex_polygon(corners.to_vec(), amber, Stroke::new(1.0, visuals.panel_fill)));
    }
    for branch in session.branches() {
        fork(ui, pos2(x_of(branch.forks_at.min(n)), rect.top() + 6.0), &branch.name);
    }
    painter.circle(pos2(now, base), 5.5, visuals.strong_text_color(), Stroke::new(1.5, visuals.panel_fill));
    painter.vline(now, rect.top()..=base - 5.0, Stroke::new(1.5, visuals.strong_text_color()));
}

/// Draws the name of a branch at `centre`, the point of the track at which the branch forks from
/// the current branch.
fn fork(ui: &Ui, centre: Pos2, name: &str) {
    let visuals = ui.visuals();
    let rect = Rect::from_center_size(centre, vec2(13.0, 13.0));
    let rim = Stroke::new(1.0, visuals.text_color());
    ui.painter().rect(rect, 3.0, visuals.panel_fill, rim, egui::StrokeKind::Inside);
    let font = FontId::proportional(10.5);
    ui.painter().text(centre, Align2::CENTER_CENTER, name, font, visuals.text_color());
}

fn explain(response: Response, cx: &UiContext<'_>, all: &Arc<Vec<Tick>>, at: usize) {
    let session = cx.session;
    response.on_hover_ui_at_pointer(|ui| {
        ui.set_max_width(320.0);
        let Some(tick) = tick_at(all, at) else {
            ui.label("Each turn adds a tick here; drag to go back to it.");
            return;
        };
        let view = session.view();
        ui.horizontal(|ui| {
            seat_mark_ui(ui, cx, tick.player, 14.0);
            ui.strong(format!("turn {}: {}", tick.turn, view.name(tick.player)));
        });
        let name = |seat| view.name(seat).to_owned();
        turn_lines(Some(session.view()), session.steps(), tick, name).into_iter().for_each(|line| {
            ui.label(line);
        });
        for change in session.changes().iter().flat_map(|changes| &changes.list).filter(|c| c.turn == tick.turn) {
            for (seat, old, new) in &change.points {
                let name = view.name(*seat);
                let text = format!("{name}: {} here under the old rules, {} now", signed(*old), signed(*new));
                ui.colored_label(tone_colour(ui, Tone::Changed), text);
            }
        }
        let forks = session.branches().iter().filter(|b| (tick.begins..=tick.ends).contains(&b.forks_at));
        forks.for_each(|b| {
            ui.weak(format!("{} starts here.", branch_text(b)));
        });
    });
}
