//! Writes the pages as a PDF file.

use std::collections::BTreeMap;

use ink::{Ink, POINTS_PER_MM, Progress, graphic, rectangle};
use krilla::Document;
use krilla::geom::{Rect, Transform};
use krilla::graphic::Graphic;
use krilla::page::PageSettings;
use krilla::paint::FillRule;
use krilla::surface::Surface;

use crate::sheet::{Page, PageCell};
use crate::{PrintError, SheetPage, Sheets};

/// Writes the pages with their items.
pub(crate) fn write(sheets: &Sheets, progress: &mut Progress<'_>) -> Result<Vec<u8>, PrintError> {
    let mut document = Document::new();
    let mut drawn = Drawn::default();
    let [width, height] = sheets.paper.size();
    for (i, page) in sheets.pages.iter().enumerate() {
        let (trim, bleed) = match page {
            SheetPage::Items(_, page) => (page.trim, sheets.bleed),
            SheetPage::Whole(_) | SheetPage::Blank => ([0.0, 0.0, width, height], 0.0),
        };
        let mut sheet = document.start_page_with(settings([width, height], trim, bleed)?);
        let mut surface = sheet.surface();
        // Lengths on the page are in millimetres from here on.
        surface.push_transform(&Transform::from_scale(POINTS_PER_MM as f32, POINTS_PER_MM as f32));
        match page {
            SheetPage::Items(group, page) => {
                drawn.ink.draw(&mut surface, &sheets.cut_marks(page));
                for cell in &page.cells {
                    draw_cell(&mut surface, &mut drawn, sheets, *group, page, cell);
                }
            }
            SheetPage::Whole(picture) => drawn.ink.draw(&mut surface, picture),
            SheetPage::Blank => {}
        }
        surface.pop();
        surface.finish();
        sheet.finish();
        progress.end_step([0, 100], i, sheets.pages.len())?;
    }
    document.finish().map_err(|error| PrintError::Pdf(format!("{error:?}")))
}

/// Returns the settings of a page with this trim box and bleed, all in millimetres.
fn settings([width, height]: [f64; 2], trim: [f64; 4], bleed: f64) -> Result<PageSettings, PrintError> {
    let rect = |by: f64| {
        let [left, top, right, bottom] = trim;
        let points = |length: f64| (length * POINTS_PER_MM) as f32;
        Rect::from_ltrb(points(left - by), points(top - by), points(right + by), points(bottom + by))
    };
    let settings = PageSettings::from_wh((width * POINTS_PER_MM) as f32, (height * POINTS_PER_MM) as f32);
    let settings = settings.ok_or_else(|| PrintError::Pdf("the paper has no size".to_owned()))?;
    Ok(settings.with_trim_box(rect(0.0)).with_bleed_box(rect(bleed)))
}

/// The drawings so far. Equal drawings are stored once.
#[derive(Default)]
struct Drawn {
    /// The pictures of items. The key is the index of the group, the index of the first equal item,
    /// and true for a back.
    items: BTreeMap<(usize, usize, bool), Graphic>,
    ink: Ink,
}

fn draw_cell(
    surface: &mut Surface<'_>,
    drawn: &mut Drawn,
    sheets: &Sheets,
    group: usize,
    page: &Page,
    cell: &PageCell,
) {
    let items = sheets.groups.get(group).map_or(&[][..], |group| &group.items);
    let Some(item) = items.get(cell.item) else { return };
    // Equal copies share the drawing of the first copy.
    let first = items.iter().position(|other| other.name == item.name && other == item).unwrap_or(cell.item);
    let picture = if cell.is_back { &item.back } else { &item.face };
    let Drawn { items: drawings, ink } = drawn;
    let graphic = drawings
        .entry((group, first, cell.is_back))
        .or_insert_with(|| graphic(surface, |surface| ink.draw(surface, picture)));
    for (edges, place) in page.places(cell, picture.size(), sheets.bleed) {
        let Some(outline) = rectangle(edges) else { continue };
        surface.push_clip_path(&outline, &FillRule::NonZero);
        let [a, b, c, d, e, f] = place.as_coeffs().map(|number| number as f32);
        surface.push_transform(&Transform::from_row(a, b, c, d, e, f));
        surface.draw_graphic(graphic.clone());
        surface.pop();
        surface.pop();
    }
}
