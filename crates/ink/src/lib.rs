#![doc = include_str!("../README.md")]
#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)]

mod progress;

use std::collections::BTreeMap;

use art::kurbo::{self, BezPath, PathEl, Point, Shape as _};
use art::{Colour, Paint, Picture, Shape};
use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Rect, Transform};
use krilla::graphic::Graphic;
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule, LineCap, LineJoin, RadialGradient, SpreadMethod, Stop, Stroke};
use krilla::surface::Surface;
pub use progress::{Progress, Stopped};
use serde::{Deserialize, Serialize};

/// The number of points in a millimetre. PDF counts in points of 1/72 inch.
pub const POINTS_PER_MM: f64 = 72.0 / 25.4;

/// A size of paper, upright.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Paper {
    /// 210 by 297 mm.
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

impl Paper {
    /// Returns the width and height in millimetres.
    pub fn size(self) -> [f64; 2] {
        match self {
            Paper::A4 => [210.0, 297.0],
            Paper::Letter => [215.9, 279.4],
        }
    }
}

/// Draws pictures into one PDF.
#[derive(Default)]
pub struct Ink {
    /// For each colour with its opacity, a fading circle of radius 1 around the origin. Sharing the
    /// circles matters: without it, most of the PDF would be gradients.
    soft: BTreeMap<[u8; 4], Graphic>,
}

impl Ink {
    /// Draws a picture. One unit of the picture is one unit of the surface. Rounds all points to a
    /// ten-thousandth of this unit, which makes the PDF a fifth smaller.
    pub fn draw(&mut self, surface: &mut Surface<'_>, picture: &Picture) {
        picture.shapes().iter().for_each(|shape| self.draw_shape(surface, shape, Grid { scale: 1.0, step: 1e-4 }));
    }

    /// Draws a picture with `n` units of the surface for each unit of the picture. Rounds all
    /// points to whole units of the surface, which halves the size of the PDF.
    pub fn draw_rounded(&mut self, surface: &mut Surface<'_>, picture: &Picture, n: f64) {
        picture.shapes().iter().for_each(|shape| self.draw_shape(surface, shape, Grid { scale: n, step: 1.0 }));
    }

    fn draw_shape(&mut self, surface: &mut Surface<'_>, shape: &Shape, grid: Grid) {
        let Some(path) = path_of(&shape.path, grid) else { return };
        if let Some(clip) = shape.clip {
            // A shape is hidden outside its clip. A clip that covers nothing hides the whole shape.
            let Some(outline) = rectangle(clip.scale_from_origin(grid.scale)) else { return };
            surface.push_clip_path(&outline, &FillRule::NonZero);
        }
        match shape.paint {
            Paint::Fill(colour) => draw_path(surface, &path, Some(fill(colour)), None),
            Paint::Line { colour, width } => {
                draw_path(surface, &path, None, Some(stroke(colour, width * grid.scale)));
            }
            Paint::Soft { colour, centre, radius } => {
                let key = [colour.r, colour.g, colour.b, colour.a];
                let circle = self
                    .soft
                    .entry(key)
                    .or_insert_with(|| graphic(surface, |surface| draw_soft_circle(surface, colour)));
                let [x, y, r] = [centre.x, centre.y, radius].map(|length| (length * grid.scale) as f32);
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
}

/// The units and the precision of a drawing.
#[derive(Clone, Copy)]
struct Grid {
    /// The number of units of the surface for each unit of the picture.
    scale: f64,
    /// The rounding step of lengths, in units of the surface.
    step: f64,
}

impl Grid {
    fn place(self, p: Point) -> (f32, f32) {
        let round = |length: f64| ((length * self.scale / self.step).round() * self.step) as f32;
        (round(p.x), round(p.y))
    }
}

/// Records the drawing of `draw` as a graphic, which can be drawn several times.
pub fn graphic(surface: &mut Surface<'_>, draw: impl FnOnce(&mut Surface<'_>)) -> Graphic {
    let mut builder = surface.stream_builder();
    let mut inner = builder.surface();
    draw(&mut inner);
    inner.finish();
    Graphic::new(builder.finish(), false)
}

/// Returns a fill with this colour.
pub fn fill(colour: Colour) -> Fill {
    let opacity = normalized(f32::from(colour.a) / 255.0);
    Fill { paint: rgb(colour).into(), opacity, rule: FillRule::NonZero }
}

/// Returns a line of this colour and width, with round ends and corners.
pub fn stroke(colour: Colour, width: f64) -> Stroke {
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

/// Returns the outline of a rectangle; `None` if it covers nothing.
pub fn rectangle(rect: kurbo::Rect) -> Option<Path> {
    let [x, y, width, height] = [rect.x0, rect.y0, rect.width(), rect.height()].map(|length| length as f32);
    let mut builder = PathBuilder::new();
    builder.push_rect(Rect::from_xywh(x, y, width, height)?);
    builder.finish()
}

fn draw_path(surface: &mut Surface<'_>, path: &Path, fill: Option<Fill>, stroke: Option<Stroke>) {
    surface.set_fill(fill);
    surface.set_stroke(stroke);
    surface.draw_path(path);
}

/// Draws a circle around the origin of radius 1, which fades outwards.
fn draw_soft_circle(surface: &mut Surface<'_>, colour: Colour) {
    let circle = kurbo::Circle::new((0.0, 0.0), 1.0).to_path(0.002);
    let Some(path) = path_of(&circle, Grid { scale: 1.0, step: 1e-4 }) else { return };
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

fn rgb(colour: Colour) -> rgb::Color {
    rgb::Color::new(colour.r, colour.g, colour.b)
}

fn normalized(number: f32) -> NormalizedF32 {
    NormalizedF32::new(number.clamp(0.0, 1.0)).unwrap_or(NormalizedF32::ONE)
}

fn path_of(path: &BezPath, grid: Grid) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for element in path.elements() {
        match *element {
            PathEl::MoveTo(p) => {
                let (x, y) = grid.place(p);
                builder.move_to(x, y);
            }
            PathEl::LineTo(p) => {
                let (x, y) = grid.place(p);
                builder.line_to(x, y);
            }
            PathEl::QuadTo(a, p) => {
                let ((ax, ay), (x, y)) = (grid.place(a), grid.place(p));
                builder.quad_to(ax, ay, x, y);
            }
            PathEl::CurveTo(a, b, p) => {
                let ((ax, ay), (bx, by), (x, y)) = (grid.place(a), grid.place(b), grid.place(p));
                builder.cubic_to(ax, ay, bx, by, x, y);
            }
            PathEl::ClosePath => builder.close(),
        }
    }
    builder.finish()
}
