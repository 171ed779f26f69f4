//! Infers types, so that the linter can report properties that a receiver lacks, such as
//! `turn.player.score`, and comparisons of different types.

use std::collections::BTreeMap;

use rhai::{ASTNode, Expr, FnCallExpr, Position};
use rules::Hook;

use super::first_walk::FirstWalk;
use super::lookup::{entries, member, members};
use super::syntax::links_of;
use super::variables::{Content, LiteralVariables};
use super::vocabulary::Findings;
use crate::api::{ApiEntry, EntrySyntax, table};
use crate::docs::with_article;
use crate::scan::ScriptScan;

/// The maximum number of steps from a variable to an expression with a known type.
const MAX_STEPS: usize = 6;

/// Records the type of the receiver of each property and method in a chain such as
/// `turn.tile.spot`, by the position of the property or method. Records handles in `found`, and
/// lists of handles in `lists`. Records only types that the receiver certainly has: the variable
/// `turn`, arguments of hooks, and results of functions of the reference, also through variables.
pub(super) fn certain_receivers(
    node: &ASTNode,
    scanned: &ScriptScan,
    variables: &LiteralVariables,
    found: &mut BTreeMap<Position, &'static str>,
    lists: &mut BTreeMap<Position, &'static str>,
) {
    let ASTNode::Expr(Expr::Dot(it, ..)) = node else { return };
    let first = type_of(&it.lhs, scanned, variables, MAX_STEPS);
    chain(&it.rhs, first, &mut |at, of| {
        let types = if is_handle(of) { &mut *found } else { &mut *lists };
        types.insert(at, of);
    });
}

/// Follows the links of a chain, such as `tile.spot` in `turn.tile.spot`, whose receiver has the
/// type `of`. Calls `visit` with each property and method and the type of its receiver, and returns
/// the type of the last link. Returns `None` if this type is unknown.
fn chain(
    links: &Expr,
    mut of: Option<&'static str>,
    visit: &mut impl FnMut(Position, &'static str),
) -> Option<&'static str> {
    for link in links_of(links) {
        let receiver = of?;
        let entry = match link {
            Expr::Property(property, at) => {
                visit(*at, receiver);
                member(receiver, &property.2).filter(|entry| entry.form == EntrySyntax::Property)
            }
            Expr::MethodCall(call, at) => {
                visit(*at, receiver);
                method(receiver, call)
            }
            _ => None,
        };
        of = entry.and_then(|entry| handle_type(&entry.result));
    }
    of
}

/// Returns the method of the type `receiver` that a call means, if only one fits.
fn method(receiver: &str, call: &FnCallExpr) -> Option<&'static ApiEntry> {
    let same = members(receiver).filter(|entry| entry.name == call.name.as_str());
    let mut same = same.filter(|entry| entry.takes(call.args.len() + 1));
    same.next().filter(|_| same.next().is_none())
}

/// Returns the function of the reference that a call means, if only one fits and the script defines
/// no function with this name.
fn function(call: &FnCallExpr, scanned: &ScriptScan) -> Option<&'static ApiEntry> {
    if scanned.functions.iter().any(|function| function.name == call.name.as_str()) {
        return None;
    }
    let mut same = entries(&call.name).filter(|entry| entry.takes(call.args.len()));
    same.next().filter(|_| same.next().is_none())
}

/// Returns the type of an expression: the type of a handle, or a list of handles such as `list of
/// players`. Returns `None` if the type is not certain.
fn type_of(
    expression: &Expr,
    scanned: &ScriptScan,
    variables: &LiteralVariables,
    n_steps: usize,
) -> Option<&'static str> {
    let n_steps = n_steps.checked_sub(1)?;
    match expression {
        Expr::Variable(variable, _, at) => match variables.content(&variable.1, *at) {
            None => (variable.1 == "turn").then_some("turn"),
            Some((_, Content::Of(value))) => type_of(value, scanned, variables, n_steps),
            Some((_, Content::ItemOf(list))) => item_type(type_of(list, scanned, variables, n_steps)?),
            Some(((function, _), Content::Argument(n))) => {
                let function = scanned.functions.get(function?)?;
                argument_type(&function.name, *n)
            }
            Some((_, Content::Unknown)) => None,
        },
        Expr::Dot(it, ..) => chain(&it.rhs, type_of(&it.lhs, scanned, variables, n_steps), &mut |_, _| {}),
        Expr::FnCall(call, _) => function(call, scanned).and_then(|entry| handle_type(&entry.result)),
        _ => None,
    }
}

/// Warns of a comparison of values of different types, such as `turn.player == "red"`, because such
/// values are never equal and have no order. Also warns of a search for a value of another type,
/// such as `"road" in tile.zones`.
pub(super) fn check_types(call: &FnCallExpr, at: Position, known: &FirstWalk, found: &mut Findings) {
    match (call.name.as_str(), &call.args[..]) {
        (sign @ ("==" | "!=" | "<" | "<=" | ">" | ">="), [one, other]) => {
            check_sides(sign, one, other, at, known, found);
        }
        ("contains", [list, item]) => {
            if let Some(list) = type_of(list, known.scanned, &known.literals, MAX_STEPS) {
                check_item(list, item, known, found);
            }
        }
        _ => {}
    }
}

/// Warns of `list.contains(item)` and `list.index_of(item)` if no item of the list has the type of
/// `item`.
pub(super) fn check_search_of_type(call: &FnCallExpr, at: Position, known: &FirstWalk, found: &mut Findings) {
    if let ("contains" | "index_of", [item]) = (call.name.as_str(), &call.args[..])
        && let Some(list) = known.list_receivers.get(&at)
    {
        check_item(list, item, known, found);
    }
}

fn check_item(list: &'static str, item: &Expr, known: &FirstWalk, found: &mut Findings) {
    let (Some(items), Some(item_type)) = (item_type(list), certain_type(item, known)) else { return };
    if items != item_type {
        let help = help_with_property(items, item_type)
            .map(|property| format!("search by a property: `.some(|it| it.{property} == ...)`"));
        let message = format!("{} never contains {}", with_article(list), with_article(item_type));
        found.warn(item.position(), message, help);
    }
}

/// Returns the type that an expression certainly has: the type of a handle, `text`, `number` or
/// `truth value`, and for a literal also `list` or `map`. Returns `None` if the type is uncertain.
fn certain_type(expression: &Expr, known: &FirstWalk) -> Option<&'static str> {
    match expression {
        Expr::StringConstant(..) | Expr::InterpolatedString(..) => Some("text"),
        Expr::IntegerConstant(..) => Some("number"),
        Expr::BoolConstant(..) | Expr::And(..) | Expr::Or(..) => Some("truth value"),
        Expr::Array(..) => Some("list"),
        Expr::Map(..) => Some("map"),
        Expr::FnCall(call, _) if call.is_operator_call() => operator_type(call, known),
        Expr::FnCall(call, at) if known.literals.content(&call.name, *at).is_some() => None,
        Expr::FnCall(call, _) => certain_result(function(call, known.scanned)?),
        Expr::Dot(it, ..) => type_of(expression, known.scanned, &known.literals, MAX_STEPS)
            .filter(|it| is_handle(it))
            .or_else(|| last_result(links_of(&it.rhs).last()?, known)),
        other => type_of(other, known.scanned, &known.literals, MAX_STEPS).filter(|it| is_handle(it)),
    }
}

/// Returns the result of a function or property, if it certainly has one type.
fn certain_result(entry: &'static ApiEntry) -> Option<&'static str> {
    let is_plain = matches!(entry.result.as_str(), "text" | "number" | "truth value");
    if is_plain { Some(entry.result.as_str()) } else { handle_type(&entry.result).filter(|it| is_handle(it)) }
}

/// Returns the type of the last link of a chain if it is `text`, `number` or `truth value`.
fn last_result(link: &Expr, known: &FirstWalk) -> Option<&'static str> {
    let entry = match link {
        Expr::Property(property, at) => {
            member(known.certain_receivers.get(at)?, &property.2).filter(|entry| entry.form == EntrySyntax::Property)
        }
        Expr::MethodCall(call, at) => method(known.certain_receivers.get(at)?, call),
        _ => None,
    };
    entry.and_then(certain_result)
}

/// Returns the type that the result of an operator certainly has.
fn operator_type(call: &FnCallExpr, known: &FirstWalk) -> Option<&'static str> {
    let mut are_numbers = call.args.iter().map(|operand| certain_type(operand, known) == Some("number"));
    match call.name.as_str() {
        "==" | "!=" | "<" | "<=" | ">" | ">=" | "!" => Some("truth value"),
        // Also joins texts and lists.
        "+" => are_numbers.all(|is_number| is_number).then_some("number"),
        "-" | "*" | "/" | "%" => are_numbers.any(|is_number| is_number).then_some("number"),
        _ => None,
    }
}

/// Returns the type that a returned expression certainly has: also a list of handles or `()`.
pub(super) fn returned_type(expression: &Expr, known: &FirstWalk) -> Option<&'static str> {
    certain_type(expression, known)
        .or_else(|| type_of(expression, known.scanned, &known.literals, MAX_STEPS))
        .or(matches!(expression, Expr::Unit(_)).then_some("()"))
}

/// Warns of a comparison with the operator `sign` whose two sides have different types.
fn check_sides(sign: &str, one: &Expr, other: &Expr, at: Position, known: &FirstWalk, found: &mut Findings) {
    let [Some(one), Some(other)] = [one, other].map(|side| certain_type(side, known)) else { return };
    if one == other {
        return;
    }
    if !matches!(sign, "==" | "!=") {
        let message = format!("`{sign}` is never true for {} and {}", with_article(one), with_article(other));
        found.warn(at, message, None);
        return;
    }
    // A property of the literal's type says what the author probably means.
    let (handle, literal) = if is_handle(one) { (one, other) } else { (other, one) };
    let help = help_with_property(handle, literal)
        .map(|property| format!("compare a property instead, such as `.{property}`"));
    found.warn(at, format!("{} is never equal to {}", with_article(one), with_article(other)), help);
}

/// Returns a property of the type `handle` whose value has the type `result`, if there is one.
fn help_with_property(handle: &str, result: &str) -> Option<&'static str> {
    members(handle).find(|it| it.form == EntrySyntax::Property && it.result == result).map(|property| property.name)
}

/// Warns of a question about a tag that the receiver never has, such as `tile.has("shield")`, where
/// `shield` is a tag of zones.
pub(super) fn check_tag(call: &FnCallExpr, at: Position, known: &FirstWalk, found: &mut Findings) {
    let ("has" | "tag" | "tags", [Expr::StringConstant(tag, tag_at)]) = (call.name.as_str(), &call.args[..]) else {
        return;
    };
    let words = known.vocabulary;
    let Some(of) = known.certain_receivers.get(&at) else { return };
    if !words.tags.iter().any(|name| name == tag.as_str()) || found.count_if_full() {
        return;
    }
    let is_of_zones = words.zone_tags.iter().any(|name| name == tag.as_str());
    let (carriers, instead) = match (*of, is_of_zones) {
        ("tile", true) => ("zones", format!("`tile.zones.some(|zone| zone.has(\"{tag}\"))`")),
        ("tile type", true) => ("zones", format!("`tile_type.zones.some(|zone| zone.has(\"{tag}\"))`")),
        ("zone", false) => ("tiles", format!("`zone.tile.has(\"{tag}\")`")),
        ("feature", false) => ("tiles", format!("`feature.tiles.some(|tile| tile.has(\"{tag}\"))`")),
        _ => return,
    };
    let message = format!("`{tag}` is a tag of {carriers}, so {} never has it", with_article(of));
    found.warn(*tag_at, message, Some(format!("ask its {carriers}, as in {instead}")));
}

/// Returns the type of argument `n` of the hook `function`. Returns `None` if the engine passes no
/// such argument or its type is not certain.
fn argument_type(function: &str, n: usize) -> Option<&'static str> {
    let hook = Hook::named(function)?;
    match *hook.info().params.get(n)? {
        "drawn" => Some("tile type"),
        name @ ("player" | "tile" | "zone" | "feature" | "piece") => Some(name),
        _ => None,
    }
}

/// Returns a result of the reference without the remark that it can be `()`. Returns `None` for
/// results that are neither handles nor lists of handles.
fn handle_type(result: &'static str) -> Option<&'static str> {
    let result = result.trim_end_matches(" or ()");
    (is_handle(result) || item_type(result).is_some()).then_some(result)
}

/// Returns the type of the items of a list such as `list of players`, if the items are handles.
fn item_type(list: &'static str) -> Option<&'static str> {
    let item = list.strip_prefix("list of ")?.strip_suffix('s')?;
    is_handle(item).then_some(item)
}

/// Returns whether the reference lists properties of this type.
fn is_handle(name: &str) -> bool {
    let mut properties = table().iter().filter(|entry| entry.form == EntrySyntax::Property);
    properties.any(|entry| entry.params.first().is_some_and(|receiver| receiver.name == name))
}
