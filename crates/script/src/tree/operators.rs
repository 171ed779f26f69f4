//! Computes the built-in operators of trees, and the sizes of values.

use std::cmp::Ordering;
use std::sync::Arc;

use rules::Value;

use super::{Bail, Op, TreeResult};
use crate::core::Cx;
use crate::handles::{compare, is_known, text_of};
use crate::limits::{MAX_ARRAY, MAX_MAP, MAX_STRING};
use crate::script_value::ScriptValue;

/// The largest size and depth of a value in a tree. These limits are below the interpreter's limits
/// and the limits of stored data.
pub(super) const MAX_SIZE: ValueSize =
    ValueSize { items: MAX_ARRAY / 8, entries: MAX_MAP / 8, bytes: MAX_STRING / 4, depth: 12 };

/// The size of a value, nested values included: items of lists, entries of maps, bytes of texts,
/// and the depth.
#[derive(Clone, Copy, Default)]
pub(super) struct ValueSize {
    items: usize,
    entries: usize,
    pub bytes: usize,
    depth: usize,
}

impl ValueSize {
    /// Adds the size of another value in the same list or map. The depth becomes the greater of the
    /// two depths.
    fn add(&mut self, other: ValueSize) {
        self.items += other.items;
        self.entries += other.entries;
        self.bytes += other.bytes;
        self.depth = self.depth.max(other.depth);
    }
}

pub(super) fn size_of(value: &Value) -> ValueSize {
    let mut size = ValueSize::default();
    match value {
        Value::Text(text) => size.bytes = text.len(),
        Value::List(list) => {
            list.iter().for_each(|item| size.add(size_of(item)));
            size.items += list.len();
            size.depth += 1;
        }
        Value::Map(map) => {
            map.values().for_each(|value| size.add(size_of(value)));
            size.entries += map.len();
            size.depth += 1;
        }
        _ => {}
    }
    size
}

/// Checks that the total of `sizes` does not exceed [`MAX_SIZE`].
pub(super) fn check_size(sizes: impl IntoIterator<Item = ValueSize>) -> TreeResult<()> {
    let mut all = ValueSize::default();
    sizes.into_iter().for_each(|size| all.add(size));
    let ValueSize { items, entries, bytes, depth } = MAX_SIZE;
    if all.items > items || all.entries > entries || all.bytes > bytes || all.depth > depth {
        return Err(Bail::Interpret);
    }
    Ok(())
}

/// Checks that `list` has room for the items `added`.
pub(super) fn check_room(list: &[Value], added: &[Value]) -> TreeResult<()> {
    let n = ValueSize { items: list.len() + added.len(), depth: 1, ..ValueSize::default() };
    check_size(std::iter::once(n).chain(list.iter().chain(added).map(size_of)))
}

/// Computes `to = to op value`.
pub(super) fn assign(cx: &Cx, to: &mut ScriptValue, op: Op, value: ScriptValue) -> TreeResult<()> {
    if let (Op::Add, ScriptValue::Plain(Value::List(list)), ScriptValue::Plain(Value::List(more))) =
        (op, &mut *to, &value)
    {
        check_room(list, more)?;
        Arc::make_mut(list).extend(more.iter().cloned());
        return Ok(());
    }
    *to = match joined_text(cx, op, to, &value)? {
        Some(text) => text,
        None => builtin(op, to, &value)?.ok_or(Bail::Interpret)?,
    };
    Ok(())
}

/// Returns the result of the operator `op` for the values `a` and `b`.
pub(super) fn binary(cx: &Cx, op: Op, a: &ScriptValue, b: &ScriptValue) -> TreeResult<ScriptValue> {
    if let (Op::Equal | Op::Unequal, ScriptValue::Plain(Value::List(a)), ScriptValue::Plain(Value::List(b))) =
        (op, a, b)
    {
        return Ok(ScriptValue::truth(same_lists(cx, a, b)? == (op == Op::Equal)));
    }
    if let Some(text) = joined_text(cx, op, a, b)? {
        return Ok(text);
    }
    match builtin(op, a, b)? {
        Some(value) => Ok(value),
        None => Ok(ScriptValue::truth(matches_ordering(op, compare(cx, a, b).ok_or(Bail::Interpret)?))),
    }
}

/// Appends the text of a value to `text`, as `${...}` in backquotes does.
pub(super) fn append_text(cx: &Cx, text: &mut String, value: &ScriptValue) -> TreeResult<()> {
    match value {
        ScriptValue::Plain(Value::Text(more)) => *text += more,
        ScriptValue::Plain(Value::Int(n)) => *text += &n.to_string(),
        ScriptValue::Plain(Value::Bool(truth)) => *text += if *truth { "true" } else { "false" },
        handle if is_known(cx, handle) => *text += &text_of(cx, handle.clone())?,
        _ => return Err(Bail::Interpret),
    }
    if text.len() > MAX_SIZE.bytes { Err(Bail::Interpret) } else { Ok(()) }
}

/// Joins a text and another value with `+`; `None` if neither value or both are texts, or for
/// another operator.
fn joined_text(cx: &Cx, op: Op, a: &ScriptValue, b: &ScriptValue) -> TreeResult<Option<ScriptValue>> {
    let is_text = |it: &ScriptValue| matches!(it, ScriptValue::Plain(Value::Text(_)));
    if op != Op::Add || is_text(a) == is_text(b) {
        return Ok(None);
    }
    let mut text = String::new();
    append_text(cx, &mut text, a)?;
    append_text(cx, &mut text, b)?;
    Ok(Some(Value::Text(text.into()).into()))
}

/// Returns whether two lists are equal.
fn same_lists(cx: &Cx, a: &[Value], b: &[Value]) -> TreeResult<bool> {
    if a.len() != b.len() {
        return Ok(false);
    }
    for (a, b) in a.iter().zip(b) {
        if !cx.core.budget.spend_tree_step() {
            return Err(Bail::Interpret);
        }
        let [a, b] = [a, b].map(|it| ScriptValue::Plain(it.clone()));
        if binary(cx, Op::Equal, &a, &b)? != ScriptValue::truth(true) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the result of a built-in operator; `None` for two handles of one type, which [`binary`]
/// compares.
fn builtin(op: Op, a: &ScriptValue, b: &ScriptValue) -> TreeResult<Option<ScriptValue>> {
    let is_comparison = !matches!(op, Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Remainder);
    let (x, y) = match (a, b) {
        (ScriptValue::Plain(x), ScriptValue::Plain(y)) => (x, y),
        _ if !is_comparison => return Err(Bail::Interpret),
        _ if std::mem::discriminant(a) == std::mem::discriminant(b) => return Ok(None),
        (ScriptValue::Plain(Value::List(_) | Value::Map(_)), _)
        | (_, ScriptValue::Plain(Value::List(_) | Value::Map(_))) => {
            return Err(Bail::Interpret);
        }
        _ => return Ok(Some(ScriptValue::truth(op == Op::Unequal))),
    };
    Ok(Some(match (x, y) {
        (Value::Int(a), Value::Int(b)) => {
            let number = |n: Option<i64>| n.map(ScriptValue::number).ok_or(Bail::Interpret);
            match op {
                Op::Add => number(a.checked_add(*b))?,
                Op::Subtract => number(a.checked_sub(*b))?,
                Op::Multiply => number(a.checked_mul(*b))?,
                Op::Divide => number(a.checked_div(*b))?,
                Op::Remainder => number(a.checked_rem(*b))?,
                _ => ScriptValue::truth(matches_ordering(op, a.cmp(b))),
            }
        }
        (Value::Text(a), Value::Text(b)) => match op {
            Op::Add if a.len() + b.len() <= MAX_SIZE.bytes => Value::Text(format!("{a}{b}").into()).into(),
            _ if is_comparison => ScriptValue::truth(matches_ordering(op, a.cmp(b))),
            _ => return Err(Bail::Interpret),
        },
        (Value::Bool(_), Value::Bool(_)) | (Value::Unit, Value::Unit) => match op {
            Op::Equal => ScriptValue::truth(x == y),
            Op::Unequal => ScriptValue::truth(x != y),
            _ => return Err(Bail::Interpret),
        },
        (Value::List(list), Value::List(more)) if op == Op::Add => {
            check_room(list, more)?;
            ScriptValue::list(list.iter().chain(more.iter()).cloned().collect())
        }
        (Value::List(_) | Value::Map(_), _) | (_, Value::List(_) | Value::Map(_)) => return Err(Bail::Interpret),
        _ if !is_comparison => return Err(Bail::Interpret),
        _ if std::mem::discriminant(x) == std::mem::discriminant(y) => return Ok(None),
        // Values of different types are never equal, and never ordered.
        _ => ScriptValue::truth(op == Op::Unequal),
    }))
}

fn matches_ordering(op: Op, order: Ordering) -> bool {
    match op {
        Op::Equal => order.is_eq(),
        Op::Unequal => order.is_ne(),
        Op::Less => order.is_lt(),
        Op::LessOrEqual => order.is_le(),
        Op::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}
