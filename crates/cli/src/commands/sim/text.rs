//! Prints the output of `bastide sim` for people.

use std::io::{self, Write};

use loader::InterpretedFunction;
use rules::{Catalogue, Failure};
use sim::{FailedGame, FunctionCalls, Plan, Report, ReportCell, ReportSection, ThinkingTime, summary};

use crate::context::plural;
use crate::terminal::Terminal;

/// The maximum number of different faults that the output lists.
const MAX_LISTED_FAULTS: usize = 5;
/// The maximum number of lines of a printed record. A longer record is cut: it belongs to a game
/// that seems never to end.
const MAX_RECORD_LINES: usize = 400;
/// The number of lines that a cut record keeps at its start, and at its end.
const N_KEPT_LINES: usize = 30;

/// A simulation report and the settings for printing it.
pub struct PrintedReport<'p> {
    pub terminal: &'p Terminal,
    pub report: &'p Report,
    /// The confidence level of the intervals.
    pub level: f64,
}

/// Facts about a finished simulation that the report does not contain.
pub struct SimulationFacts<'p> {
    seed: u64,
    /// True if different bots play the seats and every bot keeps its seat.
    is_mixed: bool,
    /// The script functions that need the interpreter; `None` if the simulation did not count
    /// calls.
    profiled: Option<&'p [InterpretedFunction]>,
    /// The description of the plan.
    description: Vec<(String, String)>,
}

impl<'p> SimulationFacts<'p> {
    pub fn of(plan: &Plan, catalogue: &Catalogue, interpreted: &'p [InterpretedFunction]) -> SimulationFacts<'p> {
        SimulationFacts {
            seed: plan.seed,
            is_mixed: plan.has_different_players() && !plan.rotates,
            profiled: plan.counts_calls.then_some(interpreted),
            description: plan.description(catalogue),
        }
    }
}

impl PrintedReport<'_> {
    /// Writes the whole output: the tables, the totals and the remarks. If no game finished, writes
    /// only the reasons.
    pub fn write(&self, out: &mut impl Write, played: &SimulationFacts<'_>) -> io::Result<()> {
        if self.has_only_faults() {
            write_origin(self.terminal, out, &played.description)?;
            return self.write_faults(out);
        }
        self.write_sections(out)?;
        let report = self.report;
        let n = report.n_games.max(1) as f64;
        writeln!(
            out,
            "{} game{} (seed {}), {} tie{}; per game {:.1} turns, {:.1} choices by players, {:.1} decisions including chance",
            report.n_games,
            plural(report.n_games as usize),
            played.seed,
            report.n_shared,
            plural(report.n_shared as usize),
            report.n_turns as f64 / n,
            report.n_choices as f64 / n,
            report.n_answers as f64 / n
        )?;
        let memory = peak_memory().map_or_else(String::new, |bytes| format!(", peak memory {} MB", bytes >> 20));
        writeln!(
            out,
            "{} games/s ({:.2} s, {} thread{}{memory})",
            self.terminal.bold(format!("{:.0}", report.games_per_second())),
            report.took.as_secs_f64(),
            report.n_threads,
            if report.n_threads == 1 { "" } else { "s" }
        )?;
        self.write_thinking(out)?;
        match played.is_mixed {
            true => writeln!(out, "Seat and player effects cannot be separated here; add --rotate.")?,
            false => self.write_fairness(out)?,
        }
        write_origin(self.terminal, out, &played.description)?;
        if let Some(interpreted) = played.profiled {
            self.write_calls(out, interpreted)?;
        }
        self.write_faults(out)
    }

    /// Returns whether no game finished because of faults, so that there are no results.
    pub fn has_only_faults(&self) -> bool {
        self.report.n_games > 0 && self.report.n_faults == self.report.n_games
    }

    /// Writes the tables of the report.
    pub fn write_sections(&self, out: &mut impl Write) -> io::Result<()> {
        for section in &summary(self.report, self.level) {
            // These sections explain themselves.
            let has_heading = !matches!(&*section.title, "Seats" | "Players" | "Games");
            write_section(self.terminal, out, section, has_heading)?;
            writeln!(out)?;
        }
        Ok(())
    }

    /// Reports whether the seats win equally often.
    pub fn write_fairness(&self, out: &mut impl Write) -> io::Result<()> {
        if self.report.seats().len() < 2 || self.report.n_games == self.report.n_faults {
            return Ok(());
        }
        let unfair = self.report.unfair_seat_texts();
        if unfair.is_empty() {
            return writeln!(out, "No significant seat advantage.");
        }
        unfair.iter().try_for_each(|text| writeln!(out, "{}", self.terminal.red(text)))
    }

    /// Writes the mean time of a choice of each player, if the report has it.
    fn write_thinking(&self, out: &mut impl Write) -> io::Result<()> {
        if self.report.thinking.is_empty() {
            return Ok(());
        }
        let text = |it: &ThinkingTime| format!("{} {:.3} ms", it.player, it.mean().as_secs_f64() * 1e3);
        let times: Vec<String> = self.report.thinking.iter().map(text).collect();
        writeln!(out, "time per choice: {}", times.join(", "))
    }

    fn write_calls(&self, out: &mut impl Write, interpreted: &[InterpretedFunction]) -> io::Result<()> {
        let report = self.report;
        let [calls, a_game, each, share] = ["calls", "per game", "µs per call", "time share"];
        let head = format!("{:<40} {calls:>10} {a_game:>8} {each:>10} {share:>12}", "function");
        writeln!(out, "\n{}", self.terminal.bold(head))?;
        let all = report.took.as_secs_f64() * report.n_threads as f64;
        for call in &report.calls {
            let mut name = format!("{}: {}", call.owner, call.function);
            if interpreted.iter().any(|it| is_same_function(it, call)) {
                name += " *";
            } else if call.n_restarted > 0 {
                name += " +";
            }
            let (times, took) = (call.n as f64, call.took.as_secs_f64());
            let (each, share) = (took * 1e6 / times, took * 100.0 / all.max(1e-9));
            let a_game = times / report.n_games.max(1) as f64;
            writeln!(out, "{name:<40} {:>10} {a_game:>8.2} {each:>10.2} {share:>11.1}%", call.n)?;
        }
        if report.calls.is_empty() {
            writeln!(out, "no mod function was called")?;
        }
        let slow = interpreted.iter().filter(|it| report.calls.iter().any(|call| is_same_function(it, call)));
        for InterpretedFunction { reason: Failure { file, line, column, message, .. }, .. } in slow {
            writeln!(out, "* {file}:{line}:{column}: slow: {message}; see Speed in `bastide docs scripts`")?;
        }
        let is_interpreted = |call: &FunctionCalls| interpreted.iter().any(|it| is_same_function(it, call));
        for call in report.calls.iter().filter(|call| call.n_restarted > 0 && !is_interpreted(call)) {
            let FunctionCalls { owner, function, n, n_restarted, .. } = call;
            writeln!(
                out,
                "+ {owner}: {function}: slow: {n_restarted} of {n} calls met a value that needs the interpreter, and \
                 ran again in it; see Speed in `bastide docs scripts`"
            )?;
        }
        Ok(())
    }

    /// Reports games that did not finish, and games in which a mod failed while a bot was choosing.
    pub fn write_faults(&self, out: &mut impl Write) -> io::Result<()> {
        let report = self.report;
        if let Some((number, message)) = &report.bot_fault {
            let games =
                format!("a mod failed while a bot was thinking in {} of {} games", report.n_bot_faults, report.n_games);
            let games = self.terminal.red(games);
            writeln!(out, "\n{games}; first in game {number}:\n  {message}")?;
        }
        if report.n_faults > 0 {
            let faults = format!(
                "{} of {} game{} did not finish",
                report.n_faults,
                report.n_games,
                plural(report.n_games as usize)
            );
            let which = match report.faults.len() {
                n if n as u64 == report.n_faults => String::new(),
                n => format!("; the first {n}"),
            };
            writeln!(out, "\n{}{which}:", self.terminal.red(faults))?;
            for games in equal_faults(&report.faults).iter().take(MAX_LISTED_FAULTS) {
                let Some(first) = games.first() else { continue };
                let others = match games.len() - 1 {
                    0 => String::new(),
                    n => format!(", and {n} more game{}", plural(n)),
                };
                writeln!(out, "  game {}, seed {}{others}: {}", first.number, first.seed, first.message)?;
            }
            if let Some(first) = report.faults.first() {
                write_record(out, &first.record)?;
            }
        }
        Ok(())
    }
}

/// Groups games by their faults, in the order of the first game of each group. The number of the
/// decision at the end of a message does not matter.
fn equal_faults(faults: &[FailedGame]) -> Vec<Vec<&FailedGame>> {
    let mut groups: Vec<(&str, Vec<&FailedGame>)> = Vec::new();
    for game in faults {
        let fault = game.message.rsplit_once("decision ").map_or(game.message.as_str(), |(before, _)| before);
        match groups.iter_mut().find(|(other, _)| *other == fault) {
            Some((_, games)) => games.push(game),
            None => groups.push((fault, vec![game])),
        }
    }
    groups.into_iter().map(|(_, games)| games).collect()
}

/// Writes the record of a failed game, without the lines in its middle if it is long.
fn write_record(out: &mut impl Write, record: &str) -> io::Result<()> {
    let n_lines = record.lines().count();
    if n_lines <= MAX_RECORD_LINES {
        return writeln!(out, "\nRecord of the first of these games (save it and run `bastide replay`):\n\n{record}");
    }
    let n_left_out = n_lines - 2 * N_KEPT_LINES;
    writeln!(out, "\nRecord of the first of these games, without {n_left_out} lines in its middle")?;
    writeln!(out, "(`bastide sim --keep-failures FOLDER` writes whole records):\n")?;
    record.lines().take(N_KEPT_LINES).try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out, "…")?;
    record.lines().skip(n_lines - N_KEPT_LINES).try_for_each(|line| writeln!(out, "{line}"))
}

/// Writes a line from which the games can be played again: mods with versions and hashes, settings,
/// seed, and the version of the program. `description` is a [`Plan::description`].
pub fn write_origin(terminal: &Terminal, out: &mut impl Write, description: &[(String, String)]) -> io::Result<()> {
    // The text above this line already contains the players.
    let is_shown =
        |(what, it): &&(String, String)| !it.is_empty() && !matches!(what.as_str(), "players" | "rotation" | "details");
    let items: Vec<String> = description.iter().filter(is_shown).map(|(what, it)| format!("{what} {it}")).collect();
    writeln!(out, "{}", terminal.faint(items.join("; ")))
}

/// Returns whether `call` counts the calls of the function `interpreted`.
pub fn is_same_function(interpreted: &InterpretedFunction, call: &FunctionCalls) -> bool {
    (&interpreted.owner, &interpreted.name) == (&call.owner, &call.function)
}

/// Writes a table. Each column is as wide as its longest cell.
pub fn write_section(
    terminal: &Terminal,
    out: &mut impl Write,
    section: &ReportSection,
    with_title: bool,
) -> io::Result<()> {
    if with_title {
        writeln!(out, "{}\n{}", terminal.bold(&section.title), terminal.faint(&section.about))?;
    }
    let shown: Vec<Vec<String>> =
        section.rows.iter().map(|row| row.cells.iter().map(ReportCell::display_text).collect()).collect();
    let width_of = |text: &str| text.chars().count();
    let width = |column: usize| {
        let cells = shown.iter().filter_map(|row| row.get(column)).map(|cell| width_of(cell));
        let head = section.columns.get(column + 1).map_or(0, |head| width_of(head));
        cells.max().unwrap_or(0).max(head)
    };
    let widths: Vec<usize> = (0..section.columns.len().saturating_sub(1)).map(width).collect();
    let name_width = section.rows.iter().map(|row| width_of(&row.name)).max().unwrap_or(0);
    let name_width = name_width.max(section.columns.first().map_or(0, |head| width_of(head)));
    let is_text =
        |column: usize| section.rows.iter().all(|row| matches!(row.cells.get(column), Some(ReportCell::Text(_))));
    let line = |name: &str, cells: &mut dyn Iterator<Item = &str>| {
        let mut line = format!("{name:<name_width$}");
        for (column, cell) in cells.enumerate() {
            let width = widths.get(column).copied().unwrap_or_default();
            line += &if is_text(column) { format!("  {cell:<width$}") } else { format!("  {cell:>width$}") };
        }
        line.trim_end().to_owned()
    };
    let mut heads = section.columns.iter().map(String::as_str);
    let first = heads.next().unwrap_or_default();
    writeln!(out, "{}", terminal.bold(line(first, &mut heads)))?;
    for (row, cells) in section.rows.iter().zip(&shown) {
        writeln!(out, "{}", line(&row.name, &mut cells.iter().map(String::as_str)))?;
    }
    Ok(())
}

/// Returns the peak memory of the program so far, in bytes, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_faults_are_one_group() {
        let game = |number, message: &str| FailedGame {
            number,
            seed: number,
            message: message.to_owned(),
            record: String::new(),
        };
        let faults = [
            game(0, "x.rhai:1:2: never (mod x, setup, decision 3)"),
            game(1, "too long"),
            game(4, "x.rhai:1:2: never (mod x, setup, decision 14)"),
        ];
        let numbers: Vec<Vec<u64>> =
            equal_faults(&faults).iter().map(|games| games.iter().map(|game| game.number).collect()).collect();
        assert_eq!(numbers, [vec![0, 4], vec![1]]);
    }

    #[test]
    fn long_records_are_cut() {
        let written = |n: usize| {
            let record: String = (1..=n).map(|i| format!("line {i}\n")).collect();
            let mut out = Vec::new();
            write_record(&mut out, &record).expect("a list can be written");
            String::from_utf8(out).expect("the record is text")
        };
        assert!(written(400).contains("\nline 200\n"));
        let cut = written(5000);
        assert!(cut.contains("without 4940 lines") && cut.contains("line 30\n…\nline 4971\n"), "{cut}");
        assert!(cut.ends_with("\nline 5000\n") && cut.contains("--keep-failures"), "{cut}");
    }
}
