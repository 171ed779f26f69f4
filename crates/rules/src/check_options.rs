//! What a mod offers, checked: every option can be said in a record, and no two are the same.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::fault::Refusal;
use crate::mod_options::{ModOptions, Values, Words};
use crate::position::Location;
use crate::ruleset::Ruleset;
use crate::state::State;
use crate::texts::{check_plain, check_words, means_more, value_text};
use crate::value::{Seat, Value};

/// Makes the options of a question to `answerer`. Those with equal texts are one.
///
/// # Errors
/// Where one cannot be said in a record.
pub(crate) fn options_of(
    ruleset: &Ruleset,
    state: &State,
    answerer: Seat,
    words: Words,
    values: Values,
) -> Result<ModOptions, Refusal> {
    for word in words.iter() {
        check_first_word(state, check_plain(word)?)?;
    }
    let values = match values {
        Values::List(values) => {
            for value in values.iter() {
                check(ruleset, state, answerer, &words, value)?;
            }
            Values::List(distinct(ruleset, state, answerer, values))
        }
        zones => zones,
    };
    let mod_options = ModOptions::Asked { words, values };
    if mod_options.len() > usize::from(u16::MAX) {
        return Err(format!("{} options are too many to choose from", mod_options.len()).into());
    }
    Ok(mod_options)
}

/// Checks that a record would not take an option of this text for something else.
fn check_first_word(state: &State, text: &str) -> Result<(), Refusal> {
    match text.split(' ').next() {
        Some(verb) if means_more(verb, state.n_answers == 0) => {
            Err(format!("an option may not be called `{text}`: `{verb}` means something else in records").into())
        }
        _ => Ok(()),
    }
}

/// Returns the text that the text of a value begins with, if it is one.
fn first_text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        Value::Option(option) if option.word.is_empty() => first_text(&option.about),
        Value::Option(option) => Some(&option.word),
        Value::List(values) => first_text(values.first()?),
        _ => None,
    }
}

/// Checks that an option can stand in a record: it says something, and nothing else than itself.
fn check(ruleset: &Ruleset, state: &State, answerer: Seat, words: &[Arc<str>], value: &Value) -> Result<(), Refusal> {
    let is_words = check_words(value)?;
    if words.is_empty()
        && let Some(first) = first_text(value)
    {
        check_first_word(state, first)?;
    }
    if !is_words {
        return Ok(());
    }
    // Made of words alone; these are short.
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
fn distinct(ruleset: &Ruleset, state: &State, answerer: Seat, mut values: Arc<Vec<Value>>) -> Arc<Vec<Value>> {
    let pairs = |values: &[Value]| (1..values.len()).all(|i| values[..i].iter().all(|v| differ(state, v, &values[i])));
    if values.len() <= FEW && pairs(&values) {
        return values;
    }
    let keys: Option<Vec<(u8, u64)>> = values.iter().map(|value| key(state, value)).collect();
    match keys {
        Some(keys) if keys.windows(2).all(|w| w[0].0 == w[1].0) => {
            if !keys.windows(2).all(|w| w[0] < w[1]) {
                let mut seen = BTreeSet::new();
                let mut keys = keys.iter();
                Arc::make_mut(&mut values).retain(|_| keys.next().is_some_and(|key| seen.insert(*key)));
            }
        }
        _ => {
            let mut seen = BTreeSet::new();
            Arc::make_mut(&mut values)
                .retain(|value| seen.insert(value_text(ruleset, state, Some(answerer), value).unwrap_or_default()));
        }
    }
    values
}

/// Up to so many values are compared in pairs.
const FEW: usize = 16;

/// Returns whether it is plain without making them that the texts of two values differ.
fn differ(state: &State, a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => a != b,
        (Value::Option(a), Value::Option(b)) => a.word == b.word && differ(state, &a.about, &b.about),
        (Value::List(a), Value::List(b)) => {
            // Zones of one tile share its spot, and what a text says may be said by several words.
            let is_one_word =
                |value: &Value| matches!(value, Value::Text(text) if !text.is_empty() && !text.contains(' '));
            let n_zones = |list: &[Value]| list.iter().filter(|value| matches!(value, Value::Zone(_))).count();
            let Some(at) = a.iter().zip(b.iter()).position(|(a, b)| a != b) else { return false };
            a.len() == b.len()
                && n_zones(a) < 2
                && n_zones(b) < 2
                && differ(state, &a[at], &b[at])
                && (is_one_word(&a[at]) && is_one_word(&b[at]) || a[at + 1..] == b[at + 1..])
        }
        _ => key(state, a).zip(key(state, b)).is_some_and(|(a, b)| a.0 == b.0 && a.1 != b.1),
    }
}

/// Returns a type and a number that are equal for two values of a type exactly where their texts are; nothing where only the text can tell.
fn key(state: &State, value: &Value) -> Option<(u8, u64)> {
    let spot = |spot: board::Spot| u64::from(spot.y as u16) << 16 | u64::from(spot.x as u16);
    Some(match value {
        Value::Zone(zone) => (0, u64::from(zone.0)),
        Value::Spot(it) => (1, spot(*it)),
        Value::Tile(tile) => (2, u64::from(tile.0)),
        Value::TileType(tile) => (3, u64::from(tile.0)),
        Value::Player(seat) => (4, u64::from(seat.0)),
        Value::Space(space) => (5, u64::from(*space)),
        Value::Card(card) => (6, u64::from(*card)),
        Value::Piece(piece) => {
            let it = state.piece(*piece)?;
            let (sort, place) = match it.place {
                Location::Zone(zone) => (0, u64::from(zone.0)),
                Location::Spot(it) => (1, spot(it)),
                Location::Space(space) => (2, u64::from(space)),
            };
            let owner = it.owner.map_or(255, |seat| seat.0);
            (7, u64::from(it.kind.0) << 48 | u64::from(owner) << 40 | sort << 32 | place)
        }
        _ => return None,
    })
}
