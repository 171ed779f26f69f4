//! The report on playtests as tables and lists, for the terminal and the window.

use std::borrow::Cow;
use std::path::PathBuf;

use playtest::TestedMod;
use serde::{Deserialize, Serialize};
use sim::{ReportCell, ReportRow, ReportSection};

use super::report::{DecisionStats, OptionStats, PlaytestReport, SurveyStats, TestedVersion};

/// A list of remarks with a title.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RemarkList {
    /// The title.
    pub title: Cow<'static, str>,
    /// The remarks.
    pub remarks: Vec<Remark>,
}

/// A line about a moment of a game or about a question of the survey.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Remark {
    /// The text.
    pub text: String,
    /// The path of the record, and the number of answers before the moment; `None` if the remark is
    /// not about a moment.
    pub moment: Option<(PathBuf, usize)>,
}

impl PlaytestReport {
    /// Returns the tables of the report, without empty ones. `bot` is the name of the bot.
    pub fn tables(&self, bot: &str) -> Vec<ReportSection> {
        let mut tables = vec![self.versions_table()];
        tables.extend([self.points_table(bot), self.times_table(bot), self.hesitation_table()]);
        tables.extend(self.option_tables(bot));
        tables.extend([self.notes_table(), self.thumbs_table(), self.survey_table()]);
        tables.retain(|table| !table.rows.is_empty());
        tables
    }

    /// Returns the lists of the report, without empty ones: slow and costly choices, notes, and
    /// replies to the survey.
    pub fn remarks(&self) -> Vec<RemarkList> {
        let slow = self.slow_choices.iter().map(|it| Remark {
            text: format!(
                "{}{} move {}, {}, {}: {} after {:.1} s; {} gives a lead larger by {:.1}",
                self.version_prefix(it.version),
                it.record,
                it.n + 1,
                seat_name(it.seat.as_ref()),
                it.question,
                it.answer,
                seconds(it.ms),
                it.best,
                it.lost
            ),
            moment: Some((it.path.clone(), it.n as usize)),
        });
        let notes = self.notes.iter().flat_map(|row| {
            let by_version = row.by_version.iter().enumerate();
            by_version.flat_map(|(i, notes)| notes.iter().map(move |note| (i, note))).map(move |(i, note)| Remark {
                text: format!(
                    "{}{} turn {}, {}, {}: {}",
                    self.version_prefix(i),
                    note.record,
                    note.turn,
                    seat_name(note.seat.as_ref()),
                    row.about,
                    note.text
                ),
                moment: Some((note.path.clone(), note.n as usize)),
            })
        });
        let survey = self.survey.iter().flat_map(|row| {
            let replied = row.by_version.iter().enumerate().filter(|(_, stats)| stats.n > 0);
            replied.map(move |(i, stats)| {
                let counts: Vec<String> = stats.counts.iter().map(|(reply, n)| format!("{reply} ({n})")).collect();
                let text = format!("{}{} {}", self.version_prefix(i), row.question.text, counts.join(", "));
                Remark { text, moment: None }
            })
        });
        let mut lists = vec![
            RemarkList { title: "Slow and costly choices".into(), remarks: slow.collect() },
            RemarkList { title: "Texts of notes".into(), remarks: notes.collect() },
            RemarkList { title: "Replies to the survey".into(), remarks: survey.collect() },
        ];
        lists.retain(|list| !list.remarks.is_empty());
        lists
    }

    /// Returns the letter of a version with a space; an empty text if there is only one version.
    fn version_prefix(&self, i: usize) -> String {
        if self.versions.len() == 1 { String::new() } else { format!("{} ", letter(i)) }
    }

    /// Makes a table with a column for each of `names` in each version.
    fn section(
        &self,
        title: impl Into<String>,
        about: impl Into<String>,
        first: &str,
        names: &[&str],
        rows: impl Iterator<Item = (String, Vec<ReportCell>)>,
    ) -> ReportSection {
        let of_version =
            |i: usize| names.iter().map(move |name| format!("{}{name}", self.version_prefix(i))).collect::<Vec<_>>();
        let columns = [first.to_owned()].into_iter().chain((0..self.versions.len()).flat_map(of_version)).collect();
        let rows = rows.map(|(name, cells)| ReportRow::new(name, cells)).collect();
        ReportSection { title: title.into(), about: about.into(), columns, rows }
    }

    fn versions_table(&self) -> ReportSection {
        let row = |(i, version): (usize, &TestedVersion)| {
            let before = i.checked_sub(1).and_then(|i| self.versions.get(i));
            let is_new = |it: &&TestedMod| before.is_none_or(|before| !before.mods.contains(it));
            let new: Vec<&TestedMod> = version.mods.iter().filter(is_new).collect();
            let mods: Vec<String> = new.iter().map(|it| format!("{} {}", it.id, it.version)).collect();
            let differs = if before.is_some() { "as before, but " } else { "" };
            let people =
                if version.n_people == 1 { "1 person".to_owned() } else { format!("{} people", version.n_people) };
            let games = if version.n_games == 1 { "1 game".to_owned() } else { format!("{} games", version.n_games) };
            let hashes: Vec<&str> = new.iter().map(|it| it.hash.as_str()).collect();
            let cells = [format!("{differs}{}", mods.join(", ")), format!("{games}, {people}"), hashes.join(" ")];
            ReportRow::new(letter(i), cells.into_iter().map(ReportCell::Text).collect())
        };
        ReportSection::new(
            "Versions",
            "The versions of the mods, and the people who tried them.",
            &["", "mods", "tried in", "hash"],
            self.versions.iter().enumerate().map(row).collect(),
        )
    }

    fn points_table(&self, bot: &str) -> ReportSection {
        let n = |count: fn(&TestedVersion) -> usize| self.versions.iter().map(count).sum::<usize>();
        let about = format!(
            "Mean points of a player in a finished game under the installed mods. Games, each counted once per \
             player: {} of people, {} of {bot}.",
            n(|it| it.n_finished),
            n(|it| it.n_bot_finished)
        );
        let rows = self.points.iter().map(|row| {
            let cells = row.by_version.iter().flat_map(|it| [it.people, it.bot].map(|points| optional(points, 1)));
            (row.rule.clone(), cells.collect())
        });
        self.section("Points by rule", about, "rule", &["people", bot], rows)
    }

    fn times_table(&self, bot: &str) -> ReportSection {
        let about = format!(
            "Times of answers in seconds: the median, and the time that 90% did not exceed. The share that equals the \
             choice of {bot}. Mean points lost against the best answer, as `greedy` judges them."
        );
        let rows = self.decisions.iter().map(|row| {
            let asked_by = row.asked_by.as_ref().map_or_else(String::new, |id| format!(" ({id})"));
            (format!("{}{asked_by}", row.question), row.by_version.iter().flat_map(time_cells).collect())
        });
        let like = format!("as {bot}");
        let names = ["answers", "median", "90%", &like, "lost"];
        self.section("Times of answers", about, "question", &names, rows)
    }

    fn hesitation_table(&self) -> ReportSection {
        let about = "Answers to questions with a choice, grouped by time: the longest time of the group in seconds, and \
                     the mean points lost against the best answer, as `greedy` judges them.";
        let rows = self.hesitation.iter().map(|row| {
            let cells = row.by_version.iter().flat_map(|it| {
                let time = (it.n > 0).then(|| seconds(it.max_ms));
                [count(it.n), optional(time, 1), optional(it.lost, 2)]
            });
            (row.group.clone(), cells.collect())
        });
        self.section("Hesitation and lost points", about, "answers by time", &["answers", "up to", "lost"], rows)
    }

    /// Returns the tables of options that only bots, only people, or neither chose in a version.
    fn option_tables(&self, bot: &str) -> [ReportSection; 3] {
        let table = |title: String, is_in: fn(&OptionStats) -> bool| {
            let about = "The number of decisions that offered the option, and in which it was chosen.";
            let unused =
                self.options.iter().filter(|row| row.by_version.iter().any(|it| it.n_offered > 0 && is_in(it)));
            let rows = unused.map(|row| {
                let cells = row.by_version.iter().flat_map(|it| [it.n_offered, it.n_people, it.n_bot].map(count));
                (format!("{}: {}", row.question, row.option), cells.collect())
            });
            self.section(title, about, "option", &["offered", "people", bot], rows)
        };
        [
            table(format!("Options that {bot} chose and people never chose"), |it| it.n_people == 0 && it.n_bot > 0),
            table(format!("Options that people chose and {bot} never chose"), |it| it.n_bot == 0 && it.n_people > 0),
            table(format!("Options that neither people nor {bot} chose"), |it| it.n_bot == 0 && it.n_people == 0),
        ]
    }

    fn notes_table(&self) -> ReportSection {
        let rows = self
            .notes
            .iter()
            .map(|row| (row.about.clone(), row.by_version.iter().map(|notes| count(notes.len())).collect()));
        let about = "The number of notes about each question and each rule.";
        self.section("Notes", about, "about", &["notes"], rows)
    }

    fn thumbs_table(&self) -> ReportSection {
        let rows = self.thumbs.iter().map(|row| {
            let cells = row.by_version.iter().flat_map(|it| [it.n_clear, it.n_unclear].map(count));
            (row.rule.clone(), cells.collect())
        });
        let about = "The number of people who opened the explanation of points and said that it is clear or unclear.";
        self.section("Clear explanations", about, "points for", &["clear", "unclear"], rows)
    }

    fn survey_table(&self) -> ReportSection {
        let rows = self
            .survey
            .iter()
            .map(|row| (row.question.text.clone(), row.by_version.iter().flat_map(survey_cells).collect()));
        let about = "The questions that the mods ask after the game.";
        self.section("Survey", about, "question", &["replies", "mean", "median"], rows)
    }
}

/// Returns the letter of a version: A, B and so on; numbers after Z.
fn letter(i: usize) -> String {
    u8::try_from(i).ok().filter(|i| *i < 26).map_or_else(|| format!("V{i}"), |i| char::from(b'A' + i).to_string())
}

fn seat_name(seat: Option<&String>) -> &str {
    seat.map_or("spectator", String::as_str)
}

fn seconds(ms: u32) -> f64 {
    f64::from(ms) / 1000.0
}

fn count(n: usize) -> ReportCell {
    ReportCell::number(n as f64, 0)
}

fn optional(value: Option<f64>, decimals: usize) -> ReportCell {
    value.map_or_else(|| ReportCell::text("–"), |value| ReportCell::number(value, decimals))
}

fn time_cells(stats: &DecisionStats) -> [ReportCell; 5] {
    let time = |ms: u32| optional((stats.n > 0).then(|| seconds(ms)), 1);
    let like_bot = match stats.n_compared {
        0 => ReportCell::text("–"),
        n => {
            let value = stats.n_like_bot as f64 / n as f64;
            ReportCell::Number { value, interval: None, decimals: 0, is_share: true }
        }
    };
    [count(stats.n), time(stats.median_ms), time(stats.p90_ms), like_bot, optional(stats.lost, 2)]
}

fn survey_cells(stats: &SurveyStats) -> [ReportCell; 3] {
    [count(stats.n), optional(stats.mean, 1), optional(stats.median, 1)]
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::playtests::{NoteRow, NoteText, OptionRow, PointsRow, PointsStats, ThumbRow, ThumbStats};

    fn note(n: u32) -> NoteText {
        let (path, record, text) = (PathBuf::from("dir/a.game"), "a.game".to_owned(), "why?".to_owned());
        NoteText { path, record, n, turn: 3, seat: None, text }
    }

    fn texts(table: &ReportSection) -> Vec<Vec<String>> {
        let cells = |row: &ReportRow| row.cells.iter().map(ReportCell::display_text).collect::<Vec<_>>();
        table.rows.iter().map(|row| [row.name.clone()].into_iter().chain(cells(row)).collect()).collect()
    }

    #[test]
    fn versions_stand_side_by_side_and_people_beside_bots() {
        let option = |n_people, n_bot| OptionStats { n_offered: 9, n_people, n_bot };
        let options = [("a", [option(0, 4), option(2, 3)]), ("b", [option(1, 0); 2]), ("c", [option(0, 0); 2])];
        let points = [PointsStats { people: Some(2.5), bot: Some(4.0) }, PointsStats { people: None, bot: Some(1.0) }];
        let thumbs = [ThumbStats { n_clear: 1, n_unclear: 5 }, ThumbStats { n_clear: 6, n_unclear: 0 }];
        let report = PlaytestReport {
            versions: vec![TestedVersion::default(); 2],
            points: vec![PointsRow { rule: "ferry".to_owned(), by_version: points.to_vec() }],
            options: options
                .map(|(option, by_version)| OptionRow {
                    question: "Q".to_owned(),
                    option: option.to_owned(),
                    by_version: by_version.to_vec(),
                })
                .to_vec(),
            notes: vec![NoteRow { about: "ferry".to_owned(), by_version: vec![vec![note(7); 5], vec![note(8)]] }],
            thumbs: vec![ThumbRow { rule: "ferry".to_owned(), by_version: thumbs.to_vec() }],
            ..PlaytestReport::default()
        };
        let tables = report.tables("greedy");
        let titles: Vec<&str> = tables.iter().map(|table| table.title.as_str()).collect();
        assert_eq!(
            titles,
            [
                "Versions",
                "Points by rule",
                "Options that greedy chose and people never chose",
                "Options that people chose and greedy never chose",
                "Options that neither people nor greedy chose",
                "Notes",
                "Clear explanations"
            ]
        );
        assert_eq!(tables[1].columns, ["rule", "A people", "A greedy", "B people", "B greedy"]);
        assert_eq!(texts(&tables[1]), [["ferry", "2.5", "4.0", "–", "1.0"]]);
        assert_eq!(texts(&tables[2]), [["Q: a", "9", "0", "4", "9", "2", "3"]]);
        assert_eq!(texts(&tables[3]), [["Q: b", "9", "1", "0", "9", "1", "0"]]);
        assert_eq!(texts(&tables[4]), [["Q: c", "9", "0", "0", "9", "0", "0"]]);
        assert_eq!(texts(&tables[5]), [["ferry", "5", "1"]], "notes about the ferry: 5, then 1");
        assert_eq!(texts(&tables[6]), [["ferry", "1", "5", "6", "0"]]);
        let remarks = report.remarks();
        assert_eq!((remarks.len(), remarks[0].remarks.len()), (1, 6));
        let last = remarks[0].remarks.last().unwrap();
        assert_eq!(last.text, "B a.game turn 3, spectator, ferry: why?");
        assert_eq!(last.moment, Some((PathBuf::from("dir/a.game"), 8)));
    }

    #[test]
    fn an_empty_report_has_no_tables() {
        let report = PlaytestReport::default();
        assert!(report.is_empty() && report.tables("greedy").is_empty() && report.remarks().is_empty());
    }
}
