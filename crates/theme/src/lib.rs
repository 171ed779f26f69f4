#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod colour;
mod icons;
mod palette;
mod read;
mod theme;

/// Returns the reference of `theme.toml`, as Markdown.
pub fn theme_reference() -> String {
    keys::without_marks(include_str!("../docs/theme.md"))
}

pub use colour::Colour;
pub use icons::{ICON_GROUPS, IconGroup, builtin_icon, builtin_icons};
pub use palette::Palette;
pub use read::{IconCheck, ThemeFile};
pub use theme::{IconSpot, LandPattern, LandStyle, Theme, ThemeEntry, ThemeKey};
