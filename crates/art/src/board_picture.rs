//! Whole boards as one picture: tiles with the pieces that stand on them.

use board::{Facing, Spot, TileIdx};
use kurbo::{Affine, Rect};

use crate::painter::{Detail, Painter};
use crate::picture::Picture;
use crate::pieces::Pose;
use crate::seats::Symbol;

/// A tile as it lies on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaidTile {
    /// Where.
    pub spot: Spot,
    /// Which.
    pub tile: TileIdx,
    /// How far it is turned.
    pub facing: Facing,
}

/// A piece as it stands on a board.
#[derive(Clone, PartialEq, Debug)]
pub struct StandingPiece<'p> {
    /// The name of its kind.
    pub name: &'p str,
    /// How it is placed.
    pub pose: Pose,
    /// The colour of its owner.
    pub colour: [u8; 3],
    /// The symbol of its owner.
    pub symbol: Symbol,
    /// Where its middle is, in spots to the east and to the south of the north-western corner of spot 0,0.
    pub at: [f64; 2],
}

/// How large a piece is against a tile.
const PIECE: f64 = 0.34;

/// How much of the table is seen around the tiles, in tiles.
const MARGIN: f64 = 0.25;

impl Painter {
    /// Draws a board, a unit for each spot, with as much detail as can be seen where a tile is `width` pixels wide. An empty board is a piece of
    /// the table.
    pub fn board_picture(&self, tiles: &[LaidTile], pieces: &[StandingPiece<'_>], width: u32) -> Picture {
        let range = |of: fn(&Spot) -> i16| {
            let all = || tiles.iter().map(|tile| f64::from(of(&tile.spot)));
            let (least, most) = (all().reduce(f64::min).unwrap_or(0.0), all().reduce(f64::max).unwrap_or(0.0));
            (least - MARGIN, most + 1.0 + MARGIN)
        };
        let (x, y) = (range(|spot| spot.x), range(|spot| spot.y));
        let mut picture = Picture::new(x.1 - x.0, y.1 - y.0);
        picture.rect(Rect::new(0.0, 0.0, x.1 - x.0, y.1 - y.0), self.palette().table);
        for (copy, LaidTile { spot, tile, facing }) in tiles.iter().enumerate() {
            let place = Affine::translate((f64::from(spot.x) - x.0, f64::from(spot.y) - y.0));
            picture.put(&self.tile(*tile, *facing, copy as u32, Detail::for_width(width)), place);
        }
        for piece in pieces {
            let corner = (piece.at[0] - PIECE / 2.0 - x.0, piece.at[1] - PIECE / 2.0 - y.0);
            let place = Affine::translate(corner) * Affine::scale(PIECE);
            picture.put(&self.piece(piece.name, piece.pose, piece.colour, piece.symbol), place);
        }
        picture
    }
}
