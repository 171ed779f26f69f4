//! `bastide picture`: draws a position of a game as a picture, or the whole game as an animation.

use std::path::PathBuf;

use art::{Painter, PictureError};
use diagnostic::{Diagnostic, ExpectOrDefault as _};
use pictures::{FilmError, SizeLimits, film, position_picture};
use rules::Game;
use table::GameView;

use crate::context::{
    CliError, CommandOutcome, CommandResult, Context, PlayedRecord, option_error, plural, usage, write_out,
};

/// Draw one turn of a game as PNG or SVG, or the whole game as an animated GIF
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide picture my.game                      draw the final board to my.png
  bastide picture my.game --out game.gif       draw the whole game, one frame per turn
  bastide picture my.game --turn 12 --out 12.svg")]
pub struct Args {
    /// Record of the game
    file: PathBuf,
    /// File to write: .png, .svg or .gif [default: the record's name with .png]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw the board at the end of turn N; a GIF ends there
    #[arg(long, value_name = "N")]
    turn: Option<u32>,
    /// Maximum length of the board's longer side, in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = SizeLimits::default().most, value_parser = clap::value_parser!(u32).range(100..=4000))]
    size: u32,
    /// Palette to draw with, such as `winter`
    #[arg(long, value_name = "NAME")]
    palette: Option<String>,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let out = args.out.clone().unwrap_or_else(|| args.file.with_extension("png"));
    let ending = out.extension().map(|ending| ending.to_ascii_lowercase().to_string_lossy().into_owned());
    let is_known = |ending: &str| ["png", "svg", "gif"].contains(&ending);
    let Some(ending) = ending.filter(|ending| is_known(ending)) else {
        let message = format!("{} has no known file extension", out.display());
        return Err(usage(message).with_help("use .png, .svg or .gif"));
    };
    let PlayedRecord { loaded, game, has_failed } = context.play_record(&args.file)?;
    let theme = loaded.theme();
    let palette = args.palette.as_deref().unwrap_or(theme.suggested_palette());
    let painter = Painter::new(&game.rules().catalogue().tile_set, theme, palette);
    let game = match args.turn {
        Some(turn) => game_after_turn(&game, turn)?,
        None => game,
    };
    let size = SizeLimits { most: args.size, tile: (args.size / 6).max(SizeLimits::default().tile) };
    let cannot = |error: FilmError| {
        let help = match error {
            FilmError::Picture(PictureError::TooManyTiles { .. }) => "draw an earlier turn with --turn",
            _ => "write an SVG with --out FILE.svg, draw an earlier turn with --turn, or draw fewer pixels with --size",
        };
        Diagnostic::without_place(format!("{} cannot be drawn: {error}", args.file.display())).with_help(help)
    };
    let bytes = encode_picture(&painter, &game, size, &ending).map_err(cannot)?;
    write_out(&out, &bytes)?;
    context.terminal.print_message(&format!("wrote {} ({} kB)\n", out.display(), bytes.len().div_ceil(1000)));
    Ok(CommandOutcome::fine_if(!has_failed))
}

fn encode_picture(painter: &Painter, game: &Game, size: SizeLimits, ending: &str) -> Result<Vec<u8>, FilmError> {
    if ending == "gif" {
        let made = film(painter, game, size, &mut |_, _| true)?;
        return Ok(made.expect_or_default("the answers of a replayed game are legal, and nothing stops the film"));
    }
    let picture = position_picture(painter, GameView::of(game), size)?;
    let [width, _] = picture.size();
    match ending {
        "svg" => Ok(picture.to_svg(width as u32).into_bytes()),
        _ => Ok(picture.to_pixels(width as u32)?.to_png()?),
    }
}

/// Returns the game as it was at the end of turn `turn`.
///
/// # Errors
/// Returns an error if the game has fewer turns.
fn game_after_turn(game: &Game, turn: u32) -> Result<Game, CliError> {
    let mut now = Game::from_position(game.rules().clone(), game.setup().clone(), game.start().clone());
    let mut n_turns = GameView::of(&now).turn();
    for answer in game.log() {
        let mut next = now.clone();
        if next.answer(*answer).is_err() {
            break;
        }
        let number = GameView::of(&next).turn();
        if number > turn {
            return Ok(now);
        }
        n_turns = n_turns.max(number);
        now = next;
    }
    match turn <= n_turns {
        true => Ok(now),
        false => Err(option_error("--turn", format!("the game has {n_turns} turn{}", plural(n_turns as usize)))),
    }
}
