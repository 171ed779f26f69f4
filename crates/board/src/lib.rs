#![doc = include_str!("../README.md")]

mod board;
mod change;
mod feature;
mod geometry;
mod grid;
mod ground;
mod handles;
mod land;
mod lay;
mod open;
mod standing;
mod tile;
mod zones;

pub use board::{Board, Join, Laid, Link, PlaceError, PlacedTile};
pub use feature::{Features, Occupants};
pub use geometry::{Edge, EdgeSet, Facing, Port, PortSet, Spot};
pub use ground::{DerivedGround, GroundError, Partition, derive_ground};
pub use handles::{ColumnIdx, FeatureRef, KindIdx, KindSet, LayerIdx, TagIdx, TileIdx, TileRef, Touch, ZoneRef};
pub use land::{Closes, Column, EdgeStyle, Kind, Land, Layer, Merge, Tag, TagOn};
pub use open::{OpenSpot, Placement};
pub use standing::Stand;
pub use tile::{NO_ZONE, Tile, Turned, Zone, ZoneTag};
pub use zones::ZoneSet;
