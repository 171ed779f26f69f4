//! Overlays: land that is put over tiles.

use board::{Facing, TileIdx, TileRef};

use super::placements::facing_of;
use super::{Api, says};
use crate::core::Cx;

pub(super) fn add(api: &mut Api) {
    api.topic("Overlays");
    api.method(
        "overlaid",
        says(
            "tile, overlay, facing",
            "The type of tile that a laid tile becomes with an overlay over it (`overlay = true`), turned so far as it will lie on the board; `()` where it does not fit on the tile. `swap_tile` puts it there, `fits` says whether it agrees with the neighbours.",
            "let type = tile.overlaid(tile_type(\"bridge\"), 90);",
        ),
        |cx: &mut Cx, tile: TileRef, overlay: TileIdx, degrees: i64| {
            let placed = cx.state().board.tile(tile);
            let against = facing_of(degrees)?.quarters() + 4 - placed.facing.quarters();
            Ok(cx.tile_set().overlaid(placed.tile, overlay, Facing::from_quarters(against)))
        },
    );
    api.method(
        "overlaid",
        says(
            "tile_type, overlay, facing",
            "The same of a type of tile, turned so far against the tile.",
            "for place in places(turn.tile_type.overlaid(tile_type(\"bridge\"), 0)) { }",
        ),
        |cx: &mut Cx, tile: TileIdx, overlay: TileIdx, degrees: i64| {
            Ok(cx.tile_set().overlaid(tile, overlay, facing_of(degrees)?))
        },
    );
    api.get(
        "overlay",
        "The overlay of a type of tile that has one over it, else `()`.",
        "tile.tile_type.overlay == ()",
        |cx: &mut Cx, tile: TileIdx| Ok(cx.tile_set().tile(tile).over.map(|over| over.overlay)),
    );
    api.get(
        "base",
        "The type of tile without the overlay that is over it; itself where there is none.",
        "swap_tile(tile, tile.tile_type.base);",
        |cx: &mut Cx, tile: TileIdx| Ok(cx.tile_set().base(tile)),
    );
    api.get(
        "is_overlay",
        "Whether it is land of an overlay that lies over its tile.",
        "zone.is_overlay && zone.kind == \"way\"",
        |cx: &mut Cx, zone: board::ZoneRef| {
            let placed = cx.state().board.tile_at_zone(zone);
            let over = cx.tile_set().tile(placed.tile).over;
            Ok(over.is_some_and(|over| placed.local(zone) >= usize::from(over.first_zone)))
        },
    );
}
