//! Handles: indices of declared things and references to things on the board.

use serde::{Deserialize, Serialize};

/// A kind of land, such as road or city, as a position in
/// [`TileSet::kinds`](crate::TileSet::kinds).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct KindIdx(pub u8);

/// A tag, as a position in [`TileSet::tags`](crate::TileSet::tags).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct TagIdx(pub u8);

/// A layer, in which zones connect to features, as a position in
/// [`TileSet::layers`](crate::TileSet::layers). Every kind takes part in layer 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct LayerIdx(pub u8);

/// A column, as a position in [`TileSet::columns`](crate::TileSet::columns). In each column, a zone
/// has a number, and a feature has the sum or the maximum of its zones' numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ColumnIdx(pub u8);

/// A set of kinds of land.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct KindSet(pub u64);

impl KindSet {
    /// The maximum number of kinds of land.
    pub(crate) const MAX_KINDS: usize = u64::BITS as usize;

    /// Every kind.
    pub const ALL: KindSet = KindSet(u64::MAX);

    /// Returns whether `kind` is in the set.
    pub const fn contains(self, kind: KindIdx) -> bool {
        self.0 >> kind.0 & 1 == 1
    }

    /// Adds `kind`.
    pub fn insert(&mut self, kind: KindIdx) {
        self.0 |= 1 << kind.0;
    }

    /// Returns whether no kind is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the two sets share a kind.
    pub const fn intersects(self, other: KindSet) -> bool {
        self.0 & other.0 != 0
    }
}

impl FromIterator<KindIdx> for KindSet {
    fn from_iter<T: IntoIterator<Item = KindIdx>>(kinds: T) -> Self {
        let mut set = KindSet::default();
        kinds.into_iter().for_each(|k| set.insert(k));
        set
    }
}

/// A tile type, as a position in [`TileSet::tiles`](crate::TileSet::tiles).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct TileIdx(pub u16);

/// A tile on the board, numbered in the order of laying. The number stays valid, and the board does
/// not reuse it after the tile is taken up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct TileRef(pub u32);

/// A zone on the board: a part of a laid tile. The number of a zone stays valid, unlike the root of
/// a feature. The board does not reuse the number after the tile is taken up or replaced.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ZoneRef(pub u32);

/// A feature, given by one of its zones and a layer. The board looks up the root of the feature at
/// each use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct FeatureRef {
    /// The layer in which the zones of the feature are joined.
    pub layer: LayerIdx,
    /// Any zone of the feature.
    pub anchor: ZoneRef,
}
