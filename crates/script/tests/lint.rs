//! Tests of the linter: one case for each kind of problem, with line, column and help.
//!
//! The file is long because it lists the whole message of each problem.

#![allow(clippy::unwrap_used)]

mod table;

use diagnostic::Severity;
use expect_test::{Expect, expect};
use script::{Inspection, Vocabulary, inspect};

fn vocabulary() -> Vocabulary {
    let names = |names: &str| names.split(' ').map(str::to_owned).collect();
    Vocabulary {
        phases: names("stones count"),
        options: names("hop ring-dance"),
        settings: names("generous limit"),
        all_phases: names("draw place piece score stones count"),
        kinds: names("way green"),
        tags: names("stones goods gold-mine"),
        zone_tags: names("stones goods"),
        layers: names("land water"),
        pieces: names("runner ghost"),
        tokens: names("coin"),
        piles: names("gold"),
        decks: names("land cards"),
        mods: names("base probe river inns"),
        settings_of: [("base".to_owned(), names("farmers limit")), ("river".to_owned(), Vec::new())].into(),
        tiles: names("base/K base/road-end probe/first probe/second"),
        has_no_tiles: false,
    }
}

fn look(text: &str) -> Inspection {
    inspect(&table::source(text), &vocabulary())
}

/// Checks that `text` has exactly this problem.
fn one(text: &str, line: u32, column: u32, message: &str, help: &str) {
    let told = |p: &diagnostic::Diagnostic| {
        assert_eq!((p.severity, p.span.file.as_str()), (Severity::Error, table::FILE));
        (p.span.line, p.span.column, p.message.clone(), p.help.clone().unwrap_or_default())
    };
    let problems: Vec<_> = look(text).problems.iter().map(told).collect();
    assert_eq!(problems, [(line, column, message.to_owned(), help.to_owned())], "{text}");
}

/// Checks the problems of `body`, the body of a function, in the form that people read.
fn told(body: &str, wanted: &Expect) {
    let problems = look(&format!("fn setup() {{\n{body}\n}}")).problems;
    let line = |p: &diagnostic::Diagnostic| {
        let help = p.help.as_ref().map_or(String::new(), |help| format!("\n  help: {help}"));
        format!("{}:{}: {}: {}{help}\n", p.span.line - 1, p.span.column, p.severity, p.message)
    };
    wanted.assert_eq(&problems.iter().map(line).collect::<String>());
}

/// Checks the problems of several scripts. Each script stands before its own problems.
fn told_of_all(texts: &[&str], wanted: &Expect) {
    let mut told = String::new();
    for text in texts {
        told.push_str(&format!("{text}\n"));
        for p in look(text).problems {
            let help = p.help.map_or(String::new(), |help| format!(" ({help})"));
            told.push_str(&format!("  {}:{}: {}{help}\n", p.span.line, p.span.column, p.message));
        }
    }
    wanted.assert_eq(&told);
}

fn clean(text: &str) {
    assert_eq!(look(text).problems, [], "{text}");
}

#[test]
fn functions_are_found_with_their_comments() {
    let text = "// fn no() { }\n/// Pays more.\n/// Much more.\nfn score_value(feature, score) {\n    let s = \"fn no() {\";\n    help(`fn no() { ${help(\"}\")} it's`);\n}\n\nprivate fn help(text) { text }\n";
    let found = look(text);
    assert_eq!(found.problems, []);
    let infos: Vec<_> = found.functions.iter().map(|f| (f.name.as_str(), f.n_params, f.line, f.column)).collect();
    assert_eq!(infos, [("score_value", 2, 4, 4), ("help", 1, 9, 12)]);
    assert_eq!(found.functions[0].doc, "Pays more.\nMuch more.");
}

#[test]
fn unknown_functions() {
    one("fn setup() { giv(players()[0], \"coin\", 1); }", 1, 14, "there is no function `giv`", "did you mean `give`?");
    one("fn setup() {\n    let x = players().lenght();\n}", 2, 23, "there is no function `lenght`", "");
    one("fn setup() { [1].mpa(|x| x); }", 1, 18, "there is no function `mpa`", "did you mean `map`?");
    one("fn setup() { let f = |x| helpme(x); f.call(1); }", 1, 26, "there is no function `helpme`", "");
    one("fn setup() { sleep(1); }", 1, 14, "`sleep` is not available to scripts", "scripts have no clock");
    one("fn setup() { timestamp(); }", 1, 14, "`timestamp` is not available to scripts", "scripts have no clock");
}

#[test]
fn words_of_earlier_versions_get_their_new_ones() {
    for (call, new) in [
        ("count_of(players()[0], \"coin\")", "n_tokens(player, token)"),
        ("ask_or_pass(players()[0], \"?\", [1])", "ask(player, prompt, options, #{ pass: true })"),
        ("features(\"way\")[0].value_for(players()[0])", "feature.value_at_end(player)"),
        ("turn.why", "turn.reason"),
    ] {
        let found = look(&format!("fn setup() {{ let x = {call}; }}")).problems;
        let help = found[0].help.as_deref().unwrap_or_default();
        assert!(
            found.len() == 1 && help.ends_with(&format!("write `{new}`, or run `bastide migrate`")),
            "{call}: {found:?}"
        );
    }
    one(
        "fn scored(scoring) { for it in scoring.moves { note(it.why); } }",
        1,
        56,
        "nothing has a property `why`",
        "`why` was renamed; write `turn.reason` or `move.reason`",
    );
}

#[test]
fn names_in_lists_chains_and_comparisons() {
    let way = "did you mean `way`?";
    let kind = "no mod declares a kind of land or piece `wya`";
    one("fn tile_placed(tile) { tile.zones(\"wya\"); }", 1, 35, "no mod declares a kind of land `wya`", way);
    one("fn setup() { open_zones([\"way\", \"wya\"]); }", 1, 33, "no mod declares a kind of land `wya`", way);
    one("fn tile_placed(tile) { if tile.zones[0].kind == \"wya\" { } }", 1, 49, kind, way);
    one("fn tile_placed(tile) { if tile.zones[0].kind in [\"green\", \"wya\"] { } }", 1, 59, kind, way);
    one(
        "fn piece_left(left) { if left.how == \"gone\" { } }",
        1,
        38,
        "`left.how` is never `gone`",
        "there are `moved`, `taken` and `returned`",
    );
    clean("fn piece_left(left) { if left.how == \"taken\" && left.kind in [\"runner\", \"ghost\"] { } }");
    clean("fn setup() { let it = #{ how: \"gone\" }; if it.how == \"gone\" { } }");
    clean("fn tile_placed(tile) { let some = [\"wya\"]; if some.contains(\"wya\") { tile.zones(\"way\"); } }");
}

#[test]
fn parameters_of_hooks_with_other_names() {
    told_of_all(
        &[
            "fn piece_returned(it) { if it.reason == \"scord\" { note(\"x\"); } }",
            "fn piece_left(l) { if l.how == \"move\" { note(\"x\"); } }",
            "fn piece_zones(it, zone) { if it == \"runer\" { [] } }",
        ],
        &expect![[r#"
            fn piece_returned(it) { if it.reason == "scord" { note("x"); } }
              1:41: nothing in this script gives the reason `scord` (did you mean `scored`?)
            fn piece_left(l) { if l.how == "move" { note("x"); } }
              1:32: `left.how` is never `move` (did you mean `moved`?)
            fn piece_zones(it, zone) { if it == "runer" { [] } }
              1:37: no mod declares a piece `runer` (did you mean `runner`?)
        "#]],
    );
    let found = look("fn piece_left(l) { if l.how == \"move\" { note(\"x\"); } }").problems;
    assert_eq!(found.iter().map(|problem| problem.severity).collect::<Vec<_>>(), [Severity::Warning]);
    clean("fn piece_left(l) { if l.how == \"taken\" && l.kind == \"ghost\" { note(\"x\"); } }");
}

#[test]
fn arguments_in_the_order_of_earlier_versions() {
    one(
        "fn setup() { ask(players()[0], \"Where?\", \"land\", players()); }",
        1,
        42,
        "`ask` takes a list here, not a text",
        "it is used as `ask(player, prompt, options, #{ word: ..., about: ..., pass: ..., secret: ... }?)`; `bastide migrate` \
         rewrites calls of earlier versions",
    );
    let found = look("fn setup() { draw(\"land\", [players()[0]]); }").problems;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].message, "`draw` takes a text here, not a list");
    clean("fn setup() { for player in players() { ask(player, \"?\", [\"a\", \"b\"], #{ word: [\"x\"] }); } }");
}

#[test]
fn wrong_numbers_of_arguments() {
    one(
        "fn setup() { give(players()[0], \"coin\"); }",
        1,
        14,
        "`give` cannot be called with 2 arguments",
        "it is used as `give(player, token, n)`",
    );
    one(
        "fn setup() { help(1, 2); }\nfn help(a) { a }",
        1,
        14,
        "`help` takes 1 argument, not 2",
        "it is defined as `fn help(a)`",
    );
    one("fn setup() { [1].push(); }", 1, 18, "`push` cannot be called with 0 arguments", "it takes 1");
    one(
        "fn tile_placed(tile) { tile.n_tiles(); }",
        1,
        29,
        "`n_tiles` cannot be called with 0 arguments",
        "it is used as `feature.n_tiles`",
    );
}

/// A variable may contain a function, but only in the function that declares the variable.
#[test]
fn calls_of_functions_with_the_names_of_variables() {
    one(
        "fn score_value(feature, score) { score.plus(1, \"x\"); }\nfn setup() { score(turn.player, 1); }",
        2,
        14,
        "`score` cannot be called with 2 arguments",
        "it is used as `score(player, points, reason)`",
    );
    one(
        "fn setup() { [1].map(|give| give + 1); }\nfn phase_count() { give(turn.player); }",
        2,
        20,
        "`give` cannot be called with 1 argument",
        "it is used as `give(player, token, n)`",
    );
    clean("fn setup() { note(`${apply(|n| n + 1)}`); }\nfn apply(score) { score(1) }");
    clean("fn setup() { let increase = |n| n + 1; note(`${increase(1)}`); }");
}

#[test]
fn rules_that_return_nothing() {
    let told = "`strength` never returns anything, so it has no effect";
    let help = "make the result its last line, without `let` or `=`, or write `return` before the result";
    for body in ["", "let more = 2;", "let more = 2; more = 3;", "for zone in feature.zones { let n = 1; }"] {
        one(&format!("fn strength(piece, feature) {{ {body} }}"), 1, 4, told, help);
    }
    clean("fn strength(piece, feature) { if piece.kind == \"runner\" { 1 } }");
    clean("fn strength(piece, feature) { for zone in feature.zones { return 1; } }");
    clean("fn strength(piece, feature) { let more = 2; more }");
    clean("fn strength(piece, feature) { throw \"no\"; }");
}

#[test]
fn rules_that_return_values_of_wrong_types() {
    told_of_all(
        &[
            "fn is_complete(feature) { 1 }",
            "fn is_complete(feature) { feature.n_tiles }",
            "fn is_complete(feature) { if feature.is_open { false } }",
            "fn can_end_game() { for zone in [1] { return true; } }",
            "fn can_end_game() { if turn.is_final { return; } true }",
            "fn strength(piece, feature) { piece.kind == \"runner\" }",
            "fn filter_places(drawn, places) { if true { \"n\" } else { places } }",
            "fn piece_targets(player, kind) { features(\"way\") }",
            "fn break_tie(feature, players) { return turn.player; }",
            "fn action_options(player) { switch player.number { 0 => \"go\", _ => [] } }",
        ],
        &expect![[r#"
            fn is_complete(feature) { 1 }
              1:27: `is_complete` must return true or false, but returns a number here
            fn is_complete(feature) { feature.n_tiles }
              1:34: `is_complete` must return true or false, but returns a number here
            fn is_complete(feature) { if feature.is_open { false } }
              1:27: `is_complete` must return true or false, but returns nothing here
            fn can_end_game() { for zone in [1] { return true; } }
              1:21: `can_end_game` must return true or false, but returns nothing here
            fn can_end_game() { if turn.is_final { return; } true }
              1:40: `can_end_game` must return true or false, but returns nothing here
            fn strength(piece, feature) { piece.kind == "runner" }
              1:42: `strength` must return a number, but returns a truth value here
            fn filter_places(drawn, places) { if true { "n" } else { places } }
              1:45: `filter_places` must return a list of places (`places` for all of them), but returns a text here
            fn piece_targets(player, kind) { features("way") }
              1:34: `piece_targets` must return a list of zones, but returns a list of features here
            fn break_tie(feature, players) { return turn.player; }
              1:45: `break_tie` must return a list of players, but returns a player here
            fn action_options(player) { switch player.number { 0 => "go", _ => [] } }
              1:57: `action_options` must return a list of options made by option(…), but returns a text here
        "#]],
    );
    for script in [
        "fn is_complete(feature) { while true { return false; } }",
        "fn is_complete(feature) { try { throw 1; } catch { return true; } }",
        "fn filter_places(drawn, places) { places.filter(|place| place.spot.x > 0) }",
        "fn piece_targets(player, kind) { if kind == \"runner\" { open_zones(\"way\") } }",
        "fn piece_zones(kind, zone) { zone.feature.zones }",
        "fn break_tie(feature, players) { if feature.is_open { return; } players.filter(|it| it.number == 0) }",
        "fn game_winners(players) { [] }",
        "fn describe(thing) { [\"one\", \"two\"] }",
        "fn migrate(memory, from) { memory }",
    ] {
        clean(script);
    }
}

#[test]
fn awards_that_are_returned() {
    told_of_all(
        &[
            "fn score_total(feature, score) { score.so_far * 2 }",
            "fn score_value(feature, score) { if feature.is_open { return 0; } feature.n_tiles + 1 }",
            "fn score_value(feature, score) { feature.tiles }",
        ],
        &expect![[r#"
            fn score_total(feature, score) { score.so_far * 2 }
              1:47: `score_total` returns a number here, which is ignored (add it with `score.plus(...)`, or replace the points with `score.replace(...)`)
            fn score_value(feature, score) { if feature.is_open { return 0; } feature.n_tiles + 1 }
              1:62: `score_value` returns a number here, which is ignored (add it with `score.plus(...)`, or replace the points with `score.replace(...)`)
              1:83: `score_value` returns a number here, which is ignored (add it with `score.plus(...)`, or replace the points with `score.replace(...)`)
            fn score_value(feature, score) { feature.tiles }
              1:41: `score_value` returns a list of tiles here, which is ignored
        "#]],
    );
    for script in [
        "fn score_total(feature, score) { score.plus(score.so_far * 2, \"double\") }",
        "fn score_value(feature, score) { if feature.is_open { return; } score.replace(3, \"three\") }",
        "fn score_value(feature, score) { for zone in feature.zones { score.plus(1, \"zone\"); } }",
        "fn score_value(feature, score) { help(feature, score) }\nfn help(feature, score) { 2 }",
    ] {
        clean(script);
    }
}

#[test]
fn unknown_properties() {
    one(
        "fn before_scoring(features) { for f in features { note(f.kidn); } }",
        1,
        58,
        "nothing has a property `kidn`",
        "did you mean `kind`?",
    );
    one(
        "fn tile_placed(tile) { let x = tile.spot.around; }",
        1,
        42,
        "nothing has a property `around`",
        "it is written `spot.around()`",
    );
    // Keys of maps are also properties.
    clean("fn setup() { let m = #{ colour: 1, inner: #{ deep: 2 } }; note(`${m.colour} ${m.inner.deep}`); }");
    clean("fn setup() { let m = #{}; m.made = 1; m[\"other\"] = 2; note(`${m.made + m.other}`); }");
    clean("fn scored(scoring) { for move in scoring.moves { note(`${move.points} ${move.from} ${move.reason}`); } }");
    clean(
        "fn piece_returned(returned) { note(`${returned.kind} ${returned.owner} ${returned.zones} ${returned.reason}`); }",
    );
    clean("const M = #{ size: 3 }; fn setup() { note(`${M.size} ${[1].len} ${\"x\".len}`); }");
}

#[test]
fn hooks_with_wrong_parameters() {
    one(
        "fn score_value(feature) { }",
        1,
        4,
        "`score_value` must take 2 parameters, but it takes 1",
        "write `fn score_value(feature, score)`",
    );
    one(
        "fn phase_count(x) { }",
        1,
        4,
        "`phase_count` must take 0 parameters, but it takes 1",
        "write `fn phase_count()`",
    );
    one("fn do_hop() { }", 1, 4, "`do_hop` must take 1 parameter, but it takes 0", "write `fn do_hop(choice)`");
}

#[test]
fn functions_that_nothing_calls() {
    one(
        "fn featur_completed(feature) { }",
        1,
        4,
        "nothing calls `featur_completed`",
        "did you mean the hook `feature_completed`?",
    );
    one("\nfn helper(a) { a }", 2, 4, "nothing calls `helper`", "call it, remove it, or name it after a hook");
    one("fn phas_count() { }", 1, 4, "nothing calls `phas_count`", "did you mean `phase_count`?");
    clean("fn setup() { run(\"card_a\"); }\nfn card_a() { }");
    clean("fn setup() { let n = \"a\"; run(\"card_\" + n); }\nfn card_a() { }");
    clean("fn setup() { [1].map(helper); }\nfn helper(a) { a }");
    one(
        "fn setup() { run(\"card_b\"); }\nfn phase_count() { run(\"card_a\"); }\nfn card_a() { }",
        1,
        18,
        "this script has no function `card_b` with 0 parameters",
        "did you mean `card_a`?",
    );
}

#[test]
fn doubled_definitions() {
    one(
        "fn setup() { }\nfn setup() { }",
        2,
        4,
        "`setup` with 0 parameters is defined twice; put both into one function",
        "only one of them would be called",
    );
}

#[test]
fn code_outside_functions() {
    one(
        "let n = 1;\nfn setup() { }",
        1,
        1,
        "`n` outside functions is never seen",
        "use `const` for a fixed value, and `mem` for a value to remember",
    );
    one(
        "fn setup() { }\nnote(\"x\");",
        2,
        1,
        "statements outside functions are never run",
        "put it into a function, such as `fn setup() { ... }`",
    );
    one(
        "const X = players();\nfn setup() { }",
        1,
        1,
        "the value of the constant `X` is not a plain value",
        "write numbers, texts, lists or maps only",
    );
    clean("const A = 3;\nconst B = A * 2;\nconst L = [1, 2];\nfn setup() { note(`${A} ${B} ${L}`); }");
    clean(
        "const A = !true;\nconst B = (3 + 4) * -2;\nconst C = \"a\" + \"b\";\nfn setup() { note(`${A} ${B} ${C}`); }",
    );
}

#[test]
fn constants_that_cannot_be_calculated() {
    let help = "it is too large for a number, divides by 0, mixes types, negates brackets, or uses a constant that is declared later or \
                cannot be calculated itself";
    for value in ["9223372036854775807 + 1", "1 / 0", "-(3 + 4)", "2 * LATER", "1 - \"a\""] {
        one(
            &format!("const A = {value};\nconst LATER = 1;\nfn setup() {{ note(A + LATER); }}"),
            1,
            1,
            "the value of the constant `A` cannot be calculated",
            help,
        );
    }
    let both = "const A = 9223372036854775807 + 1;\nconst B = A + 1;\nfn setup() { note(B); }";
    assert_eq!(look(both).problems.len(), 2, "{:?}", look(both).problems);
}

#[test]
fn phases_and_options_that_are_not_declared() {
    one("fn phase_stonse() { }", 1, 4, "mod.toml declares no phase `stonse`", "did you mean `stones`?");
    one("fn do_jump(choice) { }", 1, 4, "mod.toml declares no option `jump`", "add [option.jump] to mod.toml");
    clean("fn do_ring_dance(choice) { note(choice.word); }\nfn phase_stones() { }");
}

#[test]
fn options_of_menus_need_a_handler() {
    let message = "mod.toml declares no option `hpo`, so nothing happens when `action_options` offers it";
    one("fn action_options(player) { [option(\"hpo\", player)] }", 1, 37, message, "did you mean `hop`?");
    one(
        "fn anytime_options(player) { players().map(|it| option(\"jump\", it)) }",
        1,
        56,
        "mod.toml declares no option `jump`, so nothing happens when `anytime_options` offers it",
        "add [option.jump] to mod.toml, and `fn do_jump(choice) { ... }` to the script",
    );
    clean("fn tile_sources(player) { [option(\"ring-dance\")] }");
    // An option that a question offers needs no handler.
    clean("fn setup() { ask(players()[0], \"?\", [option(\"jump\", spot(1, 1))]); }");
}

#[test]
fn things_that_are_reached_in_another_way() {
    one(
        "fn setup() { for it in players { note(it.name); } }",
        1,
        24,
        "there is no variable `players`",
        "write `players()`",
    );
    one(
        "fn setup() { note(turn.player.score); }",
        1,
        31,
        "nothing has a property `score`",
        "write `score_of(player)`; `score(player, 3, \"why\")` adds points",
    );
    one("fn setup() { note(players().length); }", 1, 29, "nothing has a property `length`", "write `len`");
    one(
        "fn score_value(feature, points) { score(turn.player, 3, \"x\"); }",
        1,
        35,
        "`score` asks or changes something, and `score_value` may only look",
        "to change the points of the feature, write `score.plus(3, \"why\")`",
    );
}

#[test]
fn properties_of_what_is_known() {
    let one = |expression: &str, property: &str, help: &str| {
        let text = format!("fn tile_placed(tile) {{\nlet x = {expression}; }}");
        let column = 9 + expression.find(property).unwrap() as u32;
        one(&text, 2, column, &format!("nothing has a property `{property}`"), help);
    };
    one("tile.zons", "zons", "did you mean `zones`?");
    one("turn.tile.spt", "spt", "did you mean `spot`?");
    one("tile.spot.arround", "arround", "did you mean `spot.around()`?");
    one("tile.kidn", "kidn", "");
}

#[test]
fn properties_of_other_types() {
    let kind = "`tile.id` is the id of its type; each zone of `tile.zones` has a `kind` of land";
    let score = "write `score_of(player)`; `score(player, 3, \"why\")` adds points";
    for (text, column, message, help) in [
        (
            "fn tile_placed(tile) { if tile.kind == \"way\" { skip(\"piece\"); } }",
            32,
            "a tile has no property `kind`",
            kind,
        ),
        ("fn tile_placed(it) { note(it.kind); }", 30, "a tile has no property `kind`", kind),
        (
            "fn filter_places(tile, places) { places.filter(|it| it.spot == tile.spot) }",
            69,
            "a tile type has no property `spot`",
            "",
        ),
        ("fn setup() { for it in tiles() { note(it.kind); } }", 42, "a tile has no property `kind`", kind),
        ("fn setup() { let it = turn.tile; note(it.kind); }", 42, "a tile has no property `kind`", kind),
        ("fn setup() { let own = players().filter(|it| it.spot.x > 1); }", 49, "a player has no property `spot`", ""),
        // An assignment makes a key only of a map.
        ("fn setup() { turn.player.score += 3; }", 26, "nothing has a property `score`", score),
    ] {
        one(text, 1, column, message, help);
    }
    // The linter is silent if the type is not certain: a variable with several values, a map, and a
    // function of the script.
    for text in [
        "fn setup() { let tile = #{ kind: 1 }; note(tile.kind); }",
        "fn setup() { let it = turn.tile; it = it.zones[0]; note(it.kind); }",
        "fn tile_placed(tile) { for zone in tile.zones { note(zone.kind); } tile.zones.map(|tile| tile.kind); }",
        "fn setup() { note(mine().kind); }\nfn mine() { turn.tile.zones[0] }",
        "fn setup() { note(tiles().len); }",
        "fn setup() { note(turn.tile.zone_on(\"n\").kind + turn.player.name); }",
    ] {
        assert_eq!(look(text).problems, [], "{text}");
    }
}

/// Values of different types are never equal, which a comparison does not report.
#[test]
fn comparisons_of_different_types() {
    told(
        "if turn.player == \"red\" { }\nlet p = turn.player;\nif 3 != p || turn.tile.spot == turn.tile { }",
        &expect![[r#"
            1:16: warning: a player is never equal to a text
              help: compare a property instead, such as `.name`
            3:6: warning: a number is never equal to a player
              help: compare a property instead, such as `.number`
            3:29: warning: a spot is never equal to a tile
        "#]],
    );
    clean("fn setup() { if turn.player == () || turn.player == players()[0] { } }");
    clean("fn setup() { if turn.player.name == \"red\" && turn.tile.zones.len == 1 { } }");
}

/// Errors of the grammar name what is missing, or the other language from which a word comes.
#[test]
fn errors_of_the_grammar() {
    let unclosed = "`}` is missing: the `{` in line 1 is not closed";
    let inside = format!("{unclosed}; functions cannot stand inside others");
    let top = "functions can only be defined at the top level";
    one("fn setup() {\n  if true { note(\"a\");\n}\nfn turn_ended() { }", 4, 1, top, &inside);
    one("fn setup() {\n  note(\"a\");\n", 3, 1, "`}` is missing to terminate this block", unclosed);
    let list = "`]` is missing: the `[` in line 2 is not closed";
    one(
        "fn setup() {\n let all = [1, 2\n;\n}",
        3,
        1,
        "`,` is missing to separate the items of this array literal",
        list,
    );
    one("fn setup() { note(\"a\")); }", 1, 23, "there is one `)` too many", "");
    one("fn setup() { }\n}", 2, 1, "there is one `}` too many", "");
    one("fn setup() { note('hello'); }", 1, 19, "`'hello'` is not a text", "texts need double quotes");
    let block = "`{` is missing to start a statement block";
    one("fn setup() { if true then { } }", 1, 22, block, "leave out `then`: write `if a { ... }`");
    one("fn setup() { if true and false { } }", 1, 22, block, "write `&&`");
    one("fn setup()\n note(\"a\");", 2, 2, "`{` is missing after `fn setup(...)`", "");
    one("fn setup() { note(true ? 1 : 2); }", 1, 24, "there is no operator `?`", "write `if a { b } else { c }`");
}

/// Each syntax of another language gets its own help, once a line.
#[test]
fn syntax_of_other_languages() {
    told_of_all(
        &[
            // Closures.
            r#"fn setup() { let a = tiles().filter(z => z.kind == "way"); }"#,
            r#"fn tile_placed(z) { let a = tiles().filter(z => z.kind == "way"); }"#,
            "fn setup() { let a = tiles().filter((z) => z.id); }",
            "fn setup() { let a = tiles().filter((z, i) => z.id); }",
            "fn setup() { let a = tiles().filter(() => true); }",
            "fn setup() { let a = z => z.id; }",
            "fn setup() { let a = tiles().filter(lambda z: z.x); }",
            "fn setup() { let a = tiles().filter(function(z) { return z.x; }); }",
            "fn setup() { let a = tiles().filter(function() { return true; }); }",
            "fn setup() { let a = tiles().filter(fn(z) { z.x }); }",
            // Texts, types and comments.
            r#"fn tile_placed(t) { note(f"{t.id}"); }"#,
            r#"fn tile_placed(f) { note(f"{f.id}"); }"#,
            "fn tile_placed(tile: Tile) { }",
            "fn helper(a, b: Map<Text, Text>) { }",
            "fn helper(n = 3) { n }",
            "fn helper(n) -> int { n }",
            "fn setup() { let x: int = 1; }",
            "fn setup() { [1].map(|z: int| z); }",
            "# The head.\nfn setup() { }",
            "fn setup() {\n  let i = 1;  # don't (\n  i += 1;\n}",
            // Loops and lists.
            "fn tile_placed(tile) { for (z in tile.zones) { } }",
            "fn tile_placed(tile) { for (let z of tile.zones) { } }",
            "fn tile_placed(tile) { for (z of tile.zones) { } }",
            "fn tile_placed(tile) { for z of tile.zones { } }",
            "fn tile_placed(tile) { for let z in tile.zones { } }",
            "fn tile_placed(tile) { for i, z in tile.zones { } }",
            "fn setup() { for (let i = 0; i < 3; i++) { } }",
            "fn setup() { for (i = 0; i < 3; i++) { } }",
            "fn tile_placed(tile) { let a = [z for z in tile.zones]; }",
            r#"fn tile_placed(tile) { let a = [z.kind for z in tile.zones if z.kind == "way"]; }"#,
            "fn tile_placed(z) { let a = [z.id for z in tiles()]; }",
            "fn setup() { let n = [1].len; n++; }",
            "fn setup() { let n = 1; --n; }",
            // Blocks and maps.
            "fn setup() {\n  if true {\n    note(\"a\");\n  else {\n    note(\"b\");\n  }\n}",
            "fn setup() {\n  if true {\n    note(\"a\")\n  else {\n    note(\"b\");\n  }\n}",
            "fn setup() { if true { }; else { } }",
            "fn setup() { if true: note(\"a\"); }",
            "fn setup(): note(\"a\");",
            "fn setup() { match 1 { 1 => 2 } }",
            r#"fn setup() { ask(turn.player, "?", [1], { word: "w" }); }"#,
            r#"fn setup() { ask(turn.player, "?", [1], { "word": "w" }); }"#,
            "fn setup() { let a = 1; mem.game.x = { a: 1, b: 2 }; }",
            // Words.
            "fn setup() { if [1].is_empty() and true { } note(1 or 2); let x = true and false; }",
            "fn setup() { note(1 or 2); }",
            "fn setup() { let x = true and false; }",
            "fn setup() { if not true { } }",
            "function setup() { }",
            "fn setup() { class; self.x; None; True; lambda; console; }",
            "fn setup() { let x = null; }",
            "fn setup() { let match = 1; }",
            "fn setup() { try { } except { } }",
        ],
        &expect![[r#"
            fn setup() { let a = tiles().filter(z => z.kind == "way"); }
              1:37: closures are not written with `=>` (write a closure as `|z| ...`)
            fn tile_placed(z) { let a = tiles().filter(z => z.kind == "way"); }
              1:46: closures are not written with `=>` (write a closure as `|z| ...`)
            fn setup() { let a = tiles().filter((z) => z.id); }
              1:38: closures are not written with `=>` (write a closure as `|z| ...`)
            fn setup() { let a = tiles().filter((z, i) => z.id); }
              1:38: closures are not written with `=>` (write a closure as `|z| ...`)
            fn setup() { let a = tiles().filter(() => true); }
              1:40: closures are not written with `=>` (write a closure as `|it| ...`)
            fn setup() { let a = z => z.id; }
              1:22: closures are not written with `=>` (write a closure as `|z| ...`)
            fn setup() { let a = tiles().filter(lambda z: z.x); }
              1:37: closures are not written with `lambda` (write a closure as `|z| ...`)
            fn setup() { let a = tiles().filter(function(z) { return z.x; }); }
              1:46: closures are not written with `function` (write a closure as `|z| ...`)
            fn setup() { let a = tiles().filter(function() { return true; }); }
              1:48: closures are not written with `function` (write a closure as `|it| ...`)
            fn setup() { let a = tiles().filter(fn(z) { z.x }); }
              1:37: closures are not written with `fn` (write a closure as `|z| ...`)
            fn tile_placed(t) { note(f"{t.id}"); }
              1:26: texts have no prefix `f` (write the text between backticks: `...${...}`)
            fn tile_placed(f) { note(f"{f.id}"); }
              1:27: texts have no prefix `f` (write the text between backticks: `...${...}`)
            fn tile_placed(tile: Tile) { }
              1:20: parameters have no types (leave out `: Tile`)
            fn helper(a, b: Map<Text, Text>) { }
              1:15: parameters have no types (leave out `: Map<Text`)
            fn helper(n = 3) { n }
              1:13: parameters have no default values (leave out the value, and pass it in each call)
            fn helper(n) -> int { n }
              1:14: functions have no types of results (leave out `-> int`)
            fn setup() { let x: int = 1; }
              1:19: variables have no types (leave out `: int`)
            fn setup() { [1].map(|z: int| z); }
              1:24: parameters have no types (leave out `: int`)
            # The head.
            fn setup() { }
              1:1: `#` does not begin a comment (a comment begins with `//`)
            fn setup() {
              let i = 1;  # don't (
              i += 1;
            }
              2:15: `#` does not begin a comment (a comment begins with `//`)
            fn tile_placed(tile) { for (z in tile.zones) { } }
              1:31: a `for` loop begins with `for item in list` (write `for z in list { ... }`, without brackets)
            fn tile_placed(tile) { for (let z of tile.zones) { } }
              1:29: a `for` loop begins with `for item in list` (write `for z in list { ... }`, without brackets)
            fn tile_placed(tile) { for (z of tile.zones) { } }
              1:31: a `for` loop begins with `for item in list` (write `for z in list { ... }`, without brackets)
            fn tile_placed(tile) { for z of tile.zones { } }
              1:30: a `for` loop begins with `for item in list` (write `for z in list { ... }`)
            fn tile_placed(tile) { for let z in tile.zones { } }
              1:28: a `for` loop begins with `for item in list` (write `for z in list { ... }`)
            fn tile_placed(tile) { for i, z in tile.zones { } }
              1:29: a `for` loop begins with `for item in list` (write `for (item, index) in list { ... }`)
            fn setup() { for (let i = 0; i < 3; i++) { } }
              1:19: a `for` loop begins with `for item in list` (write `for i in 0..n { ... }` to count)
            fn setup() { for (i = 0; i < 3; i++) { } }
              1:21: a `for` loop begins with `for item in list` (write `for i in 0..n { ... }` to count)
            fn tile_placed(tile) { let a = [z for z in tile.zones]; }
              1:33: `for` does not make a list (write `list.filter(|z| ...)` or `list.map(|z| ...)`)
            fn tile_placed(tile) { let a = [z.kind for z in tile.zones if z.kind == "way"]; }
              1:33: `for` does not make a list (write `list.filter(|z| ...)` or `list.map(|z| ...)`)
            fn tile_placed(z) { let a = [z.id for z in tiles()]; }
              1:35: `for` does not make a list (write `list.filter(|z| ...)` or `list.map(|z| ...)`)
            fn setup() { let n = [1].len; n++; }
              1:32: there is no operator `++` (write `n += 1`)
            fn setup() { let n = 1; --n; }
              1:25: there is no operator `--` (write `n -= 1`)
            fn setup() {
              if true {
                note("a");
              else {
                note("b");
              }
            }
              4:3: this `else` belongs to no `if` (a `}` is missing before `else`)
            fn setup() {
              if true {
                note("a")
              else {
                note("b");
              }
            }
              4:3: this `else` belongs to no `if` (a `}` is missing before `else`)
            fn setup() { if true { }; else { } }
              1:27: this `else` belongs to no `if` (leave out the `;` before `else`)
            fn setup() { if true: note("a"); }
              1:21: `{` is missing to start a statement block (write the block in braces: `{ ... }`)
            fn setup(): note("a");
              1:11: `{` is missing after `fn setup(...)` (write the block in braces: `{ ... }`)
            fn setup() { match 1 { 1 => 2 } }
              1:14: `match` is a reserved word (write `switch value { "a" => ..., _ => ... }`)
            fn setup() { ask(turn.player, "?", [1], { word: "w" }); }
              1:43: a map begins with `#{` (write a map as `#{ word: ... }`)
            fn setup() { ask(turn.player, "?", [1], { "word": "w" }); }
              1:49: a map begins with `#{` (write a map as `#{ "word": ... }`)
            fn setup() { let a = 1; mem.game.x = { a: 1, b: 2 }; }
              1:41: a map begins with `#{` (write a map as `#{ a: ... }`)
            fn setup() { if [1].is_empty() and true { } note(1 or 2); let x = true and false; }
              1:32: `{` is missing to start a statement block (write `&&`)
            fn setup() { note(1 or 2); }
              1:21: `,` is missing to separate the arguments to function call 'note' (write `||`)
            fn setup() { let x = true and false; }
              1:27: `;` is missing to terminate this statement (write `&&`)
            fn setup() { if not true { } }
              1:17: there is no variable `not` (write `!`)
            function setup() { }
              1:1: there is no variable `function` (functions begin with `fn`)
            fn setup() { class; self.x; None; True; lambda; console; }
              1:14: there is no variable `class` (there are no classes: write functions, and maps such as `#{ word: "w" }`)
              1:21: there is no variable `self` (there are no objects: use the parameters of the function, `turn` and `mem`)
              1:29: there is no variable `None` (write `()` for nothing)
              1:35: there is no variable `True` (write `true`)
              1:41: closures are not written with `lambda` (write a closure as `|it| ...`)
              1:49: there is no variable `console` (write `print(text)`, or `note(text)` for a line in the game's log)
            fn setup() { let x = null; }
              1:22: `null` is a reserved word (write `()` for nothing)
            fn setup() { let match = 1; }
              1:18: `match` is a reserved word (choose another name)
            fn setup() { try { } except { } }
              1:22: `catch` is missing for the 'try' statement (write `catch`)
        "#]],
    );
}

/// Errors of the grammar never blame a bracket that is closed.
#[test]
fn brackets_that_are_closed() {
    told_of_all(
        &[
            "fn setup() { note(1 2); }",
            "fn setup() { note([1 2]); }",
            "fn setup() { fn helper() { } }",
            "fn setup() { note([1, 2); }",
            "fn setup() { if (true { } }",
        ],
        &expect![[r#"
            fn setup() { note(1 2); }
              1:21: `,` is missing to separate the arguments to function call 'note'
            fn setup() { note([1 2]); }
              1:22: `,` is missing to separate the items of this array literal
            fn setup() { fn helper() { } }
              1:14: functions can only be defined at the top level (functions cannot stand inside others: move this one out)
            fn setup() { note([1, 2); }
              1:24: `,` is missing to separate the items of this array literal (`]` is missing: the `[` in line 1 is not closed)
            fn setup() { if (true { } }
              1:23: `)` is missing for a matching ( in this expression (`)` is missing: the `(` in line 1 is not closed)
        "#]],
    );
}

/// Functions and properties that authors guess, because other languages or tables have them.
#[test]
fn guessed_functions_and_properties() {
    told(
        r#"let all = tiles();
all.any(|tile| true);
all.every(|tile| true);
all.includes(1);
all.forEach(|tile| tile);
all.each(|tile| tile);
all.enumerate();
all.join(", ");
all.first();
all.last();
all.length();
all.max_by(|tile| 1);
range(3);
max([1, 2]);
[1, 2].min();
max(1);
all.push();
add_score(turn.player, 3);
place_meeple(1, 2, 3);"#,
        &expect![[r#"
            2:5: error: there is no function `any`
              help: write `list.some(|it| ...)`
            3:5: error: there is no function `every`
              help: write `list.all(|it| ...)`
            4:5: error: there is no function `includes`
              help: write `list.contains(item)`
            5:5: error: there is no function `forEach`
              help: write `for item in list { ... }`
            6:5: error: there is no function `each`
              help: write `for item in list { ... }`
            7:5: error: there is no function `enumerate`
              help: write `for (item, index) in list { ... }`
            8:5: error: there is no function `join`
              help: write `for item in list { text += item; }`
            9:5: error: there is no function `first`
              help: write `list[0]`
            10:5: error: there is no function `last`
              help: write `list[-1]`
            11:5: error: there is no function `length`
              help: write `list.len`
            12:5: error: there is no function `max_by`
              help: write `list.most(|it| ...)`
            13:1: error: `range` cannot be called with 1 argument
              help: write `0..n`
            14:1: error: `max` cannot be called with 1 argument
              help: for a list that is not empty, write `list.most(|it| it)[0]`
            15:8: error: `min` cannot be called with 0 arguments
              help: for a list that is not empty, write `list.least(|it| it)[0]`
            16:1: error: `max` cannot be called with 1 argument
              help: for a list that is not empty, write `list.most(|it| it)[0]`
            17:5: error: `push` cannot be called with 0 arguments
              help: it takes 1
            18:1: error: there is no function `add_score`
              help: write `score(player, points, "why")`
            19:1: error: there is no function `place_meeple`
              help: write `place_piece(piece, player, where)`
        "#]],
    );
    told_of_all(
        &[
            "fn score_value(feature, score) { score.add(3, \"x\"); }",
            "fn tile_placed(tile) { for z in tile.zones { note(z.owner + z.owners + z.complete); } }",
            "fn tile_placed(tile) { for piece in tile.pieces { note(piece.player); } }",
            "fn feature_completed(f) { note(f.size + f.len + f.complete + f.completed); }",
            "fn setup() { note(turn.player.followers + turn.player.pieces + turn.player.hand); }",
        ],
        &expect![[r#"
            fn score_value(feature, score) { score.add(3, "x"); }
              1:40: there is no function `add` (write `score.plus(3, "why")` or `list.push(item)`)
            fn tile_placed(tile) { for z in tile.zones { note(z.owner + z.owners + z.complete); } }
              1:53: a zone has no property `owner` (write `zone.feature.owners`)
              1:63: a zone has no property `owners` (write `zone.feature.owners`)
              1:74: nothing has a property `complete` (write `zone.feature.is_complete`)
            fn tile_placed(tile) { for piece in tile.pieces { note(piece.player); } }
              1:62: a piece has no property `player` (write `piece.owner`)
            fn feature_completed(f) { note(f.size + f.len + f.complete + f.completed); }
              1:34: nothing has a property `size` (write `feature.n_tiles`)
              1:43: a feature has no property `len` (write `feature.n_tiles`)
              1:51: nothing has a property `complete` (write `feature.is_complete`)
              1:64: nothing has a property `completed` (write `feature.is_complete`)
            fn setup() { note(turn.player.followers + turn.player.pieces + turn.player.hand); }
              1:31: nothing has a property `followers` (write `supply(player, piece)`, or `pieces_of(player)` for pieces in play)
              1:55: a player has no property `pieces` (write `supply(player, piece)`, or `pieces_of(player)` for pieces in play)
              1:76: nothing has a property `hand` (it is written `hand(player, tag?)`)
        "#]],
    );
}

/// Numbers and nouns agree.
#[test]
fn one_of_something_is_no_plural() {
    told_of_all(
        &[
            "fn setup() { score(turn.player); }",
            "fn setup() { help(1); }\nfn help(a, b) { a + b }\nfn help(a, b, c) { a + b + c }",
            "fn setup() { run(\"help\", 1); }\nfn help() { 1 }",
        ],
        &expect![[r#"
            fn setup() { score(turn.player); }
              1:14: `score` cannot be called with 1 argument (it is used as `score(player, points, reason)`)
            fn setup() { help(1); }
            fn help(a, b) { a + b }
            fn help(a, b, c) { a + b + c }
              1:14: `help` takes 2 or 3 arguments, not 1 (it is defined as `fn help(a, b)`)
            fn setup() { run("help", 1); }
            fn help() { 1 }
              1:18: this script has no function `help` with 1 parameter
        "#]],
    );
}

/// Unknown variables that are names of mods, or words that authors guess.
#[test]
fn unknown_variables() {
    told_of_all(
        &[
            "fn feature_completed(feature) { if feature.kind == way { } }",
            "fn feature_completed(feature) { switch feature.kind { way => 1, _ => 2 } }",
            "fn setup() { give(players()[0], coin, supply(turn.player, runner)); }",
            "fn setup() { note(stones + cards + gold + water); }",
            "fn setup() { note(player.name + current_player.name); }",
            "fn tile_placed(tile) { note(player.name); }",
        ],
        &expect![[r#"
            fn feature_completed(feature) { if feature.kind == way { } }
              1:52: there is no variable `way` (write it in quotes: `"way"`)
            fn feature_completed(feature) { switch feature.kind { way => 1, _ => 2 } }
              1:55: expecting literal expression
            fn setup() { give(players()[0], coin, supply(turn.player, runner)); }
              1:33: there is no variable `coin` (write it in quotes: `"coin"`)
              1:59: there is no variable `runner` (write it in quotes: `"runner"`)
            fn setup() { note(stones + cards + gold + water); }
              1:19: there is no variable `stones` (write it in quotes: `"stones"`)
              1:28: there is no variable `cards` (write it in quotes: `"cards"`)
              1:36: there is no variable `gold` (write it in quotes: `"gold"`)
              1:43: there is no variable `water` (write it in quotes: `"water"`)
            fn setup() { note(player.name + current_player.name); }
              1:19: there is no variable `player` (write `turn.player` for the player whose turn it is; many functions get a player as a parameter)
              1:33: there is no variable `current_player` (write `turn.player`)
            fn tile_placed(tile) { note(player.name); }
              1:29: there is no variable `player` (write `turn.player` for the player whose turn it is; many functions get a player as a parameter)
        "#]],
    );
}

/// Words of the language cannot be names.
#[test]
fn reserved_words() {
    for (text, column, word) in [
        ("fn setup() { let until = 1; }", 18, "until"),
        ("fn setup() { mem.game.until = 1; }", 23, "until"),
        ("fn setup() { mem.game.bet = #{ until: 1 }; }", 32, "until"),
        ("fn setup() { mem.game.bet = #{ a: 1, private: 1 }; }", 38, "private"),
        ("fn setup() { let default = 1; }", 18, "default"),
    ] {
        one(text, 1, column, &format!("`{word}` is a reserved word"), "choose another name");
    }
}

/// Tiles have no tags of zones, and zones and features have no tags of tiles.
#[test]
fn tags_of_other_carriers() {
    told(
        "let tile = turn.tile;\nif tile.has(\"stones\") || turn.tile_type.tag(\"goods\") == 3 { }\n\
         let zone = tile.zone_on(\"n\");\nnote(zone.has(\"gold-mine\") + zone.feature.has(\"gold-mine\"));",
        &expect![[r#"
            2:13: warning: `stones` is a tag of zones, so a tile never has it
              help: ask its zones, as in `tile.zones.some(|zone| zone.has("stones"))`
            2:45: warning: `goods` is a tag of zones, so a tile type never has it
              help: ask its zones, as in `tile_type.zones.some(|zone| zone.has("goods"))`
            4:15: warning: `gold-mine` is a tag of tiles, so a zone never has it
              help: ask its tiles, as in `zone.tile.has("gold-mine")`
            4:47: warning: `gold-mine` is a tag of tiles, so a feature never has it
              help: ask its tiles, as in `feature.tiles.some(|tile| tile.has("gold-mine"))`
        "#]],
    );
    clean("fn setup() { note(turn.tile.has(\"gold-mine\") + turn.tile.zones[0].has(\"stones\")); }");
    clean("fn setup() { for it in [turn.tile, turn.tile.zones[0]] { note(it.has(\"stones\")); } }");
}

#[test]
fn line_ends_and_letters_shift_nothing() {
    let text = "// Größe: 「城」\r\nfn setup() {\r\n    note(\"ä\"); giv(1);\r\n}\r\n";
    let problem = &look(text).problems[0];
    assert_eq!((problem.span.line, problem.span.column, problem.span.length), (3, 16, 3));
    assert_eq!(&text[problem.span.bytes(text)], "giv");
}

#[test]
fn settings_and_memory() {
    one(
        "fn setup() { if settings.generos { } }",
        1,
        26,
        "mod.toml declares no setting `generos`",
        "did you mean `generous`?",
    );
    one(
        "fn setup() { if settings.xyz == 1 { } }",
        1,
        26,
        "mod.toml declares no setting `xyz`",
        "add [setting.xyz] to mod.toml",
    );
    one("fn setup() { mem.gme.n = 1; }", 1, 18, "`mem` has no scope `gme`", "did you mean `game`?");
    clean(
        "fn setup() { mem.game.whatever = 1; mem.turn.list = []; mem.turn.list.push(mem.game.whatever); if settings.limit > 2 { } }",
    );
}

#[test]
fn undefined_variables_all_at_once() {
    let problems = look("fn setup() {\n    let player = turn.plyr;\n    note(playr.name);\n    note(zzz);\n}").problems;
    let found: Vec<_> = problems.iter().map(|p| (p.span.line, p.span.column, p.message.as_str())).collect();
    assert_eq!(
        found,
        [
            (2, 23, "nothing has a property `plyr`"),
            (3, 10, "there is no variable `playr`"),
            (4, 10, "there is no variable `zzz`"),
        ]
    );
    assert_eq!(problems[1].help.as_deref(), Some("did you mean `player`?"));
    assert_eq!(problems[2].help.as_deref(), Some("declare it: `let zzz = ...;`"));
}

#[test]
fn names_that_no_mod_declares() {
    one(
        "fn setup() { give(players()[0], \"coim\", 1); }",
        1,
        33,
        "no mod declares a token `coim`",
        "did you mean `coin`?",
    );
    one(
        "fn is_complete(feature) { feature.has(\"stone\") }",
        1,
        39,
        "no mod declares a tag `stone`",
        "did you mean `stones`?",
    );
    one(
        "fn is_complete(feature) { feature.kind == \"wya\" }",
        1,
        43,
        "no mod declares a kind of land or piece `wya`",
        "did you mean `way`?",
    );
    one("fn setup() { skip(\"pieces\"); }", 1, 19, "no mod declares a phase `pieces`", "did you mean `piece`?");
    clean("fn is_complete(feature) { feature.kind == \"way\" && feature.count(\"goods\", \"anything\") > 0 }");
    // If the declarations of the mods are unknown, names are not checked.
    let all = inspect(&table::source("fn is_complete(feature) { feature.has(\"x\") }"), &Vocabulary::default());
    assert_eq!(all.problems, []);
}

#[test]
fn syntax_errors() {
    one(
        "fn setup() {\n    let x = 1\n    let y = 2;\n}",
        3,
        5,
        "`;` is missing to terminate this statement",
        "statements end with `;`; often the line before lacks it",
    );
    one(
        "fn setup() { eval(\"1\"); }",
        1,
        14,
        "`eval` is not available to scripts",
        "to call a function by name, use `run(name, ...)`",
    );
    one(
        "import \"x\" as x;",
        1,
        1,
        "scripts cannot import anything; a mod has one script",
        "put shared functions into the script that uses them",
    );
    assert_eq!(look("fn setup() { ").functions, []);
}

#[test]
fn characters_that_only_texts_contain() {
    let space = "this is a non-breaking space (U+00A0): replace it with an ordinary space";
    one("fn setup() { let a\u{a0}= 1; }", 1, 19, "unexpected '\u{a0}'", space);
    let thin = "this is a special space (U+2009): replace it with an ordinary space";
    one("fn setup() { let a\u{2009}= 1; }", 1, 19, "unexpected '\u{2009}'", thin);
    let invisible = "this is an invisible character (U+200B): delete it";
    one("fn setup() { let a\u{200b} = 1; }", 1, 19, "unexpected '\u{fffd}'", invisible);
    let letters = "names consist of the letters a to z, digits and `_`";
    one("fn setup() { let größe = 1; }", 1, 20, "unexpected 'ö'", letters);
    one("fn setup() { let a = “x”; }", 1, 22, "unexpected '“'", "texts need straight double quotes: `\"...\"`");
}

#[test]
fn sketches_are_clean() {
    clean(
        r#"
        fn score_value(feature, score) {
            let rich = (feature.kind == "way" && feature.has("stones")) || feature.has("goods");
            if !rich { return; }
            if !score.is_complete { return score.zero("unfinished"); }
            score.plus(feature.n_tiles + feature.count("stones"), "rich")
        }
        fn feature_completed(feature) {
            for good in feature.tags("goods") { give(turn.player, good, 1); }
        }
        fn action_options(player) {
            if turn.tile == () || supply(player, "runner") == 0 { return []; }
            [option("hop", "runner")]
        }
        fn do_hop(choice) {
            let steps = roll([1, 1, 2, 2, 3, 3], "How far?");
            let spot = turn.tile.spot.step(turn.tile.direction("goods"), steps);
            let landings = zones_at(spot).filter(|zone| zone.kind != "green" && zone.feature.is_open);
            if landings.is_empty() { return; }
            let zone = ask(turn.player, "Where does it land?", landings, #{ word: "land" });
            place_piece(choice.kind, turn.player, zone);
        }
        fn phase_stones() {
            let moved = [];
            loop {
                let moves = [];
                for ferry in linked_tiles_from(turn.tile).filter(|ferry| !moved.contains(ferry)) {
                    for ends in pairs(ferry.zones("way")) { moves.push(option("reroute", ends, #{ ferry: ferry })); }
                }
                let choice = ask(turn.player, "Move one?", moves, #{ pass: true });
                if choice == () { break; }
                relink(choice.data.ferry, [choice.about]);
                moved.push(choice.data.ferry);
            }
            let least = features("way").map(|it| it.value_at_end()).reduce(|a, b| if a == () { b } else { min(a, b) });
            if least != () { score(turn.player, least, "least"); }
        }
        "#,
    );
}

#[test]
fn options_by_name() {
    let ask = |options: &str| format!("fn setup() {{ ask(turn.player, \"?\", [1], {options}); }}");
    let help = "the options of `ask` are `#{ word: ..., about: ..., pass: ..., secret: ... }`";
    one(&ask("#{ wrd: 1 }"), 1, 44, "`ask` has no option `wrd`", "did you mean `word`?");
    one(&ask("#{ word: \"x\", maybe: true }"), 1, 55, "`ask` has no option `maybe`", help);
    one(&ask("[2]"), 1, 41, "`ask` takes this argument by name", help);
    one(
        "fn setup() { extra_part(\"x\", #{ deck: \"lnd\" }); }",
        1,
        39,
        "no mod declares a deck `lnd`",
        "did you mean `land`?",
    );
    one(
        "fn setup() { open_zones(\"way\", #{ without: [\"runner\", \"gost\"] }); }",
        1,
        55,
        "no mod declares a piece `gost`",
        "did you mean `ghost`?",
    );
    clean("fn setup() { let named = #{ pass: true }; ask(turn.player, \"?\", [nobody], named); }");
}

#[test]
fn names_of_mods_settings_tiles_and_reasons() {
    told(
        r#"if is_active("bsae") || is_active("rivre") || is_active("elsewhere") { }
let n = setting_of("base", "farmer");
let m = setting_of("river", "length");
let k = setting_of("elsewhere", "anything");
let t = [tile_type("frist"), tile_type("nix"), tile_type("base/road-edn"), tile_type("elsewhere/x")];
if owns_tile(turn.player, "secnod") { }
extra_part("helper");
if parts_for("helpre") == 0 && turn.reason != "hlper" && turn.reason == "of another mod" { }
if turn.deck == "lnad" || "lnad" == turn.deck { }"#,
        &expect![[r#"
            1:14: warning: there is no mod `bsae` here
              help: did you mean `base`?
            1:35: warning: there is no mod `rivre` here
              help: did you mean `river`?
            2:28: warning: the mod `base` has no setting `farmer`
              help: did you mean `farmers`?
            3:29: warning: the mod `river` has no setting `length`
              help: the mod has no settings, so the result is always `()`
            5:20: warning: there is no tile `frist`
              help: did you mean `first`?
            5:40: warning: there is no tile `nix`
              help: there are 2 tiles, such as `first`
            5:58: warning: there is no tile `base/road-edn`
              help: did you mean `base/road-end`?
            6:27: warning: there is no tile `secnod`
              help: did you mean `second`?
            8:14: warning: nothing in this script gives the reason `helpre`
              help: did you mean `helper`?
            8:47: warning: nothing in this script gives the reason `hlper`
              help: did you mean `helper`?
            9:17: warning: no mod declares a deck `lnad`
              help: did you mean `land`?
            9:27: warning: no mod declares a deck `lnad`
              help: did you mean `land`?
        "#]],
    );
    told(
        r#"if is_active("base") && setting_of("base", "farmers") == 1 && tile_type("first") == tile_type("base/K") { }
extra_part("helper");
if parts_for("helper") == 0 && turn.reason in ["helper", "turn"] && turn.deck == "land" { }"#,
        &expect![[r#""#]],
    );
    let reasons = |text: &str| look(&format!("fn piece_left(left) {{ {text} }} fn setup() {{ }}")).problems.len();
    assert_eq!(reasons("if left.reason == \"scroed\" { }"), 1);
    assert_eq!(reasons("if left.reason == \"scored\" || left.reason == \"anything else\" { }"), 0);
}

#[test]
fn names_in_searches_cases_variables_and_loops() {
    let problems = |body: &str| look(&format!("fn tile_placed(tile) {{ let zone = tile.zones[0]; {body} }}")).problems;
    for body in [
        "if [\"wya\", \"green\"].contains(zone.kind) { note(\"x\"); }",
        "switch zone.kind { \"wya\" => note(\"a\"), _ => note(\"b\") }",
        "for kind in [\"wya\", \"green\"] { features(kind); }",
        "let kind = zone.kind; if kind == \"wya\" { note(\"x\"); }",
        "[\"wya\"].filter(|kind| features(kind).len > 0);",
    ] {
        let found = problems(body);
        let help: Vec<_> = found.iter().map(|problem| (problem.severity, problem.help.as_deref())).collect();
        assert_eq!(help, [(Severity::Warning, Some("did you mean `way`?"))], "{body}: {found:?}");
    }
    // The words of the script itself are no mistakes.
    for body in [
        "for kind in [\"way\", \"other\"] { if kind == \"other\" { note(\"x\"); } else { features(kind); } }",
        "for kind in [\"way\", \"all\"] { switch kind { \"all\" => note(\"x\"), _ => { features(kind); } } }",
        "let words = [\"wya\"]; if words.contains(turn.player.name) { note(\"x\"); }",
        "let kind = \"wya\"; kind = \"way\"; features(kind);",
    ] {
        assert_eq!(problems(body), [], "{body}");
    }
}

#[test]
fn directions_edges_and_times() {
    told(
        r#"let s = turn.tile.spot.step("north", 1);
let z = [turn.tile.zone_on("x"), turn.tile.zone_on("n3")];
let e = turn.tile_type.edge_kind(0, "ne");
extra_part("helper", #{ when: "soon" });
if "north" in z[0].edges { }"#,
        &expect![[r#"
            1:29: warning: `north` is not a direction
              help: write n, ne, e, se, s, sw, w or nw
            2:28: warning: `x` is not an edge
              help: write n, e, s or w, or a half of one such as n1
            2:52: warning: `n3` is not an edge
              help: write n, e, s or w, or a half of one such as n1
            3:37: warning: `ne` is not an edge
              help: write n, e, s or w
            4:31: warning: `soon` is not a value of `when`
              help: write "now" or "after"
            5:4: warning: `north` is not an edge
              help: write n, e, s or w
        "#]],
    );
    told(
        r#"let s = turn.tile.spot.step("nw", 1);
let z = [turn.tile.zone_on("n"), turn.tile.zone_on("s2")];
extra_part("helper", #{ when: "now" });
if turn.tile_type.edge_kind(0, "w") == "way" && "s" in z[0].edges { }"#,
        &expect![[r#""#]],
    );
}

#[test]
fn literals_of_the_wrong_type() {
    told(
        r#"score(turn.player, "3", "x");
score(turn.player, "three", "x");
score("red", 3, "x");
score(turn.player, 3, 4);
give(turn.player, 1, "coin");
let n = deck_size(3);
let z = open_zones(3);
let f = turn.tile.zone_on(1);
place_piece("runner", "red", "here");
extra_part("x", #{ deck: 1, when: true });
ask(turn.player, "?", [1], #{ pass: "yes", word: 3 });
set_order("all");"#,
        &expect![[r#"
            1:20: warning: `score` takes a number here, not a text
              help: write it without quotes: `3`
            2:20: warning: `score` takes a number here, not a text
              help: it is used as `score(player, points, reason)`
            3:7: warning: `score` takes a player here, not a text
              help: it is used as `score(player, points, reason)`
            4:23: warning: `score` takes a text here, not a number
              help: write it in quotes: `"4"`
            5:19: warning: `give` takes a token here, not a number
              help: it is used as `give(player, token, n)`
            5:22: warning: `give` takes a number here, not a text
              help: it is used as `give(player, token, n)`
            6:19: warning: `deck_size` takes a deck here, not a number
              help: it is used as `deck_size(deck)`
            7:20: warning: `open_zones` takes a kind here, not a number
              help: it is used as `open_zones(kinds, #{ without: ... }?)`
            8:27: warning: `zone_on` takes a text here, not a number
              help: it is used as `tile.zone_on(edge)`
            9:23: warning: `place_piece` takes a player or () here, not a text
              help: it is used as `place_piece(piece, player, where)`
            9:30: warning: `place_piece` takes a zone, list of zones, feature (its first zone), spot, corner, border, space or player here, not a text
              help: it is used as `place_piece(piece, player, where)`
            10:26: warning: the option `deck` of `extra_part` takes a deck, not a number
              help: `deck`: The deck from which the part draws; by default the first deck of the game
            10:35: warning: the option `when` of `extra_part` takes "now" or "after", not a truth value
              help: `when`: `"now"`, to interrupt the current part, or `"after"`, the default, to follow it
            11:37: warning: the option `pass` of `ask` takes a truth value, not a text
              help: `pass`: If true, the player may pass; the answer is then `()`
            11:50: warning: the option `word` of `ask` takes a text or list of texts, not a number
              help: `word`: The text of each option begins with this word, also in records and tests
            12:11: warning: `set_order` takes a list of players here, not a text
              help: it is used as `set_order(players)`
        "#]],
    );
    told(
        r#"score(turn.player, -3, "x");
place_piece("runner", (), [turn.tile.zones[0]]);
set_tag(turn.tile, "stones", true);
put_on_top("land", ["base/K"]);
let die = [roll(6, "?"), roll([1, 2], "?")];
draw("land");
ask(turn.player, `${1}?`, [1], #{ pass: true, word: ["a"] });"#,
        &expect![[r#""#]],
    );
}

#[test]
fn assignments_that_always_fail() {
    told(
        r#"for tile in tiles() { tile.facing = 90; }
turn.tile.spot = #{ x: 1, y: 2 };
for zone in turn.tile.zones { zone.kind = "way"; }
turn.tile.pieces.for_each(|it| it.kind = "ghost");
turn.player = players()[0];
let own = #{ kind: "way" };
own.kind = "green";
mem.game.kind = own;"#,
        &expect![[r#"
            1:28: warning: `facing` of a tile cannot be changed by an assignment
              help: write `turn_tile(tile, facing)`
            2:11: warning: `spot` of a tile cannot be changed by an assignment
              help: use an effect such as `take_up(tile)`, `lay_tile(...)` or `set_tag(tile, "tag", true)`
            3:36: warning: `kind` of a zone cannot be changed by an assignment
              help: only effects change the game, such as `score`, `move_piece` and `set_tag`
            5:6: warning: `player` of the turn cannot be changed by an assignment
              help: write `next_turn(player)` or `set_order(players)`
        "#]],
    );
    let text =
        "const BONUS = 3;\nconst LIST = [1];\nfn setup() {\n    BONUS = 4;\n    LIST[0] = BONUS;\n    BONUS += 1;\n}";
    let problems: Vec<_> = look(text).problems.iter().map(|p| (p.span.line, p.message.clone())).collect();
    let wanted = [(4, "BONUS"), (5, "LIST"), (6, "BONUS")];
    assert_eq!(problems, wanted.map(|(line, name)| (line, format!("`{name}` is a constant and cannot be changed"))));
    clean("const BONUS = 3;\nfn setup() { let BONUS = 4; BONUS = 5; note(`${BONUS}`); }");
    clean("const BONUS = 3;\nfn raise(BONUS) { BONUS += 5; BONUS }\nfn setup() { note(`${raise(1)}`); }");
}

#[test]
fn values_of_other_types() {
    told(
        r#"let zones = turn.tile.zones;
if "way" in zones { note("a"); }
if zones.contains("way") || zones.contains(zones[0]) { note("b"); }
if turn.tile.facing == "n" { note("c"); }
if turn.number == "1" { note("d"); }
if turn.player.name == "red" || turn.tile.facing == 90 { note("e"); }
if players().contains(turn.tile) { note("f"); }"#,
        &expect![[r#"
            2:4: warning: a list of zones never contains a text
              help: search by a property: `.some(|it| it.kind == ...)`
            3:19: warning: a list of zones never contains a text
              help: search by a property: `.some(|it| it.kind == ...)`
            4:21: warning: a number is never equal to a text
            5:16: warning: a number is never equal to a text
            7:27: warning: a list of players never contains a tile
        "#]],
    );
}

#[test]
fn results_of_other_types() {
    told(
        r#"if score_of(turn.player) == "3" { note("a"); }
if score_of(turn.player) < "3" { note("b"); }
for way in features("way") { if way.kind == ["way"] { note("c"); } }
if n_tokens(turn.player, "coin") - 1 == "1" { note("d"); }
if score_of(turn.player) == 3 && tile_at(spot(0, 0)) != () && turn.player.name < "red" { note("e"); }"#,
        &expect![[r#"
            1:26: warning: a number is never equal to a text
            2:26: warning: `<` is never true for a number and a text
            3:42: warning: a text is never equal to a list
            4:38: warning: a number is never equal to a text
        "#]],
    );
    clean("fn setup() { if score_of(1) == \"3\" { note(\"x\"); } }\nfn score_of(n) { `${n}` }");
    clean("fn setup() { let score_of = |it| it.name; if score_of(turn.player) == \"3\" { note(\"x\"); } }");
}

#[test]
fn changes_of_memory_in_rules() {
    let told = |text: &str| look(text).problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    expect!["mods/probe/rules.rhai:1:35: warning: `filter_places` may only look, so this change of `mem` is lost (change `mem` in an event, in a phase, or in the handler of an option)"].assert_eq(&told("fn filter_places(drawn, places) { mem.game.n = 1; places }"));
    assert_eq!(told("fn tile_placed(tile) { mem.game.n = 1; }"), "");
}

#[test]
fn texts_that_calculate_nothing() {
    told(
        r#"note("${turn.player.name} begins");
note(`${turn.player.name} begins, "${1 + 1}"`);
note("costs $5, ${} or { }");"#,
        &expect![[r#"
            1:6: warning: `${...}` in a text between quotation marks is not calculated
              help: write the text between backticks instead
        "#]],
    );
}

#[test]
fn closures_that_see_something_else() {
    let functions = "fn best() { [1] }\nfn setup() {\n";
    let problems = |body: &str| {
        let text = format!("{functions}{body}\n}}");
        let line = |p: &diagnostic::Diagnostic| {
            format!("{}:{}: {} ({})\n", p.span.line, p.span.column, p.message, p.help.clone().unwrap_or_default())
        };
        look(&text).problems.iter().map(line).collect::<String>()
    };
    expect![[r#"
        3:46: in this closure `best` is the function, not the variable of this name (give the variable another name)
    "#]]
    .assert_eq(&problems("let best = best(); note(`${[1, 2].filter(|a| best.some(|b| b == a))}`);"));
    assert_eq!(problems("let it = best(); note(`${[1, 2].filter(|a| it.some(|b| b == a))}`);"), "");
    assert_eq!(problems("let best = 1; note(`${best}`); [1].map(|best| best + 1);"), "");
    expect![[r#"
        1:4: nothing calls `best` (call it, remove it, or name it after a hook)
        3:43: this closure uses `words` while `retain` runs on it, which fails (copy it first: `let copy = words;`, and use `copy` in the closure)
    "#]].assert_eq(&problems("let words = [1, 2]; words.retain(|w| w != words[0]); note(`${words}`);"));
    assert_eq!(problems("let words = [1]; if words.all(|w| w == words[0]) { best(); }"), "");
    assert_eq!(
        problems("for place in turn.tile.zones { if place.pieces.all(|it| place.has(\"stones\")) { best(); } }"),
        ""
    );
    assert_eq!(problems("let words = [1]; let copy = words; if words.all(|w| w == copy[0]) { best(); }"), "");
    clean("const WORDS = [1, 2];\nfn setup() { if WORDS.all(|w| w in WORDS) { note(\"all\"); } }");
    assert_eq!(problems("if players().all(|p| p == turn.player) { best(); }"), "");
}

#[test]
fn expressions_that_are_nested_too_deeply() {
    let deep = format!("let x = {}1{};", "(1 + ".repeat(70), ")".repeat(70));
    told(
        &deep,
        &expect![[r#"
        1:75: error: this is nested too deeply
          help: store a part in a variable first, `let near = ...;`, or move a part into a function of its own: expressions may be 64 levels deep at the top of a script and 32 in a function, including the closures in them
    "#]],
    );
}
