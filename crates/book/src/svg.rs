//! Pictures as SVG elements. A page contains thousands of shapes, so their text is short: points
//! are whole numbers, relative to the point before.

use std::collections::BTreeMap;
use std::fmt::Write;

use art::kurbo::{PathEl, Point, Rect, Shape as _};
use art::{Colour, Paint, Picture};

/// The number of SVG units in a unit of a picture, such as the width of a tile.
pub(crate) const UNIT: f64 = 1000.0;

/// The style of the elements that [`SvgWriter`] writes.
pub(crate) const STYLE: &str = ".l{fill:none;stroke-linecap:round;stroke-linejoin:round}";

/// Writes pictures as SVG elements, and collects the definitions that the elements refer to.
#[derive(Default)]
pub(crate) struct SvgWriter {
    /// The clips and gradients, each with its number. The texts have `@` in place of the id.
    definitions: BTreeMap<String, usize>,
}

impl SvgWriter {
    /// Returns the elements of a picture without an `<svg>` element around them.
    pub(crate) fn elements(&mut self, picture: &Picture) -> String {
        let mut text = String::new();
        for shape in picture.shapes() {
            let clip = shape.clip.map(|clip| self.define(clip_path(clip)));
            let clip = clip.map_or_else(String::new, |id| format!(" clip-path=\"url(#{id})\""));
            let d = path_data(shape.path.elements());
            // Writing to a string cannot fail.
            let _ = match shape.paint {
                Paint::Fill(colour) => {
                    write!(text, "<path fill=\"{colour}\"{}{clip} d=\"{d}\"/>", opacity(colour, "fill"))
                }
                Paint::Line { colour, width } => write!(
                    text,
                    "<path class=\"l\" stroke=\"{colour}\"{} stroke-width=\"{}\"{clip} d=\"{d}\"/>",
                    opacity(colour, "stroke"),
                    (width * UNIT).max(1.0).round(),
                ),
                Paint::Soft { colour, centre, radius } => {
                    let id = self.define(gradient(colour, centre, radius));
                    write!(text, "<path fill=\"url(#{id})\"{clip} d=\"{d}\"/>")
                }
            };
        }
        text
    }

    /// Returns the definitions of all elements so far.
    pub(crate) fn definitions(&self) -> String {
        let definition = |(text, n): (&String, &usize)| text.replacen('@', &id_of(*n), 1);
        self.definitions.iter().map(definition).collect()
    }

    /// Returns the id of a definition.
    fn define(&mut self, text: String) -> String {
        let n = self.definitions.len();
        id_of(*self.definitions.entry(text).or_insert(n))
    }
}

/// Returns the id of a definition. The underscore keeps it apart from ids of mods.
fn id_of(n: usize) -> String {
    format!("def_{n}")
}

fn clip_path(clip: Rect) -> String {
    format!("<clipPath id=\"@\"><path d=\"{}\"/></clipPath>", path_data(clip.to_path(0.1).elements()))
}

fn gradient(colour: Colour, centre: Point, radius: f64) -> String {
    let [x, y, r] = [centre.x, centre.y, radius].map(|length| (length * UNIT).round());
    let alpha = share(colour.a);
    format!(
        "<radialGradient id=\"@\" gradientUnits=\"userSpaceOnUse\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\">\
         <stop stop-color=\"{colour}\" stop-opacity=\"{alpha}\"/>\
         <stop offset=\"1\" stop-color=\"{colour}\" stop-opacity=\"0\"/></radialGradient>"
    )
}

fn opacity(colour: Colour, property: &str) -> String {
    match colour.a {
        255 => String::new(),
        a => format!(" {property}-opacity=\"{}\"", share(a)),
    }
}

/// Returns a part of 255 as a share with two digits.
fn share(part: u8) -> f64 {
    (f64::from(part) / 2.55).round() / 100.0
}

fn path_data(elements: &[PathEl]) -> String {
    let mut path = PathText::default();
    let mut rest = elements;
    while let Some((first, after)) = rest.split_first() {
        if let Some((circle, after)) = Circle::at(rest) {
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
            PathEl::ClosePath => {
                path.text.push('z');
                path.last = 'z';
                path.here = path.start;
            }
        }
    }
    path.text
}

/// A closed circle in a path, which is shorter as two arcs than as four curves.
struct Circle {
    from: Point,
    /// The point opposite of `from`.
    to: Point,
    radius: f64,
    is_clockwise: bool,
}

impl Circle {
    /// Returns the circle at the beginning of a path, and the path after it. Returns `None` if the
    /// path does not begin with a circle.
    fn at(path: &[PathEl]) -> Option<(Circle, &[PathEl])> {
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
        let circle = Circle { from, to, radius: x.hypot(), is_clockwise: x.cross(y) > 0.0 };
        is_circle.then_some((circle, after))
    }
}

#[derive(Default)]
struct PathText {
    text: String,
    /// The last command; a space before the first one.
    last: char,
    /// The first point of the current part, and the current point.
    start: [i64; 2],
    here: [i64; 2],
}

impl PathText {
    fn circle(&mut self, circle: &Circle) {
        self.add('m', &[circle.from]);
        let [x, y] = [circle.to.x, circle.to.y].map(|length| (length * UNIT).round() as i64);
        let [x, y] = [x - self.here[0], y - self.here[1]];
        let r = (circle.radius * UNIT).round().max(1.0);
        let sweep = u8::from(circle.is_clockwise);
        let _ = write!(self.text, "a{r} {r} 0 1 {sweep} {x} {y}a{r} {r} 0 1 {sweep} {} {}z", -x, -y);
        self.last = 'z';
    }

    fn add(&mut self, command: char, points: &[Point]) {
        // Equal commands are written once. After a move, a line needs no command.
        if command != self.last && !(command == 'l' && self.last == 'm') || command == 'm' {
            self.text.push(command);
            self.last = command;
        }
        let mut end = self.here;
        for point in points {
            // Numbers relative to a rounded point never drift away.
            end = [point.x, point.y].map(|length| (length * UNIT).round() as i64);
            for (to, from) in end.into_iter().zip(self.here) {
                let n = to - from;
                if n >= 0 && self.text.ends_with(|c: char| c.is_ascii_digit()) {
                    self.text.push(' ');
                }
                // Writing to a string cannot fail.
                let _ = write!(self.text, "{n}");
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
    use art::kurbo::BezPath;

    use super::*;

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
        assert_eq!(path_data(path.elements()), "m100 200 200-100 0 100c0 100-100 100-200 100zm-100-200 1000 1000");
    }

    #[test]
    fn circles_are_arcs() {
        let circle = art::kurbo::Circle::new((0.5, 0.5), 0.1);
        assert_eq!(path_data(circle.to_path(0.002).elements()), "m600 500a100 100 0 1 1 -200 0a100 100 0 1 1 200 0z");
        let square = Rect::new(0.0, 0.0, 1.0, 1.0).to_rounded_rect(0.2).to_path(0.002);
        assert!(!path_data(square.elements()).contains('a'));
    }

    #[test]
    fn equal_definitions_are_written_once() {
        let mut writer = SvgWriter::default();
        let mut picture = Picture::default();
        picture.soft_disc(Point::new(0.5, 0.5), 0.2, Colour::from([1, 2, 3]));
        let first = writer.elements(&picture);
        assert!(first.starts_with("<path fill=\"url(#def_0)\" d=\"m"), "{first}");
        assert_eq!(writer.elements(&picture), first);
        assert_eq!(writer.definitions().matches("<radialGradient").count(), 1);
    }
}
