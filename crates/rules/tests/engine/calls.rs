//! Functions of mods: the order of events, questions during a call, and the state after a failed
//! call.

use rules::{Call, Hook, Location, MAX_ASKS, MAX_EVENTS, PieceKindIdx, Refusal, Scope, Seat, TokenIdx, Value};
use testkit::{Kit, ask, ask_or_pass, fault, hash, play, position, texts};

use crate::{asked, give, notes, noting, tokens};

/// Answers that lead to `tile_placed`.
const LAID: [&str; 2] = ["draw kit/straight", "place -1,0 0"];

/// Puts a meeple of the turn's player on the spot 0,0.
fn put(call: &mut Call<'_>) -> Result<(), Refusal> {
    let spot = board::Spot::new(0, 0);
    let (state, ruleset) = call.state_mut_and_ruleset()?;
    let player = state.player();
    state.put_piece(ruleset, PieceKindIdx(0), Some(player), Location::Spot(spot), &[])?;
    Ok(())
}

#[test]
fn what_an_event_causes_comes_after_its_last_mod_and_before_older_work() {
    let kit = Kit::small().hook(Hook::TilePlaced, |_, call| {
        call.state_mut()?.note("first");
        put(call)?;
        Ok(Value::Unit)
    });
    let kit = kit.in_mod("second").hook(Hook::TilePlaced, noting("second")).hook(Hook::PiecePlaced, noting("piece"));
    let mut game = kit.phase("later", rules::Slot::Placed, noting("phase")).game(2);
    play(&mut game, &LAID);
    assert_eq!(notes(&game), ["first", "second", "piece", "phase"]);
}

#[test]
fn a_chain_of_events_that_never_ends_is_a_fault() {
    let again = |_: &[Value], call: &mut Call<'_>| put(call).map(|()| Value::Unit);
    let kit = Kit::small().change(|catalogue| catalogue.pieces[0].per_player = 2000);
    let mut game = kit.hook(Hook::TilePlaced, again).hook(Hook::PiecePlaced, again).game(2);
    play(&mut game, &LAID);
    let fault = fault(&game);
    assert!(fault.failure.message.contains(&MAX_EVENTS.to_string()), "{fault}");
    assert_eq!((fault.mods, fault.function.as_str()), (vec!["kit".to_owned()], "piece_placed"));
}

/// Makes two mods: the first gives a coin; the second gives five coins and then asks.
fn asking() -> Kit {
    let coin = |_: &[Value], call: &mut Call<'_>| give(call, 1).map(|()| Value::Unit);
    let kit = Kit::small().token("coin").hook(Hook::TilePlaced, coin);
    kit.in_mod("second").hook(Hook::TilePlaced, |_, call| {
        give(call, 5)?;
        match ask(call, Seat(1), "Go on?", &["yes", "no"])?.as_str() {
            "yes" => Ok(Value::Unit),
            _ => Err("it must go on".into()),
        }
    })
}

#[test]
fn a_call_that_asks_has_done_nothing_yet_but_shows_it() {
    let mut game = asking().game(2);
    play(&mut game, &LAID);
    assert_eq!(asked(&game), "blue ask");
    assert_eq!(tokens(&game, 0), 1, "what the first mod did is done");
    assert_eq!(game.state().view().tokens(Some(Seat(0)), TokenIdx(0)), 6, "whoever is asked sees the rest");
    play(&mut game, &["yes"]);
    assert_eq!(tokens(&game, 0), 6, "each call has happened once");
    assert_eq!(asked(&game), "red deploy");
}

#[test]
fn a_call_that_fails_leaves_the_state_as_it_was() {
    let mut game = asking().game(2);
    play(&mut game, &LAID);
    let (before, waiting) = (position(&game), hash(&game));
    play(&mut game, &["no"]);
    let found = fault(&game);
    assert_eq!((found.failure.message.as_str(), found.mods.as_slice()), ("it must go on", &["second".to_owned()][..]));
    assert_eq!((found.function.as_str(), found.decision), ("tile_placed", 3));
    assert_eq!(position(&game), before);
    assert!(game.answer_text("yes").is_err(), "a fault cannot be answered");
    game.retry();
    assert_eq!(fault(&game), found);
    game.undo(1);
    assert_eq!((hash(&game), asked(&game).as_str()), (waiting, "blue ask"));
    play(&mut game, &["yes"]);
    assert_eq!(tokens(&game, 0), 6);
}

/// If the engine panics anywhere, no part of the answer stays applied, and the fault names the
/// running function.
#[test]
fn a_panic_is_a_fault_and_the_game_stands_as_before_the_answer() {
    let kit = Kit::small().token("coin").hook(Hook::TilePlaced, |_, call| {
        give(call, 1)?;
        match ask(call, Seat(1), "Go on?", &["yes", "no"])?.as_str() {
            "yes" => Ok(Value::Unit),
            _ => panic!("it was {} coins", call.state().tokens(Some(Seat(0)), TokenIdx(0))),
        }
    });
    let mut game = kit.game(2);
    play(&mut game, &LAID);
    let (before, waiting) = (position(&game), hash(&game));
    play(&mut game, &["no"]);
    let found = fault(&game);
    let told = "internal error: it was 1 coins (crates/rules/tests/engine/calls.rs:";
    assert!(found.failure.is_panic && found.failure.message.starts_with(told), "{found}");
    assert_eq!((found.mods.as_slice(), found.function.as_str()), (&["kit".to_owned()][..], "tile_placed"));
    assert_eq!((position(&game), game.log().len(), game.state().decision().is_none()), (before, 3, true));
    assert_eq!(game.log_texts(), [LAID[0], LAID[1], "no"]);
    game.retry();
    assert_eq!(fault(&game), found);
    game.undo(1);
    assert_eq!((hash(&game), asked(&game).as_str()), (waiting, "blue ask"));
    play(&mut game, &["yes"]);
    assert_eq!(tokens(&game, 0), 1);
}

#[test]
fn a_panic_before_the_first_answer_is_a_fault() {
    let game = Kit::small().hook(Hook::Setup, |_, _| panic!("never")).game(2);
    let found = fault(&game);
    assert!(found.failure.message.contains("never") && found.decision == 0 && found.function == "setup", "{found}");
    assert!(game.log().is_empty());
}

#[test]
fn answers_come_in_the_order_of_questions() {
    let kit = Kit::small().hook(Hook::TilePlaced, |_, call| {
        let first = ask(call, Seat(0), "First?", &["a", "b"])?;
        let second = ask(call, Seat(1), "Second?", if first == "a" { &["c", "d"] } else { &["e", "f"] })?;
        call.state_mut()?.note(&format!("{first} {second}"));
        Ok(Value::Unit)
    });
    let mut game = kit.game(2);
    play(&mut game, &LAID);
    play(&mut game, &["b"]);
    assert_eq!((asked(&game).as_str(), texts(&game)), ("blue ask", vec!["e".to_owned(), "f".to_owned()]));
    play(&mut game, &["f"]);
    assert_eq!(notes(&game), ["b f"]);
}

#[test]
fn options_of_one_text_are_one_and_no_option_asks_nobody() {
    let kit = Kit::small().hook(Hook::TilePlaced, |_, call| {
        assert_eq!(ask_or_pass(call, Seat(0), "Nothing?", &[])?, None);
        ask_or_pass(call, Seat(0), "Which?", &["a", "b", "a"])?;
        Ok(Value::Unit)
    });
    let mut game = kit.game(2);
    play(&mut game, &LAID);
    assert_eq!(texts(&game), ["a", "b", "pass"]);
}

#[test]
fn asking_without_end_is_a_fault() {
    let kit = Kit::small().hook(Hook::TilePlaced, |_, call| {
        loop {
            ask(call, Seat(0), "Again?", &["yes"])?;
        }
    });
    let mut game = kit.game(2);
    play(&mut game, &LAID);
    play(&mut game, &["yes"; MAX_ASKS]);
    assert!(fault(&game).failure.message.contains(&format!("{MAX_ASKS} times")), "{}", fault(&game));
}

#[test]
fn a_function_that_swallows_its_question_is_a_fault() {
    let kit = Kit::small().token("coin").hook(Hook::TilePlaced, |_, call| {
        give(call, 3)?;
        let _ = ask(call, Seat(0), "Well?", &["yes"]);
        Ok(Value::Unit)
    });
    let mut game = kit.game(2);
    play(&mut game, &LAID);
    assert!(fault(&game).failure.message.contains("went on"), "{}", fault(&game));
    assert_eq!(tokens(&game, 0), 0);
}

#[test]
fn after_its_question_a_call_can_neither_look_nor_change() {
    let kit = Kit::small().token("coin").hook(Hook::TilePlaced, |_, call| {
        let asked = ask(call, Seat(0), "Well?", &["yes"]);
        if asked.is_err() {
            assert_eq!(give(call, 1), Err(Refusal::Asked));
            assert_eq!(call.checked_state().map(|_| ()), Err(Refusal::Asked));
            assert_eq!(ask(call, Seat(0), "And?", &["no"]), Err(Refusal::Asked));
        }
        asked.map(|_| Value::Unit)
    });
    let mut game = kit.game(2);
    play(&mut game, &LAID);
    assert_eq!(texts(&game), ["yes"], "the first question counts");
    play(&mut game, &["yes"]);
    assert_eq!(tokens(&game, 0), 0);
}

#[test]
fn rules_may_neither_change_nor_ask() {
    let kit = Kit::small().token("coin").hook(Hook::FilterPlaces, |args, call| {
        give(call, 1)?;
        Ok(args[1].clone())
    });
    let mut game = kit.game(2);
    play(&mut game, &LAID[..1]);
    assert!(fault(&game).failure.message.contains("may only look"), "{}", fault(&game));
    let kit = Kit::small().hook(Hook::ActionOptions, |_, call| {
        ask(call, Seat(0), "Well?", &["yes"])?;
        Ok(Value::Unit)
    });
    let mut game = kit.game(2);
    play(&mut game, &LAID);
    assert!(fault(&game).failure.message.contains("may not ask"), "{}", fault(&game));
}

#[test]
fn a_value_of_another_type_is_a_fault() {
    for (hook, expected) in [
        (Hook::FilterPlaces, "a list of places"),
        (Hook::ActionOptions, "a list of options"),
        (Hook::FilterDeploys, "a list of deployments"),
        (Hook::PieceTargets, "a list of zones"),
    ] {
        for (value, got) in [(Value::Int(7), "returned a number"), (Value::list([Value::Int(7)]), "contains a number")]
        {
            let mut game = Kit::small().hook(hook, move |_, _| Ok(value.clone())).game(2);
            let fault = LAID.iter().find_map(|answer| {
                play(&mut game, &[answer]);
                matches!(game.status(), rules::Status::Fault(_)).then(|| fault(&game))
            });
            let fault = fault.unwrap_or_else(|| panic!("{hook:?} may return a number"));
            assert!(fault.failure.message.contains(expected), "{hook:?}: {fault}");
            assert!(fault.failure.message.contains(got), "{hook:?}: {fault}");
            assert_eq!(fault.function, hook.info().name);
        }
    }
}

#[test]
fn memory_of_a_part_is_forgotten_with_it() {
    let counting = |scope: Scope| {
        move |call: &mut Call<'_>| -> Result<i64, Refusal> {
            let owner = call.owner;
            let mut memory = call.state().memory(owner, scope).map(|it| it.as_ref().clone()).unwrap_or_default();
            let n = match memory.get("n") {
                Some(Value::Int(n)) => n + 1,
                _ => 1,
            };
            memory.insert("n".into(), Value::Int(n));
            call.state_mut()?.set_memory(owner, scope, Some(memory.into()));
            Ok(n)
        }
    };
    let kit = Kit::small().hook(Hook::TilePlaced, move |_, call| {
        let n = [Scope::Part, Scope::Turn, Scope::Game].map(|scope| counting(scope)(call));
        let [part, turn, game] = n;
        let text = format!("{} {} {}", part?, turn?, game?);
        call.state_mut()?.note(&text);
        if call.state().board.n_laid() == 2 {
            call.state_mut()?.add_part("more", rules::DeckIdx(0), false)?;
        }
        Ok(Value::Unit)
    });
    let mut game = kit.game(2);
    play(&mut game, &[LAID[0], LAID[1], "pass", "draw kit/straight", "place 1,0 0", "pass"]);
    play(&mut game, &["draw kit/straight", "place 2,0 0"]);
    assert_eq!(notes(&game), ["1 1 1", "1 2 2", "1 1 3"]);
}
