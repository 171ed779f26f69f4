//! Overlays: land that players put over a laid tile. Each tile on which an overlay fits gets a
//! combined tile type with that overlay.

use rustc_hash::FxHashMap;

use crate::geometry::{Facing, Port, PortSet};
use crate::handles::TileIdx;
use crate::tile::{CombinedParts, Tile, Zone};
use crate::tile_set::{EdgeStyle, TileSet, TileSetError};

/// The maximum number of zones on a tile.
const MAX_ZONES: usize = 32;

impl TileSet {
    /// Adds a combined tile type for every tile and every overlay that fits on the tile, at each
    /// distinct facing. The new types come after the existing types.
    ///
    /// # Errors
    /// Returns an error if there would be too many tile types or different edges.
    pub fn with_overlays(self) -> Result<TileSet, TileSetError> {
        let overlays: Vec<TileIdx> = self.all().filter(|tile| self.tile(*tile).is_overlay).collect();
        let mut tiles = self.tiles.clone();
        let mut overlaid = FxHashMap::default();
        for base in self.all() {
            for overlay in &overlays {
                let first = tiles.len();
                for facing in Facing::ALL {
                    let Some(tile) = self.combine(base, *overlay, facing) else { continue };
                    // A symmetric overlay is the same at several facings.
                    let same = tiles[first..].iter().position(|other| ports(other).eq(ports(&tile)));
                    let at = first + same.unwrap_or(tiles.len() - first);
                    if same.is_none() {
                        tiles.push(tile);
                    }
                    overlaid.insert((base, *overlay, facing), TileIdx(at as u16));
                }
            }
        }
        if tiles.len() > usize::from(u16::MAX) {
            return Err(TileSetError::TooManyTiles(tiles.len()));
        }
        let TileSet { kinds, tags, layers, .. } = self;
        let mut tile_set = TileSet::new(kinds, tags, layers, tiles)?;
        tile_set.overlaid = overlaid;
        Ok(tile_set)
    }

    /// Returns the combined type of `tile` with `overlay` over it, turned by `facing` relative to
    /// the tile; `None` if the overlay does not fit.
    pub fn combined_tile(&self, tile: TileIdx, overlay: TileIdx, facing: Facing) -> Option<TileIdx> {
        self.overlaid.get(&(tile, overlay, facing)).copied()
    }

    /// Returns the tile type without its overlay; the type itself if it has no overlay.
    pub fn base(&self, tile: TileIdx) -> TileIdx {
        self.tile(tile).over.map_or(tile, |over| over.base)
    }

    fn all(&self) -> impl Iterator<Item = TileIdx> + use<> {
        (0..self.tiles.len() as u16).map(TileIdx)
    }

    /// Combines a tile and an overlay. The zones of the tile keep their numbers, and the zones of
    /// the overlay follow. Returns `None` if the overlay does not fit, if there would be too many
    /// zones, or if `base` is itself an overlay or a combined type.
    fn combine(&self, base: TileIdx, overlay: TileIdx, facing: Facing) -> Option<Tile> {
        let (below, above) = (self.tile(base), self.tile(overlay));
        let n = below.zones.len();
        if below.over.is_some() || below.is_overlay || n + above.zones.len() > MAX_ZONES {
            return None;
        }
        let taken = below.zones.iter().fold(PortSet::EMPTY, |all, zone| all | self.blocked_ports(zone, zone.ports));
        let mut zones = below.zones.clone();
        for zone in &above.zones {
            let at = zone.ports.turned(facing);
            // No zone continues across an edge that fits anything.
            let is_bare = |port: Port| port.edge().ports().into_iter().all(|own| !taken.contains(own));
            if self.blocked_ports(zone, at).intersects(taken) || below.any_edges && at.iter().any(is_bare) {
                return None;
            }
            zones.push(Zone { ports: at, touches: zone.touches << n, meets: zone.meets << n, ..zone.clone() });
        }
        let mut tags: Vec<_> = above.tags.clone();
        tags.extend(below.tags.iter().filter(|(tag, _)| above.tag(*tag).is_none()));
        let turned = if facing == Facing::default() { String::new() } else { format!("@{facing}") };
        let name = format!("{}+{}{turned}", below.name, above.name);
        let over = Some(CombinedParts { base, overlay, first_zone: n as u8 });
        Some(Tile { name, zones, tags, any_edges: below.any_edges, over, ..Tile::default() })
    }

    /// Returns the ports that a zone at `ports` blocks for other zones. A full zone also blocks the
    /// halves of its edges.
    fn blocked_ports(&self, zone: &Zone, ports: PortSet) -> PortSet {
        match self.kind(zone.kind).edge {
            EdgeStyle::Full => ports.iter().flat_map(|port| port.edge().ports()).collect(),
            _ => ports,
        }
    }
}

/// Iterates over the ports of each zone. Two facings of an overlay give the same combined type if
/// these ports are equal.
fn ports(tile: &Tile) -> impl Iterator<Item = PortSet> + '_ {
    tile.zones.iter().map(|zone| zone.ports)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handles::{KindIdx, KindSet};
    use crate::tile_set::{CompletionRule, Kind, Layer};

    fn zone(kind: u8, ports: &str) -> Zone {
        Zone::new(KindIdx(kind), ports.split(' ').filter_map(Port::from_name).collect())
    }

    /// Makes a tile set with three tiles: a hill with a road from the north, a crag whose empty
    /// edges fit anything, and an overlay with a road from east to west.
    fn tile_set() -> TileSet {
        let kind = |name: &str, edge| Kind { name: name.into(), edge, closes: CompletionRule::Ports };
        let kinds = vec![kind("town", EdgeStyle::Full), kind("road", EdgeStyle::Line), kind("hill", EdgeStyle::Ground)];
        let layer = Layer { name: "land".into(), kinds: KindSet::ALL, joins_touching: false };
        let tile = |name: &str, zones| Tile { name: name.into(), zones, ..Tile::default() };
        let tiles = vec![
            tile("t/hill", vec![zone(1, "n"), zone(2, "n1 n2 e1 e2 s1 s2 w1 w2")]),
            Tile { any_edges: true, ..tile("t/crag", vec![zone(0, "n")]) },
            Tile { is_overlay: true, ..tile("t/bridge", vec![zone(1, "e w")]) },
        ];
        let tile_set = TileSet::new(kinds, vec![], vec![layer], tiles).expect("a small land");
        tile_set.with_overlays().expect("two tiles more at most")
    }

    #[test]
    fn a_symmetric_overlay_is_one_sort_of_tile_both_ways_round() {
        let tile_set = tile_set();
        let [hill, bridge] = [TileIdx(0), TileIdx(2)];
        let over = |n| tile_set.combined_tile(hill, bridge, Facing::from_quarters(n));
        let bridged = over(0).expect("fields lie in the east and west");
        assert_eq!((over(2), over(1), over(3)), (Some(bridged), None, None), "a road comes from the north");
        let tile = tile_set.tile(bridged);
        assert_eq!((tile.name.as_str(), tile.zones.len()), ("t/hill+t/bridge", 3));
        let what = |zones: &[Zone]| zones.iter().map(|zone| (zone.kind, zone.ports)).collect::<Vec<_>>();
        assert_eq!(what(&tile.zones[..2]), what(&tile_set.tile(hill).zones), "what lies below keeps its numbers");
        assert_eq!((tile_set.base(bridged), tile_set.base(hill)), (hill, hill));
    }

    #[test]
    fn a_symmetric_tile_lies_the_same_at_several_facings() {
        let tile_set = tile_set();
        let same = |n| tile_set.tile(TileIdx(n)).canonical_facings().map(Facing::quarters);
        assert_eq!(same(0), [0, 1, 2, 3], "a road comes from one side");
        assert_eq!(same(2), [0, 1, 0, 1], "a bridge may be crossed both ways");
        let is_same_both_ways = |tile: &Tile| tile.canonical_facings()[2] == Facing::default();
        // Neither the bordering zones nor the tags may differ.
        let mut tile = tile_set.tile(TileIdx(2)).clone();
        tile.zones = vec![zone(1, "e"), zone(1, "w"), zone(2, "n1 n2 e1 w2")];
        assert!(!is_same_both_ways(&tile));
        tile.zones.truncate(2);
        assert!(is_same_both_ways(&tile));
        (tile.zones[0].meets, tile.zones[1].meets) = (2, 1);
        assert!(is_same_both_ways(&tile));
        tile.zones[1].tags.push(crate::tile::ZoneTag { column: crate::handles::ColumnIdx(0), value: 1 });
        assert!(!is_same_both_ways(&tile));
    }

    #[test]
    fn nothing_goes_on_from_edges_that_fit_anything_and_overlays_are_not_stacked() {
        let tile_set = tile_set();
        let [crag, bridge] = [TileIdx(1), TileIdx(2)];
        for facing in Facing::ALL {
            assert_eq!(tile_set.combined_tile(crag, bridge, facing), None);
            assert_eq!(tile_set.combined_tile(bridge, bridge, facing), None);
        }
        assert_eq!(tile_set.tiles.len(), 4);
    }
}
