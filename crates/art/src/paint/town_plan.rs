//! Plans towns: streets, rows of houses along the streets and walls, and houses behind them.

use board::Edge;
use kurbo::{BezPath, CubicBez, ParamCurveArclen, Point, Shape, Vec2};
use theme::Colour;

use super::brush::Brush;
use super::houses::{CORNERS, House, Lot, SIZES};
use crate::lines::{path_direction, path_point};
use crate::raster::distance_to_rim;
use crate::rng::PaintRng;
use crate::walls::{FullZone, inward, middle, rim_point};

/// Half of the length and half of the width of a town hall at full detail.
const HALL: [f64; 2] = [0.074, 0.045];

/// The houses of a town, and the centre and half of the side of its tower.
pub(super) struct Town {
    pub(super) houses: Vec<House>,
    pub(super) tower: Option<(Point, f64)>,
}

/// Returns the colour of the roofs of town halls: grey, but red on small tiles, where a grey roof
/// would look like an icon.
pub(super) fn hall_roof(brush: &Brush<'_>) -> Colour {
    let colours = brush.colours;
    if brush.bold > 1.0 { colours.roof_2.darken(0.18) } else { colours.water.mix(colours.wall_dark, 0.72) }
}

/// Half of the width of a street.
pub(super) fn street_half(brush: &Brush<'_>) -> f64 {
    0.019 + (brush.bold - 1.0) * 0.012
}

/// Returns the streets of a full zone: from the middle of each of its edges, and from each of its
/// gates, to the town square. They cross the edges of all tiles in the same way.
pub(super) fn streets(brush: &Brush<'_>, full: &FullZone) -> Vec<BezPath> {
    let Some(square) = brush.plan.places[full.zone].first().copied() else { return Vec::new() };
    let edges = Edge::ALL.map(|edge| (middle(edge), inward(edge)));
    let edges = edges.into_iter().filter(|(start, into)| full.area.contains(*start + *into * 0.01));
    let gates = brush.plan.gates.iter().filter(|(zone, ..)| *zone == full.zone);
    let mut rng = brush.rng(13 + full.zone as u64);
    let street = move |(start, into): (Point, Vec2)| {
        let span = (square - start).hypot();
        let sway = into.turn_90() * (span * rng.between(-0.3, 0.3));
        let back = (start + into * (span * 0.5) + sway - square).normalize();
        CubicBez::new(start, start + into * (span * 0.45), square + back * (span * 0.3), square).to_path(0.1)
    };
    edges.chain(gates.map(|(_, start, into)| (*start, *into))).map(street).collect()
}

/// Plans the houses of a full zone, `scale` times as large as at full detail: rows along the wall
/// and on both sides of each street, and single houses behind them.
pub(super) fn plan(brush: &Brush<'_>, full: &FullZone, streets: &[BezPath], scale: f64) -> Town {
    let rng = brush.rng(21 + full.zone as u64);
    let mut builder =
        Builder { brush, zone: full.zone, scale, rng, taken: Vec::new(), houses: Vec::new(), tower: None };
    builder.build_rim(full);
    if !brush.is_detailed {
        // The roofs of very small tiles are too large for rows.
        builder.build_behind();
        return Town { houses: builder.houses, tower: None };
    }
    let lane = street_half(brush);
    for street in streets {
        builder.pave(street, lane);
    }
    builder.build_hall(streets);
    for street in streets {
        for side in [-1.0, 1.0] {
            builder.build_row(street, side, lane + 0.004);
        }
    }
    for wall in &full.walls {
        let inside = path_point(wall, 0.5) + path_direction(wall, 0.5).turn_90() * 0.02;
        let side = if full.area.contains(inside) { 1.0 } else { -1.0 };
        builder.build_row(wall, side, 0.027 * brush.bold + 0.014);
    }
    builder.build_behind();
    Town { houses: builder.houses, tower: builder.tower }
}

/// The houses of a full zone, while they are being planned.
struct Builder<'a, 'b> {
    brush: &'a Brush<'b>,
    zone: usize,
    /// The size of houses, relative to houses at full detail.
    scale: f64,
    rng: PaintRng,
    /// Houses and streets.
    taken: Vec<Lot>,
    houses: Vec<House>,
    tower: Option<(Point, f64)>,
}

impl Builder<'_, '_> {
    /// Reserves the ground of a street.
    fn pave(&mut self, street: &BezPath, half: f64) {
        const N: i32 = 10;
        let point = |i: i32| path_point(street, f64::from(i) / f64::from(N));
        for i in 0..N {
            let (a, b) = (point(i), point(i + 1));
            let step = b - a;
            let lot = Lot { at: a.midpoint(b), half: [step.hypot() / 2.0, half], along: step.normalize() };
            self.taken.push(lot);
        }
    }

    /// Builds the houses on the rim of the tile. All tiles have the same houses there, because a
    /// neighbouring tile shows the other half of each house.
    fn build_rim(&mut self, full: &FullZone) {
        let (brush, scale) = (self.brush, self.scale);
        let colours = brush.colours;
        let lane = street_half(brush);
        let beside = |side: f64| 0.5 + side * (lane + SIZES[1][1] * scale);
        // For each house, its centre on the edge, its size, and true if it stands along the street.
        let houses: &[(f64, usize, bool, Colour)] = match (brush.is_detailed, scale > 1.0) {
            (false, _) => {
                &[(0.255, 0, true, colours.roof_1), (0.475, 2, false, colours.roof_2), (0.735, 1, true, colours.roof_1)]
            }
            (true, true) => &[
                (0.27, 1, false, colours.roof_1),
                (beside(-1.0), 1, true, colours.roof_2),
                (beside(1.0), 1, true, colours.roof_1),
                (0.735, 1, false, colours.roof_1),
            ],
            (true, false) => &[
                (0.247, 1, false, colours.roof_1),
                (0.345, 0, false, colours.roof_2),
                (beside(-1.0), 1, true, colours.roof_1),
                (beside(1.0), 1, true, colours.roof_2),
                (0.667, 1, false, colours.roof_1),
                (0.765, 0, false, colours.roof_3),
            ],
        };
        let back = brush.turn.inverse();
        for edge in Edge::ALL {
            let point = |t: f64| rim_point(edge, t);
            if !full.area.contains(back * point(0.5).lerp(Point::new(0.5, 0.5), 0.02)) {
                continue;
            }
            let is_flat = matches!(edge, Edge::North | Edge::South);
            for (t, size, is_beside, roof) in houses {
                let angle = if is_flat == *is_beside { std::f64::consts::FRAC_PI_2 } else { 0.0 };
                let half = SIZES[*size].map(|side| side * scale);
                let along = (back * Vec2::from_angle(angle).to_point() - back * Point::ORIGIN).normalize();
                self.taken.push(Lot { at: back * point(*t), half, along });
                self.houses.push(House { at: point(*t), half, angle, roof: *roof });
            }
        }
    }

    /// Builds the town hall beside the square, along one of the streets.
    fn build_hall(&mut self, streets: &[BezPath]) {
        if self.rng.random_bool(0.4) {
            return;
        }
        let half = HALL.map(|side| side * self.scale);
        for _ in 0..24 {
            let street = self.rng.pick(&[0, 1, 2, 3]) % streets.len().max(1);
            let Some(street) = streets.get(street) else { return };
            let t = self.rng.between(0.3, 1.0);
            let along = path_direction(street, t);
            let side = self.rng.pick(&[-1.0, 1.0]) * (street_half(self.brush) + half[1] + self.rng.between(0.0, 0.03));
            let lot = Lot { at: path_point(street, t) + along.turn_90() * side, half, along };
            if self.fits(&lot, 0.006) {
                let roof = hall_roof(self.brush);
                self.build(lot, roof);
                // A wing crosses the hall near one end, and a tower stands at the other end.
                let [long, wide] = half;
                let end = self.rng.pick(&[-1.0, 1.0]);
                let wing =
                    Lot { at: lot.corner(end * 0.45, 0.0), half: [wide * 1.25, long * 0.3], along: along.turn_90() };
                self.houses.push(self.house(wing, roof.darken(0.04)));
                self.tower = Some((self.brush.map_point(lot.corner(end * -0.8, 0.0)), wide * 0.62));
                return;
            }
        }
    }

    /// Builds a row of houses along `path`, on one side of it, with their fronts at the distance
    /// `front` from the path.
    fn build_row(&mut self, path: &BezPath, side: f64, front: f64) {
        let Some(length) = path.segments().next().map(|segment| segment.arclen(0.01)) else { return };
        let (mut size, mut roof) = (self.size(), self.roof());
        let mut s = 0.0;
        while s < length {
            let t = s / length;
            let along = path_direction(path, t);
            // Some houses turn their gable to the street.
            let is_turned = self.rng.random_bool(0.2);
            let lot = |size: usize| {
                let half = SIZES[size].map(|it| it * self.scale);
                let depth = if is_turned { half[0] } else { half[1] };
                let at = path_point(path, t) + along.turn_90() * (side * (front + depth));
                Lot { at, half, along: if is_turned { along.turn_90() } else { along } }
            };
            let Some(lot) = self.largest(size, 0.003, lot) else {
                s += 0.016;
                continue;
            };
            self.build(lot, roof);
            s += lot.extent(along) + SIZES[0][1] * self.scale;
            size = self.size();
            if self.rng.random_bool(0.4) {
                roof = self.roof();
            }
            if self.rng.random_bool(0.2) {
                s += 0.02;
            }
        }
    }

    /// Builds single houses on the land behind the rows. Each of them stands in the same direction
    /// as its nearest neighbour.
    fn build_behind(&mut self) {
        for _ in 0..180 {
            let at = self.rng.point();
            if usize::from(self.brush.plan.raster.zone(at)) != self.zone {
                continue;
            }
            let nearest = self.taken.iter().min_by(|a, b| (a.at - at).hypot2().total_cmp(&(b.at - at).hypot2()));
            let along = nearest.map_or(Vec2::new(1.0, 0.0), |lot| lot.along);
            let along = if self.rng.random_bool(0.3) { along.turn_90() } else { along };
            let size = self.rng.pick(&[1, 1, 1, 2]);
            let lot = |size: usize| Lot { at, half: SIZES[size].map(|side| side * self.scale), along };
            if let Some(lot) = self.largest(size, 0.011, lot) {
                let roof = self.roof();
                self.build(lot, roof);
            }
        }
    }

    fn build(&mut self, lot: Lot, roof: Colour) {
        self.taken.push(lot);
        self.houses.push(self.house(lot, roof));
    }

    fn house(&self, lot: Lot, roof: Colour) -> House {
        let angle = self.brush.map_direction(lot.along).atan2();
        House { at: self.brush.map_point(lot.at), half: lot.half, angle, roof }
    }

    fn size(&mut self) -> usize {
        self.rng.pick(&[0, 0, 1, 1, 1, 2])
    }

    fn roof(&mut self) -> Colour {
        let colours = self.brush.colours;
        self.rng.pick(&[colours.roof_1, colours.roof_1, colours.roof_1, colours.roof_2, colours.roof_2, colours.roof_3])
    }

    /// Returns the largest lot on which a house may stand, at least `gap` away from other houses.
    /// `lot` returns the lot for a size; `size` is the largest size. Returns `None` if not even the
    /// smallest lot fits.
    fn largest(&self, size: usize, gap: f64, lot: impl Fn(usize) -> Lot) -> Option<Lot> {
        let smallest = Some(lot(0)).filter(|lot| self.fits(lot, gap))?;
        (1..=size).rev().map(lot).find(|lot| self.fits(lot, gap)).or(Some(smallest))
    }

    /// Returns whether a house may stand on `lot`, at least `gap` away from other houses.
    fn fits(&self, lot: &Lot, gap: f64) -> bool {
        let raster = &self.brush.plan.raster;
        let wall = 0.027 * self.brush.bold + 0.004;
        let is_free = |p: Point| {
            distance_to_rim(p) > 0.006 && usize::from(raster.zone(p)) == self.zone && raster.border_distance(p) > wall
        };
        is_free(lot.at)
            && CORNERS.into_iter().all(|(a, b)| is_free(lot.corner(a, b)))
            && self.brush.reserved.iter().all(|(centre, radius)| lot.distance(*centre) > radius - 0.012)
            && !self.taken.iter().any(|other| other.is_near(lot, gap))
    }
}
