//! A vector picture: shapes from back to front, which become pixels or SVG.

use std::collections::BTreeSet;
use std::fmt::Write;

use kurbo::{Affine, BezPath, Circle, PathEl, Point, Rect, Shape as _, Size, Vec2};
use theme::Colour;

/// The way in which a shape is painted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Paint {
    /// A fill by the non-zero rule.
    Fill(Colour),
    /// A line with round ends and corners.
    Line {
        /// The colour of the line.
        colour: Colour,
        /// The width of the line, in units of the picture.
        width: f64,
    },
    /// A colour that fades from `centre` to transparent at `radius`.
    Soft {
        /// The colour in the centre.
        colour: Colour,
        /// The point with the full colour.
        centre: Point,
        /// The distance from the centre at which the colour is fully transparent.
        radius: f64,
    },
}

/// One shape of a picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    /// The path of the shape, in the picture's units; y grows downwards.
    pub path: BezPath,
    /// The paint of the shape.
    pub paint: Paint,
    /// The rectangle outside which the shape is hidden; `None` if no part is hidden.
    pub clip: Option<Rect>,
}

impl Shape {
    /// Returns the bounding box of the shape, with the width of a line.
    fn bounds(&self) -> Rect {
        let outline = self.path.control_box();
        match self.paint {
            Paint::Line { width, .. } => outline.inflate(width / 2.0, width / 2.0),
            Paint::Fill(_) | Paint::Soft { .. } => outline,
        }
    }
}

/// A picture: shapes from back to front. Most pictures are the unit square. SVG and pixels show
/// only the parts of shapes that lie within the picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    size: [f64; 2],
    shapes: Vec<Shape>,
}

impl Default for Picture {
    /// Makes an empty picture of the size of the unit square.
    fn default() -> Self {
        Picture::new(1.0, 1.0)
    }
}

impl Picture {
    /// Makes an empty picture, `width` by `height` units.
    pub fn new(width: f64, height: f64) -> Picture {
        Picture { size: [width, height], shapes: Vec::new() }
    }

    /// Returns the width and height of the picture, in units.
    pub fn size(&self) -> [f64; 2] {
        self.size
    }

    /// Returns the shapes from back to front.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// Adds a shape in front of the other shapes.
    pub fn add(&mut self, path: impl Into<BezPath>, paint: Paint) {
        self.shapes.push(Shape { path: path.into(), paint, clip: None });
    }

    /// Adds a filled shape.
    pub fn fill(&mut self, path: impl Into<BezPath>, colour: Colour) {
        self.add(path, Paint::Fill(colour));
    }

    /// Adds a line along `path`.
    pub fn line(&mut self, path: impl Into<BezPath>, colour: Colour, width: f64) {
        self.add(path, Paint::Line { colour, width });
    }

    /// Adds a filled circle.
    pub fn disc(&mut self, centre: Point, radius: f64, colour: Colour) {
        self.fill(Circle::new(centre, radius).to_path(0.002), colour);
    }

    /// Adds filled circles of one colour.
    pub fn discs(&mut self, discs: &[(Point, f64)], colour: Colour) {
        let mut path = BezPath::new();
        for (centre, radius) in discs {
            if *radius < 0.008 {
                // A hexagon is enough, because such a dot is too small for its corners to be
                // visible.
                let corner = |i: i32| *centre + Vec2::from_angle(f64::from(i) * std::f64::consts::FRAC_PI_3) * *radius;
                path.extend(polygon(&[0, 1, 2, 3, 4, 5].map(corner)));
            } else {
                path.extend(Circle::new(*centre, *radius).path_elements(0.002));
            }
        }
        if !discs.is_empty() {
            self.fill(path, colour);
        }
    }

    /// Adds a circle of colour that fades outwards.
    pub fn soft_disc(&mut self, centre: Point, radius: f64, colour: Colour) {
        self.add(Circle::new(centre, radius).to_path(0.01), Paint::Soft { colour, centre, radius });
    }

    /// Adds a filled polygon.
    pub fn polygon(&mut self, points: &[Point], colour: Colour) {
        self.fill(polygon(points), colour);
    }

    /// Adds a filled rectangle.
    pub fn rect(&mut self, rect: Rect, colour: Colour) {
        self.fill(rect.to_path(0.1), colour);
    }

    /// Adds the shapes of `other`, transformed by `place`, with scaled line widths. Does not cut
    /// off shapes at the bounds of `other`.
    pub fn put(&mut self, other: &Picture, place: Affine) {
        let scale = place.determinant().abs().sqrt();
        self.shapes.extend(other.shapes.iter().map(|shape| {
            let paint = match shape.paint {
                Paint::Fill(colour) => Paint::Fill(colour),
                Paint::Line { colour, width } => Paint::Line { colour, width: width * scale },
                Paint::Soft { colour, centre, radius } => {
                    Paint::Soft { colour, centre: place * centre, radius: radius * scale }
                }
            };
            let clip = shape.clip.map(|clip| place.transform_rect_bbox(clip));
            Shape { path: place * shape.path.clone(), paint, clip }
        }));
    }

    /// Adds the shapes of `other`, moved by `by` and cut off at the bounds of `other`, so that
    /// `other` can lie beside another picture.
    pub fn put_clipped(&mut self, other: &Picture, by: Vec2) {
        let edges = Rect::from_origin_size(by.to_point(), Size::from(<(f64, f64)>::from(other.size)));
        self.put_within(other, Affine::translate(by), edges);
    }

    /// Adds the shapes of `other`, transformed by `place` and cut off at `edges`.
    pub fn put_within(&mut self, other: &Picture, place: Affine, edges: Rect) {
        let n_before = self.shapes.len();
        self.put(other, place);
        for shape in self.shapes.iter_mut().skip(n_before) {
            if !edges.contains_rect(shape.bounds()) {
                shape.clip = Some(shape.clip.map_or(edges, |clip| clip.intersect(edges)));
            }
        }
    }

    /// Returns the picture with each colour replaced by the result of `change`.
    pub fn with_colours(mut self, change: impl Fn(Colour) -> Colour) -> Picture {
        for shape in &mut self.shapes {
            match &mut shape.paint {
                Paint::Fill(colour) | Paint::Line { colour, .. } | Paint::Soft { colour, .. } => {
                    *colour = change(*colour);
                }
            }
        }
        self
    }

    /// Returns the picture as an SVG document. The document is `size` pixels wide, unless the page
    /// that contains it sets another size.
    pub fn to_svg(&self, size: u32) -> String {
        let [w, h] = self.size;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{size}\" height=\"{}\" viewBox=\"0 0 {} {}\">\n",
            (f64::from(size) * h / w).round(),
            format_number(w * 1000.0),
            format_number(h * 1000.0),
        );
        // The id of a definition depends only on its content. Therefore several pictures on one
        // page, as in a notebook, never use the same id for different definitions.
        let mut definitions: BTreeSet<String> = BTreeSet::new();
        let mut body = String::new();
        for shape in &self.shapes {
            let d = path_data(&shape.path);
            let cut = shape.clip.map_or_else(String::new, |clip| {
                let name = definition_id("c", &[clip.x0, clip.y0, clip.x1, clip.y1]);
                let outline = path_data(&clip.to_path(0.1));
                definitions.insert(format!("<clipPath id=\"{name}\"><path d=\"{outline}\"/></clipPath>\n"));
                format!(" clip-path=\"url(#{name})\"")
            });
            // Writing to a string cannot fail.
            let _ = match shape.paint {
                Paint::Fill(colour) => {
                    writeln!(body, "<path d=\"{d}\" fill=\"{colour}\"{}{cut}/>", opacity_attribute(colour, "fill"))
                }
                Paint::Line { colour, width } => writeln!(
                    body,
                    "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\"{} stroke-width=\"{}\" stroke-linecap=\"round\" \
                     stroke-linejoin=\"round\"{cut}/>",
                    opacity_attribute(colour, "stroke"),
                    format_number(width * 1000.0),
                ),
                Paint::Soft { colour, centre, radius } => {
                    let Colour { r, g, b, a } = colour;
                    let shade = format!("s{r:02x}{g:02x}{b:02x}{a:02x}_");
                    let name = definition_id(&shade, &[centre.x, centre.y, radius]);
                    definitions.insert(format!(
                        "<radialGradient id=\"{name}\" gradientUnits=\"userSpaceOnUse\" cx=\"{}\" cy=\"{cy}\" r=\"{r}\">\
                         <stop offset=\"0\" stop-color=\"{colour}\" stop-opacity=\"{}\"/>\
                         <stop offset=\"1\" stop-color=\"{colour}\" stop-opacity=\"0\"/></radialGradient>\n",
                        format_number(centre.x * 1000.0),
                        format_number(f64::from(colour.a) / 255.0),
                        r = format_number(radius * 1000.0),
                        cy = format_number(centre.y * 1000.0),
                    ));
                    writeln!(body, "<path d=\"{d}\" fill=\"url(#{name})\"{cut}/>")
                }
            };
        }
        if !definitions.is_empty() {
            let _ = writeln!(svg, "<defs>{}</defs>", definitions.into_iter().collect::<String>());
        }
        svg + &body + "</svg>\n"
    }
}

/// Returns a closed path through `points`.
pub(crate) fn polygon(points: &[Point]) -> BezPath {
    let mut path = BezPath::new();
    for (i, point) in points.iter().enumerate() {
        if i == 0 { path.move_to(*point) } else { path.line_to(*point) }
    }
    path.close_path();
    path
}

/// Returns the id of an SVG definition: `prefix`, and `numbers` in thousandths of a unit.
fn definition_id(prefix: &str, numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|n| format_number(n * 1000.0)).collect();
    format!("{prefix}{}", numbers.join("_"))
}

fn opacity_attribute(colour: Colour, property: &str) -> String {
    match colour.a {
        255 => String::new(),
        a => format!(" {property}-opacity=\"{}\"", format_number(f64::from(a) / 255.0)),
    }
}

/// Returns a path as SVG path data. The unit is a thousandth of the picture's unit, which keeps the
/// numbers short.
fn path_data(path: &BezPath) -> String {
    let mut d = String::new();
    let at = |p: Point| format!("{} {}", format_number(p.x * 1000.0), format_number(p.y * 1000.0));
    for element in path.elements() {
        match *element {
            PathEl::MoveTo(p) => d += &format!("M{}", at(p)),
            PathEl::LineTo(p) => d += &format!("L{}", at(p)),
            PathEl::QuadTo(a, p) => d += &format!("Q{} {}", at(a), at(p)),
            PathEl::CurveTo(a, b, p) => d += &format!("C{} {} {}", at(a), at(b), at(p)),
            PathEl::ClosePath => d += "Z",
        }
    }
    d
}

fn format_number(n: f64) -> String {
    let text = format!("{n:.1}");
    if n.abs() < 10.0 && n.fract() != 0.0 {
        return format!("{n:.3}");
    }
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
