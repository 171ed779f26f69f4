//! The log of answers determines the whole game: undo, and other continuations.

use rules::{Dealer, Game, Hook, Status, Value};
use testkit::{Kit, ask_or_pass, hash, play, texts};

use crate::{asked, give};

/// Makes a mod that gives the player a coin for every tile, and two more if the player then answers
/// `more`.
fn kit() -> Kit {
    Kit::small().token("coin").hook(Hook::TilePlaced, |_, call| {
        give(call, 1)?;
        let player = call.state().player();
        if ask_or_pass(call, player, "More?", &["more"])?.is_some() {
            give(call, 2)?;
        }
        Ok(Value::Unit)
    })
}

/// Plays a whole game. A counter that begins with `start` chooses the options. Calls `each` before
/// every answer and at the end.
fn played(mut each: impl FnMut(&Game), start: usize) -> Game {
    let mut game = kit().game(3);
    let (mut dealer, mut n) = (Dealer::new(5), start);
    loop {
        each(&game);
        match game.status() {
            Status::Over => return game,
            Status::Fault(fault) => panic!("{fault}"),
            Status::Decision(decision) => {
                let n_options = decision.n_options(game.state());
                match dealer.answer(&game.rules().ruleset, game.state()) {
                    Some(choice) => game.answer(choice).unwrap(),
                    None => {
                        n += 7;
                        game.answer_nth(n % n_options);
                    }
                }
            }
        }
    }
}

#[test]
fn every_moment_can_be_gone_back_to() {
    let mut states = Vec::new();
    let mut game = played(|game| states.push(game.state().clone()), 1);
    let log = game.log().to_vec();
    let n = log.len();
    assert!(n > 60, "{n} answers are a short game");
    for at in (0..=n).rev() {
        game.go_to(at);
        assert!(*game.state() == states[at] && game.log() == &log[..at], "after {at} answers");
    }
    for (at, answer) in log.iter().enumerate() {
        assert!(*game.state() == states[at], "after {at} answers, given again");
        game.answer(*answer).unwrap();
    }
    assert!(*game.state() == states[n]);
}

#[test]
fn the_texts_of_the_log_are_the_same_game() {
    let game = played(|_| {}, 2);
    let mut again = kit().game(3);
    game.log_texts().iter().for_each(|answer| play(&mut again, &[answer]));
    assert_eq!((hash(&again), again.log()), (hash(&game), game.log()));
}

#[test]
fn going_back_forgets_what_came_after() {
    let mut game = played(|_| {}, 3);
    game.go_to(2);
    assert_eq!(asked(&game), "red ask");
    game.go_to(9);
    assert_eq!(game.log().len(), 2);
    game.answer_nth(0);
    assert_eq!(game.log().len(), 3);
}

#[test]
fn an_answer_that_is_not_offered_changes_nothing() {
    let mut game = kit().game(2);
    play(&mut game, &["draw kit/straight"]);
    let (before, options) = (hash(&game), texts(&game));
    for answer in ["place 0,0 0", "place 5,5 0", "pass", "draw kit/curve", "more", ""] {
        let refused = game.answer_text(answer).unwrap_err();
        assert_eq!((refused.answer.as_str(), &refused.options[..]), (answer, &options[..]));
    }
    assert_eq!((hash(&game), game.log().len()), (before, 1));
}
