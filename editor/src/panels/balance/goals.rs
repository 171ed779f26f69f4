//! The goals of a search, and the settings and counts that it varies, as rows of the balance panel.

use std::collections::BTreeSet;

use egui::{ComboBox, Grid, Link, TextEdit, Ui};
use table::ModSelection;
use workshop::balance::{GoalTexts, GoalsFound, ShownRules, goal_names, values_to_try};

use super::tables;
use crate::actions::Action;
use crate::panels::widgets::{pluralized, request_on_click};
use crate::settings::LastGame;
use crate::ui_context::UiContext;

/// An example of a range for a fraction (true), and for any other quantity (false).
const EXAMPLES: [(bool, &str); 2] = [(true, "49%..51%"), (false, "60..75")];

/// Returns the goals with which the user begins: a fair first seat, by the first setting of the
/// mods in play.
pub(super) fn first_goals(cx: &UiContext<'_>) -> GoalTexts {
    let seat = cx.balance.seat_names(cx.session).into_iter().next().unwrap_or_default();
    let varied = cx.session.settings().into_iter().map(|(setting, now)| (values_to_try(&setting, &now), setting.name));
    let varied = varied.filter(|(values, _)| values.len() > 1).map(|(values, name)| (name, values.join(",")));
    GoalTexts { goals: vec![(seat, EXAMPLES[0].1.to_owned())], varied: varied.take(1).collect() }
}

/// Draws a row for each goal, and a row for each setting or count.
pub(super) fn goal_rows(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let (session, points) = (cx.session, reasons(cx));
    let players = &cx.balance.seat_names(session);
    let Some(texts) = cx.balance.goals_mut() else { return };
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            ui.weak("Goals").on_hover_text("Ranges in which quantities of the games should be.");
            rows(
                ui,
                "goal",
                &mut texts.goals,
                |name| example_of(players, name),
                |ui, chosen| {
                    let names = goal_names(players).map(|(name, _)| name.to_owned()).chain(points);
                    names.for_each(|name| drop(ui.selectable_value(chosen, name.clone(), &name)));
                },
            );
        });
        ui.add_space(16.0);
        ui.vertical(|ui| {
            ui.weak("Settings and counts to vary").on_hover_text("The search tries combinations of these values.");
            rows(
                ui,
                "setting",
                &mut texts.varied,
                |_| "0..4 or 0,2,4",
                |ui, chosen| {
                    let mods = ModSelection::of(session.loaded().clone());
                    let items = mods.item_counts().into_iter().flat_map(|(_, counts)| counts);
                    for it in mods.settings().into_iter().chain(mods.counts()).chain(items) {
                        ui.selectable_value(chosen, it.name.clone(), &it.name).on_hover_text(&it.about);
                    }
                },
            );
        });
    });
}

/// Returns the quantities `points:REASON` for the reasons of the last run.
fn reasons(cx: &UiContext<'_>) -> Vec<String> {
    let details = cx.balance.snapshot().and_then(|seen| seen.report.details.as_ref());
    let totals = details.into_iter().flat_map(|details| [&details.playing, &details.at_end]);
    let names: BTreeSet<&str> = totals.flat_map(|totals| totals.list()).map(|reason| &*reason.name).collect();
    names.into_iter().map(|name| format!("points:{name}")).collect()
}

fn example_of(players: &[String], name: &str) -> &'static str {
    let is_share = goal_names(players).find(|(known, _)| *known == name).is_none_or(|(_, is_share)| is_share);
    EXAMPLES.iter().find(|(of_share, _)| *of_share == is_share).map_or("", |(_, example)| example)
}

/// Draws rows with a name and a text, and the button that adds a row. `hint` returns an example of
/// the text for a name, and `choices` draws the choices of a name.
fn rows(
    ui: &mut Ui,
    what: &str,
    rows: &mut Vec<(String, String)>,
    hint: impl Fn(&str) -> &'static str,
    choices: impl FnOnce(&mut Ui, &mut String) + Clone,
) {
    let mut removed = None;
    Grid::new(("rows", what)).num_columns(3).show(ui, |ui| {
        for (i, (name, text)) in rows.iter_mut().enumerate() {
            let shown = if name.is_empty() { "choose…" } else { name.as_str() };
            let combo = ComboBox::from_id_salt((what, i)).width(130.0).selected_text(shown);
            combo.show_ui(ui, |ui| choices.clone()(ui, name));
            let edit = TextEdit::singleline(text).hint_text(hint(name));
            ui.add_sized([110.0, ui.spacing().interact_size.y], edit);
            if ui.small_button("×").on_hover_text(format!("Removes this {what}.")).clicked() {
                removed = Some(i);
            }
            ui.end_row();
        }
    });
    removed.map(|i| rows.remove(i));
    if ui.small_button(format!("+ {what}")).clicked() {
        rows.push(Default::default());
    }
}

/// Draws the best combinations of a search, each with a link that begins a game with its values.
pub(super) fn found(ui: &mut Ui, cx: &mut UiContext<'_>, found: &GoalsFound) {
    let results = &found.results;
    if results.best.is_empty() {
        ui.weak("The best combinations appear here at the end of the search.");
        return;
    }
    tables::table(ui, cx, &found.table(), None, ShownRules::InPlay);
    let tried = pluralized(results.n_possible, "combination", "combinations");
    let games = tables::games_text(results.n_games);
    ui.weak(format!("{} of {tried} tried, {games}.", results.n_tried));
    ui.horizontal_wrapped(|ui| {
        ui.label("Play with");
        for best in &results.best {
            let values: Vec<String> = best.values.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let link = ui.add(Link::new(values.join(", "))).on_hover_text("Begin a game with these values.");
            let mut setup = LastGame::from_setup(cx.session.setup()).setup();
            setup.settings.retain(|(name, _)| !best.values.iter().any(|(other, _)| other == name));
            setup.settings.extend(best.values.iter().cloned());
            request_on_click(cx, &link, Action::Begin(Box::new(setup)));
        }
    });
}
