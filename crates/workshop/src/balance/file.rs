//! Exports the results of a balance run as a file.

use std::io;
use std::path::{Path, PathBuf};

use sim::{
    DEFAULT_LEVEL, GameResult, Plan, ReportSection, RowWriter, TableFormat, ablation_tables, compared_page,
    comparison_table, ladder_table, page, swept_page, swept_rows, table_file,
};

use super::{BalancePlan, BalanceSnapshot, GoalsFound};

/// The file formats for results: the extension and the description of each format.
pub const FORMATS: [(&str, &str); 4] = [
    ("html", "A web page with pictures, to share"),
    ("csv", "Text for spreadsheets: a row for each game, or the table of a comparison"),
    ("parquet", "The same rows in the Parquet format, for data tools"),
    ("jsonl", "The same rows, written as JSON Lines: one row per line"),
];

/// A reason why results cannot be written to a file.
#[derive(Debug, thiserror::Error)]
pub enum ResultsFileError {
    /// The extension of the file is not one of [`FORMATS`].
    #[error("{}: unknown format; the name must end in {}", .0.display(), FORMATS.map(|(end, _)| format!(".{end}")).join(", "))]
    UnknownFormat(PathBuf),
    /// The content of the file cannot be made.
    #[error("cannot create {}: {}", .0.display(), .1)]
    NotMade(PathBuf, io::Error),
}

impl BalancePlan {
    /// Returns the content of the file `path`. The extension of `path` determines the format and
    /// must be one of [`FORMATS`].
    ///
    /// # Errors
    /// Returns an error if the extension is unknown, or if the content cannot be made.
    pub fn file_content(&self, seen: &BalanceSnapshot, path: &Path) -> Result<Vec<u8>, ResultsFileError> {
        let is_page = path.extension().is_some_and(|end| end == "html");
        if is_page {
            return Ok(self.page(seen).into_bytes());
        }
        let Some(format) = TableFormat::of_file(path) else {
            return Err(ResultsFileError::UnknownFormat(path.to_owned()));
        };
        let bytes = match (&seen.sweep, &seen.comparison) {
            (Some(sweep), _) => table_file(&swept_rows(sweep, DEFAULT_LEVEL), format),
            (None, Some(found)) => table_file(&comparison_table(found), format),
            (None, None) if !tables_of(seen).is_empty() => {
                tables_of(seen).first().map_or(Ok(Vec::new()), |section| table_file(section, format))
            }
            (None, None) => rows(&self.plan(&self.mods), seen.games.iter().flat_map(|some| some.iter()), format),
        };
        bytes.map_err(|error| ResultsFileError::NotMade(path.to_owned(), error))
    }

    fn page(&self, seen: &BalanceSnapshot) -> String {
        let plan = self.plan(&self.mods);
        let mods: Vec<&str> = plan.setup.mods.iter().map(|it| it.id.as_str()).collect();
        let mut about = plan.description(self.mods.loaded.catalogue());
        // The report of a ladder covers only the last pair of bots.
        if let Some(rung) = seen.ladder.as_ref().and_then(|ladder| ladder.rungs.last())
            && let Some((_, players)) = about.iter_mut().find(|(what, _)| what == "players")
        {
            *players = format!("{}, {}", rung.weaker, rung.stronger);
        }
        let mods = mods.join(", ");
        match (&seen.sweep, &seen.comparison) {
            (Some(sweep), _) => swept_page(&format!("{mods}: {}", self.against.label()), &about, sweep, DEFAULT_LEVEL),
            (None, Some(found)) => {
                compared_page(&format!("{} (A) against {mods} (B)", self.against.label()), &about, found)
            }
            (None, None) => page(&mods, &about, &seen.report, &tables_of(seen), DEFAULT_LEVEL),
        }
    }
}

/// Returns the tables of the effects of functions and tags, of the ladder of bots and of the worth
/// of options, and of the values that meet goals. Omits the tables that the run does not measure.
fn tables_of(seen: &BalanceSnapshot) -> Vec<ReportSection> {
    let parts = seen.matters.as_ref().map_or_else(Vec::new, ablation_tables);
    let ladder = seen.ladder.as_ref().map(|found| ladder_table(found, DEFAULT_LEVEL));
    parts.into_iter().chain(ladder).chain(seen.goals.as_ref().map(GoalsFound::table)).collect()
}

fn rows<'g>(plan: &Plan, games: impl Iterator<Item = &'g GameResult>, format: TableFormat) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer = RowWriter::new(&mut bytes, format, plan)?;
    for game in games {
        writer.write(plan, game)?;
    }
    writer.finish()?;
    Ok(bytes)
}
