//! Options that mods make: checked when they are offered, turned to text when somebody reads them.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::call::Refusal;
use crate::catalogue::FnIdx;
use crate::ruleset::Ruleset;
use crate::state::{Place, State};
use crate::texts::{check_words, value_text};
use crate::value::{Seat, Value};

/// An option that a mod made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The first word of its text, where that is not part of its value.
    pub word: Option<Arc<str>>,
    /// What it is about: what the mod gets back when it is chosen.
    pub value: Value,
    /// The function to run when it is chosen, for options among the core's own.
    pub run: Option<FnIdx>,
    /// Whether the core's question is asked afresh afterwards.
    pub asks_again: bool,
}

impl Offer {
    /// Its stable text; `answerer` is who is asked.
    pub(crate) fn text(&self, ruleset: &Ruleset, state: &State, answerer: Option<Seat>) -> String {
        // What cannot be said is not offered.
        let rest = value_text(ruleset, state, answerer, &self.value).unwrap_or_default();
        match self.word.as_deref() {
            None | Some("") => rest,
            Some(word) if rest.is_empty() => word.to_owned(),
            Some(word) => format!("{word} {rest}"),
        }
    }
}

/// The offers of `words` (none for values that need none) with each of `values`. Those with equal texts are one.
///
/// Fails where one cannot be said in a record.
pub(crate) fn offers(
    ruleset: &Ruleset,
    state: &State,
    answerer: Seat,
    words: &[Arc<str>],
    values: &[Value],
) -> Result<Vec<Offer>, Refusal> {
    for value in values {
        check(ruleset, state, answerer, words, value)?;
    }
    let kept = distinct(ruleset, state, answerer, values);
    let mut offers = Vec::with_capacity(kept.len() * words.len().max(1));
    for value in kept {
        let offer = |word| Offer { word, value: value.clone(), run: None, asks_again: false };
        match words {
            [] => offers.push(offer(None)),
            words => offers.extend(words.iter().map(|word| offer(Some(word.clone())))),
        }
    }
    Ok(offers)
}

/// Whether an option can stand in a record: it says something, and not `pass`.
fn check(ruleset: &Ruleset, state: &State, answerer: Seat, words: &[Arc<str>], value: &Value) -> Result<(), Refusal> {
    if !check_words(value)? {
        return Ok(());
    }
    // Made of words alone; these are short.
    let rest = value_text(ruleset, state, Some(answerer), value)?;
    let said = |word: &str| if word.is_empty() { rest.clone() } else { format!("{word} {rest}").trim_end().to_owned() };
    let texts: Vec<String> =
        if words.is_empty() { vec![rest.clone()] } else { words.iter().map(|w| said(w)).collect() };
    match texts.into_iter().find(|text| text.is_empty() || text == "pass") {
        Some(text) => Err(format!("an option may not be called `{text}`").into()),
        None => Ok(()),
    }
}

/// The values whose texts differ, the first of each text.
fn distinct<'v>(ruleset: &Ruleset, state: &State, answerer: Seat, values: &'v [Value]) -> Vec<&'v Value> {
    let keys: Option<Vec<(u8, u64)>> = values.iter().map(|value| key(state, value)).collect();
    match keys {
        Some(keys) if keys.windows(2).all(|w| w[0].0 == w[1].0) => {
            if keys.windows(2).all(|w| w[0] < w[1]) {
                return values.iter().collect();
            }
            let mut seen = BTreeSet::new();
            keys.iter().zip(values).filter(|(key, _)| seen.insert(**key)).map(|(_, value)| value).collect()
        }
        _ => {
            let text = |value: &Value| value_text(ruleset, state, Some(answerer), value).unwrap_or_default();
            let mut seen = BTreeSet::new();
            values.iter().filter(|value| seen.insert(text(value))).collect()
        }
    }
}

/// A sort and a number that are equal for two values of a sort exactly where their texts are; nothing where only the text can tell.
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
                Place::Zone(zone) => (0, u64::from(zone.0)),
                Place::Spot(it) => (1, spot(it)),
                Place::Space(space) => (2, u64::from(space)),
            };
            let owner = it.owner.map_or(255, |seat| seat.0);
            (7, u64::from(it.kind.0) << 48 | u64::from(owner) << 40 | sort << 32 | place)
        }
        _ => return None,
    })
}
