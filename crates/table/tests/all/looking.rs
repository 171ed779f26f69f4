//! Tests of traces of function calls, and of expressions that a person types.

use crate::common::*;
use table::{CallEnd, ModIdx, Session, TracedStep};

/// Plays some answers of a game whose rules give points for every tile.
fn played() -> (testkit::CopiedMod, Session) {
    let (base, library) = copy_of_base();
    let script = base.read("rules.rhai");
    let more = "fn tile_placed(tile) {\n    mem.game.n = mem.game.get(\"n\", 0) + 1;\n    print(\"laid\");\n    \
                score(turn.player, 1, \"a tile\");\n}\nfn strength(piece, feature) { 0 }\n";
    base.write("rules.rhai", &format!("{script}\n{more}"));
    let mut session = begin(&library, 1);
    play(&mut session, 6);
    (base, session)
}

fn calls_of(traced: &[TracedStep], name: &str) -> usize {
    traced.iter().flat_map(|step| &step.calls).filter(|call| &*call.name == name).count()
}

#[test]
fn a_trace_says_what_functions_did() {
    let (base, session) = played();
    let (hash, before) = (session.view().scores(), texts(&session));
    let whole = session.trace(0..session.steps().len()).unwrap();
    assert_eq!(whole.iter().map(|step| step.text.clone()).collect::<Vec<_>>(), before);
    let n_laid = session.steps().iter().filter(|step| step.laid.is_some()).count();
    assert_eq!(calls_of(&whole, "tile_placed"), n_laid);
    let traced = whole.iter().find(|step| !step.calls.is_empty()).unwrap();
    let call = &traced.calls[0];
    let player = &session.setup().players[0];
    assert_eq!(call.call.did, [format!("score({player}, 1, \"a tile\")")]);
    assert_eq!((call.call.end.clone(), call.call.depth), (CallEnd::Returned(String::new()), 0));
    let (path, line) = call.place.clone().unwrap();
    assert_eq!(path, base.file("rules.rhai"));
    assert!(base.read("rules.rhai").lines().nth(line as usize - 1).unwrap().starts_with("fn tile_placed"));
    // Tracing one turn gives the same calls, and changes nothing in the game.
    let turn = session.trace(session.steps_of_turn()).unwrap();
    assert!(turn.iter().all(|step| step.turn == session.turn()) && whole.ends_with(&turn[turn.len()..]));
    assert_eq!((session.view().scores(), texts(&session)), (hash, before));
    assert!(session.steps().iter().flat_map(|step| &step.printed).count() == n_laid);
}

#[test]
fn what_is_asked_is_answered_and_changes_nothing() {
    let (_base, session) = played();
    let n_laid = session.steps().iter().filter(|step| step.laid.is_some()).count();
    let ask = |text: &str| session.evaluate(ModIdx(0), text).map_err(|failure| failure.message);
    assert_eq!(ask("1 + 1"), Ok("2".to_owned()));
    assert_eq!(ask("let n = 2; n * n"), Ok("4".to_owned()));
    assert_eq!(ask("mem.game.get(\"n\", 0)"), Ok(n_laid.to_string()));
    assert_eq!(ask("print(7); 8"), Ok("7\n8".to_owned()));
    assert_eq!(ask("players().map(|p| score_of(p)).len"), Ok("2".to_owned()));
    let scores = session.view().scores();
    let wrong = [
        ("score(turn.player, 5, \"x\")", "may only look"),
        ("ask(turn.player, \"really?\", [\"yes\"])", "may not ask"),
        ("scroe(1)", "`scroe`"),
        ("1 +", "expect"),
        ("}", "missing"),
        ("loop { }", "check that each loop ends"),
        ("1 / 0", "zero"),
    ];
    for (text, words) in wrong {
        let error = ask(text).unwrap_err();
        assert!(error.to_lowercase().contains(words), "{text}: {error}");
    }
    assert!(session.evaluate(ModIdx(9), "1").is_err());
    // An expression does not change the stored data of the mod.
    assert_eq!(ask("mem.game.n = 7;"), Ok(String::new()));
    assert_eq!(session.view().scores(), scores);
    assert_eq!(ask("mem.game.get(\"n\", 0)"), Ok(n_laid.to_string()));
    assert!(session.trace(0..0).unwrap().is_empty());
}
