//! Changing mods while the window is open.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::*;
use editor::{Action, StartOptions, Tone};
use egui::Key;
use egui_kittest::kittest::Queryable as _;
use table::RulesChoice;
use testkit::CopiedMod;

/// Opens a game between bots whose mods are watched for changes, and pauses it once more than 20
/// points are scored.
pub fn watched(folder: &Path) -> Window {
    let mut start = StartOptions { mods: Some(vec![folder.to_owned()]), watch: true, ..game(&["base"], 2, 2) };
    // Random bots rarely score before the end.
    start.setup.iter_mut().flat_map(|s| &mut s.bots).for_each(|(_, bot)| *bot = "greedy".to_owned());
    let mut window = open(start, 1400.0, 900.0);
    let scored = |app: &editor::App| app.snapshot().steps().last().is_some_and(|s| s.scores.iter().sum::<i64>() > 20);
    wait_until(&mut window, "some points", scored);
    press(&mut window, Key::P);
    window
}

pub fn last_scores(window: &Window) -> Vec<i64> {
    session(window).steps().last().unwrap().scores.clone()
}

#[test]
fn a_saved_change_is_in_the_running_game() {
    let base = CopiedMod::of("base");
    let mut window = watched(base.library());
    let (before, line) = (last_scores(&window), session(&window).steps().len());
    assert!(before.iter().sum::<i64>() > 0);
    let manifest = base.file("mod.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let dear = text
        .replace("complete = \"tiles\"", "complete = \"5 * tiles\"")
        .replace("complete = \"2 *", "complete = \"9 *");
    assert_ne!(text, dear);
    fs::write(&manifest, &dear).unwrap();
    wait_until(&mut window, "the change", |app| app.notifications().last().is_some());
    let news = app(&window).notifications().last().unwrap().clone();
    assert_ne!(last_scores(&window), before, "{news:?} {:?}", session(&window).steps().last());
    assert_eq!(session(&window).steps().len(), line, "the same answers");
    // The failing tests of the mod are reported after the change of scores.
    let news = app(&window).notifications().items().iter().find(|it| it.text.starts_with("changed: turn"));
    assert!(news.is_some_and(|it| it.tone == Tone::Changed), "{:?}", app(&window).notifications().items());
    fs::write(&manifest, &text).unwrap();
    wait_until(&mut window, "the old rules", |app| app.snapshot().steps().last().unwrap().scores == before);
}

#[test]
fn the_window_applies_its_own_save_once() {
    let base = CopiedMod::of("base");
    let mut window = watched(base.library());
    let manifest = base.file("mod.toml");
    let dear = fs::read_to_string(&manifest).unwrap().replace("complete = \"tiles\"", "complete = \"5 * tiles\"");
    let before = session(&window).mods_revision();
    fs::write(&manifest, &dear).unwrap();
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), Action::Saved);
    wait_until(&mut window, "the change", |app| app.snapshot().mods_revision() != before);
    let after = session(&window).mods_revision();
    // The watcher notices the same file later, and the tests of the mod run.
    wait_until(&mut window, "the tests", |app| {
        app.notifications().items().iter().any(|it| it.text.contains("tests fail"))
    });
    assert_eq!(session(&window).mods_revision(), after, "the mods are not read again");
    let reports = app(&window).notifications().items().iter().filter(|it| it.text.starts_with("changed: turn"));
    assert_eq!(reports.count(), 1);
}

#[test]
fn a_broken_script_is_shown_and_the_game_goes_on() {
    let base = CopiedMod::of("base");
    let mut window = watched(base.library());
    let (before, line) = (last_scores(&window), session(&window).steps().to_vec());
    let script = base.file("rules.rhai");
    let text = fs::read_to_string(&script).unwrap();
    fs::write(&script, format!("{text}\nfn score_value(feature, score) {{ scroe.plus(1, \"x\"); }}\nfn broken( {{\n"))
        .unwrap();
    wait_until(&mut window, "the error", |app| app.snapshot().problems().n_errors() > 0);
    window.run_steps(3);
    let problem = session(&window).problems().list()[0].clone();
    assert!(problem.span.file.ends_with("rules.rhai") && problem.span.line > 0, "{problem:?}");
    assert!(window.query_by_label_contains("The game uses the last working rules").is_some());
    let place = problem.span.to_string();
    assert!(window.query_by_label(&place).is_some(), "the panel says where: {place}");
    assert_eq!((last_scores(&window), session(&window).steps().to_vec()), (before, line));
    let len = session(&window).steps().len();
    press(&mut window, Key::P);
    wait_until(&mut window, "the next answer", |app| app.snapshot().steps().len() > len);
    let told = app(&window).notifications().items();
    assert!(told.iter().any(|item| item.text == "not applied: a mod has an error"), "the bar shows it: {told:?}");
    fs::write(&script, &text).unwrap();
    wait_until(&mut window, "the mended script", |app| app.snapshot().problems().is_empty());
    assert!(window.query_by_label_contains("The game uses the last working rules").is_none());
}

/// Tests the messages for mistakes that authors save while they play.
#[test]
fn mistakes_of_authors_are_told_with_their_place() {
    let mistakes = [
        (
            "let l = [];\nfor i in 0..24 { l.push(i * 37 % 101); }\nl.sort(|a, b| a % 7 - b % 5);",
            3,
            "contradicts itself",
        ),
        ("let l = [1];\nfor i in 0..20 {\nl = [l]; }\nnote(`${l.len}`);", 3, "check that none is put into itself"),
        ("let f = ();\nf = |n| if n == 0 { 0 } else { f.call(n - 1) };\nnote(`${f.call(3)}`);", 3, "put into itself"),
        ("let l = [1];\nlet f = || l.len;\nl.push(f);", 3, "copy it into another variable"),
        ("let n = 0;\nloop { n += 1; }", 2, "check that each loop ends"),
        ("let n = 1;\nloop { ask(turn.player, \"Again?\", [\"yes\"]); }", 0, "is not offered"),
    ];
    let base = CopiedMod::of("base");
    let script = base.read("rules.rhai");
    let n_before = script.lines().count() as u32 + 2;
    let mut window = watched(base.library());
    let before = (last_scores(&window), session(&window).steps().to_vec());
    for (body, line, words) in mistakes {
        base.write("rules.rhai", &format!("{script}\nfn tile_placed(tile) {{\n{body}\n}}\n"));
        wait_until(&mut window, words, |app| {
            app.snapshot().view().fault().is_some() || app.snapshot().divergence().is_some()
        });
        assert!(
            window.query_all_by_label_contains(words).next().is_some(),
            "{words}: {:?}",
            session(&window).divergence()
        );
        if line > 0 {
            let place = format!("rules.rhai:{}:", n_before + line);
            let said = window.query_all_by_label_contains(&place).next().is_some();
            assert!(said, "{place}: {:?} {:?}", session(&window).divergence(), session(&window).view().fault());
        }
        base.write("rules.rhai", &script);
        wait_until(&mut window, "the mended script", |app| {
            app.snapshot().view().fault().is_none()
                && app.snapshot().divergence().is_none()
                && app.snapshot().steps().len() == before.1.len()
        });
        assert_eq!((last_scores(&window), session(&window).steps().to_vec()), before, "{words}");
    }
}

#[test]
fn rules_that_do_not_fit_ask_what_to_do() {
    let base = CopiedMod::of("base");
    let mut window = watched(base.library());
    let line = session(&window).steps().len();
    let manifest = base.file("mod.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let narrow = text.replace("stands_on = [\"road\", \"city\", \"cloister\", \"field if farmers\"]", "stands_on = []");
    assert_ne!(text, narrow);
    fs::write(&manifest, narrow).unwrap();
    wait_until(&mut window, "the choice", |app| app.snapshot().divergence().is_some());
    assert_eq!(session(&window).steps().len(), line);
    click(&mut window, "Rewind to where the new rules fit");
    assert!(session(&window).divergence().is_none());
    assert!(session(&window).steps().len() < line);
    assert_eq!(session(&window).branches().len(), 1);
}

#[test]
fn a_fault_at_run_time_is_among_the_problems() {
    let base = CopiedMod::of("base");
    let mut window = watched(base.library());
    let text = base.read("rules.rhai");
    base.write("rules.rhai", &format!("{text}\nfn tile_placed(tile) {{ let none = 0; 10 / none; }}\n"));
    wait_until(&mut window, "the fault", |app| app.snapshot().divergence().is_some());
    window.run_steps(4);
    let problem = session(&window).run_time_problems()[0].diagnostic.clone();
    assert!(problem.message.to_lowercase().contains("division by zero"), "{problem:?}");
    assert_eq!(problem.span.line as usize, text.lines().count() + 2, "{problem:?}");
    assert!(window.query_by_label(&problem.span.to_string()).is_some(), "the panel says where: {}", problem.span);
    base.write("rules.rhai", &text);
    wait_until(&mut window, "the mended script", |app| app.snapshot().run_time_problems().is_empty());
    assert!(session(&window).divergence().is_none());
}

#[test]
fn what_scripts_print_is_in_the_console() {
    let base = CopiedMod::of("base");
    let mut window = watched(base.library());
    let text = base.read("rules.rhai");
    base.write("rules.rhai", &format!("{text}\nfn tile_placed(tile) {{ print(\"laid one\"); }}\n"));
    let n_printed = |app: &editor::App| app.snapshot().steps().iter().map(|step| step.printed.len()).sum::<usize>();
    wait_until(&mut window, "the lines", |app| n_printed(app) > 0);
    let n_laid = session(&window).steps().iter().filter(|step| step.laid.is_some()).count();
    assert_eq!(n_printed(app(&window)), n_laid, "each answer prints its lines, and trials of bots print none");
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), editor::Command::Console);
    window.run_steps(4);
    let shown = window.query_all_by_label_contains(": laid one").nth(2).expect("a line of the console");
    shown.click();
    window.run_steps(4);
    assert!(!session(&window).is_live(), "a click goes to the position of the line");
}

#[test]
fn what_a_reload_changed_is_listed_and_can_be_taken_back() {
    let base = CopiedMod::of("base");
    let mut window = watched(base.library());
    let before = last_scores(&window);
    let text = base.read("mod.toml");
    base.write("mod.toml", &text.replace("complete = \"tiles\"", "complete = \"5 * tiles\"").replace("\"2 *", "\"9 *"));
    wait_until(&mut window, "the changes", |app| app.snapshot().changes().is_some());
    window.run_steps(4);
    let changes = session(&window).changes().unwrap().clone();
    let first = &changes.list[0];
    let (old, new): (i64, i64) = first.points.iter().fold((0, 0), |sum, (_, old, new)| (sum.0 + old, sum.1 + new));
    assert!(new > old && old > 0, "{first:?}");
    let gained: i64 = changes.list.iter().flat_map(|c| &c.points).map(|(_, old, new)| new - old).sum();
    assert_eq!(
        last_scores(&window).iter().sum::<i64>() - before.iter().sum::<i64>(),
        gained,
        "the listed changes add up to the whole difference"
    );
    // The panel is visible; a click on a turn goes there.
    let turn = format!("turn {}", first.turn);
    window.query_all_by_label(&turn).next().expect("the turn").click();
    window.run_steps(4);
    assert_eq!(session(&window).position_index(), first.step + 1);
    click(&mut window, "Keep the old rules");
    assert_eq!((last_scores(&window), session(&window).changes()), (before, None));
}

#[test]
fn a_mod_that_is_switched_on_and_off_leaves_the_game_as_it_was() {
    let mut start = game(&["base"], 2, 2);
    start.setup.iter_mut().flat_map(|s| &mut s.bots).for_each(|(_, bot)| *bot = "greedy".to_owned());
    let mut window = open(start, 1400.0, 900.0);
    wait_until(&mut window, "forty turns", |app| app.snapshot().turn() > 40);
    press(&mut window, Key::P);
    let texts =
        |window: &Window| -> Vec<String> { session(window).steps().iter().map(|step| step.text.clone()).collect() };
    let (line, scores) = (texts(&window), last_scores(&window));
    let mut was_asked_more = false;
    for id in ["inns-cathedrals", "builders-traders", "crop-circles"] {
        for ids in [vec!["base", id], vec!["base"]] {
            let n_told = app(&window).notifications().items().len();
            let mods = ids.iter().map(|id| (*id).to_owned()).collect();
            let action = Action::PlayBy(RulesChoice::from_setup(session(&window).setup()).with_mods(mods));
            window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
            wait_until(&mut window, "the other mods", |app| app.notifications().items().len() > n_told);
            assert!(session(&window).divergence().is_none(), "{ids:?}: {:?}", session(&window).divergence());
            was_asked_more |= texts(&window).len() > line.len();
        }
        assert_eq!((texts(&window), last_scores(&window)), (line.clone(), scores.clone()), "{id}");
    }
    assert!(was_asked_more, "one of the mods asks more questions");
}

#[test]
fn new_and_deleted_mods_are_seen() {
    let base = CopiedMod::of("base");
    let mut window = watched(base.library());
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), Action::LookAtDisk);
    let n_mods = |app: &editor::App| app.snapshot().mods_on_disk().map_or(0, |mods| mods.len());
    wait_until(&mut window, "the mods", |app| n_mods(app) == 1);
    table::Template::find("scoring").unwrap().write(&base.library().join("wells")).unwrap();
    wait_until(&mut window, "the new mod", |app| n_mods(app) == 2);
    let ids = vec!["base".to_owned(), "wells".to_owned()];
    window
        .state_mut()
        .as_mut()
        .unwrap()
        .act(&egui::Context::default(), Action::PlayBy(RulesChoice { mods: ids, settings: Vec::new() }));
    window.run_steps(3);
    assert_eq!(session(&window).view().mods().len(), 2);
    fs::remove_dir_all(base.library().join("wells")).unwrap();
    wait_until(&mut window, "the loss", |app| app.snapshot().problems().n_errors() > 0);
    assert_eq!(session(&window).view().mods().len(), 2, "the game continues with the removed mod");
}

#[test]
fn a_changed_theme_is_painted_and_changes_no_rule() {
    let base = CopiedMod::of("base");
    let mut window = watched(base.library());
    let (before, line) = (last_scores(&window), session(&window).steps().len());
    let theme = base.file("theme.toml");
    let text = fs::read_to_string(&theme).unwrap();
    fs::write(&theme, format!("{text}\n[palette.dusk]\ntitle = \"Dusk\"\nground = \"#556644\"\n")).unwrap();
    let has_dusk =
        |app: &editor::App| app.snapshot().loaded().theme().palettes().iter().any(|(_, title)| title == "Dusk");
    wait_until(&mut window, "the new palette", has_dusk);
    assert_eq!((last_scores(&window), session(&window).steps().len()), (before, line));
    fs::write(&theme, format!("{text}\n[kind.city]\nstyle = \"wallled\"\n")).unwrap();
    wait_until(&mut window, "the error", |app| app.snapshot().problems().n_errors() > 0);
    assert!(has_dusk(app(&window)), "the last valid theme stays in use");
}

#[test]
fn no_frame_waits_for_a_mod_that_takes_long() {
    let base = CopiedMod::of("base");
    let start = StartOptions { mods: Some(vec![base.library().to_owned()]), at_once: false, ..game(&["base"], 2, 2) };
    let mut window = open(start, 1400.0, 900.0);
    wait_until(&mut window, "forty turns", |app| app.snapshot().turn() > 40);
    press(&mut window, Key::P);
    let slow = "\nfn tile_placed(tile) { let n = 0; for i in 0..9000 { n += i % 7; } }\n";
    base.write("rules.rhai", &(base.read("rules.rhai") + slow));
    let n_told = app(&window).notifications().items().len();
    let begun = Instant::now();
    let ids = vec!["base".to_owned()];
    window
        .state_mut()
        .as_mut()
        .unwrap()
        .act(&egui::Context::default(), Action::PlayBy(RulesChoice { mods: ids, settings: Vec::new() }));
    let (mut longest, mut n_frames) = (Duration::ZERO, 0);
    while app(&window).notifications().items().len() == n_told {
        let frame = Instant::now();
        window.run_steps(1);
        longest = longest.max(frame.elapsed());
        n_frames += 1;
    }
    let took = begun.elapsed();
    let news = app(&window).notifications().last().unwrap();
    assert!(news.text.starts_with("applied") || news.text.starts_with("changed"), "{news:?}");
    // The window draws frames while it loads the mods. Even the longest frame takes less than half
    // of the loading time.
    assert!(n_frames > 5 && longest < took / 2, "{n_frames} frames in {took:?}, the longest {longest:?}");
}
