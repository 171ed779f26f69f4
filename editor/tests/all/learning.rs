//! Learning to play: the guided first game, and the rules of the mods in play.

use crate::common::*;
use editor::{Action, Command, LessonAction, LessonStage, StartOptions, Workspace, lessons};
use egui::{Key, Modifiers, PointerButton};
use egui_kittest::kittest::Queryable as _;
use table::{Facing, Placement, Spot};

fn command(window: &mut Window, command: Command) {
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), command);
    window.run_steps(4);
}

fn open_lesson(window: &mut Window, number: usize) {
    let action = Action::Lesson(LessonAction::Open(number));
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
    window.run_steps(4);
}

fn is_read(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

fn stage(window: &Window) -> LessonStage {
    app(window).lesson().expect("a lesson is open").stage
}

/// Returns the placement of a record's line, such as `place 1,-1 90`.
fn placement(line: &str) -> Option<Placement> {
    let (spot, degrees) = line.strip_prefix("place ")?.split_once(' ')?;
    let (x, y) = spot.split_once(',')?;
    let quarters: u8 = (degrees.parse::<u16>().ok()? / 90).try_into().ok()?;
    Some(Placement { spot: Spot::new(x.parse().ok()?, y.parse().ok()?), facing: Facing::from_quarters(quarters) })
}

/// Lays the tile as a user does: points at the place, turns the tile with R and clicks.
fn lay(window: &mut Window, wanted: Placement) {
    let at = app(window).board().screen_rect_of(wanted.spot).center();
    window.hover_at(at);
    window.run_steps(3);
    for _ in 0..4 {
        if app(window).board().facing_of_ghost() == Some(wanted.facing) {
            break;
        }
        press(window, Key::R);
    }
    click_at(window, at, PointerButton::Primary);
}

/// Gives an answer of a record as a user does.
fn play(window: &mut Window, line: &str) {
    if let Some(wanted) = placement(line) {
        return lay(window, wanted);
    }
    if line == "pass" {
        return press(window, Key::Space);
    }
    let options = session(window).view().option_views();
    let option = options.iter().find(|option| option.text == line).map(|option| option.answer);
    let option = option.unwrap_or_else(|| panic!("{line} is not offered"));
    let at = app(window).board().screen_pos_of_option(option).expect("the option has a mark on the board");
    click_at(window, at, PointerButton::Primary);
}

#[test]
fn the_guided_game_is_played_to_its_end_and_every_goal_is_reached() {
    let temp = tempfile::tempdir().unwrap();
    let start = StartOptions { data: Some(temp.path().to_owned()), ..game(&["base"], 2, 0) };
    let mut window = open_in(Workspace::Play, start, 1366.0, 768.0);
    press(&mut window, Key::PageDown);
    press(&mut window, Key::Enter);
    let mine = session(&window).record_text();
    command(&mut window, Command::Learn);
    for (i, lesson) in lessons().iter().enumerate() {
        assert!(is_read(&window, &format!("step {} of {}", i + 1, lessons().len())), "{}", lesson.name);
        assert!(is_read(&window, &lesson.title) && is_read(&window, &lesson.goal), "{}", lesson.name);
        if lesson.has_goal() {
            assert!(is_read(&window, "Skip"));
            for line in &lesson.solution {
                play(&mut window, line);
            }
            wait_until(&mut window, lesson.name, |app| app.lesson().unwrap().stage == LessonStage::Reached);
            assert!(is_read(&window, "Goal reached") && is_read(&window, &lesson.done), "{}", lesson.name);
            // Neither chance nor the other player continues the game.
            assert_eq!(
                session(&window).steps().iter().filter(|step| step.who != table::Actor::Chance).count(),
                lesson.solution.len()
            );
        }
        if i + 1 < lessons().len() {
            click(&mut window, "Next");
        }
    }
    assert_eq!(app(&window).settings.lessons_done.len(), lessons().len());
    for way in ["road", "city", "cloister", "field"] {
        assert!(window.query_by_label(way).is_some(), "{way}");
    }
    // The user's own game is unchanged.
    click(&mut window, "Leave");
    wait_until(&mut window, "the game is back", |app| app.lesson().is_none());
    assert_eq!(session(&window).record_text(), mine);
    let n_records = std::fs::read_dir(temp.path().join("games")).unwrap().count();
    assert_eq!(n_records, 1, "lessons are not stored");
    // All goals are reached, so the guided game starts again at the first lesson. After the last
    // lesson, a game begins.
    command(&mut window, Command::Learn);
    assert_eq!(app(&window).lesson().unwrap().number, 0);
    open_lesson(&mut window, lessons().len() - 1);
    click(&mut window, "Start a game");
    assert!(app(&window).lesson().is_none());
    assert_eq!(session(&window).setup().bots.len(), 1);
}

#[test]
fn another_move_is_explained_and_undone() {
    let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), 1366.0, 768.0);
    command(&mut window, Command::Learn);
    let lesson = |name: &str| lessons().iter().position(|lesson| lesson.name == name).unwrap();
    let wrong: [(&str, &[&str]); 5] = [
        ("turn", &["place 1,0 0"]),
        ("claim", &["place 1,0 0", "pass"]),
        ("road", &["place -2,0 0", "pass"]),
        ("taken", &["place 1,0 90", "pass"]),
        ("field", &["place 1,0 0", "deploy follower 1,0 road@e"]),
    ];
    for (name, moves) in wrong {
        open_lesson(&mut window, lesson(name));
        let begin = session(&window).position_index();
        assert!(!is_read(&window, "Undo and try again"), "{name}");
        for line in moves {
            play(&mut window, line);
        }
        wait_until(&mut window, name, |app| app.lesson().unwrap().stage == LessonStage::Missed);
        assert!(is_read(&window, &lessons()[lesson(name)].otherwise), "{name}");
        assert!(is_read(&window, "Continue with the lesson"), "{name}: no draw is offered");
        click(&mut window, "Undo and try again");
        assert_eq!((session(&window).position_index(), stage(&window)), (begin, LessonStage::Open), "{name}");
    }
    assert!(app(&window).settings.lessons_done.is_empty());
    // The place can be wrong too.
    open_lesson(&mut window, lesson("turn"));
    play(&mut window, "place -1,0 180");
    wait_until(&mut window, "a wrong place", |app| app.lesson().unwrap().stage == LessonStage::Missed);
    assert!(is_read(&window, "This is another place.") && !is_read(&window, "Drawing a tile."));
    // Undo works too, and a lesson can be skipped.
    open_lesson(&mut window, lesson("turn"));
    play(&mut window, "place 1,0 0");
    wait_until(&mut window, "a wrong move", |app| app.lesson().unwrap().stage == LessonStage::Missed);
    press_with(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(stage(&window), LessonStage::Open);
    click(&mut window, "Skip");
    assert_eq!(app(&window).lesson().unwrap().lesson.name, "claim");
    click(&mut window, "Back");
    assert_eq!(app(&window).lesson().unwrap().lesson.name, "turn");
    click(&mut window, "Skip");
    // A new game does not take over the players and settings of the lesson.
    command(&mut window, Command::PlayAgain);
    assert!(app(&window).lesson().is_none());
    let setup = session(&window).setup();
    assert!(setup.settings.is_empty() && setup.bots.len() == 1, "{setup:?}");
}

#[test]
fn the_guided_game_fits_into_small_windows() {
    for (width, height) in [(1024.0, 600.0), (683.0, 400.0), (400.0, 700.0)] {
        let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), width, height);
        command(&mut window, Command::Learn);
        assert!(is_read(&window, &lessons()[0].title), "{width}");
        let board = app(&window).board().screen_rect();
        let text = window.query_all_by_label_contains("Your goal").next().expect("the goal").rect();
        assert!(!board.intersects(text), "{width}: the panel covers no tile");
        let goal = window.query_all_by_label_contains(&lessons()[0].goal).next().expect("the goal").rect();
        assert!(goal.bottom() < height, "{width}: the goal is visible without scrolling");
        assert!(board.contains_rect(app(&window).board().screen_rect_of(Spot::new(0, 0))), "{width}");
        play(&mut window, lessons()[0].solution[0]);
        wait_until(&mut window, "the goal", |app| app.lesson().unwrap().stage == LessonStage::Reached);
        click(&mut window, "Next");
        assert_eq!(app(&window).lesson().unwrap().number, 1);
    }
}

#[test]
fn the_rules_of_the_game_have_contents_tiles_and_all_expansions() {
    let mut window = open(game(&["base", "inns-cathedrals"], 2, 0), 1400.0, 900.0);
    command(&mut window, Command::RulesOfGame);
    window.run_steps(4);
    for text in ["Contents:", "Inns & Cathedrals", "Our rulings", "71 tiles of 24 kinds", "3 for each completed city"] {
        assert!(is_read(&window, text), "{text}");
    }
    for text in ["tests/facts/base.json", "bastide test base", "the 24 tile types, one line each"] {
        assert!(!is_read(&window, text), "{text} is for authors");
    }
    // A click in the contents scrolls to the heading.
    let top = |window: &Window| {
        let headings = window.query_all_by_label("Inns & Cathedrals").filter(|it| it.rect().height() > 18.0);
        headings.map(|it| it.rect().top()).fold(0.0, f32::max)
    };
    let before = top(&window);
    let link = window.query_all_by_role_and_label(egui::Role::Link, "Inns & Cathedrals").next().unwrap();
    link.click();
    window.run_steps(30);
    assert!(top(&window) < before, "{} {before}", top(&window));
}

#[test]
fn the_coach_compares_each_turn_with_the_best_move() {
    let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), 1366.0, 768.0);
    let lay_and_pass = |window: &mut Window| {
        let place = session(window).view().places()[0];
        lay(window, place);
        if asks_for_piece(session(window)) {
            press(window, Key::Space);
        }
    };
    lay_and_pass(&mut window);
    assert!(!is_read(&window, "Coach:"), "the coach is off at first");
    command(&mut window, Command::Coach);
    assert!(is_read(&window, "Coach: "));
    // Sooner or later, a player who never uses a follower misses the best move.
    for _ in 0..6 {
        if is_read(&window, "for a lead larger by") {
            break;
        }
        lay_and_pass(&mut window);
    }
    assert!(is_read(&window, "for a lead larger by"));
    let turn = session(&window).turn();
    assert!(turn > 1 && is_read(&window, if turn.is_multiple_of(2) { "points: red" } else { "points: blue" }));
    command(&mut window, Command::HintsPurist);
    assert!(!is_read(&window, "Coach:"));
    command(&mut window, Command::HintsNormal);
    open_lesson(&mut window, 0);
    play(&mut window, lessons()[0].solution[0]);
    assert!(!is_read(&window, "Coach:"), "a lesson explains its moves itself");
}

#[test]
fn a_tag_is_explained_when_it_appears_for_the_first_time() {
    let mut window = open_in(Workspace::Play, game(&["base", "inns-cathedrals"], 2, 0), 1366.0, 768.0);
    let draw_inn = |window: &mut Window| {
        let action = Action::DrawTile("inns-cathedrals/EA".to_owned());
        window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
        window.run_steps(4);
    };
    let explained = "New: inn. The road pays double";
    draw_inn(&mut window);
    assert!(is_read(&window, explained));
    let place = session(&window).view().places()[0];
    lay(&mut window, place);
    press(&mut window, Key::Space);
    draw_inn(&mut window);
    assert!(!is_read(&window, explained), "the inn was explained before, on an earlier tile");
}

#[test]
fn the_buttons_of_all_lessons_are_at_one_place() {
    let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), 1366.0, 768.0);
    command(&mut window, Command::Learn);
    let mut places = Vec::new();
    for number in 0..lessons().len() {
        open_lesson(&mut window, number);
        places.push(window.get_by_label("Back").rect());
    }
    assert!(places.iter().all(|place| *place == places[0]), "{places:?}");
}
