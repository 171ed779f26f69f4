//! Paints the rim of tiles, and the borders of stone that show complete features.

use board::Edge;
use kurbo::{Affine, BezPath, ParamCurve, Point, Rect, Vec2};
use theme::{Colour, LandStyle};

use super::brush::{Brush, SHADOW_OFFSET};
use crate::lines::{self, path_point};
use crate::picture::Picture;
use crate::walls::{FullZone, inward, middle};

/// The width of the rim, of which the tile shows the inner half.
const RIM: f64 = 0.014;

/// Paints the thin rim of the tile, except where a line crosses an edge: there, the rim would cut
/// the line in two.
pub(super) fn paint_rim(brush: &Brush<'_>, picture: &mut Picture) {
    let mut rim = BezPath::new();
    for edge in Edge::ALL {
        let (half, clockwise) = (middle(edge), -inward(edge).turn_90());
        let gap = brush.plan.lines.iter().filter(|line| crosses(&line.path, half)).map(|line| lines::width(line.style));
        let gap = clockwise * (gap.fold(0.0, f64::max) / 2.0);
        if edge == Edge::North {
            rim.move_to(brush.map_point(half - clockwise * 0.5));
        }
        if gap != Vec2::ZERO {
            rim.line_to(brush.map_point(half - gap));
            rim.move_to(brush.map_point(half + gap));
        }
        rim.line_to(brush.map_point(half + clockwise * 0.5));
    }
    picture.line(rim, brush.colours.rim.with_alpha(0.28), RIM);
}

/// Returns whether the path of a line begins or ends at the point `rim`.
fn crosses(path: &BezPath, rim: Point) -> bool {
    [0.0, 1.0].into_iter().any(|t| (path_point(path, t) - rim).hypot() < 1e-6)
}

/// Returns the colours and extra widths of the stone beside a complete line, the widest first.
pub(super) fn stone_layers(brush: &Brush<'_>) -> [(f64, Colour); 2] {
    let colours = brush.colours;
    let bold = brush.bold;
    [(0.058 * bold, colours.wall_dark), (0.034 * bold, colours.wall_light)]
}

/// Paints a low wall of stone along the borders of a full zone.
pub(super) fn paint_along_walls(brush: &Brush<'_>, picture: &mut Picture, full: &FullZone) {
    for wall in &full.walls {
        paint_stone(brush, picture, &(brush.turn * wall.clone()));
    }
}

/// Paints a ring of stone around a disc of the picture.
pub(super) fn paint_ring(brush: &Brush<'_>, picture: &mut Picture, at: Point, radius: f64) {
    let colours = brush.colours;
    picture.disc(at + SHADOW_OFFSET * 1.6, radius * 1.16, colours.shadow.with_alpha(0.35));
    picture.disc(at, radius * 1.14, colours.wall_dark);
    picture.disc(at, radius * 1.07, colours.wall_light);
}

/// Paints a border of stone around all complete zones, except on the rim of the tile. Use this for
/// a tile whose land is a picture of its own.
pub(super) fn paint_around_zones(brush: &Brush<'_>, picture: &mut Picture) {
    let inner = Rect::new(0.0, 0.0, 1.0, 1.0).inset(-0.002);
    let is_complete = |(zone, _): &(usize, _)| brush.is_complete(*zone) && brush.styles[*zone] != LandStyle::Ground;
    for (_, area) in brush.plan.areas.iter().enumerate().filter(is_complete) {
        let mut border = BezPath::new();
        for segment in area.path().segments() {
            let (from, to) = (segment.start(), segment.end());
            if inner.contains(from) || inner.contains(to) {
                border.move_to(from);
                border.line_to(to);
            }
        }
        paint_stone(brush, picture, &(brush.turn * border));
    }
}

fn paint_stone(brush: &Brush<'_>, picture: &mut Picture, path: &BezPath) {
    let (colours, bold) = (brush.colours, brush.wall_scale);
    let shadow = Affine::translate(SHADOW_OFFSET * 1.8) * path.clone();
    picture.line(shadow, colours.shadow.with_alpha(0.35), 0.05 * bold);
    picture.line(path.clone(), colours.wall_dark, 0.046 * bold);
    picture.line(path.clone(), colours.wall_light, 0.026 * bold);
}
