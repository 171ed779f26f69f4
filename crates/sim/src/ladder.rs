//! The skill ladder: games of stronger bots against weaker bots, which show the roles of skill and
//! luck.
//!
//! The same types also hold games of a bot against itself with forbidden options (see
//! [`option_plans`](crate::option_plans)).

use players::{BotInfo, player_named};
use rules::{Catalogue, RulesFactory, Setup};
use serde::{Deserialize, Serialize};

use crate::interval::{Interval, level_of_each, win_rate_interval};
use crate::plan::{Plan, PlanError};
use crate::run::run;
use crate::stats::Report;
use crate::tally::OptionUse;

/// The players of a ladder if the user names fewer than two different players. Stronger bots, with
/// more simulations, would take hours.
const DEFAULT_PLAYERS: [&str; 3] = ["random", "greedy", "search:100"];

/// The number of simulations of the weakest bot in a curve of strength.
const FIRST_SIMULATIONS: u32 = 25;
/// The win rate from which on a doubling of simulations counts as worth it.
const WORTH_IT: f64 = 0.55;
/// The part of choices above which an option counts as always taken.
const ALWAYS_TAKEN: f64 = 0.9;
/// The win rate below which an option counts as hardly of use.
const USELESS: f64 = 0.55;

/// The results of games between bots of increasing strength, each against the next weaker bot, or
/// of a bot against itself with forbidden options (see [`option_plans`](crate::option_plans)).
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Ladder {
    /// The pairs of players, weakest pair first.
    pub rungs: Vec<LadderPair>,
}

/// The results of the games between two players.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LadderPair {
    /// The name of the player that is expected to be weaker.
    pub weaker: String,
    /// The name of the player that is expected to be stronger.
    pub stronger: String,
    /// The report on the games between both players.
    pub report: Report,
}

impl LadderPair {
    /// Returns the wins of the stronger player, and the number of finished games. Each player has
    /// half of the seats, and a win at any of its seats counts.
    fn wins(&self) -> (f64, u64) {
        let standings = self.report.players();
        let better = standings.iter().skip(1).step_by(2);
        (better.map(|it| it.wins()).sum(), standings.first().map_or(0, |it| it.n_games()))
    }

    /// Returns the win rate of the stronger player, from 0 to 1.
    pub fn win_rate(&self) -> f64 {
        let (wins, n_games) = self.wins();
        wins / n_games.max(1) as f64
    }

    /// Returns the interval of the stronger player's win rate at confidence `level`.
    pub fn interval(&self, level: f64) -> Interval {
        let (wins, n_games) = self.wins();
        win_rate_interval(wins, n_games, level)
    }

    /// Returns the pattern of the options that the weaker player must not choose, if this is the
    /// only difference between the players; otherwise `None`.
    pub fn forbidden(&self) -> Option<&str> {
        self.weaker.strip_prefix(&*self.stronger)?.strip_prefix('!')
    }

    /// Returns the pattern of [`forbidden`](LadderPair::forbidden) in words, such as
    /// `deploy field`, if there is one.
    pub(crate) fn forbidden_words(&self) -> Option<String> {
        Some(self.forbidden()?.replace([':', '!'], " "))
    }

    /// Returns how often the stronger player chose a forbidden option of the weaker one, as a
    /// fraction of the decisions in which it had the choice, and the interval at confidence
    /// `level`. `None` if there was no such decision.
    pub fn taken(&self, level: f64) -> Option<(f64, Interval)> {
        let mut sum = OptionUse::default();
        self.report.option_uses.iter().skip(1).step_by(2).for_each(|uses| sum.merge(*uses));
        let OptionUse { n_offered, n_taken } = sum;
        let n = n_taken as f64;
        (n_offered > 0).then(|| (n / n_offered as f64, win_rate_interval(n, n_offered, level)))
    }

    /// Returns whether both players are searches, and the stronger one runs twice as many
    /// simulations.
    fn is_doubling(&self) -> bool {
        let n = |name: &str| name.strip_prefix("search:").and_then(|n| n.parse::<u32>().ok());
        n(&self.weaker).zip(n(&self.stronger)).is_some_and(|(weaker, stronger)| stronger == 2 * weaker)
    }

    /// Returns the mean score of the stronger player minus the mean score of the weaker player.
    pub fn lead(&self) -> f64 {
        let standings = self.report.players();
        let sum = |first: usize| standings.iter().skip(first).step_by(2).map(|it| it.mean()).sum::<f64>();
        2.0 * (sum(1) - sum(0)) / standings.len().max(1) as f64
    }

    /// Returns a phrase about skill and luck or, if options are forbidden, about their worth.
    pub fn verdict(&self, level: f64) -> &'static str {
        if self.forbidden().is_some() {
            let is_always_taken = self.taken(level).is_some_and(|(_, it)| it.low > ALWAYS_TAKEN);
            return match self.interval(level) {
                Interval { low, .. } if low > 0.7 && is_always_taken => "dominant: nearly always the best choice",
                Interval { low, .. } if low > 0.7 => "without it, a bot loses most games",
                Interval { low, .. } if low > 0.5 => "worth having",
                Interval { high, .. } if high < 0.5 => "a bot does better without it",
                Interval { high, .. } if high < USELESS => "hardly of use: at most 5% more wins with it",
                _ => "no significant difference in this many games",
            };
        }
        if self.is_doubling() {
            return match self.interval(level) {
                Interval { low, .. } if low > 0.5 => "stronger",
                Interval { high, .. } if high < 0.5 => "weaker",
                _ => "no significant difference in this many games",
            };
        }
        match self.interval(level) {
            Interval { low, .. } if low > 0.9 => "skill decides nearly every game",
            Interval { low, .. } if low > 0.7 => "skill decides most games",
            Interval { low, .. } if low > 0.5 => "skill matters, and luck too",
            Interval { high, .. } if high < 0.5 => "this bot does worse here",
            _ => "no significant difference in this many games",
        }
    }
}

impl Ladder {
    /// Returns the confidence level for the interval of one pair, so that the intervals of all
    /// pairs together are correct with confidence `level` (Bonferroni correction).
    pub fn pair_level(&self, level: f64) -> f64 {
        level_of_each(level, self.rungs.len())
    }

    /// Returns whether the pairs form a curve of strength ([`strength_plans`]).
    pub fn is_strength(&self) -> bool {
        !self.rungs.is_empty() && self.rungs.iter().all(LadderPair::is_doubling)
    }

    /// Describes the depth of the game in a sentence, for a curve of strength. The sentence says
    /// how many doublings of simulations win at least 55% of their games, and how many certainly
    /// win more than half. `level` is the confidence level of all intervals together.
    pub fn depth_text(&self, level: f64) -> String {
        let level = self.pair_level(level);
        let n_worth = self.rungs.iter().filter(|rung| rung.win_rate() >= WORTH_IT).count();
        let n_sure = self.rungs.iter().filter(|rung| rung.interval(level).low > 0.5).count();
        let n = self.rungs.len();
        format!(
            "Depth: {n_worth} of {n} doublings win at least 55% of their games, {n_sure} significantly more than half."
        )
    }

    /// Adds the results of other games between the same pairs of players.
    pub fn merge(&mut self, other: Ladder) {
        for (rung, more) in self.rungs.iter_mut().zip(other.rungs) {
            rung.report.merge(more.report);
        }
    }
}

/// Returns the plans of a ladder: each of the different players of `plan` plays against the player
/// before it. If `plan` has fewer than two different players, uses a default list of bots, from
/// weak to strong.
pub fn ladder_plans(catalogue: &Catalogue, plan: &Plan) -> Vec<Plan> {
    let mut climbers: Vec<BotInfo> = Vec::new();
    for player in &plan.players {
        if climbers.iter().all(|other| other.name != player.name) {
            climbers.push(player.clone());
        }
    }
    if climbers.len() < 2 {
        climbers = DEFAULT_PLAYERS.iter().filter_map(|name| player_named(name)).collect();
    }
    climbers.windows(2).map(|pair| plan_of_pair(catalogue, plan, pair)).collect()
}

/// Returns the plans of a curve of strength: `search:50` plays against `search:25`, `search:100`
/// against `search:50`, and so on up to at most `max_simulations` simulations. In a deep game, each
/// doubling of simulations wins clearly more than half of the games.
pub fn strength_plans(catalogue: &Catalogue, plan: &Plan, max_simulations: u32) -> Vec<Plan> {
    let doubled = |n: &u32| n.checked_mul(2);
    let counts = std::iter::successors(Some(FIRST_SIMULATIONS), doubled).take_while(|n| *n <= max_simulations);
    let bots: Vec<BotInfo> = counts.filter_map(|n| player_named(&format!("search:{n}"))).collect();
    bots.windows(2).map(|pair| plan_of_pair(catalogue, plan, pair)).collect()
}

/// Plans games between the two players of `pair`; the first is the weaker player. Both players have
/// the same number of seats, and all players move by one seat after each game.
pub(crate) fn plan_of_pair(catalogue: &Catalogue, plan: &Plan, pair: &[BotInfo]) -> Plan {
    // The smallest number of seats that two players can share equally.
    let n_seats = usize::from(catalogue.n_players.0).max(2).next_multiple_of(2);
    let ids: Vec<&str> = plan.setup.mods.iter().map(|it| it.id.as_str()).collect();
    let setup = Setup { settings: plan.setup.settings.clone(), ..Setup::of(&ids, n_seats) };
    let players = pair.iter().cycle().take(n_seats).cloned().collect();
    Plan { setup, players, rotates: true, ..plan.clone() }
}

/// Plays the games of the plans that [`ladder_plans`] or [`option_plans`](crate::option_plans) has
/// made.
///
/// # Errors
/// Returns the same errors as [`run`].
pub fn play_ladder(
    factory: &dyn RulesFactory,
    rungs: &[Plan],
    progress: &mut dyn FnMut(u64),
) -> Result<Ladder, PlanError> {
    let mut n_before = 0;
    let play = |plan: &Plan| {
        let name = |seat: usize| plan.players.get(seat).map(|player| player.name.to_string()).unwrap_or_default();
        let report = run(factory, plan, None, &mut |n| progress(n_before + n))?;
        n_before += plan.n_games;
        Ok(LadderPair { weaker: name(0), stronger: name(1), report })
    };
    Ok(Ladder { rungs: rungs.iter().map(play).collect::<Result<_, PlanError>>()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::GameResult;

    /// Returns the results of 400 games, of which the stronger player wins `n_wins`.
    fn pair(weaker: &str, stronger: &str, n_wins: u64) -> LadderPair {
        let players = [weaker, stronger].map(|name| player_named(name).unwrap()).to_vec();
        let plan = Plan { rotates: true, ..Plan::new(Setup::of(&[], 2), Vec::new(), players, 400) };
        let mut report = Report::new(&plan);
        for number in 0..400 {
            let rotated_by = plan.rotation(number) as u8;
            let wins = [i64::from(number >= n_wins), i64::from(number < n_wins)];
            let scores = if rotated_by == 0 { wins.to_vec() } else { vec![wins[1], wins[0]] };
            report.add(&GameResult { number, rotated_by, scores, ..GameResult::default() });
        }
        LadderPair { weaker: weaker.to_owned(), stronger: stronger.to_owned(), report }
    }

    #[test]
    fn depth_counts_the_doublings_that_win_more() {
        let of = |n_wins: [u64; 3]| {
            let names = ["search:25", "search:50", "search:100", "search:200"];
            Ladder { rungs: names.windows(2).zip(n_wins).map(|(it, n)| pair(it[0], it[1], n)).collect() }
        };
        let deep = of([260, 240, 225]);
        assert!(deep.is_strength());
        let text = |n: u64, n_sure: u64| {
            format!("Depth: {n} of 3 doublings win at least 55% of their games, {n_sure} significantly more than half.")
        };
        assert_eq!(deep.depth_text(0.95), text(3, 3));
        // 55.5% of 400 games are significant alone, but not as one of three pairs.
        let shallow = of([260, 222, 190]);
        assert_eq!(shallow.depth_text(0.95), text(2, 1));
        assert!(shallow.rungs[1].interval(0.95).low > 0.5);
        let verdicts = shallow.rungs.iter().map(|rung| rung.verdict(shallow.pair_level(0.95)));
        let unclear = "no significant difference in this many games";
        assert_eq!(verdicts.collect::<Vec<_>>(), ["stronger", unclear, unclear]);
        let bots = Ladder { rungs: vec![pair("random", "greedy", 400)] };
        assert!(!bots.is_strength());
    }
}
