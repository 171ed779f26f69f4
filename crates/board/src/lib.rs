#![doc = include_str!("../README.md")]

mod alter;
mod board;
mod direction;
mod extent;
mod feature;
mod geometry;
mod ground;
mod handles;
mod occupancy;
mod open;
mod overlay;
mod place_tile;
mod preview;
mod relink;
mod scratch;
mod sorted_map;
mod tile;
mod tile_set;
mod zones;

pub use alter::{FeatureChanges, TileChange};
pub use board::{Board, Join, Layout, PlaceError, PlacedTile, ZoneLink};
pub use direction::Direction;
pub use extent::Extent;
pub use feature::Features;
pub use geometry::{Border, Corner, Edge, EdgeSet, Facing, Port, PortSet, Spot};
pub use ground::{DerivedGround, GroundError, NonGroundZone, derive_ground};
pub use handles::{ColumnIdx, FeatureRef, KindIdx, KindSet, LayerIdx, TagIdx, TileIdx, TileRef, ZoneRef};
pub use occupancy::{Occupant, PieceKindSet};
pub use open::{OpenSpot, Placement};
pub use preview::Preview;
pub use scratch::{LayoutDifference, LentLayout, Scratch};
pub use tile::{ANY_EDGE, CombinedParts, NO_ZONE, Tile, TurnedTile, Zone, ZoneTag};
pub use tile_set::{Column, CompletionRule, EdgeStyle, Kind, Layer, MergeRule, Tag, TagCarrier, TileSet, TileSetError};
pub use zones::ZoneSet;
