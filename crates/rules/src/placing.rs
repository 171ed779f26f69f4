//! What kinds of land ask of a tile beyond edges that agree: how it goes on from what is laid.

use board::{Board, Edge, Facing, KindIdx, Land, PlacedTile, Placement, TileIdx};

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
    let own = edges_with(land, joining.kind, tile, place.facing);
    let mut n_met = 0;
    for edge in edges_in(own) {
        let Some(before) = board.neighbour(place.spot, edge) else { continue };
        n_met += 1;
        if !joining.u_turns {
            // Tiles lie square to each other: both turn to the same side where both reach the same edge.
            let PlacedTile { spot, tile: sort, facing, .. } = *board.tile(before);
            let turns = own & edges_with(land, joining.kind, sort, facing) & !(1 << edge as u8);
            // Where it joined what had been laid before it.
            let was_met = |back: Edge| board.neighbour(spot, back).is_some_and(|other| other < before);
            if edges_in(turns).any(was_met) {
                return false;
            }
        }
    }
    joining.n.is_none_or(|n| n == n_met)
}

/// The edges, one bit each, on which a tile that lies at `facing` has `kind`.
fn edges_with(land: &Land, kind: KindIdx, tile: TileIdx, facing: Facing) -> u8 {
    let shape = land.tile(tile);
    let turned = shape.turned(facing);
    let has = |edge: &Edge| shape.kind_at(turned, edge.ports()[1]) == Some(kind);
    Edge::ALL.into_iter().filter(has).fold(0, |edges, edge| edges | 1 << edge as u8)
}

fn edges_in(edges: u8) -> impl Iterator<Item = Edge> {
    Edge::ALL.into_iter().filter(move |edge| edges >> *edge as u8 & 1 == 1)
}
