//! Tests of running functions: values, memory, questions, scoring and faults.

#![allow(clippy::unwrap_used)]

mod table;

use rules::{Question, Status};
use table::{failure, game, played, run, value};

#[test]
fn handles_have_stable_texts_and_compare() {
    assert_eq!(value("players()[1]"), "blue");
    assert_eq!(value("tile_at(spot(0, 0)).zones"), "[0,0 way@n, 0,0 green@n2, 0,0 green@n1]");
    assert_eq!(value("players()[0] == players()[0]"), "true");
    assert_eq!(value("players()[0] != players()[1]"), "true");
    assert_eq!(value("players()[0] < players()[1]"), "true");
    assert_eq!(value("players().contains(players()[1])"), "true");
    assert_eq!(value("players().index_of(players()[1])"), "1");
    assert_eq!(value("players()[1] in players()"), "true");
    assert_eq!(value("tile_at(spot(5, 5)) == ()"), "true");
    assert_eq!(value("features(\"way\")[0] == zones_at(spot(0, 0))[0].feature"), "true");
    assert_eq!(value("spot(0, -1) < spot(-3, 0)"), "true");
}

#[test]
fn queries_look_at_the_board() {
    assert_eq!(value("features(\"way\").map(|it| it.n_tiles)"), "[1]");
    assert_eq!(value("features(\"green\").len"), "2");
    assert_eq!(value("features(\"nothing such\").len"), "0");
    assert_eq!(value("features(\"way\")[0].count(\"stones\")"), "2");
    assert_eq!(value("features(\"way\")[0].tags(\"goods\")"), "[\"wool\"]");
    assert_eq!(value("features(\"way\")[0].count(\"goods\", \"wool\")"), "1");
    assert_eq!(value("features(\"way\")[0].has(\"goods\")"), "true");
    assert_eq!(value("features(\"way\")[0].neighbours(\"green\").len"), "2");
    assert_eq!(value("zones_at(spot(0, 0))[0].tag(\"stones\")"), "2");
    assert_eq!(value("zones_at(spot(0, 0))[0].tag(\"goods\")"), "wool");
    assert_eq!(value("tile_at(spot(0, 0)).direction(\"arrow\")"), "ne");
    assert_eq!(value("spot(0, 0).step(\"ne\", 3)"), "3,-3");
    assert_eq!(value("tile_at(spot(0, 0)).tag(\"arrow\")"), "ne");
    assert_eq!(value("supply(players()[0], \"runner\")"), "3");
    assert_eq!(value("supply(nobody, \"ghost\")"), "1");
    assert_eq!(value("deck_size(\"cards\")"), "3");
    assert_eq!(value("deck_items(\"cards\").map(|it| it.name)"), "[\"A\", \"A\", \"B\"]");
    assert_eq!(value("deck(\"land\").name"), "land");
    assert_eq!(value("pairs([1, 2, 3])"), "[[1, 2], [1, 3], [2, 3]]");
    assert_eq!(value("settings.generous"), "true");
    assert_eq!(value("settings.limit + 1"), "4");
    assert_eq!(value("space(53).number"), "3");
    assert_eq!(value("deployable(players()[0], \"runner\", zones_at(spot(0, 0)))"), "[0,0 way@n]");
    assert_eq!(value("placements(players()[0], zones_at(spot(0, 0))).map(|it| it.kind)"), "[\"runner\", \"giant\"]");
    assert_eq!(value("placements(players()[0], \"giant\", zones_at(spot(0, 0))).len"), "1");
}

#[test]
fn effects_hold_at_once() {
    let lines = run(r#"
        let me = players()[0];
        let zone = zones_at(spot(0, 0))[0];
        let piece = place_piece("giant", me, zone);
        note(`${piece}`);
        note(`${piece.is_a("runner")} ${piece.is_a("ghost")} ${zone.pieces} ${zone.feature.has_piece_of(me)}`);
        note(`${zone.feature.winners} ${zone.feature.value_at_end()} ${supply(me, "giant")}`);
        note(`${deployable(players()[1], "runner", [zone])}`);
        return_piece(piece, "called");
        note(`${piece.in_play} ${all_pieces()}`);
        let ghost = place_piece("ghost", nobody, spot(0, 0));
        move_piece(ghost, zone);
        note(`${ghost.owner == nobody} ${ghost.is_neutral} ${ghost.zone} ${neutral_pieces("ghost").len}`);
        note(`${give(me, "coin", 9)} ${n_tokens(me, "coin")} ${token_stock("coin")} ${players_with_most("coin")}`);
        note(`${put_pile("gold", spot(0, 0), 3)} ${take_pile("gold", #{ from: spot(0, 0), n: 1 })} ${pile("gold", spot(0, 0))} ${piles("gold")}`);
        set_tag(zone, "stones", 5);
        set_tag(zone, "goods", "nuts");
        note(`${zone.feature.count("stones")} ${zone.feature.tags("goods")}`);
        put_on_top("cards", ["B", "probe/B"]);
        note(`${deck_size("cards")} ${take_out("cards", ["B", "B", "B", "B"])}`);
        give_tile(me, tile_type("L"));
        note(`${hand(me)} ${owns_tile(me, "L")} ${owns_tile(me, "S")}`);
    "#);
    let wanted = [
        "giant 0,0 way@n of red",
        "true false [giant 0,0 way@n of red] true",
        "[red] 1 0",
        "[]",
        "false []",
        "true true 0,0 way@n 1",
        "5 5 0 [red]",
        "3 1 2 [0,0]",
        "5 [\"nuts\", \"wool\"]",
        "5 3",
        "[probe/L] true false",
    ];
    assert_eq!(lines.unwrap(), wanted);
}

#[test]
fn questions_run_again_with_their_answers() {
    let mut game = game(
        r#"fn setup() {
            let me = players()[0];
            give(me, "coin", 1);
            let first = ask(me, "Which?", [players()[1], zones_at(spot(0, 0))[0]], #{ word: "take" });
            note(`${first} ${n_tokens(me, "coin")}`);
            let n = roll([1, 1, 3], "How far?");
            note(`${n}`);
            let card = draw("cards");
            note(`${card.name} ${deck_size("cards")}`);
            let other = ask(me, "Another?", [option("fly", spot(1, 2), #{ n: 7 }), option("stay")], #{ pass: true });
            note(`${other.word} ${other.spot} ${other.data.n}`);
            if ask(me, "Nobody is asked", [], #{ pass: true }) != () { note("wrong"); }
            let last = ask(players()[1], "Last?", ["x"], #{ pass: true });
            note(`${last == ()}`);
        }"#,
    );
    let view = |game: &rules::Game| game.state().view().notes().len();
    assert!(matches!(game.status(), Status::Decision(d) if matches!(d.question, Question::Ask(_))));
    // Effects before the question are visible, but not committed.
    assert_eq!(game.state().view().tokens(Some(rules::Seat(0)), rules::TokenIdx(0)), 1);
    assert_eq!(game.state().tokens(Some(rules::Seat(0)), rules::TokenIdx(0)), 0);
    game.answer_text("take 0,0 way@n").unwrap();
    assert_eq!(view(&game), 1);
    game.answer_text("roll 3").unwrap();
    game.answer_text("draw probe/B").unwrap();
    game.answer_text("fly 1,2").unwrap();
    game.answer_text("pass").unwrap();
    assert_eq!(played(&game).unwrap(), ["0,0 way@n 1", "3", "B 2", "fly 1,2 7", "true"]);
    // Although the function ran several times, its effects happen only once, when it ends.
    assert!(game.state().notes().iter().all(|(when, _)| *when == 5), "{:?}", game.state().notes());
    game.undo(2);
    game.answer_text("stay").unwrap();
    assert!(matches!(game.status(), Status::Fault(_)), "`()` has no property");
}

#[test]
fn swallowed_questions_are_faults_where_they_were_asked() {
    let cases = [
        ("let list = [3, 2, 1];\nlist.dedup(|a, b| ask(turn.player, \"?\", [1, 2]));", 3),
        ("try {\n[1, 2].map(|x| ask(turn.player, \"?\", [1, 2])); } catch { }", 3),
        ("try { [1].for_each(|x| {\nask(turn.player, \"?\", [1, 2]); }) } catch { }\nlet x = 1;", 3),
        ("let l = [1, 1, 1];\nl.dedup(|a, b| ask(turn.player, \"?\", [1, 2]) == 1);", 3),
        ("try { [1].map(|x|\nask(turn.player, \"?\", [1, 2])); } catch { }\nlet y = 1 / 0;", 3),
    ];
    for (body, line) in cases {
        let failure = failure(body);
        assert!(failure.message.contains("was swallowed"), "{body}: {}", failure.message);
        assert_eq!((failure.line, failure.file.as_str()), (line, table::FILE), "{body}");
    }
    // A question may be asked inside `try`, or inside the function of a list method such as `map`,
    // but not inside both.
    for body in [
        "try { ask(turn.player, \"?\", [1, 2]); } catch { note(\"caught\"); }",
        "[1].map(|x| ask(turn.player, \"?\", [1, 2]));",
        "try { helper(); } catch { note(\"caught\"); }",
    ] {
        let game =
            game(&format!("fn helper() {{ ask(turn.player, \"?\", [1, 2]); }}\nfn setup() {{ {body} helper(); }}"));
        assert!(matches!(game.status(), Status::Decision(d) if matches!(d.question, Question::Ask(_))), "{body}");
    }
}

#[test]
fn memory_lasts_as_long_as_its_scope() {
    let mut game = game(
        r#"
        fn setup() { mem.game.n = 1; mem.game.list = [players()[0], #{ spot: spot(1, 2) }]; mem.game.gone = 1; mem.game.gone = (); }
        fn phase_count() {
            mem.game.n += 1;
            mem.turn.n = if mem.turn.n == () { 1 } else { mem.turn.n + 1 };
            mem.part.n = if mem.part.n == () { 1 } else { mem.part.n + 1 };
            if turn.number == 1 && parts_for("more") == 0 { extra_part("more"); }
            help();
        }
        fn help() { note(`${mem.game.n} ${mem.turn.n} ${mem.part.n} ${mem.game.list} ${mem.game.keys()}`); }
        "#,
    );
    let mut dealer = rules::Dealer::new(1);
    for _ in 0..3 {
        game.deal(&mut dealer);
        game.answer_nth(0);
        if matches!(game.status(), Status::Decision(d) if d.question == Question::Deploy) {
            game.answer_text("pass").unwrap();
        }
    }
    let lines = played(&game).unwrap();
    assert_eq!(lines[0], "2 1 1 [red, #{\"spot\": 1,2}] [\"list\", \"n\"]");
    assert!(lines[1].starts_with("3 2 1 "), "the same turn, another part: {}", lines[1]);
    assert!(lines[2].starts_with("4 1 1 "), "another turn: {}", lines[2]);
}

#[test]
fn memory_refuses_what_cannot_be_kept() {
    assert_eq!(failure("mem.game.f = |x| x;").message, "`mem.game.f` cannot store a function");
    assert_eq!(failure("mem.gane = 1;").message, "`mem` has the scopes part, turn and game, not `gane`");
    assert_eq!(failure("mem.turn = 1;").message, "`mem.turn` must be a map");
}

#[test]
fn a_failing_call_changes_nothing() {
    let game = game("fn setup() {\n mem.game.n = 1;\n give(players()[0], \"coin\", 2);\n let x = 1 / 0;\n}");
    let failure = played(&game).unwrap_err();
    assert_eq!((failure.message.as_str(), failure.line, failure.column), ("division by zero", 4, 12));
    assert_eq!(game.state().tokens(Some(rules::Seat(0)), rules::TokenIdx(0)), 0);
    assert!(game.state().memory(rules::ModIdx(0), rules::Scope::Game).is_none());
}

#[test]
fn rules_may_only_look() {
    let scored = |body: &str| {
        let game = game(&format!(
            "fn setup() {{ place_piece(\"runner\", players()[0], zones_at(spot(0, 0))[0]); note(`${{features(\"way\")[0].value_at_end()}}`); }}\nfn score_value(feature, score) {{ {body} }}"
        ));
        played(&game)
    };
    assert_eq!(scored("score.plus(3, \"more\"); score.double(\"twice\").halve(\"half\")").unwrap(), ["4"]);
    assert_eq!(scored("if score.is_final && !score.is_complete { score.zero(\"open\"); }").unwrap(), ["0"]);
    assert_eq!(scored("score.replace(9, \"nine\"); score.minus(2, \"less\");").unwrap(), ["7"]);
    let message = |body| scored(body).unwrap_err().message;
    assert!(
        message("give(score.player, \"coin\", 1);").contains("may only look"),
        "{}",
        message("give(score.player, \"coin\", 1);")
    );
    let added = message("score += 3;");
    assert!(added.contains("between an award and a number; write `score.plus(3, \"why\")`"), "{added}");
    assert!(message("ask(score.player, \"?\", [1]);").contains("may not ask"));
    assert!(message("feature.value_at_end()").contains("in a circle"), "{}", message("feature.value_at_end()"));
    assert_eq!(scored("mem.game.n = 5; score.plus(mem.game.n, \"a copy\");").unwrap(), ["6"]);
}

#[test]
fn constants_and_functions_of_the_script() {
    let game = game(
        r#"
        const STEP = 3;
        const TWICE = STEP * 2;
        const NAMES = ["a", "b"];
        const MAP = #{ x: 1 };
        fn setup() {
            note(`${STEP + TWICE} ${NAMES} ${MAP.x} ${NAMES.map(|n| n + STEP)}`);
            note(`${run("double", 4)} ${run("none")} ${double(1)} ${[1, 2].map(double)}`);
            print("seen " + STEP);
        }
        fn double(n) { n * 2 }
        fn none() { "nothing" }
        "#,
    );
    assert_eq!(played(&game).unwrap(), ["9 [\"a\", \"b\"] 1 [\"a3\", \"b3\"]", "8 nothing 2 [2, 4]"]);
    assert_eq!(failure("run(\"nobody\", 1);").message, "this script has no function `nobody` with 1 parameter");
    assert_eq!(
        failure("run(\"give\", players()[0], \"coin\", 1);").message,
        "this script has no function `give` with 3 parameters"
    );
}

#[test]
fn closures_see_what_functions_see() {
    let lines = run(r#"
        mem.game.n = 1;
        let more = 10;
        [1, 2].for_each(|i| mem.game.n += this + more);
        note(`${mem.game.n} ${[1].map(|x| settings.limit + x)} ${[1].map(|x| turn.player.name)}`);
        let local = #{ turn: 3 };
        note(`${local.turn} ${is_active("probe")} ${is_active("other")} ${setting_of("probe", "limit")}`);
        "#);
    assert_eq!(lines.unwrap(), ["24 [4] [\"red\"]", "3 true false 3"]);
    assert_eq!(value("zones_at(spot(0, 0))[0].edges"), "[\"n\", \"s\"]");
    assert_eq!(value("tile_at(spot(0, 0)).zone_on(\"n\")"), "0,0 way@n");
    assert_eq!(value("tile_at(spot(0, 0)).zone_on(\"e\")"), "0,0 green@n2");
    assert_eq!(value("tile_type(\"S\").edges(\"way\", 90)"), "[\"e\", \"w\"]");
    assert_eq!(value("tile_type(\"S\").edge_kind(0, \"n\")"), "way");
}

#[test]
fn failures_speak_our_language() {
    let said = |body: &str| failure(body).message;
    assert_eq!(
        said("supply(1, 2);"),
        "there is no function `supply` for (a number, a number); it is used as `supply(player, piece)`"
    );
    assert_eq!(said("suply(1);"), "there is no function `suply` for (a number); did you mean `supply`?");
    assert_eq!(
        said("let x = tile_at(spot(9, 9)); x.zones;"),
        "there is nothing here (`()`), so it has no property `zones`; check `!= ()` first"
    );
    assert_eq!(
        said("tile_at(spot(9, 9)).has(\"arrow\");"),
        "there is nothing here (`()`), so it has no function `has`; check `!= ()` first"
    );
    assert_eq!(
        said("mem.game.list.push(1);"),
        "there is no function `push` for (nothing, a number); if `mem` may not have the value yet, read it with a default, \
         such as `mem.game.get(\"n\", 0)`"
    );
    assert_eq!(said("if players()[0] { note(\"x\"); }"), "a truth value is expected here, not a player");
    assert_eq!(
        said("let points = #{}; points[players()[0]] = 1;"),
        "a text is expected here, not a player; a key of a map is a text: for a player, write `player.name`"
    );
    assert_eq!(said("throw spot(1, 2);"), "the script threw a spot; throw a text that says what is wrong");
    assert_eq!(said("players()[0].nmae;"), "a player has no property `nmae`; did you mean `name`?");
    assert_eq!(said("players()[5];"), "the list has 2 items; there is none at index 5");
    assert_eq!(
        said("give(players()[0], \"coim\", 1);"),
        "no active mod declares a token called `coim`; did you mean `coin`?"
    );
    assert_eq!(
        said("place_piece(\"runner\", players()[0], 5);"),
        "a zone, a list of zones, a feature, a spot, a corner, a border, a space or a player is expected here, not a number"
    );
    assert_eq!(said("throw \"my words\";"), "my words");
    assert_eq!(said("throw |x| x;"), "the script threw a function; throw a text that says what is wrong");
    assert_eq!(said("throw [1, 2];"), "the script threw a list; throw a text that says what is wrong");
    assert_eq!(said("throw 7;"), "the script threw 7");
    assert!(said("let s = \"\"; s.pad(4000, \"x\"); throw s;").len() < 1100);
    assert!(said("let a = [1].most(|x| [x]);").ends_with("not a list"));
    assert_eq!(
        said("let n = 9223372036854775807 + players().len;"),
        "the result of 9223372036854775807 + 2 is too large for a number (addition)"
    );
    assert_eq!(said("let n = 5; for x in n { }"), "`for` needs a list, a range or a text");
    assert_eq!(said("let p = players()[0] + 1;"), "`+` does not work between a player and a number");
    let order = "`sort` cannot order";
    assert_eq!(
        said("players().sort();"),
        format!("{order} players; give it a function: `sort(|a, b| score_of(a) - score_of(b))`")
    );
    assert_eq!(
        said("let l = [spot(0, 1), spot(0, 0)]; l.sort();"),
        format!("{order} spots; give it a function: `sort(|a, b| a < b)`")
    );
    let by = "give it a function: `sort(|a, b| ...)`, which returns a number below 0 if `a` comes first";
    assert_eq!(said("[[1], [2]].sort();"), format!("{order} lists; {by}"));
    assert_eq!(said("[1, \"a\"].sort();"), format!("{order} items of different types; {by}"));
    assert_eq!(
        said("let l = players().order_by(|it| score_of(it));"),
        "the closure given to `order_by` must take 2 parameters: `|a, b|`"
    );
    assert_eq!(said("let l = [1].most(|a, b| a);"), "the closure given to `most` must take 1 parameter: `|it|`");
    let values = "a closure is called here with more or fewer values than it has parameters; write";
    assert_eq!(said("let l = [1, 2].map(|a, b, c| a);"), format!("{values} `|a|` or `|a, b|`"));
    assert_eq!(said("let f = |a| a; f.call(1, 2);"), format!("{values} one name for each value, such as `|a, b|`"));
    assert_eq!(said("turn.player = players()[0];"), "`player` of the turn cannot be changed");
    assert_eq!(said("ask(players()[0], \"?\", []);"), "there is nothing to choose from: do not ask in this case");
    let options = "a list of options is expected here, not";
    assert_eq!(said("ask(players()[0], \"?\", 1..5);"), format!("{options} a range"));
    assert_eq!(said("ask(players()[0], \"?\", ());"), format!("{options} nothing"));
    assert_eq!(said("tile_at(());"), "there is no function `tile_at` for (nothing); it is used as `tile_at(spot)`");
    assert_eq!(said("relink(tile_at(spot(0, 0)), [1]);"), "a link is a list of two zones: relink(tile, [[a, b]])");
}

#[test]
fn line_ends_and_letters_do_not_shift_where_a_call_failed() {
    for end in ["\n", "\r\n"] {
        let text = ["// 城", "fn setup() {", "    note(\"ö\"); give(players()[0], \"coim\", 1);", "}"].join(end);
        let failure = played(&game(&text)).unwrap_err();
        assert_eq!((failure.line, failure.column), (3, 16), "{failure:?}");
    }
}

#[test]
fn links_and_what_leads_to_them() {
    let mut game = game(
        r#"
        fn phase_look() {
            if turn.tile_type.id == "probe/L" && links(turn.tile).is_empty() {
                relink(turn.tile, pairs(turn.tile.zones("way")));
                note(`${links(turn.tile)} ${turn.tile.zones[0].feature.n_tiles}`);
            }
            note(`${linked_tiles_from(turn.tile).map(|tile| tile.id)}`);
        }
        "#,
    );
    game.answer_text("draw probe/L").unwrap();
    game.answer_text("place 0,1 0").unwrap();
    game.answer_text("pass").unwrap();
    game.answer_text("draw probe/S").unwrap();
    game.answer_text("place 0,-1 0").unwrap();
    game.answer_text("pass").unwrap();
    let lines = played(&game).unwrap();
    assert_eq!(lines, ["[[0,1 way@n, 0,1 way@s]] 2", "[]", "[\"probe/L\"]"]);
}

#[test]
fn what_is_gone_is_refused() {
    let said = |body: &str| failure(body).message;
    let taken = "let t = tile_at(spot(0, 0)); let z = t.zones[0]; let f = z.feature; take_up(t);";
    assert_eq!(said(&format!("{taken} note(t.id);")), "this tile is no longer in the game");
    assert_eq!(said(&format!("{taken} note(z.kind);")), "this zone is no longer in the game");
    assert_eq!(said(&format!("{taken} note(f.kind);")), "this feature is no longer in the game");
    assert_eq!(said(&format!("{taken} ask(players()[0], \"?\", [z]);")), "this zone is not on the board any more");
    assert_eq!(said(&format!("{taken} throw `${{exists(t)}} ${{exists(z)}} ${{exists(f)}}`;")), "false false false");
    let turned = "let t = tile_at(spot(0, 0)); let z = t.zones[0]; turn_tile(t, 90);";
    assert_eq!(said(&format!("{turned} throw `${{t.facing}} ${{z.name}}`;")), "90 way@e");
    assert_eq!(said("lay_tile(tile_type(\"S\"), spot(0, 0), 0);"), "0,0 already has a tile");
    assert_eq!(
        said("lay_tile(tile_type(\"S\"), spot(0, 1), 90);"),
        "the n edge of probe/S does not fit its neighbour's on 0,1"
    );
    assert_eq!(
        said("unlink(tile_at(spot(0, 0)).zones[0], tile_at(spot(0, 0)).zones[1]);"),
        "no link joins these two zones"
    );
    assert_eq!(
        said("link(tile_at(spot(0, 0)).zones[0], tile_at(spot(0, 0)).zones[1]);"),
        "a link must join two different zones of one kind"
    );
}

#[test]
fn options_by_name() {
    let said = |body: &str| failure(body).message;
    assert_eq!(
        said("ask(turn.player, \"?\", [1], #{ wrod: \"a\" });"),
        "there is no option `wrod` here, there are `word`, `about`, `pass` and `secret`; did you mean `word`?"
    );
    assert_eq!(
        said("ask(turn.player, \"?\", [1], #{ pass: 1 });"),
        "option `pass`: a truth value is expected here, not a number"
    );
    assert_eq!(
        said("extra_part(\"more\", #{ when: \"later\" });"),
        "option `when`: write \"now\" or \"after\", not \"later\""
    );
    assert_eq!(
        said("extra_part(\"more\", #{ deck: \"lands\" });"),
        "option `deck`: no active mod declares a deck called `lands`; did you mean `land`?"
    );
    assert_eq!(
        said("ask(turn.player, \"?\", \"word\", [1]);"),
        "there is no function `ask` for (a player, a text, a text, a list); it is used as `ask(player, prompt, options, \
         #{ word: ..., about: ..., pass: ..., secret: ... }?)`"
    );
    let lines = run(r#"
        put_pile("gold", spot(0, 0), 3);
        note(`${take_pile("gold", #{ from: spot(0, 0), n: 1, to_stock: true })} ${pile_stock("gold")}`);
        note(`${pile("gold", features("way")[0])} ${take_pile("gold", #{ from: features("way")[0], n: 1 })}`);
        note(`${take_pile("gold")} ${piles("gold")} ${pile_stock("gold")}`);
        place_piece("ghost", nobody, spot(0, 0));
        move_piece(neutral_pieces("ghost")[0], zones_at(spot(0, 0))[0]);
        note(`${open_zones("way").len} ${open_zones("way", #{ without: "ghost" }).len}`);
        note(`${option("a").word} ${option("a", 1).about} ${option("a", 1, 2).data}`);
    "#);
    assert_eq!(lines.unwrap(), ["1 2", "2 1", "1 [] 2", "1 0", "a 1 2"]);
}

#[test]
fn prompts_of_draws() {
    for (call, prompt) in [
        ("draw(\"cards\")", "Which card is drawn?"),
        ("draw(\"land\")", "Which tile is drawn?"),
        ("draw(\"cards\", \"Which fate?\")", "Which fate?"),
    ] {
        let game = game(&format!("fn setup() {{ {call}; }}"));
        let Status::Decision(decision) = game.status() else { panic!("{call}") };
        assert_eq!(&*decision.prompt, prompt, "{call}");
    }
}

#[test]
fn nobody_and_missing_memory() {
    assert_eq!(value("nobody == ()"), "true");
    assert_eq!(value("holder_of(\"coin\") == nobody"), "true");
    assert_eq!(value("[1, nobody].filter(|it| it == nobody && turn.number == 0).len"), "1");
    assert_eq!(value("#{ a: 1 }.get(\"a\", 2) + #{ a: 1 }.get(\"b\", 2)"), "3");
    let lines = run(r#"
        note(`${mem.turn.get("n", 0)} ${mem.game.get("who", nobody)} ${"n" in mem.turn}`);
        mem.turn.n = mem.turn.get("n", 0) + 1;
        mem.turn["n"] = mem.turn.get("n", 5) + 1;
        mem.game.gone = 3;
        mem.game.gone = ();
        note(`${mem.turn.get("n", 0)} ${mem.game.get("gone", "gone")} ${mem.part.get("x", [1])}`);
    "#);
    assert_eq!(lines.unwrap(), ["0  false", "2 gone [1]"]);
}

#[test]
fn words_of_a_zone() {
    let lines = run(r#"
        let zone = zones_at(spot(0, 0))[0];
        note(`${zone.tag("goods")} ${zone.tags("goods")} ${zone.tags("stones")} ${zone.tag("stones")}`);
        set_tag(zone, "goods", "nuts");
        note(`${zone.tags("goods")} ${zone.has("goods")}`);
        zone.tag("goods");
    "#);
    assert_eq!(
        lines.unwrap_err().message,
        "this zone has several words for the tag `goods`; `zone.tags(\"goods\")` lists them"
    );
}

#[test]
fn a_complete_feature_pays_once() {
    let start = game(
        r#"
        fn tile_placed(tile) {
            for way in complete_features("way") {
                if way.value_at_end() != 0 || way.value_now(players()[1]) != way.n_tiles { throw `${way.value_now()}`; }
                if way.touches(tile.spot) { note("due"); }
            }
        }
        fn part_ended() {
            for way in complete_features("way") {
                if way.value_at_end() != 0 { throw `paid and still worth ${way.value_at_end()}`; }
                score_as_at_end(turn.player, way, "again");
                note("paid");
            }
            for way in features("way") {
                if way.is_open && way.value_at_end() != way.n_tiles { throw `open and worth ${way.value_at_end()}`; }
            }
        }
        "#,
    );
    let mut lines = Vec::new();
    for seed in 1..20 {
        let (mut game, mut dealer) = (start.clone(), rules::Dealer::new(seed));
        while let Status::Decision(_) = game.status() {
            game.deal(&mut dealer);
            let laid = [-1, 1, -2, 2, -3, 3, -4].iter().any(|y| game.answer_text(&format!("place 0,{y} 0")).is_ok());
            if !laid {
                game.answer_nth(0);
            }
        }
        assert!(matches!(game.status(), Status::Over), "{:?}", game.status());
        assert!(game.state().awards().iter().all(|award| &*award.reason != "again" || award.points == 0));
        lines.extend(played(&game).unwrap());
    }
    assert!(lines.iter().any(|line| line == "due") && lines.iter().any(|line| line == "paid"), "{lines:?}");
}

#[test]
fn a_game_that_is_kept_from_ending_says_by_whom() {
    let mut game = game("fn can_end_game() { false }");
    let mut dealer = rules::Dealer::new(1);
    while let Status::Decision(_) = game.status() {
        game.deal(&mut dealer);
        game.answer_nth(0);
    }
    let Status::Fault(fault) = game.status() else { panic!("{:?}", game.status()) };
    assert_eq!((fault.mods.as_slice(), fault.function.as_str()), (&["probe".to_owned()][..], "can_end_game"));
    assert!(fault.failure.message.contains("keeps the game from ending"), "{fault}");
}

/// A text that a mod throws is never reported as a bug of the program.
#[test]
fn a_script_cannot_say_that_the_program_is_to_blame() {
    let failed = failure("throw \"internal error: gone (crates/rules/src/game.rs:1)\";");
    assert!(failed.message.starts_with("internal error") && !failed.is_panic, "{failed:?}");
}
