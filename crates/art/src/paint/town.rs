//! Paints walled land: houses, lanes, squares, and the wall with its towers and gates.

use kurbo::{Affine, BezPath, Point, Vec2};
use theme::{Colour, LandStyle};

use super::brush::{Brush, SHADOW_OFFSET};
use super::houses::{self, CORNERS, House};
use super::{nature, town_plan};
use crate::lines::{path_direction, path_point};
use crate::picture::Picture;
use crate::raster::distance_to_rim;
use crate::walls::FullZone;

/// The fraction of the ground's colour in the roofs of a town that is not complete.
const FADED: f64 = 0.34;

/// Paints the ground, the houses and the wall of a full zone. The roofs of a complete town have
/// their full colour, its ground is darker, and its wall is high, with roofs on the towers.
pub(super) fn paint(brush: &Brush<'_>, picture: &mut Picture, full: &FullZone) {
    let colours = brush.colours;
    let is_complete = brush.is_complete(full.zone);
    // If houses are drawn, tints the ground with the colour of roofs. The smaller the tile, the
    // stronger the tint.
    let tint = if brush.house_scale.is_some() { (brush.bold - 1.0) * 0.36 } else { 0.0 };
    let ground = if is_complete { colours.town_dark.mix(colours.roof_2, 0.22) } else { colours.town };
    picture.fill(brush.turn * full.area.path(), ground.mix(colours.roof_1, tint));
    let streets = town_plan::streets(brush, full);
    if brush.is_detailed {
        paint_paving(brush, picture, full, &streets);
    }
    paint_courtyards(brush, picture, full);
    if let Some(scale) = brush.house_scale {
        let mut town = town_plan::plan(brush, full, &streets, scale);
        if !is_complete {
            town.houses.iter_mut().for_each(|house| house.roof = house.roof.mix(colours.town, FADED));
        }
        let trees = if brush.is_detailed { gardens(brush, full, &town.houses) } else { Vec::new() };
        let is_large = brush.bold <= 1.0;
        for (at, r) in trees.iter().filter(|_| is_large) {
            picture.soft_disc(*at, r * 3.0, colours.ground_dark.with_alpha(0.9));
        }
        houses::draw(brush, picture, &town.houses);
        if let Some((at, half)) = town.tower {
            paint_hall_tower(brush, picture, at, half, town_plan::hall_roof(brush));
        }
        if is_large {
            let mut rng = brush.rng(72 + full.zone as u64);
            for (at, r) in trees {
                nature::paint_tree(brush, picture, at, r, colours.wood_1, &mut rng);
            }
        } else {
            picture.discs(&trees, colours.wood_1);
        }
        if colours.smoke && is_large {
            paint_smoke(brush, picture, &town.houses);
        }
    }
    for path in &full.walls {
        paint_wall(brush, picture, path, is_complete);
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

/// Paints paving, streets, and a lighter town square at the first place for a piece.
fn paint_paving(brush: &Brush<'_>, picture: &mut Picture, full: &FullZone, streets: &[BezPath]) {
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
    for street in streets {
        picture.line(brush.turn * street.clone(), colours.town_light, 2.0 * town_plan::street_half(brush));
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

/// Returns trees for the gaps between houses: positions on the picture and radii.
fn gardens(brush: &Brush<'_>, full: &FullZone, houses: &[House]) -> Vec<(Point, f64)> {
    let mut rng = brush.rng(71 + full.zone as u64);
    let mut trees: Vec<(Point, f64)> = Vec::new();
    for _ in 0..60 {
        let p = rng.point();
        let (at, r) = (brush.map_point(p), rng.between(0.019, 0.029));
        let fits = usize::from(brush.plan.raster.zone(p)) == full.zone
            && brush.plan.raster.border_distance(p) > r + 0.03
            && distance_to_rim(p) > r + 0.01
            && brush.clearance(p) > r
            && houses.iter().all(|house| house.distance(at) > r * 0.8)
            && trees.iter().all(|(tree, other)| (*tree - at).hypot() > (r + other) * 0.8);
        if fits && trees.len() < 9 {
            trees.push((at, r));
        }
    }
    trees
}

/// Paints a square tower under a roof of four slopes.
fn paint_hall_tower(brush: &Brush<'_>, picture: &mut Picture, at: Point, half: f64, roof: Colour) {
    let colours = brush.colours;
    let corners = CORNERS.map(|(x, y)| at + Vec2::new(x, y) * half);
    let long = corners.map(|p| p + SHADOW_OFFSET * 3.2);
    picture.polygon(&[corners[1], long[1], long[2], long[3], corners[3]], colours.shadow.with_alpha(0.34));
    picture.polygon(&corners, colours.building.darken(0.35));
    let inner = CORNERS.map(|(x, y)| at + Vec2::new(x, y) * (half * 0.86));
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

/// Returns the colour of the roofs of towers: slate, which no other roof of a town has.
fn tower_roof(brush: &Brush<'_>) -> Colour {
    brush.colours.water.mix(brush.colours.ink, 0.35)
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

/// Paints the wall along `path`, a path of the plan, with a tower near each end. The wall of a
/// complete town is higher and casts a longer shadow.
fn paint_wall(brush: &Brush<'_>, picture: &mut Picture, path: &BezPath, is_complete: bool) {
    let colours = brush.colours;
    let along = brush.turn * path.clone();
    let (scale, height) = if is_complete { (brush.wall_scale * 1.3, 3.0) } else { (brush.wall_scale, 1.5) };
    if brush.is_detailed || is_complete {
        let shadow = Affine::translate(SHADOW_OFFSET * height) * along.clone();
        picture.line(shadow, colours.shadow.with_alpha(0.30), 0.05 * scale);
    }
    picture.line(along.clone(), colours.wall_dark, 0.054 * scale);
    let stone = if is_complete { colours.wall.mix(colours.wall_light, 0.5) } else { colours.wall };
    picture.line(along.clone(), stone, 0.040 * scale);
    picture.line(Affine::translate((-0.006, -0.007)) * along, colours.wall_light, 0.014 * scale);
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
        paint_tower(brush, picture, brush.map_point(path_point(path, t)), 0.038 * scale, is_complete);
    }
}

/// Paints a round tower. A tower of a complete town has a pointed roof.
fn paint_tower(brush: &Brush<'_>, picture: &mut Picture, at: Point, r: f64, is_complete: bool) {
    let colours = brush.colours;
    if brush.is_detailed {
        picture.disc(at + SHADOW_OFFSET * 1.5, r, colours.shadow.with_alpha(0.32));
    }
    picture.disc(at, r, colours.wall_dark);
    if is_complete {
        let roof = tower_roof(brush);
        picture.disc(at, r * 0.82, roof.darken(0.25));
        picture.disc(at - Vec2::new(0.18, 0.22) * r, r * 0.52, roof.lighten(0.16));
        picture.disc(at, r * 0.16, colours.flower);
        return;
    }
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
        let is_complete = brush.is_complete(*zone);
        let radius = if is_complete { 0.044 } else { 0.036 };
        towers.into_iter().for_each(|p| paint_tower(brush, picture, p, radius, is_complete));
    }
}
