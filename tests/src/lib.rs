//! Shared parts of whole-game tests: functions that load mods and play at random, and an
//! independent recount of the board.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

pub mod hostile;
pub mod long;
pub mod mutate;
pub mod recount;
pub mod shrink;
pub mod sitting;
pub mod turned;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use loader::{Library, Loaded};
pub use players::Rng;
use record::record_text;
use rules::{Dealer, Game, Rules, Setup, Status, option_text};
pub use testkit::mods_folder;

use crate::shrink::{FailureKind, answer, fail, shrink};

/// Loads mods.
///
/// # Panics
/// Panics and prints all problems if the mods have errors.
pub fn load(mods: &[&str]) -> Loaded {
    load_from(&[mods_folder()], mods)
}

/// Loads mods from the given folders.
///
/// # Panics
/// Panics and prints all problems if the mods have errors.
pub fn load_from(folders: &[PathBuf], mods: &[&str]) -> Loaded {
    let library = Library::open(folders);
    let (loaded, problems) = library.load(mods);
    loaded.unwrap_or_else(|| panic!("mods {mods:?} do not load:\n{problems}"))
}

/// The expansions of the base game. All of them can be played together.
pub const EXPANSIONS: [&str; 13] = [
    "winter",
    "inns-cathedrals",
    "builders-traders",
    "river",
    "river2",
    "king-baron",
    "flying-machines",
    "messages",
    "ferries",
    "gold-mines",
    "mage-witch",
    "robbers",
    "crop-circles",
];

/// The mods of tests/mods that can be played together. Mods that change the start or the end of the
/// base game are missing, and so is two-layers, which is a separate game.
pub const SMALL_MODS: [&str; 42] = [
    "any-edges",
    "any-land",
    "ask-at-start-and-end",
    "bridges",
    "changing-tiles",
    "completion-vetoes",
    "corners",
    "crossings",
    "deck-groups",
    "dice-and-cards",
    "event-order-first",
    "event-order-last",
    "event-order-second",
    "extra-parts",
    "fences",
    "filter-places",
    "footbridges",
    "game-may-not-end",
    "hangs-on-switches",
    "last-moves",
    "list-helpers",
    "named-zones",
    "open-market",
    "own-pictures",
    "place-previews",
    "relinking",
    "score-markers",
    "score-relative",
    "score-stages",
    "score-stages-second",
    "score-totals",
    "secret-bids",
    "secret-hands",
    "secret-tiles",
    "single-tiles-out",
    "special-pieces",
    "tags-tokens-piles",
    "tie-breakers",
    "tiles-in-hand",
    "towers",
    "track-pieces",
    "tunnels",
];

/// Loads mods, which may include the small mods of these tests.
///
/// # Panics
/// Panics and prints all problems if the mods have errors.
pub fn load_any(mods: &[&str]) -> Loaded {
    load_from(&[mods_folder(), Path::new(env!("CARGO_MANIFEST_DIR")).join("mods")], mods)
}

/// Makes the rules of loaded mods with the settings of `setup`.
///
/// # Panics
/// Panics if a setting is unknown or a script does not compile.
pub fn rules(loaded: &Loaded, setup: &Setup) -> Rc<Rules> {
    make_rules(loaded, setup, true)
}

/// Makes the rules of loaded mods as [`rules()`] does, but runs all functions in the interpreter.
///
/// # Panics
/// Panics if a setting is unknown or a script does not compile.
pub fn interpreted_rules(loaded: &Loaded, setup: &Setup) -> Rc<Rules> {
    make_rules(loaded, setup, false)
}

fn make_rules(loaded: &Loaded, setup: &Setup, uses_trees: bool) -> Rc<Rules> {
    let settings = loaded.settings_from(&setup.settings).unwrap_or_else(|e| panic!("settings: {e:?}"));
    let rules = loaded.rules_with(settings, |host| host.use_trees(uses_trees));
    Rc::new(rules.unwrap_or_else(|e| panic!("rules: {e:?}")))
}

/// Answers at random for all players and for chance until the game is over. Calls `each` with the
/// game before every answer.
///
/// # Panics
/// Panics if a mod fails or the engine panics. Prints the seed and a short record that fails in the
/// same way.
pub fn play_at_random(game: &mut Game, seed: u64, mut each: impl FnMut(&Game)) {
    let mut dealer = Dealer::new(seed);
    let mut chance = Rng::new(seed);
    loop {
        each(game);
        let choice = match game.status() {
            Status::Over => return,
            Status::Fault(fault) => fail(game, seed, &fault.to_string(), FailureKind::Check(&check_no_fault)),
            Status::Decision(decision) => match dealer.answer(&game.rules().ruleset, game.state()) {
                Some(choice) => choice,
                None => {
                    let n = chance.below(decision.n_options(game.state()));
                    decision
                        .nth(&game.rules().ruleset, game.state(), n)
                        .expect("the number is below the number of options")
                }
            },
        };
        let log = game.log().to_vec();
        if let Err(message) = answer(game, choice) {
            let mut again = Game::from_position(game.rules().clone(), game.setup().clone(), game.start().clone());
            log.iter().for_each(|choice| again.answer(*choice).expect("the option was offered"));
            let mut texts = again.log_texts();
            let decision = again.state().decision().expect("the answer was given before");
            texts.push(option_text(&again.rules().ruleset, again.state(), decision, choice));
            let shrunk = shrink(again.rules(), again.setup(), seed, &texts, FailureKind::Panic);
            panic!("seed {seed}: {message}\n{}", shrunk.map_or_else(|| record_text(&again), |it| it.record(seed)));
        }
    }
}

fn check_no_fault(game: &Game) -> Result<(), String> {
    match game.status() {
        Status::Fault(fault) => Err(fault.to_string()),
        _ => Ok(()),
    }
}
