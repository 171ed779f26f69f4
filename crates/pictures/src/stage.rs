//! Moments of a game as pixels, one after the other.

use art::{Detail, LaidTile, Painter, Picture, Pixels};
use table::GameView;

use crate::board::{laid_tiles, standing_pieces};
use crate::moment::{Layout, Size};

/// Draws moments of one game, one after the other: what lies there already is not drawn again.
#[derive(Clone, Debug)]
pub struct Stage {
    layout: Layout,
    laid: Vec<LaidTile>,
    /// The tiles that are laid.
    board: Option<Pixels>,
}

impl Stage {
    /// Makes room for a game as it is at its `end`.
    pub fn new(end: GameView<'_>, size: Size) -> Stage {
        Stage { layout: Layout::of(&laid_tiles(end), end, size), laid: Vec::new(), board: None }
    }

    /// Draws a moment, with the scores under the board.
    pub fn pixels(&mut self, painter: &Painter, view: GameView<'_>) -> Pixels {
        let tiles = laid_tiles(view);
        let [width, height] = self.layout.board();
        let known = self.board.take().filter(|_| tiles.starts_with(&self.laid));
        let n_known = if known.is_some() { self.laid.len() } else { 0 };
        let mut board = known.unwrap_or_else(|| Pixels::plain(width, height, painter.palette().table));
        let tile = self.layout.tile;
        let [west, north] = self.layout.part.from;
        for (copy, laid) in tiles.iter().enumerate().skip(n_known) {
            let picture = painter.tile(laid.tile, laid.facing, copy as u32, Detail::for_width(tile));
            let at = |n: i16, from: f64| ((f64::from(n) - from) * f64::from(tile)).round().max(0.0) as u32;
            board.lay(&picture.pixels(tile), at(laid.spot.x, west), at(laid.spot.y, north));
        }
        self.laid = tiles;
        let [w, h] = self.layout.part.size();
        let mut pieces = Picture::new(w, h);
        painter.put_pieces(&mut pieces, self.layout.part, &standing_pieces(painter, view));
        let scores = self.layout.scores(painter, view).pixels(width);
        let mut all = Pixels::plain(width, height + scores.height, painter.palette().table);
        all.lay(&board, 0, 0);
        all.lay(&pieces.pixels(width), 0, 0);
        all.lay(&scores, 0, height);
        self.board = Some(board);
        all
    }
}
