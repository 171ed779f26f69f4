//! The skill ladder: games of stronger bots against weaker bots, which show the roles of skill and
//! luck.
//!
//! The same types also hold games of a bot against itself with forbidden options (see
//! [`option_plans`](crate::option_plans)).

use players::{BotInfo, player_named};
use rules::{Catalogue, RulesFactory, Setup};
use serde::{Deserialize, Serialize};

use crate::interval::{Interval, win_rate_interval};
use crate::plan::{Plan, PlanError};
use crate::run::run;
use crate::stats::Report;

/// The players of a ladder if the user names fewer than two different players. Stronger bots, with
/// more simulations, would take hours.
const DEFAULT_PLAYERS: [&str; 3] = ["random", "greedy", "search:100"];

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
    /// `deploy field`.
    pub fn forbidden_words(&self) -> Option<String> {
        Some(self.forbidden()?.replace([':', '!'], " "))
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
            return match self.interval(level) {
                Interval { low, .. } if low > 0.7 => "without it, a bot loses most games",
                Interval { low, .. } if low > 0.5 => "worth having",
                Interval { high, .. } if high < 0.5 => "a bot does better without it",
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
    /// Returns the confidence level for the interval of one pair. For a ladder of bots, this is
    /// `level`. If the pairs measure forbidden options, the level is higher, so that the intervals
    /// of all pairs together are correct with confidence `level` (Bonferroni correction).
    pub fn pair_level(&self, level: f64) -> f64 {
        let n = self.rungs.iter().filter(|rung| rung.forbidden().is_some()).count();
        1.0 - (1.0 - level) / n.max(1) as f64
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
