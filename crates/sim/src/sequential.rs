//! A sequential test of two bots: plays pairs of games until it is clear which bot is stronger.

use rules::RulesFactory;

use crate::ladder::{LadderPair, plan_of_pair};
use crate::plan::{Plan, PlanError};
use crate::result::GameResult;
use crate::run::run;
use crate::stats::Report;

/// A sequential probability ratio test (SPRT). The test compares two hypotheses about the win rate
/// of a bot: it is 50%, or it is `win_rate`. If one of them is true, at most 5% of tests reject
/// it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SequentialTest {
    /// The win rate of a bot that is clearly stronger, from 0.5 to 1.
    pub win_rate: f64,
}

/// The probability that a test rejects the true hypothesis.
const ERROR: f64 = 0.05;

/// The result of a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestVerdict {
    /// The win rate of the bot is above 50%.
    Stronger,
    /// The win rate of the bot is below the win rate of the test.
    NotStronger,
    /// The games so far decide nothing.
    Open,
}

/// The results of pairs of games in which two bots play the same draws, with swapped seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PairResults {
    /// The number of pairs in which a bot won 0, 0.5, 1, 1.5 or 2 games. A tie is half a win.
    n_pairs: [u64; 5],
}

impl PairResults {
    /// Adds a pair in which the bot won `half_wins` / 2 games.
    pub fn add(&mut self, half_wins: usize) {
        if let Some(n) = self.n_pairs.get_mut(half_wins) {
            *n += 1;
        }
    }

    /// Returns the number of pairs.
    pub fn n_pairs(&self) -> u64 {
        self.n_pairs.iter().sum()
    }

    /// Returns the logarithm of the ratio of the likelihoods: positive if the results speak for
    /// `win_rate`, and negative if they speak for 50%. Approximates the wins of a pair by a normal
    /// distribution with the measured variance (the generalized SPRT of chess engines).
    fn log_likelihood_ratio(&self, win_rate: f64) -> f64 {
        // One more pair, half won and half lost, so that the variance of few pairs is never 0.
        let weights = self.n_pairs.map(|n| n as f64);
        let weight = |i: usize, n: f64| if i == 0 || i == 4 { n + 0.5 } else { n };
        let pairs = || weights.iter().enumerate().map(|(i, n)| (i as f64 / 4.0, weight(i, *n)));
        let n: f64 = pairs().map(|(_, n)| n).sum();
        let mean = pairs().map(|(share, n)| share * n).sum::<f64>() / n;
        let variance = pairs().map(|(share, n)| (share - mean).powi(2) * n).sum::<f64>() / n;
        n * (win_rate - 0.5) * (2.0 * mean - win_rate - 0.5) / (2.0 * variance)
    }
}

impl SequentialTest {
    /// Returns the verdict on the results so far.
    pub fn verdict(self, results: &PairResults) -> TestVerdict {
        let bound = ((1.0 - ERROR) / ERROR).ln();
        match results.log_likelihood_ratio(self.win_rate) {
            ratio if ratio >= bound => TestVerdict::Stronger,
            ratio if ratio <= -bound => TestVerdict::NotStronger,
            _ => TestVerdict::Open,
        }
    }
}

/// The number of pairs in the first batch of games. The test is checked after each batch.
const FIRST_BATCH: u64 = 8;

/// The result of the games of a sequential test.
#[derive(Clone, PartialEq, Debug)]
pub struct SequentialRun {
    /// The two players, with the report on their games.
    pub players: LadderPair,
    /// The results of the pairs of games, for the second player.
    pub pairs: PairResults,
    /// The verdict on the second player.
    pub verdict: TestVerdict,
}

/// Lets the first two players of `plan` play pairs of games, until the test of the second player is
/// decided or the games of the plan are used up. `progress` receives the number of games. A pair in
/// which a mod fails does not count.
///
/// # Errors
/// Returns the same errors as [`run`], and an error if the plan does not have two players.
pub fn run_sequential(
    factory: &dyn RulesFactory,
    plan: &Plan,
    test: SequentialTest,
    progress: &mut dyn FnMut(u64),
) -> Result<SequentialRun, PlanError> {
    let [weaker, stronger] = &plan.players[..] else {
        return Err(PlanError("a sequential test needs two players".to_owned()));
    };
    let plan =
        Plan { games_per_seed: 2, ..plan_of_pair(factory.catalogue(), plan, &[weaker.clone(), stronger.clone()]) };
    let (mut report, mut pairs) = (Report::new(&plan), PairResults::default());
    let mut verdict = TestVerdict::Open;
    while verdict == TestVerdict::Open && report.n_games + 2 <= plan.n_games {
        let n_before = report.n_games;
        // Long tests have larger batches, because each batch makes the rules again.
        let n_games = (2 * FIRST_BATCH).max(n_before / 8 / 2 * 2).min((plan.n_games - n_before) / 2 * 2);
        let batch = Plan { first_game: plan.first_game + n_before, n_games, ..plan.clone() };
        let mut first = None;
        let mut each = |game: &GameResult| {
            match first.take() {
                None => first = Some(half_wins(game)),
                Some(other) => {
                    if let Some((a, b)) = other.zip(half_wins(game)) {
                        pairs.add(a + b);
                    }
                }
            }
            true
        };
        report.merge(run(factory, &batch, Some(&mut each), &mut |n| progress(n_before + n))?);
        verdict = test.verdict(&pairs);
    }
    let players = LadderPair { weaker: weaker.name.to_string(), stronger: stronger.name.to_string(), report };
    Ok(SequentialRun { players, pairs, verdict })
}

/// Returns twice the number of wins of the second player in a game: 0, 1 or 2. `None` if the game
/// did not finish.
fn half_wins(game: &GameResult) -> Option<usize> {
    let is_of_second = |seat: usize| (seat + usize::from(game.rotated_by)) % 2 == 1;
    let (mut wins, mut losses) = (0, 0);
    game.winners().for_each(|seat| if is_of_second(seat) { wins = 1 } else { losses = 1 });
    (wins + losses > 0).then_some(1 + wins - losses)
}

#[cfg(test)]
mod tests {
    use players::Rng;

    use super::*;

    /// Returns the number of pairs after which the test is decided, and the verdict, for games that
    /// the bot wins with probability `percent` / 100.
    fn decided(seed: u64, percent: usize) -> (u64, TestVerdict) {
        let (mut rng, mut pairs) = (Rng::new(seed), PairResults::default());
        let test = SequentialTest { win_rate: 0.55 };
        loop {
            pairs.add([0, 0].map(|_| 2 * usize::from(rng.below(100) < percent)).into_iter().sum());
            match test.verdict(&pairs) {
                TestVerdict::Open => {}
                verdict => return (pairs.n_pairs(), verdict),
            }
        }
    }

    #[test]
    fn verdicts_are_wrong_in_at_most_one_of_twenty_tests() {
        for (percent, right) in [(50, TestVerdict::NotStronger), (55, TestVerdict::Stronger)] {
            let n_right = (0..1000).filter(|seed| decided(*seed, percent).1 == right).count();
            assert!(n_right >= 940, "{percent} %: {n_right}");
        }
    }

    #[test]
    fn clear_cases_are_decided_after_few_pairs() {
        let (n, verdict) = decided(1, 100);
        assert_eq!(verdict, TestVerdict::Stronger);
        assert!((4..20).contains(&n), "{n}");
        assert_eq!(decided(1, 0).1, TestVerdict::NotStronger);
        assert_eq!(SequentialTest { win_rate: 0.55 }.verdict(&PairResults::default()), TestVerdict::Open);
    }
}
