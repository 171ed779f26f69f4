//! Zones as triangles for the GPU, computed once for each tile type and facing.

use std::rc::Rc;
use std::sync::Arc;

use art::{Painter, ZoneShape};
use egui::{Pos2, pos2};
use lyon_tessellation::math::point;
use lyon_tessellation::path::Path;
use lyon_tessellation::{BuffersBuilder, FillOptions, FillTessellator, FillVertex, VertexBuffers};
use rustc_hash::FxHashMap;
use table::{Facing, TileIdx};

/// The width of a tile in the units of the tessellator. The tessellator's tolerance is absolute, so
/// a tile of width 1 would have coarse outlines.
const SCALE: f32 = 100.0;

/// The area of a zone, in coordinates in which the tile is the unit square.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ZoneArea {
    /// The corners of all triangles.
    pub points: Vec<Pos2>,
    /// The triangles, each as three indices into `points`.
    pub triangles: Vec<u32>,
    /// The border lines inside the tile, not on its edges.
    pub inner: Vec<Vec<Pos2>>,
    /// The border lines on the edges of the tile: for each line, the edge (clockwise from north)
    /// and the two end points.
    pub outer: Vec<(usize, [Pos2; 2])>,
}

impl ZoneArea {
    /// Computes the area enclosed by polygons. Overlaps follow the even-odd rule.
    pub fn new(outline: &[Vec<[f32; 2]>]) -> ZoneArea {
        let mut area = ZoneArea::default();
        let mut path = Path::builder();
        let is_good = |c: &&Vec<[f32; 2]>| c.len() > 2 && c.iter().flatten().all(|n| n.is_finite());
        for contour in outline.iter().filter(is_good) {
            let at = |[x, y]: [f32; 2]| point(x * SCALE, y * SCALE);
            path.begin(at(contour[0]));
            contour[1..].iter().for_each(|p| {
                path.line_to(at(*p));
            });
            path.close();
            area.add_lines(contour);
        }
        let mut buffers: VertexBuffers<Pos2, u32> = VertexBuffers::new();
        let place = |vertex: FillVertex<'_>| pos2(vertex.position().x / SCALE, vertex.position().y / SCALE);
        let mut builder = BuffersBuilder::new(&mut buffers, place);
        let options = FillOptions::even_odd().with_tolerance(0.1);
        // If the area cannot be filled, it still has its outline.
        if FillTessellator::new().tessellate_path(&path.build(), &options, &mut builder).is_ok() {
            area.points = buffers.vertices;
            area.triangles = buffers.indices;
        }
        area
    }

    fn add_lines(&mut self, contour: &[[f32; 2]]) {
        let mut run: Vec<Pos2> = Vec::new();
        for i in 0..contour.len() {
            let [a, b] = [contour[i], contour[(i + 1) % contour.len()]].map(|[x, y]| pos2(x, y));
            match edge_of(a, b) {
                Some(edge) => {
                    self.outer.push((edge, [a, b]));
                    self.inner.extend((run.len() > 1).then(|| std::mem::take(&mut run)));
                    run.clear();
                }
                None => {
                    if run.is_empty() {
                        run.push(a);
                    }
                    run.push(b);
                }
            }
        }
        self.inner.extend((run.len() > 1).then_some(run));
    }

    /// Returns the area's size in tiles.
    #[cfg(test)]
    fn size(&self) -> f32 {
        let corner = |i: u32| self.points[i as usize];
        let triangle = |t: &[u32]| {
            let (ab, ac) = (corner(t[1]) - corner(t[0]), corner(t[2]) - corner(t[0]));
            (ab.x * ac.y - ab.y * ac.x).abs() / 2.0
        };
        self.triangles.chunks_exact(3).map(triangle).sum()
    }
}

/// Returns the edge of the tile on which a line lies, as an index clockwise from north. Returns
/// `None` if the line is inside the tile.
fn edge_of(a: Pos2, b: Pos2) -> Option<usize> {
    let both = |x: f32, y: f32, at: f32| (x - at).abs() < 1e-3 && (y - at).abs() < 1e-3;
    [both(a.y, b.y, 0.0), both(a.x, b.x, 1.0), both(a.y, b.y, 1.0), both(a.x, b.x, 0.0)].iter().position(|on| *on)
}

/// The areas of the zones of each tile at each facing, cached until the painter changes.
#[derive(Default)]
pub struct Areas {
    painter: Option<Arc<Painter>>,
    kept: FxHashMap<(TileIdx, Facing), Rc<[ZoneArea]>>,
}

impl Areas {
    /// Returns the areas of the zones of a tile, in the order of its zones.
    pub fn of(&mut self, painter: &Arc<Painter>, tile: TileIdx, facing: Facing) -> Rc<[ZoneArea]> {
        if !self.painter.as_ref().is_some_and(|p| Arc::ptr_eq(p, painter)) {
            self.painter = Some(painter.clone());
            self.kept.clear();
        }
        let areas = |shapes: &[ZoneShape]| shapes.iter().map(|s| ZoneArea::new(&s.outline)).collect();
        self.kept.entry((tile, facing)).or_insert_with(|| areas(painter.zones(tile, facing))).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f32; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

    #[test]
    fn a_square_is_filled_and_lies_on_all_edges() {
        let area = ZoneArea::new(&[SQUARE.to_vec()]);
        assert!((area.size() - 1.0).abs() < 1e-3);
        assert!(area.inner.is_empty());
        let edges: Vec<usize> = area.outer.iter().map(|(edge, _)| *edge).collect();
        assert_eq!(edges, [0, 1, 2, 3]);
    }

    #[test]
    fn holes_are_left_out_whichever_way_they_run() {
        let hole = vec![[0.25, 0.25], [0.75, 0.25], [0.75, 0.75], [0.25, 0.75]];
        let turned: Vec<[f32; 2]> = hole.iter().rev().copied().collect();
        for hole in [hole, turned] {
            let area = ZoneArea::new(&[SQUARE.to_vec(), hole]);
            assert!((area.size() - 0.75).abs() < 1e-3, "{}", area.size());
            assert_eq!(area.inner.len(), 1);
        }
    }

    #[test]
    fn corners_that_point_inwards_are_cut_out() {
        let arrow = vec![[0.0, 0.0], [1.0, 0.0], [0.5, 0.4], [1.0, 1.0], [0.0, 1.0]];
        let area = ZoneArea::new(&[arrow]);
        assert!((area.size() - 0.75).abs() < 1e-3, "{}", area.size());
        assert_eq!(area.inner, [vec![pos2(1.0, 0.0), pos2(0.5, 0.4), pos2(1.0, 1.0)]]);
    }

    #[test]
    fn several_parts_are_all_filled() {
        let part = |x: f32| vec![[x, 0.1], [x + 0.2, 0.1], [x + 0.2, 0.3], [x, 0.3]];
        let area = ZoneArea::new(&[part(0.1), part(0.6)]);
        assert!((area.size() - 0.08).abs() < 1e-3);
        assert_eq!(area.inner.len(), 2);
    }

    #[test]
    fn odd_outlines_fill_nothing_and_do_no_harm() {
        for outline in [vec![], vec![vec![]], vec![vec![[0.0, 0.0], [1.0, 1.0]]], vec![vec![[f32::NAN, 0.0]; 4]]] {
            assert!(ZoneArea::new(&outline).triangles.is_empty());
        }
    }
}
