#![doc = include_str!("../README.md")]

mod colour;
mod palette;
mod read;
mod theme;

/// The reference of `theme.toml`, as Markdown.
pub const THEME_REFERENCE: &str = include_str!("../docs/theme.md");

pub use colour::Colour;
pub use palette::Palette;
pub use read::{IconCheck, ThemeFile};
pub use theme::{Named, Spot, Style, Theme, ThemeKey};
