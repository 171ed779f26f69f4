//! One problem of each kind in `mod.toml`, with its place.

use super::{BASE, check, check_mod, load};

#[test]
fn the_little_game_has_no_problem() {
    check(BASE, "base", "");
}

#[test]
fn what_authors_try_first_has_a_help() {
    check_mod(
        "[terrain.lake]\nedge = \"full\"",
        "",
        "mod.toml:1:2: error: unknown key `terrain` in the manifest (the key is called `kind`)",
    );
    check_mod(
        "[kind.lake]\nedge = \"full\"\npoints = \"2 * tiles\"",
        "",
        "mod.toml:3:10: error: these points do not say when they are paid (write `points = { complete = \"2 * tiles\" }`, `final` for the final count, or both)",
    );
    check_mod(
        "[[piece]]\nid = \"giant\"",
        "",
        "mod.toml:1:1: error: `piece` is a list without names (write one table for each, with its name in the heading: `[piece.NAME]`)",
    );
    check_mod(
        "[piece.giant]\nper_player = \"if giants\"",
        "",
        "mod.toml:2:14: error: expected a number, found a text (write the value before the condition: `\"1 if giants\"`)",
    );
    check_mod(
        "[piece.plank]\nper_player = 1\nstands_on = [\"border\"]",
        "",
        "mod.toml:3:14: error: `border` is not a kind (leave it out: scripts put pieces there with `place_piece`, see `bastide docs howto`)",
    );
}

#[test]
fn keys_and_types() {
    check_mod(
        "[kind.castle]\nedge = \"full\"\nclose = \"x\"",
        "",
        "mod.toml:3:1: error: unknown key `close` in kind `castle` (did you mean `closes`?)",
    );
    check_mod(
        "[kinds.castle]\nedge = \"full\"",
        "",
        "mod.toml:1:2: error: unknown key `kinds` in the manifest (did you mean `kind`?)",
    );
    check_mod(
        "[kind.castle]",
        "",
        "mod.toml:1:7: error: `edge` is missing in kind `castle` (write one of `\"full\"`, `\"line\"`, `\"ground\"`, `\"inside\"`)",
    );
    check_mod(
        "[kind.castle]\nedge = 1",
        "",
        "mod.toml:2:8: error: expected a text, found a number (write it in quotes: `\"1\"`)",
    );
    check_mod("[kind]\ncastle = 1", "", "mod.toml:2:10: error: expected a table, found a number (write keys and values in braces: `{ key = \"value\" }`)\nmod.toml:2:1: error: `edge` is missing in kind `castle` (write one of `\"full\"`, `\"line\"`, `\"ground\"`, `\"inside\"`)".split('\n').rev().collect::<Vec<_>>().join("\n").as_str());
    check_mod(
        "[kind.castle]\nedge = \"ful\"",
        "",
        "mod.toml:2:8: error: `edge` of kind `castle` must be one of `full`, `line`, `ground` and `inside`, not `ful` (did you mean `full`?)",
    );
    check_mod(
        "[piece.big]\nper_player = \"7\"",
        "",
        "mod.toml:2:14: error: expected a number, found a text (write it without quotes: `7`)",
    );
    check_mod(
        "[piece.big]\nper_player = 7.5",
        "",
        "mod.toml:2:14: error: expected a number, found a number with a fraction (numbers are whole)",
    );
    check_mod("[piece.big]\nper_player = -1", "", "mod.toml:2:14: error: expected a number from 0 to 1000, found -1");
    check_mod(
        "[piece.big]\ngoes_home = \"no\"",
        "",
        "mod.toml:2:13: error: expected true or false, found a text (write `true` or `false`, without quotes)",
    );
    check_mod(
        "[piece.big]\nstands_on = [1]",
        "",
        "mod.toml:2:14: error: expected a text, found a number (write it in quotes: `\"1\"`)",
    );
    check_mod(
        "[piece.Big]\nstands_on = []",
        "",
        "mod.toml:1:8: error: `Big` cannot be a name (names are made of lower-case letters, digits and `_`, and begin with a letter)",
    );
    check_mod(
        "[tag.count]\non = \"tile\"",
        "",
        "mod.toml:1:6: error: `count` cannot be a name: it already has another meaning (choose another word)",
    );
}

#[test]
fn grammar() {
    check_mod("[kind.castle\nedge = \"full\"", "", "mod.toml:1:13: error: not TOML: unclosed table, expected `]`");
    check_mod(
        "[token.a]\nstock = 1\nstock = 2",
        "",
        "mod.toml:3:1: error: not TOML: duplicate key (the key is already used above: rename or remove one of the two)",
    );
}

#[test]
fn the_head_of_a_mod() {
    check(
        "\n-- x/mod.toml\n[mod]\nid = \"y\"\nversion = \"1\"\ngame = true\nplayers = [6, 2]\nrequires = [\"base >>1\"]",
        "x",
        r#"
x/mod.toml:2:6: error: the mod says it is `y`, but its folder is called `x` (the id of a mod is the name of its folder)
x/mod.toml:3:11: error: `1` is not a version: unexpected end of input while parsing major version number (a version is three numbers, such as `1.0.0`)
x/mod.toml:5:11: error: expected the smallest and largest number of players, such as `[2, 6]`
x/mod.toml:6:14: error: `x` requires the mod `base`, which was not found (there is `x`)
x/mod.toml:6:19: error: `>>1` is not a version range: unexpected character '>' while parsing major version number (write `^1.2` for 1.2 and all compatible versions, or `=1.2.3` for one version)
"#,
    );
    let help = "(begin with `[mod]`, `id = \"x\"` and `version = \"1.0.0\"`)";
    check("\n-- x/mod.toml\n", "x", &format!("x/mod.toml:1:1: error: the table `[mod]` is missing {help}"));
    check(
        "\n-- x/mod.toml\n[mod]\nid = \"x\"\nversion = \"1.0.0\"\ngame = true",
        "x",
        "x/mod.toml:1:1: error: `players` is missing in [mod]\nx/mod.toml:2:6: error: the game `x` has no deck (write `[deck.land]`: turns draw from the first deck of a game)\nx/mod.toml:2:6: error: the game `x` has no start tile (add `start = true` to one tile)",
    );
}

#[test]
fn formulas() {
    let kind = |formula: &str| format!("[kind.castle]\nedge = \"full\"\npoints = {{ complete = \"{formula}\" }}");
    let known = "there are `tiles`, `zones`, `spots`, `touching`, `setting` and `shield`";
    check_mod(&kind("tiles + wine"), "", &format!("mod.toml:3:32: error: unknown word `wine` in a formula ({known})"));
    check_mod(
        &kind("tiles + shields"),
        "",
        "mod.toml:3:32: error: unknown word `shields` in a formula (did you mean `shield`?)",
    );
    check_mod(&kind("touching(ctiy)"), "", "mod.toml:3:33: error: unknown kind `ctiy` (did you mean `city`?)");
    check_mod(
        &kind("2 tiles"),
        "",
        "mod.toml:3:26: error: expected `+`, `-` or `*` here (a formula is a sum of products, such as `2 * tiles + shield`)",
    );
    check_mod(&kind("setting(bonus)"), "", "mod.toml:3:32: error: unknown setting `bonus`");
    let gold = "\n[tag.gold]\non = \"tile\"";
    check_mod(
        &(kind("gold") + gold),
        "",
        &format!(
            "mod.toml:3:24: error: tag `gold` is a tag of tiles, but a formula counts only tags of zones ({known})"
        ),
    );
    check_mod(
        "[kind.castle]\nedge = \"full\"\npoints = { ende = \"1\" }",
        "",
        "mod.toml:3:12: error: unknown key `ende` in `points` (there are `complete` and `final`)",
    );
}

#[test]
fn names_of_other_things() {
    check_mod(
        "[piece.big]\nstands_on = [\"ctiy\"]",
        "",
        "mod.toml:2:14: error: unknown kind `ctiy` (did you mean `city`?)",
    );
    check_mod("[piece.big]\nstands_on = [\"field if farmers\"]", "", "mod.toml:2:24: error: unknown setting `farmers`");
    check_mod(
        "[piece.big]\nstands_on = [\"field when x\"]",
        "",
        "mod.toml:2:14: error: unknown kind `field when x` (there are `road`, `city`, `cloister` and `field`)",
    );
    check_mod(
        "[setting.n]\ndefault = 1\n[piece.big]\nstands_on = [\"field if n\"]",
        "",
        "mod.toml:4:24: error: setting `n` is not a switch",
    );
    check_mod(
        "[piece.big]\nis = \"folower\"",
        "",
        "mod.toml:2:6: error: unknown piece `folower` (did you mean `follower`?)",
    );
    check_mod(
        "[piece.a]\nis = \"b\"\n[piece.b]\nis = \"a\"",
        "",
        "mod.toml:2:6: error: `a` counts as itself (remove one `is` from the circle)\nmod.toml:4:6: error: `b` counts as itself (remove one `is` from the circle)",
    );
    check_mod("[piece.big]\nlayer = \"sky\"", "", "mod.toml:2:9: error: unknown layer `sky` (there is `land`)");
    check_mod(
        "[layer.system]\nkinds = [\"raod\"]",
        "",
        "mod.toml:2:10: error: unknown kind `raod` (did you mean `road`?)",
    );
    check_mod(
        "[deck.land]\nwithout = [\"base/A\", \"base/A\"]",
        "",
        "mod.toml:2:22: warning: `base/A` is listed twice",
    );
    check_mod(
        "[deck.land]\nwithout = [\"D\", \"base/Q\", \"base/M\", \"absent/*\"]",
        "",
        "mod.toml:2:12: error: `D` must begin with the id of a mod and `/` (write `base/K` for one tile, `base/*` for all tiles of a mod)\nmod.toml:2:17: warning: `base/Q` is not in deck `land` (did you mean `base/A`?)",
    );
    check_mod(
        "[tag.city]\non = \"tile\"",
        "",
        "mod.toml:1:6: error: `city` is both a tag and a kind, which share one table on a tile (rename one of them)",
    );
}

#[test]
fn tags_and_words() {
    check_mod(
        "[tag.gold]\non = \"tile\"\nmerge = \"max\"",
        "",
        "mod.toml:3:9: warning: `merge` has no effect, because tag `gold` is on tiles (remove it; only the tags of zones are merged, into features)",
    );
    check_mod(
        "[tag.goods]\non = \"zone\"\nmerge = \"set\"",
        "",
        "mod.toml:1:6: error: `values` is missing in tag `goods`",
    );
    check_mod(
        "[tag.goods]\non = \"zone\"\nmerge = \"sum\"\nvalues = [\"wine\"]",
        "",
        "mod.toml:4:11: error: tag `goods` counts, so it has no words (words are merged by `merge = \"set\"` or `merge = \"multiset\"`)",
    );
    check_mod(
        "[tag.goods]\non = \"zone\"\nmerge = \"set\"\nvalues = [\"a\", \"a\"]",
        "",
        "mod.toml:4:16: error: `a` is listed twice",
    );
}

#[test]
fn cards_with_a_text() {
    check_mod(
        "[deck.letters]\ncards = { walk = \"Go on.\" }",
        "",
        "mod.toml:2:18: error: the card `walk` needs a number, or a table with `count` and `about` (write `walk = { count = 1, about = \"Go on.\" }`)",
    );
    check_mod(
        "[piece.big]\ngoes_home = \"true\"",
        "",
        "mod.toml:2:13: error: expected true or false, found a text (write it without quotes: `true`)",
    );
}

#[test]
fn settings() {
    check_mod(
        "[setting.a]\ndefault = 3\nchoices = [1, 2]",
        "",
        "mod.toml:2:11: error: the default `3` is not one of `1` and `2`",
    );
    check_mod("[setting.a]\ndefault = 3\nmax = 2", "", "mod.toml:2:11: error: the default 3 is more than 2");
    check_mod(
        "[setting.a]\ndefault = 10\nmin = 20\nmax = 9",
        "",
        "mod.toml:3:7: error: `min` is greater than `max`: 20 is more than 9",
    );
    check_mod(
        "[setting.a]\ndefault = 3\nchoices = [\"x\", 3]",
        "",
        "mod.toml:3:12: error: expected a number, found a text (write a whole number, such as `2`)",
    );
    check_mod(
        "[setting.a]\ndefault = true\nmin = 2",
        "",
        "mod.toml:3:7: error: only a setting that is a number can have `min` and `max`",
    );
    check_mod(
        "[setting.a]\ndefault = [1]",
        "",
        "mod.toml:2:11: error: expected true or false, a number or a text, found a list",
    );
}

#[test]
fn limits() {
    let many =
        |sort: &str, n: usize, body: &str| (0..n).map(|i| format!("[{sort}.a{i}]\n{body}\n")).collect::<String>();
    check_mod(&many("piece", 32, ""), "", "mod.toml:63:8: error: there are 33 pieces; at most 32 are allowed");
    check_mod(
        &many("kind", 61, "edge = \"full\""),
        "",
        "mod.toml:121:7: error: there are 65 kinds; at most 64 are allowed",
    );
    let zones = vec!["true"; 32].join(", ");
    check_mod(
        "",
        &format!("[tile]\nZ = {{ cloister = [{zones}] }}"),
        "tiles.toml:2:1: error: tile `Z` has 33 zones; at most 32 are allowed",
    );
}

#[test]
fn several_problems_come_together_sorted() {
    let files = format!(
        "{BASE}\n-- y/mod.toml\n[mod]\nid = \"y\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n[piece.hen]\nstands_on = [\"feild\"]\nstrenght = 2\n\
         -- y/tiles.toml\n[tile]\nX = {{ ctiy = \"n\" }}\nY = {{ city = \"q\" }}\n-- y/rules.rhai\nfn setup() {{ ??? }}"
    );
    let files = files.replacen("default = true", "default = true\nabuot = \"\"", 1);
    check(
        &files,
        "y",
        "
base/mod.toml:28:1: error: unknown key `abuot` in setting `farmers` (did you mean `about`?)
y/mod.toml:6:14: error: unknown kind `feild` (did you mean `field`?)
y/mod.toml:7:1: error: unknown key `strenght` in piece `hen` (did you mean `strength`?)
y/rules.rhai:1:14: error: unexpected '??'
y/tiles.toml:2:7: error: unknown kind or tag `ctiy` on tile `X` (did you mean `city`?)
y/tiles.toml:3:15: error: `q` is not an edge (there are `n`, `e`, `s` and `w`)
",
    );
}

#[test]
fn the_rich_form_shows_both_places() {
    let tile = "[tile]\nX = { city = \"n\", road = \"n-s\" }";
    let files = format!(
        "{BASE}\n-- x/mod.toml\nmod = {{ id = \"x\", version = \"1.0.0\", requires = [\"base\"] }}\n-- x/tiles.toml\n{tile}"
    );
    let (_, problems, _) = load(&files, "x");
    let rich = problems.render(false);
    assert!(rich.contains("X = { city = \"n\", road = \"n-s\" }") && rich.contains("this `road` covers `n`"), "{rich}");
}

#[test]
fn names_that_records_could_not_hold() {
    check_mod(
        "[deck.walks]\ncards = { \"far away\" = 1, near = 2 }",
        "",
        "mod.toml:2:11: error: `far away` cannot be the name of a card (write one word of letters, digits, `-` and `_`)",
    );
    check_mod(
        "[piece.back]\nper_player = 1",
        "",
        "mod.toml:1:8: error: `back` cannot be a name: it already has another meaning (choose another word)",
    );
    check(
        &format!("{BASE}\n-- my=mod/mod.toml\n[mod]\nid = \"my=mod\"\nversion = \"1.0.0\"\nrequires = [\"base\"]"),
        "my=mod",
        "my=mod/mod.toml:1:1: error: `my=mod` cannot be the id of a mod: records could not name it (name the folder with one word of lower-case letters, digits and `-`)",
    );
}

#[test]
fn themes_describe_tiles_of_their_own_mod() {
    for (tile, help) in [
        ("\"x/mill\"", "write `[tile.mill]`"),
        ("D", "a theme describes only the tiles of its own mod"),
        ("\"base/D\"", "a theme describes only the tiles of its own mod"),
        ("mil", "did you mean `x/mill`?"),
    ] {
        let head = "mod = { id = \"x\", version = \"0.1.0\", requires = [\"base\"] }";
        let tiles = "[tile]\nmill = { road = \"n-s\" }";
        let theme = format!("[tile.{tile}]\npicture = \"crown\"");
        let files = format!("{BASE}\n-- x/mod.toml\n{head}\n-- x/tiles.toml\n{tiles}\n-- x/theme.toml\n{theme}");
        let problems = load(&files, "x").1;
        assert!(problems.list().iter().any(|it| it.help.as_deref() == Some(help)), "{help}: {problems}");
    }
}

#[test]
fn filters_where_nothing_is_filtered() {
    let (_, problems, _) = load(&format!("{BASE}\n-- base/rules.rhai\nfn hint(option) {{ 1 }}"), "base");
    assert_eq!(problems.n_errors(), 0, "{problems}");
    let filtered = BASE.replacen("[kind.", "[hook.hint]\nonly_kind = \"road\"\n\n[kind.", 1);
    let (_, problems, _) = load(&format!("{filtered}\n-- base/rules.rhai\nfn hint(option) {{ 1 }}"), "base");
    assert!(problems.to_string().contains("`hint` ignores filters"), "{problems}");
}

#[test]
fn turns_are_played_with_tiles() {
    let cards = BASE.replacen("[deck.land]", "[deck.walks]\ncards = { near = 2 }\n\n[deck.land]", 1);
    let (_, problems, _) = load(&cards, "base");
    assert!(
        problems.to_string().contains("the first deck, `walks`, must hold tiles, but it holds cards"),
        "{problems}"
    );
}

#[test]
fn keys_that_a_style_ignores() {
    let themed = |theme: &str| load(&format!("{BASE}\n-- base/theme.toml\n{theme}"), "base").1.to_string();
    let said = themed("[kind.road]\nstyle = \"path\"\ncolour = \"#ff0000\"\nicon = \"tower\"");
    assert!(
        said.contains("theme.toml:3:1: warning: `colour` has no effect: kind `road` has the style `path`"),
        "{said}"
    );
    assert!(said.contains("theme.toml:4:1: warning: `icon` has no effect"), "{said}");
    for used in
        ["style = \"coloured\"\ncolour = \"#ff0000\"\nicon = \"tower\"", "colour = \"#ff0000\"", "style = \"path\""]
    {
        assert_eq!(themed(&format!("[kind.road]\n{used}")), "", "{used}");
    }
}

#[test]
fn styles_that_do_not_go_with_an_edge() {
    let (loaded, problems, _) = load(&format!("{BASE}\n-- base/theme.toml\n[kind.road]\nstyle = \"wooded\""), "base");
    assert!(loaded.is_some(), "{problems}");
    let said = problems.to_string();
    assert!(said.contains("the style of kind `road` does not fit the value of `edge` in `[kind.road]`"), "{said}");
    assert!(said.contains("the fitting styles are `path`, `water` and `coloured`"), "{said}");
}

#[test]
fn names_and_awards_shared_by_mods_that_know_nothing_of_each_other() {
    let rules =
        "fn score_value(feature, score) { score.replace(1, \"one\"); }\nfn break_tie(feature, players) { players }";
    let files = |optional: &str, kind: &str| {
        format!(
            "{BASE}\n-- x/mod.toml\nmod = {{ id = \"x\", version = \"1.0.0\", requires = [\"base\"] }}\n[tag.shield]\non = \"zone\"\n\
             merge = \"sum\"\n[tag.inn]\non = \"zone\"\n[hook.score_value]\nonly_kind = \"road\"\n-- x/rules.rhai\n{rules}\n\
             -- y/mod.toml\nmod = {{ id = \"y\", version = \"1.0.0\", requires = [\"base\"]{optional} }}\n[tag.shield]\non = \"zone\"\n\
             merge = \"sum\"\n[tag.inn]\non = \"zone\"\n[hook.score_value]\nonly_kind = \"{kind}\"\n-- y/rules.rhai\n{rules}"
        )
    };
    let optional = "(add `x` to `optional` of `y`, or the reverse, to decide which one comes last)";
    let tie = format!(
        "y/rules.rhai:2:4: warning: `x` and `y` may break the same tie differently; `y` comes later and prevails {optional}"
    );
    let tag = "y/mod.toml:5:6: warning: `y` and `x` both declare tag `inn`, and neither mod builds on the other (add `x` to \
               `optional` if this is intended, or rename the tag)";
    check(&files("", "city"), "x y", &format!("{tag}\n{tie}"));
    let value = format!(
        "y/rules.rhai:1:4: warning: `x` and `y` may replace the value of the same award differently; `y` comes later and prevails \
         {optional}"
    );
    check(&files("", "road"), "x y", &format!("{tag}\n{value}\n{tie}"));
    check(&files(", optional = [\"x\"]", "road"), "x y", "");
    check(&files("", "road"), "y", "");
}

#[test]
fn what_no_game_can_use() {
    let stands = "stands_on = [\"road\"]";
    check_mod(
        &format!("[piece.guard]\n{stands}"),
        "",
        "mod.toml:1:8: warning: there are no copies of the piece `guard` (write how many each player has, `per_player = 1`, or how many have no owner, `neutral = 1`)",
    );
    let common = "[piece.official]\nstands_on = [\"road\"]\n[piece.mayor]\nis = \"official\"\nper_player = 1";
    check_mod(common, "", "");
    check_mod(
        "[piece.monk]\nper_player = 1",
        "",
        "mod.toml:1:8: warning: the piece `monk` can stand nowhere (write `stands_on = [\"road\", \"city\"]`, or place the piece in a script)",
    );
    check_mod(
        "[kind.lake]\nedge = \"full\"\npoints = { complete = \"tiles\" }",
        "[tile]\nshore = { lake = \"n-e-s-w\" }",
        "mod.toml:1:7: warning: the kind `lake` pays points, but no piece can stand on it (write `holds = [\"follower\"]`, or leave the points out)",
    );
    check_mod(
        "[setting.bonus]\ndefault = 2",
        "",
        "mod.toml:1:10: warning: the setting `bonus` changes nothing (read it in a script, `settings.bonus`, or in a formula, `setting(bonus)`)",
    );
    let filtered = |tile: &str| {
        format!(
            "{BASE}\n-- x/mod.toml\nmod = {{ id = \"x\", version = \"0.1.0\", requires = [\"base\"] }}\n[tag.herbs]\non = \"zone\"\n\
             [hook.feature_completed]\nonly_tag = \"herbs\"\n-- x/tiles.toml\n{tile}\n-- x/rules.rhai\nfn feature_completed(feature) {{}}"
        )
    };
    let unset = "x/mod.toml:5:12: warning: this filter looks for the tag `herbs`, which no zone has (add it to a zone in tiles.toml, or \
                 write `set_tag(zone, \"herbs\", 1)` in a script)";
    check(&filtered(""), "x", unset);
    check(&filtered("[tile]\nmeadow = { city = { at = \"n\", herbs = true } }"), "x", "");
    let script = "fn setup() {\n    place_piece(\"monk\", players()[0], spot(0, 0));\n}";
    let files = format!(
        "{BASE}\n-- x/mod.toml\nmod = {{ id = \"x\", version = \"0.1.0\", requires = [\"base\"] }}\n[piece.monk]\nper_player = 1\n-- x/rules.rhai\n{script}"
    );
    check(&files, "x", "");
    check_mod(
        "[setting.many]\ndefault = false\n[piece.guard]\nper_player = \"2 if many\"\nstands_on = [\"road\"]",
        "",
        "",
    );
}

#[test]
fn questions_of_a_survey() {
    let question = |lines: &str| format!("[playtest.fun]\nabout = \"Fun?\"\n{lines}");
    check_mod(&question("type = \"scale\"\nmax = 7"), "", "");
    check_mod(&question("type = \"choice\"\nchoices = [\"no\", \"yes\"]"), "", "");
    check_mod("[playtest.fun]\ntype = \"text\"", "", "mod.toml:1:11: error: `about` is missing in playtest `fun`");
    check_mod(
        &question("type = \"stars\""),
        "",
        "mod.toml:3:8: error: `type` of playtest `fun` must be one of `scale`, `choice` and `text`, not `stars`",
    );
    check_mod(
        &question("type = \"scale\"\nmin = 5"),
        "",
        "mod.toml:4:7: error: the scale from 5 to 5 has no numbers between which to choose (write a `max` that is larger than `min`)",
    );
    check_mod(
        &question("type = \"text\"\nmax = 5"),
        "",
        "mod.toml:4:7: error: only a question with `type = \"scale\"` can have `max`",
    );
    check_mod(
        &question("type = \"choice\"\nchoices = [\"no\"]"),
        "",
        "mod.toml:4:11: error: a question has 2 to 20 choices",
    );
    check_mod(
        &question("type = \"choice\"\nchoices = [\"no\", \"no\"]"),
        "",
        "mod.toml:4:18: error: `no` is listed twice",
    );
    check_mod(
        &format!("[playtest.fun]\nabout = \"{}\"\ntype = \"text\"", "x".repeat(201)),
        "",
        "mod.toml:2:9: error: a question has at most 200 characters",
    );
}

/// Loading warns of each file with a wrong name or in a wrong place, but not of other files.
#[test]
fn misplaced_files_are_told() {
    let head = "-- x/mod.toml\nmod = { id = \"x\", version = \"0.1.0\", requires = [\"base\"] }";
    let test = "bastide 1\nmods x\nplayers red blue";
    for (name, help) in [
        ("Tiles.toml", "rename it to `tiles.toml`"),
        ("Mod.toml", "rename it to `mod.toml`"),
        ("Rules.rhai", "rename it to `rules.rhai`"),
        ("rules.rhai.txt", "rename it to `rules.rhai`"),
        ("themes.toml", "rename it to `theme.toml`"),
        ("a.game", "move it to `tests/a.game`"),
        ("tests/a.GAME", "rename it to `tests/a.game`"),
        ("tests/a.games", "rename it to `tests/a.game`"),
        ("tests/a.game.txt", "rename it to `tests/a.game`"),
        ("tests/a.txt", "rename it to `tests/a.game`"),
        ("tests/old/a.game", "move it to `tests/a.game`"),
        ("tiles/more.tml", "rename it to `tiles/more.toml`"),
        ("tiles/deep/more.toml", "move it to `tiles/more.toml`"),
        ("scripts/rules.rhai", "move it to `rules.rhai`"),
        ("icons/theme.toml", "move it to `theme.toml`"),
    ] {
        let expected = format!("x/mod.toml:1:1: warning: `{name}` is not read ({help})");
        check(&format!("{BASE}\n{head}\n-- x/{name}\n{test}"), "x", &expected);
    }
    for name in ["README.md", "LICENSE", "notes.txt", "cover.png", "docs/a.game", "tests/README.md", "icons/a.png"] {
        check(&format!("{BASE}\n{head}\n-- x/{name}\n{test}"), "x", "");
    }
    check(&format!("{BASE}\n{head}\n-- x/tests/notes.txt\nbastide test x"), "x", "");
    check(
        &format!("{BASE}\n{head}\n-- x/rule.rhai\n"),
        "x",
        "x/mod.toml:1:1: warning: `rule.rhai` is not read: the script of a mod is `rules.rhai`",
    );
}
