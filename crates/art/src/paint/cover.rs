//! Paints coloured land: one colour with a pattern.

use kurbo::{Affine, BezPath, Circle, ParamCurve, Point, Rect, Shape, Vec2};
use theme::{LandPattern, LandStyle};

use super::border::{paint_ring, stone_layers};
use super::brush::Brush;
use crate::covers::Cover;
use crate::lines::{self, LineEnd, path_direction, path_point};
use crate::picture::Picture;
use crate::walls::FullZone;

/// The number of cells of a pattern along an edge of the tile. The number is even, so that the
/// patterns of neighbouring tiles join, even if every other row is shifted by half a cell.
const N_CELLS: i32 = 10;
/// The side of a cell of a pattern, in tile widths.
const CELL: f64 = 1.0 / N_CELLS as f64;
/// The number of cells of a pattern along a line that crosses the tile.
const N_LINE_CELLS: f64 = 12.0;

/// Paints the ground zones whose style is [`LandStyle::Coloured`].
pub(super) fn paint_ground(brush: &Brush<'_>, picture: &mut Picture) {
    let plan = brush.plan;
    for (zone, area) in plan.areas.iter().enumerate() {
        let is_ground = plan.fulls.iter().all(|full| full.zone != zone)
            && plan.lines.iter().all(|line| line.zone != zone)
            && plan.insides.iter().all(|(inside, ..)| *inside != zone);
        if let Some(cover) = brush.covers[zone].filter(|_| is_ground) {
            picture.fill(brush.turn * area.path(), cover.colour);
            paint_pattern(brush, picture, zone, &cover);
        }
    }
}

/// Paints a full zone whose style is [`LandStyle::Coloured`].
pub(super) fn paint_full(brush: &Brush<'_>, picture: &mut Picture, full: &FullZone) {
    let Some(cover) = brush.covers[full.zone] else { return };
    let ground = if brush.is_complete(full.zone) { cover.colour.mix(cover.edge, 0.24) } else { cover.colour };
    picture.fill(brush.turn * full.area.path(), ground);
    super::town::paint_courtyards(brush, picture, full);
    paint_pattern(brush, picture, full.zone, &cover);
    for wall in &full.walls {
        picture.line(brush.turn * wall.clone(), cover.edge, 0.028);
    }
}

/// Paints a coloured zone inside the tile: a disc around `p`, a point of the plan.
pub(super) fn paint_inside(brush: &Brush<'_>, picture: &mut Picture, zone: usize, p: Point, radius: f64) {
    let Some(cover) = brush.covers[zone] else { return };
    if brush.is_complete(zone) {
        paint_ring(brush, picture, brush.map_point(p), radius);
    }
    picture.disc(brush.map_point(p), radius, cover.edge);
    picture.disc(brush.map_point(p), radius - 0.022, cover.colour);
    paint_pattern(brush, picture, zone, &cover);
}

/// Paints the coloured lines, except lines that run above other zones.
pub(super) fn paint_lines(brush: &Brush<'_>, picture: &mut Picture) {
    let coloured = || brush.plan.lines.iter().filter(|line| line.style == LandStyle::Coloured && !line.is_over);
    let stubs = || brush.plan.stubs.iter().filter(|(style, _)| *style == LandStyle::Coloured).map(|(_, path)| path);
    // The plan does not assign stubs to zones, so all stubs have the colours of the first coloured
    // line.
    let first = coloured().find_map(|line| brush.covers[line.zone]);
    for (grow, colour) in stone_layers(brush) {
        for line in coloured().filter(|line| brush.is_complete(line.zone)) {
            picture.line(brush.turn * line.path.clone(), colour, lines::width(LandStyle::Coloured) + grow);
        }
    }
    for is_edge in [true, false] {
        let width = lines::width(LandStyle::Coloured) - if is_edge { 0.0 } else { 0.028 };
        let tone = |cover: Cover| if is_edge { cover.edge } else { cover.colour };
        for line in coloured() {
            let Some(cover) = brush.covers[line.zone] else { continue };
            picture.line(brush.turn * line.path.clone(), tone(cover), width);
            if let LineEnd::Alone(p) | LineEnd::Junction(p) = line.end {
                picture.disc(brush.map_point(p), width * 0.72, tone(cover));
            }
        }
        for (path, cover) in stubs().filter_map(|path| Some((path, first?))) {
            picture.line(brush.turn * path.clone(), tone(cover), width);
        }
    }
    for line in coloured() {
        paint_pattern_along(brush, picture, line.zone, &line.path);
    }
}

/// Paints the pattern of the coloured zone `zone` along the path of a line.
pub(super) fn paint_pattern_along(brush: &Brush<'_>, picture: &mut Picture, zone: usize, path: &BezPath) {
    let Some(cover) = brush.covers[zone] else { return };
    let n = (path.perimeter(0.01) * N_LINE_CELLS).round().max(1.0);
    let mut marks = BezPath::new();
    for i in 0..n as i32 {
        let t = (f64::from(i) + 0.5) / n;
        let along = brush.map_direction(path_direction(path, t)).atan2();
        let place = Affine::translate(brush.map_point(path_point(path, t)).to_vec2())
            * Affine::rotate(along)
            * Affine::scale(1.0 / N_LINE_CELLS);
        marks.extend(place * mark(cover.pattern));
    }
    draw(brush, picture, marks, &cover);
}

/// Paints the pattern of a zone, except near the border of the zone.
fn paint_pattern(brush: &Brush<'_>, picture: &mut Picture, zone: usize, cover: &Cover) {
    let back = brush.turn.inverse();
    let is_free = |p: Point| {
        let p = back * p;
        usize::from(brush.plan.raster.zone(p)) == zone && brush.plan.raster.border_distance(p) > 0.022
    };
    let is_joined = is_joined(cover.pattern);
    let mark = mark(cover.pattern);
    let mut marks = BezPath::new();
    for row in 0..N_CELLS {
        let shift = if !is_joined && row % 2 == 1 { 0.5 } else { 0.0 };
        // The marks of shifted rows that cross the western rim belong to column -1.
        for column in -1..N_CELLS {
            let centre = Vec2::new(f64::from(column) + 0.5 + shift, f64::from(row) + 0.5) * CELL;
            let mark = Affine::translate(centre) * Affine::scale(CELL) * mark.clone();
            if !is_joined {
                let bounds = mark.bounding_box();
                let corners =
                    [(bounds.x0, bounds.y0), (bounds.x1, bounds.y0), (bounds.x1, bounds.y1), (bounds.x0, bounds.y1)];
                if corners.into_iter().all(|corner| is_free(corner.into())) {
                    marks.extend(mark);
                }
                continue;
            }
            // Draws each third of the mark separately, so that joined marks end as close to the
            // border as possible.
            for part in mark
                .segments()
                .flat_map(|s| [0, 1, 2].map(|i| s.subsegment(f64::from(i) / 3.0..f64::from(i + 1) / 3.0)))
            {
                if is_free(part.start()) && is_free(part.end()) {
                    marks.move_to(part.start());
                    marks.push(part.as_path_el());
                }
            }
        }
    }
    draw(brush, picture, marks, cover);
}

/// Adds the marks of a pattern to the picture, in a tone of the cover's colour.
fn draw(brush: &Brush<'_>, picture: &mut Picture, marks: BezPath, cover: &Cover) {
    if marks.elements().is_empty() {
        return;
    }
    let colour = if cover.colour.brightness() > 0.5 { cover.colour.darken(0.36) } else { cover.colour.lighten(0.42) };
    match cover.pattern {
        LandPattern::Dots | LandPattern::Checks => picture.fill(marks, colour),
        _ => picture.line(marks, colour, if brush.is_detailed { 0.017 } else { 0.024 }),
    }
}

/// Returns whether the marks of neighbouring cells join to long lines.
fn is_joined(pattern: LandPattern) -> bool {
    matches!(pattern, LandPattern::Rows | LandPattern::Slopes | LandPattern::Waves | LandPattern::Chevrons)
}

/// Returns the mark of a pattern in one cell, a square of side 1 around the origin.
fn mark(pattern: LandPattern) -> BezPath {
    let mut path = BezPath::new();
    let mut polyline = |points: &[(f64, f64)]| {
        for (i, point) in points.iter().enumerate() {
            if i == 0 { path.move_to(*point) } else { path.line_to(*point) }
        }
    };
    match pattern {
        LandPattern::Plain => {}
        LandPattern::Rows => polyline(&[(-0.5, 0.0), (0.5, 0.0)]),
        LandPattern::Slopes => polyline(&[(-0.5, 0.5), (0.5, -0.5)]),
        LandPattern::Chevrons => polyline(&[(-0.5, 0.25), (0.0, -0.25), (0.5, 0.25)]),
        LandPattern::Crosses => {
            polyline(&[(-0.28, 0.0), (0.28, 0.0)]);
            polyline(&[(0.0, -0.28), (0.0, 0.28)]);
        }
        LandPattern::Waves => {
            path.move_to((-0.5, 0.0));
            path.quad_to((-0.25, -0.5), (0.0, 0.0));
            path.quad_to((0.25, 0.5), (0.5, 0.0));
        }
        LandPattern::Dots => path = Circle::new(Point::ORIGIN, 0.2).to_path(0.02),
        LandPattern::Rings => path = Circle::new(Point::ORIGIN, 0.26).to_path(0.02),
        LandPattern::Checks => path = Rect::new(-0.25, -0.25, 0.25, 0.25).to_path(0.1),
    }
    path
}
