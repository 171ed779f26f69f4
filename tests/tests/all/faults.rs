//! Mods that fail during a game. The failing call has no effect, the fault names its place, and the
//! game continues after a repair.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use record::{Record, given_lines, record_text, reload, replay, start_game, state_hash};
use rules::{Dealer, Fault, Game, MAX_ASKS, Rules, Setup, Status};
use tests::{load_from, mods_folder, rules};

const MANIFEST: &str = "
[mod]
id = \"hostile\"
version = \"1.0.0\"
title = \"Hostile\"
about = \"Fails in many ways.\"
requires = [\"base\", \"event-order-first\"]
[token.loot]
[piece.ghost]
neutral = 1
goes_home = false
[option.boo]
[[phase]]
id = \"haunt\"
slot = \"placed\"
";

/// The part of the script that every test shares.
const QUIET: &str = "fn phase_haunt() { }\nfn do_boo(choice) { }\n";

struct Haunted {
    folder: tempfile::TempDir,
    setup: Setup,
}

impl Haunted {
    /// Makes a mod with this script, which begins on line 1 of the file.
    fn new(script: &str) -> Haunted {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("hostile");
        fs::create_dir(&own).unwrap();
        fs::write(own.join("mod.toml"), MANIFEST).unwrap();
        let haunted = Haunted { folder, setup: Setup::of(&["hostile"], 2) };
        haunted.write(script);
        haunted
    }

    fn write(&self, script: &str) {
        let quiet: String = QUIET.lines().filter(|l| !script.contains(&l[..10])).map(|l| format!("{l}\n")).collect();
        fs::write(self.folder.path().join("hostile/rules.rhai"), format!("{script}\n{quiet}")).unwrap();
    }

    fn rules(&self) -> Rc<Rules> {
        let small = Path::new(env!("CARGO_MANIFEST_DIR")).join("mods");
        let loaded = load_from(&[mods_folder(), small, self.folder.path().to_owned()], &["hostile"]);
        rules(&loaded, &self.setup)
    }

    fn game(&self) -> Game {
        start_game(self.rules(), self.setup.clone()).unwrap()
    }

    /// Returns the game after these answers, each of which must be offered.
    fn played(&self, answers: &[&str]) -> Game {
        let mut game = self.game();
        for answer in answers {
            game.answer_text(answer).unwrap_or_else(|e| panic!("{e}"));
        }
        game
    }
}

/// Answers after which the engine calls `tile_placed`.
const LAID: [&str; 2] = ["draw base/W", "place -1,0 0"];

fn fault(game: &Game) -> Fault {
    match game.status() {
        Status::Fault(fault) => fault.clone(),
        Status::Decision(decision) => panic!("the game has no fault, but asks: {}", decision.prompt),
        Status::Over => panic!("the game has no fault and is over"),
    }
}

fn position(game: &Game) -> Vec<String> {
    given_lines(&game.rules().ruleset, game.state())
}

fn hash(game: &Game) -> u64 {
    state_hash(&game.rules().ruleset, game.state())
}

/// Checks that `script` fails after `answers` with this message, in `function`. `at` is the line
/// and the column; `(0, 0)` accepts any place.
///
/// Also checks that the call has no effect, and that the game accepts undo but no answer. After the
/// script is repaired, the game must continue.
fn fails(script: &str, answers: &[&str], message: &str, function: &str, at: (u32, u32)) {
    let haunted = Haunted::new(script);
    let mut game = haunted.played(answers);
    let found = fault(&game);
    assert!(found.failure.message.contains(message), "{script}\n{found}");
    assert_eq!((found.mods.as_slice(), found.function.as_str()), (&["hostile".to_owned()][..], function), "{found}");
    assert_eq!(found.decision, answers.len(), "{found}");
    if at.0 > 0 {
        assert!(found.failure.file.ends_with("hostile/rules.rhai"), "{found}");
        assert_eq!((found.failure.line, found.failure.column), at, "{script}\n{found}");
    }
    assert!(game.answer_text("pass").is_err(), "the game refuses answers during a fault");
    assert_eq!(game.log().len(), answers.len(), "the answer stays in the log");
    let stuck = position(&game);
    // The same rules fail in the same way.
    game.retry();
    assert_eq!(fault(&game), found);
    assert_eq!(position(&game), stuck);
    // One undo restores the game before the answer.
    game.undo(1);
    assert_eq!(hash(&game), hash(&haunted.played(&answers[..answers.len() - 1])));
    game.answer_text(answers[answers.len() - 1]).unwrap();
    assert_eq!(fault(&game), found);
    // After the repair, the game continues from the same point.
    haunted.write(&mended(script));
    let again = reload(&game, haunted.rules(), haunted.setup.clone()).unwrap().into_game();
    assert!(matches!(again.status(), Status::Decision(_)), "{:?}", again.status());
    assert_eq!(again.log().len(), answers.len());
    assert_eq!(hash(&again), hash(&haunted.played(answers)), "the game is the same as without the fault");
}

/// Returns the script without its failing lines.
fn mended(script: &str) -> String {
    let kept = script.lines().map(|line| if line.contains("// fails") { "" } else { line });
    kept.collect::<Vec<_>>().join("\n")
}

const EFFECTS: &str = "give(turn.player, \"loot\", 3); place_piece(\"ghost\", (), tile.zones[0]); score(turn.player, 5, \"boo\"); \
                       mem.game.seen = tile; set_tag(tile.zones[0], \"shield\", 2); take_out(\"land\", \"base/X\"); extra_part(\"boo\");";

#[test]
fn a_failing_event_does_nothing() {
    let script = format!("fn tile_placed(tile) {{\n    {EFFECTS}\n    throw \"boo\"; // fails\n}}");
    fails(&script, &LAID, "boo", "tile_placed", (3, 5));
}

#[test]
fn nothing_is_half_applied() {
    // For comparison: the same position, in which the mod only asks.
    let asking = Haunted::new("fn tile_placed(tile) { ask(turn.player, \"?\", [\"a\"]); }").played(&LAID);
    let script = format!("fn tile_placed(tile) {{ {EFFECTS} throw \"boo\"; }}");
    let failing = Haunted::new(&script).played(&LAID);
    fault(&failing);
    assert_eq!(position(&failing), position(&asking));
    // The position is also the same if the call fails after an answer to its question.
    let script = format!("fn tile_placed(tile) {{ {EFFECTS} ask(turn.player, \"?\", [\"a\"]); throw \"boo\"; }}");
    let failing = Haunted::new(&script).played(&[LAID[0], LAID[1], "a"]);
    assert_eq!(fault(&failing).decision, 3);
    assert_eq!(position(&failing), position(&asking));
}

#[test]
fn other_mods_calls_stay() {
    // The engine calls `event-order-first` before `hostile`. `event-order-first` gives its token
    // exactly once, even if `hostile` fails and is called again.
    let haunted = Haunted::new("fn tile_placed(tile) { throw \"boo\"; // fails\n}");
    let mut game = haunted.played(&LAID);
    let anvils = |game: &Game| position(game).iter().filter(|l| l.starts_with("token red anvil 1")).count();
    fault(&game);
    assert_eq!(anvils(&game), 1, "{:?}", position(&game));
    game.retry();
    assert_eq!(anvils(&game), 1);
}

#[test]
fn after_a_question() {
    let script = "fn tile_placed(tile) {\n    let a = ask(turn.player, \"?\", [\"a\", \"b\"]);\n    \
                  if a == \"b\" { throw \"not b\"; } // fails\n}";
    fails(script, &[LAID[0], LAID[1], "b"], "not b", "tile_placed", (3, 19));
    let game = Haunted::new(script).played(&[LAID[0], LAID[1], "a"]);
    assert!(matches!(game.status(), Status::Decision(_)), "the other answer continues the game");
}

#[test]
fn phases_options_and_rules() {
    fails("fn phase_haunt() {\n    1 / 0; // fails\n}", &LAID, "zero", "phase_haunt", (2, 7));
    let script =
        "fn action_options(player) { [option(\"boo\")] }\nfn do_boo(choice) {\n    choice.piece.owner; // fails\n}";
    fails(script, &[LAID[0], LAID[1], "boo"], "owner", "do_boo", (3, 18));
    let script = "fn filter_places(tile, places) {\n    throw \"no\"; // fails\n    places\n}";
    fails(script, &LAID[..1], "no", "filter_places", (2, 5));
    // A mistake in the function itself is an error when the mod loads.
    let script = "fn curious(it) { ask(it, \"?\", [1]); } // fails\n\
                  fn action_options(player) {\n    curious(player); // fails\n    []\n}";
    fails(script, &LAID, "may not ask", "action_options", (1, 18));
    let script = "fn generous(it) { give(it, \"loot\", 1); } // fails\n\
                  fn filter_deploys(player, options) {\n    generous(player); // fails\n    options\n}";
    fails(script, &LAID, "may only look", "filter_deploys", (1, 19));
    let script = "fn piece_targets(player, kind) {\n    return 7; // fails\n    []\n}";
    fails(script, &LAID, "must return a list of zones, but it returned", "piece_targets", (1, 4));
    // Filters without a return value would silently remove everything.
    let script =
        "const ONE = 1;\nfn filter_places(tile, places) {\n    let kept = places; return; // fails\n    places\n}";
    fails(script, &LAID[..1], "must return a list of places (`places` for all of them)", "filter_places", (2, 4));
    let script = "fn filter_deploys(player, options) {\n    let kept = options; return; // fails\n    options\n}";
    fails(script, &LAID, "must return a list of deployments (`options` for all of them)", "filter_deploys", (1, 4));
}

#[test]
fn options_that_a_record_would_take_for_something_else() {
    let refused = |options: &str, message: &str| {
        let script = format!("fn tile_placed(tile) {{\n    ask(turn.player, \"?\", {options}); // fails\n}}");
        fails(&script, &LAID, message, "tile_placed", (2, 5));
    };
    for verb in ["end", "back 1", "expect over", "given score red 1", "pass"] {
        refused(&format!("[\"{verb}\", \"go on\"]"), "means something else in records");
    }
    refused("[tile], #{ word: \"back\" }", "means something else in records");
    refused("[option(\"back\", tile.zones[0]), option(\"on\", tile.zones[0])]", "means something else in records");
    refused("[[\"given\", tile.zones[0]], [\"on\", tile.zones[0]]]", "means something else in records");
    refused("[option(\"a#b\", tile.zones[0])]", "without #");
    refused("[\"go  on\"]", "one space between them");
    refused("[\"go on \"]", "one space between them");
    refused("[\"a#b\"]", "without #");
    // Before the first answer, the option `seed 7` would read as a line of the record's header.
    let script = "fn setup() { ask(players()[0], \"?\", [\"seed 7\"]); }";
    assert!(fault(&Haunted::new(script).game()).failure.message.contains("means something else"));
    let asked = Haunted::new("fn tile_placed(tile) { ask(turn.player, \"?\", [\"set out\", \"stay\"]); }");
    let game = asked.played(&[LAID[0], LAID[1], "set out"]);
    let (record, problems) = Record::parse(&record_text(&game));
    assert_eq!(problems, []);
    let again = replay(game.rules().clone(), &record, |_| {}).unwrap();
    assert_eq!((again.failures.len(), hash(&again.game)), (0, hash(&game)));
}

#[test]
fn scoring() {
    // Red's road of three is completed; the last answer passes the deployment.
    let answers = ["draw base/W", "place -1,0 0", "deploy follower -1,0 road@e", "draw base/W", "place 1,0 0", "pass"];
    let script = "fn score_value(feature, score) {\n    score.plus(100, \"boo\");\n    throw \"boo\"; // fails\n}";
    fails(script, &answers, "boo", "score_value", (3, 5));
    let stuck = Haunted::new(script).played(&answers);
    assert!(stuck.state().awards().is_empty());
    assert!(position(&stuck).contains(&"piece red follower -1,0 road@e".to_owned()));
    // Awards booked before `scored` fails stay booked, once.
    let script = "fn scored(scoring) {\n    give(turn.player, \"loot\", 1);\n    throw \"boo\"; // fails\n}";
    fails(script, &answers, "boo", "scored", (3, 5));
    let stuck = Haunted::new(script).played(&answers);
    assert_eq!(stuck.state().awards().len(), 1);
    assert!(position(&stuck).contains(&"score red 3".to_owned()));
    assert!(!position(&stuck).iter().any(|l| l.starts_with("token blue loot")));
}

#[test]
fn questions_that_are_swallowed() {
    let script = "fn tile_placed(tile) {\n    let l = [2, 1];\n    \
                  l.dedup(|a, b| { ask(turn.player, \"?\", [\"a\"]); a == b }); // fails\n}";
    fails(script, &LAID, "swallowed", "tile_placed", (3, 22));
    let script = "fn tile_placed(tile) {\n    \
                  try { [1].map(|x| ask(turn.player, \"?\", [\"a\"])); } catch { } // fails\n}";
    fails(script, &LAID, "swallowed", "tile_placed", (2, 23));
}

#[test]
fn what_never_ends() {
    fails("fn tile_placed(tile) {\n    loop { } // fails\n}", &LAID, "operations", "tile_placed", (0, 0));
    // The call asks one question more than permitted.
    let script = "fn tile_placed(tile) {\n    loop { ask(turn.player, \"?\", [\"a\"]); } // fails\n}";
    let answers: Vec<&str> = LAID.into_iter().chain(std::iter::repeat_n("a", MAX_ASKS)).collect();
    let game = Haunted::new(script).played(&answers[..answers.len() - 1]);
    assert!(matches!(game.status(), Status::Decision(_)), "the last permitted question");
    let stuck = Haunted::new(script).played(&answers);
    let found = fault(&stuck);
    assert!(found.failure.message.contains("has asked 64 times"), "{found}");
    assert_eq!((found.failure.line, found.failure.column, found.decision), (2, 12, answers.len()));
    // Two cases: events that cause each other, and a phase that enters itself.
    let script = "fn tile_placed(tile) { place_piece(\"ghost\", (), tile.zones[0]); }\n\
                  fn piece_placed(piece) { if piece.is_neutral { \nmove_piece(piece, piece.zone); // fails\n} }";
    fails(script, &LAID, "more than 256 calls", "piece_placed", (0, 0));
    fails("fn phase_haunt() {\n    again(); // fails\n}", &LAID, "more than 256 calls", "phase_haunt", (0, 0));
}

/// A phase asks again and again. No single answer exceeds a limit, but all answers of the turn
/// together do. Therefore the game stops even if bots answer immediately.
#[test]
fn questions_that_never_end() {
    let haunted = Haunted::new("fn phase_haunt() {\n    ask(turn.player, \"again?\", [\"a\", \"b\"]); again();\n}");
    let mut game = haunted.played(&LAID);
    let mut n = 0;
    while let Status::Decision(_) = game.status() {
        game.answer_nth(n % 2);
        n += 1;
    }
    let found = fault(&game);
    assert!(n > 1000 && found.failure.message.contains("seems never to end"), "{found}");
    assert_eq!((found.function.as_str(), found.mods.as_slice()), ("phase_haunt", &["hostile".to_owned()][..]));
    assert!(found.failure.line > 0 && !found.failure.file.is_empty(), "{found}");
}

#[test]
fn chance_that_never_ends() {
    // Only chance answers, and the game deals these answers one at a time.
    let haunted = Haunted::new("fn phase_haunt() { roll(6, \"?\"); again(); }");
    let mut game = haunted.played(&LAID);
    let n = game.deal(&mut Dealer::new(7));
    assert!(n > 1000 && fault(&game).failure.message.contains("draws and rolls"), "{}", fault(&game));
    // Makes a mod with a tile that returns to the deck whenever it is drawn.
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("hostile");
    fs::create_dir(&own).unwrap();
    fs::write(own.join("mod.toml"), MANIFEST.replace("slot = \"placed\"", "slot = \"drawn\"")).unwrap();
    fs::write(own.join("rules.rhai"), "fn phase_haunt() { redraw(); }\nfn do_boo(choice) { }").unwrap();
    let haunted = Haunted { folder, setup: Setup::of(&["hostile"], 2) };
    let mut game = haunted.game();
    game.deal(&mut Dealer::new(7));
    assert!(fault(&game).failure.message.contains("draws and rolls"), "{}", fault(&game));
}

#[test]
fn numbers_that_grow_without_end() {
    let script = "fn tile_placed(tile) {\n    for i in 0..5000 { give(turn.player, \"loot\", 1000000); }\n}\n\
                  fn strength(piece, feature) { 9223372036854775807 }";
    let game = Haunted::new(script).played(&[LAID[0], LAID[1], "deploy follower -1,0 road@e"]);
    assert!(position(&game).contains(&format!("token red loot {}", u32::MAX)));
    let answers = ["draw base/W", "place -1,0 0", "deploy follower -1,0 road@e", "draw base/W", "place 1,0 0", "pass"];
    let script = "fn score_value(feature, score) {\n    score.plus(1000000, \"boo\"); for i in 0..60 { score.double(\"boo\"); } // fails\n}";
    let stuck = Haunted::new(script).played(&answers);
    assert!(fault(&stuck).failure.message.contains("too large"), "{}", fault(&stuck));
}

#[test]
fn before_the_first_answer() {
    let haunted = Haunted::new("fn setup() {\n    give(players()[0], \"loot\", 1);\n    throw \"boo\"; // fails\n}");
    let game = haunted.game();
    assert_eq!((fault(&game).function.as_str(), fault(&game).decision), ("setup", 0));
    assert!(!position(&game).iter().any(|l| l.starts_with("token")));
    haunted.write(&mended("fn setup() {\n    give(players()[0], \"loot\", 1);\n    throw \"boo\"; // fails\n}"));
    let again = reload(&game, haunted.rules(), haunted.setup.clone()).unwrap().into_game();
    assert!(position(&again).contains(&"token red loot 1".to_owned()));
}

#[test]
fn a_fault_in_a_reload_is_a_fault_of_the_new_rules() {
    // The old game is unchanged. The game under the new rules stops at the failing call and reports
    // it.
    let haunted = Haunted::new("fn tile_placed(tile) { }");
    let answers = ["draw base/W", "place -1,0 0", "pass", "draw base/U", "place 1,0 0", "pass"];
    let game = haunted.played(&answers);
    haunted.write("fn tile_placed(tile) {\n    if turn.number == 2 { throw \"boo\"; }\n}");
    let outcome = reload(&game, haunted.rules(), haunted.setup.clone()).unwrap();
    assert!(outcome.summary().starts_with("diverged: turn 2, answer 6"), "{}", outcome.summary());
    assert!(outcome.summary().contains("boo"), "{}", outcome.summary());
    assert_eq!(fault(&outcome.into_game()).failure.line, 2);
    assert_eq!(game.log().len(), 6);
}
