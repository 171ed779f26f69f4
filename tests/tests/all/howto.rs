//! Every entry of "How do I …" is a mod that loads without a problem and plays without a fault.

use std::fs;
use std::path::Path;

use loader::{HOWTO, Library, cookbook, mod_reference, tiles_reference};
use record::{RECORD_REFERENCE, Record, replay, start_game};
use rules::Setup;
use tests::{play_at_random, rules};
use theme::theme_reference;

/// The number of random games of each entry.
const N_GAMES: u64 = 10;

/// Declarations that the code of entries needs but does not contain. Each is the heading of a table
/// and its keys.
const PRELUDE: [(&str, &str); 6] = [
    ("[token.coin]", "stock = 50"),
    ("[pile.gold]", "stock = 9"),
    ("[piece.guard]", "per_player = 1\nstands_on = [\"road\", \"city\"]"),
    ("[tag.gold]", "on = \"tile\""),
    ("[deck.letters]", "cards = { walk = 2 }"),
    ("[setting.bonus]", "default = 3"),
];

/// Definitions of the names that code outside functions uses.
const NAMES: &str = "let player = turn.player; let tile = turn.tile; let feature = tile.zones[0].feature; \
                     let own = pieces_of(player); let piece = if own.is_empty() { () } else { own[0] };";

/// Writes an entry as the mod `probe` into a folder.
fn write_mod(entry: &str, folder: &Path) {
    let (mut manifest, mut tiles, mut theme, mut script) = (String::new(), String::new(), String::new(), String::new());
    let mut svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"><path d=\"M0 0H8V8Z\"/></svg>";
    for block in entry.split("```").skip(1).step_by(2) {
        let (form, text) = block.split_once('\n').unwrap();
        match form {
            "toml tiles" => tiles.push_str(text),
            "toml theme" => theme.push_str(text),
            // The icon of the entry. An entry without an icon has a triangle.
            "svg" => svg = text,
            "toml" | "toml game" => manifest.push_str(text),
            // The head of the manifest, which is the same for all entries.
            "toml mod" => {}
            "game" => {
                fs::create_dir_all(folder.join("tests")).unwrap();
                fs::write(folder.join("tests/try.game"), text).unwrap();
            }
            "rhai" if text.starts_with("fn ") => script.push_str(text),
            "rhai" => script.push_str(&format!("fn phase_try() {{\n{NAMES}\n{text}}}\n")),
            other => panic!("code of the form `{other}`"),
        }
    }
    if !manifest.contains("game = true") {
        let head =
            "[mod]\nid = \"probe\"\nversion = \"1.0.0\"\napi = 1\nrequires = [\"base\"]\noptional = [\"river\"]\n";
        let missing = PRELUDE.iter().filter(|(heading, _)| !manifest.contains(heading));
        let prelude: String = missing.map(|(heading, keys)| format!("{heading}\n{keys}\n")).collect();
        let phase = if script.contains("phase_try") { "[[phase]]\nid = \"try\"\nslot = \"scored\"\n" } else { "" };
        manifest = format!("{head}{prelude}{manifest}{phase}");
    }
    fs::create_dir_all(folder.join("icons")).unwrap();
    for icon in theme.split("\"icons/").skip(1).filter_map(|rest| rest.split('"').next()) {
        fs::write(folder.join("icons").join(icon), svg).unwrap();
    }
    for (name, text) in [("mod.toml", manifest), ("tiles.toml", tiles), ("theme.toml", theme), ("rules.rhai", script)] {
        if !text.is_empty() {
            fs::write(folder.join(name), text).unwrap();
        }
    }
}

#[test]
fn every_entry_is_a_mod_that_plays_without_problems() {
    let mods = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mods");
    let mut n = 0;
    let entries = HOWTO.split("\n### ").skip(1).map(|entry| entry.split("\n## ").next().unwrap());
    for entry in entries {
        let dir = tempfile::tempdir().unwrap();
        let probe = dir.path().join("probe");
        fs::create_dir(&probe).unwrap();
        assert!(entry.contains("```"), "an entry without code: {entry}");
        write_mod(entry, &probe);
        let library = Library::open(&[mods.clone(), dir.path().to_owned()]).with_icon_check(art::check_icon);
        let (loaded, problems) = library.load(&["probe"]);
        assert!(loaded.is_some() && problems.is_empty(), "{entry}\n{problems}");
        if let (Some(loaded), Ok(text)) = (&loaded, fs::read_to_string(probe.join("tests/try.game"))) {
            let (record, problems) = Record::parse(&text);
            assert_eq!(problems, []);
            let run = replay(rules(loaded, &record.setup), &record, |_| {}).unwrap();
            assert!(run.failures.is_empty() && run.n_expectations > 0, "{:?}", run.failures);
        }
        if let Some(loaded) = loaded {
            let setup = Setup::of(&["probe"], 3);
            for seed in 0..N_GAMES {
                let game = start_game(rules(&loaded, &setup), setup.clone());
                play_at_random(&mut game.unwrap_or_else(|_| panic!("{entry}")), seed, |_| {});
            }
        }
        n += 1;
    }
    assert!(n > 60, "{n}");
}

/// Returns the anchor of a heading, as web pages and editors make it.
fn anchor(heading: &str) -> String {
    let heading = heading.trim().to_lowercase();
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().replace(' ', "-")
}

/// Returns the targets of the links in a text, such as `mod.md#points`.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).filter(|link| !link.starts_with("http"))
}

#[test]
fn every_entry_is_in_the_contents_and_links_to_the_reference() {
    let scripts = script::docs();
    let pages = [
        ("", HOWTO.to_owned()),
        ("mod.md", mod_reference()),
        ("tiles.md", tiles_reference()),
        ("scripts.md", scripts),
        ("theme.md", theme_reference()),
        ("game.md", RECORD_REFERENCE.to_owned()),
        ("cookbook.md", cookbook()),
    ];
    let anchors = |page: &str| -> Vec<String> {
        let headings = page.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#'));
        headings.map(anchor).collect()
    };
    let anchors = pages.map(|(name, page)| (name, anchors(&page)));
    for link in links(HOWTO) {
        let (page, place) = link.split_once('#').unwrap();
        let (_, known) = anchors.iter().find(|(name, _)| *name == page).unwrap_or_else(|| panic!("{link}"));
        assert!(known.iter().any(|it| it == place), "{link}");
    }
    let contents = HOWTO.split("\n## ").next().unwrap();
    for entry in HOWTO.split("\n### ").skip(1) {
        let heading = entry.lines().next().unwrap();
        assert!(links(contents).any(|link| link == format!("#{}", anchor(heading))), "`{heading}` in the contents");
        let prose: String = entry.split("\n## ").next().unwrap().split("```").step_by(2).collect();
        assert!(links(&prose).next().is_some(), "a link in `{heading}`");
    }
}
