//! Painting a tile from its plan, from the ground up.

mod building;
mod ground;
mod marks;
mod nature;
mod town;
mod ways;
mod wood;

use board::{Facing, KindIdx, TileIdx};
use kurbo::{Affine, Point, Rect, Shape, Vec2};

use crate::chance::Chance;
use crate::painter::{Detail, Painter, turn};
use crate::picture::Picture;
use crate::plan::Plan;
use theme::Palette;
use theme::Style;

pub(crate) use marks::icon_or_letters;

/// What every part of the painting needs.
struct Brush<'a> {
    plan: &'a Plan,
    colours: &'a Palette,
    styles: Vec<Style>,
    turn: Affine,
    facing: Facing,
    /// What is scattered follows from this.
    seed: u64,
    /// Whether texture is wanted.
    is_full: bool,
    /// Whether somebody builds anywhere in this land: else nobody tills it.
    is_settled: bool,
    /// Circles of the plan that stay free: where pieces and icons stand.
    kept: Vec<(Point, f64)>,
}

impl Brush<'_> {
    /// Chance for one part of the painting, so that the parts do not disturb each other.
    fn chance(&self, part: u64) -> Chance {
        Chance::new(self.seed ^ part.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// A point of the plan as it lies on the picture.
    fn at(&self, p: Point) -> Point {
        self.turn * p
    }

    /// A direction of the plan as it lies on the picture.
    fn towards(&self, v: Vec2) -> Vec2 {
        self.turn * v.to_point() - self.turn * Point::ORIGIN
    }

    /// How far `p` of the plan is from what has to stay free.
    fn free(&self, p: Point) -> f64 {
        self.kept.iter().map(|(k, r)| (*k - p).hypot() - r).fold(1.0, f64::min)
    }

    fn is(&self, zone: u8, style: Style) -> bool {
        self.styles.get(usize::from(zone)) == Some(&style)
    }
}

/// Shadows fall to the south-east, whichever way a tile is turned.
const SHADOW: Vec2 = Vec2::new(0.010, 0.012);

impl Painter {
    /// A tile as it lies at `facing`, a unit square; `copy` tells tiles of one sort apart.
    pub fn tile(&self, tile: TileIdx, facing: Facing, copy: u32, detail: Detail) -> Picture {
        let plan = self.plan(tile);
        let declared = self.tile_set.tile(tile);
        let styles: Vec<Style> = declared.zones.iter().map(|z| self.style(z.kind)).collect();
        let marks = marks::find(self, tile);
        let mut kept: Vec<(Point, f64)> = plan.places.iter().filter_map(|p| Some((*p.first()?, 0.07))).collect();
        kept.extend(marks.iter().map(|m| (m.at, m.size * 0.5)));
        let colours = &self.palette;
        let is_full = detail == Detail::Full && !colours.plain;
        let seed = Chance::seed(&declared.name, copy);
        let mut kinds = (0..self.tile_set.kinds.len()).filter_map(|i| Some(KindIdx(u8::try_from(i).ok()?)));
        let is_settled = kinds.any(|kind| matches!(self.style(kind), Style::Walled | Style::Building));
        let brush = Brush { plan, colours, styles, turn: turn(facing), facing, seed, is_full, is_settled, kept };
        let mut picture = Picture::default();
        ground::paint(&brush, &mut picture);
        ways::paint(&brush, &mut picture);
        ground::plants(&brush, &mut picture);
        // The first of two that cross lies above.
        for full in plan.fulls.iter().rev() {
            match full.style {
                Style::Walled => town::paint(&brush, &mut picture, full),
                Style::Wooded => wood::paint(&brush, &mut picture, full),
                Style::Water => ways::sheet(&brush, &mut picture, full),
                _ => picture.fill(brush.turn * full.area.path(), colours.yard),
            }
        }
        town::gates(&brush, &mut picture);
        ways::over(&brush, &mut picture);
        building::paint(&brush, &mut picture);
        marks::paint(&brush, self, &mut picture, tile, &marks, detail);
        picture.line(Rect::new(0.0, 0.0, 1.0, 1.0).to_path(0.1), colours.rim.alpha(0.28), 0.012);
        picture
    }
}
