//! Tables of keys in reference pages.

use crate::{ManifestFile, Section};

/// The beginning of the line above each table of keys in a reference page. The rest of the line
/// names the sections whose keys the table lists.
const TABLE_LINE_PREFIX: &str = "<!-- keys: ";

/// Returns a reference page without the lines that begin with `<!-- keys: `, which precede its
/// tables.
pub fn without_marks(page: &str) -> String {
    page.split_inclusive('\n').filter(|line| !line.starts_with(TABLE_LINE_PREFIX)).collect()
}

/// A row of a table: keys with the same values, default and meaning.
struct Row {
    names: Vec<&'static str>,
    tables: Vec<&'static str>,
    takes: String,
    default: &'static str,
    means: &'static str,
}

impl ManifestFile {
    /// Returns the reference page `page` with each table of keys regenerated. The line above a
    /// table, such as `<!-- keys: token pile -->`, names the sections whose keys the table lists.
    #[cfg(test)]
    pub(crate) fn with_tables(&self, page: &str) -> String {
        let mut text = String::with_capacity(page.len());
        let mut lines = page.lines().peekable();
        while let Some(line) = lines.next() {
            text += line;
            text.push('\n');
            if let Some(names) = line.strip_prefix(TABLE_LINE_PREFIX).and_then(|rest| rest.strip_suffix(" -->")) {
                text += &self.table(&names.split(' ').collect::<Vec<_>>());
                while lines.next_if(|line| line.starts_with('|')).is_some() {}
            }
        }
        text
    }

    /// Returns the keys of the sections called `names` as a table in Markdown. A table of several
    /// sections has a column with their names.
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
        // A `|` would end the cell of the table.
        let takes = key.takes.to_string().replace('|', "\\|");
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
