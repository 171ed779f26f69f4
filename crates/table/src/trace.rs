//! Traces the calls of mods' functions in a replay of a part of the game. Also evaluates
//! expressions that the user types.

use std::borrow::Cow;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use rules::{Failure, Game, ModIdx, TracedCall, evaluate, redacted_for};

use crate::session::Session;
use crate::snapshot::Snapshot;
use crate::stop_flag::stoppable;

/// An answer and the function calls it caused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TracedStep {
    /// The index of the answer in the timeline, counted from 0.
    pub step: usize,
    /// The turn of the answer, counted from 1; 0 before the first turn.
    pub turn: u32,
    /// The answer, as in records.
    pub text: String,
    /// The calls of mods' functions, in order. A call comes before the calls that it caused.
    pub calls: Vec<TracedFunction>,
}

/// A call of a function, with the function's name and its place in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TracedFunction {
    /// The mod of the function.
    pub owner: ModIdx,
    /// The name of the function.
    pub name: Arc<str>,
    /// The file and line of the function, if known. Lines are counted from 1.
    pub place: Option<(PathBuf, u32)>,
    /// The arguments, effects, result and duration of the call.
    pub call: TracedCall,
}

impl Session {
    /// Replays the game up to the end of the range `steps` (indices of answers in the timeline).
    /// Returns the calls of mods' functions that the answers in this range caused.
    ///
    /// `None` if anything is hidden from the viewers at the current position. Also `None` if
    /// anything is hidden at the end of a range that ends after the current position.
    pub fn trace(&self, steps: Range<usize>) -> Option<Vec<TracedStep>> {
        let now = self.game();
        if self.hides_from_viewers(now) {
            return None;
        }
        let rules = stoppable(now.rules(), self.hurry_flag());
        let mut game = Game::from_position(rules.clone(), now.setup().clone(), now.start().clone());
        let before = rules.hooks.take_lines();
        let line = self.whole_line.iter().enumerate().take(steps.end);
        let mut traced = Vec::new();
        for (step, given) in line {
            let is_wanted = step >= steps.start;
            rules.hooks.set_tracing(is_wanted);
            if game.answer(given.answer).is_err() {
                break;
            }
            if is_wanted {
                let calls = rules.hooks.set_tracing(false).into_iter().map(|call| self.name_call(call)).collect();
                traced.push(TracedStep { step, turn: given.turn, text: given.text.clone(), calls });
            }
        }
        rules.hooks.set_tracing(false);
        // Discards the lines that the replay prints, because the original answers already printed
        // them.
        rules.hooks.take_lines();
        before.iter().for_each(|line| rules.hooks.print(line));
        // An answer after the current position may be secret, although nothing is hidden at this
        // position.
        let is_secret = steps.end > self.position_index() && self.hides_from_viewers(&game);
        (!is_secret).then_some(traced)
    }

    /// Returns whether anything in `game` is hidden from the viewers.
    pub(crate) fn hides_from_viewers(&self, game: &Game) -> bool {
        matches!(redacted_for(game.rules(), game.state(), self.viewers), Cow::Owned(_))
    }

    fn name_call(&self, call: TracedCall) -> TracedFunction {
        let functions = &self.game().rules().catalogue().functions;
        let function = functions.get(call.function.idx());
        let source = |file: &str| self.sources().iter().find(|source| source.name == file);
        TracedFunction {
            owner: function.map_or(ModIdx(0), |function| function.owner),
            name: function.map_or_else(Arc::default, |function| function.name.as_str().into()),
            place: function.and_then(|function| Some((source(&function.file)?.path.clone(), function.line.max(1)))),
            call,
        }
    }

    /// Evaluates an expression as a script of the mod `owner`, at the current position as the
    /// viewers know it. Returns the lines that the expression prints, followed by its value.
    ///
    /// # Errors
    /// Returns an error if the mod is not in play, or if the expression is invalid or fails.
    pub fn evaluate(&self, owner: ModIdx, text: &str) -> Result<String, Failure> {
        let game = self.game_to_try();
        if self.view().mods().get(owner.idx()).is_none() {
            return Err("this mod is not in play".to_owned().into());
        }
        evaluate(game.rules(), game.state(), owner, text)
    }
}

impl Snapshot {
    /// Returns the answers of the current turn, as a range of indices in the timeline.
    pub fn steps_of_turn(&self) -> Range<usize> {
        let turn = self.turn();
        let of_turn = |step: &Arc<crate::step::Step>| step.turn == turn;
        let first = self.steps().iter().position(of_turn).unwrap_or(self.position_index());
        let last = self.steps().iter().rposition(of_turn).map_or(first, |last| last + 1);
        first..last
    }
}
