//! The event log: one line for each event, with filters. A click on a line shows the board after
//! the answer that caused the event.

use std::borrow::Cow;
use std::sync::Arc;

use door::MAX_NAME;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{
    Color32, FontId, Id, Key, KeyboardShortcut, Label, Modifiers, Response, RichText, Role, ScrollArea, Sense, Ui,
    WidgetInfo, pos2, vec2,
};
use table::{Award, BotReasoning, GameView, Seat, Snapshot, Spot, Target};

use super::log_rows::{LogRow, RowFilter, RowKind, RowSubject, answer_label, last_laid, rows};
use super::widgets::{cached, paint_seat_mark, pane, pluralized, remember, remembered, search_field, signed};
use crate::actions::Action;
use crate::settings::HintLevel;
use crate::ui_context::UiContext;

/// The height of a line, in points.
const LINE_HEIGHT: f32 = 19.0;

/// The state of the log between frames.
#[derive(Clone, Default)]
struct LogState {
    filter: RowFilter,
    /// The position that the board showed in the last frame: the number of answers before it. The
    /// log scrolls when the position changes.
    at: usize,
    /// The position of the last line that the user clicked in the log. The log does not scroll to
    /// this position, because the clicked line is visible. `None` before the first click.
    clicked: Option<usize>,
}

/// Draws the panel.
pub fn log(ui: &mut Ui, cx: &mut UiContext<'_>) {
    pane(ui, |ui| {
        let id = Id::unique("event log");
        let mut memory: LogState = remembered(ui.ctx(), id);
        let session = cx.session;
        let all = cached(ui.ctx(), id.with("rows"), session, || rows(Some(session.view()), session.steps()));
        filters(ui, cx, &mut memory.filter);
        if all.is_empty() {
            ui.weak("No events yet. Draws, moves and points appear here.");
        } else {
            let shown: Vec<&LogRow> = all.iter().filter(|r| memory.filter.passes(r)).collect();
            if shown.is_empty() {
                ui.weak("No matching lines. Clear the search or show all players.");
            }
            list(ui, cx, &shown, &mut memory);
        }
        memory.at = session.position_index();
        remember(ui.ctx(), id, memory);
    });
}

/// Draws the filters above the log.
fn filters(ui: &mut Ui, cx: &UiContext<'_>, filter: &mut RowFilter) {
    let find = KeyboardShortcut::new(Modifiers::COMMAND, Key::F);
    let wants_search = ui.input_mut(|i| i.consume_shortcut(&find));
    ui.horizontal(|ui| {
        let view = cx.session.view();
        let chosen = filter.seat.map_or("all players", |seat| view.name(seat));
        let players = egui::ComboBox::from_id_salt("player").selected_text(chosen).width(96.0).show_ui(ui, |ui| {
            ui.selectable_value(&mut filter.seat, None, "all players");
            for seat in view.seats() {
                ui.selectable_value(&mut filter.seat, Some(seat), view.name(seat));
            }
        });
        players.response.accessible_name("Filter by player");
        ui.toggle_value(&mut filter.only_points, "only points").on_hover_text("Show only lines with points.");
        let search = search_field(&mut filter.text, "Search (Ctrl+F)").desired_width(150.0);
        let search = ui.add(search).accessible_name("Search the event log");
        if wants_search {
            search.request_focus();
        }
        if *filter != RowFilter::default() && ui.small_button("Show all").on_hover_text("Clear all filters.").clicked()
        {
            *filter = RowFilter::default();
        }
    });
}

fn list(ui: &mut Ui, cx: &mut UiContext<'_>, shown: &[&LogRow], memory: &mut LogState) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let at = cx.session.position_index();
    let mut area = ScrollArea::vertical().auto_shrink(false).stick_to_bottom(cx.session.is_live());
    let is_moved = memory.at != at && memory.clicked != Some(at);
    if is_moved && !cx.session.is_live() {
        let first_later = shown.partition_point(|r| r.step < at);
        let offset = first_later as f32 * LINE_HEIGHT - ui.available_height() * 0.6;
        area = area.vertical_scroll_offset(offset.max(0.0));
    }
    area.show_rows(ui, LINE_HEIGHT, shown.len(), |ui, range| {
        for row in &shown[range] {
            let response = line(ui, cx, row, at);
            if response.hovered()
                && let Some(target) = target(cx.session, &row.about)
            {
                cx.view_state.highlight(target);
            }
            if response.clicked() {
                memory.clicked = Some(row.step + 1);
                cx.request_action(Action::GoTo(row.step + 1));
                let awards = row.award.iter().cloned().collect();
                cx.view_state.explain(cx.session.view(), awards);
            }
            response.on_hover_ui(|ui| explain(ui, cx, row));
        }
    });
}

/// Draws a line of the log: turn, player, event.
fn line(ui: &mut Ui, cx: &UiContext<'_>, row: &LogRow, at: usize) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE_HEIGHT), Sense::click());
    let is_later = row.step >= at;
    let who = row.seat.map_or("", |s| cx.session.view().name(s));
    response.widget_info(|| {
        let points = row.points.map(|p| format!("{} ", signed(p))).unwrap_or_default();
        WidgetInfo::labeled(Role::Button, true, format!("turn {}: {who} {points}{}", row.turn, row.text))
    });
    let opacity = if is_later { 0.5 } else { 1.0 };
    let mut painter = ui.painter_at(rect);
    painter.set_opacity(ui.painter().opacity() * opacity);
    if response.hovered() || response.has_focus() {
        painter.rect_filled(rect, 3.0, ui.visuals().faint_bg_color);
    }
    if row.step + 1 == at && !cx.session.is_live() {
        painter.rect_filled(rect.with_max_x(rect.left() + 3.0), 0.0, ui.visuals().hyperlink_color);
    }
    let weak = ui.visuals().weak_text_color();
    let turn = if row.turn == 0 { "·".to_owned() } else { row.turn.to_string() };
    let small = FontId::proportional(11.0);
    painter.text(pos2(rect.left() + 28.0, rect.center().y), egui::Align2::RIGHT_CENTER, turn, small, weak);
    if let (Some(seat), true) = (row.seat, row.kind != RowKind::Chance) {
        paint_seat_mark(&painter, pos2(rect.left() + 43.0, rect.center().y), 7.0, cx.colour(seat), seat);
    }
    let job = line_text(ui, cx, row, rect.width() - 60.0);
    let galley = painter.layout_job(job);
    let y = rect.center().y - galley.size().y / 2.0;
    painter.galley(pos2(rect.left() + 55.0, y), galley, ui.visuals().text_color());
    response
}

/// Draws the moves and points of the turn before this one, in a single line. Returns `None` if
/// there are none.
pub fn last_turn(ui: &mut Ui, cx: &UiContext<'_>) -> Option<Response> {
    let session = cx.session;
    let id = Id::unique("event log").with("rows");
    let all = cached(ui.ctx(), id, session, || rows(Some(session.view()), session.steps()));
    let (at, now) = (session.position_index(), session.turn());
    let is_told = |row: &&LogRow| {
        matches!(row.kind, RowKind::Answer | RowKind::Points) && row.step < at && (1..now).contains(&row.turn)
    };
    let turn = all.iter().rev().find(is_told)?.turn;
    let mut job = LayoutJob::default();
    let mut last: Option<(Option<Seat>, RowKind)> = None;
    for row in all.iter().filter(is_told).filter(|row| row.turn == turn) {
        let is_same = last.is_some_and(|it| it == (row.seat, row.kind));
        let between = match last {
            None => "",
            Some(_) if is_same => ", ",
            Some(_) => " · ",
        };
        job.append(between, 0.0, TextFormat::simple(FontId::proportional(13.0), ui.visuals().weak_text_color()));
        append_line(&mut job, ui, cx, row, !is_same);
        last = Some((row.seat, row.kind));
    }
    Some(ui.add(Label::new(job).truncate().sense(Sense::click())))
}

/// Returns the text of a line: the player's name, the points, and the event.
fn line_text(ui: &Ui, cx: &UiContext<'_>, row: &LogRow, width: f32) -> LayoutJob {
    let mut job = LayoutJob { wrap: TextWrapping::truncate_at_width(width.max(20.0)), ..LayoutJob::default() };
    append_line(&mut job, ui, cx, row, true);
    job
}

/// Appends the points and the event of a row to `job`; if `with_name` is true, first the player's
/// name.
fn append_line(job: &mut LayoutJob, ui: &Ui, cx: &UiContext<'_>, row: &LogRow, with_name: bool) {
    let (text, weak, strong) =
        (ui.visuals().text_color(), ui.visuals().weak_text_color(), ui.visuals().strong_text_color());
    let format = |colour: Color32, size: f32| TextFormat::simple(FontId::proportional(size), colour);
    if let (Some(seat), true) = (row.seat, with_name && matches!(row.kind, RowKind::Answer | RowKind::Points)) {
        let colour = cx.text_colour(ui.ctx(), seat);
        job.append(&format!("{} ", short_name(cx.session.view().name(seat))), 0.0, format(colour, 13.0));
    }
    if let Some(points) = row.points {
        job.append(&format!("{} ", signed(points)), 0.0, format(strong, 14.5));
    }
    match row.kind {
        RowKind::Chance => job.append(&row.text, 0.0, format(weak, 11.5)),
        RowKind::Note => job.append(&row.text, 0.0, TextFormat { italics: true, ..format(text, 13.0) }),
        RowKind::End => job.append(&row.text, 0.0, format(strong, 13.5)),
        RowKind::Answer | RowKind::Points => job.append(&row.text, 0.0, format(text, 13.0)),
    }
}

/// Cuts a name after [`MAX_NAME`] characters, so that the event is visible. Records can contain
/// longer names.
fn short_name(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default().trim_end()).into(),
        None => name.into(),
    }
}

fn explain(ui: &mut Ui, cx: &mut UiContext<'_>, row: &LogRow) {
    ui.set_max_width(420.0);
    match &row.award {
        Some(award) => explain_award(ui, cx.session, award),
        None => {
            ui.label(&row.text);
            if let Some(reasoning) = cx.session.reasoning(row.step).filter(|_| row.kind == RowKind::Answer) {
                explain_choice(ui, cx.session.view(), reasoning, last_laid_before(cx.session, row.step));
            } else if row.kind == RowKind::Answer && cx.hints() != HintLevel::Purist {
                explain_cost(ui, cx, row.step);
            }
        }
    }
    let about = if row.award.is_some() {
        "Click to see on the board what was counted."
    } else {
        "Click to see the board at that time."
    };
    ui.weak(RichText::new(about).small());
}

/// Compares the answer at `step` with the answer that the greedy bot judges best. Shows the best
/// answer, and the difference in the player's lead, in points.
fn explain_cost(ui: &mut Ui, cx: &mut UiContext<'_>, step: usize) {
    match cx.insight.regret(cx.session, step) {
        None => drop(ui.spinner()),
        Some(None) => {}
        Some(Some(regret)) if regret.points <= 0.0 => drop(ui.label("No other move would have given a larger lead.")),
        Some(Some(regret)) => {
            let best = answer_label(Some(cx.session.view()), &regret.best, None, last_laid_before(cx.session, step));
            let (points, name) = (regret.points, cx.session.view().name(regret.seat));
            ui.label(format!("A better move, for a lead larger by {points:.1} points: {name} {best}"));
        }
    }
}

/// Returns the spot of the tile that was placed last before the answer at `step`.
pub fn last_laid_before(session: &Snapshot, step: usize) -> Spot {
    last_laid(session.steps().get(..step).unwrap_or_default())
}

/// Shows a bot's reasoning behind an answer. `last` is the spot of the tile that was placed before
/// the answer.
pub fn explain_choice(ui: &mut Ui, view: GameView<'_>, reasoning: &BotReasoning, last: Spot) {
    ui.separator();
    let is_searched = reasoning.options.iter().any(|option| option.n_simulations > 0);
    let has_win_rate = reasoning.options.iter().any(|option| option.chance.is_some());
    let n_shown = reasoning.options.len();
    ui.strong(format!("Best moves: {n_shown} of {}", pluralized(reasoning.n_options, "option", "options")));
    egui::Grid::new("considered").num_columns(4).spacing([12.0, 2.0]).striped(true).show(ui, |ui| {
        for (head, is_shown) in
            [("move", true), ("lead", true), ("win rate", has_win_rate), ("simulations", is_searched)]
        {
            if is_shown {
                ui.weak(head);
            }
        }
        ui.end_row();
        for (i, option) in reasoning.options.iter().enumerate() {
            let text = RichText::new(answer_label(Some(view), &option.text, None, last));
            ui.label(if i == 0 { text.strong() } else { text });
            ui.label(format!("{:+.1}", option.lead));
            if let Some(chance) = option.chance {
                ui.label(format!("{:.0}%", chance * 100.0));
            }
            if is_searched {
                ui.label(option.n_simulations.to_string());
            }
            ui.end_row();
        }
    });
    let how = if is_searched {
        "Average over the simulated games after each move: lead in points, win rate."
    } else if has_win_rate {
        "Best play to the end: lead in points, win rate. Other moves are not better."
    } else {
        "Lead in points if the game ended after this move, plus a value for pieces in supply."
    };
    ui.weak(RichText::new(how).small());
}

/// Shows the calculation of an award's points: the formula with numbers, and a line for each change
/// of the points. Each line names the mod or formula that made the change.
pub fn explain_award(ui: &mut Ui, session: &Snapshot, award: &Arc<Award>) {
    let name = session.view().name(award.player);
    ui.strong(format!("{name} {}: {}", signed(award.points), award.reason));
    for line in table::award_explanation(session.view(), award) {
        ui.label(line);
    }
    if award.is_final {
        ui.weak("Scored at the end of the game.");
    }
}

/// Returns the target on the board for the subject of a row. Returns `None` if the row has no
/// subject, or if its zone or feature is not on the board at the current position.
pub fn target(session: &Snapshot, about: &RowSubject) -> Option<Target> {
    let view = session.view();
    match about {
        RowSubject::Nothing => None,
        RowSubject::Spot(spot) => Some(Target::Spot(*spot)),
        RowSubject::Corner(corner) => Some(Target::Corner(*corner)),
        RowSubject::Border(border) => Some(Target::Border(*border)),
        RowSubject::Zone(spot, name) => {
            view.tile_at(*spot)?;
            Some(view.zone_named(*spot, name).map_or(Target::Spot(*spot), Target::Zone))
        }
        RowSubject::Feature(feature) => view.has_feature(*feature).then_some(Target::Feature(*feature)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_between_characters() {
        assert_eq!(short_name("Anna Maria"), "Anna Maria");
        assert_eq!(short_name(&"ä".repeat(80)), format!("{}…", "ä".repeat(MAX_NAME)));
    }
}
