//! Writes the pages as a PDF file.

use std::collections::BTreeMap;

use art::kurbo::BezPath;
use art::{Colour, Picture};
use krilla::Document;
use krilla::geom::{Rect, Transform};
use krilla::graphic::Graphic;
use krilla::page::PageSettings;
use krilla::paint::FillRule;
use krilla::surface::Surface;

use crate::content::Item;
use crate::ink::{Ink, rectangle};
use crate::sheet::{Cell, Page};
use crate::{Options, POINTS};

/// Writes the pages with their items. If there is a score track, writes it as the last page.
pub(crate) fn write(pages: &[(Page, &[Item])], track: Option<&Picture>, options: &Options) -> Result<Vec<u8>, String> {
    let mut document = Document::new();
    let mut writer = Writer { graphics: BTreeMap::new(), ink: Ink { saves_ink: options.saves_ink } };
    let size = options.paper.size();
    for (page, items) in pages {
        let [left, top, right, bottom] = page.trim;
        let bleed = options.bleed;
        let settings = settings(size, [left, top, right, bottom], bleed)?;
        let mut sheet = document.start_page_with(settings);
        let mut surface = sheet.surface();
        writer.page(&mut surface, page, items, options);
        surface.finish();
        sheet.finish();
    }
    if let Some(track) = track {
        let whole = [0.0, 0.0, size[0], size[1]];
        let mut sheet = document.start_page_with(settings(size, whole, 0.0)?);
        let mut surface = sheet.surface();
        surface.push_transform(&Transform::from_scale(POINTS as f32, POINTS as f32));
        writer.ink.draw(&mut surface, track);
        surface.pop();
        surface.finish();
        sheet.finish();
    }
    document.finish().map_err(|error| format!("{error:?}"))
}

/// Returns the settings of a page with this trim box and bleed, all in millimetres.
fn settings([width, height]: [f64; 2], trim: [f64; 4], bleed: f64) -> Result<PageSettings, String> {
    let rect = |by: f64| {
        let [left, top, right, bottom] = trim;
        let points = |length: f64| (length * POINTS) as f32;
        Rect::from_ltrb(points(left - by), points(top - by), points(right + by), points(bottom + by))
    };
    let settings = PageSettings::from_wh((width * POINTS) as f32, (height * POINTS) as f32);
    let settings = settings.ok_or("the paper has no size")?;
    Ok(settings.with_trim_box(rect(0.0)).with_bleed_box(rect(bleed)))
}

struct Writer {
    /// The drawings so far; equal pictures are stored once. The key is the address of the list of
    /// items, the index of the first equal item, and true for a back.
    graphics: BTreeMap<(usize, usize, bool), Graphic>,
    ink: Ink,
}

impl Writer {
    fn page(&mut self, surface: &mut Surface<'_>, page: &Page, items: &[Item], options: &Options) {
        // Lengths on the page are in millimetres from here on.
        surface.push_transform(&Transform::from_scale(POINTS as f32, POINTS as f32));
        self.cut_marks(surface, page, options);
        for cell in &page.cells {
            self.cell(surface, page, items, cell, options.bleed);
        }
        surface.pop();
    }

    /// Draws the lines for cutting and folding, from edge to edge of the paper. The pictures later
    /// cover parts of the lines.
    fn cut_marks(&self, surface: &mut Surface<'_>, page: &Page, options: &Options) {
        let [width, height] = options.paper.size();
        let mut marks = Picture::new(width, height);
        let grey = Colour::from([0x77, 0x77, 0x77]);
        let line = |from: (f64, f64), to: (f64, f64)| {
            let mut path = BezPath::new();
            path.move_to(from);
            path.line_to(to);
            path
        };
        let [vertical, horizontal] = &page.cuts;
        vertical.iter().for_each(|x| marks.line(line((*x, 0.0), (*x, height)), grey, 0.1));
        horizontal.iter().for_each(|y| marks.line(line((0.0, *y), (width, *y)), grey, 0.1));
        if let Some(y) = page.fold {
            marks.line(line((0.0, y), (width, y)), Colour::from([0; 3]), 0.2);
        }
        self.ink.draw(surface, &marks);
    }

    fn cell(&mut self, surface: &mut Surface<'_>, page: &Page, items: &[Item], cell: &Cell, bleed: f64) {
        let Some(item) = items.get(cell.item) else { return };
        // Equal copies share the drawing of the first copy.
        let first = items.iter().position(|other| other.name == item.name && other == item).unwrap_or(cell.item);
        let picture = if cell.is_back { &item.back } else { &item.face };
        let key = (items.as_ptr() as usize, first, cell.is_back);
        if !self.graphics.contains_key(&key) {
            let mut builder = surface.stream_builder();
            let mut inner = builder.surface();
            self.ink.draw(&mut inner, picture);
            inner.finish();
            self.graphics.insert(key, Graphic::new(builder.finish(), false));
        }
        let Some(graphic) = self.graphics.get(&key).cloned() else { return };
        let [width, height] = page.cut;
        let [w, h] = picture.size();
        let middle = [cell.at[0] + width / 2.0, cell.at[1] + height / 2.0];
        // First draws an enlarged copy of the picture underneath, whose rim is the bleed.
        for by in [bleed, 0.0] {
            let size = [width + 2.0 * by, height + 2.0 * by];
            let corner = [middle[0] - size[0] / 2.0, middle[1] - size[1] / 2.0];
            let Some(outline) = rectangle(corner, size) else { continue };
            surface.push_clip_path(&outline, &FillRule::NonZero);
            if cell.is_turned {
                surface.push_transform(&Transform::from_rotate_at(180.0, middle[0] as f32, middle[1] as f32));
            }
            surface.push_transform(&Transform::from_row(
                (size[0] / w) as f32,
                0.0,
                0.0,
                (size[1] / h) as f32,
                corner[0] as f32,
                corner[1] as f32,
            ));
            surface.draw_graphic(graphic.clone());
            surface.pop();
            if cell.is_turned {
                surface.pop();
            }
            surface.pop();
        }
    }
}
