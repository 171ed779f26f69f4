//! Scripts that do harm, on purpose or not: each ends in a fault with a place, soon, and nothing of it is done.

#![allow(clippy::unwrap_used)]

mod table;

use rules::Hooks;
use std::time::{Duration, Instant};

use table::{failure, host, run};

/// Runs `body` and checks that it fails with `message` at `line`, within seconds.
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
    // The error is swallowed by the sort; the next operation of the function ends.
    stops("let l = [3, 1, 2];\nl.sort(|a, b| { loop { } });\nlet x = 1;", "operations", 4);
    // Even where there is no next operation.
    stops("let l = [3, 1, 2];\nl.sort(|a, b| { loop { } })", "operations", 1);
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
    // The interpreter looks at the size of maps when they are handed on, not at each key: operations or the clock end this.
    let message = failure("let m = #{};\nfor i in 0..100000 { m[`k${i}`] = i; }").message;
    assert!(message.contains(OPERATIONS) || message.contains("ms and was stopped"), "{message}");
    stops("let m = #{};\nfor i in 0..2000 { m[`k${i}`] = i; }\nlet n = [m];", "became", 4);
}

#[test]
fn slow_native_calls() {
    // Few operations, each slow: the clock stops them, or the small sizes make them harmless.
    let begin = Instant::now();
    let slow =
        "let s = \"\"; s.pad(4000, \"a\"); let t = \"\"; t.pad(2000, \"a\"); t += \"b\";\nloop { s.contains(t); }";
    let message = failure(slow).message;
    assert!(message.contains("ms and was stopped") || message.contains("operations"), "{message}");
    let slow = "let a = []; a.pad(8000, 1);\nloop { let b = a; b.push(1); b.pop(); }";
    let message = failure(slow).message;
    assert!(message.contains("ms and was stopped") || message.contains("operations"), "{message}");
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}

#[test]
fn a_swallowed_deadline_still_counts() {
    let slow = "let a = []; a.pad(8000, 1); let l = [1, 2];\nl.sort(|x, y| { loop { let b = a; b.push(1); } })";
    let message = failure(slow).message;
    assert!(message.contains("ms and was stopped") || message.contains("operations"), "{message}");
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
}

#[test]
fn a_stopped_table_plays_on() {
    // What stopped one call must not stop the next.
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
