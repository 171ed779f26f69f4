//! Functions of scripts: hooks with their filters, phases and options.

use board::PieceKindSet;
use rules::{Filter, Hook};

use super::{BASE, check, load};

fn with_script(declarations: &str, script: &str) -> String {
    let head = "mod = { id = \"x\", version = \"0.1.0\", requires = [\"base\"] }";
    format!("{BASE}\n-- x/mod.toml\n{head}\n{declarations}\n-- x/rules.rhai\n{script}")
}

#[test]
fn functions_that_are_missing() {
    let file = super::folder(BASE).path().join("x");
    drop(file);
    let check = |declarations: &str, script: &str, expected: &str| {
        let (_, problems, _) = load(&with_script(declarations, script), "x");
        let shown: Vec<String> =
            problems.list().iter().map(|p| format!("{}:{} {}", p.span.line, p.span.column, p.message)).collect();
        assert_eq!(shown.join("\n"), expected);
    };
    check("[hook.tile_placed]", "", "2:7 [hook.tile_placed] needs a function `tile_placed` in the script");
    check("[hook.tile_plcaed]", "", "2:7 unknown hook `tile_plcaed`");
    check("[option.fly]", "", "2:9 option `fly` needs a function `do_fly` in the script");
    check(
        "[[phase]]\nid = \"ferries\"\nslot = \"connect\"",
        "fn phase_ferry() {}",
        "3:6 phase `ferries` needs a function `phase_ferries` in the script\n1:4 mod.toml declares no phase `ferry`",
    );
    check("[[phase]]\nid = \"ferries\"\nslot = \"connect\"", "???", "1:1 unexpected '??'");
    check("[phase]\nid = \"ferries\"", "", "2:1 phases are a list: write `[[phase]]` with two brackets");
    check(
        "[[phase]]\nid = \"score\"\nslot = \"score\"",
        "fn phase_score() {}",
        "3:6 `score` cannot be a name: it already has another meaning",
    );
    check("[option.draw]", "fn do_draw(choice) {}", "2:9 `draw` cannot be a name: it already has another meaning");
    check(
        "[hook.setup]\nonly_kind = [\"city\"]",
        "fn setup() {}",
        "3:13 `setup()` has nothing that this filter can test",
    );
    check(
        "[hook.tile_placed]\nonly_tile_tag = \"shield\"",
        "fn tile_placed(tile) {}",
        "3:17 tag `shield` is on zones, not on tiles",
    );
    check(
        "[hook.strength]\nonly_piece = [\"hen\"]\nonly_kind = \"feld\"",
        "fn strength(piece, feature) { 1 }",
        "3:15 unknown piece `hen`\n4:13 unknown kind `feld`",
    );
    check(
        "[hook.can_end_game]\nonly_tag = [\"shield\"]\n[hook.turn_ended]\nonly_kind = [\"city\"]\n[hook.filter_places]\nonly_with = [\"follower\"]",
        "fn can_end_game() { true }\nfn turn_ended() {}\nfn filter_places(tile, places) { places }",
        "3:12 `can_end_game()` has nothing that this filter can test\n5:13 `turn_ended()` has nothing that this filter can test\n7:13 `filter_places(drawn, places)` has nothing that this filter can test",
    );
    check(
        "[tag.wild]\non = \"tile\"\n[[phase]]\nid = \"x\"\nslot = \"end\"\nonly_tag = [\"wild\"]\nonly_pile = \"gold\"\nonly_tile_tag = \"shield\"\nonly_piece = [\"follower\"]\nonly_memory = \"a\"",
        "fn phase_x() {}",
        "7:13 unknown tag of zones `wild`\n8:13 unknown pile `gold`\n9:17 tag `shield` is on zones, not on tiles\n10:14 a phase has nothing that this filter can test\n11:1 unknown key `only_memory` in [[phase]]",
    );
}

#[test]
fn filters_that_do_not_fit_have_a_help() {
    let help = |hook: &str, script: &str| {
        let files = with_script(&format!("[hook.{hook}]\nonly_dark = true"), script);
        load(&files, "x").1.list().iter().find_map(|problem| problem.help.clone()).unwrap_or_default()
    };
    assert_eq!(help("setup", "fn setup() {}"), "here you can write `only_tile_tag`");
    assert_eq!(
        help("strength", "fn strength(piece, feature) { 1 }"),
        "here you can write `only_tile_tag`, `only_kind`, `only_piece`, `only_tag`, `only_with` and `only_pile`"
    );
}

/// Manifests can have every filter that the reference shows.
#[test]
fn filters_of_the_reference() {
    for filter in rules::FILTERS {
        let value = match filter.takes {
            "true" => "true",
            takes if takes.starts_with("a ") => "\"none\"",
            _ => "[\"none\"]",
        };
        let declarations = format!("[hook.part_ended]\n{} = {value}", filter.name);
        let (_, _, shown) = load(&with_script(&declarations, "fn part_ended() {}"), "x");
        assert!(!shown.contains("unknown key"), "{shown}");
        assert!(!shown.contains("expected"), "{shown}");
    }
}

#[test]
fn handlers_have_filters() {
    let declarations = "[tag.gold]\non = \"tile\"\n[piece.large]\nis = \"follower\"\n[hook.piece_placed]\nonly_tile_tag = \"gold\"\nonly_kind = [\"city\"]\nonly_piece = [\"follower\"]";
    let (loaded, _, shown) = load(
        &with_script(
            declarations,
            "fn piece_placed(piece) { helper() }\nfn helper() { set_tag(turn.tile, \"gold\", true); }\nfn scored(scoring) {}",
        ),
        "x",
    );
    assert_eq!(shown, "");
    let loaded = loaded.unwrap();
    let all = loaded.catalogue();
    let filter = &all.handlers(Hook::PiecePlaced)[0].filter;
    assert_eq!(filter.tile_tag, all.tile_set.tag_named("gold"));
    assert_eq!(filter.kinds, all.tile_set.kind_named("city").into_iter().collect());
    assert_eq!(filter.pieces, PieceKindSet(0b11), "a large follower is a follower");
    assert_eq!(all.handlers(Hook::Scored)[0].filter, Filter::default());
    assert_eq!(all.functions.len(), 2);
    assert!(!all.has(Hook::Setup));
}

#[test]
fn phases_are_sorted() {
    let phases = [
        ("b", "connect", ""),
        ("a", "connect", "after = [\"c\", \"absent\"]"),
        ("c", "connect", ""),
        ("early", "score", "before = [\"score\"]"),
        ("late", "score", ""),
        ("dawn", "draw", ""),
    ];
    let declarations: String = phases
        .iter()
        .map(|(id, slot, more)| format!("[[phase]]\nid = \"{id}\"\nslot = \"{slot}\"\n{more}\n"))
        .collect();
    let script: String = phases.iter().map(|(id, ..)| format!("fn phase_{id}() {{}}\n")).collect();
    let absent = "\n-- y/mod.toml\nmod = {}\n[[phase]]\nid = \"absent\"";
    let (loaded, _, shown) = load(&(with_script(&declarations, &script) + absent), "x");
    assert_eq!(shown, "");
    let ids: Vec<String> = loaded.unwrap().catalogue().phases.iter().map(|p| p.id.clone()).collect();
    assert_eq!(ids.join(" "), "draw dawn place piece b c a early score late");
}

#[test]
fn phases_that_cannot_be_sorted() {
    let check = |declarations: &str, expected: &str| {
        let script = "fn phase_a() {}\nfn phase_b() {}";
        let (_, problems, _) = load(&with_script(declarations, script), "x");
        let shown: Vec<String> =
            problems.list().iter().map(|p| format!("{}:{} {}", p.span.line, p.span.column, p.message)).collect();
        assert_eq!(shown.join("\n"), expected);
    };
    let two = |a: &str, b: &str| {
        format!("[[phase]]\nid = \"a\"\nslot = \"end\"\n{a}\n[[phase]]\nid = \"b\"\nslot = \"end\"\n{b}")
    };
    check(&two("after = [\"b\"]", "after = [\"a\"]"), "5:10 phases wait for each other in a cycle: b -> a -> b");
    check(
        &two("before = [\"place\"]", ""),
        "5:11 `a` is in slot `end`, and so cannot be before `place` in slot `place`",
    );
    check(&two("after = [\"bb\"]", ""), "5:10 no installed mod has a phase `bb`");
}

#[test]
fn options_of_two_mods_collide() {
    let files = with_script("[option.fly]", "fn do_fly(choice) {}")
        + "\n-- y/mod.toml\nmod = { id = \"y\", version = \"1.0.0\" }\n[option.fly]\n-- y/rules.rhai\nfn do_fly(choice) {}";
    check(&files, "y x", "y/mod.toml:2:9: error: option `fly` is declared by `x` and by `y` (choose another word)");
    let files =
        files.replace("[option.fly]", "[[phase]]\nid = \"p\"\nslot = \"end\"").replace("do_fly(choice)", "phase_p()");
    check(&files, "y x", "y/mod.toml:3:6: error: phase `p` is declared by `x` and by `y`");
}

#[test]
fn scripts_mention_what_active_and_optional_mods_declare() {
    let script = "fn setup() { features(\"ctiy\"); features(\"city\"); features(\"canal\"); }";
    let canal = "\n-- y/mod.toml\nmod = { id = \"y\", version = \"1.0.0\" }\n[kind.canal]\nedge = \"line\"";
    let check = |more_files: &str, optional: &str, expected: &[&str]| {
        let required = "requires = [\"base\"]";
        let files = with_script("", script).replace(required, &format!("{required}, optional = [{optional}]"));
        let (_, problems, _) = load(&[&files, more_files].concat(), "x");
        let messages: Vec<&str> = problems.list().iter().map(|p| p.message.as_str()).collect();
        assert_eq!(messages, expected);
    };
    let (city, unknown_canal) = ("no mod declares a kind of land `ctiy`", "no mod declares a kind of land `canal`");
    check(canal, "", &[city, unknown_canal]);
    check(canal, "\"y\"", &[city]);
    check("", "\"y\"", &[]);
}

/// Returns the problems of a script, one per line.
fn problems_of(script: &str) -> String {
    let (_, problems, _) = load(&with_script("", script), "x");
    let line = |p: &diagnostic::Diagnostic| {
        format!("{}:{} {} ({})", p.span.line, p.span.column, p.message, p.help.as_deref().unwrap_or("no help"))
    };
    problems.list().iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn rules_and_menus_only_look() {
    let help = "(do it in an event, in a phase, or in the handler of an option)";
    assert_eq!(
        problems_of("fn filter_places(tile, places) {\n    score(turn.player, 1, \"boo\");\n    places\n}"),
        format!("2:5 `score` asks or changes something, and `filter_places` may only look {help}")
    );
    assert_eq!(
        problems_of("fn strength(piece, feature) { roll(6, \"?\") }\nfn tile_placed(tile) { roll(6, \"?\"); }"),
        format!("1:31 `roll` asks or changes something, and `strength` may only look {help}")
    );
}

#[test]
fn words_of_other_languages() {
    let script = "fn tile_placed(tile) { if tile == None { return; } }";
    assert!(problems_of(script).ends_with("(write `()` for nothing)"), "{}", problems_of(script));
}

#[test]
fn line_ends_and_letters_shift_nothing() {
    let files =
        with_script("token = { b = { about = \"äöü\", stok = 1 } }", "// 城\nfn setup() { note(\"ß\"); giv(1); }");
    for files in [files.clone(), files.replace('\n', "\r\n").replace("\r\n-- ", "\n-- ")] {
        let (_, problems, shown) = load(&files, "x");
        let lines: Vec<&str> = shown.lines().filter_map(|l| l.split(" error").next()).collect();
        assert_eq!(lines, ["x/mod.toml:2:32:", "x/rules.rhai:2:25:"], "{shown}");
        let drawn = problems.render(false);
        for (code, word) in [("token = { b", "stok"), ("fn setup()", "giv")] {
            let mut lines = drawn.lines().skip_while(|l| !l.contains(code)).map(str::trim_end);
            let (line, below) = (lines.next().unwrap(), lines.next().unwrap());
            let start = line[..line.find(word).unwrap()].chars().count();
            let marks = below.chars().enumerate().filter(|(_, c)| "─┬".contains(*c)).map(|(i, _)| i);
            assert_eq!(marks.collect::<Vec<_>>(), (start..start + word.len()).collect::<Vec<_>>(), "{drawn}");
        }
    }
}
