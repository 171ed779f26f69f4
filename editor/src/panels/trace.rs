//! The trace: the calls of mod functions in the shown turn and their effects, or the cost of each
//! function in the whole game.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use egui::{Align, Id, Layout, RichText, ScrollArea, Ui, vec2};
use table::{CallEnd, TracedFunction, TracedStep};

use super::widgets::{open_on_click, pane, remember, remembered, request_on_click};
use crate::actions::Action;
use crate::notifications::Tone;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// A page of the panel.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum TracePage {
    /// The calls of the shown turn.
    #[default]
    Turn,
    /// The cost of each function in the whole game.
    Game,
}

/// Draws the panel.
pub fn trace(ui: &mut Ui, cx: &mut UiContext<'_>) {
    pane(ui, |ui| {
        let id = Id::unique("page of the trace");
        let mut page: TracePage = remembered(ui.ctx(), id);
        let turn = cx.session.turn();
        ui.horizontal(|ui| {
            ui.selectable_value(&mut page, TracePage::Turn, format!("Turn {turn}"))
                .on_hover_text("Calls of mod functions in this turn, in order. Use the time bar for other turns.");
            ui.selectable_value(&mut page, TracePage::Game, "Whole game")
                .on_hover_text("Number of calls and time of each function in this game.");
        });
        remember(ui.ctx(), id, page);
        let steps = match page {
            TracePage::Turn => cx.session.steps_of_turn(),
            TracePage::Game => 0..cx.session.steps().len(),
        };
        let traced = match cx.insight.trace(cx.session, steps) {
            None => {
                ui.spinner();
                return;
            }
            Some(None) => {
                ui.weak("Not available until the game is over: the trace could reveal what is hidden from you.");
                return;
            }
            Some(Some(traced)) => traced,
        };
        match page {
            TracePage::Turn => calls_page(ui, cx, &traced),
            TracePage::Game => costs_page(ui, cx, &traced),
        }
    });
}

fn calls_page(ui: &mut Ui, cx: &mut UiContext<'_>, traced: &Arc<Vec<TracedStep>>) {
    if traced.is_empty() {
        ui.weak("No moves in this turn yet.");
        return;
    }
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        for step in traced.iter() {
            let is_shown = step.step + 1 == cx.session.position_index();
            let text = RichText::new(&step.text).strong();
            let row = ui.selectable_label(is_shown, text).on_hover_text("Show the board after this move.");
            request_on_click(cx, &row, Action::GoTo(step.step + 1));
            if step.calls.is_empty() {
                indented(ui, 1, |ui| ui.weak("no function of a mod ran"));
            }
            step.calls.iter().for_each(|call| one_call(ui, cx, call));
        }
    });
}

fn indented<R>(ui: &mut Ui, depth: u32, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        ui.add_space(14.0 * depth as f32);
        add(ui)
    })
    .inner
}

fn one_call(ui: &mut Ui, cx: &mut UiContext<'_>, traced: &TracedFunction) {
    let call = &traced.call;
    indented(ui, 1 + call.depth, |ui| {
        let name = format!("{}({})", traced.name, call.args.join(", "));
        link(ui, cx, traced.place.as_ref(), &name);
        match &call.end {
            CallEnd::Returned(value) if value.is_empty() => {}
            CallEnd::Returned(value) => {
                ui.label(RichText::new(format!("→ {value}")).monospace());
            }
            CallEnd::Asked => {
                ui.weak("asks a player; runs again after the choice");
            }
            CallEnd::Failed(why) => {
                ui.colored_label(tone_colour(ui, Tone::Bad), format!("fails: {why}"));
            }
        }
        let owner = cx.session.view().mods().get(traced.owner.idx()).map_or("", |info| info.title.as_str());
        ui.weak(format!("{owner} · {}", time_text(call.took)));
    });
    for did in &call.did {
        indented(ui, 2 + call.depth, |ui| ui.label(RichText::new(did).monospace().size(12.0)));
    }
}

/// Draws `name` as a link to the function. If the file and line of the function are unknown, draws
/// it as plain text.
fn link(ui: &mut Ui, cx: &mut UiContext<'_>, place: Option<&(PathBuf, u32)>, name: &str) {
    let name = RichText::new(name).monospace();
    match place {
        Some((path, line)) => {
            let link = ui.link(name);
            open_on_click(&link, cx, path, *line);
        }
        None => {
            ui.label(name);
        }
    }
}

/// The total cost of a function's calls.
#[derive(Default)]
struct CallCost {
    n: u32,
    took: Duration,
    place: Option<(PathBuf, u32)>,
}

fn costs_page(ui: &mut Ui, cx: &mut UiContext<'_>, traced: &[TracedStep]) {
    let mut costs: BTreeMap<(usize, &str), CallCost> = BTreeMap::new();
    for traced in traced.iter().flat_map(|step| &step.calls) {
        let cost = costs.entry((traced.owner.idx(), &*traced.name)).or_default();
        cost.n += 1;
        cost.took += traced.call.took;
        cost.place.clone_from(&traced.place);
    }
    if costs.is_empty() {
        ui.weak("No mod functions ran in this game.");
        return;
    }
    let mut costs: Vec<((usize, &str), CallCost)> = costs.into_iter().collect();
    costs.sort_by_key(|(_, cost)| std::cmp::Reverse(cost.took));
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        egui::Grid::new("costs of functions").num_columns(5).striped(true).spacing([18.0, 2.0]).show(ui, |ui| {
            for head in ["Function", "Mod"] {
                ui.strong(head);
            }
            for head in ["Calls", "Time", "Per call"] {
                right_aligned(ui, |ui| ui.strong(head));
            }
            ui.end_row();
            for ((owner, name), cost) in costs {
                link(ui, cx, cost.place.as_ref(), name);
                ui.weak(cx.session.view().mods().get(owner).map_or("", |info| info.title.as_str()));
                right_aligned(ui, |ui| ui.label(cost.n.to_string()));
                right_aligned(ui, |ui| ui.label(time_text(cost.took)));
                right_aligned(ui, |ui| ui.label(time_text(cost.took / cost.n.max(1))));
                ui.end_row();
            }
        });
    });
}

/// Draws a number or a heading at the right of its column.
fn right_aligned<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) {
    ui.allocate_ui_with_layout(vec2(64.0, ui.spacing().interact_size.y), Layout::right_to_left(Align::Center), add);
}

/// Returns a time as text, in microseconds or milliseconds.
fn time_text(took: Duration) -> String {
    match took.as_secs_f64() * 1e6 {
        micros if micros < 1000.0 => format!("{micros:.0} µs"),
        micros => format!("{:.1} ms", micros / 1000.0),
    }
}
