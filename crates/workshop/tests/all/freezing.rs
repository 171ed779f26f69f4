//! Tests of tests made from positions of games: runs them, changes a rule so that they fail, and
//! accepts the new values.

use std::fs;
use std::path::Path;

use expect_test::expect;
use loader::Library;
use table::{Session, Setup};
use testkit::{CopiedMod, mods_folder};
use workshop::{CaseFile, FrozenPosition, RulesCache, TestBeginning, free_name, run_case, write_test};

/// Plays a game of bots with the base game and these mods, up to `n_answers` answers.
fn played(ids: &[&str], n_answers: usize) -> Session {
    let mut setup = Setup { seed: Some(3), ..Setup::of(ids, 2) };
    setup.bots = setup.players.iter().map(|player| (player.clone(), "greedy".to_owned())).collect();
    let mut session = table::begin_game(&Library::open(&[mods_folder()]), setup).unwrap();
    while session.position_index() < n_answers && session.advance() {}
    session
}

/// Returns the text of a position's test with the default expectations.
fn usual(frozen: &FrozenPosition, beginning: TestBeginning) -> String {
    let usual: Vec<bool> = frozen.expectations.iter().map(|it| it.is_usual).collect();
    frozen.text(beginning, &frozen.title, &usual)
}

fn run(library: &Path, file: &Path) -> workshop::CaseRun {
    let mut cache = RulesCache::new(Library::open(&[library.to_owned()]));
    run_case(&mut cache, &CaseFile { file: file.to_owned(), inside: None }, || true).unwrap()
}

#[test]
fn a_moment_is_what_an_author_would_write() {
    let mut session = played(&["base"], 14);
    let n_before = session.game().state().awards().len();
    while session.game().state().awards().len() == n_before {
        session.advance();
    }
    session.deal();
    let frozen = FrozenPosition::of(session.library(), session.game());
    expect![[r#"
        # Red gets points for city
        bastide 1
        mods base
        players red blue

        draw base/N
        place 0,-1 180
        deploy follower 0,-1 city@e
        draw base/I
        place 0,1 180
        deploy follower 0,1 city@e
        draw base/L
        place 1,-1 270
        deploy follower 1,-1 road@e
        draw base/H
        place 0,2 0
        deploy follower 0,2 city@n
        draw base/D
        place 0,3 0
        deploy follower 0,3 city@n
        expect award red 2 city
        expect score red 8
        expect score blue 2
    "#]]
    .assert_eq(&usual(&frozen, TestBeginning::Start));
    expect![[r#"
        # Red gets points for city
        bastide 1
        mods base
        players red blue

        given tile base/N 0,-1 180
        given tile base/I 0,1 180
        given tile base/L 1,-1 270
        given tile base/H 0,2 0
        given piece blue follower 0,1 city@e
        given piece red follower 1,-1 road@e
        given score red 6
        given score blue 2
        given turn red 5
        draw base/D
        place 0,3 0
        deploy follower 0,3 city@n
        expect award red 2 city
        expect score red 8
        expect score blue 2
    "#]]
    .assert_eq(&usual(&frozen, TestBeginning::Position));
    let offered: Vec<String> = frozen
        .expectations
        .iter()
        .map(|it| format!("{} {}: {}\n", if it.is_usual { "x" } else { "-" }, it.about.name(), it.text))
        .collect();
    expect![[r#"
        x Points of the last turn: award red 2 city
        x Scores: score red 8
        x Scores: score blue 2
        - Question: decision blue place
        - Question: options 23
        - Pieces in supply: supply red follower 6
        - Pieces in supply: supply blue follower 6
        - Tiles, tokens, decks: deck land 65
        - Tiles, tokens, decks: tile base/D 0,3 0
        - If the game ended here: award blue 1 city
        - If the game ended here: award red 1 road
        - If the game ended here: score red 9
        - If the game ended here: score blue 3
    "#]]
    .assert_eq(&offered.concat());
}

#[test]
fn every_frozen_moment_is_a_test_that_passes() {
    let temp = tempfile::tempdir().unwrap();
    let mut cache = RulesCache::new(Library::open(&[mods_folder()]));
    let mut n_with_position = 0;
    for ids in [&["inns-cathedrals", "builders-traders"][..], &["messages", "robbers"], &["scout"], &["gold-mines"]] {
        let mut session = played(ids, usize::MAX);
        let len = session.steps().len();
        for at in (0..=len).step_by(len / 6).chain([len]) {
            session.go_to(at);
            let frozen = FrozenPosition::of(session.library(), session.game());
            assert!(frozen.expectations.iter().any(|it| it.is_usual), "{ids:?} {at}");
            let all = vec![true; frozen.expectations.len()];
            for beginning in [TestBeginning::Start, TestBeginning::Position] {
                if beginning == TestBeginning::Position && !frozen.has_position() {
                    continue;
                }
                n_with_position += usize::from(beginning == TestBeginning::Position);
                for text in [frozen.text(beginning, "all", &all), usual(&frozen, beginning)] {
                    let file = temp.path().join("moment.game");
                    fs::write(&file, &text).unwrap();
                    let case = run_case(&mut cache, &CaseFile { file, inside: None }, || true).unwrap();
                    let failures: Vec<String> = case.failures.iter().map(|f| f.problem.to_string()).collect();
                    assert!(
                        case.passes() && case.n_expectations > 0,
                        "{ids:?} {at} {beginning:?}: {failures:?}\n{text}"
                    );
                }
            }
        }
    }
    assert!(n_with_position > 10, "{n_with_position} of them begin with a position");
}

#[test]
fn a_changed_rule_makes_a_test_red_and_accepting_green() {
    let base = CopiedMod::of("base");
    let session = played(&["base"], 60);
    let frozen = FrozenPosition::of(session.library(), session.game());
    let folder = base.library().join("base");
    let name = free_name(&folder, "Points are paid");
    assert_eq!(name, "points_are_paid");
    let text = usual(&frozen, TestBeginning::Start).replace("expect score red", "expect  score red") + "# the end\r\n";
    let file = write_test(&folder, &name, &text).unwrap();
    assert!(run(base.library(), &file).passes());
    let twice = write_test(&folder, &name, &text).unwrap_err().to_string();
    assert!(twice.contains("already exists: choose another name"), "{twice}");
    assert_eq!(free_name(&folder, "Points are paid"), "points_are_paid_2");

    let manifest = base.read("mod.toml");
    base.write(
        "mod.toml",
        &manifest.replace("complete = \"tiles\"", "complete = \"5 * tiles\"").replace("\"2 *", "\"9 *"),
    );
    let red = run(base.library(), &file);
    assert!(!red.passes());
    let acceptance = red.acceptance().unwrap();
    let case = CaseFile { file: file.clone(), inside: Some(folder.clone()) };
    fs::write(&file, format!("{text}\n")).unwrap();
    assert!(acceptance.write(&case).unwrap_err().to_string().contains("has changed in the meantime"));
    fs::write(&file, &text).unwrap();
    acceptance.write(&case).unwrap();
    assert!(run(base.library(), &file).passes());
    let now = fs::read_to_string(&file).unwrap();
    let differ = text.lines().zip(now.lines()).filter(|(old, new)| old != new).count();
    assert_eq!((differ, text.lines().count()), (acceptance.changes.len(), now.lines().count()));
    assert!(now.ends_with("# the end\r\n"));
}

#[test]
fn nothing_is_written_out_of_a_mod() {
    let base = CopiedMod::of("base");
    let folder = base.library().join("base");
    for name in ["../evil", "a/b", "", ".hidden", "A", "nul l", "con.x"] {
        assert!(write_test(&folder, name, "").is_err(), "{name}");
    }
    #[cfg(unix)]
    {
        let (own, elsewhere) = (base.library().join("own"), base.library().join("elsewhere"));
        fs::create_dir(&own).unwrap();
        fs::create_dir(&elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, own.join("tests")).unwrap();
        let refused = write_test(&own, "name", "text").unwrap_err().to_string();
        assert!(refused.contains("leads out of the folder of its mod"), "{refused}");
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    }
}
