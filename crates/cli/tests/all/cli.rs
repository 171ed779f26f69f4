//! The command as users run it: its output and exit codes.
//!
//! The file is long because it has a test for each command.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{bastide, bastide_with, folder, written};
use serde_json::Value as Json;
use testkit::mods_folder;

const GAME: &str = "\
bastide 1
mods base
players red blue
seed 3

draw base/L
place 0,-1 180
deploy follower 0,-1 city@s
draw base/W
place 1,0 90
pass
";

#[test]
fn help_teaches_and_usage_errors_are_2() {
    let dir = folder();
    let help = bastide(dir.path(), &["--help"]).expect(0).out;
    for command in ["new", "check", "test", "play", "replay", "sim", "tiles", "docs", "pack", "install", "completions"]
    {
        assert!(help.contains(command), "{command}");
        let of_command = bastide(dir.path(), &[command, "--help"]).expect(0).out;
        assert!(of_command.contains("Examples:"), "{command} has no examples");
    }
    bastide(dir.path(), &[]).expect(2);
    bastide(dir.path(), &["plya"]).expect(2);
    let players = bastide(dir.path(), &["sim", "--players", "random,cleverest"]).expect(2);
    assert!(players.err.contains("greedy"), "{}", players.err);
    let setting = bastide(dir.path(), &["sim", "--set", "base.farmer=true", "--games", "1"]).expect(2);
    assert!(setting.err.contains("base.farmers"), "{}", setting.err);
    let seats = bastide(dir.path(), &["sim", "--players", "random", "--games", "1"]).expect(1);
    assert!(seats.err.contains("2 to 6"), "{}", seats.err);
    bastide(dir.path(), &["sim", "--games", "1", "--out", "x.txt"]).expect(2);
    bastide(dir.path(), &["play", "--names", "one", "--players", "random,random"]).expect(2);
}

#[test]
fn a_player_may_have_a_name_of_two_words() {
    let dir = folder();
    let args = ["play", "--players", "random,random", "--names", "Anna Maria,Bo", "--record", "x.game"];
    let played = bastide(dir.path(), &args).expect(0);
    assert!(played.out.contains("Anna Maria"), "{}", played.out);
    assert!(fs::read_to_string(dir.path().join("x.game")).unwrap().contains("\nplayers Anna_Maria Bo\n"));
    assert!(bastide(dir.path(), &["replay", "x.game"]).expect(0).out.contains("played by Anna Maria, Bo"));
}

#[test]
fn completions_know_the_commands() {
    let dir = folder();
    for shell in ["bash", "zsh", "fish"] {
        assert!(bastide(dir.path(), &["completions", shell]).expect(0).out.contains("replay"), "{shell}");
    }
}

#[test]
fn replay_prints_a_json_line_for_each_decision() {
    let dir = folder();
    let file = written(&dir, "a.game", GAME);
    let lines = bastide(dir.path(), &["replay", &file, "--json"]).expect(0).json_lines();
    // The lines: six answers of the record, a draw from the seed, the open question, and the final
    // line.
    assert_eq!(lines.len(), 9);
    assert_eq!(lines[0]["n"], 0);
    assert_eq!(lines[0]["who"], "chance");
    assert_eq!(lines[0]["answer"], "draw base/L");
    assert!(lines[0].get("options").is_none());
    assert_eq!(lines[2]["who"], "red");
    assert_eq!(lines[2]["scores"], serde_json::json!([0, 0]));
    assert_eq!(lines[3]["scores"], serde_json::json!([2, 0]));
    assert!(lines[6]["answer"].as_str().unwrap().starts_with("draw base/"));
    assert_eq!(lines[7]["answer"], Json::Null);
    assert_eq!(lines[8], serde_json::json!({ "final": [2, 0], "over": false }));
    let with_options = bastide(dir.path(), &["replay", &file, "--json", "--options"]).expect(0).json_lines();
    assert!(with_options[1]["options"].as_array().unwrap().contains(&Json::from("place 0,-1 180")));
    let first = bastide(dir.path(), &["replay", &file, "--json"]).out;
    let keys = ["\"n\":", "\"who\":", "\"prompt\":", "\"answer\":", "\"scores\":"];
    let places: Vec<usize> = keys.iter().map(|k| first.lines().next().unwrap().find(k).unwrap()).collect();
    assert!(places.is_sorted());
}

#[test]
fn a_folder_of_records_is_compared_with_an_earlier_version_of_a_mod() {
    let dir = folder();
    fs::create_dir_all(dir.path().join("games/more")).unwrap();
    let games = dir.path().join("games").display().to_string();
    assert!(bastide(dir.path(), &["replay", "--all", &games]).expect(1).err.contains("has no records"));
    // Two records that the earlier version scores differently, one without a city, and three that
    // cannot be replayed.
    written(&dir, "games/city.game", GAME);
    written(&dir, "games/whole.game", &format!("{GAME}end\n"));
    written(&dir, "games/more/none.game", "bastide 1\nmods base\nplayers red blue\n\ndraw base/B\n");
    let out = bastide(dir.path(), &["replay", "--all", &games]).expect(0).out;
    assert!(out.contains("city.game: replays; red 2, blue 0; winners: none yet\n"), "{out}");
    assert!(out.ends_with("3 records: 3 replayed, 0 failed\n"), "{out}");
    written(&dir, "games/broken.game", "bastide 1\nmods base\nplayers red blue\n\ndraw base/A\nplace 7,7 0\n");
    written(&dir, "games/unknown.game", "bastide 1\nmods unknown\nplayers red blue\n");
    written(&dir, "games/not_a_record.game", "hello\n");
    let old = dir.path().join("old/base");
    copy_folder(&mods_folder().join("base"), &old);
    let manifest = fs::read_to_string(old.join("mod.toml")).unwrap();
    let generous = manifest.replace("[setting.small_city]\ndefault = 2", "[setting.small_city]\ndefault = 4");
    assert_ne!(generous, manifest);
    fs::write(old.join("mod.toml"), generous).unwrap();
    let old = dir.path().join("old").display().to_string();
    let done = bastide(dir.path(), &["replay", "--all", &games, "--since", &old]).expect(1);
    assert!(done.out.contains("city.game: changed\n    points: red 2, blue 0; were red 4, blue 0\n"), "{}", done.out);
    assert!(done.out.contains("none.game: same; red 0, blue 0; winners: none yet\n"), "{}", done.out);
    // broken.game counts as unchanged, because its replays with both versions stop at the same
    // line.
    assert!(done.out.ends_with("6 records: 2 same, 2 changed, 2 failed\n"), "{}", done.out);
    for named in ["unknown.game", "not_a_record.game"] {
        assert!(done.err.contains(named), "{}", done.err);
    }
    let lines = bastide(dir.path(), &["replay", "--all", &games, "--since", &old, "--json"]).expect(1).json_lines();
    assert_eq!(lines.last().unwrap(), &serde_json::json!({ "same": 2, "changed": 2, "failed": 2 }));
    let city = lines.iter().find(|line| line["file"].as_str().is_some_and(|file| file.ends_with("city.game"))).unwrap();
    assert_eq!(city["differences"][0]["what"], "points");
    bastide(dir.path(), &["replay", "--all", &games, "--since", &games]).expect(1);
    // `--since` also accepts an archive of the earlier version.
    bastide(dir.path(), &["pack", "old/base", "--out", "base.zip"]).expect(0);
    let done = bastide(dir.path(), &["replay", "--all", &games, "--since", "base.zip"]).expect(1);
    assert!(done.out.ends_with("6 records: 2 same, 2 changed, 2 failed\n"), "{}", done.out);
    // If the earlier mods cannot be loaded, no record can be compared.
    written(&dir, "old/base/mod.toml", "[mod]\nid = 7\n");
    let done = bastide(dir.path(), &["replay", "--all", &games, "--since", &old]).expect(1);
    assert!(done.out.ends_with("6 records: 0 same, 0 changed, 6 failed\n"), "{}", done.out);
    assert!(done.err.contains("with the earlier mods: "), "{}", done.err);
    bastide(dir.path(), &["replay"]).expect(2);
}

/// Copies a folder with everything in it.
fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy_folder(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

#[test]
fn replay_in_words_shows_awards_and_the_board() {
    let dir = folder();
    let file = written(&dir, "a.game", GAME);
    let out = bastide(dir.path(), &["replay", &file]).expect(0).out;
    assert!(out.contains("red +2 for city"), "{out}");
    assert!(out.contains("|rrr+rrr|"), "{out}");
    assert!(!out.contains('\u{1b}'), "no colours outside of a terminal");
    let out = bastide(dir.path(), &["replay", &file, "--regret"]).expect(0).out;
    assert!(out.contains(" choices cost "), "{out}");
    let out = bastide(dir.path(), &["replay", &file, "--regret", "--json"]).expect(0).out;
    assert!(
        out.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()) && out.contains("\"cost\":")
    );
    let coloured = bastide(dir.path(), &["replay", &file, "--color", "always"]).expect(0).out;
    assert!(coloured.contains('\u{1b}'));
}

#[test]
fn an_answer_that_was_not_offered_is_explained() {
    let dir = folder();
    let file = written(&dir, "bad.game", &GAME.replace("place 1,0 90", "place 5,5 0"));
    let ran = bastide(dir.path(), &["replay", &file, "--json"]).expect(1);
    assert!(ran.err.contains("bad.game:10: error: `place 5,5 0` is not offered"), "{}", ran.err);
    assert!(ran.err.contains("Offered: place 0,-2 0, "), "what was offered: {}", ran.err);
    assert!(ran.err.contains("help: "), "what to do: {}", ran.err);
    let lines = ran.json_lines();
    assert_eq!(lines[lines.len() - 2]["answer"], Json::Null);
    assert_eq!(lines[lines.len() - 1]["over"], false);
}

#[test]
fn a_missing_draw_is_explained() {
    let dir = folder();
    let file = written(&dir, "bad.game", &GAME.replace("draw base/W\n", ""));
    let ran = bastide(dir.path(), &["replay", &file]).expect(1);
    assert!(ran.err.contains("bad.game:9:") && ran.err.contains("every draw"), "{}", ran.err);
}

#[test]
fn an_expectation_that_does_not_hold_is_1() {
    let dir = folder();
    let file = written(&dir, "bad.game", &format!("{GAME}expect score red 3\n"));
    let ran = bastide(dir.path(), &["replay", &file]).expect(1);
    assert!(ran.err.contains("bad.game:12: error: `expect score red 3` does not hold: it is 2"), "{}", ran.err);
}

#[test]
fn an_unknown_mod_is_named_with_its_line() {
    let dir = folder();
    let file = written(&dir, "bad.game", &GAME.replace("mods base", "mods base, bsae"));
    for command in ["replay", "test"] {
        let ran = bastide(dir.path(), &[command, &file]).expect(1);
        let all = format!("{}{}", ran.out, ran.err);
        assert!(all.contains("bad.game:2") && all.contains("the mod bsae is not available"), "{all}");
        assert!(all.contains("--mods-path"), "{all}");
    }
    let ran = bastide(dir.path(), &["sim", "--mods", "bsae", "--games", "1"]).expect(1);
    assert!(ran.err.contains("did you mean `base`"), "{}", ran.err);
}

#[test]
fn another_version_is_replayed_and_reported() {
    let dir = folder();
    for other in ["mods base 0.9.0", "mods base 1.0.0 0123456789abcdef"] {
        let file = written(&dir, "old.game", &GAME.replace("mods base", other));
        let ran = bastide(dir.path(), &["replay", &file, "--json"]).expect(1);
        assert_eq!(ran.json_lines().last().unwrap()["final"], serde_json::json!([2, 0]));
        assert!(ran.err.contains("old.game:2: error:") && ran.err.contains("--any-version"), "{}", ran.err);
        let ran = bastide(dir.path(), &["replay", &file, "--any-version"]).expect(0);
        assert!(ran.err.contains("old.game:2: warning:"), "{}", ran.err);
    }
}

#[test]
fn a_torn_last_line_is_dropped_with_a_warning() {
    let dir = folder();
    let file = written(&dir, "torn.game", &format!("{GAME}draw bas"));
    let ran = bastide(dir.path(), &["replay", &file, "--json"]).expect(0);
    assert!(ran.err.contains("torn.game:12: warning: the last line is incomplete"), "{}", ran.err);
    // With a line end, the last line is complete, so it is an error.
    let file = written(&dir, "whole.game", &format!("{GAME}draw bas\n"));
    bastide(dir.path(), &["replay", &file]).expect(1);
    // A last line that cannot be the beginning of an answer is an error too, with or without a line
    // end.
    let file = written(&dir, "wrong.game", &format!("{GAME}place 9,9 0"));
    bastide(dir.path(), &["replay", &file]).expect(1);
    let file = written(&dir, "unmet.game", &format!("{GAME}expect score red 99"));
    bastide(dir.path(), &["replay", &file]).expect(1);
}

#[test]
fn odd_files_are_no_panic() {
    let dir = folder();
    bastide(dir.path(), &["replay", "nowhere.game"]).expect(1);
    bastide(dir.path(), &["replay", "."]).expect(1);
    fs::write(dir.path().join("binary.game"), [0xff, 0xfe, 0x00, 0x80]).unwrap();
    let ran = bastide(dir.path(), &["replay", "binary.game"]).expect(1);
    assert!(ran.err.contains("UTF-8"), "{}", ran.err);
    for text in ["", "\n\n", "bastide 2\nmods base\nplayers red blue\n", "bastide 1\nmods base\n", "back 3\n"] {
        let file = written(&dir, "odd.game", text);
        let ran = bastide(dir.path(), &["replay", &file]).expect(1);
        assert!(ran.err.contains("odd.game:"), "{text:?}: {}", ran.err);
    }
    let file = written(&dir, "back.game", &format!("{GAME}back 99\n"));
    bastide(dir.path(), &["replay", &file]).expect(0);
    let one = written(&dir, "one.game", &GAME.replace("players red blue", "players red"));
    assert!(bastide(dir.path(), &["replay", &one]).expect(1).err.contains("one.game:3"));
    let set = written(&dir, "set.game", &GAME.replace("seed 3", "set base.small_city 9"));
    assert!(bastide(dir.path(), &["replay", &set]).expect(1).err.contains("set.game:4"));
    let bots = written(&dir, "bots.game", &GAME.replace("seed 3", "bot blue gredy\nseed 3"));
    let ran = bastide_with(dir.path(), &["play", &bots], "q\n").expect(0);
    assert!(ran.err.contains("unknown bot `gredy`") && ran.err.contains("greedy"), "{}", ran.err);
    let marked = written(&dir, "marked.game", &format!("\u{feff}{GAME}"));
    bastide(dir.path(), &["replay", &marked]).expect(0);
    let far = written(&dir, "far.game", "bastide 1\nmods base\nplayers red blue\ngiven tile base/K 32767,32767 0\n");
    assert!(bastide(dir.path(), &["replay", &far]).expect(0).out.contains("too large to be drawn"));
    bastide(dir.path(), &["sim", "--threads", "0"]).expect(2);
    bastide(dir.path(), &["sim", "--threads", "50000"]).expect(2);
    bastide(dir.path(), &["test", "nowhere"]).expect(1);
    bastide(dir.path(), &["check", "nowhere"]).expect(1);
    bastide(dir.path(), &["docs", "--out", "odd.game"]).expect(1);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bastide"))
        .args(["tiles", "base", "--json"])
        .env("BASTIDE_MODS", mods_folder())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert!(output.status.success());
}

#[test]
fn cases_pass_or_fail_with_the_board() {
    let dir = folder();
    written(&dir, "good.game", &format!("{GAME}expect score red 2\n"));
    // A last line without a line end, as some editors write it, makes no difference.
    written(&dir, "bad.game", &format!("{GAME}expect score red 2\nexpect score blue 4"));
    let ran = bastide(dir.path(), &["test", "good.game", "bad.game"]).expect(1);
    assert!(ran.out.contains("FAIL bad.game:13"), "{}", ran.out);
    assert!(ran.out.contains("score blue 4") && ran.out.contains("it is 0"), "{}", ran.out);
    assert!(ran.out.contains("|rrr+rrr|"), "{}", ran.out);
    assert!(ran.out.ends_with("1 passed, 1 failed\n"), "{}", ran.out);
    let lines = bastide(dir.path(), &["test", "--json", "good.game", "bad.game"]).expect(1).json_lines();
    assert_eq!(lines[0]["passed"], true);
    assert_eq!(lines[1]["failures"][0]["line"], 13);
    assert_eq!(lines[2]["failed"], 1);
}

#[test]
fn a_case_with_a_fault_shows_the_fault_alone() {
    let dir = folder();
    fs::create_dir_all(dir.path().join("broken/tests")).unwrap();
    let manifest = "[mod]\nid = \"broken\"\nversion = \"1.0.0\"\napi = 1\nrequires = [\"base\"]\n";
    written(&dir, "broken/mod.toml", manifest);
    written(&dir, "broken/rules.rhai", "fn tile_placed(tile) { throw \"never\"; }\n");
    let game = GAME.replace("mods base", "mods base, broken");
    written(&dir, "broken/tests/fault.game", &format!("{game}expect score red 2\n"));
    for command in ["test", "replay"] {
        let ran = bastide(dir.path(), &[command, "broken/tests/fault.game"]).expect(1);
        let told = format!("{}{}", ran.out, ran.err);
        assert_eq!(told.matches("a mod failed: ").count(), 1, "{told}");
        assert!(
            told.contains("fault.game:") && !told.contains("score red 2") && !told.contains("has stopped"),
            "{told}"
        );
    }
}

#[test]
fn cases_of_the_base_game_pass() {
    let dir = folder();
    let ran = bastide(dir.path(), &["test", "base"]).expect(0);
    assert!(ran.out.ends_with(" passed, 0 failed\n"), "{}", ran.out);
}

#[test]
fn results_of_sim_do_not_depend_on_threads() {
    let dir = folder();
    let run = |threads: &str, out: &str| {
        let args = ["sim", "--games", "60", "--seed", "5", "--threads", threads, "--out", out, "--json", "--records"];
        let mut report: Json = serde_json::from_str(&bastide(dir.path(), &args).expect(0).out).unwrap();
        for key in ["threads", "seconds", "games_per_second"] {
            report.as_object_mut().unwrap().remove(key).unwrap();
        }
        (report, fs::read_to_string(dir.path().join(out)).unwrap())
    };
    let (report, rows) = run("1", "one.csv");
    let (other_report, other_rows) = run("3", "three.csv");
    assert_eq!(report, other_report);
    assert_eq!(rows, other_rows);
    assert!(
        rows.starts_with("game,seed,red,blue,red_player,blue_player,winner,turns,decisions,choices,options,obvious,")
    );
    assert_eq!((&report["games"], &report["faults"]), (&Json::from(60), &Json::from(0)));
    let (_, lines) = run("2", "two.jsonl");
    assert_eq!(lines.lines().count(), 60);
    // The record in a row gives the scores of that row when it is replayed.
    let row: Json = serde_json::from_str(lines.lines().nth(7).unwrap()).unwrap();
    let file = written(&dir, "row.game", row["record"].as_str().unwrap());
    let replayed = bastide(dir.path(), &["replay", &file, "--json"]).expect(0).json_lines();
    let last = replayed.last().unwrap();
    assert_eq!((&last["final"], &last["over"]), (&row["scores"], &Json::from(true)));
}

#[test]
fn greedy_beats_random_and_calls_are_counted() {
    let dir = folder();
    let args = ["sim", "--players", "greedy,random", "--games", "4", "--profile", "--json"];
    let report: Json = serde_json::from_str(&bastide(dir.path(), &args).expect(0).out).unwrap();
    assert_eq!(report["seats"][0]["wins"], 4.0, "{report}");
    assert_eq!(report["calls"][0]["function"], "score_value", "{report}");
    let table = bastide(dir.path(), &["sim", "--games", "10", "--profile"]).expect(0).out;
    assert!(table.contains("games/s") && table.contains("base: score_value"), "{table}");
    // Joining a text with nothing needs the interpreter, which is known only when it happens.
    bastide(dir.path(), &["new", "joins"]).expect(0);
    fs::write(dir.path().join("joins/rules.rhai"), "fn tile_placed(tile) { let n = (); note(\"x\" + n); }").unwrap();
    let table = bastide(dir.path(), &["sim", "--mods", "./joins", "--games", "1", "--profile"]).expect(0).out;
    let lines = table.lines().filter(|line| line.contains("joins: tile_placed +") || line.starts_with("+ joins: "));
    assert_eq!(lines.count(), 2, "{table}");
}

#[test]
fn every_template_loads_plays_and_tests() {
    let dir = folder();
    for template in ["tiles", "scoring", "piece", "phase"] {
        let id = format!("my-{template}");
        bastide(dir.path(), &["new", &id, "--template", template]).expect(0);
        for file in ["mod.toml", "tiles.toml", "rules.rhai", "tests/first.game", "README.md"] {
            let text = fs::read_to_string(dir.path().join(&id).join(file)).unwrap();
            assert!(!text.contains("{{"), "{id}/{file}");
        }
        let checked = bastide(dir.path(), &["check", &id]).expect(0);
        assert!(checked.out.contains("no problems"), "{}", checked.out);
        let tested = bastide(dir.path(), &["test", &id, "--verbose"]).expect(0);
        assert!(tested.out.ends_with("1 passed, 0 failed\n"), "{}", tested.out);
        bastide(dir.path(), &["test", &format!("{id}/tests/first.game")]).expect(0);
        let mods = format!("./{id}");
        bastide(dir.path(), &["sim", "--mods", &mods, "--games", "20"]).expect(0);
    }
    // With the search path, the command finds all four mods.
    let all = "my-tiles,my-scoring,my-piece,my-phase";
    bastide(dir.path(), &["check", "--mods-path", ".", "--mods", all]).expect(0);
    bastide(dir.path(), &["--mods-path", ".", "sim", "--mods", all, "--games", "20"]).expect(0);
}

#[test]
fn every_recipe_loads_plays_and_tests() {
    let dir = folder();
    let names: Vec<&str> = loader::RECIPES.iter().map(|recipe| recipe.name).collect();
    let ids: Vec<String> = names.iter().map(|name| format!("own-{name}")).collect();
    for (name, id) in names.iter().zip(&ids) {
        let made = bastide(dir.path(), &["new", id, "--template", name]).expect(0);
        assert!(made.out.contains(".game"), "each has a test: {}", made.out);
    }
    let folders: Vec<&str> = ids.iter().map(String::as_str).collect();
    let checked = bastide(dir.path(), &[&["check"][..], &folders].concat()).expect(0);
    assert!(checked.out.contains("no problems"), "{}", checked.out);
    let tested = bastide(dir.path(), &[&["test"][..], &folders].concat()).expect(0);
    assert!(tested.out.ends_with(" passed, 0 failed\n"), "{}", tested.out);
    for id in &ids {
        bastide(dir.path(), &["sim", "--mods", &format!("./{id}"), "--games", "5"]).expect(0);
    }
    bastide(dir.path(), &["--mods-path", ".", "sim", "--mods", &ids.join(","), "--games", "5"]).expect(0);
}

/// The piece or land of a template gets another name in all files, but not in the id and title of
/// the mod.
#[test]
fn the_subject_of_a_template_gets_another_name() {
    let dir = folder();
    let all = loader::TEMPLATES.iter().chain(loader::RECIPES);
    let with_subject: Vec<_> = all.filter_map(|template| Some((template, template.subject?))).collect();
    assert_eq!(with_subject.len(), 2);
    for (template, (table, name)) in with_subject {
        let id = format!("own-{name}");
        let title = format!("My {name}");
        template.write_with_names(&dir.path().join(&id), &title, Some("reed_bed")).unwrap();
        let manifest = fs::read_to_string(dir.path().join(&id).join("mod.toml")).unwrap();
        for line in [format!("id = \"{id}\""), format!("title = \"{title}\""), format!("[{table}.reed_bed]")] {
            assert!(manifest.lines().any(|it| it.starts_with(&line)), "{line}: {manifest}");
        }
        assert!(!manifest.contains(&format!("[{table}.{name}]")));
        bastide(dir.path(), &["check", &id]).expect(0);
        let tested = bastide(dir.path(), &["test", &id]).expect(0);
        assert!(tested.out.ends_with(" passed, 0 failed\n"), "{}", tested.out);
    }
}

#[test]
fn the_cookbook_is_written_down() {
    let dir = folder();
    let shown = bastide(dir.path(), &["docs", "cookbook"]).expect(0).out;
    expect_test::expect_file!["../../../loader/docs/cookbook.md"].assert_eq(&shown);
    let unknown = bastide(dir.path(), &["new", "mine", "--template", "wolv"]).expect(2);
    assert!(unknown.err.contains("wolf"), "{}", unknown.err);
}

#[test]
fn what_the_tutorial_says_can_be_done() {
    let dir = folder();
    let shown = bastide(dir.path(), &["docs", "tutorial"]).expect(0).out;
    let block = |kind: &str, n: usize| {
        let begins = shown.split(&format!("```{kind}\n")).nth(1 + n).unwrap();
        begins.split("```").next().unwrap().to_owned()
    };
    bastide(dir.path(), &["new", "old-gates", "--template", "tiles"]).expect(0);
    let mine = dir.path().join("old-gates");
    let append = |file: &str, text: String| {
        let path = mine.join(file);
        let before = fs::read_to_string(&path).unwrap_or_default();
        fs::write(path, format!("{before}\n{text}")).unwrap();
    };
    append("mod.toml", block("toml", 0));
    append("tiles.toml", block("toml", 1));
    append("rules.rhai", block("rhai", 0));
    append("tests/gate.game", block("game", 0));
    bastide(dir.path(), &["check", "old-gates"]).expect(0);
    let tested = bastide(dir.path(), &["test", "old-gates"]).expect(0);
    assert!(tested.out.contains("2 passed") || tested.out.contains("2 tests"), "{}", tested.out);
    let changed = fs::read_to_string(mine.join("rules.rhai")).unwrap().replace("plus(3", "plus(4");
    fs::write(mine.join("rules.rhai"), changed).unwrap();
    bastide(dir.path(), &["test", "old-gates"]).expect(1);
}

#[test]
fn new_overwrites_nothing() {
    let dir = folder();
    bastide(dir.path(), &["new", "wells"]).expect(0);
    let again = bastide(dir.path(), &["new", "wells"]).expect(1);
    assert!(again.err.contains("nothing was written"), "{}", again.err);
    bastide(dir.path(), &["new", "My Mod"]).expect(2);
}

#[test]
fn check_finds_all_problems() {
    let dir = folder();
    bastide(dir.path(), &["new", "broken", "--template", "scoring"]).expect(0);
    let broken = dir.path().join("broken");
    let change = |file: &str, from: &str, to: &str| {
        let path = broken.join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file}: {from}");
        fs::write(path, text.replace(from, to)).unwrap();
    };
    change("mod.toml", "[hook.score_value]", "[hook.score_valeu]");
    change("rules.rhai", "score.plus", "score.plsu");
    change("tiles.toml", "well = true } }\ncurve", "wall = true } }\ncurve");
    let ran = bastide(dir.path(), &["check", "broken"]).expect(1);
    let short = bastide(dir.path(), &["check", "broken", "--short"]).expect(1);
    for (file, help) in [("mod.toml", "score_value"), ("rules.rhai", "plus"), ("tiles.toml", "well")] {
        assert!(ran.out.contains(file) && ran.out.contains(help), "{file}: {}", ran.out);
        let is_it = |line: &&str| line.contains(file) && line.contains(": error: ") && line.contains(help);
        assert_eq!(short.out.lines().filter(is_it).count(), 1, "{file}: {}", short.out);
    }
    let json: Json = serde_json::from_str(&bastide(dir.path(), &["check", "broken", "--json"]).expect(1).out).unwrap();
    assert!(json["errors"].as_u64().unwrap() >= 3, "{json}");
    assert!(json["problems"].as_array().unwrap().iter().all(|p| p["line"].as_u64() > Some(0)), "{json}");
    // Commands that would load the broken mod fail.
    bastide(dir.path(), &["test", "broken"]).expect(1);
    bastide(dir.path(), &["play", "--mods", "./broken"]).expect(1);
}

#[test]
fn check_counts_mods_and_looks_at_icons() {
    let dir = folder();
    for mod_id in ["one", "two"] {
        bastide(dir.path(), &["new", mod_id]).expect(0);
    }
    let both = bastide(dir.path(), &["check", "--mods-path", ".", "--mods", "one,two"]).expect(0);
    assert!(both.out.contains("2 mods checked, no problems"), "{}", both.out);
    let one = bastide(dir.path(), &["check", "one"]).expect(0);
    assert!(one.out.contains("1 mod checked, no problems"), "{}", one.out);
    // Commands that draw nothing accept an icon that cannot be drawn.
    fs::create_dir(dir.path().join("one/icons")).unwrap();
    fs::write(dir.path().join("one/icons/bad.svg"), "<svg").unwrap();
    fs::write(dir.path().join("one/theme.toml"), "[piece.giant]\nicon = \"icons/bad.svg\"\n").unwrap();
    let short = bastide(dir.path(), &["check", "one", "--short"]).expect(1);
    assert!(short.out.contains("one/theme.toml:2:8: error: `icons/bad.svg` cannot be drawn"), "{}", short.out);
    bastide(dir.path(), &["--mods-path", ".", "sim", "--mods", "one", "--games", "2"]).expect(0);
}

#[test]
fn check_names_what_looks_like_a_manifest() {
    let dir = folder();
    fs::create_dir_all(dir.path().join("one")).unwrap();
    fs::create_dir_all(dir.path().join("two/two")).unwrap();
    for file in ["one/Mod.toml", "two/two/mod.toml"] {
        fs::write(dir.path().join(file), "").unwrap();
    }
    let one = bastide(dir.path(), &["check", "one"]).expect(1);
    assert!(one.out.contains("help: rename one/Mod.toml to mod.toml"), "{}", one.out);
    let two = bastide(dir.path(), &["check", "two"]).expect(1);
    assert!(two.out.contains("help: the mod is in the folder two/two"), "{}", two.out);
}

#[test]
fn check_loads_a_mod_with_its_optional_mods() {
    let dir = folder();
    for (id, optional, more) in [
        ("one", "two", "[add.kind.orchard]\nholds = [\"courier\"]"),
        ("two", "three", "[kind.orchard]\nedge = \"line\""),
        ("three", "two", ""),
    ] {
        bastide(dir.path(), &["new", id]).expect(0);
        let path = dir.path().join(id).join("mod.toml");
        let text = fs::read_to_string(&path).unwrap();
        let text = text.replace("requires = ", &format!("optional = [\"{optional}\"]\nrequires = "));
        fs::write(path, format!("{text}\n{more}\n")).unwrap();
    }
    let check = |id: &str, code| bastide(dir.path(), &["check", "--mods-path", ".", id, "--short"]).expect(code).out;
    let told = check("one", 1);
    assert_eq!(told.matches("unknown piece `courier`").count(), 1, "{told}");
    check("two", 0);
    // Mods that conflict cannot be checked together.
    let path = dir.path().join("one/mod.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(path, text.replace("optional = ", "conflicts = [\"two\"]\noptional = ")).unwrap();
    check("one", 0);
}

#[test]
fn a_mod_that_is_there_twice_is_no_reason_to_add_a_folder() {
    let dir = folder();
    let copy = dir.path().join("base");
    fs::create_dir(&copy).unwrap();
    for file in ["mod.toml", "tiles.toml", "rules.rhai"] {
        fs::copy(mods_folder().join("base").join(file), copy.join(file)).unwrap();
    }
    let ran = bastide(dir.path(), &["--mods-path", ".", "sim", "--mods", "base", "--games", "1"]).expect(1);
    assert!(ran.err.contains("exists twice") && ran.err.contains("remove one of them"), "{}", ran.err);
    assert!(!ran.err.contains("--mods-path"), "{}", ran.err);
}

#[test]
fn tiles_lists_what_the_engine_understands() {
    let dir = folder();
    let lines = bastide(dir.path(), &["tiles", "base", "--json"]).expect(0).json_lines();
    assert_eq!(lines.len(), 24);
    let d = lines.iter().find(|t| t["tile"] == "base/D").unwrap();
    assert_eq!(d["start"], true);
    assert_eq!(d["edges"]["n"], "city");
    assert_eq!(d["edges"]["e"], "field-road-field");
    assert_eq!(d["ground"], "derived");
    let m = lines.iter().find(|t| t["tile"] == "base/M").unwrap();
    assert_eq!(m["zones"][0]["tags"]["shield"], 1);
    let n: u64 = lines.iter().flat_map(|t| t["decks"].as_object().unwrap().values()).map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(n, 71, "72 with the start tile");
    assert!(bastide(dir.path(), &["tiles", "base"]).expect(0).out.contains("base/X"));
}

#[test]
fn counts_are_chosen_and_recorded() {
    let dir = folder();
    let set = ["--set", "base/*=2", "--set", "base/K=0", "--set", "follower=2"];
    let play = ["play", "--players", "random,random", "--seed", "1", "--record", "counts.game"];
    bastide(dir.path(), &[&play[..], &set].concat()).expect(0);
    let record = fs::read_to_string(dir.path().join("counts.game")).unwrap();
    assert!(record.contains("\nset base/* 2\nset base/K 0\nset follower 2\n"), "{record}");
    let n_draws = |tile: &str| record.lines().filter(|line| line.split('#').next().unwrap().trim() == tile).count();
    assert_eq!(n_draws("draw base/K"), 0);
    assert_eq!(n_draws("draw base/U"), 16, "twice eight");
    assert!(record.lines().filter(|line| line.starts_with("draw ")).count() > 130, "both sets are played");
    bastide(dir.path(), &["replay", "counts.game"]).expect(0);
    bastide(dir.path(), &["sim", "--games", "2", "--set", "base/*=2"]).expect(0);
    let wrong = bastide(dir.path(), &["sim", "--games", "2", "--set", "base/KK=2"]).expect(2);
    assert!(wrong.err.contains("there is no tile and no card `base/KK` in these mods"), "{}", wrong.err);
    let wrong = bastide(dir.path(), &["sim", "--games", "2", "--set", "folower=2"]).expect(2);
    assert!(wrong.err.contains("did you mean the piece `follower`?"), "{}", wrong.err);
}

#[test]
fn docs_print_the_page_of_a_mod() {
    let dir = folder();
    let shown = bastide(dir.path(), &["docs", "messages"]).expect(0).out;
    expect_test::expect_file!["../../../../mods/messages/README.md"].assert_eq(&shown);
    bastide(dir.path(), &["new", "plain", "--template", "scoring"]).expect(0);
    fs::remove_file(dir.path().join("plain/README.md")).ok();
    let shown = bastide(dir.path(), &["docs", "./plain"]).expect(0).out;
    assert!(shown.contains("# Plain") && shown.contains("has no README.md"), "{shown}");
    let unknown = bastide(dir.path(), &["docs", "mesages"]).expect(2);
    assert!(unknown.err.contains("did you mean `messages`?"), "{}", unknown.err);
}

#[test]
fn docs_find_words() {
    let dir = folder();
    let docs = |words: &[&str], code: i32| {
        let args: Vec<&str> = ["docs"].iter().chain(words).copied().collect();
        let ran = bastide(dir.path(), &args).expect(code);
        if code == 0 { ran.out } else { ran.err }
    };
    let dice = docs(&["howto", "dice"], 0);
    assert!(dice.starts_with("## roll a die\n\n*Other words: dice, ") && dice.contains("roll([1, 1, 2"), "{dice}");
    // Many entries: the first ones whole, then titles.
    let tiles = docs(&["howto", "how", "do", "I", "place", "a", "tile"], 0);
    assert_eq!(tiles.matches("\n## ").count(), 5, "{tiles}");
    assert!(tiles.contains("\n## More entries\n\n- "), "{tiles}");
    assert!(docs(&["howto", "submarine"], 1).contains("no entry of `howto` contains `submarine`"));
    assert!(
        docs(&["howto", "submarine", "dise"], 0)
            .starts_with("(No entry contains `submarine` or `dise`; searched for dice.)\n\n## roll a die\n")
    );
    assert!(docs(&["mod", "dice"], 2).contains("write `bastide docs howto dice`"));
}

/// The commands that entries of "How do I ..." show work in the mod of the entry.
#[test]
fn commands_in_the_howto() {
    let mut n = 0;
    for entry in loader::howto_entries() {
        let Some((_, commands)) = entry.text.split_once("```sh\n") else { continue };
        let dir = folder();
        bastide(dir.path(), &["new", "my-mod"]).expect(0);
        for (form, name) in [("toml", "mod.toml"), ("rhai", "rules.rhai")] {
            let (_, lines) = entry.text.split_once(&format!("```{form}\n")).unwrap();
            let path = dir.path().join("my-mod").join(name);
            let text = fs::read_to_string(&path).unwrap() + lines.split("```").next().unwrap();
            fs::write(path, text).unwrap();
        }
        for line in commands.split("```").next().unwrap().lines() {
            let line = line.replace("--games 200", "--games 4");
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(words[0], "bastide", "{line}");
            bastide(dir.path(), &words[1..]).expect(0);
            n += 1;
        }
    }
    assert!(n > 3, "{n}");
}

#[test]
fn docs_name_the_hooks() {
    let dir = folder();
    assert!(bastide(dir.path(), &["docs"]).expect(0).out.contains("score_value"));
    bastide(dir.path(), &["docs", "--out", "reference"]).expect(0);
    assert!(dir.path().join("reference/scripts.md").is_file());
    assert!(dir.path().join("reference/bastide.d.rhai").is_file());
    for (topic, says) in [
        ("howto", "ask_each"),
        ("mod", "blocked_by"),
        ("tiles", "instead_of"),
        ("scripts", "score_value"),
        ("theme", "palette"),
        ("game", "given"),
    ] {
        let text = bastide(dir.path(), &["docs", topic]).expect(0).out;
        assert!(text.starts_with("# ") && text.contains(says), "{topic}");
        assert_eq!(fs::read_to_string(dir.path().join(format!("reference/{topic}.md"))).unwrap(), text);
    }
}

#[test]
fn tiles_are_drawn_as_svg_and_on_a_sheet() {
    let dir = folder();
    let ran =
        bastide(dir.path(), &["tiles", "base", "--svg", "out/svg", "--png", "base.png", "--size", "48"]).expect(0);
    assert!(ran.err.contains("24 files in out/svg") && ran.err.contains("24 tiles in base.png"), "{}", ran.err);
    let svg = fs::read_to_string(dir.path().join("out/svg/base-K.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    assert_eq!(fs::read_dir(dir.path().join("out/svg")).unwrap().count(), 24);
    let png = fs::read(dir.path().join("base.png")).unwrap();
    assert_eq!(&png[1..4], b"PNG");
    // The sheet of another mod differs.
    bastide(dir.path(), &["tiles", "winter", "--png", "print.png", "--palette", "print", "--size", "16"]).expect(0);
    assert_ne!(fs::read(dir.path().join("print.png")).unwrap(), png);
}

#[test]
fn a_rulebook_is_a_page_or_a_pdf() {
    let dir = folder();
    for (file, begin) in [("winter.html", "<!doctype html>"), ("rules.PDF", "%PDF")] {
        let made = bastide(dir.path(), &["book", "winter", "--out", file]).expect(0);
        assert!(made.err.starts_with(&format!("wrote {file} (4 examples, ")), "{}", made.err);
        assert!(fs::read(dir.path().join(file)).unwrap().starts_with(begin.as_bytes()), "{file}");
    }
    let refused = bastide(dir.path(), &["book", "winter", "--out", "rules.doc"]).expect(2);
    assert!(refused.err.contains("rules.doc: a book is an HTML page or a PDF"), "{}", refused.err);
}

#[test]
fn pictures_that_cannot_be_drawn_say_why() {
    let dir = folder();
    let palette = bastide(dir.path(), &["tiles", "base", "--png", "x.png", "--palette", "sumer"]).expect(2);
    assert!(palette.err.contains("`sumer`") && palette.err.contains("summer"), "{}", palette.err);
    bastide(dir.path(), &["tiles", "base", "--palette", "summer"]).expect(2);
    bastide(dir.path(), &["tiles", "base", "--png", "x.png", "--size", "5"]).expect(2);
    let file = bastide(dir.path(), &["tiles", "base", "--png", "no/such/folder/x.png", "--size", "16"]).expect(1);
    assert!(file.err.contains("cannot write no/such/folder/x.png"), "{}", file.err);
    bastide(dir.path(), &["new", "plain"]).expect(0);
    fs::write(dir.path().join("plain/theme.toml"), "[kind.road]\nstlye = \"path\"\n[kind.raod]\nstyle = \"path\"\n")
        .unwrap();
    let theme = bastide(dir.path(), &["check", "plain", "--short"]).expect(1);
    assert!(theme.out.contains("theme.toml:2:1: error: unknown key `stlye` in kind road"), "{}", theme.out);
    assert!(theme.out.contains("theme.toml:3:7: warning: ") && theme.out.contains("`road`"), "{}", theme.out);
}

#[test]
fn a_mod_is_packed_and_installed() {
    let dir = folder();
    let packed = bastide(dir.path(), &["pack", "king-baron"]).expect(0).out;
    assert!(packed.starts_with("wrote king-baron-1.0.0.zip: king-baron 1.0.0, "), "{packed}");
    bastide(dir.path(), &["pack", "king-baron"]).expect(1);
    // `--look` is the former name of the option.
    for option in ["--dry-run", "--look"] {
        let contents = bastide(dir.path(), &["install", "king-baron-1.0.0.zip", option]).expect(0).out;
        assert!(contents.contains("tile types") && !contents.contains("installed"), "{contents}");
    }
    fs::create_dir(dir.path().join("own")).unwrap();
    let twice = bastide(dir.path(), &["install", "king-baron-1.0.0.zip", "--into", "own"]).expect(1);
    assert!(twice.err.contains("is already installed in"), "{}", twice.err);
    bastide(dir.path(), &["new", "wells"]).expect(0);
    // `--output` is the old name of `--out`.
    bastide(dir.path(), &["pack", "./wells", "--output", "wells.zip"]).expect(0);
    let installed = bastide(dir.path(), &["install", "wells.zip", "--into", "own"]).expect(0).out;
    assert!(installed.contains("installed in") && dir.path().join("own/wells/mod.toml").exists(), "{installed}");
    assert!(installed.contains(" kB; 2 tile types, 1 test\n"), "{installed}");
    fs::write(dir.path().join("evil.zip"), "PK").unwrap();
    let refused = bastide(dir.path(), &["install", "evil.zip", "--into", "own"]).expect(1);
    assert!(refused.err.contains("not a valid zip archive"), "{}", refused.err);
}

/// A mod whose script and tiles players can leave out, with a piece, and a word of its script.
fn extras(dir: &Path) {
    let own = dir.join("extras");
    fs::create_dir(&own).unwrap();
    let manifest = "[mod]\nid = \"extras\"\nversion = \"1.0.0\"\napi = 1\nrequires = [\"base\"]\nwithout_rules = true\n\n\
                    [piece.guard]\nis = \"follower\"\nper_player = 1\n";
    fs::write(own.join("mod.toml"), manifest).unwrap();
    fs::write(own.join("tiles.toml"), "[tile]\nT = { count = 4, road = \"n-s\" }\n").unwrap();
    let script = "fn tile_placed(tile) {\n    score(turn.player, 100, \"extras\");\n}\n";
    fs::write(own.join("rules.rhai"), script).unwrap();
}

/// Players leave out the script or the tiles of a mod, and choose other numbers of its pieces. The
/// record names the choice, and replaying it gives the same scores.
#[test]
fn a_mod_without_its_rules_or_its_tiles_is_played_and_recorded() {
    let dir = folder();
    extras(dir.path());
    let mut totals = Vec::new();
    for (n, sets) in [
        &["extras.rules=false"][..],
        &["extras.tiles=false"],
        &["extras/*=3", "extras/T=2", "guard=0", "base/*=0"],
        &["extras/*=3", "guard=2", "follower=1"],
    ]
    .iter()
    .enumerate()
    {
        let record = format!("g{n}.game");
        let mut words =
            vec!["play", "--mods", "./extras", "--players", "random,random", "--seed", "3", "--record", &record];
        sets.iter().for_each(|set| words.extend(["--set", *set]));
        bastide(dir.path(), &words).expect(0);
        let text = fs::read_to_string(dir.path().join(&record)).unwrap();
        for set in *sets {
            assert!(text.contains(&format!("\nset {}\n", set.replace('=', " "))), "{text}");
        }
        let lines = |word: &str| text.lines().filter(|line| line.starts_with(word)).count();
        totals.push((lines("draw extras/T"), lines("draw base/"), lines("deploy guard") > 0));
        let replay = ["replay", &record, "--json", "--mods-path", "."];
        let replayed = bastide(dir.path(), &replay).expect(0).json_lines();
        let last = replayed.last().unwrap();
        assert_eq!(last["over"], true);
        // The script pays 100 points for each tile.
        let last = last["final"].to_string();
        let numbers = last.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<usize>().ok());
        assert_eq!(numbers.sum::<usize>() >= 100 * lines("place "), !sets.contains(&"extras.rules=false"), "{last}");
    }
    // The script alone, the tiles alone, other numbers of tiles and pieces.
    assert_eq!(totals.iter().map(|it| (it.0, it.1)).collect::<Vec<_>>(), [(4, 71), (0, 71), (2, 0), (12, 71)]);
    assert!(!totals[2].2 && totals[3].2, "{totals:?}");
    let refused =
        bastide(dir.path(), &["play", "--mods", "base", "--players", "random,random", "--set", "base.rules=false"]);
    assert!(refused.expect(2).err.contains("unknown setting `base.rules`"));
}
