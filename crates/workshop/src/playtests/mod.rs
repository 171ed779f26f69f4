//! Reports on playtests: people beside bots, by version of the mods. A report contains points by
//! rule, the times of answers and the points that they lose, the options that people and bots
//! choose, notes, opinions about explanations, and replies to surveys.

mod collect;
mod tables;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use loader::read_text;
use platform::fs;
use players::BotInfo;
use playtest::{FILE_ENDING, MAX_BYTES, Playtest, Reply, SurveyQuestion, TestedMod};
use serde::Serialize;

use crate::rules_cache::RulesCache;

pub use tables::{Remark, RemarkList};

use collect::Collected;

/// The default number of games of bots for each setup of the playtests.
pub const DEFAULT_BOT_GAMES: u64 = 50;

/// The maximum number of slow and costly choices in a report.
const MAX_SLOW_CHOICES: usize = 10;

/// A file with a playtest.
pub struct PlaytestOnDisk {
    /// The path of the file. The record of the game is in the same folder.
    pub path: PathBuf,
    /// The content.
    pub playtest: Playtest,
}

impl PlaytestOnDisk {
    /// Reads a playtest.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if it contains no valid playtest.
    pub fn read(path: &Path) -> Result<PlaytestOnDisk, Diagnostic> {
        let file = path.display().to_string();
        let text = read_text(path, None, MAX_BYTES).map_err(|error| {
            let help = "name a file that `bastide host --playtest` has written, which ends in .playtest.json";
            Diagnostic::in_file(&file, 0, format!("cannot be read: {error}")).with_help(help)
        })?;
        let wrong = |error: playtest::ReadPlaytestError| {
            let line = if let playtest::ReadPlaytestError::Malformed { line, .. } = error { line } else { 0 };
            let message = error.to_string();
            let message = message.split_once(": ").filter(|_| line > 0).map_or(&*message, |(_, message)| message);
            Diagnostic::in_file(&file, line, message).with_help("the README of the crate `playtest` has the format")
        };
        Ok(PlaytestOnDisk { path: path.to_owned(), playtest: Playtest::read(&text).map_err(wrong)? })
    }
}

/// Reads the playtests of files and folders, each file once. Returns them, and the problems of
/// files and folders that cannot be read.
pub fn read_playtests(paths: &[PathBuf]) -> (Vec<PlaytestOnDisk>, Vec<Diagnostic>) {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    let mut known: Vec<PathBuf> = Vec::new();
    for path in paths {
        match find_playtests(path) {
            Ok(found) => {
                for path in found {
                    let place = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
                    if !known.contains(&place) {
                        known.push(place);
                        match PlaytestOnDisk::read(&path) {
                            Ok(file) => files.push(file),
                            Err(problem) => problems.push(problem),
                        }
                    }
                }
            }
            Err(problem) => problems.push(problem),
        }
    }
    (files, problems)
}

/// Returns the playtests that `path` names: the files in a folder that end in `.playtest.json`,
/// sorted, or else the file itself.
///
/// # Errors
/// Returns an error if a folder cannot be read, or if it contains no playtest.
fn find_playtests(path: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    if !fs::is_dir(path) {
        return Ok(vec![path.to_owned()]);
    }
    let help = format!("name a folder with files that end in {FILE_ENDING}, such as the folder of a record");
    let problem = |message: String| Diagnostic::without_place(message).with_help(&help);
    let unreadable = |error: std::io::Error| problem(format!("cannot read {}: {error}", path.display()));
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if file.to_string_lossy().ends_with(FILE_ENDING) {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(problem(format!("{} has no playtests", path.display())));
    }
    Ok(files)
}

/// The results of playtests. Every row has an entry for each version of the mods, in the order of
/// `versions`.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PlaytestReport {
    /// The versions of the mods, in the order of the files.
    pub versions: Vec<TestedVersion>,
    /// The questions of the game, those with the most answers first.
    pub decisions: Vec<DecisionRow>,
    /// The points of people and bots in finished games, by scoring rule, those with the most points
    /// first.
    pub points: Vec<PointsRow>,
    /// The answers of people, in three groups of equal size by time: the quickest group first.
    pub hesitation: Vec<HesitationRow>,
    /// The slowest answers that lost the most points, at most 10.
    pub slow_choices: Vec<SlowChoice>,
    /// The kinds of options, by question.
    pub options: Vec<OptionRow>,
    /// The subjects of notes, those with the most notes first.
    pub notes: Vec<NoteRow>,
    /// Opinions about explanations of rules, those that are unclear to the most people first.
    pub thumbs: Vec<ThumbRow>,
    /// The questions of the survey, in the order of the files.
    pub survey: Vec<SurveyRow>,
}

/// Mods that people played with.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct TestedVersion {
    /// The mods.
    pub mods: Vec<TestedMod>,
    /// The number of games.
    pub n_games: usize,
    /// The number of people with any data.
    pub n_people: usize,
    /// The number of games that people finished: a game counts once for each person at a seat.
    pub n_finished: usize,
    /// The same number for the games of bots.
    pub n_bot_finished: usize,
}

/// The points for a scoring rule.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PointsRow {
    /// The name of the rule, as in the tables of `bastide sim`.
    pub rule: String,
    /// The points, by version.
    pub by_version: Vec<PointsStats>,
}

/// The mean points of a player in a finished game.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct PointsStats {
    /// The points of people; `None` if they finished no game.
    pub people: Option<f64>,
    /// The points of bots in games with the same setup; `None` if they played none.
    pub bot: Option<f64>,
}

/// A group of answers with similar times.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HesitationRow {
    /// The name of the group.
    pub group: String,
    /// The answers, by version.
    pub by_version: Vec<HesitationStats>,
}

/// The answers of people in a group, without answers to questions with a single option.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct HesitationStats {
    /// The number of answers.
    pub n: usize,
    /// The longest time in milliseconds.
    pub max_ms: u32,
    /// The mean points that an answer loses against the best one, as the bot `greedy` judges them;
    /// `None` if there is no answer.
    pub lost: Option<f64>,
}

/// A slow answer that loses points.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SlowChoice {
    /// The path of the record.
    #[serde(skip)]
    pub path: PathBuf,
    /// The name of the record.
    pub record: String,
    /// The number of answers before this one.
    pub n: u32,
    /// The index of the version.
    pub version: usize,
    /// The colour of the seat; `None` if it is unknown.
    pub seat: Option<String>,
    /// The text of the question.
    pub question: String,
    /// The answer of the person.
    pub answer: String,
    /// The best answer, as the bot `greedy` judges them.
    pub best: String,
    /// The time in milliseconds.
    pub ms: u32,
    /// The points that the answer loses against the best one.
    pub lost: f64,
}

/// Opinions about the explanation of a rule.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ThumbRow {
    /// The rule: the reason of points.
    pub rule: String,
    /// The opinions, by version.
    pub by_version: Vec<ThumbStats>,
}

/// The numbers of opinions about an explanation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ThumbStats {
    /// The number of people to whom it is clear.
    pub n_clear: usize,
    /// The number of people to whom it is unclear.
    pub n_unclear: usize,
}

/// A question of the game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DecisionRow {
    /// The text of the question.
    pub question: String,
    /// The id of the mod that asks it; `None` if the engine asks.
    pub asked_by: Option<String>,
    /// The answers, by version.
    pub by_version: Vec<DecisionStats>,
}

/// The answers of people to a question.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct DecisionStats {
    /// The number of answers.
    pub n: usize,
    /// The median time in milliseconds.
    pub median_ms: u32,
    /// The time in milliseconds that 90 % of the answers did not exceed.
    pub p90_ms: u32,
    /// The number of answers for which the bot chose in the same position.
    pub n_compared: usize,
    /// The number of these answers that equal the bot's choice.
    pub n_like_bot: usize,
    /// The mean points that an answer loses against the best one, as the bot `greedy` judges them;
    /// `None` if no answer could be judged, for example because something is hidden.
    pub lost: Option<f64>,
}

/// A kind of option of a question: the option without its place, such as `follower on road`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OptionRow {
    /// The text of the question.
    pub question: String,
    /// The kind of option.
    pub option: String,
    /// The choices, by version.
    pub by_version: Vec<OptionStats>,
}

/// The choices of a kind of option, in the positions in which people chose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct OptionStats {
    /// The number of decisions that offered it.
    pub n_offered: usize,
    /// The number of decisions in which people chose it.
    pub n_people: usize,
    /// The number of decisions in which the bot chose it.
    pub n_bot: usize,
}

/// Notes about the same subject.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NoteRow {
    /// The subject that people named, or else the question that was open at the moment.
    pub about: String,
    /// The notes, by version.
    pub by_version: Vec<Vec<NoteText>>,
}

/// A note.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NoteText {
    /// The path of the record.
    #[serde(skip)]
    pub path: PathBuf,
    /// The name of the record.
    pub record: String,
    /// The number of answers before the moment.
    pub n: u32,
    /// The turn.
    pub turn: u32,
    /// The colour of the seat; `None` for a spectator.
    pub seat: Option<String>,
    /// The text.
    pub text: String,
}

/// A question of the survey.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SurveyRow {
    /// The question, as the latest version asks it.
    pub question: SurveyQuestion,
    /// The replies, by version.
    pub by_version: Vec<SurveyStats>,
}

/// The replies to a question of the survey.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct SurveyStats {
    /// The number of replies.
    pub n: usize,
    /// The mean of a scale.
    pub mean: Option<f64>,
    /// The median of a scale.
    pub median: Option<f64>,
    /// The numbers of equal replies: of a scale and a choice, all possible replies that someone
    /// gave; of a text, each text.
    pub counts: Vec<(Reply, usize)>,
}

/// The data of a question before they are summarized.
#[derive(Default)]
struct Answers {
    times: Vec<u32>,
    n_compared: usize,
    n_like_bot: usize,
    /// The points that the answers lose against the best ones.
    lost: Vec<f64>,
}

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

/// Returns the mean of some numbers; `None` if there are none.
fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

impl DecisionStats {
    fn of(Answers { mut times, n_compared, n_like_bot, lost }: Answers) -> DecisionStats {
        times.sort_unstable();
        let n = times.len();
        let at = |i: usize| times.get(i).copied().unwrap_or_default();
        let median_ms = (u64::from(at(n / 2)) + u64::from(at(n.saturating_sub(1) / 2))) / 2;
        let p90_ms = at((n * 9).div_ceil(10).saturating_sub(1));
        DecisionStats { n, median_ms: median_ms as u32, p90_ms, n_compared, n_like_bot, lost: mean(&lost) }
    }
}

impl SurveyStats {
    fn of(replies: Vec<Reply>) -> SurveyStats {
        let mut numbers: Vec<f64> =
            replies.iter().filter_map(|it| if let Reply::Number(n) = it { Some(*n as f64) } else { None }).collect();
        numbers.sort_by(f64::total_cmp);
        let n = numbers.len();
        let at = |i: usize| numbers.get(i).copied();
        let median = at(n / 2).zip(at(n.saturating_sub(1) / 2)).map(|(a, b)| f64::midpoint(a, b));
        let mut counts: BTreeMap<Reply, usize> = BTreeMap::new();
        for reply in &replies {
            *counts.entry(reply.clone()).or_default() += 1;
        }
        SurveyStats { n: replies.len(), mean: mean(&numbers), median, counts: counts.into_iter().collect() }
    }
}
