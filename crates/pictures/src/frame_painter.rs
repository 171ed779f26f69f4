//! Draws successive positions of a game as pixels.

use art::{Detail, LaidTile, Painter, PictureError, Pixels};
use table::GameView;

use crate::board::{laid_tiles, objects};
use crate::moment::{PictureLayout, SizeLimits};

/// Draws successive positions of a game. If all tiles of the previous position are still on their
/// spots, draws only new tiles, and tiles with features that are now complete.
#[derive(Clone, Debug)]
pub struct FramePainter {
    layout: PictureLayout,
    laid: Vec<LaidTile>,
    /// The picture of the tiles in `laid`.
    board: Option<Pixels>,
}

impl FramePainter {
    /// Makes a painter whose pictures have room for the board of `end`, the end of the game.
    pub fn new(end: GameView<'_>, size: SizeLimits) -> FramePainter {
        FramePainter { layout: PictureLayout::of(&laid_tiles(end), end, size), laid: Vec::new(), board: None }
    }

    /// Returns the number of pixels of a picture, including the scores under the board.
    pub(crate) fn n_pixels(&self) -> u64 {
        let [width, height] = self.layout.picture_size();
        u64::from(width) * u64::from(height)
    }

    /// Draws a position: the board, and the scores under it.
    ///
    /// # Errors
    /// Returns an error if the tiles lie so far apart that the picture is too large.
    pub fn draw_position(&mut self, painter: &Painter, view: GameView<'_>) -> Result<Pixels, PictureError> {
        let tiles = laid_tiles(view);
        let [width, height] = self.layout.board_size();
        let plain = |[w, h]: [u32; 2]| Pixels::plain(w.into(), h.into(), painter.palette().table);
        let mut all = plain(self.layout.picture_size())?;
        let is_known = |(before, now): (&LaidTile, &LaidTile)| before.is_same(now);
        let goes_on = tiles.len() >= self.laid.len() && self.laid.iter().zip(&tiles).all(is_known);
        let mut board = match self.board.take().filter(|_| goes_on) {
            Some(board) => board,
            None => {
                self.laid.clear();
                plain([width, height])?
            }
        };
        let tile = self.layout.tile;
        let [west, north] = self.layout.part.from;
        for (copy, laid) in tiles.iter().enumerate().filter(|(i, laid)| self.laid.get(*i) != Some(laid)) {
            let picture = painter.tile(laid.tile, laid.facing, laid.look(copy), Detail::for_width(tile));
            let at = |n: i16, from: f64| ((f64::from(n) - from) * f64::from(tile)).round().max(0.0) as u32;
            board.paste(&picture.to_pixels(tile)?, at(laid.spot.x, west), at(laid.spot.y, north));
        }
        self.laid = tiles;
        let pieces = objects(painter, view, self.layout.part);
        let scores = self.layout.scores(painter, view).to_pixels(width)?;
        all.paste(&board, 0, 0);
        all.paste(&pieces.to_pixels(width)?, 0, 0);
        all.paste(&scores, 0, height);
        self.board = Some(board);
        Ok(all)
    }
}
