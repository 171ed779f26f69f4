//! Checks options of mods: each can be written in a record, and no two are equal.

use std::collections::BTreeSet;
use std::mem::discriminant;
use std::sync::Arc;

use crate::fault::Refusal;
use crate::mod_options::{Meanings, ModOptions, OptionPrefix, OptionValues};
use crate::ruleset::Ruleset;
use crate::state::State;
use crate::texts::{check_plain, check_there, check_words, means_more, value_text};
use crate::value::{OptionValue, Seat, Value};

/// The most options of a mod's question. On a board of thousands of tiles a player may have to
/// choose among all zones.
pub(crate) const MAX_OPTIONS: usize = 20_000;

/// Makes the options of a question to `answerer`. Those with equal texts are one.
///
/// # Errors
/// Returns an error if an option cannot be written in a record.
pub(crate) fn options_of(
    ruleset: &Ruleset,
    state: &State,
    answerer: Seat,
    words: OptionPrefix,
    values: OptionValues,
) -> Result<ModOptions, Refusal> {
    let n_options = values.len() * words.len().max(1);
    if n_options > MAX_OPTIONS {
        return Err(format!("{n_options} options are too many to choose from, {MAX_OPTIONS} may be offered").into());
    }
    for word in words.iter() {
        check_first_word(state, check_plain(word)?)?;
    }
    let values = match values {
        OptionValues::List(values) => {
            for value in values.iter() {
                check(ruleset, state, answerer, &words, value)?;
            }
            OptionValues::List(distinct(ruleset, state, answerer, values))
        }
        OptionValues::Zones(zones) if state.board.has_gone() => {
            OptionValues::Zones(zones.iter().filter(|zone| state.board.has_zone(*zone)).collect())
        }
        zones => zones,
    };
    Ok(ModOptions::Asked { words, values })
}

/// Checks that every explained word is a word of an option of some player asked, each of whom has a
/// list of values.
pub(crate) fn check_meanings<'v>(
    words: &[Arc<str>],
    lists: impl Iterator<Item = &'v OptionValues> + Clone,
    meanings: &Meanings,
) -> Result<(), Refusal> {
    let begins_one = |word: &str| {
        let begins = |value: &Value| first_text(value).is_some_and(|text| text.split(' ').next() == Some(word));
        lists.clone().any(|values| matches!(values, OptionValues::List(list) if list.iter().any(begins)))
    };
    let is_word = |word: &str| words.iter().any(|it| **it == *word) || begins_one(word);
    match meanings.keys().find(|word| !is_word(word)) {
        Some(word) => Err(format!("no option begins with `{word}`, so there is nothing to say about it").into()),
        None => Ok(()),
    }
}

/// Checks that a record would not read an option of this text as anything else.
fn check_first_word(state: &State, text: &str) -> Result<(), Refusal> {
    match text.split(' ').next() {
        Some(verb) if means_more(verb, state.n_answers == 0) => {
            Err(format!("an option may not be called `{text}`: `{verb}` means something else in records").into())
        }
        _ => Ok(()),
    }
}

/// Returns the text at the start of a value's text, if there is one.
fn first_text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        Value::Option(option) if option.word.is_empty() => first_text(&option.about),
        Value::Option(option) => Some(&option.word),
        Value::List(values) => first_text(values.first()?),
        _ => None,
    }
}

/// Checks that an option can be written in a record: it is not empty and unambiguous.
fn check(ruleset: &Ruleset, state: &State, answerer: Seat, words: &[Arc<str>], value: &Value) -> Result<(), Refusal> {
    let is_words = check_words(value)?;
    check_there(state, value)?;
    if words.is_empty()
        && let Some(first) = first_text(value)
    {
        check_first_word(state, first)?;
    }
    if !is_words {
        return Ok(());
    }
    // The option consists of words alone, which are short.
    let rest = value_text(ruleset, state, Some(answerer), value)?;
    let said = |word: &str| if word.is_empty() { rest.clone() } else { format!("{word} {rest}").trim_end().to_owned() };
    let texts: Vec<String> =
        if words.is_empty() { vec![rest.clone()] } else { words.iter().map(|w| said(w)).collect() };
    if texts.iter().any(String::is_empty) {
        return Err("an option needs a text".into());
    }
    texts.iter().try_for_each(|text| check_first_word(state, text))
}

/// Keeps the values whose texts differ, the first of each text.
fn distinct(ruleset: &Ruleset, state: &State, answerer: Seat, values: Arc<Vec<Value>>) -> Arc<Vec<Value>> {
    let sort = values.first().map(discriminant);
    if values.iter().all(|value| has_own_text(value) && Some(discriminant(value)) == sort) {
        return distinct_by(values, Value::clone);
    }
    if values.iter().all(|value| matches!(value, Value::Piece(_))) {
        // The parts that determine its text.
        let looks = |value: &Value| match value {
            Value::Piece(piece) => state.piece(*piece).map(|it| {
                let of = it.owner.filter(|owner| *owner != answerer);
                (it.kind, of, it.place)
            }),
            _ => None,
        };
        return distinct_by(values, looks);
    }
    // The text of a zone is unique.
    let is_zone = |value: &Value| matches!(value, Value::Zone(_));
    let is_of_zones = |option: &OptionValue| matches!(&option.about, Value::List(about) if about.iter().all(is_zone));
    if values.iter().all(|value| option_of(value).is_some_and(is_of_zones)) {
        return distinct_by(values, |value| option_of(value).map(|option| (option.word.clone(), option.about.clone())));
    }
    distinct_by(values, |value| value_text(ruleset, state, Some(answerer), value).unwrap_or_default())
}

fn option_of(value: &Value) -> Option<&OptionValue> {
    if let Value::Option(option) = value { Some(option) } else { None }
}

/// Keeps the first value of each key.
fn distinct_by<K: Ord>(values: Arc<Vec<Value>>, key: impl Fn(&Value) -> K) -> Arc<Vec<Value>> {
    let mut seen = BTreeSet::new();
    if values.iter().all(|value| seen.insert(key(value))) {
        return values;
    }
    seen.clear();
    Arc::new(values.iter().filter(|value| seen.insert(key(value))).cloned().collect())
}

/// Returns whether no other value of its type has the same text, so that comparing texts is
/// unnecessary.
fn has_own_text(value: &Value) -> bool {
    matches!(
        value,
        Value::Zone(_)
            | Value::Spot(_)
            | Value::Corner(_)
            | Value::Border(_)
            | Value::Tile(_)
            | Value::TileType(_)
            | Value::Player(_)
            | Value::Space(_)
            | Value::Card(_)
            | Value::Text(_)
    )
}
