//! Tests of the strength of bots, measured over many games.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use loader::Library;
use players::{BotInfo, Player, View, player_named};
use rules::{Dealer, RulesFactory, Setup};
use sim::{GameResult, Measure, Plan, Report};

/// Plays games of greedy against random players with these mods.
fn greedy_against_random(library: &Library, mods: &[&str]) -> Report {
    played(library, mods, ["greedy", "random"].map(|name| player_named(name).unwrap()))
}

fn played(library: &Library, mods: &[&str], players: [BotInfo; 2]) -> Report {
    let loaded = library.load(mods).0.unwrap();
    let settings = loaded.settings_from(&[]).unwrap();
    let plan = Plan { seed: 5, n_threads: 2, ..Plan::new(Setup::of(mods, 2), settings, players.to_vec(), 24) };
    sim::run(&loaded, &plan, None, &mut |_| {}).unwrap()
}

/// Plays games between random players with details.
fn random_games(library: &Library, id: &str) -> Report {
    let loaded = library.load(&[id]).0.unwrap();
    let players = vec![player_named("random").unwrap(); 2];
    let settings = loaded.settings_from(&[]).unwrap();
    let plan = Plan { details: true, ..Plan::new(Setup::of(&[id], 2), settings, players, 40) };
    let report = sim::run(&loaded, &plan, None, &mut |_| {}).unwrap();
    assert_eq!(report.n_faults, 0);
    report
}

/// Returns the folder of the bundled mods.
fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods")
}

/// Writes a mod that requires the base game.
fn written(folder: &Path, id: &str, manifest: &str, script: &str) {
    let own = folder.join(id);
    fs::create_dir(&own).unwrap();
    let manifest = format!("[mod]\nid = \"{id}\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n{manifest}");
    fs::write(own.join("mod.toml"), manifest).unwrap();
    fs::write(own.join("rules.rhai"), script).unwrap();
}

/// The function `hint` of a mod only advises bots. If it fails, the game continues, but the report
/// contains the failure.
#[test]
fn a_hint_that_fails_is_told() {
    let temp = tempfile::tempdir().unwrap();
    written(temp.path(), "advice", "", "fn hint(option) {\n    let none = 0; 1 / none\n}\n");
    let library = Library::open(&[shipped(), temp.path().to_owned()]);
    let report = greedy_against_random(&library, &["advice"]);
    assert_eq!((report.n_faults, report.n_bot_faults), (0, report.n_games));
    let (number, message) = report.bot_fault.unwrap();
    assert_eq!(number, 0);
    assert!(message.contains("rules.rhai:2:") && message.contains("zero") && message.contains("hint"), "{message}");
}

/// If a mod fails in an answer that a bot only tries, the report contains the failure once.
#[test]
fn a_mod_that_fails_while_a_bot_thinks_is_told() {
    let temp = tempfile::tempdir().unwrap();
    let script = "fn tile_placed(tile) {\n    if tile.spot.x != 0 { throw \"not here\"; }\n}\n";
    written(temp.path(), "column", "", script);
    let library = Library::open(&[shipped(), temp.path().to_owned()]);
    let loaded = library.load(&["column"]).0.unwrap();
    let rules = Rc::new(loaded.rules(loaded.settings_from(&[]).unwrap()).unwrap());
    let mut game = record::start_game(rules, Setup::of(&["column"], 2)).unwrap();
    game.deal(&mut Dealer::new(1));
    for name in ["greedy", "search:20"] {
        let mut player = player_named(name).unwrap().make(1);
        let (rules, state) = (game.rules(), game.state());
        player.choose(&View { rules, state, decision: state.decision().unwrap() });
        let told = player.take_fault().unwrap_or_else(|| panic!("{name} says nothing")).to_string();
        assert!(told.contains("rules.rhai:2:") && told.contains("not here"), "{name}: {told}");
        assert_eq!(player.take_fault(), None, "{name}");
    }
}

/// An option without effect makes the bot choose after each tile, before completed features are
/// scored.
#[test]
fn an_option_that_does_nothing_does_not_weaken_a_greedy_player() {
    let small: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mods");
    let library = Library::open(&[shipped(), small]);
    let [without, with] = ["base", "praying"].map(|id| greedy_against_random(&library, &[id]).seats()[0].mean());
    assert!(with > 0.85 * without, "{without:.1} points without the option, {with:.1} with it");
}

/// A bot that panics at its tenth choice, in about every third game.
struct Stumbler {
    fails: bool,
    n_chosen: usize,
}

impl Player for Stumbler {
    fn reset(&mut self, seed: u64) {
        *self = Stumbler { fails: seed.is_multiple_of(3), n_chosen: 0 };
    }

    fn choose(&mut self, _: &View<'_>) -> usize {
        self.n_chosen += 1;
        assert!(!self.fails || self.n_chosen < 10, "it has stumbled");
        0
    }
}

#[test]
fn a_panic_costs_its_game_alone() {
    let about = "falls";
    let stumbler = BotInfo::new("stumbler", about, |_| Box::new(Stumbler { fails: false, n_chosen: 0 }));
    let report = played(&Library::builtin(), &["base"], [stumbler, player_named("random").unwrap()]);
    assert!(report.n_games == 24 && report.n_faults > 0 && report.n_faults < 24, "{report:?}");
    let told = &report.faults.first().unwrap().message;
    assert!(told.contains("it has stumbled (crates/sim/tests/all/bots.rs:"), "{told}");
}

/// After each award, the game asks which score marker to move. A bot that does not look beyond this
/// question would judge all scoring answers as worthless.
#[test]
fn two_score_markers_do_not_weaken_a_greedy_player() {
    let temp = tempfile::tempdir().unwrap();
    let own = temp.path().join("markers");
    fs::create_dir(&own).unwrap();
    let manifest = "[mod]\nid = \"markers\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n\n[track]\nmarkers = 2\n";
    fs::write(own.join("mod.toml"), manifest).unwrap();
    let library = Library::open(&[shipped(), temp.path().to_owned()]);
    let [one, two] = ["base", "markers"].map(|id| greedy_against_random(&library, &[id]).seats()[0].mean());
    assert!(two > 0.9 * one, "{one:.1} points with one marker, {two:.1} with two");
}

/// A restricted bot never chooses a forbidden option. Without the restriction, the bot sometimes
/// chooses the option.
#[test]
fn a_restricted_bot_never_chooses_what_it_may_not() {
    let loaded = Library::builtin().load(&["base"]).0.unwrap();
    let n_forbidden = |bot: &str, word: &str| {
        let players = vec![player_named(bot).unwrap(); 2];
        let settings = loaded.settings_from(&[]).unwrap();
        let plan = Plan { with_records: true, ..Plan::new(Setup::of(&["base"], 2), settings, players, 3) };
        let mut n = 0;
        let mut each = |game: &GameResult| {
            let record = game.record.clone().unwrap();
            n += record.lines().filter(|line| line.starts_with("deploy ") && line.contains(word)).count();
            true
        };
        sim::run(&loaded, &plan, Some(&mut each), &mut |_| ()).unwrap();
        n
    };
    for (bot, pattern, word) in [
        ("random", "deploy:field", " field"),
        ("greedy", "deploy:field", " field"),
        ("search:20", "x!deploy:city", " city"),
    ] {
        assert!(n_forbidden(bot, word) > 0, "{bot}");
        assert_eq!(n_forbidden(&format!("{bot}!{pattern}"), word), 0, "{bot}!{pattern}");
    }
}

/// Each persona does what it likes more often than a plain greedy player at the same seats.
#[test]
fn personas_follow_their_taste() {
    let loaded = Library::builtin().load(&["base"]).0.unwrap();
    let chosen = vec![("base/*".to_owned(), "1".to_owned())];
    let settings = loaded.settings_from(&chosen).unwrap();
    let setup = Setup { settings: chosen, ..Setup::of(&["base"], 2) };
    // Plays a bot against a greedy player. Returns the report, and the number of record lines that
    // contain both words.
    let play = |bot: &str, words: [&str; 2]| {
        let players = vec![player_named(bot).unwrap(), player_named("greedy").unwrap()];
        let plan = Plan {
            with_records: true,
            details: true,
            n_threads: 2,
            ..Plan::new(setup.clone(), settings.clone(), players, 40)
        };
        let mut n = 0;
        let mut each = |game: &GameResult| {
            let record = game.record.clone().unwrap();
            n += record.lines().filter(|line| words.iter().all(|word| line.contains(word))).count();
            true
        };
        let report = sim::run(&loaded, &plan, Some(&mut each), &mut |_| ()).unwrap();
        assert_eq!((report.n_faults, report.n_bot_faults), (0, 0), "{bot}");
        (report, n)
    };
    let (plain, n_deployed) = play("greedy", ["deploy ", ""]);
    let (_, n_hoarded) = play("hoarder", ["deploy ", ""]);
    assert!(20 * n_hoarded < 19 * n_deployed, "{n_hoarded} deployments with a hoarder, {n_deployed} without");
    let n_in_cities = play("greedy", ["deploy ", " city"]).1;
    let n_liked = play("greedy+deploy:city", ["deploy ", " city"]).1;
    assert!(20 * n_liked > 21 * n_in_cities, "{n_liked} deployments in cities with a taste, {n_in_cities} without");
    let blocked = play("blocker", ["", ""]).0.seats()[1].mean();
    let others = plain.seats()[1].mean();
    assert!(blocked < 0.97 * others, "{blocked:.1} points against a blocker, {others:.1} against a greedy player");
}

/// If a rule gives a thousand points to one seat in turn 36 of 71, the game is decided at half
/// time. If the other seat gets two thousand points in turn 54, it comes back from a thousand
/// points behind.
#[test]
fn planted_decisions_and_comebacks_are_measured() {
    let temp = tempfile::tempdir().unwrap();
    let pays = |turn: u32, seat: u32| {
        format!("    if turn.number == {turn} {{ score(players()[{seat}], {}, \"gift\"); }}\n", 1000 * (seat + 1))
    };
    written(temp.path(), "gift", "", &format!("fn turn_ended() {{\n{}}}\n", pays(36, 0)));
    written(temp.path(), "gifts", "", &format!("fn turn_ended() {{\n{}{}}}\n", pays(36, 0), pays(54, 1)));
    let library = Library::open(&[shipped(), temp.path().to_owned()]);
    let means = |id: &str| {
        let report = random_games(&library, id);
        [Measure::Decided, Measure::Comeback].map(|it| report.stats_of(it).unwrap().mean())
    };
    let [decided, comeback] = means("gift");
    // A few games are decided earlier, because the same player already leads.
    assert!((0.15..=0.53).contains(&decided), "{decided}");
    assert!(comeback < 100.0, "{comeback}");
    let [decided, comeback] = means("gifts");
    assert!((0.7..=0.8).contains(&decided), "{decided}");
    assert!((900.0..1100.0).contains(&comeback), "{comeback}");
}

/// If a rule moves thirty points from one player to the other in the other's turn, the game has
/// thirty points more that players took from others.
#[test]
fn planted_thefts_count_as_points_taken_from_others() {
    let temp = tempfile::tempdir().unwrap();
    let theft = "fn turn_ended() {\n    if turn.number == 20 {\n        for it in players() {\n            \
                 score(it, if it == turn.player { 30 } else { -30 }, \"theft\");\n        }\n    }\n}\n";
    written(temp.path(), "peace", "", "");
    written(temp.path(), "theft", "", theft);
    let library = Library::open(&[shipped(), temp.path().to_owned()]);
    let mean = |id: &str| random_games(&library, id).stats_of(Measure::Taken).unwrap().mean();
    let [peace, theft] = ["peace", "theft"].map(mean);
    assert!((28.0..=30.5).contains(&(theft - peace)), "{peace} and {theft} points");
    // Random players of base seldom invade features of others.
    assert!((0.1..5.0).contains(&peace), "{peace}");
}
