//! The colours of a theme.

use crate::colour::Colour;

macro_rules! palette {
    ($($(#[doc = $about:literal])* $name:ident = $rgb:literal,)*) => {
        /// The colours and options for drawing. A palette in a theme can replace each of them.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Palette {
            $($(#[doc = $about])* pub $name: Colour,)*
            /// True if most trees are bare, and snow lies on the other trees, on bushes and on
            /// roofs.
            pub bare_trees: bool,
            /// True if chimneys smoke.
            pub smoke: bool,
            /// True if the painter omits the texture of land, trees and the houses of towns, to
            /// save ink or to look calm.
            pub plain: bool,
        }

        impl Palette {
            /// The names of all colours, as in themes.
            pub const COLOURS: &'static [&'static str] = &[$(stringify!($name)),*];

            /// Returns a sentence about the colour called `name`; `None` if no colour has this
            /// name.
            pub fn about(name: &str) -> Option<&'static str> {
                match name {
                    $(stringify!($name) => Some(concat!($($about),*).trim_ascii()),)*
                    _ => None,
                }
            }

            /// Changes the colour called `name`, if there is one.
            pub(crate) fn set(&mut self, name: &str, colour: Colour) {
                match name {
                    $(stringify!($name) => self.$name = colour,)*
                    _ => {}
                }
            }
        }

        impl Default for Palette {
            fn default() -> Self {
                Palette { $($name: Colour::hex($rgb),)* bare_trees: false, smoke: false, plain: false }
            }
        }
    };
}

palette! {
    /// Open ground. It has this colour along the rims of all tiles.
    ground = 0xa9bd6c,
    /// Patches of ground in the sun.
    ground_light = 0xbccb80,
    /// Patches of lusher ground.
    ground_dark = 0x95ad5b,
    /// Blades of grass.
    grass = 0x7d9748,
    /// Flowers in the grass.
    flower = 0xf0e2a0,
    /// Paths.
    path = 0xf0e3c2,
    /// The sides of paths.
    path_edge = 0x9c8258,
    /// Water.
    water = 0x5b9bc8,
    /// Banks of water.
    water_edge = 0xc9dfe2,
    /// Ripples.
    water_light = 0x9cc8e4,
    /// Ground within walls.
    town = 0xd9bd8b,
    /// Town squares within walls.
    town_light = 0xe8d4aa,
    /// Lanes and corners within walls.
    town_dark = 0xc2a171,
    /// Walls.
    wall = 0xb5a58d,
    /// The upper edge of walls.
    wall_light = 0xe6ddca,
    /// The foot of walls.
    wall_dark = 0x5f5140,
    /// Most roofs of towns.
    roof_1 = 0xb9523a,
    /// Other roofs of towns.
    roof_2 = 0x9a4232,
    /// A few roofs of towns.
    roof_3 = 0x8f6141,
    /// The floor of woods.
    wood = 0x4c6a35,
    /// Most crowns of trees.
    wood_1 = 0x5f8441,
    /// Darker crowns of trees.
    wood_2 = 0x4f7439,
    /// Lighter crowns of trees.
    wood_3 = 0x7b9e50,
    /// The yard around a building.
    yard = 0xdccb9d,
    /// Walls of buildings.
    building = 0xf1e8d6,
    /// Roofs of buildings.
    building_roof = 0xbb3f2e,
    /// Shadows; drawn with little opacity.
    shadow = 0x2a2a3a,
    /// Outlines of icons, and letters in place of icons.
    ink = 0x2d261f,
    /// The table behind the board.
    table = 0x55635f,
    /// The table behind the board, far from the middle.
    table_dark = 0x3f4b49,
    /// The rim of tiles; drawn with little opacity.
    rim = 0x33301f,
    /// The back of tiles.
    back = 0x7a5a3f,
    /// The pattern on the back of tiles.
    back_light = 0x9a7a57,
}
