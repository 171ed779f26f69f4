//! Tests that load small mods from temporary folders, and check the result and the problems.

#![allow(clippy::unwrap_used)]

mod catalogue;
mod declarations;
mod hostile;
mod order;
mod reference;
mod scripts;
mod tiles;

use std::fs;

use tempfile::TempDir;

use crate::{Library, Loaded, Problems};

/// A small game, with which tests load other mods.
const BASE: &str = r#"
-- base/mod.toml
[mod]
id = "base"
version = "1.2.0"
game = true
players = [2, 6]
[kind.road]
edge = "line"
points = { complete = "tiles", final = "tiles" }
[kind.city]
edge = "full"
points = { complete = "2 * tiles + 2 * shield", final = "tiles + shield" }
[kind.cloister]
edge = "inside"
closes = "when surrounded"
[kind.field]
edge = "ground"
points = { final = "3 * touching(city, complete)" }
[tag.shield]
on = "zone"
merge = "sum"
[piece.follower]
per_player = 7
stands_on = ["road", "city", "cloister", "field if farmers"]
lies_on = ["field"]
[deck.land]
[setting.farmers]
default = true
[setting.bonus]
default = 2
min = 0
max = 5
-- base/tiles.toml
[tile]
D = { count = 4, start = true, city = "n", road = "e-w" }
M = { count = 2, city = { at = "n-w", shield = 1 } }
A = { count = 2, cloister = true, road = "s" }
"#;

/// Writes files into a temporary folder. In `files`, each file begins after a line `-- path`.
fn folder(files: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files.split("\n-- ").skip(1) {
        let (name, text) = file.split_once('\n').unwrap_or((file, ""));
        let path = folder.path().join(name.trim());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("{text}\n")).unwrap();
    }
    folder
}

/// Loads the mods `ids`, separated by spaces, from `files`. Also returns the problems as text, with
/// paths relative to the temporary folder.
fn load(files: &str, ids: &str) -> (Option<Loaded>, Problems, String) {
    let folder = folder(files);
    let library = Library::open(&[folder.path().to_owned()]);
    let (loaded, problems) = library.load(&ids.split_whitespace().collect::<Vec<_>>());
    let shown = problems.to_string().replace(&format!("{}/", folder.path().display()), "");
    (loaded, problems, shown)
}

/// Checks the problems of loading the mods `ids` from `files`, one per line.
#[track_caller]
fn check(files: &str, ids: &str, expected: &str) {
    let (loaded, problems, shown) = load(files, ids);
    assert_eq!(shown.trim(), expected.trim());
    assert_eq!(loaded.is_some(), problems.n_errors() == 0);
}

/// Checks the problems of a mod `x` with these declarations and tiles, on top of the small game.
/// Line 1 is the first line of the declarations.
#[track_caller]
fn check_mod(declarations: &str, tiles: &str, expected: &str) {
    let head = "mod = { id = \"x\", version = \"0.1.0\", requires = [\"base\"] }";
    let files = format!("{BASE}\n-- x/mod.toml\n{head}\n{}\n-- x/tiles.toml\n{}", declarations.trim(), tiles.trim());
    let (loaded, problems, _) = load(&files, "x");
    let mut shown = Vec::new();
    for problem in problems.list() {
        let mut short = problem.clone();
        short.span.file = problem.span.file.rsplit('/').next().unwrap().to_owned();
        short.span.line -= u32::from(short.span.file == "mod.toml");
        shown.push(short.to_string());
    }
    assert_eq!(shown.join("\n"), expected.trim());
    assert_eq!(loaded.is_some(), problems.n_errors() == 0);
}

/// Loads mod `x` with these declarations and tiles, on top of the small game. Panics if there are
/// problems.
#[track_caller]
fn load_mod(declarations: &str, tiles: &str) -> Loaded {
    let head = "mod = { id = \"x\", version = \"0.1.0\", requires = [\"base\"] }";
    let files = format!("{BASE}\n-- x/mod.toml\n{head}\n{declarations}\n-- x/tiles.toml\n{tiles}");
    let (loaded, _, shown) = load(&files, "x");
    assert_eq!(shown, "");
    loaded.unwrap()
}
