//! Values of manifests, without comments and formatting. Two TOML texts with the same meaning have
//! equal values.

use toml_edit::{Array, InlineTable, Item, Value};

/// A value of a manifest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ManifestValue {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<ManifestValue>),
    /// A table, with its keys in the order of the file.
    Table(Entries),
    /// A value of a type that manifests do not use, as TOML text.
    Other(String),
}

/// The keys and values of a table.
pub type Entries = Vec<(String, ManifestValue)>;

impl ManifestValue {
    /// Makes a text.
    pub fn text(text: impl Into<String>) -> ManifestValue {
        ManifestValue::Text(text.into())
    }

    /// Returns the text; `None` if the value is not a text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            ManifestValue::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn from_value(value: &Value) -> ManifestValue {
        match value {
            Value::Boolean(it) => ManifestValue::Bool(*it.value()),
            Value::Integer(it) => ManifestValue::Int(*it.value()),
            Value::String(it) => ManifestValue::Text(it.value().clone()),
            Value::Array(list) => ManifestValue::List(list.iter().map(ManifestValue::from_value).collect()),
            Value::InlineTable(table) => ManifestValue::Table(
                table.iter().map(|(key, value)| (key.to_owned(), ManifestValue::from_value(value))).collect(),
            ),
            other => ManifestValue::Other(other.clone().decorated("", "").to_string()),
        }
    }

    pub(crate) fn of_item(item: &Item) -> Option<ManifestValue> {
        match item {
            Item::None => None,
            Item::Value(value) => Some(ManifestValue::from_value(value)),
            Item::Table(table) => {
                let entry = |(key, item): (&str, &Item)| Some((key.to_owned(), ManifestValue::of_item(item)?));
                Some(ManifestValue::Table(table.iter().filter_map(entry).collect()))
            }
            Item::ArrayOfTables(list) => {
                let table = |table: &toml_edit::Table| ManifestValue::of_item(&Item::Table(table.clone()));
                Some(ManifestValue::List(list.iter().filter_map(table).collect()))
            }
        }
    }

    pub(crate) fn to_value(&self) -> Value {
        match self {
            ManifestValue::Bool(it) => (*it).into(),
            ManifestValue::Int(it) => (*it).into(),
            ManifestValue::Text(it) => it.as_str().into(),
            ManifestValue::List(list) => Value::Array(list.iter().map(ManifestValue::to_value).collect::<Array>()),
            ManifestValue::Table(entries) => {
                let entries = entries.iter().map(|(key, value)| (key.as_str(), value.to_value()));
                Value::InlineTable(entries.collect::<InlineTable>())
            }
            ManifestValue::Other(text) => text.parse().unwrap_or_else(|_| text.as_str().into()),
        }
    }

    /// Changes `value` so that it equals `self`. Preserves the comments, spaces and order of
    /// unchanged parts.
    pub(crate) fn put_into(&self, value: &mut Value) {
        if ManifestValue::from_value(value) == *self {
            return;
        }
        match (value, self) {
            (Value::Array(list), ManifestValue::List(wanted)) => put_into_list(list, wanted),
            (Value::InlineTable(table), ManifestValue::Table(wanted)) => {
                let known = |key: &str| wanted.iter().any(|(it, _)| it == key);
                let n_before = table.len();
                table.retain(|key, _| known(key));
                let mut has_changed = table.len() != n_before;
                for (key, plain) in wanted {
                    match table.get_mut(key) {
                        Some(value) => plain.put_into(value),
                        None => {
                            table.insert(key.as_str(), plain.to_value());
                            has_changed = true;
                        }
                    }
                }
                if has_changed {
                    table.fmt();
                }
            }
            (value, _) => {
                let decor = value.decor().clone();
                *value = self.to_value();
                *value.decor_mut() = decor;
            }
        }
    }
}

fn put_into_list(list: &mut Array, wanted: &[ManifestValue]) {
    let n_before = list.len();
    for (plain, value) in wanted.iter().zip(list.iter_mut()) {
        plain.put_into(value);
    }
    while list.len() > wanted.len() {
        list.remove(list.len() - 1);
    }
    let last_decor = list.iter().last().map(|value| value.decor().clone());
    let begins_lines =
        |decor: &toml_edit::Decor| decor.prefix().and_then(|it| it.as_str()).is_some_and(|it| it.contains('\n'));
    let last_decor = last_decor.filter(begins_lines);
    for plain in wanted.iter().skip(n_before) {
        let mut value = plain.to_value();
        if let Some(decor) = &last_decor {
            *value.decor_mut() = decor.clone();
        }
        list.push_formatted(value);
    }
    if last_decor.is_none() && n_before != wanted.len() {
        list.fmt();
    }
}
