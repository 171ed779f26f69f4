//! Documentation of the words in scripts and manifests, from the references of scripts and
//! manifests, and from the declarations of mods.

use std::collections::BTreeMap;

use keys::{Key, ManifestFile, Section};
use script::{ReferenceEntry, Vocabulary, reference};

/// The documentation of a word.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Doc {
    /// The syntax of the word, with its result if it has one.
    pub signature: String,
    /// The category of the word, such as a rule, an effect or a tag.
    pub kind: String,
    /// The description of the word, in one or two sentences.
    pub about: String,
    /// Further lines of the description.
    pub more: Vec<String>,
    /// An example; empty if there is none.
    pub example: String,
}

impl Doc {
    /// Makes a documentation without further lines and without an example.
    pub(super) fn new(signature: impl Into<String>, kind: &str, about: impl Into<String>) -> Doc {
        Doc { signature: signature.into(), kind: kind.to_owned(), about: about.into(), ..Doc::default() }
    }

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

/// Returns the documentation of a key of a table.
pub fn key_doc(table: &str, key: &Key) -> Doc {
    let default = match key.default {
        "" | "–" => String::new(),
        "required" => "Required.".to_owned(),
        default => format!("Default: {}.", plain(default)),
    };
    Doc {
        signature: format!("{} = {}", key.name, plain(&key.takes.to_string())),
        kind: format!("key of [{table}]"),
        about: plain(key.means),
        more: Some(default).filter(|line| !line.is_empty()).into_iter().collect(),
        example: String::new(),
    }
}

/// Returns the text without backticks.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// Returns the keys of the tables in `file` whose name begins with the word `table`, such as
/// `kind`.
pub(super) fn keys(file: &'static ManifestFile, table: &str) -> impl Iterator<Item = &'static Key> {
    let sections = file.sections.iter().filter(move |section| first_part(section) == table);
    sections.flat_map(|section| section.keys).filter(|key| key.is_name())
}

fn first_part(section: &Section) -> &'static str {
    section.name().split('.').next().unwrap_or_default()
}

/// Returns whether a text is a single name: ASCII letters, digits and `_`.
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

/// Returns the reference entries for a name. `is_member` is true if the name follows a dot.
pub(super) fn entries<'n>(name: &'n str, is_member: bool) -> impl Iterator<Item = &'static ReferenceEntry> + 'n {
    reference().iter().filter(move |entry| entry.name == name && entry.is_member == is_member)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use keys::{MOD, THEME, TILES};

    use super::*;

    #[test]
    fn keys_are_found_by_file_and_table() {
        let names = |file, table: &str| keys(file, table).map(|key| key.name).collect::<Vec<_>>().join(" ");
        assert_eq!(names(&MOD, "track"), "length dark markers");
        assert!(names(&TILES, "tile").starts_with("count start deck edges overlay about"));
        assert_eq!(names(&THEME, "piece"), "icon lying");
        let edge = keys(&MOD, "kind").find(|key| key.name == "edge").unwrap();
        let doc = key_doc("kind", edge);
        assert!(
            doc.signature.starts_with("edge = \"full\", \"line\"") && doc.about.contains("meets an edge"),
            "{doc:?}"
        );
        assert_eq!(doc.more, ["Required."]);
    }
}
