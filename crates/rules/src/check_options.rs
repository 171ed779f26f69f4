//! Checks that options of mods can be written in a record, and removes options with equal texts.

use std::collections::BTreeSet;
use std::mem::discriminant;
use std::sync::Arc;

use crate::fault::Refusal;
use crate::mod_options::{Meanings, ModOptions, OptionPrefix, OptionValues};
use crate::ruleset::Ruleset;
use crate::state::State;
use crate::texts::{check_on_board, check_plain, check_words, is_reserved, value_text};
use crate::value::{OptionValue, Seat, Value};

/// The maximum number of options in a mod's question, and of mods' options in a core decision. On a
/// board of thousands of tiles, a player may have to choose among all zones.
pub(crate) const MAX_OPTIONS: usize = 20_000;

/// The maximum number of bytes in the texts of all options of a question together. Each name of a
/// thing of the game counts as [`NAME_BYTES`]. Guests receive these texts, and terminals show them.
pub(crate) const MAX_OPTION_BYTES: usize = 2 << 20;

/// The number of bytes that a name of a thing of the game, such as a zone, is assumed to have.
const NAME_BYTES: usize = 12;

/// Returns about how many bytes the text of a value has.
pub(crate) fn text_bytes(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::List(values) => values.iter().map(text_bytes).sum(),
        Value::Option(option) => option.word.len() + text_bytes(&option.about),
        _ => NAME_BYTES,
    }
}

/// Checks that the texts of options are not too long together. Each text begins with one of
/// `words`, if there are any, and ends with the text of one of `values`.
fn check_length(words: &[Arc<str>], values: &OptionValues) -> Result<(), Refusal> {
    let of_words: usize = words.iter().map(|word| word.len()).sum();
    let of_values: usize = match values {
        OptionValues::List(values) => values.iter().map(text_bytes).sum(),
        zones => zones.len() * NAME_BYTES,
    };
    let n_bytes = of_values * words.len().max(1) + of_words * values.len();
    if n_bytes > MAX_OPTION_BYTES {
        let message =
            format!("the texts of these options have {n_bytes} bytes: at most {MAX_OPTION_BYTES} are allowed");
        return Err(message.into());
    }
    Ok(())
}

/// Makes the options of a mod's question to `answerer`. Options with equal texts become one option.
pub(crate) fn options_of(
    ruleset: &Ruleset,
    state: &State,
    answerer: Seat,
    words: OptionPrefix,
    values: OptionValues,
) -> Result<ModOptions, Refusal> {
    let n_options = values.len() * words.len().max(1);
    if n_options > MAX_OPTIONS {
        return Err(format!("{n_options} options are too many: at most {MAX_OPTIONS} are allowed").into());
    }
    for word in words.iter() {
        check_first_word(state, check_plain(word)?)?;
    }
    check_length(&words, &values)?;
    let values = match values {
        OptionValues::List(values) => {
            for value in values.iter() {
                check(ruleset, state, answerer, &words, value)?;
            }
            OptionValues::List(distinct(ruleset, state, answerer, values))
        }
        OptionValues::Zones(zones) if state.board.has_removed_tiles() => {
            OptionValues::Zones(zones.iter().filter(|zone| state.board.has_zone(*zone)).collect())
        }
        zones => zones,
    };
    Ok(ModOptions::Asked { words, values })
}

/// Checks that `meanings` explains only words that occur: the first words of the options, which
/// `words` contains, and the first words of the values' texts. `lists` contains the values for each
/// player who must answer.
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
        Some(word) => Err(format!("no option begins with `{word}`, so this word needs no meaning").into()),
        None => Ok(()),
    }
}

/// Checks that the first word of an option's text has no other meaning in records.
fn check_first_word(state: &State, text: &str) -> Result<(), Refusal> {
    match text.split(' ').next() {
        Some(verb) if is_reserved(verb, state.n_answers == 0) => {
            Err(format!("an option may not be called `{text}`: `{verb}` means something else in records").into())
        }
        _ => Ok(()),
    }
}

/// Returns the word or text at the beginning of a value's text; `None` if the value's text begins
/// with an object of the game, such as a zone.
fn first_text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        Value::Option(option) if option.word.is_empty() => first_text(&option.about),
        Value::Option(option) => Some(&option.word),
        Value::List(values) => first_text(values.first()?),
        _ => None,
    }
}

/// Checks that an option can be written in a record: its text is not empty and not ambiguous.
fn check(ruleset: &Ruleset, state: &State, answerer: Seat, words: &[Arc<str>], value: &Value) -> Result<(), Refusal> {
    let is_words = check_words(value)?;
    check_on_board(state, value)?;
    if words.is_empty()
        && let Some(first) = first_text(value)
    {
        check_first_word(state, first)?;
    }
    if !is_words {
        return Ok(());
    }
    // From here on, the option consists only of words, so making its whole text is cheap.
    let rest = value_text(ruleset, state, Some(answerer), value)?;
    let said = |word: &str| if word.is_empty() { rest.clone() } else { format!("{word} {rest}").trim_end().to_owned() };
    let texts: Vec<String> =
        if words.is_empty() { vec![rest.clone()] } else { words.iter().map(|w| said(w)).collect() };
    if texts.iter().any(String::is_empty) {
        return Err("an option needs a text".into());
    }
    texts.iter().try_for_each(|text| check_first_word(state, text))
}

/// Removes every value whose text equals that of an earlier value.
fn distinct(ruleset: &Ruleset, state: &State, answerer: Seat, values: Arc<Vec<Value>>) -> Arc<Vec<Value>> {
    let sort = values.first().map(discriminant);
    if values.iter().all(|value| has_unique_text(value) && Some(discriminant(value)) == sort) {
        return distinct_by(values, Value::clone);
    }
    if values.iter().all(|value| matches!(value, Value::Piece(_))) {
        // The properties of a piece that determine its text.
        let looks = |value: &Value| match value {
            Value::Piece(piece) => state.piece(*piece).map(|it| {
                let of = it.owner.filter(|owner| *owner != answerer);
                (it.kind, of, it.place)
            }),
            _ => None,
        };
        return distinct_by(values, looks);
    }
    // No two zones have the same text, so comparing the zones suffices.
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

/// Keeps only the first of all values with equal keys.
fn distinct_by<K: Ord>(values: Arc<Vec<Value>>, key: impl Fn(&Value) -> K) -> Arc<Vec<Value>> {
    let mut seen = BTreeSet::new();
    if values.iter().all(|value| seen.insert(key(value))) {
        return values;
    }
    seen.clear();
    Arc::new(values.iter().filter(|value| seen.insert(key(value))).cloned().collect())
}

/// Returns whether the value has a type whose different values always have different texts. Such
/// values can be compared without making their texts.
fn has_unique_text(value: &Value) -> bool {
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
