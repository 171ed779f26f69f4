//! The alternatives with which a balance run can compare the rules in play. Lists these
//! alternatives and loads their rules.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

use loader::{Library, Loaded, SettingError};
use rules::SettingValue;
use sim::{
    Plan, PlanError, ValuesError, ladder_plans, listed_values, option_patterns, option_plans, strength_plans,
    sweep_values,
};
use table::SettingView;

use super::goals::GoalTexts;
use crate::configured_mods::ConfiguredMods;

/// The alternative with which a balance run compares the rules in play. Both sides play games with
/// the same seeds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub enum ComparedRules {
    /// No alternative: the bots play only under the rules in play.
    #[default]
    Nothing,
    /// Rules that the user pinned earlier.
    Pinned(ConfiguredMods),
    /// The rules in play without this mod.
    WithoutMod(String),
    /// The rules in play with this mod added.
    WithMod(String),
    /// The rules in play with another value of a setting. The first text is the name of the
    /// setting, the second text is the value.
    Setting(String, String),
    /// The mods in play, loaded from this folder. The library supplies the mods that the folder
    /// lacks.
    Folder(PathBuf),
    /// The effect of each function and tag: the rules in play are compared with the rules without
    /// one of them. Also compares the rules with two mods in reverse order.
    Parts,
    /// A ladder of bots under the rules in play: each bot plays against the previous one.
    Ladder,
    /// A curve of strength under the rules in play: each search plays against a search with half
    /// as many simulations.
    Strength,
    /// A bot against a copy of itself with forbidden options, under the rules in play. The text is
    /// a pattern of the forbidden options. If `None`, forbids each kind of option in turn.
    Options(Option<String>),
    /// A sweep over the values of a setting. The first text is the name of the setting. The second
    /// text lists the values, such as `2..5` or `2,4`; `None` for all values.
    Sweep(String, Option<String>),
    /// Many combinations of values of settings and counts, in search of those with which the games
    /// meet goals.
    Goals(GoalTexts),
}

/// The rule sets or bots that a run compares. The run plays each game number with every rule set or
/// pair of bots.
#[derive(Clone, Debug)]
pub(super) enum Arms {
    /// The rules in play.
    Alone,
    /// The rules of the alternative (side A), compared with the rules in play (side B).
    Two(ConfiguredMods),
    /// The rules in play without one function or tag: one rule set for each function and tag.
    Parts,
    /// One plan of games for each pair of bots. A pair is two neighbouring bots of the ladder, with
    /// the weakest pair first, or a bot with and without a kind of option.
    Ladder(Vec<Plan>),
    /// The rules with each value of the setting in a sweep: the values, the index of the value in
    /// play, and the mods with each value. If the value in play is not among the values, its index
    /// is 0.
    Values(Vec<String>, usize, Vec<ConfiguredMods>),
}

impl ComparedRules {
    /// Returns a short description of the alternative, such as `without rivers`.
    pub fn label(&self) -> String {
        match self {
            ComparedRules::Nothing => "nothing".to_owned(),
            ComparedRules::Pinned(_) => "the pinned rules".to_owned(),
            ComparedRules::WithoutMod(id) => format!("without {id}"),
            ComparedRules::WithMod(id) => format!("with {id}"),
            ComparedRules::Setting(name, value) => format!("{name} = {value}"),
            ComparedRules::Folder(folder) => {
                let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
                format!("the mods in {}", name.unwrap_or_else(|| folder.display().to_string()))
            }
            ComparedRules::Parts => "without each rule in turn".to_owned(),
            ComparedRules::Ladder => "skill and luck".to_owned(),
            ComparedRules::Strength => "strength by simulations".to_owned(),
            ComparedRules::Options(Some(pattern)) => format!("bots that may not {}", pattern.replace(':', " ")),
            ComparedRules::Options(None) => "bots without each option in turn".to_owned(),
            ComparedRules::Sweep(name, values) => match values {
                Some(values) => format!("{name} = {values}"),
                None => format!("all values of {name}"),
            },
            ComparedRules::Goals(_) => "values that meet goals".to_owned(),
        }
    }

    /// Loads the rule sets that the run compares, or plans the games of its pairs of bots. `plan`
    /// is the plan for the rules in play.
    pub(super) fn load_arms(&self, library: &Library, mods: &ConfiguredMods, plan: &Plan) -> Result<Arms, PlanError> {
        let ids = mods.ids();
        let with_value = |name: &String, value: &String| mods.with_values(&[(name.clone(), value.clone())]);
        Ok(match self {
            // A search for goals plays its own games.
            ComparedRules::Nothing | ComparedRules::Goals(_) => Arms::Alone,
            ComparedRules::Pinned(pinned) => Arms::Two(pinned.clone()),
            ComparedRules::WithoutMod(id) => {
                let others: Vec<String> = ids.into_iter().filter(|other| other != id).collect();
                Arms::Two(ConfiguredMods::load(library, &others, &mods.chosen)?)
            }
            ComparedRules::WithMod(id) => {
                let all: Vec<String> = ids.into_iter().chain([id.clone()]).collect();
                Arms::Two(ConfiguredMods::load(library, &all, &mods.chosen)?)
            }
            ComparedRules::Setting(name, value) => Arms::Two(with_value(name, value)?),
            ComparedRules::Folder(folder) => {
                let paths = paths_with(library, folder)?;
                Arms::Two(ConfiguredMods::load(&Library::open(&paths), &ids, &mods.chosen)?)
            }
            ComparedRules::Parts => Arms::Parts,
            ComparedRules::Ladder => Arms::Ladder(ladder_plans(mods.loaded.catalogue(), plan)),
            ComparedRules::Strength => Arms::Ladder(strength_plans(mods.loaded.catalogue(), plan, MAX_SIMULATIONS)),
            ComparedRules::Options(wanted) => {
                let patterns = match wanted {
                    Some(pattern) => vec![pattern.clone()],
                    None => option_patterns(&*mods.loaded, plan)?,
                };
                Arms::Ladder(option_plans(mods.loaded.catalogue(), plan, &patterns)?)
            }
            ComparedRules::Sweep(name, wanted) => {
                let at = mods.loaded.setting_index(name).map_err(|error| PlanError(error.to_string()))?;
                let values = values_of(&mods.loaded, name, wanted.as_deref());
                let values = values.map_err(|error| PlanError(error.to_string()))?;
                let in_play = mods.settings.get(at).map(ToString::to_string).unwrap_or_default();
                let base = values.iter().position(|value| *value == in_play).unwrap_or(0);
                let all: Result<Vec<ConfiguredMods>, PlanError> =
                    values.iter().map(|value| with_value(name, value)).collect();
                Arms::Values(values, base, all?)
            }
        })
    }
}

/// A reason why there are no values of a setting or count to try.
#[derive(Debug, thiserror::Error)]
pub enum TriedValuesError {
    /// The mods have no setting with this name.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The text is not a list of values.
    #[error(transparent)]
    Values(#[from] ValuesError),
}

/// Returns the values of a setting or count to try: the values that `wanted` lists, such as `2..5`
/// or `2,4`, or all values of the setting. Does not check whether the setting permits the values.
///
/// # Errors
/// Returns an error if the mods have no such setting, if the text is invalid, or if there are fewer
/// than two values or too many.
pub fn values_of(loaded: &Loaded, name: &str, wanted: Option<&str>) -> Result<Vec<String>, TriedValuesError> {
    if loaded.catalogue().is_count(name) {
        let wanted = wanted.ok_or_else(|| ValuesError::Unlimited(name.to_owned()))?;
        return Ok(listed_values(name, wanted)?);
    }
    let setting = loaded.catalogue().settings.get(loaded.setting_index(name)?);
    Ok(setting.map_or_else(|| Ok(Vec::new()), |setting| sweep_values(setting, wanted))?)
}

/// Returns a search path for mods: `folder`, followed by the mods of `library` that `folder` does
/// not contain.
///
/// # Errors
/// Returns an error if the folder contains no mods.
pub fn paths_with(library: &Library, folder: &Path) -> Result<Vec<PathBuf>, PlanError> {
    let theirs = Library::open(&[folder.to_owned()]).ids();
    if theirs.is_empty() {
        return Err(PlanError(format!("{}: there are no mods", folder.display())));
    }
    let others = library.ids().into_iter().filter(|id| !theirs.contains(id)).filter_map(|id| library.folder(&id));
    Ok([folder.to_owned()].into_iter().chain(others).collect())
}

/// The number of simulations of the strongest bot in a curve of strength. More would take too long.
const MAX_SIMULATIONS: u32 = 200;

/// The maximum number of suggested values for a setting that accepts many numbers.
const MAX_SUGGESTED_VALUES: i64 = 5;

/// Returns values of a setting for the user to try: all values, or some numbers around the value in
/// play. Returns an empty list for a text without choices, or for a count.
pub fn values_to_try(setting: &SettingView, in_play: &SettingValue) -> Vec<String> {
    if !setting.choices.is_empty() {
        return setting.choices.iter().map(SettingValue::to_string).collect();
    }
    match in_play {
        SettingValue::Bool(_) => vec!["false".to_owned(), "true".to_owned()],
        SettingValue::Int(now) => {
            let (least, most) = setting.range.unwrap_or((i64::MIN, i64::MAX));
            let from = now.saturating_sub(MAX_SUGGESTED_VALUES / 2).max(least);
            let (from, to) = match most.saturating_sub(least) <= 2 * MAX_SUGGESTED_VALUES {
                true => (least, most),
                false => (from, from.saturating_add(MAX_SUGGESTED_VALUES - 1).min(most)),
            };
            (from..=to).map(|n| n.to_string()).collect()
        }
        SettingValue::Text(_) | SettingValue::Count(..) => Vec::new(),
    }
}
