//! `kills`: kills the command and the window at random moments of playing, saving and starting, and
//! checks that the game is still stored.
//!
//! `tests/README.md` describes its use and results.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a check from the command line fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use record::{LogEntry, Record};

/// The time after which an operation counts as hung. Each timed operation normally takes much less.
const HANG_TIMEOUT: Duration = Duration::from_secs(60);

/// The manifest of a mod that changes during games. The mod pays points for every tile, so that
/// each change is visible.
const MANIFEST: &str = "[mod]\nid = \"bonus\"\ntitle = \"Bonus\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n";

fn script(bonus: u32) -> String {
    format!("fn tile_placed(tile) {{ score(turn.player, {bonus}, \"bonus\"); }}\n")
}

/// Returns the answers in a record that are not undone.
fn answers(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    // A line that is still being written does not count.
    let whole = &text[..text.rfind('\n').map_or(0, |i| i + 1)];
    let (record, problems) = Record::parse(whole);
    assert!(problems.iter().all(|p| p.severity != diagnostic::Severity::Error), "{}: {problems:?}", file.display());
    let mut answers = Vec::new();
    for line in record.lines {
        match line.entry {
            LogEntry::Answer(answer) => answers.push(answer),
            LogEntry::Back(n) => answers.truncate(answers.len() - n),
            LogEntry::Expect(_) | LogEntry::End => {}
        }
    }
    answers
}

/// Counts of events, such as kills, by name.
#[derive(Default)]
struct Counts(BTreeMap<&'static str, u32>);

impl Counts {
    fn add(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }
}

/// The programs to kill, and the folders and settings with which they run.
struct KillSetup {
    programs: PathBuf,
    folder: PathBuf,
    rng: Rng,
    counts: Counts,
    /// The time from the start of the window to its first saved game.
    opens_in: Duration,
}

impl KillSetup {
    fn mods(&self) -> PathBuf {
        self.folder.join("mods")
    }

    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command
            .current_dir(&self.folder)
            .arg("--mods-path")
            .arg(self.mods())
            .env("BASTIDE_DATA", self.folder.join("data"));
        command
    }

    /// Writes the script of the mod as text editors do: in place, or into a new file that then
    /// replaces the old file.
    fn change_mod(&mut self, text: &str) {
        let file = self.mods().join("bonus/rules.rhai");
        if self.rng.bool() {
            fs::write(file, text).unwrap();
        } else {
            let beside = file.with_extension("tmp");
            fs::write(&beside, text).unwrap();
            fs::rename(beside, file).unwrap();
        }
    }

    /// Checks that a record replays. Returns whether its game is over.
    fn check_replays(&self, file: &Path) -> bool {
        let ran = self.program("bastide").args(["replay", "--json", "--any-version"]).arg(file).output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert!(
            ran.status.success(),
            "{} does not replay: {err}\n{}",
            file.display(),
            fs::read_to_string(file).unwrap()
        );
        out.lines().last().is_some_and(|line| line.contains("\"over\":true"))
    }
}

/// Kills a running program, without letting it clean up.
fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Collects the output of a program, so that the program never blocks on writing. Each received
/// text ends in `>`, as a prompt does.
fn lines_of(from: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        let mut from = BufReader::new(from);
        let mut text = Vec::new();
        // A prompt ends in `> `, without a line end, so reading by lines would wait.
        while from.read_until(b'>', &mut text).is_ok_and(|n| n > 0) {
            if sender.send(String::from_utf8_lossy(&text).into_owned()).is_err() {
                return;
            }
            text.clear();
        }
    });
    lines
}

/// Kills a terminal game while a simulated person plays.
fn kill_play(ground: &mut KillSetup) {
    let file = ground.folder.join("play.game");
    let before = if file.exists() { answers(&file) } else { Vec::new() };
    if !before.is_empty() && ground.check_replays(&file) {
        fs::remove_file(&file).unwrap();
        ground.counts.add("games played to their end in the terminal");
        return kill_play(ground);
    }
    let mut command = ground.program("bastide");
    command.args(["play", "--record", "play.game"]);
    if !file.exists() {
        command.args(["--mods", "bonus", "--players", "human,human", "--seed", &ground.rng.u32(..).to_string()]);
    }
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let prompts = lines_of(child.stdout.take().unwrap());
    let mut input: ChildStdin = child.stdin.take().unwrap();
    let mut n_answers = ground.rng.usize(0..30);
    let late = Duration::from_micros(ground.rng.u64(0..4000));
    // About every third game is killed while it starts.
    if ground.rng.u8(0..3) == 0 {
        thread::sleep(Duration::from_micros(ground.rng.u64(0..60_000)));
        n_answers = 0;
        ground.counts.add("kills while the terminal game starts");
    } else {
        ground.counts.add("kills while the terminal game is played");
    }
    let mut told = before.clone();
    for n in 0..n_answers {
        if prompts.recv_timeout(HANG_TIMEOUT).is_err() {
            break;
        }
        // A prompt means that all answers before it are saved.
        told = answers(&file);
        if n > 0 && ground.rng.u8(0..8) == 0 {
            let bonus = ground.rng.u32(0..9);
            ground.change_mod(&script(bonus));
        }
        let word = if ground.rng.u8(0..10) == 0 { "u\n" } else { "1\n" };
        if input.write_all(word.as_bytes()).is_err() {
            break;
        }
    }
    thread::sleep(late);
    kill(child);
    if !file.exists() {
        assert!(before.is_empty() && told.is_empty(), "the record is gone");
        return;
    }
    check_stored_answers(ground, &file, &told);
}

/// Checks that a record replays. Checks also that it contains the answers `told`, unless some
/// answers were undone.
fn check_stored_answers(ground: &mut KillSetup, file: &Path, told: &[String]) {
    assert!(fs::metadata(file).unwrap().len() > 0, "{} is empty", file.display());
    let now = answers(file);
    let n_same = now.iter().zip(told).take_while(|(a, b)| a == b).count();
    let is_kept =
        n_same == told.len() || fs::read_to_string(file).unwrap().lines().any(|line| line.starts_with("back "));
    assert!(is_kept, "{}: {} answers were stored, {n_same} are left", file.display(), told.len());
    ground.check_replays(file);
}

/// Returns the records of the games that the window has stored, the newest last.
fn stored_games(ground: &KillSetup) -> Vec<PathBuf> {
    let entries = fs::read_dir(ground.folder.join("data/games")).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> =
        entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "game")).collect();
    files.sort_by_key(|file| fs::metadata(file).unwrap().modified().unwrap());
    files
}

/// Starts a window, and returns the time until its first game is saved. Then kills the window.
fn time_to_open(ground: &KillSetup) -> Duration {
    let begun = Instant::now();
    let window = ground.program("bastide-editor").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while stored_games(ground).is_empty() {
        assert!(begun.elapsed() < HANG_TIMEOUT, "the window has stored a game");
        thread::sleep(Duration::from_millis(20));
    }
    let opened = begun.elapsed();
    kill(window);
    opened
}

/// Kills a window with bots while it opens, plays and reloads a changed mod.
fn kill_window(ground: &mut KillSetup) {
    let before = stored_games(ground);
    let last = before.last().map(|file| (file.clone(), answers(file), ground.check_replays(file)));
    let mut child = ground.program("bastide-editor").stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // About every third window is killed while it opens.
    let opens = ground.opens_in.as_millis() as u64;
    let long = if ground.rng.u8(0..3) == 0 { opens } else { opens + 2500 };
    let until = Instant::now() + Duration::from_millis(ground.rng.u64(0..long));
    let mut told = last.as_ref().map(|(_, answers, _)| answers.clone()).unwrap_or_default();
    let mut n_changes = 0;
    while let Some(left) = until.checked_duration_since(Instant::now()) {
        thread::sleep(left.min(Duration::from_millis(ground.rng.u64(1..150))));
        if let Some((file, ..)) = &last {
            told = answers(file);
        }
        if ground.rng.u8(0..3) == 0 {
            let bonus = ground.rng.u32(0..9);
            let broken = if ground.rng.u8(0..4) == 0 { "fn (" } else { "" };
            ground.change_mod(&(script(bonus) + broken));
            n_changes += 1;
        }
    }
    if let Some(status) = child.try_wait().unwrap() {
        let mut said = String::new();
        let _ = child.stderr.take().unwrap().read_to_string(&mut said);
        panic!("the window ended by itself ({status}): {said}");
    }
    kill(child);
    ground.counts.add(if n_changes > 0 { "kills of the window while a mod changes" } else { "kills of the window" });
    // Repairs the mod before the next start, as an author would.
    ground.change_mod(&script(1));
    let after = stored_games(ground);
    let n_new = after.len() - before.len();
    match &last {
        Some((file, _, is_over)) => {
            check_stored_answers(ground, file, &told);
            if !is_over && n_new > 0 {
                // A new game may begin only after the previous one has ended.
                assert!(ground.check_replays(file), "{} was not found again: {after:?}", file.display());
            }
            if *is_over && n_new > 0 {
                ground.counts.add("games begun in the window after one was over");
            }
        }
        None => assert!(n_new <= 1, "{after:?}"),
    }
    for file in after.iter().rev().take(2) {
        assert!(!answers(file).is_empty(), "{} contains no answers", file.display());
        ground.check_replays(file);
    }
}

/// Returns the word after `name` on the command line.
fn option_of(name: &str) -> Option<String> {
    std::env::args().skip_while(|word| word != name).nth(1)
}

fn main() {
    let n: u32 = option_of("--kills").map_or(20, |n| n.parse().unwrap());
    let seed: u64 = option_of("--seed").map_or(1, |seed| seed.parse().unwrap());
    let programs = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let temp = tempfile::tempdir().unwrap();
    let folder = fs::canonicalize(temp.path()).unwrap();
    fs::create_dir_all(folder.join("mods/bonus")).unwrap();
    fs::create_dir_all(folder.join("data")).unwrap();
    fs::write(folder.join("mods/bonus/mod.toml"), MANIFEST).unwrap();
    fs::write(folder.join("mods/bonus/rules.rhai"), script(1)).unwrap();
    let seats = "[[\"red\", \"random\"], [\"blue\", \"random\"]]";
    let last_game = format!("{{\"mods\": [\"bonus\"], \"players\": {seats}, \"settings\": []}}");
    let settings = format!("{{\"bot_pause\": 0.02, \"welcome\": false, \"last_game\": {last_game}}}");
    fs::write(folder.join("data/settings.json"), settings).unwrap();
    let mut ground =
        KillSetup { programs, folder, rng: Rng::with_seed(seed), counts: Counts::default(), opens_in: HANG_TIMEOUT };
    let has_display = std::env::var_os("DISPLAY").is_some();
    if has_display {
        ground.opens_in = time_to_open(&ground);
    } else {
        println!("no display: only the terminal game is killed");
    }
    let begun = Instant::now();
    for _ in 0..n {
        if has_display && ground.rng.u8(0..3) == 0 { kill_window(&mut ground) } else { kill_play(&mut ground) }
    }
    for (what, n) in &ground.counts.0 {
        println!("{n:>5}  {what}");
    }
    let n_games = stored_games(&ground).len();
    println!("{n_games:>5}  records of the window, all complete");
    println!(
        "{n:>5}  kills with seed {seed} in {:.0} s: nothing lost except the answer in progress",
        begun.elapsed().as_secs_f32()
    );
}
