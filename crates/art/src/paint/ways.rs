//! Paints paths, water and their crossings.

use kurbo::{BezPath, CubicBez, ParamCurve, PathSeg, Point, Shape, Vec2};
use theme::{Colour, LandStyle, Palette};

use super::border::stone_layers;
use super::brush::{Brush, SHADOW_OFFSET};
use super::houses::{self, House};
use super::{cover, nature};
use crate::lines::{self, Line, LineEnd, path_direction, path_point};
use crate::picture::Picture;
use crate::raster::distance_to_rim;
use crate::walls::FullZone;

/// Paints water, coloured lines and paths, except lines that run above other zones.
pub(super) fn paint(brush: &Brush<'_>, picture: &mut Picture) {
    paint_water(brush, picture);
    cover::paint_lines(brush, picture);
    paint_paths(brush, picture);
    for line in brush.plan.lines.iter().filter(|l| !l.is_over && l.style == LandStyle::Path) {
        match crossing(brush, line) {
            Some(deck) => paint_bridge(brush, picture, &deck, &|_| true),
            None => paint_bridges(brush, picture, line),
        }
    }
    paint_ends(brush, picture);
}

/// Returns the paths, in the picture, of the lines and stubs (undeclared ways) of `style`, except
/// lines that run above other zones; each with true if its feature is complete. The plan assigns
/// stubs to the first line of their style.
fn outlines(brush: &Brush<'_>, style: LandStyle) -> Vec<(BezPath, bool)> {
    let is_complete = |line: &Line| brush.is_complete(line.zone);
    let of_style = || brush.plan.lines.iter().filter(move |line| line.style == style);
    let lines = of_style().filter(|line| !line.is_over).map(|line| (&line.path, is_complete(line)));
    let stubs = brush.plan.stubs.iter().filter(|(s, _)| *s == style);
    let stubs = stubs.map(|(_, path)| (path, of_style().next().is_some_and(is_complete)));
    lines.chain(stubs).map(|(path, is_complete)| (brush.turn * path.clone(), is_complete)).collect()
}

fn paint_water(brush: &Brush<'_>, picture: &mut Picture) {
    let colours = brush.colours;
    let flows = outlines(brush, LandStyle::Water);
    let mut pools: Vec<(Point, f64)> = Vec::new();
    for line in brush.plan.lines.iter().filter(|l| l.style == LandStyle::Water) {
        match line.end {
            LineEnd::Alone(p) => pools.push((p, 0.13)),
            LineEnd::Junction(p) => pools.push((p, 0.105)),
            LineEnd::Gate(p, into) => pools.push((p - into * 0.05, 0.13)),
            _ => {}
        }
    }
    let ponds = brush.plan.insides.iter().filter(|(zone, ..)| brush.styles[*zone] == LandStyle::Water);
    pools.extend(ponds.map(|(_, p, r)| (*p, *r)));
    for (grow, colour) in stone_layers(brush) {
        for (flow, _) in flows.iter().filter(|(_, is_complete)| *is_complete) {
            picture.line(flow.clone(), colour, lines::width(LandStyle::Water) + grow);
        }
    }
    for (grow, colour) in [(0.0, colours.water_edge), (-0.032, colours.water.darken(0.12)), (-0.044, colours.water)] {
        for (flow, _) in &flows {
            picture.line(flow.clone(), colour, lines::width(LandStyle::Water) + grow);
        }
        for (p, r) in &pools {
            picture.disc(brush.map_point(*p), r + grow / 2.0, colour);
        }
    }
    if !brush.is_detailed {
        return;
    }
    let mut rng = brush.rng(4);
    for line in brush.plan.lines.iter().filter(|l| l.style == LandStyle::Water) {
        for i in 0..9 {
            let t = (f64::from(i) + rng.between(0.2, 0.8)) / 9.0;
            let (p, along) = (path_point(&line.path, t), path_direction(&line.path, t));
            let p = p + along.turn_90() * rng.between(-0.055, 0.055);
            paint_ripple(brush, picture, p, along, rng.between(0.014, 0.03));
        }
    }
    for (p, r) in pools {
        for _ in 0..4 {
            let at = p + Vec2::from_angle(rng.between(0.0, 6.3)) * (r * rng.between(0.1, 0.65));
            paint_ripple(brush, picture, at, brush.map_direction(Vec2::new(1.0, 0.0)), rng.between(0.012, 0.025));
        }
    }
}

fn paint_ripple(brush: &Brush<'_>, picture: &mut Picture, p: Point, along: Vec2, half: f64) {
    let side = along.turn_90() * (half * 0.3);
    let mut path = BezPath::new();
    path.move_to(p - along * half);
    path.quad_to(p - along * (half * 0.5) + side, p);
    path.quad_to(p + along * (half * 0.5) - side, p + along * half);
    picture.line(brush.turn * path, brush.colours.water_light.with_alpha(0.8), 0.006);
}

/// Paints a full zone that consists of water.
pub(super) fn paint_water_zone(brush: &Brush<'_>, picture: &mut Picture, full: &FullZone) {
    let colours = brush.colours;
    let water = if brush.is_complete(full.zone) { colours.water.darken(0.12) } else { colours.water };
    picture.fill(brush.turn * full.area.path(), water);
    for wall in &full.walls {
        let wall = brush.turn * wall.clone();
        picture.line(wall.clone(), colours.water_edge, 0.03);
    }
    let mut rng = brush.rng(5);
    for _ in 0..if brush.is_detailed { 60 } else { 0 } {
        let p = rng.point();
        if usize::from(brush.plan.raster.zone(p)) == full.zone
            && brush.plan.raster.border_distance(p) > 0.04
            && distance_to_rim(p) > 0.03
        {
            paint_ripple(brush, picture, p, brush.map_direction(Vec2::new(1.0, 0.0)), rng.between(0.012, 0.03));
        }
    }
}

fn paint_paths(brush: &Brush<'_>, picture: &mut Picture) {
    let ways = outlines(brush, LandStyle::Path);
    let squares: Vec<Point> = houses::crossings(brush).into_iter().map(|p| brush.map_point(p)).collect();
    let are_all_complete = ways.iter().all(|(_, is_complete)| *is_complete);
    let [open, complete] = [false, true].map(|is_complete| path_layers(brush, is_complete));
    for (open, complete) in open.into_iter().zip(complete) {
        let of_way = |is_complete: bool| if is_complete { complete } else { open };
        for (way, is_complete) in &ways {
            let (width, colour) = of_way(*is_complete);
            picture.line(way.clone(), colour, width);
        }
        let (width, colour) = of_way(are_all_complete);
        for square in &squares {
            picture.disc(*square, 0.025 + width / 2.0, colour);
        }
    }
    if brush.is_detailed {
        paint_wear(brush, picture);
    }
}

/// Returns the widths and colours of the lines that make up a path, the widest line first: the
/// grass beside it, its dark edge and the path itself. The smaller the tile, the bolder the edge. A
/// complete path is paved: it is lighter and has a darker edge.
fn path_layers(brush: &Brush<'_>, is_complete: bool) -> [(f64, Colour); 3] {
    let colours = brush.colours;
    let width = lines::width(LandStyle::Path);
    let edge = 0.013 + (brush.bold - 1.0) * 0.026;
    let (edge_colour, path) = path_colours(brush, is_complete);
    [
        (width + 0.024, colours.ground_dark.mix(colours.path_edge, 0.25)),
        (width, edge_colour),
        (width - 2.0 * edge, path),
    ]
}

/// Returns the colours of the edge and of the surface of a path.
fn path_colours(brush: &Brush<'_>, is_complete: bool) -> (Colour, Colour) {
    let Palette { path, path_edge, wall_dark, .. } = brush.colours;
    if is_complete {
        (wall_dark.darken(0.1), path.lighten(0.6))
    } else {
        (path_edge.darken(0.18), path.mix(*path_edge, 0.16))
    }
}

/// Paints the signs of wear on paths: two ruts, and stones and grass.
fn paint_wear(brush: &Brush<'_>, picture: &mut Picture) {
    let colours = brush.colours;
    let mut rng = brush.rng(6);
    let (mut ruts, mut stones, mut tufts) = (BezPath::new(), Vec::new(), Vec::new());
    for line in brush.plan.lines.iter().filter(|l| l.style == LandStyle::Path && !l.is_over) {
        let at = |t: f64, side: f64| {
            brush.map_point(path_point(&line.path, t) + path_direction(&line.path, t).turn_90() * side)
        };
        // The ruts reach the rim at the same place on all tiles, and have gaps elsewhere.
        for side in [-0.019, 0.019] {
            let mut t = 0.0;
            while t < 1.0 {
                let end = (t + rng.between(0.25, 0.6)).min(1.0);
                let end = if line.end == LineEnd::Through && end > 0.9 { 1.0 } else { end };
                ruts.move_to(at(t, side));
                for i in 1..=4 {
                    ruts.line_to(at(t + (end - t) * f64::from(i) / 4.0, side + rng.between(-0.002, 0.002)));
                }
                t = end + rng.between(0.03, 0.07);
            }
        }
        if brush.is_complete(line.zone) {
            pave(brush, picture, line);
        }
        if brush.bold > 1.0 {
            // Stones and grass are too small to be seen.
            continue;
        }
        for _ in 0..9 {
            stones.push((at(rng.next_f64(), rng.between(-0.038, 0.038)), rng.between(0.003, 0.006)));
        }
        for _ in 0..12 {
            let side = rng.pick(&[-1.0, 1.0]) * rng.between(0.052, 0.062);
            let t = rng.between(0.05, 0.95);
            tufts.push((at(t, side), rng.between(0.006, 0.011)));
        }
    }
    picture.line(ruts, colours.path_edge.with_alpha(0.24), 0.012);
    picture.discs(&stones, colours.path_edge.with_alpha(0.5));
    picture.discs(&tufts, colours.ground_dark.mix(colours.grass, 0.5));
}

/// Paints the ends and junctions of paths.
fn paint_ends(brush: &Brush<'_>, picture: &mut Picture) {
    let mut rng = brush.rng(7);
    if brush.is_detailed {
        for square in houses::crossings(brush) {
            paint_well(brush, picture, brush.map_point(square));
        }
        houses::draw(brush, picture, &houses::villages(brush));
    }
    for line in brush.plan.lines.iter().filter(|l| l.style == LandStyle::Path) {
        let LineEnd::Alone(p) = line.end else { continue };
        let along = path_direction(&line.path, 0.98);
        let side = along.turn_90();
        // A hamlet shows that the path ends here.
        let mut hamlet = Vec::new();
        for (there, a) in
            [(along * 0.085, 0.05), (side * 0.095 + along * 0.02, 0.04), (side * -0.092 + along * 0.035, 0.038)]
        {
            let angle = brush.map_direction(along).atan2() + rng.pick(&[0.0, std::f64::consts::FRAC_PI_2]);
            let roof = rng.pick(&[brush.colours.roof_1, brush.colours.roof_2, brush.colours.roof_3]);
            hamlet.push(House { at: brush.map_point(p + there), half: [a, a * 0.68], angle, roof });
        }
        houses::draw(brush, picture, &hamlet);
        let tree = brush.map_point(p + along * 0.14 + side * 0.09);
        nature::paint_tree(brush, picture, tree, 0.036, brush.colours.wood_1, &mut rng);
    }
}

/// Paints the joints between the stones of a paved path.
fn pave(brush: &Brush<'_>, picture: &mut Picture, line: &Line) {
    let mut joints = BezPath::new();
    let n = 16;
    for i in 0..n {
        let t = (f64::from(i) + 0.5) / f64::from(n);
        let side = path_direction(&line.path, t).turn_90() * 0.036;
        let p = path_point(&line.path, t);
        joints.move_to(brush.map_point(p - side));
        joints.line_to(brush.map_point(p + side));
    }
    picture.line(joints, brush.colours.path_edge.with_alpha(0.55), 0.008);
}

fn paint_well(brush: &Brush<'_>, picture: &mut Picture, at: Point) {
    let colours = brush.colours;
    picture.disc(at + SHADOW_OFFSET, 0.030, colours.shadow.with_alpha(0.25));
    picture.disc(at, 0.030, colours.wall_dark);
    picture.disc(at, 0.026, colours.wall_light);
    picture.disc(at, 0.017, colours.wall_dark);
    picture.disc(at + SHADOW_OFFSET * 0.2, 0.0145, colours.water);
}

/// Paints the bridges on which `line` crosses other lines.
fn paint_bridges(brush: &Brush<'_>, picture: &mut Picture, line: &Line) {
    for other in &brush.plan.lines {
        let is_below = match other.style {
            LandStyle::Water => true,
            _ => other.zone > line.zone && other.end == LineEnd::Through && line.end == LineEnd::Through,
        };
        if is_below && !other.is_over && other.zone != line.zone {
            let reach = lines::width(other.style) / 2.0 + 0.015;
            paint_bridge(brush, picture, &line.path, &|p| distance(&other.path, p) < reach);
        }
    }
}

/// Returns the deck of a bridge from shore to shore if `line` ends at water and a stub begins at
/// the same point. A stub is a way that the tile does not declare. The caller then draws one bridge
/// instead of two halves.
fn crossing(brush: &Brush<'_>, line: &Line) -> Option<BezPath> {
    let LineEnd::Joined(point) = line.end else { return None };
    let starts_there =
        |stub: &&(LandStyle, BezPath)| stub.0 == line.style && (path_point(&stub.1, 0.0) - point).hypot() < 1e-6;
    let (_, stub) = brush.plan.stubs.iter().find(starts_there)?;
    let reach = lines::width(LandStyle::Water) / 2.0 + 0.015;
    let mut water = brush.plan.lines.iter().filter(|l| l.style == LandStyle::Water && !l.is_over);
    let below = water.find(|l| distance(&l.path, point) < reach)?;
    let is_dry = |p: Point| distance(&below.path, p) >= reach;
    let parts = || (0..=60).map(|i| f64::from(i) / 60.0);
    let from = parts().rfind(|t| is_dry(path_point(&line.path, *t))).unwrap_or(0.0);
    let to = parts().find(|t| is_dry(path_point(stub, *t))).unwrap_or(1.0);
    let (start, end) = (path_point(&line.path, from), path_point(stub, to));
    let third = (end - start).hypot() / 3.0;
    let (first, second) = (path_direction(&line.path, from) * third, path_direction(stub, to) * third);
    Some(CubicBez::new(start, start + first, end - second, end).to_path(0.1))
}

fn distance(path: &BezPath, p: Point) -> f64 {
    (0..=24).map(|i| (path_point(path, f64::from(i) / 24.0) - p).hypot()).fold(1.0, f64::min)
}

/// Paints the lines that run above other zones: bridges that cross a full zone from wall to wall,
/// and lines of overlays. Skips zones numbered less than `first_zone`: they are already in the
/// picture of the tile under the overlay.
pub(super) fn paint_raised_lines(brush: &Brush<'_>, picture: &mut Picture, first_zone: usize) {
    for line in brush.plan.lines.iter().filter(|line| line.is_over && line.zone >= first_zone) {
        let (colours, width) = (brush.colours, lines::width(line.style));
        let path = brush.turn * line.path.clone();
        let (edge, body) = match (line.style, brush.covers[line.zone]) {
            (LandStyle::Water, _) => (colours.water_edge, colours.water),
            (_, Some(cover)) => (cover.edge, cover.colour),
            (_, None) => (colours.path_edge, colours.path),
        };
        picture.line(path.clone(), edge, width);
        picture.line(path, body, width - 0.026);
        if line.style == LandStyle::Coloured {
            cover::paint_pattern_along(brush, picture, line.zone, &line.path);
            continue;
        }
        if line.style == LandStyle::Water {
            // Water flows through the full zone, and a bridge over the water joins the two sides of
            // the zone.
            let (middle, side) = (path_point(&line.path, 0.5), path_direction(&line.path, 0.5).turn_90() * 0.13);
            let [from, first, second, to] = [-1.0, -0.3, 0.3, 1.0].map(|t| middle + side * t);
            let across = CubicBez::new(from, first, second, to).to_path(0.1);
            paint_bridge(brush, picture, &across, &|_| true);
            continue;
        }
        let inside = |p: Point| brush.plan.fulls.iter().any(|f| f.area.contains(p));
        // A line that crosses no full zone belongs to an overlay and is a bridge from end to end.
        let crosses = inside(path_point(&line.path, 0.5));
        let inside = |p: Point| !crosses || inside(p);
        paint_bridge(brush, picture, &line.path, &inside);
    }
}

/// Draws a stone bridge along `path`, from the first to the last point for which `within` returns
/// true.
fn paint_bridge(brush: &Brush<'_>, picture: &mut Picture, path: &BezPath, within: &dyn Fn(Point) -> bool) {
    let steps = || (0..=60).map(|i| f64::from(i) / 60.0).filter(|t| within(path_point(path, *t)));
    let (Some(first), Some(last)) = (steps().next(), steps().last()) else { return };
    let Some(segment) = path.segments().next() else { return };
    let PathSeg::Cubic(stretch) = segment.subsegment(first..last).to_cubic().into() else { return };
    let deck: BezPath = brush.turn * stretch.to_path(0.001);
    let colours = brush.colours;
    let width = lines::width(LandStyle::Path);
    let flat = |picture: &mut Picture, path: &BezPath, colour: Colour, width: f64| {
        // The deck of a bridge ends in a straight cut.
        let style = kurbo::Stroke::new(width).with_caps(kurbo::Cap::Butt);
        let outline = kurbo::stroke(path.elements().iter().copied(), &style, &kurbo::StrokeOpts::default(), 0.001);
        picture.fill(outline, colour);
    };
    let shadow = kurbo::Affine::translate(SHADOW_OFFSET * 1.6) * deck.clone();
    flat(picture, &shadow, colours.shadow.with_alpha(0.3), width + 0.03);
    flat(picture, &deck, colours.wall_dark, width + 0.036);
    flat(picture, &deck, colours.wall_light, width + 0.020);
    flat(picture, &deck, colours.wall, width + 0.002);
    flat(picture, &deck, colours.path, width - 0.016);
    let n = ((last - first) * 22.0).max(2.0) as i32;
    for i in 0..n * i32::from(brush.is_detailed) {
        let t = first + (last - first) * (f64::from(i) + 0.5) / f64::from(n);
        let side = path_direction(path, t).turn_90() * (width / 2.0 - 0.014);
        let ends = [path_point(path, t) - side, path_point(path, t) + side].map(|end| brush.map_point(end));
        let plank = kurbo::Line::new(ends[0], ends[1]).to_path(0.1);
        picture.line(plank, colours.path_edge.with_alpha(0.35), 0.005);
    }
}
