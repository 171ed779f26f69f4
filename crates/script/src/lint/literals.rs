//! Checks literal texts, numbers and lists in calls and comparisons: literals of a wrong type, and
//! names that no mod declares.
//!
//! The checks of version 1 of the language report errors. Checks that were added later report
//! warnings, so that a mod that once loaded still loads.

use diagnostic::{Severity, did_you_mean, there_are};
use rhai::{ASTNode, Expr, FnCallExpr, Position};

use super::first_walk::FirstWalk;
use super::lookup::{entries, library};
use super::syntax::{first_call, root_variable};
use super::vocabulary::Findings;
use crate::api::{EntrySyntax, table, usages};
use crate::changes::migrates_call;
use crate::docs::with_article;
use crate::params::{LiteralTypes, NameCategory, OptionKey, ParamInfo};

/// Returns the end of a help text for calls that `bastide migrate` rewrites; empty for other calls.
pub(super) fn migration_help(call: &FnCallExpr, is_method: bool) -> &'static str {
    let text = |arg: &Expr| match arg {
        Expr::StringConstant(text, _) => format!("\"{text}\""),
        Expr::Map(..) => "#{".to_owned(),
        _ => String::new(),
    };
    let receiver = is_method.then(String::new);
    let args: Vec<String> = receiver.into_iter().chain(call.args.iter().map(text)).collect();
    if migrates_call(&call.name, &args) { "; `bastide migrate` rewrites calls of earlier versions" } else { "" }
}

/// Returns the type of a literal argument, and the name of the type in messages; `None` if the
/// argument is not a literal.
fn literal_type(arg: &Expr) -> Option<(LiteralTypes, &'static str)> {
    Some(match arg {
        Expr::IntegerConstant(..) => (LiteralTypes::NUMBER, "a number"),
        Expr::BoolConstant(..) => (LiteralTypes::TRUTH, "a truth value"),
        Expr::StringConstant(..) | Expr::InterpolatedString(..) => (LiteralTypes::TEXT, "a text"),
        Expr::Array(..) => (LiteralTypes::LIST, "a list"),
        Expr::Map(..) => (LiteralTypes::MAP, "a map"),
        Expr::Unit(_) => (LiteralTypes::UNIT, "nothing"),
        _ => return None,
    })
}

/// Reports a literal whose type the function does not take, because such a call always fails.
/// Returns whether the argument is such a literal.
fn check_type(call: &FnCallExpr, is_method: bool, arg: &Expr, params: &[&ParamInfo], found: &mut Findings) -> bool {
    let Some((literal, is)) = literal_type(arg) else { return false };
    let fits = |param: &&ParamInfo| param.literals.contains(literal);
    if params.is_empty() || params.iter().any(fits) || library().contains_key(call.name.as_str()) {
        return false;
    }
    let wanted = params.iter().map(|param| with_article(param.name)).collect::<std::collections::BTreeSet<_>>();
    let wanted: Vec<String> = wanted.into_iter().collect();
    let message = format!("`{}` takes {} here, not {is}", call.name, wanted.join(" or "));
    let takes = |types: LiteralTypes| params.iter().any(|param| param.literals.contains(types));
    let help = match arg {
        Expr::StringConstant(text, _) if takes(LiteralTypes::NUMBER) && text.parse::<i64>().is_ok() => {
            format!("write it without quotes: `{text}`")
        }
        Expr::IntegerConstant(number, _)
            if takes(LiteralTypes::TEXT) && params.iter().all(|p| p.declared.is_none()) =>
        {
            format!("write it in quotes: `\"{number}\"`")
        }
        _ => format!("it is used as {}{}", usages(&call.name).join(" or "), migration_help(call, is_method)),
    };
    // These two mistakes were already errors in version 1.
    let is_list = matches!(arg, Expr::Array(..)) && params.iter().all(|param| param.rhai_type.name == "String");
    let is_text = matches!(arg, Expr::StringConstant(..)) && params.iter().all(|param| param.name == "list");
    match is_list || is_text {
        true => found.error(arg.position(), message, Some(help)),
        false => found.warn(arg.position(), message, Some(help)),
    }
    true
}

/// Checks the arguments of a call: the types of literals, named options, and texts that must be
/// names declared by mods.
pub(super) fn check_names(call: &FnCallExpr, n: usize, is_method: bool, known: &FirstWalk, found: &mut Findings) {
    if known.scanned.functions.iter().any(|f| f.name == call.name.as_str()) {
        return;
    }
    for (i, arg) in call.args.iter().enumerate() {
        let param = i + usize::from(is_method);
        let params = entries(&call.name).filter(|entry| entry.takes(n)).filter_map(|entry| entry.params.get(param));
        let params: Vec<&ParamInfo> = params.collect();
        if let Some(named) = params.iter().find(|param| !param.keys.is_empty()) {
            check_named_options(call, is_method, arg, named.keys, known, found);
            continue;
        }
        if check_type(call, is_method, arg, &params, found) {
            continue;
        }
        let may_be_text = |param: &&&ParamInfo| matches!(param.rhai_type.name, "String" | "?");
        let mut wanted: Vec<Option<NameCategory>> =
            params.iter().filter(may_be_text).map(|param| param.declared).collect();
        wanted.dedup();
        match wanted[..] {
            [Some(NameCategory::Setting)] => check_setting(&call.args, known, found),
            [Some(declared)] => check_literal_names(arg, &[declared], Severity::Error, known, found),
            _ if call.name == "parts_for" => {
                check_literal_names(arg, &[NameCategory::PartReason], Severity::Warning, known, found);
            }
            _ => {}
        }
    }
}

/// Checks the setting in `setting_of("mod", "setting")`.
fn check_setting(args: &[Expr], known: &FirstWalk, found: &mut Findings) {
    let [Expr::StringConstant(id, _), Expr::StringConstant(name, at)] = args else { return };
    let Some(settings) = known.vocabulary.settings_of.get(id.as_str()) else { return };
    if settings.iter().any(|setting| setting == name.as_str()) || found.count_if_full() {
        return;
    }
    let near = did_you_mean(name, settings.iter().map(String::as_str));
    let help = near.unwrap_or_else(|| match settings.is_empty() {
        true => "the mod has no settings, so the result is always `()`".to_owned(),
        false => there_are(settings),
    });
    found.warn(*at, format!("the mod `{id}` has no setting `{name}`"), Some(help));
}

/// Checks a literal map of named options: its keys, the types of their values, and the names that
/// mods declare.
fn check_named_options(
    call: &FnCallExpr,
    is_method: bool,
    arg: &Expr,
    keys: &[OptionKey],
    known: &FirstWalk,
    found: &mut Findings,
) {
    let name = call.name.as_str();
    let written: Vec<String> = keys.iter().map(|key| format!("{}: ...", key.name)).collect();
    let help = format!("the options of `{name}` are `#{{ {} }}`", written.join(", "));
    let entries = match arg {
        Expr::Map(map, _) => &map.0[..],
        Expr::StringConstant(_, at) | Expr::IntegerConstant(_, at) | Expr::BoolConstant(_, at) | Expr::Array(_, at) => {
            let help = format!("{help}{}", migration_help(call, is_method));
            return found.error(*at, format!("`{name}` takes this argument by name"), Some(help));
        }
        // A handle such as `piece.feature`. In version 1 this was no error.
        Expr::Dot(..) if is_handle(arg) => {
            let help = format!("{help}{}", migration_help(call, is_method));
            return found.warn(arg.position(), format!("`{name}` takes this argument by name"), Some(help));
        }
        _ => return,
    };
    for (key, value) in entries {
        let Some(option) = keys.iter().find(|option| option.name == key.name.as_str()) else {
            let near = did_you_mean(&key.name, keys.iter().map(|key| key.name));
            let help = near.unwrap_or_else(|| help.clone());
            found.error(key.pos, format!("`{name}` has no option `{}`", key.name), Some(help));
            continue;
        };
        if let Some((_, is)) = literal_type(value).filter(|(literal, _)| !option.literals.contains(*literal)) {
            let message =
                format!("the option `{}` of `{name}` takes {}, not {is}", key.name, with_article(option.takes));
            let first = option.about.split_once(". ").map_or(option.about, |(first, _)| first);
            found.warn(value.position(), message, Some(format!("`{}`: {}", key.name, first.trim_end_matches('.'))));
            continue;
        }
        let Some(declared) = option.declared else { continue };
        check_literal_names(value, &[declared], Severity::Error, known, found);
    }
}

/// Returns whether an expression ends with a property that is never a map, such as `piece.feature`.
fn is_handle(expression: &Expr) -> bool {
    let Some(name) = last_property(expression) else { return false };
    let mut properties = table().iter().filter(|entry| entry.form == EntrySyntax::Property && entry.name == name);
    properties.next().is_some()
        && properties.all(|entry| !entry.result.starts_with("value") && !entry.result.starts_with("map"))
}

/// Checks that a literal text, or each text of a literal list, is a declared name. If `value` is a
/// variable with literal texts, records its use as a name.
fn check_literal_names(
    value: &Expr,
    declared: &[NameCategory],
    severity: Severity,
    known: &FirstWalk,
    found: &mut Findings,
) {
    known.literals.use_as_name(value, declared);
    let texts = if let Expr::Array(items, _) = value { &items[..] } else { std::slice::from_ref(value) };
    for text in texts {
        if let Expr::StringConstant(text, at) = text {
            check_name(text, *at, declared, severity, known, found);
        }
    }
}

/// Checks the literal texts in variables that the script uses as names.
pub(super) fn check_names_in_variables(known: &FirstWalk, found: &mut Findings) {
    for ((text, at), declared) in known.literals.used_names() {
        check_name(&text, at, &declared, Severity::Warning, known, found);
    }
}

/// Checks that a text is a declared name of one of the categories in `declared`. `severity` is the
/// severity of a name that no mod declares.
fn check_name(
    text: &str,
    at: Position,
    declared: &[NameCategory],
    severity: Severity,
    known: &FirstWalk,
    found: &mut Findings,
) {
    let words: Option<Vec<Vec<&str>>> = declared.iter().map(|declared| known.valid_names(*declared, text)).collect();
    // If the names of a category are unknown, any text may be right.
    let Some(words) = words else { return };
    if words.iter().any(|words| words.contains(&text)) || found.count_if_full() {
        return;
    }
    let near = did_you_mean(text, words.iter().flatten().copied());
    let nouns: Vec<&str> = declared.iter().map(|declared| declared.noun()).collect();
    let is_any_name_legal = |category: &&NameCategory| {
        matches!(category, NameCategory::Mod | NameCategory::PartReason | NameCategory::PieceReason)
    };
    if let Some(category) = declared.iter().find(is_any_name_legal) {
        // Only a name that is close to a known name is probably a mistake.
        let Some(near) = near else { return };
        let message = match category {
            NameCategory::Mod => format!("there is no mod `{text}` here"),
            _ => format!("nothing in this script gives the reason `{text}`"),
        };
        found.warn(at, message, Some(near));
        return;
    }
    match declared {
        [NameCategory::Tile] => {
            found.warn(
                at,
                format!("there is no tile `{text}`"),
                Some(near.unwrap_or_else(|| tile_help(text, &words, known))),
            );
        }
        [NameCategory::Direction | NameCategory::Edge | NameCategory::EdgeOrHalf | NameCategory::When] => {
            let (what, all) = match declared {
                [NameCategory::Direction] => ("a direction", "n, ne, e, se, s, sw, w or nw"),
                [NameCategory::Edge] => ("an edge", "n, e, s or w"),
                [NameCategory::EdgeOrHalf] => ("an edge", "n, e, s or w, or a half of one such as n1"),
                _ => ("a value of `when`", "\"now\" or \"after\""),
            };
            found.warn(at, format!("`{text}` is not {what}"), Some(format!("write {all}")));
        }
        _ => {
            let help = near.unwrap_or_else(|| match declared {
                [
                    NameCategory::Tag
                    | NameCategory::Piece
                    | NameCategory::Token
                    | NameCategory::Pile
                    | NameCategory::Deck,
                ] => {
                    let table = nouns.concat();
                    format!("declare it in mod.toml, as [{table}.{text}], or require the mod that does")
                }
                _ => {
                    let names = words.concat();
                    let all = (names.len() <= MAX_LISTED).then(|| format!("{}; ", there_are(&names)));
                    format!(
                        "{}a name of another mod needs that mod in `requires` or `optional`",
                        all.unwrap_or_default()
                    )
                }
            });
            found.add(severity, at, format!("no mod declares a {} `{text}`", nouns.join(" or ")), Some(help));
        }
    }
}

/// The maximum number of names that help texts list.
const MAX_LISTED: usize = 12;

/// Returns the help for an unknown tile whose id is close to no other id.
fn tile_help(text: &str, words: &[Vec<&str>], known: &FirstWalk) -> String {
    let n: usize = words.iter().map(Vec::len).sum();
    match words.iter().find_map(|words| words.first()) {
        Some(only) if n == 1 => format!("there is only the tile `{only}`"),
        Some(first) => format!("there are {n} tiles, such as `{first}`"),
        None => with_prefix(text, known)
            .unwrap_or_else(|| "this mod has no tiles; write the mod of the tile too, such as `base/K`".to_owned()),
    }
}

/// Returns help with the whole id of a tile of any mod, if `text` is such an id without the mod.
fn with_prefix(text: &str, known: &FirstWalk) -> Option<String> {
    let is_it = |id: &&String| id.split_once('/').is_some_and(|(_, id)| id == text);
    known.vocabulary.tiles.iter().find(is_it).map(|id| format!("did you mean `{id}`?"))
}

/// The values of `left.how`, the argument of the hook `piece_left`.
const WAYS_TO_LEAVE: [&str; 3] = ["moved", "taken", "returned"];

/// The categories of names of `kind`.
const KINDS: [NameCategory; 2] = [NameCategory::Kind, NameCategory::Piece];

/// The texts that a property may contain.
#[derive(Clone, Copy)]
enum PropertyNames {
    /// Names of these categories. If the second field is an error, comparisons with other names
    /// were already errors in version 1.
    Declared(&'static [NameCategory], Severity),
    /// Kinds of land, of a zone or feature, or kinds of pieces. Names of the other category never
    /// match.
    KindsOf(NameCategory),
    /// Whole ids of tiles.
    TileIds,
    WaysToLeave,
}

/// Checks comparisons such as `feature.kind == "..."`, `zone.kind in ["..."]` and
/// `"..." in zone.edges`: the texts must be possible values of the property.
pub(super) fn check_comparison(call: &FnCallExpr, known: &FirstWalk, found: &mut Findings) {
    match (call.name.as_str(), &call.args[..]) {
        ("==" | "!=", [one, other]) => {
            check_values(one, other, Severity::Error, known, found);
            check_values(other, one, Severity::Error, known, found);
        }
        // The parser turns `item in list` into `contains(list, item)`.
        ("contains", [list, item]) => check_contains(list, item, Severity::Error, known, found),
        _ => {}
    }
}

/// Checks `list.contains(item)` and `list.index_of(item)`.
pub(super) fn check_search(node: &ASTNode, known: &FirstWalk, found: &mut Findings) {
    let ASTNode::Expr(Expr::Dot(it, ..)) = node else { return };
    let call = first_call(&it.rhs).filter(|call| matches!(call.name.as_str(), "contains" | "index_of"));
    if let Some(item) = call.and_then(|call| call.args.first()) {
        // In version 1, these calls were not checked.
        check_contains(&it.lhs, item, Severity::Warning, known, found);
    }
}

fn check_contains(list: &Expr, item: &Expr, severity: Severity, known: &FirstWalk, found: &mut Findings) {
    match last_property(list) {
        Some("edges") => check_literal_names(item, &[NameCategory::Edge], Severity::Warning, known, found),
        _ => check_values(item, list, severity, known, found),
    }
}

/// Checks the cases of a `switch` over `value`. `at` is the place of the word `switch`.
pub(super) fn check_switch(value: &Expr, at: Position, known: &FirstWalk, found: &mut Findings) {
    let cases = known.scanned.cases.get(&at).into_iter().flatten();
    let names = names_in(value, known);
    for (text, at) in cases {
        known.literals.compare(value, text);
        if let Some(names) = names {
            check_property_value(text, *at, names, Severity::Warning, known, found);
        }
    }
}

/// Checks the literal texts in `texts`, with which the script compares `value`. `severity` is the
/// highest severity to report.
fn check_values(value: &Expr, texts: &Expr, severity: Severity, known: &FirstWalk, found: &mut Findings) {
    let literals = if let Expr::Array(items, _) = texts { &items[..] } else { std::slice::from_ref(texts) };
    let is_one_text = !matches!(texts, Expr::Array(..));
    let names = names_in(value, known);
    match names {
        Some(PropertyNames::Declared(declared, _)) => known.literals.use_as_name(texts, declared),
        Some(PropertyNames::KindsOf(_)) => known.literals.use_as_name(texts, &KINDS),
        _ => {}
    }
    for text in literals {
        let Expr::StringConstant(text, at) = text else { continue };
        known.literals.compare(value, text);
        if let Some(names) = names {
            // In version 1, variables were not checked, nor were lists of ways to leave, nor
            // parameters of `piece_left` with other names.
            let is_left = root_variable(value).is_some_and(|(name, _)| name == "left");
            let is_new_way = matches!(names, PropertyNames::WaysToLeave) && !(is_left && is_one_text);
            let is_new = last_property(value).is_none() || is_new_way;
            let severity = if is_new { Severity::Warning } else { severity };
            check_property_value(text, *at, names, severity, known, found);
        }
    }
}

/// Checks that a property may have the value `text`. `severity` is the highest severity to report.
fn check_property_value(
    text: &str,
    at: Position,
    names: PropertyNames,
    severity: Severity,
    known: &FirstWalk,
    found: &mut Findings,
) {
    match names {
        PropertyNames::Declared(declared, own) => {
            let severity = if own == Severity::Error { severity } else { Severity::Warning };
            check_name(text, at, declared, severity, known, found);
        }
        PropertyNames::KindsOf(own) => {
            let is_in = |category| known.valid_names(category, text).is_some_and(|words| words.contains(&text));
            let other = if own == NameCategory::Kind { NameCategory::Piece } else { NameCategory::Kind };
            if !is_in(own) && is_in(other) {
                let of = if own == NameCategory::Kind { "land" } else { "a piece" };
                let help = format!("it is a {}", other.noun());
                found.warn(at, format!("the kind of {of} is never `{text}`"), Some(help));
            } else {
                check_name(text, at, &KINDS, severity, known, found);
            }
        }
        PropertyNames::TileIds if text.contains('/') => {
            check_name(text, at, &[NameCategory::Tile], Severity::Warning, known, found);
        }
        PropertyNames::TileIds => {
            let help = with_prefix(text, known)
                .unwrap_or_else(|| "write the mod of the tile too, such as `base/K`".to_owned());
            found.warn(at, format!("the id of a tile is never `{text}`"), Some(help));
        }
        PropertyNames::WaysToLeave => {
            if !WAYS_TO_LEAVE.contains(&text) {
                let help = did_you_mean(text, WAYS_TO_LEAVE).unwrap_or_else(|| there_are(&WAYS_TO_LEAVE));
                found.add(severity, at, format!("`left.how` is never `{text}`"), Some(help));
            }
        }
    }
}

/// Returns the names that an expression may contain: a property such as `zone.kind`, a variable
/// with such a property, or the parameter `kind` of a hook. Returns `None` for other expressions.
fn names_in(value: &Expr, known: &FirstWalk) -> Option<PropertyNames> {
    if let Expr::Variable(variable, _, at) = value {
        let name = variable.1.as_str();
        if let Some(value @ (Expr::Dot(..) | Expr::Index(..))) = known.literals.value_of(name, *at) {
            return names_in(value, known);
        }
        let is_kind = known.hook_param(name, *at) == Some("kind");
        return is_kind.then_some(PropertyNames::Declared(&[NameCategory::Piece], Severity::Warning));
    }
    let declared = |names, severity| Some(PropertyNames::Declared(names, severity));
    let owner = owner_of_last_property(value)?;
    // A script may give the parameter of a hook another name than the reference does.
    let written = root_variable(value);
    let root = written.map(|(name, at)| known.hook_param(name, at).unwrap_or(name));
    let owner = root.filter(|_| written.is_some_and(|(name, _)| name == owner)).unwrap_or(owner);
    match (root, owner, last_property(value)?) {
        (_, "zone" | "feature", "kind") => Some(PropertyNames::KindsOf(NameCategory::Kind)),
        (_, "piece" | "deployment" | "left" | "returned", "kind") => Some(PropertyNames::KindsOf(NameCategory::Piece)),
        (.., "kind") => declared(&KINDS, Severity::Error),
        (Some("turn"), _, "deck") => declared(&[NameCategory::Deck], Severity::Warning),
        (Some("turn"), _, "reason") => declared(&[NameCategory::PartReason], Severity::Warning),
        (Some("left" | "returned"), _, "reason") => declared(&[NameCategory::PieceReason], Severity::Warning),
        (Some("left"), _, "how") => Some(PropertyNames::WaysToLeave),
        (_, "feature", "layer") => declared(&[NameCategory::Layer], Severity::Warning),
        (_, "deck", "name") => declared(&[NameCategory::Deck], Severity::Warning),
        (_, "tile" | "tile_type" | "drawn", "id") => Some(PropertyNames::TileIds),
        _ => None,
    }
}

/// Returns the last property of a chain such as `tile.zones[0].kind`. Returns `None` if the chain
/// ends in something else.
fn last_property(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Dot(it, ..) | Expr::Index(it, ..) => last_property(&it.rhs),
        Expr::Property(property, _) => Some(&property.2),
        _ => None,
    }
}

/// Returns the name before the last property of a chain, such as `tile` in `turn.tile.id` and in
/// `tile.id`. Returns an empty text if no name precedes the property, and `None` if the expression
/// is not a chain.
fn owner_of_last_property(expression: &Expr) -> Option<&str> {
    let (Expr::Dot(it, ..) | Expr::Index(it, ..)) = expression else { return None };
    match &it.rhs {
        Expr::Dot(..) | Expr::Index(..) => owner_of_last_property(&it.rhs),
        _ => Some(match &it.lhs {
            Expr::Variable(variable, ..) => variable.1.as_str(),
            Expr::Property(property, _) => &property.2,
            _ => "",
        }),
    }
}
