//! The time that players spend on their choices.

use platform::time::Duration;
use serde::{Deserialize, Serialize};

use crate::plan::Plan;

/// The time that a player has spent on its choices, at all its seats.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ThinkingTime {
    /// The name of the player.
    pub player: String,
    /// The number of choices.
    pub n_choices: u64,
    /// The total time of these choices.
    pub took: Duration,
}

impl ThinkingTime {
    /// Returns an empty entry for each player of `plan`. Returns no entries if all players are bots
    /// with the same name, because measuring would slow down fast bots.
    pub(crate) fn of_plan(plan: &Plan) -> Vec<ThinkingTime> {
        let n_players = if plan.has_different_players() { plan.players.len() } else { 0 };
        let time_of = |n| ThinkingTime { player: plan.player_label(n), n_choices: 0, took: Duration::ZERO };
        (0..n_players).map(time_of).collect()
    }

    /// Adds a choice that took `took`.
    pub(crate) fn add(&mut self, took: Duration) {
        self.n_choices += 1;
        self.took += took;
    }

    /// Adds the choices of other games.
    pub(crate) fn merge(&mut self, other: &ThinkingTime) {
        self.n_choices += other.n_choices;
        self.took += other.took;
    }

    /// Returns the mean time of a choice; zero if there were no choices.
    pub fn mean(&self) -> Duration {
        self.took.checked_div(u32::try_from(self.n_choices).unwrap_or(u32::MAX)).unwrap_or_default()
    }
}
