//! Migration: rewrites a mod for the current version of the script language.

use std::io;
use std::path::{Path, PathBuf};

use platform::fs;
use script::{API_VERSION, Migration, advice_on_late_filters, help_for_key};
use toml_edit::{Document, Item, TableLike};

/// The maximum size of a file to migrate, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// A place in a mod that the migration rewrites or that the author must check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MigrationLine {
    /// The file.
    pub file: PathBuf,
    /// The number of the line in the old text, counted from 1. If the migration only adds a line,
    /// its number in the new text.
    pub line: usize,
    /// The old text; empty if the migration only adds text.
    pub before: String,
    /// The new text. For a place that the author must check, the advice.
    pub now: String,
}

/// The migration of a mod, prepared but not written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModMigration {
    /// The files that the migration changes, with their new texts.
    pub files: Vec<(PathBuf, String)>,
    /// The places that the migration rewrites: file by file, in the order of lines.
    pub rewritten: Vec<MigrationLine>,
    /// The places that the author must check: file by file, in the order of lines.
    pub undecided: Vec<MigrationLine>,
}

impl ModMigration {
    /// Prepares the migration of the mod in `folder`.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or is not UTF-8.
    pub fn new(folder: &Path) -> io::Result<ModMigration> {
        let mut done = ModMigration::default();
        let manifest = folder.join("mod.toml");
        let text = read(&manifest)?;
        let migration = migrate_manifest(&text);
        let manifest_keys = text.parse::<toml_edit::DocumentMut>().ok();
        let names_api = manifest_keys.is_some_and(|keys| keys.get("mod").is_some_and(|it| it.get("api").is_some()));
        done.add(&manifest, &text, migration);
        let script = folder.join("rules.rhai");
        if fs::exists(&script) {
            let text = read(&script)?;
            let mut migration = script::migrate(&text);
            if names_api {
                // If the manifest already has `api`, the script uses the current version of the
                // language, so the author need not check any place.
                migration.undecided.clear();
            }
            done.add(&script, &text, migration);
        }
        Ok(done)
    }

    fn add(&mut self, file: &Path, old: &str, migration: Migration) {
        let Migration { text, rewritten, undecided } = migration;
        if text != old {
            self.files.push((file.to_owned(), text));
        }
        let line = |place: script::MigratedPlace| MigrationLine {
            file: file.to_owned(),
            line: place.line,
            before: place.before,
            now: place.now,
        };
        self.rewritten.extend(rewritten.into_iter().map(line));
        self.undecided.extend(undecided.into_iter().map(line));
    }

    /// Writes the changed files. Each file is written completely or not at all.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written. Files that were already written keep their new
    /// texts.
    pub fn write(&self) -> io::Result<()> {
        self.files.iter().try_for_each(|(path, text)| fs::write_whole(path, text))
    }
}

fn read(path: &Path) -> io::Result<String> {
    loader::read_text(path, path.parent(), MAX_BYTES)
        .map_err(|error| io::Error::other(format!("{}: {error}", loader::shown_path(path))))
}

/// Adds the key `api` below the version if a manifest does not have this key. Lists keys of earlier
/// versions for the author. Does not change a text that is not valid TOML.
fn migrate_manifest(text: &str) -> Migration {
    let mut done = Migration { text: text.to_owned(), ..Migration::default() };
    let Ok(document) = Document::parse(text) else { return done };
    let line_of = |byte: usize| text.get(..byte).map_or(1, |above| above.matches('\n').count() + 1);
    visit_keys(document.as_item(), &mut |key, byte| {
        if let Some(advice) = help_for_key(key) {
            let (before, now) = (key.to_owned(), advice.to_owned());
            done.undecided.push(script::MigratedPlace { line: line_of(byte), before, now });
        }
    });
    if document.get("mod").is_none_or(|about| about.get("api").is_none()) {
        for (key, byte) in late_filters(document.as_table()) {
            let now = advice_on_late_filters();
            done.undecided.push(script::MigratedPlace { line: line_of(byte), before: key, now });
        }
    }
    done.undecided.sort_by_key(|place| place.line);
    let about = document.get("mod").and_then(Item::as_table_like).filter(|about| !about.contains_key("api"));
    let version = about.and_then(|about| about.get("version")).and_then(Item::span);
    if let Some(version) = version {
        let rest = text.get(version.end..).unwrap_or_default();
        let end = version.end + rest.find('\n').map_or(rest.len(), |at| at + 1);
        let line_end = if rest.split('\n').next().is_some_and(|line| line.ends_with('\r')) { "\r\n" } else { "\n" };
        let gap = if text.get(..end).is_some_and(|above| above.ends_with('\n')) { "" } else { line_end };
        let now = format!("api = {API_VERSION}");
        done.text.insert_str(end, &format!("{gap}{now}{line_end}"));
        let line = line_of(version.start) + 1;
        done.rewritten.push(script::MigratedPlace { line, before: String::new(), now });
    }
    done
}

/// The manifest keys that filter features. Their meaning has changed for functions that run after
/// scoring.
const FILTERS_ON_FEATURES: [&str; 4] = ["only_kind", "only_pile", "only_tag", "only_with"];

/// Returns the filters of features in phases and hooks that run after scoring, each with the byte
/// offset of its key.
fn late_filters(manifest: &dyn TableLike) -> Vec<(String, usize)> {
    let phases = manifest.get("phase").and_then(Item::as_array_of_tables);
    let is_late = |phase: &&toml_edit::Table| {
        phase.get("slot").and_then(Item::as_str).is_none_or(|slot| matches!(slot, "scored" | "end"))
    };
    let phases = phases.iter().flat_map(|phases| phases.iter()).filter(is_late).map(|phase| phase as &dyn TableLike);
    let hook = manifest.get("hook").and_then(|hooks| hooks.get("part_ended")).and_then(Item::as_table_like);
    let filters = |table: &dyn TableLike| {
        let keys = FILTERS_ON_FEATURES.iter().filter_map(|filter| table.key(filter));
        keys.map(|key| (key.get().to_owned(), key.span().map_or(0, |span| span.start))).collect::<Vec<_>>()
    };
    phases.chain(hook).flat_map(filters).collect()
}

/// Calls `see` with each key below `item` and with the byte offset of the key.
fn visit_keys(item: &Item, see: &mut impl FnMut(&str, usize)) {
    if let Some(list) = item.as_array_of_tables() {
        list.iter().for_each(|table| visit_keys(&Item::Table(table.clone()), see));
    }
    let Some(table) = item.as_table_like() else { return };
    for (name, inner) in table.iter() {
        see(name, table.key(name).and_then(toml_edit::Key::span).map_or(0, |span| span.start));
        visit_keys(inner, see);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_the_language_is_added_after_that_of_the_mod() {
        let text =
            "# mine\n[mod]\nid = \"a\"\nversion = \"1.0.0\"   # first\n\n[[phase]]\nid = \"p\"\nonly_mem = \"x\"\n";
        let done = migrate_manifest(text);
        assert_eq!(done.text, text.replace("# first\n", "# first\napi = 1\n"));
        let lines = |list: &[script::MigratedPlace]| list.iter().map(|place| place.line).collect::<Vec<_>>();
        assert_eq!((lines(&done.rewritten), lines(&done.undecided)), (vec![5], vec![8]));
        assert_eq!(migrate_manifest(&done.text).text, done.text, "migrating twice changes nothing");
        let late = "[mod]\nversion = \"1.0.0\"\n[[phase]]\nid = \"p\"\nslot = \"scored\"\nonly_kind = [\"field\"]\n\
                    [[phase]]\nid = \"q\"\nslot = \"piece\"\nonly_kind = [\"field\"]\n[hook.part_ended]\nonly_with = [\"a\"]\n";
        assert_eq!(lines(&migrate_manifest(late).undecided), [6, 12], "filters whose meaning changed");
        assert_eq!(migrate_manifest(&migrate_manifest(late).text).undecided, [], "the author has been told");
        for same in ["not toml at all [", "[mod]\nid = \"a\"\nversion = \"1.0.0\"\napi = 1\n", ""] {
            assert_eq!(migrate_manifest(same).text, same);
        }
        let dos = migrate_manifest("[mod]\r\nversion = \"1.0.0\"\r\nid = \"a\"\r\n").text;
        assert_eq!(dos, "[mod]\r\nversion = \"1.0.0\"\r\napi = 1\r\nid = \"a\"\r\n");
        assert_eq!(migrate_manifest("[mod]\nversion = \"1.0.0\"").text, "[mod]\nversion = \"1.0.0\"\napi = 1\n");
    }
}
