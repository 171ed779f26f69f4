use std::cell::RefCell;
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use ::book::BookForm;
use egui::Context;
use paper::PrintOptions;
use platform::fs;
use platform::time::Duration;
use playtest::{Note, Playtest};
use table::Library;
use testkit::CopiedMod;
use workshop::ConfiguredMods;
use workshop::balance::{
    BalancePlan, BalanceSnapshot, ComparedRules, ExampleGame, GameResult, PLAYERS, ShownRules, Subject,
};
use workshop::checker::CheckRequest;

use super::*;

type Done<J> = (Vec<<J as Job>::Report>, Result<<J as Job>::Output, ShownError>);

/// Runs a job in this process.
fn here<J: Job>(job: J) -> Done<J> {
    let reports = RefCell::new(Vec::new());
    let made = job.run(&Reporter { send: &|report| reports.borrow_mut().push(report), is_wanted: &|| true });
    (reports.into_inner(), made)
}

/// Runs a job as a worker of the page runs it.
fn in_worker<J: Job>(job: J) -> Done<J> {
    let (reports, ended) = (RefCell::new(Vec::new()), RefCell::new(None));
    let text = match text_for_worker(job) {
        Ok(text) => text,
        Err(error) => return (Vec::new(), Err(error)),
    };
    let send = |bytes: &[u8]| {
        assert!(ended.borrow().is_none(), "the job has ended");
        match read_event::<J>(bytes) {
            JobEvent::Report(report) => reports.borrow_mut().push(report),
            JobEvent::Ended(made) => drop(ended.replace(Some(made))),
        }
    };
    run_in_worker(&text, |_, _| {}, &send);
    (reports.into_inner(), ended.into_inner().unwrap())
}

/// Runs a job in this process and as a worker, and returns the result, which is the same.
fn both<J: Job<Output: PartialEq + Debug, Report: PartialEq + Debug>>(job: impl Fn() -> J) -> Done<J> {
    let (here, there) = (here(job()), in_worker(job()));
    assert_eq!(here, there);
    there
}

fn base() -> ConfiguredMods {
    ConfiguredMods::load(&Library::builtin(), &["base".to_owned()], &[]).unwrap()
}

fn game(lines: &str) -> RecordedGame {
    let record = format!("bastide 1\nmods base\nplayers red blue\nseed 7\n{lines}");
    RecordedGame { mods: base(), record }
}

/// Sends reports until it is cancelled, then says so.
struct EndlessJob(Sender<()>);

impl From<EndlessJob> for SentJob {
    fn from(_: EndlessJob) -> SentJob {
        unreachable!("it runs on a thread")
    }
}

impl Job for EndlessJob {
    type Report = u32;
    type Output = ();

    const NAME: &'static str = "endless";

    fn run(self, reporter: &Reporter<'_, u32>) -> Result<(), ShownError> {
        for i in 0.. {
            if !reporter.is_wanted() {
                break;
            }
            reporter.send(i);
        }
        let _ = self.0.send(());
        Ok(())
    }
}

#[test]
fn a_job_that_is_no_longer_wanted_stops_and_its_result_is_dropped() {
    let (say, ended) = channel();
    let (written, writes) = channel();
    let job = JobHandle::start_then(&Context::default(), EndlessJob(say), move |()| Ok(written.send(())?));
    let mut reports = Vec::new();
    while reports.len() < 3 {
        assert_eq!(job.poll(|report| reports.push(report)), None);
    }
    assert_eq!(reports[..3], [0, 1, 2]);
    assert!(ended.try_recv().is_err());
    drop(job);
    let long = Duration::from_secs(20);
    assert_eq!(ended.recv_timeout(long), Ok(()));
    assert!(writes.recv_timeout(long).is_err(), "`finish` has not run");
}

#[test]
fn a_job_ends_with_its_result() {
    let ctx = Context::default();
    let drawn = |kind| PictureJob { game: game("\ndraw base/E\nplace 0,-1 180\npass\n"), kind, palette: None };
    let job = JobHandle::start_then(&ctx, drawn(PictureKind::Moment), |png| Ok(png.len()));
    assert!(job.wait(|_| {}).unwrap().unwrap() > 1000);
    let none = RecordedGame { record: "nonsense".to_owned(), ..game("") };
    let job = JobHandle::start(&ctx, SolveJob { game: none, given: None });
    assert!(job.wait(drop).unwrap().is_err());
}

#[test]
fn a_bot_answers_elsewhere_as_here() {
    let (_, found) = both(|| BotJob(game("bot red search:100\n\ndraw base/E\n")));
    let found = found.unwrap();
    assert!(found.text.starts_with("place "), "{}", found.text);
    let lines: u32 = found.reasoning.as_ref().unwrap().options.iter().map(|option| option.n_simulations).sum();
    assert!((1..=100).contains(&lines), "{lines}");
    let text = text_for_worker(BotJob(game(""))).unwrap();
    assert!(text.contains("base/icons/follower.svg"), "a worker has no files");
    // If a person is to move, the job fails.
    let (_, failed) = both(|| BotJob(game("\ndraw base/E\n")));
    assert_eq!(failed.unwrap_err().to_string(), "no bot is to move at the end of the record");
}

#[test]
fn chance_of_bots_differs_from_turn_to_turn() {
    let first = game("bot red random\nbot blue random\n\ndraw base/E\n");
    let other = RecordedGame { record: first.record.replace("seed 7", "seed 8"), ..first.clone() };
    let [first, other] = [first, other].map(|game| in_worker(BotJob(game)).1.unwrap());
    assert_ne!(first.text, other.text);
}

#[test]
fn pictures_are_drawn_elsewhere() {
    for (kind, begins) in [(PictureKind::Moment, &b"\x89PNG"[..]), (PictureKind::Game, b"GIF89a")] {
        let game = || game("\ndraw base/E\nplace 0,-1 180\npass\n");
        let (_, file) = both(|| PictureJob { game: game(), kind, palette: None });
        assert!(file.unwrap().starts_with(begins));
    }
}

#[test]
fn sheets_are_made_elsewhere_as_here() {
    let mods = base().with_settings(vec![("base/K".to_owned(), "9".to_owned())]).unwrap();
    let options = PrintOptions { settings: mods.chosen.clone(), ..PrintOptions::default() };
    let wanted = SheetsWanted { mods, ids: vec!["base".to_owned()], options };
    for (part, begins) in [(SheetsPart::Page(99), &b"\x89PNG"[..]), (SheetsPart::Pdf, b"%PDF")] {
        let (_, made) = both(|| SheetsJob { wanted: wanted.clone(), part });
        let made = made.unwrap();
        // Six more of the 72 tiles.
        assert_eq!(made.n_items[0], 78);
        assert!(made.file.starts_with(begins));
    }
}

#[test]
fn a_rulebook_is_made_elsewhere_as_here() {
    let copies = [CopiedMod::of("base"), CopiedMod::of("own-ideas")];
    let library = Library::open(&copies.each_ref().map(|copy| copy.library().to_owned()));
    let address = "https://bastide.example/".to_owned();
    let job = || BookJob {
        library: library.clone(),
        ids: vec!["own-ideas".to_owned()],
        address: address.clone(),
        form: BookForm::Html,
    };
    let (told, made) = both(job);
    let made = made.unwrap();
    assert!(made.n_examples == 4 && made.n_unexplained == 0 && made.file.starts_with(b"<!doctype html>"));
    assert!(told.is_sorted() && told.len() > 10 && told.last() == Some(&100), "{told:?}");
    // It stops between two examples.
    let percents = RefCell::new(Vec::new());
    let two =
        Reporter { send: &|percent| percents.borrow_mut().push(percent), is_wanted: &|| percents.borrow().len() < 2 };
    assert!(job().run(&two).is_err());
    assert_eq!(*percents.borrow(), told[..2]);
    // A worker has no files, so the job contains the tests and READMEs.
    assert!(job().files().unwrap().contains_key(&copies[1].file("README.md")));
    // A file that cannot be read and an example that fails are reported with their names.
    fs::write_output(&copies[1].file("README.md"), [0xff_u8]).unwrap();
    assert!(in_worker(job()).1.unwrap_err().to_string().contains("README.md"));
    fs::write_output(&copies[1].file("README.md"), "").unwrap();
    let wrong = "# book: x\nbastide 1\nmods own-ideas\nplayers red blue\n\nexpect score red 7\n";
    fs::write_output(&copies[1].file("tests/z9.game"), wrong).unwrap();
    let why = both(job).1.unwrap_err().to_string();
    assert!(why.contains("z9.game:6") && why.contains("the example fails"), "{why}");
}

#[test]
fn mods_that_a_worker_cannot_load_are_named() {
    let text = text_for_worker(BotJob(game(""))).unwrap();
    let text = text.replace("shape = ", "shapes = ").replace("\\n[tile]", "\\n[tiles]");
    let sent = RefCell::new(Vec::new());
    run_in_worker(&text, |_, _| {}, &|bytes| *sent.borrow_mut() = bytes.to_vec());
    let JobEvent::Ended(Err(why)) = read_event::<BotJob>(&sent.borrow()) else { panic!("the mods were loaded") };
    assert!(why.to_string().contains("tiles.toml"), "{why}");
}

#[test]
fn games_are_played_elsewhere_as_here() {
    let mods = base().with_settings(vec![("base.farmers".to_owned(), "false".to_owned())]).unwrap();
    let library = Library::builtin();
    let plan = |against: ComparedRules| BalancePlan {
        library: library.clone(),
        mods: mods.clone(),
        against,
        players: vec![PLAYERS[0].clone(); 2],
        names: vec!["red".to_owned(), "blue".to_owned()],
        n_games: 12,
        seed: 3,
    };
    let example = ExampleGame { game: 5, subject: Subject::End };
    let other = CopiedMod::of("base");
    other.edit("tiles.toml", "K = { count = 3", "K = { count = 9");
    // The job contains the files of the folder, because a worker cannot read the disk.
    let compared = BalanceJob(Arc::new(plan(ComparedRules::Folder(other.library().to_owned()))));
    let sent = compared.files().unwrap();
    assert!(sent.get(&other.file("tiles.toml")).is_some_and(|text| text.contains("K = { count = 9")));
    for against in [
        ComparedRules::Nothing,
        ComparedRules::Pinned(base()),
        ComparedRules::WithMod("river".to_owned()),
        ComparedRules::Sweep("base.small_city".to_owned(), None),
        ComparedRules::Folder(other.library().to_owned()),
    ] {
        let plan = Arc::new(plan(against));
        let [here, there] =
            [here(BalanceJob(plan.clone())), in_worker(BalanceJob(plan.clone()))].map(|(seen, ended)| {
                assert_eq!(ended, Ok(()));
                seen.into_iter().map(|results| results.seen).collect::<Vec<_>>()
            });
        let all = |seen: &[BalanceSnapshot]| -> Vec<GameResult> {
            seen.iter().flat_map(|seen| &seen.games).flat_map(|some| some.to_vec()).collect()
        };
        assert_eq!(all(&there), all(&here));
        let (here, there) = (here.last().unwrap(), there.last().unwrap());
        assert_eq!((there.report.n_games, there.progress), (here.report.n_games, here.progress));
        let n_changed = |seen: &BalanceSnapshot| seen.comparison.as_ref().map(|it| it.n_changed);
        assert_eq!(n_changed(there), n_changed(here));
        let values = |seen: &BalanceSnapshot| seen.sweep.as_ref().map(|it| it.values.clone());
        assert_eq!(values(there), values(here));
        let which = ShownRules::InPlay;
        let (_, shown) = both(|| ExampleJob { plan: plan.clone(), example: example.clone(), which });
        assert_eq!(shown.unwrap(), plan.replay_example(&example, which).unwrap());
    }
}

#[test]
fn tests_of_mods_run_elsewhere_as_here() {
    let copies = [CopiedMod::of("base"), CopiedMod::of("own-ideas")];
    let library = Library::open(&copies.each_ref().map(|copy| copy.library().to_owned()));
    let added = copies[1].file("tests/z9.game");
    let wrong = "# Wrong\nbastide 1\nmods own-ideas\nplayers red blue\n\nexpect score red 7\n";
    fs::write_output(&added, wrong).unwrap();
    let job = |selection| TestsJob {
        library: library.clone(),
        ids: vec!["own-ideas".to_owned()],
        selection,
        failed_before: Vec::new(),
    };
    let summary = |(reports, ended): Done<TestsJob>| {
        let (mut listed, mut done) = (Vec::new(), Vec::new());
        for report in reports {
            match report {
                TestReport::Listed(tests, n) => listed.push((tests, n)),
                TestReport::Done(result) => done.push((result.test.name(), result.about, result.failures)),
            }
        }
        (listed, done, ended)
    };
    let both = |selection: TestSelection| {
        let [here, there] = [here(job(selection.clone())), in_worker(job(selection))].map(summary);
        assert_eq!(here, there);
        there
    };
    let (listed, done, uncovered) = both(TestSelection::All(vec![added.clone()]));
    let [(tests, n)] = &listed[..] else { panic!("{listed:?}") };
    assert!(tests.len() == *n && done.len() == *n && *n > 4);
    let (name, about, failures) = &done[0];
    assert_eq!((name.as_str(), about.as_str(), failures.len()), ("z9", "Wrong", 1), "the changed test runs first");
    assert!(done[1..].iter().all(|(_, _, failures)| failures.is_empty()));
    assert_eq!(uncovered.unwrap().unwrap().len(), 1);
    let one = tests.iter().find(|test| test.case.file == added).unwrap().clone();
    let (_, done, uncovered) = both(TestSelection::One(one));
    assert_eq!((done.len(), uncovered), (1, Ok(None)));
    let (_, done, _) = both(TestSelection::None);
    assert!(done.is_empty());
    // A worker has no files, so the job contains the tests. A file that is not text becomes a test
    // that fails.
    fs::write_output(&added, [0xff_u8]).unwrap();
    assert!(job(TestSelection::None).files().unwrap().contains_key(&added));
}

#[test]
fn records_of_a_folder_are_replayed_elsewhere_as_here() {
    let base = CopiedMod::of("base");
    let library = Library::open(&[base.library().to_owned()]);
    let job = |folder: &str| CorpusJob { folder: base.file(folder), library: library.clone() };
    let (reports, ended) = both(|| job("tests"));
    assert_eq!(ended, Ok(()));
    let CorpusReport::Found(n) = reports[0] else { panic!("{:?}", reports[0]) };
    assert!(n > 10 && reports.len() == n + 1);
    let files = job("tests").files().unwrap();
    assert!(reports[1..].iter().all(|it| matches!(it, CorpusReport::Replayed(file, _) if files.contains_key(file))));
    let (_, ended) = both(|| job("icons"));
    assert!(ended.unwrap_err().to_string().contains("has no records: name a folder"));
}

#[test]
fn playtests_are_evaluated_elsewhere_as_here() {
    let dir = tempfile::tempdir().unwrap();
    let mut playtest = Playtest::new("tried.game".to_owned());
    let person = playtest.add_person(Some("red".to_owned())).unwrap();
    let rules = playtest.index_of_rules(&base().loaded.tested_rules()).unwrap();
    let (about, text) = (Some("tile".to_owned()), "too strong".to_owned());
    playtest.add_note(Note { n: 1, turn: 1, person, rules, about, text }).unwrap();
    fs::write_output(&dir.path().join("tried.playtest.json"), playtest.text()).unwrap();
    let record = game("\ndraw base/E\nplace 0,-1 180\npass\n").record;
    fs::write_output(&dir.path().join("tried.game"), record).unwrap();
    let job = |path: &Path| PlaytestsJob { chosen: vec![path.to_owned()], library: Library::builtin() };
    let (_, results) = both(|| job(dir.path()));
    let results = results.unwrap();
    assert_eq!((results.n_files, results.is_empty, &results.problems[..]), (1, false, &[][..]));
    assert!(results.remarks.iter().flat_map(|list| &list.remarks).any(|remark| remark.text.contains("too strong")));
    // The record belongs to the playtest.
    let sent = job(&dir.path().join("tried.playtest.json")).files().unwrap();
    assert!(sent.contains_key(&dir.path().join("tried.game")));
    let (_, none) = both(|| job(Path::new("none.playtest.json")));
    assert_eq!(none.unwrap().problems.len(), 1);
}

#[test]
fn covers_are_painted_and_texts_are_checked_elsewhere_as_here() {
    let base = CopiedMod::of("base");
    let library = Library::open(&[base.library().to_owned()]);
    let ids = vec!["missing".to_owned(), "base".to_owned()];
    let (covers, _) = both(|| CoversJob { library: library.clone(), ids: ids.clone(), palette: None });
    assert_eq!(covers.iter().map(|cover| (cover.id.as_str(), cover.n_tiles)).collect::<Vec<_>>(), [("base", 72)]);
    let unsaved: FileTexts = [(base.file("rules.rhai"), Arc::from("fn score_valu() {}"))].into();
    let (_, checked) = both(|| {
        CheckJob(CheckRequest {
            library: library.clone(),
            ids: vec!["base".to_owned()],
            id: "base".to_owned(),
            unsaved: unsaved.clone(),
            problems: None,
        })
    });
    let checked = checked.unwrap();
    assert!(checked.problems.iter().any(|it| it.message.contains("nothing calls `score_valu`")));
    assert!(checked.vocabulary.is_some_and(|words| words.tags.contains(&"shield".to_owned())));
}
