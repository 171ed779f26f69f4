//! Deterministic pseudo-random numbers: each tile always gets the same numbers.

use std::hash::Hasher;

use fnv::FnvHasher;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// A stream of pseudo-random numbers.
pub(crate) struct PaintRng(SplitMix64);

impl PaintRng {
    pub(crate) fn new(seed: u64) -> PaintRng {
        PaintRng(SplitMix64::seed_from_u64(seed))
    }

    /// Returns the seed for copy `copy` of the tile called `name`.
    pub(crate) fn seed(name: &str, copy: u32) -> u64 {
        let mut hasher = FnvHasher::default();
        hasher.write(name.as_bytes());
        hasher.write(&copy.to_le_bytes());
        hasher.finish()
    }

    /// Returns a random number from 0 (included) to 1 (excluded).
    pub(crate) fn next_f64(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a random number from `a` (included) to `b` (excluded).
    pub(crate) fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.next_f64()
    }

    /// Returns true with probability `p`.
    pub(crate) fn random_bool(&mut self, p: f64) -> bool {
        self.next_f64() < p
    }

    /// Returns a random item of `list`.
    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[(self.0.next_u64() % list.len() as u64) as usize]
    }

    /// Returns a random point of the unit square.
    pub(crate) fn point(&mut self) -> kurbo::Point {
        kurbo::Point::new(self.next_f64(), self.next_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pins some numbers, because an upgrade of a dependency must not change the pictures.
    #[test]
    fn numbers_stay_as_they_are() {
        assert_eq!(PaintRng::seed("base/K", 2), 0x8672_3de8_619a_3af8);
        assert_eq!(PaintRng::new(7).0.next_u64(), 0x63cb_e1e4_5932_0dd7);
    }
}
