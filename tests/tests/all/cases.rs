//! Runs every `.game` case of every mod, and of the folder `cases`, with `record::replay`, as
//! `bastide test` does.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use loader::Loaded;
use record::{Record, replay};
use tests::{interpreted_rules, load_from, mods_folder, rules};

/// Returns the `.game` files in the tests folders of all mods under `folder`, sorted.
pub fn cases(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let Ok(tests) = fs::read_dir(entry.unwrap().path().join("tests")) else { continue };
        files.extend(tests.map(|f| f.unwrap().path()).filter(|f| f.extension().is_some_and(|e| e == "game")));
    }
    files.sort();
    files
}

pub fn run_all(folders: &[PathBuf], cases: Vec<PathBuf>, at_least: usize) {
    let mut loaded: BTreeMap<Vec<String>, Loaded> = BTreeMap::new();
    let mut failures = Vec::new();
    let mut n_expectations = 0;
    assert!(cases.len() >= at_least, "only {} cases found", cases.len());
    for file in &cases {
        let name = file.display();
        let (record, problems) = Record::parse(&fs::read_to_string(file).unwrap());
        failures.extend(problems.iter().map(|p| format!("{name}: {p}")));
        let mods: Vec<String> = record.setup.mods.iter().map(|m| m.id.clone()).collect();
        let loaded = loaded
            .entry(mods.clone())
            .or_insert_with(|| load_from(folders, &mods.iter().map(String::as_str).collect::<Vec<_>>()));
        // Each case must pass if the interpreter runs only the functions that need it, and if
        // the interpreter runs all functions.
        for rules in [rules(loaded, &record.setup), interpreted_rules(loaded, &record.setup)] {
            match replay(rules, &record, |_| {}) {
                Err(problems) => failures.extend(problems.iter().map(|p| format!("{name}: {p}"))),
                Ok(run) => {
                    n_expectations += run.n_expectations;
                    if run.n_expectations == 0 {
                        failures.push(format!("{name}: checks nothing"));
                    }
                    failures
                        .extend(run.failures.iter().map(|f| format!("{name}:{}: {}: {}", f.line, f.text, f.actual)));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{} cases, {n_expectations} expectations", cases.len());
}

#[test]
fn mods() {
    run_all(&[mods_folder()], cases(&mods_folder()), 60);
}

#[test]
fn rules_of_several_mods_that_meet() {
    let here = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")).unwrap();
    let mut files: Vec<PathBuf> = here.map(|file| file.unwrap().path()).collect();
    files.sort();
    run_all(&[mods_folder()], files, 58);
}

#[test]
fn small_mods_of_these_tests() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("mods");
    run_all(&[mods_folder(), here.clone()], cases(&here), 92);
}
