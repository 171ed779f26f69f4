#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ink::{Paper, Progress};
use loader::Library;
use testkit::mods_folder;
use workshop::link::{Link, SCHEME};

use crate::exhibit::Exhibit;
use crate::text::Passage;
use crate::{Book, BookError, BookForm, RulesSummary};

/// The address of the links in these tests.
const ADDRESS: &str = "https://bastide.example/";

fn library(folder: &Path) -> Library {
    Library::open(&[folder.to_owned()]).with_icon_check(art::check_icon)
}

fn made(folder: &Path, id: &str) -> Result<Book, Vec<String>> {
    let made = book(&library(folder), &[id.to_owned()], ADDRESS);
    made.map_err(|error| error.into_problems().iter().map(ToString::to_string).collect())
}

fn book(library: &Library, ids: &[String], address: &str) -> Result<Book, BookError> {
    Book::make(library, ids, address, &mut Progress::default())
}

fn html(book: &Book) -> String {
    String::from_utf8(book.to_bytes(BookForm::Html, Paper::A4, &mut Progress::default()).unwrap()).unwrap()
}

/// Returns the examples of a book.
fn exhibits(book: &Book) -> Vec<&Exhibit> {
    let passages = book.pages.passages.iter();
    let examples = passages.filter_map(|passage| match passage {
        Passage::Example(example) => Some(&**example),
        _ => None,
    });
    examples.collect()
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

/// Returns the names of the elements of a page, in document order. Checks that the elements are
/// properly nested, that no id occurs twice, and that each link within the page leads to an id.
fn checked_elements(html: &str) -> Vec<&str> {
    let (mut open, mut names): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let (mut ids, mut targets) = (BTreeSet::new(), BTreeSet::new());
    for tag in html.split('<').skip(1) {
        let tag = tag.split_once('>').expect("a tag has an end").0;
        let name = tag.split([' ', '/']).next().unwrap();
        match tag.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed)),
            None if tag.ends_with('/') || ["!doctype", "meta", "br", "input"].contains(&name) => names.push(name),
            None => {
                open.push(name);
                names.push(name);
            }
        }
        for (attribute, of) in [(" id=\"", &mut ids), (" href=\"#", &mut targets)] {
            if let Some(value) = tag.split_once(attribute).and_then(|(_, rest)| Some(rest.split_once('"')?.0)) {
                let is_new = of.insert(value);
                assert!(is_new || attribute != " id=\"", "{value} occurs twice");
            }
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let lost: Vec<_> = targets.difference(&ids).collect();
    assert!(lost.is_empty(), "{lost:?}");
    names
}

/// Returns the text of a PDF, without the spaces between words.
fn text_of(pdf: &lopdf::Document) -> String {
    let pages: Vec<u32> = pdf.get_pages().into_keys().collect();
    pdf.extract_text(&pages).unwrap().chars().filter(|c| !c.is_whitespace()).collect()
}

/// Checks that a PDF contains the letters of all its fonts. Returns the number of fonts.
fn checked_fonts(pdf: &lopdf::Document) -> usize {
    let dictionaries = pdf.objects.values().filter_map(|object| object.as_dict().ok());
    let fonts: Vec<_> = dictionaries.filter(|it| it.has_type(b"Font")).collect();
    for font in &fonts {
        let holder = match font.get(b"DescendantFonts") {
            Ok(of) => {
                let first = &pdf.dereference(of).unwrap().1.as_array().unwrap()[0];
                pdf.dereference(first).unwrap().1.as_dict().unwrap()
            }
            Err(_) => font,
        };
        let descriptor = pdf.get_dict_in_dict(holder, b"FontDescriptor").unwrap();
        let is_embedded = [&b"FontFile"[..], b"FontFile2", b"FontFile3"].iter().any(|key| descriptor.has(key));
        assert!(is_embedded, "{font:?}");
    }
    fonts.len()
}

#[test]
fn every_bundled_mod_has_a_book_with_three_examples() {
    for id in library(&mods_folder()).ids() {
        let book = made(&mods_folder(), &id).unwrap_or_else(|problems| panic!("{id}: {problems:#?}"));
        assert!(book.n_examples >= 3, "{id} has {} examples", book.n_examples);
        assert_eq!(book.unexplained, [""; 0], "{id}");
        for example in exhibits(&book) {
            let n = example.steps.len();
            assert!(n < 2 || example.before + 1 < n, "{id} {}", example.number);
            for scene in example.steps.iter().map(|step| &step.board) {
                let is_whole = |at: f64, size: f64| at > -1e-9 && at + 1.0 < size + 1e-9;
                let is_whole = |at: [f64; 2]| is_whole(at[0], scene.size[0]) && is_whole(at[1], scene.size[1]);
                assert!(scene.tiles.iter().all(|tile| is_whole(tile.at)), "{id} {}: a tile is cut", example.number);
            }
        }
        let html = html(&book);
        assert!(html.len() < 3_000_000, "{id}: {} bytes", html.len());
        let elements = checked_elements(&html);
        let has_readers_of_code = id == "own-ideas";
        for word in [".toml", ".rhai", "bastide sim", "bastide test", "Play with the tiles of the mod"] {
            assert!(has_readers_of_code || !html.contains(word), "{id}: {word}");
        }
        assert!(html.matches(">Points</h3>").count() <= 1, "{id} has two tables of points");
        let n = |name: &str| elements.iter().filter(|element| **element == name).count();
        assert!(
            n("script") + n("img") + n("link") + n("iframe") == 0 && !html.contains("src="),
            "{id} needs another file"
        );
        assert!(n("fieldset") == book.n_examples && n("svg") > book.n_examples, "{id}");
        let bytes = book.to_bytes(BookForm::Pdf, Paper::A4, &mut Progress::default()).unwrap();
        assert!(bytes.len() < 3_000_000, "{id}: {} bytes", bytes.len());
        let pdf = lopdf::Document::load_mem(&bytes).unwrap();
        let text = text_of(&pdf);
        assert!(pdf.get_pages().len() >= 5, "{id}");
        assert!(checked_fonts(&pdf) >= 2, "{id}");
        let last = format!("Example{}.", book.n_examples.min(9));
        assert!(text.contains(&last) && text.contains("Scoresheet"), "{id}: {text}");
    }
}

#[test]
fn a_book_of_all_expansions_is_small() {
    let library = library(&mods_folder());
    let mut together = vec!["base".to_owned()];
    for id in library.ids().into_iter().filter(|id| id != "base") {
        let with = [&together[..], &[id]].concat();
        if library.load(&with).0.is_some() {
            together = with;
        }
    }
    let book = book(&library, &together, ADDRESS).unwrap();
    assert!(together.len() > 12 && book.n_examples > 90, "{together:?}");
    for form in [BookForm::Html, BookForm::Pdf] {
        let n_bytes = book.to_bytes(form, Paper::A4, &mut Progress::default()).unwrap().len();
        assert!(n_bytes < 5_000_000, "{form:?}: {n_bytes} bytes");
    }
}

#[test]
fn a_book_of_several_mods_names_the_mods_of_its_words() {
    let ids = ["base", "ferries"].map(str::to_owned);
    let book = book(&library(&mods_folder()), &ids, ADDRESS).unwrap();
    let html = html(&book);
    checked_elements(&html);
    assert!(html.contains("<dt>lake</dt>") && html.contains("<small> Ferries</small>"));
    let pdf =
        lopdf::Document::load_mem(&book.to_bytes(BookForm::Pdf, Paper::Letter, &mut Progress::default()).unwrap())
            .unwrap();
    // The contents name the page of the second chapter, which begins a page.
    let text = text_of(&pdf);
    let pages = pdf.get_pages();
    let ferries = pages.keys().filter(|page| {
        let text = pdf.extract_text(&[**page]).unwrap();
        text.split_whitespace().collect::<String>().starts_with("Ferries")
    });
    let ferries: Vec<&u32> = ferries.collect();
    assert!(text.contains(&format!("Ferries{}", ferries[0])), "{ferries:?}: {text}");
}

#[test]
fn the_summary_has_only_steps_that_the_game_has() {
    let steps = |id: &str| {
        let html = html(&made(&mods_folder(), id).unwrap());
        let list = html.split_once(">A turn</h3>").unwrap().1;
        list.split_once("</ol>").unwrap().0.to_owned()
    };
    let base = steps("base");
    assert!(base.contains("Deploy a piece") && base.contains("Score what was completed"), "{base}");
    for id in ["currents", "allotments"] {
        let steps = steps(id);
        assert!(!steps.contains("Deploy a piece") && !steps.contains("completed"), "{id}: {steps}");
    }
}

/// Returns the page without the links that open examples in Bastide.
fn without_links(book: &Book) -> String {
    let begin = format!("href=\"{ADDRESS}#");
    let html = html(book);
    let mut parts = html.split(&begin);
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |page, part| page + part.split_once('"').unwrap().1)
}

#[test]
fn each_example_has_steps_and_opens_in_bastide() {
    let book = made(&mods_folder(), "messages").unwrap();
    let html = html(&book);
    let links: Vec<&str> = html.split(&format!("href=\"{ADDRESS}#")).skip(1).collect();
    assert_eq!(links.len(), book.n_examples);
    for link in links {
        let link = Link::read(link.split_once('"').unwrap().0).unwrap();
        assert!(link.mods.is_empty() && link.summary().unwrap().mods.contains(&"messages".to_owned()));
    }
    let example = html.split("class=example").nth(1).unwrap();
    assert_eq!(example.matches("type=radio").count(), 1 + example.matches("<figure").count());
    for text in ["Red deploys nothing", "Red moves marker 1 from", "class=\"track\"", "Red: 2 points"] {
        assert!(example.contains(text), "{text}: {example}");
    }
}

#[test]
fn links_open_the_installed_program_unless_there_is_an_address() {
    let book = book(&library(&mods_folder()), &["own-ideas".to_owned()], SCHEME).unwrap();
    let html = html(&book);
    let link = html.split_once("href=\"bastide:").unwrap().1.split_once('"').unwrap();
    assert!(Link::read(link.0).is_ok() && link.1.starts_with(">Open\u{a0}in\u{a0}Bastide</a>"));
    let pdf =
        lopdf::Document::load_mem(&book.to_bytes(BookForm::Pdf, Paper::A4, &mut Progress::default()).unwrap()).unwrap();
    assert!(text_of(&pdf).contains("OpeninBastide"));
}

#[test]
fn the_position_before_shows_the_follower_that_scores() {
    let book = made(&mods_folder(), "base").unwrap();
    let examples = exhibits(&book);
    let road = examples[0];
    assert_eq!(road.story, "Blue places X. Blue deploys nothing. Red gets 3 points (road).");
    let ends = road.ends();
    let n_shapes = |i: usize| ends[i].board.objects.shapes().len();
    assert!(road.before > 0 && ends[0].board.tiles.len() + 1 == ends[1].board.tiles.len());
    assert!(n_shapes(0) > 5 && ends[0].counts == "Red: 0 points" && ends[1].counts == "Red: 3 points");
    // The page and the PDF show the same two positions.
    let html = html(&book);
    let shown = html.split("class=example").nth(1).unwrap();
    assert!(
        shown.matches("<figure class=\"end\">").count() == 2
            && shown.contains("<p class=\"story faint\">Blue places X.")
    );
}

#[test]
fn a_follower_that_is_deployed_for_the_points_is_in_the_picture_before() {
    let folder = copied("ferries");
    let game = "# book: Red claims the end.\nbastide 1\nmods ferries\nplayers red blue\n\ngiven tile base/W -1,0 0\n\
                draw ferries/FE-2\nplace 1,0 0\ndeploy follower 1,0 road@w\nferry 1,0 road@e road@s\n\
                expect awards red 3 road\n";
    fs::write(folder.path().join("ferries/tests/z9.game"), game).unwrap();
    let book = made(folder.path(), "ferries").unwrap();
    let example = exhibits(&book).into_iter().find(|example| example.caption == "Red claims the end.").unwrap();
    assert!(example.story.starts_with("Red chooses “ferry”") && example.story.ends_with("Red gets 3 points (road)."));
    let ends = example.ends();
    assert_eq!(ends[0].board.tiles.len(), ends[1].board.tiles.len());
}

#[test]
fn each_step_says_only_the_points_that_it_gives() {
    let book = made(&mods_folder(), "ferries").unwrap();
    let lake = exhibits(&book)[1];
    let giving = |what: &str| lake.steps.iter().filter(|step| step.text.contains(what)).count();
    assert_eq!([giving("Red gets 3 points (road)."), giving("Blue gets 5 points (road).")], [1, 1]);
    let last = lake.steps.last().unwrap();
    assert!(last.text.contains("Blue gets 5") && !last.text.contains("Red gets 3"), "{}", last.text);
    let story = &lake.story;
    assert!(story.find("Red gets 3") < story.find("Blue places U"), "{story}");
}

#[test]
fn tiles_have_the_signs_of_the_mods_that_an_example_plays() {
    let [own, other] = ["crop-circles", "builders-traders"].map(|id| made(&mods_folder(), id).unwrap());
    let circles = other.pages.drawings.0.iter().filter(|(name, _)| name.starts_with("crop-circles/"));
    let circles: Vec<_> = circles.collect();
    assert!(!circles.is_empty());
    for (name, drawing) in circles {
        assert!(own.pages.drawings.0.get(name) == Some(drawing), "{name}");
    }
}

#[test]
fn the_glossary_has_only_words_in_use() {
    let folder = copied("ferries");
    let path = folder.path().join("ferries/mod.toml");
    let manifest = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{manifest}\n[tag.gnomon]\non = \"tile\"\nabout = \"Never used.\"\n")).unwrap();
    let html = html(&made(folder.path(), "ferries").unwrap());
    assert!(html.contains("<dt>lake</dt>") && !html.contains("gnomon"));
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
                // The message names the example, its line, and what it expected.
                let says_why = |it: &String| {
                    it.contains("base/tests/") && it.contains(".game:") && it.contains("the example fails: ")
                };
                assert!(problems.iter().any(says_why), "{new}: {problems:#?}")
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

/// Each answer of an example costs the memory of a game, also if the test takes it back.
#[test]
fn an_example_has_a_maximum_number_of_answers() {
    let folder = copied("ferries");
    let file = folder.path().join("ferries/tests/z9.game");
    let head = "# book: The same tile again and again.\nbastide 1\nmods ferries\nplayers red blue\n\n";
    let text = |n: usize| format!("{head}{}draw base/U\nexpect turn red\n", "draw base/U\nback 1\n".repeat(n));
    fs::write(&file, text(199)).unwrap();
    assert_eq!(made(folder.path(), "ferries").map(drop), Ok(()));
    fs::write(&file, text(200)).unwrap();
    let problems = made(folder.path(), "ferries").unwrap_err();
    assert_eq!(problems.len(), 1, "{problems:#?}");
    assert!(problems[0].contains("the example has 201 answers: at most 200 are allowed"), "{problems:#?}");
}

#[test]
fn texts_of_mods_cannot_break_out_of_a_book() {
    let folder = copied("ferries");
    let path = |name: &str| folder.path().join("ferries").join(name);
    let manifest = fs::read_to_string(path("mod.toml")).unwrap();
    let title = manifest.lines().find(|line| line.starts_with("title")).unwrap();
    let about = format!("about = \"<b>) Tj (</b> {}", "<i>word</i> ".repeat(250));
    let evil = manifest.replacen(title, "title = \"<script>alert(1)</script> ) /JS (\"", 1).replacen(
        "about = \"Each of its roads",
        &format!("{about}Each of its roads"),
        1,
    );
    fs::write(path("mod.toml"), evil).unwrap();
    let readme = format!(
        "# x\n<img src=x onerror=alert(1)>\n\n## <b>Rules</b>\n<script>1</script>\n\n[x](#nowhere) [y](#ferries_example_1)\n\
         [z](https://example.org/)/JS(alert)) \u{0}\u{7}\u{1b}[2J\u{202e} \u{1f409} \u{5d0} \u{4e00}\n\n{}\n\n{}\n\n|{}\n|{}\n|{}\n",
        "a".repeat(300_000),
        "> - ".repeat(2_000),
        "a|".repeat(1_000),
        "-|".repeat(1_000),
        "b|".repeat(1_000),
    );
    fs::write(path("README.md"), readme).unwrap();
    let game = "# book: <svg onload=alert()> \u{202e}\nbastide 1\nmods ferries\nplayers red blue\n";
    fs::write(path("tests/z9.game"), game).unwrap();
    let book = made(folder.path(), "ferries").unwrap();
    let html = html(&book);
    let elements = checked_elements(&html);
    for evil in ["script", "img", "i", "b>Rules"] {
        assert!(!elements.contains(&evil), "{evil}");
    }
    for evil in ["\u{202e}", "\u{1b}", "\u{7}", "\u{0}", "#nowhere"] {
        assert!(!html.contains(evil), "{evil}");
    }
    assert!(html.contains("&lt;script&gt;alert(1)") && html.contains("&lt;svg onload"), "texts of mods are escaped");
    let pdf =
        lopdf::Document::load_mem(&book.to_bytes(BookForm::Pdf, Paper::A4, &mut Progress::default()).unwrap()).unwrap();
    assert!(pdf.get_pages().len() > 100);
    let keys = |object: &lopdf::Object| -> Vec<Vec<u8>> {
        let dictionary = object.as_dict().ok().or_else(|| object.as_stream().ok().map(|stream| &stream.dict));
        dictionary.map_or_else(Vec::new, |dictionary| dictionary.iter().map(|(key, _)| key.clone()).collect())
    };
    for object in pdf.objects.values() {
        for key in keys(object) {
            assert!(!["JS", "JavaScript", "Launch", "AA", "OpenAction"].iter().any(|evil| evil.as_bytes() == key));
        }
    }
    assert!(text_of(&pdf).contains("<script>alert(1)</script>)/JS("), "the title is a text");
}

/// A mod may declare a setting with the name of a switch that other mods get by themselves. The
/// tiles of its example are as far apart as they can be.
#[test]
fn a_declared_setting_and_an_example_at_the_ends_of_the_grid_are_shown() {
    let folder = copied("base");
    let own = folder.path().join("far");
    fs::create_dir_all(own.join("tests")).unwrap();
    let head = "[mod]\nid = \"far\"\nversion = \"1.0.0\"\ntitle = \"Far\"\nabout = \"Far.\"\nrequires = [\"base\"]\n";
    let setting = "[setting.tiles]\ndefault = 3\nabout = \"How many tiles.\"\n";
    fs::write(own.join("mod.toml"), format!("{head}{setting}")).unwrap();
    let given = "given tile base/V 32767,0 0\ngiven tile base/V -32768,0 0\ngiven turn red\n";
    let game = format!("# Far.\n# book: Far away.\nbastide 1\nmods far\nplayers red blue\n{given}");
    fs::write(own.join("tests/far.game"), game).unwrap();
    assert!(html(&made(folder.path(), "far").unwrap()).contains("How many tiles."));
}

#[test]
fn a_broken_mod_has_no_book_and_the_message_names_the_place() {
    for (file, content, place) in [
        ("icons/lake.svg", "<svg", "theme.toml:"),
        ("mod.toml", "[mod]\nid = 1\n", "mod.toml:2"),
        ("mod.toml", &format!("[mod]\nabout = \"{}\"\n", "a".repeat(1_000_000)), "mod.toml:2"),
        ("tests/z9.game", "# book: x\nbastide 1\nmods ferries\nplayers red blue\n\nexpect score red 7\n", "z9.game:6"),
        ("tests/z9.game", "# book: x\nbastide 1\nmods ferries\nplayers red blue\n\nplace Q 0,1\n", "z9.game:6"),
        ("README.md", "\u{fffd}", "README.md"),
    ] {
        let folder = copied("ferries");
        let bytes = if file == "README.md" { vec![0xff; 4] } else { content.as_bytes().to_vec() };
        fs::write(folder.path().join("ferries").join(file), bytes).unwrap();
        let problems = made(folder.path(), "ferries").unwrap_err();
        assert!(problems.iter().any(|problem| problem.contains(place)), "{file}: {problems:#?}");
    }
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
