//! Paints a tile from its plan, starting with the ground.

mod border;
mod brush;
mod building;
mod cover;
mod ground;
mod houses;
mod marks;
mod nature;
mod town;
mod town_plan;
mod ways;
mod wood;

use board::{Facing, KindIdx, TileIdx};
use kurbo::{Affine, Point};
use theme::LandStyle;

use crate::painter::{Detail, Painter, TileVariant, facing_transform};
use crate::picture::Picture;
use crate::rng::PaintRng;

use brush::Brush;
pub(crate) use marks::{icon_or_letters, outline};

impl Painter {
    /// Paints a tile at `facing` in the unit square.
    pub fn tile(&self, tile: TileIdx, facing: Facing, look: TileVariant, detail: Detail) -> Picture {
        let plan = self.plan(tile);
        let declared = self.tile_set.tile(tile);
        let styles: Vec<LandStyle> = declared.zones.iter().map(|z| self.style(z.kind)).collect();
        let marks = marks::find(self, tile);
        let mut reserved: Vec<(Point, f64)> = plan.places.iter().filter_map(|p| Some((*p.first()?, 0.07))).collect();
        reserved.extend(marks.iter().map(|m| (m.at, marks::drawn_size(m.size, detail) * 0.5)));
        let colours = &self.palette;
        let is_detailed = detail != Detail::Shapes && !colours.plain;
        let house_scale = (!colours.plain).then(|| detail.choose([2.3, 1.8, 1.0]));
        let seed = PaintRng::seed(&declared.name, look.copy);
        let mut kinds = (0..self.tile_set.kinds.len()).filter_map(|i| Some(KindIdx(u8::try_from(i).ok()?)));
        let is_settled = kinds.any(|kind| matches!(self.style(kind), LandStyle::Walled | LandStyle::Building));
        let brush = Brush {
            plan,
            colours,
            styles,
            covers: declared.zones.iter().map(|z| self.cover(z.kind)).collect(),
            turn: facing_transform(facing),
            facing,
            seed,
            complete: look.complete,
            is_detailed,
            house_scale,
            bold: detail.choose([1.5, 1.2, 1.0]),
            wall_scale: detail.choose([1.9, 1.5, 1.0]),
            is_settled,
            reserved,
        };
        let mut picture = Picture::default();
        let below = declared.over.map_or(declared, |over| self.tile_set.tile(over.base));
        match self.icons.get("tile", &below.name, "picture").flatten() {
            Some(own) => {
                let angle = f64::from(facing.degrees()).to_radians();
                picture.put(&own.tinted(colours.ink), Affine::rotate_about(angle, Point::new(0.5, 0.5)));
                border::paint_around_zones(&brush, &mut picture);
                if let Some(over) = declared.over {
                    paint_above(&brush, &mut picture, usize::from(over.first_zone));
                }
            }
            None => paint_land(&brush, &mut picture),
        }
        marks::paint(&brush, self, &mut picture, tile, &marks, detail);
        border::paint_rim(&brush, &mut picture);
        picture
    }
}

/// Paints the land of a tile.
fn paint_land(brush: &Brush<'_>, picture: &mut Picture) {
    ground::paint(brush, picture);
    ways::paint(brush, picture);
    ground::paint_plants(brush, picture);
    paint_above(brush, picture, 0);
}

/// Paints full zones, gates, bridges and inside zones, which lie above the ground, paths and water.
/// Skips zones with numbers below `first_zone`: if a tile with its own picture lies below an
/// overlay, only the zones of the overlay are painted.
fn paint_above(brush: &Brush<'_>, picture: &mut Picture, first_zone: usize) {
    // If two full zones cross, the first zone is on top.
    for full in brush.plan.fulls.iter().filter(|full| full.zone >= first_zone).rev() {
        match full.style {
            LandStyle::Walled => town::paint(brush, picture, full),
            LandStyle::Wooded => wood::paint(brush, picture, full),
            LandStyle::Water => ways::paint_water_zone(brush, picture, full),
            LandStyle::Coloured => cover::paint_full(brush, picture, full),
            _ => picture.fill(brush.turn * full.area.path(), brush.colours.yard),
        }
        if full.style != LandStyle::Walled && brush.is_complete(full.zone) {
            border::paint_along_walls(brush, picture, full);
        }
    }
    town::paint_gates(brush, picture, first_zone);
    ways::paint_raised_lines(brush, picture, first_zone);
    building::paint(brush, picture, first_zone);
}
