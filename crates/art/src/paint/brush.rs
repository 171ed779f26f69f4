//! What every part of the painting needs.

use board::Facing;
use kurbo::{Affine, Point, Vec2};
use theme::{Palette, Style};

use crate::plan::Plan;
use crate::rng::Rng;

/// A tile that is being painted.
pub(super) struct Brush<'a> {
    pub(super) plan: &'a Plan,
    pub(super) colours: &'a Palette,
    pub(super) styles: Vec<Style>,
    pub(super) turn: Affine,
    pub(super) facing: Facing,
    /// What is scattered follows from this.
    pub(super) seed: u64,
    /// Whether texture is wanted.
    pub(super) is_full: bool,
    /// Whether somebody builds anywhere in this land: else nobody tills it.
    pub(super) is_settled: bool,
    /// Circles of the plan that stay free: where pieces and icons stand.
    pub(super) reserved: Vec<(Point, f64)>,
}

impl Brush<'_> {
    /// Returns the numbers for one part of the painting, so that the parts do not disturb each other.
    pub(super) fn rng(&self, part: u64) -> Rng {
        Rng::new(self.seed ^ part.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Returns a point of the plan as it lies on the picture.
    pub(super) fn at(&self, p: Point) -> Point {
        self.turn * p
    }

    /// Returns a direction of the plan as it lies on the picture.
    pub(super) fn towards(&self, v: Vec2) -> Vec2 {
        self.turn * v.to_point() - self.turn * Point::ORIGIN
    }

    /// Returns how far `p` of the plan is from what has to stay free.
    pub(super) fn free(&self, p: Point) -> f64 {
        self.reserved.iter().map(|(k, r)| (*k - p).hypot() - r).fold(1.0, f64::min)
    }

    pub(super) fn is(&self, zone: u8, style: Style) -> bool {
        self.styles.get(usize::from(zone)) == Some(&style)
    }
}

/// Shadows fall to the south-east, whichever way a tile is turned.
pub(super) const SHADOW: Vec2 = Vec2::new(0.010, 0.012);
