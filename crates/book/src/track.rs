//! The part of the score track that matters for an example.

use std::ops::RangeInclusive;

use art::kurbo::{Affine, Point, Rect};
use art::{Colour, Painter, Picture, Pose, Symbol};
use rules::Location;
use table::{GameView, Seat};

/// The maximum number of spaces in a picture.
const MAX_SPACES: u32 = 24;

/// Returns the spaces of the score track that the picture of an example shows. Returns `None` if
/// the mods use the track only to count points, or if the occupied spaces are too far apart.
pub(crate) fn spaces<'g>(views: impl Iterator<Item = GameView<'g>> + Clone) -> Option<RangeInclusive<u32>> {
    let pieces = |view: GameView<'g>| {
        view.pieces().filter_map(|piece| if let Location::Space(space) = piece.place { Some(space) } else { None })
    };
    let has_dark_spaces = |view: GameView<'g>| (0..view.track_length()).any(|space| view.is_dark(space));
    if !views.clone().any(|view| has_dark_spaces(view) || pieces(view).next().is_some()) {
        return None;
    }
    let markers = |view: GameView<'g>| view.seats().flat_map(move |seat| spaces_of_markers(view, seat));
    let used = || views.clone().flat_map(|view| pieces(view).chain(markers(view)));
    let (first, last) = (used().min()?, used().max()?);
    (last - first < MAX_SPACES).then_some(first..=last)
}

fn spaces_of_markers(view: GameView<'_>, seat: Seat) -> impl Iterator<Item = u32> {
    view.markers(seat).iter().map(move |points| view.space_of(*points))
}

/// Draws spaces of the score track with the markers and pieces on them. One unit of the picture is
/// the width of a space.
pub(crate) fn picture(painter: &Painter, view: GameView<'_>, spaces: RangeInclusive<u32>) -> Picture {
    const GAP: f64 = 0.03;
    const LETTER_HEIGHT: f64 = 0.17;
    let n = spaces.clone().count() as f64;
    let mut picture = Picture::new(n, 1.0);
    for (i, space) in spaces.enumerate() {
        let left = i as f64;
        let (ground, ink) = match view.is_dark(space) {
            true => (Colour::from([0x5a, 0x4a, 0x3c]), Colour::from([255; 3])),
            false => (Colour::from([0xe9, 0xe2, 0xd0]), Colour::from([0x2d, 0x26, 0x1f])),
        };
        picture.rect(Rect::new(left + GAP, GAP, left + 1.0 - GAP, 1.0 - GAP), ground);
        picture.write(&space.to_string(), left + 0.1, 0.1 + LETTER_HEIGHT, LETTER_HEIGHT, ink);
        let markers = view.seats().flat_map(|seat| spaces_of_markers(view, seat).map(move |at| (seat, at)));
        let markers: Vec<Seat> = markers.filter(|(_, at)| *at == space).map(|(seat, _)| seat).collect();
        let pieces: Vec<_> = view.pieces().filter(|piece| piece.place == Location::Space(space)).collect();
        let mut places = places(markers.len() + pieces.len()).map(|[x, y, size]| ([left + x, y], size));
        for (seat, ([x, y], size)) in markers.into_iter().zip(&mut places) {
            let (colour, symbol) = pictures::colour_and_symbol(view, seat);
            let centre = Point::new(x, y);
            picture.disc(centre, 0.47 * size, Colour::from([255; 3]));
            picture.disc(centre, 0.41 * size, Colour::from(colour));
            if symbol != Symbol::None {
                picture.fill(symbol.outline(centre, 0.24 * size), Colour::from([255; 3]));
            }
        }
        for (piece, ([x, y], size)) in pieces.into_iter().zip(&mut places) {
            let (colour, symbol) =
                piece.owner.map_or(([0x8a; 3], Symbol::None), |seat| pictures::colour_and_symbol(view, seat));
            let corner = Affine::translate((x - size / 2.0, y - size / 2.0));
            let drawing = painter.piece(piece.name, Pose::Standing, colour, symbol);
            picture.put(&drawing, corner * Affine::scale(size));
        }
    }
    picture
}

/// Returns the places of `n` tokens on a space: the centre of each, and its width. The tokens stand
/// in rows below the number of the space, and are smaller if there are many.
fn places(n: usize) -> impl Iterator<Item = [f64; 3]> {
    const LEFT: f64 = 0.06;
    const TOP: f64 = 0.31;
    let n_columns = match n {
        0..=4 => 2,
        5..=6 => 3,
        _ => 4,
    };
    let n_rows = n.div_ceil(n_columns).max(2);
    let cell = [(1.0 - 2.0 * LEFT) / n_columns as f64, (0.96 - TOP) / n_rows as f64];
    let size = cell[0].min(cell[1]);
    (0..n).map(move |i| {
        let [column, row] = [i % n_columns, i / n_columns].map(|i| i as f64 + 0.5);
        [LEFT + column * cell[0], TOP + row * cell[1], size]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_stand_side_by_side_inside_their_space() {
        for n in 0..=16 {
            let all: Vec<[f64; 3]> = places(n).collect();
            assert_eq!(all.len(), n);
            for (i, [x, y, size]) in all.iter().enumerate() {
                let inside = |at: f64| at - size / 2.0 > 0.0 && at + size / 2.0 < 1.0;
                assert!(inside(*x) && inside(*y) && *size > 0.1, "{n}: {x} {y} {size}");
                let is_apart = |[a, b, _]: &[f64; 3]| (a - x).abs().max((b - y).abs()) > size - 1e-9;
                assert!(all.iter().take(i).all(is_apart), "{n}: {x} {y}");
            }
        }
    }
}
