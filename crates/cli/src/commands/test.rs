//! `bastide test`: replays records as test cases.

use std::io::Write;
use std::path::Path;

use diagnostic::{Diagnostic, shortened};
use serde_json::json;
use table::GameView;
use workshop::{CaseFile, CaseRun, run_case};

use crate::board_text;
use crate::context::{CliError, CommandResult, Context, finish, problem};
use crate::sheet;
use crate::terminal::Terminal;

/// Run test cases: records with `expect` lines
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide test                         run the cases of every mod that is found
  bastide test base my-mod             run the cases of two mods: their tests/*.game
  bastide test bug.game                run one file

Each case runs with the mods it names. A failing case prints the line, the expected and actual
values, and the board.")]
pub struct Args {
    /// Mods (id or folder) or test files [default: all mods]
    #[arg(value_name = "MOD|FILE")]
    named: Vec<String>,
    /// Also list passing cases
    #[arg(long, short)]
    verbose: bool,
    /// Print a JSON line per case, and one with the totals
    #[arg(long)]
    json: bool,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let files = find(context, &args.named)?;
    if files.is_empty() {
        let help = "put records named *.game into the folder `tests` of a mod";
        return Err(problem("no test cases were found").with_help(help));
    }
    let (mut n_passed, mut n_failed, mut n_expectations) = (0, 0, 0);
    let mut out = context.terminal.out_as(args.json);
    for file in &files {
        let Some(case) = run_case(&mut context.mods, file, || true) else { continue };
        context.print_problems();
        let file = &file.file;
        n_expectations += case.n_expectations;
        let passed = case.passes();
        *if passed { &mut n_passed } else { &mut n_failed } += 1;
        if args.json {
            let failures = case.failures.iter().map(|f| {
                let (expected, actual) = f.line.as_ref().map(|line| (&line.text, &line.actual)).unzip();
                json!({ "line": f.problem.span.line, "expected": expected, "actual": actual, "message": f.problem.message })
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
        context.terminal.print_diagnostics(&case.warnings);
        if passed {
            if args.verbose {
                writeln!(out, "{} {}", context.terminal.green("pass"), file.display())?;
            }
            continue;
        }
        for i in 0..case.failures.len() {
            write_failure(&context.terminal, &mut out, &case, i)?;
        }
        out.flush()?;
    }
    if args.json {
        writeln!(out, "{}", json!({ "passed": n_passed, "failed": n_failed, "expectations": n_expectations }))?;
    } else {
        let failed = format!("{n_failed} failed");
        let failed = if n_failed == 0 { failed } else { context.terminal.red(failed) };
        writeln!(out, "{}, {failed}", context.terminal.green(format!("{n_passed} passed")))?;
    }
    finish(out, n_failed == 0)
}

/// Returns the files of the cases that the user named, in the same order. If the user named none,
/// returns the cases of all mods.
fn find(context: &mut Context, named: &[String]) -> Result<Vec<CaseFile>, CliError> {
    let mut files = Vec::new();
    if named.is_empty() {
        let library = context.library().clone();
        for folder in library.ids().iter().filter_map(|id| library.folder(id)) {
            files.extend(CaseFile::of_mod(&folder));
        }
        return Ok(files);
    }
    for name in named {
        let path = Path::new(name);
        if path.is_file() {
            files.push(CaseFile { file: path.to_owned(), inside: None });
            continue;
        }
        let id = context.resolve_mod(name);
        let library = context.library().clone();
        let before = files.len();
        if let Some(folder) = library.folder(&id) {
            files.extend(CaseFile::of_mod(&folder));
        } else if path.is_dir() {
            files.extend(CaseFile::in_folder(path, None));
        } else {
            let message = format!("{name} is neither a mod, a file nor a folder");
            let help = format!("the mods are {}; name a file by its path", library.ids().join(", "));
            return Err(problem(message).with_help(help));
        }
        if files.len() == before {
            context.terminal.warn(format!("{name} has no test cases"));
        }
    }
    Ok(files)
}

fn write_failure(terminal: &Terminal, out: &mut impl Write, case: &CaseRun, i: usize) -> std::io::Result<()> {
    let Some(failure) = case.failures.get(i) else { return Ok(()) };
    let Diagnostic { span, message, help, .. } = &failure.problem;
    writeln!(out, "{} {span}", terminal.red("FAIL"))?;
    match &failure.line {
        Some(line) => {
            let words = if line.is_expectation { ("expected", "actual") } else { ("answer", "but") };
            writeln!(out, "  {:<9} {}", words.0, shortened(line.text.trim_start_matches("expect ")))?;
            writeln!(out, "  {:<9} {}", words.1, shortened(&line.actual))?;
        }
        None => {
            writeln!(out, "  {message}")?;
            help.iter().try_for_each(|help| writeln!(out, "  help: {help}"))?;
        }
    }
    if let Some(game) = case.game_at(i) {
        let view = GameView::of(&game);
        writeln!(out)?;
        for line in board_text::draw(view, &[], terminal.colour).lines() {
            writeln!(out, "  {line}")?;
        }
        let letters = board_text::Letters::of_game(view);
        writeln!(out, "  {}", letters.legend(view.tile_set(), Some(view), terminal.colour))?;
        board_text::board_notes(view).iter().try_for_each(|things| writeln!(out, "  {things}"))?;
        for seat in view.seats() {
            writeln!(out, "  {}", sheet::seat_line(terminal, view, seat))?;
        }
        if let Some(prompt) = view.prompt() {
            writeln!(out, "  {} to move: {}", view.asked_name(prompt.who), prompt.text)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
