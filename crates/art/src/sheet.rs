//! Draws tiles as pixels on a contact sheet.

use board::{Facing, TileIdx};
use theme::Colour;

use crate::painter::{Detail, Painter, TileVariant};
use crate::picture::Picture;
use crate::pixels::{MAX_SHEET_PIXELS, PictureError, Pixels};

/// A tile on a contact sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetEntry {
    /// The tile type to draw.
    pub tile: TileIdx,
    /// The text at the left, below the tile, such as the tile's name.
    pub name: String,
    /// The text at the right, below the tile, such as the tile's number of copies.
    pub note: String,
}

impl Painter {
    /// Draws tiles in rows of `columns` tiles, each tile `width` pixels wide, with its name and
    /// note below. After each tile, calls `progress` with the number of tiles drawn so far.
    ///
    /// # Errors
    /// Returns an error if the sheet has more than 200 million pixels.
    pub fn contact_sheet(
        &self,
        entries: &[SheetEntry],
        width: u32,
        columns: u32,
        mut progress: impl FnMut(usize),
    ) -> Result<Pixels, PictureError> {
        let (gap, line) = ((width / 10).max(4), (width / 8).max(9));
        let columns = columns.clamp(1, entries.len().max(1) as u32);
        let rows = (entries.len() as u32).div_ceil(columns);
        let size = |n: u32, step: u32| u64::from(n) * u64::from(step) + u64::from(gap);
        let (w, h) = (size(columns, width + gap), size(rows, width + line + gap));
        let paper = Colour::hex(0xf6f3ec);
        let mut sheet = Pixels::sheet(w, h, paper, MAX_SHEET_PIXELS)?;
        for (i, entry) in entries.iter().enumerate() {
            let (x, y) = (i as u32 % columns * (width + gap) + gap, i as u32 / columns * (width + line + gap) + gap);
            let tile = self.tile(entry.tile, Facing::default(), TileVariant::default(), Detail::for_width(width));
            sheet.paste(&tile.to_pixels(width)?, x, y);
            let mut label = Picture::new(1.0, f64::from(line) / f64::from(width));
            let [_, h] = label.size();
            let (height, ink) = (h * 0.5, Colour::hex(0x3a3530));
            let note = Picture::width_of(&entry.note, height).min(0.4);
            let name = (0.93 - note).max(0.2);
            let scaled = |text: &str, room: f64| height * (room / Picture::width_of(text, height)).min(1.0);
            label.write(&entry.name, 0.02, h * 0.8, scaled(&entry.name, name), ink);
            label.write(&entry.note, 0.98 - note, h * 0.8, scaled(&entry.note, note), ink.lighten(0.35));
            sheet.paste(&label.to_pixels(width)?, x, y + width);
            progress(i + 1);
        }
        Ok(sheet)
    }
}
