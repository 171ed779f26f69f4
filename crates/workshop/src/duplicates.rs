//! Finds duplicate tiles: tiles that are equal after a rotation, and mirror images.

use board::{Facing, PortSet, Tile, TileIdx, TileSet};

use crate::tile_draft::{TileDraft, mirrored};

/// The canonical form of a tile. Two tiles have the same canonical form if they differ only in
/// name, rotation and order of zones.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CanonicalTile {
    zones: Vec<CanonicalZone>,
    tags: Vec<(u8, i32)>,
    any_edges: bool,
    is_overlay: bool,
}

/// The properties of a zone that matter for equality. `touches` and `meets` are bit sets of zone
/// numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct CanonicalZone {
    kind: u8,
    ports: Vec<usize>,
    tags: Vec<(u8, i32)>,
    touches: u32,
    meets: u32,
}

fn oriented_form(tile: &Tile, move_ports: impl Fn(PortSet) -> PortSet) -> CanonicalTile {
    let ports = |set: PortSet| -> Vec<usize> { move_ports(set).iter().map(board::Port::index).collect() };
    let mut zones: Vec<(usize, CanonicalZone)> = tile
        .zones
        .iter()
        .map(|zone| {
            let mut tags: Vec<(u8, i32)> = zone.tags.iter().map(|tag| (tag.column.0, tag.value)).collect();
            tags.sort_unstable();
            CanonicalZone { kind: zone.kind.0, ports: ports(zone.ports), tags, touches: 0, meets: 0 }
        })
        .enumerate()
        .collect();
    zones.sort_by(|a, b| a.1.cmp(&b.1));
    let order: Vec<usize> = zones.iter().map(|(i, _)| *i).collect();
    let renumbered = |set: u32| -> u32 {
        let bits = order.iter().enumerate().filter(|(_, old)| set >> **old & 1 == 1);
        bits.fold(0, |all, (new, _)| all | 1 << new)
    };
    for (i, zone) in &mut zones {
        if let Some(own) = tile.zones.get(*i) {
            (zone.touches, zone.meets) = (renumbered(own.touches), renumbered(own.meets));
        }
    }
    let mut tags: Vec<(u8, i32)> = tile.tags.iter().map(|(tag, n)| (tag.0, *n)).collect();
    tags.sort_unstable();
    let zones = zones.into_iter().map(|(_, zone)| zone).collect();
    CanonicalTile { zones, tags, any_edges: tile.any_edges, is_overlay: tile.is_overlay }
}

fn canonical_form_of(tile: &Tile, move_ports: impl Fn(PortSet) -> PortSet) -> CanonicalTile {
    let all = Facing::ALL.into_iter().map(|facing| oriented_form(tile, |ports| move_ports(ports).turned(facing)));
    all.min().unwrap_or_else(|| oriented_form(tile, &move_ports))
}

/// Returns the canonical form of a tile.
pub fn canonical_form(tile: &Tile) -> CanonicalTile {
    canonical_form_of(tile, |ports| ports)
}

/// Returns the canonical form of the mirror image of a tile.
pub fn canonical_mirror_form(tile: &Tile) -> CanonicalTile {
    canonical_form_of(tile, |ports| ports.iter().map(mirrored).collect())
}

/// Returns the number of facings in which a tile looks different: 1, 2 or 4.
pub fn n_distinct_facings(tile: &Tile) -> usize {
    let own = oriented_form(tile, |ports| ports);
    let same =
        Facing::ALL.into_iter().filter(|facing| oriented_form(tile, |ports| ports.turned(*facing)) == own).count();
    4 / same.max(1)
}

/// The duplicates of a tile in its tile set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Duplicates {
    /// The other tiles that equal the tile in some rotation.
    pub same: Vec<TileIdx>,
    /// The other tiles that equal the mirror image of the tile in some rotation; empty if
    /// `is_own_mirror` is true.
    pub mirrored: Vec<TileIdx>,
    /// True if the tile is its own mirror image.
    pub is_own_mirror: bool,
}

/// Finds the duplicates and mirror images of `tile` in its tile set.
pub fn find_duplicates(tile_set: &TileSet, tile: TileIdx) -> Duplicates {
    let Some(own) = tile_set.tiles.get(usize::from(tile.0)) else { return Duplicates::default() };
    let (same, mirror) = (canonical_form(own), canonical_mirror_form(own));
    let mut found = Duplicates { is_own_mirror: same == mirror, ..Duplicates::default() };
    for (i, other) in tile_set.tiles.iter().enumerate().filter(|(i, it)| *i != usize::from(tile.0) && it.over.is_none())
    {
        let other = canonical_form(other);
        if other == same {
            found.same.push(TileIdx(i as u16));
        } else if other == mirror {
            found.mirrored.push(TileIdx(i as u16));
        }
    }
    found
}

/// Returns the canonical form of the tile that a draft describes, without its tags and without
/// derived ground.
pub(crate) fn canonical_draft_form(tile_set: &TileSet, draft: &TileDraft) -> CanonicalTile {
    let zones = draft
        .zones
        .iter()
        .filter_map(|zone| Some(board::Zone::new(tile_set.kind_named(&zone.kind)?, zone.ports(tile_set))));
    canonical_form(&Tile { zones: zones.collect(), ..Tile::default() })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "tests/duplicates.rs"]
mod tests;
