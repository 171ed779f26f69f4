//! Trees, bushes and grass.

use kurbo::{BezPath, Point, Vec2};

use super::{Brush, SHADOW};
use crate::chance::Chance;
use crate::colour::Colour;
use crate::picture::Picture;

/// A tree seen from above, at a point of the picture.
pub(super) fn tree(brush: &Brush<'_>, picture: &mut Picture, at: Point, r: f64, crown: Colour, chance: &mut Chance) {
    let colours = brush.colours;
    if colours.bare_trees && chance.is(0.72) {
        return bare_tree(brush, picture, at, r, chance);
    }
    picture.disc(at + SHADOW * (r * 26.0), r * 1.02, colours.shadow.alpha(0.26));
    picture.disc(at, r, crown.dark(0.22));
    let n = 5;
    let start = chance.between(0.0, 6.3);
    for i in 0..n {
        let angle = start + 6.283 * f64::from(i) / f64::from(n);
        let lobe = at + Vec2::from_angle(angle) * (r * 0.5);
        // Lobes towards the light are lighter.
        let lit = -(angle.cos() * 0.6 + angle.sin() * 0.8);
        picture.disc(lobe, r * 0.5, if lit > 0.0 { crown.light(0.10 * lit) } else { crown.dark(-0.14 * lit) });
    }
    picture.disc(at - Vec2::new(0.22, 0.28) * r, r * 0.42, crown.light(0.17));
    if colours.bare_trees {
        // Snow lies on what keeps its needles.
        picture.disc(at - Vec2::new(0.25, 0.3) * r, r * 0.5, colours.ground_light.alpha(0.85));
    }
}

fn bare_tree(brush: &Brush<'_>, picture: &mut Picture, at: Point, r: f64, chance: &mut Chance) {
    let colours = brush.colours;
    let twigs = |picture: &mut Picture, at: Point, colour: Colour, chance: &mut Chance| {
        let start = chance.between(0.0, 6.3);
        for i in 0..6 {
            let angle = start + 1.05 * f64::from(i) + chance.between(-0.2, 0.2);
            let end = at + Vec2::from_angle(angle) * (r * chance.between(0.75, 1.05));
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
    let seed = (chance.part() * 1e9) as u64;
    twigs(picture, at + SHADOW * (r * 30.0), colours.shadow.alpha(0.22), &mut Chance::new(seed));
    twigs(picture, at, colours.wood_2, &mut Chance::new(seed));
}

/// A low bush.
pub(super) fn bush(brush: &Brush<'_>, picture: &mut Picture, at: Point, r: f64, chance: &mut Chance) {
    let colours = brush.colours;
    let crown = chance.of(&[colours.wood_1, colours.wood_2, colours.wood_1]);
    picture.disc(at + SHADOW * 0.6, r, colours.shadow.alpha(0.22));
    picture.disc(at, r, crown.dark(0.1));
    picture.disc(at - Vec2::new(0.25, 0.3) * r, r * 0.6, crown.light(0.12));
    if colours.bare_trees {
        picture.disc(at - Vec2::new(0.3, 0.35) * r, r * 0.5, colours.ground_light.alpha(0.9));
    }
}

/// A few blades of grass.
pub(super) fn tuft(brush: &Brush<'_>, picture: &mut Picture, at: Point, chance: &mut Chance) {
    let colour = if chance.is(0.6) { brush.colours.grass } else { brush.colours.ground_light.light(0.12) };
    let mut path = BezPath::new();
    for lean in [-0.008, 0.001, 0.009] {
        let height = chance.between(0.011, 0.019);
        path.move_to(at + Vec2::new(lean * 0.4, 0.0));
        path.quad_to(at + Vec2::new(lean * 0.5, -height * 0.6), at + Vec2::new(lean, -height));
    }
    picture.line(path, colour.alpha(0.75), 0.0045);
}
