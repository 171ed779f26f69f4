//! Values of expressions, in the form that statements and operators need.

use std::sync::Arc;

use rules::Value;

use super::{Bail, Expr, TreeResult};
use crate::script_value::ScriptValue;

/// Returns the value of an expression: the value of its slot, its constant, or, for other
/// expressions, the computed value `made`.
#[inline]
pub(super) fn value_at<'v>(expr: &'v Expr, made: &'v ScriptValue, slots: &'v [ScriptValue]) -> &'v ScriptValue {
    match expr {
        Expr::Slot(slot) => &slots[*slot],
        Expr::Const(value) => value,
        _ => made,
    }
}

/// Returns the value in the form in which lists, maps and `mem` contain it. If the value has no
/// such form in a tree, the interpreter takes over.
pub(super) fn plain(held: ScriptValue) -> TreeResult<Value> {
    match held {
        ScriptValue::Plain(value) => Ok(value),
        _ => Err(Bail::Interpret),
    }
}

pub(super) fn text(held: ScriptValue) -> TreeResult<Arc<str>> {
    match held {
        ScriptValue::Plain(Value::Text(text)) => Ok(text),
        _ => Err(Bail::Interpret),
    }
}

/// Returns the text of an expression without copying it.
pub(super) fn text_at<'v>(expr: &'v Expr, made: &'v ScriptValue, slots: &'v [ScriptValue]) -> TreeResult<&'v str> {
    match value_at(expr, made, slots) {
        ScriptValue::Plain(Value::Text(text)) => Ok(text),
        _ => Err(Bail::Interpret),
    }
}

pub(super) fn list_in(held: ScriptValue) -> TreeResult<Arc<Vec<Value>>> {
    match held {
        ScriptValue::Plain(Value::List(list)) => Ok(list),
        _ => Err(Bail::Interpret),
    }
}
