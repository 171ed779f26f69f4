//! Prints scores: the points with their reasons, and the standings.
#![expect(clippy::indexing_slicing, reason = "the mods of the view, and a list whose length is checked")]

use std::collections::BTreeMap;

use table::{Award, AwardLine, GameView, Seat, SeatSet, SupplyKind, TermKind, describe_player, feature_label};

use crate::board_text::seat_style;
use crate::terminal::Terminal;

/// Returns a player's name in their colour.
pub fn name(terminal: &Terminal, view: GameView<'_>, seat: Seat) -> String {
    terminal.styled(view.name(seat), seat_style(seat))
}

/// Returns an award in one line, without the lines that explain its points.
pub fn award_line(terminal: &Terminal, view: GameView<'_>, award: &Award) -> String {
    let place = match award.feature {
        Some(feature) => format!(" ({})", feature_label(view, feature)),
        None => String::new(),
    };
    let last = if award.is_final { ", final count" } else { "" };
    format!("{} {:+} for {}{place}{last}", name(terminal, view, award.player), award.points, award.reason)
}

/// Returns the text of one of the lines that explain the points of an award, such as `+2: wine
/// (base)` or `small city: 2 points (base)`.
fn explanation_line(view: GameView<'_>, line: &AwardLine) -> String {
    let reason = &line.reason;
    let text = match line.kind {
        TermKind::Formula => format!("{} by the formula in mod.toml", line.amount),
        TermKind::Replace => format!("{reason}: {} {}", line.amount, if line.amount == 1 { "point" } else { "points" }),
        TermKind::Zero => format!("{reason}: no points"),
        TermKind::Add => format!("{:+}: {reason}", line.amount),
        TermKind::Double => format!("doubled: {reason}"),
        TermKind::Halve => format!("halved: {reason}"),
    };
    match line.owner {
        Some(owner) => format!("{text} ({})", view.mods()[owner.idx()].id),
        None => text,
    }
}

/// Returns all awards as text: a line for each award, followed by the lines that explain its
/// points. Omits these lines if the points come from the formula in the manifest alone.
pub fn score_sheet(terminal: &Terminal, view: GameView<'_>) -> String {
    if view.awards().is_empty() {
        return "no player has scored yet\n".to_owned();
    }
    let mut text = String::new();
    for award in view.awards() {
        text += &format!("  {}\n", award_line(terminal, view, award));
        let is_plain = award.lines.len() == 1 && award.lines[0].kind == TermKind::Formula;
        for line in award.lines.iter().filter(|_| !is_plain) {
            text += &format!("      {}\n", explanation_line(view, line));
        }
    }
    text
}

/// Returns a text for each kind of token that a player holds, such as `2 wine`.
fn token_texts(view: GameView<'_>, seat: Seat) -> Vec<String> {
    let tokens = view.supply(seat).into_iter().filter(|item| item.kind == SupplyKind::Token);
    tokens.map(|item| format!("{} {}", item.n, item.title)).collect()
}

/// Returns a line about a player: points, pieces in supply, tokens, and the lines of
/// [`describe_player`].
pub fn seat_line(terminal: &Terminal, view: GameView<'_>, seat: Seat) -> String {
    let at_home = view.supply(seat).into_iter().filter(|item| item.kind != SupplyKind::Token && item.n_at_start > 0);
    let home: Vec<String> = at_home.map(|item| format!("{} {}", item.n, item.title)).collect();
    let held = token_texts(view, seat);
    let points = view.score(seat);
    let mut line = format!("{}  {points} point{}", name(terminal, view, seat), if points == 1 { "" } else { "s" });
    if !home.is_empty() {
        line += &format!(", at home {}", home.join(", "));
    }
    if !held.is_empty() {
        line += &format!(", holds {}", held.join(", "));
    }
    for more in describe_player(view, seat) {
        line += &format!(", {more}");
    }
    line
}

/// Returns the final table: players by score, with their sources of points and their tokens.
pub fn final_table(terminal: &Terminal, view: GameView<'_>) -> String {
    let mut seats: Vec<Seat> = view.seats().collect();
    seats.sort_by_key(|s| (-view.score(*s), s.0));
    let width = seats.iter().map(|s| view.name(*s).chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for seat in seats {
        let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
        for award in view.awards().iter().filter(|a| a.player == seat && a.points != 0) {
            *sums.entry(&award.reason).or_default() += award.points;
        }
        let mut parts: Vec<String> = sums.iter().map(|(reason, n)| format!("{reason} {n}")).collect();
        let held = token_texts(view, seat);
        if !held.is_empty() {
            parts.push(format!("holds {}", held.join(", ")));
        }
        let gap = " ".repeat(width - view.name(seat).chars().count());
        let mark = if view.is_over() && view.winners().contains(seat) { "  wins" } else { "" };
        text += &format!(
            "  {}{gap} {:>5}{}  {}\n",
            name(terminal, view, seat),
            view.score(seat),
            terminal.bold(mark),
            terminal.faint(parts.join(", "))
        );
    }
    if view.is_over() && view.winners() == SeatSet::NONE {
        text += "  nobody wins\n";
    }
    text
}
