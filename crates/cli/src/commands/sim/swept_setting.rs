//! A setting with the values to try, as the options `--sweep` and `--vary` name them.

use loader::Loaded;
use workshop::balance::values_of;

use crate::context::{CliError, option_error};
use crate::value_error::ValueError;

/// A setting or a count, and the values to try.
#[derive(Clone, Debug)]
pub struct SweptSetting {
    /// The name of the setting with its mod, such as `base.small_city`, or of the count, such as
    /// `base/K`.
    pub setting: String,
    /// The text of the values, such as `2..5`; `None` for all values of the setting.
    values: Option<String>,
}

impl SweptSetting {
    /// Returns the values to try, at least two. Errors name the option `option`.
    ///
    /// # Errors
    /// Returns an error if the mods have no such setting or count, or if the values are invalid.
    pub fn values_in(&self, option: &str, loaded: &Loaded) -> Result<Vec<String>, CliError> {
        values_of(loaded, &self.setting, self.values.as_deref()).map_err(|error| option_error(option, error))
    }
}

/// Parses a setting with values, such as `base.small_city=2..5`. If the text names no values, the
/// sweep plays all values of the setting.
pub fn parse_sweep(text: &str) -> Result<SweptSetting, ValueError> {
    let (setting, values) = match text.split_once('=') {
        Some((setting, values)) => (setting, Some(values.trim().to_owned())),
        None => (text, None),
    };
    match setting.trim() {
        "" => Err(ValueError::NoSetting),
        setting => Ok(SweptSetting { setting: setting.to_owned(), values }),
    }
}
