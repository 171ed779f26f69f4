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

mod painter;

pub use kurbo;

pub use colour::Colour;
pub use painter::{Detail, Painter, Pose, ZoneShape};
pub use palette::Palette;
pub use picture::{Paint, Picture, Shape};
#[cfg(feature = "pixels")]
pub use pixels::Pixels;
pub use read::{ThemeFile, ThemeProblem};
pub use seats::{Symbol, seat_colour, seat_symbol, traditional_colour};
pub use theme::{Style, Theme};
