//! Painting a tile from its plan.

use crate::painter::{Detail, Painter, turn};
use crate::picture::Picture;
use crate::theme::Style;
use board::{Facing, TileIdx};

/// Paints a tile.
pub(crate) fn tile(painter: &Painter, tile: TileIdx, facing: Facing, copy: u32, detail: Detail) -> Picture {
    let _ = (copy, detail);
    let plan = painter.plan(tile);
    let colours = &painter.palette;
    let mut picture = Picture::default();
    for (zone, area) in plan.areas.iter().enumerate() {
        let kind = painter.land.tile(tile).zones[zone].kind;
        let colour = match painter.style(kind) {
            Style::Ground => colours.ground.mix(colours.grass, zone as f64 * 0.15),
            Style::Path => colours.path,
            Style::Water => colours.water,
            Style::Walled => colours.town,
            Style::Wooded => colours.wood,
            Style::Building | Style::Icon => colours.building_roof,
        };
        picture.fill(turn(facing) * area.path(), colour);
    }
    for places in &plan.places {
        for (i, p) in places.iter().enumerate() {
            picture.disc(turn(facing) * *p, if i == 0 { 0.03 } else { 0.012 }, colours.ink);
        }
    }
    picture
}
