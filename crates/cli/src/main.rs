//! The `bastide` command: a thin layer over the engine. Each command has its own module.
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod board_text;
mod commands;
mod context;
mod earlier;
mod game_args;
mod sheet;
mod terminal;
mod value_error;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use table::catch_panic;

use crate::commands::{
    book, bot, check, completions, docs, export, host, install, join, manual, migrate, new, pack, picture, play,
    playtests, print, puzzle, replay, sim, test, tiles, train,
};
use crate::context::{CommandResult, Context, Globals, problem};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Play, write and test tile-laying games whose rules are folders of text files
#[derive(Parser)]
#[command(
    name = "bastide",
    version,
    disable_help_subcommand = true,
    after_help = "\
Try it:
  bastide play                          play against a bot in the terminal
  bastide host --players human,human    let others join over the network
  bastide new my-mod                    make a mod that loads, plays and passes its test
  bastide check my-mod                  list all problems of its files
  bastide test my-mod                   run the cases in my-mod/tests
  bastide pack my-mod                   pack it into a zip for `bastide install`
  bastide sim --games 1000              play a thousand games and print statistics
  bastide train my-mod                  let the bot `search` learn to play it better
  bastide picture FILE --out game.gif   draw a saved game as an animated GIF
  bastide book my-mod                   make its rulebook, with checked examples
  bastide print my-mod                  make a PDF of its tiles to cut
  bastide puzzle FILE                   find positions with one clearly best move
  bastide replay FILE --json            print every decision of a saved game
  bastide playtests FILE                print what people did and said in a playtest

`bastide COMMAND --help` shows more. A mod is named by its id or its folder. Bastide looks for mods in:
  1. the folders in BASTIDE_MODS, if it is set
  2. otherwise `mods` in this folder or a folder above it; if it contains no game, also `mods`
     beside the program, or else the bundled mods inside the program
  3. your own mods, which the window makes in the folder `bastide/mods` of your data folder
  4. the folders given by --mods-path

Exit codes: 0 success, 1 problems were found, 2 the command line is wrong"
)]
struct Cli {
    #[command(flatten)]
    globals: Globals,
    #[command(subcommand)]
    command: CliCommand,
}

#[derive(Subcommand)]
enum CliCommand {
    New(new::Args),
    Check(check::Args),
    Test(test::Args),
    Play(play::Args),
    Host(host::Args),
    Join(join::Args),
    Replay(replay::Args),
    Playtests(playtests::Args),
    Sim(Box<sim::Args>),
    Bot(bot::Args),
    Train(train::Args),
    Tiles(tiles::Args),
    Picture(picture::Args),
    Book(book::Args),
    Print(print::Args),
    Export(export::Args),
    Puzzle(puzzle::Args),
    Pack(pack::Args),
    Install(install::Args),
    Migrate(migrate::Args),
    Docs(docs::Args),
    Completions(completions::Args),
    #[command(hide = true)]
    Manual(manual::Args),
}

fn main() -> ExitCode {
    // Internal errors go to standard error; RUST_LOG shows more.
    env_logger::init_from_env(env_logger::Env::default().default_filter_or("bastide=error"));
    let cli = Cli::parse();
    let mut context = Context::new(&cli.globals);
    let done = catch_panic(|| run(&mut context, cli.command));
    let sentence = |panic| format!("{panic}; report it with the mods and the record");
    context.finish(done.unwrap_or_else(|panic| Err(problem(sentence(panic)))))
}

fn run(context: &mut Context, command: CliCommand) -> CommandResult {
    match command {
        CliCommand::New(args) => new::run(context, &args),
        CliCommand::Check(args) => check::run(context, &args),
        CliCommand::Test(args) => test::run(context, &args),
        CliCommand::Play(args) => play::run(context, &args),
        CliCommand::Host(args) => host::run(context, &args),
        CliCommand::Join(args) => join::run(context, &args),
        CliCommand::Replay(args) => replay::run(context, &args),
        CliCommand::Playtests(args) => playtests::run(context, &args),
        CliCommand::Sim(args) => sim::run(context, &args),
        CliCommand::Bot(args) => bot::run(context, &args),
        CliCommand::Train(args) => train::run(context, &args),
        CliCommand::Tiles(args) => tiles::run(context, &args),
        CliCommand::Picture(args) => picture::run(context, &args),
        CliCommand::Book(args) => book::run(context, &args),
        CliCommand::Print(args) => print::run(context, &args),
        CliCommand::Export(args) => export::run(context, &args),
        CliCommand::Puzzle(args) => puzzle::run(context, &args),
        CliCommand::Pack(args) => pack::run(context, &args),
        CliCommand::Install(args) => install::run(context, &args),
        CliCommand::Migrate(args) => migrate::run(context, &args),
        CliCommand::Docs(args) => docs::run(context, &args),
        CliCommand::Completions(args) => {
            completions::run(context, &args, &mut <Cli as clap::CommandFactory>::command())
        }
        CliCommand::Manual(args) => manual::run(&args, <Cli as clap::CommandFactory>::command()),
    }
}
