//! Sets the passages of a book as slices of text and pictures.

use super::flow::{Mark, Slice};
use super::fonts::{Fonts, Lettering};
use super::lines::{ACCENT, FAINT, INK, RULE, TextLine, bold, lines, plain};
use crate::page::{GLOSSARY, Pages, SCORE_SHEET, SUMMARY, anchor_of};
use crate::text::{Passage, Phrase, TextTable, phrases};

/// The size of normal text in points.
pub(crate) const TEXT: f64 = 10.0;
/// The height of a line, in letter sizes.
const LEADING: f64 = 1.42;
/// The space between paragraphs, in points.
pub(crate) const GAP: f64 = 6.0;
/// The width of a bullet or number before an item of a list.
const BULLET: f64 = 15.0;
/// The maximum height of a table that stays on one page.
const SHORT_TABLE: f64 = 200.0;
/// The maximum number of columns of a table. The rows of a wider table become lists.
const MAX_COLUMNS: usize = 8;
/// The anchors of the chapters that follow on the same page as the chapter before.
const FOLLOWING: [&str; 3] = [SUMMARY, GLOSSARY, SCORE_SHEET];
/// The number of players on a score sheet.
const PLAYERS: usize = 6;

/// Typesets passages between the margins of the page.
pub(crate) struct Typesetter<'b, 'f> {
    pub fonts: &'f mut Fonts,
    pub slices: Vec<Slice<'b>>,
    /// The left edge of the text on the page.
    pub left: f64,
    /// The width of the text.
    pub width: f64,
    /// The first slice of the summary, while the summary is being set.
    pub summary: Option<usize>,
    /// The page numbers of the entries in the contents, as far as they are known.
    pub numbers: Vec<usize>,
}

/// Returns the headings that the contents of a book list: chapters, and sections if there are few
/// chapters.
pub(crate) fn listed(book: &Pages) -> impl Iterator<Item = (u8, &str)> {
    let headings = || {
        book.passages.iter().filter_map(|passage| match passage {
            Passage::Heading { level, text, .. } => Some((*level, text.as_str())),
            _ => None,
        })
    };
    let deepest = if headings().filter(|(level, _)| *level == 2).count() <= 5 { 3 } else { 2 };
    headings().filter(move |(level, _)| (2..=deepest).contains(level))
}

impl<'b> Typesetter<'b, '_> {
    pub(crate) fn passage(&mut self, book: &'b Pages, passage: &'b Passage) {
        let first = self.slices.len();
        match passage {
            Passage::Heading { level, text, anchor } => {
                // The summary follows the contents, and the glossary and the score sheet follow the
                // last chapter, if there is room.
                self.heading(*level, text, !FOLLOWING.contains(&anchor.as_str()));
                self.keep_summary_together(*level, anchor, first);
            }
            Passage::Paragraph(line) => self.paragraph(line, plain(TEXT, INK)),
            Passage::Note(line) => self.paragraph(line, plain(TEXT * 0.9, FAINT)),
            Passage::List { first, items } => self.list(book, *first, items),
            Passage::Table(table) if table.heads.len() > MAX_COLUMNS => self.wide_table(table),
            Passage::Table(table) => self.table(table),
            Passage::Code(code) => {
                for line in code.lines() {
                    let lettering = Lettering { is_code: true, ..plain(TEXT * 0.85, INK) };
                    self.paragraph(&phrases_as_they_are(line), lettering);
                    self.close_up();
                }
            }
            Passage::Terms(terms) => self.terms(terms),
            Passage::Contents => self.contents(book),
            Passage::Drawings(entries) => self.drawings(entries),
            Passage::Example(example) => self.example(example),
            Passage::ScoreSheet(rows) => self.score_sheet(rows),
            Passage::Gaps(gaps) => {
                self.heading(4, "Not explained yet", false);
                for gap in gaps {
                    self.item("•", |setter| setter.paragraph(&phrases(gap), plain(TEXT, FAINT)));
                }
            }
        }
        if let (Some(slice), Some(anchor)) = (self.slices.get_mut(first), anchor_of(passage)) {
            slice.anchor = Some(anchor);
        }
    }

    /// Keeps the slices of the summary on one page if possible, once the next chapter begins. The
    /// heading with this level and anchor begins with the slice `first`.
    fn keep_summary_together(&mut self, level: u8, anchor: &str, first: usize) {
        if level != 2 {
            return;
        }
        if let Some(start) = self.summary.take() {
            let end = first.saturating_sub(1);
            // A summary of one slice, or of none, has no slice to keep with the next.
            self.slices.get_mut(start..end).unwrap_or_default().iter_mut().for_each(|slice| slice.keeps_next = true);
        }
        self.summary = (anchor == SUMMARY).then_some(first);
    }

    /// Breaks a text into lines of this width.
    pub(crate) fn lines(&mut self, line: &[Phrase], lettering: Lettering, width: f64) -> Vec<TextLine> {
        lines(self.fonts, line, lettering, width)
    }

    /// Adds slices with cells side by side: each cell has a left edge and lines.
    pub(crate) fn row(&mut self, cells: &[(f64, Vec<TextLine>)], size: f64, gap: f64) {
        let n = cells.iter().map(|(_, lines)| lines.len()).max().unwrap_or(0);
        for i in 0..n {
            let mut slice = Slice { gap: if i == 0 { gap } else { 0.0 }, height: size * LEADING, ..Slice::default() };
            // Short paragraphs stay on one page, and long ones leave at least two lines on a page.
            slice.keeps_next = i + 1 < n && (n <= 5 || i == 0 || i + 2 == n);
            for (left, lines) in cells {
                if let Some(line) = lines.get(i) {
                    add_line(&mut slice.marks, line, [*left, size * 1.05], size);
                }
            }
            self.slices.push(slice);
        }
    }

    pub(crate) fn paragraph(&mut self, line: &[Phrase], lettering: Lettering) {
        let lines = self.lines(line, lettering, self.width);
        self.row(&[(self.left, lines)], lettering.size, GAP);
    }

    /// Removes the space before the last slice.
    fn close_up(&mut self) {
        if let Some(slice) = self.slices.last_mut() {
            slice.gap = 0.0;
        }
    }

    /// Sets a heading. A heading of level 2 begins a page, if `begins_page` is true.
    fn heading(&mut self, level: u8, text: &'b str, begins_page: bool) {
        let (size, gap) = match level {
            1 => (26.0, 0.0),
            2 => (20.0, 34.0),
            3 => (13.0, 18.0),
            _ => (10.5, 11.0),
        };
        let first = self.slices.len();
        let lines = self.lines(&phrases_as_they_are(text), bold(size, INK), self.width);
        self.row(&[(self.left, lines)], size, gap);
        if level == 2 {
            let line = Mark::Fill { at: [self.left, 2.0], size: [self.width, 1.5], colour: ACCENT };
            self.slices.push(Slice { height: 6.0, marks: vec![line], ..Slice::default() });
        }
        self.slices.iter_mut().skip(first).for_each(|slice| slice.keeps_next = true);
        if let Some(slice) = self.slices.get_mut(first) {
            slice.begins_page = level == 2 && begins_page;
            slice.heading = Some((level, text));
        }
    }

    /// Sets `content` to the right of a bullet.
    fn item(&mut self, bullet: &str, content: impl FnOnce(&mut Self)) {
        let first = self.slices.len();
        (self.left, self.width) = (self.left + BULLET, self.width - BULLET);
        content(self);
        (self.left, self.width) = (self.left - BULLET, self.width + BULLET);
        let mark = self.lines(&phrases_as_they_are(bullet), plain(TEXT, ACCENT), BULLET * 3.0);
        let left = self.left;
        if let (Some(slice), Some(line)) = (self.slices.get_mut(first), mark.first()) {
            slice.gap = GAP / 2.0;
            add_line(&mut slice.marks, line, [left, TEXT * 1.05], TEXT);
        }
    }

    fn list(&mut self, book: &'b Pages, first: Option<u64>, items: &'b [Vec<Passage>]) {
        for (i, item) in (0..).zip(items) {
            let bullet = first.map_or("•".to_owned(), |first| format!("{}.", first.saturating_add(i)));
            self.item(&bullet, |setter| item.iter().for_each(|passage| setter.passage(book, passage)));
        }
    }

    fn terms(&mut self, terms: &[[Vec<Phrase>; 2]]) {
        for (i, [term, meaning]) in terms.iter().enumerate() {
            let first = self.slices.len();
            self.paragraph(term, bold(TEXT, INK));
            self.slices.iter_mut().skip(first).for_each(|slice| slice.keeps_next = true);
            let lines = self.lines(meaning, plain(TEXT, INK), self.width - BULLET);
            self.row(&[(self.left + BULLET, lines)], TEXT, 0.0);
            // The last two terms stay together, so that no term is alone on the last page.
            if let Some(last) = self.slices.last_mut().filter(|_| i + 2 == terms.len()) {
                last.keeps_next = true;
            }
        }
    }

    fn table(&mut self, table: &'b TextTable) {
        const BETWEEN: f64 = 12.0;
        let all = || std::iter::once(&table.heads).chain(&table.rows);
        let n = all().map(Vec::len).max().unwrap_or(0).clamp(1, MAX_COLUMNS);
        let room = self.width - BETWEEN * (n - 1) as f64;
        // Each column gets the width that its longest text needs on one line. If the table would be
        // too wide, the columns shrink in proportion to the widths that exceed half of an equal
        // share.
        let mut needed = vec![1.0; n];
        for row in all() {
            for (needed, cell) in needed.iter_mut().zip(row) {
                let widest = self.lines(cell, plain(TEXT, INK), room).iter().map(|line| line.width).fold(0.0, f64::max);
                *needed = widest.max(*needed) + 0.5;
            }
        }
        let total: f64 = needed.iter().sum();
        let least = room / n as f64 / 2.0;
        let fixed: f64 = needed.iter().map(|needed| needed.min(least)).sum();
        let beyond: f64 = needed.iter().map(|needed| (needed - least).max(0.0)).sum();
        let share = if total <= room { 1.0 } else { (room - fixed) / beyond };
        let widths = needed.iter().map(|needed| needed.min(least) + (needed - least).max(0.0) * share);
        let mut left = self.left;
        let columns: Vec<[f64; 2]> = widths
            .map(|width| {
                let column = [left, width];
                left += width + BETWEEN;
                column
            })
            .collect();
        let first = self.slices.len();
        for (i, row) in all().enumerate() {
            let look = if i == 0 { bold(TEXT * 0.9, FAINT) } else { plain(TEXT, INK) };
            let cells: Vec<(f64, Vec<TextLine>)> =
                columns.iter().zip(row).map(|([left, width], cell)| (*left, self.lines(cell, look, *width))).collect();
            self.row(&cells, look.size, if i == 0 { GAP } else { 2.0 });
            let end = Mark::Fill { at: [self.left, 1.0], size: [self.width, 0.6], colour: RULE };
            if let Some(last) = self.slices.last_mut() {
                last.keeps_next = true;
            }
            self.slices.push(Slice { height: 2.0, marks: vec![end], keeps_next: i == 0, ..Slice::default() });
        }
        // A short table stays on one page. A table without rows has no slices.
        let rows = self.slices.get_mut(first..).unwrap_or_default();
        if rows.iter().map(|slice| slice.gap + slice.height).sum::<f64>() < SHORT_TABLE
            && let Some((_, others)) = rows.split_last_mut()
        {
            others.iter_mut().for_each(|slice| slice.keeps_next = true);
        }
    }

    /// Sets a table with many columns as one paragraph for each row.
    fn wide_table(&mut self, table: &TextTable) {
        for row in &table.rows {
            let cells = table.heads.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
            let cells = cells.flat_map(|(head, cell)| {
                let parts = [head.clone(), phrases(": "), cell.clone(), phrases("; ")];
                parts.into_iter().flatten()
            });
            let line: Vec<Phrase> = cells.collect();
            self.item("•", |setter| setter.paragraph(&line, plain(TEXT, INK)));
        }
    }

    fn contents(&mut self, book: &'b Pages) {
        const NUMBER: f64 = 40.0;
        for (i, (level, text)) in listed(book).enumerate() {
            let look = if level == 2 { bold(TEXT, INK) } else { plain(TEXT, INK) };
            let left = self.left + if level == 2 { 0.0 } else { BULLET };
            let right = self.left + self.width;
            let title = self.lines(&phrases_as_they_are(text), look, right - left - NUMBER);
            // The page numbers are known only when the book is set for the second time.
            let number = self.numbers.get(i).map_or_else(String::new, |n| n.to_string());
            let number = self.lines(&phrases_as_they_are(&number), look, NUMBER);
            let first = self.slices.len();
            let width = number.first().map_or(0.0, |line| line.width);
            self.row(&[(left, title), (right - width, number)], TEXT, if level == 2 { GAP } else { 0.0 });
            let n_lines = self.slices.len() - first;
            // The number of the entry makes its anchor unique, because several sections may have
            // the same title.
            let target = format!("#{}", entry_anchor(i));
            let size = [right - left, TEXT * LEADING * n_lines as f64];
            if let Some(slice) = self.slices.get_mut(first) {
                slice.marks.push(Mark::Link { at: [left, 0.0], size, target });
            }
        }
    }

    fn score_sheet(&mut self, rows: &[String]) {
        const HEIGHT: f64 = 30.0;
        let first = self.width * 0.28;
        let cell = (self.width - first) / PLAYERS as f64;
        for (i, row) in std::iter::once("player").chain(rows.iter().map(String::as_str)).enumerate() {
            let lines = self.lines(&phrases_as_they_are(row), bold(TEXT * 0.9, FAINT), first - 8.0);
            let height = HEIGHT.max(lines.len() as f64 * TEXT * LEADING + 6.0).min(60.0);
            let gap = if i == 0 { GAP } else { 0.0 };
            // The sheet stays on one page, with its heading.
            let mut slice = Slice { height, gap, keeps_next: i < rows.len(), ..Slice::default() };
            for (k, line) in lines.iter().take(3).enumerate() {
                add_line(&mut slice.marks, line, [self.left + 4.0, 18.5 + k as f64 * TEXT * LEADING], TEXT);
            }
            for k in 0..=PLAYERS {
                let at = if k == 0 { self.left } else { self.left + first + (k - 1) as f64 * cell };
                let size = [if k == 0 { first } else { cell }, height];
                slice.marks.push(Mark::Frame { at: [at, 0.0], size, colour: RULE });
            }
            self.slices.push(slice);
        }
    }
}

/// Returns the anchor of entry `i` of the contents. Anchors of a book contain no space.
pub(crate) fn entry_anchor(i: usize) -> String {
    format!("entry {i}")
}

/// Returns a text as one phrase, in which backquotes stay backquotes.
pub(crate) fn phrases_as_they_are(text: &str) -> Vec<Phrase> {
    vec![Phrase { text: text.to_owned(), ..Phrase::default() }]
}

/// Adds a line of text, which begins at `at` on its base line.
pub(crate) fn add_line(marks: &mut Vec<Mark<'_>>, line: &TextLine, [x, y]: [f64; 2], size: f64) {
    for placed in &line.runs {
        let left = x + placed.x;
        marks.push(Mark::Text { at: [left, y], run: placed.run.clone() });
        if let Some(target) = &placed.link {
            let (at, size) = ([left, y - size], [placed.run.width, size * 1.3]);
            marks.push(Mark::Link { at, size, target: target.clone() });
        }
    }
}
