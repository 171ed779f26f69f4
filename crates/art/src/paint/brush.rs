//! The context that all functions that paint a tile share.

use board::Facing;
use kurbo::{Affine, Point, Vec2};
use theme::{LandStyle, Palette};

use crate::covers::Cover;
use crate::plan::TilePlan;
use crate::rng::PaintRng;

/// A tile that is being painted, with everything that determines its look.
pub(super) struct Brush<'a> {
    pub(super) plan: &'a TilePlan,
    pub(super) colours: &'a Palette,
    pub(super) styles: Vec<LandStyle>,
    /// The cover (colours and pattern) of each zone; `None` for a zone that is not coloured.
    pub(super) covers: Vec<Option<Cover>>,
    pub(super) turn: Affine,
    pub(super) facing: Facing,
    /// The seed of all random details.
    pub(super) seed: u64,
    /// The zones that belong to complete features, as the bits of
    /// [`TileVariant::complete`](crate::TileVariant::complete).
    pub(super) complete: u32,
    /// True if the painting shows texture and trees.
    pub(super) is_detailed: bool,
    /// The size of houses, relative to houses at full detail. Small tiles have fewer and larger
    /// houses, because many small roofs become noise, and a town without roofs looks like sand.
    /// `None` if the painting shows no houses.
    pub(super) house_scale: Option<f64>,
    /// The scale of buildings and the edges of paths, relative to full detail. If the scale is more
    /// than 1, a building is a bold sign.
    pub(super) bold: f64,
    /// The scale of walls, relative to full detail.
    pub(super) wall_scale: f64,
    /// True if any kind of land in the tile set has buildings. If false, the painting shows no
    /// tilled fields.
    pub(super) is_settled: bool,
    /// Circles of the plan that are reserved for pieces and icons, each with its centre and radius.
    pub(super) reserved: Vec<(Point, f64)>,
}

impl Brush<'_> {
    /// Returns the random numbers for part number `part` of the painting. Each part has its own
    /// sequence, so that parts do not influence each other.
    pub(super) fn rng(&self, part: u64) -> PaintRng {
        PaintRng::new(self.seed ^ part.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Maps a point of the plan, which shows the unturned tile, to the picture.
    pub(super) fn map_point(&self, p: Point) -> Point {
        self.turn * p
    }

    /// Maps a direction of the plan, which shows the unturned tile, to the picture.
    pub(super) fn map_direction(&self, v: Vec2) -> Vec2 {
        self.turn * v.to_point() - self.turn * Point::ORIGIN
    }

    /// Returns the distance from the point `p` of the plan to the nearest reserved circle, at most
    /// 1; negative inside a circle.
    pub(super) fn clearance(&self, p: Point) -> f64 {
        self.reserved.iter().map(|(k, r)| (*k - p).hypot() - r).fold(1.0, f64::min)
    }

    /// Returns whether a zone belongs to a complete feature.
    pub(super) fn is_complete(&self, zone: usize) -> bool {
        zone < 32 && self.complete >> zone & 1 == 1
    }

    pub(super) fn has_style(&self, zone: u8, style: LandStyle) -> bool {
        self.styles.get(usize::from(zone)) == Some(&style)
    }
}

/// The offset of shadows. They fall to the south-east at every facing of a tile.
pub(super) const SHADOW_OFFSET: Vec2 = Vec2::new(0.010, 0.012);
