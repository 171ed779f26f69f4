//! Writes tables as files that other programs read. In CSV and Parquet, numbers with intervals use
//! three columns.

use std::io;

use crate::column_file::{CellValue, ColumnFile, ColumnKind, TableColumn};
use crate::json::section_json;
use crate::report_table::{ReportCell, ReportSection};
use crate::rows::{TableFormat, csv_cell, quoted};

/// Returns a table as the bytes of a file. Writes percentages as fractions, such as 0.5 for 50%.
/// In CSV and Parquet, the bounds of intervals are in columns that end in `_low` and `_high`.
///
/// # Errors
/// Returns an error if the Parquet writer fails.
pub fn table_file(section: &ReportSection, format: TableFormat) -> io::Result<Vec<u8>> {
    let columns: Vec<ColumnShape> =
        (0..section.columns.len().saturating_sub(1)).map(|at| ColumnShape::of(section, at)).collect();
    let names = columns_of(section, &columns);
    let rows = section.rows.iter().map(|row| {
        let cells = columns.iter().enumerate().flat_map(|(at, shape)| shape.values(row.cells.get(at)));
        [CellValue::Text(row.name.clone())].into_iter().chain(cells).collect::<Vec<CellValue>>()
    });
    match format {
        TableFormat::Csv => {
            let head: Vec<String> = names.iter().map(|column| quoted(&column.name)).collect();
            let lines = rows.map(|row| row.iter().map(csv_cell).collect::<Vec<_>>().join(","));
            let lines: Vec<String> = [head.join(",")].into_iter().chain(lines).collect();
            Ok((lines.join("\n") + "\n").into_bytes())
        }
        TableFormat::JsonLines => {
            let value = section_json(section);
            let rows = value.get("rows").and_then(serde_json::Value::as_array).into_iter().flatten();
            Ok(rows.flat_map(|row| format!("{row}\n").into_bytes()).collect())
        }
        TableFormat::Parquet => {
            let mut bytes = Vec::new();
            let mut file = ColumnFile::new(&mut bytes, &names)?;
            for row in rows {
                file.add(row)?;
            }
            file.finish()?;
            Ok(bytes)
        }
    }
}

/// The content of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnShape {
    Texts,
    Numbers,
    /// Numbers, of which some have intervals.
    Intervals,
}

impl ColumnShape {
    fn of(section: &ReportSection, column: usize) -> ColumnShape {
        let cells = || section.rows.iter().filter_map(|row| row.cells.get(column));
        if cells().any(|cell| matches!(cell, ReportCell::Number { interval: Some(_), .. })) {
            return ColumnShape::Intervals;
        }
        let is_number = cells().any(|cell| matches!(cell, ReportCell::Number { .. }));
        if is_number { ColumnShape::Numbers } else { ColumnShape::Texts }
    }

    fn values(self, cell: Option<&ReportCell>) -> Vec<CellValue> {
        let (value, interval) = match cell {
            Some(ReportCell::Number { value, interval, .. }) => (CellValue::Real(*value), *interval),
            Some(ReportCell::Text(text)) if self == ColumnShape::Texts => (CellValue::Text(text.clone()), None),
            _ => (CellValue::Nothing, None),
        };
        let end = |end: Option<f64>| end.map_or(CellValue::Nothing, CellValue::Real);
        match self {
            ColumnShape::Intervals => vec![value, end(interval.map(|it| it.low)), end(interval.map(|it| it.high))],
            _ => vec![value],
        }
    }
}

fn columns_of(section: &ReportSection, shapes: &[ColumnShape]) -> Vec<TableColumn> {
    let named = |name: &str| if name.is_empty() { "verdict".to_owned() } else { name.replace(' ', "_") };
    let mut names = section.columns.iter().map(|name| named(name));
    let first = names.next().map(|name| TableColumn { name, kind: ColumnKind::Text });
    let others = names.zip(shapes).flat_map(|(name, shape)| {
        let real = |name: String| TableColumn { name, kind: ColumnKind::Real };
        match shape {
            ColumnShape::Texts => vec![TableColumn { name, kind: ColumnKind::Text }],
            ColumnShape::Numbers => vec![real(name)],
            ColumnShape::Intervals => {
                vec![real(name.clone()), real(format!("{name}_low")), real(format!("{name}_high"))]
            }
        }
    });
    first.into_iter().chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::Interval;
    use crate::report_table::ReportRow;

    #[test]
    fn intervals_become_columns() {
        let number = |value: f64, interval: Option<Interval>| ReportCell::Number {
            value,
            interval,
            decimals: 1,
            is_share: false,
        };
        let row = |name: &str, cells: Vec<ReportCell>| ReportRow {
            name: name.to_owned(),
            cells,
            example: None,
            is_noise: false,
        };
        let section = ReportSection {
            title: "T".to_owned(),
            about: String::new(),
            columns: ["in a game", "mean", "n", ""].map(str::to_owned).to_vec(),
            rows: vec![
                row(
                    "a, b",
                    vec![
                        number(1.5, Some(Interval { low: 1.0, high: 2.0 })),
                        number(3.0, None),
                        ReportCell::Text("ok".into()),
                    ],
                ),
                row("c", vec![ReportCell::Text(String::new()), number(4.0, None), ReportCell::Text(String::new())]),
            ],
        };
        let csv = String::from_utf8(table_file(&section, TableFormat::Csv).unwrap()).unwrap();
        assert_eq!(csv, "in_a_game,mean,mean_low,mean_high,n,verdict\n\"a, b\",1.5,1,2,3,ok\nc,,,,4,\n");
        assert!(table_file(&section, TableFormat::Parquet).unwrap().starts_with(b"PAR1"));
        assert_eq!(
            table_file(&section, TableFormat::JsonLines).unwrap().iter().filter(|byte| **byte == b'\n').count(),
            2
        );
    }
}
