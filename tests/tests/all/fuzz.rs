//! Fuzz tests, with files, records, changes of files and commands made from the repository's own
//! mods. The engine must not panic, hang or discard the running game.
//!
//! tests/README.md lists the longest run of each test, and the command for a longer run.

use std::fs;
use std::io::{Read as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use loader::Library;
use record::Record;
use rules::RulesFactory;
use table::{AwaitedActor, ReloadOutcome, Seat, Session};
use testkit::{mods_folder, run_limited, visible};
use tests::hostile::{LIMIT_MS, MAX_MEMORY_BYTES};
use tests::mutate::{Choices, mutated, repeated, texts_of};
use tests::sitting;
use workshop::link::{Link, RECORD_FILE};

/// The time for every test of this file. The variable `BOLERO_RANDOM_TEST_TIME_MS` overrides it.
const A_WHILE: Duration = Duration::from_secs(2);
/// The time limit for a single input, which holds even on a busy machine.
const TOO_LONG: Duration = Duration::from_secs(20);
/// The maximum address space of a tried process, in bytes. It exceeds the memory limit, so that the
/// test fails with a message before the system kills the process.
const MAX_ADDRESSES: u64 = 4 << 30;
/// The maximum number of bytes of an input.
const MAX_LEN: usize = 256;

/// Runs an action repeatedly, for the time of a test. The fuzzer's bytes make the choices of each
/// run.
macro_rules! fuzz {
    ($act:expr) => {{
        let mut act = Act($act);
        bolero::check!().with_test_time(a_while()).with_max_len(MAX_LEN).for_each(move |bytes: &[u8]| act.run(bytes));
    }};
}

// The module uses the macro above.
mod wire;

/// The test of one input. After a panic, the fuzzer runs the test with smaller inputs, to find a
/// small input that still panics.
struct Act<F>(F);

impl<F> std::panic::RefUnwindSafe for Act<F> {}

impl<F: FnMut(&mut Choices<'_>)> Act<F> {
    fn run(&mut self, bytes: &[u8]) {
        let took = self.timed(bytes);
        if took >= TOO_LONG {
            // Tries the input again, because a busy machine is hardly ever slow twice in a row.
            let again = self.timed(bytes);
            assert!(again < TOO_LONG, "this took {took:?}, and {again:?} when it was done again");
        }
    }

    fn timed(&mut self, bytes: &[u8]) -> Duration {
        let begun = Instant::now();
        self.0(&mut Choices::new(bytes));
        begun.elapsed()
    }
}

fn a_while() -> Duration {
    let ms = std::env::var("BOLERO_RANDOM_TEST_TIME_MS").ok().and_then(|ms| ms.parse().ok());
    ms.map_or(A_WHILE, Duration::from_millis)
}

/// A folder with a copy of the mod that the test changes.
struct Copied {
    temp: tempfile::TempDir,
}

impl Copied {
    fn new() -> Copied {
        Copied { temp: tempfile::tempdir().unwrap() }
    }

    fn folder(&self, id: &str) -> PathBuf {
        self.temp.path().join(id)
    }

    /// Copies the mod that contains `path`. Returns the mod's id and the path of the file in the
    /// copy.
    fn copy_of(&self, path: &str) -> (String, PathBuf) {
        let path = Path::new(path);
        let own = path.ancestors().find(|folder| folder.join("mod.toml").is_file()).unwrap();
        let id = own.file_name().unwrap().to_string_lossy().into_owned();
        let to = self.folder(&id);
        if !to.exists() {
            copy(own, &to);
        }
        (id, to.join(path.strip_prefix(own).unwrap()))
    }

    /// Returns the folders of all mods, with the copy instead of the original mod.
    fn paths(&self, id: &str) -> Vec<PathBuf> {
        let small = Path::new(env!("CARGO_MANIFEST_DIR")).join("mods");
        let own = [mods_folder(), small].into_iter().flat_map(|folder| fs::read_dir(folder).unwrap());
        let others = own.map(|entry| entry.unwrap().path()).filter(|path| path.file_name().unwrap() != id);
        others.filter(|p| p.join("mod.toml").is_file()).chain([self.folder(id)]).collect()
    }

    fn library(&self, id: &str) -> Library {
        Library::open(&self.paths(id)).with_icon_check(art::check_icon)
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Changes one of the files that end in `ending` and loads its mod. If the mod loads, plays a game
/// with the mod.
fn changed_file(ending: &str) -> impl FnMut(&mut Choices<'_>) + use<'_> {
    let (texts, copied) = (texts_of(ending), Copied::new());
    move |choices| {
        let (path, text) = choices.choose(&texts);
        let (id, file) = copied.copy_of(path);
        let changed = mutated(choices, text, &texts);
        fs::write(&file, &changed).unwrap();
        let library = copied.library(&id);
        let played = catch_unwind(AssertUnwindSafe(|| load_and_play(&library, &id, 60)));
        if let Err(panic) = played {
            eprintln!("--- {path}\n{changed}");
            resume_unwind(panic);
        }
        fs::write(&file, text).unwrap();
    }
}

fn load_and_play(library: &Library, id: &str, n_answers: usize) {
    let (loaded, problems) = library.load(&[id]);
    let (short, long) = (problems.to_string(), problems.render(false));
    assert!(short.is_empty() == long.is_empty());
    assert_eq!(loaded.is_none(), problems.n_errors() > 0, "{short}");
    if loaded.is_none() {
        return;
    }
    let Ok(mut session) = sitting::begin(library, &[id.to_owned()], "random") else { return };
    sitting::advance(&mut session, n_answers);
    look_at(&session);
}

fn begin(library: &Library, ids: &[&str]) -> Session {
    let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    sitting::begin(library, &ids, "random").unwrap_or_else(|e| panic!("{e}"))
}

/// Reads all parts of a session that a window shows.
fn look_at(session: &Session) {
    let view = session.view();
    for feature in view.features() {
        table::describe_feature(view, feature.feature);
    }
    for piece in view.pieces() {
        table::describe_piece(view, piece.piece);
    }
    assert!(view.fault().is_none_or(|fault| !fault.failure.is_panic), "{:?}", view.fault());
    assert!(session.position_index() <= session.steps().len());
    assert_eq!(view.scores().len(), 2);
}

#[test]
fn manifests() {
    fuzz!(changed_file("mod.toml"));
}

#[test]
fn tiles() {
    fuzz!(changed_file("tiles.toml"));
}

#[test]
fn themes() {
    fuzz!(changed_file("theme.toml"));
}

#[test]
fn icons() {
    let texts = texts_of(".svg");
    fuzz!(move |choices: &mut Choices<'_>| {
        let text = &choices.choose(&texts).1;
        let _ = art::check_icon(&mutated(choices, text, &texts));
    });
}

#[test]
fn scripts() {
    fuzz!(changed_file("rules.rhai"));
}

/// Repeats a piece of a file until the file is as large as permitted. The mod must be loaded or
/// refused within [`LIMIT_MS`] of processor time and [`MAX_MEMORY_BYTES`].
#[test]
fn sizes() {
    let files: Vec<(String, String)> =
        ["mod.toml", "tiles.toml", "theme.toml", "rules.rhai", ".svg"].into_iter().flat_map(texts_of).collect();
    let copied = Copied::new();
    fuzz!(move |choices: &mut Choices<'_>| {
        let (path, text) = choices.choose(&files);
        let (id, file) = copied.copy_of(path);
        let own = file.strip_prefix(copied.folder(&id)).unwrap().to_string_lossy().into_owned();
        let long = repeated(choices, text, loader::max_bytes_of_file(&own).unwrap() as usize);
        fs::write(&file, &long).unwrap();
        let mut args = vec!["--load".to_owned(), id.clone()];
        args.extend(copied.paths(&id).iter().map(|path| path.to_string_lossy().into_owned()));
        let program = Path::new(env!("CARGO_BIN_EXE_hostile"));
        let watched = run_limited(program, &args, "", copied.temp.path(), MAX_ADDRESSES, TOO_LONG);
        fs::write(&file, text).unwrap();
        let ms = visible(&watched.out).trim().parse::<u64>();
        let is_well = watched.failure_message().is_none() && watched.peak <= MAX_MEMORY_BYTES;
        if !is_well || ms.as_ref().map_or(true, |ms| *ms > LIMIT_MS) {
            let kept = std::env::temp_dir().join("sizes");
            fs::write(&kept, &long).unwrap();
            panic!(
                "{path}, as {}: {ms:?} ms, {} MB, {:?}",
                kept.display(),
                watched.peak >> 20,
                watched.failure_message()
            );
        }
    });
}

/// Changes, cuts and adds bytes in archives of mods. An accepted archive must be a mod whose files
/// lie in its folder, and packing the mod again must keep these files.
#[test]
fn zips() {
    let zips: Vec<Vec<u8>> = ["king-baron", "river2"]
        .map(|id| workshop::Package::from_folder(&mods_folder().join(id)).unwrap().to_zip().unwrap())
        .into();
    let temp = tempfile::tempdir().unwrap();
    fuzz!(move |choices: &mut Choices<'_>| {
        let mut bytes = choices.choose(&zips).clone();
        while choices.has_bytes_left() {
            // Most changes are in the lists of names and sizes at the end.
            let from =
                *choices.choose(&[0, bytes.len() / 2, bytes.len().saturating_sub(400), bytes.len().saturating_sub(22)]);
            let at = from + choices.below((bytes.len() - from).max(1));
            let byte = choices.below(256) as u8;
            match choices.below(6) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at.min(bytes.len()), byte),
                2 => drop((at < bytes.len()).then(|| bytes.remove(at))),
                _ => bytes.get_mut(at).into_iter().for_each(|it| *it = byte),
            }
        }
        match workshop::Package::from_zip(&bytes) {
            Err(refused) => assert!(!refused.message.is_empty() && refused.help.is_some()),
            Ok(package) => {
                let installed = package.install(temp.path(), true).unwrap();
                assert!(installed.folder.parent() == Some(temp.path()));
                assert!(workshop::Package::from_folder(&installed.folder).unwrap().files().eq(package.files()));
                assert!(workshop::Package::from_zip(&package.to_zip().unwrap()).unwrap().files().eq(package.files()));
                fs::remove_dir_all(&installed.folder).unwrap();
            }
        }
    });
}

/// Changes letters of links, and makes links that contain changed texts. An accepted link must stay
/// within the limits, survive writing and reading, and write nothing outside its folder.
#[test]
fn links() {
    let game = "bastide 1\nmods base, king-baron\nplayers red blue\nseed 7\n\ndraw base/E\n".to_owned();
    let folders = ["base", "king-baron"].map(|id| mods_folder().join(id));
    let link = Link::new(&folders.each_ref().map(PathBuf::as_path), game).unwrap();
    let links = [link.clone().with_solution(vec!["pass".to_owned()]).text(), link.text()];
    let texts: Vec<(String, String)> = links.iter().map(|link| (String::new(), unpacked(link))).collect();
    // Some inputs are small, so that every byte matters.
    let small = r#"{"mods":{"a":{"mod.toml":"[mod]\nid = \"a\"\nversion = \"1.0.0\"\n"}},"record":"bastide 1\nmods a\nplayers red\n"}"#;
    let texts: Vec<(String, String)> = texts.into_iter().chain([(String::new(), small.to_owned())]).collect();
    let temp = tempfile::tempdir().unwrap();
    let mut n = 0;
    fuzz!(move |choices: &mut Choices<'_>| {
        let text = if choices.below(2) == 0 {
            let mut letters = choices.choose(&links).clone().into_bytes();
            while choices.has_bytes_left() {
                let at = choices.below(letters.len().max(1));
                let letter = *choices.choose(b"Ab0-_.#= \n/%");
                match choices.below(4) {
                    0 => letters.truncate(at),
                    1 => letters.insert(at.min(letters.len()), letter),
                    _ => letters.get_mut(at).into_iter().for_each(|it| *it = letter),
                }
            }
            String::from_utf8(letters).unwrap()
        } else {
            let text = &choices.choose(&texts).1;
            packed(&mutated(choices, text, &texts))
        };
        match Link::read(&text) {
            Err(refused) => assert!(!refused.message.is_empty() && refused.help.is_some()),
            Ok(link) => {
                assert!(Link::read(&link.text()).is_ok_and(|again| again == link));
                n += 1;
                let folder = temp.path().join(n.to_string());
                link.write_into(&folder).unwrap();
                let own: Vec<&str> = link.mods.iter().map(|package| package.id.as_str()).collect();
                let is_own = |name: &str| name == RECORD_FILE || own.contains(&name);
                let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
                let strange: Vec<_> = entries.filter(|name| !is_own(&name.to_string_lossy())).collect();
                assert!(strange.is_empty(), "{strange:?}");
                assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 1);
                fs::remove_dir_all(&folder).unwrap();
            }
        }
    });
}

/// Returns the text in a link.
fn unpacked(link: &str) -> String {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(link.strip_prefix("b1.").unwrap()).unwrap();
    let mut text = String::new();
    flate2::read::ZlibDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    text
}

/// Makes a link that contains this text.
fn packed(text: &str) -> String {
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(text.as_bytes()).unwrap();
    format!("b1.{}", BASE64_URL_SAFE_NO_PAD.encode(packer.finish().unwrap()))
}

#[test]
fn records() {
    let texts = texts_of(".game");
    let small = Path::new(env!("CARGO_MANIFEST_DIR")).join("mods");
    let library = Library::open(&[mods_folder(), small]);
    fuzz!(move |choices: &mut Choices<'_>| {
        let text = &choices.choose(&texts).1;
        let text = mutated(choices, text, &texts);
        let (record, problems) = Record::parse(&text);
        problems.iter().for_each(|problem| drop(problem.to_string()));
        // Records with errors are not played.
        if problems.iter().any(|problem| problem.severity == diagnostic::Severity::Error) {
            return;
        }
        let ids: Vec<String> = record.setup.mods.iter().map(|it| it.id.clone()).collect();
        let Some(loaded) = library.load(&ids).0 else { return };
        let Ok(settings) = loaded.settings_from(&record.setup.settings) else { return };
        let rules = std::rc::Rc::new(loaded.rules(settings).unwrap());
        let Ok(run) = record::replay(rules.clone(), &record, |_| {}) else { return };
        // A record that was played must replay to the same position, with two exceptions. The
        // record may end the game early, or an answer of the record may not fit; then the seed may
        // deal more.
        let asks_for_end = record.lines.iter().any(|line| matches!(line.entry, record::LogEntry::End));
        if asks_for_end || run.failures.iter().any(|failed| !failed.is_expectation) {
            return;
        }
        let (again, problems) = Record::parse(&record::record_text(&run.game));
        assert!(problems.is_empty(), "{problems:?}\n{text}");
        let again = record::replay(rules, &again, |_| {}).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let hash = |game: &rules::Game| record::state_hash(&game.rules().ruleset, game.state());
        assert!(again.failures.is_empty(), "{:?}\n{text}", again.failures);
        assert_eq!(hash(&again.game), hash(&run.game), "{text}");
    });
}

/// Changes, cuts, deletes and repairs files of the mods in play during a game. Afterwards the game
/// must continue with the same answers.
#[test]
fn changes_of_files() {
    let files: Vec<(String, String)> =
        ["mod.toml", "tiles.toml", "rules.rhai"].into_iter().flat_map(texts_of).collect();
    let files: Vec<(String, String)> =
        files.into_iter().filter(|(path, _)| path.contains("king-baron/") || path.contains("gold-mines/")).collect();
    let copied = Copied::new();
    files.iter().for_each(|(path, _)| drop(copied.copy_of(path)));
    let base = mods_folder().join("base");
    let library = Library::open(&[base, copied.folder("king-baron"), copied.folder("gold-mines")]);
    fuzz!(move |choices: &mut Choices<'_>| {
        let mut session = begin(&library, &["gold-mines", "king-baron"]);
        let kept = copied.folder("kept.game");
        let _ = fs::remove_file(&kept);
        sitting::save_into(&mut session, &kept);
        sitting::advance(&mut session, choices.below(80));
        session.save();
        let before = session.record_text();
        let mut is_whole = true;
        while choices.has_bytes_left() {
            let (path, text) = choices.choose(&files);
            let (_, file) = copied.copy_of(path);
            match choices.below(5) {
                0 => drop(fs::remove_file(&file)),
                1 => fs::write(&file, &text[..text.floor_char_boundary(choices.below(text.len()))]).unwrap(),
                2 => fs::write(&file, text).unwrap(),
                _ => fs::write(&file, mutated(choices, text, &files)).unwrap(),
            }
            let outcome = session.reload_mods();
            is_whole &= !matches!(outcome, ReloadOutcome::Changed(_));
            session.save();
            look_at(&session);
        }
        for (path, text) in &files {
            fs::write(copied.copy_of(path).1, text).unwrap();
        }
        session.reload_mods();
        session.save();
        // If the changed rules asked other questions, the record differs.
        if is_whole {
            assert_eq!(session.record_text(), before);
        }
        holds_the_line(&session, &kept);
        assert!(session.save_error().is_none(), "{:?}", session.save_error());
    });
}

/// Runs commands of the window in any order. After each series, the record must contain the current
/// branch.
#[test]
fn commands() {
    let temp = tempfile::tempdir().unwrap();
    let library = Library::open(&[mods_folder()]);
    let mut session = begin(&library, &["gold-mines", "king-baron"]);
    let mut n = 0;
    fuzz!(move |choices: &mut Choices<'_>| {
        n += 1;
        if n % 50 == 0 {
            session = begin(&library, &["gold-mines", "king-baron"]);
        }
        let kept = temp.path().join(format!("{n}.game"));
        session.delete_later_answers();
        sitting::save_into(&mut session, &kept);
        while choices.has_bytes_left() {
            let at = choices.below(session.steps().len() + 1);
            match choices.below(12) {
                0 => session.go_to(at),
                1 => session.undo_target().into_iter().for_each(|to| session.go_to(to)),
                2 => session.redo_target().into_iter().for_each(|to| session.go_to(to)),
                3 => session.undo_unconfirmed(),
                4 => session.delete_later_answers(),
                5 if !session.branches().is_empty() => {
                    let branch = choices.below(session.branches().len());
                    session.switch_to(branch).unwrap();
                }
                6 => session
                    .set_bot(Seat(choices.below(2) as u8), *choices.choose(&[None, Some("random"), Some("random")])),
                7 => {
                    assert!(matches!(session.reload_mods(), ReloadOutcome::Untouched | ReloadOutcome::Same));
                }
                8 => session.deal(),
                9 => {
                    let answers = session.view().answers();
                    if !answers.is_empty() {
                        session.answer(*choices.choose(&answers)).unwrap();
                    }
                }
                _ => {
                    session.advance();
                }
            }
            session.save();
            look_at(&session);
            assert!(!matches!(session.awaited_actor(), AwaitedActor::Mod), "{:?}", session.view().fault());
        }
        holds_the_line(&session, &kept);
        fs::remove_file(&kept).unwrap();
    });
}

/// Checks that the record of a game contains its current branch. The record may also contain the
/// placement of a tile that was picked up before its placement was confirmed.
fn holds_the_line(session: &Session, kept: &Path) {
    let (record, problems) = Record::parse(&fs::read_to_string(kept).unwrap());
    assert!(problems.is_empty(), "{problems:?}");
    let mut answers: Vec<&str> = Vec::new();
    for line in &record.lines {
        match &line.entry {
            record::LogEntry::Answer(text) => answers.push(text),
            record::LogEntry::Back(n) => answers.truncate(answers.len() - n),
            _ => {}
        }
    }
    let line: Vec<&str> = session.steps().iter().map(|step| step.text.as_str()).collect();
    assert!(answers.starts_with(&line), "{answers:?}\n{line:?}");
}
