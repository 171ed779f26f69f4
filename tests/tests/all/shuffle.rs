//! Plays all small test mods together. Checks that the order of their names has no effect, and that
//! whole games are consistent.

use std::rc::Rc;

use record::{Record, given_lines, record_text, replay, start_game, state_hash};
use rules::{Game, Rules, Setup};
use tests::{Rng, SMALL_MODS, load_any, play_at_random, rules};

fn setup(mods: &[&str], seed: u64) -> Setup {
    let mut setup = Setup::of(mods, 2 + (seed % 3) as usize);
    let on = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    setup.settings = vec![
        on("special-pieces.far", "true"),
        on("score-stages.terms", "plus halve"),
        on("score-stages-second.terms", "double"),
    ];
    setup
}

/// Plays a random game and returns it with its rules.
fn played(mods: &[&str], seed: u64) -> (Rc<Rules>, Game) {
    let setup = setup(mods, seed);
    let rules = rules(&load_any(mods), &setup);
    let mut game = start_game(rules.clone(), setup).unwrap();
    play_at_random(&mut game, seed, |_| {});
    (rules, game)
}

#[test]
fn the_order_of_mods_means_nothing() {
    let mut random = Rng::new(5);
    for seed in 0..3 {
        let mut mods: Vec<&str> = SMALL_MODS.to_vec();
        let (rules, game) = played(&mods, seed);
        for _ in 0..2 {
            for i in (1..mods.len()).rev() {
                mods.swap(i, random.below(i + 1));
            }
            let (other_rules, other) = played(&mods, seed);
            assert_eq!(game.log_texts(), other.log_texts(), "seed {seed}, {mods:?}");
            let hashes = [state_hash(&rules.ruleset, game.state()), state_hash(&other_rules.ruleset, other.state())];
            assert_eq!(hashes[0], hashes[1], "seed {seed}, {mods:?}");
        }
    }
}

/// Returns a selection of the mods that depends on the seed.
fn some_mods(seed: u64) -> Vec<&'static str> {
    let mut random = Rng::new(seed);
    let mut mods: Vec<&str> = SMALL_MODS.iter().copied().filter(|_| random.below(2) == 0).collect();
    for needed in ["special-pieces", "score-stages", "score-stages-second"] {
        if !mods.contains(&needed) {
            mods.push(needed);
        }
    }
    mods
}

#[test]
fn games_of_many_mods_hold_together() {
    for seed in 0..20 {
        let mods = some_mods(seed);
        let setup = setup(&mods, seed);
        let loaded = load_any(&mods);
        let rules = rules(&loaded, &setup);
        let mut game = start_game(rules.clone(), setup).unwrap();
        play_at_random(&mut game, seed, |game| {
            // Writes the position as text and reads it again, at a few settled positions. A
            // position is settled when a turn has just begun.
            if game.state().is_settled() && (game.log().len() as u64 + seed).is_multiple_of(5) {
                text_gives_the_same_state(game, seed);
            }
        });
        let text = record_text(&game);
        let (record, problems) = Record::parse(&text);
        assert!(problems.is_empty(), "{problems:?}");
        let again = replay(rules.clone(), &record, |_| {}).unwrap_or_else(|e| panic!("{e:?}"));
        assert!(again.failures.is_empty(), "seed {seed}: {:?}\n{text}", again.failures);
        let hash = |game: &Game| state_hash(&rules.ruleset, game.state());
        assert_eq!(hash(&again.game), hash(&game), "seed {seed}\n{text}");
        // Undoes to the middle of the game, and redoes.
        let (log, end) = (game.log().to_vec(), hash(&game));
        game.undo(log.len() / 2);
        log[game.log().len()..].iter().for_each(|answer| game.answer(*answer).unwrap());
        assert_eq!(hash(&game), end, "seed {seed}: undone and answered again\n{text}");
    }
}

fn text_gives_the_same_state(game: &Game, seed: u64) {
    let ruleset = &game.rules().ruleset;
    let given = given_lines(ruleset, game.state());
    let setup = Setup { position: given.clone(), ..game.setup().clone() };
    let again = start_game(game.rules().clone(), setup);
    let again = again.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", given.join("\n")));
    let lines = given_lines(ruleset, again.state());
    let differing: Vec<_> = given.iter().zip(&lines).filter(|(a, b)| a != b).collect();
    assert_eq!(lines, given, "seed {seed}: {differing:?}\n{}", record_text(game));
    let asks = |game: &Game| rules::option_texts(ruleset, game.state());
    assert_eq!(asks(&again), asks(game), "seed {seed}: another question\n{}", record_text(game));
    let hashes = [state_hash(ruleset, again.state()), state_hash(ruleset, game.state())];
    assert_eq!(hashes[0], hashes[1], "seed {seed}: another hash\n{}", record_text(game));
}
