//! Overlays: land that lies over tiles.

use board::{Facing, TileIdx, TileRef};

use super::builder::{Api, doc};
use super::placements::facing_of;
use crate::core::Cx;

pub(super) fn add(api: &mut Api) {
    api.topic("Overlays");
    api.method(
        "overlaid",
        doc(
            "tile, overlay, facing",
            "The tile type of a laid tile after an overlay (`overlay = true`) is put on it in this facing on the board; `()` if the overlay does not fit the tile. Pass the type to `swap_tile` to put the overlay there, or to `fits` to test whether it matches the neighbours.",
            "let type = tile.overlaid(tile_type(\"bridge\"), 90);",
        ),
        |cx: &mut Cx, tile: TileRef, overlay: TileIdx, degrees: i64| {
            let placed = cx.state().board.tile(tile);
            let against = facing_of(degrees)?.quarters() + 4 - placed.facing.quarters();
            Ok(cx.tile_set().combined_tile(placed.tile, overlay, Facing::from_quarters(against)))
        },
    );
    api.method(
        "overlaid",
        doc(
            "tile_type, overlay, facing",
            "The tile type after an overlay is put on it in this facing, which is relative to the tile; `()` if the overlay does not fit.",
            "for place in places(turn.tile_type.overlaid(tile_type(\"bridge\"), 0)) { }",
        ),
        |cx: &mut Cx, tile: TileIdx, overlay: TileIdx, degrees: i64| {
            Ok(cx.tile_set().combined_tile(tile, overlay, facing_of(degrees)?))
        },
    );
    api.get(
        "overlay",
        "The overlay of a tile type; `()` if it has none.",
        "tile.tile_type.overlay == ()",
        |cx: &mut Cx, tile: TileIdx| Ok(cx.tile_set().tile(tile).over.map(|over| over.overlay)),
    );
    api.get(
        "base",
        "The tile type without its overlay; the same type if it has no overlay.",
        "swap_tile(tile, tile.tile_type.base);",
        |cx: &mut Cx, tile: TileIdx| Ok(cx.tile_set().base(tile)),
    );
    api.get(
        "is_overlay",
        "True if the zone belongs to an overlay on its tile.",
        "zone.is_overlay && zone.kind == \"way\"",
        |cx: &mut Cx, zone: board::ZoneRef| {
            let placed = cx.state().board.tile_at_zone(zone);
            let over = cx.tile_set().tile(placed.tile).over;
            Ok(over.is_some_and(|over| placed.local_index(zone) >= usize::from(over.first_zone)))
        },
    );
}
