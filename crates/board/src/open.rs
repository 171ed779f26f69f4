//! The open spots around what is laid, each with what its neighbours ask of a tile.

use crate::geometry::{Facing, Spot};
use crate::tile::Tile;

/// An empty spot beside at least one tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenSpot {
    /// Where it is.
    pub spot: Spot,
    /// The edge codes asked for, one byte an edge, north lowest.
    need: u32,
    /// All ones in the bytes of edges that have a neighbour.
    mask: u32,
}

impl OpenSpot {
    /// A spot of which nothing is asked yet.
    pub(crate) fn new(spot: Spot) -> Self {
        OpenSpot { spot, need: 0, mask: 0 }
    }

    /// Adds what the neighbour across edge `edge` asks for.
    pub(crate) fn require(&mut self, edge: usize, code: u8) {
        self.need |= u32::from(code) << (8 * edge);
        self.mask |= 0xff << (8 * edge);
    }

    /// The edge code asked for at edge number `edge`, `None` where no neighbour lies.
    pub fn needed(&self, edge: usize) -> Option<u8> {
        (self.mask >> (8 * edge) & 0xff != 0).then_some((self.need >> (8 * edge)) as u8)
    }

    /// Whether edges `edges` (one byte each) agree with all neighbours.
    pub(crate) fn accepts(&self, edges: u32) -> bool {
        (edges ^ self.need) & self.mask == 0
    }
}

/// A spot and a facing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Placement {
    /// Where the tile goes.
    pub spot: Spot,
    /// How it is turned.
    pub facing: Facing,
}

/// The edges of `tile` at each facing, packed as in [`OpenSpot`].
pub(crate) fn packed_edges(tile: &Tile) -> [u32; 4] {
    tile.facings.map(|turned| u32::from_le_bytes(turned.edges))
}
