//! Plays whole games at random and checks properties of every game. A failure prints the seed and
//! the record that reproduces the failure.

use record::{Record, given_lines, record_text, replay, start_game, state_hash};
use rules::{Actor, Answer, Decision, Game, Hook, Question, ReturnTime, Seat, Setup, TermKind, Trial, return_times};
use tests::recount::{check_placement_previews, recount, recount_complete, recount_open};
use tests::shrink::{Check, FailureKind, fail};
use tests::turned::turned_game;
use tests::{Rng, load, load_any, mods_folder, play_at_random, rules};

/// Returns the number of games in the environment variable `GAMES`, or else `default`.
fn n_games(default: u64) -> u64 {
    std::env::var("GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn setup_for(seed: u64) -> Setup {
    let mut setup = Setup::of(&["base"], 2 + (seed % 5) as usize);
    if seed.is_multiple_of(7) {
        setup.settings.push(("base.farmers".into(), "false".into()));
    }
    if seed.is_multiple_of(3) {
        setup.settings.push(("base.small_city".into(), "4".into()));
    }
    setup
}

/// Checks that the number of pieces in supply and in play is always the number at the start.
fn pieces_are_conserved(game: &Game) -> Result<(), String> {
    let (rules, state) = (game.rules(), game.state());
    for (k, kind) in rules.catalogue().pieces.iter().enumerate() {
        let idx = rules::PieceKindIdx(k as u8);
        for owner in state.seats().map(Some).chain([None]) {
            let in_play = state.pieces().filter(|(_, p)| p.kind == idx && p.owner == owner).count() as u16;
            let all = if owner.is_some() { kind.per_player } else { kind.neutral };
            if state.supply(owner, idx) + in_play != all {
                return Err(format!(
                    "{} of {owner:?}: {} in supply, {in_play} in play, {all} in all",
                    kind.name,
                    state.supply(owner, idx)
                ));
            }
        }
    }
    Ok(())
}

/// Checks that each score is the sum of its awards, and that the lines of each award lead to its
/// points.
fn awards_explain_scores(game: &Game) -> Result<(), String> {
    let state = game.state();
    for seat in state.seats() {
        let sum: i64 = state.awards().iter().filter(|a| a.player == seat).map(|a| a.points).sum();
        if sum != state.score(seat) {
            return Err(format!("{} has {} points, awards add up to {sum}", state.name(seat), state.score(seat)));
        }
    }
    for award in state.awards() {
        let mut total = 0;
        for line in &award.lines {
            total = match line.kind {
                TermKind::Formula | TermKind::Replace => line.amount,
                TermKind::Zero => 0,
                TermKind::Add => total + line.amount,
                TermKind::Double => 2 * total,
                TermKind::Halve => (total + 1).div_euclid(2),
            };
        }
        if total != award.points {
            return Err(format!("an award of {} is explained as {total}: {award:?}", award.points));
        }
    }
    Ok(())
}

/// Checks a game. If the game fails, panics with a short game that fails in the same way.
fn check(game: &Game, seed: u64, what: Check<'_>) {
    if let Err(message) = what(game) {
        fail(game, seed, &message, FailureKind::Check(what));
    }
}

fn features_are_as_recounted(game: &Game) -> Result<(), String> {
    let (ruleset, state) = (&game.rules().ruleset, game.state());
    recount(ruleset, state)?;
    recount_open(ruleset, state)?;
    recount_complete(ruleset, state)
}

fn tiles_do_what_was_said(game: &Game) -> Result<(), String> {
    check_placement_previews(&game.rules().ruleset, game.state())
}

/// Checks that a trial reaches the same position as the game, and the same points in the final
/// count.
fn trials_do_what_games_do(game: &Game) -> Result<(), String> {
    let asks = |decision: &Decision| matches!(decision.who, Actor::Player(_));
    let Some(decision) = game.state().decision().filter(|decision| asks(decision)) else { return Ok(()) };
    let start = Game::from_position(game.rules().clone(), Setup::default(), game.state().clone().into());
    let mut trial = Trial::new(game.rules(), start.state());
    for n in 0..decision.n_options(game.state()) {
        trial.reset();
        if trial.state() != start.state() {
            return Err(format!("before option {n}, the trial is not back at its start"));
        }
        trial.answer(n);
        let mut there = start.clone();
        there.answer_nth(n);
        is_as_tried(&there, &mut trial).map_err(|why| format!("option {n}: {why}"))?;
        let Some(next) = trial.decision().filter(|next| asks(next)) else { continue };
        let n_next = next.n_options(trial.state());
        let mut further = trial.fork();
        for m in (0..n_next).step_by(1 + n_next / 3) {
            further.reset();
            further.answer(m);
            let mut there = there.clone();
            players::answer_booking_questions(&mut there);
            there.answer_nth(m);
            is_as_tried(&there, &mut further).map_err(|why| format!("option {n}, then {m}: {why}"))?;
        }
    }
    Ok(())
}

fn is_as_tried(game: &Game, trial: &mut Trial) -> Result<(), String> {
    let mut there = game.clone();
    players::answer_booking_questions(&mut there);
    if there.state() != trial.state() {
        return Err("the position differs from that of the game".to_owned());
    }
    // A trial of the final count does not answer questions that mods ask before this count.
    if !game.rules().catalogue().handlers(Hook::BeforeFinalScoring).is_empty() {
        return Ok(());
    }
    players::run_final_count(&mut there);
    let scores: Vec<i64> = there.state().seats().map(|seat| there.state().view().score(seat)).collect();
    if trial.scores() != scores {
        return Err(format!("the final count of the trial gives {:?}, that of the game {scores:?}", trial.scores()));
    }
    Ok(())
}

/// Checks that the projected points stay the same while players pass until the scoring. Complete
/// features count in the projection before they are scored.
fn passing_pays_nothing(game: &Game) -> Result<(), String> {
    let passes = |trial: &Trial| {
        let decision = trial.decision().filter(|it| matches!(it.who, Actor::Player(_)))?;
        let options = decision.options(&trial.rules().ruleset, trial.state());
        options.iter().position(|it| *it == Answer::Pass)
    };
    let mut trial = Trial::new(game.rules(), game.state());
    let Some(mut pass) = passes(&trial) else { return Ok(()) };
    let before = trial.scores().to_vec();
    loop {
        trial.answer(pass);
        match passes(&trial) {
            Some(next) => pass = next,
            None if trial.decision().is_some_and(|it| matches!(it.who, Actor::Player(_))) => return Ok(()),
            None => break,
        }
    }
    let from_base = trial.scores().to_vec();
    let anew = Trial::new(game.rules(), trial.state()).scores().to_vec();
    if from_base != before || anew != before {
        return Err(format!("the game would pay {before:?}, after passing {from_base:?}, counted anew {anew:?}"));
    }
    Ok(())
}

fn check_all(game: &Game, seed: u64) {
    check(game, seed, &pieces_are_conserved);
    check(game, seed, &awards_explain_scores);
    check(game, seed, &features_are_as_recounted);
}

#[test]
fn base_games_hold_together() {
    let loaded = load(&["base"]);
    for seed in 0..n_games(1000) {
        let setup = setup_for(seed);
        let rules = rules(&loaded, &setup);
        let mut game = start_game(rules, setup).unwrap();
        let mut turns = 0u64;
        play_at_random(&mut game, seed, |game| {
            let is_draw = game.state().decision().is_some_and(|d| matches!(d.question, Question::Draw(_)));
            turns += u64::from(is_draw);
            // Checks a few positions of each game, at different turns for different seeds.
            if (turns + seed).is_multiple_of(5) {
                check(game, seed, &tiles_do_what_was_said);
            }
            if seed.is_multiple_of(9) && (turns + seed).is_multiple_of(29) {
                check(game, seed, &trials_do_what_games_do);
            }
            if is_draw && (turns + seed).is_multiple_of(23) {
                check_all(game, seed);
                check(game, seed, &text_gives_the_same_state);
            }
        });
        check_all(&game, seed);
        check(&game, seed, &a_record_gives_the_same_game);
        check(&game, seed, &turned_board_gives_the_same_scores);
    }
}

fn a_record_gives_the_same_game(game: &Game) -> Result<(), String> {
    let text = record_text(game);
    let (record, problems) = Record::parse(&text);
    if !problems.is_empty() {
        return Err(format!("{problems:?}"));
    }
    let again = replay(game.rules().clone(), &record, |_| {}).map_err(|e| format!("{e:?}"))?;
    if !again.failures.is_empty() {
        return Err(format!("{:?}", again.failures));
    }
    let ruleset = &game.rules().ruleset;
    if state_hash(ruleset, again.game.state()) != state_hash(ruleset, game.state()) {
        return Err("replaying the record gives another state".into());
    }
    Ok(())
}

fn text_gives_the_same_state(game: &Game) -> Result<(), String> {
    if !game.state().is_settled() {
        return Ok(());
    }
    let ruleset = &game.rules().ruleset;
    let given = given_lines(ruleset, game.state());
    let begins = Some(game.state().name(Seat(0)).to_owned());
    let setup = Setup { position: given.clone(), begins, ..game.setup().clone() };
    let again = start_game(game.rules().clone(), setup).map_err(|e| e.to_string())?;
    let lines = given_lines(ruleset, again.state());
    if lines != given {
        let differing: Vec<_> = given.iter().zip(&lines).filter(|(a, b)| a != b).collect();
        return Err(format!("the position as text is another one: {differing:?}"));
    }
    if state_hash(ruleset, again.state()) != state_hash(ruleset, game.state()) {
        return Err("the position as text has another hash".into());
    }
    Ok(())
}

/// Checks that the same game on a board turned by a quarter gives the same scores.
fn turned_board_gives_the_same_scores(game: &Game) -> Result<(), String> {
    let turned = turned_game(game)?;
    let scores = |g: &Game| g.state().seats().map(|s| g.state().score(s)).collect::<Vec<_>>();
    if scores(&turned) != scores(game) {
        return Err(format!("turned by 90 degrees: {:?}, not {:?}", scores(&turned), scores(game)));
    }
    Ok(())
}

/// Lists the bundled mods, by their folders.
fn all_mods() -> Vec<String> {
    let folders = std::fs::read_dir(mods_folder()).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap());
    let mut ids: Vec<String> = folders.collect();
    ids.sort();
    ids
}

/// Lists the mods that expand `game`, without `game` itself.
fn expansions_of(game: &str) -> Vec<String> {
    let mut all = all_mods();
    all.retain(|id| id != game && load(&[id]).catalogue().mod_named(game).is_some());
    all
}

fn games_hold_together(mods: &[&str], n: u64) {
    println!("{mods:?}, seeds 0 to {n}");
    let loaded = load_any(mods);
    for seed in 0..n {
        let (least, most) = loaded.catalogue().n_players;
        let n_players = (2 + (seed % 4) as u8).clamp(least, most);
        let setup = Setup::of(mods, n_players.into());
        let mut game = start_game(rules(&loaded, &setup), setup).unwrap();
        let mut n_settled = 0u64;
        play_at_random(&mut game, seed, |game| {
            n_settled += u64::from(game.state().is_settled());
            if (n_settled + seed).is_multiple_of(5) {
                check(game, seed, &tiles_do_what_was_said);
            }
            if seed.is_multiple_of(9) && (n_settled + seed).is_multiple_of(13) {
                check(game, seed, &trials_do_what_games_do);
            }
            if game.state().is_settled() && (n_settled + seed).is_multiple_of(17) {
                check_all(game, seed);
                check(game, seed, &text_gives_the_same_state);
            }
        });
        check_all(&game, seed);
        check(&game, seed, &a_record_gives_the_same_game);
        // Checks only some games in this way, because it plays each game three times.
        if seed.is_multiple_of(4) && !mods.iter().any(|id| NAMES_SPOTS_AND_SIDES.contains(id)) {
            check(&game, seed, &turned_board_gives_the_same_scores);
        }
    }
}

/// Mods whose scripts name particular spots, corners or sides. These scripts act differently on a
/// turned board.
const NAMES_SPOTS_AND_SIDES: [&str; 7] =
    ["allotments", "changing-tiles", "currents", "kept-pieces", "laid-board", "pieces-on-points", "place-previews"];

#[test]
fn each_mod_holds_together() {
    for id in all_mods() {
        games_hold_together(&[&id], n_games(16));
    }
}

#[test]
fn pairs_of_expansions_hold_together() {
    let all = expansions_of("base");
    for (i, first) in all.iter().enumerate() {
        for second in &all[i + 1..] {
            games_hold_together(&[first, second], n_games(6));
        }
    }
}

#[test]
fn all_expansions_hold_together() {
    let all = expansions_of("base");
    games_hold_together(&all.iter().map(String::as_str).collect::<Vec<_>>(), n_games(150));
}

/// Boards stay consistent if mods change them: with tiles that end features, with links, and with
/// tiles that are replaced.
#[test]
fn changed_boards_hold_together() {
    for id in
        ["any-edges", "bridges", "changing-tiles", "corners", "crossings", "place-previews", "relinking", "tunnels"]
    {
        games_hold_together(&[id], n_games(12));
    }
    games_hold_together(&["bridges", "changing-tiles", "corners", "tunnels"], n_games(12));
}

/// Games stay consistent if mods end the game, name the winners, rescue tiles, or deal the first
/// tiles and open rows.
#[test]
fn games_that_mods_begin_and_end_hold_together() {
    for id in [
        "sudden-end",
        "last-standing",
        "last-moves",
        "rescue-bridges",
        "laid-board",
        "open-market",
        "fences",
        "footbridges",
    ] {
        games_hold_together(&[id], n_games(20));
    }
    games_hold_together(&["last-standing", "sudden-end", "tie-breakers", "laid-board"], n_games(20));
    games_hold_together(&["river-fish", "fences", "any-land", "deck-groups", "open-market"], n_games(20));
    games_hold_together(&["footbridges", "fences", "corners", "last-moves"], n_games(20));
}

/// Games stay consistent if pieces stand on spots, corners and edges, and if players keep pieces of
/// each other.
#[test]
fn pieces_without_land_hold_together() {
    let added = ["pieces-on-points", "kept-pieces"];
    for id in added {
        games_hold_together(&[id], n_games(20));
    }
    games_hold_together(&added, n_games(20));
    let all = expansions_of("base");
    let all: Vec<&str> = all.iter().map(String::as_str).chain(added).collect();
    games_hold_together(&all, n_games(10));
}

/// Games stay consistent if a function of the final count reads the changes of earlier functions.
/// Trials compute only the changed parts of the final count again.
#[test]
fn final_counts_that_build_on_each_other_hold_together() {
    games_hold_together(&["late-coins", "late-crumbs"], n_games(60));
}

/// If scoring gives only the points of features, complete features count the same before and after
/// the scoring. The games cover several layers, pieces that stay, features that mods keep open,
/// parts within parts, and awards that mods change.
#[test]
fn what_is_completed_counts_before_it_is_scored() {
    let mut n_due = 0;
    for mods in [
        &["base"][..],
        &["base", "inns-cathedrals", "winter", "river"],
        &["base", "inns-cathedrals", "ferries", "crop-circles"],
        &["hunters-gatherers"],
        &["two-layers"],
        &["layer-changes"],
        &["tunnels", "score-stages", "score-relative"],
        &["bridges", "extra-parts", "score-totals"],
        &["praying"],
    ] {
        let loaded = load_any(mods);
        for seed in 0..n_games(40) {
            let setup = Setup::of(mods, 2 + (seed % 3) as usize);
            let mut game = start_game(rules(&loaded, &setup), setup).unwrap();
            play_at_random(&mut game, seed, |game| {
                let tries = game.state().decision().is_some_and(|it| it.question == Question::Deploy);
                let is_due = |seat: Seat| {
                    return_times(game.rules(), game.state(), seat).iter().any(|(_, it)| *it == ReturnTime::ReturnsNow)
                };
                n_due += u64::from(tries && game.state().seats().any(is_due));
                check(game, seed, &passing_pays_nothing);
            });
        }
    }
    assert!(n_due > 0, "no position had features to score");
}

/// Games stay consistent if only some players may see answers, hands and decks.
#[test]
fn games_with_secrets_hold_together() {
    for id in ["secret-bids", "secret-hands", "secret-tiles"] {
        games_hold_together(&[id], n_games(30));
    }
}

/// Turned boards give the same scores even with tiles whose edges fit all edges. Such a tile looks
/// the same after a turn, but the zones beside it do not.
#[test]
fn turned_boards_with_any_edges_give_the_same_scores() {
    let loaded = load_any(&["any-edges"]);
    for seed in 0..n_games(60) {
        let mut setup = Setup::of(&["any-edges"], 2);
        setup.settings.push(("any-edges.anywhere".into(), (seed % 2 == 0).to_string()));
        let mut game = start_game(rules(&loaded, &setup), setup).unwrap();
        play_at_random(&mut game, seed, |_| {});
        check_all(&game, seed);
        check(&game, seed, &turned_board_gives_the_same_scores);
    }
}

/// Features of these games are connected in two layers. The test recounts both layers.
#[test]
fn games_with_two_layers_hold_together() {
    assert!(load(&["hunters-gatherers"]).catalogue().tile_set.layers.len() > 1);
    games_hold_together(&["hunters-gatherers"], n_games(100));
    games_hold_together(&["scout"], n_games(100));
}

/// Games stay consistent if no piece claims land, and if tiles are joined by halves of edges or
/// only by links.
#[test]
fn games_of_other_families_hold_together() {
    games_hold_together(&["currents"], n_games(100));
    games_hold_together(&["allotments"], n_games(20));
}

/// The order in which mods are requested does not matter: the same seed gives the same game.
#[test]
fn the_order_of_expansions_means_nothing() {
    let mut mods = expansions_of("base");
    let play = |mods: &[String], seed: u64| {
        let mods: Vec<&str> = mods.iter().map(String::as_str).collect();
        let setup = Setup::of(&mods, 3);
        let mut game = start_game(rules(&load(&mods), &setup), setup).unwrap();
        play_at_random(&mut game, seed, |_| {});
        (game.log_texts(), state_hash(&game.rules().ruleset, game.state()))
    };
    let mut random = Rng::new(11);
    for seed in 0..n_games(3) {
        let before = play(&mods, seed);
        for i in (1..mods.len()).rev() {
            mods.swap(i, random.below(i + 1));
        }
        assert!(play(&mods, seed) == before, "seed {seed}, {mods:?}");
    }
}

#[test]
fn going_back_gives_the_same_states() {
    let loaded = load(&["base"]);
    for seed in 0..n_games(40) {
        let setup = setup_for(seed);
        let mut game = start_game(rules(&loaded, &setup), setup).unwrap();
        let mut hashes = Vec::new();
        play_at_random(&mut game, seed, |game| hashes.push(state_hash(&game.rules().ruleset, game.state())));
        let log = game.log().to_vec();
        let n = log.len();
        for at in [n - 1, n / 2, n / 3, 3, 0] {
            game.go_to(at);
            assert_eq!(game.log(), &log[..at]);
            assert_eq!(state_hash(&game.rules().ruleset, game.state()), hashes[at], "seed {seed}, answer {at}");
        }
        log.iter().for_each(|answer| game.answer(*answer).unwrap());
        assert_eq!(game.log().len(), n);
        assert_eq!(state_hash(&game.rules().ruleset, game.state()), hashes[n], "seed {seed}");
    }
}
