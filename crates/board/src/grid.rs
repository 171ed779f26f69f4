//! What lies where: a table from spots to numbers that only ever grows.

use crate::geometry::Spot;

/// A table from spots to numbers.
///
/// Boards grow in any shape, so a rectangle would waste memory; entries are never removed, so probing needs no gravestones; and a copy is one
/// block of memory. A general hash map costs about twice as much for the dozen look-ups of each placed tile.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    /// Spot in the upper half, number in the lower; a power of two of them, or none.
    slots: Vec<u64>,
    n_used: usize,
}

/// Where an entry lies says how the table has grown, not what it holds.
impl PartialEq for Grid {
    fn eq(&self, other: &Grid) -> bool {
        let mut own = self.slots.iter().filter(|slot| **slot != EMPTY);
        self.n_used == other.n_used && own.all(|slot| other.slots[other.find((slot >> 32) as u32)] == *slot)
    }
}

impl Eq for Grid {}

const EMPTY: u64 = u64::MAX;

fn key(spot: Spot) -> u32 {
    u32::from(spot.x as u16) << 16 | u32::from(spot.y as u16)
}

impl Grid {
    /// Makes room for `n` spots.
    pub fn reserve(&mut self, n: usize) {
        let wanted = (n * 2).next_power_of_two().max(64);
        if wanted > self.slots.len() {
            let old = std::mem::replace(&mut self.slots, vec![EMPTY; wanted]);
            for slot in old.into_iter().filter(|s| *s != EMPTY) {
                let at = self.find((slot >> 32) as u32);
                self.slots[at] = slot;
            }
        }
    }

    /// Where `key` is, or would go. Spots side by side end up far apart, so runs stay short.
    #[inline]
    fn find(&self, key: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == EMPTY || (slot >> 32) as u32 == key {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// The number at `spot`.
    #[inline]
    pub fn get(&self, spot: Spot) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.find(key(spot))];
        (slot != EMPTY).then_some(slot as u32)
    }

    /// The number at `spot`; where there is none, `number` is set and `None` returned.
    pub fn get_or_insert(&mut self, spot: Spot, number: u32) -> Option<u32> {
        if (self.n_used + 1) * 2 > self.slots.len() {
            self.reserve(self.n_used + 1);
        }
        let at = self.find(key(spot));
        if self.slots[at] != EMPTY {
            return Some(self.slots[at] as u32);
        }
        self.slots[at] = u64::from(key(spot)) << 32 | u64::from(number);
        self.n_used += 1;
        None
    }

    /// Sets the number at `spot` (any but the greatest) and returns the one before.
    pub fn insert(&mut self, spot: Spot, number: u32) -> Option<u32> {
        if (self.n_used + 1) * 2 > self.slots.len() {
            self.reserve(self.n_used + 1);
        }
        let at = self.find(key(spot));
        let before = std::mem::replace(&mut self.slots[at], u64::from(key(spot)) << 32 | u64::from(number));
        if before == EMPTY {
            self.n_used += 1;
            return None;
        }
        Some(before as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_and_keeps_everything() {
        let mut grid = Grid::default();
        let spots: Vec<Spot> = (-40..40).flat_map(|x| (-3..9).map(move |y| Spot::new(x * 700, y))).collect();
        for (i, spot) in spots.iter().enumerate() {
            assert_eq!(grid.get(*spot), None);
            assert_eq!(grid.insert(*spot, i as u32), None);
        }
        for (i, spot) in spots.iter().enumerate() {
            assert_eq!(grid.insert(*spot, i as u32 + 1), Some(i as u32));
            assert_eq!(grid.get(*spot), Some(i as u32 + 1));
        }
        assert_eq!(grid.get(Spot::new(-1, -1)), None);
    }
}
