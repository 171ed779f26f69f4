//! The report: its rows, and the numbers in them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use playtest::{Reply, SurveyQuestion, TestedMod};
use serde::Serialize;

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
    /// The time in milliseconds that 90% of the answers did not exceed.
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
pub(super) struct Answers {
    pub(super) times: Vec<u32>,
    pub(super) n_compared: usize,
    pub(super) n_like_bot: usize,
    /// The points that the answers lose against the best ones.
    pub(super) lost: Vec<f64>,
}

/// Returns the mean of some numbers; `None` if there are none.
pub(super) fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

impl DecisionStats {
    pub(super) fn of(Answers { mut times, n_compared, n_like_bot, lost }: Answers) -> DecisionStats {
        times.sort_unstable();
        let n = times.len();
        let at = |i: usize| times.get(i).copied().unwrap_or_default();
        let median_ms = (u64::from(at(n / 2)) + u64::from(at(n.saturating_sub(1) / 2))) / 2;
        let p90_ms = at((n * 9).div_ceil(10).saturating_sub(1));
        DecisionStats { n, median_ms: median_ms as u32, p90_ms, n_compared, n_like_bot, lost: mean(&lost) }
    }
}

impl SurveyStats {
    pub(super) fn of(replies: Vec<Reply>) -> SurveyStats {
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
