//! Reports on playtests.

use std::path::PathBuf;

use platform::fs;
use serde::{Deserialize, Serialize};
use table::{Diagnostic, Library, player_named};
use workshop::balance::ReportSection;
use workshop::playtests::{DEFAULT_BOT_GAMES, PlaytestReport, RemarkList, read_playtests};
use workshop::{FileTexts, RulesCache, search_path, texts_of_library};

use super::{Job, Reporter, texts_of_files};
use crate::shown_error::ShownError;

/// The bot that the window compares people with.
const BOT: &str = "greedy";

/// The report on the chosen playtests.
#[derive(PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct PlaytestResults {
    /// The number of files that were read.
    pub n_files: usize,
    /// True if the files contain nothing that people did or said.
    pub is_empty: bool,
    /// The tables.
    pub tables: Vec<ReportSection>,
    /// The lists of slow choices, notes and replies.
    pub remarks: Vec<RemarkList>,
    /// The files that cannot be read, and the records that do not fit the mods.
    pub problems: Vec<Diagnostic>,
}

/// Reads playtests, and evaluates them.
#[derive(Serialize, Deserialize)]
pub struct PlaytestsJob {
    /// The files and folders of the playtests.
    pub chosen: Vec<PathBuf>,
    /// The mods.
    #[serde(with = "search_path")]
    pub library: Library,
}

impl Job for PlaytestsJob {
    type Report = ();
    type Output = PlaytestResults;

    const NAME: &'static str = "playtests";
    const HAS_LOW_PRIORITY: bool = true;

    fn run(self, _: &Reporter<'_, ()>) -> Result<PlaytestResults, ShownError> {
        let (files, mut problems) = read_playtests(&self.chosen);
        let report = player_named(BOT).map_or_else(PlaytestReport::default, |bot| {
            PlaytestReport::new(&files, &mut RulesCache::new(self.library), &bot, DEFAULT_BOT_GAMES, &mut problems)
        });
        Ok(PlaytestResults {
            n_files: files.len(),
            is_empty: report.is_empty(),
            tables: report.tables(BOT),
            remarks: report.remarks(),
            problems,
        })
    }

    fn files(&self) -> Result<FileTexts, ShownError> {
        let mut files = texts_of_library(&self.library);
        // The record of a playtest is in the same folder.
        let folders =
            self.chosen.iter().filter_map(|path| if fs::is_dir(path) { Some(&**path) } else { path.parent() });
        for folder in folders {
            files.extend(texts_of_files(fs::paths_in(folder).filter(|path| fs::is_file(path))));
        }
        Ok(files)
    }
}
