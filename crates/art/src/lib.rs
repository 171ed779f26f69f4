#![doc = include_str!("../README.md")]

mod picture;
#[cfg(feature = "pixels")]
mod pixels;
mod seats;

mod icon;
mod icon_error;
mod icon_limits;
mod svg;
mod svg_shapes;

mod area;
mod covers;
mod lines;
mod outline;
mod plan;
mod raster;
mod rng;
mod walls;

mod board_picture;
mod lettering;
mod paint;
mod painter;
mod pieces;
#[cfg(feature = "pixels")]
mod sheet;

pub use kurbo;

pub use board_picture::{BoardCrop, LaidTile, PlacedPiece};
pub use covers::Cover;
pub use icon::check_icon;
pub use painter::{Detail, Painter, TileVariant, ZoneShape};
pub use picture::{Paint, Picture, Shape};
pub use pieces::Pose;
#[cfg(feature = "pixels")]
pub use pixels::{MAX_PIXELS, PictureError, Pixels};
pub use seats::{Symbol, named_colour, seat_colour, seat_symbol, traditional_colour};
#[cfg(feature = "pixels")]
pub use sheet::SheetEntry;
pub use svg::{SVG_UNIT, SvgPrecision, SvgWriter};
pub use theme::{Colour, LandPattern, LandStyle, Palette, Theme};
