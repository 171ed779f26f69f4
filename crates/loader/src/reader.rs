//! Reading TOML with positions: a tree in which every key and value knows its place, and a reader that notes what is wrong and goes on.

use std::ops::{Range, RangeInclusive};

use toml::de::{DeTable, DeValue};

use crate::problem::{At, FileIdx, FileRange, Problems};
use diagnostic::listed;

/// A value with its place.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) range: FileRange,
    pub(crate) data: Data,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    Text(String),
    Int(i64),
    Bool(bool),
    List(Vec<Node>),
    Table(Vec<Field>),
    /// What no manifest uses, in words.
    Other(&'static str),
}

/// A key with its value.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) key: At<String>,
    pub(crate) node: Node,
}

/// Parses `file`; mistakes of grammar are noted, and then the tree is not complete (`false`).
pub(crate) fn parse(problems: &mut Problems, file: FileIdx) -> (Node, bool) {
    let text = problems.source(file).text.clone();
    let (table, errors) = DeTable::parse_recoverable(&text);
    let is_whole = errors.is_empty();
    // What follows the first mistake in a line is mostly its echo.
    let mut last_line = usize::MAX;
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        let line = text.get(..span.start).map_or(0, |t| t.matches('\n').count());
        if line != last_line {
            problems.error(file.range(span), format!("not TOML: {}", error.message()));
        }
        last_line = line;
    }
    let entries = entries(file, table.get_ref());
    (Node { range: file.range(0..0), data: Data::Table(entries) }, is_whole)
}

/// Returns the entries in the order of the file (the parser has them by name).
fn entries(file: FileIdx, table: &DeTable<'_>) -> Vec<Field> {
    let mut entries: Vec<Field> = table
        .iter()
        .map(|(key, value)| Field {
            key: At { value: key.get_ref().to_string(), range: file.range(key.span()) },
            node: node(file, value.get_ref(), file.range(value.span())),
        })
        .collect();
    entries.sort_by_key(|e| e.key.range.start());
    entries
}

fn node(file: FileIdx, value: &DeValue<'_>, range: FileRange) -> Node {
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
            Data::List(list.iter().map(|v| node(file, v.get_ref(), file.range(v.span()))).collect())
        }
        DeValue::Table(table) => Data::Table(entries(file, table)),
    };
    Node { range, data }
}

impl Node {
    /// Returns the name of its type, in words.
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

    /// Notes that something else was expected here.
    pub(crate) fn mismatch(&self, problems: &mut Problems, expected: &str) {
        problems.error(self.range, format!("expected {expected}, found {}", self.type_name()));
    }

    pub(crate) fn text(&self, problems: &mut Problems) -> Option<At<String>> {
        match &self.data {
            Data::Text(text) => Some(At { value: text.clone(), range: self.range }),
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
                    i64::MAX => format!("{least} or more"),
                    _ => format!("{least} to {most}"),
                };
                problems.error(self.range, format!("expected a number of {expected}, found {int}"));
                None
            }
            _ => {
                self.mismatch(problems, "a number");
                None
            }
        }
    }

    /// Returns the texts of a list; a text alone is a list of one.
    pub(crate) fn texts(&self, problems: &mut Problems) -> Vec<At<String>> {
        match &self.data {
            Data::List(list) => list.iter().filter_map(|n| n.text(problems)).collect(),
            Data::Text(text) => vec![At { value: text.clone(), range: self.range }],
            _ => {
                self.mismatch(problems, "a list of texts");
                Vec::new()
            }
        }
    }

    /// Returns the entries of a table; none where it is something else.
    pub(crate) fn table_entries(&self) -> &[Field] {
        match &self.data {
            Data::Table(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the entries of what should be a table.
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

/// Returns a text value inside its quotes: `range` counts bytes of the value. Where escapes shift them it is the whole value.
pub(crate) fn within(problems: &Problems, text: &At<String>, range: Range<usize>) -> FileRange {
    let written = problems.written(text.range).get(1..text.value.len() + 1);
    match written {
        Some(written) if written == text.value => text.range.within(range.start + 1..range.end + 1),
        _ => text.range,
    }
}

/// The keys of a table, asked for one by one; what nobody asked for is unknown.
pub(crate) struct Fields<'a> {
    entries: &'a [Field],
    range: FileRange,
    /// What the table is, for messages: `kind city`.
    what: String,
    asked: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// Returns the keys of `node`, which is called `what` and stands at `place`.
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

    /// Returns a text that may be left out.
    pub(crate) fn words(&mut self, problems: &mut Problems, key: &'static str) -> String {
        self.text(problems, key).map(|t| t.value).unwrap_or_default()
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

    /// Returns one of a few words.
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
            let message = format!("`{key}` of {} is one of {}, not `{}`", self.what, listed(&names), text.value);
            let problem = problems.error(text.range, message);
            if let Some(near) = diagnostic::nearest(&text.value, names) {
                problem.help(format!("did you mean `{near}`?"));
            }
        }
        found.map(|(_, value)| *value)
    }

    /// Returns the tables in the table `key` (`[kind.city]`), in the order of the file.
    pub(crate) fn tables(&mut self, problems: &mut Problems, key: &'static str) -> &'a [Field] {
        self.get(key).map_or(&[], |node| node.table(problems))
    }

    /// Notes that `key` is missing, unless it is there (and then wrong, which is noted already).
    pub(crate) fn need(&self, problems: &mut Problems, key: &'static str) {
        if !self.entries.iter().any(|e| e.key.value == key) {
            problems.error(self.range, format!("`{key}` is missing in {}", self.what));
        }
    }

    /// Notes the keys that nobody asked for.
    pub(crate) fn finish(self, problems: &mut Problems) {
        for entry in self.entries.iter().filter(|e| !self.asked.contains(&e.key.value.as_str())) {
            let message = format!("unknown key `{}` in {}", entry.key.value, self.what);
            problems.error(entry.key.range, message).suggest(&entry.key.value, self.asked.iter().copied());
        }
    }
}
