//! The promise to authors of mods: every version of the modding language keeps its words, and the
//! mods written for it still load and pass their tests.
//!
//! `api/<version>` contains mods that were written for that version, and `words.txt` with the
//! version's words. These files never change, except that `words.txt` receives words that are
//! added to the version.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use loader::{Library, mod_reference, tiles_reference};
use tests::mods_folder;
use theme::theme_reference;

use crate::cases::{cases, run_all};

/// Returns the folder of each version, with its number.
fn versions() -> Vec<(u32, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("api");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut versions: Vec<(u32, PathBuf)> =
        entries.map(|path| (path.file_name().unwrap().to_str().unwrap().parse().unwrap(), path)).collect();
    versions.sort();
    versions
}

/// Returns the current words of the language: calls and properties of scripts with the number of
/// their parameters, named options, hooks, and the keys of manifests, tiles and themes.
fn words() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for line in script::definitions().lines() {
        if let Some(call) = line.strip_prefix("fn ") {
            let (name, params) = call.split_once('(').unwrap();
            if rules::Hook::ALL.iter().any(|hook| hook.info().name == name) {
                continue;
            }
            let params = params.split_once(')').unwrap().0;
            let n = params.split(',').filter(|param| !param.trim().is_empty()).count();
            words.insert(format!("script {name} {n}"));
        }
    }
    let mut function = "";
    for line in script::docs().lines() {
        if let Some(usage) = line.strip_prefix("- `") {
            function = usage.split(['(', '`']).next().unwrap();
        } else if let Some((option, _)) = line.strip_prefix("  - `").and_then(|option| option.split_once('`')) {
            words.insert(format!("script {function} option {option}"));
        }
    }
    words.extend(rules::Hook::ALL.iter().map(|hook| format!("hook {} {}", hook.info().name, hook.info().params.len())));
    for (file, page) in [("mod", mod_reference()), ("tiles", tiles_reference()), ("theme", theme_reference())] {
        let mut heading = "";
        for line in page.lines() {
            if let Some(text) = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')) {
                heading = text;
            }
            // Several keys may share the first cell of a row.
            let cell = line.strip_prefix("| ").and_then(|row| row.split(" | ").next()).unwrap_or_default();
            if heading != "Limits" {
                let keys = cell.split('`').skip(1).step_by(2);
                words.extend(keys.map(|key| format!("{file}.toml {heading}: {key}")));
            }
        }
    }
    words
}

#[test]
fn every_word_of_each_version_is_known() {
    let now = words();
    assert!(now.len() > 300, "only {} words found", now.len());
    for (version, folder) in versions() {
        let kept = fs::read_to_string(folder.join("words.txt")).unwrap();
        let kept: BTreeSet<String> = kept.lines().map(str::to_owned).collect();
        let gone: Vec<&String> = kept.difference(&now).collect();
        assert!(gone.is_empty(), "removed words of version {version}:\n{gone:#?}");
        if version == script::API_VERSION {
            let new: Vec<&String> = now.difference(&kept).collect();
            assert!(new.is_empty(), "new words, to be added to {}:\n{new:#?}", folder.join("words.txt").display());
        }
    }
}

#[test]
fn mods_of_each_version_load_and_pass_their_tests() {
    assert_eq!(versions().last().unwrap().0, script::API_VERSION, "the current version has stored mods");
    for (version, folder) in versions() {
        let library = Library::open(&[mods_folder(), folder.clone()]);
        let kept: Vec<String> = library.ids().into_iter().filter(|id| id.starts_with("kept-")).collect();
        assert!(kept.len() >= 10, "version {version} has {} mods", kept.len());
        for id in &kept {
            let (loaded, problems) = library.load(std::slice::from_ref(id));
            assert!(problems.list().is_empty(), "{id}: {problems}");
            let loaded = loaded.unwrap();
            let mods = &loaded.catalogue().mods;
            assert!(mods.iter().any(|info| info.id == *id && info.api == Some(version)), "{id} names its version");
        }
        run_all(&[mods_folder(), folder.clone()], cases(&folder), 20);
    }
}
