//! Sets entries of lists and maps, and removes items and entries from them.

use std::sync::Arc;

use rules::Value;

use super::operators::{assign, check_size, size_of};
use super::{Bail, Op, RemovalMethod, TreeResult};
use crate::core::Cx;
use crate::script_value::ScriptValue;

/// Sets the entry `key` of a list or map to `value`. If `op` is given, applies this operator to the
/// entry and `value` instead.
pub(super) fn set_part(
    cx: &Cx,
    whole: &mut ScriptValue,
    key: &ScriptValue,
    op: Option<Op>,
    value: Value,
) -> TreeResult<()> {
    let ScriptValue::Plain(whole) = whole else { return Err(Bail::Interpret) };
    let entry = match (&mut *whole, key) {
        (Value::List(list), ScriptValue::Plain(Value::Int(at))) => {
            let at = resolve_index(list.len(), *at).ok_or(Bail::Interpret)?;
            Arc::make_mut(list).get_mut(at).ok_or(Bail::Interpret)?
        }
        (Value::Map(map), ScriptValue::Plain(Value::Text(key))) => match op {
            None => Arc::make_mut(map).entry(key.clone()).or_default(),
            Some(_) => Arc::make_mut(map).get_mut(key).ok_or(Bail::Interpret)?,
        },
        _ => return Err(Bail::Interpret),
    };
    match op {
        None => *entry = value,
        Some(op) => {
            let mut changed = ScriptValue::Plain(std::mem::take(entry));
            assign(cx, &mut changed, op, value.into())?;
            let ScriptValue::Plain(changed) = changed else { return Err(Bail::Interpret) };
            *entry = changed;
        }
    }
    check_size([size_of(whole)])
}

/// Removes an item of a list or an entry of a map. Returns the removed value, or `()` if there is
/// none.
pub(super) fn remove(whole: &mut ScriptValue, removal: RemovalMethod, key: &ScriptValue) -> TreeResult<Value> {
    let ScriptValue::Plain(whole) = whole else { return Err(Bail::Interpret) };
    match (whole, removal, key) {
        (Value::List(list), removal, key) => {
            let at = match (removal, key) {
                (RemovalMethod::Remove, ScriptValue::Plain(Value::Int(at))) => resolve_index(list.len(), *at),
                (RemovalMethod::Remove, _) => return Err(Bail::Interpret),
                (RemovalMethod::Pop, _) => list.len().checked_sub(1),
                (RemovalMethod::Shift, _) => Some(0),
            };
            let at = at.filter(|at| *at < list.len());
            Ok(at.map_or(Value::Unit, |at| Arc::make_mut(list).remove(at)))
        }
        (Value::Map(map), RemovalMethod::Remove, ScriptValue::Plain(Value::Text(key))) => {
            Ok(Arc::make_mut(map).remove(key).unwrap_or_default())
        }
        _ => Err(Bail::Interpret),
    }
}

/// Returns the position of item `at` in a list of `len` items; `None` if there is no such item.
/// Negative numbers count from the end.
fn resolve_index(len: usize, at: i64) -> Option<usize> {
    let at =
        if at < 0 { len.checked_sub(usize::try_from(at.unsigned_abs()).ok()?)? } else { usize::try_from(at).ok()? };
    Some(at).filter(|at| *at < len)
}
