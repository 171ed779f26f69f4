//! Migration: rewrites a mod for the current version of the script language.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use platform::fs;
use script::{API_VERSION, Migration, NewCondition, OldFilter, advice_on_late_filters, help_for_key};
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
    /// The new text, or the advice to the author; empty if the migration only removes text.
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
        let manifest_keys = text.parse::<toml_edit::DocumentMut>().ok();
        let names_api = manifest_keys.is_some_and(|keys| keys.get("mod").is_some_and(|it| it.get("api").is_some()));
        let script = folder.join("rules.rhai");
        if !fs::exists(&script) {
            done.add(&manifest, &text, migrate_manifest(&text, &mut Migration::default()));
            return Ok(done);
        }
        let old = read(&script)?;
        let mut rules = script::migrate(&old);
        if names_api {
            // If the manifest already has `api`, the script uses the current version of the
            // language, so the author need not check any place.
            rules.undecided.clear();
        }
        done.add(&manifest, &text, migrate_manifest(&text, &mut rules));
        done.add(&script, &old, rules);
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

/// Adds the key `api` after the version if a manifest does not have this key. Moves filters of
/// earlier versions into `script` as conditions, and lists other keys of earlier versions. A text
/// that is not valid TOML does not change.
fn migrate_manifest(text: &str, script: &mut Migration) -> Migration {
    let mut done = Migration { text: text.to_owned(), ..Migration::default() };
    let Ok(document) = Document::parse(text) else { return done };
    let line_of = |byte: usize| text.get(..byte).map_or(1, |above| above.matches('\n').count() + 1);
    // Edits the lines from the last to the first, so that the places of the others stay.
    let mut moved: Vec<(Range<usize>, String)> = Vec::new();
    for filter in old_filters(text, document.as_table()) {
        let Some((now, added)) = filter
            .condition
            .as_ref()
            .map_or_else(|| Some((script.text.clone(), String::new())), |condition| condition.add_to(&script.text))
        else {
            continue;
        };
        script.text = now;
        let line = line_of(filter.line.start);
        done.rewritten.push(script::MigratedPlace { line, before: filter.key.clone(), now: added });
        moved.push((filter.line, filter.key));
    }
    visit_keys(document.as_item(), &mut |key, byte| {
        let is_moved = moved.iter().any(|(line, moved)| line.contains(&byte) && moved == key);
        if let Some(advice) = help_for_key(key).filter(|_| !is_moved) {
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
    let mut edits: Vec<(Range<usize>, String)> = moved.into_iter().map(|(line, _)| (line, String::new())).collect();
    let about = document.get("mod").and_then(Item::as_table_like).filter(|about| !about.contains_key("api"));
    let version = about.and_then(|about| about.get("version")).and_then(Item::span);
    if let Some(version) = version {
        let rest = text.get(version.end..).unwrap_or_default();
        let end = version.end + rest.find('\n').map_or(rest.len(), |at| at + 1);
        let line_end = if rest.split('\n').next().is_some_and(|line| line.ends_with('\r')) { "\r\n" } else { "\n" };
        let gap = if text.get(..end).is_some_and(|above| above.ends_with('\n')) { "" } else { line_end };
        let now = format!("api = {API_VERSION}");
        edits.push((end..end, format!("{gap}{now}{line_end}")));
        let line = line_of(version.start) + 1;
        done.rewritten.push(script::MigratedPlace { line, before: String::new(), now });
    }
    edits.sort_by_key(|(bytes, _)| std::cmp::Reverse(bytes.start));
    edits.into_iter().for_each(|(bytes, new)| done.text.replace_range(bytes, &new));
    done.rewritten.sort_by_key(|place| place.line);
    done
}

/// A filter of an earlier version that becomes a condition of the script.
struct MovedFilter {
    key: String,
    /// The line of the filter in the manifest, or all lines of a table that has nothing else.
    line: Range<usize>,
    /// The condition; `None` if the other filters imply it.
    condition: Option<NewCondition>,
}

/// Returns the filters of a manifest that have the same meaning as a condition of the script.
fn old_filters(text: &str, manifest: &dyn TableLike) -> Vec<MovedFilter> {
    let mut found = Vec::new();
    let hooks = manifest.get("hook").and_then(Item::as_table_like);
    for (name, hook) in hooks.iter().flat_map(|hooks| hooks.iter()) {
        let Some(table) = hook.as_table() else { continue };
        found.extend(filters_of(text, table, name.to_owned(), name == "part_ended"));
    }
    let phases = manifest.get("phase").and_then(Item::as_array_of_tables);
    for phase in phases.iter().flat_map(|phases| phases.iter()) {
        let text_of = |key: &str| phase.get(key).and_then(Item::as_str);
        let Some(id) = text_of("id") else { continue };
        let is_late = matches!(text_of("slot"), Some("scored" | "end"));
        found.extend(filters_of(text, phase, format!("phase_{}", id.replace('-', "_")), is_late));
    }
    found
}

/// Returns the filters of one function. `is_late` is true if the engine calls the function after
/// scoring.
fn filters_of(text: &str, table: &toml_edit::Table, function: String, is_late: bool) -> Vec<MovedFilter> {
    let is_about_features = FILTERS_ON_FEATURES.iter().any(|filter| table.contains_key(filter));
    let filters = table.iter().filter_map(|(key, item)| {
        let value = item.as_value()?;
        // A value such as `"scout if large"` depends on a setting.
        let name = || value.as_str().filter(|name| !name.contains([' ', '"', '\\'])).map(str::to_owned);
        let filter = match key {
            "only_mem" => OldFilter::Memory(name()?),
            "only_hand" => OldFilter::Hand(name()?),
            "only_larger" if value.as_bool() == Some(true) => OldFilter::Larger,
            // Filters on features tested the completed features only beside this filter.
            "only_completed" if value.as_bool() == Some(true) && (is_late || !is_about_features) => {
                OldFilter::Completed
            }
            _ => return None,
        };
        let start = table.key(key).and_then(toml_edit::Key::span)?.start;
        let end = item.span()?.end;
        let above = text.get(..start)?;
        let line_start = above.rfind('\n').map_or(0, |at| at + 1);
        let rest = text.get(end..)?;
        let line_end = end + rest.find('\n').map_or(rest.len(), |at| at + 1);
        let comment = text.get(end..line_end)?.trim();
        if !above.get(line_start..)?.trim().is_empty() || !comment.is_empty() && !comment.starts_with('#') {
            return None;
        }
        let comment = comment.trim_start_matches('#').trim().to_owned();
        let is_implied = filter == OldFilter::Completed && is_about_features;
        let condition = NewCondition { function: function.clone(), filter, comment };
        Some(MovedFilter {
            key: key.to_owned(),
            line: line_start..line_end,
            condition: if is_implied { None } else { Some(condition) },
        })
    });
    filters.collect()
}

/// The filters on features, whose meaning changed for functions that run after scoring.
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
    let filters = |table: &dyn TableLike| -> Vec<(String, usize)> {
        // Beside `only_completed`, filters already tested the completed features.
        if table.contains_key("only_completed") {
            return Vec::new();
        }
        let keys = FILTERS_ON_FEATURES.iter().filter_map(|filter| table.key(filter));
        keys.map(|key| (key.get().to_owned(), key.span().map_or(0, |span| span.start))).collect()
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
        let migrate_manifest = |text: &str| migrate_manifest(text, &mut Migration::default());
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

    #[test]
    fn filters_become_conditions_of_the_script() {
        let manifest = "[mod]\nversion = \"1.0.0\"\n# The scout.\n[[phase]]\nid = \"look-at\"\nslot = \"drawn\"\n\
                        only_mem = \"scout\"   # once it lies\nabout = \"Looks.\"\n\
                        [[phase]]\nid = \"gold\"\nslot = \"scored\"\nonly_completed = true\nonly_pile = \"gold\"\n\
                        [hook.tile_sources]\nonly_hand = \"takes\"\n[hook.setup]\nonly_mem = \"nowhere\"\n";
        let script = "fn phase_look_at() {\n    mem.game.scout = 1;\n}\nfn phase_gold() {\n}\n\
                      fn tile_sources(player) { [] }\n";
        let mut rules = Migration { text: script.to_owned(), ..Migration::default() };
        let done = migrate_manifest(manifest, &mut rules);
        assert_eq!(
            done.text,
            manifest
                .replace("version = \"1.0.0\"\n", "version = \"1.0.0\"\napi = 1\n")
                .replace("only_mem = \"scout\"   # once it lies\n", "")
                .replace("only_completed = true\n", "")
                .replace("only_hand = \"takes\"\n", "")
        );
        assert_eq!(
            rules.text,
            "fn phase_look_at() {\n    // once it lies\n    if !(\"scout\" in mem.game) { return; }\n    \
             mem.game.scout = 1;\n}\nfn phase_gold() {\n}\nfn tile_sources(player) { \
             if !hand(turn.player).some(|held| held.has(\"takes\")) { return []; } [] }\n"
        );
        let lines = |list: &[script::MigratedPlace]| list.iter().map(|place| place.line).collect::<Vec<_>>();
        assert_eq!(lines(&done.rewritten), [3, 7, 12, 15]);
        assert_eq!(lines(&done.undecided), [17], "the script has no such function");
        assert_eq!(migrate_manifest(&done.text, &mut rules.clone()).text, done.text, "migrating twice changes nothing");
    }
}
