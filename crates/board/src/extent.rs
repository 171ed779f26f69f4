//! How far a feature reaches, by which one sees whether a tile that was laid has changed it.

use crate::board::Layout;
use crate::handles::{FeatureRef, ZoneRef};
use crate::tile_set::{Closes, TileSet};

/// How far a feature reaches. While tiles were laid and nothing else done, a feature whose extent is the same is the same: what joins it makes it
/// larger.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Its root.
    pub root: ZoneRef,
    n_zones: u32,
    n_open: u32,
    n_neighbours: u8,
}

impl Layout {
    /// Returns how far a feature reaches.
    pub fn extent(&self, tile_set: &TileSet, feature: FeatureRef) -> Extent {
        let root = self.root(feature);
        let node = self.features(feature.layer).node(root);
        let n_neighbours = match tile_set.kind(self.kind(root)).closes {
            Closes::Surrounded => self.tile_at_zone(root).n_neighbours,
            Closes::Ports => 0,
        };
        Extent { root, n_zones: node.zones, n_open: node.open, n_neighbours }
    }
}
