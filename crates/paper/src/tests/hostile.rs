//! Texts and icons of hostile mods on the sheets.

use std::fs;
use std::path::Path;

use art::check_icon;
use loader::{Library, Loaded};
use lopdf::{Document, Object};
use testkit::{HostileMod, mods_folder};

use super::{all_objects, owned, saves, text_of};
use crate::{ExportForm, ExportOptions, PieceForm, PrintOptions, Progress, export, print};

/// PDF and HTML syntax that would take effect if a text were not escaped.
const EVIL: &str =
    "(a) Tj ET Q endstream endobj <</S /JavaScript /JS (app.alert(1))>> \\\\) <script>alert(1)</script> %%EOF";

fn write(library: &Path, about: &str, icon: &str) {
    let own = library.join("evil");
    fs::create_dir_all(own.join("icons")).unwrap();
    // A title is shorter than a description.
    let title: String = about.chars().take(100).collect();
    let manifest = format!(
        "[mod]\nid = \"evil\"\nversion = \"1.0.0\"\napi = 1\ntitle = '{title}'\nabout = '{about}'\nrequires = [\"base\"]\n\
         [kind.marsh]\nedge = \"full\"\nabout = '{about}'\npoints = {{ complete = \"tiles\" }}\n\
         [token.jewel]\nstock = 2\nabout = '{about}'\n\
         [deck.omens.cards]\ndoom = {{ count = 2, about = '{about}' }}\n"
    );
    fs::write(own.join("mod.toml"), manifest).unwrap();
    fs::write(own.join("tiles.toml"), "[tile]\nA = { count = 3, marsh = \"n\" }\n").unwrap();
    fs::write(own.join("theme.toml"), "[token.jewel]\nicon = \"icons/jewel.svg\"\n").unwrap();
    fs::write(own.join("icons/jewel.svg"), icon).unwrap();
}

fn load(library: &Path) -> Result<Loaded, String> {
    let library = Library::open(&[mods_folder(), library.to_owned()]).with_icon_check(check_icon);
    let (loaded, problems) = library.load(&["evil"]);
    loaded.ok_or_else(|| problems.render(false))
}

const ICON: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\"><circle cx=\"50\" cy=\"50\" r=\"40\"/></svg>";

/// Returns the PDF of the mod, and checks that it contains no text, font, script, link or form.
fn printed(loaded: &Loaded) -> Vec<u8> {
    let options = PrintOptions { n_players: 4, pieces: PieceForm::StandUps, ..PrintOptions::default() };
    let sheets = print(loaded, &owned(&["evil"]), &options).unwrap();
    let pdf = sheets.pdf(&mut Progress::default()).unwrap();
    let document = Document::load_mem(&pdf).unwrap();
    assert_eq!(document.get_pages().len(), sheets.n_pages());
    for object in document.objects.values() {
        let dictionary = match object {
            Object::Dictionary(dictionary) => dictionary,
            Object::Stream(stream) => &stream.dict,
            _ => continue,
        };
        for key in ["Font", "FontFile", "JS", "JavaScript", "OpenAction", "AA", "Annots", "URI", "EmbeddedFiles"] {
            assert!(!dictionary.has(key.as_bytes()), "{key}: {dictionary:?}");
        }
        // Letters are drawn as lines, so no stream contains a text operator.
        if let Object::Stream(stream) = object {
            let content = stream.decompressed_content().unwrap_or_else(|_| stream.content.clone());
            let has = |word: &[u8]| content.windows(word.len()).any(|found| found == word);
            assert!(!has(b"alert") && !(content.is_ascii() && (has(b"Tj") || has(b"TJ"))), "{dictionary:?}");
        }
    }
    pdf
}

#[test]
fn a_text_cannot_break_out_and_a_long_one_is_cut() {
    let temp = tempfile::tempdir().unwrap();
    write(temp.path(), "Plain.", ICON);
    let plain = printed(&load(temp.path()).unwrap()).len();
    write(temp.path(), EVIL, ICON);
    printed(&load(temp.path()).unwrap());
    // Texts almost as long as a manifest allows (4,000 characters).
    for long in ["word ".repeat(799), "W".repeat(3999)] {
        write(temp.path(), &long, ICON);
        let n_bytes = printed(&load(temp.path()).unwrap()).len();
        assert!(n_bytes < plain + 100_000, "{n_bytes} bytes, and {plain} with a short text");
    }
}

#[test]
fn a_text_cannot_break_out_of_a_save_or_a_list() {
    const NAME: &str = "\"}], \"LuaScript\": \"x\", \"LuaScriptState\": \"\u{0}\u{1b}\n</script>\u{202e}";
    let temp = tempfile::tempdir().unwrap();
    let write_and_export = |about: &str, name: &str| {
        write(temp.path(), about, ICON);
        let images_at = format!("https://example.org/{name}");
        let form = ExportForm::TabletopSimulator { images_at, name: name.to_owned() };
        let options = ExportOptions { dpi: 20.0, n_players: 2, ..ExportOptions::default() };
        export(&load(temp.path()).unwrap(), &owned(&["evil"]), &form, &options).unwrap()
    };
    let files = write_and_export(EVIL, NAME);
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    assert!(files.iter().all(|file| file.name.chars().all(is_safe) && !file.name.starts_with('.')));
    let json = files.iter().find(|file| file.name.ends_with(".json")).unwrap();
    let text = std::str::from_utf8(&json.bytes).unwrap();
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "control characters are escaped");
    // Reading refuses keys that a save does not have, such as those of scripts.
    let save: saves::Save = serde_json::from_str(text).unwrap();
    assert_eq!(save.save_name, NAME);
    let plain = write_and_export("Plain.", "plain");
    let save_of_plain: saves::Save = serde_json::from_str(text_of(&plain, "plain.json")).unwrap();
    let names = |save: &saves::Save| {
        let objects = all_objects(&save.object_states);
        objects.iter().map(|object| [object.nickname.clone(), object.description.clone()]).collect::<Vec<_>>()
    };
    assert_eq!(names(&save), names(&save_of_plain), "the save contains no text but names");
    let sheet = export(&load(temp.path()).unwrap(), &owned(&["evil"]), &ExportForm::Sheet, &ExportOptions::default());
    for row in text_of(&sheet.unwrap(), "items.csv").lines() {
        assert!(!row.split(',').any(|cell| cell.trim_matches('"').starts_with(['=', '+', '-', '@'])), "{row}");
    }
}

#[test]
fn what_cannot_be_shown_is_refused_with_its_place() {
    let temp = tempfile::tempdir().unwrap();
    for hidden in ["\u{1b}[31m", "\u{202e}", "\u{0}"] {
        write(temp.path(), &format!("red{hidden}"), ICON);
        let why = load(temp.path()).unwrap_err();
        assert!(why.contains("evil/mod.toml:5"), "{why}");
    }
    for n in [4001, 1_000_000] {
        write(temp.path(), &"W".repeat(n), ICON);
        let why = load(temp.path()).unwrap_err();
        assert!(why.contains("evil/mod.toml") && why.len() < 20_000, "{} bytes", why.len());
    }
    write(temp.path(), "Plain.", "<svg><broken");
    let why = load(temp.path()).unwrap_err();
    assert!(why.contains("jewel.svg"), "{why}");
}

#[test]
fn hostile_icons_are_refused_or_drawn() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hostile");
    let (mut n_drawn, mut n_refused) = (0, 0);
    let temp = tempfile::tempdir().unwrap();
    for hostile in HostileMod::all(&folder).iter().filter(|hostile| hostile.name.starts_with("icons")) {
        hostile.write_into(temp.path());
        let library = Library::open(&[mods_folder(), temp.path().to_owned()]).with_icon_check(check_icon);
        match library.load(&hostile.mods).0 {
            Some(loaded) => {
                let options = PrintOptions { n_players: 1, ..PrintOptions::default() };
                let sheets = print(&loaded, &owned(&["hostile"]), &options).unwrap();
                let n_bytes = sheets.pdf(&mut Progress::default()).unwrap().len();
                assert!(n_bytes < 5_000_000, "{}: {n_bytes} bytes", hostile.name);
                n_drawn += 1;
            }
            None => n_refused += 1,
        }
    }
    assert!(n_drawn > 0 && n_refused > 10, "{n_drawn} drawn, {n_refused} refused");
}
