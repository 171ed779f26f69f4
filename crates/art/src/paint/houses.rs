//! Draws houses, and plans villages at crossings.

use kurbo::{Affine, BezPath, Line, Point, Shape, Vec2};
use theme::{Colour, LandStyle};

use super::brush::{Brush, SHADOW_OFFSET};
use crate::lines::LineEnd;
use crate::picture::{Picture, polygon};

/// A house on the picture.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct House {
    /// The centre of the house.
    pub(super) at: Point,
    /// Half of the length along the ridge, and half of the width.
    pub(super) half: [f64; 2],
    /// The direction of the ridge.
    pub(super) angle: f64,
    pub(super) roof: Colour,
}

/// The sizes of houses at full detail, from small to large: half of the length and half of the
/// width.
pub(super) const SIZES: [[f64; 2]; 3] = [[0.027, 0.021], [0.039, 0.027], [0.054, 0.033]];

/// The corners of a rectangle, relative to its centre and half of its sides.
pub(super) const CORNERS: [(f64, f64); 4] = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];

impl House {
    /// Returns the distance from the house to a point of the picture.
    pub(super) fn distance(&self, p: Point) -> f64 {
        Lot { at: self.at, half: self.half, along: Vec2::from_angle(self.angle) }.distance(p)
    }
}

/// A rectangle on the plan that a house or a part of a street covers.
#[derive(Clone, Copy)]
pub(super) struct Lot {
    pub(super) at: Point,
    pub(super) half: [f64; 2],
    /// The unit vector along the first side.
    pub(super) along: Vec2,
}

impl Lot {
    /// Returns the point that lies `a` half lengths along the lot, and `b` half widths across it,
    /// from its centre.
    pub(super) fn corner(&self, a: f64, b: f64) -> Point {
        self.at + self.along * (a * self.half[0]) + self.along.turn_90() * (b * self.half[1])
    }

    /// Returns half of the length of the lot, seen along `axis`.
    pub(super) fn extent(&self, axis: Vec2) -> f64 {
        self.half[0] * self.along.dot(axis).abs() + self.half[1] * self.along.cross(axis).abs()
    }

    /// Returns whether less than `gap` lies between the two lots.
    pub(super) fn is_near(&self, other: &Lot, gap: f64) -> bool {
        let between = other.at - self.at;
        let reach = self.half[0] + self.half[1] + other.half[0] + other.half[1] + gap;
        if between.hypot2() > reach * reach {
            return false;
        }
        let axes = [self.along, self.along.turn_90(), other.along, other.along.turn_90()];
        axes.iter().all(|axis| between.dot(*axis).abs() < self.extent(*axis) + other.extent(*axis) + gap)
    }

    /// Returns the distance from the lot to `p`.
    pub(super) fn distance(&self, p: Point) -> f64 {
        let to = p - self.at;
        let outside = |along: f64, half: f64| (along.abs() - half).max(0.0);
        outside(to.dot(self.along), self.half[0]).hypot(outside(to.cross(self.along), self.half[1]))
    }
}

/// Returns the houses around the crossings of paths, which mark the ends of the paths. The houses
/// leave room for pieces and icons.
pub(super) fn villages(brush: &Brush<'_>) -> Vec<House> {
    let Some(scale) = brush.house_scale.filter(|_| brush.is_detailed).map(f64::sqrt) else { return Vec::new() };
    let colours = brush.colours;
    let mut rng = brush.rng(8);
    let mut houses = Vec::new();
    for crossing in crossings(brush) {
        for (x, y) in CORNERS {
            let mut half = SIZES[rng.pick(&[0, 1, 1, 2])].map(|side| side * scale);
            let roof = rng.pick(&[colours.roof_1, colours.roof_1, colours.roof_2, colours.roof_3]);
            let is_turned = rng.random_bool(0.5);
            if is_turned {
                half.reverse();
            }
            let at = crossing + Vec2::new(x * (0.078 + half[0]), y * (0.078 + half[1]));
            let lot = Lot { at, half, along: Vec2::new(1.0, 0.0) };
            let is_free = |(a, b)| {
                let p = lot.corner(a, b);
                brush.has_style(brush.plan.raster.zone(p), LandStyle::Ground)
                    && brush.plan.raster.border_distance(p) > 0.006
            };
            let is_free = CORNERS.into_iter().all(is_free)
                && brush.reserved.iter().all(|(centre, radius)| lot.distance(*centre) > *radius);
            if is_free && rng.random_bool(0.85) {
                let along = if is_turned { Vec2::new(0.0, 1.0) } else { Vec2::new(1.0, 0.0) };
                half.sort_by(|a, b| b.total_cmp(a));
                houses.push(House { at: brush.map_point(at), half, angle: brush.map_direction(along).atan2(), roof });
            }
        }
    }
    houses
}

/// Returns the points of the plan at which three or more arms of paths meet, or at which different
/// paths end.
pub(super) fn crossings(brush: &Brush<'_>) -> Vec<Point> {
    let is_crossing = |p: Point| {
        let arms: Vec<usize> =
            brush.plan.lines.iter().filter(|l| l.end == LineEnd::Junction(p)).map(|line| line.zone).collect();
        arms.len() > 2 || arms.iter().any(|zone| Some(zone) != arms.first())
    };
    let junctions = brush.plan.junctions.iter().filter(|(style, p)| *style == LandStyle::Path && is_crossing(*p));
    junctions.map(|(_, p)| *p).collect()
}

/// Draws houses that do not overlap, seen from above: two slopes of the roof, the ridge and a
/// shadow. Draws all shadows as one shape, and all ridges of the same colour as one shape.
pub(super) fn draw(brush: &Brush<'_>, picture: &mut Picture, houses: &[House]) {
    let colours = brush.colours;
    let (mut shadows, mut chimneys) = (BezPath::new(), Vec::new());
    // Filling one path that contains many slopes is slower than filling many paths with one slope
    // each.
    let mut slopes = Picture::default();
    let mut ridges: Vec<(Colour, BezPath)> = Vec::new();
    let mut snow = BezPath::new();
    // The width of the dark line around a roof, which separates the roofs of small tiles.
    let line = 0.0025 + (brush.bold - 1.0) * 0.02;
    for house in houses {
        let direction = Vec2::from_angle(house.angle);
        let (along, across) = (direction * house.half[0], direction.turn_90() * house.half[1]);
        let corner = |a: f64, b: f64| house.at + along * a + across * b;
        let outline = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        // The larger the house, the longer its shadow.
        shadows.extend(polygon(&outline.map(|p| p + SHADOW_OFFSET * (0.6 + house.half[1] * 30.0 / brush.bold))));
        let rim = |a: f64, b: f64| corner(a, b) + direction * (a * line) + direction.turn_90() * (b * line);
        let edge = [rim(-1.0, -1.0), rim(1.0, -1.0), rim(1.0, 1.0), rim(-1.0, 1.0)];
        slopes.polygon(&edge, house.roof.darken(0.5));
        // The north-western slope is lit. Rounding limits the number of different shades.
        let lit = -(across.x * 0.55 + across.y * 0.83) / house.half[1];
        let lit = (lit * 4.0).round() / 4.0;
        let far = [corner(-1.0, 0.0), corner(1.0, 0.0), corner(1.0, -1.0), corner(-1.0, -1.0)];
        slopes.polygon(&outline, shade(house.roof, lit));
        slopes.polygon(&far, shade(house.roof, -lit));
        let ridge = Line::new(corner(-0.96, 0.0), corner(0.96, 0.0)).to_path(0.1);
        add(&mut ridges, house.roof.lighten(0.38), ridge);
        if house.half[0] > 0.04 {
            chimneys.push((corner(0.45, 0.35), 0.0065));
        }
        // Snow stays on the shaded slope.
        let side = if lit < 0.0 { 1.0 } else { -1.0 };
        let patch = [(-0.9, 0.12), (0.9, 0.12), (0.9, 0.86), (-0.9, 0.86)].map(|(a, b)| corner(a, b * side));
        snow.extend(polygon(&patch));
    }
    picture.fill(shadows, colours.shadow.with_alpha(0.32));
    picture.put(&slopes, Affine::IDENTITY);
    if colours.bare_trees {
        picture.fill(snow, colours.ground_light.with_alpha(0.82));
    }
    ridges.into_iter().for_each(|(colour, path)| picture.line(path, colour, 0.006));
    picture.discs(&chimneys, colours.roof_2.darken(0.6));
}

/// Adds `path` to the paths with the colour `colour`.
fn add(paths: &mut Vec<(Colour, BezPath)>, colour: Colour, path: BezPath) {
    match paths.iter_mut().find(|(known, _)| *known == colour) {
        Some((_, known)) => known.extend(path),
        None => paths.push((colour, path)),
    }
}

fn shade(colour: Colour, lit: f64) -> Colour {
    if lit > 0.0 { colour.lighten(0.16 * lit) } else { colour.darken(-0.26 * lit) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lots_are_near_if_the_gap_between_their_sides_is_small() {
        let lot =
            |x: f64, y: f64, angle: f64| Lot { at: Point::new(x, y), half: [0.2, 0.1], along: Vec2::from_angle(angle) };
        let one = lot(0.0, 0.0, 0.0);
        assert!(one.is_near(&lot(0.41, 0.0, 0.0), 0.02) && !one.is_near(&lot(0.41, 0.0, 0.0), 0.005));
        assert!(one.is_near(&lot(0.0, 0.21, 0.0), 0.02) && !one.is_near(&lot(0.0, 0.21, 0.0), 0.005));
        // The bounding boxes of these two overlap.
        assert!(!one.is_near(&lot(0.26, 0.2, -0.785), 0.005));
        assert!((one.distance(Point::new(0.5, 0.5)) - 0.5).abs() < 1e-9 && one.distance(Point::new(0.1, 0.0)) == 0.0);
    }
}
