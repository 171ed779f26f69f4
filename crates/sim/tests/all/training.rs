//! The training of the learned value: it finds a planted rule, and can be repeated.

use loader::Library;
use players::player_named;
use rules::{Rules, Setup};
use sim::{Plan, RecordedPosition, TrainingStart, record_positions, train};

/// Replaces the gains of a position: each stake is worth four points, and each piece in supply two.
fn plant_gains(position: &mut RecordedPosition) {
    let facts = &position.facts;
    for (seat, (gain, player)) in position.gains.iter_mut().zip(&facts.players).enumerate() {
        let n_stakes = facts.stakes.iter().filter(|(owner, _)| owner.idx() == seat).count();
        *gain = 4.0 * n_stakes as f32 + 8.0 * player[0];
    }
}

#[test]
fn a_short_training_finds_a_planted_rule_and_depends_only_on_the_seed() {
    let (loaded, problems) = Library::builtin().load(&["base"]);
    let loaded = loaded.unwrap_or_else(|| panic!("{problems}"));
    let bots = ["greedy", "greedy"].map(|name| player_named(name).unwrap()).to_vec();
    let settings = Rules::default_settings(loaded.catalogue());
    let plan = Plan { seed: 5, n_threads: 2, ..Plan::new(Setup::of(&["base"], 2), settings, bots, 60) };
    let mut games = record_positions(&loaded, &plan, &mut |_| ()).unwrap();
    let on_one_thread = Plan { n_threads: 1, n_games: 3, ..plan };
    let first = record_positions(&loaded, &on_one_thread, &mut |_| ()).unwrap();
    assert!(first.positions.len() > 20 && games.positions.starts_with(&first.positions));
    assert!(first.leads.len() == 3 && games.leads.starts_with(&first.leads), "{:?}", first.leads);
    games.positions.iter_mut().for_each(plant_gains);
    let mut reports = Vec::new();
    let value = train(TrainingStart::Random, &games, 20, 1, &mut |report| reports.push(report));
    let last = reports.last().unwrap();
    assert!(last.corrected < 0.4 * last.projected, "{reports:?}");
    // The leads were not planted: those of greedy players are some 20 points.
    assert!((5.0..40.0).contains(&value.lead), "{}", value.lead);
    assert_eq!(train(TrainingStart::Random, &games, 20, 1, &mut |_| ()), value);
    // Further training keeps more of the first weights than it changes.
    let further = train(TrainingStart::Value(&value), &games, 2, 2, &mut |_| ());
    let weights = value.stake.weights().iter().zip(further.stake.weights());
    let (changed, kept) = weights.fold((0.0, 0.0), |(d, w), (a, b)| (d + (a - b).powi(2), w + a * a));
    assert!(changed > 0.0 && changed < 0.1 * kept, "{changed} of {kept}");
}
