//! Reads TOML with positions: a tree of keys and values with their places, and a reader that
//! reports problems and continues.

use std::ops::{Range, RangeInclusive};

use toml::de::{DeTable, DeValue};

use crate::problem::{At, FileIdx, FileRange, Problems};
use diagnostic::{is_hidden, listed, visible};

/// A value and its place.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) range: FileRange,
    pub(crate) data: Data,
}

/// The content of a value.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    Text(String),
    Int(i64),
    Bool(bool),
    List(Vec<Node>),
    Table(Vec<Field>),
    /// A type that manifests do not use; the text is its name.
    Other(&'static str),
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) key: At<String>,
    pub(crate) node: Node,
}

/// The maximum length of a key, in characters. No valid key is longer, and messages quote keys.
const LONGEST_KEY: usize = 100;
/// The maximum length of a text, in characters.
const LONGEST_TEXT: usize = 4000;
/// The largest number of texts in a list.
const MOST_TEXTS: usize = 1000;

/// Parses `file` and reports syntax errors. Returns the tree, and `false` if errors made it
/// incomplete.
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
                noted.help("the key is already used above: rename or remove one of the two");
            }
        }
        last_line = line;
    }
    let entries = entries(problems, file, table.get_ref());
    (Node { range: file.range(0..0), data: Data::Table(entries) }, is_whole)
}

/// Returns the entries in the order of the file (the parser sorts them by name).
fn entries(problems: &mut Problems, file: FileIdx, table: &DeTable<'_>) -> Vec<Field> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table.iter() {
        let at = At { value: key.get_ref().to_string(), range: file.range(key.span()) };
        if let Some(key) = checked_text(problems, at, LONGEST_KEY) {
            let node = node(problems, file, value.get_ref(), file.range(value.span()));
            entries.push(Field { key, node });
        }
    }
    entries.sort_by_key(|e| e.key.range.start());
    entries
}

fn node(problems: &mut Problems, file: FileIdx, value: &DeValue<'_>, range: FileRange) -> Node {
    let data = match value {
        DeValue::String(text) => Data::Text(text.to_string()),
        DeValue::Integer(int) => match i64::from_str_radix(int.as_str(), int.radix()) {
            Ok(int) => Data::Int(int),
            Err(_) => Data::Other("a number that is too large"),
        },
        DeValue::Float(_) => Data::Other("a number with a fraction"),
        DeValue::Boolean(truth) => Data::Bool(*truth),
        DeValue::Datetime(_) => Data::Other("a date"),
        DeValue::Array(list) => {
            Data::List(list.iter().map(|v| node(problems, file, v.get_ref(), file.range(v.span()))).collect())
        }
        DeValue::Table(table) => Data::Table(entries(problems, file, table)),
    };
    Node { range, data }
}

/// Returns the text without hidden characters, fit for display and for records, and reports hidden
/// characters. If the text is too long, reports that and returns `None`.
fn checked_text(problems: &mut Problems, mut text: At<String>, longest: usize) -> Option<At<String>> {
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

/// The help for a value of the wrong type, by the expected type.
const WRITTEN: [(&str, &str); 6] = [
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
            Data::Text(_) => "a text",
            Data::Int(_) => "a number",
            Data::Bool(_) => "true or false",
            Data::List(_) => "a list",
            Data::Table(_) => "a table",
            Data::Other(name) => name,
        }
    }

    /// Reports that a value of another type was expected.
    pub(crate) fn mismatch(&self, problems: &mut Problems, expected: &str) {
        let noted = problems.error(self.range, format!("expected {expected}, found {}", self.type_name()));
        match &self.data {
            Data::Text(text) if expected.contains("number") && text.parse::<i64>().is_ok() => {
                noted.help(format!("write it without quotes: `{text}`"));
            }
            Data::Int(number) if expected.contains("text") => {
                noted.help(format!("write it in quotes: `\"{number}\"`"));
            }
            Data::Text(text) if expected.contains("true") && matches!(text.as_str(), "true" | "false") => {
                noted.help(format!("write it without quotes: `{text}`"));
            }
            Data::Other("a number with a fraction") if expected.contains("number") => {
                noted.help("numbers are whole");
            }
            _ => {
                if let Some((_, help)) = WRITTEN.iter().find(|(name, _)| *name == expected) {
                    noted.help(*help);
                }
            }
        }
    }

    pub(crate) fn text(&self, problems: &mut Problems) -> Option<At<String>> {
        match &self.data {
            Data::Text(text) => checked_text(problems, At { value: text.clone(), range: self.range }, LONGEST_TEXT),
            _ => {
                self.mismatch(problems, "a text");
                None
            }
        }
    }

    pub(crate) fn number(&self, problems: &mut Problems, range: RangeInclusive<i64>) -> Option<At<i64>> {
        match self.data {
            Data::Int(int) if range.contains(&int) => Some(At { value: int, range: self.range }),
            Data::Int(int) => {
                let (least, most) = range.into_inner();
                let expected = match most {
                    i64::MAX => format!("of {least} or more"),
                    _ => format!("from {least} to {most}"),
                };
                problems.error(self.range, format!("expected a number {expected}, found {int}"));
                None
            }
            _ => {
                self.mismatch(problems, "a number");
                None
            }
        }
    }

    /// Returns the texts of a list; a single text counts as a list of one.
    pub(crate) fn texts(&self, problems: &mut Problems) -> Vec<At<String>> {
        match &self.data {
            Data::List(_) => self.list(problems, MOST_TEXTS).iter().filter_map(|n| n.text(problems)).collect(),
            Data::Text(_) => self.text(problems).into_iter().collect(),
            _ => {
                self.mismatch(problems, "a list of texts");
                Vec::new()
            }
        }
    }

    /// Returns the items of a list. If there are more than `most`, reports and drops the rest.
    pub(crate) fn list(&self, problems: &mut Problems, most: usize) -> &[Node] {
        let Data::List(list) = &self.data else {
            self.mismatch(problems, "a list");
            return &[];
        };
        if list.len() > most {
            problems.error(self.range, format!("this list has {} items; at most {most} are possible", list.len()));
        }
        list.get(..most).unwrap_or(list)
    }

    /// Returns the entries of a table; empty for other types.
    pub(crate) fn table_entries(&self) -> &[Field] {
        match &self.data {
            Data::Table(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the entries of a table, and reports other types.
    pub(crate) fn table(&self, problems: &mut Problems) -> &[Field] {
        match &self.data {
            Data::Table(entries) => entries,
            _ => {
                self.mismatch(problems, "a table");
                &[]
            }
        }
    }
}

/// Returns the range in the file of a part of a text value. `range` gives the part in bytes of the
/// value. Returns the range of the whole value if the value contains escapes.
pub(crate) fn within(text: &At<String>, range: Range<usize>) -> FileRange {
    // An escape is longer in the file than the character it stands for.
    match text.range.len() == text.value.len() + 2 {
        true => text.range.within(range.start + 1..range.end + 1),
        false => text.range,
    }
}

/// The keys of a table. Readers request them one by one; a key that no reader requests is unknown.
pub(crate) struct Fields<'a> {
    entries: &'a [Field],
    range: FileRange,
    /// The name of the table in messages, such as `kind city`.
    what: String,
    asked: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// Makes the reader of the table `node`. Messages call the table `what` and point to `range`.
    pub(crate) fn new(
        problems: &mut Problems,
        node: &'a Node,
        what: impl Into<String>,
        range: FileRange,
    ) -> Fields<'a> {
        Fields { entries: node.table(problems), range, what: what.into(), asked: Vec::new() }
    }

    /// Returns the value of `key`.
    pub(crate) fn get(&mut self, key: &'static str) -> Option<&'a Node> {
        self.asked.push(key);
        self.entries.iter().find(|e| e.key.value == key).map(|e| &e.node)
    }

    pub(crate) fn text(&mut self, problems: &mut Problems, key: &'static str) -> Option<At<String>> {
        self.get(key)?.text(problems)
    }

    /// Returns a text for people, with each line end replaced by a space; empty if the key is
    /// missing.
    pub(crate) fn words(&mut self, problems: &mut Problems, key: &'static str) -> String {
        let Some(node) = self.get(key) else { return String::new() };
        let joined = match &node.data {
            Data::Text(text) => Data::Text(text.split_whitespace().collect::<Vec<_>>().join(" ")),
            other => other.clone(),
        };
        Node { data: joined, range: node.range }.text(problems).map(|t| t.value).unwrap_or_default()
    }

    pub(crate) fn texts(&mut self, problems: &mut Problems, key: &'static str) -> Option<Vec<At<String>>> {
        Some(self.get(key)?.texts(problems))
    }

    pub(crate) fn number(
        &mut self,
        problems: &mut Problems,
        key: &'static str,
        range: RangeInclusive<i64>,
    ) -> Option<At<i64>> {
        self.get(key)?.number(problems, range)
    }

    pub(crate) fn flag(&mut self, problems: &mut Problems, key: &'static str) -> Option<bool> {
        let node = self.get(key)?;
        match node.data {
            Data::Bool(truth) => Some(truth),
            _ => {
                node.mismatch(problems, "true or false");
                None
            }
        }
    }

    /// Returns the choice that the value of `key` names. Reports a value that names no choice.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        problems: &mut Problems,
        key: &'static str,
        choices: &[(&str, T)],
    ) -> Option<T> {
        let text = self.text(problems, key)?;
        let found = choices.iter().find(|(name, _)| *name == text.value);
        if found.is_none() {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            let message = format!("`{key}` of {} must be one of {}, not `{}`", self.what, listed(&names), text.value);
            problems.error(text.range, message).near(&text.value, names);
        }
        found.map(|(_, value)| *value)
    }

    /// Returns the tables in the table `key` (such as `[kind.city]`), in the order of the file. If
    /// there are more than `most`, reports and drops the rest.
    pub(crate) fn tables(&mut self, problems: &mut Problems, key: &'static str, most: usize) -> &'a [Field] {
        let tables = self.get(key).map_or(&[][..], |node| node.table(problems));
        if let Some(over) = tables.get(most) {
            let message = format!("there are {} {key}s; at most {most} are possible", tables.len());
            problems.error(over.key.range, message);
        }
        tables.get(..most).unwrap_or(tables)
    }

    /// Reports an error if `key` is missing. Reports nothing if it is present but invalid, because
    /// that was reported before.
    pub(crate) fn need(&self, problems: &mut Problems, key: &'static str) {
        if !self.entries.iter().any(|e| e.key.value == key) {
            problems.error(self.range, format!("`{key}` is missing in {}", self.what));
        }
    }

    /// Reports the keys that were never requested.
    pub(crate) fn finish(self, problems: &mut Problems) {
        for entry in self.entries.iter().filter(|e| !self.asked.contains(&e.key.value.as_str())) {
            let message = format!("unknown key `{}` in {}", entry.key.value, self.what);
            let unknown = problems.error(entry.key.range, message);
            match script::help_for_key(&entry.key.value) {
                Some(help) => unknown.help(help),
                None => unknown.suggest(&entry.key.value, self.asked.iter().copied()),
            };
        }
    }
}
