//! Chance that is always the same for the same tile.

/// A row of numbers that look like chance (splitmix64).
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// The seed for copy `copy` of the tile called `name` (FNV-1a).
    pub(crate) fn seed(name: &str, copy: u32) -> u64 {
        let bytes = name.bytes().chain(copy.to_le_bytes());
        bytes.fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// From 0 to 1.
    pub(crate) fn part(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From `a` to `b`.
    pub(crate) fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.part()
    }

    /// True in `p` of all cases.
    pub(crate) fn is(&mut self, p: f64) -> bool {
        self.part() < p
    }

    /// One of `list`.
    pub(crate) fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[(self.next() % list.len() as u64) as usize]
    }

    /// A point of the unit square.
    pub(crate) fn point(&mut self) -> kurbo::Point {
        kurbo::Point::new(self.part(), self.part())
    }
}
