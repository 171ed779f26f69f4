//! Checks closures for two mistakes: variables with the name of a function, and uses of a list that
//! the call of the closure may change.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTNode, Expr, Position, Stmt};

use super::syntax::enclosing_function;
use super::vocabulary::Findings;
use crate::compile::ScriptFn;
use crate::copied_roots::failing_call;
use crate::error_text::CLOSURE_PREFIX;
use crate::scan::ScriptScan;

/// Reports the ambiguous names in closures. Such a name is both a function of the script and a
/// variable of the function around the closure. The parser takes it for the function, and does not
/// capture the variable.
pub(super) fn check_names(ast: &AST, scanned: &ScriptScan, found: &mut Findings) {
    let functions: BTreeSet<&str> = scanned.functions.iter().map(|function| function.name.as_str()).collect();
    let mut locals: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for (i, function) in scanned.functions.iter().enumerate() {
        locals.entry(i).or_default().extend(function.params.iter().cloned());
    }
    ast.walk(&mut |path| {
        let (name, at) = match path.last() {
            Some(ASTNode::Stmt(Stmt::Var(it, _, at))) => (&it.0.name, *at),
            Some(ASTNode::Stmt(Stmt::For(it, at))) => (&it.0.name, *at),
            _ => return true,
        };
        if let Some(i) = enclosing_function(at, scanned) {
            locals.entry(i).or_default().insert(name.to_string());
        }
        true
    });
    for closure in ast.iter_functions().filter(|function| function.name.starts_with(CLOSURE_PREFIX)) {
        let Some(it) = ScriptFn::find(ast, closure.name, closure.params.len()) else { continue };
        let own: BTreeSet<&str> = it.params.iter().map(|param| param.as_str()).collect();
        for (name, at) in free_variables(&it.body) {
            let is_local =
                || enclosing_function(at, scanned).and_then(|i| locals.get(&i)).is_some_and(|it| it.contains(&name));
            if functions.contains(name.as_str()) && !own.contains(name.as_str()) && is_local() {
                let message = format!("in this closure `{name}` is the function, not the variable of this name");
                found.warn(at, message, Some("give the variable another name".to_owned()));
            }
        }
    }
}

/// Returns the variables that the statements in `body` use but do not declare, each with a
/// position.
fn free_variables(body: &[Stmt]) -> Vec<(String, Position)> {
    let (mut read, mut declared) = (Vec::new(), BTreeSet::new());
    for statement in body {
        statement.walk(&mut Vec::new(), &mut |path| {
            match path.last() {
                Some(ASTNode::Expr(Expr::Variable(it, _, at))) => read.push((it.1.to_string(), *at)),
                Some(ASTNode::Stmt(Stmt::Var(it, ..))) => drop(declared.insert(it.0.name.to_string())),
                Some(ASTNode::Stmt(Stmt::For(it, _))) => drop(declared.insert(it.0.name.to_string())),
                _ => {}
            }
            true
        });
    }
    read.retain(|(name, _)| !declared.contains(name));
    read
}

/// Warns of closures that use the variable at the start of a chain that may change it, such as
/// `words.retain(|it| it != words[0])`. The interpreter refuses such calls, unless the variable is
/// a constant of the script.
pub(super) fn check_captures(path: &[ASTNode], scanned: &ScriptScan, found: &mut Findings) {
    let Some(call) = failing_call(path) else { return };
    let name = call.variable;
    if scanned.constants.iter().all(|constant| constant != name) {
        let message = format!("this closure uses `{name}` while `{}` runs on it, which fails", call.method);
        let help = format!("copy it first: `let copy = {name};`, and use `copy` in the closure");
        found.warn(call.captured_at, message, Some(help));
    }
}
