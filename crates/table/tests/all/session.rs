//! Tests of a session through its public functions: the timeline, branches, records, and mods that
//! change.

use std::fs;
use std::path::Path;

use table::{
    Answer, AwaitedActor, Facing, Library, Placement, RecordFile, ReloadOutcome, RulesChoice, Seat, Session, Setup,
    Spot, begin_game, illegal_placement_reason, odds, open_record, project,
};
use testkit::mods_folder;

use crate::common::*;

#[test]
fn answering_in_the_past_keeps_what_came_after_as_a_branch() {
    let mut session = begin(&Library::open(&[mods_folder()]), 0);
    play(&mut session, 12);
    let (whole, scores) = (texts(&session), session.steps().last().unwrap().scores.clone());
    let third = session.turns().find(|(turn, _)| *turn == 3).unwrap().1;
    session.go_to(third + 1);
    assert!(!session.is_live());
    assert_eq!(session.steps().len(), whole.len(), "looking changes nothing");
    // Giving the same answer makes no new branch.
    assert!(!session.answer_text(&whole[third + 1]).unwrap());
    assert_eq!(texts(&session), whole);
    session.go_to(third + 1);
    let other = session.view().answers()[1];
    assert!(session.answer(other).unwrap(), "a turn would have been lost");
    assert!(session.is_live());
    assert_eq!((session.current_branch_name(), session.branches().len()), ("2", 1));
    let short = texts(&session);
    session.switch_to(0).unwrap();
    assert_eq!((texts(&session), session.current_branch_name()), (whole, "1"));
    assert_eq!(session.steps().last().unwrap().scores, scores);
    session.switch_to(0).unwrap();
    assert_eq!((texts(&session), session.current_branch_name()), (short, "2"));
}

#[test]
fn a_tile_that_was_not_confirmed_is_taken_up_without_a_trace() {
    let mut session = begin(&Library::open(&[mods_folder()]), 0);
    let before = texts(&session);
    play(&mut session, 1);
    assert!(session.steps().last().unwrap().laid.is_some());
    session.undo_unconfirmed();
    assert_eq!(texts(&session), before);
    assert!(session.is_live() && session.branches().is_empty());
}

#[test]
fn undo_goes_to_the_last_answer_of_a_person_and_redo_back() {
    let mut session = begin(&Library::open(&[mods_folder()]), 1);
    play(&mut session, 6);
    while matches!(session.awaited_actor(), AwaitedActor::Chance | AwaitedActor::Bot(_)) {
        session.advance();
    }
    let at = session.position_index();
    let target = session.undo_target().unwrap();
    session.go_to(target);
    assert!(matches!(session.awaited_actor(), AwaitedActor::Person(_)));
    session.go_to(session.redo_target().unwrap());
    assert_eq!(session.position_index(), at);
    assert_eq!(session.redo_target(), None);
}

#[test]
fn the_record_grows_line_by_line_and_gives_the_same_game() {
    let temp = tempfile::tempdir().unwrap();
    let (file, library) = (temp.path().join("a.game"), Library::open(&[mods_folder()]));
    let mut session = begin(&library, 0);
    session.save_to(RecordFile::planned(file.clone()));
    play(&mut session, 8);
    session.undo_unconfirmed();
    play(&mut session, 3);
    let third = session.turns().find(|(turn, _)| *turn == 2).unwrap().1;
    session.go_to(third + 1);
    let other = session.view().answers()[2];
    session.answer(other).unwrap();
    play(&mut session, 4);
    assert!(fs::read_to_string(&file).unwrap().contains("\nback "));
    let opened = open_record(&library, &file).unwrap();
    assert_eq!(opened.warnings, [] as [String; 0]);
    assert!(texts(&opened.session).starts_with(&texts(&session)));
    session.switch_to(0).unwrap();
    session.save();
    let opened = open_record(&library, &file).unwrap();
    assert!(texts(&opened.session).starts_with(&texts(&session)));
}

/// Checks that a record opens under the current mods with all its answers and without warnings.
fn check_reopens(library: &Library, file: &Path, session: &mut Session) {
    session.save();
    let opened = open_record(library, file).unwrap();
    assert_eq!(opened.warnings, [] as [String; 0]);
    assert!(opened.is_whole);
    assert!(texts(&opened.session).starts_with(&texts(session)));
    assert_eq!(opened.session.setup(), session.setup());
}

#[test]
fn the_record_says_by_which_mods_and_bots_the_game_goes_on() {
    let (base, library) = copy_of_base();
    let file = base.library().join("a.game");
    let mut session = begin(&library, 1);
    session.save_to(RecordFile::planned(file.clone()));
    play(&mut session, 6);
    session.set_bot(Seat(0), Some("greedy"));
    check_reopens(&library, &file, &mut session);
    // If new rules make the session rewrite a file with undone answers, the session copies the file
    // first.
    session.set_bot(Seat(0), None);
    session.save();
    let at = session.undo_target().unwrap();
    session.go_to(at);
    let other = session.view().answers()[1];
    session.answer(other).unwrap();
    session.save();
    assert!(fs::read_to_string(&file).unwrap().contains("\nback "));
    // Under other rules, the same answers score other points.
    let manifest = base.file("mod.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("complete = \"tiles\"", "complete = \"2 * tiles\"")).unwrap();
    assert!(matches!(session.reload_mods(), ReloadOutcome::Changed(_) | ReloadOutcome::Same));
    play(&mut session, 2);
    check_reopens(&library, &file, &mut session);
    // The new rules forbid deploying, so the game goes back to the position before the deployment,
    // and the session copies the old record.
    fs::write(&manifest, text.replace("\"road\", \"city\", \"cloister\", \"field if farmers\"", "")).unwrap();
    assert!(matches!(session.reload_mods(), ReloadOutcome::Diverged(_)));
    let whole = texts(&session);
    session.continue_to_divergence();
    play(&mut session, 2);
    check_reopens(&library, &file, &mut session);
    assert!(fs::read_to_string(base.library().join("a.1.game")).unwrap().contains("\nback "));
    let aside = open_record(&library, &base.library().join("a.2.game")).unwrap();
    assert!(!aside.is_whole && !aside.warnings.is_empty());
    assert!(whole.iter().all(|text| fs::read_to_string(base.library().join("a.2.game")).unwrap().contains(text)));
}

#[test]
fn what_another_version_remembered_is_brought_up_to_date_once() {
    let (base, library) = copy_of_base();
    let own = base.library().join("x");
    fs::create_dir(&own).unwrap();
    let manifest = |version: &str| format!("[mod]\nid = \"x\"\nversion = \"{version}\"\nrequires = [\"base\"]\n");
    fs::write(own.join("mod.toml"), manifest("1.0.0")).unwrap();
    fs::write(own.join("rules.rhai"), "fn tile_placed(tile) { mem.game.n += 1; }").unwrap();
    let given = vec!["mem x {\"n\": 10}".to_owned()];
    let setup = Setup { seed: Some(3), position: given, ..Setup::of(&["x"], 2) };
    let file = base.library().join("a.game");
    let mut session = begin_game(&library, setup).unwrap();
    session.save_to(RecordFile::planned(file.clone()));
    play(&mut session, 4);
    // The new version of the mod counts in hundreds, so its `migrate` function multiplies the
    // stored number by 100.
    fs::write(own.join("mod.toml"), manifest("2.0.0")).unwrap();
    let script = "fn tile_placed(tile) { mem.game.n += 100; }\nfn migrate(memory, from) { memory.n *= 100; memory }";
    fs::write(own.join("rules.rhai"), script).unwrap();
    assert!(!matches!(session.reload_mods(), ReloadOutcome::Failed(_) | ReloadOutcome::Untouched));
    assert_eq!(session.setup().position, ["mem x {\"n\":1000}"]);
    play(&mut session, 2);
    let memory =
        |session: &Session| session.view().position_lines().into_iter().find(|line| line.starts_with("mem x")).unwrap();
    let before = memory(&session);
    check_reopens(&library, &file, &mut session);
    assert_eq!(memory(&open_record(&library, &file).unwrap().session), before);
}

#[test]
fn other_mods_at_the_table_are_in_the_record() {
    let temp = tempfile::tempdir().unwrap();
    let (file, library) = (temp.path().join("a.game"), Library::open(&[mods_folder()]));
    let mut session = begin(&library, 0);
    session.save_to(RecordFile::planned(file.clone()));
    play(&mut session, 4);
    let more = RulesChoice::from_setup(session.setup()).with_mods(vec!["base".to_owned(), "gold-mines".to_owned()]);
    if matches!(session.change_rules(&more), ReloadOutcome::Diverged(_)) {
        session.continue_to_divergence();
    }
    assert_eq!(session.setup().mods.len(), 2);
    play(&mut session, 20);
    check_reopens(&library, &file, &mut session);
}

#[test]
fn files_count_as_read_until_they_change() {
    let (base, library) = copy_of_base();
    let mut session = begin(&library, 2);
    let (script, folder) = (base.file("rules.rhai"), base.file(""));
    let has_read = |session: &Session, file: &Path| session.is_up_to_date(&[file.to_owned()]);
    assert!(has_read(&session, &script) && has_read(&session, &base.file("mod.toml")));
    assert!(has_read(&session, &base.file("removed.tmp")), "a file that came and went");
    assert!(!has_read(&session, &folder), "a folder may have new files");
    let text = fs::read_to_string(&script).unwrap();
    fs::write(&script, "fn broken(").unwrap();
    assert!(!has_read(&session, &script));
    assert!(matches!(session.reload_mods(), ReloadOutcome::Failed(_)));
    assert!(has_read(&session, &script), "the broken text is known");
    fs::write(&script, text).unwrap();
    assert!(!has_read(&session, &script));
    fs::remove_file(&script).unwrap();
    assert!(!has_read(&session, &script));
}

#[test]
fn changed_mods_are_taken_over_and_broken_ones_are_not() {
    let (base, library) = copy_of_base();
    let mut session = begin(&library, 2);
    while session.awaited_actor() != AwaitedActor::Nobody {
        assert!(session.advance());
    }
    assert!(matches!(session.reload_mods(), ReloadOutcome::Untouched));
    let scores = session.steps().last().unwrap().scores.clone();
    let manifest = base.file("mod.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("complete = \"tiles\"", "complete = \"3 * tiles\"")).unwrap();
    session.go_to(20);
    let ReloadOutcome::Changed(summary) = session.reload_mods() else { panic!("roads are worth more") };
    assert!(summary.starts_with("changed: turn "), "{summary}");
    assert_eq!(session.position_index(), 20, "the moment looked at stays");
    assert_ne!(session.steps().last().unwrap().scores, scores);
    // A file with errors changes nothing.
    let (before, line) = (session.steps().last().unwrap().scores.clone(), texts(&session));
    fs::write(&manifest, "[mod\n").unwrap();
    let ReloadOutcome::Failed(problems) = session.reload_mods() else { panic!("this is no TOML") };
    assert!(problems.n_errors() > 0);
    assert_eq!((texts(&session), &session.steps().last().unwrap().scores), (line, &before));
    fs::write(&manifest, &text).unwrap();
    assert!(matches!(session.reload_mods(), ReloadOutcome::Changed(_)));
    assert_eq!(session.steps().last().unwrap().scores, scores);
    assert!(session.problems().is_empty());
}

/// Plays until the game ends or offers to deploy on a road. Returns whether the game has ended.
fn offers_no_roads(session: &mut Session) -> bool {
    while session.awaited_actor() != AwaitedActor::Nobody {
        let view = session.view();
        let is_road = |answer: Answer| matches!(answer, Answer::Deploy { zone, .. } if view.zone_kind(zone) == "road");
        if view.answers().into_iter().any(is_road) {
            return false;
        }
        play(session, 1);
    }
    true
}

#[test]
fn rules_that_do_not_fit_wait_for_a_choice() {
    let (base, library) = copy_of_base();
    let manifest = base.file("mod.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let narrow = text.replace("stands_on = [\"road\", ", "stands_on = [");
    assert_ne!(text, narrow);
    let diverge = |session: &mut Session| {
        fs::write(&manifest, &narrow).unwrap();
        assert!(matches!(session.reload_mods(), ReloadOutcome::Diverged(_)));
        assert!(session.divergence().is_some_and(|m| m.turn > 1 && m.reason.contains("not offered")));
    };
    let begin_long = || {
        fs::write(&manifest, &text).unwrap();
        let mut session = begin(&library, 0);
        // The first option of a question about deploying is a deployment, not passing.
        play(&mut session, 16);
        session
    };
    let mut session = begin_long();
    let line = texts(&session);
    diverge(&mut session);
    assert_eq!(texts(&session), line, "the old rules are in force");
    session.keep_old_rules();
    assert!(session.divergence().is_none());
    assert_eq!(texts(&session), line);

    let mut session = begin_long();
    diverge(&mut session);
    session.continue_to_divergence();
    assert!(session.steps().len() < line.len() && line.starts_with(&texts(&session)));
    assert_eq!(session.branches().len(), 1, "the old line is kept");
    assert!(offers_no_roads(&mut session));

    let mut session = begin_long();
    let n_tiles = session.view().tiles().len();
    diverge(&mut session);
    session.continue_from_position(None).unwrap();
    assert_eq!(session.view().tiles().len(), n_tiles);
    assert!(offers_no_roads(&mut session));
    assert!(!session.setup().position.is_empty());
}

#[test]
fn odds_and_reasons_say_what_fits() {
    let session = begin(&Library::open(&[mods_folder()]), 0);
    let view = session.view();
    let found = odds(view);
    assert_eq!(found.len(), 4);
    let n_left = view.n_tiles_left();
    assert!(found.iter().all(|o| o.n_fits > 0 && o.n_fits <= n_left + 1 && (0.0..=1.0).contains(&o.chance_own)));
    let tile = view.tile_to_place().unwrap();
    let offered = |place: Placement| view.answers().contains(&Answer::Place(place));
    let mut n_edges = 0;
    for spot in found.iter().map(|o| o.spot) {
        for facing in Facing::ALL {
            let place = Placement { spot, facing };
            let reason = illegal_placement_reason(view, tile, place);
            assert_eq!(reason.is_none(), offered(place));
            n_edges += usize::from(reason.is_some_and(|w| w.sentence().contains(" meets ")));
        }
    }
    assert!(n_edges > 0);
    let far = Placement { spot: Spot::new(9, 9), facing: Facing::default() };
    assert_eq!(illegal_placement_reason(view, tile, far).unwrap().sentence(), "no tile lies next to this spot");
}

#[test]
fn the_projection_is_the_final_count() {
    let mut session = begin(&Library::open(&[mods_folder()]), 2);
    for _ in 0..60 {
        session.advance();
    }
    let projection = project(session.game(), None).unwrap();
    let now = session.view().scores();
    let mut sum = now.clone();
    projection.awards.iter().for_each(|a| sum[a.player.0 as usize] += a.points);
    assert_eq!(sum, projection.scores);
    assert_eq!(session.view().scores(), now, "nothing was touched");
}

/// The projection includes complete features that are not scored yet. Passing scores these
/// features, so it does not change the projection.
#[test]
fn the_projection_pays_what_is_complete_and_not_scored_yet() {
    let mut session = begin(&Library::open(&[mods_folder()]), 0);
    let mut n_scored = 0;
    while let Some(answer) = {
        while session.awaited_actor() == AwaitedActor::Chance {
            assert!(session.advance());
        }
        session.view().answers().first().copied()
    } {
        if session.view().answers().contains(&Answer::Pass) {
            let booked = session.view().scores();
            let [now, after] = [None, Some(Answer::Pass)].map(|after| project(session.game(), after).unwrap());
            assert_eq!(now.scores, after.scores);
            let in_brackets: i64 = now.scores.iter().sum::<i64>() - booked.iter().sum::<i64>();
            assert_eq!(now.awards.iter().map(|award| award.points).sum::<i64>(), in_brackets);
            n_scored += usize::from(now.awards.iter().any(|award| !award.is_final));
        }
        session.answer(answer).unwrap();
    }
    assert!(n_scored > 0, "nothing was completed before a question");
}

#[test]
fn no_two_moments_and_no_two_sessions_share_a_revision() {
    let library = Library::open(&[mods_folder()]);
    let (mut one, other) = (begin(&library, 0), begin(&library, 0));
    assert_ne!(one.id(), other.id());
    assert_ne!(one.revision(), other.revision());
    let mut seen = vec![one.revision()];
    play(&mut one, 3);
    seen.push(one.revision());
    one.go_to(1);
    seen.push(one.revision());
    one.set_bot(Seat(0), Some("random"));
    seen.push(one.revision());
    one.reload_mods();
    seen.push(one.revision());
    assert!((1..seen.len()).all(|i| !seen[..i].contains(&seen[i])), "{seen:?}");
}

#[test]
fn the_mods_on_disk_are_told_by_their_manifests_alone() {
    let (base, library) = copy_of_base();
    let own = base.library().join("x");
    fs::create_dir(&own).unwrap();
    fs::write(own.join("mod.toml"), "[mod]\nid = \"x\"\ntitle = \"Ex\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n")
        .unwrap();
    fs::write(own.join("rules.rhai"), "fn this is no script").unwrap();
    let mut session = begin(&library, 0);
    assert!(session.mods_on_disk().is_none(), "nobody has asked");
    session.read_mods_on_disk();
    let mods = session.mods_on_disk().unwrap().clone();
    let rows: Vec<(&str, &str, bool)> = mods.iter().map(|m| (m.id.as_str(), m.title.as_str(), m.is_game)).collect();
    assert_eq!(rows[1], ("x", "Ex", false));
    assert_eq!((rows.len(), rows[0].0, rows[0].2), (2, "base", true));
    assert!(mods.iter().all(|m| m.error.is_none()), "scripts are not looked at");
    assert_eq!(mods[1].folder, own);
    assert!(mods[1].needs("base") && !mods[0].needs("x"));
    fs::write(own.join("mod.toml"), "[mod]\nid = \"x\"\nversion = \"1.0.0\"\nrequires = [\"bse\"]\n").unwrap();
    assert!(session.mods_on_disk().unwrap()[1].error.is_none(), "what is on disk is not looked at in every frame");
    session.reload_mods();
    assert!(session.mods_on_disk().unwrap()[1].error.as_ref().is_some_and(|text| text.contains("bse")));
}

#[test]
fn what_bots_have_considered_is_known_for_their_answers_and_for_no_others() {
    let library = Library::open(&[mods_folder()]);
    let mut setup = Setup { seed: Some(3), ..Setup::of(&["base"], 2) };
    setup.bots = vec![("red".to_owned(), "greedy".to_owned()), ("blue".to_owned(), "search:100".to_owned())];
    let mut session = begin_game(&library, setup).unwrap();
    while session.turn() < 5 {
        assert!(session.advance());
    }
    let (mut n_greedy, mut n_searched) = (0, 0);
    for (i, step) in session.steps().iter().enumerate() {
        let Some(reasoning) = session.reasoning(i) else { continue };
        assert_eq!(reasoning.options[0].text, step.text, "what was taken comes first");
        assert!(reasoning.options.len() <= reasoning.n_options);
        let is_searched = reasoning.options.iter().all(|option| option.n_simulations > 0 && option.chance.is_some());
        assert!(is_searched == (step.player == Seat(1)), "{reasoning:?}");
        *(if is_searched { &mut n_searched } else { &mut n_greedy }) += 1;
    }
    assert!(n_greedy > 2 && n_searched > 1, "{n_greedy} {n_searched}");
    let i = session.steps().iter().position(|step| step.text.starts_with("place ")).unwrap();
    let mut other = session.reasoning(i).unwrap().options.iter().map(|it| it.text.clone());
    let other = other.find(|text| *text != session.steps()[i].text).unwrap();
    session.go_to(i);
    let answers = session.view().answers();
    let answer = answers.into_iter().find(|it| session.view().answer_text(*it).as_ref() == Some(&other)).unwrap();
    session.answer(answer).unwrap();
    assert!(session.reasoning(i).is_none(), "nobody has considered that answer");
}

#[test]
fn who_plays_at_random_regrets_more_than_who_is_greedy() {
    let library = Library::open(&[mods_folder()]);
    let mut setup = Setup { seed: Some(3), ..Setup::of(&["base"], 2) };
    setup.bots = vec![("red".to_owned(), "greedy".to_owned()), ("blue".to_owned(), "random".to_owned())];
    let mut session = begin_game(&library, setup).unwrap();
    while session.turn() < 25 {
        assert!(session.advance());
    }
    let mut costs = [0.0; 2];
    for (i, step) in session.steps().iter().enumerate() {
        let Some(regret) = session.regret(i) else { continue };
        assert!(regret.points >= 0.0 && regret.seat == step.player);
        assert_eq!(regret.points == 0.0, regret.best == step.text, "{}: {regret:?}", step.text);
        costs[regret.seat.idx()] += regret.points;
    }
    assert!(costs[1] > 1.5 * costs[0], "{costs:?}");
    assert!(session.regret(0).is_none(), "chance regrets nothing");
}
