//! Effects on laid tiles: linking zones, and laying, turning, swapping and removing tiles.

use board::{Spot, TileIdx, TileRef, ZoneRef};
use rules::{Refusal, Value};

use super::builder::{Api, doc};
use super::placements::facing_of;
use crate::core::Cx;
use crate::named_options::LinkSite;
use crate::params::List;

/// The fixed part of the cost of a change of the board, in units of weight. The other part depends
/// on the number of zones on the board.
const CHANGE_COST: usize = 1000;
/// The cost for each zone on the board of a change that rebuilds the board, in units of weight.
const ZONE_COST: usize = 16;

fn spend_a_change(cx: &Cx) -> Result<(), Refusal> {
    cx.spend(CHANGE_COST + cx.state().board.n_zones())
}

/// Charges the budget for rebuilding the board.
fn spend_rebuild(cx: &Cx) -> Result<(), Refusal> {
    cx.spend(CHANGE_COST + ZONE_COST * cx.state().board.n_zones())
}

pub(super) fn add(api: &mut Api) {
    links(api);
    tiles(api);
}

fn links(api: &mut Api) {
    api.effect(
        "relink",
        doc(
            "site, links",
            "Replaces the links within a tile or across a border. Each link is a list of two zones, which become one feature. Across a border, a link joins a zone of each of the two tiles, and both zones reach the border.",
            "relink(tile, [[a, b]]);",
        ),
        |cx: &mut Cx, site: LinkSite, links: List| {
            spend_a_change(cx)?;
            let links: Result<Vec<_>, Refusal> = links.0.iter().map(|link| pair(cx, link)).collect();
            let links = links?;
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            Ok(match site {
                LinkSite::Tile(tile) => state.relink(ruleset, tile, &links),
                LinkSite::Border(border) => state.relink_across(ruleset, border, &links),
            }?)
        },
    );
    api.effect(
        "link",
        doc(
            "zone, other",
            "Joins two zones of the same kind into one feature, wherever they lie, such as through a tunnel. Open ports stay open.",
            "link(zone, other);",
        ),
        |cx: &mut Cx, zone: ZoneRef, other: ZoneRef| {
            spend_a_change(cx)?;
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            Ok(state.link(ruleset, zone, other)?)
        },
    );
    api.effect(
        "unlink",
        doc("site", "Removes all links within a tile, or across a border.", "unlink(tile);"),
        |cx: &mut Cx, site: LinkSite| {
            spend_a_change(cx)?;
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            Ok(match site {
                LinkSite::Tile(tile) => state.relink(ruleset, tile, &[]),
                LinkSite::Border(border) => state.relink_across(ruleset, border, &[]),
            }?)
        },
    );
    api.effect(
        "unlink",
        doc("zone, other", "Removes the link between two zones.", "unlink(zone, other);"),
        |cx: &mut Cx, zone: ZoneRef, other: ZoneRef| {
            spend_a_change(cx)?;
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            Ok(state.unlink(ruleset, zone, other)?)
        },
    );
}

fn pair(cx: &Cx, link: &Value) -> Result<(ZoneRef, ZoneRef), Refusal> {
    let parts = link.as_list().unwrap_or_default();
    match crate::params::items_of(parts, cx)?[..] {
        [a, b] => Ok((a, b)),
        _ => Err("a link is a list of two zones: relink(tile, [[a, b]])".into()),
    }
}

fn tiles(api: &mut Api) {
    api.effect(
        "lay_tile",
        doc(
            "tile_type, spot, facing",
            "Lays a tile and returns it, in `setup` or later. The tile must match its neighbours (see `fits`) but needs none; `filter_places` is not called. The tile is a new copy, so take a copy out of its deck or hand yourself. `tile_placed` is called afterwards. Features that the tile completes are scored in the phase `score`, or at the end of the part if this phase has run; between parts, in the next part or in the final count.",
            "let tile = lay_tile(tile_type(\"first\"), spot(0, 1), 90);",
        ),
        |cx: &mut Cx, tile: TileIdx, spot: Spot, facing: i64| {
            spend_a_change(cx)?;
            let facing = facing_of(facing)?;
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            Ok(state.lay_tile(ruleset, tile, spot, facing)?)
        },
    );
    api.effect(
        "turn_tile",
        doc(
            "tile, facing",
            "Turns a laid tile. In its new facing, the tile must match its neighbours (see `fits`). Its zones stay the same, with all pieces on them.",
            "turn_tile(tile, (tile.facing + 180) % 360);",
        ),
        |cx: &mut Cx, tile: TileRef, facing: i64| {
            spend_rebuild(cx)?;
            let facing = facing_of(facing)?;
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            let sort = state.board.tile(tile).tile;
            Ok(state.swap_tile(ruleset, tile, sort, facing)?)
        },
    );
    api.effect(
        "swap_tile",
        doc(
            "tile, tile_type, facing",
            "Changes the type of a laid tile, with its present facing by default. The new type must match its neighbours (see `fits`). The tile stays the same tile but gets new zones. Pieces, links and tags move to the new zones with the same names (`zone.name`); other pieces are returned with the reason `tile` (see `piece_returned`). Handles of its former zones become invalid.",
            "swap_tile(tile, tile_type(\"bridge\"));",
        ),
        |cx: &mut Cx, tile: TileRef, tile_type: TileIdx, facing: Option<i64>| {
            spend_rebuild(cx)?;
            let facing = facing.map(facing_of).transpose()?;
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            let facing = facing.unwrap_or_else(|| state.board.tile(tile).facing);
            Ok(state.swap_tile(ruleset, tile, tile_type, facing)?)
        },
    );
    api.effect(
        "take_up",
        doc(
            "tile",
            "Removes a laid tile and returns its type; put the tile into a deck or hand yourself. Pieces on its zones are returned with the reason `tile`; pieces and piles on its spot stay. Handles of the tile and its zones become invalid (see `exists`).",
            "give_tile(player, take_up(tile));",
        ),
        |cx: &mut Cx, tile: TileRef| {
            spend_rebuild(cx)?;
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            let sort = state.board.tile(tile).tile;
            state.remove_tile(ruleset, tile);
            Ok(sort)
        },
    );
}
