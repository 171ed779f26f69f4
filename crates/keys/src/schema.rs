//! JSON Schemas of the files, which let text editors complete and check the files.

#![expect(clippy::indexing_slicing, reason = "assigning to a missing key of a JSON object adds the key")]

use serde_json::{Map, Value, json};

use crate::{Key, ManifestFile, Section, Takes};

impl ManifestFile {
    /// Returns the name of the schema's file, such as `mod.schema.json`.
    pub fn schema_name(&self) -> String {
        self.name.replace(".toml", ".schema.json")
    }

    /// Returns the JSON Schema (draft 7) of the file.
    pub fn schema(&self) -> Value {
        let mut root = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": self.name,
            "description": self.about,
            "type": "object",
            "additionalProperties": false,
            "properties": {},
        });
        for section in self.sections.iter().filter(|section| self.has_at_top(section)) {
            add_section(&mut root, section);
        }
        root
    }

    /// Returns whether the path of a section begins with a table at the top level of the file.
    /// Returns false for the section `zone`, because the key of a zone's table is the name of a
    /// kind.
    fn has_at_top(&self, section: &Section) -> bool {
        self.root.names().any(|name| section.name().split('.').next() == Some(name))
    }
}

/// Adds the schema of a section to `root`, at the path of the section.
fn add_section(root: &mut Value, section: &Section) {
    let own = section_schema(section);
    if let Some(list) = section.path.strip_prefix('[').and_then(|path| path.strip_suffix(']')) {
        root["properties"][list] = json!({ "type": "array", "items": own });
        return;
    }
    let mut place = root;
    let mut segments = section.path.split('.').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        // A part in angle brackets is a name that the author chooses.
        place = match segment.starts_with('<') {
            true => &mut place["additionalProperties"],
            false => &mut place["properties"][segment],
        };
        if is_last {
            *place = own.clone();
        } else if !place.is_object() {
            *place = json!({ "type": "object", "additionalProperties": false });
        }
    }
}

fn section_schema(section: &Section) -> Value {
    let mut properties = Map::new();
    let mut others = json!(false);
    for key in section.keys {
        match key.name {
            "<colour>" => others = key_schema(key),
            // A pattern for names of kinds and tags. The schema cannot know these names, so it
            // allows any further key.
            name if name.starts_with('<') => others = json!(true),
            // Skips patterns such as `icon.<word>`, because the schema of `icon` itself allows a
            // table.
            _ if !key.is_name() => {}
            name => {
                properties.insert(name.to_owned(), key_schema(key));
            }
        }
    }
    if section.has_about {
        properties.insert("about".to_owned(), json!({ "type": "string", "description": "A text for players." }));
    }
    let required: Vec<&str> = section.keys.iter().filter(|key| key.is_required()).map(|key| key.name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": others })
}

fn key_schema(key: &Key) -> Value {
    let mut value = match key.takes {
        Takes::Text(_) => json!({ "type": "string" }),
        Takes::Texts(_) => {
            json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] })
        }
        Takes::OneOf(words) => json!({ "enum": words }),
        Takes::Number(i64::MIN, i64::MAX) => json!({ "type": "integer" }),
        Takes::Number(least, i64::MAX) => json!({ "type": "integer", "minimum": least }),
        Takes::Number(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Takes::Flag => json!({ "type": "boolean" }),
        Takes::Table(section) => section_schema(section),
        Takes::Value(_) => json!({}),
        Takes::Icon => json!({ "type": "string", "pattern": r"^([a-z]+|icons/[^/]+\.svg)$" }),
        Takes::IconOrFalse => json!({ "type": ["string", "boolean", "object"] }),
        Takes::Colour => {
            json!({ "type": "string", "pattern": "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$" })
        }
        Takes::Fraction => json!({ "type": "number", "minimum": 0.05, "maximum": 1.0 }),
    };
    if key.is_conditional && !matches!(key.takes, Takes::Text(_) | Takes::Texts(_) | Takes::Table(_)) {
        value = json!({ "anyOf": [value, { "type": "string", "pattern": " if " }] });
    }
    let default = match key.default {
        "required" | "–" | "" => String::new(),
        default => format!(" Default: {default}."),
    };
    value["description"] = json!(format!("{}{default}", key.means).replace('`', ""));
    value
}
