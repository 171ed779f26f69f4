//! The modding reference and the definitions for the language server, both made from the one table.
#![expect(clippy::indexing_slicing, reason = "entries of the one table, which tests read whole")]

use std::fmt::Write;

use rules::{FILTERS, Hook, HookClass};

use crate::api::{Entry, EntryKind, Form, table};
use crate::engine::{MAX_ARRAY, MAX_LEVELS, MAX_MAP, MAX_STRING};
use crate::params::ParamInfo;

/// Our words against those of the hobby and of other programs.
const WORDS: &str = "## Words

| here | elsewhere |
|---|---|
| follower, piece | meeple, figure |
| neutral piece, a piece of nobody | neutral figure: dragon, fairy, mage |
| supply | reserve: the meeples in front of a player |
| deploy | place a meeple |
| a piece is returned, goes home | the meeple goes back to its player |
| tile, type of tile | tile, tile kind: of one type there are several copies |
| facing | rotation, orientation |
| spot | cell, square, position |
| zone | segment: one piece of land on one tile |
| kind of land | terrain, feature type |
| port | half of an edge, connection |
| feature | feature, region: connected zones |
| field, cloister | farm or meadow, monastery |
| complete, open | closed or finished, unfinished |
| winners | who has the majority |
| award | points for one thing, with how they came about |
| score marker, space | scoring figure, field of the score track |
| token | counter, resource, goods tile: what players hold |
| pile | counters that lie on the board |
| deck | draw pile, stack, bag |
| part of a turn | double turn, bonus move |

";

/// The ways to ask for a number.
const HOW_MANY: &str = "## How many

| of what | written |
|---|---|
| pieces that a player, or nobody, has in supply | `supply(player, \"runner\")` |
| pieces in play | `pieces_of(player, \"runner\").len`, `all_pieces(\"runner\").len` |
| tokens that a player holds | `n_tokens(player, \"coin\")` |
| tokens left in stock | `token_stock(\"coin\")` |
| what lies of a pile on a spot, or for a feature | `pile(\"gold\", spot)` |
| what is left of a pile in stock | `pile_stock(\"gold\")` |
| tiles or cards left in a deck | `deck_size(\"land\")` |
| tiles, zones, spots of a feature | `feature.n_tiles`, `feature.n_zones`, `feature.n_spots` |
| of a tag on a feature | `feature.count(\"stones\")`, and whether there is any: `feature.has(\"stones\")` |
| complete features | `n_complete(\"way\")` |
| parts of the turn, those of a reason | `turn.n_parts`, `parts_for(\"helper\")` |
| points of a player | `score_of(player)` |

A name that begins with `n_` is a number, a plural (`tiles`, `zones`, `players()`) is a list.

";

/// The order of events, what functions are told, memory, and what mods share.
const ORDER: &str = include_str!("../docs/order.md");

/// What is hidden from whom.
const SECRETS: &str = include_str!("../docs/secrets.md");

/// The reference of hooks, queries, terms, effects and questions as Markdown.
pub fn docs() -> String {
    let mut out = String::from("# What scripts can do\n\n");
    out.push_str(
        "A mod's script is a file of functions in [Rhai](https://rhai.rs). The engine calls those that have the name of a hook, of a \
         phase (`phase_<id>`) or of an option (`do_<word>`, which gets the choice). Outside functions only constants may stand. Scripts keep \
         nothing of their own: what must be remembered goes into `mem.part`, `mem.turn` or `mem.game`; the table's settings are in \
         `settings`; what belongs to no player belongs to `nobody`, which is the same as `()`. What `print(x)` says is shown by `bastide play` \
         and `bastide replay`; a function that asks runs again, and prints again.\n\n\
         A parameter with a `?` may be left out. `#{ ... }?` is a map of options by name, of which each may be left out: \
         `ask(player, \"Where to?\", zones, #{ word: \"land\" })`.\n\n",
    );
    let _ = writeln!(
        out,
        "An effect holds at once for the queries after it; events it causes come when the function has ended. Where a function fails, \
         nothing of it is done. Limits: {} operations a call, functions {MAX_LEVELS} deep, texts of {MAX_STRING} characters, lists of \
         {MAX_ARRAY} items, maps of {MAX_MAP} entries.\n",
        crate::budget::MAX_OPERATIONS,
    );
    out.push_str(WORDS);
    out.push_str(HOW_MANY);
    hooks(&mut out);
    out.push_str(ORDER);
    out.push_str(SECRETS);
    filters(&mut out);
    speed(&mut out);
    section(&mut out, "Queries", "They look and may be used everywhere.", EntryKind::Query);
    section(
        &mut out,
        "Terms",
        "They change the award that `score_value` and `score_total` are asked about.",
        EntryKind::Term,
    );
    section(
        &mut out,
        "Effects",
        "They change the game. Only events, phases and handlers of options may use them.",
        EntryKind::Effect,
    );
    section(
        &mut out,
        "Questions",
        "They ask players or chance. Only events, phases and handlers of options may use them.",
        EntryKind::Question,
    );
    out
}

fn hooks(out: &mut String) {
    out.push_str("## Hooks\n\n");
    for (power, what) in [
        (HookClass::Effect, "Events may ask and change."),
        (
            HookClass::Options,
            "Menus return a list of options, made by `option(word, about)`; they may neither ask nor change anything.",
        ),
        (HookClass::Pure, "Rules look and return; they may neither ask nor change anything."),
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
        "## Speed\n\n`bastide sim --mods <mods> --profile` shows how often each function is called, what share of the time it takes, \
         and what of it needs the interpreter, with its line.\n\n\
         - The cheapest call is none: a filter that says what the function is about keeps it from being called for anything else.\n\
         - A condition that is seldom met stands in the first line and returns; looking at `mem` there costs next to nothing.\n\
         - A function that asks runs again from its beginning with each answer: what takes long stands after the last question.\n\
         - One query for a list (`open_zones`, `complete_features`, `spot.neighbours`) costs less than a loop that asks about each item.\n\
         - Functions that keep to the plain part of the language run without the interpreter, several times as fast: `let`, assignment, \
         `if`, `for`, `while`, `return`, everything in this reference but `run`, functions of the script, lists and maps with `len`, \
         `is_empty`, `contains`, `push`, `in` and indexing, a closure written in the brackets of `filter`, `map`, `some`, `all`, `most`, `least` or `sum`, `min` \
         and `max`, arithmetic, comparing and texts with values in them. `switch`, `try`, `this`, closures in variables and other functions \
         of the language's library need it. The result is the same; the profile marks such functions with a star.\n\n",
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
        let params: Vec<String> = telling.map(|(name, param)| format!("`{name}` is a {}", param.name)).collect();
        if !params.is_empty() && entry.form != Form::Property {
            let _ = write!(out, " ({})", params.join(", "));
        }
        let _ = writeln!(out, "  \n  `{}`", entry.example);
        for key in entry.params.iter().flat_map(|param| param.keys) {
            let _ = writeln!(out, "  - `{}` ({}): {}", key.name, key.takes, key.about);
        }
    }
    out.push('\n');
}

/// Definitions (`.d.rhai`) of everything that scripts may use, for Rhai's language server.
pub fn definitions() -> String {
    let mut out = String::from(
        "module static;\n\n/// The turn.\nlet turn: Turn;\n/// The settings of this mod.\nlet settings: Settings;\n",
    );
    out.push_str("/// What this mod remembers: `mem.part`, `mem.turn`, `mem.game`.\nlet mem: Map;\n");
    out.push_str("/// Whose what belongs to no player is; the same as `()`.\nlet nobody: ();\n");
    for entry in table() {
        define(&mut out, entry);
    }
    out
}

fn define(out: &mut String, entry: &Entry) {
    let params = entry.names.iter().zip(&entry.params).map(|(name, param)| format!("{name}: {}", param.rhai_type));
    let params: Vec<String> = params.collect();
    let get = if entry.form == Form::Property { "get " } else { "" };
    let _ = writeln!(out, "\n/// {}\n///\n/// `{}`", entry.about, entry.example);
    // What may be left out makes further functions of the name.
    for n in (0..=params.len()).filter(|n| entry.takes(*n)) {
        let _ = writeln!(out, "fn {get}{}({}) -> {};", entry.name, params[..n].join(", "), entry.rhai_result);
    }
}
