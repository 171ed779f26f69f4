//! Games as Arrow tables, which Python receives without a copy.

use std::sync::Arc;

use arrow_array::builder::{Float64Builder, Int64Builder, StringBuilder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use sim::{CellValue, ColumnKind, TableColumn};

/// A column under construction.
enum ColumnBuilder {
    Numbers(Int64Builder),
    Reals(Float64Builder),
    Texts(StringBuilder),
}

/// A table built row by row.
pub struct TableBuilder {
    schema: Arc<Schema>,
    columns: Vec<ColumnBuilder>,
}

impl TableBuilder {
    /// Makes an empty table with these columns.
    pub fn new(columns: &[TableColumn]) -> TableBuilder {
        let column = |it: &TableColumn| {
            let (kind, builder) = match it.kind {
                ColumnKind::Whole => (DataType::Int64, ColumnBuilder::Numbers(Int64Builder::new())),
                ColumnKind::Real => (DataType::Float64, ColumnBuilder::Reals(Float64Builder::new())),
                ColumnKind::Text => (DataType::Utf8, ColumnBuilder::Texts(StringBuilder::new())),
            };
            (Field::new(&it.name, kind, true), builder)
        };
        let (fields, columns): (Vec<Field>, Vec<ColumnBuilder>) = columns.iter().map(column).unzip();
        TableBuilder { schema: Arc::new(Schema::new(fields)), columns }
    }

    /// Adds a row.
    pub fn add(&mut self, row: Vec<CellValue>) {
        for (column, value) in self.columns.iter_mut().zip(row) {
            match (column, value) {
                (ColumnBuilder::Numbers(column), CellValue::Number(n)) => column.append_value(n),
                (ColumnBuilder::Numbers(column), _) => column.append_null(),
                (ColumnBuilder::Reals(column), CellValue::Real(n)) => column.append_value(n),
                (ColumnBuilder::Reals(column), _) => column.append_null(),
                (ColumnBuilder::Texts(column), CellValue::Text(text)) => column.append_value(text),
                (ColumnBuilder::Texts(column), _) => column.append_null(),
            }
        }
    }

    /// Finishes the table.
    ///
    /// # Errors
    /// Returns an error if the columns differ in length, which would be a bug.
    pub fn finish(self) -> Result<RecordBatch, ArrowError> {
        let array = |column: ColumnBuilder| -> ArrayRef {
            match column {
                ColumnBuilder::Numbers(mut it) => Arc::new(it.finish()),
                ColumnBuilder::Reals(mut it) => Arc::new(it.finish()),
                ColumnBuilder::Texts(mut it) => Arc::new(it.finish()),
            }
        };
        RecordBatch::try_new(self.schema, self.columns.into_iter().map(array).collect())
    }
}

/// Exports a table by Arrow's C stream interface, without copying.
pub fn stream<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
}
