//! Paints walled land: houses, lanes, squares, and the wall with its towers and gates.

use board::Edge;
use kurbo::{Affine, BezPath, Point, Vec2};
use theme::{Colour, LandStyle};

use super::brush::{Brush, SHADOW_OFFSET};
use super::nature;
use crate::lines::{path_direction, path_point};
use crate::picture::{Picture, polygon};
use crate::raster::distance_to_rim;
use crate::walls::FullZone;

/// A house that is planned but not drawn yet.
struct House {
    /// The centre of the house on the picture.
    at: Point,
    half: [f64; 2],
    angle: f64,
    roof: Colour,
}

/// Paints the ground, the houses and the wall of a full zone.
pub(super) fn paint(brush: &Brush<'_>, picture: &mut Picture, full: &FullZone) {
    let colours = brush.colours;
    // If houses are drawn, tints the ground with the colour of roofs. The smaller the tile, the
    // stronger the tint.
    let tint = if brush.house_scale.is_some() { (brush.bold - 1.0) * 0.36 } else { 0.0 };
    picture.fill(brush.turn * full.area.path(), colours.town.mix(colours.roof_1, tint));
    paint_courtyards(brush, picture, full);
    if brush.is_detailed {
        paint_lanes(brush, picture, full);
    }
    if let Some(scale) = brush.house_scale {
        let houses = houses(brush, full, scale);
        draw(brush, picture, &houses);
        if brush.bold <= 1.0 {
            paint_gardens(brush, picture, full, &houses);
            if colours.smoke {
                paint_smoke(brush, picture, &houses);
            }
        }
    }
    for path in &full.walls {
        paint_wall(brush, picture, path);
    }
}

/// Paints the courtyards of a full zone that fills the whole tile: the ground zones of the tile.
pub(super) fn paint_courtyards(brush: &Brush<'_>, picture: &mut Picture, full: &FullZone) {
    for (zone, area) in brush.plan.areas.iter().enumerate() {
        let is_yard = brush.styles[zone] == LandStyle::Ground && full.walls.is_empty();
        if is_yard && !area.0.is_empty() {
            picture.fill(brush.turn * area.path(), brush.colours.ground);
        }
    }
}

/// Paints paving, and a lighter town square at the first place for a piece.
fn paint_lanes(brush: &Brush<'_>, picture: &mut Picture, full: &FullZone) {
    let colours = brush.colours;
    let mut rng = brush.rng(11 + full.zone as u64);
    for _ in 0..5 {
        let p = rng.point();
        if usize::from(brush.plan.raster.zone(p)) == full.zone {
            let radius =
                rng.between(0.1, 0.2).min(distance_to_rim(p) + 0.01).min(brush.plan.raster.border_distance(p) + 0.05);
            picture.soft_disc(brush.map_point(p), radius.max(0.03), colours.town_dark.with_alpha(0.5));
        }
    }
    for place in brush.plan.places[full.zone].iter().take(1) {
        picture.soft_disc(brush.map_point(*place), 0.16, colours.town_light.with_alpha(0.9));
        picture.disc(brush.map_point(*place), 0.062, colours.town_light);
        let stone = |i: i32| (brush.map_point(*place) + Vec2::from_angle(0.7 * f64::from(i)) * 0.05, 0.006);
        picture.discs(&(0..9).map(stone).collect::<Vec<_>>(), colours.town_dark.with_alpha(0.6));
    }
    let mut stones = Vec::new();
    for _ in 0..36 {
        let p = rng.point();
        if usize::from(brush.plan.raster.zone(p)) == full.zone && brush.plan.raster.border_distance(p) > 0.03 {
            stones.push((brush.map_point(p), rng.between(0.003, 0.006)));
        }
    }
    picture.discs(&stones, colours.town_dark.with_alpha(0.55));
}

fn houses(brush: &Brush<'_>, full: &FullZone, scale: f64) -> Vec<House> {
    let mut rng = brush.rng(21 + full.zone as u64);
    let colours = brush.colours;
    let roofs = [colours.roof_1, colours.roof_1, colours.roof_1, colours.roof_2, colours.roof_2, colours.roof_3];
    let mut houses = rim_houses(brush, full, scale);
    let back = brush.turn.inverse();
    let mut taken: Vec<(Point, f64)> = houses.iter().map(|h| (back * h.at, h.half[0])).collect();
    let base = rng.between(-0.5, 0.5);
    for _ in 0..260 {
        let p = rng.point();
        let long = rng.between(0.030, 0.048) * scale;
        let raster = &brush.plan.raster;
        let fits = usize::from(raster.zone(p)) == full.zone
            && raster.border_distance(p) > long * 0.8 + 0.028
            && distance_to_rim(p) > long * 0.9 + 0.006
            && brush.clearance(p) > long * 0.75
            && brush.plan.gates.iter().all(|(_, g, into)| (*g + *into * 0.05 - p).hypot() > 0.05 + long)
            && taken.iter().all(|(o, s)| (*o - p).hypot() > (long + s) * 0.86);
        if fits {
            let angle = base + rng.pick(&[0.0, 1.571]) + rng.between(-0.16, 0.16);
            let half = [long, long * rng.between(0.62, 0.76)];
            houses.push(House { at: brush.map_point(p), half, angle, roof: rng.pick(&roofs) });
            taken.push((p, long));
        }
    }
    houses
}

/// Paints a few trees in the gaps between houses.
fn paint_gardens(brush: &Brush<'_>, picture: &mut Picture, full: &FullZone, houses: &[House]) {
    let mut rng = brush.rng(71 + full.zone as u64);
    let mut n_trees = 0;
    for _ in 0..40 {
        let p = rng.point();
        let (at, r) = (brush.map_point(p), rng.between(0.018, 0.026));
        let fits = usize::from(brush.plan.raster.zone(p)) == full.zone
            && brush.plan.raster.border_distance(p) > r + 0.03
            && distance_to_rim(p) > r + 0.01
            && brush.clearance(p) > r
            && houses.iter().all(|h| (h.at - at).hypot() > h.half[0] + r * 0.8);
        if fits && n_trees < 5 {
            nature::paint_tree(brush, picture, at, r, brush.colours.wood_1, &mut rng);
            n_trees += 1;
        }
    }
}

/// Returns the houses on the rim of the tile, `scale` times as large as at full detail. All tiles
/// have the same houses there, because a neighbouring tile shows the other half of each house.
fn rim_houses(brush: &Brush<'_>, full: &FullZone, scale: f64) -> Vec<House> {
    let colours = brush.colours;
    let mut houses = Vec::new();
    for edge in Edge::ALL {
        let planned = brush.turn.inverse() * edge_point(edge, 0.5);
        if !brush.plan.fulls.iter().any(|f| f.zone == full.zone && contains_rim_point(f, planned)) {
            continue;
        }
        let flat = matches!(edge, Edge::North | Edge::South);
        let many = [
            (0.245, 0.040, 0.0, colours.roof_1),
            (0.40, 0.034, 1.571, colours.roof_3),
            (0.615, 0.043, 0.05, colours.roof_2),
            (0.77, 0.036, 1.5, colours.roof_1),
        ];
        let few = [(0.32, 0.040, 0.0, colours.roof_1), (0.67, 0.038, 0.05, colours.roof_2)];
        for (t, long, angle, roof) in if scale > 1.0 { few.as_slice() } else { many.as_slice() } {
            let (t, long, angle, roof) = (*t, long * scale, *angle, *roof);
            let angle = if flat { angle } else { angle + 1.571 };
            houses.push(House { at: edge_point(edge, t), half: [long, long * 0.7], angle, roof });
        }
    }
    houses
}

fn contains_rim_point(full: &FullZone, rim: Point) -> bool {
    let inside = rim.lerp(Point::new(0.5, 0.5), 0.02);
    full.area.contains(inside)
}

/// Returns the point at fraction `t` of an edge of the picture, counted from its western or
/// northern end.
fn edge_point(edge: Edge, t: f64) -> Point {
    match edge {
        Edge::North => Point::new(t, 0.0),
        Edge::East => Point::new(1.0, t),
        Edge::South => Point::new(t, 1.0),
        Edge::West => Point::new(0.0, t),
    }
}

/// Paints a house seen from above: two slopes of the roof, the ridge and a shadow. Positions and
/// sizes are in units of the picture.
pub(super) fn paint_house(
    brush: &Brush<'_>,
    picture: &mut Picture,
    at: Point,
    long: f64,
    wide: f64,
    angle: f64,
    roof: Colour,
) {
    draw(brush, picture, &[House { at, half: [long, wide], angle, roof }]);
}

/// Paints houses that do not overlap. Draws all shadows as one shape, and all ridges of the same
/// colour as one shape.
fn draw(brush: &Brush<'_>, picture: &mut Picture, houses: &[House]) {
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
        shadows.extend(polygon(&outline.map(|p| p + SHADOW_OFFSET * 1.3)));
        let rim = |a: f64, b: f64| corner(a, b) + direction * (a * line) + direction.turn_90() * (b * line);
        let edge = [rim(-1.0, -1.0), rim(1.0, -1.0), rim(1.0, 1.0), rim(-1.0, 1.0)];
        slopes.polygon(&edge, house.roof.darken(0.5));
        // The north-western slope is lit. Rounding limits the number of different shades.
        let lit = -(across.x * 0.55 + across.y * 0.83) / house.half[1];
        let lit = (lit * 4.0).round() / 4.0;
        let far = [corner(-1.0, 0.0), corner(1.0, 0.0), corner(1.0, -1.0), corner(-1.0, -1.0)];
        slopes.polygon(&outline, shade(house.roof, lit));
        slopes.polygon(&far, shade(house.roof, -lit));
        let mut ridge = BezPath::new();
        ridge.move_to(corner(-0.96, 0.0));
        ridge.line_to(corner(0.96, 0.0));
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

fn paint_smoke(brush: &Brush<'_>, picture: &mut Picture, houses: &[House]) {
    let mut rng = brush.rng(31);
    let far = |h: &&House| distance_to_rim(h.at) > 0.12;
    for house in houses.iter().filter(far).step_by(3) {
        let mut p = house.at;
        for i in 0..5 {
            p += Vec2::new(rng.between(0.008, 0.02), rng.between(-0.022, -0.012));
            let r = 0.012 + 0.005 * f64::from(i);
            picture.soft_disc(p, r * 1.5, Colour::hex(0xffffff).with_alpha(0.75 - 0.12 * f64::from(i)));
        }
    }
}

/// Paints the wall along `path`, a path of the plan, with a tower near each end.
fn paint_wall(brush: &Brush<'_>, picture: &mut Picture, path: &BezPath) {
    let colours = brush.colours;
    let along = brush.turn * path.clone();
    if brush.is_detailed {
        picture.line(
            Affine::translate(SHADOW_OFFSET * 1.5) * along.clone(),
            colours.shadow.with_alpha(0.30),
            0.05 * brush.bold,
        );
    }
    picture.line(along.clone(), colours.wall_dark, 0.054 * brush.bold);
    picture.line(along.clone(), colours.wall, 0.040 * brush.bold);
    picture.line(Affine::translate((-0.006, -0.007)) * along, colours.wall_light, 0.014 * brush.bold);
    if brush.bold <= 1.0 && brush.is_detailed {
        let n = 24;
        let mut merlons = BezPath::new();
        for i in 1..n {
            let t = f64::from(i) / f64::from(n);
            let side = path_direction(path, t).turn_90();
            merlons.move_to(brush.map_point(path_point(path, t) + side * 0.017));
            merlons.line_to(brush.map_point(path_point(path, t) - side * 0.017));
        }
        picture.line(merlons, colours.wall_dark.with_alpha(0.55), 0.007);
    }
    for t in [0.085, 0.915] {
        paint_tower(brush, picture, brush.map_point(path_point(path, t)), 0.038 * brush.bold);
    }
}

fn paint_tower(brush: &Brush<'_>, picture: &mut Picture, at: Point, r: f64) {
    let colours = brush.colours;
    if brush.is_detailed {
        picture.disc(at + SHADOW_OFFSET * 1.5, r, colours.shadow.with_alpha(0.32));
    }
    picture.disc(at, r, colours.wall_dark);
    picture.disc(at, r * 0.84, colours.wall);
    picture.disc(at - Vec2::new(0.12, 0.15) * r, r * 0.66, colours.wall_light);
    picture.disc(at, r * 0.42, colours.wall.darken(0.25));
    if colours.bare_trees {
        picture.disc(at - Vec2::new(0.1, 0.1) * r, r * 0.5, colours.ground_light);
    }
}

/// Paints gates at the points where paths meet walls. Skips zones with numbers below `first_zone`,
/// which the picture of the tile below an overlay shows.
pub(super) fn paint_gates(brush: &Brush<'_>, picture: &mut Picture, first_zone: usize) {
    let colours = brush.colours;
    for (zone, point, into) in brush.plan.gates.iter().filter(|(zone, ..)| *zone >= first_zone) {
        if brush.styles[*zone] != LandStyle::Walled {
            continue;
        }
        let has_path =
            brush.plan.lines.iter().any(|l| {
                l.style == LandStyle::Path && matches!(l.end, crate::lines::LineEnd::Gate(p, _) if p == *point)
            }) || brush.plan.stubs.iter().any(|(style, _)| *style == LandStyle::Path);
        if !has_path {
            continue;
        }
        let (at, into) = (brush.map_point(*point), brush.map_direction(*into));
        let side = into.turn_90();
        for (half, colour) in [(0.060, colours.path_edge), (0.047, colours.path)] {
            let way = [(-0.030, -1.0), (-0.030, 1.0), (0.042, 1.0), (0.042, -1.0)];
            let points = way.map(|(along, across)| at + into * along + side * (half * across));
            picture.polygon(&points, colour);
        }
        // The arch over the gate.
        let arch = [(-0.004, -1.0), (-0.004, 1.0), (0.016, 1.0), (0.016, -1.0)];
        picture.polygon(&arch.map(|(a, s)| at + into * a + side * (0.055 * s)), colours.wall_dark);
        picture.polygon(&arch.map(|(a, s)| at + into * (a * 0.6) + side * (0.055 * s)), colours.wall_light);
        let mut towers = [at + side * 0.062, at - side * 0.062];
        towers.sort_by(|a, b| a.y.total_cmp(&b.y));
        towers.into_iter().for_each(|p| paint_tower(brush, picture, p, 0.036));
    }
}
