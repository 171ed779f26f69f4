//! Slices of a text that flows over pages.

use art::{Colour, Picture};

use super::fonts::GlyphRun;

/// A mark on a page. All lengths are in points, to the right and down.
#[derive(Clone, Debug)]
pub(crate) enum Mark<'b> {
    /// Glyphs whose base line begins at `at`.
    Text { at: [f64; 2], run: GlyphRun },
    /// A filled rectangle: its upper left corner and its size.
    Fill { at: [f64; 2], size: [f64; 2], colour: Colour },
    /// The outline of a rectangle.
    Frame { at: [f64; 2], size: [f64; 2], colour: Colour },
    /// The drawing of a tile, turned about its middle.
    Tile { name: &'b str, at: [f64; 2], size: f64, degrees: u16 },
    /// A picture whose unit has the length `unit`. The parts outside its bounds are hidden.
    Picture { picture: &'b Picture, at: [f64; 2], unit: f64 },
    /// A rectangle outside which the marks up to [`Mark::EndClip`] are hidden.
    Clip { at: [f64; 2], size: [f64; 2] },
    /// The end of the innermost [`Mark::Clip`].
    EndClip,
    /// A place that leads to an address on the web or, if it begins with `#`, to an anchor.
    Link { at: [f64; 2], size: [f64; 2], target: String },
}

/// A horizontal slice of the text, which lies on one page. The positions of its marks are relative
/// to its upper edge and to the left edge of the page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slice<'b> {
    /// The space before the slice, which is left out at the top of a page.
    pub gap: f64,
    pub height: f64,
    pub marks: Vec<Mark<'b>>,
    /// True if the next slice should be on the same page.
    pub keeps_next: bool,
    /// True if the slice begins a new page.
    pub begins_page: bool,
    /// The name that links use; `None` if no link leads here.
    pub anchor: Option<&'b str>,
    /// The level and text of a heading for the outline and the contents.
    pub heading: Option<(u8, &'b str)>,
}

/// A slice with its position on a page.
#[derive(Clone, Debug)]
pub(crate) struct PlacedSlice<'b> {
    /// The distance of its upper edge from the top of the text area.
    pub y: f64,
    pub slice: Slice<'b>,
}

/// Distributes slices over pages whose text area has this height.
pub(crate) fn paginate(slices: Vec<Slice<'_>>, height: f64) -> Vec<Vec<PlacedSlice<'_>>> {
    let mut pages: Vec<Vec<PlacedSlice<'_>>> = vec![Vec::new()];
    let mut y = 0.0;
    let mut group: Vec<Slice<'_>> = Vec::new();
    for slice in slices {
        let is_last = !slice.keeps_next;
        group.push(slice);
        if is_last {
            place(&mut pages, &mut y, std::mem::take(&mut group), height);
        }
    }
    place(&mut pages, &mut y, group, height);
    pages
}

/// Places slices that should stay together: on this page if there is room, otherwise from the next
/// page on.
fn place<'b>(pages: &mut Vec<Vec<PlacedSlice<'b>>>, y: &mut f64, group: Vec<Slice<'b>>, height: f64) {
    let total: f64 = group.iter().map(|slice| slice.gap + slice.height).sum();
    let is_too_tall = *y + total > height && total <= height;
    for (i, slice) in group.into_iter().enumerate() {
        let is_first = pages.last().is_none_or(Vec::is_empty);
        let has_room = *y + slice.gap + slice.height <= height;
        if !is_first && (slice.begins_page || !has_room || (i == 0 && is_too_tall)) {
            pages.push(Vec::new());
            *y = 0.0;
        }
        let Some(page) = pages.last_mut() else { return };
        if !page.is_empty() {
            *y += slice.gap;
        }
        let next = *y + slice.height;
        page.push(PlacedSlice { y: *y, slice });
        *y = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_that_belong_together_stay_together() {
        let slice = |height: f64, keeps_next| Slice { gap: 1.0, height, keeps_next, ..Slice::default() };
        let pages = paginate(vec![slice(6.0, false), slice(2.0, true), slice(2.0, false)], 10.0);
        let places: Vec<Vec<f64>> = pages.iter().map(|page| page.iter().map(|placed| placed.y).collect()).collect();
        assert_eq!(places, [vec![0.0], vec![0.0, 3.0]]);
    }

    #[test]
    fn a_group_that_is_taller_than_a_page_is_divided() {
        let tall = (0..30).map(|i| Slice { height: 1.0, keeps_next: i < 29, ..Slice::default() }).collect();
        assert_eq!(paginate(tall, 10.0).iter().map(Vec::len).collect::<Vec<_>>(), [10, 10, 10]);
    }
}
