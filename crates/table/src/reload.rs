//! Going on under mods that have changed on disk.

use std::rc::Rc;
use std::sync::Arc;

use loader::{Loaded, Problems};
use record::{Reload, given_lines, here, position, reload_while, saved_setup};
use rules::{Failure, Fault, Game, ModUse, Rules, RulesFactory, Setup, Status};

use crate::stop::Stop;

/// What a game is to be played by.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RulesChoice {
    /// The mods that were asked for; those that they require come with them.
    pub mods: Vec<String>,
    /// The settings that are not as their mods have them, by name with their mod, such as `base.farmers`.
    pub settings: Vec<(String, String)>,
}

impl RulesChoice {
    /// Returns what a game of `setup` is played by.
    pub fn of(setup: &Setup) -> RulesChoice {
        RulesChoice { mods: setup.mods.iter().map(|m| m.id.clone()).collect(), settings: setup.settings.clone() }
    }

    /// Returns other mods with the same settings, those for mods that are not asked for included.
    #[must_use]
    pub fn with_mods(self, mods: Vec<String>) -> RulesChoice {
        RulesChoice { mods, ..self }
    }

    /// Returns the same mods with a setting as it was chosen; `None` leaves it as its mod has it.
    #[must_use]
    pub fn with_setting(mut self, name: &str, value: Option<String>) -> RulesChoice {
        self.settings.retain(|(known, _)| known != name);
        self.settings.extend(value.map(|value| (name.to_owned(), value)));
        self
    }
}

/// What has come of reading the mods again.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Nothing that the game is played by has changed.
    Untouched,
    /// The game is the same under the new rules.
    Same,
    /// The game goes on under the new rules; the sentence says what is different.
    Changed(String),
    /// An answer is not offered any more: somebody has to choose (see [`Snapshot::misfit`](crate::Snapshot::misfit)). The old rules are in
    /// force meanwhile.
    Diverged(String),
    /// The mods have errors; the old rules are in force.
    Failed(Problems),
    /// It was stopped; the old rules are in force.
    Stopped,
}

/// New rules under which the line does not fit, waiting for a choice.
pub(crate) struct Diverged {
    pub(crate) loaded: Arc<Loaded>,
    pub(crate) game: Game,
    rules: Rc<Rules>,
    setup: Setup,
    /// The turn in which an answer is not offered any more.
    pub(crate) turn: u32,
    /// Why not.
    pub(crate) reason: String,
}

/// What a line of answers becomes under other mods.
pub(crate) enum Replayed {
    /// It fits; the outcome says how.
    Fits(Box<Game>, Outcome),
    /// It does not; the sentence says where.
    Diverged(Box<Diverged>, String),
    /// It was stopped before that was known.
    Stopped,
}

/// Parts the chosen settings into those that mods accept, and a sentence for each of the others. What was chosen stays in the setup all the
/// same: with mended mods it is in force again.
pub(crate) fn accepted_settings(loaded: &Loaded, chosen: &[(String, String)]) -> (Vec<(String, String)>, Vec<String>) {
    let mut accepted = Vec::new();
    let mut refused = Vec::new();
    for pair in chosen {
        match loaded.settings_from(std::slice::from_ref(pair)) {
            Ok(_) => accepted.push(pair.clone()),
            Err(reasons) => refused.push(format!("{} {} is not in force: {}", pair.0, pair.1, reasons.join("; "))),
        }
    }
    (accepted, refused)
}

/// Returns what is to be said of settings: those of `was` were in force where `old` accepts them, and now those of `chosen` where `new` does.
fn what_settings_become(
    old: &Loaded,
    new: &Loaded,
    was: &[(String, String)],
    chosen: &[(String, String)],
) -> Vec<String> {
    let (in_force, _) = accepted_settings(old, was);
    let (is, mut said) = accepted_settings(new, chosen);
    for (name, value) in is.iter().filter(|pair| !in_force.contains(pair)) {
        let again = if was.iter().any(|(known, before)| (known, before) == (name, value)) { " again" } else { "" };
        said.push(format!("{name} is {value}{again}"));
    }
    let left = |name: &String| !chosen.iter().any(|(known, _)| known == name);
    said.extend(in_force.iter().filter(|(name, _)| left(name)).map(|(name, _)| format!("{name} is as its mod has it")));
    said
}

/// Replays `whole`, which was played by `old`, under `loaded`, which are the mods of `chosen`.
pub(crate) fn replay_under(
    whole: &Game,
    old: &Loaded,
    loaded: &Arc<Loaded>,
    chosen: &RulesChoice,
    stop: &Stop,
) -> Result<Replayed, Failure> {
    let mut setup = whole.setup().clone();
    let used = |id: &String| {
        let known = setup.mods.iter().find(|m| m.id == *id).cloned();
        known.unwrap_or_else(|| ModUse { id: id.clone(), ..ModUse::default() })
    };
    setup.mods = chosen.mods.iter().map(used).collect();
    let said = what_settings_become(old, loaded, &setup.settings, &chosen.settings);
    setup.settings.clone_from(&chosen.settings);
    let (accepted, _) = accepted_settings(loaded, &setup.settings);
    let settings = loaded.settings_from(&accepted).map_err(|m| Failure::from(m.join("; ")))?;
    let with_settings = |summary: String| [std::slice::from_ref(&summary), &said].concat().join("; ");
    let rules = Rc::new(loaded.rules(settings)?);
    setup.check_players(rules.catalogue()).map_err(Failure::from)?;
    let setup = migrate_setup(&rules, &setup).map_err(Failure::from)?;
    let goes_on = || !stop.is_asked();
    let Some(outcome) = reload_while(whole, rules.clone(), setup.clone(), goes_on).map_err(Failure::from)? else {
        return Ok(Replayed::Stopped);
    };
    let summary = outcome.summary();
    Ok(match outcome {
        Reload::Same(game) if said.is_empty() => Replayed::Fits(Box::new(game), Outcome::Same),
        Reload::Same(game) => {
            let summary = "changed: nothing in this game so far is different".to_owned();
            Replayed::Fits(Box::new(game), Outcome::Changed(with_settings(summary)))
        }
        Reload::Changed { game, .. } => Replayed::Fits(Box::new(game), Outcome::Changed(with_settings(summary))),
        Reload::Diverged { game, turn, reason, .. } => {
            Replayed::Diverged(Box::new(Diverged { loaded: loaded.clone(), rules, setup, game, turn, reason }), summary)
        }
    })
}

impl Diverged {
    /// Returns the fault that ended the game under the new rules, if that is why the line does not fit.
    pub(crate) fn fault(&self) -> Option<&Fault> {
        match self.game.status() {
            Status::Fault(fault) => Some(fault),
            _ => None,
        }
    }

    /// Makes a game under the new rules that begins with the position of `old` as it stands.
    pub(crate) fn continue_from(&self, old: &Game) -> Result<Game, String> {
        let (position, since) = here(old);
        // What mods remember there is as the old ones wrote it.
        let mods = old.setup().mods.clone();
        let there = Setup { position: position.position, begins: position.begins, mods, ..self.setup.clone() };
        let Setup { position, .. } = migrate_setup(&self.rules, &there)?;
        let setup = Setup { position, begins: there.begins, ..self.setup.clone() };
        let mut game = record::open(self.rules.clone(), setup).map_err(|e| e.to_string())?;
        for text in &since {
            if game.answer_text(text).is_err() {
                break;
            }
        }
        Ok(game)
    }
}

/// Returns a setup as it is under `rules`: with the versions of their mods, and with what other versions remembered brought up to date.
fn migrate_setup(rules: &Rules, setup: &Setup) -> Result<Setup, String> {
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
