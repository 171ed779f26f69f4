//! The weight of values, which determines the charge for reading and copying them. Also checks the
//! limits on the size and depth of values.
//!
//! The unit of weight is one item of a list, about 16 bytes. A value has the same weight in the
//! interpreter and in the rules.

use std::collections::BTreeMap;
use std::sync::Arc;

use rhai::{Array, Dynamic, EvalAltResult, FnPtr, ImmutableString, Map, Position};
use rules::Value;

use crate::limits::{MAX_ARRAY, MAX_MAP};

/// The maximum nesting depth of lists, maps and functions.
pub(crate) const MAX_DEPTH: usize = 16;

/// The weight of an empty list, map or function. Each entry of a map also adds this weight to the
/// weights of its key and its value.
const CONTAINER_WEIGHT: u64 = 4;

/// The number of bytes of a text that weigh as much as one item of a list. These bytes need less
/// memory than an item, but take longer to search.
const BYTES_PER_UNIT: usize = 2;

/// The maximum number of items of all lists in a value together. The limit is higher than
/// [`MAX_ARRAY`], the limit for lists that a script makes, because the engine may return larger
/// values.
const MAX_ITEMS: usize = 4 * MAX_ARRAY;
/// The maximum number of entries of all maps in a value together.
const MAX_ENTRIES: usize = 4 * MAX_MAP;

/// The largest weight of a value that contains functions, including the values bound to these
/// functions.
const MAX_WEIGHT: u64 = 1 << 20;

/// A limit that a value exceeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExceededLimit {
    /// The value is nested too deeply, or contains itself.
    Deep,
    /// All lists in the value together have too many items, or a value with functions weighs too
    /// much.
    Items,
    /// All maps in the value together have too many entries.
    Entries,
    /// A text would become too long.
    Letters,
}

impl ExceededLimit {
    /// Converts the exceeded limit to an error of the interpreter.
    #[cold]
    pub fn error(self) -> Box<EvalAltResult> {
        let large = |what: &str| EvalAltResult::ErrorDataTooLarge(what.to_owned(), Position::NONE);
        Box::new(match self {
            ExceededLimit::Deep => EvalAltResult::ErrorRuntime(too_deep().into(), Position::NONE),
            ExceededLimit::Items => large("Size of array"),
            ExceededLimit::Entries => large("Size of object map"),
            ExceededLimit::Letters => large("Length of string"),
        })
    }
}

/// Returns the message for a value that is nested too deeply.
#[cold]
pub(crate) fn too_deep() -> String {
    format!(
        "lists, maps and functions are nested more than {MAX_DEPTH} deep here; check that none is put into itself, and write a closure that calls itself as an `fn`"
    )
}

/// Returns the weight of a text.
pub(crate) const fn of_text(text: &str) -> u64 {
    1 + (text.len() / BYTES_PER_UNIT) as u64
}

/// Returns the weight of an entry of a map without its value.
const fn of_key(key: &str) -> u64 {
    CONTAINER_WEIGHT + (key.len() / BYTES_PER_UNIT) as u64
}

/// Returns the weight of a value of the interpreter, including all values in it.
///
/// # Errors
/// Returns an error if the value is too large or too deeply nested.
pub(crate) fn of_dynamic(value: &Dynamic) -> Result<u64, ExceededLimit> {
    let mut held = ContentCount::default();
    held.add(value, 0)?;
    Ok(held.weight)
}

/// Returns the weight of a value of the rules.
pub(crate) fn of_value(value: &Value) -> u64 {
    match value {
        Value::Text(text) => of_text(text),
        Value::List(list) => list.iter().map(of_value).sum::<u64>() + CONTAINER_WEIGHT,
        Value::Map(map) => of_entries(map) + CONTAINER_WEIGHT,
        _ => 1,
    }
}

/// Returns the weight of the entries of a map.
pub(crate) fn of_entries(map: &BTreeMap<Arc<str>, Value>) -> u64 {
    map.iter().map(|(key, value)| of_entry(key, value)).sum()
}

/// Returns the weight of an entry of a map.
pub(crate) fn of_entry(key: &str, value: &Value) -> u64 {
    of_key(key) + of_value(value)
}

/// The weight of a value and the numbers of its list items and map entries, as counted so far.
#[derive(Default)]
struct ContentCount {
    weight: u64,
    items: usize,
    entries: usize,
}

impl ContentCount {
    /// Adds a value of the interpreter and all values in it. A value that contains itself exceeds
    /// the depth limit.
    fn add(&mut self, value: &Dynamic, depth: usize) -> Result<(), ExceededLimit> {
        if value.is_int() || value.is_variant() || value.is_bool() || value.is_unit() {
            self.weight += 1;
            return Ok(());
        }
        if value.is_shared() {
            // If the value is locked, the function that is changing it has already checked its
            // size.
            return value.read_lock::<Dynamic>().map_or(Ok(()), |value| self.add(&value, depth));
        }
        if let Some(list) = value.read_lock::<Array>() {
            self.items += list.len();
            if self.items > MAX_ITEMS {
                return Err(ExceededLimit::Items);
            }
            self.weight += CONTAINER_WEIGHT;
            return self.add_all(list.iter(), depth);
        }
        if let Some(map) = value.read_lock::<Map>() {
            self.entries += map.len();
            if self.entries > MAX_ENTRIES {
                return Err(ExceededLimit::Entries);
            }
            self.weight += CONTAINER_WEIGHT + map.keys().map(|key| of_key(key)).sum::<u64>();
            return self.add_all(map.values(), depth);
        }
        if let Some(function) = value.read_lock::<FnPtr>() {
            self.weight += CONTAINER_WEIGHT;
            if self.weight > MAX_WEIGHT {
                return Err(ExceededLimit::Items);
            }
            return self.add_all(function.curry().iter(), depth);
        }
        self.weight += value.read_lock::<ImmutableString>().map_or(1, |text| of_text(&text));
        Ok(())
    }

    fn add_all<'v>(&mut self, values: impl Iterator<Item = &'v Dynamic>, depth: usize) -> Result<(), ExceededLimit> {
        if depth == MAX_DEPTH {
            return Err(ExceededLimit::Deep);
        }
        values.into_iter().try_for_each(|value| self.add(value, depth + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::dynamic_of;

    fn nested(depth: usize) -> Value {
        (0..depth).fold(Value::Int(1), |inner, _| Value::list([inner]))
    }

    #[test]
    fn both_sorts_of_values_weigh_the_same() {
        let map = Value::Map(Arc::new([("a".into(), Value::Bool(true)), ("long key".into(), Value::Unit)].into()));
        let list = Value::list([Value::Int(1), Value::text("twelve bytes"), map, Value::list([])]);
        for value in [list, nested(5), Value::text("x"), Value::Unit, Value::Player(rules::Seat(1))] {
            assert_eq!(of_dynamic(&dynamic_of(&value)), Ok(of_value(&value)), "{value:?}");
        }
    }

    #[test]
    fn depth_is_limited() {
        assert!(of_dynamic(&dynamic_of(&nested(MAX_DEPTH))).is_ok());
        assert_eq!(of_dynamic(&dynamic_of(&nested(MAX_DEPTH + 1))), Err(ExceededLimit::Deep));
    }

    #[test]
    fn what_holds_itself_is_too_deep() {
        let mut shared = Dynamic::from_array(Array::new()).into_shared();
        let inner = shared.clone();
        if let Some(mut list) = shared.write_lock::<Array>() {
            list.push(inner);
        }
        assert_eq!(of_dynamic(&shared), Err(ExceededLimit::Deep));
        // Breaks the cycle by hand, because a cycle of counted references is never freed.
        if let Some(mut list) = shared.write_lock::<Array>() {
            list.clear();
        }
    }
}
