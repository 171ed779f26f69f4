//! The problems of the mods on disk, and failures of mods during play: file, line, text and help.

use super::widgets::open_on_click;
use egui::{RichText, ScrollArea, Ui};
use table::{Diagnostic, Severity, Source};

use crate::notifications::Tone;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// Draws the panel.
pub fn problems(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let problems = cx.session.problems().clone();
    egui::Frame::new().inner_margin(6).show(ui, |ui| {
        let at_run_time = cx.session.run_time_problems();
        if problems.is_empty() && at_run_time.is_empty() {
            ui.weak("No problems. Errors in mods appear here; meanwhile the game uses the last working rules.");
            return;
        }
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            for problem in &at_run_time {
                problem_row(ui, cx, &problem.diagnostic, problem.source.as_ref());
                ui.separator();
            }
            for problem in problems.list() {
                let source = problems.sources().iter().find(|s| s.name == problem.span.file);
                problem_row(ui, cx, problem, source);
                ui.separator();
            }
        });
    });
}

fn problem_row(ui: &mut Ui, cx: &mut UiContext<'_>, problem: &Diagnostic, source: Option<&Source>) {
    let tone = if problem.severity == Severity::Error { Tone::Bad } else { Tone::Changed };
    let colour = tone_colour(ui, tone);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(problem.severity.to_string()).color(colour).strong());
        ui.label(&problem.message);
    });
    if let Some(source) = source {
        ui.horizontal(|ui| {
            let link = ui.link(problem.span.to_string());
            open_on_click(&link, cx, &source.path, problem.span.line);
        });
        if let Some(line) = source.line(problem.span.line) {
            let mark = " ".repeat((problem.span.column as usize).saturating_sub(1)) + "^";
            ui.label(RichText::new(format!("{:>4} | {line}\n     | {mark}", problem.span.line)).monospace().size(12.0));
        }
    }
    if let Some(help) = &problem.help {
        ui.label(RichText::new(format!("Help: {help}")).italics());
    }
    for note in &problem.notes {
        ui.weak(format!("{}:{}: {}", note.span.file, note.span.line, note.message));
    }
}
