//! Functions give the same results with and without the interpreter. The tests play the same games
//! in both ways and compare the games.

use record::{record_text, start_game, state_hash};
use rules::{Game, Rules, Setup, Status, option_texts};
use tests::{EXPANSIONS, SMALL_MODS, interpreted_rules, load_any, play_at_random, rules};

/// Plays random games. At every position, compares the game with the same game whose functions all
/// run in the interpreter.
fn side_by_side(mods: &[&str], n_games: u64) {
    let loaded = load_any(mods);
    for seed in 0..n_games {
        let setup = Setup::of(mods, 2 + (seed % 3) as usize);
        let mut game = start_game(rules(&loaded, &setup), setup.clone()).unwrap();
        let mut other = start_game(interpreted_rules(&loaded, &setup), setup).unwrap();
        play_at_random(&mut game, seed, |game| {
            if let Some(choice) = game.log().last() {
                other.answer(*choice).unwrap();
            }
            let texts = |game: &Game| option_texts(&game.rules().ruleset, game.state());
            if let Status::Decision(decision) = game.status()
                && matches!(decision.question, rules::Question::Ask(_))
            {
                assert_eq!(texts(game), texts(&other), "seed {seed}\n{}", record_text(game));
            }
            let hash = |game: &Game| state_hash(&game.rules().ruleset, game.state());
            assert_eq!(hash(game), hash(&other), "seed {seed}\n{}", record_text(game));
            assert_eq!(game.state().view().notes(), other.state().view().notes(), "seed {seed}\n{}", record_text(game));
        });
    }
}

#[test]
fn expansions() {
    side_by_side(&EXPANSIONS, 6);
    side_by_side(&["hunters-gatherers", "scout"], 6);
    side_by_side(&["currents"], 6);
    side_by_side(&["allotments"], 2);
}

#[test]
fn small_mods() {
    side_by_side(&SMALL_MODS, 3);
    side_by_side(&["secret-bids", "secret-hands", "secret-tiles"], 3);
}

/// The functions of the bundled mods that need the interpreter. The list may only become shorter.
#[test]
fn functions_that_need_the_interpreter() {
    let mut names = Vec::new();
    for mods in [&EXPANSIONS[..], &["hunters-gatherers", "scout"], &["currents"], &["allotments"]] {
        let loaded = load_any(mods);
        let interpreted = loaded.interpreted_functions(&Rules::default_settings(loaded.catalogue())).unwrap();
        names.extend(interpreted.iter().map(|it| format!("{}: {}: {}", it.owner, it.name, it.reason.message)));
    }
    assert_eq!(
        names,
        [
            "river2: arrange_deck: a function that is not written in the brackets of `filter`, `map`, `some`, `all`, `most`, `least` or `sum` needs the interpreter; write the closure in such brackets, or use a `for` loop",
            "hunters-gatherers: describe: `type_of` needs the interpreter; if the function is called often, keep this in a function that is called less often",
        ]
    );
}
