//! `bastide sim`: many games and their statistics.
#![expect(clippy::indexing_slicing, reason = "lists as long as there are seats")]

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::thread::available_parallelism;

use diagnostic::Diagnostic;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use loader::Interpreted;
use players::{PLAYERS, PlayerInfo, player_named};
use rules::{Failure, MAX_SEATS, Setup};
use serde_json::json;
use sim::{Format, FunctionCalls, GameResult, Plan, Report};

use crate::context::{CliError, Context, Done, Outcome, bad_settings, parse_setting};
use crate::terminal::Terminal;

/// Plays many games with bots and shows statistics
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide sim --games 1000
  bastide sim --mods base --players greedy,random --games 200 --seed 7
  bastide sim --games 10000 --out games.csv            a line for each game
  bastide sim --games 100 --out games.jsonl --records  with the record of each
  bastide sim --games 1000 --profile                   what mods' functions cost

The same seed gives the same games, however many threads play. A game in which a mod fails is counted apart; its record is \
printed, ready to be saved as a file and replayed.")]
pub struct Args {
    /// The mods, separated by commas; what they require is added
    #[arg(long, value_name = "A,B", value_delimiter = ',', default_value = "base")]
    mods: Vec<String>,
    /// Who plays, in the order of seats (random, greedy); the first begins
    #[arg(long, value_name = "A,B", value_delimiter = ',', default_value = "random,random", value_parser = parse_bot)]
    players: Vec<PlayerInfo>,
    /// How many games
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000)]
    games: u64,
    /// What all chance follows from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many threads; as many as there are cores where nothing is said
    #[arg(long, value_name = "T", value_parser = parse_threads)]
    threads: Option<usize>,
    /// A setting of a mod; may be given several times
    #[arg(long = "set", value_name = "MOD.NAME=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, String)>,
    /// Writes a line for each game into this file: .csv or .jsonl
    #[arg(long, value_name = "FILE", value_parser = parse_out)]
    out: Option<(PathBuf, Format)>,
    /// Adds the record of each game to its line
    #[arg(long, requires = "out")]
    records: bool,
    /// Counts the calls of mods' functions, and the time they take
    #[arg(long)]
    profile: bool,
    /// Prints the statistics as a JSON object
    #[arg(long)]
    json: bool,
}

/// More threads than this are no machine's, and their stacks would not fit.
const MOST_THREADS: usize = 1024;

fn parse_threads(text: &str) -> Result<usize, String> {
    let n: Option<usize> = text.parse().ok();
    n.filter(|n| (1..=MOST_THREADS).contains(n)).ok_or_else(|| format!("a number from 1 to {MOST_THREADS}"))
}

/// A bot by its name.
pub fn parse_bot(name: &str) -> Result<PlayerInfo, String> {
    player_named(name.trim()).copied().ok_or_else(|| {
        let known: Vec<String> = PLAYERS.iter().map(|p| format!("{} ({})", p.name, p.about)).collect();
        format!("there is {}", known.join(", "))
    })
}

fn parse_out(path: &str) -> Result<(PathBuf, Format), String> {
    let path = PathBuf::from(path);
    match path.extension().and_then(|e| e.to_str()) {
        Some("csv") => Ok((path, Format::Csv)),
        Some("jsonl") => Ok((path, Format::JsonLines)),
        _ => Err("the name of the file says its format; it ends in .csv or .jsonl".to_owned()),
    }
}

pub fn run(context: &mut Context, args: &Args) -> Done {
    if args.players.len() > MAX_SEATS {
        let message = format!("{} players, at most {MAX_SEATS} can play", args.players.len());
        return Err(CliError::Usage(Diagnostic::without_place(message)));
    }
    let ids = context.mod_ids(&args.mods);
    let loaded = context.load(&ids)?;
    let settings = loaded.settings_from(&args.settings).map_err(|m| bad_settings(&m))?;
    let names: Vec<&str> = ids.iter().map(String::as_str).collect();
    let setup = Setup { settings: args.settings.clone(), ..Setup::of(&names, args.players.len()) };
    let n_threads = args.threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
    let plan = Plan {
        setup,
        settings,
        players: args.players.clone(),
        n_games: args.games,
        seed: args.seed,
        n_threads,
        with_records: args.records,
        counts_calls: args.profile,
    };
    let bar = progress_bar(args.games);
    let mut file = match &args.out {
        Some((path, format)) => Some(RowFile::create(path, *format, &plan)?),
        None => None,
    };
    let report = {
        let mut each = |game: &GameResult| file.as_mut().is_none_or(|f| f.write(&plan, game));
        let each: Option<&mut dyn FnMut(&GameResult) -> bool> = if args.out.is_some() { Some(&mut each) } else { None };
        sim::run(&*loaded, &plan, each, &mut |n| bar.set_position(n))
    };
    bar.finish_and_clear();
    let report = report.map_err(|m| Diagnostic::without_place(m.to_string()))?;
    if let Some(file) = file {
        file.finish()?;
    }
    let interpreted = match args.profile {
        true => loaded.interpreted_functions(&plan.settings).unwrap_or_default(),
        false => Vec::new(),
    };
    let mut out = context.terminal.out_as(args.json);
    if args.json {
        writeln!(out, "{}", report_json(&report, &plan, args, &interpreted))?;
    } else {
        write_report(&context.terminal, &mut out, &report, args, &interpreted)?;
    }
    out.flush()?;
    Ok(Outcome::fine_if(report.n_faults == 0))
}

/// A bar on a terminal, nothing elsewhere.
fn progress_bar(n_games: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(n_games), ProgressDrawTarget::stderr_with_hz(5));
    let style = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} games, {per_sec}, {eta} to go");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// The file that gets a line for each game.
struct RowFile {
    path: PathBuf,
    format: Format,
    out: BufWriter<File>,
    failed: Option<io::Error>,
}

impl RowFile {
    fn create(path: &PathBuf, format: Format, plan: &Plan) -> Result<RowFile, CliError> {
        let cannot = |e: io::Error| Diagnostic::without_place(format!("cannot write {}: {e}", path.display()));
        let mut out = BufWriter::new(File::create(path).map_err(cannot)?);
        out.write_all(sim::header(format, plan).as_bytes()).map_err(cannot)?;
        Ok(RowFile { path: path.clone(), format, out, failed: None })
    }

    /// Writes a line; returns whether that went well.
    fn write(&mut self, plan: &Plan, game: &GameResult) -> bool {
        self.failed = self.out.write_all(sim::row(self.format, plan, game).as_bytes()).err();
        self.failed.is_none()
    }

    fn finish(mut self) -> Result<(), CliError> {
        let error = self.failed.take().or_else(|| self.out.flush().err());
        error.map_or(Ok(()), |e| {
            Err(Diagnostic::without_place(format!("cannot write {}: {e}", self.path.display())).into())
        })
    }
}

fn write_report(
    terminal: &Terminal,
    out: &mut impl Write,
    report: &Report,
    args: &Args,
    interpreted: &[Interpreted],
) -> io::Result<()> {
    let n = report.n_games.max(1) as f64;
    let header = format!(
        "{:<8} {:<10} {:>8} {:>9} {:>7} {:>9} {:>8} {:>6} {:>6}",
        "seat", "player", "games", "wins", "share", "mean", "s.d.", "min", "max"
    );
    writeln!(out, "{}", terminal.bold(header))?;
    for seat in &report.seats {
        let games = seat.n_games();
        let share = 100.0 * seat.wins() / games.max(1) as f64;
        writeln!(
            out,
            "{:<8} {:<10} {:>8} {:>9.1} {:>6.1}% {:>9.2} {:>8.2} {:>6} {:>6}",
            seat.name,
            seat.player,
            games,
            seat.wins(),
            share,
            seat.mean(),
            seat.deviation(),
            seat.least(),
            seat.most()
        )?;
    }
    writeln!(
        out,
        "\n{} games with seed {}, {} of them shared; {:.1} turns, {:.1} choices of players and {:.1} answers in all a game",
        report.n_games,
        args.seed,
        report.n_shared,
        report.n_turns as f64 / n,
        report.n_choices as f64 / n,
        report.n_answers as f64 / n
    )?;
    writeln!(
        out,
        "{} games/s ({:.2} s, {} thread{})",
        terminal.bold(format!("{:.0}", report.games_per_second())),
        report.took.as_secs_f64(),
        report.n_threads,
        if report.n_threads == 1 { "" } else { "s" }
    )?;
    if args.profile {
        let head = ["calls", "a game", "µs a call", "of the time"];
        let [calls, a_game, each, share] = head;
        writeln!(
            out,
            "\n{}",
            terminal.bold(format!("{:<40} {calls:>10} {a_game:>8} {each:>10} {share:>12}", "function"))
        )?;
        let all = report.took.as_secs_f64() * report.n_threads as f64;
        for call in &report.calls {
            let mut name = format!("{}: {}", call.owner, call.function);
            if interpreted.iter().any(|it| is_of(it, call)) {
                name += " *";
            }
            let (times, took) = (call.n as f64, call.took.as_secs_f64());
            let (each, share) = (took * 1e6 / times, took * 100.0 / all.max(1e-9));
            writeln!(out, "{name:<40} {:>10} {:>8.2} {each:>10.2} {share:>11.1}%", call.n, times / n)?;
        }
        if report.calls.is_empty() {
            writeln!(out, "no function of a mod was called")?;
        }
        for Interpreted { reason: Failure { file, line, column, message, .. }, .. } in slow(report, interpreted) {
            writeln!(out, "* {file}:{line}:{column}: {message}, which is slower: see Speed in `bastide docs`")?;
        }
    }
    if let Some((number, message)) = &report.failed_hint {
        let games = format!("in {} of {} games a `hint` failed", report.n_failed_hints, report.n_games);
        writeln!(out, "\n{}, and players did without; the first, in game {number}:\n  {message}", terminal.bad(games))?;
    }
    if report.n_faults > 0 {
        let faults = format!("{} of {} games did not come to their end", report.n_faults, report.n_games);
        writeln!(out, "\n{}; the first:", terminal.bad(faults))?;
        for fault in report.faults.iter().take(5) {
            writeln!(out, "  game {}, seed {}: {}", fault.number, fault.seed, fault.message)?;
        }
        if let Some(first) = report.faults.first() {
            writeln!(out, "\nIts record, to be saved and run with `bastide replay`:\n\n{}", first.record)?;
        }
    }
    Ok(())
}

/// Whether these are calls of that function.
fn is_of(interpreted: &Interpreted, call: &FunctionCalls) -> bool {
    (&interpreted.owner, &interpreted.name) == (&call.owner, &call.function)
}

/// The functions that were called and that only the interpreter can run.
fn slow<'i>(report: &Report, interpreted: &'i [Interpreted]) -> impl Iterator<Item = &'i Interpreted> {
    interpreted.iter().filter(|it| report.calls.iter().any(|call| is_of(it, call)))
}

fn report_json(report: &Report, plan: &Plan, args: &Args, interpreted: &[Interpreted]) -> serde_json::Value {
    let seats = report.seats.iter().map(|s| {
        json!({
            "name": s.name, "player": s.player, "games": s.n_games(), "wins": s.wins(),
            "mean": s.mean(), "deviation": s.deviation(), "min": s.least(), "max": s.most(),
        })
    });
    let faults = report
        .faults
        .iter()
        .map(|f| json!({ "game": f.number, "seed": f.seed, "message": f.message, "record": f.record }));
    let mut value = json!({
        "mods": plan.setup.mods.iter().map(|m| m.id.as_str()).collect::<Vec<_>>(),
        "seed": args.seed,
        "games": report.n_games,
        "shared": report.n_shared,
        "turns": report.n_turns,
        "choices": report.n_choices,
        "decisions": report.n_answers,
        "faults": report.n_faults,
        "first_faults": faults.collect::<Vec<_>>(),
        "failed_hints": report.n_failed_hints,
        "first_failed_hint": report.failed_hint.as_ref().map(|(number, message)| json!({ "game": number, "message": message })),
        "seats": seats.collect::<Vec<_>>(),
        "threads": report.n_threads,
        "seconds": report.took.as_secs_f64(),
        "games_per_second": report.games_per_second(),
    });
    if args.profile {
        let calls = report.calls.iter().map(|c| {
            let reason = interpreted.iter().find(|it| is_of(it, c)).map(|it| {
                let Failure { file, line, column, message, .. } = &it.reason;
                json!({ "file": file, "line": line, "column": column, "message": message })
            });
            json!({
                "mod": c.owner, "function": c.function, "calls": c.n, "seconds": c.took.as_secs_f64(),
                "interpreted": reason,
            })
        });
        value["calls"] = calls.collect();
    }
    value
}
