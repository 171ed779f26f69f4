//! Balance: win rates, statistics of games, sources of points, and the effect of changes, with
//! confidence intervals.

mod against;
mod charts;
mod curve;
mod goals;
mod people;
mod tables;

use std::sync::Arc;

use egui::{Button, ComboBox, ProgressBar, ScrollArea, Ui};
use workshop::balance::{DEFAULT_LEVEL, FORMATS, PLAYERS, Report, ShownRules};

use self::tables::games_text;
use super::widgets::{command_button, pane, pluralized, request_on_click};
use crate::actions::{Action, BalanceAction};
use crate::balance_bench::GAME_COUNTS;
use crate::command::Command;
use crate::file_choice::FilePurpose;
use crate::jobs::BalanceResults;
use crate::notifications::Tone;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// Draws the panel.
pub fn balance(ui: &mut Ui, cx: &mut UiContext<'_>) {
    pane(ui, |ui| {
        head(ui, cx);
        ui.separator();
        if cx.balance.playtests.is_open() {
            return people::playtests(ui, cx);
        }
        if let Some(error) = cx.balance.error() {
            ui.colored_label(tone_colour(ui, Tone::Bad), error);
        }
        match cx.balance.results().cloned() {
            Some(known) => {
                ScrollArea::both().id_salt("balance").auto_shrink(false).show(ui, |ui| findings(ui, cx, &known));
            }
            None => empty(ui, cx),
        }
    });
}

/// Draws the players, the number of games, the baseline of the comparison, and the actions.
fn head(ui: &mut Ui, cx: &mut UiContext<'_>) {
    cx.balance.choose_players(cx.session);
    ui.horizontal_wrapped(|ui| {
        players(ui, cx);
        let chosen = games_text(cx.balance.n_games());
        ComboBox::from_id_salt("games").width(104.0).selected_text(chosen).show_ui(ui, |ui| {
            for (i, n) in GAME_COUNTS.into_iter().enumerate() {
                ui.selectable_value(&mut cx.balance.count, i, games_text(n));
            }
        });
        match cx.balance.is_running() {
            true => command_button(ui, cx, "Stop", Command::StopBalance),
            false => command_button(ui, cx, "Run", Command::RunBalance),
        }
        against::baseline_choice(ui, cx);
        people::menu(ui, cx);
        ui.add_enabled_ui(cx.balance.results().is_some(), |ui| {
            let menu = ui.menu_button("Export", |ui| {
                for (end, about) in FORMATS {
                    let button = ui.button(format!(".{end}")).on_hover_text(about);
                    let name = format!("balance.{end}");
                    request_on_click(cx, &button, Action::AskOutput(FilePurpose::SaveBalance, name));
                }
            });
            menu.response.on_hover_text("Save the results as a page, or as a table for other programs.");
        });
    });
    goals::goal_rows(ui, cx);
    if let (Some(seen), true) = (cx.balance.snapshot(), cx.balance.is_running()) {
        let (n_done, n_all) = seen.progress;
        let done = n_done as f32 / n_all.max(1) as f32;
        let text = match (&seen.matters, &seen.goals) {
            (Some(_), _) => format!("{n_done} of {}", pluralized(n_all as usize, "rule and tag", "rules and tags")),
            (None, Some(found)) => {
                let all = pluralized(n_all as usize, "combination", "combinations");
                format!("round {} of 3: {n_done} of {all}", found.progress.round)
            }
            (None, None) => format!("{} · {:.0} games/s", games_text(n_done), seen.report.games_per_second()),
        };
        ui.add(ProgressBar::new(done).text(text).desired_height(16.0));
    }
}

/// Draws the choice of a player for each seat, and the buttons that add and remove a seat.
fn players(ui: &mut Ui, cx: &mut UiContext<'_>) {
    for (seat, chosen) in cx.balance.players.iter_mut().enumerate() {
        let combo = ComboBox::from_id_salt(("player", seat)).width(76.0).selected_text(&*chosen.name);
        combo.show_ui(ui, |ui| {
            for player in PLAYERS {
                let row = ui.selectable_label(player.name == chosen.name, &*player.name);
                if row.on_hover_text(&*player.about).clicked() {
                    *chosen = player.clone();
                }
            }
        });
    }
    let n_seats = cx.balance.players.len();
    let more = ui.add_enabled(n_seats < table::MAX_SEATS, Button::new("+").small());
    if more.on_hover_text("Add a seat.").clicked() {
        cx.balance.players.push(PLAYERS[0].clone());
    }
    let fewer = ui.add_enabled(n_seats > 1, Button::new("-").small());
    if fewer.on_hover_text("Remove a seat.").clicked() {
        cx.balance.players.pop();
    }
}

fn empty(ui: &mut Ui, cx: &mut UiContext<'_>) {
    ui.add_space(12.0);
    ui.vertical_centered(|ui| {
        if cx.balance.is_running() {
            ui.weak("Playing the first games…");
            return;
        }
        ui.strong("Is the game fair, long, dull, or decided by luck?");
        ui.weak("Bots play these mods in the background. Every number has a confidence interval.");
        let button = ui.button(format!("Run {}", games_text(cx.balance.n_games())));
        request_on_click(cx, &button, Action::Balance(BalanceAction::Run));
    });
}

fn findings(ui: &mut Ui, cx: &mut UiContext<'_>, known: &Arc<BalanceResults>) {
    let seen = &known.seen;
    if cx.balance.is_stale(cx.session) {
        ui.colored_label(tone_colour(ui, Tone::Changed), "The mods have changed: run again.");
    }
    if seen.report.n_faults > 0 {
        let text = format!("{} did not finish; they are counted separately.", games_text(seen.report.n_faults));
        ui.colored_label(tone_colour(ui, Tone::Bad), text);
        if let Some(first) = seen.report.faults.first() {
            ui.label(format!("Game {}: {}", first.number, first.message));
        }
    }
    if let Some(found) = &seen.goals {
        goals::found(ui, cx, found);
        if found.results.best.is_empty() {
            return;
        }
    }
    if seen.matters.is_some() || seen.ladder.is_some() {
        for section in &known.compared {
            tables::table(ui, cx, section, None, ShownRules::InPlay);
        }
    }
    if let Some(ladder) = seen.ladder.as_ref().filter(|ladder| ladder.is_strength()) {
        ui.strong(ladder.depth_text(DEFAULT_LEVEL));
    }
    if let Some(sweep) = &seen.sweep {
        curve::curve(ui, cx, sweep, &known.compared);
    }
    if let Some(found) = &seen.comparison {
        let words = cx.balance.plan().map(|plan| plan.against.label()).unwrap_or_default();
        let verdict = match (found.n_changed, found.differs()) {
            (0, _) => "No difference: in each pair, both games have the same scores.".to_owned(),
            (_, true) => format!("Measurable difference from {words}."),
            (_, false) => format!("No measurable difference from {words} yet."),
        };
        ui.strong(verdict);
        let n = found.n_pairs.max(1) as f64;
        let share = |n_games: u64| 100.0 * n_games as f64 / n;
        let (scores, winners) = (share(found.n_changed), share(found.n_other_winners));
        ui.weak(format!(
            "{} with the same seeds: {scores:.1}% with other scores, {winners:.1}% with other winners.",
            pluralized(found.n_pairs as usize, "pair of games", "pairs of games")
        ));
        for section in &known.compared {
            let title = format!("{words} (A) against these rules (B)");
            tables::table(ui, cx, section, Some(&title), ShownRules::Different);
        }
    }
    for section in &known.findings {
        tables::table(ui, cx, section, None, ShownRules::InPlay);
    }
    ui.add_space(4.0);
    let best = seen.ladder.as_ref().and_then(|ladder| ladder.rungs.last());
    match best {
        _ if seen.goals.is_some() => ui.strong("Who wins").on_hover_text("With the values of the first row."),
        Some(top) => ui.strong(format!("Win rates by seat, {} against {}", top.weaker, top.stronger)),
        None => ui.strong("Who wins").on_hover_text("Under the rules in play."),
    };
    let standings = seen.report.seats();
    standings.iter().enumerate().for_each(|(seat, it)| charts::win_bar(ui, cx, seat, it, standings.len()));
    seat_advantage(ui, &seen.report);
    charts::games_of_seat(ui, cx);
    charts::histograms(ui, cx, &seen.report);
    for section in &known.tables {
        tables::table(ui, cx, section, None, ShownRules::InPlay);
    }
}

/// Names the seats that win significantly more than their share or, if there are none, those that
/// win less.
fn seat_advantage(ui: &mut Ui, report: &Report) {
    if report.is_mixed() {
        ui.weak("Seats have different bots: no seat advantage can be measured.");
        return;
    }
    let unfair = report.unfair_seats();
    let fair = 1.0 / report.seats().len().max(1) as f64;
    let names = |wins_more: bool| {
        let seats = unfair.iter().filter(|seat| (seat.win_rate() > fair) == wins_more);
        seats.map(|seat| seat.name).collect::<Vec<_>>().join(", ")
    };
    let (more, less) = (names(true), names(false));
    let text = match (more.is_empty(), less.is_empty()) {
        (true, true) => {
            ui.weak("No measurable seat advantage.");
            return;
        }
        (false, _) => format!("Measurable seat advantage: {more}"),
        (true, false) => format!("Measurable seat disadvantage: {less}"),
    };
    ui.colored_label(tone_colour(ui, Tone::Changed), text);
}
