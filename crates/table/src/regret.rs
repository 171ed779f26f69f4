//! Regret: the points that an answer loses against the best answer, as judged by the greedy bot.

use std::borrow::Cow;

use players::{View, rank_options};
use rules::{Actor, Game, Seat, Status, option_text, redacted_for};

use crate::session::Session;
use crate::stop_flag::stoppable;

/// The points that a player's answer loses compared to the best answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Regret {
    /// The player.
    pub seat: Seat,
    /// The stable text of the best answer; the given answer if no answer was better.
    pub best: String,
    /// The player's lead after the best answer minus the lead after the given answer, in points, as
    /// the greedy bot judges them; at least 0.
    pub points: f64,
}

/// Returns the points that `answer` loses in `game` against the best answer. `None` if no player is
/// to move or `answer` is not offered. Also `None` if anything is hidden from the player, because
/// the best answer might reveal hidden information.
pub fn regret(game: &Game, answer: &str) -> Option<Regret> {
    let Status::Decision(decision) = game.status() else { return None };
    let Actor::Player(seat) = decision.who else { return None };
    let (rules, state) = (game.rules(), game.state());
    let Cow::Borrowed(_) = redacted_for(rules, state, seat.into()) else { return None };
    let view = View { rules, state, decision };
    let text = |option: usize| {
        let choice = decision.nth(&rules.ruleset, state, option)?;
        Some(option_text(&rules.ruleset, state, decision, choice))
    };
    let thoughts = rank_options(&view);
    let given = thoughts.iter().find(|thought| text(thought.option).is_some_and(|text| text == answer))?;
    let best = thoughts.first()?;
    let points = best.lead - given.lead;
    let best = if points > 0.0 { text(best.option)? } else { answer.to_owned() };
    Some(Regret { seat, best, points })
}

impl Session {
    /// Returns the points that answer number `step` of the game, counted from 0, loses against the
    /// best answer; see [`regret`]. Replays the game up to this answer. `None` in the same cases as
    /// [`regret`], and if anything is hidden from the viewers at the current position.
    pub fn regret(&self, step: usize) -> Option<Regret> {
        let now = self.game();
        if self.hides_from_viewers(now) {
            return None;
        }
        let rules = stoppable(now.rules(), self.hurry_flag());
        let mut game = Game::from_position(rules, now.setup().clone(), now.start().clone());
        let (given, before) = (self.whole_line.get(step)?, self.whole_line.get(..step)?);
        for answer in before {
            game.answer(answer.answer).ok()?;
        }
        if step >= self.position_index() {
            // An answer after the current position may be secret, although nothing is hidden at
            // this position.
            let mut after = game.clone();
            after.answer(given.answer).ok()?;
            if self.hides_from_viewers(&after) {
                return None;
            }
        }
        regret(&game, &given.text)
    }
}
