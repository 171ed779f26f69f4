//! `bastide host --playtest` and `bastide playtests`: two guests and a spectator, of whom one guest
//! declines, from the first question to the tables.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::common::{TerminalGame, bastide, folder, written};
use crate::hosting::{FEW_TILES, Host};

const MANIFEST: &str = r#"[mod]
id = "tested"
version = "0.1.0"
requires = ["base"]

[playtest.fun]
about = "How much fun was it?"
type = "scale"

[playtest.length]
about = "How long was it?"
type = "choice"
choices = ["too short", "too long"]

[playtest.more]
about = "What else?"
type = "text"
"#;

/// Lets both guests choose the first option of each question until the first guest reads `end`.
fn play_until(guests: &mut [(&mut TerminalGame, &str)], end: &str) {
    let since = Instant::now();
    let mut n_typed = [0; 2];
    while guests[0].0.n_shown(end) == 0 {
        assert!(since.elapsed() < Duration::from_secs(120), "{}", guests[0].0.wait_for("red> "));
        for ((guest, prompt), n_typed) in guests.iter_mut().zip(&mut n_typed) {
            if guest.n_shown(prompt) > *n_typed {
                *n_typed = guest.n_shown(prompt);
                guest.type_line("1");
            }
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Hosts a playtest of a small game, and returns the name of its file.
fn played(dir: &TempDir) -> String {
    fs::create_dir(dir.path().join("tested")).unwrap();
    written(dir, "tested/mod.toml", MANIFEST);
    let mut options = vec!["--mods-path", ".", "--playtest", "--players", "human,human"];
    options.extend(["--mods=base,tested"].iter().chain(&FEW_TILES[1..]));
    let host = Host::start(dir.path(), &options);
    let mut anna = TerminalGame::start(dir.path(), &["join", &host.link, "--name", "Anna"]);
    anna.wait_for("Type `agree` or `decline`");
    anna.wait_for("red> ");
    anna.type_line("agree");
    anna.wait_for("The host collects your notes");
    let mut bob = TerminalGame::start(dir.path(), &["join", &host.link, "--name", "Bob"]);
    bob.wait_for("You play blue");
    bob.type_line("decline");
    bob.wait_for("The host collects nothing from you.");
    bob.type_line("note The words of Bob");
    bob.wait_for("Agree first that the host collects");
    let mut carl = TerminalGame::start(dir.path(), &["join", &host.link, "--name", "Carl", "--watch"]);
    carl.wait_for("Type `agree` or `decline`");
    carl.type_line("agree");
    carl.wait_for("The host collects your notes");
    carl.type_line("note Why do they wait?");
    anna.type_line("note Which edges must fit?");
    anna.type_line("clear");
    anna.wait_for("First type `why` for an explanation.");
    anna.type_line("why");
    anna.wait_for("No player has scored yet.");
    play_until(&mut [(&mut anna, "red> "), (&mut bob, "blue> ")], "How much fun was it?");
    for (line, shown) in [
        ("much", "Answer with a number from 1 to 5."),
        ("4", "How long was it? (one of: too short, too long)"),
        ("too long", "What else?"),
        ("The river was missing", "Thank you."),
    ] {
        anna.type_line(line);
        anna.wait_for(shown);
    }
    let code = &host.link[host.link.len() - 6..];
    format!("tables/{code}.playtest.json")
}

#[test]
fn a_playtest_is_collected_and_evaluated() {
    let dir = folder();
    let file = played(&dir);
    let text = fs::read_to_string(dir.path().join(&file)).unwrap();
    for absent in ["Anna", "Bob", "Carl", "words of", "blue"] {
        assert!(!text.contains(absent), "{absent}: {text}");
    }
    let playtest = playtest::Playtest::read(&text).unwrap();
    assert!(playtest.answers.len() >= 3 && playtest.answers.iter().all(|it| it.person == 1));

    let evaluate = |args: &[&str]| bastide(dir.path(), &[&["--mods-path", ".", "playtests"], args].concat());
    let ran = evaluate(&[&file]).expect(0);
    assert!(ran.err.is_empty(), "{}", ran.err);
    for shown in [
        "A  base 1.0.0, tested 0.1.0",
        "1 game, 2 people",
        "as greedy",
        "Which edges must fit?",
        "spectator",
        "Why do they wait?",
        "How long was it? too long (1)",
        "What else? The river was missing (1)",
    ] {
        assert!(ran.out.contains(shown), "{shown}: {}", ran.out);
    }
    let fun = ran.out.lines().find(|line| line.starts_with("How much fun was it?")).unwrap();
    assert!(fun.split_whitespace().skip(5).eq(["1", "4.0", "4.0"]), "{fun}");
    let report = &evaluate(&[&file, "--json", "--bot", "random"]).expect(0).json_lines()[0];
    let decisions = report["decisions"].as_array().unwrap();
    let n = |key: &str| decisions.iter().map(|it| it["by_version"][0][key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(n("n"), playtest.answers.len() as u64);
    assert_eq!(n("n_compared"), n("n"), "every answer is compared with the bot");
    assert_eq!(report["survey"][0]["by_version"][0]["mean"], 4.0);
    // Anna finished the game; Bob declined. The bot played both seats of 50 games.
    assert_eq!(
        (&report["versions"][0]["n_finished"], &report["versions"][0]["n_bot_finished"]),
        (&1.into(), &100.into())
    );
    assert!(report["points"].as_array().unwrap().iter().any(|it| it["by_version"][0]["bot"].as_f64() > Some(0.0)));
    let grouped = report["hesitation"].as_array().unwrap().iter().map(|it| it["by_version"][0]["n"].as_u64().unwrap());
    assert!(grouped.clone().count() == 3 && grouped.sum::<u64>() > 0, "{}", report["hesitation"]);
    let options = report["options"].as_array().unwrap();
    assert!(options.iter().any(|it| it["option"] == "pass" && it["by_version"][0]["n_offered"] != 0), "{options:?}");

    // Another version of the mods stands beside the first one.
    let later = text.replace("\"version\": \"0.1.0\"", "\"version\": \"0.2.0\"").replace("Which edges", "What edges");
    written(&dir, "tables/later.playtest.json", &later);
    let thumb = |n: u32, rule: &str| {
        format!("{{ \"n\": {n}, \"turn\": 1, \"person\": 1, \"rules\": 0, \"rule\": \"{rule}\", \"up\": false }}")
    };
    assert!(later.contains("\"thumbs\": []"), "{later}");
    let later = later.replace("\"thumbs\": []", &format!("\"thumbs\": [{}, {}]", thumb(3, "road"), thumb(4, "city")));
    written(&dir, "tables/later.playtest.json", &later);
    let ran = evaluate(&[&file, "tables/later.playtest.json"]).expect(0);
    let clear = ran.out.split("Clear explanations").nth(1).expect("the thumbs").lines().collect::<Vec<_>>();
    assert!(clear[2].contains("A clear  A unclear  B clear  B unclear"), "{}", clear[2]);
    assert!(clear[3].split_whitespace().eq(["city", "0", "0", "0", "1"]), "{}", clear[3]);
    // A folder stands for the playtests in it, sorted by name.
    assert!(
        fs::rename(dir.path().join("tables/later.playtest.json"), dir.path().join("tables/zz.playtest.json")).is_ok()
    );
    let in_folder = evaluate(&["tables"]).expect(0);
    assert_eq!(in_folder.out, ran.out);
    assert!(ran.out.contains("B  as before, but tested 0.2.0"), "{}", ran.out);
    assert!(ran.out.contains("A median") && ran.out.contains("B median"), "{}", ran.out);
}

/// In the terminal, a guest asks why there are points, and rates the explanation.
#[test]
fn a_guest_rates_an_explanation_in_the_terminal() {
    let dir = folder();
    let host = Host::start(dir.path(), &["--playtest", "--players", "human,random", "--mods", "base", "--seed", "4"]);
    let mut anna = TerminalGame::start(dir.path(), &["join", &host.link, "--name", "Anna"]);
    let has_scored = |guest: &TerminalGame| (1..10).any(|digit| guest.n_shown(&format!(" +{digit}")) > 0);
    let since = Instant::now();
    let mut n_typed = 0;
    while !has_scored(&anna) {
        assert!(since.elapsed() < Duration::from_secs(60), "no player has scored");
        if anna.n_shown("red> ") > n_typed {
            n_typed = anna.n_shown("red> ");
            anna.type_line("1");
        }
        thread::sleep(Duration::from_millis(20));
    }
    anna.type_line("why");
    anna.wait_for(" = ");
    assert_eq!(anna.n_shown("Is this clear?"), 0, "Anna has not agreed yet");
    anna.type_line("agree");
    anna.wait_for("The host collects your notes");
    anna.type_line("why 999");
    anna.wait_for("or a number up to ");
    anna.type_line("why 1");
    anna.wait_for("Is this clear? Type `clear` or `unclear`.");
    anna.type_line("unclear");
    anna.wait_for("The host has saved your opinion.");
    let code = &host.link[host.link.len() - 6..];
    let text = fs::read_to_string(dir.path().join(format!("tables/{code}.playtest.json"))).unwrap();
    let playtest = playtest::Playtest::read(&text).unwrap();
    assert_eq!(playtest.thumbs.iter().map(|it| (it.person, it.up)).collect::<Vec<_>>(), [(1, false)]);
}

#[test]
fn files_that_are_no_playtests_are_refused() {
    let dir = folder();
    let refused = |name: &str, text: &str, reason: &str| {
        written(&dir, name, text);
        let ran = bastide(dir.path(), &["playtests", name]).expect(1);
        assert!(ran.err.contains(reason) && ran.out.is_empty(), "{reason}: {}{}", ran.err, ran.out);
    };
    refused("a.json", "", "the file is empty");
    refused("a.json", "{", "EOF while parsing");
    refused("a.json", "{\n  \"format\": \"other\"\n}", "this is not a playtest");
    refused("a.json", "{ \"format\": \"bastide playtest\", \"version\": 9 }", "version 9 of the format");
    refused("a.json", "{ \"format\": \"bastide playtest\",\n\n \"version\": 1, \"x\": 0 }", "a.json:3");
    refused("a.json", &"[".repeat(1 << 20), "invalid type");
    let huge = fs::File::create(dir.path().join("huge.json")).unwrap();
    huge.set_len(100 << 20).unwrap();
    assert!(bastide(dir.path(), &["playtests", "huge.json"]).expect(1).err.contains("cannot be read"));
    assert!(bastide(dir.path(), &["playtests", "missing.json"]).expect(1).err.contains("cannot be read"));
    bastide(dir.path(), &["playtests"]).expect(2);
    fs::create_dir(dir.path().join("none")).unwrap();
    assert!(bastide(dir.path(), &["playtests", "none"]).expect(1).err.contains("none has no playtests"));
    let empty = "{ \"format\": \"bastide playtest\", \"version\": 1, \"record\": \"none.game\", \"rules\": [], \
                 \"people\": [], \"answers\": [], \"notes\": [], \"replies\": [] }";
    written(&dir, "empty.json", empty);
    let ran = bastide(dir.path(), &["playtests", "empty.json"]).expect(0);
    assert!(ran.out.contains("contain nothing that people did or said"), "{}", ran.out);
    // Control characters in a note reach no terminal.
    let note = "{ \"n\": 0, \"turn\": 0, \"person\": 1, \"rules\": 0, \"about\": null, \"text\": \"a\\u001b[31mb\" }";
    let text = format!(
        "{{ \"format\": \"bastide playtest\", \"version\": 1, \"record\": \"none.game\", \
         \"rules\": [{{ \"mods\": [], \"survey\": [] }}], \"people\": [{{ \"id\": 1, \"seat\": null }}], \
         \"answers\": [], \"notes\": [{note}], \"replies\": [] }}"
    );
    written(&dir, "b.json", &text);
    let ran = bastide(dir.path(), &["playtests", "b.json"]).expect(0);
    assert!(!ran.out.contains('\u{1b}') && ran.out.contains("[31mb"), "{:?}", ran.out);
    assert!(ran.err.contains("none.game"), "{}", ran.err);
}
