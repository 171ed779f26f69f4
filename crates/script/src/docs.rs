//! Makes the modding reference and the definitions for the language server from the table of
//! everything that scripts may use.
#![expect(clippy::indexing_slicing, reason = "tests read every entry of the table")]

use std::fmt::Write;

use rules::{FILTERS, Hook, HookClass};

use crate::api::{ApiEntry, EntryKind, EntrySyntax, table};
use crate::budget::{MAX_OPERATIONS, MAX_OPERATIONS_OF_ALL, THIS_OPERATION_COST, TIME_LIMIT};
use crate::limits::{MAX_ARRAY, MAX_LEVELS, MAX_MAP, MAX_STRING};
use crate::params::ParamInfo;
use crate::scan::MAX_STATEMENTS;

/// A table of the terms of the modding reference, and the terms that players and other programs use
/// for the same things.
const TERMS_SECTION: &str = "## Words

| here | elsewhere |
|---|---|
| follower, piece | meeple, figure |
| neutral piece, owned by `nobody` | neutral figure: dragon, fairy, mage |
| supply | reserve: the meeples in front of a player |
| deploy | place a meeple |
| a piece is returned to its supply | the meeple goes back to its player |
| tile, tile type | tile, tile kind: one type has several copies |
| facing | rotation, orientation |
| spot | cell, square, position |
| zone | segment: one piece of land on one tile |
| kind of land | terrain, feature type |
| port | connection: the middle of an edge, or one of its halves |
| feature | feature, region: connected zones |
| field, cloister | farm or meadow, monastery |
| complete, open | closed or finished, unfinished |
| winners | the players with the majority |
| award | the points for one thing: single terms and their sum |
| score marker, space | scoring figure, field of the score track |
| token | counter, resource, goods tile: what players hold |
| pile | counters that lie on the board |
| deck | draw pile, stack, bag |
| part of a turn | double turn, bonus move |

";

/// The section about functions that count things.
const COUNTING_SECTION: &str = "## How many

| of what | written |
|---|---|
| pieces in the supply of a player, or neutral ones | `supply(player, \"runner\")` |
| pieces in play | `pieces_of(player, \"runner\").len`, `all_pieces(\"runner\").len` |
| tokens that a player holds | `n_tokens(player, \"coin\")` |
| tokens left in stock | `token_stock(\"coin\")` |
| a pile on a spot, or on a feature | `pile(\"gold\", spot)` |
| a pile in the stock | `pile_stock(\"gold\")` |
| tiles or cards left in a deck | `deck_size(\"land\")` |
| tiles, zones, spots of a feature | `feature.n_tiles`, `feature.n_zones`, `feature.n_spots` |
| a tag on a feature | `feature.count(\"stones\")`; `feature.has(\"stones\")` tells whether there is any |
| complete features | `n_complete(\"way\")` |
| parts of the turn, parts added for a reason | `turn.n_parts`, `parts_for(\"helper\")` |
| points of a player | `score_of(player)` |

A name that begins with `n_` is a number; a plural (`tiles`, `zones`, `players()`) is a list.

";

/// The sections about the order of events, the arguments of functions, memory, and things that mods
/// share.
const ORDER: &str = include_str!("../docs/order.md");

/// The section about secrets.
const SECRETS: &str = include_str!("../docs/secrets.md");

/// Returns the reference of hooks, queries, terms, effects and questions as Markdown.
pub fn docs() -> String {
    let mut out = String::from("# What scripts can do\n\n");
    out.push_str(
        "A mod's script is a file of functions in [Rhai](https://rhai.rs). The engine calls a function with the name of a hook, of a \
         phase (`phase_<id>`) or of an option (`do_<word>`, which receives the choice). Outside functions only constants are allowed. Scripts have no \
         variables of their own between calls: store values in `mem.part`, `mem.turn` or `mem.game`. `settings` holds the settings of this \
         game. The owner of neutral things is `nobody`, which is the same as `()`. `bastide play`, `bastide replay` and the window's console \
         show the output of `print(x)`; a function that asks runs again after each answer, and prints again.\n\n\
         A parameter with a `?` is optional. `#{ ... }?` is a map of options, each of them optional: \
         `ask(player, \"Where to?\", zones, #{ word: \"land\" })`.\n\n",
    );
    let _ = writeln!(
        out,
        "Queries see an effect at once. The events that an effect causes run after the function has ended. If a function fails, all its effects are undone. \
         Limits: {MAX_OPERATIONS} operations per call ({THIS_OPERATION_COST} times fewer in a script that uses `this`), \
         {MAX_OPERATIONS_OF_ALL} for all calls after one answer, functions nested {MAX_LEVELS} deep, texts of {MAX_STRING} bytes, lists of {MAX_ARRAY} items, \
         maps of {MAX_MAP} entries, {MAX_STATEMENTS} statements, blocks and cases per script. Operations alone decide: \
         a clock stops a function only after {} seconds of processor time, and only if a second run takes as long. `bastide docs howto` has all limits in a \
         table, the functions of Rhai that exist, and the lines to write for common rules.\n",
        TIME_LIMIT.as_secs(),
    );
    let head = out.len();
    out.push_str(TERMS_SECTION);
    out.push_str(COUNTING_SECTION);
    hooks(&mut out);
    out.push_str(ORDER);
    out.push_str(SECRETS);
    filters(&mut out);
    speed(&mut out);
    section(&mut out, "Queries", "Queries read the game. Every function may use them.", EntryKind::Query);
    section(
        &mut out,
        "Terms",
        "Terms change the award of the current call of `score_value` or `score_total`.",
        EntryKind::Term,
    );
    section(
        &mut out,
        "Effects",
        "Effects change the game. Only events, phases and handlers of options may use them.",
        EntryKind::Effect,
    );
    section(
        &mut out,
        "Questions",
        "Questions ask players or chance. Only events, phases and handlers of options may use them.",
        EntryKind::Question,
    );
    let contents = contents(out.get(head..).unwrap_or_default());
    out.insert_str(head, &contents);
    out
}

/// Returns the table of contents of a Markdown text. Each line links to a section and then to the
/// subsections of that section. The link to a hook shows only its name.
fn contents(text: &str) -> String {
    let mut out = String::from("## Contents\n");
    let mut is_first = false;
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            let _ = write!(out, "\n- [{title}](#{})", anchor(title));
            is_first = true;
        } else if let Some(title) = line.strip_prefix("### ") {
            let name = title.trim_matches('`').split('(').next().unwrap_or_default();
            let _ = write!(out, "{}[{name}](#{})", if is_first { ": " } else { ", " }, anchor(title));
            is_first = false;
        }
    }
    out.push_str("\n\n");
    out
}

/// Returns the anchor of a heading, as Markdown programs make it.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

fn hooks(out: &mut String) {
    out.push_str("## Hooks\n\n");
    for (power, what) in [
        (HookClass::Effect, "Events may ask questions and change the game."),
        (
            HookClass::Options,
            "Menus return a list of options, made by `option(word, about)`. They may not ask or change anything.",
        ),
        (HookClass::Pure, "Rules read the game and return a value. They may not ask or change anything."),
    ] {
        let _ = writeln!(out, "{what}\n");
        for hook in Hook::ALL.iter().map(|hook| hook.info()).filter(|hook| hook.class == power) {
            let result = if hook.result.is_empty() { String::new() } else { format!("Result: {}. ", hook.result) };
            let _ = writeln!(
                out,
                "### `{}({})`\n\n{} *{result}Several mods: {}.*\n",
                hook.name,
                hook.params.join(", "),
                hook.about,
                hook.combine
            );
            if let Some(example) = crate::reference::example_of(hook.name) {
                let _ = writeln!(out, "```rhai\n{example}\n```\n");
            }
        }
    }
}

/// Writes the sections about filters, start tiles and connecting kinds of land. Mods declare these
/// things in manifests, not in scripts.
fn filters(out: &mut String) {
    out.push_str("## Filters\n\n");
    out.push_str(
        "Filters in `[hook.<name>]` and `[[phase]]` of `mod.toml` limit a function to certain tiles, features and pieces. The engine tests \
         them before any script runs, at almost no cost; all of them must hold. A filter says what the function is about. The conditions of \
         the rule itself belong in the script.\n\nSome filters test a feature. If the hook is about a zone, a piece or a tile instead, one of \
         the features there must pass. Phases before `scored`, and `action_options`, test the tile of the part. `part_ended`, and phases in \
         the slots `scored` and `end`, test the features completed in the part.\n\n| filter | takes | lets through |\n|---|---|---|\n",
    );
    for filter in FILTERS {
        let _ = writeln!(out, "| `{}` | {} | {} |", filter.name, filter.takes, filter.about);
    }
    out.push_str(
        "\n## Start tiles and rules about places\n\nSome rules about places need no script. With `joins = 1` in `[kind.stream]`, a tile with a stream must meet laid streams on exactly \
         one edge. With `u_turns = false`, the stream may not bend to the same side as on the tile that it joins.\n\nA tile in `tiles.toml` can be a start tile:\n\n- `start = true`: the tile lies on the table at the start.\n\
         - `start = { instead_of = \"base/D\" }`: it replaces that start tile. A list replaces several.\n\
         - `instead_of = \"any\"`: it replaces every start tile, except one that names this tile in its own `instead_of`. If two tiles both \
         say `any`, one of them must also name the other: `[\"any\", \"delta/spring\"]`.\n\n\
         One copy of a start tile is in no deck. If that copy is not used, it stays in the box.\n\n",
    );
}

/// Writes the section about the speed of functions, with advice on making them faster.
fn speed(out: &mut String) {
    out.push_str(
        "## Speed\n\n`bastide sim --mods <mods> --profile` shows how often each function is called, its share of the time, and the line that needs the \
         interpreter, if any. It also names functions that ran again in the interpreter because of a value, such as a number \
         that is too large.\n\n\
         - Use filters: the engine then does not call the function for other tiles, features and pieces.\n\
         - Test a rare condition in the first line and return. A first line such as `if !mem.part.get(\"is_due\", false) { return; }`, \
         `if !(\"due\" in mem.game) { return; }` or `if mem.turn.get(\"due\", []).is_empty() { return; }` costs almost nothing: the engine makes the test itself and omits the \
         call, which the profile then does not count.\n\
         - A function that asks runs again from its beginning with each answer. Put slow work after the last question.\n\
         - One query for a list (`open_zones`, `complete_features`, `spot.neighbours`) costs less than a loop over all items.\n\
         - Functions that use only the plain part of the language run without the interpreter, several times as fast. The plain part consists of `let`, assignment, \
         `if`, `for`, `while`, `return`, everything in this reference but `run`, functions of the script, lists and maps with `len`, \
         `is_empty`, `contains`, `push`, `pop`, `shift`, `remove`, `in` and indexing, assignments to an item or entry of a variable, \
         texts with `starts_with` and `ends_with`, a closure written as the argument of `filter`, `map`, `some`, `all`, `most`, `least` or `sum`, `min` \
         and `max`, arithmetic, comparison and text templates. `switch`, `try`, `this`, closures in variables and other library functions need the \
         interpreter. The result is the same; the profile marks such functions with a star.\n\n",
    );
}

fn section(out: &mut String, title: &str, about: &str, kind: EntryKind) {
    let _ = writeln!(out, "## {title}\n\n{about}\n");
    let mut topic = "";
    for entry in table().iter().filter(|entry| entry.kind == kind) {
        if entry.topic != topic && entry.topic != title {
            topic = entry.topic;
            let _ = writeln!(out, "\n### {topic}\n");
        }
        let _ = write!(out, "- `{}`", entry.usage());
        if !entry.result.is_empty() {
            let _ = write!(out, " → {}", entry.result);
        }
        let _ = write!(out, ": {}", entry.about);
        let is_telling = |(name, param): &(&&str, &ParamInfo)| **name != param.name && param.keys.is_empty();
        let telling = entry.names.iter().zip(&entry.params).filter(is_telling);
        let params: Vec<String> =
            telling.map(|(name, param)| format!("`{name}` is {}", with_article(param.name))).collect();
        if !params.is_empty() && entry.form != EntrySyntax::Property {
            let _ = write!(out, " ({})", params.join(", "));
        }
        let _ = writeln!(out, "  \n  `{}`", entry.example);
        for key in entry.params.iter().flat_map(|param| param.keys) {
            let _ = writeln!(out, "  - `{}` ({}): {}", key.name, key.takes, key.about);
        }
    }
    out.push('\n');
}

/// Returns a noun with its article, if it needs one.
pub(crate) fn with_article(noun: &str) -> String {
    match noun.chars().next() {
        Some('"') | None => noun.to_owned(),
        Some('a' | 'e' | 'i' | 'o' | 'u') => format!("an {noun}"),
        Some(_) => format!("a {noun}"),
    }
}

/// Returns the definitions (`.d.rhai`) of everything that scripts may use, for Rhai's language
/// server.
pub fn definitions() -> String {
    let mut out = String::from(
        "module static;\n\n/// The turn.\nlet turn: Turn;\n/// The settings of this mod.\nlet settings: Settings;\n",
    );
    out.push_str("/// The memory of this mod: `mem.part`, `mem.turn`, `mem.game`.\nlet mem: Map;\n");
    out.push_str("/// The owner of neutral things; the same as `()`.\nlet nobody: ();\n");
    for hook in Hook::ALL.iter().map(|hook| hook.info()) {
        let params: Vec<String> = hook.params.iter().map(|param| format!("{param}: ?")).collect();
        let example = crate::reference::example_of(hook.name).map_or_else(String::new, |text| {
            let lines: Vec<String> = text.lines().map(|line| format!("/// {line}\n")).collect();
            format!("///\n/// ```rhai\n{}/// ```\n", lines.concat())
        });
        let _ = write!(
            out,
            "\n/// A hook, which the engine calls if the script defines it. {}\n{example}fn {}({}) -> ?;\n",
            hook.about,
            hook.name,
            params.join(", ")
        );
    }
    for entry in table() {
        define(&mut out, entry);
    }
    out
}

fn define(out: &mut String, entry: &ApiEntry) {
    let params = entry.names.iter().zip(&entry.params).map(|(name, param)| format!("{name}: {}", param.rhai_type.name));
    let params: Vec<String> = params.collect();
    let get = if entry.form == EntrySyntax::Property { "get " } else { "" };
    let _ = writeln!(out, "\n/// {}\n///\n/// `{}`", entry.about, entry.example);
    // A function with optional parameters is listed once for each number of arguments.
    for n in (0..=params.len()).filter(|n| entry.takes(*n)) {
        let _ = writeln!(out, "fn {get}{}({}) -> {};", entry.name, params[..n].join(", "), entry.rhai_result);
    }
}
