//! Converts values of the rules to values of the interpreter, and back.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use board::{Border, Corner, FeatureRef, Spot, TileIdx, TileRef, ZoneRef, ZoneSet};
use rhai::{Array, Dynamic, EvalAltResult, FnPtr, ImmutableString, Map, Position};
use rules::{DeckIdx, OptionValue, PieceRef, Refusal, Seat, Value};

use crate::budget::HaltReason;
use crate::script_value::ScriptValue;
use crate::types::{CardRef, Deployment, Score, ScriptOption, SettingsView, TilePlacement, TrackSpace, TurnView};
use crate::weight::MAX_DEPTH;

/// Converts a refusal to an error of the interpreter.
#[cold]
pub(crate) fn refusal_error(refusal: Refusal, at: Position) -> Box<EvalAltResult> {
    Box::new(match refusal {
        Refusal::Asked => EvalAltResult::ErrorTerminated(Dynamic::from(HaltReason::Asked), at),
        Refusal::Because(message) => EvalAltResult::ErrorRuntime(message.into(), at),
    })
}

/// Converts a value of the rules to a value of the interpreter.
pub(crate) fn dynamic_of(value: &Value) -> Dynamic {
    match value {
        Value::Unit => Dynamic::UNIT,
        Value::Bool(b) => Dynamic::from_bool(*b),
        Value::Int(n) => Dynamic::from_int(*n),
        Value::Text(text) => text.as_ref().into(),
        Value::List(values) => Dynamic::from_array(values.iter().map(dynamic_of).collect()),
        Value::Map(map) => Dynamic::from_map(map.iter().map(|(k, v)| (k.as_ref().into(), dynamic_of(v))).collect()),
        Value::Player(seat) => Dynamic::from(*seat),
        Value::Spot(spot) => Dynamic::from(*spot),
        Value::Corner(corner) => Dynamic::from(*corner),
        Value::Border(border) => Dynamic::from(*border),
        Value::TileType(tile) => Dynamic::from(*tile),
        Value::Tile(tile) => Dynamic::from(*tile),
        Value::Zone(zone) => Dynamic::from(*zone),
        Value::Feature(feature) => Dynamic::from(*feature),
        Value::Piece(piece) => Dynamic::from(*piece),
        Value::Space(space) => Dynamic::from(TrackSpace(*space)),
        Value::Deck(deck) => Dynamic::from(*deck),
        Value::Card(card) => Dynamic::from(CardRef(*card)),
        Value::Placement(tile, at) => Dynamic::from(TilePlacement { tile: *tile, at: *at }),
        Value::Deployment(kind, zone) => Dynamic::from(Deployment { kind: *kind, zone: *zone }),
        Value::Score => Dynamic::from(Score),
        Value::Option(option) => Dynamic::from(ScriptOption(option.clone())),
    }
}

/// Converts a value of the interpreter to a value of the rules. If the value cannot be stored,
/// returns the name of its type as the error.
pub(crate) fn value_of(dynamic: &Dynamic) -> Result<Value, &'static str> {
    nested_value(dynamic, 0)
}

fn nested_value(dynamic: &Dynamic, depth: usize) -> Result<Value, &'static str> {
    if depth > MAX_DEPTH {
        return Err("lists and maps nested so deeply");
    }
    if dynamic.is_unit() {
        return Ok(Value::Unit);
    }
    if let Ok(n) = dynamic.as_int() {
        return Ok(Value::Int(n));
    }
    if let Ok(b) = dynamic.as_bool() {
        return Ok(Value::Bool(b));
    }
    if let Some(text) = dynamic.read_lock::<ImmutableString>() {
        return Ok(Value::Text(Arc::from(text.as_str())));
    }
    if let Ok(c) = dynamic.as_char() {
        return Ok(Value::Text(Arc::from(c.to_string())));
    }
    if let Some(list) = dynamic.read_lock::<Array>() {
        let values: Result<Vec<Value>, _> = list.iter().map(|v| nested_value(v, depth + 1)).collect();
        return Ok(Value::List(Arc::new(values?)));
    }
    if let Some(map) = dynamic.read_lock::<Map>() {
        let mut values = BTreeMap::new();
        for (key, value) in map.iter() {
            values.insert(Arc::from(key.as_str()), nested_value(value, depth + 1)?);
        }
        return Ok(Value::Map(Arc::new(values)));
    }
    handle_value(dynamic).ok_or_else(|| refused_type_name(dynamic))
}

fn handle_value(dynamic: &Dynamic) -> Option<Value> {
    macro_rules! handles {
        ($($handle:ty => |$it:ident| $value:expr),* $(,)?) => {
            $(if let Some($it) = dynamic.read_lock::<$handle>() {
                return Some($value);
            })*
        };
    }
    handles! {
        Seat => |it| Value::Player(*it),
        Spot => |it| Value::Spot(*it),
        Corner => |it| Value::Corner(*it),
        Border => |it| Value::Border(*it),
        ZoneRef => |it| Value::Zone(*it),
        PieceRef => |it| Value::Piece(*it),
        FeatureRef => |it| Value::Feature(*it),
        TileRef => |it| Value::Tile(*it),
        TileIdx => |it| Value::TileType(*it),
        TrackSpace => |it| Value::Space(it.0),
        DeckIdx => |it| Value::Deck(*it),
        CardRef => |it| Value::Card(it.0),
        TilePlacement => |it| Value::Placement(it.tile, it.at),
        Deployment => |it| Value::Deployment(it.kind, it.zone),
        ScriptOption => |it| Value::Option(it.0.clone()),
        ZoneSet => |it| Value::list(it.iter().map(Value::Zone)),
    }
    // A scoring function may return `score`. The value has no meaning, because the function has
    // already submitted its terms.
    dynamic.is::<Score>().then_some(Value::Score)
}

fn refused_type_name(dynamic: &Dynamic) -> &'static str {
    match () {
        () if dynamic.is::<FnPtr>() => "a function",
        () if dynamic.is::<Range<i64>>() || dynamic.is::<RangeInclusive<i64>>() => "a range",
        () if dynamic.is::<TurnView>() => "the turn",
        () if dynamic.is::<SettingsView>() => "the settings",
        () => "something else",
    }
}

/// Converts a value of the interpreter to an argument of a native function.
pub(crate) fn script_value_of(dynamic: &Dynamic) -> ScriptValue {
    if let Some(zones) = dynamic.read_lock::<ZoneSet>() {
        return ScriptValue::Zones(zones.clone());
    }
    match value_of(dynamic) {
        Ok(value) => ScriptValue::Plain(value),
        Err(_) if dynamic.is::<TurnView>() => ScriptValue::Turn,
        Err(_) if dynamic.is::<SettingsView>() => ScriptValue::Settings,
        Err("a function") if dynamic.is_array() => ScriptValue::Foreign("a list with a function in it"),
        Err(what) => ScriptValue::Foreign(what),
    }
}

/// Converts the result of a native function to a value of the interpreter.
pub(crate) fn dynamic_of_script_value(held: ScriptValue) -> Dynamic {
    match held {
        ScriptValue::Plain(value) => dynamic_of(&value),
        ScriptValue::Zones(zones) => Dynamic::from(zones),
        ScriptValue::Turn => Dynamic::from(TurnView),
        ScriptValue::Settings => Dynamic::from(SettingsView),
        ScriptValue::Foreign(_) => Dynamic::UNIT,
    }
}

/// Makes an option from its word, its subject `about`, and data for the script.
pub(crate) fn option_value(word: Arc<str>, about: Value, data: Value) -> ScriptOption {
    ScriptOption(Arc::new(OptionValue { word, about, data }))
}
