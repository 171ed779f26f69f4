//! Awards of a player, grouped by reason. Each line of an award has a link to the rule that made
//! it.

use std::path::PathBuf;
use std::sync::Arc;

use table::{Award, AwardLine, Seat, Snapshot, Step};

use crate::panels::widgets::{pluralized, points_text, signed};

/// An award with the time at which the player received it.
#[derive(Clone, PartialEq, Debug)]
pub struct AwardEntry {
    /// The award.
    pub award: Arc<Award>,
    /// The number of the turn, and the index of the answer in the branch. `None` for an award of
    /// the projected final count.
    pub when: Option<(u32, usize)>,
}

/// Awards with the same reason.
#[derive(Clone, PartialEq, Debug)]
pub struct AwardGroup {
    /// The reason.
    pub reason: Arc<str>,
    /// The sum of the points of these awards.
    pub points: i64,
    /// The awards, in order.
    pub entries: Vec<AwardEntry>,
}

/// Returns the awards of `seat` in `steps`.
pub fn booked_entries(steps: &[Arc<Step>], seat: Seat) -> Vec<AwardEntry> {
    let of_step = |(i, step): (usize, &Arc<Step>)| -> Vec<AwardEntry> {
        let own = step.awards.iter().filter(|a| a.player == seat);
        own.map(|award| AwardEntry { award: award.clone(), when: Some((step.turn, i)) }).collect()
    };
    steps.iter().enumerate().flat_map(of_step).collect()
}

/// Returns the awards of `seat` among `awards`, which belong to the projected final count.
pub fn projected_entries(awards: &[Arc<Award>], seat: Seat) -> Vec<AwardEntry> {
    let own = awards.iter().filter(|a| a.player == seat);
    own.map(|award| AwardEntry { award: award.clone(), when: None }).collect()
}

/// Groups awards by reason. The groups with the most points come first.
pub fn grouped(entries: Vec<AwardEntry>) -> Vec<AwardGroup> {
    let mut groups: Vec<AwardGroup> = Vec::new();
    for entry in entries {
        let reason = entry.award.reason.clone();
        match groups.iter_mut().find(|g| g.reason == reason) {
            Some(group) => {
                group.points += entry.award.points;
                group.entries.push(entry);
            }
            None => groups.push(AwardGroup { reason, points: entry.award.points, entries: vec![entry] }),
        }
    }
    groups.sort_by(|a, b| b.points.cmp(&a.points).then_with(|| a.reason.cmp(&b.reason)));
    groups
}

/// The points of all players for one reason.
#[derive(Clone, PartialEq, Debug)]
pub struct SheetRow {
    /// The reason.
    pub reason: Arc<str>,
    /// The points of each player, by seat; `None` for a player without such an award.
    pub points: Vec<Option<i64>>,
}

/// Returns the rows of the score sheet. `groups` contains the groups of each player, by seat. Rows
/// with the most points come first.
pub fn rows(groups: &[Vec<AwardGroup>]) -> Vec<SheetRow> {
    let mut rows: Vec<SheetRow> = Vec::new();
    for (seat, group) in groups.iter().enumerate().flat_map(|(seat, own)| own.iter().map(move |group| (seat, group))) {
        let i = rows.iter().position(|row| row.reason == group.reason).unwrap_or(rows.len());
        if i == rows.len() {
            rows.push(SheetRow { reason: group.reason.clone(), points: vec![None; groups.len()] });
        }
        if let Some(points) = rows.get_mut(i).and_then(|row| row.points.get_mut(seat)) {
            *points = Some(group.points);
        }
    }
    let total = |row: &SheetRow| row.points.iter().flatten().sum::<i64>();
    rows.sort_by(|a, b| total(b).cmp(&total(a)).then_with(|| a.reason.cmp(&b.reason)));
    rows
}

/// Returns the sum of the points of all groups.
pub fn sum(groups: &[AwardGroup]) -> i64 {
    groups.iter().map(|g| g.points).sum()
}

/// Returns a line of an award as text: its effect, its reason and its source. Omits parts that the
/// text of the award already contains.
pub fn line_text(session: &Snapshot, award: &Award, line: &AwardLine) -> String {
    let owner = table::award_source(session.view(), award, line.owner.map(|owner| owner.idx()));
    // If the only line has all points of the award, omits the points.
    let is_all = award.lines.len() == 1 && line.amount == award.points;
    let reason = if line.owner.is_some() && *line.reason != *award.reason { &*line.reason } else { "" };
    let what = if is_all { reason.to_owned() } else { table::term_text(line.kind, line.amount, reason) };
    if what.is_empty() { owner } else { format!("{what} · {owner}") }
}

/// Returns the score sheet of `seat` as text, for the clipboard.
pub fn sheet_text(session: &Snapshot, seat: Seat, booked: &[AwardGroup], projected: &[AwardGroup]) -> String {
    let view = session.view();
    let mut text = format!("{}: {}\n", view.name(seat), points_text(view.score(seat)));
    for (groups, when) in [(booked, ""), (projected, " if the game ended now")] {
        for group in groups {
            let n = pluralized(group.entries.len(), "award", "awards");
            text += &format!("\n{} {}{when} ({n})\n", signed(group.points), group.reason);
            for entry in &group.entries {
                let turn = entry.when.map_or_else(String::new, |(turn, _)| format!("turn {turn}: "));
                let lines = entry.award.lines.iter().map(|l| line_text(session, &entry.award, l));
                text += &format!("  {turn}{}: {}\n", signed(entry.award.points), lines.collect::<Vec<_>>().join("; "));
            }
        }
    }
    text
}

/// Returns the number of the first line of `text` that contains `needle`, counted from 1. Returns
/// `None` if there is no such line or `needle` is empty.
pub fn line_of(text: &str, needle: &str) -> Option<u32> {
    let at = text.find(needle).filter(|_| !needle.is_empty())?;
    Some(1 + text[..at].matches('\n').count() as u32)
}

/// Returns the place of the rule behind a line of an award: a file, and a line counted from 1.
///
/// - For a line of a mod, the place is the first occurrence of the line's reason, in quotes, in the
///   mod's files. If there is none, the place is the beginning of a script or of the manifest.
/// - For a formula, the place is the table that declares the kind of land or the layer with the
///   name of the award's reason. Returns `None` if there is no such table.
pub fn rule_place(session: &Snapshot, award: &Award, line: &AwardLine) -> Option<(PathBuf, u32)> {
    let Some(owner) = line.owner else {
        let declared = ["kind", "layer"].map(|what| format!("[{what}.{}]", award.reason));
        return session.sources().iter().find_map(|source| {
            let line = declared.iter().find_map(|d| line_of(&source.text, d))?;
            Some((source.path.clone(), line))
        });
    };
    let folder = session.mod_folder(owner.idx())?;
    let own = || session.sources().iter().filter(|s| s.path.starts_with(folder));
    let quoted = format!("\"{}\"", line.reason);
    let said = own().find_map(|s| Some((s.path.clone(), line_of(&s.text, &quoted)?)));
    let script = || own().find(|s| s.path.extension().is_some_and(|e| e == "rhai")).map(|s| (s.path.clone(), 1));
    said.or_else(script).or_else(|| Some((folder.join("mod.toml"), 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panels::log_rows::tests::{award, line_of as line_from, step};

    #[test]
    fn awards_are_grouped_by_what_they_are_for() {
        let mut steps = vec![step(1, "pass"), step(2, "pass"), step(3, "pass")];
        steps[0].awards = vec![award(0, 4, "road"), award(1, 9, "road")];
        steps[2].awards = vec![award(0, 8, "city"), award(0, 3, "road")];
        let steps = line_from(steps);
        let groups = grouped(booked_entries(&steps, Seat(0)));
        let short: Vec<(&str, i64, usize)> = groups.iter().map(|g| (&*g.reason, g.points, g.entries.len())).collect();
        assert_eq!(short, [("city", 8, 1), ("road", 7, 2)]);
        assert_eq!(groups[1].entries[1].when, Some((3, 2)));
        assert_eq!(sum(&groups), 15);
        assert!(grouped(Vec::new()).is_empty());
        assert_eq!(projected_entries(&steps[0].awards, Seat(1)).len(), 1);
    }

    #[test]
    fn each_reason_is_a_row_and_each_player_a_column() {
        let mut steps = vec![step(1, "pass"), step(2, "pass")];
        steps[0].awards = vec![award(0, 4, "road"), award(1, 9, "city")];
        steps[1].awards = vec![award(0, 3, "road"), award(1, -2, "road")];
        let steps = line_from(steps);
        let groups: Vec<Vec<AwardGroup>> = (0..2).map(|seat| grouped(booked_entries(&steps, Seat(seat)))).collect();
        let found = rows(&groups);
        let short: Vec<(&str, &[Option<i64>])> = found.iter().map(|row| (&*row.reason, &row.points[..])).collect();
        assert_eq!(short, [("city", &[None, Some(9)][..]), ("road", &[Some(7), Some(-2)][..])]);
    }

    #[test]
    fn lines_are_counted_from_one() {
        assert_eq!(line_of("a\nb\n[kind.x]\n", "[kind.x]"), Some(3));
        assert_eq!(line_of("a", "a"), Some(1));
        assert_eq!((line_of("a", "b"), line_of("a", "")), (None, None));
    }
}
