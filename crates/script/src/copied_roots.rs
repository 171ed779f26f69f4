//! Copies of variables at the start of chains, such as `tile` in
//! `tile.zones.filter(|zone| zone.tile == tile)`.
//!
//! The interpreter locks the variable at the start of a chain while the chain runs, so a closure in
//! the chain could not read this variable. Therefore such a chain starts with a copy: the compiler
//! gives the variable there another name, and the interpreter resolves that name to a copy of the
//! value. A chain that changes its variable, such as `list.retain(...)`, keeps the variable.

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Engine, Expr, FnCallExpr, Position, Stmt, Token};

use crate::api::table;
use crate::entry::EntrySyntax;

/// The prefix of the name of a variable whose value is copied. No script can contain this name.
const PREFIX: &str = "copy$";

/// Methods of the language's library that change nothing.
const PURE_METHODS: [&str; 16] = [
    "all",
    "contains",
    "ends_with",
    "filter",
    "find",
    "find_map",
    "get",
    "index_of",
    "is_empty",
    "keys",
    "len",
    "map",
    "reduce",
    "some",
    "starts_with",
    "values",
];

/// A call in a chain whose closure uses the variable at the start of the chain.
pub(crate) struct CapturingCall<'a> {
    /// The variable at the start of the chain.
    pub variable: &'a str,
    pub variable_at: Position,
    /// The name of the called method.
    pub method: &'a str,
    /// The place of the variable in the closure.
    pub captured_at: Position,
    /// True if no call in the chain can change the variable.
    is_pure: bool,
}

/// Returns the variable whose copy `name` means. Returns `None` if `name` means no copy.
pub(crate) fn copied_variable(name: &str) -> Option<&str> {
    name.strip_prefix(PREFIX)
}

/// Makes an engine compile the variables at these places as copies.
pub(crate) fn copy_variables(engine: &mut Engine, places: BTreeSet<Position>) {
    // Rhai marks this function as deprecated only because it may change; `Cargo.lock` fixes the
    // version of Rhai.
    #[allow(deprecated)]
    engine.on_parse_token(move |token, at, _| match token {
        Token::Identifier(name) if places.contains(&at) => {
            Token::Identifier(Box::new(format!("{PREFIX}{name}").into()))
        }
        token => token,
    });
}

/// Returns the places of the variables that must be copied.
pub(crate) fn places_of_copies(ast: &AST) -> BTreeSet<Position> {
    let mut places = BTreeSet::new();
    ast.walk(&mut |path| {
        places.extend(capturing_call(path).filter(|call| call.is_pure).map(|call| call.variable_at));
        true
    });
    places
}

/// Returns the first call in a chain that fails, if there is one. A call fails if its closure uses
/// the variable at the start of the chain, and the chain may change this variable. `path` leads to
/// the chain.
pub(crate) fn failing_call<'a>(path: &[ASTNode<'a>]) -> Option<CapturingCall<'a>> {
    capturing_call(path).filter(|call| !call.is_pure)
}

/// Returns the first call in a chain whose closure uses the variable at the start of the chain.
/// `path` leads to the chain. Returns `None` if another node is there, or an assignment to a part
/// of the variable.
fn capturing_call<'a>(path: &[ASTNode<'a>]) -> Option<CapturingCall<'a>> {
    let (ASTNode::Expr(chain), around) = path.split_last()? else { return None };
    let (Expr::Dot(it, ..) | Expr::Index(it, ..)) = chain else { return None };
    let Expr::Variable(variable, _, variable_at) = &it.lhs else { return None };
    if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = around.last()
        && std::ptr::eq(&raw const assignment.1.lhs, *chain)
    {
        return None;
    }
    let (variable, variable_at) = (variable.1.as_str(), *variable_at);
    let mut is_pure = true;
    let mut rest = &it.rhs;
    loop {
        let (link, next) = match rest {
            Expr::Dot(inner, ..) | Expr::Index(inner, ..) => (&inner.lhs, Some(&inner.rhs)),
            last => (last, None),
        };
        if let Expr::MethodCall(call, _) = link {
            is_pure &= is_pure_method(&call.name);
            if let Some(captured_at) = call.args.iter().find_map(|arg| find_capture(arg, variable)) {
                return Some(CapturingCall { variable, variable_at, method: &call.name, captured_at, is_pure });
            }
        }
        rest = next?;
    }
}

fn is_pure_method(name: &str) -> bool {
    PURE_METHODS.contains(&name) || table().iter().any(|entry| entry.form == EntrySyntax::Method && entry.name == name)
}

/// Returns the place of the variable `name` in the closure `arg`, if the closure captures it.
fn find_capture(arg: &Expr, name: &str) -> Option<Position> {
    let Expr::Stmt(block) = arg else { return None };
    let is_curry = |call: &FnCallExpr| call.name == "curry";
    let is_closure = block.iter().any(|statement| match statement {
        Stmt::FnCall(call, _) => is_curry(call),
        Stmt::Expr(it) => matches!(&**it, Expr::FnCall(call, _) if is_curry(call)),
        _ => false,
    });
    block.iter().filter(|_| is_closure).find_map(|statement| match statement {
        Stmt::Share(shared) => shared.iter().find(|(ident, _)| ident.name == name).map(|(ident, _)| ident.pos),
        _ => None,
    })
}
