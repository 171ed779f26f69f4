//! One answer of a line with what came of it, as logs and time bars show it.

use std::sync::Arc;

use board::Spot;
use rules::{Answer, Award, Game, Seat, SeatSet, Who, option_text};

use crate::view::GameView;

/// An answer of the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Who gave it.
    pub who: Who,
    /// The answer, as the rules it was given under know it.
    pub answer: Answer,
    /// Its stable text, as the record holds it; see [`Snapshot::line`](crate::Snapshot::line) for what is hidden.
    pub text: String,
    /// Who may see it: everybody, once it was shown.
    pub seen_by: SeatSet,
    /// Whether not everybody might see it when it was given.
    pub is_secret: bool,
    /// The turn in which it was given, from 1; 0 before the first turn.
    pub turn: u32,
    /// Whose turn it was.
    pub player: Seat,
    /// Where a tile was laid by it.
    pub laid: Option<Spot>,
    /// The scores after it.
    pub scores: Vec<i64>,
    /// What was booked because of it.
    pub awards: Vec<Arc<Award>>,
    /// What mods noted because of it.
    pub notes: Vec<Arc<str>>,
    /// What scripts printed because of it.
    pub printed: Vec<Arc<str>>,
    /// Whether the game went into the final count by it.
    pub ends: bool,
}

impl Step {
    /// Returns the step as it is for `viewers`: of what one of them may not see it says only that there is something.
    pub(crate) fn seen(self: &Arc<Step>, viewers: SeatSet) -> Arc<Step> {
        if self.seen_by.includes(viewers) {
            return self.clone();
        }
        // What is drawn in secret is drawn all the same.
        let text = if self.who == Who::Chance { "draw (hidden)" } else { "(hidden)" };
        Arc::new(Step { answer: Answer::Pass, text: text.to_owned(), printed: Vec::new(), ..Step::clone(self) })
    }
}

/// Notes which answers everybody may see, now that `game` has come to the end of the line.
pub(crate) fn reveal(line: &mut [Arc<Step>], game: &Game) {
    for (n, step) in (0..).zip(line).filter(|(_, step)| step.seen_by != SeatSet::ALL) {
        if game.state().shows_answer(n, SeatSet::ALL) {
            Arc::make_mut(step).seen_by = SeatSet::ALL;
        }
    }
}

/// A step in the making: what is known before the answer is given.
pub(crate) struct PendingStep {
    step: Step,
    n_awards: usize,
    n_notes: usize,
    /// What was printed before and is still to be taken.
    printed_before: Vec<String>,
}

impl PendingStep {
    /// Says what `answer`, about to be given in `game`, is called and where it stands. `None` where nothing is asked.
    pub(crate) fn new(game: &Game, answer: Answer) -> Option<PendingStep> {
        let state = game.state();
        let decision = state.decision()?;
        let text = option_text(&game.rules().ruleset, state, decision, answer);
        let laid = if let Answer::Place(place) = answer { Some(place.spot) } else { None };
        let (scores, awards, notes) = (Vec::new(), Vec::new(), Vec::new());
        let (turn, player) = (state.turn().map_or(0, |t| t.number), state.player());
        let (who, seen_by) = (decision.who, decision.answer_seen_by(answer));
        let step = Step {
            who,
            answer,
            text,
            seen_by,
            is_secret: seen_by != SeatSet::ALL,
            turn,
            player,
            laid,
            scores,
            awards,
            notes,
            printed: Vec::new(),
            ends: false,
        };
        let printed_before = game.rules().hooks.take_lines();
        Some(PendingStep { step, n_awards: state.awards().len(), n_notes: state.notes().len(), printed_before })
    }

    pub(crate) fn text(&self) -> &str {
        &self.step.text
    }

    /// Returns the step, now that `game` has gone on.
    pub(crate) fn after(self, game: &Game) -> Step {
        let state = game.state();
        let PendingStep { mut step, n_awards, n_notes, printed_before } = self;
        let hooks = &game.rules().hooks;
        let printed = hooks.take_lines();
        // Whoever takes all lines gets them all the same.
        printed_before.iter().chain(&printed).for_each(|line| hooks.print(line));
        step.printed = printed.into_iter().map(Arc::from).collect();
        step.scores = GameView::of(game).scores();
        step.awards = state.awards().get(n_awards..).unwrap_or_default().to_vec();
        step.notes = state.notes().get(n_notes..).unwrap_or_default().iter().map(|(_, text)| text.clone()).collect();
        step.ends = state.is_over();
        step
    }
}

/// Returns the answers of a game with what came of each, found by playing it once more.
pub(crate) fn steps_of(game: &Game) -> Vec<Arc<Step>> {
    let mut again = Game::from_position(game.rules().clone(), game.setup().clone(), game.start().clone());
    let mut steps = Vec::with_capacity(game.log().len());
    for answer in game.log() {
        let Some(pending) = PendingStep::new(&again, *answer) else { break };
        if again.answer(*answer).is_err() {
            break;
        }
        steps.push(Arc::new(pending.after(&again)));
    }
    reveal(&mut steps, &again);
    steps
}
