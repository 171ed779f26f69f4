//! Prints records of random games with their final hashes, one line of JSON per game. Other
//! programs can replay the records and compare the hashes. Usage: `hashes 100`.

use record::{record_text, start_game, state_hash};
use rules::Setup;
use serde_json::json;
use tests::{EXPANSIONS, load, play_at_random, rules};

fn main() {
    let n = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(100);
    for seed in 0..n {
        let i = seed as usize % (EXPANSIONS.len() + 3);
        let mods = match i.checked_sub(EXPANSIONS.len()) {
            None => vec!["base", EXPANSIONS[i]],
            Some(0) => std::iter::once("base").chain(EXPANSIONS).collect(),
            Some(1) => vec!["hunters-gatherers"],
            Some(_) => vec!["hunters-gatherers", "scout"],
        };
        let setup = Setup { seed: Some(seed), ..Setup::of(&mods, 2 + seed as usize % 4) };
        let loaded = load(&mods);
        let game = start_game(rules(&loaded, &setup), setup);
        let mut game = game.unwrap_or_else(|error| panic!("{mods:?}: {error}"));
        play_at_random(&mut game, seed, |_| {});
        let hash = state_hash(&game.rules().ruleset, game.state());
        println!("{}", json!({ "record": record_text(&game), "hash": format!("{hash:016x}") }));
    }
}
