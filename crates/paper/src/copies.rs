//! The items of an export with their numbers of copies, and the sizes of their images.

use crate::content::{CARD_SIZE, DISC_WIDTH, PrintItem};

/// The kind of an item, which decides its shape and size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ItemKind {
    Tile,
    Card,
    Disc,
}

impl ItemKind {
    pub fn name(self) -> &'static str {
        match self {
            ItemKind::Tile => "tile",
            ItemKind::Card => "card",
            ItemKind::Disc => "disc",
        }
    }

    /// Returns the shorter side of an item in millimetres. `tile` is the width of a tile.
    pub fn width(self, tile: f64) -> f64 {
        match self {
            ItemKind::Tile => tile,
            ItemKind::Card => CARD_SIZE[0],
            ItemKind::Disc => DISC_WIDTH,
        }
    }
}

/// Equal copies of an item, with the names of their images.
pub(crate) struct Copies {
    pub kind: ItemKind,
    pub item: PrintItem,
    pub n: usize,
    pub face_file: String,
    pub back_file: String,
}

/// The number of millimetres in an inch.
const MM_PER_INCH: f64 = 25.4;

/// Returns the number of pixels of a length.
pub(crate) fn pixels_of(millimetres: f64, dpi: f64) -> u32 {
    (millimetres / MM_PER_INCH * dpi).round().max(1.0) as u32
}
