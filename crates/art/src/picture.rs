//! A vector picture: shapes from back to front, which become pixels or SVG.

use kurbo::{Affine, BezPath, Circle, Point, Rect, Shape as _, Size, Vec2};
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
