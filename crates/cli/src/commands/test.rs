//! `bastide test`: runs records as test cases.
#![expect(clippy::indexing_slicing, reason = "cut at a place found in the same list")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use diagnostic::Diagnostic;
use record::{Entry, Line, Record};
use rules::{Game, Rules, Status};
use serde_json::json;
use table::GameView;

use crate::board_text;
use crate::context::{CliError, Context, Done, Outcome};
use crate::records::{self, Opened};
use crate::sheet;
use crate::terminal::Terminal;

/// Runs test cases: records with `expect` lines
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide test                         the cases of every mod that can be found
  bastide test base my-mod             those of two mods: all files tests/*.game
  bastide test bug.game                one file

A case runs with the mods that it names. Where it fails, the line, what it expected, what is the case and the board are shown.")]
pub struct Args {
    /// Mods, by id or folder, or files; all mods that can be found where nothing is named
    #[arg(value_name = "MOD|FILE")]
    named: Vec<String>,
    /// Names the cases that pass as well
    #[arg(long, short)]
    verbose: bool,
    /// Prints a JSON line for each case, and a last one with the numbers
    #[arg(long)]
    json: bool,
}

pub fn run(context: &mut Context, args: &Args) -> Done {
    let files = find(context, &args.named)?;
    if files.is_empty() {
        let help = "put records into the folder `tests` of a mod; the names of their files end in .game";
        return Err(CliError::Because(Diagnostic::without_place("no test cases were found").with_help(help)));
    }
    let (mut n_passed, mut n_failed, mut n_expectations) = (0, 0, 0);
    let mut out = context.terminal.out_as(args.json);
    for CaseFile { file, inside } in &files {
        let case = run_case(context, file, inside.as_deref());
        n_expectations += case.n_expectations;
        let passed = case.failures.is_empty();
        *if passed { &mut n_passed } else { &mut n_failed } += 1;
        if args.json {
            let failures = case.failures.iter().map(|f| {
                json!({ "line": f.problem.span.line, "expected": f.expected, "actual": f.actual, "message": f.problem.message })
            });
            let line = json!({
                "file": file.display().to_string(),
                "passed": passed,
                "expectations": case.n_expectations,
                "failures": failures.collect::<Vec<_>>(),
            });
            writeln!(out, "{line}")?;
            continue;
        }
        case.warnings.iter().for_each(|w| context.terminal.say(w));
        if passed {
            if args.verbose {
                writeln!(out, "{} {}", context.terminal.good("pass"), file.display())?;
            }
            continue;
        }
        for failure in &case.failures {
            write_failure(&context.terminal, &mut out, failure)?;
        }
        out.flush()?;
    }
    if args.json {
        writeln!(out, "{}", json!({ "passed": n_passed, "failed": n_failed, "expectations": n_expectations }))?;
    } else {
        let failed = format!("{n_failed} failed");
        let failed = if n_failed == 0 { failed } else { context.terminal.bad(failed) };
        writeln!(out, "{}, {failed}", context.terminal.good(format!("{n_passed} passed")))?;
    }
    out.flush()?;
    Ok(Outcome::fine_if(n_failed == 0))
}

/// A file that holds a case.
struct CaseFile {
    file: PathBuf,
    /// The folder of the mod that it comes with.
    inside: Option<PathBuf>,
}

/// The files of the cases, in the order in which they were asked for.
fn find(context: &mut Context, named: &[String]) -> Result<Vec<CaseFile>, CliError> {
    let mut files = Vec::new();
    if named.is_empty() {
        let library = context.library();
        for folder in library.ids().iter().filter_map(|id| library.folder(id)) {
            cases_of(&folder, &mut files);
        }
        return Ok(files);
    }
    for name in named {
        let path = Path::new(name);
        if path.is_file() {
            files.push(CaseFile { file: path.to_owned(), inside: None });
            continue;
        }
        let id = context.mod_id(name);
        let library = context.library();
        let before = files.len();
        if let Some(folder) = library.folder(&id) {
            cases_of(&folder, &mut files);
        } else if path.is_dir() {
            cases_in(path, None, &mut files);
        } else {
            let message = format!("{name} is neither a mod nor a file");
            let help = format!("there is {}; files are named by their path", library.ids().join(", "));
            return Err(Diagnostic::without_place(message).with_help(help).into());
        }
        if files.len() == before {
            context.terminal.say(&Diagnostic::without_place(format!("{name} has no test cases")).as_warning());
        }
    }
    Ok(files)
}

/// Adds the cases that come with the mod in `folder`.
fn cases_of(folder: &Path, files: &mut Vec<CaseFile>) {
    cases_in(&folder.join("tests"), Some(folder), files);
}

/// Adds the records in `folder`, sorted by name.
fn cases_in(folder: &Path, inside: Option<&Path>, files: &mut Vec<CaseFile>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut found: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "game")).collect();
    found.sort();
    files.extend(found.into_iter().map(|file| CaseFile { file, inside: inside.map(Path::to_owned) }));
}

#[derive(Default)]
struct Case {
    n_expectations: usize,
    failures: Vec<Failure>,
    warnings: Vec<Diagnostic>,
}

/// A line that failed, or a file that could not be run.
struct Failure {
    problem: Diagnostic,
    expected: Option<String>,
    actual: Option<String>,
    /// The game when it failed.
    game: Option<Box<Game>>,
}

impl Failure {
    fn of(problem: Diagnostic) -> Failure {
        Failure { problem, expected: None, actual: None, game: None }
    }
}

fn run_case(context: &mut Context, file: &Path, inside: Option<&Path>) -> Case {
    let mut case = Case::default();
    match run_record(context, file, inside, &mut case) {
        Ok(()) => {}
        Err(problems) => case.failures.extend(problems.into_iter().map(Failure::of)),
    }
    case
}

/// How many failures of a case are shown: each is played up to there.
const MOST_FAILURES: usize = 20;

fn run_record(
    context: &mut Context,
    file: &Path,
    inside: Option<&Path>,
    case: &mut Case,
) -> Result<(), Vec<Diagnostic>> {
    let mut opened = records::open_inside(file, inside, &mut case.warnings)?;
    // A case is written by people, who may forget the last line end: no line of it is torn, or a wrong last line would pass.
    opened.record.lines.iter_mut().for_each(|line| line.may_be_torn = false);
    let rules = opened.rules(context)?;
    case.warnings.extend(opened.other_mods(&rules));
    let run = opened.replay(&rules, |_| {})?;
    case.warnings.extend(run.warnings.iter().map(|w| opened.in_file(w)));
    case.n_expectations = run.n_expectations;
    for (i, failed) in run.failures.iter().enumerate().take(MOST_FAILURES) {
        // Where nothing was answered in between, the board is the one that was shown last.
        let was_shown = i.checked_sub(1).is_some_and(|before| {
            let (from, to) = (run.failures[before].line, failed.line);
            let lines = opened.record.lines.iter().filter(|l| l.number > from && l.number <= to);
            lines.into_iter().all(|l| matches!(l.entry, Entry::Expect(_)))
        });
        let game = if was_shown { None } else { game_at(&opened, &rules, failed.line) };
        case.failures.push(Failure {
            problem: opened.failure(failed),
            expected: Some(failed.text.clone()),
            actual: Some(failed.actual.clone()),
            game: game.map(Box::new),
        });
    }
    if let Some(n_more) = run.failures.len().checked_sub(MOST_FAILURES).filter(|n| *n > 0) {
        let message = format!("{n_more} more lines of this record fail");
        case.failures.push(Failure::of(Diagnostic::in_file(&opened.file, 0, message)));
    }
    let expects_fault = opened.text.lines().any(|line| line.trim_start().starts_with("expect fault"));
    if let Status::Fault(fault) = run.game.status()
        && !expects_fault
    {
        case.failures.push(Failure::of(Diagnostic::in_file(&opened.file, 0, records::fault_text(fault))));
    }
    Ok(())
}

/// The game as it was at line `line`.
fn game_at(opened: &Opened, rules: &Rc<Rules>, line: usize) -> Option<Game> {
    let lines = &opened.record.lines;
    let until: Vec<Line> = lines.iter().filter(|l| l.number <= line).cloned().collect();
    let mut record = Record { lines: until, ..opened.record.clone() };
    // The seed answers only after the last answer of the whole record.
    if lines.iter().any(|l| l.number > line && !matches!(l.entry, Entry::Expect(_))) {
        record.setup.seed = None;
    }
    record::replay(rules.clone(), &record, |_| {}).ok().map(|run| run.game)
}

fn write_failure(terminal: &Terminal, out: &mut impl Write, failure: &Failure) -> std::io::Result<()> {
    let Diagnostic { span, message, help, .. } = &failure.problem;
    writeln!(out, "{} {span}", terminal.bad("FAIL"))?;
    match (&failure.expected, &failure.actual) {
        (Some(expected), Some(actual)) => {
            let words = if expected.starts_with("expect ") { ("expected", "actual") } else { ("answer", "but") };
            writeln!(out, "  {:<9} {}", words.0, expected.trim_start_matches("expect "))?;
            writeln!(out, "  {:<9} {actual}", words.1)?;
        }
        _ => {
            writeln!(out, "  {message}")?;
            help.iter().try_for_each(|help| writeln!(out, "  help: {help}"))?;
        }
    }
    if let Some(game) = &failure.game {
        let view = GameView::of(game);
        writeln!(out)?;
        for line in board_text::draw(view, &[], terminal.colour).lines() {
            writeln!(out, "  {line}")?;
        }
        let letters = board_text::Letters::of_game(view);
        writeln!(out, "  {}", letters.legend(view.tile_set(), Some(view), terminal.colour))?;
        board_text::things(view).iter().try_for_each(|things| writeln!(out, "  {things}"))?;
        for seat in view.seats() {
            writeln!(out, "  {}", sheet::seat_line(terminal, view, seat))?;
        }
        if let Some(prompt) = view.prompt() {
            writeln!(out, "  {} is asked: {}", view.asked_name(prompt.who), prompt.text)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
