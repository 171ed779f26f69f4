//! Writes the pages as a PDF file.

use std::collections::BTreeMap;

use art::kurbo::{BezPath, PathEl};
use art::{Colour, Paint, Picture, Shape};
use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Rect, Transform};
use krilla::graphic::Graphic;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule, LineCap, LineJoin, RadialGradient, SpreadMethod, Stop, Stroke};
use krilla::surface::Surface;

use crate::Options;
use crate::content::Item;
use crate::sheet::{Cell, Page};

/// The number of points in a millimetre. PDF counts in points of 1/72 inch.
const POINTS: f64 = 72.0 / 25.4;
/// The share of white that is mixed into each colour to save ink, from 0 to 1.
const WHITE: f64 = 0.5;

/// Writes the pages with their items. If there is a score track, writes it as the last page.
pub(crate) fn write(pages: &[(Page, &[Item])], track: Option<&Picture>, options: &Options) -> Result<Vec<u8>, String> {
    let mut document = Document::new();
    let mut writer = Writer { graphics: BTreeMap::new(), saves_ink: options.saves_ink };
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
        writer.draw(&mut surface, track);
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
    saves_ink: bool,
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
        self.draw(surface, &marks);
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
            self.draw(&mut inner, picture);
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

    fn draw(&self, surface: &mut Surface<'_>, picture: &Picture) {
        for shape in picture.shapes() {
            self.shape(surface, shape);
        }
    }

    fn shape(&self, surface: &mut Surface<'_>, shape: &Shape) {
        let Some(path) = path_of(&shape.path) else { return };
        if let Some(clip) = shape.clip {
            // A shape is hidden outside its clip. A clip that covers nothing hides the whole shape.
            let Some(outline) = rectangle([clip.x0, clip.y0], [clip.width(), clip.height()]) else { return };
            surface.push_clip_path(&outline, &FillRule::NonZero);
        }
        let (fill, stroke) = match shape.paint {
            Paint::Fill(colour) => (Some(self.fill(colour)), None),
            Paint::Line { colour, width } => (None, Some(self.stroke(colour, width))),
            Paint::Soft { colour, centre, radius } => {
                let stop = |offset: f32, opacity: f32| Stop {
                    offset: normalized(offset),
                    color: self.colour(colour).into(),
                    opacity: normalized(opacity),
                };
                let [x, y, r] = [centre.x, centre.y, radius].map(|length| length as f32);
                let gradient = RadialGradient {
                    fx: x,
                    fy: y,
                    fr: 0.0,
                    cx: x,
                    cy: y,
                    cr: r,
                    transform: Transform::identity(),
                    spread_method: SpreadMethod::Pad,
                    stops: vec![stop(0.0, f32::from(colour.a) / 255.0), stop(1.0, 0.0)],
                    anti_alias: false,
                };
                (Some(Fill { paint: gradient.into(), opacity: normalized(1.0), rule: FillRule::NonZero }), None)
            }
        };
        surface.set_fill(fill);
        surface.set_stroke(stroke);
        surface.draw_path(&path);
        if shape.clip.is_some() {
            surface.pop();
        }
    }

    fn fill(&self, colour: Colour) -> Fill {
        let opacity = normalized(f32::from(colour.a) / 255.0);
        Fill { paint: self.colour(colour).into(), opacity, rule: FillRule::NonZero }
    }

    fn stroke(&self, colour: Colour, width: f64) -> Stroke {
        Stroke {
            paint: self.colour(colour).into(),
            width: width as f32,
            miter_limit: 4.0,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            opacity: normalized(f32::from(colour.a) / 255.0),
            dash: None,
        }
    }

    fn colour(&self, colour: Colour) -> rgb::Color {
        let light = |part: u8| match self.saves_ink {
            true => (f64::from(part) * (1.0 - WHITE) + 255.0 * WHITE).round() as u8,
            false => part,
        };
        rgb::Color::new(light(colour.r), light(colour.g), light(colour.b))
    }
}

fn normalized(number: f32) -> NormalizedF32 {
    NormalizedF32::new(number.clamp(0.0, 1.0)).unwrap_or(NormalizedF32::ONE)
}

/// Returns the outline of a rectangle; `None` if it covers nothing.
fn rectangle([x, y]: [f64; 2], [width, height]: [f64; 2]) -> Option<Path> {
    let mut builder = PathBuilder::new();
    builder.push_rect(Rect::from_xywh(x as f32, y as f32, width as f32, height as f32)?);
    builder.finish()
}

fn path_of(path: &BezPath) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for element in path.elements() {
        match *element {
            PathEl::MoveTo(p) => builder.move_to(p.x as f32, p.y as f32),
            PathEl::LineTo(p) => builder.line_to(p.x as f32, p.y as f32),
            PathEl::QuadTo(a, p) => builder.quad_to(a.x as f32, a.y as f32, p.x as f32, p.y as f32),
            PathEl::CurveTo(a, b, p) => {
                builder.cubic_to(a.x as f32, a.y as f32, b.x as f32, b.y as f32, p.x as f32, p.y as f32);
            }
            PathEl::ClosePath => builder.close(),
        }
    }
    builder.finish()
}
