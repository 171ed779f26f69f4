//! The linter, which compiles a script and finds the mistakes that would otherwise appear only
//! during play.

mod assignments;
mod closures;
mod first_walk;
mod literals;
mod lookup;
mod parse_error;
mod returns;
mod syntax;
mod types;
mod variables;
mod vocabulary;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Diagnostic, did_you_mean, nearest};
use rhai::{AST, ASTFlags, Engine, OptimizationLevel, ParseErrorType, Position, Stmt};
use rules::Hook;

use crate::api::wanted_params;
use crate::compile::{ScriptSource, compile, forbidden_constructs, reserved_scope};
use crate::error_text::parse_message;
use crate::scan::{DefinedFunction, ScriptScan, scan, too_many_statements_message};
use crate::type_names::counted;

pub use vocabulary::Vocabulary;

use parse_error::{Explanation, explain, foreign_name_help, guessed_name_help};
use vocabulary::Findings;

/// The maximum number of unknown variables to find in one script.
const MAX_UNDEFINED: usize = 50;
/// The maximum number of bytes to compile in a search for unknown variables. Finding each variable
/// takes another compilation.
const MAX_COMPILED: usize = 1 << 20;

/// The findings of the linter about a script.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inspection {
    /// The functions that the script defines, in the order of the text; none if the script cannot
    /// be compiled.
    pub functions: Vec<FunctionInfo>,
    /// The names of the functions and methods that the script calls, and of the variables that it
    /// reads.
    pub calls: BTreeSet<String>,
    /// The problems in the script, in the order of the text.
    pub problems: Vec<Diagnostic>,
}

/// A function of a script.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FunctionInfo {
    /// The name of the function.
    pub name: String,
    /// The number of parameters.
    pub n_params: usize,
    /// The line of the function's name, counted from 1.
    pub line: u32,
    /// The column of the function's name, counted from 1.
    pub column: u32,
    /// The `///` comment before the function.
    pub doc: String,
}

/// Compiles and lints the script of a mod.
pub fn inspect(source: &ScriptSource, vocabulary: &Vocabulary) -> Inspection {
    let mut engine = crate::engine::bare_engine();
    engine.set_strict_variables(true);
    // Compiles without optimization, because the linter must also see code that the optimizer would
    // remove.
    engine.set_optimization_level(OptimizationLevel::None);
    let scanned = scan(&engine, &source.text);
    let mut found = Findings::new(source);
    if scanned.ends_in_comment {
        let before = source.text.rsplit_once("/*").map_or("", |(before, _)| before);
        let last_line = before.rsplit('\n').next().unwrap_or_default();
        let (line, column) = (before.matches('\n').count() + 1, last_line.chars().count() + 1);
        let at = Position::new(line.min(65_535) as u16, column.min(65_535) as u16);
        let help = "end it with `*/`; each `/*` inside a comment needs its own `*/`".to_owned();
        found.error(at, "this comment never ends, so nothing after it is read".to_owned(), Some(help));
    }
    if let Some(at) = scanned.too_many_at {
        let help = "move data into lists and maps, or split the mod".to_owned();
        found.error(at, too_many_statements_message(), Some(help));
        return Inspection { problems: found.into_diagnostics(), ..Inspection::default() };
    }
    let (mut functions, mut calls) = (Vec::new(), BTreeSet::new());
    if let Some(ast) = compile_unoptimized(&engine, &source.text, &scanned, vocabulary, &mut found) {
        functions = infos(&ast, &scanned.functions);
        check_top_level(&ast, &source.text, &mut found);
        for refused in forbidden_constructs(&ast) {
            found.error(refused.at, refused.message, Some(refused.help.to_owned()));
        }
        let uses = walk::check(&ast, &scanned, vocabulary, &mut found);
        check_signatures(&scanned, vocabulary, &uses, &mut found);
        calls = uses.functions;
    }
    Inspection { functions, calls, problems: found.into_diagnostics() }
}

/// Compiles the script without optimization. Reports up to [`MAX_UNDEFINED`] undefined variables,
/// not just the first. Returns `None` if there are more, or if the script contains another error.
fn compile_unoptimized(
    engine: &Engine,
    text: &str,
    scanned: &ScriptScan,
    vocabulary: &Vocabulary,
    found: &mut Findings,
) -> Option<AST> {
    let mut scope = reserved_scope();
    for name in &scanned.constants {
        scope.push_constant(name.as_str(), ());
    }
    for function in &scanned.functions {
        // A script may use the name of a function before its definition.
        scope.push(function.name.as_str(), ());
    }
    let is_doubled = report_doubled(scanned, found);
    let mut foreign_line: Option<usize> = None;
    for _ in 0..(MAX_COMPILED / text.len().max(1)).clamp(1, MAX_UNDEFINED) {
        match engine.compile_with_scope(&scope, text) {
            Ok(ast) => return Some(ast),
            Err(error) => {
                let at = error.position();
                let Explanation { message, help, is_foreign } = explain(error.err_type(), at, text);
                let ParseErrorType::VariableUndefined(name) = error.err_type() else {
                    let is_reported =
                        is_doubled && matches!(error.err_type(), ParseErrorType::FnDuplicatedDefinition(..));
                    // After syntax of another language, a further error in the line follows.
                    let has_cause = foreign_line.is_some() && foreign_line == at.line();
                    if !is_reported && !has_cause {
                        found.error(at, message, help);
                    }
                    return None;
                };
                let foreign_name = foreign_name_help(name);
                if is_foreign || foreign_name.is_some() {
                    foreign_line = at.line();
                }
                let is_setting = vocabulary.settings.iter().any(|setting| setting == name);
                let of_settings = || is_setting.then(|| format!("write `settings.{name}`"));
                let quoted = || vocabulary.declares(name).then(|| format!("write it in quotes: `\"{name}\"`"));
                let near = || did_you_mean(name, scanned.words.iter().map(String::as_str));
                let other_name = || foreign_name.or_else(|| guessed_name_help(name)).map(str::to_owned);
                let help = help.or_else(of_settings).or_else(other_name).or_else(quoted).or_else(near);
                found.error(at, message, Some(help.unwrap_or_else(|| format!("declare it: `let {name} = ...;`"))));
                scope.push(name.clone(), ());
            }
        }
    }
    None
}

/// Reports functions that are defined twice, and returns whether there are any. The compiler would
/// report such functions too, but without the exact place.
fn report_doubled(scanned: &ScriptScan, found: &mut Findings) -> bool {
    let mut any = false;
    let mut seen = BTreeSet::new();
    for function in &scanned.functions {
        let n = function.params.len();
        if !seen.insert((function.name.as_str(), n)) {
            any = true;
            let message = parse_message(&ParseErrorType::FnDuplicatedDefinition(function.name.clone(), n));
            found.error(function.at, message, Some("only one of them would be called".to_owned()));
        }
    }
    any
}

/// Returns the functions of the script with their doc comments.
fn infos(ast: &AST, defined: &[DefinedFunction]) -> Vec<FunctionInfo> {
    let mut docs: BTreeMap<(&str, usize), String> = BTreeMap::new();
    let compiled: Vec<_> = ast.iter_functions().collect();
    for function in &compiled {
        let lines = function.comments.iter().flat_map(|comment| comment.lines());
        let plain = lines
            .map(|line| line.trim().trim_start_matches("///").trim_start_matches("/**").trim_end_matches("*/").trim());
        docs.insert((function.name, function.params.len()), plain.collect::<Vec<_>>().join("\n"));
    }
    let info = |it: &DefinedFunction| {
        let (line, column) = it.line_and_column();
        let doc = docs.get(&(it.name.as_str(), it.params.len())).cloned().unwrap_or_default();
        FunctionInfo { name: it.name.clone(), n_params: it.params.len(), line: line as u32, column: column as u32, doc }
    };
    defined.iter().map(info).collect()
}

/// Reports statements outside functions, except constants whose values the compiler can compute
/// (fold).
fn check_top_level(ast: &AST, text: &str, found: &mut Findings) {
    // Folding takes another compilation. Therefore the following code folds only if a script
    // calculates a constant.
    let mut folded: Option<BTreeSet<String>> = None;
    for statement in ast.statements() {
        match statement {
            Stmt::Noop(_) => {}
            Stmt::Var(it, flags, at) if flags.contains(ASTFlags::CONSTANT) => {
                let (name, value) = (&it.0.name, &it.1);
                if value.get_literal_value(None).is_some() || value.is_constant() {
                    continue;
                }
                if !may_fold(value) {
                    let message = format!("the value of the constant `{name}` is not a plain value");
                    found.error(*at, message, Some("write numbers, texts, lists or maps only".to_owned()));
                } else if !folded.get_or_insert_with(|| folded_constants(text)).contains(name.as_str()) {
                    let message = format!("the value of the constant `{name}` cannot be calculated");
                    let help = "it is too large for a number, divides by 0, mixes types, negates brackets, or uses a constant that is \
                                declared later or cannot be calculated itself";
                    found.error(*at, message, Some(help.to_owned()));
                }
            }
            Stmt::Var(it, _, at) => {
                let message = format!("`{}` outside functions is never seen", it.0.name);
                let help = "use `const` for a fixed value, and `mem` for a value to remember".to_owned();
                found.error(*at, message, Some(help));
            }
            other => {
                let help = "put it into a function, such as `fn setup() { ... }`".to_owned();
                found.error(other.position(), "statements outside functions are never run".to_owned(), Some(help));
            }
        }
    }
}

/// Returns the names of the constants that the compiler can fold to a value.
fn folded_constants(text: &str) -> BTreeSet<String> {
    let compiled = compile(&crate::engine::bare_engine(), text, "");
    compiled.map(|script| script.constants.iter().map(|(name, _)| name.to_string()).collect()).unwrap_or_default()
}

/// Returns whether an expression consists only of plain values, names and operators, so that the
/// compiler may be able to fold it.
fn may_fold(expression: &rhai::Expr) -> bool {
    match expression {
        rhai::Expr::FnCall(call, _) => call.is_operator_call() && call.args.iter().all(|a| may_fold(a) || is_name(a)),
        other => other.is_constant(),
    }
}

fn is_name(expression: &rhai::Expr) -> bool {
    matches!(expression, rhai::Expr::Variable(..))
}

/// Checks the names and parameters of hooks and of the functions of phases and options. Reports
/// functions that are never called.
fn check_signatures(scanned: &ScriptScan, vocabulary: &Vocabulary, uses: &walk::UsedNames, found: &mut Findings) {
    for function in &scanned.functions {
        let name = function.name.as_str();
        let at = function.at;
        if let Some(wanted) = wanted_params(name) {
            let is_called = uses.functions.contains(name);
            if !is_declared(name, vocabulary) && !is_called {
                report_undeclared(name, at, vocabulary, found);
            } else if function.params.len() != wanted && !is_called {
                let params = match Hook::named(name) {
                    Some(hook) => hook.info().params.join(", "),
                    None if wanted == 1 => "choice".to_owned(),
                    None => String::new(),
                };
                let n = function.params.len();
                let message = format!("`{name}` must take {}, but it takes {n}", counted(wanted, "parameter"));
                found.error(at, message, Some(format!("write `fn {name}({params})`")));
            }
        } else if !uses.functions.contains(name) {
            report_uncalled(name, at, vocabulary, uses, found);
        }
    }
}

/// Returns whether the mod declares the phase or option whose function is called `name`. Returns
/// true for all other names, such as hooks.
fn is_declared(name: &str, vocabulary: &Vocabulary) -> bool {
    let among = |names: &[String], id: &str| names.iter().any(|n| n.replace('-', "_") == id);
    match (name.strip_prefix("phase_"), name.strip_prefix("do_")) {
        (Some(id), _) => among(&vocabulary.phases, id),
        (_, Some(word)) => among(&vocabulary.options, word),
        _ => true,
    }
}

fn report_undeclared(name: &str, at: Position, vocabulary: &Vocabulary, found: &mut Findings) {
    let (what, table, id, known) = match name.strip_prefix("phase_") {
        Some(id) => ("phase", format!("[[phase]] with id = \"{id}\""), id, &vocabulary.phases),
        None => {
            let word = name.trim_start_matches("do_");
            ("option", format!("[option.{word}]"), word, &vocabulary.options)
        }
    };
    let near = did_you_mean(id, known.iter().map(String::as_str));
    let help = near.unwrap_or_else(|| format!("add {table} to mod.toml"));
    found.error(at, format!("mod.toml declares no {what} `{id}`"), Some(help));
}

fn report_uncalled(name: &str, at: Position, vocabulary: &Vocabulary, uses: &walk::UsedNames, found: &mut Findings) {
    let phases = vocabulary.phases.iter().map(|id| format!("phase_{}", id.replace('-', "_")));
    let handlers = vocabulary.options.iter().map(|word| format!("do_{}", word.replace('-', "_")));
    let own: Vec<String> = phases.chain(handlers).collect();
    let hooks = Hook::ALL.iter().map(|hook| hook.info().name);
    match nearest(name, hooks.chain(own.iter().map(String::as_str))) {
        Some(near) => {
            let what = if Hook::named(near).is_some() { "the hook " } else { "" };
            found.error(at, format!("nothing calls `{name}`"), Some(format!("did you mean {what}`{near}`?")));
        }
        // The script calls functions by computed names, so the linter cannot know whether it calls
        // this function.
        None if uses.calls_by_name => {}
        None => {
            let help = "call it, remove it, or name it after a hook".to_owned();
            found.error(at, format!("nothing calls `{name}`"), Some(help));
        }
    }
}
