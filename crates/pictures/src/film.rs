//! Draws a whole game as an animated GIF with one frame per turn. The last frame is shown for
//! longer.

use art::{Painter, PictureError, Pixels};
use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use rules::Game;
use rustc_hash::FxHashMap;
use table::GameView;

use crate::frame_painter::FramePainter;
use crate::moment::SizeLimits;

/// The time for which a turn is shown, in hundredths of a second.
const TURN_TIME: u16 = 40;
/// The time for which the end of the game is shown, in hundredths of a second.
const END_TIME: u16 = 400;

/// The number of colours in a GIF.
const N_COLOURS: usize = 256;

/// The maximum number of pixels in all frames together. For comparison, 100 turns of 4,000 by 4,000
/// pixels have 1.6 billion pixels, and drawing these turns takes minutes.
const MAX_FILM_PIXELS: u64 = 2_000_000_000;

/// The sampling interval, in pixels, for choosing colours.
const SAMPLING_INTERVAL: i32 = 10;

/// A reason why a game cannot be drawn as an animation. The text is a sentence without a full stop.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the texts say what is wrong")]
pub enum FilmError {
    #[error("an animation of {n_turns} turns with {n_pixels} pixels each is too large")]
    TooLarge { n_turns: u32, n_pixels: u64 },
    #[error("the board is too large for a GIF")]
    TooLargeBoard,
    #[error(transparent)]
    Picture(#[from] PictureError),
    #[error("the GIF cannot be created: {0}")]
    Gif(#[from] gif::EncodingError),
}

/// Draws a game turn by turn, and returns it as a GIF. Calls `progress` with the number of answers
/// replayed so far and their total. Stops and returns `None` if `progress` returns `false`, or if
/// an answer of the game is not legal.
///
/// # Errors
/// Returns an error if the board is too large for a GIF, or if all frames together have too many
/// pixels.
pub fn film(
    painter: &Painter,
    game: &Game,
    size: SizeLimits,
    progress: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Option<Vec<u8>>, FilmError> {
    let mut stage = FramePainter::new(GameView::of(game), size);
    let mut now = Game::from_position(game.rules().clone(), game.setup().clone(), game.start().clone());
    let mut turn = GameView::of(&now).turn();
    let n_turns = GameView::of(game).turn().abs_diff(turn) + 1;
    if stage.n_pixels().saturating_mul(n_turns.into()) > MAX_FILM_PIXELS {
        return Err(FilmError::TooLarge { n_turns, n_pixels: stage.n_pixels() });
    }
    // The palette comes from the last frame, which contains every colour of the game. Even if all
    // pieces of a player have left the board, the scores contain the player's colour.
    let last = stage.draw_position(painter, GameView::of(game))?;
    let mut colours = FilmPalette::of(&last);
    let mut gif = Vec::new();
    let sizes = (u16::try_from(last.width), u16::try_from(last.height));
    let (Ok(width), Ok(height)) = sizes else { return Err(FilmError::TooLargeBoard) };
    let mut encoder = Encoder::new(&mut gif, width, height, &colours.palette)?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut before: Option<Vec<u8>> = None;
    let mut write = |pixels: &Pixels, delay: u16| {
        let now = colours.indices_of(pixels);
        let frame = Frame { delay, ..changed_frame(before.as_deref(), &now, width, height) };
        before = Some(now);
        encoder.write_frame(&frame)
    };
    let n_answers = game.log().len();
    for (n, answer) in game.log().iter().enumerate() {
        if now.answer(*answer).is_err() || !progress(n, n_answers) {
            return Ok(None);
        }
        let view = GameView::of(&now);
        if view.turn() != turn && n + 1 < n_answers {
            turn = view.turn();
            write(&stage.draw_position(painter, view)?, TURN_TIME)?;
        }
    }
    write(&last, END_TIME)?;
    drop(encoder);
    Ok(Some(gif))
}

/// Returns a frame with the rectangle that has changed since the frame before it.
fn changed_frame(before: Option<&[u8]>, now: &[u8], width: u16, height: u16) -> Frame<'static> {
    let row = usize::from(width).max(1);
    let (mut left, mut top, mut right, mut bottom) = (row, usize::from(height), 0, 0);
    for (at, _) in now.iter().enumerate().filter(|(at, n)| before.is_none_or(|before| before.get(*at) != Some(*n))) {
        let (x, y) = (at % row, at / row);
        (left, top, right, bottom) = (left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1));
    }
    if left >= right {
        // A frame needs at least one pixel.
        (left, top, right, bottom) = (0, 0, 1, 1);
    }
    let rows = now.chunks(row).skip(top).take(bottom - top);
    let buffer: Vec<u8> = rows.flat_map(|row| row.iter().skip(left).take(right - left)).copied().collect();
    Frame {
        // The numbers fit into 16 bits, because they are at most the width and height of the
        // picture.
        left: left as u16,
        top: top as u16,
        width: (right - left) as u16,
        height: (bottom - top) as u16,
        dispose: DisposalMethod::Keep,
        buffer: buffer.into(),
        ..Frame::default()
    }
}

/// The palette of an animation: maps each pixel to the number of a colour.
struct FilmPalette {
    quantizer: NeuQuant,
    palette: Vec<u8>,
    known: FxHashMap<[u8; 3], u8>,
}

impl FilmPalette {
    fn of(pixels: &Pixels) -> FilmPalette {
        let quantizer = NeuQuant::new(SAMPLING_INTERVAL, N_COLOURS, &pixels.rgba);
        let palette = quantizer.color_map_rgb();
        FilmPalette { quantizer, palette, known: FxHashMap::default() }
    }

    fn indices_of(&mut self, pixels: &Pixels) -> Vec<u8> {
        let (pixels, _) = pixels.rgba.as_chunks::<4>();
        let number = |[r, g, b, _]: &[u8; 4]| {
            let nearest = || self.quantizer.index_of(&[*r, *g, *b, 255]) as u8;
            *self.known.entry([*r, *g, *b]).or_insert_with(nearest)
        };
        pixels.iter().map(number).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::rc::Rc;

    use loader::Library;
    use rules::{Dealer, Rules, RulesFactory, Setup};

    use super::*;

    /// Plays a few turns of a game. Returns the game and a painter for it.
    fn played() -> (Game, Painter) {
        let loaded = Library::builtin().load(&["base"]).0.unwrap();
        let rules = Rc::new(loaded.rules(Rules::default_settings(loaded.catalogue())).unwrap());
        let painter = Painter::new(&rules.catalogue().tile_set, loaded.theme(), "");
        let mut game = record::start_game(rules, Setup::of(&["base"], 2)).unwrap();
        let mut dealer = Dealer::new(5);
        while game.log().len() < 20 {
            game.deal(&mut dealer);
            game.answer_nth(0);
        }
        (game, painter)
    }

    /// A frame changes other tiles if the new tile completes their features.
    #[test]
    fn a_position_looks_the_same_whatever_was_drawn_before() {
        let (game, painter) = played();
        let size = SizeLimits { most: 300, tile: 32 };
        let mut stage = FramePainter::new(GameView::of(&game), size);
        let mut now = Game::from_position(game.rules().clone(), game.setup().clone(), game.start().clone());
        let mut n_complete = 0;
        for answer in game.log() {
            now.answer(*answer).unwrap();
            let view = GameView::of(&now);
            let drawn = stage.draw_position(&painter, view).unwrap();
            let fresh = FramePainter::new(GameView::of(&game), size).draw_position(&painter, view).unwrap();
            assert!(drawn.rgba == fresh.rgba, "turn {}", view.turn());
            n_complete = crate::laid_tiles(view).iter().filter(|laid| laid.complete != 0).count();
        }
        assert!(n_complete > 1, "the game completes features");
    }

    #[test]
    fn only_land_with_an_open_state_is_complete() {
        let (game, _) = played();
        let view = GameView::of(&game);
        let tile_set = view.tile_set();
        let (mut n_open, mut n_complete) = (0, 0);
        for placed in view.tiles() {
            let complete = crate::complete_zones(view, placed);
            for (n, zone) in tile_set.tile(placed.tile).zones.iter().enumerate() {
                let is_complete = complete >> n & 1 == 1;
                if tile_set.kind(zone.kind).edge == board::EdgeStyle::Ground {
                    assert!(!is_complete, "a field is never complete");
                    continue;
                }
                assert_eq!(is_complete, view.is_complete(view.feature_of(placed.zone(n)).unwrap()));
                n_open += usize::from(!is_complete);
                n_complete += usize::from(is_complete);
            }
        }
        assert!(n_open > 3 && n_complete > 1, "{n_open} open, {n_complete} complete");
    }

    #[test]
    fn a_game_becomes_a_film_with_a_frame_for_each_turn() {
        let (game, painter) = played();
        let size = SizeLimits { most: 300, tile: 32 };
        let film = |game: &Game| film(&painter, game, size, &mut |_, _| true).unwrap().unwrap();
        let bytes = film(&game);
        assert_eq!(bytes, film(&game), "equal games give equal bytes");
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        let (mut n, mut last, mut n_pixels) = (0, 0, 0);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            (n, last) = (n + 1, frame.delay);
            n_pixels += usize::from(frame.width) * usize::from(frame.height);
        }
        assert_eq!(n, GameView::of(&game).turn());
        assert_eq!(last, END_TIME);
        let whole = usize::from(decoder.width()) * usize::from(decoder.height());
        assert!(n_pixels < whole * n as usize, "frames contain only the changed part");
        assert!(
            super::film(&painter, &game, size, &mut |n, _| n < 3).unwrap().is_none(),
            "drawing stops if `progress` returns false"
        );
    }

    #[test]
    fn what_has_changed_is_a_rectangle() {
        let frame = changed_frame(Some(&[0; 12]), &[0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 4, 3);
        assert_eq!((frame.left, frame.top, frame.width, frame.height), (1, 1, 2, 2));
        assert_eq!(&frame.buffer[..], [1, 0, 0, 1]);
        let frame = changed_frame(Some(&[5; 4]), &[5; 4], 2, 2);
        assert_eq!((frame.width, frame.height, &frame.buffer[..]), (1, 1, &[5][..]));
        assert_eq!(changed_frame(None, &[5; 4], 2, 2).buffer.len(), 4);
    }
}
