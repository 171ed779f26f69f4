//! Corners: the points where four spots meet.

use board::{Corner, Spot};
use rules::Location;

use super::builder::{Api, doc};
use crate::core::Cx;
use crate::replies::ReplyList;

pub(super) fn add(api: &mut Api) {
    api.topic("Corners");
    api.query(
        "corner",
        doc("spot", "The north-west corner of a spot: a point where four spots meet.", "corner(spot(1, 0))"),
        |_cx: &mut Cx, spot: Spot| Ok(Corner { x: spot.x, y: spot.y }),
    );
    api.get(
        "corners",
        "The corners of the spot, clockwise from the north-west.",
        "tile.spot.corners",
        |_cx: &mut Cx, spot: Spot| Ok(spot.corners().collect::<ReplyList<_>>()),
    );
    api.get(
        "spots",
        "The four spots that meet at the corner, row by row from the north-west.",
        "corner.spots",
        |_cx: &mut Cx, corner: Corner| Ok(corner.spots().collect::<ReplyList<_>>()),
    );
    api.get(
        "tiles",
        "The tiles that meet at the corner, row by row from the north-west.",
        "corner.tiles",
        |cx: &mut Cx, corner: Corner| {
            Ok(corner.spots().filter_map(|spot| cx.state().board.tile_at(spot)).collect::<ReplyList<_>>())
        },
    );
    api.get(
        "zones",
        "The zones that reach the corner: one of each tile that meets there, or two if different zones lie on the two sides of the tile's corner.",
        "corner.zones.filter(|zone| zone.kind == \"yard\")",
        |cx: &mut Cx, corner: Corner| Ok(cx.state().board.zones_at(cx.tile_set(), corner).into_iter().collect::<ReplyList<_>>()),
    );
    api.get(
        "is_complete",
        "True if four tiles lie around the corner.",
        "corner.is_complete",
        |cx: &mut Cx, corner: Corner| {
            Ok(corner.spots().filter(|spot| cx.state().board.tile_at(*spot).is_some()).count() == 4)
        },
    );
    api.get("pieces", "The pieces that stand on the corner.", "corner.pieces", |cx: &mut Cx, corner: Corner| {
        super::pieces::all(cx, |piece| piece.place == Location::Corner(corner))
    });
}
