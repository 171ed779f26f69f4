//! Paints open land: its tones, grass, furrows, trees and hedges.

use kurbo::{BezPath, Point, Rect, Vec2};
use theme::LandStyle;

use super::brush::Brush;
use super::{cover, houses, nature};
use crate::picture::Picture;
use crate::raster::distance_to_rim;

/// Paints the ground of the whole tile, under everything else.
pub(super) fn paint(brush: &Brush<'_>, picture: &mut Picture) {
    let colours = brush.colours;
    picture.rect(Rect::new(0.0, 0.0, 1.0, 1.0), colours.ground);
    if brush.is_detailed {
        paint_texture(brush, picture);
    }
    cover::paint_ground(brush, picture);
}

/// Paints the patches, grass and flowers of open land.
fn paint_texture(brush: &Brush<'_>, picture: &mut Picture) {
    let colours = brush.colours;
    let mut rng = brush.rng(1);
    for i in 0..9 {
        let p = rng.point();
        // The rim of every tile has the same tone, so that neighbouring tiles blend.
        let radius = rng.between(0.16, 0.34).min(distance_to_rim(p) + 0.02);
        let colour = if i % 2 == 0 { colours.ground_dark } else { colours.ground_light };
        if radius > 0.08 {
            picture.soft_disc(brush.map_point(p), radius, colour.with_alpha(rng.between(0.55, 0.95)));
        }
    }
    paint_furrows(brush, picture);
    let points: Vec<Point> = (0..32).map(|_| rng.point()).collect();
    let is_open =
        |p: &Point| brush.has_style(brush.plan.raster.zone(*p), LandStyle::Ground) && distance_to_rim(*p) > 0.02;
    let tufts = points.into_iter().filter(|p| is_open(p) && brush.plan.raster.border_distance(*p) > 0.02);
    nature::paint_tufts(brush, picture, &tufts.map(|p| brush.map_point(p)).collect::<Vec<_>>(), &mut rng);
    // Flowers grow in groups.
    let mut flowers = Vec::new();
    for _ in 0..3 {
        let p = rng.point();
        for _ in 0..7 {
            let at = p + Vec2::new(rng.between(-0.05, 0.05), rng.between(-0.05, 0.05));
            if is_open(&at) {
                flowers.push((brush.map_point(at), rng.between(0.003, 0.006)));
            }
        }
    }
    picture.discs(&flowers, colours.flower.with_alpha(0.9));
}

/// Paints a tilled patch on half of the tiles, if there is enough room and any kind of land has
/// buildings.
fn paint_furrows(brush: &Brush<'_>, picture: &mut Picture) {
    let mut rng = brush.rng(2);
    if !rng.random_bool(0.5) || !brush.is_settled {
        return;
    }
    for _ in 0..30 {
        let centre = rng.point();
        let room = (brush.plan.raster.border_distance(centre) - 0.03).min(distance_to_rim(centre) - 0.03).min(0.17);
        if room < 0.1
            || !brush.has_style(brush.plan.raster.zone(centre), LandStyle::Ground)
            || brush.clearance(centre) < 0.02
        {
            continue;
        }
        let (along, across) = {
            let v = Vec2::from_angle(rng.between(0.0, std::f64::consts::PI));
            (v, v.turn_90())
        };
        let colours = brush.colours;
        let (long, wide) = (room * 0.80, room * 0.58);
        let corner = |a: f64, b: f64| brush.map_point(centre + along * (a * long) + across * (b * wide));
        let patch = [corner(-1.0, -0.9), corner(0.95, -1.0), corner(1.0, 0.9), corner(-0.92, 1.0)];
        let tone = rng.pick(&[colours.flower, colours.ground_light, colours.town_dark]);
        picture.polygon(&patch, colours.ground.mix(tone, 0.35));
        let n = (wide / 0.011) as i32;
        let mut rows = BezPath::new();
        for i in 0..=n {
            let side = -0.9 + 1.8 * f64::from(i) / f64::from(n.max(1));
            rows.move_to(corner(-0.92, side));
            rows.line_to(corner(0.92, side));
        }
        picture.line(rows, colours.grass.with_alpha(0.45), 0.005);
        return;
    }
}

/// Paints scattered trees, and hedges along the borders between ground zones.
pub(super) fn paint_plants(brush: &Brush<'_>, picture: &mut Picture) {
    let mut rng = brush.rng(3);
    let colours = brush.colours;
    let mut all: Vec<(Point, f64, bool)> = Vec::new();
    for hedge in &brush.plan.hedges {
        all.push((*hedge, rng.between(0.020, 0.026), false));
    }
    let villages = houses::villages(brush);
    if let Some(scale) = brush.house_scale {
        // Small tiles have fewer and larger trees.
        let scale = scale.sqrt();
        let wanted = ((2.0 + (rng.next_f64() * 4.0).floor()) / scale) as usize;
        let mut n_trees = 0;
        for _ in 0..60 {
            let p = rng.point();
            let r = rng.between(0.030, 0.044) * scale;
            let fits = brush.has_style(brush.plan.raster.zone(p), LandStyle::Ground)
                && brush.plan.raster.border_distance(p) > r + 0.03
                && distance_to_rim(p) > r + 0.012
                && brush.clearance(p) > r + 0.02
                && brush.plan.gates.iter().all(|(_, g, _)| (*g - p).hypot() > 0.09)
                && all.iter().all(|(o, s, _)| (*o - p).hypot() > r + s)
                && villages.iter().all(|house| house.distance(brush.map_point(p)) > r);
            if fits {
                all.push((p, r, true));
                n_trees += 1;
                // Trees grow in groups.
                let beside = p + Vec2::from_angle(rng.between(0.0, 6.3)) * (r * 1.7);
                if rng.random_bool(0.5)
                    && brush.plan.raster.border_distance(beside) > 0.05
                    && distance_to_rim(beside) > 0.05
                {
                    all.push((beside, r * 0.72, rng.random_bool(0.5)));
                }
            }
            if n_trees >= wanted {
                break;
            }
        }
    }
    all.sort_by(|a, b| brush.map_point(a.0).y.total_cmp(&brush.map_point(b.0).y));
    let bushes: Vec<(Point, f64)> = all.iter().filter(|b| !b.2).map(|(p, r, _)| (brush.map_point(*p), *r)).collect();
    if !bushes.is_empty() {
        nature::paint_bushes(brush, picture, &bushes);
    }
    for (p, r, _) in all.into_iter().filter(|t| t.2) {
        let crown = rng.pick(&[colours.wood_1, colours.wood_2, colours.wood_3]);
        nature::paint_tree(brush, picture, brush.map_point(p), r, crown, &mut rng);
    }
}
