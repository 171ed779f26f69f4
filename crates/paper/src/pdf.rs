//! Writes the pages as a PDF file.

use std::collections::BTreeMap;

use art::kurbo::{self, BezPath, PathEl, Shape as _};
use art::{Colour, Paint, Picture, Shape};
use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Rect, Transform};
use krilla::graphic::Graphic;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule, LineCap, LineJoin, RadialGradient, SpreadMethod, Stop, Stroke};
use krilla::surface::Surface;

use crate::sheet::{Cell, Page};
use crate::{SheetPage, Sheets};

/// The number of points in a millimetre. PDF counts in points of 1/72 inch.
const POINTS: f64 = 72.0 / 25.4;
/// Writes the pages with their items.
pub(crate) fn write(sheets: &Sheets) -> Result<Vec<u8>, String> {
    let mut document = Document::new();
    let mut drawn = Drawn::default();
    let [width, height] = sheets.paper.size();
    for page in &sheets.pages {
        let (trim, bleed) = match page {
            SheetPage::Items(_, page) => (page.trim, sheets.bleed),
            SheetPage::Whole(_) | SheetPage::Blank => ([0.0, 0.0, width, height], 0.0),
        };
        let mut sheet = document.start_page_with(settings([width, height], trim, bleed)?);
        let mut surface = sheet.surface();
        // Lengths on the page are in millimetres from here on.
        surface.push_transform(&Transform::from_scale(POINTS as f32, POINTS as f32));
        match page {
            SheetPage::Items(group, page) => {
                draw(&mut surface, &mut drawn.soft, &sheets.cut_marks(page));
                for cell in &page.cells {
                    draw_cell(&mut surface, &mut drawn, sheets, *group, page, cell);
                }
            }
            SheetPage::Whole(picture) => draw(&mut surface, &mut drawn.soft, picture),
            SheetPage::Blank => {}
        }
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

/// The drawings so far. Equal drawings are stored once.
#[derive(Default)]
struct Drawn {
    /// The pictures of items. The key is the index of the group, the index of the first equal item,
    /// and true for a back.
    items: BTreeMap<(usize, usize, bool), Graphic>,
    soft: SoftCircles,
}

/// For each colour, with its opacity, a circle around the origin of radius 1, which fades outwards.
/// Without sharing, these gradients would be most of the PDF.
type SoftCircles = BTreeMap<[u8; 4], Graphic>;

fn draw_cell(surface: &mut Surface<'_>, drawn: &mut Drawn, sheets: &Sheets, group: usize, page: &Page, cell: &Cell) {
    let items = sheets.groups.get(group).map_or(&[][..], |group| &group.items);
    let Some(item) = items.get(cell.item) else { return };
    // Equal copies share the drawing of the first copy.
    let first = items.iter().position(|other| other.name == item.name && other == item).unwrap_or(cell.item);
    let picture = if cell.is_back { &item.back } else { &item.face };
    let Drawn { items: drawings, soft } = drawn;
    let graphic = drawings
        .entry((group, first, cell.is_back))
        .or_insert_with(|| graphic(surface, |surface| draw(surface, soft, picture)));
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

/// Returns what `draw` draws, to be drawn repeatedly.
fn graphic(surface: &mut Surface<'_>, draw: impl FnOnce(&mut Surface<'_>)) -> Graphic {
    let mut builder = surface.stream_builder();
    let mut inner = builder.surface();
    draw(&mut inner);
    inner.finish();
    Graphic::new(builder.finish(), false)
}

fn draw(surface: &mut Surface<'_>, soft: &mut SoftCircles, picture: &Picture) {
    picture.shapes().iter().for_each(|shape| draw_shape(surface, soft, shape));
}

fn draw_shape(surface: &mut Surface<'_>, soft: &mut SoftCircles, shape: &Shape) {
    let Some(path) = path_of(&shape.path) else { return };
    if let Some(clip) = shape.clip {
        // A shape is hidden outside its clip. A clip that covers nothing hides the whole shape.
        let Some(outline) = rectangle(clip) else { return };
        surface.push_clip_path(&outline, &FillRule::NonZero);
    }
    match shape.paint {
        Paint::Fill(colour) => draw_path(surface, &path, Some(fill(colour)), None),
        Paint::Line { colour, width } => draw_path(surface, &path, None, Some(stroke(colour, width))),
        Paint::Soft { colour, centre, radius } => {
            let key = [colour.r, colour.g, colour.b, colour.a];
            let circle =
                soft.entry(key).or_insert_with(|| graphic(surface, |surface| draw_soft_circle(surface, colour)));
            let [x, y, r] = [centre.x, centre.y, radius].map(|length| length as f32);
            surface.push_clip_path(&path, &FillRule::NonZero);
            surface.push_transform(&Transform::from_row(r, 0.0, 0.0, r, x, y));
            surface.draw_graphic(circle.clone());
            surface.pop();
            surface.pop();
        }
    }
    if shape.clip.is_some() {
        surface.pop();
    }
}

fn draw_path(surface: &mut Surface<'_>, path: &Path, fill: Option<Fill>, stroke: Option<Stroke>) {
    surface.set_fill(fill);
    surface.set_stroke(stroke);
    surface.draw_path(path);
}

/// Draws a circle around the origin of radius 1, which fades outwards.
fn draw_soft_circle(surface: &mut Surface<'_>, colour: Colour) {
    let Some(path) = path_of(&kurbo::Circle::new((0.0, 0.0), 1.0).to_path(0.002)) else { return };
    let stop = |offset: f32, opacity: f32| Stop {
        offset: normalized(offset),
        color: rgb(colour).into(),
        opacity: normalized(opacity),
    };
    let gradient = RadialGradient {
        fx: 0.0,
        fy: 0.0,
        fr: 0.0,
        cx: 0.0,
        cy: 0.0,
        cr: 1.0,
        transform: Transform::identity(),
        spread_method: SpreadMethod::Pad,
        stops: vec![stop(0.0, f32::from(colour.a) / 255.0), stop(1.0, 0.0)],
        anti_alias: false,
    };
    let fill = Fill { paint: gradient.into(), opacity: normalized(1.0), rule: FillRule::NonZero };
    draw_path(surface, &path, Some(fill), None);
}

fn fill(colour: Colour) -> Fill {
    let opacity = normalized(f32::from(colour.a) / 255.0);
    Fill { paint: rgb(colour).into(), opacity, rule: FillRule::NonZero }
}

fn stroke(colour: Colour, width: f64) -> Stroke {
    Stroke {
        paint: rgb(colour).into(),
        width: width as f32,
        miter_limit: 4.0,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        opacity: normalized(f32::from(colour.a) / 255.0),
        dash: None,
    }
}

fn rgb(colour: Colour) -> rgb::Color {
    rgb::Color::new(colour.r, colour.g, colour.b)
}

fn normalized(number: f32) -> NormalizedF32 {
    NormalizedF32::new(number.clamp(0.0, 1.0)).unwrap_or(NormalizedF32::ONE)
}

/// Returns the outline of a rectangle; `None` if it covers nothing.
fn rectangle(rect: kurbo::Rect) -> Option<Path> {
    let [x, y, width, height] = [rect.x0, rect.y0, rect.width(), rect.height()].map(|length| length as f32);
    let mut builder = PathBuilder::new();
    builder.push_rect(Rect::from_xywh(x, y, width, height)?);
    builder.finish()
}

/// Returns a path with coordinates rounded to a ten-thousandth of the picture's unit, at most 0.02
/// mm. This makes the PDF a fifth smaller.
fn path_of(path: &BezPath) -> Option<Path> {
    let round = |length: f64| ((length * 1e4).round() / 1e4) as f32;
    let mut builder = PathBuilder::new();
    for element in path.elements() {
        match *element {
            PathEl::MoveTo(p) => builder.move_to(round(p.x), round(p.y)),
            PathEl::LineTo(p) => builder.line_to(round(p.x), round(p.y)),
            PathEl::QuadTo(a, p) => builder.quad_to(round(a.x), round(a.y), round(p.x), round(p.y)),
            PathEl::CurveTo(a, b, p) => {
                builder.cubic_to(round(a.x), round(a.y), round(b.x), round(b.y), round(p.x), round(p.y));
            }
            PathEl::ClosePath => builder.close(),
        }
    }
    builder.finish()
}
