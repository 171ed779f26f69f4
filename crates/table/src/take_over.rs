//! Taking over mods that changed on disk, while the game is going on.

use std::rc::Rc;

use loader::Loaded;
use rules::{
    Failure, Game, ModUse, Reload, Rules, RulesFactory, Setup, given_lines, here, position, reload, saved_setup,
};

use crate::branch::Branch;
use crate::keep::RecordFile;
use crate::outcome::{Diverged, Outcome};
use crate::session::Session;

/// A setup as it is under `rules`: with the versions of their mods, and with what other versions remembered brought up to date.
fn under(rules: &Rules, setup: &Setup) -> Result<Setup, String> {
    let stamped = saved_setup(rules.catalogue(), setup);
    let is_memory = |line: &String| line.starts_with("mem ");
    if !setup.position.iter().any(is_memory) {
        return Ok(stamped);
    }
    let start = position(rules, setup).map_err(|e| e.to_string())?;
    let memory = given_lines(&rules.ruleset, &start).into_iter().filter(is_memory);
    let position = setup.position.iter().filter(|line| !is_memory(line)).cloned().chain(memory).collect();
    Ok(Setup { position, ..stamped })
}

impl Session {
    /// Reads the mods anew and replays the game under what they say now.
    pub fn take_over(&mut self) -> Outcome {
        let ids: Vec<String> = self.setup().mods.iter().map(|m| m.id.clone()).collect();
        self.take_over_with(&ids)
    }

    /// The same with other mods at the table.
    pub fn take_over_with(&mut self, ids: &[String]) -> Outcome {
        let (loaded, problems) = self.library.load(ids);
        self.problems = problems;
        self.shelf.take();
        self.revision.advance();
        let Some(loaded) = loaded.map(Rc::new) else { return Outcome::Failed(self.problems.clone()) };
        let hashes = |l: &Loaded| l.catalogue().mods.iter().map(|m| (m.id.clone(), m.hash)).collect::<Vec<_>>();
        if hashes(&loaded) == hashes(&self.loaded) {
            // Pictures are no part of the rules.
            self.loaded = loaded;
            self.diverged = None;
            return Outcome::Untouched;
        }
        match self.replay_under(loaded, ids) {
            Ok(outcome) => outcome,
            Err(failure) => {
                self.problems.add_failure(&failure.file, failure.line, failure.column, &failure.message);
                Outcome::Failed(self.problems.clone())
            }
        }
    }

    fn replay_under(&mut self, loaded: Rc<Loaded>, ids: &[String]) -> Result<Outcome, Failure> {
        let mut setup = self.setup().clone();
        // A setting that is gone, or has other values now, cannot stay.
        setup.settings.retain(|pair| loaded.settings_from(std::slice::from_ref(pair)).is_ok());
        let used = |id: &String| {
            let known = setup.mods.iter().find(|m| m.id == *id).cloned();
            known.unwrap_or_else(|| ModUse { id: id.clone(), ..ModUse::default() })
        };
        setup.mods = ids.iter().map(used).collect();
        let settings = loaded.settings_from(&setup.settings).map_err(|m| Failure::from(m.join("; ")))?;
        let rules = Rc::new(loaded.rules(settings)?);
        setup.check_players(rules.catalogue()).map_err(Failure::from)?;
        let setup = under(&rules, &setup).map_err(Failure::from)?;
        let at = self.at();
        let mut whole = self.game.clone();
        whole.go_to(self.line.len());
        let outcome = reload(&whole, rules.clone(), setup.clone()).map_err(Failure::from)?;
        let summary = outcome.summary();
        self.diverged = None;
        match outcome {
            Reload::Diverged { game, turn, why, .. } => {
                self.diverged = Some(Diverged { loaded, rules, setup, game, turn, why });
                Ok(Outcome::Diverged(summary))
            }
            Reload::Same(game) => {
                self.go_on_with(loaded, game, at);
                Ok(Outcome::Same)
            }
            Reload::Changed { game, .. } => {
                self.go_on_with(loaded, game, at);
                Ok(Outcome::Changed(summary))
            }
        }
    }

    fn go_on_with(&mut self, loaded: Rc<Loaded>, game: Game, at: usize) {
        self.loaded = loaded;
        let is_live = self.is_live();
        let texts: Vec<String> = self.line.iter().map(|s| s.text.clone()).collect();
        let old_len = texts.len();
        // A file that says the same already is left alone.
        if game.log_texts() == texts {
            self.game = game;
            self.keep_header();
            self.line = crate::step::steps_of(&self.game);
            self.revision.advance();
        } else {
            self.put(game);
        }
        if !is_live {
            // Questions that are new were passed: what was looked at has moved on by as many.
            let at = (at + self.line.len().saturating_sub(old_len)).min(self.line.len());
            self.go_to(at);
        }
    }

    /// New rules under which the line does not fit, if a choice is open.
    pub fn diverged(&self) -> Option<&Diverged> {
        self.diverged.as_ref()
    }

    /// Keeps the old rules until files change once more.
    pub fn keep_old_rules(&mut self) {
        self.diverged = None;
        self.revision.advance();
    }

    /// Goes on under the new rules from where the line stops to fit; the old line is kept as a branch.
    pub fn stop_there(&mut self) {
        let Some(Diverged { loaded, game, .. }) = self.diverged.take() else { return };
        self.leave_whole_line(game.log().len());
        self.loaded = loaded;
        self.put(game);
    }

    /// Goes on under the new rules with the position as it stands: a new record, of which `keep` makes the file from its header. The old
    /// one is left as it is.
    pub fn go_on_from_here(&mut self, keep: impl FnOnce(&str) -> Option<RecordFile>) -> Result<(), String> {
        let Some(Diverged { loaded, rules, setup, .. }) = &self.diverged else { return Ok(()) };
        let (position, since) = here(&self.game);
        // What mods remember there is as the old ones wrote it.
        let mods = self.setup().mods.clone();
        let old = Setup { position: position.position, begins: position.begins, mods, ..setup.clone() };
        let Setup { position, .. } = under(rules, &old)?;
        let setup = Setup { position, begins: old.begins, ..setup.clone() };
        let mut game = Game::new(rules.clone(), setup).map_err(|e| e.to_string())?;
        for text in &since {
            if game.answer_text(text).is_err() {
                break;
            }
        }
        self.loaded = loaded.clone();
        self.diverged = None;
        self.branches.clear();
        self.close_record();
        let header = game.setup().header();
        self.put(game);
        if let Some(record) = keep(&header) {
            self.keep_in(record, 0);
        }
        Ok(())
    }

    fn leave_whole_line(&mut self, forks_at: usize) {
        self.n_lines += 1;
        let name = std::mem::replace(&mut self.name, self.n_lines.to_string());
        self.branches.push(Branch { name, line: self.line.clone(), forks_at });
    }
}
