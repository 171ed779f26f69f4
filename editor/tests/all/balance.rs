//! The balance panel: bot games in the background, a baseline that is compared after a save, and an
//! example game that is opened.

use crate::common::*;
use crate::reload::watched;
use editor::{Action, BalanceAction, Command};
use egui::Key;
use egui_kittest::kittest::Queryable as _;
use playtest::{Note, Playtest, Thumb, TimedAnswer};
use testkit::CopiedMod;
use workshop::balance::{ComparedRules, ExampleGame, GoalTexts, Measure, ReportRow, ShownRules, Subject};

fn is_shown(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

#[test]
fn games_are_played_compared_after_a_save_and_opened() {
    let base = CopiedMod::of("base");
    let mut window = watched(base.library());
    // The balance uses the players of the game, and random bots are fast.
    for seat in [0, 1] {
        let action = Action::SetBot(table::Seat(seat), Some("random".to_owned()));
        window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
    }
    window.run_steps(3);
    let give = |window: &mut Window, action: Action| {
        window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
        window.run_steps(3);
    };
    give(&mut window, Action::Command(Command::Balance));
    assert!(is_shown(&window, "Run 200 games"));
    press(&mut window, Key::F5);
    wait_until(&mut window, "all games", |app| {
        app.balance().snapshot().is_some_and(|seen| seen.report.n_games == 200) && !app.balance().is_running()
    });
    window.run_steps(3);
    for text in ["Who wins", "±", "margin of the winner", "Points by reason", "red wins"] {
        assert!(is_shown(&window, text), "{text}");
    }
    // A click on the first player's bar lists the games that this player won.
    let bar = window.query_all_by_label_contains("red wins").next().unwrap().rect().center();
    click_at(&mut window, bar, egui::PointerButton::Primary);
    assert!(is_shown(&window, "Won games"));
    let seen = app(&window).balance().snapshot().unwrap();
    let won = seen.games.iter().flat_map(|some| some.iter()).find(|game| game.winners().eq([0])).unwrap().clone();
    let of_tile = row_of(&window, "base/K").example.unwrap();
    give(&mut window, Action::Balance(BalanceAction::Pin));
    let manifest = base.read("mod.toml");
    base.write("mod.toml", &manifest.replace("complete = \"tiles\"", "complete = \"5 * tiles\""));
    wait_until(&mut window, "a comparison", |app| {
        let found = app.balance().snapshot().and_then(|seen| seen.comparison.as_ref());
        found.is_some_and(|found| found.n_pairs == 200) && !app.balance().is_running()
    });
    window.run_steps(3);
    assert!(is_shown(&window, "Measurable difference from the pinned rules."));
    assert!(is_shown(&window, "the same in every game"), "the unchanged measures are marked");
    base.write("mod.toml", &manifest);
    wait_until(&mut window, "nothing differs", |app| {
        let found = app.balance().snapshot().and_then(|seen| seen.comparison.as_ref());
        found.is_some_and(|found| found.n_pairs == 200 && found.n_changed == 0) && !app.balance().is_running()
    });
    // The example game opens at the position that illustrates its subject, and ends as in the
    // balance run.
    let lead = ExampleGame { game: won.number, subject: Subject::Measure(Measure::Win(0)) };
    give(&mut window, Action::Balance(BalanceAction::Open(lead, ShownRules::InPlay)));
    wait_until(&mut window, "the game", |app| {
        app.snapshot().steps().last().is_some_and(|last| last.scores == won.scores)
    });
    let (at, line) = (session(&window).position_index(), session(&window).steps());
    let leads = |at: usize| line[at - 1].scores[0] > line[at - 1].scores[1];
    assert!((at..=line.len()).all(leads), "the first player leads until the end");
    give(&mut window, Action::Balance(BalanceAction::Open(of_tile, ShownRules::InPlay)));
    wait_until(&mut window, "the tile", |app| {
        let (at, line) = (app.snapshot().position_index(), app.snapshot().steps());
        at > 1 && line[at - 1].text.starts_with("place") && line[at - 2].text == "draw base/K"
    });
}

/// The panel searches for values for which the games meet goals, and begins a game with them.
#[test]
fn values_that_meet_goals_are_found_and_played() {
    let mut window = open(game(&["base"], 2, 2), 1366.0, 1600.0);
    let give = |window: &mut Window, action: Action| {
        window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
        window.run_steps(3);
    };
    for seat in [0, 1] {
        give(&mut window, Action::SetBot(table::Seat(seat), Some("random".to_owned())));
    }
    give(&mut window, Action::Command(Command::Balance));
    let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let goals = vec![pair("points", "20..60"), pair("red", "40%..60%")];
    let search = |values: &str| {
        let texts =
            GoalTexts { goals: goals.clone(), varied: vec![pair("base.farmers", ""), pair("follower", values)] };
        Action::Balance(BalanceAction::Compare(ComparedRules::Goals(texts)))
    };
    give(&mut window, search("many"));
    assert!(is_shown(&window, "Settings and counts to vary") && !app(&window).balance().is_running());
    give(&mut window, Action::Balance(BalanceAction::Run));
    wait_until(&mut window, "an error", |app| app.balance().error().is_some());
    assert!(is_shown(&window, "follower"), "the setting without two values is named");
    give(&mut window, search("1,7"));
    give(&mut window, Action::Balance(BalanceAction::Run));
    wait_until(&mut window, "the end of the search", |app| !app.balance().is_running());
    window.run_steps(3);
    let found = app(&window).balance().snapshot().unwrap().goals.clone().unwrap();
    assert_eq!((found.results.best.len(), found.results.n_tried), (4, 4));
    for text in ["Values that meet the goals best", "4 of 4 combinations tried", "Who wins"] {
        assert!(is_shown(&window, text), "{text}");
    }
    let values = &found.results.best[0].values;
    let text = format!("{}={}, {}={}", values[0].0, values[0].1, values[1].0, values[1].1);
    window.query_all_by_label(&text).last().unwrap().click();
    wait_until(&mut window, "a game with these values", |app| app.snapshot().setup().settings == *values);
    assert_eq!(session(&window).setup().players, ["red", "blue"]);
}

/// Bars, goals and errors use the names of the players, and an error leaves the last results.
#[test]
fn seats_have_the_names_of_the_players() {
    let mut start = game(&["base"], 2, 0);
    let setup = start.setup.as_mut().unwrap();
    setup.players = vec!["Ann".to_owned(), "red".to_owned()];
    setup.bots = setup.players.iter().map(|player| (player.clone(), "random".to_owned())).collect();
    let mut window = open(start, 1366.0, 1600.0);
    let give = |window: &mut Window, action: Action| {
        window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
        window.run_steps(3);
    };
    let run = |window: &mut Window| {
        give(window, Action::Balance(BalanceAction::Run));
        wait_until(window, "the end of the run", |app| !app.balance().is_running());
        window.run_steps(3);
    };
    give(&mut window, Action::Command(Command::Balance));
    run(&mut window);
    assert!(is_shown(&window, "Ann wins") && is_shown(&window, "red wins"));
    assert!(!is_shown(&window, "different bots"));
    let search = |name: &str| {
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let texts = GoalTexts { goals: vec![pair(name, "40%..60%")], varied: vec![pair("base.farmers", "")] };
        Action::Balance(BalanceAction::Compare(ComparedRules::Goals(texts)))
    };
    give(&mut window, search("blue"));
    run(&mut window);
    assert!(app(&window).balance().error().is_some_and(|error| error.contains("use Ann, red, ")));
    assert!(is_shown(&window, "Ann wins"), "the last results stay");
    give(&mut window, search("Ann"));
    run(&mut window);
    assert_eq!(app(&window).balance().error(), None);
    assert!(is_shown(&window, "Values that meet the goals best"));
}

/// A difference between seats with different bots is no advantage of a seat.
#[test]
fn seats_with_different_bots_have_no_seat_advantage() {
    let mut start = game(&["base"], 2, 2);
    let setup = start.setup.as_mut().unwrap();
    setup.bots = vec![("red".to_owned(), "random".to_owned()), ("blue".to_owned(), "random!deploy".to_owned())];
    let mut window = open(start, 1366.0, 1600.0);
    for command in [Command::Balance, Command::RunBalance] {
        window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), command);
    }
    wait_until(&mut window, "all games", |app| app.balance().snapshot().is_some() && !app.balance().is_running());
    window.run_steps(3);
    assert!(is_shown(&window, "different bots") && !is_shown(&window, "seat advantage:"));
}

/// Balance shows a playtest beside bots, names files that cannot be read, and opens the moment of a
/// note.
#[test]
fn playtests_are_shown_beside_bots() {
    let dir = tempfile::tempdir().unwrap();
    let mut window = open(game(&["base"], 2, 2), 1366.0, 1600.0);
    let give = |window: &mut Window, action: BalanceAction| {
        window.state_mut().as_mut().unwrap().act(&egui::Context::default(), Action::Balance(action));
        window.run_steps(3);
    };
    wait_until(&mut window, "some moves", |app| app.snapshot().turn() > 6);
    press(&mut window, Key::P);
    std::fs::write(dir.path().join("tried.game"), session(&window).record_text()).unwrap();
    let line = session(&window).steps();
    let (n, step) = line.iter().enumerate().find(|(_, step)| step.text.starts_with("place")).unwrap();
    let mut playtest = Playtest::new("tried.game".to_owned());
    let person = playtest.add_person(Some("red".to_owned())).unwrap();
    let rules = playtest.index_of_rules(&session(&window).loaded().tested_rules()).unwrap();
    let (question, answer) = ("Place the tile".to_owned(), step.text.clone());
    let (asked_by, undone) = (None, false);
    playtest
        .add_answer(TimedAnswer { n: n as u32, person, rules, question, asked_by, answer, ms: 4200, undone })
        .unwrap();
    let (about, text) = (Some("city".to_owned()), "Why seven?".to_owned());
    playtest.add_note(Note { n: 3, turn: 2, person, rules, about, text }).unwrap();
    playtest.set_thumb(Thumb { n: 3, turn: 2, person, rules, rule: "city".to_owned(), up: false }).unwrap();
    std::fs::write(dir.path().join("tried.playtest.json"), playtest.text()).unwrap();
    std::fs::write(dir.path().join("empty.playtest.json"), "").unwrap();
    give(&mut window, BalanceAction::AddPlaytests(dir.path().join("tried.playtest.json")));
    wait_until(&mut window, "the report", |app| app.balance().playtests.results().is_some());
    window.run_steps(3);
    for text in ["1 playtest", "Times of answers", "as greedy", "4.2", "Clear explanations", "Why seven?"] {
        assert!(is_shown(&window, text), "{text}");
    }
    assert!(app(&window).balance().playtests.results().unwrap().problems.is_empty());
    // The folder contains a file that is empty.
    give(&mut window, BalanceAction::AddPlaytests(dir.path().to_owned()));
    wait_until(&mut window, "the folder", |app| !app.balance().playtests.is_running());
    window.run_steps(3);
    assert!(is_shown(&window, "empty.playtest.json: the file is empty"));
    assert_eq!(app(&window).balance().playtests.results().unwrap().n_files, 1, "no file is read twice");
    let note = window.query_all_by_label_contains("Why seven?").next().unwrap().rect();
    click_at(&mut window, note.left_center() + egui::vec2(20.0, 0.0), egui::PointerButton::Primary);
    wait_until(&mut window, "the moment", |app| app.snapshot().position_index() == 3);
    give(&mut window, BalanceAction::ClosePlaytests);
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), Action::Command(Command::Balance));
    window.run_steps(3);
    assert!(is_shown(&window, "Run 200 games") && !is_shown(&window, "Why seven?"));
}

fn row_of(window: &Window, name: &str) -> ReportRow {
    let known = app(window).balance().results().unwrap().clone();
    let mut rows = known.tables.iter().flat_map(|section| &section.rows);
    rows.find(|row| row.name == name).unwrap().clone()
}

/// Compares the rules in play with all values of a setting, and with another value of a setting.
/// Then compares them with one more mod, and without each rule in turn. Writes results to files.
#[test]
fn rules_are_compared_with_others_and_written_down() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = watched(&testkit::mods_folder());
    for seat in [0, 1] {
        let action = Action::SetBot(table::Seat(seat), Some("random".to_owned()));
        window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
    }
    window.run_steps(3);
    let compare = |window: &mut Window, against: ComparedRules| {
        let action = Action::Balance(BalanceAction::Compare(against));
        window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
        wait_until(window, "all games", |app| {
            app.balance().error().is_some()
                || app.balance().snapshot().is_some_and(|seen| seen.report.n_games == 200)
                    && !app.balance().is_running()
        });
        window.run_steps(3);
        assert_eq!(app(window).balance().error(), None);
    };
    let write = |window: &mut Window, name: &str| {
        let path = folder.path().join(name);
        let action = Action::Balance(BalanceAction::Write(path.clone()));
        window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
        wait_until(window, "the file", |_| path.exists());
        std::fs::read(&path).unwrap()
    };
    compare(&mut window, ComparedRules::Sweep("base.small_city".to_owned(), None));
    assert!(is_shown(&window, "Curve: points of all") && is_shown(&window, "base.small_city makes a difference"));
    let rows = String::from_utf8(write(&mut window, "curve.csv")).unwrap();
    assert!(rows.starts_with("measure,setting,value,mean,mean_low,mean_high,difference,"), "{rows}");
    assert!(write(&mut window, "curve.parquet").starts_with(b"PAR1"));
    compare(&mut window, ComparedRules::Setting("base.farmers".to_owned(), "false".to_owned()));
    assert!(is_shown(&window, "Measurable difference from base.farmers = false."));
    compare(&mut window, ComparedRules::WithMod("inns-cathedrals".to_owned()));
    assert!(is_shown(&window, "with inns-cathedrals (A) against these rules (B)"));
    // The example game opens at the position at which it begins to differ under the two rule sets.
    let known = app(&window).balance().results().unwrap().clone();
    let row = known.compared[0].rows.iter().find(|row| row.name == "points of all").unwrap();
    let open = Action::Balance(BalanceAction::Open(row.example.clone().unwrap(), ShownRules::Different));
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), open);
    // The games have different tiles and differ from the beginning, so the position is near the
    // beginning.
    wait_until(&mut window, "the game", |app| {
        app.snapshot().steps().len() > 100 && app.snapshot().position_index() < 10
    });
    let page = String::from_utf8(write(&mut window, "page.html")).unwrap();
    assert!(page.contains("with inns-cathedrals (A) against base (B)"), "{page}");
    compare(&mut window, ComparedRules::Parts);
    for text in ["Effect of each rule", "base: score_value", "tag shield"] {
        assert!(is_shown(&window, text), "{text}");
    }
    let known = app(&window).balance().results().unwrap().clone();
    let row = known.compared[0].rows.iter().find(|row| row.name == "tag shield").unwrap();
    let open = Action::Balance(BalanceAction::Open(row.example.clone().unwrap(), ShownRules::InPlay));
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), open);
    wait_until(&mut window, "points for a city", |app| {
        let (at, line) = (app.snapshot().position_index(), app.snapshot().steps());
        at > 10 && line[at - 1].awards.iter().any(|award| &*award.reason == "city")
    });
    compare(&mut window, ComparedRules::Nothing);
    press(&mut window, Key::F5);
    wait_until(&mut window, "all games", |app| {
        app.balance().snapshot().is_some_and(|seen| !seen.games.is_empty() && seen.report.n_games == 200)
            && !app.balance().is_running()
    });
    let rows = String::from_utf8(write(&mut window, "games.csv")).unwrap();
    assert_eq!(rows.lines().count(), 201, "a heading and a row for each game");
}

#[test]
fn a_seat_is_played_by_the_bot_that_plays_it_in_the_game() {
    let mut start = game(&["base"], 4, 0);
    let bots = ["random", "search:250", "greedy!pass"];
    let setup = start.setup.as_mut().unwrap();
    setup.bots = setup.players.iter().cloned().zip(bots.map(str::to_owned)).collect();
    let mut window = open(start, 1000.0, 700.0);
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), Command::Balance);
    window.run_steps(3);
    let names: Vec<&str> = app(&window).balance().players.iter().map(|player| &*player.name).collect();
    assert_eq!(names, ["random", "search:250", "greedy!pass", "greedy"]);
}
