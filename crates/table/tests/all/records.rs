//! Tests of records on disk: each file has one writer, is repaired after any failure, and never
//! loses answers or leaves stray files.

use std::fs;
use std::path::Path;

use table::{Library, RecordFile, ReloadOutcome, SaveError, Session, Setup, begin_game, open_record};
use testkit::mods_folder;

use crate::common::*;

const HEADER: &str = "bastide 1\nmods base\nplayers red blue\n\n";

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap()
}

/// Plays some answers of a game for two persons, and saves the game in `file`.
fn kept(library: &Library, file: &Path) -> Session {
    let mut session = begin(library, 0);
    session.save_to(RecordFile::planned(file.to_owned()));
    play(&mut session, 6);
    session
}

fn reopened(library: &Library, file: &Path) -> Vec<String> {
    let opened = open_record(library, file).unwrap();
    assert_eq!(opened.warnings, [] as [String; 0]);
    texts(&opened.session)
}

#[test]
fn a_record_has_one_writer() {
    let temp = tempfile::tempdir().unwrap();
    let (file, library) = (temp.path().join("a.game"), Library::open(&[mods_folder()]));
    let mut session = kept(&library, &file);
    assert!(matches!(RecordFile::open(&file), Err(SaveError::InUse(path)) if path == file));
    // The header changes, so the record is written as a new file, which is locked too.
    session.set_bot(table::Seat(0), Some("random"));
    session.save();
    assert!(matches!(RecordFile::open(&file), Err(SaveError::InUse(_))));
    assert_eq!(RecordFile::unused_path(&file), temp.path().join("a.1.game"));
    drop(session);
    let mut record = RecordFile::open(&file).unwrap();
    let header = read(&file).split_inclusive("\n\n").next().unwrap().to_owned();
    let before = read(&file);
    record.write(&header, &reopened(&library, &file)).unwrap();
    assert!(read(&file).starts_with(&before), "what it says already is not written again");
}

#[test]
fn a_game_in_which_nobody_has_answered_leaves_no_file() {
    let temp = tempfile::tempdir().unwrap();
    let (file, library) = (temp.path().join("a.game"), Library::open(&[mods_folder()]));
    let mut session = begin(&library, 0);
    session.save_to(RecordFile::planned(file.clone()));
    session.save();
    assert!(!session.steps().is_empty() && !file.exists(), "only chance has answered");
    play(&mut session, 1);
    assert!(texts(&session).starts_with(&reopened(&library, &file)[..2]));
}

#[test]
fn a_torn_line_goes_when_the_next_one_comes() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("a.game");
    fs::write(&file, format!("{HEADER}draw base/K\nplace 0,-1 90\npas")).unwrap();
    let mut record = RecordFile::open(&file).unwrap();
    record.write(HEADER, &["draw base/K", "place 0,-1 90", "pass"]).unwrap();
    assert_eq!(read(&file), format!("{HEADER}draw base/K\nplace 0,-1 90\npass\n"));
    record.write(HEADER, &["draw base/K", "place 0,1 0"]).unwrap();
    assert_eq!(read(&file), format!("{HEADER}draw base/K\nplace 0,-1 90\npass\nback 2\nplace 0,1 0\n"));
    drop(record);
    let mut record = RecordFile::open(&file).unwrap();
    record.write(HEADER, &["draw base/K", "place 0,1 0", "pass"]).unwrap();
    assert!(read(&file).ends_with("back 2\nplace 0,1 0\npass\n"));
}

#[test]
fn a_record_never_becomes_longer_than_what_is_read() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("a.game");
    let mut record = RecordFile::create(&file, HEADER).unwrap();
    let answer = format!("choose {}", "x".repeat(1000));
    let long = |n: usize| vec![answer.as_str(); n];
    let n = loader::MAX_RECORD_BYTES as usize / 1009;
    record.write(HEADER, &long(n)).unwrap();
    let whole = read(&file);
    assert!(matches!(record.write(HEADER, &long(n + 5)), Err(SaveError::TooLong(_))));
    assert_eq!(read(&file), whole, "it can still be read as it was");
    // Undone answers use space in the file until the session rewrites it.
    for _ in 0..9 {
        record.write(HEADER, &long(n - 1)).unwrap();
        record.write(HEADER, &long(n)).unwrap();
    }
    assert!(read(&file).len() as u64 <= loader::MAX_RECORD_BYTES && read(&file).starts_with(&whole));
    drop(record);
    RecordFile::open(&file).unwrap().write(HEADER, &long(n - 9)).unwrap();
}

#[test]
fn a_file_that_was_deleted_is_written_again_as_a_whole() {
    let temp = tempfile::tempdir().unwrap();
    let (folder, library) = (temp.path().join("games"), Library::open(&[mods_folder()]));
    fs::create_dir(&folder).unwrap();
    let file = folder.join("a.game");
    let mut session = kept(&library, &file);
    fs::remove_dir_all(&folder).unwrap();
    play(&mut session, 2);
    let error = session.save_error().unwrap().to_string();
    assert!(error.contains("a.game") && error.contains("cannot be saved"), "{error}");
    fs::create_dir(&folder).unwrap();
    play(&mut session, 1);
    assert_eq!(session.save_error(), None);
    assert!(reopened(&library, &file).starts_with(&texts(&session)));
}

#[test]
fn the_file_of_somebody_else_is_not_written_to() {
    let temp = tempfile::tempdir().unwrap();
    let (file, library) = (temp.path().join("a.game"), Library::open(&[mods_folder()]));
    let mut session = kept(&library, &file);
    // Replaces the file by renaming a new file, as many text editors do.
    fs::write(temp.path().join("new"), "mine\n").unwrap();
    fs::rename(temp.path().join("new"), &file).unwrap();
    play(&mut session, 2);
    assert_eq!((session.save_error(), read(&file)), (None, "mine\n".to_owned()));
    assert!(reopened(&library, &temp.path().join("a.1.game")).starts_with(&texts(&session)));
    // The session also does not overwrite a line that another program has added.
    let beside = temp.path().join("a.1.game");
    fs::write(&beside, read(&beside) + "# look at this\n").unwrap();
    play(&mut session, 1);
    assert!(read(&beside).ends_with("# look at this\n"));
    assert!(reopened(&library, &temp.path().join("a.1.1.game")).starts_with(&texts(&session)));
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_to_is_told() {
    use std::os::unix::fs::PermissionsExt as _;
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join("games");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    let may_write = fs::write(folder.join("x"), "").is_ok();
    let created = RecordFile::create(&folder.join("a.game"), HEADER);
    // An administrator may write even to a read-only folder.
    assert_eq!(created.is_ok(), may_write, "{created:?}");
    assert!(RecordFile::create(&temp.path().join("nowhere/a.game"), HEADER).is_err());
}

#[test]
fn a_setting_chosen_at_the_table_survives_a_passing_edit() {
    let (base, library) = copy_of_base();
    let file = base.library().join("a.game");
    let chosen = vec![("base.small_city".to_owned(), "4".to_owned())];
    let setup = Setup { seed: Some(3), settings: chosen.clone(), ..Setup::of(&["base"], 2) };
    let mut session = begin_game(&library, setup).unwrap();
    session.save_to(RecordFile::planned(file.clone()));
    play(&mut session, 6);
    let value = |session: &Session| {
        let all = session.settings();
        all.iter().find(|(setting, _)| setting.name == "base.small_city").unwrap().1.to_string()
    };
    assert_eq!(value(&session), "4");
    base.edit("mod.toml", "choices = [2, 4]", "choices = [2, 5]");
    let ReloadOutcome::Changed(summary) = session.reload_mods() else { panic!("4 is no choice any more") };
    assert!(summary.contains("`base.small_city = 4` is not in force"), "{summary}");
    assert_eq!((value(&session), &session.setup().settings), ("2".to_owned(), &chosen));
    session.save();
    // The record can also be opened while the mods refuse the setting.
    let opened = open_record(&library, &file).unwrap();
    assert!(
        opened.warnings.iter().any(|w| w.contains("`base.small_city = 4` is not in force")),
        "{:?}",
        opened.warnings
    );
    base.edit("mod.toml", "choices = [2, 5]", "choices = [2, 4]");
    let ReloadOutcome::Changed(summary) = session.reload_mods() else { panic!("4 is a choice again") };
    assert!(summary.contains("base.small_city is 4 again"), "{summary}");
    assert_eq!(value(&session), "4");
    session.save();
    assert!(read(&file).contains("\nset base.small_city 4\n"));
}
