//! Steps: one answer of a line with its effects, for logs and time bars.

use std::sync::Arc;

use board::Spot;
use rules::{Answer, Award, Game, Seat, SeatSet, Who, option_text};

use crate::view::GameView;

/// An answer of the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The actor that gave it.
    pub who: Who,
    /// The answer, under the rules it was given under.
    pub answer: Answer,
    /// Its stable text, as in the record; see [`Snapshot::line`](crate::Snapshot::line) for hidden
    /// answers.
    pub text: String,
    /// The players who may see it: all, once it was revealed.
    pub seen_by: SeatSet,
    /// True if it was secret when it was given.
    pub is_secret: bool,
    /// Its turn, from 1; 0 before the first turn.
    pub turn: u32,
    /// The player of the turn.
    pub player: Seat,
    /// The spot of the tile it placed.
    pub laid: Option<Spot>,
    /// The scores after it.
    pub scores: Vec<i64>,
    /// The awards it caused.
    pub awards: Vec<Arc<Award>>,
    /// The notes of mods it caused.
    pub notes: Vec<Arc<str>>,
    /// The lines that scripts printed during it.
    pub printed: Vec<Arc<str>>,
    /// True if it started the final count.
    pub ends: bool,
}

impl Step {
    /// Returns the step as seen by `viewers`: anything hidden from any of them is redacted.
    pub(crate) fn seen(self: &Arc<Step>, viewers: SeatSet) -> Arc<Step> {
        if self.seen_by.includes(viewers) {
            return self.clone();
        }
        // A secret draw still counts as a draw.
        let text = if self.who == Who::Chance { "draw (hidden)" } else { "(hidden)" };
        Arc::new(Step { answer: Answer::Pass, text: text.to_owned(), printed: Vec::new(), ..Step::clone(self) })
    }
}

/// Marks the answers that everyone may see, now that `game` has reached the end of the line.
pub(crate) fn reveal(line: &mut [Arc<Step>], game: &Game) {
    for (n, step) in (0..).zip(line).filter(|(_, step)| step.seen_by != SeatSet::ALL) {
        if game.state().shows_answer(n, SeatSet::ALL) {
            Arc::make_mut(step).seen_by = SeatSet::ALL;
        }
    }
}

/// A step under construction: everything known before the answer is given.
pub(crate) struct PendingStep {
    step: Step,
    n_awards: usize,
    n_notes: usize,
    /// Lines printed earlier that were not taken yet.
    printed_before: Vec<String>,
}

impl PendingStep {
    /// Prepares the step for `answer`, which is about to be given in `game`. `None` if there is no
    /// decision.
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

    /// Completes the step after `game` has processed the answer.
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

/// Returns the answers of a game with their effects, by replaying it.
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
