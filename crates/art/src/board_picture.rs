//! Draws a whole board as one picture, and pieces on it.

use board::{Facing, Spot, TileIdx};
use kurbo::{Affine, Rect, Vec2};

use crate::painter::{Detail, Painter, TileVariant};
use crate::picture::Picture;
use crate::pieces::Pose;
use crate::seats::Symbol;

/// A tile on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaidTile {
    /// The spot under the tile.
    pub spot: Spot,
    /// The type of the tile.
    pub tile: TileIdx,
    /// The facing of the tile: its number of clockwise quarter turns.
    pub facing: Facing,
    /// The zones that belong to complete features: bit `n` stands for zone `n`.
    pub complete: u32,
}

impl LaidTile {
    /// Returns whether both are the same tile on the same spot, although features of one may be
    /// complete that are open on the other.
    pub fn is_same(&self, other: &LaidTile) -> bool {
        LaidTile { complete: 0, ..*self } == LaidTile { complete: 0, ..*other }
    }

    /// Returns the look of the tile if it is number `copy` on the board.
    pub fn look(&self, copy: usize) -> TileVariant {
        TileVariant { copy: copy as u32, complete: self.complete }
    }
}

/// A piece on a board.
#[derive(Clone, PartialEq, Debug)]
pub struct PlacedPiece<'p> {
    /// The name of the piece kind.
    pub name: &'p str,
    /// The pose of the piece.
    pub pose: Pose,
    /// The colour of the owner.
    pub colour: [u8; 3],
    /// The symbol of the owner.
    pub symbol: Symbol,
    /// The centre of the piece, measured in spots to the east and south of the north-western corner
    /// of spot 0,0.
    pub at: [f64; 2],
}

/// The size of a piece, in tile widths.
const PIECE: f64 = 0.34;

/// A rectangle of the table, measured in spots to the east and south of the north-western corner of
/// spot 0,0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoardCrop {
    /// The north-western corner.
    pub from: [f64; 2],
    /// The south-eastern corner.
    pub to: [f64; 2],
}

impl BoardCrop {
    /// The width of the strip of table around the tiles, in tiles.
    pub const MARGIN: f64 = 0.25;

    /// Returns the rectangle around these tiles, with a margin of table. If there are no tiles, the
    /// rectangle is one spot with its margin.
    pub fn around(tiles: &[LaidTile]) -> BoardCrop {
        let range = |of: fn(&Spot) -> i16| {
            let all = || tiles.iter().map(|tile| f64::from(of(&tile.spot)));
            let (least, most) = (all().reduce(f64::min).unwrap_or(0.0), all().reduce(f64::max).unwrap_or(0.0));
            (least - BoardCrop::MARGIN, most + 1.0 + BoardCrop::MARGIN)
        };
        let (x, y) = (range(|spot| spot.x), range(|spot| spot.y));
        BoardCrop { from: [x.0, y.0], to: [x.1, y.1] }
    }

    /// Returns the width and height of the rectangle, in spots.
    pub fn size(&self) -> [f64; 2] {
        [self.to[0] - self.from[0], self.to[1] - self.from[1]]
    }
}

impl Painter {
    /// Draws the tiles of a board. One unit of the picture is one spot, and the picture has the
    /// detail that is visible if a tile is `width` pixels wide. The picture of an empty board shows
    /// one spot of the table with its margin.
    pub fn board_picture(&self, tiles: &[LaidTile], width: u32) -> Picture {
        let part = BoardCrop::around(tiles);
        let [w, h] = part.size();
        let mut picture = Picture::new(w, h);
        picture.rect(Rect::new(0.0, 0.0, w, h), self.palette().table);
        for (copy, laid) in tiles.iter().enumerate() {
            let LaidTile { spot, tile, facing, .. } = laid;
            let corner = Vec2::new(f64::from(spot.x) - part.from[0], f64::from(spot.y) - part.from[1]);
            picture.put_clipped(&self.tile(*tile, *facing, laid.look(copy), Detail::for_width(width)), corner);
        }
        picture
    }

    /// Draws `pieces` on `picture`, which shows `part` of the table. One unit of the picture is one
    /// spot.
    pub fn draw_pieces(&self, picture: &mut Picture, part: BoardCrop, pieces: &[PlacedPiece<'_>]) {
        for piece in pieces {
            let corner = (piece.at[0] - PIECE / 2.0 - part.from[0], piece.at[1] - PIECE / 2.0 - part.from[1]);
            let place = Affine::translate(corner) * Affine::scale(PIECE);
            picture.put(&self.piece(piece.name, piece.pose, piece.colour, piece.symbol), place);
        }
    }
}
