//! Puzzles: found in a game, copied as links, opened, answered.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::common::*;
use editor::{Action, LinkAction, PuzzleAction, PuzzleStage, StartOptions};
use egui::OutputCommand;
use egui_kittest::kittest::Queryable as _;
use table::{Answer, Library, Session, Snapshot, open_record};
use testkit::{CopiedMod, mods_folder};
use workshop::link::Link;
use workshop::puzzle::{Solution, setup_for, solve};

/// The time limit for searches on a busy machine.
const LONG: Duration = Duration::from_secs(60);

fn act(window: &mut Window, action: Action) {
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
    window.run_steps(5);
}

fn is_shown(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

/// Returns the record of a game between greedy bots after fourteen turns, with a tile to place.
fn record(folder: &Path) -> String {
    let file = folder.join("begin.game");
    let begin = "bastide 1\nmods base\nplayers red blue\nbot red greedy\nbot blue greedy\nseed 7\n";
    fs::write(&file, begin).unwrap();
    let mut session = open_record(&Library::open(&[mods_folder()]), &file).unwrap().session;
    while session.turn() < 14 || session.view().tile_to_place().is_none() {
        assert!(session.advance());
    }
    session.record_text()
}

fn opened(folder: &Path, record: &str) -> Session {
    let file = folder.join("solved.game");
    fs::write(&file, record).unwrap();
    open_record(&Library::open(&[mods_folder()]), &file).unwrap().session
}

fn solution(session: &Session) -> Solution {
    solve(session.game(), None, || true).unwrap().unwrap()
}

/// Returns the link of a puzzle at the end of a record, with this solution.
fn link(session: &Session, answers: &[String]) -> Link {
    let table::AwaitedActor::Bot(seat) = session.awaited_actor() else { panic!("a bot is asked") };
    let record = session
        .record_text_until(&setup_for(session.loaded().catalogue(), session.setup(), seat), session.position_index());
    Link::of_game(session.loaded(), record).unwrap().with_solution(answers.to_vec())
}

fn start(base: &CopiedMod, data: &Path) -> StartOptions {
    StartOptions { mods: Some(vec![base.library().to_owned()]), data: Some(data.to_owned()), ..game(&["base"], 2, 0) }
}

/// Lists the places where the tile fits, as texts of a record.
fn places(session: &Snapshot) -> Vec<String> {
    let text =
        |it: &table::Placement| format!("place {},{} {}", it.spot.x, it.spot.y, 90 * u32::from(it.facing.quarters()));
    session.view().places().iter().map(text).collect()
}

/// Submits answers to a puzzle and waits until they are judged.
fn answer(window: &mut Window, answers: &[String]) -> PuzzleStage {
    for text in answers {
        let view = session(window).view();
        let place = view.places().into_iter().map(Answer::Place).zip(places(session(window)));
        let places = place.filter(|(_, place)| place == text).map(|(answer, _)| answer);
        let options = view.option_views();
        let others = options.iter().filter(|option| option.text == *text).map(|option| option.answer);
        let option = places.chain(others).next();
        act(window, Action::Answer(option.unwrap_or_else(|| panic!("{text} is not offered"))));
    }
    wait_long_until(window, "the answer is judged", LONG, |app| {
        matches!(app.puzzle().unwrap().stage(), PuzzleStage::Judged(..))
    });
    app(window).puzzle().unwrap().stage()
}

#[test]
fn a_puzzle_is_opened_answered_wrong_and_right_and_left() {
    let (base, temp) = (CopiedMod::of("base"), tempfile::tempdir().unwrap());
    let theirs = opened(temp.path(), &record(temp.path()));
    let solved = solution(&theirs);
    let best = solved.best().unwrap().clone();
    let worst = solved.judged.last().unwrap().clone();
    assert!(worst.behind > 0.0);
    let data = temp.path().join("data");
    let mut window = open(start(&base, &data), 1280.0, 800.0);
    press(&mut window, egui::Key::PageDown);
    press(&mut window, egui::Key::Enter);
    let mine = session(&window).record_text();
    let games = || fs::read_dir(data.join("games")).unwrap().count();
    let n_games = games();
    let text = link(&theirs, &best.answers).text();
    act(&mut window, Action::Link(LinkAction::LookAt(text)));
    assert!(is_shown(&window, "A puzzle with base"));
    click(&mut window, "Open it");
    window.run_steps(5);
    let begin = session(&window).position_index();
    assert_eq!(begin, theirs.position_index());
    assert!(is_shown(&window, "Find the one best move"));
    let PuzzleStage::Judged(given, other) = answer(&mut window, &worst.answers) else { panic!("it is judged") };
    assert_eq!((given.answers, other.answers.clone()), (worst.answers.clone(), best.answers.clone()));
    assert!(is_shown(&window, "Not the best move"));
    // The next draw is not revealed, and no bot moves.
    assert_eq!(session(&window).position_index(), begin + worst.answers.len());
    click(&mut window, "Try again");
    assert_eq!(session(&window).position_index(), begin);
    assert_eq!(app(&window).puzzle().unwrap().stage(), PuzzleStage::Open);
    let PuzzleStage::Judged(given, _) = answer(&mut window, &best.answers) else { panic!("it is judged") };
    assert_eq!(given.behind, 0.0);
    assert!(is_shown(&window, "Solved: no move is better"));
    click(&mut window, "Show the solution");
    window.run_steps(5);
    assert!(is_shown(&window, "The solution: "));
    let line: Vec<String> = session(&window).steps()[begin..].iter().map(|step| step.text.clone()).collect();
    assert_eq!(line, best.answers);
    // The puzzle leaves the user's own games untouched.
    assert_eq!(games(), n_games);
    click(&mut window, "Return to my game");
    window.run_steps(5);
    assert!(app(&window).puzzle().is_none());
    assert_eq!(session(&window).record_text(), mine);
}

#[test]
fn a_puzzle_that_cannot_be_what_it_was_says_so() {
    let (base, temp) = (CopiedMod::of("base"), tempfile::tempdir().unwrap());
    let theirs = opened(temp.path(), &record(temp.path()));
    let told = |window: &Window, text: &str| {
        let told: Vec<&str> = app(window).notifications().items().iter().map(|it| it.text.as_str()).collect();
        assert!(told.iter().any(|it| it.contains(text)), "{told:?}");
    };
    let follow = |base: &CopiedMod, data: &str, link: Link| {
        let mut window = open(start(base, &temp.path().join(data)), 1280.0, 800.0);
        act(&mut window, Action::Link(LinkAction::Open(Box::new(link))));
        window
    };
    // The link claims that another answer is best.
    let first = places(&theirs)[0].clone();
    let claimed = link(&theirs, &[first, "pass".to_owned()]);
    let mut window = follow(&base, "a", claimed.clone());
    wait_long_until(&mut window, "it is solved", LONG, |app| app.puzzle().unwrap().is_solved());
    assert!(is_shown(&window, "is not clearly the best"));
    // No player is to move at the end of this record.
    let text = "bastide 1\nmods base\nplayers red blue\nbot red greedy\nbot blue greedy\nseed 7\n";
    let window = follow(&base, "b", Link { record: text.to_owned(), ..claimed.clone() });
    told(&window, "no player is to move at its end");
    assert!(app(&window).puzzle().is_none());
    // With these different mods the game takes another course.
    base.edit(
        "tiles.toml",
        "K = { count = 3, city = \"n\", road = \"s-w\" }",
        "K = { count = 3, city = [\"n\", \"e\", \"s\", \"w\"] }",
    );
    let window = follow(&base, "c", claimed);
    let is_told = app(&window).notifications().items().iter().any(|it| it.text.contains("made with other mods"));
    assert!(is_told, "{:?}", app(&window).notifications().items());
}

#[test]
fn puzzles_of_a_game_are_found_in_the_window_and_copied() {
    let (base, temp) = (CopiedMod::of("base"), tempfile::tempdir().unwrap());
    let file = temp.path().join("theirs.game");
    fs::write(&file, record(temp.path())).unwrap();
    let mut window = open(start(&base, &temp.path().join("data")), 1280.0, 800.0);
    act(&mut window, Action::Open(file));
    act(&mut window, Action::Command(editor::Command::Puzzles));
    assert!(is_shown(&window, "Find puzzles"));
    click(&mut window, "Find puzzles");
    wait_long_until(&mut window, "the search for puzzles", LONG, |app| app.n_puzzles().is_some());
    assert!(app(&window).n_puzzles() > Some(0));
    assert!(is_shown(&window, "points ahead of the next best"));
    window.get_all_by_label("Copy puzzle link").next().unwrap().click();
    window.run_steps(1);
    let copied = window.output().platform_output.commands.iter().find_map(|command| match command {
        OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let link = Link::read(&copied.expect("a text is copied")).unwrap();
    assert!(link.mods.is_empty() && link.solution.is_some());
    act(&mut window, Action::Puzzle(PuzzleAction::Leave));
}
