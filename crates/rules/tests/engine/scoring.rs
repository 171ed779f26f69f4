//! The values of features, their recipients, and the order of events.

use rules::{Game, Hook, PointFormulas, Refusal, Seat, TermKind, Value};
use testkit::{Kit, fault, play, score};

use crate::{asked, notes, noting};

/// Answers that build a road of three tiles: red begins it and blue completes it.
const ROAD: [&str; 5] =
    ["draw kit/stop", "place 1,0 90", "deploy meeple 1,0 road@w", "draw kit/stop", "place -1,0 270"];

fn played(kit: Kit) -> Game {
    let mut game = kit.game(2);
    play(&mut game, &ROAD);
    game
}

/// Returns a function that submits `terms` to an award.
fn terms(terms: &[(TermKind, i64)]) -> impl Fn(&[Value], &mut rules::Call<'_>) -> Result<Value, Refusal> + use<> {
    let terms = terms.to_vec();
    move |_, call| {
        for (kind, amount) in &terms {
            call.submit(*kind, *amount, "term")?;
        }
        Ok(Value::Unit)
    }
}

#[test]
fn terms_count_in_stages_whatever_their_order() {
    use TermKind::{Add, Double, Halve, Replace, Zero};
    for (submitted, expected) in [
        (&[][..], 3),
        (&[(Add, 4)], 7),
        (&[(Add, -1)], 2),
        (&[(Double, 0)], 6),
        (&[(Halve, 0)], 2),
        (&[(Replace, 8)], 8),
        (&[(Zero, 0)], 0),
        (&[(Double, 0), (Add, 4)], 14),
        (&[(Halve, 0), (Add, 4)], 4),
        (&[(Halve, 0), (Double, 0), (Add, 4), (Replace, 8)], 12),
        (&[(Add, 4), (Zero, 0)], 4),
    ] {
        let game = played(Kit::small().hook(Hook::ScoreValue, terms(submitted)));
        assert_eq!(score(&game, 0), expected, "{submitted:?}");
        let award = &game.state().awards()[0];
        assert_eq!((award.lines.len(), award.points), (1 + submitted.len(), expected), "{submitted:?}");
    }
}

#[test]
fn of_mods_that_replace_an_award_differently_the_last_one_counts() {
    let kit = |first, second| {
        let kit = Kit::small().hook(Hook::ScoreValue, terms(&[first]));
        kit.in_mod("second").hook(Hook::ScoreValue, terms(&[second]))
    };
    let (seven, eight, zero) = ((TermKind::Replace, 7), (TermKind::Replace, 8), (TermKind::Zero, 0));
    let told = "kit and second replace the value of one award differently; second comes later and prevails";
    for (first, second, expected, notes_expected) in
        [(seven, eight, 8, &[told][..]), (eight, eight, 8, &[]), (zero, eight, 0, &[]), (seven, zero, 0, &[])]
    {
        let game = played(kit(first, second));
        assert_eq!(score(&game, 0), expected, "{first:?} {second:?}");
        assert_eq!(notes(&game), notes_expected, "{first:?} {second:?}");
    }
    let builds_on = |catalogue: &mut rules::Catalogue| catalogue.mods[1].builds_on = vec![rules::ModIdx(0)];
    let game = played(kit(seven, eight).change(builds_on));
    assert_eq!((score(&game, 0), notes(&game).len()), (8, 0), "one that builds on the other is meant to count");
}

#[test]
fn only_score_value_submits_terms() {
    let mut game = Kit::small().hook(Hook::TilePlaced, terms(&[(TermKind::Add, 1)])).game(2);
    play(&mut game, &ROAD[..2]);
    assert!(fault(&game).failure.message.contains("only `score_value`"), "{}", fault(&game));
}

/// Plays a game in which red and blue share a road, until its last tile completes it.
fn shared(kit: Kit) -> Game {
    let given = ["tile kit/stop 1,0 90", "piece red meeple 1,0 road@w", "piece blue meeple 0,0 road@e"];
    let mut game = kit.game_from(2, &given);
    play(&mut game, &["draw kit/stop", "place -1,0 270"]);
    game
}

fn scores(game: &Game) -> [i64; 2] {
    [score(game, 0), score(game, 1)]
}

#[test]
fn all_of_those_who_tie_score() {
    assert_eq!(scores(&shared(Kit::small())), [3, 3]);
}

#[test]
fn what_mods_say_of_strength_is_added() {
    let stronger = |by: i64| {
        move |args: &[Value], call: &mut rules::Call<'_>| {
            let Value::Piece(piece) = args[0] else { return Err("no piece".into()) };
            let is_blue = call.state().piece(piece).unwrap().owner == Some(Seat(1));
            Ok(Value::Int(if is_blue { by } else { 0 }))
        }
    };
    assert_eq!(scores(&shared(Kit::small().hook(Hook::Strength, stronger(1)))), [0, 3]);
    assert_eq!(scores(&shared(Kit::small().hook(Hook::Strength, stronger(-1)))), [3, 0]);
    let both = Kit::small().hook(Hook::Strength, stronger(1)).in_mod("second").hook(Hook::Strength, stronger(-1));
    assert_eq!(scores(&shared(both)), [3, 3]);
}

#[test]
fn pieces_without_strength_claim_nothing() {
    let kit = Kit::small().change(|catalogue| catalogue.pieces[0].strength = 0);
    assert_eq!(scores(&shared(kit)), [0, 0]);
}

#[test]
fn a_mod_may_break_a_tie_and_of_two_the_last_counts() {
    let for_seat = |seat: u8| move |_: &[Value], _: &mut rules::Call<'_>| Ok(Value::list([Value::Player(Seat(seat))]));
    let kit = || Kit::small().hook(Hook::BreakTie, for_seat(1));
    assert_eq!(scores(&shared(kit())), [0, 3]);
    assert_eq!(scores(&shared(kit().in_mod("second").hook(Hook::BreakTie, |_, _| Ok(Value::Unit)))), [0, 3]);
    let game = shared(kit().in_mod("second").hook(Hook::BreakTie, for_seat(0)));
    assert_eq!(scores(&game), [3, 0]);
    assert_eq!(notes(&game), ["kit and second break one tie differently; second comes later and prevails"]);
}

#[test]
fn pieces_go_home_before_points_are_reported_and_features_come_last() {
    let kit = Kit::small()
        .hook(Hook::FeatureCompleted, noting("completed"))
        .hook(Hook::Scored, noting("scored"))
        .hook(Hook::PieceReturned, noting("returned"))
        .hook(Hook::BeforeScoring, noting("before"));
    let game = played(kit);
    assert_eq!(notes(&game), ["before", "returned", "scored", "completed"]);
    assert_eq!(game.state().supply(Some(Seat(0)), rules::PieceKindIdx(0)), 7);
}

#[test]
fn a_feature_with_nobody_on_it_is_completed_and_pays_nobody() {
    let kit = Kit::small().hook(Hook::FeatureCompleted, noting("completed"));
    let mut game = kit.game(2);
    play(&mut game, &["draw kit/stop", "place 1,0 90", "pass", "draw kit/stop", "place -1,0 270", "pass"]);
    assert_eq!((notes(&game), game.state().awards().len()), (vec!["completed".to_owned()], 0));
}

#[test]
fn what_is_complete_is_scored_once() {
    let kit = Kit::small().deck(&[("stop", 2), ("cap", 1)]).hook(Hook::FeatureCompleted, noting("completed"));
    let mut game = played(kit.tile("green", 0, "field"));
    play(&mut game, &["draw kit/cap", "place 0,1 180", "pass"]);
    assert_eq!(asked(&game), "over");
    assert_eq!((scores(&game), notes(&game).len()), ([3, 0], 1));
}

#[test]
fn a_feature_that_a_mod_keeps_open_is_scored_at_the_end() {
    let kit = Kit::small().deck(&[("stop", 2)]).hook(Hook::IsComplete, |_, _| Ok(Value::Bool(false)));
    let game = played(kit);
    assert_eq!(asked(&game), "over");
    let award = &game.state().awards()[0];
    assert_eq!((scores(&game), award.is_final), ([3, 0], true));
    assert_eq!(game.state().supply(Some(Seat(0)), rules::PieceKindIdx(0)), 6, "who stood there stays");
}

#[test]
fn a_kind_without_a_formula_is_never_scored() {
    let kit = Kit::small().deck(&[("stop", 2)]).points("road", PointFormulas::default());
    let game = played(kit.hook(Hook::FeatureCompleted, noting("completed")));
    assert_eq!((scores(&game), notes(&game).len()), ([0, 0], 0));
}

#[test]
fn an_abbey_is_complete_when_its_eight_neighbours_lie() {
    let kit = Kit::small().tile("green", 4, "field");
    let given = [
        "tile kit/straight -1,0 0",
        "tile kit/straight 1,0 0",
        "tile kit/abbey 0,1 0",
        "tile kit/green -1,1 0",
        "tile kit/green 1,1 0",
        "tile kit/green -1,2 0",
        "piece red meeple 0,1 abbey",
    ];
    let mut game = kit.game_from(2, &given);
    play(&mut game, &["draw kit/green", "place 1,2 0"]);
    assert_eq!(score(&game, 0), 0);
    play(&mut game, &["draw kit/cap", "place 0,2 180", "pass"]);
    assert_eq!(score(&game, 0), 9);
}

#[test]
fn whoever_has_several_markers_is_asked_which_one_moves() {
    let kit = Kit::small().change(|catalogue| catalogue.track.n_markers = 2);
    let mut game = played(kit);
    assert_eq!(asked(&game), "red marker");
    assert_eq!(score(&game, 0), 0, "nothing is booked yet");
    play(&mut game, &["marker 2"]);
    assert_eq!(game.state().markers_of(Seat(0)), [0, 3]);
}

#[test]
fn all_points_of_one_event_are_one_batch() {
    let point = |_: &[Value], call: &mut rules::Call<'_>| {
        let player = call.state().player();
        call.propose_points(player, 2, "bonus", false, None)?;
        Ok(Value::Unit)
    };
    let kit = Kit::small().hook(Hook::TilePlaced, point).hook(Hook::Scored, noting("scored"));
    let mut game = kit.in_mod("second").hook(Hook::TilePlaced, point).game(2);
    play(&mut game, &ROAD[..2]);
    assert_eq!((notes(&game), game.state().awards().len()), (vec!["scored".to_owned()], 2));
    assert_eq!(score(&game, 0), 4);
}

#[test]
fn a_field_pays_for_what_it_touches() {
    use rules::{Factor, Formula, Term};
    let towns = [board::KindIdx(1)].into_iter().collect();
    let touching = Factor::Touching { kinds: towns, only_complete: true };
    let at_end = Some(Formula { terms: vec![Term { times: 3, factors: vec![touching] }] });
    let kit = Kit::small().points("field", PointFormulas { complete: None, at_end }).deck(&[("cap", 2)]);
    let kit = kit.change(|catalogue| catalogue.pieces[0].stands_on.0 |= 1 << 2);
    let mut game = kit.game(2);
    // Two caps face each other to the south of the first tile. They form a complete town, which
    // borders red's field.
    play(&mut game, &["draw kit/cap", "place 0,1 180", "deploy meeple 0,1 field@n1"]);
    play(&mut game, &["draw kit/cap", "place 0,2 0", "pass"]);
    assert_eq!((asked(&game).as_str(), scores(&game)), ("over", [3, 0]));
}
