//! Paints woods as adjacent crowns of trees, which also form the border of the wood.

use board::Edge;
use kurbo::{Point, Vec2};

use super::brush::Brush;
use super::nature;
use crate::lines::path_point;
use crate::picture::Picture;
use crate::raster::distance_to_rim;
use crate::walls::{FullZone, rim_point};

/// Paints a full zone that consists of trees.
pub(super) fn paint(brush: &Brush<'_>, picture: &mut Picture, full: &FullZone) {
    let colours = brush.colours;
    picture.fill(brush.turn * full.area.path(), colours.wood);
    let mut rng = brush.rng(51 + full.zone as u64);
    // The crowns of a complete wood are darker.
    let shade = if brush.is_complete(full.zone) { 0.14 } else { 0.0 };
    let tones = [colours.wood_1, colours.wood_1, colours.wood_2, colours.wood_3].map(|tone| tone.darken(shade));
    let mut trees: Vec<(Point, f64, usize)> = Vec::new();
    for wall in &full.walls {
        for i in 0..=22 {
            let t = 0.03 + 0.94 * f64::from(i) / 22.0;
            let p = path_point(wall, t) + Vec2::new(rng.between(-0.012, 0.012), rng.between(-0.012, 0.012));
            trees.push((brush.map_point(p), rng.between(0.034, 0.048), (rng.next_f64() * 4.0) as usize));
        }
    }
    if brush.is_detailed {
        trees.extend(rim_trees(brush, full));
        for _ in 0..420 {
            let p = rng.point();
            let r = rng.between(0.042, 0.060);
            let raster = &brush.plan.raster;
            let fits = usize::from(raster.zone(p)) == full.zone
                && raster.border_distance(p) > 0.03
                && distance_to_rim(p) > r * 0.95
                && trees.iter().all(|(o, s, _)| (*o - brush.map_point(p)).hypot() > (r + s) * 0.66);
            if fits {
                trees.push((brush.map_point(p), r, (rng.next_f64() * 4.0) as usize));
            }
        }
    }
    trees.sort_by(|a, b| a.0.y.total_cmp(&b.0.y));
    for (p, r, tone) in trees {
        if brush.is_detailed {
            nature::paint_tree(brush, picture, p, r, tones[tone % 4], &mut rng);
        } else {
            picture.disc(p, r, colours.wood);
        }
    }
    if !brush.is_detailed {
        large_crowns(brush, picture, full, shade);
    }
}

/// Paints a few large crowns, which remain visible on a small tile. `shade` makes them darker, from
/// 0 to 1.
fn large_crowns(brush: &Brush<'_>, picture: &mut Picture, full: &FullZone, shade: f64) {
    let colours = brush.colours;
    let mut rng = brush.rng(151 + full.zone as u64);
    let mut crowns: Vec<Point> = Vec::new();
    for _ in 0..200 {
        let p = rng.point();
        let raster = &brush.plan.raster;
        let is_inside = usize::from(raster.zone(p)) == full.zone && raster.border_distance(p) > 0.05;
        let place = brush.map_point(p);
        if is_inside && crowns.iter().all(|other| (*other - place).hypot() > 0.13) {
            crowns.push(place);
        }
    }
    crowns.sort_by(|a, b| a.y.total_cmp(&b.y));
    for place in crowns {
        picture.disc(place, 0.075, colours.wood_1.darken(shade));
        picture.disc(place - Vec2::new(0.015, 0.02), 0.045, colours.wood_3.darken(shade));
    }
}

/// Returns the tree crowns on the rim of the tile: position, radius and tone. All tiles have the
/// same crowns there, because a neighbouring tile shows the other half of each crown.
fn rim_trees(brush: &Brush<'_>, full: &FullZone) -> Vec<(Point, f64, usize)> {
    let mut trees = Vec::new();
    for edge in Edge::ALL {
        for (i, t) in [0.14, 0.255, 0.37, 0.49, 0.61, 0.73, 0.86].into_iter().enumerate() {
            let p = rim_point(edge, t);
            let inside = brush.turn.inverse() * p.lerp(Point::new(0.5, 0.5), 0.02);
            if full.area.contains(inside) {
                trees.push((p, [0.05, 0.058, 0.052][i % 3], i));
            }
        }
    }
    trees
}
