//! Reports on playtests: the times of answers, the options that people and bots choose, notes, and
//! replies to surveys, by version of the mods.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use loader::read_text;
use players::{AnswerHistory, BotInfo, Player, Rng, View};
use playtest::{MAX_BYTES, Playtest, Reply, SurveyQuestion, TestedMod, TimedAnswer};
use record::ReplayedDecision;
use rules::{Answer, Game, option_text, redacted_for};
use serde::Serialize;
use table::GameView;

use crate::record_on_disk::RecordOnDisk;
use crate::rules_cache::RulesCache;

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

/// The results of playtests. Every row has an entry for each version of the mods, in the order of
/// `versions`.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PlaytestReport {
    /// The versions of the mods, in the order of the files.
    pub versions: Vec<TestedVersion>,
    /// The questions of the game, those with the most answers first.
    pub decisions: Vec<DecisionRow>,
    /// The kinds of options, by question.
    pub options: Vec<OptionRow>,
    /// The subjects of notes, those with the most notes first.
    pub notes: Vec<NoteRow>,
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
}

/// Collects data by version.
struct Collected<'b> {
    bot: &'b BotInfo,
    versions: Vec<TestedVersion>,
    answers: BTreeMap<(String, Option<String>), BTreeMap<usize, Answers>>,
    options: BTreeMap<(String, String), BTreeMap<usize, OptionStats>>,
    notes: BTreeMap<String, BTreeMap<usize, Vec<NoteText>>>,
    survey: Vec<(SurveyQuestion, BTreeMap<usize, Vec<Reply>>)>,
}

impl PlaytestReport {
    /// Summarizes playtests. Replays the record of each one with the mods of `cache`, and lets
    /// `bot` choose in the positions in which people chose. Adds warnings to `problems` about
    /// records that are missing, or that do not fit the mods; the report then lacks the bot's
    /// choices for these records.
    pub fn new(
        files: &[PlaytestOnDisk],
        cache: &mut RulesCache,
        bot: &BotInfo,
        problems: &mut Vec<Diagnostic>,
    ) -> PlaytestReport {
        let mut collected = Collected {
            bot,
            versions: Vec::new(),
            answers: BTreeMap::new(),
            options: BTreeMap::new(),
            notes: BTreeMap::new(),
            survey: Vec::new(),
        };
        for file in files {
            collected.add(file, cache, problems);
        }
        collected.into_report()
    }
}

impl Collected<'_> {
    fn add(&mut self, file: &PlaytestOnDisk, cache: &mut RulesCache, problems: &mut Vec<Diagnostic>) {
        let playtest = &file.playtest;
        let versions: Vec<usize> = playtest.rules.iter().map(|rules| self.version(&rules.mods)).collect();
        let version_of = |rules: u32| versions.get(rules as usize).copied().unwrap_or_default();
        let mut people: BTreeSet<(usize, u32)> = BTreeSet::new();
        for answer in &playtest.answers {
            let version = version_of(answer.rules);
            people.insert((version, answer.person));
            self.answers_of(answer, version).times.push(answer.ms);
        }
        let questions = self.replay(file, &version_of, cache, problems);
        for note in &playtest.notes {
            let version = version_of(note.rules);
            people.insert((version, note.person));
            let about = note.about.as_ref().or_else(|| questions.get(&note.n));
            let about = about.map_or("the end of the record", String::as_str).to_owned();
            let seat = playtest.people.iter().find(|it| it.id == note.person).and_then(|it| it.seat.clone());
            let (record, text) = (playtest.record.clone(), note.text.clone());
            let text = NoteText { record, n: note.n, turn: note.turn, seat, text };
            self.notes.entry(about).or_default().entry(version).or_default().push(text);
        }
        for rules in &playtest.rules {
            for question in &rules.survey {
                match self.survey.iter_mut().find(|(known, _)| known.id == question.id) {
                    Some((known, _)) => known.clone_from(question),
                    None => self.survey.push((question.clone(), BTreeMap::new())),
                }
            }
        }
        for reply in &playtest.replies {
            let version = version_of(reply.rules);
            people.insert((version, reply.person));
            if let Some((_, replies)) = self.survey.iter_mut().find(|(known, _)| known.id == reply.question) {
                replies.entry(version).or_default().push(reply.reply.clone());
            }
        }
        for (i, version) in self.versions.iter_mut().enumerate() {
            version.n_games += usize::from(versions.contains(&i));
            version.n_people += people.iter().filter(|(of, _)| *of == i).count();
        }
    }

    /// Returns the index of a version, after adding it if it is new.
    fn version(&mut self, mods: &[TestedMod]) -> usize {
        self.versions.iter().position(|known| known.mods == mods).unwrap_or_else(|| {
            self.versions.push(TestedVersion { mods: mods.to_vec(), ..TestedVersion::default() });
            self.versions.len() - 1
        })
    }

    fn answers_of(&mut self, answer: &TimedAnswer, version: usize) -> &mut Answers {
        let key = (answer.question.clone(), answer.asked_by.clone());
        self.answers.entry(key).or_default().entry(version).or_default()
    }

    /// Replays the record, and compares the answers of people with the choices of the bot. Returns
    /// the open question at each number of answers.
    fn replay(
        &mut self,
        file: &PlaytestOnDisk,
        version_of: &impl Fn(u32) -> usize,
        cache: &mut RulesCache,
        problems: &mut Vec<Diagnostic>,
    ) -> BTreeMap<u32, String> {
        let mut questions: BTreeMap<u32, String> =
            file.playtest.answers.iter().map(|answer| (answer.n, answer.question.clone())).collect();
        let path = file.path.with_file_name(&file.playtest.record);
        let warn = |found: Vec<Diagnostic>| found.into_iter().map(Diagnostic::as_warning);
        let opened = match RecordOnDisk::read(&path, None, &mut Vec::new()) {
            Ok(opened) => opened,
            Err(found) => {
                problems.extend(warn(found));
                return questions;
            }
        };
        let rules = match opened.rules(cache) {
            Ok(rules) => rules,
            Err(found) => {
                problems.extend(warn(found));
                return questions;
            }
        };
        problems.extend(opened.mod_warnings(&rules).into_iter().map(Diagnostic::as_warning));
        let by_n: BTreeMap<u32, &TimedAnswer> =
            file.playtest.answers.iter().filter(|answer| !answer.undone).map(|answer| (answer.n, answer)).collect();
        let mut bot = self.bot.make(0);
        let replayed = opened.replay(&rules, |moment| {
            let view = GameView::of(moment.game);
            let Some(prompt) = view.prompt() else { return };
            questions.entry(moment.n as u32).or_insert_with(|| prompt.text.to_owned());
            // After a change of the mods or of the record, the answers may no longer fit.
            let answer = by_n.get(&(moment.n as u32));
            if let Some(answer) = answer.filter(|answer| answer.answer == moment.answer && prompt.seat().is_some()) {
                self.compare(&moment, view, answer, version_of(answer.rules), &mut *bot);
            }
        });
        match replayed {
            Ok(run) => problems.extend(run.failures.first().map(|failed| opened.failure(failed).as_warning())),
            Err(found) => problems.extend(warn(found)),
        }
        questions
    }

    /// Compares the answer of a person with the choice of the bot in the same position.
    fn compare(
        &mut self,
        moment: &ReplayedDecision<'_>,
        view: GameView<'_>,
        answer: &TimedAnswer,
        version: usize,
        bot: &mut dyn Player,
    ) {
        let chosen = bot_choice(moment, bot);
        if let Some((_, text)) = &chosen {
            let answers = self.answers_of(answer, version);
            answers.n_compared += 1;
            answers.n_like_bot += usize::from(*text == moment.answer);
        }
        let kind = |answer: Answer| option_kind(view, answer, &view.answer_text(answer).unwrap_or_default());
        let answers = view.answers();
        let by_person = answers.iter().find(|it| view.answer_text(**it).as_deref() == Some(moment.answer));
        let by_person = by_person.and_then(|it| kind(*it));
        let by_bot = chosen.and_then(|(answer, _)| kind(answer));
        let offered: BTreeSet<String> = answers.into_iter().filter_map(kind).collect();
        if offered.len() < 2 {
            return;
        }
        for option in offered {
            let (is_person, is_bot) = (by_person.as_ref() == Some(&option), by_bot.as_ref() == Some(&option));
            let stats = self.options.entry((answer.question.clone(), option)).or_default().entry(version).or_default();
            stats.n_offered += 1;
            stats.n_people += usize::from(is_person);
            stats.n_bot += usize::from(is_bot);
        }
    }

    fn into_report(self) -> PlaytestReport {
        fn dense<T: Default>(n: usize, mut by_version: BTreeMap<usize, T>) -> Vec<T> {
            (0..n).map(|i| by_version.remove(&i).unwrap_or_default()).collect()
        }
        let n = self.versions.len();
        let mut decisions: Vec<DecisionRow> = self
            .answers
            .into_iter()
            .map(|((question, asked_by), by_version)| DecisionRow {
                question,
                asked_by,
                by_version: dense(n, by_version).into_iter().map(DecisionStats::of).collect(),
            })
            .collect();
        let n_answers = |row: &DecisionRow| row.by_version.iter().map(|it| it.n).sum::<usize>();
        decisions.sort_by_key(|row| std::cmp::Reverse(n_answers(row)));
        let mut notes: Vec<NoteRow> = self
            .notes
            .into_iter()
            .map(|(about, by_version)| NoteRow { about, by_version: dense(n, by_version) })
            .collect();
        notes.sort_by_key(|row| std::cmp::Reverse(row.by_version.iter().map(Vec::len).sum::<usize>()));
        let options = self.options.into_iter().map(|((question, option), by_version)| OptionRow {
            question,
            option,
            by_version: dense(n, by_version),
        });
        let survey = self.survey.into_iter().map(|(question, by_version)| SurveyRow {
            question,
            by_version: dense(n, by_version).into_iter().map(SurveyStats::of).collect(),
        });
        PlaytestReport {
            versions: self.versions,
            decisions,
            options: options.collect(),
            notes,
            survey: survey.collect(),
        }
    }
}

impl DecisionStats {
    fn of(Answers { mut times, n_compared, n_like_bot }: Answers) -> DecisionStats {
        times.sort_unstable();
        let n = times.len();
        let at = |i: usize| times.get(i).copied().unwrap_or_default();
        let median_ms = (u64::from(at(n / 2)) + u64::from(at(n.saturating_sub(1) / 2))) / 2;
        let p90_ms = at((n * 9).div_ceil(10).saturating_sub(1));
        DecisionStats { n, median_ms: median_ms as u32, p90_ms, n_compared, n_like_bot }
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
        let mean = (n > 0).then(|| numbers.iter().sum::<f64>() / n as f64);
        let mut counts: BTreeMap<Reply, usize> = BTreeMap::new();
        for reply in &replies {
            *counts.entry(reply.clone()).or_default() += 1;
        }
        SurveyStats { n: replies.len(), mean, median, counts: counts.into_iter().collect() }
    }
}

/// Returns the bot's choice and its text; `None` if the bot cannot choose.
fn bot_choice(moment: &ReplayedDecision<'_>, bot: &mut dyn Player) -> Option<(Answer, String)> {
    let game: &Game = moment.game;
    let seat = GameView::of(game).asked_seat()?;
    let (rules, state, decision) = (game.rules(), game.state(), moment.decision);
    // Without a seed in the record, any fixed number makes the bot's choices repeatable.
    let seed = game.setup().seed.unwrap_or_default();
    bot.reset(Rng::derived_seed(Rng::seat_seed(seed, seat.idx()), moment.n as u64));
    bot.observe_history(&|| AnswerHistory::of(game, seat));
    let view = View { rules, state: &redacted_for(rules, state, seat.into()), decision };
    let option = bot.choose(&view);
    if bot.take_failure().is_some() {
        return None;
    }
    let answer = decision.nth(&rules.ruleset, state, option)?;
    Some((answer, option_text(&rules.ruleset, state, decision, answer)))
}

/// Returns the kind of an option: the option without its place on the board. `None` for placements
/// and for chance, which have no kinds.
fn option_kind(view: GameView<'_>, answer: Answer, text: &str) -> Option<String> {
    match answer {
        Answer::Place(_) | Answer::Draw(_) | Answer::Roll(_) => None,
        Answer::Pass => Some("pass".to_owned()),
        Answer::Deploy { kind, zone } => Some(format!("{} on {}", view.piece_name(kind), view.zone_kind(zone))),
        Answer::Marker(n) => Some(format!("marker {}", n + 1)),
        Answer::ModOption(_) => {
            let words: Vec<&str> =
                text.split_whitespace().filter(|word| !word.contains(|c: char| c.is_ascii_digit())).collect();
            Some(if words.is_empty() { text.to_owned() } else { words.join(" ") })
        }
    }
}
