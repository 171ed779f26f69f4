//! The modding reference and the definitions for the language server, both made from the one table.

use std::fmt::Write;

use rules::{FILTERS, Hook, HookClass};

use crate::api::{Entry, Form, Sort, table};
use crate::engine::{MAX_ARRAY, MAX_LEVELS, MAX_MAP, MAX_STRING};

/// The reference of hooks, queries, terms, effects and questions as Markdown.
pub fn docs() -> String {
    let mut out = String::from("# What scripts can do\n\n");
    out.push_str(
        "A mod's script is a file of functions in [Rhai](https://rhai.rs). The engine calls those that have the name of a hook, of a \
         phase (`phase_<id>`) or of an option (`do_<word>`, which gets the choice). Outside functions only constants may stand. Scripts keep \
         nothing of their own: what must be remembered goes into `mem.part`, `mem.turn` or `mem.game`; the table's settings are in \
         `settings`. What `print(x)` says is shown by `bastide play` and `bastide replay`; a function that asks runs again, and prints again.\n\n",
    );
    let _ = writeln!(
        out,
        "An effect holds at once for the queries after it; events it causes come when the function has ended. Where a function fails, \
         nothing of it is done. Limits: {} operations a call, functions {MAX_LEVELS} deep, texts of {MAX_STRING} characters, lists of \
         {MAX_ARRAY} items, maps of {MAX_MAP} entries.\n",
        crate::budget::MAX_OPERATIONS,
    );
    hooks(&mut out);
    filters(&mut out);
    speed(&mut out);
    section(&mut out, "Queries", "They look and may be used everywhere.", Sort::Query);
    section(&mut out, "Terms", "They change the award that `score_value` is asked about.", Sort::Term);
    section(
        &mut out,
        "Effects",
        "They change the game. Only events, phases and handlers of options may use them.",
        Sort::Effect,
    );
    section(
        &mut out,
        "Questions",
        "They ask players or chance. Only events, phases and handlers of options may use them.",
        Sort::Question,
    );
    out
}

fn hooks(out: &mut String) {
    out.push_str("## Hooks\n\n");
    for (power, what) in [
        (HookClass::Event, "Events may ask and change."),
        (
            HookClass::Menu,
            "Menus return a list of options, made by `option(word, about)`; they may neither ask nor change anything.",
        ),
        (HookClass::Rule, "Rules look and return; they may neither ask nor change anything."),
    ] {
        let _ = writeln!(out, "{what}\n");
        for hook in Hook::ALL.iter().map(|hook| hook.info()).filter(|hook| hook.class == power) {
            let _ = writeln!(
                out,
                "### `{}({})`\n\n{} *Several mods: {}.*\n",
                hook.name,
                hook.params.join(", "),
                hook.about,
                hook.combine
            );
        }
    }
}

/// Filters, start tiles and kinds that go on: what manifests say so that scripts need not.
fn filters(out: &mut String) {
    out.push_str("## Filters\n\n");
    out.push_str(
        "In `[hook.<name>]` and `[[phase]]` of `mod.toml` a mod says what its function is about: which tiles, features and pieces. Filters are \
         tested before any script runs and cost next to nothing; all of them must hold. A condition of a rule is no filter: it stands in \
         the script, where the rule is read. Where a filter speaks of the feature and the hook is about a zone, a piece or a tile, one of \
         the features there must fit. Phases before `scored` and `action_options` look at the tile of the part; `part_ended` and phases in \
         the slots `scored` and `end` look at what was completed in the part.\n\n| filter | takes | lets through |\n|---|---|---|\n",
    );
    for filter in FILTERS {
        let _ = writeln!(out, "| `{}` | {} | {} |", filter.name, filter.takes, filter.about);
    }
    out.push_str(
        "\n## Tiles that lie in a certain way\n\nWhere tiles may lie can be said without a script, too. `[kind.stream]` with `joins = 1`: a \
         tile with the kind must meet laid tiles with it on exactly so many edges. With `u_turns = false`: it may not turn to the same \
         side as the tile that it joins.\n\n`start = true` at a tile: it lies on the table at the start. `start = { instead_of = \
         \"base/D\" }`: it takes the place of that start tile (or of several in a list). `instead_of = \"any\"`: of whatever start tile \
         there is, but for one that names it or says `any` as well; of two that say `any` one must name the other, as in `[\"any\", \
         \"delta/spring\"]`. One copy of a start tile is in no deck: where it is not used, it stays in the box.\n\n",
    );
}

/// What a function costs, and how to have it cost less.
fn speed(out: &mut String) {
    out.push_str(
        "## Speed\n\n`bastide sim --mods <mods> --profile` shows how often each function is called and what share of the time it takes.\n\n\
         - The cheapest call is none: a filter keeps a function from being called for nothing.\n\
         - A function that asks runs again from its beginning with each answer. In the plain part of the language (below) queries and effects \
         before the question then give what they gave the first time, for nothing; with the interpreter they cost every time. Bots that look \
         at nothing, such as `random`, answer on the spot, and the function goes on.\n\
         - One query for a list (`open_zones`, `complete_features`, `spot.neighbours`) costs less than a loop that asks about each item.\n\
         - Functions that keep to the plain part of the language run without the interpreter, several times as fast: `let`, assignment, \
         `if`, `for`, `while`, `return`, everything in this reference but `run`, functions of the script, lists and maps with `len`, \
         `is_empty`, `contains`, `push`, `in` and indexing, a closure written in the brackets of `filter`, `map`, `some` or `all`, `min` \
         and `max`, arithmetic, comparing and texts with values in them. `switch`, `try`, `this`, closures in variables and other functions \
         of the language's library need it. The result is the same; the profile marks such functions with a star.\n\n",
    );
}

fn section(out: &mut String, title: &str, about: &str, sort: Sort) {
    let _ = writeln!(out, "## {title}\n\n{about}\n");
    let mut topic = "";
    for entry in table().iter().filter(|entry| entry.sort == sort) {
        if entry.topic != topic && entry.topic != title {
            topic = entry.topic;
            let _ = writeln!(out, "\n### {topic}\n");
        }
        let _ = write!(out, "- `{}`", entry.usage());
        if !entry.result.is_empty() {
            let _ = write!(out, " → {}", entry.result);
        }
        let _ = write!(out, ": {}", entry.about);
        let telling = entry.names.iter().zip(&entry.params).filter(|(name, param)| **name != param.name);
        let params: Vec<String> = telling.map(|(name, param)| format!("`{name}` is a {}", param.name)).collect();
        if !params.is_empty() && entry.form != Form::Property {
            let _ = write!(out, " ({})", params.join(", "));
        }
        let _ = writeln!(out, "  \n  `{}`", entry.example);
    }
    out.push('\n');
}

/// Definitions (`.d.rhai`) of everything that scripts may use, for Rhai's language server.
pub fn definitions() -> String {
    let mut out = String::from(
        "module static;\n\n/// The turn.\nlet turn: Turn;\n/// The settings of this mod.\nlet settings: Settings;\n",
    );
    out.push_str("/// What this mod remembers: `mem.part`, `mem.turn`, `mem.game`.\nlet mem: Map;\n");
    for entry in table() {
        define(&mut out, entry);
    }
    out
}

fn define(out: &mut String, entry: &Entry) {
    let params: Vec<String> =
        entry.names.iter().zip(&entry.params).map(|(name, param)| format!("{name}: {}", param.rhai_type)).collect();
    let get = if entry.form == Form::Property { "get " } else { "" };
    let _ = writeln!(out, "\n/// {}\n///\n/// `{}`", entry.about, entry.example);
    let _ = writeln!(out, "fn {get}{}({}) -> {};", entry.name, params.join(", "), entry.rhai_result);
}
