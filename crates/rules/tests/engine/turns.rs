//! Turn flow: parts, phases, sources of tiles, and the end.

use board::{EdgeStyle, TileIdx};
use rules::{DeckIdx, Hook, PhaseIdx, Seat, Slot, Status, Value};
use testkit::{Kit, ask_or_pass, play, score, texts};

use crate::{asked, notes, noting, option};

#[test]
fn a_turn_draws_places_and_deploys() {
    let mut game = Kit::small().game(2);
    assert_eq!(asked(&game), "chance draw");
    play(&mut game, &["draw kit/straight"]);
    assert_eq!(asked(&game), "red place");
    play(&mut game, &["place -1,0 0"]);
    assert_eq!(asked(&game), "red deploy");
    assert_eq!(texts(&game), ["deploy meeple -1,0 road@e", "pass"]);
    play(&mut game, &["pass"]);
    assert_eq!((asked(&game).as_str(), game.state().player()), ("chance draw", Seat(1)));
    assert_eq!(game.state().turn().unwrap().number, 2);
}

#[test]
fn where_only_passing_is_left_nobody_is_asked() {
    let mut game = Kit::small().tile("green", 1, "field").game(2);
    play(&mut game, &["draw kit/green", "place 0,1 0"]);
    assert_eq!((asked(&game).as_str(), game.state().player()), ("chance draw", Seat(1)));
}

#[test]
fn the_last_tile_brings_the_final_count() {
    let mut game = Kit::small().deck(&[("stop", 1)]).game(2);
    play(&mut game, &["draw kit/stop", "place 1,0 90", "deploy meeple 1,0 road@w"]);
    assert_eq!(asked(&game), "over");
    assert_eq!([score(&game, 0), score(&game, 1)], [2, 0]);
    assert!(game.state().awards()[0].is_final);
}

#[test]
fn a_tile_that_fits_nowhere_leaves_the_game() {
    let lakes = || Kit::small().kind("lake", EdgeStyle::Full).tile("lake", 1, "lake n e s w");
    let mut game = lakes().deck(&[("lake", 1), ("straight", 1)]).game(2);
    play(&mut game, &["draw kit/lake"]);
    assert_eq!(texts(&game), ["draw kit/straight"], "another one is drawn");
    assert_eq!(game.state().player(), Seat(0));
    let mut game = lakes().deck(&[("lake", 1)]).game(2);
    play(&mut game, &["draw kit/lake"]);
    assert_eq!(asked(&game), "over", "nothing is left to draw");
}

#[test]
fn a_tile_that_a_mod_lets_lie_nowhere_leaves_the_game() {
    let kit = Kit::small().hook(Hook::FilterPlaces, |args, _| match args[0] {
        Value::TileType(TileIdx(1)) => Ok(Value::list([])),
        _ => Ok(args[1].clone()),
    });
    let mut game = kit.game(2);
    play(&mut game, &["draw kit/curve"]);
    assert_eq!(asked(&game), "chance draw");
    play(&mut game, &["draw kit/straight"]);
    assert_eq!(asked(&game), "red place");
}

#[test]
fn a_place_must_pass_every_mod() {
    let west = |args: &[Value]| {
        let places = args[1].as_list().unwrap_or_default().iter();
        Value::list(places.filter(|p| matches!(p, Value::Placement(_, p) if p.spot.x < 0)).cloned())
    };
    let unturned = |args: &[Value]| {
        let places = args[1].as_list().unwrap_or_default().iter();
        Value::list(places.filter(|p| matches!(p, Value::Placement(_, p) if p.facing.quarters() == 0)).cloned())
    };
    let kit = Kit::small().hook(Hook::FilterPlaces, move |args, _| Ok(west(args)));
    let mut game = kit.in_mod("second").hook(Hook::FilterPlaces, move |args, _| Ok(unturned(args))).game(2);
    play(&mut game, &["draw kit/straight"]);
    assert_eq!(texts(&game), ["place -1,0 0"]);
}

/// Makes a mod that adds a part with deck number `deck` when the second tile lies on the board.
fn with_extra_part(now: bool, deck: u8) -> Kit {
    Kit::small().further_deck("bonus", &[("abbey", 1)]).hook(Hook::TilePlaced, move |_, call| {
        if call.state().board.n_laid() == 2 {
            call.state_mut()?.add_part("more", DeckIdx(deck), now)?;
        }
        Ok(Value::Unit)
    })
}

#[test]
fn a_part_now_is_played_within_the_part_that_caused_it() {
    let mut game = with_extra_part(true, 0).game(2);
    play(&mut game, &["draw kit/straight", "place -1,0 0"]);
    assert_eq!((asked(&game).as_str(), game.state().part().unwrap().reason.as_ref()), ("chance draw", "more"));
    play(&mut game, &["draw kit/straight", "place 1,0 0", "pass"]);
    assert_eq!(asked(&game), "red deploy", "the outer part goes on");
    assert_eq!(texts(&game), ["deploy meeple -1,0 road@e", "pass"]);
    play(&mut game, &["pass"]);
    assert_eq!(game.state().player(), Seat(1));
}

#[test]
fn a_part_after_waits_until_the_part_has_ended() {
    let mut game = with_extra_part(false, 0).game(2);
    play(&mut game, &["draw kit/straight", "place -1,0 0"]);
    assert_eq!(asked(&game), "red deploy");
    play(&mut game, &["pass"]);
    assert_eq!((asked(&game).as_str(), game.state().player()), ("chance draw", Seat(0)));
    play(&mut game, &["draw kit/straight", "place 1,0 0", "pass"]);
    assert_eq!(game.state().player(), Seat(1));
}

#[test]
fn a_part_draws_from_its_own_deck() {
    let mut game = with_extra_part(true, 1).game(2);
    play(&mut game, &["draw kit/straight", "place -1,0 0"]);
    assert_eq!(texts(&game), ["draw kit/abbey"]);
    play(&mut game, &["draw kit/abbey", "place 0,1 0", "pass", "pass"]);
    assert_eq!(game.state().player(), Seat(1), "one abbey there was");
}

#[test]
fn a_part_whose_deck_is_empty_ends_at_once() {
    let kit = with_extra_part(true, 1).change(|catalogue| catalogue.decks[1].items.clear());
    let mut game = kit.game(2);
    play(&mut game, &["draw kit/straight", "place -1,0 0"]);
    assert_eq!(asked(&game), "red deploy");
}

#[test]
fn redraw_puts_the_tile_under_the_deck() {
    let kit = Kit::small().deck(&[("straight", 1), ("curve", 1)]).phase("look", Slot::Drawn, |_, call| {
        let player = call.state().player();
        if ask_or_pass(call, player, "Another tile?", &["other"])?.is_some() {
            let (state, ruleset) = call.state_mut_and_ruleset()?;
            state.redraw(ruleset)?;
        }
        Ok(Value::Unit)
    });
    let mut game = kit.game(2);
    play(&mut game, &["draw kit/straight", "other"]);
    assert_eq!(texts(&game), ["draw kit/curve"]);
    play(&mut game, &["draw kit/curve", "pass", "place 1,0 0", "pass"]);
    assert_eq!(texts(&game), ["draw kit/straight"]);
}

#[test]
fn a_skipped_phase_is_left_out_in_this_part_only() {
    let kit = Kit::small().hook(Hook::TilePlaced, |_, call| {
        let piece = call.ruleset().catalogue.phases.iter().position(|phase| phase.id == "piece").unwrap();
        if call.state().player() == Seat(0) {
            call.state_mut()?.skip_phase(PhaseIdx(piece as u16))?;
        }
        Ok(Value::Unit)
    });
    let mut game = kit.game(2);
    play(&mut game, &["draw kit/straight", "place -1,0 0"]);
    assert_eq!((asked(&game).as_str(), game.state().player()), ("chance draw", Seat(1)));
    play(&mut game, &["draw kit/straight", "place 1,0 0"]);
    assert_eq!(asked(&game), "blue deploy");
}

#[test]
fn phases_run_in_the_order_of_slots_and_then_of_mods() {
    let kit = Kit::small().phase("b", Slot::End, noting("end")).phase("a", Slot::Placed, noting("placed"));
    let mut game = kit.in_mod("second").phase("c", Slot::Placed, noting("placed too")).game(2);
    play(&mut game, &["draw kit/straight", "place -1,0 0"]);
    assert_eq!(notes(&game), ["placed", "placed too"]);
    play(&mut game, &["pass"]);
    assert_eq!(notes(&game), ["placed", "placed too", "end"]);
}

#[test]
fn a_tile_may_come_from_elsewhere() {
    let kit = Kit::small().hook(Hook::TileSources, |_, _| Ok(Value::list([option("own")]))).option("own", |_, call| {
        let (state, ruleset) = call.state_mut_and_ruleset()?;
        state.play_tile(ruleset, TileIdx(5))?;
        Ok(Value::Unit)
    });
    let mut game = kit.game(2);
    assert_eq!(asked(&game), "red source");
    let n = game.state().deck(DeckIdx(0)).len();
    play(&mut game, &["own"]);
    assert_eq!((asked(&game).as_str(), game.state().deck(DeckIdx(0)).len()), ("red place", n));
    play(&mut game, &["place 0,1 0", "pass", "pass"]);
    assert_eq!(asked(&game), "chance draw", "the deck is a source as well");
}

#[test]
fn an_option_beside_deploying_takes_its_place() {
    let kit = Kit::small().token("coin").hook(Hook::ActionOptions, |_, _| Ok(Value::list([option("work")])));
    let mut game = kit
        .option("work", |_, call| {
            crate::give(call, 1)?;
            Ok(Value::Unit)
        })
        .game(2);
    play(&mut game, &["draw kit/straight", "place -1,0 0"]);
    assert_eq!(texts(&game), ["deploy meeple -1,0 road@e", "work", "pass"]);
    play(&mut game, &["work"]);
    assert_eq!((crate::tokens(&game, 0), game.state().player()), (1, Seat(1)));
}

#[test]
fn an_option_at_any_time_leaves_the_question_open() {
    let kit = Kit::small().token("coin").hook(Hook::AnytimeOptions, |_, call| {
        let has_one = call.state().tokens(Some(Seat(0)), rules::TokenIdx(0)) > 0;
        Ok(Value::list((!has_one).then(|| option("work"))))
    });
    let mut game = kit
        .option("work", |_, call| {
            crate::give(call, 1)?;
            Ok(Value::Unit)
        })
        .game(2);
    play(&mut game, &["pass", "draw kit/straight"]);
    let places = texts(&game);
    play(&mut game, &["work"]);
    assert_eq!(asked(&game), "red place");
    assert_eq!(texts(&game), places[..places.len() - 1]);
}

#[test]
fn a_mod_may_keep_the_game_from_ending() {
    let kit = Kit::small().deck(&[("stop", 1)]);
    let mut game =
        kit.hook(Hook::CanEndGame, |_, call| Ok(Value::Bool(call.state().turn().unwrap().number == 5))).game(2);
    play(&mut game, &["draw kit/stop", "place 1,0 90", "pass"]);
    assert_eq!((asked(&game).as_str(), game.state().turn().unwrap().number), ("over", 5));
}

#[test]
fn a_game_that_may_never_end_stands_still() {
    let kit = Kit::small().deck(&[("stop", 1)]);
    let mut game = kit.hook(Hook::CanEndGame, |_, _| Ok(Value::Bool(false))).game(2);
    play(&mut game, &["draw kit/stop", "place 1,0 90", "pass"]);
    assert!(matches!(game.status(), Status::Fault(_)));
}

#[test]
fn an_answer_without_the_mod_of_a_tile_is_suggested() {
    let game = Kit::small().game(2);
    for (answer, expected) in [
        ("draw wall", "not offered: the deck land has no wall; did you mean `draw kit/wall`? chance is asked"),
        ("draw x/wall", "not offered: the mod x is not in this game; did you mean `draw kit/wall`? chance is asked"),
        ("draw kit/hill", "not offered: the deck land has no kit/hill. chance is asked"),
    ] {
        let told = game.not_offered(answer).to_string();
        assert!(told.contains(expected), "{told}");
    }
}
