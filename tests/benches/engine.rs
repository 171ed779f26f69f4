//! Benchmarks: `cargo bench -p tests`. Compare only rows of the same run, because the speed of
//! machines varies.
#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark fails by panicking")]

use std::rc::Rc;

use board::{Board, FeatureRef, KindSet, LayerIdx, Placement, TileIdx, ZoneRef};
use divan::{Bencher, black_box};
use loader::Loaded;
use record::{reload, start_game};
use rules::{Answer, Dealer, Game, Question, Rules, RulesFactory, Setup, State, Status};
use tests::{EXPANSIONS, Rng, load, play_at_random};

fn main() {
    divan::main();
}

fn base() -> (Rc<Rules>, Setup) {
    let loaded = load(&["base"]);
    let setup = Setup::of(&["base"], 2);
    (tests::rules(&loaded, &setup), setup)
}

/// Plays a random game to its end.
fn whole_game(rules: &Rc<Rules>, setup: &Setup, seed: u64) -> Game {
    let mut game = start_game(rules.clone(), setup.clone()).unwrap();
    play_at_random(&mut game, seed, |_| {});
    game
}

/// Returns a game with `n` tiles on the board and the next tile to place.
fn game_at(n: usize) -> Game {
    let (rules, setup) = base();
    let whole = whole_game(&rules, &setup, 1);
    let mut game = start_game(rules, setup).unwrap();
    let mut log = whole.log().iter();
    while game.state().board.n_laid() != n
        || !matches!(game.state().decision().map(|d| d.question), Some(Question::Place(_)))
    {
        game.answer(*log.next().unwrap()).unwrap();
    }
    game
}

/// Returns rules, and a state with `n` random tiles on the board.
fn board_of(n: usize) -> (Rc<Rules>, State) {
    let (rules, setup) = base();
    let mut state = State::clone(start_game(rules.clone(), setup).unwrap().start());
    let tile_set = &rules.catalogue().tile_set;
    let mut random = Rng::new(5);
    let mut touched = Vec::<FeatureRef>::new();
    while state.board.n_laid() < n {
        let tile = TileIdx(random.below(tile_set.tiles.len()) as u16);
        let places = state.board.placements(tile_set, tile);
        if let Some(Placement { spot, facing }) = (!places.is_empty()).then(|| places[random.below(places.len())]) {
            state.board.place(tile_set, spot, tile, facing, &mut touched, None).unwrap();
            touched.clear();
        }
    }
    (rules, state)
}

#[divan::bench(args = [5, 70, 2000])]
fn placements(bencher: Bencher, n_tiles: usize) {
    let (rules, state) = board_of(n_tiles);
    let tile_set = &rules.catalogue().tile_set;
    let mut tile = 0;
    bencher.bench_local(|| {
        tile = (tile + 1) % 24;
        black_box(state.board.placements(tile_set, TileIdx(tile)))
    });
}

/// Runs the query `open_zones` of scripts, which the board answers from an index.
#[divan::bench(args = [5, 70, 2000])]
fn open_zones(bencher: Bencher, n_tiles: usize) {
    let (_, state) = board_of(n_tiles);
    bencher.bench_local(|| black_box(state.board.open_zones(KindSet::ALL, std::iter::empty()).len()));
}

#[divan::bench(args = [5, 70, 2000])]
fn place(bencher: Bencher, n_tiles: usize) {
    let (rules, state) = board_of(n_tiles);
    let tile_set = &rules.catalogue().tile_set;
    let Placement { spot, facing } = state.board.placements(tile_set, TileIdx(20))[0];
    let roomy = || {
        let mut board = Board::clone(&state.board);
        board.reserve(n_tiles + 1);
        (board, Vec::new())
    };
    bencher.with_inputs(roomy).bench_local_refs(|(board, touched)| {
        board.place(tile_set, spot, TileIdx(20), facing, touched, None).unwrap();
    });
}

/// Copies a state together with its board, as for placing a tile.
#[divan::bench(args = [5, 70, 2000])]
fn copy_of_the_state(bencher: Bencher, n_tiles: usize) {
    let (_, state) = board_of(n_tiles);
    bencher.bench_local(|| {
        let mut copy = state.clone();
        copy.board.reserve(n_tiles + 1);
        black_box(copy)
    });
}

/// Copies a state and puts one more piece on the copy. The copy shares the layout and has its own
/// occupancy.
#[divan::bench(args = [5, 70, 2000])]
fn copy_with_a_piece_put(bencher: Bencher, n_tiles: usize) {
    let (_, state) = board_of(n_tiles);
    bencher.bench_local(|| {
        let mut copy = state.clone();
        copy.board.occupy(LayerIdx(0), ZoneRef(0), 0, 0);
        black_box(copy)
    });
}

/// Copies a state, as for a mod's effect on players, decks or stored data. The copy shares the
/// board.
#[divan::bench(args = [5, 70, 2000])]
fn copy_that_shares_the_board(bencher: Bencher, n_tiles: usize) {
    let (_, state) = board_of(n_tiles);
    bencher.bench_local(|| black_box(state.clone()));
}

/// Plays a turn, from one placement to the next.
#[divan::bench(args = [5, 70])]
fn turn(bencher: Bencher, n_tiles: usize) {
    let game = game_at(n_tiles);
    let dealer = Dealer::new(1);
    bencher.with_inputs(|| (game.clone(), dealer.clone())).bench_local_refs(|(game, dealer)| {
        game.answer_nth(0);
        while let Status::Decision(decision) = game.status() {
            match decision.question {
                Question::Place(_) => break,
                Question::Draw(_) => {
                    let choice = dealer.answer(&game.rules().ruleset, game.state()).unwrap();
                    game.answer(choice).unwrap();
                }
                _ => game.answer(Answer::Pass).unwrap(),
            }
        }
    });
}

/// The benchmarked sets of mods, by name.
const GAMES: [(&str, &[&str]); 3] =
    [("base", &["base"]), ("thirteen expansions", &EXPANSIONS), ("hunters and scout", &["hunters-gatherers", "scout"])];

fn random_games(bencher: Bencher, name: &str, make: fn(&Loaded, &Setup) -> Rc<Rules>) {
    let (_, mods) = GAMES.iter().find(|(game, _)| *game == name).unwrap();
    let setup = Setup::of(mods, 2);
    let rules = make(&load(mods), &setup);
    let opening = start_game(rules, setup).unwrap();
    let mut seed = 0;
    bencher.bench_local(|| {
        seed += 1;
        let mut game = opening.clone();
        game.reserve();
        play_at_random(&mut game, seed, |_| {});
        game.state().score(rules::Seat(0))
    });
}

#[divan::bench(args = GAMES.map(|(name, _)| name))]
fn random_game(bencher: Bencher, name: &str) {
    random_games(bencher, name, tests::rules);
}

/// Plays a game of two greedy players, to measure the cost of trials and of recounting.
#[divan::bench(args = GAMES.map(|(name, _)| name))]
fn greedy_game(bencher: Bencher, name: &str) {
    let (_, mods) = GAMES.iter().find(|(game, _)| *game == name).unwrap();
    let setup = Setup::of(mods, 2);
    let loaded = load(mods);
    let settings = Rules::default_settings(loaded.catalogue());
    let plan = sim::Plan::new(setup, settings, vec![players::player_named("greedy").unwrap(); 2], 1);
    let mut first_game = 0;
    bencher.bench_local(|| {
        first_game += 1;
        let plan = sim::Plan { first_game, ..plan.clone() };
        sim::run(&loaded, &plan, None, &mut |_| {}).unwrap().n_choices
    });
}

/// Lets the bot `search` choose at a placement, with a thousand simulations.
#[divan::bench(args = [12, 36, 60])]
fn search_choice(bencher: Bencher, n_tiles: usize) {
    let game = game_at(n_tiles);
    let (rules, state) = (game.rules(), game.state());
    let view = players::View { rules, state, decision: state.decision().unwrap() };
    let search = players::player_named("search").unwrap();
    let mut seed = 0;
    bencher.bench_local(|| {
        seed += 1;
        search.make(seed).choose(&view)
    });
}

/// Plays random games entirely in the interpreter, to show the benefit of compiled trees.
#[divan::bench(args = GAMES.map(|(name, _)| name))]
fn random_game_interpreted(bencher: Bencher, name: &str) {
    random_games(bencher, name, tests::interpreted_rules);
}

#[divan::bench]
fn load_base() -> Rules {
    let loaded = load(&["base"]);
    let settings = Rules::default_settings(loaded.catalogue());
    loaded.rules(settings).unwrap()
}

#[divan::bench]
fn reload_a_full_game(bencher: Bencher) {
    let (rules, setup) = base();
    let game = whole_game(&rules, &setup, 3);
    bencher.bench_local(|| {
        let loaded = load(&["base"]);
        let new = tests::rules(&loaded, &setup);
        black_box(reload(&game, new, setup.clone()).unwrap().summary())
    });
}

/// Makes a mod with a hook and a phase that asks five times. Returns the folder of the mod, and the
/// rules and the setup of a game. Dropping the first value removes the folder.
fn asking_mod() -> (tempfile::TempDir, Rc<Rules>, Setup) {
    let folder = tempfile::tempdir().unwrap();
    let mods = folder.path().join("asks");
    std::fs::create_dir(&mods).unwrap();
    let manifest = "[mod]\nid = \"asks\"\nversion = \"1.0.0\"\ntitle = \"Asks\"\nrequires = [\"base\"]\n\n\
                    [[phase]]\nid = \"asks\"\nslot = \"placed\"\n";
    let script = "fn is_complete(feature) { feature.n_tiles > 1 }\n\n\
                  fn phase_asks() { for i in 0..5 { ask(turn.player, \"Which?\", [1, 2], #{ word: \"n\" }); } }\n";
    std::fs::write(mods.join("mod.toml"), manifest).unwrap();
    std::fs::write(mods.join("rules.rhai"), script).unwrap();
    let loaded = tests::load_from(&[tests::mods_folder(), folder.path().to_owned()], &["asks"]);
    let setup = Setup::of(&["asks"], 2);
    let rules = tests::rules(&loaded, &setup);
    (folder, rules, setup)
}

/// Calls the hook `is_complete` as the engine does.
#[divan::bench]
fn hook_call(bencher: Bencher) {
    let (_folder, rules, setup) = asking_mod();
    let mut game = start_game(rules.clone(), setup).unwrap();
    for answer in ["draw base/E", "place 0,-1 180"] {
        game.answer_text(answer).unwrap();
    }
    let mut state = game.state().clone();
    let feature = FeatureRef { layer: LayerIdx(0), anchor: ZoneRef(0) };
    bencher.bench_local(|| rules::is_complete(&rules, &mut state, feature).unwrap());
}

/// Gives the fifth answer to a function that asks five times. The engine runs the function again
/// with the four recorded answers.
#[divan::bench]
fn ask_and_run_again(bencher: Bencher) {
    let (_folder, rules, setup) = asking_mod();
    let mut game = start_game(rules, setup).unwrap();
    for answer in ["draw base/E", "place 0,-1 180", "n 1", "n 1", "n 2", "n 1"] {
        game.answer_text(answer).unwrap();
    }
    bencher.with_inputs(|| game.clone()).bench_local_refs(|game| game.answer_nth(0));
}
