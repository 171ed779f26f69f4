//! The playtest of guests and of the person at this window: the part of the window *Invite guests*,
//! and the windows for a note and for the survey.

use std::path::Path;

use door::Request;
use egui::{Align, Button, ComboBox, Context, DragValue, Frame, Layout, Margin, ScrollArea, TextEdit, Ui, vec2};
use playtest::{MAX_NOTE, SurveyAnswers, SurveyQuestion};
use table::shown_path;

use super::place;
use crate::actions::{Action, BalanceAction};
use crate::command::Command;
use crate::notifications::Tone;
use crate::panels::widgets::{action_button, pluralized};
use crate::style::tone_colour;
use crate::table_view::{CollectedPlaytest, GuestRequest};
use crate::ui_context::UiContext;

/// The number of rules that a note can be about.
const NOTE_RULES: usize = 5;

/// The largest difference between the ends of a scale that is shown as a row of buttons.
const SCALE_BUTTONS: i64 = 10;

/// The width of the panel with the thumbs, in points.
const THUMBS_WIDTH: f32 = 186.0;

/// Draws the choice whether the next invitation collects a playtest, and the last playtest.
pub fn before_start(ui: &mut Ui, cx: &mut UiContext<'_>) {
    ui.checkbox(&mut cx.view_state.playtest.collects, "Collect a playtest")
        .on_hover_text("Asks each guest to agree. Saves times of choices, notes and survey answers, without names.");
    let Some(last) = cx.last_playtest.map(Path::to_owned) else { return };
    ui.add_space(6.0);
    ui.label(format!("Last playtest: {}", file_name(&last))).on_hover_text(shown_path(&last));
    file_buttons(ui, cx, &last);
}

/// Draws the state of the playtest while guests are invited.
pub fn while_inviting(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let Some(invitation) = cx.invitation else { return };
    let Some(playtest) = &invitation.playtest else {
        let collect = Action::Guests(GuestRequest::CollectPlaytest);
        return action_button(ui, cx, "Collect a playtest", "Asks each guest to agree.", collect);
    };
    ui.strong("Playtest");
    let mut takes_part = playtest.own.takes_part();
    let about = "Saves your times, notes and survey answers, too. If you stop, yours are deleted.";
    if ui.checkbox(&mut takes_part, "I take part").on_hover_text(about).changed() {
        cx.ask_table(Request::Consent { agrees: takes_part });
    }
    if takes_part {
        ui.horizontal_wrapped(|ui| {
            action_button(ui, cx, "Write a note…", "You can also press N.", Action::Command(Command::WriteNote));
            let survey = ui.add_enabled(playtest.own.has_survey(), Button::new("Answer the survey…"));
            cx.view_state.windows.survey |= survey.clicked();
        });
    }
    if playtest.n_spectators > 0 {
        ui.weak(format!("{} watching take part", playtest.n_spectators));
    }
    if let Some(failure) = &playtest.failure {
        ui.colored_label(tone_colour(ui, Tone::Bad), format!("Not saved: {failure}"));
    } else if playtest.is_stored {
        let (n_answers, n_notes) = playtest.counts;
        let (answers, notes) = (pluralized(n_answers, "choice", "choices"), pluralized(n_notes, "note", "notes"));
        let text = format!("{}: {answers}, {notes}", file_name(&playtest.file));
        ui.label(text).on_hover_text(shown_path(&playtest.file));
        file_buttons(ui, cx, &playtest.file);
    } else {
        ui.weak("No file yet, because no person has agreed.");
    }
}

/// Returns the words about the consent of the guest at seat number `seat`, for the list of seats.
pub fn consent_words(playtest: Option<&CollectedPlaytest>, seat: usize) -> &'static str {
    match playtest.map(|playtest| playtest.consents.get(seat).copied().flatten()) {
        None => "",
        Some(Some(true)) => ", takes part",
        Some(Some(false)) => ", declines the playtest",
        Some(None) => ", has not agreed yet",
    }
}

fn file_buttons(ui: &mut Ui, cx: &mut UiContext<'_>, file: &Path) {
    ui.horizontal_wrapped(|ui| {
        if ui.button("Show in Balance").clicked() {
            cx.view_state.windows.invite = false;
            cx.request_action(Action::Balance(BalanceAction::AddPlaytests(file.to_owned())));
        }
        if ui.button("Open folder").clicked()
            && let Some(folder) = file.parent()
        {
            cx.request_action(Action::OpenOutside(folder.to_owned(), 0));
        }
    });
}

fn file_name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Draws the window for a note, if it is open.
pub fn note(ctx: &Context, cx: &mut UiContext<'_>) {
    if !cx.view_state.windows.note {
        return;
    }
    let (mut is_open, mut is_sent) = (true, false);
    let subjects = note_subjects(cx);
    place::centred(ctx, "A note about the game", [420.0, 240.0]).open(&mut is_open).resizable(false).show(ctx, |ui| {
        let draft = &mut cx.view_state.playtest;
        let label = |about: &Option<String>| {
            subjects.iter().find(|(_, value)| value == about).map_or("This moment", |(label, _)| label).to_owned()
        };
        let width = ui.available_width() - 60.0;
        ui.horizontal(|ui| {
            ui.label("About");
            let combo = ComboBox::from_id_salt("note about").width(width).selected_text(label(&draft.note_about));
            combo.truncate().show_ui(ui, |ui| {
                for (label, value) in &subjects {
                    ui.selectable_value(&mut draft.note_about, value.clone(), label);
                }
            });
        });
        let field = TextEdit::multiline(&mut draft.note).char_limit(MAX_NOTE).desired_rows(4);
        let field = ui.add(field.desired_width(f32::INFINITY).hint_text("What is unclear, slow, or good?"));
        if draft.note.is_empty() && !field.has_focus() {
            field.request_focus();
        }
        let can_send = !draft.note.trim().is_empty();
        is_sent = ui.add_enabled(can_send, Button::new("Save note")).clicked();
    });
    if is_sent {
        let draft = &mut cx.view_state.playtest;
        let (about, text) = (draft.note_about.clone(), std::mem::take(&mut draft.note));
        let n = draft.note_at;
        cx.ask_table(Request::Note { n, about, text });
    }
    cx.view_state.windows.note &= is_open && !is_sent;
}

/// Returns the possible subjects of a note: the label and the value of each.
fn note_subjects(cx: &UiContext<'_>) -> Vec<(String, Option<String>)> {
    let view = cx.session.view();
    let mut subjects = vec![("This moment".to_owned(), None)];
    subjects.extend(view.prompt().map(|prompt| (prompt.text.to_owned(), Some(prompt.text.to_owned()))));
    let mut rules: Vec<&str> = Vec::new();
    for award in view.awards().iter().rev() {
        if !rules.contains(&&*award.reason) && rules.len() < NOTE_RULES {
            rules.push(&award.reason);
        }
    }
    subjects.extend(rules.into_iter().map(|rule| (format!("Points for {rule}"), Some(rule.to_owned()))));
    subjects
}

/// Draws the window for the survey, if it is open.
pub fn survey(ctx: &Context, cx: &mut UiContext<'_>) {
    let Some(playtest) = cx.playtest.filter(|playtest| playtest.has_survey() && cx.view_state.windows.survey) else {
        cx.view_state.windows.survey = false;
        return;
    };
    let (mut is_open, mut is_sent) = (true, false);
    let replies = &mut cx.view_state.playtest.replies;
    place::centred(ctx, "Questions about the game", [460.0, 360.0]).open(&mut is_open).show(ctx, |ui| {
        let height = (ui.available_height() - 40.0).max(80.0);
        ScrollArea::vertical().max_height(height).show(ui, |ui| {
            for question in &playtest.survey {
                ui.strong(&question.text);
                survey_question(ui, question, replies.entry(question.id.clone()).or_default());
                ui.add_space(8.0);
            }
        });
        let has_reply = replies.values().any(|reply| !reply.trim().is_empty());
        is_sent = ui.add_enabled(has_reply, Button::new("Save answers")).clicked();
    });
    if is_sent {
        let replies = std::mem::take(replies).into_iter().filter(|(_, reply)| !reply.trim().is_empty()).collect();
        cx.ask_table(Request::Reply { replies });
    }
    cx.view_state.windows.survey &= is_open && !is_sent;
}

fn survey_question(ui: &mut Ui, question: &SurveyQuestion, reply: &mut String) {
    match &question.answers {
        SurveyAnswers::Scale { min, max } if max.saturating_sub(*min) <= SCALE_BUTTONS => {
            ui.horizontal_wrapped(|ui| {
                for n in *min..=*max {
                    ui.selectable_value(reply, n.to_string(), n.to_string());
                }
            });
        }
        SurveyAnswers::Scale { min, max } => {
            let mut n = reply.parse().unwrap_or(*min);
            if ui.add(DragValue::new(&mut n).range(*min..=*max)).changed() {
                *reply = n.to_string();
            }
        }
        SurveyAnswers::Choice(choices) => {
            for choice in choices {
                ui.radio_value(reply, choice.clone(), choice);
            }
        }
        SurveyAnswers::Text => {
            let field = TextEdit::multiline(reply).char_limit(MAX_NOTE).desired_rows(3);
            ui.add(field.desired_width(f32::INFINITY));
        }
    }
}

/// Draws two buttons with which the person at this window says whether the explanation of `rule` is
/// clear. Draws nothing if they do not take part in a playtest.
pub fn thumbs(ui: &mut Ui, cx: &mut UiContext<'_>, rule: &str) {
    let Some(playtest) = cx.playtest.filter(|playtest| playtest.takes_part()) else { return };
    let said = playtest.thumbs.iter().find(|(known, _)| known == rule).map(|(_, up)| *up);
    // A panel of its own, because the text would be illegible on the dark table.
    let frame =
        Frame::new().fill(ui.visuals().window_fill()).corner_radius(12.0).inner_margin(Margin::symmetric(10, 3));
    let layout = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(vec2(THUMBS_WIDTH, 28.0), layout, |ui| {
        frame.show(ui, |ui| {
            ui.label("Is this clear?");
            for (up, sign, about) in [(true, "👍", "Clear"), (false, "👎", "Unclear")] {
                let button = ui.add(Button::new(sign).selected(said == Some(up)));
                button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, about));
                let button = button.on_hover_text(format!("{about}: saves your opinion in the playtest."));
                if button.clicked() {
                    cx.ask_table(Request::Thumb { rule: rule.to_owned(), up });
                }
            }
        });
    });
}
