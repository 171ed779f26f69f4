//! Mods loaded together. Threads share the loaded mods, and each thread makes its own rules from
//! them.
#![expect(clippy::indexing_slicing, reason = "all indices come from the tables that the loader has just built")]

use std::path::PathBuf;
use std::sync::Arc;

use diagnostic::Severity;
use playtest::{SurveyQuestion, TestedMod, TestedRules};
use rules::{Catalogue, Failure, FnIdx, ModIdx, Rules, RulesFactory, SettingIdx, SettingValue};
use script::{ScriptHost, ScriptSource};
use theme::Theme;

use crate::counts;
use crate::declare::rejection;
use crate::problem::Source;
use crate::setting_error::{SettingError, SettingErrors};
use crate::variants::ModSources;

/// A set of mods, ready to be played.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) scripts: Arc<[ScriptSource]>,
    pub(crate) theme: Arc<Theme>,
    pub(crate) survey: Vec<SurveyQuestion>,
    pub(crate) sources: Vec<Source>,
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) variants: Arc<ModSources>,
}

impl Loaded {
    /// Makes mods without files, scripts and survey: the data that guests of a table receive.
    pub fn for_guest(catalogue: Arc<Catalogue>, theme: Arc<Theme>) -> Loaded {
        Loaded {
            catalogue,
            scripts: Arc::default(),
            theme,
            survey: Vec::new(),
            sources: Vec::new(),
            folders: Vec::new(),
            variants: Arc::default(),
        }
    }

    /// Returns the declarations of the mods under default settings. The hash of each mod is in
    /// [`Catalogue::mods`].
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    /// Returns the script of each mod, in load order. The text is empty if the mod has no script.
    pub fn scripts(&self) -> &[ScriptSource] {
        &self.scripts
    }

    /// Returns the merged theme of all mods.
    pub fn theme(&self) -> &Arc<Theme> {
        &self.theme
    }

    /// Returns the mods with their versions and their survey, as playtests name them. The survey
    /// has the questions of all mods in load order, at most [`playtest::MAX_QUESTIONS`].
    pub fn tested_rules(&self) -> TestedRules {
        let tested = |info: &rules::ModInfo| TestedMod {
            id: info.id.clone(),
            version: info.version.clone(),
            hash: format!("{:016x}", info.hash),
        };
        TestedRules { mods: self.catalogue.mods.iter().map(tested).collect(), survey: self.survey.clone() }
    }

    /// Returns the files that were read to load the mods.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Returns the folder of each mod, in load order.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Returns a value for each setting: the value in `chosen`, or else the default. `chosen`
    /// contains pairs such as `base.farmers` and `true`. After the values of the settings, the
    /// result contains the counts in `chosen`, such as `base/K` and `5`.
    ///
    /// # Errors
    /// Returns an error for each invalid pair.
    pub fn settings_from(&self, chosen: &[(String, String)]) -> Result<Vec<SettingValue>, SettingErrors> {
        let mut values = Rules::default_settings(&self.catalogue);
        let mut mistakes = Vec::new();
        for (i, (name, text)) in chosen.iter().enumerate() {
            let is_repeated = chosen[..i].iter().any(|(other, _)| other == name);
            let read = match self.catalogue.is_count(name) {
                _ if is_repeated => Err(SettingError::Twice { name: name.clone() }),
                true => counts::read_count(&self.catalogue, name, text).map(|count| values.push(count)),
                false => self.setting_from(name, text).map(|(idx, value)| values[idx] = value),
            };
            mistakes.extend(read.err());
        }
        if mistakes.is_empty() { Ok(values) } else { Err(SettingErrors(mistakes)) }
    }

    /// Returns the index of the setting `name`, such as `base.farmers`, among all settings.
    ///
    /// # Errors
    /// Returns an error with a suggestion, or with all names, if no setting has this name.
    pub fn setting_index(&self, name: &str) -> Result<usize, SettingError> {
        let catalogue = &self.catalogue;
        let found = (0..catalogue.settings.len()).find(|i| counts::setting_name(catalogue, *i) == name);
        found.ok_or_else(|| counts::unknown_name(catalogue, name))
    }

    fn setting_from(&self, name: &str, text: &str) -> Result<(usize, SettingValue), SettingError> {
        let idx = self.setting_index(name)?;
        let setting = &self.catalogue.settings[idx];
        let Some(value) = setting.default.parse_like(text) else {
            let expected = match setting.default {
                SettingValue::Bool(_) => "`true` or `false`",
                SettingValue::Int(_) => "a number",
                SettingValue::Text(_) => "a text",
                SettingValue::Count(..) => "a count",
            };
            return Err(SettingError::WrongType { name: name.to_owned(), text: text.to_owned(), expected });
        };
        match rejection(&setting.choices, setting.range, &value) {
            Some(reason) => Err(SettingError::NotAllowed { name: name.to_owned(), reason }),
            None => Ok((idx, value)),
        }
    }
}

impl Loaded {
    /// Makes rules with these settings, after `adjust` has changed the script host. Tests use
    /// `adjust` to force the interpreter or to change the time limit.
    ///
    /// # Errors
    /// Returns an error as [`RulesFactory::rules`] does.
    pub fn rules_with(&self, settings: Vec<SettingValue>, adjust: impl FnOnce(&ScriptHost)) -> Result<Rules, Failure> {
        let catalogue = self.catalogue_with(&settings)?;
        let host = ScriptHost::new(catalogue.clone(), self.scripts.clone(), &settings)?;
        adjust(&host);
        Ok(Rules::new(catalogue, settings, Box::new(host)))
    }

    /// Returns the declarations of the mods under these settings. Each declaration has the same
    /// index as under the default settings, but its values can differ.
    fn catalogue_with(&self, settings: &[SettingValue]) -> Result<Arc<Catalogue>, Failure> {
        let catalogue = self.catalogue_with_switches(settings)?;
        if !settings.iter().any(|setting| matches!(setting, SettingValue::Count(..))) {
            return Ok(catalogue);
        }
        let mut catalogue = Arc::unwrap_or_clone(catalogue);
        counts::apply(&mut catalogue, settings);
        Ok(Arc::new(catalogue))
    }

    /// Returns the declarations of the mods under these settings, but with the default counts.
    fn catalogue_with_switches(&self, settings: &[SettingValue]) -> Result<Arc<Catalogue>, Failure> {
        let usual = &self.catalogue;
        let differs = |i: &usize| {
            settings[*i] != usual.settings[*i].default
                && self.variants.affects_declarations(usual, SettingIdx(*i as u16))
        };
        if !(0..usual.settings.len()).any(|i| differs(&i)) {
            return Ok(usual.clone());
        }
        let chosen = |owner: ModIdx, name: &str| {
            let mut values = usual.settings.iter().zip(settings);
            match values.find(|(setting, _)| setting.owner == owner && setting.name == name)? {
                (_, SettingValue::Bool(on)) => Some(*on),
                _ => None,
            }
        };
        let (catalogue, problems) = self.variants.catalogue(Some(&usual.tile_set), chosen);
        let error = problems.list().iter().find(|problem| problem.severity == Severity::Error);
        match (catalogue, error) {
            (Some(catalogue), None) => Ok(Arc::new(catalogue)),
            (_, error) => {
                let why = error.map_or_else(String::new, |error| format!(": {error}"));
                Err(Failure::from(format!("the mods cannot be played with these settings{why}")))
            }
        }
    }

    /// Returns the functions that only the interpreter can run, with the reason for each function.
    ///
    /// # Errors
    /// Returns an error as [`RulesFactory::rules`] does.
    pub fn interpreted_functions(&self, settings: &[SettingValue]) -> Result<Vec<InterpretedFunction>, Failure> {
        let host = ScriptHost::new(self.catalogue.clone(), self.scripts.clone(), settings)?;
        let functions = self.catalogue.functions.iter().enumerate();
        let interpreted = functions.filter_map(|(i, function)| {
            let owner = self.catalogue.mods[function.owner.idx()].id.clone();
            Some(InterpretedFunction {
                owner,
                name: function.name.clone(),
                reason: host.interpreter_reason(FnIdx(i as u16))?,
            })
        });
        Ok(interpreted.collect())
    }
}

/// A function that only the interpreter can run. Other functions run as trees, which is several
/// times faster (see `script::ScriptHost`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InterpretedFunction {
    /// The id of the mod that defines the function.
    pub owner: String,
    /// The name of the function.
    pub name: String,
    /// The construct that a tree cannot express, and its place.
    pub reason: Failure,
}

impl RulesFactory for Loaded {
    fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    fn rules(&self, settings: Vec<SettingValue>) -> Result<Rules, Failure> {
        self.rules_with(settings, |_| {})
    }
}
