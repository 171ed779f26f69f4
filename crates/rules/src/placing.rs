//! Placement constraints of kinds of land: the number of edges that must connect, and U-turns.

use board::{Board, Edge, EdgeSet, Facing, KindIdx, PlacedTile, Placement, Spot, TileIdx, TileRef, TileSet};

use crate::call::Rules;
use crate::catalogue::JoinConstraint;
use crate::indices::ModIdx;

/// Lists the placements of `tile` that match the neighbours and meet the constraints of every kind
/// of land on the tile.
pub(crate) fn places(rules: &Rules, board: &Board, tile: TileIdx) -> Vec<Placement> {
    let catalogue = rules.catalogue();
    let tile_set = &catalogue.tile_set;
    let mut joinings = catalogue.joining.iter().filter(|j| j.concerns(tile_set.tile(tile)));
    let unturned = |j: &JoinConstraint| edges_with(tile_set, j.kind, tile, Facing::default());
    let allows = |j: &JoinConstraint, own: EdgeSet, Placement { spot, facing }: Placement, met: EdgeSet| {
        allows(tile_set, board, j, own.turned(facing), spot, met)
    };
    let Some(first) = joinings.next() else { return board.placements(tile_set, tile) };
    let own = unturned(first);
    let asked = joined_code(tile_set, first, tile, own);
    let mut places = board.placements_where(tile_set, tile, asked, |place, met| allows(first, own, place, met));
    for joining in joinings {
        let own = unturned(joining);
        places.retain(|place| allows(joining, own, *place, board.met_edges(tile_set, place.spot)));
    }
    places
}

/// Returns the only edge code with which a neighbour can connect to the constrained kind of land on
/// `tile`, so that the search skips most open spots. Returns `None` if this kind need not connect,
/// or if its edges on the tile have different codes. `own` contains the edges of the unturned tile
/// that have this kind.
fn joined_code(tile_set: &TileSet, joining: &JoinConstraint, tile: TileIdx, own: EdgeSet) -> Option<u8> {
    joining.n.filter(|n| *n > 0)?;
    let edges = &tile_set.tile(tile).turned(Facing::default()).edges;
    let mut codes = own.iter().map(|edge| edges[edge as usize]);
    let code = codes.next()?;
    codes.all(|other| other == code).then_some(code)
}

/// Lists the mods whose constraints on kinds of land forbid `tile` at `place`.
pub(crate) fn mods_forbidding_join(rules: &Rules, board: &Board, tile: TileIdx, place: Placement) -> Vec<ModIdx> {
    let catalogue = rules.catalogue();
    let tile_set = &catalogue.tile_set;
    let met = board.met_edges(tile_set, place.spot);
    let forbids = |j: &&JoinConstraint| {
        j.concerns(tile_set.tile(tile)) && {
            let own = edges_with(tile_set, j.kind, tile, place.facing);
            !allows(tile_set, board, j, own, place.spot, met)
        }
    };
    catalogue.joining.iter().filter(forbids).map(|j| j.owner).collect()
}

/// Returns whether the constraint `joining` allows a tile on `spot`. `own` contains the edges of
/// the tile that have the constrained kind of land. `met` contains the edges at which a neighbour
/// requires a particular edge code.
fn allows(tile_set: &TileSet, board: &Board, joining: &JoinConstraint, own: EdgeSet, spot: Spot, met: EdgeSet) -> bool {
    let joined = own.and(met);
    if joining.n.is_some_and(|n| u32::from(n) != joined.len()) {
        return false;
    }
    joining.u_turns || !joined.iter().any(|edge| makes_u_turn(tile_set, board, joining.kind, own, spot, edge))
}

/// Returns whether a tile on `spot` would turn to the same side as the neighbour at `edge`, to
/// which the tile connects. `own` contains the edges of the tile that have land of `kind`.
fn makes_u_turn(tile_set: &TileSet, board: &Board, kind: KindIdx, own: EdgeSet, spot: Spot, edge: Edge) -> bool {
    let Some(before) = board.neighbour(spot, edge) else { return false };
    let PlacedTile { spot, tile, facing, .. } = *board.tile(before);
    let further = edges_with(tile_set, kind, tile, facing).without(edge.opposite());
    // If the neighbour connects to one other tile, the path came from that tile. If the neighbour
    // connects to several tiles, the path came from any of these tiles that was laid before the
    // neighbour.
    let is_fork = further.iter().filter(|other| board.neighbour(spot, *other).is_some()).count() > 1;
    let came_from = |other: TileRef| !is_fork || other < before;
    // Two consecutive tiles turn to the same side if the path enters the first tile and leaves the
    // second tile at the same edge, such as the northern edge of both.
    let turns = own.and(further).without(edge);
    turns.iter().any(|back| board.neighbour(spot, back).is_some_and(came_from))
}

/// Returns the edges on which a tile at `facing` has `kind`.
fn edges_with(tile_set: &TileSet, kind: KindIdx, tile: TileIdx, facing: Facing) -> EdgeSet {
    let shape = tile_set.tile(tile);
    let turned = shape.turned(facing);
    let has = |edge: &Edge| shape.kind_at(turned, edge.ports()[1]) == Some(kind);
    Edge::ALL.into_iter().filter(has).collect()
}
