//! `bastide replay`: replays a record and prints every decision in it.
#![expect(clippy::indexing_slicing, reason = "the start of the range is at most the length of the list")]

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::rc::Rc;

use diagnostic::{Diagnostic, Severity, never, shortened};
use door::Commitment;
use record::{Replay, ReplayedDecision};
use rules::{Game, Rules};
use serde_json::{Value as Json, json};
use table::{GameView, Prompt, Seat, player_label};
use workshop::RecordOnDisk;

use super::replay_all;
use super::replay_fair::FairnessCheck;
use crate::board_text;
use crate::context::{CliError, CommandOutcome, CommandResult, Context, printed};
use crate::sheet;
use crate::terminal::Terminal;

/// Replay a saved game (a record) and print its decisions and scores
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide replay my.game                       print the game as text, and the final board
  bastide replay my.game --json                print a JSON line per decision
  bastide replay my.game --json --options      include all options of each decision
  bastide replay my.game --regret              include the cost of each choice, and totals
  bastide replay my.game --fair 3fa4…          check the draws of a table with guests
  bastide replay --all games                   replay all records of a folder
  bastide replay --all games --since old/inns  compare with an earlier version of a mod

Each JSON line is {\"n\",\"who\",\"prompt\",\"options\",\"answer\",\"scores\"}: `n` is the number of decisions
before this one, `scores` are the scores before it. --regret adds \"cost\" in points and \"best\",
the option that would have cost nothing. A decision still open at the end has the answer null. The
last line is {\"final\":[…],\"over\":true}.

--fair takes the hash that the host of a table published before the game. The command checks that the
seed and salt of the record have this hash, and that every draw and roll follows from the seed. With
--json, \"fair\" in the last line is true if all checks pass.

--all prints a line per record. --since OLD also replays each record with earlier versions of mods.
OLD is the folder of a mod or of several mods, an archive, or a commit or tag of the git repository
that contains the mods. The output lists the differences: the first question that differs, the
points and the winners. With --json, each line is
{\"file\",\"result\",\"scores\",\"winners\",\"differences\"}.

The exit code is 1 if an answer is not among the options, an expectation fails, or a mod is missing
or fails. Without --all, it is also 1 if a mod has another version or other files than the record
names, unless --any-version is given.")]
pub struct Args {
    /// Record of the game
    #[arg(required_unless_present = "all")]
    file: Option<PathBuf>,
    /// Replay all records in DIR and below
    #[arg(long, value_name = "DIR", conflicts_with_all = ["file", "options", "regret"])]
    all: Option<PathBuf>,
    /// With --all: also replay with earlier versions of mods, and list the differences
    #[arg(long, value_name = "OLD", requires = "all")]
    since: Option<PathBuf>,
    /// Print a JSON line per decision
    #[arg(long)]
    json: bool,
    /// Print all options of each decision
    #[arg(long)]
    options: bool,
    /// Print the cost of each choice: the points by which the best option was better
    #[arg(long)]
    regret: bool,
    /// Check draws and rolls with the hash that the host published before the game
    #[arg(long, value_name = "HASH", conflicts_with = "all")]
    fair: Option<Commitment>,
    /// Accept other versions of mods than the record names
    #[arg(long)]
    any_version: bool,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    if let Some(folder) = &args.all {
        return replay_all::run(context, folder, args.since.as_deref(), args.json);
    }
    let Some(file) = &args.file else {
        never!("clap requires a file or --all");
        return Err(CliError::AlreadyPrinted);
    };
    let terminal = context.terminal;
    let mut warnings = Vec::new();
    let opened = RecordOnDisk::read(file, None, &mut warnings).map_err(|c| printed(&terminal, &c))?;
    terminal.print_diagnostics(&warnings);
    terminal.print_diagnostics(&opened.bot_warnings());
    let mut fairness = args.fair.map(|hash| FairnessCheck::new(&opened, hash)).transpose()?;
    let rules = &context.rules_of(&opened).map_err(|c| printed(&terminal, &c))?;
    let mut out = terminal.out_as(args.json);
    let mut written = Ok(());
    if !args.json {
        let mods: Vec<String> = rules.catalogue().mods.iter().map(|m| format!("{} {}", m.id, m.version)).collect();
        let players: Vec<String> = opened.record.setup.players.iter().map(|word| player_label(word)).collect();
        writeln!(out, "{}, played by {}", mods.join(", "), shortened(&players.join(", ")))?;
    }
    let mut seen = ReplayProgress::default();
    let mut each = |moment: ReplayedDecision<'_>| {
        if written.is_ok() {
            written = write_decision(&terminal, &mut out, args, &moment, &mut seen);
        }
        if let Some(check) = &mut fairness {
            check.take(&moment);
        }
    };
    let run = opened.replay(rules, &mut each).map_err(|c| printed(&terminal, &c))?;
    written?;
    let game = &run.game;
    let view = GameView::of(game);
    if args.json {
        if let Some(prompt) = view.prompt() {
            writeln!(out, "{}", prompt_json(view, game.log().len(), &prompt, Json::Null, args.options))?;
        }
        let mut end = json!({ "final": view.scores(), "over": view.is_over() });
        if let Some(check) = &fairness {
            end["fair"] = check.problem().is_none().into();
        }
        writeln!(out, "{end}")?;
    } else {
        write_news(&terminal, &mut out, game, &mut seen)?;
        write_end(&terminal, &mut out, view, args)?;
        write_costs(&mut out, view, &seen)?;
        if let Some(check) = fairness.as_ref().filter(|check| check.problem().is_none()) {
            writeln!(out, "{check}")?;
        }
    }
    out.flush()?;
    drop(out);
    let unfair = fairness.as_ref().and_then(FairnessCheck::problem);
    Ok(CommandOutcome::fine_if(print_problems(&terminal, args, &opened, rules, &run, unfair)))
}

/// Prints the warnings and problems of a replay. `unfair` is the problem of its draws. Returns
/// whether the replay is fine.
fn print_problems(
    terminal: &Terminal,
    args: &Args,
    opened: &RecordOnDisk,
    rules: &Rc<Rules>,
    run: &Replay,
    unfair: Option<&Diagnostic>,
) -> bool {
    run.warnings.iter().for_each(|w| terminal.print_diagnostic(&opened.located_in_file(w)));
    let mut is_fine = run.failures.is_empty();
    if let Some(fault) = GameView::of(&run.game).fault() {
        let help = "the game stops at this fault; fix the mod and run the command again";
        let problem = Diagnostic::in_file(&opened.file, run.fault_line, workshop::fault_text(fault));
        terminal.print_diagnostic(&problem.with_help(help));
        is_fine = false;
    }
    // The fault explains why later lines fail, so these lines are not printed.
    terminal.print_diagnostics(&opened.failures(run.failures.iter().filter(|failed| !run.follows_fault(failed))));
    if let Some(problem) = unfair {
        terminal.print_diagnostic(problem);
        is_fine = false;
    }
    for other in opened.mod_warnings(rules) {
        let help = if run.failures.is_empty() {
            "the record still replays; add --any-version to accept these mods, and save the game again to record them"
        } else {
            "the first difference is named above; use the mods that the record was made with"
        };
        let severity = if args.any_version { Severity::Warning } else { Severity::Error };
        terminal.print_diagnostic(&Diagnostic { severity, ..other.with_help(help) });
        is_fine &= args.any_version;
    }
    is_fine
}

fn write_decision(
    terminal: &Terminal,
    out: &mut impl Write,
    args: &Args,
    moment: &ReplayedDecision<'_>,
    seen: &mut ReplayProgress,
) -> io::Result<()> {
    let view = GameView::of(moment.game);
    let Some(prompt) = view.prompt() else { return Ok(()) };
    let cost = if args.regret { table::regret(moment.game, moment.answer) } else { None };
    if args.json {
        let line = prompt_json(view, moment.n, &prompt, Json::from(moment.answer), args.options);
        let cost = cost.map(|it| format!(",\"cost\":{},\"best\":{}}}", it.points, Json::from(it.best)));
        return match cost {
            Some(cost) => writeln!(out, "{}{cost}", line.trim_end_matches('}')),
            None => writeln!(out, "{line}"),
        };
    }
    write_news(terminal, out, moment.game, seen)?;
    let who = view.asked_name(prompt.who);
    writeln!(out, "{:>5}  {who:<8} {}", moment.n + 1, terminal.bold(moment.answer))?;
    if let Some(cost) = cost {
        if cost.points > 0.0 {
            let text = format!("cost {:.1}; best was {}", cost.points, cost.best);
            writeln!(out, "                {}", terminal.faint(text))?;
        }
        seen.costs.entry(cost.seat).or_default().add(cost.points, moment.n + 1);
    }
    if args.options {
        writeln!(out, "                of {}", terminal.faint(view.answer_texts().join(", ")))?;
    }
    Ok(())
}

/// Returns a decision as JSON, with the keys in the documented order.
fn prompt_json(view: GameView<'_>, n: usize, prompt: &Prompt<'_>, answer: Json, with_options: bool) -> String {
    let options =
        if with_options { format!("\"options\":{},", Json::from(view.answer_texts())) } else { String::new() };
    let (who, text) = (Json::from(view.asked_name(prompt.who)), Json::from(prompt.text));
    let scores = Json::from(view.scores());
    format!("{{\"n\":{n},\"who\":{who},\"prompt\":{text},{options}\"answer\":{answer},\"scores\":{scores}}}")
}

/// The counts of the awards and notes printed so far, and the costs of the answers so far.
#[derive(Default)]
struct ReplayProgress {
    n_awards: usize,
    n_notes: usize,
    costs: BTreeMap<Seat, Costs>,
}

/// The points that a player's answers have cost.
#[derive(Default)]
struct Costs {
    points: f64,
    n: usize,
    /// The cost of the most costly answer in points, and its number, counted from 1.
    worst: (f64, usize),
}

impl Costs {
    fn add(&mut self, points: f64, number: usize) {
        (self.points, self.n) = (self.points + points, self.n + 1);
        if points > self.worst.0 {
            self.worst = (points, number);
        }
    }
}

/// Writes the points that each player's answers have cost, if the user requested the costs with
/// `--regret`.
fn write_costs(out: &mut impl Write, view: GameView<'_>, seen: &ReplayProgress) -> io::Result<()> {
    for (seat, costs) in &seen.costs {
        let (name, each) = (view.name(*seat), costs.points / costs.n.max(1) as f64);
        write!(out, "{name}: {} choices cost {:.1} points, {each:.2} each", costs.n, costs.points)?;
        match costs.worst {
            (points, number) if points > 0.0 => writeln!(out, "; decision {number} cost the most, {points:.1}")?,
            _ => writeln!(out)?,
        }
    }
    Ok(())
}

/// Writes the awards and notes since the last call, and the lines that scripts printed since then.
fn write_news(terminal: &Terminal, out: &mut impl Write, game: &Game, seen: &mut ReplayProgress) -> io::Result<()> {
    let view = GameView::of(game);
    // After a `back` line of the record, there may be fewer awards than before.
    for award in &view.awards()[seen.n_awards.min(view.awards().len())..] {
        writeln!(out, "                {}", sheet::award_line(terminal, view, award))?;
    }
    for note in view.notes().skip(seen.n_notes) {
        writeln!(out, "                {note}")?;
    }
    for line in game.rules().hooks.take_lines() {
        writeln!(out, "                {}", terminal.faint(format!("print: {line}")))?;
    }
    (seen.n_awards, seen.n_notes) = (view.awards().len(), view.notes().len());
    Ok(())
}

fn write_end(terminal: &Terminal, out: &mut impl Write, view: GameView<'_>, args: &Args) -> io::Result<()> {
    writeln!(out, "\n{}", board_text::draw(view, &[], terminal.colour))?;
    let letters = board_text::Letters::of_game(view);
    writeln!(out, "{}", letters.legend(view.tile_set(), Some(view), terminal.colour))?;
    board_text::board_notes(view).iter().try_for_each(|things| writeln!(out, "{things}"))?;
    writeln!(out)?;
    match (view.fault(), view.prompt()) {
        (Some(fault), _) => writeln!(out, "The game stopped: {fault}")?,
        (None, Some(prompt)) => {
            writeln!(out, "{} to move: {}", view.asked_name(prompt.who), prompt.text)?;
            if args.options {
                view.answer_texts().iter().try_for_each(|o| writeln!(out, "  {o}"))?;
            }
        }
        (None, None) => writeln!(out, "The game is over.")?,
    }
    write!(out, "{}", sheet::final_table(terminal, view))
}
