//! Every entry of "How do I …", added to a mod that `bastide new` has made, loads without a problem
//! and plays without a fault.

use std::fs;
use std::path::Path;

use loader::{HOWTO, Library, Template, cookbook, mod_reference, tiles_reference};
use record::{RECORD_REFERENCE, Record, replay, start_game};
use rules::Setup;
use tests::{play_at_random, rules};
use theme::theme_reference;

/// The number of random games of each entry.
const N_GAMES: u64 = 10;

/// Adds an entry to the mod `my-mod` in a folder, which `bastide new` has made.
fn add_entry(entry: &str, folder: &Path) {
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    let [mut manifest, mut tiles, mut theme, mut script] =
        ["mod.toml", "tiles.toml", "theme.toml", "rules.rhai"].map(read);
    let mut svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"><path d=\"M0 0H8V8Z\"/></svg>";
    let mut is_whole = false;
    for block in entry.split("```").skip(1).step_by(2) {
        let (form, text) = block.split_once('\n').unwrap();
        match form {
            "toml" => manifest = format!("{manifest}\n{text}"),
            // Lines below the first heading.
            "toml mod" => manifest = manifest.replacen("[mod]\n", &format!("[mod]\n{text}"), 1),
            // A whole manifest, and the tiles for it.
            "toml game" => (manifest, is_whole) = (text.to_owned(), true),
            "toml tiles" if is_whole => tiles = text.to_owned(),
            "toml tiles" => tiles.push_str(text),
            "toml theme" => theme.push_str(text),
            // The icon of the entry. An entry without an icon has a triangle.
            "svg" => svg = text,
            "game" => fs::write(folder.join("tests/try.game"), text).unwrap(),
            "rhai" => {
                assert!(text.starts_with("fn "), "code outside a function never runs: {text}");
                script.push_str(text);
            }
            // A test of the command runs these lines.
            "sh" => {}
            other => panic!("code of the form `{other}`"),
        }
    }
    fs::create_dir_all(folder.join("icons")).unwrap();
    for icon in theme.split("\"icons/").skip(1).filter_map(|rest| rest.split('"').next()) {
        fs::write(folder.join("icons").join(icon), svg).unwrap();
    }
    for (name, text) in [("mod.toml", manifest), ("tiles.toml", tiles), ("theme.toml", theme), ("rules.rhai", script)] {
        fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn every_entry_is_a_mod_that_plays_without_problems() {
    let mods = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mods");
    let mut n = 0;
    let entries = HOWTO.split("\n### ").skip(1).map(|entry| entry.split("\n## ").next().unwrap());
    for entry in entries {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("my-mod");
        Template::find("tiles").unwrap().write(&folder).unwrap();
        assert!(entry.contains("```"), "an entry without code: {entry}");
        add_entry(entry, &folder);
        let library = Library::open(&[mods.clone(), dir.path().to_owned()]).with_icon_check(art::check_icon);
        let (loaded, problems) = library.load(&["my-mod"]);
        assert!(loaded.is_some() && problems.is_empty(), "{entry}\n{problems}");
        if let (Some(loaded), Ok(text)) = (&loaded, fs::read_to_string(folder.join("tests/try.game"))) {
            let (record, problems) = Record::parse(&text);
            assert_eq!(problems, []);
            let run = replay(rules(loaded, &record.setup), &record, |_| {}).unwrap();
            assert!(run.failures.is_empty() && run.n_expectations > 0, "{:?}", run.failures);
        }
        if let Some(loaded) = loaded {
            let setup = Setup::of(&["my-mod"], 3);
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
