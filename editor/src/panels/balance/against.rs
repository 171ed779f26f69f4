//! The menu in which the user chooses what a balance run compares: rules, a mod, values of a
//! setting, or bots.

use egui::{Key, TextEdit, Ui};
use table::ModOnDisk;
use workshop::balance::{ComparedRules, values_to_try};

use super::goals::first_goals;
use crate::actions::{Action, BalanceAction};
use crate::file_choice::FilePurpose;
use crate::panels::widgets::{action_button, request_on_click};
use crate::ui_context::UiContext;

/// Draws the menu and, if the user compares the values of a setting, the field for these values.
pub(super) fn baseline_choice(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let words = match cx.balance.baseline() {
        ComparedRules::Nothing => "Compare".to_owned(),
        ComparedRules::Sweep(name, _) => format!("Values of {name}"),
        ComparedRules::Ladder => "Skill and luck".to_owned(),
        ComparedRules::Strength => "Strength by simulations".to_owned(),
        ComparedRules::Options(_) => "What options are worth".to_owned(),
        ComparedRules::Goals(_) => "Goals".to_owned(),
        against => format!("Compare: {}", against.label()),
    };
    let menu = ui.menu_button(words, |ui| {
        ui.set_min_width(200.0);
        menu(ui, cx);
    });
    menu.response.on_hover_text("Play the same games under other rules. Differences that may be chance are grey.");
    let ComparedRules::Sweep(name, _) = cx.balance.baseline() else { return };
    let name = name.clone();
    let edit = ui.add(TextEdit::singleline(&mut cx.balance.values).desired_width(90.0));
    let is_given = edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    edit.on_hover_text("Values to try: 2..5, or 2,4,8. Enter starts.");
    if is_given {
        let values = cx.balance.values.trim().to_owned();
        cx.request_action(compare(ComparedRules::Sweep(name, (!values.is_empty()).then_some(values))));
    }
}

fn menu(ui: &mut Ui, cx: &mut UiContext<'_>) {
    request_on_click(cx, &ui.button("None"), compare(ComparedRules::Nothing));
    let about = "Pin the current rules. After each save, the same games are played under both.";
    action_button(ui, cx, "With the current rules", about, Action::Balance(BalanceAction::Pin));
    mods_menu(ui, cx);
    settings_menu(ui, cx);
    let about = "Search for settings and numbers of tiles and pieces for which the games meet goals.";
    let goals = ComparedRules::Goals(first_goals(cx));
    action_button(ui, cx, "Values that meet goals", about, compare(goals));
    measures_menu(ui, cx);
    let about = "For the last commit: run `git worktree add ../before HEAD`, then choose its mods folder.";
    action_button(ui, cx, "With the mods in a folder…", about, Action::AskInput(FilePurpose::CompareFolder));
}

/// Draws the choices of a mod more or less.
fn mods_menu(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let in_play: Vec<String> = cx.session.view().mods().iter().map(|it| it.id.clone()).collect();
    let on_disk = cx.session.mods_on_disk().cloned().unwrap_or_default();
    let is_in_play = |it: &&ModOnDisk| in_play.contains(&it.id);
    let is_needed = |it: &ModOnDisk| on_disk.iter().filter(is_in_play).any(|other| other.needs(&it.id));
    let without: Vec<&ModOnDisk> =
        on_disk.iter().filter(is_in_play).filter(|it| in_play.len() > 1 && !is_needed(it)).collect();
    mod_menu(ui, cx, "Without a mod", &without, ComparedRules::WithoutMod);
    let with: Vec<&ModOnDisk> =
        on_disk.iter().filter(|it| !is_in_play(it) && !it.is_game && it.error.is_none()).collect();
    mod_menu(ui, cx, "With another mod", &with, ComparedRules::WithMod);
}

/// Draws the choices of another setting.
fn settings_menu(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let settings = cx.session.settings();
    ui.add_enabled_ui(!settings.is_empty(), |ui| {
        ui.menu_button("With another setting", |ui| {
            for (setting, now) in &settings {
                ui.menu_button(&setting.name, |ui| {
                    for value in values_to_try(setting, now).into_iter().filter(|value| *value != now.to_string()) {
                        let button = ui.button(&value);
                        request_on_click(cx, &button, compare(ComparedRules::Setting(setting.name.clone(), value)));
                    }
                });
            }
        });
        let all = ui.menu_button("All values of a setting", |ui| {
            for (setting, now) in &settings {
                let values = values_to_try(setting, now);
                let sweep = ComparedRules::Sweep(setting.name.clone(), Some(values.join(",")));
                action_button(ui, cx, &setting.name, &setting.about, compare(sweep));
            }
        });
        all.response.on_hover_text("Plot the effect of a setting as a curve.");
    });
}

/// Draws the choices that measure parts of the rules and the depth of the game.
fn measures_menu(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let about = "Measure the effect of each function and tag, and find mods whose order matters.";
    action_button(ui, cx, "Without each rule in turn", about, compare(ComparedRules::Parts));
    let about = "Measure skill and luck: greedy against random, search against greedy, or your bots.";
    action_button(ui, cx, "Strong bots against simple ones", about, compare(ComparedRules::Ladder));
    let about = "Measure the depth of the game: how much more often a bot wins that thinks twice as long.";
    action_button(ui, cx, "Searches with twice the simulations", about, compare(ComparedRules::Strength));
    let options = ui.menu_button("Bots without an option", |ui| {
        request_on_click(cx, &ui.button("Each kind of option"), compare(ComparedRules::Options(None)));
        for pattern in deployment_patterns(cx) {
            let button = ui.button(pattern.replace(':', " "));
            request_on_click(cx, &button, compare(ComparedRules::Options(Some(pattern))));
        }
    });
    let about = "Measure the worth of options: a bot that may choose them against one that may not.";
    options.response.on_hover_text(about);
}

/// Returns patterns that select options: one for all deployments, one for each kind of piece, and
/// one for each kind of land.
fn deployment_patterns(cx: &UiContext<'_>) -> Vec<String> {
    let catalogue = cx.session.loaded().catalogue();
    let pieces = catalogue.pieces.iter().filter(|piece| piece.per_player > 0);
    let held = pieces.clone().fold(0, |held, piece| held | piece.stands_on.0 | piece.lies_on.0);
    let kinds = (0..).zip(&catalogue.tile_set.kinds).filter(|(i, _)| held >> i & 1 == 1).map(|(_, kind)| &kind.name);
    let names = pieces.map(|piece| &piece.name).chain(kinds);
    std::iter::once("deploy".to_owned()).chain(names.map(|name| format!("deploy:{name}"))).collect()
}

fn mod_menu(
    ui: &mut Ui,
    cx: &mut UiContext<'_>,
    words: &str,
    list: &[&ModOnDisk],
    against: fn(String) -> ComparedRules,
) {
    ui.add_enabled_ui(!list.is_empty(), |ui| {
        ui.menu_button(words, |ui| {
            for it in list {
                action_button(ui, cx, &it.title, &it.about, compare(against(it.id.clone())));
            }
        });
    });
}

fn compare(against: ComparedRules) -> Action {
    Action::Balance(BalanceAction::Compare(against))
}
