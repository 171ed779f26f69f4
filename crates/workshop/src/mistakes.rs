//! What authors are told who make the usual mistakes: each message names the file and the line, what is wrong and what to write.

use std::fmt::Write as _;

use expect_test::expect;
use loader::Library;
use rules::Setup;
use testkit::CopiedMod;

/// What is told where this is changed in the base game: what the check finds, else what goes wrong while it is played.
fn told(change: impl Fn(&CopiedMod)) -> String {
    let base = CopiedMod::of("base");
    change(&base);
    let library = Library::open(&[base.library().to_owned()]);
    let mut told = library.load(&["base"]).1.to_string();
    if told.is_empty() {
        told = at_run_time(&library);
    }
    let folder = table::shown_path(base.library());
    told.lines().map(|line| format!("    {}\n", line.replace(&format!("{folder}/"), ""))).collect()
}

fn at_run_time(library: &Library) -> String {
    let mut setup = Setup { seed: Some(3), ..Setup::of(&["base"], 2) };
    setup.bots = setup.players.iter().map(|player| (player.clone(), "random".to_owned())).collect();
    let mut session = table::begin_setup(library, setup).unwrap();
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

/// What is told where these functions are added to the script, from line 2 on.
fn script(text: &str) -> String {
    told(|base| base.write("rules.rhai", &format!("//! Rules.\n{text}\n")))
}

#[test]
fn the_usual_mistakes_are_told_with_what_to_write() {
    let with_manifest = |from: &'static str, to: &'static str| told(move |base| base.edit("mod.toml", from, to));
    let with_tiles = |text: &'static str| {
        told(move |base| base.write("tiles.toml", &format!("{}\n{text}\n", base.read("tiles.toml"))))
    };
    let mistakes = [
        ("misspelt hook", script("fn score_valu(feature, score) { score.plus(1, \"x\"); }")),
        ("wrong number of parameters", script("fn score_value(feature) { }")),
        (
            "misspelt tag",
            script("fn score_value(feature, score) { if feature.has(\"sheild\") { score.plus(1, \"x\"); } }"),
        ),
        (
            "missing return",
            script("fn score_value(feature, score) {}\nfn is_complete(feature) { feature.n_tiles > 1; }"),
        ),
        (
            "question in a rule",
            script(
                "fn score_value(feature, score) {}\nfn is_complete(feature) { ask(turn.player, \"Is it?\", [true, false]) }",
            ),
        ),
        ("tile edge gap", with_tiles("gap = { road = { at = [\"n1\", \"s\"] } }")),
        ("duplicate id", with_tiles("A = { cloister = {} }")),
        (
            "circular requirement",
            told(|base| {
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
        ("endless loop", script("fn score_value(feature, score) {\n    let n = 1;\n    while n > 0 { n += 1; }\n}")),
        (
            "division by zero",
            script(
                "fn score_value(feature, score) {\n    score.plus(10 / (feature.n_tiles - feature.n_tiles), \"x\");\n}",
            ),
        ),
    ];
    let all: String = mistakes.iter().map(|(name, told)| format!("{name}\n{told}")).collect();
    expect![[""]].assert_eq(&all);
}
