//! Tests that the window loses no stored work. One test kills the program while the user writes a
//! rule and draws a tile; another test fills the disk. The next start must find everything that was
//! stored.
//!
//! The window runs in a separate process: this program again, with one of the ignored tests.
//! `KILLS=600` sets the number of kills.

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::*;
use crate::tiles::type_into;
use editor::{Action, Command as Wanted, StartOptions};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use testkit::CopiedMod;
use workshop::document::Drafts;

/// The environment variable with the folder of the process to kill.
const FOLDER: &str = "BASTIDE_CRASHES";

/// The stored progress of the script and the tile. The process to kill prints its progress as one
/// line when the progress is on disk.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Kept {
    lines: usize,
    copies: usize,
}

impl Kept {
    /// Reads the progress from the files in a folder.
    fn on_disk(folder: &Path) -> Kept {
        let script = folder.join("mods/base/rules.rhai");
        let drafts = Drafts::new(&folder.join("data")).all();
        let draft = drafts.into_iter().find(|draft| draft.path == script).map_or(0, |draft| n_lines(&draft.text));
        let tiles = fs::read_to_string(folder.join("data/drafts/tiles.json")).unwrap_or_default();
        let saved = fs::read_to_string(folder.join("mods/base/tiles.toml")).unwrap();
        Kept {
            lines: n_lines(&fs::read_to_string(script).unwrap()).max(draft),
            copies: n_copies(&tiles).max(n_copies(&saved)),
        }
    }

    fn parse(line: &str) -> Option<Kept> {
        let mut words = line.strip_prefix("kept ")?.split(' ').map(|word| word.parse().unwrap());
        Some(Kept { lines: words.next()?, copies: words.next()? })
    }
}

/// Counts the numbered lines at the end of a script, and checks that they are consecutive and
/// complete.
fn n_lines(script: &str) -> usize {
    let numbers = script.lines().filter_map(|line| line.strip_prefix("// line "));
    let n = numbers.enumerate().map(|(i, number)| assert_eq!(number, (i + 1).to_string(), "{script}")).count();
    assert!(n == 0 || script.ends_with('\n'), "torn: {script}");
    n
}

/// Returns the count of the tile `K` in the text of a file of tiles; in a file of drafts, the
/// highest count.
fn n_copies(text: &str) -> usize {
    let counts = text.split("K = { count = ").skip(1).filter_map(|rest| rest.split(',').next()?.parse().ok());
    counts.max().unwrap_or(0)
}

fn works_in() -> Option<PathBuf> {
    env::var_os(FOLDER).map(PathBuf::from)
}

/// Creates a folder whose subfolder `mods` contains a copy of the base game.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("mods")).unwrap();
    fs::rename(CopiedMod::of("base").file(""), folder.path().join("mods/base")).unwrap();
    folder
}

/// Opens the window with the mods in `folder`, and the script of the base game in the rule editor.
/// The window also stores its data in `folder`.
fn window(folder: &Path) -> Window {
    let (mods, data) = (Some(vec![folder.join("mods")]), Some(folder.join("data")));
    let mut window = open(StartOptions { mods, data, ..game(&["base"], 2, 0) }, 1400.0, 900.0);
    open_script(&mut window, folder);
    window
}

fn open_script(window: &mut Window, folder: &Path) {
    act(window, Action::OpenFile(folder.join("mods/base/rules.rhai"), 1));
    press_with(window, Modifiers { ctrl: true, ..Modifiers::COMMAND }, Key::End);
}

fn act(window: &mut Window, action: Action) {
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
    window.run_steps(4);
}

fn open_tile(window: &mut Window) {
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), Wanted::Tiles);
    window.run_steps(6);
    click(window, "All tiles");
    type_into(window, "Find tiles", "base/K");
    click(window, "Tile base/K");
    click(window, "Open in the designer");
}

fn answer(window: &mut Window) {
    let key = if asks_for_piece(session(window)) { Key::Space } else { Key::Enter };
    press(window, key);
}

fn type_text(window: &mut Window, text: &str) {
    window.event(egui::Event::Text(text.to_owned()));
    window.run_steps(2);
}

/// Prepares a command that runs this program again. The new process runs only the test `test`, with
/// `folder`.
fn start(folder: &Path, test: &str, mut command: Command) -> Command {
    command.args(["--exact", &format!("crashes::{test}"), "--ignored", "--nocapture"]);
    command.env(FOLDER, folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
#[ignore = "another test starts it, and ends it by force"]
fn somebody_makes_things() {
    let Some(folder) = works_in() else { return };
    let before = Kept::on_disk(&folder);
    let mut window = window(&folder);
    let mut rng = fastrand::Rng::with_seed(before.lines as u64);
    let (mut n, mut told) = (before.lines, Kept::default());
    println!();
    loop {
        open_script(&mut window, &folder);
        for _ in 0..rng.usize(5..80) {
            n += 1;
            type_text(&mut window, &format!("// line {n}\n"));
            if rng.u8(0..20) == 0 {
                press_with(&mut window, Modifiers::COMMAND, Key::S);
            }
            tell(&mut told, Kept::on_disk(&folder));
        }
        open_tile(&mut window);
        for _ in 0..rng.usize(1..6) {
            click(&mut window, "+");
            if rng.u8(0..4) == 0 {
                click(&mut window, "Save tile");
            }
            tell(&mut told, Kept::on_disk(&folder));
        }
    }
}

fn tell(told: &mut Kept, now: Kept) {
    if *told != now {
        *told = now;
        println!("kept {} {}", now.lines, now.copies);
    }
}

#[test]
fn what_is_being_made_outlives_a_kill() {
    let n: u64 = env::var("KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let temp = folder();
    let folder = temp.path();
    let mut rng = fastrand::Rng::with_seed(n);
    let mut last = Kept::on_disk(folder);
    for _ in 0..n {
        let program = Command::new(env::current_exe().unwrap());
        let mut child = start(folder, "somebody_makes_things", program).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let reader = thread::spawn(move || lines.map_while(Result::ok).filter_map(|line| Kept::parse(&line)).last());
        thread::sleep(Duration::from_millis(rng.u64(100..4000)));
        let ended = child.try_wait().unwrap();
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(ended, None, "the process ended by itself: {}", String::from_utf8_lossy(&output.stderr));
        let told = reader.join().unwrap().unwrap_or(last);
        let now = Kept::on_disk(folder);
        assert!(
            now.lines >= told.lines && now.copies >= told.copies,
            "{told:?} was reported as stored, but the disk has {now:?}"
        );
        assert!(now.lines >= last.lines && now.copies >= last.copies, "the disk had {last:?}, and now has {now:?}");
        last = now;
    }
    eprintln!("{n} kills while rules and tiles are made: {last:?}; no stored work was lost");
    assert!(last.lines > 0, "nothing was written between the kills");
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "another test starts it with little room on the disk"]
fn somebody_has_no_room() {
    let Some(folder) = works_in() else { return };
    let mut window = window(&folder);
    let script = folder.join("mods/base/rules.rhai");
    let before = fs::read_to_string(&script).unwrap();
    for n in 1..=400 {
        type_text(&mut window, &format!("// line {n}\n"));
    }
    let says = |words: &'static str| {
        move |app: &editor::App| app.notifications().items().iter().any(|item| item.text.contains(words))
    };
    wait_until(&mut window, "the draft that fails", says("settings and drafts cannot be saved"));
    press_with(&mut window, Modifiers::COMMAND, Key::S);
    wait_until(&mut window, "the script that is not saved", says("is not saved"));
    assert_eq!(fs::read_to_string(&script).unwrap(), before, "the file is unchanged");
    assert_eq!(app(&window).n_unsaved_texts(), 1);
    click(&mut window, "Board");
    press(&mut window, Key::Escape);
    let n_answers = |window: &Window| session(window).steps().len();
    while n_answers(&window) < 90 {
        answer(&mut window);
    }
    wait_until(&mut window, "the game that is not kept", says("the game cannot be saved in"));
    assert!(window.query_by_label("not saved").is_some(), "the warning stays while saving fails");
    println!("\nroom");
    let begun = Instant::now();
    while !folder.join("room").exists() {
        assert!(begun.elapsed() < Duration::from_secs(20), "the test makes room on the disk");
        thread::sleep(Duration::from_millis(10));
    }
    wait_until(&mut window, "the draft", says("settings and drafts are saved again"));
    assert_eq!(Kept::on_disk(&folder).lines, 400);
    let n = n_answers(&window);
    while n_answers(&window) == n {
        answer(&mut window);
    }
    wait_until(&mut window, "the game", says("saving works again; the whole game is on disk"));
    let kept = fs::read_to_string(&session(&window).save_location().unwrap().path).unwrap();
    assert!(session(&window).steps().iter().all(|step| kept.contains(&step.text)));
    open_script(&mut window, &folder);
    press_with(&mut window, Modifiers::COMMAND, Key::S);
    assert_eq!(n_lines(&fs::read_to_string(&script).unwrap()), 400);
    println!("everything is stored");
}

#[cfg(target_os = "linux")]
#[test]
fn without_room_on_the_disk_everything_waits_until_there_is_some() {
    let temp = folder();
    let folder = temp.path();
    let mut program = Command::new("sh");
    // The file size limit of about a thousand bytes makes longer writes fail halfway, as on a full
    // disk.
    program.args(["-c", "trap '' XFSZ; ulimit -S -f 2; exec \"$0\" \"$@\""]).arg(env::current_exe().unwrap());
    let mut child = start(folder, "somebody_has_no_room", program).spawn().unwrap();
    let pid = child.id().to_string();
    let mut said = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
        if line == "room" {
            assert!(Command::new("prlimit").args(["--pid", &pid, "--fsize=unlimited"]).status().unwrap().success());
            fs::write(folder.join("room"), "").unwrap();
        }
        said.push(line);
    }
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.iter().any(|line| line == "everything is stored"), "{said:?}\n{error}");
}
