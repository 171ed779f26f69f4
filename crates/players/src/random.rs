//! The random player: any option, each as likely as the others.

use crate::player::{Player, View};

/// A small generator (splitmix64): eight bytes of state, a nanosecond a number, the same on every machine.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// The numbers that follow from `seed`.
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// The next number.
    #[inline]
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 where `n` is 0.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        // The upper half of the product: no division, and a bias of 2^-64 a number is none.
        ((u128::from(self.number()) * n as u128) >> 64) as usize
    }

    /// What the player of seat number `seat` draws its own chance from in a game with this seed.
    pub fn of_seat(seed: u64, seat: usize) -> u64 {
        Chance::derived(seed, 1 + seat as u64)
    }

    /// The seed number `n` that follows from `seed`: other numbers give seeds that have nothing to do with each other.
    pub fn derived(seed: u64, n: u64) -> u64 {
        let first = Chance(seed).number();
        Chance(first ^ n.wrapping_mul(0xd129_42f5_90a3_1f27)).number()
    }
}

/// Takes any option.
#[derive(Clone, Debug)]
pub struct Random {
    chance: Chance,
}

impl Random {
    /// A player whose choices follow from `seed`.
    pub fn new(seed: u64) -> Random {
        Random { chance: Chance::new(seed) }
    }
}

impl Player for Random {
    fn begin(&mut self, seed: u64) {
        self.chance = Chance::new(seed);
    }

    #[inline]
    fn choose(&mut self, view: &View<'_>) -> usize {
        self.chance.below(view.decision.n_options(view.state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_below_and_reach_everything() {
        let mut chance = Chance::new(7);
        let mut seen = [0; 6];
        for _ in 0..6000 {
            seen[chance.below(6)] += 1;
        }
        assert!(seen.iter().all(|n| (850..1150).contains(n)), "{seen:?}");
        assert_eq!(chance.below(1), 0);
        assert_eq!(chance.below(0), 0);
    }

    #[test]
    fn derived_seeds_differ() {
        let seeds: Vec<u64> = (0..100).map(|n| Chance::derived(1, n)).collect();
        assert!(seeds.iter().enumerate().all(|(i, s)| !seeds[..i].contains(s)));
        assert_ne!(Chance::derived(1, 0), Chance::derived(2, 0));
    }
}
