//! The tables of a balance run. A click on a row opens an example game for the row.

use egui::{Grid, Link, RichText, Ui, vec2};
use workshop::balance::{ReportCell, ReportRow, ReportSection, ShownRules};

use crate::actions::{Action, BalanceAction};
use crate::panels::widgets::{pluralized, request_on_click};
use crate::ui_context::UiContext;

/// Draws a table. Rows are grey if their numbers may be due to chance. A click on the name of a row
/// opens its example game under the rules that `which` selects. If `which` is a value of a setting,
/// row number `i` uses value number `i`, counted from 0.
pub(super) fn table(
    ui: &mut Ui,
    cx: &mut UiContext<'_>,
    section: &ReportSection,
    title: Option<&str>,
    which: ShownRules,
) {
    ui.add_space(8.0);
    ui.strong(title.unwrap_or(&section.title)).on_hover_text(&section.about);
    Grid::new(&section.title).striped(true).spacing(vec2(14.0, 3.0)).show(ui, |ui| {
        section.columns.iter().for_each(|name| {
            ui.weak(name);
        });
        ui.end_row();
        for (at, row) in section.rows.iter().enumerate() {
            let which = if matches!(which, ShownRules::Value(_)) { ShownRules::Value(at) } else { which };
            name(ui, cx, row, which);
            for cell in &row.cells {
                let shown = ui.label(number_text(ui, cell.display_text(), row.is_noise));
                if let ReportCell::Number { interval: Some(it), is_share, .. } = cell {
                    let times = if *is_share { 100.0 } else { 1.0 };
                    let (low, high) = (it.low * times, it.high * times);
                    shown.on_hover_text(format!("Confidence interval: {low:.2} to {high:.2}"));
                }
            }
            ui.end_row();
        }
    });
}

fn name(ui: &mut Ui, cx: &mut UiContext<'_>, row: &ReportRow, which: ShownRules) {
    let text = number_text(ui, &row.name, row.is_noise);
    let Some(example) = &row.example else {
        ui.label(text);
        return;
    };
    let about = match which {
        ShownRules::Different => "where it first differs",
        _ => "at the clearest example",
    };
    let hover = format!("Opens game {}, {about}. To go back, choose Return to my game in the Game menu.", example.game);
    let link = ui.add(Link::new(text)).on_hover_text(hover);
    request_on_click(cx, &link, Action::Balance(BalanceAction::Open(example.clone(), which)));
}

/// Returns a number of games as a text.
pub(super) fn games_text(n: u64) -> String {
    pluralized(n as usize, "game", "games")
}

/// Returns `text` in the normal text colour, or in a faint colour if `is_noise` is true: its number
/// may be due to chance.
fn number_text(ui: &Ui, text: impl Into<String>, is_noise: bool) -> RichText {
    let colour = if is_noise { ui.visuals().weak_text_color() } else { ui.visuals().text_color() };
    RichText::new(text).color(colour)
}
