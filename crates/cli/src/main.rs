//! The `bastide` command: a thin shell over the engine, one module a command.
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod board_text;
mod commands;
mod context;
mod sheet;
mod tags;
mod terminal;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use diagnostic::Diagnostic;
use table::caught;

use crate::commands::{check, completions, docs, install, new, pack, picture, play, puzzle, replay, sim, test, tiles};
use crate::context::{Context, Done, Globals};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// An engine for tile-laying games in which every game and every expansion is a folder of text files.
#[derive(Parser)]
#[command(
    name = "bastide",
    version,
    disable_help_subcommand = true,
    after_help = "\
Try it:
  bastide play                                 a game against a bot, here in the terminal
  bastide new my-mod                           a mod that loads, plays and tests at once
  bastide check my-mod                         all problems of its files, with positions and help
  bastide test my-mod                          runs the cases in my-mod/tests
  bastide pack my-mod                          a zip of it; `bastide install` puts one among the mods
  bastide sim --games 1000                     a thousand games and their statistics
  bastide picture FILE --out game.gif          a saved game as a picture that moves
  bastide puzzle FILE                          its moments at which one answer is best by far, as links
  bastide replay FILE --json                   every decision of a saved game, a line each

`bastide COMMAND --help` shows more. Mods are looked for in the folder `mods` here or above (if it has no game, beside the \
program too), or else in the folders named by BASTIDE_MODS; and in those added by --mods-path. A mod may also be named by its folder.
Exit codes: 0 all is well, 1 problems were found, 2 the command was not understood."
)]
struct Cli {
    #[command(flatten)]
    globals: Globals,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    New(new::Args),
    Check(check::Args),
    Test(test::Args),
    Play(play::Args),
    Replay(replay::Args),
    Sim(Box<sim::Args>),
    Tiles(tiles::Args),
    Picture(picture::Args),
    Puzzle(puzzle::Args),
    Pack(pack::Args),
    Install(install::Args),
    Docs(docs::Args),
    Completions(completions::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut context = Context::new(&cli.globals);
    let done = caught(|| run(&mut context, cli.command));
    let sentence = |panic| format!("{panic}; please report it with the mods and the record");
    context.exit_code(done.unwrap_or_else(|panic| Err(Diagnostic::without_place(sentence(panic)).into())))
}

fn run(context: &mut Context, command: Command) -> Done {
    match command {
        Command::New(args) => new::run(context, &args),
        Command::Check(args) => check::run(context, &args),
        Command::Test(args) => test::run(context, &args),
        Command::Play(args) => play::run(context, &args),
        Command::Replay(args) => replay::run(context, &args),
        Command::Sim(args) => sim::run(context, &args),
        Command::Tiles(args) => tiles::run(context, &args),
        Command::Picture(args) => picture::run(context, &args),
        Command::Puzzle(args) => puzzle::run(context, &args),
        Command::Pack(args) => pack::run(context, &args),
        Command::Install(args) => install::run(context, &args),
        Command::Docs(args) => docs::run(context, &args),
        Command::Completions(args) => completions::run(context, &args, &mut <Cli as clap::CommandFactory>::command()),
    }
}
