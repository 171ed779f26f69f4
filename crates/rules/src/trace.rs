//! Writes values as text for debugging, and evaluates expressions that the user types.

use crate::call::{Rules, Transaction};
use crate::fault::{Failure, Halt};
use crate::hooks::HookClass;
use crate::indices::ModIdx;
use crate::ruleset::Ruleset;
use crate::state::State;
use crate::texts::value_text;
use crate::value::Value;

/// The maximum number of items of a list or map in a text for debugging.
const MAX_SHOWN: usize = 12;

/// Returns a text of any value, for debugging. Texts, lists, maps and options appear as in scripts,
/// and other values as [`value_text`] writes them. If there is no such text, returns the name of
/// the value's type.
pub fn debug_text(ruleset: &Ruleset, state: &State, value: &Value) -> String {
    let shown = |value: &Value| debug_text(ruleset, state, value);
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
/// expression may neither ask questions nor change the game.
///
/// # Errors
/// Returns an error if the expression is invalid or fails.
pub fn evaluate(rules: &Rules, state: &State, owner: ModIdx, text: &str) -> Result<String, Failure> {
    rules.hooks.reset_budget();
    let mut view = state.view().clone();
    let mut own = Transaction::without_function(rules.clone(), owner, HookClass::Pure);
    rules.hooks.evaluate(text, &mut own.as_call(&mut view)).map_err(|halt| match halt {
        Halt::Failed(failure) => failure,
        Halt::Asked => "no question can be asked here".to_owned().into(),
    })
}
