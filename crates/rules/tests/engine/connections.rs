//! Features that merge, merge with themselves, and change during play.

use board::{TileRef, ZoneRef};
use rules::{Call, Game, Hook, Refusal, Seat, Slot, Value};
use testkit::{Kit, ask_or_pass, feature_at, play, score};

use crate::{asked, notes};

/// Returns a handler for a merge or split. If the feature is a road, the handler notes `text` and
/// the number of former or new features, which argument number `parts` (0 or 1) lists.
fn noting_parts(text: &'static str, parts: usize) -> impl Fn(&[Value], &mut Call<'_>) -> Result<Value, Refusal> {
    move |args, call| {
        let Value::Feature(feature) = args[1 - parts] else { return Err("no feature".into()) };
        if call.state().board.kind(feature.anchor).0 > 0 {
            return Ok(Value::Unit);
        }
        let n = args[parts].as_list().map_or(0, <[_]>::len);
        call.state_mut()?.note(&format!("{text} {n}"));
        Ok(Value::Unit)
    }
}

#[test]
fn a_road_that_meets_itself_is_complete() {
    let kit = Kit::small().start("curve").hook(Hook::FeatureJoined, noting_parts("joined", 1));
    let mut game = kit.game(2);
    play(&mut game, &["draw kit/curve", "place -1,0 270", "deploy meeple -1,0 road@e"]);
    play(&mut game, &["draw kit/curve", "place 0,1 90", "draw kit/curve", "place -1,1 180"]);
    assert_eq!(notes(&game), [""; 0], "one road has grown, no two became one");
    let road = feature_at(&game, "0,0", "road@s");
    assert_eq!((game.state().board.n_tiles(road), game.state().board.n_open(road)), (4, 0));
    assert_eq!(score(&game, 0), 4);
}

#[test]
fn a_zone_that_meets_itself_counts_its_tile_once() {
    // Two roads end on the tile `bridge`; three curves join them to one road.
    let kit = Kit::small().tile("bridge", 1, "road s, road w, field").start("bridge");
    let mut game = kit.game(2);
    play(&mut game, &["draw kit/curve", "place -1,0 270", "deploy meeple -1,0 road@e"]);
    play(&mut game, &["draw kit/curve", "place 0,1 90", "pass", "draw kit/curve", "place -1,1 180"]);
    let road = feature_at(&game, "0,0", "road@s");
    assert_eq!((game.state().board.n_tiles(road), game.state().board.n_zones_in(road)), (4, 5));
    assert_eq!(score(&game, 0), 4);
}

#[test]
fn a_tile_that_joins_features_says_which() {
    let kit = Kit::small().tile("green", 3, "field").hook(Hook::FeatureJoined, noting_parts("joined", 1));
    let given = ["tile kit/green 0,1 0", "tile kit/green 1,1 0", "tile kit/green 2,1 0", "tile kit/stop 2,0 90"];
    let mut game = kit.game_from(2, &given);
    play(&mut game, &["draw kit/straight", "place -1,0 0", "pass"]);
    assert_eq!(notes(&game), [""; 0], "one road has grown");
    play(&mut game, &["draw kit/straight", "place 1,0 0"]);
    assert_eq!(notes(&game), ["joined 2"]);
    assert_eq!(game.state().board.n_tiles(feature_at(&game, "2,0", "road@w")), 4);
}

/// Makes a mod whose start tile `gate` is the end of two roads. After each tile, red may link and
/// unlink the two roads repeatedly.
fn gate() -> Kit {
    let kit = Kit::small().tile("gate", 0, "road e, road w, field").tile("green", 4, "field").start("gate");
    kit.phase("gate", Slot::Connect, |_, call| {
        while let Some(what) = ask_or_pass(call, Seat(0), "The gate?", &["join", "open"])? {
            let links: &[_] = if what == "join" { &[(ZoneRef(0), ZoneRef(1))] } else { &[] };
            let (state, ruleset) = call.state_mut_and_ruleset()?;
            state.relink(ruleset, TileRef(0), links)?;
        }
        Ok(Value::Unit)
    })
    .hook(Hook::FeatureJoined, noting_parts("joined", 1))
    .hook(Hook::FeatureSplit, noting_parts("split", 0))
    .hook(Hook::FeatureCompleted, crate::noting("completed"))
}

fn n_zones(game: &Game) -> u32 {
    game.state().board.n_zones_in(feature_at(game, "0,0", "road@e"))
}

#[test]
fn a_link_joins_and_without_it_the_feature_comes_apart() {
    let mut game = gate().game(2);
    play(&mut game, &["draw kit/straight", "place 1,0 0", "pass", "join", "pass"]);
    assert_eq!(n_zones(&game), 3);
    assert_eq!(notes(&game), ["joined 2"]);
    play(&mut game, &["draw kit/green", "place 0,1 0", "open", "pass"]);
    assert_eq!(n_zones(&game), 2);
    assert_eq!(notes(&game), ["joined 2", "split 2"]);
}

#[test]
fn pieces_go_with_their_part() {
    let mut game = gate().game(2);
    play(&mut game, &["draw kit/straight", "place 1,0 0", "deploy meeple 1,0 road@e", "join", "pass"]);
    let occupants = |game: &Game, zone| game.state().board.occupants(feature_at(game, "0,0", zone)).count();
    assert_eq!([occupants(&game, "road@e"), occupants(&game, "road@w")], [1, 1]);
    play(&mut game, &["draw kit/green", "place 0,1 0", "open", "pass"]);
    assert_eq!([occupants(&game, "road@e"), occupants(&game, "road@w")], [1, 0]);
}

#[test]
fn what_is_completed_by_parting_is_scored() {
    let mut game = gate().game(2);
    play(&mut game, &["draw kit/stop", "place 1,0 90", "deploy meeple 1,0 road@w", "join", "pass"]);
    assert_eq!((score(&game, 0), notes(&game)), (0, vec!["joined 2".to_owned()]));
    play(&mut game, &["draw kit/green", "place 0,1 0", "open", "pass"]);
    assert_eq!((score(&game, 0), notes(&game).last().unwrap().as_str()), (2, "completed"));
}

#[test]
fn the_same_zones_complete_again_are_nothing_new() {
    let mut game = gate().game(2);
    play(&mut game, &["draw kit/stop", "place 1,0 90", "pass", "pass"]);
    assert_eq!(notes(&game), ["completed"]);
    play(&mut game, &["draw kit/green", "place 0,1 0", "join", "open", "pass"]);
    assert_eq!(notes(&game), ["completed", "joined 2", "split 2"]);
    assert_eq!(asked(&game), "chance draw");
}
