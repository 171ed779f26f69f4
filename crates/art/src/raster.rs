//! A coarse raster of a tile: for each cell, its zone and the distance to the border of that zone.

use kurbo::Point;

use crate::area::Area;

/// The number of cells along an edge of the tile.
const GRID_SIZE: usize = 64;

/// The zone number of a cell without a zone.
pub(crate) const NO_ZONE: u8 = u8::MAX;

/// For each cell, its zone and the distance to the nearest other zone.
#[derive(Clone, Debug)]
pub(crate) struct Raster {
    zones: Vec<u8>,
    room: Vec<f32>,
}

impl Raster {
    /// Makes the raster of a tile whose zones are `areas`.
    pub(crate) fn new(areas: &[Area]) -> Raster {
        let mut zones = vec![NO_ZONE; GRID_SIZE * GRID_SIZE];
        let mut crossings: Vec<f64> = Vec::new();
        for (zone, area) in areas.iter().enumerate() {
            for row in 0..GRID_SIZE {
                let y = (row as f64 + 0.5) / GRID_SIZE as f64;
                crossings.clear();
                for contour in &area.0 {
                    let mut before = contour.last().copied().unwrap_or_default();
                    for &here in contour {
                        if (here[1] > y) != (before[1] > y) {
                            let t = (y - here[1]) / (before[1] - here[1]);
                            crossings.push(here[0] + t * (before[0] - here[0]));
                        }
                        before = here;
                    }
                }
                crossings.sort_by(f64::total_cmp);
                for pair in crossings.chunks_exact(2) {
                    let cell = |x: f64| ((x * GRID_SIZE as f64 - 0.5).ceil().max(0.0) as usize).min(GRID_SIZE);
                    zones[row * GRID_SIZE + cell(pair[0])..row * GRID_SIZE + cell(pair[1]).max(cell(pair[0]))]
                        .fill(zone as u8);
                }
            }
        }
        // A cell on the border between two zones may be outside both. Such a cell gets the zone of
        // the cell to its left.
        for i in 1..GRID_SIZE * GRID_SIZE {
            if zones[i] == NO_ZONE && i % GRID_SIZE > 0 {
                zones[i] = zones[i - 1];
            }
        }
        let room = distances(&zones);
        Raster { zones, room }
    }

    /// Iterates over all cells. Yields the centre of the cell, its zone, and the distance to the
    /// nearest other zone.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (Point, u8, f64)> + '_ {
        (0..GRID_SIZE * GRID_SIZE).map(|i| (cell_centre(i), self.zones[i], f64::from(self.room[i])))
    }

    fn index(p: Point) -> usize {
        let cell = |x: f64| ((x * GRID_SIZE as f64).max(0.0) as usize).min(GRID_SIZE - 1);
        cell(p.y) * GRID_SIZE + cell(p.x)
    }

    /// Returns the number of the zone at `p`, or [`NO_ZONE`].
    pub(crate) fn zone(&self, p: Point) -> u8 {
        self.zones[Raster::index(p)]
    }

    /// Returns the distance from `p` to the nearest other zone, in tile widths. The rim of the tile
    /// does not count as a border.
    pub(crate) fn border_distance(&self, p: Point) -> f64 {
        f64::from(self.room[Raster::index(p)])
    }
}

/// Returns the distance from a point on the tile to the nearest edge of the tile, in tile widths.
pub(crate) fn distance_to_rim(p: Point) -> f64 {
    p.x.min(p.y).min(1.0 - p.x).min(1.0 - p.y)
}

fn cell_centre(i: usize) -> Point {
    Point::new(((i % GRID_SIZE) as f64 + 0.5) / GRID_SIZE as f64, ((i / GRID_SIZE) as f64 + 0.5) / GRID_SIZE as f64)
}

/// Returns the distance from each cell to the nearest border of a zone, exact to half a cell.
/// Computes the distances in columns first, then in rows.
fn distances(zones: &[u8]) -> Vec<f32> {
    let far = (4 * GRID_SIZE) as f32;
    let is_border = |x: usize, y: usize| {
        let own = zones[y * GRID_SIZE + x];
        (x + 1 < GRID_SIZE && zones[y * GRID_SIZE + x + 1] != own)
            || (x > 0 && zones[y * GRID_SIZE + x - 1] != own)
            || (y + 1 < GRID_SIZE && zones[(y + 1) * GRID_SIZE + x] != own)
            || (y > 0 && zones[(y - 1) * GRID_SIZE + x] != own)
    };
    let mut down = vec![far; GRID_SIZE * GRID_SIZE];
    for x in 0..GRID_SIZE {
        let mut last = far;
        for y in 0..GRID_SIZE {
            last = if is_border(x, y) { 0.0 } else { last + 1.0 };
            down[y * GRID_SIZE + x] = last;
        }
        let mut last = far;
        for y in (0..GRID_SIZE).rev() {
            last = if is_border(x, y) { 0.0 } else { last + 1.0 };
            down[y * GRID_SIZE + x] = down[y * GRID_SIZE + x].min(last);
        }
    }
    let mut all = vec![0.0; GRID_SIZE * GRID_SIZE];
    for y in 0..GRID_SIZE {
        for x in 0..GRID_SIZE {
            let mut least = far * far;
            for (other, vertical) in down[y * GRID_SIZE..(y + 1) * GRID_SIZE].iter().enumerate() {
                let dx = x.abs_diff(other) as f32;
                least = least.min(dx * dx + vertical * vertical);
            }
            all[y * GRID_SIZE + x] = (least.sqrt() + 0.5) / GRID_SIZE as f32;
        }
    }
    all
}
