//! What players may not know is not in what bots are given.

use std::rc::Rc;

use players::{Player, View, player_named};
use record::open;
use rules::{Dealer, Game, Rules, Seat, SeatSet, Setup, State, Status, Who, seen_by};
use tests::{load_any, rules};

fn table(id: &str, n_players: usize) -> (Rc<Rules>, Setup) {
    let setup = Setup::of(&[id], n_players);
    (rules(&load_any(&[id]), &setup), setup)
}

fn after(rules: &Rc<Rules>, setup: &Setup, answers: &[&str]) -> Game {
    let mut game = open(rules.clone(), setup.clone()).unwrap();
    for answer in answers {
        game.answer_text(answer).unwrap();
    }
    game
}

fn as_seen(game: &Game, seat: u8) -> State {
    seen_by(game.rules(), game.state(), Seat(seat).into()).into_owned()
}

#[test]
fn who_may_not_see_an_answer_gets_the_same_state_whatever_it_was() {
    let (rules, setup) = table("secret-bids", 3);
    let bid = |bid: &str| after(&rules, &setup, &["draw base/U", "place 1,0 0", bid]);
    let (none, all) = (bid("bid 0"), bid("bid 3"));
    assert_ne!(none.state(), all.state());
    assert_ne!(as_seen(&none, 0), as_seen(&all, 0), "red knows what it has bidden");
    assert_eq!(as_seen(&none, 1), as_seen(&all, 1));
    assert_eq!(as_seen(&none, 2), as_seen(&all, 2));
    let both: SeatSet = [Seat(0), Seat(1)].into_iter().collect();
    let of_both = |game: &Game| seen_by(game.rules(), game.state(), both).into_owned();
    assert_eq!(of_both(&none), of_both(&all), "what one of those who look may not see nobody is shown");
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
    let n_cards = |state: &State| state.held(Seat(0)).count() + state.deck(rules::DeckIdx(1)).len();
    assert_eq!(n_cards(&as_seen(&city, 1)), n_cards(city.state()), "nothing is lost");
}

#[test]
fn where_nothing_is_hidden_bots_get_the_state_itself() {
    let (rules, setup) = table("base", 2);
    let game = after(&rules, &setup, &["draw base/U"]);
    let seen = seen_by(&rules, game.state(), Seat(1).into());
    assert!(std::ptr::eq(&raw const *seen, game.state()));
}

#[test]
fn bots_play_whole_games_with_secrets() {
    for (id, seed) in [("secret-bids", 1), ("secret-hands", 2), ("secret-hands", 3)] {
        let (rules, setup) = table(id, 3);
        let mut game = open(rules.clone(), setup).unwrap();
        let mut bots: Vec<Box<dyn Player>> =
            ["greedy", "random", "random"].iter().map(|name| (player_named(name).unwrap().make)(seed)).collect();
        let mut dealer = Dealer::new(seed);
        loop {
            game.deal(&mut dealer);
            let Status::Decision(decision) = game.status() else { break };
            let Who::Player(seat) = decision.who else { panic!("chance has nothing to answer") };
            let state = &*seen_by(&rules, game.state(), seat.into());
            let n = bots[seat.idx()].choose(&View { rules: &rules, state, decision });
            game.answer_nth(n);
        }
        assert!(game.state().is_over(), "{id}: {:?}", game.status());
    }
}
