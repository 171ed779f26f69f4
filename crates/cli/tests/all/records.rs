//! `bastide play --record`: two games with one file, a full disk, and games that were begun but
//! never played.

use std::fs;

use testkit::{mods_folder, write_many_tiles};

use crate::common::{TerminalGame, bastide, bastide_with, folder, written};

const PLAY: [&str; 7] = ["play", "--players", "human,human", "--seed", "4", "--record", "a.game"];

#[test]
fn the_second_terminal_goes_on_beside_the_first() {
    let dir = folder();
    let mut first = TerminalGame::start(dir.path(), &PLAY);
    first.type_lines(&["1", "1", "1"]);
    let before = fs::read_to_string(dir.path().join("a.game")).unwrap();
    let second = bastide_with(dir.path(), &["play", "--record", "a.game"], "1\nq\n").expect(0);
    assert!(
        second.err.contains("a.game is being played in another window") && second.err.contains("a.1.game"),
        "{}",
        second.err
    );
    assert_eq!(fs::read_to_string(dir.path().join("a.game")).unwrap(), before);
    first.type_lines(&["1"]);
    assert_eq!(first.quit(), "");
    for file in ["a.game", "a.1.game"] {
        bastide(dir.path(), &["replay", file]).expect(0);
        assert!(fs::read_to_string(dir.path().join(file)).unwrap().len() > before.len());
    }
}

#[test]
fn an_empty_file_is_as_good_as_none() {
    let dir = folder();
    written(&dir, "a.game", "");
    bastide_with(dir.path(), &PLAY, "1\nq\n").expect(0);
    bastide(dir.path(), &["replay", "a.game"]).expect(0);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_nothing_is_missing_once_there_is_room() {
    use std::process::Command;
    let dir = folder();
    let mut command = Command::new("sh");
    // The limit stops files from growing beyond one block. As on a full disk, writing more fails in
    // the middle of a line.
    command.args(["-c", "trap '' XFSZ; ulimit -S -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_bastide")]).args(PLAY);
    let mut table = TerminalGame::of(dir.path(), command);
    let lines = ["1"; 80];
    table.type_lines(&lines);
    let short = fs::read_to_string(dir.path().join("a.game")).unwrap();
    assert!(short.len() <= 1024 && short.ends_with('\n'), "half a line is left: {short}");
    let pid = table.child.id().to_string();
    assert!(Command::new("prlimit").args(["--pid", &pid, "--fsize=unlimited"]).status().unwrap().success());
    table.type_lines(&["1"]);
    let said = table.quit();
    assert!(
        said.contains("the game cannot be saved in a.game") && said.contains("saving works again; no moves are lost"),
        "{said}"
    );
    let decisions = bastide(dir.path(), &["replay", "a.game", "--json"]).expect(0).json_lines();
    let n = decisions.iter().filter(|d| d["who"] != "chance" && d["answer"].is_string()).count();
    assert_eq!(n, lines.len() + 1);
}

/// Limits files to two blocks, as if the disk were full. Each command then fails and leaves the
/// existing file unchanged.
#[cfg(target_os = "linux")]
#[test]
fn outputs_are_written_whole_or_stay_as_they_were() {
    use std::process::Command;
    let dir = folder();
    written(&dir, "my.game", "bastide 1\nmods base\nplayers red blue\nseed 3\n\ndraw base/E\n");
    for (file, args) in [
        ("out.zip", &["pack", "base", "--force", "--out", "out.zip"][..]),
        ("out.png", &["picture", "my.game", "--out", "out.png"]),
        ("out.csv", &["sim", "--mods", "base", "--games", "40", "--out", "out.csv"]),
        ("out.html", &["sim", "--mods", "base", "--games", "4", "--html", "out.html"]),
        ("tiles.png", &["tiles", "base", "--png", "tiles.png"]),
        ("docs/tutorial.md", &["docs", "--out", "docs"]),
    ] {
        let path = dir.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "as it was").unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ; ulimit -S -f 2; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_bastide")]);
        let ran = command.args(args).current_dir(dir.path()).env("BASTIDE_MODS", mods_folder()).output().unwrap();
        assert_eq!(ran.status.code(), Some(1), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
        assert_eq!(fs::read_to_string(&path).unwrap(), "as it was", "{args:?}");
    }
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -S -f 0; exec \"$0\" new wells", env!("CARGO_BIN_EXE_bastide")]);
    let ran = command.current_dir(dir.path()).output().unwrap();
    assert_eq!(ran.status.code(), Some(1));
    assert!(!dir.path().join("wells").exists(), "no incomplete mod is left");
}

#[test]
fn problems_in_the_header_name_their_line() {
    let folder = folder();
    let head = "bastide 1\nmods base\nplayers red blue\n";
    let game = written(&folder, "my.game", &format!("{head}bot blue greedy\nbot red gredy\n"));
    let ran = bastide(folder.path(), &["replay", &game]).expect(0);
    assert!(ran.err.contains("my.game:5: warning: unknown bot `gredy`\n  help: did you mean `greedy`?"), "{}", ran.err);
    let game = written(&folder, "my.game", &format!("{head}begins green\n"));
    let ran = bastide(folder.path(), &["replay", &game]).expect(1);
    assert!(ran.err.contains("my.game:4: error: `begins green`: there is no player green"), "{}", ran.err);
}

#[test]
fn a_picture_has_a_maximum_number_of_tiles() {
    let folder = folder();
    write_many_tiles(folder.path(), 2);
    // A type of tile has at most 1,000 copies.
    let types: String = (0..6).map(|i| format!("A{i} = {{ count = 1000, road = \"n-s\" }}\n")).collect();
    fs::write(folder.path().join("many/tiles.toml"), format!("[tile]\n{types}")).unwrap();
    let tile = |i: usize| format!("given tile many/A{} {},{}\n", i / 1000, i % 100, 10 + i / 100);
    let tiles: String = (0..5001).map(tile).collect();
    let game = written(&folder, "my.game", &format!("bastide 1\nmods many\nplayers red blue\n{tiles}"));
    let ran = bastide(folder.path(), &["picture", "--mods-path", ".", &game]).expect(1);
    assert!(
        ran.err
            .contains("5002 tiles are too many: at most 5000 are drawn in one picture\n  help: draw an earlier turn"),
        "{}",
        ran.err
    );
}

#[test]
fn a_game_is_drawn_whole_or_up_to_a_turn() {
    let folder = folder();
    let record = "bastide 1\nmods base\nplayers red blue\nseed 3\n\ndraw base/E\nplace 0,-1 180\npass\ndraw base/E\n";
    let game = written(&folder, "my.game", record);
    let ran = bastide(folder.path(), &["picture", &game]).expect(0);
    assert!(ran.err.contains("my.png") || ran.out.contains("my.png"), "{}{}", ran.out, ran.err);
    let begins = |name: &str, with: &[u8]| fs::read(folder.path().join(name)).unwrap().starts_with(with);
    assert!(begins("my.png", b"\x89PNG"));
    bastide(folder.path(), &["picture", &game, "--out", "my.gif"]).expect(0);
    assert!(begins("my.gif", b"GIF89a"));
    bastide(folder.path(), &["picture", &game, "--turn", "1", "--out", "1.svg"]).expect(0);
    assert!(begins("1.svg", b"<svg"));
    let ran = bastide(folder.path(), &["picture", &game, "--turn", "9999", "--out", "9999.svg"]).expect(2);
    assert!(ran.err.contains("--turn: the game has "), "{}", ran.err);
    let ran = bastide(folder.path(), &["picture", &game, "--out", "my.bmp"]).expect(2);
    assert!(ran.err.contains("use .png, .svg or .gif"), "{}", ran.err);
    let broken = written(&folder, "broken.game", &record.replace("180", "90"));
    let ran = bastide(folder.path(), &["picture", &broken]).expect(1);
    assert!(ran.err.contains("place 0,-1 90"), "{}", ran.err);
}
