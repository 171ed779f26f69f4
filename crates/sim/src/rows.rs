//! Writes games as rows of a file, for analysis in other programs.

use std::io::{self, Write};
use std::path::Path;

use serde_json::json;

use crate::column_file::{CellValue, ColumnFile, ColumnKind, TableColumn};
use crate::measure::Measure;
use crate::plan::Plan;
use crate::result::{GameDetail, GameResult};

/// The file format of rows and tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableFormat {
    /// Comma-separated values with a header line.
    Csv,
    /// A JSON object on each line.
    JsonLines,
    /// Apache Parquet, a binary format with typed columns.
    Parquet,
}

impl TableFormat {
    /// Returns the format for the extension of a file name; `None` if no format has this extension.
    pub fn of_file(path: &Path) -> Option<TableFormat> {
        match path.extension()?.to_str()? {
            "csv" => Some(TableFormat::Csv),
            "jsonl" => Some(TableFormat::JsonLines),
            "parquet" => Some(TableFormat::Parquet),
            _ => None,
        }
    }
}

/// A writer of games to a file, one row per game.
pub enum RowWriter<W: Write + Send> {
    /// A text file. Each row is written immediately.
    Lines(W, TableFormat),
    /// A Parquet file. Many rows are written at a time.
    Columns(Box<ColumnFile<W>>),
}

impl<W: Write + Send> RowWriter<W> {
    /// Starts a file for the games of `plan`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn new(mut out: W, format: TableFormat, plan: &Plan) -> io::Result<RowWriter<W>> {
        if format == TableFormat::Parquet {
            return Ok(RowWriter::Columns(Box::new(ColumnFile::new(out, &columns(plan))?)));
        }
        if format == TableFormat::Csv {
            let names: Vec<String> = columns(plan).iter().map(|column| quoted(&column.name)).collect();
            writeln!(out, "{}", names.join(","))?;
        }
        Ok(RowWriter::Lines(out, format))
    }

    /// Writes the row of a game.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(&mut self, plan: &Plan, game: &GameResult) -> io::Result<()> {
        match self {
            RowWriter::Lines(out, format) => out.write_all(row(*format, plan, game).as_bytes()),
            RowWriter::Columns(file) => file.add(values(plan, game)),
        }
    }

    /// Finishes the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn finish(self) -> io::Result<()> {
        match self {
            RowWriter::Lines(mut out, _) => out.flush(),
            RowWriter::Columns(file) => file.finish(),
        }
    }
}

/// The columns with the details of a game.
const DETAIL_COLUMNS: [&str; 10] = [
    "options",
    "obvious",
    "lead_changes",
    "discards",
    "holes",
    "stuck",
    "decided_at",
    "comeback",
    "uncertain",
    "taken",
];

/// Returns the values of [`DETAIL_COLUMNS`] for a game with details.
fn detail_values(game: &GameResult, it: &GameDetail) -> [i64; 10] {
    let [obvious, lead_changes, discards, holes, stuck, decided_at] =
        [it.n_obvious, it.n_lead_changes, it.n_discards, it.n_holes, it.n_stuck, it.decided_at].map(i64::from);
    let uncertain = Measure::Uncertain.value_in(game);
    [it.n_options as i64, obvious, lead_changes, discards, holes, stuck, decided_at, it.comeback, uncertain, it.taken]
}

/// Returns the columns for the games of `plan`. The README of this crate explains each column.
pub fn columns(plan: &Plan) -> Vec<TableColumn> {
    let number = |name: &str| TableColumn { name: name.to_owned(), kind: ColumnKind::Whole };
    let text = |name: &str| TableColumn { name: name.to_owned(), kind: ColumnKind::Text };
    let seats = &plan.setup.players;
    let mut columns = vec![number("game"), number("seed")];
    columns.extend(seats.iter().map(|name| number(name)));
    columns.extend(seats.iter().map(|name| text(&format!("{name}_player"))));
    columns.extend([text("winner"), number("turns"), number("decisions"), number("choices")]);
    columns.extend(DETAIL_COLUMNS.map(number));
    columns.push(text("fault"));
    columns.extend(plan.with_records.then(|| text("record")));
    columns
}

/// Returns the values of a game, in the order of [`columns`].
pub fn values(plan: &Plan, game: &GameResult) -> Vec<CellValue> {
    let text = |text: &Option<String>| text.clone().map_or(CellValue::Nothing, CellValue::Text);
    let mut values = vec![CellValue::Number(game.number as i64), CellValue::Number(game.seed as i64)];
    values.extend(game.scores.iter().map(|score| CellValue::Number(*score)));
    let n = plan.players.len();
    let player = |seat: usize| plan.players.get((seat + usize::from(game.rotated_by)) % n.max(1));
    values.extend((0..n).map(|seat| player(seat).map_or(CellValue::Nothing, |p| CellValue::Text(p.name.to_string()))));
    values.push(CellValue::Text(winners(plan, game).join(" ")));
    values.extend([game.n_turns, game.n_answers, game.n_choices].map(|n| CellValue::Number(i64::from(n))));
    match game.detail {
        Some(it) => values.extend(detail_values(game, &it).map(CellValue::Number)),
        None => values.extend(vec![CellValue::Nothing; DETAIL_COLUMNS.len()]),
    }
    values.push(text(&game.fault));
    if plan.with_records {
        values.push(text(&game.record));
    }
    values
}

fn winners<'p>(plan: &'p Plan, game: &GameResult) -> Vec<&'p str> {
    game.winners().filter_map(|seat| plan.setup.players.get(seat)).map(String::as_str).collect()
}

/// Returns the line of one game with its line feed. In CSV, spaces separate several winners.
fn row(format: TableFormat, plan: &Plan, game: &GameResult) -> String {
    match format {
        TableFormat::JsonLines | TableFormat::Parquet => json_row(plan, game).to_string() + "\n",
        TableFormat::Csv => {
            let cells: Vec<String> = values(plan, game).iter().map(csv_cell).collect();
            cells.join(",") + "\n"
        }
    }
}

fn json_row(plan: &Plan, game: &GameResult) -> serde_json::Value {
    let n = plan.players.len().max(1);
    let players =
        (0..plan.players.len()).filter_map(|seat| plan.players.get((seat + usize::from(game.rotated_by)) % n));
    let mut line = json!({
        "game": game.number,
        "seed": game.seed,
        "scores": game.scores,
        "players": players.map(|p| &*p.name).collect::<Vec<_>>(),
        "winners": winners(plan, game),
        "turns": game.n_turns,
        "decisions": game.n_answers,
        "choices": game.n_choices,
    });
    if let Some(it) = game.detail {
        for (name, value) in DETAIL_COLUMNS.into_iter().zip(detail_values(game, &it)) {
            line[name] = json!(value);
        }
    }
    if let Some(fault) = &game.fault {
        line["fault"] = json!(fault);
    }
    if let Some(record) = game.record.as_ref().filter(|_| plan.with_records) {
        line["record"] = json!(record);
    }
    line
}

/// Returns the CSV text of a value.
pub(crate) fn csv_cell(value: &CellValue) -> String {
    match value {
        CellValue::Number(n) => n.to_string(),
        CellValue::Real(n) => n.to_string(),
        CellValue::Text(text) => quoted(text),
        CellValue::Nothing => String::new(),
    }
}

/// Returns a text as it appears in CSV, quoted if necessary.
pub(crate) fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_needed() {
        assert_eq!(quoted("red blue"), "red blue");
        assert_eq!(quoted("a \"b\", c"), "\"a \"\"b\"\", c\"");
    }
}
