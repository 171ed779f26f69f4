//! Makes games fail on purpose, and checks the short records to which they shrink.

use record::{Record, record_text, replay, start_game};
use rules::{Game, Setup};
use tests::shrink::{FailureKind, shrink};
use tests::{load, play_at_random, rules};

/// The planted failure: a player has more than twenty points.
fn no_player_is_rich(game: &Game) -> Result<(), String> {
    let scores: Vec<i64> = game.state().seats().map(|seat| game.state().score(seat)).collect();
    if scores.iter().any(|score| *score > 20) { Err(format!("{scores:?}")) } else { Ok(()) }
}

#[test]
fn a_planted_failure_becomes_a_short_record_that_fails_alike() {
    for (mods, seed) in [(&["base"][..], 3), (&["inns-cathedrals", "builders-traders"], 5)] {
        let setup = Setup::of(mods, 2);
        let rules = rules(&load(mods), &setup);
        let mut game = start_game(rules.clone(), setup.clone()).unwrap();
        play_at_random(&mut game, seed, |_| {});
        no_player_is_rich(&game).unwrap_err();
        let shrunk = shrink(&rules, &setup, seed, &game.log_texts(), FailureKind::Check(&no_player_is_rich)).unwrap();
        let (long, short) = (game.log().len(), shrunk.game.log().len());
        println!("{mods:?}: {short} of {long} answers are left");
        assert!(short * 3 < long, "{mods:?}: {short} of {long} answers are left\n{}", record_text(&shrunk.game));
        // The record is a test case that parses, plays and fails in the same way. Without its last
        // answer, the game does not fail.
        let text = shrunk.record(seed);
        assert!(text.contains("--exact shrink::a_planted_failure"), "{text}");
        let (record, problems) = Record::parse(&text);
        assert_eq!(problems, []);
        let mut again = replay(rules.clone(), &record, |_| {}).unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!((again.failures.len(), no_player_is_rich(&again.game)), (0, Err(shrunk.message)));
        again.game.undo(1);
        assert_eq!(no_player_is_rich(&again.game), Ok(()));
    }
}

#[test]
fn a_game_that_does_not_fail_is_not_shrunk() {
    let setup = Setup::of(&["base"], 2);
    let rules = rules(&load(&["base"]), &setup);
    let mut game = start_game(rules.clone(), setup.clone()).unwrap();
    play_at_random(&mut game, 3, |_| {});
    assert!(shrink(&rules, &setup, 3, &game.log_texts(), FailureKind::Check(&|_| Ok(()))).is_none());
}
