//! Paints trees, bushes and grass.

use kurbo::{BezPath, Point, Vec2};
use theme::Colour;

use super::brush::{Brush, SHADOW_OFFSET};
use crate::picture::Picture;
use crate::rng::PaintRng;

/// Paints a tree seen from above. Positions and sizes are in units of the picture.
pub(super) fn paint_tree(
    brush: &Brush<'_>,
    picture: &mut Picture,
    at: Point,
    r: f64,
    crown: Colour,
    rng: &mut PaintRng,
) {
    let colours = brush.colours;
    if colours.bare_trees && rng.random_bool(0.72) {
        return paint_bare_tree(brush, picture, at, r, rng);
    }
    picture.disc(at + SHADOW_OFFSET * (r * 26.0), r * 1.02, colours.shadow.with_alpha(0.26));
    picture.disc(at, r, crown.darken(0.22));
    let start = rng.between(0.0, 1.26);
    let (mut lit, mut dim) = (Vec::new(), Vec::new());
    for i in 0..5 {
        let angle = start + 1.2566 * f64::from(i);
        let lobe = (at + Vec2::from_angle(angle) * (r * 0.5), r * 0.5);
        // The lobes of the crown that face the light are lighter.
        if angle.cos() * 0.6 + angle.sin() * 0.8 < 0.1 { lit.push(lobe) } else { dim.push(lobe) }
    }
    picture.discs(&dim, crown.darken(0.09));
    picture.discs(&lit, crown.lighten(0.06));
    picture.disc(at - Vec2::new(0.22, 0.28) * r, r * 0.42, crown.lighten(0.17));
    if colours.bare_trees {
        // Evergreens carry snow.
        picture.disc(at - Vec2::new(0.25, 0.3) * r, r * 0.5, colours.ground_light.with_alpha(0.85));
    }
}

fn paint_bare_tree(brush: &Brush<'_>, picture: &mut Picture, at: Point, r: f64, rng: &mut PaintRng) {
    let colours = brush.colours;
    let twigs = |picture: &mut Picture, at: Point, colour: Colour, rng: &mut PaintRng| {
        let start = rng.between(0.0, 6.3);
        for i in 0..6 {
            let angle = start + 1.05 * f64::from(i) + rng.between(-0.2, 0.2);
            let end = at + Vec2::from_angle(angle) * (r * rng.between(0.75, 1.05));
            let half = at.lerp(end, 0.55);
            let fork = |turn: f64| half + Vec2::from_angle(angle + turn) * (r * 0.45);
            let mut path = BezPath::new();
            path.move_to(at);
            path.line_to(end);
            path.move_to(half);
            path.line_to(fork(0.6));
            path.move_to(half);
            path.line_to(fork(-0.6));
            picture.line(path, colour, r * 0.11);
        }
    };
    let seed = (rng.next_f64() * 1e9) as u64;
    twigs(picture, at + SHADOW_OFFSET * (r * 30.0), colours.shadow.with_alpha(0.22), &mut PaintRng::new(seed));
    twigs(picture, at, colours.wood_2, &mut PaintRng::new(seed));
}

/// Paints low bushes, with one shape for each tone.
pub(super) fn paint_bushes(brush: &Brush<'_>, picture: &mut Picture, bushes: &[(Point, f64)]) {
    let colours = brush.colours;
    let moved =
        |by: Vec2, size: f64| -> Vec<(Point, f64)> { bushes.iter().map(|(p, r)| (*p + by * *r, r * size)).collect() };
    picture.discs(&moved(SHADOW_OFFSET * 28.0, 1.0), colours.shadow.with_alpha(0.22));
    picture.discs(bushes, colours.wood_2.darken(0.05));
    picture.discs(&moved(Vec2::new(-0.12, -0.15), 0.74), colours.wood_1);
    picture.discs(&moved(Vec2::new(-0.28, -0.33), 0.44), colours.wood_1.lighten(0.16));
    if colours.bare_trees {
        picture.discs(&moved(Vec2::new(-0.3, -0.35), 0.5), colours.ground_light.with_alpha(0.9));
    }
}

/// Paints blades of grass, with one shape for each tone.
pub(super) fn paint_tufts(brush: &Brush<'_>, picture: &mut Picture, tufts: &[Point], rng: &mut PaintRng) {
    let mut tones = [(brush.colours.grass, BezPath::new()), (brush.colours.ground_light.lighten(0.12), BezPath::new())];
    for at in tufts {
        let path = &mut tones[usize::from(rng.random_bool(0.4))].1;
        for lean in [-0.008, 0.001, 0.009] {
            let height = rng.between(0.011, 0.019);
            path.move_to(*at + Vec2::new(lean * 0.4, 0.0));
            path.quad_to(*at + Vec2::new(lean * 0.5, -height * 0.6), *at + Vec2::new(lean, -height));
        }
    }
    for (colour, path) in tones {
        if !path.elements().is_empty() {
            picture.line(path, colour.with_alpha(0.75), 0.0045);
        }
    }
}
