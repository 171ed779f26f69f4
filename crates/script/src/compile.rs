//! Compiles scripts, and makes the constants at the top of a script available to its functions.

use rhai::{AST, ASTNode, Dynamic, Engine, Expr, ImmutableString, Module, ParseError, Position, Scope, Stmt};

use crate::copied_roots::{copy_variables, places_of_copies};
use crate::weight;

/// The script of a mod.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ScriptSource {
    /// The id of the mod.
    pub owner: String,
    /// The name of the file in messages.
    pub file: String,
    /// The text of the script.
    pub text: String,
}

/// Names that scripts may use without declaring them.
pub(crate) const RESERVED: [&str; 4] = ["turn", "settings", "mem", "nobody"];

/// A compiled script with its constants.
pub(crate) struct CompiledScript {
    pub ast: AST,
    pub constants: Vec<(ImmutableString, Dynamic)>,
    /// True if the script uses `this` anywhere.
    pub uses_this: bool,
}

/// Returns a scope with the names that scripts may use without declaring them.
pub(crate) fn reserved_scope<'s>() -> Scope<'s> {
    let mut scope = Scope::new();
    for name in RESERVED {
        // The names are declared as variables, because the compiler would replace constants by
        // their values.
        scope.push(name, ());
    }
    scope
}

/// Compiles a script. Does not check its variables, because the linter does.
///
/// The language hides constants at the top of a script from its functions. Therefore this function
/// puts the constants with literal values into the scope and optimizes the script again. The
/// optimizer then replaces uses of these constants by their values.
///
/// If closures use the variable at the start of their chain, compiles the script a second time, so
/// that these chains start with copies.
///
/// # Errors
/// Returns an error if the text is not a valid script.
pub(crate) fn compile(engine: &Engine, text: &str, file: &str) -> Result<CompiledScript, ParseError> {
    let mut scope = reserved_scope();
    let mut ast = engine.compile_with_scope(&scope, text)?;
    let places = places_of_copies(&ast);
    if !places.is_empty() {
        let mut copying = crate::engine::bare_engine();
        copy_variables(&mut copying, places);
        ast = copying.compile_with_scope(&scope, text)?;
    }
    let constants: Vec<(ImmutableString, Dynamic)> =
        ast.iter_literal_variables(true, false).map(|(name, _, value)| (name.into(), value)).collect();
    for (name, value) in &constants {
        scope.push_constant_dynamic(name.clone(), value.clone());
    }
    let mut ast = engine.optimize_ast(&scope, ast, engine.optimization_level());
    ast.set_source(file);
    // The walk stops at the first `this`, and then returns false.
    let uses_this = !ast.walk(&mut |path| !matches!(path.last(), Some(ASTNode::Expr(Expr::ThisPtr(_)))));
    Ok(CompiledScript { ast, constants, uses_this })
}

/// The largest weight of a literal list, map or text in a function. The weight is limited because
/// each run of the function makes the value again, which the budget does not charge for.
const MAX_LITERAL: u64 = 512;

/// A construct that compiles but is not allowed.
pub(crate) struct ForbiddenConstruct {
    pub at: Position,
    pub message: String,
    pub help: &'static str,
}

/// The names of functions that store their arguments in a list, a map or a function.
const NESTING: [&str; 10] =
    ["push", "insert", "set", "append", "pad", "splice", "mixin", "fill_with", "curry", "reduce"];

/// Returns the forbidden constructs of a script, in the order of the text.
pub(crate) fn forbidden_constructs(ast: &AST) -> Vec<ForbiddenConstruct> {
    let mut found: Vec<ForbiddenConstruct> = Vec::new();
    // Only functions are checked, because constants at the top of a script may be large.
    ast.clone_functions_only().walk(&mut |path| {
        let Some((ASTNode::Expr(expr), around)) = path.split_last() else { return true };
        match expr {
            // The budget charges for the value of a variable at each use, but not for the value of
            // `this`.
            Expr::ThisPtr(at) if around.iter().any(nests) => found.push(ForbiddenConstruct {
                at: *at,
                message: "`this` cannot be put into a list, a map or a function".to_owned(),
                help: "put it into a variable first: `let it = this;`",
            }),
            Expr::Array(..) | Expr::Map(..) | Expr::DynamicConstant(..) | Expr::StringConstant(..)
                if weight_of_literal(expr) > MAX_LITERAL && !around.iter().any(is_literal) =>
            {
                let message = format!("this literal is too large for a function (more than {MAX_LITERAL} values)");
                let help = "make it a `const` at the top of the script";
                found.push(ForbiddenConstruct { at: expr.position(), message, help });
            }
            _ => {}
        }
        true
    });
    found.sort_by_key(|refused| (refused.at.line(), refused.at.position()));
    found
}

/// Returns whether a node is a literal list or map.
fn is_literal(node: &ASTNode) -> bool {
    matches!(node, ASTNode::Expr(Expr::Array(..) | Expr::Map(..)))
}

/// Returns whether a node of the syntax tree stores its contents in a list, a map, a function or a
/// part of `this`.
fn nests(node: &ASTNode) -> bool {
    match node {
        node if is_literal(node) => true,
        ASTNode::Expr(Expr::MethodCall(call, _) | Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => {
            NESTING.contains(&call.name.as_str())
        }
        ASTNode::Stmt(Stmt::Assignment(assignment)) => is_part_of_this(&assignment.1.lhs),
        _ => false,
    }
}

/// Returns whether an expression is a part of `this`, such as `this.name`.
fn is_part_of_this(expr: &Expr) -> bool {
    match expr {
        Expr::Dot(chain, ..) | Expr::Index(chain, ..) => {
            matches!(chain.lhs, Expr::ThisPtr(_)) || is_part_of_this(&chain.lhs)
        }
        _ => false,
    }
}

/// Returns the weight of a literal. Each part of the literal that is not constant has weight 1.
fn weight_of_literal(expr: &Expr) -> u64 {
    match expr {
        Expr::Array(items, _) => 4 + items.iter().map(weight_of_literal).sum::<u64>(),
        Expr::Map(map, _) => 4 + map.0.iter().map(|(_, value)| 4 + weight_of_literal(value)).sum::<u64>(),
        Expr::StringConstant(text, _) => weight::of_text(text),
        Expr::DynamicConstant(value, _) => weight::of_dynamic(value).unwrap_or(u64::MAX / 2),
        _ => 1,
    }
}

/// A function of a script. Functions with the same name differ in the number of parameters.
pub(crate) struct ScriptFn {
    pub name: String,
    pub params: Vec<ImmutableString>,
    pub body: Vec<Stmt>,
    /// The position of the body of the function in the script.
    pub at: Position,
}

impl ScriptFn {
    /// Returns the function of a script with this name and number of parameters, if there is one.
    pub fn find(ast: &AST, name: &str, n_params: usize) -> Option<ScriptFn> {
        let defined = ast.shared_lib().get_script_fn(name, n_params)?;
        // The interpreter gives access to the statements of a function only in a walk. Therefore
        // the following code walks a copy of the script that contains only the function.
        let mut alone = Module::new();
        alone.set_script_fn(defined.clone());
        let mut body = Vec::new();
        AST::new([], alone).walk(&mut |path| {
            if let [ASTNode::Stmt(statement)] = path {
                body.push(Stmt::clone(statement));
            }
            true
        });
        let params = defined.params.iter().cloned().collect();
        Some(ScriptFn { name: name.to_owned(), params, body, at: defined.body.start_position() })
    }
}
