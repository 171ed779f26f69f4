//! What functions of mods did, one call after the other, for whoever looks for a mistake in them; and what somebody asks in their words.

use std::time::Duration;

use crate::call::{Rules, Transaction};
use crate::fault::{Failure, Halt};
use crate::hooks::HookClass;
use crate::indices::{FnIdx, ModIdx};
use crate::ruleset::Ruleset;
use crate::state::State;
use crate::texts::value_text;
use crate::value::Value;

/// The most items of a list that are shown.
const MAX_SHOWN: usize = 12;

/// A call of a function of a mod.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TracedCall {
    /// The function.
    pub function: FnIdx,
    /// Within how many other calls it ran.
    pub depth: u32,
    /// What it was given.
    pub args: Vec<String>,
    /// What it did, in order, as its script says it: effects, terms of awards, questions.
    pub did: Vec<String>,
    /// How it ended.
    pub end: CallEnd,
    /// How long it took, what it led to included.
    pub took: Duration,
}

/// How a call ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallEnd {
    /// It returned this; nothing where that means nothing.
    Returned(String),
    /// It asked, and runs again from its beginning once that is answered.
    Asked,
    /// It failed.
    Failed(String),
}

/// Returns a value as whoever looks into a script reads it: as [`value_text`] where that can be said, and never an error.
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

/// Evaluates what somebody asks of a game in the words of a mod's script, and returns what comes of it as text. It may look and neither ask
/// nor change anything.
///
/// # Errors
/// Where it is no script, or fails.
pub fn evaluate(rules: &Rules, state: &State, owner: ModIdx, text: &str) -> Result<String, Failure> {
    rules.hooks.begin();
    let mut view = state.view().clone();
    let mut own = Transaction::of_nobody(rules.clone(), owner, HookClass::Pure);
    rules.hooks.evaluate(text, &mut own.call(&mut view)).map_err(|halt| match halt {
        Halt::Failed(failure) => failure,
        Halt::Asked => "nobody can be asked here".to_owned().into(),
    })
}
