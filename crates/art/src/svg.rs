//! Writes pictures as SVG elements. A page can contain thousands of shapes, so their text is kept
//! short: each point is relative to the previous point, and circles are arcs.

use std::collections::BTreeSet;
use std::fmt::Write;

use kurbo::{PathEl, Point, Rect, Shape as _};
use theme::Colour;

use crate::picture::{Paint, Picture};

/// The number of SVG units in a unit of a picture, such as the width of a tile.
pub const SVG_UNIT: f64 = 1000.0;

/// The precision of the points in an SVG.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SvgPrecision {
    /// Points are rounded to a thousandth of the picture's unit.
    Thousandth,
    /// Points are rounded to a ten-thousandth of the picture's unit, for large pictures.
    TenThousandth,
}

impl SvgPrecision {
    /// Returns the number of steps in an SVG unit.
    fn steps(self) -> i64 {
        match self {
            SvgPrecision::Thousandth => 1,
            SvgPrecision::TenThousandth => 10,
        }
    }

    /// Returns a length of the picture in steps.
    fn round(self, length: f64) -> i64 {
        (length * SVG_UNIT * self.steps() as f64).round() as i64
    }

    /// Returns a number of steps as a number of SVG units.
    fn text(self, n: i64) -> String {
        let (whole, part) = (n / self.steps(), (n % self.steps()).abs());
        match (part, n < 0 && whole == 0) {
            (0, _) => whole.to_string(),
            (_, true) => format!("-0.{part}"),
            (_, false) => format!("{whole}.{part}"),
        }
    }
}

impl Picture {
    /// Returns the picture as an SVG document. The document is `size` pixels wide, unless the page
    /// that contains it sets another size.
    pub fn to_svg(&self, size: u32) -> String {
        let [w, h] = self.size();
        let mut writer = SvgWriter::new(SvgPrecision::TenThousandth);
        let elements = writer.elements(self);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{size}\" height=\"{}\" viewBox=\"0 0 {} {}\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\"><defs>{}</defs>{elements}</svg>\n",
            (f64::from(size) * h / w).round(),
            w * SVG_UNIT,
            h * SVG_UNIT,
            writer.definitions(),
        )
    }
}

/// Writes pictures as SVG elements, and collects the definitions that the elements refer to.
///
/// The id of a definition depends only on its content. Therefore several pictures on one page never
/// use the same id for different definitions.
pub struct SvgWriter {
    precision: SvgPrecision,
    /// The clips and gradients.
    definitions: BTreeSet<String>,
}

impl SvgWriter {
    /// Makes a writer without definitions.
    pub fn new(precision: SvgPrecision) -> SvgWriter {
        SvgWriter { precision, definitions: BTreeSet::new() }
    }

    /// Returns the elements of a picture without an `<svg>` element around them.
    pub fn elements(&mut self, picture: &Picture) -> String {
        let mut text = String::new();
        for shape in picture.shapes() {
            let clip = shape.clip.map_or_else(String::new, |clip| format!(" clip-path=\"url(#{})\"", self.clip(clip)));
            let d = self.path_data(shape.path.elements());
            // Writing to a string cannot fail.
            let _ = match shape.paint {
                Paint::Fill(colour) => {
                    write!(text, "<path fill=\"{colour}\"{}{clip} d=\"{d}\"/>", opacity_attribute(colour, "fill"))
                }
                Paint::Line { colour, width } => write!(
                    text,
                    "<path fill=\"none\" stroke=\"{colour}\"{} stroke-width=\"{}\"{clip} d=\"{d}\"/>",
                    opacity_attribute(colour, "stroke"),
                    self.precision.text(self.precision.round(width).max(1)),
                ),
                Paint::Soft { colour, centre, radius } => {
                    let id = self.gradient(colour, centre, radius);
                    write!(text, "<path fill=\"url(#{id})\"{clip} d=\"{d}\"/>")
                }
            };
        }
        text
    }

    /// Returns the definitions of all elements so far.
    pub fn definitions(&self) -> String {
        self.definitions.iter().map(String::as_str).collect()
    }

    /// Defines a clip, and returns its id.
    fn clip(&mut self, clip: Rect) -> String {
        let id = self.id("c", &[clip.x0, clip.y0, clip.x1, clip.y1]);
        let outline = self.path_data(clip.to_path(0.1).elements());
        self.definitions.insert(format!("<clipPath id=\"{id}\"><path d=\"{outline}\"/></clipPath>"));
        id
    }

    /// Defines a gradient, and returns its id.
    fn gradient(&mut self, colour: Colour, centre: Point, radius: f64) -> String {
        let Colour { r, g, b, a } = colour;
        let id = self.id(&format!("s{r:02x}{g:02x}{b:02x}{a:02x}_"), &[centre.x, centre.y, radius]);
        let [x, y, radius] =
            [centre.x, centre.y, radius].map(|length| self.precision.text(self.precision.round(length)));
        self.definitions.insert(format!(
            "<radialGradient id=\"{id}\" gradientUnits=\"userSpaceOnUse\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\">\
             <stop stop-color=\"{colour}\" stop-opacity=\"{}\"/>\
             <stop offset=\"1\" stop-color=\"{colour}\" stop-opacity=\"0\"/></radialGradient>",
            share(a),
        ));
        id
    }

    /// Returns the id of a definition: `prefix` followed by the lengths.
    fn id(&self, prefix: &str, lengths: &[f64]) -> String {
        let lengths: Vec<String> =
            lengths.iter().map(|length| self.precision.text(self.precision.round(*length))).collect();
        format!("{prefix}{}", lengths.join("_"))
    }

    fn path_data(&self, elements: &[PathEl]) -> String {
        let mut path =
            PathWriter { precision: self.precision, text: String::new(), last: ' ', start: [0; 2], here: [0; 2] };
        let mut rest = elements;
        while let Some((first, after)) = rest.split_first() {
            if let Some((circle, after)) = RoundPath::at(rest) {
                path.circle(&circle);
                rest = after;
                continue;
            }
            rest = after;
            match *first {
                PathEl::MoveTo(p) => path.add('m', &[p]),
                PathEl::LineTo(p) => path.add('l', &[p]),
                PathEl::QuadTo(a, p) => path.add('q', &[a, p]),
                PathEl::CurveTo(a, b, p) => path.add('c', &[a, b, p]),
                PathEl::ClosePath => path.close(),
            }
        }
        path.text
    }
}

fn opacity_attribute(colour: Colour, property: &str) -> String {
    match colour.a {
        255 => String::new(),
        a => format!(" {property}-opacity=\"{}\"", share(a)),
    }
}

/// Converts a value from 0 to 255 into a fraction from 0 to 1, rounded to three decimals.
fn share(part: u8) -> f64 {
    (f64::from(part) / 0.255).round() / 1000.0
}

/// A circle in a path. In SVG, a circle is shorter as two arcs than as four curves.
struct RoundPath {
    from: Point,
    /// The point opposite `from` on the circle.
    to: Point,
    radius: f64,
    is_clockwise: bool,
}

impl RoundPath {
    /// Returns the circle at the beginning of a path, and the path after it. Returns `None` if the
    /// path does not begin with a circle.
    fn at(path: &[PathEl]) -> Option<(RoundPath, &[PathEl])> {
        /// The length of the handles of a curve that is a quarter of a circle, in radii.
        const HANDLE: f64 = 0.5523;
        let (part, after) = path.split_at_checked(6)?;
        let [
            PathEl::MoveTo(from),
            PathEl::CurveTo(a, b, quarter),
            PathEl::CurveTo(_, _, to),
            PathEl::CurveTo(_, _, last),
            PathEl::CurveTo(_, _, end),
            PathEl::ClosePath,
        ] = *part
        else {
            return None;
        };
        let centre = from.midpoint(to);
        let (x, y) = (from - centre, quarter - centre);
        let expected = [(a, from + y * HANDLE), (b, quarter + x * HANDLE), (last, centre - y), (end, from)];
        let is_round = (x.hypot() - y.hypot()).abs() < 0.001 && x.dot(y).abs() < 0.02 * x.hypot2();
        let is_circle = is_round && expected.iter().all(|(point, expected)| (*point - *expected).hypot() < 0.001);
        let circle = RoundPath { from, to, radius: x.hypot(), is_clockwise: x.cross(y) > 0.0 };
        is_circle.then_some((circle, after))
    }
}

/// Writes the `d` attribute of an SVG path. Lengths are in steps of the precision.
struct PathWriter {
    precision: SvgPrecision,
    text: String,
    /// The last command letter; a space before the first command.
    last: char,
    /// The first point of the current subpath, and below it the current point.
    start: [i64; 2],
    here: [i64; 2],
}

impl PathWriter {
    fn circle(&mut self, circle: &RoundPath) {
        self.add('m', &[circle.from]);
        let [x, y] = [circle.to.x, circle.to.y].map(|length| self.precision.round(length));
        let [x, y] = [x - self.here[0], y - self.here[1]];
        let r = self.precision.text(self.precision.round(circle.radius).max(1));
        let sweep = u8::from(circle.is_clockwise);
        let [x, y, back_x, back_y] = [x, y, -x, -y].map(|n| self.precision.text(n));
        let _ = write!(self.text, "a{r} {r} 0 1 {sweep} {x} {y}a{r} {r} 0 1 {sweep} {back_x} {back_y}z");
        self.last = 'z';
    }

    fn close(&mut self) {
        self.text.push('z');
        self.last = 'z';
        self.here = self.start;
    }

    fn add(&mut self, command: char, points: &[Point]) {
        // Omits the letter of a repeated command, except `m`, and of a line that follows a move.
        if command != self.last && !(command == 'l' && self.last == 'm') || command == 'm' {
            self.text.push(command);
            self.last = command;
        }
        let mut end = self.here;
        for point in points {
            // Each offset is relative to the previous rounded point, so that rounding errors do not
            // add up.
            end = [point.x, point.y].map(|length| self.precision.round(length));
            for (to, from) in end.into_iter().zip(self.here) {
                let n = to - from;
                if n >= 0 && self.text.ends_with(|c: char| c.is_ascii_digit()) {
                    self.text.push(' ');
                }
                self.text += &self.precision.text(n);
            }
        }
        self.here = end;
        if command == 'm' {
            self.start = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use kurbo::{BezPath, Circle};

    use super::*;

    fn data(path: &BezPath) -> String {
        SvgWriter::new(SvgPrecision::Thousandth).path_data(path.elements())
    }

    #[test]
    fn paths_are_short_and_do_not_drift() {
        let mut path = BezPath::new();
        path.move_to((0.1, 0.2));
        path.line_to((0.3, 0.1));
        path.line_to((0.3004, 0.2));
        path.curve_to((0.3, 0.3), (0.2, 0.3), (0.1, 0.3));
        path.close_path();
        path.move_to((0.0, 0.0));
        path.line_to((1.0, 1.0));
        assert_eq!(data(&path), "m100 200 200-100 0 100c0 100-100 100-200 100zm-100-200 1000 1000");
        let exact = SvgWriter::new(SvgPrecision::TenThousandth).path_data(path.elements());
        assert_eq!(exact, "m100 200 200-100 0.4 100c-0.4 100-100.4 100-200.4 100zm-100-200 1000 1000");
    }

    #[test]
    fn circles_are_arcs() {
        let circle = Circle::new((0.5, 0.5), 0.1);
        assert_eq!(data(&circle.to_path(0.002)), "m600 500a100 100 0 1 1 -200 0a100 100 0 1 1 200 0z");
        let square = Rect::new(0.0, 0.0, 1.0, 1.0).to_rounded_rect(0.2).to_path(0.002);
        assert!(!data(&square).contains('a'));
    }

    #[test]
    fn equal_definitions_are_written_once() {
        let mut writer = SvgWriter::new(SvgPrecision::Thousandth);
        let mut picture = Picture::default();
        picture.soft_disc(Point::new(0.5, 0.5), 0.2, Colour::from([1, 2, 3]));
        let first = writer.elements(&picture);
        assert!(first.starts_with("<path fill=\"url(#s010203"), "{first}");
        assert_eq!(writer.elements(&picture), first);
        assert_eq!(writer.definitions().matches("<radialGradient").count(), 1);
    }
}
