//! Mods advise bots with the hook `hint`, and players with `describe`.

use std::path::Path;

use record::start_game;
use rules::{Answer, Setup, describe, hint, option_value};
use tests::{load_from, mods_folder, rules};

#[test]
fn hints_and_descriptions_are_told_about_options() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("mods");
    let loaded = load_from(&[mods_folder(), here], &["hints-and-memory"]);
    let setup = Setup::of(&["hints-and-memory"], 2);
    let mut game = start_game(rules(&loaded, &setup), setup).unwrap();
    for answer in ["draw base/E", "place 0,-1 180"] {
        game.answer_text(answer).unwrap();
    }
    let (rules, state) = (game.rules(), game.state());
    let decision = state.decision().unwrap();
    let mut n_described = 0;
    for choice in decision.options(&rules.ruleset, state).iter() {
        let is_write = matches!(choice, Answer::ModOption(_));
        assert_eq!(hint(rules, state, *choice).unwrap(), if is_write { 1000 } else { 0 });
        let lines = describe(rules, state, &option_value(decision, *choice)).unwrap();
        n_described += lines.len();
        assert_eq!(lines, if is_write { vec!["Takes a sheet".to_owned()] } else { vec![] });
    }
    assert_eq!(n_described, 1);
}
