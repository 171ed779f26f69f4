//! Checks the values that hooks return.

use rhai::{AST, ASTFlags, ASTNode, Expr, Position, Stmt};
use rules::{Hook, HookInfo};

use super::first_walk::FirstWalk;
use super::types::returned_type;
use super::vocabulary::Findings;
use crate::compile::ScriptFn;
use crate::docs::with_article;

/// A point at which a function ends.
enum FunctionEnd {
    /// The function returns the value of this expression.
    Value(Expr),
    /// The function returns nothing, `()`.
    Nothing(Position),
    /// The linter does not know what the function returns.
    Unknown,
}

/// Reports hooks that never return a value although they must. Warns of each value whose type is
/// certainly wrong, and of each way through the function that returns nothing. Also warns of values
/// that the hooks for awards return.
pub(super) fn check_returns(ast: &AST, known: &FirstWalk, found: &mut Findings) {
    for function in &known.scanned.functions {
        let Some(hook) = Hook::named(&function.name).map(Hook::info) else { continue };
        let is_for_award = hook.params.contains(&"score");
        if hook.result.is_empty() && !is_for_award {
            continue;
        }
        let Some(defined) = ScriptFn::find(ast, &function.name, function.params.len()) else { continue };
        let mut ends = Vec::new();
        add_returns(&defined.body, &mut ends);
        add_last(&defined.body, function.at, &mut ends);
        if is_for_award {
            ends.iter().for_each(|end| check_ignored(end, &hook, known, found));
            continue;
        }
        if !ends.is_empty() && ends.iter().all(|end| matches!(end, FunctionEnd::Nothing(_))) {
            let message = format!("`{}` never returns anything, so it has no effect", function.name);
            let help =
                "make the result its last line, without `let` or `=`, or write `return` before the result".to_owned();
            found.error(function.at, message, Some(help));
            continue;
        }
        for end in ends {
            check_end(&end, &hook, known, found);
        }
    }
}

/// Adds the `return` statements of a function with values, at any depth.
fn add_returns(body: &[Stmt], ends: &mut Vec<FunctionEnd>) {
    for statement in body {
        statement.walk(&mut Vec::new(), &mut |path| {
            match path.last() {
                Some(ASTNode::Stmt(Stmt::Return(Some(value), flags, _))) if !flags.contains(ASTFlags::BREAK) => {
                    ends.push(FunctionEnd::Value(Expr::clone(value)));
                }
                Some(ASTNode::Stmt(Stmt::Return(None, flags, at))) if !flags.contains(ASTFlags::BREAK) => {
                    ends.push(FunctionEnd::Nothing(*at));
                }
                _ => {}
            }
            true
        });
    }
}

/// Adds the ends after the last statement of a block. `at` is the place to report if the block is
/// empty.
fn add_last(block: &[Stmt], at: Position, ends: &mut Vec<FunctionEnd>) {
    match block.last() {
        None => ends.push(FunctionEnd::Nothing(at)),
        Some(Stmt::Expr(value)) => add_value(value, ends),
        Some(Stmt::FnCall(call, at)) => ends.push(FunctionEnd::Value(Expr::FnCall(call.clone(), *at))),
        Some(Stmt::Block(block)) => add_last(block.statements(), block.position(), ends),
        Some(Stmt::If(it, at)) => {
            add_last(it.body.statements(), *at, ends);
            add_last(it.branch.statements(), *at, ends);
        }
        Some(Stmt::Switch(it, at)) => {
            it.1.expressions.iter().for_each(|case| add_value(&case.rhs, ends));
            if it.1.def_case.is_none() {
                ends.push(FunctionEnd::Nothing(*at));
            }
        }
        Some(last @ (Stmt::Noop(_) | Stmt::Var(..) | Stmt::Assignment(_) | Stmt::For(..))) => {
            ends.push(FunctionEnd::Nothing(last.position()));
        }
        Some(Stmt::Return(..)) => {}
        Some(_) => ends.push(FunctionEnd::Unknown),
    }
}

fn add_value(value: &Expr, ends: &mut Vec<FunctionEnd>) {
    match value {
        Expr::Stmt(block) => add_last(block.statements(), block.position(), ends),
        Expr::Unit(at) => ends.push(FunctionEnd::Nothing(*at)),
        _ => ends.push(FunctionEnd::Value(value.clone())),
    }
}

/// Warns if a hook cannot return the value of `end`.
fn check_end(end: &FunctionEnd, hook: &HookInfo, known: &FirstWalk, found: &mut Findings) {
    let (at, returned) = match end {
        FunctionEnd::Value(value) => (value.position(), returned_type(value, known)),
        FunctionEnd::Nothing(at) => (*at, Some("()")),
        FunctionEnd::Unknown => return,
    };
    let Some(returned) = returned.filter(|returned| !fits(hook.result, returned)) else { return };
    let text = if returned == "()" { "nothing".to_owned() } else { with_article(returned) };
    found.warn(at, format!("`{}` must return {}, but returns {text} here", hook.name, hook.expected_result()), None);
}

/// Warns of a value that a hook for awards returns, because the engine ignores it. A term such as
/// `score.plus(1, "mill")` may be the last line.
fn check_ignored(end: &FunctionEnd, hook: &HookInfo, known: &FirstWalk, found: &mut Findings) {
    let FunctionEnd::Value(value) = end else { return };
    let Some(returned) = returned_type(value, known) else { return };
    if matches!(returned, "number" | "text" | "truth value") || returned.starts_with("list") {
        let message = format!("`{}` returns {} here, which is ignored", hook.name, with_article(returned));
        let help = "add it with `score.plus(...)`, or replace the points with `score.replace(...)`";
        found.warn(value.position(), message, (returned == "number").then(|| help.to_owned()));
    }
}

/// Returns whether a hook with the result `result` may return a value of the type `returned`.
fn fits(result: &str, returned: &str) -> bool {
    // A set of zones becomes a list.
    let returned = returned.replace("set of", "list of");
    result == "value"
        || result.split(" or ").any(|one| one == returned || returned == "list" && one.starts_with("list of"))
}
