//! Traces calls of mods' functions for debugging, and evaluates expressions typed by the user.

use std::time::Duration;

use crate::call::{Rules, Transaction};
use crate::fault::{Failure, Halt};
use crate::hooks::HookClass;
use crate::indices::{FnIdx, ModIdx};
use crate::ruleset::Ruleset;
use crate::state::State;
use crate::texts::value_text;
use crate::value::Value;

/// The maximum number of items of a list or map to show.
const MAX_SHOWN: usize = 12;

/// A call of a mod's function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TracedCall {
    /// The function.
    pub function: FnIdx,
    /// The number of calls in which it is nested.
    pub depth: u32,
    /// The texts of its arguments.
    pub args: Vec<String>,
    /// Its effects, terms of awards and questions in order, each written as a call in a script.
    pub did: Vec<String>,
    /// The way in which it ended.
    pub end: CallEnd,
    /// Its duration, nested calls included.
    pub took: Duration,
}

/// The way in which a call ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallEnd {
    /// It returned this value. The text is empty if the function returned nothing.
    Returned(String),
    /// It asked, and runs again from the beginning after the answer.
    Asked,
    /// It failed.
    Failed(String),
}

/// Returns a text of any value for debugging: that of [`value_text`] for handles and numbers, and
/// the notation of scripts for other values. For a value without such a text, returns the name of
/// its type.
pub fn shown_value(ruleset: &Ruleset, state: &State, value: &Value) -> String {
    let shown = |value: &Value| shown_value(ruleset, state, value);
    match value {
        Value::Unit => "()".to_owned(),
        Value::Text(text) => format!("{text:?}"),
        Value::List(values) => {
            let mut items: Vec<String> = values.iter().take(MAX_SHOWN).map(shown).collect();
            if values.len() > MAX_SHOWN {
                items.push(format!("and {} more", values.len() - MAX_SHOWN));
            }
            format!("[{}]", items.join(", "))
        }
        Value::Map(map) => {
            let items: Vec<String> =
                map.iter().take(MAX_SHOWN).map(|(key, value)| format!("{key}: {}", shown(value))).collect();
            format!("#{{{}}}", items.join(", "))
        }
        Value::Score => "the award".to_owned(),
        Value::Option(option) if option.word.is_empty() => format!("option({})", shown(&option.about)),
        Value::Option(option) => format!("option({:?}, {})", &*option.word, shown(&option.about)),
        value => value_text(ruleset, state, None, value).unwrap_or_else(|_| value.type_name().to_owned()),
    }
}

/// Evaluates an expression in the script language of a mod and returns the result as text. The
/// expression may neither ask nor change anything.
///
/// # Errors
/// Returns an error if the expression is invalid or fails.
pub fn evaluate(rules: &Rules, state: &State, owner: ModIdx, text: &str) -> Result<String, Failure> {
    rules.hooks.begin();
    let mut view = state.view().clone();
    let mut own = Transaction::without_function(rules.clone(), owner, HookClass::Pure);
    rules.hooks.evaluate(text, &mut own.call(&mut view)).map_err(|halt| match halt {
        Halt::Failed(failure) => failure,
        Halt::Asked => "no question can be asked here".to_owned().into(),
    })
}
