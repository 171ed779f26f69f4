//! Makes installers from fake programs, which are shell scripts.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::read::GzDecoder;
use tempfile::TempDir;
use testkit::write_program;

use crate::installers_of;
use crate::payload::{LIBRARIES, Payload};

const DATE: u64 = 1_700_000_000;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Writes fake programs; returns their folder.
fn programs() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let bastide = "#!/bin/sh\n# needs \0GLIBC_2.9\0 and \0GLIBC_2.34\0\n\
                   case $1 in completions) echo \"completions for $2\" ;; manual) echo page >\"$2/bastide.1\" ;; esac\n";
    for (name, script) in [("bastide", bastide), ("bastide-editor", "#!/bin/sh\necho \"window $*\"\n")] {
        write_program(&folder.path().join(name), script);
    }
    folder
}

fn made() -> [(String, Vec<u8>); 2] {
    let programs = programs();
    installers_of(&Payload::read(root(), programs.path()).unwrap(), DATE).unwrap()
}

/// Returns the mode and bytes of each entry by path; checks owners and dates.
fn entries(packed: &[u8]) -> BTreeMap<String, (u32, Vec<u8>)> {
    let mut archive = tar::Archive::new(GzDecoder::new(packed));
    let mut entries = BTreeMap::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let header = entry.header();
        assert_eq!((header.uid().unwrap(), header.gid().unwrap(), header.mtime().unwrap()), (0, 0, DATE));
        assert_eq!(header.username().unwrap(), Some("root"));
        let (path, mode) = (String::from_utf8(entry.path_bytes().to_vec()).unwrap(), header.mode().unwrap());
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        assert!(entries.insert(path, (mode, bytes)).is_none());
    }
    entries
}

/// Returns the members of an `ar` archive.
fn members(package: &[u8]) -> Vec<(String, &[u8])> {
    let mut rest = package.strip_prefix(b"!<arch>\n").unwrap();
    let mut members = Vec::new();
    while !rest.is_empty() {
        let (header, behind) = rest.split_at(60);
        let header = str::from_utf8(header).unwrap();
        assert!(header.ends_with("`\n"), "{header}");
        let size: usize = header[48..58].trim().parse().unwrap();
        members.push((header[..16].trim().to_owned(), &behind[..size]));
        rest = &behind[size + size % 2..];
    }
    members
}

fn text(entries: &BTreeMap<String, (u32, Vec<u8>)>, path: &str) -> String {
    let (_, bytes) = entries.get(path).unwrap_or_else(|| panic!("{path} is missing"));
    String::from_utf8(bytes.clone()).unwrap()
}

#[test]
fn equal_programs_give_equal_bytes() {
    assert!(made() == made());
}

#[test]
fn the_debian_package_has_all_files_and_fields() {
    let [(name, package), _] = made();
    assert!(name.starts_with("bastide_") && name.ends_with(".deb") && !name.contains('-'), "{name}");
    let members = members(&package);
    let names: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["debian-binary", "control.tar.gz", "data.tar.gz"]);
    assert_eq!(members[0].1, b"2.0\n");
    let control = text(&entries(members[1].1), "control");
    let fields: BTreeMap<&str, &str> = control.lines().filter_map(|line| line.split_once(": ")).collect();
    assert_eq!(fields["Package"], "bastide");
    assert_eq!(fields["Version"], env!("CARGO_PKG_VERSION").replacen('-', "~", 1));
    assert!(fields["Depends"].starts_with("libc6 (>= 2.34), libgcc-s1, "), "{control}");
    assert!(LIBRARIES.iter().all(|library| fields["Depends"].split(", ").any(|it| it == *library)), "{control}");
    assert!(fields["Installed-Size"].parse::<u64>().unwrap() > 10, "{control}");
    assert!(control.ends_with(".\n") && !control.contains("\n\n"), "{control}");

    let files = entries(members[2].1);
    assert!(files.keys().all(|path| path.starts_with("usr/")), "{:?}", files.keys());
    for program in ["bastide", "bastide-editor"] {
        assert_eq!(files[&format!("usr/bin/{program}")].0, 0o755);
    }
    for (path, expected) in [
        ("share/bash-completion/completions/bastide", "completions for bash"),
        ("share/zsh/vendor-completions/_bastide", "completions for zsh"),
        ("share/fish/vendor_completions.d/bastide.fish", "completions for fish"),
        ("share/doc/bastide/copyright", "License: Expat or Apache-2.0"),
        ("share/mime/packages/bastide.xml", "*.game"),
        ("share/icons/hicolor/scalable/apps/bastide.svg", "<svg"),
    ] {
        let path = format!("usr/{path}");
        assert!(text(&files, &path).contains(expected), "{path}");
        assert_eq!(files[&path].0, 0o644);
    }
    for (page, expected) in [("bastide.1.gz", "page\n"), ("bastide-editor.1.gz", "window --manual\n")] {
        let (_, packed) = &files[&format!("usr/share/man/man1/{page}")];
        let mut said = String::new();
        GzDecoder::new(&packed[..]).read_to_string(&mut said).unwrap();
        assert_eq!(said, expected);
    }
}

#[test]
fn icons_have_their_sizes_and_colours() {
    let svg = fs::read_to_string(root().join("editor/web/static/icon.svg")).unwrap();
    let map = tiny_skia::Pixmap::decode_png(&crate::icon::png(&svg, 64).unwrap()).unwrap();
    assert_eq!((map.width(), map.height()), (64, 64));
    let colour = |x, y| map.pixel(x, y).map(|it| (it.red(), it.green(), it.blue(), it.alpha())).unwrap();
    // Checks the green field, the white road, and the transparent corner outside the tile.
    assert_eq!(colour(8, 56), (0x7f, 0xa6, 0x50, 255));
    assert_eq!(colour(32, 50), (255, 255, 255, 255));
    assert_eq!(colour(0, 0).3, 0);
    assert!(crate::icon::png("<svg", 64).unwrap_err().to_string().contains("not valid"));
}

#[test]
fn desktop_entries_name_the_window_and_its_types() {
    let (files, links) = (include_str!("../data/bastide.desktop"), include_str!("../data/bastide-link.desktop"));
    let types = include_str!("../data/bastide.xml");
    for entry in [files, links] {
        assert!(entry.starts_with("[Desktop Entry]\nType=Application\nName=Bastide"));
        assert!(entry.lines().skip(1).all(|line| line.split_once('=').is_some_and(|(_, value)| !value.is_empty())));
        assert!(entry.contains("\nExec=bastide-editor %") && entry.contains("\nIcon=bastide\n"));
    }
    assert!(links.contains("MimeType=x-scheme-handler/bastide;\n"));
    // Checks that each media type of Bastide in the entry is declared.
    let line = files.lines().find_map(|line| line.strip_prefix("MimeType=")).unwrap();
    let own: Vec<&str> = line.split(';').filter(|it| it.contains("bastide")).collect();
    assert_eq!(own.len(), 2);
    assert!(own.iter().all(|it| types.contains(&format!("type=\"{it}\""))));
}

#[test]
fn the_portable_archive_installs_for_the_user_and_removes_itself() {
    let [_, (name, packed)] = made();
    let folder = tempfile::tempdir().unwrap();
    tar::Archive::new(GzDecoder::new(&packed[..])).unpack(folder.path()).unwrap();
    assert!(entries(&packed).keys().all(|path| path.starts_with(name.trim_end_matches(".tar.gz"))));
    let unpacked = folder.path().join(name.trim_end_matches(".tar.gz"));
    let readme = fs::read_to_string(unpacked.join("README.txt")).unwrap();
    assert!(readme.contains("libgl1 ") && !readme.contains('@'), "{readme}");

    let home = folder.path().join("a home");
    fs::create_dir(&home).unwrap();
    fs::create_dir(home.join("bin")).unwrap();
    fs::write(home.join("bin/other"), "").unwrap();
    let install = |prefix: &Path, words: &[&str]| {
        let mut script = Command::new("sh");
        script.arg(unpacked.join("install.sh")).args(words).env("PREFIX", prefix).output().unwrap()
    };
    for _ in 0..2 {
        let done = install(&home, &[]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let entry = fs::read_to_string(home.join("share/applications/bastide.desktop")).unwrap();
    assert!(entry.contains(&format!("\nExec=\"{}/bin/bastide-editor\" %f\n", home.display())), "{entry}");
    let said = Command::new(home.join("bin/bastide-editor")).arg("my.game").output().unwrap();
    assert_eq!(said.stdout, b"window my.game\n");
    assert!(install(&home, &["--uninstall"]).status.success());
    let left: Vec<PathBuf> = files_below(&home).into_iter().filter(|file| !is_cache(file)).collect();
    assert_eq!(left, [home.join("bin/other")]);

    for wrong in ["relative", "/tmp/a\"b", "/tmp/$(x)"] {
        let refused = install(Path::new(wrong), &[]);
        assert!(!refused.status.success() && !refused.stderr.is_empty(), "{wrong}");
    }
}

/// Returns whether the desktop environment wrote this file.
fn is_cache(file: &Path) -> bool {
    let name = file.file_name().unwrap();
    name == "mimeinfo.cache" || name == "icon-theme.cache" || file.parent().unwrap().ends_with("mime")
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn a_missing_program_is_named() {
    let programs = programs();
    fs::remove_file(programs.path().join("bastide-editor")).unwrap();
    let error = Payload::read(root(), programs.path()).err().unwrap().to_string();
    assert!(error.contains("bastide-editor cannot be read"), "{error}");
}
