//! The interface of bots, which answer decisions of any mod.

use std::rc::Rc;

use rules::{Decision, Fault, Game, Rules, Seat, State};

/// Answers the decisions of one seat.
pub trait Player {
    /// Resets the player before a game or before a single choice. The player forgets earlier
    /// choices. The player's random choices follow from `seed`, which is independent of the draws.
    fn reset(&mut self, seed: u64) {
        let _ = seed;
    }

    /// Returns the number of the chosen option: an index into [`Decision::options`], which always
    /// contains an option.
    fn choose(&mut self, view: &View<'_>) -> usize;

    /// Offers the player the history of the game (the answers so far) before a choice and at the
    /// end of the game. Only players that run as separate programs need the history.
    fn observe_history(&mut self, _history: &dyn Fn() -> AnswerHistory) {}

    /// Removes and returns the reason why the player could not choose, such as a program that ended
    /// or gave no valid answer in time. If there is a reason, callers must ignore the number that
    /// [`Player::choose`] returned. Returns `None` if the player has chosen.
    fn take_failure(&mut self) -> Option<String> {
        None
    }

    /// Tells the player that the game is over, with the final state.
    fn notify_game_over(&mut self, _state: &State) {}

    /// Removes and returns the first fault that a mod caused while the player chose: in a `hint`,
    /// or in an answer that the player only tried. Such a fault does not affect the game. Returns
    /// `None` if there was no fault.
    fn take_fault(&mut self) -> Option<Box<Fault>> {
        None
    }

    /// Returns the options considered for the last choice: the chosen option first, then the other
    /// options, the most promising first. If the player has solved the end of the game, the list
    /// lacks options whose exact result is unknown because they cannot be better. Returns an empty
    /// list if the player does not assess options.
    fn move_statistics(&self) -> &[OptionAssessment] {
        &[]
    }

    /// Sets a function that the player calls repeatedly while it chooses. When the function returns
    /// true, the player chooses the best option so far. Fast players ignore the function.
    fn set_stop(&mut self, stops: Rc<dyn Fn() -> bool>) {
        let _ = stops;
    }
}

/// The history of a game: the answers so far, as the player to move knows them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnswerHistory {
    /// The name of the player who begins; `None` if the first player begins.
    pub begins: Option<String>,
    /// The texts of all answers, including those of chance; `None` for a hidden answer.
    pub answers: Vec<Option<String>>,
    /// True if the game began at a position that its record gives, so that the answers alone do not
    /// determine the game.
    pub has_position: bool,
}

impl AnswerHistory {
    /// Returns the history of `game` as `seat` knows it.
    pub fn of(game: &Game, seat: Seat) -> AnswerHistory {
        let (setup, state) = (game.setup(), game.state());
        let seen = |(n, text): (u32, String)| state.shows_answer(n, seat.into()).then_some(text);
        AnswerHistory {
            begins: setup.begins.clone(),
            answers: (0..).zip(game.log_texts()).map(seen).collect(),
            has_position: !setup.position.is_empty(),
        }
    }
}

/// A player's assessment of an option.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OptionAssessment {
    /// The option, numbered as in [`Player::choose`].
    pub option: usize,
    /// The number of simulations that began with the option; 0 for a player that runs none, and if
    /// the player has solved the end of the game.
    pub n_simulations: u32,
    /// The player's estimated lead over the others in points, including a value for pieces in
    /// supply. For a player that runs simulations, the average over all simulations; for other
    /// players, the lead right after the option. If the player has solved the end of the game, the
    /// expected lead at the end.
    pub lead: f64,
    /// The expected result, from 0 (lost) to 1 (won): the average over the simulations, or the
    /// exact result if the player has solved the end of the game. `None` for a player that does
    /// neither.
    pub chance: Option<f64>,
}

/// A player's view: everything that the seat may know, and the rules. The view contains neither the
/// seed nor the order of any deck. If the state comes from [`rules::redacted_for`] for the seat,
/// the view contains no secrets of other players either.
pub struct View<'g> {
    /// The rules of the game, which the player needs to try options.
    pub rules: &'g Rc<Rules>,
    /// The state at the decision. While a function of a mod asks the question, [`State::view`] also
    /// contains the effects of that function so far.
    pub state: &'g State,
    /// The question with its options.
    pub decision: &'g Decision,
}
