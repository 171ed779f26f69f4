//! Harmful scripts, malicious or mistaken. Each must end quickly in a fault that has a place and no
//! effect.

#![allow(clippy::unwrap_used)]

mod table;

use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use rules::Hooks;

use table::{failure, host, run};

/// Runs `body` and checks that it fails with `message` at `line`, within ten seconds.
fn stops(body: &str, message: &str, line: u32) {
    let begin = Instant::now();
    let failure = failure(body);
    assert!(failure.message.contains(message), "{body}\n{}", failure.message);
    assert_eq!((failure.line, failure.file.as_str()), (line, table::FILE), "{body}\n{}", failure.message);
    assert!(begin.elapsed() < Duration::from_secs(10), "{body} took {:?}", begin.elapsed());
}

/// Checks that a script is refused before it runs.
fn refused(text: &str, message: &str) {
    let failure = host(text).err().unwrap_or_else(|| panic!("{text} must be refused"));
    assert!(failure.message.contains(message), "{text}\n{}", failure.message);
    assert!(failure.line > 0, "{text}\n{}", failure.message);
}

const OPERATIONS: &str = "500000 operations";

#[test]
fn endless_loops() {
    stops("\nwhile true { }", OPERATIONS, 3);
    stops("\nlet n = 0;\nloop { n += 1; n -= 1; }", OPERATIONS, 4);
}

#[test]
fn endless_loops_in_callbacks() {
    stops("let l = [3, 1, 2];\nl.sort(|a, b| { loop { } });\nlet x = 1;", "operations", 3);
    // The library catches the error, but the next operation of the function ends the function.
    stops("let l = [3, 1, 2];\nl.dedup(|a, b| { loop { } });\nlet x = 1;", "operations", 4);
    // The function fails even if there is no next operation.
    stops("let l = [3, 1, 2];\nl.dedup(|a, b| { loop { } })", "operations", 1);
    stops("loop { try { [1].map(|x| { loop { } }); } catch { } }", "operations", 2);
    stops("for i in 0..1000000 { try { [1].map(|x| { while true { } }); } catch { let y = 1; } }", "operations", 2);
}

#[test]
fn deep_recursion() {
    let deep = |text: &str| table::played(&table::game(text)).unwrap_err();
    let failure = deep("fn setup() { f(1); }\nfn f(n) { f(n + 1) }");
    assert!(failure.message.contains("32 deep"), "{}", failure.message);
    let failure = deep("fn setup() { f(1); }\nfn f(n) { g(n) + 1 }\nfn g(n) { f(n) + 1 }");
    assert!(failure.message.contains("32 deep"), "{}", failure.message);
    let failure = deep("fn setup() { f([1]); }\nfn f(l) { l.map(|x| f([x])) }");
    assert!(failure.message.contains("32 deep"), "{}", failure.message);
    let failure = deep("fn setup() { f(); }\nfn f() { run(\"f\") }");
    assert!(failure.message.contains("32 deep"), "{}", failure.message);
}

#[test]
fn growing_values() {
    stops("let s = \"x\";\nloop { s += s; }", "a text became longer", 3);
    stops("let s = \"x\";\ns.pad(100000000, \"y\");", "a text became longer", 3);
    stops("let a = [1];\nloop { a += a; }", "a list became longer", 3);
    stops("let a = [];\na.pad(100000000, 1);", "a list became longer", 3);
    stops("let a = [];\nloop { a.push(a); }", "a list became longer", 3);
    // The interpreter checks the size of a map when it is passed on, not whenever a key is added.
    // The charge for reading the map ends this script.
    stops("let m = #{};\nfor i in 0..100000 {\nm[`k${i}`] = i; }", OPERATIONS, 4);
    stops("let m = #{};\nfor i in 0..1200 { m[`k${i}`] = i; }\nlet n = [m];", "became", 4);
}

#[test]
fn slow_native_calls() {
    // There are few operations, but each is slow. The charge depends on the size of the operands.
    let text = "let s = \"\"; s.pad(4000, \"a\"); let t = \"\"; t.pad(2000, \"a\"); t += \"b\";";
    stops(&format!("{text}\nloop {{ s.contains(t); }}"), OPERATIONS, 3);
    stops(&format!("{text}\nloop {{ s.split(\"\"); }}"), OPERATIONS, 3);
    let list = "let a = []; a.pad(8000, 1); let b = a;";
    stops(&format!("{list}\nloop {{ let b = a; b.push(1); b.pop(); }}"), OPERATIONS, 3);
    stops(&format!("{list}\nloop {{ a == b; }}"), OPERATIONS, 3);
    stops(&format!("{list}\nloop {{ a.contains(2); }}"), OPERATIONS, 3);
    stops(&format!("{list}\nlet m = #{{}};\nfor i in 0..100000 {{ m[`k${{i}}`] = a; }}"), "a list became longer", 4);
    stops("let zones = tiles()[0].zones;\nloop { pairs(zones); features(\"way\"); }", OPERATIONS, 3);
}

#[test]
fn a_swallowed_limit_still_counts() {
    let slow = "let a = []; a.pad(8000, 1); let l = [1, 2];\nl.dedup(|x, y| { loop { let b = a; b.push(1); } })";
    assert!(failure(slow).message.contains(OPERATIONS));
}

#[test]
fn comparators_that_contradict_themselves() {
    let list = "let l = []; for i in 0..24 { l.push(i * 37 % 101); }\n";
    for by in
        ["a % 7 - b % 5", "if a % 2 == b % 2 { a - b } else { 1 }", "1", "if (a + 1) % 3 == b % 3 { -1 } else { 1 }"]
    {
        let body = format!("{list}l.sort(|a, b| {by});");
        stops(&body, "contradicts itself", 3);
        stops(&body.replace("sort", "order"), "contradicts itself", 3);
    }
    stops(&format!("{list}l.sort(|a, b| \"a\");"), "must return a number, but it returned a text", 3);
    stops(&format!("{list}l.sort(|a, b| throw \"boo\");"), "boo", 3);
}

/// Checks the messages for common mistakes of authors.
#[test]
fn honest_mistakes() {
    let said = |body: &str, expected: Expect| {
        let failure = failure(body);
        expected.assert_eq(&format!("line {}: {}\n", failure.line, failure.message));
    };
    said(
        "let l = [5, 3, 8];\nl.sort(|a, b| if a != b { 1 } else { 0 });",
        expect![[r#"
        line 3: the function given to `sort` contradicts itself: it says that 8 comes after 3, and that 3 comes after 8; for |a, b| return a number below 0 if `a` comes first, above 0 if `b` comes first, and 0 if the order does not matter, such as `a - b`
    "#]],
    );
    said(
        "let l = players().map(|p| p);\nl.sort(|a, b| 1);",
        expect![[r#"
        line 3: the function given to `sort` contradicts itself: it says that one item comes after another, and that another comes after one item; for |a, b| return a number below 0 if `a` comes first, above 0 if `b` comes first, and 0 if the order does not matter, such as `a - b`
    "#]],
    );
    said(
        "let l = [1, 2];\nl.sort(|a, b| #{ a: a, b: b });",
        expect![[r#"
        line 3: the function given to `sort` must return a number, but it returned a map; for |a, b| return a number below 0 if `a` comes first, above 0 if `b` comes first, and 0 if the order does not matter, such as `a - b`
    "#]],
    );
    said(
        "let l = [1];\nfor i in 0..100 {\nl = [l, 2]; }",
        expect![[r#"
        line 4: lists, maps and functions are nested more than 16 deep here; check that none is put into itself, and write a closure that calls itself as an `fn`
    "#]],
    );
    said(
        "let f = ();\nf = |n| if n == 0 { 0 } else { f.call(n - 1) };\nnote(`${f.call(3)}`);",
        expect![[r#"
        line 4: lists, maps and functions are nested more than 16 deep here; check that none is put into itself, and write a closure that calls itself as an `fn`
    "#]],
    );
    said(
        "let l = [1];\nloop { l.push(l); }",
        expect![[r#"
        line 3: a list became longer than 8192 items (items of nested lists count; all lists in a map or in `mem` count as one list)
    "#]],
    );
    said(
        "let n = 0;\nwhile n < 10 { n = n - 1; }",
        expect![[r#"
        line 3: this ran for more than 500000 operations; check that each loop ends
    "#]],
    );
    said(
        "for i in 0..2000 {\nnote(`${i}: the dragon sleeps, and the knights go home to count how many fields they have burnt`);\nnote(\"x\");\nscore(players()[0], 1, \"for patience, which is a virtue in knights and in those who wait for the dragon to wake up again\");\nscore(players()[0], 1, \"again for patience, which is a virtue in knights and in those who wait for the dragon to wake up\");\nlet z = 1; }",
        expect![[r#"
            line 3: one call may add at most 1 MB to the game (notes, points, pieces, cards and so on), and this is more; check that each loop ends
        "#]],
    );
    said(
        "let t = tiles();\nfor i in 0..100 {\nfor n in 0..100000 { let x = n; } }",
        expect![[r#"
        line 4: this ran for more than 500000 operations; check that each loop ends
    "#]],
    );
    said(
        "for k in 0..100 { let a = []; a.pad(4000, k); mem.game[`k${k}`] = a; }",
        expect![[r#"
        line 2: a list became longer than 8192 items (items of nested lists count; all lists in a map or in `mem` count as one list)
    "#]],
    );
}

#[test]
fn sorting() {
    let sorted = |by: &str| run(&format!("let l = [5, 3, 11, 3, 8, 1]; l.sort(|a, b| {by}); note(`${{l}}`);")).unwrap();
    for by in
        ["a - b", "a < b", "a <= b", "if a > b { 1 } else { -1 }", "if a < b { -1 } else if a == b { 0 } else { 1 }"]
    {
        assert_eq!(sorted(by), ["[1, 3, 3, 5, 8, 11]"], "{by}");
    }
    // Equal items keep their order.
    assert_eq!(sorted("a % 2 - b % 2"), ["[8, 5, 3, 11, 3, 1]"]);
    assert_eq!(sorted("0"), ["[5, 3, 11, 3, 8, 1]"]);
    assert_eq!(
        run("let l = []; l.sort(|a, b| 1); let m = [1]; m.sort(|a, b| 1); note(`${l} ${m}`);").unwrap(),
        ["[] [1]"]
    );
}

#[test]
fn what_is_nested_too_deeply() {
    let deep = "nested more than 16 deep";
    stops("let a = [];\nfor i in 0..1800 {\na = [a]; }\nprint(a);", deep, 4);
    stops("let a = 1;\nfor i in 0..1800 {\na = #{ a: a, b: 1 }; }", deep, 4);
    stops("let m = #{};\nloop {\nm.inner = m; }", deep, 4);
    stops("let m = #{}; let n = [1];\nloop {\nm.inner = n; n[0] = m; }", deep, 4);
    stops("let a = []; let b = [];\nfor i in 0..2000 { a = [a];\nb = [b]; }\nif a == b { }", deep, 3);
    stops("let f = |x| x;\nfor i in 0..100000 { let g = f;\nf = |x| g.call(x); }", deep, 3);
    stops("let f = |x| x;\nloop {\nf = f.curry(f); }", deep, 4);
    stops("mem.game.a = 1;\nloop {\nmem.game.a = [mem.game.a]; }", deep, 4);
    // The last step of an event is checked when `mem` is stored, not during the run.
    stops("let a = 1; for i in 0..14 { a = [a]; }\nmem.game.a = [[[a]]];", deep, 1);
    // A variable contains itself through a closure.
    stops("let a = [];\nlet f = || a;\na.push(f);\nprint(a);", "in use by `push`, and a closure that is running", 4);
    stops("let f = ();\nlet g = || f;\nf = #{ g: g };\nlet h = `${f}`;", deep, 5);
    stops(
        "let o = option(\"x\");\nloop {\no = option(\"x\", (), [o]); }",
        "an option cannot contain another option",
        4,
    );
    for body in [
        "this = [this];",
        "this = #{ a: this };",
        "this.set(0, this + []);",
        "push(this, this);",
        "this = Fn(\"f\").curry(this);",
    ] {
        refused(
            &format!("fn setup() {{ let a = [1]; a.grow(); }}\nfn grow() {{ {body} }}"),
            "`this` cannot be put into",
        );
    }
    // Sixteen levels are allowed.
    assert_eq!(run("let a = 1; for i in 0..15 { a = [a]; } note(`${a == [1]}`);").unwrap(), ["false"]);
}

/// Runs functions and expressions that are nested as deeply as the limits permit, also in functions
/// of mods that query each other. Runs them on the small stack of a test thread, and on a stack
/// that is just large enough to start a call.
#[test]
fn the_stack_is_always_large_enough() {
    go_deep();
    std::thread::Builder::new().stack_size((4 << 20) + (256 << 10)).spawn(go_deep).unwrap().join().unwrap();
}

fn go_deep() {
    // Expressions are as deep as the compiler permits.
    let deepest = |function: &dyn Fn(usize) -> String| {
        let texts = (1..64).rev().map(function);
        texts.into_iter().find(|text| host(&format!("fn setup() {{ }}\n{text}")).is_ok()).unwrap()
    };
    let deep = deepest(&|n| {
        let (open, close) = ("(1 + ".repeat(n), ")".repeat(n));
        format!("fn deep(n) {{ if n == 0 {{ return 0; }} {open}deep(n - 1){close} }}")
    });
    let listed = deepest(&|n| {
        let (open, close) = ("[".repeat(n), "]".repeat(n));
        format!("fn listed(n) {{ if n == 0 {{ return 0; }} {open}listed(n - 1){close} }}")
    });
    assert!(deep.len() > 80 && listed.len() > 50, "{deep} {listed}");
    let game = table::game(&format!("fn setup() {{ note(`${{deep(29)}}`); }}\n{deep}"));
    assert_eq!(table::played(&game).unwrap().len(), 1);
    let failure =
        table::played(&table::game(&format!("fn setup() {{ let l = listed(29); print(l); }}\n{listed}"))).unwrap_err();
    assert!(failure.message.contains("nested more than 16 deep"), "{}", failure.message);
    // The depth of a value is checked only when a variable with this value is read. This script
    // puts the list into no variable.
    let noted = table::played(&table::game(&format!("fn setup() {{ print(listed(29)); note(\"on\"); }}\n{listed}")));
    assert!(noted.is_ok() || noted.is_err_and(|failure| failure.line > 0));
    let asking = "fn setup() { let z = tile_at(spot(0, 0)).zones[0]; place_piece(\"runner\", players()[0], z); note(`${z.feature.value_at_end()}`); }\n\
                  fn score_value(feature, score) { let x = deep(29); }\nfn strength(piece, feature) { deep(29) * 0 }";
    let game = table::game(&format!("{asking}\n{deep}"));
    assert_eq!(table::played(&game).unwrap().len(), 1);
}

#[test]
fn what_comes_into_the_game() {
    let text = "let s = \"\"; s.pad(900, \"a\");";
    stops(&format!("{text}\nloop {{ note(s); }}"), "one call may add at most 1 MB", 3);
    stops(&format!("{text}\nloop {{ score(players()[0], 1, s); }}"), "one call may add at most 1 MB", 3);
    stops("let s = \"\"; s.pad(1001, \"a\");\nnote(s);", "may have at most 1000 bytes", 3);
    stops("loop { give_tile(players()[0], tile_type(\"S\")); }", "one call may add at most 1 MB", 2);
    stops(
        "let l = []; l.pad(8000, tile_type(\"S\"));\nloop { put_under(\"land\", l); }",
        "a deck may have at most 65535 items",
        3,
    );
    stops("for i in 0..100 {\nextra_part(\"more\"); }", "there is no turn yet", 3);
    stops("let l = []; l.pad(8000, \"a\"); for i in 0..8000 { l[i] = `${i}`; }", "longer than 4096", 2);
}

/// The limit of stored data applies to all calls together, so that a mod cannot fill the memory
/// turn by turn.
#[test]
fn what_is_remembered_grows_no_further() {
    stops("for k in 0..100 {\nlet a = []; a.pad(4000, k); mem.game[`k${k}`] = a; }", "or in `mem`", 3);
    stops("let a = []; a.pad(8000, 1); mem.game.a = a;\nfor i in 0..1000 { mem.game.a.push(1); }", "or in `mem`", 3);
    let text = "fn phase_a() { let a = []; a.pad(4500, 1); mem.game[`k${turn.number}`] = a; }";
    let failure = turns(text, 80).unwrap_err();
    assert!(failure.message.contains("`mem` is too large"), "{}", failure.message);
    assert_eq!(failure.line, 1);
}

/// Plays a game for up to `n` answers. Returns the notes, or the failure.
fn turns(text: &str, n: usize) -> Result<Vec<String>, rules::Failure> {
    let mut game = table::game_run(text, true);
    let mut dealer = rules::Dealer::new(3);
    for _ in 0..n {
        game.deal(&mut dealer);
        let rules::Status::Decision(_) = game.status() else { break };
        game.answer_nth(0);
    }
    table::played(&game)
}

#[test]
fn results_are_measured_before_they_are_made() {
    stops("let l = []; l.pad(2000, 1);\npairs(l);", "too many for a list", 3);
    stops("let l = [];\nl.pad(5000, [1, 2]);", "a list became longer", 3);
    stops(
        "let w = []; for i in 0..300 { w.push(`w${i}`); }\nask(players()[0], \"?\", w, #{ word: w });",
        "90000 options are too many",
        3,
    );
    let long = "let s = \"\"; s.pad(300, \"a\");\nask(players()[0], \"?\", [s]);";
    stops(long, "too long for an option's text", 3);
    stops("let l = []; l.pad(200, 1);\nask(players()[0], \"?\", [option(\"a\", l)]);", "at most 100 things", 3);
    refused(&format!("fn setup() {{ let l = [{}]; }}", "1, ".repeat(1000)), "too large for a function");
    assert!(host(&format!("const L = [{}]; fn setup() {{ note(`${{L.len}}`); }}", "1, ".repeat(1000))).is_ok());
}

/// All calls that a function of a mod causes share one budget, and all calls after one answer share
/// another.
#[test]
fn one_answer_has_a_limit_too() {
    let text = "fn setup() { for i in 0..250 { give_tile(players()[0], tile_type(\"S\")); place_piece(\"runner\", players()[0], \
                tile_at(spot(0, 0)).zones[0]); return_piece(all_pieces(\"runner\")[0], \"x\"); } }\n\
                fn piece_returned(it) { let m = #{ n: 0 }; while m.n < 20000 { m.n += 1; } }";
    let failure = table::played(&table::game_run(text, false)).unwrap_err();
    assert!(failure.message.contains("all calls after one decision"), "{}", failure.message);
    assert_eq!(failure.line, 2);
}

#[test]
fn too_much_code() {
    let variables: String = (0..300).map(|i| format!("let v{i} = {i};\n")).collect();
    stops(&variables, "too many variables", 258);
    let functions: String = (0..300).map(|i| format!("fn f{i}() {{ }}\n")).collect();
    refused(&functions, "too many functions");
    refused(&format!("fn setup() {{ let x = {}1{}; }}", "(".repeat(200), ")".repeat(200)), "nested too deeply");
    refused(&format!("fn setup() {{ let x = \"{}\"; }}", "x".repeat(10_000)), "too large");
}

#[test]
fn nothing_outside() {
    refused("fn setup() { eval(\"1\"); }", "`eval` is not available");
    refused("import \"/etc/passwd\" as p;\nfn setup() { }", "cannot import");
    refused("fn setup() { import \"x\" as p; }", "cannot import");
    stops("sleep(1);", "no function `sleep`", 2);
    stops("timestamp();", "no function `timestamp`", 2);
    stops("exit();", "no function `exit`", 2);
    stops("open(\"/etc/passwd\");", "no function `open`", 2);
    stops("parse_json(\"1\");", "no function `parse_json`", 2);
    let (_, host) = host("fn setup() { print(\"a\"); debug(1); }").unwrap();
    assert!(host.take_lines().is_empty());
}

#[test]
fn arithmetic() {
    stops("let n = 9223372036854775807;\nn += players().len;", "too large for a number", 3);
    stops("let n = players().len - 2;\nlet x = 1 / n;", "division by zero", 3);
    stops("let n = players().len - 2;\nlet x = 1 % n;", "division by zero", 3);
    refused("fn setup() { let x = 1.5; }", "no fractions");
    refused("fn setup() { let x = 1; if x = 2 { } }", "`=` sets a variable; write `==` to compare");
}

#[test]
fn a_stopped_table_plays_on() {
    // The limit of one call does not affect the next.
    assert!(run("loop { }").is_err());
    assert_eq!(run("note(\"on\");").unwrap(), ["on"]);
    let text = "fn phase_a() { mem.game.n = if mem.game.n == () { 1 } else { mem.game.n + 1 }; for i in 0..20000 { } note(\"x\"); }";
    let mut game = table::game(text);
    let mut dealer = rules::Dealer::new(3);
    for _ in 0..4 {
        game.deal(&mut dealer);
        game.answer_nth(0);
        if matches!(game.status(), rules::Status::Decision(d) if d.question == rules::Question::Deploy) {
            game.answer_text("pass").unwrap();
        }
    }
    assert!(table::played(&game).unwrap().len() >= 3);
}
