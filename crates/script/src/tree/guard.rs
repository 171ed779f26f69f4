//! Guards: tests of `mem` in the first line of a function. If the test is true, the function
//! returns at once.
//!
//! Most phases run in every part of a turn, but have something to do in few of them. Their first
//! line then reads like `if !mem.part.get("is_due", false) { return; }`. The engine makes this test
//! itself. Otherwise, two such phases would take a tenth of the time of a random game with all
//! expansions (benchmark `random_game`).

use std::sync::Arc;

use rules::{ModIdx, Scope, State, Value};

use super::{Block, Builtin, Expr, Statement};
use crate::script_value::ScriptValue;

/// A test of an entry of `mem`. If it is true, the function returns without a value.
pub(crate) struct Guard {
    scope: Scope,
    key: Arc<str>,
    test: Test,
}

/// A condition on an entry. Each condition is also true if there is no entry.
#[derive(Clone, Copy)]
enum Test {
    /// There is no entry: `!("key" in mem.game)`.
    Missing,
    /// The entry is false: `!mem.game.get("key", false)`.
    False,
    /// The entry is an empty list: `mem.game.get("key", []).is_empty()`.
    Empty,
}

impl Guard {
    /// Returns the guard with which a function begins, if any.
    pub fn of(body: &Block) -> Option<Guard> {
        let Some(Statement::If(condition, then, otherwise)) = body.first() else { return None };
        let [Statement::Return(Expr::Const(ScriptValue::UNIT))] = &**then else { return None };
        if !otherwise.is_empty() {
            return None;
        }
        let guard = |scope: &Scope, key: &Expr, test| {
            let Expr::Const(ScriptValue::Plain(Value::Text(key))) = key else { return None };
            Some(Guard { scope: *scope, key: key.clone(), test })
        };
        match condition {
            Expr::Not(of) => match &**of {
                Expr::Remembers(scope, key) => guard(scope, key, Test::Missing),
                Expr::MemoryOr(scope, both) if is_constant(&both[1], &Value::Bool(false)) => {
                    guard(scope, &both[0], Test::False)
                }
                _ => None,
            },
            Expr::Native(Builtin::IsEmpty, _, args) => match &**args {
                [Expr::MemoryOr(scope, both)] if is_empty_list(&both[1]) => guard(scope, &both[0], Test::Empty),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns whether the test is true for mod `owner`, so that a call would return at once.
    pub(crate) fn is_true(&self, state: &State, owner: ModIdx) -> bool {
        let entry = state.memory(owner, self.scope).and_then(|memory| memory.get(&self.key));
        match (entry, self.test) {
            (None, _) => true,
            (Some(entry), Test::False) => *entry == Value::Bool(false),
            (Some(Value::List(items)), Test::Empty) => items.is_empty(),
            (Some(_), _) => false,
        }
    }
}

fn is_constant(expr: &Expr, wanted: &Value) -> bool {
    matches!(expr, Expr::Const(ScriptValue::Plain(value)) if value == wanted)
}

fn is_empty_list(expr: &Expr) -> bool {
    is_constant(expr, &Value::list([])) || matches!(expr, Expr::List(items) if items.is_empty())
}
