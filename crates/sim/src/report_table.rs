//! Tables of numbers, which the command, the HTML page and the window show.

use serde::{Deserialize, Serialize};

use crate::compare::Verdict;
use crate::example::{ExampleGame, Subject};
use crate::interval::Interval;
use crate::moments::Moments;

/// A table with a heading.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReportSection {
    /// The heading of the table.
    pub title: String,
    /// An explanation of the numbers, in a sentence or two.
    pub about: String,
    /// The names of the columns. The first column contains the names of the rows.
    pub columns: Vec<String>,
    /// The rows of the table.
    pub rows: Vec<ReportRow>,
}

impl ReportSection {
    /// Makes a table with these columns.
    pub fn new(
        title: impl Into<String>,
        about: impl Into<String>,
        columns: &[&str],
        rows: Vec<ReportRow>,
    ) -> ReportSection {
        let columns = columns.iter().map(|name| (*name).to_owned()).collect();
        ReportSection { title: title.into(), about: about.into(), columns, rows }
    }
}

/// A row of a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReportRow {
    /// The subject of the row.
    pub name: String,
    /// The cells of all columns except the first.
    pub cells: Vec<ReportCell>,
    /// A game that illustrates the subject of the row; `None` if there is no such game.
    pub example: Option<ExampleGame>,
    /// True if the row shows no difference or effect, or only one that may be due to chance.
    pub is_noise: bool,
}

impl ReportRow {
    /// Makes a row without an example.
    pub fn new(name: impl Into<String>, cells: Vec<ReportCell>) -> ReportRow {
        ReportRow { name: name.into(), cells, example: None, is_noise: false }
    }

    /// Adds a game that illustrates `subject` to the row.
    pub(crate) fn with_example(self, game: Option<u64>, subject: Subject) -> ReportRow {
        ReportRow { example: game.map(|game| ExampleGame { game, subject }), ..self }
    }

    pub(crate) fn with_verdict(self, verdict: Option<Verdict>) -> ReportRow {
        ReportRow { is_noise: verdict.is_some_and(|verdict| verdict != Verdict::Differs), ..self }
    }
}

/// A cell of a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ReportCell {
    /// A text.
    Text(String),
    /// A number.
    Number {
        /// The number; for a fraction, 1 means 100%.
        value: f64,
        /// The confidence interval of the number; `None` if the number has no interval.
        interval: Option<Interval>,
        /// The number of decimals to show.
        decimals: usize,
        /// True for a fraction, which is shown as a percentage.
        is_share: bool,
    },
}

impl ReportCell {
    /// Makes a cell with a text.
    pub fn text(text: impl Into<String>) -> ReportCell {
        ReportCell::Text(text.into())
    }

    /// Makes a cell with a number without an interval.
    pub fn number(value: f64, decimals: usize) -> ReportCell {
        ReportCell::Number { value, interval: None, decimals, is_share: false }
    }

    pub(crate) fn count(value: u64) -> ReportCell {
        ReportCell::number(value as f64, 0)
    }

    /// Makes a cell with a percentage, with one decimal, or with another number, with two.
    pub(crate) fn value(value: f64, interval: Option<Interval>, is_share: bool) -> ReportCell {
        ReportCell::Number { value, interval, decimals: if is_share { 1 } else { 2 }, is_share }
    }

    pub(crate) fn fraction(value: f64, interval: Option<Interval>) -> ReportCell {
        ReportCell::value(value, interval, true)
    }

    /// Makes a cell with a fraction and its interval; empty if there is none.
    pub(crate) fn estimate(found: Option<(f64, Interval)>) -> ReportCell {
        found.map_or(ReportCell::text(""), |(value, interval)| ReportCell::fraction(value, Some(interval)))
    }

    pub(crate) fn mean(moments: &Moments, level: f64) -> ReportCell {
        ReportCell::value(moments.mean(), moments.interval(level), false)
    }

    /// Formats the cell for people, such as `48.3% ±1.4`.
    pub fn display_text(&self) -> String {
        match self {
            ReportCell::Text(text) => text.clone(),
            ReportCell::Number { value, interval, decimals, is_share } => {
                let (times, unit) = if *is_share { (100.0, "%") } else { (1.0, "") };
                // Turns a negative zero into a positive zero.
                let value = value * times + 0.0;
                let half = interval.map_or_else(String::new, |it| format!(" ±{:.decimals$}", it.half_width() * times));
                format!("{value:.decimals$}{unit}{half}")
            }
        }
    }
}
