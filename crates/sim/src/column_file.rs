//! Writes Parquet files in groups of rows, so that only one group is in memory.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

/// The name and type of a column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableColumn {
    /// The name of the column.
    pub name: String,
    /// The type of the values in the column.
    pub kind: ColumnKind,
}

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnKind {
    /// Integers.
    Whole,
    /// Floating-point numbers.
    Real,
    /// Texts.
    Text,
}

/// A value in a column.
#[derive(Clone, PartialEq, Debug)]
pub enum CellValue {
    /// An integer.
    Number(i64),
    /// A floating-point number.
    Real(f64),
    /// A text.
    Text(String),
    /// No value.
    Nothing,
}

/// The number of rows in the buffer at which the writer writes them to the file.
const MAX_BUFFERED_ROWS: usize = 1 << 16;

/// The total size of the texts in the buffer, in bytes, at which the writer writes the rows to the
/// file.
const MAX_BUFFERED_BYTES: usize = 16 << 20;

/// A Parquet file that is being written.
pub struct ColumnFile<W: Write + Send> {
    out: SerializedFileWriter<W>,
    kinds: Vec<ColumnKind>,
    rows: Vec<Vec<CellValue>>,
    n_bytes: usize,
}

impl<W: Write + Send> ColumnFile<W> {
    /// Starts a file with these columns.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn new(out: W, columns: &[TableColumn]) -> io::Result<ColumnFile<W>> {
        let field = |column: &TableColumn| -> Result<TypePtr, ParquetError> {
            let (physical, logical) = match column.kind {
                ColumnKind::Whole => (Physical::INT64, None),
                ColumnKind::Real => (Physical::DOUBLE, None),
                ColumnKind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            };
            let field = Type::primitive_type_builder(&column.name, physical).with_logical_type(logical);
            field.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
        };
        let fields: Result<Vec<TypePtr>, ParquetError> = columns.iter().map(field).collect();
        let schema = Type::group_type_builder("games").with_fields(fields.map_err(io::Error::other)?).build();
        let schema = Arc::new(schema.map_err(io::Error::other)?);
        let properties = Arc::new(WriterProperties::builder().build());
        Ok(ColumnFile {
            out: SerializedFileWriter::new(out, schema, properties).map_err(io::Error::other)?,
            kinds: columns.iter().map(|column| column.kind).collect(),
            rows: Vec::new(),
            n_bytes: 0,
        })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn add(&mut self, row: Vec<CellValue>) -> io::Result<()> {
        self.n_bytes +=
            row.iter().map(|value| if let CellValue::Text(text) = value { text.len() } else { 0 }).sum::<usize>();
        self.rows.push(row);
        if self.rows.len() >= MAX_BUFFERED_ROWS || self.n_bytes >= MAX_BUFFERED_BYTES {
            self.write_rows().map_err(io::Error::other)?;
        }
        Ok(())
    }

    fn write_rows(&mut self) -> Result<(), ParquetError> {
        let rows = std::mem::take(&mut self.rows);
        self.n_bytes = 0;
        let mut group = self.out.next_row_group()?;
        for (at, kind) in self.kinds.iter().enumerate() {
            let Some(mut column) = group.next_column()? else { break };
            let cells = || rows.iter().map(|row| row.get(at).unwrap_or(&CellValue::Nothing));
            let is_there: Vec<i16> = cells().map(|cell| i16::from(*cell != CellValue::Nothing)).collect();
            match kind {
                ColumnKind::Whole => {
                    let number = |cell: &CellValue| if let CellValue::Number(n) = cell { Some(*n) } else { None };
                    let numbers: Vec<i64> = cells().filter_map(number).collect();
                    column.typed::<Int64Type>().write_batch(&numbers, Some(&is_there), None)?;
                }
                ColumnKind::Real => {
                    let number = |cell: &CellValue| if let CellValue::Real(n) = cell { Some(*n) } else { None };
                    let numbers: Vec<f64> = cells().filter_map(number).collect();
                    column.typed::<DoubleType>().write_batch(&numbers, Some(&is_there), None)?;
                }
                ColumnKind::Text => {
                    let text = |cell: &CellValue| {
                        if let CellValue::Text(text) = cell { Some(text.as_str().into()) } else { None }
                    };
                    let texts: Vec<ByteArray> = cells().filter_map(text).collect();
                    column.typed::<ByteArrayType>().write_batch(&texts, Some(&is_there), None)?;
                }
            }
            column.close()?;
        }
        group.close()?;
        Ok(())
    }

    /// Writes the remaining rows and the end of the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        if !self.rows.is_empty() {
            self.write_rows().map_err(io::Error::other)?;
        }
        self.out.close().map(|_| ()).map_err(io::Error::other)
    }
}
