//! Previews: the features that laying a tile would make, without laying it.

use crate::board::Layout;
use crate::geometry::Edge;
use crate::handles::{KindIdx, LayerIdx, TileIdx, TileRef, ZoneRef};
use crate::open::Placement;
use crate::tile::NO_ZONE;
use crate::tile_set::{CompletionRule, TileSet};

/// A feature as it would be after a tile was laid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preview {
    /// The kind of the feature; in layers other than 0, the kind of one of its zones.
    pub kind: KindIdx,
    /// The numbers of the tile's zones that would belong to the feature; empty if the tile would
    /// only end the feature or help to surround it.
    pub zones: Vec<usize>,
    /// One zone of each feature on the board that would become part of this feature.
    pub parts: Vec<ZoneRef>,
    /// The number of open ports that the feature would have.
    pub n_open: u32,
    /// The number of tiles that the feature would have.
    pub n_tiles: u32,
    /// True if the feature would be complete.
    pub is_complete: bool,
}

/// Zones of the tile and features on the board that would form one feature.
struct FeatureDraft {
    zones: u32,
    parts: Vec<ZoneRef>,
    /// The number of ports of the tile that would stay open.
    own_open: u32,
    /// The number of open ports of `parts` that the tile would close.
    n_met: u32,
}

impl Layout {
    /// Returns the features of `layer` that laying `tile` at `place` would start, extend, end or
    /// help to surround. The tile must match its neighbours.
    ///
    /// Takes as much time as laying the tile, plus a visit to every zone of the features that would
    /// merge.
    pub fn preview(&self, tile_set: &TileSet, layer: LayerIdx, tile: TileIdx, place: Placement) -> Vec<Preview> {
        let groups = self.groups(tile_set, layer, tile, place);
        let around: Vec<TileRef> = place.spot.surrounding_spots().filter_map(|spot| self.tile_at(spot)).collect();
        let features = self.features(layer);
        let shape = tile_set.tile(tile);
        let mut previews: Vec<Preview> = Vec::new();
        for FeatureDraft { zones, parts, own_open, n_met } in groups {
            let zones: Vec<usize> = (0..shape.zones.len()).filter(|z| zones >> z & 1 == 1).collect();
            let n_open = own_open + parts.iter().map(|root| features.node(*root).open).sum::<u32>() - n_met;
            let kind = zones.first().map_or_else(|| self.kind(parts[0]), |z| shape.zones[*z].kind);
            let is_complete = match tile_set.kind(kind).closes {
                CompletionRule::Ports => n_open == 0,
                CompletionRule::Surrounded => around.len() == 8,
            };
            let n_tiles = u32::from(!zones.is_empty()) + self.n_tiles_of(layer, &parts);
            previews.push(Preview { kind, zones, parts, n_open, n_tiles, is_complete });
        }
        for placed in around.into_iter().map(|tile| self.tile(tile)) {
            for (z, zone) in tile_set.tile(placed.tile).zones.iter().enumerate() {
                let at = placed.zone(z);
                if tile_set.kind(zone.kind).closes != CompletionRule::Surrounded || !features.has(at) {
                    continue;
                }
                let (n_open, n_tiles) = (features.node(features.root(at)).open, self.n_tiles_of(layer, &[at]));
                let is_complete = placed.n_neighbours == 7;
                previews.push(Preview {
                    kind: zone.kind,
                    zones: Vec::new(),
                    parts: vec![at],
                    n_open,
                    n_tiles,
                    is_complete,
                });
            }
        }
        previews
    }

    /// Groups zones of the tile and features on the board that would form one feature. A feature
    /// that the tile would only end is a group without zones.
    fn groups(&self, tile_set: &TileSet, layer: LayerIdx, tile: TileIdx, place: Placement) -> Vec<FeatureDraft> {
        let features = self.features(layer);
        let own = &tile_set.layers[layer.0 as usize];
        let shape = tile_set.tile(tile);
        let zone_at = &shape.turned(place.facing).zone_at;
        let mut groups: Vec<FeatureDraft> = Vec::new();
        for (z, zone) in shape.zones.iter().enumerate().filter(|(_, zone)| own.kinds.contains(zone.kind)) {
            let own_open = zone.ports.len() as u32;
            add(&mut groups, FeatureDraft { zones: 1 << z, parts: Vec::new(), own_open, n_met: 0 });
        }
        for edge in Edge::ALL {
            let Some(other) = self.neighbour(place.spot, edge) else { continue };
            let theirs = self.tile(other);
            let their_zones = &tile_set.tile(theirs.tile).turned(theirs.facing).zone_at;
            for port in edge.ports() {
                let (a, b) = (zone_at[port.index()], their_zones[port.opposite().index()]);
                let met = (b != NO_ZONE).then(|| theirs.zone(b as usize)).filter(|b| features.has(*b));
                let mine = groups.iter_mut().find(|group| a != NO_ZONE && group.zones >> a & 1 == 1);
                let zones = mine.map_or(0, |group| {
                    group.own_open -= 1;
                    1 << a
                });
                if let Some(met) = met {
                    add(&mut groups, FeatureDraft { zones, parts: vec![features.root(met)], own_open: 0, n_met: 1 });
                }
            }
        }
        if own.joins_touching {
            for (z, zone) in shape.zones.iter().enumerate().filter(|(_, zone)| own.kinds.contains(zone.kind)) {
                let there = shape.zones.iter().enumerate().filter(|(_, other)| own.kinds.contains(other.kind));
                let touched = there.fold(0, |set, (o, _)| set | zone.touches & 1 << o);
                add(&mut groups, FeatureDraft { zones: touched | 1 << z, parts: Vec::new(), own_open: 0, n_met: 0 });
            }
        }
        groups
    }

    /// Counts the tiles of the features that contain the zones `parts`.
    fn n_tiles_of(&self, layer: LayerIdx, parts: &[ZoneRef]) -> u32 {
        let features = self.features(layer);
        if let [part] = parts {
            return features.node(features.root(*part)).tiles;
        }
        let mut tiles: Vec<TileRef> =
            parts.iter().flat_map(|part| features.zones(*part)).map(|zone| self.tile_of(zone)).collect();
        tiles.sort_unstable();
        tiles.dedup();
        tiles.len() as u32
    }
}

/// Adds a group, and merges it with all groups that contain one of its zones or parts.
fn add(groups: &mut Vec<FeatureDraft>, mut group: FeatureDraft) {
    let mut first = groups.len();
    let mut i = 0;
    while i < groups.len() {
        let other = &groups[i];
        if other.zones & group.zones == 0 && !other.parts.iter().any(|part| group.parts.contains(part)) {
            i += 1;
            continue;
        }
        let other = groups.remove(i);
        first = first.min(i);
        group.zones |= other.zones;
        let mut parts = other.parts;
        parts.extend(group.parts.into_iter().filter(|part| !parts.contains(part)).collect::<Vec<_>>());
        group.parts = parts;
        group.own_open += other.own_open;
        group.n_met += other.n_met;
    }
    groups.insert(first.min(groups.len()), group);
}
