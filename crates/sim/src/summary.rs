//! What a report says, as tables: the one place from which command, page and window have their numbers.

use crate::compare::{Comparison, Difference, Verdict};
use crate::interval::Interval;
use crate::moments::Moments;
use crate::stats::{Measured, Report, Standing};
use crate::tally::{Details, TileTally};

/// A table with a heading.
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    /// Its heading.
    pub title: &'static str,
    /// What it is about and how its numbers are meant, in a sentence or two.
    pub about: String,
    /// The names of its columns; the first is that of the rows.
    pub columns: Vec<&'static str>,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// What it is about.
    pub name: String,
    /// The other columns.
    pub cells: Vec<Cell>,
}

/// What stands in a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number.
    Number {
        /// The number; a share is between 0 and 1.
        value: f64,
        /// Where it may be in truth, where that was looked at.
        interval: Option<Interval>,
        /// How many decimals are worth telling.
        decimals: usize,
        /// Whether it is a share, to be told in per cent.
        is_share: bool,
    },
}

impl Cell {
    fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    fn number(value: f64, decimals: usize) -> Cell {
        Cell::Number { value, interval: None, decimals, is_share: false }
    }

    fn count(value: u64) -> Cell {
        Cell::number(value as f64, 0)
    }

    fn share(value: f64, interval: Option<Interval>) -> Cell {
        Cell::Number { value, interval, decimals: 1, is_share: true }
    }

    fn mean(moments: &Moments, level: f64) -> Cell {
        Cell::Number { value: moments.mean(), interval: moments.interval(level), decimals: 2, is_share: false }
    }

    /// Returns it as people read it, such as `48.3% ±1.4`.
    pub fn shown(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Number { value, interval, decimals, is_share } => {
                let (times, unit) = if *is_share { (100.0, "%") } else { (1.0, "") };
                // No minus before nothing.
                let value = value * times + 0.0;
                let half = interval.map_or_else(String::new, |it| format!(" ±{:.decimals$}", it.half() * times));
                format!("{value:.decimals$}{unit}{half}")
            }
        }
    }
}

/// Returns the tables of a report, with intervals of this level.
pub fn summary(report: &Report, level: f64) -> Vec<Section> {
    let mut sections = vec![standings("Seats", "seat", &report.seats(), level)];
    if !report.players().is_empty() {
        sections.push(standings("Players", "player", &report.players(), level));
    }
    sections.push(games(report, level));
    if let Some(details) = &report.details {
        sections.push(points(details));
        sections.push(by_mod(details));
        sections.push(tiles(details, level));
        sections.push(pieces(details, level));
    }
    sections.retain(|section| !section.rows.is_empty());
    sections
}

fn standings(title: &'static str, of: &'static str, standings: &[Standing<'_>], level: f64) -> Section {
    let row = |it: &Standing<'_>| {
        let mut cells = vec![Cell::text(it.player)];
        if of == "player" {
            cells.clear();
        }
        cells.extend([
            Cell::count(it.n_games()),
            Cell::number(it.wins(), 1),
            Cell::share(it.share(), Some(it.share_interval(level))),
            Cell::mean(it.score, level),
            Cell::number(it.score.deviation(), 2),
            Cell::number(it.score.least() as f64, 0),
            Cell::number(it.score.most() as f64, 0),
        ]);
        Row { name: it.name.to_owned(), cells }
    };
    let mut columns = vec![of, "player", "games", "wins", "share", "mean", "s.d.", "min", "max"];
    if of == "player" {
        columns.remove(1);
    }
    let about = "Games won, where a win shared by two counts half, and scores.".to_owned();
    Section { title, about, columns, rows: standings.iter().map(row).collect() }
}

fn games(report: &Report, level: f64) -> Section {
    let seats = |it: &&Measured| {
        use crate::measure::Measure::{PlayerScore, PlayerWin, Score, Win};
        !matches!(it.measure, Win(_) | Score(_) | PlayerWin(_) | PlayerScore(_))
    };
    let row = |it: &Measured| {
        let scale = it.measure.scale();
        let is_share = it.measure.is_share();
        let number = |value: f64, interval: Option<Interval>| match is_share {
            true => Cell::share(value, interval),
            false => Cell::Number { value, interval, decimals: 2, is_share },
        };
        let cells = vec![
            number(it.mean(), it.interval(level)),
            number(it.moments.deviation() / scale, None),
            number(it.moments.least() as f64 / scale, None),
            number(it.moments.most() as f64 / scale, None),
        ];
        Row { name: report.name_of(it.measure), cells }
    };
    Section {
        title: "Games",
        about: "Each number is that of one game; its mean, how much it scatters, the least and the most.".to_owned(),
        columns: vec!["in a game", "mean", "s.d.", "min", "max"],
        rows: report.measured.iter().filter(seats).map(row).collect(),
    }
}

/// Points a game: in games without any there are none.
fn a_game(points: i128, n_games: u64) -> Cell {
    Cell::number(points as f64 / n_games.max(1) as f64, 2)
}

fn points(details: &Details) -> Section {
    let n = details.n_games;
    let mut names: Vec<&str> = Vec::new();
    for reason in details.playing.list().into_iter().chain(details.at_end.list()) {
        if !names.contains(&reason.name.as_str()) {
            names.push(&reason.name);
        }
    }
    let sum = |name: &str| {
        let of = |points: Option<&Moments>| points.map_or(0, Moments::sum);
        (of(details.playing.points(name)), of(details.at_end.points(name)))
    };
    let all: i128 = names.iter().map(|name| sum(name)).map(|(playing, at_end)| playing + at_end).sum();
    let row = |name: &&str| {
        let (playing, at_end) = sum(name);
        let share = (playing + at_end) as f64 / (all.max(1)) as f64;
        let cells = vec![a_game(playing, n), a_game(at_end, n), a_game(playing + at_end, n), Cell::share(share, None)];
        Row { name: (*name).to_owned(), cells }
    };
    let mut rows: Vec<Row> = names.iter().map(row).collect();
    let rest = (details.playing.rest(), details.at_end.rest());
    if rest != (0, 0) {
        let share = Cell::text("");
        let cells = vec![a_game(rest.0, n), a_game(rest.1, n), a_game(rest.0 + rest.1, n), share];
        rows.push(Row { name: "all others".to_owned(), cells });
    }
    Section {
        title: "Points by what they are for",
        about: "A kind of land, or what a mod says; points of all players a game.".to_owned(),
        columns: vec!["for", "playing", "at the end", "in all", "share"],
        rows,
    }
}

fn by_mod(details: &Details) -> Section {
    let n = details.n_games;
    let row = |reason: &&crate::tally::Reason| {
        let games = reason.points.n() as f64 / n.max(1) as f64;
        Row { name: reason.name.clone(), cells: vec![a_game(reason.points.sum(), n), Cell::share(games, None)] }
    };
    Section {
        title: "Points by mod",
        about:
            "What the formula of the land gives, and what the function of a mod adds, takes or doubles; points of all \
                players a game, and in how many of the games."
                .to_owned(),
        columns: vec!["by", "points", "of the games"],
        rows: details.by_mod.list().iter().map(row).collect(),
    }
}

fn tiles(details: &Details, level: f64) -> Section {
    let n = details.n_games.max(1) as f64;
    let row = |tile: &&TileTally| {
        let laid = tile.n_laid();
        let win = details.win_difference(tile, level);
        let win = win.map_or(Cell::text(""), |(difference, interval)| Cell::share(difference, Some(interval)));
        let cells = vec![
            Cell::number(laid as f64 / n, 2),
            Cell::number(tile.n_discarded as f64 / n, 3),
            Cell::mean(&tile.places, level),
            Cell::mean(&tile.points, level),
            win,
        ];
        Row { name: tile.name.clone(), cells }
    };
    let seen = |tile: &&TileTally| tile.n_laid() + tile.n_discarded > 0;
    Section {
        title: "Tiles",
        about: "How often a tile is laid by a player, and discarded, in a game; how many answers there are where it goes; what \
                its player gets in that turn and the two after it; how much more often than usual its player wins."
            .to_owned(),
        columns: vec!["tile", "laid", "discarded", "places", "points", "wins"],
        rows: details.tiles.iter().filter(seen).map(|tile| row(&tile)).collect(),
    }
}

fn pieces(details: &Details, level: f64) -> Section {
    let stuck = details.stuck.iter().filter(|(_, n)| n.most() > 0);
    Section {
        title: "Pieces in play at the end",
        about: "Pieces of all players that did not come home before the game was over.".to_owned(),
        columns: vec!["piece", "a game"],
        rows: stuck.map(|(kind, n)| Row { name: kind.clone(), cells: vec![Cell::mean(n, level)] }).collect(),
    }
}

/// Returns a comparison as a table.
pub fn compared(comparison: &Comparison) -> Section {
    let row = |difference: &Difference| {
        let Difference { measure, .. } = difference;
        let mean_of = |report: &Report| report.measured(*measure).map_or(0.0, Measured::mean);
        let is_share = measure.is_share();
        let cell = |value: f64, interval: Option<Interval>| Cell::Number {
            value,
            interval,
            decimals: if is_share { 1 } else { 2 },
            is_share,
        };
        let cells = vec![
            cell(mean_of(&comparison.a), None),
            cell(mean_of(&comparison.b), None),
            cell(difference.mean(), comparison.interval(difference)),
            Cell::text(verdict_text(comparison.verdict(difference))),
        ];
        Row { name: comparison.a.name_of(*measure), cells }
    };
    Section {
        title: "A against B",
        about: "B less A, in pairs of games with the same seeds. All intervals hold together in 95 of 100 comparisons."
            .to_owned(),
        columns: vec!["in a game", "A", "B", "B less A", ""],
        rows: comparison.differences.iter().map(row).collect(),
    }
}

/// What a difference tells, in a few words.
pub fn verdict_text(verdict: Verdict) -> String {
    match verdict {
        Verdict::Same => "the same in every game".to_owned(),
        Verdict::Differs => "differs".to_owned(),
        Verdict::Noise { n_to_tell: u64::MAX } => "noise".to_owned(),
        Verdict::Noise { n_to_tell } => format!("noise; about {} games would tell", rounded(n_to_tell)),
    }
}

/// A number with two digits that count, and spaces between thousands as commas.
fn rounded(n: u64) -> String {
    let mut unit = 1;
    while n / unit >= 100 {
        unit *= 10;
    }
    let digits = (n.div_ceil(unit) * unit).to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_as_people_read_them() {
        assert_eq!(rounded(12), "12");
        assert_eq!(rounded(3401), "3,500");
        assert_eq!(rounded(1_234_567), "1,300,000");
        let share = Cell::share(0.4831, Some(Interval { low: 0.469, high: 0.497 }));
        assert_eq!(share.shown(), "48.3% ±1.4");
        assert_eq!(Cell::number(-0.0, 1).shown(), "0.0");
    }
}
