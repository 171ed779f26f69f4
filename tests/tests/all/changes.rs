//! Tries every old word of the language once: `check` names its successor, and `migrate` writes it.

use std::fs;
use std::path::Path;

use diagnostic::Severity;
use loader::Library;
use tests::mods_folder;
use workshop::ModMigration;

/// Literals for the parameters that the page of changes names.
const ARGUMENTS: [(&str, &str); 15] = [
    ("player", "turn.player"),
    ("prompt", "\"?\""),
    ("options", "[1, 2]"),
    ("word", "\"go\""),
    ("token", "\"coin\""),
    ("reason", "\"more\""),
    ("deck", "\"land\""),
    ("when", "\"now\""),
    ("kinds", "\"road\""),
    ("without", "\"follower\""),
    ("piece", "pieces_of(turn.player)[0]"),
    ("pile", "\"gold\""),
    ("spot", "spot(0, 0)"),
    ("n", "1"),
    ("feature", "turn.tile.zones[0].feature"),
];

/// Returns a row of the page: the old word, its successor, and whether `migrate` writes it.
fn rows(page: &str) -> Vec<(String, String, bool)> {
    let words = page.split("## Words").nth(1).unwrap().split("## Meanings").next().unwrap();
    let rows = words.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let code = |cell: &str| cell.split('`').nth(1).unwrap().to_owned();
        (code(cells[0]), cells[1].to_owned(), cells[2].contains("bastide migrate"))
    })
    .collect()
}

/// Writes a call such as `stock(token)` with literals as arguments.
fn with_literals(call: &str) -> String {
    let mut written = String::new();
    let mut word = String::new();
    let mut after = ' ';
    for c in call.chars().chain(['\n']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        // A name in quotes, before a bracket or after a dot is no parameter.
        let is_param = !matches!(c, '(' | '"') && after != '.';
        let literal = ARGUMENTS.iter().find(|(name, _)| is_param && *name == word);
        written.push_str(literal.map_or(word.as_str(), |(_, literal)| literal));
        word.clear();
        written.push(c);
        after = c;
    }
    written.trim().to_owned()
}

fn write_mod(folder: &Path, filter: &str, statement: &str) {
    let manifest = format!(
        "[mod]\nid = \"old\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n[token.coin]\nstock = 9\n[pile.gold]\nstock = 9\n\
         [tag.gold]\non = \"tile\"\n[hook.feature_completed]\n{filter}\n"
    );
    // `move` and `turn` are the variables of the rows about properties.
    let script = format!(
        "fn scored(scoring) {{\n    for move in scoring.moves {{ mem.game.coin = move.points; }}\n}}\n\
         fn feature_completed(feature) {{\n    let move = mem.game.coin;\n    let x = {statement};\n    note(`${{x}} ${{move}}`);\n}}\n"
    );
    fs::write(folder.join("mod.toml"), manifest).unwrap();
    fs::write(folder.join("rules.rhai"), script).unwrap();
}

#[test]
fn every_old_word_has_its_successor_as_help() {
    let rows = rows(&script::changes());
    assert!(rows.len() > 20, "{rows:?}");
    for (before, now, is_migrated) in rows {
        let dir = tempfile::tempdir().unwrap();
        let own = dir.path().join("old");
        fs::create_dir(&own).unwrap();
        let is_key = before.starts_with("only_");
        let value = if matches!(before.as_str(), "only_larger" | "only_completed") { "true" } else { "\"gold\"" };
        match is_key {
            true => write_mod(&own, &format!("{before} = {value}"), "1"),
            false => write_mod(&own, "", &with_literals(&before)),
        }
        let errors = || {
            let library = Library::open(&[mods_folder(), dir.path().to_owned()]);
            let (_, problems) = library.load(&["old"]);
            let of_word = problems.list().iter().filter(|problem| !problem.message.contains("`api`"));
            of_word.cloned().collect::<Vec<_>>()
        };
        let found = errors();
        let help: Vec<&str> = found.iter().filter_map(|problem| problem.help.as_deref()).collect();
        // What to write: the function with its bracket or property, or `return` for conditions.
        let successor = match is_key {
            true => "`return` in the first line of the function".to_owned(),
            false => {
                let code = now.split('`').nth(1).unwrap();
                let call = code.split_inclusive('(').next().unwrap();
                let first = |name: &str| name.split('.').next_back().unwrap().to_owned();
                first(call).trim_end_matches('(').to_owned()
            }
        };
        // A value that is no literal may be the map of options, so only the running game refuses
        // it.
        let is_silent = before == "take_pile(pile, feature)" && found.is_empty();
        assert!(is_silent || help.iter().any(|help| help.contains(&successor)), "{before}: {found:#?}");
        if !is_migrated {
            continue;
        }
        // `check` does not know whether a value with `why` is a turn or a move.
        let names_migrate = |help: &&str| help.contains("bastide migrate") || help.contains("` or `");
        assert!(is_silent || help.iter().any(names_migrate), "{before}: {found:#?}");
        ModMigration::new(&own).unwrap().write().unwrap();
        let left = errors();
        assert!(left.iter().all(|problem| problem.severity != Severity::Error), "{before}: {left:#?}");
    }
}
