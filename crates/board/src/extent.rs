//! The extent of a feature, which shows whether a laid tile has changed the feature.

use crate::board::Layout;
use crate::handles::{FeatureRef, ZoneRef};
use crate::tile_set::{CompletionRule, TileSet};

/// Numbers that change when a laid tile changes a feature. If the board has only gained tiles, a
/// feature with the same extent as before is unchanged. A tile that extends, ends or surrounds the
/// feature changes at least one number of the extent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// The root of the feature.
    pub root: ZoneRef,
    n_zones: u32,
    n_open: u32,
    n_neighbours: u8,
}

impl Layout {
    /// Returns the extent of a feature.
    pub fn extent(&self, tile_set: &TileSet, feature: FeatureRef) -> Extent {
        let root = self.root(feature);
        let node = self.features(feature.layer).node(root);
        let n_neighbours = match tile_set.kind(self.kind(root)).closes {
            CompletionRule::Surrounded => self.tile_at_zone(root).n_neighbours,
            CompletionRule::Ports => 0,
        };
        Extent { root, n_zones: node.zones, n_open: node.open, n_neighbours }
    }
}
