//! The ladder of skill: better players against simpler ones, and what their wins say of luck.

use rules::RulesFactory;

use crate::interval::Interval;
use crate::plan::{Plan, PlanError};
use crate::run::run;
use crate::stats::Report;

/// A player against the one before it.
#[derive(Clone, PartialEq, Debug)]
pub struct Rung {
    /// The simpler player.
    pub weaker: &'static str,
    /// The better one.
    pub stronger: &'static str,
    /// What share of the games the better one wins, from 0 to 1; more than two seats are played by both in turn.
    pub share: f64,
    /// The interval of that share.
    pub interval: Interval,
    /// Its games.
    pub report: Report,
}

impl Rung {
    /// Returns what it says of skill and luck, in a sentence.
    pub fn verdict(&self) -> &'static str {
        match self.interval {
            Interval { low, .. } if low > 0.9 => "skill decides nearly every game",
            Interval { low, .. } if low > 0.7 => "skill decides most games",
            Interval { low, .. } if low > 0.5 => "skill tells, and luck has much to say",
            Interval { high, .. } if high < 0.5 => "playing this way does worse here",
            _ => "no more than luck can be told by so many games",
        }
    }
}

/// Plays each of the players in `plan` against the one before it, on as many seats, all of them moving on from game to game.
///
/// # Errors
/// As [`run`].
pub fn ladder(
    factory: &dyn RulesFactory,
    plan: &Plan,
    level: f64,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<Rung>, PlanError> {
    let mut n_before = 0;
    let rungs = plan.players.windows(2).filter_map(|pair| if let [a, b] = pair { Some((*a, *b)) } else { None });
    let play = |(weaker, stronger): (players::PlayerInfo, players::PlayerInfo)| {
        let n = plan.setup.players.len();
        let bots = (0..n).map(|seat| if seat % 2 == 0 { weaker } else { stronger }).collect();
        let of_rung = Plan { players: bots, rotates: true, ..plan.clone() };
        let report = run(factory, &of_rung, None, &mut |n| progress(n_before + n))?;
        n_before += of_rung.n_games;
        let standings = report.players();
        let better = standings.iter().skip(1).step_by(2);
        let (wins, n_games) = (better.map(|it| it.wins()).sum::<f64>(), standings.first().map_or(0, |it| it.n_games()));
        let interval = crate::interval::share_interval(wins, n_games, level);
        let share = wins / n_games.max(1) as f64;
        Ok(Rung { weaker: weaker.name, stronger: stronger.name, share, interval, report })
    };
    rungs.map(play).collect()
}
