//! Stored games: a window continues the newest one, a second window starts its own, and a window
//! without an answer leaves no file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::*;
use editor::{Action, Command, CorpusAction, StartOptions, TestAction, Tone};
use egui::Key;
use egui_kittest::kittest::Queryable as _;

fn start(data: &Path) -> StartOptions {
    StartOptions { data: Some(data.to_owned()), setup: None, ..game(&["base"], 2, 0) }
}

/// Plays a few moves in a window; returns their answers and the file of the game.
fn played(data: &Path) -> (Vec<String>, PathBuf) {
    let mut window = open(StartOptions { setup: game(&["base"], 2, 0).setup, ..start(data) }, 1400.0, 900.0);
    for _ in 0..3 {
        let key = if asks_for_piece(session(&window)) { Key::Space } else { Key::Enter };
        press(&mut window, key);
    }
    (texts(&window), session(&window).save_location().unwrap().path.clone())
}

fn texts(window: &Window) -> Vec<String> {
    session(window).steps().iter().map(|step| step.text.clone()).collect()
}

fn told(window: &Window, words: &str) -> bool {
    app(window).notifications().items().iter().any(|item| item.text.contains(words))
}

fn records(data: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(data.join("games")).into_iter().flatten().flatten();
    entries.map(|e| e.path()).filter(|path| path.is_file()).collect()
}

#[test]
fn the_newest_game_is_gone_on_with_in_its_own_file() {
    let data = tempfile::tempdir().unwrap();
    let (line, file) = played(data.path());
    // The window finds the last game by its record alone, and skips files that are not records.
    fs::remove_file(data.path().join("settings.json")).unwrap();
    fs::write(data.path().join("games/empty.game"), "").unwrap();
    fs::write(data.path().join("games/torn.game"), "basti").unwrap();
    let mut window = open(start(data.path()), 1400.0, 900.0);
    assert_eq!(texts(&window), line);
    assert!(told(&window, "continuing your last game") && told(&window, "torn.game"));
    assert_eq!(session(&window).save_location().unwrap().path, file);
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    let kept = fs::read_to_string(&file).unwrap();
    assert!(texts(&window).len() > line.len() && texts(&window).iter().all(|text| kept.contains(text)));
}

#[test]
fn paused_bots_stay_paused_in_the_next_run() {
    let data = tempfile::tempdir().unwrap();
    let mut window = open(StartOptions { setup: game(&["base"], 2, 2).setup, ..start(data.path()) }, 1400.0, 900.0);
    press(&mut window, Key::P);
    let line = texts(&window);
    drop(window);
    let mut window = open(start(data.path()), 1400.0, 900.0);
    window.run_steps(10);
    assert!(!line.is_empty() && !session(&window).view().is_over());
    assert_eq!(texts(&window), line);
    press(&mut window, Key::P);
    window.run_steps(10);
    assert!(texts(&window).len() > line.len());
    press(&mut window, Key::P);
    drop(window);
    // The bots of a new game move at once.
    let window = open(StartOptions { setup: game(&["base"], 2, 2).setup, ..start(data.path()) }, 1400.0, 900.0);
    assert!(texts(&window).len() > 2);
}

#[test]
fn a_record_that_does_not_fit_says_where_the_game_stops() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("odd.game");
    let record = "bastide 1\nmods base\nplayers red blue\nseed 7\ndraw base/K\nplace 99,99 0\npass\n";
    fs::write(&file, record).unwrap();
    let is_said = |window: &Window| {
        let last = app(window).notifications().last().unwrap();
        assert!(last.text.starts_with("the game stops before line 6 of the record: "), "{last:?}");
        assert!(!told(window, "odd.game:6"), "the reason is given once");
    };
    let mut window = open(StartOptions { open: Some(file.clone()), ..start(&data.path().join("data")) }, 1400.0, 900.0);
    is_said(&window);
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), Action::Open(file));
    window.run_steps(4);
    is_said(&window);
    // The status line has room for the beginning, and its tooltip shows the whole text.
    let text = app(&window).notifications().last().unwrap().text.clone();
    window.query_all_by_label_contains("the game stops before line 6").next().unwrap().hover();
    window.run_steps(30);
    let reason = text.lines().last().unwrap();
    assert!(window.query_all_by_label_contains(reason).next().is_some());
}

#[test]
fn recent_games_have_a_picture_of_their_board() {
    let data = tempfile::tempdir().unwrap();
    let (_, file) = played(data.path());
    let name = file.file_stem().unwrap().to_str().unwrap();
    let preview = data.path().join("boards").join(format!("{name}.png"));
    let mut window = open(start(data.path()), 1400.0, 900.0);
    wait_until(&mut window, "the picture", |_| preview.is_file());
    let picture = image::open(&preview).unwrap().into_rgb8();
    assert!(picture.width() <= 144 && picture.height() <= 96, "{:?}", picture.dimensions());
    let colours: std::collections::BTreeSet<[u8; 3]> = picture.pixels().map(|pixel| pixel.0).collect();
    assert!(colours.len() > 50, "the tiles have many colours");
    assert_eq!(app(&window).settings.games[0].preview.as_ref(), Some(&preview));
    click(&mut window, "Game");
    click(&mut window, "Open recent");
    assert!(window.query_all_by_label_contains("Base game · red, blue").next().is_some());
}

#[test]
fn without_a_folder_for_games_it_is_said_at_once_and_kept_as_soon_as_there_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let (in_the_way, data) = (folder.path().join("no folder"), folder.path().join("no folder/data"));
    fs::write(&in_the_way, "").unwrap();
    let mut window = open(start(&data), 1400.0, 900.0);
    assert!(told(&window, "the game cannot be saved in") && told(&window, "settings and drafts cannot be saved"));
    let told_last = app(&window).notifications().items().last().unwrap();
    let (news, _) = app(&window).notifications().current(told_last.at).unwrap();
    assert!(news.tone == Tone::Bad && news.text.contains("Bastide tries"), "{news:?}");
    window.get_by_label("not saved").hover();
    window.run_steps(30);
    let reason = session(&window).save_error().unwrap().to_string();
    window.get_by_label(&reason);
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    assert!(session(&window).save_error().is_some());
    fs::remove_file(&in_the_way).unwrap();
    press(&mut window, Key::Enter);
    press(&mut window, Key::Space);
    assert!(told(&window, "saving works again") && window.query_by_label("not saved").is_none());
    let kept = fs::read_to_string(&session(&window).save_location().unwrap().path).unwrap();
    assert!(texts(&window).len() >= 3 && texts(&window).iter().all(|text| kept.contains(text)));
}

#[test]
fn a_window_in_which_nobody_plays_leaves_nothing() {
    let data = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        let window = open(start(data.path()), 1400.0, 900.0);
        assert!(session(&window).save_location().is_some());
    }
    assert_eq!(records(data.path()), [] as [PathBuf; 0]);
    assert!(!data.path().join("opening").exists());
}

#[test]
fn a_second_window_begins_a_game_of_its_own() {
    let data = tempfile::tempdir().unwrap();
    let (line, file) = played(data.path());
    let first = open(start(data.path()), 1400.0, 900.0);
    assert_eq!(texts(&first), line);
    let mut second = open(start(data.path()), 1400.0, 900.0);
    assert!(told(&second, "is open in another window"), "{:?}", app(&second).notifications());
    assert_ne!(session(&second).save_location().unwrap().path, file);
    let before = fs::read_to_string(&file).unwrap();
    press(&mut second, Key::Enter);
    press(&mut second, Key::Enter);
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    assert_eq!(records(data.path()).len(), 2);
}

#[test]
fn a_game_whose_opening_ended_the_program_is_set_aside() {
    let data = tempfile::tempdir().unwrap();
    let (line, file) = played(data.path());
    let mark = data.path().join("opening");
    // If another process has opened the record without a crash, the record is not the cause.
    fs::write(&mark, file.to_string_lossy().as_bytes()).unwrap();
    let window = open(StartOptions { survives: Some(|_| true), ..start(data.path()) }, 1400.0, 900.0);
    assert_eq!(texts(&window), line);
    assert!(!mark.exists(), "the game is open");
    drop(window);
    fs::write(&mark, file.to_string_lossy().as_bytes()).unwrap();
    let window = open(StartOptions { survives: Some(|_| false), ..start(data.path()) }, 1400.0, 900.0);
    assert!(told(&window, "made the program stop") && told(&window, "set-aside"), "{:?}", app(&window).notifications());
    assert!(!session(&window).is_worth_saving() && !file.exists());
    let aside = data.path().join("games/set-aside").join(file.file_name().unwrap());
    drop(window);
    // The record can still be opened on request.
    let window = open(StartOptions { open: Some(aside), ..start(data.path()) }, 1400.0, 900.0);
    assert_eq!(texts(&window), line);
}

#[test]
fn a_new_game_that_ended_the_program_is_not_begun_again() {
    let data = tempfile::tempdir().unwrap();
    let last = "{\"last_game\": {\"mods\": [\"inns-cathedrals\"], \"players\": [[\"red\", null], [\"blue\", null]]}}";
    fs::write(data.path().join("settings.json"), last).unwrap();
    let window = open(start(data.path()), 1400.0, 900.0);
    assert_eq!(session(&window).view().mods().len(), 2);
    drop(window);
    fs::write(data.path().join("opening"), "a new game").unwrap();
    let window = open(start(data.path()), 1400.0, 900.0);
    assert!(told(&window, "your last game could not be started"), "{:?}", app(&window).notifications());
    assert_eq!(session(&window).view().mods().len(), 1);
}

#[test]
fn a_record_is_called_after_its_game_and_opening_it_makes_no_copy() {
    let data = tempfile::tempdir().unwrap();
    let (line, file) = played(data.path());
    let name = file.file_stem().unwrap().to_string_lossy().into_owned();
    assert!(name.starts_with("20") && name.ends_with(" base red-blue"), "{name}");
    // The first game is opened again from another game.
    let mut window = open(StartOptions { setup: game(&["base"], 3, 0).setup, ..start(data.path()) }, 1400.0, 900.0);
    for _ in 0..2 {
        press(&mut window, Key::Enter);
    }
    assert_eq!(records(data.path()).len(), 2);
    click(&mut window, "Game");
    click(&mut window, "Open recent");
    let about = "Base game · red, blue · ";
    window.query_all_by_label_contains(about).next().expect("the game in the list").click();
    window.run_steps(4);
    assert_eq!((texts(&window), session(&window).save_location().map(|kept| kept.path.clone())), (line, Some(file)));
    assert_eq!(records(data.path()).len(), 2);
    // A file from elsewhere stays as it is; continuing its game creates a record.
    let other = data.path().join("other.game");
    fs::copy(&session(&window).save_location().unwrap().path, &other).unwrap();
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), Action::Open(other.clone()));
    window.run_steps(4);
    assert_eq!((records(data.path()).len(), session(&window).save_location()), (2, None));
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    assert_eq!(records(data.path()).len(), 3);
}

#[test]
fn branches_come_back_with_their_game() {
    let data = tempfile::tempdir().unwrap();
    let mut window = open(StartOptions { setup: game(&["base"], 2, 0).setup, ..start(data.path()) }, 1400.0, 900.0);
    while session(&window).turn() < 5 {
        let key = if asks_for_piece(session(&window)) { Key::Space } else { Key::Enter };
        press(&mut window, key);
    }
    let left = texts(&window);
    press(&mut window, Key::Home);
    for key in [Key::ArrowRight, Key::ArrowRight] {
        press(&mut window, key);
    }
    while !matches!(session(&window).awaited_actor(), table::AwaitedActor::Person(_)) {
        press_with(&mut window, egui::Modifiers::COMMAND, Key::ArrowRight);
    }
    press(&mut window, Key::PageUp);
    press(&mut window, Key::Enter);
    assert_eq!(session(&window).branches().len(), 1);
    let (line, file) = (texts(&window), session(&window).save_location().unwrap().path.clone());
    drop(window);
    let mut window = open(StartOptions { open: Some(file), ..start(data.path()) }, 1400.0, 900.0);
    assert_eq!(texts(&window), line);
    assert_eq!(session(&window).branches().len(), 1, "the other branch of the game is stored");
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), Action::SwitchTo(0));
    window.run_steps(4);
    assert!(texts(&window).starts_with(&left) || left.starts_with(&texts(&window)), "{:?}", texts(&window));
}

#[test]
fn a_game_that_was_left_for_a_test_is_gone_back_to() {
    let data = tempfile::tempdir().unwrap();
    let (line, file) = played(data.path());
    let mut window = open(start(data.path()), 1400.0, 900.0);
    let command = |window: &mut Window, command| {
        window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), command);
        window.run_steps(4);
    };
    command(&mut window, Command::Tests);
    wait_until(&mut window, "the tests", |app| !app.tests().tests().is_empty());
    let test = Box::new(app(&window).tests().tests()[0].clone());
    let look = Action::Tests(TestAction::OpenAt(test, 3));
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), look);
    wait_until(&mut window, "the test", |app| app.snapshot().save_location().is_none());
    assert!(window.query_by_label("Return to my game").is_some(), "the button to return is visible");
    command(&mut window, Command::BackToGame);
    wait_until(&mut window, "the game", |app| app.snapshot().save_location().is_some_and(|kept| kept.path == file));
    assert_eq!(texts(&window), line);
}

fn act(window: &mut Window, action: Action) {
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
    window.run_steps(3);
}

/// The records of a folder are replayed again after a change of the rules, and a changed one opens
/// at its first difference.
#[test]
fn the_records_of_a_folder_show_what_a_new_rule_changes() {
    let temp = tempfile::tempdir().unwrap();
    let base = testkit::CopiedMod::of("base");
    let folder = temp.path().join("games");
    fs::create_dir_all(folder.join("below")).unwrap();
    let begin =
        |bots: &str| format!("bastide 1\nmods base\nplayers red blue\nbot red {bots}\nbot blue {bots}\nseed 7\n");
    let library = table::Library::open(&[base.library().to_owned()]);
    for (name, n_turns) in [("long.game", 200), ("below/short.game", 6)] {
        let file = folder.join(name);
        fs::write(&file, begin("greedy")).unwrap();
        let mut session = table::open_record(&library, &file).unwrap().session;
        while session.turn() < n_turns && session.advance() {}
        fs::write(&file, session.record_text()).unwrap();
    }
    fs::write(folder.join("torn.game"), "basti").unwrap();
    let options = StartOptions { mods: Some(vec![base.library().to_owned()]), ..game(&["base"], 2, 0) };
    let mut window = open(options, 1400.0, 900.0);
    act(&mut window, Action::Corpus(CorpusAction::Replay(folder.clone())));
    wait_until(&mut window, "the records", |app| app.corpus_totals().is_some());
    let totals = app(&window).corpus_totals().unwrap();
    assert_eq!((totals.n_same, totals.n_changed, totals.n_failed), (2, 0, 1));
    assert!(window.query_all_by_label_contains("3 records: 2 replayed, 1 failed").next().is_some());

    base.edit("mod.toml", "2 * tiles", "3 * tiles");
    act(&mut window, Action::Command(Command::Reload));
    act(&mut window, Action::Corpus(CorpusAction::Replay(folder.clone())));
    wait_until(&mut window, "the changed records", |app| app.corpus_totals().is_some_and(|it| it.n_changed > 0));
    let totals = app(&window).corpus_totals().unwrap();
    assert_eq!((totals.n_changed, totals.n_failed), (1, 1), "the short game has no finished city");
    assert!(window.query_all_by_label_contains("; were").next().is_some());
    window.get_by_label_contains("long.game").click();
    window.run_steps(6);
    assert!(told(&window, "opened") && session(&window).steps().len() > 100);

    let empty = temp.path().join("empty");
    fs::create_dir(&empty).unwrap();
    act(&mut window, Action::Corpus(CorpusAction::Replay(empty)));
    window.run_steps(20);
    assert!(window.query_all_by_label_contains("has no records").next().is_some());
}
