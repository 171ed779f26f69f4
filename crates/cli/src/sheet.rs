//! Scores in words: what was paid for what, and who is ahead.

use std::collections::BTreeMap;

use rules::{Award, AwardLine, PieceKindIdx, Ruleset, Seat, State, TermKind, TokenIdx, feature_text};

use crate::board_text::seat_style;
use crate::terminal::Terminal;

/// A player's name in their colour.
pub fn name(terminal: &Terminal, state: &State, seat: Seat) -> String {
    terminal.styled(state.name(seat), seat_style(seat))
}

/// An award in one line, without its parts.
pub fn award_line(terminal: &Terminal, ruleset: &Ruleset, state: &State, award: &Award) -> String {
    let place = match award.feature {
        Some(feature) => format!(" ({})", feature_text(ruleset, state, feature)),
        None => String::new(),
    };
    let last = if award.is_final { ", final count" } else { "" };
    format!("{} {:+} for {}{place}{last}", name(terminal, state, award.player), award.points, award.why)
}

/// How one line changed an award, such as `+ 2 small thing (base)`.
fn part(ruleset: &Ruleset, line: &AwardLine) -> String {
    let what = match line.kind {
        TermKind::Formula => format!("{} by mod.toml", line.amount),
        TermKind::Replace => format!("{} instead", line.amount),
        TermKind::Zero => "nothing instead".to_owned(),
        TermKind::Add => format!("{:+}", line.amount),
        TermKind::Double => "doubled".to_owned(),
        TermKind::Halve => "halved".to_owned(),
    };
    match line.owner {
        Some(owner) => format!("{what}: {} ({})", line.why, ruleset.catalogue.mods[owner.idx()].id),
        None => what,
    }
}

/// All awards with their parts, a line each.
pub fn score_sheet(terminal: &Terminal, ruleset: &Ruleset, state: &State) -> String {
    let awards: Vec<&Award> = state.awards().iter().map(|a| &**a).collect();
    if awards.is_empty() {
        return "nobody has scored yet\n".to_owned();
    }
    let mut text = String::new();
    for award in awards {
        text += &format!("  {}\n", award_line(terminal, ruleset, state, award));
        let is_plain = award.lines.len() == 1 && award.lines[0].kind == TermKind::Formula;
        for line in award.lines.iter().filter(|_| !is_plain) {
            text += &format!("      {}\n", part(ruleset, line));
        }
    }
    text
}

/// The tokens that a player holds.
fn held(ruleset: &Ruleset, state: &State, seat: Seat) -> Vec<String> {
    let tokens = ruleset.catalogue.tokens.iter().enumerate();
    let counts = tokens.map(|(i, t)| (state.tokens(Some(seat), TokenIdx(i as u8)), &t.name));
    counts.filter(|(n, _)| *n > 0).map(|(n, name)| format!("{n} {name}")).collect()
}

/// The line of a player: points, pieces at home, tokens.
pub fn seat_line(terminal: &Terminal, ruleset: &Ruleset, state: &State, seat: Seat) -> String {
    let catalogue = &ruleset.catalogue;
    let kinds = catalogue.pieces.iter().enumerate().filter(|(_, p)| p.per_player > 0);
    let home: Vec<String> =
        kinds.map(|(i, p)| format!("{} {}", state.supply(Some(seat), PieceKindIdx(i as u8)), p.name)).collect();
    let held = held(ruleset, state, seat);
    let points = state.score(seat);
    let mut line = format!("{}  {points} point{}", name(terminal, state, seat), if points == 1 { "" } else { "s" });
    if !home.is_empty() {
        line += &format!(", at home {}", home.join(", "));
    }
    if !held.is_empty() {
        line += &format!(", holds {}", held.join(", "));
    }
    line
}

/// The final table: players by score, what each scored for what, and what each holds.
pub fn final_table(terminal: &Terminal, ruleset: &Ruleset, state: &State) -> String {
    let mut seats: Vec<Seat> = state.seats().collect();
    seats.sort_by_key(|s| (-state.score(*s), s.0));
    let best = seats.first().map_or(0, |s| state.score(*s));
    let width = seats.iter().map(|s| state.name(*s).chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for seat in seats {
        let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
        for award in state.awards().iter().filter(|a| a.player == seat && a.points != 0) {
            *sums.entry(&award.why).or_default() += award.points;
        }
        let mut parts: Vec<String> = sums.iter().map(|(why, n)| format!("{why} {n}")).collect();
        let held = held(ruleset, state, seat);
        if !held.is_empty() {
            parts.push(format!("holds {}", held.join(", ")));
        }
        let gap = " ".repeat(width - state.name(seat).chars().count());
        let mark = if state.is_over() && state.score(seat) == best { "  wins" } else { "" };
        text += &format!(
            "  {}{gap} {:>5}{}  {}\n",
            name(terminal, state, seat),
            state.score(seat),
            terminal.bold(mark),
            terminal.faint(parts.join(", "))
        );
    }
    text
}
