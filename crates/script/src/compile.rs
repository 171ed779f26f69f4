//! Compiling a script: constants at its top are made known inside its functions.

use rhai::{AST, ASTNode, Dynamic, Engine, ImmutableString, Module, ParseError, ParseErrorType, Position, Scope, Stmt};

use crate::scan::scan;

/// The script of a mod.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ScriptSource {
    /// The mod.
    pub owner: String,
    /// The file, as people are to see it.
    pub file: String,
    /// The script.
    pub text: String,
}

/// Names that scripts may use without declaring them.
pub(crate) const RESERVED: [&str; 4] = ["turn", "settings", "mem", "nobody"];

/// A compiled script with its constants.
pub(crate) struct Compiled {
    pub ast: AST,
    pub constants: Vec<(ImmutableString, Dynamic)>,
}

/// Names that scripts may use although they declare them nowhere.
pub(crate) fn reserved_scope<'s>() -> Scope<'s> {
    let mut scope = Scope::new();
    for name in RESERVED {
        // As variables: constants would be folded away.
        scope.push(name, ());
    }
    scope
}

/// The constants at the top of a script that have plain values.
///
/// The language hides them from functions; so they are looked up first and put in front of the script.
pub(crate) fn constants(engine: &mut Engine, text: &str) -> Vec<(ImmutableString, Dynamic)> {
    let strict = engine.strict_variables();
    engine.set_strict_variables(false);
    let found = match engine.compile_with_scope(&reserved_scope(), text) {
        Ok(ast) => ast.iter_literal_variables(true, false).map(|(n, _, value)| (n.into(), value)).collect(),
        Err(_) => Vec::new(),
    };
    engine.set_strict_variables(strict);
    found
}

/// Compiles a script.
pub(crate) fn compile(engine: &mut Engine, text: &str, file: &str) -> Result<Compiled, ParseError> {
    let constants = constants(engine, text);
    let mut scope = reserved_scope();
    for (name, value) in &constants {
        scope.push_constant_dynamic(name.clone(), value.clone());
    }
    let functions = scan(text).functions;
    loop {
        match engine.compile_with_scope(&scope, text) {
            Ok(mut ast) => {
                ast.set_source(file);
                return Ok(Compiled { ast, constants });
            }
            // A function may be named before it is defined.
            Err(error) => match error.err_type() {
                ParseErrorType::VariableUndefined(name)
                    if !scope.contains(name) && functions.iter().any(|f| f.name == *name) =>
                {
                    scope.push(name.clone(), ());
                }
                _ => return Err(error),
            },
        }
    }
}

/// A function with a certain number of parameters.
pub(crate) struct ScriptFn {
    pub name: String,
    pub params: Vec<ImmutableString>,
    pub body: Vec<Stmt>,
    /// Where it begins.
    pub at: Position,
}

impl ScriptFn {
    /// Returns the function of a script with this name and number of parameters.
    pub fn find(ast: &AST, name: &str, n_params: usize) -> Option<ScriptFn> {
        let defined = ast.shared_lib().get_script_fn(name, n_params)?;
        // The interpreter does not show a function's statements but in a walk; so the function is looked at alone.
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
