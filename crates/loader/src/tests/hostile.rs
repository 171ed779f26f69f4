//! Hostile mod folders: loading opens only files of the mod, and reports excessive input quickly.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::{BASE, check_mod, folder};
use crate::Library;

/// Loads mod `x` after `change` has modified its folder. Returns the problems, with places relative
/// to the temporary folder, the number of errors, and the loading time.
fn problems_of(files: &str, change: impl FnOnce(&Path)) -> (Vec<String>, usize, Duration) {
    let head = "-- x/mod.toml\nmod = { id = \"x\", version = \"0.1.0\", requires = [\"base\"] }";
    let folder = folder(&format!("{BASE}\n{head}\n{files}"));
    change(&folder.path().join("x"));
    let begun = Instant::now();
    let (_, problems) = Library::open(&[folder.path().to_owned()]).load(&["x"]);
    let took = begun.elapsed();
    problems.render(false);
    let place = format!("{}/", folder.path().display());
    let told = problems.list().iter().map(|p| p.to_string().replace(&place, "")).collect();
    (told, problems.n_errors(), took)
}

#[track_caller]
fn check(files: &str, change: impl FnOnce(&Path), expected: &[&str]) {
    assert_eq!(problems_of(files, change).0, expected);
}

/// Checks that loading reports excessive input within a few seconds, and lists a few hundred
/// problems at most. Returns the problems.
#[track_caller]
fn in_time(files: &str) -> String {
    let (told, _, took) = problems_of(files, |_| {});
    // Tests are not optimized and run in parallel, so loading takes about ten times as long as in a
    // release build.
    assert!(took < Duration::from_secs(5), "{took:?}: {told:#?}");
    assert!(told.len() <= 201, "{}", told.len());
    told.join("\n")
}

#[test]
fn folders_in_place_of_files_are_told() {
    let make = |names: &'static [&'static str]| {
        move |x: &Path| names.iter().for_each(|name| fs::create_dir_all(x.join(name)).unwrap())
    };
    let told = |name: &str| format!("error: cannot read x/{name}: it is a folder, and only regular files are read");
    for name in ["rules.rhai", "tiles.toml", "theme.toml", "tiles/a.toml"] {
        assert_eq!(problems_of("", |x| fs::create_dir_all(x.join(name)).unwrap()).0, [told(name)]);
    }
    check("-- x/theme.toml\n", make(&["icons/a.svg"]), &[&told("icons/a.svg")]);
    let (told_of_manifest, ..) = problems_of("", |x| {
        fs::remove_file(x.join("mod.toml")).unwrap();
        fs::create_dir(x.join("mod.toml")).unwrap();
    });
    assert_eq!(told_of_manifest, [told("mod.toml")]);
    let (no_folder, ..) = problems_of("-- x/tiles\nno folder", |_| {});
    assert!(no_folder[0].starts_with("error: cannot read x/tiles: "), "{no_folder:?}");
}

#[test]
#[cfg(unix)]
fn links_lead_only_into_the_folder_of_the_mod() {
    use std::os::unix::fs::symlink;
    check(
        "",
        |x| symlink("/etc/passwd", x.join("rules.rhai")).unwrap(),
        &["error: cannot read x/rules.rhai: it is a link that leads out of x"],
    );
    check(
        "",
        |x| symlink("/dev/zero", x.join("tiles.toml")).unwrap(),
        &["error: cannot read x/tiles.toml: it is a link that leads out of x"],
    );
    check(
        "",
        |x| symlink("../base", x.join("tiles")).unwrap(),
        &["error: cannot read x/tiles: it is a link that leads out of x"],
    );
    check(
        "",
        |x| symlink("nowhere", x.join("rules.rhai")).unwrap(),
        &["error: cannot read x/rules.rhai: it is a broken link"],
    );
    let inside = "-- x/own/tiles.toml\n[tile]\nX = { city = \"n\" }";
    check(inside, |x| symlink("own/tiles.toml", x.join("tiles.toml")).unwrap(), &[]);
    // The folder of the mod itself may be a link, which is common for mods under development.
    check(
        "",
        |x| {
            let elsewhere = x.with_file_name("work").join("x");
            fs::create_dir_all(elsewhere.parent().unwrap()).unwrap();
            fs::rename(x, &elsewhere).unwrap();
            symlink(&elsewhere, x).unwrap();
        },
        &[],
    );
}

#[test]
#[cfg(unix)]
fn sockets_and_pipes_are_not_opened() {
    // A socket stands for both, because a test can make it without another program. Like a pipe, it
    // is not a regular file.
    let make = |name: &'static str| {
        move |x: &Path| {
            fs::create_dir_all(x.join(name).parent().unwrap()).unwrap();
            std::os::unix::net::UnixListener::bind(x.join(name)).unwrap();
        }
    };
    for name in ["rules.rhai", "tiles.toml", "tiles/a.toml"] {
        let expected =
            format!("error: cannot read x/{name}: it is a device, a pipe or a socket, and only regular files are read");
        check("", make(name), &[&expected]);
    }
}

#[test]
fn large_files_are_not_read() {
    check(
        "",
        |x| fs::File::create(x.join("tiles.toml")).unwrap().set_len(40 << 30).unwrap(),
        &["error: cannot read x/tiles.toml: it is larger than 1024 kB, the limit for this file"],
    );
    check(
        "",
        |x| fs::write(x.join("rules.rhai"), "// \n".repeat(100_000)).unwrap(),
        &["error: cannot read x/rules.rhai: it is larger than 256 kB, the limit for this file"],
    );
    let (told, ..) = problems_of("", |x| {
        fs::create_dir(x.join("tiles")).unwrap();
        (0..400).for_each(|i| fs::write(x.join(format!("tiles/{i:03}.toml")), "").unwrap());
    });
    assert_eq!(told, ["error: x/tiles has 400 files; at most 300 are allowed"]);
}

#[test]
fn a_megabyte_of_mistakes_is_answered_in_time() {
    let n = 40_000;
    let keys: String = (0..n).map(|i| format!("wrong{i} = 1\n")).collect();
    let files = format!("-- x/tiles.toml\n[tile.X]\n{keys}");
    let (told, n_errors, _) = problems_of(&files, |_| {});
    assert_eq!((told.len(), n_errors), (201, n));
    assert_eq!(told[200], "error: and 39,800 more");
    in_time(&files);
    in_time(&format!(
        "-- x/tiles.toml\n[tile]\n{}",
        (0..n).map(|i| format!("T{i} = {{ cty = 1 }}\n")).collect::<String>()
    ));
    in_time(&format!("-- x/tiles.toml\n{}", "= = ]\n".repeat(150_000)));
    in_time(&format!("-- x/tiles.toml\n{}", "\u{1b}[\"".repeat(250_000)));
    in_time(&format!("-- x/tiles.toml\n[tile]\nX = {{ city = [{}] }}", "\"n\",".repeat(200_000)));
    in_time(&format!("-- x/tiles.toml\n[tile]\nX = {{ city = \"{}\" }}", "n-".repeat(500_000)));
    in_time(&format!(
        "-- x/tiles.toml\n[tile]\nX = {{ field = {{ at = \"n1\", touches = [{}] }} }}",
        "\"a\",".repeat(200_000)
    ));
    in_time(&format!("-- x/tiles.toml\n[tile]\n{} = 1\n", "k".repeat(1_000_000)));
    in_time(&format!("-- x/theme.toml\n{}", (0..n).map(|i| format!("[tag.t{i}]\nicn = 1\n")).collect::<String>()));
    in_time(&format!(
        "-- x/theme.toml\n[palette.p]\n{}",
        (0..n).map(|i| format!("colour{i} = 1\n")).collect::<String>()
    ));
}

#[test]
fn very_many_declarations_are_told_in_time() {
    let many = |line: &dyn Fn(usize) -> String| (0..25_000).map(line).collect::<String>();
    let tiles = in_time(&format!("-- x/tiles.toml\n[tile]\n{}", many(&|i| format!("T{i} = {{ city = \"n\" }}\n"))));
    assert!(tiles.contains("x/tiles.toml:10002:1: error: there are 25000 tiles; at most 10000 are allowed"), "{tiles}");
    let starts = in_time(&format!(
        "-- x/tiles.toml\n[tile]\n{}",
        (0..5000).map(|i| format!("T{i} = {{ start = true }}\n")).collect::<String>()
    ));
    assert!(starts.contains("there are 5001 start tiles; at most 100 are allowed"), "{starts}");
    let declared = |what: &str, body: &str| {
        let files = many(&|i| format!("[{what}.a{i}]\n{body}\n"));
        let (told, ..) = problems_of("", |x| {
            let manifest = format!("mod = {{ id = \"x\", version = \"0.1.0\", requires = [\"base\"] }}\n{files}");
            let end = manifest[..manifest.len().min(1_000_000)].rfind("\n[").unwrap_or(manifest.len());
            fs::write(x.join("mod.toml"), &manifest[..end]).unwrap()
        });
        told
    };
    for (what, body) in [
        ("kind", "edge = \"full\""),
        ("tag", "on = \"zone\""),
        ("piece", ""),
        ("token", ""),
        ("setting", "default = 1"),
        ("option", ""),
        ("hook", ""),
        ("playtest", "about = \"?\"\ntype = \"text\""),
    ] {
        let begun = Instant::now();
        let told = declared(what, body);
        assert!(begun.elapsed() < Duration::from_secs(5), "{what}: {:?}", begun.elapsed());
        assert!(
            told.iter().any(|t| t.contains("are allowed") || t.contains("more than 1024 kB")),
            "{what}: {:?}",
            told.first()
        );
    }
}

#[test]
fn long_lists_and_formulas_are_told_in_time() {
    let in_manifest = |text: &str| {
        let begun = Instant::now();
        let (told, ..) = problems_of("", |x| {
            let manifest = format!("mod = {{ id = \"x\", version = \"0.1.0\", requires = [\"base\"] }}\n{text}");
            fs::write(x.join("mod.toml"), manifest).unwrap();
        });
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        told.join("\n")
    };
    let contains = |text: &str, message: &str| {
        let told = in_manifest(text);
        assert!(told.contains(message), "{told}");
    };
    let formula = format!("[kind.sea]\nedge = \"full\"\npoints = {{ complete = \"{}1\" }}", "tiles + ".repeat(100_000));
    contains(&formula, "this is longer than 4000 characters");
    let words: String = (0..90_000).map(|i| format!("\"w{i}\",")).collect();
    let set = format!("[tag.t]\non = \"zone\"\nmerge = \"set\"\nvalues = [{words}]");
    contains(&set, "this list has 90000 items; at most 1000 are allowed");
    let without = format!("[deck.land]\nwithout = [{}]", "\"base/*\",".repeat(40_000));
    contains(&without, "this list has 40000 items; at most 1000 are allowed");
    let after =
        (0..190).map(|i| format!("[[phase]]\nid = \"p{i}\"\nslot = \"placed\"\nafter = [{}]\n", "\"p0\",".repeat(900)));
    in_manifest(&after.collect::<String>());
}

#[test]
fn scripts_full_of_mistakes_are_told_in_time() {
    let names: String = (0..4_000).map(|i| format!("  u{i};\n")).collect();
    in_time(&format!("-- x/rules.rhai\nfn setup() {{\n{names}}}"));
    let calls: String = (0..4_000).map(|i| format!("  call_{i}(1);\n")).collect();
    let told = in_time(&format!("-- x/rules.rhai\nfn setup() {{\n{calls}}}"));
    assert!(told.contains("there is no function `call_0`") || told.contains("more problems"), "{told}");
    let functions: String = (0..4_000).map(|i| format!("fn f{i}() {{ }}\n")).collect();
    in_time(&format!("-- x/rules.rhai\n{functions}"));
    in_time(&format!("-- x/rules.rhai\n{}", "fn setup() { }\n".repeat(4_000)));
    in_time(&format!("-- x/rules.rhai\nfn setup() {{ {} }}", "((((".repeat(50_000)));
}

#[test]
fn what_cannot_be_seen_is_refused() {
    check_mod(
        "[tag.lair]\non = \"zone\"\nmerge = \"set\"\nvalues = [\"a\\u001Bb\"]",
        "",
        "mod.toml:4:11: error: this contains the character U+001B, which cannot be seen (leave it out)",
    );
    check_mod(
        "[setting.s]\ndefault = \"x\\u202Ey\"",
        "",
        "mod.toml:2:11: error: this contains the character U+202E, which cannot be seen (leave it out)",
    );
    check_mod("[token.coin]\nabout = \"\"\"\nMade of gold,\n\tand round.\n\"\"\"", "", "");
    check_mod(
        "[token.coin]\nabout = \"gold\\u200B\"",
        "",
        "mod.toml:2:9: error: this contains the character U+200B, which cannot be seen (leave it out)",
    );
}

#[test]
fn ids_that_look_like_others_are_told() {
    let manifest =
        |id: &str| format!("-- {id}/mod.toml\n[mod]\nid = \"{id}\"\nversion = \"1.0.0\"\nrequires = [\"base\"]");
    let told = |ids: &[&str], wanted: &str| {
        let files: Vec<String> = ids.iter().map(|id| manifest(id)).collect();
        super::load(&format!("{BASE}\n{}", files.join("\n")), wanted).2
    };
    let cyrillic = "b\u{430}se";
    assert_eq!(
        told(&[cyrillic], cyrillic),
        format!(
            "{cyrillic}/mod.toml:2:6: warning: the id `{cyrillic}` looks like `base`, which is another mod (check that this is the mod you want, or give it another id)\n"
        )
    );
    assert!(told(&["river1", "riverl"], "river1 riverl").contains("`riverl` looks like `river1`"));
    assert!(told(&["g\u{43e}ld"], "g\u{43e}ld").contains("mixes letters of several writing systems"));
    assert_eq!(told(&["größe", "river1", "игра"], "größe river1 игра"), "");
}

#[test]
fn the_order_of_tiles_and_cards_means_nothing() {
    let catalogue = |tiles: &str, cards: &str| {
        let loaded = super::load_mod(&format!("[deck.letters]\ncards = {{ {cards} }}"), &format!("[tile]\n{tiles}"));
        let catalogue = loaded.catalogue();
        let names: Vec<String> = catalogue.tile_set.tiles.iter().map(|t| t.name.clone()).collect();
        let decks: Vec<_> = catalogue.decks.iter().map(|d| d.items.clone()).collect();
        (names, catalogue.cards.clone(), decks)
    };
    let one =
        catalogue("X = { city = \"n\" }\nB = { count = 2, city = \"s\" }\nY = { road = \"n-s\" }", "a = 1, b = 2");
    let other =
        catalogue("Y = { road = \"n-s\" }\nB = { count = 2, city = \"s\" }\nX = { city = \"n\" }", "b = 2, a = 1");
    assert_eq!(one, other);
}

/// Titles that are unreadable or look like another title get a warning.
#[test]
fn titles_that_mislead_are_reported() {
    let manifest = |id: &str, title: &str| {
        format!(
            "-- {id}/mod.toml\n[mod]\nid = \"{id}\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\ntitle = \"{title}\"\n"
        )
    };
    let told = |title: &str| {
        let files = format!("{BASE}\n{}{}", manifest("x", "Deep wells"), manifest("y", title));
        super::load(&files, "x y").2
    };
    assert_eq!(told("Other wells"), "");
    assert!(told("Deep Wells").contains("looks like that of the mod `x`"), "{}", told("Deep Wells"));
    assert!(told("D\u{435}ep wells").contains("looks like that of the mod `x`"));
    assert!(told("\u{2800}\u{2800}").contains("has no letters"));
    assert!(told("g\u{430}me").contains("mixes letters of several writing systems"));
    assert!(told(&"a".repeat(101)).contains("at most 100 characters"));
}

/// If two cards, words or other declared names look alike, the loader reports the name with unusual
/// letters.
#[test]
fn names_that_look_like_others_are_told() {
    check(
        "-- x/mod.toml
[mod]
id = \"x\"
version = \"1.0.0\"
requires = [\"base\"]
[tag.goods]
on = \"zone\"
merge = \"set\"
values = [\"wine\", \"win\u{435}\", \"größe\"]
[deck.gifts]
holds = \"cards\"
cards = { loot = 1, \"l\u{43e}ot\" = 1, \"gr\u{43e}ain\" = 1, l1 = 1, I1 = 1 }
",
        |_| {},
        &[
            "x/mod.toml:8:19: warning: the word `win\u{435}` looks like `wine`, which is a different name (if they are the same, spell both the same way; if not, rename one)",
            "x/mod.toml:11:21: warning: the card `l\u{43e}ot` looks like `loot`, which is a different name (if they are the same, spell both the same way; if not, rename one)",
            "x/mod.toml:11:33: warning: the card `gr\u{43e}ain` mixes letters of several writing systems, some of which look alike (use letters of one writing system)",
        ],
    );
}

/// The loader checks conditional values with the switch on and off.
#[test]
fn conditions_are_looked_at_either_way() {
    let files = "-- x/mod.toml
[mod]
id = \"x\"
version = \"1.0.0\"
requires = [\"base\"]
[setting.rich]
default = true
[setting.poor]
default = false
[piece.mole]
per_player = 1
stands_on = [\"road\", \"raod if not rich\", \"ctiy if poor\", \"feild if rich\", \"city if poor\"]
";
    check(
        files,
        |_| {},
        &[
            "x/mod.toml:11:22: error: unknown kind `raod` (did you mean `road`?)",
            "x/mod.toml:11:42: error: unknown kind `ctiy` (did you mean `city`?)",
            "x/mod.toml:11:58: error: unknown kind `feild` (did you mean `field`?)",
        ],
    );
}
