//! `bastide playtests`: what people did and said in playtests.

use std::io::{self, Write};
use std::path::PathBuf;

use players::BotInfo;
use workshop::playtests::{DEFAULT_BOT_GAMES, PlaytestReport, read_playtests};

use super::sim::{parse_bot, write_section};
use crate::context::{CliError, CommandResult, Context, finish, problem};
use crate::terminal::Terminal;

/// Print what people did and said in playtests, beside what bots do
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide playtests tables                             evaluate all playtests of a host
  bastide playtests a.playtest.json --bot search:100   compare with a stronger bot
  bastide playtests tables --json                      print a JSON object

`bastide host --playtest` and Invite… in the window write the files, each beside the record of its
game. A table has columns for each version of the mods (A, B, …), so that changes of the rules can be
compared:

  points      the mean points of a player for each rule in finished games, and those of the bot
  times       the number of answers to each question, their median, the time that 90% did not
              exceed, the share that equals the choice of the bot in the same position, and the mean
              points lost against the best answer, as `greedy` judges them
  hesitation  the points lost by the quickest, the middle and the slowest third of the answers
  options     the options that only the bot, only people, or neither chose
  notes       by subject: the question or the points that the person named, or else the open question
  clear       how many people found the explanation of points clear or unclear
  survey      the replies to [playtest.NAME] of the mods

Bots play and points are counted under the mods that are installed now. If a record does not fit them,
a warning says so, and the part of the record that does not fit is not compared.")]
pub struct Args {
    /// Files that end in .playtest.json, or folders that contain such files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Bot to compare with
    #[arg(long, value_name = "BOT", default_value = "greedy", value_parser = parse_bot)]
    bot: BotInfo,
    /// Games of the bot for each setup; 0 plays none
    #[arg(long, value_name = "N", default_value_t = DEFAULT_BOT_GAMES)]
    games: u64,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let (files, unreadable) = read_playtests(&args.files);
    context.terminal.print_diagnostics(&unreadable);
    // A file that cannot be read does not hide the others.
    if files.is_empty() {
        return Err(CliError::AlreadyPrinted);
    }
    let mut problems = Vec::new();
    let report = PlaytestReport::new(&files, &mut context.mods, &args.bot, args.games, &mut problems);
    context.print_problems();
    context.terminal.print_diagnostics(&problems);
    let mut out = context.terminal.out_as(args.json);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report).map_err(problem)?)?;
    } else {
        write_report(&context.terminal, &mut out, &report, &args.bot.name)?;
    }
    finish(out, unreadable.is_empty())
}

fn write_report(terminal: &Terminal, out: &mut impl Write, report: &PlaytestReport, bot: &str) -> io::Result<()> {
    if report.is_empty() {
        writeln!(out, "These playtests contain nothing that people did or said.")?;
    }
    for (i, table) in report.tables(bot).iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        write_section(terminal, out, table, true)?;
    }
    for list in report.remarks() {
        writeln!(out, "\n{}", terminal.bold(&list.title))?;
        list.remarks.iter().try_for_each(|remark| writeln!(out, "  {}", remark.text))?;
    }
    Ok(())
}
