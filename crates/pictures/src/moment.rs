//! Draws a position of a game: the board, and the scores under it.

use art::kurbo::{Affine, Point, Rect};
use art::{BoardCrop, Colour, LaidTile, Painter, Picture, PictureError, Symbol};
use table::GameView;

use crate::board::{board, colour_and_symbol, laid_tiles};

/// The limits for the size of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeLimits {
    /// The maximum length of the board's longer side, in pixels. A large board exceeds this length,
    /// because tiles are at least 8 pixels wide.
    pub most: u32,
    /// The maximum width of a tile, in pixels. It keeps the picture of a small board small.
    pub tile: u32,
}

impl Default for SizeLimits {
    fn default() -> SizeLimits {
        SizeLimits { most: 800, tile: 96 }
    }
}

/// The height of a row of scores, in pixels.
const ROW_HEIGHT: f64 = 30.0;
/// The height of the letters in a row of scores, in pixels.
const LETTER_HEIGHT: f64 = 11.0;
/// The width of a player's score without the name, in pixels.
const SCORE_WIDTH: f64 = 90.0;
/// The maximum number of letters of a player's name in a picture.
const MAX_LETTERS: usize = 12;

/// The positions of the parts of a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PictureLayout {
    pub part: BoardCrop,
    /// The width of a tile in pixels: a multiple of four, so that the margin is a whole number of
    /// pixels.
    pub tile: u32,
    n_columns: usize,
    n_rows: usize,
}

impl PictureLayout {
    pub fn of(tiles: &[LaidTile], view: GameView<'_>, size: SizeLimits) -> PictureLayout {
        let part = BoardCrop::around(tiles);
        let [w, h] = part.size();
        let fits = (f64::from(size.most) / w.max(h)) as u32;
        let tile = (size.tile.min(fits) / 4 * 4).max(8);
        let name =
            view.seats().map(|seat| Picture::width_of(&truncated_name(view, seat), LETTER_HEIGHT)).fold(0.0, f64::max);
        let n_columns = (w * f64::from(tile) / (name + SCORE_WIDTH)).max(1.0) as usize;
        let n_columns = n_columns.min(view.n_seats()).max(1);
        PictureLayout { part, tile, n_columns, n_rows: view.n_seats().div_ceil(n_columns) }
    }

    /// Returns the width and height of the board in pixels.
    pub(crate) fn board_size(&self) -> [u32; 2] {
        self.part.size().map(|n| (n * f64::from(self.tile)).round() as u32)
    }

    /// Returns the width and height of the picture in pixels, including the scores.
    pub(crate) fn picture_size(&self) -> [u32; 2] {
        let [width, height] = self.board_size();
        [width, height + self.n_rows as u32 * ROW_HEIGHT as u32]
    }

    /// Draws the scores. One unit of the picture is one pixel.
    pub fn scores(&self, painter: &Painter, view: GameView<'_>) -> Picture {
        let width = f64::from(self.board_size()[0]);
        let mut picture = Picture::new(width, self.n_rows as f64 * ROW_HEIGHT);
        picture.rect(Rect::new(0.0, 0.0, width, self.n_rows as f64 * ROW_HEIGHT), painter.palette().table.darken(0.25));
        let column = width / self.n_columns as f64;
        for (n, seat) in view.seats().enumerate() {
            let (x, y) = ((n % self.n_columns) as f64 * column, (n / self.n_columns) as f64 * ROW_HEIGHT);
            let (colour, symbol) = colour_and_symbol(view, seat);
            let centre = Point::new(x + 18.0, y + ROW_HEIGHT / 2.0);
            picture.disc(centre, 9.0, Colour::from(colour));
            if symbol != Symbol::None {
                picture.fill(symbol.outline(centre, 5.0), Colour::from([255; 3]));
            }
            let base = y + ROW_HEIGHT / 2.0 + LETTER_HEIGHT / 2.0;
            let score = view.score(seat).to_string();
            let ink = Colour::from([255; 3]);
            picture.write(&score, x + 34.0, base, LETTER_HEIGHT, ink);
            let name = x + 34.0 + Picture::width_of(&score, LETTER_HEIGHT) + 10.0;
            picture.write(&truncated_name(view, seat), name, base, LETTER_HEIGHT, ink.darken(0.2));
        }
        picture
    }
}

fn truncated_name(view: GameView<'_>, seat: table::Seat) -> String {
    view.name(seat).chars().take(MAX_LETTERS).collect()
}

/// Draws the board, and the scores under it. One unit of the picture is one pixel.
///
/// # Errors
/// Returns an error if the board has more than 5,000 tiles.
pub fn position_picture(painter: &Painter, view: GameView<'_>, size: SizeLimits) -> Result<Picture, PictureError> {
    let layout = PictureLayout::of(&laid_tiles(view), view, size);
    let [width, height] = layout.board_size().map(f64::from);
    let scores = layout.scores(painter, view);
    let mut picture = Picture::new(width, height + scores.size()[1]);
    picture.put(&board(painter, view, layout.tile)?, Affine::scale(f64::from(layout.tile)));
    picture.put(&scores, Affine::translate((0.0, height)));
    Ok(picture)
}
