//! Several mods merged into one catalogue.

use board::{KindIdx, KindSet, PieceKindSet};
use rules::{Factor, ItemType, RulesFactory, SettingValue, Term};

use crate::{SettingError, SettingErrors};

use super::{BASE, check, check_mod, load, load_mod};

#[test]
fn the_little_game() {
    let (loaded, _, _) = load(BASE, "base");
    let loaded = loaded.unwrap();
    let all = loaded.catalogue();
    assert_eq!((all.n_players, all.track.length, all.track.n_markers), ((2, 6), 50, 1));
    let kinds: Vec<&str> = all.tile_set.kinds.iter().map(|k| k.name.as_str()).collect();
    assert_eq!(kinds, ["road", "city", "cloister", "field"], "in the order of the file");
    assert_eq!(all.start.map(|s| all.tile_set.tile(s.tile).name.clone()).as_deref(), Some("base/D"));
    let deck = &all.decks[0];
    assert_eq!(
        (deck.name.as_str(), deck.holds, &deck.items[..]),
        ("land", ItemType::Tiles, &[(0, 2), (1, 3), (2, 2)][..]),
        "by the ids of tiles, in whatever order the file has them"
    );
    let city = all.points[1].complete.as_ref().unwrap();
    let shield = Factor::Tag(all.tile_set.tag_named("shield").unwrap());
    assert_eq!(city.terms, [Term { times: 2, factors: vec![Factor::Tiles] }, Term { times: 2, factors: vec![shield] }]);
    assert!(all.points[3].complete.is_none() && all.points[3].at_end.is_some());
    let follower = &all.pieces[0];
    assert_eq!(follower.stands_on, KindSet(0b1111));
    assert!(follower.lies_on.contains(KindIdx(3)));
    assert_eq!((follower.blocked_by, follower.is, follower.strength), (PieceKindSet(1), PieceKindSet(1), 1));
}

#[test]
fn a_piece_takes_over_what_it_is() {
    let loaded = load_mod(
        "[piece.large]\ntitle = \"large follower\"\nis = \"follower\"\nper_player = 1\nstrength = 2\n[piece.tree_planter]\nper_player = 1\nstrength = 0\nstands_on = [\"road\"]\nblocked_by = []\nneeds = [\"follower\"]\ngoes_home = false",
        "",
    );
    let all = loaded.catalogue();
    let [follower, large, planter] = &all.pieces[..] else { panic!("three pieces") };
    assert_eq!((large.per_player, large.strength, &large.stands_on), (1, 2, &follower.stands_on));
    assert_eq!(
        (large.is, large.blocked_by, follower.blocked_by),
        (PieceKindSet(0b11), PieceKindSet(0b11), PieceKindSet(0b11))
    );
    let titles = all.pieces.iter().map(|piece| piece.title.as_str()).collect::<Vec<_>>();
    assert_eq!(titles, ["follower", "large follower", "tree planter"]);
    assert_eq!((planter.needs, planter.blocked_by, planter.goes_home), (PieceKindSet(0b11), PieceKindSet(0), false));
}

#[test]
fn equal_declarations_merge_and_unequal_ones_name_both_mods() {
    let mod_y = |body: &str| {
        let head = "mod = { id = \"y\", version = \"1.0.0\", requires = [\"base\"] }";
        format!("{BASE}\n-- y/mod.toml\n{head}\n{body}")
    };
    check(&mod_y("[tag.shield]\non = \"zone\"\nmerge = \"sum\"\nabout = \"other words\""), "y", "");
    check(&mod_y("[kind.road]\nedge = \"line\"\npoints = { final = \"tiles\", complete = \"tiles\" }"), "y", "");
    let files = mod_y("[kind.road]\nedge = \"line\"\npoints = { complete = \"2 * tiles\" }");
    let same = "(make both the same, rename one of them, or add to it with `[add.kind.road]`)";
    check(
        &files,
        "y",
        &format!("y/mod.toml:2:7: error: kind `road` is declared differently by `base` and by `y` {same}"),
    );
    let (_, problems, _) = load(&files, "y");
    let note = &problems.list()[0].notes[0];
    assert_eq!((note.span.line, note.span.column, note.message.as_str()), (6, 7, "`base` declares it here"));
    check(
        &mod_y("[deck.land]\nholds = \"cards\""),
        "y",
        "y/mod.toml:2:7: error: deck `land` is declared differently by `base` and by `y`",
    );
    check(
        &(mod_y("[track]\nlength = 40").replacen("[deck.land]", "[track]\nlength = 50\n[deck.land]", 1)),
        "y",
        "y/mod.toml:3:10: error: `base` declares a track of 50 spaces, `y` a track of 40 spaces",
    );
    check(
        &(mod_y("[track]\ndark = 4").replacen("[deck.land]", "[track]\ndark = 5\n[deck.land]", 1)),
        "y",
        "y/mod.toml:3:8: error: `base` declares a dark space every 5 spaces, `y` a dark space every 4 spaces",
    );
}

#[test]
fn mods_add_to_what_others_declare() {
    let mods = |x: &str, y: &str| {
        let heads = ["requires = [\"base\"]", "requires = [\"base\", \"x\"]"];
        let [x, y] = [(heads[0], x), (heads[1], y)].map(|(head, body)| format!("version = \"1.0.0\"\n{head}\n{body}"));
        format!("{BASE}\n-- x/mod.toml\n[mod]\nid = \"x\"\n{x}\n-- y/mod.toml\n[mod]\nid = \"y\"\n{y}")
    };
    // Additions of two mods add up.
    let x =
        "[tag.fish]\non = \"zone\"\nmerge = \"sum\"\n[add.kind.road]\npoints = { final = \"2\" }\ntags = { fish = 2 }";
    let y = "[add.kind.road]\npoints = { final = \"fish\" }\ntags = { fish = 1 }\n[add.piece.follower]\nper_player = 2";
    let (loaded, problems, _) = load(&mods(x, y), "y");
    assert!(problems.list().is_empty(), "{problems}");
    let all = loaded.unwrap();
    let all = all.catalogue();
    let (base, _, _) = load(BASE, "base");
    let base = base.unwrap();
    let road = all.tile_set.kind_named("road").unwrap();
    let n_terms = |all: &rules::Catalogue| all.points[road.0 as usize].at_end.as_ref().unwrap().terms.len();
    assert_eq!(n_terms(all), n_terms(base.catalogue()) + 2);
    let zones = all.tile_set.tiles.iter().flat_map(|tile| &tile.zones).filter(|zone| zone.kind == road);
    let fish: Vec<Vec<i32>> = zones.map(|zone| zone.tags.iter().map(|tag| tag.value).collect()).collect();
    assert!(!fish.is_empty() && fish.iter().all(|values| *values == [3]), "{fish:?}");
    let follower = |all: &rules::Catalogue| all.piece(all.piece_named("follower").unwrap()).per_player;
    assert_eq!(follower(all), follower(base.catalogue()) + 2);
    // Unknown names are errors, unless a mod that may declare them is missing.
    let wrong =
        "[add.kind.rode]\nholds = [\"folower\"]\n[add.piece.follwer]\nneutral = 1\n[add.kind.city]\ntags = { fsh = 1 }";
    check(
        &mods("", wrong),
        "y",
        "y/mod.toml:5:11: error: unknown kind `rode` (there are `road`, `city`, `cloister` and `field`)\n\
         y/mod.toml:7:12: error: unknown piece `follwer` (did you mean `follower`?)\n\
         y/mod.toml:10:10: error: unknown tag of zones `fsh` (there is `shield`)",
    );
    let absent = "optional = [\"z\"]\n[add.kind.lake]\nholds = [\"follower\"]";
    check(&mods("", absent), "y", "");
}

#[test]
fn decks_lose_tiles_and_hold_cards() {
    let declarations = "[track]\nmarkers = 2\n[deck.land]\nwithout = [\"base/*\"]\n[deck.news]\ncards = { A = 1, B = 2 }\n[deck.bonus]\n[token.wine]\nstock = 9\n[pile.gold]\n[layer.ways]\nkinds = [\"road\", \"city\"]\njoins_touching = true\npoints = { final = \"zones\" }";
    let loaded = load_mod(declarations, "[tile]\nX = { city = \"n\" }\nY = { deck = \"bonus\", city = \"n\" }");
    let all = loaded.catalogue();
    let names = |i: usize| {
        all.decks[i]
            .items
            .iter()
            .map(|(item, n)| format!("{}*{n}", all.item_name(rules::DeckIdx(i as u8), *item)))
            .collect::<Vec<_>>()
    };
    assert_eq!(names(0), ["x/X*1"]);
    assert_eq!(names(1), ["x/A*1", "x/B*2"]);
    assert_eq!(names(2), ["x/Y*1"]);
    assert_eq!((all.tokens[0].stock, all.piles[0].stock, all.track.n_markers), (Some(9), None, 2));
    assert!(all.tile_set.layers[1].joins_touching && all.layer_points[1].at_end.is_some());
}

#[test]
fn cards_say_what_they_are_about() {
    let declarations =
        "[track]\ndark = 5\n[deck.news.cards]\nA = 2\nB = { about = \"Two points.\" }\nC = { count = 3 }";
    let loaded = load_mod(declarations, "");
    let all = loaded.catalogue();
    let cards: Vec<(&str, &str)> = all.cards.iter().map(|c| (c.name.as_str(), c.about.as_str())).collect();
    assert_eq!(cards, [("x/A", ""), ("x/B", "Two points."), ("x/C", "")]);
    assert_eq!(all.decks[1].items, [(0, 2), (1, 1), (2, 3)]);
    assert!(all.track.is_dark(0) && all.track.is_dark(45) && !all.track.is_dark(7));
    let files = [
        BASE,
        "\n-- y/mod.toml\n[mod]\nid = \"y\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n[deck.news.cards]\nA = 1001\nB = { cuont = 2 }\nC = { count = -1 }\nD = true",
    ];
    check(
        &files.concat(),
        "y",
        "y/mod.toml:6:5: error: expected a number from 0 to 1000, found 1001\ny/mod.toml:7:7: error: unknown key `cuont` in card `B` (did you mean `count`?)\ny/mod.toml:8:15: error: expected a number from 0 to 1000, found -1\ny/mod.toml:9:5: error: expected a number, found true or false (write a whole number, such as `2`)",
    );
}

/// An expansion may set the number of players if it is played only with mods that it requires;
/// otherwise the game sets it.
#[test]
fn how_many_play_an_expansion_alone() {
    let small =
        "\n-- small/mod.toml\n[mod]\nid = \"small\"\nversion = \"1.0.0\"\nplayers = [2, 5]\nrequires = [\"base\"]\n";
    let other = "\n-- other/mod.toml\n[mod]\nid = \"other\"\nversion = \"1.0.0\"\nrequires = [\"small\"]\n";
    let n_players = |id: &str| load(&[BASE, small, other].concat(), id).0.unwrap().catalogue().n_players;
    assert_eq!([n_players("base"), n_players("small"), n_players("other")], [(2, 6), (2, 5), (2, 6)]);
}

#[test]
fn settings_are_chosen() {
    let mode = "[setting.mode]\ndefault = \"short\"\nchoices = [\"short\", \"long\"]";
    let script = "\n-- x/rules.rhai\nfn setup() { note(settings.mode); }";
    let loaded = load_mod(mode, script);
    let choose = |pairs: &[(&str, &str)]| {
        loaded.settings_from(&pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect::<Vec<_>>())
    };
    use SettingValue::{Bool, Int, Text};
    assert_eq!(
        choose(&[("base.farmers", "false"), ("x.mode", "long")]),
        Ok(vec![Bool(false), Int(2), Text("long".into())])
    );
    let refused = [
        ("base.framers", "true", "unknown setting `base.framers` (did you mean `base.farmers`?)"),
        ("mode", "long", "there is no setting and no piece `mode` in these mods (did you mean the setting `x.mode`?)"),
        ("moed", "long", "there is no setting and no piece `moed` in these mods (did you mean the setting `x.mode`?)"),
        (
            "folower",
            "2",
            "there is no setting and no piece `folower` in these mods (did you mean the piece `follower`?)",
        ),
        ("M", "2", "there is no setting and no piece `M` in these mods (did you mean the tile `base/M`?)"),
        ("base.M", "2", "unknown setting `base.M` (did you mean the tile `base/M`?)"),
        (
            "base/farmers",
            "2",
            "there is no tile and no card `base/farmers` in these mods (did you mean the setting `base.farmers`?)",
        ),
        (
            "quarry",
            "2",
            "there is no setting and no piece `quarry` in these mods (of settings there are `base.farmers`, \
             `base.bonus` and `x.mode`; of pieces there is `follower`)",
        ),
        ("base.farmers", "yes", "setting `base.farmers` must be `true` or `false`, not `yes`"),
        ("base.bonus", "6", "setting `base.bonus`: 6 is more than 5"),
        ("x.mode", "middle", "setting `x.mode`: `middle` is not one of `short` and `long`"),
        ("base/MM", "5", "there is no tile and no card `base/MM` in these mods (did you mean `base/M`?)"),
        ("bsae/*", "2", "the mod `bsae` is not in this game (did you mean `base`?)"),
        ("base/*", "11", "`base/*` takes a number from 0 to 10, not `11`"),
        ("base/M", "many", "`base/M` takes a number from 0 to 1000, not `many`"),
    ];
    for (name, value, expected) in refused {
        assert_eq!(choose(&[(name, value)]).map_err(|errors| errors.to_string()), Err(expected.to_owned()));
    }
    let twice = SettingError::Twice { name: "x.mode".to_owned() };
    assert_eq!(choose(&[("x.mode", "long"), ("x.mode", "long")]), Err(SettingErrors(vec![twice])));
    let files = format!("{BASE}\n-- y/mod.toml\nmod = {{ id = \"y\", version = \"1.0.0\", requires = [\"base\"] }}\n");
    let errors = load(&files, "y").0.unwrap().settings_from(&[("y.speed".to_owned(), "3".to_owned())]).unwrap_err();
    assert_eq!(errors.to_string(), "unknown setting `y.speed` (`y` has no settings)");
}

/// If a mod allows it, players can play without its script, but with its tiles and pieces.
#[test]
fn a_mod_without_its_rules() {
    let mod_of = |without: &str| {
        let files = format!(
            "\n-- x/mod.toml\n[mod]\nid = \"x\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n{without}[[phase]]\nid = \"late\"\nslot = \"end\"\n[hook.strength]\nonly_kind = [\"city\"]\n[piece.ghost]\nper_player = 1\n-- x/rules.rhai\nfn phase_late() {{ }}\nfn strength(piece, feature) {{ 1 }}\n-- x/tiles.toml\n[tile]\nT = {{ road = \"n-s\" }}\n"
        );
        load(&[BASE, &files].concat(), "x").0.unwrap()
    };
    let loaded = mod_of("without_rules = true\n");
    let played = |rules: &str| {
        let settings = loaded.settings_from(&[("x.rules".to_owned(), rules.to_owned())]).unwrap();
        let rules = loaded.rules(settings).unwrap();
        let all = rules.catalogue();
        (all.functions.len(), all.phases.len(), all.decks[0].items.len(), all.pieces.len())
    };
    assert_eq!([played("true"), played("false")], [(2, 5, 4, 2), (0, 4, 4, 2)]);
    assert!(mod_of("").settings_from(&[("x.rules".to_owned(), "false".to_owned())]).is_err());
}

/// Counts of tiles, cards, pieces and whole mods, in any order. The count of a single tile or card
/// overrides the factor of its mod.
#[test]
fn counts_are_chosen() {
    let loaded = load_mod(
        "[deck.letters]\ncards = { walk = 2, rest = 1 }\n[piece.ghost]\nneutral = 1",
        "[tile]\nT = { count = 3, road = \"n-s\" }",
    );
    let counted = |pairs: &[(&str, &str)]| {
        let chosen: Vec<_> = pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let rules = loaded.rules(loaded.settings_from(&chosen).unwrap()).unwrap();
        let all = rules.catalogue();
        let decks = (0..all.decks.len()).map(|i| rules::DeckIdx(i as u8));
        let items = decks.flat_map(|deck| all.decks[deck.idx()].items.iter().map(move |it| (deck, it)));
        let items = items.map(|(deck, (item, n))| format!("{} {n}", all.item_name(deck, *item)));
        let pieces = all.pieces.iter().map(|it| format!("{} {}", it.name, it.per_player + it.neutral));
        items.chain(pieces).collect::<Vec<_>>().join(", ")
    };
    let usual = "base/A 2, base/D 3, base/M 2, x/T 3, x/rest 1, x/walk 2, follower 7, ghost 1";
    assert_eq!(counted(&[]), usual);
    assert_eq!(
        counted(&[("x/T", "1"), ("x/*", "2"), ("base/A", "0"), ("x/walk", "9"), ("follower", "8"), ("ghost", "2")]),
        "base/A 0, base/D 3, base/M 2, x/T 1, x/rest 2, x/walk 9, follower 8, ghost 2"
    );
    assert_eq!(counted(&[]), usual, "the mods themselves are as they were");
}

#[test]
fn the_hash_is_of_names_and_texts_but_not_of_line_ends() {
    let hash = |files: &str| load(files, "base").0.unwrap().catalogue().mods[0].hash;
    let base = hash(BASE);
    assert_eq!(base, hash(&BASE.replace("default = true", "default = true\r")));
    assert_eq!(base, hash(&(BASE.to_owned() + "\n-- base/README.md\nnot part of the rules")));
    assert_ne!(base, hash(&BASE.replace("default = true", "default = false")));
    assert_ne!(base, hash(&BASE.replace("base/tiles.toml", "base/tiles/a.toml")));
}

#[test]
fn what_is_loaded_is_shared_by_threads() {
    fn shared<T: Send + Sync + RulesFactory>() {}
    shared::<crate::Loaded>();
}

#[test]
fn values_that_hang_on_switches_follow_the_settings_of_the_table() {
    let loaded = load_mod(
        "[setting.rich]\ndefault = false\n[kind.castle]\nedge = \"inside\"\npoints = { complete = \"9 * tiles if rich else tiles\" }\n\
         [piece.guard]\nper_player = \"3 if rich\"\nstands_on = [\"castle\", \"road if not rich\"]\n[track]\nlength = \"100 if rich else 60\"\n\
         [deck.walks]\ncards = { near = \"2 if rich\", far = 1 }",
        "[tile]\nA = { count = \"3 if rich\", castle = true, road = \"s\" }\nB = { castle = true, city = \"n\" }",
    );
    let shown = |chosen: &[(&str, &str)]| {
        let chosen: Vec<_> = chosen.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let rules = loaded.rules(loaded.settings_from(&chosen).unwrap()).unwrap();
        let all = rules.catalogue();
        let kind = all.tile_set.kind_named("castle").unwrap();
        let guard = all.piece(all.piece_named("guard").unwrap());
        let road = all.tile_set.kind_named("road").unwrap();
        let n_in = |deck: &str, item: &str| {
            let deck = all.deck_named(deck).unwrap();
            let item = all.item_named(deck, item).unwrap();
            all.decks[deck.idx()].items.iter().filter(|(it, _)| *it == item).map(|(_, n)| u32::from(*n)).sum::<u32>()
        };
        format!(
            "{} points, {} guards, on roads {}, {} spaces, {} + {} tiles, {} + {} cards",
            all.points[kind.0 as usize].complete.as_ref().unwrap().terms[0].times,
            guard.per_player,
            guard.stands_on.contains(road),
            all.track.length,
            n_in("land", "x/A"),
            n_in("land", "x/B"),
            n_in("walks", "x/near"),
            n_in("walks", "x/far"),
        )
    };
    assert_eq!(shown(&[]), "1 points, 0 guards, on roads true, 60 spaces, 0 + 1 tiles, 0 + 1 cards");
    assert_eq!(
        shown(&[("x.rich", "true")]),
        "9 points, 3 guards, on roads false, 100 spaces, 3 + 1 tiles, 2 + 1 cards"
    );
    assert_eq!(
        shown(&[("x.rich", "true"), ("x.tiles", "false")]),
        "9 points, 3 guards, on roads false, 100 spaces, 0 + 0 tiles, 2 + 1 cards"
    );
    assert!(loaded.settings_from(&[("base.tiles".to_owned(), "false".to_owned())]).is_err(), "a game has its tiles");
}

#[test]
fn both_sides_of_a_condition_are_looked_at() {
    check_mod(
        "[setting.rich]\ndefault = false\n[piece.guard]\nper_player = \"3000 if rich\"\nstands_on = \"raod if rich else rode\"",
        "",
        "mod.toml:4:14: error: expected a number from 0 to 1000, found 3000\n\
         mod.toml:5:13: error: unknown kind `raod` (did you mean `road`?)\n\
         mod.toml:5:31: error: unknown kind `rode` (there are `road`, `city`, `cloister` and `field`)",
    );
}
