//! Reports on playtests: people beside bots, by version of the mods. A report contains points by
//! rule, the times of answers and the points that they lose, the options that people and bots
//! choose, notes, opinions about explanations, and replies to surveys.

mod collect;
mod on_disk;
mod report;
mod tables;

use diagnostic::Diagnostic;
use players::BotInfo;

use crate::rules_cache::RulesCache;

pub use on_disk::{PlaytestOnDisk, read_playtests};
pub use report::{
    DecisionRow, DecisionStats, HesitationRow, HesitationStats, NoteRow, NoteText, OptionRow, OptionStats,
    PlaytestReport, PointsRow, PointsStats, SlowChoice, SurveyRow, SurveyStats, TestedVersion, ThumbRow, ThumbStats,
};
pub use tables::{Remark, RemarkList};

use collect::Collected;

/// The default number of games of bots for each setup of the playtests.
pub const DEFAULT_BOT_GAMES: u64 = 50;

impl PlaytestReport {
    /// Summarizes playtests. Replays the record of each one with the mods of `cache`, and lets
    /// `bot` choose in the positions in which people chose. Also lets `bot` play `n_games` games
    /// with the setup of each record that people finished. Adds warnings to `problems` about
    /// records that are missing, or that do not fit the mods; the report then lacks the bot's
    /// choices for these records.
    pub fn new(
        files: &[PlaytestOnDisk],
        cache: &mut RulesCache,
        bot: &BotInfo,
        n_games: u64,
        problems: &mut Vec<Diagnostic>,
    ) -> PlaytestReport {
        let mut collected = Collected::new(bot, n_games);
        for file in files {
            collected.add(file, cache, problems);
        }
        collected.into_report()
    }

    /// Returns whether the playtests contain nothing that people did or said.
    pub fn is_empty(&self) -> bool {
        self.versions.iter().all(|version| version.n_people == 0)
    }
}
