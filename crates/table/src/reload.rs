//! Reloads: continue a game under mods that have changed on disk.

use std::rc::Rc;
use std::sync::Arc;

use loader::{Loaded, Problems};
use record::{GivenErrors, LoggedAnswer, Reload, given_lines, position, reload_while, resume_point, saved_setup};
use rules::{Failure, Game, ModUse, Rules, RulesFactory, Setup};

use crate::step::Step;
use crate::stop_flag::StopFlag;

/// The mods and settings of a game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RulesChoice {
    /// The ids of the chosen mods, without the mods that they require.
    pub mods: Vec<String>,
    /// The chosen settings: the qualified name, such as `base.farmers`, and the value. All other
    /// settings have their default values.
    pub settings: Vec<(String, String)>,
}

impl RulesChoice {
    /// Returns the mods and settings of `setup`.
    pub fn from_setup(setup: &Setup) -> RulesChoice {
        RulesChoice { mods: setup.mods.iter().map(|m| m.id.clone()).collect(), settings: setup.settings.clone() }
    }

    /// Replaces the mods and keeps the settings, including settings of absent mods.
    #[must_use]
    pub fn with_mods(self, mods: Vec<String>) -> RulesChoice {
        RulesChoice { mods, ..self }
    }

    /// Sets a setting; `None` resets it to its default.
    #[must_use]
    pub fn with_setting(mut self, name: &str, value: Option<String>) -> RulesChoice {
        self.settings.retain(|(known, _)| known != name);
        self.settings.extend(value.map(|value| (name.to_owned(), value)));
        self
    }
}

/// The result of a reload.
#[derive(Clone, Debug)]
pub enum ReloadOutcome {
    /// Neither the rules nor the settings have changed. A theme may have changed.
    Untouched,
    /// The rules have changed, but the game is the same under the new rules.
    Same,
    /// The game continues under the new rules. The sentence describes the differences.
    Changed(String),
    /// An answer is no longer offered, or a mod fails after an answer. The sentence gives the
    /// reason. The old rules stay active until the user chooses how to continue (see
    /// [`Snapshot::divergence`](crate::Snapshot::divergence)).
    Diverged(String),
    /// The mods have errors or do not fit the game's setup; the old rules stay active.
    Failed(Problems),
    /// The reload was stopped; the old rules stay active.
    Stopped,
}

/// New rules that the answers of the game do not fit, until the user chooses how to continue.
pub(crate) struct DivergedGame {
    pub(crate) loaded: Arc<Loaded>,
    pub(crate) game: Game,
    rules: Rc<Rules>,
    setup: Setup,
    /// The turn in which the replay stopped.
    pub(crate) turn: u32,
    /// The reason why the replay stopped.
    pub(crate) reason: String,
}

/// The result of replaying the timeline under other mods.
pub(crate) enum ReplayOutcome {
    /// All answers fit the other mods. Contains the game under these mods, and the change of the
    /// game or the rules.
    Fits(Box<Game>, ReloadOutcome),
    /// An answer does not fit the other mods. The text is a sentence that names this answer.
    Diverged(Box<DivergedGame>, String),
    /// The replay was stopped before its end.
    Stopped,
}

/// Returns the chosen settings that the mods accept, and a message for each refused setting. The
/// setup keeps the refused settings, so that they apply again when the mods are repaired.
pub(crate) fn accepted_settings(loaded: &Loaded, chosen: &[(String, String)]) -> (Vec<(String, String)>, Vec<String>) {
    let mut accepted = Vec::new();
    let mut refused = Vec::new();
    for pair in chosen {
        match loaded.settings_from(std::slice::from_ref(pair)) {
            Ok(_) => accepted.push(pair.clone()),
            Err(errors) => refused.push(format!("`{} = {}` is not in force: {errors}", pair.0, pair.1)),
        }
    }
    (accepted, refused)
}

/// Returns messages about changed and refused settings. Compares the settings in `was` that the
/// mods `old` accept with the settings in `chosen` that the mods `new` accept.
fn setting_messages(old: &Loaded, new: &Loaded, was: &[(String, String)], chosen: &[(String, String)]) -> Vec<String> {
    let (in_force, _) = accepted_settings(old, was);
    let (is, mut said) = accepted_settings(new, chosen);
    for (name, value) in is.iter().filter(|pair| !in_force.contains(pair)) {
        let again = if was.iter().any(|(known, before)| (known, before) == (name, value)) { " again" } else { "" };
        said.push(format!("{name} is {value}{again}"));
    }
    let left = |name: &String| !chosen.iter().any(|(known, _)| known == name);
    said.extend(
        in_force.iter().filter(|(name, _)| left(name)).map(|(name, _)| format!("{name} has its default value again")),
    );
    said
}

/// Replays the answers `line` under the mods `loaded` with the settings of `chosen`. `whole` is the
/// game after all answers of `line` under the current mods, `old`.
pub(crate) fn replay_under(
    whole: &Game,
    line: &[Arc<Step>],
    old: &Loaded,
    loaded: &Arc<Loaded>,
    chosen: &RulesChoice,
    stop: &StopFlag,
) -> Result<ReplayOutcome, Failure> {
    let mut setup = whole.setup().clone();
    let used = |id: &String| {
        let known = setup.mods.iter().find(|m| m.id == *id).cloned();
        known.unwrap_or_else(|| ModUse { id: id.clone(), ..ModUse::default() })
    };
    setup.mods = chosen.mods.iter().map(used).collect();
    let said = setting_messages(old, loaded, &setup.settings, &chosen.settings);
    setup.settings.clone_from(&chosen.settings);
    let (accepted, _) = accepted_settings(loaded, &setup.settings);
    let settings = loaded.settings_from(&accepted).map_err(|errors| Failure::from(errors.to_string()))?;
    let with_settings = |summary: String| [std::slice::from_ref(&summary), &said].concat().join("; ");
    let rules = Rc::new(loaded.rules(settings)?);
    setup.check_players(rules.catalogue()).map_err(|error| Failure::from(error.to_string()))?;
    let setup = migrate_setup(&rules, &setup).map_err(|errors| Failure::from(errors.to_string()))?;
    let goes_on = || !stop.is_requested();
    let logged = |step: &Arc<Step>| LoggedAnswer { text: step.text.clone(), scores: step.scores.clone() };
    let log: Vec<LoggedAnswer> = line.iter().map(logged).collect();
    let outcome = reload_while(whole, &log, rules.clone(), setup.clone(), goes_on);
    let Some(outcome) = outcome.map_err(|errors| Failure::from(errors.to_string()))? else {
        return Ok(ReplayOutcome::Stopped);
    };
    let summary = outcome.summary();
    Ok(match outcome {
        Reload::Same(game) if said.is_empty() => ReplayOutcome::Fits(Box::new(game), ReloadOutcome::Same),
        Reload::Same(game) => {
            let summary = "changed: settings, without an effect on this game so far".to_owned();
            ReplayOutcome::Fits(Box::new(game), ReloadOutcome::Changed(with_settings(summary)))
        }
        Reload::Changed { game, .. } => {
            ReplayOutcome::Fits(Box::new(game), ReloadOutcome::Changed(with_settings(summary)))
        }
        Reload::Diverged { game, turn, reason, .. } => ReplayOutcome::Diverged(
            Box::new(DivergedGame { loaded: loaded.clone(), rules, setup, game, turn, reason }),
            summary,
        ),
    })
}

impl DivergedGame {
    /// Makes a game under the new rules that continues from the current position of `old`. Starts
    /// at the latest position of `old` between two turns. Then repeats the later answers up to the
    /// first answer that does not fit.
    pub(crate) fn continue_from(&self, old: &Game) -> Result<Game, GivenErrors> {
        let (position, since) = resume_point(old);
        // The position contains data that the old versions of the mods stored, and the new versions
        // may need other data. So `migrate_setup` migrates the data.
        let mods = old.setup().mods.clone();
        let there = Setup { position: position.position, begins: position.begins, mods, ..self.setup.clone() };
        let Setup { position, .. } = migrate_setup(&self.rules, &there)?;
        let setup = Setup { position, begins: there.begins, ..self.setup.clone() };
        let mut game = record::start_game(self.rules.clone(), setup)?;
        for text in &since {
            if game.answer_text(text).is_err() {
                break;
            }
        }
        Ok(game)
    }
}

/// Returns `setup` adapted to `rules`: sets the versions and hashes of the mods, and migrates the
/// data that mods have stored in the position.
fn migrate_setup(rules: &Rules, setup: &Setup) -> Result<Setup, GivenErrors> {
    let stamped = saved_setup(rules.catalogue(), setup);
    let is_memory = |line: &String| line.starts_with("mem ");
    if !setup.position.iter().any(is_memory) {
        return Ok(stamped);
    }
    let start = position(rules, setup)?;
    let memory = given_lines(&rules.ruleset, &start).into_iter().filter(is_memory);
    let position = setup.position.iter().filter(|line| !is_memory(line)).cloned().chain(memory).collect();
    Ok(Setup { position, ..stamped })
}
