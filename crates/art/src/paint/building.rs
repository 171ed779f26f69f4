//! Paints single buildings with their yards, and other zones inside a tile.

use kurbo::{BezPath, Point, Vec2};
use theme::LandStyle;

use super::brush::{Brush, SHADOW_OFFSET};
use super::{cover, nature, town};
use crate::picture::{Picture, polygon};
use crate::raster::distance_to_rim;

/// Paints the zones inside the tile: buildings, groves and coloured discs. Ponds are painted with
/// the other water, and icons later. Skips zones numbered less than `first_zone`: they are already
/// in the picture of the tile under the overlay.
pub(super) fn paint(brush: &Brush<'_>, picture: &mut Picture, first_zone: usize) {
    for (zone, p, r) in brush.plan.insides.iter().filter(|(zone, ..)| *zone >= first_zone) {
        match brush.styles[*zone] {
            LandStyle::Water | LandStyle::Ground | LandStyle::Icon => {}
            LandStyle::Wooded => paint_grove(brush, picture, *p, *r),
            LandStyle::Coloured => cover::paint_inside(brush, picture, *zone, *p, *r),
            _ if brush.bold > 1.0 => {
                sign(brush, picture, brush.map_point(*p), (r * brush.bold).min(distance_to_rim(*p) + 0.02))
            }
            _ => paint_building(brush, picture, brush.map_point(*p), *r),
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

/// Paints a building on a small tile as a sign: its front with a tall tower, pale with a dark
/// outline, on a light yard. Seen from above, the building would look like any other roof.
fn sign(brush: &Brush<'_>, picture: &mut Picture, at: Point, r: f64) {
    let colours = brush.colours;
    let to = |(x, y): (f64, f64)| at + Vec2::new(x, y) * r;
    let ink = colours.ink.mix(colours.building_roof, 0.12);
    picture.disc(at, r, colours.yard.mix(colours.path_edge, 0.7));
    picture.disc(at, r * 0.9, colours.yard.lighten(0.25));
    let nave = [(-0.16, -0.02), (0.30, -0.44), (0.76, -0.02), (0.76, 0.62), (-0.16, 0.62)].map(to);
    let nave_roof = [(-0.26, 0.04), (0.30, -0.50), (0.86, 0.04)].map(to);
    let tower = [(-0.66, -0.26), (-0.12, -0.26), (-0.12, 0.62), (-0.66, 0.62)].map(to);
    let spire = [(-0.74, -0.22), (-0.39, -1.02), (-0.04, -0.22)].map(to);
    for outline in [&nave[..], &nave_roof, &tower, &spire] {
        picture.line(polygon(outline), ink, r * 0.2);
    }
    picture.polygon(&nave, colours.building);
    picture.polygon(&nave_roof, colours.building_roof);
    picture.polygon(&tower, colours.building.lighten(0.4));
    picture.polygon(&spire, colours.building_roof.darken(0.12));
    picture.polygon(&[(0.14, 0.62), (0.14, 0.24), (0.46, 0.24), (0.46, 0.62)].map(to), ink);
}

/// Paints a large house with a tower and a garden, in the same direction at every facing of the
/// tile.
fn paint_building(brush: &Brush<'_>, picture: &mut Picture, at: Point, r: f64) {
    let colours = brush.colours;
    let mut rng = brush.rng(62);
    // The yard with its hedge.
    picture.disc(at, r, colours.yard.mix(colours.path_edge, 0.55));
    picture.disc(at, r - 0.010, colours.yard);
    if brush.is_detailed {
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
    let to = |x: f64, y: f64| at + Vec2::new(x, y) * r;
    let roof = colours.building_roof;
    // The garden and the low wings around it.
    let garden = [to(0.02, 0.10), to(0.58, 0.10), to(0.58, 0.60), to(0.02, 0.60)];
    picture.polygon(&garden, colours.ground_dark);
    town::paint_house(brush, picture, to(0.62, 0.32), r * 0.36, r * 0.11, 1.571, colours.roof_3);
    town::paint_house(brush, picture, to(0.30, 0.62), r * 0.42, r * 0.11, 0.0, colours.roof_3);
    if brush.is_detailed {
        nature::paint_tree(brush, picture, to(0.28, 0.33), r * 0.13, colours.wood_1, &mut rng);
    }
    // The nave, the transept and the tower.
    town::paint_house(brush, picture, to(0.06, -0.18), r * 0.66, r * 0.25, 0.0, roof);
    town::paint_house(brush, picture, to(0.26, -0.18), r * 0.44, r * 0.17, 1.571, roof.darken(0.06));
    paint_tower(brush, picture, to(-0.50, -0.18), r * 0.26);
}

/// Paints a square tower under a roof of four slopes.
fn paint_tower(brush: &Brush<'_>, picture: &mut Picture, at: Point, half: f64) {
    let colours = brush.colours;
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| at + Vec2::new(x, y) * half);
    let long = corners.map(|p| p + SHADOW_OFFSET * 3.2);
    picture.polygon(&[corners[1], long[1], long[2], long[3], corners[3]], colours.shadow.with_alpha(0.34));
    picture.polygon(&corners, colours.building.darken(0.35));
    let inner = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| at + Vec2::new(x, y) * (half * 0.86));
    let roof = colours.building_roof;
    for (i, tone) in
        [roof.lighten(0.16), roof.darken(0.14), roof.darken(0.32), roof.lighten(0.05)].into_iter().enumerate()
    {
        picture.polygon(&[inner[i], inner[(i + 1) % 4], at], tone);
    }
    let mut ridge = BezPath::new();
    ridge.move_to(inner[0]);
    ridge.line_to(at);
    ridge.line_to(inner[1]);
    picture.line(ridge, roof.lighten(0.4), 0.005);
    picture.disc(at, half * 0.15, colours.flower);
}
