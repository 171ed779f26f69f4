//! Checks literal texts, numbers and lists in calls and comparisons: literals of a wrong type, and
//! names that no mod declares.
//!
//! The checks of version 1 of the language report errors. Checks that were added later report
//! warnings, so that a mod that once loaded still loads.

use diagnostic::{did_you_mean, there_are};
use rhai::{Expr, FnCallExpr, Position};

use super::vocabulary::{Findings, ValidNames};
use super::walk::{FirstWalk, entries, library};
use crate::api::usages;
use crate::params::{LiteralTypes, NameCategory, OptionKey, ParamInfo};

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
fn check_type(call: &FnCallExpr, arg: &Expr, params: &[&ParamInfo], found: &mut Findings) -> bool {
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
        _ => format!("it is used as {}", usages(&call.name).join(" or ")),
    };
    // These two mistakes were already errors in version 1.
    let is_list = matches!(arg, Expr::Array(..)) && params.iter().all(|param| param.rhai_type == "String");
    let is_text = matches!(arg, Expr::StringConstant(..)) && params.iter().all(|param| param.name == "list");
    match is_list || is_text {
        true => found.error(arg.position(), message, Some(help)),
        false => found.warn(arg.position(), message, Some(help)),
    }
    true
}

/// Returns a noun with its article, if it needs one.
fn with_article(noun: &str) -> String {
    match noun.chars().next() {
        Some('"') | None => noun.to_owned(),
        Some('a' | 'e' | 'i' | 'o' | 'u') => format!("an {noun}"),
        Some(_) => format!("a {noun}"),
    }
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
            check_named_options(&call.name, arg, named.keys, known, found);
            continue;
        }
        if check_type(call, arg, &params, found) {
            continue;
        }
        let may_be_text = |param: &&&ParamInfo| matches!(param.rhai_type, "String" | "?");
        let mut wanted: Vec<Option<NameCategory>> =
            params.iter().filter(may_be_text).map(|param| param.declared).collect();
        wanted.dedup();
        match wanted[..] {
            [Some(NameCategory::Setting)] => check_setting(&call.args, known, found),
            [Some(declared)] => check_literal_names(arg, &[declared], known, found),
            _ if call.name == "parts_for" => check_literal_names(arg, &[NameCategory::PartReason], known, found),
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
fn check_named_options(name: &str, arg: &Expr, keys: &[OptionKey], known: &FirstWalk, found: &mut Findings) {
    let written: Vec<String> = keys.iter().map(|key| format!("{}: ...", key.name)).collect();
    let help = format!("the options of `{name}` are `#{{ {} }}`", written.join(", "));
    let entries = match arg {
        Expr::Map(map, _) => &map.0[..],
        Expr::StringConstant(_, at) | Expr::IntegerConstant(_, at) | Expr::BoolConstant(_, at) | Expr::Array(_, at) => {
            return found.error(*at, format!("`{name}` takes this argument by name"), Some(help));
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
        check_literal_names(value, &[declared], known, found);
    }
}

/// Checks that a literal text, or each text of a literal list, is a declared name.
fn check_literal_names(value: &Expr, declared: &[NameCategory], known: &FirstWalk, found: &mut Findings) {
    let texts = if let Expr::Array(items, _) = value { &items[..] } else { std::slice::from_ref(value) };
    for text in texts {
        if let Expr::StringConstant(text, at) = text {
            check_name(text, *at, declared, known, found);
        }
    }
}

/// Checks that a text is a declared name of one of the categories in `declared`.
fn check_name(text: &str, at: Position, declared: &[NameCategory], known: &FirstWalk, found: &mut Findings) {
    let words: Vec<ValidNames> = declared.iter().filter_map(|declared| known.valid_names(*declared, text)).collect();
    // If `words` is empty, the valid names are unknown, so any text may be right.
    if words.is_empty() || words.iter().any(|words| words.names.contains(&text)) || found.count_if_full() {
        return;
    }
    let near = did_you_mean(text, words.iter().flat_map(|words| words.names.iter().copied()));
    let [first, ..] = declared else { return };
    match first {
        NameCategory::Mod | NameCategory::PartReason | NameCategory::PieceReason => {
            // Any name is legal, so only a name that is close to a known name is probably a
            // mistake.
            let Some(near) = near else { return };
            let message = match first {
                NameCategory::Mod => format!("there is no mod `{text}` here"),
                _ => format!("nothing in this script gives the reason `{text}`"),
            };
            found.warn(at, message, Some(near));
        }
        NameCategory::Tile => {
            let list = || format!("there are {} tiles, such as `{}`", words_len(&words), first_of(&words));
            found.warn(at, format!("there is no tile `{text}`"), Some(near.unwrap_or_else(list)));
        }
        NameCategory::Direction | NameCategory::Edge | NameCategory::EdgeOrHalf | NameCategory::When => {
            let (what, all) = match first {
                NameCategory::Direction => ("a direction", "n, ne, e, se, s, sw, w or nw"),
                NameCategory::Edge => ("an edge", "n, e, s or w"),
                NameCategory::EdgeOrHalf => ("an edge", "n, e, s or w, or a half of one such as n1"),
                _ => ("a value of `when`", "\"now\" or \"after\""),
            };
            found.warn(at, format!("`{text}` is not {what}"), Some(format!("write {all}")));
        }
        _ => {
            let what = match declared {
                [NameCategory::Kind, NameCategory::Piece] => "kind of land or piece",
                _ => first.noun(),
            };
            let table = match declared {
                [
                    one @ (NameCategory::Tag
                    | NameCategory::Piece
                    | NameCategory::Token
                    | NameCategory::Pile
                    | NameCategory::Deck),
                ] => Some(one.noun()),
                _ => None,
            };
            let declare = |table| format!("declare it in mod.toml, as [{table}.{text}], or require the mod that does");
            found.error(at, format!("no mod declares a {what} `{text}`"), near.or_else(|| table.map(declare)));
        }
    }
}

fn words_len(words: &[ValidNames]) -> usize {
    words.iter().map(|words| words.names.len()).sum()
}

fn first_of<'a>(words: &[ValidNames<'a>]) -> &'a str {
    words.iter().find_map(|words| words.names.first().copied()).unwrap_or_default()
}

/// The values of `left.how`, the argument of the hook `piece_left`.
const WAYS_TO_LEAVE: [&str; 3] = ["moved", "taken", "returned"];

/// Checks comparisons such as `feature.kind == "..."`, `zone.kind in ["..."]` and
/// `"..." in zone.edges`: the texts must be possible values of the property.
pub(super) fn check_comparison(call: &FnCallExpr, known: &FirstWalk, found: &mut Findings) {
    let (of, texts) = match (call.name.as_str(), &call.args[..]) {
        ("==" | "!=", [text @ Expr::StringConstant(..), of] | [of, text]) => (of, text),
        // The parser turns `of in texts` into `texts.contains(of)`.
        ("contains", [list, text @ Expr::StringConstant(..)]) if last_property(list) == Some("edges") => {
            return check_literal_names(text, &[NameCategory::Edge], known, found);
        }
        ("contains", [texts, of]) => (of, texts),
        _ => return,
    };
    let Some(property) = last_property(of) else { return };
    let root = root_variable(of);
    match (root, property) {
        (_, "kind") => check_literal_names(texts, &[NameCategory::Kind, NameCategory::Piece], known, found),
        (Some("turn"), "deck") => check_deck(texts, known, found),
        (Some("turn"), "reason") => check_literal_names(texts, &[NameCategory::PartReason], known, found),
        (Some("left" | "returned"), "reason") => check_literal_names(texts, &[NameCategory::PieceReason], known, found),
        (Some("left"), "how") => {
            let Expr::StringConstant(text, at) = texts else { return };
            if !WAYS_TO_LEAVE.contains(&text.as_str()) {
                let help = did_you_mean(text, WAYS_TO_LEAVE).unwrap_or_else(|| there_are(&WAYS_TO_LEAVE));
                found.error(*at, format!("`left.how` is never `{text}`"), Some(help));
            }
        }
        _ => {}
    }
}

/// Checks the deck in `turn.deck == "..."`.
fn check_deck(texts: &Expr, known: &FirstWalk, found: &mut Findings) {
    let Expr::StringConstant(text, at) = texts else { return };
    let Some(words) = known.valid_names(NameCategory::Deck, text) else { return };
    if !words.names.contains(&text.as_str()) {
        let help = did_you_mean(text, words.names.iter().copied()).unwrap_or_else(|| there_are(&words.names));
        found.warn(*at, format!("no mod declares a deck `{text}`"), Some(help));
    }
}

/// Returns the last property of a chain such as `tile.zones[0].kind`.
fn last_property(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Dot(it, ..) | Expr::Index(it, ..) => last_property(&it.rhs),
        Expr::Property(property, _) => Some(&property.2),
        _ => None,
    }
}

/// Returns the variable at the beginning of a chain, such as `tile` in `tile.zones[0].kind`.
pub(super) fn root_variable(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Dot(it, ..) | Expr::Index(it, ..) => root_variable(&it.lhs),
        Expr::Variable(variable, ..) => Some(variable.1.as_str()),
        _ => None,
    }
}
