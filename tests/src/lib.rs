//! What whole-game tests share: loading mods, playing at random, and an independent recount of the board.

pub mod recount;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use loader::{Library, Loaded};
use rules::{Dealer, Game, Rules, RulesFactory, Setup, Status, record_text};

/// The folder of the mods that come with Bastide.
pub fn mods_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../mods")
}

/// Loads mods, which must be without problems.
///
/// # Panics
/// With all problems, where there are any.
pub fn load(mods: &[&str]) -> Loaded {
    load_from(&[mods_folder()], mods)
}

/// Loads mods from the given folders, which must be without problems.
///
/// # Panics
/// With all problems, where there are any.
pub fn load_from(folders: &[PathBuf], mods: &[&str]) -> Loaded {
    let library = Library::open(folders);
    let (loaded, problems) = library.load(mods);
    loaded.unwrap_or_else(|| panic!("mods {mods:?} do not load:\n{problems}"))
}

/// Mods of tests/mods that can be played together: all but other-tiles, which takes those of the base game away, and
/// two-layers, which is a game of its own.
pub const SMALL_MODS: [&str; 18] = [
    "ask-at-start-and-end",
    "completion-vetoes",
    "dice-and-cards",
    "event-order-first",
    "event-order-last",
    "event-order-second",
    "extra-parts",
    "filter-places",
    "game-may-not-end",
    "relinking",
    "score-markers",
    "score-stages",
    "score-stages-second",
    "single-tiles-out",
    "special-pieces",
    "tags-tokens-piles",
    "tiles-in-hand",
    "track-pieces",
];

/// Loads mods, the small ones of these tests among them, which must be without problems.
///
/// # Panics
/// With all problems, where there are any.
pub fn load_any(mods: &[&str]) -> Loaded {
    load_from(&[mods_folder(), Path::new(env!("CARGO_MANIFEST_DIR")).join("mods")], mods)
}

/// Rules of loaded mods with the settings of `setup`.
///
/// # Panics
/// Where a setting is unknown or a script does not compile.
pub fn rules(loaded: &Loaded, setup: &Setup) -> Rc<Rules> {
    let settings = loaded.settings_from(&setup.settings).unwrap_or_else(|e| panic!("settings: {e:?}"));
    Rc::new(loaded.rules(settings).unwrap_or_else(|e| panic!("rules: {e:?}")))
}

/// The same rules with every function run by the interpreter.
///
/// # Panics
/// Where a setting is unknown or a script does not compile.
pub fn interpreted(loaded: &Loaded, setup: &Setup) -> Rc<Rules> {
    let settings = loaded.settings_from(&setup.settings).unwrap_or_else(|e| panic!("settings: {e:?}"));
    Rc::new(loaded.interpreted_rules(settings).unwrap_or_else(|e| panic!("rules: {e:?}")))
}

/// A small generator of numbers (splitmix64), so that a seed reproduces a failure on every machine.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// Answers for everybody at random until the game is over. `each` sees the game before every answer.
///
/// # Panics
/// Where a mod fails; with the record.
pub fn play_at_random(game: &mut Game, seed: u64, mut each: impl FnMut(&Game)) {
    let mut dealer = Dealer::new(seed);
    let mut random = Random(seed);
    loop {
        each(game);
        let choice = match game.status() {
            Status::Over => return,
            Status::Fault(fault) => panic!("seed {seed}: {fault}\n{}", record_text(game)),
            Status::Decision(decision) => match dealer.answer(&game.rules().ruleset, game.state()) {
                Some(choice) => choice,
                None => {
                    let n = random.below(decision.n_options(game.state()));
                    decision.nth(&game.rules().ruleset, game.state(), n).expect("so many options")
                }
            },
        };
        game.answer(choice).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", record_text(game)));
    }
}
