//! Documentation of words, from the script reference, the references of manifests and the
//! declarations of mods.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use script::{ReferenceEntry, Vocabulary, reference};

/// The documentation of a word.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Doc {
    /// The syntax of the word and its result.
    pub signature: String,
    /// The category of the word: a rule, an effect, a tag.
    pub kind: String,
    /// The description of the word, in one or two sentences.
    pub about: String,
    /// Further lines of the description.
    pub more: Vec<String>,
    /// An example; empty if there is none.
    pub example: String,
}

impl Doc {
    /// Returns the documentation of an entry of the script reference.
    pub fn from_entry(entry: &ReferenceEntry) -> Doc {
        let gives = if entry.result.is_empty() { String::new() } else { format!(" → {}", entry.result) };
        Doc {
            signature: format!("{}{gives}", entry.signature),
            kind: entry.kind.about().to_owned(),
            about: entry.about.to_owned(),
            more: entry.more.clone(),
            example: entry.example.clone(),
        }
    }
}

/// A key of a manifest or a file of tiles, from the references.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    /// The first part of the table's name: `mod`, `kind`, `piece`.
    pub table: String,
    /// The name of the key.
    pub name: String,
    /// The type of the value.
    pub takes: String,
    /// The default value, `required`, or empty.
    pub default: String,
    /// The meaning of the key.
    pub means: String,
}

impl Key {
    /// Returns the documentation of the key.
    pub fn doc(&self) -> Doc {
        let left_out = match self.default.as_str() {
            "" | "–" => String::new(),
            "required" => "Required.".to_owned(),
            default => format!("Default: {default}."),
        };
        Doc {
            signature: format!("{} = {}", self.name, self.takes),
            kind: format!("key of [{}]", self.table),
            about: self.means.clone(),
            more: Some(left_out).filter(|line| !line.is_empty()).into_iter().collect(),
            example: String::new(),
        }
    }
}

/// All keys of manifests and files of tiles.
static KEYS: LazyLock<Vec<Key>> =
    LazyLock::new(|| [loader::MOD_REFERENCE, loader::TILES_REFERENCE].into_iter().flat_map(keys_of).collect());

/// Returns the keys of a table of a manifest or a file of tiles, such as `kind`.
pub fn keys(table: &str) -> impl Iterator<Item = &'static Key> {
    KEYS.iter().filter(move |key| key.table == table)
}

/// Returns the sorted names of the tables in manifests and files of tiles. They always include
/// `option` and `hook`.
pub fn tables() -> Vec<&'static str> {
    let mut tables: Vec<&str> = KEYS.iter().map(|key| key.table.as_str()).chain(["option", "hook"]).collect();
    tables.sort_unstable();
    tables.dedup();
    tables
}

/// Reads the keys from the Markdown tables of a reference. The heading above a Markdown table names
/// the TOML table, such as `## [kind.<name>]`, unless the Markdown table has a column `table`.
fn keys_of(reference: &str) -> Vec<Key> {
    let mut found = Vec::new();
    let mut tables: Vec<String> = Vec::new();
    let mut columns: Vec<String> = Vec::new();
    for line in reference.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            let named =
                heading.split(['[', ']']).skip(1).step_by(1).filter(|part| !part.is_empty() && !part.starts_with(','));
            tables = named.filter_map(|part| part.split(['.', ',']).next()).map(|t| t.trim().to_owned()).collect();
            columns.clear();
            continue;
        }
        let Some(row) = line.strip_prefix('|') else {
            columns.clear();
            continue;
        };
        let cells: Vec<String> = row.trim_end_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect();
        if columns.is_empty() {
            columns = cells;
            continue;
        }
        let cell = |name: &str| columns.iter().position(|c| c == name).and_then(|i| cells.get(i)).cloned();
        let (Some(names), Some(takes)) = (cell("key"), cell("takes")) else { continue };
        let own: Vec<String> = match cell("table") {
            Some(own) => own.split(", ").map(str::to_owned).collect(),
            None => tables.clone(),
        };
        let plain = |text: String| text.replace('`', "");
        for name in names.split(", ").map(|name| name.trim_matches('`')).filter(|name| is_name(name)) {
            for table in &own {
                found.push(Key {
                    table: table.clone(),
                    name: name.to_owned(),
                    takes: plain(takes.clone()),
                    default: plain(cell("default").unwrap_or_default()),
                    means: plain(cell("means").unwrap_or_default()),
                });
            }
        }
    }
    found
}

/// Returns whether a text is a single name.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Returns the names that mods declare, with their categories.
pub(super) fn declared(vocabulary: &Vocabulary) -> BTreeMap<&str, &'static str> {
    let lists: [(&[String], &str); 9] = [
        (&vocabulary.kinds, "kind of land"),
        (&vocabulary.tags, "tag"),
        (&vocabulary.pieces, "piece"),
        (&vocabulary.tokens, "token"),
        (&vocabulary.piles, "pile"),
        (&vocabulary.decks, "deck"),
        (&vocabulary.layers, "layer"),
        (&vocabulary.options, "option"),
        (&vocabulary.all_phases, "phase"),
    ];
    lists.into_iter().flat_map(|(names, what)| names.iter().map(move |name| (name.as_str(), what))).collect()
}

/// Returns the reference entries for a name. `is_member` is true for a name after a dot.
pub(super) fn entries<'n>(name: &'n str, is_member: bool) -> impl Iterator<Item = &'static ReferenceEntry> + 'n {
    reference().iter().filter(move |entry| entry.name == name && entry.is_member == is_member)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_from_the_references() {
        let names = |table: &str| keys(table).map(|key| key.name.as_str()).collect::<Vec<_>>().join(" ");
        assert_eq!(names("mod"), "id version api title game players without_rules requires optional conflicts");
        assert!(names("piece").starts_with("per_player neutral stands_on blocked_by needs strength layer"));
        assert_eq!(names("token"), "stock per_player");
        assert_eq!(names("track"), "length dark markers");
        assert!(names("tile").starts_with("count start deck edges overlay about"), "{}", names("tile"));
        assert_eq!(names("phase"), "id slot after before");
        let key = keys("kind").find(|key| key.name == "edge").map(Key::doc).unwrap_or_default();
        assert!(
            key.signature.starts_with("edge = \"full\", \"line\"") && key.about.contains("meets an edge"),
            "{key:?}"
        );
        assert_eq!(
            tables().join(" "),
            "add deck hook kind layer mod option phase piece pile setting tag tile token track"
        );
    }
}
