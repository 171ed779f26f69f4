#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod content;
mod export;
mod ink;
mod pdf;
mod sheet;
mod tabletop;

use art::Painter;
use loader::Loaded;

use content::{BackText, Item};
pub use export::{ExportError, ExportForm, ExportOptions, ExportedFile, export};
pub use ink::{Ink, rectangle};
pub use sheet::{Backs, Cell, Page, Paper, layout};

/// The number of points in a millimetre. PDF counts in points of 1/72 inch.
pub const POINTS: f64 = 72.0 / 25.4;

/// The user's choices for printing mods.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The paper.
    pub paper: Paper,
    /// The width of a tile in millimetres.
    pub tile: f64,
    /// The bleed in millimetres: the strip around each picture that is printed but cut off.
    pub bleed: f64,
    /// The place of the backs of tiles, cards and discs.
    pub backs: Backs,
    /// The number of players for whom to print pieces, tokens, piles and the score track; with 0,
    /// none of these are printed.
    pub n_players: usize,
    /// True for light colours, which need less ink.
    pub saves_ink: bool,
    /// The palette; `None` for the palette that the mods suggest.
    pub palette: Option<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            paper: Paper::A4,
            tile: 45.0,
            bleed: 1.5,
            backs: Backs::Duplex,
            n_players: 0,
            saves_ink: false,
            palette: None,
        }
    }
}

/// Printable sheets as a PDF, with the numbers of pages and items.
#[derive(Clone, PartialEq, Debug)]
pub struct Sheets {
    /// The PDF.
    pub pdf: Vec<u8>,
    /// The number of pages.
    pub n_pages: usize,
    /// The number of tiles, each copy counted.
    pub n_tiles: usize,
    /// The number of other items, such as cards and discs.
    pub n_others: usize,
}

/// The reason why no sheets can be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PrintError {
    /// A tile, card or disc does not fit on a page.
    #[error("a tile, card or disc with its bleed does not fit on the paper")]
    TooLarge,
    /// The mods have nothing to print.
    #[error("these mods have no tiles, cards or pieces to print, or nothing has changed")]
    Nothing,
    /// The PDF cannot be written.
    #[error("the PDF cannot be written: {0}")]
    Pdf(String),
}

/// Makes the sheets of the mods `ids`.
///
/// # Errors
/// Returns an error if there is nothing to print, if a tile, card or disc does not fit on a page,
/// or if the PDF cannot be written.
pub fn print(loaded: &Loaded, ids: &[String], options: &Options) -> Result<Sheets, PrintError> {
    print_changed(loaded, ids, None, options)
}

/// Makes sheets only of the tiles that differ from the earlier version `before` of the same mods:
/// new tiles, tiles that look different, and additional copies.
///
/// # Errors
/// Returns an error as [`print()`] does.
pub fn print_since(loaded: &Loaded, ids: &[String], before: &Loaded, options: &Options) -> Result<Sheets, PrintError> {
    print_changed(loaded, ids, Some(before), options)
}

fn print_changed(
    loaded: &Loaded,
    ids: &[String],
    before: Option<&Loaded>,
    options: &Options,
) -> Result<Sheets, PrintError> {
    let painter = painter_of(loaded, options.palette.as_deref());
    let mut tiles = content::tiles(&painter, loaded, ids, BackText::TileAndDeck);
    if let Some(before) = before {
        let old = content::tiles(&painter_of(before, options.palette.as_deref()), before, ids, BackText::TileAndDeck);
        tiles = content::changed(tiles, &old);
    }
    let mut groups = vec![(options.tile, options.tile, tiles)];
    if before.is_none() {
        groups.push((content::CARD[0], content::CARD[1], content::cards(&painter, loaded, ids)));
        groups.push((content::DISC, content::DISC, content::discs(&painter, loaded, ids, options.n_players)));
    }
    let n_tiles = groups.first().map_or(0, |(_, _, tiles)| tiles.len());
    let n_others = groups.iter().skip(1).map(|(_, _, items)| items.len()).sum();
    if n_tiles + n_others == 0 {
        return Err(PrintError::Nothing);
    }
    let track = (before.is_none() && options.n_players > 0).then(|| content::track(loaded, options.paper));
    let mut pages: Vec<(Page, &[Item])> = Vec::new();
    for (width, height, items) in &groups {
        let pages_of = layout(options.paper, [*width, *height], options.bleed, options.backs, items.len());
        pages.extend(pages_of.ok_or(PrintError::TooLarge)?.into_iter().map(|page| (page, items.as_slice())));
    }
    let n_pages = pages.len() + usize::from(track.is_some());
    let pdf = pdf::write(&pages, track.as_ref(), options).map_err(PrintError::Pdf)?;
    Ok(Sheets { pdf, n_pages, n_tiles, n_others })
}

/// Returns a painter for the mods, in this palette or in the one that they suggest.
fn painter_of(loaded: &Loaded, palette: Option<&str>) -> Painter {
    let theme = loaded.theme();
    let palette = palette.unwrap_or(theme.suggested_palette());
    Painter::new(&loaded.catalogue().tile_set, theme, palette)
}

#[cfg(test)]
mod tests;
