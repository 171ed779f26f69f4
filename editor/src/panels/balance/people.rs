//! Playtests in the panel: the choice of files, and people beside bots in tables and lists.

use egui::{ScrollArea, Spinner, Ui};
use workshop::balance::ShownRules;
use workshop::playtests::RemarkList;

use super::tables;
use crate::actions::{Action, BalanceAction, CorpusAction};
use crate::file_choice::FilePurpose;
use crate::jobs::PlaytestResults;
use crate::notifications::Tone;
use crate::panels::widgets::{action_button, pluralized, request_on_click};
use crate::shown_error::ShownError;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// Draws the menu for opening playtests.
pub(super) fn menu(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let menu = ui.menu_button("Playtests", |ui| {
        ui.set_min_width(160.0);
        request_on_click(cx, &ui.button("Add a file…"), Action::AskInput(FilePurpose::Playtest));
        request_on_click(cx, &ui.button("Add a folder…"), Action::AskInput(FilePurpose::PlaytestFolder));
    });
    menu.response.on_hover_text("Show what people did and said in playtests, beside bots.");
}

/// Draws the report on the chosen playtests.
pub(super) fn playtests(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let known = cx.balance.playtests.results().cloned();
    ui.horizontal_wrapped(|ui| {
        let n_files = known.as_ref().map_or(0, |known| known.n_files);
        ui.strong(if n_files == 0 { "Playtests".to_owned() } else { pluralized(n_files, "playtest", "playtests") });
        let about = "Read the files again, with the mods as they are now.";
        action_button(ui, cx, "Read again", about, Action::Balance(BalanceAction::ReadPlaytests));
        let about = "Show the games of bots again.";
        action_button(ui, cx, "Close playtests", about, Action::Balance(BalanceAction::ClosePlaytests));
        if cx.balance.playtests.is_running() {
            ui.add(Spinner::new());
        }
    });
    let Some(known) = known else { return };
    if cx.balance.playtests.is_stale(cx.session) {
        ui.colored_label(tone_colour(ui, Tone::Changed), "The mods were reloaded: read again.");
    }
    ScrollArea::both().id_salt("playtests").auto_shrink(false).show(ui, |ui| report(ui, cx, &known));
}

fn report(ui: &mut Ui, cx: &mut UiContext<'_>, known: &PlaytestResults) {
    for problem in &known.problems {
        let text = ShownError::without_place(problem);
        let place =
            if problem.span.file.is_empty() { String::new() } else { format!("{}: ", file_name(&problem.span.file)) };
        let tone = if problem.severity == table::Severity::Error { Tone::Bad } else { Tone::Changed };
        ui.colored_label(tone_colour(ui, tone), format!("{place}{text}")).on_hover_text(&problem.span.file);
    }
    if known.n_files > 0 && known.is_empty {
        ui.weak("These playtests contain nothing that people did or said.");
    }
    for section in &known.tables {
        tables::table(ui, cx, section, None, ShownRules::InPlay);
    }
    known.remarks.iter().for_each(|list| remarks(ui, cx, list));
}

/// Draws a list. A click on a remark about a moment opens the record there.
fn remarks(ui: &mut Ui, cx: &mut UiContext<'_>, list: &RemarkList) {
    ui.add_space(8.0);
    ui.strong(&*list.title);
    for remark in &list.remarks {
        let Some((record, n)) = &remark.moment else {
            ui.label(&remark.text);
            continue;
        };
        let about = "Open the game at this moment; Return to my game brings you back.";
        let link = ui.link(&remark.text).on_hover_text(about);
        request_on_click(cx, &link, Action::Corpus(CorpusAction::Open(record.clone(), *n)));
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
