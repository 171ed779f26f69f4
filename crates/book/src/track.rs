//! The part of the score track that matters for an example.

use std::ops::RangeInclusive;

use art::kurbo::{Point, Rect};
use art::{BoardCrop, Colour, Painter, Picture, PlacedPiece, Pose, Symbol};
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
    let part = BoardCrop { from: [0.0, 0.0], to: [n, 1.0] };
    for (i, space) in spaces.enumerate() {
        let left = i as f64;
        let (ground, ink) = match view.is_dark(space) {
            true => (Colour::from([0x5a, 0x4a, 0x3c]), Colour::from([255; 3])),
            false => (Colour::from([0xe9, 0xe2, 0xd0]), Colour::from([0x2d, 0x26, 0x1f])),
        };
        picture.rect(Rect::new(left + GAP, GAP, left + 1.0 - GAP, 1.0 - GAP), ground);
        picture.write(&space.to_string(), left + 0.1, 0.1 + LETTER_HEIGHT, LETTER_HEIGHT, ink);
        let mut n_there = 0;
        // Markers and pieces stand in rows of two.
        let mut next = || {
            n_there += 1;
            let n = n_there - 1;
            [left + 0.28 + 0.44 * f64::from(n % 2), 0.48 + 0.32 * f64::from(n / 2)]
        };
        for seat in view.seats() {
            let (colour, symbol) = pictures::colour_and_symbol(view, seat);
            for _ in spaces_of_markers(view, seat).filter(|at| *at == space) {
                let [x, y] = next();
                let centre = Point::new(x, y);
                picture.disc(centre, 0.16, Colour::from([255; 3]));
                picture.disc(centre, 0.14, Colour::from(colour));
                if symbol != Symbol::None {
                    picture.fill(symbol.outline(centre, 0.08), Colour::from([255; 3]));
                }
            }
        }
        for piece in view.pieces().filter(|piece| piece.place == Location::Space(space)) {
            let (colour, symbol) =
                piece.owner.map_or(([0x8a; 3], Symbol::None), |seat| pictures::colour_and_symbol(view, seat));
            let placed = PlacedPiece { name: piece.name, pose: Pose::Standing, colour, symbol, at: next() };
            painter.draw_pieces(&mut picture, part, &[placed]);
        }
    }
    picture
}
