//! What answers have cost: how far they were behind the best one, by what a greedy bot thinks of both.

use std::borrow::Cow;

use players::{View, consider};
use rules::{Game, Seat, Status, Who, option_text, seen_by};

use crate::session::Session;
use crate::stop::stoppable;

/// What an answer of a player has cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Regret {
    /// Who gave it.
    pub seat: Seat,
    /// The best answer, as records hold it; the one that was given where none was better.
    pub best: String,
    /// How many points more it would have brought over the others, were the game over after the player's next choice; 0 and more.
    pub points: f64,
}

/// Returns what `answer` costs where `game` stands; nothing where no player chooses between answers there, where it is none of them, and where
/// something is hidden from the player, of which a better answer might tell.
pub fn regret(game: &Game, answer: &str) -> Option<Regret> {
    let Status::Decision(decision) = game.status() else { return None };
    let Who::Player(seat) = decision.who else { return None };
    let (rules, state) = (game.rules(), game.state());
    let Cow::Borrowed(_) = seen_by(rules, state, seat.into()) else { return None };
    let view = View { rules, state, decision };
    let text = |option: usize| {
        let choice = decision.nth(&rules.ruleset, state, option)?;
        Some(option_text(&rules.ruleset, state, decision, choice))
    };
    let thoughts = consider(&view);
    let given = thoughts.iter().find(|thought| text(thought.option).is_some_and(|text| text == answer))?;
    let best = thoughts.first()?;
    let points = best.lead - given.lead;
    let best = if points > 0.0 { text(best.option)? } else { answer.to_owned() };
    Some(Regret { seat, best, points })
}

impl Session {
    /// Returns what an answer of the line has cost, counted from 0; see [`regret`]. The line is played once more up to it.
    pub fn regret(&self, step: usize) -> Option<Regret> {
        let now = self.game();
        if let Cow::Owned(_) = seen_by(now.rules(), now.state(), self.viewers) {
            return None;
        }
        let rules = stoppable(now.rules(), self.hurry());
        let mut game = Game::from_position(rules, now.setup().clone(), now.start().clone());
        let (given, before) = (self.whole_line.get(step)?, self.whole_line.get(..step)?);
        for answer in before {
            game.answer(answer.answer).ok()?;
        }
        regret(&game, &given.text)
    }
}
