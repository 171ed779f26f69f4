//! The open spots around the laid tiles, each with the edges that its neighbours require.

use crate::geometry::{EdgeSet, Facing, Spot};
use crate::tile::{ANY_EDGE, Tile, TurnedTile};
use serde::{Deserialize, Serialize};

/// An empty spot beside at least one tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpenSpot {
    /// The position of the spot on the grid.
    pub spot: Spot,
    /// The required edge codes, one byte for each edge, the north in the lowest.
    need: u32,
    /// A mask: all ones in the byte of each edge at which a neighbour requires a code.
    mask: u32,
}

impl OpenSpot {
    /// Returns the edge code that the neighbour across edge number `edge` requires; `None` if there
    /// is no neighbour or its edge fits anything.
    pub fn required_code(&self, edge: usize) -> Option<u8> {
        (self.mask >> (8 * edge) & 0xff != 0).then_some((self.need >> (8 * edge)) as u8)
    }

    /// Returns a number that is equal for spots with the same requirements.
    pub fn requirements(&self) -> u64 {
        u64::from(self.mask) << 32 | u64::from(self.need)
    }

    /// Returns whether `tile` fits the spot at some facing.
    pub fn admits(&self, tile: &Tile) -> bool {
        let agrees = |it: &TurnedTile| agree(u32::from_le_bytes(it.edges), it.must_match, self.need, self.mask);
        tile.facings.iter().any(agrees)
    }
}

/// Returns whether `edges` are the edges that a spot needs, where `mask` and `must_match` both ask
/// for an edge. Each number has a byte for each edge.
fn agree(edges: u32, must_match: u32, need: u32, mask: u32) -> bool {
    (edges ^ need) & mask & must_match == 0
}

/// All open spots, in an unspecified order. Separate arrays contain their requirements, so that the
/// processor can compare many spots at a time.
#[derive(PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct OpenSpots {
    spots: Vec<Spot>,
    needs: Vec<u32>,
    masks: Vec<u32>,
}

impl Clone for OpenSpots {
    fn clone(&self) -> OpenSpots {
        OpenSpots { spots: self.spots.clone(), needs: self.needs.clone(), masks: self.masks.clone() }
    }

    // The derived method would allocate new memory instead of reusing the present memory.
    fn clone_from(&mut self, source: &OpenSpots) {
        self.spots.clone_from(&source.spots);
        self.needs.clone_from(&source.needs);
        self.masks.clone_from(&source.masks);
    }
}

/// The number of open spots in a block, whose placements [`OpenSpots::nth_placement`] counts
/// together.
const BLOCK_SIZE: usize = 16;

impl OpenSpots {
    pub fn len(&self) -> usize {
        self.spots.len()
    }

    pub fn reserve(&mut self, n: usize) {
        self.spots.reserve(n);
        self.needs.reserve(n);
        self.masks.reserve(n);
    }

    /// Adds a spot without requirements.
    pub fn push(&mut self, spot: Spot) {
        self.spots.push(spot);
        self.needs.push(0);
        self.masks.push(0);
    }

    /// Removes spot number `i` and gives its number to the last spot. Returns the moved spot, or
    /// `None` if spot `i` was the last.
    pub fn swap_remove(&mut self, i: usize) -> Option<Spot> {
        self.spots.swap_remove(i);
        self.needs.swap_remove(i);
        self.masks.swap_remove(i);
        self.spots.get(i).copied()
    }

    /// Requires `code` at edge number `edge` of spot number `i`. Does nothing if `code` is
    /// [`ANY_EDGE`].
    #[inline]
    pub(crate) fn require(&mut self, i: usize, edge: usize, code: u8) {
        if code == ANY_EDGE {
            return;
        }
        self.needs[i] |= u32::from(code) << (8 * edge);
        self.masks[i] |= 0xff << (8 * edge);
    }

    /// Returns the last spot, which gets the number of the next removed spot. Returns `None` if no
    /// spot is open.
    pub fn last(&self) -> Option<Spot> {
        self.spots.last().copied()
    }

    pub fn get(&self, i: usize) -> OpenSpot {
        OpenSpot { spot: self.spots[i], need: self.needs[i], mask: self.masks[i] }
    }

    pub fn iter(&self) -> impl Iterator<Item = OpenSpot> + '_ {
        (0..self.len()).map(|i| self.get(i))
    }

    /// Yields 1 if `tile` fits and 0 if it does not, for each spot and its four facings. Has no
    /// branches, so that the processor can compare many spots at a time. `ANY` must be true for a
    /// tile with edges that fit anything; it costs one more instruction.
    fn fit_flags<const ANY: bool>(&self, tile: &Tile) -> impl Iterator<Item = [u32; 4]> + '_ {
        let [a, b, c, d] = tile.facings.map(|turned| (u32::from_le_bytes(turned.edges), turned.must_match));
        let asked = self.needs.iter().zip(&self.masks);
        // The compiler does not inline the closure of `[_; 4]::map`, so this writes out the array.
        asked.map(move |(need, mask)| {
            let fits = |(e, must_match): (u32, u32)| {
                u32::from(agree(e, if ANY { must_match } else { u32::MAX }, *need, *mask))
            };
            [fits(a), fits(b), fits(c), fits(d)]
        })
    }

    /// Counts the spots and facings at which `tile` fits.
    pub(crate) fn count_placements(&self, tile: &Tile) -> usize {
        if tile.any_edges { self.count_placements_by::<true>(tile) } else { self.count_placements_by::<false>(tile) }
    }

    fn count_placements_by<const ANY: bool>(&self, tile: &Tile) -> usize {
        self.fit_flags::<ANY>(tile).map(|[a, b, c, d]| a + b + c + d).sum::<u32>() as usize
    }

    /// Returns placement number `n` of `tile`, counted from 0, in the order of
    /// [`OpenSpots::for_each_placement`]. Returns `None` if there are at most `n` placements.
    pub fn nth_placement(&self, tile: &Tile, n: usize) -> Option<Placement> {
        if tile.any_edges { self.nth_placement_by::<true>(tile, n) } else { self.nth_placement_by::<false>(tile, n) }
    }

    fn nth_placement_by<const ANY: bool>(&self, tile: &Tile, n: usize) -> Option<Placement> {
        let mut left = n;
        let mut from = 0;
        // Skips whole blocks up to the block that contains placement `n`.
        while from + BLOCK_SIZE <= self.len() {
            let here =
                self.fit_flags::<ANY>(tile).skip(from).take(BLOCK_SIZE).map(|[a, b, c, d]| a + b + c + d).sum::<u32>()
                    as usize;
            if left < here {
                break;
            }
            left -= here;
            from += BLOCK_SIZE;
        }
        for (fits, spot) in self.fit_flags::<ANY>(tile).zip(&self.spots).skip(from) {
            let here = fits.iter().sum::<u32>() as usize;
            if left < here {
                let (facing, _) = Facing::ALL.into_iter().zip(fits).filter(|(_, fits)| *fits == 1).nth(left)?;
                return Some(Placement { spot: *spot, facing });
            }
            left -= here;
        }
        None
    }

    /// Calls `found` for every spot and facing at which `tile` fits, with the edges at which a
    /// neighbour requires a code. If `asked` is given, tries only spots at which a neighbour
    /// requires the code `asked`.
    pub(crate) fn for_each_placement(&self, tile: &Tile, asked: Option<u8>, found: impl FnMut(Placement, EdgeSet)) {
        if tile.any_edges {
            self.for_each_placement_by::<true>(tile, asked, found);
        } else {
            self.for_each_placement_by::<false>(tile, asked, found);
        }
    }

    fn for_each_placement_by<const ANY: bool>(
        &self,
        tile: &Tile,
        asked: Option<u8>,
        mut found: impl FnMut(Placement, EdgeSet),
    ) {
        for (i, fits) in self.fit_flags::<ANY>(tile).enumerate() {
            if asked.is_some_and(|code| !asks_for(self.needs[i], self.masks[i], code)) {
                continue;
            }
            for (facing, _) in Facing::ALL.into_iter().zip(fits).filter(|(_, fits)| *fits == 1) {
                found(Placement { spot: self.spots[i], facing }, EdgeSet::from_mask(self.masks[i]));
            }
        }
    }
}

/// Returns whether `mask` selects a byte of `need` that equals `code`.
fn asks_for(need: u32, mask: u32, code: u8) -> bool {
    const ONES: u32 = 0x0101_0101;
    // Selected bytes that equal `code` become zero. Subtracting one sets the highest bit of a zero
    // byte. Any other byte can get that bit only by a borrow from a zero byte below it, and then
    // that zero byte matches anyway.
    let zero = (need ^ (ONES * u32::from(code))) | !mask;
    zero.wrapping_sub(ONES) & !zero & (ONES << 7) != 0
}

/// A spot and a facing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Placement {
    /// The spot of the tile.
    pub spot: Spot,
    /// The facing of the tile.
    pub facing: Facing,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_knows_which_spots_ask_for_a_code() {
        let mut n = 7u32;
        let mut next = || {
            n = n.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            n >> 8
        };
        for _ in 0..20_000 {
            // Uses codes that are close to each other and to zero, so that a wrong borrow would
            // change a result.
            let need = u32::from_le_bytes([0; 4].map(|_| (next() % 4) as u8));
            let mask = u32::from_le_bytes([0; 4].map(|_| if next() % 2 == 0 { 0xff } else { 0 }));
            let code = (next() % 4) as u8;
            let open = OpenSpot { spot: Spot::new(0, 0), need: need & mask, mask };
            let asks = (0..4).any(|edge| open.required_code(edge) == Some(code));
            assert_eq!(asks_for(open.need, mask, code), asks, "{need:08x} {mask:08x} {code}");
        }
    }
}
