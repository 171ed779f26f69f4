//! A tile type: its zones, their ports and tags, prepared for each of the four facings.

use crate::geometry::{Facing, Port, PortSet};
use crate::handles::{ColumnIdx, KindIdx, TagIdx, TileIdx};
use serde::{Deserialize, Serialize};

/// The mark of a port that no zone holds, in [`TurnedTile::zone_at`].
pub const NO_ZONE: u8 = u8::MAX;

/// The code of an edge that fits every other edge, and that ends the features of the neighbouring
/// tile.
pub const ANY_EDGE: u8 = u8::MAX;

/// A tile type, unturned.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tile {
    /// The qualified id of the tile, such as `base/K`.
    pub name: String,
    /// The zones of the tile.
    pub zones: Vec<Zone>,
    /// The tags of the whole tile. The value of a tag is a number, or the index of a word in
    /// [`Tag::values`](crate::Tag::values).
    pub tags: Vec<(TagIdx, i32)>,
    /// True if an edge without a zone fits every other edge and ends the features of the
    /// neighbouring tile.
    pub any_edges: bool,
    /// True if the tile is an overlay, which players lay only over another tile.
    pub is_overlay: bool,
    /// The tile and the overlay of a combined type; `None` for other types.
    pub over: Option<CombinedParts>,
    /// The tile as it lies at each facing; filled by [`TileSet::new`](crate::TileSet::new).
    pub facings: [TurnedTile; 4],
    /// The column values of the zones, zone by zone; filled by
    /// [`TileSet::new`](crate::TileSet::new).
    pub columns: Vec<i32>,
    /// A bit set of the tags of the whole tile, by tag number modulo 64; filled by
    /// [`TileSet::new`](crate::TileSet::new).
    pub tag_bits: u64,
    /// Bit sets of zones: first the zones that are incomplete as long as the tile has no
    /// neighbours, then the zones of each kind. [`TileSet::new`](crate::TileSet::new) fills this
    /// list.
    pub zone_bits: Vec<u32>,
    /// The kind of each zone that is complete as soon as the tile is laid, one entry per zone;
    /// filled by [`TileSet::new`](crate::TileSet::new).
    pub closed: Vec<KindIdx>,
    /// True if a zone of the tile is complete only if all eight neighbours of the tile are laid;
    /// filled by [`TileSet::new`](crate::TileSet::new).
    pub is_surrounded: bool,
}

/// The tile and the overlay of a combined tile type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CombinedParts {
    /// The tile below.
    pub base: TileIdx,
    /// The overlay.
    pub overlay: TileIdx,
    /// The number of the first zone of the overlay. Zones with smaller numbers belong to the tile.
    pub first_zone: u8,
}

impl Tile {
    /// Returns the kind of the zone that holds `port` of the tile `turned`, which is this tile at
    /// some facing; `None` if no zone holds the port.
    pub fn kind_at(&self, turned: &TurnedTile, port: Port) -> Option<KindIdx> {
        match turned.zone_at[port.index()] {
            NO_ZONE => None,
            zone => Some(self.zones[zone as usize].kind),
        }
    }

    /// Returns the tile at `facing`.
    pub fn turned(&self, facing: Facing) -> &TurnedTile {
        &self.facings[facing.quarters() as usize]
    }

    /// Returns, for each facing, the first facing at which the zones lie in the same way: the
    /// facing itself, unless the tile is symmetric. Ignores tags of the whole tile.
    pub fn canonical_facings(&self) -> [Facing; 4] {
        Facing::ALL.map(|facing| {
            let from = |first: Facing| Facing::from_quarters(4 + facing.quarters() - first.quarters());
            Facing::ALL.into_iter().find(|first| self.is_symmetric_under(from(*first))).unwrap_or(facing)
        })
    }

    /// Returns whether turning the tile by `facing` leaves its zones unchanged.
    fn is_symmetric_under(&self, facing: Facing) -> bool {
        let image = |(z, zone): (usize, &Zone)| match zone.ports.is_empty() {
            true => Some(z),
            false => self.zones.iter().position(|other| other.ports == zone.ports.turned(facing)),
        };
        let Some(images): Option<Vec<usize>> = self.zones.iter().enumerate().map(image).collect() else { return false };
        let turned = |zones: u32| images.iter().enumerate().fold(0, |set, (z, image)| set | (zones >> z & 1) << image);
        self.zones.iter().zip(&images).all(|(zone, image)| {
            let there = &self.zones[*image];
            (zone.kind, &zone.tags) == (there.kind, &there.tags)
                && (turned(zone.touches), turned(zone.meets)) == (there.touches, there.meets)
        })
    }

    /// Returns the value of a tag of the whole tile: a number, or the index of a word in
    /// [`Tag::values`](crate::Tag::values). `None` if the tile does not have the tag.
    #[inline]
    pub fn tag(&self, tag: TagIdx) -> Option<i32> {
        // Most tiles have no tags, so this check saves a search.
        if self.tag_bits >> (tag.0 % 64) & 1 == 0 {
            return None;
        }
        self.tags.iter().find(|(t, _)| *t == tag).map(|(_, v)| *v)
    }
}

/// A connected part of a tile with one kind of land.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Zone {
    /// The kind of land of the zone.
    pub kind: KindIdx,
    /// The ports that the zone holds on the unturned tile: middles of edges for full and line
    /// kinds, halves of edges for ground.
    pub ports: PortSet,
    /// The zones of the same tile that border this zone, as a bit set. The relation is always
    /// mutual.
    pub touches: u32,
    /// The zones of the same tile that end at the same point inside the tile as this zone, as a bit
    /// set. The relation is always mutual.
    pub meets: u32,
    /// The tags of the zone.
    pub tags: Vec<ZoneTag>,
    /// The other zones of the same tile with the same kind, as a bit set; filled by
    /// [`TileSet::new`](crate::TileSet::new).
    pub twins: u32,
}

impl Zone {
    /// Makes a zone of `kind` on `ports` that borders nothing and has no tags.
    pub fn new(kind: KindIdx, ports: PortSet) -> Zone {
        Zone { kind, ports, touches: 0, meets: 0, tags: Vec::new(), twins: 0 }
    }
}

/// A number that a zone contributes to a column of its feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ZoneTag {
    /// The column.
    pub column: ColumnIdx,
    /// The number.
    pub value: i32,
}

/// A tile at one facing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TurnedTile {
    /// The edge codes, clockwise from the north; see [`TileSet::mirror`](crate::TileSet::mirror).
    pub edges: [u8; 4],
    /// A mask: all ones in the byte of each edge that must match its neighbour, the north in the
    /// lowest byte.
    pub(crate) must_match: u32,
    /// The zone that holds each port, or [`NO_ZONE`].
    pub zone_at: [u8; 12],
}
