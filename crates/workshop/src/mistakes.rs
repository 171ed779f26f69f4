//! Tests of the messages for common mistakes of authors. Each message names the file, the line, the
//! mistake and the remedy.

use std::fmt::Write as _;

use expect_test::expect;
use loader::Library;
use rules::Setup;
use testkit::CopiedMod;

/// Applies `change` to a copy of the base game. Returns the message that the author sees: the
/// problems when the game is loaded or, if there are none, the failure during play.
fn message_for(change: impl Fn(&CopiedMod)) -> String {
    let base = CopiedMod::of("base");
    change(&base);
    let library = Library::open(&[base.library().to_owned()]);
    let mut told = library.load(&["base"]).1.to_string();
    if told.is_empty() {
        told = run_time_message(&library);
    }
    let folder = table::shown_path(base.library());
    told.lines().map(|line| format!("    {}\n", line.replace(&format!("{folder}/"), ""))).collect()
}

fn run_time_message(library: &Library) -> String {
    let mut setup = Setup { seed: Some(3), ..Setup::of(&["base"], 2) };
    setup.bots = setup.players.iter().map(|player| (player.clone(), "random".to_owned())).collect();
    let mut session = table::begin_game(library, setup).unwrap();
    for _ in 0..400 {
        session.deal();
        if !session.advance() {
            break;
        }
    }
    let mut told = String::new();
    for problem in session.snapshot().run_time_problems() {
        let _ = writeln!(told, "{}", problem.diagnostic);
    }
    told
}

/// Returns the message for a script with the functions in `text`, which begins at line 2.
fn script_message(text: &str) -> String {
    message_for(|base| base.write("rules.rhai", &format!("//! Rules.\n{text}\n")))
}

#[test]
fn the_usual_mistakes_are_told_with_what_to_write() {
    let with_manifest = |from: &'static str, to: &'static str| message_for(move |base| base.edit("mod.toml", from, to));
    let with_tiles = |text: &'static str| {
        message_for(move |base| base.write("tiles.toml", &format!("{}\n{text}\n", base.read("tiles.toml"))))
    };
    let mistakes = [
        ("misspelt hook", script_message("fn score_valu(feature, score) { score.plus(1, \"x\"); }")),
        ("wrong number of parameters", script_message("fn score_value(feature) { }")),
        (
            "misspelt tag",
            script_message("fn score_value(feature, score) { if feature.has(\"sheild\") { score.plus(1, \"x\"); } }"),
        ),
        (
            "missing return",
            script_message(
                "fn score_value(feature, score) {}\nfn strength(piece, feature) {\n    let more = feature.count(\"shield\");\n}",
            ),
        ),
        (
            "question in a rule",
            script_message(
                "fn score_value(feature, score) {}\nfn is_complete(feature) { ask(turn.player, \"Is it?\", [true, false]) }",
            ),
        ),
        ("tile edge gap", with_tiles("gap = { city = \"n1\" }")),
        ("duplicate id", with_tiles("A = { cloister = {} }")),
        (
            "circular requirement",
            message_for(|base| {
                base.edit("mod.toml", "game = true", "game = true\nrequires = [\"inns\"]");
                std::fs::create_dir(base.library().join("inns")).unwrap();
                std::fs::write(
                    base.library().join("inns/mod.toml"),
                    "[mod]\nid = \"inns\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n",
                )
                .unwrap();
            }),
        ),
        ("wrong type", with_manifest("per_player = 7 ", "per_player = \"7\" ")),
        ("unknown kind", with_manifest("lies_on = [\"field\"]", "lies_on = [\"feild\"]")),
        (
            "endless loop",
            script_message(
                "fn score_value(feature, score) {}\nfn strength(piece, feature) {\n    let n = 1;\n    while n > 0 { n += 1; }\n    n\n}",
            ),
        ),
        (
            "division by zero",
            script_message(
                "fn score_value(feature, score) {}\nfn strength(piece, feature) { 10 / (feature.n_tiles - feature.n_tiles) }",
            ),
        ),
    ];
    let all: String = mistakes.iter().map(|(name, told)| format!("{name}\n{told}")).collect();
    expect![[r#"
        misspelt hook
            base/mod.toml:56:7: error: [hook.score_value] needs a function `score_value` in the script (the script has `score_valu`; should it be `score_value`?)
            base/rules.rhai:2:4: error: nothing calls `score_valu` (did you mean the hook `score_value`?)
        wrong number of parameters
            base/rules.rhai:2:4: error: `score_value` must take 2 parameters, but it takes 1 (write `fn score_value(feature, score)`)
        misspelt tag
            base/rules.rhai:2:49: error: no mod declares a tag `sheild` (did you mean `shield`?)
        missing return
            base/rules.rhai:3:4: error: `strength` never returns anything, so it has no effect (make the result its last line, without `let` or `=`, or write `return` before the result)
        question in a rule
            base/rules.rhai:3:27: error: `ask` asks or changes something, and `is_complete` may only look (do it in an event, in a phase, or in the handler of an option)
        tile edge gap
            base/tiles.toml:28:17: error: `city` cannot lie on half an edge (write `n` instead of `n1`)
        duplicate id
            base/tiles.toml:28:1: error: not TOML: duplicate key (the key is already used above: rename or remove one of the two)
        circular requirement
            base/mod.toml:8:14: error: mods require each other in a cycle: base -> inns -> base (remove one of these requirements from `requires` or `optional`)
        wrong type
            base/mod.toml:38:14: error: expected a number, found a text (write it without quotes: `7`)
        unknown kind
            base/mod.toml:40:12: error: unknown kind `feild` (did you mean `field`?)
        endless loop
            base/rules.rhai:5:19: error: this ran for more than 500000 operations; check that each loop ends, in strength of base (make sure that each loop ends, and use lists of features and pieces instead of all spots; the game continues when you save the file)
        division by zero
            base/rules.rhai:3:34: error: division by zero, in strength of base (check the divisor first, as in `if n != 0 { ... }`; the game continues when you save the file)
    "#]].assert_eq(&all);
}
