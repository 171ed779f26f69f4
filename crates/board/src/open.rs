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
    /// The edge code asked for at edge number `edge`, `None` where no neighbour lies.
    pub fn needed(&self, edge: usize) -> Option<u8> {
        (self.mask >> (8 * edge) & 0xff != 0).then_some((self.need >> (8 * edge)) as u8)
    }
}

/// All open spots, in no order of meaning. What they ask for stands side by side, so that many are compared at a time.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenSpots {
    spots: Vec<Spot>,
    needs: Vec<u32>,
    masks: Vec<u32>,
}

/// How many open spots are compared before the fitting ones are written down.
const BLOCK: usize = 64;

impl OpenSpots {
    pub fn len(&self) -> usize {
        self.spots.len()
    }

    pub fn reserve(&mut self, n: usize) {
        self.spots.reserve(n);
        self.needs.reserve(n);
        self.masks.reserve(n);
    }

    /// Adds a spot of which nothing is asked yet.
    pub fn push(&mut self, spot: Spot) {
        self.spots.push(spot);
        self.needs.push(0);
        self.masks.push(0);
    }

    /// Removes number `i`; the last one takes its number and is returned, if it is another one.
    pub fn swap_remove(&mut self, i: usize) -> Option<Spot> {
        self.spots.swap_remove(i);
        self.needs.swap_remove(i);
        self.masks.swap_remove(i);
        self.spots.get(i).copied()
    }

    /// Adds what the neighbour across edge `edge` of spot number `i` asks for.
    pub fn require(&mut self, i: usize, edge: usize, code: u8) {
        self.needs[i] |= u32::from(code) << (8 * edge);
        self.masks[i] |= 0xff << (8 * edge);
    }

    pub fn get(&self, i: usize) -> OpenSpot {
        OpenSpot { spot: self.spots[i], need: self.needs[i], mask: self.masks[i] }
    }

    pub fn iter(&self) -> impl Iterator<Item = OpenSpot> + '_ {
        (0..self.len()).map(|i| self.get(i))
    }

    /// Calls `see` with up to [`BLOCK`] spots at a time and, for each, the facings at which `tile` fits as a set of four bits. Stops where it
    /// says so.
    #[inline]
    fn fits(&self, tile: &Tile, mut see: impl FnMut(&[Spot], &[u32; BLOCK]) -> bool) {
        let [e0, e1, e2, e3] = tile.facings.map(|turned| u32::from_le_bytes(turned.edges));
        let blocks = self.spots.chunks(BLOCK).zip(self.needs.chunks(BLOCK)).zip(self.masks.chunks(BLOCK));
        for ((spots, needs), masks) in blocks {
            let mut fits = [0u32; BLOCK];
            for ((fit, need), mask) in fits.iter_mut().zip(needs).zip(masks) {
                let agrees = |edges: u32| u32::from((edges ^ need) & mask == 0);
                *fit = agrees(e0) | agrees(e1) << 1 | agrees(e2) << 2 | agrees(e3) << 3;
            }
            if !see(spots, &fits) {
                return;
            }
        }
    }

    /// How many spots and facings there are at which `tile` agrees with its neighbours.
    pub fn count(&self, tile: &Tile) -> usize {
        let mut n = 0;
        self.fits(tile, |_, fits| {
            // One bit after the other is what a processor can add up for many spots at a time.
            n += fits.iter().map(|f| (f & 1) + (f >> 1 & 1) + (f >> 2 & 1) + (f >> 3)).sum::<u32>();
            true
        });
        n as usize
    }

    /// Number `n` of the spots and facings at which `tile` fits, in the order of [`OpenSpots::placements`].
    pub fn nth(&self, tile: &Tile, n: usize) -> Option<Placement> {
        let (mut left, mut found) = (n as u32, None);
        self.fits(tile, |spots, fits| {
            for (spot, fit) in spots.iter().zip(fits) {
                let here = N_BITS[(fit & 15) as usize];
                if left < here {
                    let rest = (0..left).fold(*fit, |set, _| set & (set - 1));
                    let facing = Facing::from_quarters(rest.trailing_zeros() as u8);
                    found = Some(Placement { spot: *spot, facing });
                    return false;
                }
                left -= here;
            }
            true
        });
        found
    }

    /// Calls `found` for every spot and facing at which `tile` agrees with its neighbours.
    pub fn placements(&self, tile: &Tile, mut found: impl FnMut(Placement)) {
        self.fits(tile, |spots, fits| {
            for (spot, fit) in spots.iter().zip(fits) {
                for facing in Facing::ALL.into_iter().filter(|f| fit >> f.quarters() & 1 == 1) {
                    found(Placement { spot: *spot, facing });
                }
            }
            true
        });
    }
}

/// How many facings are in each set of them; a processor of the base line has no instruction for it.
const N_BITS: [u32; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/// A spot and a facing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Placement {
    /// Where the tile goes.
    pub spot: Spot,
    /// How it is turned.
    pub facing: Facing,
}
