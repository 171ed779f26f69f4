//! Turns errors of the interpreter into messages in the words of the reference.

use diagnostic::{hint, visible};
use rhai::{
    ASTNode, Dynamic, EvalAltResult, Expr, ImmutableString, LexError, ParseError, ParseErrorType, Position, Stmt,
};
use rules::Failure;

use crate::api::EntrySyntax;
use crate::budget::{HaltReason, MAX_OPERATIONS, MAX_OPERATIONS_OF_ALL};
use crate::core::Core;
use crate::limits::{MAX_ARRAY, MAX_LEVELS, MAX_MAP, MAX_STRING};
use crate::type_names::{counted, type_in_words};

/// The prefix of the names that the parser gives to closures.
pub(crate) const CLOSURE_PREFIX: &str = "anon$";

/// The help for an operation that finds `()` in place of a value.
const MISSING_VALUE_HELP: &str =
    "; if `mem` may not have the value yet, read it with a default, such as `mem.game.get(\"n\", 0)`";

/// Makes a failure at a position in a file. Hidden characters in the message become visible.
pub(crate) fn failure_at(message: String, file: &str, at: Position) -> Failure {
    Failure {
        message: visible(&message).into_owned(),
        file: file.to_owned(),
        line: at.line().unwrap_or(0) as u32,
        column: at.position().unwrap_or(0) as u32,
        is_panic: false,
    }
}

/// Returns the innermost error and its position. If the error has no position, returns the position
/// of the innermost enclosing call that has a position.
pub(crate) fn innermost(error: &EvalAltResult) -> (&EvalAltResult, Position) {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, at) => {
            let (error, inner_at) = innermost(inner);
            (error, inner_at.or_else(*at))
        }
        error => (error, error.position()),
    }
}

/// Returns the name of the function that `what` names, if it names one. `what` is the text of an
/// error about a variable that is used twice at the same time, such as
/// `argument #1 of function 'push'`.
fn function_in_use(what: &str) -> Option<&str> {
    what.rsplit_once("function '")?.1.strip_suffix('\'')
}

/// Returns a position for an error about a variable that is used twice at the same time. The
/// interpreter gives no position for this error, only the name of a function. If `body` calls that
/// function exactly once, returns the position of the call. In all other cases, returns no
/// position.
pub(crate) fn place_in(body: &[Stmt], error: &EvalAltResult) -> Position {
    let EvalAltResult::ErrorDataRace(what, _) = error else { return Position::NONE };
    let Some(name) = function_in_use(what) else { return Position::NONE };
    let mut places = Vec::new();
    for statement in body {
        statement.walk(&mut Vec::new(), &mut |path| {
            match path.last() {
                Some(
                    ASTNode::Expr(Expr::MethodCall(call, at) | Expr::FnCall(call, at))
                    | ASTNode::Stmt(Stmt::FnCall(call, at)),
                ) if call.name == name => places.push(*at),
                _ => {}
            }
            true
        });
    }
    match places[..] {
        [place] => place,
        _ => Position::NONE,
    }
}

/// Returns the message for an error of a running script.
pub(crate) fn message_of(error: &EvalAltResult, core: &Core, functions: &[&str]) -> String {
    match error {
        EvalAltResult::ErrorParsing(error, _) => parse_message(error),
        EvalAltResult::ErrorVariableNotFound(name, _) => {
            format!("there is no variable `{name}`{}", hint(name, crate::compile::RESERVED))
        }
        EvalAltResult::ErrorPropertyNotFound(name, _) => format!("there is no property `{name}`"),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => unknown_function_message(signature, functions),
        EvalAltResult::ErrorModuleNotFound(..) => "scripts cannot import anything".to_owned(),
        EvalAltResult::ErrorDotExpr(text, _) => unknown_property_message(text),
        EvalAltResult::ErrorIndexingType(types, _) => {
            let mut names = types.split(" [");
            let of = names.next().map_or("this", type_in_words);
            format!("{of} cannot be indexed like this")
        }
        EvalAltResult::ErrorIndexNotFound(index, _) => format!("there is nothing at {index}"),
        EvalAltResult::ErrorMismatchDataType(wanted, got, _)
        | EvalAltResult::ErrorMismatchOutputType(wanted, got, _) => {
            let (wanted, got) = (type_in_words(wanted), type_in_words(got));
            let help = match (wanted, got) {
                (_, "nothing") => MISSING_VALUE_HELP,
                ("a text", "a player") => "; a key of a map is a text: for a player, write `player.name`",
                ("a text", "a list" | "a map" | "a function") => "",
                ("a text", _) => "; a key of a map is a text: write the value as `${...}` between backticks",
                ("a number", "a player") => "; for a player, write `player.number`",
                _ => "",
            };
            format!("{wanted} is expected here, not {got}{help}")
        }
        EvalAltResult::ErrorArrayBounds(n, i, _) => {
            format!("the list has {}; there is none at index {i}", counted(*n, "item"))
        }
        EvalAltResult::ErrorStringBounds(n, i, _) => {
            format!("the text has {}; there is none at index {i}", counted(*n, "character"))
        }
        EvalAltResult::ErrorFor(_) => "`for` needs a list, a range or a text".to_owned(),
        EvalAltResult::ErrorArithmetic(text, _) => arithmetic_message(text),
        EvalAltResult::ErrorTooManyOperations(_) => halt_message(HaltReason::Operations, core),
        EvalAltResult::ErrorTerminated(token, _) => token
            .clone()
            .try_cast::<HaltReason>()
            .map_or_else(|| "the script was ended".to_owned(), |h| halt_message(h, core)),
        EvalAltResult::ErrorTooManyVariables(_) => "too many variables at once".to_owned(),
        EvalAltResult::ErrorStackOverflow(_) => {
            format!("function calls are nested more than {MAX_LEVELS} deep; check that the recursion ends")
        }
        EvalAltResult::ErrorDataTooLarge(what, _) => too_large_message(what),
        EvalAltResult::ErrorUnboundThis(_) => "`this` has no value here".to_owned(),
        EvalAltResult::ErrorAssignmentToConstant(name, _) => format!("`{name}` cannot be changed"),
        EvalAltResult::ErrorNonPureMethodCallOnConstant(name, _) => {
            let name = name.trim_start_matches("set$").trim_start_matches("get$");
            format!("`{name}` cannot change a constant")
        }
        EvalAltResult::ErrorDataRace(what, _) => {
            let at_work = function_in_use(what).map_or_else(String::new, |name| format!(" by `{name}`"));
            format!(
                "this variable is in use{at_work}, and a closure that is running uses it too; copy it into another variable first and \
                 use the copy in one of the two"
            )
        }
        EvalAltResult::ErrorRuntime(value, _) => thrown_message(value),
        other => other.to_string(),
    }
}

/// Returns the message for a call of a closure with a wrong number of values. `caller` is the
/// function that made the call, or empty. Returns `None` for any other error.
pub(crate) fn closure_message(error: &EvalAltResult, caller: &str) -> Option<String> {
    match error {
        EvalAltResult::ErrorInFunctionCall(caller, _, inner, _) => closure_message(inner, caller),
        EvalAltResult::ErrorFunctionNotFound(signature, _) if signature.starts_with(CLOSURE_PREFIX) => {
            let params = match caller {
                "all" | "drain" | "filter" | "find_map" | "for_each" | "index_of" | "map" | "retain" | "some" => {
                    "`|a|` or `|a, b|`"
                }
                "reduce" | "reduce_rev" | "zip" => "`|a, b|` or `|a, b, c|`",
                _ => "one name for each value, such as `|a, b|`",
            };
            Some(format!("a closure is called here with more or fewer values than it has parameters; write {params}"))
        }
        _ => None,
    }
}

/// Returns the message for a script that the engine stopped.
pub(crate) fn halt_message(reason: HaltReason, core: &Core) -> String {
    match reason {
        HaltReason::Asked => "a question was asked here, but the function went on instead of ending".to_owned(),
        HaltReason::Operations | HaltReason::Estimate => {
            format!("this ran for more than {MAX_OPERATIONS} operations; check that each loop ends")
        }
        HaltReason::Deadline => {
            let limit = core.budget.time_limit.get().as_secs();
            format!("this took longer than {limit} s twice and was stopped; try again, or make it do less")
        }
        HaltReason::OperationsOfAll => format!(
            "all calls after one decision ran for more than {MAX_OPERATIONS_OF_ALL} operations and were stopped here; make each call \
             do less"
        ),
        HaltReason::DeadlineOfAll => {
            let limit = core.budget.time_limit_of_all().as_secs();
            format!(
                "all calls after one decision took longer than {limit} s, also on a second try, and were stopped here; try again, or make each call do less"
            )
        }
    }
}

fn too_large_message(what: &str) -> String {
    if what.contains("string") {
        format!("a text became longer than {MAX_STRING} bytes (the texts in a list, a map or `mem` count as one text)")
    } else if what.contains("map") {
        format!(
            "a map became larger than {MAX_MAP} entries (entries of nested maps count; all of `mem` counts as one map)"
        )
    } else {
        format!(
            "a list became longer than {MAX_ARRAY} items (items of nested lists count; all lists in a map or in `mem` count as one list)"
        )
    }
}

/// The maximum length of a thrown text in a message, in characters.
const MAX_THROWN_CHARS: usize = 1_000;

/// Returns the message for a value that a script has thrown. For a text, returns the text itself,
/// cut if it is long. For a number or a truth value, returns a sentence with the value. For `()`,
/// returns a sentence that names no value. For other values, returns a sentence with the name of
/// the type.
fn thrown_message(value: &Dynamic) -> String {
    if let Some(text) = value.read_lock::<ImmutableString>() {
        return match text.char_indices().nth(MAX_THROWN_CHARS) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
            None => text.to_string(),
        };
    }
    match type_in_words(value.type_name()) {
        "nothing" => "the script threw an error".to_owned(),
        "a number" | "a truth value" => format!("the script threw {value}"),
        what => format!("the script threw {what}; throw a text that says what is wrong"),
    }
}

fn arithmetic_message(text: &str) -> String {
    if text.contains("division by zero") || text.contains("Division by zero") {
        "division by zero".to_owned()
    } else if let Some((what, sum)) = text.split_once(" overflow: ") {
        format!("the result of {sum} is too large for a number ({})", what.to_lowercase())
    } else {
        text.to_owned()
    }
}

/// Returns the message for `list.sort()` if the language has no order for the items, whose type the
/// interpreter calls `name`. `name` is `different types` if the items have several types.
fn unsortable_message(name: &str) -> String {
    let words = type_in_words(name);
    let (items, by) = match words.strip_prefix("a ").or_else(|| words.strip_prefix("an ")) {
        _ if name == "different types" => ("items of different types".to_owned(), None),
        Some("player") => ("players".to_owned(), Some("score_of(a) - score_of(b)")),
        Some(noun @ ("list" | "map" | "function" | "range")) => (format!("{noun}s"), None),
        // Handles have an order, such as row by row from the north-west.
        Some(noun) => {
            let (first, rest) = noun.split_at(noun.find(' ').unwrap_or(noun.len()));
            (format!("{first}s{rest}"), Some("a < b"))
        }
        None => ("these items".to_owned(), None),
    };
    let help = by.map_or_else(
        || "`sort(|a, b| ...)`, which returns a number below 0 if `a` comes first".to_owned(),
        |by| format!("`sort(|a, b| {by})`"),
    );
    format!("`sort` cannot order {items}; give it a function: {help}")
}

fn unknown_function_message(signature: &str, functions: &[&str]) -> String {
    let items = signature.strip_prefix("elements of ").and_then(|rest| rest.strip_suffix(" cannot be sorted"));
    if let Some(items) = items {
        return unsortable_message(items);
    }
    let (name, rest) = signature.split_once(" (").unwrap_or((signature, ""));
    let args = rest.strip_suffix(')').unwrap_or(rest);
    // No name of a type contains a comma, so this split is safe.
    let types: Vec<&str> = args.split(", ").filter(|a| !a.is_empty()).map(type_in_words).collect();
    if !rhai::is_valid_identifier(name) {
        return match types[..] {
            [a, b] => {
                let help = match (name, a) {
                    _ if [a, b].contains(&"nothing") => MISSING_VALUE_HELP,
                    ("+" | "+=", "an award") => "; write `score.plus(3, \"why\")`",
                    ("-" | "-=", "an award") => "; write `score.minus(3, \"why\")`",
                    ("*" | "*=", "an award") => "; write `score.double(\"why\")`",
                    _ => "",
                };
                format!("`{name}` does not work between {a} and {b}{help}")
            }
            _ => format!("`{name}` does not work on {}", types.join(", ")),
        };
    }
    let same = crate::api::table().iter().filter(|entry| entry.name == name);
    let forms: Vec<EntrySyntax> = same.map(|entry| entry.form).collect();
    let is_method = forms.contains(&EntrySyntax::Method) && !forms.contains(&EntrySyntax::Function);
    if is_method && types.first() == Some(&"nothing") {
        return format!("there is nothing here (`()`), so it has no function `{name}`; check `!= ()` first");
    }
    let known = crate::api::usages(name);
    let help = match known.as_slice() {
        [] if types.contains(&"nothing") => MISSING_VALUE_HELP.to_owned(),
        [] => {
            let mut names: Vec<&str> = crate::api::function_names().collect();
            names.extend(functions);
            hint(name, names)
        }
        usages => format!("; it is used as {}", usages.join(" or ")),
    };
    format!("there is no function `{name}` for ({}){help}", types.join(", "))
}

/// Returns the message for an unknown property. `text` is the interpreter's sentence about the
/// property.
fn unknown_property_message(text: &str) -> String {
    let mut quoted = text.split('\'').skip(1).step_by(2);
    let (Some(property), Some(of)) = (quoted.next(), quoted.next()) else { return text.to_owned() };
    let of_type = type_in_words(of);
    if text.starts_with("No writable") {
        return format!("`{property}` of {of_type} cannot be changed");
    }
    if of_type == "nothing" {
        return format!("there is nothing here (`()`), so it has no property `{property}`; check `!= ()` first");
    }
    format!("{of_type} has no property `{property}`{}", hint(property, crate::api::properties_of(of)))
}

/// Returns the message for a parse error, without a position.
pub(crate) fn parse_message(error: &ParseErrorType) -> String {
    match error {
        ParseErrorType::VariableUndefined(name) => format!("there is no variable `{name}`"),
        ParseErrorType::Reserved(_) | ParseErrorType::BadInput(LexError::ImproperSymbol(..)) => {
            reserved_word_message(error)
        }
        ParseErrorType::PropertyExpected => {
            "the name of a property is missing after the dot; numbers are whole: there are no fractions".to_owned()
        }
        ParseErrorType::UnexpectedEOF => "the script ends in the middle of something; is a `}` missing?".to_owned(),
        ParseErrorType::FnDuplicatedDefinition(name, n) => {
            format!("`{name}` with {} is defined twice; put both into one function", counted(*n, "parameter"))
        }
        ParseErrorType::ExprTooDeep => "this is nested too deeply".to_owned(),
        ParseErrorType::TooManyFunctions => "this script defines too many functions".to_owned(),
        ParseErrorType::LiteralTooLarge(what, most) => format!("{what} is too large here (at most {most})"),
        ParseErrorType::WrongFnDefinition => "functions can only be defined at the top level".to_owned(),
        ParseErrorType::LoopBreak => "`break` and `continue` work inside loops only".to_owned(),
        ParseErrorType::AssignmentToConstant(name) => format!("`{name}` is a constant and cannot be changed"),
        ParseErrorType::WrongDocComment => "a `///` comment belongs right before a function".to_owned(),
        ParseErrorType::MissingToken(token, what) => format!("`{token}` is missing {what}"),
        other => lowercase_first(&other.to_string()),
    }
}

/// Returns the forbidden word that caused a parse error, if any.
pub(crate) fn forbidden_word(error: &ParseErrorType) -> Option<&str> {
    match error {
        ParseErrorType::Reserved(word) | ParseErrorType::BadInput(LexError::ImproperSymbol(word, _)) => Some(word),
        _ => None,
    }
}

fn reserved_word_message(error: &ParseErrorType) -> String {
    match forbidden_word(error) {
        Some("eval") => "`eval` is not available to scripts".to_owned(),
        Some(word @ ("import" | "export")) => format!("scripts cannot {word} anything; a mod has one script"),
        // The parser expects no assignment at this place.
        Some("=") => "`=` sets a variable; write `==` to compare".to_owned(),
        Some(word) if rhai::is_valid_identifier(word) => format!("`{word}` is a reserved word"),
        _ => lowercase_first(&error.to_string()),
    }
}

fn lowercase_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_lowercase().collect::<String>() + chars.as_str())
}

/// Converts a parse error to a failure.
pub(crate) fn parse_failure(error: &ParseError, file: &str) -> Failure {
    failure_at(parse_message(error.err_type()), file, error.position())
}
