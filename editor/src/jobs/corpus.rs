//! Replays of all records of a folder.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use table::Library;
use workshop::corpus::{RecordResult, find_records, replay_record};
use workshop::{FileTexts, RulesCache, search_path, texts_of_library};

use super::{Job, Reporter, texts_of_files};
use crate::shown_error::ShownError;

/// Replays the records of a folder.
#[derive(Serialize, Deserialize)]
pub struct CorpusJob {
    /// The folder.
    pub folder: PathBuf,
    /// The mods.
    #[serde(with = "search_path")]
    pub library: Library,
}

/// A report of a [`CorpusJob`].
#[derive(PartialEq, Debug, Serialize, Deserialize)]
pub enum CorpusReport {
    /// The number of records.
    Found(usize),
    /// A record and its result, not compared with an earlier one.
    Replayed(PathBuf, Box<RecordResult>),
}

impl Job for CorpusJob {
    type Report = CorpusReport;
    type Output = ();

    const NAME: &'static str = "records";

    fn run(self, reporter: &Reporter<'_, CorpusReport>) -> Result<(), ShownError> {
        let files = find_records(&self.folder).map_err(|problem| ShownError::without_place(&problem))?;
        reporter.send(CorpusReport::Found(files.len()));
        let mut cache = RulesCache::new(self.library);
        for file in files.into_iter().take_while(|_| reporter.is_wanted()) {
            let result = replay_record(&file, &mut cache, None);
            reporter.send(CorpusReport::Replayed(file, Box::new(result)));
        }
        Ok(())
    }

    fn files(&self) -> Result<FileTexts, ShownError> {
        let mut files = texts_of_library(&self.library);
        let records = find_records(&self.folder).map_err(|problem| ShownError::without_place(&problem))?;
        files.extend(texts_of_files(records));
        Ok(files)
    }
}
