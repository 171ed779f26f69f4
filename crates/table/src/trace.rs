//! Looking into the functions of mods: what they did in a part of the game, which is played once more for that, and what somebody asks in their words.

use std::borrow::Cow;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use rules::{Game, ModIdx, TracedCall, evaluate, seen_by};

use crate::session::Session;
use crate::snapshot::Snapshot;
use crate::stop::stoppable;

/// An answer, and what functions of mods did because of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TracedStep {
    /// How many answers were given before it.
    pub step: usize,
    /// The turn in which it was given.
    pub turn: u32,
    /// The answer, as records hold it.
    pub text: String,
    /// The calls, each before those that it led to.
    pub calls: Vec<TracedFunction>,
}

/// A call of a function, with what it is called and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TracedFunction {
    /// The mod.
    pub owner: ModIdx,
    /// The function.
    pub name: Arc<str>,
    /// Its file, where that is known, and its line, from 1.
    pub place: Option<(PathBuf, u32)>,
    /// What became of the call.
    pub call: TracedCall,
}

impl Session {
    /// Plays a part of the line once more and returns what functions of mods did in it; nothing where something in the game is hidden from
    /// those who look.
    pub fn trace(&self, steps: Range<usize>) -> Option<Vec<TracedStep>> {
        let now = self.game();
        if let Cow::Owned(_) = seen_by(now.rules(), now.state(), self.viewers) {
            return None;
        }
        let rules = stoppable(now.rules(), self.hurry());
        let mut game = Game::from_position(rules.clone(), now.setup().clone(), now.start().clone());
        let before = rules.hooks.take_lines();
        let line = self.whole_line.iter().enumerate().take(steps.end);
        let mut traced = Vec::new();
        for (step, given) in line {
            let is_wanted = step >= steps.start;
            rules.hooks.trace(is_wanted);
            if game.answer(given.answer).is_err() {
                break;
            }
            if is_wanted {
                let calls = rules.hooks.trace(false).into_iter().map(|call| self.named(call)).collect();
                traced.push(TracedStep { step, turn: given.turn, text: given.text.clone(), calls });
            }
        }
        rules.hooks.trace(false);
        // What functions print was printed when the game was played.
        rules.hooks.take_lines();
        before.iter().for_each(|line| rules.hooks.print(line));
        Some(traced)
    }

    fn named(&self, call: TracedCall) -> TracedFunction {
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

    /// Evaluates what somebody asks of the moment looked at in the words of a mod's script, as those know the game who look.
    ///
    /// # Errors
    /// Where it is no script, or fails: a sentence.
    pub fn evaluate(&self, owner: ModIdx, text: &str) -> Result<String, String> {
        let game = self.game_to_try();
        if self.view().mods().get(owner.idx()).is_none() {
            return Err("this mod is not in play".to_owned());
        }
        evaluate(game.rules(), game.state(), owner, text).map_err(|failure| failure.message)
    }
}

impl Snapshot {
    /// Returns the part of the line that is the turn looked at: from its first answer to the one after its last.
    pub fn steps_of_turn(&self) -> Range<usize> {
        let turn = self.turn();
        let of_turn = |step: &Arc<crate::step::Step>| step.turn == turn;
        let first = self.line().iter().position(of_turn).unwrap_or(self.at());
        let last = self.line().iter().rposition(of_turn).map_or(first, |last| last + 1);
        first..last
    }
}
