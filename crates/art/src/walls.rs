//! Computes the areas and walls of full zones: zones that fill edges, such as cities, and bulge
//! into the tile.

use board::{Edge, Port};
use kurbo::{BezPath, CubicBez, Point, Shape, Vec2};
use theme::LandStyle;

use crate::area::Area;
use crate::outline::StyledTile;

/// A zone that fills at least one edge of its tile, such as a city.
#[derive(Clone, Debug)]
pub(crate) struct FullZone {
    pub(crate) zone: usize,
    pub(crate) style: LandStyle,
    pub(crate) area: Area,
    /// The borders of the zone inside the tile, each from one corner of the tile to another corner.
    pub(crate) walls: Vec<BezPath>,
}

/// The corners of the tile, clockwise from the north-west. Edge `i` runs from corner `i` to the
/// next corner.
const CORNERS: [Point; 4] = [Point::new(0.0, 0.0), Point::new(1.0, 0.0), Point::new(1.0, 1.0), Point::new(0.0, 1.0)];

/// Returns the middle of an edge.
pub(crate) fn middle(edge: Edge) -> Point {
    CORNERS[edge as usize].midpoint(CORNERS[(edge as usize + 1) % 4])
}

/// Returns the unit vector that points from an edge straight into the tile.
pub(crate) fn inward(edge: Edge) -> Vec2 {
    let (x, y) = edge.step();
    Vec2::new(-f64::from(x), -f64::from(y))
}

/// Returns the point of an edge at the fraction `t` of its length, from the west or the north.
pub(crate) fn rim_point(edge: Edge, t: f64) -> Point {
    match edge {
        Edge::North => Point::new(t, 0.0),
        Edge::East => Point::new(1.0, t),
        Edge::South => Point::new(t, 1.0),
        Edge::West => Point::new(0.0, t),
    }
}

/// Returns the zones of the tile that fill edges.
pub(crate) fn full_zones(tile: &StyledTile<'_>) -> Vec<FullZone> {
    let zones = (0..tile.n_zones()).filter(|z| tile.is_full(*z));
    zones.map(|zone| full_zone(tile, zone)).collect()
}

fn full_zone(tile: &StyledTile<'_>, zone: usize) -> FullZone {
    let holds = |edge: usize| tile.full_at(Edge::from_index(edge)) == Some(zone);
    let style = tile.style(zone);
    let Some(first) = (0..4).find(|e| holds(*e) && !holds((e + 3) % 4)) else {
        // Every edge belongs to this zone.
        return FullZone { zone, style, area: Area::tile(), walls: Vec::new() };
    };
    let mut path = BezPath::new();
    path.move_to(CORNERS[first]);
    let mut walls = Vec::new();
    let mut edge = first;
    while edge < first + 4 {
        if holds(edge % 4) {
            path.line_to(CORNERS[(edge + 1) % 4]);
            edge += 1;
            continue;
        }
        // Finds a run of edges that belong to other zones, up to the next corner that this zone
        // reaches.
        let mut end = edge + 1;
        while end < first + 4 && !holds(end % 4) && !reaches(tile, zone, end % 4) {
            end += 1;
        }
        let wall = wall(tile, zone, edge % 4, end - edge);
        path.curve_to(wall[0], wall[1], CORNERS[end % 4]);
        walls.push(CubicBez::new(CORNERS[edge % 4], wall[0], wall[1], CORNERS[end % 4]).to_path(0.1));
        edge = end;
    }
    path.close_path();
    FullZone { zone, style, area: Area::from_path(&path), walls }
}

/// Returns whether the zone reaches a corner between two edges that it does not fill. This requires
/// different grounds on both sides of the corner, and `zone` must be the first full zone that
/// touches both grounds.
fn reaches(tile: &StyledTile<'_>, zone: usize, corner: usize) -> bool {
    let before = tile.ground_at(Port::from_index((corner + 3) % 4 * 3 + 2));
    let after = tile.ground_at(Port::from_index(corner * 3));
    let (Some(before), Some(after)) = (before, after) else { return false };
    let both_touch = |z: usize| tile.touches(before, z) && tile.touches(after, z);
    let who = (0..tile.n_zones()).find(|z| tile.is_full(*z) && both_touch(*z));
    before != after && who == Some(zone)
}

/// Returns the two control points of the wall that separates `zone` from the `n` edges after corner
/// `start`, which belong to other zones.
fn wall(tile: &StyledTile<'_>, zone: usize, start: usize, n: usize) -> [Point; 2] {
    let (a, b) = (CORNERS[start], CORNERS[(start + n) % 4]);
    let other = |edge: usize| tile.full_at(Edge::from_index(edge)).filter(|z| *z != zone);
    let others: Vec<usize> = (start..start + n).filter_map(|e| other(e % 4)).collect();
    let inner = tile.has_inner_ground();
    match n {
        1 => {
            let inside = inward(Edge::from_index(start));
            let crossing = others.first().is_some_and(|z| tile.n_edges(*z) > 1);
            let n_own = tile.n_edges(zone);
            let (u, h) = match (others.is_empty(), inner) {
                // Two full zones cross each other as bands. These values leave lens-shaped areas at
                // the corners of the tile.
                (false, _) if crossing => (0.12, 0.50),
                (false, true) => (0.24, 0.56),
                (false, false) => (0.40, 0.34),
                (true, _) if n_own >= 3 => (0.20, 0.42),
                (true, _) => (0.22, 0.36),
            };
            let along = b - a;
            [a + along * u + inside * h, a + along * (1.0 - u) + inside * h]
        }
        2 => {
            let corner = CORNERS[(start + 1) % 4];
            let origin = a + (b - corner);
            let (c1, c2) = match (others.is_empty(), inner) {
                (true, _) => (0.74, 0.34),
                (false, true) => (0.58, 0.22),
                (false, false) => (0.68, 0.32),
            };
            [origin + (a - origin) * c1 + (b - origin) * c2, origin + (a - origin) * c2 + (b - origin) * c1]
        }
        _ => {
            // The zone fills only one edge. The wall runs from the end of that edge back to its
            // start.
            let own = (start + 3) % 4;
            let inside = inward(Edge::from_index(own));
            let along = b - a;
            let crowded = [other(start), other((start + n - 1) % 4)].map(|o| o.is_some());
            let h = if crowded.contains(&true) { 0.35 } else { 0.38 };
            let [u, v] = crowded.map(|c| if c { 0.41 } else { 0.2 });
            [a + along * u + inside * h, b - along * v + inside * h]
        }
    }
}
