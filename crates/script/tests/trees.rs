//! Scripts whose results could differ between trees and the interpreter. `table::game` runs each in
//! both ways and compares the results.

#![allow(clippy::unwrap_used)]

mod table;

use rules::FnIdx;
use table::{game, game_run, played, run};

/// Runs `body` as `setup`, beside `functions`, as a tree and in the interpreter. Checks that its
/// notes are `expected`, which is empty if `body` fails.
fn both(body: &str, functions: &str, expected: &str) {
    let noted = played(&game(&format!("fn setup() {{\n{body}\n}}\n{functions}")));
    let noted = noted.map_or(String::new(), |notes| notes.join(" "));
    assert_eq!(noted, expected, "{body}\n{functions}");
}

#[test]
fn pointers_to_functions() {
    both("let l = [[[1]]]; note(`${l.some(Fn(\"deep\"))}`);", "fn deep(x) { x.some(Fn(\"deep\")) }", "");
    both("let test = |x| x > 1; note(`${[1, 2, 3].filter(test).len}`);", "", "2");
}

/// A closure may use the variable at the start of its chain. The chain then runs on a copy.
#[test]
fn closures_that_use_the_start_of_their_chain() {
    both("let l = [3, 1, 3]; note(`${l.filter(|n| n == l[0]).len}`);", "", "2");
    both("let l = [3, 1, 3]; note(`${l.all(|n| l.some(|m| m == n && l.len() == 3))}`);", "", "true");
    both("let m = [#{ l: [1, 2] }, 2]; note(`${m[0].l.filter(|n| n == m[1]).len}`);", "", "1");
    both("let m = #{ l: [1, 2], n: 2 }; note(`${m.l.find(|n| n == m.n)} ${m.l.index_of(|n| n == m.n)}`);", "", "2 1");
    both("mem.game.l = [1, 2]; mem.game.n = 2; note(`${mem.game.l.filter(|n| n == mem.game.n)}`);", "", "[2]");
    both("note(`${players().filter(|p| p == turn.player && turn.player.name == \"red\").len}`);", "", "1");
    both("note(`${f(players())}`);", "fn f(l) { [1].map(|n| l.filter(|p| p == l[n]).len) }", "[1]");
    both("note(`${f([1, 2])}`);", "fn f(l) { let g = |x| l.filter(|n| n == l[x]); g.call(1) }", "[2]");
    both("let l = [1]; if l.some(|n| n == l[0]) { l.push(2); } note(`${l}`);", "", "[1, 2]");
    both("let l = [[1], 0]; l[l.index_of(|n| n == l[1])] = 5; note(`${l}`);", "", "[[1], 5]");
    both("const N = [1, 2]; note(`${N.filter(|n| n == N[1])}`);", "", "[2]");
    both("note(`${ALL.filter(|n| n == ALL[1])}`);", "const ALL = [1, 2];", "[2]");
    // In a closure, the name of a constant means the constant.
    both("note(`${f([5, 2])}`);", "const ALL = [1, 2];\nfn f(ALL) { ALL.filter(|n| n == ALL[1]) }", "[2]");
}

#[test]
fn values_of_statements() {
    both("let got = pay(players()[0]); note(`${got == ()}`);", "fn pay(p) { give(p, \"coin\", 1); return; }", "true");
    both("note(`${f(3)} ${f(0)}`);", "fn f(n) { if n > 1 { n } else { 7 } }", "3 7");
    both("note(`${f(3) == ()}`);", "fn f(n) { for i in 0..n { i } }", "true");
    both("note(`${f(3) == ()}`);", "fn f(n) { let x = n; }", "true");
    both("note(`${f(4)}`);", "fn f(n) { for i in 0..n { if i == 2 { return i * 10; } } 1 }", "20");
}

#[test]
fn printing() {
    both("let x = print(turn.player); note(`${x == ()}`);", "", "true");
}

#[test]
fn closures() {
    both("let l = [1, 2]; note(`${l.filter(|x| l.len > x).len}`);", "", "1");
    both("let n = 1; note(`${[1, 2].filter(|x| x > n).len}`);", "", "1");
    both("let turn = 3; note(`${[1, 3].filter(|x| x == turn).len}`);", "", "0");
    both("let NAMES = [\"b\"]; note([\"a\", \"b\"].filter(|x| NAMES.contains(x))[0]);", "const NAMES = [\"a\"];", "a");
    both("let n = 1; let l = [1, 2].map(|x| x + n); n = 5; note(`${l[0]} ${l[1]}`);", "", "2 3");
    both(
        "mem.game.l = [1, 2]; mem.game.seen = 1; note(`${mem.game.l.filter(|x| known(x)).len}`);",
        "fn known(x) { mem.game.seen == x }",
        "",
    );
}

#[test]
fn constants() {
    both("const l = [1]; l.push(2); note(`${l.len}`);", "", "");
    both("const n = 2; note(`${n + 1}`);", "", "3");
    both("let l = LIST; l.push(3); note(`${l.len} ${LIST.len}`);", "const LIST = [1, 2];", "3 2");
}

#[test]
fn sizes() {
    both("let n = 500; let l = []; for i in 0..n { l.push(\"0123456789\"); } note(`${l.len}`);", "", "");
    both("let n = 80; let l = []; for i in 0..n { l.push(i); } note(`${pairs(l).len}`);", "", "");
    both("let n = 50; let l = []; for i in 0..n { l.push(i); } note(`${l.len}`);", "", "50");
    both("let l = [1]; for i in 0..40 { l = [l, l]; } note(\"x\");", "", "");
    both("let t = \"x\"; for i in 0..40 { t += t; } note(\"x\");", "", "");
}

/// A text and another value joined by `+` need no interpreter.
#[test]
fn joined_texts() {
    let spot = "let s = spot(1, 2); note(\"a \" + s + \" \" + 3 + true + \".\");";
    both(spot, "", "a 1,2 3true.");
    both("let n = 2; note(n + \"a\" + (n + 1));", "", "2a3");
    both("let t = \"x\"; t += 5; t += \"y\"; note(t);", "", "x5y");
    both("let m = #{ t: \"x\" }; m.t += 5; note(m.t);", "", "x5");
    both("let t = \"x\"; for i in 0..5000 { t += 123456789; } note(`${t.len}`);", "", "");
    both("note(\"x\" - 1);", "", "");
    both("note(\"x\" + ());", "", "x");
}

#[test]
fn names_of_the_script_come_first() {
    both("note(`${contains([1], 1)} ${1 in [1]}`);", "fn contains(list, x) { false }", "false false");
    both("note(`${max(1, 2)}`);", "fn max(a, b) { 9 }", "9");
    both("note(`${worth(2)}`);", "fn Player.worth(n) { n * 100 }", "");
}

#[test]
fn depth_and_length() {
    let f = "fn f(l, n) { if n == 0 { return 0; } l.map(|x| f([x], n - 1))[0] + 1 }";
    both("note(`${f([0], 12)}`);", f, "");
    both("note(`${f([0], 3)}`);", f, "3");
    both("note(`${f(20)} ${f(12)}`);", "fn f(n) { if n == 0 { 0 } else { 1 + f(n - 1) } }", "20 12");
    both("let n = 200000; let s = 0; for i in 0..n { s += i; } note(`${s}`);", "", "");
    both("let n = 2000; let s = 0; for i in 0..n { s += i; } note(`${s}`);", "", "1999000");
}

#[test]
fn order() {
    both("let l = [1]; note(`${n(l, l.push(2))}`);", "fn n(l, x) { l.len }", "2");
    both("note(`${mark() in mem.turn}`);", "fn mark() { mem.turn.a = 1; \"a\" }", "false");
    both("let n = 0; while true { n += 1; if n < 3 { continue; } break; } note(`${n}`);", "", "3");
}

#[test]
fn memory() {
    both(
        "mem.game.n = 1; mem.game[\"m\"] = mem.game.n + 1; note(`${mem.game.m} ${\"n\" in mem.game} ${\"x\" in mem.game}`);",
        "",
        "2 true false",
    );
    both("mem.game.n = 1; mem.game.n = (); note(`${\"n\" in mem.game}`);", "", "true");
    both("note(`${mem.game.nothing == ()}`);", "", "true");
    both("mem.game.l = [1]; mem.game.l.push(2); note(`${mem.game.l.len}`);", "", "2");
    both("set(); note(`${mem.turn.x}`);", "fn set() { mem.turn.x = 4; }", "4");
}

#[test]
fn values() {
    both("let a = [1, [2]]; let b = a; b[1].push(3); note(`${a[1].len} ${b[1].len}`);", "", "1 2");
    both("let a = [1, 2]; for x in a { a.push(x); } note(`${a.len}`);", "", "4");
    both("let x = 1; if true { let x = 2; } note(`${x}`);", "", "1");
    both("let x = 2; let m = #{ a: 1, b: x, c: #{ d: x + 1 } }; note(`${m.a} ${m.b} ${m.c.d}`);", "", "1 2 3");
    both("let m = #{ a: 1 }; note(`${m.a} ${m.b == ()} ${m[\"a\"]} ${\"a\" in m}`);", "", "1 true 1 true");
    both(
        "let m = #{ a: turn.number }; note(`${m.len()} ${m.is_empty()} ${m.len == ()} ${[].is_empty()}`);",
        "",
        "1 false true true",
    );
    both("note(`${7 / -2} ${-7 % 3} ${[1, 2][-1]}`);", "", "-3 -1 2");
    both(
        "note(`${1 == \"1\"} ${() == 0} ${\"a\" < \"b\"} ${turn.player == players()[0]}`);",
        "",
        "false false true true",
    );
    both("note(`${\"b\" in \"abc\"}`);", "", "true");
    both("let x = 1; if x { note(\"x\"); }", "", "");
    both("for i in 0..=2 { note(`${i}`); }", "", "0 1 2");
    both("for i in 3..1 { note(`${i}`); } note(\"end\");", "", "end");
    both("note(`${if turn.player.number == 0 { \"first\" } else { \"other\" }}`);", "", "first");
    assert_eq!(run("note(`${\"é\".len}`);").unwrap(), ["1"]);
}

/// When a function runs again after a question, it starts from the state before its changes.
/// Therefore a result that it computed before a change and the question is the same again.
#[test]
fn what_was_found_before_a_question_is_found_again() {
    let relinked = "let t = tile_at(spot(0, 0)); let z = t.zones; let a = z[1].feature; let b = z[2].feature;";
    let asked = "relink(t, [[z[1], z[2]]]); let c = ask(players()[0], \"?\", [\"x\", \"y\"]);";
    for (found, noted) in
        [("a == b", "false"), ("a in [b]", "false"), ("`${a}`", "0,0 green@n2"), ("`${b}`", "0,0 green@n1")]
    {
        let body = format!("{relinked} let found = {found}; {asked} note(`${{found}}`);");
        assert_eq!(answered(&body, &["x"]), noted, "{found}");
    }
    let skipped = "if a != b { give(players()[0], \"coin\", 1); }";
    let given = "give(players()[1], \"coin\", 2); note(`${c} ${n_tokens(players()[0], \"coin\")}`);";
    assert_eq!(answered(&format!("{relinked} {skipped} {asked} {given}"), &["x"]), "x 1");
    let moved = "let p = place_piece(\"ghost\", nobody, spot(0, 0)); let was = `${p}`; move_piece(p, spot(1, 1));";
    assert_eq!(
        answered(&format!("{moved} ask(players()[0], \"?\", [\"x\", \"y\"]); note(was);"), &["y"]),
        "ghost on 0,0"
    );
}

/// Runs `body` as the function `setup`, as a tree and in the interpreter, and answers its questions
/// with `answers`. Checks that both games are equal, and returns the notes.
fn answered(body: &str, answers: &[&str]) -> String {
    let text = format!("fn setup() {{ {body} }}");
    let [tree, interpreted] = [true, false].map(|uses_trees| {
        let mut game = game_run(&text, uses_trees);
        for answer in answers {
            game.answer_text(answer).unwrap();
        }
        game
    });
    assert!(tree.state() == interpreted.state(), "{text}");
    played(&tree).unwrap().join(" ")
}

/// Everything that a call causes shares one budget. A nested function cannot start a new budget.
#[test]
fn a_limit_holds_however_deep_functions_are_nested() {
    let setup = "fn setup() { place_piece(\"runner\", players()[0], tile_at(spot(0, 0)).zones[0]); let s = 0; let n = 4000;\n\
                 let z = tile_at(spot(0, 0)).zones[0]; for i in 0..n { s += z.feature.winners.len; } note(`${s}`); }";
    let strength = "fn strength(piece, feature) { let s = 0; let m = 4000; for i in 0..m { s += i; } 0 }";
    let failure = played(&game(&format!("{setup}\n{strength}"))).unwrap_err();
    assert!(failure.message.contains("operations"), "{}", failure.message);
    let long =
        "let l = []; let n = 400; for i in 0..n { l.push(i); } let m = 6000; for i in 0..m { let f = l.contains(-1); }";
    both(long, "", "");
}

/// The engine makes the test in the first line of a phase itself, if the function would return.
#[test]
fn first_lines_that_return() {
    let returns = |setup: &str, first_line: &str| {
        let text = format!("fn setup() {{ {setup} }}\nfn phase_look() {{ {first_line}\nnote(\"looked\"); }}");
        let returns = |uses_trees| {
            let game = game_run(&text, uses_trees);
            let rules = game.rules();
            let number = rules.catalogue().functions.iter().position(|it| it.name == "phase_look").unwrap();
            rules.hooks.returns_at_once(FnIdx(number as u16), game.state())
        };
        assert!(!returns(false), "the interpreter always runs the function");
        returns(true)
    };
    let is_due = "if !mem.game.get(\"is_due\", false) { return; }";
    assert!(returns("", is_due));
    assert!(returns("mem.game.is_due = false;", is_due));
    assert!(returns("mem.turn.is_due = true;", is_due));
    assert!(!returns("mem.game.is_due = true;", is_due));
    // The call fails, and the interpreter says why.
    assert!(!returns("mem.game.is_due = 3;", is_due));
    let is_known = "if !(\"left\" in mem.game) { return; }";
    assert!(returns("", is_known));
    assert!(!returns("mem.game.left = [];", is_known));
    let is_empty = "if mem.game.get(\"left\", []).is_empty() { return; }";
    assert!(returns("", is_empty));
    assert!(returns("mem.game.left = [];", is_empty));
    assert!(!returns("mem.game.left = [1];", is_empty));
    assert!(!returns("mem.game.left = #{};", is_empty));
    for other in [
        "if mem.game.get(\"is_due\", true) { return; }",
        "if !mem.game.get(\"is_due\", false) { note(\"no\"); return; }",
        "if !mem.game.get(\"is_due\", false) { return; } else { note(\"yes\"); }",
        "if !mem.game.get(\"is_due\", true) { return; }",
        "let n = 1; if !mem.game.get(\"is_due\", false) { return; }",
    ] {
        assert!(!returns("", other), "{other}");
    }
}
