//! Balance: who wins, how games go, where points come from, what a change has changed; with how sure all of it is.

use egui::{ComboBox, ProgressBar, RichText, ScrollArea, Sense, Stroke, Ui, pos2, vec2};
use table::Seat;
use workshop::balance::{Cell, LEVEL, PLAYERS, Section, Standing, Verdict, compared, summary};

use super::widgets::{many, pane};
use crate::app::BalanceAction;
use crate::balance_bench::GAMES;
use crate::command::Command;
use crate::notifications::Tone;
use crate::style::tone_colour;
use crate::ui_context::{Action, UiContext};

/// How many games of a seat are listed.
const MOST_LISTED: usize = 60;

/// Draws the panel.
pub fn balance(ui: &mut Ui, cx: &mut UiContext<'_>) {
    pane(ui, |ui| {
        head(ui, cx);
        ui.separator();
        if let Some(error) = cx.balance.error() {
            ui.colored_label(tone_colour(ui, Tone::Bad), error);
        }
        if cx.balance.seen().is_none() {
            empty(ui, cx);
            return;
        }
        ScrollArea::both().id_salt("balance").auto_shrink(false).show(ui, |ui| findings(ui, cx));
    });
}

/// Who plays how many games, and what can be done with them.
fn head(ui: &mut Ui, cx: &mut UiContext<'_>) {
    cx.balance.choose_players(cx.session);
    ui.horizontal_wrapped(|ui| {
        for seat in 0..cx.balance.players.len() {
            let chosen = cx.balance.players.get(seat).copied().unwrap_or_default();
            let name = |at: usize| PLAYERS.get(at).map_or("", |player| player.name);
            let combo = ComboBox::from_id_salt(("player", seat)).width(76.0).selected_text(name(chosen));
            combo.show_ui(ui, |ui| {
                for (at, player) in PLAYERS.iter().enumerate() {
                    if let Some(place) = cx.balance.players.get_mut(seat) {
                        ui.selectable_value(place, at, player.name).on_hover_text(player.about);
                    }
                }
            });
        }
        let n_seats = cx.balance.players.len();
        if ui.small_button("+").on_hover_text("One seat more.").clicked() && n_seats < table::MAX_SEATS {
            cx.balance.players.push(0);
        }
        if ui.small_button("-").on_hover_text("One seat less.").clicked() && n_seats > 1 {
            cx.balance.players.pop();
        }
        ComboBox::from_id_salt("games").width(104.0).selected_text(games_text(cx.balance.n_games)).show_ui(ui, |ui| {
            GAMES.iter().for_each(|n| {
                ui.selectable_value(&mut cx.balance.n_games, *n, games_text(*n));
            });
        });
        match cx.balance.is_running() {
            true if ui.button("Stop").on_hover_text("Plays no more games. What is known stays.").clicked() => {
                cx.act(Action::Balance(BalanceAction::Stop));
            }
            false if ui.button("Run").on_hover_text(Command::RunBalance.info().about).clicked() => {
                cx.act(Action::Balance(BalanceAction::Run));
            }
            _ => {}
        }
        let mut is_pinned = cx.balance.has_baseline();
        let pin = ui.checkbox(&mut is_pinned, "Compare with the rules as they are now");
        if pin.on_hover_text("Pins these rules. After each save of a mod the same games are played by both.").changed()
        {
            cx.act(Action::Balance(if is_pinned { BalanceAction::Pin } else { BalanceAction::Unpin }));
        }
        let can_export = cx.balance.seen().is_some();
        let export = ui.add_enabled(can_export, egui::Button::new("Export HTML"));
        if export.on_hover_text("Writes all of it as one page, beside the games.").clicked() {
            cx.act(Action::Balance(BalanceAction::Export));
        }
    });
    if let (Some(seen), true) = (cx.balance.seen(), cx.balance.is_running()) {
        let done = seen.report.n_games as f32 / cx.balance.n_games.max(1) as f32;
        let text = format!("{} · {:.0} games/s", games_text(seen.report.n_games), seen.report.games_per_second());
        ui.add(ProgressBar::new(done).text(text).desired_height(16.0));
    }
}

fn games_text(n: u64) -> String {
    many(n as usize, "game", "games")
}

fn empty(ui: &mut Ui, cx: &mut UiContext<'_>) {
    ui.add_space(12.0);
    ui.vertical_centered(|ui| {
        ui.strong("Is it fair, long, dull, or decided by luck?");
        ui.weak("Bots play the mods of this game against each other, in the background. Every number comes with how sure it is.");
        if ui.button(format!("Run {}", games_text(cx.balance.n_games))).clicked() {
            cx.act(Action::Balance(BalanceAction::Run));
        }
    });
}

fn findings(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let Some(seen) = cx.balance.seen().cloned() else { return };
    if cx.balance.is_stale(cx.session) {
        ui.colored_label(tone_colour(ui, Tone::Changed), "The mods have changed since: run it again.");
    }
    if seen.report.n_faults > 0 {
        let text = format!("{} did not come to their end; they are counted apart.", games_text(seen.report.n_faults));
        ui.colored_label(tone_colour(ui, Tone::Bad), text);
        if let Some(first) = seen.report.faults.first() {
            ui.label(format!("Game {}: {}", first.number, first.message));
        }
    }
    if let Some(found) = &seen.comparison {
        let verdict = match (found.n_changed, found.differs()) {
            (0, _) => "Nothing differs from the pinned rules: all games came to the same scores.",
            (_, true) => "These rules differ from the pinned ones.",
            (_, false) => "No difference from the pinned rules can be told from chance yet.",
        };
        ui.strong(verdict);
        let noise: Vec<bool> = found.differences.iter().map(|it| found.verdict(it) != Verdict::Differs).collect();
        let mut section = compared(found);
        section.title = "Pinned (A) against now (B)";
        table_of(ui, &section, |row| noise.get(row).copied().unwrap_or(false));
    }
    ui.add_space(4.0);
    ui.strong("Who wins");
    let standings = seen.report.seats();
    standings.iter().enumerate().for_each(|(seat, it)| win_bar(ui, cx, seat, it, standings.len()));
    let unfair: Vec<&str> = seen.report.unfair_seats().iter().map(|it| it.name).collect();
    match unfair.is_empty() {
        true => ui.weak("No seat wins more or less often than its fair share, as far as so many games tell."),
        false => ui.colored_label(tone_colour(ui, Tone::Changed), format!("Not the fair share: {}", unfair.join(", "))),
    };
    games_of_seat(ui, cx);
    for section in summary(&seen.report, LEVEL) {
        table_of(ui, &section, |_| false);
    }
}

/// How often a seat wins: a bar with its interval, and a line at the fair share. A click lists its games.
fn win_bar(ui: &mut Ui, cx: &mut UiContext<'_>, seat: usize, it: &Standing<'_>, n_seats: usize) {
    let interval = it.share_interval(LEVEL);
    let width = (ui.available_width() - 220.0).clamp(120.0, 420.0);
    ui.horizontal(|ui| {
        ui.add_sized(vec2(110.0, 18.0), egui::Label::new(format!("{} ({})", it.name, it.player)).truncate());
        let (rect, response) = ui.allocate_exact_size(vec2(width, 18.0), Sense::click());
        let text = format!("{} wins {:.1}% ±{:.1}", it.name, 100.0 * it.share(), 100.0 * interval.half());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &text));
        let x = |share: f64| rect.left() + rect.width() * share as f32;
        let painter = ui.painter();
        painter.rect_filled(rect, 2.0, ui.visuals().extreme_bg_color);
        let bar = egui::Rect::from_min_max(rect.min, pos2(x(it.share()), rect.bottom()));
        let colour = cx.text_colour(ui.ctx(), Seat(seat as u8)).gamma_multiply(0.75);
        painter.rect_filled(bar, 2.0, colour);
        let (strong, weak) = (ui.visuals().strong_text_color(), ui.visuals().weak_text_color());
        let middle = rect.center().y;
        painter.hline(x(interval.low)..=x(interval.high), middle, Stroke::new(2.0, strong));
        for end in [interval.low, interval.high] {
            painter.vline(x(end), middle - 4.0..=middle + 4.0, Stroke::new(2.0, strong));
        }
        let fair = x(1.0 / n_seats.max(1) as f64);
        let dashes = [pos2(fair, rect.top()), pos2(fair, rect.bottom())];
        painter.extend(egui::Shape::dashed_line(&dashes, Stroke::new(1.0, weak), 3.0, 3.0));
        let hover = "How many of the games it wins; a win shared by two counts half. The line holds the true share in 95 of 100 runs, \
                     the dashes are the fair share. Click to list its games.";
        if response.on_hover_text(hover).clicked() {
            cx.balance.listed = if cx.balance.listed == Some(seat) { None } else { Some(seat) };
        }
        ui.label(format!("{:.1}% ±{:.1}", 100.0 * it.share(), 100.0 * interval.half()));
    });
}

/// The games that the chosen seat has won, each to be opened.
fn games_of_seat(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let (Some(seat), Some(seen)) = (cx.balance.listed, cx.balance.seen()) else { return };
    let won = seen.games.iter().filter(|game| game.winners.contains(&seat)).take(MOST_LISTED);
    let won: Vec<(u64, String)> =
        won.map(|game| (game.number, game.scores.iter().map(i64::to_string).collect::<Vec<_>>().join(" : "))).collect();
    ui.weak(if won.is_empty() { "None of its games is kept." } else { "Games that it won; click to open one:" });
    ui.horizontal_wrapped(|ui| {
        for (number, scores) in won {
            if ui
                .link(format!("{number} ({scores})"))
                .on_hover_text("Shows this game on the board. The game so far is kept: Game, Back to my game.")
                .clicked()
            {
                cx.act(Action::Balance(BalanceAction::Open(number)));
            }
        }
    });
}

/// A table; rows that may be chance are grey.
fn table_of(ui: &mut Ui, section: &Section, is_noise: impl Fn(usize) -> bool) {
    ui.add_space(8.0);
    ui.strong(section.title).on_hover_text(&section.about);
    egui::Grid::new(section.title).striped(true).spacing(vec2(14.0, 3.0)).show(ui, |ui| {
        section.columns.iter().for_each(|name| {
            ui.weak(*name);
        });
        ui.end_row();
        for (i, row) in section.rows.iter().enumerate() {
            let text = |text: &str| match is_noise(i) {
                true => RichText::new(text).weak(),
                false => RichText::new(text),
            };
            ui.label(text(&row.name));
            for cell in &row.cells {
                let shown = ui.label(text(&cell.shown()));
                if let Cell::Number { interval: Some(it), is_share, .. } = cell {
                    let times = if *is_share { 100.0 } else { 1.0 };
                    shown.on_hover_text(format!("between {:.2} and {:.2}", it.low * times, it.high * times));
                }
            }
            ui.end_row();
        }
    });
}
