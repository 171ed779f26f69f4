//! The features of one layer: a union-find over zones with aggregates that are updated on each
//! merge.

use crate::handles::{ColumnIdx, KindSet, ZoneRef};
use crate::tile::Tile;
use crate::tile_set::Column;
use serde::{Deserialize, Serialize};

/// The value of [`ZoneNode::parent`] for a zone whose kind the layer does not include.
const ABSENT: u32 = u32::MAX;

/// A zone in a tree of zones. At the root of the tree, the counts are those of the whole feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct ZoneNode {
    parent: u32,
    /// The next zone of the feature, in a ring.
    next: u32,
    pub(crate) open: u32,
    pub(crate) tiles: u32,
    pub(crate) zones: u32,
}

impl ZoneNode {
    /// Makes a zone that is a separate feature.
    fn alone(me: u32, open: u32) -> ZoneNode {
        ZoneNode { parent: me, next: me, open, tiles: 1, zones: 1 }
    }
}

/// The features of one layer.
///
/// Merging attaches the smaller tree to the larger one. Paths are never compressed, so queries
/// change nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Features {
    nodes: Vec<ZoneNode>,
    columns: Vec<i32>,
    width: usize,
    /// The columns in which a feature has the maximum of its zones' values, not the sum.
    greatest: Vec<u8>,
}

impl Features {
    pub(crate) fn new(columns: &[Column]) -> Self {
        let greatest = (0..=u8::MAX).zip(columns).filter(|(_, column)| column.is_max).map(|(c, _)| c).collect();
        Features { nodes: Vec::new(), columns: Vec::new(), width: columns.len(), greatest }
    }

    pub(crate) fn reserve(&mut self, n_zones: usize) {
        self.nodes.reserve(n_zones);
        self.columns.reserve(n_zones * self.width);
    }

    /// Adds the zones of a tile. Each zone of `kinds` becomes a feature of its own; the other zones
    /// belong to no feature of this layer.
    pub(crate) fn extend(&mut self, tile: &Tile, kinds: KindSet) {
        self.columns.extend_from_slice(&tile.columns);
        let first = self.nodes.len() as u32;
        self.nodes.extend(tile.zones.iter().zip(first..).map(|(zone, me)| ZoneNode {
            parent: if kinds.contains(zone.kind) { me } else { ABSENT },
            ..ZoneNode::alone(me, zone.ports.len() as u32)
        }));
    }

    /// Adds the zones of a removed tile. [`Features::roots`] skips these zones. Each zone has an
    /// open port, so it never counts as complete and never scores.
    pub(crate) fn extend_removed(&mut self, tile: &Tile, kinds: KindSet) {
        self.columns.resize(self.columns.len() + tile.columns.len(), 0);
        let first = self.nodes.len() as u32;
        self.nodes.extend(tile.zones.iter().zip(first..).map(|(zone, me)| ZoneNode {
            parent: if kinds.contains(zone.kind) { me } else { ABSENT },
            tiles: 0,
            zones: 0,
            ..ZoneNode::alone(me, 1)
        }));
    }

    /// Removes all zones except the first `n_zones`.
    pub(crate) fn truncate(&mut self, n_zones: usize) {
        self.nodes.truncate(n_zones);
        self.columns.truncate(n_zones * self.width);
    }

    /// Restores the node and the column values of a root. `rows` begins with the column values.
    /// Returns their number, so that the caller can skip them in `rows`.
    pub(crate) fn restore_root(&mut self, root: ZoneRef, node: ZoneNode, rows: &[i32]) -> usize {
        let width = self.width;
        self.nodes[root.0 as usize] = node;
        self.row_mut(root).copy_from_slice(&rows[..width]);
        width
    }

    /// Makes `zone` a separate feature again, with `open` open ports and 0 in every column.
    pub(crate) fn reset(&mut self, zone: ZoneRef, open: u32) {
        self.nodes[zone.0 as usize] = ZoneNode::alone(zone.0, open);
        self.row_mut(zone).fill(0);
    }

    /// Returns whether this layer includes the kind of `zone`.
    pub fn has(&self, zone: ZoneRef) -> bool {
        self.nodes[zone.0 as usize].parent != ABSENT
    }

    /// Returns the zone that represents the feature of `zone`. Do not store this root, because it
    /// changes when features merge or split.
    #[inline]
    pub fn root(&self, zone: ZoneRef) -> ZoneRef {
        let mut z = zone.0;
        loop {
            let parent = self.nodes[z as usize].parent;
            if parent == z {
                return ZoneRef(z);
            }
            z = parent;
        }
    }

    /// Iterates over the roots of all features.
    pub(crate) fn roots(&self) -> impl Iterator<Item = ZoneRef> + '_ {
        let zones = self.nodes.iter().zip(0..);
        zones.filter(|(node, zone)| node.parent == *zone && node.zones > 0).map(|(_, zone)| ZoneRef(zone))
    }

    #[inline]
    pub(crate) fn node(&self, root: ZoneRef) -> &ZoneNode {
        &self.nodes[root.0 as usize]
    }

    #[inline]
    pub(crate) fn node_mut(&mut self, root: ZoneRef) -> &mut ZoneNode {
        &mut self.nodes[root.0 as usize]
    }

    /// Closes two ports that meet: one of the feature with root `a`, and one of the feature with
    /// root `b`. The roots may be equal. Returns the number of ports of both features that are
    /// still open.
    #[inline]
    pub(crate) fn close_ports(&mut self, a: ZoneRef, b: ZoneRef) -> u32 {
        self.node_mut(a).open -= 1;
        let node = self.node_mut(b);
        node.open -= 1;
        let n_open = node.open;
        if a == b { n_open } else { n_open + self.node(a).open }
    }

    pub(crate) fn row(&self, root: ZoneRef) -> &[i32] {
        let from = root.0 as usize * self.width;
        &self.columns[from..from + self.width]
    }

    fn row_mut(&mut self, root: ZoneRef) -> &mut [i32] {
        let from = root.0 as usize * self.width;
        &mut self.columns[from..from + self.width]
    }

    /// Returns the value of `column` for the feature with root `root`.
    pub(crate) fn column(&self, root: ZoneRef, column: ColumnIdx) -> i32 {
        self.columns[root.0 as usize * self.width + column.0 as usize]
    }

    pub(crate) fn set_column(&mut self, root: ZoneRef, column: ColumnIdx, value: i32) {
        self.row_mut(root)[column.0 as usize] = value;
    }

    /// Iterates over the zones of the feature that contains `zone`, starting with `zone`.
    pub fn zones(&self, zone: ZoneRef) -> impl Iterator<Item = ZoneRef> + '_ {
        let mut at = Some(zone.0);
        std::iter::from_fn(move || {
            let z = at?;
            let next = self.nodes[z as usize].next;
            at = (next != zone.0).then_some(next);
            Some(ZoneRef(z))
        })
    }

    /// Merges the feature with root `small` into the feature with root `big`, which stays the root.
    /// `shared` is the number of tiles that have zones of both features.
    pub(crate) fn join(&mut self, big: ZoneRef, small: ZoneRef, shared: u32) {
        let gone = *self.node(small);
        let into = self.node_mut(big);
        into.open += gone.open;
        into.tiles += gone.tiles - shared;
        into.zones += gone.zones;
        let next = std::mem::replace(&mut into.next, gone.next);
        let small_node = self.node_mut(small);
        small_node.parent = big.0;
        small_node.next = next;
        let (from, to) = (small.0 as usize * self.width, big.0 as usize * self.width);
        let (low, high) = self.columns.split_at_mut(from.max(to));
        let (row, sums) = if from < to {
            (&low[from..from + self.width], &mut high[..self.width])
        } else {
            (&high[..self.width], &mut low[to..to + self.width])
        };
        // Adding whole rows without branches takes a few instructions. The columns in `greatest`
        // are adjusted first, so that the addition yields the maximum.
        for c in self.greatest.iter().map(|c| *c as usize) {
            sums[c] = sums[c].max(row[c]) - row[c];
        }
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += value;
        }
    }
}
