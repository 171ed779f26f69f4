//! Writes games as records and reads them again.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::rc::Rc;

use record::{Record, Reload, given_lines, record_text, reload, replay, start_game, state_hash};
use rules::{Answer, Dealer, Game, Hook, Rules, Setup, Status, Value, option_texts};
use testkit::{Kit, ask_or_pass, hash, position};

/// Makes rules with a mod that asks a question for every tile.
fn rules() -> Rc<Rules> {
    let asks = |_: &[Value], call: &mut rules::Call<'_>| {
        let player = call.state().player();
        ask_or_pass(call, player, "More?", &["more"])?;
        Ok(Value::Unit)
    };
    Kit::small().hook(Hook::TilePlaced, asks).rules()
}

/// Plays a whole game. Calls `each` before every answer and at the end. The value of `n` determines
/// the chosen options.
fn played(mut each: impl FnMut(&Game), mut n: usize) -> Game {
    let mut game = start_game(rules(), Setup::of(&["kit"], 3)).unwrap();
    let mut dealer = Dealer::new(5);
    loop {
        each(&game);
        let Status::Decision(decision) = game.status() else { return game };
        let n_options = decision.n_options(game.state());
        match dealer.answer(&game.rules().ruleset, game.state()) {
            Some(choice) => game.answer(choice).unwrap(),
            None => {
                n += 7;
                game.answer_nth(n % n_options);
            }
        }
    }
}

#[test]
fn a_settled_position_is_the_same_as_text() {
    let mut n_settled = 0;
    played(
        |game| {
            if !game.state().is_settled() {
                return;
            }
            n_settled += 1;
            let setup = Setup { position: position(game), ..game.setup().clone() };
            let again = start_game(game.rules().clone(), setup).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!((position(&again), hash(&again)), (position(game), hash(game)));
            let texts = |game: &Game| option_texts(&game.rules().ruleset, game.state());
            assert_eq!(texts(&again), texts(game));
        },
        4,
    );
    assert!(n_settled > 20, "{n_settled}");
}

#[test]
fn a_record_is_the_whole_game() {
    let game = played(|_| {}, 1);
    let (record, problems) = Record::parse(&record_text(&game));
    assert_eq!(problems, []);
    let mut n = 0;
    let run = replay(game.rules().clone(), &record, |_| n += 1).unwrap();
    assert_eq!((n, run.failures), (game.log().len(), Vec::new()));
    assert!(*run.game.state() == *game.state());
}

#[test]
fn the_same_rules_change_nothing_and_others_say_where() {
    let game = played(|_| {}, 2);
    assert!(matches!(reload(&game, rules(), game.setup().clone()), Ok(Reload::Same(_))));
    let silent = Kit::small().rules();
    let Ok(Reload::Diverged { answer, game: new, .. }) = reload(&game, silent, game.setup().clone()) else {
        panic!("nobody asks for more now");
    };
    assert_eq!(new.log(), &game.log()[..answer]);
    assert!(matches!(game.log()[answer], Answer::ModOption(_) | Answer::Pass));
}

#[test]
fn hashes_tell_what_is_going_on_but_not_how_it_came_about() {
    let mut hashes = Vec::new();
    let game = played(|game| hashes.push(state_hash(&game.rules().ruleset, game.state())), 3);
    let n = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!((hashes.len(), n), (n, game.log().len() + 1));
    let lines = given_lines(&game.rules().ruleset, game.state());
    assert!(lines.iter().any(|line| line.starts_with("turn ")));
}

#[test]
fn lines_that_make_no_sense_are_named() {
    let wrong = [
        ("tile kit/cap 1,0 0", "edge of kit/cap does not fit its neighbour's on 1,0"),
        ("piece red meeple 0,0 town", "has no zone town"),
        ("score red 1 2", "has one score marker"),
        ("supply red meeple many", "`many` is not a number"),
        ("supply grey meeple 1", "players are red, blue"),
        ("deck land kit/cap*70000", "is not a number, or out of range"),
        ("mem kit []", "the stored data must be a map"),
        ("weather fine", "unknown word `weather` after `given`"),
    ];
    for (line, expected) in wrong {
        let setup = Setup { position: vec!["score blue 3".to_owned(), line.to_owned()], ..Setup::of(&["kit"], 2) };
        let Err(errors) = start_game(rules(), setup) else { panic!("{line} is taken") };
        assert_eq!((errors.0.len(), errors.0[0].0), (1, 1), "{line}");
        let said = errors.0[0].1.to_string();
        assert!(said.contains(expected), "{line}: {said}");
    }
}

#[test]
fn an_expectation_that_fails_says_what_would_hold() {
    let lines = [
        ("score red 4", "score red 0"),
        ("supply red meeple 1", "supply red meeple 7"),
        ("options 400", "options 6"),
        ("deck land 3", "deck land 21"),
        ("award red 4 town", "no award red"),
        ("decision blue deploy", "decision chance draw"),
        ("no decision", "decision chance draw"),
        ("no option draw kit/cap", "option draw kit/cap"),
        ("option place 9,9 0", "no option place 9,9 0"),
        ("no tile 0,0", "tile kit/straight 0,0 0"),
        ("tile kit/cap 3,0", "no tile 3,0"),
        ("turn blue", "turn red"),
        ("next red", "next blue"),
        ("order blue red", "order red blue"),
        ("over", "not over"),
        ("fault nothing", "no fault"),
        ("note said", "no note said"),
        ("space red 3", "space red 0"),
    ];
    // An answer or item with an unknown name is a spelling mistake, also after `no`.
    let without = [
        "hand red kit/cap",
        "score grey 3",
        "nonsense",
        "option draw kit/straw",
        "no option draw kit/straw",
        "no option deploy straw 0,0 town",
        "no seen red hand blue kit/straw",
        "hand red kit/straw",
    ];
    let said: String = lines.iter().map(|(text, _)| *text).chain(without).map(|t| format!("expect {t}\n")).collect();
    let (record, _) = Record::parse(&format!("bastide 1\nmods kit\nplayers red blue\n{said}"));
    let run = replay(rules(), &record, |_| {}).unwrap();
    assert_eq!(run.failures.len(), lines.len() + without.len());
    let expected = lines.iter().map(|(_, instead)| Some(*instead)).chain(without.map(|_| None));
    for (failed, instead) in run.failures.iter().zip(expected) {
        assert_eq!(failed.replacement.as_deref(), instead, "{}", failed.text);
    }
}

#[test]
fn lines_after_a_fault_follow_it() {
    let rules = Kit::small().hook(Hook::TilePlaced, |_, _| Err("never".into())).rules();
    let log = "expect score red 1\ndraw kit/straight\nplace 1,0 0\nexpect score red 2\npass\n";
    let (record, problems) = Record::parse(&format!("bastide 1\nmods kit\nplayers red blue\n{log}"));
    assert_eq!(problems, []);
    let run = replay(rules, &record, |_| {}).unwrap();
    let failed: Vec<_> = run.failures.iter().map(|failed| (failed.line, run.follows_fault(failed))).collect();
    assert_eq!((run.fault_line, failed), (6, vec![(4, false), (7, true), (8, true)]));
}

#[test]
fn an_expectation_of_a_note_or_an_award_names_what_came_before() {
    let noting = |_: &[Value], call: &mut rules::Call<'_>| {
        let n = call.state().n_answers();
        call.state_mut()?.note(&format!("tile of answer {n} {}", "x".repeat(100)));
        Ok(Value::Unit)
    };
    let text = "bastide 1\nmods kit\nplayers red blue\n\
                expect note hill\nexpect award red 3 road\n\
                draw kit/stop\nplace 1,0 90\ndeploy meeple 1,0 road@w\ndraw kit/stop\nplace -1,0 270\n\
                expect award red 3 road\n\
                draw kit/curve\n\
                expect note hill\nexpect award red 3 road\n";
    let (record, problems) = Record::parse(text);
    assert_eq!(problems, []);
    let run = replay(Kit::small().hook(Hook::TilePlaced, noting).rules(), &record, |_| {}).unwrap();
    let actual: Vec<&str> = run.failures.iter().map(|failed| failed.actual.as_str()).collect();
    let line = |n| format!("\"tile of answer {n} {}…\"", "x".repeat(63));
    let listed = format!("no log line contains it; the last lines, newest first, are {}, {}", line(5), line(2));
    let expected = [
        "no log line contains it; the log is empty",
        "the last answer scored no points",
        &listed,
        "the last answer scored no points; 1 answer earlier, red got 3 for road",
    ];
    assert_eq!(actual, expected);
}
