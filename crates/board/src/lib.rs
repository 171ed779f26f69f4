#![doc = include_str!("../README.md")]

mod board;
mod change;
mod feature;
mod geometry;
mod grid;
mod ground;
mod land;
mod lay;
mod open;
mod standing;
mod tile;
mod zones;

pub use board::{Board, FeatureRef, Join, Laid, Link, PlaceError, PlacedTile, Stand, TileRef, Touch, ZoneRef};
pub use feature::{Features, Occupants};
pub use geometry::{Edge, EdgeSet, Facing, Port, PortSet, Spot};
pub use ground::{DerivedGround, GroundError, Partition, derive_ground};
pub use land::{
    Closes, Column, ColumnIdx, EdgeStyle, Kind, KindIdx, KindSet, Land, Layer, LayerIdx, Merge, Tag, TagIdx, TagOn,
};
pub use open::{OpenSpot, Placement};
pub use tile::{NO_ZONE, Tile, TileIdx, Turned, Zone, ZoneTag};
pub use zones::ZoneSet;
