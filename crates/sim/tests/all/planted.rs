//! Games with one planted fault each. The report must name the fault, and must raise no alarm in
//! the same game without the fault.
//!
//! The games without faults play ten times here, and a hundred times in the ignored tests:
//! `cargo test --workspace --test all -- planted --include-ignored`.

use std::fs;
use std::path::Path;

use loader::{Library, Loaded};
use players::player_named;
use rules::Setup;
use sim::{
    DEFAULT_LEVEL, Ladder, Plan, ReportCell, ReportRow, ReportSection, ablation_tables, findings_table, ladder_table,
    measure_ablation, option_plans, play_ladder, run,
};

/// A game: the base game with the mod `planted`.
struct Planted {
    loaded: Loaded,
    chosen: Vec<(String, String)>,
}

impl Planted {
    /// Loads the base game with a mod that has these files.
    fn new(manifest: &str, tiles: &str, script: &str) -> Planted {
        let temp = tempfile::tempdir().unwrap();
        let own = temp.path().join("planted");
        fs::create_dir(&own).unwrap();
        let head = "[mod]\nid = \"planted\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n";
        for (file, text) in [("mod.toml", &*format!("{head}{manifest}")), ("tiles.toml", tiles), ("rules.rhai", script)]
        {
            if !text.is_empty() {
                fs::write(own.join(file), text).unwrap();
            }
        }
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods");
        let (loaded, problems) = Library::open(&[shipped, temp.path().to_owned()]).load(&["planted"]);
        Planted { loaded: loaded.unwrap_or_else(|| panic!("{problems}")), chosen: Vec::new() }
    }

    /// Plays with one copy of each tile, because greedy players take time.
    fn small(self) -> Planted {
        Planted { chosen: vec![("base/*".to_owned(), "1".to_owned())], ..self }
    }

    fn plan(&self, player: &str, n_games: u64, seed: u64) -> Plan {
        let settings = self.loaded.settings_from(&self.chosen).unwrap();
        let setup = Setup { settings: self.chosen.clone(), ..Setup::of(&["planted"], 2) };
        let players = vec![player_named(player).unwrap(); 2];
        Plan { details: true, n_threads: 2, seed, ..Plan::new(setup, settings, players, n_games) }
    }

    /// Returns the findings in random games.
    fn findings(&self, seed: u64) -> ReportSection {
        let report = run(&self.loaded, &self.plan("random", 600, seed), None, &mut |_| {}).unwrap();
        assert_eq!(report.n_faults, 0, "{:?}", report.faults.first());
        findings_table(&report)
    }

    /// Returns the rules without effect in random games.
    fn idle_rules(&self, seed: u64) -> Vec<ReportRow> {
        let found = measure_ablation(&self.loaded, &self.plan("random", 100, seed), &mut |_, _| {}).unwrap();
        let rows = ablation_tables(&found).into_iter().flat_map(|section| section.rows);
        rows.filter(|row| row.is_noise).collect()
    }

    /// Returns the worth of an option to greedy players.
    fn worth(&self, option: &str, n_games: u64, seed: u64) -> Ladder {
        let plan = Plan { details: false, ..self.plan("greedy", n_games, seed) };
        let plans = option_plans(self.loaded.catalogue(), &plan, &[option.to_owned()]).unwrap();
        play_ladder(&self.loaded, &plans, &mut |_| {}).unwrap()
    }
}

fn interval(row: &ReportRow) -> sim::Interval {
    let of = |cell: &ReportCell| match cell {
        ReportCell::Number { interval, .. } => *interval,
        ReportCell::Text(_) => None,
    };
    row.cells.iter().find_map(of).unwrap()
}

fn verdict(row: &ReportRow) -> &str {
    match row.cells.last() {
        Some(ReportCell::Text(text)) => text,
        other => panic!("{other:?}"),
    }
}

/// Returns the only row of a table.
fn only(section: ReportSection) -> ReportRow {
    let [row] = section.rows.try_into().unwrap();
    row
}

fn names(section: &ReportSection) -> Vec<&str> {
    section.rows.iter().map(|row| row.name.as_str()).collect()
}

/// A reward in one turn: the seat and the points.
fn gift(turn: u32, seat: u32, points: u32) -> String {
    format!(
        "fn turn_ended() {{\n    if turn.number == {turn} {{ score(players()[{seat}], {points}, \"gift\"); }}\n}}\n"
    )
}

#[test]
fn a_planted_seat_worth_five_points_is_found() {
    let found = Planted::new("", "", &gift(1, 0, 5)).findings(1);
    assert_eq!(names(&found), ["seat red", "seat blue"]);
    assert!(interval(&found.rows[0]).low > 0.5 && verdict(&found.rows[0]).contains("wins more often"), "{found:?}");
    assert!(interval(&found.rows[1]).high < 0.5 && verdict(&found.rows[1]).contains("wins less often"), "{found:?}");
}

#[test]
fn a_planted_tile_that_never_fits_is_found() {
    let kind = "[kind.lava]\nedge = \"full\"\n";
    let tile = "[tile]\nvolcano = { count = 1, lava = \"n-e-s-w\" }\n";
    let row = only(Planted::new(kind, tile, "").findings(1));
    assert_eq!((&*row.name, verdict(&row)), ("tile planted/volcano", "never fits when it is drawn"));
    assert!(interval(&row).low == 0.0 && interval(&row).high < 0.05, "{row:?}");
    // The same tile fits if its land is a city.
    let city = "[tile]\nvolcano = { count = 1, city = \"n-e-s-w\" }\n";
    assert_eq!(names(&Planted::new("", city, "").findings(1)), [""; 0]);
}

#[test]
fn a_planted_game_that_is_decided_at_half_time_is_found() {
    let found = Planted::new("", "", &gift(28, 0, 1000)).findings(1);
    let row = found.rows.iter().find(|row| row.name == "leader at half time").unwrap();
    assert!(interval(row).low > 0.9 && verdict(row).contains("decides little"), "{found:?}");
}

#[test]
fn a_planted_rule_that_never_fires_is_found() {
    let castle = "fn score_value(feature, score) {\n    if feature.n_tiles > 80 { score.plus(5, \"castle\"); }\n}\n";
    let idle = Planted::new("", "", castle).idle_rules(1);
    let [row] = &idle[..] else { panic!("{idle:?}") };
    assert_eq!((&*row.name, verdict(row)), ("planted: score_value", "same scores without it"));
    assert!(interval(row).low == 0.0 && interval(row).high < 0.1, "{row:?}");
    // The same rule fires for smaller features.
    assert_eq!(Planted::new("", "", &castle.replace("80", "2")).idle_rules(1), []);
}

/// The option `pray`, which pays some points whenever a player may deploy a piece.
fn praying(points: u32) -> Planted {
    let script = format!(
        "fn action_options(player) {{ [option(\"pray\")] }}\n\n\
         fn do_pray(choice) {{ if {points} > 0 {{ score(turn.player, {points}, \"prayer\"); }} }}\n"
    );
    Planted::new("[option.pray]\nabout = \"Prays.\"\n", "", &script).small()
}

#[test]
fn a_planted_dominant_option_is_found() {
    let row = only(ladder_table(&praying(30).worth("pray", 40, 1), DEFAULT_LEVEL));
    assert_eq!((&*row.name, verdict(&row)), ("pray", "dominant: nearly always the best choice"), "{row:?}");
    assert!(interval(&row).low > 0.7, "{row:?}");
}

/// A piece that claims land only if its strength is not 0.
fn squire(strength: u32) -> Planted {
    let piece = format!(
        "[piece.squire]\nper_player = 3\nstands_on = [\"city\", \"road\", \"cloister\"]\nstrength = {strength}\n"
    );
    Planted::new(&piece, "", "").small()
}

#[test]
fn a_planted_useless_piece_is_found() {
    let row = only(ladder_table(&squire(0).worth("deploy:squire", 1500, 1), DEFAULT_LEVEL));
    assert!(verdict(&row).starts_with("hardly of use"), "{row:?}");
    assert!(interval(&row).contains(0.5), "{row:?}");
}

/// Checks that the games without faults raise no alarm with `n` seeds.
fn no_alarm(n: u64) {
    let base = Planted::new("", "", "");
    let (pray, squire) = (praying(0), squire(1));
    for seed in 100..100 + n {
        assert_eq!(names(&base.findings(seed)), [""; 0], "seed {seed}");
        assert_eq!(base.idle_rules(seed), [], "seed {seed}");
        let row = only(ladder_table(&pray.worth("pray", 40, seed), DEFAULT_LEVEL));
        assert!(!verdict(&row).contains("dominant"), "seed {seed}: {row:?}");
        let row = only(ladder_table(&squire.worth("deploy:squire", 60, seed), DEFAULT_LEVEL));
        assert!(!verdict(&row).contains("hardly of use"), "seed {seed}: {row:?}");
    }
}

#[test]
fn games_without_planted_faults_raise_no_alarm() {
    no_alarm(4);
}

#[test]
#[ignore = "takes more than a minute"]
fn a_hundred_games_without_planted_faults_raise_no_alarm() {
    no_alarm(100);
}
