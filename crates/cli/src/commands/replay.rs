//! `bastide replay`: runs a record and shows every decision of it.

use std::io::{self, Write};
use std::path::PathBuf;

use rules::{Moment, Rules, State, Status, option_texts, who_text};
use serde_json::{Value as Json, json};

use crate::board_text;
use crate::context::{Context, Done, Outcome, Stop};
use crate::records;
use crate::sheet;
use crate::terminal::{Complaint, Terminal};

/// Runs a record and shows its decisions and scores
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide replay my.game                       the game in words, and the board at its end
  bastide replay my.game --json                a JSON line for each decision
  bastide replay my.game --json --options      with everything that could have been answered

Each JSON line is {\"n\",\"who\",\"prompt\",\"options\",\"answer\",\"scores\"}: `n` counts the answers given before, `scores` \
are those when the question was asked, and a question still open at the end has the answer null. The last line is \
{\"final\":[…],\"over\":true}.

The exit code is 1 at the first answer that was not offered, where an expectation does not hold, where a mod is not there, \
and where a mod has another version or other files than the record says; --any-version accepts the last.")]
pub struct Args {
    /// The record
    file: PathBuf,
    /// Prints a JSON line for each decision
    #[arg(long)]
    json: bool,
    /// Prints all options of each decision
    #[arg(long)]
    options: bool,
    /// Accepts other versions of mods than the record names
    #[arg(long)]
    any_version: bool,
}

pub fn run(context: &mut Context, args: &Args) -> Done {
    let mut warnings = Vec::new();
    let opened = records::open(&args.file, &mut warnings).map_err(|c| say_all(context, &c))?;
    warnings.iter().for_each(|w| context.terminal.say(w));
    let rules = &opened.rules(context).map_err(|c| say_all(context, &c))?;
    let terminal = context.terminal;
    let mut out = terminal.out();
    let mut written = Ok(());
    if !args.json {
        let mods: Vec<String> = rules.catalogue().mods.iter().map(|m| format!("{} {}", m.id, m.version)).collect();
        writeln!(out, "{}, played by {}", mods.join(", "), opened.record.setup.players.join(", "))?;
    }
    let mut seen = Seen::default();
    let mut each = |moment: Moment<'_>| {
        if written.is_ok() {
            written = write_moment(&terminal, &mut out, args, &moment, &mut seen);
        }
    };
    let run = opened.replay(rules, &mut each).map_err(|c| say_all(context, &c))?;
    written?;
    let game = &run.game;
    let state = game.state();
    if args.json {
        if let Status::Decision(decision) = game.status() {
            let who = who_text(state, decision.who);
            let line = decision_json(rules, state, game.log().len(), who, &decision.prompt, Json::Null, args.options);
            writeln!(out, "{line}")?;
        }
        let scores: Vec<i64> = state.seats().map(|s| state.view().score(s)).collect();
        writeln!(out, "{}", json!({ "final": scores, "over": state.is_over() }))?;
    } else {
        write_news(&terminal, &mut out, rules, state.view(), &mut seen)?;
        write_end(&terminal, &mut out, rules, state, game.status(), args)?;
    }
    out.flush()?;
    drop(out);
    run.warnings.iter().for_each(|w| terminal.say(&opened.complaint(w)));
    for failed in &run.failures {
        terminal.say(&opened.failure(failed));
    }
    let mut is_fine = run.failures.is_empty();
    if let Status::Fault(fault) = game.status() {
        let help = "the game waits there: mend the mod and run this again";
        terminal.say(&Complaint::at(&opened.file, 0, format!("a mod failed: {fault}")).help(help));
        is_fine = false;
    }
    for other in opened.other_mods(rules) {
        let help = if run.failures.is_empty() {
            "it fits these mods all the same; add --any-version to accept that, and save the game anew to record it"
        } else {
            "the first difference is named above; with the mods of that time it would fit"
        };
        terminal.say(&Complaint { is_warning: args.any_version, ..other }.help(help));
        is_fine &= args.any_version;
    }
    Ok(Outcome::fine_if(is_fine))
}

fn say_all(context: &Context, complaints: &[Complaint]) -> Stop {
    complaints.iter().for_each(|c| context.terminal.say(c));
    Stop::Said
}

fn write_moment(
    terminal: &Terminal,
    out: &mut impl Write,
    args: &Args,
    moment: &Moment<'_>,
    seen: &mut Seen,
) -> io::Result<()> {
    let game = moment.game;
    let (rules, state) = (game.rules(), game.state());
    let who = who_text(state, moment.decision.who);
    if args.json {
        let answer = Json::from(moment.answer);
        let line = decision_json(rules, state, moment.n, who, &moment.decision.prompt, answer, args.options);
        return writeln!(out, "{line}");
    }
    write_news(terminal, out, rules, state.view(), seen)?;
    writeln!(out, "{:>5}  {who:<8} {}", moment.n + 1, terminal.bold(moment.answer))?;
    if args.options {
        writeln!(out, "                of {}", terminal.faint(option_texts(&rules.ruleset, state).join(", ")))?;
    }
    Ok(())
}

/// One decision as JSON, its keys in the order of the format.
fn decision_json(
    rules: &Rules,
    state: &State,
    n: usize,
    who: &str,
    prompt: &str,
    answer: Json,
    with_options: bool,
) -> String {
    let scores: Vec<i64> = state.seats().map(|s| state.view().score(s)).collect();
    let options = if with_options {
        format!("\"options\":{},", Json::from(option_texts(&rules.ruleset, state)))
    } else {
        String::new()
    };
    let (who, prompt) = (Json::from(who), Json::from(prompt));
    let scores = Json::from(scores);
    format!("{{\"n\":{n},\"who\":{who},\"prompt\":{prompt},{options}\"answer\":{answer},\"scores\":{scores}}}")
}

/// How much of what happens was written.
#[derive(Default)]
struct Seen {
    n_awards: usize,
    n_notes: usize,
}

/// Writes what was paid, noted and printed since the last call.
fn write_news(
    terminal: &Terminal,
    out: &mut impl Write,
    rules: &Rules,
    view: &State,
    seen: &mut Seen,
) -> io::Result<()> {
    // After a step back there are fewer than before.
    for award in &view.awards()[seen.n_awards.min(view.awards().len())..] {
        writeln!(out, "                {}", sheet::award_line(terminal, &rules.ruleset, view, award))?;
    }
    for (_, note) in &view.notes()[seen.n_notes.min(view.notes().len())..] {
        writeln!(out, "                {note}")?;
    }
    for line in rules.hooks.take_lines() {
        writeln!(out, "                {}", terminal.faint(format!("print: {line}")))?;
    }
    *seen = Seen { n_awards: view.awards().len(), n_notes: view.notes().len() };
    Ok(())
}

fn write_end(
    terminal: &Terminal,
    out: &mut impl Write,
    rules: &Rules,
    state: &State,
    status: Status<'_>,
    args: &Args,
) -> io::Result<()> {
    writeln!(out, "\n{}", board_text::draw(&rules.ruleset, state.view(), &[], terminal.colour))?;
    let letters = board_text::Letters::of(&rules.catalogue().tile_set, state);
    writeln!(out, "{}", letters.legend(&rules.catalogue().tile_set, Some(state), terminal.colour))?;
    board_text::things(&rules.ruleset, state.view()).iter().try_for_each(|things| writeln!(out, "{things}"))?;
    writeln!(out)?;
    match status {
        Status::Decision(decision) => {
            writeln!(out, "{} is asked: {}", who_text(state, decision.who), decision.prompt)?;
            if args.options {
                option_texts(&rules.ruleset, state).iter().try_for_each(|o| writeln!(out, "  {o}"))?;
            }
        }
        Status::Fault(fault) => writeln!(out, "The game stands still: {fault}")?,
        Status::Over => writeln!(out, "The game is over.")?,
    }
    write!(out, "{}", sheet::final_table(terminal, &rules.ruleset, state.view()))
}
