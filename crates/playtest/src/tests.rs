use crate::*;

fn question(id: &str, answers: SurveyAnswers) -> SurveyQuestion {
    SurveyQuestion { id: id.to_owned(), text: "A question?".to_owned(), answers }
}

fn rules() -> TestedRules {
    let base = TestedMod { id: "base".to_owned(), version: "1.0.0".to_owned(), hash: "0".repeat(16) };
    let choices = vec!["short".to_owned(), "long".to_owned()];
    let survey = vec![
        question("base/fun", SurveyAnswers::Scale { min: 1, max: 5 }),
        question("base/length", SurveyAnswers::Choice(choices)),
        question("base/more", SurveyAnswers::Text),
    ];
    TestedRules { mods: vec![base], survey }
}

fn answer(n: u32, person: u32) -> TimedAnswer {
    TimedAnswer {
        n,
        person,
        rules: 0,
        question: "Place the tile".to_owned(),
        asked_by: None,
        answer: "pass".to_owned(),
        ms: 1200,
        undone: false,
    }
}

fn note(person: u32, text: &str) -> Note {
    Note { n: 2, turn: 1, person, rules: 0, about: None, text: text.to_owned() }
}

fn thumb(person: u32, rule: &str, up: bool) -> Thumb {
    Thumb { n: 2, turn: 1, person, rules: 0, rule: rule.to_owned(), up }
}

fn filled() -> Playtest {
    let mut playtest = Playtest::new("KOMBLU.game".to_owned());
    let [red, watcher] = [Some("red".to_owned()), None].map(|seat| playtest.add_person(seat).unwrap());
    assert_eq!(playtest.index_of_rules(&rules()), Ok(0));
    playtest.add_answer(answer(1, red)).unwrap();
    playtest.add_answer(answer(4, red)).unwrap();
    playtest.add_note(note(watcher, "why?")).unwrap();
    playtest.set_thumb(thumb(red, "city", false)).unwrap();
    let replies = [("base/fun", Reply::Number(4)), ("base/length", Reply::Text("long".to_owned()))];
    playtest.set_replies(red, 0, replies.map(|(id, reply)| (id.to_owned(), reply)).to_vec()).unwrap();
    playtest
}

#[test]
fn a_file_is_read_as_written() {
    let playtest = filled();
    assert_eq!(Playtest::read(&playtest.text()), Ok(playtest.clone()));
    let example = include_str!("../README.md").split("```").nth(1).unwrap().strip_prefix("json").unwrap();
    let example = Playtest::read(example).unwrap();
    assert_eq!((example.people.len(), example.rules[0].survey.len()), (2, 3));
}

#[test]
fn a_person_can_be_forgotten_and_answers_undone() {
    let mut playtest = filled();
    playtest.undo_to(3);
    assert_eq!(playtest.answers.iter().map(|it| it.undone).collect::<Vec<_>>(), [false, true]);
    let fun = vec![("base/fun".to_owned(), Reply::Number(1))];
    playtest.set_replies(1, 0, fun).unwrap();
    assert_eq!(playtest.replies.len(), 2, "a reply replaces the earlier one");
    playtest.set_thumb(thumb(1, "city", true)).unwrap();
    playtest.set_thumb(thumb(1, "road", true)).unwrap();
    assert_eq!(playtest.thumbs, [thumb(1, "city", true), thumb(1, "road", true)], "a thumb replaces the earlier one");
    playtest.forget(1);
    assert!(playtest.answers.is_empty() && playtest.replies.is_empty() && playtest.thumbs.is_empty());
    assert!(!playtest.has_data_of(1));
    assert_eq!((playtest.notes.len(), playtest.people.len()), (1, 1));
    assert_eq!(playtest.add_person(None), Ok(3), "numbers are not used again");
}

#[test]
fn what_is_added_stays_within_the_limits_of_the_reader() {
    let mut playtest = filled();
    playtest.add_note(note(1, &"x".repeat(5000))).unwrap();
    playtest.add_answer(TimedAnswer { answer: "y".repeat(5000), ..answer(5, 1) }).unwrap();
    while playtest.add_note(note(1, "again")).is_ok() {}
    assert_eq!(playtest.notes.iter().filter(|note| note.person == 1).count(), MAX_NOTES_OF_PERSON);
    while playtest.add_answer(answer(6, 1)).is_ok() {}
    let n_thumbs = (0..).take_while(|n| playtest.set_thumb(thumb(1, &format!("rule {n}"), true)).is_ok()).count();
    assert_eq!(n_thumbs + 1, MAX_THUMBS_OF_PERSON);
    playtest.set_thumb(thumb(1, "rule 7", false)).unwrap();
    playtest.set_thumb(thumb(2, &"z".repeat(5000), true)).unwrap();
    while playtest.add_person(None).is_ok() {}
    assert_eq!(Playtest::read(&playtest.text()), Ok(playtest));
}

#[test]
fn replies_fit_their_questions() {
    let [fun, length, more] = <[_; 3]>::try_from(rules().survey).unwrap();
    assert_eq!(fun.parse(" 5 "), Ok(Reply::Number(5)));
    for wrong in ["0", "6", "much", "", "99999999999999999999"] {
        assert_eq!(fun.parse(wrong).unwrap_err().to_string(), "answer with a number from 1 to 5", "{wrong}");
    }
    assert_eq!(length.parse("long"), Ok(Reply::Text("long".to_owned())));
    assert_eq!(length.parse("Long").unwrap_err().to_string(), "answer with one of: short, long");
    assert!(more.parse(&"ü".repeat(500)).is_ok() && more.parse(&"ü".repeat(501)).is_err());
}

/// Each change of a valid file makes an error that names the problem.
#[test]
fn wrong_files_are_refused_with_the_reason() {
    let text = filled().text();
    for (from, to, reason) in [
        ("\"bastide playtest\"", "\"another\"", "this is not a playtest"),
        ("\"version\": 1,\n  \"record\"", "\"version\": 2,\n  \"record\"", "version 2 of the format"),
        ("KOMBLU.game", "../KOMBLU.game", "`record` must be the name of a file"),
        ("KOMBLU.game", "/etc/passwd", "`record` must be the name of a file"),
        ("\"ms\": 1200", "\"ms\": -1", "line "),
        ("\"ms\": 1200", "\"ms\": 5000000000", "line "),
        ("\"undone\"", "\"undoing\"", "unknown field `undoing`"),
        ("\"n\": 1,\n      \"person\": 1", "\"n\": 1,\n      \"person\": 9", "answer 0: `people` has no person 9"),
        ("\"rules\": 0", "\"rules\": 7", "`rules` has no entry 7"),
        ("\"id\": 2", "\"id\": 1", "person 1 is listed twice"),
        ("\"reply\": 4", "\"reply\": 40", "reply 0: answer with a number from 1 to 5"),
        ("\"reply\": \"long\"", "\"reply\": 3", "reply 1: answer with one of: short, long"),
        ("\"question\": \"base/fun\"", "\"question\": \"base/none\"", "no question `base/none`"),
        ("\"max\": 5", "\"max\": 1", "`min` must be less than `max`"),
        ("\"long\"\n", "\"long\", \"long\"]", "line "),
        ("\"up\": false", "\"up\": 0", "line "),
        ("\"rule\": \"city\"", "\"name\": \"city\"", "unknown field `name`"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = Playtest::read(&text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(reason), "{to}: {error}");
    }
    for empty in ["", " \n\t"] {
        assert_eq!(Playtest::read(empty), Err(ReadPlaytestError::Empty));
    }
    for not_json in ["[", "null", "[]", "{}", "7", "\"bastide playtest\"", &"[".repeat(100_000)] {
        assert!(Playtest::read(not_json).is_err(), "{}", &not_json[..not_json.len().min(20)]);
    }
}

#[test]
fn huge_files_are_refused() {
    let mut playtest = filled();
    playtest.answers = (0..10_001).map(|n| answer(n, 1)).collect();
    let error = Playtest::read(&playtest.text()).unwrap_err().to_string();
    assert_eq!(error, "`answers` has 10001 entries; at most 10000 are allowed");
    let long = filled().text() + &" ".repeat(MAX_BYTES as usize);
    assert_eq!(Playtest::read(&long), Err(ReadPlaytestError::TooLarge));
    let note = filled().text().replacen("why?", &"w".repeat(501), 1);
    let error = Playtest::read(&note).unwrap_err().to_string();
    assert_eq!(error, "note 0: a text has 501 characters; at most 500 are allowed");
}

/// Changed, cut and repeated bytes never cause a panic, and whatever is read can be written.
#[test]
fn random_changes_of_a_file_are_read_or_refused() {
    let mut rng = fastrand::Rng::with_seed(36);
    let text = filled().text().into_bytes();
    let mut n_read = 0;
    for _ in 0..5_000 {
        let mut bytes = text.clone();
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(..bytes.len());
            match rng.u8(..4) {
                0 => bytes[at] = rng.u8(..),
                1 => bytes.truncate(at.max(1)),
                2 if bytes.len() > 1 => drop(bytes.remove(at)),
                _ => bytes.extend_from_within(at..),
            }
        }
        let Ok(changed) = String::from_utf8(bytes) else { continue };
        if let Ok(read) = Playtest::read(&changed) {
            assert_eq!(Playtest::read(&read.text()), Ok(read));
            n_read += 1;
        }
    }
    assert!(n_read > 30, "only {n_read} changed files were read");
}
