//! `bastide bot`: lets another program use a bot.

use players::BotInfo;

use crate::context::{CommandOutcome, CommandResult, Context};
use crate::game_args::parse_known_bot;

/// Let another program use a bot: read JSON messages and reply with choices
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide bot greedy
  bastide sim --players \"greedy,exec:bastide bot search:500\"

`bastide docs bots` describes the messages.")]
pub struct Args {
    /// Bot: random, novice, greedy, search, search:SIMULATIONS or search:5s
    ///
    /// search:1000x2 searches on two threads. novice:12 considers twelve options of each decision.
    #[arg(value_name = "BOT", value_parser = parse_known_bot, default_value = "search")]
    bot: BotInfo,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let mut output = std::io::stdout().lock();
    programs::serve(context.library(), &args.bot, &mut std::io::stdin().lock(), &mut output)?;
    Ok(CommandOutcome::Fine)
}
