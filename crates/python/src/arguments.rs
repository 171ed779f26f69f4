//! Converts players, settings and folders from Python to the engine's types.

use std::collections::BTreeMap;
use std::path::PathBuf;

use players::{BotInfo, list_of_bots, player_named};
use pyo3::prelude::*;
use rules::{DEFAULT_NAMES, MAX_SEATS};

use crate::errors::setup_error;

/// A single value or a list.
#[derive(FromPyObject)]
pub enum OneOrMore<T> {
    /// A list of values.
    More(Vec<T>),
    /// A single value.
    One(T),
}

impl<T> OneOrMore<T> {
    /// Returns the values as a list.
    pub fn list(self) -> Vec<T> {
        match self {
            OneOrMore::More(list) => list,
            OneOrMore::One(it) => vec![it],
        }
    }
}

/// The folders to search for mods before the bundled mods; `None` for no such folders.
pub type Folders = Option<OneOrMore<PathBuf>>;

/// The number of players, or their names.
#[derive(FromPyObject)]
pub enum SeatsArgument {
    /// The number of players, who are named after their colours.
    Number(usize),
    /// The names of the players, in the order of play.
    Names(Vec<String>),
}

impl SeatsArgument {
    /// Returns the names of the players.
    ///
    /// # Errors
    /// Returns an error for [`SeatsArgument::Number`] if the number is 0 or too large.
    pub fn names(self, py: Python<'_>) -> PyResult<Vec<String>> {
        match self {
            SeatsArgument::Number(n) => {
                let names = DEFAULT_NAMES.get(..n).filter(|names| !names.is_empty());
                let names =
                    names.ok_or_else(|| setup_error(py, format!("choose 1 to {MAX_SEATS} players, not {n}")))?;
                Ok(names.iter().map(|name| (*name).to_owned()).collect())
            }
            SeatsArgument::Names(names) => Ok(names),
        }
    }
}

/// The value of a setting.
#[derive(FromPyObject)]
pub enum SettingArgument {
    /// A switch.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A word.
    Text(String),
}

impl SettingArgument {
    /// Returns the value as records store it.
    pub fn text(self) -> String {
        match self {
            SettingArgument::Bool(it) => it.to_string(),
            SettingArgument::Int(it) => it.to_string(),
            SettingArgument::Text(it) => it,
        }
    }
}

/// The values of settings by qualified name, such as `base.farmers`.
pub type SettingArguments = BTreeMap<String, SettingArgument>;

/// Returns settings as records store them: pairs of a name and the text of the value.
pub fn setting_texts(settings: Option<SettingArguments>) -> Vec<(String, String)> {
    settings.unwrap_or_default().into_iter().map(|(name, value)| (name, value.text())).collect()
}

/// Returns the bot called `name`.
///
/// # Errors
/// Returns an error if no bot has this name.
pub fn bot(py: Python<'_>, name: &str) -> PyResult<BotInfo> {
    player_named(name)
        .ok_or_else(|| setup_error(py, format!("unknown bot `{name}`; available bots: {}", list_of_bots(false))))
}
