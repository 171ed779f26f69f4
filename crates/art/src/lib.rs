#![doc = include_str!("../README.md")]

mod colour;
mod palette;
mod picture;
#[cfg(feature = "pixels")]
mod pixels;
mod seats;

mod icon;
mod read;
mod theme;

mod area;
mod chance;
mod lines;
mod outline;
mod plan;
mod raster;
mod walls;

mod lettering;
mod paint;
mod painter;
mod pieces;
#[cfg(feature = "pixels")]
mod sheet;

pub use kurbo;

/// The reference of `theme.toml`, as Markdown.
pub const THEME_REFERENCE: &str = include_str!("../docs/theme.md");

pub use colour::Colour;
pub use painter::{Detail, Painter, ZoneShape};
pub use palette::Palette;
pub use picture::{Paint, Picture, Shape};
pub use pieces::Pose;
#[cfg(feature = "pixels")]
pub use pixels::Pixels;
pub use read::{ThemeFile, ThemeProblem};
pub use seats::{Symbol, seat_colour, seat_symbol, traditional_colour};
#[cfg(feature = "pixels")]
pub use sheet::SheetEntry;
pub use theme::{Style, Theme, ThemeName};
