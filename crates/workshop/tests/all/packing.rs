//! Tests that pack mods, read hostile archives, and install mods.

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use loader::Library;
use testkit::{CopiedMod, mods_folder};
use workshop::Package;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const MANIFEST: &str = "[mod]\nid = \"wells\"\nversion = \"1.0.0\"\ntitle = \"Wells\"\nrequires = [\"base ^1.0\"]\n";

fn plain() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Deflated)
}

/// Makes an archive of these files.
fn zip_of(files: &[(&str, &str)]) -> Vec<u8> {
    zip_by(|zip| files.iter().for_each(|(name, text)| add(zip, name, text.as_bytes(), plain())))
}

type ArchiveWriter = ZipWriter<Cursor<Vec<u8>>>;

fn zip_by(write: impl FnOnce(&mut ArchiveWriter)) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    write(&mut zip);
    zip.finish().unwrap().into_inner()
}

fn add(zip: &mut ArchiveWriter, name: &str, bytes: &[u8], options: SimpleFileOptions) {
    zip.start_file(name, options).unwrap();
    zip.write_all(bytes).unwrap();
}

/// Replaces every occurrence of `from` in an archive with `to`, which must have the same length.
/// Tests use this for names that archiving programs do not write.
fn renamed(mut bytes: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let places: Vec<usize> =
        (0..bytes.len() - from.len()).filter(|i| bytes[*i..].starts_with(from.as_bytes())).collect();
    assert!(!places.is_empty(), "{from} is not there");
    places.into_iter().for_each(|i| bytes[i..i + to.len()].copy_from_slice(to.as_bytes()));
    bytes
}

/// Makes an archive whose second file has the name `name`.
fn with_name(name: &str) -> Vec<u8> {
    let stands_for = "x".repeat(name.len());
    renamed(zip_of(&[("wells/mod.toml", MANIFEST), (&stands_for, "text")]), &stands_for, name)
}

/// Sets the bit `flag` in the flags of every entry of an archive. The lowest bit marks an entry as
/// encrypted.
fn with_flag(mut bytes: Vec<u8>, flag: u8) -> Vec<u8> {
    for (sign, at) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let places: Vec<usize> = (0..bytes.len() - 4).filter(|i| bytes[*i..].starts_with(sign)).collect();
        places.into_iter().for_each(|i| bytes[i + at] |= flag);
    }
    bytes
}

#[test]
fn what_could_do_harm_is_refused_with_a_sentence() {
    let own = ("wells/mod.toml", MANIFEST);
    let link = zip_by(|zip| {
        add(zip, own.0, own.1.as_bytes(), plain());
        zip.add_symlink("wells/tiles.toml", "/etc/passwd", plain()).unwrap();
    });
    let bomb = zip_by(|zip| {
        add(zip, own.0, own.1.as_bytes(), plain());
        add(zip, "wells/README.md", &vec![b' '; 3 << 20], plain());
    });
    let heavy = zip_by(|zip| {
        add(zip, own.0, own.1.as_bytes(), plain());
        add(zip, "wells/README.md", &vec![b' '; 5 << 20], plain());
    });
    let many = zip_by(|zip| {
        add(zip, own.0, own.1.as_bytes(), plain());
        (0..10_000).for_each(|n| {
            add(zip, &format!("wells/tests/{n}.game"), b"", plain().compression_method(CompressionMethod::Stored))
        });
    });
    let torn = zip_of(&[own]);
    let damaged = {
        let mut bytes =
            zip_by(|zip| add(zip, own.0, own.1.as_bytes(), plain().compression_method(CompressionMethod::Stored)));
        let at = (0..bytes.len()).find(|i| bytes[*i..].starts_with(b"wells\"")).unwrap();
        bytes[at] = b'b';
        bytes
    };
    // The second file has one name in the archive's directory and another name in its own header.
    let smuggled = {
        let mut bytes = zip_of(&[own, ("wells/README.md", "text")]);
        let last = (0..bytes.len()).rfind(|i| bytes[*i..].starts_with(b"wells/README.md")).unwrap();
        bytes[last + 6] = b'X';
        bytes
    };
    let doubled = renamed(zip_of(&[own, ("wells/moc.toml", MANIFEST)]), "wells/moc.toml", "wells/mod.toml");
    let not_text = zip_by(|zip| {
        add(zip, own.0, own.1.as_bytes(), plain());
        add(zip, "wells/README.md", &[0xff, 0xfe, 0x00], plain());
    });
    let table: Vec<(&str, Vec<u8>, &str)> = vec![
        ("a name that leads out", with_name("wells/../../evil.md"), "leads out of the folder of the mod"),
        ("a name that leads out at once", with_name("../evil.md"), "leads out of the folder of the mod"),
        ("a name from the root", with_name("/etc/evil.md"), "begins at the root of a disk"),
        ("a drive", with_name("C:/evil.md"), "begins at the root of a disk"),
        ("a name of another system", with_name("wells\\..\\evil.md"), "has a backslash"),
        ("a share", with_name("\\\\host\\evil.md"), "begins at the root of a disk"),
        ("a stream", with_name("wells/README.md:x"), "has a character that file names may not have"),
        ("a device", with_name("wells/nul.md"), "is the name of a device"),
        ("a device with a number", with_name("wells/COM7.tests.md"), "is the name of a device"),
        ("a dot at the end", with_name("wells/mod.toml."), "ends in a dot or a space"),
        ("a folder without a name", with_name("wells//a.md"), "has a folder without a name"),
        ("a character that is not seen", with_name("wells/a\u{202e}dm.exe"), "has invisible characters"),
        (
            "no text as a name",
            {
                let bytes = with_name("wells/QQQQ.md");
                let places: Vec<usize> = (0..bytes.len() - 4).filter(|i| bytes[*i..].starts_with(b"QQQQ")).collect();
                let mut bytes = bytes;
                places.into_iter().for_each(|i| bytes[i] = 0xff);
                bytes
            },
            "is not text in UTF-8",
        ),
        ("a link", link, "is a link or a device"),
        ("a bomb", bomb, "times as large unpacked"),
        ("a large file", heavy, "is larger than the limit of 4096 kB unpacked"),
        ("10,000 files", many, "there are 10001 files, more than the limit of 2000"),
        ("an encrypted file", with_flag(zip_of(&[own]), 1), "is encrypted"),
        ("two of one name", doubled, "have the same name"),
        (
            "names that differ in case",
            zip_of(&[own, ("wells/a.md", ""), ("wells/A.md", "")]),
            "are the same file on some systems",
        ),
        (
            "a file that is a folder",
            zip_of(&[own, ("wells/tests", ""), ("wells/tests/a.game", "")]),
            "is a file, but `wells/tests/a.game` needs it to be a folder",
        ),
        ("no manifest", zip_of(&[("wells/README.md", "text")]), "there is no mod in the archive"),
        ("two manifests", zip_of(&[own, ("other/mod.toml", MANIFEST)]), "there are 2 mods in the archive"),
        ("a manifest that is no TOML", zip_of(&[("mod.toml", "[mod\n")]), "the mod's mod.toml cannot be read"),
        ("an id that leads out", zip_of(&[("mod.toml", "[mod]\nid = \"../evil\"\n")]), "has no valid id (`../evil`)"),
        ("an id that is a device", zip_of(&[("mod.toml", "[mod]\nid = \"com1\"\n")]), "is the name of a device"),
        ("no id", zip_of(&[("mod.toml", "")]), "has no valid id"),
        ("another name where it lies", smuggled, "not a valid zip archive"),
        ("a torn archive", torn[..torn.len() - 30].to_vec(), "not a valid zip archive"),
        ("other bytes than were packed", damaged, "the archive is damaged"),
        ("no text", not_text, "is not text in UTF-8"),
        ("nothing", Vec::new(), "not a valid zip archive"),
        ("too much", vec![0; (8 << 20) + 1], "is larger than the limit of 8 MB"),
    ];
    for (what, bytes, said) in table {
        let refused = match Package::from_zip(&bytes) {
            Ok(package) => panic!("{what} is taken: {:?}", package.files().collect::<Vec<_>>()),
            Err(refused) => refused,
        };
        assert!(refused.message.contains(said), "{what}: {}", refused.message);
        assert!(refused.help.as_ref().is_some_and(|help| help.len() > 20), "{what}: what to do is said");
    }
}

#[test]
fn every_mod_is_packed_and_comes_out_the_same() {
    for id in Library::open(&[mods_folder()]).ids() {
        let packed = Package::from_folder(&mods_folder().join(&id)).unwrap();
        assert_eq!((packed.id.as_str(), packed.left_out.as_slice()), (id.as_str(), &[] as &[String]));
        let zip = packed.to_zip().unwrap();
        assert!(zip == packed.to_zip().unwrap(), "{id}: the same bytes");
        let unpacked = Package::from_zip(&zip).unwrap();
        assert!(unpacked == packed, "{id}");
    }
}

#[test]
fn the_same_mod_gives_the_same_bytes_wherever_it_lies() {
    let copy = CopiedMod::of("king-baron");
    copy.write("notes.exe", "no part of it");
    copy.write(".hidden.md", "no part of it");
    let here = Package::from_folder(&mods_folder().join("king-baron")).unwrap();
    let there = Package::from_folder(&copy.library().join("king-baron")).unwrap();
    assert_eq!(there.left_out, [".hidden.md", "notes.exe"]);
    assert!(here.to_zip().unwrap() == there.to_zip().unwrap());
}

/// Lists all files below a folder.
fn all_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() { files.extend(all_files(&entry)) } else { files.push(entry) }
    }
    files.sort();
    files
}

#[test]
fn a_mod_is_installed_whole_and_never_over_another_one() {
    let temp = tempfile::tempdir().unwrap();
    let package = Package::from_zip(&zip_of(&[
        ("mod.toml", MANIFEST),
        ("tiles.toml", "[tile]\nA = { count = 2, road = \"n-s\" }\n"),
        ("install.exe", "no part of it"),
        ("docs/", ""),
    ]))
    .unwrap();
    assert_eq!(package.left_out, ["install.exe"]);
    let library = Library::open(&[mods_folder(), temp.path().to_owned()]);
    let contents = package.inspect(&library).unwrap();
    assert_eq!((contents.n_tiles, contents.problems.len(), contents.installed), (1, 0, None));
    let alone = package.inspect(&Library::open(&[temp.path().to_owned()])).unwrap();
    assert!(alone.problems[0].contains("base"), "{:?}", alone.problems);
    assert_eq!(all_files(temp.path()), Vec::<PathBuf>::new(), "looking writes nothing");

    let installed = package.install(temp.path(), false).unwrap();
    assert_eq!((installed.folder.clone(), installed.backup), (temp.path().join("wells"), None));
    assert_eq!(all_files(temp.path()), [installed.folder.join("mod.toml"), installed.folder.join("tiles.toml")]);
    assert!(library.load(&["wells"]).0.is_some());

    let newer = Package::from_zip(&zip_of(&[("mod.toml", &MANIFEST.replace("1.0.0", "1.1.0"))])).unwrap();
    fs::write(installed.folder.join("own.md"), "mine").unwrap();
    let refused = newer.install(temp.path(), false).unwrap_err();
    assert_eq!(refused.message, "wells 1.0.0 is already installed; this is wells 1.1.0");
    assert!(newer.inspect(&library).unwrap().installed.is_some_and(|(version, _)| version == "1.0.0"));
    let backup = newer.install(temp.path(), true).unwrap().backup.unwrap();
    assert_eq!(backup, temp.path().join(".replaced/wells-1.0.0"));
    assert_eq!(fs::read_to_string(backup.join("own.md")).unwrap(), "mine");
    assert_eq!(fs::read_to_string(temp.path().join("wells/mod.toml")).unwrap(), MANIFEST.replace("1.0.0", "1.1.0"));
    assert_eq!(Library::open(&[temp.path().to_owned()]).ids(), ["wells"], "what was replaced is no mod any more");
    let entries = fs::read_dir(temp.path()).unwrap().count();
    assert_eq!(entries, 2, "nothing is left lying about");
}

#[cfg(target_os = "linux")]
#[test]
fn a_mod_is_there_at_every_moment_while_it_is_replaced() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let temp = tempfile::tempdir().unwrap();
    let package = Package::from_zip(&zip_of(&[("mod.toml", MANIFEST)])).unwrap();
    let manifest = package.install(temp.path(), false).unwrap().folder.join("mod.toml");
    let is_done = AtomicBool::new(false);
    let n_missing = std::thread::scope(|scope| {
        let look = || {
            let looks = std::iter::from_fn(|| (!is_done.load(Ordering::Relaxed)).then(|| manifest.exists()));
            looks.filter(|is_there| !is_there).count()
        };
        let looking = scope.spawn(look);
        (0..200).for_each(|_| drop(package.install(temp.path(), true).unwrap()));
        is_done.store(true, Ordering::Relaxed);
        looking.join().unwrap()
    });
    assert_eq!(n_missing, 0);
}

#[cfg(unix)]
#[test]
fn what_killed_installations_left_is_removed_after_a_day() {
    use std::time::{Duration, SystemTime};
    let temp = tempfile::tempdir().unwrap();
    let package = Package::from_zip(&zip_of(&[("mod.toml", MANIFEST)])).unwrap();
    for (name, hours) in [(".bastide-old", 25), (".bastide-new", 23), ("mine", 25)] {
        let folder = temp.path().join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("mod.toml"), MANIFEST).unwrap();
        let modified = SystemTime::now() - Duration::from_secs(hours * 60 * 60);
        fs::File::open(&folder).unwrap().set_modified(modified).unwrap();
    }
    package.install(temp.path(), false).unwrap();
    let is_there = |name: &str| temp.path().join(name).exists();
    assert_eq!([".bastide-old", ".bastide-new", "mine"].map(is_there), [false, true, true]);
}

#[test]
fn a_mod_has_no_more_files_than_are_loaded() {
    let names: Vec<String> = (0..=loader::MAX_FILES).map(|n| format!("tests/{n}.game")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "bastide 1\n")).collect();
    files.push(("mod.toml", MANIFEST));
    let refused = Package::from_zip(&zip_of(&files)).unwrap_err();
    assert!(refused.message.contains("`tests` has 301 files"), "{}", refused.message);
}

#[cfg(unix)]
#[test]
fn links_in_a_folder_lead_nowhere_else() {
    let copy = CopiedMod::of("king-baron");
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("secret.game"), "secret").unwrap();
    std::os::unix::fs::symlink(elsewhere.path().join("secret.game"), copy.file("tests/secret.game")).unwrap();
    let refused = Package::from_folder(&copy.library().join("king-baron")).unwrap_err();
    assert!(refused.message.contains("is a link that leads out"), "{}", refused.message);
}
