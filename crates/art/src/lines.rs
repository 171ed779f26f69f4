//! Computes the paths and inner ends of lines: zones such as roads, which reach the rim of the tile
//! in the middles of edges.

use board::Edge;
use kurbo::{BezPath, CubicBez, ParamCurve, ParamCurveDeriv, ParamCurveNearest, PathSeg, Point, Shape, Vec2};
use theme::LandStyle;

use crate::outline::StyledTile;
use crate::walls::{FullZone, inward, middle};

/// The inner end of a line: the end that is not at the rim of the tile.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum LineEnd {
    /// There is no inner end: the line runs from one edge to another.
    Through,
    /// A point at which the line meets other lines of the same style.
    Junction(Point),
    /// A gate in the wall of a full zone, such as a city. The unit vector points into this zone.
    Gate(Point, Vec2),
    /// A building or pond on the tile, given by its zone number.
    Inside(usize),
    /// A point at which the line runs into another line.
    Joined(Point),
    /// A free end, at a house or a spring.
    Alone(Point),
}

/// A line of a tile, or one arm of a line that has several. The path begins at the rim.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) zone: usize,
    pub(crate) style: LandStyle,
    pub(crate) path: BezPath,
    pub(crate) end: LineEnd,
    /// True if the line runs above other zones, as a bridge.
    pub(crate) is_over: bool,
}

/// Returns the width of a drawn line, in tile widths.
pub(crate) fn width(style: LandStyle) -> f64 {
    if style == LandStyle::Water { 0.20 } else { 0.12 }
}

/// Returns the arms of a tile, each as the zone of a line and an edge. An arm is the part of a line
/// between one edge and an inner end. A line between exactly two edges has no arms.
pub(crate) fn arms(tile: &StyledTile<'_>) -> Vec<(usize, Edge)> {
    let lines = (0..tile.n_zones()).filter(|z| tile.is_line(*z) && tile.n_edges(*z) != 2);
    lines.flat_map(|z| tile.edges(z).map(move |e| (z, e))).collect()
}

/// Returns the lines that run from one edge of the tile to another edge.
pub(crate) fn through_lines(tile: &StyledTile<'_>, fulls: &[FullZone]) -> Vec<Line> {
    let mut lines = Vec::new();
    for zone in (0..tile.n_zones()).filter(|z| tile.is_line(*z) && tile.n_edges(*z) == 2) {
        let edges: Vec<Edge> = tile.edges(zone).collect();
        let [a, b] = [edges[0], edges[1]];
        let (from, to) = (middle(a), middle(b));
        let style = tile.style(zone);
        let (first, second) = if a.opposite() == b {
            // Water always curves a little.
            let sway = if style == LandStyle::Water { 0.07 } else { 0.0 };
            let aside = inward(a).turn_90() * sway;
            (from + inward(a) * 0.3 + aside, to + inward(b) * 0.3 - aside)
        } else {
            let crowded = fulls.iter().any(|f| !f.area.contains(from) && tile.n_edges(f.zone) > 1);
            let reach = if crowded { 0.2 } else { 0.3 };
            (from + inward(a) * reach, to + inward(b) * reach)
        };
        let path = CubicBez::new(from, first, second, to).to_path(0.1);
        let is_over = tile.is_overlaid(zone) || fulls.iter().any(|f| f.area.contains(path_point(&path, 0.5)));
        lines.push(Line { zone, style, path, end: LineEnd::Through, is_over });
    }
    lines
}

/// Returns the point at which the arms with this style meet, and these arms; `None` if fewer than
/// two arms meet.
pub(crate) fn junction(
    tile: &StyledTile<'_>,
    fulls: &[FullZone],
    style: LandStyle,
) -> Option<(Point, Vec<(usize, Edge)>)> {
    let meeting: Vec<(usize, Edge)> = arms(tile)
        .into_iter()
        .filter(|(zone, edge)| tile.style(*zone) == style && (tile.n_edges(*zone) > 2 || meets(tile, *edge)))
        // If there are several ponds, an arm that touches only one of them ends in that pond.
        .filter(|(zone, _)| tile.n_insides(style) < 2 || tile.own_inside(*zone).is_none())
        .collect();
    if meeting.len() < 2 {
        return None;
    }
    let centre = Point::new(0.5, 0.5);
    let sum: Vec2 = meeting.iter().map(|(_, edge)| middle(*edge) - centre).fold(Vec2::ZERO, |a, b| a + b);
    let towards = sum / meeting.len() as f64;
    let is_clear = |p: &Point| fulls.iter().all(|f| !f.area.contains(*p) && f.area.distance(*p) > 0.1);
    let points = (0..6).map(|i| centre + towards * (0.12 * f64::from(i)));
    let point = points.into_iter().find(is_clear).unwrap_or(centre);
    Some((point, meeting))
}

/// Returns whether the arm at `edge` runs to a junction. It does unless the same ground lies on
/// both of its sides, or a full zone borders the grounds on both sides. In the second case, the arm
/// runs to a gate of the full zone.
fn meets(tile: &StyledTile<'_>, edge: Edge) -> bool {
    match grounds_beside(tile, edge) {
        Some((a, b)) => a != b && tile.shared_full(a, b).is_none(),
        None => true,
    }
}

fn grounds_beside(tile: &StyledTile<'_>, edge: Edge) -> Option<(usize, usize)> {
    let [first, _, second] = edge.ports();
    tile.ground_at(first).zip(tile.ground_at(second))
}

/// Returns the arms of the tile as lines. `meeting` contains the junctions, each with its arms.
/// `insides` contains the zones, positions and radii of buildings and ponds.
pub(crate) fn arm_lines(
    tile: &StyledTile<'_>,
    fulls: &[FullZone],
    through: &[Line],
    meeting: &[(Point, Vec<(usize, Edge)>)],
    insides: &[(usize, Point, f64)],
) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut gates: Vec<Point> = Vec::new();
    for (zone, edge) in arms(tile) {
        let style = tile.style(zone);
        let (start, inside) = (middle(edge), inward(edge));
        let star = meeting.iter().find(|(_, arms)| arms.contains(&(zone, edge)));
        let parted = grounds_beside(tile, edge).filter(|(a, b)| a != b);
        let gate = parted.and_then(|(a, b)| tile.shared_full(a, b));
        let gate = gate.and_then(|f| fulls.iter().find(|full| full.zone == f));
        let nearest_inside = || {
            let by_distance = |a: &&(usize, Point, f64), b: &&(usize, Point, f64)| {
                (a.1 - start).hypot().total_cmp(&(b.1 - start).hypot())
            };
            let own = tile.own_inside(zone);
            insides.iter().find(|i| Some(i.0) == own).or_else(|| insides.iter().min_by(by_distance))
        };
        // If only water lies between a path and a building, the path crosses the water.
        let goes_on =
            style == LandStyle::Path && !insides.is_empty() && through.iter().all(|l| l.style == LandStyle::Water);
        let (end, target, leave) = if let Some((point, _)) = star {
            let at = insides.iter().find(|(_, p, _)| p == point);
            (at.map_or(LineEnd::Junction(*point), |i| LineEnd::Inside(i.0)), *point, None)
        } else if let Some((point, into)) = gate.and_then(|full| gate_of(full, start + inside * 0.3, &gates)) {
            gates.push(point);
            (LineEnd::Gate(point, into), point + into * 0.03, Some(-into))
        } else if let Some((point, along)) =
            nearest_on_lines(through, start + inside * 0.45).filter(|_| parted.is_some() && !goes_on)
        {
            (LineEnd::Joined(point), point, Some(-along))
        } else if let Some((i, point, _)) = nearest_inside() {
            (LineEnd::Inside(*i), *point, None)
        } else {
            let reach = if style == LandStyle::Water { 0.5 } else { 0.36 };
            let clear = |p: &Point| fulls.iter().all(|f| !f.area.contains(*p) && f.area.distance(*p) > 0.08);
            let points = (0..5).map(|i| start + inside * (reach - 0.05 * f64::from(i)));
            let point = points.into_iter().find(clear).unwrap_or(start + inside * 0.2);
            (LineEnd::Alone(point), point, None)
        };
        let span = (target - start).hypot();
        let back = leave.map_or_else(|| (start + inside * 0.25 - target).normalize(), Vec2::normalize);
        let (first, second) = (start + inside * (span * 0.45), target + back * (span * 0.35));
        let path = CubicBez::new(start, first, second, target).to_path(0.1);
        lines.push(Line { zone, style, path, end, is_over: false });
    }
    lines
}

/// Returns the best position for a gate of `full`, near `from` and away from the gates `others`,
/// and the direction into the zone. Returns `None` if the zone has no wall.
pub(crate) fn gate_of(full: &FullZone, from: Point, others: &[Point]) -> Option<(Point, Vec2)> {
    let mut best: Option<(f64, Point, Vec2)> = None;
    for wall in &full.walls {
        for segment in wall.segments() {
            let PathSeg::Cubic(curve) = segment else { continue };
            for i in 0..=28 {
                let t = 0.15 + 0.025 * f64::from(i);
                let point = curve.eval(t);
                let crowded = others.iter().map(|o| (0.28 - (*o - point).hypot()).max(0.0)).fold(0.0, f64::max);
                let far = (point - from).hypot() + crowded * 3.0 + (t - 0.5).abs() * 0.12;
                if best.is_none_or(|(least, ..)| far < least) {
                    let along = curve.deriv().eval(t).to_vec2().normalize();
                    let side = along.turn_90();
                    let into = if full.area.contains(point + side * 0.02) { side } else { -side };
                    best = Some((far, point, into));
                }
            }
        }
    }
    best.map(|(_, point, into)| (point, into))
}

/// Returns the point on the lines `through` that is nearest to the point `from`, and the direction
/// from `from` to this point. Returns `None` if `through` is empty.
fn nearest_on_lines(through: &[Line], from: Point) -> Option<(Point, Vec2)> {
    let nearest = |line: &Line| {
        let segments = line.path.segments();
        let near =
            segments.map(|s| (s, s.nearest(from, 1e-4))).min_by(|a, b| a.1.distance_sq.total_cmp(&b.1.distance_sq));
        near.map(|(s, n)| (n.distance_sq, s.eval(n.t)))
    };
    let found = through.iter().filter_map(nearest).min_by(|a, b| a.0.total_cmp(&b.0));
    found.map(|(_, point)| (point, (point - from).normalize()))
}

/// Returns a straight way from the point `from` to a gate of `full`, and the end of that way.
/// Returns `None` if `full` has no wall.
pub(crate) fn stub(from: Point, full: &FullZone) -> Option<(BezPath, LineEnd)> {
    let (point, into) = gate_of(full, from, &[])?;
    Some((kurbo::Line::new(from, point + into * 0.03).to_path(0.1), LineEnd::Gate(point, into)))
}

/// Returns the point at fraction `t` (0 to 1) of a path that consists of one curve.
pub(crate) fn path_point(path: &BezPath, t: f64) -> Point {
    path.segments().next().map_or(Point::ORIGIN, |s| s.eval(t))
}

/// Returns the direction at fraction `t` (0 to 1) of a path that consists of one curve.
pub(crate) fn path_direction(path: &BezPath, t: f64) -> Vec2 {
    let (a, b) = (path_point(path, (t - 0.01).max(0.0)), path_point(path, (t + 0.01).min(1.0)));
    (b - a).normalize()
}
