//! `bastide puzzle`: finds the positions of a game in which one move is clearly the best. Prints
//! these positions as links, for other people to solve.

use std::io::Write as _;
use std::path::PathBuf;

use diagnostic::ExpectOrDefault as _;
use rules::{Game, Seat};
use serde_json::json;
use table::GameView;
use workshop::link::Link;
use workshop::puzzle::{PuzzleCandidate, find, setup_for, solve};

use crate::context::{CliError, CommandOutcome, CommandResult, Context, PlayedRecord, problem};

/// Find puzzles in a game: positions with one clearly best move
#[derive(clap::Args)]
#[command(after_help = "\
A move is a tile's place and the piece put on it. Greedy bots play on from each promising move thirty
times, with the same draws for all moves. The best move has the largest average lead afterwards. To
open a link, choose Open link… in the Game menu of the window or the web page.

Examples:
  bastide puzzle my.game                       list the puzzles, clearest first
  bastide puzzle my.game --links               list them with their links
  bastide puzzle my.game --at 41               test the position after 41 decisions")]
pub struct Args {
    /// Record of the game
    file: PathBuf,
    /// Test only the position after N decisions
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Also print the link of each puzzle: the part of the address after #
    #[arg(long)]
    links: bool,
    /// Print a JSON line per puzzle, with its link
    #[arg(long)]
    json: bool,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let PlayedRecord { loaded, game, has_failed } = context.play_record(&args.file)?;
    let found = match args.at {
        Some(at) => vec![candidate_after(&game, at)?],
        None => find(&game, |_| true).expect_or_default("a search that is never stopped ends"),
    };
    if found.is_empty() {
        let message = "no puzzles: no position of this game has one clearly best move\n";
        context.terminal.print_message(message);
    }
    let texts = game.log_texts();
    let mut out = context.terminal.out_as(args.json);
    for puzzle in &found {
        let seat = Seat(puzzle.solution.seat);
        let (Some(best), margin) = (puzzle.solution.best(), puzzle.solution.margin()) else { continue };
        let record =
            record::record_of(&setup_for(loaded.catalogue(), game.setup(), seat), texts.iter().take(puzzle.at));
        let link = Link::of_game(&loaded, record)?.with_solution(best.answers.clone()).text();
        let name = GameView::of(&game).name(seat);
        let line = if args.json {
            json!({
                "at": puzzle.at, "turn": puzzle.turn, "who": name, "margin": margin, "answers": best.answers,
                "points": best.points, "link": link,
            })
            .to_string()
        } else {
            let head = format!(
                "turn {} (--at {}), {name}: {margin:.1} points better than the next move: ",
                puzzle.turn, puzzle.at
            );
            let link = if args.links { format!("\n  #{link}") } else { String::new() };
            format!("{head}{}{link}", best.answers.join(", "))
        };
        writeln!(out, "{line}")?;
    }
    Ok(CommandOutcome::fine_if(!has_failed && !found.is_empty()))
}

/// Returns the position after `at` answers as a puzzle.
fn candidate_after(game: &Game, at: usize) -> Result<PuzzleCandidate, CliError> {
    let now = game.after(at);
    let none = |why: &str| problem(format!("the position after {at} decisions is not a puzzle: {why}"));
    let solution = solve(&now, None, || true).map_err(|error| none(&error.to_string()))?;
    let solution = solution
        .filter(|solution| solution.is_puzzle())
        .ok_or_else(|| none("no move is clearly the best").with_help("omit --at to list the puzzles of the game"))?;
    Ok(PuzzleCandidate { at, turn: now.state().turn().map_or(0, |turn| turn.number), solution })
}
