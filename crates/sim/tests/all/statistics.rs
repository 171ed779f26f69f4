//! Whether statistics say what is so: the same in whatever way games are played, no more than was seen, and what there is to see.

use std::time::Duration;

use loader::{Library, Loaded};
use players::player_named;
use rules::Setup;
use sim::{Arm, Comparison, LEVEL, Measure, Part, Plan, Report, Verdict, compare, run, run_until, summary};

fn base() -> Loaded {
    Library::builtin().load(&["base"]).0.unwrap()
}

fn plan(loaded: &Loaded, players: &[&str], n_games: u64) -> Plan {
    let settings = loaded.settings_from(&[]).unwrap();
    let bots = players.iter().map(|name| *player_named(name).unwrap()).collect();
    Plan { details: true, ..Plan::new(Setup::of(&["base"], players.len()), settings, bots, n_games) }
}

fn played(loaded: &Loaded, plan: &Plan) -> Report {
    run(loaded, plan, None, &mut |_| {}).unwrap()
}

/// What a report says of its games, without how they were played.
fn of_games(mut report: Report) -> Report {
    (report.took, report.n_threads) = (Duration::ZERO, 0);
    report
}

#[test]
fn threads_and_shards_come_to_the_same() {
    let loaded = base();
    let plan = Plan { rotates: true, seed: 11, ..plan(&loaded, &["random", "greedy", "random"], 26) };
    let one = of_games(played(&loaded, &plan));
    assert_eq!(of_games(played(&loaded, &Plan { n_threads: 2, ..plan.clone() })), one);
    // Four parts, written down and read again, in any order.
    let part = |shard: u64| {
        let plan = plan.shard(shard, 4);
        let text = Part::of(loaded.catalogue(), &plan, played(&loaded, &plan)).text();
        Part::read(&text).unwrap()
    };
    let some = part(4).merge(part(2)).unwrap();
    assert_eq!(some.missing(), [(0, 5), (13, 18)]);
    assert!(some.clone().merge(part(2)).unwrap_err().contains("in both"));
    let all = some.merge(part(1)).unwrap().merge(part(3)).unwrap();
    assert_eq!(all.missing(), []);
    assert_eq!(of_games(all.report), one);
    let other = Plan { seed: 12, n_games: 1, first_game: 26, ..plan.clone() };
    let other = Part::of(loaded.catalogue(), &other, played(&loaded, &other));
    assert_eq!(other.merge(part(1)).unwrap_err(), "seed is not the same: 12 and 11");
}

/// Every point is told of once in each of the tables of points.
#[test]
fn points_add_up() {
    let library = Library::builtin();
    let loaded = library.load(&["inns-cathedrals"]).0.unwrap();
    let settings = loaded.settings_from(&[]).unwrap();
    let greedy = vec![*player_named("random").unwrap(); 3];
    let plan = Plan { details: true, ..Plan::new(Setup::of(&["inns-cathedrals"], 3), settings, greedy, 60) };
    let report = played(&loaded, &plan);
    let of_seats: i128 = report.seats().iter().map(|seat| seat.score.sum()).sum();
    let details = report.details.as_ref().unwrap();
    let of = |reasons: &sim::Reasons| reasons.list().iter().map(|r| r.points.sum()).sum::<i128>() + reasons.rest();
    assert_eq!(of(&details.playing) + of(&details.at_end), of_seats);
    assert_eq!(of(&details.by_mod), of_seats);
    assert!(details.by_mod.list().iter().any(|reason| reason.name.starts_with("inns-cathedrals: ")));
    // Each turn lays a tile or discards one; the tile of the start is laid by nobody.
    let n_laid: u64 = details.tiles.iter().map(|tile| tile.n_laid()).sum();
    assert_eq!(n_laid, report.n_turns, "{:?}", details.tiles);
    let titles: Vec<&str> = summary(&report, LEVEL).iter().map(|section| section.title).collect();
    assert!(titles.contains(&"Tiles") && titles.contains(&"Points by mod"), "{titles:?}");
}

#[test]
fn players_that_move_on_are_told_apart_from_seats() {
    let loaded = base();
    let report = played(&loaded, &Plan { rotates: true, ..plan(&loaded, &["greedy", "random"], 16) });
    let [seats, players] = [report.seats(), report.players()];
    assert_eq!(players.iter().map(|it| it.name).collect::<Vec<_>>(), ["greedy", "random"]);
    assert!(players[0].share() > 0.9 && seats[0].share() < 0.7, "{players:?} {seats:?}");
}

fn compared(a: (&Loaded, &Plan), b: (&Loaded, &Plan)) -> Comparison {
    let [a, b] = [a, b].map(|(factory, plan)| Arm { factory, plan });
    compare(a, b, &mut |_| {}).unwrap()
}

/// Nothing is different where nothing was changed, and where other chance alone makes games differ, that is hardly ever taken for more.
#[test]
fn a_change_that_changes_nothing_raises_no_alarm() {
    let loaded = base();
    let plan_with = |seed: u64| Plan { seed, n_threads: 2, ..plan(&loaded, &["random", "random"], 40) };
    let (a, b) = (plan_with(1), plan_with(1));
    let same = compared((&loaded, &a), (&loaded, &b));
    assert_eq!((same.n_pairs, same.n_changed, same.differs()), (40, 0, false));
    assert!(same.differences.iter().all(|difference| same.verdict(difference) == Verdict::Same));
    let alarms = (0..100).filter(|n| {
        let (a, b) = (plan_with(1000 + n), plan_with(5000 + n));
        compared((&loaded, &a), (&loaded, &b)).differs()
    });
    // One in twenty at most: more than 11 of 100 would be seen in less than 1 of 200 such tests.
    let n_alarms = alarms.count();
    assert!(n_alarms <= 11, "{n_alarms} alarms in 100 comparisons of nothing");
}

/// Five points for one seat are found by both ways of looking.
#[test]
fn an_unfair_seat_is_found() {
    let loaded = base();
    let fair = plan(&loaded, &["random", "random"], 400);
    let mut unfair = fair.clone();
    unfair.setup.position = vec!["score red 5".to_owned()];
    let found = compared((&loaded, &fair), (&loaded, &unfair));
    assert!(found.differs() && found.n_changed == found.n_pairs);
    let of = |measure: Measure| found.differences.iter().find(|it| it.measure == measure).unwrap();
    assert_eq!(of(Measure::Score(0)).mean(), 5.0);
    assert_eq!(found.verdict(of(Measure::Win(0))), Verdict::Differs);
    assert_eq!(found.verdict(of(Measure::Turns)), Verdict::Same);
    let names: Vec<String> = found.b.unfair_seats().iter().map(|seat| seat.name.to_owned()).collect();
    assert_eq!(names, ["red", "blue"]);
}

#[test]
fn playing_goes_on_until_wins_are_known() {
    let loaded = base();
    let plan = Plan { details: false, n_threads: 2, ..plan(&loaded, &["greedy", "random"], 0) };
    // A share near the end is known soon, any share after four times as many games.
    let report = run_until(&loaded, &plan, 0.15, None, &mut |_, _| {}).unwrap();
    let looks = sim::looks(0.15);
    assert_eq!(report.n_games, looks[0]);
    let random = Plan { players: vec![*player_named("random").unwrap(); 2], ..plan };
    let mut n = 0;
    let mut each = |_: &sim::GameResult| {
        n += 1;
        true
    };
    let report = run_until(&loaded, &random, 0.05, Some(&mut each), &mut |_, _| {}).unwrap();
    assert!(report.widest_share(sim::LEVEL_OF_LOOK) <= 0.05);
    assert_eq!(report.n_games, n);
}
