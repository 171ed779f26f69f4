//! `bastide sim` with its further options: parts and merging, A against B, games that fail.

use std::fs;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use serde_json::Value as Json;

use crate::common::{bastide, folder, written};

fn json(out: &str) -> Json {
    serde_json::from_str(out).unwrap()
}

#[test]
fn parts_put_together_are_the_whole() {
    let dir = folder();
    let args = |more: &[&'static str]| [&["sim", "--games", "40", "--seed", "3", "--detail"], more].concat();
    let mut merge = vec!["sim", "--json", "--merge"];
    let names = ["1.json", "2.json", "3.json", "4.json"];
    for (shard, name) in ["1/4", "2/4", "3/4", "4/4"].into_iter().zip(names) {
        bastide(dir.path(), &args(&["--shard", shard, "--save", name])).expect(0);
        merge.push(name);
    }
    let merged = json(&bastide(dir.path(), &merge).expect(0).out);
    let whole = json(&bastide(dir.path(), &args(&["--json"])).expect(0).out);
    for key in ["games", "seats", "tables", "turns", "decisions", "shared"] {
        assert_eq!(merged[key], whole[key], "{key}");
    }
    let text = bastide(dir.path(), &["sim", "--merge", "1.json", "3.json"]).expect(0);
    assert!(text.err.contains("games 10 to 19 are in none"), "{}", text.err);
    assert!(text.out.contains("mods: base "), "{}", text.out);
    let twice = bastide(dir.path(), &["sim", "--merge", "1.json", "1.json"]).expect(1);
    assert!(twice.err.contains("games 0 to 9 are in both"), "{}", twice.err);
    let other = written(&dir, "other.json", "{}");
    assert!(bastide(dir.path(), &["sim", "--merge", &other]).expect(1).err.contains("was not written by"));
    for wrong in [&["--shard", "5/4"][..], &["--games", "0"], &["--until", "0"], &["--until", "1%", "--games", "5"]] {
        bastide(dir.path(), &[&["sim"], wrong].concat()).expect(2);
    }
}

#[test]
fn a_against_b() {
    let dir = folder();
    // If B has the same mods in another folder, nothing differs.
    let mods = testkit::mods_folder();
    let same = ["sim", "--games", "20", "--against-path", mods.to_str().unwrap()];
    let same = bastide(dir.path(), &same).expect(0).out;
    assert!(same.contains("No difference") && same.contains("the same in every game"), "{same}");
    // Without fields, random players score more, because followers on fields would stay there to
    // the end.
    let args = ["sim", "--games", "200", "--against-set", "base.farmers=false", "--json"];
    let farmers = json(&bastide(dir.path(), &args).expect(0).out);
    assert_eq!(farmers["differs"], true, "{farmers}");
    let rows = farmers["differences"]["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["in a game"] == "points of all").unwrap();
    assert!(row["B less A"]["low"].as_f64().unwrap() > 0.0 && row["verdict"] == "differs", "{row}");
    // Writes the table to a file.
    let args = ["sim", "--games", "20", "--against-set", "base.farmers=false", "--out", "ab.csv"];
    bastide(dir.path(), &args).expect(0);
    let table = fs::read_to_string(dir.path().join("ab.csv")).unwrap();
    assert!(table.starts_with("in_a_game,A,B,B_less_A,B_less_A_low,B_less_A_high,verdict\n"), "{table}");
    // Compares a game with a mod and a game without the mod. The settings of the mod apply only to
    // the first game.
    let args = ["sim", "--mods", "inns-cathedrals", "--games", "40", "--against-mods", "base"];
    let inns = bastide(dir.path(), &args).expect(0).out;
    assert!(inns.contains("B less A") && inns.contains("40 pairs of games"), "{inns}");
    let none = bastide(dir.path(), &["sim", "--against-path", "."]).expect(2);
    assert!(none.err.contains("there are no mods"), "{}", none.err);
}

/// Sweeps the points for an inn from 2 to 5. The more an inn is worth, the more points all players
/// score together.
#[test]
fn a_setting_is_swept() {
    let dir = folder();
    let args = ["sim", "--mods", "inns-cathedrals", "--games", "200", "--sweep", "inns-cathedrals.inn=2..5"];
    let with = |more: &[&'static str]| bastide(dir.path(), &[&args, more].concat()).expect(0).out;
    let found = json(&with(&["--json", "--threads", "1"]));
    assert_eq!(json(&with(&["--json", "--threads", "2"]))["rows"], found["rows"], "threads do not matter");
    assert_eq!((&found["base"], &found["differs"]), (&Json::from("2"), &Json::from(true)));
    let rows: Vec<&Json> =
        found["rows"].as_array().unwrap().iter().filter(|row| row["measure"] == "points of all").collect();
    let means: Vec<f64> = rows.iter().map(|row| row["mean"]["value"].as_f64().unwrap()).collect();
    assert!(means.len() == 4 && means.is_sorted() && means[3] > means[0], "{means:?}");
    // The first value is the current value of the setting, so its difference is 0. The difference
    // grows with the value.
    assert_eq!(rows[0]["difference"], 0.0);
    assert!(rows[3]["difference"]["low"].as_f64().unwrap() > 0.0 && rows[3]["verdict"] == "differs");
    let text = with(&["--out", "inns.csv", "--html", "inns.html"]);
    assert!(text.contains("difference from 2") && text.contains("makes a difference"), "{text}");
    let csv = fs::read_to_string(dir.path().join("inns.csv")).unwrap();
    assert!(csv.starts_with("measure,setting,value,mean,mean_low,mean_high,difference,"), "{csv}");
    let page = fs::read_to_string(dir.path().join("inns.html")).unwrap();
    assert!(page.contains("<polyline") && page.contains("points of all"), "{page}");
    with(&["--out", "inns.parquet"]);
    let reader = SerializedFileReader::new(fs::File::open(dir.path().join("inns.parquet")).unwrap()).unwrap();
    let read: Vec<f64> = reader
        .get_row_iter(None)
        .unwrap()
        .map(Result::unwrap)
        .filter(|row| row.get_string(0).unwrap() == "points of all")
        .map(|row| row.get_double(3).unwrap())
        .collect();
    assert_eq!(read, means);
    for (wrong, says) in [
        ("base.small_city=2..9", "not one of `2` and `4`"),
        ("base.smal_city", "did you mean"),
        ("base.farmers=true", "two values"),
    ] {
        let error = bastide(dir.path(), &["sim", "--sweep", wrong]).expect(2).err;
        assert!(error.contains(says), "{wrong}: {error}");
    }
}

/// Measures games with hidden values of a setting and a count, makes goals of the results, and lets
/// the search find the values again.
#[test]
fn hidden_values_are_found_by_their_goals() {
    let dir = folder();
    let sim = |more: &[&str], code: i32| {
        let args: Vec<&str> = ["sim", "--mods", "inns-cathedrals"].iter().chain(more).copied().collect();
        bastide(dir.path(), &args).expect(code)
    };
    let hidden = ["--set", "inns-cathedrals.inn=4", "--set", "follower=5"];
    let report = json(&sim(&[&hidden[..], &["--games", "4000", "--seed", "77", "--detail", "--json"]].concat(), 0).out);
    let cell = |title: &str, first: &str, name: &str, column: &str| {
        let table = report["tables"].as_array().unwrap().iter().find(|table| table["title"] == title).unwrap();
        table["rows"].as_array().unwrap().iter().find(|row| row[first] == name).unwrap()[column].clone()
    };
    let points = cell("Games", "in a game", "points of all", "mean")["value"].as_f64().unwrap();
    let of_roads = cell("Points by reason", "for", "road", "share").as_f64().unwrap();
    let goals = [format!("points={points}"), format!("points:road={}%", 100.0 * of_roads)];
    let vary = ["--vary", "inns-cathedrals.inn", "--vary", "follower=3..8", "--games", "3200", "--seed", "5"];
    let search = ["--goal", &goals[0], "--goal", &goals[1]].into_iter().chain(vary).collect::<Vec<_>>();
    let found = json(&sim(&[&search, &["--json"][..]].concat(), 0).out);
    assert_eq!((&found["best"][0]["inns-cathedrals.inn"], &found["best"][0]["follower"]), (&"4".into(), &"5".into()));
    assert_eq!((&found["tried"], &found["possible"]), (&36.into(), &36.into()));
    // A goal that cannot be met.
    let args = ["--goal", "turns=..20", "--vary", "base.small_city", "--games", "40", "--out", "goal.csv"];
    let text = sim(&args, 0).out;
    assert!(text.contains("turns missed") && text.contains("2 of 2 combinations tried"), "{text}");
    let csv = fs::read_to_string(dir.path().join("goal.csv")).unwrap();
    assert!(csv.starts_with("values,turns,turns_low,turns_high,verdict\nbase.small_city="), "{csv}");
    // A stored search that is over gives the same results without games. It is not mixed up with
    // another search.
    let stored = [&args[..6], &["--resume", "search.json"]].concat();
    let (first, again) = (sim(&stored, 0).out, sim(&stored, 0).out);
    assert!(first == again && first.contains("2 of 2 combinations tried"), "{first}\n{again}");
    let error = sim(&[&stored, &["--seed", "2"][..]].concat(), 1).err;
    assert!(error.contains("search.json: this is the state of another search: seed differs: 1 and 2"), "{error}");
    fs::write(dir.path().join("search.json"), "{}").unwrap();
    assert!(sim(&stored, 1).err.contains("search.json: this is not the state of a search"));
    for (goal, vary, says) in [
        ("points", "base.small_city", "is not a goal"),
        ("pionts=3", "base.small_city", "there is no quantity `pionts`: use red, blue, points"),
        ("points=60..70", "base.smal_city", "did you mean"),
        ("points=60..70", "base/K", "choose values of base/K"),
        ("points=60..70", "base/KK=1..2", "there is no tile"),
        ("points=60..70", "base.small_city=2..4", "not one of `2` and `4`"),
    ] {
        let error = sim(&["--goal", goal, "--vary", vary], 2).err;
        assert!(error.contains(says), "{goal} {vary}: {error}");
    }
}

#[test]
fn players_move_on_and_details_are_told() {
    let dir = folder();
    let args = ["sim", "--players", "greedy,random", "--games", "6", "--rotate", "--detail", "--json"];
    let report = json(&bastide(dir.path(), &args).expect(0).out);
    assert_eq!(report["players"][0]["name"], "greedy", "{report}");
    let titles: Vec<&str> = report["tables"].as_array().unwrap().iter().map(|t| t["title"].as_str().unwrap()).collect();
    assert_eq!(titles[..3], ["Seats", "Players", "Games"]);
    let text = bastide(dir.path(), &["sim", "--games", "30", "--detail"]).expect(0).out;
    for words in ["seat", "±", "options a choice", "Points by reason", "base/K", "seat advantage", "peak memory"] {
        assert!(text.contains(words), "{words} is missing in\n{text}");
    }
    let mixed = bastide(dir.path(), &["sim", "--players", "greedy,random", "--games", "2"]).expect(0).out;
    assert!(mixed.contains("--rotate"), "{mixed}");
    // Two games on the same draws with swapped seats of equal players are the same game.
    let pair = ["sim", "--players", "greedy,greedy", "--games", "2", "--rotate", "--same-draws", "--json"];
    let report = json(&bastide(dir.path(), &pair).expect(0).out);
    assert_eq!(report["of"]["rotation"], "same draws");
    assert_eq!(
        [&report["seats"][0]["min"], &report["seats"][1]["min"]],
        [&report["seats"][0]["max"], &report["seats"][1]["max"]]
    );
}

#[test]
fn games_that_fail_are_kept() {
    let dir = folder();
    let mods = dir.path().join("faulty");
    fs::create_dir(&mods).unwrap();
    let manifest = "[mod]\nid = \"faulty\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n";
    fs::write(mods.join("mod.toml"), manifest).unwrap();
    let script = "fn turn_ended() {\n    if turn.number == 30 && supply(turn.player, \"follower\") == 0 { let none = 0; 1 / none }\n}\n";
    fs::write(mods.join("rules.rhai"), script).unwrap();
    let args = ["sim", "--mods", "./faulty", "--games", "40", "--keep-failures", "failed", "--json"];
    let report = json(&bastide(dir.path(), &args).expect(1).out);
    let n_failed = report["faults"].as_u64().unwrap();
    assert!(n_failed > 0 && n_failed < 40, "{report}");
    assert_eq!(report["seats"][0]["games"], 40 - n_failed);
    let kept: Vec<_> = fs::read_dir(dir.path().join("failed")).unwrap().map(|it| it.unwrap().path()).collect();
    assert_eq!(kept.len() as u64, n_failed);
    let file = kept[0].to_str().unwrap();
    let again = bastide(dir.path(), &["replay", file, "--mods-path", "."]).expect(1);
    assert!(again.err.contains("zero"), "{} {}", again.out, again.err);
}

#[test]
fn games_that_all_fail_have_no_tables() {
    let dir = folder();
    fs::create_dir(dir.path().join("faulty")).unwrap();
    let manifest = "[mod]\nid = \"faulty\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n";
    written(&dir, "faulty/mod.toml", manifest);
    written(&dir, "faulty/rules.rhai", "fn turn_ended() { throw \"never\"; }\n");
    let ran = bastide(dir.path(), &["sim", "--mods", "./faulty", "--games", "4"]).expect(1);
    assert!(
        ran.out.contains("4 of 4 games did not finish:") && ran.out.contains(", and 3 more games: "),
        "{}",
        ran.out
    );
    assert_eq!(ran.out.matches("never").count(), 1, "{}", ran.out);
    assert!(!ran.out.contains("ties") && !ran.out.contains("games/s"), "{}", ran.out);
}

#[test]
fn a_sequential_test_of_bots_ends_when_the_result_is_clear() {
    let dir = folder();
    let test = |players: &str, more: &[&str]| {
        let args = ["sim", "--sequential", "--players", players];
        bastide(dir.path(), &[&args, more].concat()).expect(0).out
    };
    let found = json(&test("random,greedy", &["--json"]));
    assert_eq!((&found["verdict"], &found["stronger"]), (&Json::from("stronger"), &Json::from("greedy")));
    assert!(found["games"].as_u64().unwrap() < 60, "{found}");
    assert_eq!(found["games"].as_u64().unwrap(), 2 * found["pairs"].as_u64().unwrap());
    let text = test("greedy,random", &["--threads", "1"]);
    assert!(text.contains("random wins 0.0%") && text.contains("It is not stronger"), "{text}");
    assert_eq!(text, test("greedy,random", &["--threads", "2"]));
    let text = test("random,random", &["--games", "20"]);
    assert!(text.contains("of 20 games") && text.contains("not clear yet"), "{text}");
    let refused = bastide(dir.path(), &["sim", "--sequential", "--players", "greedy"]).expect(1).err;
    assert!(refused.contains("a sequential test needs two players"), "{refused}");
}

#[test]
fn better_players_climb_the_ladder() {
    let dir = folder();
    let args = ["sim", "--ladder", "--players", "random,greedy", "--games", "20", "--json"];
    let found = json(&bastide(dir.path(), &args).expect(0).out);
    let rung = &found["rungs"][0];
    assert_eq!((&rung["stronger"], &rung["weaker"]), (&Json::from("greedy"), &Json::from("random")), "{found}");
    assert!(rung["share"].as_f64().unwrap() > 0.9 && found["rungs"].as_array().unwrap().len() == 1, "{found}");
    let text = bastide(dir.path(), &["sim", "--ladder", "--players", "greedy,random", "--games", "20"]).expect(0).out;
    assert!(text.contains("random against greedy") && text.contains("does worse"), "{text}");
}

/// Each search plays against one with half as many simulations.
#[test]
fn strength_is_measured_by_doubling_simulations() {
    let dir = folder();
    let args = ["sim", "--strength", "100", "--games", "6", "--set", "base/*=1", "--seed", "4"];
    let run = |more: &[&'static str]| bastide(dir.path(), &[&args, more].concat()).expect(0).out;
    let found = json(&run(&["--json"]));
    let pairs: Vec<[&str; 2]> = found["rungs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| ["weaker", "stronger"].map(|key| it[key].as_str().unwrap()))
        .collect();
    assert_eq!(pairs, [["search:25", "search:50"], ["search:50", "search:100"]], "{found}");
    let depth = found["depth"].as_str().unwrap();
    assert!(depth.contains("of 2 doublings win at least 55%"), "{depth}");
    let text = run(&["--html", "depth.html", "--out", "depth.csv"]);
    assert!(text.contains("search:100 against search:50") && text.contains(depth), "{text}");
    let page = fs::read_to_string(dir.path().join("depth.html")).unwrap();
    assert!(page.contains(depth) && page.contains("search:100 against search:50"), "{page}");
    let csv = fs::read_to_string(dir.path().join("depth.csv")).unwrap();
    assert!(csv.lines().count() == 3 && csv.contains("search:50 against search:25,"), "{csv}");
    bastide(dir.path(), &["sim", "--strength", "49"]).expect(2);
}

/// Every report contains what is needed to play its games again: seed, settings, mods with versions
/// and hashes, and the version of the program.
#[test]
fn reports_name_seed_and_versions() {
    let dir = folder();
    let reports: [&[&str]; 8] = [
        &["--detail"],
        &["--against-set", "base.farmers=false"],
        &["--sweep", "base.small_city"],
        &["--goal", "points=1..", "--vary", "base/K=0..1"],
        &["--what-matters"],
        &["--ladder", "--players", "random,greedy"],
        &["--sequential", "--players", "random,random"],
        &["--forbid", "pass"],
    ];
    for more in reports {
        let args = [&["sim", "--games", "2", "--seed", "77", "--set", "base/D=1"], more].concat();
        let of = json(&bastide(dir.path(), &[&args[..], &["--json"]].concat()).expect(0).out)["of"].clone();
        let of = if of["a"].is_null() { of } else { of["a"].clone() };
        assert_eq!(of["seed"], "77", "{more:?}: {of}");
        let mods = of["mods"].as_str().unwrap();
        let hash = mods.strip_prefix("base 1.0.0 ").unwrap();
        assert!(hash.len() == 16 && hash.bytes().all(|it| it.is_ascii_hexdigit()), "{mods}");
        assert_eq!(of["settings"], "base.farmers true, base.small_city 2, base/D 1", "{more:?}");
        let program = format!("bastide {}", env!("CARGO_PKG_VERSION"));
        assert_eq!(of["program"], program.as_str(), "{more:?}");
        let is_page = more[0] != "--sequential";
        let files: &[&str] = if is_page { &["--html", "page.html"] } else { &[] };
        let text = bastide(dir.path(), &[&args[..], files].concat()).expect(0).out;
        for part in ["seed 77", mods, &program, "base/D 1"] {
            assert!(text.contains(part), "{more:?}: {part} is missing in {text}");
        }
        if is_page {
            let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
            for part in ["seed 77", mods, &program, "base/D 1"] {
                assert!(page.contains(part), "{more:?}: {part} is missing in {page}");
            }
        }
    }
}

#[test]
fn the_worth_of_options_is_measured() {
    let dir = folder();
    let args = ["sim", "--forbid", "deploy,place:0", "--players", "random,greedy", "--games", "20", "--json"];
    let found = json(&bastide(dir.path(), &args).expect(0).out);
    let options = found["options"].as_array().unwrap();
    assert_eq!((&found["bot"], options.len()), (&Json::from("greedy"), 2), "{found}");
    // Without any deployment, a player scores nothing.
    assert_eq!((&options[0]["option"], &options[0]["share"]), (&Json::from("deploy"), &Json::from(1.0)), "{found}");
    assert!(options[0]["lead"].as_f64().unwrap() > 30.0, "{found}");
    let text = bastide(dir.path(), &["sim", "--forbid", "--players", "greedy", "--games", "2"]).expect(0).out;
    let rows = text.lines().filter(|line| line.contains("% ±"));
    let names: Vec<&str> = rows.map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!(names, ["deploy", "deploy city", "deploy cloister", "deploy field", "deploy road", "pass"], "{text}");
    let wrong = bastide(dir.path(), &["sim", "--forbid", "deploy::field"]).expect(1).err;
    assert!(wrong.contains("`deploy::field` names no options"), "{wrong}");
}

/// The Parquet file contains the same results as the printed report.
#[test]
fn parquet_holds_what_was_printed() {
    let dir = folder();
    let args = ["sim", "--games", "150", "--players", "random,random,random", "--out", "games.parquet", "--json"];
    let report = json(&bastide(dir.path(), &args).expect(0).out);
    let reader = SerializedFileReader::new(fs::File::open(dir.path().join("games.parquet")).unwrap()).unwrap();
    let names: Vec<String> =
        reader.metadata().file_metadata().schema_descr().columns().iter().map(|it| it.name().to_owned()).collect();
    let column = |name: &str| names.iter().position(|it| it == name).unwrap();
    let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 150);
    for seat in report["seats"].as_array().unwrap() {
        let name = seat["name"].as_str().unwrap();
        let scores: Vec<i64> = rows.iter().map(|row| row.get_long(column(name)).unwrap()).collect();
        let mean = scores.iter().sum::<i64>() as f64 / 150.0;
        let variance = scores.iter().map(|score| (*score as f64 - mean).powi(2)).sum::<f64>() / 150.0;
        let wins = rows.iter().map(|row| {
            let winners: Vec<&str> = row.get_string(column("winner")).unwrap().split(' ').collect();
            if winners.contains(&name) { 1.0 / winners.len() as f64 } else { 0.0 }
        });
        let near = |key: &str, value: f64| {
            let printed = seat[key].as_f64().unwrap();
            assert!((printed - value).abs() < 1e-6, "{name} {key}: {printed} printed, {value} read");
        };
        near("mean", mean);
        near("deviation", variance.sqrt());
        near("wins", wins.sum());
        assert_eq!(
            (seat["min"].as_i64(), seat["max"].as_i64()),
            (scores.iter().min().copied(), scores.iter().max().copied())
        );
    }
    let turns: i64 = rows.iter().map(|row| row.get_long(column("turns")).unwrap()).sum();
    assert_eq!(report["turns"], turns);
}

#[test]
fn pages_are_whole_and_safe() {
    let dir = folder();
    bastide(dir.path(), &["sim", "--games", "30", "--html", "page.html"]).expect(0);
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.contains("Content-Security-Policy content=\"default-src 'none'"), "{page}");
    for words in ["Win rates", "<svg", "base/K", "prefers-color-scheme", "score of red"] {
        assert!(page.contains(words), "{words} is missing");
    }
    assert!(!page.contains("://") && !page.contains("<script"), "the page needs no other file");
    let args = ["sim", "--games", "30", "--against-set", "base.farmers=false", "--html", "ab.html"];
    bastide(dir.path(), &args).expect(0);
    let page = fs::read_to_string(dir.path().join("ab.html")).unwrap();
    assert!(page.contains("base against base.farmers = false") && page.contains("B less A"), "{page}");
}

/// The report names functions that never change a result, and mods that contradict each other. For
/// a contradiction, it contains the record of a game.
#[test]
fn what_matters_is_told_apart_from_what_does_not() {
    let dir = folder();
    let mods = |id: &str, manifest: &str, script: &str| {
        let own = dir.path().join(id);
        fs::create_dir(&own).unwrap();
        let head = format!("[mod]\nid = \"{id}\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n{manifest}");
        fs::write(own.join("mod.toml"), head).unwrap();
        fs::write(own.join("rules.rhai"), script).unwrap();
    };
    let two = "fn score_value(feature, score) {\n    if feature.kind == \"road\" { score.replace(2, \"two\"); }\n}\n";
    let idle = "fn turn_ended() {\n    let nothing = turn.number;\n}\n";
    mods("roads-two", "", &format!("{two}{idle}"));
    mods("roads-nine", "", &two.replace('2', "9"));
    let args = ["sim", "--mods", "./roads-two,./roads-nine", "--games", "120", "--what-matters", "--json"];
    let found = json(&bastide(dir.path(), &args).expect(0).out);
    let part = |name: &str| found["parts"].as_array().unwrap().iter().find(|it| it["part"] == name).unwrap();
    assert_eq!(part("roads-two: turn_ended")["matters"], false, "{found}");
    assert_eq!(part("roads-two: turn_ended")["games"], 120);
    assert_eq!(part("base: score_value")["matters"], true);
    assert_eq!(part("tag shield")["matters"], true);
    assert_eq!(found["clashes"][0]["mods"], serde_json::json!(["roads-nine", "roads-two"]), "{found}");
    let record = written(&dir, "witness.game", found["clashes"][0]["record"].as_str().unwrap());
    bastide(dir.path(), &["replay", &record, "--mods-path", "."]).expect(0);
    // If only one of the mods is played, the report names no contradiction.
    let text = bastide(dir.path(), &["sim", "--mods", "./roads-two", "--games", "120", "--what-matters"]).expect(0).out;
    assert!(text.contains("Never changed a result in 120 games") && text.contains("roads-two: turn_ended"), "{text}");
    assert!(!text.contains("order of"), "{text}");
}
