//! What kinds of land ask of a tile beyond edges that agree: how it goes on from what is laid.

use board::{Board, Edge, KindIdx, Land, Placement, TileIdx, TileRef};

use crate::catalogue::{Joining, ModIdx};
use crate::ruleset::Rules;

/// Whether a kind on `tile` asks for more than edges that agree.
#[inline]
pub(crate) fn is_choosy(rules: &Rules, tile: TileIdx) -> bool {
    let catalogue = rules.catalogue();
    !catalogue.joining.is_empty() && catalogue.joining.iter().any(|j| concerns(&catalogue.land, j, tile))
}

fn concerns(land: &Land, joining: &Joining, tile: TileIdx) -> bool {
    land.tile(tile).zones.iter().any(|zone| zone.kind == joining.kind)
}

/// Leaves the places where every kind of land on `tile` gets what it asks for.
pub(crate) fn retain(rules: &Rules, board: &Board, tile: TileIdx, places: &mut Vec<Placement>) {
    let catalogue = rules.catalogue();
    for joining in catalogue.joining.iter().filter(|j| concerns(&catalogue.land, j, tile)) {
        places.retain(|place| allows(&catalogue.land, board, joining, tile, *place));
    }
}

/// The mods whose kinds of land do not let `tile` lie at `place`.
pub(crate) fn who_forbids(rules: &Rules, board: &Board, tile: TileIdx, place: Placement) -> Vec<ModIdx> {
    let catalogue = rules.catalogue();
    let forbids = |j: &&Joining| concerns(&catalogue.land, j, tile) && !allows(&catalogue.land, board, j, tile, place);
    catalogue.joining.iter().filter(forbids).map(|j| j.owner).collect()
}

fn allows(land: &Land, board: &Board, joining: &Joining, tile: TileIdx, place: Placement) -> bool {
    let shape = land.tile(tile);
    let turned = shape.turned(place.facing);
    let has = |edge: Edge| shape.kind_at(turned, edge.ports()[1]) == Some(joining.kind);
    let mut n_met = 0;
    for edge in Edge::ALL.into_iter().filter(|edge| has(*edge)) {
        let Some(before) = board.neighbour(place.spot, edge) else { continue };
        n_met += 1;
        let turns_back = |back: Edge| back != edge && has(back);
        if !joining.u_turns && ways_in(land, board, joining.kind, before).any(turns_back) {
            return false;
        }
    }
    joining.n.is_none_or(|n| n == n_met)
}

/// The edges of a laid tile on which it joined a tile with `kind` that lay there before it.
fn ways_in<'b>(land: &'b Land, board: &'b Board, kind: KindIdx, tile: TileRef) -> impl Iterator<Item = Edge> + 'b {
    let placed = board.tile(tile);
    let shape = land.tile(placed.tile);
    let has = move |edge: &Edge| shape.kind_at(shape.turned(placed.facing), edge.ports()[1]) == Some(kind);
    let earlier = move |edge: &Edge| board.neighbour(placed.spot, *edge).is_some_and(|other| other < tile);
    Edge::ALL.into_iter().filter(has).filter(earlier)
}
