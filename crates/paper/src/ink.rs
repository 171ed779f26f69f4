//! Draws pictures on a page of a PDF.

use art::kurbo::{BezPath, PathEl, Point};
use art::{Colour, Paint, Picture, Shape};
use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Rect, Transform};
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule, LineCap, LineJoin, RadialGradient, SpreadMethod, Stop, Stroke};
use krilla::surface::Surface;

/// The share of white that is mixed into each colour to save ink, from 0 to 1.
const WHITE: f64 = 0.5;

/// Draws pictures and turns colours into those of a PDF.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ink {
    /// True for light colours, which need less ink.
    pub saves_ink: bool,
}

impl Ink {
    /// Draws a picture. One unit of the picture is one unit of the surface.
    pub fn draw(self, surface: &mut Surface<'_>, picture: &Picture) {
        for shape in picture.shapes() {
            self.shape(surface, shape, &Grid::Exact);
        }
    }

    /// Draws a picture with `n` units of the surface for each unit of the picture. Rounds all points
    /// to whole units of the surface, which halves the size of the PDF.
    pub fn draw_rounded(self, surface: &mut Surface<'_>, picture: &Picture, n: f64) {
        for shape in picture.shapes() {
            self.shape(surface, shape, &Grid::Rounded(n));
        }
    }

    fn shape(self, surface: &mut Surface<'_>, shape: &Shape, grid: &Grid) {
        let Some(path) = path_of(&shape.path, grid) else { return };
        if let Some(clip) = shape.clip {
            // A shape is hidden outside its clip. A clip that covers nothing hides the whole shape.
            let corner = [clip.x0, clip.y0].map(|length| grid.length(length));
            let size = [clip.width(), clip.height()].map(|length| grid.length(length));
            let Some(outline) = rectangle(corner, size) else { return };
            surface.push_clip_path(&outline, &FillRule::NonZero);
        }
        let (fill, stroke) = match shape.paint {
            Paint::Fill(colour) => (Some(self.fill(colour)), None),
            Paint::Line { colour, width } => (None, Some(self.stroke(colour, grid.length(width)))),
            Paint::Soft { colour, centre, radius } => {
                let stop = |offset: f32, opacity: f32| Stop {
                    offset: normalized(offset),
                    color: self.colour(colour).into(),
                    opacity: normalized(opacity),
                };
                let [x, y, r] = [centre.x, centre.y, radius].map(|length| grid.length(length) as f32);
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

    /// Returns a fill with this colour.
    pub fn fill(self, colour: Colour) -> Fill {
        let opacity = normalized(f32::from(colour.a) / 255.0);
        Fill { paint: self.colour(colour).into(), opacity, rule: FillRule::NonZero }
    }

    /// Returns a line of this colour and width, with round ends and corners.
    pub fn stroke(self, colour: Colour, width: f64) -> Stroke {
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

    fn colour(self, colour: Colour) -> rgb::Color {
        let light = |part: u8| match self.saves_ink {
            true => (f64::from(part) * (1.0 - WHITE) + 255.0 * WHITE).round() as u8,
            false => part,
        };
        rgb::Color::new(light(colour.r), light(colour.g), light(colour.b))
    }
}

/// The units of a drawing on a surface.
enum Grid {
    /// Those of the picture.
    Exact,
    /// This number of units for each unit of the picture, all lengths rounded.
    Rounded(f64),
}

impl Grid {
    fn length(&self, length: f64) -> f64 {
        match self {
            Grid::Exact => length,
            Grid::Rounded(n) => (length * n).round(),
        }
    }
}

fn normalized(number: f32) -> NormalizedF32 {
    NormalizedF32::new(number.clamp(0.0, 1.0)).unwrap_or(NormalizedF32::ONE)
}

/// Returns the outline of a rectangle; `None` if it covers nothing.
pub fn rectangle([x, y]: [f64; 2], [width, height]: [f64; 2]) -> Option<Path> {
    let mut builder = PathBuilder::new();
    builder.push_rect(Rect::from_xywh(x as f32, y as f32, width as f32, height as f32)?);
    builder.finish()
}

fn path_of(path: &BezPath, grid: &Grid) -> Option<Path> {
    let at = |p: Point| (grid.length(p.x) as f32, grid.length(p.y) as f32);
    let mut builder = PathBuilder::new();
    for element in path.elements() {
        match *element {
            PathEl::MoveTo(p) => {
                let (x, y) = at(p);
                builder.move_to(x, y);
            }
            PathEl::LineTo(p) => {
                let (x, y) = at(p);
                builder.line_to(x, y);
            }
            PathEl::QuadTo(a, p) => {
                let ((ax, ay), (x, y)) = (at(a), at(p));
                builder.quad_to(ax, ay, x, y);
            }
            PathEl::CurveTo(a, b, p) => {
                let ((ax, ay), (bx, by), (x, y)) = (at(a), at(b), at(p));
                builder.cubic_to(ax, ay, bx, by, x, y);
            }
            PathEl::ClosePath => builder.close(),
        }
    }
    builder.finish()
}
