//! What Python may say for players, settings and folders, as the engine takes it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use players::{PlayerInfo, list_of_bots, player_named};
use pyo3::prelude::*;
use rules::{COLOURS, MAX_SEATS};

use crate::errors::setup_error;

/// One of something, or several.
#[derive(FromPyObject)]
pub enum OneOrMore<T> {
    /// Several.
    More(Vec<T>),
    /// One.
    One(T),
}

impl<T> OneOrMore<T> {
    /// Returns them as a list.
    pub fn list(self) -> Vec<T> {
        match self {
            OneOrMore::More(list) => list,
            OneOrMore::One(it) => vec![it],
        }
    }
}

/// Folders to look for mods in.
pub type Folders = Option<OneOrMore<PathBuf>>;

/// How many play, or their names.
#[derive(FromPyObject)]
pub enum Seats {
    /// How many; they are called after colours.
    Number(usize),
    /// Their names, in the order of play.
    Names(Vec<String>),
}

impl Seats {
    /// Returns the names of the players.
    ///
    /// # Errors
    /// Where there are too many.
    pub fn names(self, py: Python<'_>) -> PyResult<Vec<String>> {
        match self {
            Seats::Number(n) => {
                let names = COLOURS.get(..n).filter(|names| !names.is_empty());
                let names = names.ok_or_else(|| setup_error(py, format!("{n} players, 1 to {MAX_SEATS} can play")))?;
                Ok(names.iter().map(|name| (*name).to_owned()).collect())
            }
            Seats::Names(names) => Ok(names),
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

/// Settings by their names with their mods.
pub type Settings = BTreeMap<String, SettingArgument>;

/// Returns settings as records say them.
pub fn chosen(settings: Option<Settings>) -> Vec<(String, String)> {
    let text = |value: SettingArgument| match value {
        SettingArgument::Bool(it) => it.to_string(),
        SettingArgument::Int(it) => it.to_string(),
        SettingArgument::Text(it) => it,
    };
    settings.unwrap_or_default().into_iter().map(|(name, value)| (name, text(value))).collect()
}

/// Returns the bot called `name`.
///
/// # Errors
/// Where there is none.
pub fn bot(py: Python<'_>, name: &str) -> PyResult<PlayerInfo> {
    player_named(name)
        .ok_or_else(|| setup_error(py, format!("there is no bot `{name}`; there is {}", list_of_bots(false))))
}
