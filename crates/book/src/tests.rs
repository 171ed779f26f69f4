#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use loader::Library;
use testkit::mods_folder;
use workshop::link::Link;

use crate::{Book, RulesSummary, book};

/// The address of the links in these tests.
const ADDRESS: &str = "https://bastide.example/";

fn library(folder: &Path) -> Library {
    Library::open(&[folder.to_owned()]).checking_icons(art::check_icon)
}

fn made(folder: &Path, id: &str) -> Result<Book, Vec<String>> {
    book(&library(folder), &[id.to_owned()], ADDRESS)
        .map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

/// Copies a folder with its subfolders.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}

/// Makes a folder with copies of the base game, `inns-cathedrals` and `id`.
fn copied(id: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for id in ["base", "inns-cathedrals", id] {
        copy(&mods_folder().join(id), &folder.path().join(id));
    }
    folder
}

#[test]
fn every_bundled_mod_has_a_book_with_three_examples() {
    for id in library(&mods_folder()).ids() {
        let book = made(&mods_folder(), &id).unwrap_or_else(|problems| panic!("{id}: {problems:#?}"));
        assert!(book.n_examples >= 3, "{id} has {} examples", book.n_examples);
        assert_eq!(book.unexplained, [""; 0], "{id}");
        assert!(book.html.ends_with("</html>\n") && book.html.len() < 8_000_000, "{id}: {} bytes", book.html.len());
        assert!(!book.html.contains("<script") && !book.html.contains("src="), "{id} needs another file");
    }
}

/// Returns the page without the links that open examples in Bastide.
fn without_links(book: &Book) -> String {
    let begin = format!("href=\"{ADDRESS}#");
    let mut parts = book.html.split(&begin);
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |page, part| page + part.split_once('"').unwrap().1)
}

#[test]
fn each_example_has_steps_and_opens_in_bastide() {
    let book = made(&mods_folder(), "messages").unwrap();
    let links: Vec<&str> = book.html.split(&format!("href=\"{ADDRESS}#")).skip(1).collect();
    assert_eq!(links.len(), book.n_examples);
    for link in links {
        let link = Link::read(link.split_once('"').unwrap().0).unwrap();
        assert!(link.mods.is_empty() && link.summary().unwrap().mods.contains(&"messages".to_owned()));
    }
    let example = book.html.split("class=example").nth(1).unwrap();
    assert_eq!(example.matches("type=radio").count(), 1 + example.matches("<figure").count());
    for text in ["Red deploys nothing", "Red moves marker 1 from", "class=\"track\"", "Red: 2 points"] {
        assert!(example.contains(text), "{text}: {example}");
    }
}

#[test]
fn a_changed_rule_changes_the_book_or_stops_it() {
    let changes = [
        ("mod.toml", "complete = \"tiles\"", "complete = \"2 * tiles\""),
        ("mod.toml", "complete = \"2 * tiles + 2 * shield\"", "complete = \"3 * tiles + 2 * shield\""),
        ("mod.toml", "final = \"3 * touching(city, complete)\"", "final = \"4 * touching(city, complete)\""),
        ("mod.toml", "complete = \"spots\"", "complete = \"2 * spots\""),
        ("mod.toml", "per_player = 7", "per_player = 6"),
        ("mod.toml", "default = 2", "default = 4"),
        ("mod.toml", "\"cloister\", \"field if farmers\"", "\"field if farmers\""),
        ("rules.rhai", "score.replace(feature.n_tiles", "score.replace(2 * feature.n_tiles"),
        ("rules.rhai", "one point for each tile and shield", "five points for each tile"),
        ("tiles.toml", "count = 4", "count = 5"),
    ];
    let folder = copied("base");
    let before = made(folder.path(), "base").unwrap();
    for (file, old, new) in changes {
        let path = folder.path().join("base").join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(old), "{file} has no {old}");
        fs::write(&path, text.replacen(old, new, 1)).unwrap();
        match made(folder.path(), "base") {
            // Links contain the changed mod, so they always change.
            Ok(book) => assert!(without_links(&book) != without_links(&before), "nothing changed by {new}"),
            Err(problems) => {
                assert!(problems.iter().any(|it| it.contains("the example fails")), "{new}: {problems:#?}")
            }
        }
        fs::write(&path, text).unwrap();
    }
}

#[test]
fn a_caption_says_only_numbers_that_are_checked() {
    let folder = copied("ferries");
    let file = folder.path().join("ferries/tests/z9.game");
    let text = "# book: Red has 7 points, 0 more than blue.\nbastide 1\nmods ferries\nplayers red blue\n\nexpect score red 0\n";
    fs::write(&file, text).unwrap();
    let problems = made(folder.path(), "ferries").unwrap_err();
    assert_eq!(problems.len(), 1, "{problems:#?}");
    assert!(problems[0].contains("z9.game:1: error: the caption says 7"), "{problems:#?}");
}

#[test]
fn texts_of_mods_do_not_become_html() {
    let folder = copied("ferries");
    let path = |name: &str| folder.path().join("ferries").join(name);
    let manifest = fs::read_to_string(path("mod.toml")).unwrap();
    let title = manifest.lines().find(|line| line.starts_with("title")).unwrap();
    let evil = manifest.replacen(title, "title = \"<script>alert(1)</script>\"", 1);
    fs::write(path("mod.toml"), evil).unwrap();
    let readme = format!(
        "# x\n<img src=x onerror=alert(1)>\n\n## <b>Rules</b>\n<script>1</script>\n\n{}\n",
        "a".repeat(500_000)
    );
    fs::write(path("README.md"), readme).unwrap();
    let game = "# book: <svg onload=alert()> \u{202e}\nbastide 1\nmods ferries\nplayers red blue\n";
    fs::write(path("tests/z9.game"), game).unwrap();
    let html = made(folder.path(), "ferries").unwrap().html;
    for evil in ["<script", "<img", "<svg onload", "<b>Rules", "\u{202e}"] {
        assert!(!html.contains(evil), "{evil}");
    }
    assert!(html.contains("&lt;script&gt;alert(1)"), "the title is a text");
}

#[test]
fn the_summary_has_the_turn_the_points_and_the_words() {
    let loaded = Library::open(&[mods_folder()]).load(&["ferries"]).0.unwrap();
    let summary = RulesSummary::new(&loaded, loaded.catalogue());
    assert_eq!(summary.titles, ["Base game", "Ferries"]);
    assert_eq!(summary.turn[..2], ["Draw a tile", "Place the tile"]);
    assert!(summary.turn.iter().any(|step| step == "Ferry: A ferry is laid on the new lake."), "{:?}", summary.turn);
    let road = summary.points.iter().find(|[name, ..]| name == "road").unwrap();
    assert_eq!(road[1..], ["1 for each tile", "1 for each tile"]);
    assert!(summary.words.iter().any(|[name, about]| name == "lake" && about.contains("ferry")));
}
