//! The reasons why mods refuse the settings and counts that players choose.

use std::fmt;
use std::ops::RangeInclusive;

use thiserror::Error;

/// A reason why mods refuse a setting or a count. The text is a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the texts say what is wrong")]
pub enum SettingError {
    #[error("setting `{name}` is given twice")]
    Twice { name: String },
    #[error("{} ({help})", unknown_name_text(name))]
    Unknown { name: String, help: String },
    #[error("the mod `{owner}` is not in this game{}", help.as_ref().map_or(String::new(), |help| format!(" ({help})")))]
    ModNotInGame { name: String, owner: String, help: Option<String> },
    #[error("`{name}` takes a number from {} to {}, not `{text}`", range.start(), range.end())]
    CountOutOfRange { name: String, text: String, range: RangeInclusive<u16> },
    #[error("setting `{name}` must be {expected}, not `{text}`")]
    WrongType { name: String, text: String, expected: &'static str },
    #[error("setting `{name}`: {reason}")]
    NotAllowed { name: String, reason: String },
}

impl SettingError {
    /// Returns the name of the setting or the count.
    pub fn name(&self) -> &str {
        match self {
            SettingError::Twice { name }
            | SettingError::Unknown { name, .. }
            | SettingError::ModNotInGame { name, .. }
            | SettingError::CountOutOfRange { name, .. }
            | SettingError::WrongType { name, .. }
            | SettingError::NotAllowed { name, .. } => name,
        }
    }
}

fn unknown_name_text(name: &str) -> String {
    match name {
        _ if name.contains('/') => format!("there is no tile and no card `{name}` in these mods"),
        _ if name.contains('.') => format!("unknown setting `{name}`"),
        _ => format!("there is no setting and no piece `{name}` in these mods"),
    }
}

/// All reasons why mods refuse the chosen settings; at least one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct SettingErrors(pub Vec<SettingError>);

impl fmt::Display for SettingErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&texts.join("; "))
    }
}
