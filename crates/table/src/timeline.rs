//! The timeline: all answers of the game, the current position in the timeline, and the branches.
#![expect(clippy::indexing_slicing, reason = "the current position is in the timeline")]

use std::sync::Arc;

use diagnostic::never;
use rules::{Answer, Game, NotOffered, Seal};

use crate::branch::Branch;
use crate::step::{PendingStep, Step, drop_old_lines, reveal, steps_of};

/// All answers of a game, with its branches. The timeline includes the answers after the current
/// position, which the user can redo. The [`Game`] contains only the answers before the current
/// position.
pub(crate) struct Timeline {
    /// The game at the current position.
    game: Game,
    line: Vec<Arc<Step>>,
    branches: Vec<Arc<Branch>>,
    name: String,
    n_lines: usize,
}

/// The effect of an answer on the timeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AnswerEffect {
    /// The answer is also the next answer of the timeline, so the timeline stays the same.
    AlongTheLine,
    /// The answer is now the last answer of the timeline. It replaces the later answers, if there
    /// were any.
    AtTheEnd {
        /// True if the replaced answers became a branch.
        branched: bool,
    },
}

impl Timeline {
    pub(crate) fn new(game: Game) -> Timeline {
        Timeline { line: steps_of(&game), game, branches: Vec::new(), name: "1".to_owned(), n_lines: 1 }
    }

    /// Returns the game at the current position.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the game after all answers of the timeline.
    pub(crate) fn game_at_end(&self) -> Game {
        let mut game = self.game.clone();
        replay(&mut game, &self.line[self.position_index()..]);
        game
    }

    /// Returns the number of answers before the current position.
    pub(crate) fn position_index(&self) -> usize {
        self.game.log().len().min(self.line.len())
    }

    pub(crate) fn steps(&self) -> &[Arc<Step>] {
        &self.line
    }

    pub(crate) fn branches(&self) -> &[Arc<Branch>] {
        &self.branches
    }

    pub(crate) fn current_branch_name(&self) -> &str {
        &self.name
    }

    /// Gives an answer at the current position.
    pub(crate) fn answer(&mut self, answer: Answer) -> Result<AnswerEffect, NotOffered> {
        let at = self.position_index();
        let pending = PendingStep::new(&self.game, answer);
        self.game.answer(answer)?;
        let Some(pending) = pending else {
            never!("{answer:?} was accepted without a decision");
            return Ok(AnswerEffect::AlongTheLine);
        };
        if self.line.get(at).is_some_and(|next| next.text == pending.text()) {
            return Ok(AnswerEffect::AlongTheLine);
        }
        let rest = &self.line[at..];
        let loses_a_turn = rest.first().zip(rest.last()).is_some_and(|(first, last)| last.turn > first.turn);
        if loses_a_turn {
            self.branch_off(at);
        }
        self.drop_seals_from(at);
        self.line.truncate(at);
        self.line.push(Arc::new(pending.complete(&self.game)));
        drop_old_lines(&mut self.line);
        reveal(&mut self.line, &self.game);
        Ok(AnswerEffect::AtTheEnd { branched: loses_a_turn })
    }

    /// Goes to the position after `n` answers. Stops earlier if the game refuses an answer.
    pub(crate) fn go_to(&mut self, n: usize) {
        let n = n.min(self.line.len());
        if n < self.position_index() {
            self.game.go_to(n);
        }
        let at = self.position_index();
        replay(&mut self.game, &self.line[at..n.max(at)]);
    }

    /// Deletes the answers after the current position.
    pub(crate) fn delete_later_answers(&mut self) {
        self.line.truncate(self.position_index());
    }

    /// Stores a copy of the current answers as a branch, before the caller replaces all but the
    /// first `forks_at` answers.
    pub(crate) fn branch_off(&mut self, forks_at: usize) {
        self.n_lines += 1;
        let name = std::mem::replace(&mut self.name, self.n_lines.to_string());
        self.branches.push(Arc::new(Branch { name, line: self.line.clone(), forks_at }));
    }

    /// Restores branches. Each item of `lines` contains all answers of one branch, from the start
    /// of the game.
    ///
    /// Omits a branch if the current timeline contains all its answers, or if the rules refuse one
    /// of them. Also omits a branch if it ends in the turn in which it leaves the current timeline.
    pub(crate) fn restore_branches(&mut self, lines: &[Vec<String>]) {
        for answers in lines {
            let forks_at = self.line.iter().zip(answers).take_while(|(step, answer)| step.text == **answer).count();
            if forks_at == answers.len() {
                continue;
            }
            let now = &self.game;
            let mut game = Game::from_position(now.rules().clone(), now.setup().clone(), now.start().clone());
            if answers.iter().any(|answer| game.answer_text(answer).is_err()) {
                continue;
            }
            let line = steps_of(&game);
            let rest = line.get(forks_at..).unwrap_or_default();
            if rest.first().zip(rest.last()).is_some_and(|(first, last)| last.turn > first.turn) {
                // Players began the current answers after all branches, so the current answers get
                // the highest number as their name.
                let name = std::mem::replace(&mut self.name, (self.n_lines + 1).to_string());
                self.n_lines += 1;
                self.branches.push(Arc::new(Branch { name, line, forks_at }));
            }
        }
    }

    /// Removes all branches.
    pub(crate) fn clear_branches(&mut self) {
        self.branches.clear();
    }

    /// Replaces the current answers with the answers of a branch, goes to their end, and stores the
    /// old answers as a branch.
    ///
    /// # Errors
    /// Returns an error if the branch does not fit the rules; then nothing changes.
    pub(crate) fn switch_to(&mut self, branch: usize) -> Result<(), NotOffered> {
        let Some(chosen) = self.branches.get(branch) else { return Ok(()) };
        let old = &self.game;
        let mut game = Game::from_position(old.rules().clone(), old.setup().clone(), old.start().clone());
        for step in &chosen.line {
            game.answer_text(&step.text)?;
        }
        let chosen = self.branches.remove(branch);
        let n_same = self.line.iter().zip(&chosen.line).take_while(|(a, b)| a.text == b.text).count();
        let (name, line) = (std::mem::replace(&mut self.name, chosen.name.clone()), std::mem::take(&mut self.line));
        self.branches.push(Arc::new(Branch { name, line, forks_at: n_same }));
        self.branches.sort_by_key(|b| b.name.parse::<usize>().unwrap_or(usize::MAX));
        self.replace_game(game);
        Ok(())
    }

    /// Replaces the game, and all answers of the timeline with the answers of the new game. The
    /// current position becomes the end of the timeline.
    pub(crate) fn replace_game(&mut self, game: Game) {
        self.line = steps_of(&game);
        self.game = game;
    }

    /// Replaces the bots in the setup. Each item is a player's name and the name of the bot.
    pub(crate) fn change_bots(&mut self, bots: Vec<(String, String)>) {
        self.game.change_bots(bots);
    }

    /// Replaces the seals in the setup.
    pub(crate) fn change_seals(&mut self, seals: Vec<Seal>) {
        self.game.change_seals(seals);
    }

    /// Removes the seals of answers from number `n` on, and closes the seals that these answers
    /// opened.
    fn drop_seals_from(&mut self, n: usize) {
        let mut seals = self.game.setup().seals.clone();
        if !seals.is_empty() {
            seals.retain(|seal| seal.answer < n);
            seals.iter_mut().for_each(|seal| seal.opened = seal.opened.take().filter(|opened| opened.answer < n));
            self.game.change_seals(seals);
        }
    }
}

/// Gives the answers of `steps` to `game`, up to the first answer that the game refuses.
fn replay(game: &mut Game, steps: &[Arc<Step>]) {
    for step in steps {
        if game.answer(step.answer).is_err() {
            break;
        }
    }
}
