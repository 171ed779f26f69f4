//! The end of a game: the time of the end, the final count and the winners.

use crate::call::Rules;
use crate::effect_error::EffectError;
use crate::event::RuleEvent;
use crate::fault::Fault;
use crate::hooks::{Hook, HookClass};
use crate::indices::ModIdx;
use crate::invoke::{call_read_only, flush_queue, replace, returned_players};
use crate::position::{Ending, Position};
use crate::scoring::{self, AwardConflict, log_conflict};
use crate::seat_set::SeatSet;
use crate::state::{EngineState, State};
use crate::step::{EngineStep, FinalStage, ScoringBatch};
use crate::value::Value;

impl Position {
    /// Returns the winners: the players that mods have named, or else those with the most points
    /// booked so far.
    pub fn winners(&self) -> SeatSet {
        self.named_winners().unwrap_or_else(|| {
            let most = self.seats().map(|seat| self.score(seat)).max();
            self.seats().filter(|seat| Some(self.score(*seat)) == most).collect()
        })
    }

    /// Returns the winners that mods have named at the end of the game; `None` if no mod has named
    /// winners.
    pub fn named_winners(&self) -> Option<SeatSet> {
        self.named_winners
    }
}

impl State {
    /// Ends the game after the turn or, if `now` is true, after the consequences of the running
    /// step.
    ///
    /// # Errors
    /// Returns an error if no turn has begun yet.
    pub fn end_game(&mut self, now: bool) -> Result<(), EffectError> {
        if self.turn.is_none() {
            return Err(EffectError::NoTurnToEnd);
        }
        let ending = if now { Ending::Now } else { Ending::AfterTurn };
        self.ending = self.ending.max(Some(ending));
        Ok(())
    }

    /// Returns whether the game ends before the next step. True if a mod has ended the game at once
    /// and the next step belongs to the turn, not to an event, an option or a scoring.
    pub(crate) fn ends_before_next_step(&self) -> bool {
        let goes_on = |step: &EngineStep| {
            matches!(
                step,
                EngineStep::Event { .. } | EngineStep::Call { .. } | EngineStep::Batch(_) | EngineStep::Final(_)
            )
        };
        self.ending == Some(Ending::Now) && !self.machine.agenda.last().is_none_or(goes_on)
    }
}

/// Goes to a stage of the final count at once. Running parts of the turn stay open, because
/// features that these parts have completed but not scored also pay.
pub(crate) fn go_to_final(state: &mut State, stage: FinalStage) {
    let EngineState { agenda, answers, is_waiting, view, .. } = &mut state.machine;
    (*is_waiting, *view) = (false, None);
    answers.clear();
    agenda.retain(|step| matches!(step, EngineStep::Phase { .. } | EngineStep::EndPart | EngineStep::ClosePart));
    agenda.push(EngineStep::Final(stage));
}

/// Ends the game at once, even in the middle of a turn.
pub(crate) fn end_now(rules: &Rules, state: &mut State) {
    go_to_final(state, FinalStage::Features);
    queue_before_final(rules, state);
}

/// Ends the game after a turn: replaces the step that closes the turn with the final count.
pub(crate) fn end_after_turn(rules: &Rules, state: &mut State) {
    replace(state, EngineStep::Final(FinalStage::Features));
    queue_before_final(rules, state);
}

/// Queues the functions `before_final_scoring` of mods, so that they run before the final count.
fn queue_before_final(rules: &Rules, state: &mut State) {
    state.ending = None;
    state.emit(&rules.ruleset, Hook::BeforeFinalScoring, || RuleEvent::BeforeFinalScoring);
    flush_queue(state);
}

/// Runs a stage of the final count.
#[inline(never)]
pub(crate) fn run_final(rules: &Rules, state: &mut State, stage: FinalStage) -> Result<(), Box<Fault>> {
    match stage {
        FinalStage::Features => {
            state.is_final = true;
            let features = scoring::features_at_end(rules, state)?;
            replace(state, EngineStep::Final(FinalStage::Functions));
            if !features.is_empty() {
                state.machine.agenda.push(EngineStep::Batch(Box::new(ScoringBatch::of_features(features, true))));
            }
        }
        FinalStage::Functions => {
            replace(state, EngineStep::Final(FinalStage::Winners));
            state.emit(&rules.ruleset, Hook::FinalScoring, || RuleEvent::FinalScoring);
            flush_queue(state);
        }
        FinalStage::Winners => {
            state.named_winners = name_winners(rules, state)?;
            state.machine.agenda.clear();
            state.is_over = true;
        }
    }
    Ok(())
}

/// Lets mods name the winners, in mod order. Each function receives the winners named so far; the
/// first function receives the players with the most points. Returns `None` if no mod names
/// winners.
fn name_winners(rules: &Rules, state: &mut State) -> Result<Option<SeatSet>, Box<Fault>> {
    let mut named: Option<(SeatSet, ModIdx)> = None;
    for handler in rules.catalogue().handlers(Hook::GameWinners) {
        let so_far = named.map_or_else(|| state.winners(), |(seats, _)| seats);
        let args = [Value::list(so_far.seats().map(Value::Player))];
        let value = call_read_only(rules, state, handler.function, &args, HookClass::Pure)?;
        if value == Value::Unit {
            continue;
        }
        let seats = returned_players(rules, state, Hook::GameWinners, handler, &value)?;
        // A mod that only removes some of the winners that another mod named does not contradict
        // that mod.
        if let Some((_, first)) = named.filter(|(before, _)| !before.includes(seats)) {
            let clash = AwardConflict { mods: [first, handler.owner], what: "name different winners" };
            log_conflict(rules, state, Some(clash));
        }
        named = Some((seats, handler.owner));
    }
    Ok(named.map(|(seats, _)| seats))
}
