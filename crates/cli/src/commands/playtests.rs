//! `bastide playtests`: what people did and said in playtests.

use std::io::{self, Write};
use std::path::PathBuf;

use diagnostic::Diagnostic;
use players::BotInfo;
use workshop::playtests::{DecisionStats, OptionStats, PlaytestOnDisk, PlaytestReport, SurveyStats};

use super::sim::parse_bot;
use crate::context::{CliError, CommandOutcome, CommandResult, Context};
use crate::terminal::Terminal;

/// Print what people did and said in playtests: times, choices, notes and survey
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide playtests tables/*.playtest.json             evaluate all playtests of a host
  bastide playtests a.playtest.json --bot search:100   compare with a stronger bot
  bastide playtests tables/*.playtest.json --json      print a JSON object

`bastide host --playtest` writes the files, each beside the record of its game. A table has columns
for each version of the mods (A, B, …), so that changes of the rules can be compared:

  times    the number of answers to each question, their median, the time that 90 % did not exceed,
           and how many equal the choice of the bot in the same position
  options  the options that people never chose, or the bot never chose, although they were offered
  notes    by subject: the question or the points that the person named, or else the open question
  survey   the replies to [playtest.NAME] of the mods

The bot chooses under the mods that are installed now. If a record does not fit them, a warning says
so, and the part of the record that does not fit is not compared.")]
pub struct Args {
    /// Files that end in .playtest.json
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Bot to compare with
    #[arg(long, value_name = "BOT", default_value = "greedy", value_parser = parse_bot)]
    bot: BotInfo,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let (mut files, mut outcome) = (Vec::new(), CommandOutcome::Fine);
    for path in &args.files {
        match PlaytestOnDisk::read(path) {
            Ok(file) => files.push(file),
            // A file that cannot be read does not hide the others.
            Err(problem) => {
                context.terminal.print_diagnostic(&problem);
                outcome = CommandOutcome::Problems;
            }
        }
    }
    if files.is_empty() {
        return Err(CliError::AlreadyPrinted);
    }
    let mut problems = Vec::new();
    let report = PlaytestReport::new(&files, &mut context.mods, &args.bot, &mut problems);
    context.print_problems();
    problems.iter().for_each(|problem| context.terminal.print_diagnostic(problem));
    let mut out = context.terminal.out_as(args.json);
    if args.json {
        let text = serde_json::to_string(&report).map_err(|error| Diagnostic::without_place(error.to_string()))?;
        writeln!(out, "{text}")?;
    } else {
        write_report(&context.terminal, &mut out, &report, &args.bot.name)?;
    }
    out.flush()?;
    Ok(outcome)
}

/// Returns the letter of a version: A, B and so on; numbers after Z.
fn letter(i: usize) -> String {
    u8::try_from(i).ok().filter(|i| *i < 26).map_or_else(|| format!("V{i}"), |i| char::from(b'A' + i).to_string())
}

fn write_report(terminal: &Terminal, out: &mut impl Write, report: &PlaytestReport, bot: &str) -> io::Result<()> {
    let n = report.versions.len();
    writeln!(out, "{}", terminal.bold("Versions"))?;
    for (i, version) in report.versions.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| report.versions.get(i));
        let is_new = |it: &&playtest::TestedMod| before.is_none_or(|before| !before.mods.contains(it));
        let mods: Vec<String> =
            version.mods.iter().filter(is_new).map(|it| format!("{} {}", it.id, it.version)).collect();
        let hashes: Vec<&str> = version.mods.iter().filter(is_new).map(|it| it.hash.as_str()).collect();
        let differs = if before.is_some() { "as before, but " } else { "" };
        writeln!(
            out,
            "  {}  {differs}{}  {}: {}, {}",
            letter(i),
            mods.join(", "),
            terminal.faint(hashes.join(" ")),
            counted(version.n_games, "game"),
            if version.n_people == 1 { "1 person".to_owned() } else { format!("{} people", version.n_people) }
        )?;
    }
    let columns = |names: &[&str]| -> Vec<String> {
        let named = |i: usize| {
            names.iter().map(move |name| if n == 1 { (*name).to_owned() } else { format!("{} {name}", letter(i)) })
        };
        (0..n).flat_map(named).collect()
    };
    let times = report.decisions.iter().map(|row| {
        let asked_by = row.asked_by.as_ref().map_or_else(String::new, |id| format!(" ({id})"));
        let cells = row.by_version.iter().flat_map(|it| time_cells(*it));
        [format!("{}{asked_by}", row.question)].into_iter().chain(cells).collect()
    });
    let like = format!("as {bot}");
    write_table(terminal, out, "Times of answers", &columns(&["answers", "median", "90 %", &like]), times.collect())?;
    let is_unused = |row: &&workshop::playtests::OptionRow| {
        let sum = |count: fn(&OptionStats) -> usize| row.by_version.iter().map(count).sum::<usize>();
        sum(|it| it.n_offered) > 0
            && row.by_version.iter().any(|it| it.n_offered > 0 && (it.n_people == 0 || it.n_bot == 0))
    };
    let options = report.options.iter().filter(is_unused).map(|row| {
        let cells = row.by_version.iter().flat_map(|it| [it.n_offered, it.n_people, it.n_bot].map(|n| n.to_string()));
        [format!("{}: {}", row.question, row.option)].into_iter().chain(cells).collect()
    });
    let heading = format!("Options that people or {bot} never chose");
    write_table(terminal, out, &heading, &columns(&["offered", "people", bot]), options.collect())?;
    let notes = report.notes.iter().map(|row| {
        let cells = row.by_version.iter().map(|notes| notes.len().to_string());
        [row.about.clone()].into_iter().chain(cells).collect()
    });
    write_table(terminal, out, "Notes", &columns(&["notes"]), notes.collect())?;
    for row in &report.notes {
        for (i, notes) in row.by_version.iter().enumerate() {
            for note in notes {
                let seat = note.seat.as_deref().unwrap_or("spectator");
                let version = if n == 1 { String::new() } else { format!("{} ", letter(i)) };
                writeln!(out, "  {version}{} turn {}, {seat}, {}: {}", note.record, note.turn, row.about, note.text)?;
            }
        }
    }
    let survey = report.survey.iter().map(|row| {
        let cells = row.by_version.iter().flat_map(survey_cells);
        [row.question.text.clone()].into_iter().chain(cells).collect()
    });
    write_table(terminal, out, "Survey", &columns(&["replies", "mean", "median"]), survey.collect())?;
    for row in &report.survey {
        for (i, stats) in row.by_version.iter().enumerate().filter(|(_, stats)| stats.n > 0) {
            let version = if n == 1 { String::new() } else { format!("{} ", letter(i)) };
            let counts: Vec<String> = stats.counts.iter().map(|(reply, n)| format!("{reply} ({n})")).collect();
            writeln!(out, "  {version}{} {}", row.question.text, counts.join(", "))?;
        }
    }
    Ok(())
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn time_cells(stats: DecisionStats) -> [String; 4] {
    let seconds = |ms: u32| format!("{:.1} s", f64::from(ms) / 1000.0);
    match stats.n {
        0 => ["0", "–", "–", "–"].map(str::to_owned),
        n => [
            n.to_string(),
            seconds(stats.median_ms),
            seconds(stats.p90_ms),
            match stats.n_compared {
                0 => "–".to_owned(),
                all => format!("{} of {all}", stats.n_like_bot),
            },
        ],
    }
}

fn survey_cells(stats: &SurveyStats) -> [String; 3] {
    let number = |it: Option<f64>| it.map_or_else(|| "–".to_owned(), |it| format!("{it:.1}"));
    [stats.n.to_string(), number(stats.mean), number(stats.median)]
}

/// Writes a table with aligned columns; nothing if it has no rows.
fn write_table(
    terminal: &Terminal,
    out: &mut impl Write,
    heading: &str,
    columns: &[String],
    rows: Vec<Vec<String>>,
) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let header: Vec<String> = [heading.to_owned()].into_iter().chain(columns.iter().cloned()).collect();
    let width = |i: usize| {
        let cells = rows.iter().chain([&header]).filter_map(|row| row.get(i));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |row: &[String]| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells =
            cells.map(|(i, (cell, width))| if i == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") });
        cells.collect::<Vec<_>>().join("  ")
    };
    writeln!(out, "\n{}", terminal.bold(line(&header)))?;
    rows.iter().try_for_each(|row| writeln!(out, "{}", line(row).trim_end()))
}
