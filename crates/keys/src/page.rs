//! Tables of keys in reference pages.

use crate::{File, Section, Takes};

/// A row of a table: keys that take and mean the same.
struct Row {
    names: Vec<&'static str>,
    tables: Vec<&'static str>,
    takes: String,
    default: &'static str,
    means: &'static str,
}

impl File {
    /// Returns `page` with tables of keys in place of its lines `{keys <name>}`, where each name is
    /// that of a section.
    pub fn page(&self, page: &str) -> String {
        let mut text = String::with_capacity(2 * page.len());
        for line in page.lines() {
            match line.strip_prefix("{keys ").and_then(|rest| rest.strip_suffix('}')) {
                Some(names) => text += &self.table(&names.split(' ').collect::<Vec<_>>()),
                None => {
                    text += line;
                    text.push('\n');
                }
            }
        }
        text
    }

    /// Returns the keys of the sections called `names` as a table in Markdown. With several sections
    /// it has a column for their names.
    pub fn table(&self, names: &[&str]) -> String {
        let sections = names.iter().filter_map(|name| self.section(name));
        let mut rows: Vec<Row> = Vec::new();
        for section in sections {
            add_rows(&mut rows, section);
        }
        let with_tables = names.len() > 1;
        let mut text = match with_tables {
            true => "| key | table | takes | default | means |\n|---|---|---|---|---|\n".to_owned(),
            false => "| key | takes | default | means |\n|---|---|---|---|\n".to_owned(),
        };
        for row in rows {
            let keys: Vec<String> = row.names.iter().map(|name| format!("`{name}`")).collect();
            text += &format!("| {} |", keys.join(", "));
            if with_tables {
                text += &format!(" {} |", row.tables.join(", "));
            }
            text += &format!(" {} | {} | {} |\n", row.takes, row.default, row.means);
        }
        text
    }
}

fn add_rows(rows: &mut Vec<Row>, section: &Section) {
    let n_before = rows.len();
    for key in section.keys.iter().filter(|key| !key.means.is_empty()) {
        let takes = match key.takes {
            // The cells of a table are separated by this character.
            Takes::Text(_) | Takes::Texts(_) | Takes::Value(_) | Takes::OneOf(_) => {
                key.takes.to_string().replace('|', "\\|")
            }
            other => other.to_string(),
        };
        let is_alike = |row: &Row| row.takes == takes && row.default == key.default && row.means == key.means;
        if let Some(row) = rows.iter_mut().find(|row| is_alike(row) && row.names == [key.name]) {
            row.tables.push(section.name());
        } else if let Some(row) = rows.get_mut(n_before..).and_then(<[Row]>::last_mut).filter(|row| is_alike(row)) {
            row.names.push(key.name);
        } else {
            rows.push(Row {
                names: vec![key.name],
                tables: vec![section.name()],
                takes,
                default: key.default,
                means: key.means,
            });
        }
    }
}
