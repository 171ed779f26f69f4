//! Changes to laid tiles: turning, swapping and removing.
//!
//! Such changes are rare, so each change rebuilds the whole board instead of tracking its effects.
//! All tiles keep their numbers, and so do the zones that remain on the board.

use std::sync::Arc;

use crate::board::{Board, Join, Layout, PlacedTile, ZoneLink};
use crate::geometry::{Edge, Facing};
use crate::handles::{FeatureRef, KindSet, LayerIdx, TileIdx, TileRef, ZoneRef};
use crate::tile_set::TileSet;

/// A change to a laid tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TileChange {
    /// Turns the tile to this facing. Its zones keep their numbers.
    Turn(Facing),
    /// Replaces the tile with a tile of this type, at this facing. The number of the tile stays the
    /// same, but its zones get new numbers.
    Swap(TileIdx, Facing),
    /// Takes the tile off the board.
    TakeUp,
}

/// The splits and merges of features that a change caused.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FeatureChanges {
    /// The features of layer 0 that were split: for each feature, a list with one zone of every
    /// part.
    pub splits: Vec<Vec<ZoneRef>>,
    /// The features that merged, in any layer.
    pub joins: Vec<Join>,
}

/// Changes to laid tiles.
impl Board {
    /// Returns pairs of zones with the same name: a zone of the laid tile, and the new zone that
    /// would replace it if the tile were swapped for `tile` at `facing`.
    pub fn matching_zones(
        &self,
        tile_set: &TileSet,
        at: TileRef,
        tile: TileIdx,
        facing: Facing,
    ) -> Vec<(ZoneRef, ZoneRef)> {
        let placed = *self.tile(at);
        let first = self.n_zones() as u32;
        let zones = self.zones_of(tile_set, at);
        let same = zones.filter_map(|zone| {
            let name = tile_set.zone_name(placed.tile, placed.facing, placed.local_index(zone));
            let local = tile_set.zone_named(tile, facing, &name)?;
            Some((zone, ZoneRef(first + local as u32)))
        });
        same.collect()
    }

    /// Changes a laid tile. The caller ensures that the changed tile matches its neighbours, and
    /// that no piece stands on a zone that disappears.
    ///
    /// If the tile is swapped, moves links and zone tags to the zones of the same name. Drops the
    /// links and zone tags of zones that disappear. Adds to `touched` every feature on the tile and
    /// on the four tiles beside it, and every part that split off. Takes as much time as laying all
    /// tiles again.
    pub fn alter(
        &mut self,
        tile_set: &TileSet,
        at: TileRef,
        change: TileChange,
        touched: &mut Vec<FeatureRef>,
    ) -> FeatureChanges {
        let before = Arc::clone(&self.layout);
        let mut tiles = before.tiles.clone();
        let placed = before.tiles[at.0 as usize];
        let gone = PlacedTile { n_neighbours: 0, is_gone: true, ..placed };
        let mut same: Vec<(ZoneRef, ZoneRef)> = Vec::new();
        match change {
            TileChange::Turn(facing) => tiles[at.0 as usize].facing = facing,
            TileChange::TakeUp => tiles[at.0 as usize] = gone,
            TileChange::Swap(tile, facing) => {
                same = self.matching_zones(tile_set, at, tile, facing);
                let first_zone = ZoneRef(before.homes.len() as u32);
                tiles[at.0 as usize] = PlacedTile { tile, facing, first_zone, ..placed };
                // This entry, which is marked as gone, owns the numbers of the old zones, so that
                // they are never reused.
                tiles.push(gone);
            }
        }
        let stays = |zone: ZoneRef| {
            let new = same.iter().find(|(old, _)| *old == zone).map(|(_, new)| *new);
            let is_lost = !matches!(change, TileChange::Turn(_)) && before.tile_of(zone) == at;
            if is_lost { new } else { Some(zone) }
        };
        self.rebuild(tile_set, &before, tiles);
        let links = before.links.iter().filter_map(|link| Some(ZoneLink::new(stays(link.a)?, stays(link.b)?)));
        self.relink(tile_set, &[], &links.collect::<Vec<_>>(), &mut Vec::new());
        for (zone, column, value) in &before.zone_tags {
            if let Some(zone) = stays(*zone) {
                self.set_zone_tag(tile_set, zone, *column, *value);
            }
        }
        self.compare(tile_set, &before, at, stays, touched)
    }

    /// Rebuilds the board from `tiles`, without links and zone tags. Zones keep their numbers, and
    /// pieces stay on their zones.
    fn rebuild(&mut self, tile_set: &TileSet, before: &Layout, tiles: Vec<PlacedTile>) {
        let mut feet: Vec<Vec<u32>> = Vec::new();
        let mut layout = Layout::empty(tile_set);
        layout.reserve(tiles.len());
        let occupancy = self.occupancy_mut();
        for (l, features) in before.layers.iter().enumerate() {
            let mut own = Vec::new();
            features.roots().for_each(|root| occupancy.drain_into(l, root, &mut own));
            feet.push(own);
        }
        layout.changes = before.changes;
        layout.changes.add(KindSet::ALL);
        layout.n_gone = tiles.iter().filter(|placed| placed.is_gone).count() as u32;
        layout.tiles = tiles.iter().map(|placed| PlacedTile { n_neighbours: 0, ..*placed }).collect();
        let mut by_zone: Vec<TileRef> = (0..tiles.len() as u32).map(TileRef).collect();
        by_zone.sort_by_key(|tile| tiles[tile.0 as usize].first_zone);
        by_zone.into_iter().for_each(|tile| layout.number_zones(tile_set, tile));
        for (l, feet) in feet.into_iter().enumerate() {
            feet.into_iter().for_each(|foot| occupancy.reinsert(l, foot));
        }
        for tile in (0..tiles.len() as u32).map(TileRef).filter(|tile| !tiles[tile.0 as usize].is_gone) {
            layout.merge_features(&mut self.occupancy, tile_set, tile, &mut Vec::new(), None);
        }
        self.layout = Arc::new(layout);
    }

    /// Compares the features on the changed tile `at` and on the four tiles beside it with the
    /// features in `before`. `stays` maps an old zone to its successor, if there is one. Adds to
    /// `touched` every feature that now contains a zone of one of these features or a new zone of
    /// the changed tile.
    fn compare(
        &self,
        tile_set: &TileSet,
        before: &Layout,
        at: TileRef,
        stays: impl Fn(ZoneRef) -> Option<ZoneRef>,
        touched: &mut Vec<FeatureRef>,
    ) -> FeatureChanges {
        let spot = before.tile(at).spot;
        let beside = Edge::ALL.into_iter().filter_map(|edge| before.neighbour(spot, edge));
        let near: Vec<TileRef> = std::iter::once(at).chain(beside).collect();
        let mut changed = FeatureChanges::default();
        for layer in (0..before.n_layers() as u8).map(LayerIdx) {
            let zones = near.iter().flat_map(|tile| before.zones_of(tile_set, *tile));
            let old = before.features_of(layer, zones).into_iter();
            let mut zones: Vec<(ZoneRef, ZoneRef)> =
                old.filter_map(|(zone, root)| Some((stays(zone)?, root))).collect();
            let is_known = |zone: ZoneRef, zones: &[(ZoneRef, ZoneRef)]| zones.iter().any(|(known, _)| *known == zone);
            if self.is_laid(at) {
                // New zones form features that did not exist before.
                for zone in self.zones_of(tile_set, at) {
                    if self.layer_includes(layer, zone) && !is_known(zone, &zones) {
                        zones.push((zone, zone));
                    }
                }
            }
            zones.sort_unstable();
            if layer.0 == 0 {
                changed.splits = self.splits(layer, &zones);
            }
            let joins = self.joins(layer, &zones, touched).into_iter();
            // Leaves out features that did not exist before the change, because they cannot have
            // merged.
            let old = |part: &ZoneRef| {
                zones.iter().any(|(zone, root)| zone == part && root != part) || before.has_zone(*part)
            };
            changed.joins.extend(joins.filter_map(|mut join| {
                join.parts.retain(old);
                (join.parts.len() > 1).then_some(join)
            }));
        }
        changed
    }
}
