//! Positions as text: positions that `given` lines can describe, and lines that are refused.

use record::{Record, given_lines, header_text, replay, start_game, state_hash};
use rules::{Game, Setup};
use tests::{load, load_any, rules};

/// Returns the game at the end of a record.
fn played(text: &str) -> Game {
    let (record, problems) = Record::parse(text);
    assert_eq!(problems, []);
    let ids: Vec<&str> = record.setup.mods.iter().map(|m| m.id.as_str()).collect();
    let run = replay(rules(&load_any(&ids), &record.setup), &record, |_| {}).unwrap();
    assert!(run.failures.is_empty(), "{:?}", run.failures);
    run.game
}

/// Writes the position of the game as `given` lines and reads it again from a record.
fn written(game: &Game) -> Game {
    let given = given_lines(&game.rules().ruleset, game.state());
    let begins = Some(game.state().name(game.state().player()).to_owned());
    let setup = Setup { position: given, begins, ..game.setup().clone() };
    let (record, problems) = Record::parse(&header_text(&setup));
    assert_eq!(problems, []);
    start_game(game.rules().clone(), record.setup).unwrap()
}

fn options(game: &Game) -> Vec<String> {
    rules::option_texts(&game.rules().ruleset, game.state())
}

fn hash(game: &Game) -> u64 {
    state_hash(&game.rules().ruleset, game.state())
}

/// Returns the problem of these `given` lines.
fn refused(mods: &[&str], given: &[&str]) -> String {
    let setup = Setup { position: given.iter().map(|line| (*line).to_owned()).collect(), ..Setup::of(mods, 2) };
    start_game(rules(&load(mods), &setup), setup).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn a_remembered_piece_is_the_same_piece() {
    // Red deploys a member first, and blue lays the scout. The mod stores a reference to the
    // scout's piece.
    let before = "bastide 1\nmods scout\nplayers red blue\n\ngiven hand red scout/SC1\ngiven hand blue scout/SC2\n";
    let laid = played(before);
    let mut game = laid.clone();
    let mut seed = tests::Rng::new(5);
    // Plays until a special tile is laid and the position can be written as text.
    let is_remembered =
        |game: &Game| given_lines(&game.rules().ruleset, game.state()).iter().any(|l| l.contains("@piece"));
    for _ in 0..400 {
        if is_remembered(&game) && game.state().is_settled() && game.state().pieces().count() > 2 {
            break;
        }
        let Some(decision) = game.state().decision() else { break };
        let texts = options(&game);
        let special = texts.iter().position(|t| t.starts_with("play ")).filter(|_| game.state().pieces().count() > 1);
        let n = special.unwrap_or_else(|| seed.below(decision.n_options(game.state())));
        match special {
            Some(n) => drop(game.answer_text(&texts[n]).unwrap()),
            None => game.answer_nth(n),
        }
    }
    assert!(is_remembered(&game) && game.state().is_settled(), "the seed leads to such a position");
    let again = written(&game);
    assert_eq!(hash(&again), hash(&game));
    let memory = |game: &Game| {
        let lines = given_lines(&game.rules().ruleset, game.state());
        lines.into_iter().filter(|l| l.starts_with("mem ")).collect::<Vec<_>>()
    };
    // The text names the piece by its owner and place, because piece numbers change when a position
    // is read.
    assert_eq!(memory(&again), memory(&game));
    assert!(memory(&game).iter().any(|l| l.contains("@piece 1 ") && (l.contains(" red ") || l.contains(" blue "))));
}

#[test]
fn the_order_of_laying_is_kept() {
    // The river comes from the west. The northern arm is laid before the eastern arm, and the text
    // must preserve this order.
    let text = "bastide 1\nmods river2\nplayers red blue\n\ndraw river2/R2-fork\nplace 1,0 0\npass\n\
                draw river2/R2-inn\nplace 1,-1 0\npass\n";
    let mut game = played(text);
    let mut again = written(&game);
    for game in [&mut game, &mut again] {
        game.answer_text("draw river2/R2-curve").unwrap();
    }
    assert_eq!(options(&again), options(&game));
    assert_eq!(options(&game).len(), 4);
}

#[test]
fn tokens_may_have_come_from_another_player() {
    // Red holds the only token. The line for blue, who holds none, comes first.
    let given = ["token blue king 0", "token red king 1"];
    let setup = Setup { position: given.map(str::to_owned).to_vec(), ..Setup::of(&["king-baron"], 2) };
    let game = start_game(rules(&load(&["king-baron"]), &setup), setup).unwrap();
    let lines = |game: &Game| given_lines(&game.rules().ruleset, game.state());
    assert!(lines(&game).contains(&"token red king 1".to_owned()), "{:?}", lines(&game));
    assert_eq!(lines(&written(&game)), lines(&game));
}

#[test]
fn a_turn_alone_is_no_whole_position() {
    // The setup phase must still run, because it arranges the river's deck.
    let game = played("bastide 1\nmods river2\nplayers red blue\n\ngiven turn blue\n");
    assert_eq!(options(&game), ["draw river2/R2-fork"]);
    assert_eq!(game.state().name(game.state().player()), "blue");
}

#[test]
fn what_cannot_be_is_refused() {
    for (mods, line, reason) in [
        (&["crop-circles"][..], "tag 0,0 city@n crop_circle 1", "is a tag of tiles"),
        (&["base"], "tag 0,0 shield 1", "is a tag of zones"),
        (&["builders-traders"], "tag 0,0 city@n goods 1", "the words of goods are"),
        (&["builders-traders"], "tag 0,0 city@n goods=beer 1", "the words of goods are"),
        (&["base"], "tag 0,0 city@n shield=gold 1", "has no words"),
        (&["base"], "score red 9223372036854775807", "too large"),
        (&["base"], "deck land base/K*40000 base/K*40000", "so many copies"),
        (&["gold-mines"], "pile gold 0,0 17", "only 16"),
        (&["mage-witch"], "piece red mage 0,0 road@e", "write `given piece neutral mage"),
        (&["base"], "piece neutral follower 0,0 road@e", "name the player"),
        (&["base"], "mem base {\"a\": \"@piece 1 red follower 0,0 road@e\"}", "there is no piece"),
    ] {
        let error = refused(mods, &[line]);
        assert!(error.contains(reason), "{line}: {error}");
    }
}

#[test]
fn names_that_records_need() {
    for name in ["stock", "neutral", "end", "a,", "a b", ""] {
        let setup = Setup { players: vec![name.to_owned(), "blue".to_owned()], ..Setup::of(&["base"], 2) };
        assert!(setup.check_players(load(&["base"]).catalogue()).is_err(), "{name}");
    }
}

#[test]
fn colours_and_bots_in_a_header() {
    let text =
        "bastide 1 # a comment\nmods base\nplayers red blue # two\ncolour blue #4477aa # a blue\nbot red random\n\n";
    let (record, problems) = Record::parse(text);
    assert_eq!(problems, []);
    assert_eq!(record.setup.colours, [("blue".to_owned(), "#4477aa".to_owned())]);
    let (again, _) = Record::parse(&header_text(&record.setup));
    assert_eq!(again.setup, record.setup);
    let stranger = Setup { bots: vec![("green".to_owned(), "random".to_owned())], ..Setup::of(&["base"], 2) };
    assert!(stranger.check_players(load(&["base"]).catalogue()).unwrap_err().to_string().contains("no player green"));
}

#[test]
fn what_is_not_offered_is_explained() {
    let mut game = played("bastide 1\nmods river\nplayers red blue\n\ndraw river/R1-curve\nplace 1,0 90\npass\n");
    let reason = |game: &Game, answer: &str| {
        game.clone().answer_text(answer).unwrap_err().reason.map_or(String::new(), String::from)
    };
    assert_eq!(reason(&game, "draw gold-mines/GM-A"), "the mod gold-mines is not in this game");
    assert_eq!(reason(&game, "draw river/R9"), "the deck land has no river/R9");
    game.answer_text("draw river/R1-curve").unwrap();
    for (answer, expected) in [
        ("place 1,-1 0", "River I does not allow it there"),
        ("place 0,0 0", "a tile lies there"),
        ("place 1,-1 180", "its s edge does not fit the neighbour"),
        ("seed 7", "this line belongs to the header, before the first answer"),
        ("pass", ""),
    ] {
        assert_eq!(reason(&game, answer), expected, "{answer}: {:?}", options(&game));
    }
}
