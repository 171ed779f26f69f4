//! Sets of zones. Mods let players choose from such sets, and the board uses them as an index of
//! its features.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::sync::Arc;

use crate::handles::{KindIdx, KindSet, ZoneRef};
use crate::tile::Tile;

/// A set of zones in ascending order. The set stores one bit for each zone, so building and
/// counting are fast. Clones share the bits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ZoneSet {
    words: Arc<[u64]>,
    len: usize,
}

impl ZoneSet {
    fn new(words: Arc<[u64]>) -> ZoneSet {
        let len = words.iter().map(|word| word.count_ones() as usize).sum();
        ZoneSet { words, len }
    }

    /// Returns the number of zones.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the `n`-th zone of the set, counted from 0; `None` if there are fewer zones.
    pub fn nth(&self, n: usize) -> Option<ZoneRef> {
        let mut left = n;
        for (word, from) in self.words.iter().zip((0..).step_by(64)) {
            let here = word.count_ones() as usize;
            if left < here {
                return bits(*word).nth(left).map(|i| ZoneRef(from + i));
            }
            left -= here;
        }
        None
    }

    /// Iterates over the zones in order.
    pub fn iter(&self) -> impl Iterator<Item = ZoneRef> + '_ {
        zones_in(self.words.iter().copied())
    }
}

impl FromIterator<ZoneRef> for ZoneSet {
    fn from_iter<T: IntoIterator<Item = ZoneRef>>(zones: T) -> ZoneSet {
        let mut words = Vec::new();
        for ZoneRef(zone) in zones {
            let at = zone as usize / 64;
            if words.len() <= at {
                words.resize(at + 1, 0);
            }
            words[at] |= 1 << (zone % 64);
        }
        ZoneSet::new(words.into())
    }
}

impl PartialEq for ZoneSet {
    fn eq(&self, other: &ZoneSet) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for ZoneSet {}

impl PartialOrd for ZoneSet {
    fn partial_cmp(&self, other: &ZoneSet) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ZoneSet {
    fn cmp(&self, other: &ZoneSet) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

/// Iterates over the positions of the bits of `word` that are 1.
fn bits(word: u64) -> impl Iterator<Item = u32> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let i = (rest != 0).then(|| rest.trailing_zeros())?;
        rest &= rest - 1;
        Some(i)
    })
}

/// Iterates over the zones whose bits are set, in order.
fn zones_in(words: impl Iterator<Item = u64>) -> impl Iterator<Item = ZoneRef> {
    words.zip((0..).step_by(64)).flat_map(|(word, from)| bits(word).map(move |i| ZoneRef(from + i)))
}

/// Bit sets over the zones of layer 0: the zones of incomplete features, and the zones of each
/// kind.
///
/// Every 64 zones share a row of words: one word for open zones, which belong to incomplete
/// features, then one word for each kind. Laying a tile updates these words, so a search for the
/// open zones of a kind need not look at each zone.
#[derive(PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ZoneIndex {
    words: Vec<u64>,
    /// The number of words in a row; zero only in the default index.
    width: usize,
    /// The number of complete features, by kind.
    n_complete: Vec<u32>,
}

impl Clone for ZoneIndex {
    fn clone(&self) -> ZoneIndex {
        ZoneIndex { words: self.words.clone(), width: self.width, n_complete: self.n_complete.clone() }
    }

    // The derived method would allocate new memory instead of reusing the present memory.
    fn clone_from(&mut self, source: &ZoneIndex) {
        self.words.clone_from(&source.words);
        self.width = source.width;
        self.n_complete.clone_from(&source.n_complete);
    }
}

impl ZoneIndex {
    /// The position of the word for open zones in a row.
    pub(crate) const OPEN_POSITION: usize = 0;

    /// Returns the position of the word for zones of `kind` in a row.
    pub(crate) const fn kind_position(kind: KindIdx) -> usize {
        1 + kind.0 as usize
    }

    /// Returns the number of words in a row.
    pub const fn width(n_kinds: usize) -> usize {
        1 + n_kinds
    }

    pub fn new(n_kinds: usize) -> ZoneIndex {
        ZoneIndex { words: Vec::new(), width: ZoneIndex::width(n_kinds), n_complete: vec![0; n_kinds] }
    }

    pub fn reserve(&mut self, n_zones: usize) {
        self.words.reserve((n_zones / 64 + 1) * self.width);
    }

    /// Adds the zones of a tile, starting with `first`, as separate features.
    pub fn extend(&mut self, first: ZoneRef, tile: &Tile) {
        if tile.zones.is_empty() {
            return;
        }
        let (row, shift) = (first.0 as usize / 64 * self.width, first.0 % 64);
        let n_rows = (first.0 as usize + tile.zones.len()).div_ceil(64);
        if self.words.len() < n_rows * self.width {
            self.words.resize(n_rows * self.width, 0);
        }
        let (row, next) = self.words[row..].split_at_mut(self.width);
        row.iter_mut().zip(&tile.zone_bits).for_each(|(word, zones)| *word |= u64::from(*zones) << shift);
        // Bits that do not fit into this row go into the next row, if there is one.
        next.iter_mut().zip(&tile.zone_bits).for_each(|(word, zones)| *word |= u64::from(*zones) >> 1 >> (63 - shift));
        tile.closed.iter().for_each(|kind| self.n_complete[kind.0 as usize] += 1);
    }

    /// Records that the feature of `kind` with these zones is complete.
    pub fn close(&mut self, kind: KindIdx, zones: impl Iterator<Item = ZoneRef>) {
        self.n_complete[kind.0 as usize] += 1;
        zones.for_each(|zone| *self.open_word(zone) &= !(1 << (zone.0 % 64)));
    }

    /// Records that the feature of `kind` with these zones is incomplete again.
    pub fn reopen(&mut self, kind: KindIdx, zones: impl Iterator<Item = ZoneRef>) {
        self.n_complete[kind.0 as usize] -= 1;
        zones.for_each(|zone| *self.open_word(zone) |= 1 << (zone.0 % 64));
    }

    /// Returns whether `zone` is part of an incomplete feature.
    pub fn is_open(&self, zone: ZoneRef) -> bool {
        self.words[zone.0 as usize / 64 * self.width + ZoneIndex::OPEN_POSITION] >> (zone.0 % 64) & 1 == 1
    }

    fn open_word(&mut self, zone: ZoneRef) -> &mut u64 {
        &mut self.words[zone.0 as usize / 64 * self.width + ZoneIndex::OPEN_POSITION]
    }

    /// Returns the zones of `kinds` in incomplete features, except the zones `left_out`.
    pub fn open_zones(&self, kinds: KindSet, left_out: impl Iterator<Item = ZoneRef>) -> ZoneSet {
        let rows = self.words.chunks_exact(self.width.max(1));
        let mut words: Arc<[u64]> = rows.map(|row| row[ZoneIndex::OPEN_POSITION] & of_kinds(row, kinds)).collect();
        let own = Arc::make_mut(&mut words);
        left_out.for_each(|zone| own[zone.0 as usize / 64] &= !(1 << (zone.0 % 64)));
        ZoneSet::new(words)
    }

    /// Returns the number of complete features, by kind.
    pub fn n_complete_by_kind(&self) -> &[u32] {
        &self.n_complete
    }

    /// Returns the number of complete features of `kind`.
    pub fn n_complete(&self, kind: KindIdx) -> usize {
        self.n_complete[kind.0 as usize] as usize
    }
}

/// Returns a bit set of the zones in `row` whose kind is in `kinds`.
fn of_kinds(row: &[u64], kinds: KindSet) -> u64 {
    let of_kinds =
        (0..).zip(&row[ZoneIndex::kind_position(KindIdx(0))..]).filter(|(kind, _)| kinds.contains(KindIdx(*kind)));
    of_kinds.fold(0, |zones, (_, of_kind)| zones | of_kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::PortSet;
    use crate::tile::Zone;

    #[test]
    fn a_set_is_in_order_and_knows_each_number() {
        let zones = [3, 64, 63, 200, 127, 128].map(ZoneRef);
        let set = ZoneSet::from_iter(zones);
        let mut sorted = zones;
        sorted.sort_unstable();
        assert!(set.iter().eq(sorted));
        assert_eq!((0..7).map(|n| set.nth(n)).collect::<Vec<_>>(), {
            let mut all: Vec<_> = sorted.into_iter().map(Some).collect();
            all.push(None);
            all
        });
        assert_eq!((set.len(), set.is_empty()), (6, false));
        assert!(ZoneSet::from_iter([]).is_empty());
    }

    #[test]
    fn equal_sets_may_be_of_different_length() {
        let mut index = ZoneIndex::new(2);
        let zones = vec![Zone::new(KindIdx(0), PortSet::default()); 3];
        let tile = Tile { zones, zone_bits: vec![0b111, 0b011, 0b100], ..Tile::default() };
        let mut sets = Vec::new();
        for n in 0..30 {
            index.extend(ZoneRef(3 * n), &Tile { zone_bits: vec![0; 3], ..Tile::default() });
            index.extend(ZoneRef(3 * n), &tile);
            let left_out = (0..n).flat_map(|n| [3 * n, 3 * n + 1]).map(ZoneRef);
            let set = index.open_zones(KindSet::from_iter([KindIdx(0)]), left_out);
            assert!(set.iter().eq([3 * n, 3 * n + 1].map(ZoneRef)), "{n}");
            sets.push(index.open_zones(KindSet::from_iter([KindIdx(0)]), (2..=3 * n + 1).map(ZoneRef)));
        }
        assert!(sets.iter().all(|set| *set == ZoneSet::from_iter([0, 1].map(ZoneRef))));
        index.close(KindIdx(1), [2, 65].map(ZoneRef).into_iter());
        let of_second =
            |index: &ZoneIndex| index.open_zones(KindSet::from_iter([KindIdx(1)]), std::iter::empty()).len();
        assert_eq!((of_second(&index), index.n_complete(KindIdx(1))), (28, 1));
        index.reopen(KindIdx(1), [2, 65].map(ZoneRef).into_iter());
        assert_eq!((of_second(&index), index.n_complete(KindIdx(1))), (30, 0));
    }
}
