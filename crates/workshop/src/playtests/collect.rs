//! Collects the data of playtests by version of the mods, and compares people with bots.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use diagnostic::Diagnostic;
use players::{AnswerHistory, BotInfo, Player, Rng, View};
use playtest::{Playtest, Reply, SurveyQuestion, TestedMod, TimedAnswer};
use record::{Replay, ReplayedDecision};
use rules::{Answer, Game, Setup, option_text, redacted_for};
use sim::{Plan, points_by_rule, run};
use table::{ExpectOrDefault as _, GameView, regret};

use super::on_disk::PlaytestOnDisk;
use super::report::{
    Answers, DecisionRow, DecisionStats, HesitationRow, HesitationStats, NoteRow, NoteText, OptionRow, OptionStats,
    PlaytestReport, PointsRow, PointsStats, SlowChoice, SurveyRow, SurveyStats, TestedVersion, ThumbRow, ThumbStats,
    mean,
};
use crate::record_on_disk::RecordOnDisk;
use crate::rules_cache::RulesCache;

/// The maximum number of slow and costly choices in a report.
const MAX_SLOW_CHOICES: usize = 10;

/// The names of the groups of answers with similar times.
const GROUPS: [&str; 3] = ["quickest third", "middle third", "slowest third"];

/// The points of players in finished games of one version, by scoring rule.
#[derive(Clone, Default)]
struct PointTotals {
    /// The number of games: a game counts once for each player.
    n: usize,
    by_rule: BTreeMap<String, i64>,
}

impl PointTotals {
    fn add<'r>(&mut self, n_games: usize, points: impl Iterator<Item = (&'r String, i64)>) {
        self.n += n_games;
        points.for_each(|(rule, n)| *self.by_rule.entry(rule.clone()).or_default() += n);
    }
}

/// Collects data by version.
pub(super) struct Collected<'b> {
    bot: &'b BotInfo,
    /// The number of bot games for each setup.
    n_games: u64,
    versions: Vec<TestedVersion>,
    answers: BTreeMap<(String, Option<String>), BTreeMap<usize, Answers>>,
    options: BTreeMap<(String, String), BTreeMap<usize, OptionStats>>,
    notes: BTreeMap<String, BTreeMap<usize, Vec<NoteText>>>,
    thumbs: BTreeMap<String, BTreeMap<usize, ThumbStats>>,
    survey: Vec<(SurveyQuestion, BTreeMap<usize, Vec<Reply>>)>,
    /// The answers whose loss of points is known.
    judged: Vec<SlowChoice>,
    people: BTreeMap<usize, PointTotals>,
    bots: BTreeMap<usize, PointTotals>,
    /// The points of bots in the games of each setup: the mods, the settings and the number of
    /// players.
    bot_games: Vec<(Setup, PointTotals)>,
}

impl<'b> Collected<'b> {
    /// Makes a collection without data.
    pub fn new(bot: &'b BotInfo, n_games: u64) -> Collected<'b> {
        Collected {
            bot,
            n_games,
            versions: Vec::new(),
            answers: BTreeMap::new(),
            options: BTreeMap::new(),
            notes: BTreeMap::new(),
            thumbs: BTreeMap::new(),
            survey: Vec::new(),
            judged: Vec::new(),
            people: BTreeMap::new(),
            bots: BTreeMap::new(),
            bot_games: Vec::new(),
        }
    }

    /// Adds a playtest.
    pub fn add(&mut self, file: &PlaytestOnDisk, cache: &mut RulesCache, problems: &mut Vec<Diagnostic>) {
        let playtest = &file.playtest;
        let versions: Vec<usize> = playtest.rules.iter().map(|rules| self.version(&rules.mods)).collect();
        let version_of = |rules: u32| {
            versions.get(rules as usize).copied().expect_or_default("a playtest has the rules of its entries")
        };
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
            let text = NoteText { path: record_path(file), record, n: note.n, turn: note.turn, seat, text };
            self.notes.entry(about).or_default().entry(version).or_default().push(text);
        }
        for thumb in &playtest.thumbs {
            let version = version_of(thumb.rules);
            people.insert((version, thumb.person));
            let stats = self.thumbs.entry(thumb.rule.clone()).or_default().entry(version).or_default();
            stats.n_clear += usize::from(thumb.up);
            stats.n_unclear += usize::from(!thumb.up);
        }
        people.extend(self.add_survey(playtest, &version_of));
        for (i, version) in self.versions.iter_mut().enumerate() {
            version.n_games += usize::from(versions.contains(&i));
            version.n_people += people.iter().filter(|(of, _)| *of == i).count();
        }
    }

    /// Adds the survey of a playtest. Returns the versions and the people of the replies.
    fn add_survey(&mut self, playtest: &Playtest, version_of: &impl Fn(u32) -> usize) -> BTreeSet<(usize, u32)> {
        for rules in &playtest.rules {
            for question in &rules.survey {
                match self.survey.iter_mut().find(|(known, _)| known.id == question.id) {
                    Some((known, _)) => known.clone_from(question),
                    None => self.survey.push((question.clone(), BTreeMap::new())),
                }
            }
        }
        for reply in &playtest.replies {
            if let Some((_, replies)) = self.survey.iter_mut().find(|(known, _)| known.id == reply.question) {
                replies.entry(version_of(reply.rules)).or_default().push(reply.reply.clone());
            }
        }
        playtest.replies.iter().map(|reply| (version_of(reply.rules), reply.person)).collect()
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
        let path = record_path(file);
        let warn = |found: Vec<Diagnostic>| found.into_iter().map(Diagnostic::as_warning);
        let opened = RecordOnDisk::read(&path, None, &mut Vec::new());
        let (rules, opened) = match opened.and_then(|opened| Ok((opened.rules(cache)?, opened))) {
            Ok(opened) => opened,
            Err(found) => {
                problems.extend(warn(found));
                return questions;
            }
        };
        problems.extend(warn(opened.mod_warnings(&rules)));
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
                let version = version_of(answer.rules);
                self.compare(&moment, view, answer, version, &mut *bot);
                self.judge(file, &moment, view, answer, version);
            }
        });
        match replayed {
            Ok(run) => match run.failures.first() {
                Some(failed) => problems.push(opened.failure(failed).as_warning()),
                None => self.add_points(file, &opened, &run, version_of, cache),
            },
            Err(found) => problems.extend(warn(found)),
        }
        questions
    }

    /// Measures the points that the answer of a person loses.
    fn judge(
        &mut self,
        file: &PlaytestOnDisk,
        moment: &ReplayedDecision<'_>,
        view: GameView<'_>,
        answer: &TimedAnswer,
        version: usize,
    ) {
        if view.answers().len() < 2 {
            return;
        }
        let Some(found) = regret(moment.game, moment.answer) else { return };
        self.answers_of(answer, version).lost.push(found.points);
        let person = file.playtest.people.iter().find(|it| it.id == answer.person);
        self.judged.push(SlowChoice {
            path: record_path(file),
            record: file.playtest.record.clone(),
            n: answer.n,
            version,
            seat: person.and_then(|person| person.seat.clone()),
            question: answer.question.clone(),
            answer: answer.answer.clone(),
            best: found.best,
            ms: answer.ms,
            lost: found.points,
        });
    }

    /// If the game is over, adds the points of people and of bots. The bots play games with the
    /// same setup.
    fn add_points(
        &mut self,
        file: &PlaytestOnDisk,
        opened: &RecordOnDisk,
        run: &Replay,
        version_of: &impl Fn(u32) -> usize,
        cache: &mut RulesCache,
    ) {
        let (view, playtest) = (GameView::of(&run.game), &file.playtest);
        if !view.is_over() {
            return;
        }
        let points = points_by_rule(&run.game);
        let mut versions = BTreeSet::new();
        for seat in view.seats() {
            let is_at_seat = |it: &&playtest::Person| it.seat.as_deref() == Some(view.record_name(seat));
            let Some(person) = playtest.people.iter().find(is_at_seat) else { continue };
            // The rules of the last answer, because points are mostly counted at the end.
            let last = playtest.answers.iter().rfind(|answer| answer.person == person.id && !answer.undone);
            let Some(version) = last.map(|answer| version_of(answer.rules)) else { continue };
            let totals = self.people.entry(version).or_default();
            let own = points.iter().filter(|((player, _), _)| *player == seat);
            totals.add(1, own.map(|((_, rule), n)| (rule, *n)));
            versions.insert(version);
        }
        if versions.is_empty() {
            return;
        }
        let played = self.play_bots(opened, cache);
        for version in versions {
            self.bots.entry(version).or_default().add(played.n, played.by_rule.iter().map(|(rule, n)| (rule, *n)));
        }
    }

    /// Lets the bot play games with the mods, settings and number of players of a record. Returns
    /// no points if the record begins with a given position, or if the games cannot be played.
    fn play_bots(&mut self, opened: &RecordOnDisk, cache: &mut RulesCache) -> PointTotals {
        let recorded = &opened.record.setup;
        if self.n_games == 0 || !recorded.position.is_empty() {
            return PointTotals::default();
        }
        let ids: Vec<String> = recorded.mods.iter().map(|it| it.id.clone()).collect();
        let names: Vec<&str> = ids.iter().map(String::as_str).collect();
        let setup = Setup { settings: recorded.settings.clone(), ..Setup::of(&names, recorded.players.len()) };
        if let Some((_, known)) = self.bot_games.iter().find(|(known, _)| *known == setup) {
            return known.clone();
        }
        let n_players = setup.players.len();
        let played = cache.load(&ids).and_then(|loaded| {
            let settings = loaded.settings_from(&setup.settings).ok()?;
            let plan = Plan::new(setup.clone(), settings, vec![self.bot.clone(); n_players], self.n_games);
            let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
            let report = run(&*loaded, &Plan { details: true, n_threads, ..plan }, None, &mut |_| {}).ok()?;
            report.details
        });
        let totals = played.map_or_else(PointTotals::default, |details| PointTotals {
            n: details.n_games as usize * n_players,
            by_rule: details.by_rule.list().iter().map(|it| (it.name.clone(), it.points.sum() as i64)).collect(),
        });
        self.bot_games.push((setup, totals.clone()));
        totals
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

    /// Returns the report.
    pub fn into_report(mut self) -> PlaytestReport {
        let n = self.versions.len();
        for (i, version) in self.versions.iter_mut().enumerate() {
            version.n_finished = self.people.get(&i).map_or(0, |totals| totals.n);
            version.n_bot_finished = self.bots.get(&i).map_or(0, |totals| totals.n);
        }
        let points = self.points(n);
        let (hesitation, slow_choices) = hesitation(self.judged, n);
        let mut decisions = rows(n, self.answers, |(question, asked_by), answers| {
            let by_version = answers.into_iter().map(DecisionStats::of).collect();
            DecisionRow { question, asked_by, by_version }
        });
        decisions.sort_by_key(|row| Reverse(row.by_version.iter().map(|it| it.n).sum::<usize>()));
        let mut notes = rows(n, self.notes, |about, by_version| NoteRow { about, by_version });
        notes.sort_by_key(|row| Reverse(row.by_version.iter().map(Vec::len).sum::<usize>()));
        let mut thumbs = rows(n, self.thumbs, |rule, by_version| ThumbRow { rule, by_version });
        thumbs.sort_by_key(|row| Reverse(row.by_version.iter().map(|it| it.n_unclear).sum::<usize>()));
        let options =
            rows(n, self.options, |(question, option), by_version| OptionRow { question, option, by_version });
        let survey = rows(n, self.survey, |question, replies| {
            let by_version = replies.into_iter().map(SurveyStats::of).collect();
            SurveyRow { question, by_version }
        });
        PlaytestReport {
            versions: self.versions,
            decisions,
            points,
            hesitation,
            slow_choices,
            options,
            notes,
            thumbs,
            survey,
        }
    }

    fn points(&self, n: usize) -> Vec<PointsRow> {
        let all = self.people.values().chain(self.bots.values());
        let rules: BTreeSet<&String> = all.flat_map(|totals| totals.by_rule.keys()).collect();
        let mean_of = |of: &BTreeMap<usize, PointTotals>, version: usize, rule: &str| {
            let totals = of.get(&version).filter(|totals| totals.n > 0)?;
            Some(totals.by_rule.get(rule).copied().unwrap_or_default() as f64 / totals.n as f64)
        };
        let row = |rule: &String| PointsRow {
            rule: rule.clone(),
            by_version: (0..n)
                .map(|version| PointsStats {
                    people: mean_of(&self.people, version, rule),
                    bot: mean_of(&self.bots, version, rule),
                })
                .collect(),
        };
        let mut rows: Vec<PointsRow> = rules.into_iter().map(row).collect();
        let most = |row: &PointsRow| {
            row.by_version.iter().flat_map(|it| [it.people, it.bot]).flatten().fold(f64::MIN, f64::max)
        };
        rows.sort_by(|a, b| most(b).total_cmp(&most(a)));
        rows
    }
}

/// Returns the rows that `row` makes from each subject and its values for each of `n` versions.
fn rows<S, T: Default, R>(
    n: usize,
    subjects: impl IntoIterator<Item = (S, BTreeMap<usize, T>)>,
    row: impl Fn(S, Vec<T>) -> R,
) -> Vec<R> {
    subjects.into_iter().map(|(subject, by_version)| row(subject, dense(n, by_version))).collect()
}

/// Returns a value for each of `n` versions.
fn dense<T: Default>(n: usize, mut by_version: BTreeMap<usize, T>) -> Vec<T> {
    (0..n).map(|i| by_version.remove(&i).unwrap_or_default()).collect()
}

/// Divides the answers of each version into three groups by time. Returns the groups, and the
/// answers of the slowest groups that lose the most points.
fn hesitation(judged: Vec<SlowChoice>, n_versions: usize) -> (Vec<HesitationRow>, Vec<SlowChoice>) {
    let mut groups: [Vec<HesitationStats>; GROUPS.len()] = Default::default();
    let mut slow = Vec::new();
    let is_empty = judged.is_empty();
    let mut by_version: BTreeMap<usize, Vec<SlowChoice>> = BTreeMap::new();
    judged.into_iter().for_each(|it| by_version.entry(it.version).or_default().push(it));
    for mut answers in dense(n_versions, by_version) {
        answers.sort_by_key(|it| it.ms);
        let n = answers.len();
        for (i, group) in groups.iter_mut().enumerate() {
            let of_group = answers.get(n * i / GROUPS.len()..n * (i + 1) / GROUPS.len()).unwrap_or_default();
            let lost: Vec<f64> = of_group.iter().map(|it| it.lost).collect();
            let max_ms = of_group.last().map_or(0, |it| it.ms);
            group.push(HesitationStats { n: of_group.len(), max_ms, lost: mean(&lost) });
        }
        slow.extend(answers.into_iter().skip(n * (GROUPS.len() - 1) / GROUPS.len()).filter(|it| it.lost > 0.0));
    }
    slow.sort_by(|a, b| b.lost.total_cmp(&a.lost));
    slow.truncate(MAX_SLOW_CHOICES);
    let row = |(group, by_version): (&str, _)| HesitationRow { group: group.to_owned(), by_version };
    (if is_empty { Vec::new() } else { GROUPS.into_iter().zip(groups).map(row).collect() }, slow)
}

/// Returns the path of a playtest's record.
fn record_path(file: &PlaytestOnDisk) -> PathBuf {
    file.path.with_file_name(&file.playtest.record)
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

/// Returns the kind of an option: the option without its place on the board. `None` for placements,
/// chance and sealed answers, which have no kinds.
fn option_kind(view: GameView<'_>, answer: Answer, text: &str) -> Option<String> {
    match answer {
        Answer::Place(_) | Answer::Draw(_) | Answer::Roll(_) | Answer::Sealed => None,
        Answer::Pass => Some("pass".to_owned()),
        Answer::Deploy { kind, zone } => Some(format!("{} on {}", view.piece_title(kind), view.zone_kind(zone))),
        Answer::Marker(n) => Some(format!("marker {}", n + 1)),
        Answer::ModOption(_) => {
            let words: Vec<&str> =
                text.split_whitespace().filter(|word| !word.contains(|c: char| c.is_ascii_digit())).collect();
            Some(if words.is_empty() { text.to_owned() } else { words.join(" ") })
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn answers_are_grouped_by_time() {
        let judged = |version, ms, lost| SlowChoice {
            path: PathBuf::from("a.game"),
            record: "a.game".to_owned(),
            n: ms,
            version,
            seat: None,
            question: "Q".to_owned(),
            answer: "pass".to_owned(),
            best: "place".to_owned(),
            ms,
            lost,
        };
        // In the first version, the points lost rise with the time. The second version has one
        // answer.
        let first = (0..30).rev().map(|i| judged(0, 1000 * (i + 1), f64::from(i / 10)));
        let (rows, slow) = hesitation(first.chain([judged(1, 500, 7.0)]).collect(), 3);
        let group = |i: usize| rows[i].by_version.clone();
        assert_eq!(rows.iter().map(|row| row.group.as_str()).collect::<Vec<_>>(), GROUPS);
        assert_eq!(group(0)[0], HesitationStats { n: 10, max_ms: 10_000, lost: Some(0.0) });
        assert_eq!(group(2)[0], HesitationStats { n: 10, max_ms: 30_000, lost: Some(2.0) });
        assert_eq!(group(1)[1], HesitationStats::default());
        assert_eq!(group(2)[1], HesitationStats { n: 1, max_ms: 500, lost: Some(7.0) });
        assert_eq!(group(2)[2], HesitationStats::default());
        assert_eq!(slow.len(), MAX_SLOW_CHOICES);
        assert_eq!((slow[0].version, slow[1].version, slow[1].lost), (1, 0, 2.0));
        assert!(slow.iter().all(|it| it.version == 1 || it.ms > 20_000));
        assert_eq!(hesitation(Vec::new(), 2), (Vec::new(), Vec::new()));
    }
}
