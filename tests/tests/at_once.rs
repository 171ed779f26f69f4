//! Answers given at once, in the middle of a mod's function, make the same games as answers given one by one.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cell::RefCell;
use std::rc::Rc;

use rules::{Answer, Answerer, Decision, Game, Ruleset, Setup, State, Status, record_text, state_hash};
use tests::{Random, SMALL_MODS, interpreted, load_any, rules};

/// Takes any option, at once for so many questions of ten, and perhaps for more than it really does.
struct Fickle {
    chance: Random,
    of_ten: usize,
    promises_all: bool,
}

impl Answerer for Fickle {
    fn answer(&mut self, ruleset: &Ruleset, state: &State, decision: &Decision) -> Option<Answer> {
        if self.chance.below(10) >= self.of_ten {
            return None;
        }
        let n = self.chance.below(decision.n_options(state));
        decision.nth(ruleset, state, n)
    }

    fn answers_all(&self) -> bool {
        self.promises_all
    }
}

/// Plays games with answers at once and holds them against the same answers given one by one to the interpreter.
fn games(mods: &[&str], n_games: u64) {
    let loaded = load_any(mods);
    for seed in 0..n_games {
        let setup = Setup::of(mods, 2 + (seed % 3) as usize);
        // A promise that is broken makes the game go back by its log.
        let (of_ten, promises_all) = [(10, true), (5, false), (8, true), (10, false)][(seed % 4) as usize];
        let fickle = Rc::new(RefCell::new(Fickle { chance: Random(seed), of_ten, promises_all }));
        let mut game = Game::new(rules(&loaded, &setup), setup.clone()).unwrap();
        game.let_answer_at_once(fickle.clone());
        while let Status::Decision(decision) = game.status() {
            let n = fickle.borrow_mut().chance.below(decision.n_options(game.state()));
            game.answer_nth(n);
            assert!(game.log().len() < 20_000, "seed {seed}");
        }
        if let Status::Fault(fault) = game.status() {
            panic!("seed {seed}: {fault}\n{}", record_text(&game));
        }
        let hash = |game: &Game| state_hash(&game.rules().ruleset, game.state());

        let mut other = Game::new(interpreted(&loaded, &setup), setup).unwrap();
        for choice in game.log() {
            other.answer(*choice).unwrap();
        }
        assert_eq!(hash(&game), hash(&other), "seed {seed}\n{}", record_text(&game));
        assert_eq!(game.state().notes(), other.state().notes(), "seed {seed}\n{}", record_text(&game));

        // Back and forth nobody is asked, as all answers are known.
        let (log, end) = (game.log().to_vec(), hash(&game));
        game.undo(30);
        while game.redo() {}
        assert_eq!((game.log(), hash(&game)), (&log[..], end), "seed {seed}");
        game.go_to(log.len() / 2);
        game.go_to(log.len());
        assert_eq!((game.log(), hash(&game)), (&log[..], end), "seed {seed}");
    }
}

#[test]
fn expansions() {
    let mods = ["gold-mines", "mage-witch", "crop-circles", "flying-machines", "builders-traders", "river2"];
    games(&mods, 12);
    games(&["hunters-gatherers", "scout"], 8);
}

#[test]
fn small_mods() {
    games(&SMALL_MODS, 8);
}
