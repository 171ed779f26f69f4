//! Computes the positions of pictures on pages.
#![expect(clippy::indexing_slicing, reason = "the axes are 0 and 1")]

use std::f64::consts::PI;

use art::kurbo::{Affine, Point, Rect, Size};
use ink::Paper;
use serde::{Deserialize, Serialize};

/// The place of the backs of tiles, cards and discs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum BackPlacement {
    /// On the next page, for printers that print on both sides.
    Duplex,
    /// In the lower half of the page, to be folded behind the upper half.
    Fold,
    /// There are no backs.
    None,
}

/// The place of one picture on a page.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PageCell {
    /// The index of the item in the list of items to print.
    pub item: usize,
    /// The distances of the cut picture from the left and the upper edge of the page, in
    /// millimetres.
    pub at: [f64; 2],
    /// True for the back of the item.
    pub is_back: bool,
    /// True if the picture is upside down.
    pub is_turned: bool,
}

/// A page: its pictures, and the lines for cutting and folding.
#[derive(Clone, PartialEq, Debug)]
pub struct Page {
    /// The pictures.
    pub cells: Vec<PageCell>,
    /// The width and height of a picture after cutting, in millimetres.
    pub cut: [f64; 2],
    /// The rectangle around all cuts: left, top, right and bottom, in millimetres.
    pub trim: [f64; 4],
    /// The distances of vertical cuts from the left edge, and of horizontal cuts from the upper
    /// edge, in millimetres.
    pub cuts: [Vec<f64>; 2],
    /// The distance of the fold line from the upper edge, in millimetres; `None` if the page is not
    /// folded.
    pub fold: Option<f64>,
}

impl Page {
    /// Returns the places in which to draw a picture of size `size` for a cell. A place is a
    /// rectangle of the page that clips the drawing, and the transformation from the picture to the
    /// page. If there is bleed, the first place is larger by `bleed` on each side; the second place
    /// covers all but its rim.
    pub(crate) fn places(&self, cell: &PageCell, size: [f64; 2], bleed: f64) -> Vec<(Rect, Affine)> {
        let middle = Point::new(cell.at[0] + self.cut[0] / 2.0, cell.at[1] + self.cut[1] / 2.0);
        let turn = if cell.is_turned { Affine::rotate_about(PI, middle) } else { Affine::IDENTITY };
        let place = |by: f64| {
            let [width, height] = self.cut.map(|length| length + 2.0 * by);
            let edges = Rect::from_center_size(middle, Size::new(width, height));
            let grow = Affine::scale_non_uniform(width / size[0], height / size[1]);
            (edges, turn * Affine::translate(edges.origin().to_vec2()) * grow)
        };
        if bleed > 0.0 { vec![place(bleed), place(0.0)] } else { vec![place(0.0)] }
    }
}

/// The minimum distance of a cell from the edge of the paper, in millimetres. Printers leave about
/// 5 mm blank, and the marks of the cuts need room.
const MARGIN: f64 = 8.0;

/// Returns the pages for `n` items that have the size `cut` after cutting; `None` if an item does
/// not fit on a page.
pub fn layout(paper: Paper, cut: [f64; 2], bleed: f64, backs: BackPlacement, n: usize) -> Option<Vec<Page>> {
    if n == 0 {
        return Some(Vec::new());
    }
    let [width, height] = paper.size();
    let room = match backs {
        // Each half has its own margins.
        BackPlacement::Fold => [width, height / 2.0],
        _ => [width, height],
    };
    let cell = cut.map(|length| length + 2.0 * bleed);
    let count = |axis: usize| ((room[axis] - 2.0 * MARGIN) / cell[axis]).floor().max(0.0) as usize;
    let [columns, rows] = [count(0), count(1)];
    if columns * rows == 0 {
        return None;
    }
    // The grid is in the middle of the page or half page.
    let first = [0, 1].map(|axis| (room[axis] - cell[axis] * [columns, rows][axis] as f64) / 2.0 + bleed);
    let place = |i: usize| {
        let column = i % columns;
        [first[0] + cell[0] * column as f64, first[1] + cell[1] * (i / columns) as f64]
    };
    let mut pages = Vec::new();
    for start in (0..n).step_by(columns * rows) {
        let here = (n - start).min(columns * rows);
        let faces = (0..here).map(|i| PageCell { item: start + i, at: place(i), is_back: false, is_turned: false });
        let faces: Vec<PageCell> = faces.collect();
        match backs {
            BackPlacement::None => pages.push(page(faces, cut, None)),
            BackPlacement::Duplex => {
                let behind = |face: &PageCell| PageCell {
                    at: [width - face.at[0] - cut[0], face.at[1]],
                    is_back: true,
                    ..*face
                };
                let backs = faces.iter().map(behind).collect();
                pages.push(page(faces, cut, None));
                pages.push(page(backs, cut, None));
            }
            BackPlacement::Fold => {
                let below = |face: &PageCell| PageCell {
                    at: [face.at[0], height - face.at[1] - cut[1]],
                    is_back: true,
                    is_turned: true,
                    ..*face
                };
                let both = faces.iter().copied().chain(faces.iter().map(below)).collect();
                pages.push(page(both, cut, Some(height / 2.0)));
            }
        }
    }
    Some(pages)
}

fn page(cells: Vec<PageCell>, cut: [f64; 2], fold: Option<f64>) -> Page {
    let cuts = [0, 1].map(|axis| {
        let mut all: Vec<f64> = cells.iter().flat_map(|cell| [cell.at[axis], cell.at[axis] + cut[axis]]).collect();
        all.sort_by(f64::total_cmp);
        all.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
        all
    });
    let ends = |axis: usize| [cuts[axis].first(), cuts[axis].last()].map(|end| end.copied().unwrap_or_default());
    let ([left, right], [top, bottom]) = (ends(0), ends(1));
    Page { cells, cut, trim: [left, top, right, bottom], cuts, fold }
}
