//! Sheets to print.

use paper::PrintOptions;
use serde::{Deserialize, Serialize};
use workshop::ConfiguredMods;

use super::{Job, Reporter};
use crate::shown_error::ShownError;

/// The width of the picture of a page to print, in pixels.
const PAGE_WIDTH: u32 = 760;

/// Makes a part of the sheets to print. Reports the progress in percent.
#[derive(Serialize, Deserialize)]
pub struct SheetsJob {
    /// The mods to print.
    pub wanted: SheetsWanted,
    /// The part.
    pub part: SheetsPart,
}

/// Mods to print, with the user's choices.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SheetsWanted {
    /// The loaded mods.
    pub mods: ConfiguredMods,
    /// The ids of the mods to print.
    pub ids: Vec<String>,
    /// The choices.
    pub options: PrintOptions,
}

/// The part of the sheets to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SheetsPart {
    /// The picture of the page with this number as PNG. The first page has the number 0. If there
    /// are fewer pages, the last page is drawn.
    Page(usize),
    /// All pages as PDF.
    Pdf,
}

/// A part of the sheets, with the numbers of pages and items of all sheets.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SheetsMade {
    /// The number of pages.
    pub n_pages: usize,
    /// The number of tiles, and the number of cards and pieces together.
    pub n_items: [usize; 2],
    /// The content of the PNG or PDF file.
    pub file: Vec<u8>,
}

impl Job for SheetsJob {
    type Report = u8;
    type Output = SheetsMade;

    const NAME: &'static str = "sheets";

    fn run(self, reporter: &Reporter<'_, u8>) -> Result<SheetsMade, ShownError> {
        let SheetsWanted { mods, ids, options } = &self.wanted;
        let sheets = paper::print(&mods.loaded, ids, options)?;
        let n_pages = sheets.n_pages();
        let file = match self.part {
            SheetsPart::Pdf => reporter.with_progress(|progress| sheets.pdf(progress))?,
            SheetsPart::Page(page) => {
                let picture = sheets.picture(page.min(n_pages.saturating_sub(1))).unwrap_or_default();
                picture.to_pixels(PAGE_WIDTH)?.to_png()?
            }
        };
        Ok(SheetsMade { n_pages, n_items: [sheets.n_tiles(), sheets.n_others()], file })
    }
}
