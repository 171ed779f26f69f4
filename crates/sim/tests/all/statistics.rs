//! Tests that statistics do not depend on threads and shards, and that they count every event
//! exactly once.

use std::rc::Rc;
use std::time::Duration;

use loader::{Library, Loaded};
use players::player_named;
use rules::{RulesFactory as _, Setup};
use sim::{Arm, Comparison, DEFAULT_LEVEL, Measure, Plan, Report, Shard, Verdict, compare, run, run_until, summary};

fn base() -> Loaded {
    Library::builtin().load(&["base"]).0.unwrap()
}

fn plan(loaded: &Loaded, players: &[&str], n_games: u64) -> Plan {
    let settings = loaded.settings_from(&[]).unwrap();
    let bots = players.iter().map(|name| player_named(name).unwrap()).collect();
    Plan { details: true, ..Plan::new(Setup::of(&["base"], players.len()), settings, bots, n_games) }
}

fn played(loaded: &Loaded, plan: &Plan) -> Report {
    run(loaded, plan, None, &mut |_| {}).unwrap()
}

/// Returns a report without numbers that vary from run to run, such as time and threads.
fn of_games(mut report: Report) -> Report {
    (report.took, report.n_threads) = (Duration::ZERO, 0);
    report.thinking.clear();
    report
}

#[test]
fn threads_and_shards_come_to_the_same() {
    let loaded = base();
    let plan = Plan { rotates: true, seed: 11, ..plan(&loaded, &["random", "greedy", "random"], 26) };
    let one = of_games(played(&loaded, &plan));
    assert_eq!(of_games(played(&loaded, &Plan { n_threads: 2, ..plan.clone() })), one);
    // Makes one of four shards, and writes and reads its text.
    let part = |shard: u64| {
        let plan = plan.shard(shard, 4);
        let text = Shard::new(loaded.catalogue(), &plan, played(&loaded, &plan)).text();
        Shard::parse(&text).unwrap()
    };
    let some = part(4).merge(part(2)).unwrap();
    assert_eq!(some.missing(), [(0, 5), (13, 18)]);
    assert!(some.clone().merge(part(2)).unwrap_err().to_string().contains("in both"));
    let all = some.merge(part(1)).unwrap().merge(part(3)).unwrap();
    assert_eq!(all.missing(), []);
    assert_eq!(of_games(all.report), one);
    let other = Plan { seed: 12, n_games: 1, first_game: 26, ..plan.clone() };
    let other = Shard::new(loaded.catalogue(), &other, played(&loaded, &other));
    assert_eq!(other.merge(part(1)).unwrap_err().to_string(), "seed differs: 12 and 11");
    // Other counts of tiles are another game.
    let chosen = vec![("base/K".to_owned(), "5".to_owned())];
    let settings = loaded.settings_from(&chosen).unwrap();
    let setup = Setup { settings: chosen, ..plan.setup.clone() };
    let other = Plan { setup, settings, n_games: 1, first_game: 26, ..plan.clone() };
    let other = Shard::new(loaded.catalogue(), &other, played(&loaded, &other));
    assert!(other.merge(part(1)).unwrap_err().to_string().contains("base/K 5"));
}

/// Each point occurs once in each table of points.
#[test]
fn points_add_up() {
    let library = Library::builtin();
    let loaded = library.load(&["inns-cathedrals"]).0.unwrap();
    let settings = loaded.settings_from(&[]).unwrap();
    let bots = vec![player_named("random").unwrap(); 3];
    let plan = Plan { details: true, ..Plan::new(Setup::of(&["inns-cathedrals"], 3), settings, bots, 60) };
    let report = played(&loaded, &plan);
    let of_seats: i128 = report.seats().iter().map(|seat| seat.score.sum()).sum();
    let details = report.details.as_ref().unwrap();
    let of = |reasons: &sim::ReasonTotals| reasons.list().iter().map(|r| r.points.sum()).sum::<i128>() + reasons.rest();
    assert_eq!(of(&details.playing) + of(&details.at_end), of_seats);
    assert_eq!(of(&details.by_rule), of_seats);
    assert!(details.by_rule.list().iter().any(|reason| reason.name.starts_with("inns-cathedrals: ")));
    // In each turn, the player places or discards one tile. The start tile is not placed by a
    // player.
    let n_laid: u64 = details.tiles.iter().map(|tile| tile.n_laid()).sum();
    assert_eq!(n_laid, report.n_turns, "{:?}", details.tiles);
    let titles: Vec<String> = summary(&report, DEFAULT_LEVEL).into_iter().map(|section| section.title).collect();
    assert!(["Tiles", "Points by rule"].iter().all(|title| titles.contains(&(*title).to_owned())), "{titles:?}");
}

#[test]
fn players_that_move_on_are_told_apart_from_seats() {
    let loaded = base();
    let report = played(&loaded, &Plan { rotates: true, ..plan(&loaded, &["greedy", "random"], 16) });
    let [seats, players] = [report.seats(), report.players()];
    assert_eq!(players.iter().map(|it| it.name).collect::<Vec<_>>(), ["greedy", "random"]);
    assert!(players[0].win_rate() > 0.9 && seats[0].win_rate() < 0.7, "{players:?} {seats:?}");
}

/// An example is a game that is replayed up to the position that illustrates its subject.
#[test]
fn examples_show_what_they_are_about() {
    let loaded = base();
    let plan = Plan { seed: 7, ..plan(&loaded, &["greedy", "random"], 12) };
    let report = played(&loaded, &plan);
    let sections = summary(&report, DEFAULT_LEVEL);
    let rows: Vec<&sim::ReportRow> = sections.iter().flat_map(|section| &section.rows).collect();
    let shown = |name: &str| {
        let row = rows.iter().find(|row| row.name == name && row.example.is_some()).unwrap();
        let shown = sim::replay_example(&loaded, &plan, row.example.as_ref().unwrap()).unwrap();
        let record = record::Record::parse(&shown.record).0;
        let rules = Rc::new(loaded.rules(plan.settings.clone()).unwrap());
        let mut game = record::replay(rules, &record, |_| {}).unwrap().game;
        game.undo(game.log().len() - shown.at);
        game
    };
    // The last award before the position is for a city, and it is the largest such award.
    let city = shown("city");
    let last = city.state().awards().last().unwrap();
    let all = city.state().awards().iter().filter(|award| &*award.reason == "city");
    assert_eq!((&*last.reason, Some(last.points)), ("city", all.map(|award| award.points).max()));
    // If a rule takes points away, the example is the position right after an award that the rule
    // has reduced.
    let small = shown("base: score_value, small city");
    let last = small.state().awards().last().unwrap();
    assert!(last.lines.iter().any(|line| &*line.reason == "small city"), "{last:?}");
    // In this position, the player has just placed the tile.
    let texts = shown("base/U").log_texts();
    assert!(texts.ends_with(&["draw base/U".to_owned(), texts.last().unwrap().clone()]), "{texts:?}");
    assert!(texts.last().unwrap().starts_with("place "), "{texts:?}");
    // The example of `options a choice` is the decision with the most options. The example of
    // pieces in play at the end is the end of the game.
    assert!(shown("options a choice").state().decision().is_some());
    assert!(shown("pieces in play at the end").state().is_over());
    // From this position on, the winner leads until the end.
    let lead = shown("red");
    assert!(lead.state().score(rules::Seat(0)) > lead.state().score(rules::Seat(1)));
}

/// The example of a difference is the first answer or award that differs.
#[test]
fn a_difference_is_shown_where_it_begins() {
    let loaded = base();
    let a = plan(&loaded, &["random", "random"], 1);
    let mut b = a.clone();
    b.setup.position = vec!["score red 5".to_owned()];
    let arms = [&a, &b].map(|plan| Arm { factory: &loaded, plan });
    assert_eq!(sim::replay_difference(arms[0], arms[1], 3).unwrap().at, 0);
    let same = sim::replay_difference(arms[0], arms[0], 3).unwrap();
    let record = record::Record::parse(&same.record).0;
    assert_eq!(same.at, record.lines.len(), "nothing differs: the end");
    // Small cities give more points in B, so the games differ from the first complete small city
    // on.
    let settings = loaded.settings_from(&[("base.small_city".to_owned(), "4".to_owned())]).unwrap();
    let four = Plan { settings, ..a.clone() };
    let found = compare(arms[0], Arm { factory: &loaded, plan: &four }, &mut |_| {}).unwrap();
    let number = (0..40).find(|number| {
        let plan = Plan { first_game: *number, n_games: 1, ..a.clone() };
        let four = Plan { first_game: *number, n_games: 1, ..four.clone() };
        compare(Arm { factory: &loaded, plan: &plan }, Arm { factory: &loaded, plan: &four }, &mut |_| {})
            .unwrap()
            .n_changed
            > 0
    });
    assert!(found.n_pairs == 1 && number.is_some());
    let shown = sim::replay_difference(arms[0], Arm { factory: &loaded, plan: &four }, number.unwrap()).unwrap();
    let record = record::Record::parse(&shown.record).0;
    let rules = Rc::new(loaded.rules(four.settings).unwrap());
    let mut game = record::replay(rules, &record, |_| {}).unwrap().game;
    game.undo(game.log().len() - shown.at);
    let last = game.state().awards().last().unwrap();
    assert_eq!((&*last.reason, last.points), ("city", 4));
}

fn compared(a: (&Loaded, &Plan), b: (&Loaded, &Plan)) -> Comparison {
    let [a, b] = [a, b].map(|(factory, plan)| Arm { factory, plan });
    compare(a, b, &mut |_| {}).unwrap()
}

/// Two equal arms show no difference. Differences due to chance are rarely reported as real.
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
    // On average, at most one in twenty comparisons reports a difference. The probability of more
    // than 11 in 100 is below 1/200.
    let n_alarms = alarms.count();
    assert!(n_alarms <= 11, "{n_alarms} alarms in 100 comparisons of nothing");
}

/// The comparison of games and the test of seats both detect five extra points for one seat.
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
    // A win rate near 0 or 1 is precise enough at the first check. Any other win rate is precise
    // enough after four times as many games.
    let report = run_until(&loaded, &plan, 0.15, None, &mut |_, _| {}).unwrap();
    let looks = sim::schedule_of_checks(0.15);
    assert_eq!(report.n_games, looks[0]);
    let random = Plan { players: vec![player_named("random").unwrap(); 2], ..plan };
    let mut n = 0;
    let mut each = |_: &sim::GameResult| {
        n += 1;
        true
    };
    let report = run_until(&loaded, &random, 0.05, Some(&mut each), &mut |_, _| {}).unwrap();
    assert!(report.widest_half_width(sim::CHECK_LEVEL) <= 0.05);
    assert_eq!(report.n_games, n);
}
