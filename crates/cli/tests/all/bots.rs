//! Programs as bots, and bots for other programs.
#![cfg(unix)]

use std::fs;
use std::process::{Command, Stdio};

use serde_json::{Value as Json, json};
use tempfile::TempDir;
use testkit::write_program;

use crate::common::{bastide, bastide_with, folder};

/// The command that starts a bot of Bastide as a program.
fn served(bot: &str) -> String {
    format!("exec:{} bot {bot}", env!("CARGO_BIN_EXE_bastide"))
}

/// Writes an executable file, and returns the name with which `--players` selects it as a bot.
fn program(folder: &TempDir, name: &str, text: &str) -> String {
    write_program(&folder.path().join(name), text);
    format!("exec:./{name}")
}

/// Returns a shell script that sends a greeting, and then runs the command `what` for each message.
fn greeting(what: &str) -> String {
    format!("#!/bin/sh\nread line\necho '{{\"type\":\"ready\",\"protocol\":1}}'\nwhile read line; do {what}; done\n")
}

/// Plays two games with the bot `bot`, checks that both fail, and returns the message of the first
/// failure.
fn failed_games(folder: &TempDir, bot: &str) -> Json {
    let args = ["sim", "--json", "--threads", "1", "--games", "2", "--players", &format!("random,{bot}")];
    let report: Json = serde_json::from_str(&bastide(folder.path(), &args).expect(1).out).unwrap();
    assert_eq!(report["faults"], 2, "{report}");
    report["first_faults"][0]["message"].clone()
}

#[test]
fn a_bot_in_another_process_plays_the_same_games() {
    let dir = folder();
    // The first entry has mods that ask many kinds of questions. The second entry is a separate
    // game.
    for mods in ["messages,builders-traders", "hunters-gatherers"] {
        let seats = |players: &str| {
            let args =
                ["sim", "--json", "--games", "3", "--seed", "5", "--rotate", "--mods", mods, "--players", players];
            let report: Json = serde_json::from_str(&bastide(dir.path(), &args).expect(0).out).unwrap();
            let numbers = |it: &Json| json!([it["games"], it["wins"], it["mean"], it["min"], it["max"]]);
            let of = |list: &Json| list.as_array().unwrap().iter().map(numbers).collect::<Vec<_>>();
            json!([of(&report["seats"]), of(&report["players"]), report["decisions"]])
        };
        let programs = format!("{},{}", served("greedy"), served("search:20"));
        assert_eq!(seats(&programs), seats("greedy,search:20"), "{mods}");
    }
}

#[test]
fn a_program_that_fails_ends_only_its_game() {
    let dir = folder();
    let choose =
        |n: i64| greeting(&format!("case \"$line\" in *decide*) echo '{{\"type\":\"choose\",\"n\":{n}}}';; esac"));
    for (name, text, reason) in [
        ("ends", "#!/bin/sh\nexit 3\n".to_owned(), "it ended (exit status: 3)"),
        (
            "chats",
            "#!/bin/sh\necho hello\nexec sleep 9\n".to_owned(),
            "it wrote `hello`, which is not a message of the protocol",
        ),
        (
            "old",
            "#!/bin/sh\necho '{\"type\":\"ready\",\"protocol\":7}'\ncat\n".to_owned(),
            "it speaks version 7 of the protocol",
        ),
        ("far", choose(100_000), "it chose option 100000, but options are numbered from 0 to"),
        ("less", choose(-1), "which is not a message of the protocol"),
        ("word", greeting("echo '{\"type\":\"choose\",\"text\":\"jump\"}'"), "it chose `jump`, which is not an option"),
        ("gives_up", greeting("echo '{\"type\":\"error\",\"message\":\"no idea\"}'"), "it says: no idea"),
        (
            "twice",
            greeting("case \"$line\" in *decide*) for n in 0 0; do echo '{\"type\":\"choose\",\"n\":0}'; done;; esac"),
            "it wrote `{\"type\":\"choose\",\"n\":0}` before it was asked",
        ),
        ("floods", greeting("cat /dev/zero"), "it wrote a line of more than one megabyte"),
    ] {
        let told = failed_games(&dir, &program(&dir, name, &text));
        let told = told.as_str().unwrap();
        assert!(
            told.starts_with(&format!("the bot `exec:./{name}` failed: ")) && told.contains(reason),
            "{name}: {told}"
        );
    }
    let told = failed_games(&dir, "exec:./nothing");
    assert!(told.as_str().unwrap().contains("`./nothing` cannot be started"), "{told}");
    // The first program reads messages but never answers, and the second does not even read them.
    for text in [greeting(":"), greeting("exec sleep 60")] {
        let bot = program(&dir, "slow", &text).replace("exec:", "exec:1s:");
        assert!(failed_games(&dir, &bot).as_str().unwrap().contains("it did not answer within 1 s"));
    }
    for wrong in ["exec:", "exec:0s:x", "exec:1.5s:x", "exec:9999s:x", "exec: "] {
        bastide(dir.path(), &["sim", "--players", &format!("random,{wrong}")]).expect(2);
    }
}

#[test]
fn a_person_takes_the_seat_of_a_program_that_fails() {
    let dir = folder();
    let bot = program(&dir, "ends", "#!/bin/sh\nexit 3\n");
    let args = ["play", "--players", &format!("{bot},random"), "--seed", "1", "--record", "my.game"];
    let ran = bastide_with(dir.path(), &args, "1\n1\nq\n").expect(0);
    assert!(ran.err.contains("failed: it ended") && ran.err.contains("a person plays the bot's seat"), "{}", ran.err);
    assert!(ran.out.contains("red> "), "{}", ran.out);
    let record = fs::read_to_string(dir.path().join("my.game")).unwrap();
    assert!(!record.contains("exec:"), "{record}");
}

#[test]
fn a_record_starts_no_program() {
    let dir = folder();
    let bot = program(&dir, "touches", "#!/bin/sh\ntouch started\n");
    fs::write(dir.path().join("a.game"), format!("bastide 1\nmods base\nplayers red blue\nbot red {bot}\n\n")).unwrap();
    let ran = bastide_with(dir.path(), &["play", "a.game"], "q\n").expect(0);
    assert!(ran.err.contains("unknown bot `exec:./touches`, so a person plays red"), "{}", ran.err);
    assert!(!dir.path().join("started").exists());
}

#[test]
fn another_program_uses_a_bot() {
    let dir = folder();
    let begin = json!({
        "type": "begin", "seat": "red", "players": ["red", "blue"], "seed": 7,
        "mods": [{ "id": "base" }], "settings": { "base.farmers": false, "follower": 3 },
    });
    let decide =
        |answers: &[&str]| json!({ "type": "decide", "answers": answers, "later": "unknown fields are ignored" });
    let messages = [
        json!({ "type": "decide", "answers": [] }),
        json!({ "type": "hello", "protocol": 1, "version": "an arena" }),
        begin,
        decide(&["draw base/K"]),
        decide(&["draw base/K", "place 0,1 270"]),
        decide(&["draw base/K", "place 9,9 0"]),
        decide(&[]),
        json!({ "type": "end", "scores": {}, "winners": [] }),
        json!("nonsense"),
    ];
    let input: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let replies = bastide_with(dir.path(), &["bot", "greedy"], &input).expect(0).json_lines();
    let kinds: Vec<&str> = replies.iter().map(|reply| reply["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["error", "ready", "choose", "choose", "error", "error", "error"], "{replies:?}");
    assert!(replies[2]["text"].as_str().unwrap().starts_with("place "), "{replies:?}");
    assert!(replies[4]["message"].as_str().unwrap().starts_with("answer 2: "), "{replies:?}");
    assert_eq!(replies[5]["message"], "the open decision is for chance: add its answer");
}

#[test]
fn the_example_of_the_reference_plays() {
    // Without Python, the example cannot run.
    if Command::new("python3").arg("--version").stdout(Stdio::null()).status().is_err() {
        return;
    }
    let dir = folder();
    let text = bastide(dir.path(), &["docs", "bots"]).expect(0).out;
    let code = text.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let bot = program(&dir, "mybot.py", &format!("#!/usr/bin/env python3\n{code}"));
    bastide(dir.path(), &["sim", "--games", "2", "--players", &format!("{bot},random")]).expect(0);
}

/// A trained value is used from the folder of the mod. If it is damaged, `check` and `sim` say so.
#[test]
fn a_mod_has_a_trained_value_of_its_own() {
    let dir = folder();
    let run = |args: &[&str]| bastide(dir.path(), args).expect(0);
    run(&["new", "my-mod"]);
    let train = ["train", "my-mod", "--games", "20", "--test-games", "2", "--out", "my-mod/search-value.txt"];
    let out = run(&train).out;
    assert!(out.contains("positions of 20 games") && out.contains("of 2 games: undecided"), "{out}");
    assert!(out.ends_with("wrote my-mod/search-value.txt\n"), "{out}");
    let path = dir.path().join("my-mod/search-value.txt");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("learned-value 2\nlead "), "{text}");
    let play = ["sim", "--mods", "my-mod", "--players", "search:5,search:5", "--games", "1", "--json"];
    let score = || {
        let report: Json = serde_json::from_str(&run(&play).out).unwrap();
        (report["failed_hints"].clone(), report["seats"][0]["mean"].clone(), report["seats"][1]["mean"].clone())
    };
    let trained = score();
    assert_eq!(trained.0, 0);
    assert!(run(&["check", "my-mod"]).out.contains("1 mod checked, no problems"));
    fs::write(&path, text.replacen("player", "palyer", 1)).unwrap();
    let warned = run(&["check", "my-mod"]).out;
    assert!(warned.contains("search-value.txt of `my-mod` is not used: expected `player`"), "{warned}");
    let built_in = score();
    assert_eq!(built_in.0, 1);
    assert!((&trained.1, &trained.2) != (&built_in.1, &built_in.2), "{trained:?}");
    fs::remove_file(&path).unwrap();
    assert_eq!(score(), (0.into(), built_in.1, built_in.2));
}

#[test]
fn a_sequential_test_reports_games_that_a_bot_does_not_finish() {
    let dir = folder();
    let bot = program(&dir, "gone", "#!/bin/sh\nexit 3\n");
    for option in ["--sequential", "--ladder"] {
        let ran =
            bastide(dir.path(), &["sim", option, "--players", &format!("random,{bot}"), "--games", "4"]).expect(1);
        assert!(ran.out.contains("4 of 4 games did not finish"), "{}", ran.out);
        assert!(ran.out.contains("the bot `exec:./gone` failed: it ended"), "{}", ran.out);
    }
    let ran = bastide(dir.path(), &["sim", "--sequential", "--players", &format!("random,{bot}"), "--games", "4"]);
    assert!(ran.out.contains("of 0 games against random"), "{}", ran.out);
}

/// The last message of a game contains all answers, also those after the last choice of the bot.
#[test]
fn a_bot_sees_the_whole_game_at_its_end() {
    let dir = folder();
    let script = r#"#!/bin/sh
while read -r line; do
  case "$line" in
    *'"type":"hello"'*) echo '{"type":"ready","protocol":1}' ;;
    *'"type":"decide"'*) echo '{"type":"choose","n":0}' ;;
    *'"type":"end"'*) echo "$line" >> ends.jsonl ;;
  esac
done
"#;
    let bot = program(&dir, "first", script);
    let args = ["sim", "--games", "2", "--threads", "1", "--players", &format!("{bot},random")];
    bastide(dir.path(), &[&args[..], &["--out", "games.jsonl", "--records"]].concat()).expect(0);
    let lines = |name: &str| -> Vec<Json> {
        let text = fs::read_to_string(dir.path().join(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let (ends, games) = (lines("ends.jsonl"), lines("games.jsonl"));
    assert_eq!((ends.len(), games.len()), (2, 2));
    for (end, game) in ends.iter().zip(&games) {
        let answers: Vec<&str> = end["answers"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
        let record = game["record"].as_str().unwrap();
        assert!(record.trim_end().ends_with(&answers.join("\n")), "{record}");
    }
}
