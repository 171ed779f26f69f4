//! Encodings of games of several mods, played at random.

use std::rc::Rc;

use loader::{Library, Loaded};
use players::Rng;
use rules::{Dealer, Game, Rules, RulesFactory, Seat, Setup, Status};

use crate::{Encoding, Stepper};

fn loaded(mods: &[&str]) -> Loaded {
    let (loaded, problems) = Library::builtin().load(mods);
    loaded.unwrap_or_else(|| panic!("{problems}"))
}

fn rules(loaded: &Loaded) -> Rc<Rules> {
    Rc::new(loaded.rules(Rules::default_settings(loaded.catalogue())).unwrap())
}

/// Plays a game at random and calls `look` at every decision of a player.
fn play(mods: &[&str], seed: u64, mut look: impl FnMut(&Rules, &Game)) {
    let loaded = loaded(mods);
    let rules = rules(&loaded);
    let mut game = record::start_game(rules.clone(), Setup::of(mods, 2)).unwrap();
    let (mut dealer, mut rng) = (Dealer::new(seed), Rng::new(seed));
    loop {
        game.deal(&mut dealer);
        let Status::Decision(decision) = game.status() else { break };
        let n_options = decision.n_options(game.state());
        look(&rules, &game);
        game.answer_nth(rng.below(n_options));
    }
    assert!(game.state().is_over());
}

#[test]
fn every_option_is_an_action_of_its_own_and_back() {
    for (mods, size) in [(vec!["base"], 25), (vec!["base"], 3), (vec!["hunters-gatherers", "scout"], 15)] {
        let encoding = Encoding::new(loaded(&mods).catalogue().clone(), 2, size, 500).unwrap();
        play(&mods, 7, |rules, game| {
            let (ruleset, state) = (&rules.ruleset, game.state());
            let n_options = state.decision().unwrap().n_options(state);
            let mut mask = vec![9; encoding.n_actions()];
            encoding.write_mask(ruleset, state, &mut mask);
            assert_eq!(mask.iter().filter(|it| **it == 1).count(), n_options);
            for option in 0..n_options {
                let action = encoding.action_of(ruleset, state, option).unwrap();
                assert_eq!(mask[action], 1);
                assert_eq!(encoding.option_of(ruleset, state, action), Some(option));
            }
            let refused = mask.iter().position(|it| *it == 0).unwrap();
            assert_eq!(encoding.option_of(ruleset, state, refused), None);
        });
    }
}

#[test]
fn an_action_says_the_same_as_the_text_of_its_option() {
    let encoding = Encoding::new(loaded(&["base"]).catalogue().clone(), 2, 99, 1).unwrap();
    play(&["base"], 3, |rules, game| {
        let state = game.state();
        let decision = state.decision().unwrap();
        for (option, answer) in decision.options(&rules.ruleset, state).iter().enumerate() {
            let text = rules::option_text(&rules.ruleset, state, decision, *answer);
            let action = encoding.action_of(&rules.ruleset, state, option).unwrap();
            let name = encoding.action_name(action).unwrap();
            match text.split_once(' ') {
                Some(("deploy", _)) => assert!(name.starts_with("deploy follower "), "{text}: {name}"),
                _ => assert_eq!(name, text),
            }
        }
    });
    assert_eq!(encoding.action_name(encoding.n_actions()), None);
}

#[test]
fn observations_have_the_names_of_their_places_and_tell_seats_apart() {
    for mods in [vec!["base"], vec!["base", "inns-cathedrals", "builders-traders"]] {
        let encoding = Encoding::new(loaded(&mods).catalogue().clone(), 2, 99, 64).unwrap();
        let (planes, numbers) = (encoding.plane_names(), encoding.number_names());
        assert_eq!((planes.len(), numbers.len()), (encoding.n_planes(), encoding.n_numbers()));
        let plane = |name: &str| planes.iter().position(|it| it == name).unwrap();
        let number = |name: &str| numbers.iter().position(|it| it == name).unwrap();
        let mut n_seen = 0;
        play(&mods, 5, |rules, game| {
            let n_cells = encoding.size() * encoding.size();
            let mut seen = [(vec![0; encoding.n_cells()], vec![0.0; encoding.n_numbers()]), Default::default()];
            seen[1] = seen[0].clone();
            for (seat, (cells, values)) in seen.iter_mut().enumerate() {
                encoding.observe(rules, game.state(), Seat(seat as u8), cells, values);
            }
            let sum = |seat: usize, name: &str| -> usize {
                let at = plane(name) * n_cells;
                seen[seat].0[at..at + n_cells].iter().map(|it| usize::from(*it)).sum()
            };
            let state = game.state().view();
            assert_eq!(sum(0, "tile"), state.board.n_laid());
            assert_eq!(sum(0, "open"), state.board.open_spots().count());
            assert_eq!(sum(0, "own follower"), sum(1, "other follower"));
            let supply = seen[0].1[number("seat 0 follower")];
            assert_eq!(supply as usize + sum(0, "own follower"), 7);
            assert_eq!(seen[0].1[number("seat 0 score")], seen[1].1[number("seat 1 score")]);
            let asked = ["seat 0 asked", "seat 1 asked"].map(|name| seen[0].1[number(name)]);
            assert_eq!(asked[0] + asked[1], 1.0);
            n_seen += 1;
        });
        assert!(n_seen > 70);
    }
}

#[test]
fn games_that_go_on_together_are_those_of_a_simulation() {
    let loaded = loaded(&["base"]);
    let rules = rules(&loaded);
    let setup = Setup::of(&["base"], 2);
    let whole = |parts: &[(usize, usize)]| {
        let mut ended = Vec::new();
        for (first, n) in parts {
            let mut games = Stepper::new(&rules, &setup, 4, *first, *n, 5).unwrap();
            for _ in 0..1000 {
                assert_eq!(games.answer(|_, _| Some(0)), None);
            }
            ended.extend(games.take_ended());
            assert!(games.take_ended().is_empty());
        }
        ended.sort_by_key(|it| it.number);
        ended
    };
    let ended = whole(&[(0, 5)]);
    assert_eq!(ended, whole(&[(0, 2), (2, 3)]));
    assert!(ended.len() > 20 && ended.iter().all(|it| it.fault.is_none() && it.number % 5 == it.slot as u64));
    let mut game = record::start_game(rules.clone(), setup).unwrap();
    let mut dealer = Dealer::new(sim::seed_of_game(4, ended[3].number));
    game.deal(&mut dealer);
    while game.state().decision().is_some() {
        game.answer_nth(0);
        game.deal(&mut dealer);
    }
    let scores: Vec<i64> = game.state().seats().map(|seat| game.state().score(seat)).collect();
    assert_eq!(ended[3].scores, scores);
}

#[test]
fn an_option_that_is_not_offered_stops_the_step() {
    let loaded = loaded(&["base"]);
    let mut games = Stepper::new(&rules(&loaded), &Setup::of(&["base"], 2), 4, 10, 3, 20).unwrap();
    assert_eq!(games.answer(|slot, _| if slot == 1 { None } else { Some(0) }), Some(11));
    assert_eq!(games.answer(|_, _| Some(100_000)), Some(10));
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    for (size, n_indexed) in [(24, 64), (1, 64), (101, 64), (25, 0), (25, 20_000)] {
        assert!(Encoding::new(loaded(&["base"]).catalogue().clone(), 2, size, n_indexed).is_err());
    }
}
