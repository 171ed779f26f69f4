//! The plan of a tile: the positions of its parts, computed before drawing.

use board::{Edge, TileIdx, TileSet};
use kurbo::{BezPath, Circle, Point, Shape, Vec2};
use theme::LandStyle;

use crate::area::{Area, nearest_region};
use crate::lines::{self, Line, LineEnd};
use crate::outline::StyledTile;
use crate::raster::{Raster, distance_to_rim};
use crate::walls::{self, FullZone, inward, middle};

/// The width by which the clickable area of a line exceeds the drawn line, in tile widths.
const CLICK_MARGIN: f64 = 0.02;

/// The layout of an unturned tile in the unit square.
#[derive(Clone, Debug)]
pub(crate) struct TilePlan {
    /// The area of each zone. Together the areas cover the tile.
    pub(crate) areas: Vec<Area>,
    /// The places for pieces on each zone, the best first.
    pub(crate) places: Vec<Vec<Point>>,
    pub(crate) fulls: Vec<FullZone>,
    pub(crate) lines: Vec<Line>,
    /// Ways that the tile does not declare but that the drawing needs to separate two ground zones,
    /// each with its style. A stub runs to a gate, from a junction or from the point at which one
    /// line runs into another line.
    pub(crate) stubs: Vec<(LandStyle, BezPath)>,
    /// Gates: the number of the full zone, the position and the direction into the zone.
    pub(crate) gates: Vec<(usize, Point, Vec2)>,
    /// Zones that lie inside the tile (buildings, ponds and icons): the zone number, the position
    /// and the radius.
    pub(crate) insides: Vec<(usize, Point, f64)>,
    /// The points at which lines of the same style meet.
    pub(crate) junctions: Vec<(LandStyle, Point)>,
    /// Points along borders between two ground zones with nothing drawn between the zones.
    pub(crate) hedges: Vec<Point>,
    pub(crate) raster: Raster,
}

impl TilePlan {
    /// Makes the plan of `tile`, whose zones are drawn in `styles`.
    pub(crate) fn new(tile_set: &TileSet, tile: TileIdx, styles: Vec<LandStyle>) -> TilePlan {
        let tile = StyledTile::new(tile_set, tile_set.tile(tile), styles);
        let fulls = walls::full_zones(&tile);
        let through = lines::through_lines(&tile, &fulls);
        let meetings: Vec<_> = [
            LandStyle::Path,
            LandStyle::Water,
            LandStyle::Wooded,
            LandStyle::Walled,
            LandStyle::Ground,
            LandStyle::Coloured,
        ]
        .into_iter()
        .filter_map(|style| Some((style, lines::junction(&tile, &fulls, style)?)))
        .collect();
        let junctions: Vec<(LandStyle, Point)> = meetings.iter().map(|(style, (point, _))| (*style, *point)).collect();
        let meetings: Vec<_> = meetings.into_iter().map(|(_, meeting)| meeting).collect();
        let insides = place_insides(&tile, &fulls, &through, &junctions);
        let arms = lines::arm_lines(&tile, &fulls, &through, &meetings, &insides);
        let mut lines = through;
        lines.extend(arms);
        let mut plan = TilePlan {
            areas: Vec::new(),
            places: Vec::new(),
            fulls,
            lines,
            stubs: Vec::new(),
            gates: Vec::new(),
            insides,
            junctions,
            hedges: Vec::new(),
            raster: Raster::new(&[]),
        };
        plan.assign_parts(&tile);
        plan.find_gates();
        plan.raster = Raster::new(&plan.areas);
        plan.find_hedges(&tile);
        plan.find_places(&tile);
        plan
    }

    /// Assigns every part of the tile to a zone.
    fn assign_parts(&mut self, tile: &StyledTile<'_>) {
        // The declared zones may leave two ground zones connected. Each round adds a way that
        // separates two of them.
        for _ in 0..4 {
            let ground = self.assign_non_ground(tile);
            let parts = ground.parts();
            let missing_way = parts.iter().find_map(|part| self.missing_way(tile, part));
            let Some((full, junction)) = missing_way else { break };
            let Some((path, end)) = lines::stub(junction.1, &self.fulls[full]) else { break };
            if let LineEnd::Gate(point, into) = end {
                self.gates.push((self.fulls[full].zone, point, into));
            }
            self.stubs.push((junction.0, path));
        }
        let ground = self.assign_non_ground(tile);
        self.assign_ground(tile, ground);
    }

    /// If the connected area `part` belongs to two ground zones, returns the way that would
    /// separate them: from the returned junction to the returned full zone, given as a position in
    /// `fulls`. Returns `None` if `part` belongs to only one ground zone, or if no such way is
    /// possible.
    fn missing_way(&self, tile: &StyledTile<'_>, part: &Area) -> Option<(usize, (LandStyle, Point))> {
        let owners = owners(tile, part);
        let [a, b, ..] = owners[..] else { return None };
        let zone = tile.shared_full(a, b)?;
        let full = self.fulls.iter().position(|f| f.zone == zone)?;
        let is_new = !self.gates.iter().any(|(gate, ..)| *gate == zone);
        let joined = || {
            // Uses the point at which a line ends at water: the way to the gate continues over a
            // bridge.
            self.lines.iter().find_map(|l| match l.end {
                LineEnd::Joined(p) => Some((l.style, p)),
                _ => None,
            })
        };
        Some((full, self.junctions.first().copied().or_else(joined)?)).filter(|_| is_new)
    }

    /// Assigns areas to all zones except ground, from the top zone down. Returns the area that
    /// remains for ground.
    fn assign_non_ground(&mut self, tile: &StyledTile<'_>) -> Area {
        self.areas = vec![Area::default(); tile.n_zones()];
        let mut free = Area::tile();
        for (zone, point, radius) in &self.insides {
            let disc = Area::from_path(&Circle::new(*point, *radius).to_path(0.001));
            self.areas[*zone] = free.intersection(&disc);
            free = free.difference(&disc);
        }
        self.assign_lines(&mut free, true);
        for full in &self.fulls {
            self.areas[full.zone] = free.intersection(&full.area);
            free = free.difference(&full.area);
        }
        self.assign_lines(&mut free, false);
        free
    }

    fn assign_lines(&mut self, free: &mut Area, over: bool) {
        let arms: Vec<(usize, Point)> = (self.lines.iter())
            .filter(|l| matches!(l.end, LineEnd::Junction(_) | LineEnd::Inside(_)) && !l.is_over)
            .map(|l| (l.zone, lines::path_point(&l.path, 0.4)))
            .collect();
        for line in self.lines.iter().filter(|l| l.is_over == over) {
            let mut area = Area::from_stroke(&line.path, lines::width(line.style) + CLICK_MARGIN);
            if let LineEnd::Junction(_) | LineEnd::Inside(_) = line.end {
                // Divides the centre at which arms meet: each zone gets the part that is nearest to
                // its own arms.
                let (mine, others): (Vec<_>, Vec<_>) = arms.iter().partition(|(zone, _)| *zone == line.zone);
                let points = |list: Vec<(usize, Point)>| list.into_iter().map(|(_, p)| p).collect::<Vec<_>>();
                area = area.intersection(&nearest_region(&points(mine), &points(others)));
            }
            let own = free.intersection(&area);
            self.areas[line.zone] = self.areas[line.zone].union(&own);
            *free = free.difference(&area);
        }
        if over {
            return;
        }
        for (style, stub) in &self.stubs {
            let Some(line) = self.lines.iter().find(|l| l.style == *style) else { continue };
            let area = Area::from_stroke(stub, lines::width(*style));
            self.areas[line.zone] = self.areas[line.zone].union(&free.intersection(&area));
            *free = free.difference(&area);
        }
    }

    fn assign_ground(&mut self, tile: &StyledTile<'_>, ground: Area) {
        let inner: Vec<usize> = tile.inner_grounds().collect();
        let mut n_inner = 0;
        for part in ground.parts() {
            let owners = owners(tile, &part);
            match owners[..] {
                [] if part.size() < 0.001 => self.give_to_neighbour(&part),
                [] if !inner.is_empty() => {
                    let zone = inner[n_inner % inner.len()];
                    n_inner += 1;
                    self.areas[zone] = self.areas[zone].union(&part);
                }
                [] => self.give_to_neighbour(&part),
                [zone] => self.areas[zone] = self.areas[zone].union(&part),
                _ => {
                    let points = |z: usize| tile.halves(z).map(half_point).collect::<Vec<_>>();
                    for zone in &owners {
                        let others: Vec<Point> =
                            owners.iter().filter(|o| *o != zone).flat_map(|o| points(*o)).collect();
                        let cell = part.intersection(&nearest_region(&points(*zone), &others));
                        self.areas[*zone] = self.areas[*zone].union(&cell);
                    }
                }
            }
        }
        // If no area remains for an inner ground zone, it becomes a courtyard that is cut out of
        // the zone around it.
        for zone in inner.into_iter().skip(n_inner) {
            let Some(full) = self.fulls.iter().find(|f| tile.touches(zone, f.zone)) else { continue };
            let yard = Area::from_path(&Circle::new(widest_point(&self.areas[full.zone]), 0.13).to_path(0.001));
            self.areas[zone] = self.areas[full.zone].intersection(&yard);
            self.areas[full.zone] = self.areas[full.zone].difference(&yard);
        }
    }

    /// Assigns a leftover part of the tile to the nearest zone.
    fn give_to_neighbour(&mut self, part: &Area) {
        let Some([x, y]) = part.0.first().and_then(|c| c.first()).copied() else { return };
        let distance = |z: &usize| self.areas[*z].distance(Point::new(x, y));
        let zones = 0..self.areas.len();
        if let Some(zone) = zones.min_by(|a, b| distance(a).total_cmp(&distance(b))) {
            self.areas[zone] = self.areas[zone].union(part);
        }
    }

    fn find_gates(&mut self) {
        let centre = |into: Vec2, point: Point| point + into * 0.03;
        for line in &self.lines {
            if let LineEnd::Gate(point, into) = line.end {
                let owner = self.fulls.iter().find(|f| f.area.contains(centre(into, point)));
                self.gates.extend(owner.map(|f| (f.zone, point, into)));
            }
        }
    }

    fn find_hedges(&mut self, tile: &StyledTile<'_>) {
        let is_ground = |p: Point| {
            let zone = self.raster.zone(p);
            (usize::from(zone) < tile.n_zones() && tile.is_ground(usize::from(zone))).then_some(zone)
        };
        for (p, ..) in self.raster.cells() {
            for step in [Vec2::new(1.0 / 64.0, 0.0), Vec2::new(0.0, 1.0 / 64.0)] {
                let differ = is_ground(p).zip(is_ground(p + step)).is_some_and(|(a, b)| a != b);
                let at = p + step / 2.0;
                if differ && self.hedges.iter().all(|h| (*h - at).hypot() > 0.035) {
                    self.hedges.push(at);
                }
            }
        }
    }

    fn find_places(&mut self, tile: &StyledTile<'_>) {
        self.places = vec![Vec::new(); tile.n_zones()];
        let mut order: Vec<usize> = (0..tile.n_zones()).collect();
        // Inside zones get their places first, then the zones with the smallest areas.
        let rank = |z: &usize| (!tile.is_inside(*z), self.areas[*z].size());
        order.sort_by(|a, b| rank(a).0.cmp(&rank(b).0).then(rank(a).1.total_cmp(&rank(b).1)));
        for round in 0..3 {
            for zone in &order {
                let taken: Vec<Point> = self.places.iter().flatten().copied().collect();
                let found = match self.insides.iter().find(|(z, ..)| z == zone) {
                    Some((_, point, _)) if round == 0 => Some(*point),
                    _ => self.best_place(tile, *zone, &taken, round == 0),
                };
                self.places[*zone].extend(found);
            }
        }
    }

    fn best_place(&self, tile: &StyledTile<'_>, zone: usize, taken: &[Point], is_first: bool) -> Option<Point> {
        let apart = |p: Point| taken.iter().map(|t| (*t - p).hypot()).fold(1.0, f64::min);
        let crowd = |p: Point| (PIECE_DISTANCE - apart(p)).max(0.0);
        let mut offers: Vec<(f64, Point)> = Vec::new();
        if tile.is_line(zone) {
            for line in self.lines.iter().filter(|l| l.zone == zone) {
                let wanted = if line.end == LineEnd::Through { 0.5 } else { 0.45 };
                for i in 2..=18 {
                    let t = f64::from(i) * 0.05;
                    let p = lines::path_point(&line.path, t);
                    if usize::from(self.raster.zone(p)) == zone && distance_to_rim(p) > 0.07 {
                        offers.push((0.1 - (t - wanted).abs() * 0.08 - crowd(p), p));
                    }
                }
            }
        }
        if offers.is_empty() || !is_first {
            for (p, _, clear) in self.raster.cells().filter(|(_, z, _)| usize::from(*z) == zone) {
                offers.push((clear.min(distance_to_rim(p) * 0.9).min(0.17) + distance_to_rim(p) * 0.02 - crowd(p), p));
            }
        }
        let best = offers.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let (worth, point) = best.unwrap_or_else(|| (1.0, widest_point(&self.areas[zone])));
        (is_first || (worth > 0.02 && apart(point) > 0.15)).then_some(point)
    }
}

/// The distance, in tiles, at which places for pieces do not crowd each other: the width of the
/// marks that show choices on the board.
const PIECE_DISTANCE: f64 = 0.36;

/// Returns a point of a half-edge, moved just inside the tile.
fn half_point(port: board::Port) -> Point {
    let along = inward(port.edge()).turn_90();
    let side = if port.index().is_multiple_of(3) { -0.25 } else { 0.25 };
    // Going clockwise, the first half of an edge lies before the middle of the edge.
    middle(port.edge()) - along * side + inward(port.edge()) * 0.012
}

/// Lists the ground zones with a half-edge in `part`.
fn owners(tile: &StyledTile<'_>, part: &Area) -> Vec<usize> {
    let zones = (0..tile.n_zones()).filter(|z| tile.is_ground(*z));
    zones.filter(|z| tile.halves(*z).any(|h| part.contains(half_point(h)))).collect()
}

/// Returns the point of a coarse grid that lies in `area` and is farthest from the outline of the
/// area.
fn widest_point(area: &Area) -> Point {
    let points = (1..32).flat_map(|x| (1..32).map(move |y| Point::new(f64::from(x) / 32.0, f64::from(y) / 32.0)));
    let inside = points.filter(|p| area.contains(*p)).map(|p| (area.distance(p), p));
    inside.max_by(|a, b| a.0.total_cmp(&b.0)).map_or(Point::new(0.5, 0.5), |(_, p)| p)
}

/// Places the inside zones, such as buildings and ponds. A zone lies at a free junction, or
/// otherwise at the point with the most room. Returns the zone, position and radius of each.
fn place_insides(
    tile: &StyledTile<'_>,
    fulls: &[FullZone],
    through: &[Line],
    junctions: &[(LandStyle, Point)],
) -> Vec<(usize, Point, f64)> {
    let mut found: Vec<(usize, Point, f64)> = Vec::new();
    let lines: Vec<Area> =
        through.iter().filter(|l| !l.is_over).map(|l| Area::from_stroke(&l.path, lines::width(l.style))).collect();
    for zone in (0..tile.n_zones()).filter(|z| tile.is_inside(*z)) {
        let wanted = match tile.style(zone) {
            LandStyle::Water | LandStyle::Wooded => LandStyle::Water,
            _ => LandStyle::Path,
        };
        let meeting = junctions.iter().find(|(style, p)| *style == wanted && found.iter().all(|f| f.1 != *p));
        if let Some((_, point)) = meeting {
            // At a junction of water, which is broader than a path, the zone is larger.
            let room = fulls.iter().map(|f| f.area.distance(*point)).fold(1.0, f64::min);
            let radius = if wanted == LandStyle::Water { room.clamp(0.19, 0.25) } else { 0.19 };
            found.push((zone, *point, radius));
            continue;
        }
        let room = |p: Point| {
            if fulls.iter().any(|f| f.area.contains(p)) || lines.iter().any(|l| l.contains(p)) {
                return 0.0;
            }
            let from_lines = lines.iter().map(|l| l.distance(p)).fold(1.0, f64::min);
            let from_fulls = fulls.iter().map(|f| f.area.distance(p) - 0.02).fold(1.0, f64::min);
            let from_found = found.iter().map(|(_, f, r)| (*f - p).hypot() - r).fold(1.0, f64::min);
            from_lines.min(from_fulls).min(from_found).min(distance_to_rim(p) - 0.01)
        };
        let points =
            (2..=38).flat_map(|x| (2..=38).map(move |y| Point::new(f64::from(x), f64::from(y)).to_vec2() / 40.0));
        // A pond lies near the arms that run into it. If only one arm runs into it, the pond is
        // smaller, to leave room for the land beside it.
        let arms = lines::arms(tile).into_iter().filter(|(line, _)| tile.own_inside(*line) == Some(zone));
        let edges: Vec<Edge> = arms.map(|(_, edge)| edge).collect();
        let (reach, pull, enough) = if edges.len() == 1 { (0.4, 0.6, 0.17) } else { (0.2, 0.25, 0.24) };
        let ends = edges.iter().fold(Vec2::ZERO, |sum, edge| sum + (middle(*edge) + inward(*edge) * reach).to_vec2());
        let wish = if edges.is_empty() { Vec2::new(0.5, 0.5) } else { ends / edges.len() as f64 };
        let worth = |p: Point| match room(p) {
            room if room < 0.07 => room - 1.0,
            room => room.min(enough) - (p.to_vec2() - wish).hypot() * pull,
        };
        let best = points.map(Vec2::to_point).max_by(|a, b| worth(*a).total_cmp(&worth(*b)));
        let point = best.unwrap_or(Point::new(0.5, 0.5));
        found.push((zone, point, (room(point) - 0.015).clamp(0.09, 0.22)));
    }
    found
}
