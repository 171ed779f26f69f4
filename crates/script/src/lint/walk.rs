//! Walks through a compiled script, and checks that the functions, properties, settings and names
//! that it uses exist.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{did_you_mean, nearest};
use rhai::{AST, ASTNode, Expr, FnCallExpr, Position, Stmt};
use rules::HookClass;

use super::assignments::check_assignment;
use super::closures;
use super::first_walk::FirstWalk;
use super::literals::{
    check_comparison, check_names, check_names_in_variables, check_search, check_switch, migration_help,
};
use super::lookup::{entries, library, member, members};
use super::returns::check_returns;
use super::syntax::links_of;
use super::types::{certain_receivers, check_search_of_type, check_tag, check_types};
use super::variables::LiteralVariables;
use super::vocabulary::{Findings, Vocabulary};
use crate::api::{ApiEntry, EntryKind, EntrySyntax, MAP_KEYS, table, usages};
use crate::changes::help_for;
use crate::docs::with_article;
use crate::memory::SCOPES;
use crate::scan::ScriptScan;
use crate::type_names::counted;

/// Words of the language that are written like functions.
const KEYWORDS: [&str; 9] =
    ["print", "debug", "type_of", "call", "curry", "is_def_fn", "is_def_var", "is_shared", "Fn"];
/// Functions that Rhai offers in other programs but not in scripts of mods, with the reason or a
/// replacement.
const FORBIDDEN: [(&str, &str); 5] = [
    ("sleep", "scripts have no clock"),
    ("timestamp", "scripts have no clock"),
    ("eval", "to call a function by name, use `run(name, ...)`"),
    ("exit", "use `return`"),
    ("parse_json", "write data as a constant at the top of the script"),
];

/// The names of functions and variables that the script uses.
pub(super) struct UsedNames {
    pub functions: BTreeSet<String>,
    /// True if the script calls functions by names that it computes.
    pub calls_by_name: bool,
}

/// Checks all calls and properties of a script. Returns the names that the script uses.
pub(super) fn check(ast: &AST, scanned: &ScriptScan, vocabulary: &Vocabulary, found: &mut Findings) -> UsedNames {
    let mut uses = UsedNames { functions: BTreeSet::new(), calls_by_name: false };
    let mut known = FirstWalk {
        scanned,
        vocabulary,
        owner: found.owner().to_owned(),
        part_reasons: BTreeSet::from(["turn".to_owned()]),
        piece_reasons: ["scored", "tile", "returned"].map(str::to_owned).into(),
        literals: LiteralVariables::collect(ast, scanned),
        keys: MAP_KEYS.iter().map(|key| (*key).to_owned()).collect(),
        seen: BTreeSet::new(),
        receivers: BTreeMap::new(),
        certain_receivers: BTreeMap::new(),
        list_receivers: BTreeMap::new(),
    };
    ast.walk(&mut |path| {
        if let Some(node) = path.last() {
            collect(node, &mut known, &mut uses);
            check_mem_and_settings(node, &mut known, found);
            record_receiver_types(node, &mut known.receivers);
            let FirstWalk { literals, certain_receivers: found, list_receivers, .. } = &mut known;
            certain_receivers(node, scanned, literals, found, list_receivers);
        }
        true
    });
    ast.walk(&mut |path| {
        match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at))) => {
                check_call(call, *at, false, &known, found);
                check_types(call, *at, &known, found);
            }
            Some(ASTNode::Expr(Expr::MethodCall(call, at))) => {
                check_call(call, *at, true, &known, found);
                check_search_of_type(call, *at, &known, found);
            }
            Some(ASTNode::Expr(Expr::Property(property, at))) => check_property(&property.2, *at, &known, found),
            Some(ASTNode::Stmt(Stmt::Switch(it, at))) => check_switch(&it.0, *at, &known, found),
            Some(ASTNode::Expr(Expr::StringConstant(text, at))) => check_text(text, *at, found),
            Some(node) => {
                closures::check_captures(path, known.scanned, found);
                check_search(node, &known, found);
                check_assignment(node, &known, found);
            }
            None => {}
        }
        true
    });
    check_names_in_variables(&known, found);
    check_returns(ast, &known, found);
    closures::check_names(ast, scanned, found);
    uses
}

fn collect(node: &ASTNode, known: &mut FirstWalk, uses: &mut UsedNames) {
    match node {
        ASTNode::Stmt(Stmt::Assignment(it)) => collect_keys(&it.1.lhs, &mut known.keys),
        ASTNode::Expr(Expr::Map(map, _)) => known.keys.extend(map.0.iter().map(|(key, _)| key.name.to_string())),
        ASTNode::Expr(Expr::DynamicConstant(value, _)) => {
            if let Some(map) = value.read_lock::<rhai::Map>() {
                known.keys.extend(map.keys().map(|key| key.to_string()));
            }
        }
        ASTNode::Expr(Expr::Index(it, ..)) => {
            if let Expr::StringConstant(key, _) = &it.rhs {
                known.keys.insert(key.to_string());
            }
        }
        ASTNode::Expr(Expr::Variable(it, ..)) => {
            uses.functions.insert(it.1.to_string());
        }
        ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => {
            uses.functions.insert(call.name.to_string());
            let reason = |i: usize| match call.args.get(i) {
                Some(Expr::StringConstant(text, _)) => Some(text.to_string()),
                _ => None,
            };
            match call.name.as_str() {
                "extra_part" => known.part_reasons.extend(reason(0)),
                "return_piece" => known.piece_reasons.extend(reason(1)),
                "move_piece" => known.piece_reasons.extend(reason(2)),
                _ => {}
            }
            if matches!(call.name.as_str(), "run" | "Fn") {
                match call.args.first() {
                    Some(Expr::StringConstant(name, _)) => {
                        uses.functions.insert(name.to_string());
                    }
                    _ => uses.calls_by_name = true,
                }
            }
        }
        _ => {}
    }
}

/// Collects the keys that an assignment may add to a map: every property on its left side.
fn collect_keys(target: &Expr, keys: &mut BTreeSet<String>) {
    match target {
        Expr::Dot(it, ..) | Expr::Index(it, ..) => {
            collect_keys(&it.lhs, keys);
            collect_keys(&it.rhs, keys);
        }
        Expr::Property(property, _) => {
            keys.insert(property.2.to_string());
        }
        _ => {}
    }
}

/// Records the type of the receiver of each property in a chain such as `turn.tile.spot`.
fn record_receiver_types(node: &ASTNode, found: &mut BTreeMap<Position, &'static str>) {
    let ASTNode::Expr(Expr::Dot(it, ..)) = node else { return };
    let Expr::Variable(variable, ..) = &it.lhs else { return };
    // The type of a variable is known if the variable has a name that hooks and the reference use.
    // For other names, the help considers the properties of all types.
    let named = table().iter().filter(|entry| entry.form == EntrySyntax::Property);
    let mut of = named
        .into_iter()
        .find(|e| e.names.first() == Some(&variable.1.as_str()))
        .and_then(|e| Some(e.params.first()?.name));
    for link in links_of(&it.rhs) {
        let Some(receiver) = of else { return };
        let member = match link {
            Expr::Property(property, at) => {
                found.insert(*at, receiver);
                member(receiver, &property.2)
            }
            Expr::MethodCall(call, _) => member(receiver, &call.name),
            _ => None,
        };
        of = member.map(|entry| entry.result.trim_end_matches(" or ()"));
    }
}

/// Checks the word right after `mem.` and `settings.`.
fn check_mem_and_settings(node: &ASTNode, known: &mut FirstWalk, found: &mut Findings) {
    let ASTNode::Expr(Expr::Dot(it, ..)) = node else { return };
    let Expr::Variable(variable, ..) = &it.lhs else { return };
    let (first, rest) = match &it.rhs {
        Expr::Dot(inner, ..) | Expr::Index(inner, ..) => (&inner.lhs, Some(&inner.rhs)),
        only => (only, None),
    };
    let Expr::Property(property, at) = first else { return };
    let name = property.2.as_str();
    match variable.1.as_str() {
        "mem" => {
            known.seen.insert(*at);
            if SCOPES.iter().all(|(scope, _)| *scope != name) {
                let near = did_you_mean(name, SCOPES.iter().map(|(scope, _)| *scope));
                let help = near.unwrap_or_else(|| "write `mem.part`, `mem.turn` or `mem.game`".to_owned());
                found.error(*at, format!("`mem` has no scope `{name}`"), Some(help));
            }
            // Scripts may store values under any name, so these names count as known keys.
            if let Some(rest) = rest {
                collect_keys(rest, &mut known.keys);
            }
        }
        "settings" => {
            known.seen.insert(*at);
            let settings = &known.vocabulary.settings;
            if !settings.iter().any(|setting| setting == name) {
                let near = did_you_mean(name, settings.iter().map(String::as_str));
                let help = near.unwrap_or_else(|| format!("add [setting.{name}] to mod.toml"));
                found.error(*at, format!("mod.toml declares no setting `{name}`"), Some(help));
            }
        }
        _ => {}
    }
}

/// Reports a call of an effect or question in a rule or menu. Such a call always fails, because
/// rules and menus may only read the game.
fn check_read_only(name: &str, n: usize, at: Position, known: &FirstWalk, found: &mut Findings) {
    let changes = |entry: &ApiEntry| matches!(entry.kind, EntryKind::Effect | EntryKind::Question);
    let mut natives = entries(name).filter(|entry| entry.takes(n)).peekable();
    let is_other = known.scanned.functions.iter().any(|f| f.name == name) || library().contains_key(name);
    if is_other || natives.peek().is_none() || !natives.all(changes) {
        return;
    }
    if let Some(hook) = known.enclosing_hook(at).filter(|hook| hook.class != HookClass::Effect) {
        let message = format!("`{name}` asks or changes something, and `{}` may only look", hook.name);
        let help = match (name, hook.name) {
            ("score", "score_value" | "score_total") => {
                "to change the points of the feature, write `score.plus(3, \"why\")`".to_owned()
            }
            _ => "do it in an event, in a phase, or in the handler of an option".to_owned(),
        };
        found.error(at, message, Some(help));
    }
}

/// Reports an option that a menu offers and the mod does not declare. Such an option has no
/// handler.
fn check_option(call: &FnCallExpr, at: Position, known: &FirstWalk, found: &mut Findings) {
    let Some(Expr::StringConstant(word, word_at)) = call.args.first().filter(|_| call.name == "option") else { return };
    let Some(menu) = known.enclosing_hook(at).filter(|hook| hook.class == HookClass::Options) else { return };
    let declared = &known.vocabulary.options;
    if declared.iter().all(|option| option != word.as_str()) {
        let message =
            format!("mod.toml declares no option `{word}`, so nothing happens when `{}` offers it", menu.name);
        let handler = format!("do_{}", word.replace('-', "_"));
        let near = did_you_mean(word, declared.iter().map(String::as_str));
        let help = format!("add [option.{word}] to mod.toml, and `fn {handler}(choice) {{ ... }}` to the script");
        found.error(*word_at, message, Some(near.unwrap_or(help)));
    }
}

fn check_call(call: &FnCallExpr, at: Position, is_method: bool, known: &FirstWalk, found: &mut Findings) {
    let name = call.name.as_str();
    if call.op_token.is_some() || !rhai::is_valid_identifier(name) {
        check_comparison(call, known, found);
        return;
    }
    let n_native = call.args.len() + usize::from(is_method);
    let defined: Vec<usize> =
        known.scanned.functions.iter().filter(|f| f.name == name).map(|f| f.params.len()).collect();
    let fits = defined.contains(&call.args.len())
        || entries(name).any(|entry| entry.takes(n_native))
        || library().get(name).is_some_and(|numbers| numbers.contains(&n_native));
    if fits {
        check_comparison(call, known, found);
        check_read_only(name, n_native, at, known, found);
        check_option(call, at, known, found);
        check_names(call, n_native, is_method, known, found);
        check_tag(call, at, known, found);
        check_run(call, known, found);
        return;
    }
    // A variable of the function around the call, or an entry of a map, may contain a function.
    let is_variable = known.literals.content(name, at).is_some();
    if KEYWORDS.contains(&name) || is_variable || is_method && known.keys.contains(name) {
        return;
    }
    if found.count_if_full() {
        return;
    }
    if let Some((_, reason)) = FORBIDDEN.iter().find(|(forbidden, _)| *forbidden == name) {
        found.error(at, format!("`{name}` is not available to scripts"), Some((*reason).to_owned()));
        return;
    }
    let n = call.args.len();
    let written = usages(name);
    if !defined.is_empty() {
        let wanted = match defined[..] {
            [wanted] => counted(wanted, "argument"),
            _ => format!("{} arguments", defined.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ")),
        };
        let message = format!("`{name}` takes {wanted}, not {n}");
        let function = known.scanned.functions.iter().find(|f| f.name == name);
        let help = function.map(|f| format!("it is defined as `fn {name}({})`", f.params.join(", ")));
        found.error(at, message, help);
    } else if !written.is_empty() {
        let help = format!("it is used as {}{}", written.join(" or "), migration_help(call, is_method));
        found.error(at, format!("`{name}` cannot be called with {}", counted(n, "argument")), Some(help));
    } else if let Some(numbers) = library().get(name) {
        let less = usize::from(is_method);
        let wanted: Vec<String> = numbers.iter().map(|m| m.saturating_sub(less).to_string()).collect();
        let message = format!("`{name}` cannot be called with {}", counted(n, "argument"));
        let help =
            arity_help(name, n_native).map_or_else(|| format!("it takes {}", wanted.join(" or ")), str::to_owned);
        found.error(at, message, Some(help));
    } else {
        let names = table().iter().map(|e| e.name).chain(known.scanned.functions.iter().map(|f| f.name.as_str()));
        let near = || did_you_mean(name, names.chain(library().keys().map(String::as_str)));
        let guessed = || guess_help(name).map(|usage| format!("write `{usage}`"));
        let help = help_for(name, None).or_else(guessed).or_else(near);
        found.error(at, format!("there is no function `{name}`"), help);
    }
}

/// Returns the replacement for the name of a missing function, if authors often guess this name.
fn guess_help(name: &str) -> Option<&'static str> {
    Some(match name {
        "remove_piece" | "remove" | "kill" | "send_home" => "return_piece(piece, \"why\")",
        "add_points" | "give_points" | "award" => "score(player, points, \"why\")",
        "rotate" | "rotate_tile" | "turn" => "turn_tile(tile, facing)",
        "remove_tile" => "take_up(tile)",
        "place_tile" => "lay_tile(tile_type, spot, facing)",
        "random" | "rand" | "dice" | "roll_die" => "roll([1, 2, 3, 4, 5, 6])",
        "pieces_left" => "supply(player, piece)",
        "neighbors" | "adjacent" => "spot.neighbours",
        "all_tiles" => "tiles()",
        "log" | "message" => "note(text)",
        "add_score" => "score(player, points, \"why\")",
        "place_meeple" | "place_follower" => "place_piece(piece, player, where)",
        "return_meeple" | "return_follower" => "return_piece(piece, \"why\")",
        "add" => "score.plus(3, \"why\")` or `list.push(item)",
        "subtract" => "score.minus(3, \"why\")",
        "any" => "list.some(|it| ...)",
        "every" => "list.all(|it| ...)",
        "includes" => "list.contains(item)",
        "forEach" | "foreach" | "each" => "for item in list { ... }",
        "enumerate" => "for (item, index) in list { ... }",
        "join" => "for item in list { text += item; }",
        "select" | "where" | "find_all" => "list.filter(|it| ...)",
        "max_by" | "max_by_key" => "list.most(|it| ...)",
        "min_by" | "min_by_key" => "list.least(|it| ...)",
        "sorted" => "list.order(|a, b| a - b)",
        "first" => "list[0]",
        "last" => "list[-1]",
        "length" | "size" => "list.len",
        "str" => "value.to_string()",
        _ => return None,
    })
}

/// Returns the help for a call of a library function with a number of arguments, including a
/// receiver, that the function takes in other languages. Returns `None` for any other call.
fn arity_help(name: &str, n: usize) -> Option<&'static str> {
    Some(match (name, n) {
        ("range", 1) => "write `0..n`",
        ("max", 1) => "for a list that is not empty, write `list.most(|it| it)[0]`",
        ("min", 1) => "for a list that is not empty, write `list.least(|it| it)[0]`",
        _ => return None,
    })
}

/// Warns of `${...}` in a text between quotation marks, which calculates nothing.
fn check_text(text: &str, at: Position, found: &mut Findings) {
    let mut parts = text.split("${").skip(1);
    if parts.any(|part| part.contains('}') && part.starts_with(|c: char| c.is_alphanumeric() || c == '_')) {
        let message = "`${...}` in a text between quotation marks is not calculated".to_owned();
        found.warn(at, message, Some("write the text between backticks instead".to_owned()));
    }
}

/// Checks that the script has the function that `run("name", ...)` calls.
fn check_run(call: &FnCallExpr, known: &FirstWalk, found: &mut Findings) {
    if call.name.as_str() != "run" {
        return;
    }
    let Some(Expr::StringConstant(name, at)) = call.args.first() else { return };
    let n = call.args.len() - 1;
    let functions = &known.scanned.functions;
    if !functions.iter().any(|f| f.name == name.as_str() && f.params.len() == n) {
        let near = did_you_mean(name, functions.iter().map(|f| f.name.as_str()));
        let message = format!("this script has no function `{name}` with {}", counted(n, "parameter"));
        found.error(*at, message, near);
    }
}

fn check_property(name: &str, at: Position, known: &FirstWalk, found: &mut Findings) {
    let of_table = table().iter().any(|entry| entry.form == EntrySyntax::Property && entry.name == name);
    let of_library = library().contains_key(&format!("get${name}"));
    let certain = known.certain_receivers.get(&at).copied();
    let lacks_it = certain.is_some_and(|of| member(of, name).is_none_or(|it| it.form != EntrySyntax::Property));
    if !lacks_it && (of_table || of_library || known.keys.contains(name) || known.seen.contains(&at)) {
        return;
    }
    if found.count_if_full() {
        return;
    }
    let own = certain.or_else(|| known.receivers.get(&at).copied());
    let of_type = own.and_then(|of| match member(of, name) {
        Some(method) => Some(format!("it is written `{}`", method.usage())),
        None => {
            let is_of_type = |entry: &&ApiEntry| entry.params.first().is_some_and(|receiver| receiver.name == of);
            if let Some(function) = entries(name).find(is_of_type) {
                return Some(format!("it is written `{}`", function.usage()));
            }
            let near = member(of, nearest(name, members(of).map(|entry| entry.name))?)?;
            let written = if near.form == EntrySyntax::Property { near.name.to_owned() } else { near.usage() };
            Some(format!("did you mean `{written}`?"))
        }
    });
    let elsewhere = guess_property_help(name, own).map(str::to_owned);
    let help = help_for(name, own).or(elsewhere).or(of_type).or_else(|| match usages(name) {
        methods if certain.is_none() && !methods.is_empty() => Some(format!("it is written {}", methods.join(" or "))),
        // Does not suggest properties of other types if the type is known.
        _ if own.is_some() => None,
        _ => {
            let properties = table().iter().filter(|entry| entry.form == EntrySyntax::Property).map(|entry| entry.name);
            did_you_mean(name, properties.chain(known.keys.iter().map(String::as_str)))
        }
    });
    let message = match certain.filter(|_| of_table) {
        Some(of) => format!("{} has no property `{name}`", with_article(of)),
        None => format!("nothing has a property `{name}`"),
    };
    found.error(at, message, help);
}

/// Returns the help for a property that the type `of` lacks, but whose name authors guess. `of` is
/// `None` if the type is unknown.
fn guess_property_help(name: &str, of: Option<&str>) -> Option<&'static str> {
    Some(match (of, name) {
        (Some("feature"), "length" | "size" | "len") => "write `feature.n_tiles`",
        (_, "length" | "size") => "write `len`",
        (_, "score" | "points") => "write `score_of(player)`; `score(player, 3, \"why\")` adds points",
        (Some("tile" | "tile type"), "kind") => {
            "`tile.id` is the id of its type; each zone of `tile.zones` has a `kind` of land"
        }
        (Some("player"), "followers" | "meeples" | "pieces" | "supply") => {
            "write `supply(player, piece)`, or `pieces_of(player)` for pieces in play"
        }
        (Some("piece"), "player") => "write `piece.owner`",
        (Some("zone"), "owner" | "owners" | "player" | "players") => "write `zone.feature.owners`",
        (Some("zone"), "complete" | "completed" | "is_complete") => "write `zone.feature.is_complete`",
        (None | Some("feature"), "complete" | "completed") => "write `feature.is_complete`",
        _ => return None,
    })
}
