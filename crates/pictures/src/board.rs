//! Draws the board of a game as a picture.

use art::{LaidTile, Painter, Picture, Pose, StandingPiece, Symbol, named_colour, seat_colour, seat_symbol};
use rules::Location;
use table::{GameView, PieceView, Seat};

/// The colour of a piece without an owner.
const NEUTRAL: [u8; 3] = [0x8a, 0x8a, 0x8a];

fn colour(view: GameView<'_>, seat: Seat) -> [u8; 3] {
    named_colour(view.name(seat)).map_or_else(|| seat_colour(seat.idx()), |[safe, _]| safe)
}

/// Returns the colour and the symbol of a player.
pub(crate) fn look_of(view: GameView<'_>, seat: Seat) -> ([u8; 3], Symbol) {
    (colour(view, seat), seat_symbol(seat.idx()))
}

/// Draws the board with the detail that is visible if a tile is `width` pixels wide.
pub fn board(painter: &Painter, view: GameView<'_>, width: u32) -> Picture {
    painter.board_picture(&laid_tiles(view), &standing_pieces(painter, view), width)
}

/// Returns the tiles on the board.
pub(crate) fn laid_tiles(view: GameView<'_>) -> Vec<LaidTile> {
    let laid = |it: &table::PlacedTile| LaidTile { spot: it.spot, tile: it.tile, facing: it.facing };
    view.tiles().into_iter().map(laid).collect()
}

/// Returns the pieces on the board, with their positions.
pub(crate) fn standing_pieces<'v>(painter: &Painter, view: GameView<'v>) -> Vec<StandingPiece<'v>> {
    let mut pieces: Vec<(StandingPiece<'_>, Location)> = Vec::new();
    for it in view.pieces() {
        let n_there = pieces.iter().filter(|(_, place)| *place == it.place).count();
        if let Some(at) = piece_centre(painter, view, &it, n_there) {
            let (colour, symbol) = it.owner.map_or((NEUTRAL, Symbol::None), |seat| look_of(view, seat));
            let pose = if it.stays { Pose::Lying } else { Pose::Standing };
            pieces.push((StandingPiece { name: it.name, pose, colour, symbol, at }, it.place));
        }
    }
    pieces.into_iter().map(|(piece, _)| piece).collect()
}

/// Returns the centre of a piece, or `None` if the piece is not on the board. `n_there` pieces are
/// already drawn at the same place.
fn piece_centre(painter: &Painter, view: GameView<'_>, it: &PieceView<'_>, n_there: usize) -> Option<[f64; 2]> {
    let aside = 0.12 * n_there as f64;
    match it.place {
        Location::Zone(zone) => {
            let tile = view.tile_of_zone(zone);
            let places = &painter.zones(tile.tile, tile.facing).get(tile.local(zone))?.places;
            let free = places.get(n_there).map(|at| (at, 0.0)).or_else(|| Some((places.first()?, aside)));
            let ([x, y], aside) = free.unwrap_or((&[0.5, 0.5], aside));
            Some([f64::from(tile.spot.x) + f64::from(*x) + aside, f64::from(tile.spot.y) + f64::from(*y)])
        }
        Location::Spot(spot) => Some([f64::from(spot.x) + 0.5 + aside, f64::from(spot.y) + 0.5]),
        Location::Corner(corner) => Some([f64::from(corner.x) + aside, f64::from(corner.y)]),
        Location::Border(border) => {
            let [x, y] = if border.is_west { [0.0, 0.5] } else { [0.5, 0.0] };
            Some([f64::from(border.x) + x + aside, f64::from(border.y) + y])
        }
        Location::Space(_) | Location::Kept(_) => None,
    }
}
