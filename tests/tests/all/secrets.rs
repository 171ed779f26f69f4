//! Bots do not receive hidden information.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use players::{Player, View, player_named};
use record::{Record, Reload, record_text, reload, replay, start_game, state_hash};
use rules::{
    Actor, Dealer, DeckIdx, Game, Item, Rules, Seat, SeatSet, Setup, State, Status, option_texts, redacted_for,
};
use tests::{load_any, play_at_random, rules};

fn table(id: &str, n_players: usize) -> (Rc<Rules>, Setup) {
    let setup = Setup::of(&[id], n_players);
    (rules(&load_any(&[id]), &setup), setup)
}

fn after(rules: &Rc<Rules>, setup: &Setup, answers: &[&str]) -> Game {
    let mut game = start_game(rules.clone(), setup.clone()).unwrap();
    for answer in answers {
        game.answer_text(answer).unwrap();
    }
    game
}

fn hash(game: &Game) -> u64 {
    state_hash(&game.rules().ruleset, game.state())
}

fn as_seen(game: &Game, seat: u8) -> State {
    redacted_for(game.rules(), game.state(), Seat(seat).into()).into_owned()
}

#[test]
fn who_may_not_see_an_answer_gets_the_same_state_whatever_it_was() {
    let (rules, setup) = table("secret-bids", 3);
    let bid = |bid: &str| after(&rules, &setup, &["draw base/U", "place 1,0 0", bid]);
    let (none, all) = (bid("bid 0"), bid("bid 3"));
    assert_ne!(none.state(), all.state());
    assert_ne!(as_seen(&none, 0), as_seen(&all, 0), "red knows its own bid");
    assert_eq!(as_seen(&none, 1), as_seen(&all, 1));
    assert_eq!(as_seen(&none, 2), as_seen(&all, 2));
    let both: SeatSet = [Seat(0), Seat(1)].into_iter().collect();
    let of_both = |game: &Game| redacted_for(game.rules(), game.state(), both).into_owned();
    assert_eq!(of_both(&none), of_both(&all), "anything hidden from one viewer is hidden from both");
}

#[test]
fn who_may_not_see_a_card_or_tile_gets_the_same_state_whichever_it_is() {
    let (rules, setup) = table("secret-hands", 2);
    let drawn = |of_red: &str, next: &str| {
        let (card, tile) = (format!("draw secret-hands/{of_red}"), format!("draw base/{next}"));
        let known = format!("known base/{next}");
        let answers = [&card, "draw secret-hands/road", "draw base/U", "place 1,0 0", "spy", &tile, &known];
        (after(&rules, &setup, &answers[..6]), after(&rules, &setup, &answers))
    };
    let (asked_city, city) = drawn("city", "E");
    let (asked_field, field) = drawn("field", "V");
    for (one, other) in [(&asked_city, &asked_field), (&city, &field)] {
        assert_ne!(as_seen(one, 0), as_seen(other, 0));
        assert_eq!(as_seen(one, 1), as_seen(other, 1));
    }
    let n_cards = |state: &State| state.held_items(Seat(0)).count() + state.deck(DeckIdx(1)).len();
    assert_eq!(n_cards(&as_seen(&city, 1)), n_cards(city.state()), "redaction keeps the number of cards");
}

/// At every position of random games, redacting the state gives a complete state with the same
/// options. Redacting it again changes nothing.
#[test]
fn what_is_seen_is_a_state_of_the_same_game() {
    let mut n_hidden = 0;
    for id in ["secret-bids", "secret-hands", "secret-tiles", "mixed-draws"] {
        for seed in 0..6 {
            let (rules, setup) = table(id, 3);
            let mut game = start_game(rules.clone(), setup).unwrap();
            play_at_random(&mut game, seed, |game| {
                let state = game.state();
                for seat in state.seats() {
                    let seen = as_seen(game, seat.0);
                    n_hidden += usize::from(seen != *state);
                    assert_eq!(redacted_for(&rules, &seen, seat.into()).into_owned(), seen, "{id}, seed {seed}");
                    assert_eq!(n_items(&rules, &seen), n_items(&rules, state), "{id}, seed {seed}");
                    let Some(decision) = state.decision().filter(|decision| decision.who == Actor::Player(seat)) else {
                        continue;
                    };
                    assert!(decision.seen_by.contains(seat));
                    assert_eq!(option_texts(&rules.ruleset, &seen), option_texts(&rules.ruleset, state));
                }
            });
        }
    }
    assert!(n_hidden > 1000, "{n_hidden}");
}

/// Returns the number of copies of each tile and card in decks and hands.
fn n_items(rules: &Rules, state: &State) -> BTreeMap<Item, usize> {
    let mut n = BTreeMap::new();
    state.seats().flat_map(|seat| state.held_items(seat)).for_each(|held| *n.entry(held.item).or_default() += 1);
    for (d, declared) in rules.catalogue().decks.iter().enumerate() {
        for stack in state.deck(DeckIdx(d as u8)).groups.iter().flat_map(|group| &group.stacks) {
            *n.entry(Item::of(declared.holds, stack.item)).or_default() += usize::from(stack.left);
        }
    }
    n
}

/// Undoing, reloading and replaying give the same states during rounds, secret draws and hidden
/// offers.
#[test]
fn secrets_are_gone_through_reloaded_and_replayed_at_every_answer() {
    for (id, seed) in [("secret-bids", 4), ("secret-hands", 5), ("secret-tiles", 6)] {
        let (rules, setup) = table(id, 3);
        let mut game = start_game(rules.clone(), setup).unwrap();
        let mut hashes = Vec::new();
        play_at_random(&mut game, seed, |game| hashes.push(hash(game)));
        let log = game.log().to_vec();
        for at in (0..log.len().min(60)).rev() {
            game.go_to(at);
            assert_eq!(hash(&game), hashes[at], "{id}, back at {at}");
            let Reload::Same(reloaded) = reload(&game, table(id, 3).0, game.setup().clone()).unwrap() else {
                panic!("{id}, answer {at}: not the same")
            };
            let (record, problems) = Record::parse(&record_text(&game));
            assert!(problems.is_empty(), "{problems:?}");
            let replayed = replay(rules.clone(), &record, |_| {}).unwrap().game;
            for again in [&reloaded, &replayed] {
                assert_eq!(again.state(), game.state(), "{id}, answer {at}");
                assert_eq!(again.state().seats().map(|seat| as_seen(again, seat.0)).collect::<Vec<_>>(), {
                    game.state().seats().map(|seat| as_seen(&game, seat.0)).collect::<Vec<_>>()
                });
            }
        }
    }
}

/// Two states that differ only in the players who may see a hidden item have different hashes.
#[test]
fn the_hash_of_a_state_holds_who_may_see_what() {
    let (rules, setup) = table("secret-hands", 2);
    let with = |line: &str| {
        let position = vec!["deck goals".to_owned(), line.to_owned(), "turn red 1".to_owned()];
        hash(&start_game(rules.clone(), Setup { position, ..setup.clone() }).unwrap())
    };
    let hand = |seen: &str| with(&format!("hand red secret-hands/road{seen}"));
    let hashes: BTreeSet<u64> = ["", " seen", " seen red", " seen blue"].into_iter().map(hand).collect();
    assert_eq!(hashes.len(), 4);
    assert_eq!(hand(""), hand(" seen red blue"), "red and blue are all players");
    let decks = ["", " seen red"].map(|seen| with(&format!("deck land base/U{seen}")));
    assert_ne!(decks[0], decks[1]);
}

#[test]
fn where_nothing_is_hidden_bots_get_the_state_itself() {
    let (rules, setup) = table("base", 2);
    let game = after(&rules, &setup, &["draw base/U"]);
    let seen = redacted_for(&rules, game.state(), Seat(1).into());
    assert!(std::ptr::eq(&raw const *seen, game.state()));
}

#[test]
fn bots_play_whole_games_with_secrets() {
    for (id, seed) in [("secret-bids", 1), ("secret-hands", 2), ("secret-tiles", 3), ("mixed-draws", 4)] {
        let (rules, setup) = table(id, 3);
        let mut game = start_game(rules.clone(), setup).unwrap();
        let mut bots: Vec<Box<dyn Player>> =
            ["greedy", "search:20", "random"].iter().map(|name| player_named(name).unwrap().make(seed)).collect();
        let mut dealer = Dealer::new(seed);
        loop {
            game.deal(&mut dealer);
            let Status::Decision(decision) = game.status() else { break };
            let Actor::Player(seat) = decision.who else { panic!("`deal` answers for chance") };
            let state = &*redacted_for(&rules, game.state(), seat.into());
            let n = bots[seat.idx()].choose(&View { rules: &rules, state, decision });
            assert!(bots[seat.idx()].take_fault().is_none(), "{id}");
            game.answer_nth(n);
        }
        assert!(game.state().is_over(), "{id}: {:?}", game.status());
    }
}

/// A card that a mod mixes into the deck again comes at any place, also as the next one.
#[test]
fn mixed_cards_come_at_any_place() {
    let (rules, setup) = table("mixed-draws", 2);
    let (mut n_draws, mut n_again, mut by_card) = (0, 0, BTreeMap::<String, usize>::new());
    for seed in 0..12 {
        let mut game = start_game(rules.clone(), Setup { seed: Some(seed), ..setup.clone() }).unwrap();
        play_at_random(&mut game, seed, |_| {});
        let texts = game.log_texts();
        let cards: Vec<&String> = texts.iter().filter(|text| text.starts_with("draw mixed-draws/")).collect();
        n_draws += cards.len();
        n_again += cards.windows(2).filter(|pair| pair[0] == pair[1]).count();
        cards.into_iter().for_each(|card| *by_card.entry(card.clone()).or_default() += 1);
    }
    // A quarter of the draws of each card, and of the repeated cards, within five standard errors.
    let is_quarter = |n: usize| {
        let (n, of) = (n as f64, n_draws as f64);
        (n - of / 4.0).abs() < 5.0 * (of * 3.0 / 16.0).sqrt()
    };
    assert!(n_draws > 500 && by_card.len() == 4, "{by_card:?}");
    assert!(is_quarter(n_again) && by_card.values().all(|n| is_quarter(*n)), "{n_again} repeated of {by_card:?}");
}
