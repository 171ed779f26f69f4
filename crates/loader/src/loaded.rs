//! Mods that were loaded together: shared by threads, of which each makes its own rules.
#![expect(clippy::indexing_slicing, reason = "positions are those of the tables that were just made")]

use std::path::PathBuf;
use std::sync::Arc;

use diagnostic::{listed, nearest};
use rules::{Catalogue, Failure, FnIdx, ModIdx, Rules, RulesFactory, SettingValue};
use script::{Host, ScriptSource};
use theme::Theme;

use crate::declare::refuses;
use crate::problem::Source;

/// A set of mods, ready to be played.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) scripts: Vec<ScriptSource>,
    pub(crate) theme: Arc<Theme>,
    pub(crate) sources: Vec<Source>,
    pub(crate) folders: Vec<PathBuf>,
}

impl Loaded {
    /// Returns what the mods declare. Their hashes are in [`Catalogue::mods`].
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    /// Returns the script of each mod, empty where it has none.
    pub fn scripts(&self) -> &[ScriptSource] {
        &self.scripts
    }

    /// Returns how the mods want to be drawn, all of them together.
    pub fn theme(&self) -> &Arc<Theme> {
        &self.theme
    }

    /// Returns the files that were read.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Returns the folder of each mod.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Returns one value for each setting: the default, or what `chosen` says as pairs of `base.farmers` and `true`.
    ///
    /// # Errors
    /// One sentence for each pair that cannot be.
    pub fn settings_from(&self, chosen: &[(String, String)]) -> Result<Vec<SettingValue>, Vec<String>> {
        let mut values = Rules::default_settings(&self.catalogue);
        let mut mistakes = Vec::new();
        for (i, (name, text)) in chosen.iter().enumerate() {
            let twice = chosen[..i].iter().any(|(other, _)| other == name);
            match self.setting_from(name, text) {
                _ if twice => mistakes.push(format!("setting `{name}` is given twice")),
                Ok((idx, value)) => values[idx] = value,
                Err(mistake) => mistakes.push(mistake),
            }
        }
        if mistakes.is_empty() { Ok(values) } else { Err(mistakes) }
    }

    fn setting_from(&self, name: &str, text: &str) -> Result<(usize, SettingValue), String> {
        let settings = &self.catalogue.settings;
        let full_name = |i: usize| {
            let ModIdx(owner) = settings[i].owner;
            format!("{}.{}", self.catalogue.mods[owner as usize].id, settings[i].name)
        };
        let names: Vec<String> = (0..settings.len()).map(full_name).collect();
        let Some(idx) = names.iter().position(|known| known == name) else {
            let ends_so = names.iter().find(|known| known.split_once('.').is_some_and(|(_, end)| end == name));
            let near = ends_so.map(String::as_str).or_else(|| nearest(name, names.iter().map(String::as_str)));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.is_empty() => "these mods have no settings".to_owned(),
                None => format!("there is {}", listed(&names)),
            };
            return Err(format!("unknown setting `{name}` ({help})"));
        };
        let setting = &settings[idx];
        let Some(value) = setting.default.parse_like(text) else {
            let expected = match setting.default {
                SettingValue::Bool(_) => "`true` or `false`",
                SettingValue::Int(_) => "a number",
                SettingValue::Text(_) => "a text",
            };
            return Err(format!("setting `{name}` is {expected}, not `{text}`"));
        };
        match refuses(&setting.choices, setting.range, &value) {
            Some(reason) => Err(format!("setting `{name}`: {reason}")),
            None => Ok((idx, value)),
        }
    }
}

impl Loaded {
    /// Makes the same rules with every function run by the interpreter, for tests: the results must be the same, only later.
    ///
    /// # Errors
    /// As [`RulesFactory::rules`].
    pub fn interpreted_rules(&self, settings: Vec<SettingValue>) -> Result<Rules, Failure> {
        let host = Host::new(self.catalogue.clone(), &self.scripts, &settings)?;
        host.use_trees(false);
        Ok(Rules::new(self.catalogue.clone(), settings, Box::new(host)))
    }

    /// Returns the functions that only the interpreter can run, as `mod: function`.
    ///
    /// # Errors
    /// As [`RulesFactory::rules`].
    pub fn interpreted_functions(&self, settings: &[SettingValue]) -> Result<Vec<String>, Failure> {
        let host = Host::new(self.catalogue.clone(), &self.scripts, settings)?;
        let functions = self.catalogue.functions.iter().enumerate();
        let interpreted = functions.filter(|(i, _)| !host.has_tree(FnIdx(*i as u16)));
        let name = |f: &rules::Function| format!("{}: {}", self.catalogue.mods[f.owner.idx()].id, f.name);
        Ok(interpreted.map(|(_, function)| name(function)).collect())
    }
}

impl RulesFactory for Loaded {
    fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    fn rules(&self, settings: Vec<SettingValue>) -> Result<Rules, Failure> {
        let host = Host::new(self.catalogue.clone(), &self.scripts, &settings)?;
        Ok(Rules::new(self.catalogue.clone(), settings, Box::new(host)))
    }
}
