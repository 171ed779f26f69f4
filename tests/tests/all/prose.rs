//! Checks comments against the rules of writing that a program can check.

use std::fs;
use std::path::{Path, PathBuf};

/// The maximum length of a line with a comment, in characters. rustfmt does not wrap comments.
const LONGEST: usize = 100;

/// First words that turn a doc comment into a subordinate clause instead of naming the item.
const OPENINGS: [&str; 10] =
    ["What", "Where", "Who", "Whose", "How", "Whether", "They", "Nobody", "Somebody", "Whoever"];

/// Words that hide the actor. Name the actor instead: the caller, the player, the mod, the file.
const VAGUE: [&str; 4] = ["nobody", "somebody", "whoever", "anybody"];

/// Phrases that are not English, each with the phrase to write instead.
const PHRASES: [(&str, &str); 5] = [
    ("exchanged seats", "swapped seats"),
    ("an own", "a … of its own, or a … of the user"),
    ("something else than", "anything but"),
    ("the question whether", "the question of whether"),
    ("a further training", "further training"),
];

/// Comments that may quote the script word `nobody` or a user's question. Each pair is the end of
/// the file's path and a part of the line.
const EXCEPTIONS: [(&str, &str); 1] = [("tests/all/prose.rs", "")];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Adds the Rust sources below `folder`.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// Returns the prefix and the text of a line that is a comment.
fn comment(line: &str) -> Option<(&'static str, &str)> {
    let line = line.trim_start();
    ["///", "//!", "//"].into_iter().find_map(|prefix| line.strip_prefix(prefix).map(|text| (prefix, text.trim())))
}

/// Returns the faults of one file, a line each.
fn faults(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut before = None;
    for (number, line) in text.lines().enumerate() {
        let Some((prefix, words)) = comment(line) else {
            before = None;
            continue;
        };
        let mut fault = |what: &str| {
            let is_excepted = |(file, part): &(&str, &str)| name.ends_with(file) && line.contains(part);
            if !EXCEPTIONS.iter().any(is_excepted) {
                faults.push(format!("{name}:{}: {what}: {}", number + 1, line.trim()));
            }
        };
        if line.chars().count() > LONGEST && words.contains(' ') {
            fault("longer than 100 columns");
        }
        let begins = prefix != "//" && before != Some(prefix);
        let first = words.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if begins && OPENINGS.contains(&first) {
            fault("begin with a verb or a noun");
        }
        let vague = |word: &str| VAGUE.contains(&word.to_lowercase().as_str());
        // Code in backticks is quoted.
        let prose: String = words.split('`').step_by(2).collect();
        let prose: Vec<&str> = prose.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        if prose.iter().any(|word| vague(word)) {
            fault("name the actor");
        }
        let prose = format!(" {} ", prose.join(" ").to_lowercase());
        for (phrase, instead) in PHRASES {
            if prose.contains(&format!(" {phrase} ")) {
                fault(&format!("write `{instead}` instead of `{phrase}`"));
            }
        }
        before = Some(prefix);
    }
    faults
}

#[test]
fn comments_follow_the_rules_of_writing() {
    let mut files = Vec::new();
    for folder in ["crates", "editor", "tests"] {
        sources(&root().join(folder), &mut files);
    }
    let mut found = Vec::new();
    for file in &files {
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        found.extend(faults(&name, &fs::read_to_string(file).unwrap()));
    }
    assert!(files.len() > 400, "only {} files were read", files.len());
    assert!(found.is_empty(), "{} comments to rewrite:\n{}", found.len(), found.join("\n"));
}

#[test]
fn faults_of_comments_are_found() {
    let text = "/// Whether it rains.\nfn rains() {}\n// Nobody knows.\n//! A fine one, with `nobody` in it.\n";
    let found = faults("x.rs", text);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(faults("x.rs", "// Games with exchanged seats.\n/// Makes an own mod.\n").len(), 2);
    let long = format!("// {}", "word ".repeat(30));
    assert_eq!(faults("x.rs", &long).len(), 1);
}
