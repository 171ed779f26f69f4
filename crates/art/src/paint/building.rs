//! Paints single buildings with their yards, and other zones inside a tile.

use kurbo::{BezPath, Line, Point, Shape, Vec2};
use theme::{Colour, LandStyle};

use super::brush::Brush;
use super::{border, cover, nature};
use crate::picture::{Picture, polygon};
use crate::raster::distance_to_rim;
use crate::rng::PaintRng;

/// The height of the top of a building over the centre of its yard, relative to the radius of the
/// yard.
const HEIGHT: f64 = 1.36;

/// Paints the zones inside the tile: buildings, groves and coloured discs. Ponds are painted with
/// the other water, and icons later. Skips zones numbered less than `first_zone`: they are already
/// in the picture of the tile under the overlay.
pub(super) fn paint(brush: &Brush<'_>, picture: &mut Picture, first_zone: usize) {
    for (zone, p, r) in brush.plan.insides.iter().filter(|(zone, ..)| *zone >= first_zone) {
        match brush.styles[*zone] {
            LandStyle::Water | LandStyle::Ground | LandStyle::Icon => {}
            LandStyle::Wooded => paint_grove(brush, picture, *p, *r),
            LandStyle::Coloured => cover::paint_inside(brush, picture, *zone, *p, *r),
            _ => {
                let at = brush.map_point(*p);
                // The cross on the tower does not reach the rim of the tile.
                let r = (r * brush.bold).min(distance_to_rim(*p) + 0.02).min((at.y - 0.01) / HEIGHT);
                if brush.is_complete(*zone) {
                    border::paint_ring(brush, picture, at, r);
                }
                if brush.bold > 1.0 { sign(brush, picture, at, r) } else { paint_building(brush, picture, at, r) }
            }
        }
    }
}

fn paint_grove(brush: &Brush<'_>, picture: &mut Picture, p: Point, r: f64) {
    let mut rng = brush.rng(61);
    let colours = brush.colours;
    let mut trees: Vec<Point> = (0..14)
        .map(|_| brush.map_point(p + Vec2::from_angle(rng.between(0.0, 6.3)) * (r * rng.next_f64().sqrt())))
        .collect();
    trees.sort_by(|a, b| a.y.total_cmp(&b.y));
    for tree in trees {
        let crown = rng.pick(&[colours.wood_1, colours.wood_2, colours.wood_3]);
        nature::paint_tree(brush, picture, tree, 0.05, crown, &mut rng);
    }
}

/// Paints a church on a small tile as a sign: its front with a tall tower, pale with a dark
/// outline, on a light yard. Seen from above, it would look like any other roof.
fn sign(brush: &Brush<'_>, picture: &mut Picture, at: Point, r: f64) {
    let colours = brush.colours;
    let to = |(x, y): (f64, f64)| at + Vec2::new(x, y) * r;
    let ink = colours.ink.mix(colours.building_roof, 0.12);
    picture.disc(at, r, colours.yard.mix(colours.path_edge, 0.7));
    picture.disc(at, r * 0.9, colours.yard.lighten(0.25));
    let nave = [(-0.20, 0.06), (0.78, 0.06), (0.78, 0.66), (-0.20, 0.66)].map(to);
    let nave_roof = [(-0.20, 0.12), (-0.06, -0.38), (0.66, -0.38), (0.88, 0.12)].map(to);
    let tower = [(-0.68, -0.30), (-0.14, -0.30), (-0.14, 0.66), (-0.68, 0.66)].map(to);
    let spire = [(-0.78, -0.26), (-0.41, -1.0), (-0.04, -0.26)].map(to);
    for outline in [&nave[..], &nave_roof, &tower, &spire] {
        picture.line(polygon(outline), ink, r * 0.2);
    }
    let cross = |picture: &mut Picture, colour: Colour, width: f64| {
        let mut path = BezPath::new();
        for (a, b) in [((-0.41, -1.0), (-0.41, -1.30)), ((-0.55, -1.17), (-0.27, -1.17))] {
            path.move_to(to(a));
            path.line_to(to(b));
        }
        picture.line(path, colour, width);
    };
    cross(picture, ink, r * 0.13);
    picture.polygon(&nave, colours.building);
    picture.polygon(&nave_roof, colours.building_roof);
    picture.polygon(&tower, colours.building.lighten(0.4));
    picture.polygon(&spire, colours.building_roof.darken(0.12));
    picture.polygon(&[(-0.50, 0.66), (-0.50, 0.30), (-0.32, 0.30), (-0.32, 0.66)].map(to), ink);
    for x in [0.12, 0.48] {
        picture.polygon(&[(x, 0.50), (x, 0.26), (x + 0.13, 0.26), (x + 0.13, 0.50)].map(to), ink);
    }
}

/// Paints a church with a yard and a garden, in the same direction at every facing of the tile. It
/// is seen from the south and above, because from above it would look like any other roof.
fn paint_building(brush: &Brush<'_>, picture: &mut Picture, at: Point, r: f64) {
    let colours = brush.colours;
    let mut rng = brush.rng(62);
    paint_yard(brush, picture, at, r, &mut rng);
    let to = |(x, y): (f64, f64)| at + Vec2::new(x, y) * r;
    let shape = |picture: &mut Picture, points: &[(f64, f64)], colour: Colour| {
        picture.polygon(&points.iter().map(|p| to(*p)).collect::<Vec<_>>(), colour);
    };
    let (roof, wall) = (colours.building_roof, colours.building);
    let (lit, shaded, ink) = (wall.lighten(0.35), wall.darken(0.16), colours.ink.mix(colours.wall_dark, 0.45));
    // The whole church casts one shadow.
    let shadow = [(-0.62, 0.52), (0.80, 0.46), (1.00, 0.30), (0.96, -0.12), (0.30, -0.40), (-0.20, 0.0)];
    shape(picture, &shadow.map(|(x, y)| (x + 0.06, y + 0.10)), colours.shadow.with_alpha(0.32));
    // The garden in front of the nave.
    shape(picture, &[(-0.06, 0.52), (0.62, 0.52), (0.56, 0.80), (-0.06, 0.80)], colours.ground_dark);
    let bushes = [(0.06, 0.62), (0.24, 0.66), (0.42, 0.62)].map(|p| (to(p), r * 0.075));
    nature::paint_bushes(brush, picture, &bushes);
    // The choir at the eastern end, under a round roof.
    shape(picture, &[(0.62, 0.02), (0.84, 0.04), (0.92, 0.12), (0.92, 0.36), (0.84, 0.42), (0.62, 0.42)], shaded);
    shape(picture, &[(0.60, -0.26), (0.86, -0.04), (0.96, 0.12), (0.60, 0.12)], roof.darken(0.22));
    // The nave: its southern wall, the southern slope of its roof, and a strip of the northern.
    shape(picture, &[(-0.30, 0.0), (0.70, 0.0), (0.70, 0.46), (-0.30, 0.46)], wall);
    shape(picture, &[(-0.30, 0.40), (0.70, 0.40), (0.70, 0.46), (-0.30, 0.46)], shaded);
    shape(picture, &[(-0.30, -0.52), (0.58, -0.52), (0.66, -0.38), (-0.30, -0.38)], roof.lighten(0.14));
    shape(picture, &[(-0.30, -0.40), (0.64, -0.40), (0.78, 0.06), (-0.30, 0.06)], roof);
    let mut tiles = BezPath::new();
    for (y, x) in [(-0.26, 0.68), (-0.14, 0.715), (-0.03, 0.75)] {
        tiles.move_to(to((-0.28, y)));
        tiles.line_to(to((x, y)));
    }
    picture.line(tiles, roof.darken(0.25), r * 0.022);
    let ridge = Line::new(to((-0.28, -0.40)), to((0.64, -0.40)));
    picture.line(ridge.to_path(0.1), roof.lighten(0.42), r * 0.036);
    let eaves = Line::new(to((-0.28, 0.075)), to((0.77, 0.075)));
    picture.line(eaves.to_path(0.1), roof.darken(0.5), r * 0.03);
    for x in [-0.08, 0.14, 0.36, 0.56] {
        let window = [(x, 0.36), (x, 0.20), (x + 0.045, 0.15), (x + 0.09, 0.20), (x + 0.09, 0.36)];
        shape(picture, &window, ink);
    }
    // The tower at the western end: its front, its eastern side, and a pointed roof.
    let front = [(-0.74, -0.46), (-0.36, -0.46), (-0.36, 0.54), (-0.74, 0.54)];
    shape(picture, &front, lit);
    shape(picture, &[(-0.36, -0.46), (-0.22, -0.50), (-0.22, 0.44), (-0.36, 0.54)], shaded.darken(0.12));
    shape(picture, &[(-0.80, -0.42), (-0.53, -1.10), (-0.36, -0.42)], roof.lighten(0.10));
    shape(picture, &[(-0.36, -0.42), (-0.53, -1.10), (-0.17, -0.48)], roof.darken(0.30));
    shape(picture, &[(-0.62, 0.54), (-0.62, 0.32), (-0.55, 0.24), (-0.48, 0.32), (-0.48, 0.54)], ink);
    shape(picture, &[(-0.60, -0.08), (-0.60, -0.26), (-0.55, -0.32), (-0.50, -0.26), (-0.50, -0.08)], ink);
    picture.line(polygon(&front.map(to)), ink.with_alpha(0.55), r * 0.02);
    let mut cross = BezPath::new();
    for (a, b) in [((-0.53, -1.08), (-0.53, -1.30)), ((-0.60, -1.22), (-0.46, -1.22))] {
        cross.move_to(to(a));
        cross.line_to(to(b));
    }
    picture.line(cross, ink, r * 0.04);
    if colours.bare_trees {
        // Snow lies on the roof.
        let nave = [(-0.22, -0.50), (0.56, -0.50), (0.68, -0.18), (-0.22, -0.18)];
        shape(picture, &nave, colours.ground_light.with_alpha(0.85));
        shape(picture, &[(-0.64, -0.80), (-0.53, -1.10), (-0.44, -0.80)], colours.ground_light);
    }
    if brush.is_detailed {
        for p in [(0.72, 0.62), (-0.86, 0.26)] {
            nature::paint_tree(brush, picture, to(p), r * 0.14, colours.wood_1, &mut rng);
        }
    }
}

/// Paints the yard of a building with its hedge.
fn paint_yard(brush: &Brush<'_>, picture: &mut Picture, at: Point, r: f64, rng: &mut PaintRng) {
    let colours = brush.colours;
    picture.disc(at, r, colours.yard.mix(colours.path_edge, 0.55));
    picture.disc(at, r - 0.010, colours.yard);
    if !brush.is_detailed {
        return;
    }
    picture.soft_disc(at, r * 0.95, colours.yard.lighten(0.35));
    let n = (r * 105.0) as i32;
    let mut hedge = Vec::new();
    for i in 0..n {
        let angle = std::f64::consts::TAU * f64::from(i) / f64::from(n);
        let p = at + Vec2::from_angle(angle) * r;
        let back = brush.turn.inverse() * p;
        let is_way = brush.plan.lines.iter().any(|l| {
            l.style == LandStyle::Path
                && (0..=10).any(|i| (crate::lines::path_point(&l.path, f64::from(i) / 10.0) - back).hypot() < 0.085)
        });
        if !is_way {
            hedge.push((p, r * rng.between(0.085, 0.11)));
        }
    }
    nature::paint_bushes(brush, picture, &hedge);
}
