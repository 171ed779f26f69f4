//! Borders: the edges between two spots.

use std::sync::Arc;

use board::{Border, Edge, Spot};
use rules::Location;

use super::builder::{Api, doc};
use crate::core::Cx;
use crate::replies::ReplyList;

pub(super) fn add(api: &mut Api) {
    api.topic("Borders");
    api.query(
        "border",
        doc(
            "spot, edge",
            "The edge (n, e, s, w) between a spot and its neighbour, with or without tiles. Both spots have the same border.",
            "border(tile.spot, \"n\")",
        ),
        |_cx: &mut Cx, spot: Spot, edge: Arc<str>| {
            let edge = Edge::ALL.into_iter().find(|e| *e.letter() == *edge).ok_or("an edge is n, e, s or w")?;
            Ok(Border::from_edge(spot, edge).ok_or("the grid ends here")?)
        },
    );
    api.get(
        "borders",
        "The edges between the spot and its neighbours, clockwise from the north.",
        "tile.spot.borders",
        |_cx: &mut Cx, spot: Spot| {
            Ok(Edge::ALL.into_iter().filter_map(|edge| Border::from_edge(spot, edge)).collect::<ReplyList<_>>())
        },
    );
    api.get(
        "spots",
        "The two spots beside the border, the northern or western one first.",
        "border.spots",
        |_cx: &mut Cx, border: Border| Ok(border.spots().collect::<ReplyList<_>>()),
    );
    api.get(
        "tiles",
        "The tiles beside the border, at most two.",
        "border.tiles.len() == 2",
        |cx: &mut Cx, border: Border| {
            Ok(border.spots().filter_map(|spot| cx.state().board.tile_at(spot)).collect::<ReplyList<_>>())
        },
    );
    api.get(
        "zones",
        "The zones that reach the border, on the tiles beside it.",
        "border.zones.filter(|zone| zone.kind == \"way\")",
        |cx: &mut Cx, border: Border| {
            Ok(cx.state().board.zones_on(cx.tile_set(), border).into_iter().collect::<ReplyList<_>>())
        },
    );
    api.get("pieces", "The pieces that stand on the border.", "border.pieces", |cx: &mut Cx, border: Border| {
        super::pieces::all(cx, |piece| piece.place == Location::Border(border))
    });
}
