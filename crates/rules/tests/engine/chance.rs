//! Draws and rolls: decisions that chance answers.

use rules::{Dealer, DeckIdx, Hook, SeatSet, Value};
use testkit::{Kit, hash, play, texts};

use crate::{asked, notes};

const LAID: [&str; 2] = ["draw kit/straight", "place -1,0 0"];

#[test]
fn what_a_call_has_drawn_it_cannot_draw_again() {
    let kit = Kit::small().cards("fate", &[("good", 2), ("bad", 1)]).hook(Hook::TilePlaced, |_, call| {
        while let Some(card) = call.draw(DeckIdx(1), "Which card?", SeatSet::ALL)? {
            let name = call.ruleset().catalogue.cards[card as usize].name.clone();
            call.state_mut()?.note(&name);
        }
        Ok(Value::Unit)
    });
    let mut game = kit.game(2);
    play(&mut game, &LAID);
    assert_eq!(
        (asked(&game).as_str(), texts(&game)),
        ("chance draw", vec!["draw kit/good".into(), "draw kit/bad".into()])
    );
    play(&mut game, &["draw kit/bad"]);
    assert_eq!(texts(&game), ["draw kit/good"]);
    assert_eq!(game.state().deck(DeckIdx(1)).len(), 3, "nothing is drawn before the call has ended");
    play(&mut game, &["draw kit/good", "draw kit/good"]);
    assert_eq!(notes(&game), ["kit/bad", "kit/good", "kit/good"]);
    assert_eq!((asked(&game).as_str(), game.state().deck(DeckIdx(1)).len()), ("red deploy", 0));
}

#[test]
fn what_a_mod_put_under_a_deck_comes_last() {
    let kit = Kit::small().deck(&[("straight", 2), ("curve", 1)]).hook(Hook::ArrangeDeck, |_, call| {
        let state = call.state_mut()?;
        state.take_out(DeckIdx(0), 1, 1);
        state.put_under(DeckIdx(0), &[1], SeatSet::ALL)?;
        Ok(Value::Unit)
    });
    let mut game = kit.game(2);
    assert_eq!(texts(&game), ["draw kit/straight"]);
    play(&mut game, &[LAID[0], LAID[1], "pass", "draw kit/straight", "place 1,0 0", "pass"]);
    assert_eq!(texts(&game), ["draw kit/curve"]);
}

#[test]
fn faces_that_are_there_twice_are_twice_as_likely() {
    let kit = Kit::small().hook(Hook::TilePlaced, |_, call| {
        let n = call.roll(&[1, 1, 6], "How many?")?;
        call.state_mut()?.note(&n.to_string());
        Ok(Value::Unit)
    });
    let mut game = kit.game(2);
    play(&mut game, &LAID);
    assert_eq!((asked(&game).as_str(), texts(&game)), ("chance roll", vec!["roll 1".into(), "roll 6".into()]));
    play(&mut game, &["roll 6"]);
    assert_eq!(notes(&game), ["6"]);
}

#[test]
fn a_tile_is_drawn_as_often_as_it_is_in_the_deck() {
    let game = Kit::small().deck(&[("straight", 1), ("curve", 3)]).game(2);
    let state = game.state();
    assert_eq!(state.decision().unwrap().weights(state), [1, 3]);
}

#[test]
fn a_dealer_draws_the_same_after_going_back() {
    let mut game = Kit::small().game(2);
    let mut dealer = Dealer::new(7);
    let mut hashes = Vec::new();
    for _ in 0..8 {
        assert_eq!(game.deal(&mut dealer), 1);
        hashes.push(hash(&game));
        game.answer_nth(0);
        if asked(&game).ends_with("deploy") {
            play(&mut game, &["pass"]);
        }
    }
    let log = game.log_texts();
    game.undo(log.len());
    for (answer, hash_then) in log.iter().filter(|answer| answer.starts_with("draw")).zip(hashes) {
        assert_eq!(game.deal(&mut dealer), 1);
        assert_eq!((game.log_texts().last(), hash(&game)), (Some(answer), hash_then));
        game.answer_nth(0);
        if asked(&game).ends_with("deploy") {
            play(&mut game, &["pass"]);
        }
    }
}
