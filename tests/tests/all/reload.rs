//! Changes a mod while a game is loaded, and checks the outcome of replaying the log under the new
//! rules.

use std::path::Path;

use record::{Record, Reload, record_text, reload, replay, resume_point, start_game, state_hash};
use rules::{Game, Setup};
use testkit::CopiedMod;
use tests::{load_any, load_from, mods_folder, play_at_random, rules};

fn game_from(folder: &Path, seed: u64, n_answers: usize) -> Game {
    let setup = Setup::of(&["base"], 2);
    let loaded = load_from(&[folder.to_owned()], &["base"]);
    let mut game = start_game(rules(&loaded, &setup), setup).unwrap();
    play_at_random(&mut game, seed, |_| {});
    game.go_to(n_answers);
    game
}

fn reloaded(game: &Game, folder: &Path) -> Reload {
    let loaded = load_from(&[folder.to_owned()], &["base"]);
    reload(game, rules(&loaded, game.setup()), game.setup().clone()).unwrap()
}

#[test]
fn nothing_changed_is_the_same() {
    let base = CopiedMod::of("base");
    let game = game_from(base.library(), 1, 120);
    base.edit("rules.rhai", "fn score_value", "// A comment changes nothing.\nfn score_value");
    let Reload::Same(again) = reloaded(&game, base.library()) else { panic!("the reload changes the game") };
    assert_eq!(again.log().len(), 120);
}

#[test]
fn other_points_change_the_scores() {
    let base = CopiedMod::of("base");
    let paid_for_roads = |game: &Game| game.state().awards().iter().any(|a| a.reason.as_ref() == "road" && !a.is_final);
    let game = (0..50).map(|seed| game_from(base.library(), seed, 150)).find(paid_for_roads).unwrap();
    let manifest = base.read("mod.toml");
    let line = manifest.lines().find(|l| l.contains("complete") && l.contains("\"tiles\"")).unwrap().to_owned();
    base.edit("mod.toml", &line, &line.replacen("\"tiles\"", "\"5 * tiles\"", 1));
    let outcome = reloaded(&game, base.library());
    let Reload::Changed { first: Some(first), old, new, .. } = &outcome else { panic!("{}", outcome.summary()) };
    assert!(old.iter().sum::<i64>() < new.iter().sum::<i64>());
    assert!(first.turn >= 1);
    assert!(outcome.summary().starts_with("changed: turn "), "{}", outcome.summary());
}

#[test]
fn a_line_of_script_changes_the_scores() {
    let base = CopiedMod::of("base");
    // Looks for a game in which a script changes an award, as it does for a city of two tiles.
    let game = (0..50)
        .map(|seed| game_from(base.library(), seed, 400))
        .find(|game| game.state().awards().iter().any(|a| a.lines.len() > 1));
    let game = game.unwrap();
    base.edit("rules.rhai", "score.replace(", "score.replace(7 + ");
    let outcome = reloaded(&game, base.library());
    assert!(matches!(outcome, Reload::Changed { first: Some(_), .. }), "{}", outcome.summary());
}

#[test]
fn another_edge_makes_the_log_diverge_and_offers_to_go_on_from_here() {
    let base = CopiedMod::of("base");
    let game = game_from(base.library(), 1, 101);
    base.edit("tiles.toml", "road = \"e-w\"", "road = \"n-s\"");
    let tiles = base.read("tiles.toml");
    // The first through road of the file is on the start tile, whose north edge is a city. Moves
    // that city to the east.
    let line = tiles.lines().find(|l| l.contains("road = \"n-s\"")).unwrap().to_owned();
    base.edit("tiles.toml", &line, &line.replace("city = \"n\"", "city = \"e\""));
    let outcome = reloaded(&game, base.library());
    let Reload::Diverged { answer, reason, .. } = &outcome else { panic!("{}", outcome.summary()) };
    assert!(*answer < 101 && reason.contains("is not offered"), "{reason}");
    // The game can continue from this position under rules that fit the position.
    let (setup, since) = resume_point(&game);
    let mut again = start_game(game.rules().clone(), setup).unwrap();
    since.iter().for_each(|answer| {
        again.answer_text(answer).unwrap();
    });
    let ruleset = &game.rules().ruleset;
    assert_eq!(state_hash(ruleset, again.state()), state_hash(ruleset, game.state()));
}

#[test]
fn a_syntax_error_keeps_the_old_rules_and_says_where() {
    let base = CopiedMod::of("base");
    let game = game_from(base.library(), 2, 60);
    base.edit("rules.rhai", "fn score_value(feature, score) {", "fn score_value(feature, score) { let = 3;");
    let library = loader::Library::open(&[base.library().to_owned()]);
    let (loaded, problems) = library.load(&["base"]);
    assert!(loaded.is_none());
    let text = problems.to_string();
    assert!(text.contains("rules.rhai:"), "{text}");
    assert_eq!(game.log().len(), 60);
}

#[test]
fn the_order_in_which_a_file_has_its_tiles_is_no_change() {
    let base = CopiedMod::of("base");
    let game = game_from(base.library(), 3, 1000);
    let tiles = base.read("tiles.toml");
    // Simple tiles have one line each. These lines are between the header of the table and the
    // separate tables of larger tiles.
    let is_tile = |line: &&str| line.contains(" = {") && !line.starts_with(' ');
    let mut reversed = tiles.lines().filter(is_tile).rev().collect::<Vec<_>>().into_iter();
    let lines = tiles.lines().map(|line| if is_tile(&line) { reversed.next().unwrap_or(line) } else { line });
    let other = lines.collect::<Vec<_>>().join("\n");
    assert_ne!(other, tiles);
    base.write("tiles.toml", &other);
    let outcome = reloaded(&game, base.library());
    assert!(matches!(outcome, Reload::Same(_)), "{}", outcome.summary());
    let loaded = load_from(&[base.library().to_owned()], &["base"]);
    let mut again = start_game(rules(&loaded, game.setup()), game.setup().clone()).unwrap();
    let mut before = start_game(game.rules().clone(), game.setup().clone()).unwrap();
    for answer in game.log_texts() {
        let hashes = [&before, &again].map(|g| state_hash(&g.rules().ruleset, g.state()));
        assert_eq!(hashes[0], hashes[1], "before {answer}");
        again.answer_text(&answer).unwrap();
        before.answer_text(&answer).unwrap();
    }
}

#[test]
fn equal_games_have_equal_records_however_the_mods_were_asked_for() {
    let header = |ids: &[&str]| {
        let loaded = load_from(&[mods_folder()], ids);
        let setup = record::saved_setup(loaded.catalogue(), &Setup::of(ids, 2));
        record::header_text(&setup)
    };
    let one = header(&["base", "river", "inns-cathedrals"]);
    assert_eq!(one, header(&["river", "inns-cathedrals", "base", "river"]));
    assert!(one.contains("mods base 1"), "{one}");
}

/// Undo, redo and reload give the same states at every answer of long chains of answers. The chains
/// are about messages, further parts, ferries and robbers, tunnels, bridges and tiles that change.
#[test]
fn chains_are_gone_through_and_reloaded_at_every_answer() {
    let cases = [
        "mods/messages/tests/a05_chain_of_three",
        "mods/messages/tests/c18_another_tile_in_a_double_turn",
        "mods/messages/tests/x02_own_robber_brings_one",
        "mods/ferries/tests/f07_new_ferry_first_then_the_old_one",
        "mods/robbers/tests/t13_carried_along_with_whom",
        "tests/mods/tunnels/tests/tunnel_joins",
        "tests/mods/bridges/tests/beside_the_new_tile",
        "tests/mods/changing-tiles/tests/turned",
        "tests/mods/corners/tests/seen",
        "tests/mods/prisoners/tests/caught_and_bought_back",
    ];
    for case in cases {
        let text = std::fs::read_to_string(mods_folder().join(format!("../{case}.game"))).unwrap();
        let (record, problems) = Record::parse(&text);
        assert!(problems.is_empty(), "{case}: {problems:?}");
        let own = text.lines().find_map(|line| line.strip_prefix("mods ")).unwrap();
        let own: Vec<&str> = own.split(", ").collect();
        let rules = || rules(&load_any(&own), &Setup::of(&own, 2));
        let mut game = replay(rules(), &record, |_| {}).unwrap().game;
        let hash = |game: &Game| state_hash(&game.rules().ruleset, game.state());
        let end = (game.log().to_vec(), hash(&game));
        let mut hashes = Vec::new();
        for at in 0..=end.0.len() {
            game.go_to(at);
            let Reload::Same(again) = reload(&game, rules(), game.setup().clone()).unwrap() else {
                panic!("{case}, answer {at}: the reload changes the game")
            };
            hashes.push(hash(&again));
            assert_eq!(hashes[at], hash(&game), "{case}, answer {at}");
        }
        for at in (0..end.0.len()).rev() {
            game.go_to(at);
            assert_eq!(hash(&game), hashes[at], "{case}, back at {at}");
        }
        end.0.iter().for_each(|answer| game.answer(*answer).unwrap());
        assert_eq!(hash(&game), end.1, "{case}");
    }
}

/// A game from a version that did not ask for the order of features. Red's marker moves by 3 and by
/// 2 points, starting on the space of blue's robber.
const OLDER: &str = "bastide 1\nmods robbers\nplayers red blue\n\ngiven tile base/W -1,0 0\ngiven tile base/W 2,0 0\n\
    given piece red follower 0,0 road@e\ngiven piece red follower 2,0 road@w\ngiven piece blue robber space 0\n\
    draw base/W\nplace 1,0 0\npass\ndraw base/U\n";

#[test]
fn a_record_that_says_no_order_goes_on_as_before_it_was_asked() {
    let (record, problems) = Record::parse(OLDER);
    assert_eq!(problems, []);
    let rules = rules(&load_any(&["robbers"]), &record.setup);
    let run = replay(rules, &record, |_| {}).unwrap();
    assert!(run.failures.is_empty(), "{:?}", run.failures);
    let warnings: Vec<String> = run.warnings.iter().map(ToString::to_string).collect();
    assert!(warnings[0].contains("does not say which feature is scored first"), "{warnings:?}");
    let texts = run.game.log_texts();
    assert!(texts[3].starts_with("first "), "{texts:?}");
    assert_eq!(texts[4], "draw base/U");
    // The record of this game contains the whole position.
    let (again, _) = Record::parse(&record_text(&run.game));
    let again = replay(run.game.rules().clone(), &again, |_| {}).unwrap();
    assert_eq!((again.warnings.len(), again.failures.len()), (0, 0));
    let hash = |game: &Game| state_hash(&game.rules().ruleset, game.state());
    assert_eq!(hash(&again.game), hash(&run.game));
}

#[test]
fn a_game_that_says_no_order_is_taken_over() {
    let [base, robbers] = ["base", "robbers"].map(CopiedMod::of);
    let folders = [&base, &robbers].map(|it| it.library().to_owned());
    let (record, _) = Record::parse(OLDER);
    let load = || rules(&load_from(&folders, &["robbers"]), &record.setup);
    robbers.edit("mod.toml", "only_beside = [\"robber\"]\n", "");
    let game = replay(load(), &record, |_| {}).unwrap().game;
    assert_eq!(game.log().len(), 4);
    robbers.edit("mod.toml", "[hook.scored]\n", "[hook.scored]\nonly_beside = [\"robber\"]\n");
    let outcome = reload(&game, load(), game.setup().clone()).unwrap();
    assert!(!matches!(outcome, Reload::Diverged { .. }), "{}", outcome.summary());
    assert_eq!(outcome.into_game().log().len(), 5);
}
