//! Helpers for the syntax trees of scripts.

use rhai::{Expr, FnCallExpr, Position};

use crate::scan::{DefinedFunction, ScriptScan};

/// Returns the index in `scanned` of the function in which a position lies; `None` if the position
/// lies before all functions.
pub(super) fn enclosing_function(at: Position, scanned: &ScriptScan) -> Option<usize> {
    let here = (at.line().unwrap_or(1), at.position().unwrap_or(1));
    scanned.functions.iter().rposition(|function: &DefinedFunction| function.line_and_column() <= here)
}

/// Iterates over the links of a chain: `tile` and `spot` in the part `tile.spot` of
/// `turn.tile.spot`.
pub(super) fn links_of(chain: &Expr) -> impl Iterator<Item = &Expr> {
    let mut rest = Some(chain);
    std::iter::from_fn(move || {
        let (link, after) = match rest? {
            Expr::Dot(inner, ..) => (&inner.lhs, Some(&inner.rhs)),
            last => (last, None),
        };
        rest = after;
        Some(link)
    })
}

/// Returns the call right after the first dot of a chain, if there is one.
pub(super) fn first_call(rest: &Expr) -> Option<&FnCallExpr> {
    match rest {
        Expr::Dot(it, ..) | Expr::Index(it, ..) => first_call(&it.lhs),
        Expr::MethodCall(call, _) => Some(call),
        _ => None,
    }
}

/// Returns the variable at the beginning of a chain, and its place: `tile` in `tile.zones[0].kind`.
/// Returns `None` if the chain begins with something else.
pub(super) fn root_variable(expression: &Expr) -> Option<(&str, Position)> {
    match expression {
        Expr::Dot(it, ..) | Expr::Index(it, ..) => root_variable(&it.lhs),
        Expr::Variable(variable, _, at) => Some((variable.1.as_str(), *at)),
        _ => None,
    }
}
