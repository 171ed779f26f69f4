//! Whole boards as one picture: tiles with the pieces that stand on them.

use board::{Facing, Spot, TileIdx};
use kurbo::{Affine, Rect, Vec2};

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

/// The part of the table that is drawn, in spots to the east and to the south of the north-western corner of spot 0,0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Part {
    /// Where it begins.
    pub from: [f64; 2],
    /// Where it ends.
    pub to: [f64; 2],
}

impl Part {
    /// Returns the part where these tiles lie, with some of the table around it. Without tiles it is a spot.
    pub fn around(tiles: &[LaidTile]) -> Part {
        let range = |of: fn(&Spot) -> i16| {
            let all = || tiles.iter().map(|tile| f64::from(of(&tile.spot)));
            let (least, most) = (all().reduce(f64::min).unwrap_or(0.0), all().reduce(f64::max).unwrap_or(0.0));
            (least - MARGIN, most + 1.0 + MARGIN)
        };
        let (x, y) = (range(|spot| spot.x), range(|spot| spot.y));
        Part { from: [x.0, y.0], to: [x.1, y.1] }
    }

    /// Returns how many spots it is wide and high.
    pub fn size(&self) -> [f64; 2] {
        [self.to[0] - self.from[0], self.to[1] - self.from[1]]
    }
}

impl Painter {
    /// Draws a board, a unit for each spot, with as much detail as can be seen where a tile is `width` pixels wide. An empty board is a piece of
    /// the table.
    pub fn board_picture(&self, tiles: &[LaidTile], pieces: &[StandingPiece<'_>], width: u32) -> Picture {
        let part = Part::around(tiles);
        let [w, h] = part.size();
        let mut picture = Picture::new(w, h);
        picture.rect(Rect::new(0.0, 0.0, w, h), self.palette().table);
        for (copy, LaidTile { spot, tile, facing }) in tiles.iter().enumerate() {
            let corner = Vec2::new(f64::from(spot.x) - part.from[0], f64::from(spot.y) - part.from[1]);
            picture.put_beside(&self.tile(*tile, *facing, copy as u32, Detail::for_width(width)), corner);
        }
        self.put_pieces(&mut picture, part, pieces);
        picture
    }

    /// Puts pieces on a picture of this part of the table, on which a spot is a unit wide.
    pub fn put_pieces(&self, picture: &mut Picture, part: Part, pieces: &[StandingPiece<'_>]) {
        for piece in pieces {
            let corner = (piece.at[0] - PIECE / 2.0 - part.from[0], piece.at[1] - PIECE / 2.0 - part.from[1]);
            let place = Affine::translate(corner) * Affine::scale(PIECE);
            picture.put(&self.piece(piece.name, piece.pose, piece.colour, piece.symbol), place);
        }
    }
}
