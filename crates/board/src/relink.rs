//! Changes to links, zone tags and pieces during play.

use std::sync::Arc;

use crate::board::{Board, Join, Layout, ZoneLink};
use crate::handles::{ColumnIdx, FeatureRef, KindSet, LayerIdx, ZoneRef};
use crate::occupancy::Occupancy;
use crate::tile::NO_ZONE;
use crate::tile_set::TileSet;

/// Changes to links, zone tags and pieces during play.
impl Board {
    /// Removes the links `gone` and makes the links `new`.
    ///
    /// Adds the affected features to `touched`. Returns the features that were split, each as one
    /// zone of every part, and the features that merged. Visits every zone of the affected
    /// features.
    pub fn relink(
        &mut self,
        tile_set: &TileSet,
        gone: &[ZoneLink],
        new: &[ZoneLink],
        touched: &mut Vec<FeatureRef>,
    ) -> (Vec<Vec<ZoneRef>>, Vec<Join>) {
        let (layout, occupancy) = self.layout_and_occupancy_mut();
        layout.relink(occupancy, tile_set, gone, new, touched)
    }

    /// Sets the value of `column` for `zone`, overriding the value from its tile.
    pub fn set_zone_tag(&mut self, tile_set: &TileSet, zone: ZoneRef, column: ColumnIdx, value: i32) {
        self.layout_mut().set_zone_tag(tile_set, zone, column, value);
    }

    /// Puts piece number `piece` on `zone` in `layer`. `piece_kind` is the number of the piece's
    /// kind.
    pub fn occupy(&mut self, layer: LayerIdx, zone: ZoneRef, piece: u32, piece_kind: u8) {
        let root = self.root(FeatureRef { layer, anchor: zone });
        self.occupancy_mut().occupy(root, layer, zone, piece, piece_kind);
    }

    /// Removes piece number `piece` from all zones that it occupies in the feature of `zone` in
    /// `layer`.
    pub fn vacate(&mut self, layer: LayerIdx, zone: ZoneRef, piece: u32) {
        let root = self.root(FeatureRef { layer, anchor: zone });
        self.occupancy_mut().vacate(root, layer, piece);
    }
}

impl Layout {
    fn relink(
        &mut self,
        occupancy: &mut Arc<Occupancy>,
        tile_set: &TileSet,
        gone: &[ZoneLink],
        new: &[ZoneLink],
        touched: &mut Vec<FeatureRef>,
    ) -> (Vec<Vec<ZoneRef>>, Vec<Join>) {
        self.changes.add(gone.iter().chain(new).map(|link| self.kind(link.a)).collect());
        self.links.retain(|link| !gone.contains(link));
        self.links.extend(new);
        self.links.sort_unstable();
        self.links.dedup();
        let ends = gone.iter().chain(new).flat_map(|link| [link.a, link.b]);
        let zones = self.features_of(LayerIdx(0), ends);
        let only: Vec<ZoneRef> = zones.iter().map(|(z, _)| *z).collect();
        self.rejoin(occupancy, tile_set, &only);
        (self.splits(LayerIdx(0), &zones), self.joins(LayerIdx(0), &zones, touched))
    }

    /// Lists all zones of the features that contain `zones`, in ascending order. Each zone comes
    /// with the root of its feature.
    pub(crate) fn features_of(&self, layer: LayerIdx, zones: impl Iterator<Item = ZoneRef>) -> Vec<(ZoneRef, ZoneRef)> {
        let features = self.features(layer);
        let mut roots: Vec<ZoneRef> = zones.filter(|z| features.has(*z)).map(|z| features.root(z)).collect();
        roots.sort_unstable();
        roots.dedup();
        let mut zones: Vec<(ZoneRef, ZoneRef)> = Vec::new();
        for root in roots {
            zones.extend(features.zones(root).map(|z| (z, root)));
        }
        zones.sort_unstable();
        zones
    }

    /// Lists the features that were split, each as one zone of every part. `zones` lists all zones
    /// of the changed features, each with the former root of its feature.
    pub(crate) fn splits(&self, layer: LayerIdx, zones: &[(ZoneRef, ZoneRef)]) -> Vec<Vec<ZoneRef>> {
        let features = self.features(layer);
        let mut roots: Vec<ZoneRef> = zones.iter().map(|(_, old)| *old).collect();
        roots.sort_unstable();
        roots.dedup();
        let mut splits = Vec::new();
        for root in roots {
            let mut now: Vec<(ZoneRef, ZoneRef)> = Vec::new();
            for (z, _) in zones.iter().filter(|(_, old)| *old == root) {
                let new = features.root(*z);
                if now.iter().all(|(r, _)| *r != new) {
                    now.push((new, *z));
                }
            }
            if now.len() > 1 {
                splits.push(now.into_iter().map(|(_, z)| z).collect());
            }
        }
        splits
    }

    /// Lists the features that merged. `zones` has the same meaning as in [`Layout::splits`]. Adds
    /// to `touched` every feature that now contains one of these zones.
    pub(crate) fn joins(
        &self,
        layer: LayerIdx,
        zones: &[(ZoneRef, ZoneRef)],
        touched: &mut Vec<FeatureRef>,
    ) -> Vec<Join> {
        let features = self.features(layer);
        let mut joins: Vec<Join> = Vec::new();
        let mut seen: Vec<ZoneRef> = Vec::new();
        for (z, _) in zones {
            let new = features.root(*z);
            if seen.contains(&new) {
                continue;
            }
            seen.push(new);
            let feature = FeatureRef { layer, anchor: *z };
            touched.push(feature);
            let mut parts: Vec<(ZoneRef, ZoneRef)> = Vec::new();
            for (other, old) in zones.iter().filter(|(other, _)| features.root(*other) == new) {
                if parts.iter().all(|(o, _)| o != old) {
                    parts.push((*old, *other));
                }
            }
            if parts.len() > 1 {
                joins.push(Join { feature, parts: parts.into_iter().map(|(_, z)| z).collect() });
            }
        }
        joins
    }

    /// Splits the features that consist of `zones` and joins them again from tiles and links.
    fn rejoin(&mut self, occupancy: &mut Arc<Occupancy>, tile_set: &TileSet, zones: &[ZoneRef]) {
        for root in self.complete_roots(tile_set, zones) {
            self.zone_index.reopen(self.kind(root), self.layers[0].zones(root));
        }
        let mut feet: Vec<u32> = Vec::new();
        for zone in zones {
            if self.layers[0].root(*zone) == *zone {
                Arc::make_mut(occupancy).drain_into(0, *zone, &mut feet);
            }
        }
        for zone in zones {
            let placed = *self.tile_at_zone(*zone);
            let ports = tile_set.tile(placed.tile).zones[placed.local_index(*zone)].ports.turned(placed.facing);
            let open = ports.iter().filter(|p| self.neighbour(placed.spot, p.edge()).is_none()).count();
            self.layers[0].reset(*zone, open as u32);
            self.restore_columns(tile_set, *zone);
        }
        feet.into_iter().for_each(|foot| Arc::make_mut(occupancy).reinsert(0, foot));
        for zone in zones {
            let placed = *self.tile_at_zone(*zone);
            let ports = tile_set.tile(placed.tile).zones[placed.local_index(*zone)].ports.turned(placed.facing);
            for port in ports.iter() {
                let Some(other) = self.neighbour(placed.spot, port.edge()) else { continue };
                let theirs = self.tiles[other.0 as usize];
                let b = tile_set.tile(theirs.tile).turned(theirs.facing).zone_at[port.opposite().index()];
                if b != NO_ZONE {
                    self.join(occupancy, tile_set, 0, *zone, theirs.zone(b as usize));
                }
            }
        }
        for link in self.links.clone() {
            if zones.binary_search(&link.a).is_ok() {
                self.join(occupancy, tile_set, 0, link.a, link.b);
            }
        }
        for root in self.complete_roots(tile_set, zones) {
            self.zone_index.close(self.kind(root), self.layers[0].zones(root));
        }
    }

    /// Lists the roots of complete features among `zones`.
    fn complete_roots(&self, tile_set: &TileSet, zones: &[ZoneRef]) -> Vec<ZoneRef> {
        let feature = |anchor| FeatureRef { layer: LayerIdx(0), anchor };
        let is_root = |zone: ZoneRef| self.root(feature(zone)) == zone;
        zones.iter().copied().filter(|zone| is_root(*zone) && self.is_complete(tile_set, feature(*zone))).collect()
    }

    fn restore_columns(&mut self, tile_set: &TileSet, zone: ZoneRef) {
        let placed = *self.tile_at_zone(zone);
        for tag in &tile_set.tile(placed.tile).zones[placed.local_index(zone)].tags {
            self.layers[0].set_column(zone, tag.column, tag.value);
        }
        for (z, column, value) in &self.zone_tags {
            if *z == zone {
                self.layers[0].set_column(zone, *column, *value);
            }
        }
    }

    pub(crate) fn set_zone_tag(&mut self, tile_set: &TileSet, zone: ZoneRef, column: ColumnIdx, value: i32) {
        self.changes.add(KindSet::from_iter([self.kind(zone)]));
        self.zone_tags.retain(|(z, c, _)| (*z, *c) != (zone, column));
        if self.own_value(tile_set, zone, column) != value {
            self.zone_tags.push((zone, column, value));
            self.zone_tags.sort_unstable();
        }
        for l in 0..self.layers.len() {
            if !self.layers[l].has(zone) {
                continue;
            }
            let root = self.layers[l].root(zone);
            let values = self.layers[l].zones(zone).map(|z| self.zone_value(tile_set, z, column));
            let merged =
                if tile_set.columns[column.0 as usize].is_max { values.max().unwrap_or(0) } else { values.sum() };
            self.layers[l].set_column(root, column, merged);
        }
    }

    fn own_value(&self, tile_set: &TileSet, zone: ZoneRef, column: ColumnIdx) -> i32 {
        let placed = self.tile_at_zone(zone);
        let tags = &tile_set.tile(placed.tile).zones[placed.local_index(zone)].tags;
        tags.iter().find(|t| t.column == column).map_or(0, |t| t.value)
    }

    /// Returns the value that `zone` alone contributes to `column`.
    pub fn zone_value(&self, tile_set: &TileSet, zone: ZoneRef, column: ColumnIdx) -> i32 {
        let set = self.zone_tags.iter().find(|(z, c, _)| (*z, *c) == (zone, column));
        set.map_or_else(|| self.own_value(tile_set, zone, column), |(_, _, value)| *value)
    }
}
