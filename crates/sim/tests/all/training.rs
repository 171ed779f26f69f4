//! The training of the learned value: a toy training learns and can be repeated.

use loader::Library;
use players::player_named;
use rules::{Rules, Setup};
use sim::{Plan, record_positions, train};

#[test]
fn a_short_training_learns_and_depends_only_on_the_seed() {
    let (loaded, problems) = Library::builtin().load(&["base"]);
    let loaded = loaded.unwrap_or_else(|| panic!("{problems}"));
    let bots = ["greedy", "greedy"].map(|name| player_named(name).unwrap()).to_vec();
    let settings = Rules::default_settings(loaded.catalogue());
    let plan = Plan { seed: 5, n_threads: 2, ..Plan::new(Setup::of(&["base"], 2), settings, bots, 60) };
    let positions = record_positions(&loaded, &plan, &mut |_| ()).unwrap();
    let on_one_thread = Plan { n_threads: 1, n_games: 3, ..plan };
    let first = record_positions(&loaded, &on_one_thread, &mut |_| ()).unwrap();
    assert!(first.len() > 20 && positions.starts_with(&first));
    let mut reports = Vec::new();
    let value = train(&positions, 20, 1, &mut |report| reports.push(report));
    let last = reports.last().unwrap();
    assert!(last.corrected < 0.97 * last.projected, "{reports:?}");
    assert_eq!(train(&positions, 20, 1, &mut |_| ()), value);
}
