//! The files that `bastide sim` writes.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use sim::{GameResult, Plan, RowWriter, TableFormat};

use crate::context::{CliError, write_error, write_file};

/// The file to which a simulation writes one row per game. Until the simulation ends, the rows go
/// into a temporary file in the same folder, so that stopping early does not destroy an existing
/// file.
pub struct RowFile {
    path: PathBuf,
    /// The temporary file; `None` if the rows go directly into a pipe or a device.
    partial: Option<PathBuf>,
    rows: RowWriter<BufWriter<File>>,
    failed: Option<io::Error>,
}

impl RowFile {
    pub fn create(path: &Path, format: TableFormat, plan: &Plan) -> Result<RowFile, CliError> {
        let is_file = !fs::metadata(path).is_ok_and(|there| !there.is_file());
        let partial = is_file.then(|| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            path.with_file_name(format!("{name}.partial"))
        });
        let file = File::create(partial.as_deref().unwrap_or(path)).map_err(|error| write_error(path, &error))?;
        let rows = RowWriter::new(BufWriter::new(file), format, plan).map_err(|error| write_error(path, &error))?;
        Ok(RowFile { path: path.to_owned(), partial, rows, failed: None })
    }

    /// Writes a row. Returns whether writing succeeded.
    pub fn write(&mut self, plan: &Plan, game: &GameResult) -> bool {
        self.failed = self.rows.write(plan, game).err();
        self.failed.is_none()
    }

    pub fn finish(self) -> Result<(), CliError> {
        let finished = self.failed.map_or_else(|| self.rows.finish(), Err);
        let moved = finished.and_then(|()| match &self.partial {
            Some(partial) => fs::rename(partial, fs::canonicalize(&self.path).as_ref().unwrap_or(&self.path)),
            None => Ok(()),
        });
        moved.map_err(|error| write_error(&self.path, &error))
    }
}

/// The folder for the records of games that failed.
pub struct FailureFolder {
    folder: PathBuf,
    failed: Option<CliError>,
}

impl FailureFolder {
    pub fn in_folder(folder: &Path) -> Result<FailureFolder, CliError> {
        fs::create_dir_all(folder).map_err(|error| write_error(folder, &error))?;
        Ok(FailureFolder { folder: folder.to_owned(), failed: None })
    }

    /// Writes the record of a game if the game failed. Returns whether writing succeeded.
    pub fn write_if_failed(&mut self, game: &GameResult) -> bool {
        if let (Some(fault), Some(record)) = (&game.fault, &game.record) {
            let comment: String = fault.lines().map(|line| format!("# {line}\n")).collect();
            let path = self.folder.join(format!("game-{}.game", game.number));
            self.failed = write_file(&path, format!("{comment}{record}")).err();
        }
        self.failed.is_none()
    }

    pub fn finish(self) -> Result<(), CliError> {
        self.failed.map_or(Ok(()), Err)
    }
}
