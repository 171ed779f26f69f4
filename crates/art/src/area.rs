//! Areas of a tile: polygons with union, difference and intersection.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::float::single::SingleFloatOverlay;
use kurbo::{BezPath, Cap, PathEl, Point, Stroke, StrokeOpts};

use crate::picture::polygon;

/// The largest distance between a polygon and the curve that it approximates. On a tile a thousand
/// pixels wide, this is less than a pixel.
const TOLERANCE: f64 = 0.0008;

/// Polygons, possibly with holes, filled by the even-odd rule.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Area(pub(crate) Vec<Vec<[f64; 2]>>);

impl Area {
    /// Returns the area of a whole tile.
    pub(crate) fn tile() -> Area {
        Area(vec![vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]])
    }

    /// Returns the area that `path` encloses. Parts in which the path overlaps itself belong to the
    /// area.
    pub(crate) fn from_path(path: &BezPath) -> Area {
        let mut contours: Vec<Vec<[f64; 2]>> = Vec::new();
        kurbo::flatten(path.elements().iter().copied(), TOLERANCE, |element| match element {
            PathEl::MoveTo(p) => contours.push(vec![[p.x, p.y]]),
            PathEl::LineTo(p) => {
                if let Some(last) = contours.last_mut() {
                    last.push([p.x, p.y]);
                }
            }
            _ => {}
        });
        let nothing: Vec<Vec<[f64; 2]>> = Vec::new();
        Area(contours.overlay(&nothing, OverlayRule::Subject, FillRule::NonZero).into_iter().flatten().collect())
    }

    /// Returns the area that a line of the given width along `path` covers.
    pub(crate) fn from_stroke(path: &BezPath, width: f64) -> Area {
        let style = Stroke::new(width).with_caps(Cap::Round);
        Area::from_path(&kurbo::stroke(path.elements().iter().copied(), &style, &StrokeOpts::default(), TOLERANCE))
    }

    fn combine(&self, other: &Area, rule: OverlayRule) -> Area {
        Area(self.0.overlay(&other.0, rule, FillRule::EvenOdd).into_iter().flatten().collect())
    }

    /// Returns the union of both areas.
    pub(crate) fn union(&self, other: &Area) -> Area {
        self.combine(other, OverlayRule::Union)
    }

    /// Returns this area minus `other`.
    pub(crate) fn difference(&self, other: &Area) -> Area {
        self.combine(other, OverlayRule::Difference)
    }

    /// Returns the intersection of both areas.
    pub(crate) fn intersection(&self, other: &Area) -> Area {
        self.combine(other, OverlayRule::Intersect)
    }

    /// Returns the connected parts of the area, the largest part first.
    pub(crate) fn parts(&self) -> Vec<Area> {
        let nothing: Vec<Vec<[f64; 2]>> = Vec::new();
        let shapes = self.0.overlay(&nothing, OverlayRule::Subject, FillRule::EvenOdd);
        let mut parts: Vec<Area> = shapes.into_iter().map(Area).collect();
        parts.sort_by(|a, b| b.size().total_cmp(&a.size()));
        parts
    }

    /// Returns the size of the area as a fraction of the tile, without holes. The outlines of holes
    /// run in the opposite direction, so the sum subtracts them.
    pub(crate) fn size(&self) -> f64 {
        let of = |c: &Vec<[f64; 2]>| -> f64 {
            let next = |i: usize| c[(i + 1) % c.len()];
            (0..c.len()).map(|i| c[i][0] * next(i)[1] - next(i)[0] * c[i][1]).sum::<f64>() / 2.0
        };
        self.0.iter().map(of).sum::<f64>().abs()
    }

    /// Returns whether `p` is inside the area.
    pub(crate) fn contains(&self, p: Point) -> bool {
        let mut inside = false;
        for contour in &self.0 {
            let mut before = contour.last().copied().unwrap_or_default();
            for &here in contour {
                let crosses = (here[1] > p.y) != (before[1] > p.y);
                if crosses && p.x < (before[0] - here[0]) * (p.y - here[1]) / (before[1] - here[1]) + here[0] {
                    inside = !inside;
                }
                before = here;
            }
        }
        inside
    }

    /// Returns the distance from `p` to the outline of the area.
    pub(crate) fn distance(&self, p: Point) -> f64 {
        let mut least = f64::INFINITY;
        for contour in &self.0 {
            let mut before = contour.last().copied().unwrap_or_default();
            for &here in contour {
                let (dx, dy) = (here[0] - before[0], here[1] - before[1]);
                let length = dx * dx + dy * dy;
                let t = if length == 0.0 { 0.0 } else { ((p.x - before[0]) * dx + (p.y - before[1]) * dy) / length };
                let t = t.clamp(0.0, 1.0);
                let (x, y) = (before[0] + t * dx - p.x, before[1] + t * dy - p.y);
                least = least.min(x * x + y * y);
                before = here;
            }
        }
        least.sqrt()
    }

    /// Returns the outline of the area as a path.
    pub(crate) fn path(&self) -> BezPath {
        let points = |contour: &Vec<[f64; 2]>| contour.iter().map(|[x, y]| Point::new(*x, *y)).collect::<Vec<_>>();
        self.0.iter().flat_map(|contour| polygon(&points(contour))).collect()
    }
}

/// Returns the part of the tile that is nearer to a point of `mine` than to any point of `others`.
pub(crate) fn nearest_region(mine: &[Point], others: &[Point]) -> Area {
    let mut all = Area::default();
    for site in mine {
        let mut cell = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        for other in others {
            cell = clip_to_nearer(&cell, *site, *other);
        }
        if cell.len() > 2 {
            all = all.union(&Area(vec![cell]));
        }
    }
    all
}

/// Returns the part of a convex polygon that is nearer to `site` than to `other`.
fn clip_to_nearer(cell: &[[f64; 2]], site: Point, other: Point) -> Vec<[f64; 2]> {
    let side = |p: [f64; 2]| {
        let p = Point::new(p[0], p[1]);
        (p - other).hypot2() - (p - site).hypot2()
    };
    let mut cut = Vec::new();
    for (i, &here) in cell.iter().enumerate() {
        let next = cell[(i + 1) % cell.len()];
        let (a, b) = (side(here), side(next));
        if a >= 0.0 {
            cut.push(here);
        }
        if (a >= 0.0) != (b >= 0.0) {
            let t = a / (a - b);
            cut.push([here[0] + t * (next[0] - here[0]), here[1] + t * (next[1] - here[1])]);
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_cut_and_measured() {
        let left = Area(vec![vec![[0.0, 0.0], [0.5, 0.0], [0.5, 1.0], [0.0, 1.0]]]);
        let middle = Area(vec![vec![[0.25, 0.25], [0.75, 0.25], [0.75, 0.75], [0.25, 0.75]]]);
        let frame = Area::tile().difference(&middle);
        assert!((frame.size() - 0.75).abs() < 1e-6);
        assert!(!frame.contains(Point::new(0.5, 0.5)) && frame.contains(Point::new(0.1, 0.5)));
        assert!((left.intersection(&middle).size() - 0.125).abs() < 1e-6);
        assert_eq!(Area::tile().difference(&left.union(&middle)).parts().len(), 1);
        let cell = nearest_region(&[Point::new(0.25, 0.5)], &[Point::new(0.75, 0.5)]);
        assert!((cell.size() - 0.5).abs() < 1e-6);
    }
}
