//! The random player: chooses every option with the same probability.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use rules::Trial;

use crate::player::{Player, View};
use crate::restriction::Restriction;

/// A small random number generator with eight bytes of state. Generating a number takes a
/// nanosecond, and every machine gets the same numbers.
#[derive(Clone, Debug)]
pub struct Rng(SplitMix64);

impl Rng {
    /// Makes the generator for `seed`.
    pub fn new(seed: u64) -> Rng {
        Rng(SplitMix64::seed_from_u64(seed))
    }

    /// Returns the next random number.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a random number below `n`; 0 if `n` is 0.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        // The upper half of the product avoids a division; a bias of 2^-64 is negligible.
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// Returns the seed of the player in seat `seat`, counted from 0, in a game with the seed
    /// `seed`.
    pub fn seat_seed(seed: u64, seat: usize) -> u64 {
        Rng::derived_seed(seed, 1 + seat as u64)
    }

    /// Returns seed number `n` of the seeds derived from `seed`. Seeds with different numbers are
    /// independent.
    pub fn derived_seed(seed: u64, n: u64) -> u64 {
        let first = Rng::new(seed).next_u64();
        Rng::new(first ^ n.wrapping_mul(0xd129_42f5_90a3_1f27)).next_u64()
    }
}

/// Draws an option of the open chance decision by its probability, and returns its number; 0 if no
/// chance decision is open.
pub fn draw_option(trial: &Trial, rng: &mut Rng) -> usize {
    let Some(decision) = trial.decision() else { return 0 };
    let weights = decision.weights(trial.state());
    let mut left = rng.below(weights.iter().map(|n| *n as usize).sum());
    for (i, n) in weights.iter().enumerate() {
        if left < *n as usize {
            return i;
        }
        left -= *n as usize;
    }
    0
}

/// The random player, which chooses every allowed option with the same probability.
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
    restriction: Restriction,
}

impl Random {
    /// Makes a player that is subject to `restriction`, and whose choices follow from `seed`.
    pub fn new(seed: u64, restriction: Restriction) -> Random {
        Random { rng: Rng::new(seed), restriction }
    }
}

impl Player for Random {
    fn reset(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    #[inline]
    fn choose(&mut self, view: &View<'_>) -> usize {
        if self.restriction.is_empty() {
            return self.rng.below(view.decision.n_options(view.state));
        }
        let View { rules, state, decision } = view;
        let options = decision.options(&rules.ruleset, state);
        let allowed = self.restriction.allowed(&rules.ruleset, state, decision, &options);
        let n = self.rng.below(allowed.iter().filter(|it| **it).count());
        (0..).zip(allowed).filter(|(_, it)| *it).nth(n).map_or(0, |(option, _)| option)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_below_and_reach_everything() {
        let mut rng = Rng::new(7);
        let mut seen = [0; 6];
        for _ in 0..6000 {
            seen[rng.below(6)] += 1;
        }
        assert!(seen.iter().all(|n| (850..1150).contains(n)), "{seen:?}");
        assert_eq!(rng.below(1), 0);
        assert_eq!(rng.below(0), 0);
    }

    #[test]
    fn numbers_stay_the_same() {
        let mut rng = Rng::new(7);
        assert_eq!([rng.next_u64(), rng.next_u64()], [7_191_089_600_892_374_487, 309_689_372_594_955_804]);
    }

    #[test]
    fn derived_seeds_differ() {
        let seeds: Vec<u64> = (0..100).map(|n| Rng::derived_seed(1, n)).collect();
        assert!(seeds.iter().enumerate().all(|(i, s)| !seeds[..i].contains(s)));
        assert_ne!(Rng::derived_seed(1, 0), Rng::derived_seed(2, 0));
    }
}
