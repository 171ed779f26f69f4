//! `bastide puzzle`: the moments of a game at which one answer is best by far, as links that others solve.

use std::io::Write as _;
use std::path::PathBuf;
use std::rc::Rc;

use diagnostic::Diagnostic;
use platform::task;
use rules::{Game, Rules, Seat};
use serde_json::json;
use table::GameView;
use workshop::link::Link;
use workshop::puzzle::{Found, find, setup_for, solve};

use crate::context::{CliError, Context, Done, Outcome, PlayedRecord};

/// Finds puzzles in a game: moments at which one whole answer, a place and what is put there, is best by far
#[derive(clap::Args)]
#[command(after_help = "\
Each answer is tried in thirty lines of play by greedy players, all of which draw the same; what counts is by how many points
the player is ahead then. The window and the page open the links: Game, Open link.

Examples:
  bastide puzzle my.game                       the puzzles of a game, the clearest first
  bastide puzzle my.game --links               with their links
  bastide puzzle my.game --at 41               whether the moment after 41 answers is one, and its link")]
pub struct Args {
    /// The record
    file: PathBuf,
    /// Looks only at the moment after so many answers
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Prints the link of each puzzle, as it stands behind the # of an address
    #[arg(long)]
    links: bool,
    /// Prints data, a line for each puzzle, with its link
    #[arg(long)]
    json: bool,
}

pub fn run(context: &mut Context, args: &Args) -> Done {
    let PlayedRecord { loaded, rules, game, has_failed } = context.play_record(&args.file)?;
    let found = match args.at {
        Some(at) => vec![at_moment(&rules, &game, at)?],
        None => task::finish(find(&game, |_| true)).unwrap_or_default(),
    };
    if found.is_empty() {
        let message = "no puzzles: at no moment of this game is one answer better by a point and more\n";
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
            let head = format!("turn {} (--at {}), {name}: {margin:.1} points better: ", puzzle.turn, puzzle.at);
            let link = if args.links { format!("\n  #{link}") } else { String::new() };
            format!("{head}{}{link}", best.answers.join(", "))
        };
        writeln!(out, "{line}")?;
    }
    Ok(Outcome::fine_if(!has_failed && !found.is_empty()))
}

/// Returns the moment after so many answers as a puzzle.
fn at_moment(rules: &Rc<Rules>, game: &Game, at: usize) -> Result<Found, CliError> {
    let mut now = Game::from_position(rules.clone(), game.setup().clone(), game.start().clone());
    for answer in game.log().iter().take(at) {
        if now.answer(*answer).is_err() {
            break;
        }
    }
    let none = |why: String| Diagnostic::without_place(format!("the moment after {at} answers is no puzzle: {why}"));
    let solution = task::finish(solve(&now, None, || true)).map_err(none)?;
    let solution = solution.filter(|solution| solution.is_puzzle()).ok_or_else(|| {
        none("no answer is clearly the best".to_owned()).with_help("without --at, those of the game are listed")
    })?;
    Ok(Found { at, turn: now.state().turn().map_or(0, |turn| turn.number), solution })
}
