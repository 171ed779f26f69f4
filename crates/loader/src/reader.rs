//! Reads TOML files as trees of keys and values with their places. Reports problems and continues
//! after them.

use std::ops::{Range, RangeInclusive};

use toml::de::{DeTable, DeValue};

use crate::problem::{FileIdx, FileRange, Problems, Spanned};
use diagnostic::{is_hidden, join_names, never, visible};
use keys::{Section, Takes};

/// A value of a TOML file, and its place in the file.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) range: FileRange,
    pub(crate) data: NodeData,
}

/// The content of a value.
#[derive(Clone, Debug)]
pub(crate) enum NodeData {
    Text(String),
    Int(i64),
    Bool(bool),
    List(Vec<Node>),
    Table(Vec<KeyValue>),
    /// A value of a type that manifests do not use, such as a date. The text names the type.
    Other(&'static str),
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(crate) struct KeyValue {
    pub(crate) key: Spanned<String>,
    pub(crate) node: Node,
}

/// The maximum length of a key, in characters. The limit keeps messages that quote keys short; no
/// valid key is longer.
const MAX_KEY_LENGTH: usize = 100;
/// The maximum length of a text, in characters.
const MAX_TEXT_LENGTH: usize = 4000;
/// The largest number of texts in a list.
const MAX_TEXTS: usize = 1000;

/// Parses `file` and reports syntax errors. Returns the tree, and whether it is complete: `false`
/// if the file has syntax errors.
pub(crate) fn parse(problems: &mut Problems, file: FileIdx) -> (Node, bool) {
    let text = problems.source(file).text.clone();
    let (table, errors) = DeTable::parse_recoverable(&text);
    let is_whole = errors.is_empty();
    // Further errors in the same line are usually consequences of the first.
    let mut last_line = None;
    for error in errors {
        let range = file.range(error.span().unwrap_or(0..0));
        let line = Some(problems.line_of(range));
        if line != last_line {
            let noted = problems.error(range, format!("not TOML: {}", error.message()));
            if error.message().contains("duplicate key") {
                let begins = error.span().map_or(0, |span| span.start);
                let line = text.get(..begins).map_or("", |above| above.rsplit('\n').next().unwrap_or_default());
                noted.help(match line.trim_start().starts_with('[') {
                    true => "the heading stands above already: remove this one, and move its lines below the first",
                    false => "the key is already used above: rename or remove one of the two",
                });
            }
        }
        last_line = line;
    }
    let entries = entries(problems, file, table.get_ref());
    (Node { range: file.range(0..0), data: NodeData::Table(entries) }, is_whole)
}

/// Returns the entries of `table` in the order of the file. The parser sorts entries by name.
fn entries(problems: &mut Problems, file: FileIdx, table: &DeTable<'_>) -> Vec<KeyValue> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table.iter() {
        let at = Spanned { value: key.get_ref().to_string(), range: file.range(key.span()) };
        if let Some(key) = check_text(problems, at, MAX_KEY_LENGTH) {
            let node = node(problems, file, value.get_ref(), file.range(value.span()));
            entries.push(KeyValue { key, node });
        }
    }
    entries.sort_by_key(|e| e.key.range.start());
    entries
}

fn node(problems: &mut Problems, file: FileIdx, value: &DeValue<'_>, range: FileRange) -> Node {
    let data = match value {
        DeValue::String(text) => NodeData::Text(text.to_string()),
        DeValue::Integer(int) => match i64::from_str_radix(int.as_str(), int.radix()) {
            Ok(int) => NodeData::Int(int),
            Err(_) => NodeData::Other("a number that is too large"),
        },
        DeValue::Float(_) => NodeData::Other("a number with a fraction"),
        DeValue::Boolean(truth) => NodeData::Bool(*truth),
        DeValue::Datetime(_) => NodeData::Other("a date"),
        DeValue::Array(list) => {
            NodeData::List(list.iter().map(|v| node(problems, file, v.get_ref(), file.range(v.span()))).collect())
        }
        DeValue::Table(table) => NodeData::Table(entries(problems, file, table)),
    };
    Node { range, data }
}

/// Reports hidden characters in a text, and returns the text for display and records, with hidden
/// characters replaced. If the text has more than `longest` characters, reports an error and
/// returns `None`.
fn check_text(problems: &mut Problems, mut text: Spanned<String>, longest: usize) -> Option<Spanned<String>> {
    // A text has at least as many bytes as characters.
    if text.value.len() > longest && text.value.chars().count() > longest {
        problems.error(text.range, format!("this is longer than {longest} characters"));
        return None;
    }
    if let Some(hidden) = text.value.chars().find(|c| is_hidden(*c)) {
        let message = format!("this contains the character U+{:04X}, which cannot be seen", hidden as u32);
        problems.error(text.range, message).help("leave it out");
        text.value = visible(&text.value).into_owned();
    }
    Some(text)
}

/// Keys that authors try because other programs use them. Beside each key stands the key of this
/// program that the author probably means.
const KEY_SYNONYMS: [(&str, &str); 14] = [
    ("name", "title"),
    ("description", "about"),
    ("depends", "requires"),
    ("dependencies", "requires"),
    ("incompatible", "conflicts"),
    ("feature", "kind"),
    ("features", "kind"),
    ("terrain", "kind"),
    ("follower", "piece"),
    ("meeple", "piece"),
    ("option", "setting"),
    ("copies", "count"),
    ("amount", "count"),
    ("weight", "strength"),
];

/// The help for a value of the wrong type, by the expected type.
const TYPE_HELP: [(&str, &str); 6] = [
    ("a number", "write a whole number, such as `2`"),
    ("a text", "write a text in quotes, such as `\"road\"`"),
    ("a list of texts", "write `[\"one\", \"two\"]`"),
    ("a list", "write the items in brackets: `[1, 2]`"),
    ("a table", "write keys and values in braces: `{ key = \"value\" }`"),
    ("true or false", "write `true` or `false`, without quotes"),
];

impl Node {
    /// Returns the name of the value's type, in words.
    pub(crate) fn type_name(&self) -> &'static str {
        match &self.data {
            NodeData::Text(_) => "a text",
            NodeData::Int(_) => "a number",
            NodeData::Bool(_) => "true or false",
            NodeData::List(_) => "a list",
            NodeData::Table(_) => "a table",
            NodeData::Other(name) => name,
        }
    }

    /// Reports that this value does not have the type `expected`.
    pub(crate) fn report_mismatch(&self, problems: &mut Problems, expected: &str) {
        let noted = problems.error(self.range, format!("expected {expected}, found {}", self.type_name()));
        match &self.data {
            NodeData::Text(text) if expected.contains("number") && text.parse::<i64>().is_ok() => {
                noted.help(format!("write it without quotes: `{text}`"));
            }
            NodeData::Int(number) if expected.contains("text") => {
                noted.help(format!("write it in quotes: `\"{number}\"`"));
            }
            NodeData::Text(text) if expected.contains("true") && matches!(text.as_str(), "true" | "false") => {
                noted.help(format!("write it without quotes: `{text}`"));
            }
            NodeData::Text(text) if expected.contains("number") && text.starts_with("if ") => {
                noted.help(format!("write the value before the condition: `\"1 {text}\"`"));
            }
            NodeData::Other("a number with a fraction") if expected.contains("number") => {
                noted.help("numbers are whole");
            }
            _ => {
                if let Some((_, help)) = TYPE_HELP.iter().find(|(name, _)| *name == expected) {
                    noted.help(*help);
                }
            }
        }
    }

    pub(crate) fn text(&self, problems: &mut Problems) -> Option<Spanned<String>> {
        match &self.data {
            NodeData::Text(text) => {
                check_text(problems, Spanned { value: text.clone(), range: self.range }, MAX_TEXT_LENGTH)
            }
            _ => {
                self.report_mismatch(problems, "a text");
                None
            }
        }
    }

    pub(crate) fn number(&self, problems: &mut Problems, range: RangeInclusive<i64>) -> Option<Spanned<i64>> {
        match self.data {
            NodeData::Int(int) if range.contains(&int) => Some(Spanned { value: int, range: self.range }),
            NodeData::Int(int) => {
                let (least, most) = range.into_inner();
                let expected = match most {
                    i64::MAX => format!("of {least} or more"),
                    _ => format!("from {least} to {most}"),
                };
                problems.error(self.range, format!("expected a number {expected}, found {int}"));
                None
            }
            _ => {
                self.report_mismatch(problems, "a number");
                None
            }
        }
    }

    /// Returns the texts of a list; a single text counts as a list of one.
    pub(crate) fn texts(&self, problems: &mut Problems) -> Vec<Spanned<String>> {
        match &self.data {
            NodeData::List(_) => self.list(problems, MAX_TEXTS).iter().filter_map(|n| n.text(problems)).collect(),
            NodeData::Text(_) => self.text(problems).into_iter().collect(),
            _ => {
                self.report_mismatch(problems, "a list of texts");
                Vec::new()
            }
        }
    }

    /// Returns the items of a list. If there are more than `most` items, reports an error and drops
    /// the items beyond `most`.
    pub(crate) fn list(&self, problems: &mut Problems, most: usize) -> &[Node] {
        let NodeData::List(list) = &self.data else {
            self.report_mismatch(problems, "a list");
            return &[];
        };
        if list.len() > most {
            problems.error(self.range, format!("this list has {} items; at most {most} are allowed", list.len()));
        }
        list.get(..most).unwrap_or(list)
    }

    /// Returns the entries of a table; empty for other types.
    pub(crate) fn table_entries(&self) -> &[KeyValue] {
        match &self.data {
            NodeData::Table(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the entries of a table; for other types, reports an error and returns no entries.
    pub(crate) fn table(&self, problems: &mut Problems) -> &[KeyValue] {
        if !matches!(self.data, NodeData::Table(_)) {
            self.report_mismatch(problems, "a table");
        }
        self.table_entries()
    }
}

/// Returns the place in the file of the bytes `range` of a text value. If the value contains
/// escapes, returns the place of the whole value.
pub(crate) fn range_in_text(text: &Spanned<String>, range: Range<usize>) -> FileRange {
    // Without escapes, the text in the file is the value between two quotes.
    match text.range.len() == text.value.len() + 2 {
        true => text.range.subrange(range.start + 1..range.end + 1),
        false => text.range,
    }
}

/// A table that is being read: its entries, and the keys that it may have.
pub(crate) struct Fields<'a> {
    entries: &'a [KeyValue],
    range: FileRange,
    /// The name of the table in messages, such as `kind city`.
    what: String,
    section: &'static Section,
}

impl<'a> Fields<'a> {
    /// Makes the reader of the table `node`. `section` lists the keys that the table may have.
    /// Messages call the table `what` and point to `range`.
    pub(crate) fn new(
        problems: &mut Problems,
        node: &'a Node,
        section: &'static Section,
        what: impl Into<String>,
        range: FileRange,
    ) -> Fields<'a> {
        Fields { entries: node.table(problems), range, what: what.into(), section }
    }

    /// Returns the value of `key`; `None` if the table lacks the key.
    pub(crate) fn get(&self, key: &str) -> Option<&'a Node> {
        if !self.section.names().any(|known| known == key) {
            never!("`{key}` is not in the table of keys, under `{}`", self.section.path);
        }
        self.entries.iter().find(|e| e.key.value == key).map(|e| &e.node)
    }

    /// Returns the description of the values that the section allows for `key`, if the section has
    /// the key.
    fn allowed_values(&self, key: &str) -> Option<Takes> {
        self.section.key(key).map(|key| key.takes)
    }

    pub(crate) fn text(&self, problems: &mut Problems, key: &str) -> Option<Spanned<String>> {
        self.get(key)?.text(problems)
    }

    /// Returns a text for people, with each run of spaces and line ends replaced by one space.
    /// Returns an empty text if the key is missing or its value is not a text.
    pub(crate) fn single_line_text(&self, problems: &mut Problems, key: &str) -> String {
        let Some(node) = self.get(key) else { return String::new() };
        let joined = match &node.data {
            NodeData::Text(text) => NodeData::Text(text.split_whitespace().collect::<Vec<_>>().join(" ")),
            other => other.clone(),
        };
        Node { data: joined, range: node.range }.text(problems).map(|t| t.value).unwrap_or_default()
    }

    pub(crate) fn texts(&self, problems: &mut Problems, key: &str) -> Option<Vec<Spanned<String>>> {
        Some(self.get(key)?.texts(problems))
    }

    /// Returns the number at `key`. Reports an invalid value: one that is not a number, or that
    /// lies outside the range that the section gives for `key`. Returns `None` for an invalid value
    /// and for a missing key.
    pub(crate) fn number(&self, problems: &mut Problems, key: &str) -> Option<Spanned<i64>> {
        let node = self.get(key)?;
        let Some(Takes::Number(least, most)) = self.allowed_values(key) else {
            never!("`{key}` takes no number");
            return None;
        };
        node.number(problems, least..=most)
    }

    pub(crate) fn flag(&self, problems: &mut Problems, key: &str) -> Option<bool> {
        let node = self.get(key)?;
        match node.data {
            NodeData::Bool(truth) => Some(truth),
            _ => {
                node.report_mismatch(problems, "true or false");
                None
            }
        }
    }

    /// Returns the item of `choices` that the value of `key` names. The section lists the words for
    /// the choices in the same order. Reports a value that names no choice. Returns `None` for such
    /// a value and for a missing key.
    pub(crate) fn choice<T: Copy>(&self, problems: &mut Problems, key: &str, choices: &[T]) -> Option<T> {
        let text = self.text(problems, key)?;
        let words = match self.allowed_values(key) {
            Some(Takes::OneOf(words)) if words.len() == choices.len() => words,
            _ => {
                never!("`{key}` does not take {} words", choices.len());
                &[]
            }
        };
        let found = words.iter().zip(choices).find(|(word, _)| **word == text.value);
        if found.is_none() {
            let message =
                format!("`{key}` of {} must be one of {}, not `{}`", self.what, join_names(words), text.value);
            problems.error(text.range, message).suggest_nearest(&text.value, words.iter().copied());
        }
        found.map(|(_, choice)| *choice)
    }

    /// Returns the tables in the table `key` (such as `[kind.city]`), in the order of the file. If
    /// there are more than `most` tables, reports an error and drops the tables beyond `most`.
    pub(crate) fn tables(&self, problems: &mut Problems, key: &str, most: usize) -> &'a [KeyValue] {
        let tables = match self.get(key) {
            Some(Node { data: NodeData::List(_), range }) => {
                let help = format!("write one table for each, with its name in the heading: `[{key}.NAME]`");
                problems.error(*range, format!("`{key}` is a list without names")).help(help);
                &[]
            }
            node => node.map_or(&[][..], |node| node.table(problems)),
        };
        if let Some(over) = tables.get(most) {
            let message = format!("there are {} {key}s; at most {most} are allowed", tables.len());
            problems.error(over.key.range, message);
        }
        tables.get(..most).unwrap_or(tables)
    }

    /// Reports each required key that is missing. Ignores a required key with an invalid value,
    /// because reading the value reports the problem.
    pub(crate) fn report_missing_keys(&self, problems: &mut Problems) {
        for key in self.section.keys.iter().filter(|key| key.is_required()) {
            if !self.is_missing(key.name) {
                continue;
            }
            let problem = problems.error(self.range, format!("`{}` is missing in {}", key.name, self.what));
            if let Takes::OneOf(_) = key.takes {
                problem.help(format!("write one of {}", key.takes));
            }
        }
    }

    fn is_missing(&self, key: &str) -> bool {
        !self.entries.iter().any(|entry| entry.key.value == key)
    }

    /// Reports an error if `key` is missing.
    pub(crate) fn report_if_missing(&self, problems: &mut Problems, key: &str) {
        if self.is_missing(key) {
            problems.error(self.range, format!("`{key}` is missing in {}", self.what));
        }
    }

    /// Reports the keys of the table that its section does not list.
    pub(crate) fn report_unknown(&self, problems: &mut Problems) {
        let known = self.section.names();
        for entry in self.entries.iter().filter(|e| !known.clone().any(|name| name == e.key.value)) {
            let message = format!("unknown key `{}` in {}", entry.key.value, self.what);
            let unknown = problems.error(entry.key.range, message);
            let meant = KEY_SYNONYMS.iter().find(|(word, _)| *word == entry.key.value).map(|(_, meant)| *meant);
            match (
                script::help_for_key(&entry.key.value),
                meant.filter(|meant| known.clone().any(|name| name == *meant)),
            ) {
                (Some(help), _) => unknown.help(help),
                (None, Some(meant)) => unknown.help(format!("the key is called `{meant}`")),
                (None, None) => unknown.suggest(&entry.key.value, known.clone()),
            };
        }
    }
}
